"""Steps by cores of SAT: what no technique reaches, and the smallest reasons there are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from satdoku.constraints import Grid
from satdoku.puzzle import Puzzle
from satdoku.setter.reasons import Fact, Guarantee, Reason, Theory
from satdoku.system.clock import Deadline, TimeIsUp

MAX_TRIED = 10  # cores of each step that are made irreducible, the smallest of one core for each open cell


@dataclass(frozen=True, slots=True)
class CoreStep:
    """A value that follows from what is known before it, the givens and earlier values, by an unsatisfiable core."""

    cell: int
    value: int
    reason: Reason


class CoreSteps:
    """How the open ones of some cells, which are alike in every solution, follow one after the other.

    A goal is the literal that denies a cell its value; its reasons are cores against it. Singles come first, with what
    shows them. Where there is none, one core is taken for each goal, and the smallest are made irreducible. A reason
    stays one when more is known, so the best of each goal are kept.
    """

    def __init__(
        self, theory: Theory, puzzle: Puzzle, solution: Grid, cells: Iterable[int], deadline: Deadline
    ) -> None:
        """deadline: of everything, TimeIsUp is raised there."""
        self._theory, self._solution, self._deadline = theory, solution, deadline
        literals, givens = theory.literals(solution), puzzle.givens
        self._literals = literals
        self._goals = {-literals[cell]: cell for cell in cells if not givens[cell]}
        self._near = {
            goal: {constraint for constraint in theory.constraints if cell in theory.cells_of(constraint)}
            for goal, cell in self._goals.items()
        }
        self._best: dict[int, list[int]] = {}  # the smallest reason of each goal so far
        self._seen: list[Grid] = []
        self._random = Random(0)
        theory.solver.set_phases(literals)

    def all(self, proofs: Deadline) -> Iterator[CoreStep]:
        """Every step, with a smallest reason as long as the time of `proofs` is not up."""
        while self._goals:
            step = self.next(proofs)
            yield step
            self.learn(step.cell)

    def learn(self, cell: int) -> None:
        """Take the value of a cell as known."""
        goal = -self._literals[cell]
        if goal in self._goals:
            del self._goals[goal]
            self._best.pop(goal, None)
            self._theory.learn(Fact(cell, 1 << self._solution[cell]))

    def next(self, proofs: Deadline | None = None) -> CoreStep:
        """The step with the smallest reason that was found; a smallest that there is, if `proofs` gives time for it."""
        singles = self._singles()
        self._shorten(self._better(singles) if singles else list(self._cores()))
        goal = min(self._best.keys() & singles.keys() or self._best, key=lambda goal: (len(self._best[goal]), -goal))
        reason, guarantee = self._best[goal], Guarantee.IRREDUCIBLE
        if proofs is not None:
            theory = self._theory
            with suppress(TimeIsUp):
                smallest = theory.smaller(len(reason), list(self._goals), theory.everything, proofs, seen=self._seen)
                goal, reason = smallest or (goal, reason)
                guarantee = Guarantee.SMALLEST
        cell = self._goals[goal]
        return CoreStep(cell, self._solution[cell], self._theory.reason(reason, guarantee))

    def _singles(self) -> dict[int, list[int]]:
        """What shows each goal whose cell has a single."""
        singles = {-self._literals[cell]: core for cell, core in self._theory.singles()}
        return {goal: core for goal, core in singles.items() if goal in self._goals}

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
            core = theory.core([goal], [*facts, *constraints], self._deadline)
            assert core is not None
            yield goal, core

    def _shorten(self, cores: list[tuple[int, list[int]]]) -> None:
        """Make the smallest of these cores irreducible, and keep those that are the best of their goals."""
        for goal, core in sorted(cores, key=lambda pair: len(pair[1]))[:MAX_TRIED]:
            reason = self._theory.irreducible([goal], core, self._deadline)
            if goal not in self._best or len(reason) < len(self._best[goal]):
                self._best[goal] = reason
