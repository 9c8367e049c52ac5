"""Constraints between all cells that lie so far apart: chess moves, taxicab distances, diagonals."""

import re
from collections.abc import Iterable

from satdoku.constraints import AllDifferent
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Alias, Constraints, Frame, Kinds, Shape, Value, label, needs
from satdoku.variants.relations import adds_up, differs_by, none_of, not_both, number, numbers, pairs, values_listed

# Half of the moves: each pair of cells once. A king's straight moves stay in a row or column.
KNIGHT = ((1, 2), (2, 1), (1, -2), (2, -1))
KING = ((1, 1), (1, -1))

LEAPER = re.compile(r"(\d{1,3}) (\d{1,3})(?: of (\d+(?: \d+)*))?")

KINDS = Kinds()


def _differ(frame: Frame, steps: tuple[Position, ...], piece: str) -> Constraints:
    for first, second in frame.pairs(steps):
        yield AllDifferent(frame.cells((first, second)), f"{piece} {label(first)}-{label(second)}")


def _half(ways: Iterable[Position]) -> tuple[Position, ...]:
    return tuple(sorted({max(step, (-step[0], -step[1])) for step in ways}))


def _around(distance: int) -> tuple[Position, ...]:
    """Half of the steps that are `distance` rows and columns long in all."""
    return _half((down, side * (distance - down)) for down in range(distance + 1) for side in (1, -1))


@KINDS.add("anti-knight", Shape.RULE, fpuzzles="antiknight")
def _knight(frame: Frame, mark: Mark) -> Constraints:
    """Cells a knight's move apart differ."""
    return _differ(frame, KNIGHT, "knight's move")


@KINDS.add("anti-king", Shape.RULE, fpuzzles="antiking")
def _king(frame: Frame, mark: Mark) -> Constraints:
    """Cells a king's move apart differ."""
    return _differ(frame, KING, "king's move")


@KINDS.add(
    "anti-leaper",
    Shape.RULE,
    needs("the two numbers of the move, then perhaps `of` and digits", text=True),
    aliases=tuple(
        Alias(f"anti-{piece}", move)
        for piece, move in (("camel", "1 3"), ("giraffe", "1 4"), ("zebra", "2 3"), ("alfil", "2 2"))
    ),
)
def _leaper(frame: Frame, mark: Mark) -> Constraints:
    """Cells as far apart as the two numbers say, one along rows and one along columns, differ (of 5 9: only those
    digits)."""
    found = LEAPER.fullmatch(str(mark.value))
    if found is None or not int(found[1]) + int(found[2]):
        raise PuzzleError(f"value {mark.value!r}: expected the two numbers of a move, such as 1 3 or 1 3 of 5 9")
    a, b = int(found[1]), int(found[2])
    steps = _half((down, side * right) for down, right in ((a, b), (b, a)) for side in (1, -1))
    name = f"leap by {a} and {b}"
    if found[3] is None:
        return _differ(frame, steps, name)
    return pairs(frame, frame.pairs(steps), not_both(*map(int, found[3].split())), name)


@KINDS.add("anti-queen", Shape.RULE, needs("the digits", several=True))
def _queen(frame: Frame, mark: Mark) -> Constraints:
    """Cells of one diagonal, however far apart, do not hold the same one of the digits listed."""
    steps = tuple((length, side * length) for length in frame.rows[:-1] for side in (1, -1))
    return pairs(frame, frame.pairs(steps), not_both(*values_listed(frame, mark)), "queen's move")


@KINDS.add("taxicab", Shape.RULE, needs("the distance"))
def _taxicab(frame: Frame, mark: Mark) -> Constraints:
    """Cells whose distance in rows and columns together is the number differ."""
    distance = number(mark, positive="a distance of 1 or more")
    return _differ(frame, _around(distance), f"taxicab distance {distance}")


@KINDS.add("anti-taxicab", Shape.RULE, aliases=("self-taxicab",))
def _anti_taxicab(frame: Frame, mark: Mark) -> Constraints:
    """Two cells that hold the same digit are not that digit apart in rows and columns together."""
    if 0 in frame.values:
        raise PuzzleError("a board with the value 0: expected values from 1, which are distances")
    for distance in frame.values:
        # Cells of one row or column differ anyway.
        steps = tuple(step for step in _around(distance) if all(step))
        yield from pairs(frame, frame.pairs(steps), not_both(distance), f"taxicab distance {distance}")


@KINDS.add("knightmare", Shape.RULE, Value(several=True, meaning="the sums, 5 and 15"))
def _knightmare(frame: Frame, mark: Mark) -> Constraints:
    """Cells a knight's move apart add up to none of the sums, 5 and 15 if none are listed."""
    totals = numbers(mark, "sums, with blanks between", (5, 15))
    return pairs(frame, frame.pairs(KNIGHT), none_of(*map(adds_up, totals)), "knight's move")


@KINDS.add("diagonal-nonconsecutive", Shape.RULE, aliases=("dnc",))
def _diagonal(frame: Frame, mark: Mark) -> Constraints:
    """Cells that touch at a corner do not differ by 1."""
    return pairs(frame, frame.pairs(KING), none_of(differs_by(1)), "diagonal neighbours")
