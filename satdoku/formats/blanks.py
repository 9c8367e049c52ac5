"""Drawings as people paste them: blanks for empty cells, and a name before each row, such as `R1:`."""

import re
from collections.abc import Sequence
from itertools import pairwise

from satdoku.variants.boxes import Box

Line = tuple[int, str]  # the number of a line, and the line
DIGITS = frozenset("123456789")
SIZES = range(4, 10)
NAMED = re.compile(r"\s*(?:r(?:ow)?\s*)?(\d{1,3})\s*[:)]", re.IGNORECASE)
COLUMNS = re.compile(r"\s*(?:c\d{1,3}\s+)+(?:c\d{1,3}\s*)", re.IGNORECASE)


def unnamed(lines: Sequence[Line], is_rule: re.Pattern[str]) -> list[Line]:
    """Lines with blanks for the names of rows, if these are 1, 2 and so on, and without a line that names columns."""
    rows = [(number, line) for number, line in lines if not COLUMNS.fullmatch(line)]
    matches = [NAMED.match(line) for _, line in rows if not is_rule.fullmatch(line)]
    numbers = [int(each[1]) if each else 0 for each in matches]
    if len(numbers) < min(SIZES) or numbers != [*range(1, len(numbers) + 1)]:
        return list(lines)
    names = (NAMED.match(line) if not is_rule.fullmatch(line) else None for _, line in rows)
    return [
        (number, " " * name.end() + line[name.end() :] if name else line)
        for (number, line), name in zip(rows, names, strict=True)
    ]


def filled(lines: Sequence[Line], is_rule: re.Pattern[str]) -> list[Line] | None:
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
