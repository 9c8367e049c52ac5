"""Tables of puzzles: CSV and TSV with a header, Parquet. A column holds a puzzle a row."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any

from satdoku.errors import FormatError, InputError
from satdoku.formats.fields import fields_of, is_grid
from satdoku.inputs import streams

NAME = re.compile(r"[^\W\d][\w .()/-]*")

WIDEST = 1 << 24
"""Characters of a field, as for a line."""

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


def looks_like(first: str, second: str) -> str | None:
    """What the first two lines of a table say of it, and the column to name; None if they are not those of one.

    The first holds names, and the second a puzzle under one of them.
    """
    delimiter = max("\t,;", key=first.count)
    names = [name.strip().strip('"') for name in first.lstrip("\ufeff").split(delimiter)]
    fields = [field.strip().strip('"') for field in second.split(delimiter)]
    if len(names) < 2 or len(names) != len(fields) or not all(map(NAME.fullmatch, names)):
        return None
    try:
        held = [name for name, field in zip(names, fields, strict=True) if is_grid(fields_of(field))]
    except FormatError:
        return None
    return f"a table with the columns {', '.join(names)[:200]}: add --column {held[0]}" if held else None


def _text(lines: Iterable[str], columns: Columns) -> Iterator[Row]:
    csv.field_size_limit(WIDEST)
    source = iter(lines)
    first = next(source, "")
    delimiter = max("\t,;", key=first.count)
    header = next(csv.reader([first], delimiter=delimiter), [])
    header = [name.strip() for name in header]
    places = [_place(name, header) for name in columns.names()]
    # Strict, since a quote that is not closed would swallow the rows that follow.
    reader = csv.reader(source, delimiter=delimiter, strict=True)
    while True:
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
    damaged = import_module("pyarrow").ArrowException
    try:
        table: Any = import_module("pyarrow.parquet").ParquetFile(stream)
        for name in columns.names():
            _place(name, table.schema_arrow.names)
        number = 0
        for batch in table.iter_batches(columns=columns.names()):
            fields = [batch.column(name).to_pylist() for name in columns.names()]
            for row in zip(*fields, strict=True):
                number += 1
                yield number, str(row[0] or ""), str(row[1] or "") if len(row) > 1 else None
    except damaged as error:
        raise InputError(f"a damaged Parquet file: {str(error).splitlines()[0]}") from None


def _place(name: str, header: list[str]) -> int:
    if name not in header:
        shown = ", ".join(header[:12]) or "none: it is empty"
        raise InputError(f"no column {name!r}; its columns: {shown[:200]}")
    return header.index(name)
