"""A run of which anything is killed at any moment: what is written in the end is what an undisturbed run writes."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import psutil

from satdoku.inputs import streams
from support.batch import SLOW, lines, patched, wait_for
from support.cli import start

KILLED = ("main", "worker", "starter")
"""The process that hands out, one that answers, the one that starts these."""

FORMS: tuple[tuple[str, ...], ...] = (
    ("out.csv",),
    ("out.csv.zst",),
    ("out.jsonl",),
    ("out.jsonl.gz",),
    ("out.txt", "out.tsv.zst"),
    ("out.csv", "out.jsonl", "out.txt.gz"),
    ("out.json",),
    ("out.parquet", "out.csv"),
)
"""The outputs of a run."""


def arguments(outputs: tuple[str, ...]) -> list[str]:
    return ["check", "-b", "backtrack", *(word for name in outputs for word in ("-o", name))]


def victim(kind: str, process: subprocess.Popen[str]) -> psutil.Process | None:
    """A process of a run; None while there is none."""
    with suppress(psutil.Error):
        main = psutil.Process(process.pid)
        if kind == "main":
            return main
        starters = [child for child in main.children() if any("forkserver" in word for word in child.cmdline())]
        workers = [worker for starter in starters for worker in starter.children()]
        return next(iter(random.sample(workers, len(workers)) if kind == "worker" else starters), None)
    return None


WRONG = ("Traceback", "given up")
"""What no message has: a puzzle is given up if two workers die on it, and there is no run of which two are killed."""

WRONG_OF_KILLED = ("/satdoku/", "given up")
"""What no message has once the main process is killed: a worker that it was starting then fails in Python's
multiprocessing, with a traceback in which nothing of ours stands."""

Begin = Callable[[bool], subprocess.Popen[str]]


def begun(files: Sequence[Path], process: subprocess.Popen[str]) -> bool:
    """Whether a run has begun its outputs, or has ended: with Parquet among them it has no journal."""
    return any(file.exists() for file in files) or process.poll() is not None


def disturbed(
    rng: random.Random, kills: int, folder: Path, outputs: tuple[str, ...], begin: Begin
) -> tuple[Counter[str], str | None]:
    """Run to the end in spite of so many kills: how often each kind of process was killed, and what went wrong.

    begin: starts the run, or goes on with it
    """
    done: Counter[str] = Counter()
    journal, resume = folder / f"{outputs[0]}.unfinished", False
    files = [journal, *(folder / name for name in outputs)]
    while True:
        process = begin(resume)
        while done.total() < kills and process.poll() is None:
            wait_for(partial(begun, files, process), 120)
            kind = KILLED[(done.total() + kills) % 3]
            time.sleep(rng.random() * rng.choice([0.05, 0.5, 2.0]))
            found = victim(kind, process)
            if found is not None and process.poll() is None:
                with suppress(psutil.Error):
                    found.kill()
                    done[kind] += 1
                if kind == "main":
                    break
        _, messages = process.communicate(timeout=300)
        if any(word in messages for word in (WRONG_OF_KILLED if process.returncode == -9 else WRONG)):
            return done, f"not the right message: {messages[-1500:]}"
        if process.returncode not in (-9, 4):  # 4: workers were lost faster than they could be replaced
            if process.returncode != 2:  # some lines are not puzzles
                return done, f"status {process.returncode}: {messages[-1500:]}"
            return done, f"{journal.name} is left" if journal.exists() else None
        resume = journal.exists()
        if not resume:
            for name in outputs:
                (folder / name).unlink(missing_ok=True)


def content(path: Path) -> object:
    """What an output holds, unpacked."""
    if path.suffix == ".parquet":
        import pyarrow.parquet as parquet

        return parquet.read_table(path).to_pylist()
    with path.open("rb") as stream:
        return streams.plain(stream).read()


@cache
def whole(outputs: tuple[str, ...], number: int) -> dict[str, object]:
    """The input, under `input`, and what an undisturbed run in one process writes."""
    text = lines(number)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "p.txt").write_text(text)
        process = start(*arguments(outputs), "-j", "1", "p.txt", cwd=folder)
        _, messages = process.communicate(timeout=300)
        assert process.returncode == 2, messages[-2000:]
        return {"input": text, **{each: content(folder / each) for each in outputs}}


def tried(number: int, kills: int, size: int = 800) -> tuple[Counter[str], str | None]:
    """A run with the outputs of a number, and kills: which there were, and what went wrong."""
    rng, outputs = random.Random(number), FORMS[number % len(FORMS)]
    expected = whole(outputs, size)
    with tempfile.TemporaryDirectory(prefix="kills") as name:  # short: it has the socket of a fork server
        folder = Path(name)
        (folder / "p.txt").write_text(str(expected["input"]))
        environment = patched(folder, SLOW) | {"TMPDIR": name}

        def begin(resume: bool) -> subprocess.Popen[str]:
            jobs = str(rng.choice([1, 2, 2, 3]))
            more = ["--resume"] if resume else []
            return start(*arguments(outputs), "-j", jobs, *more, "p.txt", env=environment, cwd=folder)

        done, fault = disturbed(rng, kills, folder, outputs, begin)
        differ = [each for each in outputs if fault is None and content(folder / each) != expected[each]]
        if fault is None and not differ:
            fault = leftovers(folder, environment)
    return done, f"{', '.join(differ)}: lines are lost or doubled" if differ else fault


def leftovers(folder: Path, environment: dict[str, str]) -> str | None:
    """What killed runs have left in the temporary folder, after a further run, which removes it."""
    for left in folder.glob("satdoku-*"):  # of main processes that were killed
        for file in (*left.glob("lock"), left):
            os.utime(file, (0, 0))
    process = start("check", "-j", "2", "-b", "backtrack", "1234341221434...", "x", env=environment)
    process.communicate(timeout=300)
    names = [path.name for path in folder.glob("satdoku-*")]
    return f"{', '.join(names)} left in the temporary folder" if names else None


def attempt(number: int) -> str | None:
    """One to five kills of the run of a number; what went wrong."""
    return tried(number, 1 + number % 5)[1]
