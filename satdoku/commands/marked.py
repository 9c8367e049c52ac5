"""What `generate --marks` adds: records with marks, rules and links, and no puzzle that is equal to one before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from satdoku.batch.layouts import Layout
from satdoku.batch.questions import Answer
from satdoku.batch.sinks import ChoosingSink, Sink
from satdoku.errors import InputError, Refused
from satdoku.formats import find
from satdoku.formats.lossy import write_lossy
from satdoku.inputs.items import Batch, Item
from satdoku.puzzle import Mark, Position
from satdoku.symmetries import marked_digest
from satdoku.variants import label
from satdoku.variants.sentences import rules

if TYPE_CHECKING:
    from satdoku.generator.work import Made


def marks_record(made: Made) -> dict[str, object]:
    """What a record says of a puzzle whose marks were drawn at random."""
    assert made.necessary is not None
    try:
        link: str | None = write_lossy(find("sudokupad"), made.puzzle)[0]
    except Refused:
        link = None
    return {
        "marks": list(map(mark_record, made.marks)),
        "necessary": mark_record(made.necessary),
        "rules": " ".join(rules(made.puzzle.board.size, made.puzzle.board.marks)),
        "link": link,
    }


def mark_record(mark: Mark) -> dict[str, object]:
    """A mark as data, without the fields that it does not have."""
    fields = {
        "kind": mark.kind,
        "cells": labels(mark.cells),
        "lines": list(map(labels, mark.lines)),
        "value": mark.value,
        "marks": list(map(mark_record, mark.marks)),
    }
    return {name: value for name, value in fields.items() if value not in (None, [])}


def labels(cells: Sequence[Position]) -> list[str]:
    return [label(cell) for cell in cells]


@dataclass(frozen=True, slots=True)
class Digests(Layout):
    """The rows of a layout, each with what is the same for puzzles that are equal."""

    layout: Layout

    def one(self, item: Item, answer: Answer) -> Any:
        from satdoku.generator.work import Made

        digest = marked_digest(answer.view.puzzle) if isinstance(answer.view, Made) else None
        return digest, self.layout.one(item, answer)


class Firsts(ChoosingSink):
    """So many rows, without those of puzzles that are equal to one before."""

    def __init__(self, layout: Layout, sink: Sink, count: int) -> None:
        super().__init__(layout, sink)
        self._count = count
        self._known: set[bytes] = set()
        self.given = self.equal = 0

    @property
    def complete(self) -> bool:
        return self.given >= self._count

    def write(self, parts: Sequence[Any]) -> None:
        self.put([row for some in parts for digest, row in some if self._wanted(digest) and row is not None])

    def _wanted(self, digest: bytes | None) -> bool:
        if self.complete:
            return False
        if digest in self._known:
            self.equal += 1
            return False
        if digest is not None:
            self._known.add(digest)
        self.given += 1
        return True


def further(numbers: Iterable[int], sinks: Sequence[Firsts]) -> Iterator[Batch]:
    """These numbers, one by one, as long as puzzles are lacking that were equal to others."""
    for number in takewhile(lambda _: any(not sink.complete for sink in sinks), numbers):
        yield Batch(items=(Item(number=number, name=f"puzzle {number + 1}"),))


def refuse_others(options: Sequence[tuple[str, bool]]) -> None:
    """Raise InputError for an option that --marks does not go with."""
    for name, is_given in options:
        if is_given:
            raise InputError(f"--marks and {name}: choose one; rules of the whole board are kinds of --marks, too")
