"""Which cells the rules about neighbours and distances join on a board that goes on beyond its edges."""

from __future__ import annotations

from itertools import combinations, product

import pytest
from support.boards import LATIN, samples
from support.drawing import MarkedSquare
from support.oracles import obeys

from satdoku import Mark, Puzzle, solve
from satdoku.puzzle import Position, Size
from satdoku.variants import Frame, build, lowered

ROWS, COLUMNS = 5, 7
TORUS = Mark("toroidal")
EDGES = {(0, 1), (1, 0), (0, -1), (-1, 0)}
CORNERS = {(1, 1), (1, -1), (-1, 1), (-1, -1)}
LEAP = {move for a, b in ((1, 2), (2, 1)) for move in product((a, -a), (b, -b))}
STEPS: dict[Mark, set[Position]] = {
    Mark("anti-knight"): LEAP,
    Mark("anti-king"): CORNERS,
    Mark("anti-leaper", value="4 4 of 1"): {(4 * down, 4 * right) for down, right in CORNERS},
    Mark("anti-queen", value="1"): {(n * down, n * right) for n in range(1, ROWS) for down, right in CORNERS},
    Mark("taxicab", value=4): {move for move in product((-2, -1, 1, 2), (-3, -2, 2, 3)) if sum(map(abs, move)) == 4},
    Mark("knightmare", value="5"): LEAP,
    Mark("diagonal-nonconsecutive"): CORNERS,
    Mark("nonconsecutive"): EDGES,
    Mark("negative-ratio"): EDGES,
    Mark("negative-xv"): EDGES,
    Mark("negative-difference", value="2"): EDGES,
    Mark("negative-sum", value="4"): EDGES,
}


def joined(mark: Mark, *others: Mark) -> list[frozenset[int]]:
    frame = Frame(Size(ROWS, COLUMNS, range(1, 10)), (mark, TORUS, *others))
    return [frozenset(rule.cells) for rule in next(lowered(frame))]


@pytest.mark.parametrize("mark", STEPS, ids=lambda mark: mark.kind)
def test_two_cells_are_joined_if_a_step_over_the_edges_leads_from_one_to_the_other(mark: Mark) -> None:
    around = {(down % ROWS, right % COLUMNS) for down, right in STEPS[mark]}
    places = list(product(range(ROWS), range(COLUMNS)))
    expected = [
        frozenset((a * COLUMNS + b, c * COLUMNS + d))
        for (a, b), (c, d) in combinations(places, 2)
        if ((a - c) % ROWS, (b - d) % COLUMNS) in around
    ]
    found = joined(mark)
    assert len(found) == len(set(found))
    assert set(found) == set(expected)


def test_a_dot_over_the_edge_joins_neighbours() -> None:
    dot = Mark("difference", ((2, 1), (2, COLUMNS)), value=1)
    everywhere, elsewhere = joined(Mark("nonconsecutive")), joined(Mark("nonconsecutive"), dot)
    assert set(everywhere) - set(elsewhere) == {frozenset((COLUMNS, 2 * COLUMNS - 1))}


def test_the_solutions_are_the_squares_that_obey_the_rule_over_the_edges() -> None:
    drawing = MarkedSquare(4, (TORUS, Mark("diagonal-nonconsecutive")))
    right = {tuple(at[cell] for cell in LATIN.positions) for at in samples(LATIN) if obeys(drawing, at)}
    flat = [at for at in samples(LATIN) if obeys(MarkedSquare(4, drawing.marks[1:]), at)]
    assert set(solve(Puzzle.from_givens(build(4, drawing.marks), {}), limit=None).grids) == right
    assert 0 < len(right) < len(flat)
