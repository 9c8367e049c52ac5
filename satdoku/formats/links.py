"""Links that hold a puzzle: their parts, and the JSON that they hold, packed or not. LZ-string over base64, the packing
of https://github.com/pieroxy/lz-string, is decompressed in time linear in the text, and no further than a bound: each
phrase is the one before it and one more character, so it stands in the text already, and only its place is kept."""

from __future__ import annotations

import json
import re
from array import array
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import takewhile
from string import ascii_lowercase, ascii_uppercase, digits
from sys import byteorder
from typing import Any

from satdoku.cache import cached_texts
from satdoku.errors import FormatError
from satdoku.formats import Confidence, Detection, View
from satdoku.formats.cells import content
from satdoku.limits import MAX_PUZZLE

BASE64 = ascii_uppercase + ascii_lowercase + digits + "+/"
SIX_BITS = str.maketrans({character: f"{index:06b}" for index, character in enumerate(BASE64)})
# Codes of a new character, and how many bits it has. Code 2 is the end; phrases are numbered from 3.
NEW_CHARACTER = {0: 8, 1: 16}
LAST = 2
NO_DATA = "the link holds no LZ-string data: it may have been cut"
LINK = re.compile(
    r"\s*[<(\"']?(?:(?:https?|sudokupad):/{0,2})?((?:[a-z0-9-]{1,63}\.){1,9}[a-z]{2,63})(?=[/?#]|$)/?([^?#\s]*)"
    r"(?:\?([^#\s]*))?(?:#(\S*))?",
    re.IGNORECASE,
)
PART = re.compile(r"[A-Za-z0-9+/=%_$&*-]+")
MAX_HEAD = 4096  # characters in which a host stands
CLOSING = ">)\"',"
link_sign = partial(
    Detection, confidence=Confidence.CERTAIN, view=View.ALL
)  # of links, whose address says what they are


class _PackedBits:
    def __init__(self, packed: str) -> None:
        self._bits = packed.translate(SIX_BITS)
        self._at = 0

    def take(self, count: int) -> int:
        end = self._at + count
        if end > len(self._bits):
            raise FormatError("the link ends early: it may have been cut")
        number = int(self._bits[self._at : end][::-1], 2)
        self._at = end
        return number

    @property
    def rest(self) -> str:
        return self._bits[self._at :]


def decompress(packed: str) -> str:
    """The text of a link; raises FormatError for what is not LZ-string data, was cut, or is longer than 4 MB.

    >>> decompress("BIUwNmD2Q===")
    'Hello'
    """
    packed = packed.rstrip("=\\")  # the site pads by either
    if not set(BASE64).issuperset(packed):
        raise FormatError(NO_DATA)
    bits = _PackedBits(packed)
    units: list[int] = []  # of UTF-16
    phrases = [(0, 0)] * 3  # where each stands in the text, and its length
    last = (0, 0)
    width, room = 2, 1  # the bits of a code, and how many phrases may come before codes have one more
    while (code := bits.take(width)) != LAST:
        count = len(phrases)
        if code in NEW_CHARACTER:
            phrases.append((len(units), 1))
            units.append(bits.take(NEW_CHARACTER[code]))
        elif code < count or (code == count and last[1]):
            # Number `count` is the phrase that this code completes: the last one and its own first character.
            start, length = phrases[code] if code < count else last
            units += units[start : start + length]
            if code == count:
                units.append(units[start])
        else:
            raise FormatError(NO_DATA)
        if len(units) > MAX_PUZZLE:
            raise FormatError(f"the link holds more than {MAX_PUZZLE} characters: no puzzle has so many")
        if last[1]:
            phrases.append((last[0], last[1] + 1))
        last = (last[0] + last[1], len(units) - last[0] - last[1])
        room -= len(phrases) - count
        if room <= 0:
            room, width = room + (1 << width), width + 1
    if not units or "1" in bits.rest:
        raise FormatError(NO_DATA)
    return array("H", units).tobytes().decode(f"utf-16-{byteorder[0]}e", "replace")  # le or be


