"""Makers of relations, patterns, automata, counts and choices."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random

from satdoku.generator.drawing import MarkedSquare, Values, patch, walk
from satdoku.generator.makers.registry import MAKERS, maker
from satdoku.puzzle import Mark

RELATIONS: dict[str, Callable[[int, int, int], bool]] = {
    "abs(a - b) >= 2": lambda a, b, n: abs(a - b) >= 2,
    "a < b and a % 2 == b % 2": lambda a, b, n: a < b and (a - b) % 2 == 0,
    "a + b != n + 1": lambda a, b, n: a + b != n + 1,
    "not (a in {1 2} or b in {1, 2})": lambda a, b, n: a not in (1, 2) and b not in (1, 2),
    "max(a, b) // min(a, b) >= 2": lambda a, b, n: bool(a and b) and max(a, b) // min(a, b) >= 2,
    "abs(a - b) >= 3": lambda a, b, n: abs(a - b) >= 3,
    "a + b != 10": lambda a, b, n: a + b != 10,
    "a != 2*b and b != 2*a": lambda a, b, n: a != 2 * b and b != 2 * a,
    "2 <= a*b - 3 < 20": lambda a, b, n: 5 <= a * b < 23,
}


def _spelled(value: int) -> str:
    return f"<{value}>" if value > 9 else str(value)


@maker("pair", "pair-all")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    cells = tuple(walk(rng, drawing, 2, 4))
    relation = rng.choice(list(RELATIONS))
    if rng.random() < 0.3:
        firsts = [at[cell] for cell in cells] if at else list(drawing.digits)
        more = [str(value) for value in drawing.digits if rng.random() < 0.5]
        rows = {first: {str(second), *more} for first, second in pairwise(firsts)}
        relation = "allow " + "; ".join(f"{first}: {' '.join(sorted(seconds))}" for first, seconds in rows.items())
    return Mark(kind, cells, value=relation) if kind == "pair-all" else Mark(kind, lines=(cells,), value=relation)


@maker("regex")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    line = tuple(walk(rng, drawing, 2, 5))
    low, high = _spelled(drawing.digits[0]), _spelled(drawing.digits[-1])
    some = _spelled(at[line[0]] if at else drawing.digits[1])
    patterns = [
        f".*{some}.*", f"[{low}-{some}]+.*", f"[^{high}]*", f"({some}|{high}).{{1,3}}", f"(.{{2}})*[^{some}]?",
        f"({low}|{some}(.|{high}))*.?", f"{some}?.+|{low}*", f".({some}|[^{low}{high}])*.",
    ]  # fmt: skip
    return Mark(kind, lines=(line,), value=rng.choice(patterns))


@maker("automaton")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    odd = "".join(_spelled(value) for value in drawing.digits if value % 2)
    even = "".join(_spelled(value) for value in drawing.digits if value % 2 == 0)
    choices = [
        # An odd sum.
        f"start e; accept o; e {even} e; e {odd} o; o {even} o; o {odd} e",
        # No two even values in succession.
        f"start x; accept x y; x {odd} x; x {even} y; y {odd} x",
        # An even value, or two odd ones at the end: two steps may follow one value.
        f"start x; accept z; x {odd} x; x {odd} y; y {odd} z; x {even} z; z {odd}{even} z",
    ]
    return Mark(kind, lines=(tuple(walk(rng, drawing, 2, 4)),), value=rng.choice(choices))


@maker("count")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    cells = patch(rng, drawing, 2, 5)
    listed = rng.sample(list(drawing.digits), rng.randint(1, 3))
    many = sum(at[cell] in listed for cell in cells) if at else 1
    asked = rng.choice((f">= {many}", f"{many}", f"{many} {many + 2}"))
    return Mark(kind, cells, value=f"{' '.join(map(str, sorted(listed)))}: {asked}")


INSIDE = ("cage", "thermometer", "odd", "difference", "greater-than", "count", "sum", "pair")

"""Kinds that stand inside choices here."""


@maker("any", "all", "none", "exactly")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    inside = rng.choices(INSIDE, k=rng.randint(1, 3))
    marks = [MAKERS[name](rng, drawing, at if rng.random() < 0.5 or kind == "all" else None) for name in inside]
    if kind != "none" and rng.random() < 0.2:
        marks.append(Mark("any", marks=tuple(marks[:2])))
    return Mark(kind, value=rng.choice((None, 1, 2)) if kind == "exactly" else None, marks=tuple(marks))
