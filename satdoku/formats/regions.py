"""How a grid is divided: boxes or regions as one label a cell, and back. A division that happens to be boxes of one
shape is read as those boxes, so that it is the same puzzle whichever way it was written."""

from collections.abc import Sequence
from itertools import product

from satdoku.errors import FormatError, Refused
from satdoku.puzzle import MAX_VALUES, Board, Mark, Size
from satdoku.variants import REGIONS
from satdoku.variants.boxes import Box, box_of

Label = int | str

TILES = range(4, MAX_VALUES + 1)  # cells that a box may have


def box_labels(box: Box, size: Size) -> list[int]:
    """The number of each cell's box, row by row, from 0."""
    stacks = size.columns // box.columns
    cells = product(range(size.rows), range(size.columns))
    return [row // box.rows * stacks + column // box.columns for row, column in cells]


def divided(size: Size, labels: Sequence[Label | None], box: Box | None = None) -> tuple[Mark, ...]:
    """The marks of a division: regions in the order of their labels, None for cells in no region.

    box: what the user asked for, which must be what is drawn.

    Raises FormatError if that is something else.
    """
    regions: dict[Label, list[int]] = {}
    for cell, name in enumerate(labels):
        if name is not None:
            regions.setdefault(name, []).append(cell)
    drawn = next((shape for shape in _boxes(size) if _same(regions, labels, size, shape)), None)
    if box is not None and box != drawn:
        raise FormatError(f"the text draws regions that are not boxes of {box}: leave out the box")
    if drawn is not None:
        return (Mark("boxes", value=str(drawn)),)
    ordered = sorted(regions, key=lambda name: (isinstance(name, str), name))
    return tuple(
        Mark("region", tuple((cell // size.columns + 1, cell % size.columns + 1) for cell in regions[name]))
        for name in ordered
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
            cells = enumerate(box_labels(box, board.size)) if box else iter(())
            found = list(cells)
        else:
            found = [((row - 1) * board.columns + column - 1, number) for row, column in mark.cells]
            number += 1
        for cell, name in found:
            if labels[cell] is not None:
                raise Refused(f"the {format} format cannot hold two regions over {board.label(cell)}")
            labels[cell] = name
    return labels


def _boxes(size: Size) -> list[Box]:
    """The boxes that tile a board, of N cells if it is N x N."""
    tiles = product(*([n for n in range(2, side + 1) if side % n == 0] for side in (size.rows, size.columns)))
    return [Box(rows, columns) for rows, columns in tiles if rows * columns in ({size.rows} if size.square else TILES)]


def _same(regions: dict[Label, list[int]], labels: Sequence[Label | None], size: Size, box: Box) -> bool:
    """Whether cells share a label exactly where they share a box."""
    numbers = box_labels(box, size)
    count = max(numbers) + 1
    return len(regions) == count and None not in labels and len(set(zip(numbers, labels, strict=True))) == count
