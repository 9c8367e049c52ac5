"""Why a puzzle has no solution, what keeps it from having only one, or how its solution follows step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import partial

from satdoku.backends import Budget, Ending
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.native_first import NativeFirst
from satdoku.backends.schedule import NATIVE, SAT
from satdoku.constraints import Grid
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle
from satdoku.referee import accept
from satdoku.setter.candidates import survey
from satdoku.setter.conflicts import conflicts
from satdoku.setter.cores import CoreStep, CoreSteps
from satdoku.setter.difficulty import Difficulty, parse_levels, rate, rated_by
from satdoku.setter.reasons import Guarantee, Reason, Theory
from satdoku.setter.solving import solving
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.techniques.ladder import grid_of
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step
from satdoku.verdict import Verdict, validate

TIMEOUT = 60.0  # seconds for a puzzle unless another number is named
PROOFS = 0.75  # the part of the timeout after which nothing is proven smallest any more
EFFORT = 5.0  # seconds for such proofs where they were not asked for
MAX_SOLUTIONS = 50  # solutions up to which a smallest set of further givens is sought over all of them


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
class Extent:
    """How far the steps of an explanation go; all the way if nothing is named.

    steps: so many
    until: to the first by this technique
    level: as far as the techniques of levels up to this one lead
    """

    steps: int | None = None
    until: str | None = None
    level: Level | None = None

    @classmethod
    def of(cls, steps: int | None = None, until: str | None = None, level: str | None = None) -> Extent:
        """Raises InputError for a technique or a level that is not known."""
        if until is not None:
            until = techniques().find(until).name
        return cls(steps, until, None if level is None else Level(parse_levels(level)[1]))

    @property
    def whole(self) -> bool:
        return self == Extent()

    def cut(self, steps: Iterable[Step | CoreStep]) -> Iterator[Step | CoreStep]:
        """The steps that are wanted."""
        for number, step in enumerate(steps, 1):
            yield step
            if number == self.steps or (isinstance(step, Step) and step.technique == self.until):
                return


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a puzzle has as many solutions as it has. What does not apply, or was not reached, is empty or None.

    verdict:    unsolvable, multiple, unique; undecided if the timeout came before it was known
    clashes:    unsolvable: the givens that break a constraint by themselves, a sentence each
    conflict:   unsolvable: givens and constraints that cannot all hold
    solutions:  the solution, or two that differ; each accepted by the referee
    vary:       multiple: the cells that do not have the same value in every solution; None if not reached
    completion: multiple: cells that would make it unique
    steps:      unique: by the simplest technique at each, or a core of SAT where none finds anything in the time;
                with smallest reasons all are cores
    difficulty: unique: by the same techniques
    ending:     EXHAUSTED if the explanation is complete, else TIMEOUT
    engines:    the backends whose searches it rests on, in order
    tried:      the backends that were asked without an answer
    """

    puzzle: Puzzle
    verdict: Verdict
    clashes: tuple[str, ...] = ()
    conflict: Reason | None = None
    solutions: tuple[Grid, ...] = ()
    vary: tuple[int, ...] | None = None
    completion: Completion | None = None
    steps: tuple[Step | CoreStep, ...] = ()
    difficulty: Difficulty | None = None
    ending: Ending = Ending.EXHAUSTED
    engines: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()


WHOLE = Extent()


def explained(
    solver: IncrementalSolver,
    puzzle: Puzzle,
    smallest: bool,
    timeout: float | None,
    extent: Extent = WHOLE,
    tell: Callable[[Reason], None] = lambda reason: None,
) -> Explanation:
    """Why a puzzle has no solution, several, or one; `solver` serves the cells that vary, and keeps the board loaded.

    smallest: prove that no smaller set of givens and constraints conflicts, or lets any value follow at a step; else,
              or where the timeout comes first, sets are irreducible: no part of one suffices
    extent:   how far the steps go; where they are not all, no difficulty follows
    tell:     called with each conflict that is found, the last of which is that of the explanation
    """
    validate(Budget(None, timeout))
    most = None if timeout is None else PROOFS * timeout
    if not smallest:
        most = EFFORT if most is None else min(EFFORT, most)
    deadline, proofs, native_first = Deadline(timeout), Deadline(most), NativeFirst()
    clashes = any(puzzle.clashes())  # which are explained even where no time is left
    with suppress(TimeIsUp), bounded_time(None if clashes else timeout), closing(Theory(puzzle)) as theory:
        explaining = _Explaining(theory, puzzle, solver, smallest, extent, tell, deadline, proofs, native_first)
        return replace(explaining.run(), engines=native_first.engines, tried=native_first.tried)
    return Explanation(puzzle=puzzle, verdict=Verdict.UNDECIDED, ending=Ending.TIMEOUT)


