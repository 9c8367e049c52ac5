"""Links that hold a puzzle: their parts, and the JSON that they hold, packed or not."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any
from urllib.parse import unquote

from satdoku.errors import FormatError
from satdoku.formats import Confidence, Format, View
from satdoku.formats.cells import content
from satdoku.formats.lz import decompress

LINK = re.compile(
    r"\s*[<(\"']?(?:(?:https?|sudokupad):/{0,2})?((?:[a-z0-9-]{1,63}\.){1,9}[a-z]{2,63})(?=[/?#]|$)/?([^?#\s]*)"
    r"(?:\?([^#\s]*))?(?:#(\S*))?",
    re.IGNORECASE,
)
PART = re.compile(r"[A-Za-z0-9+/=%_$&*-]+")
MAX_HEAD = 4096  # characters in which a host stands
CLOSING = ">)\"',"


link_format = partial(Format, one_line=True, confidence=Confidence.CERTAIN, view=View.ALL)
"""A format of links, whose address says what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """The parts of a link.

    query:    the values behind ?, by their names in small letters, escapes undone
    """

    host: str  # without www, in small letters
    path: str = ""  # what follows the host, without the first slash and as it is written
    query: Mapping[str, str] = field(default_factory=dict)
    fragment: Mapping[str, str] = field(default_factory=dict)  # what follows #, likewise as values
    rest: str = ""  # what follows the link and is no part of it

    def alone(self) -> Link:
        """Itself; raises FormatError if something follows it."""
        if self.rest:
            raise FormatError(f"{self.rest[:20]!r} follows the link: expected its end")
        return self


@lru_cache(maxsize=4)
def link_of(text: str) -> Link | None:
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
    while len(lines) > 1 and begin.end() == len(lines[0]) and PART.fullmatch(lines[1].rstrip(CLOSING)):
        lines[:2] = [lines[0] + lines[1]]
        begin = LINK.match(lines[0])
        assert begin is not None
    rest = " ".join([lines[0][begin.end() :], *lines[1:]]).strip()
    host, path, query, fragment = (part or "" for part in begin.groups())
    if not rest:
        path, query, fragment = (part.rstrip(CLOSING) for part in (path, query, fragment))
    return Link(
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
    """Whether a text is a link of a host with a value of one of the names."""
    return lambda text: any(taken(text, host, name) is not None for name in names)


def _values(text: str) -> dict[str, str]:
    parts = (part.partition("=") for part in re.split(r"[&?]", text) if part)
    found: dict[str, str] = {}
    for name, _, value in parts:
        found.setdefault(name.lower(), plus(value))
    return found


def plus(value: str) -> str:
    """A value with its escapes undone; a blank was a + that went through a form."""
    return unquote(value).replace(" ", "+")


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
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise FormatError(f"the key {next(name for name in names if names.count(name) > 1)[:40]!r} stands twice")
    return found
