"""True candidates: the values that occur in at least one solution, and in how many."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain, islice
from itertools import count as numbers

from satdoku.backends import Budget, Ending
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.native_first import Account, NativeFirst
from satdoku.backends.schedule import NATIVE, SAT, Purpose
from satdoku.backends.stepping import NO_BOUND
from satdoku.constraints import Grid
from satdoku.counting.clues import clues_of, summable
from satdoku.encoders.cnf import Cnf
from satdoku.errors import InputError
from satdoku.implied import strengthened
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle, members, only
from satdoku.referee import accept
from satdoku.setter.partner import Partner, SharedResult
from satdoku.setter.swaps import swappable, swapped
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.techniques.support import support
from satdoku.verdict import Verdict, validate

FEW = 25  # solutions with each value that are found one by one before sums count all
PARTNER, SWAPS = "another worker", "values that change places"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """What a puzzle's solutions leave to each cell. Sets of values have bit v set for value v.

    counts:    for each cell, the solutions found with 1..N in it, at most `limit`
    limit:     how many were counted of each at most; None is all
    undecided: for each cell, the values that a timeout left open
    basic:     for each cell, the values that the givens leave to it by one constraint at a time
    equal:     undecided cells that hold the same value as each other in every solution, in groups;
               None if a timeout came first
    solutions: how many solutions were found, each accepted by the referee
    ending:    EXHAUSTED if these are all, LIMIT if the limit sufficed, TIMEOUT
    reason:    the givens that clash, where they decided it without a search
    counted_by: the method of a sum that counted all solutions; None if they were found one by one
    engines:   the backends whose searches decided it, in order; none where values that change places, or givens that
               clash, did
    tried:     the backends that were asked without an answer
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
    counted_by: str | None = None
    engines: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()

    @property
    def possible(self) -> tuple[int, ...]:
        """For each cell, the values that occur in some solution that was found."""
        return tuple(sum(2 << index for index, count in enumerate(row) if count) for row in self.counts)

    @property
    def decided(self) -> tuple[int, ...]:
        """The value that each cell has in every solution, 0 where it varies or may vary."""
        return tuple(0 if unknown else only(seen) for seen, unknown in zip(self.possible, self.undecided, strict=True))

    @property
    def hidden(self) -> tuple[int, ...]:
        """For each cell, the values that occur in no solution although no single constraint excludes them."""
        rows = zip(self.basic, self.possible, self.undecided, strict=True)
        return tuple(basic & ~seen & ~unknown for basic, seen, unknown in rows)

    @property
    def shares(self) -> tuple[tuple[float, ...], ...]:
        """For each cell, the part of the solutions that were counted with 1..N in it."""
        totals = (sum(row) or 1 for row in self.counts)
        return tuple(tuple(count / total for count in row) for row, total in zip(self.counts, totals, strict=True))

    @property
    def verdict(self) -> Verdict:
        """What this says of the number of solutions."""
        return Verdict.of(self.solutions, not any(self.undecided))


def survey(
    solver: IncrementalSolver, puzzle: Puzzle, limit: int | None, timeout: float | None, partner: Partner | None = None
) -> Candidates:
    """The values of each cell that occur in a solution, each with its solutions counted up to `limit` (None: all).

    solver:  may have the board loaded, and keeps it
    partner: shares what it finds with this survey

    Raises InputError for a limit below 1.
    """
    validate(Budget(None, timeout))
    if limit is not None and limit < 1:
        raise InputError(f"a limit of {limit} solutions: expected 1 or more")
    deadline = Deadline(timeout)
    clash = next(puzzle.clashes(), None)
    if clash is None and limit is None and summable(puzzle):
        return _summed(_searched(solver, puzzle, FEW, clash, deadline, partner), deadline)
    return _searched(solver, puzzle, limit, clash, deadline, partner)


def _summed(few: Candidates, deadline: Deadline) -> Candidates:
    """All solutions, by sums if there are more than a few."""
    from satdoku.counting.values import per_value

    known, many = replace(few, limit=None), few.ending is Ending.LIMIT
    counts = per_value(known.puzzle, deadline) if many else None
    if counts is None:
        return replace(known, ending=Ending.TIMEOUT) if many else known
    clues = clues_of(known.puzzle)
    assert clues is not None
    rows, by = tuple(map(tuple, counts)), clues.counted_by
    return replace(known, counts=rows, solutions=sum(rows[0]), ending=Ending.EXHAUSTED, counted_by=by)


