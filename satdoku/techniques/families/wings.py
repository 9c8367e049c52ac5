"""Wings: XY-wing, XYZ-wing, WXYZ-wing and W-wing."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from satdoku.puzzle import members, only
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.step import Level, Link, Step, Technique
from satdoku.techniques.words import cells_text, values_text


def _pattern(grid: CandidateGrid, cells: int) -> tuple[tuple[int, int], ...]:
    return tuple((value, grid.places[value] & cells) for value in members(grid.candidates(cells)))


def _wing(three: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    return grid.where_changed(name, partial(_wing_of, three, name, grid))


def _wing_of(three: bool, name: str, grid: CandidateGrid, changed: int) -> Iterator[Step]:
    left, layout = grid.left, grid.layout
    board = layout.board
    pairs = grid.few(2, 2)
    for pivot in members(grid.few(2 + three, 2 + three)):
        near, own = layout.peers[pivot] & pairs, left[pivot]
        if not (near | 1 << pivot) & changed:
            continue
        for one, two in combinations(
            [cell for cell in members(near) if (left[cell] & own).bit_count() == 1 + three], 2
        ):
            shared, rest = left[one] & left[two], left[one] ^ left[two]
            if not (shared and rest and own == rest | shared * three):
                continue
            value, ends = only(shared), 1 << one | 1 << two
            lose = layout.common(ends | three << pivot) & grid.places[value]
            if lose:
                which = cells_text(board, ends | three << pivot)
                why = f"whatever {board.label(pivot)} is of {values_text(board, own, 'or')}, one of {which} is "
                yield Step(
                    technique=name,
                    because=why + str(board.shown(value)),
                    eliminations=((value, lose),),
                    pattern=_pattern(grid, ends | 1 << pivot),
                    parts=(("pivot", _pattern(grid, 1 << pivot)),),
                    size=3,
                )


def _wxyz(name: str, grid: CandidateGrid) -> Iterator[Step]:
    return grid.where_changed(name, partial(_wxyz_of, name, grid))


def _wxyz_of(name: str, grid: CandidateGrid, changed: int) -> Iterator[Step]:
    """Four cells with four values of which one has places that do not see each other: one of these places has it."""
    layout, few = grid.layout, grid.few(2, 4)
    done = set[int]()
    for pivot in members(few):
        near = layout.peers[pivot] & few
        if not (near | 1 << pivot) & changed:
            continue
        for three, values, value in _with_four_values(grid, pivot, near, changed):
            cells = 1 << pivot | three
            if cells in done:
                continue
            done.add(cells)
            places = grid.places[value] & cells
            lose = layout.common(places) & grid.places[value]
            if lose:
                board = layout.board
                why = (
                    f"{cells_text(board, cells)} have only {values_text(board, values)}, of which each but "
                    f"{board.shown(value)} can be there once: one of {cells_text(board, places)} is it"
                )
                pivots = (("pivot", _pattern(grid, 1 << pivot)),)
                strikes, pattern = ((value, lose),), _pattern(grid, cells)
                yield Step(technique=name, because=why, eliminations=strikes, pattern=pattern, parts=pivots, size=4)


def _with_four_values(grid: CandidateGrid, pivot: int, cells: int, changed: int) -> Iterator[tuple[int, int, int]]:
    """Three of the cells near a pivot that have four values with it, one of the four cells changed; these values.

    At last the one of these values that two of the cells may have which do not see each other.
    """
    left, own, peers = grid.left, grid.left[pivot], grid.layout.peers
    if changed >> pivot & 1:
        changed = -1
    near = [(1 << cell, values, left[cell]) for cell in members(cells) if (values := own | left[cell]).bit_count() <= 4]
    touched = near if changed == -1 else [each for each in near if each[0] & changed]
    for first, (one, union, of_one) in enumerate(near[:-2] if touched else (), 1):
        some, sees = one & changed, peers[one.bit_length() - 1]
        if not some and not [cell for cell, more, _ in touched if cell > one and (union | more).bit_count() <= 4]:
            continue
        following = [
            (cell, values, its, apart)
            for cell, more, its in near[first:]
            if (values := union | more).bit_count() <= 4
            and (not (apart := 0 if cell & sees else of_one & its) or not apart & (apart - 1))
        ]
        for second, (two, pair, of_two, apart) in enumerate(following[:-1], 1):
            wanted, both, sees = -1 if some or two & changed else changed, one | two, peers[two.bit_length() - 1]
            for three, more, its, also in following[second:]:
                if three & wanted:
                    free = apart | also if three & sees else apart | also | of_two & its
                    if free and not free & (free - 1) and (pair | more).bit_count() == 4:
                        yield both | three, pair | more, free.bit_length() - 1


def _w_wing(name: str, grid: CandidateGrid) -> Iterator[Step]:
    left, layout = grid.left, grid.layout
    by_pair: dict[int, list[int]] = {}
    for cell in members(grid.few(2, 2)):
        by_pair.setdefault(left[cell], []).append(cell)
    for pair, cells in by_pair.items():
        for one, two in combinations(cells, 2):
            if layout.peers[one] >> two & 1:
                continue
            for value in members(pair):
                other = only(pair & ~(1 << value))
                lose = layout.peers[one] & layout.peers[two] & grid.places[other]
                if lose:
                    yield from _joined(name, grid, value, other, one, two, lose)


def _joined(name: str, grid: CandidateGrid, value: int, other: int, one: int, two: int, lose: int) -> Iterator[Step]:
    board, peers = grid.layout.board, grid.layout.peers
    for house in grid.layout.houses:
        ends = grid.places[value] & house.cells
        if ends.bit_count() != 2 or ends >> one & 1 or ends >> two & 1:
            continue
        first, last = members(ends)
        for near, far in ((first, last), (last, first)):
            if peers[one] >> near & 1 and peers[two] >> far & 1:
                digit, rest = board.shown(value), board.shown(other)
                why = (
                    f"{digit} in {house.name} is in {board.label(near)} or {board.label(far)}, so not in both of "
                    f"{board.label(one)} and {board.label(two)}, and one of these is {rest}"
                )
                yield Step(
                    technique=name,
                    because=why,
                    eliminations=((other, lose),),
                    pattern=((value, ends | 1 << one | 1 << two), (other, 1 << one | 1 << two)),
                    houses=(house.name,),
                    links=(
                        Link((other, 1 << one), (value, 1 << one), True),
                        Link((value, 1 << one), (value, 1 << near), False),
                        Link((value, 1 << near), (value, 1 << far), True),
                        Link((value, 1 << far), (value, 1 << two), False),
                        Link((value, 1 << two), (other, 1 << two), True),
                    ),
                    size=5,
                )
                break


PIVOT = "A cell of {} and two of two values that it sees: whichever value it has, one of them has the shared one."

TECHNIQUES = (
    Technique("XY-wing", Level.WINGS, partial(_wing, False), PIVOT.format("two values"), se=4.2, hodoku=160),
    Technique("XYZ-wing", Level.WINGS, partial(_wing, True), PIVOT.format("three values"), se=4.4, hodoku=180),
    Technique(
        "W-wing",
        Level.WINGS,
        _w_wing,
        "Two cells of the same two values, one of which has two places in a house, each seen by one of the cells.",
        hodoku=150,
    ),
    Technique(
        "WXYZ-wing",
        Level.WINGS,
        _wxyz,
        "Four cells with four values of which only one can be there twice: one of its places has it.",
        se=4.6,
        hodoku=240,
    ),
)
