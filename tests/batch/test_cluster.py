"""The workers of a Dask cluster give the same bytes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.batch import SLOW, lines, patched, wait_for
from support.cli import NINE, TWO, UNIQUE, run, start

from satdoku.batch.cluster import Cluster

HELD, PIECE = 40_000, 16_000  # of the workers
ask = Cluster._asked
QUIET: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def scheduler(folder: Path, *more: str, port: str = "0") -> tuple[subprocess.Popen[bytes], str]:
    """A scheduler on loopback, and its address."""
    record = folder / "scheduler.json"
    record.unlink(missing_ok=True)
    command = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard"]
    process = subprocess.Popen(
        [sys.executable, "-m", *command, "--scheduler-file", str(record), *more], cwd=folder, **QUIET
    )
    wait_for(lambda: record.exists() and record.read_text().rstrip().endswith("}"), 120)
    return process, json.loads(record.read_text())["address"]


def worker(
    folder: Path, where: str, *more: str, env: dict[str, str], nanny: str = "--no-nanny"
) -> subprocess.Popen[bytes]:
    """A worker of that scheduler; with --nanny it is a daemonic process below the one that is returned."""
    command = ["distributed.cli.dask_worker", where, "--nthreads", "1", nanny, "--no-dashboard"]
    return subprocess.Popen(
        [sys.executable, "-m", *command, "--host", "127.0.0.1", *more], cwd=folder, env=env, **QUIET
    )


def end(*processes: subprocess.Popen[bytes]) -> None:
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers of it."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    slow = patched(folder, f"time.sleep(600) if puzzle.name.endswith('hangs.txt:2') else {SLOW}")
    with (folder / "site" / "sitecustomize.py").open("a") as site:
        site.write(f"from satdoku.batch import cluster, worker\nworker.MAX_HELD, cluster.PIECE = {HELD}, {PIECE}\n")
    first, where = scheduler(folder)
    crew = [worker(folder, where, env=slow), worker(folder, where, env=slow, nanny="--nanny")]
    yield where, crew
    crew[1].terminate()  # a nanny ends its worker
    crew[1].wait()
    end(first, crew[0])


class TestCluster:
    def test_it_prints_the_same_bytes_though_a_worker_is_killed(self, file: Any, cluster: Any) -> None:
        where, crew = cluster
        name = file(lines(2500, 11))
        here = run("check", "--json", "-b", "backtrack", "-j", "1", name)
        process = start("check", "--json", "-b", "backtrack", "--cluster", where, "-o", "out.jsonl", name)
        wait_for(lambda: Path("out.jsonl").exists() and Path("out.jsonl").stat().st_size > 0)
        crew[0].kill()
        assert process.poll() is None
        _, message = process.communicate(timeout=120)
        assert Path("out.jsonl").read_text() == here.stdout, message[-3000:]
        assert process.returncode == here.exit_code
        assert sorted(message.splitlines()[:-1]) == sorted(here.stderr.splitlines()[:-1])

    def test_a_search_that_does_not_look_at_the_clock_is_killed_at_its_timeout(self, file: Any, cluster: Any) -> None:
        where, _ = cluster
        name = file(f"{UNIQUE}\n{TWO}\n{UNIQUE}\n", "hangs.txt")
        result = run("check", "-b", "backtrack", "--cluster", where, "--timeout", "3", name)
        assert [line.split("\t")[1] for line in result.stdout.splitlines()] == ["unique", "undecided", "unique"]
        assert result.exit_code == 3

    def test_solutions_too_many_to_be_held_are_sent_in_pieces(
        self, file: Any, cluster: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        where, _ = cluster
        name = file(f"{UNIQUE}\n{'.' * 81}\n")
        fetched: list[bytes | None] = []

        def asked(*arguments: Any) -> bytes | None:
            fetched.append(ask(*arguments))
            return fetched[-1]

        monkeypatch.setattr(Cluster, "_asked", asked)
        command = ("solve", "--limit", str(HELD // 40), "-j", "1", name)
        assert run(*command, "--cluster", where).stdout == run(*command).stdout
        sizes = [len(piece) for piece in fetched if piece is not None]
        assert sum(sizes) > HELD
        assert max(sizes) == PIECE

    def test_no_scheduler_is_reported(self, monkeypatch: pytest.MonkeyPatch) -> None:
        pytest.importorskip("distributed")
        monkeypatch.setattr("satdoku.batch.cluster.START", 0.5)
        result = run("check", "--cluster", "tcp://127.0.0.1:9", f"{UNIQUE}", TWO)
        assert result.exit_code == 2
        assert "no scheduler answers" in result.stderr

    @pytest.mark.parametrize("address", ["127.0.0.1", "tcp://localhost", "", "tcp://:x"])
    def test_an_address_has_a_port(self, address: str) -> None:
        pytest.importorskip("distributed")
        result = run("check", "--cluster", address, UNIQUE, TWO)
        assert result.exit_code == 2
        assert f"--cluster {address}: expected an address with its port, such as tcp://HOST:8786" in result.stderr


@pytest.mark.slow
class TestScheduler:
    """The scheduler is killed in the middle of a run."""

    @pytest.fixture
    def started(self, file: Any, tmp_path: Path) -> Iterator[tuple[Any, ...]]:
        pytest.importorskip("distributed")
        slow = patched(tmp_path, SLOW)
        with (tmp_path / "site" / "sitecustomize.py").open("a") as site:
            site.write("from satdoku.batch import cluster\ncluster.PATIENCE, cluster.RECONNECT_SECONDS = 20.0, 0.5\n")
        first, where = scheduler(tmp_path)
        crew = [worker(tmp_path, where, env=slow)]
        name = file(f"{NINE}\n" * 3000)
        process = start("check", "-b", "backtrack", "--cluster", where, "-o", "out.txt", name, env=slow)
        wait_for(lambda: Path("out.txt").exists() and Path("out.txt").stat().st_size > 0, 120)
        end(first)
        yield process, name, where, crew, slow
        process.kill()
        process.communicate()
        end(*crew)

    def test_a_run_goes_on_with_one_that_takes_its_place(self, started: Any, tmp_path: Path) -> None:
        process, name, where, crew, slow = started
        again, _ = scheduler(tmp_path, port=where.rpartition(":")[2])
        crew += [again, worker(tmp_path, where, env=slow)]
        _, messages = process.communicate(timeout=300)
        assert Path("out.txt").read_text() == run("check", "-b", "backtrack", "-j", "1", name).stdout, messages[-2000:]
        assert process.returncode == 0

    def test_without_another_one_it_ends_and_can_be_resumed(self, started: Any) -> None:
        process, name, where, *_ = started
        _, messages = process.communicate(timeout=300)
        assert (process.returncode, "Traceback" in messages) == (4, False), messages[-2000:]
        assert f"--cluster {where}: the scheduler has gone, for 20 seconds now" in messages
        assert run("check", "-b", "backtrack", "-j", "1", "-o", "out.txt", "--resume", name).exit_code == 0
        assert Path("out.txt").read_text() == run("check", "-b", "backtrack", "-j", "1", name).stdout


@pytest.mark.slow
class TestTls:
    def test_a_scheduler_may_want_a_certificate(self, file: Any, tmp_path: Path) -> None:
        pytest.importorskip("distributed")
        if shutil.which("openssl") is None:
            pytest.skip("openssl is not on PATH")
        key, own = str(tmp_path / "key.pem"), str(tmp_path / "own.pem")
        make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
        subprocess.run([*make, "-keyout", key, "-out", own], check=True, capture_output=True)
        secure = ["--protocol", "tls", "--tls-ca-file", own, "--tls-cert", own, "--tls-key", key]
        first, where = scheduler(tmp_path, *secure)
        crew = worker(tmp_path, where, *secure[2:], env={**os.environ})
        try:
            name = file(f"{UNIQUE}\n{TWO}\n")
            result = run("check", "--cluster", where, "--tls", own, own, key, name)
            assert result.stdout == f"{name}:1\tunique\n{name}:2\tmultiple\n", result.stderr
            assert (
                "--tls nosuch: no such file"
                in run("check", "--cluster", where, "--tls", own, "nosuch", key, name).stderr
            )
        finally:
            end(first, crew)
