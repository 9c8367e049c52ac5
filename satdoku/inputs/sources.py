"""What the PUZZLES of a command line name: files, standard input, one line of a file, or puzzles.

Every puzzle comes with its origin, FILE:LINE. A line that is no puzzle becomes an error of its own
and costs nothing else.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import IO, overload

from satdoku.errors import FormatError, InputError
from satdoku.formats import Format, Options, detect, find, formats
from satdoku.formats.cells import ALWAYS_EMPTY, DIGITS, EMPTY_WHEN_ALONE, is_content
from satdoku.inputs import streams
from satdoku.inputs.columns import Columns, Row, rows
from satdoku.puzzle import Puzzle

HEAD = 1 << 16
"""Bytes looked at to tell a file of one-line puzzles from a file that is one puzzle."""

LONGEST = 1 << 24
"""Bytes of a line, or of a file that is one puzzle, beyond which it is refused unread."""

STANDARD_INPUT = "-"


SUDOKUPAD = re.compile(r"(?:https?://)?(?:[a-z]+\.)*(?:sudokupad\.app|crackingthecryptic\.com)(?:/|$)", re.IGNORECASE)

HEAD_LINES = 1_000
"""Lines looked at for that."""

READ = 1 << 19
"""Bytes read at once: what comes in so is a block."""

TOGETHER = 4096
"""Rows of a table that are a block."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle found at `origin`, or the error that stands in its place.

    text:     what was read, its end of line left out
    expected: the solution that stands beside it, where one was asked for
    """

    origin: str
    format: str | None
    found: Puzzle | InputError
    notes: tuple[str, ...] = ()
    text: str = ""
    expected: str | None = None


class Lines(Sequence[bytes]):
    """Lines that are parted only where they are looked at: who hands them on need not, which is most of the work."""

    def __init__(self, text: bytes, count: int) -> None:
        """text: the lines, with a line feed between each two."""
        self.text = text
        self._count = count
        self._parted: list[bytes] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        return self._all()[index]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._all())

    def __reduce__(self) -> tuple[type[Lines], tuple[bytes, int]]:
        return Lines, (self.text, self._count)

    def _all(self) -> list[bytes]:
        if self._parted is None:
            self._parted = self.text.split(b"\n")
        return self._parted


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that hold a puzzle each, blanks and comments among them, not yet read.

    origin:   the file, as named
    numbers:  of each line
    expected: the solution that stands beside each, where one was asked for
    share:    how much of all input lies behind its end, 0 to 1; None if unknown
    table:    whether these are rows of a table, where a blank is at fault
    """

    origin: str
    numbers: Sequence[int]
    lines: Sequence[bytes]
    expected: Sequence[str | None] | None = None
    share: float | None = None
    table: bool = False

    def __len__(self) -> int:
        return len(self.lines)

    def part(self, start: int, end: int) -> Block:
        """Some of its lines, as a block."""
        if start == 0 and end >= len(self):
            return self
        expected = None if self.expected is None else self.expected[start:end]
        return replace(self, numbers=self.numbers[start:end], lines=self.lines[start:end], expected=expected)

    def text(self) -> bytes:
        """Its lines, with a line feed between each two."""
        return self.lines.text if isinstance(self.lines, Lines) else b"\n".join(self.lines)

    def entry(self, index: int, options: Options) -> Entry | None:
        """What one line holds; None for a blank or a comment, which in a table is an error."""
        origin = f"{self.origin}:{self.numbers[index]}"
        found = _line_entry(self.lines[index], origin, options)
        if found is None and self.table:
            found = Entry(origin, None, InputError(f"{_place(origin)}: no puzzle in this row"))
        if found is None or self.expected is None:
            return found
        return replace(found, expected=self.expected[index])


Piece = Block | Entry


def entries(arguments: Iterable[str], options: Options, columns: Columns | None = None) -> Iterator[Entry]:
    """The puzzles that `arguments` name, in order; an argument that names nothing gives an error entry."""
    for piece in pieces(arguments, options, columns):
        if isinstance(piece, Entry):
            yield piece
        else:
            yield from filter(None, (piece.entry(index, options) for index in range(len(piece))))


