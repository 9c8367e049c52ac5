"""Dots and letters between neighbours, and rules of all cells that lie so far apart: neighbours without a dot, chess
moves, taxicab distances, diagonals."""

import re
from collections.abc import Iterable
from itertools import pairwise, product

from satdoku.constraints import AllDifferent
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Alias, Constraints, Draw, Frame, Kinds, Shape, Strokes, Value, label, needs, relations
from satdoku.variants.relations import (
    CellList,
    Relation,
    adds_up,
    differs_by,
    in_ratio,
    none_of,
    not_both,
    number,
    numbers,
    pairs,
    values_listed,
)
from satdoku.variants.strokes import INK, PAPER, Disc, Layer, Text, head, middle, toward

NEXT = ((0, 1), (1, 0))
SUMS = {"V": 5, "X": 10}
DOTS = ("difference", "ratio")
TOROIDAL = "toroidal"
KINDS = Kinds()
# Half of the moves: each pair of cells once. Those of a king are the slanting ones.
KNIGHT = ((1, 2), (2, 1), (1, -2), (2, -1))
KING = ((1, 1), (1, -1))
LEAPERS = {"camel": "1 3", "giraffe": "1 4", "zebra": "2 3", "alfil": "2 2"}
LEAPER = re.compile(r"(\d{1,3}) (\d{1,3})(?: of (\d+(?: \d+)*))?")


def _dot(fill: str, usual: int) -> Draw:
    """A dot between two cells, with its value where it is not the usual one."""

    def draw(frame: Frame, mark: Mark) -> Strokes:
        yield Disc(middle(mark.cells), 0.16, fill, INK, Layer.OVER)
        if number(mark, usual) != usual:
            yield Text(middle(mark.cells), str(mark.value), 0.16, INK if fill == PAPER else PAPER)

    return draw


def _signs(frame: Frame, mark: Mark) -> Strokes:
    for first, second in pairwise(mark.cells):
        centre = middle((first, second))
        yield head(first, toward(centre, second, 0.08), INK, 0.04, 0.16)


@KINDS.add("difference", Shape.CELLS, Value(default=1, meaning="the difference"), aliases=("white-dot", "kropki-white"))
@KINDS.also(fpuzzles="difference", draw=_dot(PAPER, 1))
def _difference(frame: Frame, mark: Mark) -> Constraints:
    """White dot: the two digits differ by the number, 1 if it has none."""
    return _drawn(frame, mark, differs_by(number(mark, 1)), f"difference {number(mark, 1)}")


@KINDS.add("ratio", Shape.CELLS, Value(default=2, meaning="the ratio"), aliases=("black-dot", "kropki-black"))
@KINDS.also(fpuzzles="ratio", draw=_dot(INK, 2))
def _ratio(frame: Frame, mark: Mark) -> Constraints:
    """Black dot: one digit is the number times the other, twice it if there is none."""
    return _drawn(frame, mark, in_ratio(number(mark, 2)), f"ratio {number(mark, 2)}")


@KINDS.add("xv", Shape.CELLS, needs("X or V", words=("X", "V")), plural="XVs", fpuzzles="xv")
@KINDS.also(draw=lambda _, mark: [Text(middle(mark.cells), str(mark.value).upper(), 0.22, paper=True, bold=True)])
def _xv(frame: Frame, mark: Mark) -> Constraints:
    """X or V between two cells: they add up to 10 (X) or 5 (V)."""
    word = str(mark.value).upper()
    if word not in SUMS:
        raise PuzzleError(f"{mark.value!r} at {label(mark.cells[0])}: expected X or V")
    return _drawn(frame, mark, adds_up(SUMS[word]), word)


def _draw_sum(frame: Frame, mark: Mark) -> Strokes:
    yield Disc(middle(mark.cells), 0.18, PAPER, INK, Layer.OVER)
    if mark.value is not None:
        yield Text(middle(mark.cells), str(mark.value), 0.16)


@KINDS.add("edge-sum", Shape.CELLS, Value(meaning="the sum"), aliases=("xv-sum",), draw=_draw_sum)
def _edge_sum(frame: Frame, mark: Mark) -> Constraints:
    """Number in a circle between two cells: they add up to it; an empty circle joins them, so that rules about
    neighbours without a sum leave them out."""
    total = None if mark.value is None else number(mark)
    joined = _drawn(frame, mark, adds_up(total or 0), f"edge sum {total}")
    return iter(()) if total is None else joined


@KINDS.add("edge-product", Shape.CELLS, needs("the product"))
@KINDS.also(draw=lambda _, mark: [Text(middle(mark.cells), f"\u00d7{mark.value}", 0.18, paper=True)])
def _edge_product(frame: Frame, mark: Mark) -> Constraints:
    """\u00d7 and a number between two cells: they multiply to it."""
    return _drawn(frame, mark, relations.multiplies(number(mark)), f"edge product {number(mark)}")


