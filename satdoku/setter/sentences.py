"""Reasons as sentences."""

import re
from collections import Counter
from collections.abc import Sequence

from satdoku.puzzle import Board, members
from satdoku.setter.conflicts import houses
from satdoku.setter.cores import CoreStep
from satdoku.setter.reasons import Reason
from satdoku.setter.singles import Remaining
from satdoku.techniques.grid import cell_set
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Step
from satdoku.techniques.words import cells_text
from satdoku.words import joined, plural

LAST = re.compile(r"(?<! at) \S*\d\S*$")  # which house it is, or which cells of a rule; `cage 5 at r1c1` is named alone
MAX_WORDS = 30  # of a conflict, beyond which givens are counted and marks named by their kinds


def conflict(board: Board, reason: Reason) -> str:
    """`r1c3=6, r4c3=2 and box 5 leave no place for 4 in column 3`; `anti-knight, cage 15 at r1c8 and all rows cannot
    all hold`: marks and rules first, houses last, at most MAX_WORDS words."""
    text = _conflict(board, reason)
    if len(text.split()) <= MAX_WORDS:
        return text
    stated = [each for each in reason.constraints if each not in houses(board)]
    givens = [fact.label(board) for fact in reason.facts]
    parts = [*stated, *givens, *_counted_houses(board, reason)]
    if sum(len(part.split()) for part in parts) > MAX_WORDS - 4:
        counted = [plural(len(givens), "given")] if givens else []
        parts = [*_by_kind(stated), *counted, *_counted_houses(board, reason)]
    return f"{joined(parts)} cannot all hold"


def _by_kind(names: Sequence[str]) -> list[str]:
    """`cage 15 at r1c8` and `cage 7 at r2c2` are `2 cages`."""
    counts = Counter(re.split(r" (?=\S*\d)", name)[0] for name in names)
    return [kind if many == 1 else plural(many, kind) for kind, many in counts.items()]


def _counted_houses(board: Board, reason: Reason) -> list[str]:
    """Houses by their sorts: `row 3`, `4 columns`, `all boxes`."""
    sorts: dict[str, list[str]] = {}
    for name in (name for name in reason.constraints if name in houses(board)):
        sorts.setdefault(name.rpartition(" ")[0] or name, []).append(name)
    every = Counter(name.rpartition(" ")[0] or name for name in houses(board))
    parts: list[str] = []
    for sort, names in sorts.items():
        many = "all" if len(names) == every[sort] else str(len(names))
        parts += names if len(names) == 1 else [f"{many} {_several(sort)}"]
    return parts


def _several(sort: str) -> str:
    return "boxes" if sort == "box" else f"{sort}s"


def _conflict(board: Board, reason: Reason) -> str:
    left = _remaining(board, reason)
    for house in left.houses():
        for value in members(board.every_value):
            if not left.places(house, value):
                leave = _listed(board, reason, without=house.name)
                return f"{leave} no place for {board.shown(value)} in {house.name}"
    seen = {cell for rule in left.rules for cell in rule.cells} | {fact.cell for fact in reason.facts}
    cell = next((cell for cell in sorted(seen) if not left.left[cell]), None)
    if cell is not None and len(reason.facts) + len(reason.constraints) > 1:
        return f"{_listed(board, reason)} no value for {board.label(cell)}"
    fact = next((fact for fact in reason.facts if not fact.allowed), None)
    if fact is not None:
        return f"{board.label(fact.cell)} has no candidate"
    if len(reason.constraints) == 1:
        broken, causes = reason.constraints[0], [fact.label(board) for fact in reason.facts]
        return f"{joined(causes)} break{'s' * (len(causes) == 1)} {broken}" if causes else f"no grid satisfies {broken}"
    return f"{joined(_causes(board, reason))} cannot all hold"


def step(board: Board, step: Step | CoreStep) -> str:
    """`r5c5=5 (naked single): 5 is the only value left in r5c5`; of a core `r5c5=5 (core): r1c5=2 and column 5 ...`."""
    if isinstance(step, Step):
        return step.sentence(board)
    value, reason = step.value, step.reason
    head = f"{board.label(step.cell)}={board.shown(value)} (core)"
    left = _remaining(board, reason)
    if not left.left[step.cell] & ~(1 << value):
        return f"{head}: {_listed(board, reason)} no other value"
    for house in left.houses():
        if left.places(house, value) == [step.cell]:
            leave = _listed(board, reason, without=house.name)
            return f"{head}: {leave} no other place for {board.shown(value)} in {house.name}"
    return f"{head}: {causes(board, reason)}"


def hint(board: Board, next_step: Step | CoreStep) -> list[str]:
    """The step in three stages: where to look, which technique, what follows."""
    if isinstance(next_step, CoreStep):
        return [
            f"Look at {board.label(next_step.cell)}.",
            "No technique leads on in the time; a core of SAT does.",
            step(board, next_step),
        ]
    where = joined(list(dict.fromkeys(next_step.houses))) or cells_text(board, looked_at(next_step))
    name = next_step.technique
    return [f"Look at {where}.", f"{name}: {techniques()[name].statement}", step(board, next_step)]


def looked_at(step: Step) -> int:
    """The cells that a step rests on, as a set."""
    cells = cell_set(cell for cell, _ in step.placements)
    for _, places in step.pattern or step.eliminations:
        cells |= places
    return cells


def causes(board: Board, reason: Reason) -> str:
    """`follows from r1c5=2 and column 5`."""
    return f"follows from {joined(_causes(board, reason))}"


def _causes(board: Board, reason: Reason, without: str | None = None) -> list[str]:
    """`r1c5=2`, `cage 15 at r1c1`, `rows 2, 4 and 5`, `all boxes`, `no sum of 5 or 10 r1c1-r1c2 and r4c1-r5c1`."""
    named: dict[str, list[str]] = {}
    for name in reason.constraints:
        if name != without:
            sort, _, last = name.rpartition(" ") if LAST.search(name) else (name, "", "")
            named.setdefault(sort, []).append(last)
    every = Counter(name.rpartition(" ")[0] for name in houses(board))
    parts = [fact.label(board) for fact in reason.facts]
    for sort, which in sorted(named.items(), key=lambda each: each[0] in every):  # houses last
        if len(which) == 1 or sort not in every:
            parts.append(f"{sort} {joined(which)}".strip())
        else:
            parts.append(f"all {_several(sort)}" if len(which) == every[sort] else f"{_several(sort)} {joined(which)}")
    return parts


def _listed(board: Board, reason: Reason, without: str | None = None) -> str:
    causes = _causes(board, reason, without)
    if not causes:
        return "there is"
    many = len(reason.facts) + sum(rule != without for rule in reason.constraints)
    return f"{joined(causes)} {'leave' if many > 1 else 'leaves'}"


def _remaining(board: Board, reason: Reason) -> Remaining:
    """What the facts of a reason leave to each cell, by themselves and by its AllDifferents."""
    rules = [rule for rule in board.all_different if rule.name in reason.constraints]
    return Remaining(board, rules, {fact.cell: fact.allowed for fact in reason.facts})
