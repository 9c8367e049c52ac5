"""Fish: houses in which a value has places only where as many other groups cross them.

The houses are the base, the others the cover. Places of the base outside the cover are fins: whatever sees all of
them loses the value in the cover, as either a fin has it or the fish is complete.
"""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import Any, NamedTuple, cast

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.grid import BOX, COLUMN, ROW, CandidateGrid, House
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.templates import excludable
from satdoku.techniques.words import cells_text
from satdoku.words import joined

MAX_SPARE = 2  # groups that cross the base and are not in the cover, so that all fins can be seen at once
MAX_CROSSING = 20  # the same where regions may cover too
MAX_FINS = 5
BASIC, FINNED, SASHIMI = "basic", "finned", "sashimi"


class Fish(NamedTuple):
    """base: cells of the base houses with the value; fins: those outside the cover, or in two base houses"""

    bases: tuple[House, ...]
    covers: tuple[House, ...]
    base: int
    fins: int
    lose: int


def _fish(
    grid: CandidateGrid, value: int, bases: Sequence[House], covers: Sequence[House], size: int, spare: int
) -> Iterator[Fish]:
    """Every fish of some size that excludes something; at most `spare` more groups than it has cross its base."""
    places, common = grid.places[value], grid.layout.common
    crossing = [(house, places & house.cells) for house in covers if places & house.cells]
    usable = []
    for house in bases:
        inside = places & house.cells
        if inside:
            across = sum(1 << n for n, (other, cells) in enumerate(crossing) if cells & inside and other != house)
            usable.append((house, inside, across))
    check_time()
    both = sum(house in covers for house in bases)  # those that are chosen as bases do not count as crossing
    for chosen in _bases(usable, size, size + spare + min(size, both)):
        base = endo = across = 0
        for _, cells, crossed in chosen:
            endo |= base & cells
            base |= cells
            across |= crossed
        used = {house for house, _, _ in chosen}
        usual = [crossing[number] for number in members(across) if crossing[number][0] not in used]
        # The fins are seen by one cell of the cover: few groups can be left out.
        for under in combinations(usual, size) if len(usual) <= size + spare else ():
            cover = twice = 0
            for _, cells in under:
                twice |= cover & cells
                cover |= cells
            fins = base & ~cover | endo
            lose = cover & ~base | twice
            if lose and fins.bit_count() <= MAX_FINS:
                lose &= (common(fins) if fins else -1) & ~fins
                if lose:
                    houses = tuple(house for house, _, _ in chosen), tuple(house for house, _ in under)
                    yield Fish(*houses, base, fins, lose)


class CrossedLine(NamedTuple):
    """A line with places of a value, and the lines that cross it there, as bits."""

    house: House
    places: int
    across: int


CrossedLines = tuple[list[CrossedLine], dict[int, int]]  # and the places in each line that crosses them, by its bit


def _of_lines(grid: CandidateGrid, value: int, one: str, other: str, size: int, lost: int) -> Iterator[Fish]:
    """Those of lines alone. A place of the base is a fin if the line that crosses it there is not in the cover.

    lost: the base has a line with one of these cells
    """
    layout, places, common = grid.layout, grid.places[value], grid.layout.common
    bases, covers = layout.full_lines(one), layout.lines(other)
    if not layout.known((_crossed_once, one), lambda: _crossed_once(bases, covers)):
        yield from _fish(grid, value, bases, covers, size, MAX_SPARE)
        return
    check_time()
    lines, crossing = grid.of_places((_of_lines, one), value, lambda: _lines(places, bases, covers))
    for chosen, base, across in _choices(lines, size, size + MAX_SPARE, lost):
        spare, free = across.bit_count() - size, places & ~base
        if spare < 0 or not free:
            continue
        seen, left = list[tuple[int, int]](), across if spare else 0
        once = twice = 0
        while left:  # what sees all places of the base in a line that is not in the cover
            bit = left & -left
            left ^= bit
            inside = crossing[bit]
            sees = common(base & inside) & free & ~inside
            if sees:
                seen.append((bit, sees))
                twice |= once & sees
                once |= sees
        if len(seen) >= spare and (spare < 2 or twice):
            for under, cover, lose in _covers(crossing, across, seen, spare, free):
                fins = base & ~cover
                if fins.bit_count() <= MAX_FINS:
                    houses = tuple(line.house for line in chosen), tuple(covers[number] for number in members(under))
                    yield Fish(*houses, base, fins, lose)


def _lines(places: int, bases: Sequence[House], covers: Sequence[House]) -> CrossedLines:
    crossing = {1 << number: places & house.cells for number, house in enumerate(covers) if places & house.cells}
    lines = list[CrossedLine]()
    for house in bases:
        inside = places & house.cells
        if inside:
            lines.append(CrossedLine(house, inside, sum([bit for bit, cells in crossing.items() if cells & inside])))
    return lines, crossing


