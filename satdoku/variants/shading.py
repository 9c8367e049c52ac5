"""Cells that the solver shades, and stars that it places: what a solution says of each cell besides its digit.

Yin-yang: where no 2x2 window has one shade and both shades are connected, a ring of cells of one shade encloses all
cells of the other. So the cells of each shade form a tree; only those of the border, if all have one shade, are a ring,
which is cut between r1c1 and r1c2. Each cell has as auxiliary value its steps in that tree from the first cell of its
shade in reading order, modulo 3: exactly one neighbour of its shade is one step nearer, the others are one step
farther, and the first cell has none nearer. That is enough: among cells that are not connected with the first of their
shade each has a nearer neighbour, so that some form a ring. Those of the other shade inside form a smaller ring, or
have the first cell of their shade among them. All cells before that one in reading order have the shade of the
innermost ring, a whole row of them above it: it is connected with the cell at the top left, the first of its shade.

Cave: likewise each cell of the cave has its steps from the first one modulo 3, each shaded cell those from the edge of
the grid modulo 5. Neighbours in the cave are one step apart, shaded ones at most one. Four cells of one shade that form
a 2x2 window so agree without the modulus, and with them all within a ring of one shade that encloses no other shade:
where each cell of a ring is one step farther than the next, other cells are within. From there steps lead to a smaller
ring, or to the first cell of the cave. So the smallest ring is shaded and has the first cell within, which leaves no
ring of the cave: it would reach higher than its first cell. Then the cave is connected, and all other cells around that
shaded ring are shaded, up to the edge, whose steps are none: there is no such ring.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, chain, pairwise, product
from operator import eq

from satdoku.constraints import Automaton, Linear, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Constraints, Frame, Kinds, Shape, Value, label, needs
from satdoku.variants.connected import STEPS, beginning, connected, farther, link, stepped
from satdoku.variants.drawing import ringed
from satdoku.variants.relations import CellList, none_of, number, only, same_unless, text_of
from satdoku.variants.relations import are as pair_is

SHADING, STARS = "shading", "stars"
SHADES = ("SHADED", "UNSHADED")
NONE, OFF, ANY = -1, -2, "?"
EDGE_STEPS = 5  # the steps of shaded cells from the edge of a cave are known modulo this
KINDS = Kinds()


def _names(layer: str, frame: Frame, mark: Mark) -> Iterator[tuple[str, Callable[[], int]]]:
    """`shading_r1c1`, what the layer says of each cell."""
    for place in product(frame.rows, frame.columns):
        yield f"{layer}_{label(place)}", partial(frame.layer, layer, place)


def _layer(frame: Frame, name: str) -> dict[Position, int]:
    if len(frame.values) < 2:
        raise PuzzleError("a board of one digit: expected two or more, which stand for the two kinds of cells")
    return {place: frame.layer(name, place) for place in product(frame.rows, frame.columns)}


@KINDS.add("yin-yang", Shape.RULE, plural="yin-yang", layer=SHADING, names=partial(_names, SHADING))
def _yin_yang(frame: Frame, mark: Mark) -> Constraints:
    """The solver shades cells: the shaded cells are connected by edges, and so are the others, and no 2x2 window is
    shaded as a whole or not at all."""
    shade, first, size = _layer(frame, SHADING), frame.values[0], frame.size
    if min(size.rows, size.columns) < 2:
        raise PuzzleError(f"a board of {size.shape}: expected two rows and two columns, or more")
    two = (first, first + 1)
    places = tuple(shade)
    for value, shades in zip(two, reversed(SHADES), strict=True):
        link(frame, f"{shades.lower()} cells", shade, (value,))
    yield from (only(cell, two, "shading") for cell in shade.values())
    for row, column in product(frame.rows[:-1], frame.columns[:-1]):
        window = tuple(shade[place] for place in product((row, row + 1), (column, column + 1)))
        on = CellList(range(first, first + 2), window, f"shading at {label((row, column))}")
        yield on.exactly(first, 1, 2, 3)
    # Whether the other shade than that of the first cell has begun.
    begun = [frame.auxiliary(2) for _ in places]
    no, yes = two
    yield only(begun[0], (no,), "shading")
    goes_on = frozenset((was, a, b, yes if was == yes or a != b else no) for was, a, b in product(two, repeat=3))
    for place, (before, after) in zip(places[1:], pairwise(begun), strict=True):
        yield Table((before, shade[places[0]], shade[place], after), goes_on, f"shading up to {label(place)}")
    whole = frame.auxiliary(2)
    border = (cell for place, cell in shade.items() if place[0] in (1, size.rows) or place[1] in (1, size.columns))
    yield _of_one_shade(first, whole, tuple(border))
    # The shade and the steps, as one value.
    steps = {place: frame.auxiliary(2 * STEPS) for place in places}
    of_both = frozenset((a, first + STEPS * (a - first) + n) for a in two for n in range(STEPS))
    for index, (place, cell) in enumerate(steps.items()):
        where = f"shading at {label(place)}"
        yield Table((shade[place], cell), of_both, where)
        other = {(1, 1): (1, 2), (1, 2): (1, 1)}.get(place)
        around = sorted(frame.around(place), key=lambda beside: beside != other)
        flags = (*begun[max(0, index - 1) : index + 1], *[whole] * (other is not None))
        yield _rooted(first, where, flags, other is not None, (cell, *(steps[beside] for beside in around)))


def _of_one_shade(first: int, whole: int, border: tuple[int, ...]) -> Automaton:
    """The flag is raised exactly if all cells of the border have one shade. State: flag, shade, whether all do."""

    def step(state: tuple[int, int, bool], value: int) -> tuple[int, int, bool]:
        flag, shade, alike = state
        if flag < first:
            return value, shade, alike
        return flag, value, alike and shade in (first - 1, value)

    on = CellList(range(first, first + 2), (whole, *border), "shading of the border")
    return on.automaton((first - 1, first - 1, True), step, lambda state: state[2] == (state[0] > first))


def _rooted(first: int, name: str, flags: tuple[int, ...], cut: bool, cells: tuple[int, ...]) -> Automaton:
    """One neighbour of the same shade is one step nearer, none if the cell is the first of its shade; the others are
    farther. Read are the flags, the cell, its neighbours; where `cut`, the first of these is none if the last flag is
    raised. State: the flags, the cell, how many were nearer, whether the next neighbour is none."""
    many = len(flags)

    def step(
        state: tuple[tuple[int, ...], int, int, bool], value: int
    ) -> tuple[tuple[int, ...], int, int, bool] | None:
        read, own, nearer, none = state
        if len(read) < many:
            return ((*read, value), own, nearer, none) if value < first + 2 else None
        if own < first:
            return read, value, nearer, cut and read[-1] > first
        apart = (own - value) % STEPS
        if none or (value - first) // STEPS != (own - first) // STEPS:
            return read, own, nearer, False
        if apart == 1:
            return None if nearer else (read, own, 1, False)
        return (read, own, nearer, False) if apart else None

    def accepts(state: tuple[tuple[int, ...], int, int, bool]) -> bool:
        read, own, nearer, _ = state
        begun = read[: many - cut]
        is_first = len(begun) == 1 or begun[:1] < begun[1:]
        return nearer == 1 - is_first and (not is_first or (own - first) % STEPS == 0)

    reads = CellList(range(first, first + 2 * STEPS), (*flags, *cells), name)
    return reads.automaton(((), first - 1, 0, False), step, accepts)


@KINDS.add("star-battle", Shape.RULE, Value(default=1, meaning="how many stars"), plural="star battle")
@KINDS.also(layer=STARS, names=partial(_names, STARS))
def _star_battle(frame: Frame, mark: Mark) -> Constraints:
    """The solver places stars: each row, column, and box or region has as many as the number says, one if it says
    nothing, and no two stars touch, not even at corners."""
    star, first, many = _layer(frame, STARS), frame.values[0], number(mark, 1, "how many stars, 1 or more")
    two = range(first, first + 2)
    yield from (only(cell, two, "stars") for cell in star.values())
    for places in chain(*frame.houses):
        cells = tuple(star[place] for place in places)
        yield Linear(cells, (1,) * len(cells), len(cells) * first + many, f"stars at {label(places[0])}")
    for one, other in frame.pairs(((0, 1), (1, 0), (1, 1), (1, -1))):
        both = none_of(pair_is(first + 1, first + 1))
        yield CellList(two, (star[one], star[other]), f"stars at {label(one)} and {label(other)}").pair(both)


@KINDS.add("shading", Shape.RULE, plural="shading", layer=SHADING, names=partial(_names, SHADING))
def _shading(frame: Frame, mark: Mark) -> Constraints:
    """The solver shades cells, as other marks say."""
    two = (frame.values[0], frame.values[0] + 1)
    return (only(cell, two, "shading") for cell in _layer(frame, SHADING).values())


@KINDS.add("japanese-sum", Shape.CLUE, needs("the sums, ? for an unknown one; 0 if no cell is shaded", text=True))
def _japanese_sum(frame: Frame, mark: Mark) -> Constraints:
    """Numbers outside the grid, on a board with shaded cells: the sums of the digits in each run of shaded cells, in
    the order of the runs from the clue; a ? is any sum, and 0 says that no cell is shaded."""
    # Read are the shade and the digit of each cell. State: the shade that was read, NONE before it; how many runs have
    # begun; the sum of this run, NONE between runs, and 0 where any will do.
    words, first = text_of(mark).split(), frame.values[0]
    totals = [None if word == ANY else int(word) for word in words if word == ANY or word.isdecimal()]
    if not words or len(totals) < len(words):
        raise PuzzleError(f"value {mark.value!r}: expected sums, with blanks between, ? for an unknown one")
    if totals == [0]:
        totals = []
    places = frame.positions(frame.seen_from(mark.cells[0]))

    def step(state: tuple[int, int, int], value: int) -> tuple[int, int, int] | None:
        shade, runs, added = state
        if shade == NONE:
            return (value - first, runs, added) if value - first in (0, 1) else None
        if not shade:
            return (NONE, runs, NONE) if _ended(totals, runs, added) else None
        if added == NONE:
            runs, added = runs + 1, 0
        if runs > len(totals):
            return None
        total = totals[runs - 1]
        if total is None:
            return NONE, runs, 0
        return (NONE, runs, added + value) if added + value <= total else None

    cells = tuple(cell for place in places for cell in (frame.layer(SHADING, place), frame.cell(place)))
    values = range(first, max(frame.values[-1], first + 1) + 1)
    on = CellList(values, cells, f"japanese sum {mark.value} at {label(mark.cells[0])}")
    yield on.automaton((NONE, 0, NONE), step, lambda state: state[1] == len(totals) and _ended(totals, *state[1:]))


def _ended(totals: list[int | None], runs: int, added: int) -> bool:
    """Whether the run that is read may end, if there is one."""
    return added == NONE or totals[runs - 1] in (None, added)


@KINDS.add("connected-shading", Shape.RULE, Value(words=SHADES, meaning="UNSHADED for the cells that are not shaded"))
def _connected_shading(frame: Frame, mark: Mark) -> Constraints:
    """On a board with shaded cells: these are connected by edges (UNSHADED: the others are)."""
    word, shade = str(mark.value or SHADES[0]).upper(), _layer(frame, SHADING)
    if word not in SHADES:
        raise PuzzleError(f"value {mark.value!r}: expected {' or '.join(SHADES)}")
    value = frame.values[0] + (word == SHADES[0])
    yield from connected(frame, shade, (value,), len(shade), f"{word.lower()} cells")


@KINDS.add("loop", Shape.RULE, plural="loop", layer=SHADING, names=partial(_names, SHADING))
def _loop(frame: Frame, mark: Mark) -> Constraints:
    """The solver shades the cells of one closed loop, which goes from cell to cell over edges and has no two cells
    beside each other that do not follow each other."""
    shade, first = _layer(frame, SHADING), frame.values[0]
    two = range(first, first + 2)
    yield CellList(two, tuple(shade.values()), "cells of the loop").count(
        lambda value: value > first, range(4, len(shade) + 1)
    )
    for place, cell in shade.items():
        cells = (cell, *(shade[beside] for beside in frame.around(place)))
        yield CellList(two, cells, f"loop at {label(place)}").automaton(NONE, partial(_two_beside, first), _passes)
    yield from connected(frame, shade, (first + 1,), len(shade) // 2 + 1, "loop")


def _two_beside(first: int, count: int, value: int) -> int | None:
    """A cell of the loop is read first, then its neighbours. The state is how many of these are on it, OFF if the cell
    is not."""
    if count == NONE:
        return 0 if value > first else OFF
    return count if count == OFF or value == first else count + 1 if count < 2 else None


def _passes(count: int) -> bool:
    return count in (2, OFF)


@KINDS.add("nurikabe", Shape.CELLS, plural="nurikabe", layer=SHADING, names=partial(_names, SHADING), draw=ringed())
def _nurikabe(frame: Frame, mark: Mark) -> Constraints:
    """Circles on a board whose cells the solver shades: each group of cells that are not shaded, connected by edges,
    has one circle, whose digit is how many cells it has; the shaded cells are connected by edges, and no 2x2 window is
    shaded as a whole."""
    # The circle of each cell, and its steps from there; beyond both for a shaded cell.
    shade, first = _layer(frame, SHADING), frame.values[0]
    circles, most = tuple(dict.fromkeys(mark.cells)), max(1, frame.values[-1])
    out, numbers = first + most, range(first + 1, first + 1 + len(circles))
    circle = {place: frame.auxiliary(1 + len(circles)) for place in shade}
    steps = {place: frame.auxiliary(1 + most) for place in shade}
    for place in circles:
        frame.layer(SHADING, place)  # raises PuzzleError outside the grid
    for place, cell in shade.items():
        name = f"nurikabe at {label(place)}"
        if place in circles:
            rows = {(first, numbers[circles.index(place)], first)}
        else:
            rows = {(first, *of_both) for of_both in product(numbers, range(first + 1, out))} | {
                (first + 1, first, out)
            }
        yield Table((cell, circle[place], steps[place]), frozenset(rows), name)
        yield farther(first, most, name, [steps[beside] for beside in (place, *frame.around(place))])
    of_circles = range(first, first + 1 + len(circles))
    for one, other in frame.pairs(((0, 1), (1, 0))):
        on = CellList(of_circles, (circle[one], circle[other]), f"nurikabe at {label(one)} and {label(other)}")
        yield on.pair(same_unless(first))
    for its, place in zip(numbers, circles, strict=True):
        values = range(first, max(frame.values[-1], numbers[-1]) + 1)
        on = CellList(values, (frame.cell(place), *circle.values()), f"nurikabe size at {label(place)}")
        yield on.automaton(NONE, partial(_counted_down, its), partial(eq, 0))
    for row, column in product(frame.rows[:-1], frame.columns[:-1]):
        window = tuple(shade[place] for place in product((row, row + 1), (column, column + 1)))
        yield CellList(range(first, first + 2), window, f"shading at {label((row, column))}").exactly(first, 1, 2, 3, 4)
    yield from connected(frame, shade, (first + 1,), len(shade), "shaded cells")


def _counted_down(counted: int, left: int, value: int) -> int | None:
    """The number is read first, then cells. The state is how many of those that are counted are to come."""
    if left == NONE:
        return value
    left -= value == counted
    return left if left >= 0 else None


@KINDS.add("cave", Shape.CELLS, plural="cave", layer=SHADING, names=partial(_names, SHADING), draw=ringed())
def _cave(frame: Frame, mark: Mark) -> Constraints:
    """Circles on a board whose cells the solver shades: the cells that are not shaded are connected by edges, each
    shaded cell is connected with the edge of the grid by shaded ones, and the digit in a circle, which is not shaded,
    says how many cells are seen from it along its row and column, itself included, up to shaded ones."""
    shade, first, size = _layer(frame, SHADING), frame.values[0], frame.size
    two, places = (first, first + 1), tuple(shade)
    yield from (only(cell, two, "shading") for cell in shade.values())
    steps = {place: frame.auxiliary(STEPS + 1) for place in places}
    # The steps of shaded cells from the edge.
    outwards = {place: frame.auxiliary(EDGE_STEPS + 1) for place in places}
    begun = beginning(frame, "cave", shade, (first,))
    hidden = (*steps.values(), *outwards.values(), *begun)
    link(frame, "cave", shade, (first,), (), hidden)
    link(frame, "shaded cells and the edge", shade, (first + 1,), (), hidden, edge=True)
    inside = frozenset({(first + 1, first + STEPS), *((first, first + step) for step in range(STEPS))})
    for index, place in enumerate(places):
        where, around = f"cave at {label(place)}", tuple(frame.around(place))
        yield Table((shade[place], steps[place]), inside, where)
        cells = (steps[place], *(steps[beside] for beside in around))
        before = begun[index - 1] if index else None
        yield stepped(first, STEPS, where, cells, begins=not index, begun=before)
        at_edge = place[0] in (1, size.rows) or place[1] in (1, size.columns)
        far = range(1 if at_edge else EDGE_STEPS)
        shaded = frozenset({(first, first + EDGE_STEPS), *((first + 1, first + step) for step in far)})
        yield Table((shade[place], outwards[place]), shaded, where)
        cells = (outwards[place], *(outwards[beside] for beside in around))
        yield stepped(first, EDGE_STEPS, where, cells, begins=at_edge, alike=True)
    for place in dict.fromkeys(mark.cells):
        name = f"cave at {label(place)}"
        yield only(frame.layer(SHADING, place), (first,), name)
        row, column = place
        ways = (
            [(row, other) for other in range(column - 1, 0, -1)],
            [(row, other) for other in range(column + 1, size.columns + 1)],
            [(other, column) for other in range(row - 1, 0, -1)],
            [(other, column) for other in range(row + 1, size.rows + 1)],
        )
        seen = tuple(shade[beside] for way in ways for beside in way)
        begins = frozenset(accumulate(map(len, ways), initial=0))
        values = range(first, max(frame.values[-1], first + 1) + 1)
        on = CellList(values, (frame.cell(place), *seen), name)
        yield on.automaton((0, NONE, False), partial(_sees, first, begins), lambda state: state[1] == 0)


def _sees(first: int, begins: frozenset[int], state: tuple[int, int, bool], value: int) -> tuple[int, int, bool] | None:
    """The digit of a circle is read first, then the cells each way. State: how many of these, how many are still to be
    seen, whether one of this way was shaded."""
    read, left, ended = state
    if left == NONE:
        return (0, value - 1, False) if value else None
    ended = (ended and read not in begins) or value > first
    left -= not ended
    return (read + 1, left, ended) if left >= 0 else None
