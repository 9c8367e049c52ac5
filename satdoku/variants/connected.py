"""Cells that hang together by their edges: regions that the solver finds, and groups of values. A group is connected if
each cell of it, but the first in reading order, is one step farther than some neighbour from that first cell. An
auxiliary cell a cell has the number of steps, which the group leaves no choice."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, chain, pairwise, product

from satdoku.constraints import AllDifferent, Automaton, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark, Position
from satdoku.variants import Constraints, Frame, Kinds, Shape, Value, label, needs
from satdoku.variants.extents import RegionExtent, extent, in_lines, reach
from satdoku.variants.making import refuse_large
from satdoku.variants.places import Connected, name_of
from satdoku.variants.relations import CellList, are, equal, number, numbers, only, values_listed
from satdoku.variants.same_region import REGIONS, go_on, in_blocks, linked, same_region
from satdoku.variants.sums import draw_arrow

ROWS = " in rows of "
OFFSET = Value(default=0, meaning="1 if the first cell of the lines does not count itself")
GROUP_VALUE = needs("the digits, and perhaps a colon and how many cells: 1 2: 8", text=True)
GROUP_LAID = needs("the digits, perhaps how many cells and how they lie: 1 2, 1 2: 8 or 1 2: 8 in rows of 9", text=True)
MAX_READ = 24  # steps that an automaton reads as they are; the clauses for that are as many as steps of two neighbours
STEPS = 3  # by the steps of two neighbours modulo this it is known which one is nearer
KINDS = Kinds()


def _region_names(frame: Frame, mark: Mark) -> Iterator[tuple[str, Callable[[], int]]]:
    """`regions_r1c1`, the number of the region of each cell."""
    for place in product(frame.rows, frame.columns):
        yield f"{REGIONS}_{label(place)}", partial(frame.layer, REGIONS, place)


@KINDS.add("chaos-construction", Shape.RULE, Value(meaning="the cells of a region, as many as there are digits"))
@KINDS.also(layer=REGIONS, names=_region_names)
def _chaos(frame: Frame, mark: Mark) -> Constraints:
    """The solver finds the regions: all of one size, each connected by edges, and none holds a digit twice."""
    first, many = frame.values[0], frame.size.rows * frame.size.columns
    size = number(mark, len(frame.values), "a size of 1 or more")
    if many % size or max(size, many // size) > len(frame.values):
        raise PuzzleError(
            f"regions of {size} cells: expected a number that divides {many}, and neither more regions nor more cells"
            " in one than there are digits"
        )
    regions, places = range(first, first + many // size), tuple(product(frame.rows, frame.columns))
    refuse_large(many * len(regions) * len(frame.values))  # of `_differ` alone, at least
    region = {place: frame.layer(REGIONS, place) for place in places}
    every = CellList(frame.values, tuple(region.values()), "regions")
    for shown in regions:
        link(frame, f"region {shown}", region, (shown,), (size,))
    yield from (only(cell, regions, "regions") for cell in region.values())
    yield from (every.exactly(number, size) for number in regions)
    # The greatest number so far: regions are numbered in the order of their first cells, which so are known.
    seen = [frame.auxiliary(len(regions)) for _ in places]
    yield only(seen[0], regions[:1], "regions")
    yield CellList(frame.values, (every.cells[0], seen[0]), "regions").pair(equal)
    steps = {place: frame.auxiliary(size) for place in places}
    yield only(steps[places[0]], (first,), "regions")
    # An auxiliary cell of two values says whether a region begins at a place.
    goes_on, begins = first, first + 1
    first_step = frozenset((begins if n == first else goes_on, n) for n in range(first, first + size))
    pairs = tuple(product(regions, repeat=2))
    one_more = frozenset((goes_on if a == b else begins, a, b) for a, b in pairs if b in (a, a + 1))
    numbered = frozenset(
        (flag, a, b) for flag in (goes_on, begins) for a, b in pairs if a == b or (flag < begins and a < b)
    )
    for place, (before, after) in zip(places[1:], pairwise(seen), strict=True):
        new, name = frame.auxiliary(2), f"regions up to {label(place)}"
        yield Table((new, steps[place]), first_step, name)
        yield Table((new, before, after), one_more, name)
        yield Table((new, region[place], after), numbered, name)
    yield from linked(frame, steps, size)
    yield from go_on(frame, size)
    yield from in_blocks(frame)
    rows = {shown: extent(frame, frame.rows) for shown in regions}
    yield from reach(frame, region, size, rows, seen[len(frame.columns) - 1 :: len(frame.columns)])
    yield from _differ(frame, region, size, rows)


def farther(first: int, most: int, name: str, cells: Sequence[int]) -> Automaton:
    """The steps of a cell, the first one read, are one more than the least among its neighbours, unless it is the first
    of its group; a cell of `most` steps is in no group. State: its steps, and whether it is linked."""
    out = first + most

    def step(state: tuple[int, bool], value: int) -> tuple[int, bool] | None:
        own, _ = state
        if own < first:
            return value, value in (first, out)
        if own in (first, out) or value >= own:
            return state
        return (own, True) if value == own - 1 else None

    return CellList(range(first, out + 1), tuple(cells), name).automaton(
        (first - 1, False), step, lambda state: state[1]
    )


def _differ(frame: Frame, region: dict[Position, int], size: int, rows: Mapping[int, RegionExtent]) -> Constraints:
    """No region holds a digit twice. Where each row has all digits, an auxiliary cell says in which region a digit of a
    row is: on 9x9 half the clauses of automata of a digit and a region over all cells, and fewer nodes."""
    if frame.lined and size == frame.size.columns == len(frame.values):
        for digit in frame.values:
            name = f"{digit} in regions"
            in_row = {row: frame.auxiliary(len(rows)) for row in frame.rows}
            yield AllDifferent(tuple(in_row.values()), name)
            yield from in_lines(frame, name, in_row.values(), rows)
            for place, cell in region.items():
                yield Table((cell, in_row[place[0]], frame.cell(place)), _where(frame.values, digit), name)
        return
    slots = tuple(cell for place, label_cell in region.items() for cell in (label_cell, frame.cell(place)))
    least = int(size == len(frame.values))
    for wanted in product(rows, frame.values):
        on = CellList(frame.values, slots, f"{wanted[1]} in region {wanted[0]}")
        yield on.pairs_counted(are(*wanted), least)


@cache
def _where(values: range, digit: int) -> frozenset[tuple[int, int, int]]:
    """The region of a cell, that of a digit in its row, and the digit of the cell."""
    return frozenset((a, b, value) for a, b, value in product(values, repeat=3) if a == b or value != digit)


@KINDS.add("chaos-arrow", Shape.ARROW, OFFSET, draw=draw_arrow("#8f7fc8"), loose=True)
def _arrow(frame: Frame, mark: Mark) -> Constraints:
    """Arrow on a board with unknown regions: the digit in the circle says how many cells, from the first one of the
    lines along each of them, are in the region of that first cell before another region comes; it counts once."""
    yield _counted(frame, mark, True)


@KINDS.add("chaos-count", Shape.ARROW, OFFSET, draw=draw_arrow("#c87fa8"), loose=True)
def _count(frame: Frame, mark: Mark) -> Constraints:
    """Lines on a board with unknown regions: the digit in the circle says how many of their cells are in the region of
    the first one, which counts once."""
    yield _counted(frame, mark, False)


def _counted(frame: Frame, mark: Mark, unbroken: bool) -> Automaton:
    """Whether each cell of the lines is in the region of the one before (or, `unbroken` or not, of the first one), and
    the digit last. State: cells read, whether the run is broken, and how many count."""
    starts = {line[0] for line in mark.lines}
    if len(mark.cells) != 1 or len(starts) != 1:
        raise PuzzleError("expected a bulb of one cell, and lines that begin with the same cell")
    (start,) = starts
    arms = [line[1:] for line in mark.lines]
    begins = set(accumulate((len(arm) for arm in arms), initial=0))
    many, raised, first_counts = sum(map(len, arms)), frame.values[0] + 1, 1 - number(mark, 0)

    def step(state: tuple[int, bool, int], value: int) -> tuple[int, bool, int] | None:
        read, broken, count = state
        if read == many:
            return (read + 1, False, 0) if value == count else None
        broken = unbroken and ((broken and read not in begins) or value != raised)
        return read + 1, broken, count + (not broken and value == raised)

    if unbroken:
        pairs = [two for arm in arms for two in pairwise((start, *arm))]
    else:
        pairs = [(start, place) for place in chain.from_iterable(arms)]
    cells = (*(same_region(frame, *two) for two in pairs), frame.cell(mark.cells[0]))
    on = CellList(
        range(frame.values[0], max(frame.values[-1], raised) + 1), cells, f"{mark.kind} at {label(mark.cells[0])}"
    )
    return on.automaton((0, False, first_counts), step, lambda state: state[0] > many)


@KINDS.add("same-region", Shape.CELLS, plural="cells of one region")
def _same_region(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells on a board with unknown regions: they are in one region."""
    cells = tuple(frame.layer(REGIONS, place) for place in mark.cells)
    return CellList(frame.values, cells, f"same region at {label(mark.cells[0])}").chain(equal)


