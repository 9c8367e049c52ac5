"""True candidates of variants: the compiled search finds those of loose puzzles, and of one solution or none."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from support import policies
from support.counting_solver import CountingSolver

from satdoku import Ending, Puzzle, load, read
from satdoku.backends.incremental import IncrementalSolver
from satdoku.backends.native_first import FoundGrids, NativeFirst, stage
from satdoku.backends.schedule import Purpose
from satdoku.backends.swaps import swapped
from satdoku.referee import violations
from satdoku.setter.candidates import Candidates, survey
from satdoku.setter.partner import SharedResult
from satdoku.system.clock import Deadline
from satdoku.testing import cases

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


def surveyed(puzzle: Puzzle, limit: int | None = 1) -> tuple[Candidates, int]:
    """The candidates, and how often SAT searched."""
    with CountingSolver() as solver:
        return survey(solver, puzzle, limit, None), solver.searches


@pytest.mark.parametrize("name", ["cage", "arrow", "sandwich"])
def test_both_ways_show_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = load(VARIANTS / f"{name}.toml")
    found, searches = surveyed(puzzle)
    assert (found.ending, found.solutions, found.equal, searches) == (Ending.LIMIT, 1, (), 0)
    monkeypatch.setattr(NativeFirst, "first", lambda native, puzzle, most, deadline: None)
    by_sat, searches = surveyed(puzzle)
    assert searches > 0
    assert (found.engines, by_sat.engines) == (("native",), ("native", "glucose4"))
    assert found == replace(by_sat, engines=found.engines)


def test_without_a_solution_nothing_is_left() -> None:
    board = load(VARIANTS / "cage.toml").board
    puzzle = Puzzle.from_givens(board, {0: 1, 1: 2, 9: 3, 80: 1, 40: 1})
    found, searches = surveyed(puzzle)
    assert (found.solutions, any(found.undecided), searches) == (0, False, 0)
    assert not any(found.possible)


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("name", ["all", "arrow", "counting-line"])
def test_loose_puzzles_need_no_sat(name: str, limit: int, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Puzzle.from_givens(load(VARIANTS / f"{name}.toml").board, {})
    found, searches = surveyed(puzzle, limit)
    assert (found.ending, searches) == (Ending.LIMIT, 0)
    policies.credit(monkeypatch, 0)
    by_sat, searches = surveyed(puzzle, limit)
    assert searches > 0
    assert (found.counts, found.undecided, found.equal) == (by_sat.counts, by_sat.undecided, by_sat.equal)


def test_values_change_places_on_large_boards() -> None:
    """Each of 46,656 candidates is in one of few solutions, of which the compiled search finds the first."""
    found, searches = surveyed(read("size = 36"))
    assert (found.ending, found.equal, searches) == (Ending.LIMIT, (), 0)
    assert {sum(row) for row in found.counts} == {36}
    assert found.solutions < 200


def test_solutions_where_values_have_changed_places() -> None:
    puzzle = read("1" + "." * 80)
    grid = read("123456789456789123789123456214365897365897214897214365531642978642978531978531642").givens
    narrow = replace(
        puzzle, candidates=(*puzzle.candidates[:9], puzzle.candidates[9] & ~(1 << 5), *puzzle.candidates[10:])
    )
    wanted = {(cell, value) for cell in range(81) for value in range(1, 10)} - set(enumerate(grid))
    every = list(swapped(narrow, grid, wanted))
    assert len(every) > 5
    for each in every:
        assert not list(violations(narrow, each))
    assert {place for each in every for place in enumerate(each)} & wanted
    assert not list(swapped(narrow, grid, {(9, 5)})) and not list(swapped(narrow, grid, {(0, 2)}))


def test_where_searches_are_in_vain_sat_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Puzzle.from_givens(load(VARIANTS / "between.toml").board, {})
    every = surveyed(puzzle)[0]
    policies.credit(monkeypatch, 100)
    few, searches = surveyed(puzzle)
    assert searches > 0
    assert (every.counts, every.equal) == (few.counts, few.equal)


class Listener:
    """A partner: what it receives, and a list for what it is sent."""

    def __init__(self, receives: list[SharedResult], backwards: bool = False) -> None:
        self.backwards, self.sent, self._receives, self._read = backwards, list[SharedResult](), receives, 0

    def send(self, result: SharedResult) -> None:
        self.sent.append(result)

    def received(self) -> list[SharedResult]:
        start, self._read = self._read, len(self._receives)
        return self._receives[start : self._read]


@pytest.mark.parametrize("limit", [1, 3, None])
def test_two_that_share_find_what_one_does(limit: int | None) -> None:
    """They search at the same time: how much each of them finds differs from run to run."""
    several = 0
    for case in cases(40, start=9_000):
        for puzzle in case.puzzles:
            helper, main = Listener([], backwards=True), Listener([])
            helper._receives, main._receives = main.sent, helper.sent
            with IncrementalSolver() as here, IncrementalSolver() as there, ThreadPoolExecutor(1) as pool:
                other = pool.submit(survey, there, puzzle, limit, None, helper)
                found = survey(here, puzzle, limit, None, main)
                alone = survey(IncrementalSolver(), puzzle, limit, None)
                assert other.result().counts == found.counts == alone.counts
                assert (found.undecided, found.equal) == (alone.undecided, alone.equal)
            several += alone.solutions > 1
    assert several > 20


def test_candidates_that_the_other_has_excluded_are_not_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    policies.credit(monkeypatch, 0)
    puzzle = Puzzle.from_givens(load(VARIANTS / "free-grid.toml").board, {})
    helper = Listener([], backwards=True)
    with CountingSolver() as solver:
        alone = survey(solver, puzzle, 1, None, helper)
        assert solver.searches > 0
    with CountingSolver() as solver:
        assert survey(solver, puzzle, 1, None, Listener(helper.sent)).possible == alone.possible
        assert solver.searches == 0


@pytest.mark.parametrize("nodes", [0, 1_000])
def test_what_the_other_has_found_is_not_looked_for(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    policies.credit(monkeypatch, nodes)
    puzzle = Puzzle.from_givens(load(VARIANTS / "between.toml").board, {})
    helper = Listener([], backwards=True)
    with CountingSolver() as solver:
        alone = survey(solver, puzzle, 1, None, helper)
    assert len(helper.sent) > alone.solutions and helper.sent[0] == SharedResult(1)
    for limit, searched in ((1, False), (2, True)):
        with CountingSolver() as solver:
            found = survey(solver, puzzle, limit, None, Listener(helper.sent))
            assert (solver.searches > 0) is (searched or bool(found.equal))
        assert found.possible == alone.possible


def test_hidden_cells_are_left_to_sat() -> None:
    """A node may take 10 ms there."""
    puzzle = load(VARIANTS / "chaos-arrow.toml")
    assert all("native" not in turn.engines for turn in stage(Purpose.CANDIDATES, puzzle.board).turns)


def test_boards_without_a_turn_for_the_compiled_search_never_ask_it() -> None:
    """However many conflicts the SAT solver has."""
    with IncrementalSolver() as solver:
        found = survey(
            solver, read("..........349....2.61...7.3........82.3.1..7.....6..4..2..81..93..2.9.....974...."), 1, None
        )
        assert solver.conflicts > 0
    assert (found.engines, found.tried) == (("glucose4",), ())


def test_without_the_compiled_search_sat_answers_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = Puzzle.from_givens(load(VARIANTS / "between.toml").board, {})
    both = surveyed(puzzle)[0]
    monkeypatch.setattr("satdoku.backends.native_first.library.absent", lambda: "it is not here")
    alone, searches = surveyed(puzzle)
    assert searches > 0
    assert (alone.engines, alone.tried) == (("glucose4",), ())
    assert (alone.counts, alone.equal) == (both.counts, both.equal)


def test_sat_gives_the_turn_back_once_there_is_credit(monkeypatch: pytest.MonkeyPatch) -> None:
    """As much as it would with a new solver, whatever that has solved before."""
    searched, some = list[int](), NativeFirst.some

    def counted(native: NativeFirst, puzzle: Puzzle, most: int, work: int | None, deadline: Deadline) -> FoundGrids:
        searched.append(solver.conflicts)
        return some(native, puzzle, most, work, deadline)

    monkeypatch.setattr(NativeFirst, "some", counted)
    policies.credit(monkeypatch, 0)
    empty = [Puzzle.from_givens(load(VARIANTS / f"{name}.toml").board, {}) for name in ("sandwich", "between")]
    with IncrementalSolver() as solver:
        survey(solver, empty[1], 1, None)
    alone, searched = searched, []
    assert alone[0] == 0 < alone[1]
    with IncrementalSolver() as solver:
        survey(solver, empty[0], 1, None)
        searched.clear()
        survey(solver, empty[1], 1, None)
    assert searched[1:] == alone[1:]
