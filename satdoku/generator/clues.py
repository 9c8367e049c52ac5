"""Which values of a full grid stay as clues, by generators that ask how many solutions sets of givens have."""

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from satdoku.constraints import Grid
from satdoku.generator.grids import GridSource
from satdoku.generator.recipe import Recipe
from satdoku.system.clock import Deadline

MAX_SOLUTIONS, MAX_BY_SAT = 1_000, 20  # solutions that are counted of clues at fixed places; more are all the same
NEIGHBOURS, NEIGHBOURS_BY_SAT = 32, 4  # changes of the grid that are tried at once
MAX_ROUNDS = 60  # rounds of changes without a gain until a new grid


@dataclass(frozen=True, kw_only=True, slots=True)
class Trials:
    """How many solutions, up to `limit`, each row of givens has, shape (n, cells), 0 where none is given."""

    givens: NDArray[np.uint16]
    limit: int
    deadline: Deadline
    grid: Grid | None = None  # one solution of every row, where one is known
    since: tuple[int, ...] | None = None  # the cells that lack a given for `grid` to be the only solution


Asking = Generator[Trials, NDArray[np.int64], "ClueSet | None"]  # is sent counts, -1 for one that takes too much work


@dataclass(frozen=True, kw_only=True, slots=True)
class ClueSet:
    givens: Grid
    solution: Grid
    tried: int  # cells whose clue was taken away or shown to be needed as part of its orbit
    cut: bool  # whether some question was left open, since it takes too much work
    minimal: bool | None  # whether each given is needed; None if that was not asked

    @property
    def number(self) -> int:
        return sum(map(bool, self.givens))


def thinned(recipe: Recipe, source: GridSource, random: Random, deadline: Deadline) -> Asking:
    """A new grid, and its clues taken away orbit by orbit in a random order, those that are needed kept."""
    grid = source.draw(random, deadline)
    low, high = recipe.givens or (0, recipe.board.cells)
    stop = high if recipe.minimal else random.randint(low, high) if recipe.givens else 0
    orbits = list(recipe.symmetry.orbits(recipe.board.size))
    random.shuffle(orbits)
    givens = np.array(grid, np.uint16)
    left, tried, cut = recipe.board.cells, 0, False
    for orbit in orbits:
        if (left <= stop and not recipe.minimal) or left - len(orbit) < low:
            continue
        deadline.check()
        count, trial = yield from _without(givens, orbit, grid, deadline)
        if count == 1:
            givens, left = trial, left - len(orbit)
        cut |= count < 0
        tried += len(orbit) * (count >= 0)
    kept = tuple(givens.tolist())
    # Without partners each given was tried when there were more of them, and was needed even then.
    alone = len(orbits) == recipe.board.cells and tried == recipe.board.cells
    minimal: bool | None = True if alone else None
    if recipe.minimal and not alone:
        minimal = yield from _minimal(kept, grid, deadline)
    return ClueSet(givens=kept, solution=grid, tried=tried, cut=cut, minimal=minimal)


def _without(
    givens: NDArray[np.uint16], cells: Iterable[int], grid: Grid, deadline: Deadline
) -> Generator[Trials, NDArray[np.int64], tuple[int, NDArray[np.uint16]]]:
    """How many solutions there are without the givens of these cells, -1 if that takes too much work; what is left."""
    since, trial = tuple(cells), givens.copy()
    trial[list(since)] = 0
    counts = yield Trials(givens=trial[None], limit=2, deadline=deadline, grid=grid, since=since)
    return int(counts[0]), trial


def _minimal(givens: Grid, grid: Grid, deadline: Deadline) -> Generator[Trials, NDArray[np.int64], bool | None]:
    needed: bool | None = True
    cells = [cell for cell, value in enumerate(givens) if value]
    for cell in cells:
        count, _ = yield from _without(np.array(givens, np.uint16), (cell,), grid, deadline)
        if count == 1:
            return False
        needed = None if count < 0 else needed
    return needed


def fitted(recipe: Recipe, source: GridSource, random: Random, deadline: Deadline) -> Asking:
    """ClueSet at fixed places: of grids near a grid, the one whose clues leave the fewest solutions comes next."""
    assert recipe.pattern is not None
    places = np.zeros(recipe.board.cells, np.bool_)
    places[list(recipe.pattern)] = True
    most, width = (MAX_BY_SAT, NEIGHBOURS_BY_SAT) if recipe.board.others else (MAX_SOLUTIONS, NEIGHBOURS)
    grid = source.draw(random, deadline)
    best = most
    rows = np.array([grid], np.uint16)
    waited = 0
    while waited < MAX_ROUNDS:
        deadline.check()
        trials = np.where(places, rows, 0).astype(np.uint16)
        counts = yield Trials(givens=trials, limit=min(best + 1, most), deadline=deadline)
        known = np.where(counts < 0, most + 1, counts)
        place = int(known.argmin())
        waited = 0 if known[place] < best else waited + 1
        if known[place] <= best:
            grid, best = tuple(rows[place].tolist()), int(known[place])
        if best == 1:
            givens = tuple(np.where(places, rows[place], 0).tolist())
            minimal = (yield from _minimal(givens, grid, deadline)) if recipe.minimal else None
            return ClueSet(givens=givens, solution=grid, tried=len(recipe.pattern), cut=False, minimal=minimal)
        near = source.near(grid, random, width)
        if near is None:
            return None
        rows = near
    return None
