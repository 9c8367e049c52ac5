"""Cages and diagonals, as the formats of plain killers have them: of each cell the cage that holds it."""

from collections.abc import Mapping, Sequence

from satdoku.errors import Refused
from satdoku.puzzle import Board, Mark, Position, Size

DIAGONALS = ("diagonal+", "diagonal-")


def cages_of(owners: Sequence[int | None], totals: Mapping[int, int], size: Size) -> list[Mark]:
    """The cages in the order of their first cells.

    owners: for each cell the number of its cage, None where it has none
    totals: the sum of each cage, 0 or absent where it has none
    """
    cages: dict[int, list[Position]] = {}
    for cell, owner in enumerate(owners):
        if owner is not None:
            cages.setdefault(owner, []).append(size.position(cell))
    return [Mark("cage", tuple(cells), value=totals.get(owner) or None) for owner, cells in cages.items()]


def meaningful(cages: list[Mark]) -> list[Mark]:
    """Those that say something: a cage of one cell without a sum does not."""
    return [cage for cage in cages if cage.value or len(cage.cells) > 1]


def cage_by_cell(board: Board, format: str) -> dict[int, Mark]:
    """The cage of each cell that has one; raises Refused for a cell that two have."""
    cages: dict[int, Mark] = {}
    for mark in board.marks:
        for cell in map(board.size.cell, mark.cells if mark.kind == "cage" else ()):
            if cell in cages:
                raise Refused(f"the {format} format cannot hold two cages over {board.label(cell)}")
            cages[cell] = mark
    return cages


def has_diagonals(board: Board, format: str) -> bool:
    """Whether both diagonals are drawn; raises Refused for one alone."""
    drawn = {mark.kind for mark in board.marks} & set(DIAGONALS)
    if len(drawn) == 1:
        raise Refused(f"the {format} format holds both diagonals or none")
    return bool(drawn)
