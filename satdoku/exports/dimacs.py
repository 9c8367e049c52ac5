"""DIMACS CNF, with comments from which `satdoku decode` restores the puzzle and its variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdoku.constraints import Grid
from satdoku.encoders import dimacs
from satdoku.encoders.cnf import DEFAULT, REDUCED, Cnf, at_most_one_size, encode
from satdoku.encoders.cnf import find as find_encoding
from satdoku.errors import Refused
from satdoku.exports import Target
from satdoku.exports.names import VariableMap, comments, map_of
from satdoku.puzzle import Puzzle

MOST_CLAUSES = 50_000_000
"""Clauses beyond which a board is not written whole: their text is a gigabyte."""


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    cnf = _encoded(puzzle, encoding)
    return dimacs.write(cnf, puzzle, comments(map_of(cnf, puzzle)), blocked)


def mapped(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> VariableMap:
    cnf = _encoded(puzzle, encoding)
    dimacs.blocking(cnf, blocked)  # which may take a variable
    return map_of(cnf, puzzle)


def _encoded(puzzle: Puzzle, encoding: str | None) -> Cnf:
    spec = find_encoding(DEFAULT if encoding is None else encoding)
    clauses = at_most_one_size(puzzle.board, spec)
    if clauses > MOST_CLAUSES and not spec.reduced:
        able = spec.encoding if spec.encoding.reducible else find_encoding(DEFAULT).encoding
        raise Refused(
            f"{puzzle.name}: {clauses / 1e6:.0f} million clauses under {spec.name};"
            f" --encoding {able.name}+{REDUCED} leaves out what the givens decide"
        )
    return encode(puzzle.board, spec, puzzle)


TARGETS = (Target("dimacs", "DIMACS CNF, for SAT solvers", True, write, mapped),)
