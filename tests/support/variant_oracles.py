"""What each rule says, in its own words, over the values of a grid; and random marks of each kind.

Nothing here comes from the lowering: an oracle reads a mark and a grid, and knows no constraint.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import pairwise
from random import Random

from satdoku import Mark
from satdoku.puzzle import Position

Values = dict[Position, int]
"""A grid: the value at each (row, column), both from 1."""


@dataclass(frozen=True)
class Drawing:
    """A square of `size` rows and columns, and the marks drawn on it."""

    size: int
    marks: tuple[Mark, ...] = ()

    @property
    def values(self) -> range:
        return range(1, self.size + 1)

    @cached_property
    def positions(self) -> list[Position]:
        return [(row, column) for row in self.values for column in self.values]

    @cached_property
    def regions(self) -> list[list[Position]]:
        """Boxes and jigsaw regions, each in reading order."""
        regions = [sorted(mark.cells) for mark in self.marks_of("region")]
        for mark in self.marks_of("boxes"):
            height, width = map(int, str(mark.value).split("x"))
            boxes: dict[Position, list[Position]] = {}
            for row, column in self.positions:
                boxes.setdefault(((row - 1) // height, (column - 1) // width), []).append((row, column))
            regions += boxes.values()
        return regions

    def region(self, position: Position) -> list[Position]:
        return next(region for region in self.regions if position in region)

    def marks_of(self, *kinds: str) -> list[Mark]:
        return [mark for mark in self.marks if mark.kind in kinds]

    @cached_property
    def peers(self) -> dict[Position, set[Position]]:
        """The cells that share a row, column, box or region with each."""
        houses = [[there for there in self.positions if there[axis] == n] for axis in (0, 1) for n in self.values]
        peers: dict[Position, set[Position]] = {here: set() for here in self.positions}
        for house in houses + self.regions:
            for here in house:
                peers[here].update(there for there in house if there != here)
        return peers

    def neighbours(self, position: Position) -> list[Position]:
        """The cells that share an edge with this one."""
        row, column = position
        beside = [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]
        return [other for other in beside if other in self.inside]

    @cached_property
    def inside(self) -> frozenset[Position]:
        return frozenset(self.positions)

    def edges(self) -> Iterator[tuple[Position, Position]]:
        """Every two cells that share an edge, once."""
        return ((here, there) for here in self.positions for there in self.neighbours(here) if here < there)

    def seen(self, clue: Position) -> list[Position]:
        """The cells of the row or column beside which a clue stands, nearest first."""
        row, column = clue
        if row in (0, self.size + 1):
            line = [(other, column) for other in self.values]
        else:
            line = [(row, other) for other in self.values]
        return sorted(line, key=lambda cell: abs(cell[0] - row) + abs(cell[1] - column))


Oracle = Callable[[Drawing, Mark, Values], bool]

ORACLES: dict[str, Oracle] = {}
"""For each kind: whether a grid obeys a mark."""

Maker = Callable[[Random, Drawing, Values | None], Mark]

MAKERS: dict[str, Maker] = {}
"""For each kind: a random mark. A clue's value is read off the grid, where there is one."""


def oracle(*kinds: str) -> Callable[[Oracle], Oracle]:
    def enter(function: Oracle) -> Oracle:
        ORACLES.update(dict.fromkeys(kinds, function))
        return function

    return enter


def maker(*kinds: str) -> Callable[[Callable[[str, Random, Drawing, Values | None], Mark]], None]:
    """Enter a function that is told the kind, too."""

    def enter(function: Callable[[str, Random, Drawing, Values | None], Mark]) -> None:
        for kind in kinds:
            MAKERS[kind] = lambda rng, drawing, at, kind=kind: function(kind, rng, drawing, at)  # type: ignore[misc]

    return enter


def obeys(drawing: Drawing, at: Values) -> bool:
    """Whether a grid whose rows and columns are sound obeys every mark."""
    return all(ORACLES[mark.kind](drawing, mark, at) for mark in drawing.marks)


