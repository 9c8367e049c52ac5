"""A puzzle's clauses less what its givens decide, for encodings that write a board whole.

Unit propagation from the givens fixes variables; clauses that hold are left out, literals that do not hold
are taken from the others, and the variables that are left are numbered anew without gaps.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from satdoku.encoders.clauses import Clauses, Literals, contradiction
from satdoku.encoders.encodings.conjunctions import Conjunctions
from satdoku.encoders.houses import by_count
from satdoku.puzzle import Board

Truth = NDArray[np.int8]  # for each variable by its number: 1 if it is true, -1 if it is false, 0 if that is open


def reduce(board: Board, clauses: Clauses, codes: Literals, units: Sequence[int]) -> tuple[Clauses, Conjunctions]:
    """The clauses and variables left once the units hold; codes: (cells, values, width) literals, filled up with 0."""
    parts = list(clauses.arrays())
    truth, consistent = _propagate(parts, clauses.variables, units)
    left = [rows for part in parts for rows in by_count(_open_part(part, truth))] if consistent else []
    number = np.zeros(len(truth), dtype=np.int32)
    open_codes = np.where(_of(truth, codes) == 0, codes, 0)
    for literals in (open_codes, *left):
        number[np.abs(literals)] = 1
    number[0] = 0
    reduced = Clauses(int(number.sum()))
    number[number == 1] = np.arange(1, reduced.variables + 1)
    for rows in left:
        reduced.extend(_renumbered(rows, number))
    if not consistent:
        contradiction(reduced)
    possible: NDArray[np.bool_] = np.all(_of(truth, codes) >= 0, axis=2)
    return reduced, Conjunctions(board, reduced, _renumbered(open_codes, number), possible)


def _propagate(parts: Iterable[Literals], variables: int, units: Sequence[int]) -> tuple[Truth, bool]:
    """What follows from the units, and whether no clause is broken by it."""
    truth = np.zeros(variables + 1, dtype=np.int8)
    fresh = np.unique(np.array(units, dtype=np.int32))
    while len(fresh):
        if len(np.unique(np.abs(fresh))) < len(fresh) or (_of(truth, fresh) < 0).any():
            return truth, False
        truth[np.abs(fresh)] = np.sign(fresh)
        found = [np.zeros(0, dtype=np.int32)]
        for part in parts:
            held = _of(truth, part)
            last = (held < 1).all(axis=1) & ((held == 0).sum(axis=1) < 2)
            if (held[last] < 0).all(axis=1).any():
                return truth, False
            found.append(part[last][held[last] == 0])
        fresh = np.unique(np.concatenate(found))
    return truth, True


def _of(truth: Truth, literals: Literals) -> Truth:
    """Whether each literal holds, as for variables; 0 for the literal 0, too."""
    held: Truth = truth[np.abs(literals)] * np.sign(literals).astype(np.int8)
    return held


def _open_part(part: Literals, truth: Truth) -> Literals:
    """The clauses that do not hold yet, their false literals as 0."""
    held = _of(truth, part)
    rows = (held < 1).all(axis=1)
    return np.where(held[rows] == 0, part[rows], 0)


def _renumbered(literals: Literals, number: Literals) -> Literals:
    new: Literals = np.sign(literals) * number[np.abs(literals)]
    return new
