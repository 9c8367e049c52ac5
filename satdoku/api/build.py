"""Puzzles from marks, givens and constraints."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from satdoku import variants
from satdoku.api.marks import positions
from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table, shift_values
from satdoku.errors import PuzzleError
from satdoku.formats import NO_BOXES, Options, shape_texts
from satdoku.formats.cells import values_of
from satdoku.inputs.programs import cell_values
from satdoku.puzzle import Board, Mark, Puzzle, Size, only_puzzle
from satdoku.variants import BOARDS, REGIONS, label
from satdoku.variants.boxes import Box


def build(
    *,
    size: int | str = 9,
    values: str | None = None,
    marks: Iterable[Mark] = (),
    givens: Any = None,
    box: str | None = None,
    name: str = "puzzle",
) -> Puzzle:
    """A puzzle from its size, its marks and its givens. Rows and columns hold no value twice.

    Parameters:
        size: N, for a grid of N x N; or "6x8", rows x columns.
        values: the first and the last value of a cell, such as "0-8"; None takes 1 to the longer side.
        marks: what is drawn on the grid, made by the functions of `satdoku.marks`.
        givens: {"r1c1": 5, (2, 3): 1}; rows of values as for `read`; or a text with a character for each cell,
            or with numbers between blanks or commas.
        box: "2x3", rows x columns of a box; "none" for no boxes; None takes the usual ones, unless `marks` divide
            the grid.
        name: what to call the puzzle in messages.

    Returns:
        The puzzle.

    Raises:
        PuzzleError: a mark or a given does not fit the grid.
        TypeError: an argument has the wrong type.

    Example:
        >>> cage = satdoku.marks.killer_cage(["r1c1", "r1c2"], total=3)
        >>> satdoku.build(size=4, marks=[cage, satdoku.marks.anti_knight()], givens={"r4c4": 1})
        <Puzzle 4x4, 2x2 boxes, 1 given, 1 cage, anti-knight>
    """
    shape = _size(size, values)
    if isinstance(marks, str | Mark) or not isinstance(marks, Iterable):
        raise TypeError(f"marks is {marks!r}: expected a list of marks, as the functions of satdoku.marks make them")
    placed = tuple(marks)
    stray = next((mark for mark in placed if not isinstance(mark, Mark)), None)
    if stray is not None:
        raise TypeError(f"marks has {stray!r}: expected marks, as the functions of satdoku.marks make them")
    for mark in placed:
        for place in (*mark.cells, *(cell for line in mark.lines for cell in line)):
            if not (isinstance(place, tuple) and len(place) == 2 and all(isinstance(part, int) for part in place)):
                raise TypeError(f"{mark.kind} has {place!r}: expected cells as (row, column), such as (1, 2)")
    built = variants.build(shape, (*_division(shape, placed, box), *placed))
    return Puzzle.from_givens(built, _givens(givens, built), name)


def board(*, size: int | str = 9, values: str | None = None, box: str | None = None) -> Board:
    """A plain board of any shape: rows, columns and boxes hold no value twice.

    Parameters:
        size: N, for a grid of N x N; or "6x8", rows x columns.
        values: the first and the last value of a cell, such as "0-8"; None takes 1 to the longer side.
        box: "2x3", rows x columns of a box; "none" for no boxes; None takes the usual ones.

    Returns:
        The board. Its grids hold 1 to N whatever the values are; `board.shown` says how each is shown.

    Raises:
        PuzzleError: the board cannot exist.
        TypeError: an argument has the wrong type.

    Example:
        >>> satdoku.board(size="6x8", values="0-7").size.shape
        '6x8'
    """
    shape = _size(size, values)
    return variants.build(shape, _division(shape, (), box))


def _size(size: int | str, values: str | None) -> Size:
    sides, shown = Size.parse(*shape_texts(size, values))
    if sides is None:
        raise TypeError('size is None: expected a whole number, or a text such as "6x8"')
    return Size.of(*sides, shown)


def add_constraints(puzzle: Puzzle, *constraints: Constraint) -> Puzzle:
    """The puzzle with constraints of one's own besides those of its board.

    Parameters:
        puzzle: a Puzzle.
        constraints: AllDifferent, Linear, Table or Automaton over cells, from 0 row by row, and shown values.

    Returns:
        The new puzzle. No mark draws such a constraint, so formats of marks refuse it.

    Raises:
        PuzzleError: a constraint names a cell that the board does not have.
        TypeError: an argument is not a constraint.

    Example:
        >>> empty = satdoku.read("." * 16)
        >>> corners = satdoku.Linear((0, 3, 12, 15), (1, 1, 1, 1), 6, "corners add up to 6")
        >>> satdoku.count(satdoku.add_constraints(empty, corners)).count
        4
    """
    for constraint in constraints:
        if not isinstance(constraint, AllDifferent | Linear | Table | Automaton):
            raise TypeError(f"{constraint!r} is not a constraint: expected AllDifferent, Linear, Table or Automaton")
    old = only_puzzle(puzzle).board
    inner = (shift_values(constraint, 1 - old.first_value) for constraint in constraints)
    return replace(puzzle, board=replace(old, constraints=(*old.constraints, *inner)))


def _division(size: Size, placed: tuple[Mark, ...], box: str | None) -> tuple[Mark, ...]:
    if box == NO_BOXES or (box is None and not {mark.kind for mark in placed}.isdisjoint({*REGIONS, BOARDS})):
        return ()
    shape = Box.of_size(size) if box is None else Box.parse(box)
    if shape is None:
        raise PuzzleError(
            f"a {size.shape} grid has no boxes of equal shape: add marks of regions, or give the box as none"
        )
    return (Mark("boxes", value=str(shape)),)


def _givens(givens: Any, board: Board) -> list[int] | dict[int, int]:
    size = board.size
    if givens is None:
        return {}
    if isinstance(givens, str):
        tokens = givens.replace(",", " ").split()
        if len(tokens) != board.grid_cells:
            tokens = list("".join(tokens))
        if len(tokens) != board.grid_cells:
            raise PuzzleError(f"givens: {len(tokens)} cells, expected {board.grid_cells}")
        places = [(token, *size.position(cell)) for cell, token in enumerate(tokens)]
        return values_of(places, size, Options(values=size.digits))
    if not isinstance(givens, Mapping):
        return cell_values(givens, Options(size=(size.rows, size.columns), values=size.digits))[1]
    return dict(_placed(givens, size))


def _placed(givens: Mapping[Any, Any], size: Size) -> Iterator[tuple[int, int]]:
    for place, value in givens.items():
        for position in positions(place, "givens"):
            if not size.inside(position):
                raise PuzzleError(f"givens: {label(position)} is outside the {size.shape} grid")
            if isinstance(value, bool) or not isinstance(value, int):
                raise TypeError(f"givens: {label(position)} is {value!r}: expected a number")
            if value not in size.digits:
                raise PuzzleError(f"{label(position)}: {value} is not one of {size.span}")
            yield size.cell(position), size.inner(value)
