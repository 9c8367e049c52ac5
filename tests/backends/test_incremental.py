"""The solver that stays loaded: its selectors, what it loads again, and what it refuses."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import replace

import pytest

import satdoku
from satdoku import Budget, Ending, Puzzle, Refused, backends, classic
from satdoku.backends import Drain, Statistics, incremental
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.oracle import Cores, Oracle, Phases, UnitPropagation
from satdoku.backends.solvers import SOLVERS
from satdoku.encoders.clauses import Clauses
from satdoku.referee import violations
from satdoku.system.clock import Deadline, TimeIsUp

NEVER = Deadline(None)
TWO = satdoku.read("13....3131...213")


def clauses(*each: Iterable[int]) -> Clauses:
    made = Clauses(9)
    for one in each:
        made.add(*one)
    return made


class Opened:
    """Opens glucose4, and counts how often."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self, clauses: Clauses) -> Oracle:
        self.times += 1
        return SOLVERS["glucose4"].open(clauses)


class TestQuestions:
    def test_a_core_is_of_the_assumptions_that_clash(self) -> None:
        with IncrementalSolver() as solver:
            solver.load(clauses([-1, 2], [-2, -3]))
            assert solver.solve([1, 4, 3], NEVER) is None
            assert set(solver.core()) == {1, 3}
            assert solver.propagate([1]) == (True, [1, 2, -3])
            assert not solver.propagate([1, 3])[0]

    def test_a_search_is_led_by_phases(self) -> None:
        with IncrementalSolver() as solver:
            solver.load(clauses([1, 2, 3]))
            for wanted in ([-1, 2, -3], [1, -2, -3]):
                solver.set_phases(wanted)
                assert solver.solve([], NEVER) is not None
                assert set(wanted) <= set(solver.solve([], NEVER) or ())

    def test_time_that_is_up_is_raised(self) -> None:
        with IncrementalSolver() as solver:
            solver.load(clauses([1, 2]))
            with pytest.raises(TimeIsUp):
                solver.solve([], Deadline(0))

    def test_clauses_of_a_block_are_gone_after_it(self) -> None:
        with IncrementalSolver() as solver:
            solver.load(clauses([1, 2]))
            with solver.temporary([[-1], [3]]) as selector:
                assert {-1, 2, 3} <= set(solver.solve([selector], NEVER) or ())
                solver.add_clause(-selector, -2)
                assert solver.solve([selector], NEVER) is None
                with solver.temporary() as other:
                    assert other != selector
                    assert solver.solve([other], NEVER) is not None
            assert solver.solve([1, -3], NEVER) is not None


