"""Several boards in one picture: each with a size, values, houses and marks of its own, some cells in several."""

import re
from collections.abc import Iterator
from dataclasses import replace

from satdoku.constraints import Constraint, shift_values
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import BOARD, Constraints, Frame, Kinds, Shape, constraints_of, lowered, needs
from satdoku.variants.placed import BOARDS, MEANING, PlacedBoard, placed, placed_by
from satdoku.variants.places import label
from satdoku.variants.relations import only
from satdoku.variants.variables import VARIABLE

KINDS = Kinds()
CELL = re.compile(r"\br(\d+)c(\d+)\b")


def _of(frame: Frame, mark: Mark) -> tuple[PlacedBoard, Frame]:
    """The board that a mark puts there, and the frame of its marks."""
    board = placed_by(frame.marks, mark)
    for part in board.marks:
        if part.kind in (BOARDS, VARIABLE):
            raise PuzzleError(f"{board.title} has a {part.kind} on it: state that beside the boards")
    return board, Frame(board.size, board.marks)


@KINDS.add(BOARDS, Shape.BOARD, needs(MEANING, text=True))
def _board(frame: Frame, mark: Mark) -> Constraints:
    """A board with rows, columns and marks of its own, which begins at the cell; where boards overlap, they have the
    cells in common."""
    board, inner = _of(frame, mark)
    try:
        constraints = constraints_of(inner)
    except PuzzleError as error:
        raise PuzzleError(f"{board.title}: {error}") from None
    cells = [*frame.cells(board.places)]
    for name in inner.layers:
        cells += (frame.layer(name, place) for place in board.places)
    if board.size.digits != frame.values:
        for cell in cells:
            yield only(cell, board.size.digits, f"values of {board.title}")
    yield from _unused(frame, board)
    later = inner.values[0] - frame.values[0]  # as auxiliary cells count from the first value of the grid
    cells += (frame.auxiliary_of(values << later) for values in inner.hidden)
    by = inner.values[0] - 1
    for constraint in constraints:
        shown, name = shift_values(constraint, by) if by else constraint, _name(board, constraint)
        yield replace(shown, cells=tuple(map(cells.__getitem__, constraint.cells)), name=name)


def _name(board: PlacedBoard, constraint: Constraint) -> str:
    """The name in the picture of a constraint of a board, whose own names cells of the board."""
    name = CELL.sub(lambda cell: label(board.place((int(cell[1]), int(cell[2])))), constraint.name)
    return f"{name} of {board.title}"


def kinds_of(frame: Frame) -> dict[str, str]:
    """The kind of the mark that draws each constraint, by its name; those of boards are of the marks on them."""
    kinds: dict[str, str] = {}
    for mark, rules in zip(frame.marks, lowered(frame), strict=True):
        kinds.update((rule.name, mark.kind) for rule in rules)
        if mark.kind == BOARDS:
            board, inner = _of(frame, mark)
            parts = zip(inner.marks, lowered(inner), strict=True)
            kinds.update((_name(board, rule), part.kind) for part, own in parts for rule in own)
    return kinds


def _unused(frame: Frame, board: PlacedBoard) -> Iterator[object]:
    """Cells of the layers that no board gives a meaning: they have the first value, so that no grid comes twice."""
    for name in frame.layers:
        covered = {
            place
            for other in placed(frame.marks)
            if name in Frame(other.size, other.marks).layers
            for place in other.places
        }
        for place in board.places:
            if place not in covered:
                yield only(frame.layer(name, place), frame.values[:1], f"{name} outside of their board")


def skeleton(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
    """The marks that say what the board is, and of those on several boards the same."""
    return tuple(replace(mark, marks=skeleton(mark.marks)) for mark in marks if mark.kind in BOARD)
