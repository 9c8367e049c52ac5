"""Patterns of one value and two houses: skyscraper, two-string kite, turbot fish, empty rectangle.

Each is two strong links of a value whose inner ends see each other: one of the outer ends has the value.
"""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from satdoku.techniques.grid import BOX, COLUMN, ROW, BoardLayout, CandidateGrid, House
from satdoku.techniques.step import Level, Link, Step, Technique
from satdoku.techniques.templates import by_value
from satdoku.techniques.words import cells_text

SKYSCRAPER, KITE, TURBOT = "skyscraper", "kite", "turbot"


class Pair(NamedTuple):
    """A house with two places for a value."""

    house: House
    cells: int


class StrongPair(NamedTuple):
    """one, two: the houses; inner: the ends that see each other, outer: the others, each of one and of two"""

    one: Pair
    two: Pair
    inner: tuple[int, int]
    outer: tuple[int, int]
    lose: int


def pairs(grid: CandidateGrid, value: int) -> list[Pair]:
    """The houses with two places for a value; again only when its places change."""
    return grid.of_places(pairs, value, lambda: list(_pairs(grid, value)))


def _pairs(grid: CandidateGrid, value: int) -> Iterator[Pair]:
    places = grid.places[value]
    for house, cells in zip(grid.layout.houses, grid.layout.house_cells, strict=True):
        inside = places & cells
        if inside.bit_count() == 2:
            yield Pair(house, inside)


def _joined(grid: CandidateGrid, value: int) -> list[tuple[str, StrongPair]]:
    """All of a value, with their kinds; again only when its places change."""
    return grid.of_places(_joined, value, lambda: [(_kind(grid, pair), pair) for pair in _join(grid, value)])


def _join(grid: CandidateGrid, value: int) -> Iterator[StrongPair]:
    peers, places = grid.layout.peers, grid.places[value]
    ends = [
        (pair, [(near, far, peers[near.bit_length() - 1], peers[far.bit_length() - 1] & places) for near, far in split])
        for pair, split in ((pair, _split(pair.cells)) for pair in pairs(grid, value))
    ]
    for (one, of_one), (two, of_two) in combinations(ends, 2):
        if one.cells & two.cells:
            continue
        for near, far, sees_near, sees_far in of_one:
            for other, end, _, sees_end in of_two if sees_near & two.cells else ():
                if sees_near & other and sees_far & sees_end:
                    yield StrongPair(one, two, (near, other), (far, end), sees_far & sees_end)


def _split(cells: int) -> tuple[tuple[int, int], tuple[int, int]]:
    low = cells & -cells
    return (low, cells ^ low), (cells ^ low, low)


def _kind(grid: CandidateGrid, pair: StrongPair) -> str:
    kinds = {pair.one.house.kind, pair.two.house.kind}
    together = {group.kind for group in grid.layout.of[pair.inner[0].bit_length() - 1] if group.cells & pair.inner[1]}
    if kinds in ({ROW}, {COLUMN}) and together & {ROW, COLUMN}:
        return SKYSCRAPER
    if kinds == {ROW, COLUMN} and BOX in together:
        return KITE
    return TURBOT


def _two_links(kind: str, name: str, grid: CandidateGrid) -> Iterator[Step]:
    def search(value: int) -> Iterator[Step]:
        return (_step(name, grid, value, pair) for its_kind, pair in _joined(grid, value) if its_kind == kind)

    return by_value(grid, name, search)


