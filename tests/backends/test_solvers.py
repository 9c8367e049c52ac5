"""The solvers of python-sat as oracles: what each can do, in this process and in one of their own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache, partial
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Event
from unittest.mock import patch

import pytest
from pysat import solvers
from support.children import dies_at_once, dies_when_asked
from support.clocks import Ticks
from support.engines import installed

import satdoku
from satdoku import BackendError, Board, Budget, Ending, Puzzle, Session, backends, classic
from satdoku.backends import child_oracle, incremental
from satdoku.backends import solvers as module
from satdoku.backends.child import Cause, Child, Lost
from satdoku.backends.child_oracle import ChildOracle
from satdoku.backends.solvers import SOLVERS, Abilities, PropagatingSolver, PySatSolver
from satdoku.system.clock import Deadline, interruptible

INSTALLED = installed()
RUNS_ALONE = ("kissat404", "lingeling")
"""Solvers that cannot be limited and so live in a child process."""

TWO = satdoku.read("13....3131...213")
NONE = satdoku.read("2.1....3.....3..")

PROBE = """
import sys, time
from itertools import combinations
from threading import Timer
from pysat.solvers import Solver

def pigeons(holes):
    place = lambda pigeon, hole: pigeon * holes + hole + 1
    for pigeon in range(holes + 1):
        yield [place(pigeon, hole) for hole in range(holes)]
    for hole in range(holes):
        for first, second in combinations(range(holes + 1), 2):
            yield [-place(first, hole), -place(second, hole)]

def assumptions(name):
    solver = Solver(name, bootstrap_with=[[1, 2], [-1, 3]])
    if solver.solve(assumptions=[-1, -2]) or solver.solve(assumptions=[1, -3]):
        return False
    return solver.solve(assumptions=[-1]) and {-1, 2} <= set(solver.get_model()) and solver.solve()

def clauses(name):
    solver = Solver(name, bootstrap_with=[[1, 2], [3, 4]])
    if not solver.solve():
        return False
    solver.add_clause([-1])
    if not solver.solve() or not {-1, 2} <= set(solver.get_model()):
        return False
    solver.add_clause([-2])
    return not solver.solve()

def propagate(name):
    solver = Solver(name, bootstrap_with=[[-1, 2], [-2, 3], [-4, -3], [5, 6]])
    fits, literals = solver.propagate(assumptions=[1])
    clashes, _ = solver.propagate(assumptions=[1, 4])
    return fits and {1, 2, 3, -4} <= set(literals) and not {5, 6} & set(literals) and not clashes

def budget(name):
    solver = Solver(name, bootstrap_with=pigeons(11))
    for _ in range(3):
        started = time.process_time()
        solver.conf_budget(1000)
        if solver.solve_limited() is not None or time.process_time() - started > 60:
            return False
    return True

def interrupt(name):
    Solver(name).interrupt()
    solver = Solver(name, bootstrap_with=pigeons(11))
    Timer(0.2, solver.interrupt).start()
    return solver.solve_limited(expect_interrupt=True) is None

def proof(name):
    solver = Solver(name, bootstrap_with=pigeons(5), with_proof=True)
    return not solver.solve() and len(solver.get_proof()) > 1 and solver.get_proof()[-1].split() == ["0"]

name, *probes = sys.argv[1:]
for probe in probes:
    try:
        able = globals()[probe](name)
    except NotImplementedError:
        able = False
    print(probe, "able" if able else "unable", flush=True)
