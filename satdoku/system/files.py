"""Files that are written as a whole, errors that name their file, and whether two names are of one file."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from satdoku.errors import InputError

MAX_NAME = 200  # characters of a name, which has room for more of ours
OPEN_FILE = "/proc/self/fd/{}"  # Linux: a name of a file that is open, from which one without a name gets one


def state_folder() -> Path:
    """Where what outlives a run is kept for this user; it may not be there yet."""
    base = os.environ.get("XDG_STATE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".local" / "state"
    return Path(base) / "satdoku"


@contextmanager
def naming(path: Path | str) -> Iterator[None]:
    """Let errors of the operating system name the file that is written: that of a full disk does not."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


def printable_name(name: str) -> str:
    r"""The name of a file as text that can be written on one line: line ends, and bytes that are not UTF-8, as escapes.

    >>> printable_name("a.txt"), printable_name("b\udcff.txt")
    ('a.txt', 'b\\xff.txt')
    """
    text = name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text.replace("\n", "\\n").replace("\r", "\\r")


class WholeFile:
    """A file that is not there before it is complete, and then in one step; what it replaces is there until then.

    Meanwhile it has no name, where the system has such files: a process that is killed leaves nothing.
    """

    def __init__(self, path: Path) -> None:
        check_folder(path)
        self.path = path
        self._special = path.exists() and not path.is_file()  # a device or a pipe, which nothing can be renamed to
        with naming(path):
            self.stream: IO[bytes] = path.open("wb") if self._special else _unnamed(path.parent)

    def write(self, data: bytes) -> None:
        with naming(self.path):
            self.stream.write(data)

    def finish(self) -> None:
        with naming(self.path):
            self.stream.flush()
            if not self._special:
                mask = os.umask(0)
                os.umask(mask)
                mode = self.path.stat().st_mode & 0o777 if self.path.exists() else 0o666 & ~mask
                self._take_place(mode)
            self.stream.close()

    def close(self) -> None:
        with suppress(OSError):  # what could not be written was an error before, and is not wanted any more
            self.stream.close()

    def _take_place(self, mode: int) -> None:
        beside = self.path.parent / f".{self.path.name[:MAX_NAME]}.{os.urandom(4).hex()}"
        number = self.stream.fileno()
        try:
            try:  # the number of the folder is not used, but without one the link would be to the link in /proc
                os.link(OPEN_FILE.format(number), beside, src_dir_fd=number, follow_symlinks=True)
            except (OSError, NotImplementedError):  # files without a name, or names for them, are not known here
                os.lseek(number, 0, os.SEEK_SET)
                with os.fdopen(os.dup(number), "rb") as stream, beside.open("wb") as copy:
                    shutil.copyfileobj(stream, copy)
            with beside.open("rb+") as written:
                os.fsync(written.fileno())
            beside.chmod(mode)
            beside.replace(self.path)
        finally:
            beside.unlink(missing_ok=True)


def _unnamed(folder: Path) -> IO[bytes]:
    """A new file without a name, which can get one where the system has such files: O_EXCL would rule that out."""
    try:
        return os.fdopen(os.open(folder, os.O_TMPFILE | os.O_RDWR | os.O_CLOEXEC, 0o600), "wb")
    except (AttributeError, OSError):
        return tempfile.TemporaryFile("wb", dir=folder)


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    with closing(WholeFile(path)) as file:
        for piece in [data] if isinstance(data, bytes) else data:
            file.write(piece)
        file.finish()


def check_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")


def check_growing(path: Path) -> None:
    """Raise InputError unless a file that grows is there, or can be."""
    check_folder(path)
    if path.exists() and not path.is_file():
        what = "not a regular file: leave it out, and pipe the output there"
        raise InputError(f"{path}: {what}")


def identity(file: Path | int) -> object:
    """What two names of one file have in common: device and inode, or the place where there is none yet.

    file: a path, or the number of an open file
    """
    try:
        status = os.stat(file)  # noqa: PTH116  takes numbers, too
    except OSError:
        return Path(file).resolve() if isinstance(file, Path) else None
    return status.st_dev, status.st_ino


def regular(stream: Any) -> int | None:
    """The number of an open stream that is a file, and neither a pipe nor a terminal; else None."""
    try:
        number: int = stream.fileno()
        return number if stat.S_ISREG(os.fstat(number).st_mode) else None
    except (OSError, ValueError, AttributeError):
        return None
