"""Colours of cells in links: the numbers of the page's own, and any other as it is stated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from satdoku.drawings import TINT, Drawing
from satdoku.errors import InputError
from satdoku.formats import fpuzzles_writer, sudokupad
from satdoku.formats.drawn import COLOUR, FAR, colour, list_of, sudokupad_tables
from satdoku.formats.marks import position
from satdoku.formats.sudokupad import data_of, fpuzzles_of, link_with
from satdoku.puzzle import Position, Size
from satdoku.variants import label

Colour = int | str  # a number from 1 on, or such as "#ff0000"
PALETTE = ("f4b6b6", "f7d3a8", "f6efa6", "c5e8b0", "b0e3dd", "b5d2f7", "d3c3f5", "f3c1e6", "d0d0d0")
"""The colours 1 to 9, as style.css has them on light paper."""
OWN: dict[Colour, str] = {number: f"#{digits}" for number, digits in enumerate(PALETTE, 1)}
NUMBERS = {shade: number for number, shade in OWN.items()}
COLOURS = "#a8a8a8 #000000 #ffa0a0 #ffdf61 #feffaf #b0ffb0 #61d060 #d0d0ff #8180f0 #ff08ff #ffd0d0"
NUMBERED = {str(number): shade for number, shade in enumerate(COLOURS.split())}
"""The colours that f-puzzles has numbers for, as SudokuPad shows them."""
ADDRESSES = {"f-puzzles": fpuzzles_writer.ADDRESS, "sudokupad": sudokupad.ADDRESS}
HOLDS = frozenset({*ADDRESSES, "f-puzzles-json"})  # the formats that have a place for colours
WHITE = "#ffffff"
MAX_OF_CELL = 20


def validate(colours: Mapping[str, list[Colour]]) -> None:
    """Raises InputError for what the page could not show."""
    for place, every in colours.items():
        unknown = [each for each in every if isinstance(each, str) and not (each and TINT.fullmatch(each))]
        if unknown or len(every) > MAX_OF_CELL:
            what = f"{len(every)} colours" if not unknown else f"the colour {str(unknown[0])[:20]!r}"
            raise InputError(f"{what} in {place[:20]}: expected a few, numbers or such as #ff0000")


def of_text(text: str) -> dict[str, list[Colour]]:
    """The colours of cells that an f-puzzles text states, or a link of SudokuPad that is written here, by cell; none of
    any other text."""
    by_cell: dict[str, list[Colour]] = {}
    for place, raw in (*_of_sudokupad(text), *_of_fpuzzles(text)):
        shade = colour(NUMBERED.get(str(raw), raw))
        every = by_cell.setdefault(label(place), []) if shade not in ("", WHITE) else []
        own = NUMBERS.get(shade, shade)
        every += [own] if own not in every and len(every) < MAX_OF_CELL else []
    return by_cell


def _of_fpuzzles(text: str) -> Iterator[tuple[Position, Any]]:
    for row, cells in enumerate(list_of((fpuzzles_of(text) or {}).get("grid")), 1):
        for column, cell in enumerate(list_of(cells), 1):
            if isinstance(cell, dict):
                yield from (((row, column), raw) for raw in list_of(cell.get("cArray")) or [cell.get("c")])


def _of_sudokupad(text: str) -> Iterator[tuple[Position, Any]]:
    for entry in list_of((data_of(text) or {}).get("underlays")):
        at = entry.get("center") if isinstance(entry, dict) and entry.get(COLOUR) else None
        if isinstance(at, list) and len(at) == 2 and all(type(part) in (int, float) and 0 <= part < FAR for part in at):
            yield (int(at[0]) + 1, int(at[1]) + 1), entry.get("backgroundColor")


def added(text: str, name: str, colours: Mapping[str, list[Colour]]) -> str:
    """A text of one of the formats of HOLDS, with colours: SudokuPad shows the first of a cell that has several, unless
    the link has data of its own."""
    own = data_of(text) if name == "sudokupad" else None
    if own is not None:
        stripes = sudokupad_tables(squares(colours, Size.of(len(own["cells"]), len(own["cells"][0])), MAX_OF_CELL))
        coloured = [entry | {COLOUR: True} for entry in stripes.get("underlays", ())]
        return link_with(own | {"underlays": coloured + own.get("underlays", [])})
    data = fpuzzles_of(text)
    assert data is not None
    for row, cells in enumerate(data["grid"], 1):
        for column, cell in enumerate(cells, 1):
            shades = [shade.upper() for shade in _shades(colours.get(label((row, column)), []))]
            if shades:
                cell |= {"c": shades[0]} if len(shades) == 1 else {"cArray": shades}
    if name not in ADDRESSES:
        return json.dumps(data, indent=1)
    return ADDRESSES[name] + fpuzzles_writer.compress(json.dumps(data, separators=(",", ":")))


def squares(colours: Mapping[str, list[Colour]], size: Size, most: int) -> tuple[Drawing, ...]:
    """The colours as drawings, at most so many of a cell, each with a stripe of it as on the page."""
    drawings = []
    for place, every in colours.items():
        cell, shades = position(place), list(_shades(every))[:most]
        for index, fill in enumerate(shades if cell and size.inside(cell) else ()):
            assert cell is not None
            wide = 1 / len(shades)
            at = cell[0], cell[1] - 0.5 + (index + 0.5) * wide
            drawings.append(Drawing(shape="rectangle", points=(at,), fill=fill, height=1, width=wide))
    return tuple(drawings)


def _shades(every: list[Colour]) -> Iterator[str]:
    """In hexadecimal digits, without numbers that the page does not have."""
    for each in every:
        shade = each if isinstance(each, str) else OWN.get(each)
        if shade is not None:
            yield shade
