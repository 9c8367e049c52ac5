"""Grids drawn with box-drawing lines: what they look like, that they are read back, when they are used."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import run
from support.puzzles import variant

from satdoku import FormatError, Puzzle, classic, read, solve
from satdoku.exports import blocked
from satdoku.formats import Options
from satdoku.formats.regions import WIDTH, boxed, labels_of
from satdoku.inputs.sources import items
from satdoku.variants.boxes import box_of

PUZZLES = Path(__file__).parents[2] / "puzzles"
TWO = """\
┌─────┬─────┐
│ 1 . │ . 4 │
│ . . │ 2 . │
├─────┼─────┤
│ . 1 │ . . │
│ 4 . │ . 2 │
└─────┴─────┘"""
JIGSAW = """\
┌───┬─────────┐
│ 1 │ 2 3   . │
│   ├─────┐   │
│ 3 │ 4 . │ 2 │
│   │     ├───┤
│ . │ 1 4 │ 3 │
│   ├─────┘   │
│ 4 │ 3 2   1 │
└───┴─────────┘"""


def drawn(puzzle: Puzzle, values: tuple[int, ...]) -> str:
    return boxed(puzzle.board.texts(values), puzzle.board.columns, labels_of(puzzle.board, "walls"))


def test_boxes_get_lines_around_them() -> None:
    assert drawn(read("1..4..2..1..4..2"), read("1..4..2..1..4..2").givens) == TWO


def test_the_lines_of_irregular_regions_are_read_and_drawn_again() -> None:
    puzzle = read(JIGSAW)
    regions = [mark.cells for mark in puzzle.board.marks]
    assert ((1, 2), (1, 3), (1, 4), (2, 4)) in regions
    assert drawn(puzzle, puzzle.givens) == JIGSAW


def test_the_same_lines_in_ascii_are_the_same_regions() -> None:
    plain = JIGSAW.translate({ord(c): "-" if c == "─" else "|" if c == "│" else "+" for c in "─│┌┐└┘├┤┬┴┼"})
    assert plain.isascii()
    assert read(plain) == read(JIGSAW)


def test_a_bar_too_few_is_refused() -> None:
    with pytest.raises(FormatError, match="do not split the grid into boxes of one shape"):
        read(JIGSAW.replace("│ 3 │ 4", "│ 3   4"))


@pytest.mark.parametrize(
    "file",
    sorted(set(PUZZLES.glob("*x*.txt")) - {PUZZLES / "9x9_newspaper.txt", PUZZLES / "36x36.txt"}),
    ids=lambda file: file.name,
)
def test_puzzles_are_read_back_within_the_width_of_a_terminal(file: Path) -> None:
    puzzle = next(items([str(file)], Options())).puzzle
    assert isinstance(puzzle, Puzzle)
    again = drawn(puzzle, puzzle.givens)
    assert read(again, name=puzzle.name) == puzzle
    assert max(map(len, again.splitlines())) <= WIDTH


@pytest.mark.parametrize("box", [(3, 2), (2, 5), (6, 6), (4, 8)], ids=str)
def test_any_box_is_read_back(box: tuple[int, int]) -> None:
    board = classic(*box)
    values = tuple((cell * 7) % (board.values + 1) for cell in range(board.cells))
    read_again = read(drawn(Puzzle.from_givens(board, values), values))
    assert (read_again.givens, box_of(read_again.board)) == (values, box_of(board))


@pytest.mark.parametrize("name", ["region", "boxes", "cage"])
def test_solutions_so_drawn_can_be_blocked(name: str) -> None:
    puzzle = variant(name)
    grid = solve(puzzle).grids[0]
    assert blocked.read(drawn(puzzle, grid) + "\n\n" + drawn(puzzle, grid), puzzle) == [grid, grid]


def on_a_terminal(*arguments: str, **environment: str) -> str:
    """What the command prints on a terminal."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from satdoku.cli import app; app()", *arguments]
    done = subprocess.run(
        command, stdout=theirs, stderr=subprocess.DEVNULL, env={**os.environ, **environment}, timeout=60, check=False
    )
    os.close(theirs)
    text = b""
    try:
        while piece := os.read(ours, 65536):
            text += piece
    except OSError:
        pass  # the terminal is gone once all of it is read
    os.close(ours)
    assert done.returncode == 0
    return text.decode("utf-8").replace("\r\n", "\n")


@pytest.mark.parametrize("command", ["solve", "check"])
def test_a_terminal_gets_lines_and_anything_else_ascii(command: str) -> None:
    puzzle = "1..4..2..1..4..2"
    assert "│ 1 2 │ 3 4 │" in on_a_terminal(command, puzzle, PYTHONIOENCODING="utf-8")
    assert "1 2 | 3 4" in run(command, puzzle).stdout


@pytest.mark.parametrize(("more", "encoding"), [(["--ascii"], "utf-8"), ([], "latin-1")])
def test_a_terminal_gets_ascii_where_it_is_asked_for_or_nothing_else_is_known(more: list[str], encoding: str) -> None:
    assert "1 2 | 3 4" in on_a_terminal("solve", *more, "1..4..2..1..4..2", PYTHONIOENCODING=encoding)
