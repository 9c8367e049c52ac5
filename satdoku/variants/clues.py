"""Clues outside the grid: sandwiches, skyscrapers, X-sums, full rank (rows and columns, read as numbers from both ends,
and their places in order)."""

from collections.abc import Hashable
from itertools import chain, combinations, product

from satdoku.constraints import Automaton, Linear, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Constraints, Frame, Kinds, Shape, Strokes, label, needs
from satdoku.variants.boxes import boxes_of
from satdoku.variants.drawing import place, sentence
from satdoku.variants.making import once
from satdoku.variants.relations import CellList, indexed, number, numbers, only, rises, seen_by, values_listed
from satdoku.variants.strokes import DARK, Line, head
from satdoku.words import plural

FOUND = -1
BOTH, NONE = 2, -1
ARROWS = {"R": 1, "D": 1, "L": -1, "U": -1}  # which way an arrow points along its row or column
KINDS = Kinds()
NO_TIES, TIES = "none", "any"
FLAG, FIRST, EQUAL, DECIDED = "flag", "first", "equal", "decided"


def _arrow(frame: Frame, mark: Mark) -> Strokes:
    """An arrow outside the grid, beyond what other marks wrote at its place; and what it means."""
    row, column = place(frame, mark)
    way = ARROWS[str(mark.value).upper()] * 0.3
    down, right = (0.0, way) if str(mark.value).upper() in "LR" else (way, 0.0)
    start, tip = (row - down, column - right), (row + down, column + right)
    yield Line((start, tip), DARK, 0.05)
    yield head(start, tip, DARK, 0.05, 0.2)
    yield from sentence(frame, mark)


