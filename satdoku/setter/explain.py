"""Why a puzzle has no solution, what keeps it from having only one, or how its solution follows step by step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

from satdoku.backends import Budget, Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import IncrementalSolver
from satdoku.constraints import Grid
from satdoku.puzzle import Puzzle
from satdoku.setter.candidates import survey
from satdoku.setter.reasons import Fact, Guarantee, Reason, Theory, refereed
from satdoku.verdict import Verdict, sound

TRIED = 10
"""Cores of each step that are made irreducible, the smallest of one core for each open cell."""

TIMEOUT = 60.0
"""Seconds for a puzzle unless another number is named."""

PROOFS = 0.75
"""The part of the timeout after which nothing is proven smallest any more."""

EFFORT = 5.0
"""Seconds for such proofs where they were not asked for."""

MAX_SOLUTIONS = 50
"""Solutions up to which a smallest set of further givens is sought over all of them."""


@dataclass(frozen=True, slots=True)
class Step:
    """A value that follows from what is known before it: the givens, and the values of earlier steps."""

    cell: int
    value: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Completion:
    """Cells whose values in `grid`, if given as well, make the puzzle unique.

    guarantee: of the number of cells
    over_all:  whether that is over all solutions; else for this one
    """

    cells: tuple[int, ...]
    grid: Grid
    guarantee: Guarantee
    over_all: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a puzzle has as many solutions as it has. What does not apply, or was not reached, is empty or None.

    verdict:    unsolvable, multiple, unique; undecided if the timeout came before it was known
    clashes:    unsolvable: the givens that break a constraint by themselves, a sentence each
    conflict:   unsolvable: givens and constraints that cannot all hold
    solutions:  the solution, or two that differ; each accepted by the referee
    vary:       multiple: the cells that do not have the same value in every solution; None if not reached
    completion: multiple: cells that would make it unique
    steps:      unique: how each value follows
    ending:     EXHAUSTED if the explanation is complete, else TIMEOUT
    """

    puzzle: Puzzle
    verdict: Verdict
    clashes: tuple[str, ...] = ()
    conflict: Reason | None = None
    solutions: tuple[Grid, ...] = ()
    vary: tuple[int, ...] | None = None
    completion: Completion | None = None
    steps: tuple[Step, ...] = ()
    ending: Ending = Ending.EXHAUSTED


@dataclass(frozen=True, slots=True)
class Deadlines:
    """For all of it, and for what only proves that nothing is smaller, so that time is left to go on without."""

    all: Deadline
    proofs: Deadline


def explain(puzzle: Puzzle, *, smallest: bool = False, timeout: float | None = TIMEOUT) -> Explanation:
    """Why `puzzle` has no solution, several, or one.

    smallest: prove that no smaller set of givens and constraints conflicts, or lets any value follow at a
              step; else, or where the timeout comes first, sets are irreducible: no part of one suffices
    timeout:  seconds of search; what was established by then is kept
    Raises Refused for a board too large for clauses.
    """
    with IncrementalSolver() as solver:
        return explained(solver, puzzle, smallest, timeout)


def explained(solver: IncrementalSolver, puzzle: Puzzle, smallest: bool, timeout: float | None) -> Explanation:
    """The same; `solver` serves the cells that vary."""
    sound(Budget(None, timeout))
    theory = Theory(puzzle)
    most = None if timeout is None else PROOFS * timeout
    if not smallest:
        most = EFFORT if most is None else min(EFFORT, most)
    try:
        return _explained(solver, puzzle, theory, smallest, Deadlines(Deadline(timeout), Deadline(most)))
    finally:
        theory.close()


