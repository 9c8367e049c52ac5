"""Direct encodings: one variable for each cell and value, true if the cell holds the value.

They differ in which at-least-one and at-most-one clauses they state; any of them is enough, and
the extra ones let unit propagation see further.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from satdoku.constraints import Grid
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.clauses import Clauses, Literals
from satdoku.encoders.cnf import Encoding, Variables
from satdoku.errors import BackendError
from satdoku.puzzle import Board
from satdoku.referee import all_different_cells


@dataclass(frozen=True, slots=True)
class Direct:
    """Variable cell * N + value; `board` names cells in errors."""

    board: Board

    def literals(self, cell: int, value: int) -> tuple[int, ...]:
        return (cell * self.board.values + value,)

    def equals(self, cell: int, value: int) -> int:
        return cell * self.board.values + value

    def decode(self, true: set[int]) -> Grid:
        size = self.board.values
        grid = [0] * self.board.cells
        for literal in true:
            cell, value = divmod(literal - 1, size)
            if cell < len(grid):
                if grid[cell]:
                    raise BackendError(f"the model gives {self.board.label(cell)} both {grid[cell]} and {value + 1}")
                grid[cell] = value + 1
        if 0 in grid:
            raise BackendError(f"the model gives {self.board.label(grid.index(0))} no value")
        return tuple(grid)


def _writer(*, cells_at_most_one: bool, houses_at_least_one: bool) -> Callable[[Board, Clauses], Variables]:
    def write(board: Board, clauses: Clauses) -> Variables:
        # (cells, values): the variable of each
        is_value: Literals = clauses.new_array(board.cells, board.values)
        clauses.extend(is_value)
        pairwise(clauses, is_value if cells_at_most_one else is_value[_in_no_house(board)])
        for width, cells in all_different_cells(board).items():
            # (rules * values, width): for each rule and value, that value in each cell
            groups = is_value[cells].transpose(0, 2, 1).reshape(-1, width)
            if houses_at_least_one and width == board.values:
                clauses.extend(groups)
            pairwise(clauses, groups)
        return Direct(board)

    return write


def _in_no_house(board: Board) -> list[int]:
    """Cells that no full house covers: elsewhere N cells share N values, so one value each follows."""
    covered = {cell for house in board.houses for cell in house.cells}
    return [cell for cell in range(board.cells) if cell not in covered]


ENCODINGS = (
    Encoding(
        "minimal",
        "each cell has a value, no house has one twice",
        "Lynce and Ouaknine, Sudoku as a SAT Problem, 2006",
        _writer(cells_at_most_one=False, houses_at_least_one=False),
    ),
    Encoding(
        "efficient",
        "minimal, and no cell has two values",
        "Weber, A SAT-based Sudoku Solver, 2005",
        _writer(cells_at_most_one=True, houses_at_least_one=False),
    ),
    Encoding(
        "extended",
        "exactly one everywhere: efficient, and each house has every value",
        "Lynce and Ouaknine, Sudoku as a SAT Problem, 2006",
        _writer(cells_at_most_one=True, houses_at_least_one=True),
    ),
)
