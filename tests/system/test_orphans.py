"""A command that is killed by SIGKILL leaves no process behind, whatever it has started."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import psutil
import pytest
from support.certificates import HARD as PROVEN
from support.certificates import certified
from support.interrupts import HARD as UNDECIDED

from satdoku import read
from satdoku.backends.child_oracle import ChildOracle
from satdoku.backends.solvers import SOLVERS
from satdoku.proofs import certificate
from satdoku.system import process, scratch
from satdoku.system.clock import Deadline

WAIT = 60.0  # seconds until processes have started, or have ended: only a fault takes so long

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="experimental elsewhere")


@pytest.fixture
def lines(tmp_path: Path) -> str:
    file = tmp_path / "many.txt"
    file.write_text(f"{UNDECIDED}\n" * 200)
    return str(file)


def running(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def until(what: object) -> Iterator[None]:
    """Some looks at it, until it takes too long."""
    end = monotonic() + WAIT
    while monotonic() < end:
        yield
        sleep(0.1)
    pytest.fail(f"{what}: nothing happened in {WAIT:g} s")


def killed(command: list[str], children: int) -> None:
    """Start a command, kill it once it has so many processes below it, and wait until these are gone."""
    started = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    below: list[psutil.Process] = []
    try:
        for _ in until("start"):
            below = psutil.Process(started.pid).children(recursive=True)
            if len(below) >= children:
                break
            assert started.poll() is None, "it has ended"
        sleep(0.5)  # a program that has just begun is in the middle of its start
        below = psutil.Process(started.pid).children(recursive=True)
    finally:
        started.kill()
        started.wait()
    try:
        for _ in until("end"):
            if not any(map(running, below)):
                break
    finally:
        for process in filter(running, below):
            process.kill()


SATDOKU = [sys.executable, "-m", "satdoku"]


@pytest.mark.parametrize(
    ("backend", "children"), [("kissat404", 1), ("lingeling", 1), ("exact", 1), ("race:kissat404,glucose4,cpsat", 3)]
)
def test_solvers_in_processes(backend: str, children: int) -> None:
    killed([*SATDOKU, "check", "-b", backend, UNDECIDED], children)


@pytest.mark.parametrize("setpriv", [True, False])
def test_a_program(setpriv: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not setpriv:  # a PATH on which there is none
        (tmp_path / "tail").symlink_to(str(shutil.which("tail")))
        monkeypatch.setenv("PATH", str(tmp_path))
    killed([*SATDOKU, "check", "-b", "dimacs:tail -f {cnf}", "....1.......2..."], 1)  # it never ends


def test_a_program_that_checks_a_proof(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "drat-trim"
    program.write_text("#!/bin/sh\nexec tail -f $1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    certificate.save(certificate.files(certified(read(PROVEN), "native"), {}), tmp_path / "made")
    killed([*SATDOKU, "verify", "--checker", "drat-trim", str(tmp_path / "made")], 1)
    (left,) = tmp_path.glob("satdoku-*")
    for file in (left / "lock", left):
        os.utime(file, (0, 0))
    scratch._sweep.cache_clear()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with closing(scratch.Scratch()):
        assert not left.exists()


@pytest.mark.parametrize("setpriv", [True, False])
def test_a_program_does_not_begin_without_its_parent(
    setpriv: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    touch, file = str(shutil.which("touch")), tmp_path / "began"
    if not setpriv:
        monkeypatch.setenv("PATH", str(tmp_path))
    process._ending_with.cache_clear()
    try:
        subprocess.run([*process._ending_with(os.getppid()), touch, str(file)], stderr=subprocess.DEVNULL)
        assert not file.exists()
        subprocess.run([*process._ending_with(os.getpid()), touch, str(file)], check=True)
        assert file.exists()
    finally:
        process._ending_with.cache_clear()


def test_a_child_that_a_thread_has_started_stays_when_that_thread_ends() -> None:
    made: list[ChildOracle] = []

    def start() -> None:
        made.append(ChildOracle("minisat22", partial(SOLVERS["minisat22"].open, [[1, 2]])))
        made[0].solve([], Deadline(None))  # by then the system knows with which thread it is to end

    thread = Thread(target=start)
    thread.start()
    thread.join()
    sleep(0.2)
    (oracle,) = made
    try:
        child = oracle._child
        assert oracle.solve([-1], Deadline(None)) == [-1, 2]
        assert oracle._child is child, "another one took its place"
    finally:
        oracle.close()


def test_workers(lines: str) -> None:
    killed([*SATDOKU, "check", "-j", "2", "-b", "glucose4", lines], 3)


def test_a_run_that_ends_by_itself_leaves_no_fork_server(tmp_path: Path) -> None:
    mark = f"satdoku-test-{tmp_path.name}"
    command = [*SATDOKU, "generate", "--count", "2", "--size", "4x4", "-j", "2"]
    subprocess.run(command, env={**os.environ, "MARK": mark}, stdout=subprocess.DEVNULL, timeout=300, check=True)
    left = [process for process in psutil.process_iter() if mark in variables(process)]
    assert [process for process in left if any("forkserver" in word for word in words(process))] == []


def words(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def variables(process: psutil.Process) -> list[str]:
    try:
        return list(process.environ().values()) if running(process) else []
    except psutil.Error:
        return []


def test_workers_with_solvers_of_their_own(lines: str) -> None:
    killed([*SATDOKU, "check", "-j", "2", "-b", "kissat404", lines], 5)


def test_measurements(lines: str, tmp_path: Path) -> None:
    out = str(tmp_path / "raw.jsonl")
    killed([*SATDOKU, "bench", "run", "-b", "glucose4,kissat404", "--timeout", "60", "-o", out, lines], 2)


def test_the_page() -> None:
    killed([*SATDOKU, "web", "--no-browser", "--port", "0"], 1)


def test_watching(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text(UNDECIDED)
    killed([*SATDOKU, "watch", str(file)], 2)
