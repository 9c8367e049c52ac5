"""Clues outside the grid: sandwiches, skyscrapers, X-sums."""

from __future__ import annotations

from collections.abc import Iterator

from satdoku.constraints import Automaton
from satdoku.puzzle import Mark
from satdoku.variants import Frame, Kind, Shape, Value, label
from satdoku.variants.relations import automaton, number


def _sandwich(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """States: (0, 0) before the first crust, (1, sum) between the crusts, (2, sum) after the second."""
    total = number(mark)
    crusts = (1, frame.size)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        crust, filling = state
        if value in crusts:
            return (crust + 1, filling) if crust < 2 else None
        filling += value if crust == 1 else 0
        return (crust, filling) if filling <= total else None

    yield automaton(
        frame.size, frame.seen_from(mark.cells[0]), (0, 0), step, lambda s: s == (2, total), _name("sandwich", mark)
    )


def _skyscraper(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """States: (highest so far, how many were seen)."""
    total = number(mark)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        highest, seen = state
        if value <= highest:
            return state
        return (value, seen + 1) if seen < total else None

    yield automaton(
        frame.size, frame.seen_from(mark.cells[0]), (0, 0), step, lambda s: s[1] == total, _name("skyscraper", mark)
    )


def _x_sum(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """States: (cells still to add, sum so far); (-1, 0) before the first cell says how many."""
    total = number(mark)

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        left, added = state
        if left == 0:
            return state
        left, added = (value if left < 0 else left) - 1, added + value
        return (left, added) if added <= total and (left or added == total) else None

    yield automaton(
        frame.size, frame.seen_from(mark.cells[0]), (-1, 0), step, lambda s: s == (0, total), _name("X-sum", mark)
    )


def _name(kind: str, mark: Mark) -> str:
    return f"{kind} {mark.value} at {label(mark.cells[0])}"


KINDS = (
    Kind(
        "sandwich",
        "sandwiches",
        Shape.CLUE,
        "The cells between 1 and N in the row or column add up to the clue.",
        _sandwich,
        Value(required=True),
        "sandwichsum",
    ),
    Kind(
        "skyscraper",
        "skyscrapers",
        Shape.CLUE,
        "As many values as the clue says exceed all before them, seen from the clue.",
        _skyscraper,
        Value(required=True),
        "skyscraper",
    ),
    Kind(
        "x-sum",
        "X-sums",
        Shape.CLUE,
        "The first X cells from the clue add up to it, where X is the first of them.",
        _x_sum,
        Value(required=True),
        "xsum",
    ),
)
