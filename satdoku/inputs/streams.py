"""Files and pipes of bytes, compressed or not: gzip, bzip2, xz and zstd are known by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any, cast

from satdoku.errors import InputError

Opener = Callable[[IO[bytes]], IO[bytes]]


CHUNK = 1 << 16


class _Zstd(io.RawIOBase):
    """What zstd frames hold, one after the other; other than the package's own reader, it notices one that is cut."""

    def __init__(self, stream: IO[bytes]) -> None:
        if find_spec("zstandard") is None:
            raise InputError("compressed by zstd, which needs the package zstandard: pip install 'satdoku[zstd]'")
        zstandard = import_module("zstandard")
        self._stream = stream
        self._open, self._damaged = zstandard.ZstdDecompressor().decompressobj, zstandard.ZstdError
        self._frame: Any = None
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left and (data := (self._frame and self._frame.unused_data) or self._stream.read(CHUNK)):
            if self._frame is None or self._frame.eof:
                self._frame = self._open()
            try:
                self._left = memoryview(self._frame.decompress(data))
            except self._damaged as error:
                raise OSError(str(error)) from None
        if not self._left and self._frame is not None and not self._frame.eof:
            raise EOFError("compressed data ends inside a frame")
        length = min(len(buffer), len(self._left))
        buffer[:length], self._left = self._left[:length], self._left[length:]
        return length


def _zstd(stream: IO[bytes]) -> IO[bytes]:
    plain: IO[bytes] = io.BufferedReader(_Zstd(stream))
    return plain


MAGIC: dict[bytes, Opener] = {
    b"\x1f\x8b": lambda stream: cast(IO[bytes], gzip.GzipFile(fileobj=stream)),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstd,
}

OTHERS: dict[bytes, str] = {
    b"%PDF": "a PDF document",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"PK\x03\x04": "a zip archive, as of an office document",
    b"\xd0\xcf\x11\xe0": "an old office document",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"SQLite format 3": "an SQLite database",
    b"\x7fELF": "a program",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}
"""What files of other kinds begin with."""

PARQUET = b"PAR1"

DAMAGED = (EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error, OSError)
"""What reading a file raises that is not what it begins as."""


def plain(stream: IO[bytes]) -> IO[bytes]:
    """The bytes that a stream holds, decompressed where they are compressed."""
    if not isinstance(stream, io.BufferedReader):
        return stream
    head = stream.peek(8)[:8]
    opener = next((opener for magic, opener in MAGIC.items() if head.startswith(magic)), None)
    return stream if opener is None else opener(stream)


def refuse_others(stream: IO[bytes]) -> None:
    """Raise InputError, saying what it is, for a stream that begins as a file that holds no puzzles as text."""
    if not isinstance(stream, io.BufferedReader):
        return
    head = stream.peek(16)[:16]
    found = next((what for magic, what in OTHERS.items() if head.startswith(magic)), None)
    if found is not None:
        raise InputError(f"{found}, expected puzzles as UTF-8 text")
    if head.startswith(PARQUET):
        raise InputError("a Parquet file: name the column of its puzzles, --column NAME")


def position(stream: IO[bytes]) -> int | None:
    """How many bytes of it have been read; None if it cannot tell, as a pipe or once it is closed."""
    try:
        return stream.tell()
    except (OSError, ValueError):
        return None
