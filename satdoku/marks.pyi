"""Marks: what a setter draws on a grid. `tests/support/stub.py` writes this file."""

from collections.abc import Callable, Iterable

from satdoku.puzzle import Mark
from satdoku.variants import Kind

__all__: list[str]

Cell = str | tuple[int, int]
Cells = str | Iterable[Cell]

def of(kind: Kind) -> Callable[..., Mark]:
    """The function that makes marks of a kind of your own, which satdoku then knows until the process ends."""

def all(marks: Iterable[Mark]) -> Mark:
    """Several marks: all of them hold."""

def anti_king() -> Mark:
    """Cells a king's move apart differ."""

def anti_knight() -> Mark:
    """Cells a knight's move apart differ."""

def anti_leaper(value: str) -> Mark:
    """Cells as far apart as the two numbers say, one along rows and one along columns, differ (of 5 9: only those
    digits).
    """

def anti_queen(value: Iterable[int] | str) -> Mark:
    """Cells of one diagonal, however far apart, do not hold the same one of the digits listed."""

def anti_taxicab() -> Mark:
    """Two cells that hold the same digit are not that digit apart in rows and columns together."""

def any(marks: Iterable[Mark]) -> Mark:
    """Several marks: at least one of them holds."""

def arithmetic(line: Cells) -> Mark:
    """Olive line: each digit is as much more, or less, than the one before it as that is than the one before."""

def arrow(bulb: Cells, lines: Iterable[Cells]) -> Mark:
    """Arrow: each shaft adds up to the number in the circle or pill."""

def automaton(line: Cells, *, value: str) -> Mark:
    """Line with an automaton: its digits, in order, lead from the start to an accepting state."""

def average_arrow(bulb: Cells, lines: Iterable[Cells]) -> Mark:
    """Arrow: the digit in the circle is the average of each shaft."""

def battenberg(cells: Cells) -> Mark:
    """Pink and yellow squares on a corner: odd and even digits alternate in the four cells around it."""

def battlefield(cell: Cell, *, value: int) -> Mark:
    """Number outside the grid: with X the first and Y the last digit, the first X and the last Y cells are marked;
    the cells marked twice, or if there are none the cells not marked, add up to it.
    """

def before_nine(cell: Cell, *, value: int) -> Mark:
    """Number outside the grid: the digits before the greatest digit, seen from the clue, add up to it."""

def between(line: Cells) -> Mark:
    """Line between circles: the digits on it lie strictly between those in the circles."""

def board(cell: Cell, marks: Iterable[Mark], *, value: str) -> Mark:
    """A board with rows, columns and marks of its own, which begins at the cell; where boards overlap, they have the
    cells in common.
    """

def box_indexer(cells: Cells) -> Mark:
    """Green cell: its digit says at which place of its box the number of its own place stands."""

def boxes(shape: str) -> Mark:
    """Each box, within bold lines, holds no digit twice."""

def cage(cells: Cells, *, total: int | None = ...) -> Mark:
    """Dashed cage: its digits differ, and add up to the number if it has one."""

def cave(cells: Cells) -> Mark:
    """Circles on a board whose cells the solver shades: the cells that are not shaded are connected by edges, each
    shaded cell is connected with the edge of the grid by shaded ones, and the digit in a circle, which is not
    shaded, says how many cells are seen from it along its row and column, itself included, up to shaded ones.
    """

def chaos_arrow(bulb: Cells, lines: Iterable[Cells], *, value: int | None = ...) -> Mark:
    """Arrow on a board with unknown regions: the digit in the circle says how many cells, from the first one of the
    lines along each of them, are in the region of that first cell before another region comes; it counts once.
    """

def chaos_construction(value: int | None = ...) -> Mark:
    """The solver finds the regions: all of one size, each connected by edges, and none holds a digit twice."""

