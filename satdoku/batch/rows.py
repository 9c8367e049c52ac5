"""Lines of plain puzzles as arrays, searched by a backend in one call and refereed in one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from satdoku.backends import ENDINGS, PASSED, Budget, Bulk, BulkResults
from satdoku.formats import Options
from satdoku.inputs.items import Block, board_with
from satdoku.outcome import Outcome
from satdoku.puzzle import Board, Puzzle, broken
from satdoku.referee import accept, faulty
from satdoku.variants.boxes import Box, classic
from satdoku.verdict import Session

MAX_WIDTH = 9  # N up to which one character is a cell
Which = NDArray[np.intp] | NDArray[np.bool_]  # rows, by number or by mask
NO_CELL = 255
VALUES = np.full(256, NO_CELL, np.uint8)  # the value of each character; 0 is an empty cell
VALUES[[ord("."), ord("0")]] = 0
VALUES[ord("1") : ord("9") + 1] = np.arange(1, 10)


@dataclass(frozen=True, slots=True)
class Rows:
    board: Board
    index: NDArray[np.intp]  # (n,) the line of each in its block
    givens: NDArray[np.uint16]  # (n, cells)

    def __getitem__(self, which: Which) -> Rows:
        return Rows(self.board, self.index[which], self.givens[which])

    def puzzle(self, row: int, name: str) -> Puzzle:
        return Puzzle.from_givens(self.board, self.givens[row].tolist(), name)


@dataclass(frozen=True, slots=True)
class Searched:
    """Rows, and what a backend says of each of them, refereed."""

    rows: Rows
    results: BulkResults
    engine: str

    def __getitem__(self, which: Which) -> Searched:
        results = BulkResults(self.results.counts[which], self.results.endings[which], self.results.grids[which])
        return Searched(self.rows[which], results, self.engine)

    @property
    def answered(self) -> NDArray[np.bool_]:
        """Which rows the backend has searched, and not left to be asked about one by one."""
        answered: NDArray[np.bool_] = self.results.endings != PASSED
        return answered

    def outcomes(self, keep: int = 2) -> Iterator[Outcome]:
        """The outcome of each row, with at most so many grids; all of them are answered."""
        board, results, reasons = self.rows.board, self.results, self._reasons()
        columns = (results.counts, results.endings, results.grids[:, :keep])
        for row, (count, ending, grids) in enumerate(zip(*(column.tolist() for column in columns), strict=True)):
            yield Outcome(
                count=count,
                grids=tuple(map(tuple, grids[:count])),
                ending=ENDINGS[ending],
                backend=self.engine,
                seconds=0.0,
                reason=reasons.get(row),
                board=board,
            )

    def lines(self) -> Iterator[list[str]]:
        """The solutions of each row as lines."""
        grids, values = self.results.grids, self.rows.board.values
        pairs = zip(lines_of(grids[:, 0], values), lines_of(grids[:, 1], values), strict=True)
        return (list(pair[:count]) for count, pair in zip(self.results.counts.tolist(), pairs, strict=True))

    def _reasons(self) -> dict[int, str]:
        """What clashes in rows without a solution."""
        board, givens, rows = self.rows.board, self.rows.givens, np.flatnonzero(self.results.counts == 0)
        if board.auxiliary or len(board.all_different) < len(board.constraints):
            reasons = ((row, next(self.rows.puzzle(row, "").clashes(), None)) for row in rows.tolist())
            return {row: reason for row, reason in reasons if reason is not None}
        places = zip(rows.tolist(), clashes(board, givens[rows]).tolist(), strict=True)  # in a tenth of the time
        broken_first = ((row, board.all_different[place:]) for row, place in places if place >= 0)
        return {row: next(broken(board, givens[row].tolist(), those)) for row, those in broken_first}


def plain(block: Block, options: Options) -> Iterator[Rows]:
    """The lines that hold N*N digits and dots and nothing else, which any reader takes for one thing only."""
    if options.format not in (None, "line") or options.shaped or (options.alphabet, options.empty) != (None, None):
        return
    lines = [line.rstrip(b"\r\n") for line in block.lines]
    lengths = np.fromiter(map(len, lines), np.intp, len(lines))
    for length in np.unique(lengths).tolist():
        size = isqrt(length)
        if size * size != length or not 4 <= size <= MAX_WIDTH:
            continue
        box = options.box or Box.of_size(size)
        if box is None or box.size != size:
            continue
        index = np.flatnonzero(lengths == length)
        text = lines if len(index) == len(lines) else [lines[line] for line in index.tolist()]
        joined = b"".join(text)
        characters = np.frombuffer(joined, np.uint8).reshape(-1, length)
        values = VALUES[characters]
        valid = (values <= size).all(axis=1)
        if b"0" in joined and b"." in joined:  # a line of both without N is refused by the reader
            mixed = (characters == ord("0")).any(axis=1) & (characters == ord(".")).any(axis=1)
            valid &= ~mixed | (values == size).any(axis=1)
        board = classic(box.rows, box.columns)
        if options.rules or options.board is not None:
            if options.board is not None and options.board.cells != length:
                continue
            board = board_with(board, options)
        yield Rows(board, index[valid], values[valid].astype(np.uint16))


def searched(session: Session, rows: Rows, budget: Budget, block: Block) -> Searched | None:
    """What the session's backend says of the rows, refereed; None if it takes none in bulk. Raises WrongAnswer."""
    backend = session.backend
    if not isinstance(backend, Bulk):
        return None
    session.load(Puzzle(rows.board, (rows.board.every_value,) * rows.board.cells, block.name))
    results = backend.check_many(rows.board, rows.givens, budget)
    for place in range(2):
        some = np.flatnonzero((results.counts > place) & (results.endings != PASSED))
        bad = faulty(rows.board, rows.givens[some], results.grids[some, place])
        if place:
            bad |= (results.grids[some, 0] == results.grids[some, 1]).all(axis=1)
        if bad.any():
            row = int(some[np.argmax(bad)])
            name = f"{block.name}:{block.numbers[int(rows.index[row])]}"
            accept(rows.puzzle(row, name), tuple(results.grids[row, place].tolist()), session.engine, repeated=True)
    return Searched(rows, results, session.engine)


def clashes(board: Board, givens: NDArray[np.uint16]) -> NDArray[np.intp]:
    """For each row of givens the first AllDifferent of the board that two of them break; -1 where there is none."""
    clashing = np.full(len(givens), -1)
    bits = np.where(givens > 0, np.left_shift(1, givens.astype(np.int64)), 0)
    for place, constraint in enumerate(board.all_different):
        some = bits[:, list(constraint.cells)]
        clashing[(clashing < 0) & (np.bitwise_or.reduce(some, axis=1) != some.sum(axis=1))] = place
    return clashing


def lines_of(grids: NDArray[np.uint16], values: int) -> list[str]:
    """Each grid as one line, as the format `line` writes it; boards of up to 9 values."""
    assert values <= MAX_WIDTH
    width = grids.shape[1]
    text = (grids + ord("0")).astype("u1").tobytes().decode("ascii")
    return [text[start : start + width] for start in range(0, len(text), width)]
