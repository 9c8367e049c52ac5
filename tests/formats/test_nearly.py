"""Texts that are nearly of a format, and those that Penpa+, SumoCue and makers of killers write."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.pasted import GRID, LINE, ROWS, VALUES, deflated, pencilled, wiki

import satdoku
from satdoku import FormatError, Puzzle, Refused
from satdoku.formats import Options, detect
from satdoku.puzzle import Mark, Size
from satdoku.variants import build
from satdoku.variants.boxes import classic

JIGSAW = "." * 81 + "".join(str(cell // 9 + 1) for cell in range(81))


@pytest.mark.parametrize(
    ("text", "format", "message", "line", "column"),
    [
        (JIGSAW + "1", "jigsaw", "region '1' has 10 cells, expected 9", None, None),
        (("123456789" * 81)[:-1], "pencilmark", "728 characters, expected N\\*N\\*N of them", None, None),
        (f":0000:x:{LINE[:-1]}:214 216::", "hodoku", "80 cells in the third field", 1, 1),
        (f":0000:x:{LINE[:40]}q{LINE[41:]}:214 216::", "hodoku", "'q' is not a cell", 1, 49),
        (wiki()[:-2], "sudokuwiki", "expected 81 cells, or S9B and two characters for each", None, None),
        ("SumoCueV2=0J0", "sumocue", "'SumoCueV2' is not an entry", None, None),
        (f"[Puzle]\n{GRID}", "sdk", "no rows of cells under \\[Puzzle\\]", None, None),
        ('sise = 9\ngrid = """', "toml", 'not TOML: the """ here is never closed', 2, 8),
        ("sise = 9\n", "toml", "'sise' is not a key of this format: did you mean size", 1, None),
        ("3x3:5_3b7q~", "solo", "'~' is not a number or a run of empty cells", None, None),
        (pencilled()[:-30], "pm", "8 cells in this of 9 rows: expected N rows of N", 10, None),
        ("0" * 30 + "A<<" + "0" * 47, "killer", "or 81 sums and arrows", 1, 1),
    ],
)
def test_the_nearest_format_and_the_place_are_named(
    text: str, format: str, message: str, line: int | None, column: int | None
) -> None:
    with pytest.raises(FormatError, match=message) as found:
        detect(text, Options())
    recognized = format in ("toml",) and "is not a key" not in message
    assert recognized or f"(the nearest format is {format})" in found.value.message
    assert (found.value.line, found.value.column)[: 2 if line else 0] == (line, column)[: 2 if line else 0]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("/".join(ROWS[:8]), "8 rows of 9 cells on one line: expected N rows of N", 1),
        ("\n".join(",".join(row) for row in [*ROWS[:8], ROWS[8][:-1]]), "8 fields on this line, and 9 on others", 9),
        (str(VALUES)[:-1], "brackets that do not close", None),
    ],
)
def test_rows_that_differ_are_named(text: str, message: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=message) as found:
        detect(text, Options())
    assert found.value.line == line or line is None


@pytest.mark.parametrize("line", ["1", "[x]", "--", "1 2"])
def test_a_drawing_of_too_many_lines_is_refused_at_the_first_that_is_too_many(line: str) -> None:
    with pytest.raises(FormatError, match="over 1,024 lines: expected N rows") as found:
        detect(f"{line}\n" * 1_025, Options())
    assert found.value.line == 1_025


def test_a_slip_in_toml_does_not_make_it_a_grid_without_its_rules() -> None:
    text = f'[[thermo]]\nline = "r1c1-r1c5"\ngrid = """\n{GRID}\n'
    with pytest.raises(FormatError, match="not TOML"):
        detect(text, Options())


@pytest.mark.parametrize("text", ["2", "}"])
def test_a_jigsaw_of_no_cells_is_refused(text: str) -> None:
    with pytest.raises(FormatError, match="0 cells, but a puzzle has N"):
        detect(text, Options(format="jigsaw"))


def test_a_message_is_one_line_whatever_it_quotes() -> None:
    with pytest.raises(FormatError, match=r"R1C7_1\\n\\n2C2 has the value '1\\n\\n2C2'"):
        detect(".~R1C1_8~R1C7_1\n\n2C2", Options())


