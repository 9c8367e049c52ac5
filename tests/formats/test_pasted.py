"""Texts as people paste them: each of many spellings is the one puzzle, and what cannot be read says why."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.pasted import DIGITS, GRID, LINE, ROWS, SOLUTION, SPELLINGS, ZIPPED, deflated, penpa, solo, wiki

import satdoku
from satdoku import FormatError, Puzzle, Refused
from satdoku.formats import Options, detect
from satdoku.formats.fpuzzles_writer import compress
from satdoku.inputs.sources import items


@pytest.mark.parametrize("name", SPELLINGS)
def test_each_spelling_is_the_one_puzzle(name: str) -> None:
    reading = detect(SPELLINGS[name], Options())
    expected = satdoku.read(LINE)
    assert reading.puzzle.candidates == expected.candidates
    assert set(reading.puzzle.board.constraints) == set(expected.board.constraints)
    assert reading.puzzle.solution in (None, tuple(map(int, SOLUTION)))


@pytest.mark.parametrize("name", SPELLINGS)
def test_each_spelling_is_one_puzzle_in_a_file(name: str, tmp_path: Path) -> None:
    path = tmp_path / "pasted"
    path.write_text(SPELLINGS[name] + "\n", "utf-8")
    (item,) = items([str(path)], Options())
    assert isinstance(item.puzzle, Puzzle), item.puzzle
    assert item.puzzle.candidates == satdoku.read(LINE).candidates


def test_a_wrapped_link_is_one_link() -> None:
    link = satdoku.write(satdoku.read(LINE), "sudokupad")
    assert satdoku.read("\n".join(link[start : start + 60] for start in range(0, len(link), 60))) == satdoku.read(LINE)


def test_what_is_left_out_is_reported() -> None:
    assert detect(SPELLINGS["fence"], Options()).notes == ()
    assert detect(SPELLINGS["prose"], Options()).notes == ("left out 2 lines of text: 'This one is hard.'",)
    assert "entered" in " ".join(detect(SPELLINGS["hodoku"], Options()).notes)
    read = satdoku.read(SPELLINGS["hodoku"], entered=True)
    assert read.givens == (4, *satdoku.read(LINE).givens[1:])


def test_a_candidate_that_nobody_has_found_yet_is_not_given() -> None:
    """The text of a solver that has removed candidates: a lone one that its neighbours still have is not placed."""
    rule, rest = ".------.-----.", "234 1234 | 1234 1234"
    rows = ["1 2 | 23 34", "234 234 | 1234 1234", rest, rest]
    puzzle = satdoku.read("\n".join([rule, *(f"| {row} |" for row in rows), rule]))
    assert puzzle.givens == (1, *[0] * 15)


@pytest.mark.parametrize("text", [f"Anti-knight: see below.\n{GRID}", f"The diagonals count too.\n```\n{GRID}\n```\n"])
def test_rules_that_are_written_around_a_grid_are_not_enforced_and_reported(text: str) -> None:
    assert satdoku.read(text).not_enforced == ("the text around the grid",)
    assert satdoku.read(SPELLINGS["prose"]).not_enforced == ()


class TestSeveral:
    @pytest.mark.parametrize(
        ("between", "line"), [("\n\n", 12), ("\nGrid 02\n", 12), ("\n--\n", 11), ("\n# a comment\n", 12)]
    )
    def test_grids_with_something_between_them_are_puzzles_of_their_own(
        self, between: str, line: int, tmp_path: Path
    ) -> None:
        path = tmp_path / "grids"
        path.write_text(f"Grid 01\n{GRID}{between}{GRID}\n")
        found = list(items([str(path)], Options()))
        assert [item.name for item in found] == [f"{path}:2", f"{path}:{line}"]
        for item in found:
            assert isinstance(item.puzzle, Puzzle)
            assert item.puzzle.candidates == satdoku.read(LINE).candidates

    def test_bands_with_blank_lines_are_one_puzzle(self, tmp_path: Path) -> None:
        path = tmp_path / "grid"
        path.write_text("\n\n".join("\n".join(ROWS[start : start + 3]) for start in (0, 3, 6)))
        (item,) = items([str(path)], Options())
        assert isinstance(item.puzzle, Puzzle)

    def test_a_later_state_is_not_another_puzzle(self, tmp_path: Path) -> None:
        path = tmp_path / "grid"
        path.write_text(f"{GRID}\n\n" + "\n".join(SOLUTION[start : start + 9] for start in range(0, 81, 9)))
        (item,) = items([str(path)], Options())
        assert "2 grids of 9x9 here" in str(item.puzzle)

    def test_games_of_a_file_are_puzzles_of_their_own(self, tmp_path: Path) -> None:
        path = tmp_path / "games"
        path.write_text(f'<opensudoku>\n<game data="{DIGITS}" />\n<game data="{SOLUTION}"/>\n</opensudoku>\n')
        first, second = items([str(path)], Options())
        assert (first.name, second.name) == (f"{path}:2", f"{path}:3")
        assert isinstance(second.puzzle, Puzzle)
        assert second.puzzle.given_count == 81


class TestRefused:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("sudokupad.app/588su8gaub", "'588su8gaub' names a puzzle that only the server of the site knows"),
            ("https://sudokupad.app/?id=abc", "the link names a puzzle that only the server of the site knows"),
            ("https://www.f-puzzles.com/?id=abcd", "only its site knows"),
            ("https://sudokupad.app/scl" + compress(ZIPPED)[:300], "may have been cut"),
            ("https://sudokupad.app/scf55", "2 cells behind scf, expected 81"),
            ("https://sudokupad.app/scf5NlQ19j9mGca3OIN1bWGk2m41TjS79*q", "the tag 'q' behind scf"),
            (ZIPPED.replace("lines:[]", "lines:[{}],o:[{},{}]"), "draws 3 other drawings, whose rules are only"),
            (ZIPPED.replace("lines:[]", "magic:[1]"), "'magic', which is not understood"),
            (penpa(",z3:[[28,29]]"), "draws 1 arrow"),
            (penpa(margins="[1,0,0,0]"), r"draws 4 texts \(2, 6, 7, 1\), whose"),
            ("https://sudokumaker.app/?puzzle=N4Ig", "may have been cut"),
            ("3x3#1234", "is a random seed, not a puzzle"),
            ("3x3:" + solo()[4:-1], "80 cells|cells, expected 81"),
            ("https://www.sudokuwiki.org/killer.htm?bd=" + LINE, "the page 'killer.htm' has rules"),
            ("https://www.sudokuwiki.org/sudoku.htm?bd=K" + wiki()[1:], "another kind of puzzle"),
            ('<!DOCTYPE x [<!ENTITY a "b">]><opensudoku/>', "XML or HTML"),
            ('<opensudoku><game data="version: 9\n1|2|" /></opensudoku>', "version 9 of its data is not known"),
            (".Vane~abc~R1C1", "the constraint 'Vane' is not understood"),
            (".Cage~12~R1C1~R0C1", "'R0C1' is not a cell of the 9x9 grid"),
            ("[[1,2],[3,4,5]]", "lists of 2 and 3 values"),
            ("[[1,2],[3,4]", "brackets that do not close"),
            (f"{LINE} {'A' * 70}", "81 cells and 70 characters on one line"),
        ],
    )
    def test_the_message_says_what_and_why(self, text: str, message: str) -> None:
        with pytest.raises(FormatError, match=message):
            detect(text, Options())

    def test_drawings_are_ignored_when_that_is_asked_for_and_reported(self) -> None:
        text = ZIPPED.replace("lines:[]", "lines:[{}]")
        puzzle = satdoku.read(text, drawn="ignore")
        assert puzzle.not_enforced == ("1 other drawing", "the text of the rules")
        assert puzzle.givens == satdoku.read(LINE).givens
        with pytest.raises(Refused, match="not enforced: 1 other drawing and the text of the rules"):
            satdoku.read(text, drawn="ignore", strict=True)

    def test_a_bomb_is_refused(self) -> None:
        bomb = deflated("square," + "1" * 5_000_000)
        with pytest.raises(FormatError, match="unpacks to more than 4000000 bytes"):
            detect(f"https://swaroopg92.github.io/penpa-edit/#m=edit&p={bomb}", Options())
