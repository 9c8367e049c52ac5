"""Kinds of marks, each checked by one function."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from satdoku.api.marks import of
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position, Puzzle, Size
from satdoku.referee import violations
from satdoku.testing.searches import Fault, described
from satdoku.variants import FREE, Kind, build, kinds

SIZES = (Size.of(4), Size.of(4, values=range(4)), Size.of(5))
FILLINGS = 8  # of the cells of a board with one mark


def check_kind(
    kind: str | Kind,
    obeys: Callable[[Mark, Mapping[Position, int]], bool],
    draw: Callable[[Random, Size], Mark],
    *,
    marks: int = 100,
    start: int = 0,
) -> None:
    """Check that the constraints of a kind of mark hold where a mark is obeyed, and nowhere else.

    The boards are 4x4 and 5x5, some with the values from 0; they have no boxes, and rows may repeat values. Each has
    one mark, and is filled at random several times, at times with few values.

    Parameters:
        kind: a Kind, or the name of one; not one whose marks say more of a cell than its value, such as shading.
        obeys: whether a filling, the value at each (row, column), obeys a mark: what the kind means, written without
            its constraints.
        draw: makes a random mark of the kind on a board of a size. One that the kind refuses is left out.
        marks: how many marks.
        start: the number of the first one; the same numbers give the same marks.

    Raises:
        Fault: the constraints and `obeys` differ; or no filling obeyed a mark, or each did.
        InputError: there is no kind of that name, or another one has the name of this.

    Example:
        >>> from satdoku.puzzle import Mark
        >>> from satdoku.testing import check_kind
        >>> def draw(random, size):
        ...     row, column = random.randint(1, size.rows), random.randint(1, size.columns - 1)
        ...     return Mark("difference", ((row, column), (row, column + 1)), value=random.randint(1, 2))
        >>> def obeys(mark, at):
        ...     first, second = map(at.get, mark.cells)
        ...     return abs(first - second) == mark.value
        >>> check_kind("difference", obeys, draw, marks=20)
    """
    of(kinds().find(kind))
    answers: set[bool] = set()
    for number in range(start, start + marks):
        random = Random(number)
        size = random.choice(SIZES)
        mark = draw(random, size)
        try:
            board = build(size, (Mark(FREE), mark))
        except PuzzleError:
            continue
        for _ in range(FILLINGS):
            few = size.digits[: random.choice((2, len(size.digits)))]
            at = {position: random.choice(few) for position in size.positions}
            filled = Puzzle.from_givens(board, list(map(size.inner, at.values())))
            held = next(violations(filled, filled.givens), None) is None
            if held is not obeys(mark, at):
                what = "hold, and it is not obeyed" if held else "do not hold, and it is obeyed"
                raise Fault(f"mark {number}: the constraints of {mark} {what}; {described(filled)}")
            answers.add(held)
    if len(answers) < 2:
        raise Fault(f"of {marks} marks {'each' if True in answers else 'none'} was obeyed by every filling compared")
