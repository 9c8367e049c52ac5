"""Outputs that are written as a whole: tables in columns, and arrays of numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satdoku.errors import InputError, excerpt
from satdoku.system.files import WholeFile, naming

if TYPE_CHECKING:
    from satdoku.batch.layouts import Layout

COLUMNAR, ARRAYS = (".parquet", ".arrow", ".feather"), (".npy", ".npz")
GROUP = 1 << 16  # rows that are written together
GRIDS = ("puzzle", "solution", "canonical", "answer")  # columns that arrays hold as digits
ABSENT: Mapping[type, Any] = {str: "", int: -1, float: float("nan"), bool: False}


class Sink:
    """Where the rows of one layout go."""

    def begin(self, resumed: bool) -> None:
        """Write what stands before all rows, unless a run goes on."""

    def write(self, parts: Sequence[Any]) -> None:
        """Rows of a chunk, as its layout packed them."""

    def finish(self) -> list[Path]:
        return []

    def close(self) -> None:
        """Let go of the file."""


class ChoosingSink(Sink):
    """Hands on some of the rows to another sink, whose layout packs them."""

    def __init__(self, layout: Layout, sink: Sink) -> None:
        self._layout, self._sink = layout, sink

    def begin(self, resumed: bool) -> None:
        self._sink.begin(resumed)

    def put(self, rows: list[Any]) -> None:
        if rows:
            self._sink.write([self._layout.pack(rows)])

    def finish(self) -> list[Path]:
        return self._sink.finish()

    def close(self) -> None:
        self._sink.close()


class Columnar(Sink):
    """Parquet, or a file of Arrow, by the suffix."""

    TYPES: Mapping[type, str] = {str: "string", int: "int64", float: "float64", bool: "bool_"}

    def __init__(self, path: Path, columns: Mapping[str, type]) -> None:
        parquet = path.suffix.lower() == ".parquet"
        if find_spec("pyarrow") is None:
            name = "Parquet" if parquet else "Arrow"
            raise InputError(f"{path}: {name} needs the package pyarrow: pip install 'satdoku[tables]'")
        self._arrow = import_module("pyarrow")
        types = [(name, getattr(self._arrow, self.TYPES[kind])()) for name, kind in columns.items()]
        self._schema = self._arrow.schema(types)
        self._kinds = tuple(columns.values())
        self._columns: list[list[object]] = [[] for _ in columns]
        self._path, self._file = path, WholeFile(path)
        if parquet:
            writer = import_module("pyarrow.parquet").ParquetWriter
            self._writer = writer(self._file.stream, self._schema, compression="zstd")
        else:
            self._writer = import_module("pyarrow.ipc").new_file(self._file.stream, self._schema)

    def write(self, parts: Sequence[Any]) -> None:
        for part in parts:
            for column, values in zip(self._columns, part, strict=True):
                column += values
        if len(self._columns[0]) >= GROUP:
            self._group()

    def finish(self) -> list[Path]:
        self._group()
        with naming(self._path):
            self._writer.close()
        self._file.finish()
        return []

    def close(self) -> None:
        self._file.close()

    def _group(self) -> None:
        with naming(self._path):
            arrays = list(map(self._array, self._columns, self._kinds))
            self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        self._columns = [[] for _ in self._columns]

    def _array(self, values: list[Any], kind: type) -> Any:
        """The values as an array; `pyarrow.array` would import pandas first, which takes 0.4 s."""
        if kind is str:
            builder = self._arrow.lib.StringBuilder()
            builder.append_values(values)
            return builder.finish()
        import numpy as np

        name = self.TYPES[kind]  # the same in numpy
        known = np.array([value is not None for value in values], np.bool_)
        numbers = np.array([ABSENT[kind] if value is None else value for value in values], getattr(np, name))
        bits = (np.packbits(each, bitorder="little") if each.dtype == np.bool_ else each for each in (known, numbers))
        buffers = list(map(self._arrow.py_buffer, bits))
        return self._arrow.Array.from_buffers(getattr(self._arrow, name)(), len(values), buffers)


class ArrayFile(Sink):
    """`.npz`: an array for each column, grids as (n, cells) of 0..N, zeros where there is none; `.npy`: the grids of
    one column. Where another column has nothing, there is -1, NaN, an empty text, or False."""

    def __init__(self, path: Path, columns: Mapping[str, type], grids: str) -> None:
        """grids: the column of a `.npy`; raises InputError if there is no such column"""
        single = path.suffix.lower() == ".npy"
        if single and grids not in columns:
            raise InputError(f"--output {path}: an array of grids, and there is no column {grids} here; name it .npz")
        self._one = grids if single else None
        self._names = tuple(columns)
        self._kinds = {grids: str} if single else dict(columns)
        self._texts: dict[str, list[Any]] = {name: [] for name in self._kinds if name not in GRIDS}
        self._grids: dict[str, bytearray] = {name: bytearray() for name in self._kinds if name in GRIDS}
        self._cells: dict[str, int] = {}  # of the grids of each column
        self._before: dict[str, int] = dict.fromkeys(self._grids, 0)  # rows without a grid before the first one
        self._rows = 0
        self._path, self._file = path, WholeFile(path)

    def write(self, parts: Sequence[Any]) -> None:
        for columns in parts:
            for name, values in zip(self._names, columns, strict=True):
                if name in self._texts:
                    absent = ABSENT[self._kinds[name]]
                    self._texts[name] += [absent if value is None else value for value in values]
                elif name in self._grids:
                    for row, text in enumerate(values, self._rows + 1):
                        self._put(name, row, text)
            self._rows += len(columns[0])

    def finish(self) -> list[Path]:
        import numpy as np

        arrays = {name: self._array(name) for name in self._kinds}
        if self._one is not None:  # not to the stream: an error of what numpy writes itself does not say why
            np.lib.format.write_array(self._file, arrays[self._one], allow_pickle=False)
        else:
            with naming(self._path):
                np.savez_compressed(self._file.stream, allow_pickle=False, **arrays)
        self._file.finish()
        return []

    def close(self) -> None:
        self._file.close()

    def _put(self, name: str, row: int, text: object) -> None:
        """The grid of a row, behind those of the rows before."""
        cells = self._cells.get(name)
        if not text:
            self._before[name] += cells is None
            self._grids[name] += bytes(2 * (cells or 0))
            return
        values = _digits(str(text))
        if values is None or cells not in (None, len(values)):
            wanted = f"a line of {cells} digits" if cells else "a line of digits, since arrays hold plain puzzles"
            raise InputError(f"{self._path}: row {row}: {name} is {excerpt(text)}: expected {wanted}")
        self._cells[name] = len(values)
        for value in values:
            self._grids[name] += value.to_bytes(2, "little")

    def _array(self, name: str) -> Any:
        import numpy as np

        if name in self._texts:
            return np.array(self._texts[name], np.str_ if self._kinds[name] is str else self._kinds[name])
        cells = self._cells.get(name, 0)
        grids = np.frombuffer(bytes(2 * cells * self._before[name]) + bytes(self._grids[name]), "<u2")
        grids = grids.reshape(self._rows, cells)
        return grids.astype(np.uint8) if grids.max(initial=0) < 256 else grids


def _digits(text: str) -> list[int] | None:
    """The values of a line, 0 for an empty cell; None for any other text."""
    words = text.split(",") if "," in text else list(text)
    values = [0 if word == "." else int(word) if word.isascii() and word.isdigit() else -1 for word in words]
    return None if len(values) < 16 or min(values) < 0 else values
