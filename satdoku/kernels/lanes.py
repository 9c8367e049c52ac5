"""Sixteen 16-bit words worked on as one value in compiled functions: a lane each, no lane sees another.

`&`, `|`, `^`, `+`, `-`, `*`, `<<`, `>>`, `~` work on every lane, and take an integer for the same in
every lane. LLVM turns each into one instruction where the machine has registers of 256 bits, into
two or more elsewhere.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

NUMBER = 16

_WORD = ir.IntType(16)
_VECTOR = ir.VectorType(_WORD, NUMBER)
_WHOLE = ir.IntType(16 * NUMBER)


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _same(builder: Any, word: Any) -> Any:
    """A word in every lane."""
    if word.type.width != 16:
        word = builder.trunc(word, _WORD)
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), NUMBER), [0] * NUMBER)
    return builder.shuffle_vector(one, one, zeros)


def _offer(instruction: str, *symbols: Callable[..., Any]) -> None:
    """Let a binary operator work on lanes, and on lanes and an integer."""

    @intrinsic
    def operation(context: Any, first: Any, second: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            left, right = arguments
            if isinstance(second, types.Integer):
                right = _same(builder, right)
            return getattr(builder, instruction)(left, right)

        return LANES(first, second), generate

    def typed(first, second):
        if first == LANES and (second == LANES or isinstance(second, types.Integer)):
            return lambda first, second: operation(first, second)
        return None

    for symbol in symbols:
        overload(symbol)(typed)


_offer("and_", operator.and_, operator.iand)
_offer("or_", operator.or_, operator.ior)
_offer("xor", operator.xor, operator.ixor)
_offer("add", operator.add, operator.iadd)
_offer("sub", operator.sub, operator.isub)
_offer("mul", operator.mul, operator.imul)
_offer("shl", operator.lshift, operator.ilshift)
_offer("lshr", operator.rshift, operator.irshift)


@intrinsic
def _invert(context: Any, lanes: Any) -> Any:
    return LANES(LANES), lambda context, builder, signature, arguments: builder.not_(arguments[0])


@overload(operator.invert)
def _typed_invert(lanes):
    return (lambda lanes: _invert(lanes)) if lanes == LANES else None


@intrinsic
def same(context: Any, word: Any) -> Any:
    """An integer in every lane."""
    return LANES(word), lambda context, builder, signature, arguments: _same(builder, arguments[0])


@intrinsic
def zeros(context: Any, lanes: Any) -> Any:
    """All bits of the lanes that are 0, no bit of the others."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.sext(builder.icmp_unsigned("==", arguments[0], ir.Constant(_VECTOR, [0] * NUMBER)), _VECTOR)

    return LANES(LANES), generate


@intrinsic
def or_else(context: Any, first: Any, second: Any) -> Any:
    """Lane for lane the first, or the second where the first is 0."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        empty = builder.icmp_unsigned("==", arguments[0], ir.Constant(_VECTOR, [0] * NUMBER))
        return builder.select(empty, arguments[1], arguments[0])

    return LANES(LANES, LANES), generate


@intrinsic
def smaller(context: Any, first: Any, second: Any) -> Any:
    """Lane for lane the smaller number, without sign."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.select(builder.icmp_unsigned("<", *arguments), *arguments)

    return LANES(LANES, LANES), generate


@intrinsic
def some(context: Any, lanes: Any) -> Any:
    """Whether any lane has any bit."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.icmp_unsigned("!=", builder.bitcast(arguments[0], _WHOLE), ir.Constant(_WHOLE, 0))

    return types.boolean(LANES), generate


@intrinsic
def quarter(context: Any, lanes: Any, number: Any) -> Any:
    """Four lanes as an int64: lanes 4 * number and on, the first in the lowest bits."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        quarters = builder.bitcast(arguments[0], ir.VectorType(ir.IntType(64), NUMBER // 4))
        return builder.extract_element(quarters, arguments[1])

    return types.int64(lanes, number), generate


def permutation(order: Sequence[int]) -> Any:
    """A function whose lane k is lane `order[k]` of what it is given."""
    mask = ir.Constant(ir.VectorType(ir.IntType(32), NUMBER), list(order))

    @intrinsic
    def permute(context: Any, lanes: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.shuffle_vector(arguments[0], arguments[0], mask)

        return LANES(LANES), generate

    return permute


def constant(words: Sequence[int]) -> Any:
    """A function of nothing that gives these words."""
    value = ir.Constant(_VECTOR, list(words))

    @intrinsic
    def give(context: Any) -> Any:
        return LANES(), lambda context, builder, signature, arguments: value

    return give


def _takes_rows(array: Any) -> bool:
    """Whether rows of such an array are lanes, as far as its type tells."""
    return bool(array.layout == "C" and array.ndim == 2 and array.dtype.bitwidth == 16)


def _place(context: Any, builder: Any, kind: Any, array: Any, row: Any) -> Any:
    """The address of a row of an array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [builder.mul(row, ir.Constant(row.type, NUMBER))]), _VECTOR.as_pointer())


@intrinsic
def load(context: Any, array: Any, row: Any) -> Any:
    """Row `row` of a C-contiguous array of 16-bit words, shape (rows, 16)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_place(context, builder, array, *arguments), align=2)

    return (LANES(array, row), generate) if _takes_rows(array) else None


@intrinsic
def store(context: Any, array: Any, row: Any, lanes: Any) -> Any:
    """Write to row `row` of such an array."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _place(context, builder, array, *arguments[:2]), align=2)
        return context.get_dummy_value()

    return (types.none(array, row, lanes), generate) if _takes_rows(array) else None
