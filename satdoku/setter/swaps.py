"""Solutions from a solution, on boards of AllDifferents alone: two values change places in cells that see each other.

The cells of a grid that have one of two values fall into chains, in which each cell sees the next in some group: the
Kempe chains of graph colouring. Where the two change places in all of a chain, each group still differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from itertools import chain

from satdoku.backends.schedule import MAX_VALUES_ALONE
from satdoku.constraints import Grid
from satdoku.puzzle import Board, Puzzle

ValuePair = tuple[int, int]


def swappable(board: Board) -> bool:
    """Whether that is so, and to ask for another solution takes longer."""
    return board.values > MAX_VALUES_ALONE and not board.others and not board.auxiliary


def swapped(puzzle: Puzzle, grid: Grid, wanted: Set[ValuePair]) -> Iterator[Grid]:
    """Solutions like one of a puzzle whose board is swappable, each with a cell and value that is wanted by then, as
    long as rounds of pairs lead to some.

    >>> import satdoku
    >>> grid = tuple(map(int, "1234341221434321"))
    >>> next(swapped(satdoku.read("." * 16), grid, {(0, 2)}))
    (2, 1, 3, 4, 3, 4, 1, 2, 1, 2, 4, 3, 4, 3, 2, 1)
    """
    groups = [{grid[cell]: cell for cell in group.cells} for group in puzzle.board.all_different]
    found = True
    for pairs in _rounds(puzzle.board.values):
        if not found:
            return
        found, every = False, [_chains(grid, groups, pair) for pair in pairs]
        for turn in (0, 1):  # every second chain of a pair: else cells that are alike in one grid are so in all
            changed = list(grid)
            for after in chain.from_iterable(chains[turn::2] for chains in every):
                fits = all(puzzle.candidates[cell] >> value & 1 for cell, value in after.items())
                if fits and not wanted.isdisjoint(after.items()):
                    for cell, value in after.items():
                        changed[cell] = value
            if tuple(changed) != grid:
                found = True
                yield tuple(changed)


def _rounds(values: int) -> Iterator[list[ValuePair]]:
    """All pairs of the values 1..N, in rounds in which each value has one partner at most, as teams meet."""
    teams = [*range(1, values + 1), *[0] * (values % 2)]  # 0: the other one has no partner
    for _ in teams[1:]:
        half = len(teams) // 2
        yield [pair for pair in zip(teams[:half], reversed(teams[half:]), strict=True) if 0 not in pair]
        teams.insert(1, teams.pop())


def _chains(grid: Grid, groups: list[dict[int, int]], pair: ValuePair) -> list[Mapping[int, int]]:
    """The chains of two values, each as the values that its cells get."""
    near: dict[int, list[int]] = {}
    for group in groups:
        cells = [group[value] for value in pair if value in group]
        for cell in cells:
            near.setdefault(cell, []).extend(cells)
    chains: list[Mapping[int, int]] = []
    while near:
        after: dict[int, int] = {}
        todo = [next(iter(near))]
        while todo:
            cell = todo.pop()
            todo += near.pop(cell, ())
            after[cell] = sum(pair) - grid[cell]
        chains.append(after)
    return chains
