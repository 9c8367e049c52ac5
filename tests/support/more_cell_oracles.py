"""What cages, counts, sums and groups say, in their own words; entered beside those of `more_oracles`."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import prod
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support.more_oracles import listed, maker, oracle
from support.variant_oracles import Drawing, Values, along, distinct, patch, within


@oracle("sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    weights, colon, comparison = str(mark.value).rpartition(":")
    each = [int(word) for word in weights.split()] if colon else [1] * len(mark.cells)
    total = sum(weight * value for weight, value in zip(each, within(mark, at), strict=True))
    sign = comparison.strip().rstrip("-0123456789 ") or "="
    known = [int(word) for word in comparison.replace(sign, " ", 1).split()]
    return {
        "=": total in known,
        "!=": total not in known,
        "<": total < known[0],
        "<=": total <= known[0],
        ">": total > known[0],
        ">=": total >= known[0],
    }[sign]


@oracle("multisum-cage")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at)) and sum(within(mark, at)) in listed(mark)


@oracle("digital-root")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    root = sum(within(mark, at))
    while root > 9:
        root = sum(map(int, str(root)))
    return distinct(within(mark, at)) and root == mark.value


@oracle("product", "edge-product")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return prod(within(mark, at)) == mark.value


@oracle("edge-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(within(mark, at)) == mark.value


@oracle("greater-than")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(a > b for a, b in pairwise(within(mark, at)))


@oracle("quad-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    *others, greatest = sorted(within(mark, at))
    return not others or greatest == sum(others)


def _says(text: str, values: list[int]) -> bool:
    parts = text.split() if " " in text else list(text)
    return all(values.count(int(value)) == int(many) for many, value in zip(parts[::2], parts[1::2], strict=True))


@oracle("look-and-say")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return _says(str(mark.value), within(mark, at))


@oracle("little-killer-look-and-say")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return _says(str(mark.value), along(mark, at))


@oracle("contain-exact")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(within(mark, at).count(value) == listed(mark).count(value) for value in listed(mark))


@oracle("negative-quadruple")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not set(listed(mark)) & set(within(mark, at))


@oracle("counting-circles")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = within(mark, at)
    return all(values.count(value) == value for value in values)


@oracle("count-distinct")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    number, *others = within(mark, at)
    return number == len(set(others))


@oracle("odd-count", "even-count")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    odd = sum(value % 2 for value in within(mark, at))
    return mark.value == (odd if mark.kind == "odd-count" else len(mark.cells) - odd)


@oracle("odd-lots", "even-lots")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    odd = sum(value % 2 for value in within(mark, at))
    return within(mark, at)[0] == (odd if mark.kind == "odd-lots" else len(mark.cells) - odd)


@oracle("equality-cage")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values, middle = within(mark, at), (drawing.digits[0] + drawing.digits[-1]) / 2
    odd, low, high = (sum(map(test, values)) for test in (lambda v: v % 2, lambda v: v < middle, lambda v: v > middle))
    return distinct(values) and 2 * odd == len(values) and low == high and low + high == len(values)


@oracle("rellik")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = within(mark, at)
    some = (part for length in range(1, len(values) + 1) for part in combinations(values, length))
    return distinct(values) and all(sum(part) != mark.value for part in some)


@oracle("lunchbox")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = within(mark, at)
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return distinct(values) and sum(values[first + 1 : last]) == mark.value


@oracle("vault")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    around = {cell for inner in mark.cells for cell in drawing.neighbours(inner)} - set(mark.cells)
    return not {at[cell] for cell in around} & set(within(mark, at))


@oracle("equal-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return len({sum(at[cell] for cell in group) for group in mark.lines}) == 1


@oracle("same-values")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return len({tuple(sorted(at[cell] for cell in group)) for group in mark.lines}) == 1


SIZES = {
    "sum": (1, 4),
    "multisum-cage": (2, 4),
    "digital-root": (1, 4),
    "product": (1, 4),
    "quad-sum": (3, 4),
    "look-and-say": (2, 6),
    "contain-exact": (2, 6),
    "negative-quadruple": (2, 4),
    "counting-circles": (1, 3),
    "count-distinct": (2, 4),
    "odd-count": (2, 5),
    "even-count": (2, 5),
    "odd-lots": (2, 5),
    "even-lots": (2, 5),
    "equality-cage": (2, 4),
    "rellik": (2, 4),
    "lunchbox": (2, 4),
    "vault": (1, 3),
    "edge-sum": (2, 2),
    "edge-product": (2, 2),
    "greater-than": (2, 3),
}
"""The smallest and the largest number of cells."""

SCATTERED = {"counting-circles", "odd-lots", "even-lots", "quad-sum", "count-distinct"}
"""The kinds whose cells need not touch."""


@maker(*SIZES)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    fewest, most = SIZES[kind]
    cells: tuple[Position, ...]
    if kind in SCATTERED:
        cells = tuple(rng.sample(drawing.positions, rng.randint(fewest, most)))
    else:
        cells = patch(rng, drawing, fewest, min(most, drawing.size))
        cells = tuple(rng.sample(cells, len(cells))) if kind in ("greater-than", "lunchbox") else cells
    values = [at[cell] if at else drawing.digit(rng) for cell in cells]
    return Mark(kind, cells, value=_value(kind, rng, drawing, values))


def _value(kind: str, rng: Random, drawing: Drawing, values: list[int]) -> int | str | None:
    """A value that these cells have, or may have."""
    total, near = sum(values), rng.randint(1, 3)
    odd = sum(value % 2 for value in values)
    some = sorted(rng.sample(values, rng.randint(1, len(values))))
    other = [value for value in drawing.digits if value not in values] or [1]
    choices: dict[str, tuple[int | str, ...]] = {
        "sum": (
            str(total),
            f">= {total - near}",
            f"< {total + near}",
            f"!= {total + near}",
            f"{total - near} {total} {total + 2 * near}",
            _weighted(rng, values),
        ),
        "multisum-cage": (f"{total} {total + near}",),
        "digital-root": ((total - 1) % 9 + 1,),
        "product": (prod(values),),
        "edge-product": (prod(values),),
        "edge-sum": (total,),
        "look-and-say": (
            f"{values.count(some[0])} {some[0]}",
            f"0 {rng.choice(other)} {values.count(some[0])} {some[0]}",
        ),
        "contain-exact": (" ".join(str(value) for value in values if value in some),),
        "negative-quadruple": (" ".join(map(str, rng.sample(other, rng.randint(1, min(2, len(other)))))),),
        "odd-count": (odd,),
        "even-count": (len(values) - odd,),
        "rellik": (rng.randint(2, 2 * drawing.size),),
        "lunchbox": (sum(values[1:-1]), rng.choice(values), 0),
    }
    return rng.choice(choices[kind]) if kind in choices else None


def _weighted(rng: Random, values: list[int]) -> str:
    weights = [rng.choice((-2, -1, 1, 2, 3)) for _ in values]
    total = sum(weight * value for weight, value in zip(weights, values, strict=True))
    return f"{' '.join(map(str, weights))}: {rng.choice(('=', '<=', '>='))} {total}"


@maker("equal-sum", "same-values")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    many = rng.randint(1, 3)
    cells = rng.sample(drawing.positions, 3 * 3)
    if at and kind == "same-values":
        # A first group, and others that hold what it holds.
        wanted = [at[cell] for cell in cells[:many]]
        places = [[cell for cell in drawing.positions if at[cell] == value] for value in wanted]
        groups = [tuple(rng.choice(place) for place in places) for _ in range(rng.choice((2, 2, 3)))]
        if all(len(set(group)) == many for group in groups):
            return Mark(kind, lines=tuple(groups))
    groups = [tuple(cells[start : start + many]) for start in (0, 3, 6)][: rng.choice((1, 2, 2))]
    if kind == "equal-sum":
        groups = [tuple(cells[start : start + rng.randint(1, 3)]) for start in (0, 3, 6)][: rng.choice((2, 2, 3))]
    return Mark(kind, lines=tuple(groups))
