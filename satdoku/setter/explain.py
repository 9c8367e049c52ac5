"""Why a puzzle has no solution, what keeps it from having only one, or how its solution follows step by step."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from random import Random

from satdoku.backends import Budget, Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import SOLVER, IncrementalSolver
from satdoku.constraints import Grid
from satdoku.puzzle import Puzzle
from satdoku.referee import accept
from satdoku.setter.candidates import survey
from satdoku.setter.reasons import Fact, Guarantee, Reason, Theory
from satdoku.verdict import Verdict, validate

MAX_TRIED = 10
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


@dataclass(frozen=True, slots=True, kw_only=True)
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
    """The same; `solver` serves the cells that vary, and keeps the board loaded."""
    validate(Budget(None, timeout))
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
    found = Explanation(puzzle=puzzle, verdict=Verdict.UNDECIDED, clashes=tuple(puzzle.clashes()))
    try:
        solutions = () if found.clashes else tuple(_solutions(theory, puzzle, 2, deadlines.all))
    except TimeIsUp:
        return replace(found, ending=Ending.TIMEOUT)
    found = replace(found, solutions=solutions)
    if not solutions:
        conflict = _conflict(theory, bool(found.clashes), smallest, deadlines)
        found = replace(found, verdict=Verdict.UNSOLVABLE, conflict=conflict)
        guarantees = [conflict.guarantee]
    elif len(solutions) > 1:
        return _multiple(solver, theory, replace(found, verdict=Verdict.MULTIPLE), smallest, deadlines)
    else:
        steps: list[Step] = []
        try:
            for step in _steps(theory, puzzle, solutions[0], smallest, deadlines):
                steps.append(step)
        except TimeIsUp:
            found = replace(found, ending=Ending.TIMEOUT)
        found = replace(found, verdict=Verdict.UNIQUE, steps=tuple(steps))
        guarantees = [step.reason.guarantee for step in steps]
    wanted = Guarantee.SMALLEST if smallest else Guarantee.IRREDUCIBLE
    reached = all(guarantee is wanted for guarantee in guarantees)
    return found if reached else replace(found, ending=Ending.TIMEOUT)


def _solutions(theory: Theory, puzzle: Puzzle, most: int, deadline: Deadline) -> Iterator[Grid]:
    """Up to `most` solutions."""
    with theory.solver.temporary() as selector:
        for _ in range(most):
            model = theory.solver.solve([selector, *theory.everything], deadline)
            if model is None:
                return
            grid = accept(puzzle, theory.variables.read(model)[0], SOLVER)
            theory.solver.add_clause(-selector, *(-literal for literal in theory.literals(grid)))
            yield grid


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
    solver: IncrementalSolver, theory: Theory, found: Explanation, smallest: bool, deadlines: Deadlines
) -> Explanation:
    """The cells that vary, and a smallest set of them that would make the puzzle unique."""
    left = deadlines.all.left()
    left_over = survey(solver, found.puzzle, 1, None if left is None else max(left, 1e-6))
    if left_over.ending is Ending.TIMEOUT:
        return replace(found, ending=Ending.TIMEOUT)
    vary = tuple(cell for cell, value in enumerate(left_over.decided) if not value)
    try:
        completion = _completion(theory, found, vary, deadlines)
    except TimeIsUp:
        return replace(found, vary=vary, ending=Ending.TIMEOUT)
    cut = smallest and completion.guarantee is not Guarantee.SMALLEST
    return replace(found, vary=vary, completion=completion, ending=Ending.TIMEOUT if cut else Ending.EXHAUSTED)


def _completion(theory: Theory, found: Explanation, vary: tuple[int, ...], deadlines: Deadlines) -> Completion:
    """A smallest set of cells whose values in a solution no other solution has.

    It is sought for the first solution, and if there are few for each of them. Raises TimeIsUp before there is
    an irreducible one.
    """
    with _apart(theory, vary, found.solutions[0]) as apart:
        best = Completion(apart.irreducible(deadlines.all), found.solutions[0], Guarantee.IRREDUCIBLE, False)
        try:
            fewer = apart.smaller(len(best.cells), deadlines.proofs)
            best = replace(best, cells=fewer or best.cells, guarantee=Guarantee.SMALLEST)
        except TimeIsUp:
            return best
    if len(best.cells) == 1:
        return replace(best, over_all=True)
    try:
        every = list(_solutions(theory, found.puzzle, MAX_SOLUTIONS + 1, deadlines.proofs))
        if len(every) > MAX_SOLUTIONS:
            return best
        smallest = best
        for grid in every:
            with _apart(theory, vary, grid) as apart:
                fewer = apart.smaller(len(smallest.cells), deadlines.proofs)
            if fewer:
                smallest = Completion(fewer, grid, Guarantee.SMALLEST, True)
        return replace(smallest, over_all=True)
    except TimeIsUp:
        return best


@contextmanager
def _apart(theory: Theory, vary: tuple[int, ...], grid: Grid) -> Iterator[_Apart]:
    """What tells `grid` from every other solution, among the cells that vary."""
    cells = {theory.variables.equals(cell, grid[cell]): cell for cell in vary}
    with theory.solver.temporary([[-literal for literal in cells]]) as selector:
        yield _Apart(theory, selector, cells)


@dataclass(frozen=True, slots=True)
class _Apart:
    """Sets of cells whose values no other solution has: cores against the clause that excludes those values."""

    theory: Theory
    selector: int
    cells: dict[int, int]

    def irreducible(self, deadline: Deadline) -> tuple[int, ...]:
        """A set that no cell can be left out of; raises TimeIsUp."""
        goals = [self.selector, *self.theory.everything]
        core = self.theory.core(goals, list(self.cells), deadline)
        assert core is not None
        return self._named(self.theory.irreducible(goals, core, deadline))

    def smaller(self, than: int, deadline: Deadline) -> tuple[int, ...] | None:
        """A smallest set, None if it has `than` cells or more; raises TimeIsUp."""
        found = self.theory.smaller(than, [self.selector], list(self.cells), deadline, self.theory.everything)
        return None if found is None else self._named(found[1])

    def _named(self, literals: list[int]) -> tuple[int, ...]:
        return tuple(sorted(self.cells[literal] for literal in literals))


def _steps(theory: Theory, puzzle: Puzzle, solution: Grid, smallest: bool, deadlines: Deadlines) -> Iterator[Step]:
    """The open cells of a unique puzzle, next the one that needs the smallest reason of those found.

    One core is taken for each open cell, with the constraints that see it first so that few others get into it;
    the smallest ones are made irreducible. A reason stays one when more is known, so the best of each cell are kept.
    """
    random = Random(0)
    goals = {-literal: cell for cell, literal in enumerate(theory.literals(solution)) if not puzzle.givens[cell]}
    near = {
        goal: {constraint for constraint in theory.constraints if cell in theory.cells_of(constraint)}
        for goal, cell in goals.items()
    }
    theory.solver.set_phases(theory.literals(solution))
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
        for goal, core in sorted(cores, key=lambda pair: len(pair[1]))[:MAX_TRIED]:
            reason = theory.irreducible([goal], core, deadlines.all)
            if goal not in best or len(reason) < len(best[goal]):
                best[goal] = reason
        goal = min(best, key=lambda goal: len(best[goal]))
        reason, guarantee = best[goal], Guarantee.IRREDUCIBLE
        if smallest:
            with suppress(TimeIsUp):
                found = theory.smaller(len(reason), list(goals), theory.everything, deadlines.proofs, seen=seen)
                goal, reason = found or (goal, reason)
                guarantee = Guarantee.SMALLEST
        cell = goals.pop(goal)
        best.pop(goal, None)
        yield Step(cell, solution[cell], theory.reason(reason, guarantee))
        theory.learn(Fact(cell, 1 << solution[cell]))
