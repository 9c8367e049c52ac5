"""True candidates: the values that occur in at least one solution, and in how many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from satdoku.backends import Budget, Ending
from satdoku.backends.backtrack import possibility
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import IncrementalSolver
from satdoku.constraints import AllDifferent, Grid
from satdoku.errors import InputError
from satdoku.puzzle import Puzzle, members, only
from satdoku.setter.reasons import refereed
from satdoku.verdict import Verdict, sound


@dataclass(frozen=True, slots=True)
class Candidates:
    """What a puzzle's solutions leave to each cell. Sets of values have bit v set for value v.

    counts:    for each cell, the solutions found with 1..N in it, at most `limit`
    limit:     how many were counted of each at most; None is all
    undecided: for each cell, the values that a timeout left open
    basic:     for each cell, the values that the givens leave to it by one rule at a time
    equal:     undecided cells that hold the same value as each other in every solution, in groups;
               None if a timeout came first
    solutions: how many solutions were found, each accepted by the referee
    ending:    EXHAUSTED if these are all, LIMIT if the limit sufficed, TIMEOUT
    reason:    the givens that clash, where they decided it without a search
    """

    puzzle: Puzzle
    counts: tuple[tuple[int, ...], ...]
    limit: int | None
    undecided: tuple[int, ...]
    basic: tuple[int, ...]
    equal: tuple[tuple[int, ...], ...] | None
    solutions: int
    ending: Ending
    reason: str | None = None

    @property
    def possible(self) -> tuple[int, ...]:
        """For each cell, the values that occur in some solution that was found."""
        return tuple(sum(2 << index for index, count in enumerate(row) if count) for row in self.counts)

    @property
    def decided(self) -> tuple[int, ...]:
        """The value that each cell has in every solution, 0 where it varies or may vary."""
        pairs = zip(self.possible, self.undecided, strict=True)
        return tuple(0 if unknown else only(seen) for seen, unknown in pairs)

    @property
    def hidden(self) -> tuple[int, ...]:
        """For each cell, the values that occur in no solution although no basic rule excludes them."""
        rows = zip(self.basic, self.possible, self.undecided, strict=True)
        return tuple(basic & ~seen & ~unknown for basic, seen, unknown in rows)

    @property
    def verdict(self) -> Verdict:
        """What this says of the number of solutions."""
        if self.solutions > 1:
            return Verdict.MULTIPLE
        if any(self.undecided):
            return Verdict.UNDECIDED
        return Verdict.UNIQUE if self.solutions else Verdict.UNSOLVABLE


def candidates(puzzle: Puzzle, *, limit: int | None = 1, timeout: float | None = None) -> Candidates:
    """The values of each cell that occur in a solution, each with its solutions counted up to `limit` (None: all).

    timeout: seconds of search; what it leaves open is in `undecided`.
    Raises InputError for a limit below 1, Refused for a board too large for clauses.
    """
    with IncrementalSolver() as solver:
        return survey(solver, puzzle, limit, timeout)


def survey(solver: IncrementalSolver, puzzle: Puzzle, limit: int | None, timeout: float | None) -> Candidates:
    """The same with a solver that may have the board loaded, and keeps it."""
    sound(Budget(None, timeout))
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} solutions: expected 1 or more")
    board = puzzle.board
    clash = next(puzzle.clashes(), None)
    if clash is not None:
        none = (0,) * board.cells
        counts = ((0,) * board.values,) * board.cells
        return Candidates(puzzle, counts, limit, none, basic_candidates(puzzle), (), 0, Ending.EXHAUSTED, clash)
    count = _Count(solver, puzzle, limit, Deadline(timeout))
    equal: tuple[tuple[int, ...], ...] | None = None
    try:
        ending = count.run()
        equal = tuple(count.equal())
    except TimeIsUp:
        ending = Ending.TIMEOUT
    finally:
        count.close()
    return Candidates(
        puzzle,
        tuple(map(tuple, count.counts)),
        limit,
        tuple(count.undecided),
        count.basic,
        equal,
        count.solutions,
        ending,
    )


class _Count:
    """Solutions that differ, each of which has some cell and value that are not yet counted to the limit.

    When there is none left, every count below the limit is exact: one solve closes all of them at once.
    """

    def __init__(self, solver: IncrementalSolver, puzzle: Puzzle, limit: int | None, deadline: Deadline) -> None:
        self._solver, self._puzzle, self._limit, self._deadline = solver, puzzle, limit, deadline
        self._cnf = solver.load_puzzle(puzzle)
        self._units, clauses = self._cnf.restrict(puzzle)
        self._selector = solver.new_selector()
        for clause in clauses:
            solver.add_clause(-self._selector, *clause)
        board = puzzle.board
        self.counts = [[0] * board.values for _ in range(board.cells)]
        self.basic = basic_candidates(puzzle)
        self.undecided = list(self.basic)
        self.solutions = 0
        self._alike: list[list[int]] = [list(range(board.cells))]

    def run(self) -> Ending:
        """Find them all, or as many as the limit asks for."""
        board = self._puzzle.board
        wanted: dict[tuple[int, int], int] = {}
        for cell, allowed in enumerate(self.basic):
            wanted |= {(cell, value): self._equals(cell, value) for value in members(allowed)}
        clause = 0
        ending = Ending.EXHAUSTED
        fresh = True
        while True:
            if fresh:
                if clause:
                    self._solver.release(clause)
                clause = self._solver.new_selector()
                self._solver.add_clause(-clause, *wanted.values())
                self._solver.set_phases(wanted.values())
            grid = self._solve([clause])
            if grid is None:
                break
            self._solver.add_clause(-self._selector, *self._cnf.block(grid))
            before = len(wanted)
            for cell, value in enumerate(grid):
                if (cell, value) in wanted and self.counts[cell][value - 1] == self._limit:
                    del wanted[cell, value]
            fresh = len(wanted) < before
            if not wanted:
                ending = Ending.LIMIT
                break
        self._solver.release(clause)
        if any(count == self._limit for row in self.counts for count in row):
            ending = Ending.LIMIT
        self.undecided = [0] * board.cells
        return ending

    def equal(self) -> Iterator[tuple[int, ...]]:
        """Groups of cells that vary and hold the same value in every solution: alike so far, then proven."""
        vary = [sum(map(bool, row)) > 1 for row in self.counts]
        todo = [group for group in self._groups() if vary[group[0]]]
        while todo:
            first, *others = todo.pop()
            together = [first]
            for other in others:
                if self._always_equal(first, other):
                    together.append(other)
            apart = [cell for cell in others if cell not in together]
            if len(apart) > 1:
                todo.append(apart)
            if len(together) > 1:
                yield tuple(together)

    def close(self) -> None:
        self._solver.release(self._selector)

    def _groups(self) -> list[list[int]]:
        return sorted((group for group in self._alike if len(group) > 1), reverse=True)

    def _always_equal(self, first: int, other: int) -> bool:
        values = [value for value, count in enumerate(self.counts[first], 1) if count]
        return all(
            self._solver.solve([*self._units, self._equals(first, v), -self._equals(other, v)], self._deadline) is None
            for v in values
        )

    def _equals(self, cell: int, value: int) -> int:
        return self._cnf.variables.equals(cell, value)

    def _solve(self, more: Sequence[int]) -> Grid | None:
        model = self._solver.solve([*self._units, self._selector, *more], self._deadline)
        if model is None:
            return None
        grid = refereed(self._puzzle, self._cnf.read(model)[0])
        self.solutions += 1
        for cell, value in enumerate(grid):
            row = self.counts[cell]
            row[value - 1] = row[value - 1] + 1 if self._limit is None else min(self._limit, row[value - 1] + 1)
            self.undecided[cell] &= ~(1 << value)
        self._alike = [part for group in self._alike for part in _split(group, grid)]
        return grid


def _split(group: list[int], grid: Grid) -> Iterable[list[int]]:
    """The cells of a group by their values."""
    parts: dict[int, list[int]] = {}
    for cell in group:
        parts.setdefault(grid[cell], []).append(cell)
    return parts.values()


def basic_candidates(puzzle: Puzzle) -> tuple[int, ...]:
    """For each cell the values that the givens leave to it, each rule looked at by itself.

    A given takes its value from the cells that differ from it; any other rule is looked at once, as
    `backtrack` does, with the value in its place.
    """
    board = puzzle.board
    left = list(puzzle.candidates)
    grid = list(puzzle.givens)
    for rule in board.all_different:
        taken = 0
        for cell in rule.cells:
            taken |= 1 << grid[cell]
        for cell in rule.cells:
            if not grid[cell]:
                left[cell] &= ~taken
    found = list(left)
    for other in board.others:
        assert not isinstance(other, AllDifferent)
        possible = possibility(other)
        for cell in dict.fromkeys(other.cells):
            if grid[cell]:
                continue
            for value in members(found[cell]):
                grid[cell] = value
                if not possible(grid, left):
                    found[cell] &= ~(1 << value)
            grid[cell] = 0
    return tuple(found)
