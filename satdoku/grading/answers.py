"""The grid in an answer: a text as language models and people write them, or values.

Of a text the last grid counts, since answers begin with the puzzle and with what was tried: that between the last
`<answer>` and `</answer>`, where there is one. A grid is rows on lines of their own, all cells on one line, or a list
as of JSON.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from operator import index

from satdoku.constraints import Grid
from satdoku.errors import excerpt
from satdoku.formats.cells import ALWAYS_EMPTY, EMPTY_WHEN_ALONE
from satdoku.inputs.arrays import listed
from satdoku.limits import MAX_PLAIN
from satdoku.puzzle import Board
from satdoku.words import plural

TAG, END_TAG = "<answer>", "</answer>"
EMPHASIS = re.compile(r"(?:\*\*|__|`)(\w{1,40})(?:\*\*|__|`)")
BULLET = re.compile(r"(?:[-*+>\u2022]\s+)?[|\s]*")
LABEL = re.compile(
    r"""["'*]*(?:(?:row|r|line)[\s_]?\d{1,3}\s?[:.)=|]?|[a-z](?:\s?[:.)|]|\s)|\d{1,3}\s?(?:[:)|]|\.\s))(?:["':\s]|\*\*(?=[:\s]))*""",
    re.IGNORECASE,
)
ROW = re.compile(r"""\b(?:row|r|line)[\s_]?\d{1,3}["'\s]*[:=]""", re.IGNORECASE)  # amid a line
OTHER_HOUSE = re.compile(r"""["'*\->\s]*(?:col(?:umn)?|box|block|region|square)s?[\s_]?\d""", re.IGNORECASE)
SEPARATOR = re.compile(r"[-+=|:~\u2500-\u257f\s]*|\\hline")
BETWEEN = re.compile(r"[\\|,;&/\[\](){}'\"\s\u2500-\u257f]+")
NOTHING = ("null", "None", "nan", "NaN")
HTML = re.compile(r"</?[a-z][\w-]{0,20}(?:\s[^<>\n]{0,80})?>", re.IGNORECASE)
LISTED = re.compile(r"[\[\]]|[^\W\d_]+")  # brackets, and words, which end a list


@dataclass(frozen=True, slots=True)
class Taken:
    """What an answer was taken for.

    grid: a value of 1..N for each cell, 0 where it is empty; None where no grid was found
    text: what of the answer that is, or why there is none, for people
    """

    grid: Grid | None
    text: str


@dataclass(frozen=True, slots=True)
class _Found:
    start: int  # the lines on which it begins and ends, from 0
    end: int
    grid: Grid
    text: str


def taken(answer: object, board: Board) -> Taken:
    """The grid of an answer to a puzzle of this board; what cannot be understood gives none, and never an error."""
    if answer is None:
        return Taken(None, "no answer")
    reader = _reader(board)
    if not isinstance(answer, str):
        return reader.of_values(answer)
    compact = answer.strip()
    if len(compact) == board.cells:  # nearly always, in a tenth of the time
        values = reader.of_words([compact])
        if values is not None:
            return Taken(values, f"{board.cells} cells on one line")
    if board.layers:
        return Taken(None, f"an answer also has {', '.join(board.layers)}: give all {board.cells} values as a list")
    return _of_text(answer[-MAX_PLAIN:], reader)


@lru_cache(maxsize=64)
def _reader(board: Board) -> _Cells:
    return _Cells(board)


def _of_text(text: str, reader: _Cells) -> Taken:
    end = text.lower().rfind(END_TAG)
    start = text.lower().rfind(TAG, 0, end) if end >= 0 else -1
    if start >= 0:
        inside = _last(text[start + len(TAG) : end], text.count("\n", 0, start), reader)
        if inside.grid is not None:
            return Taken(inside.grid, f"{inside.text} in {TAG}")
    return _last(text, 0, reader)


def _last(text: str, before: int, reader: _Cells) -> Taken:
    """The last grid of a text, which begins behind so many lines."""
    text = HTML.sub(" ", text)
    rows = list(_rows(text, reader))
    grids = [*(one for one in rows if one.grid), *_lists(text, reader)]
    if not grids:
        board, most = reader.board, max((one.end for one in rows), default=0)
        partly = (
            f"at most {plural(most, 'row')} of {board.columns} cells one after the other, expected" if most else "no"
        )
        return Taken(
            None, f"{partly} {board.size.rows} rows of {board.columns} cells" if most else "no grid in the text"
        )
    last = max(grids, key=lambda one: (one.end, one.start))
    start, end = last.start + before + 1, last.end + before + 1
    where = f"on line {end}" if start == end else f"on lines {start} to {end}"
    others = sum(one.end < last.start for one in grids)
    return Taken(last.grid, f"{last.text} {where}" + f", the last of {others + 1} grids" * bool(others))


def _rows(text: str, reader: _Cells) -> Iterator[_Found]:
    """Grids of rows that stand below each other, of each run of rows the last, and grids on one line. Runs that are too
    short come without a grid, `end` being how many rows they have."""
    size, whole = reader.board.size.rows, reader.board.cells
    widths = list(Counter(row for row, _ in reader.board.size.positions).values())  # of several boards rows differ
    run: list[tuple[int, Grid]] = []
    for number, line in enumerate([*text.splitlines(), "end"]):
        values = reader.of_line(line)
        if values is None or len(values) != whole:
            values = reader.within(line) or values
        if values is not None and len(values) == whole and size > 1:
            yield _Found(number, number, values, f"{whole} cells")
            values = None
        if values is not None and len(values) in widths:
            run.append((number, values))
            continue
        if SEPARATOR.fullmatch(line):
            continue
        last = run[-size:]
        if [len(row) for _, row in last] == widths:
            grid = tuple(value for _, row in last for value in row)
            which = f"the last {size} of {len(run)} rows" if len(run) % size else f"{size} rows"
            yield _Found(last[0][0], last[-1][0], grid, which)
        elif run:
            yield _Found(0, len(run), (), "")
        run = []