def _covers(
    crossing: dict[int, int], across: int, seen: list[tuple[int, int]], spare: int, free: int
) -> Iterator[tuple[int, int, int]]:
    """Covers that are all but some of the lines across a base, and what they lose of the other places.

    seen: what sees all places of the base in a line, for those where something does
    """
    for out in [*combinations(seen, spare)][::-1]:
        lose, under, cover = free, across, 0
        for bit, sees in out:
            lose &= sees
            under ^= bit
        for number in members(under) if lose else ():
            cover |= crossing[1 << number]
        if lose & cover:
            yield under, cover, lose & cover


def _choices(
    lines: Sequence[CrossedLine], size: int, most: int, lost: int
) -> list[tuple[tuple[CrossedLine, ...], int, int]]:
    """So many lines, one with a cell that was lost, which at most `most` others cross; their places, and these."""
    after, to_change = (
        list[tuple[CrossedLine, int, int, bool, bool, list[Any]]](),
        False,
    )  # the lines after one, and whether one of them has lost a cell
    for line in reversed(lines):
        if line.across.bit_count() <= most:
            changed = lost & line.house.cells != 0
            after = [(line, line.places, line.across, changed, to_change, after), *after]
            to_change = to_change or changed
    chosen: list[tuple[tuple[CrossedLine, ...], int, int, bool, list[Any]]] = [((), 0, 0, False, after)]
    for _ in range(size):
        chosen = [
            ((*some, line), base | places, union, touched or changed, following)
            for some, base, across, touched, rest in chosen
            for line, places, crossed, changed, to_change, following in rest
            if (touched or changed or to_change) and (union := across | crossed).bit_count() <= most
        ]
    return [(some, base, across) for some, base, across, touched, _ in chosen if touched]


def _crossed_once(bases: Sequence[House], covers: Sequence[House]) -> bool:
    """Whether each cell of some lines is in one of them, and in one of the others."""
    cells, across = [cell for house in bases for cell in members(house.cells)], [house.cells for house in covers]
    return len(cells) == len(set(cells)) and all(sum(house >> cell & 1 for house in across) == 1 for cell in cells)


Base = tuple[House, int, int]  # a house, its places, and the numbers of what crosses these, as bits


def _bases(usable: Sequence[Base], size: int, most: int) -> Iterator[tuple[Base, ...]]:
    """So many houses, which at most `most` groups cross."""

    def go(first: int, chosen: tuple[Base, ...], across: int) -> Iterator[tuple[Base, ...]]:
        left = size - len(chosen)
        if not left:
            yield chosen
            return
        for number in range(first, len(usable) - left + 1):
            union = across | usable[number][2]
            if union.bit_count() <= most:
                yield from go(number + 1, (*chosen, usable[number]), union)

    yield from go(0, (), 0)


def _kind(fish: Fish) -> str:
    if not fish.fins:
        return BASIC
    body = fish.base & ~fish.fins
    few = any((body & house.cells).bit_count() < 2 for house in fish.bases)
    return SASHIMI if few else FINNED


def _shoals(grid: CandidateGrid, size: int, franken: bool, spare: int) -> Iterator[tuple[int, Iterator[Fish]]]:
    """The fish of each value whose base is of rows, then of those whose base is of columns.

    franken: whether base and cover may have regions, too
    """
    layout = grid.layout
    boxes = [house for house in layout.houses if house.kind == BOX] if franken else []
    for one, other in ((ROW, COLUMN), (COLUMN, ROW)):
        bases = [*(house for house in layout.lines(one) if house.full), *boxes]
        covers = [*layout.lines(other), *boxes]
        for value in excludable(grid):
            yield value, _fish(grid, value, bases, covers, size, spare)