def draw(kind: str, rng: Random, drawing: Drawing, at: Values | None = None) -> Mark:
    """A random mark of that kind; one that the grid obeys, where there is one and it can be found soon."""
    for _ in range(3000):
        mark = MAKERS[kind](rng, drawing, at)
        if at is None or ORACLES[kind](replace(drawing, marks=(*drawing.marks, mark)), mark, at):
            break
    return mark


def grids(drawing: Drawing, givens: Values) -> Iterator[Values]:
    """Every grid that repeats no value in a row, column, box or region and agrees with the givens."""
    peers = drawing.peers

    def fill(number: int, at: Values) -> Iterator[Values]:
        if number == len(drawing.positions):
            yield dict(at)
            return
        here = drawing.positions[number]
        for value in [givens[here]] if here in givens else drawing.values:
            if all(at.get(peer, givens.get(peer)) != value for peer in peers[here]):
                at[here] = value
                yield from fill(number + 1, at)
                del at[here]

    return fill(0, {})


def distinct(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)


def along(mark: Mark, at: Values) -> list[int]:
    """The values of the mark's one line."""
    return [at[position] for position in mark.lines[0]]


def within(mark: Mark, at: Values) -> list[int]:
    """The values of the mark's cells."""
    return [at[position] for position in mark.cells]


def line_mark(kind: str, line: Sequence[Position], value: int | None = None) -> Mark:
    return Mark(kind, lines=(tuple(line),), value=value)


def walk(rng: Random, drawing: Drawing, shortest: int, longest: int, start: Position | None = None) -> list[Position]:
    """Cells that touch by edge or corner, one after the other, none twice."""
    length = rng.randint(shortest, longest)
    while True:
        line = [start or rng.choice(drawing.positions)]
        while len(line) < length:
            row, column = line[-1]
            around = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
            free = [other for other in around if other in drawing.inside and other not in line]
            if not free:
                break
            line.append(rng.choice(free))
        if len(line) >= shortest:
            return line


def patch(rng: Random, drawing: Drawing, smallest: int, largest: int) -> tuple[Position, ...]:
    """Cells that hang together by edges."""
    cells = {rng.choice(drawing.positions)}
    for _ in range(rng.randint(smallest, max(smallest, largest)) - 1):
        cells.add(rng.choice(sorted({other for cell in cells for other in drawing.neighbours(cell)} - cells)))
    return tuple(sorted(cells))


def outside(rng: Random, drawing: Drawing) -> Position:
    """A place beside a row or column."""
    along, edge = rng.randint(1, drawing.size), rng.choice((0, drawing.size + 1))
    return rng.choice(((along, edge), (edge, along)))


def one_of(rng: Random, drawing: Drawing) -> tuple[Position, ...]:
    return (rng.choice(drawing.positions),)


# Boxes, regions, and further groups of cells


@oracle("boxes")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    height, width = map(int, str(mark.value).split("x"))
    boxes: dict[Position, set[int]] = {}
    for (row, column), value in at.items():
        boxes.setdefault(((row - 1) // height, (column - 1) // width), set()).add(value)
    return len(boxes) == drawing.size and all(len(values) == drawing.size for values in boxes.values())


@maker("boxes")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    shapes = [(height, drawing.size // height) for height in range(2, drawing.size) if drawing.size % height == 0]
    height, width = rng.choice([shape for shape in shapes if shape[1] > 1])
    return Mark(kind, value=f"{height}x{width}")


@oracle("region", "extra-region")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at))


@maker("region")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, patch(rng, drawing, drawing.size, drawing.size))


@maker("extra-region")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, patch(rng, drawing, 2, drawing.size))


@oracle("diagonal+")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct([value for (row, column), value in at.items() if row + column == drawing.size + 1])


@oracle("diagonal-")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct([value for (row, column), value in at.items() if row == column])


