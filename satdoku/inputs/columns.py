"""Tables of puzzles: CSV and TSV with a header, Parquet. A column holds a puzzle a row."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, zip_longest
from pathlib import Path
from typing import IO, Any

from satdoku.errors import FormatError, InputError
from satdoku.formats.cells import ALWAYS_EMPTY, is_content
from satdoku.formats.line import fields_of, is_grid
from satdoku.inputs import streams
from satdoku.limits import MAX_MEMORY, MAX_PUZZLE, bounded_memory

NAME = re.compile(r"[^\W\d][\w .()/-]*")
MAX_HEAD = 100  # lines among which the names of columns and the first row are
BATCH = 4096  # rows that are read from Parquet at once, unless they are long
Row = tuple[int, str, str | None, Mapping[str, str] | None]
"""Its number (of the line in a text, from 1 in a Parquet file), the puzzle, the solution expected; "" where the
row has none. Last all its columns, where they are kept."""


@dataclass(frozen=True, slots=True)
class Columns:
    puzzle: str
    expected: str | None = None
    keep: bool = False  # whether rows come with all their columns

    def names(self) -> list[str]:
        return [self.puzzle] if self.expected is None else [self.puzzle, self.expected]


def rows(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    if isinstance(stream, io.BufferedReader) and stream.peek(4)[:4] == streams.PARQUET:
        yield from _parquet(stream, columns)
    else:
        yield from _text(io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline=""), columns)


def column_of(first: str, second: str) -> str | None:
    delimiter = max("\t,;", key=first.count)
    try:
        names, fields = csv.reader([first.lstrip("\ufeff"), second], delimiter=delimiter)
    except (csv.Error, ValueError):
        return None
    names = [name.strip() for name in names]
    if len(names) < 2 or len(names) != len(fields) or not all(map(NAME.fullmatch, names)):
        return None
    return _found(dict(zip(names, fields, strict=True)))


def found(path: Path) -> str | None:
    """The column of a table with a header that holds puzzles: the first with empty cells; None for other files."""
    if not path.is_file():
        return None
    try:
        with path.open("rb") as raw:
            stream = streams.plain(raw)
            if isinstance(stream, io.BufferedReader) and stream.peek(4)[:4] == streams.PARQUET:
                return _found(_first_of_parquet(stream))
            return found_in(stream.readline(MAX_PUZZLE) for _ in range(MAX_HEAD))
    except (*streams.DAMAGED, ValueError, InputError):
        return None  # reading it says what is wrong


def found_in(lines: Iterable[bytes]) -> str | None:
    """The same for what a text begins with."""
    texts = (line.decode("utf-8-sig", "replace") for line in lines)
    content = list(islice((text.rstrip() for text in texts if is_content(text)), 2))
    return column_of(*content) if len(content) > 1 else None


def _first_of_parquet(stream: IO[bytes]) -> Mapping[str, object]:
    if find_spec("pyarrow") is None or not stream.seekable():
        return {}
    try:
        with bounded_memory():
            batches = import_module("pyarrow.parquet").ParquetFile(stream, pre_buffer=False).iter_batches(1)
            return dict((next(batches).to_pylist() or [{}])[0])
    except (MemoryError, StopIteration, import_module("pyarrow").ArrowException):
        return {}


def _found(row: Mapping[str, object]) -> str | None:
    grids = {}
    for name, field in row.items():
        with suppress(FormatError):
            cells = fields_of(field.strip()) if isinstance(field, str) else None
            if cells is not None and is_grid(cells):
                grids[name] = any(token in ALWAYS_EMPTY for token, _, _ in cells.cells)
    return next((name for name, open in grids.items() if open), next(iter(grids), None))


class _Lines:
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
    header = [title.strip() for title in header]
    places = [_place(name, header) for name in columns.names()]
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
            known = dict(zip_longest(header, row[: len(header)], fillvalue="")) if columns.keep else None
            found = [row[place].strip() if place < len(row) else "" for place in places]
            # Fields for which there is no column stand with the puzzle, so that they are named.
            puzzle = " ".join([found[0], *row[len(header) :]])
            yield reader.line_num + 1, puzzle, found[1] if len(found) > 1 else None, known


def _parquet(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    if find_spec("pyarrow") is None:
        raise InputError("a Parquet file, which needs the package pyarrow: pip install 'satdoku[tables]'")
    if not stream.seekable():
        raise InputError("Parquet cannot be read from a pipe: name the file")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    arrow.set_memory_pool(arrow.system_memory_pool())  # others reserve more than they use
    try:
        with bounded_memory():
            # Texts that are repeated stay as they are in the file: once.
            table = parquet.ParquetFile(stream, pre_buffer=False, read_dictionary=columns.names())
        header = table.schema_arrow.names
        for name in columns.names():
            _place(name, header)
        read = header if columns.keep else columns.names()
        batches = table.iter_batches(_batch(table.metadata), columns=read, use_threads=False)
        number = 0
        while True:
            with bounded_memory():
                batch = next(batches, None)
            if batch is None:
                return
            fields = [_values(batch.column(name)) for name in read]
            for row in zip(*fields, strict=True):
                number += 1
                known = dict(zip(read, row, strict=True))
                beside = None if columns.expected is None else str(known[columns.expected] or "")
                kept = {name: "" if value is None else str(value) for name, value in known.items()}
                yield number, str(known[columns.puzzle] or ""), beside, kept if columns.keep else None
    except MemoryError:
        raise InputError(f"a Parquet file that needs over {MAX_MEMORY} bytes of memory") from None
    except arrow.ArrowException as error:
        raise InputError(f"a damaged Parquet file: {str(error).splitlines()[0]}") from None


def _batch(metadata: Any) -> int:
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    longest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=0)
    return max(1, min(BATCH, int(4 * MAX_PUZZLE / max(longest, 1))))


def _values(column: Any) -> list[Any]:
    if not hasattr(column, "dictionary"):
        return list(column.to_pylist())
    words = [*column.dictionary.to_pylist(), None]
    return [words[-1 if index is None else index] for index in column.indices.to_pylist()]


def _place(name: str, header: list[str]) -> int:
    if name not in header:
        shown = ", ".join(header[:12]) or "none: it is empty"
        raise InputError(f"no column {name!r}; its columns: {shown[:200]}")
    return header.index(name)
