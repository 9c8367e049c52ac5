"""Marks that a puzzle does not need: left out one after the other while its solution stays the only one."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import cached_property, partial
from random import Random

from satdoku.backends.native_first import NativeFirst
from satdoku.backends.schedule import NATIVE
from satdoku.constraints import Constraint, Grid
from satdoku.errors import PuzzleError, Refused
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.referee import accept
from satdoku.setter.reasons import Theory
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.variants import BOARD, Frame, build, kinds, lowered


def without_spare_marks(
    native_first: NativeFirst, puzzle: Puzzle, solution: Grid, seed: int, deadline: Deadline
) -> tuple[Puzzle, list[Mark], list[Mark]]:
    """A unique puzzle without marks that it does not need; these marks; those that the timeout left untested.

    Boxes and regions stay, and so do marks that others are about, as dots are with a rule about places without one.
    Raises Refused for a board with constraints that no mark draws, or too large for clauses.
    """
    board = puzzle.board
    if build(board.size, board.marks).constraints != board.constraints:
        raise Refused(f"{puzzle.name}: it has constraints that no mark draws: which marks it needs is not known")
    kept = [mark.kind in BOARD or bool(kinds()[mark.kind].layer) for mark in board.marks]
    left, needed = [index for index, stays in enumerate(kept) if not stays], list[int]()
    tried = frozenset(left)
    Random(seed).shuffle(left)
    with suppress(TimeIsUp):
        own = dict(_own(board, left, deadline))
        left, tried = list(own), frozenset(own)
        with closing(_Sat(puzzle, solution, own)) as sat:
            while left:
                rest = [*needed, *left[:-1]]
                fewer = _only(puzzle, tried.difference(rest))
                enough = native_first.ask(fewer, 2, partial(_took, fewer, rest), partial(sat.core, rest), deadline)
                if enough is None:
                    needed.append(left.pop())
                else:
                    left = [index for index in left[:-1] if index in enough]
    gone = tried - {*left, *needed}
    needing = _only(puzzle, gone)
    accept(needing, solution, NATIVE)
    return needing, [board.marks[index] for index in sorted(gone)], [board.marks[index] for index in sorted(left)]


def _only(puzzle: Puzzle, gone: Collection[int]) -> Puzzle:
    """The puzzle without these marks."""
    board = puzzle.board
    return replace(puzzle, board=build(board.size, tuple(m for i, m in enumerate(board.marks) if i not in gone)))


def _took(puzzle: Puzzle, marks: list[int], grids: list[Grid]) -> set[int] | None:
    for grid in grids:
        accept(puzzle, grid, NATIVE)
    return set(marks) if len(grids) == 1 else None


class _Sat:
    """The marks that a puzzle with one solution needs, by a SAT solver in which each is an assumption."""

    def __init__(self, puzzle: Puzzle, solution: Grid, own: Mapping[int, Counter[Constraint]]) -> None:
        self._puzzle, self._solution, self._own = puzzle, solution, own
        self._stack = ExitStack()

    def core(self, marks: Sequence[int], deadline: Deadline) -> set[int] | None:
        """Those of the marks that leave no other solution; None if all of them do not. Raises TimeIsUp."""
        theory, literals, always = self._loaded
        core = theory.core(always, [literals[index] for index in marks], deadline)
        return None if core is None else {index for index in marks if literals[index] in core}

    @cached_property
    def _loaded(self) -> tuple[Theory, Mapping[int, int], list[int]]:
        """The theory, the literal of each mark, and what holds whichever marks there are: not the solution, too."""
        constraints = Counter(self._puzzle.board.constraints) - sum(self._own.values(), Counter[Constraint]())
        groups = {-1: constraints, **self._own}
        names = {str(index): tuple(constraints.elements()) for index, constraints in groups.items()}
        theory = self._stack.enter_context(closing(Theory(self._puzzle, names)))
        literals = dict(zip(groups, theory.constraints, strict=True))
        other = theory.solver.new_selector()
        theory.solver.add_clause(-other, *(-literal for literal in theory.literals(self._solution)))
        return theory, literals, [other, *theory.facts, literals[-1]]

    def close(self) -> None:
        self._stack.close()


def _own(board: Board, marks: Sequence[int], deadline: Deadline) -> Iterator[tuple[int, Counter[Constraint]]]:
    """The constraints of each mark, except for those without which other marks would have others."""
    parts = list(lowered(Frame(board.size, board.marks)))
    alike = [_alike(board, part) for part in parts]
    for index in marks:
        deadline.check()
        with suppress(PuzzleError):
            others = lowered(Frame(board.size, board.marks[:index] + board.marks[index + 1 :]))
            if [_alike(board, part) for part in others] == alike[:index] + alike[index + 1 :]:
                yield index, Counter(parts[index])


def _alike(board: Board, constraints: Sequence[Constraint]) -> list[Constraint]:
    """The same for constraints that differ in nothing but the numbers of auxiliary cells, and names."""
    auxiliary = (cell for rule in constraints for cell in rule.cells if cell >= board.cells)
    number = {cell: board.cells + place for place, cell in enumerate(dict.fromkeys(auxiliary))}
    return [replace(rule, cells=tuple(number.get(cell, cell) for cell in rule.cells), name="") for rule in constraints]
