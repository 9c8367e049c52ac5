"""satdoku: a Sudoku stated once, as constraints, for whichever engine you name.

import satdoku
puzzle = satdoku.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
satdoku.check(puzzle).verdict    # Verdict.UNIQUE
satdoku.solve(puzzle).grids[0]   # the grid: 81 values, row-major
satdoku.count(puzzle).count      # 1
"""

from satdoku.backends import Budget, Ending
from satdoku.constraints import AllDifferent, Automaton, Grid, Linear, Table
from satdoku.errors import (
    BackendError,
    Disagreement,
    FormatError,
    InputError,
    PuzzleError,
    Refused,
    SatdokuError,
    WrongAnswer,
)
from satdoku.formats import read, write
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.variants.boxes import classic
from satdoku.verdict import Judge, Outcome, Verdict, check, count, solve
from satdoku.version import __version__

__all__ = [
    "AllDifferent",
    "Automaton",
    "BackendError",
    "Board",
    "Budget",
    "Disagreement",
    "Ending",
    "FormatError",
    "Grid",
    "InputError",
    "Judge",
    "Linear",
    "Mark",
    "Outcome",
    "Puzzle",
    "PuzzleError",
    "Refused",
    "SatdokuError",
    "Table",
    "Verdict",
    "WrongAnswer",
    "__version__",
    "check",
    "classic",
    "count",
    "read",
    "solve",
    "write",
]
