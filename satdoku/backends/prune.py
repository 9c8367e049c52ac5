"""The functional classic: prune the choices, give up where they are blocked, expand a cell, repeat.

After Bird, A program to solve Sudoku, Journal of Functional Programming, 2006. A state is a tuple
with the set of values that each cell may hold, and every function makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satdoku.backends import Engine, not_all_different
from satdoku.backends.clock import Deadline
from satdoku.backends.plain import Plain
from satdoku.constraints import Grid
from satdoku.puzzle import Puzzle, members, only

Choices = tuple[int, ...]
"""One set of candidates a cell, bit v for value v."""

Peers = Sequence[frozenset[int]]
"""For each cell the others that some AllDifferent holds apart from it."""


def single(choice: int) -> bool:
    """Whether exactly one value is left."""
    return choice & (choice - 1) == 0 and choice != 0


def prune(apart: Peers, choices: Choices, fresh: Iterable[int]) -> Choices:
    """Strike the values of the decided cells `fresh` from their peers, and so on, until no more cell is decided.

    It stops as soon as a cell has no value left; of two peers of one value it is the one struck first.
    """
    left, decided = list(choices), list(fresh)
    for cell in decided:
        value = left[cell]
        for peer in apart[cell]:
            if left[peer] & value:
                left[peer] ^= value
                if not left[peer]:
                    return tuple(left)
                if single(left[peer]):
                    decided.append(peer)
    return tuple(left)


def blocked(choices: Choices) -> bool:
    """Whether a cell has no value left."""
    return 0 in choices


def narrowest(choices: Choices) -> int | None:
    """The cell with the fewest choices of those that are not decided; None if all are."""
    undecided = (cell for cell, choice in enumerate(choices) if not single(choice))
    return min(undecided, key=lambda cell: choices[cell].bit_count(), default=None)


def expand(choices: Choices, cell: int) -> list[Choices]:
    """One state for each value of a cell."""
    return [(*choices[:cell], 1 << value, *choices[cell + 1 :]) for value in members(choices[cell])]


def search(apart: Peers, choices: Choices, deadline: Deadline) -> Iterator[Choices]:
    """Every way to decide all cells, depth first. Raises TimeIsUp at the deadline."""
    pending = [(choices, [cell for cell, choice in enumerate(choices) if single(choice)])]
    while pending:
        deadline.check()
        pruned = prune(apart, *pending.pop())
        if blocked(pruned):
            continue
        cell = narrowest(pruned)
        if cell is None:
            yield pruned
        else:
            pending += [(expanded, [cell]) for expanded in reversed(expand(pruned, cell))]


def grids(apart: Peers, puzzle: Puzzle, deadline: Deadline) -> Iterator[Grid]:
    """The grids of a puzzle."""
    for choices in search(apart, puzzle.candidates, deadline):
        yield tuple(map(only, choices))


ENGINES = (
    Engine(
        "prune",
        "the functional classic: prune, expand, repeat, in plain Python",
        lambda argument, encoding: Plain(lambda board: board.peers, grids, not_all_different),
        all_different_only=True,
    ),
)
