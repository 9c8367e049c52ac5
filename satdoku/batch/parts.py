"""A file of puzzles in parts: which part each row belongs to, and the rows copied there as they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from hashlib import blake2b
from importlib import import_module
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_STORED, ZipFile

import numpy as np
from numpy.typing import NDArray

from satdoku.batch.files import FRAME, compressor
from satdoku.errors import InputError
from satdoku.inputs import columnar, numpy_files, streams
from satdoku.limits import MAX_MEMORY
from satdoku.system.files import WholeFile, naming

NO_PART = -1  # of rows that are not copied
MAX_PARTS = 100
MAX_GROUPS = 20  # values of a column of numbers up to which each is a group of its own
TENTHS = 10
GROUP = 1 << 16  # rows of Parquet that are copied together


def shares(text: str) -> list[float]:
    """`80:10:10` as shares of 1; raises InputError for anything else."""
    words = text.split(":")
    numbers = [float(word) for word in words if word.replace(".", "", 1).isdigit() and word.isascii()]
    if len(numbers) != len(words) or not 2 <= len(words) <= MAX_PARTS or not all(0 < each < 1e9 for each in numbers):
        raise InputError(f"--parts {text[:80]}: expected 2 to {MAX_PARTS} numbers above 0, such as 80:10:10")
    return [number / sum(numbers) for number in numbers]


def groups(labels: Sequence[str], which: NDArray[np.int32]) -> NDArray[np.int32]:
    """The group of each row, numbered in the order of their labels; many numbers are cut into tenths of the rows.

    labels: the different labels; which: the label of each row
    """
    numbers = [_number(label) for label in labels]
    known = [number for number in numbers if number is not None]
    if len(labels) <= MAX_GROUPS or len(known) < len(labels):
        order = sorted(range(len(labels)), key=lambda place: labels[place])
        return np.argsort(order).astype(np.int32)[which]
    values = np.array(known)[which]
    edges = np.quantile(values, np.arange(1, TENTHS) / TENTHS, method="nearest")
    return np.searchsorted(edges, values, side="right").astype(np.int32)


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if np.isfinite(number) else None


def assigned(keys: NDArray[Any], group: NDArray[np.int32], shares: Sequence[float], seed: int) -> NDArray[np.int8]:
    """The part of each row: one for all rows of a class, and of each group about the share that each part has.

    Group after group, classes come in the order of a hash of the seed and their key, which does not depend on that of
    the rows. Each goes to the part that lacks most.

    keys: (n,) what stands for the class of each row; group: (n,) of a class that of its first row counts
    """
    classes, first, inverse, sizes = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
    hashed = [blake2b(key.tobytes(), digest_size=8, key=str(seed).encode()[:64]).digest() for key in classes]
    order = np.lexsort((np.array(hashed, "S8").view(">u8") if hashed else np.empty(0), group[first]))
    part, seen, given = np.zeros(len(classes), np.int8), 0, [0] * len(shares)
    for place, size in zip(order.tolist(), sizes[order].tolist(), strict=True):
        seen += size
        chosen = max(range(len(shares)), key=lambda each: shares[each] * seen - given[each])
        given[chosen] += size
        part[place] = chosen
    return part[inverse.reshape(-1)]


def default_names(file: Path, number: int) -> list[Path]:
    """`data-1.csv`, `data-2.csv` for `data.csv`, beside it; raises InputError if one of them is there."""
    name, dot, suffixes = file.name.partition(".")
    suffixes = suffixes.removesuffix(".bz2").removesuffix(".xz")
    paths = [file.with_name(f"{name}-{each + 1}{dot}{suffixes}") for each in range(number)]
    there = next((path for path in paths if path.exists()), None)
    if there is not None:
        raise InputError(f"{there} is there already: name a file for each part, -o FILE")
    return paths


def copied(file: Path, rows: Sequence[int], parts: NDArray[np.int8], paths: Sequence[Path]) -> None:
    """Copy the rows of a file to that of their part, in their order. What stands before the first goes to each.

    rows: the line on which each begins, ascending, or its number in a Parquet file; it ends where the next begins
    """
    with file.open("rb") as raw, ExitStack() as stack:
        stream = streams.plain(raw)
        written = [stack.enter_context(closing(WholeFile(path))) for path in paths]
        if columnar.kind(stream) is not None:
            _copy_columnar(stream, rows, parts, written)
        elif numpy_files.is_array(stream):
            _copy_array(file, parts, written)
        else:
            _copy_lines(stream, rows, parts, written, list(map(compressor, paths)))
        for each in written:
            each.finish()


def _copy_lines(
    stream: IO[bytes], rows: Sequence[int], parts: NDArray[np.int8], written: list[WholeFile], packed: list[Any]
) -> None:
    waiting = [bytearray() for _ in written]

    def put(number: int, line: bytes, least: int = FRAME) -> None:
        waiting[number] += line
        if len(waiting[number]) >= least:
            data = bytes(waiting[number])
            written[number].write(data if packed[number] is None else packed[number](data))
            waiting[number].clear()

    for part, line in _placed(stream, rows, parts):
        for number in range(len(written)) if part is None else [part] if part != NO_PART else []:
            put(number, line)
    for number, left in enumerate(waiting):
        if left:
            put(number, b"", 1)


def _placed(stream: IO[bytes], rows: Sequence[int], parts: NDArray[np.int8]) -> Iterator[tuple[int | None, bytes]]:
    """The lines of a text, each with its part; None for all parts."""
    begins, part, number = iter(zip(rows, parts.tolist(), strict=True)), None, 0
    row, next_part = next(begins, (0, None))
    while line := stream.readline():
        number += 1
        if number == row:
            part = next_part
            row, next_part = next(begins, (0, None))
        yield part, line if line.endswith(b"\n") else line + b"\n"
    if row:
        raise InputError(f"line {row} is not in the file any more: it changed while it was read")


def _copy_columnar(stream: IO[bytes], rows: Sequence[int], parts: NDArray[np.int8], written: list[WholeFile]) -> None:
    arrow, start = import_module("pyarrow"), 0
    if columnar.kind(stream) == "Parquet":
        parquet = import_module("pyarrow.parquet")
        table = parquet.ParquetFile(stream, pre_buffer=False)
        number, batches = table.metadata.num_rows, table.iter_batches(GROUP)
        writers = [parquet.ParquetWriter(file.stream, table.schema_arrow, compression="zstd") for file in written]
    else:
        ipc = import_module("pyarrow.ipc")
        opened = ipc.open_file(stream)
        every = [opened.get_batch(place) for place in range(opened.num_record_batches)]
        number, batches = sum(batch.num_rows for batch in every), iter(every)
        writers = [ipc.new_file(file.stream, opened.schema) for file in written]
    part = np.full(number, NO_PART, np.int8)
    part[np.asarray(rows, np.int64) - 1] = parts
    for batch in batches:
        some = part[start : start + batch.num_rows]
        for place, writer in enumerate(writers):
            with naming(written[place].path):
                writer.write_table(arrow.Table.from_batches([batch.filter(arrow.array(some == place))]))
        start += batch.num_rows
    for place, writer in enumerate(writers):
        with naming(written[place].path):
            writer.close()


def _copy_array(file: Path, parts: NDArray[np.int8], written: list[WholeFile]) -> None:
    if streams.is_npz(file.name):
        _copy_arrays(file, parts, written)
        return
    array = np.load(file, mmap_mode="r", allow_pickle=False)
    if len(array) != len(parts):
        raise InputError(f"{file}: an array of the shape {array.shape}: expected (n, N*N) or (n, N, N)")
    for place, part in enumerate(written):
        np.lib.format.write_array(part, np.ascontiguousarray(array[parts == place]), allow_pickle=False)


def _copy_arrays(file: Path, parts: NDArray[np.int8], written: list[WholeFile]) -> None:
    """Of each array of a `.npz` the rows of each part, packed as they are there."""
    with ZipFile(file) as archive:
        infos = archive.infolist()
    if sum(info.file_size for info in infos) > MAX_MEMORY:
        raise InputError(f"{file}: arrays of over {MAX_MEMORY} bytes: save each as a .npy")
    with np.load(file, allow_pickle=False) as arrays:
        every = dict(arrays)
    for name, array in every.items():
        if array.shape[:1] != parts.shape:
            raise InputError(f"{file}: {name!r} is an array of the shape {array.shape}: expected {len(parts)} rows")
    save = np.savez if all(info.compress_type == ZIP_STORED for info in infos) else np.savez_compressed
    for place, part in enumerate(written):
        with naming(part.path):
            save(part.stream, **{name: array[parts == place] for name, array in every.items()})
