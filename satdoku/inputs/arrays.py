"""Arrays of plain grids: of numpy, or what has `__array__` or `__dlpack__`, such as tensors and columns; and frames."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from math import isqrt
from typing import TYPE_CHECKING, Any

from satdoku.errors import InputError, excerpt
from satdoku.formats import Options
from satdoku.formats.cells import boxed_board
from satdoku.inputs.items import PUZZLE
from satdoku.puzzle import Board, Size

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_SIZE, MAX_SIZE = 4, 100
MAX_MESSAGE = 300
NINE = 81  # cells: the last axis of arrays that are nearly always meant to be grids of 9x9


@dataclass(frozen=True, slots=True)
class Grids:
    """Grids of one plain board.

    lead:   the shape of the array without the axes of its cells
    values: (n, cells) of 0..N, 0 for an empty cell
    square: whether the array has an axis of rows and one of columns
    """

    board: Board
    lead: tuple[int, ...]
    values: NDArray[Any]
    square: bool = False

    def shaped(self, values: NDArray[Any]) -> NDArray[Any]:
        """Values for all cells of these grids, in the shape of the array."""
        cells = (self.board.size.rows, self.board.columns) if self.square else (self.board.cells,)
        return values.reshape(*self.lead, *cells)


def array_of(thing: object) -> NDArray[Any] | None:
    """What is an array, or gives one, as an array of numpy; None for anything else. Raises TypeError for what has
    one and does not give it, such as a tensor that requires gradients or is elsewhere."""
    if isinstance(thing, str | list | tuple) or not (hasattr(thing, "__array__") or hasattr(thing, "__dlpack__")):
        return None
    import numpy as np

    if hasattr(thing, "filled"):  # a masked array: what it hides is not a value
        thing = thing.filled(0)
    array: NDArray[Any] = _taken(thing, np.asarray if hasattr(thing, "__array__") else np.from_dlpack)
    return array


def numbers_of(thing: Any, title: str = PUZZLE) -> tuple[NDArray[Any] | None, Any]:
    """What is an array of numbers, or gives one, as an array of numpy; and the thing as it is, but as a list where it
    has texts or objects, such as a column of a frame. title: as of `unframed`; raises as it and `array_of`."""
    thing = unframed(thing, title)
    array = array_of(thing)
    if array is None or array.dtype.kind not in "OUST":
        return array, thing
    return None, array.tolist()


def several(things: Any, what: str) -> list[Any]:
    """What is iterated over; raises TypeError for anything else, and for bytes."""
    if not isinstance(things, bytes):
        with suppress(TypeError):
            return list(things)
    raise TypeError(f"{what} is of type {type(things).__name__}: expected several, such as a list")


def listed(thing: Any) -> Any:
    """What is an array, or gives one, as lists; anything else as it is. Raises TypeError as `array_of`."""
    if hasattr(thing, "tolist"):
        return _taken(thing, lambda array: array.tolist())
    array = array_of(thing)
    return thing if array is None else array.tolist()


def _taken(thing: Any, take: Callable[[Any], Any]) -> Any:
    try:
        return take(thing)
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        kind = f"{type(thing).__module__}.{type(thing).__name__}"
        raise TypeError(f"a {kind} cannot be read as an array: {' '.join(str(error).split())}"[:MAX_MESSAGE]) from None


def unframed(thing: Any, title: str = PUZZLE) -> Any:
    """What of a frame of pandas or polars, or of a Table of Arrow, are grids: the column of a title as a list, or all
    of its columns as an array, where there is one for each cell. Anything else as it is.

    Raises InputError for a frame without either.
    """
    if hasattr(thing, "collect_schema") and hasattr(thing, "collect"):  # a LazyFrame of polars
        thing = thing.collect()
    names = getattr(thing, "column_names", None) or getattr(thing, "columns", None)
    if names is None or not hasattr(thing, "__getitem__"):
        return thing
    names = [str(name) for name in names]
    if title in names:
        column = thing[title]
        listed = next(filter(None, (getattr(column, name, None) for name in ("to_pylist", "to_list", "tolist"))), None)
        return list(column) if listed is None else listed()
    if MIN_SIZE <= isqrt(len(names)) <= MAX_SIZE and isqrt(len(names)) ** 2 == len(names):
        import numpy as np

        array = np.asarray(thing)
        if array.dtype.kind == "O" and hasattr(thing, "isna"):  # pandas has objects of its own for what is missing
            array = array.copy()
            array[np.asarray(thing.isna())] = None
        return array
    shown = ", ".join(names[:12])[:200] or "none"
    raise InputError(
        f"{title}s: a frame with the columns {shown}: expected {title}, or one for each cell; or give a column"
    )


def grids_of(array: NDArray[Any], what: str, cells: int | None = None) -> Grids:
    """The grids of an array (..., N*N) or (..., N, N); (81, 81) is 81 grids of 9x9, other squares are one grid.

    what: what to call it in errors; cells: how many cells a grid has, None for any

    Raises ValueError for another shape, TypeError for what is not numbers, InputError for a value that is none of 0..N,
    which names its row and cell.
    """
    lead, size, rows = layout_of(array.shape, what, cells)
    values = array.reshape(-1, size * size)
    return Grids(boxed_board(Size.of(size), Options()), lead, _whole(values, what, size, lead), rows)


def layout_of(shape: tuple[int, ...], what: str, cells: int | None) -> tuple[tuple[int, ...], int, bool]:
    """The leading shape of grids, their N, and whether rows have an axis; raises ValueError as `grids_of`."""
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
    return shape[: -2 if rows else -1], size, rows


def _whole(values: NDArray[Any], what: str, size: int, lead: tuple[int, ...]) -> NDArray[Any]:
    import numpy as np

    kind, given = values.dtype.kind, values
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
        raise InputError(f"{what}: {where}{label} is {excerpt(given[row, cell].item())}: expected 0 to {size}")
    return values.astype(np.min_scalar_type(size), copy=False)
