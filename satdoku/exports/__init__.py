"""Puzzles as text for other tools. Each file in this folder offers `TARGETS`; this is their one table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from satdoku.constraints import Grid
from satdoku.discovery import NamedTable, offered
from satdoku.errors import Refused
from satdoku.puzzle import Puzzle, other_constraint
from satdoku.version import __version__

if TYPE_CHECKING:
    from satdoku.encoders.cnf import Encoding

DEFAULT = "dimacs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A kind of text that another tool reads. `satdoku.testing.check_export` tests one.

    `write` is given the puzzle, the encoding and the grids that the text excludes, and returns the text in pieces. It
    raises Refused, at once and not at the first piece, for a puzzle or for grids to exclude that it cannot take.

    Example:
        >>> import satdoku
        >>> from satdoku.exports import targets
        >>> text = "".join(targets()["dimacs"].write(satdoku.read("13....3131...213"), None, ()))
        >>> text.startswith("c satdoku")
        True
    """

    name: str
    summary: str  # in a few words, for lists
    # puzzle; name of an encoding, Encoding or None; excluded grids
    write: Callable[[Puzzle, Any, Sequence[Grid]], Iterator[str]]
    encodes: bool = False  # whether it takes an encoding
    all_different_only: bool = False  # whether it takes no other constraint


@cache
def targets() -> NamedTable[Target]:
    """Every target by its name; those of installed packages once they are looked up."""
    own = sorted(offered("satdoku.exports", "TARGETS", Target), key=lambda target: target.name)
    also = {
        "cnf": "dimacs",
        "sat": "dimacs",
        "mzn": "minizinc",
        "clingo": "asp",
        "pb": "opb",
        "mip": "lp",
        "dlx": "exact-cover",
        "maxsat": "wcnf",
        "smt2": "smt",
        "smtlib": "smt",
        "z3": "smt",
        "xcsp3": "xcsp",
    }
    return NamedTable("export", Target, own, "satdoku.exports", also=also)


def find(name: str | Target, encoding: str | Encoding | None = None) -> Target:
    """The target of that name, or the one given.

    Raises InputError with the near names, Refused for an encoding that it does not take.
    """
    target = targets().find(name)
    if encoding is not None and not target.encodes:
        given = getattr(encoding, "name", encoding)
        raise Refused(f"export {target.name} takes no encoding; leave out the encoding {given}")
    return target


def export(
    puzzle: Puzzle, to: str | Target = DEFAULT, encoding: str | Encoding | None = None, blocked: Sequence[Grid] = ()
) -> Iterator[str]:
    """The puzzle's constraints as pieces of text, without the grids `blocked`.

    Raises InputError for an unknown target or encoding, Refused for what the target cannot take.
    """
    target = find(to, encoding)
    odd = other_constraint(puzzle.board) if target.all_different_only else None
    if odd:
        able = ", ".join(name for name, other in targets().all().items() if not other.all_different_only)
        raise Refused(
            f"{puzzle.name}: export {target.name} cannot take it: {odd}, and it takes AllDifferent alone; {able} can"
        )
    return target.write(puzzle, encoding, blocked)


def heading(puzzle: Puzzle, what: str) -> list[str]:
    """Which version wrote a text, `what` it is, and of which puzzle, one line each."""
    board = puzzle.board
    givens = " ".join(f"{board.label(cell)}={board.shown(value)}" for cell, value in enumerate(puzzle.givens) if value)
    first = "" if board.first_value == 1 else f", from {board.first_value}"
    return [
        f"satdoku {__version__}, {what}",
        f"puzzle {plain(puzzle.name)}: {board.cells} cells, {board.values} values, {board.columns} columns{first}",
        f"givens {givens or 'none'}",
    ]


def plain(text: str) -> str:
    """Text that fits into a comment: one line of ASCII."""
    return text.encode("unicode_escape").decode()
