"""Makers of marks that count digits, and cages that say something else than a sum."""

from __future__ import annotations

from random import Random

from satdoku.generator.drawing import MarkedSquare, Values
from satdoku.generator.makers.registry import MAKERS, made_of_a_line, made_of_cells, maker
from satdoku.puzzle import Mark


def _counted(rng: Random, drawing: MarkedSquare, held: list[int]) -> str:
    """How often one of the digits occurs, and, at times, that another does not."""
    some = rng.choice(held)
    absent = [value for value in drawing.digits if value not in held]
    counted = f"{held.count(some)} {some}"
    return rng.choice((counted, f"0 {rng.choice(absent)} {counted}")) if absent else counted


def _some_of(rng: Random, drawing: MarkedSquare, held: list[int]) -> str:
    """Some of the digits, each as often as it occurs."""
    some = rng.sample(held, rng.randint(1, len(held)))
    return " ".join(str(value) for value in held if value in some)


def _odd(rng: Random, drawing: MarkedSquare, held: list[int]) -> int:
    return sum(value % 2 for value in held)


made_of_cells("look-and-say", 2, 6, _counted)

made_of_cells("contain-exact", 2, 6, _some_of)

made_of_cells("counting-circles", 1, 3, scattered=True)

made_of_cells("count-distinct", 2, 4, scattered=True)

made_of_cells("odd-count", 2, 5, _odd)

made_of_cells("even-count", 2, 5, lambda rng, drawing, held: len(held) - _odd(rng, drawing, held))

made_of_cells("odd-lots", 2, 5, scattered=True)

made_of_cells("even-lots", 2, 5, scattered=True)

made_of_cells("equality-cage", 2, 4)

made_of_cells("rellik", 2, 4, lambda rng, drawing, held: rng.randint(2, 2 * drawing.size))

made_of_cells(
    "lunchbox", 2, 4, lambda rng, drawing, held: rng.choice((sum(held[1:-1]), rng.choice(held), 0)), shuffled=True
)

made_of_cells("vault", 1, 3)

made_of_a_line("counting-line", 1, 4)


@maker("little-killer-look-and-say")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    line = MAKERS["little-killer"](rng, drawing, at)
    held = [at[cell] if at else drawing.digit(rng) for cell in line.lines[0]]
    value = drawing.digit(rng)
    return Mark(kind, line.cells, line.lines, f"{held.count(value)} {value}")


@maker("same-values")
def _(kind: str, rng: Random, drawing: MarkedSquare, at: Values | None) -> Mark:
    many = rng.randint(1, 3)
    cells = rng.sample(drawing.positions, 9)
    if at:
        # A first group, and others that hold what it holds.
        places = [[other for other in drawing.positions if at[other] == at[cell]] for cell in cells[:many]]
        groups = [tuple(rng.choice(place) for place in places) for _ in range(rng.choice((2, 2, 3)))]
        if all(len(set(group)) == many for group in groups):
            return Mark(kind, lines=tuple(groups))
    groups = [tuple(cells[start : start + many]) for start in (0, 3, 6)]
    return Mark(kind, lines=tuple(groups[: rng.choice((1, 2, 2))]))