def _explained(
    solver: IncrementalSolver, puzzle: Puzzle, theory: Theory, smallest: bool, deadlines: Deadlines
) -> Explanation:
    clashes = tuple(puzzle.clashes())
    told = Explanation(puzzle, Verdict.UNDECIDED, clashes)
    try:
        solutions = () if clashes else tuple(_solutions(theory, puzzle, 2, deadlines.all))
    except TimeIsUp:
        return replace(told, ending=Ending.TIMEOUT)
    if not solutions:
        conflict = _conflict(theory, bool(clashes), smallest, deadlines)
        wanted = Guarantee.SMALLEST if smallest else Guarantee.IRREDUCIBLE
        ending = Ending.EXHAUSTED if conflict.guarantee is wanted else Ending.TIMEOUT
        return replace(told, verdict=Verdict.UNSOLVABLE, conflict=conflict, ending=ending)
    if len(solutions) > 1:
        found = replace(told, verdict=Verdict.MULTIPLE, solutions=solutions)
        return _multiple(solver, theory, found, smallest, deadlines)
    steps: list[Step] = []
    ending = Ending.EXHAUSTED
    try:
        for step in _steps(theory, puzzle, solutions[0], smallest, deadlines):
            steps.append(step)
    except TimeIsUp:
        ending = Ending.TIMEOUT
    if smallest and any(step.reason.guarantee is not Guarantee.SMALLEST for step in steps):
        ending = Ending.TIMEOUT
    return replace(told, verdict=Verdict.UNIQUE, solutions=solutions, steps=tuple(steps), ending=ending)


def _solutions(theory: Theory, puzzle: Puzzle, most: int, deadline: Deadline) -> Iterator[Grid]:
    """Up to `most` solutions."""
    selector = theory.solver.new_selector()
    try:
        for _ in range(most):
            model = theory.solver.solve([selector, *theory.everything], deadline)
            if model is None:
                return
            grid = refereed(puzzle, theory.variables.read(model)[0])
            theory.solver.add_clause(
                -selector, *(-theory.variables.equals(cell, value) for cell, value in enumerate(grid))
            )
            yield grid
    finally:
        theory.solver.release(selector)


def _conflict(theory: Theory, clash: bool, smallest: bool, deadlines: Deadlines) -> Reason:
    """Givens and constraints that cannot all hold, of one constraint where givens clash."""
    everything = theory.everything
    goal = theory.solver.new_selector()
    best, guarantee = everything, Guarantee.NONE
    try:
        core = _clash(theory, goal, deadlines.all) if clash else None
        best = core or theory.core([goal], everything, deadlines.all) or everything
        best, guarantee = theory.irreducible([goal], best, deadlines.all), Guarantee.IRREDUCIBLE
        if smallest:
            found = theory.smaller(len(best), [goal], everything, deadlines.proofs)
            best, guarantee = found[1] if found else best, Guarantee.SMALLEST
    except TimeIsUp:
        pass
    return theory.reason(best, guarantee)


def _clash(theory: Theory, goal: int, deadline: Deadline) -> list[int] | None:
    """What is known of a cell without candidates, or of the cells of one constraint, and that constraint."""
    for literal, fact in theory.facts.items():
        if not fact.allowed:
            return [literal]
    for constraint in theory.constraints:
        cells = theory.cells_of(constraint)
        facts = [literal for literal, fact in theory.facts.items() if fact.cell in cells]
        core = theory.core([goal], [*facts, constraint], deadline)
        if core is not None:
            return core
    return None


def _multiple(
    solver: IncrementalSolver, theory: Theory, told: Explanation, smallest: bool, deadlines: Deadlines
) -> Explanation:
    """The cells that vary, and a smallest set of them that would make the puzzle unique."""
    left = deadlines.all.left()
    found = survey(solver, told.puzzle, 1, None if left is None else max(left, 1e-6))
    if found.ending is Ending.TIMEOUT:
        return replace(told, ending=Ending.TIMEOUT)
    vary = tuple(cell for cell, value in enumerate(found.decided) if not value)
    try:
        completion = _completion(theory, told, vary, deadlines)
    except TimeIsUp:
        return replace(told, vary=vary, ending=Ending.TIMEOUT)
    cut = smallest and completion.guarantee is not Guarantee.SMALLEST
    return replace(told, vary=vary, completion=completion, ending=Ending.TIMEOUT if cut else Ending.EXHAUSTED)


