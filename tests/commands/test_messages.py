"""Messages on standard error: the line and a caret on a terminal, control characters made visible."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from support.cli import run

from satdoku.errors import FormatError
from satdoku.terminal.messages import MARGIN, message, pointed

PUZZLE = "13....3131...2x3"


def on_terminal(*arguments: str, width: int = 80) -> list[str]:
    """The lines of standard error where that is a terminal of so many columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {name: text for name, text in os.environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        [sys.executable, "-m", "satdoku", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=theirs,
        stdin=theirs,
        env=environment | {"TERM": "dumb"},
    )
    os.close(theirs)
    read = b""
    try:
        while part := os.read(ours, 1 << 16):
            read += part
    except OSError:  # the other end is closed
        pass
    process.wait()
    os.close(ours)
    return read.decode().splitlines()


def test_a_terminal_shows_the_line_and_a_caret_under_the_place(tmp_path: Path) -> None:
    file = tmp_path / "two.txt"
    file.write_text(f"13....3131...213\n{PUZZLE}\n")
    reported = on_terminal("check", str(file))
    first = next(number for number, line in enumerate(reported) if "column 15: 'x' is not a cell" in line)
    assert reported[first + 1 : first + 3] == ["  | 13....3131...2x3", "  |               ^"]


def test_elsewhere_a_message_stays_one_line() -> None:
    assert len(run("check", PUZZLE).stderr.splitlines()) == 1
    assert run("check", "--json", PUZZLE).stdout.count("\n") == 1


def test_a_narrow_terminal_shows_part_of_the_line() -> None:
    line = "1" * 40 + "x" + "." * 40
    assert on_terminal("check", line, width=44)[1:3] == [
        "  | …1111111111x...........................…",
        "  |            ^",
    ]
    assert len(on_terminal("check", line, width=16)) == 1


@example(line="0" * 19 + "\N{COMBINING GRAVE ACCENT}" * 70 + "x0", column=90, width=24)  # 19 columns before the x
@given(line=st.text(max_size=300), column=st.integers(1, 320), width=st.integers(24, 120))
def test_an_excerpt_fits_and_points_at_its_character(line: str, column: int, width: int) -> None:
    shown, caret = pointed(line, min(column, len(line) + 1), width)
    assert max(cell_len(shown), cell_len(caret)) <= width
    assert shown.isprintable()
    if column <= len(line) and line[column - 1].isprintable() and cell_len(line[column - 1]) == 1:
        at = len(caret) - 1
        before = next(length for length in range(len(shown)) if cell_len(shown[:length]) == at)
        assert line[column - 1] in shown[before:]
    assert pointed(line, 1, len(MARGIN) + 5) == []


@pytest.mark.parametrize("text", ["\x1b[2J", "a\x07", "\x9b31m", "\u202eabc", "\r", "a\nb"])
def test_what_a_terminal_would_obey_is_escaped(text: str) -> None:
    assert message(f"a title {text}").isprintable()


def test_an_error_with_a_place_keeps_it() -> None:
    error = FormatError("odd", 2, 3).at("standard input", "abc\ndef", 5)
    assert (str(error), error.excerpt) == ("standard input, line 6, column 3: odd", ("def", 3))
    assert FormatError("odd").at("a", "abc").excerpt is None
    assert str(FormatError("empty").at("a.txt", "")) == "a.txt, line 1: empty"


@pytest.mark.parametrize(
    ("text", "first", "place"),
    [("abc", 1, "a, line 1"), ("abc\n", 7, "a, line 7"), ("a\nb", 1, "a"), ("a\nb", 7, "a, lines 7-8")],
)
def test_an_error_without_a_line_states_none_of_several(text: str, first: int, place: str) -> None:
    error = FormatError("odd").at("a", text, first)
    assert (str(error), error.line) == (f"{place}: odd", None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("generate", "--count", "abc"), "--count abc: expected a whole number, such as 3"),
        (("solve", "--limit", "2.5", PUZZLE), "--limit 2.5: expected a whole number, such as 3"),
        (("render", "--cell", "wide", PUZZLE), "--cell wide: expected a number, such as 2.5"),
        (("check", "--timeout", "abc", PUZZLE), "--timeout abc: expected seconds, such as 2.5"),
    ],
)
def test_a_value_of_the_wrong_kind_is_named_with_what_was_expected(arguments: tuple[str, ...], message: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stderr.splitlines()[0].partition("; see")[0]) == (2, f"satdoku: {message}")
