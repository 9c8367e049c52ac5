"""TOML as text: what its parser finds wrong, and the line and column of what is wrong in its tables."""

import re
from collections.abc import Mapping
from typing import Any

from satdoku.errors import MAX_NAME, FormatError
from satdoku.formats.cells import content
from satdoku.variants.placed import BOARDS

BOARD_HEAD = re.compile(r"^[ \t]*\[\[[ \t]*board[ \t]*\]\]", re.MULTILINE)
OF_BOARD = re.compile(r"board (\d{1,3}): ")
SIGNS = re.compile(  # brackets; texts and comments, in which there are none; quotation marks that open and do not close
    r'''"""(?:\\.|(?!""").)*"{3,5}|\'{3}(?:(?!\'{3}).)*\'{3,5}|"(?!"")(?:\\.|[^"\\\n])*"|\'(?!\'\')[^\'\n]*\''''
    r'''|#[^\n]*|[\[\]{}]|"""|\'{3}|["\']''',
    re.DOTALL,
)
OF_DEFINITION = re.compile(r"define\.([\w-]+)(?:\.([\w-]+))?")
DECODE_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)")
FAULTS = {
    "Invalid value": "expected a number, a text in quotation marks, or a list in [ ]",
    "Cannot overwrite a value": "a key that stands there already",
}
"""What is wrong, by what the parser calls it."""


def loaded(text: str) -> dict[str, Any]:
    import tomli

    try:
        return tomli.loads(text)
    except RecursionError:
        raise FormatError("brackets nested too deep for any puzzle") from None
    except ValueError as error:
        place = DECODE_PLACE.fullmatch(str(error))
        open_at = _never_closed(text)
        if open_at is not None and "Cannot" not in str(error):
            sign, line, column = open_at
            raise FormatError(f"not TOML: the {sign} here is never closed", line, column) from None
        what = place[1] if place else str(error).removesuffix(" (at end of document)")
        at = (int(place[2]), int(place[3])) if place else (_last_line(text),)
        raise FormatError(f"not TOML: {FAULTS.get(what, what)}", *at) from None


def _last_line(text: str) -> int:
    return max((number for number, _ in content(text)), default=1)


def _never_closed(text: str) -> tuple[str, int, int] | None:
    """The last bracket or quotation mark that is not closed, with its line and column, from 1; None if each is."""
    opened: list[re.Match[str]] = []
    for match in SIGNS.finditer(text):
        sign = match[0]
        if sign in "'\"" or sign in ('"""', "'''"):
            opened = [match]
            break
        if sign in "[{":
            opened.append(match)
        elif sign in "]}" and opened:
            if "[{".index(opened[-1][0]) != "]}".index(sign):
                break
            opened.pop()
    if not opened:
        return None
    at = opened[-1].start()
    return opened[-1][0], text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def at_its_line(error: FormatError, text: str, data: Mapping[str, Any]) -> FormatError:
    """The error with its line, and its column too where it is about a drawing that begins below its key."""
    line = _line_of(text, data, error.message)
    if line is not None and error.line is not None:
        below = text.splitlines()[line - 1].rstrip().endswith(('"""', "'''"))
        return FormatError(error.message, line + error.line * below, error.column if below else None)
    return FormatError(error.message, line)


def _line_of(text: str, data: Mapping[str, Any], message: str) -> int | None:
    within = OF_BOARD.match(message)
    heads = list(BOARD_HEAD.finditer(text)) if within and isinstance(data.get(BOARDS), list) else []
    if within and 0 < int(within[1]) <= len(heads) == len(data[BOARDS]):
        begin = heads[int(within[1]) - 1].end()
        line = _line_of(text[begin:], data[BOARDS][int(within[1]) - 1], message[within.end() :]) or 1
        return text.count("\n", 0, begin) + line
    defined = OF_DEFINITION.match(message)
    if defined:
        return _line_at(text, _definition(text, *defined.groups()))
    short = (key for key in data if len(key) <= MAX_NAME)
    key = next((key for key in short if re.match(rf"['\"]?{re.escape(key)}(?![\w-])", message)), None)
    if key is None:
        return None
    number = re.match(rf"{re.escape(key)} (\d+)\b", message)
    return _line_at(text, _entry(text, key, data[key], int(number[1]) if number else 1))


def _line_at(text: str, place: int | None) -> int | None:
    return None if place is None else text.count("\n", 0, place) + 1


def _key(text: str, key: str, head: str = "", start: int = 0, signs: str = r"=\]") -> list[int]:
    """Where a key ends, with = or as a table, each time that it begins a line behind `start`.

    head: what of the key stands before it, as a pattern
    signs: what may follow it
    """
    pattern = rf"^[ \t]*\[*[ \t]*{head}[\"']?{re.escape(key)}[ \t\"']*[{signs}]"
    return [match.end() for match in re.compile(pattern, re.MULTILINE).finditer(text, start)]


def _definition(text: str, name: str, part: str | None) -> int | None:
    """Where a definition stands, or the part of it."""
    table = _key(text, "define")
    places = _key(text, name, r"define[ \t]*\.[ \t]*") or (_key(text, name, start=table[0]) or table if table else [])
    place = next(iter(places), None)
    below = _key(text, part, start=place) if part and place is not None and text[place - 1] == "]" else []
    return below[0] if below else place


def _entry(text: str, key: str, raw: object, number: int) -> int | None:
    """Where an entry of the list of a key stands; where the key stands if it has no list, or one that is not so."""
    places = _key(text, key) or _key(text, key, signs=".")
    many = len(raw) if isinstance(raw, list) else 0
    if len(places) == 1 < many or (many == 1 and places and text[places[0] - 1] == "="):
        starts = _entries(text, places[0])
        places = starts if len(starts) == many else places[:1]
    return places[min(number, len(places)) - 1] if places else None


def _entries(text: str, start: int) -> list[int]:
    """Where the texts, lists and tables begin that are the entries of a list, the first bracket behind `start`."""
    starts: list[int] = []
    depth = 0
    for match in SIGNS.finditer(text, start):
        sign = match[0]
        if sign in "]}":
            depth -= 1
        elif sign[0] != "#":
            starts += [match.start()] * (depth == 1)
            depth += sign in "[{"
        if depth == 0:
            break
    return starts
