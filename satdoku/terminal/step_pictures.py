"""Pictures of steps by techniques: candidates, those that follow or are excluded, links."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from satdoku.pictures import Picture
from satdoku.pictures.picture import FOCUS, HOUSE, REASON, Shade, cited
from satdoku.puzzle import Puzzle
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.step import Step
from satdoku.variants.drawing import PALE_RED

EXCLUDED = "#f2a0a0"
PARTS = ("#a9c9f5", "#f7cf8d", "#c9b3ea", "#9fdcc8", "#e8b7cf", "#d6d39a")  # of a pattern, in the order of its parts


def step_picture(puzzle: Puzzle, grid: CandidateGrid, step: Step, title: str, notes: tuple[str, ...]) -> Picture:
    """The candidates before a step, with what it rests on and what follows, each in a colour of the legend."""
    known = tuple(given or placed for given, placed in zip(puzzle.givens, grid.values, strict=True))
    shades = tuple(_shades(step))
    picture = Picture(
        puzzle,
        known,
        candidates=tuple(grid.left[: puzzle.board.cells]),
        shades=shades,
        links=step.links,
        cited=step.houses,
        title=title,
        notes=notes,
    )
    return replace(picture, legend=(*((shade.tint, shade.text) for shade in shades), *cited_legend(picture)))


def cited_legend(picture: Picture) -> Iterator[tuple[str, str]]:
    """The colours of the constraints that a picture names."""
    houses, others = cited(picture)
    if houses:
        yield HOUSE, "row, column or region that the reason names"
    if others:
        yield PALE_RED, "mark, or cells of a rule, that the reason names"


def _shades(step: Step) -> Iterator[Shade]:
    placed = tuple((value, 1 << cell) for cell, value in step.placements)
    if placed:
        yield Shade(FOCUS, "the value that follows", placed)
    if step.eliminations:
        yield Shade(EXCLUDED, "excluded", step.eliminations)
    for tint, (name, strikes) in zip(PARTS, step.parts, strict=False):
        yield Shade(tint, name, strikes)
    if step.pattern and not placed:
        yield Shade(REASON, "what the step rests on", step.pattern)
