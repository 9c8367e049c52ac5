"""Sums with weights and comparisons, several totals, digital roots, products; sums that are alike."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf

from satdoku.constraints import AllDifferent, Automaton, Linear
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Frame, Kinds, Shape, label, needs
from satdoku.variants.drawing import ringed
from satdoku.variants.relations import automaton, cells_of, number, numbers, product
from satdoku.variants.sums import draw_little_killer

Ranges = tuple[tuple[float, float], ...]
"""First and last of each run of sums that are allowed."""

SUM = re.compile(r"(?:(-?\d+(?: -?\d+)*) ?: ?)?(=|!=|<=|>=|<|>)? ?(-?\d+(?: -?\d+)*)")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What a sum mark's value says: a weight for each cell, nothing if all are 1; a sign; what it compares with."""

    weights: tuple[int, ...]
    sign: str
    totals: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Comparison:
        """`10`, `>= 6`, `10 15 20`, `2 -1: = 0`; raises PuzzleError for anything else."""
        found = SUM.fullmatch(text)
        totals = tuple(map(int, found[3].split())) if found else ()
        if not found or (len(totals) > 1 and found[2] not in (None, "=", "!=")):
            raise PuzzleError(f"value {text!r}: expected a total, several, or one after < <= > >= or !=")
        return cls(tuple(map(int, (found[1] or "").split())), found[2] or "=", totals)

    @property
    def ranges(self) -> Ranges:
        """The sums that it allows."""
        total = self.totals[0]
        match self.sign:
            case "=":
                return tuple((total, total) for total in sorted(self.totals))
            case "<" | "<=":
                return ((-inf, total - (self.sign == "<")),)
            case ">" | ">=":
                return ((total + (self.sign == ">"), inf),)
            case _:
                ends = (-inf, *sorted(self.totals), inf)
                return tuple((low + 1, high - 1) for low, high in pairwise(ends))


KINDS = Kinds()


@KINDS.add(
    "sum",
    Shape.CELLS,
    needs("the total, several, or a comparison such as >= 6", text=True),
    aliases=("cage-with-repeats", "weighted-sum"),
)
def _sum(frame: Frame, mark: Mark) -> Iterator[Linear | Automaton]:
    """Outlined cells, which may repeat digits: they add up to the number, to one of several, or to less or more
    than it (>= 6); weights before a colon multiply the cells (2 -1: = 0)."""
    cells, name = cells_of(frame, mark, "sum")
    found = Comparison.parse(str(mark.value))
    weights = found.weights or (1,) * len(cells)
    if len(weights) != len(cells):
        raise PuzzleError(f"{len(weights)} weights for {len(cells)} cells at {label(mark.cells[0])}")
    if found.sign == "=" and len(found.totals) == 1:
        yield Linear(cells, weights, found.totals[0], name)
    else:
        yield _weighted(frame.values, cells, weights, found.ranges, name)


def _weighted(values: range, cells: tuple[int, ...], weights: tuple[int, ...], ranges: Ranges, name: str) -> Automaton:
    """The weighted sum lies in one of `ranges`. State: cells read, and the sum, 0 once any end of it is allowed."""
    ahead = [(0, 0)]
    for weight in reversed(weights):
        least, most = ahead[-1]
        ends = (weight * values[0], weight * values[-1])
        ahead.append((least + min(ends), most + max(ends)))
    ahead.reverse()

    def step(state: tuple[int, int, bool], value: int) -> tuple[int, int, bool] | None:
        index, added, decided = state
        if decided:
            return state
        added += weights[index] * value
        least, most = added + ahead[index + 1][0], added + ahead[index + 1][1]
        if any(low <= least and most <= high for low, high in ranges):
            return 0, 0, True
        reachable = any(low <= most and least <= high for low, high in ranges)
        return (index + 1, added, False) if reachable else None

    return automaton(values, cells, (0, 0, False), step, lambda state: state[2], name)


@KINDS.add("multisum-cage", Shape.CELLS, needs("the totals", several=True), aliases=("multi-sum-killer",))
def _multisum(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Automaton]:
    """Outlined cells with several numbers: they differ and add up to one of them."""
    cells, name = cells_of(frame, mark, "multisum cage")
    totals = numbers(mark, "totals, with blanks between")
    yield AllDifferent(cells, name)
    ranges = tuple((total, total) for total in totals)
    yield _weighted(frame.values, cells, (1,) * len(cells), ranges, name)


@KINDS.add(
    "digital-root", Shape.CELLS, needs("the digital root"), plural="digital root cages", aliases=("digital-root-cage",)
)
def _digital_root(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Automaton]:
    """Outlined cells: they differ, and the digital root of their sum is the number."""
    cells, name = cells_of(frame, mark, "digital root cage")
    root = number(mark)
    if not 1 <= root <= 9:
        raise PuzzleError(f"value {root}: expected a digital root from 1 to 9")
    yield AllDifferent(cells, name)

    def step(state: int, value: int) -> int:
        return (state + value - 1) % 9 + 1 if state + value else 0

    yield automaton(frame.values, cells, 0, step, lambda state: state == root, name)


@KINDS.add("product", Shape.CELLS, needs("the product"), aliases=("product-cage",))
def _product(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Outlined cells, which may repeat digits: they multiply to the number."""
    cells, name = cells_of(frame, mark, "product")
    yield product(frame.values, cells, number(mark), name)


@KINDS.add("little-killer-product", Shape.DIAGONAL, needs("the product"), draw=draw_little_killer)
def _killer_product(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Number outside the grid with an arrow: the diagonal multiplies to it."""
    name = f"little killer product {mark.value} at {label(mark.cells[0])}"
    yield product(frame.values, frame.cells(mark.lines[0]), number(mark), name)


@KINDS.add("quad-sum", Shape.CELLS, draw=ringed(), aliases=("ambiguous-arrow", "headless-arrow"))
def _quad_sum(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Ringed cells: the greatest digit is the sum of the others."""
    # The state is the greatest value and the sum: in the end the sum is twice the greatest.
    cells, name = cells_of(frame, mark, "quad sum")

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        greatest, added = max(state[0], value), state[1] + value
        return (greatest, added) if added <= 2 * frame.values[-1] else None

    yield automaton(frame.values, cells, (0, 0), step, lambda s: s[1] == 2 * s[0] or len(cells) == 1, name)


@KINDS.add("equal-sum", Shape.GROUPS, aliases=("equal-totals",))
def _equal_sum(frame: Frame, mark: Mark) -> Iterator[Linear]:
    """Groups under one letter: each adds up to the same."""
    groups = [frame.cells(group) for group in mark.lines]
    for first, second in pairwise(groups):
        weights = (1,) * len(first) + (-1,) * len(second)
        yield Linear(first + second, weights, 0, f"equal sums at {label(mark.lines[0][0])}")
