"""Where compiled code is kept from one process to the next. What is damaged there is compiled anew."""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from numba import config
from numba.core.caching import FunctionCache, IndexDataCacheFile
from platformdirs import user_cache_dir

from satdoku.kernels import WATCHERS

SETTINGS: Any = config

DIGEST = sha256().digest_size
COMPILED = "kernels", "counting"  # the rooms with compiled code


class _Files(IndexDataCacheFile):
    """The files of one function. Code stands behind its checksum: damaged code would end the process."""

    def load(self, key: Any) -> Any:
        found = None
        try:
            found = super().load(key)
        except Exception:  # whatever a file that is cut or changed is unpickled to
            try:
                self.flush()
            except OSError:
                pass  # files of another user
        while found is None and WATCHERS:
            WATCHERS.pop()()
        return found

    def save(self, key: Any, data: Any) -> None:
        try:
            super().save(key, data)
        except OSError:
            pass  # a full disk: each process compiles anew

    def _save_data(self, name: str, data: Any) -> None:
        dumped = self._dump(data)
        with self._open_for_write(self._data_path(name)) as stream:
            stream.write(sha256(dumped).digest() + dumped)

    def _load_data(self, name: str) -> Any:
        content = Path(self._data_path(name)).read_bytes()
        if sha256(content[DIGEST:]).digest() != content[:DIGEST]:
            raise ValueError("damaged")
        return pickle.loads(content[DIGEST:])


class Cache(FunctionCache):
    """The compiled code of one function, in `folder`."""

    def __init__(self, function: Callable[..., Any], folder: str) -> None:
        with _cache_in(folder):  # numba reads the folder here and at no later time
            super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _Files(self._cache_path, self._impl.filename_base, stamp)


@cache
def cache_folder() -> str | None:
    """The folder of all kernels; None if no such folder can be written, and each process compiles anew.

    It is in NUMBA_CACHE_DIR, else in the user's cache folder (which a user without a home has not),
    else beside the package. The code of these very sources has a folder of its own: numba looks at
    no more than the file of a function, and would take code that another file has outdated.
    """
    package = Path(__file__).parents[1]
    sources = sorted(source for room in COMPILED for source in (package / room).rglob("*.py"))
    digest = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    own, beside = Path(user_cache_dir("satdoku")), Path(__file__).parent / "__pycache__"
    bases = [Path(SETTINGS.CACHE_DIR)] if SETTINGS.CACHE_DIR else [own, beside] if own.is_absolute() else [beside]
    for base in bases:
        folder = base / f"kernels-{digest}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return str(folder)
    return None


@contextmanager
def _cache_in(folder: str) -> Iterator[None]:
    """Other code in this process keeps its own folder."""
    before = SETTINGS.CACHE_DIR
    SETTINGS.CACHE_DIR = folder
    try:
        yield
    finally:
        SETTINGS.CACHE_DIR = before
