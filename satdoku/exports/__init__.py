"""Puzzles as text for other tools. Each file in this folder offers `TARGETS`; this is their one table."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from satdoku.constraints import Grid
from satdoku.discovery import offered
from satdoku.errors import Refused, unknown
from satdoku.puzzle import Puzzle, other_constraint
from satdoku.version import __version__

DEFAULT = "dimacs"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A kind of text that another tool reads. What `write` refuses, it refuses at once and not at the first piece."""

    name: str
    summary: str
    write: Callable[[Puzzle, str | None, Sequence[Grid]], Iterator[str]]  # puzzle, encoding, excluded grids
    encodes: bool = False  # whether it takes an encoding
    all_different_only: bool = False  # whether it takes no other constraint


@cache
def targets() -> dict[str, Target]:
    found = {target.name: target for target in offered("satdoku.exports", "TARGETS", Target)}
    return dict(sorted(found.items()))


def find(name: str, encoding: str | None = None) -> Target:
    """The target of that name; raises InputError with the near names, Refused for an encoding that it does not take."""
    if name not in targets():
        raise unknown("export", name, targets())
    target = targets()[name]
    if encoding is not None and not target.encodes:
        raise Refused(f"export {name} takes no encoding; leave out the encoding {encoding}")
    return target


def export(
    puzzle: Puzzle, to: str = DEFAULT, encoding: str | None = None, blocked: Sequence[Grid] = ()
) -> Iterator[str]:
    """The puzzle's constraints as pieces of text, without the grids `blocked`.

    Raises InputError for an unknown target or encoding, Refused for what the target cannot take.
    """
    target = find(to, encoding)
    odd = other_constraint(puzzle.board) if target.all_different_only else None
    if odd:
        able = ", ".join(name for name, other in targets().items() if not other.all_different_only)
        raise Refused(f"{puzzle.name}: export {to} cannot take it: {odd}, and it takes AllDifferent alone; {able} can")
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
