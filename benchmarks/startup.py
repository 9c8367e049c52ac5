"""How long a command takes from the shell, and a call from Python: what somebody waits who asks one question.

    python benchmarks/startup.py [--repeat 10] [--python PYTHON]

Each command runs in a process of its own, with an empty home and no cache. The commands take turns, so that a machine
that slows down slows all of them. Printed are medians in wall time, and how much that is above
`python -c "import typer, rich"`, which any command of this kind takes; then calls in a loop, in CPU time.

PYTHON is an interpreter with satdoku; its `satdoku` is the one beside it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

PUZZLES = Path(__file__).resolve().parents[1] / "puzzles"
ALONE = "import typer, rich"

CALLS = """
import sys
from time import process_time
import numpy as np
import satdoku

puzzle = satdoku.load(sys.argv[1])
line = "".join(map(str, puzzle.givens))
rows = np.array([puzzle.givens] * 20_000).reshape(-1, 9, 9)
session = satdoku.Session()


def each(name, number, run):
    run()
    started = process_time()
    run()
    print(f"{name:40} {1e3 * (process_time() - started) / number:8.4f} ms")


each("satdoku.check(puzzle)", 2_000, lambda: [satdoku.check(puzzle) for _ in range(2_000)])
each("satdoku.check(text)", 2_000, lambda: [satdoku.check(line) for _ in range(2_000)])
each("Session().check(puzzle)", 2_000, lambda: [session.check(puzzle) for _ in range(2_000)])
each("check_many of lines, a puzzle", 20_000, lambda: list(satdoku.check_many([line] * 20_000)))
each("check_many of an array, a puzzle", 20_000, lambda: list(satdoku.check_many(rows)))
"""


def commands(python: Path) -> dict[str, list[str]]:
    """What is timed, by what stands in the table; the first is what others are compared with."""
    satdoku = str(python.with_name("satdoku"))
    checks = ("9x9_hard.txt", "variants/cage.toml", "variants/renban.toml")
    return {
        f'python -c "{ALONE}"': [str(python), "-c", ALONE],
        'python -c "import satdoku"': [str(python), "-c", "import satdoku"],
        "satdoku --help": [satdoku, "--help"],
        **{f"satdoku check puzzles/{name}": [satdoku, "check", str(PUZZLES / name)] for name in checks},
    }


def timed(command: list[str]) -> float:
    """Seconds of a process with an empty home."""
    with TemporaryDirectory() as home:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "PYTHON"))}
        started = perf_counter()
        done = subprocess.run(command, env=kept | {"HOME": home}, capture_output=True, cwd=home)
        seconds = perf_counter() - started
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}: {done.stderr.decode()}")
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("--python", type=Path, default=Path(sys.executable))
    options = parser.parse_args()
    asked = commands(options.python)
    first = {name: timed(command) for name, command in asked.items()}
    times = {name: list[float]() for name in asked}
    for _ in range(options.repeat):
        for name, command in asked.items():
            times[name].append(timed(command))
    base = median(next(iter(times.values())))
    print(f"{'':40}   median    above   the first time")
    for name, found in times.items():
        print(f"{name:40} {median(found):6.3f} s {median(found) - base:+6.3f} s {first[name]:6.3f} s")
    subprocess.run([options.python, "-c", CALLS, str(PUZZLES / "9x9_hard.txt")], check=True)


if __name__ == "__main__":
    main()