def reason_for(puzzle: Puzzle, cell: int, value: int, timeout: float | None) -> tuple[bool, Reason | None]:
    """Whether a cell may have a value; why it cannot, or must; None if some solutions have it and others do not.

    Raises TimeIsUp.
    """
    deadline = Deadline(timeout)
    with bounded_time(timeout), closing(Theory(puzzle)) as theory:
        literal = theory.variables.equals(cell, value)
        for goal in (literal, -literal):
            core = theory.core([goal], theory.everything, deadline)
            if core is not None:
                irreducible = theory.irreducible([goal], core, deadline)
                return goal < 0, theory.reason(irreducible, Guarantee.IRREDUCIBLE)
    return True, None


@dataclass(frozen=True, slots=True)
class _Explaining:
    """One puzzle. `deadline` is for all of it, `proofs` for what only proves that nothing is smaller."""

    theory: Theory
    puzzle: Puzzle
    solver: IncrementalSolver
    smallest: bool
    extent: Extent
    tell: Callable[[Reason], None]
    deadline: Deadline
    proofs: Deadline
    native_first: NativeFirst

    def run(self) -> Explanation:
        explanation = Explanation(puzzle=self.puzzle, verdict=Verdict.UNDECIDED, clashes=tuple(self.puzzle.clashes()))
        try:
            solutions = () if explanation.clashes else self._two()
        except TimeIsUp:
            return replace(explanation, ending=Ending.TIMEOUT)
        explanation = replace(explanation, solutions=solutions)
        if len(solutions) > 1:
            return self._multiple(replace(explanation, verdict=Verdict.MULTIPLE))
        if not solutions:
            conflict = self._conflict(bool(explanation.clashes))
            explanation = replace(explanation, verdict=Verdict.UNSOLVABLE, conflict=conflict)
            guarantees = [conflict.guarantee]
        else:
            explanation = self._unique(replace(explanation, verdict=Verdict.UNIQUE))
            guarantees = [step.reason.guarantee for step in explanation.steps if isinstance(step, CoreStep)]
        wanted = Guarantee.SMALLEST if self.smallest else Guarantee.IRREDUCIBLE
        return explanation if set(guarantees) <= {wanted} else replace(explanation, ending=Ending.TIMEOUT)

    def _two(self) -> tuple[Grid, ...]:
        def refereed(grids: list[Grid]) -> tuple[Grid, ...]:
            return tuple(accept(self.puzzle, grid, NATIVE) for grid in grids)

        def by_sat(deadline: Deadline) -> tuple[Grid, ...]:
            return tuple(self._solutions(2, deadline))

        return self.native_first.ask(self.puzzle, 2, refereed, by_sat, self.deadline)

    def _solutions(self, most: int, deadline: Deadline) -> Iterator[Grid]:
        theory = self.theory
        with theory.solver.temporary() as selector:
            for _ in range(most):
                model = theory.solver.solve([selector, *theory.everything], deadline)
                if model is None:
                    return
                grid = accept(self.puzzle, theory.variables.read(model)[0], SAT)
                theory.solver.add_clause(-selector, *(-literal for literal in theory.literals(grid)))
                yield grid

    def _conflict(self, clash: bool) -> Reason:
        """The best conflict that is found; `tell` gets each on the way."""
        best = self.theory.reason(self.theory.everything, Guarantee.NONE)
        better = conflicts(self.puzzle, clash=clash, smallest=self.smallest, deadline=self.deadline, proofs=self.proofs)
        for best in better:
            self.native_first.note(SAT)
            self.tell(best)
        return best

    def _multiple(self, explanation: Explanation) -> Explanation:
        left_over = survey(self.solver, explanation.puzzle, 1, self.deadline.timeout())
        self.native_first.note(*left_over.engines)
        self.native_first.note(*left_over.tried, answered=False)
        if left_over.ending is Ending.TIMEOUT:
            return replace(explanation, ending=Ending.TIMEOUT)
        vary = tuple(cell for cell, value in enumerate(left_over.decided) if not value)
        try:
            completion = self._completion(explanation.solutions[0], vary)
        except TimeIsUp:
            return replace(explanation, vary=vary, ending=Ending.TIMEOUT)
        cut = self.smallest and completion.guarantee is not Guarantee.SMALLEST
        ending = Ending.TIMEOUT if cut else Ending.EXHAUSTED
        return replace(explanation, vary=vary, completion=completion, ending=ending)

    def _completion(self, solution: Grid, vary: tuple[int, ...]) -> Completion:
        """A smallest set of cells whose values in a solution no other has; of the first solution, or if few of each."""
        best = self._apart(vary, solution, None)
        assert best is not None
        self.native_first.note(SAT)
        try:
            best = self._apart(vary, solution, len(best.cells)) or replace(best, guarantee=Guarantee.SMALLEST)
            if len(best.cells) == 1:
                return replace(best, over_all=True)
            every = list(self._solutions(MAX_SOLUTIONS + 1, self.proofs))
            if len(every) > MAX_SOLUTIONS:
                return best
            smallest = best
            for grid in every:
                smallest = self._apart(vary, grid, len(smallest.cells)) or smallest
            return replace(smallest, over_all=True)
        except TimeIsUp:
            return best

    def _apart(self, vary: tuple[int, ...], grid: Grid, than: int | None) -> Completion | None:
        """Cells whose values in `grid` no other solution has: a core against the clause that excludes those values.

        than: None if no cell can be left out; else the fewest there are, None if that is `than` or more
        """
        theory, everything = self.theory, self.theory.everything
        cells = {theory.variables.equals(cell, grid[cell]): cell for cell in vary}
        with theory.solver.temporary([[-literal for literal in cells]]) as selector:
            if than is None:
                goals, guarantee = [selector, *everything], Guarantee.IRREDUCIBLE
                core = theory.core(goals, list(cells), self.deadline)
                assert core is not None
                literals = theory.irreducible(goals, core, self.deadline)
            else:
                guarantee = Guarantee.SMALLEST
                smallest = theory.smaller(than, [selector], list(cells), self.proofs, everything)
                if smallest is None:
                    return None
                literals = smallest[1]
        return Completion(tuple(sorted(map(cells.__getitem__, literals))), grid, guarantee, False)

    def _unique(self, explanation: Explanation) -> Explanation:
        """How each value follows, and the difficulty."""
        solution, every = explanation.solutions[0], range(self.puzzle.board.cells)
        steps: list[Step | CoreStep] = []
        ending = Ending.EXHAUSTED
        try:
            cores = partial(CoreSteps, self.theory, self.puzzle, solution, every, self.deadline)
            following: Iterator[Step | CoreStep] = (
                cores().all(self.proofs)
                if self.smallest
                else solving(grid_of(self.puzzle, unique=True), every, self.deadline, cores, self.extent.level)
            )
            for step in self.extent.cut(following):
                steps.append(step)
        except TimeIsUp:
            ending = Ending.TIMEOUT
        if any(isinstance(step, CoreStep) for step in steps):
            self.native_first.note(SAT)
        if not self.extent.whole:
            return replace(explanation, steps=tuple(steps), ending=ending)
        rated = rate(self.puzzle, self.deadline.left()) if self.smallest else rated_by(self.puzzle, steps, ending)
        return replace(explanation, steps=tuple(steps), difficulty=rated, ending=ending)
