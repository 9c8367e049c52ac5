"""Why a puzzle has no solution, what keeps it from having only one, or how its solution follows step by step."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from random import Random

from satdoku.backends import Budget, Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import SOLVER, IncrementalSolver
from satdoku.backends.native_first import NativeFirst
from satdoku.backends.schedule import NATIVE
from satdoku.constraints import Grid
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle
from satdoku.referee import accept
from satdoku.setter.candidates import survey
from satdoku.setter.difficulty import Difficulty, rate
from satdoku.setter.reasons import Fact, Guarantee, Reason, Theory
from satdoku.setter.techniques import Name
from satdoku.verdict import Verdict, validate

MAX_TRIED = 10  # cores of each step that are made irreducible, the smallest of one core for each open cell
TIMEOUT = 60.0  # seconds for a puzzle unless another number is named
PROOFS = 0.75  # the part of the timeout after which nothing is proven smallest any more
EFFORT = 5.0  # seconds for such proofs where they were not asked for
MAX_SOLUTIONS = 50  # solutions up to which a smallest set of further givens is sought over all of them


@dataclass(frozen=True, slots=True)
class Step:
    """A value that follows from what is known before it: the givens, and the values of earlier steps.

    technique: what people call a step for this reason; None if they have no name for it
    """

    cell: int
    value: int
    reason: Reason
    technique: Name | None


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
    difficulty: unique: by the simplest techniques, which need not be those of the steps
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
    difficulty: Difficulty | None = None
    ending: Ending = Ending.EXHAUSTED


def explained(solver: IncrementalSolver, puzzle: Puzzle, smallest: bool, timeout: float | None) -> Explanation:
    """Why a puzzle has no solution, several, or one; `solver` serves the cells that vary, and keeps the board loaded.

    smallest: prove that no smaller set of givens and constraints conflicts, or lets any value follow at a step; else,
              or where the timeout comes first, sets are irreducible: no part of one suffices
    """
    validate(Budget(None, timeout))
    most = None if timeout is None else PROOFS * timeout
    if not smallest:
        most = EFFORT if most is None else min(EFFORT, most)
    deadline, proofs = Deadline(timeout), Deadline(most)
    clashes = any(puzzle.clashes())  # which are explained even where no time is left
    with suppress(TimeIsUp), bounded_time(None if clashes else timeout), closing(Theory(puzzle)) as theory:
        return _Explaining(theory, puzzle, solver, smallest, deadline, proofs).run()
    return Explanation(puzzle=puzzle, verdict=Verdict.UNDECIDED, ending=Ending.TIMEOUT)


def steps(puzzle: Puzzle, solution: Grid, cells: Iterable[int], timeout: float | None) -> Iterator[Step]:
    """How the values of these cells follow, which every solution has; the iterator ends early when the time is up."""
    deadline = Deadline(timeout)
    try:
        with bounded_time(timeout):
            theory = Theory(puzzle)
    except TimeIsUp:
        return
    with closing(theory), IncrementalSolver() as solver, suppress(TimeIsUp):
        yield from _Explaining(theory, puzzle, solver, False, deadline, deadline).steps(solution, cells)


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
    deadline: Deadline
    proofs: Deadline

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
            explanation = replace(explanation, difficulty=rate(self.puzzle, self.deadline.left()))
            steps: list[Step] = []
            try:
                for step in self.steps(solutions[0], range(self.puzzle.board.cells)):
                    steps.append(step)
            except TimeIsUp:
                explanation = replace(explanation, ending=Ending.TIMEOUT)
            explanation = replace(explanation, verdict=Verdict.UNIQUE, steps=tuple(steps))
            guarantees = [step.reason.guarantee for step in steps]
        wanted = Guarantee.SMALLEST if self.smallest else Guarantee.IRREDUCIBLE
        return explanation if set(guarantees) <= {wanted} else replace(explanation, ending=Ending.TIMEOUT)

    def _two(self) -> tuple[Grid, ...]:
        def refereed(grids: list[Grid]) -> tuple[Grid, ...]:
            return tuple(accept(self.puzzle, grid, NATIVE) for grid in grids)

        def by_sat(deadline: Deadline) -> tuple[Grid, ...]:
            return tuple(self._solutions(2, deadline))

        return NativeFirst().ask(self.puzzle, 2, refereed, by_sat, self.deadline)

    def _solutions(self, most: int, deadline: Deadline) -> Iterator[Grid]:
        theory = self.theory
        with theory.solver.temporary() as selector:
            for _ in range(most):
                model = theory.solver.solve([selector, *theory.everything], deadline)
                if model is None:
                    return
                grid = accept(self.puzzle, theory.variables.read(model)[0], SOLVER)
                theory.solver.add_clause(-selector, *(-literal for literal in theory.literals(grid)))
                yield grid

    def _conflict(self, clash: bool) -> Reason:
        theory, everything = self.theory, self.theory.everything
        goal = theory.solver.new_selector()
        best, guarantee = everything, Guarantee.NONE
        with suppress(TimeIsUp):
            core = self._clash(goal) if clash else None
            best = core or theory.core([goal], everything, self.deadline) or everything
            best, guarantee = theory.irreducible([goal], best, self.deadline), Guarantee.IRREDUCIBLE
            if self.smallest:
                smallest = theory.smaller(len(best), [goal], everything, self.proofs)
                best, guarantee = smallest[1] if smallest else best, Guarantee.SMALLEST
        return theory.reason(best, guarantee)

    def _clash(self, goal: int) -> list[int] | None:
        """What is known of a cell without candidates, or of the cells of one constraint, and that constraint."""
        theory = self.theory
        for literal, fact in theory.facts.items():
            if not fact.allowed:
                return [literal]
        for constraint in theory.constraints:
            cells = theory.cells_of(constraint)
            facts = [literal for literal, fact in theory.facts.items() if fact.cell in cells]
            core = theory.core([goal], [*facts, constraint], self.deadline)
            if core is not None:
                return core
        return None

    def _multiple(self, explanation: Explanation) -> Explanation:
        left = self.deadline.left()
        left_over = survey(self.solver, explanation.puzzle, 1, None if left is None else max(left, 1e-6))
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

    def steps(self, solution: Grid, cells: Iterable[int]) -> Iterator[Step]:
        return iter(_Steps(self, solution, cells))


class _Steps:
    """How the open ones of some cells, which are alike in every solution, follow one after the other.

    A goal is the literal that denies a cell its value; its reasons are cores against it. Singles come first, with what
    shows them. Where there is none, one core is taken for each goal, and the smallest are made irreducible. A reason
    stays one when more is known, so the best of each goal are kept.
    """

    def __init__(self, work: _Explaining, solution: Grid, cells: Iterable[int]) -> None:
        self._work, self._theory, self._solution = work, work.theory, solution
        literals, givens, theory = work.theory.literals(solution), work.puzzle.givens, work.theory
        self._goals = {-literals[cell]: cell for cell in cells if not givens[cell]}
        self._near = {
            goal: {constraint for constraint in theory.constraints if cell in theory.cells_of(constraint)}
            for goal, cell in self._goals.items()
        }
        self._best: dict[int, list[int]] = {}  # the smallest reason of each goal so far
        self._seen: list[Grid] = []
        self._random = Random(0)
        theory.solver.set_phases(literals)

    def __iter__(self) -> Iterator[Step]:
        while self._goals:
            singles = self._singles()
            self._shorten(self._better(singles) if singles else list(self._cores()))
            goal, reason, guarantee = self._smallest(self._next_goal(singles))
            cell = self._goals.pop(goal)
            self._best.pop(goal, None)
            value, why = self._solution[cell], self._theory.reason(reason, guarantee)
            yield Step(cell, value, why, self._theory.technique(why, cell, value))
            self._theory.learn(Fact(cell, 1 << value))

    def _singles(self) -> dict[int, list[int]]:
        """What shows each goal whose cell has a single."""
        equals = self._theory.variables.equals
        return {-equals(cell, self._solution[cell]): core for cell, core in self._theory.singles()}

    def _better(self, cores: Mapping[int, list[int]]) -> list[tuple[int, list[int]]]:
        """The cores that are smaller than the best reason of their goal."""
        best = self._best
        return [(goal, core) for goal, core in cores.items() if goal not in best or len(core) < len(best[goal])]

    def _cores(self) -> Iterator[tuple[int, list[int]]]:
        """A core for each goal; if propagation refutes some, for these alone.

        The constraints that see the cell of the goal come first, so that few others get into its core.
        """
        theory, random = self._theory, self._random
        facts = [*theory.facts]
        random.shuffle(facts)
        easy = [goal for goal in self._goals if not theory.solver.propagate([goal, *facts, *theory.constraints])[0]]
        for goal in easy or self._goals:
            constraints = random.sample([*theory.constraints], len(theory.constraints))
            constraints.sort(key=self._near[goal].__contains__, reverse=True)
            core = theory.core([goal], [*facts, *constraints], self._work.deadline)
            assert core is not None
            yield goal, core

    def _shorten(self, cores: list[tuple[int, list[int]]]) -> None:
        """Make the smallest of these cores irreducible, and keep those that are the best of their goals."""
        for goal, core in sorted(cores, key=lambda pair: len(pair[1]))[:MAX_TRIED]:
            reason = self._theory.irreducible([goal], core, self._work.deadline)
            if goal not in self._best or len(reason) < len(self._best[goal]):
                self._best[goal] = reason

    def _next_goal(self, singles: Mapping[int, list[int]]) -> int:
        """The goal with the smallest reason; one with a single if there is any."""
        best = self._best
        return min(best.keys() & singles.keys() or best, key=lambda goal: (len(best[goal]), -goal))

    def _smallest(self, goal: int) -> tuple[int, list[int], Guarantee]:
        """A goal with a smallest reason if that is asked for and found in time, else this one with its best."""
        reason = self._best[goal]
        if self._work.smallest:
            theory, proofs = self._theory, self._work.proofs
            with suppress(TimeIsUp):
                smallest = theory.smaller(len(reason), list(self._goals), theory.everything, proofs, seen=self._seen)
                return (*(smallest or (goal, reason)), Guarantee.SMALLEST)
        return goal, reason, Guarantee.IRREDUCIBLE
