"""A run of which anything is killed at any moment: what is written in the end is what an undisturbed run writes."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import psutil
import pytest
from support.batch import SLOW, lines, patched, wait_for
from support.cli import run, start

OUTPUT, JOURNAL = Path("out.csv"), Path("out.csv.unfinished")

KILLED = ("main", "worker", "starter")
"""The process that hands out, one that answers, the one that starts these."""


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


def begun(process: subprocess.Popen[str]) -> bool:
    """Whether a run has begun its output, or has ended."""
    return JOURNAL.exists() or process.poll() is not None


def disturbed(rng: random.Random, kills: int, begin: Callable[[bool], subprocess.Popen[str]]) -> Counter[str]:
    """Run to the end in spite of so many kills; how often each kind of process was killed.

    begin: starts the run, or goes on with it
    """
    done: Counter[str] = Counter()
    resume = False
    while True:
        process = begin(resume)
        while sum(done.values()) < kills and process.poll() is None:
            wait_for(partial(begun, process), 120)
            kind = KILLED[(sum(done.values()) + kills) % 3]
            time.sleep(rng.random() * rng.choice([0.05, 0.5, 2.0]))
            found = victim(kind, process)
            if found is not None and process.poll() is None:
                with suppress(psutil.Error):
                    found.kill()
                    done[kind] += 1
                if kind == "main":
                    break
        _, messages = process.communicate(timeout=300)
        assert "Traceback" not in messages, messages[-3000:]
        if process.returncode not in (-9, 4):  # 4: workers were lost faster than they could be replaced
            assert process.returncode == 2, messages[-3000:]  # some lines are not puzzles
            return done
        resume = JOURNAL.exists()
        if not resume:
            OUTPUT.unlink(missing_ok=True)


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A temporary folder whose name leaves room for that of a fork server's socket."""
    with tempfile.TemporaryDirectory(prefix="kills") as folder:
        yield Path(folder)


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_what_is_killed_costs_no_line_and_doubles_none(
    kills: int, file: Callable[..., str], tmp_path: Path, short_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = random.Random(kills)
    name = file(lines(800 * max(1, kills // 20), kills))
    environment = patched(tmp_path, SLOW) | {"TMPDIR": str(short_path)}

    def begin(resume: bool) -> subprocess.Popen[str]:
        jobs = str(rng.choice([1, 2, 2, 3]))
        more = ["--resume"] if resume else []
        return start("check", "-b", "backtrack", "-j", jobs, "-o", str(OUTPUT), *more, name, env=environment)

    done = Counter[str]()
    rounds = 0
    while sum(done.values()) < kills:
        rounds += 1
        assert rounds < 10 + 3 * kills, f"only {dict(done)} killed"
        done += disturbed(rng, kills - sum(done.values()), begin)
        assert OUTPUT.read_text() == run("check", "--csv", "-b", "backtrack", "-j", "1", name).stdout
        assert not JOURNAL.exists()
    with capsys.disabled():
        print(f"\n{dict(done)} killed, no line lost or doubled")
    for left in short_path.glob("*/lock"):  # of main processes that were killed
        os.utime(left, (0, 0))
    assert start("check", "-j", "2", "-b", "backtrack", "1234341221434...", "x", env=environment).wait() == 2
    assert not list(short_path.glob("satdoku-*"))