class TestPenpa:
    def test_a_title_as_the_editor_writes_it(self) -> None:
        """It writes z as zZ, and in rules a comma as %2C, a new line as %2D, & as %2E and = as %2F."""
        link = satdoku.write(replace(satdoku.read(LINE), title="zZ, z9", rules="a & b = c,\nd"), "penpa")
        found = satdoku.read(link)
        assert (found.title, found.rules) == ("zZ, z9", "a & b = c,\nd")
        head = "square,4,4,38,0,1,1,1,1,1,1,0,0,0,0,Title: PuzZzZle,Author: ,,Sum %2F 5%2C%2Dand more"
        steps = [18, *([1] * 3 + [5]) * 3, *[1] * 3]
        lines = [head, "[0,0,0,0]", "{}", '{zN:{"18":["1",1,"1"]}}', "{}", str(steps)]
        packed = deflated("\n".join(lines))
        found = satdoku.read(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={packed}", box="2x2")
        assert (found.title, found.rules, found.given_count) == ("Puzzle", "Sum = 5,\nand more", 1)

    @pytest.mark.parametrize(
        ("name", "text"), [("title", " a"), ("author", "a\nb"), ("rules", "100%2C"), ("title", "a%2Cb")]
    )
    def test_a_text_that_it_cannot_hold_is_refused(self, name: str, text: str) -> None:
        with pytest.raises(Refused, match=f"cannot hold the {name}"):
            satdoku.write(replace(satdoku.read(LINE), **{name: text}), "penpa")  # type: ignore[arg-type]

    def test_regions_that_are_not_connected_are_refused(self) -> None:
        labels = [number // 4 for number in range(16)]
        labels[0], labels[15] = labels[15], labels[0]
        text = (
            "size = 4\nregions = '''\n"
            + "\n".join("".join(map(str, labels[i : i + 4])) for i in (0, 4, 8, 12))
            + "'''\n"
        )
        with pytest.raises(Refused, match="connected regions that cover the grid"):
            satdoku.write(satdoku.read(text), "penpa")


class TestKillers:
    def test_arrows_lead_to_the_sum_of_their_cage(self) -> None:
        """`j` is 45; a lone 0 is in no cage, and a cage may go round corners."""
        rows = ["B<" + "0" * 7, "^`" + "0" * 7, *["0" * 9] * 6, "j" + "<" * 8]
        found = {mark.cells: mark.value for mark in satdoku.read("".join(rows)).board.marks if mark.kind == "cage"}
        assert found == {((1, 1), (1, 2), (2, 1), (2, 2)): 11, tuple((9, column) for column in range(1, 10)): 45}

    @pytest.mark.parametrize(
        ("text", "message", "column"),
        [("><" + "0" * 79, "leads round in a circle", 2), ("^" + "0" * 80, "leads out of the grid", 1)],
    )
    def test_an_arrow_that_leads_nowhere_is_named(self, text: str, message: str, column: int) -> None:
        with pytest.raises(FormatError, match=message) as found:
            satdoku.read(text)
        assert (found.value.line, found.value.column) == (1, column)

    def test_a_cage_of_solo_without_a_sum_still_repeats_nothing(self) -> None:
        """Borders: all but those between the first two cells; a sum in no cell."""
        borders = "a" + "_" * 11 + "_" * 12
        puzzle = satdoku.read(f"2x2k:p,{borders},p")
        assert [(mark.cells, mark.value) for mark in puzzle.board.marks if mark.kind == "cage"] == [
            (((1, 1), (1, 2)), None)
        ]

    def test_sumocue_with_diagonals(self) -> None:
        board = build(Size.of(9), (Mark("boxes", value="3x3"), Mark("diagonal+"), Mark("diagonal-")))
        puzzle = Puzzle.from_givens(board, {})
        text = satdoku.write(puzzle, "sumocue")
        assert text.startswith("SumoCueV1D=0J0")
        assert satdoku.read(text).board == board
        one = Puzzle.from_givens(build(Size.of(9), (Mark("boxes", value="3x3"), Mark("diagonal+"))), {})
        with pytest.raises(Refused, match="both diagonals or none"):
            satdoku.write(one, "sumocue")
        assert "D" not in satdoku.write(Puzzle.from_givens(classic(3, 3), {}), "sumocue").removeprefix("SumoCueV1")
