"""Where rows are written: standard output, files that grow, Parquet, pictures. The process that hands out has them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from satdoku.batch.files import OutputFile, WholeFile, write_whole
from satdoku.batch.layouts import Framing
from satdoku.batch.worker import Held
from satdoku.errors import InputError

if TYPE_CHECKING:
    from satdoku.pictures import Page, Picture

READ = 4 << 20  # characters of a long text that are held at once
GROUP = 1 << 16  # rows of a group in Parquet
Paged = Callable[[Sequence["Picture"]], Sequence["Page"]]


class Sink:
    """Where the rows of one layout go."""

    def begin(self, resumed: bool) -> None:
        """Write what stands before all rows, unless a run goes on."""

    def write(self, parts: Sequence[Any]) -> None:
        """Rows of a chunk, as its layout packed them."""

    def finish(self) -> list[Path]:
        """Write what stands after all rows; the files that only now are there."""
        return []

    def close(self) -> None:
        """Let go of the file."""


class Stream(Sink):
    """Text to standard output, or to a file that grows."""

    def __init__(self, framing: Framing, file: OutputFile | None, flush: bool = False) -> None:
        self._framing = framing
        self._file = file
        self._flush = flush
        self._first = True

    def begin(self, resumed: bool) -> None:
        self._first = self._file is None or not self._file.has_rows
        if not resumed:
            self._put(self._framing.head)

    def write(self, parts: Sequence[Any]) -> None:
        for part in parts:
            for text in _texts(part):
                self._put(text[len(self._framing.between) :] if self._first else text)
                self._first = False
        if self._file is not None:
            self._file.has_rows = not self._first
        if self._flush:
            sys.stdout.flush()

    def finish(self) -> list[Path]:
        self._put(self._framing.tail)
        if self._file is None:
            sys.stdout.flush()
        else:
            self._file.finish()
        return []

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _put(self, text: str) -> None:
        if self._file is None:
            sys.stdout.write(text)
        else:
            self._file.write(text.encode("utf-8", "backslashreplace"))


def _texts(part: str | Held) -> Iterator[str]:
    if isinstance(part, str):
        yield part
        return
    with part.path.open(encoding="utf-8", newline="") as stream:
        while text := stream.read(READ):
            yield text
    part.path.unlink()


class Parquet(Sink):
    """Columns to a Parquet file, which is there once it is complete."""

    TYPES: Mapping[type, str] = {str: "string", int: "int64", float: "float64", bool: "bool_"}

    def __init__(self, path: Path, columns: Mapping[str, type]) -> None:
        if find_spec("pyarrow") is None:
            raise InputError(f"{path}: Parquet needs the package pyarrow: pip install 'satdoku[arrow]'")
        self._arrow = import_module("pyarrow")
        self._names = list(columns)
        types = [(name, getattr(self._arrow, self.TYPES[kind])()) for name, kind in columns.items()]
        self._schema = self._arrow.schema(types)
        self._rows: list[tuple[object, ...]] = []
        self._file = WholeFile(path)
        parquet = import_module("pyarrow.parquet")
        self._writer = parquet.ParquetWriter(self._file.stream, self._schema, compression="zstd")

    def write(self, parts: Sequence[Any]) -> None:
        for rows in parts:
            self._rows += rows
        if len(self._rows) >= GROUP:
            self._group()

    def finish(self) -> list[Path]:
        self._group()
        self._writer.close()
        self._file.finish()
        return []

    def close(self) -> None:
        self._file.close()

    def _group(self) -> None:
        columns = list(zip(*self._rows, strict=True)) if self._rows else [()] * len(self._names)
        arrays = [self._arrow.array(values, field.type) for values, field in zip(columns, self._schema, strict=True)]
        self._writer.write_table(self._arrow.Table.from_arrays(arrays, schema=self._schema))
        self._rows = []


class Drawings(Sink):
    """Pictures, drawn when all are there."""

    def __init__(self, path: Path | None, paged: Paged | None = None) -> None:
        """path: .svg, .png or .pdf; None is SVG on standard output. paged: how they stand on pages."""
        from satdoku.pictures import format_of

        self._path = path
        self._format = format_of(path)
        self._paged = paged
        self._pictures: list[Picture] = []

    def write(self, parts: Sequence[Any]) -> None:
        for pictures in parts:
            self._pictures += pictures

    def finish(self) -> list[Path]:
        from satdoku.pictures import canvas, paged

        if not self._pictures:
            return []
        if self._path is None and len(self._pictures) > 1:
            raise InputError(f"{len(self._pictures)} puzzles: name the file to draw them in, -o FILE")
        pages = (self._paged or paged)(self._pictures)
        if self._path is None:
            sys.stdout.buffer.write(canvas.image(pages[0], self._format))
            return []
        files = canvas.files(pages, self._path)
        for path, data in files:
            write_whole(path, data)
        return [path for path, _ in files]
