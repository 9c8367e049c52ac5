"""Sums of which few combinations are left: what brute force leaves, and what all combinations have."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random

import pytest
from support.propagated import Domains, propagated, random_domains, settled, supported

from satdoku import AllDifferent, Board, Linear
from satdoku.kernels.propagators import combinations, pairs, program


def few(domains: Domains, most: int) -> bool:
    """Whether all cells but two have at most so many combinations."""
    return prod(sorted(len(domain) for domain in domains if len(domain) > 1)[:-2]) <= most


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_cages(size: int) -> None:
    """Of few combinations they leave what brute force leaves, and never less."""
    rng = Random(size)
    for _ in range(150):
        values = rng.randint(size + 1, 7)
        total = sum(rng.sample(range(1, values + 1), size))
        cells = tuple(range(size))
        board = Board(size, values, 1, (AllDifferent(cells, "cage"), Linear(cells, (1,) * size, total, "sum")))
        domains = settled(board, random_domains(rng, board, 0.6 if size < 5 else 0.4))
        if domains is None:
            continue
        left, exact = propagated(board, domains, program.LINEAR), supported(board, domains)
        if few(domains, combinations.MAX_COMBINATIONS):
            assert left == exact, (board, domains)
        elif exact is not None:
            assert left is not None
            assert all(value <= kept for value, kept in zip(exact, left, strict=True)), (board, domains)


def test_linears_of_few_combinations_leave_what_brute_force_leaves() -> None:
    """Also where some of the cells are peers, and with any coefficients."""
    rng = Random(11)
    for _ in range(250):
        values, size = rng.randint(2, 6), rng.randint(3, 5)
        cells = tuple(range(size))
        together = AllDifferent(tuple(rng.sample(cells, min(values, rng.randint(2, size - 1)))), "peers")
        coefficients = tuple(rng.choice((-3, -1, -1, 1, 1, 2)) for _ in cells)
        total = sum(each * rng.randint(1, values) for each in coefficients)
        board = Board(size, values, 1, (together, Linear(cells, coefficients, total, "sum")))
        domains = settled(board, random_domains(rng, board))
        if domains is not None and few(domains, combinations.MAX_COMBINATIONS):
            left = propagated(board, domains, program.LINEAR)
            assert left == supported(board, domains), (board, domains)


def test_required_values_are_struck_from_common_peers() -> None:
    cage = (AllDifferent((0, 1), "cage"), Linear((0, 1), (1, 1), 4, "cage 4"), AllDifferent((0, 1, 2), "column"))
    left = propagated(Board(3, 9, 1, cage), [set(range(1, 10))] * 3, program.LINEAR)
    assert left == [{1, 3}, {1, 3}, {2, 4, 5, 6, 7, 8, 9}]


@pytest.mark.parametrize(
    ("values", "near", "sizes"),
    [
        (6, range(1, 7), (2, 3, 4)),
        (9, range(1, 10), (2, 3, 4)),
        (45, range(26, 40), (5,)),
        (62, (1, 2, 31, 33, 60, 61, 62), (5, 6)),
    ],
)
def test_what_all_combinations_of_a_cage_have_is_required(
    values: int, near: Sequence[int], sizes: tuple[int, ...]
) -> None:
    """Struck from a common peer, but for values of fixed cells, which are struck anyway."""
    rng, several = Random(values), 0
    for _ in range(300):
        size = rng.choice(sizes)
        every = tuple(range(size + 1))
        some = rng.sample(near, 6)
        domains = [set(rng.sample(some, rng.randint(1, 3))) for _ in range(size)] + [set(range(1, values + 1))]
        total = sum(rng.choice(sorted(domain)) for domain in domains[:size])
        if values > pairs.MAX_LISTED_VALUES and pairs.sets_with_sum(values, size, total - size) is not None:
            continue  # few enough for a FAMILY
        cage = Linear(every[:size], (1,) * size, total, "sum")
        board = Board(size + 1, values, 1, (AllDifferent(every, "peers"), cage))
        placed = settled(board, domains)
        if placed is None:
            continue
        grids = [grid for grid in product(*placed[:size]) if sum(grid) == total and len(set(grid)) == size]
        left = propagated(board, placed, program.LINEAR)
        if not grids:
            assert left is None
            continue
        kept = [set(column) for column in zip(*grids, strict=True)]
        fixed = {min(cell) for cell in kept if len(cell) == 1}
        required = set.intersection(*map(set, grids)) - fixed
        assert left == [*kept, placed[size] - required], (board, placed)
        several += len(required) > 1
    assert several > 5
