"""How kernels are compiled and kept from one process to the next, anew where damaged; and what they all need."""

import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import __version__, config, njit, types
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.extending import intrinsic
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
            with suppress(OSError):  # files of another user
                self.flush()
        while found is None and WATCHERS:
            WATCHERS.pop()()
        return found

    def save(self, key: Any, data: Any) -> None:
        with suppress(OSError):  # a full disk: each process compiles anew
            super().save(key, data)

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
    def __init__(self, function: Callable[..., Any], folder: str) -> None:
        with _cache_in(folder):  # numba reads the folder here and at no later time
            super().__init__(function)
        path = Path(folder, function.__module__)  # numba's own is one for each path of the source
        path.mkdir(exist_ok=True)
        self._cache_file = _Files(str(path), self._impl.filename_base, "")


@cache
def cache_folder() -> str | None:
    """The folder for code of these very sources: in NUMBA_CACHE_DIR, else the user's cache, else beside the package."""
    package = Path(__file__).parents[1]
    sources = sorted(source for room in COMPILED for source in (package / room).rglob("*.py"))
    digest = sha256(b"".join((__version__.encode(), *(file.read_bytes() for file in sources)))).hexdigest()[:16]
    own, beside = Path(user_cache_dir("satdoku")), Path(__file__).parent / "__pycache__"
    bases = [Path(SETTINGS.CACHE_DIR)] if SETTINGS.CACHE_DIR else [own, beside] if own.is_absolute() else [beside]
    for folder in (base / f"kernels-{digest}" for base in bases):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return str(folder)
    return None


@contextmanager
def _cache_in(folder: str) -> Iterator[None]:
    before = SETTINGS.CACHE_DIR
    SETTINGS.CACHE_DIR = folder
    try:
        yield
    finally:
        SETTINGS.CACHE_DIR = before


Function = TypeVar("Function", bound=Callable[..., Any])

EXHAUSTED, FOUND, PAUSED = 0, 1, 2  # what a kernel returns: no further grid, a grid, its nodes are used up


def compiled(function: Function) -> Function:
    """Compile on the first call, without the interpreter lock; keep the code in `cache_folder`, if there is one."""
    return _compile(function, forceinline=False)


def inlined(function: Function) -> Function:
    """The same, but copied into its callers: a call hands over each array as seven words."""
    return _compile(function, forceinline=True)


def compiled_bare(function: Function) -> Function:
    """As `compiled`, for a function that makes no array: none is reference-counted, which is atomic and slow."""
    return _compile(function, forceinline=False, counts=False)


def inlined_bare(function: Function) -> Function:
    return _compile(function, forceinline=True, counts=False)


def _compile(function: Function, forceinline: bool, counts: bool = True) -> Function:
    # Without a word about bounds: NUMBA_BOUNDSCHECK=1, with a NUMBA_CACHE_DIR of its own, checks them.
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "forceinline": forceinline}
    options["_nrt"] = counts
    dispatcher = njit(**options)(function)
    folder = cache_folder()
    if folder is not None:
        dispatcher._cache = Cache(function, folder)
    return cast(Function, dispatcher)


def in_cache(function: Any) -> bool:
    folder = cache_folder()
    name = f"{Path(function.py_func.__code__.co_filename).stem}.{function.__name__}-*.nbc"
    return bool(function.signatures) or (folder is not None and any(Path(folder).rglob(name)))


def on_word(instructions: Callable[[Any, Any], Any]) -> Any:
    """A function of an int64 that is compiled to the instructions given: (builder, word) -> their result."""

    @intrinsic
    def function(context: Any, word: Any) -> Any:
        return types.int64(types.int64), lambda _, builder, __, arguments: instructions(builder, arguments[0])

    return function


@on_word
def bit_count(builder: Any, word: Any) -> Any:
    return builder.ctpop(word)


@on_word
def lowest_bit(builder: Any, word: Any) -> Any:
    return builder.cttz(word, ir.Constant(ir.IntType(1), 0))


@on_word
def highest_bit(builder: Any, word: Any) -> Any:
    """The index of the highest set bit of an int64 that is not 0."""
    return builder.sub(ir.Constant(word.type, 63), builder.ctlz(word, ir.Constant(ir.IntType(1), 0)))


@on_word
def mirror(builder: Any, word: Any) -> Any:
    """Bit b of an int64 without its sign becomes bit 62 - b."""
    return builder.lshr(builder.bitreverse(word), ir.Constant(word.type, 1))
