"""The workers of a Dask cluster give the same bytes."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.batch import SLOW, lines, patched, wait_for
from support.cli import TWO, UNIQUE, run, start


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers of it, on loopback."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    slow = patched(folder, SLOW)
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "env": slow}
    address = folder / "scheduler.json"
    python = [sys.executable, "-m"]
    scheduler = subprocess.Popen(
        [
            *python,
            "distributed.cli.dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(address),
        ],
        **quiet,
    )
    try:
        wait_for(lambda: address.exists() and address.stat().st_size > 0)
        time.sleep(0.2)
        where = json.loads(address.read_text())["address"]
        crew = [
            subprocess.Popen(
                [
                    *python,
                    "distributed.cli.dask_worker",
                    where,
                    "--nthreads",
                    "1",
                    "--no-nanny",
                    "--no-dashboard",
                    "--host",
                    "127.0.0.1",
                ],
                **quiet,
            )
            for _ in range(2)
        ]
        yield where, crew
    finally:
        for process in (*crew, scheduler):
            process.kill()
            process.wait()


class TestCluster:
    def test_it_prints_the_same_bytes_though_a_worker_is_killed(self, file: Any, cluster: Any) -> None:
        where, crew = cluster
        name = file(lines(6000, 11))
        here = run("check", "--json", "-b", "backtrack", "-j", "1", name)
        process = start("check", "--json", "-b", "backtrack", "--cluster", where, "-o", "out.jsonl", name)
        wait_for(lambda: Path("out.jsonl").exists() and Path("out.jsonl").stat().st_size > 0)
        crew[0].kill()
        assert process.poll() is None
        _, said = process.communicate(timeout=120)
        assert Path("out.jsonl").read_text() == here.stdout, said[-3000:]
        assert process.returncode == here.exit_code
        assert sorted(said.splitlines()[:-1]) == sorted(here.stderr.splitlines()[:-1])

    def test_no_scheduler_is_said(self) -> None:
        pytest.importorskip("distributed")
        result = run("check", "--cluster", "tcp://127.0.0.1:9", f"{UNIQUE}", TWO)
        assert result.exit_code == 2
        assert "no scheduler answers" in result.stderr
