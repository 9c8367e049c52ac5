"""What is not a Sudoku grid: variables beside it, and grids whose rows and columns may repeat digits."""

import re
from collections.abc import Callable, Iterator
from functools import partial

from satdoku.errors import PuzzleError
from satdoku.puzzle import MAX_VALUES, Mark, Size
from satdoku.variants import FREE, Constraints, Frame, Kinds, Shape, Strokes, needs
from satdoku.variants.strokes import DARK, GREY, Layer, Line, Text, square

DECLARED = re.compile(r"([A-Z]{1,8})(?: ([1-9]\d{0,3}))?(?:: ?([-\d ]+))?")
RANGE = re.compile(r"(\d{1,4})(?:-(\d{1,4}))?")
MAX_VARIABLES = 1024  # of one mark
MEANING = "a name in capitals, perhaps how many, perhaps their values: A, or S 24: 1-9"
VARIABLE = "variable"
KINDS = Kinds()


def names(text: str) -> tuple[str, ...]:
    """The names that the value of a mark declares: `A`, or of several `S1`, `S2` and so on; raises PuzzleError.

    >>> names("S 2: 1 3")
    ('S1', 'S2')
    """
    match = DECLARED.fullmatch(text)
    if match is None or int(match[2] or 1) > MAX_VARIABLES:
        raise PuzzleError(f"value {text[:40]!r}: expected {MEANING}")
    many = int(match[2] or 1)
    return (match[1],) if many == 1 else tuple(f"{match[1]}{number}" for number in range(1, many + 1))


def values_of(size: Size, text: str) -> int:
    """The values that the value of a mark states, those of the board unless it does, as a set of values from 1."""
    stated = text.partition(":")[2]
    if not stated:
        return size.candidates(size.digits)
    least, most = size.digits[0], size.digits[0] + MAX_VALUES - 1
    values: set[int] = set()
    for word in stated.split():
        ends = RANGE.fullmatch(word)
        first, last = (int(ends[1]), int(ends[2] or ends[1])) if ends else (0, -1)
        if not least <= first <= last <= most:
            raise PuzzleError(f"values {word!r}: expected some of {least} to {most}, such as {least}-{least + 8}")
        values.update(range(first, last + 1))
    return size.candidates(values)


def _made(frame: Frame, mark: Mark) -> Iterator[tuple[str, Callable[[], int]]]:
    values = values_of(frame.size, str(mark.value))
    for name in names(str(mark.value)):
        yield name, partial(frame.auxiliary_of, values)


def _draw(frame: Frame, mark: Mark) -> Strokes:
    """A square with its name for each."""
    for place, name in zip(mark.cells, names(str(mark.value)), strict=True):
        yield Line(square(place, 0.45), GREY, 0.03, closed=True, layer=Layer.GRID)
        yield Text((place[0] - 0.3, place[1] - 0.42), name, 0.17, DARK, "start")


@KINDS.add(VARIABLE, Shape.RULE, needs(MEANING, text=True), plural="variables", names=_made, draw=_draw)
def _variable(frame: Frame, mark: Mark) -> Constraints:
    """A number beside the grid, to be found, which marks may name as they name a cell; it has the values of a cell, or
    others that are stated. A grid is one solution, however many values of variables fit it."""
    return iter(())


@KINDS.add(FREE, Shape.RULE, plural=FREE)
def _free(frame: Frame, mark: Mark) -> Constraints:
    """Rows and columns may hold a digit more than once: the other marks alone say what cells hold."""
    return iter(())
