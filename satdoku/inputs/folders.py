"""Sets of files: folders, patterns of names, archives."""

import io
import re
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, cast

from satdoku.errors import InputError

PATTERN = re.compile(r"[*?\[]")
TAR = re.compile(r".*\.(tar(\.\w{2,4})?|tgz|tbz2|txz)", re.IGNORECASE | re.DOTALL)
PASSED = re.compile(r"\..*|README.*|LICENSE.*", re.IGNORECASE)  # names of files of a set that hold no puzzles


def expanded(argument: str) -> list[str]:
    """The files of a folder, or those that a pattern names, in the order of their names; else the argument itself.
    Raises InputError for a folder without files."""
    if not argument or "\n" in argument:
        return [argument]
    path = Path(argument)
    try:
        files = path.rglob("*") if path.is_dir() else _matching(path) if not path.exists() else iter(())
        found = sorted(
            str(file)
            for file in files
            if file.is_file() and not any(map(PASSED.fullmatch, file.parts[len(path.parts) - (not path.is_dir()) :]))
        )
    except (OSError, ValueError):  # too long for a name, or a NUL in it
        return [argument]
    if not found and path.is_dir():
        raise InputError(f"{argument}: a folder without files, expected puzzles")
    return found or [argument]


def _matching(path: Path) -> Iterator[Path]:
    """What a pattern names, which the shell has left as it is."""
    parts = path.relative_to(path.anchor)
    return Path(path.anchor).glob(str(parts)) if PATTERN.search(path.name) else iter(())


def members(file: str) -> Iterator[tuple[str, IO[bytes]]] | None:
    """The files of an archive, each with its name there; None for a file that is not one."""
    if zipfile.is_zipfile(file):
        return _zipped(file)
    return _taped(file) if TAR.fullmatch(file) else None


def _zipped(file: str) -> Iterator[tuple[str, IO[bytes]]]:
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            if not info.is_dir() and not PASSED.fullmatch(Path(info.filename).name):
                try:
                    with archive.open(info) as stream:
                        yield info.filename, cast(IO[bytes], io.BufferedReader(cast(io.RawIOBase, stream)))
                except (RuntimeError, NotImplementedError, zipfile.BadZipFile) as error:
                    raise InputError(f"{file}: {info.filename[:80]}: {error}") from None


def _taped(file: str) -> Iterator[tuple[str, IO[bytes]]]:
    try:
        with tarfile.open(file) as archive:
            for member in archive:
                stream = archive.extractfile(member) if member.isfile() else None
                if stream is not None and not PASSED.fullmatch(Path(member.name).name):
                    yield member.name, stream
    except tarfile.TarError as error:
        raise InputError(f"{file}: {error}") from None
