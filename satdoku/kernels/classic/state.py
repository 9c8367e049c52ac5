"""What is where in a state of the search on 9x9 boards, however digits lie in vectors."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

# A branch fixes for a digit its cell in a row, its box in a row or its column in a box, which was open. On the way to a
# level each happens at most 81 times; and there is the first level.
LEVELS = 3 * 81 + 1
CELLS_FIRST = 100  # nodes from the begin, or from a grid on, in which it branches on cells; where more differ, always

# Rows of a state, each a vector. From FIRST on, VECTORS a level.
APART = 0  # a row a cell, `9 * lane + bit`: the cells that differ from it besides those of its houses
ROW = APART + 9 * 12  # a row a lane: all its cells, in the lanes of each digit of a vector
SAME_DIGIT = ROW + 12  # for each digit of a vector its lanes
PAIRS = SAME_DIGIT + 3  # cells of two digits
PLACED = PAIRS + 1  # cells that the last step placed
COUNTS = PLACED + 1  # two rows, sums over all digits of BOXES, and of COLUMNS, of which five bits are those of a stack
SINGLES = COUNTS + 2  # places that are the only ones of their row
PAIRED = SINGLES + 9  # those of PAIRS that take the digit
BOXES = PAIRED + 9  # in a lane a row of a band: the boxes that the digit can have there
COLUMNS = BOXES + 9  # in a lane a column of each stack: the stacks in which the band has it for the digit
FIRST = COLUMNS + 9

# Of a state's integers: level to look at or -1, nodes so far, level of the grid, nodes when the last grid was found,
# whether there are rows from APART on; from CHANGED on, for each level a bit for each vector not at rest, which rows
# and bands may narrow further.
DEPTH, NODES, SOLVED, LATEST, MORE, CHANGED = 0, 1, 2, 3, 4, 5

COLUMN = tuple(3 * (bit % 3) + bit // 3 for bit in range(9))  # the column of each bit, and the other way round
BIT_OF_CELL = array("H", (1 << COLUMN[cell % 9] for cell in range(81)))
THREE_LANES = (1 << 48) - 1


def of_cells(lanes: Sequence[int]) -> tuple[array[int], tuple[int, ...]]:
    """The lane of each cell in the first digit of a vector, and its bit, from the lanes of the rows."""
    lane_of_cell = array("H", (lanes[cell // 9] for cell in range(81)))
    return lane_of_cell, tuple(16 * lane_of_cell[cell] + COLUMN[cell % 9] for cell in range(81))
