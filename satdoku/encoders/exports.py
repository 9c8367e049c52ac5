"""Puzzles as text for other tools, by the name of the target."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from satdoku.encoders import dimacs
from satdoku.encoders.cnf import DEFAULT, encode
from satdoku.errors import unknown
from satdoku.puzzle import Puzzle
from satdoku.version import __version__

Write = Callable[[Puzzle, str | None], Iterator[str]]


def export(puzzle: Puzzle, to: str, encoding: str | None) -> Iterator[str]:
    """The puzzle's constraints as pieces of text; raises InputError for an unknown target or encoding."""
    if to not in TARGETS:
        raise unknown("export", to, TARGETS, "satdoku export --help")
    return TARGETS[to](puzzle, encoding)


def _dimacs(puzzle: Puzzle, encoding: str | None) -> Iterator[str]:
    cnf = encode(puzzle.board, DEFAULT if encoding is None else encoding, puzzle)
    return dimacs.write(cnf, puzzle, dimacs.header(puzzle, cnf.encoding, __version__))


TARGETS: dict[str, Write] = {"dimacs": _dimacs}
