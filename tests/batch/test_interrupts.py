"""Ctrl-C at any moment of any backend: status 130, one message, no traceback, no process and no file left."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.cli import TWO, UNIQUE, start
from support.interrupts import interrupted

BACKENDS = [
    "glucose4",  # stopped by another thread
    "cadical153",  # searches in slices
    "lingeling",  # in a process of its own
    "cpsat",
    "native",
    "backtrack",
    "dlx",
    "dimacs:minisat",
]

SHORT, LONG = 1, 40
"""Tries of each backend. They run 8 at a time, which keeps the machine busy."""


def faults(backends: list[str], tries: int) -> list[str]:
    """What went wrong in so many tries of each backend that is installed."""
    there = [name for name in backends if ":" not in name or shutil.which(name.partition(":")[2])]
    runs = [(name, random.Random(f"{name} {number}")) for number in range(tries) for name in there]
    with ThreadPoolExecutor(8) as together:
        return list(filter(None, together.map(lambda run: interrupted(*run), runs)))


def test_ctrl_c_at_any_moment() -> None:
    assert faults(BACKENDS, SHORT) == []


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_ctrl_c_at_any_moment_of_one(backend: str) -> None:
    assert faults([backend], LONG) == []


EARLY = """
import signal
install = signal.signal
def late(*arguments):
    signal.signal = install
    signal.raise_signal(signal.SIGINT)
signal.signal = late
from satdoku.__main__ import main
main()
"""
"""Ctrl-C when the command is about to say what it does with it."""


def test_ctrl_c_before_there_is_a_handler() -> None:
    found = subprocess.run([sys.executable, "-c", EARLY], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stderr) == (130, "satdoku: interrupted\n")


RECONFIGURED = """
import io, signal, sys
class Stream(io.TextIOWrapper):
    def reconfigure(self, **changes):
        signal.raise_signal(signal.SIGINT)
sys.stderr = Stream(sys.stderr.buffer, "utf-8", sys.stderr.errors)
from satdoku.__main__ import main
main()
"""
"""Ctrl-C while the stream of messages is reconfigured, which leaves it unusable."""


def test_the_stream_of_messages_is_left_as_python_makes_it() -> None:
    command = [sys.executable, "-c", RECONFIGURED, "check", UNIQUE]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (found.returncode, "satdoku: read as" in found.stderr) == (0, True)


def beginning_with(folder: Path, code: str) -> dict[str, str]:
    """An environment in which every process begins with some code."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(code)
    path = os.pathsep.join(filter(None, [str(folder / "site"), os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path}


PATCH = """
import os, signal, time
from pebble.pool import process
launch = process.launch_process
def launched(*arguments):
    worker = launch(*arguments)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
    return worker
process.launch_process = launched
"""
"""Ctrl-C when a worker has been started and nobody knows it yet."""


def test_a_worker_that_is_just_being_started_is_ended(file: Callable[..., str], tmp_path: Path) -> None:
    process = start("check", "-j", "2", file(f"{UNIQUE}\n{TWO}\n"), env=beginning_with(tmp_path, PATCH))
    _, messages = process.communicate(timeout=120)
    assert (process.returncode, "Traceback" in messages) == (130, False), messages
    assert "satdoku: interrupted" in messages.splitlines()


UNKNOWN = """
import os, signal, sys, time
from multiprocessing import forkserver, synchronize
read, rebuild = forkserver.read_signed, synchronize.SemLock.__setstate__
def number(stream):
    found = read(stream)
    if "forkserver" not in " ".join(sys.orig_argv):
        os.kill(os.getpid(), signal.SIGINT)
    return found
def slowly(self, state):
    parent, end = os.getppid(), time.monotonic() + 60
    while os.getppid() == parent and time.monotonic() < end:
        time.sleep(0.01)
    time.sleep(1)  # in which the main process removes its semaphores
    rebuild(self, state)
forkserver.read_signed, synchronize.SemLock.__setstate__ = number, slowly
"""
"""Ctrl-C before the number of a process is known that has been started, and reads only later what it is to do."""


def test_a_worker_whose_number_is_not_known_prints_no_traceback(file: Callable[..., str], tmp_path: Path) -> None:
    process = start("check", "-j", "2", file(f"{UNIQUE}\n{TWO}\n"), env=beginning_with(tmp_path, UNKNOWN))
    _, messages = process.communicate(timeout=120)
    assert (process.returncode, "Traceback" in messages) == (130, False), messages
    assert "satdoku: interrupted" in messages.splitlines()


IMPORTING = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "satdoku.batch.worker" and "forkserver" in " ".join(sys.orig_argv):
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
"""
"""Ctrl-C, which a terminal sends to all processes, when that which starts workers is still importing."""


def test_what_starts_workers_leaves_ctrl_c_to_the_main_process(file: Callable[..., str], tmp_path: Path) -> None:
    process = start("check", "-j", "2", file(f"{UNIQUE}\n{TWO}\n"), env=beginning_with(tmp_path, IMPORTING))
    printed, messages = process.communicate(timeout=120)
    assert (process.returncode, len(printed.splitlines())) == (1, 2), messages
    assert "Traceback" not in messages
