"""16-bit words worked on as one value in compiled functions by `&|^+-*`, shifts and `~`: a lane each."""

from collections.abc import Sequence
from typing import Any, cast

from satdoku.kernels.compiled import Instruction

WIDTH = 64  # numbers that `add_products` takes
PIECE = 32  # numbers that it handles together: a register of 512 bits, or two of 256


def _declared(name: str, *arguments: Any) -> Any:
    return cast(Any, Instruction(name, arguments or None))


zeros = _declared("zeros")  # all bits of the lanes that are 0
or_else = _declared("or_else")  # lane for lane the first, or the second where the first is 0
smaller = _declared("smaller")  # lane for lane the smaller number
some = _declared("some")  # whether any lane has any bit
store = _declared("store")  # lanes, into a row of such an array
add_products = _declared("add_products")
"""sums[i] += first[2i] second[2i] + first[2i + 1] second[2i + 1], int32 from int16: one `pmaddwd` a piece."""


def loading(number: int) -> Any:
    """A function of an array of 16-bit words, so many in a row, and a row: its words as lanes."""
    return _declared("loading", number)


def reading(number: int) -> Any:
    """A function of an array of such rows, a row and a lane: four words from there on, the first in the lowest bits."""
    return _declared("reading", number)


def permutation(order: Sequence[int]) -> Any:
    """The lanes in another order: lane i of the result is lane order[i]."""
    return _declared("permutation", tuple(order))


def constant(words: Sequence[int]) -> Any:
    """A function without parameters that gives these lanes."""
    return _declared("constant", tuple(words))
