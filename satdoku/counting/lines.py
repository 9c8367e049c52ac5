"""What a band or a stack of a 9x9 board can be, up to the order of what no box tells apart, and its symmetries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numba import int64
from numpy.typing import NDArray

from satdoku.counting.clues import Clues
from satdoku.counting.partitions import IDS, Ints, line_ids, lines, relabelled
from satdoku.kernels.compiled import compiled

Generator = tuple[tuple[int, ...], tuple[int, int, int]]
"""A symmetry of the givens: where each digit goes, and which box stands where in a band."""


@dataclass(frozen=True, slots=True)
class Line:
    """The triples of partitions that the boxes of a band can have, ascending, and how many fillings have each."""

    ids: Ints  # (n, 3)   weights: (n,)
    weights: Ints

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def codes(self) -> Ints:
        """(n,) the triples as numbers, ascending."""
        return code(self.ids)


def code(ids: Ints) -> Ints:
    """(n,) from (n, 3): a number for each triple, in lexicographic order."""
    numbers: Ints = (ids[:, 0] * IDS + ids[:, 1]) * IDS + ids[:, 2]
    return numbers


def band_of(clues: Clues, band: int) -> Line:
    """What a band can be with its givens' rows."""
    codes, weights = np.unique(code(line_ids()[fits(clues, band)]), return_counts=True)
    ids = np.stack([codes // IDS**2, codes // IDS % IDS, codes % IDS], axis=1)
    return Line(ids.astype(np.int64), weights.astype(np.int64))


def fits(clues: Clues, band: int) -> NDArray[np.bool_]:
    """(94080,) the fillings of a band that its givens allow: one d in row i of a box asks for d in the i-th set."""
    allowed = np.ones(len(lines()), np.bool_)
    for box, row, digit in clues.in_band(band):
        allowed &= (lines()[:, box, row] >> digit & 1).astype(np.bool_)
    return allowed


def generators(clues: Clues) -> Iterator[Generator]:
    """Exchanges of two digits that no given has, and of two stacks without givens; they generate the symmetries."""
    for one, other in pairwise(clues.unused):
        yield exchange(one, other), (0, 1, 2)
    for first, second in pairwise(clues.empty_stacks):
        boxes = [0, 1, 2]
        boxes[first], boxes[second] = second, first
        yield tuple(range(9)), (boxes[0], boxes[1], boxes[2])


def exchange(one: int, other: int) -> tuple[int, ...]:
    """The relabelling that exchanges two digits."""
    digits = list(range(9))
    digits[one], digits[other] = other, one
    return tuple(digits)


def image(line: Line, generator: Generator) -> Ints:
    """(n,) the place in the line where each of its triples goes. Asserts that the line is symmetrical."""
    digits, boxes = generator
    codes, moved = line.codes, code(relabelled(digits)[line.ids[:, list(boxes)]])
    places = np.searchsorted(codes, moved)
    assert (codes[np.minimum(places, len(codes) - 1)] == moved).all(), "a symmetry leads out of the band"
    assert (line.weights[places] == line.weights).all(), "a symmetry changes a weight"
    return places


def orbits(line: Line, symmetries: list[Generator]) -> Ints:
    """(n,) for each triple the first one that the symmetries lead to."""
    first = np.arange(len(line))
    for symmetry in symmetries:
        _join(first, image(line, symmetry))
    return _roots(first)


@compiled
def _root(first: Ints, place: Any) -> Any:
    while first[place] != place:
        first[place] = first[first[place]]
        place = first[place]
    return place


@compiled
def _join(first: Ints, places: Ints) -> None:
    """Union of each place and its image; the smaller one leads."""
    for place in range(len(first)):
        one = _root(first, int64(place))
        other = _root(first, places[place])
        if one < other:
            first[other] = one
        else:
            first[one] = other


@compiled
def _roots(first: Ints) -> Ints:
    for place in range(len(first)):
        first[place] = _root(first, int64(place))
    return first
