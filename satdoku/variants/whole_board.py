"""Constraints of the whole board over its windows of 2x2 cells and its columns."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations, groupby, product
from operator import itemgetter

from satdoku.constraints import AllDifferent, Automaton, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Constraints, Frame, Kinds, Shape, Value, label
from satdoku.variants.boxes import boxes_of
from satdoku.variants.counts import alike
from satdoku.variants.making import collected
from satdoku.variants.relations import CellList, number, numbers, only, thirds

WINDOW = 4  # cells of a window
FREE, ABOVE, NEEDS = "free", "above", "needs"
WAYS = ("ROWS", "COLUMNS")
OTHER = frozenset({-1})
_Rope = tuple[frozenset[int], int, frozenset[int]]
KINDS = Kinds()


@KINDS.add("global-entropy", Shape.RULE, Value(text=True, meaning="the classes, such as 123 456 789"))
def _entropy(frame: Frame, mark: Mark) -> Constraints:
    """Every 2x2 window holds a low, a middle and a high digit, or one of each class that is listed."""
    return _windows(frame, _classes(frame, mark), "entropy")


def _classes(frame: Frame, mark: Mark) -> dict[int, int]:
    """The number of each value's class, values of no class left out; thirds where the mark names no classes."""
    if mark.value is None:
        return thirds(frame.values)
    words = [word.split(",") if "," in word else list(word) for word in str(mark.value).split()]
    listed = [part for word in words for part in word]
    if not (listed and all(part.isdecimal() and int(part) in frame.values for part in listed)):
        raise PuzzleError(f"value {mark.value!r}: expected classes of {frame.size.span} such as 123 456 or 1,2 11,12")
    if len(set(listed)) < len(listed):
        raise PuzzleError(f"value {mark.value!r}: a digit is in two classes")
    return {int(part): number for number, word in enumerate(words) for part in word}


@KINDS.add("global-mod", Shape.RULE, Value(default=3, meaning="the number that is divided by"))
@KINDS.also(aliases=("global-modular",))
def _remainders(frame: Frame, mark: Mark) -> Constraints:
    """Every 2x2 window holds every remainder by the number, 3 if there is none."""
    modulus = number(mark, 3, "a number of 1 or more to divide by")
    classes = {value: value % modulus for value in frame.values}
    return _windows(frame, classes, f"remainders by {modulus}", range(modulus))


def _windows(frame: Frame, class_of: Mapping[int, int], name: str, classes: range | None = None) -> Constraints:
    """Every 2x2 window holds a value of each class; the state is the set of classes that are still to come."""
    every = frozenset(class_of.values() if classes is None else classes)
    if len(every) > WINDOW:
        raise PuzzleError(f"{len(every)} classes: expected at most {WINDOW}, as many as a window has cells")

    def step(left: frozenset[int], value: int) -> frozenset[int]:
        return left - {class_of[value]} if value in class_of else left

    for row, column in product(frame.rows[:-1], frame.columns[:-1]):
        cells = frame.cells(tuple(product((row, row + 1), (column, column + 1))))
        window = CellList(frame.values, cells, f"{name} at {label((row, column))}")
        yield window.automaton(every, step, lambda left: not left)


