"""Dots and letters between neighbours, and the rules that hold where none is drawn."""

from itertools import pairwise

from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Constraints, Draw, Frame, Kinds, Shape, Strokes, Value, label, needs, relations
from satdoku.variants.relations import Cells, Relation, adds_up, differs_by, in_ratio, none_of, number, numbers, pairs
from satdoku.variants.strokes import INK, PAPER, Disc, Layer, Text, head, middle, toward

NEXT = ((0, 1), (1, 0))
SUMS = {"V": 5, "X": 10}
DOTS = ("difference", "ratio")

KINDS = Kinds()


def _dot(fill: str, usual: int) -> Draw:
    """A dot between two cells, with its value where it is not the usual one."""

    def draw(frame: Frame, mark: Mark) -> Strokes:
        yield Disc(middle(mark.cells), 0.16, fill, INK, Layer.OVER)
        if number(mark, usual) != usual:
            yield Text(middle(mark.cells), str(mark.value), 0.16, INK if fill == PAPER else PAPER)

    return draw


def _number(frame: Frame, mark: Mark) -> Strokes:
    yield Disc(middle(mark.cells), 0.18, PAPER, INK, Layer.OVER)
    yield Text(middle(mark.cells), str(mark.value), 0.16)


def _signs(frame: Frame, mark: Mark) -> Strokes:
    """Between each two cells a sign that is open toward the first, the greater."""
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


@KINDS.add("edge-sum", Shape.CELLS, needs("the sum"), draw=_number, aliases=("xv-sum",))
def _edge_sum(frame: Frame, mark: Mark) -> Constraints:
    """Number in a circle between two cells: they add up to it."""
    return _drawn(frame, mark, adds_up(number(mark)), f"edge sum {number(mark)}")


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
    return Cells(frame.values, frame.cells(mark.cells), name).chain(relations.falls)


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
    """No relation between neighbours that no mark of the kinds in `exempt` joins."""
    joined: set[frozenset[Position]] = {frozenset(mark.cells) for mark in frame.marks if mark.kind in exempt}
    free = (two for two in frame.pairs(NEXT) if frozenset(two) not in joined)
    return pairs(frame, free, none_of(*denied), name)