def pieces(arguments: Iterable[str], options: Options, columns: Columns | None = None) -> Iterator[Piece]:
    """The same, with files of a puzzle a line as blocks. With `columns`, files are tables."""
    arguments = list(arguments)
    for number, argument in enumerate(arguments, 1):
        try:
            for piece in _resolve(argument, number, options, columns):
                if isinstance(piece, Block) and piece.share is not None:
                    piece = replace(piece, share=(number - 1 + piece.share) / len(arguments))
                yield piece
        except InputError as error:
            yield Entry(argument, None, error)
        except streams.DAMAGED as error:
            yield Entry(argument, None, InputError(f"{_shown(argument)}: {getattr(error, 'strerror', None) or error}"))


def _resolve(argument: str, number: int, options: Options, columns: Columns | None) -> Iterator[Piece]:
    if argument == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError("standard input is closed, expected puzzles")
        yield from _stream(sys.stdin.buffer, argument, options, columns)
        return
    if _is_file(argument):
        with Path(argument).open("rb") as stream:
            yield from _stream(stream, argument, options, columns)
        return
    place = re.fullmatch(r"(.+):(\d+)", argument, re.DOTALL)
    if place and _is_file(place[1]):
        with Path(place[1]).open("rb") as stream:
            chosen = _on_line(_stream(stream, place[1], options, columns), argument, int(place[2]), options)
        if chosen is None:
            raise InputError(f"{argument}: no puzzle begins on line {place[2]} of {place[1]}")
        yield chosen
        return
    if not _is_literal(argument, options):
        if SUDOKUPAD.match(argument):
            raise InputError(
                f"{argument[:60]}: this looks like a SudokuPad link with a short id, of a puzzle that only its site"
                " knows: expected a link that holds the puzzle itself, such as one of f-puzzles.com with ?load="
            )
        raise InputError((argument[:60] or "''") + ": no such file, and no puzzle either")
    yield _entry(argument, f"argument {number}", f"argument {number}", 1, options)


def _on_line(found: Iterator[Piece], origin: str, number: int, options: Options) -> Entry | None:
    """The puzzle that begins on a line of a file."""
    for piece in found:
        if isinstance(piece, Entry):
            if piece.origin == origin:
                return piece
        elif number in piece.numbers:
            return piece.entry(piece.numbers.index(number), options)
    return None


def _is_file(argument: str) -> bool:
    if not argument:
        return False  # which Path would take for the current directory
    try:
        path = Path(argument)
        if path.is_dir():
            raise InputError(f"{argument}: a directory, expected a file of puzzles")
        return path.exists()
    except (OSError, ValueError):  # too long for a name, or a NUL in it
        return False


def _is_literal(argument: str, options: Options) -> bool:
    """Whether this can be meant as a puzzle: several lines, mostly the characters of cells, or a form of its own."""
    if options.format is not None or "\n" in argument:
        return True
    if any(known.fits(argument) for known in formats().values() if not (known.permissive or known.explicit_only)):
        return True
    cells = DIGITS | ALWAYS_EMPTY | EMPTY_WHEN_ALONE | {","}
    return len(argument) >= 12 and sum(character in cells for character in argument) >= len(argument) // 2


def _stream(raw: IO[bytes], origin: str, options: Options, columns: Columns | None) -> Iterator[Piece]:
    size = _size(raw)
    stream = streams.plain(raw)
    if columns is not None:
        yield from _table(stream, raw, size, origin, columns)
        return
    try:
        streams.refuse_others(stream)
    except InputError as error:
        raise InputError(f"{_shown(origin)} is {error}") from None
    batches = _lines(stream)
    head: list[bytes] = []
    read, begun = 0, False
    for lines in batches:
        head += lines
        read += sum(map(len, lines)) + len(lines)
        begun = begun or any(map(_is_content, lines))
        if (read >= HEAD and begun) or read > LONGEST:
            break
    if not any(line.strip() for line in head):
        raise InputError(f"{_shown(origin)} is empty, expected puzzles")
    if _has_lines(list(islice(filter(_is_content, head), HEAD_LINES)), options):
        number = 1
        for some in chain[Sequence[bytes]]([head], batches):
            yield Block(origin, range(number, number + len(some)), some, share=_share(raw, size))
            number += len(some)
        return
    for some in chain[Sequence[bytes]]([()], batches):
        head += some
        read += sum(map(len, some)) + len(some)
        if read > LONGEST:
            raise InputError(f"{_shown(origin)}: over {LONGEST} bytes, and not one puzzle a line")
    rest = b"\n".join(head)
    content = (number for number, line in enumerate(head, 1) if is_content(line.decode("utf-8", "replace")))
    try:
        text = rest.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line_number = rest.count(b"\n", 0, error.start) + 1
        raise InputError(f"{_shown(origin)}, line {line_number}: {_undecodable(error)}") from None
    yield _entry(text, f"{origin}:{next(content, 1)}", _shown(origin), 1, options)


