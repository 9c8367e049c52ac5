"""Several grids in one text, with blank lines, headings or rules between them."""

import re
from collections.abc import Callable
from itertools import pairwise

from satdoku.formats.grid import PLAIN, RULE
from satdoku.formats.tidy import is_prose, tidied
from satdoku.limits import MAX_PLAIN

BORDER = re.compile(r"\s*\*[-=*]+\*?\s*")
EMPTY = ".0"

MIN_ROWS = 4

Row = tuple[int, list[str]]  # the number of a line, and its cells without what is drawn


def parts(text: str) -> list[tuple[int, str]]:
    """The puzzles of a text, each with the number of its first line; nothing unless these are several whole grids. Each
    has as many rows as cells in a row, and something stands between it and the next one."""
    if len(text) > MAX_PLAIN:
        return []
    lines = [line.translate(PLAIN) for line in tidied(text).splitlines()]
    grids = _grids(lines, "".join) or _grids(lines, None)
    if len(grids) < 2 or extends(grids):
        return []
    # What is drawn above the first row of a grid belongs to it.
    starts = [_above(lines, grid[0][0]) for grid in grids]
    ends = [start - 1 for start in starts[1:]] + [len(lines)]
    originals = text.splitlines()
    return [(start, "\n".join(originals[start - 1 : end])) for start, end in zip(starts, ends, strict=True)]


def _grids(lines: list[str], join: Callable[[list[str]], str] | None) -> list[list[Row]]:
    """The grids, if there is nothing else; a cell is a token, or a character of the tokens joined."""
    grids: list[list[Row]] = []
    apart = True  # whether something stands above that may end a grid
    for number, line in enumerate(lines, 1):
        if RULE.fullmatch(line) and line.strip():
            apart = apart or set(line.strip()) == {"-"}
            continue
        if not line.strip() or line.lstrip().startswith("#") or is_prose(line) or BORDER.fullmatch(line):
            apart = True
            continue
        tokens = line.replace("|", " ").split()
        cells = list(join(tokens)) if join else tokens
        if not grids or len(grids[-1]) == len(grids[-1][0][1]):
            if not apart or len(cells) < MIN_ROWS:
                return []
            grids.append([])
        grids[-1].append((number, cells))
        if len(cells) != len(grids[-1][0][1]):
            return []
        apart = False
    return grids if grids and len(grids[-1]) == len(grids[-1][0][1]) else []


def _above(lines: list[str], start: int) -> int:
    while (
        start > 1 and lines[start - 2].strip() and (RULE.fullmatch(lines[start - 2]) or BORDER.match(lines[start - 2]))
    ):
        start -= 1
    return start


def extends(grids: list[list[Row]]) -> bool:
    """Whether each grid is the one before it with more digits, as solvers print them: only the first is a puzzle."""
    flat = [[cell for _, cells in grid for cell in cells] for grid in grids]
    return any(one != two for one, two in pairwise(flat)) and all(
        len(one) == len(two) and all(a in EMPTY or a == b for a, b in zip(one, two, strict=True))
        for one, two in pairwise(flat)
    )
