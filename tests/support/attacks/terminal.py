"""Ctrl-C typed at a terminal at a random moment of any command, and what it leaves: processes, files, the terminal."""

from __future__ import annotations

import os
import pty
import random
import re
import select
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from signal import SIG_DFL, SIGINT, SIGKILL, signal
from tempfile import TemporaryDirectory

from support.batch import wait_for
from support.cli import EMPTY_NINE, NINE, NONE, TWO, run
from support.interrupts import BEGUN, HARD, INTERRUPTED, MAX_DELAY, left
from support.puzzles import ROOT

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("check", HARD),
    ("check", "-v", "--certified", NINE, TWO, NONE),
    ("check", "-j", "2", "-o", "out.csv", "many.txt"),
    ("solve", "--all", EMPTY_NINE),
    ("count", "--all", EMPTY_NINE),
    ("convert", "--to", "f-puzzles", "many.txt"),
    ("dedupe", "many.txt"),
    ("dedupe", "many.txt", "--against", "p.txt"),
    ("split", "many.txt", "-o", "a.txt", "-o", "b.txt", "--parts", "1:1"),
    ("audit", "many.txt", "-o", "report.html"),
    ("shuffle", "-k", "100", "many.txt"),
    ("grade", "many.txt", "many.txt"),
    ("render", NINE, "-o", "out.pdf"),
    ("web", "--no-open", "--port", "0"),
    ("listen", "--port", "0"),
    ("watch", "p.txt"),
    ("candidates", "--counts", NINE[:20] + "." * 61),
    ("explain", "--smallest", NINE),
    ("difficulty", NINE),
    ("minimize", NINE),
    ("generate", "--count", "1000"),
    ("generate", "--marks", "cage", "--count", "1000"),
    ("generate", "-j", "2", "--count", "1000", "-o", "out.txt"),
    ("export", "dimacs", NINE),
    ("decode", "none.cnf", "-"),
    ("certify", NINE, "-o", "new"),
    ("verify", *["made"] * 20),
    ("bench", "run", "many.txt", "-o", "bench"),
    ("bench", "make", "-o", "instances"),
    ("backends",),
    ("encodings",),
    ("formats",),
    ("variants",),
    ("doctor",),
    ("help", "check"),
    ("check", "-"),
)
"""Each command, some in several ways."""

HIDE, SHOW = re.compile(r"\x1b\[\?25l"), re.compile(r"\x1b\[\?25h")
ALTERNATE = re.compile(r"\x1b\[\?1049([hl])")


PATIENCE = 100.0
"""Seconds in which a command that ends by itself has ended, on a busy machine too."""


@dataclass
class Ended:
    status: int
    printed: str
    seconds: float
    settings: tuple[bool, str]  # whether those of the terminal are as before, and what is wrong else


@contextmanager
def prepared() -> Iterator[Path]:
    """A folder with what the commands read."""
    with TemporaryDirectory(prefix="intr") as name:
        folder = Path(name)
        (folder / "many.txt").write_text(f"{NINE}\n{TWO}\n" * 2000)
        (folder / "p.txt").write_text(NINE)
        (folder / "none.cnf").write_text("p cnf 1 1\n1 0\n")
        made = made_certificate()
        (folder / "made").mkdir()
        for each, data in made.items():
            (folder / "made" / each).write_bytes(data)
        yield folder


@cache
def made_certificate() -> dict[str, bytes]:
    with TemporaryDirectory() as name:
        assert run("certify", NINE, "-o", f"{name}/made").exit_code == 0
        return {path.name: path.read_bytes() for path in (Path(name) / "made").iterdir()}


def typed(command: tuple[str, ...], folder: Path, delay: float) -> Ended:
    """Run a command at a terminal of its own, and type Ctrl-C there so long after it has begun."""
    (folder / "tmp").mkdir(exist_ok=True)
    child, master = pty.fork()
    if child == 0:
        with suppress(BaseException):
            signal(SIGINT, SIG_DFL)  # else it is ignored where a shell has started this in the background
            os.chdir(folder)
            environment = os.environ | {"TMPDIR": str(folder / "tmp"), "TERM": "xterm", "COLUMNS": "80", "LINES": "24"}
            os.execve(sys.executable, [sys.executable, "-c", BEGUN, *command], environment)
        os._exit(99)
    before = termios.tcgetattr(master)
    begun = None
    printed, sent, end = b"", False, time.monotonic() + 300
    while time.monotonic() < end:
        if begun is None and b"begun" in printed:
            begun = time.monotonic()
        if begun is not None and not sent and time.monotonic() - begun >= delay:
            with suppress(OSError):
                os.write(master, b"\x03")
            sent = True
        if not select.select([master], [], [], 0.005)[0]:
            continue
        try:
            more = os.read(master, 1 << 16)
        except OSError:  # the last process that had the terminal has ended
            break
        printed = printed[-(1 << 20) :] + more if begun is not None else printed + more
    else:
        os.killpg(child, SIGKILL)
    seconds = time.monotonic() - (begun or time.monotonic())
    _, status = os.waitpid(child, 0)
    settings = True, ""
    with suppress(termios.error):
        now = termios.tcgetattr(master)
        settings = now == before, f"{before} became {now}"
    os.close(master)
    return Ended(os.waitstatus_to_exitcode(status), printed.decode("utf-8", "replace"), seconds, settings)


@cache
def undisturbed(command: tuple[str, ...], patience: float) -> tuple[int | None, float]:
    """The status of a command, None for one that does not end by itself in so many seconds, and how many it takes."""
    with prepared() as folder:
        ended = typed(command, folder, patience)
    return (None if ended.status == 130 else ended.status), min(ended.seconds, MAX_DELAY)


def attempt(number: int) -> str | None:
    """Ctrl-C in the command of a number; what went wrong, None if nothing did."""
    rng, command = random.Random(number), COMMANDS[number % len(COMMANDS)]
    usual, seconds = undisturbed(command, MAX_DELAY)
    delay = seconds * rng.random()
    with prepared() as folder:
        ended = typed(command, folder, delay)
        temporary = str(folder / "tmp")
        with suppress(AssertionError):
            wait_for(lambda: not left(temporary), 30)
        remaining = [*left(temporary), *(path.name for path in Path(temporary).glob("satdoku-*"))]
    wrong = []
    if ended.status == 130:
        wrong += [] if re.search(rf"^{INTERRUPTED}\r?$", ended.printed, re.M) else ["no message"]
    elif ended.status != usual and ended.status != undisturbed(command, PATIENCE)[0]:  # it ended before Ctrl-C else
        wrong.append(f"status {ended.status}")
    wrong += ["a traceback"] * ("Traceback" in ended.printed)
    wrong += [f"left {remaining}"] * bool(remaining)
    wrong += [f"settings of the terminal: {ended.settings[1]}"] * (not ended.settings[0])
    wrong += ["a hidden cursor"] * (len(HIDE.findall(ended.printed)) > len(SHOW.findall(ended.printed)))
    wrong += ["the other screen"] * (ALTERNATE.findall(ended.printed)[-1:] == ["h"])
    if not wrong:
        return None
    shown = " ".join(word[:20] for word in command)
    return f"{shown}, after {delay:.3f} s: {'; '.join(wrong)}: {ended.printed[-600:]!r}"


assert ROOT.is_dir()
