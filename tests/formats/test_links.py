"""What links hold besides digits: marks, and what is only drawn or described. No text is read as another puzzle."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

import satdoku
from satdoku import FormatError, Mark, Puzzle, Refused
from satdoku.cli import app
from satdoku.formats import Options, detect, formats
from satdoku.formats.fpuzzles_writer import compress
from satdoku.variants import build, kinds

BOXES = Mark("boxes", value="3x3")
RUNNER = CliRunner()


def marks(text: str, **options: Any) -> tuple[Mark, ...]:
    return satdoku.read(text, **options).board.marks


def scl(size: int = 4, **more: Any) -> str:
    half = size // 2
    regions = [[[r + i // half, c + i % half] for i in range(half * half)] for r in (0, half) for c in (0, half)]
    return json.dumps({"cells": [[{}] * size for _ in range(size)], "regions": regions, **more})


def maker(*constraints: dict[str, Any], **more: Any) -> str:
    data = {"formatVersion": "1.6.0", "puzzle": {"cells": [{}] * 81, "constraints": list(constraints), **more}}
    return "https://sudokumaker.app/?puzzle=" + compress(json.dumps(data)).replace("/", "-").rstrip("=")


class TestSudokuPad:
    def test_cages_say_what_they_state(self) -> None:
        pair, below = [[0, 0], [0, 1]], [[1, 0], [1, 1]]
        cages = [
            {"cells": pair, "unique": True, "sum": 5},
            {"cells": pair, "unique": True},
            {"cells": below, "sum": "4"},
            {"cells": below, "style": "extraregion"},
            {"value": "author: Somebody"},
            {"value": "rules: Normal sudoku rules apply."},
        ]
        puzzle = satdoku.read(scl(cages=cages))
        top, low = ((1, 1), (1, 2)), ((2, 1), (2, 2))
        drawn = (Mark("cage", top, value=5), Mark("cage", top), Mark("sum", low, value="4"), Mark("extra-region", low))
        assert puzzle.board.marks[1:] == drawn
        assert (puzzle.author, puzzle.not_enforced) == ("Somebody", ())

    def test_a_label_alone_is_not_a_sum(self) -> None:
        cages = [{"cells": [[0, 0], [0, 1]], "value": 12}, {"cells": [[3, 3]]}]
        assert satdoku.read(scl(cages=cages)).not_enforced == ("2 cages (12)",)
        apart = [{"cells": [[0, 0], [0, 1]], "value": "7", "unique": True}]
        assert satdoku.read(scl(cages=apart)).not_enforced == ("1 cage (7)",)

    def test_cells_that_differ_may_have_a_sum_too(self) -> None:
        cage = {"cells": [[0, 0], [1, 2]], "style": "extraregion", "sum": 3}
        assert satdoku.read(scl(cages=[cage])).board.marks[1] == Mark("cage", ((1, 1), (2, 3)), value=3)

    def test_marks_in_the_centre_of_a_cell_are_its_candidates(self) -> None:
        row = [{"centremarks": ["2", 3, "x"]}, {"pencilMarks": [4], "cornermarks": [1]}, {"centremarks": ["x"]}, {}]
        text = scl(cells=[row, *[[{}] * 4] * 3])
        assert satdoku.read(text).candidates[:4] == (0b11110,) * 4
        assert satdoku.read(text, entered=True).candidates[:4] == (0b1100, 0b11110, 0b11110, 0b11110)

    def test_rules_of_the_board(self) -> None:
        data: dict[str, Any] = {"global": ["antiknight", "antixv"], "sudokuX": True, "metadata": {"antiking": True}}
        found = {mark.kind for mark in marks(scl(**data))}
        assert found == {"boxes", "anti-knight", "negative-xv", "anti-king", "diagonal+", "diagonal-"}

    def test_a_margin_is_no_part_of_the_puzzle(self) -> None:
        cells: list[list[dict[str, int]]] = [[{}] * 6 for _ in range(6)]
        cells[1] = [{}, {"value": 3}, {}, {}, {}, {}]
        regions = [[[r + i // 2, c + i % 2] for i in range(4)] for r in (1, 3) for c in (1, 3)]
        puzzle = satdoku.read(json.dumps({"cells": cells, "regions": regions}))
        assert (puzzle.board.cells, puzzle.givens[0]) == (16, 3)
        cells[0] = [{"value": 1}, *[{}] * 5]
        with pytest.raises(FormatError, match="outside the 4x4 grid"):
            satdoku.read(json.dumps({"cells": cells, "regions": regions}))

    def test_what_would_change_the_solutions_is_refused(self) -> None:
        with pytest.raises(FormatError, match="norowcol"):
            satdoku.read(scl(metadata={"norowcol": True}))
        with pytest.raises(FormatError, match="'antimagic' is not understood"):
            satdoku.read(scl(4, **{"global": ["antimagic"]}))
        with pytest.raises(FormatError, match="r1c1 is in two regions"):
            satdoku.read(json.dumps({"cells": [[{}] * 4] * 4, "regions": [[[0, 0], [0, 1]], [[0, 0], [3, 3]]]}))

    def test_the_classic_code_has_tags(self) -> None:
        code = "scf" + "o" * 13 + "K"
        puzzle = satdoku.read(f"sudokupad.app/{code}*wx*tA%20title*aMe")
        assert {mark.kind for mark in puzzle.board.marks} == {"boxes", "windoku", "diagonal+", "diagonal-"}
        assert (puzzle.title, puzzle.author) == ("A title", "Me")
        assert puzzle.given_count == 0


class TestSudokuMaker:
    def test_constraints_by_their_types(self) -> None:
        text = maker(
            {"type": 10},
            {"type": 13, "disabled": True},
            {"type": 101, "cells": [0, 80]},
            {"type": 200, "clues": [{"value": 1, "edge": 1}], "negative": [1]},
            {"type": 202, "clues": [{"value": 10, "edge": 9}, {"value": 5, "edge": 27}]},
            {"type": 300, "slow": True, "thermometers": [[0, 1, 2]]},
            {"type": 301, "cages": [{"cells": [0, 9], "value": 12}, {"cells": [1, 2], "value": 0}]},
            {"type": 401, "lines": [[3, 4]], "minDifference": 4},
            {"type": 408, "bulbsWithArrows": []},
        )
        assert marks(text) == (
            Mark("diagonal-"),
            Mark("odd", ((1, 1),)),
            Mark("odd", ((9, 9),)),
            Mark("difference", ((1, 1), (1, 2)), value=1),
            Mark("negative-difference", value="1"),
            Mark("xv", ((1, 1), (2, 1)), value="X"),
            Mark("xv", ((2, 1), (3, 1)), value="V"),
            Mark("slow-thermometer", (), (((1, 1), (1, 2), (1, 3)),)),
            Mark("cage", ((1, 1), (2, 1)), value=12),
            Mark("cage", ((1, 2), (1, 3))),
            Mark("whispers", (), (((1, 4), (1, 5)),), 4),
        )

    @pytest.mark.parametrize(
        ("constraint", "message"),
        [
            ({"type": 408, "bulbsWithArrows": [1]}, r"constraint type 408 \(arrow\) is not understood"),
            ({"type": 77, "what": 1}, r"constraint type 77 \(unknown\)"),
            ({"type": 1000, "definition": {"name": "Mine"}}, r"a custom constraint \('Mine'\) is a program"),
            ({"type": 202, "clues": [{"value": 7, "edge": 1}]}, "has the value 7, expected 10"),
            ({"type": 200, "clues": [{"value": 1, "edge": 18}]}, "lies between no cells"),
            ({"type": 201, "negative": [3]}, "negative values"),
            ({"type": 201, "clues": [{"value": 3, "edge": 1}], "negative": [2]}, "negative values"),
            ({"type": 101, "cells": [81]}, "the cell 81, which is outside"),
            ({"type": 101, "cells": [1], "mode": 2}, "'mode', which is not understood"),
        ],
    )
    def test_others_are_refused_by_number_and_name(self, constraint: dict[str, Any], message: str) -> None:
        with pytest.raises(FormatError, match=message):
            satdoku.read(maker(constraint))

    def test_drawings_and_words_are_reported(self) -> None:
        puzzle = satdoku.read(maker({"type": 2000, "lines": [[1, 2]]}, comment="Lines sum to 10.", name="T"))
        assert (puzzle.title, puzzle.not_enforced) == ("T", ("1 drawing", "the text of the rules"))


class TestSolo:
    """A 4x4 with regions that are not boxes, and cages over its rows."""

    LABELS = "1112122233343444"

    @staticmethod
    def borders(labels: str, size: int = 4) -> str:
        rows = [labels[start : start + size] for start in range(0, size * size, size)]
        columns = ["".join(row[column] for row in rows) for column in range(size)]
        apart = [line[i] != line[i + 1] for line in rows + columns for i in range(size - 1)]
        text, run = "", 0
        for border in [*apart, True]:
            run += not border
            if border:
                text, run = text + (chr(96 + run) if run else "_"), 0
        return text

    def test_a_jigsaw_has_borders(self) -> None:
        puzzle = satdoku.read(f"4jx:3_1n,{self.borders(self.LABELS)}")
        assert puzzle.givens[:2] == (3, 1)
        drawn = [mark for mark in puzzle.board.marks if mark.kind == "region"]
        assert drawn[0].cells == ((1, 1), (1, 2), (1, 3), (2, 1))
        assert {mark.kind for mark in puzzle.board.marks} == {"region", "diagonal+", "diagonal-"}

    def test_a_killer_has_sums(self) -> None:
        puzzle = satdoku.read(f"2x2k:p,{self.borders('1122334455667788')},3a7a3a7a3a7a3a7a")
        cages = [mark for mark in puzzle.board.marks if mark.kind == "cage"]
        assert [mark.value for mark in cages] == [3, 7] * 4
        assert cages[1].cells == ((1, 3), (1, 4))


class TestIss:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            (
                ".Cage~12~R1C1~R1C2.Cage~0~r2c1~R2C2",
                (Mark("cage", ((1, 1), (1, 2)), value=12), Mark("cage", ((2, 1), (2, 2)))),
            ),
            (".Whisper~R1C1~R1C2", (Mark("whispers", (), (((1, 1), (1, 2)),), 5),)),
            (".Whisper~3~R1C1~R1C2", (Mark("whispers", (), (((1, 1), (1, 2)),), 3),)),
            (".Arrow~R1C1~R1C2~R1C3", (Mark("arrow", ((1, 1),), (((1, 2), (1, 3)),)),)),
            (".PillArrow~2~R1C2~R1C1~R1C3", (Mark("arrow", ((1, 1), (1, 2)), (((1, 3),),)),)),
            (".Diagonal~1.AntiKnight", (Mark("diagonal+"), Mark("anti-knight"))),
            (".LittleKiller~20~R1C2", (Mark("little-killer", ((0, 3),), (((1, 2), (2, 1)),), 20),)),
            (".Sandwich~0~C3", (Mark("sandwich", ((0, 3),), value=0),)),
            (".XSum~R2~7~8", (Mark("x-sum", ((2, 0),), value=7), Mark("x-sum", ((2, 10),), value=8))),
            (
                ".WhiteDot~R1C1~R1C2~R2C2",
                tuple(Mark("difference", p, value=1) for p in (((1, 1), (1, 2)), ((1, 2), (2, 2)))),
            ),
            (".Quad~R1C1~4~5", (Mark("quadruple", ((1, 1), (1, 2), (2, 1), (2, 2)), value="4 5"),)),
            (".Sum~0_=_1_-1~R1C1~R2C2", (Mark("sum", ((1, 1), (2, 2)), value="1 -1: = 0"),)),
            (".EqualSum~R1C1~R1C2~-~R5C5", (Mark("equal-sum", (), (((1, 1), (1, 2)), ((5, 5),))),)),
            (".SumLine~9~R1C1~R1C2~R2C1~LOOP", (Mark("sum-line", (), (((1, 1), (1, 2), (2, 1), (1, 1)),), 9),)),
            (".Indexing~C~R3C4", (Mark("column-indexer", ((3, 4),)),)),
        ],
    )
    def test_items(self, text: str, expected: tuple[Mark, ...]) -> None:
        assert marks(text) == (BOXES, *expected)

    def test_shapes_boxes_and_regions(self) -> None:
        assert marks(".Shape~6x6") == (Mark("boxes", value="2x3"),)
        assert marks(".Shape~6x6.NoBoxes") == ()
        assert satdoku.read(".Shape~4x4~0-3.~R1C1_0").board.size.range_text == "0-3"
        assert satdoku.read(".Shape~16x16.~RgCa_16").givens[15 * 16 + 9] == 16
        jigsaw = "1122112233443344"
        assert marks(f".Shape~4x4.NoBoxes.Jigsaw~{jigsaw}") == (Mark("boxes", value="2x2"),)
        labels = "1112122233343444"
        regions = marks(f".Shape~4x4.NoBoxes.Jigsaw~{labels}")
        assert [mark.kind for mark in regions] == ["region"] * 4
        assert [mark.kind for mark in marks(f".Shape~4x4.Jigsaw~{labels}")] == ["boxes", *["extra-region"] * 4]

    def test_candidates(self) -> None:
        assert satdoku.read(".~R1C1_5_6~R1C1_6_7").givens[0] == 6

    def test_a_link(self) -> None:
        link = "https://sigh.github.io/Interactive-Sudoku-Solver/?q=.AntiKing~.~R1C1_5&other=1"
        assert marks(link) == (BOXES, Mark("anti-king"))

    @pytest.mark.parametrize("kind", sorted(kinds()))
    def test_what_is_written_is_read_back_or_refused(self, kind: str) -> None:
        lines = {"line": (((1, 1), (2, 2), (3, 3)),), "diagonal": (((1, 2), (2, 1)),), "groups": (((1, 1),), ((2, 2),))}
        lines |= {"arrow": (((1, 2), (1, 3)),), "clone": (((5, 5),),)}
        shape = kinds()[kind].shape.value
        cells = {
            "clue": ((0, 3),),
            "diagonal": ((0, 3),),
            "cells": ((1, 1), (1, 2)),
            "line": (),
            "rule": (),
            "groups": (),
        }
        rule = kinds()[kind].value
        value: Any = (rule.words[0] if rule.words else "5" if rule.several or rule.text else 5) if rule else None
        mark = Mark(kind, cells.get(shape, ((1, 1),)), lines.get(shape, ()), value)
        try:
            puzzle = Puzzle.from_givens(build(9, (BOXES, mark)), {5: 4})
            text = satdoku.write(puzzle, "iss")
        except (Refused, satdoku.PuzzleError):
            return
        again = satdoku.read(text)
        assert again.givens == puzzle.givens
        assert set(again.board.constraints) == set(puzzle.board.constraints)


class TestNotEnforced:
    TEXT = json.dumps({"size": 4, "grid": [[{}] * 4] * 4, "line": [{"lines": [["R1C1"]]}], "ruleset": "Odd!"})

    def test_the_sentence_the_record_and_the_summary_say_it(self, tmp_path: Any) -> None:
        path = tmp_path / "p.json"
        path.write_text(self.TEXT)
        done = RUNNER.invoke(app, ["check", str(path)])
        assert "; as far as stated: 1 line and the text of the rules are not enforced\n" in done.output
        record = json.loads(RUNNER.invoke(app, ["check", "--json", str(path)]).stdout.splitlines()[0])
        assert record["not_enforced"] == ["1 line", "the text of the rules"]
        done = RUNNER.invoke(app, ["check", str(path), str(path)])
        assert "2 multiple; of 2 puzzles not all is enforced" in done.output

    def test_strict_refuses_it(self, tmp_path: Any) -> None:
        path = tmp_path / "p.json"
        path.write_text(self.TEXT)
        done = RUNNER.invoke(app, ["check", "--strict", str(path)])
        assert done.exit_code == 2
        assert "not enforced: 1 line and the text of the rules" in done.output

    def test_drawn_takes_one_word(self) -> None:
        done = RUNNER.invoke(app, ["check", "--drawn", "all", "13....3131...213"])
        assert (done.exit_code, "--drawn all: expected ignore" in done.output) == (2, True)


WRITERS = sorted(name for name, one in formats().items() if one.text_of is not None and not one.explicit_only)


@pytest.mark.parametrize("name", WRITERS)
def test_a_text_of_one_writer_is_not_read_as_another_puzzle(name: str) -> None:
    rng = Random(name)
    for size, filled in [(4, 0.3), (6, 0.2), (9, 0.3), (9, 0.0), (9, 1.0), (16, 0.3)]:
        board = satdoku.classic(*{4: (2, 2), 6: (2, 3), 9: (3, 3), 16: (4, 4)}[size])
        givens = {cell: rng.randint(1, size) for cell in range(size * size) if rng.random() < filled}
        puzzle = Puzzle.from_givens(board, givens)
        try:
            text = satdoku.write(puzzle, name)
        except Refused:
            continue
        if name in ("letters", "killer"):
            continue  # which need options, or hold no givens
        try:
            found = detect(text, Options()).puzzle
        except FormatError as error:
            assert "with different meanings" in str(error)  # as for 64 characters: 4x4x4, or 8x8
            continue
        assert found.candidates == puzzle.candidates
        assert set(found.board.constraints) == set(board.constraints)
