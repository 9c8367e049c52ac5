"""What the texts of a format can hold, and what of a puzzle a writer would lose."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from satdoku.drawings import Drawing
from satdoku.errors import PuzzleError, Refused
from satdoku.puzzle import MAX_VALUES, Board, Puzzle, only
from satdoku.variants import REGIONS, build
from satdoku.variants.boxes import Box


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What the texts of a format can hold; what a puzzle has besides, its writer refuses by name.

    Parameters:
        marks: the kinds of marks; None is every kind.
        sizes: the smallest and the largest N.
        shapes: what its texts say themselves of the size, the values and the box of a board that may be other than
            N x N with the values 1..N, or have no boxes: readers need options for the rest. None: no such board.
        any_box: whether boxes may be others than those that a reader takes a board of this size to have.
        candidates: whether cells may be neither open nor given.
        metadata: which of title, author, rules and solution, and not_enforced.
        drawings: the drawings of a puzzle that have a place; None has none.

    Example:
        >>> Capabilities(sizes=(4, 9), metadata=frozenset({"title"})).marks
        frozenset({'boxes'})
    """

    marks: frozenset[str] | None = frozenset({"boxes"})
    sizes: tuple[int, int] = (1, MAX_VALUES)
    shapes: frozenset[str] | None = None
    any_box: bool = False
    candidates: bool = False
    metadata: frozenset[str] = frozenset()
    drawings: Callable[[Puzzle], Iterable[Drawing]] | None = None

    def held(self, puzzle: Puzzle) -> tuple[Drawing, ...]:
        """The drawings of a puzzle that have a place."""
        return tuple(self.drawings(puzzle)) if self.drawings is not None and puzzle.drawings else ()


def refuse_loss(puzzle: Puzzle, format: str, holds: Capabilities) -> None:
    """Raise Refused, naming what of a puzzle the texts of a format cannot hold."""
    board, size = puzzle.board, puzzle.board.values
    if board.places and "boards" not in (holds.shapes or ()):
        raise Refused(f"the {format} format holds one board, and this puzzle has several: toml holds them")
    if board.grid_cells != board.size.cells or not (board.size.square or holds.shapes is not None):
        raise Refused(f"the {format} format holds boards of NxN cells with the values 1..N, and this is another")
    if holds.marks is not None:
        lost = next((mark.kind for mark in board.marks if mark.kind not in holds.marks), None)
        if lost is not None:
            raise Refused(f"the {format} format cannot hold the rule {lost!r}")
        if holds.shapes is None and REGIONS.isdisjoint(mark.kind for mark in board.marks):
            raise Refused(f"the {format} format holds boards with boxes, and this one has none")
    if not holds.sizes[0] <= size <= holds.sizes[1]:
        sizes = " to ".join(dict.fromkeys(f"{n}x{n}" for n in holds.sizes))
        raise Refused(f"the {format} format holds boards of {sizes}, and this one is {size}x{size}")
    usual, box = str(Box.of_size(board.size)), next((mark.value for mark in board.marks if mark.kind == "boxes"), None)
    if not holds.any_box and box not in (None, usual):
        raise Refused(f"the {format} format cannot hold boxes of {box}: it would be read with boxes of {usual}")
    _refuse_undrawn(board, format)
    lost_sets = {allowed for allowed in set(puzzle.candidates) if not (only(allowed) or allowed == board.every_value)}
    if holds.candidates:
        lost_sets &= {0}
    if lost_sets:
        cell, allowed = next(pair for pair in enumerate(puzzle.candidates) if pair[1] in lost_sets)
        what = "the candidates of" if allowed else "a cell without candidates:"
        raise Refused(f"the {format} format cannot hold {what} {board.label(cell)}")


def _refuse_undrawn(board: Board, format: str) -> None:
    """Raise Refused if some constraint is drawn by no mark: a file holds marks, so it would be lost."""
    try:
        drawn = build(board.size, board.marks)
    except PuzzleError as error:
        name, _, reason = str(error).partition(": ")
        raise Refused(f"the {format} format cannot hold the rule {name!r}: {reason}") from None
    refuse_change(board, drawn, format)


def refuse_change(board: Board, again: Board, format: str) -> None:
    """Raise Refused, naming a constraint that is lost or added, unless both boards say the same, by whatever names."""
    if again.constraints is board.constraints:
        return
    ours, theirs = ({replace(rule, name="") for rule in each.constraints} for each in (board, again))
    lost = next((rule for rule in board.constraints if replace(rule, name="") not in theirs), None)
    if lost is not None:
        raise Refused(f"the {format} format cannot hold the constraint {lost.name!r}: it would not be read again")
    added = next((rule for rule in again.constraints if replace(rule, name="") not in ours), None)
    if added is not None:
        raise Refused(f"the {format} format would add the constraint {added.name!r}, which this board has not")
