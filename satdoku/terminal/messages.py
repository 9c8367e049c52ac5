"""Lines on standard error, and streams and signals that a command can rely on."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
import threading
from typing import Any, NoReturn

from satdoku.errors import INTERRUPTED, Excerpt

MARGIN = "  | "
CUT = "…"
STANDARD_OUTPUT = "standard output"
_shows: str | None = None  # the encoding that standard output had before it became UTF-8
MIN_EXCERPT = 20  # columns below which a terminal is too narrow for an excerpt
BIDI = [*range(0x200E, 0x2010), *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if chr(code) != "\t"}
ESCAPES |= {code: f"\\u{code:04x}" for code in BIDI} | {ord("\n"): "\\n"}
"""Characters that a terminal obeys; titles and lines of files may hold them."""


def say(text: str, status: int = 0, excerpt: Excerpt | None = None) -> int:
    """One message on standard error; returns `status`."""
    print(message(text, excerpt), file=sys.stderr)
    return status


def say_interrupted() -> int:
    """The message after Ctrl-C; returns its status. A terminal has shown ^C in what may be the middle of a line."""
    if sys.stderr is not None and sys.stderr.isatty():
        print(file=sys.stderr)
    return say("interrupted", INTERRUPTED)


def message(text: str, excerpt: Excerpt | None = None) -> str:
    """A message; on a terminal also the line that it is about, with a caret under the place."""
    pointer: list[str] = []
    if excerpt is not None and sys.stderr is not None and sys.stderr.isatty():
        pointer = pointed(*excerpt, os.get_terminal_size(sys.stderr.fileno()).columns)
    return "\n".join([f"satdoku: {text.translate(ESCAPES)}", *pointer])


def pointed(line: str, column: int, width: int) -> list[str]:
    """A line, or as much of it around the column as has room, and a caret; nothing where there is hardly any."""
    from rich.cells import cell_len, set_cell_size

    room = width - len(MARGIN)
    if room < MIN_EXCERPT:
        return []
    line = "".join(character if character.isprintable() else " " for character in line)
    # A character may be two columns wide: a quarter of them before the place is half of the room.
    start = max(0, column - 1 - room // 4) if cell_len(line[: max(2 * room, column)]) >= room else 0
    before = CUT * (start > 0) + line[start : column - 1]
    shown = before + line[column - 1 :][: 2 * room]
    if cell_len(shown) > room:
        shown = set_cell_size(shown, room - 1) + CUT
    return [MARGIN + shown, MARGIN + " " * cell_len(before) + "^"]


class _Output(io.FileIO):
    """Standard output, whose errors say that it is."""

    def write(self, data: Any) -> int | None:  # type: ignore[override]
        try:
            return super().write(data)
        except OSError as error:
            error.filename = STANDARD_OUTPUT
            raise


class _Closed(io.TextIOBase):
    """Stands in for a standard output that was closed: what is written there would be lost."""

    def write(self, text: object) -> NoReturn:
        raise OSError(errno.EBADF, "closed, and the results go there; name a file to write", STANDARD_OUTPUT)

    @property
    def buffer(self) -> _Closed:
        return self


def settle_streams() -> None:
    """Let messages be written whatever their characters, and even if nobody listens; results must find a place.

    Results are UTF-8 whatever the locale, since other programs read them, and satdoku itself.
    """
    global _shows
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # or the next file that is opened would take what a solver prints
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123
    # Python's own does so already. Ctrl-C while a stream is reconfigured leaves it without an encoder.
    if isinstance(sys.stderr, io.TextIOWrapper) and sys.stderr.errors != "backslashreplace":
        sys.stderr.reconfigure(errors="backslashreplace")
    if isinstance(sys.stdout, io.TextIOWrapper):
        _shows = sys.stdout.encoding
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
        if isinstance(sys.stdout.buffer, io.BufferedWriter | io.FileIO) and not sys.stdout.isatty():
            lines = sys.stdout.line_buffering or sys.stdout.write_through
            named = io.BufferedWriter(_Output(sys.stdout.fileno(), "w", closefd=False))
            sys.stdout = io.TextIOWrapper(named, "utf-8", "backslashreplace", line_buffering=lines)


def shows() -> str:
    """The encoding of the terminal, as it was before results became UTF-8."""
    return _shows or "ascii"


def settle_signals() -> None:
    """Let SIGTERM end like an exit, so that solvers are stopped and temporary files removed."""
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
