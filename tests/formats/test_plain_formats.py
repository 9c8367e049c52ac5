"""Plain formats: what each reads, and what it says of a text at fault."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.puzzles import same

import satdoku
from satdoku import FormatError, Puzzle
from satdoku.formats import Options, detect
from satdoku.variants.summaries import describe

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


class TestOneLine:
    def test_a_killer_line_gives_cages_and_diagonals(self) -> None:
        numbers = [256 * 10 + 1] * 2 + [256 * 7 + 2] * 2 + [0] * 12
        puzzle = satdoku.read("2x2:d:k:" + "".join(f"{number}:" for number in numbers))
        assert describe(puzzle) == "4x4 with 2x2 boxes, 0 givens, diagonal+, diagonal-, 2 cages"
        assert same(satdoku.read(satdoku.write(puzzle, "killer")), puzzle)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("2x2::k:1:2:", "2 numbers: expected 16"),
            ("2x2:q:k:" + "0:" * 16, "the flag 'q' is not known"),
            ("2x2::k:" + "0:" * 15 + "x:", "'x' is not a number"),
            ("2x2::k:" + "2561:5121:" + "0:" * 14, "cage 1 has the sums 10 and 20"),
        ],
    )
    def test_a_killer_line_at_fault_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            satdoku.read(text)

    def test_a_jigsaw_line_gives_regions(self) -> None:
        regions = "1122112233443344"
        uneven = "1112122233443344"
        assert describe(satdoku.read("1" + "." * 15 + regions)) == "4x4 with 2x2 boxes, 1 given"
        assert describe(satdoku.read("1" + "." * 15 + uneven)) == "4x4 with irregular regions, 1 given"
        with pytest.raises(FormatError, match="region '1' has 5 cells, expected 4"):
            satdoku.read("." * 16 + "1112112233443344", format="jigsaw")

    def test_letters_need_an_alphabet(self) -> None:
        text = "A" + "." * 254 + "G"
        with pytest.raises(FormatError, match="the alphabet"):
            satdoku.read(text, format="letters")
        assert satdoku.read(text, alphabet="1-9A-G").givens[0] == 10
        assert satdoku.read(text, alphabet="A-P").givens[-1] == 7

    def test_two_digits_a_cell_need_none(self) -> None:
        puzzle = satdoku.read("16" + ".." * 254 + "01")
        assert (puzzle.board.values, puzzle.givens[0], puzzle.givens[-1]) == (16, 16, 1)

    def test_pencilmarks_are_candidates(self) -> None:
        puzzle = satdoku.read("12.." + "1234" * 15, format="pencilmark")
        assert puzzle.candidates[0] == 0b110
        with pytest.raises(FormatError, match="stands where 1 or a dot belongs"):
            satdoku.read("2..." + "1234" * 15, format="pencilmark")

    @pytest.mark.parametrize("text", ["1", "11", "1" * 8, "1" * 63, "1" * 1000])
    def test_pencilmarks_of_another_length_are_refused(self, text: str) -> None:
        with pytest.raises(FormatError, match=f"^{len(text)} characters, expected N\\*N\\*N"):
            satdoku.read(text, format="pencilmark")

    def test_a_file_may_mix_formats_of_one_line(self, tmp_path: Path) -> None:
        from satdoku.inputs.sources import items

        path = tmp_path / "mixed.txt"
        puzzle = satdoku.read(LINE)
        path.write_text(
            "\n".join(satdoku.write(puzzle, name) for name in ("line", "pencilmark", "f-puzzles", "jigsaw"))
        )
        found = list(items([str(path)], Options()))
        assert [item.format for item in found] == ["line", "pencilmark", "f-puzzles", "jigsaw"]
        assert all(isinstance(item.puzzle, Puzzle) and same(item.puzzle, puzzle) for item in found)


class TestBlocks:
    def test_sadman_tells_givens_from_entered_digits(self) -> None:
        text = "#A somebody\n[Puzzle]\n1...\n....\n....\n...2\n[State]\n13..\n....\n....\n...2\n[Colors]\nx\n"
        reading = detect(text, Options())
        assert reading.puzzle.givens[:2] == (1, 0)
        assert reading.notes == (
            "the section [Colors] on line 12 was left out",
            "1 entered digit left out; with `entered` they count as givens",
        )
        assert satdoku.read(text, entered=True).givens[:2] == (1, 3)

    def test_simple_sudoku_is_read_with_its_border(self) -> None:
        text = satdoku.write(satdoku.read(LINE), "ss")
        assert text.startswith("*-----------*\n|53.|.7.|...|")
        with pytest.raises(FormatError, match="80 cells once the drawing is dropped, expected 81"):
            satdoku.read(text.replace("53.|", "53|"))

    def test_sumocue_reads_regions_and_killers(self) -> None:
        regions = [row // 3 * 3 + column // 3 for row in range(9) for column in range(9)]
        killer = [f"={11 if cell == 0 else 0}J{region}" for cell, region in enumerate(regions)]
        killer[1] = "+0J0"
        puzzle = satdoku.read("SumoCueV1" + "".join(killer))
        (cage,) = [mark for mark in puzzle.board.marks if mark.kind == "cage" and mark.value]
        assert (cage.cells, cage.value) == (((1, 1), (1, 2)), 11)
        with pytest.raises(FormatError, match="80 entries"):
            satdoku.read("SumoCueV1" + "".join(killer[:80]))

    def test_two_readings_are_an_error_that_names_both(self) -> None:
        # 64 characters: an 8x8 line, or every candidate of a 4x4.
        with pytest.raises(FormatError, match=r"the format, (line or pencilmark|pencilmark or line)"):
            satdoku.read("1..." * 16)
