"""Clauses as DIMACS CNF text, and as WCNF, which MaxSAT solvers read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from satdoku.constraints import Grid
from satdoku.deferred import Deferred
from satdoku.encoders.clauses import Clauses, Literals
from satdoku.encoders.cnf import Cnf
from satdoku.puzzle import Puzzle

if TYPE_CHECKING:
    import numpy as np
else:
    np = Deferred("numpy")

MAX_ROWS = 100_000  # clauses turned to text together, which bounds the memory that an export takes


def write(cnf: Cnf, puzzle: Puzzle, comments: Iterable[str] = (), blocked: Sequence[Grid] = ()) -> Iterator[str]:
    """The file in pieces: `comments`, the board's clauses, the candidates, a clause against each grid of `blocked`."""
    units, extra = cnf.restrict(puzzle)
    extra += blocking(cnf, blocked)
    for comment in comments:
        yield f"c {comment}\n"
    count = len(cnf.clauses) + len(units) + len(extra)
    yield problem(cnf.clauses.variables, count)
    yield from pieces(cnf.clauses)
    yield lines([literal] for literal in units)
    yield lines(extra)


def write_weighted(
    cnf: Cnf, puzzle: Puzzle, comments: Iterable[str] = (), blocked: Sequence[Grid] = ()
) -> Iterator[str]:
    """As `write`, in the format of MaxSAT Evaluations since 2022: hard clauses, and candidates as soft ones."""
    units, extra = cnf.restrict(puzzle)
    extra += blocking(cnf, blocked)
    for comment in comments:
        yield f"c {comment}\n"
    yield from pieces(cnf.clauses, "h ")
    yield lines(extra, "h ")
    yield lines(([literal] for literal in units), "1 ")


def blocking(cnf: Cnf, grids: Iterable[Grid]) -> list[list[int]]:
    """The clause that excludes each grid; may add variables and clauses to those of `cnf`."""
    return [cnf.block(grid) or _false(cnf.clauses) for grid in grids]


def problem(variables: int, clauses: int) -> str:
    return f"p cnf {variables} {clauses}\n"


def pieces(clauses: Clauses, weight: str = "") -> Iterator[str]:
    """Clauses as text; `weight` is what stands before each of them."""
    for part in clauses.parts():
        for start in range(0, len(part), MAX_ROWS):
            rows = part[start : start + MAX_ROWS]
            yield lines(rows, weight) if isinstance(rows, list) else _block(rows, weight)


def lines(clauses: Iterable[list[int]], weight: str = "") -> str:
    return "".join(f"{weight}{' '.join(map(str, clause))} 0\n" for clause in clauses)


def _false(clauses: Clauses) -> list[int]:
    """A clause that cannot hold and is not empty, which some solvers mishandle."""
    literal = clauses.new()
    clauses.add(-literal)
    return [literal]


def _block(clauses: Literals, weight: str) -> str:
    # One format string for the whole block: printf in C, a third of the time of a Python loop.
    row: str = weight + "%d " * clauses.shape[1] + "0\n"
    return (row * len(clauses)) % tuple(np.ravel(clauses).tolist())
