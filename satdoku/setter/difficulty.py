"""How difficult a unique puzzle is for people: the techniques that a solver needs who always takes the simplest one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

from satdoku.backends import Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.constraints import Constraint, Linear
from satdoku.errors import InputError, unknown
from satdoku.implied import strengthened
from satdoku.puzzle import Puzzle, members
from satdoku.setter.support import on_ways, support
from satdoku.setter.techniques import ELIMINATIONS, LADDER, OTHER, Level, Pencil, effective

MAX_SUBSETS = 20_000  # sets of values that a sum of cells that differ is looked at with; beyond, its bounds alone


@dataclass(frozen=True, slots=True)
class Difficulty:
    """What solving a puzzle takes.

    level:  of the hardest technique; where the timeout came first, the hardest that was needed by then
    steps:  how often each technique was used, simple ones first; singles give a value each, others take candidates away
    open:   the cells that no technique decided
    ending: EXHAUSTED, or TIMEOUT
    """

    level: Level
    steps: Mapping[str, int]
    open: int
    ending: Ending = Ending.EXHAUSTED

    def __str__(self) -> str:
        """`difficulty 3 (subsets): 20 naked singles, 31 hidden singles, 1 naked pair`."""
        least = "at least " if self.ending is Ending.TIMEOUT else ""
        used = [counted(many, name) for name, many in self.steps.items()]
        used += [f"{self.open} cells left"] if self.open else []
        return f"difficulty {least}{self.level.value} ({self.level.name.lower()}): {', '.join(used) or 'no step'}"

    def record(self) -> dict[str, object]:
        """The same as JSON's types."""
        fields = {"level": self.level.value, "name": self.level.name.lower(), "steps": self.steps, "open": self.open}
        return {**fields, "ending": self.ending.value}


def counted(many: int, technique: str) -> str:
    """`3 naked singles`, `2 swordfish`."""
    same = many == 1 or "candidates" in technique or technique.endswith("fish")
    return f"{many} {technique}{'' if same else 's'}"


def parse_levels(levels: int | str | tuple[int, int]) -> tuple[int, int]:
    """`subsets` or 3 is that level alone, `locked:fish` or (2, 4) these and what is between.

    Raises InputError for anything else.
    """
    text = ":".join(map(str, levels)) if isinstance(levels, tuple) else str(levels)
    low, colon, high = text.partition(":")
    ends = tuple(_level(word) for word in ((low, high) if colon else (low, low)))
    if ends[0] > ends[1]:
        raise InputError(f"difficulty {text}: expected the lower level first")
    return ends[0], ends[1]


def _level(word: str) -> int:
    names = {level.name.lower(): level.value for level in Level}
    if word in map(str, names.values()):
        return int(word)
    if word not in names:
        raise unknown("difficulty", word, [*names, f"or 1 to {max(Level)}"])
    return names[word]


def rate(puzzle: Puzzle, timeout: float | None = None) -> Difficulty:
    """The difficulty of a puzzle with one solution; of one with several the level is BEYOND.

    timeout: seconds after which the level is that of what was needed by then
    """
    deadline = Deadline(timeout)
    board = strengthened(puzzle.board)
    pencil = Pencil(board, board.all_different, dict(enumerate(puzzle.candidates)))
    counts: Counter[str] = Counter()
    ending, others = Ending.EXHAUSTED, _Others(board.others)
    try:
        while pencil.open:
            deadline.check()
            technique = _step(pencil, others, deadline)
            if technique is None:
                break
            counts[technique] += 1
    except TimeIsUp:
        ending = Ending.TIMEOUT
    level = max((LADDER[technique][0] for technique in counts), default=Level.SINGLES)
    if pencil.open and ending is Ending.EXHAUSTED:
        level = Level.BEYOND
    steps = {technique: counts[technique] for technique in LADDER if counts[technique]}
    return Difficulty(level, steps, pencil.open.bit_count(), ending)


def _step(pencil: Pencil, others: _Others, deadline: Deadline) -> str | None:
    """Do what the simplest technique finds first; None if none finds anything."""
    single = next(pencil.singles(), None)
    if single is not None:
        cell, value, why = single
        pencil.place(cell, value)
        return why.technique
    if others.restrict(pencil, deadline):
        return OTHER
    for technique, search in ELIMINATIONS.items():
        deadline.check()
        strikes = effective(pencil, search)
        if strikes is not None:
            pencil.strike(strikes)
            return technique
    return None


class _Others:
    """The constraints that are not AllDifferents of grid cells, each looked at again when a cell of it has changed."""

    def __init__(self, constraints: tuple[Constraint, ...]) -> None:
        self._constraints = [(rule, support(rule)) for rule in constraints]
        self._seen: list[tuple[int, ...]] = [()] * len(constraints)

    def restrict(self, pencil: Pencil, deadline: Deadline) -> bool:
        """Take from its cells what one constraint excludes by itself; whether there was anything."""
        for index, (rule, supported) in enumerate(self._constraints):
            cells = tuple(dict.fromkeys(rule.cells))
            before = tuple(pencil.left[cell] for cell in cells)
            if before == self._seen[index]:
                continue
            deadline.check()
            after = _sums(rule, pencil) if isinstance(rule, Linear) else None
            if after is None:
                after = supported(pencil.left)
            self._seen[index] = tuple(after)
            if self._seen[index] != before:
                for cell, old, new in zip(cells, before, after, strict=True):
                    if cell < pencil.board.cells:
                        pencil.strike([(value, 1 << cell) for value in members(old & ~new)])
                    pencil.left[cell] = new
                return True
        return False


def _sums(rule: Linear, pencil: Pencil) -> list[int] | None:
    """The values of the cells of a sum that occur in some way to reach it; None unless they differ and are few."""
    cells, sees = rule.cells, pencil.sees
    if set(rule.coefficients) != {1} or max(cells) >= pencil.board.cells:
        return None
    if not all(sees[one] >> two & 1 for one, two in combinations(cells, 2)):
        return None
    allowed = [pencil.left[cell] for cell in cells]
    return on_ways(0, _with_another, lambda taken: sum(members(taken)) == rule.total, allowed, MAX_SUBSETS)


def _with_another(taken: int, value: int) -> int | None:
    """The set of values with one more; None if it is taken."""
    return None if taken >> value & 1 else taken | 1 << value
