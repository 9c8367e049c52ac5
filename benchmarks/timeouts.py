"""How much longer than its timeout a command takes on a board that is too large for it.

    python benchmarks/timeouts.py [--timeout 1] [--sizes 64,100]

Each command, and `check` with each backend, is asked about a board of which about two fifths are open, in a process of
its own. What it takes besides the timeout is compared with the same command whose timeout is over at once, which is its
start-up and its reading. Exit status 1 if that is over a second for any.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from math import isqrt
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter

from satdoku import backends

MOST = 1.0  # seconds beyond the timeout, start-up and reading
GRACE = 120.0  # seconds after which a command is killed
COMMANDS = (
    "check",
    "solve",
    "count",
    "candidates",
    "explain",
    "minimize",
    "certify",
    "check --compare native,glucose4",
)


def board(size: int) -> str:
    """A grid of shifted rows with holes, as numbers with blanks between."""
    box, random = isqrt(size), Random(size)
    rows = [[(box * (row % box) + row // box + column) % size + 1 for column in range(size)] for row in range(size)]
    return "\n".join(" ".join(str(value) if random.random() < 0.6 else "." for value in row) for row in rows) + "\n"


def seconds(arguments: list[str], folder: str) -> float:
    command = [sys.executable, "-m", "satdoku", *arguments]
    started = perf_counter()
    quiet = subprocess.DEVNULL
    try:
        subprocess.run(command, cwd=folder, stdin=quiet, stdout=quiet, stderr=quiet, timeout=GRACE, check=False)
    except subprocess.TimeoutExpired:
        return float("inf")
    return perf_counter() - started


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--sizes", default="64,100")
    options = parser.parse_args()
    over = 0
    with TemporaryDirectory() as folder:
        for size in map(int, options.sizes.split(",")):
            file = Path(folder) / f"{size}.txt"
            file.write_text(board(size))
            by_backend = [f"check -b {name}" for name in backends.installed() if not name.startswith("dimacs")]
            asked = [[*command.split(), file.name] for command in (*COMMANDS, *by_backend)]
            asked.append(["generate", "--box", f"{isqrt(size)}x{isqrt(size)}", "--seed", "1"])
            for arguments in asked:
                least = seconds([*arguments, "--timeout", "0.000001"], folder)
                beyond = seconds([*arguments, "--timeout", str(options.timeout)], folder) - least - options.timeout
                over += beyond > MOST
                print(f"{beyond:7.2f} s beyond, {least:5.2f} s start-up and reading: {' '.join(arguments)}", flush=True)
    print(f"{over} of them over {MOST:g} s")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
