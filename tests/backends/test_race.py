"""Races: the first engine that decides wins, the others are gone soon after, and nothing is lost."""

from __future__ import annotations

from itertools import combinations
from time import monotonic, sleep

import psutil
import pytest

import satdoku
from satdoku import AllDifferent, Budget, Ending, InputError, Puzzle, Refused, backends, classic
from satdoku import testing as kit
from satdoku.backends.entrants import Race
from satdoku.backends.scheduled import Scheduled
from satdoku.puzzle import Board


def children() -> list[psutil.Process]:
    """What this process has started and is still there."""
    return [
        child for child in psutil.Process().children(recursive=True) if "entrants import serve" in " ".join(cmd(child))
    ]


def cmd(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_grids_of_random_boards_whoever_wins() -> None:
    race = backends.find("race:backtrack,glucose4")
    try:
        for case in kit.cases(6, 20_000):
            for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
                grids, ending = kit.collect(race.search(puzzle, Budget(None)))
                assert set(grids) == truth
                assert (len(grids), ending) == (len(truth), Ending.EXHAUSTED)
    finally:
        race.close()
    assert not children()


def test_the_losers_are_gone_when_the_winner_has_answered() -> None:
    board = classic(4, 4)
    puzzle = Puzzle.from_givens(board, {})
    race = backends.find("race:dlx,backtrack")
    try:
        assert len(kit.collect(race.search(puzzle, Budget(1)))[0]) == 1
        began = monotonic()
        while len(children()) > 1 and monotonic() < began + 5:
            sleep(0.01)
        assert len(children()) == 1
    finally:
        race.close()
    assert not children()


def test_more_grids_than_are_held_back_come_from_one_engine() -> None:
    puzzle = Puzzle.from_givens(Board(6, 4, 3, ()), {})
    race = backends.find("race:native,backtrack")
    try:
        grids, ending = kit.collect(race.search(puzzle, Budget(None)))
        assert (len(grids), len(set(grids)), ending) == (4**6, 4**6, Ending.EXHAUSTED)
    finally:
        race.close()


def test_the_timeout_ends_all() -> None:
    apart = tuple(AllDifferent(pair, f"{pair}") for pair in combinations(range(16), 2))  # 15 values for 16 cells
    puzzle = Puzzle.from_givens(Board(16, 15, 4, apart), {})
    race = backends.find("race:backtrack,prune")
    assert kit.collect(race.search(puzzle, Budget(2, 2.0)))[1] is Ending.TIMEOUT
    assert not children()
    race.close()


def test_beside_a_search_of_this_process() -> None:
    puzzle, race = Puzzle.from_givens(classic(2, 2), {}), Race(("dlx", "backtrack"))
    try:
        grids, ending = kit.collect(race.beside(lambda: None, puzzle, Budget(300)))
        assert (len(set(grids)), len(grids), ending) == (288, 288, Ending.EXHAUSTED)
        assert race.chosen in ("dlx", "backtrack")
        assert kit.collect(race.beside(lambda: Ending.LIMIT, puzzle, Budget(2))) == ([], Ending.LIMIT)
        assert race.chosen == "native"
        assert kit.collect(race.beside(lambda: None, puzzle, Budget(2, 0.0))) == ([], Ending.TIMEOUT)
        assert not children()
    finally:
        race.close()


def test_a_search_of_this_process_goes_on_where_all_others_have_died() -> None:
    puzzle, race = Puzzle.from_givens(classic(2, 2), {}), Race(("dlx", "backtrack"))
    asked = 0

    def step() -> Ending | None:
        nonlocal asked
        asked += 1
        for child in children():
            child.kill()
        return Ending.LIMIT if asked > 3 else None

    try:
        assert kit.collect(race.beside(step, puzzle, Budget(300)))[1] is Ending.LIMIT
    finally:
        race.close()


def test_a_race_is_a_policy_of_one_stage() -> None:
    race = backends.find("race:dlx,backtrack")
    try:
        assert isinstance(race, Scheduled)
        assert kit.collect(race.search(Puzzle.from_givens(classic(2, 2), {}), Budget(None)))[1] is Ending.EXHAUSTED
        assert race.chosen in ("race:dlx", "race:backtrack")
    finally:
        race.close()


@pytest.mark.parametrize("name", ["race", "race:native", "race:native,native", "race:native,race:glucose4,cpsat"])
def test_what_is_no_race_is_reported(name: str) -> None:
    with pytest.raises(InputError, match="race"):
        backends.find(name)


def test_an_encoding_goes_to_those_that_take_one() -> None:
    with pytest.raises(Refused, match="takes an encoding"):
        backends.find("race:native,cpsat", "log")
    race = backends.find("race:native,glucose4", "log")
    try:
        assert kit.collect(race.search(Puzzle.from_givens(classic(2, 2), {}), Budget(3)))[1] is Ending.LIMIT
    finally:
        race.close()


def test_a_puzzle_that_all_refuse_is_refused() -> None:
    puzzle = Puzzle.from_givens(classic(10, 10), {}, "large")
    with pytest.raises(Refused, match="large: 148 million clauses"):
        satdoku.check(puzzle, backend="race:kissat404,cadical195")
