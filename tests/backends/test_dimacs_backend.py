"""Backend `dimacs`: any executable, its exit status, its time, its children and its files."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from support.batch import wait_for
from support.cli import run
from support.consumers import program

from satdoku import BackendError, Budget, Ending, InputError, Session, Verdict, WrongAnswer, check, classic, count, read
from satdoku import testing as kit
from satdoku.backends import dimacs, find
from satdoku.encoders.cnf import encode
from satdoku.system.clock import Deadline

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shell scripts stand for solvers")

TWO = read("13....3131...213", name="two")
HARD = read("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
UNSATISFIABLE = "echo s UNSATISFIABLE; exit 20"
MODEL = "1 -2 -3 -4 -5 -6 7 -8 -9 10 -11 -12 -13 -14 -15 16 -17 18 -19 -20 -21 -22 -23 24 -25 -26 27 -28 29 -30 -31 -32"


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary files go in this test; none is left when it ends."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    yield folder
    assert list(folder.iterdir()) == []


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], str]:
    """Makes a solver of a shell script; gives the name of the backend."""

    def make(script: str) -> str:
        file = tmp_path / "solver"
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return f"dimacs:{file}"

    return make


def installed(name: str) -> str:
    reason = program(name, name)()
    if reason:
        pytest.skip(reason)
    return f"dimacs:{name}"


def alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def gone(pid_file: Path) -> bool:
    """Whether the process whose number a script wrote has ended, within two seconds."""
    pid = int(pid_file.read_text())
    for _ in range(200):
        if not alive(pid):
            return True
        time.sleep(0.01)
    return False


class TestAnswers:
    @pytest.mark.parametrize("solver", ["minisat", "cadical"])
    @pytest.mark.parametrize("encoding", ["extended", "order", "minimal+reduced"])
    def test_random_boards_have_exactly_the_grids_of_brute_force(self, solver: str, encoding: str) -> None:
        backend = installed(solver)
        assert kit.first_fault(partial(find, backend, encoding), kit.cases(2, start=40)) is None

    @pytest.mark.parametrize("solver", ["minisat", "cadical", "cryptominisat5", "picosat", "kissat", "glucose"])
    def test_the_name_of_a_known_solver_is_enough(self, solver: str) -> None:
        backend = installed(solver)
        assert count(TWO, backend=backend).count == 2
        assert check(read("12343412214343.."), backend=backend).verdict is Verdict.UNIQUE
        assert check(read("12....3........."), backend=backend).verdict is Verdict.UNSOLVABLE

    @pytest.mark.parametrize("command", ["minisat {cnf} {out}", "cadical -q", "sh -c 'cadical -q {cnf}'"])
    def test_commands_take_their_files_where_they_want_them(self, command: str) -> None:
        for name in ("minisat", "cadical"):
            installed(name)
        assert count(TWO, backend=f"dimacs:{command}").count == 2

    def test_a_path_is_known_by_its_last_part(self, tmp_path: Path) -> None:
        installed("minisat")
        path = subprocess.run(["which", "minisat"], capture_output=True, text=True).stdout.strip()
        (tmp_path / "a b").mkdir()
        (tmp_path / "a b" / "minisat").symlink_to(path)
        assert count(TWO, backend=f"dimacs:'{tmp_path / 'a b' / 'minisat'}'").count == 2

    def test_each_solve_writes_a_valid_file(self) -> None:
        from satdoku.exports import cnf_file

        clauses = encode(classic(2, 2)).clauses
        oracle = dimacs.ExecutableOracle(["true", "{cnf}"], clauses)
        try:
            for step in range(3):
                oracle.add_clause([-65 - step, 1])
                with pytest.raises(BackendError):
                    oracle.solve([2, 65], Deadline(None))
                file = cnf_file.read(oracle._program.cnf.read_bytes())
                assert file.variables == 65 + step
                assert file.literals.tolist()[-4:] == [2, 0, 65, 0]
                assert (file.literals == 0).sum() == len(clauses) + step + 3
        finally:
            oracle.close()

    def test_many_puzzles_of_one_board_share_a_backend(self) -> None:
        with Session(installed("cadical")) as session:
            for _ in range(3):
                assert session.run(TWO, Budget(None)).count == 2
                assert session.run(read("1..............."), Budget(5)).ending is Ending.LIMIT


class TestFailures:
    @pytest.mark.parametrize(
        ("script", "message"),
        [
            (
                "echo one; echo two; echo three; echo four; exit 3",
                "ended with status 3, expected 10 or 20: two / three",
            ),
            ("echo to nobody; echo broken >&2; exit 0", "ended with status 0, expected 10 or 20: broken"),
            ("exit 0", "ended with status 0, expected 10 or 20"),
            ("kill -SEGV $$", "was ended by signal 11"),
            ("echo garbage; exit 10", "line 1: 'garbage': expected a solver's answer"),
            ("head -c 3000 /dev/zero; exit 10", "line 1: bytes that are not text"),
            ("echo s SATISFIABLE; exit 10", "satisfiable, but without values"),
            ("echo s SATISFIABLE; echo v 1 -2; exit 10", "it is cut off: the values end after literal -2"),
            ("echo s SATISFIABLE; echo v 1 -1 0; exit 10", "literal -1 contradicts literal 1"),
            ("echo s SATISFIABLE; echo v 1 0; exit 10", "the model gives r1c2 no value"),
            ("echo s UNSATISFIABLE; exit 10", "ended with status 10 and printed unsatisfiable"),
            ("echo s SATISFIABLE; echo v 1 0; exit 20", "ended with status 20 and printed satisfiable"),
            ("echo s SATISFIABLE; echo s UNSATISFIABLE; exit 20", "line 2: unsatisfiable, after satisfiable before it"),
            ("echo s SATISFIABLE; echo s UNSATISFIABLE; exit 10", "line 2: unsatisfiable, after satisfiable before it"),
            ("head -c 100000 /dev/zero; exit 20", "line 1: bytes that are not text"),
            ("exit 20", "it is empty: expected a solver's answer, `s UNSATISFIABLE`"),
            ("echo c done; exit 20", "it has comments alone: expected a solver's answer, `s UNSATISFIABLE`"),
            ("echo UNSATISFIABLE >&2; exit 20", "it is empty: expected a solver's answer, `s UNSATISFIABLE`"),
            ("echo s UNKNOWN; exit 20", "ended with status 20 and printed unknown"),
            ("printf '\\377\\376'; echo; echo s UNSATISFIABLE; exit 20", "line 1: bytes that are not text"),
            ("echo s UNSATISFIABLE; printf '\\0'; exit 20", "line 2: bytes that are not text"),
            ("echo s UNSATISFIABLE; echo out of memory; exit 20", "line 2: 'out of memory' after unsatisfiable"),
            ("echo s UNSATISFIABLE; echo 1 2 3 0; exit 20", "line 2: '1 2 3 0' after unsatisfiable"),
            ("echo out of memory; exit 20", "line 1: 'out of memory': expected a solver's answer"),
        ],
    )
    def test_an_answer_that_is_none_is_an_error_with_its_last_lines(
        self, fake: Callable[[str], str], script: str, message: str
    ) -> None:
        with pytest.raises(BackendError) as caught:
            check(TWO, backend=fake(script))
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)

    def test_one_that_gives_up_leaves_it_undecided(self, fake: Callable[[str], str]) -> None:
        outcome = check(TWO, backend=fake("echo c limit; echo s UNKNOWN; exit 0"))
        assert (outcome.verdict, outcome.ending) == (Verdict.UNDECIDED, Ending.TIMEOUT)

    @pytest.mark.parametrize("status", [10, 20])
    def test_a_missing_or_empty_file_of_answers_is_reported(self, fake: Callable[[str], str], status: int) -> None:
        with pytest.raises(BackendError, match=r"wrote no answer to \{out\}"):
            check(TWO, backend=fake(f"exit {status}") + " {cnf} {out}")
        with pytest.raises(BackendError, match="it is empty"):
            check(TWO, backend=fake(f"echo s UNSATISFIABLE; : > $2; exit {status}") + " {cnf} {out}")

    def test_a_wrong_grid_is_caught_by_the_referee(self, fake: Callable[[str], str]) -> None:
        wrong = " ".join(str(4 * cell + 1) for cell in range(16))
        with pytest.raises(WrongAnswer):
            check(TWO, backend=fake(f"echo s SATISFIABLE; echo v {wrong} 0; exit 10"))

    @pytest.mark.parametrize("says", ["s UNSATISFIABLE", "UNSATISFIABLE", "UNSAT"])
    @pytest.mark.parametrize("to_file", [False, True], ids=["printed", "file"])
    def test_unsatisfiable_is_printed_or_written_to_the_file(
        self, fake: Callable[[str], str], says: str, to_file: bool
    ) -> None:
        backend = fake(f"echo {says} > $2; exit 20") + " {cnf} {out}" if to_file else fake(f"echo {says}; exit 20")
        assert check(TWO, backend=backend).verdict is Verdict.UNSOLVABLE

    @pytest.mark.parametrize(
        ("name", "message"),
        [
            ("dimacs", "needs a command, such as"),
            ("dimacs:", "needs a command, such as"),
            ("dimacs:no-such-solver {cnf}", "no program 'no-such-solver' on PATH; found here: "),
            ("dimacs:'minisat", "No closing quotation"),
        ],
    )
    def test_a_command_that_is_none_is_an_input_error(self, name: str, message: str) -> None:
        with pytest.raises(InputError) as caught:
            find(name)
        assert message in str(caught.value)

    def test_a_file_that_is_no_program_is_one_line(self, fake: Callable[[str], str], tmp_path: Path) -> None:
        name = fake("")
        (tmp_path / "solver").write_bytes(b"\x7fELF nothing")
        # Where the system ends programs with this process, a shell has a look at it first.
        with pytest.raises(BackendError, match=r"solver (cannot be run|ended with status 12[67])"):
            check(TWO, backend=name)

    def test_the_command_line_says_it_in_one_line(self, fake: Callable[[str], str]) -> None:
        result = run("check", "-b", fake("echo oops; exit 1"), "13....3131...213")
        assert result.exit_code == 4
        assert "oops" in result.stderr
        assert "Traceback" not in result.stderr


class TestTime:
    def test_a_timeout_kills_the_solver_and_its_children(self, fake: Callable[[str], str], tmp_path: Path) -> None:
        backend = fake(f"sleep 9999 &\necho $! > {tmp_path}/child\necho $$ > {tmp_path}/self\nwait")
        outcome = check(TWO, backend=backend, timeout=3)
        assert (outcome.verdict, outcome.ending) == (Verdict.UNDECIDED, Ending.TIMEOUT)
        assert gone(tmp_path / "child")
        assert gone(tmp_path / "self")

    def test_systems_that_cannot_watch_a_process(
        self, fake: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delattr("os.pidfd_open", raising=False)
        assert check(TWO, backend=fake(f"sleep 0.2; {UNSATISFIABLE}")).ending is Ending.EXHAUSTED
        assert check(TWO, backend=fake("sleep 9999"), timeout=0.3).ending is Ending.TIMEOUT

    def test_a_solver_that_ignores_signals_is_killed(self, fake: Callable[[str], str]) -> None:
        outcome = check(TWO, backend=fake("trap '' TERM INT HUP\nwhile :; do :; done"), timeout=0.3)
        assert outcome.ending is Ending.TIMEOUT

    def test_children_that_outlive_the_solver_are_killed(self, fake: Callable[[str], str], tmp_path: Path) -> None:
        assert check(TWO, backend=fake(f"sleep 60 &\necho $! > {tmp_path}/child\n{UNSATISFIABLE}")).count == 0
        assert gone(tmp_path / "child")

    @pytest.mark.skipif(shutil.which("setsid") is None, reason="setsid is not on PATH")
    @pytest.mark.parametrize("then", ["wait", UNSATISFIABLE])
    def test_what_a_solver_starts_in_another_session_is_killed(
        self, fake: Callable[[str], str], tmp_path: Path, then: str
    ) -> None:
        child = f"setsid sh -c 'echo $$ > {tmp_path}/child; exec sleep 60' &"
        orphan = f"(setsid sh -c 'echo $$ > {tmp_path}/orphan; exec sleep 60' &)"
        both = f"until [ -s {tmp_path}/child ] && [ -s {tmp_path}/orphan ]; do sleep 0.01; done"
        timeout = 5 if then == "wait" else None
        outcome = check(TWO, backend=fake(f"{child}\n{orphan}\n{both}\n{then}"), timeout=timeout)
        assert outcome.ending is (Ending.TIMEOUT if then == "wait" else Ending.EXHAUSTED)
        assert gone(tmp_path / "child")
        assert gone(tmp_path / "orphan")

    def test_a_flood_of_output_does_not_block(self, fake: Callable[[str], str]) -> None:
        script = "i=0; while [ $i -lt 3000 ]; do echo c 0123456789012345678901234567890123456789 $i; i=$((i+1)); done"
        assert check(TWO, backend=fake(f"{script}; {script} >&2; {UNSATISFIABLE}")).count == 0

    def test_time_that_is_over_before_it_begins_is_a_timeout(self, fake: Callable[[str], str]) -> None:
        assert check(TWO, backend=fake(UNSATISFIABLE), timeout=1e-9).ending is Ending.TIMEOUT

    def test_an_abandoned_search_leaves_no_files(self) -> None:
        backend = find(installed("minisat"))
        search = backend.search(TWO, Budget(None))
        next(search)
        search.close()
        backend.close()

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
    def test_a_signal_ends_the_solver_and_removes_the_files(
        self, fake: Callable[[str], str], tmp_path: Path, number: signal.Signals
    ) -> None:
        backend = fake(f"sleep 9999 &\necho $! > {tmp_path}/new; mv {tmp_path}/new {tmp_path}/child\nwait")
        command = [sys.executable, "-m", "satdoku", "check", "-b", backend, "13....3131...213"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            wait_for((tmp_path / "child").exists)
            process.send_signal(number)
            _, message = process.communicate(timeout=120)
        assert process.returncode == (130 if number is signal.SIGINT else 143)
        assert "Traceback" not in message
        assert gone(tmp_path / "child")


class TestTable:
    def test_backends_shows_those_on_the_path(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        for name in ("picosat", "kissat"):
            (tmp_path / name).write_text("#!/bin/sh\n")
            (tmp_path / name).chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert dimacs.on_path() == ("dimacs:kissat", "dimacs:picosat")
        rows = run("backends", "--json").stdout.splitlines()
        assert any('"forms": ["dimacs:kissat", "dimacs:picosat"]' in row for row in rows)
        table = run("backends").stdout
        assert re.search(r"dimacs:\s*picosat", table)
        monkeypatch.setenv("PATH", "")
        with pytest.raises(InputError, match="found here: none"):
            find("dimacs")

    def test_bench_takes_the_forms(self) -> None:
        backend = installed("minisat")
        result = run("bench", "run", "-b", f"{backend},glucose4", "13....3131...213", "--json")
        assert result.exit_code == 0
        assert backend in result.stdout