@oracle("windoku")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    """Windows are as large as boxes; they stand one cell apart from each other and from the edge."""
    (boxes,) = drawing.marks_of("boxes")
    height, width = map(int, str(boxes.value).split("x"))
    windows: dict[Position, list[int]] = {}
    for (row, column), value in at.items():
        down, inside_down = divmod(row - 2, height + 1)
        right, inside_right = divmod(column - 2, width + 1)
        if min(down, right) >= 0 and inside_down < height and inside_right < width:
            windows.setdefault((down, right), []).append(value)
    touches_edge = {
        (down, right)
        for down, right in windows
        if 2 + down * (height + 1) + height > drawing.size or 2 + right * (width + 1) + width > drawing.size
    }
    return all(distinct(values) for window, values in windows.items() if window not in touches_edge)


@oracle("disjoint-groups")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    (boxes,) = drawing.marks_of("boxes")
    height, width = map(int, str(boxes.value).split("x"))
    places: dict[Position, list[int]] = {}
    for (row, column), value in at.items():
        places.setdefault(((row - 1) % height, (column - 1) % width), []).append(value)
    return all(map(distinct, places.values()))


def _alike(drawing: Drawing, at: Values, moves: set[Position]) -> bool:
    """Whether two cells that are one of these (sorted) distances apart hold the same value."""
    return any(
        at[here] == at[there] and tuple(sorted((abs(here[0] - there[0]), abs(here[1] - there[1])))) in moves
        for here in drawing.positions
        for there in drawing.positions
    )


@oracle("anti-knight")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not _alike(drawing, at, {(1, 2)})


@oracle("anti-king")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return not _alike(drawing, at, {(0, 1), (1, 1)})


@maker(
    "diagonal+",
    "diagonal-",
    "windoku",
    "disjoint-groups",
    "anti-knight",
    "anti-king",
    "nonconsecutive",
    "negative-ratio",
    "negative-xv",
)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind)


# Neighbours


@oracle("difference")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    low, high = sorted(within(mark, at))
    return high - low == (1 if mark.value is None else mark.value)


@oracle("ratio")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    low, high = sorted(within(mark, at))
    return high == low * (2 if mark.value is None else int(mark.value))


@oracle("xv")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(within(mark, at)) == {"X": 10, "V": 5}[str(mark.value)]


@maker("difference", "ratio", "xv")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    values = {"difference": (None, None, 1, 2, 3, 0), "ratio": (None, None, 2, 3, 4, 1), "xv": ("V", "V", "X")}
    edge = list(rng.choice(list(drawing.edges())))
    rng.shuffle(edge)
    return Mark(kind, tuple(edge), value=rng.choice(values[kind]))


def _undrawn(drawing: Drawing, at: Values, *kinds: str) -> Iterator[tuple[int, int]]:
    """The values of neighbours that no mark of these kinds joins, the smaller first."""
    joined = [set(mark.cells) for mark in drawing.marks_of(*kinds)]
    for here, there in drawing.edges():
        if {here, there} not in joined:
            yield min(at[here], at[there]), max(at[here], at[there])


@oracle("nonconsecutive")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(high != low + 1 for low, high in _undrawn(drawing, at, "difference", "ratio"))


@oracle("negative-ratio")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    drawn = [2 if dot.value is None else int(dot.value) for dot in drawing.marks_of("ratio")] or [2]
    return all(high != low * ratio for low, high in _undrawn(drawing, at, "difference", "ratio") for ratio in drawn)


@oracle("negative-xv")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(low + high not in (5, 10) for low, high in _undrawn(drawing, at, "xv"))


# Lines


