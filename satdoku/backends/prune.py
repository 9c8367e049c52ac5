"""The functional classic: prune the choices, give up where they are blocked, expand a cell, repeat.

After Bird, A program to solve Sudoku, Journal of Functional Programming, 2006. A state is a tuple
with the set of values that each cell may hold, and every function makes a new one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from satdoku.backends import Budget, Ending, Engine, Search, not_all_different
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.live import Live
from satdoku.puzzle import Board, Puzzle, members, only

Choices = tuple[int, ...]
"""One set of candidates a cell, bit v for value v."""

Houses = Sequence[tuple[int, ...]]
"""The cells of each AllDifferent."""


def single(choice: int) -> bool:
    """Whether one value is left."""
    return choice & (choice - 1) == 0 and choice != 0


def prune(houses: Houses, choices: Choices) -> Choices:
    """Strike the values of decided cells from the rest of their houses, until nothing changes."""
    pruned = reduce(prune_house, houses, choices)
    return pruned if pruned == choices else prune(houses, pruned)


def prune_house(choices: Choices, cells: tuple[int, ...]) -> Choices:
    """Strike the values of a house's decided cells from its other cells."""
    decided = reduce(or_, (choices[cell] for cell in cells if single(choices[cell])), 0)
    struck = {cell: choices[cell] & ~decided for cell in cells if not single(choices[cell]) and choices[cell] & decided}
    return tuple(struck.get(cell, choice) for cell, choice in enumerate(choices)) if struck else choices


def blocked(houses: Houses, choices: Choices) -> bool:
    """Whether a cell has no value left, or a house has two decided cells of one value."""
    return 0 in choices or not all(consistent([choices[cell] for cell in cells]) for cells in houses)


def consistent(house: Sequence[int]) -> bool:
    """Whether decided cells differ."""
    decided = [choice for choice in house if single(choice)]
    return len(set(decided)) == len(decided)


def expand(choices: Choices) -> list[Choices]:
    """One state for each value of a cell with the fewest choices; none if every cell is decided."""
    undecided = (cell for cell, choice in enumerate(choices) if not single(choice))
    cell = min(undecided, key=lambda cell: choices[cell].bit_count(), default=None)
    if cell is None:
        return []
    return [(*choices[:cell], 1 << value, *choices[cell + 1 :]) for value in members(choices[cell])]


def search(houses: Houses, choices: Choices, deadline: Deadline) -> Iterator[Choices]:
    """Every way to decide all cells, depth first. Raises TimeIsUp at the deadline."""
    pending = [choices]
    while pending:
        deadline.check()
        pruned = prune(houses, pending.pop())
        if blocked(houses, pruned):
            continue
        expanded = expand(pruned)
        if not expanded:
            yield pruned
        pending += reversed(expanded)


class Prune:
    """Nothing is kept between puzzles."""

    def __init__(self) -> None:
        self._live = Live()

    def refuses(self, board: Board) -> str | None:
        return not_all_different(board)

    def load(self, board: Board) -> None:
        """There is nothing to ready."""

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        return self._live.start(self._run(puzzle, budget))

    def close(self) -> None:
        self._live.close()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        if budget.solutions == 0:
            return Ending.LIMIT
        houses = [rule.cells for rule in puzzle.board.all_different]
        found = 0
        try:
            for choices in search(houses, puzzle.candidates, Deadline(budget.seconds)):
                found += 1
                yield tuple(map(only, choices))
                if found == budget.solutions:
                    return Ending.LIMIT
        except TimeIsUp:
            return Ending.TIMEOUT
        return Ending.EXHAUSTED


ENGINES = (
    Engine(
        "prune",
        "the functional classic: prune, expand, repeat, in plain Python",
        lambda argument, encoding: Prune(),
        all_different_only=True,
    ),
)
