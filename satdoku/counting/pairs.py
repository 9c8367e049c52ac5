"""The inner product that the sums spend their time on, as one instruction of processors that have it."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WIDTH = 64  # entries of a row of a table
PIECE = 32  # entries handled together: a register of 512 bits, or two of 256


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