def chaos_count(bulb: Cells, lines: Iterable[Cells], *, value: int | None = ...) -> Mark:
    """Lines on a board with unknown regions: the digit in the circle says how many of their cells are in the region
    of the first one, which counts once.
    """

def clone(cells: Cells, copy: Cells) -> Mark:
    """Two groups under one letter: each cell holds the same digit as its copy."""

def column_indexer(cells: Cells) -> Mark:
    """Blue cell: its digit says in which column of its row the number of its own column stands."""

def connected_group(cells: Cells, *, value: str) -> Mark:
    """Outlined cells with digits: those of them that hold one of the digits are connected by edges, within the
    outline (1 2: 4: and there are four of them; 1 2 in rows of 3: the cells, such as variables, are neighbours as
    they lie in rows of three in the order they are named).
    """

def connected_shading(value: str | None = ...) -> Mark:
    """On a board with shaded cells: these are connected by edges (UNSHADED: the others are)."""

def connected_values(value: str) -> Mark:
    """The cells that hold one of the digits are connected by edges (1 2: 8: and there are eight of them)."""

def contain_exact(cells: Cells, *, value: Iterable[int] | str) -> Mark:
    """Outlined cells with digits: each occurs in them exactly as often as it is listed; other digits are free."""

def count(cells: Cells, *, value: str) -> Mark:
    """Cells with digits and a number: so many of the cells hold one of the digits, or less or more (>= 2)."""

def count_distinct(cells: Cells) -> Mark:
    """Ringed cells: the one with two rings says how many different digits are in the others."""

def counting_circles(cells: Cells) -> Mark:
    """Circles of one colour: a digit in one of them occurs in as many of them as it says."""

def counting_line(line: Cells) -> Mark:
    """Light blue line: a digit on it occurs on it as often as it says."""

def diagonal_nonconsecutive() -> Mark:
    """Cells that touch at a corner do not differ by 1."""

def difference(cells: Cells, *, value: int | None = ...) -> Mark:
    """White dot: the two digits differ by the number, 1 if it has none."""

def different_sum(groups: Iterable[Cells]) -> Mark:
    """Groups under one letter: no two of them add up to the same."""

def digital_root(cells: Cells, *, value: int) -> Mark:
    """Outlined cells: they differ, and the digital root of their sum is the number."""

def disjoint_group(value: int) -> Mark:
    """The cells at that one place of their boxes, counted by rows, differ."""

def disjoint_groups() -> Mark:
    """Cells at the same place of their boxes differ."""

def doppelganger() -> Mark:
    """On a board with 0 and as many other digits as rows: each row, column and box lacks one digit but 0, no two
    rows (columns, boxes) the same; those that meet at a 0 lack different digits.
    """

def double_arrow(line: Cells) -> Mark:
    """Line between circles: the digits between the ends add up to the sum of the ends."""

def edge_product(cells: Cells, *, value: int) -> Mark:
    """× and a number between two cells: they multiply to it."""

def edge_sum(cells: Cells, *, value: int | None = ...) -> Mark:
    """Number in a circle between two cells: they add up to it; an empty circle joins them, so that rules about
    neighbours without a sum leave them out.
    """

def entropic(line: Cells) -> Mark:
    """Peach line: any three cells in a row on it are one low, one middle and one high."""

def equal_sum(groups: Iterable[Cells]) -> Mark:
    """Groups under one letter: each adds up to the same."""

def equality_cage(cells: Cells) -> Mark:
    """Outlined cells: they differ, as many are odd as even and as many low as high; none is the middle digit."""

def even(cell: Cell) -> Mark:
    """Grey square: the digit is even."""

def even_count(cells: Cells, *, value: int) -> Mark:
    """Outlined cells: as many of them are even as the number says."""

def even_lots(cells: Cells) -> Mark:
    """Ringed cells: the one with two rings says how many of them, itself included, are even."""

