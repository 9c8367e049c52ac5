"""Tables of puzzles: CSV and TSV with a header, Parquet. A column holds a puzzle a row."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, dropwhile, islice, zip_longest
from pathlib import Path
from typing import IO, Any

from satdoku.errors import FormatError, InputError
from satdoku.formats.cells import ALWAYS_EMPTY, is_content
from satdoku.formats.line import fields_of, is_grid
from satdoku.inputs import streams
from satdoku.inputs.items import PUZZLE, SOLUTION
from satdoku.inputs.remote import is_remote
from satdoku.limits import MAX_MEMORY, MAX_PUZZLE, bounded_memory

NAME = re.compile(r"[^\W\d][\w .()/-]*")
ENCODE = json.JSONEncoder(ensure_ascii=False).encode
JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{|\[\s*(?:\{|$))")  # how JSON Lines begin, or an array of records
MAX_HEAD = 100  # lines among which the names of columns and the first row are
PLACE = {"source", "line"}  # columns of tables that satdoku writes
BATCH = 4096  # rows that are read from Parquet at once, unless they are long
Row = tuple[int, str, str | None, Mapping[str, str] | None]
"""Its number (of the line in a text, from 1 in a Parquet file), the puzzle, the solution expected; "" where the
row has none. Last all its columns, where they are kept."""


@dataclass(frozen=True, slots=True)
class Columns:
    puzzle: str
    expected: str | None = None
    keep: bool = False  # whether rows come with their other columns
    stated: bool = False  # whether the column `solution`, where there is one, is that of solutions

    def among(self, header: Sequence[str]) -> Columns:
        """The same of a table with these columns, the one of solutions named; raises InputError for one without."""
        chosen = replace(self, expected=SOLUTION) if self.stated and SOLUTION in header else self
        for name in chosen.names():
            if name not in header:
                shown = ", ".join(header[:12]) or "none: it is empty"
                raise InputError(f"no column {name!r}; its columns: {shown[:200]}")
        return chosen

    def names(self) -> list[str]:
        return [self.puzzle] if self.expected is None else [self.puzzle, self.expected]

    def beside(self, row: Mapping[str, object]) -> Mapping[str, str] | None:
        """The columns of a row that are kept: all but the one of puzzles, if that has its usual name."""
        return {name: field_text(value) for name, value in row.items() if name != PUZZLE or name != self.puzzle}


def rows(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    if is_parquet(stream):
        yield from _parquet(stream, columns)
    elif isinstance(stream, io.BufferedReader) and JSON.match(stream.peek()):
        yield from _json(stream, columns)
    else:
        yield from _text(io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline=""), columns)


def puzzle_column(name: str) -> str | None:
    """The column of a table with a header, or of JSON Lines, that holds puzzles; None for other files."""
    if not (is_remote(name) or Path(name).is_file()):
        return None
    try:
        with streams.opened(name) as raw:
            stream = streams.plain(raw)
            if is_parquet(stream):
                return _puzzle_column(_first_of_parquet(stream))
            return puzzle_column_in(stream.readline(MAX_PUZZLE) for _ in range(MAX_HEAD))
    except (*streams.DAMAGED, ValueError, InputError):
        return None  # reading it says what is wrong


def puzzle_column_in(lines: Iterable[bytes]) -> str | None:
    """The same for what a text begins with."""
    return _puzzle_column(_first(lines))


def lacks_puzzles(lines: Iterable[bytes]) -> bool:
    """Whether a text begins as records of satdoku that say where puzzles stand, and not what they are."""
    first = _first(lines)
    return first.keys() >= PLACE and PUZZLE not in first


def _first(lines: Iterable[bytes]) -> Mapping[str, object]:
    """The first row of a table with a header, or the first record of JSON Lines; empty for other texts."""
    texts = (line.decode("utf-8-sig", "replace").rstrip("\r\n") + "\n" for line in lines)
    content = dropwhile(lambda text: not is_content(text), texts)
    first = next(content, "").lstrip("\ufeff")
    if first == "[\n":
        first = next(content, "")
    if first.startswith("{"):
        with suppress(ValueError, RecursionError):
            record = json.loads(first.rstrip(",\n"))
            if isinstance(record, dict) and (isinstance(record.get(PUZZLE), str) or record.keys() >= PLACE):
                return record
        return {}
    delimiter = max("\t,;", key=first.count)
    try:
        names = [name.strip() for name in next(csv.reader([first], delimiter=delimiter), [])]
        if len(names) < 2 or not all(map(NAME.fullmatch, names)):
            return {}
        rest = dropwhile(lambda text: not is_content(text), content)
        fields = next(csv.reader(rest, delimiter=delimiter), [])
    except (csv.Error, ValueError):
        return {}
    return dict(zip(names, fields, strict=True)) if len(names) == len(fields) else {}


def own_parquet(stream: IO[bytes]) -> bool:
    """Whether a stream is a Parquet file that has a column `puzzle`, as satdoku writes them."""
    if not is_parquet(stream) or not stream.seekable():
        return False
    columns = _puzzle_column(_first_of_parquet(stream))
    stream.seek(0)
    return columns == PUZZLE


def is_parquet(stream: IO[bytes]) -> bool:
    return isinstance(stream, io.BufferedReader) and stream.peek(4)[:4] == streams.PARQUET


def _first_of_parquet(stream: IO[bytes]) -> Mapping[str, object]:
    if find_spec("pyarrow") is None or not stream.seekable():
        return {}
    try:
        with bounded_memory():
            batches = import_module("pyarrow.parquet").ParquetFile(stream, pre_buffer=False).iter_batches(1)
            return dict((next(batches).to_pylist() or [{}])[0])
    except (MemoryError, StopIteration, import_module("pyarrow").ArrowException):
        return {}


def _puzzle_column(row: Mapping[str, object]) -> str | None:
    """The column `puzzle`, unless another holds grids and it does not; else the first grid, those with empty cells
    before the others; None for records of satdoku without puzzles."""
    if row.keys() >= PLACE and PUZZLE not in row:
        return None
    grids = {}
    for name, field in row.items():
        with suppress(FormatError):
            cells = fields_of(field.strip()) if isinstance(field, str) else None
            if cells is not None and is_grid(cells):
                grids[name] = any(token in ALWAYS_EMPTY for token, _, _ in cells.cells)
    named = PUZZLE in row and (PUZZLE in grids or row.keys() >= PLACE or not any(grids.values()))
    return PUZZLE if named else next((name for name, blank in grids.items() if blank), next(iter(grids), None))


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
    places = [header.index(name) for name in columns.among(header).names()]
    # Strict, since a quote that is not closed would swallow the rows that follow.
    reader = csv.reader(source, delimiter=delimiter, strict=True)
    while True:
        lines.next_row()
        number = reader.line_num + 2
        try:
            row = next(reader, None)
        except csv.Error as error:
            raise InputError(f"line {number}: {error}; the rest of the table is not read") from None
        if row is None:
            return
        if row:
            beside = zip_longest(header, row[: len(header)], fillvalue="") if columns.keep else ()
            texts = [row[place].strip() if place < len(row) else "" for place in places]
            # Fields for which there is no column stand with the puzzle, so that they are named.
            puzzle = " ".join([texts[0], *row[len(header) :]])
            known = columns.beside(dict(beside)) if columns.keep else None
            yield number, puzzle, texts[1] if len(texts) > 1 else None, known


def _parquet(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    if find_spec("pyarrow") is None:
        raise InputError("a Parquet file, which needs the package pyarrow: pip install 'satdoku[tables]'")
    if not stream.seekable():
        raise InputError("Parquet cannot be read from a pipe: name the file")
    arrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    arrow.set_memory_pool(arrow.system_memory_pool())  # others reserve more than they use
    try:
        with bounded_memory():
            metadata = parquet.ParquetFile(stream, pre_buffer=False)
            header = metadata.schema_arrow.names
            columns, metadata = columns.among(header), metadata.metadata
            # Texts that are repeated stay as they are in the file: once.
            names = columns.names()
            table = parquet.ParquetFile(stream, pre_buffer=False, read_dictionary=names, metadata=metadata)
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
                kept = columns.beside(known) if columns.keep else None
                yield number, str(known[columns.puzzle] or ""), beside, kept
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


def _json(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    """Records of JSON Lines, or of an array of them, each on a line of its own."""
    source = _records(stream)
    first = list(islice(source, BATCH if columns.keep else 1))
    header = list(dict.fromkeys(name for _, record in first for name in record))
    chosen = columns.among(header)
    for number, record in chain(first, source):
        puzzle, *stated = (field_text(record.get(name)).strip() for name in chosen.names())
        if columns.keep and not record.keys() <= set(header):
            new = next(name for name in record if name not in header)
            raise InputError(f"line {number}: {new!r} is no field of the records before; the rest is not read")
        known = columns.beside({name: record.get(name) for name in header}) if columns.keep else None
        yield number, puzzle, stated[0] if stated else None, known


def _records(stream: IO[bytes]) -> Iterator[tuple[int, Mapping[str, object]]]:
    number = 0
    while line := stream.readline(MAX_PUZZLE + 1):
        number += 1
        if len(line) > MAX_PUZZLE:
            raise InputError(f"line {number}: a record of over {MAX_PUZZLE} bytes; the rest is not read")
        text = line.decode("utf-8-sig", "replace").strip().rstrip(",")
        if text in ("", "[", "]"):
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"line {number}: not JSON ({error}); the rest is not read") from None
        if not isinstance(record, dict):
            raise InputError(f"line {number}: expected an object of JSON, with the puzzle; the rest is not read")
        yield number, record


def field_text(value: object) -> str:
    """A value as a field of a table: empty for nothing, lists and objects as JSON."""
    if value is None:
        return ""
    return ENCODE(value) if isinstance(value, list | dict | bool) else str(value)
