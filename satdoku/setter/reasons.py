"""Why something follows: few givens and named constraints that already force it, by cores and hitting sets.

Reasons are unsatisfiable subsets. A core is made irreducible by leaving out one element after the other;
a smallest one is found by implicit hitting sets (Ignatiev, Previti, Liffiton and Marques-Silva, Smallest MUS
extraction with minimal hitting set dualization, 2015), where one of several conclusions may be chosen (Bogaerts,
Gamba and Guns, A framework for step-wise explaining how to solve constraint satisfaction problems, 2021: OCUS).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import Enum
from functools import partial
from typing import Any

from satdoku.backends.incremental import IncrementalSolver, refusal, refuse_clauses
from satdoku.constraints import Constraint, Grid
from satdoku.encoders import selectors
from satdoku.encoders.cnf import DEFAULT, at_most_one_size, find
from satdoku.errors import Refused
from satdoku.puzzle import Board, Puzzle, members, only
from satdoku.setter.singles import singles
from satdoku.system.clock import Deadline, interruptible

MAX_EXPLAINED_CLAUSES = 5_000_000  # of a board that is explained: all of them are loaded, each with a selector


class Guarantee(Enum):
    """What is known of the size of a set: nothing smaller does; no part of it does; neither."""

    SMALLEST = "smallest"
    IRREDUCIBLE = "irreducible"
    NONE = "not shown irreducible"


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a cell: the set of values that it may hold, bit v for value v."""

    cell: int
    allowed: int

    def label(self, board: Board) -> str:
        """`r1c3=6`, or `r1c3 in 2,6`."""
        place = board.label(self.cell)
        value = only(self.allowed)
        if value:
            return f"{place}={board.shown(value)}"
        values = ",".join(board.texts(members(self.allowed)))
        return f"{place} in {values}" if values else f"{place} without values"


@dataclass(frozen=True, slots=True)
class Reason:
    """Facts and constraints, by name, that together leave no other way."""

    facts: tuple[Fact, ...]
    constraints: tuple[str, ...]
    guarantee: Guarantee

    @property
    def size(self) -> int:
        return len(self.facts) + len(self.constraints)