@KINDS.add("sandwich", Shape.CLUE, needs("the sum"), plural="sandwiches", fpuzzles="sandwichsum")
def _sandwich(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: two cells hold 1 or the greatest digit, and the digits between them add up to it."""
    # States: (0, 0) before the first crust, (1, sum) between the crusts, (2, total) after the second.
    total = number(mark)
    crusts = (frame.values[0], frame.values[-1])

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        crust, filling = state
        if value in crusts:
            return (crust + 1, filling) if crust == 0 or (crust == 1 and filling == total) else None
        filling += value if crust == 1 else 0
        return (crust, filling) if filling <= total else None

    yield seen_by(frame, mark, "sandwich").automaton((0, 0), step, lambda state: state == (2, total))


@KINDS.add("skyscraper", Shape.CLUE, needs("how many digits are seen"), fpuzzles="skyscraper")
def _skyscraper(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: so many digits, seen from the clue, are greater than all before them."""
    yield seen_by(frame, mark, "skyscraper").seen(number(mark))


@KINDS.add("skyscraper-sum", Shape.CLUE, needs("the sum"))
def _skyscraper_sum(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: the digits that, seen from the clue, are greater than all before them add up to it."""
    yield seen_by(frame, mark, "skyscraper sum").seen(number(mark), lambda value: value)


@KINDS.add("first-seen", Shape.CLUE, needs("the digit"), plural="first seen odd or even digits")
@KINDS.also(aliases=("first-seen-odd-even",))
def _first_seen(frame: Frame, mark: Mark) -> Constraints:
    """Digit outside the grid: it is the first odd digit, or the first even digit, that the clue sees."""
    # The state is whether it was read.
    first = number(mark)

    def step(read: bool, value: int) -> bool | None:
        if read or (value - first) % 2:
            return read
        return True if value == first else None

    yield seen_by(frame, mark, "first seen").automaton(False, step, bool)


@KINDS.add("position-sum", Shape.CLUE, needs("the sum of the first two, and of the digits they point at", several=True))
def _position_sum(frame: Frame, mark: Mark) -> Constraints:
    """Two numbers outside the grid: the first two digits from the clue add up to the first number, and the digits in
    the two cells whose places, counted from the clue, they name add up to the second."""
    # State: how many cells were read, the places that are still to come, what is left of the second number.
    line, sums = seen_by(frame, mark, "position sum"), numbers(mark, "two sums, with a blank between")
    many = len(line.cells)
    if len(sums) != 2 or many < 2:
        raise PuzzleError(f"value {mark.value!r} for {plural(many, 'cell')}: expected two sums, and two cells or more")
    pointing, pointed = sums

    def step(state: tuple[int, tuple[int, ...], int], value: int) -> tuple[int, tuple[int, ...], int] | None:
        read, places, left = state
        if not read:
            return (1, (value,), pointed) if 1 <= value <= many else None
        if read == 1:
            first = places[0]
            if first + value != pointing or not 1 <= value <= many:
                return None
            known = {1: first, 2: value}
            left -= sum(known.get(place, 0) for place in (first, value))
            places = tuple(sorted(place for place in (first, value) if place not in known))
        else:
            left -= value * places.count(read + 1)
            places = tuple(place for place in places if place != read + 1)
        return (read + 1 if places else many, places, left) if left >= 0 and (places or not left) else None

    yield line.automaton((0, (), 0), step, lambda state: state == (many, (), 0))


@KINDS.add("x-sum", Shape.CLUE, needs("the sum"), plural="X-sums", fpuzzles="xsum")
def _x_sum(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: the first X cells from the clue add up to it, where X is the first of them."""
    # States: (cells still to add, sum so far); (-1, 0) before the first cell says how many.
    total = number(mark)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        left, added = state
        if left == 0:
            return state
        # A first cell of 0 adds up none, which is its own value.
        left, added = max(1, value if left < 0 else left) - 1, added + value
        return (left, added) if added <= total and (left or added == total) else None

    yield seen_by(frame, mark, "X-sum").automaton((-1, 0), step, lambda state: state == (0, total))


@KINDS.add("numbered-room", Shape.CLUE, needs("the digit in that cell"))
def _numbered_room(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: it stands in the X-th cell from the clue, where X is the first of them."""
    # Pairs in place of one automaton: they propagate faster, and what two of them exclude is seen.
    total, line = number(mark), seen_by(frame, mark, "numbered room")
    first, *others = line.cells
    stands = {1} if total == 1 else set()
    yield only(first, {each for each in frame.values if each in stands or 2 <= each <= len(line.cells)}, line.name)
    for away, cell in enumerate(others, 2):
        yield Table((first, cell), indexed(frame.values, away, total, frame.lined), line.name)


@KINDS.add("hidden-skyscraper", Shape.CLUE, needs("the first hidden digit"))
def _hidden_skyscraper(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: the first digit, seen from the clue, that is lower than one before it."""
    # The state is the highest value so far, FOUND after the first hidden one.
    hidden = number(mark)

    def step(highest: int, value: int) -> int | None:
        if highest == FOUND or value >= highest:
            return highest if highest == FOUND else value
        return FOUND if value == hidden else None

    yield seen_by(frame, mark, "hidden skyscraper").automaton(0, step, lambda state: state == FOUND)


@KINDS.add("before-nine", Shape.CLUE, needs("the sum"), plural="before-nine sums")
def _before_nine(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: the digits before the greatest digit, seen from the clue, add up to it."""
    # The state is the sum so far, FOUND after N.
    total = number(mark)

    def step(added: int, value: int) -> int | None:
        if added == FOUND:
            return FOUND
        if value == frame.values[-1]:
            return FOUND if added == total else None
        return added + value if added + value <= total else None

    yield seen_by(frame, mark, "before nine").automaton(0, step, lambda state: state == FOUND)


@KINDS.add("battlefield", Shape.CLUE, needs("the sum"))
def _battlefield(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: with X the first and Y the last digit, the first X and the last Y cells are marked;
    the cells marked twice, or if there are none the cells not marked, add up to it."""
    # The first and the last cell, then those between. State: the first value, then cells before those that count, how
    # many count, their sum so far. The cells that count are those of both groups if the groups overlap, else those
    # between them: in either case those between the end of the one group and the beginning of the other.
    total, line = number(mark), seen_by(frame, mark, "battlefield")
    size = len(line.cells)
    if size == 1:
        yield line.sum(total)
        return

    def counted(skipped: int, counting: int, added: int) -> tuple[int, ...] | None:
        if counting:
            return (skipped, counting, added) if added <= total else None
        return (0, 0, total) if added == total else None

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        if not state:
            return (value,)
        if len(state) == 1:
            begin, end = sorted((min(size, state[0]), max(0, size - value)))
            added = (state[0] if begin == 0 < end else 0) + (value if begin < end == size else 0)
            begin, end = max(begin, 1), min(end, size - 1)
            return counted(begin - 1, max(0, end - begin), added)
        skipped, counting, added = state
        if skipped:
            return skipped - 1, counting, added
        return counted(0, counting - 1, added + value) if counting else state

    yield line.ends_first().automaton((), step, lambda state: state == (0, 0, total))


@KINDS.add("rossini", Shape.CLUE, needs("the direction: L, R, U or D", words=tuple("LRUD")), plural="rossini arrows")
@KINDS.also(draw=_arrow)
def _rossini(frame: Frame, mark: Mark) -> Constraints:
    """Arrow outside the grid: the three digits next to it rise in its direction."""
    line, word = _three(seen_by(frame, mark, "rossini"), mark), str(mark.value).upper()
    expected = "L or R" if frame.beside(mark.cells[0]) else "U or D"
    if word not in expected.split(" or "):
        raise PuzzleError(f"value {mark.value!r} at {label(mark.cells[0])}: expected {expected}")
    return line.over(*sorted(line.cells)[:: ARROWS[word]]).chain(rises)


@KINDS.add("negative-rossini", Shape.RULE)
def _no_rossini(frame: Frame, mark: Mark) -> Constraints:
    """Where there is no rossini arrow outside the grid, the three digits there neither rise nor fall."""
    # Beside no arrow. The state is the last value, NONE before it, and the way so far: 1 up, -1 down, 0 not known,
    # BOTH if neither.
    drawn = {other.cells[0] for other in frame.marks if other.kind == "rossini"}

    def step(state: tuple[int, int], value: int) -> tuple[int, int]:
        before, way = state
        if before == NONE or way == BOTH:
            return value, way
        now = (value > before) - (value < before)
        return (value, now) if now and way in (0, now) else (value, BOTH)

    clues = [(edge, column) for column in frame.columns for edge in (0, frame.rows[-1] + 1)]
    clues += [(row, edge) for row in frame.rows for edge in (0, frame.columns[-1] + 1)]
    for clue in (Mark(mark.kind, (clue,)) for clue in clues if clue not in drawn):
        yield _three(seen_by(frame, clue, "no arrow"), clue).automaton((NONE, 0), step, lambda state: state[1] == BOTH)


def _three(line: CellList, clue: Mark) -> CellList:
    if len(line.cells) < 3:
        raise PuzzleError(f"a line of {len(line.cells)} cells at {label(clue.cells[0])}: expected three or more")
    return line.over(*line.cells[:3])


@KINDS.add("outside", Shape.CLUE, needs("the digits", several=True), plural="outside clues", aliases=("frame",))
def _outside(frame: Frame, mark: Mark) -> Constraints:
    """Digits outside the grid: they stand in the cells of the first box that the clue sees."""
    yield _first_box(frame, mark, "outside clue").containing(values_listed(frame, mark))


@KINDS.add("frame-sum", Shape.CLUE, needs("the sum"))
def _frame_sum(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: the cells of the first box that the clue sees add up to it."""
    yield _first_box(frame, mark, "frame sum").sum(number(mark))


def _first_box(frame: Frame, mark: Mark, kind: str) -> CellList:
    box, line = boxes_of(frame), seen_by(frame, mark, kind)
    return line.over(*line.cells[: box.columns if frame.beside(mark.cells[0]) else box.rows])


def _ties(frame: Frame) -> str | None:
    return next((str(mark.value).lower() for mark in frame.marks if mark.kind == "full-rank-ties"), None)


def _readings(frame: Frame, kind: str) -> dict[Position, CellList]:
    """The cells of all rows and columns from either end, by the place of a clue there: worked out once for a board."""
    ends = (0, frame.columns[-1] + 1), (0, frame.rows[-1] + 1)
    clues = *product(frame.rows, ends[0]), *((end, column) for column in frame.columns for end in ends[1])
    made: dict[Position, CellList] = once(
        (_readings, kind, frame.size, frame.values),
        lambda: {clue: seen_by(frame, Mark("reading", (clue,)), kind) for clue in clues},
    )
    return made


@KINDS.add("full-rank", Shape.CLUE, needs("the rank"), aliases=("rank",))
def _full_rank(frame: Frame, mark: Mark) -> Constraints:
    """Number outside the grid: all rows and columns, read as numbers from either end, are ranked from the least, and
    this is the rank of the one that begins here; no other reading is equal to it."""
    rank, here = number(mark, positive="a rank of 1 or more"), seen_by(frame, mark, "full rank")
    others = {clue: there for clue, there in _readings(frame, "full rank").items() if clue != mark.cells[0]}
    if frame.size.rows != frame.size.columns or rank > len(others) + 1:
        board = f"a board of {frame.size.shape}"
        raise PuzzleError(f"rank {rank} on {board}: expected a square one, and at most its readings")
    least, square = frame.values[0], frame.size.square and frame.lined
    if square:  # each digit begins one reading on each side, so that only those with the same first digit are compared
        yield only(here.cells[0], (frame.values[(rank - 1) // 4],), here.name)
        own = _side(frame, mark.cells[0])
        others = {clue: there for clue, there in others.items() if _side(frame, clue) != own}
    flag_of: dict[Hashable, int] = {}
    compared: Automaton | None = None
    for clue, there in others.items():
        key = _side(frame, clue) if square else clue  # on a side one reading alone begins with the same digit
        if key not in flag_of:
            flag_of[key] = frame.auxiliary(2)
        if compared is None:
            compared = _compared(frame, here, there, flag_of[key], _ties(frame) == TIES, square)
        else:  # only the cells are others
            cells, name = _read_by_turns(frame, here, there, flag_of[key])
            compared = Automaton(cells, compared.transitions, compared.start, compared.accepting, name)
        yield compared
    flags = tuple(flag_of.values())
    less = (rank - 1) % 4 if square else rank - 1
    yield Linear(flags, (1,) * len(flags), len(flags) * least + less, here.name)


def _side(frame: Frame, clue: Position) -> tuple[bool, bool]:
    """Whether the reading runs along a row, and whether it begins at the first cell of it."""
    row, column = clue
    return row in frame.rows, 0 in (row, column)


@KINDS.add("full-rank-ties", Shape.RULE, needs("none or any", words=("NONE", "ANY")), plural="ties of ranks")
def _full_rank_ties(frame: Frame, mark: Mark) -> Constraints:
    """Which readings of full rank may be equal: none of all rows and columns (none), or any, even those with clues
    (any)."""
    word = str(mark.value).lower()
    if word not in (NO_TIES, TIES):
        raise PuzzleError(f"value {mark.value!r}: expected none or any")
    if frame.size.rows != frame.size.columns:
        raise PuzzleError(f"a board of {frame.size.shape}: expected a square one, whose rows compare with its columns")
    for here, there in combinations(_readings(frame, "no ties").values() if word == NO_TIES else (), 2):
        if here.cells != there.cells[::-1]:
            yield _compared(frame, here, there, None, False, False)


def _read_by_turns(frame: Frame, here: CellList, there: CellList, flag: int | None) -> tuple[tuple[int, ...], str]:
    """The flag, if any, and the cells of two readings, one of each in turn; and a name for what compares them."""
    cells = chain.from_iterable(zip(here.cells, there.cells, strict=True))
    name = f"{here.name} and {label(frame.positions(there.cells[:1])[0])}"
    return (*(() if flag is None else (flag,)), *cells), name


def _compared(frame: Frame, here: CellList, there: CellList, flag: int | None, ties: bool, alike: bool) -> Automaton:
    """The flag, if any, is raised exactly if the other reading is less than this one; where `alike`, that is said of
    readings that begin with the same value alone. Equal ones fail unless `ties`. The flag is read first. State: the
    flag, how they compare so far, and the value that waits for the other."""
    first = frame.values[0]
    none, raised = first - 1, first + 1

    def step(state: tuple[int, str, int], value: int) -> tuple[int, str, int] | None:
        flagged, order, waiting = state
        if order == FLAG:
            return (value, FIRST if alike else EQUAL, none) if value in (first, raised) else None
        if order == DECIDED or waiting == none:
            return state if order == DECIDED else (flagged, order, value)
        if value == waiting:
            return flagged, EQUAL, none
        if order == FIRST:
            return none, DECIDED, none
        return (flagged, DECIDED, none) if flagged == none or (flagged == raised) == (value < waiting) else None

    on = CellList(range(first, max(frame.values[-1], raised) + 1), *_read_by_turns(frame, here, there, flag))
    start = (none, EQUAL if flag is None else FLAG, none)
    return on.automaton(start, step, lambda state: state[1] == DECIDED or (ties and state[0] == first))
