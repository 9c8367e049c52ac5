"""Drawings as people paste them: blanks for empty cells, a name before each row, such as `R1:`, names of columns."""

import re
from collections.abc import Sequence
from itertools import pairwise
from string import ascii_uppercase

from satdoku.variants.boxes import Box

NumberedLine = tuple[int, str]  # the number of a line, and the line
DIGITS = frozenset("123456789")
SIZES = range(4, 10)
NAMED = re.compile(r"\s*(?:(?:r(?:ow)?\s*)?(\d{1,3})|([A-Z]))\s*[:)]", re.IGNORECASE)
FIRST = re.compile(r"[\s|]*[^\s|]+")
COLUMNS = re.compile(r"\s*(?:c\d{1,3}\s+)+(?:c\d{1,3}\s*)", re.IGNORECASE)


def unnamed(lines: Sequence[NumberedLine], is_rule: re.Pattern[str]) -> list[NumberedLine]:
    """Lines with blanks for the names of rows before a colon, if these are 1, 2 and so on, or A, B and so on, and
    without a line that names columns."""
    rows = [(number, line) for number, line in lines if not COLUMNS.fullmatch(line)]
    matches = [NAMED.match(line) for _, line in rows if not is_rule.fullmatch(line)]
    if not _count_up([each[1] or each[2] if each else "" for each in matches]):
        return list(lines)
    return _blanked(rows, NAMED, is_rule)


def bare(lines: Sequence[NumberedLine], is_rule: re.Pattern[str]) -> list[NumberedLine] | None:
    """Lines without a first one that counts the columns, such as `1 2 3 4`, one for each row that follows, and with
    blanks for names of rows that stand before no colon; None if there are neither."""
    drawn = ((line.replace("|", " ").split(), number) for number, line in lines if not is_rule.fullmatch(line))
    rows = [(words, number) for words, number in drawn if words]
    if not rows:
        return None
    (first, top), columns = rows[0], len(rows) - 1
    head = len(first if len(first) > 1 else first[0]) == columns and _count_up(first if len(first) > 1 else [*first[0]])
    rest = [(number, line) for number, line in lines if number != top] if head else list(lines)
    if _count_up([words[0] for words, _ in rows[head:]]) and all(len(words) > 1 for words, _ in rows[head:]):
        return _blanked(rest, FIRST, is_rule)
    return unnamed(rest, is_rule) if head else None


def _blanked(lines: Sequence[NumberedLine], name: re.Pattern[str], is_rule: re.Pattern[str]) -> list[NumberedLine]:
    matches = [None if is_rule.fullmatch(line) else name.match(line) for _, line in lines]
    return [
        (number, " " * each.end() + line[each.end() :] if each else line)
        for (number, line), each in zip(lines, matches, strict=True)
    ]


def _count_up(names: Sequence[str]) -> bool:
    """Whether names are 1, 2 and so on, or A, B and so on."""
    numbers = [str(number) for number in range(1, len(names) + 1)]
    letters = [*ascii_uppercase[: len(names)]]
    return len(names) >= min(SIZES) and ([*names] == numbers or [name.upper() for name in names] == letters)


def filled(lines: Sequence[NumberedLine], is_rule: re.Pattern[str]) -> list[NumberedLine] | None:
    """Lines with a dot in each blank cell, where digits leave no doubt which these are; else None.

    As many columns of characters hold a digit as there are rows, columns and rows stand as far apart as others or in
    boxes, so that none is blank, and some row has a blank before its last digit, so that no cells were left out.
    """
    drawn = [(number, line.expandtabs().replace("|", " ")) for number, line in lines if not is_rule.fullmatch(line)]
    used = {column for _, line in drawn for column, character in enumerate(line) if character != " "}
    columns = sorted(used)
    box = Box.of_size(len(drawn)) if len(drawn) in SIZES else None
    if box is None or len(columns) != len(drawn):
        return None
    if not (_regular(columns, box.columns) and _regular([number for number, _ in drawn], box.rows)):
        return None
    if not all(character in DIGITS for _, line in drawn for character in line if character != " "):
        return None
    rows = [(number, [line[column : column + 1].strip() for column in columns]) for number, line in drawn]
    if not any("" in row[: max(place for place, cell in enumerate(row) if cell)] for _, row in rows):
        return None
    dotted = []
    for number, line in lines:
        cells = list(line.expandtabs().ljust(columns[-1] + 1))
        if not is_rule.fullmatch(line):
            for column in columns:
                cells[column] = "." if cells[column] in " |" else cells[column]
        dotted.append((number, "".join(cells)))
    return dotted


def _regular(places: Sequence[int], side: int) -> bool:
    """Whether places are equally far apart, or farther between boxes of so many, all of these equally far."""
    gaps = [later - earlier for earlier, later in pairwise(places)]
    wider = {place: gap for place, gap in enumerate(gaps, 1) if gap > min(gaps)}
    return not wider or (len(set(wider.values())) == 1 and [*wider] == [*range(side, len(places), side)])
