"""A line with more than a puzzle: every character is used, named as unused, or the line is refused."""

from __future__ import annotations

import pytest

import satdoku
from satdoku.formats import Options, detect

FOUR = "13....3131...213"
SOLVED = "1324243131424213"
NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NINE_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"


@pytest.mark.parametrize("between", [",", " ", "\t", ":", ";", " | ", ":2:", " , "])
def test_a_solution_beside_a_puzzle_is_the_stated_one(between: str) -> None:
    for puzzle, solution in ((FOUR, SOLVED), (NINE, NINE_SOLVED)):
        text = puzzle + between + solution
        for line in (text, solution + between + puzzle):
            read = satdoku.read(line)
            assert read == satdoku.read(puzzle)
            assert read.solution == tuple(map(int, solution))


def test_a_solution_run_together_with_its_puzzle_is_not_a_jigsaw() -> None:
    reading = detect(NINE + NINE_SOLVED, Options())
    assert (reading.format, reading.puzzle) == ("line", satdoku.read(NINE))
    assert reading.puzzle.solution == tuple(map(int, NINE_SOLVED))
    cells = ".4..3...5......7...1.5.....8....1.4...97..8.....2....3.85..29..96.8.7...2......7."
    numbers = ",".join([*cells[:5], "11", *cells[6:]])  # as many characters as two grids of 9x9
    with pytest.raises(satdoku.FormatError, match="11 is above 9, the largest value of a 9x9 puzzle"):
        detect(numbers, Options())
    regions = "1122112233443344"
    assert detect(FOUR + regions, Options()).format == "jigsaw"


@pytest.mark.parametrize(
    ("line", "unread"),
    [
        (f"easy-7 {FOUR}", "easy-7"),
        (f"{FOUR}:1", "1"),
        (f"{FOUR},4.2 stars", "4.2 stars"),
        (f"{FOUR};4.2 stars", "4.2 stars"),
        (f"{FOUR} {SOLVED} 17", "17"),
        (f"a.txt:3\tsolved\t{FOUR}\tmore", "more"),
    ],
)
def test_what_is_neither_is_named(line: str, unread: str) -> None:
    reading = detect(line, Options())
    assert reading.puzzle == satdoku.read(FOUR)
    assert reading.notes == (f"not read: {unread!r}",)


@pytest.mark.parametrize(
    "line", [f"{FOUR} {'4' + SOLVED[1:]}", f"{SOLVED[:-1]}1,{FOUR}", f"a:1\tmultiple\t{SOLVED}\t4{SOLVED[1:]}"]
)
def test_a_full_grid_that_contradicts_the_puzzle_is_refused(line: str) -> None:
    with pytest.raises(satdoku.FormatError, match=r"\d in the full grid, but \d in the puzzle beside it"):
        detect(line, Options())


def test_a_full_grid_that_breaks_a_constraint_is_noted() -> None:
    wrong = "1323243131424213"
    assert detect(f"{FOUR} {wrong}", Options()).notes == (
        "the solution stated is not one: row 1 has 3 twice: r1c2 and r1c4",
    )


def test_an_id_that_looks_like_an_origin_hides_no_puzzle() -> None:
    read = detect(f"set:1\t{FOUR}\t{SOLVED}", Options())
    assert (read.puzzle, read.puzzle.solution) == (satdoku.read(FOUR), tuple(map(int, SOLVED)))
    assert read.notes == ("not read: 'set 1'",)


@pytest.mark.parametrize("rest", [";4.2", " ; easy", " 7"])
def test_what_follows_a_line_of_another_format_is_refused(rest: str) -> None:
    jigsaw = FOUR + "1122112233443344"
    assert detect(f"{jigsaw} # a comment", Options()).format == "jigsaw"
    with pytest.raises(satdoku.FormatError, match="follows the puzzle: expected the end of the line"):
        detect(jigsaw + rest, Options())


@pytest.mark.parametrize("line", [f"{FOUR} # 4.2 stars", f"{FOUR}\t#1", f"  {FOUR}  "])
def test_a_comment_needs_no_word(line: str) -> None:
    assert detect(line, Options()).notes == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{FOUR} {FOUR}", "two puzzles on one line"),
        (f"{FOUR} {NINE}", "2 grids on one line"),
        (f"{FOUR} {SOLVED} {SOLVED}", "3 grids on one line"),
        (f"{NINE[:-1]} {NINE_SOLVED}", "81 cells and 80 characters on one line"),
        (f"{NINE_SOLVED},{NINE[:-1]}q", "81 cells and 81 characters on one line"),
    ],
)
def test_more_than_that_is_refused_with_what_was_seen(line: str, message: str) -> None:
    with pytest.raises(satdoku.FormatError, match=message):
        satdoku.read(line)


def test_cells_and_rows_may_have_blanks_between_them() -> None:
    assert satdoku.read(" ".join(NINE)) == satdoku.read(NINE)
    rows = " ".join(NINE[start : start + 9] for start in range(0, 81, 9))
    assert satdoku.read(rows) == satdoku.read(NINE)
    sixteen = " ".join(["16", "."] * 128)
    assert satdoku.read(sixteen).givens[:3] == (16, 0, 16)
    assert satdoku.read(sixteen.replace(" ", ",")) == satdoku.read(sixteen)


def test_sixteen_rows_of_sixteen_are_not_a_4x4() -> None:
    assert satdoku.read(" ".join(["1..............."] * 16)).board.values == 16
    letters = " ".join(["A..............G"] * 16)
    assert satdoku.read(letters, alphabet="1-9A-G", format="line").givens[15] == 16


def test_a_grid_whose_rows_have_sixteen_cells_is_not_sixteen_lines() -> None:
    assert detect("\n".join([" ".join(["1", *["."] * 15])] * 16), Options()).format == "grid"


def test_a_grid_whose_rows_have_81_cells_is_not_81_lines() -> None:
    assert satdoku.read("\n".join([" ".join(["81", *["."] * 80]), *[" ".join(["."] * 81)] * 80])).board.values == 81
    assert detect(" ".join(NINE), Options()).format == "line"


@pytest.mark.parametrize("name", ["jigsaw", "letters", "pencilmark"])
def test_other_formats_of_one_line_refuse_what_follows(name: str) -> None:
    size = 12 if name == "letters" else 4
    regions = "1122112233443344"
    if name == "jigsaw":
        text = FOUR + regions
    else:
        text = satdoku.write(satdoku.Puzzle.from_givens(satdoku.classic(*((3, 4) if size == 12 else (2, 2))), {}), name)
    assert satdoku.read(f"{text} # a comment", format=name)
    with pytest.raises(satdoku.FormatError, match="'and more' follows the puzzle"):
        satdoku.read(f"{text} and more", format=name)


def test_letters_for_more_values_than_there_are_letters_are_refused() -> None:
    size = 30
    regions = "".join(chr(0x100 + region) * size for region in range(size))
    with pytest.raises(satdoku.FormatError, match="'A'"):
        satdoku.read("A" * size * size + regions, format="jigsaw")
