"""Arrays of plain grids: of numpy, or what has `__array__` or `__dlpack__`, such as tensors and columns of frames."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Any

from satdoku.errors import InputError, excerpt
from satdoku.formats import Options
from satdoku.formats.cells import boxed_board
from satdoku.puzzle import Board, Size

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_SIZE, MAX_SIZE = 4, 100
NINE = 81  # cells: the last axis of arrays that are nearly always meant to be grids of 9x9


@dataclass(frozen=True, slots=True)
class Grids:
    """Grids of one plain board.

    lead:   the shape of the array without the axes of its cells
    values: (n, cells) of 0..N, 0 for an empty cell
    """

    board: Board
    lead: tuple[int, ...]
    values: NDArray[Any]


def array_of(thing: object) -> NDArray[Any] | None:
    """What is an array, or gives one, as an array of numpy; None for anything else."""
    if isinstance(thing, str | list | tuple):
        return None
    import numpy as np

    if isinstance(thing, np.ndarray):
        return thing
    if hasattr(thing, "__array__"):
        return np.asarray(thing)
    return np.from_dlpack(thing) if hasattr(thing, "__dlpack__") else None


def grids_of(array: NDArray[Any], what: str, cells: int | None = None) -> Grids:
    """The grids of an array (..., N*N) or (..., N, N); (81, 81) is 81 grids of 9x9, other squares are one grid.

    what: what to call it in errors; cells: how many cells a grid has, None for any

    Raises ValueError for another shape, TypeError for what is not numbers, InputError for a value that is none of 0..N,
    which names its row and cell.
    """
    shape = array.shape
    last = shape[-1] if shape else 0
    rows = len(shape) > 1 and shape[-2] == last and MIN_SIZE <= last <= MAX_SIZE and (last != NINE or len(shape) > 2)
    if cells is not None and last == cells:
        rows = False
    size = last if rows else isqrt(last)
    count = size * size
    if not MIN_SIZE <= size <= MAX_SIZE or (not rows and count != last) or cells not in (None, count):
        wanted = (
            "(..., N*N) or (..., N, N)" if cells is None else f"(..., {cells}) or (..., {isqrt(cells)}, {isqrt(cells)})"
        )
        raise ValueError(f"{what} has the shape {shape}: expected {wanted}")
    lead = shape[: -2 if rows else -1]
    values = array.reshape(-1, count)
    return Grids(boxed_board(Size.of(size), Options()), lead, _whole(values, what, size, lead))


def _whole(values: NDArray[Any], what: str, size: int, lead: tuple[int, ...]) -> NDArray[Any]:
    import numpy as np

    kind = values.dtype.kind
    if kind == "f":
        values = np.nan_to_num(values, nan=0.0, posinf=-1, neginf=-1)
        odd = values != np.floor(values)
    elif kind in "iu":
        odd = np.zeros((), np.bool_)
    else:
        raise TypeError(f"{what} is an array of {values.dtype}: expected whole numbers, 0 for an empty cell")
    if values.size and (odd.any() or values.min() < 0 or values.max() > size):
        row, cell = (int(place) for place in np.argwhere(odd | (values < 0) | (values > size))[0])
        place = ", ".join(map(str, np.unravel_index(row, lead))) if lead else ""
        where = f"row {place}, " if lead else ""
        label = f"r{cell // size + 1}c{cell % size + 1}"
        raise InputError(f"{what}: {where}{label} is {excerpt(values[row, cell].item())}: expected 0 to {size}")
    return values.astype(np.uint8 if size < 256 else np.uint16, copy=False)
