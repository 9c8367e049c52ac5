"""Entries compiled by numba: in this process, where the library is not used, and for `build`."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cache
from types import CodeType, FunctionType
from typing import Any, cast

import numpy as np
from numba import njit, types

from satdoku.kernels import instructions
from satdoku.kernels.compiled import ArrayType, Entry, Instruction, KernelFunction, fields
from satdoku.kernels.library import Code

# None counts references, which is atomic and slow: no kernel makes an array. Whether bounds are checked is left to
# NUMBA_BOUNDSCHECK.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}


@cache
def runner(entry: Entry) -> Code:
    """The code of an entry, compiled in this process when it is first called."""
    compiled = njit(**OPTIONS)(wrapper(entry))
    return lambda address: int(compiled(address.value))


def wrapper(entry: Entry) -> FunctionType:
    """A function that reads the arguments of an entry from a row of words, and writes its results there."""
    scope: dict[str, Any] = {"view": instructions.view, "entry": dispatcher(entry)}
    scope.update(types=types, int64=types.int64)
    names = entry.function.__code__.co_varnames[: entry.function.__code__.co_argcount]
    kinds = (parameter.kind for parameter in entry.parameters)
    places = iter(entry.places.values())
    given = ", ".join(_read(entry.hints[name], kinds, places, scope) for name in names)
    words = len(entry.results) + sum(
        1 + (parameter.kind.dimensions if isinstance(parameter.kind, ArrayType) else 0)
        for parameter in entry.parameters
    )
    lines = ["def run(address):", f"    row = view(address, int64, ({words},))", f"    result = entry({given})"]
    if len(entry.results) == 1:
        lines.append("    row[0] = int64(result)")
    else:
        lines += [f"    row[{number}] = int64(result[{number}])" for number in range(len(entry.results))]
    exec("\n".join([*lines, "    return 0"]), scope)
    return cast(FunctionType, scope["run"])


def _read(hint: Any, kinds: Iterator[ArrayType | type], places: Iterator[int], scope: dict[str, Any]) -> str:
    """The expression for an argument; types that it names are added to the scope."""
    items = fields(hint)
    if items is not None:
        made = "".join(f"{_read(item, kinds, places, scope)}, " for item in items.values())
        if hasattr(hint, "_fields"):
            scope[hint.__name__] = hint
            return f"{hint.__name__}({made})"
        return f"({made})"
    kind, place = next(kinds), next(places)
    if not isinstance(kind, ArrayType):
        return f"row[{place}] != 0" if kind is bool else f"row[{place}]"
    item = f"item_{kind.item}" if kind.item != "?" else "item_flag"
    scope[item] = types.boolean if kind.item == "?" else getattr(types, np.dtype(kind.item).name)
    shape = "".join(f"row[{place + 1 + dimension}], " for dimension in range(kind.dimensions))
    return f"view(row[{place}], {item}, ({shape}))"


@cache
def dispatcher(kernel: KernelFunction) -> Any:
    """A kernel as numba has it, with all kernels and instructions that it names."""
    function = kernel.function
    scope = dict(function.__globals__)
    scope.update((name, _replaced(scope[name])) for name in _names(function.__code__) if name in scope)
    made = FunctionType(function.__code__, scope, function.__name__, function.__defaults__)
    made.__qualname__, made.__module__ = function.__qualname__, function.__module__
    return njit(**OPTIONS, forceinline=kernel.inline)(made)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _replaced(value: Any) -> Any:
    if isinstance(value, KernelFunction):
        return dispatcher(value)
    if isinstance(value, Instruction):
        instruction = getattr(instructions, value.name)
        return instruction if value.arguments is None else instruction(*value.arguments)
    return np.array(value) if isinstance(value, array) else value
