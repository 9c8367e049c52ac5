"""Clauses that are made once for all constraints that say the same of other cells."""

from __future__ import annotations

from typing import Any

import pytest
from support.puzzles import puzzle_in

from satdoku import Automaton, Board, Linear, Puzzle, Table, count
from satdoku.cache import SizedCache
from satdoku.encoders import constraints
from satdoku.encoders.cnf import encode


@pytest.mark.parametrize(
    "name", ["arrow", "chaos-construction", "connected-group", "nonconsecutive", "quadruple", "sandwich", "thermometer"]
)
def test_they_are_what_each_constraint_would_be_written_as(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = puzzle_in(f"variants/{name}.toml").board
    monkeypatch.setattr(constraints, "_templates", SizedCache[Any](constraints.MAX_KEPT))
    copied = encode(board).clauses
    for kind in (Linear, Table, Automaton):
        if constraints.WRITERS[kind] is constraints._layered:
            monkeypatch.setitem(constraints.WRITERS, kind, constraints._write_layered)
    monkeypatch.setattr(constraints, "_layered", constraints._write_layered)  # what sums fall back on
    written = encode(board).clauses
    assert (copied.variables, list(copied)) == (written.variables, list(written))


def test_constraints_over_other_cells_share_them(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[int, ...]] = []
    template = constraints._template

    def counted(constraint: Any, domains: Any) -> Any:
        made.append(constraint.cells)
        return template(constraint, domains)

    monkeypatch.setattr(constraints, "_template", counted)
    monkeypatch.setattr(constraints, "_templates", SizedCache[Any](constraints.MAX_KEPT))
    rising = frozenset({(1, 2), (1, 3), (2, 3)})
    alike = Table((0, 1), rising, "a"), Table((3, 2), rising, "b"), Linear((0, 1, 3), (1, 2, 1), 8, "c")
    others = Table((0, 1), rising - {(1, 3)}, "d"), Table((4, 1), rising, "e"), Linear((2, 1, 3), (1, 2, 1), 8, "f")
    encode(Board(4, 3, 2, (*alike, *others), auxiliary=(0b110,)))
    assert made == [(0, 1), (0, 1, 2), (0, 1), (0, 1)]  # the auxiliary cell has other values


def test_which_cell_is_read_again_matters() -> None:
    steps = {(0, first, first) for first in (1, 2)} | {(first, any_, first + 2) for first in (1, 2) for any_ in (1, 2)}
    last_as_first = frozenset(steps | {(first + 2, first, 5) for first in (1, 2)})
    rules = [Automaton(cells, last_as_first, 0, frozenset({5}), "rule") for cells in ((0, 1, 0), (0, 1, 1))]
    puzzles = [Puzzle(Board(2, 2, 2, (rule,)), (0b110, 0b110)) for rule in rules]
    assert [count(puzzle, backend="cadical153").count for puzzle in puzzles] == [4, 2]
