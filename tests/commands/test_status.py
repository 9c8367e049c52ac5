"""The status a command ends with, and which one where several hold."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from support.cli import CLASH, EMPTY_NINE, MANY, NINE, TWO, UNIQUE, UNIQUE_SOLVED, complaints, errors, out, run, start

import satdoku
from satdoku import backends
from satdoku.backends import Ending
from satdoku.constraints import Grid
from satdoku.errors import worst_status


class TestStatus:
    def test_where_several_hold_the_order_is_2_4_1_3_0(self) -> None:
        order = [2, 4, 1, 3, 0]
        assert all(worst_status(a, b) == min(a, b, key=order.index) for a in order for b in order)

    def test_the_worst_of_a_file_is_the_status_of_the_run(self, plant: Any, file: Any) -> None:
        def script(puzzle: satdoku.Puzzle) -> tuple[Iterable[Grid], Ending]:
            if satdoku.write(puzzle) == MANY:
                return [], Ending.TIMEOUT
            return [tuple(map(int, UNIQUE_SOLVED))], Ending.EXHAUSTED

        plant(script=script)
        lines = [UNIQUE, MANY, CLASH, "123"]
        statuses = [run("check", "-b", "planted", file(*lines[:last], UNIQUE)).exit_code for last in range(1, 5)]
        assert statuses == [0, 3, 1, 2]

    def test_a_disagreement_outweighs_a_multiple_puzzle_and_a_bad_line_both(self, plant: Any, file: Any) -> None:
        plant()
        assert run("check", "--compare", "backtrack,planted", file(CLASH, TWO)).exit_code == 4
        assert run("check", "--compare", "backtrack,planted", file(CLASH, TWO, "123")).exit_code == 2

    @pytest.mark.parametrize(
        "arguments",
        [
            ["check", NINE],
            ["solve", "--all", EMPTY_NINE],
            ["export", NINE],
            ["bench", "run", "-b", "backtrack", UNIQUE],
            ["--help"],
            *(
                pytest.param(arguments, marks=pytest.mark.slow)
                for arguments in (
                    ["count", MANY],
                    ["convert", NINE],
                    ["encodings", "--json"],
                    ["backends"],
                    ["--version"],
                )
            ),
        ],
        ids=lambda arguments: arguments[0],
    )
    def test_a_closed_pipe_ends_quietly_with_141(self, arguments: list[str]) -> None:
        with start(*arguments) as process:
            out(process).close()
            message = errors(process).read()
        assert (process.returncode, message) == (141, "")

    @pytest.mark.skipif(os.name != "posix", reason="SIGINT")
    @pytest.mark.parametrize("backend", [backends.DEFAULT, "backtrack", "cpsat"])
    def test_an_interrupt_ends_with_130_and_one_word(self, backend: str) -> None:
        with start("solve", "--all", "-b", backend, EMPTY_NINE) as process:
            assert len(out(process).readline()) == 82
            process.send_signal(signal.SIGINT)
            out(process).read()
            message = errors(process).read()
        assert process.returncode == 130
        assert "satdoku: interrupted" in message.splitlines()
        assert "Traceback" not in message

    @pytest.mark.parametrize("moment", ["import", "command"])
    def test_what_a_library_does_when_python_ends_does_not_matter_after_an_interrupt(self, moment: str) -> None:
        """One whose import was interrupted may abort."""
        code = f"""
import atexit, os, sys, types

class Library:
    def __del__(self, abort=os.abort):
        abort()

class Finder:
    def find_spec(name, *more):
        if name == "satdoku.cli" and {moment == "import"}:
            raise KeyboardInterrupt

def app(prog_name):
    raise KeyboardInterrupt

half_imported = Library()
atexit.register(print, "closed")
if {moment == "command"}:
    sys.modules["satdoku.cli"] = types.SimpleNamespace(app=app)
sys.meta_path.insert(0, Finder)
import satdoku.__main__
satdoku.__main__.main()
"""
        ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert (ended.returncode, ended.stdout, ended.stderr) == (130, "closed\n", "satdoku: interrupted\n")

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full")
    def test_a_full_disk_is_reported_in_one_line(self) -> None:
        result = run("export", "-o", "/dev/full", UNIQUE)
        assert (result.exit_code, complaints(result)) == (2, ["/dev/full: No space left on device"])
