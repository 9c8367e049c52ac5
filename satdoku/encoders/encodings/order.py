"""The order encoding: variables say x >= v, and a value is the step between two of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from satdoku.deferred import Deferred
from satdoku.encoders.cnf import Encoding, EncodingTask, Variables
from satdoku.encoders.encodings.conjunctions import Conjunctions, sizes, write_not_equal

if TYPE_CHECKING:
    import numpy as np
else:
    np = Deferred("numpy")


def _write(task: EncodingTask) -> Variables:
    board, clauses = task.board, task.clauses
    # (cells, N-1): x >= 2, ..., x >= N
    at_least = clauses.new_array(board.cells, board.values - 1)
    falling = np.stack([-at_least[:, 1:], at_least[:, :-1]], axis=2)
    clauses.extend(falling.reshape(-1, 2))
    # x = v is (x >= v) and not (x >= v+1); the first and the last value need one literal only.
    codes = np.zeros((board.cells, board.values, 2), dtype=np.int32)
    codes[:, 1:, 0] = at_least
    codes[:, :-1, 1] = -at_least
    write_not_equal(board, clauses, codes)
    return Conjunctions(board, clauses, codes)


ENCODINGS = (
    Encoding(
        name="order",
        summary="variables x >= v; a value is two neighbouring ones",
        paper="Tamura et al., Compiling Finite Linear CSP into SAT, 2009",
        formula="N^2(N-1), N^2(N-2) + E N, E = N^2(3N-bh-bw-1)/2",
        size=sizes(lambda n: n - 1, lambda n: n - 2),
        write=_write,
    ),
)