@KINDS.add("connected-values", Shape.RULE, GROUP_VALUE)
def _values(frame: Frame, mark: Mark) -> Constraints:
    """The cells that hold one of the digits are connected by edges (1 2: 8: and there are eight of them)."""
    return _group(frame, mark, tuple(product(frame.rows, frame.columns)))


@KINDS.add("connected-group", Shape.CELLS, GROUP_LAID)
def _values_within(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells with digits: those of them that hold one of the digits are connected by edges, within the outline
    (1 2: 4: and there are four of them; 1 2 in rows of 3: the cells, such as variables, are neighbours as they lie in
    rows of three in the order they are named)."""
    return _group(frame, mark, mark.cells)


def _group(frame: Frame, mark: Mark, cells: tuple[Position, ...]) -> Constraints:
    stated, laid, across = str(mark.value).partition(ROWS)
    digits, _, stated = stated.partition(":")
    chosen = values_listed(frame, Mark(mark.kind, value=digits))
    name = f"connected {digits}{laid}{across}"
    many = numbers(Mark(mark.kind, value=stated), "how many cells") if stated else ()
    if many:
        yield CellList(frame.values, frame.cells(cells), name).count(chosen.__contains__, many)
    repeats = laid or not frame.lined
    houses = () if repeats else (len(chosen) * frame.size.rows, len(chosen) * frame.size.columns)
    most = min((len(cells), *houses, *([max(many)] if many else ())))
    places = cells
    if laid:
        columns = number(Mark(mark.kind, value=across), positive="how many cells are in a row, 1 or more")
        places = tuple((1 + index // columns, 1 + index % columns) for index in range(len(cells)))
    elif beside := next(filter(name_of, cells), None):
        raise PuzzleError(f"{label(beside)} is not in the grid: say how such cells lie, as in '{digits}{ROWS}9'")
    at = dict(zip(places, frame.cells(cells), strict=True))
    yield from connected(frame, at, chosen, most, name, many)


def link(
    frame: Frame,
    name: str,
    cell_at: Mapping[Position, int],
    chosen: Collection[int],
    many: Collection[int] = (),
    hidden: Iterable[int] = (),
    edge: bool = False,
) -> None:
    """Note for techniques that the cells of these places which hold one of the values chosen are connected.

    edge: those at the edge of the grid outside of it too
    """
    numbered = {place: number for number, place in enumerate(cell_at)}
    beside = tuple(sum(1 << numbered[other] for other in _beside(place) if other in numbered) for place in cell_at)
    rows, columns = frame.size.rows, frame.size.columns
    at_edge = (number for (row, column), number in numbered.items() if row in (1, rows) or column in (1, columns))
    frame.linked.append(
        Connected(
            f"connection of {name.removeprefix('connected ')}",
            tuple(cell_at.values()),
            beside,
            sum(1 << value - frame.values[0] + 1 for value in chosen),
            min(many, default=0),
            max(many, default=len(beside)),
            frozenset(hidden),
            sum(1 << number for number in at_edge) if edge else 0,
        )
    )


def _beside(place: Position) -> tuple[Position, ...]:
    row, column = place
    return ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))


def connected(
    frame: Frame,
    cell_at: Mapping[Position, int],
    chosen: Collection[int],
    most: int,
    name: str,
    many: Collection[int] = (),
) -> Constraints:
    """The cells of these places that hold one of the values chosen are connected by edges.

    cell_at: by place, a row and a column, the cell
    most: a number of cells that a shortest way from the first of them to another has at most
    many: the numbers of cells that these can be, any if empty
    """
    first, places = frame.values[0], tuple(cell_at)
    # A shortest way has three cells of a 2x2 block at most.
    blocks = (product((row, row + 1), (column, column + 1)) for row, column in places if row % 2 and column % 2)
    most = min(most or 1, len(places) - sum(cell_at.keys() >= set(block) for block in blocks))
    out = first + most
    steps = {place: frame.auxiliary(most + 1) for place in places}
    shown = {place: frame.auxiliary(STEPS + 1) for place in places} if most > MAX_READ else {}
    begun = beginning(frame, name, cell_at, chosen)
    link(frame, name, cell_at, chosen, many, (*steps.values(), *shown.values(), *begun))
    lengths = range(first, out)
    within = frozenset((value, n) for value in frame.values for n in (*lengths, out) if (value in chosen) == (n < out))
    modulo = frozenset({(out, first + STEPS), *((n, first + (n - first) % STEPS) for n in lengths)})
    apart = frozenset((a, b) for a, b in product(range(first, out + 1), repeat=2) if out in (a, b) or abs(a - b) == 1)
    starts = frozenset({(first, first), (first, out), *((first + 1, n) for n in range(first + 1, out + 1))})
    for index, place in enumerate(places):
        where = f"{name} at {label(place)}"
        yield Table((cell_at[place], steps[place]), within, where)
        around = [other for other in _beside(place) if other in steps]
        if not index:
            yield only(steps[place], (first, out), where)
        else:
            yield Table((begun[index - 1], steps[place]), starts, where)
        if not shown:
            yield farther(first, most, where, [steps[beside] for beside in (place, *around)])
            continue
        yield Table((steps[place], shown[place]), modulo, where)
        before = begun[index - 1] if index else None
        cells = (shown[place], *(shown[other] for other in around))
        yield stepped(first, STEPS, where, cells, begins=not index, begun=before)
        yield from (Table((steps[place], steps[other]), apart, where) for other in around if other > place)


def beginning(frame: Frame, name: str, cell_at: Mapping[Position, int], chosen: Collection[int]) -> tuple[int, ...]:
    """An auxiliary cell for each place, of two values: the second if that place or one before it holds a value chosen.
    So the first cell of a group is known."""
    no, yes = frame.values[0], frame.values[0] + 1
    begun = tuple(frame.auxiliary(2) for _ in cell_at)
    rows = frozenset(
        (was, value, yes if was == yes or value in chosen else no) for was in (no, yes) for value in frame.values
    )
    for index, (place, cell) in enumerate(cell_at.items()):
        cells = (*begun[max(0, index - 1) : index], cell, begun[index])
        allowed = rows if index else frozenset(row[1:] for row in rows if row[0] == no)
        frame.extra.append(Table(cells, allowed, f"{name} up to {label(place)}"))
    return begun


def stepped(
    first: int,
    modulus: int,
    name: str,
    cells: tuple[int, ...],
    *,
    begins: bool = False,
    begun: int | None = None,
    alike: bool = False,
) -> Automaton:
    """The steps of a cell, modulo some number, from where its group begins: some neighbour is nearer, unless the group
    begins at the cell, and all are one step away. A cell of no group has the modulus as its steps.

    cells:  the steps of the cell and of its neighbours
    begins: whether a group with the cell begins there
    begun:  instead, a cell with whether a group has begun before
    alike:  whether neighbours may be as far, as where a group begins at several cells
    """
    out = first + modulus

    # State: whether a group begins at the cell, None before that is read; its steps; whether it needs no nearer one.
    def step(state: tuple[bool | None, int, bool], value: int) -> tuple[bool | None, int, bool] | None:
        begin, own, settled = state
        if begin is None:
            return (value == first, own, settled) if value < first + 2 else None
        if own < first:
            return (begin, value, begin or value == out) if not begin or value in (first, out) else None
        if out in (own, value):
            return state
        nearer = (own - value) % modulus
        if nearer == 1:
            return None if begin else (begin, own, True)
        return state if nearer == modulus - 1 or (alike and not nearer) else None

    read = cells if begun is None else (begun, *cells)
    start = (begins if begun is None else None, first - 1, False)
    return CellList(range(first, out + 1), read, name).automaton(start, step, lambda state: state[2])
