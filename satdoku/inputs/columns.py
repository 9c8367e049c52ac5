"""Tables of puzzles: CSV and TSV with a header, Parquet. A column holds a puzzle a row."""

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any

from satdoku.errors import FormatError, InputError
from satdoku.formats.fields import fields_of, is_grid
from satdoku.inputs import streams
from satdoku.limits import MAX_MEMORY, MAX_PUZZLE, bounded_memory

NAME = re.compile(r"[^\W\d][\w .()/-]*")

BATCH = 4096
"""Rows that are read from Parquet at once, unless they are long."""

Row = tuple[int, str, str | None]
"""Its number (of the line in a text, from 1 in a Parquet file), the puzzle, the solution expected; "" where the
row has none."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The names of the columns to read: the puzzle's, and that of the solution to compare with."""

    puzzle: str
    expected: str | None = None

    def names(self) -> list[str]:
        return [self.puzzle] if self.expected is None else [self.puzzle, self.expected]


def rows(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    """The rows of a table. Raises InputError if it has no such column, or where it is damaged."""
    if isinstance(stream, io.BufferedReader) and stream.peek(4)[:4] == streams.PARQUET:
        yield from _parquet(stream, columns)
    else:
        yield from _text(io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline=""), columns)


def looks_like(first: str, second: str) -> bool:
    """Whether two lines are the first of a table: names, and a puzzle under one of them."""
    delimiter = max("\t,;", key=first.count)
    names = [name.strip().strip('"') for name in first.lstrip("\ufeff").split(delimiter)]
    fields = [field.strip().strip('"') for field in second.split(delimiter)]
    if len(names) < 2 or len(names) != len(fields) or not all(map(NAME.fullmatch, names)):
        return False
    try:
        return any(is_grid(fields_of(field)) for field in fields)
    except FormatError:
        return False


class _Lines:
    """The lines of a table; all lines of one row must not be too long."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._left = MAX_PUZZLE

    def __iter__(self) -> Iterator[str]:
        while line := self._stream.readline(self._left + 1):
            self._left -= len(line)
            if self._left < 0:
                raise csv.Error(f"a row of over {MAX_PUZZLE} characters")
            yield line

    def next_row(self) -> None:
        self._left = MAX_PUZZLE


def _text(stream: IO[str], columns: Columns) -> Iterator[Row]:
    csv.field_size_limit(MAX_PUZZLE)
    lines = _Lines(stream)
    source = iter(lines)
    try:
        first = next(source, "")
        delimiter = max("\t,;", key=first.count)
        header = next(csv.reader([first], delimiter=delimiter), [])
    except csv.Error as error:
        raise InputError(f"line 1: {error}; expected the names of columns") from None
    places = [_place(name, [title.strip() for title in header]) for name in columns.names()]
    # Strict, since a quote that is not closed would swallow the rows that follow.
    reader = csv.reader(source, delimiter=delimiter, strict=True)
    while True:
        lines.next_row()
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise InputError(f"line {reader.line_num + 1}: {error}; the rest of the table is not read") from None
        if row is None:
            return
        if row:
            yield reader.line_num + 1, *_fields(row, places)


def _fields(row: list[str], places: list[int]) -> tuple[str, str | None]:
    found = [row[place].strip() if place < len(row) else "" for place in places]
    return found[0], found[1] if len(found) > 1 else None


def _parquet(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    if find_spec("pyarrow") is None:
        raise InputError("a Parquet file, which needs the package pyarrow: pip install 'satdoku[arrow]'")
    if not stream.seekable():
        raise InputError("Parquet cannot be read from a pipe: name the file")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    arrow.set_memory_pool(arrow.system_memory_pool())  # others reserve more than they use
    try:
        with bounded_memory():
            # Texts that are repeated stay as they are in the file: once.
            table = parquet.ParquetFile(stream, pre_buffer=False, read_dictionary=columns.names())
        for name in columns.names():
            _place(name, table.schema_arrow.names)
        batches = table.iter_batches(_batch(table.metadata), columns=columns.names(), use_threads=False)
        number = 0
        while True:
            with bounded_memory():
                batch = next(batches, None)
            if batch is None:
                return
            fields = [_values(batch.column(name)) for name in columns.names()]
            for row in zip(*fields, strict=True):
                number += 1
                yield number, str(row[0] or ""), str(row[1] or "") if len(row) > 1 else None
    except MemoryError:
        raise InputError(f"a Parquet file that needs over {MAX_MEMORY} bytes of memory") from None
    except arrow.ArrowException as error:
        raise InputError(f"a damaged Parquet file: {str(error).splitlines()[0]}") from None


def _batch(metadata: Any) -> int:
    """How many rows are read at once: fewer where the file says that they are long."""
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    longest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=0)
    return max(1, min(BATCH, int(4 * MAX_PUZZLE / max(longest, 1))))


def _values(column: Any) -> list[Any]:
    """The values of a column; of one with a dictionary the same objects again and again."""
    if not hasattr(column, "dictionary"):
        return list(column.to_pylist())
    words = [*column.dictionary.to_pylist(), None]
    return [words[-1 if index is None else index] for index in column.indices.to_pylist()]


def _place(name: str, header: list[str]) -> int:
    if name not in header:
        shown = ", ".join(header[:12]) or "none: it is empty"
        raise InputError(f"no column {name!r}; its columns: {shown[:200]}")
    return header.index(name)
