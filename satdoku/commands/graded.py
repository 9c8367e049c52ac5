"""Answers to plain puzzles of a block, graded together: lines of digits beside lines of digits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from satdoku.constraints import repeats
from satdoku.grading.grades import score
from satdoku.inputs.items import Block
from satdoku.puzzle import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.batch.rows import Rows
    from satdoku.grading.arrays import Counts


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

    def fields(self) -> Iterator[dict[str, Any]]:
        """What a record says of each answer, as `Grade.to_dict` has it, behind its verdict."""
        import numpy as np

        from satdoku.batch.rows import lines_of

        board, counts = self.rows.board, self.counts
        columns = (counts.solved, self.right, counts.open, counts.filled, counts.givens, counts.kept)
        lines = (line.replace("0", ".") for line in lines_of(self.grids, board.values))
        taken, labels = f"{board.cells} cells on one line", [board.label(cell) for cell in range(board.cells)]
        some_broken = np.asarray(counts.broken.any(axis=1)).tolist()
        numbers = zip(*(column.tolist() for column in columns), lines, some_broken, strict=True)
        for row, (solved, right, open, filled, givens, kept, line, broken) in enumerate(numbers):
            known = None if right < 0 else right
            points = score(solved, known, open)
            missed = known is not None and known < filled
            yield {
                "score": None if points is None else round(points, 6),
                "taken": taken,
                "answer": line,
                "open": open,
                "filled": filled,
                "right": known,
                "wrong": None if known is None else filled - known,
                "wrong_cells": [labels[cell] for cell in self.wrong[row].nonzero()[0].tolist()] if missed else [],
                "givens": givens,
                "kept": kept,
                "violations": self._violations(row, labels) if broken else [],
                "completable": None,
            }

    def _violations(self, row: int, labels: list[str]) -> list[dict[str, Any]]:
        houses, grid = self.rows.board.all_different, self.grids[row].tolist()
        found: dict[str, dict[int, None]] = {}
        for place in self.counts.broken[row].nonzero()[0].tolist():
            pairs = repeats(houses[place].cells, grid)
            cells = dict.fromkeys(cell for _, first, second in pairs for cell in (first, second))
            found.setdefault(houses[place].name, {}).update(cells)
        return [{"name": name, "cells": [labels[cell] for cell in cells]} for name, cells in found.items()]


def graded(block: Block, rows: Rows, unique: bool, timeout: float | None) -> Graded | None:
    """The grades of the answers that are lines of digits; None if there are none. unique: whether to search for what is
    right."""
    import numpy as np

    from satdoku.api.graded_arrays import CHARACTERS, unique_solutions
    from satdoku.grading import arrays

    board: Board = rows.board
    if block.expected is None or board.others:
        return None
    lines = [(block.expected[line] or "").strip() for line in rows.index.tolist()]
    whole = np.array([len(line) == board.cells and line.isascii() for line in lines], np.bool_)
    joined = "".join(line for line, kept in zip(lines, whole.tolist(), strict=True) if kept).encode()
    grids = CHARACTERS[np.frombuffer(joined, np.uint8)].reshape(-1, board.cells)
    read = (grids <= board.values).all(axis=1)
    rows, grids = rows[np.flatnonzero(whole)[read]], grids[read]
    if not len(grids):
        return None
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