def exactly(marks: Iterable[Mark], *, value: int | None = ...) -> Mark:
    """Several marks: as many of them hold as the number says, one if it says nothing."""

def extra_region(cells: Cells) -> Mark:
    """Shaded cells differ."""

def falling_diagonal() -> Mark:
    """The diagonal from top left to bottom right holds every digit once."""

def first_seen(cell: Cell, *, value: int) -> Mark:
    """Digit outside the grid: it is the first odd digit, or the first even digit, that the clue sees."""

def flatmates(value: Iterable[int] | str = ...) -> Mark:
    """Every 5 has a 1 directly above it or a 9 directly below it, or both (other digits if three are listed)."""

def frame_sum(cell: Cell, *, value: int) -> Mark:
    """Number outside the grid: the cells of the first box that the clue sees add up to it."""

def free_grid() -> Mark:
    """Rows and columns may hold a digit more than once: the other marks alone say what cells hold."""

def full_rank(cell: Cell, *, value: int) -> Mark:
    """Number outside the grid: all rows and columns, read as numbers from either end, are ranked from the least, and
    this is the rank of the one that begins here; no other reading is equal to it.
    """

def full_rank_ties(value: str) -> Mark:
    """Which readings of full rank may be equal: none of all rows and columns (none), or any, even those with clues
    (any).
    """

def global_entropy(value: str | None = ...) -> Mark:
    """Every 2x2 window holds a low, a middle and a high digit, or one of each class that is listed."""

def global_mod(value: int | None = ...) -> Mark:
    """Every 2x2 window holds every remainder by the number, 3 if there is none."""

def greater_than(cells: Cells) -> Mark:
    """Sign between two cells: it is open toward the greater digit, which is listed first."""

def hidden_skyscraper(cell: Cell, *, value: int) -> Mark:
    """Number outside the grid: the first digit, seen from the clue, that is lower than one before it."""

def high_low_line(line: Cells) -> Mark:
    """Orange line: low and high digits alternate; the middle digit of an odd number of digits is neither."""

def index_line(line: Cells) -> Mark:
    """Pink line: if its cell k holds v, its cell v holds k."""

def japanese_sum(cell: Cell, *, value: str) -> Mark:
    """Numbers outside the grid, on a board with shaded cells: the sums of the digits in each run of shaded cells, in
    the order of the runs from the clue; a ? is any sum, and 0 says that no cell is shaded.
    """

def killer_cage(cells: Cells, *, total: int | None = ...) -> Mark:
    """Dashed cage: its digits differ, and add up to the number if it has one."""

def knightmare(value: Iterable[int] | str = ...) -> Mark:
    """Cells a knight's move apart add up to none of the sums, 5 and 15 if none are listed."""

def little_killer(cell: Cell, line: Cells, *, total: int) -> Mark:
    """Number outside the grid with an arrow: the diagonal adds up to it."""

def little_killer_look_and_say(cell: Cell, line: Cells, *, value: str) -> Mark:
    """Pairs of count and digit outside the grid with an arrow, 2112: exactly two 1s and one 2 are on the diagonal."""

def little_killer_product(cell: Cell, line: Cells, *, value: int) -> Mark:
    """Number outside the grid with an arrow: the diagonal multiplies to it."""

def lockout(line: Cells, *, value: int | None = ...) -> Mark:
    """Line between diamonds: the digits in them differ by at least the number, 4 if it has none, and those between
    lie outside their range.
    """

def look_and_say(cells: Cells, *, value: str) -> Mark:
    """Outlined cells with pairs of count and digit, 2112: exactly two 1s and one 2 are in them; other digits are
    free.
    """

def loop() -> Mark:
    """The solver shades the cells of one closed loop, which goes from cell to cell over edges and has no two cells
    beside each other that do not follow each other.
    """

def lunchbox(cells: Cells, *, value: int) -> Mark:
    """Outlined cells: they differ, and those between the least and the greatest, in their order, add up to the
    number.
    """

