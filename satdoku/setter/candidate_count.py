"""Solutions that show each candidate, by the compiled search and a SAT solver."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from itertools import count as numbers

from satdoku.backends import Ending
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.native_first import NativeFirst, stage
from satdoku.backends.schedule import NATIVE, SAT, Account, Purpose, carry_out
from satdoku.backends.stepping import NO_BOUND
from satdoku.backends.swaps import swappable, swapped
from satdoku.constraints import Grid
from satdoku.encoders.cnf import Cnf
from satdoku.implied import strengthened
from satdoku.puzzle import Puzzle, members
from satdoku.referee import accept
from satdoku.setter.partner import Partner, SharedResult
from satdoku.system.clock import Deadline

PARTNER, SWAPS = "another worker", "values that change places"


class CandidateCount:
    """Solutions that each have a cell and value not yet counted to the limit; when none is left, counts are exact.

    Then grids in which cells differ that were the same so far. The policy of CANDIDATES says which engine looks for
    them.
    """

    def __init__(
        self,
        solver: IncrementalSolver,
        puzzle: Puzzle,
        limit: int | None,
        basic: tuple[int, ...],
        native: NativeFirst,
        deadline: Deadline,
        partner: Partner | None,
    ) -> None:
        self._solver, self._puzzle, self._limit = solver, puzzle, limit
        self._native, self._deadline = native, deadline
        board = puzzle.board
        self.counts = [[0] * board.values for _ in range(board.cells)]
        self.undecided = list(basic)
        places = [(cell, value) for cell, allowed in enumerate(basic) for value in members(allowed)]
        self._partner, self._together = partner, partner is not None and partner.backwards
        self._wanted = dict.fromkeys(reversed(places) if self._together else places)
        self._alike: list[list[int]] = [list(range(board.cells))]
        self._always_equal = set[tuple[int, int]]()  # proven so
        self._known = dict[Grid, None]()
        self._excluded = 0  # of the known ones, those that the SAT solver has clauses against
        self._stack = ExitStack()
        self._stage = stage(Purpose.CANDIDATES, board)
        self._account = Account(self._stage, board.cells)
        self._places = self._in_turn()
        if partner is not None and self._together:
            partner.send(SharedResult(limit))  # that it is there

    @property
    def solutions(self) -> int:
        return len(self._known)

    @property
    def ending(self) -> Ending:
        """LIMIT where there may be more solutions than were found, TIMEOUT where something is still wanted."""
        if self._wanted:
            return Ending.TIMEOUT
        return Ending.LIMIT if any(count == self._limit for row in self.counts for count in row) else Ending.EXHAUSTED

    def run(self, grids: Iterable[Grid]) -> tuple[tuple[int, ...], ...] | None:
        """Count these grids of the compiled search, and look for more.

        Returns the groups of cells that vary and are equal in every solution; None at the deadline. Raises TimeIsUp.
        """
        for grid in grids:
            self._find(grid, NATIVE)
        takes = self._native.takes(self._puzzle.board)
        if not self._account.closed and not takes(NATIVE):
            self._account.close()
        return carry_out([self._stage], takes, self._attempt, self._deadline, account=self._account)

    def _attempt(self, name: str, work: int | None, until: Deadline) -> tuple[tuple[int, ...], ...] | None:
        """The turn of an engine. Raises TimeIsUp."""
        if name == NATIVE:
            self._by_native()
        else:
            self._by_sat()
        settled = not self._wanted and self._pair() is None
        return tuple(sorted(map(tuple, self._maybe_equal()))) if settled else None

    def _in_turn(self) -> Iterator[tuple[int, int, int]]:
        """What is wanted, cell by cell, each with the nodes that a search for it may take: more in each round."""
        for number in numbers():
            for cell, value in list(self._wanted):
                if (cell, value) in self._wanted:
                    yield cell, value, self._account.search(number)

    def _by_native(self) -> None:
        """As long as there is credit, look for what is wanted, then for grids that tell cells apart."""
        most = NO_BOUND if self._limit is None else self._limit
        while self._receive() and self._account.left > 0:
            cell, value, nodes = next(self._places)
            if self._some({cell: 1 << value}, most, nodes) is Ending.EXHAUSTED:
                self._settle([(cell, value)])
        while not self._wanted and self._account.left > 0 and (pair := self._pair()) is not None:
            first, other = pair
            value = next(value for value, many in enumerate(self.counts[first], 1) if many)
            nodes = self._account.search(0)
            if self._some({first: 1 << value, other: ~(1 << value)}, 1, nodes) is Ending.EXHAUSTED:
                self._account.close()  # such cells mostly are equal, which takes a proof for each value

    def _some(self, sets: Mapping[int, int], most: int, nodes: int) -> Ending | None:
        """Count what the compiled search finds in so many nodes with these values in some cells, and how it ended."""
        self._deadline.check()
        if not nodes:
            return None
        allowed = list(self._puzzle.candidates)
        for cell, values in sets.items():
            allowed[cell] &= values
        searched = self._native.some(replace(self._puzzle, candidates=tuple(allowed)), most, nodes, self._deadline)
        before = self.solutions
        for grid in searched.grids:
            self._find(grid, NATIVE)
        self._account.book(searched.work, self.solutions > before)
        return searched.ending

    def _by_sat(self) -> None:
        """Ask for what is wanted, then for grids that tell cells apart, until the compiled search has credit."""
        while self._account.left <= 0:
            pair = None if self._receive() else self._pair()
            if not self._wanted and pair is None:
                return
            cnf, given = self._loaded  # before conflicts are read: with another board a solver counts them anew
            conflicts = self._solver.conflicts
            if pair is None:
                self._ask_wanted(cnf, given)
            else:
                self._tell_apart(cnf, given, *pair)
            self._account.add(self._solver.conflicts - conflicts)

    @cached_property
    def _loaded(self) -> tuple[Cnf, list[int]]:
        """The clauses, and literals that hold; the last is a selector, on which clauses of this puzzle are hung."""
        strong = replace(self._puzzle, board=strengthened(self._puzzle.board))
        cnf = self._solver.load_puzzle(strong)
        units, clauses = cnf.restrict(self._puzzle)
        return cnf, [*units, self._stack.enter_context(self._solver.temporary(clauses))]

    @cached_property
    def _unknown(self) -> int:
        """A selector, on which clauses against what is known are hung."""
        return self._stack.enter_context(self._solver.temporary())

    def _ask_wanted(self, cnf: Cnf, given: Sequence[int]) -> None:
        """Find solutions until fewer places are wanted, or all that were asked for are settled."""
        unknown = self._unknown
        places = list(self._wanted)
        equals = {place: cnf.variables.equals(*place) for place in places}
        self._solver.set_phases(list(equals.values()))
        if self._together:
            del places[(len(places) + 1) // 2 :]  # the half at this end: the other one looks for the rest
        with self._solver.temporary([[equals[place] for place in places]]) as some_wanted:
            while len(self._wanted) == len(equals):
                for grid in islice(self._known, self._excluded, None):
                    self._solver.add_clause(-unknown, *cnf.block(grid))
                self._excluded = self.solutions
                if not self._model([*given, unknown, some_wanted]):
                    self._settle(places)

    def _model(self, assumptions: Sequence[int]) -> bool:
        """Whether the SAT solver finds a grid, which is counted."""
        model = self._solver.solve(assumptions, self._deadline)
        self._native.note(SAT)
        if model is not None:
            self._find(self._loaded[0].read(model)[0], SAT)
        return model is not None

    def _tell_apart(self, cnf: Cnf, given: Sequence[int], first: int, other: int) -> None:
        """Find a grid in which two cells differ, or that there is none."""
        equals = cnf.variables.equals
        values = [value for value, count in enumerate(self.counts[first], 1) if count]
        if not any(self._model([*given, equals(first, value), -equals(other, value)]) for value in values):
            self._always_equal.add((first, other))

    def _pair(self) -> tuple[int, int] | None:
        """Two cells that were equal in all grids and may differ."""
        pairs = ((group[0], other) for group in self._maybe_equal() for other in group[1:])
        return next((pair for pair in pairs if pair not in self._always_equal), None)

    def _maybe_equal(self) -> list[list[int]]:
        vary = [sum(map(bool, row)) > 1 for row in self.counts]
        return [group for group in self._alike if len(group) > 1 and vary[group[0]]]

    def _receive(self) -> bool:
        """Take over what the partner has found; whether anything is still wanted."""
        for shared in self._partner.received() if self._partner is not None else ():
            self._together = True
            if shared.limit == self._limit:
                if shared.grid is not None and shared.grid not in self._known:
                    self._take(accept(self._puzzle, shared.grid, PARTNER))
                self._drop(shared.settled)
        return bool(self._wanted)

    def _find(self, grid: Grid, engine: str) -> None:
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

    def finish(self, few: Sequence[Grid]) -> tuple[tuple[int, ...], ...]:
        """There is no solution but `few`, at most one: no cells that vary."""
        for grid in few:
            self._take(accept(self._puzzle, grid, NATIVE))
        self._drop(list(self._wanted))
        return ()

    def close(self) -> None:
        """Take the clauses of the puzzle from the solver."""
        self._stack.close()
