"""Kinds of marks, as the page gets them."""

from __future__ import annotations

from satdoku.variants import REGIONS, Shape, kinds
from satdoku.variants.summaries import records
from satdoku.web.icons import icon
from satdoku.web.questions import Part


def kind_records() -> list[Part]:
    return [_kind(record) for record in records() if record["shape"] != Shape.BOARD.value]  # the page has one board


def _kind(record: Part) -> Part:
    """The row of a kind as `satdoku variants --json` has it, and what a tool that draws its marks needs."""
    kind, argument = kinds()[record["name"]], None
    if (value := kind.value) is not None:
        form = "choice" if value.words else "text" if value.text else "numbers" if value.several else "number"
        argument = {"form": form, "required": value.required, "default": value.default, "words": value.words}
        argument |= {"meaning": value.meaning}
    return {**record, "plural": kind.plural, "division": kind.name in REGIONS, "value": argument, "icon": icon(kind)}
