"""DIMACS CNF, with comments from which `satdoku decode` restores the puzzle and its variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdoku.constraints import Grid
from satdoku.encoders import dimacs
from satdoku.encoders.cnf import DEFAULT, PAIRWISE, REDUCED, Cnf, at_most_one_size, encode, reduced_size
from satdoku.encoders.cnf import find as find_encoding
from satdoku.errors import Refused
from satdoku.exports import Target
from satdoku.exports.names import VariableMap, comments, map_of
from satdoku.puzzle import Puzzle

MAX_CLAUSES = 50_000_000  # clauses beyond which a board is not written whole: their text is a gigabyte


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    cnf = _encoded(puzzle, encoding)
    return dimacs.write(cnf, puzzle, comments(map_of(cnf, puzzle)), blocked)


def mapped(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> VariableMap:
    cnf = _encoded(puzzle, encoding)
    dimacs.blocking(cnf, blocked)  # which may take a variable
    return map_of(cnf, puzzle)


def _encoded(puzzle: Puzzle, encoding: str | None) -> Cnf:
    spec = find_encoding(DEFAULT if encoding is None else encoding)
    if not spec.reduced:
        clauses = at_most_one_size(puzzle.board, spec)
    else:
        clauses = reduced_size(puzzle) if spec.method.name == PAIRWISE else 0
    if clauses > MAX_CLAUSES:
        able = spec.encoding if spec.encoding.reducible else find_encoding(DEFAULT).encoding
        help = f"the encoding {able.name}+{REDUCED} leaves out what the givens decide"
        raise Refused(
            f"{puzzle.name}: {clauses / 1e6:.0f} million clauses under {spec.name};"
            f" {'the target cpsat takes it as it is' if spec.reduced else help}"
        )
    return encode(puzzle.board, spec, puzzle)


TARGETS = (Target(name="dimacs", summary="DIMACS CNF, for SAT solvers", write=write, mapped=mapped, encodes=True),)
