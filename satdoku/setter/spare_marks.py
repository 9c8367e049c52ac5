"""Marks that a puzzle does not need: left out one after the other while its solution stays the only one."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from random import Random

from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.backends.incremental import SOLVER
from satdoku.constraints import Constraint, Grid
from satdoku.errors import PuzzleError, Refused
from satdoku.puzzle import Mark, Puzzle
from satdoku.referee import accept
from satdoku.setter.reasons import Theory
from satdoku.variants import REGIONS, build


def without_spare_marks(
    puzzle: Puzzle, solution: Grid, seed: int, deadline: Deadline
) -> tuple[Puzzle, list[Mark], list[Mark]]:
    """A unique puzzle without marks that it does not need; these marks; those that the timeout left untested.

    Boxes and regions stay, and so do marks that others are about, as dots are with a rule about places without one.
    Raises Refused for a board with constraints that no mark draws, or too large for clauses.
    """
    board = puzzle.board
    if build(board.size, board.marks).constraints != board.constraints:
        raise Refused(f"{puzzle.name}: it has constraints that no mark draws: which marks it needs is not known")
    left, needed = [index for index, mark in enumerate(board.marks) if mark.kind not in REGIONS], list[int]()
    tried = frozenset(left)
    Random(seed).shuffle(left)
    with suppress(TimeIsUp):
        own = dict(_own(puzzle, left, deadline))
        left, tried = list(own), frozenset(own)
        base = Counter(board.constraints) - sum(own.values(), Counter[Constraint]())
        groups = {-1: base, **own}
        names = {str(index): tuple(constraints.elements()) for index, constraints in groups.items()}
        with closing(Theory(puzzle, names)) as theory:
            literals = dict(zip(groups, theory.constraints, strict=True))
            other = theory.solver.new_selector()
            theory.solver.add_clause(-other, *(-literal for literal in theory.literals(solution)))
            always = [other, *theory.facts, literals[-1]]
            while left:
                core = theory.core(always, [literals[index] for index in (*needed, *left[:-1])], deadline)
                if core is None:
                    needed.append(left.pop())
                else:
                    left = [index for index in left[:-1] if literals[index] in core]
    gone = tried - {*left, *needed}
    kept = tuple(mark for index, mark in enumerate(board.marks) if index not in gone)
    fewer = replace(puzzle, board=build(board.size, kept))
    accept(fewer, solution, SOLVER)
    return fewer, [board.marks[index] for index in sorted(gone)], [board.marks[index] for index in sorted(left)]


def _own(puzzle: Puzzle, marks: Sequence[int], deadline: Deadline) -> Iterator[tuple[int, Counter[Constraint]]]:
    """The constraints of each mark, except for those without which other marks would have others."""
    board = puzzle.board
    every = Counter(board.constraints)
    for index in marks:
        deadline.check()
        try:
            fewer = Counter(build(board.size, board.marks[:index] + board.marks[index + 1 :]).constraints)
        except PuzzleError:
            continue
        if fewer <= every:
            yield index, every - fewer
