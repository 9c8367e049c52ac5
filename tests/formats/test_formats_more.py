"""Every format that people paste: what is written is read back, one puzzle is one puzzle in all of them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku import FormatError, InputError, Puzzle, Refused, Verdict, classic
from satdoku.formats import Options, detect, formats
from satdoku.puzzle import Mark
from satdoku.variants import REGIONS, build, describe, kinds
from satdoku.variants.boxes import Box

VARIANTS = sorted((Path(__file__).parents[2] / "puzzles" / "variants").glob("*.toml"))
LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WRITERS = sorted(name for name, one in formats().items() if one.text_of is not None)
SIZES = {"ss": (9,), "letters": (10, 12, 16), "sdm": (4, 6, 9), "sdk": (4, 6, 9), "sumocue": (9,), "jigsaw": (4, 6, 9)}
SMALL = {"pencilmark": (4, 6, 9), "candidates": (4, 6, 9)} | dict.fromkeys(("hodoku", "opensudoku", "sudokuwiki"), (9,))


def random_puzzle(size: int, rng: random.Random, filled: float = 0.4) -> Puzzle:
    box = Box.of_size(size)
    assert box is not None
    givens = {cell: rng.randint(1, size) for cell in range(size * size) if rng.random() < filled}
    return Puzzle.from_givens(classic(box.rows, box.columns), givens | {0: 1})


def same(first: Puzzle, second: Puzzle) -> bool:
    """Whether two puzzles allow the same grids, as far as rules and candidates say so."""
    return first.candidates == second.candidates and set(first.board.constraints) == set(second.board.constraints)


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "killer"])
def test_what_a_format_writes_it_reads_back(name: str) -> None:
    rng = random.Random(name)
    for size in (SIZES | SMALL).get(name, (4, 6, 9, 12, 16)):
        for _ in range(5):
            puzzle = random_puzzle(size, rng)
            text = satdoku.write(puzzle, name)
            assert same(satdoku.read(text, format=name), puzzle), text


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in ("killer", "letters")])
def test_one_puzzle_is_checked_to_one_verdict_in_every_format(name: str) -> None:
    puzzle = satdoku.read(LINE)
    text = satdoku.write(puzzle, name)
    read = satdoku.read(text, format=name if formats()[name].explicit_only else None)
    assert same(read, puzzle)
    assert satdoku.check(read).verdict is Verdict.UNIQUE


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_a_variant_survives_toml_and_f_puzzles(path: Path) -> None:
    puzzle = satdoku.read(path.read_text("utf-8"))
    assert same(satdoku.read(satdoku.write(puzzle, "toml")), puzzle)
    if path.stem not in REGIONS and kinds()[path.stem].fpuzzles is None:
        names = "|".join({path.stem, *(mark.kind for mark in puzzle.board.marks)})
        with pytest.raises(Refused, match=names):
            satdoku.write(puzzle, "f-puzzles")
        return
    for name in ("f-puzzles", "f-puzzles-json"):
        assert same(satdoku.read(satdoku.write(puzzle, name)), puzzle)


@pytest.mark.parametrize("name", ["line", "grid", "newspaper", "sdm", "sdk", "ss", "pencilmark", "letters", "jigsaw"])
def test_a_plain_format_refuses_a_rule_by_name(name: str) -> None:
    board = build(9, (Mark("boxes", value="3x3"), Mark("anti-knight")))
    with pytest.raises(Refused, match="anti-knight"):
        satdoku.write(Puzzle.from_givens(board, {}), name)


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


def document(**more: Any) -> str:
    return json.dumps({"size": 9, "grid": [[{} for _ in range(9)] for _ in range(9)], **more})


class TestFPuzzles:
    def test_entered_digits_and_marks_are_left_out_and_said(self) -> None:
        data = json.loads(document())
        data["grid"][0][0] = {"value": 5, "given": True, "givenPencilMarks": None}
        data["grid"][0][1] = {"value": 3}
        data["grid"][0][2] = {"centerPencilMarks": [1, 2]}
        data["grid"][0][3] = {"givenPencilMarks": [1, "2"]}
        reading = detect(json.dumps(data), Options())
        assert reading.puzzle.givens[:2] == (5, 0)
        assert reading.puzzle.candidates[3] == 0b110
        assert reading.notes == (
            "1 entered digit and pencil marks in 1 cell left out; with `entered` they count as givens",
        )
        entered = satdoku.read(json.dumps(data), entered=True)
        assert entered.givens[1] == 3
        assert entered.candidates[2] == 0b110

    @pytest.mark.parametrize("key", ["customrule", "battenburg"])
    def test_a_rule_that_is_not_understood_is_refused_by_name(self, key: str) -> None:
        with pytest.raises(FormatError, match=key):
            satdoku.read(document(**{key: [{"cells": ["R1C1"]}]}))
        assert not [mark for mark in satdoku.read(document(**{key: []})).board.marks if mark.kind != "boxes"]

    def test_what_other_solvers_read_from_labels(self) -> None:
        cages = [{"cells": ["R1C1", "R1C2"], "value": "DR3"}, {"cells": ["R1C1"], "value": "FOW"}]
        puzzle = satdoku.read(document(cage=cages, fogofwar=["R1C1"], negative=["foglight"]))
        assert puzzle.board.marks[1:] == (Mark("digital-root", ((1, 1), (1, 2)), value=3),)
        assert puzzle.not_enforced == ()

    def test_an_unfinished_letter_says_nothing(self) -> None:
        reading = detect(document(xv=[{"cells": ["R1C1", "R1C2"], "value": ""}]), Options())
        assert reading.notes == ("not read: xv 1, which means nothing to the site",)

    def test_a_full_grid_without_givens_is_the_solution(self) -> None:
        values = [[1, 2, 3, 4], [3, 4, 1, 2], [2, 1, 4, 3], [4, 3, 2, 1]]
        grid = [[{"value": value} for value in row] for row in values]
        puzzle = satdoku.read(json.dumps({"size": 4, "grid": grid}))
        assert (puzzle.given_count, puzzle.solution) == (0, tuple(value for row in values for value in row))

    def test_decoration_is_ignored(self) -> None:
        puzzle = satdoku.read(
            document(line=[{"lines": [["R1C1"]]}], text=[1], title="T", arrow=[{"cells": ["R1C1"], "lines": []}])
        )
        assert [mark.kind for mark in puzzle.board.marks] == ["boxes"]

    def test_negative_rules_hold_beside_an_empty_list(self) -> None:
        puzzle = satdoku.read(document(negative=["ratio"], ratio=[]))
        assert "negative-ratio" in {mark.kind for mark in puzzle.board.marks}
        with pytest.raises(FormatError, match="negative sum"):
            satdoku.read(document(negative=["sum"]))

    def test_the_line_of_a_pill_may_begin_at_its_last_cell(self) -> None:
        puzzle = satdoku.read(document(arrow=[{"cells": ["R1C1", "R1C2"], "lines": [["R1C2", "R2C3", "R3C3"]]}]))
        arrow = puzzle.board.marks[-1]
        assert (arrow.cells, arrow.lines) == (((1, 1), (1, 2)), (((2, 3), (3, 3)),))

    def test_a_little_killer_enters_the_grid_by_its_first_step(self) -> None:
        entry = {"cell": "R7C0", "cells": ["R8C1"], "direction": "DR", "value": "7"}
        mark = satdoku.read(document(littlekillersum=[entry])).board.marks[-1]
        assert (mark.lines, mark.value) == ((((8, 1), (9, 2)),), 7)

    def test_cells_without_a_region_have_their_default_box(self) -> None:
        data = json.loads(document())
        data["grid"][0][0] = {"region": 0}
        assert [mark.kind for mark in satdoku.read(json.dumps(data)).board.marks] == ["boxes"]
        for row in data["grid"][6:]:
            row[6:] = [{"region": None}] * 3
        assert "region" in {mark.kind for mark in satdoku.read(json.dumps(data)).board.marks}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("https://www.f-puzzles.com/?id=abc", "needs a network|only its site knows"),
            ("https://www.f-puzzles.com/?load=%%%", "no LZ-string data|not JSON"),
            ("{", "not JSON"),
            ('{"size": 9}', "0 rows"),
            ('{"size": 9, "grid": 5}', "expected a list"),
            (document(killercage=[{"cells": ["A1"]}]), "killercage 1 names the cell 'A1'"),
            (document(killercage=[{"cells": ["R1C1", "R1C1"]}]), "cage"),
            (document(antiknight="yes"), "antiknight is 'yes'"),
            (document(quadruple=[{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"]}]), "needs one"),
        ],
    )
    def test_what_is_no_puzzle_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            satdoku.read(text)

    JSON = st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats()
        | st.text(max_size=8)
        | st.sampled_from(["R1C1", "R2C2", "R0C3"]),
        lambda inner: (
            st.lists(inner, max_size=4)
            | st.dictionaries(
                st.sampled_from(["cells", "cell", "lines", "value", "values", "direction", "cloneCells"]), inner
            )
        ),
        max_leaves=12,
    )

    @settings(max_examples=200, derandomize=True, database=None, deadline=None)
    @given(
        st.dictionaries(
            st.sampled_from(
                [
                    "killercage",
                    "arrow",
                    "littlekillersum",
                    "clone",
                    "quadruple",
                    "xv",
                    "negative",
                    "odd",
                    "grid",
                    "size",
                ]
            ),
            JSON,
            max_size=3,
        )
    )
    def test_whatever_json_comes_only_our_errors_do(self, rules: dict[str, Any]) -> None:
        try:
            satdoku.read(document(**rules), format="f-puzzles-json")
        except InputError:
            pass

    @settings(max_examples=100, derandomize=True, database=None, deadline=None)
    @given(st.data())
    def test_a_damaged_text_gives_a_puzzle_or_our_error(self, data: st.DataObject) -> None:
        path = data.draw(st.sampled_from(VARIANTS[::9]))
        written = ["toml", "f-puzzles-json"] if kinds()[path.stem].fpuzzles else ["toml"]
        text = satdoku.write(satdoku.read(path.read_text("utf-8")), data.draw(st.sampled_from(written)))
        start = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 6))
        damaged = text[:start] + data.draw(st.text(max_size=4)) + text[start + cut :]
        try:
            satdoku.read(damaged)
        except InputError:
            pass


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=40, derandomize=True, database=None, deadline=None)
@given(data=st.data())
def test_a_mutated_text_of_any_format_gives_a_puzzle_or_our_error(name: str, data: st.DataObject) -> None:
    size = (SIZES | SMALL).get(name, (4, 9))[0]
    text = "2x2::k:" + "2561:" * 16 if name == "killer" else satdoku.write(random_puzzle(size, random.Random(1)), name)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        piece = data.draw(
            st.text(max_size=3) | st.sampled_from(["\n", "99999999999", ":", "\x00", "[Puzzle]", "=", "J"])
        )
        text = text[:start] + piece + text[start + data.draw(st.integers(0, 5)) :]
    for format in (name, None):
        try:
            assert isinstance(satdoku.read(text, format=format), Puzzle)
        except InputError:
            pass


def test_a_folder_with_one_puzzle_in_every_format_is_checked_to_one_verdict(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from satdoku.cli import app

    puzzle = satdoku.read(LINE)
    found_out = [name for name in WRITERS if not formats()[name].explicit_only and name not in ("letters", "killer")]
    for name in found_out:
        (tmp_path / name).write_text(satdoku.write(puzzle, name) + "\n", "utf-8")
    done = CliRunner().invoke(app, ["check", *map(str, sorted(tmp_path.iterdir()))])
    assert done.exit_code == 0, done.output
    assert done.output.count("\tunique") == len(found_out) > 9


def test_a_link_says_what_was_read() -> None:
    from typer.testing import CliRunner

    from satdoku.cli import app

    marks = (
        Mark("anti-knight"),
        Mark("cage", ((1, 1), (1, 2)), value=5),
        Mark("arrow", ((9, 9),), (((9, 8), (9, 7)),)),
    )
    board = build(9, (Mark("boxes", value="3x3"), *marks))
    link = satdoku.write(Puzzle.from_givens(board, {40: 5}), "f-puzzles")
    done = CliRunner().invoke(app, ["check", link])
    assert "read as f-puzzles, 9x9 with 3x3 boxes, 1 given, anti-knight, 1 cage, 1 arrow" in done.stderr


def test_every_file_of_a_variant_is_one_puzzle_on_the_command_line() -> None:
    from satdoku.inputs.sources import items

    found = list(items(map(str, VARIANTS), Options()))
    assert [item.format for item in found] == ["toml"] * len(VARIANTS)


@pytest.mark.parametrize(("rows", "said"), [(1, "1 row"), (4, "4 rows")])
@pytest.mark.parametrize("key", ["grid", "regions", "solution"])
def test_toml_says_how_many_rows_a_drawing_has_and_should_have(key: str, rows: int, said: str) -> None:
    drawing = "\n".join(["1" * 9] * rows)
    with pytest.raises(FormatError, match=rf"^{key} has {said}, expected 9 \(size = 9\)$"):
        satdoku.read(f'size = 9\n{key} = """\n{drawing}\n"""')
