"""Workers: one answer whoever works and whatever dies."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import CancelledError
from functools import partial
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

import pytest
from pebble import ProcessExpired, ProcessPool
from support.batch import SLOW, Sleeping, killed_another, lines, patched, runs, wait_for
from support.cli import NINE, TWO, UNIQUE, run, start

from satdoku.batch import workers


class TestWorkers:
    def test_any_number_of_workers_prints_the_same(self, file: Any) -> None:
        name = file(lines(400, 3))
        one = run("check", "--json", "-b", "glucose4", "-j", "1", name)
        for jobs in ("2", "4"):
            several = run("check", "--json", "-b", "glucose4", "-j", jobs, name)
            assert (several.stdout, several.exit_code) == (one.stdout, one.exit_code)
            assert sorted(several.stderr.splitlines()) == sorted(one.stderr.splitlines())
        with_timeout = run("check", "--json", "-b", "glucose4", "-j", "2", "--timeout", "30", name)
        assert with_timeout.stdout == one.stdout

    def test_a_killed_worker_costs_a_retry_and_not_the_run(self, file: Any, tmp_path: Path) -> None:
        name = file(f"{NINE}\n" * 1200)
        process = start("check", "-b", "backtrack", "-j", "2", "-o", "out.txt", name, env=patched(tmp_path, SLOW))
        killed: set[int] = set()
        out = Path("out.txt")

        def written(least: int) -> bool:
            return least == 0 or (out.exists() and out.stat().st_size >= least)

        for least in (0, 1_000, 10_000):  # as it starts, then after other puzzles, so that none is lost twice
            wait_for(partial(written, least))
            wait_for(lambda: killed_another(process.pid, killed))
        _, message = process.communicate(timeout=120)
        assert process.returncode == 0, message
        assert out.read_text() == "".join(f"{name}:{number}\tunique\n" for number in range(1, 1201))

    def test_a_puzzle_that_kills_its_worker_is_given_up_alone(self, file: Any, tmp_path: Path) -> None:
        name = file(f"{UNIQUE}\n{TWO}\n{UNIQUE}\n" * 4)
        kills = patched(tmp_path, "if puzzle.name.endswith(':5'): os.kill(os.getpid(), signal.SIGKILL)")
        process = start("check", "-b", "backtrack", "-j", "2", name, env=kills)
        printed, message = process.communicate(timeout=120)
        assert process.returncode == 4
        assert "p.txt:5: given up, a worker was ended by signal 9 on it, 2 times" in message
        assert [line.split("\t")[0] for line in printed.splitlines()] == [f"{name}:{n}" for n in range(1, 13) if n != 5]

    def test_a_search_that_does_not_look_at_the_clock_is_killed_at_its_timeout(self, file: Any, tmp_path: Path) -> None:
        name = file(f"{UNIQUE}\n{TWO}\n{UNIQUE}\n")
        hangs = patched(tmp_path, "if puzzle.name.endswith(':2'): time.sleep(600)")
        process = start("check", "-b", "backtrack", "-j", "2", "--timeout", "4", name, env=hangs)
        printed, _ = process.communicate(timeout=300)
        assert [line.split("\t")[1] for line in printed.splitlines()] == ["unique", "undecided", "unique"]
        assert process.returncode == 3

    def test_ctrl_c_stops_and_writes_what_is_done(self, file: Any) -> None:
        name = file(f"{NINE}\n" * 100_000)
        process = start("check", "-b", "backtrack", "-j", "2", "-o", "out.txt", name)
        wait_for(lambda: Path("out.txt").exists() and Path("out.txt").stat().st_size > 1000)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate(timeout=120)
        assert process.returncode == 130
        assert "--resume" in message
        assert Path("out.txt").read_text().splitlines()[0] == f"{name}:1\tunique"


class TestPool:
    @pytest.fixture()
    def pool(self) -> Iterator[Any]:
        pool = workers.Pool(Sleeping(), 1)
        pool.start()
        yield pool
        pool.close()

    def begun(self, pool: Any) -> Any:
        waiting = pool.submit(60.0, None)
        wait_for(lambda: pool._slots[0]._futures[-1].running())
        return waiting

    def test_workers_that_die_leave_none_behind_that_take_their_place(self, pool: Any) -> None:
        for _ in range(3):
            worker = pool.submit(0.0, None).result()
            waiting = self.begun(pool)
            os.kill(worker, signal.SIGKILL)
            with pytest.raises(ProcessExpired):
                waiting.result()
        wait_for(lambda: len(multiprocessing.active_children()) == 1)

    @pytest.mark.parametrize("moment", ["stop", "join"])
    def test_an_interrupt_while_it_is_closed_leaves_no_folder(
        self, pool: Any, moment: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def interrupt(slot: Any) -> None:
            raise KeyboardInterrupt

        folder = pool._folder.path
        with monkeypatch.context() as patched, pytest.raises(KeyboardInterrupt):
            patched.setattr(workers._Slot, moment, interrupt)
            pool.close()
        assert not folder.exists()

    @pytest.mark.skipif(sys.platform == "win32", reason="there is no fork server")
    def test_a_chunk_is_not_to_blame_when_the_process_that_starts_workers_dies(self, pool: Any) -> None:
        worker = pool.submit(0.0, None).result()
        waiting = self.begun(pool)
        server: Any = forkserver._forkserver
        os.kill(server._forkserver_pid, signal.SIGKILL)
        with pytest.raises(CancelledError):
            waiting.result()
        wait_for(lambda: not runs(str(worker)))  # nobody waits for what it does
        assert pool.submit(0.0, None).result() != worker

    def test_a_pool_whose_process_dies_again_and_again_is_replaced_a_few_times(
        self, pool: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        schedule, broken = ProcessPool.schedule, iter(range(2))

        def dies(pool: Any, *arguments: Any, **more: Any) -> Any:
            if next(broken, None) is not None:
                raise RuntimeError("Unexpected error within the Pool")
            return schedule(pool, *arguments, **more)

        monkeypatch.setattr(ProcessPool, "schedule", dies)
        assert pool.submit(0.0, None).result()
        broken = iter(range(3))
        with pytest.raises(workers.NoWorkers, match="they end at once"):
            pool.submit(0.0, None)

    @pytest.mark.skipif(sys.platform == "win32", reason="locks have no names")
    def test_a_process_that_is_starting_finds_the_locks_of_a_pool_that_has_ended(self, pool: Any) -> None:
        """The process that starts workers may have died before it said that it had begun: nobody waits for this one."""
        (slot,) = pool._slots
        mutex = slot._pool._pool_manager.worker_manager.workers_channel.mutex
        held = [lock._semlock for lock in (mutex.reader_mutex, mutex.writer_mutex)]
        slot.renew(slot._pool)
        for thread in slot._ending:
            thread.join()
        assert mutex.reader_mutex is None  # the pool itself holds them no longer
        for lock in held:
            type(lock)._rebuild(lock.handle, lock.kind, lock.maxvalue, lock.name)  # what such a process does


class TestNoWorkers:
    """Where no process can be started, this one does all, and says so."""

    EXPECTED = "p.txt:1\tunique\np.txt:2\tmultiple\n"

    @pytest.mark.skipif(os.name != "posix", reason="limits are of POSIX")
    def test_few_open_files(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n{TWO}\n")
        script = 'ulimit -n 20; exec "$@"'
        command = ["sh", "-c", script, "sh", sys.executable, "-m", "satdoku", "check", "-j", "2", name]
        process = subprocess.run(command, capture_output=True, text=True)
        assert process.stdout == self.EXPECTED, process.stderr
        assert process.stderr.splitlines()[:-1] == [
            "satdoku: no workers can be started (20 open files are allowed, and 32 needed): this process does all"
        ]

    @pytest.mark.parametrize("error", [OSError(30, "Read-only file system"), EOFError(), ConnectionRefusedError()])
    def test_no_locks_and_no_processes(self, error: Exception, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*arguments: object, **more: object) -> None:
            raise error

        monkeypatch.setattr("pebble.pool.process.PoolManager.start", fail)
        result = run("check", "-j", "2", file(f"{UNIQUE}\n{TWO}\n"))
        assert (result.exit_code, result.stdout) == (1, self.EXPECTED)
        assert result.stderr.count("this process does all") == 1

    def test_none_any_longer(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        name = file(lines(300, 5))
        begin = workers._Slot.start
        times = iter(range(2))

        def twice(slot: Any) -> None:
            if next(times, None) is None:
                raise workers.NoWorkers("gone")
            begin(slot)

        monkeypatch.setattr(workers._Slot, "start", twice)
        submit = workers._Slot.submit
        submits = iter(range(6))

        def renewing(slot: Any, chunk: Any, seconds: Any) -> Any:
            if next(submits, None) is None:
                slot.renew(slot._pool)
            return submit(slot, chunk, seconds)

        monkeypatch.setattr(workers._Slot, "submit", renewing)
        result = run("check", "-j", "2", name)
        assert "no workers can be started (gone): this process does all" in result.stderr
        assert result.stdout == run("check", "-j", "1", name).stdout
