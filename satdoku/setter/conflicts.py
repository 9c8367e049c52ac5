"""Why a puzzle has no solution: few givens, marks and rules that cannot all hold, and the houses they need."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from functools import lru_cache

from satdoku.constraints import Constraint
from satdoku.encoders import selectors
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.setter.reasons import Guarantee, Reason, Theory
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.variants import REGIONS, Frame, Shape, kinds, lowered
from satdoku.variants.boards import skeleton

FEWEST = 1.0  # seconds to look for fewer givens, marks and rules than the first that were found irreducible


def rule_name(mark: Mark) -> str | None:
    """How a rule of the whole board is called in a conflict, whatever it consists of; None for other marks.

    >>> rule_name(Mark("anti-knight"))
    'anti-knight'
    """
    if mark.kind in REGIONS or kinds()[mark.kind].shape is not Shape.RULE:
        return None
    return mark.kind if mark.value is None else f"{mark.kind} {mark.value}"


@lru_cache(maxsize=4)
def houses(board: Board) -> frozenset[str]:
    """The names of rows, columns and regions: of the AllDifferents that no other mark draws."""
    parts = zip(board.marks, lowered(Frame(board.size, board.marks)), strict=True)
    drawn = {rule.name for mark, rules in parts if mark.kind not in REGIONS for rule in rules}
    drawn -= {rule.name for rules in lowered(Frame(board.size, skeleton(board.marks))) for rule in rules}
    return frozenset(rule.name for rule in board.all_different if rule.name not in drawn)


def conflicts(puzzle: Puzzle, *, clash: bool, smallest: bool, deadline: Deadline, proofs: Deadline) -> Iterator[Reason]:
    """Conflicts of a puzzle without solution, each better than the one before; none if the deadline came first.

    The first is what a core names. Then givens, marks and rules are left out one after the other, with every house at
    hand; then fewer of them are sought for FEWEST seconds; houses are left out last, and then it is irreducible.

    clash: whether givens break a constraint by themselves, which is then the conflict
    smallest: prove that no fewer givens, marks, rules and houses conflict, until `proofs`
    """
    with suppress(TimeIsUp), closing(Theory(puzzle, _groups(puzzle.board))) as theory:
        yield from _Search(theory, puzzle.board, deadline).run(clash, proofs if smallest else None)


def _groups(board: Board) -> Mapping[str, tuple[Constraint, ...]]:
    """The board's constraints by name; those of a rule of the whole board together."""
    rules: dict[str, str] = {}
    for mark, lower in zip(board.marks, lowered(Frame(board.size, board.marks)), strict=True):
        name = rule_name(mark)
        if name is not None and len({constraint.name for constraint in lower}) > 1:
            rules.update((constraint.name, name) for constraint in lower)
    groups: dict[str, tuple[Constraint, ...]] = {}
    for name, group in selectors.by_name(board).items():
        whole = rules.get(name, name)
        groups[whole] = (*groups.get(whole, ()), *group)
    return groups


class _Search:
    def __init__(self, theory: Theory, board: Board, deadline: Deadline) -> None:
        self._theory, self._deadline = theory, deadline
        self._goal = theory.solver.new_selector()
        names = houses(board)
        self._houses = [literal for literal in theory.constraints if theory.name(literal) in names]
        self._others = [literal for literal in theory.everything if literal not in set(self._houses)]

    def run(self, clash: bool, proofs: Deadline | None) -> Iterator[Reason]:
        theory, goal, deadline = self._theory, self._goal, self._deadline
        core = self._clash() if clash else None
        if core is not None:
            best = theory.irreducible([goal], core, deadline)
        else:
            held = [goal, *self._houses]
            core = theory.core(held, self._others, deadline) or self._others
            yield theory.reason([*core, *self._houses], Guarantee.NONE)
            chosen = theory.irreducible(held, core, deadline)
            yield theory.reason([*chosen, *self._houses], Guarantee.NONE)
            with suppress(TimeIsUp):
                fewer = theory.smaller(len(chosen), [goal], self._others, deadline.within(FEWEST), self._houses)
                chosen = fewer[1] if fewer else chosen
            best = [*chosen, *theory.irreducible([goal, *chosen], self._houses, deadline)]
        yield theory.reason(best, Guarantee.IRREDUCIBLE)
        if proofs is not None:
            smaller = theory.smaller(len(best), [goal], theory.everything, proofs)
            yield theory.reason(smaller[1] if smaller else best, Guarantee.SMALLEST)

    def _clash(self) -> list[int] | None:
        """What is known of a cell without candidates, or of the cells of one constraint, and that constraint."""
        theory = self._theory
        for literal, fact in theory.facts.items():
            if not fact.allowed:
                return [literal]
        for constraint in theory.constraints:
            cells = theory.cells_of(constraint)
            facts = [literal for literal, fact in theory.facts.items() if fact.cell in cells]
            core = theory.core([self._goal], [*facts, constraint], self._deadline)
            if core is not None:
                return core
        return None
