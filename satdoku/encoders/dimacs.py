"""Clauses as DIMACS CNF text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from satdoku.encoders.clauses import Literals
from satdoku.encoders.cnf import Cnf
from satdoku.puzzle import Puzzle

ROWS = 100_000
"""Clauses turned to text together, which bounds the memory that an export takes."""


def write(cnf: Cnf, puzzle: Puzzle, comments: Iterable[str] = ()) -> Iterator[str]:
    """The board's clauses and the puzzle's candidates, as pieces of text that together are the file.

    `comments` head the file, one line each. A comment `c varname 7 r1c7=..` gives the cell
    variables of encodings that have one a value: here `c varname 7 r1c1=7`.
    """
    must, extra = cnf.restrict(puzzle)
    board, literals = cnf.board, cnf.variables.literals
    for comment in comments:
        yield f"c {comment}\n"
    for cell in range(board.cells):
        for value in range(1, board.values + 1):
            conjunction = literals(cell, value)
            if len(conjunction) == 1 and conjunction[0] > 0:
                yield f"c varname {conjunction[0]} {board.label(cell)}={value}\n"
    count = len(cnf.clauses) + len(must) + len(extra)
    yield f"p cnf {cnf.clauses.variables} {count}\n"
    for part in cnf.clauses.parts():
        if isinstance(part, list):
            yield _lines(part)
        else:
            for start in range(0, len(part), ROWS):
                yield _block(part[start : start + ROWS])
    yield _lines([[literal] for literal in must])
    yield _lines(extra)


def header(puzzle: Puzzle, encoding: str, version: str) -> list[str]:
    """Which puzzle, encoding and version wrote a file, one line each."""
    board = puzzle.board
    givens = " ".join(f"{board.label(cell)}={value}" for cell, value in enumerate(puzzle.givens) if value)
    return [
        f"satdoku {version}, encoding {encoding}",
        f"puzzle {puzzle.name.encode('unicode_escape').decode()}: {board.cells} cells, {board.values} values",
        f"givens {givens or 'none'}",
    ]


def _lines(clauses: Iterable[list[int]]) -> str:
    return "".join(f"{' '.join(map(str, clause))} 0\n" for clause in clauses)


def _block(clauses: Literals) -> str:
    # One format string for the whole block: printf in C, a third of the time of a Python loop.
    row: str = "%d " * clauses.shape[1] + "0\n"
    return (row * len(clauses)) % tuple(np.ravel(clauses).tolist())
