"""Minimal puzzles: givens dropped until each is needed.

The givens of a minimal puzzle are a minimal unsatisfiable subset against the clause that excludes the
solution. Each is an assumption; a solve without a model has a core, and whatever is not in it goes at once.
"""

from collections.abc import Callable, Iterable
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from random import Random

from satdoku.backends import Budget, Ending
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.native_first import NativeFirst
from satdoku.backends.schedule import NATIVE, SAT
from satdoku.clue_symmetry import Symmetry
from satdoku.constraints import Grid
from satdoku.encoders.cnf import Cnf
from satdoku.errors import InputError, Refused, unknown
from satdoku.implied import strengthened
from satdoku.puzzle import Mark, Puzzle
from satdoku.referee import accept
from satdoku.setter.spare_marks import without_spare_marks
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.verdict import Verdict, validate


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimal:
    """What minimizing came to.

    original: the puzzle as it was
    verdict:  whether that is unique; only then is there anything to minimize
    puzzle:   the same with fewer givens and the same one solution; None unless unique
    solution: that solution
    needed:   for each given that is needed, in order, a second solution that appears without it, refereed
    spare:    givens that are not needed by themselves: those to keep, and partners in symmetry
    untested: givens that the timeout left untested
    marks_dropped: marks that were not needed, where they were to go too
    marks_untested: marks that the timeout left untested
    reason:   why there is nothing to minimize, for people
    ending:   EXHAUSTED, or TIMEOUT
    engines:  the backends that answered which givens and marks are needed, in order
    tried:    the backends that were asked without an answer
    """

    original: Puzzle
    verdict: Verdict
    puzzle: Puzzle | None = None
    solution: Grid | None = None
    needed: tuple[tuple[int, Grid], ...] = ()
    spare: tuple[int, ...] = ()
    untested: tuple[int, ...] = ()
    marks_dropped: tuple[Mark, ...] = ()
    marks_untested: tuple[Mark, ...] = ()
    reason: str | None = None
    ending: Ending = Ending.EXHAUSTED
    engines: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()

    @property
    def dropped(self) -> tuple[int, ...]:
        """The cells that are no longer given."""
        if self.puzzle is None:
            return ()
        pairs = zip(self.original.givens, self.puzzle.givens, strict=True)
        return tuple(cell for cell, (before, after) in enumerate(pairs) if before and not after)


@dataclass(frozen=True, slots=True, kw_only=True)
class MinimizeOptions:
    seed: int = 0  # decides the order in which givens are tried
    keep: frozenset[int] = frozenset()  # cells whose givens stay
    symmetry: Symmetry = Symmetry.NONE  # of the places of the givens that are left; they are dropped together
    timeout: float | None = None  # seconds of search for each puzzle
    marks: bool = False  # whether marks that are not needed go too, after the givens


def symmetry_of(name: Symmetry | str) -> Symmetry:
    """The symmetry of that name; raises InputError with the known ones."""
    try:
        return Symmetry(name)
    except ValueError:
        raise unknown("symmetry", str(name), [symmetry.value for symmetry in Symmetry]) from None


def minimized(solver: IncrementalSolver, puzzle: Puzzle, options: MinimizeOptions) -> Minimal:
    """The puzzle with what is not needed dropped, with a solver that may have the board loaded, and keeps it."""
    validate(Budget(None, options.timeout))
    board, givens = puzzle.board, puzzle.givens
    for cell in sorted(options.keep):
        if not 0 <= cell < board.cells or not givens[cell]:
            place = board.label(cell) if 0 <= cell < board.cells else f"cell {cell}"
            raise InputError(f"{puzzle.name}: {place} is to be kept, and is not a given")
    _orbits(puzzle, options)
    clash = next(puzzle.clashes(), None)
    if clash is not None:
        return Minimal(original=puzzle, verdict=Verdict.UNSOLVABLE, reason=clash)
    deadline = Deadline(options.timeout)
    native_first = NativeFirst()
    with closing(_OtherSolution(solver, native_first, puzzle, deadline)) as another:
        minimal = _Minimizing(another, puzzle, options).run()
    if options.marks:
        minimal = _with_fewer_marks(solver, native_first, minimal, options, deadline)
    return replace(minimal, engines=native_first.engines, tried=native_first.tried)


