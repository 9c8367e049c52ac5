"""check_many says of each puzzle what check says of it, in order, whatever the backend and the number of workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from support.own_backend import Fatal

import satdoku
from satdoku import BackendError, Ending, FormatError, Outcome, Puzzle, PuzzleError, Refused, Verdict
from satdoku.referee import violations

EASY = "200001038000000005070006000000000013098100257310000800900800020050069784400250000"
SMALL = [".1.4....1....43.", "13....3131...213", "11..............", "." * 16]
CAGED = satdoku.build(size=4, marks=[satdoku.marks.cage("r1c1 r1c2", total=3)])
WITHOUT_TWO = Puzzle(CAGED.board, tuple(allowed & ~4 for allowed in CAGED.candidates))
ROWS = [[0, 1, 0, 4], [0] * 4, [1, 0, 0, 0], [0, 4, 3, 0]]
ARRAYS = [
    np.array(ROWS, np.int8),
    np.array(ROWS, np.uint64).ravel(),
    np.array(ROWS, np.float64),
    np.array(list(map(int, EASY))).reshape(9, 9),
    np.zeros((6, 6), np.int64),
]


def mixed(count: int) -> list[Any]:
    """Lines and puzzles of several boards in random order, some of them with candidates that are not givens."""
    rng = Random(count)
    kinds = [*SMALL, EASY, satdoku.read(EASY), CAGED, WITHOUT_TWO, ROWS, *ARRAYS]
    return [rng.choice(kinds) for _ in range(count)]


def facts(outcome: Outcome) -> tuple[object, ...]:
    grids = outcome.grids if outcome.verdict is Verdict.UNIQUE else len(outcome.grids)
    return outcome.verdict, outcome.count, grids, outcome.ending, outcome.reason


@pytest.mark.parametrize("backend", [None, "native", "glucose4", "backtrack", "cpsat"])
def test_each_outcome_is_that_of_check(backend: str | None) -> None:
    if backend == "native":
        asked: list[Any] = list(islice(cycle([*SMALL, EASY, satdoku.read(EASY)]), 60))
    else:
        asked = mixed(60)
    found = list(satdoku.check_many(asked, backend=backend))
    assert [facts(outcome) for outcome in found] == [facts(satdoku.check(one, backend=backend)) for one in asked]


def test_grids_of_multiple_puzzles_differ_and_are_solutions() -> None:
    puzzle = satdoku.read("." * 16)
    (outcome,) = satdoku.check_many([puzzle])
    assert len(set(outcome.grids)) == 2
    assert not any(list(violations(puzzle, grid)) for grid in outcome.grids)


def test_an_array_of_puzzles_is_searched_together(monkeypatch: pytest.MonkeyPatch) -> None:
    rows, solution = np.array([list(map(int, EASY))] * 100).reshape(-1, 9, 9), satdoku.solve(EASY).grid

    def alone(*arguments: object) -> None:
        raise AssertionError("one by one")

    with monkeypatch.context() as patch:
        patch.setattr("satdoku.verdict.Session.run", alone)
        for array in (rows, rows.reshape(-1, 81), rows.astype(np.uint8)[::2, :, :]):
            found = list(satdoku.check_many(array))
            assert len(found) == len(array)
            assert {outcome.grid for outcome in found} == {solution}


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.full((9, 9), 10), "row 1, column 1 is 10: expected 1 to 9"),
        (np.full((9, 9), -1), "row 1, column 1 is -1"),
        (np.zeros((9, 8), np.int64), "row 1 has 8 values: expected 9"),
        (np.zeros((5, 5), np.int64), "a 5x5 puzzle has no boxes of equal shape"),
        (np.zeros(80, np.int64), "80 values"),
    ],
    ids=["above", "below", "uneven", "without boxes", "too few"],
)
def test_an_array_that_is_no_puzzle_is_refused_as_check_does(array: np.typing.NDArray[np.int64], message: str) -> None:
    for ask in (satdoku.check, lambda one: list(satdoku.check_many([one]))):
        with pytest.raises(PuzzleError, match=message):
            ask(array)


def test_workers_give_the_same_in_the_same_order() -> None:
    asked = mixed(700)
    alone = [facts(outcome) for outcome in satdoku.check_many(asked)]
    assert [facts(outcome) for outcome in satdoku.check_many(asked, jobs=2)] == alone


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_after_the_outcomes_before_it(jobs: int) -> None:
    outcomes = satdoku.check_many([SMALL[0], SMALL[1], "12..34..56..78..", SMALL[0]], jobs=jobs)
    assert [next(outcomes).verdict, next(outcomes).verdict] == [Verdict.UNIQUE, Verdict.MULTIPLE]
    with pytest.raises(FormatError, match="5 is above 4"):
        next(outcomes)


def test_puzzles_are_taken_as_they_are_needed() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield SMALL[0]

    outcomes = satdoku.check_many(endless())
    assert next(outcomes).verdict is Verdict.UNIQUE
    assert taken < 100


def test_wrong_arguments_are_reported_at_once() -> None:
    with pytest.raises(satdoku.InputError, match="unknown backend"):
        satdoku.check_many(SMALL, backend="cadical15")
    with pytest.raises(Refused, match="takes no encoding"):
        satdoku.check_many(SMALL, backend="backtrack", encoding="minimal")
    with pytest.raises(satdoku.InputError, match="expected a number above 0"):
        satdoku.check_many(SMALL, timeout=0)
    assert list(satdoku.check_many([])) == []


class TestLostWorkers:
    PUZZLES = (*SMALL[:2], "2" + "." * 15, SMALL[0])

    @pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed by a signal")
    def test_a_puzzle_that_kills_its_worker_ends_the_outcomes_by_its_number(self) -> None:
        outcomes = satdoku.check_many(self.PUZZLES, backend=Fatal("kill"), jobs=2)
        assert [next(outcomes).verdict, next(outcomes).verdict] == [Verdict.UNIQUE, Verdict.MULTIPLE]
        with pytest.raises(BackendError, match=r"^puzzle 3: given up, a worker was ended by signal 9 on it, 2 times$"):
            next(outcomes)

    def test_one_that_does_not_look_at_the_clock_is_undecided(self) -> None:
        outcomes = list(satdoku.check_many(self.PUZZLES, backend=Fatal("hang"), jobs=2, timeout=4))
        assert [outcome.verdict.value for outcome in outcomes] == ["unique", "multiple", "undecided", "unique"]
        assert (outcomes[2].ending, outcomes[2].backend) == (Ending.TIMEOUT, "Fatal")

    def test_workers_that_end_as_they_start_are_one_error(self) -> None:
        with pytest.raises(BackendError, match=r"^no worker processes can be started \(they end as they start\): "):
            list(satdoku.check_many(SMALL, backend=Fatal("start"), jobs=2))

    def test_the_error_of_a_script_without_a_guard_names_the_guard(self, tmp_path: Path) -> None:
        script = tmp_path / "script.py"
        script.write_text(f"import satdoku; list(satdoku.check_many({SMALL}, jobs=2))")
        answered = subprocess.run([sys.executable, script], capture_output=True, text=True)
        assert "below `if __name__ == '__main__':`; or leave out jobs" in answered.stderr.splitlines()[-1]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="workers are known among other processes by their parent")
def test_workers_end_with_the_iterator() -> None:
    psutil = pytest.importorskip("psutil")
    outcomes = satdoku.check_many(cycle(SMALL), jobs=2)
    next(outcomes)
    below = psutil.Process().children(recursive=True)
    workers = [child for child in below if child.ppid() != os.getpid()]
    assert len(workers) >= 2
    outcomes.close()  # type: ignore[attr-defined]
    _, left = psutil.wait_procs(workers, timeout=60)
    assert not any(worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE for worker in left)


def test_the_temporary_folder_may_have_a_long_name(tmp_path: Path) -> None:
    """Then a fork server has no room for the name of its socket, and workers are started without one."""
    folder = tmp_path / ("folder" * 20)
    folder.mkdir()
    code = f"import satdoku; print([one.verdict.value for one in satdoku.check_many({SMALL[:2]}, jobs=2)])"
    environment = {**os.environ, "TMPDIR": str(folder)}
    answered = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert answered.stdout == "['unique', 'multiple']\n", answered.stderr


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_is_no_puzzle_is_named_by_its_row(jobs: int) -> None:
    given = [*SMALL[:2], None, EASY]
    with pytest.raises(TypeError, match="puzzles: row 2: a puzzle is a text, rows of values or an array, not"):
        list(satdoku.check_many(given, jobs=jobs))
