"""Files of numpy: `.npy`, an array of plain grids, and `.npz`, several by their names. Nothing in them is run."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Mapping
from math import prod
from typing import IO, TYPE_CHECKING, Any

from satdoku.errors import InputError
from satdoku.inputs.arrays import layout_of
from satdoku.inputs.streams import is_npz
from satdoku.limits import MAX_MEMORY

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NPY, ZIP = b"\x93NUMPY", b"PK\x03\x04"
READ = 1 << 22  # bytes of an array that are read at once
ArrayLines = Callable[[], Iterator[str]]


def is_array(stream: IO[bytes]) -> bool:
    """Whether a stream begins as a `.npy`, or is a file named `.npz` that begins as one."""
    head = _head(stream)
    return head.startswith(NPY) or (head.startswith(ZIP) and is_npz(str(getattr(stream, "name", ""))))


def _head(stream: IO[bytes]) -> bytes:
    peek = getattr(stream, "peek", None)
    return peek(len(NPY))[: len(NPY)] if peek is not None else b""


def arrays(stream: IO[bytes]) -> Mapping[str, ArrayLines]:
    """The grids of each array by its name, "" for that of a `.npy`: lines of digits, or of numbers with commas.

    Values that are none of 0..N stay as they are: who reads the line says so. Calling one raises InputError for what is
    not an array of grids, or not all in its file.
    """
    if _head(stream).startswith(NPY):
        return {"": lambda: _lines(stream, _left(stream))}
    import zipfile

    try:
        archive = zipfile.ZipFile(stream)
    except zipfile.BadZipFile as error:
        raise InputError(f"a damaged .npz file: {error}") from None
    infos = archive.infolist()
    members = {info.filename.removesuffix(".npy"): info for info in infos if info.filename.endswith(".npy")}

    def lines(info: zipfile.ZipInfo) -> Iterator[str]:
        try:
            with archive.open(info) as member:
                yield from _lines(member, lambda: info.file_size - member.tell())
        except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
            raise InputError(f"a damaged .npz file: {error}") from None

    return {name: lambda info=info: lines(info) for name, info in members.items()}  # type: ignore[misc]  # info is bound


def _left(stream: IO[bytes]) -> Callable[[], int | None]:
    """Asks how many bytes are left of a file; None where that is not known, as of what is compressed."""

    def left() -> int | None:
        raw = stream.raw if isinstance(stream, io.BufferedReader) else None
        if not isinstance(raw, io.FileIO) or not stream.seekable():
            return None
        return os.fstat(raw.fileno()).st_size - stream.tell()

    return left


def _lines(stream: IO[bytes], left: Callable[[], int | None]) -> Iterator[str]:
    import numpy as np

    shape, fortran, kind = _header(stream)
    if kind.hasobject or kind.kind not in "iuf":
        raise InputError(f"an array of {kind}: expected numbers, 0 for an empty cell")
    try:
        lead, size, _ = layout_of(shape, "the array", None)
    except ValueError as error:
        raise InputError(str(error)) from None
    count, width = prod(lead), size * size * kind.itemsize
    has = left()
    if has is not None and has < count * width:
        what = f"{count} grids of {width} bytes are declared, and {max(has, 0)} bytes there"
        raise InputError(f"a damaged .npy file: {what}")
    if fortran:
        if count * width > MAX_MEMORY:
            raise InputError(f"an array in the order of Fortran of over {MAX_MEMORY} bytes: save it in that of C")
        whole = np.frombuffer(_read(stream, count * width), kind).reshape(shape, order="F")
        yield from _texts(whole.reshape(count, size * size), size)
        return
    each = max(1, READ // width)
    for start in range(0, count, each):
        some = min(each, count - start)
        yield from _texts(np.frombuffer(_read(stream, some * width), kind).reshape(some, size * size), size)


def _header(stream: IO[bytes]) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    from numpy.lib import format as npy

    try:
        version = npy.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise InputError(f"a .npy file of version {version[0]}.{version[1]}: expected 1.0 or 2.0")
        read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
        return read(stream)
    except (ValueError, TypeError, EOFError, MemoryError, RecursionError) as error:
        raise InputError(f"a damaged .npy file: {str(error).splitlines()[0][:100]}") from None


def _read(stream: IO[bytes], count: int) -> bytes:
    parts, missing = [], count
    while missing and (part := stream.read(missing)):
        parts.append(part)
        missing -= len(part)
    if missing:
        raise InputError("a damaged .npy file: it ends before its last grid")
    return b"".join(parts)


def _texts(values: NDArray[Any], size: int) -> Iterator[str]:
    import numpy as np

    if values.dtype.kind == "f":
        values = np.nan_to_num(values, nan=0.0)
    fine = np.asarray(((values >= 0) & (values <= size)).all(axis=1))
    if values.dtype.kind == "f":
        fine &= (values == np.floor(values)).all(axis=1)
    if size <= 9:
        cells = size * size
        digits = (np.where(fine[:, None], values, 0).astype(np.uint8) + ord("0")).tobytes().decode("ascii")
        lines: list[str] = [digits[start : start + cells] for start in range(0, len(digits), cells)]
    else:
        lines = [",".join(str(int(value)) if value else "." for value in row) for row in values.tolist()]
    for row in np.flatnonzero(~fine).tolist():
        lines[row] = ",".join(f"{value:g}" if value else "." for value in values[row].tolist())
    yield from lines
