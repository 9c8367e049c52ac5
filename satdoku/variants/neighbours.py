"""Dots and letters between neighbours, and the rules that hold where none is drawn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from satdoku.constraints import Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Draw, Frame, Kind, Shape, Value, label
from satdoku.variants.relations import Relation, number, pair
from satdoku.variants.strokes import INK, PAPER, Disc, Layer, Stroke, Text, middle

NEXT = ((0, 1), (1, 0))
SUMS = {"V": 5, "X": 10}
DOTS = frozenset({"difference", "ratio"})


@cache
def _differs_by(distance: int) -> Relation:
    return lambda a, b: abs(a - b) == distance


@cache
def _in_ratio(factor: int) -> Relation:
    return lambda a, b: a == factor * b or b == factor * a


@cache
def _adds_up(total: int) -> Relation:
    return lambda a, b: a + b == total


def _consecutive_not(a: int, b: int) -> bool:
    return abs(a - b) != 1


@cache
def _none_of(relations: tuple[Relation, ...]) -> Relation:
    return lambda a, b: not any(relation(a, b) for relation in relations)


def _difference(frame: Frame, mark: Mark) -> Iterator[Table]:
    yield _drawn(frame, mark, _differs_by(number(mark, 1)), f"difference {number(mark, 1)}")


def _ratio(frame: Frame, mark: Mark) -> Iterator[Table]:
    yield _drawn(frame, mark, _in_ratio(number(mark, 2)), f"ratio {number(mark, 2)}")


def _xv(frame: Frame, mark: Mark) -> Iterator[Table]:
    word = str(mark.value).upper()
    if word not in SUMS:
        raise PuzzleError(f"{mark.value!r} at {label(mark.cells[0])}: expected X or V")
    yield _drawn(frame, mark, _adds_up(SUMS[word]), word)


def _drawn(frame: Frame, mark: Mark, relation: Relation, name: str) -> Table:
    if len(mark.cells) != 2:
        raise PuzzleError(f"{len(mark.cells)} cells at {label(mark.cells[0])}: expected two")
    first, second = mark.cells
    return pair(frame.size, frame.cells(mark.cells), relation, f"{name} {label(first)}-{label(second)}")


def _nonconsecutive(frame: Frame, mark: Mark) -> Iterator[Table]:
    return _elsewhere(frame, DOTS, _consecutive_not, "nonconsecutive")


def _no_ratio(frame: Frame, mark: Mark) -> Iterator[Table]:
    # Every ratio that is drawn somewhere is what its absence denies; 2 where none is.
    factors = sorted({number(other, 2) for other in frame.marks if other.kind == "ratio"} or {2})
    return _elsewhere(frame, DOTS, _none_of(tuple(map(_in_ratio, factors))), "no ratio")


def _no_xv(frame: Frame, mark: Mark) -> Iterator[Table]:
    return _elsewhere(frame, frozenset({"xv"}), _none_of(tuple(map(_adds_up, SUMS.values()))), "no X or V")


def _elsewhere(frame: Frame, exempt: frozenset[str], relation: Relation, name: str) -> Iterator[Table]:
    """The relation between all neighbours that no mark of the kinds in `exempt` joins."""
    joined: set[frozenset[Position]] = {frozenset(mark.cells) for mark in frame.marks if mark.kind in exempt}
    for first, second in frame.pairs(NEXT):
        if frozenset((first, second)) not in joined:
            yield pair(frame.size, frame.cells((first, second)), relation, f"{name} {label(first)}-{label(second)}")


def _dot(fill: str, usual: int) -> Draw:
    """A dot between two cells, with its value where it is not the usual one."""

    def draw(frame: Frame, mark: Mark) -> Iterator[Stroke]:
        yield Disc(middle(mark.cells), 0.16, fill, INK, Layer.OVER)
        if number(mark, usual) != usual:
            yield Text(middle(mark.cells), str(mark.value), 0.16, INK if fill == PAPER else PAPER)

    return draw


def _letter(frame: Frame, mark: Mark) -> Iterator[Stroke]:
    yield Text(middle(mark.cells), str(mark.value).upper(), 0.22, paper=True, bold=True)


KINDS = (
    Kind(
        "difference",
        "differences",
        Shape.CELLS,
        "Two cells differ by exactly the value, 1 if it has none.",
        _difference,
        Value(default=1),
        "difference",
        _dot(PAPER, 1),
    ),
    Kind(
        "ratio",
        "ratios",
        Shape.CELLS,
        "One of two cells is the value times the other, 2 if it has none.",
        _ratio,
        Value(default=2),
        "ratio",
        _dot(INK, 2),
    ),
    Kind(
        "xv",
        "XVs",
        Shape.CELLS,
        "Two cells add up to 10 (X) or 5 (V).",
        _xv,
        Value(required=True, words=("X", "V")),
        "xv",
        _letter,
    ),
    Kind(
        "nonconsecutive",
        "nonconsecutive",
        Shape.RULE,
        "Neighbours that no dot joins do not differ by 1.",
        _nonconsecutive,
        fpuzzles="nonconsecutive",
    ),
    Kind(
        "negative-ratio",
        "negative ratio",
        Shape.RULE,
        "Neighbours that no dot joins are in none of the ratios drawn (2 if none is).",
        _no_ratio,
        fpuzzles="negative ratio",
    ),
    Kind(
        "negative-xv",
        "negative XV",
        Shape.RULE,
        "Neighbours that no X or V joins add up to neither 10 nor 5.",
        _no_xv,
        fpuzzles="negative xv",
    ),
)