def magnet_sum(line: Cells) -> Mark:
    """Line from a circle: the digits before the first one above the digit in the circle add up to that digit."""

def max_difference(line: Cells, *, value: int) -> Mark:
    """Pale blue line with a number: neighbours on it differ by at most the number."""

def maximum(cell: Cell) -> Mark:
    """Shaded cell with signs around it: it is more than its neighbours, those shaded alike left out."""

def minimum(cell: Cell) -> Mark:
    """Shaded cell with signs around it: it is less than its neighbours, those shaded alike left out."""

def modifiers(value: str | None = ...) -> Mark:
    """One cell of each row, column and box, to be found, is a doubler (or the like), each with another digit: sums
    and lines count its digit twice.
    """

def modular(line: Cells) -> Mark:
    """Turquoise line: any three cells in a row on it leave three different remainders by 3."""

def modular_by(line: Cells, *, value: int) -> Mark:
    """Teal line with a number m: any m cells in a row on it leave m different remainders by m."""

def multisum_cage(cells: Cells, *, value: Iterable[int] | str) -> Mark:
    """Outlined cells with several numbers: they differ and add up to one of them."""

def nabner(line: Cells) -> Mark:
    """Yellow line: no two digits on it are equal or consecutive."""

def negative_battenberg() -> Mark:
    """Around a corner without pink and yellow squares odd and even digits do not alternate."""

def negative_box_indexer() -> Mark:
    """Where a cell is not green, its digit does not say at which place of its box the number of its own place
    stands.
    """

def negative_column_indexer(value: Iterable[int] | str = ...) -> Mark:
    """Where a cell is not blue, its digit does not say in which column of its row the number of its own column
    stands (1 5: in columns 1 and 5 alone).
    """

def negative_difference(value: Iterable[int] | str) -> Mark:
    """Neighbours that no dot joins do not differ by any of the numbers."""

def negative_quadruple(cells: Cells, *, value: Iterable[int] | str) -> Mark:
    """Crossed circle on a corner: none of the digits in it occurs in the cells."""

def negative_ratio() -> Mark:
    """Neighbours that no dot joins are in none of the ratios drawn (2 if none is)."""

def negative_rossini() -> Mark:
    """Where there is no rossini arrow outside the grid, the three digits there neither rise nor fall."""

def negative_row_indexer(value: Iterable[int] | str = ...) -> Mark:
    """Where a cell is not red, its digit does not say in which row of its column the number of its own row stands (1
    5: in rows 1 and 5 alone).
    """

def negative_sum(value: Iterable[int] | str) -> Mark:
    """Neighbours that no sum, X or V joins add up to none of the numbers."""

def negative_xv() -> Mark:
    """Neighbours that no X or V joins add up to neither 10 nor 5."""

def nonconsecutive() -> Mark:
    """Neighbours that no dot joins do not differ by 1."""

def none(marks: Iterable[Mark]) -> Mark:
    """Several marks: none of them holds."""

def not_renban(line: Cells) -> Mark:
    """Dashed purple line of two or more cells: its digits are not consecutive, in whichever order; they may repeat."""

def numbered_room(cell: Cell, *, value: int) -> Mark:
    """Number outside the grid: it stands in the X-th cell from the clue, where X is the first of them."""

def nurikabe(cells: Cells) -> Mark:
    """Circles on a board whose cells the solver shades: each group of cells that are not shaded, connected by edges,
    has one circle, whose digit is how many cells it has; the shaded cells are connected by edges, and no 2x2
    window is shaded as a whole.
    """

def odd(cell: Cell) -> Mark:
    """Grey circle: the digit is odd."""

def odd_count(cells: Cells, *, value: int) -> Mark:
    """Outlined cells: as many of them are odd as the number says."""

def odd_even_thermometer(line: Cells) -> Mark:
    """Thermometer in outline: digits rise from the first cell, and all are odd or all are even."""

