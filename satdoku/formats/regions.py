"""How a grid is divided: boxes or regions as one label a cell, and back.

A division that happens to be boxes of one shape is read as those boxes, so that it is the same
puzzle whichever way it was written.
"""

from __future__ import annotations

from collections.abc import Sequence

from satdoku.errors import FormatError, Refused
from satdoku.puzzle import Board, Mark
from satdoku.variants import REGIONS
from satdoku.variants.boxes import Box, box_of

Label = int | str


def box_labels(box: Box) -> list[int]:
    """The number of each cell's box, row by row, from 0."""
    size = box.size
    return [row // box.rows * box.rows + column // box.columns for row in range(size) for column in range(size)]


def divided(size: int, labels: Sequence[Label | None], box: Box | None = None) -> tuple[Mark, ...]:
    """The marks of a division: regions in the order of their labels, None for cells in no region.

    box: what the user asked for, which must be what is drawn.

    Raises FormatError if that is something else.
    """
    regions: dict[Label, list[int]] = {}
    for cell, name in enumerate(labels):
        if name is not None:
            regions.setdefault(name, []).append(cell)
    drawn = next((shape for shape in _boxes(size) if _same(regions, labels, shape)), None)
    if box is not None and box != drawn:
        raise FormatError(f"the text draws regions that are not boxes of {box}: leave out the box")
    if drawn is not None:
        return (Mark("boxes", value=str(drawn)),)
    ordered = sorted(regions, key=lambda name: (isinstance(name, str), name))
    return tuple(
        Mark("region", tuple((cell // size + 1, cell % size + 1) for cell in regions[name])) for name in ordered
    )


def labels_of(board: Board, format: str) -> list[int | None]:
    """The number of each cell's box or region, None where it has none; Refused if one cell is in two."""
    box = box_of(board)
    labels: list[int | None] = [None] * board.cells
    number = 0
    for mark in board.marks:
        if mark.kind not in REGIONS:
            continue
        if mark.kind == "boxes":
            cells = enumerate(box_labels(box)) if box else iter(())
            found = list(cells)
        else:
            found = [((row - 1) * board.columns + column - 1, number) for row, column in mark.cells]
            number += 1
        for cell, name in found:
            if labels[cell] is not None:
                raise Refused(f"the {format} format cannot hold two regions over {board.label(cell)}")
            labels[cell] = name
    return labels


def _boxes(size: int) -> list[Box]:
    return [Box(rows, size // rows) for rows in range(2, size // 2 + 1) if size % rows == 0]


def _same(regions: dict[Label, list[int]], labels: Sequence[Label | None], box: Box) -> bool:
    """Whether cells share a label exactly where they share a box."""
    numbers = box_labels(box)
    return len(regions) == box.size and None not in labels and len(set(zip(numbers, labels, strict=True))) == box.size
