"""What variables may hold, and grids without houses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from satdoku import Mark
from satdoku.variants.places import named
from support.drawing import MarkedSquare, Values
from support.oracles.registry import oracle


@oracle("variable", "free-grid", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return True


def _held(drawing: MarkedSquare, text: str) -> dict[str, list[int]]:
    """The variables that the value of a mark declares, and what each may hold."""
    words, _, stated = text.partition(":")
    name, _, many = words.partition(" ")
    held: list[int] = []
    for word in stated.split():
        first, _, last = word.partition("-")
        held += range(int(first), int(last or first) + 1)
    names = [f"{name}{number}" for number in range(1, int(many) + 1)] if many not in ("", "1") else [name]
    return dict.fromkeys(names, held or [*drawing.digits])


def assignments(drawing: MarkedSquare) -> Iterator[Values]:
    """Every choice of values for the variables of a drawing, by their positions."""
    held: dict[str, list[int]] = {}
    for mark in drawing.marks_of("variable"):
        held |= _held(drawing, str(mark.value))
    for values in product(*held.values()):
        yield {named(name): value for name, value in zip(held, values, strict=True)}
