"""Puzzles of the collection and small ones that several tests ask about."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import satdoku
from satdoku import Board, Puzzle, Table
from satdoku.puzzle import members, only

ROOT = Path(__file__).parents[2]
PUZZLES = ROOT / "puzzles"
EASY = "200001038000000005070006000000000013098100257310000800900800020050069784400250000"
FOUR_ROWS = "13..\n..31\n31..\n.213"
FOUR_GRID = "1 3 | . .\n. . | 3 1\n----+----\n3 1 | . .\n. 2 | 1 3"
NEWSPAPER = """\
       6        7    4   3
            9   6      2
   5        3   4        6

   7 4                 1
   8   9             3   4
     1                 5 7

   2        6   3        5
     3      2   8
   4   5    7        2
"""
VARIANTS = ("cage", "thermometer", "anti-knight", "sandwich", "arrow", "windoku")


@cache
def puzzle_in(name: str) -> Puzzle:
    return satdoku.read((PUZZLES / name).read_text("utf-8"))


def variant(kind: str) -> Puzzle:
    return puzzle_in(f"variants/{kind}.toml")


def decided_by_singles(puzzle: Puzzle) -> bool:
    """Whether a cell's only candidate, and a value's only place in a house, fill the grid."""
    allowed = list(puzzle.candidates)
    before: list[int] = []
    while before != allowed:
        before = list(allowed)
        for house in puzzle.board.houses:
            for cell in house.cells:
                if only(allowed[cell]):
                    for other in set(house.cells) - {cell}:
                        allowed[other] &= ~allowed[cell]
            for value in members(puzzle.board.every_value):
                places = [cell for cell in house.cells if allowed[cell] >> value & 1]
                if len(places) == 1:
                    allowed[places[0]] = 1 << value
    return all(map(only, allowed))


@cache
def switched_formula() -> Board:
    """Random 3-SAT over 300 cells at 4.5 clauses a cell, all held only if the first cell is 1."""
    rng = Random(1)
    clauses = []
    for number in range(1350):
        cells = (0, *sorted(rng.sample(range(1, 301), 3)))
        forbidden = (1, *(rng.choice((1, 2)) for _ in range(3)))
        allowed = frozenset(row for row in product((1, 2), repeat=4) if row != forbidden)
        clauses.append(Table(cells, allowed, f"clause {number}"))
    return Board(301, 2, 27, tuple(clauses))


def same(first: Puzzle, second: Puzzle) -> bool:
    """Whether two puzzles allow the same grids, as far as rules and candidates say so."""
    return first.candidates == second.candidates and set(first.board.constraints) == set(second.board.constraints)
