"""Links of puzz.link with a Sudoku."""

from __future__ import annotations

import pytest

import satdoku
from satdoku import FormatError, Puzzle, Refused, classic

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LINK = "https://puzz.link/p?sudoku/9/9/53h7j6h195j98j6g8i6i34h8g3h17i2i6g6j28j419h5j8h79"


def test_a_link_and_back() -> None:
    assert satdoku.read(LINK) == satdoku.read(LINE)
    assert satdoku.write(satdoku.read(LINE), "puzzlink") == LINK


@pytest.mark.parametrize(
    "text",
    [
        LINK.replace("puzz.link/p", "pzv.jp/p.html"),
        LINK.replace("https://puzz.link", "pzprxs.vercel.app") + "/",
        f"<{LINK.replace('sudoku', 'sudoku_edit')}>",
    ],
)
def test_other_pages_of_the_program(text: str) -> None:
    assert satdoku.read(text) == satdoku.read(LINE)


def test_runs_numbers_and_question_marks_of_other_sizes() -> None:
    puzzle = satdoku.read("https://puzz.link/p?sudoku/16/16/-10g.z1f")
    assert {cell: value for cell, value in enumerate(puzzle.givens) if value} == {0: 16, 23: 1, 24: 15}
    small = Puzzle.from_givens(classic(2, 3), {0: 1, 35: 6})
    assert satdoku.write(small, "puzzlink") == "https://puzz.link/p?sudoku/6/6/1zt6"
    assert satdoku.read(satdoku.write(small, "puzzlink")) == small


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ("8/8/1", "a Sudoku of 8x8: expected 4x4, 6x6, 9x9, 16x16, 25x25"),
        ("9/9/zzzzz", "100 cells, expected 81"),
        ("9/9/a", r"10 is not one of 1\.\.9"),
        ("9/9/0", r"0 is not one of 1\.\.9"),
        ("9/9/-1", "'-1' is not a number or a run"),
    ],
)
def test_what_is_no_puzzle(cells: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        satdoku.read(f"https://puzz.link/p?sudoku/{cells}")


def test_what_the_page_does_not_draw_is_refused() -> None:
    with pytest.raises(Refused, match="cannot hold boxes of a board of 8x8"):
        satdoku.write(Puzzle.from_givens(classic(2, 4), {0: 1}), "puzzlink")
    with pytest.raises(FormatError, match="boxes of 3x2, but this page draws boxes of 2x3"):
        satdoku.read("https://puzz.link/p?sudoku/6/6/1", box="3x2")
    with pytest.raises(FormatError, match="another puzzle than Sudoku"):
        satdoku.read("https://puzz.link/p?nurikabe/9/9/1")