def _dual_kite(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Two kites with the same inner ends."""
    by_ends: dict[int, list[tuple[int, StrongPair]]] = {}
    for value in range(1, grid.layout.values + 1):
        for kind, pair in _joined(grid, value):
            if kind == KITE:
                by_ends.setdefault(pair.inner[0] | pair.inner[1], []).append((value, pair))
    for kites in by_ends.values():
        for (value, one), (other, two) in combinations(kites, 2):
            if value != other or (one.lose & ~two.lose and two.lose & ~one.lose):
                yield _both(name, grid, _step(name, grid, value, one), _step(name, grid, other, two))


def _both(name: str, grid: CandidateGrid, one: Step, two: Step) -> Step:
    return Step(
        technique=name,
        because=f"{one.because}; {two.because}",
        eliminations=grid.present((*one.eliminations, *two.eliminations)),
        pattern=grid.present((*one.pattern, *two.pattern)),
        houses=tuple(dict.fromkeys((*one.houses, *two.houses))),
        links=one.links + two.links,
        size=3,
    )


def _step(name: str, grid: CandidateGrid, value: int, pair: StrongPair) -> Step:
    board = grid.layout.board
    digit, inner = board.shown(value), cells_text(board, pair.inner[0] | pair.inner[1])
    why = (
        f"{digit} has two places in {pair.one.house.name} and in {pair.two.house.name}, and not both of {inner} "
        f"have it: {cells_text(board, pair.outer[0])} or {cells_text(board, pair.outer[1])} has"
    )
    return Step(
        technique=name,
        because=why,
        eliminations=((value, pair.lose),),
        pattern=((value, pair.one.cells | pair.two.cells),),
        houses=(pair.one.house.name, pair.two.house.name),
        links=_links(value, pair),
        size=3,
    )


def _links(value: int, pair: StrongPair) -> tuple[Link, ...]:
    (first, second), (start, end) = pair.inner, pair.outer
    return (
        Link((value, start), (value, first), True),
        Link((value, first), (value, second), False),
        Link((value, second), (value, end), True),
    )


class Empty(NamedTuple):
    """box: a region; arm, other: its places in one line and the rest; pair: a line of two places; end: the outer one"""

    box: House
    arm: int
    other: int
    pair: Pair
    end: int
    lose: int


def _arms(grid: CandidateGrid, box: House, inside: int) -> Iterator[tuple[int, int, House]]:
    """The places of a value in a region as those of one line and the rest, in a line that crosses it."""
    layout = grid.layout
    rows, columns = layout.known((_arms, box), lambda: [_across(layout, box, kind) for kind in (ROW, COLUMN)])
    for lines, others in ((rows, columns), (columns, rows)):
        for line in lines:
            arm, rest = inside & line.cells, inside & ~line.cells
            if arm and rest:
                yield from [(arm, rest, across) for across in others if not rest & ~across.cells]


def _across(layout: BoardLayout, box: House, kind: str) -> list[House]:
    return [line for line in layout.lines(kind) if line.cells & box.cells]


def _empty(grid: CandidateGrid, value: int) -> Iterator[Empty]:
    """A line of two places, one of which sees the one arm: what sees the other place and the other arm loses it."""
    layout, places = grid.layout, grid.places[value]
    lines = [pair for pair in pairs(grid, value) if pair.house.kind != BOX]
    for box in layout.houses if lines else ():
        inside = places & box.cells
        if box.kind != BOX or inside.bit_count() < 2:
            continue
        outside = [pair for pair in lines if not pair.cells & inside]
        for arm, rest, across in _arms(grid, box, inside) if outside else ():
            near_arm = layout.common(arm)
            for pair in outside:
                for near, end in _split(pair.cells) if pair.cells & near_arm else ():
                    if near & near_arm:
                        lose = layout.common(end | rest) & across.cells & places & ~box.cells & ~near
                        if lose:
                            yield Empty(box, arm, rest, pair, end, lose)


def _empty_rectangle(name: str, grid: CandidateGrid) -> Iterator[Step]:
    def search(value: int) -> Iterator[Step]:
        return (_empty_step(name, grid, value, empty) for empty in _empty(grid, value))

    return by_value(grid, name, search)


def _dual_empty(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Two empty rectangles of a value in one region."""
    for value in range(1, grid.layout.values + 1):
        for one, two in combinations(list(_empty(grid, value)), 2):
            if one.box == two.box and one.lose & ~two.lose and two.lose & ~one.lose:
                yield _both(name, grid, _empty_step(name, grid, value, one), _empty_step(name, grid, value, two))


def _empty_step(name: str, grid: CandidateGrid, value: int, empty: Empty) -> Step:
    board = grid.layout.board
    near = empty.pair.cells ^ empty.end
    why = (
        f"{board.shown(value)} in {empty.box.name} is in {cells_text(board, empty.arm)} or in "
        f"{cells_text(board, empty.other)}; if not in the second, {cells_text(board, near)} does not have it, and "
        f"{cells_text(board, empty.end)} has"
    )
    links = (
        Link((value, empty.end), (value, near), True),
        Link((value, near), (value, empty.arm), False),
        Link((value, empty.arm), (value, empty.other), True),
    )
    pattern = empty.pair.cells | empty.arm | empty.other
    return Step(
        technique=name,
        because=why,
        eliminations=((value, empty.lose),),
        pattern=((value, pattern),),
        houses=(empty.box.name, empty.pair.house.name),
        links=links,
        size=3,
    )


LINES = "it takes full rows and columns"
TWO = "Two houses with two places of a value each, one of which sees one of the other: another end has the value."

TECHNIQUES = (
    Technique(
        "skyscraper",
        Level.FISH,
        partial(_two_links, SKYSCRAPER),
        "Two parallel lines with two places of a value each, two of which share a line: one of the others has it.",
        se=6.6,
        hodoku=130,
        limits=LINES,
    ),
    Technique(
        "two-string kite",
        Level.FISH,
        partial(_two_links, KITE),
        "A row and a column with two places of a value each, two of them in one region: one of the others has it.",
        se=6.6,
        hodoku=150,
        limits=LINES,
    ),
    Technique("dual two-string kite", Level.FISH, _dual_kite, "Two kites in one region.", hodoku=150, limits=LINES),
    Technique("turbot fish", Level.FISH, partial(_two_links, TURBOT), TWO, se=6.6, hodoku=120),
    Technique(
        "empty rectangle",
        Level.FISH,
        _empty_rectangle,
        "The places of a value in a region lie in a row and a column; a line of two places leads from one to another.",
        hodoku=120,
        limits=LINES,
    ),
    Technique("dual empty rectangle", Level.FISH, _dual_empty, "Two in one region.", hodoku=120, limits=LINES),
)
