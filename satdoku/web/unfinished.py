"""Marks that are not finished: what each lacks, how it is drawn, and how TOML keeps it, in a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import msgspec

from satdoku.errors import InputError
from satdoku.formats.marks import position
from satdoku.puzzle import Size
from satdoku.variants import kinds
from satdoku.variants.strokes import Disc, Layer, Line, Stroke, Text, middle, outlines
from satdoku.web.forms import Form, MarkForm, decoded, faults

WAITING = "#9a6700"
COMMENT = "# not finished: "  # before the mark as JSON, on a line of its own
COMMENTS = re.compile(rf"^{COMMENT}(\{{.*\}})\s*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Split:
    """A form without the marks that are not finished.

    `places` says where each of its marks stands in the whole list; `lacking` what each of the others lacks, by place.
    """

    form: Form
    places: tuple[int, ...]
    lacking: dict[int, str]


def split(form: Form) -> Split:
    """Leave out marks until the others fit the board together. Boxes that do not fit are not a mark to be left out."""
    lacking = dict(_begun(form))
    parts = _without(form, lacking)
    try:
        parts.form.puzzle()
    except InputError:
        while wrong := {
            parts.places[index]: _lack(form.marks[parts.places[index]], error)
            for index, error in faults(parts.form)
            if form.marks[parts.places[index]].kind != "boxes"
        }:
            lacking = dict(sorted({**lacking, **wrong}.items()))
            parts = _without(form, lacking)
    return parts


def _without(form: Form, lacking: dict[int, str]) -> Split:
    places = tuple(index for index in range(len(form.marks)) if index not in lacking)
    marks = [form.marks[index] for index in places]
    return Split(msgspec.structs.replace(form, marks=marks) if lacking else form, places, lacking)


def _begun(form: Form) -> Iterator[tuple[int, str]]:
    """What is being drawn; and regions as long as boxes divide the grid, which they do until regions cover it."""
    regions = {index: mark for index, mark in enumerate(form.marks) if mark.kind == "region"}
    boxed = any(mark.kind == "boxes" for mark in form.marks)
    covered, side = len({cell for mark in regions.values() for cell in mark.cells}), max(form.rows, form.columns)
    for index, mark in enumerate(form.marks):
        if mark.drawing:
            yield index, "is being drawn"
        elif mark.kind == "region" and len(mark.cells) != side and form.rows == form.columns:
            yield index, f"has {len(mark.cells)} of {side} cells"
        elif mark.kind == "region" and boxed:
            yield index, f"waits for the other regions, with {covered} of {form.rows * form.columns} cells: boxes hold"


def _lack(mark: MarkForm, error: str) -> str:
    """The error, unless what the mark lacks is its value."""
    value = kinds()[mark.kind].value if mark.kind in kinds() else None
    missing = value is not None and value.required and mark.value in (None, "")
    return f"needs a value: {value.meaning}" if value is not None and missing else error


def strokes(mark: MarkForm, size: Size) -> Iterator[Stroke]:
    """The mark as it stands, dashed, with a question mark in its middle."""
    every = []
    for line in (mark.cells, *mark.lines):
        cells = [cell for name in line if (cell := position(name)) is not None and _near(cell, size)]
        every += cells
        if line is mark.cells:
            around = outlines(set(filter(size.inside, cells)), 0.1)
            yield from (Line(points, WAITING, 0.05, closed=True, dashed=True, layer=Layer.OVER) for points in around)
        elif len(cells) > 1:
            yield Line(tuple(cells), WAITING, 0.08, dashed=True, layer=Layer.OVER)
        else:
            yield from (Disc(cell, 0.25, None, WAITING, layer=Layer.OVER) for cell in cells)
    if every:
        yield Text(middle(every), "?", 0.3, WAITING, paper=True)
    for inside in mark.marks:
        yield from strokes(inside, size)


def _near(cell: tuple[int, int], size: Size) -> bool:
    """Whether it is in the grid or in the ring around it."""
    return 0 <= cell[0] <= size.rows + 1 and 0 <= cell[1] <= size.columns + 1


def comments(parts: Split, form: Form) -> str:
    """The marks that are left out, as lines that TOML takes for comments."""
    marks = (msgspec.json.encode(form.marks[index]).decode().replace("\x7f", "\\u007f") for index in parts.lacking)
    return "".join(f"{COMMENT}{mark}\n" for mark in marks)


def commented(text: str) -> Iterator[MarkForm]:
    """The marks of such lines; a line that holds none is a comment like others."""
    for match in COMMENTS.finditer(text):
        try:
            yield decoded(match[1].encode(), MarkForm)
        except InputError:
            continue
