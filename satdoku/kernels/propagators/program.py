"""A board as flat arrays: what the compiled search runs."""

from __future__ import annotations

from typing import NamedTuple

from satdoku.kernels.compiled import Floats, Ints, Ints2, Read

# Kinds of propagators.
HOUSE, RELATIONS, INTERSECTION, FAMILY, LINEAR, AUTOMATON, PERMUTATION, EXCLUSIONS, COVER, OCCURRENCES = range(10)


class Program(NamedTuple):
    """The propagators of a board. Cells of the grid come first, then auxiliary ones."""

    grid_cells: int  # how many cells a grid has
    values: int  # the greatest value of any cell
    domains: Read[Ints]  # (cells,) the candidates that the board leaves each cell
    code: Read[Ints]  # the records of all propagators, and tables that they share
    rows: Read[Ints2]  # (propagators, 3) kind, where the record stands, and the cell of RELATIONS
    watch: Read[Ints2]  # (cells, 2 x words) what to run after a change, and after a cell is fixed, as bits
    pending: Read[Ints]  # (words,) all propagators
    every_cell: Read[Ints]  # (words,) all cells, as bits
    peers: Read[Ints]  # the cells that differ from a cell, those of cell c from `peers_at[c]` on
    peers_at: Read[Ints]
    peer_sets: Read[Ints2]  # (cells, words) the same as bits
    scopes: Read[Ints]  # the cells of each propagator, those of propagator p from `scopes_at[p]` on
    scopes_at: Read[Ints]
    houses: Read[Ints2]  # (houses, values) cells of the grid
    positions: int  # of the longest scoped record
    notes: int  # words that one needs to note things
    weights: Read[Floats]  # (cells + values,) what `branching` begins with
    pull: bool  # whether values that fail often count where the search branches
