"""Exact cover, in the text form that Knuth's programs read (dlx1 and its like; TAOCP 7.2.2.1).

A line of items, `|` before those that are covered at most once; then an option a line. Lines that
begin with `|` are comments. Names are of at most eight characters, as dlx1 wants them, as long as
there are fewer than a thousand groups.
"""

from collections.abc import Iterator, Sequence

from satdoku.constraints import Grid
from satdoku.encoders import exact_cover
from satdoku.encoders.exact_cover import Items
from satdoku.exports import Target, heading, plain
from satdoku.puzzle import Puzzle


def write(puzzle: Puzzle, encoding: str | None, blocked: Sequence[Grid]) -> Iterator[str]:
    """Item `r1c1` is a filled cell, item `g3=7` the value 7 in the third AllDifferent; comments name these."""
    board, needed = puzzle.board, exact_cover.items(puzzle.board)
    names = [board.label(cell) for cell in range(board.cells)]
    names += [f"g{number}={value}" for number in range(1, len(needed.groups) + 1) for value in board.size.digits]
    alone = [cell for cell, groups in enumerate(needed.by_cell) if not groups]
    excluded = [_Excluded(number, puzzle, grid) for number, grid in enumerate(blocked, 1)]

    for line in [*heading(puzzle, "export exact-cover"), *_meanings(puzzle, needed, alone, excluded)]:
        yield f"| {line}\n"
    primary = names[: needed.primary] + [each.name for each in excluded]
    secondary = names[needed.primary :] + [f"c{cell + 1}={value}" for cell in alone for value in board.size.digits]
    secondary += [item for each in excluded for item in each.items()]
    yield " ".join([*primary, *(["|", *secondary] if secondary else [])]) + "\n"

    for cell, value, covered in exact_cover.options(needed, puzzle):
        items = [names[item] for item in covered]
        if len(covered) == 1:
            items.append(f"c{cell + 1}={board.shown(value)}")
        items += [item for each in excluded for item in each.meets(cell, value)]
        yield " ".join(items) + "\n"
    for each in excluded:
        yield from each.options()


class _Excluded:
    """A grid that must not come: one cell is the first in which a cover differs from it. Covers stay one to one.

    name:  a primary item; the option that covers it says which cell that is
    b1-17: secondary, cell 17 differs from the first such grid, or does not; b1+17: it is as in that grid
    """

    def __init__(self, number: int, puzzle: Puzzle, grid: Grid) -> None:
        self.name = f"b{number}"
        self._grid = grid
        candidates = enumerate(puzzle.candidates)
        self._free = dict.fromkeys(cell for cell, allowed in candidates if allowed & ~(1 << grid[cell]))

    def items(self) -> list[str]:
        return [f"{self.name}{sign}{cell + 1}" for cell in self._free for sign in "-+"]

    def meets(self, cell: int, value: int) -> list[str]:
        sign = "+" if value == self._grid[cell] else "-"
        return [f"{self.name}{sign}{cell + 1}"] if cell in self._free else []

    def options(self) -> Iterator[str]:
        """For each cell, that all before it are as in the grid and it is not."""
        same: list[str] = []
        for cell in self._free:
            yield " ".join([self.name, *same, f"{self.name}+{cell + 1}"]) + "\n"
            same.append(f"{self.name}-{cell + 1}")


def _meanings(puzzle: Puzzle, needed: Items, alone: list[int], excluded: list[_Excluded]) -> Iterator[str]:
    for number, group in enumerate(needed.groups, 1):
        yield f"g{number} is {plain(group.name)}"
    for cell in alone:
        yield f"c{cell + 1} is {puzzle.board.label(cell)}, which is in no group"
    for each in excluded:
        yield f"{each.name}: the first cell that differs from a grid that is excluded"


SUMMARY = "the matrix of exact cover, for dancing links"
TARGETS = (Target(name="exact-cover", summary=SUMMARY, write=write, all_different_only=True),)
