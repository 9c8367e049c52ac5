"""What the PUZZLES of a command line name: files, standard input, one line of a file, or puzzles. Every puzzle comes
with its name, FILE:LINE. A line that is not a puzzle becomes an item with an error and costs nothing else."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from os.path import exists
from pathlib import Path
from typing import IO

from satdoku.errors import InputError, reason_of
from satdoku.formats import Confidence, Options, find, formats
from satdoku.formats.cells import CELLS, is_cells, is_content
from satdoku.formats.grid import parts
from satdoku.formats.line import is_whole
from satdoku.formats.sdk import games
from satdoku.formats.tidy import known
from satdoku.inputs import columns as tables
from satdoku.inputs import streams
from satdoku.inputs.columns import Columns, Row, rows
from satdoku.inputs.items import (
    PUZZLE,
    STANDARD_INPUT,
    Batch,
    Block,
    Chunk,
    Item,
    Lines,
    alone,
    items_of,
    source_name,
    text_item,
)
from satdoku.inputs.remote import is_remote
from satdoku.inputs.streams import expanded, members
from satdoku.limits import MAX_PLAIN, MAX_PUZZLE, MAX_SKIPPED
from satdoku.system.files import printable_name

MAX_FILES = 10_000  # of a folder, in which one with a name much alike is looked for
HEAD_BYTES = 1 << 16  # bytes looked at to tell a file of one-line puzzles from a file that is one puzzle
HEAD_LINES = 1_000  # lines looked at for that
READ = 1 << 19  # bytes read at once: what comes in so is a block
TOGETHER = 4096  # rows of a table that are a block
OWN = Columns(PUZZLE, stated=True)  # of tables as satdoku writes them, which are read without being named
PLACE = re.compile(r"(.+):(\d+)", re.DOTALL)  # a file and a line
Share = Callable[[], float | None]  # asks how much of a file has been read, 0 to 1; None if unknown


def items(arguments: Iterable[str], options: Options, columns: Columns | None = None) -> Iterator[Item]:
    """The puzzles that `arguments` name, in order; an argument that names nothing gives an item with the error."""
    return items_of(chunks(arguments, options, columns), options)


def chunks(arguments: Iterable[str], options: Options, columns: Columns | None = None) -> Iterator[Chunk]:
    """The same, with files of a puzzle a line as blocks. With `columns`, files are tables."""
    named: list[tuple[str, InputError | None]] = []
    header: tuple[str, ...] = ()
    for argument in arguments:
        try:
            named += [(file, None) for file in expanded(argument)]
        except InputError as error:
            named.append((argument, error))
    for number, (argument, fault) in enumerate(named, 1):
        try:
            if fault is not None:
                raise fault
            for chunk in _resolve(argument, number, options, columns):
                names = chunk.header if isinstance(chunk, Block) else ()
                if header not in ((), names):
                    what = "its columns are not those of the first table"
                    raise InputError(f"{argument}: {what}: give it a run of its own")
                header = names
                if isinstance(chunk, Block) and chunk.share is not None:
                    chunk = replace(chunk, share=(number - 1 + chunk.share) / len(named))
                yield chunk
        except InputError as error:
            yield alone(Item(number=number, name=printable_name(argument), puzzle=error))
        except streams.DAMAGED as error:
            damage = InputError(f"{source_name(argument)}: {reason_of(error)}")
            yield alone(Item(number=number, name=printable_name(argument), puzzle=damage))


def _resolve(argument: str, number: int, options: Options, columns: Columns | None) -> Iterator[Chunk]:
    if argument == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError("standard input is closed, expected puzzles")
        yield from _stream(sys.stdin.buffer, argument, options, columns)
        return
    if _is_there(argument):
        archive = members(argument)
        if archive is None:
            with streams.opened(argument) as stream:
                yield from _stream(stream, argument, options, columns)
        for name, member in archive or ():
            try:
                yield from _stream(member, f"{argument}/{name}", options, columns)
            except InputError as error:
                yield alone(Item(number=number, name=printable_name(f"{argument}/{name}"), puzzle=error))
        return
    place = PLACE.fullmatch(argument)
    if place and _is_there(place[1]):
        with streams.opened(place[1]) as stream:
            chosen = _on_line(_stream(stream, place[1], options, columns), argument, int(place[2]), options)
        if chosen is None:
            raise InputError(f"{argument}: no puzzle begins on line {place[2]} of {place[1]}")
        yield alone(chosen)
        return
    yield alone(_literal(argument, number, options, columns))


def _literal(argument: str, number: int, options: Options, columns: Columns | None) -> Item:
    """What an argument that names no file says."""
    if not _is_literal(argument, options):
        what = argument[:60] if argument.strip() else repr(argument[:60])
        raise InputError(printable_name(f"{what}: neither a file nor a puzzle{_near_file(argument)}"))
    if columns is not None:
        raise InputError(f"argument {number} is a puzzle as text, which has no column {columns.puzzle!r}")
    return replace(text_item(argument, f"argument {number}", f"argument {number}", 1, options), number=number)


def _is_there(name: str) -> bool:
    return exists(name) or (is_remote(name) and not PLACE.fullmatch(name))


def _near_file(name: str) -> str:
    """`: did you mean easy.txt?` of the files beside it; nothing if none is much alike."""
    from difflib import get_close_matches

    path = Path(name)
    try:
        names = [file.name for file in islice(path.parent.iterdir(), MAX_FILES)]
    except (OSError, ValueError):
        return ""
    stems = {Path(file).stem: file for file in names}
    meant = [file for file in names if file.lower() == path.name.lower()] or [
        stems.get(file, file) for file in get_close_matches(path.name, [*names, *stems], n=1, cutoff=0.8)
    ]
    return f": did you mean {path.with_name(meant[0])}?" if meant else ""


def _on_line(chunks: Iterator[Chunk], name: str, number: int, options: Options) -> Item | None:
    for chunk in chunks:
        if isinstance(chunk, Batch):
            item = next((item for item in chunk.items if item.name == name), None)
            if item is not None:
                return item
        elif number in chunk.numbers:
            return chunk.item(chunk.numbers.index(number), options)
    return None


def _is_literal(argument: str, options: Options) -> bool:
    """Whether this can be meant as a puzzle: several lines, mostly the characters of cells, or a form of its own."""
    if options.format is not None or "\n" in argument or known(argument) or is_whole(argument, options):
        return True
    if argument.removeprefix("\ufeff").lstrip()[:1] in {"{", "["} or is_cells(argument):
        return True
    if len(argument) >= 12 and sum(character in CELLS for character in argument) >= len(argument) // 2:
        return True
    every = formats().all().values()  # what is neither that nor a file may be of a format of another package
    return any(one.recognized(argument) for one in every if not (one.permissive or one.explicit_only))


def _stream(raw: IO[bytes], origin: str, options: Options, columns: Columns | None) -> Iterator[Chunk]:
    """What a file or pipe holds: rows of a table, lines of a puzzle each, or puzzles of several lines."""
    stream, named, share = streams.plain(raw), source_name(origin), _share_read(raw)
    anything = columns is None and options.format is None  # so that a table is known by what it begins with
    if anything and tables.own_table(stream):
        columns = OWN
    if columns is not None:
        yield from _table(stream, origin, columns, share)
        return
    batches = _lines(stream, named)
    head = _head(stream, batches, named)
    column = _column_in(head, named) if anything else None
    if column == OWN.puzzle:
        texts = chain([b"\n".join(head)], (b"\n" + lines.text for lines in batches))
        yield from _table(streams.joined(texts), origin, OWN, share)
        return
    a_line_each = _has_lines(_content(head), options)
    if column is not None:
        head[next(index for index, line in enumerate(head) if _is_content(line))] = b""  # the names of columns
    if a_line_each:
        yield from _blocks(head, batches, origin, share)
    else:
        yield from _texts(_all_lines(head, batches, named), origin, options)


def _column_in(head: list[bytes], named: str) -> str | None:
    """The column of puzzles that the first lines name; raises InputError for records without puzzles."""
    if tables.lacks_puzzles(head):
        what = "records of satdoku without the text of their puzzles"
        raise InputError(f"{named}: {what}: write them with --echo, or name a column, --column solution")
    return tables.puzzle_column_in(head)


def _content(head: list[bytes]) -> list[str]:
    """The first lines that hold something. Longer ones hold links if anything, which are known by how they begin."""
    return [
        line[: HEAD_BYTES if len(line) > MAX_PLAIN else None].decode("utf-8", "replace")
        for line in islice(filter(_is_content, head), HEAD_LINES)
    ]


def _blocks(head: list[bytes], batches: Iterator[Lines], origin: str, share: Share) -> Iterator[Block]:
    """Lines of which each is a puzzle."""
    number = 1
    for some in chain[Sequence[bytes]]([head], batches):
        yield Block(name=origin, numbers=range(number, number + len(some)), lines=some, share=share())
        number += len(some)


def _all_lines(head: list[bytes], batches: Iterator[Lines], named: str) -> list[bytes]:
    """Every line, for puzzles of several lines; raises InputError if these are more than puzzles have."""
    lines = list(head)
    read = _length(lines)
    while read <= MAX_PUZZLE:
        some = next(batches, None)
        if some is None:
            return lines
        lines += some
        read += _length(some)
    raise InputError(f"{named}: over {MAX_PUZZLE} bytes, and not one puzzle a line")


def _texts(lines: list[bytes], origin: str, options: Options) -> Iterator[Batch]:
    """The puzzles of a text: one, or several that stand apart. Raises InputError for what is not UTF-8."""
    whole = b"\n".join(lines)
    try:
        text = whole.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        number = whole.count(b"\n", 0, error.start) + 1
        raise InputError(f"{source_name(origin)}, line {number}: {streams.undecodable(error)}") from None
    puzzles = (games(text) or parts(text)) if options.format is None else []
    if not puzzles:
        first = next((number for number, line in enumerate(lines, 1) if _is_content(line)), 1)
        item = text_item(text, f"{printable_name(origin)}:{first}", source_name(origin), 1, options)
        yield alone(replace(item, number=first))
    for start, part in puzzles:
        yield alone(text_item(part, f"{printable_name(origin)}:{start}", source_name(origin), start, options))


def _head(stream: IO[bytes], batches: Iterator[Lines], named: str) -> list[bytes]:
    """The first lines, among them one with content. Raises InputError for an empty stream, and for one of a kind that
    holds no puzzles as text."""
    try:
        streams.refuse_others(stream)
    except InputError as error:
        raise InputError(f"{named} is {error}") from None
    head: list[bytes] = []
    read, begun = 0, False
    for lines in batches:
        head += lines
        read += _length(lines)
        begun = begun or any(map(_is_content, lines))
        if (read >= HEAD_BYTES and begun) or read > MAX_PUZZLE:
            break
    if not any(line.strip() for line in head):
        raise InputError(f"{named} is empty, expected puzzles")
    return head


def _length(lines: Sequence[bytes]) -> int:
    """How many bytes lines have, with their ends."""
    return sum(map(len, lines)) + len(lines)


def _table(stream: IO[bytes], origin: str, columns: Columns, share: Share) -> Iterator[Block]:
    """The rows of a table; the error of a damaged one comes after the rows above the damage."""
    more: list[Row] = []
    length, any_row = 0, False
    fault: InputError | None = None
    try:
        for row in rows(stream, columns):
            more.append(row)
            length += len(row[1]) + len(row[2] or "")
            if len(more) == TOGETHER or length > READ:
                yield _rows_block(more, origin, columns, share())
                more, length, any_row = [], 0, True
    except InputError as error:
        fault = InputError(f"{source_name(origin)}: {error}")
    if more:
        yield _rows_block(more, origin, columns, share())
    elif not any_row:
        fault = fault or InputError(f"{source_name(origin)}: a table without rows, expected puzzles")
    if fault is not None:
        raise fault


def _rows_block(more: list[Row], origin: str, columns: Columns, share: float | None) -> Block:
    numbers, texts, expected, kept = zip(*more, strict=True)
    return Block(
        name=origin,
        numbers=numbers,
        lines=tuple(text.encode() for text in texts),
        expected=expected if columns.expected or columns.stated else None,
        stated=columns.stated,
        rows=kept if columns.keep else None,
        share=share,
        table=True,
    )


def _share_read(stream: IO[bytes]) -> Share:
    """Asks how much of a file has been read, 0 to 1; None where its size or its place is unknown."""
    try:
        size = os.fstat(stream.fileno()).st_size
    except (OSError, AttributeError):
        size = 0

    def share() -> float | None:
        read = streams.position(stream) if size else None
        return None if read is None else min(1.0, read / size)

    return share


def _lines(stream: IO[bytes], named: str) -> Iterator[Lines]:
    """The lines of `stream` without their ends, as they come in; of one that is too long, its beginning only."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    begun: list[bytes] = []  # the parts of a line whose end has not come
    length = number = 0
    while data := read(READ):
        first, ended, others = data.partition(b"\n")
        begun.append(first[: max(0, MAX_PUZZLE - length)])
        length += len(first)
        if length > MAX_SKIPPED:
            raise InputError(f"{named}, line {number + 1}: over {MAX_SKIPPED} bytes; the rest is not read")
        if ended:
            whole, more, rest = others.rpartition(b"\n")
            count = 1 + (whole.count(b"\n") + 1 if more else 0)
            yield Lines(b"".join([*begun, b"\n", whole] if more else begun), count)
            number += count
            begun, length = [rest], len(rest)
    if length:
        yield Lines(b"".join(begun), 1)


def _is_content(raw: bytes) -> bool:
    return is_content(raw.decode("utf-8", "replace"))


def _has_lines(content: list[str], options: Options) -> bool:
    if options.format is not None:
        return find(options.format).one_line
    whole = "\n".join(content)
    known = [one for one in formats().values() if not one.explicit_only]
    of_several = [one for one in known if not one.one_line and one.recognized(whole)]
    if len(content) < 2 or any(one.sign.confidence is Confidence.CERTAIN for one in of_several):
        return False
    known = [one for one in known if one.one_line]
    likely = [one for one in of_several if one.sign.confidence is Confidence.LIKELY]
    if any(one.recognized(content[0]) for one in likely):
        return False  # `grid = "53..7...."` is the first line of TOML, though one line alone would be a puzzle
    if likely:
        content = content[:1]  # one of the lines of such a text may look like a puzzle, but not the first
    return any(is_whole(line, options) or any(one.recognized(line) for one in known) for line in content)
