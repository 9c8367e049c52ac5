"""Temporary folders that are removed with what was started in them, whatever becomes of the process that has them."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from secrets import token_hex
from time import sleep, time
from typing import IO, Any

from satdoku.system.process import kill_below

PREFIX, SUFFIX = "satdoku-", ".running"  # how temporary folders begin and end
LOCK = "lock"  # the file in each that its owner keeps locked
MIN_AGE = 60.0  # seconds after which a folder without an owner is removed: one that is new may not be locked yet
MAX_TRIES, PAUSE = 20, 0.05  # to remove a folder in which a program still writes, and seconds between them


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
        self.path = Path(tempfile.gettempdir()) / f"{PREFIX}{token_hex(8)}{SUFFIX}"
        self._lock: IO[str] | None = None
        # An interrupt may come before the owner has the folder, or while it closes it: Python's end closes it then.
        atexit.register(self.close)
        self.path.mkdir(0o700)
        self._lock = (self.path / LOCK).open("w")
        lock(self._lock)

    def close(self) -> None:
        if self._lock is not None:
            self._lock.close()
        for _ in range(MAX_TRIES):
            kill_below(self.path)
            if _removed(self.path):
                atexit.unregister(self.close)
                return
            sleep(PAUSE)  # a program whose start was interrupted is known by its folder only once it runs


@cache
def _sweep(folder: Path) -> None:
    for each in folder.glob(f"{PREFIX}*{SUFFIX}"):
        file = each / LOCK
        with suppress(OSError):  # of another user
            if time() - (file if file.exists() else each).stat().st_mtime < MIN_AGE:
                continue
            if not file.exists():
                each.rmdir()  # its owner was killed before there was a lock, or after
                continue
            with file.open("r+") as stream:
                if not lock(stream):
                    continue
                kill_below(each)
            _removed(each)


def _removed(folder: Path) -> bool:
    """Whether a folder is gone, or could be removed: its lock last, so that it is known as ours until it is empty."""
    with suppress(OSError):
        for each in folder.iterdir():
            if each.is_dir() and not each.is_symlink():
                shutil.rmtree(each, ignore_errors=True)
            elif each.name != LOCK:
                each.unlink(missing_ok=True)
        if [each.name for each in folder.iterdir()] == [LOCK]:
            (folder / LOCK).unlink()
        folder.rmdir()
    return not folder.exists()
