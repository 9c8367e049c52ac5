"""How functions are marked that are compiled, what they are handed, and how Python calls those that it calls.

Kernels are written in the part of Python that numba compiles. A mark changes nothing but how the function is compiled:
`entry` is what Python calls, `inner` what other kernels call, `inlined` what is copied into its callers. No mark
imports numba: `build` compiles every entry into the library that comes with satdoku, `library` loads it, and `jit`
compiles an entry in this process.

A parameter of an entry is annotated with what it takes: `int`, `bool`, an array (`Ints`, `Read[Ints2]`, ...) or a tuple
of such. A call hands over one pointer to a row of 64-bit words: first the results, then the parameters in
their order, a number as one word, an array as its address and its shape. `Entry.bind` lays out that row once; each
call then costs half a microsecond.
"""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from types import FunctionType
from typing import Annotated, Any, TypeVar, cast, get_args, get_origin, get_type_hints

from satdoku.kernels import library
from satdoku.kernels.library import Code

LINE = 64  # bytes of a line of the cache, on most processors
EXHAUSTED, FOUND, PAUSED = 0, 1, 2  # what a search returns: no further grid, a grid, its nodes are used up

Function = TypeVar("Function", bound=Callable[..., Any])
Kind = TypeVar("Kind")


@dataclass(frozen=True, slots=True)
class ArrayType:
    """An array in memory, row by row. item: its numbers, as a format of `struct`."""

    item: str
    dimensions: int


class _ReadOnly:
    """The kernel does not write to it, so that it may be read-only."""


Read = Annotated[Kind, _ReadOnly]

Ints = Annotated[Any, ArrayType("q", 1)]
Ints2 = Annotated[Any, ArrayType("q", 2)]
Ints3 = Annotated[Any, ArrayType("q", 3)]
Floats = Annotated[Any, ArrayType("d", 1)]
Flags = Annotated[Any, ArrayType("?", 1)]
Int8s = Annotated[Any, ArrayType("b", 1)]
Int16s = Annotated[Any, ArrayType("h", 1)]
Int16s2 = Annotated[Any, ArrayType("h", 2)]
Int16s3 = Annotated[Any, ArrayType("h", 3)]
Int32s = Annotated[Any, ArrayType("i", 1)]
Int32s2 = Annotated[Any, ArrayType("i", 2)]
Bytes = Annotated[Any, ArrayType("B", 1)]
Bytes2 = Annotated[Any, ArrayType("B", 2)]
Bytes3 = Annotated[Any, ArrayType("B", 3)]
Shorts = Annotated[Any, ArrayType("H", 1)]
Shorts2 = Annotated[Any, ArrayType("H", 2)]
Shorts3 = Annotated[Any, ArrayType("H", 3)]
Unsigned32s = Annotated[Any, ArrayType("I", 1)]
Unsigned32s2 = Annotated[Any, ArrayType("I", 2)]
Unsigned64s = Annotated[Any, ArrayType("Q", 1)]
Unsigned64s2 = Annotated[Any, ArrayType("Q", 2)]


@dataclass(frozen=True, slots=True)
class Instruction:
    """What kernels use and `satdoku.kernels.instructions` has under this name: a type, or machine instructions.

    arguments: what it is made with, where it is made
    """

    name: str
    arguments: tuple[Any, ...] | None = None

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.name} is for compiled functions alone")


int64, uint32, uint64 = (cast(Any, Instruction(name)) for name in ("int64", "uint32", "uint64"))
bit_count = cast(Any, Instruction("bit_count"))  # of an int64
lowest_bit = cast(Any, Instruction("lowest_bit"))  # the index of the lowest set bit of an int64 that is not 0
highest_bit = cast(Any, Instruction("highest_bit"))  # the index of the highest set bit of an int64 that is not 0
mirror = cast(Any, Instruction("mirror"))  # bit b of an int64 without its sign becomes bit 62 - b


@dataclass(frozen=True, eq=False)
class KernelFunction:
    """A marked function. inline: whether it is copied into its callers."""

    function: FunctionType
    inline: bool = False

    def __call__(self, *arguments: Any) -> Any:
        raise TypeError(f"{self.function.__name__} is called by compiled functions alone")