def odd_lots(cells: Cells) -> Mark:
    """Ringed cells: the one with two rings says how many of them, itself included, are odd."""

def outside(cell: Cell, *, value: Iterable[int] | str) -> Mark:
    """Digits outside the grid: they stand in the cells of the first box that the clue sees."""

def pair(line: Cells, *, value: str) -> Mark:
    """Line with a relation: each digit on it and the next one are in the relation."""

def pair_all(cells: Cells, *, value: str) -> Mark:
    """Cells with a relation: any two of their digits, in the order of the cells, are in the relation."""

def palindrome(line: Cells) -> Mark:
    """Grey line: it reads the same from both ends."""

def parity_line(line: Cells) -> Mark:
    """Red line: odd and even digits alternate."""

def position_sum(cell: Cell, *, value: Iterable[int] | str) -> Mark:
    """Two numbers outside the grid: the first two digits from the clue add up to the first number, and the digits in
    the two cells whose places, counted from the clue, they name add up to the second.
    """

def product(cells: Cells, *, value: int) -> Mark:
    """Outlined cells, which may repeat digits: they multiply to the number."""

def product_arrow(bulb: Cells, lines: Iterable[Cells]) -> Mark:
    """Arrow: the digit in the circle is the product of each shaft."""

def product_sum(line: Cells) -> Mark:
    """Brown line: the digits between the ends add up to the product of the ends."""

def quad_sum(cells: Cells) -> Mark:
    """Ringed cells: the greatest digit is the sum of the others."""

def quadruple(cells: Cells, *, values: Iterable[int] | str) -> Mark:
    """Digits in a circle on a corner: each occurs in the cells at least as often as it is listed."""

def ratio(cells: Cells, *, value: int | None = ...) -> Mark:
    """Black dot: one digit is the number times the other, twice it if there is none."""

def regex(line: Cells, *, value: str) -> Mark:
    """Line with a regular expression: its digits, in order, match the whole of it."""

def region(cells: Cells) -> Mark:
    """Each region, within bold lines, holds no digit twice."""

def region_same_values() -> Mark:
    """All rows, columns, boxes and regions of the greatest size hold the same digits, as often."""

def region_sum(line: Cells) -> Mark:
    """Blue line: it adds up to the same in each box or region that it passes."""

def rellik(cells: Cells, *, value: int) -> Mark:
    """Outlined cells: they differ, and no one or more of them add up to the number."""

def renban(line: Cells) -> Mark:
    """Purple line: its digits are consecutive, in any order."""

def rising_diagonal() -> Mark:
    """The diagonal from bottom left to top right holds every digit once."""

def roping(value: str | None = ...) -> Mark:
    """The digits that a row has in one box are together in a row of each box beside it, and so are those of columns
    in the boxes above and below (ROWS or COLUMNS: only these).
    """

def rossini(cell: Cell, *, value: str) -> Mark:
    """Arrow outside the grid: the three digits next to it rise in its direction."""

def row_indexer(cells: Cells) -> Mark:
    """Red cell: its digit says in which row of its column the number of its own row stands."""

def rule_159(value: Iterable[int] | str = ...) -> Mark:
    """In columns 1, 5 and 9 (the first, the middle, the last) the digit of a cell says in which column of its row
    the number of its own column stands.
    """

def same_difference(line: Cells, *, value: str | None = ...) -> Mark:
    """Turquoise line: all neighbours on it differ by the same number, which is not 0 unless the line says ZERO."""

def same_region(cells: Cells) -> Mark:
    """Outlined cells on a board with unknown regions: they are in one region."""

def same_values(groups: Iterable[Cells]) -> Mark:
    """Groups under one letter: each holds the same digits, as often."""

def sandwich(cell: Cell, *, total: int) -> Mark:
    """Number outside the grid: two cells hold 1 or the greatest digit, and the digits between them add up to it."""

