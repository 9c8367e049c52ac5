"""Marks on boards that are not square: whole counts beside a plain walk over the grids."""

from __future__ import annotations

from functools import cache

import pytest

import satdoku
from satdoku import InputError, Mark


@cache
def grids() -> list[list[list[int]]]:
    every = satdoku.solve(satdoku.build(size="3x4", box="none"), limit=None).array()
    return every.reshape(-1, 3, 4).tolist()


@pytest.mark.parametrize(
    ("mark", "holds"),
    [
        (Mark("anti-knight"), lambda g: all(g[r][c] != g[r + 1][d] for r in (0, 1) for c in range(4)
            for d in (c - 2, c + 2) if 0 <= d < 4) and all(g[0][c] != g[2][d] for c in range(4)
            for d in (c - 1, c + 1) if 0 <= d < 4)),
        (Mark("sandwich", ((0, 4),), value=2), lambda g: [g[0][3], g[1][3], g[2][3]] in ([1, 2, 4], [4, 2, 1])),
        (Mark("skyscraper", ((2, 5),), value=1), lambda g: g[1][3] == 4),
        (Mark("little-killer", ((0, 0),), (((1, 1), (2, 2), (3, 3)),), 5),
            lambda g: g[0][0] + g[1][1] + g[2][2] == 5),
        (Mark("cage", ((1, 4), (2, 4)), value=7), lambda g: g[0][3] + g[1][3] == 7),
        (Mark("nonconsecutive"), lambda g: all(abs(g[r][c] - g[r][c + 1]) != 1 for r in range(3) for c in range(3))
            and all(abs(g[r][c] - g[r + 1][c]) != 1 for r in (0, 1) for c in range(4))),
        (Mark("column-indexer", ((1, 4),)), lambda g: g[0][g[0][3] - 1] == 4),
        (Mark("row-indexer", ((3, 4),)), lambda g: g[2][3] <= 3 and g[g[2][3] - 1][3] == 3),
        (Mark("x-sum", ((0, 1),), value=3), lambda g: g[0][0] <= 3 and sum(g[r][0] for r in range(g[0][0])) == 3),
    ],
    ids=lambda part: part.kind if isinstance(part, Mark) else "",
)  # fmt: skip
def test_a_mark_leaves_the_grids_that_it_should(mark: Mark, holds) -> None:  # type: ignore[no-untyped-def]
    expected = sum(map(holds, grids()))
    puzzle = satdoku.build(size="3x4", box="none", marks=[mark])
    assert satdoku.count(puzzle, limit=None, backend="cadical153").count == expected
    assert len(grids()) == 576


@pytest.mark.parametrize("word", ["none", "any"])
def test_ties_of_ranks_are_refused_where_rows_and_columns_have_other_lengths(word: str) -> None:
    with pytest.raises(InputError, match="a board of 6x7: expected a square one"):
        satdoku.read(f'size = "6x7"\nboxes = "none"\nrules = ["full-rank-ties {word}"]')