def _searched(
    solver: IncrementalSolver,
    puzzle: Puzzle,
    limit: int | None,
    clash: str | None,
    deadline: Deadline,
    partner: Partner | None,
) -> Candidates:
    basic = basic_candidates(puzzle)
    native = NativeFirst()
    count = _CandidateCount(puzzle, limit, basic, native, deadline, partner)
    ending = Ending.TIMEOUT
    equal: tuple[tuple[int, ...], ...] | None = None
    few = native.first(puzzle, 2, deadline) if clash is None else []
    if few is not None and len(few) <= 1:
        ending, equal = count.finish(few), ()
    else:
        with suppress(TimeIsUp), bounded_time(deadline.left()):
            for grid in few or ():
                count.find(grid, NATIVE)
            count.search()
            if count.settled:
                ending, equal = count.finish(()), ()
            else:
                strong = replace(puzzle, board=strengthened(puzzle.board))
                cnf = solver.load_puzzle(strong)
                units, clauses = cnf.restrict(puzzle)
                with solver.temporary(clauses) as selector, solver.temporary() as blocking:
                    given = [*units, selector]
                    ending = count.run(solver, cnf, [*given, blocking])
                    equal = tuple(count.equal(solver, cnf, given))
    return Candidates(
        puzzle=puzzle,
        counts=tuple(map(tuple, count.counts)),
        limit=limit,
        undecided=tuple(count.undecided),
        basic=basic,
        equal=equal,
        solutions=count.solutions,
        ending=ending,
        reason=clash,
        engines=native.engines,
        tried=native.tried,
    )


