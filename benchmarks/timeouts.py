"""How much longer than its timeout a command takes on a board that is too large for it.

    python benchmarks/timeouts.py [--timeout 1] [--sizes 64,100] [FILE...]

Each command, and `check` with each backend, is asked about a board of which about two fifths are open, or about the
puzzle of each FILE, in a process of its own. What it takes besides the timeout is compared with the same command whose
timeout is over at once, which is its start-up and its reading. What is over a second is tried again, three times in
all, and the shortest counts, as other processes of a busy machine make it longer. Seconds of the processor stand beside
it, of all threads and processes. Exit status 1 if any is over a second.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from math import isqrt
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from time import perf_counter

from satdoku import backends

MOST = 1.0  # seconds beyond the timeout, start-up and reading
TRIES = 3  # of a command that takes longer
GRACE = 120.0  # seconds after which a command is killed
COMMANDS = (
    "check",
    "solve",
    "solve --all",
    "count",
    "candidates",
    "explain",
    "explain --smallest",
    "difficulty",
    "minimize",
    "certify",
    "audit",
    "render --solution",
    "check --certified",
    "check --compare native,glucose4",
)


def board(size: int) -> str:
    """A grid of shifted rows with holes, as numbers with blanks between."""
    box, random = isqrt(size), Random(size)
    rows = [[(box * (row % box) + row // box + column) % size + 1 for column in range(size)] for row in range(size)]
    return "\n".join(" ".join(str(value) if random.random() < 0.6 else "." for value in row) for row in rows) + "\n"


def seconds(arguments: list[str], folder: str) -> tuple[float, float]:
    """Seconds of a command by the clock, and of the processor."""
    command = [sys.executable, "-m", "satdoku", *arguments]
    started, before = perf_counter(), processor()
    quiet = subprocess.DEVNULL
    try:
        subprocess.run(command, cwd=folder, stdin=quiet, stdout=quiet, stderr=quiet, timeout=GRACE, check=False)
    except subprocess.TimeoutExpired:
        return float("inf"), processor() - before
    return perf_counter() - started, processor() - before


def processor() -> float:
    used = getrusage(RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measured(arguments: list[str], folder: str, timeout: float) -> tuple[float, float, float]:
    """Seconds beyond the timeout, of start-up and reading, and of the processor: the shortest of some tries."""
    found: list[tuple[float, float, float]] = []
    while len(found) < TRIES and not (found and min(found)[0] <= MOST):
        least, _ = seconds([*arguments, "--timeout", "0.000001"], folder)
        whole, used = seconds([*arguments, "--timeout", str(timeout)], folder)
        found.append((whole - least - timeout, least, used))
    return min(found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--sizes", help="of made boards, 64,100 unless files are named")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args()
    over, asked = 0, list[list[str]]()
    with TemporaryDirectory() as folder:
        sizes = options.sizes or ("" if options.files else "64,100")
        for size in map(int, filter(None, sizes.split(","))):
            file = Path(folder) / f"{size}.txt"
            file.write_text(board(size))
            options.files.append(file)
            asked.append(["generate", "--box", f"{isqrt(size)}x{isqrt(size)}", "--seed", "1"])
        by_backend = [f"check -b {name}" for name in backends.installed() if not name.startswith("dimacs")]
        for file in options.files:
            more = {"certify": ["-o", f"{folder}/made"]}
            asked += [
                [*command.split(), str(file.resolve()), *more.get(command, [])] for command in (*COMMANDS, *by_backend)
            ]
        for arguments in asked:
            beyond, least, used = measured(arguments, folder, options.timeout)
            over += beyond > MOST
            times = f"{beyond:7.2f} s beyond, {least:5.2f} s start-up and reading, {used:5.2f} s of the processor"
            print(f"{times}: {' '.join(arguments)}", flush=True)
    print(f"{over} of them over {MOST:g} s")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
