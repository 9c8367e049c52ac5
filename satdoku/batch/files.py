"""Files that a run writes: plain or compressed in frames, which can be cut back."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

from satdoku.errors import InputError
from satdoku.inputs import streams
from satdoku.system.files import check_growing, identity, naming
from satdoku.system.scratch import lock

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
        check_growing(path)
        self._made = not path.exists()
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
        with naming(self.path):
            self._stream.flush()
            os.fsync(self._stream.fileno())

    def finish(self) -> None:
        if self._waiting and self._compress is not None:
            self._append(self._compress(self._waiting))
            self._waiting = b""
        self.settle()

    def close(self) -> None:
        with naming(self.path):
            self._stream.close()

    def abandon(self) -> None:
        """Close a file in which nothing could be begun, and leave none where none was before."""
        with suppress(OSError):
            self._stream.close()
        if self._made:
            self.path.unlink(missing_ok=True)

    def _append(self, data: bytes) -> None:
        self._digest = zlib.crc32(data, self._digest)
        with naming(self.path):
            self._stream.write(data)


def _digest(path: Path, length: int) -> int | None:
    """The checksum of the first bytes of a file; None if it has fewer."""
    digest, left = 0, length
    with path.open("rb") as stream:
        while left and (data := stream.read(min(READ, left))):
            digest = zlib.crc32(data, digest)
            left -= len(data)
    return None if left else digest


def distinct(written: Iterable[tuple[str, Path]], read: Iterable[object]) -> None:
    """Raise InputError if two of the named paths are one file, or one is among those that are read.

    read: what `identity` gives of these
    """
    seen: dict[object, str] = dict.fromkeys(read, INPUT)
    for name, path in written:
        file = identity(path)
        if file in seen and not (path.exists() and not path.is_file()):
            if seen[file] == INPUT:
                raise InputError(f"{path}: to be read, and to be written too; name another file for {name}")
            raise InputError(f"{path}: {seen[file]} and {name} are the same file; name another one")
        seen.setdefault(file, name)
