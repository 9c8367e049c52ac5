"""How kernels are compiled, and what they all need."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit, types
from numba.extending import intrinsic

Function = TypeVar("Function", bound=Callable[..., Any])

EXHAUSTED, FOUND, PAUSED = 0, 1, 2
"""What a kernel returns: no further grid, a grid, or that it has used up its nodes and wants to be called again."""


def compiled(function: Function) -> Function:
    """Compile on the first call, without the interpreter lock; keep the code where the user may write.

    numba keeps it beside the source, else in the user's cache folder; where neither can be
    written, each process compiles anew.
    """
    options: dict[str, Any] = {"nogil": True, "error_model": "numpy", "boundscheck": False}
    try:
        result: Function = njit(cache=True, **options)(function)
    except RuntimeError:
        result = njit(**options)(function)
    return result


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