@oracle("thermometer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    return values == sorted(set(values))


@oracle("slow-thermometer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return along(mark, at) == sorted(along(mark, at))


@oracle("whispers")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    apart = 5 if mark.value is None else int(mark.value)
    return all(max(two) >= min(two) + apart for two in pairwise(along(mark, at)))


@oracle("renban")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = sorted(at[position] for position in set(mark.lines[0]))
    return values == list(range(values[0], values[0] + len(values)))


@oracle("nabner")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = sorted(at[position] for position in set(mark.lines[0]))
    return all(high > low + 1 for low, high in pairwise(values))


@oracle("palindrome")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return along(mark, at) == along(mark, at)[::-1]


@cache
def third(size: int, value: int) -> str:
    """Thirds as equal as they can be, the low as large as the high: 1|23|4, 12|3|45, 12|34|56."""
    low = next(low for low in range(size) if 2 * low <= size and abs((size - 2 * low) - low) <= 1)
    return "low" if value <= low else "high" if value > size - low else "middle"


@oracle("entropic")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    thirds = [third(drawing.size, value) for value in along(mark, at)]
    return all(distinct(thirds[index : index + 3]) for index in range(len(thirds)))


@oracle("modular")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    rests = [value % 3 for value in along(mark, at)]
    return all(distinct(rests[index : index + 3]) for index in range(len(rests)))


@oracle("between")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at)
    return all(min(first, last) < value < max(first, last) for value in between)


@oracle("zipper")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    values = along(mark, at)
    sums = {values[index] + values[-1 - index] for index in range(len(values) // 2)}
    if len(values) % 2:
        sums.add(values[len(values) // 2])
    return len(sums) <= 1


@oracle("double-arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    first, *between, last = along(mark, at)
    return first + last == sum(between)


@oracle("region-sum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    sums: list[int] = []
    before: list[Position] = []
    for position in mark.lines[0]:
        if position in before:
            sums[-1] += at[position]
        else:
            sums.append(at[position])
            before = drawing.region(position)
    return len(set(sums)) == 1


@maker("thermometer", "nabner", "renban")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return line_mark(kind, walk(rng, drawing, 2, min(5, drawing.size)))


@maker("slow-thermometer", "palindrome", "modular", "entropic", "between")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return line_mark(kind, walk(rng, drawing, 2, 5))


@maker("zipper", "double-arrow", "region-sum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return line_mark(kind, walk(rng, drawing, 3, 7))


@maker("whispers")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    usual = (None,) if drawing.size > 5 else (1, 2, 2, 2, 3, None)
    return line_mark(kind, walk(rng, drawing, 2, 5), rng.choice(usual))


# Sums


@oracle("cage")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return distinct(within(mark, at)) and mark.value in (None, sum(within(mark, at)))


@maker("cage")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    cells = patch(rng, drawing, 1, min(5, drawing.size))
    total = sum(at[cell] for cell in cells) if at else rng.randint(len(cells), len(cells) * drawing.size)
    return Mark(kind, cells, value=None if rng.random() < 0.2 else total)


@oracle("arrow")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    bulb = sorted(mark.cells)
    number = 0
    for position in bulb:
        number = 10 * number + at[position]
    return all(sum(at[position] for position in line) == number for line in mark.lines)


@maker("arrow")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    wide = rng.choice((1, 1, 1, 2, 2, 2, 3))
    for _ in range(200 * wide):
        mark = _arrow(kind, rng, drawing, wide)
        if at is None or ORACLES[kind](drawing, mark, at):
            break
    return mark


def _arrow(kind: str, rng: Random, drawing: Drawing, wide: int) -> Mark:
    """An arrow with a bulb of `wide` cells, in any order, and one line or two."""
    (down, right), edge = rng.choice(((0, 1), (1, 0))), drawing.size - wide + 1
    row, column = rng.randint(1, edge if down else drawing.size), rng.randint(1, edge if right else drawing.size)
    bulb = [(row + step * down, column + step * right) for step in range(wide)]
    rng.shuffle(bulb)
    lines = []
    for _ in range(rng.choice((1, 1, 2))):
        line: list[Position] = []
        while not line:
            around = walk(rng, drawing, 2 if wide == 1 else 4, 5 if wide == 1 else 9, rng.choice(bulb))
            line = [cell for cell in around if cell not in bulb]
        lines.append(tuple(line))
    return Mark(kind, tuple(bulb), tuple(lines))


@oracle("little-killer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return sum(along(mark, at)) == mark.value


@maker("little-killer")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    line: list[Position] = []
    while not line:
        edge, down, right = rng.randint(0, drawing.size + 1), rng.choice((-1, 1)), rng.choice((-1, 1))
        clue = rng.choice(((0 if down > 0 else drawing.size + 1, edge), (edge, 0 if right > 0 else drawing.size + 1)))
        ahead = [(clue[0] + step * down, clue[1] + step * right) for step in range(1, drawing.size + 1)]
        line = [position for position in ahead if position in drawing.inside]
    total = sum(at[cell] for cell in line) if at else rng.randint(len(line), len(line) * drawing.size)
    return Mark(kind, (clue,), (tuple(line),), total)


# Clues outside the grid


def sandwich(values: Sequence[int]) -> int:
    first, last = sorted((values.index(1), values.index(len(values))))
    return sum(values[first + 1 : last])


def skyscraper(values: Sequence[int]) -> int:
    return sum(value > max(values[:index], default=0) for index, value in enumerate(values))


def x_sum(values: Sequence[int]) -> int:
    return sum(values[: values[0]])


CLUES = {"sandwich": sandwich, "skyscraper": skyscraper, "x-sum": x_sum}


@oracle(*CLUES)
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return CLUES[mark.kind]([at[position] for position in drawing.seen(mark.cells[0])]) == mark.value


@maker(*CLUES)
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    clue = outside(rng, drawing)
    values = [at[position] for position in drawing.seen(clue)] if at else rng.sample(drawing.values, drawing.size)
    return Mark(kind, (clue,), value=CLUES[kind](values))


# Cells


@oracle("odd", "even")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return {1: "odd", 0: "even"}[at[mark.cells[0]] % 2] == mark.kind


@oracle("minimum", "maximum")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    sign = 1 if mark.kind == "maximum" else -1
    alike = [other.cells[0] for other in drawing.marks_of(mark.kind)]
    around = [at[other] for other in drawing.neighbours(mark.cells[0]) if other not in alike]
    return all(sign * at[mark.cells[0]] > sign * value for value in around)


@maker("odd", "even", "minimum", "maximum")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, one_of(rng, drawing))


@oracle("row-indexer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(at[at[row, column], column] == row for row, column in mark.cells)


@oracle("column-indexer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return all(at[row, at[row, column]] == column for row, column in mark.cells)


@oracle("box-indexer")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    for position in mark.cells:
        region = drawing.region(position)
        if at[region[at[position] - 1]] != region.index(position) + 1:
            return False
    return True


@maker("row-indexer", "column-indexer", "box-indexer")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    return Mark(kind, tuple(rng.sample(drawing.positions, rng.choice((1, 1, 1, 2, 3)))))


@oracle("clone")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return within(mark, at) == along(mark, at)


@maker("clone")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    while True:
        cells = patch(rng, drawing, 1, 4)
        down, right = rng.choice(drawing.positions)
        down, right = rng.choice((down, -down)), rng.choice((right, -right))
        copy = tuple((row + down, column + right) for row, column in cells)
        if set(copy) <= drawing.inside:
            return Mark(kind, cells, (copy,))


@oracle("quadruple")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return Counter(map(int, str(mark.value).split())) <= Counter(within(mark, at))


@maker("quadruple")
def _(kind: str, rng: Random, drawing: Drawing, at: Values | None) -> Mark:
    row, column = rng.randint(1, drawing.size - 1), rng.randint(1, drawing.size - 1)
    cells = ((row, column), (row, column + 1), (row + 1, column), (row + 1, column + 1))
    values = [at[cell] if at else rng.randint(1, drawing.size) for cell in cells]
    return Mark(kind, cells, value=" ".join(map(str, rng.sample(values, rng.randint(1, 4)))))
