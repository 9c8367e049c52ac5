"""Files that a run writes: plain or compressed in frames, cut back to what a journal knows; others as a whole."""

import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import mkstemp
from time import monotonic
from typing import IO, Any

import msgspec

from satdoku.backends.process import lock
from satdoku.batch.totals import Total
from satdoku.errors import InputError
from satdoku.inputs import streams
from satdoku.inputs.items import Chunk

FRAME = 1 << 18  # bytes that are compressed together at least
READ = 1 << 20

INPUT = "an input"  # what messages call a file that is read


class FileState(msgspec.Struct, forbid_unknown_fields=True):
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

    def begin(self, state: FileState) -> None:
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


UNFINISHED = ".unfinished"

SECONDS = 0.5  # between two writings of the journal, each of which waits for the disk


class Record(msgspec.Struct, forbid_unknown_fields=True):
    key: dict[str, str]
    total: Total
    checksum: int
    files: list[FileState]


class Journal:
    """The journal of some outputs; named after the first."""

    def __init__(self, path: Path, key: Mapping[str, str], resume: bool) -> None:
        """path: the first output; key: what was asked. Raises InputError unless that can be begun, or gone on with."""
        self.path = Path(f"{path}{UNFINISHED}")
        self._output = path
        self._key = dict(key)
        self._record = self._read(resume)
        self._files: Sequence[OutputFile] = ()
        self._checksum = self._record.checksum if self._record else 0
        self._pending = b""  # what the journal holds after the last commit, if it does not yet
        self._written = monotonic()
        self.total = self._record.total if self._record else Total()

    def begin(self, files: Sequence[OutputFile]) -> None:
        states = self._record.files if self._record is not None else [FileState() for _ in files]
        if len(states) != len(files):
            raise self._damaged("other outputs")
        self._files = files
        for file, state in zip(files, states, strict=True):
            file.begin(state)

    @property
    def resumed(self) -> bool:
        return self._record is not None

    def left(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks that are not settled; raises InputError if those that are have changed."""
        left, checksum = self.total.lines, 0
        rest: list[Chunk] = []
        while left and (chunk := next(chunks, None)) is not None:
            part = chunk.part(0, min(left, len(chunk)))
            rest = [chunk.part(len(part), len(chunk))] if len(part) < len(chunk) else []
            checksum = _checksum(part, checksum)
            left -= len(part)
        if self.total.lines and checksum != self._checksum:
            raise InputError(f"--resume: the input is not that with which {self._output} was begun")
        return chain(rest, chunks)

    def commit(self, chunk: Chunk | None = None) -> None:
        """What has been written is the whole answer to a chunk; sooner or later the journal has it."""
        if chunk is not None:
            self._checksum = _checksum(chunk, self._checksum)
        states = [file.state() for file in self._files]
        self._pending = msgspec.json.encode(Record(self._key, self.total, self._checksum, states))
        if monotonic() - self._written > SECONDS:
            self.settle()

    def settle(self) -> None:
        if not self._pending:
            return
        for file in self._files:
            file.settle()
        write_whole(self.path, self._pending)
        self._pending, self._written = b"", monotonic()

    def finish(self) -> None:
        self.path.unlink(missing_ok=True)
        self._pending = b""

    def _read(self, resume: bool) -> Record | None:
        if not self.path.exists():
            if resume and self._output.exists():
                why = f"is complete, or was not begun by satdoku: there is no {self.path}"
                raise InputError(f"--resume: {self._output} {why}")
            return None
        if not resume:
            how = f"--resume goes on with it; to begin anew remove {self.path}"
            raise InputError(f"{self._output} is unfinished: {how}")
        data = self.path.read_bytes()
        if not data.strip():
            return None  # killed before anything was settled
        try:
            record = msgspec.json.decode(data, type=Record)
        except (msgspec.DecodeError, ValueError) as error:
            raise self._damaged(str(error)) from None
        for option in dict.fromkeys([*record.key, *self._key]):
            before = record.key.get(option)
            if before != self._key.get(option):
                how = f"with `{option} {before}`" if before is not None else f"without {option}"
                raise InputError(f"{self._output} was begun {how}; repeat that, or remove {self.path}")
        return record

    def _damaged(self, what: str) -> InputError:
        return InputError(f"{self.path}: not a journal of satdoku ({what}); remove it to begin anew")


def _checksum(chunk: Chunk, before: int) -> int:
    return zlib.crc32(b"\n", zlib.crc32(chunk.digest(), before))
