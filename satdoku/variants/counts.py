"""Marks that say how often values occur, or which values occur together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product

from satdoku.constraints import AllDifferent, Automaton
from satdoku.errors import PuzzleError
from satdoku.puzzle import Mark
from satdoku.variants import Frame, Kinds, Shape, label, needs
from satdoku.variants.drawing import grouped, line, ringed
from satdoku.variants.relations import automaton, cells_of, count_among, line_of, number, values_listed
from satdoku.variants.sums import draw_little_killer

KINDS = Kinds()


@KINDS.add(
    "look-and-say",
    Shape.CELLS,
    needs("counts and digits in turn, 2112 or 2 1 1 2", text=True),
    plural="look-and-say cages",
)
def _look_and_say(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Outlined cells with pairs of count and digit, 2112: exactly two 1s and one 2 are in them; other digits are
    free."""
    cells, name = cells_of(frame, mark, "look-and-say")
    return _said(frame, mark, cells, name)


@KINDS.add(
    "little-killer-look-and-say",
    Shape.DIAGONAL,
    needs("counts and digits in turn, 2112 or 2 1 1 2", text=True),
    plural="little killer look-and-says",
    draw=draw_little_killer,
)
def _killer_look_and_say(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Pairs of count and digit outside the grid with an arrow, 2112: exactly two 1s and one 2 are on the
    diagonal."""
    name = f"little killer look-and-say {mark.value} at {label(mark.cells[0])}"
    return _said(frame, mark, frame.cells(mark.lines[0]), name)


def _said(frame: Frame, mark: Mark, cells: tuple[int, ...], name: str) -> Iterator[Automaton]:
    """An automaton for each value that is counted: the counts and values take turns, in one word or in several."""
    words = str(mark.value).split()
    parts = list(words[0]) if len(words) == 1 else words
    pairs = [
        (int(many), int(value))
        for many, value in zip(parts[::2], parts[1::2], strict=False)
        if (many + value).isascii() and (many + value).isdigit()
    ]
    if not pairs or 2 * len(pairs) != len(parts) or not all(value in frame.values for _, value in pairs):
        raise PuzzleError(f"value {mark.value!r}: expected counts and digits in turn, such as 2112: two 1s, one 2")
    values = [value for _, value in pairs]
    if len(set(values)) < len(values):
        raise PuzzleError(f"value {mark.value!r}: a digit is counted twice")
    for many, value in pairs:
        yield _exactly(frame, cells, value, (many,), name)


def _exactly(frame: Frame, cells: tuple[int, ...], value: int, totals: tuple[int, ...], name: str) -> Automaton:
    return count_among(frame.values, cells, lambda found: found == value, totals, name)


@KINDS.add("contain-exact", Shape.CELLS, needs("the digits", several=True), plural="exact contents")
def _contain_exact(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Outlined cells with digits: each occurs in them exactly as often as it is listed; other digits are free."""
    cells, name = cells_of(frame, mark, "contains exactly")
    for value, many in Counter(values_listed(frame, mark)).items():
        yield _exactly(frame, cells, value, (many,), name)


@KINDS.add("counting-circles", Shape.CELLS, plural="sets of counting circles", draw=ringed())
def _counting_circles(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Circles of one colour: a digit in one of them occurs in as many of them as it says."""
    cells, name = cells_of(frame, mark, "counting circles")
    return (_exactly(frame, cells, value, (0, value), name) for value in frame.values)


@KINDS.add("counting-line", Shape.LINE, draw=line("#b7d6f2"))
def _counting_line(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Light blue line: a digit on it occurs on it as often as it says."""
    cells, name = line_of(frame, mark, "counting line")
    return (_exactly(frame, cells, value, (0, value), name) for value in frame.values)


@KINDS.add("count-distinct", Shape.CELLS, plural="distinct counts", draw=ringed(first=True))
def _count_distinct(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Ringed cells: the one with two rings says how many different digits are in the others."""
    # The counted cells first; the state is the set of their values, then whether the first cell is its size.
    (first, *others), name = cells_of(frame, mark, "count distinct")
    if not others:
        raise PuzzleError(f"one cell at {label(mark.cells[0])}: expected it and those that it counts")
    many = len(others)

    def step(state: tuple[int, frozenset[int]], value: int) -> tuple[int, frozenset[int]] | None:
        read, seen = state
        if read == many:
            return (many + 1, frozenset()) if value == len(seen) else None
        return read + 1, seen | {value}

    start: tuple[int, frozenset[int]] = (0, frozenset())
    yield automaton(frame.values, (*others, first), start, step, lambda state: state[0] == many + 1, name)


@KINDS.add("odd-count", Shape.CELLS, needs("how many are odd"))
def _odd_count(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Outlined cells: as many of them are odd as the number says."""
    return _parity_count(frame, mark, "odd", 1)


@KINDS.add("even-count", Shape.CELLS, needs("how many are even"))
def _even_count(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Outlined cells: as many of them are even as the number says."""
    return _parity_count(frame, mark, "even", 0)


def _parity_count(frame: Frame, mark: Mark, word: str, remainder: int) -> Iterator[Automaton]:
    cells, name = cells_of(frame, mark, f"{word} count")
    yield count_among(frame.values, cells, lambda value: value % 2 == remainder, (number(mark),), name)


@KINDS.add("odd-lots", Shape.CELLS, plural="odd lots", draw=ringed(first=True))
def _odd_lots(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Ringed cells: the one with two rings says how many of them, itself included, are odd."""
    return _lots(frame, mark, "odd", 1)


@KINDS.add("even-lots", Shape.CELLS, plural="even lots", draw=ringed(first=True))
def _even_lots(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Ringed cells: the one with two rings says how many of them, itself included, are even."""
    return _lots(frame, mark, "even", 0)


def _lots(frame: Frame, mark: Mark, word: str, remainder: int) -> Iterator[Automaton]:
    """The state is how many are still to come; -1 before the first cell says so."""
    cells, name = cells_of(frame, mark, f"{word} lots")

    def step(left: int, value: int) -> int | None:
        left = (value if left < 0 else left) - (value % 2 == remainder)
        return left if left >= 0 else None

    yield automaton(frame.values, cells, -1, step, lambda left: not left, name)


@KINDS.add(
    "same-values", Shape.GROUPS, plural="groups of the same digits", draw=grouped("#6a9c3b"), aliases=("same-digits",)
)
def _same_values(frame: Frame, mark: Mark) -> Iterator[Automaton]:
    """Groups under one letter: each holds the same digits, as often."""
    # For each value and each two groups that follow: it occurs as often in both, which are read in turn.
    groups = [frame.cells(group) for group in mark.lines]
    sizes = {len(group) for group in groups}
    if len(sizes) > 1:
        raise PuzzleError(f"groups of {min(sizes)} and of {max(sizes)} cells: expected groups of one size")
    for first, second in pairwise(groups):
        cells = tuple(cell for two in zip(first, second, strict=True) for cell in two)
        for value in frame.values:
            yield _as_often(frame.values, cells, value, f"same digits at {label(mark.lines[0][0])}")


def _as_often(values: range, cells: tuple[int, ...], wanted: int, name: str) -> Automaton:
    """The value occurs as often among every other cell as among the rest. State: the difference, whose turn it is."""

    def step(state: tuple[int, int], value: int) -> tuple[int, int]:
        more, turn = state
        return more + turn * (value == wanted), -turn

    return automaton(values, cells, (0, 1), step, lambda state: not state[0], name)


@KINDS.add("equality-cage", Shape.CELLS, aliases=("parity-balance",))
def _equality(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Automaton]:
    """Outlined cells: they differ, as many are odd as even and as many low as high; none is the middle digit."""
    # The state is how many more are odd than even, and high than low.
    cells, name = cells_of(frame, mark, "equality cage")
    half = len(frame.values) // 2
    low, high = frame.values[:half], frame.values[-half:] if half else ()

    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        if value not in low and value not in high:
            return None
        return state[0] + (1 if value % 2 else -1), state[1] + (1 if value in high else -1)

    yield AllDifferent(cells, name)
    yield automaton(frame.values, cells, (0, 0), step, lambda state: state == (0, 0), name)


@KINDS.add(
    "rellik",
    Shape.CELLS,
    needs("the sum that is not reached"),
    plural="rellik cages",
    aliases=("anti-sum-cage", "rellik-cage"),
)
def _rellik(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Automaton]:
    """Outlined cells: they differ, and no one or more of them add up to the number."""
    # The state is the sums of some of the cells so far, bit S for the sum S.
    cells, name = cells_of(frame, mark, "rellik cage")
    total = number(mark)
    if total < 1:
        raise PuzzleError(f"value {total}: expected a sum of 1 or more")

    def step(sums: int, value: int) -> int | None:
        sums = (sums | sums << value) & (2 << total) - 1
        return None if sums >> total else sums

    yield AllDifferent(cells, name)
    yield automaton(frame.values, cells, 1, step, lambda sums: True, name)


@KINDS.add("lunchbox", Shape.CELLS, needs("the sum"), plural="lunchboxes")
def _lunchbox(frame: Frame, mark: Mark) -> Iterator[AllDifferent | Automaton]:
    """Outlined cells: they differ, and those between the least and the greatest, in their order, add up to the
    number."""
    # All cells twice: the first time for the least and the greatest of them, the second for the sum between. State:
    # cells read in the first round, least, greatest; the crusts met in the second, the sum between them.
    cells, name = cells_of(frame, mark, "lunchbox")
    total, many = number(mark), len(cells)
    if many < 2:
        raise PuzzleError(f"one cell at {label(mark.cells[0])}: expected two or more")

    def step(state: tuple[int, ...], value: int) -> tuple[int, ...] | None:
        read, least, greatest, crusts, filling = state
        if read < many:
            return read + 1, min(least, value), max(greatest, value), 0, 0
        if value in (least, greatest):
            crusts += 1
        elif crusts == 1:
            filling += value
        return (read, least, greatest, crusts, filling) if crusts <= 2 and filling <= total else None

    yield AllDifferent(cells, name)
    start: tuple[int, ...] = (0, frame.values[-1], frame.values[0], 0, 0)
    yield automaton(frame.values, cells * 2, start, step, lambda s: s[0] == many and s[3:] == (2, total), name)


@KINDS.add("vault", Shape.CELLS)
def _vault(frame: Frame, mark: Mark) -> Iterator[AllDifferent]:
    """Outlined cells: no digit in them occurs in a cell that touches them by an edge."""
    beside = ((row + down, column + right) for row, column in mark.cells for down, right in SIDES)
    around = {cell for cell in beside if frame.inside(cell) and cell not in mark.cells}
    for inner, outer in product(dict.fromkeys(mark.cells), sorted(around)):
        yield AllDifferent(frame.cells((inner, outer)), f"vault {label(inner)}-{label(outer)}")


SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
