"""How good answers to puzzles are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypedDict, Unpack, overload

from satdoku import referee
from satdoku.api.graded import Compare, grade_one
from satdoku.backends import Budget
from satdoku.constraints import Grid
from satdoku.errors import InputError, excerpt
from satdoku.grading.answers import taken
from satdoku.grading.grades import Grade, Grades
from satdoku.inputs.programs import ArrayLike, Source, as_puzzle
from satdoku.puzzle import Puzzle, broken
from satdoku.verdict import validate


class _Compared(TypedDict, total=False):
    """What `grade` takes by name, whatever it returns."""

    solution: object
    compare: Compare | None
    completable: bool
    timeout: float | None


@overload
def grade(puzzle: Puzzle | str, answer: str | Sequence[int | None] | None, **options: Unpack[_Compared]) -> Grade: ...
@overload
def grade(puzzle: Any, answer: ArrayLike | list[str] | list[str | None], **options: Unpack[_Compared]) -> Grades: ...
@overload
def grade(puzzle: Any, answer: Any, **options: Unpack[_Compared]) -> Grade | Grades: ...
def grade(
    puzzle: Any,
    answer: Any,
    *,
    solution: object = None,
    compare: Compare | None = "unique",
    completable: bool = False,
    timeout: float | None = None,
) -> Grade | Grades:
    """How good an answer to a puzzle is, or many answers are.

    Of a text the last grid is taken: rows with or without bars, names and bullets, in a code fence or a table, all
    cells on one line, or a list of JSON; what stands between `<answer>` and `</answer>` comes first. Lines that are
    named as columns or boxes are not rows. A text without a grid is unparsed, which is a grade too.

    Parameters:
        puzzle: a Puzzle, or what `read` takes. For many answers also a list of these, or an array of plain puzzles
            (..., N*N) or (..., N, N), 0 for an empty cell.
        answer: a text, or values: 0 or None where the answer leaves a cell empty. For many a list of texts, or an
            array; leading shapes are broadcast to each other as numpy does it. An array (81, 81) is 81 grids of 9x9.
        solution: the solution to compare with, as values or a line, or for many an array, a list or a frame of them;
            without it that which the puzzle states. The referee has to accept it.
        compare: where no solution is stated: "unique" searches for the only one, unless the answer solves the puzzle;
            "all" for the values that cells have in any solution; None does not search.
        completable: whether to search for a solution with all that the answer fills.
        timeout: seconds for each search; what it stops is not known.

    Returns:
        The `Grade`; `Grades` for several answers, with arrays of their leading shape.

    Raises:
        InputError: a stated solution is not one; an array has a value out of range, with its row.
        ValueError: an array has the wrong shape, or shapes do not fit together.
        FormatError, TypeError: the puzzle cannot be read.

    Example:
        >>> grade = satdoku.grade("13....3131...213", "I think it is 1342 4231 3124 2413")
        >>> grade.solved, grade.open, grade.kept, grade.taken
        (False, 7, 8, '16 cells on line 1')
    """
    validate(Budget(None, timeout))
    if compare not in ("unique", "all", None):
        raise InputError(f"compare is {compare!r}: expected 'unique', 'all' or None")
    if _is_one(puzzle) and _is_one_answer(answer):
        asked = as_puzzle(puzzle)
        stated = None
        if solution is not None:
            known = taken(solution, asked.board)
            if known.grid is None:
                raise InputError(f"solution is {excerpt(solution)}: {known.text}")
            stated = known.grid
        return grade_one(asked, taken(answer, asked.board), stated, compare, completable, timeout)
    from satdoku.api.graded_arrays import grade_many

    return grade_many(puzzle, answer, solution, compare, completable, timeout)


def violations(puzzle: Source, grid: object) -> list[str]:
    """Why a grid does not solve a puzzle, by the puzzle's constraints alone.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        grid: a text, rows of values, all values row by row, or an array.

    Returns:
        A sentence for each reason; none if the grid is a solution.

    Raises:
        InputError: no grid of the board can be read from it.
        TypeError: the puzzle is not one.

    Example:
        >>> satdoku.violations("13....3131...213", "1342 4231 3124 2413")[:1]
        ['r4c2 is 4, which the puzzle does not allow there']
    """
    asked = as_puzzle(puzzle)
    given = taken(grid, asked.board)
    if given.grid is None:
        raise InputError(f"grid is {excerpt(grid)}: {given.text}")
    empty = [asked.board.label(cell) for cell, value in enumerate(given.grid) if not value]
    if empty:
        return [f"{label} is empty" for label in empty] + list(_partly(asked, given.grid))
    return list(referee.violations(asked, given.grid))


def _partly(puzzle: Puzzle, grid: Grid) -> Iterator[str]:
    board = puzzle.board
    for cell, (value, allowed) in enumerate(zip(grid, puzzle.candidates, strict=True)):
        if value and not allowed >> value & 1:
            yield f"{board.label(cell)} is {board.shown(value)}, which the puzzle does not allow there"
    yield from broken(board, grid, filter(board.shows, board.constraints))


def _is_one(puzzle: object) -> bool:
    return isinstance(puzzle, Puzzle | str)


def _is_one_answer(answer: object) -> bool:
    """Whether this is one answer: a text, nothing, or values one after the other."""
    if answer is None or isinstance(answer, str | bytes):  # bytes are unparsed
        return True
    return (
        isinstance(answer, list | tuple)
        and bool(answer)
        and not any(
            (isinstance(each, str) and len(each) > 3) or (isinstance(each, list | tuple) and len(each) != len(answer))
            for each in answer
        )
    )
