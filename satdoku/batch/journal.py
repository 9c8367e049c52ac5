"""The journal of a run: how far its outputs are, so that `--resume` can go on where it was stopped."""

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from time import monotonic

import msgspec

from satdoku.batch.files import UNFINISHED, FileState, OutputFile
from satdoku.batch.totals import RunTotal
from satdoku.errors import InputError
from satdoku.inputs.items import Chunk
from satdoku.system.files import printable_name, write_whole

SECONDS = 0.5  # between two writings of the journal, each of which waits for the disk


class JournalEntry(msgspec.Struct, forbid_unknown_fields=True):
    key: dict[str, str]
    total: RunTotal
    checksum: int
    files: list[FileState]


class Sealed(msgspec.Struct, forbid_unknown_fields=True):
    """A record as the journal has it: with a checksum, since one digit that is not as it was could lose a line."""

    record: msgspec.Raw
    checksum: int


class Journal:
    """The journal of some outputs; named after the first."""

    def __init__(self, path: Path, key: Mapping[str, str], resume: bool) -> None:
        """path: the first output; key: what was asked. Raises InputError unless that can be begun, or gone on with."""
        self.path = Path(f"{path}{UNFINISHED}")
        self.output = path
        self._key = {option: printable_name(value) for option, value in key.items()}
        self._record = self._read(resume)
        self._files: Sequence[OutputFile] = ()
        self._checksum = self._record.checksum if self._record else 0
        self._pending = b""  # what the journal holds after the last commit, if it does not yet
        self._written = monotonic()
        self.total = self._record.total if self._record else RunTotal()

    def begin(self, files: Sequence[OutputFile]) -> None:
        states = [FileState() for _ in files] if self._record is None else self._record.files
        if len(states) != len(files):
            raise self._damaged("other outputs")
        self._files = files
        for file, state in zip(files, states, strict=True):
            file.begin(state)

    @property
    def resumed(self) -> bool:
        return self._record is not None

    def unsettled(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks that are not settled; raises InputError if those that are have changed."""
        left, checksum = self.total.lines, 0
        rest: list[Chunk] = []
        while left and (chunk := next(chunks, None)) is not None:
            part = chunk.part(0, min(left, len(chunk)))
            rest = [chunk.part(len(part), len(chunk))] if len(part) < len(chunk) else []
            checksum = _checksum(part, checksum)
            left -= len(part)
        if self.total.lines and checksum != self._checksum:
            raise InputError(f"--resume: the input is not that with which {self.output} was begun")
        return chain(rest, chunks)

    def commit(self, chunk: Chunk | None = None) -> None:
        """What has been written is the whole answer to a chunk; sooner or later the journal has it."""
        if chunk is not None:
            self._checksum = _checksum(chunk, self._checksum)
        states = [file.state() for file in self._files]
        self._pending = msgspec.json.encode(JournalEntry(self._key, self.total, self._checksum, states))
        if monotonic() - self._written > SECONDS:
            self.settle()

    def settle(self) -> None:
        if not self._pending:
            return
        for file in self._files:
            file.settle()
        write_whole(self.path, msgspec.json.encode(Sealed(msgspec.Raw(self._pending), zlib.crc32(self._pending))))
        self._pending, self._written = b"", monotonic()

    def finish(self) -> None:
        self.path.unlink(missing_ok=True)
        self._pending = b""

    def _read(self, resume: bool) -> JournalEntry | None:
        if not self.path.exists():
            if resume and self.output.exists():
                why = f"is complete, or was not begun by satdoku: there is no {self.path}"
                raise InputError(f"--resume: {self.output} {why}")
            return None
        if not resume:
            how = f"--resume goes on with it; to begin anew remove {self.path}"
            raise InputError(f"{self.output} is unfinished: {how}")
        data = self.path.read_bytes()
        if not data.strip():
            return None  # killed before anything was settled
        try:
            sealed = msgspec.json.decode(data, type=Sealed)
            if zlib.crc32(sealed.record) != sealed.checksum:
                raise self._damaged("its checksum does not fit")
            record = msgspec.json.decode(sealed.record, type=JournalEntry)
        except (msgspec.DecodeError, ValueError) as error:
            raise self._damaged(str(error)) from None
        for option in dict.fromkeys([*record.key, *self._key]):
            before = record.key.get(option)
            if before != self._key.get(option):
                how = f"with `{option} {before}`" if before is not None else f"without {option}"
                raise InputError(f"{self.output} was begun {how}; repeat that, or remove {self.path}")
        return record

    def _damaged(self, what: str) -> InputError:
        return InputError(f"{self.path}: not a journal of satdoku ({what}); remove it to begin anew")


def _checksum(chunk: Chunk, before: int) -> int:
    return zlib.crc32(b"\n", zlib.crc32(chunk.digest(), before))
