"""Kinds whose constraints name layers or auxiliary cells: their counts, what their oracles say, on several backends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product

import pytest
from pysat.solvers import Solver
from support.drawing import MarkedSquare, Values, distinct, grids
from support.oracles import ORACLES, Layered, obeys
from support.solutions import broken, drawing_of, values_of

from satdoku import FormatError, Grid, Mark, Outcome, Puzzle, cnf, count, read, solve
from satdoku.puzzle import Position

SOLVERS = ("glucose4", "cpsat")
COMPARED = (*SOLVERS, "backtrack")
BOXED = 'size = 4\nboxes = "2x2"\n'
LATIN = 'size = 4\nboxes = "none"\n'
WITH_ZERO = 'size = 4\nvalues = "0-4"\nboxes = "2x2"\n'


def all_of(text: str, backend: str = "glucose4") -> Outcome:
    return solve(read(text), limit=None, backend=backend)


def rules(*names: str) -> str:
    return f"rules = {[*names]}\n".replace("'", '"')


def summed(total: int) -> str:
    return f'sum = [{{ cells = "r1c1 r1c2", value = "{total}" }}]\n'


def ranked(rank: int) -> str:
    return f'full-rank = [{{ cell = "r1c0", value = {rank} }}]\n'


ARROW = 'chaos-arrow = [{ bulb = "r1c1", lines = ["r1c1-r1c4", "r1c1-r4c1"] }]\n'
FREE_RANKS = ((1, 878), (2, 555), (7, 712), (11, 555))
ANCHORS = [
    ('size = 3\nboxes = "none"\n' + rules("chaos-construction"), 72),
    # With all digits in each row, by brute force.
    ('size = "3x4"\nboxes = "none"\n' + rules("chaos-construction"), 3312),
    ('size = "3x3"\nvalues = "1-4"\nboxes = "none"\n' + rules("region-same-values"), 48),
    (BOXED + rules("connected-values 1 2 3"), 216),
    (BOXED + rules("connected-values 1 2"), 0),
    # Connected groups of cells in a grid of 3x3: A059525 of the OEIS, and none at all.
    ('size = "3x3"\nvalues = "1-2"\nboxes = "none"\n' + rules("free-grid", "connected-values 1"), 219),
    (WITH_ZERO + rules("doppelganger"), 768),
    (BOXED + rules("doublers"), 384),
    *(
        (BOXED + rules("doublers") + summed(total), number)
        for total, number in zip(range(3, 12), (32, 48, 96, 48, 64, 32, 16, 32, 16), strict=True)
    ),
    *(
        (BOXED + rules("negators") + summed(total), number)
        for total, number in zip(
            (-3, -2, -1, 1, 2, 3, 4, 5, 6, 7), (16, 32, 48, 48, 32, 48, 32, 64, 32, 32), strict=True
        )
    ),
    *((BOXED + ranked(rank), 9) for rank in (1, 2, 16)),
    *((BOXED + rules("full-rank-ties any") + ranked(rank), 27 if rank % 2 else 9) for rank in (1, 2, 15)),
    *((BOXED + rules("full-rank-ties none") + ranked(rank), 6) for rank in (1, 2, 16)),
    (BOXED + rules("full-rank-ties none"), 96),
    # By comparing the readings of all 3^9 grids.
    *(('size = 3\nboxes = "none"\n' + rules("free-grid") + ranked(rank), many) for rank, many in FREE_RANKS),
]
SLOW_ANCHORS = [
    ('size = "4x3"\nboxes = "none"\n' + rules("chaos-construction"), 3312),
    (LATIN + rules("chaos-construction"), 13872),
    (LATIN + rules("chaos-construction") + ARROW, 3468),
    (WITH_ZERO + rules("schroedinger"), 22080),
]


Stated = tuple[Position, int, bool]  # a place, the digit or the region there, and whether it is the region


def propagated(
    puzzle: Puzzle, *held: Stated, outside: Iterable[Position] = ()
) -> tuple[bool, Callable[[Stated], bool]]:
    """Whether clauses find no contradiction in what cells hold, with others outside of region 4; and what they find."""
    model, size = cnf(puzzle), puzzle.board.size

    def literal(place: Position, value: int, region: bool) -> int:
        return model.literals[size.cell(place) + region * size.cells][value][0]

    units = [literal(*stated) for stated in held] + [-literal(place, 4, True) for place in outside]
    with Solver("glucose4", bootstrap_with=model.formula) as solver:
        consistent, found = solver.propagate(units)
    return consistent, lambda stated: literal(*stated) in found


def test_propagation_sees_that_a_region_goes_on() -> None:
    """Four cells in one region of six, and all around them in others: though the first cell of it is not known."""
    puzzle = read('size = 6\nboxes = "none"\n' + rules("chaos-construction"))
    inside = {(3, 3), (3, 4), (4, 4), (4, 5)}
    around = {(r + i, c + j) for r, c in inside for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))} - inside
    first, *others = sorted(around)
    held = [(place, 4, True) for place in inside]
    assert propagated(puzzle, *held, outside=others)[1]((first, 4, True))
    assert not propagated(puzzle, *held, outside=around)[0]


def test_propagation_sees_how_far_a_region_reaches() -> None:
    """Though its first cell is not known."""
    puzzle = read('size = 6\nboxes = "none"\n' + rules("chaos-construction"))
    one = (3, 2), 4, True
    assert propagated(puzzle, one, ((5, 5), 4, True))[0]
    assert not propagated(puzzle, one, ((6, 5), 4, True))[0]
    row, column = ((3, c) for c in range(1, 7) if c != 4), ((r, 3) for r in range(1, 7) if r != 2)
    assert propagated(puzzle, ((2, 3), 4, True), ((4, 3), 4, True), outside=row)[1](((3, 4), 4, True))
    assert propagated(puzzle, one, ((3, 4), 4, True), outside=column)[1](((2, 3), 4, True))


def test_propagation_sees_that_neighbours_around_a_corner_are_in_one_region() -> None:
    counts = [("r1c1", "r2c2 r2c3"), ("r4c4", "r2c3 r3c3"), ("r5c5", "r3c3 r3c2"), ("r6c6", "r3c2 r2c2")]
    marks = ", ".join(f'{{ bulb = "{bulb}", lines = ["{line}"] }}' for bulb, line in counts)
    puzzle = read('size = 6\nboxes = "none"\n' + rules("chaos-construction") + f"chaos-count = [{marks}]\n")
    assert propagated(puzzle, *(((n, n), 2, False) for n in (1, 4, 5)))[1](((6, 6), 2, False))


def test_regions_to_be_found_take_few_variables() -> None:
    """Half of those of states for the steps of neighbours, a quarter of those of an automaton for each digit and region
    over all cells."""
    assert cnf(read('size = 6\nboxes = "none"\n' + rules("chaos-construction"))).formula.nv < 3_500


def test_different_regions_are_counted_by_few_clauses() -> None:
    """A seventh of those of sets as states."""
    text = 'size = 6\nboxes = "none"\n' + rules("chaos-construction")
    names = " ".join(f"regions_r{row}c{column}" for row in (2, 3) for column in (1, 2, 3))
    counted = read(text + f'count-distinct = ["r1c1 {names}"]\n')
    assert len(cnf(counted).formula.clauses) - len(cnf(read(text)).formula.clauses) < 300


@pytest.mark.parametrize(("text", "expected"), ANCHORS)
def test_as_many_grids_as_were_counted_elsewhere(text: str, expected: int) -> None:
    assert count(read(text), limit=None).count == expected


@pytest.mark.slow
@pytest.mark.parametrize(("text", "expected"), SLOW_ANCHORS)
def test_more_counts(text: str, expected: int) -> None:
    assert count(read(text), limit=None).count == expected


def labellings(drawing: MarkedSquare, size: int) -> Iterator[Values]:
    """Every partition into connected regions of one size, numbered in the order of their first cells."""
    many = drawing.size**2 // size
    for numbers in product(range(1, many + 1), repeat=drawing.size**2):
        label = dict(zip(drawing.positions, numbers, strict=True))
        regions = [{cell for cell in label if label[cell] == number} for number in range(1, many + 1)]
        in_order = list(dict.fromkeys(numbers)) == sorted(set(numbers))
        if in_order and all(len(region) == size and drawing.linked(region) for region in regions):
            yield label


def layered(grid: Values, *layers: Values) -> Grid:
    return tuple(value for part in (grid, *layers) for value in part.values())


class TestBruteForce:
    """All solutions, by an oracle that knows no constraint."""

    def test_different_regions(self) -> None:
        chaos = 'size = 3\nboxes = "none"\n' + rules("chaos-construction")
        at = (0, 4, 7, 8)
        names = " ".join(f"regions_r{1 + place // 3}c{1 + place % 3}" for place in at)
        found = all_of(chaos + f'count-distinct = ["r2c1 {names}"]\n')
        expected = {grid for grid in all_of(chaos).grids if grid[3] == len({grid[9 + place] for place in at})}
        assert set(found.grids) == expected
        assert {grid[3] for grid in expected} == {2, 3}

    @pytest.mark.parametrize("backend", SOLVERS)
    def test_regions(self, backend: str) -> None:
        drawing = MarkedSquare(3)
        arrow = 'chaos-count = [{ bulb = "r2c2", lines = ["r2c2 r1c1 r1c2 r3c3"] }]\n'
        found = all_of('size = 3\nboxes = "none"\n' + rules("chaos-construction") + arrow, backend)
        mark = Mark("chaos-count", ((2, 2),), (((2, 2), (1, 1), (1, 2), (3, 3)),))
        expected = {
            layered(at, label)
            for at, label in product(grids(drawing, {}), labellings(drawing, 3))
            if ORACLES["chaos-construction"](drawing, Mark("chaos-construction"), Layered(at, {"regions": label}))
            and ORACLES["chaos-count"](drawing, mark, Layered(at, {"regions": label}))
        }
        assert set(found.grids) == expected != set()

    @pytest.mark.parametrize("backend", SOLVERS)
    @pytest.mark.parametrize(("alias", "change"), [("doublers", 2), ("negators", -1), ("triplers", 3)])
    def test_modified_cells(self, backend: str, alias: str, change: int) -> None:
        drawing = MarkedSquare(4, (Mark("boxes", value="2x2"),))
        line: list[Position] = [(1, 1), (1, 2), (2, 3)]
        found = all_of(BOXED + rules(alias) + 'thermometer = ["r1c1 r1c2 r2c3"]\n', backend)
        expected = set()
        for at, flagged in product(grids(drawing, {}), placements(drawing)):
            count = [at[cell] * (change if cell in flagged else 1) for cell in line]
            if distinct([at[cell] for cell in flagged]) and count[0] < count[1] < count[2]:
                expected.add(layered(at, {cell: 1 + (cell in flagged) for cell in drawing.positions}))
        assert set(found.grids) == expected != set()

    @pytest.mark.parametrize("backend", COMPARED)
    def test_modified_cells_of_a_board_with_more_digits_than_rows(self, backend: str) -> None:
        drawing, mark = MarkedSquare(3, (), range(1, 5)), Mark("modifiers")
        found = all_of(
            'size = 3\nvalues = "1-4"\nboxes = "none"\ngrid = """\n1 2 3\n2 . 4\n. . .\n"""\n' + rules("doublers"),
            backend,
        )
        flags = [dict(zip(drawing.positions, each, strict=True)) for each in product((1, 2), repeat=9)]
        expected = {
            layered(at, flagged)
            for at, flagged in product(grids(drawing, {(1, 1): 1, (1, 2): 2, (1, 3): 3, (2, 1): 2, (2, 3): 4}), flags)
            if ORACLES["modifiers"](drawing, mark, Layered(at, {"modifiers": flagged}))
        }
        assert set(found.grids) == expected != set()

    @pytest.mark.parametrize("value", ["1 3", "1 3: 3 in rows of 2", "1 2 in rows of 3"])
    def test_connected_group(self, value: str) -> None:
        text = BOXED + f'connected-group = [{{ cells = "r1c1-r1c3 r2c3-r2c1 r3c2", value = "{value}" }}]\n'
        found, drawing = all_of(text), drawing_of(read(text))
        expected = {layered(at) for at in grids(drawing, {}) if obeys(drawing, at)}
        assert set(found.grids) == expected
        assert 0 < len(expected) < 288

    @pytest.mark.parametrize("backend", COMPARED)
    def test_connected_group_and_rank(self, backend: str) -> None:
        group = 'connected-group = [{ cells = "r1c1-r1c3 r2c1-r2c3", value = "1 3: 3" }]\n'
        text = BOXED + group + 'full-rank = [{ cell = "r0c2", value = 9 }]\n'
        found, drawing = all_of(text, backend), drawing_of(read(text))
        expected = {layered(at) for at in grids(drawing, {}) if obeys(drawing, at)}
        assert set(found.grids) == expected != set()

    @pytest.mark.parametrize("backend", COMPARED)
    def test_different_sums(self, backend: str) -> None:
        text = BOXED + 'different-sum = [{ groups = ["r1c1 r1c2", "r2c3", "r3c1 r3c2 r3c3", "r4c3 r4c4"] }]\n'
        drawing = drawing_of(read(text))
        expected = {layered(at) for at in grids(drawing, {}) if obeys(drawing, at)}
        assert set(all_of(text, backend).grids) == expected
        assert 0 < len(expected) < 288

    @pytest.mark.parametrize("backend", SOLVERS)
    def test_two_digits_in_a_cell(self, backend: str) -> None:
        text = WITH_ZERO + rules("schroedinger") + 'cage = [{ cells = "r1c1 r1c2", value = 8 }]\nodd = "r1c2"\n'
        puzzle = read(text + 'grid = """\n. . . .\n2 . . .\n. . 0 .\n. . . .\n"""\n')
        found = solve(puzzle, limit=None, backend=backend).grids
        assert found
        for grid in found:
            at = values_of(puzzle, grid)
            assert broken(puzzle, grid) == []
            held = [{at[cell], at.layers["second"][cell]} for cell in ((1, 1), (1, 2))]
            assert sum(map(sum, held)) == 8
            assert all(digit % 2 for digit in held[1])
        assert len(found) == len(set(found)) == solve(puzzle, limit=None, backend="glucose4").count


def placements(drawing: MarkedSquare) -> list[set[Position]]:
    """One cell of each row, column and box of 2x2."""
    chosen = (set(zip(drawing.values, columns, strict=True)) for columns in product(drawing.values, repeat=4))
    boxes = [set(region) for region in drawing.regions]
    return [
        cells
        for cells in chosen
        if distinct([column for _, column in cells]) and all(len(cells & box) == 1 for box in boxes)
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (BOXED + 'chaos-arrow = [{ bulb = "r1c1", lines = ["r1c1 r1c2"] }]', "needs the rule chaos-construction"),
        (LATIN + rules("chaos-construction 5"), "regions of 5 cells"),
        (LATIN + rules("chaos-construction 1"), "regions of 1 cells"),
        (BOXED + rules("modifiers half"), "expected one of double, triple"),
        (BOXED + rules("doublers", "negators"), "two rules"),
        (BOXED + rules("doublers") + 'sandwich = [{ cell = "r1c0", value = 2 }]', "not defined where cells count"),
        (BOXED + rules("doublers") + 'entropic = ["r1c1 r1c2 r1c3"]', "not defined where cells count"),
        (BOXED + rules("schroedinger"), "one more than a row"),
        (WITH_ZERO + rules("schroedinger") + 'quadruple = [{ cells = "r1c1 r1c2", value = 1 }]', "not defined"),
        (BOXED + rules("doppelganger"), "expected NxN with the values 0..N"),
        (BOXED + rules("connected-values 5"), "expected one or more of 1..4"),
        (BOXED + ranked(17), "rank 17"),
        (BOXED + 'any = [[{ kind = "full-rank", cell = "r1c0", value = 3 }]]', "cannot stand inside any"),
    ],
)
def test_what_cannot_be_is_refused_with_a_reason(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read(text)


def test_a_board_that_is_too_large_is_refused_before_its_constraints_are_made() -> None:
    with pytest.raises(FormatError, match="this comes to 100,000,000 tuples"):
        read('size = 100\nboxes = "none"\n' + rules("chaos-construction"))
