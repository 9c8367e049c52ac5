"""Files that a run writes: plain or compressed in frames, which can be cut back; others as a whole."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import mkstemp
from typing import IO, Any

from satdoku.backends.process import lock
from satdoku.errors import InputError
from satdoku.inputs import streams

FRAME = 1 << 18  # bytes that are compressed together at least
READ = 1 << 20

UNFINISHED = ".unfinished"  # the suffix of a journal, after the name of the first output

INPUT = "an input"  # what messages call a file that is read


@dataclass(frozen=True, slots=True)
class FileState:
    """How far an output is. `waiting` is what will be compressed with what follows, a character a byte."""

    bytes: int = 0
    digest: int = 0
    waiting: str = ""
    has_rows: bool = False


def compressor(path: Path) -> Callable[[bytes], Any] | None:
    if path.suffix.lower() == ".gz":
        return partial(gzip.compress, mtime=0)
    if path.suffix.lower() != ".zst":
        return None
    try:
        compress: Callable[[bytes], Any] = streams.zstd().compress
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    return compress


class OutputFile:
    """A file that grows, and that a journal can cut back. One run writes it, compressed if its name says so."""

    def __init__(self, path: Path) -> None:
        """Raises InputError if it cannot be written or compressed here, or if another run writes it."""
        self.path = path
        self._compress = compressor(path)
        self.has_rows = False  # whether rows have been written, and not only what stands before them
        self._waiting = b""
        self._digest = 0
        check_folder(path)
        if path.exists() and not path.is_file():
            what = "not a regular file, which --output takes; without it the output can be piped there"
            raise InputError(f"{path}: {what}")
        self._stream: IO[bytes] = path.open("ab")
        if not lock(self._stream):
            self._stream.close()
            raise InputError(f"{path}: another run is writing it")

    def begin(self, state: FileState = FileState()) -> None:
        """Cut the file back to a state. Raises InputError if it no longer has what it had then."""
        if state.bytes and _digest(self.path, state.bytes) != state.digest:
            what = "is not as the stopped run left it; remove it and its journal to begin anew"
            raise InputError(f"--resume: {self.path} {what}")
        self._digest, self.has_rows = state.digest, state.has_rows
        self._waiting = state.waiting.encode("latin-1")
        self._stream.truncate(state.bytes)
        self._stream.seek(0, os.SEEK_END)

    def write(self, data: bytes) -> None:
        if self._compress is None:
            self._append(data)
            return
        self._waiting += data
        while len(self._waiting) >= FRAME:
            frame, self._waiting = self._waiting[:FRAME], self._waiting[FRAME:]
            self._append(self._compress(frame))

    def state(self) -> FileState:
        return FileState(self._stream.tell(), self._digest, self._waiting.decode("latin-1"), self.has_rows)

    def settle(self) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def finish(self) -> None:
        if self._waiting and self._compress is not None:
            self._append(self._compress(self._waiting))
            self._waiting = b""
        self.settle()

    def close(self) -> None:
        self._stream.close()

    def _append(self, data: bytes) -> None:
        self._digest = zlib.crc32(data, self._digest)
        self._stream.write(data)


class WholeFile:
    """A file that is written under another name and renamed when it is complete, so that it is never half there."""

    def __init__(self, path: Path) -> None:
        check_folder(path)
        self._path = path
        self._beside: Path | None = None
        self.stream: IO[bytes]
        if path.exists() and not path.is_file():  # a device or a pipe, which nothing can be renamed to
            self.stream = path.open("wb")
        else:
            handle, name = mkstemp(dir=path.parent, prefix=f".{path.name}.")
            self._beside = Path(name)
            self.stream = os.fdopen(handle, "wb")

    def finish(self) -> None:
        self.stream.flush()
        if self._beside is not None:
            os.fsync(self.stream.fileno())
        self.stream.close()
        if self._beside is not None:
            mask = os.umask(0)
            os.umask(mask)
            self._beside.chmod(self._path.stat().st_mode & 0o777 if self._path.exists() else 0o666 & ~mask)
            self._beside.replace(self._path)
            self._beside = None

    def close(self) -> None:
        self.stream.close()
        if self._beside is not None:
            self._beside.unlink(missing_ok=True)


def write_whole(path: Path, data: bytes | Iterable[bytes]) -> None:
    with closing(WholeFile(path)) as file:
        file.stream.writelines([data] if isinstance(data, bytes) else data)
        file.finish()


def check_folder(path: Path) -> None:
    if not path.parent.is_dir():
        raise InputError(f"cannot write {path}: there is no folder {path.parent}")


def _digest(path: Path, length: int) -> int | None:
    """The checksum of the first bytes of a file; None if it has fewer."""
    found, left = 0, length
    with path.open("rb") as stream:
        while left and (data := stream.read(min(READ, left))):
            found = zlib.crc32(data, found)
            left -= len(data)
    return None if left else found


def distinct(named: Iterable[tuple[str, Path]]) -> None:
    """Raise InputError if two named paths are one file, by device and inode, or by name where there is none yet."""
    seen: dict[object, str] = {}
    for name, path in named:
        try:
            found = path.stat()
            identity: object = (found.st_dev, found.st_ino)
        except OSError:
            identity = path.absolute()
        if identity in seen and not (path.exists() and not path.is_file()):
            if seen[identity] == INPUT:
                raise InputError(f"{path}: to be read, and to be written too; name another file for {name}")
            raise InputError(f"{path}: {seen[identity]} and {name} are the same file; name another one")
        seen.setdefault(identity, name)
