"""What a puzzle states, in words: its board, its givens and its marks."""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.variants import BOARDS, REGIONS, Shape, kinds, rule_text
from satdoku.words import plural


def shape(board: Board) -> str:
    """The board in words, without its marks: `9x9 with 3x3 boxes`."""
    parts, name = division(board), str(board.size)
    return f"{name} {'and' if ' with ' in name else 'with'} {' and '.join(parts)}" if parts else name


def division(board: Board) -> list[str]:
    """What divides the board, in words: `irregular regions`, `3x3 boxes`."""
    parts = ["irregular regions"] * any(mark.kind == "region" for mark in board.marks)
    return parts + [f"{mark.value} boxes" for mark in board.marks if mark.kind == "boxes"]


def contents(puzzle: Puzzle, rule: Callable[[Mark], str]) -> list[str]:
    """How many givens there are, and how many marks of each kind; rules of the whole board as `rule` has them."""
    words, every = [plural(puzzle.given_count, "given")], puzzle.board.marks
    inside = (part for mark in every if mark.kind == BOARDS for part in mark.marks)
    marks = [mark for mark in (*every, *inside) if mark.kind not in REGIONS]
    for name, count in Counter(mark.kind for mark in marks).items():
        kind = kinds().get(name)
        if kind is not None and kind.shape is Shape.RULE:
            words += dict.fromkeys(rule(mark) for mark in marks if mark.kind == name)
        else:
            words.append(f"{count} {name if count == 1 or kind is None else kind.plural}")
    return words


def describe(puzzle: Puzzle) -> str:
    """What a puzzle states, in one line: `9x9 with 3x3 boxes, 30 givens, 2 cages, anti-knight`."""
    return ", ".join([shape(puzzle.board), *contents(puzzle, rule_text)])


def records() -> Iterator[dict[str, Any]]:
    """One record a kind, of JSON types: what `satdoku variants --json` writes.

    `presets` maps those aliases that stand for one value to that value.

    >>> next(record for record in records() if record["name"] == "sum-line")["argument"]
    'the total of each part, 10 by default'
    """
    for kind in kinds().all().values():
        yield {
            "name": kind.name,
            "aliases": [alias.name for alias in kind.aliases],
            "presets": {alias.name: alias.value for alias in kind.aliases if alias.value is not None},
            "shape": kind.shape.value,
            "argument": kind.value.described if kind.value else None,
            "sentence": kind.summary,
        }
