"""Proofs as text and as integers: a clause a line, 0 behind it, and `d` before one that is deleted."""

import re
import warnings

import numpy as np
from numpy.typing import NDArray

from satdoku.errors import CertificateError
from satdoku.limits import check_time

Numbers = NDArray[np.int32]  # clauses one after the other, 0 behind each; DELETE before one that is deleted
DELETE = -(1 << 31)
EMPTY_CLAUSE = np.zeros(1, np.int32)  # the proof that has the empty clause alone
_MAX_LITERAL = (1 << 31) - 1
_PART = 1 << 20  # integers, or characters, that are text and numbers at the same time, each of them fifty bytes
_BLANK = re.compile(r"\s", re.ASCII)
_COMMENT = re.compile(r"(?:\A|(?<=[\n\r]))[ \t]*c[^\n\r]*")
_END = re.compile(r"(?<!\S)0 ")
_OTHER = re.compile(r"[^-0-9d\s]|-(?!\d)", re.ASCII)


def lines(numbers: Numbers) -> str:
    parts = (numbers[begin : begin + _PART].tolist() for begin in range(0, len(numbers), _PART))
    words = " ".join(" ".join(map(str, part)) for part in parts)
    return _END.sub("0\n", words.replace(str(DELETE), "d")) + "\n" * bool(words)


def length(numbers: Numbers) -> int:
    """How many characters `lines` makes of them, without making them all at the same time."""
    return sum(len(lines(numbers[begin : begin + _PART])) for begin in range(0, len(numbers), _PART))


def read(text: str, name: str) -> Numbers:
    """The proof in a text of that name, without comments; raises CertificateError, with the line."""
    if "c" in text:
        text = _COMMENT.sub("", text)
    parts, at, begins = [EMPTY_CLAUSE[:0]], 0, True
    while at < len(text):
        check_time()
        blank = _BLANK.search(text, at + _PART)
        end = blank.end() if blank else len(text)
        words = _words(text[at:end], name, text)
        begun = np.concatenate([[begins], words[:-1] == 0])[: len(words)]
        if (((words > _MAX_LITERAL) | (words < -_MAX_LITERAL)) & ~((words == DELETE) & begun)).any():
            raise CertificateError(f"{name}: a literal beyond {_MAX_LITERAL}, or a d inside a clause")
        parts.append(words.astype(np.int32))
        at, begins = end, words[-1] == 0 if len(words) else begins
    if not begins:
        raise CertificateError(f"{name} ends inside a clause: it has been cut")
    return np.concatenate(parts)


def _words(part: str, name: str, text: str) -> NDArray[np.int64]:
    """The integers of a part of a text."""
    try:
        if _OTHER.search(part) or str(-DELETE) in part:
            raise ValueError
        with warnings.catch_warnings(action="error"):  # of numpy, where a text is not numbers to its end
            return np.fromstring(part.replace("d", f" {DELETE} ").strip(), np.int64, sep=" ")
    except (ValueError, DeprecationWarning):
        raise CertificateError(f"{name}, line {_line(text)}: expected literals, and d before a deletion") from None


def _line(text: str) -> int:
    """The first line that holds something else than integers and a `d`, from 1."""
    for number, line in enumerate(text.splitlines(), 1):
        if str(-DELETE) in line or not re.fullmatch(r"(\s*(d\s*)?-?\d{1,18}(?!\S))*\s*", line, re.ASCII):
            return number
    return 1
