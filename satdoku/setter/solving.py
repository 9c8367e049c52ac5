"""Steps by techniques, and by cores of SAT where none of these finds anything in the time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from satdoku.constraints import Grid
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle
from satdoku.setter.cores import CoreStep, CoreSteps
from satdoku.setter.reasons import Theory
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.techniques.grid import CandidateGrid, cell_set
from satdoku.techniques.ladder import grid_of, next_step, ordered
from satdoku.techniques.step import Level, Step

MAX_SECONDS = 5.0  # for all techniques at one step; after that a core of SAT gives it, and forcing is not tried again


def solving(
    grid: CandidateGrid,
    cells: Iterable[int],
    deadline: Deadline,
    cores: Callable[[], CoreSteps],
    level: Level | None = None,
) -> Iterator[Step | CoreStep]:
    """Steps until these cells, which are alike in every solution, have their values.

    level: of the hardest techniques; the steps end where these lead no further, and no core is asked for

    Each step is in the grid when the next is sought; `cores` is called where the techniques reach no further. Raises
    TimeIsUp.
    """
    wanted, order, opened = cell_set(cells), ordered(hardest=level or Level.FORCING), None
    while grid.open & wanted:
        step: Step | CoreStep | None = None
        try:
            with bounded_time(deadline.within(MAX_SECONDS).left()):
                step = next_step(grid, order)
        except TimeIsUp:
            deadline.check()
            order = ordered(hardest=min(level or Level.CHAINS, Level.CHAINS))
        if step is None and level is not None:
            return
        if step is None:
            opened = opened or cores()
            for cell, value in enumerate(grid.values):
                if value:
                    opened.learn(cell)
            step = opened.next()
        yield step
        if isinstance(step, CoreStep):
            grid.place(step.cell, step.value)
        else:
            step.apply(grid)


def steps_of(
    puzzle: Puzzle, solution: Grid, cells: Iterable[int], unique: bool, timeout: float | None
) -> Iterator[Step | CoreStep]:
    """Steps until these cells have their values, which every solution has; the iterator ends early when the time is up.

    unique: whether the puzzle is known to have one solution
    """
    deadline, theories, chosen = Deadline(timeout), list[Theory](), tuple(cells)

    def cores() -> CoreSteps:
        theories.append(Theory(puzzle))
        return CoreSteps(theories[0], puzzle, solution, chosen, deadline)

    try:
        yield from solving(grid_of(puzzle, unique=unique), chosen, deadline, cores)
    except TimeIsUp:
        return
    finally:
        for theory in theories:
            theory.close()