"""
"""Says which abilities a solver has. In a process of its own, since some abort or never return."""


@cache
def abilities(name: str) -> dict[str, bool]:
    """What the probe finds; an abort, a wrong answer and a run without end all mean no."""
    found: dict[str, bool] = {}
    left = ["assumptions", "propagate", "proof", "clauses", "budget", "interrupt"]
    while left:
        command = [sys.executable, "-W", "ignore", "-c", PROBE, name, *left]
        try:
            done = subprocess.run(command, capture_output=True, timeout=20)
            printed, errors = done.stdout.decode(), done.stderr.decode()
        except subprocess.TimeoutExpired as expired:
            printed, errors = (expired.stdout or b"").decode(), ""
        # python-sat's destructors complain where a constructor has refused to make a solver.
        assert "Traceback" not in errors or errors.startswith("Exception ignored"), errors
        found |= {probe: word == "able" for probe, word in map(str.split, printed.splitlines()) if probe in left}
        left = [probe for probe in left if probe not in found]
        if left:
            found[left.pop(0)] = False
    return found


ROWS = [row for row in SOLVERS.values() if row.name in INSTALLED]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
class TestAbilities:
    def test_incremental_is_assumptions_and_clauses_after_a_solve(self, row: Abilities) -> None:
        assert row.incremental is (abilities(row.name)["assumptions"] and abilities(row.name)["clauses"])

    def test_propagate_works_or_is_not_claimed(self, row: Abilities) -> None:
        assert row.propagate is abilities(row.name)["propagate"]

    def test_a_limit_is_claimed_where_a_conflict_budget_limits_a_hard_solve(self, row: Abilities) -> None:
        assert row.limit is abilities(row.name)["budget"]

    def test_another_thread_can_interrupt_or_it_is_not_claimed(self, row: Abilities) -> None:
        assert row.interrupt is abilities(row.name)["interrupt"]

    def test_a_claimed_proof_ends_in_the_empty_clause(self, row: Abilities) -> None:
        assert not row.proof or abilities(row.name)["proof"]

    def test_the_labels_are_the_row(self, row: Abilities) -> None:
        assert ("assumptions" in row.labels()) is row.incremental
        assert ("conflict budget" in row.labels()) is row.limit
        assert backends.engine(row.name).abilities == row.labels()


class TestSolversInAProcess:
    @pytest.fixture(params=RUNS_ALONE)
    def oracle(self, request: pytest.FixtureRequest) -> Iterator[ChildOracle]:
        if request.param not in INSTALLED:
            pytest.skip(f"{request.param} is not installed")
        solver = ChildOracle(request.param, partial(SOLVERS[request.param].open, [[1, 2], [-1, 3]]))
        yield solver
        solver.close()

    def test_it_takes_assumptions_and_clauses_that_stay(self, oracle: ChildOracle) -> None:
        never = Deadline(None)
        assert oracle.solve([-1, -2], never) is Ending.EXHAUSTED
        model = oracle.solve([1], never)
        assert not isinstance(model, Ending)
        assert {1, 3} <= set(model)
        oracle.add_clause([-1])
        assert oracle.solve([-2], never) is Ending.EXHAUSTED
        assert oracle.solve([1], never) is Ending.EXHAUSTED
        assert not isinstance(oracle.solve([], never), Ending)

    def test_a_process_that_dies_is_a_backend_error_and_the_next_search_runs(
        self, oracle: ChildOracle, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        child = oracle._child
        assert child is not None
        child.kill()
        monkeypatch.setattr(child, "alive", lambda: True)  # it dies just after it was looked at
        with pytest.raises(BackendError, match="died while it was solving"):
            oracle.solve([], Deadline(None))
        assert not isinstance(oracle.solve([], Deadline(60)), Ending)

    def test_clauses_that_a_killed_process_had_are_kept(self, oracle: ChildOracle) -> None:
        oracle.add_clause([-1])
        assert not isinstance(oracle.solve([], Deadline(None)), Ending)
        with patch.object(Child, "receive", side_effect=Lost(Cause.TIME, "it took too long")):
            assert oracle.solve([], Deadline(60)) is Ending.TIMEOUT
        assert oracle.solve([1], Deadline(None)) is Ending.EXHAUSTED

    def test_clauses_added_while_no_process_runs_are_kept(self, oracle: ChildOracle) -> None:
        oracle.close()
        oracle.add_clause([-1])
        assert oracle.solve([1], Deadline(None)) is Ending.EXHAUSTED

    def test_candidates_stay_removed_in_the_search_after_a_timeout(self) -> None:
        board = Board(2, 3, 2, ())
        puzzle = Puzzle(board, (0b1010, 0b1010))
        with Session("kissat404", "log") as session:
            session.load(puzzle)
            session.backend._solver.oracle.close()  # type: ignore[attr-defined]  # as a timeout does
            assert session.run(puzzle, Budget(None)).count == 4

    def test_no_time_left_is_a_timeout_without_a_solve(self, oracle: ChildOracle) -> None:
        assert oracle.solve([], Deadline(0)) is Ending.TIMEOUT

    def test_closing_ends_the_process_and_may_be_repeated(self, oracle: ChildOracle) -> None:
        child = oracle._child
        assert child is not None
        oracle.close()
        assert not child.alive()
        oracle.close()


EMPTY = """
import sys
from satdoku.backends.solvers import SOLVERS
from satdoku.system.clock import Deadline
for row in map(SOLVERS.__getitem__, sys.argv[1:]):
    solver = row.open([])
    consistent = not row.propagate or solver.propagate([])[0]
    print(row.name, consistent, isinstance(solver.solve([], Deadline(None)), list))
    solver.close()
"""


def test_a_formula_without_clauses_is_satisfiable() -> None:
    names = [row.name for row in ROWS]
    done = subprocess.run([sys.executable, "-c", EMPTY, *names], capture_output=True, text=True)
    assert done.stdout.splitlines() == [f"{name} True True" for name in names], done.stderr


@pytest.mark.parametrize("serve", [dies_at_once, dies_when_asked])
def test_the_last_message_of_a_crash_is_shown(
    monkeypatch: pytest.MonkeyPatch, serve: Callable[[Connection], None]
) -> None:
    monkeypatch.setattr(child_oracle, "serve", serve)
    with pytest.raises(
        BackendError, match=r"^kissat404 died while it .*: the process ended with status 1: out of luck$"
    ):
        satdoku.check(Puzzle.from_givens(classic(5, 5), {}), backend="kissat404")


def test_the_rate_is_kept_by_making_the_solver_anew_without_losing_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(incremental, "MAX_RELEASED", 3)
    with Session("cadical153") as session:
        counts = [session.run(puzzle, Budget(None)).count for puzzle in (TWO, NONE) * 6]
    assert counts == [2, 0] * 6


SEARCH = """
import sys
from satdoku import Budget, Session, Puzzle
from support.puzzles import switched_formula