def inner(function: Function) -> Function:
    return cast(Function, KernelFunction(cast(FunctionType, function)))


def inlined(function: Function) -> Function:
    return cast(Function, KernelFunction(cast(FunctionType, function), inline=True))


def entry(function: Callable[..., Any]) -> Entry:
    return Entry(cast(FunctionType, function))


@dataclass(frozen=True, slots=True)
class Parameter:
    """One of an entry, or a field of a tuple: `name` is then TUPLE.FIELD. kind: an ArrayType, or int or bool."""

    name: str
    kind: ArrayType | type
    written: bool


class Entry(KernelFunction):
    """A function that Python calls. It is in the library under `name`.

    >>> call = advance.bind(state, nodes=20_000)
    >>> call()
    2
    >>> call(nodes=100)
    0
    """

    @property
    def name(self) -> str:
        module = self.function.__module__.removeprefix("satdoku.kernels.").replace(".", "_")
        return f"{module}_{self.function.__name__}"

    @cached_property
    def hints(self) -> dict[str, Any]:
        return get_type_hints(self.function, include_extras=True)

    @cached_property
    def results(self) -> tuple[type, ...]:
        """The types of what it returns: none, one, or those of a tuple."""
        returned = self.hints["return"]
        if returned is type(None):
            return ()
        return get_args(returned) if get_origin(returned) is tuple else (returned,)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        names = self.function.__code__.co_varnames[: self.function.__code__.co_argcount]
        return tuple(one for name in names for one in _parameters(name, self.hints[name]))

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each parameter begins in the row of words."""
        places, place = {}, len(self.results)
        for parameter in self.parameters:
            places[parameter.name] = place
            place += 1 + (parameter.kind.dimensions if isinstance(parameter.kind, ArrayType) else 0)
        return places

    def bind(self, *arguments: Any, run: Code | None = None, **numbers: int) -> Call:
        """Lay out the arguments for calls.

        numbers: the last ones, which are no arrays, by name
        run:     the code to call, if not that of the library, or of numba in its place

        Raises TypeError for an array of another type, with other dimensions, not in one piece, or that is read-only
        where it is written to.
        """
        given = [*leaves(arguments), *numbers.values()]
        if len(given) != len(self.parameters):
            raise TypeError(f"{self.name}: {len(given)} arguments, and it takes {len(self.parameters)}")
        row, kept = array("q", bytes(8 * len(self.results))), []
        for parameter, value in zip(self.parameters, given, strict=True):
            if isinstance(parameter.kind, ArrayType):
                address, shape, owner = _place(self, parameter, parameter.kind, value)
                row.append(address)
                row.extend(shape)
                kept.append(owner)
            else:
                row.append(value)
        return Call(self, run or library.runner(self, self.name), row, kept)

    def __call__(self, *arguments: Any) -> Any:
        return self.bind(*arguments)()


class Call:
    """An entry with its arguments laid out. `row` holds the words; arrays stay where they are as long as it is kept."""

    __slots__ = ("_address", "_entry", "_kept", "_places", "_results", "_run", "row")

    def __init__(self, entry: Entry, run: Code, row: array[int], kept: list[Any]) -> None:
        self._entry, self._run, self.row, self._kept = entry, run, row, kept
        self._places, self._results = entry.places, entry.results
        self._address = ctypes.c_void_p(row.buffer_info()[0])  # made here: 0.1 us less a call

    def __call__(self, **numbers: int) -> Any:
        """Run it, with some numbers changed from now on; what it returns, a tuple where it is one."""
        for name in numbers:
            self.row[self._places[name]] = numbers[name]
        status = self._run(self._address)
        if status:
            raise RuntimeError(f"{self._entry.name}: stopped by an error in compiled code, number {status}")
        if self._results == _INT:
            return self.row[0]
        results = [kind(word) for kind, word in zip(self._results, self.row, strict=False)]
        return tuple(results) if len(results) > 1 else results[0] if results else None


_INT = (int,)


def allocated(item: Any, *shape: int, fill: int = 0) -> Any:
    """An array of these dimensions in memory of its own, without numpy; `fill` is in every item."""
    count = prod(shape)
    view = memoryview(array(item, [fill]) * count) if count else memoryview(array(item))
    return view if len(shape) == 1 or not count else view.cast("B").cast(item, shape)


def copied(view: Any) -> Any:
    """An array with the same content, as `allocated` makes them.

    It begins where a line of the cache does: a vector that lies in two lines takes twice as long to load and store.
    """
    memory = bytearray(view.nbytes + LINE)
    start = -ctypes.addressof(ctypes.c_char.from_buffer(memory)) % LINE
    aligned = memoryview(memory)[start : start + view.nbytes]
    aligned[:] = view.cast("B")
    return aligned.cast(view.format, view.shape)


def filled(item: str, numbers: Iterable[float]) -> Any:
    """An array in one dimension of these numbers, without numpy."""
    made: Any = array(item, numbers)
    return memoryview(made)


def signed(word: int) -> int:
    """A word of 64 bits as the signed number that has the same bits."""
    return word - (1 << 64) if word >> 63 & 1 else word


def bit_rows(rows: Sequence[int], words: int) -> Any:
    """Sets of numbers, each an int, as rows of so many words: bit b of row r says whether b is in set r."""
    content = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    return memoryview(bytearray(content)).cast("q", (len(rows), words))


def leaves(values: Sequence[Any]) -> Iterator[Any]:
    """Values, those of a tuple in its place."""
    for value in values:
        if isinstance(value, tuple):
            yield from leaves(value)
        else:
            yield value


def fields(hint: Any) -> dict[str, Any] | None:
    """The annotations of a tuple's items by name or number; None if it is not one."""
    if get_origin(hint) is tuple:
        return {str(number): item for number, item in enumerate(get_args(hint))}
    if isinstance(hint, type) and issubclass(hint, tuple):
        return get_type_hints(hint, include_extras=True)
    return None


