"""Files and pipes of bytes, compressed or not: gzip, bzip2, xz and zstd are known by their first bytes."""

import bz2
import codecs
import gzip
import io
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any, cast

from satdoku.errors import InputError
from satdoku.inputs import remote
from satdoku.limits import MAX_MEMORY
from satdoku.words import article

TAR = re.compile(r".*\.(tar(\.\w{2,4})?|tgz|tbz2|txz)", re.IGNORECASE | re.DOTALL)
PASSED = re.compile(r"\..*|README.*|LICENSE.*", re.IGNORECASE)  # names of files of a set that hold no puzzles
Opener = Callable[[IO[bytes]], IO[bytes]]
CHUNK = 1 << 16
OTHERS: dict[bytes, str] = {  # what files of other kinds begin with
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
    b"FEA1": "a Feather file of version 1",
}
COLUMNAR = {b"PAR1": "Parquet", b"ARROW1": "Arrow"}  # what tables in columns begin with
DAMAGED = (EOFError, zlib.error, OSError)  # what reading a file raises that is not what it begins as


def opened(name: str) -> IO[bytes]:
    """A file of this machine or, by a URL, of another one. Raises InputError for a URL, OSError for a file of ours."""
    return remote.opened(name) if remote.is_remote(name) else Path(name).open("rb")


def expanded(argument: str) -> list[str]:
    """The files of a folder, or those that a pattern names, in the order of their names; else the argument itself.
    Raises InputError for a folder without files."""
    if not argument or "\n" in argument:
        return [argument]
    if remote.is_remote(argument):
        return [name for name in remote.matching(argument) if not PASSED.fullmatch(name.rpartition("/")[2])]
    path = Path(argument)
    try:
        files: Iterator[Path] = iter(())
        if path.is_dir():
            files = path.rglob("*")
        elif not path.exists() and remote.PATTERN.search(path.name):  # which the shell has left as it is
            files = Path(path.anchor).glob(str(path.relative_to(path.anchor)))
        paths = sorted(
            str(file)
            for file in files
            if file.is_file() and not any(map(PASSED.fullmatch, file.parts[len(path.parts) - (not path.is_dir()) :]))
        )
    except (OSError, ValueError):  # too long for a name, or a NUL in it
        return [argument]
    if not paths and path.is_dir():
        raise InputError(f"{argument}: a folder without files, expected puzzles")
    return paths or [argument]


def is_npz(file: str) -> bool:
    """Whether a file is named as one of arrays of numpy, which is an archive that holds no texts."""
    return file.lower().endswith(".npz")


def members(file: str) -> Iterator[tuple[str, IO[bytes]]] | None:
    if is_npz(file):
        return None
    if _is_zip(file):
        return _zipped(file)
    return _taped(file) if TAR.fullmatch(file) else None


def _is_zip(file: str) -> bool:
    """Asked of every file: the module, which takes some milliseconds to import, is asked where it may be one. A pipe
    with a name is none, as it can be read only once."""
    if not remote.is_remote(file) and not Path(file).is_file():
        return False
    with opened(file) as stream:
        if stream.read(2) != b"PK":
            return False
        import zipfile

        return zipfile.is_zipfile(stream)


def _zipped(file: str) -> Iterator[tuple[str, IO[bytes]]]:
    import zipfile

    with opened(file) as packed, zipfile.ZipFile(packed) as archive:
        for info in archive.infolist():
            if not info.is_dir() and not PASSED.fullmatch(Path(info.filename).name):
                try:
                    with archive.open(info) as stream:
                        yield info.filename, cast(IO[bytes], io.BufferedReader(cast(io.RawIOBase, stream)))
                except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                    raise InputError(f"{file}: {info.filename[:80]}: {error}") from None


def _taped(file: str) -> Iterator[tuple[str, IO[bytes]]]:
    import tarfile

    try:
        with opened(file) as packed, tarfile.open(fileobj=packed) as archive:
            for member in archive:
                stream = archive.extractfile(member) if member.isfile() else None
                if stream is not None and not PASSED.fullmatch(Path(member.name).name):
                    yield member.name, stream
    except tarfile.TarError as error:
        raise InputError(f"{file}: {error}") from None


class _Joined(io.RawIOBase):
    """Texts one after the other."""

    def __init__(self, texts: Iterator[bytes]) -> None:
        self._texts = texts
        self._rest = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._rest:
            text = next(self._texts, None)
            if text is None:
                return 0
            self._rest = memoryview(text)
        part = self._rest[: len(buffer)]
        buffer[: len(part)] = part
        self._rest = self._rest[len(part) :]
        return len(part)


def joined(texts: Iterator[bytes]) -> IO[bytes]:
    """A stream of texts one after the other."""
    return io.BufferedReader(_Joined(texts))


def _unpacked(decompressor: Callable[[], Any], stream: IO[bytes]) -> IO[bytes]:
    return joined(_frames(decompressor, stream))


def _frames(decompressor: Callable[[], Any], stream: IO[bytes]) -> Iterator[bytes]:
    """What compressed data holds, frame after frame, at most CHUNK bytes of it at a time."""
    frame: Any = None
    while True:
        data = b""
        if frame is None or frame.eof:
            data = (frame and frame.unused_data.lstrip(b"\0")) or stream.read(CHUNK)  # xz pads with zeros
            if not data:
                return
            frame = decompressor()
        elif frame.needs_input:
            data = stream.read(CHUNK)
            if not data:
                raise EOFError("compressed data ends inside a frame")
        try:
            unpacked = frame.decompress(data, CHUNK)
        except Exception as error:  # each package has its own
            raise OSError(str(error)) from None
        yield unpacked


def _utf8(stream: IO[bytes]) -> IO[bytes]:
    """A text in UTF-16 as UTF-8."""
    pieces = iter(partial(stream.read, CHUNK), b"")
    return joined(text.encode() for text in codecs.iterdecode(pieces, "utf-16", "replace"))


def zstd() -> Any:
    """The module that reads and writes zstd; raises InputError if it is not installed."""
    for package, name in (("compression", "compression.zstd"), ("backports", "backports.zstd")):
        if find_spec(package) is not None and find_spec(name) is not None:
            return import_module(name)
    raise InputError("zstd needs the package backports.zstd: pip install 'satdoku[tables]'")


MAGIC: dict[bytes, Opener] = {
    b"\x1f\x8b": lambda stream: cast(IO[bytes], gzip.GzipFile(fileobj=stream)),
    b"BZh": partial(_unpacked, bz2.BZ2Decompressor),
    b"\xfd7zXZ\x00": partial(_unpacked, partial(lzma.LZMADecompressor, memlimit=MAX_MEMORY)),
    b"\x28\xb5\x2f\xfd": lambda stream: _unpacked(zstd().ZstdDecompressor, stream),
    b"\xff\xfe": _utf8,
    b"\xfe\xff": _utf8,
}


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
    kind = next((what for magic, what in OTHERS.items() if head.startswith(magic)), None)
    if kind is not None:
        raise InputError(f"{kind}, expected puzzles as UTF-8 text")
    table = next((name for magic, name in COLUMNAR.items() if head.startswith(magic)), None)
    if table is not None:
        raise InputError(f"{article(table)} file: name the column of its puzzles, --column NAME")


def position(stream: IO[bytes]) -> int | None:
    try:
        return stream.tell()
    except (OSError, ValueError):
        return None


def undecodable(error: UnicodeDecodeError) -> str:
    return f"byte 0x{error.object[error.start]:02x} is not UTF-8 text, expected puzzles"
