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
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.referee import accept
from satdoku.setter.reasons import Theory
from satdoku.variants import REGIONS, Frame, build, kinds, lowered


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
    kept = [mark.kind in REGIONS or bool(kinds()[mark.kind].layer) for mark in board.marks]
    left, needed = [index for index, stays in enumerate(kept) if not stays], list[int]()
    tried = frozenset(left)
    Random(seed).shuffle(left)
    with suppress(TimeIsUp):
        own = dict(_own(board, left, deadline))
        left, tried = list(own), frozenset(own)
        groups = {-1: Counter(board.constraints) - sum(own.values(), Counter[Constraint]()), **own}
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
    fewer = tuple(mark for index, mark in enumerate(board.marks) if index not in gone)
    found = replace(puzzle, board=build(board.size, fewer))
    accept(found, solution, SOLVER)
    return found, [board.marks[index] for index in sorted(gone)], [board.marks[index] for index in sorted(left)]


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
    """The same for constraints that differ in nothing but the numbers of auxiliary cells."""
    found = (cell for rule in constraints for cell in rule.cells if cell >= board.cells)
    number = {cell: board.cells + place for place, cell in enumerate(dict.fromkeys(found))}
    return [replace(rule, cells=tuple(number.get(cell, cell) for cell in rule.cells)) for rule in constraints]