def _drawn(frame: Frame, mark: Mark, relation: Relation, name: str) -> Constraints:
    if len(mark.cells) != 2:
        raise PuzzleError(f"{len(mark.cells)} cells at {label(mark.cells[0])}: expected two")
    return pairs(frame, [mark.cells], relation, name)


@KINDS.add("greater-than", Shape.CELLS, plural="greater-than signs", draw=_signs, aliases=("inequality",))
def _greater_than(frame: Frame, mark: Mark) -> Constraints:
    """Sign between two cells: it is open toward the greater digit, which is listed first."""
    if len(mark.cells) < 2:
        raise PuzzleError(f"one cell at {label(mark.cells[0])}: expected two or more")
    name = f"greater than at {label(mark.cells[0])}"
    return CellList(frame.values, frame.cells(mark.cells), name).chain(relations.falls)


@KINDS.add("nonconsecutive", Shape.RULE, fpuzzles="nonconsecutive")
def _nonconsecutive(frame: Frame, mark: Mark) -> Constraints:
    """Neighbours that no dot joins do not differ by 1."""
    return _elsewhere(frame, DOTS, "nonconsecutive", differs_by(1))


@KINDS.add("negative-ratio", Shape.RULE, fpuzzles="negative ratio")
def _no_ratio(frame: Frame, mark: Mark) -> Constraints:
    """Neighbours that no dot joins are in none of the ratios drawn (2 if none is)."""
    # Every ratio that is drawn somewhere is what its absence denies; 2 where none is.
    factors = sorted({number(other, 2) for other in frame.marks if other.kind == "ratio"} or {2})
    return _elsewhere(frame, DOTS, "no ratio", *map(in_ratio, factors))


@KINDS.add("negative-xv", Shape.RULE, fpuzzles="negative xv")
def _no_xv(frame: Frame, mark: Mark) -> Constraints:
    """Neighbours that no X or V joins add up to neither 10 nor 5."""
    return _elsewhere(frame, ("xv",), "no X or V", *map(adds_up, SUMS.values()))


@KINDS.add("negative-difference", Shape.RULE, needs("the differences", several=True))
def _no_difference(frame: Frame, mark: Mark) -> Constraints:
    """Neighbours that no dot joins do not differ by any of the numbers."""
    apart = numbers(mark, "differences, with blanks between")
    return _elsewhere(frame, DOTS, f"no difference {mark.value}", *map(differs_by, apart))


@KINDS.add("negative-sum", Shape.RULE, needs("the sums", several=True))
def _no_sum(frame: Frame, mark: Mark) -> Constraints:
    """Neighbours that no sum, X or V joins add up to none of the numbers."""
    totals = numbers(mark, "sums, with blanks between")
    return _elsewhere(frame, ("xv", "edge-sum"), f"no sum {mark.value}", *map(adds_up, totals))


def _elsewhere(frame: Frame, exempt: tuple[str, ...], name: str, *denied: Relation) -> Constraints:
    joined: set[frozenset[Position]] = {frozenset(mark.cells) for mark in frame.marks if mark.kind in exempt}
    free = (two for two in _apart(frame, NEXT) if frozenset(two) not in joined)
    return pairs(frame, free, none_of(*denied), name)


def _wraps(frame: Frame) -> bool:
    return any(mark.kind == TOROIDAL for mark in frame.marks)


def _apart(frame: Frame, steps: tuple[Position, ...]) -> Iterable[tuple[Position, Position]]:
    """Each two cells that are one of the steps apart, over the edges too on a toroidal board."""
    if not _wraps(frame):
        return frame.pairs(steps)
    rows, columns = frame.size.rows, frame.size.columns
    distinct_pairs: dict[frozenset[Position], tuple[Position, Position]] = {}
    for (row, column), (down, right) in product(product(frame.rows, frame.columns), steps):
        two = (row, column), ((row - 1 + down) % rows + 1, (column - 1 + right) % columns + 1)
        if two[0] != two[1]:
            distinct_pairs.setdefault(frozenset(two), two)
    return distinct_pairs.values()


@KINDS.add(TOROIDAL, Shape.RULE, plural="toroidal", aliases=("wraparound",))
def _toroidal(frame: Frame, mark: Mark) -> Constraints:
    """The grid goes on beyond its edges, where its other side begins: so it does for other rules about neighbours,
    chess moves and distances, which are those of the shortest way."""
    return iter(())


def _differ(frame: Frame, steps: tuple[Position, ...], piece: str) -> Constraints:
    for first, second in _apart(frame, steps):
        yield AllDifferent(frame.cells((first, second)), f"{piece} {label(first)}-{label(second)}")