@KINDS.add(
    "flatmates", Shape.RULE, Value(several=True, meaning="the middle digit, the one above, the one below; 5 1 9")
)
@KINDS.also(aliases=("dutch-flatmates",))
def _flatmates(frame: Frame, mark: Mark) -> Constraints:
    """Every 5 has a 1 directly above it or a 9 directly below it, or both (other digits if three are listed)."""
    # An automaton a column, read downward; its state is what the next value may need and what it may use.
    last = frame.values[-1]
    usual = ((last + 1) // 2, 1, last) if frame.values[0] == 1 else ()
    three = numbers(mark, "three digits, with blanks between", usual)
    if len(three) != 3 or not all(value in frame.values for value in three):
        raise PuzzleError(f"value {mark.value!r}: expected three of {frame.size.span}, with blanks between")
    middle, above, below = three

    def step(state: str, value: int) -> str | None:
        if state == NEEDS and value != below:
            return None
        if value == middle and state != ABOVE:
            return NEEDS
        return ABOVE if value == above else FREE

    for column in frame.columns:
        cells = CellList(frame.values, frame.seen_from((0, column)), f"flatmates in column {column}")
        yield cells.automaton(FREE, step, lambda state: state != NEEDS)


@KINDS.add("roping", Shape.RULE, Value(words=WAYS, meaning="ROWS or COLUMNS if not both"))
def _roping(frame: Frame, mark: Mark) -> Constraints:
    """The digits that a row has in one box are together in a row of each box beside it, and so are those of columns in
    the boxes above and below (ROWS or COLUMNS: only these)."""
    # Of two boxes each line of one and each of the other: what this says is the same for both boxes and all lines.
    word, box = str(mark.value or "").upper(), boxes_of(frame)
    if mark.value is not None and word not in WAYS:
        raise PuzzleError(f"value {mark.value!r}: expected {' or '.join(WAYS)}")
    boxes = {min(positions): positions for positions in frame.houses[2]}
    for (row, column), cells in boxes.items():
        for axis, beside in enumerate(((row, column + box.columns), (row + box.rows, column))):
            if word not in ("", WAYS[axis]) or beside not in boxes:
                continue
            name = f"roping at {label((row, column))}-{label(beside)}"
            if len(cells) < len(frame.values):  # else both hold all digits
                yield from alike(frame, map(frame.cells, (cells, boxes[beside])), name)
            for one, other in product(*(_lines(each, axis) for each in (cells, boxes[beside]))):
                yield _same_or_none(CellList(frame.values, frame.cells((*one, *other)), name))


def _lines(cells: Iterable[Position], axis: int) -> list[list[Position]]:
    """The rows of a box, or its columns if the axis is 1."""
    return [list(line) for _, line in groupby(sorted(cells, key=itemgetter(axis)), itemgetter(axis))]


def _same_or_none(lines: CellList) -> Automaton:
    """The digits of the first half of the cells are those of the other half, or none of them.
    State: the digits, how many cells of the other half were read, those of the digits that it had (OTHER if none)."""
    long = len(lines.cells) // 2

    def step(state: _Rope, value: int) -> _Rope | None:
        held, read, had = state
        if read < 0:
            return held | {value}, read + 1, OTHER
        if read and (had == OTHER) == (value in held):
            return None
        return held, read + 1, had - OTHER | {value} if value in held else OTHER

    return lines.automaton(
        (frozenset(), -long, OTHER), step, lambda state: state[1] == long and state[2] in (OTHER, state[0])
    )


LACKED = {"rows": "ROW", "columns": "COL", "boxes": "BOX"}  # what begins the names of the cells of what each lacks


def _lacked(frame: Frame, mark: Mark) -> Iterator[tuple[str, Callable[[], int]]]:
    """`ROW1`, what row 1 lacks; `COL1` and `BOX1` of a column and a box."""
    for letters, family in zip(LACKED.values(), frame.houses, strict=True):
        for place in range(1, len(family) + 1):
            yield f"{letters}{place}", partial(frame.auxiliary, len(frame.values))


@KINDS.add("doppelganger", Shape.RULE, plural="doppelgangers", names=_lacked)
def _doppelganger(frame: Frame, mark: Mark) -> Constraints:
    """On a board with 0 and as many other digits as rows: each row, column and box lacks one digit but 0, no two rows
    (columns, boxes) the same; those that meet at a 0 lack different digits."""
    values, many = frame.values, len(frame.rows)
    if values != range(many + 1) or any(len(house) != many for family in frame.houses for house in family):
        raise PuzzleError(f"a board of {frame.size}: expected NxN with the values 0..N")
    lacked: dict[Position, list[int]] = {}
    for (name, letters), family in zip(LACKED.items(), frame.houses, strict=True):
        missing = [frame.named[f"{letters}{place}"] for place in range(1, len(family) + 1)]
        if missing:
            yield AllDifferent(tuple(missing), f"what {name} lack")
        for house, cell in zip(family, missing, strict=True):
            yield only(cell, values[1:], f"what {name} lack")
            yield AllDifferent((*frame.cells(house), cell), f"what {name} lack at {label(house[0])}")
            for place in house:
                lacked.setdefault(place, []).append(cell)
    differ = collected(((v, a, b) for v, a, b in product(values, repeat=3) if v or a != b), "what houses lack")
    for place, cells in lacked.items():
        for two in combinations(cells, 2):
            yield Table((frame.cell(place), *two), differ, f"what is lacked at {label(place)}")
