"""How kernels are compiled, and what they all need."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar, cast

from numba import config, njit, types
from numba.extending import intrinsic
from platformdirs import user_cache_dir

Function = TypeVar("Function", bound=Callable[..., Any])

SETTINGS: Any = config

EXHAUSTED, FOUND, PAUSED = 0, 1, 2
"""What a kernel returns: no further grid, a grid, or that it has used up its nodes and wants to be called again."""


def compiled(function: Function) -> Function:
    """Compile on the first call, without the interpreter lock; keep the code in `cache_folder`, if there is one."""
    return _compile(function, forceinline=False)


def inlined(function: Function) -> Function:
    """The same, but copied into its callers: a call hands over each array as seven words."""
    return _compile(function, forceinline=True)


def compiled_bare(function: Function) -> Function:
    """As `compiled`, for a function that makes no array: references to its arrays are not counted.

    Counting takes an atomic operation for each array that a copied function is handed.
    """
    return _compile(function, forceinline=False, counts=False)


def inlined_bare(function: Function) -> Function:
    """As `inlined`, for a function that makes no array."""
    return _compile(function, forceinline=True, counts=False)


def _compile(function: Function, forceinline: bool, counts: bool = True) -> Function:
    options: dict[str, Any] = {
        "_nrt": counts,
        "nogil": True,
        "error_model": "numpy",
        "boundscheck": False,
        "forceinline": forceinline,
    }
    folder = cache_folder()
    if folder is None:
        return cast(Function, njit(**options)(function))
    # numba reads the folder here and at no later time; other code in this process keeps its own.
    with _cache_in(folder):
        return cast(Function, njit(cache=True, **options)(function))


@cache
def cache_folder() -> str | None:
    """Where compiled code is kept; None if no such folder can be written, and each process compiles anew.

    It is in NUMBA_CACHE_DIR, else in the user's cache folder (which a user without a home has not),
    else beside the package. The code of these very sources has a folder of its own: numba looks at
    no more than the file of a function, and would take code that another file has outdated.
    """
    sources = sorted(Path(__file__).parent.rglob("*.py"))
    digest = sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()[:16]
    own, package = Path(user_cache_dir("satdoku")), Path(__file__).parent / "__pycache__"
    bases = [Path(SETTINGS.CACHE_DIR)] if SETTINGS.CACHE_DIR else [own, package] if own.is_absolute() else [package]
    for base in bases:
        folder = base / f"kernels-{digest}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            TemporaryFile(dir=folder).close()
        except OSError:
            continue
        return str(folder)
    return None


def in_cache(function: Any) -> bool:
    """Whether the code of a compiled function is there, for whatever arguments, so that it need not be made first."""
    folder = cache_folder()
    name = f"{Path(function.py_func.__code__.co_filename).stem}.{function.__name__}-*.nbc"
    return bool(function.signatures) or (folder is not None and any(Path(folder).rglob(name)))


@contextmanager
def _cache_in(folder: str) -> Iterator[None]:
    before = SETTINGS.CACHE_DIR
    SETTINGS.CACHE_DIR = folder
    try:
        yield
    finally:
        SETTINGS.CACHE_DIR = before


@intrinsic
def bit_count(context: Any, word: Any) -> Any:
    """How many bits of an int64 are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def lowest_bit(context: Any, word: Any) -> Any:
    """The index of the lowest set bit of an int64; 64 for 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generate
