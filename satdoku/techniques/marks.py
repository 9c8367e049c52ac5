"""The marks of a board as techniques look at them: their constraints together, and the kind that each mark is."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from satdoku.constraints import Constraint, Linear, Table
from satdoku.puzzle import Board
from satdoku.techniques.grid import BoardLayout
from satdoku.techniques.joint import Joint, SearchedJoint
from satdoku.variants import Frame
from satdoku.variants.boards import kinds_of
from satdoku.variants.places import Connected

MAX_CELLS = 14  # of a mark whose constraints are looked at together; of a larger one each is by itself
MAX_CONSTRAINTS = 100
IMPLIED = "implied"  # the kind of a sum that follows from cages and regions


class MarkPart(NamedTuple):
    """Constraints of one name, which one mark draws, or one of them; with those that say what its hidden cells are.

    number: its place among all
    kind:  that of the mark; IMPLIED, or empty where no mark is there for them
    cells: those that they look at, auxiliary ones too, each once
    bits:  the same as a set
    """

    number: int
    name: str
    kind: str
    rules: tuple[Constraint, ...]
    cells: tuple[int, ...]
    bits: int


@lru_cache(maxsize=16)
def _drawn(board: Board) -> tuple[dict[str, str], tuple[Connected, ...]]:
    frame = Frame(board.size, board.marks)
    kinds = kinds_of(frame)
    return kinds, tuple(frame.linked)


def connections(board: Board) -> tuple[Connected, ...]:
    """The cells that marks connect by edges."""
    return _drawn(board)[1]


@lru_cache(maxsize=16)
def mark_parts(board: Board) -> tuple[MarkPart, ...]:
    """What a board has beside its AllDifferents and `connections`, mark by mark, in the order of the constraints."""
    kinds, hidden = _drawn(board)[0], {cell for linked in connections(board) for cell in linked.hidden}
    groups: dict[str, list[Constraint]] = {}
    counts: dict[int, list[Constraint]] = {}  # what says, of no mark of its own, what a hidden cell is
    for rule in board.others:
        if hidden and not hidden.isdisjoint(rule.cells):
            continue
        unseen = [cell for cell in rule.cells if cell >= board.cells]
        if len(unseen) == 1 and rule.name not in kinds and isinstance(rule, Table):
            counts.setdefault(unseen[0], []).append(rule)
        else:
            groups.setdefault(rule.name, []).append(rule)
    parts: list[MarkPart] = []
    for name, rules in groups.items():
        kind = kinds.get(name, IMPLIED if isinstance(rules[0], Linear) else "")
        cells = dict.fromkeys(cell for rule in rules for cell in rule.cells)
        for more in ([rule for cell in cells for rule in counts.get(cell, ())], []):
            whole = _part(len(parts), name, kind, [*rules, *more])
            if len(whole.cells) <= MAX_CELLS and len(whole.rules) <= MAX_CONSTRAINTS:
                parts.append(whole)
                break
        else:
            parts += [_part(number, name, kind, [rule]) for number, rule in enumerate(rules, len(parts))]
    used = {rule for part in parts for rule in part.rules}
    rest = (rule for rules in counts.values() for rule in rules if rule not in used)
    parts += [_part(number, rule.name, "", [rule]) for number, rule in enumerate(rest, len(parts))]
    return tuple(parts)


def joint_of_part(layout: BoardLayout, part: MarkPart) -> Joint:
    """The constraints of a mark together, with the AllDifferents between its cells."""
    return layout.known((joint_of_part, part.number), lambda: SearchedJoint(layout, part.rules))


def _part(number: int, name: str, kind: str, rules: list[Constraint]) -> MarkPart:
    cells = tuple(dict.fromkeys(cell for rule in rules for cell in rule.cells))
    return MarkPart(number, name, kind, tuple(rules), cells, sum(1 << cell for cell in cells))
