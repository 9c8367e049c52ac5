"""New puzzles: a random full grid, then clues taken from it for as long as it stays the only solution.

`grids` draws the grids, `clues` takes clues away or fits them to given places, `recipe` says what
is asked for and what cannot be, `pattern` reads places, `work` asks one engine for many puzzles at
once, `runs` shares them among processes, `effort` says how much search a puzzle takes, and `report`
says what people read.
"""

from satdoku.generator.effort import Effort, effort
from satdoku.generator.recipe import Recipe, Symmetry
from satdoku.generator.runs import run
from satdoku.generator.work import Failure, Made, Workshop, batches, made

__all__ = ["Effort", "Failure", "Made", "Recipe", "Symmetry", "Workshop", "batches", "effort", "made", "run"]
