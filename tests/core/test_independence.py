"""The referee shares nothing with what searches: a fault there shows here, and no search asks `holds`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.engines import SLOW, installed

import satdoku
from satdoku import AllDifferent, Automaton, Board, Budget, Grid, Linear, Puzzle, Table, WrongAnswer, classic
from satdoku import testing as kit
from satdoku.backends import engines, find, native
from satdoku.encoders import houses
from satdoku.encoders.cnf import encodings
from satdoku.referee import accept, faulty, violations

FOUR = classic(2, 2)
NINE = classic(3, 3)

SEARCHERS = ("encoders", "backends", "kernels")


def forget(patch: pytest.MonkeyPatch) -> None:
    """Let the code by which encoders and kernels read AllDifferents leave out six boxes."""
    left = tuple(rule for rule in NINE.all_different if rule.name not in [f"box {number}" for number in range(4, 10)])
    patch.setattr(Board, "all_different", property(lambda board: left))
    houses.cells_by_width.cache_clear()


@pytest.fixture
def fresh() -> Iterator[None]:
    """Nothing worked out under a planted fault outlives the test."""
    houses.cells_by_width.cache_clear()
    yield
    houses.cells_by_width.cache_clear()


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("encoding", sorted(encodings()))
def test_boxes_that_every_encoder_forgets_are_not_forgotten_by_the_referee(
    monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    puzzle = Puzzle.from_givens(Board(NINE.cells, NINE.values, NINE.columns, NINE.constraints, NINE.marks), {})
    forget(monkeypatch)
    backend = find("cadical153", encoding)
    try:
        found = kit.collect(backend.search(puzzle, Budget(20)))[0]
    finally:
        backend.close()
    wrong = [grid for grid in found if any(violations(puzzle, grid))]
    message = faulty(puzzle.board, np.zeros((len(found), 81), np.uint16), np.array(found, np.uint16))
    assert [grid for grid, bad in zip(found, message, strict=True) if bad] == wrong
    assert wrong
    with pytest.raises(WrongAnswer, match=r"^puzzle: backend cadical153 gave a wrong grid: box "):
        accept(puzzle, wrong[0], "cadical153")


def never(self: Any, grid: Grid) -> bool:
    """In the place of `holds`: it may be asked of a constraint without cells, as that needs no grid."""
    if grid:
        raise AssertionError(f"{self} was asked about a grid")
    return original[type(self)](self, grid)


original = {kind: kind.holds for kind in (AllDifferent, Linear, Table, Automaton)}


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in original:
        monkeypatch.setattr(kind, "holds", never)


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize(
    ("backend", "encoding"),
    [
        (backend, encoding)
        for backend in installed()
        if engines()[backend.partition(":")[0]].encodes
        for encoding in ("minimal", "extended+reduced")[backend in SLOW :]
    ],
)
def test_no_sat_backend_asks_a_constraint_about_a_grid(backend: str, encoding: str) -> None:
    asked(backend, encoding, 4)


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("encoding", sorted(encodings()))
def test_no_encoding_asks_a_constraint_about_a_grid(encoding: str) -> None:
    asked("cadical153", encoding, 30)


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("backend", [name for name in installed() if not engines()[name.partition(":")[0]].encodes])
def test_no_other_backend_asks_a_constraint_about_a_grid(backend: str) -> None:
    asked(backend, None, 8 if backend in SLOW else 30)


def asked(backend: str, encoding: str | None, boards: int) -> None:
    """Search random boards of all four constraints, and one of AllDifferents alone."""
    rng = Random(backend)
    engine = find(backend, encoding)
    try:
        for puzzle in [*(kit.random_puzzle(rng) for _ in range(boards)), Puzzle.from_givens(FOUR, {0: 1, 6: 2})]:
            if engine.refuses(puzzle.board) is None:
                engine.load(puzzle.board)
                kit.collect(engine.search(puzzle, Budget(3)))
    finally:
        engine.close()


@pytest.mark.usefixtures("silent")
@pytest.mark.parametrize("boxes", [(2, 2), (2, 3), (3, 3)])
def test_no_kernel_asks_a_constraint_about_a_grid(boxes: tuple[int, int]) -> None:
    board = classic(*boxes)
    engine = native.Native()
    assert engine.refuses(board) is None
    engine.load(board)
    givens = np.zeros((4, board.cells), np.uint16)
    givens[:, 0] = range(1, 5)
    assert (engine.check_many(board, givens, Budget(2)).counts == 2).all()
    assert engine.count_solutions(Puzzle.from_givens(board, {0: 1}), Budget(50))[0] == 50


def test_the_referee_and_what_searches_do_not_import_each_other() -> None:
    root = Path(satdoku.__file__).parent
    text = (root / "referee.py").read_text("utf-8")
    assert not re.search(rf"satdoku\.(?:{'|'.join(SEARCHERS)})\b", text)
    for room in SEARCHERS:
        for path in (root / room).rglob("*.py"):
            assert "referee import" not in path.read_text("utf-8"), path
