"""Full grids: every grid of a board is as likely as any other, whatever the board."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random
from statistics import mean, stdev

import pytest

import satdoku
from satdoku import Board, Mark, Puzzle, classic
from satdoku.constraints import AllDifferent, Grid
from satdoku.generator.grids import Mixed, Uniform, grids, shifted_rows, source
from satdoku.referee import violations
from satdoku.system.clock import Deadline
from satdoku.variants import build
from satdoku.variants.boxes import Box
from satdoku.verdict import Session

REGIONS = "1112122233343444"
JIGSAW = build(
    4,
    tuple(
        Mark("region", cells=tuple((cell // 4 + 1, cell % 4 + 1) for cell in range(16) if REGIONS[cell] == region))
        for region in "1234"
    ),
)
THERMOMETER = build(4, (Mark("boxes", value="2x2"), Mark("thermometer", lines=(((1, 1), (1, 2), (2, 2)),))))
CAGE = build(4, (Mark("boxes", value="2x2"), Mark("cage", cells=((1, 1), (1, 2), (2, 2)), value=7)))


@pytest.mark.parametrize("box", [Box(2, 2), Box(2, 3), Box(3, 3), Box(3, 4), Box(5, 5)], ids=str)
def test_shifted_rows_are_a_grid(box: Box) -> None:
    grid = tuple(shifted_rows(box))
    assert not list(violations(Puzzle.from_givens(classic(box.rows, box.columns), grid), grid))


@pytest.mark.parametrize("box", [(6, 6), pytest.param((7, 7), marks=pytest.mark.slow)], ids=str)
def test_grids_of_large_boards(box: tuple[int, int]) -> None:
    board = classic(*box)
    with Session() as session:
        grid = grids(board, session).draw(Random(1), Deadline(60))
    assert not list(violations(Puzzle.from_givens(board, grid), grid))


@pytest.mark.parametrize("conflicts", [1, 200])
def test_grids_of_a_board_with_auxiliary_cells(conflicts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep its rules, and depend on the random numbers alone; values that are passed over leave others."""
    monkeypatch.setattr("satdoku.generator.grids.CONFLICTS", conflicts)
    board = build(6, (Mark("boxes", value="2x3"), Mark("connected-values", value="1 2 3 4")))
    assert board.auxiliary
    with Session() as session:
        monkeypatch.setattr(session, "run", None)  # each question would be as hard as the first
        grids = source(board, session)
        drawn = [grids.draw(Random(seed), Deadline(60)) for seed in (1, 2, 1)]
    assert drawn[0] == drawn[2] != drawn[1]
    assert not any(any(violations(Puzzle.from_givens(board, grid), grid)) for grid in drawn)


def test_a_board_with_auxiliary_cells_that_has_no_grid_is_refused() -> None:
    board = build(4, (Mark("boxes", value="2x2"), Mark("connected-values", value="1"), Mark("anti-king")))
    with Session() as session, pytest.raises(satdoku.Refused, match="no grid satisfies the rules"):
        source(board, session).draw(Random(1), Deadline(60))


def chi_square(board: Board, draws: int, seed: str) -> float:
    """How far draws are from uniform over all grids of a small board, in standard deviations of what chance does."""
    every = satdoku.solve(Puzzle(board, (board.every_value,) * board.cells), limit=None).grids
    with Session() as session:
        source = grids(board, session)
        assert isinstance(source, Mixed)
        seen = Counter(source.draw(Random(f"{seed}/{number}"), Deadline(60)) for number in range(draws))
    assert seen.keys() <= set(every)
    expected, freedom = draws / len(every), len(every) - 1
    squares = sum((seen[grid] - expected) ** 2 / expected for grid in every)
    return float((squares - freedom) / (2 * freedom) ** 0.5)


@pytest.mark.parametrize(
    ("board", "draws"),
    [
        (classic(2, 2), 5760),
        (JIGSAW, 1920),
        (build(4, (Mark("boxes", value="2x2"), Mark("diagonal+"))), 2000),
        (THERMOMETER, 240),
        (CAGE, 240),
        pytest.param(THERMOMETER, 5000, marks=pytest.mark.slow),
        pytest.param(CAGE, 7500, marks=pytest.mark.slow),
    ],
    ids=["plain", "jigsaw", "diagonal", "thermometer", "cage", "more of thermometer", "more of cage"],
)
def test_every_grid_of_a_small_board_is_as_likely(board: Board, draws: int) -> None:
    assert abs(chi_square(board, draws, "grids")) < 3