def _table(stream: IO[bytes], raw: IO[bytes], size: int | None, origin: str, columns: Columns) -> Iterator[Block]:
    found = rows(stream, columns)
    any_row = False
    while True:
        more: list[Row] = []
        fault = None
        try:
            more += islice(found, TOGETHER)  # which keeps those before a fault
        except InputError as error:
            fault = error
        if more:
            any_row = True
            numbers, texts, expected = zip(*more, strict=True)
            lines = tuple(text.encode() for text in texts)
            yield Block(origin, numbers, lines, expected if columns.expected else None, _share(raw, size), True)
        if fault is not None:
            raise InputError(f"{_shown(origin)}: {fault}") from None
        if not more:
            break
    if not any_row:
        raise InputError(f"{_shown(origin)}: a table without rows, expected puzzles")


def _size(stream: IO[bytes]) -> int | None:
    try:
        return os.fstat(stream.fileno()).st_size or None
    except (OSError, AttributeError):
        return None


def _share(stream: IO[bytes], size: int | None) -> float | None:
    read = streams.position(stream) if size else None
    return None if read is None or not size else min(1.0, read / size)


def _lines(stream: IO[bytes]) -> Iterator[Lines]:
    """The lines of `stream` without their ends, as they come in; of one that is too long, its beginning only."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    begun: list[bytes] = []  # the parts of a line whose end has not come
    length = 0
    while data := read(READ):
        first, ended, others = data.partition(b"\n")
        if length < LONGEST:
            begun.append(first[: LONGEST - length])
            length += len(begun[-1])
        if ended:
            whole, more, rest = others.rpartition(b"\n")
            text = b"".join([*begun, b"\n", whole] if more else begun)
            yield Lines(text, 1 + (whole.count(b"\n") + 1 if more else 0))
            begun, length = [rest[:LONGEST]], len(rest)
    if length:
        yield Lines(b"".join(begun), 1)


def _is_content(raw: bytes) -> bool:
    return is_content(raw.decode("utf-8", "replace"))


def _has_lines(head: list[bytes], options: Options) -> bool:
    """Whether a file whose content, blanks and comments left out, begins so holds one puzzle a line."""
    if options.format is not None:
        return find(options.format).one_line
    content = [raw.decode("utf-8", "replace") for raw in head]
    known = [one.fits for one in formats().values() if one.one_line and not one.explicit_only]
    return len(content) > 1 and any(fits(line) for line in content for fits in known)


@cache
def _of_one_line() -> tuple[Format, ...]:
    return tuple(known for known in formats().values() if known.one_line)


def _line_entry(raw: bytes, origin: str, options: Options) -> Entry | None:
    if len(raw) >= LONGEST:
        return Entry(origin, None, InputError(f"{_place(origin)}: a line of over {LONGEST} bytes, expected one puzzle"))
    try:
        line = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        return Entry(origin, None, InputError(f"{_place(origin)}: {_undecodable(error)}"))
    if not is_content(line):
        return None
    file, _, number = origin.rpartition(":")
    return _entry(line, origin, _shown(file), int(number), options, _of_one_line())


def _entry(
    text: str, origin: str, named: str, line: int, options: Options, among: Sequence[Format] | None = None
) -> Entry:
    """The puzzle of a text that begins on `line` of what messages call `named`."""
    try:
        reading = detect(text, options, among)
    except FormatError as error:
        return Entry(origin, None, InputError(error.at(named, line)), text=text)
    except InputError as error:
        return Entry(origin, None, InputError(f"{named}, line {line}: {error}"), text=text)
    return Entry(origin, reading.format, replace(reading.puzzle, name=origin), reading.notes, text)


def _place(origin: str) -> str:
    file, _, line = origin.rpartition(":")
    return f"{_shown(file)}, line {line}"


def _shown(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file


def _undecodable(error: UnicodeDecodeError) -> str:
    return f"byte 0x{error.object[error.start]:02x} is not UTF-8 text, expected puzzles"
