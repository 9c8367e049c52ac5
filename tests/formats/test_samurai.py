"""Samurai and twodoku as text: in every way of drawing the gaps, and what is no such picture."""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64encode
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from support.puzzles import same

import satdoku
from satdoku import FormatError, Puzzle, Verdict, check, read
from satdoku.formats import Options, formats
from satdoku.formats.grid import draw
from satdoku.formats.samurai import LAYOUTS, fits
from satdoku.inputs.sources import items
from satdoku.puzzle import Mark

TEXT = (Path(__file__).parents[2] / "puzzles" / "samurai.toml").read_text()
SAMURAI = read(TEXT)
SPACED = draw(SAMURAI.board, SAMURAI.givens)
TIGHT = "\n".join(line.ljust(41)[::2].rstrip() for line in SPACED.splitlines())
FORMS = {
    "blanks between cells": SPACED,
    "no blanks between": TIGHT,
    "blank cells": TIGHT.replace(".", " "),
    "blank cells, blanks between": SPACED.replace(".", " "),
    "zeros": TIGHT.replace(".", "0"),
    "no gaps": SPACED.replace(" ", ""),
    "a sign in the gaps": "\n".join(line.ljust(21).replace(" ", "x") for line in TIGHT.splitlines()),
    "another sign": "\n".join(line.ljust(21).replace(" ", "#") for line in TIGHT.splitlines()),
    "lines between boxes": str(SAMURAI),
    "words around": f"Samurai of Sunday\n\n{TIGHT}\n\nby nobody",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_samurai_in_every_way_of_drawing_it(form: str) -> None:
    assert read(FORMS[form]) == SAMURAI


def test_it_is_the_puzzle_of_its_file_and_one_puzzle_of_a_file(tmp_path: Path) -> None:
    assert check(SAMURAI).verdict is Verdict.UNIQUE
    assert (SAMURAI.board.cells, SAMURAI.given_count) == (369, 98)
    path = tmp_path / "samurai.txt"
    path.write_text(TIGHT + "\n")
    (item,) = items([str(path)], Options())
    assert isinstance(item.puzzle, Puzzle)
    assert same(item.puzzle, SAMURAI)


@pytest.mark.parametrize("corners", LAYOUTS[1:], ids=("falling", "rising"))
def test_twodoku(corners: tuple[tuple[int, int], ...]) -> None:
    boards = "".join(f'[[board]]\nat = "r{row}c{column}"\nsize = 9\n' for row, column in corners)
    made = next(iter(satdoku.generate(read(boards), count=1, seed=1))).puzzle
    spaced = draw(made.board, made.givens)
    assert same(read(spaced), made)
    assert same(read("\n".join(line.ljust(29)[::2] for line in spaced.splitlines())), made)
    assert same(read(str(made)), made)
    assert same(read(satdoku.write(made, "samurai")), made)


def test_only_a_samurai_is_written_as_one() -> None:
    assert read(satdoku.write(SAMURAI, "samurai")) == SAMURAI
    other = "\n\n".join(f'[[board]]\nat = "r{row}c{column}"\nsize = 9' for row, column in LAYOUTS[0][:3])
    named = TEXT.replace("[[board]]", '[[board]]\nname = "A"', 1)
    for text, reason in (
        (other, "holds five boards of 9x9"),
        (named, "holds five boards of 9x9"),
        (f'rules = ["anti-king"]\n{TEXT}', "cannot hold the rule 'anti-king'"),
        ("." * 81, "cannot hold the rule 'boxes'"),
    ):
        with pytest.raises(satdoku.Refused, match=f"the samurai format {reason}"):
            satdoku.write(read(text), "samurai")


@pytest.mark.parametrize(
    "text",
    [
        TIGHT.replace("\n", "\n\n", 3).rpartition("\n")[0],  # 20 lines
        TIGHT.replace("6", "a"),
        "\n".join(line.ljust(21).replace(" ", ".") for line in TIGHT.splitlines()),  # any 21x21 grid
        "\n".join(line.ljust(21).replace(" ", "7") for line in TIGHT.splitlines()),
        ("." * 21 + "\n") * 21,
        ("." * 15 + "\n") * 15,
        "",
    ],
)
def test_what_is_no_samurai(text: str) -> None:
    assert not fits(text)
    with pytest.raises(FormatError, match="no samurai: expected 21 lines"):
        formats()["samurai"].reading(text, Options())


def test_what_does_not_agree_is_named() -> None:
    with pytest.raises(FormatError, match="asked for another"):
        read(TIGHT, size="9x9")


def pad(puzzle: Puzzle, lines: int = 10**6) -> str:
    """What SudokuPad holds of a puzzle of several 9x9 boards, with a margin and so many of its rows and columns."""
    size = puzzle.board.size
    cells: list[list[dict[str, int]]] = [[{} for _ in range(size.columns + 1)] for _ in range(size.rows + 1)]
    for cell, value in enumerate(puzzle.givens):
        row, column = size.position(cell)
        cells[row][column] = {"value": value} if value else {}
    corners = [mark.cells[0] for mark in puzzle.board.marks if mark.kind == "board"]
    boxes = {(top + 3 * down, left + 3 * right) for top, left in corners for down in range(3) for right in range(3)}
    groups = [[[top + n, left + k] for k in range(9)] for top, left in corners for n in range(9)]
    groups += [[[top + k, left + n] for k in range(9)] for top, left in corners for n in range(9)]
    return json.dumps(
        {
            "cells": cells,
            "regions": [[[top + k // 3, left + k % 3] for k in range(9)] for top, left in sorted(boxes)],
            "cages": [{"cells": group, "type": "rowcol", "hidden": True} for group in groups[:lines]],
            "metadata": {"norowcol": True, "title": "Samurai"},
        }
    )


def test_a_samurai_of_sudokupad_has_its_rows_and_columns_as_cages() -> None:
    assert same(read(pad(SAMURAI)), replace(SAMURAI, title="Samurai"))
    more = json.loads(pad(SAMURAI))
    more["cages"].append({"cells": [[1, 1], [1, 2]], "unique": True, "sum": 13})
    assert read(json.dumps(more)).board.marks[-1] == Mark("cage", ((1, 1), (1, 2)), value=13)
    for wrong in (pad(SAMURAI, 89), pad(SAMURAI, 0)):
        with pytest.raises(FormatError, match="norowcol says that rows and columns may repeat digits"):
            read(wrong)


TWO = '[[board]]\nat = "r1c1"\nsize = 4\n[[board]]\nat = "r3c3"\nsize = 4\n'
JIGSAW = '[[board]]\nsize = 4\nregions = """\nAAAB\nACBB\nCCBD\nCDDD\n"""\n'
HELD = (
    TEXT,
    'title = "Two"\nauthor = "Me"\nruleset = "A cage."\ncage = [{ cells = "r3c3 r3c4 r3c5", value = 7 }]\n' + TWO,
    'extra-region = ["r1c1 r2c2"]\nsum = [{ cells = "r3c3 r3c4", value = "7" }]\n' + TWO,
    TWO.replace("size = 4", "size = 16", 1).replace("r3c3", "r16c16"),
    JIGSAW + "[[board]]\nsize = 6\n",
)
SQUARE = "several boards that are square, have the values 1..N and reach r1c1"
NOT_HELD = {
    "candidates = { r3c3 = [1, 2] }\n" + TWO: "the candidates of this puzzle of several boards",
    TWO + 'rules = ["diagonal+"]\n': "the rule 'diagonal+' of one of several boards",
    'rules = ["anti-knight"]\n' + TWO: "the rule 'anti-knight' over several boards",
    TWO.replace("r1c1", "r2c2").replace("r3c3", "r4c4"): SQUARE,
    TWO + 'values = "0-3"\n': SQUARE,
    TWO + 'boxes = "none"\n': "these boards: cage",
    'sum = [{ cells = "r3c3 r3c4", value = ">6" }]\n' + TWO: "these boards: cage 17 has the value '>6'",
}


@pytest.mark.parametrize("text", HELD)
def test_several_boards_are_written_as_a_link_of_sudokupad(text: str) -> None:
    puzzle = read(text)
    link = satdoku.write(puzzle, "sudokupad")
    again = read(link)
    assert link.startswith("https://sudokupad.app/scl")
    assert (again.board, again.candidates) == (puzzle.board, puzzle.candidates)
    assert (again.title, again.author, again.rules) == (puzzle.title, puzzle.author, puzzle.rules)
    (made,) = satdoku.generate(read(TWO).board, seed=1)
    stated = replace(made.puzzle, solution=made.solution)
    assert read(satdoku.write(stated, "sudokupad")).solution == made.solution


@pytest.mark.parametrize(("text", "reason"), NOT_HELD.items())
def test_what_a_link_of_several_boards_cannot_hold_is_named(text: str, reason: str) -> None:
    with pytest.raises(satdoku.Refused, match=f"the sudokupad format (cannot hold|holds) {re.escape(reason)}"):
        satdoku.write(read(text), "sudokupad")


def penpa(puzzle: Puzzle, missing: int = 0) -> str:
    """A link of Penpa+ with the cells of a picture, but for some, their digits and the lines around 3x3 boxes."""
    size, wide = puzzle.board.size, puzzle.board.columns + 4
    keys = {place: (place[0] + 1) * wide + place[1] + 1 for place in size.positions}
    numbers = {str(keys[size.position(cell)]): [str(v), 1, "1"] for cell, v in enumerate(puzzle.givens) if v}
    edges = {}
    for (row, column), key in keys.items():
        corner = (size.rows + 4) * wide + key  # below and to the right of the cell
        if column % 3 == 0:
            edges[f"{corner - wide},{corner}"] = 2
        if row % 3 == 0:
            edges[f"{corner - 1},{corner}"] = 2
    every = list(keys.values())[missing:]
    steps = [every[0], *(after - before for before, after in pairwise(every))]
    head = f"square,{size.columns},{size.rows},38,0,1,1,800,800,300,300,0,0,0,0,Title: Samurai,Author: ,,,OFF,false"
    lines = [head, "[0,0,0,0]", "{}", json.dumps({"number": numbers, "lineE": edges}), "{}", json.dumps(steps)]
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress("\n".join(lines).encode()) + packer.flush()
    return "https://swaroopg92.github.io/penpa-edit/#m=edit&p=" + b64encode(packed).decode()


def test_a_samurai_of_penpa_has_the_cells_of_its_boards() -> None:
    assert same(read(penpa(SAMURAI)), replace(SAMURAI, title="Samurai"))
    with pytest.raises(FormatError, match="some cells of the grid are cut out"):
        read(penpa(SAMURAI, 1))
