"""The rules of a board in words: a sentence about rows, columns and boxes, then one for each kind of mark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from satdoku.puzzle import Mark, Size
from satdoku.variants import FREE, REGIONS, Shape, kinds
from satdoku.variants.placed import placed


def rules(size: Size, marks: Sequence[Mark]) -> list[str]:
    """The sentences, each once."""
    boards = [_houses(board.size, board.marks) for board in placed(marks)]
    return list(dict.fromkeys([*(boards or [_houses(size, marks)]), *_stated(marks)]))


def _houses(size: Size, marks: Sequence[Mark]) -> str:
    box = next((f"{mark.value} box" for mark in marks if mark.kind == "boxes"), None)
    region = "region" if any(mark.kind == "region" for mark in marks) else None
    lines = [] if any(mark.kind == FREE for mark in marks) else ["row", "column"]
    names = [*lines, *filter(None, (box, region))]
    digits = f"{size.digits[0]} to {size.digits[-1]}"
    if not names:
        return f"Digits are {digits}."
    if len(names) == 1:
        return f"No {names[0]} holds a digit twice; digits are {digits}."
    if size.rows == size.columns == len(size.digits):
        return f"Each {', '.join(names[:-1])} and {names[-1]} holds {digits} once."
    return f"No {', '.join(names[:-1])} or {names[-1]} holds a digit twice; digits are {digits}."


def _stated(marks: Iterable[Mark]) -> Iterator[str]:
    for mark in marks:
        if mark.kind not in REGIONS:
            yield sentence_of(mark)
        yield from _stated(mark.marks)


def sentence_of(mark: Mark) -> str:
    """What marks of its kind say, with the value if it holds for the whole board."""
    kind = kinds()[mark.kind]
    valued = kind.shape is Shape.RULE and mark.value is not None
    return f"{kind.summary} ({mark.value})" if valued else kind.summary
