"""What setters draw without a rule, for readers, writers and pictures: it changes no solution."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from satdoku.errors import PuzzleError
from satdoku.words import counted, plural

Point = tuple[float, float]
SHAPES = ("line", "arrow", "thermometer", "cage", "circle", "rectangle", "text")
ALONG = frozenset(SHAPES[:4])  # through or around their points; the others stand at one
MAX_DRAWINGS = 2_000  # of a puzzle
MAX_POINTS = 20_000  # of all of them
MAX_TEXT = 100  # characters of one
BULB = 2.6  # widths of a thermometer that its bulb is wide
REACH = (-16.0, 300.0)  # the rows and columns of points
MAX_SIZE = 300.0  # cells that a drawing is wide or high
TINT = re.compile(r"(#[0-9a-f]{6})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A line, shape or text that no mark stands for.

    shape:  one of SHAPES
    points: (row, column) each, and (1, 1) is the centre of r1c1: what a line, an arrow or a thermometer goes through
            from its first point, the cells of a cage, and the middle of the others
    tint:   the colour of a line, an edge or a text, such as "#ff0000"; "" draws none
    fill:   the colour inside a circle, a rectangle or a cage
    height: of a shape, or of the capitals of a text, in cells
    width:  of a shape, or of a line, in cells
    text:   what stands in it
    over:   whether it lies over the lines of the grid

    Raises PuzzleError for what cannot be drawn.

    Example:
        >>> Drawing(shape="circle", points=((1, 1.5),), fill="#ffffff", tint="#000000", height=0.3, width=0.3).over
        False
    """

    shape: str
    points: tuple[Point, ...]
    tint: str = ""
    fill: str = ""
    height: float = 0.0
    width: float = 0.0
    text: str = ""
    over: bool = False

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise PuzzleError(f"a drawing of the shape {self.shape[:40]!r}: expected one of {', '.join(SHAPES)}")
        if not self.points or (self.shape not in ALONG and len(self.points) > 1):
            raise PuzzleError(f"a {self.shape} through {len(self.points)} points")
        low, high = REACH
        if not all(low <= at <= high for point in self.points for at in point):
            raise PuzzleError(f"a {self.shape} reaches beyond every board")
        if not all(0 <= side <= MAX_SIZE for side in (self.height, self.width)):
            raise PuzzleError(f"a {self.shape} of {self.height}x{self.width} cells")
        for colour in (self.tint, self.fill):
            if not TINT.fullmatch(colour):
                raise PuzzleError(f"a {self.shape} of the colour {colour[:20]!r}: expected one such as #ff0000")
        if len(self.text) > MAX_TEXT:
            raise PuzzleError(f"a text of {len(self.text)} characters in a drawing: expected at most {MAX_TEXT}")


def drawn(fields: Iterable[Mapping[str, Any] | None]) -> tuple[tuple[Drawing, ...], int]:
    """The drawings of what a file holds, as fields, and how many others it has: those that cannot be drawn, which None
    stands for too, and those beyond what a puzzle may have."""
    kept: list[Drawing] = []
    points = others = 0
    for each in fields:
        try:
            drawing = Drawing(**each) if each is not None else None
        except PuzzleError:
            drawing = None
        fits = drawing is not None and len(kept) < MAX_DRAWINGS and points + len(drawing.points) <= MAX_POINTS
        if drawing is not None and fits:
            kept.append(drawing)
            points += len(drawing.points)
        else:
            others += 1
    return tuple(kept), others


def noted(drawings: Iterable[Drawing], others: int = 0) -> list[str]:
    """What of them is not enforced, for people: `2 lines`, `1 cage (DR3)`; and how many are not even drawn."""
    texts: dict[str, list[str]] = {shape: [] for shape in SHAPES}
    for drawing in drawings:
        texts[drawing.shape].append(" ".join(drawing.text.split()))
    said = [counted(len(each), shape, each) for shape, each in texts.items() if each]
    return [*said, *([plural(others, "other drawing")] if others else [])]