def _lists(text: str, reader: _Cells) -> Iterator[_Found]:
    """Lists in brackets, or lists of such rows."""
    depth = start = 0
    for match in LISTED.finditer(text):
        word = match.group()
        if word == "[":
            depth, start = depth + 1, start if depth else match.start()
        elif word == "]" and depth:
            depth -= 1
            values = None if depth else reader.of_line(text[start : match.end()])
            if values is not None and len(values) == reader.board.cells:
                first, last = text.count("\n", 0, start), text.count("\n", 0, match.end())
                yield _Found(first, last, values, f"a list of {len(values)} values")
        elif word not in NOTHING and word not in reader.blank:
            depth = 0


class _Cells:
    """Reads the cells of a board."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.widths = {board.cells, *Counter(row for row, _ in board.size.positions).values()}
        digits = board.size.digits
        self.blank = (ALWAYS_EMPTY | EMPTY_WHEN_ALONE) - ({"0"} if 0 in digits else set())
        self._known = dict.fromkeys((*self.blank, *NOTHING), 0)
        self._known |= {str(digit): value for value, digit in enumerate(digits, 1)}
        self._single = digits[-1] <= 9  # whether each character may be a cell

    def of_words(self, words: list[str]) -> Grid | None:
        """The values of words, each a cell, or a row of one character a cell; None if there are others."""
        values: list[int] = []
        known = self._known
        for word in words:
            value = known.get(word)
            if value is not None:
                values.append(value)
            elif self._single and len(word) > 1 and not word.isalpha():
                some = list(map(known.get, word))
                if None in some:
                    return None
                values += some  # type: ignore[arg-type]  # none is None
            else:
                return None
        return tuple(values)

    def of_line(self, line: str) -> Grid | None:
        """The values of a line with as many cells as a row or the grid, also behind a bullet, the name of a row or the
        words before a colon."""
        line = line.strip()
        if len(line) < min(self.widths) or SEPARATOR.fullmatch(line) or OTHER_HOUSE.match(line):
            return None
        if "|" in line:
            fields = [field.strip() for field in line.strip("|").split("|")]
            if len(fields) == self.board.columns and all(len(field.split()) < 2 for field in fields):
                return self.of_words(
                    [field.strip("*`") or "." for field in fields]
                )  # a table, in which cells are empty
        for part in dict.fromkeys(_parts(line)):
            values = self.of_words([word for word in BETWEEN.split(part) if word])
            if values and len(values) in self.widths:
                return values
        return None

    def within(self, line: str) -> Grid | None:
        """The last grid in a line of words: cells, or rows, that stand one after the other."""
        cells = self.board.cells
        if len(line) < cells:
            return None
        last: Grid | None = None
        run: Grid = ()
        for word in [*BETWEEN.split(ROW.sub(" ", line)), "end"]:
            bare = word.rstrip(".:!") if len(word) > 1 else word  # the end of a sentence
            values = self.of_words([bare]) if bare else ()
            if values is not None and len(values) != cells:
                run = (run + values)[: cells + 1]  # longer ones are none
                continue
            last = values or (run if len(run) == cells else last)
            run = ()
        return last

    def of_values(self, answer: object) -> Taken:
        """Values one after the other or in rows, None for an empty cell."""
        given = listed(answer)
        if not isinstance(given, list | tuple):
            return Taken(None, f"{excerpt(answer)} is neither a text nor values")
        cells: list[object] = []
        for entry in given:
            row = listed(entry)
            if isinstance(row, str) and self._single and len(row) == self.board.columns:
                row = list(row)
            cells += row if isinstance(row, list | tuple) else [row]
        board, values = self.board, []
        if len(cells) != board.cells:
            return Taken(None, f"{plural(len(cells), 'value')}, expected {board.cells}")
        for cell, entry in enumerate(cells):
            value = self._known.get(_word(entry))
            if value is None:
                return Taken(None, f"{board.label(cell)} is {excerpt(entry)}, expected one of {board.size.span}")
            values.append(value)
        return Taken(tuple(values), f"{board.cells} values")


def _parts(line: str) -> Iterator[str]:
    """What of a line may be its cells: all of it, or what is behind a bullet, the name of a row or a colon."""
    for plain in dict.fromkeys((line, EMPHASIS.sub(r"\1", line))):
        bare = plain[BULLET.match(plain).end() :]  # type: ignore[union-attr]  # it fits nothing, too
        label = LABEL.match(bare)
        yield from (plain, bare, bare[label.end() :] if label else "", plain.rpartition(":")[2])


def _word(entry: object) -> str:
    if isinstance(entry, str | None):
        return "." if entry in (None, "") else str(entry).strip()
    if isinstance(entry, float):
        return "." if entry != entry else str(int(entry)) if entry.is_integer() else ""
    try:
        return str(index(entry))  # type: ignore[arg-type]  # raises TypeError
    except TypeError:
        return ""
