"""The same kinds as `definitions.py` has, written once more as clauses.

`CLAUSES` has for each kind a function that gives the literal of a mark: the condition that the mark holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, groupby

from support.independent.board import BESIDE, KING, KNIGHT, Mark, Puzzle
from support.independent.definitions import SUMS
from support.independent.logic import Logic

Says = Callable[[Logic, Puzzle, Mark], int]
CLAUSES: dict[str, Says] = {}


def says(*kinds: str) -> Callable[[Says], Says]:
    def enter(literal: Says) -> Says:
        CLAUSES.update(dict.fromkeys(kinds, literal))
        return literal

    return enter


def conditions(logic: Logic, puzzle: Puzzle) -> Iterator[int]:
    """What a puzzle says, condition by condition: the cells, the houses, the marks."""
    yield from (logic.among(cell, allowed) for cell, allowed in enumerate(puzzle.allowed))
    yield from map(logic.differ, puzzle.houses)
    yield from (CLAUSES[mark.kind](logic, puzzle, mark) for mark in puzzle.marks)


@says("killercage")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    total = logic.true if mark.value is None else logic.sums_to(mark.cells, mark.number)
    return logic.all((logic.differ(mark.cells), total))


@says("digital root")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    most = puzzle.values * len(mark.cells)
    totals = (logic.sums_to(mark.cells, total) for total in range(mark.number, most + 1, 9))
    return logic.all((logic.differ(mark.cells), logic.any(totals)))


@says("extraregion")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.differ(mark.cells)


@says("arrow")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    bulb = [(cell, 10**place) for place, cell in enumerate(reversed(mark.cells))]
    return logic.all(logic.total([*bulb, *((cell, -1) for cell in shaft)], 0) for shaft in mark.lines)


@says("averagearrow")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    (bulb,) = mark.cells
    return logic.all(logic.total([(bulb, len(shaft)), *((cell, -1) for cell in shaft)], 0) for shaft in mark.lines)


@says("littlekillersum")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.sums_to(mark.cells, mark.number)


@says("zipperline")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    (line,) = mark.lines
    half, odd = divmod(len(line), 2)
    teeth = [(line[place], line[-1 - place]) for place in range(half)]
    target = (line[half],) if odd else teeth[-1]
    return logic.all(logic.as_much(two, target) for two in teeth)


@says("doublearrow")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    first, *between, last = mark.lines[0]
    return logic.as_much((first, last), between)


@says("regionsumline")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    parts = [tuple(part) for _, part in groupby(mark.lines[0], key=puzzle.region_of.__getitem__)]
    return logic.all(logic.as_much(parts[0], part) for part in parts[1:])


@says("sumline")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    # The line is cut after the first so many cells, and the rest is such a line again.
    (line,) = mark.lines
    splits = {len(line): logic.true}
    for begin in reversed(range(len(line))):
        ends = range(begin + 1, len(line) + 1)
        splits[begin] = logic.any(logic.all((logic.sums_to(line[begin:end], mark.number), splits[end])) for end in ends)
    return splits[0]


@says("sandwichsum")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    crusts, total = (1, puzzle.values), mark.number

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        passed, added = state
        if value in crusts:
            return (passed + 1, added) if passed < 2 else None
        return (passed, added + value * (passed == 1)) if added <= total else None

    return logic.all(
        (
            *(logic.any(logic.equals(cell, crust) for cell in mark.cells) for crust in crusts),
            logic.read(mark.cells, (0, 0), step, lambda state: state == (2, total)),  # type: ignore[arg-type]
        )
    )


@says("skyscraper")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    hides = [
        [logic.pair(before, cell, lambda one, other: one >= other) for before in mark.cells[:place]]
        for place, cell in enumerate(mark.cells)
    ]
    return logic.counts([-logic.any(hidden) for hidden in hides]).get(mark.number, logic.false)


@says("xsum")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    first = mark.cells[0]
    return logic.any(
        logic.all((logic.equals(first, count), logic.sums_to(mark.cells[:count], mark.number)))
        for count in range(1, len(mark.cells) + 1)
    )


@says("numberedroom")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    first = mark.cells[0]
    return logic.any(
        logic.all((logic.equals(first, place), logic.equals(cell, mark.number)))
        for place, cell in enumerate(mark.cells, 1)
    )


@says("difference")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.chain(mark.cells, lambda one, other: abs(one - other) == mark.value)


@says("ratio")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    ratio = mark.number
    return logic.chain(mark.cells, lambda one, other: one == ratio * other or other == ratio * one)


@says("xv")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.sums_to(mark.cells, SUMS[str(mark.value)])


@says("greaterthan")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.chain(mark.cells, lambda one, other: one > other)


@says("thermometer")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.chain(mark.lines[0], lambda one, other: one < other)


@says("slowthermometer")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.chain(mark.lines[0], lambda one, other: one <= other)


@says("whispers")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.chain(mark.lines[0], lambda one, other: abs(one - other) >= mark.number)


@says("renban")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    line = set(mark.lines[0])
    spans = (range(low, low + len(line)) for low in range(1, puzzle.values - len(line) + 2))
    return logic.any(logic.all(logic.any(logic.equals(c, value) for c in line) for value in span) for span in spans)


@says("nabner")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.all(
        logic.pair(one, other, lambda first, second: abs(first - second) >= 2)
        for one, other in combinations(sorted(set(mark.lines[0])), 2)
    )


@says("palindrome")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    line = mark.lines[0]
    return logic.all(_same(logic, one, other) for one, other in zip(line, reversed(line), strict=True))


def _same(logic: Logic, one: int, other: int) -> int:
    return logic.any(logic.all((logic.equals(one, value), logic.equals(other, value))) for value in logic.values)


@says("entropicline")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    third = puzzle.values // 3
    return _each_class(logic, mark, [range(low, low + third) for low in range(1, puzzle.values + 1, third)])


@says("modularline")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return _each_class(logic, mark, [puzzle.digits[first::3] for first in range(3)])


def _each_class(logic: Logic, mark: Mark, classes: list[range]) -> int:
    """Any three cells one after the other have a value of each class."""
    (line,) = mark.lines
    return logic.all(
        logic.any(logic.among(cell, some) for cell in three)
        for three in zip(line, line[1:], line[2:], strict=False)
        for some in classes
    )


@says("parityline")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    odd = [logic.among(cell, puzzle.digits[::2]) for cell in mark.lines[0]]
    alternating = [literal if place % 2 else -literal for place, literal in enumerate(odd)]
    return logic.any((logic.all(alternating), logic.all(-literal for literal in alternating)))


@says("betweenline")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    first, *between, last = mark.lines[0]
    return logic.any(
        logic.all(logic.chain((low, cell, high), lambda one, other: one < other) for cell in between)
        for low, high in ((first, last), (last, first))
    )


@says("lockout")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    ends, between = (mark.lines[0][0], mark.lines[0][-1]), mark.lines[0][1:-1]
    apart = logic.pair(*ends, lambda one, other: abs(one - other) >= mark.number)
    outside = [
        logic.any(
            (
                logic.all(logic.pair(cell, end, lambda one, other: one < other) for end in ends),
                logic.all(logic.pair(cell, end, lambda one, other: one > other) for end in ends),
            )
        )
        for cell in between
    ]
    return logic.all((apart, *outside))


@says("odd")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.among(mark.cells[0], puzzle.digits[::2])


@says("even")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.among(mark.cells[0], puzzle.digits[1::2])


@says("minimum", "maximum")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    (cell,), least = mark.cells, mark.kind == "minimum"
    unlike = set(puzzle.around(cell)) - {other.cells[0] for other in puzzle.marks if other.kind == mark.kind}
    return logic.all(logic.chain((cell, other) if least else (other, cell), lambda a, b: a < b) for other in unlike)


def _index(logic: Logic, cell: int, names: dict[int, int | None], own: int) -> int:
    """A value of the cell names another cell, which has the value `own`."""
    return logic.any(
        logic.all((logic.equals(cell, value), logic.equals(named, own)))
        for value, named in names.items()
        if named is not None
    )


@says("rowindexer")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    row, column = divmod(mark.cells[0], puzzle.columns)
    return _index(logic, mark.cells[0], {value: puzzle.at(value - 1, column) for value in puzzle.digits}, row + 1)


@says("columnindexer")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    row, column = divmod(mark.cells[0], puzzle.columns)
    return _index(logic, mark.cells[0], {value: puzzle.at(row, value - 1) for value in puzzle.digits}, column + 1)


@says("boxindexer")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    (region,) = (region for region in puzzle.regions if mark.cells[0] in region)
    return _index(logic, mark.cells[0], dict(enumerate(region, 1)), region.index(mark.cells[0]) + 1)


@says("clone")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.all(_same(logic, cell, copy) for cell, copy in zip(mark.cells, mark.lines[0], strict=True))


@says("quadruple")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    assert isinstance(mark.value, tuple)
    return logic.all(
        logic.any(logic.all(logic.equals(cell, value) for cell in some) for some in combinations(mark.cells, often))
        for value, often in Counter(mark.value).items()
    )


@says("countingcircles")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    def often(value: int) -> int:
        counts = logic.counts([logic.equals(cell, value) for cell in mark.cells])
        return logic.any((counts[0], counts.get(value, logic.false)))

    return logic.all(map(often, puzzle.digits))


@says("diagonal+")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.differ(row * puzzle.columns + puzzle.columns - 1 - row for row in range(puzzle.rows))


@says("diagonal-")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.differ(row * puzzle.columns + row for row in range(puzzle.rows))


@says("windoku")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.all(map(logic.differ, puzzle.windows()))


@says("disjointgroups")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.all(map(logic.differ, puzzle.places()))


@says("antiknight")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.all(map(logic.differ, puzzle.apart(KNIGHT)))


@says("antiking")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return logic.all(map(logic.differ, puzzle.apart(KING)))


def _elsewhere(logic: Logic, puzzle: Puzzle, kinds: tuple[str, ...], fits: Callable[[int, int], bool]) -> int:
    """Of no two cells that share an edge without such a mark on it the values fit."""
    joined = puzzle.joined(*kinds)
    free = (two for two in puzzle.apart(BESIDE) if frozenset(two) not in joined)
    return logic.all(logic.pair(*two, lambda one, other: not fits(one, other)) for two in free)


@says("nonconsecutive")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return _elsewhere(logic, puzzle, ("difference", "ratio"), lambda one, other: abs(one - other) == 1)


@says("negative ratio")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    ratios = {other.value for other in puzzle.marks if other.kind == "ratio"} or {2}
    return _elsewhere(logic, puzzle, ("difference", "ratio"), lambda a, b: max(a, b) / min(a, b) in ratios)


@says("negative xv")
def _(logic: Logic, puzzle: Puzzle, mark: Mark) -> int:
    return _elsewhere(logic, puzzle, ("xv",), lambda one, other: one + other in SUMS.values())