def schroedinger() -> Mark:
    """One cell of each row, column and box, to be found, holds two digits, so that each holds one digit more than it
    has cells, each digit once: sums and lines count the sum of both.
    """

def shading() -> Mark:
    """The solver shades cells, as other marks say."""

def skyscraper(cell: Cell, *, count: int) -> Mark:
    """Number outside the grid: so many digits, seen from the clue, are greater than all before them."""

def skyscraper_line(line: Cells, *, value: int) -> Mark:
    """Sandy line with a number: so many of its digits, seen from its first cell, are greater than all before them."""

def skyscraper_sum(cell: Cell, *, value: int) -> Mark:
    """Number outside the grid: the digits that, seen from the clue, are greater than all before them add up to it."""

def slow_thermometer(line: Cells) -> Mark:
    """Hollow thermometer: digits never fall from the bulb, the first cell."""

def split_pea(line: Cells) -> Mark:
    """Green line between circles: the digits between them add up to the two-digit number that the digits in the
    circles make, in either order.
    """

def star_battle(value: int | None = ...) -> Mark:
    """The solver places stars: each row, column, and box or region has as many as the number says, one if it says
    nothing, and no two stars touch, not even at corners.
    """

def successor_arrow(line: Cells) -> Mark:
    """Line from a circle: if the circle holds n, the cell n steps on holds n + 1."""

def sum(cells: Cells, *, value: str) -> Mark:
    """Outlined cells, which may repeat digits: they add up to the number, to one of several, or to less or more than
    it (>= 6); weights before a colon multiply the cells (2 -1: = 0).
    """

def sum_line(line: Cells, *, value: int | None = ...) -> Mark:
    """Grey line: it splits into parts that each add up to the number, 10 if it has none; on a loop, which names its
    first cell again at its end, a part may go on past it.
    """

def taxicab(value: int) -> Mark:
    """Cells whose distance in rows and columns together is the number differ."""

def thermometer(line: Cells) -> Mark:
    """Thermometer: digits rise from the bulb, the first cell."""

def toroidal() -> Mark:
    """The grid goes on beyond its edges, where its other side begins: so it does for other rules about neighbours,
    chess moves and distances, which are those of the shortest way.
    """

def unimodular(line: Cells, *, value: int | None = ...) -> Mark:
    """Light teal line: all digits leave the same remainder by the number, 3 if it has none."""

def value_index(line: Cells) -> Mark:
    """Line of three or more cells: the second digit, v, says that the digit of the first stands v cells after it."""

def variable(value: str) -> Mark:
    """A number beside the grid, to be found, which marks may name as they name a cell; it has the values of a cell,
    or others that are stated. A grid is one solution, however many values of variables fit it.
    """

def vault(cells: Cells) -> Mark:
    """Outlined cells: no digit in them occurs in a cell that touches them by an edge."""

def whispers(line: Cells, *, value: int | None = ...) -> Mark:
    """Green line: neighbours on it differ by at least the number, 5 if it has none."""

def windoku() -> Mark:
    """The shaded windows between the boxes hold every digit once."""

def x_sum(cell: Cell, *, total: int) -> Mark:
    """Number outside the grid: the first X cells from the clue add up to it, where X is the first of them."""

def x_sum_arrow(bulb: Cells, lines: Iterable[Cells]) -> Mark:
    """Green arrow: the first X digits of each shaft, where X is the first of them, add up to the digit in the
    circle.
    """

def xv(cells: Cells, *, letter: str) -> Mark:
    """X or V between two cells: they add up to 10 (X) or 5 (V)."""

def yin_yang() -> Mark:
    """The solver shades cells: the shaded cells are connected by edges, and so are the others, and no 2x2 window is
    shaded as a whole or not at all.
    """

def zipper(line: Cells) -> Mark:
    """Lavender line: cells as far from either end add up to the same, which is the middle cell if there is one."""
