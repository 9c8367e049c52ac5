"""Marks: what a setter draws on a grid. The text is that of `satdoku.api.marks.stub()`."""

from collections.abc import Iterable

from satdoku.puzzle import Mark

Cell = str | tuple[int, int]
Cells = str | Iterable[Cell]

def anti_king() -> Mark:
    """Cells a king's move apart differ."""

def anti_knight() -> Mark:
    """Cells a knight's move apart differ."""

def arrow(bulb: Cells, lines: Iterable[Cells]) -> Mark:
    """Each line adds up to the bulb; a bulb of several cells reads as a number."""

def between(line: Cells) -> Mark:
    """The cells between the ends lie strictly between their values."""

def box_indexer(cells: Cells) -> Mark:
    """If the i-th cell of a box is v, then its v-th cell is i."""

def boxes(shape: str) -> Mark:
    """Boxes of R x C cells hold every value once."""

def cage(cells: Cells, *, total: int | None = ...) -> Mark:
    """The cells of a cage differ, and add up to the value if it has one."""

def clone(cells: Cells, copy: Cells) -> Mark:
    """Each cell holds the same value as its copy."""

def column_indexer(cells: Cells) -> Mark:
    """If r_i c_j is v, then r_i c_v is j."""

def difference(cells: Cells, *, value: int | None = ...) -> Mark:
    """Two cells differ by exactly the value, 1 if it has none."""

def disjoint_groups() -> Mark:
    """Cells at the same place of their boxes differ."""

def double_arrow(line: Cells) -> Mark:
    """The cells between the ends add up to the two ends."""

def entropic(line: Cells) -> Mark:
    """Any three cells in a row on the line are one low, one middle and one high."""

def even(cell: Cell) -> Mark:
    """The cell is even."""

def extra_region(cells: Cells) -> Mark:
    """The cells of an extra region differ."""

def falling_diagonal() -> Mark:
    """The diagonal from top left to bottom right holds every value once."""

def killer_cage(cells: Cells, *, total: int | None = ...) -> Mark:
    """The cells of a cage differ, and add up to the value if it has one."""

def little_killer(cell: Cell, line: Cells, *, total: int) -> Mark:
    """The diagonal adds up to the value."""

def maximum(cell: Cell) -> Mark:
    """The cell is more than its neighbours, those marked alike left out."""

def minimum(cell: Cell) -> Mark:
    """The cell is less than its neighbours, those marked alike left out."""

def modular(line: Cells) -> Mark:
    """Any three cells in a row on the line leave three remainders by 3."""

def nabner(line: Cells) -> Mark:
    """No two values on the line are equal or consecutive."""

def negative_ratio() -> Mark:
    """Neighbours that no dot joins are in none of the ratios drawn (2 if none is)."""

def negative_xv() -> Mark:
    """Neighbours that no X or V joins add up to neither 10 nor 5."""

def nonconsecutive() -> Mark:
    """Neighbours that no dot joins do not differ by 1."""

def odd(cell: Cell) -> Mark:
    """The cell is odd."""

def palindrome(line: Cells) -> Mark:
    """The line reads the same from both ends."""

def quadruple(cells: Cells, *, values: Iterable[int] | str) -> Mark:
    """Each value listed occurs in the cells, as often as it is listed."""

def ratio(cells: Cells, *, value: int | None = ...) -> Mark:
    """One of two cells is the value times the other, 2 if it has none."""

def region(cells: Cells) -> Mark:
    """A jigsaw region holds every value once."""

def region_sum(line: Cells) -> Mark:
    """The line adds up to the same in each region that it passes."""

def renban(line: Cells) -> Mark:
    """The line holds consecutive values in any order."""

def rising_diagonal() -> Mark:
    """The diagonal from bottom left to top right holds every value once."""

def row_indexer(cells: Cells) -> Mark:
    """If r_i c_j is v, then r_v c_j is i."""

def sandwich(cell: Cell, *, total: int) -> Mark:
    """The cells between 1 and N in the row or column add up to the clue."""

def skyscraper(cell: Cell, *, count: int) -> Mark:
    """As many values as the clue says exceed all before them, seen from the clue."""

def slow_thermometer(line: Cells) -> Mark:
    """Values never fall from the bulb, the first cell."""

def thermometer(line: Cells) -> Mark:
    """Values rise from the bulb, the first cell."""

def whispers(line: Cells, *, value: int | None = ...) -> Mark:
    """Neighbours on the line differ by at least the value, 5 if it has none."""

def windoku() -> Mark:
    """The windows between the boxes hold every value once."""

def x_sum(cell: Cell, *, total: int) -> Mark:
    """The first X cells from the clue add up to it, where X is the first of them."""

def xv(cells: Cells, *, letter: str) -> Mark:
    """Two cells add up to 10 (X) or 5 (V)."""

def zipper(line: Cells) -> Mark:
    """Cells as far from either end add up to the same, which is the middle cell if there is one."""
