"""The compiled search and the SAT solver in turns: whichever ends first decides, and no grid is lost or found twice."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest
from support import kit

from satdoku import Board, Budget, Ending, Linear, Puzzle, Table, backends, classic, read
from satdoku.backends import alternate, auto
from satdoku.backends.clock import Deadline
from satdoku.backends.native import Native
from satdoku.implied import strengthened
from satdoku.kernels import library

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


def formula() -> Board:
    """Random 3-SAT over 300 cells at 4.5 clauses a cell, without a solution as far as anyone can tell in seconds."""
    rng, clauses = Random(1), []
    for number in range(1350):
        forbidden = tuple(rng.choice((1, 2)) for _ in range(3))
        allowed = frozenset(row for row in product((1, 2), repeat=3) if row != forbidden)
        clauses.append(Table(tuple(rng.sample(range(300), 3)), allowed, f"clause {number}"))
    return Board(300, 2, 30, tuple(clauses))


@pytest.mark.parametrize("first", [1, 5, 10_000])
def test_random_boards_against_brute_force(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alternate, "FEW_NODES", first)
    monkeypatch.setattr(alternate, "MANY_NODES", first)
    assert kit.first_fault(lambda: backends.find("auto"), kit.cases(120, 95_000)) is None


def test_the_one_that_decides_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    engine: Any = backends.find("auto")
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen == "native"
    monkeypatch.setattr(alternate, "first_nodes", lambda board: 0)
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen == "glucose4"
    engine.close()


def test_grids_of_both_are_handed_over_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The compiled search finds some grids in its first turn, the SAT solver all of them in its own."""
    monkeypatch.setattr(alternate, "first_nodes", lambda board: 6)
    board = Board(4, 4, 4, (Linear((0, 1, 2, 3), (1, 1, 1, 1), 10, "sum"),))
    puzzle = Puzzle.from_givens(board, {})
    with_sat: Any = backends.find("auto")
    grids, ending = kit.collect(with_sat.search(puzzle, Budget(200)))
    assert with_sat.chosen == "glucose4"
    assert set(grids) == kit.brute_force(puzzle)
    assert (len(grids), ending) == (44, Ending.EXHAUSTED)


def unending(turns: alternate.Turns, solutions: int, deadline: Deadline) -> Ending:
    """A search in turns that comes to no end in its time."""
    return Ending.TIMEOUT


def test_the_compiled_search_goes_on_in_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    monkeypatch.setattr(alternate.Turns, "search", unending)
    monkeypatch.setattr(auto, "ENTRANTS", ("dlx", "backtrack"))  # neither takes sums
    engine: Any = backends.find("auto")
    grids, ending = kit.collect(engine.search(puzzle, Budget(2)))
    assert (len(grids), ending, engine.chosen) == (1, Ending.EXHAUSTED, "race:native")
    monkeypatch.setattr(auto, "ENTRANTS", ("glucose4", "cpsat"))
    monkeypatch.setattr(auto, "advance", lambda *search: None)  # nothing comes of it
    assert kit.collect(engine.search(puzzle, Budget(2))) == (grids, ending)
    assert engine.chosen.removeprefix("race:") in auto.ENTRANTS
    engine.close()


def test_turns_are_counted_in_nodes_and_conflicts() -> None:
    """Two runs, one of them slowed down, take the same turns: no clock decides whose turn it is."""
    puzzle = Puzzle.from_givens(formula(), {})

    def taken(pause: float) -> list[tuple[str, int]]:
        native, turns = Native(), list[tuple[str, int]]()
        run = native.begin(puzzle)

        def by_sat(until: Deadline) -> Ending:
            assert until.conflicts is not None
            turns.append(("glucose4", until.conflicts))
            sleep(pause)
            return Ending.EXHAUSTED if len(turns) == 3 else Ending.TIMEOUT

        alternate.Turns(puzzle=puzzle, run=run, by_sat=by_sat).search(2, Deadline(None))
        turns.append(("native", run.nodes() or 0))
        return turns

    assert taken(0.0) == taken(0.3)
    assert [name for name, _ in taken(0.0)] == ["glucose4"] * 3 + ["native"]


@pytest.mark.parametrize("solver", ["glucose4", "cadical153"])
def test_a_turn_of_a_sat_solver_ends_after_so_many_conflicts(solver: str) -> None:
    """CaDiCaL ends some later, and each at the same conflict every time."""
    puzzle = Puzzle.from_givens(formula(), {})

    def taken() -> list[int]:
        engine: Any = backends.find(solver)
        figures = []
        for conflicts in (50, 3_000):
            assert kit.collect(engine.search(puzzle, Budget(2, conflicts=conflicts))) == ([], Ending.TIMEOUT)
            figures.append(engine.statistics()["conflicts"])
        engine.close()
        return figures

    first = taken()
    assert 50 <= first[0] < 3_000 <= first[1] < 6_000
    assert taken() == first


def test_others_race_where_there_is_no_compiled_search(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    monkeypatch.setattr(library, "absent", lambda: "it is not here")
    monkeypatch.setattr(auto, "OWN_SECONDS", 1e-9)
    engine: Any = backends.find("auto")
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen.removeprefix("race:") in auto.ENTRANTS
    engine.close()


def test_without_the_compiled_search_a_sat_solver_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "absent", lambda: "it is not here")
    engine: Any = backends.find("auto")
    for file in ("cage.toml", "../9x9_hard.txt"):
        assert len(list(engine.search(read((VARIANTS / file).read_text()), Budget(2)))) == 1
        assert engine.chosen == "glucose4"
    engine.close()


def test_native_races_on_large_variants() -> None:
    engine: Any = backends.find("auto")
    engine.load(Board(29, 29, 29, (Linear((0, 1), (1, 1), 30, "sum"),)))
    assert engine._entrants() == ("native", *auto.ENTRANTS)
    engine.load(classic(3, 3))
    assert engine._entrants() == auto.ENTRANTS
    engine.close()


def test_the_timeout_ends_both() -> None:
    puzzle = Puzzle.from_givens(formula(), {})
    grids, ending = kit.collect(backends.find("auto").search(puzzle, Budget(2, 1.0)))
    assert (grids, ending) == ([], Ending.TIMEOUT)


def test_boards_of_sums_have_a_longer_first_turn() -> None:
    board = Board(4, 4, 4, (Linear((0, 1), (1, 1), 5, "sum"),))
    assert alternate.first_nodes(board) == alternate.MANY_NODES
    assert alternate.first_nodes(formula()) == alternate.FEW_NODES


def test_an_encoding_is_of_the_board_as_it_is() -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    assert strengthened(puzzle.board) is not puzzle.board
    plain: Any = backends.find("auto", "log")
    assert plain._strengthened(puzzle.board) is puzzle.board
