"""Programs that are run to their end or killed, with everything that they have started."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from threading import Event, Thread
from time import time
from typing import IO, TYPE_CHECKING, Any

from satdoku.backends.clock import LOOK, Deadline
from satdoku.errors import BackendError

if TYPE_CHECKING:
    import psutil

PREFIX, LOCK = "satdoku-", "lock"  # how temporary folders begin, and the file in each that its owner keeps locked
MIN_AGE = 60.0  # seconds after which a folder without an owner is removed: one that is new may not be locked yet
MAX_LINES = 3  # lines of a program's output that an error shows

TMPDIR = "TMPDIR"  # the variable that tells programs where their temporary files go, and so marks those that we started


def lock(stream: IO[Any]) -> bool:
    """Lock an open file for this process alone, until it is closed; False if another process has it."""
    import portalocker

    try:
        portalocker.lock(stream, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
    except portalocker.LockException:
        return False
    return True


class Scratch:
    """A temporary folder. If this process is killed, a later one removes it and what was started in it."""

    def __init__(self) -> None:
        _sweep(Path(tempfile.gettempdir()))
        self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
        self._lock = (self.path / LOCK).open("w")
        lock(self._lock)

    def close(self) -> None:
        kill_below(self.path)
        self._lock.close()
        shutil.rmtree(self.path, ignore_errors=True)


@cache
def _sweep(folder: Path) -> None:
    for file in folder.glob(f"{PREFIX}*/{LOCK}"):
        try:
            if time() - file.stat().st_mtime < MIN_AGE:
                continue
            with file.open("r+") as stream:
                if not lock(stream):
                    continue
                kill_below(file.parent)
        except OSError:
            continue  # of another user
        shutil.rmtree(file.parent, ignore_errors=True)


def python(code: str, **options: Any) -> subprocess.Popen[bytes]:
    """Another interpreter with the import path of this one; its session is its own, as Ctrl-C is for the parent."""
    path = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    environment = os.environ | {"PYTHONPATH": path}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, start_new_session=True, **options)


def run(
    command: Sequence[str], folder: Path, output: Path, errors: Path, deadline: Deadline, most: Mapping[Path, int]
) -> int | None:
    """The exit status of a program, negative if a signal ended it; None if the deadline did.

    Its temporary files go below `folder`, its output to two files, as a pipe that nobody reads would block it. Its
    process group is gone when this returns; `kill_below` finds what it left in another session. Raises OSError if it
    cannot be started, BackendError if a file comes to have more than `most` bytes.
    """
    if deadline.passed():
        return None
    # Made before it is started: an interrupt in the middle of starting it must find its number too.
    process: subprocess.Popen[bytes] = subprocess.Popen.__new__(subprocess.Popen)
    ended, stop = False, Event()

    def watch() -> None:
        while not (deadline.passed() or _too_long(most)):
            if stop.wait(min(LOOK, deadline.left() or LOOK)):
                return
        kill_tree(process.pid)

    watcher = Thread(target=watch, daemon=True)
    try:
        with output.open("wb") as out, errors.open("wb") as err:
            subprocess.Popen.__init__(
                process,
                command,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=os.environ | {TMPDIR: str(folder)},
                start_new_session=True,  # a group of its own to kill; and Ctrl-C is for the parent
            )
        try:
            watcher.start()
            _wait(process)
            ended = True
        finally:
            stop.set()
            if watcher.is_alive():
                watcher.join()  # it must not kill by a number that is free again
    finally:
        if getattr(process, "pid", None):
            (_kill_group if ended else kill_tree)(process.pid)
            process.wait()
    long = _too_long(most)
    if long is not None:
        raise BackendError(f"{command[0]} wrote over {most[long]} bytes to its file {long.name!r}, which is the limit")
    return None if process.returncode < 0 and deadline.passed() else process.returncode


def _too_long(most: Mapping[Path, int]) -> Path | None:
    return next((file for file, limit in most.items() if file.exists() and file.stat().st_size > limit), None)


def kill_tree(pid: int) -> None:
    """Kill a process, all it has started in whatever session, and its group; what lost its parent: see `kill_below`."""
    import psutil

    found: list[psutil.Process] = []
    with suppress(psutil.Error):
        fresh = [root := psutil.Process(pid)]
        while fresh:
            # Stopped before children are listed: they can then neither start others nor lose their parent.
            for process in fresh:
                with suppress(psutil.Error):
                    process.suspend()
            found += fresh
            fresh = [child for child in root.children(recursive=True) if child not in found]
    for process in found:
        with suppress(psutil.Error):
            process.kill()
    _kill_group(pid)


def below(folder: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Processes, where seen, whose temporary files go to a folder below `folder`, and the name that follows it."""
    import psutil

    beginning = f"{folder}{os.sep}"
    for process in psutil.process_iter():
        try:
            own = process.environ().get(TMPDIR, "")
        except (psutil.Error, OSError):
            continue
        if f"{own}{os.sep}".startswith(beginning):
            yield process, own[len(beginning) :].partition(os.sep)[0]


def kill_below(folder: Path) -> None:
    """Kill every process whose temporary files go to `folder` or below, in whatever session, parent or not."""
    import psutil

    for process, _ in below(folder):
        with suppress(psutil.Error):
            process.kill()


def last_message(*files: Path) -> str:
    for file in files:
        if file.exists():
            with file.open("rb") as stream:
                stream.seek(-min(10_000, file.stat().st_size), os.SEEK_END)
                text = stream.read().decode("utf-8", "replace")
            lines = [line.strip()[:200] for line in text.splitlines() if line.strip()]
            if lines:
                return ": " + " / ".join(lines[-MAX_LINES:])
    return ""


def _kill_group(pid: int) -> None:
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):  # all gone; some systems call a zombie forbidden
            os.killpg(pid, signal.SIGKILL)


def _wait(process: subprocess.Popen[bytes]) -> None:
    """Wait, and where the system can, leave the process unreaped, so that its number stays its own."""
    if hasattr(os, "waitid"):
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    else:
        process.wait()
