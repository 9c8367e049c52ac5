"""Functions compiled anew over the constants and functions of a kernel: a table of calls costs more.

Those of every kernel are here, many puzzles in one call and counting; a kernel may take all of another one.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from types import FunctionType, ModuleType
from typing import Any, cast

from satdoku.kernels.compiled import (
    FOUND,
    PAUSED,
    Bytes,
    Entry,
    Ints,
    KernelFunction,
    Read,
    Shorts2,
    Shorts3,
    entry,
    int64,
)


class SearchArrays(tuple[Any, ...]):
    """Stands for the kernel's own `Search`, a tuple that ends with its integers."""


NODES = 0  # where the last array of a search holds the nodes of this puzzle, -1 before it is begun


def begin_row(search, givens):
    """Set up a puzzle from the givens of its cells, 0 where there is none."""
    raise NotImplementedError


def advance(search, nodes):
    """Search on for at most `nodes` nodes: EXHAUSTED, FOUND or PAUSED."""
    raise NotImplementedError


def grid(search, out):
    """Write the grid that was found to `out`, one value a cell."""
    raise NotImplementedError


def many(
    givens: Read[Shorts2],
    row: int,
    limit: int,
    bound: int,
    search: SearchArrays,
    counts: Ints,
    endings: Bytes,
    grids: Shorts3,
    codes: Read[Ints],
    nodes: int,
) -> int:
    """Search rows of `givens` from `row` on, until about `nodes` nodes are used; returns the row to go on with.

    codes: the `endings` for EXHAUSTED, for FOUND at the limit, and for PAUSED where a puzzle took `bound` nodes
    """
    numbers = search[-1]
    used = int64(0)
    while row < len(givens) and used < nodes:
        if numbers[NODES] < 0:
            begin_row(search, givens[row])
        before = numbers[NODES]
        code = PAUSED
        while code == PAUSED and used + numbers[NODES] - before < nodes and numbers[NODES] < bound:
            code = advance(search, min(nodes - used, bound - numbers[NODES]))
            if code == FOUND:
                if counts[row] < 2:
                    grid(search, grids[row, counts[row]])
                counts[row] += 1
                if counts[row] < limit:
                    code = PAUSED
        used += numbers[NODES] - before + 1
        if code == PAUSED and numbers[NODES] < bound:
            return row
        endings[row] = codes[code]
        numbers[NODES] = -1
        row += 1
    return row


def count_solutions(search: SearchArrays, count: int, limit: int, nodes: int) -> tuple[int, int]:
    """Count on, from `count` up to `limit`: (the count, EXHAUSTED, FOUND at the limit, or PAUSED)."""
    numbers = search[-1]
    target = numbers[NODES] + nodes
    while numbers[NODES] < target:
        code = advance(search, target - numbers[NODES])
        if code != FOUND:
            return count, code
        count += 1
        if count >= limit:
            return count, FOUND
    return count, PAUSED


def of_kernel(loop: Callable[..., Any], kernel: dict[str, Any]) -> Entry:
    """The loop over the functions of a kernel, which are among its globals."""
    copy = _copied(cast(FunctionType, loop), kernel)
    hints = loop.__annotations__
    copy.__annotations__ = {name: kernel["Search"] if hint is SearchArrays else hint for name, hint in hints.items()}
    return entry(copy)


def over(kernel: dict[str, Any], *modules: ModuleType) -> None:
    """Add the names of modules that a kernel lacks. Functions are copied, and the copies use the kernel's names."""
    names = {module.__name__ for module in modules}
    for name, value in [item for module in modules for item in vars(module).items() if item[0] not in kernel]:
        if isinstance(value, KernelFunction) and value.function.__module__ in names:
            value = replace(value, function=_copied(value.function, kernel))
        elif getattr(value, "__module__", None) in names:
            cached = hasattr(value, "cache_info")
            value = cache(_copied(value.__wrapped__, kernel)) if cached else _copied(value, kernel)
        kernel[name] = value


def _copied(function: FunctionType, kernel: dict[str, Any]) -> FunctionType:
    copy = FunctionType(function.__code__, kernel, function.__name__, function.__defaults__)
    copy.__module__, copy.__annotations__ = kernel["__name__"], function.__annotations__
    return copy
