"""A board as flat arrays: what the compiled search runs."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

HOUSE, RELATIONS, INTERSECTION, FAMILY, LINEAR, AUTOMATON, PERMUTATION = range(7)
"""Kinds of propagators."""


class Program(NamedTuple):
    """The propagators of a board. Cells of the grid come first, then auxiliary ones.

    grid_cells: how many cells a grid has
    values:     the greatest value of any cell
    domains:    (cells,) the candidates that the board leaves each cell
    code:       the records of all propagators, and tables that they share
    rows:       (propagators, 3) kind, where the record stands, and the cell of RELATIONS
    watch:      (cells, 2 x words) the propagators to run after a change, and after a cell is fixed, as bits
    pending:    (words,) all propagators
    every_cell: (words,) all cells, as bits
    peers:      the cells that differ from a cell, those of cell c from `peers_at[c]` on
    peer_sets:  (cells, words) the same as bits
    scopes:     the cells of each propagator, those of propagator p from `scopes_at[p]` on
    houses:     (houses, values) cells of the grid
    positions:  of the longest scoped record
    notes:      words that one needs to note things
    weights:    (cells + values,) what `branching` begins with
    pull:       whether values that fail often count where the search branches
    """

    grid_cells: int
    values: int
    domains: NDArray[np.int64]
    code: NDArray[np.int64]
    rows: NDArray[np.int64]
    watch: NDArray[np.int64]
    pending: NDArray[np.int64]
    every_cell: NDArray[np.int64]
    peers: NDArray[np.int64]
    peers_at: NDArray[np.int64]
    peer_sets: NDArray[np.int64]
    scopes: NDArray[np.int64]
    scopes_at: NDArray[np.int64]
    houses: NDArray[np.int64]
    positions: int
    notes: int
    weights: NDArray[np.float64]
    pull: bool
