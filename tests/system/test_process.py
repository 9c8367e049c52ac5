"""Programs that are killed with all that they have started."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from satdoku.system import process, scratch
from satdoku.system.clock import Deadline

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sessions are of POSIX")

TREE = """
import os, subprocess, sys, time
depth = int(sys.argv[1])
if depth:
    own_session = depth % 2 == 0
    subprocess.Popen([sys.executable, *sys.orig_argv[1:3], str(depth - 1), sys.argv[2]], start_new_session=own_session)
print(os.getpid(), file=open(os.path.join(sys.argv[2], f"{depth}.new"), "w"))
os.rename(os.path.join(sys.argv[2], f"{depth}.new"), os.path.join(sys.argv[2], str(depth)))
time.sleep(60)
"""
"""Starts itself, one level deeper, every other time in a session of its own, and leaves its number in a folder."""


def numbers(folder: Path, levels: int) -> list[int]:
    """The numbers of all processes of a tree, once each has started."""
    files = [folder / str(level) for level in range(levels + 1)]
    while not all(file.exists() for file in files):
        time.sleep(0.01)
    return [int(file.read_text()) for file in files]


def living(pids: list[int]) -> list[int]:
    """Those that still run after as long as a kill may take."""
    left = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    _, left = psutil.wait_procs(left, timeout=5)
    return [one.pid for one in left if one.status() != psutil.STATUS_ZOMBIE]


def begun(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until the program has its environment, which comes some time after its name."""
    while psutil.Process(process.pid).environ().get("TMPDIR") != str(folder):
        time.sleep(0.01)


class TestKillTree:
    def test_every_descendant_is_killed_whatever_its_session(self, tmp_path: Path) -> None:
        with subprocess.Popen([sys.executable, "-c", TREE, "4", str(tmp_path)]) as root:
            pids = numbers(tmp_path, 4)
            assert len({os.getsid(pid) for pid in pids}) > 2
            process.kill_tree(root.pid)
            root.wait()
            assert living(pids) == []

    def test_the_group_of_a_leader_that_has_ended_is_killed(self, tmp_path: Path) -> None:
        script = f"sleep 60 & echo $! > {tmp_path}/0; exit 0"
        with subprocess.Popen(["sh", "-c", script], start_new_session=True) as root:
            root.wait()
            pids = numbers(tmp_path, 0)
            process.kill_tree(root.pid)
            assert living(pids) == []

    def test_a_process_that_is_gone_is_passed_over(self) -> None:
        with subprocess.Popen(["true"]) as ended:
            ended.wait()
        process.kill_tree(ended.pid)


class TestBelow:
    def test_processes_are_known_by_where_their_temporary_files_go(self, tmp_path: Path) -> None:
        inside, outside = tmp_path / "a", tmp_path / "ab"
        environment = {**os.environ, "TMPDIR": str(inside / "worker" / "solver")}
        with (
            subprocess.Popen(["sleep", "60"], env=environment, start_new_session=True) as marked,
            subprocess.Popen(["sleep", "60"], env={**environment, "TMPDIR": str(outside)}) as other,
        ):
            begun(marked, inside / "worker" / "solver")
            begun(other, outside)
            assert [(one.pid, name) for one, name in process.below(inside)] == [(marked.pid, "worker")]
            process.kill_below(inside)
            assert marked.wait() < 0
            assert other.poll() is None
            other.kill()


class TestRun:
    def test_the_status_is_that_of_the_program(self, tmp_path: Path) -> None:
        out, errors = tmp_path / "out", tmp_path / "errors"
        script = "echo $TMPDIR; echo oops >&2; exit 7"
        assert process.run(["sh", "-c", script], tmp_path, out, errors, Deadline(None), {}) == 7
        assert out.read_text() == f"{tmp_path}\n"
        assert process.last_message(errors, out) == ": oops"

    def test_a_deadline_is_none_and_kills(self, tmp_path: Path) -> None:
        out, errors = tmp_path / "out", tmp_path / "errors"
        script = f"echo $$ > {tmp_path}/0; exec sleep 60"
        assert process.run(["sh", "-c", script], tmp_path, out, errors, Deadline(0.5), {}) is None
        assert living(numbers(tmp_path, 0)) == []


class TestScratch:
    def test_what_a_killed_process_left_is_removed_by_a_later_one(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        used, young = scratch.Scratch(), scratch.Scratch()
        left, other = tmp_path / "satdoku-left.running", tmp_path / "of-another-program"
        left.mkdir()
        environment = {**os.environ, "TMPDIR": str(left)}
        with subprocess.Popen(["sleep", "60"], env=environment, start_new_session=True) as solver:
            begun(solver, left)
            for folder in (left, used.path, other):
                folder.mkdir(exist_ok=True)
                (folder / "lock").touch()
                os.utime(folder / "lock", (0, 0))
            empty, full = tmp_path / "satdoku-empty.running", tmp_path / "satdoku-full.running"
            empty.mkdir()
            (full / "of-the-user").mkdir(parents=True)
            for folder in (empty, full):  # without a lock
                os.utime(folder, (0, 0))
            scratch._sweep.cache_clear()
            scratch.Scratch().close()
            assert solver.wait() < 0
        assert sorted(tmp_path.iterdir()) == sorted([used.path, young.path, full, other])
        used.close()
        young.close()
        assert sorted(tmp_path.iterdir()) == [other, full]

    @pytest.mark.parametrize("moment", ["mkdir", "open", "unlink", "rmdir"])
    def test_an_interrupt_leaves_none_once_the_process_has_ended(self, moment: str, tmp_path: Path) -> None:
        """While it is made, and while it is closed."""
        code = f"""
from pathlib import Path
from satdoku.system.scratch import Scratch

do = Path.{moment}

def interrupt(path, *arguments, **more):
    Path.{moment} = do
    do(path, *arguments, **more)
    raise KeyboardInterrupt

Path.{moment} = interrupt
Scratch().close()
"""
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
        assert "KeyboardInterrupt" in ended.stderr
        assert list(tmp_path.iterdir()) == []

    def test_a_folder_of_which_nobody_knows_goes_with_the_process(self, tmp_path: Path) -> None:
        code = "from satdoku.system.scratch import Scratch; print(Scratch().path)"
        environment = {**os.environ, "TMPDIR": str(tmp_path)}
        made = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True).stdout
        assert Path(made.strip()).parent == tmp_path
        assert list(tmp_path.iterdir()) == []

    def test_the_lock_goes_last(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """So that a process which is killed meanwhile leaves a folder that is known as ours."""
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        removed: list[str] = []

        def noting(remove: Callable[..., None]) -> Callable[..., None]:
            def noted(path: Path, **more: bool) -> None:
                removed.append(path.name)
                remove(path, **more)

            return noted

        monkeypatch.setattr(Path, "unlink", noting(Path.unlink))
        monkeypatch.setattr(Path, "rmdir", noting(Path.rmdir))
        folder = scratch.Scratch()
        (folder.path / "of a program").mkdir()
        (folder.path / "of another").touch()
        folder.close()
        assert removed == ["of another", "lock", folder.path.name]
        assert list(tmp_path.iterdir()) == []
