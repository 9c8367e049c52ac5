"""Cells a chess move apart differ."""

from __future__ import annotations

from collections.abc import Iterator

from satdoku.constraints import AllDifferent
from satdoku.puzzle import Mark, Position
from satdoku.variants import Frame, Kind, Shape, label

# Half of the moves: each pair of cells once. A king's straight moves stay in a row or column.
KNIGHT = ((1, 2), (2, 1), (1, -2), (2, -1))
KING = ((1, 1), (1, -1))


def _differ(frame: Frame, steps: tuple[Position, ...], piece: str) -> Iterator[AllDifferent]:
    for first, second in frame.pairs(steps):
        yield AllDifferent(frame.cells((first, second)), f"{piece}'s move {label(first)}-{label(second)}")


def _knight(frame: Frame, mark: Mark) -> Iterator[AllDifferent]:
    return _differ(frame, KNIGHT, "knight")


def _king(frame: Frame, mark: Mark) -> Iterator[AllDifferent]:
    return _differ(frame, KING, "king")


KINDS = (
    Kind("anti-knight", "anti-knight", Shape.RULE, "Cells a knight's move apart differ.", _knight, None, "antiknight"),
    Kind("anti-king", "anti-king", Shape.RULE, "Cells a king's move apart differ.", _king, None, "antiking"),
)