def _basic(size: int, kind: str, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Those of one kind. All kinds are found together, and again only with lines in which places were lost."""
    for one, other in ((ROW, COLUMN), (COLUMN, ROW)):
        for value in excludable(grid):
            key, places = (_basic, size, one, value), grid.places[value]
            known = cast("tuple[int, list[tuple[str, Fish]]] | None", grid.seen.get(key))
            if known is None or known[0] != places:
                lost = known[0] & ~places if known is not None and not known[1] else -1
                known = places, [(_kind(each), each) for each in _of_lines(grid, value, one, other, size, lost)]
                grid.seen[key] = known
            if known[1]:
                yield from (_step(name, grid, value, fish) for its_kind, fish in known[1] if its_kind == kind)


def _franken(size: int, finned: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Base or cover has regions."""
    for value, shoal in _shoals(grid, size, True, MAX_CROSSING):
        for fish in shoal:
            if bool(fish.fins) is finned and any(house.kind == BOX for house in (*fish.bases, *fish.covers)):
                yield _step(name, grid, value, fish)


def _siamese(size: int, franken: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Two finned fish of one value with the same base, whose fins differ."""
    for value, shoal in _shoals(grid, size, franken, MAX_CROSSING):
        by_base: dict[tuple[House, ...], list[Fish]] = {}
        for fish in shoal:
            if fish.fins:
                by_base.setdefault(fish.bases, []).append(fish)
        for alike in by_base.values():
            for one, two in combinations(alike, 2):
                if one.fins != two.fins and one.lose & ~two.lose and two.lose & ~one.lose:
                    yield _step(name, grid, value, one._replace(lose=one.lose | two.lose), two)


def _step(name: str, grid: CandidateGrid, value: int, fish: Fish, twin: Fish | None = None) -> Step:
    board = grid.layout.board
    digit, bases = board.shown(value), joined([house.name for house in fish.bases])
    covers = joined([house.name for house in fish.covers])
    why = f"{bases} have {digit} only in {covers}"
    if fish.fins:
        fins = cells_text(board, fish.fins)
        many = fish.fins & (fish.fins - 1)
        why += f", or in the fin{'s' if many else ''} {fins}, which these see"
    if twin is not None:
        others = joined([house.name for house in twin.covers])
        why += f"; or only in {others}, or in the fins {cells_text(board, twin.fins)}"
    parts = (("fins", ((value, fish.fins | (twin.fins if twin else 0)),)),) if fish.fins else ()
    return Step(
        technique=name,
        because=why,
        eliminations=((value, fish.lose),),
        pattern=((value, fish.base),),
        parts=parts,
        houses=tuple(house.name for house in (*fish.bases, *fish.covers)),
        size=len(fish.bases),
    )


PLAIN = "Lines in which a value has places only where as many other lines cross them: these have it nowhere else."
FIN = "A fish whose base has places outside the cover, the fins: cells of the cover that see all fins lose the value."
FEW = "A finned fish that without its fins has a base line with fewer than two places."
REGIONS = "A fish whose base or cover has regions beside lines."
TWO = "Two finned fish of one value with the same base and other fins; what either excludes."
LINES = "boards without two full lines in one direction have none"

TECHNIQUES = (
    Technique("X-wing", Level.FISH, partial(_basic, 2, BASIC), PLAIN, se=3.2, hodoku=140, limits=LINES),
    Technique("swordfish", Level.FISH, partial(_basic, 3, BASIC), PLAIN, se=3.8, hodoku=150, limits=LINES),
    Technique("jellyfish", Level.FISH, partial(_basic, 4, BASIC), PLAIN, se=5.2, hodoku=160, limits=LINES),
    Technique("finned X-wing", Level.FISH, partial(_basic, 2, FINNED), FIN, hodoku=130, limits=LINES),
    Technique("sashimi X-wing", Level.FISH, partial(_basic, 2, SASHIMI), FEW, hodoku=150, limits=LINES),
    Technique("finned swordfish", Level.FISH, partial(_basic, 3, FINNED), FIN, hodoku=200, limits=LINES),
    Technique("sashimi swordfish", Level.FISH, partial(_basic, 3, SASHIMI), FEW, hodoku=240, limits=LINES),
    Technique("siamese swordfish", Level.FISH, partial(_siamese, 3, False), TWO, hodoku=240, limits=LINES),
    Technique("finned jellyfish", Level.FISH, partial(_basic, 4, FINNED), FIN, hodoku=250, limits=LINES),
    Technique("sashimi jellyfish", Level.FISH, partial(_basic, 4, SASHIMI), FEW, hodoku=260, limits=LINES),
    Technique("siamese jellyfish", Level.FISH, partial(_siamese, 4, False), TWO, hodoku=260, limits=LINES),
    Technique("Franken X-wing", Level.FISH, partial(_franken, 2, False), REGIONS, hodoku=300, limits=LINES),
    Technique("finned Franken X-wing", Level.FISH, partial(_franken, 2, True), REGIONS, hodoku=390, limits=LINES),
    Technique("Franken swordfish", Level.FISH, partial(_franken, 3, False), REGIONS, hodoku=350, limits=LINES),
    Technique("finned Franken swordfish", Level.FISH, partial(_franken, 3, True), REGIONS, hodoku=410, limits=LINES),
    Technique("siamese Franken swordfish", Level.FISH, partial(_siamese, 3, True), TWO, hodoku=410, limits=LINES),
)
