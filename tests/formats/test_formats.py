"""Texts to puzzles and back: the line, grid and newspaper formats, and which of them a text is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest
from support.cli import NINE
from support.cli import TWO as FOUR
from support.puzzles import FOUR_GRID, FOUR_ROWS, NEWSPAPER

import satdoku
from satdoku import formats
from satdoku.discovery import NamedTable
from satdoku.formats import Detection, Format, Options, Reading, detect, find
from satdoku.variants.boxes import box_of

SIZED = "; another shape needs a size, such as 6x9"


def values(puzzle: satdoku.Puzzle) -> str:
    """The givens as one line, 0 where a cell is empty."""
    return ("" if puzzle.board.values <= 9 else ",").join(map(str, puzzle.givens))


def box(puzzle: satdoku.Puzzle) -> str:
    return str(box_of(puzzle.board))


def refusal(text: str, **options: Any) -> satdoku.FormatError:
    with pytest.raises(satdoku.FormatError) as caught:
        satdoku.read(text, **options)
    return caught.value


@pytest.mark.parametrize("shape", [(3, 2), (4, 2), (5, 2), (2, 8), (4, 3)])
def test_a_drawn_grid_keeps_an_unusual_box(shape: tuple[int, int]) -> None:
    puzzle = satdoku.Puzzle.from_givens(satdoku.classic(*shape), {0: 1, 7: 2})
    assert satdoku.read(satdoku.write(puzzle, "grid")) == puzzle


class TestLine:
    @pytest.mark.parametrize("empty", ".0_*xX-")
    def test_an_empty_cell_may_be_any_one_of_these(self, empty: str) -> None:
        assert satdoku.read(FOUR.replace(".", empty)) == satdoku.read(FOUR)

    @pytest.mark.parametrize("other", "_*xX-")
    def test_zeros_may_stand_beside_another_empty_character(self, other: str) -> None:
        full = FOUR.replace("2", "4")
        assert satdoku.read(full.replace(".", "0", 2).replace(".", other)) == satdoku.read(full)

    ZERO_OR_EMPTY = ". 3 | . .\n0 . | . 2\n----+----\n3 . | . .\n. . | 1 .\n"

    def test_zero_beside_another_empty_character_may_be_a_value(self) -> None:
        for text in (self.ZERO_OR_EMPTY, ".3..0..23.....1.", "_3__0__23_____1_"):
            assert "`--values 0-3` makes 0 a value" in refusal(text).message
        assert satdoku.read(self.ZERO_OR_EMPTY, alphabet="0-3").givens[:5] == (0, 4, 0, 0, 1)
        assert satdoku.read(self.ZERO_OR_EMPTY, empty="0.").givens[:5] == (0, 3, 0, 0, 0)
        assert satdoku.read(self.ZERO_OR_EMPTY.replace("1", "4")).givens[4] == 0

    @pytest.mark.parametrize("pair", ["._", ".x", "_*", "xX", "-."])
    def test_two_empty_characters_beside_each_other_are_refused(self, pair: str) -> None:
        refusal("13" + pair * 2 + "3131" + pair[0] * 3 + "213")

    @pytest.mark.parametrize(
        "text",
        [
            f"{FOUR},1324243131424213",
            f"{FOUR};a comment",
            f"{FOUR}\ta comment",
            f"{FOUR} a comment, with 81 more",
            f"  {FOUR}  ",
            f"{FOUR}\r\n",
            f"\ufeff{FOUR}",
            f"# a title\n\n{FOUR}\n# the end\n",
            f"file.txt:12\tsolved\t{FOUR}",
            f"a name with: blanks:7\tsolved\t{FOUR}\tmore",
        ],
    )
    def test_only_the_cells_of_a_line_count(self, text: str) -> None:
        assert values(satdoku.read(text)) == FOUR.replace(".", "0")

    def test_above_nine_the_cells_are_decimals_joined_by_commas(self) -> None:
        puzzle = satdoku.read("10," + ",".join(["."] * 98) + ",1")
        assert (puzzle.givens[0], puzzle.givens[-1], puzzle.board.values) == (10, 1, 10)

    @pytest.mark.parametrize(("length", "shape"), [(16, "2x2"), (36, "2x3"), (64, "2x4"), (81, "3x3"), (144, "3x4")])
    def test_the_length_alone_gives_the_squarest_box_with_fewer_rows(self, length: int, shape: str) -> None:
        assert box(satdoku.read("." * length)) == shape

    @pytest.mark.parametrize("shape", ["2x6", "6x2", "4x3"])
    def test_a_named_box_overrules_the_usual_one(self, shape: str) -> None:
        assert box(satdoku.read("." * 144, box=shape)) == shape


class TestGrid:
    @pytest.mark.parametrize(
        "text",
        [
            FOUR_ROWS,
            FOUR_ROWS + "\n",
            FOUR_ROWS.replace("\n", "\r\n"),
            FOUR_ROWS.replace(".", "0"),
            FOUR_ROWS.replace(".", "_"),
            FOUR_ROWS.replace(".", "*"),
            FOUR_ROWS.replace(".", "x"),
            FOUR_ROWS.replace(".", "-"),
            "# a title\n13..\n..31\n\n# the lower half\n31..\n.213",
            "1\t3\t.\t.\n.\t.\t3\t1\n3\t1\t.\t.\n.\t2\t1\t3",
            "13 ..\n.. 31\n\n31 ..\n.2 13",
            FOUR_GRID,
            "13|..\n..|31\n--+--\n31|..\n.2|13",
            "13|..\n..|31\n=====\n31|..\n.2|13",
            "1 3 | 0 0\n0 0 | 3 1\n- - - - -\n3 1 | 0 0\n0 2 | 1 3",
            "+---+---+\n|1 3|. .|\n|. .|3 1|\n+---+---+\n|3 1|. .|\n|. 2|1 3|\n+---+---+",
            "-----\n13|..\n..|31\n-----\n31|..\n.2|13\n-----",
            "┌───┬───┐\n│1 3│. .│\n│. .│3 1│\n├───┼───┤\n│3 1│. .│\n│. 2│1 3│\n└───┴───┘",
            "╔═══╦═══╗\n║1 3║. .║\n║. .║3 1║\n╠═══╬═══╣\n║3 1║. .║\n║. 2║1 3║\n╚═══╩═══╝",
            "┏━━┳━━┓\n┃13┃..┃\n┃..┃31┃\n┣━━╋━━┫\n┃31┃..┃\n┃.2┃13┃\n┗━━┻━━┛",
            "+-+-+-+-+\n|1|3|.|.|\n+-+-+-+-+\n|.|.|3|1|\n+-+-+-+-+\n|3|1|.|.|\n+-+-+-+-+\n|.|2|1|3|\n+-+-+-+-+",
            "1 | 3 || . | .\n. | . || 3 | 1\n==============\n3 | 1 || . | .\n. | 2 || 1 | 3",
            "1 3 | - -\n- - | 3 1\n----+----\n3 1 | - -\n- 2 | 1 3",
        ],
    )
    def test_every_way_to_draw_it_is_the_same_puzzle(self, text: str) -> None:
        assert satdoku.read(text) == satdoku.read(FOUR)

    @pytest.mark.parametrize("text", ["----\n--31\n31--\n-213", "- - - -\n- - 3 1\n3 1 - -\n- 2 1 3"])
    def test_a_row_of_dashes_is_a_row_of_empty_cells_where_the_count_needs_one(self, text: str) -> None:
        assert values(satdoku.read(text)) == "0000003131000213"

    def test_a_byte_order_mark_is_no_cell(self) -> None:
        assert satdoku.read("\ufeff" + FOUR_ROWS) == satdoku.read(FOUR)

    @pytest.mark.parametrize(
        ("row", "rule", "height", "shape"),
        [
            ("...|...", "---+---", 2, "2x3"),
            ("..|..|..", "--+--+--", 3, "3x2"),
            ("..|..|..", None, None, "3x2"),
            ("...|...", None, None, "2x3"),
            ("......", "------", 3, "3x2"),
            ("......", "------", 2, "2x3"),
            ("......", None, None, "2x3"),
            ("....|....", "----+----", 2, "2x4"),
            ("..|..|..|..", "--+--+--+--", 4, "4x2"),
            ("........", None, None, "2x4"),
        ],
    )
    def test_bars_and_rules_say_what_the_box_is(
        self, row: str, rule: str | None, height: int | None, shape: str
    ) -> None:
        size = row.count(".")
        rows = [[rule, row] if rule and height and at and at % height == 0 else [row] for at in range(size)]
        puzzle = satdoku.read("\n".join(line for lines in rows for line in lines))
        assert box(puzzle) == shape

    def test_a_named_box_overrules_the_drawn_one(self) -> None:
        drawn = "12|34|56\n" + "..|..|..\n" * 5
        assert (box(satdoku.read(drawn)), box(satdoku.read(drawn, box="2x3"))) == ("3x2", "2x3")

    def test_above_nine_the_cells_are_decimals_apart_from_each_other(self) -> None:
        puzzle = satdoku.read("10 . . . . | . . . . 9\n" + ". . . . . | . . . . .\n" * 9)
        assert (puzzle.givens[0], puzzle.givens[9], box(puzzle)) == (10, 9, "2x5")

    def test_it_is_written_aligned_with_bars_and_rules(self) -> None:
        assert satdoku.write(satdoku.read(FOUR), "grid") == FOUR_GRID
        first = satdoku.write(satdoku.Puzzle.from_givens(satdoku.classic(2, 5), {0: 10, 1: 3}), "grid").splitlines()[0]
        assert first == "10  3  .  .  . |  .  .  .  .  ."


class TestNewspaper:
    def test_the_printed_example_has_one_solution(self) -> None:
        outcome = satdoku.check(satdoku.read(NEWSPAPER, format="newspaper"), backend="backtrack")
        assert outcome.verdict is satdoku.Verdict.UNIQUE
        assert outcome.grids[0][:9] == (9, 2, 6, 5, 1, 7, 4, 8, 3)

    def test_it_is_read_only_when_named(self) -> None:
        refusal(NEWSPAPER)

    def test_tabs_and_carriage_returns_change_nothing(self) -> None:
        text = NEWSPAPER.replace("            9", "\t    9").replace("\n", "\r\n")
        assert "\t" in text
        assert satdoku.read(text, format="newspaper") == satdoku.read(NEWSPAPER, format="newspaper")

    def test_lines_are_written_to_their_full_width(self) -> None:
        lines = satdoku.write(satdoku.read(FOUR), "newspaper").split("\n")
        assert lines == ["1 3       ", "       3 1", "", "3 1       ", "  2    1 3"]

    def test_blank_margins_that_leave_two_readings_are_refused(self) -> None:
        error = refusal("1\n\n\n\n", format="newspaper", box="2x2")
        assert "blank margins leave more than one reading" in str(error)

    def test_a_digit_between_the_columns_is_refused(self) -> None:
        lines = satdoku.write(satdoku.read(FOUR), "newspaper").split("\n")
        lines[0] = " " + lines[0][:-1]
        error = refusal("\n".join(lines), format="newspaper", box="2x2")
        assert "do not stand in the rows and columns" in str(error)

    def test_shifts_of_rows_and_columns_are_not_tried_in_pairs(self) -> None:
        steps = 0

        def count(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
            nonlocal steps
            steps += event == "line"
            return count

        before = sys.gettrace()
        sys.settrace(count)  # type: ignore[arg-type]  # typeshed wants a name for each parameter
        try:
            refusal("\n".join("1" for _ in range(250)), format="newspaper", box="16x16")
        finally:
            sys.settrace(before)
        assert 1_000 < steps < 100_000  # in pairs it took 34 million

    def test_a_character_that_is_no_cell_is_named_with_its_place(self) -> None:
        text = satdoku.write(satdoku.read(NINE), "newspaper").replace("1 9 5", "1 9 q")
        error = refusal(text, format="newspaper")
        assert (error.line, error.column, error.message[:3]) == (2, 14, "'q'")


@pytest.mark.parametrize(
    ("text", "options", "line", "column", "message"),
    [
        ("", {}, None, None, "no puzzle here: the text is empty"),
        ("  \n\t", {}, None, None, "no puzzle here: the text is empty"),
        ("", {"format": "newspaper"}, None, None, "no puzzle here: the text is empty"),
        (FOUR[:-1], {}, 1, 1, "15 cells, but a puzzle has N*N: the nearest is 16 (4x4)" + SIZED),
        ("  " + FOUR + "1", {}, 1, 3, "17 cells, but a puzzle has N*N: the nearest are 16 (4x4) and 36 (6x6)" + SIZED),
        (
            "# title\n" + NINE[1:],
            {},
            2,
            1,
            "80 cells, but a puzzle has N*N: the nearest are 64 (8x8) and 81 (9x9)" + SIZED,
        ),
        ("." * 25, {}, 1, 1, "a 5x5 puzzle has no boxes of equal shape; if it has none, give the box as none"),
        ("." * 81, {"box": "2x3"}, 1, 1, "9x9 cells, but boxes of 2x3 make a 6x6 puzzle"),
        (FOUR_ROWS, {"box": "3x3"}, 1, 1, "4x4 cells, but boxes of 3x3 make a 9x9 puzzle"),
        (
            " " + FOUR.replace("213", "2q3"),
            {},
            1,
            16,
            "'q' is not a cell of a 4x4 puzzle: expected 1-4, or . or 0 where empty",
        ),
        (
            FOUR.replace("213", "2²3"),
            {},
            1,
            15,
            "'²' is not a cell of a 4x4 puzzle: expected 1-4, or . or 0 where empty",
        ),
        (FOUR.replace("213", "253"), {}, 1, 15, "5 is above 4, the largest value of a 4x4 puzzle"),
        (
            FOUR_ROWS.replace("3", "q", 1),
            {},
            1,
            2,
            "'q' is not a cell of a 4x4 puzzle: expected 1-4, or . or 0 where empty",
        ),
        (FOUR_ROWS.replace("213", "293"), {}, 4, 3, "9 is above 4, the largest value of a 4x4 puzzle"),
        (FOUR_GRID.replace("2", "9"), {}, 5, 3, "9 is above 4, the largest value of a 4x4 puzzle"),
        (
            "13..\n..31\n31.\n.213",
            {},
            3,
            1,
            "row 3 has 3 cells, and other rows have 4: expected N rows of N cells; put a dot in each empty cell",
        ),
        (FOUR_ROWS + "\n....", {}, 1, 1, "5 rows of 4 cells: expected N rows of N cells"),
        ("---\n---", {}, 1, 1, "no rows of cells here, only drawing"),
        (
            "12|3|456\n" + "..|.|...\n" * 5,
            {},
            1,
            1,
            "the bars and rules drawn do not split the grid into boxes of one shape",
        ),
        (
            "..|..|..\n..|..|..\n--+--+--\n" * 2 + "..|..|..\n..|..|..",
            {},
            1,
            1,
            "the boxes drawn have 2x2 cells, but the grid is 6x6",
        ),
        (f"{FOUR}\n{FOUR}", {"format": "line"}, 2, 1, "a second line: the line format has one line a puzzle"),
        ("10," + ",".join(["."] * 98) + ",11", {}, 1, 200, "11 is above 10, the largest value of a 10x10 puzzle"),
    ],
)
def test_a_text_at_fault_is_refused_at_its_place(
    text: str, options: dict[str, str], line: int | None, column: int | None, message: str
) -> None:
    error = refusal(text, **options)
    assert (error.message, error.line, error.column) == (message, line, column)


def test_a_puzzle_of_more_than_256_values_is_a_text_at_fault() -> None:
    refusal("." * 258**2)


@pytest.mark.parametrize("box", ["", "3", "x", "3x", "x3", "3*3", "-3x3", "²x2", "3x3x3"])
def test_a_box_is_two_numbers_with_a_cross(box: str) -> None:
    with pytest.raises(satdoku.InputError, match="expected RxC, rows x columns"):
        satdoku.read(NINE, box=box)


@pytest.mark.parametrize("box", ["1x9", "9x1", "0x0", "17x16", "999999999999x2"])
def test_a_box_has_two_to_256_cells_and_no_side_of_one(box: str) -> None:
    with pytest.raises(satdoku.PuzzleError, match="both sides are at least 2"):
        satdoku.read(NINE, box=box)


@pytest.mark.parametrize(("name", "hint"), [("lien", "did you mean line?"), ("zzz", "see `satdoku formats`")])
def test_an_unknown_format_brings_the_near_names(name: str, hint: str) -> None:
    with pytest.raises(satdoku.InputError, match="unknown format") as caught:
        satdoku.read(NINE, format=name)
    assert str(caught.value).endswith(hint)
    with pytest.raises(satdoku.InputError, match="unknown format"):
        satdoku.write(satdoku.read(NINE), name)


@pytest.mark.parametrize("format", ["grid", "line", "newspaper"])
def test_no_format_drops_what_it_cannot_hold(format: str) -> None:
    plain = satdoku.classic(2, 2)
    narrowed = satdoku.Puzzle(plain, (0b110, *[plain.every_value] * 15))
    with pytest.raises(satdoku.Refused, match="candidates of r1c1"):
        satdoku.write(narrowed, format)
    boxless = satdoku.Puzzle.from_givens(satdoku.Board(16, 4, 4, plain.constraints[:8]), {})
    if format == "newspaper":
        with pytest.raises(satdoku.Refused, match="boxes"):
            satdoku.write(boxless, format)
    else:
        assert find(format).unstated(boxless.board) == {"box": "none"}
        with pytest.raises(satdoku.Refused, match='does not say box="none": choose another one'):
            satdoku.write(boxless, format)
        assert satdoku.read(satdoku.write(boxless, format, shape=False), box="none").board == boxless.board
    caged = satdoku.Board(16, 4, 4, plain.constraints, (*plain.marks, satdoku.Mark("cage")))
    with pytest.raises(satdoku.Refused, match="'cage'"):
        satdoku.write(satdoku.Puzzle.from_givens(caged, {}), format)


def planted(name: str, givens: dict[int, int]) -> Format:
    reading = Reading(satdoku.Puzzle.from_givens(satdoku.classic(2, 2), givens), name)
    return Format(name, name, lambda *_: reading, lambda _: "", sign=Detection(lambda text: True))


def plant(monkeypatch: pytest.MonkeyPatch, *known: Format) -> None:
    table = NamedTable("format", Format, known, "satdoku.formats")
    monkeypatch.setattr(formats, "formats", lambda: table)


def test_a_text_with_two_meanings_is_refused_and_both_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, planted("one", {0: 1}), planted("other", {0: 2}))
    with pytest.raises(satdoku.FormatError, match=r"as one and as other.*the format, one or other"):
        detect("text", Options())


def test_a_text_that_two_formats_read_alike_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch, planted("one", {0: 1}), planted("other", {0: 1}))
    assert detect("text", Options()).format == "one"


def test_what_a_text_was_read_as_is_reported() -> None:
    assert [detect(text, Options()).format for text in (FOUR, FOUR_ROWS)] == ["line", "grid"]
    assert detect(NEWSPAPER, Options(format="newspaper")).format == "newspaper"
