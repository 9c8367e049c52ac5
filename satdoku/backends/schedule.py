"""Which engines answer what, in which order and for how long: a table, and the function that carries it out.

Engines take turns, each round longer than the one before, since what takes one of them milliseconds may take another
hours. Turns are counted in nodes and conflicts, never in seconds, so that the same question is answered by the same
engine on every machine. Seconds end a question, or bring the stage in which several engines race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import count
from typing import TypeVar

from satdoku import backends
from satdoku.backends.native import pairs_apart
from satdoku.backends.solvers import SOLVER
from satdoku.constraints import Linear
from satdoku.puzzle import Board
from satdoku.system.clock import THREADS, Deadline

NATIVE, SAT, CPSAT = "native", SOLVER, "cpsat"
PERSISTENT = "cadical153"  # some of the longest proofs take it half as long, with checking; most others longer
KISSAT = "kissat404"  # the one for 64x64
SINGLES, CAYLEY = "singles", "cayley"

MAX_SOLUTIONS = 1_000  # where more are asked for, the compiled search, which repeats none, takes the puzzle by itself
MAX_VALUES_ALONE = 25  # values of a board on which engines take turns; on larger ones several race soon
MIN_HIDDEN = 64  # auxiliary cells of three values or more; with fewer, thousands of nodes take a tenth of a second
SECONDS_BEFORE_RACE = 10.0
GROWTH = 3  # how many times as long a turn is as the one before
MIN_CONFLICTS = 2_000  # of a turn of a SAT solver: a tenth of a second, where loading the clauses may take as long
MAX_WORK = 1 << 30

Result = TypeVar("Result")


class Purpose(Enum):
    """What is asked, for people."""

    FEW = f"one solution or two, or up to {MAX_SOLUTIONS:,}"
    ALL = "more solutions, or all"
    MANY = "one or two, of each of many puzzles"
    SETTING = "what `candidates`, `explain` and `minimize` ask"
    CANDIDATES = "each value of each cell, for `candidates`"
    GENERATE = "one or two, of clues while puzzles are generated"
    PROOF = "a proof"


class Class(Enum):
    """The boards that are treated alike, for people."""

    CLASSIC = "the 27 houses of 9x9 alone"
    ALL_DIFFERENT = "AllDifferents alone"
    SUMS = "sums over half the cells or more"
    OTHER = "other constraints"
    HIDDEN = f"other constraints, and {MIN_HIDDEN} auxiliary cells of three values or more"
    LARGE = f"more than {MAX_VALUES_ALONE} values"
    LARGE_OTHER = f"more than {MAX_VALUES_ALONE} values, not AllDifferents alone"


def class_of(board: Board) -> Class:
    if board.values > MAX_VALUES_ALONE:
        return Class.LARGE_OTHER if board.others else Class.LARGE
    if not board.others:
        return Class.ALL_DIFFERENT if pairs_apart(board) != frozenset() else Class.CLASSIC
    if sum(allowed.bit_count() > 2 for allowed in board.auxiliary) >= MIN_HIDDEN:
        return Class.HIDDEN
    summed = {cell for rule in board.others if isinstance(rule, Linear) for cell in rule.cells}
    return Class.SUMS if 2 * len(summed) >= board.cells else Class.OTHER


@dataclass(frozen=True, slots=True)
class Credit:
    """Work that the short searches of one engine share. Each takes from it, and where nothing is left, the next engine
    answers questions until its conflicts, which are credited, have made up for it.

    longest:  the most work of a search; in place of a longer one this engine is not asked any more
    first:    what there is at the beginning
    most:     what there is at any time
    solution: what a search that finds a new solution adds; others take away what they did
    begin:    what a search takes beside its own work
    """

    longest: int
    first: int
    most: int
    solution: int
    begin: int


@dataclass(frozen=True, slots=True)
class Turn:
    """engines: the first of them that is here and takes the board has the turn
    work:    nodes or conflicts of the first round, GROWTH times as many in each further one; None: to the end
    least:   what it has in any round
    credit:  what bounds its work, where that is many short searches. `work` is then that of each of them, for each cell
             of the board, since on large boards a grid takes one node a cell; a round is a search for everything that
             is still open
    """

    engines: tuple[str, ...]
    work: int | None = None
    least: int = 0
    credit: Credit | None = None

    def in_round(self, number: int) -> int | None:
        return None if self.work is None else min(max(self.least, self.work * GROWTH**number), MAX_WORK)


@dataclass(frozen=True, slots=True)
class Stage:
    """turns:   in this order, again and again; or all at once, each in a process of its own
    seconds: after which the next stage begins; None: when the turns are over
    once:    each turn comes once
    A round with a turn to the end is the last one, unless a turn has a credit.
    """

    turns: tuple[Turn, ...]
    seconds: float | None = None
    at_once: bool = False
    once: bool = False

    @property
    def repeats(self) -> bool:
        """Whether a round is followed by another one."""
        ends = any(turn.work is None for turn in self.turns) and all(turn.credit is None for turn in self.turns)
        return not self.once and not ends


class Account:
    """The credit of the turn of a stage that has one, as the searches of one question spend it.

    left: the work that is left, as long as it is above 0
    """

    def __init__(self, stage: Stage, cells: int) -> None:
        self._turn = next((turn for turn in stage.turns if turn.credit is not None), Turn(()))
        self._credit, self._cells = self._turn.credit, cells
        self.left = 0 if self._credit is None else self._credit.first

    @property
    def closed(self) -> bool:
        """Whether there are no more searches, however much others do."""
        return self._credit is None

    def search(self, number: int) -> int:
        """The work of a search in round `number`; 0 if there are none any more."""
        work = self._turn.in_round(number)
        if self._credit is None or work is None or work * self._cells > self._credit.longest:
            self.close()
            return 0
        return work * self._cells

    def book(self, work: int, gained: bool) -> None:
        """A search took so much, and found a new solution or not."""
        if self._credit is not None:
            self.add(self._credit.solution if gained else -work - self._credit.begin)

    def add(self, work: int) -> None:
        """Others did so much."""
        if self._credit is not None:
            self.left = min(self.left + work, self._credit.most)

    def close(self) -> None:
        """There are no more searches."""
        self._credit, self.left = None, 0


def _in_turns(nodes: int, conflicts: int, seconds: float = SECONDS_BEFORE_RACE) -> Stage:
    return Stage((Turn((NATIVE,), nodes), Turn((SAT, CPSAT), conflicts, MIN_CONFLICTS)), seconds)


def at_once(*names: str) -> Stage:
    """A race."""
    return Stage(tuple(Turn((name,)) for name in names), at_once=True)


def _setting(nodes: int, conflicts: int) -> tuple[Stage, ...]:
    return (Stage((Turn((NATIVE,), nodes), Turn((SAT,), conflicts, MIN_CONFLICTS))),)


def _each_value(longest: int) -> tuple[Stage, ...]:
    # 1,000 nodes are some hundredths of a second; with few refuted values such searches go on.
    credit = Credit(longest=longest, first=1_000, most=5_000, solution=300, begin=20)
    return (Stage((Turn((NATIVE,), 2, credit=credit), Turn((SAT,)))),)


_RACE, _RACE_WITH_NATIVE = at_once(KISSAT, CPSAT, SAT), at_once(NATIVE, KISSAT, CPSAT, SAT)
_SAT_ALONE = (Stage((Turn((SAT,)),)),)
_CLAUSES = Stage((Turn((SAT, CPSAT)),))
_ALONE = (Stage((Turn((NATIVE, SAT, CPSAT)),)),)
_BULK = Turn((NATIVE,), 2_000)  # some ms, in which a SAT solver decides most puzzles that branch so often

POLICY: dict[Purpose, dict[Class, tuple[Stage, ...]]] = {
    Purpose.FEW: {
        # A node takes 0.01 ms, on the classic board 0.0002 ms: but for boards of AllDifferents alone, which SAT solvers
        # are quick with, the compiled search has half a second, and a second where sums carry it.
        Class.CLASSIC: (_in_turns(2_500_000, 2_000), _RACE_WITH_NATIVE),
        Class.ALL_DIFFERENT: (_in_turns(20_000, 2_000), _RACE_WITH_NATIVE),
        Class.SUMS: (_in_turns(100_000, 1_667), _RACE_WITH_NATIVE),
        Class.OTHER: (_in_turns(60_000, 200), _RACE_WITH_NATIVE),
        # Shading, regions to be found: what clauses learn of hidden cells saves most nodes, and each of these takes
        # the compiled search a tenth of a millisecond on small boards and 10 ms on 9x9. A race would begin without it.
        Class.HIDDEN: (_in_turns(100, 200_000, 40), _RACE_WITH_NATIVE),
        # The compiled search, which takes up to 64 values, finds grids of boards with few givens at once, where to load
        # the clauses takes seconds; its turn takes 0.1 s on 36x36. Two cores have room for two in the race, and these
        # two decide what the others do not. A turn of 20,000 conflicts before it would save half a second or a second
        # on 36x36 with 45 to 47% open, and take 9 s with half open.
        Class.LARGE: (
            Stage((Turn((NATIVE, SINGLES), 20_000), Turn((CAYLEY,))), once=True),
            Stage((Turn((KISSAT, SAT)), Turn((CPSAT,))), at_once=True),
            _CLAUSES,
        ),
        Class.LARGE_OTHER: (_RACE_WITH_NATIVE, _CLAUSES),
    },
    Purpose.ALL: {
        **dict.fromkeys((Class.CLASSIC, Class.ALL_DIFFERENT, Class.SUMS, Class.OTHER), _ALONE),
        # Most have few solutions, which the compiled search alone may look for without an end.
        Class.HIDDEN: (*_setting(100, 200_000), *_ALONE),
        Class.LARGE: (_RACE, _CLAUSES),
        Class.LARGE_OTHER: (_RACE_WITH_NATIVE, _CLAUSES),
    },
    Purpose.MANY: {
        **dict.fromkeys(Class, (Stage((_BULK, Turn((SAT, CPSAT)))),)),
        **dict.fromkeys((Class.LARGE, Class.LARGE_OTHER), (Stage((_BULK,)),)),
    },
    Purpose.SETTING: {
        Class.CLASSIC: _SAT_ALONE,
        Class.ALL_DIFFERENT: _SAT_ALONE,
        Class.SUMS: _setting(50_000, 1_667),
        Class.HIDDEN: _setting(100, 200_000),
        Class.OTHER: _setting(2_000, 200),
        Class.LARGE: _setting(20_000, 20_000),  # nodes of a tenth of a second on 36x36, where the clauses take seconds
        Class.LARGE_OTHER: _setting(2_000, 200),
    },
    # The compiled search finds a solution of a loose puzzle in a tenth of the time that a SAT solver takes.
    Purpose.CANDIDATES: {
        **dict.fromkeys((Class.CLASSIC, Class.ALL_DIFFERENT, Class.HIDDEN), _SAT_ALONE),
        Class.SUMS: _each_value(50_000),
        Class.OTHER: _each_value(2_000),
        Class.LARGE: _each_value(20_000),
        Class.LARGE_OTHER: _each_value(2_000),
    },
    Purpose.GENERATE: dict.fromkeys(Class, (Stage((Turn((NATIVE,), 20_000), Turn((SAT,), 5_000)), once=True),)),
    # The work of `native` is steps times integers of the formula: 10,000 steps, 5,000 conflicts, of a 9x9 killer. The
    # conflicts of the SAT solver take some ten seconds on 9x9.
    Purpose.PROOF: dict.fromkeys(
        Class, (Stage((Turn((NATIVE,), 1 << 29), Turn((SAT,), 200_000), Turn((PERSISTENT,)))),)
    ),
}
"""The policy of `auto`, by question and class of board."""

ENCODED = _SAT_ALONE  # where an encoding is asked for: the policy of any question

Policy = Callable[[Purpose, Board], Sequence[Stage]]


def policy(question: Purpose, board: Board) -> Sequence[Stage]:
    """The policy of `auto`."""
    return POLICY[question][class_of(board)]


def carry_out(
    stages: Sequence[Stage],
    takes: Callable[[str], bool],
    attempt: Callable[[str, int | None, Deadline], Result | None],
    deadline: Deadline,
    race: Callable[[list[str], Deadline], Result | None] = lambda names, deadline: None,
    account: Account | None = None,
) -> Result | None:
    """The first result that an engine comes to; None if none does before the deadline.

    Parameters:
        stages: the policy.
        takes: whether the engine of a name is here and takes the board, and has not refused the puzzle in its turn; not
            asked of engines that race.
        attempt: is given the name of the engine whose turn it is, how much work it may do, and a deadline. It books
            what it does on the account, and gives back the turn of an engine that has one to the end once there is
            credit.
        deadline: of all.
        race: is given the names of engines that race.
        account: of the turn that has a credit.
    """
    for number, stage in enumerate(stages):
        if stage.at_once:
            names = entrants(stage)
            result = race(names, deadline) if names else None
            if result is not None:
                return result
            continue
        until = deadline if stage.seconds is None else deadline.within(stage.seconds)
        for name, work in _rounds(stage, takes, account):
            result = attempt(name, work, until)
            if result is not None:
                return result
            if until.passed():
                if deadline.passed() or any(map(entrants, stages[number + 1 :])):
                    break
                until = deadline
    return None


def entrants(stage: Stage) -> list[str]:
    """The engines of a race that are here; none if they are fewer than two, or there are no processes."""
    if not THREADS:
        return []
    names = [first_of(turn, lambda name: backends.engine(name).absent() is None) for turn in stage.turns]
    here = [name for name in names if name is not None]
    return here if len(here) > 1 else []


def first_of(turn: Turn, takes: Callable[[str], bool]) -> str | None:
    """The engine that has a turn."""
    return next(filter(takes, turn.engines), None)


def _rounds(stage: Stage, takes: Callable[[str], bool], account: Account | None) -> Iterator[tuple[str, int | None]]:
    """Whose turn it is, and for how much work."""
    for number in count() if stage.repeats else range(1):
        taken = False
        for turn in stage.turns:
            if turn.credit is not None and (account is None or account.left <= 0):
                continue
            for name in filter(takes, turn.engines):  # asked when its turn comes, as an engine is imported to answer
                taken = True
                yield name, turn.in_round(number) if account is None or turn.credit is None else account.left
                if takes(name):  # else it has refused the puzzle, and the next one has its turn
                    break
        if not taken:
            return


def described(stages: Sequence[Stage]) -> str:
    """A policy in words."""
    return "; then ".join(map(_stage, stages))


def _stage(stage: Stage) -> str:
    if stage.at_once:
        return f"at once: {', '.join(map(_turn, stage.turns))}"
    words = ", ".join(_turn(turn) for turn in stage.turns)
    words += ", in turns" if stage.repeats and len(stage.turns) > 1 else ""
    return words + (f", for {stage.seconds:g} s" if stage.seconds is not None else "")


def _turn(turn: Turn) -> str:
    names = " or ".join(turn.engines)
    if turn.work is None:
        return names
    if turn.credit is not None:
        credit = turn.credit
        each = f"searches of {turn.work:,} nodes a cell, later up to {credit.longest:,}"
        return f"{names} ({each}; {credit.first:,} in vain, {credit.solution:,} more for each solution)"
    least = f", {turn.least:,} at least" if turn.least > turn.work else ""
    return f"{names} ({turn.work:,}{least})"
