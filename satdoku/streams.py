"""Files and pipes of bytes, compressed or not: gzip, bzip2, xz and zstd are known by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import IO, cast

from satdoku.errors import InputError

Opener = Callable[[IO[bytes]], IO[bytes]]


def _zstd(stream: IO[bytes]) -> IO[bytes]:
    if find_spec("zstandard") is None:
        raise InputError("compressed by zstd, which needs the package zstandard: pip install 'satdoku[zstd]'")
    reader = import_module("zstandard").ZstdDecompressor().stream_reader(stream, read_across_frames=True)
    plain: IO[bytes] = io.BufferedReader(reader)
    return plain


MAGIC: dict[bytes, Opener] = {
    b"\x1f\x8b": lambda stream: cast(IO[bytes], gzip.GzipFile(fileobj=stream)),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstd,
}

DAMAGED = (EOFError, gzip.BadGzipFile, lzma.LZMAError, OSError)


def plain(stream: IO[bytes]) -> IO[bytes]:
    """The bytes that a stream holds, decompressed where they are compressed."""
    if not isinstance(stream, io.BufferedReader):
        return stream
    head = stream.peek(8)[:8]
    opener = next((opener for magic, opener in MAGIC.items() if head.startswith(magic)), None)
    return stream if opener is None else opener(stream)


def position(stream: IO[bytes]) -> int | None:
    """How many bytes of it have been read; None if it cannot tell, as a pipe or once it is closed."""
    try:
        return stream.tell()
    except (OSError, ValueError):
        return None
