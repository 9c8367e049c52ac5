"""Runs of many puzzles: inputs, commands in processes of their own, and the processes that they start."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from satdoku.inputs import streams
from support.cli import CLASH, NINE, NONE, TWO, UNIQUE

MIXED = [UNIQUE, "", "# a comment", TWO, NINE, CLASH, NONE, "12x4", "." * 81, f"{NINE} with a field", "1" * 15, UNIQUE]


def patched(folder: Path, before: str) -> dict[str, str]:
    """An environment in which the plain searches do `before` at each puzzle, in every process."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(
        "import os, signal, time\n"
        "from satdoku.backends.plain import PythonBackend\n"
        "run = PythonBackend._run\n"
        "def patched(self, puzzle, budget):\n"
        f"    {before}\n"
        "    return run(self, puzzle, budget)\n"
        "PythonBackend._run = patched\n"
    )
    path = os.pathsep.join(filter(None, [str(folder / "site"), os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path}


SLOW = "time.sleep(0.003)"
"""Long enough that a run is still under way when a test kills something of it."""


def lines(count: int, seed: int = 0) -> str:
    rng = random.Random(seed)
    return "".join(f"{rng.choice(MIXED)}\n" for _ in range(count))


def workers(parent: int) -> list[int]:
    """The processes below a forkserver of `parent`."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "stat").read_text().rpartition(")")[2].split()
                grand = (Path("/proc") / line[1] / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if int(grand) == parent:
                found.append(int(folder.name))
    return sorted(found)


def runs(number: str) -> bool:
    try:
        return (Path("/proc") / number / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def killed_another(parent: int, killed: set[int]) -> bool:
    """Kills a worker that is not among `killed` and joins it to them, if there is one."""
    for worker in {*workers(parent)} - killed:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
            killed.add(worker)
            return True
    return False


def wait_for(event: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not event():
        assert time.monotonic() < end
        time.sleep(0.02)


def zstd(data: bytes) -> bytes:
    return streams.zstd().compress(data)  # type: ignore[no-any-return]


class Sleeping:
    """A task whose chunks say how long they take.

    It is here as workers import it by name: they may find another folder named `tests` among the installed packages.
    """

    def open(self, folder: Path | None = None) -> Sleeping:
        return self

    def collect(self, chunk: float) -> Any:
        time.sleep(chunk)
        return os.getpid()

    def result(self) -> Any: ...

    def stopped(self, chunk: Any, seconds: float) -> Any: ...

    def given_up(self, chunk: Any, reason: str) -> Any: ...
