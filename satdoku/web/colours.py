"""Colours of cells in links: the page has nine, and f-puzzles writes any; the nearest of the nine stands for each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from satdoku.drawings import Drawing
from satdoku.formats import fpuzzles_writer, sudokupad
from satdoku.formats.marks import position
from satdoku.formats.sudokupad import fpuzzles_of
from satdoku.puzzle import Size
from satdoku.variants import label

PALETTE = ("f4b6b6", "f7d3a8", "f6efa6", "c5e8b0", "b0e3dd", "b5d2f7", "d3c3f5", "f3c1e6", "d0d0d0")
"""The colours 1 to 9, as style.css has them on light paper."""
COLOURS = "#a8a8a8 #000000 #ffa0a0 #ffdf61 #feffaf #b0ffb0 #61d060 #d0d0ff #8180f0 #ff08ff #ffd0d0"
NUMBERED = {str(number): colour for number, colour in enumerate(COLOURS.split())}
"""The colours that f-puzzles has numbers for, as SudokuPad shows them."""
HEX = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6})[0-9a-f]{0,2}", re.IGNORECASE)
ADDRESSES = {"f-puzzles": fpuzzles_writer.ADDRESS, "sudokupad": sudokupad.ADDRESS}
HOLDS = frozenset({*ADDRESSES, "f-puzzles-json"})  # the formats that have a place for colours
SQUARES = frozenset({"penpa"})  # those that draw colours


def of_text(text: str) -> dict[str, list[int]]:
    """The colours of cells that an f-puzzles text states, by cell; none of any other text."""
    data = fpuzzles_of(text) or {}
    found: dict[str, list[int]] = {}
    for row, cells in enumerate(_list(data.get("grid")), 1):
        for column, cell in enumerate(_list(cells), 1):
            if isinstance(cell, dict) and (numbers := sorted(set(_of_cell(cell)))):
                found[label((row, column))] = numbers
    return found


def added(text: str, name: str, colours: Mapping[str, list[int]]) -> str:
    """A text of one of the formats of HOLDS, with colours: SudokuPad shows the first of a cell that has several."""
    data = fpuzzles_of(text)
    assert data is not None
    for row, cells in enumerate(data["grid"], 1):
        for column, cell in enumerate(cells, 1):
            numbers = [number for number in colours.get(label((row, column)), []) if 1 <= number <= len(PALETTE)]
            shades = [f"#{PALETTE[number - 1].upper()}" for number in numbers]
            if shades:
                cell |= {"c": shades[0]} if len(shades) == 1 else {"cArray": shades}
    if name not in ADDRESSES:
        return json.dumps(data, indent=1)
    return ADDRESSES[name] + fpuzzles_writer.compress(json.dumps(data, separators=(",", ":")))


def squares(colours: Mapping[str, list[int]], size: Size) -> tuple[Drawing, ...]:
    """The colours as drawings; the first of a cell that has several."""
    found = []
    for place, numbers in colours.items():
        cell, known = position(place), [number for number in numbers if 1 <= number <= len(PALETTE)]
        if cell and known and size.inside(cell):
            fill = f"#{PALETTE[known[0] - 1]}"
            found.append(Drawing(shape="rectangle", points=(cell,), fill=fill, height=1, width=1))
    return tuple(found)


def _of_cell(cell: Mapping[str, Any]) -> Iterator[int]:
    """The numbers of the nearest colours; white is none."""
    stated = _list(cell.get("cArray")) or [cell.get("c")]
    for each in stated:
        match = HEX.fullmatch(NUMBERED.get(str(each), str(each)))
        if match is None or match[1].lower() in ("fff", "ffffff"):
            continue
        digits = match[1] if len(match[1]) == 6 else "".join(digit * 2 for digit in match[1])
        yield min(range(1, len(PALETTE) + 1), key=lambda number: _distance(digits, PALETTE[number - 1]))


def _distance(one: str, other: str) -> float:
    """How far apart two colours are, by hue first: the page's are pale."""
    return sum((a - b) ** 2 for a, b in zip(_hue(one), _hue(other), strict=True))


def _hue(digits: str) -> tuple[float, ...]:
    """How far each of red, green and blue is from their mean, in parts of the largest distance; zeros are a grey."""
    parts = [int(digits[at : at + 2], 16) for at in (0, 2, 4)]
    mean = sum(parts) / 3
    largest = max(abs(part - mean) for part in parts)
    return tuple((part - mean) / largest if largest > 8 else 0.0 for part in parts)


def _list(raw: object) -> list[Any]:
    return raw if isinstance(raw, list) else []
