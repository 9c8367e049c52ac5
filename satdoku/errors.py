"""What can go wrong, and the exit status that each carries.

SatdokuError (1)
├── InputError (2)        a puzzle, a file or an option that cannot be used
│   ├── PuzzleError       a board or a puzzle that cannot be
│   ├── FormatError       a text that is not a puzzle; knows its line and column
│   ├── Refused           a request that something known cannot honour
│   └── TooSlow (3)       a puzzle whose timeout came while it was read
├── NotMade (3)           no puzzle as asked for was found in the time
├── CertificateError (1)  a certificate that does not show what it claims
├── BackendError (4)      an engine failed: it crashed, or broke its own protocol
└── WrongAnswer (4)       an engine returned a grid that breaks the puzzle
    └── Disagreement      two engines, one puzzle, two verdicts
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

MIN_BEGUN = 3  # characters from which the beginning of a name is taken for it
MAX_MESSAGE = 1_000  # characters of a message about a text, which may quote it
MAX_NAME = 60  # characters of an unknown name or a wrong argument in a message

INTERRUPTED = 130  # the exit status of Ctrl-C, as shells give it

SEVERITY = (0, 3, 1, 4, 2)  # exit statuses; where several hold, the later one is the run's


def reason_of(error: BaseException) -> str:
    """What an error says, without the number and the file that the system adds."""
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def worst_status(first: int, second: int) -> int:
    """The exit status of a run in which both happened: the worse one."""
    return max(first, second, key=SEVERITY.index)


Excerpt = tuple[str, int]  # the line of a text that an error is about, and the column in it, from 1


class SatdokuError(Exception):
    """Root of every error that satdoku raises on purpose."""

    status = 1
    excerpt: Excerpt | None = None


class InputError(SatdokuError):
    """What the user gave cannot be used as it is."""

    status = 2


class PuzzleError(InputError):
    """A board or a puzzle that contradicts its own definition; `mark` is the one that the message begins with."""

    def __init__(self, message: str, mark: object = None) -> None:
        super().__init__(message)
        self.mark = mark


class FormatError(InputError):
    """A text that is not a puzzle; `line` and `column` count from 1, None where unknown."""

    def __init__(self, message: str, line: int | None = None, column: int | None = None) -> None:
        message = message[:MAX_MESSAGE].replace("\n", "\\n").replace("\r", "\\r")  # of a text that it quotes
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column

    def with_hint(self, hint: str) -> FormatError:
        """The error at its place, its message followed by a hint."""
        return FormatError(f"{self.message} ({hint})", self.line, self.column)

    def at(self, origin: str, text: str, first_line: int = 1) -> FormatError:
        """The error with its place in the message: `origin` names what holds `text`, which began on `first_line`."""
        line = None if self.line is None else first_line + self.line - 1
        column = f", column {self.column}" if self.column is not None else ""
        placed = FormatError(f"{placed_in(origin, text, first_line, line)}{column}: {self.message}", line, self.column)
        lines = text.splitlines()[(self.line or 1) - 1 :]
        placed.excerpt = (lines[0], self.column) if lines and self.column is not None else None
        return placed


def placed_in(origin: str, text: str, first_line: int, line: int | None = None) -> str:
    """`a.txt, line 3`, where something is wrong in a text of `origin`. If nobody knows the line, and there are several:
    `a.txt, lines 3-12`, or `a.txt` if it is the first text there."""
    last_line = first_line + len(text.splitlines()) - 1
    if line is None and last_line > first_line:
        return origin if first_line == 1 else f"{origin}, lines {first_line}-{last_line}"
    return f"{origin}, line {line or first_line}"


def at_row(row: int, error: InputError | TypeError) -> InputError | TypeError:
    """The error of one of many puzzles, with its row, from 0, in the message."""
    message = f"puzzles: row {row}: {str(error).removeprefix('puzzle: ')}"
    if isinstance(error, FormatError):
        return FormatError(message, error.line, error.column)
    return type(error)(message)


class Refused(InputError):
    """A backend, an encoding or a format cannot honour what it was asked."""


class TooSlow(InputError):
    """The timeout of a question, in seconds, came while its puzzle was read; whatever was asked is undecided."""

    status = 3

    def __init__(self, timeout: float | None) -> None:
        super().__init__(timeout)  # what a copy is made of
        self.timeout = timeout

    def __str__(self) -> str:
        return f"the timeout of {self.timeout:g} s came while the puzzle was read, and its rules made constraints"


class NotMade(SatdokuError):
    """No puzzle as asked for was found in the time, which proves nothing.

    number: which puzzle of the run it is, from 0
    tries:  grids that were begun with
    reason: what stood in the way
    """

    status = 3

    def __init__(self, number: int, tries: int, reason: str) -> None:
        super().__init__(number, tries, reason)  # what a copy is made of
        self.number = number
        self.tries = tries
        self.reason = reason

    def __str__(self) -> str:
        return f"puzzle {self.number + 1} was not made in the time: {self.reason}"


class CertificateError(SatdokuError):
    """A certificate that does not show what it claims."""


class BackendError(SatdokuError):
    """An engine failed in a way that says nothing about the puzzle."""

    status = 4


class WrongAnswer(SatdokuError):
    """A backend returned a grid that the referee refuses."""

    status = 4


class Disagreement(WrongAnswer):
    """Two backends gave different verdicts on one puzzle."""


def excerpt(thing: object) -> str:
    """The beginning of a wrong argument, for a message of one line."""
    return " ".join(repr(thing).split())[:MAX_NAME]


def unknown(
    kind: str, name: str, known: Iterable[str], listing: str | None = None, also: Mapping[str, str] | None = None
) -> InputError:
    """The error for a name that is in no table: the near names, else the command that lists them, or all of them.

    also: other words for what is known, as `near_names` takes them
    """
    names = list(known)
    others = f"expected {', '.join(names)}" if listing is None else f"see `{listing}`"
    return InputError(f"unknown {kind} {name[:MAX_NAME]!r}: {near_names(name, names, also) or others}")


def near_names(name: str, known: Iterable[str], also: Mapping[str, str] | None = None) -> str:
    """`did you mean A or B?` of the known names that are meant or much alike; nothing if none is.

    also: for other words what is meant by each
    """
    from difflib import get_close_matches

    bare = {one.lstrip("-"): one for one in known}  # options without what all of them begin with
    alike = get_close_matches(name.lstrip("-")[:MAX_NAME], bare, n=3, cutoff=0.6)
    near = meant(name, bare.values(), also) or [bare[one] for one in alike]
    return f"did you mean {' or '.join(near)}?" if near else ""


def meant(name: str, known: Iterable[str], also: Mapping[str, str] | None = None) -> list[str]:
    """The known names that are surely meant: in another spelling (`little_killer`, `arrows`), by another word, by a
    word of theirs, the first one above others (`killer`, `knight`), or by their beginning (`thermo`)."""
    names, wanted = list(known), _spelling(name)
    close = [one for one in names if _spelling(one) == wanted]
    close = close or [one for word, one in (also or {}).items() if _spelling(word) == wanted][:1]
    words = {one: [_spelling(word) for word in re.split("[-_ ]+", one.strip("-"))] for one in names}
    close = close or [one for one in names if words[one][0] == wanted] or [one for one in names if wanted in words[one]]
    if not close and len(wanted) >= MIN_BEGUN:
        close = [one for one in names if _spelling(one).startswith(wanted)]
    return sorted(close, key=len)[:3]


def _spelling(name: str) -> str:
    """A name without what people spell in several ways: capitals, hyphens, an s at its end."""
    return "".join(filter(str.isalnum, name.lower())).removesuffix("s")


class SatdokuWarning(UserWarning):
    """Something is left out, such as the library of compiled searches or what a package offers, and why."""
