"""What all places of a value in a house exclude, as its definition in plain Python says, and no solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from random import Random

from support.propagated import Domains, compare, fixpoint, propagated, random_domains

import satdoku
from satdoku import AllDifferent, Board, Table
from satdoku.kernels.propagators import lower, program

Exclude = Callable[[int, int, int, int, bool], bool]


def excludes(rules: Sequence[Table | AllDifferent]) -> Exclude:
    """Whether a value at a cell excludes another value at another cell; `beyond`: by more than an AllDifferent."""

    def exclude(one: int, value: int, cell: int, other: int, beyond: bool) -> bool:
        if one == cell:
            return value != other
        shared = [rule for rule in rules if {one, cell} <= set(rule.cells)]
        if value == other and any(isinstance(rule, AllDifferent) for rule in shared):
            return not beyond
        words = [
            ((value, other) if rule.cells == (one, cell) else (other, value), rule.tuples)
            for rule in shared
            if isinstance(rule, Table)
        ]
        return any(word not in tuples for word, tuples in words)

    return exclude


def is_excluding(houses: Sequence[Sequence[int]], exclude: Exclude, cells: int) -> bool:
    """Whether two places of a house may exclude the same, one of them by more than an AllDifferent."""
    values = range(1, len(houses[0]) + 1)
    return any(
        one != another and exclude(one, value, cell, other, True) and exclude(another, value, cell, other, False)
        for house in houses
        for one, another, cell, value, other in product(house, house, range(cells), values, values)
    )


def excluded(houses: Sequence[Sequence[int]], exclude: Exclude) -> Callable[[Domains], Domains | None]:
    """A value goes where each of the two or three cells of a house that can hold another one excludes it."""

    def step(domains: Domains) -> Iterable[tuple[int, set[int]]]:
        for house, value in product(houses, range(1, len(houses[0]) + 1)):
            places = [cell for cell in house if value in domains[cell]]
            if len(places) in (2, 3):
                for cell, values in enumerate(domains):
                    yield cell, {v for v in values if not all(exclude(p, value, cell, v, False) for p in places)}

    return lambda domains: fixpoint(step, domains)


def test_exclusions() -> None:
    rng, struck = Random(4), 0
    for _ in range(150):
        values = rng.randint(3, 4)
        first = AllDifferent(tuple(range(values)), "first")
        second = AllDifferent(tuple(range(values - 1, 2 * values - 1)), "second")
        cells = 2 * values
        tables = []
        for number in range(rng.randint(2, 6)):
            pair = tuple(rng.sample(range(cells), 2))
            rows = [row for row in product(range(1, values + 1), repeat=2) if rng.random() < 0.6]
            tables.append(Table(pair, frozenset(rows), f"rule {number}"))
        rules: list[Table | AllDifferent] = [first, second, *tables]
        board = Board(cells, values, 1, tuple(rules))
        houses, exclude = [first.cells, second.cells], excludes(rules)
        records = lower.program(board, exclusions=True).rows.tolist()
        assert [row[0] for row in records].count(program.EXCLUSIONS) == 2 * is_excluding(houses, exclude, cells)
        if len(records) == len(lower.program(board).rows):
            continue
        domains = random_domains(rng, board, 0.5)
        left, further = propagated(board, domains, program.EXCLUSIONS), excluded(houses, exclude)
        # What is struck depends on the order, as a value with one place left excludes nothing here.
        assert left is None or further(left) == left, (board, domains)
        assert left is not None or further(domains) is None, (board, domains)
        struck += left is not None and left != domains
        compare(board, program.EXCLUSIONS, rng, None, 0.5)
    assert struck > 10


def test_what_houses_exclude_alone_is_left_to_their_crossings() -> None:
    board = satdoku.board(size=9)
    assert len(lower.program(board, exclusions=True).rows) == len(lower.program(board).rows)