class _CandidateCount:
    """Solutions that each have a cell and value not yet counted to the limit; when none is left, counts are exact.

    The compiled search is asked for each cell and value as long as it has credit, by the policy of CANDIDATES.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        limit: int | None,
        basic: tuple[int, ...],
        native: NativeFirst,
        deadline: Deadline,
        partner: Partner | None,
    ) -> None:
        self._puzzle, self._limit, self._native, self._deadline = puzzle, limit, native, deadline
        board = puzzle.board
        self.counts = [[0] * board.values for _ in range(board.cells)]
        self.undecided = list(basic)
        places = [(cell, value) for cell, allowed in enumerate(basic) for value in members(allowed)]
        self._partner, self._together = partner, partner is not None and partner.backwards
        self._wanted = dict.fromkeys(reversed(places) if self._together else places)
        self._alike: list[list[int]] = [list(range(board.cells))]
        self._known = dict[Grid, None]()
        self._account = Account(native.turn(Purpose.CANDIDATES, board), board.cells)
        self._tries = self._in_turn()
        if partner is not None and self._together:
            partner.send(SharedResult(limit))  # that it is there

    @property
    def solutions(self) -> int:
        return len(self._known)

    @property
    def settled(self) -> bool:
        """Whether nothing is left to ask: no cell and value, and no cells that may always be equal."""
        return not self._wanted and not self._maybe_equal()

    def _in_turn(self) -> Iterator[tuple[int, int, int]]:
        """What is wanted, cell by cell, each with the nodes that a search for it may take: more in each round."""
        for number in numbers():
            for cell, value in list(self._wanted):
                if (cell, value) in self._wanted:
                    yield cell, value, self._account.nodes(number)

    def search(self) -> None:
        """Look for what is wanted by the compiled search, then for grids that tell cells apart, as long as it has
        credit. Raises TimeIsUp."""
        most = NO_BOUND if self._limit is None else self._limit
        while self._receive() and self._account.left > 0:
            cell, value, nodes = next(self._tries)
            if self._some({cell: 1 << value}, most, nodes) is Ending.EXHAUSTED:
                self._settle([(cell, value)])
        while not self._wanted and self._account.left > 0 and (groups := self._maybe_equal()):
            first, other = groups[0][:2]
            value = next(value for value, many in enumerate(self.counts[first], 1) if many)
            if self._some({first: 1 << value, other: ~(1 << value)}, 1, self._account.nodes(0)) is Ending.EXHAUSTED:
                return

    def _some(self, sets: Mapping[int, int], most: int, nodes: int) -> Ending | None:
        """Count what the compiled search finds in so many nodes with these values in some cells, and how it ended."""
        self._deadline.check()
        if not self._account.allows(nodes):
            return None
        allowed = list(self._puzzle.candidates)
        for cell, values in sets.items():
            allowed[cell] &= values
        searched = self._native.some(replace(self._puzzle, candidates=tuple(allowed)), most, nodes, self._deadline)
        before = self.solutions
        for grid in searched.grids:
            self.find(grid, NATIVE)
        self._account.book(searched.work, self.solutions > before)
        return searched.ending

    def run(self, solver: IncrementalSolver, cnf: Cnf, given: Sequence[int]) -> Ending:
        """Find them all, or as many as the limit asks for. Raises TimeIsUp.

        given: literals that hold; the last is a selector, on which clauses that exclude what was found are hung
        """
        literals = {place: cnf.variables.equals(*place) for place in self._wanted}
        excluded = 0
        while self._receive():
            places = list(self._wanted)
            solver.set_phases([literals[place] for place in places])
            if self._together:
                del places[(len(places) + 1) // 2 :]  # the half at this end: the other one looks for the rest
            conflicts, before = solver.conflicts, len(self._wanted)
            with solver.temporary([[literals[place] for place in places]]) as some_wanted:
                while len(self._wanted) == before:
                    for grid in islice(self._known, excluded, None):
                        solver.add_clause(-given[-1], *cnf.block(grid))
                    excluded = self.solutions
                    model = solver.solve([*given, some_wanted], self._deadline)
                    self._native.note(SAT)
                    if model is None:
                        self._settle(places)
                    else:
                        self.find(cnf.read(model)[0], SAT)
            self._account.left += solver.conflicts - conflicts
            self.search()
        return self.finish(())

    def _maybe_equal(self) -> list[list[int]]:
        vary = [sum(map(bool, row)) > 1 for row in self.counts]
        return [group for group in self._alike if len(group) > 1 and vary[group[0]]]

    def equal(self, solver: IncrementalSolver, cnf: Cnf, given: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Groups of cells that vary and hold the same value in every solution: alike so far, then proven."""
        proven = set[tuple[int, int]]()

        def open_pair() -> tuple[int, int] | None:
            pairs = ((group[0], other) for group in self._maybe_equal() for other in group[1:])
            return next((pair for pair in pairs if pair not in proven), None)

        while (pair := open_pair()) is not None:
            model = self._apart(solver, cnf, given, *pair)
            self._native.note(SAT)
            if model is None:
                proven.add(pair)
            else:
                self.find(cnf.read(model)[0], SAT)  # which tells others apart, too
        yield from sorted(map(tuple, self._maybe_equal()))

    def _apart(
        self, solver: IncrementalSolver, cnf: Cnf, given: Sequence[int], first: int, other: int
    ) -> Sequence[int] | None:
        """A model in which two cells have different values."""
        equals = cnf.variables.equals
        values = [value for value, count in enumerate(self.counts[first], 1) if count]
        asked = (
            solver.solve([*given, equals(first, value), -equals(other, value)], self._deadline) for value in values
        )
        return next((model for model in asked if model is not None), None)

    def _receive(self) -> bool:
        """Take over what the partner has found; whether anything is still wanted."""
        for shared in self._partner.received() if self._partner is not None else ():
            self._together = True
            if shared.limit == self._limit:
                if shared.grid is not None and shared.grid not in self._known:
                    self._take(accept(self._puzzle, shared.grid, PARTNER))
                self._drop(shared.settled)
        return bool(self._wanted)

    def find(self, grid: Grid, engine: str) -> None:
        """Count a grid, and solutions like it that have something that is wanted. Raises TimeIsUp."""
        swaps = self._wanted and swappable(self._puzzle.board)
        like = swapped(self._puzzle, grid, self._wanted.keys()) if swaps else ()
        for number, each in enumerate(chain((grid,), like)):
            self._deadline.check()
            if each not in self._known:
                self._take(accept(self._puzzle, each, engine if number == 0 else SWAPS))
                if self._partner is not None:
                    self._partner.send(SharedResult(self._limit, each))

    def _settle(self, places: Sequence[tuple[int, int]]) -> None:
        self._drop(places)
        if self._partner is not None:
            self._partner.send(SharedResult(self._limit, settled=tuple(places)))

    def _drop(self, places: Sequence[tuple[int, int]]) -> None:
        """No further solution has one of these."""
        for cell, value in places:
            self._wanted.pop((cell, value), None)
            self.undecided[cell] &= ~(1 << value)

    def _take(self, grid: Grid) -> None:
        self._known[grid] = None
        for cell, value in enumerate(grid):
            row = self.counts[cell]
            if row[value - 1] != self._limit:
                row[value - 1] += 1
            if row[value - 1] == self._limit:
                self._wanted.pop((cell, value), None)
            self.undecided[cell] &= ~(1 << value)
        parts: defaultdict[tuple[int, int], list[int]] = defaultdict(list)
        for number, group in enumerate(self._alike):
            for cell in group:
                parts[number, grid[cell]].append(cell)
        self._alike = list(parts.values())

    def finish(self, few: Sequence[Grid]) -> Ending:
        """No solution but `few`, at most one, would raise a count: what has not been seen does not occur."""
        for grid in few if self.solutions == 0 else ():
            self._take(accept(self._puzzle, grid, NATIVE))
        self.undecided = [0] * self._puzzle.board.cells
        limited = any(count == self._limit for row in self.counts for count in row)
        return Ending.LIMIT if limited else Ending.EXHAUSTED


def basic_candidates(puzzle: Puzzle) -> tuple[int, ...]:
    """For each cell the values that the givens leave to it, each constraint looked at by itself.

    A given takes its value from the cells that differ from it; any other constraint is looked at once, by what
    `support` says that it leaves.
    """
    board = puzzle.board
    left = list(puzzle.domains)
    grid = puzzle.givens
    for group in board.all_different:
        taken = {grid[cell] for cell in group.cells}
        struck = sum(1 << value for value in taken)
        for cell in group.cells:
            if not grid[cell]:
                left[cell] &= ~struck
    basic = left[: board.cells]
    for constraint in board.others:
        for cell, supported in zip(dict.fromkeys(constraint.cells), support(constraint)(left), strict=True):
            if cell < board.cells and not grid[cell]:
                basic[cell] &= supported
    return tuple(basic)
