"""Sixteen 16-bit words worked on as one value in compiled functions by `&|^+-*`, shifts and `~`: a lane each."""

import operator
from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, models, overload, register_model

NUMBER = 16

_WORD = ir.IntType(16)
_VECTOR = ir.VectorType(_WORD, NUMBER)
_WHOLE = ir.IntType(16 * NUMBER)
_QUARTERS = ir.VectorType(ir.IntType(64), NUMBER // 4)


class _LanesType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="Lanes")


LANES = _LanesType()


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _VECTOR)


def _same(builder: Any, word: Any) -> Any:
    if word.type.width != 16:
        word = builder.trunc(word, _WORD)
    one = builder.insert_element(ir.Constant(_VECTOR, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), NUMBER), [0] * NUMBER)
    return builder.shuffle_vector(one, one, zeros)


def _instruction(result: Any, emit: Callable[..., Any]) -> Any:
    def instruction(context: Any, *given: Any) -> Any:
        return result(*given), lambda context, builder, signed, arguments: emit(builder, *arguments)

    instruction.__signature__ = signature(emit)  # type: ignore[attr-defined]  # numba wants to know how many
    return intrinsic(instruction)


def _offer(name: str, *symbols: Callable[..., Any]) -> None:
    """Let a binary operator work on lanes, and on lanes and an integer."""
    both = _instruction(LANES, lambda builder, left, right: getattr(builder, name)(left, right))
    mixed = _instruction(LANES, lambda builder, left, word: getattr(builder, name)(left, _same(builder, word)))

    def typed(first, second):
        if first != LANES:
            return None
        if second == LANES:
            return lambda first, second: both(first, second)
        return (lambda first, second: mixed(first, second)) if isinstance(second, types.Integer) else None

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

_invert = _instruction(LANES, lambda builder, lanes: builder.not_(lanes))


@overload(operator.invert)
def _typed_invert(lanes):
    return (lambda lanes: _invert(lanes)) if lanes == LANES else None


def _empty(builder: Any, lanes: Any) -> Any:
    return builder.icmp_unsigned("==", lanes, ir.Constant(_VECTOR, [0] * NUMBER))


same = _instruction(LANES, _same)  # an integer in every lane
zeros = _instruction(LANES, lambda builder, lanes: builder.sext(_empty(builder, lanes), _VECTOR))  # all bits of 0s
# Lane for lane the first, or the second where the first is 0; and the smaller number.
or_else = _instruction(LANES, lambda builder, one, two: builder.select(_empty(builder, one), two, one))
smaller = _instruction(LANES, lambda builder, one, two: builder.select(builder.icmp_unsigned("<", one, two), one, two))


def _some(builder: Any, lanes: Any) -> Any:
    return builder.icmp_unsigned("!=", builder.bitcast(lanes, _WHOLE), ir.Constant(_WHOLE, 0))


def _quarter(builder: Any, lanes: Any, number: Any) -> Any:
    return builder.extract_element(builder.bitcast(lanes, _QUARTERS), number)


some = _instruction(types.boolean, _some)  # whether any lane has any bit
quarter = _instruction(types.int64, _quarter)  # lanes 4 * number and on, the first in the lowest bits


def permutation(order: Sequence[int]) -> Any:
    mask = ir.Constant(ir.VectorType(ir.IntType(32), NUMBER), list(order))
    return _instruction(LANES, lambda builder, lanes: builder.shuffle_vector(lanes, lanes, mask))


def constant(words: Sequence[int]) -> Any:
    value = ir.Constant(_VECTOR, list(words))
    return _instruction(LANES, lambda builder: value)


def _takes_rows(array: Any) -> bool:
    return bool(array.layout == "C" and array.ndim == 2 and array.dtype.bitwidth == 16)


def _place(context: Any, builder: Any, kind: Any, array: Any, row: Any) -> Any:
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [builder.mul(row, ir.Constant(row.type, NUMBER))]), _VECTOR.as_pointer())


@intrinsic
def load(context: Any, array: Any, row: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.load(_place(context, builder, array, *arguments), align=2)

    return (LANES(array, row), generate) if _takes_rows(array) else None


@intrinsic
def store(context: Any, array: Any, row: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _place(context, builder, array, *arguments[:2]), align=2)
        return context.get_dummy_value()

    return (types.none(array, row, lanes), generate) if _takes_rows(array) else None
