"""Where answers are written: standard output, or a file that can be taken up again after a kill.

Beside an unfinished file lies its journal, FILE.unfinished: how many lines of input are settled, and
how long the file was then. It is replaced as a whole, every half second and when the run is stopped, so
whatever is killed when, the file is cut back to what the journal knows and goes on from there, no line
lost or doubled.
"""

from __future__ import annotations

import json
import os
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from time import monotonic
from typing import IO, Any

import portalocker

from satdoku.batch.desk import Done
from satdoku.errors import InputError
from satdoku.inputs.sources import Block, Entry, Piece

UNFINISHED = ".unfinished"

FRAME = 1 << 18
"""Bytes of records that are compressed together at least."""

SECONDS = 0.5
"""Between two writings of the journal, each of which waits for the disk."""


@dataclass(slots=True)
class Progress:
    """What is settled: figures of the answers so far, and a checksum of the input that they are of."""

    done: Done
    checksum: int = 0


class Records:
    """A file of certificates, a line each; if it is named .zst, compressed in frames that are the same however
    the records come."""

    def __init__(self, path: Path) -> None:
        """Raises InputError if it cannot be compressed here."""
        if path.suffix == ".zst" and find_spec("zstandard") is None:
            raise InputError(f"{path}: zstd needs the package zstandard: pip install 'satdoku[zstd]'")
        self._path = path
        self._compressed = path.suffix == ".zst"
        self._waiting = b""

    def begin(self, state: dict[str, Any] | None) -> None:
        """Cut the file back to a `state`; to nothing, if there is none."""
        self._stream: IO[bytes] = self._path.open("ab")
        self._stream.truncate(state["bytes"] if state else 0)
        self._stream.seek(0, os.SEEK_END)
        self._waiting = state["waiting"].encode() if state else b""

    def write(self, records: list[str]) -> None:
        for record in records:
            self._waiting += record.encode() + b"\n"
            if len(self._waiting) >= FRAME:
                self._frame()

    def state(self) -> dict[str, Any]:
        """What `begin` needs to go on from here."""
        return {"bytes": self._stream.tell(), "waiting": self._waiting.decode()}

    def settle(self) -> None:
        self._stream.flush()
        os.fsync(self._stream.fileno())

    def finish(self) -> None:
        """Write what still waits; no record follows."""
        self._frame()

    def close(self) -> None:
        self._stream.close()

    def _frame(self) -> None:
        data, self._waiting = self._waiting, b""
        if data and self._compressed:
            data = import_module("zstandard").ZstdCompressor().compress(data)
        self._stream.write(data)


class Journaled:
    """An output file with its journal. One run at a time writes it."""

    def __init__(self, path: Path, asked: str, resume: bool, records: Records | None = None) -> None:
        """asked: what was asked, in a form that only an equal question has.

        Raises InputError if there is nothing to resume, something unfinished that is not to be resumed,
        another question behind it, or another run that writes it.
        """
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: no plain file, which --output takes; without it the output can be piped there")
        self.path = path
        self._journal = path.with_name(path.name + UNFINISHED)
        self._asked = asked
        if not path.exists():
            self._begun(resume)  # which leaves nothing behind if it raises
        self._stream: IO[bytes] = path.open("ab")
        try:
            portalocker.lock(self._stream, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
        except portalocker.LockException:
            self._stream.close()
            raise InputError(f"{path}: another run is writing it") from None
        try:
            begun = self._begun(resume)
        except InputError:
            self._stream.close()
            raise
        self.progress = _progress(begun)
        self._stream.truncate(begun["bytes"] if begun else 0)
        self._stream.seek(0, os.SEEK_END)
        self._record: dict[str, Any] | None = None  # what is settled and not in the journal yet
        self._written = monotonic()
        self._records = records
        if records is not None:
            records.begin(begun.get("records"))
        if not begun:
            self.commit()
            self._settle()

    def _begun(self, resume: bool) -> dict[str, Any]:
        try:
            found: dict[str, Any] = json.loads(self._journal.read_text("utf-8"))
        except FileNotFoundError:
            found = {}
        except ValueError:
            raise InputError(f"{self._journal}: no journal of satdoku; remove it to begin anew") from None
        if resume and not found and self.path.exists():
            raise InputError(
                f"--resume: {self.path} is complete, or was not begun by satdoku: there is no {self._journal}"
            )
        if found and not resume:
            raise InputError(
                f"{self.path} is unfinished: --resume goes on with it; to begin anew remove {self._journal}"
            )
        if found and found.get("asked") != self._asked:
            raise InputError(f"--resume: {self.path} was begun with other options or inputs: {found.get('asked')}")
        return found

    def skipped(self, pieces: Iterator[Piece]) -> Iterator[Piece]:
        """The pieces that are left; raises InputError if those that are settled have changed."""
        left, checksum = self.progress.done.lines, 0
        for piece in pieces:
            if not left:
                return chain([piece], pieces)
            length = len(piece) if isinstance(piece, Block) else 1
            part = piece.part(0, left) if isinstance(piece, Block) and length > left else piece
            checksum = _checksum(part, checksum)
            if isinstance(piece, Block) and length > left:
                self._unchanged(checksum)
                return chain([piece.part(left, length)], pieces)
            left -= length
        self._unchanged(checksum)
        return iter(())

    def _unchanged(self, checksum: int) -> None:
        if checksum != self.progress.checksum:
            raise InputError(f"--resume: the input is not that with which {self.path} was begun")

    def write(self, text: str) -> None:
        self._stream.write(text.encode("utf-8", "backslashreplace"))

    def commit(self, piece: Piece | None = None) -> None:
        """What has been written is the whole answer to `piece`; sooner or later the journal has it."""
        if piece is not None:
            self.progress.checksum = _checksum(piece, self.progress.checksum)
        done = self.progress.done
        self._record = {
            "asked": self._asked,
            "lines": done.lines,
            "bytes": self._stream.tell(),
            "checksum": self.progress.checksum,
            "status": done.status,
            "words": dict(done.words),
            "read": dict(done.read),
            "engines": dict(done.engines),
        }
        if self._records is not None:
            self._record["records"] = self._records.state()
        if monotonic() - self._written > SECONDS:
            self._settle()

    def _settle(self) -> None:
        """Bring the journal up to the last commit."""
        if self._record is None:
            return
        self._stream.flush()
        os.fsync(self._stream.fileno())
        if self._records is not None:
            self._records.settle()
        beside = self._journal.with_name(self._journal.name + ".new")
        beside.write_text(json.dumps(self._record), "utf-8")
        beside.replace(self._journal)
        self._record = None
        self._written = monotonic()

    def finish(self) -> None:
        """Everything is written: the journal goes."""
        self._settle()
        self._journal.unlink(missing_ok=True)

    def close(self) -> None:
        # What was written after the last commit is cut away when the run is resumed.
        try:
            self._settle()
        finally:
            self._stream.close()


def _progress(begun: dict[str, Any]) -> Progress:
    if not begun:
        return Progress(Done())
    words, read, engines = (Counter[str](begun[name]) for name in ("words", "read", "engines"))
    return Progress(Done(words, read, engines, status=begun["status"], lines=begun["lines"]), begun["checksum"])


def _checksum(piece: Piece, before: int) -> int:
    if isinstance(piece, Entry):
        return zlib.crc32(piece.text.encode("utf-8", "replace"), before)
    return zlib.crc32(b"\n", zlib.crc32(piece.text(), before))
