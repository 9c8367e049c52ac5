"""Files that are not on this machine: https, S3 and what else fsspec opens by a URL."""

import io
import re
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from satdoku.errors import InputError, reason_of

URL = re.compile(r"([a-z][a-z0-9+.-]+)://(.+)", re.IGNORECASE)
SITES = ("http", "https")
FILE = re.compile(r"[^?#]+/[^?#/]+\.(txt|csv|tsv|jsonl?|parquet|toml|sdk|sdm|ss|zip|tar|tgz|gz|bz2|xz|zst)(\?[^#]*)?")
"""Pages of a site that are files; a link that holds a puzzle has no such name."""
PATTERN = re.compile(r"[*?\[]")
BLOCK = 1 << 20  # bytes that are fetched at once


def is_remote(name: str) -> bool:
    """Whether a name is a URL of a file, and not a link that holds a puzzle."""
    url = URL.fullmatch(name)
    return url is not None and (url[1].lower() not in SITES or FILE.fullmatch(url[2]) is not None)


class _Fetched(io.RawIOBase):
    """A file of a file system, whose own errors become OSError."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._file.read(len(buffer))
        except Exception as error:  # each file system has its own
            raise OSError(_said(error)) from None
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._file.close()
        super().close()


def opened(url: str) -> IO[bytes]:
    """A remote file, to be read. Raises InputError, with the URL."""
    with _named(url):
        system, path = _system(url)
        file = system.open(path, "rb", block_size=BLOCK)
    return io.BufferedReader(_Fetched(file), BLOCK)


def matching(url: str) -> list[str]:
    """The files that a URL names: those of a folder or a pattern, in the order of their names, or itself.

    Raises InputError for a folder or a pattern without files.
    """
    scheme, _, rest = url.partition("://")
    folder, pattern = rest.endswith("/"), PATTERN.search(rest) is not None
    if scheme.lower() in SITES or not (folder or pattern):
        return [url]
    with _named(url):
        system, path = _system(url)
        names = sorted(system.find(path) if folder else system.glob(path))
        names = [system.unstrip_protocol(name) for name in names]
    if not names:
        raise InputError(f"{url}: no files there, expected puzzles")
    return names


class Folder:
    """A folder of a file system: `s3://bucket/folder`, or one of this machine as a URL."""

    def __init__(self, url: str) -> None:
        """Raises InputError if there is no such file system here."""
        self.url = url.rstrip("/")
        self._system, self._path = _system(self.url)

    def has(self, name: str) -> bool:
        with _named(f"{self.url}/{name}"):
            return bool(self._system.exists(f"{self._path}/{name}"))

    def holds(self, name: str) -> bool:
        """Whether a file lies in it."""
        if not is_remote(name):
            return False
        system, path = _system(name)
        return type(system) is type(self._system) and path.rpartition("/")[0] == self._path

    def put(self, file: Path, name: str) -> None:
        """Copy a file of this machine there, whole. Raises InputError."""
        with _named(f"{self.url}/{name}"):
            self._system.makedirs(self._path, exist_ok=True)
            self._system.put_file(str(file), f"{self._path}/{name}")


def _system(url: str) -> tuple[Any, str]:
    if find_spec("fsspec") is None:
        raise InputError(f"{url}: files elsewhere need the package fsspec: pip install 'satdoku[remote]'")
    with _named(url):
        try:
            system, path = import_module("fsspec.core").url_to_fs(url)
        except ImportError as error:
            raise InputError(f"{url}: {error}") from None
    return system, path


@contextmanager
def _named(url: str) -> Iterator[None]:
    """What a file system raises becomes an InputError with the URL."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:  # each file system has its own
        raise InputError(f"{url}: {_said(error)}") from None


def _said(error: Exception) -> str:
    """What an error says, in one line."""
    if isinstance(error, FileNotFoundError) and error.__cause__ is None:
        return "no such file"
    error = error.__cause__ if isinstance(error.__cause__, Exception) else error
    return " ".join(reason_of(error).split())[:300]
