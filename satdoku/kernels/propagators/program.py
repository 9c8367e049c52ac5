"""A board as flat arrays: what the compiled search runs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

HOUSE, RELATIONS, INTERSECTION, FAMILY, LINEAR, AUTOMATON, PERMUTATION = range(7)  # kinds of propagators


class Program(NamedTuple):
    """The propagators of a board. Cells of the grid come first, then auxiliary ones."""

    grid_cells: int  # how many cells a grid has
    values: int  # the greatest value of any cell
    domains: NDArray[np.int64]  # (cells,) the candidates that the board leaves each cell
    code: NDArray[np.int64]  # the records of all propagators, and tables that they share
    rows: NDArray[np.int64]  # (propagators, 3) kind, where the record stands, and the cell of RELATIONS
    watch: NDArray[np.int64]  # (cells, 2 x words) what to run after a change, and after a cell is fixed, as bits
    pending: NDArray[np.int64]  # (words,) all propagators
    every_cell: NDArray[np.int64]  # (words,) all cells, as bits
    peers: NDArray[np.int64]  # the cells that differ from a cell, those of cell c from `peers_at[c]` on
    peers_at: NDArray[np.int64]
    peer_sets: NDArray[np.int64]  # (cells, words) the same as bits
    scopes: NDArray[np.int64]  # the cells of each propagator, those of propagator p from `scopes_at[p]` on
    scopes_at: NDArray[np.int64]
    houses: NDArray[np.int64]  # (houses, values) cells of the grid
    positions: int  # of the longest scoped record
    notes: int  # words that one needs to note things
    weights: NDArray[np.float64]  # (cells + values,) what `branching` begins with
    pull: bool  # whether values that fail often count where the search branches
