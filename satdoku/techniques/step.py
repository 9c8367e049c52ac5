"""Techniques and the steps that they find."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from satdoku.puzzle import Board
from satdoku.techniques.grid import CandidateGrid, Placement, Strike
from satdoku.techniques.words import conclusion


class Level(IntEnum):
    """How hard a technique is, and a puzzle that needs it."""

    SINGLES = 1
    LOCKED = 2
    SUBSETS = 3
    FISH = 4
    WINGS = 5
    CHAINS = 6
    FORCING = 7
    BEYOND = 8  # no technique leads to the end


class Link(NamedTuple):
    """Between two sets of candidates, each of one value.

    strong: of the two at least one holds; else at most one
    """

    start: Strike
    end: Strike
    strong: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What follows from the candidates of a grid by one technique, and why.

    technique:    its name
    placements:   cells and their values
    eliminations: candidates that are excluded, which the grid has
    because:      why, as a clause in plain words
    pattern:      the candidates that the reason rests on
    parts:        those of them that have a part of their own, under its name: "fins", "pivot", "first colour"
    houses:       the names of houses and other constraints that the reason names
    links:        those of a chain, in order
    size:         how many links, cells or houses, of which some ratings depend
    subset:       the same of a subset that the reason takes beside; 0 without one
    """

    technique: str
    because: str
    placements: tuple[Placement, ...] = ()
    eliminations: tuple[Strike, ...] = ()
    pattern: tuple[Strike, ...] = ()
    parts: tuple[tuple[str, tuple[Strike, ...]], ...] = ()
    houses: tuple[str, ...] = ()
    links: tuple[Link, ...] = ()
    size: int = 0
    subset: int = 0

    def sentence(self, board: Board) -> str:
        """`r1c2=5 (hidden single): row 1 has no other place for 5`."""
        what = conclusion(board, self.placements, self.eliminations)
        return f"{what} ({self.technique}): {self.because}"

    def apply(self, grid: CandidateGrid) -> None:
        """Place and exclude in the grid what follows."""
        for cell, value in self.placements:
            grid.place(cell, value)
        grid.strike(self.eliminations)


StepSearch = Callable[[str, CandidateGrid], Iterator[Step]]


@dataclass(frozen=True, slots=True)
class Technique:
    """A way to find steps.

    name:     that of the field
    level:    how hard it is
    search:   from its name and a grid to its steps, the simplest first; each has some effect
    se:       Sudoku Explainer's rating of a step, the lowest if they differ; None where it has no such technique
    se_more:  what the sizes of a step add to that rating; None where nothing is added
    hodoku:   HoDoKu's score of a step; None where that program has no such technique
    statement: what it excludes or places, and why, for people
    needs_uniqueness: whether it is sound only where the puzzle is known to have one solution
    of_marks: whether it finds nothing on boards where only AllDifferents are
    limits:   on which boards it finds nothing, for people; empty if there are none
    """

    name: str
    level: Level
    search: StepSearch
    statement: str
    se: float | None = None
    hodoku: int | None = None
    needs_uniqueness: bool = False
    limits: str = ""
    of_marks: bool = False
    se_more: Callable[[Step], float] | None = None

    def explainer_rating(self, step: Step) -> float:
        """Sudoku Explainer's rating of a step of this technique, which has one."""
        assert self.se is not None
        return self.se if self.se_more is None else round(self.se + self.se_more(step), 1)

    def steps(self, grid: CandidateGrid) -> Iterator[Step]:
        """What it finds; nothing where it needs a uniqueness that is not known."""
        if self.needs_uniqueness and not grid.unique:
            return iter(())
        return self.search(self.name, grid)
