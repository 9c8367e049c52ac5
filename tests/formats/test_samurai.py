"""Samurai and twodoku as text: in every way of drawing the gaps, and what is no such picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.puzzles import same

import satdoku
from satdoku import FormatError, Puzzle, Verdict, check, read
from satdoku.formats import Options, formats
from satdoku.formats.grid import draw
from satdoku.formats.samurai import LAYOUTS, fits
from satdoku.inputs.sources import items

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