def _completion(theory: Theory, told: Explanation, vary: tuple[int, ...], deadlines: Deadlines) -> Completion:
    """A smallest set of cells whose values in a solution no other solution has.

    It is sought for the first solution, and if there are few for each of them. Raises TimeIsUp before there is
    an irreducible one.
    """
    with _Apart(theory, vary, told.solutions[0]) as apart:
        best = Completion(apart.irreducible(deadlines.all), told.solutions[0], Guarantee.IRREDUCIBLE, False)
        try:
            found = apart.smaller(len(best.cells), deadlines.proofs)
            best = replace(best, cells=found or best.cells, guarantee=Guarantee.SMALLEST)
        except TimeIsUp:
            return best
    if len(best.cells) == 1:
        return replace(best, over_all=True)
    try:
        every = list(_solutions(theory, told.puzzle, MAX_SOLUTIONS + 1, deadlines.proofs))
        if len(every) > MAX_SOLUTIONS:
            return best
        smallest = best
        for grid in every:
            with _Apart(theory, vary, grid) as apart:
                found = apart.smaller(len(smallest.cells), deadlines.proofs)
            if found:
                smallest = Completion(found, grid, Guarantee.SMALLEST, True)
        return replace(smallest, over_all=True)
    except TimeIsUp:
        return best


class _Apart:
    """Sets of cells whose values in `grid` no other solution has: cores against the clause that excludes it."""

    def __init__(self, theory: Theory, vary: tuple[int, ...], grid: Grid) -> None:
        self._theory = theory
        self._selector = theory.solver.new_selector()
        theory.solver.add_clause(-self._selector, *(-theory.variables.equals(cell, grid[cell]) for cell in vary))
        self._always = theory.everything
        self._cells = {theory.variables.equals(cell, grid[cell]): cell for cell in vary}

    def __enter__(self) -> _Apart:
        return self

    def __exit__(self, *exception: object) -> None:
        self._theory.solver.release(self._selector)

    def irreducible(self, deadline: Deadline) -> tuple[int, ...]:
        """A set that no cell can be left out of; raises TimeIsUp."""
        goals = [self._selector, *self._always]
        core = self._theory.core(goals, list(self._cells), deadline)
        assert core is not None
        return self._named(self._theory.irreducible(goals, core, deadline))

    def smaller(self, than: int, deadline: Deadline) -> tuple[int, ...] | None:
        """A smallest set, None if it has `than` cells or more; raises TimeIsUp."""
        found = self._theory.smaller(than, [self._selector], list(self._cells), deadline, self._always)
        return None if found is None else self._named(found[1])

    def _named(self, literals: list[int]) -> tuple[int, ...]:
        return tuple(sorted(self._cells[literal] for literal in literals))


def _steps(theory: Theory, puzzle: Puzzle, solution: Grid, smallest: bool, deadlines: Deadlines) -> Iterator[Step]:
    """The open cells of a unique puzzle, next the one that needs the smallest reason of those found.

    One core is taken for each open cell, with the constraints that see it first so that few others get into it;
    the smallest ones are made irreducible. A reason stays one when more is known, so the best of each cell are kept.
    """
    random = Random(0)
    goals = {
        -theory.variables.equals(cell, solution[cell]): cell for cell, value in enumerate(puzzle.givens) if not value
    }
    near = {
        goal: {constraint for constraint in theory.constraints if cell in theory.cells_of(constraint)}
        for goal, cell in goals.items()
    }
    theory.solver.set_phases(theory.variables.equals(cell, value) for cell, value in enumerate(solution))
    best: dict[int, list[int]] = {}
    seen: list[Grid] = []
    while goals:
        facts, cores = [*theory.facts], []
        random.shuffle(facts)
        easy = [goal for goal in goals if not theory.solver.propagate([goal, *facts, *theory.constraints])[0]]
        for goal in easy or goals:
            constraints = random.sample([*theory.constraints], len(theory.constraints))
            constraints.sort(key=near[goal].__contains__, reverse=True)
            core = theory.core([goal], [*facts, *constraints], deadlines.all)
            assert core is not None
            cores.append((goal, core))
        for goal, core in sorted(cores, key=lambda pair: len(pair[1]))[:TRIED]:
            reason = theory.irreducible([goal], core, deadlines.all)
            if goal not in best or len(reason) < len(best[goal]):
                best[goal] = reason
        goal = min(best, key=lambda goal: len(best[goal]))
        reason, guarantee = best[goal], Guarantee.IRREDUCIBLE
        if smallest:
            with suppress(TimeIsUp):
                everything = theory.everything
                found = theory.smaller(len(reason), list(goals), everything, deadlines.proofs, seen=seen)
                goal, reason = found or (goal, reason)
                guarantee = Guarantee.SMALLEST
        cell = goals.pop(goal)
        best.pop(goal, None)
        yield Step(cell, solution[cell], theory.reason(reason, guarantee))
        theory.learn(Fact(cell, 1 << solution[cell]))
