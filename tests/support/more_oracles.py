"""What the other kinds say, in their own words, over the values of a grid; lines, clues, whole boards.

Nothing here comes from the lowering: an oracle reads a mark and a grid, and knows no constraint.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from math import prod
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position
from support import variant_oracles as usual
from support.variant_drawing import entered, entered_makers
from support.variant_oracles import Drawing, Maker, Oracle, Values, along, distinct, outside, walk, within

ORACLES: dict[str, Oracle] = {}
"""For each of these kinds: whether a grid obeys a mark."""

MAKERS: dict[str, Maker] = {}
"""For each of these kinds: a random mark. Its value is read off the grid, where there is one."""


oracle, maker = entered(ORACLES), entered_makers(MAKERS)


def obeys(drawing: Drawing, at: Values) -> bool:
    """Whether a grid whose rows and columns are valid obeys every mark."""
    known = usual.ORACLES | ORACLES
    return all(known[mark.kind](drawing, mark, at) for mark in drawing.marks)


def draw(kind: str, rng: Random, drawing: Drawing, at: Values | None = None) -> Mark:
    """A random mark of that kind; one that the grid obeys, where there is one and it can be found soon."""
    for _ in range(3000):
        mark = MAKERS[kind](rng, drawing, at)
        if at is None or ORACLES[kind](drawing, mark, at):
            break
    return mark


def listed(mark: Mark) -> list[int]:
    return [int(word) for word in str(mark.value).split()]


# The whole board


def _apart(drawing: Drawing, at: Values) -> Iterator[tuple[int, int, int, int]]:
    """For each two cells: rows and columns between them, the smaller first, and their values, smaller first."""
    for here, there in combinations(drawing.positions, 2):
        near, far = sorted((abs(here[0] - there[0]), abs(here[1] - there[1])))
        low, high = sorted((at[here], at[there]))
        yield near, far, low, high


@oracle("anti-leaper")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    move, _, values = str(mark.value).partition(" of ")
    a, b = sorted(map(int, move.split()))
    among = [int(value) for value in values.split()] or list(range(-1, 10_000))
    return not any((near, far) == (a, b) and low == high in among for near, far, low, high in _apart(drawing, at))


@oracle("anti-queen")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not any(near == far and low == high in listed(mark) for near, far, low, high in _apart(drawing, at))


@oracle("taxicab")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not any(near + far == mark.value and low == high for near, far, low, high in _apart(drawing, at))


@oracle("anti-taxicab")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not any(near + far == low == high and near for near, far, low, high in _apart(drawing, at))


@oracle("knightmare")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    sums = [5, 15] if mark.value is None else listed(mark)
    return not any((near, far) == (1, 2) and low + high in sums for near, far, low, high in _apart(drawing, at))


@oracle("diagonal-nonconsecutive")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not any(near == far == 1 and high == low + 1 for near, far, low, high in _apart(drawing, at))


@oracle("disjoint-group")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct([at[region[int(str(mark.value)) - 1]] for region in drawing.regions])


@oracle("negative-difference")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    dots = [set(dot.cells) for dot in drawing.marks_of("difference", "ratio")]
    return all(abs(at[a] - at[b]) not in listed(mark) for a, b in drawing.edges() if {a, b} not in dots)


@oracle("negative-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    joined = [set(other.cells) for other in drawing.marks_of("xv", "edge-sum")]
    return all(at[a] + at[b] not in listed(mark) for a, b in drawing.edges() if {a, b} not in joined)


def _windows(drawing: Drawing, at: Values) -> Iterator[list[int]]:
    for row, column in drawing.positions:
        if row < drawing.size and column < drawing.size:
            yield [at[row + down, column + right] for down in (0, 1) for right in (0, 1)]


@oracle("global-entropy")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    if mark.value is None:
        third = {value: usual.third(drawing.digits, value) for value in drawing.digits}
        classes = [[value for value in third if third[value] == name] for name in set(third.values())]
    else:
        classes = [[int(digit) for digit in word] for word in str(mark.value).split()]
    return all(any(value in window for value in one) for window in _windows(drawing, at) for one in classes)


@oracle("global-mod")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    modulus = 3 if mark.value is None else int(mark.value)
    return all(len({value % modulus for value in window}) == modulus for window in _windows(drawing, at))


@oracle("flatmates")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    last = drawing.digits[-1]
    middle, above, below = listed(mark) if mark.value is not None else (last - last // 2, 1, last)
    return all(
        at.get((row - 1, column)) == above or at.get((row + 1, column)) == below
        for (row, column), value in at.items()
        if value == middle
    )


@oracle("159")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    columns = listed(mark) if mark.value is not None else [1, drawing.size - drawing.size // 2, drawing.size]
    return all(at.get((row, at[row, column])) == column for row in drawing.values for column in columns)


@oracle("negative-rossini")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    drawn = [other.cells[0] for other in drawing.marks_of("rossini")]
    for edge in (0, drawing.size + 1):
        for number in drawing.values:
            for clue in ((edge, number), (number, edge)):
                a, b, c = (at[cell] for cell in drawing.seen(clue)[:3])
                if clue not in drawn and (a < b < c or a > b > c):
                    return False
    return True


RULES: dict[str, tuple[int | str | None, ...]] = {
    "anti-leaper": ("1 3", "2 2", "2 3 of 1 2", "1 2 of 3"),
    "anti-queen": ("1", "2 4"),
    "taxicab": (3, 4),
    "anti-taxicab": (None,),
    "knightmare": ("4", "5", "3 6", None),
    "diagonal-nonconsecutive": (None,),
    "disjoint-group": (1, 2, 4),
    "negative-difference": ("2", "3", "1 3"),
    "negative-sum": ("4", "5", "6"),
    "global-entropy": ("12 34", None, "1 23"),
    "global-mod": (2, None),
    "flatmates": (None, "2 1 4", "1 3 4"),
    "159": (None, "1", "2 3"),
    "negative-rossini": (None,),
}
"""The values that each may have on boards of 4x4 or more."""


@maker(*RULES)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, value=rng.choice(RULES[kind]))


# Clues outside the grid


ABSENT = -1
"""The value of a clue that nothing can satisfy."""


def numbered_room(values: Sequence[int], digits: range) -> int:
    return values[values[0] - 1] if 1 <= values[0] <= len(values) else ABSENT


def hidden_skyscraper(values: Sequence[int], digits: range) -> int:
    hidden = (value for index, value in enumerate(values) if value < max(values[:index], default=0))
    return next(hidden, ABSENT)


def before_nine(values: Sequence[int], digits: range) -> int:
    return sum(values[: values.index(digits[-1])]) if digits[-1] in values else ABSENT


def battlefield(values: Sequence[int], digits: range) -> int:
    first = range(values[0])
    last = range(len(values) - values[-1], len(values))
    both = [value for index, value in enumerate(values) if index in first and index in last]
    neither = [value for index, value in enumerate(values) if index not in first and index not in last]
    return sum(both or neither)


CLUES = {
    "numbered-room": numbered_room,
    "hidden-skyscraper": hidden_skyscraper,
    "before-nine": before_nine,
    "battlefield": battlefield,
}


def _seen(drawing: Drawing, mark: Mark, at: Values) -> list[int]:
    return [at[position] for position in drawing.seen(mark.cells[0])]


@oracle(*CLUES)
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return CLUES[mark.kind](_seen(drawing, mark, at), drawing.digits) == mark.value != ABSENT


@maker(*CLUES)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    values = [at[position] for position in drawing.seen(clue)] if at else rng.choices(drawing.digits, k=drawing.size)
    return Mark(kind, (clue,), value=CLUES[kind](values, drawing.digits))


@oracle("rossini")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    three = sorted(drawing.seen(mark.cells[0])[:3], reverse=str(mark.value) in "LU")
    return at[three[0]] < at[three[1]] < at[three[2]]


@maker("rossini")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    return Mark(kind, (clue,), value=rng.choice("LR" if clue[0] in drawing.values else "UD"))


def _nearest_box(drawing: Drawing, mark: Mark) -> list[Position]:
    """The cells that a clue sees in the box that it is beside."""
    seen = drawing.seen(mark.cells[0])
    return [cell for cell in seen if cell in drawing.region(seen[0])]


@oracle("outside")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = [at[cell] for cell in _nearest_box(drawing, mark)]
    return all(values.count(value) >= listed(mark).count(value) for value in listed(mark))


@oracle("frame-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(at[cell] for cell in _nearest_box(drawing, mark)) == mark.value


@maker("outside", "frame-sum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    mark = Mark(kind, (outside(rng, drawing),))
    cells = _nearest_box(drawing, mark)
    values = [at[cell] for cell in cells] if at else rng.sample(drawing.digits, len(cells))
    if kind == "frame-sum":
        return Mark(kind, mark.cells, value=sum(values))
    return Mark(kind, mark.cells, value=" ".join(map(str, rng.sample(values, rng.randint(1, len(values))))))


@oracle("little-killer-product")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return prod(along(mark, at)) == mark.value


@maker("little-killer-product", "little-killer-look-and-say")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    line = usual.MAKERS["little-killer"](rng, drawing, at)
    values = [at[cell] for cell in line.lines[0]] if at else [drawing.digit(rng) for _ in line.lines[0]]
    if kind == "little-killer-product":
        return Mark(kind, line.cells, line.lines, prod(values[:12]))
    value = drawing.digit(rng)
    return Mark(kind, line.cells, line.lines, f"{values.count(value)} {value}")


# Lines


@oracle("lockout")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at) if len(mark.lines[0]) > 1 else [0, 10**6]
    low, high = sorted((first, last))
    return high - low >= (4 if mark.value is None else int(mark.value)) and not any(
        low <= value <= high for value in between
    )


def _parts(values: Sequence[int], total: int) -> bool:
    """Whether the values split into parts of that total, in order."""
    return not values or any(
        sum(values[:end]) == total and _parts(values[end:], total) for end in range(1, len(values) + 1)
    )


@oracle("sum-line")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values, total = along(mark, at), 10 if mark.value is None else int(mark.value)
    if len(values) > 2 and mark.lines[0][0] == mark.lines[0][-1]:
        loop = values[:-1]
        return any(_parts(loop[start:] + loop[:start], total) for start in range(len(loop)))
    return len(values) == 1 or _parts(values, total)


@oracle("same-difference")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    steps = {abs(b - a) for a, b in pairwise(along(mark, at))}
    return len(steps) <= 1 and (mark.value == "ZERO" or 0 not in steps)


@oracle("arithmetic")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return len({b - a for a, b in pairwise(along(mark, at))}) <= 1


@oracle("parity-line")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(a % 2 != b % 2 for a, b in pairwise(along(mark, at)))


@oracle("high-low-line")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    middle = (drawing.digits[0] + drawing.digits[-1]) / 2
    sides = [(value > middle) - (value < middle) for value in along(mark, at)]
    return all(a * b == -1 for a, b in pairwise(sides))


@oracle("modular-by")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    rests, modulus = [value % int(str(mark.value)) for value in along(mark, at)], int(str(mark.value))
    return all(distinct(rests[index : index + modulus]) for index in range(len(rests)))


@oracle("unimodular")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return len({value % (3 if mark.value is None else int(mark.value)) for value in along(mark, at)}) == 1


@oracle("index-line")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return all(0 < value <= len(values) and values[value - 1] == place for place, value in enumerate(values, 1))


@oracle("value-index")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    wanted, index, *others = along(mark, at)
    return 0 < index <= len(others) and others[index - 1] == wanted


@oracle("successor-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return len(values) == 1 or (values[0] < len(values) and values[values[0]] == values[0] + 1)


@oracle("product-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return len(values) == 1 or values[0] * values[-1] == sum(values[1:-1])


@oracle("split-pea")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    ends = (values[0], values[-1])
    return len(values) == 1 or sum(values[1:-1]) in (10 * ends[0] + ends[1], 10 * ends[1] + ends[0])


@oracle("magnet-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    magnet, *values = along(mark, at)
    end = next((index for index, value in enumerate(values) if value > magnet), len(values))
    return not values or sum(values[:end]) == magnet


@oracle("counting-line")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return all(values.count(value) == value for value in values)


@oracle("odd-even-thermometer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return values == sorted(set(values)) and len({value % 2 for value in values}) == 1


LINES: dict[str, tuple[int, int, tuple[int | str | None, ...]]] = {
    "lockout": (2, 4, (1, 2, 2, None)),
    "same-difference": (3, 4, (None, "ZERO")),
    "arithmetic": (3, 4, (None,)),
    "parity-line": (2, 6, (None,)),
    "high-low-line": (2, 5, (None,)),
    "modular-by": (2, 5, (2, 3, 4)),
    "unimodular": (2, 4, (None, 2)),
    "index-line": (2, 4, (None,)),
    "value-index": (3, 6, (None,)),
    "successor-arrow": (2, 5, (None,)),
    "product-sum": (3, 6, (None,)),
    "split-pea": (5, 9, (None,)),
    "magnet-sum": (2, 6, (None,)),
    "counting-line": (1, 4, (None,)),
    "odd-even-thermometer": (2, 3, (None,)),
}
"""The shortest and the longest line of each, and its values."""


@maker(*LINES)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    shortest, longest, values = LINES[kind]
    return Mark(kind, lines=(tuple(walk(rng, drawing, shortest, longest)),), value=rng.choice(values))


@maker("sum-line")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    line = walk(rng, drawing, 2, 6)
    row, column = line[0]
    down, right = (1 if row < drawing.size else -1), (1 if column < drawing.size else -1)
    if rng.random() < 0.3:
        line = [(row, column), (row, column + right), (row + down, column + right), (row + down, column), line[0]]
    total = rng.choice((None, 5, 6, 7, 8)) if at is None or rng.random() < 0.3 else sum(at[cell] for cell in line[:2])
    return Mark(kind, lines=(tuple(line),), value=total)


# Arrows


@oracle("average-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    (bulb,) = within(mark, at)
    return all(sum(at[cell] for cell in line) / len(line) == bulb for line in mark.lines)


@oracle("product-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    (bulb,) = within(mark, at)
    return all(prod(at[cell] for cell in line) == bulb for line in mark.lines)


@maker("average-arrow", "product-arrow")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    start = rng.choice(drawing.positions)
    longest = 4 if kind == "average-arrow" else 3
    lines = tuple(tuple(walk(rng, drawing, 2, longest, start)[1:]) for _ in range(rng.choice((1, 1, 2))))
    return Mark(kind, (start,), lines)
