"""Choices among marks, read at once where marks share cells, else in turn; lunchboxes and battlefields read once."""

from __future__ import annotations

from itertools import permutations, product
from math import inf

import pytest
from support.amount import tries

import satdoku
from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.variants.choices import chosen
from satdoku.variants.counts import _lunchbox_read_once, _lunchbox_read_twice
from satdoku.variants.relations import CellList

VALUES = range(1, 5)


def arrow(circle: int, *line: int) -> Linear:
    return Linear((circle, *line), (1, *(-1 for _ in line)), 0, "arrow")


def rising(*cells: int) -> Automaton:
    """Each cell holds more than the one before."""
    steps = frozenset((before, value, value) for before in range(5) for value in VALUES if value > before)
    return Automaton(cells, steps, 0, frozenset(VALUES), "thermometer")


ARROWS: list[list[Constraint]] = [[arrow(0, 1, 2)], [arrow(1, 2, 0)], [arrow(2, 0, 1)]]
CAGE_OR_PAIR: list[list[Constraint]] = [
    [AllDifferent((2, 1, 0), "cage"), Linear((2, 1, 0), (1, 1, 1), 6, "cage")],
    [Table((2, 0), frozenset({(1, 4), (4, 1)}), "pair"), rising(1, 2)],
]
BACK_AND_FORTH: list[list[Constraint]] = [[rising(0, 1, 2)], [rising(2, 1, 0)], [AllDifferent((0, 2), "cage")]]


@pytest.mark.parametrize(("least", "most"), [(1, inf), (0, 0), (1, 1), (2, 2), (2, inf), (3, 3), (4, inf)], ids=str)
@pytest.mark.parametrize(("parts", "read"), [(ARROWS, 3), (CAGE_OR_PAIR, 3), (BACK_AND_FORTH, 8)], ids=["a", "b", "c"])
def test_so_many_marks_hold(parts: list[list[Constraint]], read: int, least: float, most: float) -> None:
    automaton = chosen(VALUES, "choice", parts, least, most)
    assert len(automaton.cells) == read
    for grid in product(VALUES, repeat=3):
        held = sum(all(rule.holds(grid) for rule in part) for part in parts)
        assert automaton.holds(grid) == (least <= held <= most), grid


def test_marks_that_share_no_cell_are_read_in_turn() -> None:
    automaton = chosen(VALUES, "choice", [[arrow(0, 1)], [arrow(3, 2)]], 1, inf)
    assert automaton.cells == (0, 1, 3, 2)


def test_marks_that_take_too_many_states_at_once_are_read_in_turn() -> None:
    weights = (1, 2, 3, 4, 5, 6, 7, 8), (5, 8, 3, 7, 1, 6, 2, 4)
    lines = [[Linear(tuple(range(8)), each, 126, "sum")] for each in weights]
    automaton = chosen(range(1, 7), "choice", lines, 1, inf)
    assert len(automaton.cells) == 16
    assert all(
        automaton.holds(grid) == any(rule.holds(grid) for (rule,) in lines) for grid in product((1, 2), repeat=8)
    )


@pytest.mark.parametrize("values", [range(1, 10), range(6), range(1, 7)], ids=str)
def test_a_lunchbox_that_is_read_once_is_the_one_that_is_read_twice(values: range) -> None:
    for many in range(2, tries(5, 7)):
        cells = CellList(values, tuple(range(many)), "lunchbox")
        for total in range(0, sum(values), 3):
            once, twice = _lunchbox_read_once(cells, total), _lunchbox_read_twice(cells, total)
            assert once.cells == cells.cells
            assert all(once.holds(grid) == twice.holds(grid) for grid in permutations(values, many)), total


@pytest.mark.parametrize(("many", "read"), [(4, 4), (5, 10)])
def test_a_lunchbox_of_many_cells_is_read_twice(many: int, read: int) -> None:
    cells = " ".join(f"r1c{column}" for column in range(1, many + 1))
    board = satdoku.read(f'size = 6\nboxes = "2x3"\nlunchbox = [{{ cells = "{cells}", value = 5 }}]\n').board
    (rule,) = (rule for rule in board.constraints if isinstance(rule, Automaton))
    assert len(rule.cells) == read


@pytest.mark.parametrize("size", [1, 2, 5])
def test_a_battlefield_reads_each_cell_once(size: int) -> None:
    text = f'size = {size}\nboxes = "none"\nbattlefield = [{{ cell = "r1c0", value = {size} }}]\n'
    (rule,) = (rule for rule in satdoku.read(text).board.constraints if rule.name.startswith("battlefield"))
    assert rule.cells == tuple(dict.fromkeys((0, size - 1, *range(size))))
    for line in product(range(1, size + 1), repeat=size):
        first, last = set(range(line[0])), set(range(size - line[-1], size))
        marked = first & last or set(range(size)) - first - last
        assert rule.holds(line) == (sum(line[place] for place in marked) == size), line