def _no_two(values: Iterable[int]) -> str:
    return f"no two {' or '.join(f'{value}s' for value in values)}"


def _half(ways: Iterable[Position]) -> tuple[Position, ...]:
    return tuple(sorted({max(step, (-step[0], -step[1])) for step in ways}))


def _around(frame: Frame, distance: int) -> tuple[Position, ...]:
    steps = _half((down, side * (distance - down)) for down in range(distance + 1) for side in (1, -1))
    if not _wraps(frame):
        return steps
    rows, columns = frame.size.rows, frame.size.columns  # beyond half of them another way is shorter
    return tuple(step for step in steps if 2 * abs(step[0]) <= rows and 2 * abs(step[1]) <= columns)


@KINDS.add("anti-knight", Shape.RULE, fpuzzles="antiknight")
def _knight(frame: Frame, mark: Mark) -> Constraints:
    """Cells a knight's move apart differ."""
    return _differ(frame, KNIGHT, "knight's move")


@KINDS.add("anti-king", Shape.RULE, fpuzzles="antiking")
def _king(frame: Frame, mark: Mark) -> Constraints:
    """Cells a king's move apart differ."""
    return _differ(frame, KING if frame.lined else (*NEXT, *KING), "king's move")


@KINDS.add("anti-leaper", Shape.RULE, needs("the two numbers of the move, then perhaps `of` and digits", text=True))
@KINDS.also(aliases=tuple(Alias(f"anti-{piece}", move) for piece, move in LEAPERS.items()))
def _leaper(frame: Frame, mark: Mark) -> Constraints:
    """Cells as far apart as the two numbers say, one along rows and one along columns, differ (of 5 9: only those
    digits)."""
    move = LEAPER.fullmatch(str(mark.value))
    if move is None or not int(move[1]) + int(move[2]):
        raise PuzzleError(f"value {mark.value!r}: expected the two numbers of a move, such as 1 3 or 1 3 of 5 9")
    a, b = int(move[1]), int(move[2])
    steps = _half((down, side * right) for down, right in ((a, b), (b, a)) for side in (1, -1))
    name = f"leap by {a} and {b}"
    if move[3] is None:
        return _differ(frame, steps, name)
    values = tuple(map(int, move[3].split()))
    return pairs(frame, _apart(frame, steps), not_both(*values), f"{_no_two(values)} a {name} apart")


@KINDS.add("anti-queen", Shape.RULE, needs("the digits", several=True))
def _queen(frame: Frame, mark: Mark) -> Constraints:
    """Cells of one diagonal, however far apart, do not hold the same one of the digits listed."""
    steps = tuple((length, side * length) for length in frame.rows[:-1] for side in (1, -1))
    values = values_listed(frame, mark)
    return pairs(frame, _apart(frame, steps), not_both(*values), f"{_no_two(values)} a queen's move apart")


@KINDS.add("taxicab", Shape.RULE, needs("the distance"))
def _taxicab(frame: Frame, mark: Mark) -> Constraints:
    """Cells whose distance in rows and columns together is the number differ."""
    distance = number(mark, positive="a distance of 1 or more")
    return _differ(frame, _around(frame, distance), f"taxicab distance {distance}")


@KINDS.add("anti-taxicab", Shape.RULE, aliases=("self-taxicab",))
def _anti_taxicab(frame: Frame, mark: Mark) -> Constraints:
    """Two cells that hold the same digit are not that digit apart in rows and columns together."""
    if 0 in frame.values:
        raise PuzzleError("a board with the value 0: expected values from 1, which are distances")
    for distance in frame.values:
        # Cells of one row or column differ anyway, where rows and columns repeat no digit.
        steps = tuple(step for step in _around(frame, distance) if all(step) or not frame.lined)
        name = f"{_no_two((distance,))} at taxicab distance {distance}"
        yield from pairs(frame, _apart(frame, steps), not_both(distance), name)


@KINDS.add("knightmare", Shape.RULE, Value(several=True, meaning="the sums, 5 and 15"))
def _knightmare(frame: Frame, mark: Mark) -> Constraints:
    """Cells a knight's move apart add up to none of the sums, 5 and 15 if none are listed."""
    totals = numbers(mark, "sums, with blanks between", (5, 15))
    name = f"no sum of {' or '.join(map(str, totals))} a knight's move apart"
    return pairs(frame, _apart(frame, KNIGHT), none_of(*map(adds_up, totals)), name)


@KINDS.add("diagonal-nonconsecutive", Shape.RULE, aliases=("dnc",))
def _diagonal_neighbours(frame: Frame, mark: Mark) -> Constraints:
    """Cells that touch at a corner do not differ by 1."""
    return pairs(frame, _apart(frame, KING), none_of(differs_by(1)), "nonconsecutive diagonal neighbours")
