"""Oracles of doublers and their like, and cells of two digits."""

from __future__ import annotations

from satdoku import Mark
from support.drawing import MarkedSquare, Values, distinct
from support.oracles.registry import layer, oracle


@oracle("modifiers", layer="modifiers")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    flagged = [cell for cell in drawing.positions if layer(mark, at)[cell] == 2]
    once = all(sum(cell in flagged for cell in house) == 1 for house in drawing.houses)
    return once and set(layer(mark, at).values()) == {1, 2} and distinct([at[cell] for cell in flagged])


@oracle("schroedinger", layer="second")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    second = layer(mark, at)
    both = {cell: [at[cell], second[cell]] if second[cell] != at[cell] else [at[cell]] for cell in drawing.positions}
    slots = [[digit for cell in house for digit in both[cell]] for house in drawing.houses]
    return all(sorted(held) == [*drawing.digits] for held in slots) and all(at[c] <= second[c] for c in at)
