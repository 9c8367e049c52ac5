"""What tests kinds of marks of a package of its own finds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from random import Random

import pytest
from support.amount import tries
from support.boards import NEED_BOXES, NEED_REGIONS, ON_A_GRID
from support.drawing import MarkedSquare
from support.oracles import MAKERS, ORACLES, RULES

from satdoku import Linear, Mark
from satdoku.puzzle import Position, Size
from satdoku.testing import Fault, check_kind
from satdoku.variants import REGIONS, Frame, Kind, Shape, kinds

ALONE = [kind for kind in ON_A_GRID if kind not in {*REGIONS, *RULES, *NEED_BOXES, *NEED_REGIONS}]


@pytest.mark.parametrize("kind", ALONE[:: tries(12, 1)])
def test_kinds_pass(kind: str) -> None:
    boards: list[MarkedSquare] = []

    def draw(random: Random, size: Size) -> Mark:
        boards.append(MarkedSquare(size.rows, named=size.digits))
        return MAKERS[kind](random, boards[-1], None)

    def obeys(mark: Mark, at: Mapping[Position, int]) -> bool:
        return ORACLES[kind](replace(boards[-1], marks=(mark,)), mark, dict(at))

    check_kind(kind, obeys, draw, marks=40)


def twice(mark: Mark, at: Mapping[Position, int]) -> bool:
    first, second = map(at.__getitem__, mark.cells)
    return second == 2 * first


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_a_planted_fault_is_found(factor: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def lower(frame: Frame, mark: Mark) -> Iterator[Linear]:
        yield Linear(frame.cells(mark.cells), (factor, -1), 0, "twice")

    def pair(random: Random, size: Size) -> Mark:
        row = random.randint(1, size.rows)
        return Mark(kind.name, ((row, 1), (row, 2)))

    kind = Kind(f"times {factor}", "pairs", Shape.CELLS, "The second is twice the first.", lower)
    monkeypatch.setitem(kinds(), kind.name, kind)  # so that it is left out again afterwards
    with nullcontext() if factor == 2 else pytest.raises(Fault, match="hold, and it is"):
        check_kind(kind, twice, pair)


def test_a_check_that_compares_nothing_is_a_fault() -> None:
    with pytest.raises(Fault, match="of 3 marks none was obeyed"):
        check_kind("cage", lambda mark, at: False, lambda random, size: Mark("cage", ((1, 1),), value=9), marks=3)
