"""The log encoding: the binary digits of value - 1."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satdoku.deferred import Deferred
from satdoku.encoders.cnf import Encoding, EncodingTask, Variables
from satdoku.encoders.encodings.conjunctions import Conjunctions, sizes, write_not_equal

if TYPE_CHECKING:
    import numpy as np
else:
    np = Deferred("numpy")


def _digits(size: int) -> int:
    return (size - 1).bit_length()


def _write(task: EncodingTask) -> Variables:
    board, clauses = task.board, task.clauses
    width = _digits(board.values)
    digits = clauses.new_array(board.cells, width)
    bits = np.arange(2**width)[:, None] >> np.arange(width) & 1
    signs = np.where(bits, 1, -1).astype(np.int32)
    # (cells, 2^width, width)
    codes = signs[None, :, :] * digits[:, None, :]
    clauses.extend(-codes[:, board.values :].reshape(-1, width))
    write_not_equal(board, clauses, codes[:, : board.values])
    return Conjunctions(board, clauses, codes[:, : board.values])


ENCODINGS = (
    Encoding(
        name="log",
        summary="the binary digits of each value",
        paper="Iwama and Miyazaki, SAT-Variable Complexity of Hard Combinatorial Problems, 1994",
        formula="N^2 b, N^2(2^b-N) + E N, b = ceil(log2 N), E = N^2(3N-bh-bw-1)/2",
        size=sizes(_digits, lambda n: 2 ** _digits(n) - n),
        write=_write,
    ),
)
