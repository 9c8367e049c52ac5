"""Compiled searches for the backend `native`. Importing a kernel imports numba.

`classic` is tuned to the 9x9 board with 3x3 boxes, `general` takes any AllDifferents of up to 64
values, `small` only counts, `propagators` takes all four constraints. A kernel keeps its state in
arrays that the caller owns: it returns after some nodes and is called again, so that clocks and
interrupts are seen, and calls in several threads have nothing in common.
"""

from collections.abc import Callable

WATCHERS: list[Callable[[], object]] = []
"""Each is called once, when code is about to be compiled that was not kept from an earlier process."""