with Session(sys.argv[1]) as session:
    hard = Puzzle.from_givens(switched_formula(), {0: 1})
    session.load(hard)
    try:
        print("loaded", flush=True)
        session.run(hard, Budget(2))
    except KeyboardInterrupt:
        sys.exit(130)
"""
"""A search that takes hours."""


class Stub:
    """Stands for a solver of python-sat that needs more conflicts than it is given, and is slow."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.budgets: list[int] = []
        self.main_thread: list[bool] = []
        self.time = 0.0
        self._seconds = seconds
        self._interrupted = Event()

    def conf_budget(self, conflicts: int) -> None:
        self.budgets.append(conflicts)

    def solve_limited(self, assumptions: list[int], expect_interrupt: bool = False) -> bool | None:
        self.main_thread.append(solvers.MainThread.check())
        if expect_interrupt:
            assert self._interrupted.wait(60)
        self.time += self._seconds * self.budgets[-1]
        return None

    def propagate(self, assumptions: list[int]) -> tuple[bool, list[int]]:
        self.main_thread.append(solvers.MainThread.check())
        return True, assumptions

    def interrupt(self) -> None:
        self._interrupted.set()

    def clear_interrupt(self) -> None:
        self._interrupted.clear()


class TestStopping:
    @pytest.mark.skipif(os.name != "posix", reason="signals are sent as on POSIX")
    @pytest.mark.parametrize("backend", ["cadical153", "glucose4"])
    def test_ctrl_c_ends_a_search_without_a_crash(self, backend: str) -> None:
        path = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
        command = [sys.executable, "-c", SEARCH, backend]
        for delay in (0.0, 0.3):
            with subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path}
            ) as process:
                assert process.stdout is not None
                assert process.stdout.readline() == b"loaded\n"
                time.sleep(delay)
                process.send_signal(signal.SIGINT)
                try:
                    _, errors = process.communicate(timeout=60)
                finally:
                    process.kill()
            assert (process.returncode, errors) == (130, b"")

    def test_python_sat_never_sets_its_handler(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stub = Stub()
        solver = PropagatingSolver(SOLVERS["cadical153"], [])
        monkeypatch.setattr(solver, "_solver", stub)
        solver.propagate([1])
        assert solver.solve([], Ticks(3)) is Ending.TIMEOUT
        assert stub.main_thread == [False] * 4
        assert solvers.MainThread.check()

    def test_a_slice_takes_the_same_time_however_slow_conflicts_are(self, monkeypatch: pytest.MonkeyPatch) -> None:
        for seconds, last in ((0.01, 10), (1e-4, 1_000), (1e-9, 100_000)):
            stub = Stub(seconds)
            monkeypatch.setattr(module, "monotonic", lambda stub=stub: stub.time)
            solver = PySatSolver(SOLVERS["cadical153"], [])
            monkeypatch.setattr(solver, "_solver", stub)
            assert solver.solve([], Ticks(4)) is Ending.TIMEOUT
            assert stub.budgets[0] == module.FIRST_SLICE
            assert stub.budgets[-1] == last

    def test_a_solver_that_can_be_interrupted_is_at_the_deadline(self, monkeypatch: pytest.MonkeyPatch) -> None:
        stub = Stub()
        solver = PySatSolver(SOLVERS["glucose4"], [])
        monkeypatch.setattr(solver, "_solver", stub)
        assert solver.solve([], Deadline(0.1)) is Ending.TIMEOUT
        assert stub.budgets == [module.FIRST_SLICE, -1]

    def test_an_error_of_the_solver_comes_through_its_thread(self) -> None:
        def fail() -> None:
            raise MemoryError("no room")

        with pytest.raises(MemoryError, match="no room"):
            interruptible(fail, lambda: None, Deadline(None))


def test_a_child_that_takes_the_place_of_another_knows_all_clauses() -> None:
    solver = ChildOracle("minisat22", partial(SOLVERS["minisat22"].open, [[1, 2]]))
    try:
        solver.add_clause([-1])
        assert solver.solve([], Deadline(None)) == [-1, 2]
        assert solver._child is not None
        solver._child.kill()
        assert solver.solve([1], Deadline(None)) is Ending.EXHAUSTED
    finally:
        solver.close()


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no masks of signals here")
def test_an_interrupt_waits_until_a_solver_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    solver = PySatSolver(SOLVERS["glucose4"], [[1]])
    delete, freed = solver._solver.delete, list[bool]()

    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        delete()
        freed.append(True)

    monkeypatch.setattr(solver._solver, "delete", interrupted)
    with pytest.raises(KeyboardInterrupt):
        solver.close()
    assert freed
