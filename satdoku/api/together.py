"""Many puzzles as one array, where they are plain, and what searches show of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from satdoku.api.sessions import opened
from satdoku.backends import PASSED, Backend, Budget, Bulk, Ending, Engine
from satdoku.batch.rows import Rows, plain, searched
from satdoku.errors import InputError, at_row
from satdoku.formats import Options
from satdoku.inputs.arrays import Grids, grids_of, numbers_of, several
from satdoku.inputs.items import Block, encoded
from satdoku.inputs.programs import as_puzzle
from satdoku.outcome import Outcomes
from satdoku.puzzle import Board, Puzzle, only
from satdoku.verdict import Session

if TYPE_CHECKING:
    from satdoku.encoders.cnf import Encoding

Lead = tuple[int, ...]
TOGETHER = 1 << 14  # puzzles that are searched in one call


def puzzles_of(given: Any) -> tuple[Grids | Sequence[Puzzle], Lead]:
    """Plain puzzles as an array, others as Puzzles, and their leading shape: () for a text or a Puzzle.

    given: an array, what gives one, a frame, or a list of what `read` takes. Raises as `grids_of`; InputError or
    TypeError for a puzzle that cannot be read, which names its row.
    """
    array, given = numbers_of(given)
    if array is not None:
        grids = grids_of(array, "puzzles")
        return grids, grids.lead
    single = isinstance(given, str | Puzzle)
    sources: list[Any] = [given] if single else several(given, "puzzles")
    lead = () if single else (len(sources),)
    if sources and all(isinstance(one, int | list | tuple | np.ndarray | np.integer) for one in sources):
        array = _regular(sources)
        if array.dtype.kind not in "OUS":  # texts of cells, and what is not a value, are left to the reader
            grids = grids_of(array, "puzzles")
            return grids, grids.lead
    if all(isinstance(one, str) for one in sources):
        lines = Block(name="puzzle", numbers=range(len(sources)), lines=encoded(map(str.strip, sources)))
        rows = list(plain(lines, Options()))
        if len(rows) == 1 and len(rows[0].index) == len(sources):
            return Grids(rows[0].board, lead, rows[0].givens.astype(np.uint8)), lead
    puzzles = [as_puzzle(given)] if single else [_read(number, one) for number, one in enumerate(sources)]
    if puzzles and all(map(_is_plain, puzzles)) and len({one.board for one in puzzles}) == 1:
        return Grids(puzzles[0].board, lead, np.array([one.givens for one in puzzles], np.uint16)), lead
    return puzzles, lead


def searched_together(
    board: Board,
    givens: NDArray[Any],
    budget: Budget,
    backend: str | Engine | Backend | None = None,
    encoding: str | Encoding | None = None,
) -> Outcomes:
    """What a search of each puzzle shows, (n, cells) of 0..N: in one call where the backend takes arrays."""
    n = len(givens)
    outcomes = Outcomes(
        count=np.zeros(n, np.int64), exact=np.zeros(n, np.bool_), grids=np.zeros(givens.shape, np.uint16)
    )
    with opened(backend, encoding) as session:
        for start in range(0, n, TOGETHER):
            _search(session, board, givens[start : start + TOGETHER], budget, outcomes, start)
    return outcomes


def _search(
    session: Session, board: Board, givens: NDArray[Any], budget: Budget, outcomes: Outcomes, start: int
) -> None:
    rest = list(range(len(givens)))
    if isinstance(session.backend, Bulk):
        rows = Rows(board, np.arange(len(givens)), givens.astype(np.uint16))
        every = searched(
            session, rows, budget, Block(name="puzzle", numbers=range(start, start + len(givens)), lines=())
        )
        if every is not None:
            results, at = every.results, slice(start, start + len(givens))
            outcomes.count[at], outcomes.exact[at] = results.counts, results.endings == Ending.EXHAUSTED.code
            outcomes.grids[at] = results.grids[:, 0]
            rest = np.flatnonzero(results.endings == PASSED).tolist()
    for row in rest:
        outcome = session.run(Puzzle.from_givens(board, givens[row].tolist(), f"puzzle:{start + row}"), budget)
        outcomes.count[start + row], outcomes.exact[start + row] = outcome.count, outcome.exact
        outcomes.grids[start + row] = outcome.grid or 0


def _read(number: int, source: Any) -> Puzzle:
    try:
        return as_puzzle(source)
    except (InputError, TypeError) as error:
        raise at_row(number, error) from None


def _regular(rows: list[Any]) -> NDArray[Any]:
    try:
        array = np.asarray(rows)
    except ValueError:
        lengths = sorted({len(row) for row in rows if hasattr(row, "__len__")})
        raise ValueError(f"puzzles: rows of different lengths, {lengths[0]} and {lengths[-1]}") from None
    if array.dtype.kind == "O":
        with suppress(ValueError, TypeError, OverflowError):  # None becomes NaN
            return array.astype(np.float64)
    return array


def _is_plain(puzzle: Puzzle) -> bool:
    """Whether arrays say all of it: AllDifferents, and cells that are given or open."""
    every = puzzle.board.every_value
    return (
        not puzzle.board.others
        and puzzle.solution is None
        and all(allowed == every or only(allowed) for allowed in puzzle.candidates)
    )