class TestLoading:
    def test_a_board_stays_loaded_until_another_comes(self) -> None:
        opened = Opened()
        with IncrementalSolver(opened) as solver:
            for board, times in ((classic(2, 2), 1), (classic(2, 2), 1), (classic(2, 3), 2), (classic(2, 2), 3)):
                cnf = solver.load_puzzle(Puzzle.from_givens(board, {}))
                assert (cnf.board, opened.times) == (board, times)

    def test_it_is_made_anew_after_many_selectors_and_gives_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(incremental, "MAX_RELEASED", 2)
        opened = Opened()
        with IncrementalSolver(opened) as solver:
            for times in (1, 1, 2, 2, 3):
                cnf = solver.load_board(TWO.board)
                assert cnf is not None
                assert opened.times == times
                with solver.temporary([[-1]]) as selector:
                    assert solver.solve([selector, 1], NEVER) is None
                assert solver.solve([1], NEVER) is not None

    def test_what_is_closed_can_be_loaded_again(self) -> None:
        solver = IncrementalSolver()
        for _ in range(2):
            cnf = solver.load_puzzle(TWO)
            model = solver.solve(cnf.restrict(TWO)[0], NEVER)
            assert model is not None
            assert not list(violations(TWO, cnf.read(model)[0]))
            solver.close()

    def test_a_large_board_is_reduced_unless_givens_are_to_be_dropped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(incremental, "MAX_WHOLE_CLAUSES", 100)
        with IncrementalSolver() as solver:
            assert solver.load_board(TWO.board) is None
            assert solver.load_puzzle(TWO).reduced
            assert not solver.load_puzzle(TWO, whole=True).reduced
            assert solver.load_puzzle(TWO).reduced

    def test_the_first_puzzles_of_a_large_board_are_reduced_until_the_whole_is_worth_it(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(incremental, "LARGE", 100)
        with IncrementalSolver() as solver:
            assert solver.load_board(TWO.board) is None
            reduced = [solver.load_puzzle(TWO).reduced for _ in range(40)]
            assert reduced[0] and not reduced[-1]
            assert sorted(reduced, reverse=True) == reduced
            assert solver.load_board(TWO.board) is not None

    def test_an_equal_board_is_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(incremental, "LARGE", 100)
        with IncrementalSolver() as solver:
            copies = [replace(TWO, board=replace(TWO.board)) for _ in range(40)]
            assert [solver.load_puzzle(each).reduced for each in copies].count(False) > 20
            assert solver.load_puzzle(Puzzle.from_givens(classic(2, 3), {})).reduced

    def test_a_large_board_is_whole_for_many_puzzles_and_in_an_encoding_that_was_asked_for(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(incremental, "LARGE", 100)
        with IncrementalSolver() as solver:
            assert solver.load_board(TWO.board, many=True) is not None
            assert not solver.load_puzzle(TWO).reduced
        with IncrementalSolver(encoding="extended") as solver:
            assert not solver.load_puzzle(TWO).reduced

    def test_the_literal_of_a_decided_value_is_not_a_selector(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(incremental, "MAX_WHOLE_CLAUSES", 100)
        with IncrementalSolver() as solver:
            cnf = solver.load_puzzle(TWO)
            selector = solver.new_selector()
            true, false = cnf.variables.equals(0, 1), cnf.variables.equals(0, 2)
            assert selector not in (abs(true), abs(false))
            assert solver.solve([true], NEVER) is not None
            assert solver.solve([-true], NEVER) is None
            assert solver.solve([false], NEVER) is None

    @pytest.mark.parametrize(("limit", "whole"), [("MAX_CLAUSES", False), ("MAX_CLAUSES", True), ("MAX_STEPS", False)])
    def test_what_is_too_large_is_refused_by_name(
        self, limit: str, whole: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        machine = satdoku.Automaton((0, 1), frozenset({(0, 1, 0)}), 0, frozenset({0}), "a long line")
        board = satdoku.Board(16, 4, 4, (*classic(2, 2).constraints, machine))
        monkeypatch.setattr(incremental, limit, 1)
        monkeypatch.setattr(incremental, "MAX_WHOLE_CLAUSES", 0)
        with IncrementalSolver() as solver, pytest.raises(Refused) as caught:
            solver.load_puzzle(Puzzle.from_givens(board, {}, "small"), whole)
        assert str(caught.value).startswith(
            "small: a long line" if limit == "MAX_STEPS" else "small: 0 million clauses"
        )


@pytest.mark.parametrize("name", ["glucose4", "cadical153", "minisat22"])
def test_a_solver_that_propagates_has_every_ability(name: str) -> None:
    oracle = SOLVERS[name].open([[1, 2]])
    assert all(isinstance(oracle, ability) for ability in (Cores, UnitPropagation, Phases, Statistics))
    oracle.close()


def test_a_solver_that_does_not_propagate_says_so_by_its_type() -> None:
    oracle = SOLVERS["cadical103"].open([[1, 2]])
    assert isinstance(oracle, Cores)
    assert not isinstance(oracle, UnitPropagation)
    oracle.close()


class TestDrain:
    def test_the_grids_and_the_ending_of_a_search(self) -> None:
        drain = Drain(backends.find("backtrack").search(TWO, Budget(None)))
        assert len(list(drain)) == 2
        assert drain.result is Ending.EXHAUSTED

    def test_the_end_without_what_comes_before(self) -> None:
        assert Drain(backends.find("backtrack").search(TWO, Budget(1))).finish() is Ending.LIMIT

    def test_a_generator_that_is_left_is_closed(self) -> None:
        closed: list[str] = []

        def count(note: Callable[[str], None]) -> Generator[int, None, str]:
            try:
                yield 1
                yield 2
            finally:
                note("closed")
            return "over"

        for number in Drain(count(closed.append)):
            assert number == 1
            break
        assert closed == ["closed"]