def _parameters(name: str, hint: Any) -> Iterator[Parameter]:
    items = fields(hint)
    if items is not None:
        for field, item in items.items():
            yield from _parameters(f"{name}.{field}", item)
    elif hint in (int, bool):
        yield Parameter(name, hint, False)
    else:
        (kind,) = (item for item in get_args(hint) if isinstance(item, ArrayType))
        yield Parameter(name, kind, _ReadOnly not in get_args(hint))


_KINDS = {"?": "?", **dict.fromkeys("bhilq", "signed"), **dict.fromkeys("BHILQ", "unsigned"), "d": "d", "f": "d"}
SIZES = {"b": 1, "B": 1, "?": 1, "h": 2, "H": 2, "i": 4, "I": 4, "q": 8, "Q": 8, "d": 8}


def _place(entry: Entry, parameter: Parameter, wanted: ArrayType, value: Any) -> tuple[int, Sequence[int], Any]:
    """The address of an array, its shape, and what keeps it there."""
    view: Any = memoryview(value)
    if not view.nbytes:
        return 0, view.shape if view.ndim == wanted.dimensions else (0,) * wanted.dimensions, None
    number, size = _KINDS.get(view.format), view.itemsize
    if number != _KINDS[wanted.item] or size != SIZES[wanted.item] or view.ndim != wanted.dimensions:
        actual = f"items {view.format!r} of {size} bytes in {view.ndim} dimensions"
        raise TypeError(f"{entry.name}: {parameter.name} has {actual}, expected {wanted.item!r} in {wanted.dimensions}")
    if not view.c_contiguous or (parameter.written and view.readonly):
        wrong = "is read-only, and it is written to" if view.c_contiguous else "is not in one piece, row by row"
        raise TypeError(f"{entry.name}: {parameter.name} {wrong}")
    if view.readonly:  # an array of numpy: nothing else that is read-only is handed over
        return int(value.__array_interface__["data"][0]), view.shape, value
    owner = ctypes.c_char.from_buffer(value)
    return ctypes.addressof(owner), view.shape, owner
