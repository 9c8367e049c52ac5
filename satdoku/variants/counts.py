"""Marks that say how often values occur, or which values occur together."""

from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, pairwise, product

from satdoku.constraints import AllDifferent, Automaton, Table
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Constraints, Frame, Kinds, Shape, label, needs
from satdoku.variants.drawing import grouped, line, ringed
from satdoku.variants.relations import CellList, cells_of, diagonal_of, line_of, number, raising, values_listed
from satdoku.variants.sums import draw_little_killer

LOOK_AND_SAY = needs("counts and digits in turn, 2112 or 2 1 1 2", text=True)
MAX_READ_ONCE = 4  # cells of a lunchbox that is read once: of five it has 330 states, and takes longer to make
_Lunchbox = tuple[int, int, int, int, int, bool | None]
KINDS = Kinds()


@KINDS.add("look-and-say", Shape.CELLS, LOOK_AND_SAY, plural="look-and-say cages")
def _look_and_say(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells with pairs of count and digit, 2112: exactly two 1s and one 2 are in them; other digits are
    free."""
    return _counts_of_values(cells_of(frame, mark, "look-and-say"), mark)


@KINDS.add("little-killer-look-and-say", Shape.DIAGONAL, LOOK_AND_SAY, plural="little killer look-and-says")
@KINDS.also(draw=draw_little_killer)
def _killer_look_and_say(frame: Frame, mark: Mark) -> Constraints:
    """Pairs of count and digit outside the grid with an arrow, 2112: exactly two 1s and one 2 are on the
    diagonal."""
    return _counts_of_values(diagonal_of(frame, mark, "little killer look-and-say"), mark)


def _counts_of_values(cells: CellList, mark: Mark) -> Constraints:
    words = str(mark.value).split()
    parts = list(words[0]) if len(words) == 1 else words
    pairs = [
        (int(many), int(value))
        for many, value in zip(parts[::2], parts[1::2], strict=False)
        if (many + value).isascii() and (many + value).isdigit()
    ]
    if not pairs or 2 * len(pairs) != len(parts) or not all(value in cells.values for _, value in pairs):
        raise PuzzleError(f"value {mark.value!r}: expected counts and digits in turn, such as 2112: two 1s, one 2")
    values = [value for _, value in pairs]
    if len(set(values)) < len(values):
        raise PuzzleError(f"value {mark.value!r}: a digit is counted twice")
    return (cells.exactly(value, many) for many, value in pairs)


@KINDS.add("contain-exact", Shape.CELLS, needs("the digits", several=True), plural="exact contents")
def _contain_exact(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells with digits: each occurs in them exactly as often as it is listed; other digits are free."""
    cells = cells_of(frame, mark, "contains exactly")
    return (cells.exactly(value, many) for value, many in Counter(values_listed(frame, mark)).items())


@KINDS.add("counting-circles", Shape.CELLS, plural="sets of counting circles", draw=ringed())
def _counting_circles(frame: Frame, mark: Mark) -> Constraints:
    """Circles of one colour: a digit in one of them occurs in as many of them as it says."""
    cells = cells_of(frame, mark, "counting circles")
    return (cells.exactly(value, 0, value) for value in frame.values)


@KINDS.add("counting-line", Shape.LINE, draw=line("#b7d6f2"))
def _counting_line(frame: Frame, mark: Mark) -> Constraints:
    """Light blue line: a digit on it occurs on it as often as it says."""
    cells = line_of(frame, mark, "counting line")
    return (cells.exactly(value, 0, value) for value in frame.values)


@KINDS.add("count-distinct", Shape.CELLS, plural="distinct counts", draw=ringed(first=True))
def _count_distinct(frame: Frame, mark: Mark) -> Constraints:
    """Ringed cells: the one with two rings says how many different digits are in the others."""
    cells = cells_of(frame, mark, "count distinct")
    first, *others = cells.cells
    if not others:
        raise PuzzleError(f"one cell at {label(mark.cells[0])}: expected it and those that it counts")
    if max(others) < frame.size.cells:
        yield _distinct(cells.over(*others, first))
        return
    # Boards with cells beside the grid are for SAT solvers, and a flag for each value takes these half the clauses and
    # 0.6 of the conflicts. On digits the compiled search takes thirty times the nodes with them.
    flags, low = {value: frame.auxiliary(2) for value in frame.values}, frame.values[0]
    for value, flag in flags.items():
        yield from (Table((cell, flag), raising(frame.values, value), cells.name) for cell in others)
        yield cells.over(flag, *others).clause(((low,), *((value,),) * len(others)))

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        read, raised = state
        if read == len(flags):
            return (read + 1, 0) if value == raised else None
        return read + 1, raised + (value > low)

    yield cells.over(*flags.values(), first).automaton((0, 0), step, lambda state: state[0] > len(flags))


def _distinct(cells: CellList) -> Automaton:
    """How many different values cells have is what the last one says; the state is the set of their values."""
    many = len(cells.cells) - 1

    def step(state: tuple[int, frozenset[int]], value: int) -> tuple[int, frozenset[int]] | None:
        read, seen = state
        if read == many:
            return (many + 1, frozenset()) if value == len(seen) else None
        return read + 1, seen | {value}

    return cells.automaton((0, frozenset()), step, lambda state: state[0] == many + 1)


@KINDS.add("odd-count", Shape.CELLS, needs("how many are odd"))
def _odd_count(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells: as many of them are odd as the number says."""
    yield cells_of(frame, mark, "odd count").count(lambda value: value % 2 == 1, (number(mark),))


@KINDS.add("even-count", Shape.CELLS, needs("how many are even"))
def _even_count(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells: as many of them are even as the number says."""
    yield cells_of(frame, mark, "even count").count(lambda value: value % 2 == 0, (number(mark),))


@KINDS.add("odd-lots", Shape.CELLS, plural="odd lots", draw=ringed(first=True))
def _odd_lots(frame: Frame, mark: Mark) -> Constraints:
    """Ringed cells: the one with two rings says how many of them, itself included, are odd."""
    yield _lots(cells_of(frame, mark, "odd lots"), 1)


@KINDS.add("even-lots", Shape.CELLS, plural="even lots", draw=ringed(first=True))
def _even_lots(frame: Frame, mark: Mark) -> Constraints:
    """Ringed cells: the one with two rings says how many of them, itself included, are even."""
    yield _lots(cells_of(frame, mark, "even lots"), 0)


def _lots(cells: CellList, remainder: int) -> Automaton:
    """The state is how many are still to come; -1 before the first cell says so."""

    def step(left: int, value: int) -> int | None:
        left = (value if left < 0 else left) - (value % 2 == remainder)
        return left if left >= 0 else None

    return cells.automaton(-1, step, lambda left: not left)


@KINDS.add("same-values", Shape.GROUPS, plural="groups of the same digits", aliases=("same-digits",))
@KINDS.also(draw=grouped("#6a9c3b"))
def _same_values(frame: Frame, mark: Mark) -> Constraints:
    """Groups under one letter: each holds the same digits, as often."""
    # For each value and each two groups that follow: it occurs as often in both, which are read in turn.
    sizes = {len(group) for group in mark.lines}
    if len(sizes) > 1:
        raise PuzzleError(f"groups of {min(sizes)} and of {max(sizes)} cells: expected groups of one size")
    yield from alike(frame, map(frame.cells, mark.lines), f"same digits at {label(mark.lines[0][0])}")


@KINDS.add("region-same-values", Shape.RULE, plural="regions of the same digits")
def _region_same(frame: Frame, mark: Mark) -> Constraints:
    """All rows, columns, boxes and regions of the greatest size hold the same digits, as often."""
    houses = [frame.cells(house) for family in frame.houses for house in family]
    most = max(map(len, houses))
    if most < len(frame.values) or not frame.lined:  # else each holds all digits
        longest = (house for house in houses if len(house) == most)
        yield from alike(frame, longest, "the same digits in all regions")


def alike(frame: Frame, groups: Iterable[tuple[int, ...]], name: str) -> Constraints:
    """Groups of one size hold the same values, as often."""
    for first, second in pairwise(groups):
        cells = tuple(cell for two in zip(first, second, strict=True) for cell in two)
        both = CellList(frame.values, cells, name)
        yield from (_as_often(both, value) for value in frame.values)


def _as_often(cells: CellList, wanted: int) -> Automaton:
    """The value occurs as often among every other cell as among the rest. State: the difference, whose turn it is."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int]:
        more, turn = state
        return more + turn * (value == wanted), -turn

    return cells.automaton((0, 1), step, lambda state: not state[0])


@KINDS.add("equality-cage", Shape.CELLS, aliases=("parity-balance",))
def _equality(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells: they differ, as many are odd as even and as many low as high; none is the middle digit."""
    # The state is how many more are odd than even, and high than low.
    cells = cells_of(frame, mark, "equality cage")
    half = len(frame.values) // 2
    low, high = frame.values[:half], frame.values[-half:] if half else ()

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        if value not in low and value not in high:
            return None
        return state[0] + (1 if value % 2 else -1), state[1] + (1 if value in high else -1)

    yield cells.different()
    yield cells.automaton((0, 0), step, lambda state: state == (0, 0))


@KINDS.add("rellik", Shape.CELLS, needs("the sum that is not reached"), noun="cage", aliases=("anti-sum-cage",))
def _rellik(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells: they differ, and no one or more of them add up to the number."""
    # The state is the sums of some of the cells so far, bit S for the sum S.
    cells, total = cells_of(frame, mark, "rellik cage"), number(mark, positive="a sum of 1 or more")

    def step(sums: int, value: int) -> int | None:
        sums = (sums | sums << value) & (2 << total) - 1
        return None if sums >> total else sums

    yield cells.different()
    yield cells.automaton(1, step)


@KINDS.add("lunchbox", Shape.CELLS, needs("the sum"), plural="lunchboxes")
def _lunchbox(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells: they differ, and those between the least and the greatest, in their order, add up to the
    number."""
    cells, total = cells_of(frame, mark, "lunchbox"), number(mark)
    if len(cells.cells) < 2:
        raise PuzzleError(f"one cell at {label(mark.cells[0])}: expected two or more")
    yield cells.different()
    yield _lunchbox_read_once(cells, total) if len(cells.cells) <= MAX_READ_ONCE else _lunchbox_read_twice(cells, total)


def _lunchbox_read_once(cells: CellList, total: int) -> Automaton:
    """State: cells read, the least and the greatest of them, the sum between these, the sum behind the later one, and
    whether that is the greatest, None after one cell. Sums that no longer matter are `gone`."""
    many, (first, *inner, last) = len(cells.cells), cells.values
    most = [0, *accumulate(reversed(inner), initial=0)]  # the sum of the cells between a cell and one of `left` to come
    most += most[-1:] * many
    gone = total + 1

    def settled(read: int, least: int, greatest: int, between: int, after: int, up: bool | None) -> _Lunchbox | None:
        left = many - read
        if not left:
            return (many, first, last, total, 0, None) if between == total else None
        through = between + after + (greatest if up else least)  # what will be between if the later one is surpassed
        between, after = _within_reach(between, after, through, total, most[left])
        higher, lower = greatest < last, least > first  # what may still be surpassed; where both are, all begins anew
        surpassed = (higher or lower) and not between == gone == after
        if between != total and not surpassed and not (higher and lower and left > 1):
            return None
        if between != total and not (higher and lower and surpassed):  # then one sum matters at most
            after = min(through, gone) if up == higher else after
            between, up = gone, not higher
        return read, least, greatest, between, after, up

    def step(state: _Lunchbox, value: int) -> _Lunchbox | None:
        read, least, greatest, between, after, up = state
        if not read:
            return 1, value, value, 0, 0, None
        if least < value < greatest:
            return settled(read + 1, least, greatest, between, min(after + value, gone), up)
        if value in (least, greatest):
            return None
        higher = value > greatest
        between = between + after + (greatest if up else least) if higher == up else after
        return settled(read + 1, min(least, value), max(greatest, value), min(between, gone), 0, higher)

    return cells.automaton((0, last, first, 0, 0, None), step, lambda state: state[0] == many)


def _within_reach(between: int, after: int, through: int, total: int, most: int) -> tuple[int, int]:
    """The first two sums, total + 1 in place of one that cannot become the total with `most` that is to come."""
    if between != total and not through <= total <= through + most:
        between = total + 1
    if after > total or (between in (total, total + 1) and after + most < total):
        after = total + 1
    return between, after


def _lunchbox_read_twice(cells: CellList, total: int) -> Automaton:
    """The first time for the least and the greatest of the cells, the second time for the sum between. State: cells
    read in the first round, least, greatest; the crusts met in the second, the sum between them. The greatest of so
    many different digits is as far from the least."""
    many, values = len(cells.cells), cells.values

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        read, least, greatest, crusts, filling = state
        if read < many:
            least, greatest = min(least, value), max(greatest, value)
            return (read + 1, least, greatest, 0, 0) if read + 1 < many or greatest - least >= many - 1 else None
        if value in (least, greatest):
            crusts += 1
        elif crusts == 1:
            filling += value
        within = least <= value <= greatest and filling <= total and crusts <= 2 and (crusts < 2 or filling == total)
        return (read, least, greatest, crusts, filling) if within else None

    start = (0, values[-1], values[0], 0, 0)
    return cells.over(*cells.cells, *cells.cells).automaton(start, step, lambda s: s[0] == many and s[3:] == (2, total))


@KINDS.add("vault", Shape.CELLS)
def _vault(frame: Frame, mark: Mark) -> Constraints:
    """Outlined cells: no digit in them occurs in a cell that touches them by an edge."""
    around = {cell for inner in mark.cells for cell in frame.around(inner) if cell not in mark.cells}
    for inner, outer in product(dict.fromkeys(mark.cells), sorted(around)):
        yield AllDifferent(frame.cells((inner, outer)), f"vault {label(inner)}-{label(outer)}")
