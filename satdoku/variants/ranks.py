"""Full rank: rows and columns, read as numbers from both ends, and their places in order."""

from collections.abc import Iterator
from itertools import combinations

from satdoku.constraints import Automaton, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Constraints, Frame, Kinds, Shape, label, needs
from satdoku.variants.relations import Cells, number, only, seen_by

NO_TIES, TIES = "none", "any"
FLAG, EQUAL, DECIDED = "flag", "equal", "decided"

KINDS = Kinds()


def _ties(frame: Frame) -> str | None:
    """What the board says of equal readings; None: that of a clue is equal to no other."""
    return next((str(mark.value).lower() for mark in frame.marks if mark.kind == "full-rank-ties"), None)


def _readings(frame: Frame) -> Iterator[Mark]:
    """A place outside the grid for each row and column and either end."""
    ends = (0, frame.columns[-1] + 1), (0, frame.rows[-1] + 1)
    yield from (Mark("reading", ((row, end),)) for row in frame.rows for end in ends[0])
    yield from (Mark("reading", ((end, column),)) for column in frame.columns for end in ends[1])


@KINDS.add("full-rank", Shape.CLUE, needs("the rank"), aliases=("rank",))
def _full_rank(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: all rows and columns, read as numbers from either end, are ranked from the least, and
    this is the rank of the one that begins here; no other reading is equal to it."""
    rank, here = number(mark, positive="a rank of 1 or more"), seen_by(frame, mark, "full rank")
    others = [other for other in _readings(frame) if other.cells != mark.cells]
    if frame.size.rows != frame.size.columns or rank > len(others) + 1:
        raise PuzzleError(
            f"rank {rank} on a board of {frame.size.shape}: expected a square one, and at most its readings"
        )
    if frame.size.square:  # each digit begins as many readings
        yield only(here.cells[0], (frame.values[(rank - 1) // 4],), here.name)
    flags = []
    for other in others:
        flags.append(frame.auxiliary(2))
        there = seen_by(frame, other, "full rank")
        yield _compared(frame, here, there, flags[-1], _ties(frame) == TIES)
    yield Linear(tuple(flags), (1,) * len(flags), len(flags) * frame.values[0] + rank - 1, here.name)


@KINDS.add("full-rank-ties", Shape.RULE, needs("none or any", words=("NONE", "ANY")), plural="ties of ranks")
def _full_rank_ties(frame: Frame, mark: Mark) -> Constraints:
    """Which readings of full rank may be equal: none of all rows and columns (none), or any, even those with clues
    (any)."""
    word = str(mark.value).lower()
    if word not in (NO_TIES, TIES):
        raise PuzzleError(f"value {mark.value!r}: expected none or any")
    for one, other in combinations(_readings(frame) if word == NO_TIES else (), 2):
        here, there = (seen_by(frame, each, "no ties") for each in (one, other))
        if here.cells != there.cells[::-1]:
            yield _compared(frame, here, there, None, False)


def _compared(frame: Frame, here: Cells, there: Cells, flag: int | None, ties: bool) -> Automaton:
    """The flag, if any, is raised exactly if the other reading is less than this one; equal ones fail unless `ties`.
    The flag is read first. State: the flag, how they compare so far, and the value that waits for the other."""
    first = frame.values[0]
    none, raised = first - 1, first + 1
    cells = (cell for two in zip(here.cells, there.cells, strict=True) for cell in two)

    def step(state: tuple[int, str, int], value: int) -> tuple[int, str, int] | None:
        flagged, order, waiting = state
        if order == FLAG:
            return (value, EQUAL, none) if value in (first, raised) else None
        if order == DECIDED or waiting == none:
            return state if order == DECIDED else (flagged, EQUAL, value)
        if value == waiting:
            return flagged, EQUAL, none
        return (flagged, DECIDED, none) if flagged == none or (flagged == raised) == (value < waiting) else None

    values = range(first, max(frame.values[-1], raised) + 1)
    name = f"{here.name} and {label(frame.positions(there.cells[:1])[0])}"
    on = Cells(values, (*(() if flag is None else (flag,)), *cells), name)
    start = (none, EQUAL if flag is None else FLAG, none)
    return on.automaton(start, step, lambda state: state[1] == DECIDED or (ties and state[0] == first))