def _with_fewer_marks(
    solver: IncrementalSolver, native_first: NativeFirst, minimal: Minimal, options: MinimizeOptions, deadline: Deadline
) -> Minimal:
    """The same without spare marks; givens that were not needed may then be."""
    if minimal.puzzle is None or minimal.solution is None:
        return minimal
    puzzle, dropped, untested = without_spare_marks(
        native_first, minimal.puzzle, minimal.solution, options.seed, deadline
    )
    minimal = replace(minimal, marks_dropped=tuple(dropped), marks_untested=tuple(untested), puzzle=puzzle)
    if untested:
        return replace(minimal, ending=Ending.TIMEOUT)
    if not minimal.spare or not dropped:
        return minimal
    given = frozenset(cell for cell, value in enumerate(puzzle.givens) if value)
    again = minimized(solver, puzzle, MinimizeOptions(keep=given, timeout=deadline.timeout()))
    undecided = again.untested if again.puzzle else tuple(sorted(given))
    native_first.note(*again.engines)
    native_first.note(*again.tried, answered=False)
    return replace(minimal, needed=again.needed, spare=again.spare, untested=undecided, ending=again.ending)


class _OtherSolution:
    """Whether some of a puzzle's givens leave another solution than the one: by the compiled search where that is
    quick, else by a SAT solver, where each given is an assumption."""

    def __init__(
        self, solver: IncrementalSolver, native_first: NativeFirst, puzzle: Puzzle, deadline: Deadline
    ) -> None:
        self._solver, self._native_first, self._puzzle, self._deadline = solver, native_first, puzzle, deadline
        self._stack = ExitStack()
        self._known: Grid | None = None
        self._blocked = False
        self._core: frozenset[int] = frozenset()

    def two(self, cells: list[int]) -> list[Grid]:
        """Up to two solutions of the puzzle; the first is the one that others are compared with. Raises TimeIsUp.

        cells: all that are given, those that are to go last
        """
        grids = self._ask(cells, self._two_by_sat)
        self._known = grids[0] if grids else None
        return grids

    def other(self, cells: list[int]) -> Grid | None:
        """A solution of the puzzle with these givens alone that is not the one; None if there is none."""
        return next((grid for grid in self._ask(cells, self._by_sat) if grid != self._known), None)

    def used(self, cells: tuple[int, ...]) -> bool:
        """Whether any of these givens took part in the last proof that there is no other."""
        return not self._core.isdisjoint(cells)

    def _ask(self, cells: list[int], by_sat: Callable[[list[int], Deadline], list[Grid]]) -> list[Grid]:
        fewer = _with(self._puzzle, cells)

        def refereed(grids: list[Grid]) -> list[Grid]:
            self._core = frozenset(cells)
            return [accept(fewer, grid, NATIVE) for grid in grids]

        return self._native_first.ask(fewer, 2, refereed, partial(by_sat, cells), self._deadline)

    def _two_by_sat(self, cells: list[int], deadline: Deadline) -> list[Grid]:
        if self._known is None:
            self._known = self._solve(sorted(cells), deadline)
        return [] if self._known is None else [self._known, *self._by_sat(cells, deadline)]

    def _by_sat(self, cells: list[int], deadline: Deadline) -> list[Grid]:
        cnf, always = self._loaded
        if not self._blocked:
            assert self._known is not None
            self._solver.add_clause(-always[-1], *cnf.block(self._known))
            self._blocked = True
        other = self._solve(cells, deadline)
        if other is not None:
            return [other]
        core = set(self._solver.core())
        self._core = frozenset(cell for cell in cells if self._literal(cell) in core)
        return []

    def _solve(self, cells: list[int], deadline: Deadline) -> Grid | None:
        cnf, always = self._loaded
        model = self._solver.solve([*always, *map(self._literal, cells)], deadline)
        return None if model is None else accept(_with(self._puzzle, cells), cnf.read(model)[0], SAT)

    def _literal(self, cell: int) -> int:
        return self._loaded[0].variables.equals(cell, self._puzzle.givens[cell])

    @cached_property
    def _loaded(self) -> tuple[Cnf, list[int]]:
        """The clauses, and what holds whatever is given; its last literal is a selector, for clauses of this puzzle."""
        strong = replace(self._puzzle, board=strengthened(self._puzzle.board))
        cnf = self._solver.load_puzzle(strong, whole=True)
        units, clauses = cnf.restrict(_with(self._puzzle, ()))
        return cnf, [*units, self._stack.enter_context(self._solver.temporary(clauses))]

    def close(self) -> None:
        self._stack.close()


