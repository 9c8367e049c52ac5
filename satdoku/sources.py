"""What the PUZZLES of a command line name: files, standard input, one line of a file, or puzzles.

Every puzzle comes with its origin, FILE:LINE. A line that is no puzzle becomes an error of its own
and costs nothing else.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO

from satdoku.errors import FormatError, InputError
from satdoku.formats import Format, Options, detect, find, formats
from satdoku.formats.cells import ALWAYS_EMPTY, DIGITS, EMPTY_WHEN_ALONE, is_content
from satdoku.puzzle import Puzzle

HEAD = 1 << 16
"""Bytes looked at to tell a file of one-line puzzles from a file that is one puzzle."""

LONGEST = 1 << 24
"""Bytes of a line, or of a file that is one puzzle, beyond which it is refused unread."""

STANDARD_INPUT = "-"


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle found at `origin`, or the error that stands in its place."""

    origin: str
    format: str | None
    found: Puzzle | InputError
    notes: tuple[str, ...] = ()


def entries(arguments: Iterable[str], options: Options) -> Iterator[Entry]:
    """The puzzles that `arguments` name, in order; an argument that names nothing gives an error entry."""
    for number, argument in enumerate(arguments, 1):
        try:
            yield from _resolve(argument, number, options)
        except InputError as error:
            yield Entry(argument, None, error)
        except OSError as error:
            yield Entry(argument, None, InputError(f"{argument}: {error.strerror or error}"))


def _resolve(argument: str, number: int, options: Options) -> Iterator[Entry]:
    if argument == STANDARD_INPUT:
        if sys.stdin is None:
            raise InputError("standard input is closed, expected puzzles")
        yield from _stream(sys.stdin.buffer, argument, options)
        return
    if _is_file(argument):
        with Path(argument).open("rb") as stream:
            yield from _stream(stream, argument, options)
        return
    place = re.fullmatch(r"(.+):(\d+)", argument, re.DOTALL)
    if place and _is_file(place[1]):
        with Path(place[1]).open("rb") as stream:
            chosen = next((entry for entry in _stream(stream, place[1], options) if entry.origin == argument), None)
        if chosen is None:
            raise InputError(f"{argument}: no puzzle begins on line {place[2]} of {place[1]}")
        yield chosen
        return
    if not _is_literal(argument, options):
        raise InputError((argument[:60] or "''") + ": no such file, and no puzzle either")
    yield _entry(argument, f"argument {number}", f"argument {number}", 1, options)


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
    if any(known.fits(argument) for known in formats().values() if not (known.plain or known.asked)):
        return True
    cells = DIGITS | ALWAYS_EMPTY | EMPTY_WHEN_ALONE | {","}
    return len(argument) >= 12 and sum(character in cells for character in argument) >= len(argument) // 2


def _stream(stream: IO[bytes], origin: str, options: Options) -> Iterator[Entry]:
    lines = enumerate(_lines(stream), 1)
    head: list[tuple[int, bytes]] = []
    size = 0
    for number, raw in lines:
        head.append((number, raw))
        size += len(raw)
        if size >= HEAD:
            break
    if not any(raw.strip() for _, raw in head) and size < HEAD:
        raise InputError(f"{_shown(origin)} is empty, expected puzzles")
    if _has_lines(head, options):
        among = [known for known in formats().values() if known.one_line]
        for number, raw in chain(head, lines):
            yield from _line_entry(raw, f"{origin}:{number}", options, among)
        return
    rest = b"".join(raw for _, raw in chain(head, lines))
    if len(rest) > LONGEST:
        raise InputError(f"{origin}: {len(rest)} bytes and not one puzzle a line, expected at most {LONGEST}")
    first = next((number for number, raw in head if is_content(raw.decode("utf-8", "replace"))), 1)
    try:
        text = rest.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = rest.count(b"\n", 0, error.start) + 1
        raise InputError(f"{_shown(origin)}, line {line}: {_undecodable(error)}") from None
    yield _entry(text, f"{origin}:{first}", _shown(origin), 1, options)


def _lines(stream: IO[bytes]) -> Iterator[bytes]:
    """The lines of `stream`; of one that is too long, its beginning only."""
    while raw := stream.readline(LONGEST):
        yield raw
        while len(raw) == LONGEST and not raw.endswith(b"\n"):
            raw = stream.readline(LONGEST)


def _has_lines(head: list[tuple[int, bytes]], options: Options) -> bool:
    """Whether a file that begins so holds one puzzle a line."""
    if options.format is not None:
        return find(options.format).one_line
    content = [text for _, raw in head if is_content(text := raw.decode("utf-8", "replace"))]
    known = [one.fits for one in formats().values() if one.one_line and not one.asked]
    return len(content) > 1 and any(fits(line) for line in content for fits in known)


def _line_entry(raw: bytes, origin: str, options: Options, among: list[Format]) -> Iterator[Entry]:
    if len(raw) >= LONGEST:
        yield Entry(origin, None, InputError(f"{_place(origin)}: a line of over {LONGEST} bytes, expected one puzzle"))
        return
    try:
        line = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        yield Entry(origin, None, InputError(f"{_place(origin)}: {_undecodable(error)}"))
        return
    if is_content(line):
        file, _, number = origin.rpartition(":")
        yield _entry(line, origin, _shown(file), int(number), options, among)


def _entry(text: str, origin: str, named: str, line: int, options: Options, among: list[Format] | None = None) -> Entry:
    """The puzzle of a text that begins on `line` of what messages call `named`."""
    try:
        reading = detect(text, options, among)
    except FormatError as error:
        return Entry(origin, None, InputError(error.at(named, line)))
    except InputError as error:
        return Entry(origin, None, InputError(f"{named}, line {line}: {error}"))
    return Entry(origin, reading.format, replace(reading.puzzle, name=origin), reading.notes)


def _place(origin: str) -> str:
    file, _, line = origin.rpartition(":")
    return f"{_shown(file)}, line {line}"


def _shown(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else file


def _undecodable(error: UnicodeDecodeError) -> str:
    return f"byte 0x{error.object[error.start]:02x} is not UTF-8 text, expected puzzles"
