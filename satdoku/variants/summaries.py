"""What a puzzle states, in words: its board, its givens and its marks."""

from collections import Counter
from collections.abc import Callable

from satdoku.puzzle import Mark, Puzzle
from satdoku.variants import REGIONS, Shape, kinds, rule_text, shape
from satdoku.words import plural


def contents(puzzle: Puzzle, rule: Callable[[Mark], str]) -> list[str]:
    """How many givens there are, and how many marks of each kind; rules of the whole board as `rule` has them."""
    words, marks = [plural(puzzle.given_count, "given")], [m for m in puzzle.board.marks if m.kind not in REGIONS]
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
