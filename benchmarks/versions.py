"""One command by two installations of satdoku: how its CPU time has changed.

    python benchmarks/versions.py PYTHON PYTHON [--repeat 10] -- check -q -j 1 -b native FILE

Each PYTHON is an interpreter with satdoku. In a process of its own, in turns, each runs the command twice, and the
second time counts, so that starting and loading are left out. Printed are the medians and the second by the first.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from statistics import median

RUN = """
import os, sys
from time import process_time

kept = os.dup(1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
os.dup2(1, 2)
from satdoku.cli import app


def seconds():
    started = process_time()
    try:
        app(sys.argv[1:], standalone_mode=False)
    except SystemExit:
        pass
    return process_time() - started


seconds()
os.write(kept, f"{seconds()}".encode())
"""


def seconds(python: str, command: list[str]) -> float:
    done = subprocess.run([python, "-c", RUN, *command], capture_output=True, text=True)
    if done.returncode or not done.stdout:
        sys.exit(f"{python}: status {done.returncode}: {done.stderr}")
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pythons", nargs=2, metavar="PYTHON")
    parser.add_argument("--repeat", type=int, default=10)
    parser.add_argument("command", nargs="+")
    options = parser.parse_args()
    times: tuple[list[float], list[float]] = [], []
    for _ in range(options.repeat):
        for python, found in zip(options.pythons, times, strict=True):
            found.append(seconds(python, options.command))
    first, second = map(median, times)
    print(f"{first:.3f} s, {second:.3f} s: {second / first:.2f}  {' '.join(options.command)}")


if __name__ == "__main__":
    main()
