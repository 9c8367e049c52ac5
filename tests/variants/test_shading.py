"""Shadings and stars: counts that are known, and every shading of small boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product, takewhile
from random import Random

import pytest
from support.drawing import MarkedSquare
from support.oracles import ORACLES, Layered

from satdoku import Mark, Puzzle, count, read, solve
from satdoku.errors import PuzzleError
from satdoku.pictures.picture import SHADED, Picture, strokes
from satdoku.puzzle import Size
from satdoku.referee import violations
from satdoku.variants import Frame, build, lowered
from satdoku.variants.strokes import Area

BESIDE = ((0, 1), (0, -1), (1, 0), (-1, 0))
BLOCKS = [range(first, last) for first in range(2, 6) for last in range(first + 2, 8)]


def full(rows: int, columns: int, mark: Mark) -> Puzzle:
    """A board whose digits are known, so that its solutions are those of its layer."""
    size = Size.of(rows, columns)
    return Puzzle.from_givens(build(size, (Mark("free-grid"), mark)), [1] * (rows * columns))


@pytest.mark.parametrize("backend", ["auto", "glucose4", "cpsat", "backtrack"])
def test_yin_yang_is_every_shading_that_obeys_it(backend: str) -> None:
    drawing, mark = MarkedSquare(3), Mark("yin-yang")
    every = (dict(zip(drawing.positions, values, strict=True)) for values in product((1, 2), repeat=9))
    right = {tuple(at.values()) for at in every if ORACLES["yin-yang"](drawing, mark, Layered({}, {"shading": at}))}
    assert {grid[9:] for grid in solve(full(3, 3, mark), limit=None, backend=backend).grids} == right
    assert len(right) == 34  # 2 of them with a border of one shade


@pytest.mark.parametrize(("rows", "columns", "number"), [(2, 2, 12), (2, 3, 18), (3, 4, 50), (4, 4, 96)])
def test_yin_yangs_of_other_boards(rows: int, columns: int, number: int) -> None:
    # Counted elsewhere by trying every shading.
    assert count(full(rows, columns, Mark("yin-yang")), limit=None).count == number


@pytest.mark.parametrize(
    ("mark", "digit", "number"),
    [
        (Mark("loop"), 1, 5),
        (Mark("connected-shading"), 1, 219),  # of these 218 have cells: A059525 of the OEIS
        (Mark("connected-shading", value="UNSHADED"), 1, 219),
        (Mark("nurikabe", ((1, 1), (3, 3))), 2, 2),
        (Mark("nurikabe", ((1, 2), (3, 1), (3, 3))), 1, 1),
        (Mark("cave", ((2, 2),)), 3, 64),
        (Mark("cave", ((1, 1), (3, 3))), 3, 7),
        (Mark("cave", ((1, 1), (3, 3))), 5, 1),
    ],
)
def test_every_shading_of_3x3_that_obeys_a_mark_is_found(mark: Mark, digit: int, number: int) -> None:
    drawing = MarkedSquare(3)
    at = dict.fromkeys(drawing.positions, digit)
    every = (dict(zip(drawing.positions, values, strict=True)) for values in product((1, 2), repeat=9))
    layered = (Layered(at, {"shading": shading}) for shading in every)
    right = {tuple(each.layers["shading"].values()) for each in layered if ORACLES[mark.kind](drawing, mark, each)}
    makes = () if mark.kind != "connected-shading" else (Mark("shading"),)
    board = build(Size(3, 3, range(1, 7)), (Mark("free-grid"), *makes, mark))
    assert {grid[9:] for grid in solve(Puzzle.from_givens(board, [digit] * 9), limit=None).grids} == right
    assert len(right) == number


@pytest.mark.parametrize(("rows", "columns", "number"), [(2, 3, 2), (3, 4, 9), (4, 4, 24)])
def test_loops_of_other_boards(rows: int, columns: int, number: int) -> None:
    # Counted elsewhere by trying every shading.
    assert count(full(rows, columns, Mark("loop")), limit=None).count == number


@pytest.mark.parametrize(
    ("rows", "columns", "circles", "digit", "number"),
    [
        (1, 5, ((1, 2),), 3, 2),
        (2, 4, ((1, 1),), 3, 11),
        pytest.param(3, 5, ((2, 3),), 4, 1004, marks=pytest.mark.slow),
        (4, 4, ((1, 1), (4, 4)), 4, 192),
        pytest.param(4, 4, ((2, 2),), 5, 2064, marks=pytest.mark.slow),
    ],
)
def test_caves_of_other_boards(
    rows: int, columns: int, circles: tuple[tuple[int, int], ...], digit: int, number: int
) -> None:
    # Counted elsewhere by trying every shading.
    board = build(Size(rows, columns, range(1, 8)), (Mark("free-grid"), Mark("cave", circles)))
    assert count(Puzzle.from_givens(board, [digit] * rows * columns), limit=None).count == number


def test_caves_of_larger_boards_are_what_they_should_be() -> None:
    drawing, mark, chance = MarkedSquare(7), Mark("cave", ((4, 4),)), Random(1)
    board = build(Size(7, 7, range(1, 14)), (Mark("free-grid"), mark))
    # Blocks and rings of shaded cells with others around: the steps of some agree modulo three or four.
    blocks = [[(row, column) for row in rows for column in columns] for rows, columns in product(BLOCKS, repeat=2)]
    rings = [[place for place in block if _beside(block, *place) < 4] for block in blocks]
    alone = {tuple(places) for places in (*blocks, *rings) if (4, 4) not in places}
    found = []
    for number, places in enumerate([*sorted(alone)[::5], *[()] * 8]):
        shading: dict[tuple[int, int], int] = dict.fromkeys(drawing.positions, 1) | dict.fromkeys(places, 2)
        for place in () if places else chance.sample(drawing.positions, 10 + number % 8):
            shading[place] = 2
            if chance.random() < 0.95 and not _is_cave(drawing, mark, shading):
                shading[place] = 1
        if shading[4, 4] == 2:
            continue
        digit = _seen(shading, 4, 4)
        at = dict.fromkeys(drawing.positions, digit)
        right = ORACLES["cave"](drawing, mark, Layered(at, {"shading": shading}))
        puzzle = Puzzle.from_givens(board, [digit] * len(at))
        assert right == (not list(violations(puzzle, (*at.values(), *shading.values()))))
        found.append(right)
    assert min(found.count(True), found.count(False)) > 5


def _beside(block: Sequence[tuple[int, int]], row: int, column: int) -> int:
    return sum((row + down, column + right) in block for down, right in BESIDE)


def _seen(shading: dict[tuple[int, int], int], row: int, column: int) -> int:
    ways = [[(row + down * n, column + right * n) for n in range(1, 9)] for down, right in BESIDE]
    return 1 + sum(len(list(takewhile(lambda place: shading.get(place) == 1, way))) for way in ways)


def _is_cave(drawing: MarkedSquare, mark: Mark, shading: dict[tuple[int, int], int]) -> bool:
    digit = _seen(shading, 4, 4)
    return shading[4, 4] == 1 and ORACLES["cave"](
        drawing, mark, Layered(dict.fromkeys(drawing.positions, digit), {"shading": shading})
    )


@pytest.mark.parametrize(("size", "number"), [(3, 0), (4, 2), (5, 14), (6, 90), (7, 646)])
def test_stars_that_do_not_touch(size: int, number: int) -> None:
    # Kings that do not attack each other, one a row and column: A002464 of the OEIS.
    assert count(full(size, size, Mark("star-battle")), limit=None).count == number


def test_stars_of_boxes_and_two_a_house() -> None:
    digits = "123456456123231564564231312645645312"
    board = build(6, (Mark("boxes", value="2x3"), Mark("star-battle")))
    found = solve(Puzzle.from_givens(board, [int(digit) for digit in digits]), limit=None).grids
    drawing = MarkedSquare(6, (Mark("boxes", value="2x3"),))
    for grid in found:
        stars = dict(zip(drawing.positions, grid[36:], strict=True))
        assert ORACLES["star-battle"](drawing, Mark("star-battle"), Layered({}, {"stars": stars}))
    assert 0 < len(found) < 90
    assert count(full(8, 8, Mark("star-battle", value=2)), limit=1).count == 1


@pytest.mark.parametrize("clue", ["0", "?", "10", "3 4", "? 4", "? ?", "9"])
@pytest.mark.parametrize("least", [0, 1])
def test_a_japanese_sum_is_every_shading_of_a_line_that_has_its_sums(clue: str, least: int) -> None:
    size, mark = Size(1, 4, range(least, least + 5)), Mark("japanese-sum", ((1, 5),), value=clue)
    _, (rule,) = lowered(Frame(size, (Mark("shading"), mark)))
    found = 0
    for word, shades in product(permutations(size.digits, 4), product((False, True), repeat=4)):
        sums = [sum(run) for run in groups(word[::-1], shades[::-1])]
        wanted = [] if clue == "0" else clue.split()
        right = len(sums) == len(wanted) and all(a in ("?", str(b)) for a, b in zip(wanted, sums, strict=True))
        layer = [1 + shaded for shaded in shades]
        assert rule.holds([*map(size.inner, word), *layer]) == right, (word, shades)
        found += right
    assert found


def groups(word: Sequence[int], shades: Sequence[bool]) -> list[list[int]]:
    """The digits of each run of shaded cells."""
    found: list[list[int]] = []
    for place, (digit, shaded) in enumerate(zip(word, shades, strict=True)):
        if shaded:
            found += [[]] if not (place and shades[place - 1]) else []
            found[-1].append(digit)
    return found


def test_marks_name_what_is_found_and_pictures_show_it() -> None:
    cells = "shading_r1c1 shading_r4c4"
    puzzle = read(f'size = 4\nrules = ["yin-yang"]\ncount = [{{ cells = "{cells}", value = "2: 1" }}]\n')
    found = solve(puzzle).grid
    assert found is not None
    assert {found[16], found[31]} == {1, 2}
    shaded = [
        stroke for stroke in strokes(Picture(puzzle, found)) if isinstance(stroke, Area) and stroke.tint == SHADED
    ]
    assert len(shaded) == found[16:].count(2)


@pytest.mark.parametrize(
    ("size", "mark", "reason"),
    [
        (Size.of(1, 4), Mark("yin-yang"), "a board of 1x4: expected two rows and two columns"),
        (Size.of(3, 3, range(1, 2)), Mark("yin-yang"), "a board of one digit"),
        (Size.of(4), Mark("star-battle", value=0), "expected how many stars, 1 or more"),
        (Size.of(4), Mark("japanese-sum", ((0, 1),), value="3"), "needs the rule yin-yang or shading"),
        (Size.of(4), Mark("connected-shading", value="BOTH"), "expected SHADED or UNSHADED"),
        (Size.of(4), Mark("nurikabe", ((5, 1),)), "r5c1 is not in the grid"),
        (Size.of(4), Mark("cave", ((5, 1),)), "r5c1 is not in the grid"),
        (Size.of(4), Mark("japanese-sum", ((0, 1),), value="3,4"), "expected sums, with blanks between"),
    ],
)
def test_boards_that_cannot_be(size: Size, mark: Mark, reason: str) -> None:
    makes = () if mark.kind != "connected-shading" else (Mark("shading"),)
    with pytest.raises(PuzzleError, match=reason):
        build(size, (Mark("free-grid"), *makes, mark))


@pytest.mark.parametrize(
    ("marks", "reason"),
    [
        ((Mark("yin-yang"), Mark("shading")), "shading: yin-yang makes the shading of this board: expected one"),
        (
            (Mark("nurikabe", ((1, 1),)), Mark("nurikabe", ((2, 2),))),
            "nurikabe: a second mark of this kind: expected one with the cells of both",
        ),
        ((Mark("star-battle"), Mark("star-battle", value=2)), "star-battle: a second mark of this kind: expected one$"),
    ],
)
def test_a_board_has_one_layer_of_a_kind(marks: tuple[Mark, ...], reason: str) -> None:
    with pytest.raises(PuzzleError, match=reason):
        build(4, marks)
