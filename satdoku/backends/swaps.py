"""Solutions from a solution, on boards of AllDifferents alone, by values that change places.

Two values: the cells of a grid that have one of the two fall into chains, in which each cell sees the next in some
group: the Kempe chains of graph colouring. Where the two change places in all of a chain, each group still differs.

Two groups, such as two rows of a band: the cells of a column in both of them change places. Where the values that leave
one row are those that come to it, each group still differs: a row cycle of Latin squares (Wanless 2004).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import closing
from itertools import chain

from satdoku.backends import Drain, Ending, Search
from satdoku.backends.schedule import MAX_SOLUTIONS, MAX_VALUES_ALONE
from satdoku.constraints import Grid
from satdoku.puzzle import Board, Puzzle

ValuePair = tuple[int, int]
CellPairs = dict[int, tuple[int, int]]  # by the value of the first cell


def swappable(board: Board) -> bool:
    """Whether that is so, and to ask for another solution takes longer."""
    return board.values > MAX_VALUES_ALONE and not board.others and not board.auxiliary


def swapped(puzzle: Puzzle, grid: Grid, wanted: Set[ValuePair]) -> Iterator[Grid]:
    """Solutions like one of a puzzle whose board is swappable, each with a cell and value that is wanted by then, as
    long as rounds of pairs lead to some.

    >>> import satdoku
    >>> grid = tuple(map(int, "1234341221434321"))
    >>> next(swapped(satdoku.read("." * 16), grid, {(0, 4)}))
    (4, 2, 3, 1, 3, 1, 4, 2, 2, 4, 1, 3, 1, 3, 2, 4)
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


def with_swaps(search: Search, puzzle: Puzzle, most: int | None) -> Search:
    """A search for up to `most` solutions: of a swappable board, and where few are asked for, those like its first one
    come before its next."""
    if most is None or most > MAX_SOLUTIONS or not swappable(puzzle.board):
        return (yield from search)
    known = set[Grid]()
    drain = Drain(search)
    with closing(search):
        for grid in drain:
            for each in (grid,) if known else chain((grid,), exchanged(puzzle, grid)):
                if each not in known:
                    known.add(each)
                    yield each
                if len(known) == most:
                    return Ending.LIMIT
    return drain.result


def exchanged(puzzle: Puzzle, grid: Grid) -> Iterator[Grid]:
    """Solutions like one of a puzzle whose board is swappable, each by one cycle of two groups.

    >>> import satdoku
    >>> grid = tuple(map(int, "1234341221434321"))
    >>> next(exchanged(satdoku.read("." * 16), grid))
    (1, 4, 3, 2, 3, 2, 1, 4, 2, 1, 4, 3, 4, 3, 2, 1)
    """
    for pairs in _exchangeable(puzzle, grid):
        for cycle in _cycles(grid, pairs):
            changed = list(grid)
            for cell, other in cycle:
                changed[cell], changed[other] = grid[other], grid[cell]
            yield tuple(changed)


def _exchangeable(puzzle: Puzzle, grid: Grid) -> Iterator[CellPairs]:
    """For each two groups the cells of one and of the other that may change places: all their other groups are the
    same."""
    groups = puzzle.board.all_different
    of_cell: list[list[int]] = [[] for _ in grid]  # the groups of each cell that may hold another value
    for number, group in enumerate(groups):
        for cell in group.cells:
            if puzzle.candidates[cell] != 1 << grid[cell]:
                of_cell[cell].append(number)
    alike: dict[tuple[int, ...], list[tuple[int, int]]] = {}  # by all groups of a cell but one: that group, the cell
    for cell, numbers in enumerate(of_cell):
        for own in numbers if len(numbers) > 1 else ():
            alike.setdefault(_without(own, numbers), []).append((own, cell))
    for number, group in enumerate(groups):
        pairs: dict[int, CellPairs] = {}  # by the other group
        for cell in group.cells:
            for own, other in alike.get(_without(number, of_cell[cell]), ()):
                if own > number and _fit(puzzle, grid, cell, other):
                    pairs.setdefault(own, {})[grid[cell]] = cell, other
        yield from pairs.values()


def _without(own: int, numbers: list[int]) -> tuple[int, ...]:
    return tuple(number for number in numbers if number != own)


def _fit(puzzle: Puzzle, grid: Grid, cell: int, other: int) -> bool:
    """Whether each of two cells may hold the value of the other."""
    return bool(puzzle.candidates[cell] >> grid[other] & puzzle.candidates[other] >> grid[cell] & 1)


def _cycles(grid: Grid, pairs: CellPairs) -> Iterator[list[tuple[int, int]]]:
    """The pairs of cells by which all values that leave a group come back to it."""
    while pairs:
        first, pair = pairs.popitem()
        cycle = [pair]
        while (value := grid[cycle[-1][1]]) in pairs:
            cycle.append(pairs.pop(value))
        if value == first:
            yield cycle


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
