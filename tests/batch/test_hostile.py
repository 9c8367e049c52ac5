"""Hostile inputs, outputs that cannot be written, solvers that do not end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.batch import runs, wait_for
from support.cli import NINE, TWO, UNIQUE, run, start


class TestHostile:
    def test_a_very_long_line_and_nuls_cost_their_lines(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n".encode() + b"1" * 40_000_000 + b"\n" + b"\0" * 16 + b"\n" + f"{TWO}\n".encode())
        result = run("check", "-j", "1", name)
        assert result.exit_code == 2
        assert result.stdout == f"{name}:1\tunique\n{name}:4\tmultiple\n"
        assert "line 2: a line of over 4000000 bytes" in result.stderr
        assert "line 3" in result.stderr

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
    def test_a_full_disk_is_one_line(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n" * 5000)
        with Path("/dev/full").open("w") as full:
            process = subprocess.run(
                [sys.executable, "-m", "satdoku", "check", name], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert process.returncode == 2
        assert "No space left on device" in process.stderr
        assert "Traceback" not in process.stderr

    def test_a_closed_pipe_ends_quietly(self, file: Any) -> None:
        name = file(f"{NINE}\n" * 20_000)
        with start("check", "-j", "2", "-b", "glucose4", name) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr is not None
            message = process.stderr.read()
            assert process.wait(120) == 141
        assert "Traceback" not in message

    @pytest.mark.parametrize(
        ("output", "message"),
        [("p.txt", "to be read, and to be written too"), (".", "a directory"), ("/dev/null", "not a regular file")],
    )
    def test_what_cannot_be_written_is_left_alone(self, output: str, message: str, file: Any) -> None:
        name = file(f"{UNIQUE}\n" * 100)
        before = Path(name).read_bytes()
        for command in (["check"], ["convert"])[: 1 if output == "/dev/null" else 2]:
            result = run(*command, name, "-o", output)
            assert result.exit_code == 2
            assert message in result.stderr
            assert Path(name).read_bytes() == before

    @pytest.mark.parametrize("jobs", [["-j", "2"], ["--timeout", "5"]], ids=" ".join)
    @pytest.mark.parametrize("backend", [["nosuch"], ["dimacs:nosuch"], ["backtrack", "-e", "extended"]], ids=" ".join)
    def test_a_backend_that_no_worker_can_open_is_reported_once(
        self, backend: list[str], jobs: list[str], file: Any
    ) -> None:
        result = run("check", *jobs, "-b", *backend, file(f"{UNIQUE}\n{TWO}\n"))
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1

    @pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc")
    @pytest.mark.parametrize("timeout", [[], ["--timeout", "1"]], ids=["interrupted", "timeout"])
    def test_solvers_and_their_children_do_not_outlive_the_workers(
        self, timeout: list[str], file: Any, tmp_path: Path
    ) -> None:
        name = file(f"{NINE}\n" * 4)
        solver = tmp_path / "solver.sh"
        solver.write_text(f"#!/bin/sh\nsleep 1000 &\necho $$ $! >> {tmp_path}/pids\nsleep 1000\n")
        solver.chmod(0o755)
        (tmp_path / "tmp").mkdir()
        process = start(
            "check", "-b", f"dimacs:{solver} {{cnf}}", "-j", "2", *timeout, name,
            env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
        )  # fmt: skip
        wait_for(lambda: (tmp_path / "pids").exists())
        if not timeout:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        numbers = (tmp_path / "pids").read_text().split()
        assert len(numbers) >= (8 if timeout else 2)
        wait_for(lambda: not any(runs(number) for number in numbers))
        assert not list((tmp_path / "tmp").glob("satdoku-*"))

    def test_a_temporary_folder_with_a_long_name_will_do(self, file: Any, tmp_path: Path) -> None:
        folder = tmp_path / ("long" * 20)
        folder.mkdir()
        process = start("check", "-j", "2", file(f"{UNIQUE}\n{TWO}\n"), env=os.environ | {"TMPDIR": str(folder)})
        printed, message = process.communicate(timeout=120)
        assert process.returncode == 1, message
        assert printed == "p.txt:1\tunique\np.txt:2\tmultiple\n"

    def test_jobs_below_one_are_refused(self) -> None:
        assert "--jobs 0: expected 1 or more" in run("check", "-j", "0", UNIQUE).stderr
