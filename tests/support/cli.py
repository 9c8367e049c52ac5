"""The command run in this process or another, and puzzles that tests of commands share."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import IO, Any

from typer.testing import CliRunner, Result

from satdoku.cli import app

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NINE_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NINE_DRAWN = """\
5 3 4 | 6 7 8 | 9 1 2
6 7 2 | 1 9 5 | 3 4 8
1 9 8 | 3 4 2 | 5 6 7
------+-------+------
8 5 9 | 7 6 1 | 4 2 3
4 2 6 | 8 5 3 | 7 9 1
7 1 3 | 9 2 4 | 8 5 6
------+-------+------
9 6 1 | 5 3 7 | 2 8 4
2 8 7 | 4 1 9 | 6 3 5
3 4 5 | 2 8 6 | 1 7 9
"""
UNIQUE = "1234341221434..."
UNIQUE_SOLVED = "1234341221434321"
TWO = "13....3131...213"
TWO_SOLVED = {"1324243131424213", "1342243131244213"}
MANY = "1..............."  # has 72 solutions
CLASH = "11.............."
CLASH_REASON = "row 1 has 1 twice: r1c1 and r1c2"
NONE = "12....3........."  # no two givens clash, but row 1 has no place for a 3
EMPTY_NINE = "." * 81
HUGE = "." * 625

BOXES = {4: (2, 2), 6: (2, 3), 8: (2, 4), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}


def run(*arguments: str, input: str | bytes | None = None) -> Result:
    """The command in this process; a traceback is a failure whatever the test asks."""
    result = CliRunner().invoke(app, list(arguments), input=input, prog_name="satdoku")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def start(*arguments: str, **extra: Any) -> subprocess.Popen[str]:
    """The command in a process of its own, with real pipes."""
    command = [sys.executable, "-m", "satdoku", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **extra)


def out(process: subprocess.Popen[str]) -> IO[str]:
    """What a started command prints."""
    assert process.stdout is not None
    return process.stdout


def errors(process: subprocess.Popen[str]) -> IO[str]:
    """What a started command says on standard error."""
    assert process.stderr is not None
    return process.stderr


def records(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def complaints(result: Result) -> list[str]:
    """The lines on standard error, each of which says who speaks."""
    lines = result.stderr.splitlines()
    assert all(line.startswith("satdoku: ") for line in lines)
    return [line.removeprefix("satdoku: ") for line in lines]
