"""Ctrl-C at a moment of a run: the command in a process of its own, what it left."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from support.batch import wait_for
from support.cli import EMPTY_NINE

BEGUN = """
import signal
import satdoku.__main__

handle = signal.signal

def begin(*handler):
    signal.signal = handle
    handle(*handler)
    print("begun", flush=True)

signal.signal = begin
satdoku.__main__.main()
"""
"""The command, which prints "begun" as soon as it handles Ctrl-C: what comes before is Python's."""

INTERRUPTED = "satdoku: interrupted"


def _hard(box: int, givens: float) -> str:
    """A puzzle that no backend decides within MAX_DELAY: that part of a shuffled grid whose boxes have such a side."""
    rng, values = random.Random(1), box * box

    def shuffled() -> list[int]:
        return [band * box + line for band in rng.sample(range(box), box) for line in rng.sample(range(box), box)]

    rows, columns, names = shuffled(), shuffled(), rng.sample(range(1, values + 1), values)
    grid = [names[(box * (row % box) + row // box + column) % values] for row in rows for column in columns]
    return ",".join(str(value) if rng.random() < givens else "." for value in grid)


MAX_DELAY = 4.0
HARD = _hard(6, 0.42)

SEARCHES = (
    ["count", "--all", EMPTY_NINE],  # many grids
    ["check", HARD],  # a long search
    ["check", "-j", "2", "-", "--timeout", "100"],
)


def interrupted(backend: str, rng: random.Random) -> str | None:
    """Interrupt a search of a backend at a random moment; what went wrong, None if nothing did."""
    command = [sys.executable, "-c", BEGUN, *rng.choice(SEARCHES), "-b", backend]
    delay = MAX_DELAY * rng.random() ** 2
    with TemporaryDirectory() as folder:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | {"TMPDIR": folder},
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        if "-" in command:
            process.stdin.write(f"{HARD}\n" * 9)
            process.stdin.flush()  # and not closed: there is more to come
        process.stdout.readline()
        time.sleep(delay)
        ended = process.poll() is not None
        process.send_signal(signal.SIGINT)
        try:
            _, messages = process.communicate(timeout=300)
        except subprocess.TimeoutExpired:
            process.kill()
            messages = f"a hang, {process.communicate()[1]}"
        with suppress(AssertionError):
            wait_for(lambda: not left(folder))
        remaining = [*left(folder), *(str(path) for path in Path(folder).glob("satdoku-*"))]
    lines = messages.splitlines()
    if (
        not ended
        and process.returncode == 130
        and "Traceback" not in messages
        and INTERRUPTED in lines
        and not remaining
    ):
        return None
    shown = " ".join(word[:20] for word in command[3:])
    return f"{shown}, after {delay:.3f} s: status {process.returncode}, left {remaining}: {messages[-1500:]}"


def left(folder: str) -> list[str]:
    """Processes whose temporary files go to a folder."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            if process.environ().get("TMPDIR", "").startswith(folder) and process.status() != psutil.STATUS_ZOMBIE:
                found.append(" ".join(process.cmdline()))
    return found
