"""Tables of puzzles, a row each: CSV and TSV with a header, JSON Lines, tables in columns, arrays of numpy."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, dropwhile, islice, zip_longest
from math import isfinite
from pathlib import Path
from typing import IO, Any

from satdoku.errors import FormatError, InputError
from satdoku.formats.cells import ALWAYS_EMPTY, is_content
from satdoku.formats.line import fields_of, is_grid
from satdoku.inputs import columnar, numpy_files, streams
from satdoku.inputs.items import PUZZLE, SOLUTION
from satdoku.inputs.remote import is_remote
from satdoku.limits import MAX_PUZZLE

NAME = re.compile(r"[^\W\d][\w .()/-]*")
ENCODE = json.JSONEncoder(ensure_ascii=False).encode
DECODE = json.JSONDecoder().decode
JSON = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\{|\[\s*(?:\{|$))")  # how JSON Lines begin, or an array of records
MAX_HEAD = 100  # lines among which the names of columns and the first row are
USUAL = (PUZZLE, SOLUTION, "answer")  # names of columns that an array of numpy may have in the plural
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
    if columnar.kind(stream) is not None:
        yield from _columnar(stream, columns)
    elif numpy_files.is_array(stream):
        yield from _numpy(stream, columns)
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
            if columnar.kind(stream) is not None:
                return _puzzle_column(columnar.first(stream))
            if numpy_files.is_array(stream):
                names = [*numpy_files.arrays(stream)]
                return PUZZLE if names[1:] and {PUZZLE, f"{PUZZLE}s"}.intersection(names) else None
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
        if (len(names) < 2 and names != [PUZZLE]) or not all(map(NAME.fullmatch, names)):
            return {}
        rest = dropwhile(lambda text: not is_content(text), content)
        fields = next(csv.reader(rest, delimiter=delimiter), [])
    except (csv.Error, ValueError):
        return {}
    return dict(zip(names, fields, strict=True)) if len(names) == len(fields) else {}


def own_table(stream: IO[bytes]) -> bool:
    """Whether a stream is a table in columns that has a column `puzzle`, as satdoku writes them, or arrays of numpy."""
    if numpy_files.is_array(stream):
        return True
    if columnar.kind(stream) is None or not stream.seekable():
        return False
    row = columnar.first(stream)
    stream.seek(0)
    return not row or _puzzle_column(row) == PUZZLE  # reading a table without a row says what is wrong


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


class _LineReader:
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
    lines = _LineReader(stream)
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


def _columnar(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    chosen = columns
    names: Sequence[str] = ()
    header: Sequence[str] = ()

    def choose(all_names: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        nonlocal chosen, names, header
        chosen, header = columns.among(all_names), all_names
        names = chosen.names()
        return [*names, *(all_names if chosen.keep else ())], names

    for number, values in enumerate(columnar.rows(stream, choose), 1):
        puzzle, *beside = map(_grid_text, values[: len(names)])
        known = chosen.beside(dict(zip(header, values[len(names) :], strict=True))) if chosen.keep else None
        yield number, puzzle, beside[0] if beside else None, known


def _grid_text(value: object) -> str:
    """A text as it is; a list of values, or of rows of them, as one line."""
    if not isinstance(value, list):
        return str(value or "")
    cells = [cell for row in value for cell in (row if isinstance(row, list) else [row])]
    return ",".join("." if cell in (None, 0) else str(cell) for cell in cells)


def _numpy(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    """The grids of an array, or of those of a `.npz` that are named as the columns, in the plural too."""
    arrays = numpy_files.arrays(stream)
    plural = {f"{name}s": name for name in USUAL if name not in arrays and f"{name}s" not in columns.names()}
    named = {plural.get(name, name): lines for name, lines in arrays.items()}
    if len(named) == 1 and columns.puzzle in USUAL:
        named = {columns.puzzle: next(iter(named.values()))}
    elif "" in named:
        raise InputError("a .npy file is one array, without columns: name none")
    chosen = columns.among(list(named))
    lines = zip_longest(*(named[name]() for name in chosen.names()))
    for number, (puzzle, *stated) in enumerate(lines, 1):
        # A grid without any value is beside a puzzle that has no solution.
        beside = None if not stated else stated[0] if (stated[0] or "").strip("0.,") else ""
        yield number, puzzle or "", beside, {} if columns.keep else None


def _json(stream: IO[bytes], columns: Columns) -> Iterator[Row]:
    """Records of JSON Lines, or of an array of them, each on a line of its own."""
    source = _records(stream)
    first = list(islice(source, BATCH if columns.keep else 1))
    header = list(dict.fromkeys(name for _, record in first for name in record))
    names = columns.among(header).names()
    for number, record in chain(first, source):
        fields = map(record.get, names)
        puzzle, *stated = [field.strip() if isinstance(field, str) else field_text(field).strip() for field in fields]
        if columns.keep and not record.keys() <= set(header):
            new = next(name for name in record if name not in header)
            raise InputError(f"line {number}: {new!r} is not a field of the records before; the rest is not read")
        known = columns.beside({name: record.get(name) for name in header}) if columns.keep else None
        yield number, puzzle, stated[0] if stated else None, known


def _records(stream: IO[bytes]) -> Iterator[tuple[int, Mapping[str, object]]]:
    number = 0
    while line := stream.readline(MAX_PUZZLE + 1):
        number += 1
        if len(line) > MAX_PUZZLE:
            raise InputError(f"line {number}: a record of over {MAX_PUZZLE} bytes; the rest is not read")
        text = line.decode("utf-8", "replace").removeprefix("\ufeff").strip().rstrip(",")
        if text in ("", "[", "]"):
            continue
        try:
            record = DECODE(text)
        except (ValueError, RecursionError) as error:
            raise InputError(f"line {number}: not JSON ({error}); the rest is not read") from None
        if not isinstance(record, dict):
            raise InputError(f"line {number}: expected an object of JSON on each line; the rest is not read")
        yield number, record


class Encoded(str):
    """A value of JSON as its text, which a record may hold in place of a list or an object."""

    __slots__ = ()


TEXTS: Mapping[type, Callable[[Any], str]] = {
    str: json.encoder.encode_basestring,
    int: int.__repr__,
    float: lambda value: float.__repr__(value) if isfinite(value) else ENCODE(value),
    bool: {True: "true", False: "false"}.__getitem__,
    type(None): {None: "null"}.__getitem__,
    Encoded: str,
}
"""What is written of values of these types, in a tenth of the time of `ENCODE`."""


def record_text(record: Mapping[str, object]) -> str:
    """A record as an object of JSON."""
    texts = [TEXTS.get(value.__class__, ENCODE)(value) for value in record.values()]
    return _template(tuple(record)) % tuple(texts)


@lru_cache(maxsize=256)
def _template(names: tuple[str, ...]) -> str:
    fields = (f"{ENCODE(name)}: ".replace("%", "%%") for name in names)
    return f"{{{', '.join(f'{name}%s' for name in fields)}}}"


def field_text(value: object) -> str:
    """A value as a field of a table: empty for nothing, lists and objects as JSON."""
    if value is None:
        return ""
    return ENCODE(value) if isinstance(value, list | dict | bool) else str(value)
