"""Answers to plain puzzles of a block, graded together: lines of digits beside lines of digits."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from satdoku.grading.grades import score
from satdoku.inputs.columns import ENCODE, Encoded, record_text
from satdoku.inputs.items import Block
from satdoku.puzzle import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.batch.rows import Rows
    from satdoku.grading.arrays import Counts

CELLS = 48  # bits for the cells of an AllDifferent of up to 9 values


@dataclass(frozen=True, slots=True)
class Graded:
    """Answers (n, cells) to the puzzles of some rows.

    right: how many cells are right, -1 where nothing is known; wrong: which cells are not
    """

    rows: Rows
    grids: NDArray[Any]
    counts: Counts
    right: NDArray[np.int32]
    wrong: NDArray[np.bool_]

    def numbers(self) -> Iterator[tuple[float | None, int | None, int, int]]:
        """The score of each answer, and how many cells are right, open and filled, as in its record."""
        counts = self.counts
        columns = (counts.solved, self.right, counts.open, counts.filled)
        for solved, right, cells, filled in zip(*(column.tolist() for column in columns), strict=True):
            known = None if right < 0 else right
            yield _points(solved, known, cells), known, cells, filled

    def fields(self) -> Iterator[dict[str, Any]]:
        """What a record says of each answer, as `Grade.to_dict` has it, behind its verdict."""
        from satdoku.batch.rows import lines_of

        board, counts = self.rows.board, self.counts
        lines = (line.replace("0", ".") for line in lines_of(self.grids, board.values))
        taken = f"{board.cells} cells on one line"
        columns = (self.numbers(), lines, self._wrong_cells(), self._violations())
        givens = zip(counts.givens.tolist(), counts.kept.tolist(), strict=True)
        for (points, right, cells, filled), line, wrong, broken, (given, kept) in zip(*columns, givens, strict=True):
            yield {
                "score": points,
                "taken": taken,
                "answer": line,
                "open": cells,
                "filled": filled,
                "right": right,
                "wrong": None if right is None else filled - right,
                "wrong_cells": wrong,
                "givens": given,
                "kept": kept,
                "violations": broken,
                "completable": None,
            }

    def _wrong_cells(self) -> Iterator[Encoded]:
        labels = _labels(self.rows.board)
        return _lists(self.wrong, [labels[cell] for cell in self.wrong.nonzero()[1].tolist()])

    def _violations(self) -> Iterator[Encoded]:
        """The houses that each answer breaks, with the cells."""
        import numpy as np

        from satdoku.grading.arrays import repeated

        board, broken = self.rows.board, self.counts.broken
        some = np.flatnonzero(broken.any(axis=1))
        places = np.arange(len(board.all_different), dtype=np.uint64) << np.uint64(CELLS)
        numbers = (repeated(board, self.grids[some]) | places)[broken[some]].tolist()
        return _lists(broken, list(map(_violation(board), numbers)))


@lru_cache(maxsize=4)
def _labels(board: Board) -> list[str]:
    return [ENCODE(board.label(cell)) for cell in range(board.cells)]


@lru_cache(maxsize=4)
def _violation(board: Board) -> Callable[[int], str]:
    """What a record says of an AllDifferent, of which some cells have a value twice: these as bits below its number."""
    labels = _labels(board)

    @cache
    def violation(number: int) -> str:
        house = board.all_different[number >> CELLS]
        cells = sorted(cell for place, cell in enumerate(house.cells) if number >> place & 1)
        return record_text({"name": house.name, "cells": Encoded(f"[{', '.join(map(labels.__getitem__, cells))}]")})

    return violation


@cache
def _points(solved: bool, right: int | None, open_cells: int) -> float | None:
    points = score(solved, right, open_cells)
    return None if points is None else round(points, 6)


def _lists(which: NDArray[np.bool_], texts: list[str]) -> Iterator[Encoded]:
    """The texts of the true entries of an array as a list of JSON for each row."""
    ends = which.sum(axis=1).cumsum().tolist()
    none = Encoded("[]")
    return (
        Encoded(f"[{', '.join(texts[start:end])}]") if start < end else none
        for start, end in zip([0, *ends], ends, strict=False)
    )


def graded(block: Block, rows: Rows, unique: bool, timeout: float | None) -> Graded | None:
    """The grades of the answers that are lines of digits; None if there are none. unique: whether to search for what is
    right."""
    import numpy as np

    from satdoku.api.graded_arrays import unique_solutions
    from satdoku.grading import arrays

    board: Board = rows.board
    if block.expected is None or board.others:
        return None
    index, grids = arrays.lines_read([(block.expected[line] or "").strip() for line in rows.index.tolist()], board)
    if not len(grids):
        return None
    rows = rows[index]
    counts = arrays.counted(board, rows.givens, grids)
    right = np.where(counts.solved, counts.filled, -1).astype(np.int32)
    wrong = np.zeros(grids.shape, np.bool_)
    todo = np.flatnonzero(~counts.solved) if unique else np.zeros(0, np.intp)
    if len(todo):
        solutions, known = unique_solutions(board, rows.givens[todo], timeout)
        todo, solutions = todo[known], solutions[known]
        wrong[todo] = (grids[todo] > 0) & (rows.givens[todo] == 0) & (grids[todo] != solutions)
        right[todo] = counts.filled[todo] - wrong[todo].sum(axis=1, dtype=np.int32)
    return Graded(rows, grids, counts, right, wrong)
