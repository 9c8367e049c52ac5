"""`lists`: rows as programs write them, in brackets."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import isqrt

from satdoku.errors import FormatError
from satdoku.formats import Detection, Format, Options, Reading, View
from satdoku.formats.cells import Token, puzzle_of, values_of
from satdoku.puzzle import MAX_VALUES
from satdoku.words import plural

# A heading of TOML or of sections, or the tables of a key of TOML.
TABLE = re.compile(r"\s*(?:\[\[?[a-z-]{1,40}\]|[\w-]{1,40}\s*=\s*\[?\s*\{\s*[\w-]{1,40}\s*=)")
# No two runs of blanks stand beside each other, which a long one would be shared out to in every way.
LIST_START = re.compile(
    r"(?:\w{1,40}\s*=)?\s*(?:[\w.]{1,40}\(\s*)?[\[({]\s*(?:[\[({]\s*)?(?:[\[({\"']|[\d.-]|None|null|nan)"
)
OBJECT = re.compile(r"\s*\{\s*\"[^\"]{1,40}\"\s*:")
KEY = re.compile(
    r"[\"'](puzzle|board|grid|quiz|cells|sudoku|solution)[\"']\s*:\s*"
    r"(?=[\[({]\s*(?:[\[({]\s*)?(?:\d|null|None|[\"'][\d. _]*[\"'])|[\"'][\d._*xX-]{16,}[\"'])"
)
ITEM = re.compile(
    r"\s*(?:(?P<open>[\[({])|(?P<close>[\])}])|(?P<text>\"[^\"]*\"|'[^']*')|(?P<word>[^\s,;\[\](){}\"']+)|[,;])"
)
FLOAT = re.compile(r"\d+\.0*")
EMPTY_ITEMS = frozenset({"None", "null", "nan", "np.nan", "NaN", "", ".", "_", "-", "*", "x", "X", " "})
MAX_CELLS = MAX_VALUES**2


def fits(text: str) -> bool:
    if OBJECT.match(text):
        return any(match[1] != "solution" for match in KEY.finditer(text))
    return LIST_START.match(text.lstrip()) is not None and TABLE.match(text) is None


def read(text: str, options: Options) -> Reading:
    places = {match[1]: match.end() for match in KEY.finditer(text)} if OBJECT.match(text) else {}
    names = [name for name in places if name != "solution"]
    if len(names) > 1:
        raise FormatError(f"lists under {' and '.join(names)}: expected one puzzle")
    # The pattern may match nothing, so it always matches.
    begin = places[names[0]] if names else re.match(r"[^\[({]*(?:[\w.]+\()?", text).end()  # type: ignore[union-attr]
    tokens, rows = _square(list(_items(text, begin, bool(places))))
    if rows is not None and len(tokens) != rows * rows and options.box is None and not options.shaped:
        what = f"{plural(rows, 'list')} of {plural(len(tokens) // rows, 'value')}"
        raise FormatError(f"{what}: expected N lists of N; another shape needs a size, such as 6x9", *tokens[0][1:])
    puzzle = puzzle_of(tokens, options, None, rows)
    if "solution" in places:
        full, _ = _square(list(_items(text, places["solution"], True)))
        values = values_of(full, puzzle.board.size, options)
        whole = 0 not in values and len(values) == puzzle.board.cells
        puzzle = replace(puzzle, solution=tuple(values) if whole else None)
    return Reading(puzzle)


def _items(text: str, begin: int, inside: bool) -> Iterator[tuple[int, Token]]:
    """Each value with the number of the list that it stands in, up to where the first bracket closes.

    inside: whether something may follow that
    """
    depth = lists = count = 0
    line, start, at = text.count("\n", 0, begin) + 1, text.rfind("\n", 0, begin) + 1, begin
    while at < len(text) and (not lists or depth):
        match = ITEM.match(text, at)
        if match is None or max(count, lists) > MAX_CELLS:
            what = f"{text[at : at + 10].strip()!r} is not a value" if match is None else f"over {MAX_CELLS} values"
            raise FormatError(f"{what}: expected lists of values", line, at - start + 1)
        line += text.count("\n", at, match.end())
        start, at = max(start, text.rfind("\n", at, match.end()) + 1), match.end()
        depth += bool(match["open"]) - bool(match["close"])
        lists += bool(match["open"])
        value = match["word"] if match["word"] is not None else match["text"] and match["text"][1:-1]
        if value is not None:
            count += 1
            shown = value.partition(".")[0] if FLOAT.fullmatch(value) else value
            yield (
                lists,
                ("." if shown in EMPTY_ITEMS else shown, line, at - len(value) - bool(match["text"]) - start + 1),
            )
            if inside and not lists:  # a text instead of a list
                return
    rest = text[at:].strip(" \t\r\n,;)")
    if depth or (rest and not inside):
        raise FormatError("brackets that do not close" if depth else f"{rest[:20]!r} follows the lists", line, 1)


def _square(items: list[tuple[int, Token]]) -> tuple[list[Token], int | None]:
    if not items:
        raise FormatError("no values in these lists")
    tokens = [token for _, token in items]
    widths = {len(text) for text, _, _ in tokens}
    if len(widths) == 1 and min(widths) > 3:  # a text for each row, or one for all
        cells = [(text[i], line, column + i) for text, line, column in tokens for i in range(len(text))]
        return cells, len(tokens) if len(tokens) > 1 else None
    lengths, side = [*Counter(number for number, _ in items).values()], isqrt(len(items))
    if len(set(lengths)) > 1 or len(lengths) not in (1, len(tokens) // lengths[0]):
        seen = " and ".join(map(str, sorted(set(lengths))[:5]))
        raise FormatError(f"lists of {seen} values, expected N lists of N", *tokens[0][1:])
    return tokens, len(lengths) if len(lengths) > 1 or side * side != len(tokens) else side


SIGN = Detection(fits, "brackets", view=View.ALL)
FORMATS = (Format("lists", "rows of values in brackets, as JSON and programs write them", read, sign=SIGN),)
