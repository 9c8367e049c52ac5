"""Several boards in one puzzle: brute force over each board's own grids, texts, pictures, what is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.drawing import MarkedSquare, Values, grids

import satdoku
from satdoku import FormatError, Mark, Puzzle, Verdict, check, count, read, solve, write
from satdoku.errors import PuzzleError, Refused
from satdoku.formats.grid import draw
from satdoku.pictures.picture import Picture, strokes
from satdoku.puzzle import Position
from satdoku.referee import violations
from satdoku.techniques.marks import mark_parts
from satdoku.variants import build
from satdoku.variants.sentences import rules
from satdoku.variants.strokes import Layer, Line

BOXED = (Mark("boxes", value="2x2"),)
BACKENDS = ("glucose4", "cpsat", "native")
FOUR = MarkedSquare(4, BOXED)
LOW = MarkedSquare(4, BOXED, range(4))
THREE = MarkedSquare(3, (), range(2, 5))
DIAGONAL = MarkedSquare(4, (*BOXED, Mark("diagonal-")))
Placed = tuple[Position, MarkedSquare]
Holds = Callable[[Values], bool]


def joined(boards: list[Placed], holds: Holds, givens: Values) -> Iterator[Values]:
    """Every picture whose boards are grids of their own drawings and agree where they overlap."""

    def fill(number: int, at: Values) -> Iterator[Values]:
        if number == len(boards):
            yield from [at] if holds(at) else []
            return
        (top, left), drawing = boards[number]
        places = {(row, column): (row + top - 1, column + left - 1) for row, column in drawing.positions}
        known = {cell: at[place] for cell, place in places.items() if place in at}
        if not set(known.values()) <= set(drawing.digits):
            return
        for grid in grids(drawing, known):
            own = all(grid[cell, cell] != grid[other, other] for cell in drawing.values for other in range(1, cell))
            if own or Mark("diagonal-") not in drawing.marks:
                yield from fill(number + 1, {**at, **{places[cell]: value for cell, value in grid.items()}})

    yield from fill(0, givens)


def made(boards: list[Placed], more: tuple[Mark, ...]) -> tuple[Mark, ...]:
    form = "{0}x{0} values {1}-{2}"
    return (
        *(
            Mark("board", (at,), value=form.format(each.size, each.digits[0], each.digits[-1]), marks=each.marks)
            for at, each in boards
        ),
        *more,
    )


SAMURAI = [((3, 3), FOUR), ((1, 1), FOUR), ((1, 5), FOUR), ((5, 1), FOUR), ((5, 5), FOUR)]
CASES: dict[str, tuple[list[Placed], tuple[Mark, ...], Holds, Values]] = {
    "samurai": (
        SAMURAI,
        (),
        lambda at: True,
        {(1, 2): 1, (2, 4): 4, (2, 6): 1, (2, 8): 2, (4, 8): 1, (6, 6): 4, (6, 1): 2, (8, 3): 4},
    ),
    "a corner": ([((1, 1), FOUR), ((4, 4), DIAGONAL)], (), lambda at: True, {(1, 1): 1, (1, 2): 2, (2, 1): 3}),
    "values that both have": ([((1, 1), LOW), ((4, 4), FOUR)], (), lambda at: True, {(1, 2): 0, (2, 3): 1, (6, 6): 4}),
    "sizes": ([((1, 1), FOUR), ((2, 4), THREE)], (), lambda at: True, {(1, 2): 2, (2, 1): 3}),
    "twins": (
        [((1, 1), FOUR), ((1, 6), DIAGONAL)],
        (Mark("clone", ((1, 1), (1, 2), (1, 3)), (((4, 6), (4, 7), (4, 8)),)), Mark("cage", ((2, 2), (3, 8)), value=5)),
        lambda at: [at[1, c] for c in (1, 2, 3)] == [at[4, c] for c in (6, 7, 8)] and at[2, 2] + at[3, 8] == 5,
        {(1, 1): 1, (2, 1): 3},
    ),
    "a rule across": (
        [((1, 1), FOUR), ((1, 5), FOUR)],
        (Mark("negative-difference", value="3"),),
        lambda at: all(abs(at[r, c] - at[o]) != 3 for r, c in at for o in ((r + 1, c), (r, c + 1)) if o in at),
        {(1, 1): 1, (1, 2): 2, (1, 3): 4, (1, 4): 3},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_grids_are_those_of_the_boards_that_agree(name: str) -> None:
    boards, more, holds, givens = CASES[name]
    right = {tuple(at[place] for place in sorted(at)) for at in joined(boards, holds, givens)}
    rows, columns = (max(at[axis] + each.size - 1 for at, each in boards) for axis in (0, 1))
    ends = [value for _, each in boards for value in (each.digits[0], each.digits[-1])]
    size = satdoku.puzzle.Size(rows, columns, range(min(ends), max(ends) + 1))
    board = build(size, made(boards, more))
    given = {board.size.cell(place): board.size.inner(value) for place, value in givens.items()}
    puzzle = Puzzle.from_givens(board, given)
    for backend in BACKENDS:
        found = solve(puzzle, limit=None, backend=backend)
        assert {tuple(map(board.shown, grid)) for grid in found.grids} == right, backend
        assert found.count == len(right)
    assert len(right) > 1
    assert count(puzzle, limit=None).count == len(right)


TWO = '''\
title = "Two boards"
clone = [{ cells = "A.r1c1-A.r1c3", copy = "B.r4c1-B.r4c3" }]
[candidates]
r5c9 = [1, 2]
[[board]]
name = "A"
size = 4
grid = """
1...
....
....
....
"""
[[board]]
name = "B"
at = "r3c6"
size = 4
values = "0-3"
rules = ["diagonal-"]
cage = [{ cells = "r2c1 r3c1", value = 3 }]
'''


def test_a_connected_group_goes_on_beyond_a_board() -> None:
    """Two boards of two rows: a row of the picture holds a digit twice, so that the way from 1 to 2 is long."""
    both = "".join(f'[[board]]\nat = "r1c{column}"\nsize = "2x3"\nboxes = "none"\n' for column in (1, 4))
    puzzle = read(f'rules = ["connected-values 1 2"]\n{both}')
    assert count(puzzle, limit=None).count == 8  # of 144
    assert puzzle.board.size.inside((2, 6))
    given = Puzzle.from_givens(puzzle.board, [1, 2, 3, 3, 1, 2, 3, 1, 2, 1, 2, 3])
    assert check(given).verdict is Verdict.UNIQUE


@pytest.mark.parametrize(("rule", "number"), [("anti-king", 2), ("anti-taxicab", 1)])
def test_cells_beside_each_other_on_two_boards_are_in_no_row(rule: str, number: int) -> None:
    both = "".join(f'[[board]]\nat = "r1c{column}"\nsize = "1x2"\nboxes = "none"\n' for column in (1, 3))
    assert count(read(f'rules = ["{rule}"]\n{both}'), limit=None).count == number


def test_toml_names_boards_and_their_cells() -> None:
    puzzle = read(TWO)
    marks = puzzle.board.marks
    assert [mark.cells for mark in marks] == [((1, 1),), ((3, 6),), ((1, 1), (1, 2), (1, 3))]
    assert marks[2].lines == (((6, 6), (6, 7), (6, 8)),)
    assert read(write(puzzle, "toml")) == puzzle
    solved = check(puzzle).grids[0]
    stated = satdoku.read(write(satdoku.Puzzle(puzzle.board, puzzle.candidates, solution=solved), "toml"))
    assert stated.solution == solved
    names = {rule.name for rule in puzzle.board.constraints}
    assert {"row 1 of A", "box 4 of B", "cage 3 at r4c6 of B", "values of A"} <= names


def test_what_is_seen_of_a_picture_with_gaps() -> None:
    puzzle = read((Path(__file__).parents[2] / "puzzles" / "variants" / "board.toml").read_text())
    assert repr(puzzle) == "<Puzzle 6x6 with the values 1..4, 6 givens, 2 boards>"
    assert str(puzzle).splitlines()[2] == "│ . . │ . 3 │"
    grid = check(puzzle).grids[0]
    assert list(violations(puzzle, grid)) == []
    assert list(violations(puzzle, (*grid[:-1], grid[-1] % 4 + 1)))
    thin = [each for each in strokes(Picture(puzzle)) if isinstance(each, Line) and each.width == 0.015]
    assert Line(((2.5, 0.5), (2.5, 4.5)), thin[0].tint, 0.015, layer=Layer.GRID) in thin
    assert all(0.5 <= row <= 4.5 or column >= 2.5 for each in thin for row, column in each.points)
    assert str(read(write(puzzle, "sudokupad"))) == str(puzzle)
    for format in ("line", "grid", "f-puzzles", "iss", "penpa"):
        with pytest.raises(Refused, match="holds one board, and this puzzle has several"):
            write(puzzle, format)


def test_a_layer_of_one_board_says_nothing_of_another() -> None:
    stars = '[[board]]\nsize = 4\nboxes = "none"\nrules = ["star-battle 1"]\n'
    alone = count(read(stars.removeprefix("[[board]]\n")), limit=None).count
    other = '[[board]]\nsize = 2\nboxes = "none"\ngrid = """\n1.\n..\n"""\n'
    assert count(read(stars + other), limit=None).count == alone
    assert alone


def test_what_would_make_it_unique_and_what_conflicts() -> None:
    several = satdoku.explain(read(TWO))
    assert several.verdict is Verdict.MULTIPLE
    wrong = satdoku.explain(read(TWO.replace("\n....\n....\n", "\n.1..\n....\n", 1)))
    assert wrong.conflict is not None
    assert "box 1 of A" in str(wrong.conflict) or any("box 1 of A" in clash for clash in wrong.clashes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("size = 4\n" + TWO, "size cannot stand beside boards: state it in each [[board]], line 1"),
        (TWO.replace('at = "r3c6"', 'at = "r1c1"'), "B lies on A, at r1c1: expected another place"),
        (TWO.replace('at = "r3c6"', 'at = "r0c6"'), "board 2: at is 'r0c6', expected its upper left cell"),
        (TWO.replace('at = "r3c6"', 'at = "r300c6"'), "a picture of 303x9 cells: expected at most 256"),
        (
            TWO.replace('values = "0-3"', 'values = "5-8"').replace("r3c6", "r3c3"),
            "B has the values 5..8, and r3c3 none",
        ),
        (TWO.replace('name = "B"', 'name = "A"'), "board 2: name is 'A', which another board has, line 15"),
        (TWO.replace("cage =", "cagge ="), "board 2: 'cagge' is not a key of this format"),
        (TWO.replace("r2c1 r3c1", "r2c1 r5c1"), "board 2: cage: r5c1 is outside the 4x4 grid, line 20"),
        (TWO.replace("B.r4c1-", "B.r5c1-"), "B.r5c1: r5c1 is outside the 4x4 grid of B"),
        (TWO.replace('"r3c6"', '"r4c1"\ngrid = "2..."'), "board 2: grid has 1 row, expected 4"),
        (
            TWO.replace('....\n"""', '...2\n"""').replace(
                'at = "r3c6"', 'at = "r4c4"\ngrid = """\n3...\n....\n....\n...."""'
            ),
            "r4c4 has one given on A, another on B",
        ),
        (TWO + 'title = "B"\n', "board 2: title cannot stand in a board"),
        ('board = "1..."\n', "board is '1...', expected [[board]] and its keys"),
        ("[[board]]\nsize = 4\n[[board.board]]\nsize = 4\n", "board 1: board cannot stand in a board"),
        ('[[board]]\nsize = 4\nrules = ["variable A"]\n', "board 1 has a variable on it"),
    ],
)
def test_one_line_says_what_is_wrong_and_where(text: str, message: str) -> None:
    with pytest.raises((FormatError, PuzzleError)) as caught:
        read(text, format="toml")
    assert message in f"{caught.value}, line {getattr(caught.value, 'line', None)}"


def test_marks_make_boards_in_python_too() -> None:
    four = [satdoku.marks.boxes("2x2")]
    boards = [satdoku.marks.board(at, four, value="4x4") for at in ("r1c1", "r3c3")]
    puzzle = satdoku.build(size=6, values="1-4", marks=boards, givens={"r1c2": 1, "r6c4": 4})
    assert puzzle.board == read((Path(__file__).parents[2] / "puzzles" / "variants" / "board.toml").read_text()).board
    with pytest.raises(PuzzleError, match="ends at r6c6, outside the picture of 5x5"):
        satdoku.build(size=5, values="1-4", marks=boards)


TWINS = """\
clone = [{ cells = "A.r1c1-A.r1c4", copy = "B.r4c1-B.r4c4" }]
sum = [{ terms = "A.r4c4 + B.r1c1", is = "= 5" }]
[[board]]
name = "A"
size = 4
[[board]]
name = "B"
size = 4
"""


def test_twins_are_made_explained_and_certified() -> None:
    (made,) = satdoku.generate(read(TWINS), count=1, seed=1)
    explained = satdoku.explain(made.puzzle)
    assert explained.verdict is Verdict.UNIQUE
    assert {"clones", "cage combinations"} <= {getattr(step, "technique", "") for step in explained.steps}
    certificate = satdoku.certify(made.puzzle)
    assert certificate is not None
    (verified,) = satdoku.verify(certificate)
    assert verified.fault is None
    assert verified.outcome == "holds"
    grid = check(made.puzzle).grids[0]
    left, right = (
        [grid[row * 8 : row * 8 + 4] for row in range(4)],
        [grid[row * 8 + 4 : row * 8 + 8] for row in range(4)],
    )
    assert left[0] == right[3]
    assert left[3][3] + right[0][0] == 5


def test_what_is_on_a_board_is_named_as_on_a_board_of_its_own() -> None:
    puzzle = read(TWO)
    assert repr(puzzle) == "<Puzzle 6x9 with the values 0..4, 1 given, 2 boards, 1 clone, diagonal-, 1 cage>"
    assert rules(puzzle.board.size, puzzle.board.marks)[:2] == [
        "Each row, column and 2x2 box holds 1 to 4 once.",
        "Each row, column and 2x2 box holds 0 to 3 once.",
    ]
    assert {part.kind for part in mark_parts(puzzle.board)} >= {"clone", "cage"}


def test_an_answer_is_read_as_it_is_drawn() -> None:
    puzzle = read((Path(__file__).parents[2] / "puzzles" / "variants" / "board.toml").read_text())
    grid = check(puzzle).grids[0]
    assert satdoku.grade(puzzle, draw(puzzle.board, grid)).score == 1
