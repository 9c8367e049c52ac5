"""Texts of boards that are not N x N with the values 1..N: what they hold, options readers need, what is refused."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from support.cli import run

import satdoku
from satdoku import FormatError, InputError, Mark, Puzzle, Refused
from satdoku.formats import find, formats
from satdoku.puzzle import Size
from satdoku.variants import build

LETTERS = ("aaaa", "aaab", "abbb", "bbbb", "cccc", "cccc")
REGIONS = tuple(
    Mark(
        "region", tuple((r, c) for r, row in enumerate(LETTERS, 1) for c, letter in enumerate(row, 1) if letter == name)
    )
    for name in "abc"
)
BOARDS = {
    "6x8": satdoku.board(size="6x8"),
    "6x8 over 0-7": satdoku.board(size="6x8", values="0-7"),
    "6x6 over 1-9": satdoku.board(size=6, values="1-9"),
    "9x9 over 0-8": satdoku.board(size=9, values="0-8"),
    "4x4 over 0-3": satdoku.board(size=4, values="0-3"),
    "3x4 without boxes": satdoku.board(size="3x4", box="none"),
    "9x9 without boxes": satdoku.board(box="none"),
    "5x5 without boxes": satdoku.board(size=5, box="none"),
    "8x4 of 2x2 over 1-8": build(Size.of(8, 4), (Mark("boxes", value="2x2"),)),
    "6x4 in regions": build(Size.of(6, 4, range(9)), REGIONS),
}


def some(name: str) -> Puzzle:
    """Givens that need not have a solution, the least and the greatest value among them."""
    board, rng = BOARDS[name], Random(name)
    givens = {cell: rng.randint(1, board.values) for cell in rng.sample(range(board.cells), board.cells // 3)}
    return Puzzle.from_givens(board, givens | {0: 1, 1: board.values})


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("format", ["toml", "line", "grid", "f-puzzles", "f-puzzles-json"])
def test_a_text_is_read_back_with_what_it_does_not_say(format: str, name: str) -> None:
    puzzle = some(name)
    try:
        text = satdoku.write(puzzle, format, shape=False)
    except Refused as refused:
        square = puzzle.board.size.rows == puzzle.board.columns
        usual = name not in ("6x4 in regions", "8x4 of 2x2 over 1-8")
        assert (format.startswith("f-puzzles") and not square) or (format in ("line", "grid") and not usual), refused
        return
    record: dict[str, Any] = {**find(format).unstated(puzzle.board)}
    assert format != "toml" or not record
    again = satdoku.read(text, format=format, **record)
    assert (again.board, again.candidates) == (puzzle.board, puzzle.candidates)


@pytest.mark.parametrize("name", ["6x8", "6x8 over 0-7", "6x6 over 1-9", "4x4 over 0-3", "9x9 over 0-8"])
@pytest.mark.parametrize("format", ["pencilmark", "candidates"])
def test_candidates_are_read_back(format: str, name: str) -> None:
    puzzle, rng = some(name), Random(name)
    every = puzzle.board.every_value
    narrowed = [allowed & ~(1 << rng.randint(1, 4)) if allowed == every else allowed for allowed in puzzle.candidates]
    puzzle = Puzzle(puzzle.board, tuple(narrowed))
    record: dict[str, Any] = {"size": puzzle.board.size.shape, **find(format).unstated(puzzle.board)}
    again = satdoku.read(satdoku.write(puzzle, format, shape=False), format=format, **record)
    assert (again.board, again.candidates) == (puzzle.board, puzzle.candidates)


def test_letters_hold_more_than_nine_values_of_any_board() -> None:
    board = satdoku.board(size="10x12", values="0-11")
    puzzle = Puzzle.from_givens(board, {0: 1, 5: 12, 119: 10})
    text = satdoku.write(puzzle, "letters", shape=False)
    assert text.startswith("00") and len(text) == 240
    assert satdoku.read(text, format="letters", size="10x12", values="0-11") == puzzle


@pytest.mark.parametrize("text", ["0..............2", "0 . | . .\n. . | . .\n----+----\n. . | . .\n. . | . 2"])
def test_zero_beside_dots_is_decided_by_values_or_by_empty(text: str) -> None:
    with pytest.raises(FormatError, match=r"0 and \. both stand here, and 4 does not: `--values 0-3` .* `--empty 0`"):
        satdoku.read(text)
    assert satdoku.read(text, values="0-3").givens[:2] == (1, 0)
    assert satdoku.read(text, empty="0").givens[:2] == (0, 0)
    assert satdoku.read(text.replace("2", "4")).givens[0] == 0
    with pytest.raises(FormatError, match=r"0 is one of the values 0\.\.3"):
        satdoku.read(text, values="0-3", empty="0")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('size = "6x"', "size '6x': expected RxC"),
        ("size = 6\nvalues = 9", "values '9': expected the first and the last"),
        ('size = 4\nvalues = "2-1"', "values '2-1'"),
        ('size = 4\nvalues = "1-3"', "row 1: 4 cells cannot all differ with 3 values"),
        ('size = "5x7"', "a 5x7 puzzle has no boxes of equal shape; if it has none, give the box as none"),
        ('size = "6x8"\nboxes = "3x3"', "boxes of 3x3 do not tile a 6x8 grid"),
        ('size = "2x3"\nboxes = "none"\ngrid = """\n12\n31\n"""', "grid, row 1: 2 rows of 2 cells, expected 2x3"),
        ('size = "2x3"\nboxes = "none"\ngrid = """\n123\n"""', "grid has 1 row, expected 2 (size = 2x3)"),
        ('size = 4\nvalues = "0-3"\ngrid = """\n0123\n4...\n....\n....\n"""', "4 is above 3, the largest value"),
        ('size = 4\nvalues = "2-5"\ngrid = """\n1...\n....\n....\n....\n"""', "1 is below 2, the least value"),
        ('size = 4\nvalues = "0-3"\ncandidates = { r1c1 = [4] }', "candidates of r1c1: 4 is not one of 0..3"),
    ],
)
def test_a_board_that_cannot_be_is_refused_with_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        satdoku.read(text, format="toml")
    assert message in str(caught.value)


def test_a_file_of_a_size_alone_is_an_empty_board() -> None:
    for text, size, given in (("size = 6", "6x6", 0), ('size = "6x8"\nvalues = "0-8"', "6x8", 0)):
        puzzle = satdoku.read(text)
        assert (puzzle.board.size.shape, puzzle.given_count) == (size, given)


@pytest.mark.parametrize(
    ("rows", "options", "expected"),
    [
        ([[0, None, 2, 3], [None] * 4, [None] * 4, [None] * 4], {"values": "0-3"}, (1, 0, 3, 4)),
        ([[0, 9, 2, 3, 0, 0], *[[0] * 6] * 5], {"values": "1-9"}, (0, 9, 2, 3)),
        ([[1, 2, 3, 0], [0] * 4, [0] * 4], {"size": "3x4", "box": "none"}, (1, 2, 3, 0)),
        ([1, 2, 3, 0, 0, 0], {"size": "2x3", "box": "none"}, (1, 2, 3, 0)),
    ],
)
def test_rows_of_values_are_read(rows: Any, options: dict[str, Any], expected: tuple[int, ...]) -> None:
    assert satdoku.read(rows, **options).givens[:4] == expected


def test_rows_of_other_values_are_refused() -> None:
    with pytest.raises(InputError, match="row 1, column 1 is 4: expected 0 to 3, or None where it is empty"):
        satdoku.read([[4, None, None, None]] * 4, values="0-3")


class TestCommands:
    def test_a_toml_of_six_by_six_with_nine_values_is_solved(self) -> None:
        text = 'size = 6\nvalues = "1-9"\ngrid = """\n' + "9.....\n......\n......\n......\n......\n......\n" + '"""\n'
        done = run("solve", "-", input=text)
        assert (done.exit_code, done.stdout.splitlines()[0][0]) == (0, "9")

    def test_what_solve_prints_check_reads(self) -> None:
        for options in (["--size", "6x8"], ["--size", "4x4", "--values", "0-3"], ["--size", "9x9", "--box", "none"]):
            rows, columns = map(int, options[1].split("x"))
            grids = run("solve", "--limit", "2", *options, "." * (rows * columns)).stdout
            assert len(grids.split()) == 2
            assert run("check", *options, "-", input=grids).stdout.count("unique") == 2

    def test_json_has_shown_values(self) -> None:
        done = run("solve", "--json", "--size", "4x4", "--values", "0-3", "0123............")
        assert '"0123' in done.stdout

    @pytest.mark.parametrize("options", [["--size", "6x8"], ["--size", "6", "--values", "0-5"], ["--box", "none"]])
    def test_generated_puzzles_are_read_with_the_options_that_are_printed(self, options: list[str]) -> None:
        made = run("generate", "--seed", "1", "--givens", "0:60", *options, "--to", "line")
        record = made.stderr.partition("read it with ")[2].splitlines()[0].split()
        assert run("check", *record, "-", input=made.stdout).stdout.startswith("unique")

    def test_a_board_file_says_the_shape_of_the_puzzles(self, tmp_path: Any) -> None:
        board = tmp_path / "board.toml"
        board.write_text('size = 4\nvalues = "0-3"\ncage = [{ cells = "r1c1 r1c2", value = 1 }]\n')
        assert run("count", "--all", "--board", str(board), "." * 16).stdout == "48\n"


@pytest.mark.parametrize("board", [{"size": "4x4", "values": "0-3"}, {"size": "4x4", "values": "1-5"}, {"size": "4x6"}])
def test_what_is_written_is_read_as_the_same_puzzle_without_options(board: dict[str, str]) -> None:
    puzzle = Puzzle.from_givens(satdoku.board(**board), {0: 1, 3: 2})
    for name in formats():
        try:
            text = satdoku.write(puzzle, name)
        except Refused as refused:
            assert name != "toml", refused
            continue
        again = satdoku.read(text, format=name)
        assert (again.board, again.candidates) == (puzzle.board, puzzle.candidates), name


def test_the_values_are_not_lost_in_silence() -> None:
    puzzle = Puzzle.from_givens(satdoku.board(size="4x4", values="0-3"), {0: 1})
    with pytest.raises(
        Refused, match='the f-puzzles format does not say values="0-3": choose another one, such as toml'
    ):
        satdoku.write(puzzle, "f-puzzles")


@pytest.mark.parametrize("name", ["f-puzzles", "f-puzzles-json", "sudokupad"])
def test_boards_that_a_site_does_not_read_are_not_written(name: str) -> None:
    with pytest.raises(Refused, match=f"the {name} format holds boards of 4x4 to 256x256, and this one is 3x3"):
        satdoku.write(Puzzle.from_givens(build(3, ()), {0: 1}), name)
