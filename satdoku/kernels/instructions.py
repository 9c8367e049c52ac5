"""The machine instructions that kernels name: what `compiled` and `simd` declare, in LLVM by way of numba."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload, register_model
from numba.np.arrayobj import populate_array

from satdoku.kernels.simd import PIECE, WIDTH

int64, uint32, uint64 = numba.int64, numba.uint32, numba.uint64


def _instruction(result: Any, emit: Callable[..., Any]) -> Any:
    """A function that gives such a result, compiled to what `emit` makes of a builder and its arguments."""

    def instruction(context: Any, *given: Any) -> Any:
        return result(*given), lambda context, builder, signed, arguments: emit(builder, *arguments)

    instruction.__signature__ = signature(emit)  # type: ignore[attr-defined]  # numba wants to know how many
    return intrinsic(instruction)


_BIT, _LONG = ir.IntType(1), ir.IntType(64)
bit_count = _instruction(types.int64, lambda builder, word: builder.ctpop(word))
lowest_bit = _instruction(types.int64, lambda builder, word: builder.cttz(word, _BIT(0)))
highest_bit = _instruction(types.int64, lambda builder, word: builder.sub(_LONG(63), builder.ctlz(word, _BIT(0))))
mirror = _instruction(types.int64, lambda builder, word: builder.lshr(builder.bitreverse(word), _LONG(1)))

_WORD = ir.IntType(16)


class _LanesType(types.Type):
    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(name=f"Lanes({number})")


@register_model(_LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, ir.VectorType(_WORD, kind.number))


def _like_first(first: Any, *others: Any) -> Any:
    return first(first, *others)


def _same(builder: Any, word: Any, kind: Any) -> Any:
    """An integer in every lane of a type of vectors."""
    if word.type.width != 16:
        word = builder.trunc(word, _WORD)
    one = builder.insert_element(ir.Constant(kind, ir.Undefined), word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), kind.count), [0] * kind.count))


def _offer(name: str, *symbols: Callable[..., Any]) -> None:
    """Let a binary operator work on lanes, and on lanes and an integer."""
    both = _instruction(_like_first, lambda builder, left, right: getattr(builder, name)(left, right))
    mixed = _instruction(
        _like_first, lambda builder, left, word: getattr(builder, name)(left, _same(builder, word, left.type))
    )

    def typed(first, second):
        if not isinstance(first, _LanesType):
            return None
        if second == first:
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

_invert = _instruction(_like_first, lambda builder, lanes: builder.not_(lanes))


@overload(operator.invert)
def _typed_invert(lanes):
    return (lambda lanes: _invert(lanes)) if isinstance(lanes, _LanesType) else None


def _empty(builder: Any, lanes: Any) -> Any:
    return builder.icmp_unsigned("==", lanes, ir.Constant(lanes.type, [0] * lanes.type.count))


def _some(builder: Any, lanes: Any) -> Any:
    whole = ir.IntType(16 * lanes.type.count)
    return builder.icmp_unsigned("!=", builder.bitcast(lanes, whole), whole(0))


zeros = _instruction(_like_first, lambda builder, lanes: builder.sext(_empty(builder, lanes), lanes.type))
# Lane for lane the first, or the second where the first is 0; and the smaller number.
or_else = _instruction(_like_first, lambda builder, one, two: builder.select(_empty(builder, one), two, one))
smaller = _instruction(
    _like_first, lambda builder, one, two: builder.select(builder.icmp_unsigned("<", one, two), one, two)
)
some = _instruction(types.boolean, _some)


def permutation(order: Sequence[int]) -> Any:
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order))
    return _instruction(_like_first, lambda builder, lanes: builder.shuffle_vector(lanes, lanes, mask))


def constant(words: Sequence[int]) -> Any:
    value = ir.Constant(ir.VectorType(_WORD, len(words)), list(words))
    return _instruction(_LanesType(len(words)), lambda builder: value)


def _takes_rows(array: Any) -> bool:
    return bool(array.layout == "C" and array.ndim == 2 and array.dtype.bitwidth == 16)


def _place(context: Any, builder: Any, kind: Any, array: Any, row: Any, number: int) -> Any:
    """The address of a row of so many words."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.gep(data, [builder.mul(row, ir.Constant(row.type, number))])


def loading(number: int) -> Any:
    @intrinsic
    def load(context: Any, array: Any, row: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = _place(context, builder, array, arguments[0], arguments[1], number)
            return builder.load(builder.bitcast(place, ir.VectorType(_WORD, number).as_pointer()), align=2)

        return (_LanesType(number)(array, row), generate) if _takes_rows(array) else None

    return load


def reading(number: int) -> Any:
    @intrinsic
    def word_at(context: Any, array: Any, row: Any, lane: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            place = builder.gep(_place(context, builder, array, arguments[0], arguments[1], number), [arguments[2]])
            return builder.load(builder.bitcast(place, _LONG.as_pointer()), align=2)

        return (types.int64(array, row, lane), generate) if _takes_rows(array) else None

    return word_at


@intrinsic
def store(context: Any, array: Any, row: Any, lanes: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = _place(context, builder, array, arguments[0], arguments[1], lanes.number)
        builder.store(arguments[2], builder.bitcast(place, arguments[2].type.as_pointer()), align=2)
        return context.get_dummy_value()

    return (types.none(array, row, lanes), generate) if _takes_rows(array) else None


def _add_products(context: Any, sums: Any, first: Any, second: Any) -> Any:
    """sums[i] += first[2i] second[2i] + first[2i + 1] second[2i + 1], int32 from int16: one `pmaddwd` a piece."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word, index = ir.IntType(32), ir.IntType(32)
        narrow, wide, half = ir.VectorType(ir.IntType(16), PIECE), ir.VectorType(word, PIECE), PIECE // 2
        total, one, two = (
            context.make_array(kind)(context, builder, value).data
            for kind, value in zip(signature.args, arguments, strict=True)
        )

        def at(data: Any, start: int, kind: Any) -> Any:
            return builder.bitcast(builder.gep(data, [ir.Constant(index, start)]), kind.as_pointer())

        def every_other(vector: Any, start: int) -> Any:
            places = ir.Constant(ir.VectorType(index, half), list(range(start, PIECE, 2)))
            return builder.shuffle_vector(vector, ir.Constant(wide, ir.Undefined), places)

        for start in range(0, WIDTH, PIECE):
            left, right = (builder.sext(builder.load(at(data, start, narrow), align=2), wide) for data in (one, two))
            products = builder.mul(left, right)
            place = at(total, start // 2, ir.VectorType(word, half))
            added = builder.add(every_other(products, 0), every_other(products, 1))
            builder.store(builder.add(builder.load(place, align=4), added), place, align=4)
        return context.get_dummy_value()

    return types.void(sums, first, second), generate


add_products: Any = intrinsic(_add_products)


@intrinsic
def view(context: Any, address: Any, item: Any, shape: Any) -> Any:
    """An array at an address, row by row, that nothing counts references to."""
    kind = types.Array(item.dtype, len(shape), "C")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(kind)(context, builder)
        sizes = cgutils.unpack_tuple(builder, arguments[2])
        item_size = context.get_constant(types.intp, context.get_abi_sizeof(context.get_data_type(kind.dtype)))
        strides = [item_size]
        for size in sizes[:0:-1]:
            strides.insert(0, builder.mul(strides[0], size))
        data = builder.inttoptr(arguments[0], made.data.type)
        populate_array(made, data=data, shape=sizes, strides=strides, itemsize=item_size, meminfo=None)
        return made._getvalue()

    return kind(types.int64, item, shape), generate
