"""Lines of plain puzzles as arrays, searched by a backend in one call and refereed in one."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from satdoku.backends import PASSED, Budget, Bulk, Tallies
from satdoku.formats import Options
from satdoku.inputs.items import Block, board_with
from satdoku.puzzle import Board, Puzzle
from satdoku.referee import accept, faulty
from satdoku.variants.boxes import Box, classic
from satdoku.verdict import Session

MAX_WIDTH = 9  # N up to which one character is a cell
NO_CELL = 255
VALUES = np.full(256, NO_CELL, np.uint8)  # the value of each character; 0 is an empty cell
VALUES[[ord("."), ord("0")]] = 0
VALUES[ord("1") : ord("9") + 1] = np.arange(1, 10)


@dataclass(frozen=True, slots=True)
class Rows:
    board: Board
    index: NDArray[np.intp]  # (n,) the line of each in its block
    givens: NDArray[np.uint16]  # (n, cells)

    def puzzle(self, row: int, name: str) -> Puzzle:
        return Puzzle.from_givens(self.board, self.givens[row].tolist(), name)


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


def tallied(judge: Session, rows: Rows, budget: Budget, block: Block) -> Tallies | None:
    """What the judge's backend says of all rows, refereed; None if it takes none in bulk. Raises WrongAnswer."""
    backend = judge.backend
    if not isinstance(backend, Bulk):
        return None
    judge.load(Puzzle(rows.board, (rows.board.every_value,) * rows.board.cells, block.name))
    tallies = backend.check_many(rows.board, rows.givens, budget)
    for place in range(2):
        some = np.flatnonzero((tallies.counts > place) & (tallies.endings != PASSED))
        bad = faulty(rows.board, rows.givens[some], tallies.grids[some, place])
        if place:
            bad |= (tallies.grids[some, 0] == tallies.grids[some, 1]).all(axis=1)
        if bad.any():
            row = int(some[np.argmax(bad)])
            name = f"{block.name}:{block.numbers[int(rows.index[row])]}"
            accept(rows.puzzle(row, name), tuple(tallies.grids[row, place].tolist()), judge.engine, repeated=True)
    return tallies


def clashes(board: Board, givens: NDArray[np.uint16]) -> NDArray[np.intp]:
    """For each row of givens the first AllDifferent of the board that two of them break; -1 where there is none."""
    found = np.full(len(givens), -1)
    bits = np.where(givens > 0, np.left_shift(1, givens.astype(np.int64)), 0)
    for place, constraint in enumerate(board.all_different):
        some = bits[:, list(constraint.cells)]
        found[(found < 0) & (np.bitwise_or.reduce(some, axis=1) != some.sum(axis=1))] = place
    return found


def lines_of(grids: NDArray[np.uint16], values: int) -> list[str]:
    """Each grid as one line, as the format `line` writes it; boards of up to 9 values."""
    assert values <= MAX_WIDTH
    width = grids.shape[1]
    text = (grids + ord("0")).astype("u1").tobytes().decode("ascii")
    return [text[start : start + width] for start in range(0, len(text), width)]
