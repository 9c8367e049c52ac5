"""Reasons as sentences."""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import or_

from satdoku.constraints import AllDifferent
from satdoku.puzzle import Board, members, only
from satdoku.setter.explain import Step
from satdoku.setter.reasons import Reason


def conflict(board: Board, reason: Reason) -> str:
    """`r1c3=6, r4c3=2 and box 5 leave no place for 4 in column 3`."""
    placeless = next(_without_place(board, reason), None)
    if placeless is not None:
        rule, value = placeless
        return f"{_listed(board, reason, without=rule)} no place for {board.shown(value)} in {rule}"
    seen = {cell for rule in _rules(board, reason) for cell in rule.cells} | {fact.cell for fact in reason.facts}
    cell = next((cell for cell in sorted(seen) if not _left(board, reason, cell)), None)
    if cell is not None and len(reason.facts) + len(reason.constraints) > 1:
        return f"{_listed(board, reason)} no value for {board.label(cell)}"
    fact = next((fact for fact in reason.facts if not fact.allowed), None)
    if fact is not None:
        return f"{board.label(fact.cell)} has no candidate"
    if len(reason.constraints) == 1:
        broken, causes = reason.constraints[0], [fact.label(board) for fact in reason.facts]
        return f"{_and(causes)} break{'s' * (len(causes) == 1)} {broken}" if causes else f"no grid satisfies {broken}"
    return f"{_and(_causes(board, reason))} cannot all hold"


def step(board: Board, found: Step) -> str:
    """`r5c5=5 (hidden single in box 5): r1c5=2 and column 5 leave no other place for 5`."""
    value, reason = found.value, found.reason
    head = f"{board.label(found.cell)}={board.shown(value)}"
    if found.technique is not None:
        head += f" ({found.technique})"
        house = found.technique.house
        if house:
            return f"{head}: {_listed(board, reason, without=house)} no other place for {board.shown(value)}"
    if not _left(board, reason, found.cell) & ~(1 << value):
        return f"{head}: {_listed(board, reason)} no other value"
    return f"{head}: {causes(board, reason)}"


def causes(board: Board, reason: Reason) -> str:
    """`follows from r1c5=2 and column 5`."""
    return f"follows from {_and(_causes(board, reason))}"


def _causes(board: Board, reason: Reason, without: str | None = None) -> list[str]:
    return [*(fact.label(board) for fact in reason.facts), *(rule for rule in reason.constraints if rule != without)]


def _listed(board: Board, reason: Reason, without: str | None = None) -> str:
    causes = _causes(board, reason, without)
    if not causes:
        return "there is"
    return f"{_and(causes)} {'leave' if len(causes) > 1 else 'leaves'}"


def _and(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def _without_place(board: Board, reason: Reason) -> Iterator[tuple[str, int]]:
    """Houses of the reason and values that have no place in them."""
    for rule in _rules(board, reason):
        if len(rule.cells) == board.values:
            left = reduce(or_, (_left(board, reason, cell) for cell in rule.cells), 0)
            yield from ((rule.name, value) for value in members(board.every_value & ~left))


def _left(board: Board, reason: Reason, cell: int) -> int:
    """The values that the facts of a reason leave to a cell, by themselves and by its AllDifferents."""
    known = {fact.cell: fact.allowed for fact in reason.facts}
    others = {other for rule in _rules(board, reason) if cell in rule.cells for other in rule.cells} - {cell}
    taken = (known[other] for other in others if only(known.get(other, 0)))
    return known.get(cell, board.every_value) & ~reduce(or_, taken, 0)


def _rules(board: Board, reason: Reason) -> Iterator[AllDifferent]:
    return (rule for rule in board.all_different if rule.name in reason.constraints)
