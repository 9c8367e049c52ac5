"""Tables in columns: Parquet, and files of Arrow, which are Feather as well."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import IO, Any

from satdoku.errors import InputError
from satdoku.inputs import streams
from satdoku.limits import MAX_MEMORY, MAX_PUZZLE, bounded_memory
from satdoku.words import article

BATCH = 4096  # rows that are read at once, unless they are long
Choose = Callable[[Sequence[str]], tuple[Sequence[str], Sequence[str]]]
"""From the columns of a table those that are read, and of these the ones whose texts may be repeated; raises InputError
where they are missing."""


def kind(stream: IO[bytes]) -> str | None:
    """What a stream of such a table is called; None for any other."""
    if not isinstance(stream, io.BufferedReader):
        return None
    head = stream.peek(6)[:6]
    return next((name for magic, name in streams.COLUMNAR.items() if head.startswith(magic)), None)


def rows(stream: IO[bytes], choose: Choose) -> Iterator[tuple[Any, ...]]:
    """The values of each row in the columns chosen; raises InputError for a table that is damaged or needs too much
    memory."""
    name = kind(stream) or ""
    if find_spec("pyarrow") is None:
        raise InputError(f"{article(name)} file, which needs the package pyarrow: pip install 'satdoku[tables]'")
    if not stream.seekable():
        raise InputError(f"{name} cannot be read from a pipe: name the file")
    arrow = import_module("pyarrow")
    arrow.set_memory_pool(arrow.system_memory_pool())  # others reserve more than they use
    batches = (_parquet if name == "Parquet" else _arrow)(stream, choose)
    try:
        while True:
            with bounded_memory():
                columns = next(batches, None)
            if columns is None:
                return
            yield from zip(*map(_values, columns), strict=True)
    except MemoryError:
        raise InputError(f"{article(name)} file that needs over {MAX_MEMORY} bytes of memory") from None
    except arrow.ArrowException as error:
        raise InputError(f"a damaged {name} file: {str(error).splitlines()[0]}") from None


def first(stream: IO[bytes]) -> Mapping[str, object]:
    """The first row; empty where none can be read, and reading the table says why."""
    if find_spec("pyarrow") is None or not stream.seekable():
        return {}
    header: Sequence[str] = ()

    def choose(names: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        nonlocal header
        header = names
        return names, ()

    try:
        return next((dict(zip(header, row, strict=True)) for row in rows(stream, choose)), {})
    except InputError:
        return {}


ColumnBatch = list[Any]  # the columns chosen


def _parquet(stream: IO[bytes], choose: Choose) -> Iterator[ColumnBatch]:
    parquet = import_module("pyarrow.parquet")
    opened = parquet.ParquetFile(stream, pre_buffer=False)
    names, repeated = choose(opened.schema_arrow.names)
    # Texts that are repeated stay as they are in the file: once.
    table = parquet.ParquetFile(stream, pre_buffer=False, read_dictionary=list(repeated), metadata=opened.metadata)
    for batch in table.iter_batches(_batch(table.metadata), columns=list(names), use_threads=False):
        yield [batch.column(name) for name in names]


def _arrow(stream: IO[bytes], choose: Choose) -> Iterator[ColumnBatch]:
    arrow, ipc = import_module("pyarrow"), import_module("pyarrow.ipc")
    # What is not compressed is looked at where it stands in the file, however large its batches are.
    raw = stream.raw if isinstance(stream, io.BufferedReader) else None
    mapped = arrow.memory_map(str(raw.name)) if isinstance(raw, io.FileIO) and isinstance(raw.name, str) else stream
    table = ipc.open_file(mapped)
    names, _ = choose(table.schema.names)
    for number in range(table.num_record_batches):
        batch = table.get_batch(number)
        batch.validate(full=True)  # offsets that lead out of the file would be followed
        for start in range(0, batch.num_rows, BATCH):
            part = batch.slice(start, BATCH)
            yield [part.column(name) for name in names]


def _batch(metadata: Any) -> int:
    groups = [metadata.row_group(index) for index in range(metadata.num_row_groups)]
    longest = max((group.total_byte_size / max(group.num_rows, 1) for group in groups), default=0)
    return max(1, min(BATCH, int(4 * MAX_PUZZLE / max(longest, 1))))


def _values(column: Any) -> list[Any]:
    if not hasattr(column, "dictionary"):
        return list(column.to_pylist())
    words = [*column.dictionary.to_pylist(), None]
    return [words[-1 if index is None else index] for index in column.indices.to_pylist()]