class _Minimizing:
    """One puzzle's givens, in sets that go together."""

    def __init__(self, another: _OtherSolution, puzzle: Puzzle, options: MinimizeOptions) -> None:
        self._another, self._puzzle, self._options = another, puzzle, options
        given = {cell for cell, value in enumerate(puzzle.givens) if value}
        self._orbits = _orbits(puzzle, options)
        sets = [part for orbit in self._orbits if (part := tuple(cell for cell in orbit if cell in given))]
        self._fixed = [cells for cells in sets if options.keep.intersection(cells)]
        self._left = [cells for cells in sets if not options.keep.intersection(cells)]
        Random(options.seed).shuffle(self._left)
        self._needed: list[tuple[int, ...]] = []
        self._witnesses: dict[int, Grid] = {}
        self._spare: list[int] = []

    def run(self) -> Minimal:
        try:
            solutions = self._another.two(self._cells())
        except TimeIsUp:
            return Minimal(original=self._puzzle, verdict=Verdict.UNDECIDED, ending=Ending.TIMEOUT)
        if len(solutions) != 1:
            verdict = Verdict.MULTIPLE if solutions else Verdict.UNSOLVABLE
            return Minimal(original=self._puzzle, verdict=verdict)
        self._drop_unused()
        ending = Ending.EXHAUSTED
        try:
            self._make_symmetric()
            while self._left:
                self._try(self._left[-1])
            self._try_each_alone()
        except TimeIsUp:
            ending = Ending.TIMEOUT
        given = sorted(self._cells())
        needed = tuple((cell, self._witnesses[cell]) for cell in given if cell in self._witnesses)
        return Minimal(
            original=self._puzzle,
            verdict=Verdict.UNIQUE,
            puzzle=_with(self._puzzle, given),
            solution=solutions[0],
            needed=needed,
            spare=tuple(cell for cell in given if cell in self._spare),
            untested=tuple(cell for cell in given if cell not in self._witnesses and cell not in self._spare),
            ending=ending,
        )

    def _cells(self, without: tuple[int, ...] = ()) -> list[int]:
        """The cells that are given, those to be tried first last, so that cores seldom hold them."""
        sets = [*self._fixed, *self._needed, *self._left]
        return [cell for cells in sets for cell in cells if cell not in without]

    def _drop_unused(self) -> None:
        self._left = [cells for cells in self._left if self._another.used(cells)]

    def _try(self, cells: tuple[int, ...]) -> None:
        other = self._another.other(self._cells(without=cells))
        self._left.remove(cells)
        if other is None:
            self._drop_unused()
        else:
            self._needed.append(cells)
            if len(cells) == 1:
                self._witnesses[cells[0]] = other

    def _make_symmetric(self) -> None:
        """Drop at once the sets that the symmetry asks for in part; raises Refused if they cannot all go."""
        uneven = [cells for cells in (*self._fixed, *self._left) if len(self._orbit(cells[0])) > len(cells)]
        if not uneven:
            return
        board, symmetry = self._puzzle.board, self._options.symmetry.value
        cell, missing = uneven[0][0], next(c for c in self._orbit(uneven[0][0]) if not self._puzzle.givens[c])
        lacking = f"{board.label(cell)} is given and {board.label(missing)} is not"
        kept = any(cells in self._fixed for cells in uneven)
        if kept or self._another.other(self._cells(without=tuple(c for cells in uneven for c in cells))) is not None:
            why = "it is to be kept" if kept else "the puzzle is not unique without such givens"
            raise Refused(f"{self._puzzle.name}: no {symmetry} symmetry: {lacking}, and {why}")
        self._left = [cells for cells in self._left if cells not in uneven]
        self._drop_unused()

    def _orbit(self, cell: int) -> tuple[int, ...]:
        return next(orbit for orbit in self._orbits if cell in orbit)

    def _try_each_alone(self) -> None:
        """Whether each given that was not tried alone is needed by itself."""
        for cell in self._cells():
            if cell not in self._witnesses:
                other = self._another.other(self._cells(without=(cell,)))
                if other is None:
                    self._spare.append(cell)
                else:
                    self._witnesses[cell] = other


def _orbits(puzzle: Puzzle, options: MinimizeOptions) -> tuple[tuple[int, ...], ...]:
    """The sets of cells of the symmetry; raises Refused for one that the board cannot have."""
    board = puzzle.board
    if options.symmetry is Symmetry.NONE:
        return tuple((cell,) for cell in range(board.cells))
    if board.grid_cells != board.size.cells:
        raise Refused(f"{puzzle.name}: the last row of the board is short, and symmetry is of whole rows")
    return options.symmetry.orbits(board.size)


def _with(puzzle: Puzzle, given: Iterable[int]) -> Puzzle:
    """The puzzle with these of its givens alone; cells that it leaves a few values keep those."""
    candidates = list(puzzle.candidates)
    for cell in {cell for cell, value in enumerate(puzzle.givens) if value}.difference(given):
        candidates[cell] = puzzle.board.every_value
    return replace(puzzle, candidates=tuple(candidates))
