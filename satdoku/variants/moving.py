"""Marks that are turned and reflected with their board."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from satdoku.puzzle import Mark, Position, Size
from satdoku.variants import REGIONS

LEFT_RIGHT, UP_DOWN = {"L": "R", "R": "L"}, {"U": "D", "D": "U"}
TRANSPOSED = {"L": "U", "U": "L", "R": "D", "D": "R"}
DIRECTED = ("rossini",)
"""Kinds whose value is the direction of an arrow."""
EXCHANGED = {"reflected": ("diagonal+", "diagonal-"), "transposed": ("row-indexer", "column-indexer")}
"""Two kinds, each of which becomes the other."""


class Move(NamedTuple):
    """Rows become columns if it is transposed; then rows are reversed if it is `flipped`, columns if `mirrored`."""

    transposed: bool = False
    flipped: bool = False
    mirrored: bool = False

    def position(self, at: Position, size: Size) -> Position:
        """Where a position goes, which may lie outside the rectangle."""
        row, column = at[::-1] if self.transposed else at
        return size.rows + 1 - row if self.flipped else row, size.columns + 1 - column if self.mirrored else column

    def mark(self, mark: Mark, size: Size) -> Mark:
        """The mark, and those inside it, as they are drawn on the moved board."""

        def at(cells: tuple[Position, ...]) -> tuple[Position, ...]:
            return tuple(self.position(cell, size) for cell in cells)

        cells = at(mark.cells)
        return replace(
            mark,
            kind=self._kind(mark.kind),
            value=self._value(mark),
            cells=tuple(sorted(cells)) if mark.kind in REGIONS else cells,  # as a grid of labels is read
            lines=tuple(map(at, mark.lines)),
            marks=tuple(self.mark(part, size) for part in mark.marks),
        )

    def _kind(self, kind: str) -> str:
        plain = kind.removeprefix("negative-")
        holds = {"reflected": self.flipped != self.mirrored, "transposed": self.transposed}
        for when, pair in EXCHANGED.items():
            if holds[when] and plain in pair:
                return kind.removesuffix(plain) + pair[1 - pair.index(plain)]
        return kind

    def _value(self, mark: Mark) -> int | str | None:
        value = mark.value
        if mark.kind == "boxes" and self.transposed:
            return "x".join(str(value).split("x")[::-1])
        if mark.kind in DIRECTED:
            turns = ((self.transposed, TRANSPOSED), (self.flipped, UP_DOWN), (self.mirrored, LEFT_RIGHT))
            for holds, letters in turns:
                value = letters.get(str(value), value) if holds else value
        return value


def moves(size: Size) -> Iterator[Move]:
    """The turns and reflections of a rectangle: eight of a square, else four; the first one moves nothing."""
    for transposed in (False, True) if size.rows == size.columns else (False,):
        for flipped, mirrored in product((False, True), repeat=2):
            yield Move(transposed, flipped, mirrored)