class Theory:
    """A puzzle's constraints and what is known of its cells, each by a literal that can be assumed or left out."""

    def __init__(self, puzzle: Puzzle, groups: Mapping[str, tuple[Constraint, ...]] | None = None) -> None:
        """groups: the constraints that have a literal together; those of one name if None."""
        spec = find(DEFAULT)
        reason = refusal(puzzle.board, spec)
        if reason:
            raise Refused(f"{puzzle.name}: {reason}")
        refuse_clauses(puzzle, at_most_one_size(puzzle.board, spec), MAX_EXPLAINED_CLAUSES)
        self.board = puzzle.board
        cnf = selectors.encode(puzzle.board, groups)
        self.variables = cnf.variables
        self._cells = cnf.cells
        self.solver = IncrementalSolver()
        self.solver.load(cnf.clauses)
        self._names = {literal: name for name, literal in cnf.selectors.items()}
        self.constraints = {literal: cnf.constraints[name] for literal, name in self._names.items()}
        # A constraint that is not assumed is best off: else a model of few of them takes a search for all.
        self.solver.set_phases(-literal for literal in self.constraints)
        self.facts: dict[int, Fact] = {}
        for cell, allowed in enumerate(puzzle.candidates):
            if allowed != puzzle.board.every_value:
                self.learn(Fact(cell, allowed))

    @property
    def everything(self) -> list[int]:
        return [*self.facts, *self.constraints]

    def literals(self, grid: Grid) -> list[int]:
        """What says that each cell has its value."""
        return [self.variables.equals(cell, value) for cell, value in enumerate(grid)]

    def learn(self, fact: Fact) -> None:
        value = only(fact.allowed)
        if value:
            self.facts[self.variables.equals(fact.cell, value)] = fact
            return
        literal = self.solver.new_selector()
        for removed in members(self.board.every_value & ~fact.allowed):
            self.solver.add_clause(-literal, -self.variables.equals(fact.cell, removed))
        self.facts[literal] = fact

    def reason(self, literals: Iterable[int], guarantee: Guarantee) -> Reason:
        """What these literals stand for, in the order of cells and of constraints."""
        chosen = set(literals)
        facts = sorted((self.facts[literal] for literal in chosen & self.facts.keys()), key=lambda fact: fact.cell)
        names = tuple(name for literal, name in self._names.items() if literal in chosen)
        return Reason(tuple(facts), names, guarantee)

    def name(self, literal: int) -> str:
        """What the constraints of a literal are called."""
        return self._names[literal]

    def cells_of(self, literal: int) -> set[int]:
        """The cells that the constraints of a literal look at."""
        return {cell for constraint in self.constraints[literal] for cell in constraint.cells}

    def singles(self) -> Iterator[tuple[int, list[int]]]:
        """The open cells that have a single, each once, and the elements that show it."""
        literals = {constraint: literal for literal, group in self.constraints.items() for constraint in group}
        known = {fact.cell: fact.allowed for fact in self.facts.values()}  # what was learned last of a cell
        fact_of = {fact.cell: literal for literal, fact in self.facts.items()}
        cores: dict[int, list[int]] = {}
        for cell, cells, rules in singles(self.board, known):
            core = [*dict.fromkeys(map(literals.__getitem__, rules)), *map(fact_of.__getitem__, cells)]
            if cell not in cores or len(core) < len(cores[cell]):
                cores[cell] = core
        yield from cores.items()

    def core(self, goals: Sequence[int], among: Sequence[int], deadline: Deadline) -> list[int] | None:
        """Some of `among` that leave no model with the `goals`; None if there is one."""
        if self.solver.solve([*goals, *among], deadline) is not None:
            return None
        used = set(self.solver.core())
        return [literal for literal in among if literal in used]

    def irreducible(self, goals: Sequence[int], core: Sequence[int], deadline: Deadline) -> list[int]:
        """A part of the core that cannot do without any of its elements; the last ones are left out first."""
        needed: list[int] = []
        left = list(core)
        while left:
            tried = left.pop()
            fewer = self.core(goals, [*needed, *left], deadline)
            if fewer is None:
                needed.append(tried)
            else:
                left = [literal for literal in left if literal in set(fewer)]
        return needed

    def smaller(
        self,
        than: int,
        goals: Sequence[int],
        elements: Sequence[int],
        deadline: Deadline,
        always: Sequence[int] = (),
        seen: list[Grid] | None = None,
    ) -> tuple[int, list[int]] | None:
        """A smallest core among `elements` and the goal it refutes; None for `than` or more. Raises TimeIsUp.

        goals: one is taken at a time, with `always`; seen: grids that calls came upon, to which these are added
        """
        seen = [] if seen is None else seen
        with closing(_Hitting(goals, deadline)) as hitting:
            for grid in seen:
                hitting.hit(self._excluded(goals, elements, grid))
            while True:
                goal, chosen = hitting.next()
                if len(chosen) >= than:
                    return None
                before = len(seen)
                for grid in self._grids_beyond(goal, chosen, elements, always, deadline):
                    seen.append(grid)
                    hitting.hit(self._excluded(goals, elements, grid))
                if len(seen) == before:
                    return goal, chosen

    def _grids_beyond(
        self, goal: int, chosen: Sequence[int], elements: Sequence[int], always: Sequence[int], deadline: Deadline
    ) -> Iterator[Grid]:
        """Grids that satisfy a goal and what was chosen, until all that was left out refutes it; none if the chosen
        elements are a core. Elements that a grid leaves out go in, so that the next grid leaves out none of them."""
        together = list(chosen)
        while (model := self.solver.solve([goal, *always, *together], deadline)) is not None:
            grid = self._grown([goal, *always], elements, model, deadline)
            together += self._false(elements, grid)
            yield grid

    def _excluded(self, goals: Sequence[int], elements: Sequence[int], grid: Grid) -> list[int]:
        """What a grid does not satisfy: a core has one of these elements, or is of one of these goals."""
        return [*self._false(elements, grid), *self._false_goals(goals, grid)]

    def _grown(self, held: list[int], elements: Sequence[int], model: list[int], deadline: Deadline) -> Grid:
        """A grid, auxiliary cells included, that satisfies what the model does of the elements, and as many more as
        one after the other adds."""
        grid = self._read(model)
        for literal in elements:
            if not self._holds(literal, grid):
                true = [other for other in elements if self._holds(other, grid)]
                better = self.solver.solve([*held, *true, literal], deadline)
                grid = grid if better is None else self._read(better)
        return grid

    def _read(self, model: list[int]) -> Grid:
        """The values of all cells, auxiliary cells after those of the grid."""
        (grid, _), true, cells = self.variables.read(model), set(model), self._cells
        hidden = range(len(grid), len(grid) + len(self.board.auxiliary))
        # A variable of which no clause speaks need not be in a model.
        return (*grid, *(next(v for v in cells.values_of(c) if -cells.equals(c, v) not in true) for c in hidden))

    def _false(self, literals: Sequence[int], grid: Grid) -> list[int]:
        return [literal for literal in literals if not self._holds(literal, grid)]

    def _false_goals(self, goals: Sequence[int], grid: Grid) -> list[int]:
        """The goals that a grid does not satisfy, of those that deny a cell its value; others always hold."""
        return [goal for goal in goals if goal < 0 and self._holds(-goal, grid)]

    def _holds(self, literal: int, grid: Grid) -> bool:
        if literal in self.constraints:
            return all(constraint.holds(grid) for constraint in self.constraints[literal])
        if literal in self.facts:
            fact = self.facts[literal]
            return bool(fact.allowed >> grid[fact.cell] & 1)
        cell, offset = divmod(literal - 1, self.board.values)
        return grid[cell] == offset + 1

    def close(self) -> None:
        self.solver.close()


class _Hitting:
    """Smallest sets with exactly one goal that hit every set they were given, by python-sat's Hitman."""

    def __init__(self, goals: Sequence[int], deadline: Deadline) -> None:
        from pysat.examples.hitman import Atom, Hitman

        self._goals, self._deadline = set(goals), deadline
        clauses: list[list[Any]] = [[Atom(goal) for goal in goals]]
        clauses += [[Atom(a, False), Atom(b, False)] for i, a in enumerate(goals) for b in goals[i + 1 :]]
        self._hitman = Hitman(subject_to=clauses, solver="g3", htype="sorted")

    def hit(self, together: Sequence[int]) -> None:
        self._hitman.hit(together)

    def next(self) -> tuple[int, list[int]]:
        """A goal and the elements beside it; raises TimeIsUp."""
        self._deadline.check()
        oracle = self._hitman.oracle
        model = interruptible(partial(oracle.compute, expect_interrupt=True), oracle.interrupt, self._deadline)
        assert model is not None, "each goal is one of the sets"
        chosen = [self._hitman.idpool.id2obj[variable] for variable in model if variable > 0]
        (goal,) = self._goals.intersection(chosen)
        return goal, [element for element in chosen if element != goal]

    def close(self) -> None:
        self._hitman.delete()
