"""Grades of many answers: those of plain puzzles as arrays, all others one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku.api.graded import grade_one
from satdoku.api.together import Lead, puzzles_of, searched_together
from satdoku.backends import Budget
from satdoku.errors import InputError, excerpt
from satdoku.grading import arrays
from satdoku.grading.answers import Taken, taken
from satdoku.grading.grades import Grade, Grades
from satdoku.inputs.arrays import Grids, grids_of, numbers_of, several
from satdoku.puzzle import Board, Puzzle
from satdoku.referee import faulty

UNKNOWN = -1
ANSWER, SOLUTION = "answer", "solution"  # columns of a frame
COUNTS = ("open", "filled", "right", "wrong", "givens", "kept")
KINDS = {"parsed": np.bool_, "solved": np.bool_, "score": np.float64, "completable": np.int8} | dict.fromkeys(
    COUNTS, np.int32
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pairs:
    """Answers to plain puzzles of one board, a row each; `parsed` says which have a grid."""

    board: Board
    givens: NDArray[Any]
    grids: NDArray[Any]
    parsed: NDArray[np.bool_]
    solutions: NDArray[Any] | None = None


def grade_many(
    puzzle: Any, answer: Any, solution: Any, compare: Any, completable: bool, timeout: float | None
) -> Grades:
    """As `grade`, of more than one answer."""
    puzzles, lead = puzzles_of(puzzle)
    answers, answers_lead = _answers(answer, puzzles)
    try:
        shape = np.broadcast_shapes(lead, answers_lead)
    except ValueError:
        raise ValueError(f"{lead} puzzles and {answers_lead} answers: shapes that do not fit together") from None
    asked, given = (np.broadcast_to(_numbers(one), shape).ravel() for one in (lead, answers_lead))
    if isinstance(puzzles, Grids):
        board = puzzles.board
        values, texts = _values(answers, board)
        pairs = _Pairs(
            board=board,
            givens=puzzles.values[asked],
            grids=values[given],
            parsed=np.array([one is None or one.grid is not None for one in texts], np.bool_)[given]
            if texts
            else np.ones(len(given), np.bool_),
            solutions=_solutions(solution, board, shape),
        )

        def one(number: int) -> Grade:
            row = pairs.solutions[number] if pairs.solutions is not None else None
            source = Puzzle.from_givens(board, pairs.givens[number].tolist())
            known = texts[int(given[number])] if texts else None
            taken_for = known or Taken(tuple(pairs.grids[number].tolist()), f"{board.cells} values")
            stated = None if row is None else tuple(row.tolist())
            return grade_one(source, taken_for, stated, compare, completable, timeout)

        return _together(pairs, shape, one, compare, completable, timeout)
    if solution is not None:
        raise TypeError("solution: for puzzles that are not plain, each states its own: satdoku.grade one by one")
    chosen = [puzzles[int(place)] for place in asked]
    listed = answers.values if isinstance(answers, Grids) else answers
    all_taken = [taken(listed[int(place)], asked.board) for place, asked in zip(given, chosen, strict=True)]
    every = [
        grade_one(asked, what, None, compare, completable, timeout)
        for asked, what in zip(chosen, all_taken, strict=True)
    ]
    return _apart(every, shape)


def _numbers(lead: Lead) -> NDArray[np.intp]:
    return np.arange(int(np.prod(lead, dtype=np.intp))).reshape(lead)


def _answers(answer: Any, puzzles: Grids | Sequence[Puzzle]) -> tuple[Grids | Sequence[Any], Lead]:
    """Answers as an array or a list, and their leading shape."""
    board = puzzles.board if isinstance(puzzles, Grids) else puzzles[0].board if puzzles else None
    array, answer = numbers_of(answer, ANSWER)
    if array is None and isinstance(answer, list | tuple) and not any(isinstance(one, str | None) for one in answer):
        array = _regular(answer)
    if array is not None:
        grids = grids_of(array, "answers", None if board is None else board.cells)
        return grids, grids.lead
    if answer is None or isinstance(answer, str):
        return [answer], ()
    every = several(answer, "answers")
    return every, (len(every),)


def _regular(answer: Any) -> NDArray[Any] | None:
    """Nested lists of numbers as an array; None where they are not all of one length."""
    try:
        array = np.asarray(answer)
    except ValueError:
        return None
    return array if array.ndim > 1 and array.dtype.kind in "iuf" else None


def _values(answers: Grids | Sequence[Any], board: Board) -> tuple[NDArray[Any], list[Taken | None]]:
    """The grid of each answer, and what it was taken for, None where it is plainly that; no list for arrays."""
    if isinstance(answers, Grids):
        return answers.values, []
    values = np.zeros((len(answers), board.cells), np.min_scalar_type(board.values))
    texts: list[Taken | None] = [None] * len(answers)
    rest = list(range(len(answers)))
    if board.values <= 9 and board.first_value == 1:
        index, read = arrays.lines_read(answers, board)
        values[index] = read
        done = set(index.tolist())
        rest = [place for place in rest if place not in done]
    for place in rest:
        taken_for = texts[place] = taken(answers[place], board)
        if taken_for.grid is not None:
            values[place] = taken_for.grid
    return values, texts


def _solutions(solution: Any, board: Board, shape: Lead) -> NDArray[Any] | None:
    if solution is None:
        return None
    array, solution = numbers_of(solution, SOLUTION)
    if array is not None:
        stated = grids_of(array, "solution", board.cells)
        values, lead = stated.values, stated.lead
    else:
        listed = [solution] if isinstance(solution, str) else several(solution, "solution")
        values, texts = _values(listed, board)
        lead = () if isinstance(solution, str) else (len(listed),)
        odd = next((place for place, one in enumerate(texts) if one is not None and one.grid is None), None)
        if odd is not None:
            raise InputError(f"solution: row {odd} is {excerpt(listed[odd])}: {texts[odd].text}")  # type: ignore[union-attr]  # not None
    try:
        rows: NDArray[Any] = np.broadcast_to(_numbers(lead), shape).ravel()
    except ValueError:
        raise ValueError(f"{lead} solutions of {shape} answers: shapes that do not fit together") from None
    chosen: NDArray[Any] = values[rows]
    return chosen


def _together(
    pairs: _Pairs, shape: Lead, one: Callable[[int], Grade], compare: Any, completable: bool, timeout: float | None
) -> Grades:
    board, givens, grids, parsed = pairs.board, pairs.givens, pairs.grids, pairs.parsed
    counts = arrays.counted(board, givens, grids)
    solved = counts.solved & parsed
    right = np.where(solved, counts.filled, UNKNOWN).astype(np.int32)
    if pairs.solutions is not None:
        wrong = faulty(board, givens, pairs.solutions)
        if wrong.any():
            raise InputError(f"solution: row {int(np.argmax(wrong))} is not a solution of its puzzle")
        right = arrays.right(givens, grids, pairs.solutions)
    elif compare == "unique":
        todo = np.flatnonzero(~solved & parsed)
        solutions, known = unique_solutions(board, givens[todo], timeout)
        right[todo] = np.where(known, arrays.right(givens[todo], grids[todo], solutions), UNKNOWN)
    elif compare == "all":
        for row in np.flatnonzero(~solved & parsed).tolist():
            number = one(row).right
            right[row] = UNKNOWN if number is None else number
    right[~parsed] = 0
    compared = right >= 0
    open_cells = np.maximum(counts.open, 1)
    score = np.where(solved, 1.0, np.clip(np.minimum(right, counts.open - 1), 0, None) / open_cells)
    score[~compared] = np.nan
    fits = np.full(len(grids), UNKNOWN, np.int8)
    if completable:
        fits[:] = 0
        fits[solved] = 1
        changed = ((givens > 0) & (grids > 0) & (givens != grids)).any(axis=1)
        todo = np.flatnonzero(~solved & parsed & ~changed & ~counts.broken.any(axis=1))
        fits[todo] = _some(board, np.maximum(givens[todo], grids[todo]), timeout)
        fits[~parsed] = UNKNOWN
    broken = counts.broken & parsed[:, None]
    columns = {
        "parsed": parsed,
        "solved": solved,
        "score": score,
        "open": counts.open,
        "filled": np.where(parsed, counts.filled, 0),
        "right": right,
        "wrong": np.where(compared, np.where(parsed, counts.filled, 0) - right, UNKNOWN),
        "givens": counts.givens,
        "kept": np.where(parsed, counts.kept, 0),
        "violations": broken.sum(axis=1, dtype=np.int32),
        "completable": fits,
    }
    houses = tuple(rule.name for rule in board.all_different)
    return Grades(
        **{name: values.reshape(shape) for name, values in columns.items()},
        houses=houses,
        broken=broken.reshape(*shape, len(houses)),
        one=one,
    )


def unique_solutions(
    board: Board, givens: NDArray[Any], timeout: float | None
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """The unique solution of each puzzle, and whether it has one; equal puzzles are searched once."""
    distinct, which = _distinct(givens)
    outcomes = searched_together(board, distinct, Budget(2, timeout))
    known = outcomes.exact & (outcomes.count == 1)
    return np.where(known[:, None], outcomes.grids, 0)[which], known[which]


def _some(board: Board, givens: NDArray[Any], timeout: float | None) -> NDArray[np.int8]:
    """Whether each puzzle has a solution: 1, 0, or -1 where that is not known."""
    distinct, which = _distinct(givens)
    outcomes = searched_together(board, distinct, Budget(1, timeout))
    return np.where(outcomes.count > 0, 1, np.where(outcomes.exact, 0, UNKNOWN)).astype(np.int8)[which]


def _distinct(givens: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    lines = np.ascontiguousarray(givens)
    whole = lines.view(np.dtype((np.void, lines.dtype.itemsize * lines.shape[1]))).ravel()
    _, first, which = np.unique(whole, return_index=True, return_inverse=True)
    return lines[first], which.ravel()


def _apart(every: Sequence[Grade], shape: Lead) -> Grades:
    """Grades that were made one by one."""

    def column(name: str, kind: Any) -> NDArray[Any]:
        values = [getattr(one, name) for one in every]
        unknown = None if kind is np.float64 else UNKNOWN  # None is NaN
        return np.array([unknown if value is None else value for value in values], kind).reshape(shape)

    return Grades(
        **{name: column(name, kind) for name, kind in KINDS.items()},
        houses=(),
        violations=np.array([len(one.violations) for one in every], np.int32).reshape(shape),
        broken=np.zeros((*shape, 0), np.bool_),
        one=every.__getitem__,
    )