def rectangles(grid: Grid) -> int:
    """Pairs of rows and of columns whose four crossings hold two values: a figure that tells samplers apart."""
    size = int(len(grid) ** 0.5)
    lines = [grid[start : start + size] for start in range(0, len(grid), size)]
    found = 0
    for one, two in combinations(lines, 2):
        below = dict(zip(one, two, strict=True))
        found += sum(below[below[value]] == value for value in one) // 2
    return found


RECTANGLES = 19.63
"""The mean over all 9x9 grids: 19.626 +- 0.042 by 59,108 random fillings, each with the weight that makes their
distribution uniform, and 19.628 +- 0.035 by 20,000 draws."""


@pytest.mark.parametrize("kind", [Uniform, Mixed])
def test_draws_of_9x9_grids_have_the_mean_of_all_grids(kind: type[Mixed]) -> None:
    """Exactly uniform ones, and those of the chain."""
    with Session() as session:
        assert type(source(classic(3, 3), session)) is Uniform
        assert type(source(classic(2, 3), session)) is type(grids(classic(3, 3), session)) is Mixed
        drawer = kind(classic(3, 3), session)
        figures = [rectangles(drawer.draw(Random(number), Deadline(60))) for number in range(1500)]
    error = stdev(figures) / len(figures) ** 0.5
    assert abs(mean(figures) - RECTANGLES) < 3 * error < 0.5


def test_random_fillings_alone_do_not_have_it() -> None:
    import numpy as np

    with Session() as session:
        source = Mixed(classic(3, 3), session)
        source._steps = 0
        figures = [rectangles(source.draw(Random(number), Deadline(60))) for number in range(1500)]
    assert np.mean(figures) < RECTANGLES - 0.6


def test_cells_in_no_house_are_left_to_the_way_that_takes_any_board() -> None:
    board = Board(4, 3, 2, (AllDifferent((0, 1, 2), "three"), AllDifferent((2, 3), "two")))
    with Session() as session:
        source = grids(board, session)
        assert not isinstance(source, Mixed)
        drawn = {source.draw(Random(number), Deadline(60)) for number in range(100)}
    assert len(drawn) == 12
    assert not any(list(violations(Puzzle.from_givens(board, grid), grid)) for grid in drawn)


@pytest.mark.slow
def test_all_kinds_of_6x6_come_as_often_as_they_should() -> None:
    """The 28,200,960 grids fall into 49 classes under symmetry (Jarvis and Russell, 2006).

    A class is as likely as it is large. Chi-square with 48 degrees of freedom: 0.1% point 84.
    """
    sampled, automorphisms = _classes(6_000)
    weights = {name: 1 / count for name, count in automorphisms.items()}
    assert len(sampled) == 49
    assert round(3456 * 720 * sum(weights.values())) == 28_200_960
    scale = 6_000 / sum(weights.values())
    assert sum((sampled[name] - scale * w) ** 2 / (scale * w) for name, w in weights.items()) < 84


def _classes(samples: int) -> tuple[Counter[tuple[int, ...]], dict[tuple[int, ...], int]]:
    """How often each class of 6x6 grids came, and how many symmetries each has, by its least form."""
    from itertools import permutations, product

    import numpy as np

    def lines(groups: int, width: int) -> list[list[int]]:
        inner = list(permutations(range(width)))
        return [
            [group * width + line for group, part in zip(order, parts, strict=True) for line in part]
            for order in permutations(range(groups))
            for parts in product(inner, repeat=groups)
        ]

    moves = np.array(
        [[6 * row + column for row in rows for column in columns] for rows in lines(3, 2) for columns in lines(2, 3)]
    )
    base = 7 ** np.arange(17, -1, -1)
    found, automorphisms = Counter[tuple[int, ...]](), {}
    each = np.arange(len(moves))[:, None]
    source = grids(classic(2, 3), Session())
    for number in range(samples):
        moved = np.array(source.draw(Random(f"six/{number}"), Deadline(None)))[moves]
        names = np.zeros((len(moves), 7), dtype=np.int64)
        names[each, moved[:, :6]] = np.arange(1, 7)
        renamed = names[each, moved]
        keys = np.stack([renamed[:, :18] @ base, renamed[:, 18:] @ base], axis=1)
        least = min(map(tuple, keys.tolist()))
        found[least] += 1
        automorphisms[least] = int((keys == least).all(axis=1).sum())
    return found, automorphisms
