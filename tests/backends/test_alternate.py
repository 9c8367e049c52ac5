"""The compiled search and the SAT solver in turns: whichever ends first decides, and no grid is lost or found twice."""

from __future__ import annotations

import sys
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support import kit

from satdoku import Board, Budget, Ending, Linear, Puzzle, Table, backends, classic, read
from satdoku.backends import alternate, auto
from satdoku.backends.clock import Deadline
from satdoku.implied import strengthened

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


@pytest.fixture(scope="module", autouse=True)
def compiled() -> None:
    """So that `auto` finds the search compiled, and loaded."""
    board = Board(3, 3, 3, (Linear((0, 1, 2), (1, 1, 1), 6, "sum"),))
    assert list(backends.find("native").search(Puzzle.from_givens(board, {}), Budget(1)))


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
    assert kit.first_fault(lambda: backends.find("auto:many"), kit.cases(120, 95_000)) is None


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
    with_sat: Any = backends.find("auto:many")
    grids, ending = kit.collect(with_sat.search(puzzle, Budget(200)))
    assert with_sat.chosen == "glucose4"
    assert set(grids) == kit.brute_force(puzzle)
    assert (len(grids), ending) == (44, Ending.EXHAUSTED)


def test_the_sat_solver_begins_where_the_compiled_search_is_not_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    monkeypatch.delitem(sys.modules, "numba")
    for seconds, chosen in ((60.0, "glucose4"), (0.0, "native")):
        monkeypatch.setattr(alternate, "SECONDS_UNLOADED", seconds)
        engine: Any = backends.find("auto")
        assert len(list(engine.search(puzzle, Budget(2)))) == 1
        assert engine.chosen == chosen
        engine.close()


def begun(turns: alternate.Turns, loaded: bool, solutions: int, deadline: Deadline) -> Ending:
    """A search in turns that comes to no end in its time."""
    native = turns.native()
    assert native is not None
    turns.run = native.begin(turns.puzzle)
    return Ending.TIMEOUT


def test_the_compiled_search_goes_on_in_the_race(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    monkeypatch.setattr(alternate.Turns, "search", begun)
    monkeypatch.setattr(auto, "ENTRANTS", ("dlx", "backtrack"))  # neither takes sums
    engine: Any = backends.find("auto")
    grids, ending = kit.collect(engine.search(puzzle, Budget(2)))
    assert (len(grids), ending, engine.chosen) == (1, Ending.EXHAUSTED, "native")
    monkeypatch.setattr(auto, "ENTRANTS", ("glucose4", "cpsat"))
    monkeypatch.setattr(auto, "advance", lambda *search: None)  # nothing comes of it
    assert kit.collect(engine.search(puzzle, Budget(2))) == (grids, ending)
    assert engine.chosen in auto.ENTRANTS
    engine.close()


def test_others_race_where_there_is_no_compiled_search(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    monkeypatch.setattr(alternate.Turns, "search", lambda *search: Ending.TIMEOUT)
    engine: Any = backends.find("auto")
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen in auto.ENTRANTS
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
    grids, ending = kit.collect(backends.find("auto:many").search(puzzle, Budget(2, 1.0)))
    assert (grids, ending) == ([], Ending.TIMEOUT)


def test_boards_of_sums_have_a_longer_first_turn() -> None:
    board = Board(4, 4, 4, (Linear((0, 1), (1, 1), 5, "sum"),))
    assert alternate.first_nodes(board) == alternate.MANY_NODES
    assert alternate.first_nodes(formula()) == alternate.FEW_NODES


def test_it_is_not_compiled_for_a_few_puzzles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "compiled", lambda: False)
    puzzle = read((VARIANTS / "cage.toml").read_text())
    engine: Any = backends.find("auto:many")
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen == "glucose4"
    assert engine._native(puzzle.board, auto.MIN_PUZZLES) is not None
    assert engine._native(puzzle.board, auto.MIN_PUZZLES - 1) is None
    monkeypatch.setattr(auto, "MIN_PUZZLES", 2)  # of boards of their own too
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert len(list(engine.search(puzzle, Budget(2)))) == 1
    assert engine.chosen == "native"


def test_the_code_of_another_kernel_is_not_taken_for_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from satdoku.kernels import compiled

    def advance() -> None:
        """A function that has not been compiled."""

    monkeypatch.setattr(compiled, "cache_folder", lambda: str(tmp_path))
    function = compiled.compiled_bare(advance)
    (tmp_path / "general.advance-1.py311.1.nbc").touch()
    assert not compiled.in_cache(function)
    (tmp_path / "test_alternate.advance-1.py311.1.nbc").touch()
    assert compiled.in_cache(function)


def test_an_encoding_is_of_the_board_as_it_is() -> None:
    puzzle = read((VARIANTS / "cage.toml").read_text())
    assert strengthened(puzzle.board) is not puzzle.board
    plain: Any = backends.find("auto", "log")
    assert plain._strengthened(puzzle.board) is puzzle.board
