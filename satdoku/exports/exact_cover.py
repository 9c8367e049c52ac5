"""Exact cover, in the text form that Knuth's programs for it read (dlx1; TAOCP 7.2.2.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdoku.constraints import Grid
from satdoku.encoders.exact_cover import actions, requirements
from satdoku.errors import Refused
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Puzzle


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """A line of items, `|` before those that are covered at most once; then an option a line.

    Item `r1c1` is a filled cell, item `g3=7` the value 7 in the third AllDifferent, which comments name.
    """
    if puzzle.board.others:
        rule = puzzle.board.others[0]
        raise Refused(f"{puzzle.name}: {rule.name} is no AllDifferent, and exact cover can say nothing else")
    if blocked:
        raise Refused("export exact-cover cannot exclude grids; leave out --block")
    return _lines(puzzle)


def _lines(puzzle: Puzzle) -> Iterator[str]:
    board, needed = puzzle.board, requirements(puzzle.board)
    values = range(1, board.values + 1)
    names = [board.label(cell) for cell in range(board.cells)]
    names += [f"g{number}={value}" for number in range(1, len(needed.groups) + 1) for value in values]
    for line in heading(puzzle, "export exact-cover"):
        yield f"| {line}\n"
    for number, group in enumerate(needed.groups, 1):
        yield f"| g{number} is {plain(group.name)}\n"
    secondary = names[needed.primary :]
    yield " ".join([*names[: needed.primary], *(["|", *secondary] if secondary else [])]) + "\n"
    for _, _, meets in actions(needed, puzzle):
        yield " ".join(names[requirement] for requirement in meets) + "\n"


TARGETS = (
    Target("exact-cover", "the matrix of exact cover, for dancing links", False, write, all_different_only=True),
)
