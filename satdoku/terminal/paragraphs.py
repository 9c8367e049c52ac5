"""Sentences and lists in lines that a terminal holds."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from satdoku.formats.walls import WIDTH
from satdoku.puzzle import Board, members

SENTENCES = {
    "unique": "unique: the puzzle has exactly one solution",
    "multiple": "multiple: the puzzle has more than one solution, here are two",
    "unsolvable": "unsolvable: the puzzle has no solution",
    "undecided": "undecided: the search was stopped by its timeout",
    "minimal": "minimal: the puzzle has exactly one solution, and more without any one given",
}
"""What verdicts and the claims of certificates say."""


def sentence_lines(text: str, indent: int = 0) -> list[str]:
    """A sentence in lines; those after the first are indented."""
    return wrap(text, WIDTH - 1, subsequent_indent=" " * indent, break_on_hyphens=False)


def listed(label: str, items: Iterable[str]) -> list[str]:
    """The items, with commas between them, none broken, in lines; nothing if there are none."""
    glued = [item.replace(" ", "\0") for item in items]
    if not glued:
        return []
    return [text.replace("\0", " ") for text in sentence_lines(label + ", ".join(glued), 2)]


def by_cell(board: Board, sets: Sequence[int]) -> list[str]:
    """`r1c2 3 5` for each cell whose set of values is not empty."""
    return [
        f"{board.label(cell)} {' '.join(map(str, members(allowed)))}" for cell, allowed in enumerate(sets) if allowed
    ]