@dataclass(frozen=True, slots=True, kw_only=True)
class PuzzleLink:
    """The parts of a link.

    query:    the values behind ?, by their names in small letters, escapes undone
    """

    host: str  # without www, in small letters
    path: str = ""  # what follows the host, without the first slash and as it is written
    query: Mapping[str, str] = field(default_factory=dict)
    fragment: Mapping[str, str] = field(default_factory=dict)  # what follows #, likewise as values
    rest: str = ""  # what follows the link and is not part of it

    def alone(self) -> PuzzleLink:
        if self.rest:
            raise FormatError(f"{self.rest[:20]!r} follows the link: expected its end")
        return self


@cached_texts(4)
def link_of(text: str) -> PuzzleLink | None:
    """The link that a text is, which mail may have wrapped; None for what begins otherwise.

    >>> link_of("https://www.example.com/a?b=c%2Bd").query
    {'b': 'c+d'}
    """
    if LINK.match(next((line for _, line in content(text[:MAX_HEAD])), "")) is None:
        return None
    lines = [line.strip() for _, line in content(text)]
    begin = LINK.match(lines[0])
    if begin is None:
        return None
    if begin.end() == len(lines[0]):
        wrapped = list(takewhile(lambda line: PART.fullmatch(line.rstrip(CLOSING)), lines[1:]))
        whole = "".join([lines[0], *wrapped])
        joined = LINK.match(whole)
        if joined is not None:
            begin, lines = joined, [whole, *lines[1 + len(wrapped) :]]
    rest = " ".join([lines[0][begin.end() :], *lines[1:]]).strip()
    host, path, query, fragment = (part or "" for part in begin.groups())
    if not rest:
        path, query, fragment = (part.rstrip(CLOSING) for part in (path, query, fragment))
    return PuzzleLink(
        host=host.lower().removeprefix("www."),
        path=path,
        query=_values(query),
        fragment=_values(fragment),
        rest="" if not rest.strip(CLOSING) else rest,
    )


def taken(text: str, host: str, name: str, alone: bool = False) -> str | None:
    """The value of a name behind ? or # in a link of a host, which is a pattern; None for any other text.

    alone: whether to raise FormatError if something follows the link
    """
    link = link_of(text)
    if link is None or not re.fullmatch(host, link.host):
        return None
    return {**link.fragment, **(link.alone() if alone else link).query}.get(name)


def holds(host: str, *names: str) -> Callable[[str], bool]:
    return lambda text: any(taken(text, host, name) is not None for name in names)


def _values(text: str) -> dict[str, str]:
    parts = (part.partition("=") for part in re.split(r"[&?]", text) if part)
    query: dict[str, str] = {}
    for name, _, value in parts:
        query.setdefault(name.lower(), plus(value))
    return query


def plus(value: str) -> str:
    """A value with its escapes undone; a blank was a + that went through a form."""
    return unescaped(value).replace(" ", "+")


def unescaped(text: str) -> str:
    """A part of a link without its %-escapes."""
    if "%" not in text:
        return text
    from urllib.parse import unquote

    return unquote(text)


def unpacked(payload: str) -> str:
    """The text that a link holds as LZ-string data, in either alphabet; raises FormatError."""
    return decompress(plus(payload).rstrip(".").translate({ord("-"): "/", ord("$"): "="}))


def loaded(text: str, placed: bool = True) -> Any:
    """The JSON of a text; raises FormatError, with the place if it is a place of what the user gave."""
    try:
        return json.loads(text, object_pairs_hook=_object)
    except RecursionError:
        raise FormatError("brackets nested too deep for any puzzle") from None
    except json.JSONDecodeError as error:
        raise FormatError(f"not JSON: {error.msg}", *((error.lineno, error.colno) if placed else ())) from None
    except ValueError:
        raise FormatError("not JSON: a number of too many digits") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; raises FormatError for a key that stands twice, of which the first would be lost."""
    values = dict(pairs)
    if len(values) < len(pairs):
        ((name, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise FormatError(f"the key {name[:40]!r} stands twice")
    return values
