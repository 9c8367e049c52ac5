"""Where pictures stand: each on a page of its own size, or several on sheets of paper, answers at the back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap

from satdoku.errors import InputError
from satdoku.pictures.picture import Picture, extent, strokes
from satdoku.variants.strokes import GREY, Area, Line, Note, Stroke, Text, square

PAPER_SIZES = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # width and height in millimetres
MARGIN, GAP = 12.0, 6.0  # around a sheet, and between the pictures on it, in millimetres
TITLE, NOTE = 0.3, 0.2  # heights of the capitals of titles and notes, in cells
MAX_HEADING = 3  # lines of a title that are drawn
MAX_ON_A_SHEET = 100


@dataclass(frozen=True, slots=True)
class PlacedStrokes:
    """Strokes on a page: the point (row, column) of the grid is `top`, `left` plus as many times `cell`, in mm."""

    strokes: tuple[Stroke, ...]
    top: float
    left: float
    cell: float


@dataclass(frozen=True, slots=True)
class Page:
    """Width and height in millimetres, and what stands on it."""

    width: float
    height: float
    placed: tuple[PlacedStrokes, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """So many rows and columns of pictures on a sheet of `paper`, a name in PAPER_SIZES."""

    rows: int
    columns: int
    paper: str = "a4"

    @classmethod
    def parse(cls, text: str, paper: str = "a4") -> Sheet:
        """`2x3` is 2 rows of 3; raises InputError for any other text."""
        match = re.fullmatch(r"([1-9]\d?)[xX]([1-9]\d?)", text)
        if match is None or int(match[1]) * int(match[2]) > MAX_ON_A_SHEET:
            raise InputError(f"sheet {text}: expected ROWSxCOLUMNS, such as 2x3, at most {MAX_ON_A_SHEET} on a page")
        if paper not in PAPER_SIZES:
            raise InputError(f"paper {paper}: expected {' or '.join(PAPER_SIZES)}")
        return cls(int(match[1]), int(match[2]), paper)


def alone(picture: Picture, cell: float | None = None) -> Page:
    """A page that fits the picture; `cell` is the side of a cell in mm, None for what its digits need."""
    parts = _complete(picture)
    top, left, bottom, right = _with_edge(parts)
    cell = usual_cell(picture) if cell is None else cell
    placed = PlacedStrokes(parts, -top * cell, -left * cell, cell)
    return Page((right - left) * cell, (bottom - top) * cell, (placed,))


def usual_cell(picture: Picture) -> float:
    small = picture.candidates is not None or picture.heat is not None
    return max(9.0, 2.6 * picture.puzzle.board.values**0.5) if small else 9.0


def sheets(pictures: Sequence[Picture], sheet: Sheet) -> Iterator[Page]:
    width, height = sorted(PAPER_SIZES[sheet.paper], reverse=sheet.columns > sheet.rows)
    wide, high = (width - 2 * MARGIN + GAP) / sheet.columns, (height - 2 * MARGIN + GAP) / sheet.rows
    places = [(row, column) for row in range(sheet.rows) for column in range(sheet.columns)]
    for start in range(0, len(pictures), len(places)):
        pairs = zip(pictures[start:], places, strict=False)
        sizes = ((picture, MARGIN + row * high, MARGIN + column * wide) for picture, (row, column) in pairs)
        yield Page(width, height, tuple(_fitted(*each, wide - GAP, high - GAP) for each in sizes))


def paged(
    pictures: Sequence[Picture], answers: Sequence[Picture] = (), sheet: Sheet | None = None, cell: float | None = None
) -> list[Page]:
    """The pictures on their pages, then the answers, twice as dense; without a sheet each on a page of its own."""
    if sheet is None:
        return [alone(picture, cell) for picture in (*pictures, *answers)]
    dense = replace(sheet, rows=2 * sheet.rows, columns=2 * sheet.columns)
    return [*sheets(pictures, sheet), *sheets(answers, dense)]


def _fitted(picture: Picture, top: float, left: float, wide: float, high: float) -> PlacedStrokes:
    parts = _complete(picture)
    first, begin, last, end = _with_edge(parts)
    cell = min(wide / (end - begin), high / (last - first), 1.5 * usual_cell(picture))
    spare = wide - (end - begin) * cell
    return PlacedStrokes(parts, top - first * cell, left + spare / 2 - begin * cell, cell)


def _with_edge(parts: tuple[Stroke, ...]) -> tuple[float, float, float, float]:
    top, left, bottom, right = extent(parts)
    return top - 0.25, left - 0.25, bottom + 0.25, right + 0.25


def _complete(picture: Picture) -> tuple[Stroke, ...]:
    parts = tuple(strokes(picture))
    drawn = tuple(part for part in parts if not isinstance(part, Note))
    top, left, bottom, right = extent(drawn)
    heading = wrap(picture.title, max(12, int((right - left) / (0.9 * TITLE))))
    if len(heading) > MAX_HEADING:
        heading[MAX_HEADING - 1 :] = [f"{heading[MAX_HEADING - 1]} ..."]
    texts: list[Stroke] = [
        Text((top - 0.25 - TITLE / 2 - 1.6 * TITLE * line, left), words, TITLE, anchor="start", bold=True)
        for line, words in enumerate(reversed(heading))
    ]
    line = bottom + 0.45
    for part in parts:
        if isinstance(part, Note):
            aside = 0.0 if part.tint is None else 2.2 * NOTE
            if part.tint is not None:
                corners = square((line, left + 0.7 * NOTE), 0.7 * NOTE)
                texts += [Area(corners, part.tint), Line(corners, GREY, 0.02, closed=True)]
            for words in wrap(part.text, max(12, int((right - left - aside) / (0.85 * NOTE)))):
                texts.append(Text((line, left + aside), words, NOTE, anchor="start"))
                line += 1.9 * NOTE
            line += 0.4 * NOTE
    return drawn + tuple(texts)
