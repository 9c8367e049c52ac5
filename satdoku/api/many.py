"""Questions about many puzzles, answered one after the other or in arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from satdoku import symmetries
from satdoku.api.outcomes import outcomes_of
from satdoku.api.sessions import opened
from satdoku.api.together import Lead, puzzles_of, searched_together
from satdoku.backends import Backend, Budget, Ending, Engine
from satdoku.errors import Refused, at_row
from satdoku.inputs.arrays import Grids, grids_of, numbers_of
from satdoku.outcome import Outcome, Outcomes
from satdoku.puzzle import Puzzle
from satdoku.symmetries import Shuffle, freedom
from satdoku.variants.boxes import box_of
from satdoku.verdict import DEFAULT_COUNT, at_least, checked_limit, validate

if TYPE_CHECKING:
    from satdoku.encoders.cnf import Encoding
    from satdoku.setter.difficulty import Difficulty

FEW = 1_000  # solutions up to which puzzles are counted together; what has more is counted by itself
LARGE = 1 << 63


class _Searched(TypedDict, total=False):
    """What `check_many` takes by name, whatever it returns."""

    jobs: int
    backend: str | Engine | Backend | None
    encoding: str | Encoding | None
    timeout: float | None


@overload
def check_many(
    puzzles: Any, *, as_array: Literal[False] = False, **options: Unpack[_Searched]
) -> Iterator[Outcome]: ...
@overload
def check_many(puzzles: Any, *, as_array: Literal[True], **options: Unpack[_Searched]) -> Outcomes: ...
def check_many(
    puzzles: Any,
    *,
    jobs: int = 1,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
    as_array: bool = False,
) -> Iterator[Outcome] | Outcomes:
    """Whether each of many puzzles has exactly one solution: much faster than `check` in a loop.

    Parameters:
        puzzles: Puzzles, or what `read` takes: usually lines of text. They are taken some thousands ahead at most.
            Or an array, a tensor or a frame, as for `solve_many`.
        jobs: worker processes; 1 searches in this process. A script that asks for more does its own work below
            `if __name__ == "__main__":`.
        backend, encoding: as for `check`; what is not a name goes to worker processes by pickle.
        timeout: seconds for each puzzle.
        as_array: whether to return arrays, which takes all puzzles at once.

    Returns:
        An iterator of outcomes, in the order of the puzzles; `Outcomes` if `as_array`.

    Raises:
        InputError, Refused, WrongAnswer, TypeError: as `check`, when the iterator comes to that puzzle.
        ValueError, InputError: an array or a frame is not one of puzzles; the message has the row, from 0.
        Refused: `jobs` is above 1, and the backend or the encoding cannot be pickled.
        ValueError: `jobs` is below 1.
        BackendError: worker processes cannot be started, or are lost, twice on the same puzzle.

    Example:
        >>> lines = ["3...1...4...2...", ".1.4....1....43.", "33.............."]
        >>> [outcome.verdict.value for outcome in satdoku.check_many(lines)]
        ['multiple', 'unique', 'unsolvable']
    """
    array, puzzles = numbers_of(puzzles)
    if array is None and (isinstance(puzzles, str | bytes) or not isinstance(puzzles, Iterable)):
        raise TypeError(f"puzzles is of type {type(puzzles).__name__}: expected several, such as a list")
    if as_array:
        return _searches(puzzles, 2, jobs, backend, encoding, timeout)
    sources = puzzles if array is None else grids_of(array, "puzzles").values
    return outcomes_of(sources, Budget(2, timeout), jobs, backend, encoding)


def solve_many(
    puzzles: Any,
    *,
    jobs: int = 1,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Outcomes:
    """A solution of each of many puzzles, as an array. Whether there are others is a question for `check_many`.

    Parameters:
        puzzles: an array (..., N*N) or (..., N, N), 0 for an empty cell; what has `__array__` or `__dlpack__`, as
            tensors have; a frame with a column `puzzle`, or with one for each cell; or a list of what `read` takes.
            An array (81, 81) is 81 puzzles of 9x9.
        jobs: worker processes, as for `check_many`.
        backend, encoding: as for `check`.
        timeout: seconds for each puzzle.

    Returns:
        `Outcomes`: `grids` in the shape of the puzzles, 0 in the cells of those without a solution, and `status`.

    Raises:
        ValueError: the array has the wrong shape, puzzles of a list have different sizes, or `jobs` is below 1.
        InputError, TypeError: a value or a puzzle cannot be read; the message has its row, from 0.
        Refused, WrongAnswer, BackendError: as `check_many`.

    Example:
        >>> import numpy as np
        >>> found = satdoku.solve_many(np.array([[0, 1, 0, 4, 0, 0, 0, 0, 1, 0, 0, 0, 0, 4, 3, 0], [3, 3] + [0] * 14]))
        >>> found.status.tolist(), found.grids.sum(axis=1).tolist()
        (['solved', 'unsolvable'], [40, 0])
    """
    return _searches(puzzles, 1, jobs, backend, encoding, timeout)


def count_many(
    puzzles: Any,
    *,
    limit: int | None = DEFAULT_COUNT,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
    timeout: float | None = None,
) -> Outcomes:
    """How many solutions each of many puzzles has, as an array.

    Parameters:
        puzzles: as for `solve_many`.
        limit: where to stop; None counts all.
        backend, encoding: as for `count`.
        timeout: seconds for each puzzle.

    Returns:
        `Outcomes`: `count`, and `exact` where these are all.

    Raises:
        ValueError: the limit is below 1, or as `solve_many`.
        InputError, Refused, WrongAnswer, TypeError: as `solve_many`.

    Example:
        >>> satdoku.count_many(["." * 16, ".1.4....1....43."]).count.tolist()
        [288, 1]
    """
    limit = checked_limit(limit)
    validate(Budget(limit, timeout))
    asked, lead = puzzles_of(puzzles)
    most = FEW if limit is None else min(limit, FEW)
    if isinstance(asked, Grids):
        every = searched_together(asked.board, asked.values, Budget(most + 1, timeout), backend, encoding)
        todo = np.flatnonzero(~every.exact & (every.count > most))
        counts, exact = every.count, every.exact
        over = todo if most == limit else todo[:0]
        counts[over] = limit or 0
        rest = [Puzzle.from_givens(asked.board, asked.values[row].tolist()) for row in todo.tolist() if most != limit]
    else:
        counts, exact, rest = np.zeros(len(asked), np.int64), np.zeros(len(asked), np.bool_), list(asked)
        todo = np.arange(len(asked))
        every = _none(asked)
    with opened(backend, encoding) as session:
        for row, puzzle in zip(todo.tolist(), rest, strict=False):
            outcome = session.count(puzzle, limit=limit, timeout=timeout)
            if outcome.count >= LARGE:
                counts = counts.astype(object)
            counts[row], exact[row] = outcome.count, outcome.exact
            every.grids[row] = outcome.grid or every.grids[row]
    return _shaped(Outcomes(count=counts, exact=exact, grids=every.grids), asked, lead)


def canonical_many(puzzles: Any) -> NDArray[Any]:
    """The canonical form of each of many puzzles, as `canonical` has it, as an array.

    Parameters:
        puzzles: as for `solve_many`.

    Returns:
        An array of the shape of the puzzles, 0 for an empty cell; (n, cells) for a list.

    Raises:
        Refused: as `canonical`; the message has the row of the puzzle, from 0.
        ValueError, InputError, TypeError: as `solve_many`.

    Example:
        >>> first, second = satdoku.canonical_many(["4.2..1....4..3..", "2.4..3....2..1.."])
        >>> (first == second).all()
        np.True_
    """
    asked, lead = puzzles_of(puzzles)
    if isinstance(asked, Grids):
        from satdoku.batch.rows import clashes

        box = box_of(asked.board)
        if box is not None and freedom(asked.board) is Shuffle.ALL and box.size <= symmetries.MAX_SIZE:
            clashing = np.flatnonzero(clashes(asked.board, asked.values.astype(np.uint16)) >= 0)
            if len(clashing):
                row = int(clashing[0])
                _canonical(row, Puzzle.from_givens(asked.board, asked.values[row].tolist()))  # raises, and says which
            return asked.shaped(symmetries.smallest(box, asked.values.astype(np.uint8)))
    every = _none(asked)
    for row, puzzle in enumerate(_each(asked)):
        every.grids[row] = _canonical(row, puzzle)
    return _shaped(every, asked, lead).grids


@dataclass(frozen=True, slots=True, kw_only=True)
class Difficulties:
    """How difficult many puzzles are: arrays of their leading shape. `difficulties[place]` is the `Difficulty` of one,
    None where it does not have exactly one solution.

    level:   of the hardest technique, 1 to 7; 0 where the puzzle does not have exactly one solution
    hardest: the name of that technique, "" where there is none
    open:    cells that were not reached
    exact:   whether the timeout did not come first
    verdict: how many solutions the puzzles have, as in `Outcomes`
    """

    level: NDArray[np.int8]
    hardest: NDArray[np.str_]
    open: NDArray[np.int32]
    exact: NDArray[np.bool_]
    verdict: NDArray[np.str_]
    each: Sequence[Difficulty | None] = field(repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.level)

    def __getitem__(self, place: int | tuple[int, ...]) -> Difficulty | None:
        return self.each[int(np.arange(self.level.size).reshape(self.level.shape)[place])]


def difficulty_many(puzzles: Any, *, timeout: float | None = None) -> Difficulties:
    """How difficult each of many puzzles is for people, as arrays.

    Parameters:
        puzzles: as for `solve_many`.
        timeout: seconds for each puzzle, after which its level is that of what was needed by then.

    Returns:
        `Difficulties`: `level`, `hardest` and more. A puzzle without exactly one solution has the level 0.

    Raises:
        ValueError, InputError, TypeError: as `solve_many`.

    Example:
        >>> satdoku.difficulty_many(["1234341221434...", "." * 16]).level.tolist()
        [1, 0]
    """
    from satdoku.setter.difficulty import rate

    validate(Budget(2, timeout))
    asked, lead = puzzles_of(puzzles)
    verdict = _searches(asked, 2, 1, None, None, timeout).verdict.ravel()
    each = [
        rate(puzzle, timeout) if unique else None
        for puzzle, unique in zip(_each(asked), (verdict == "unique").tolist(), strict=True)
    ]
    return Difficulties(
        level=np.array([one.level.value if one else 0 for one in each], np.int8).reshape(lead),
        hardest=np.array([(one and one.hardest) or "" for one in each], np.str_).reshape(lead),
        open=np.array([one.open if one else 0 for one in each], np.int32).reshape(lead),
        exact=np.array([one is None or one.ending is Ending.EXHAUSTED for one in each], np.bool_).reshape(lead),
        verdict=verdict.reshape(lead),
        each=each,
    )


def _searches(
    puzzles: Any,
    limit: int,
    jobs: int,
    backend: str | Engine | Backend | None,
    encoding: str | Encoding | None,
    timeout: float | None,
) -> Outcomes:
    """What searches for so many solutions of each puzzle show."""
    at_least(jobs, 1, "jobs")
    budget = Budget(limit, timeout)
    validate(budget)
    asked, lead = (puzzles, puzzles.lead) if isinstance(puzzles, Grids) else puzzles_of(puzzles)
    if isinstance(asked, Grids) and jobs == 1:
        every = searched_together(asked.board, asked.values, budget, backend, encoding)
    else:
        every = _none(asked)
        for row, outcome in enumerate(outcomes_of(_each(asked), budget, jobs, backend, encoding)):
            every.count[row], every.exact[row] = outcome.count, outcome.exact
            every.grids[row] = outcome.grid or 0
    return _shaped(every, asked, lead)


def _each(asked: Grids | Sequence[Puzzle]) -> Iterator[Puzzle]:
    if not isinstance(asked, Grids):
        return iter(asked)
    return (Puzzle.from_givens(asked.board, row.tolist()) for row in asked.values)


def _none(asked: Grids | Sequence[Puzzle]) -> Outcomes:
    """Outcomes of these puzzles that are not filled in. Raises ValueError for puzzles of different sizes."""
    if isinstance(asked, Grids):
        shape: Lead = asked.values.shape
    else:
        cells = asked[0].board.cells if asked else 0
        for row, puzzle in enumerate(asked):
            if puzzle.board.cells != cells:
                what = f"puzzles: row {row} has {puzzle.board.cells} cells, and row 0 has {cells}"
                raise ValueError(f"{what}: expected puzzles of one size")
        shape = (len(asked), cells)
    return Outcomes(
        count=np.zeros(shape[0], np.int64), exact=np.zeros(shape[0], np.bool_), grids=np.zeros(shape, np.uint16)
    )


def _shaped(every: Outcomes, asked: Grids | Sequence[Puzzle], lead: Lead) -> Outcomes:
    if isinstance(asked, Grids):
        grids = asked.shaped(every.grids.astype(np.min_scalar_type(asked.board.values)))
    else:
        grids = every.grids.reshape(*lead, every.grids.shape[-1])
    return Outcomes(count=every.count.reshape(lead), exact=every.exact.reshape(lead), grids=grids)


def _canonical(row: int, puzzle: Puzzle) -> tuple[int, ...]:
    try:
        return symmetries.canonical(puzzle)
    except Refused as error:
        raise at_row(row, error) from None
