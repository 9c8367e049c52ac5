"""How kernels are compiled, and what they all need."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic

from satdoku.kernels.cache import Cache, cache_folder

Function = TypeVar("Function", bound=Callable[..., Any])

EXHAUSTED, FOUND, PAUSED = 0, 1, 2
"""What a kernel returns: no further grid, a grid, or that it has used up its nodes and wants to be called again."""


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
    """As `inlined`, for a function that makes no array."""
    return _compile(function, forceinline=True, counts=False)


def _compile(function: Function, forceinline: bool, counts: bool = True) -> Function:
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False, "forceinline": forceinline}
    options["_nrt"] = counts
    dispatcher = njit(**options)(function)
    folder = cache_folder()
    if folder is not None:
        dispatcher._cache = Cache(function, folder)
    return cast(Function, dispatcher)


def in_cache(function: Any) -> bool:
    """Whether the code of a compiled function is there, for whatever arguments, so that it need not be made first."""
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
    """How many bits of an int64 are set."""
    return builder.ctpop(word)


@on_word
def lowest_bit(builder: Any, word: Any) -> Any:
    """The index of the lowest set bit of an int64; 64 for 0."""
    return builder.cttz(word, ir.Constant(ir.IntType(1), 0))


@on_word
def highest_bit(builder: Any, word: Any) -> Any:
    """The index of the highest set bit of an int64 that is not 0."""
    return builder.sub(ir.Constant(word.type, 63), builder.ctlz(word, ir.Constant(ir.IntType(1), 0)))


@on_word
def mirror(builder: Any, word: Any) -> Any:
    """Bit b of an int64 without its sign becomes bit 62 - b."""
    return builder.lshr(builder.bitreverse(word), ir.Constant(word.type, 1))
