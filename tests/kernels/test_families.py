"""Sets of values that some cells hold: they strike no solution, and have what a house can hold nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import permutations
from random import Random

from support.propagated import compare, covered, propagated, sets_of

from satdoku import AllDifferent, Automaton, Board, Linear
from satdoku.kernels.propagators import program


def counted_up(rng: Random, values: int, length: int) -> Automaton:
    """Whether what the values count, in any order, adds up to one of some numbers."""
    modulus = rng.randint(2, 5)
    worth = [rng.randrange(modulus) for _ in range(values)]
    transitions = frozenset((s, v + 1, (s + worth[v]) % modulus) for s in range(modulus) for v in range(values))
    accepting = frozenset(rng.sample(range(modulus), rng.randint(1, modulus - 1)))
    return Automaton(tuple(range(length)), transitions, 0, accepting, "count")


def test_sets_of_values_stand_for_automata_that_take_them_in_any_order() -> None:
    """Where the cells differ; automata in which one step is another one have an order that matters, mostly."""
    rng, taken, refused = Random(15), 0, 0
    for _ in range(200):
        values = rng.randint(4, 6)
        rule = counted_up(rng, values, rng.randint(3, 4))
        steps, length = sorted(rule.transitions), len(rule.cells)
        if rng.random() < 0.5:
            state, value, target = steps.pop(rng.randrange(len(steps)))
            steps.append((state, value, target + 1))
        language = frozenset(steps), 0, rule.accepting
        changed = Automaton(rule.cells, *language, "count")
        words = {word for word in permutations(range(1, values + 1), length) if changed.holds(word)}
        sets = sets_of(changed, values)
        if sets is None:
            refused += 1
            continue
        assert words == {word for word in permutations(range(1, values + 1), length) if bits(word) in sets}
        taken += 1
        board = Board(length, values, 1, (AllDifferent(rule.cells, "apart"), changed))
        if not covered(changed, values):
            compare(board, program.FAMILY, rng, None, 0.5)
    assert taken > 50
    assert refused > 50


def bits(values: Iterable[int]) -> int:
    return sum(1 << value - 1 for value in values)


def test_a_set_has_the_values_that_a_house_can_hold_nowhere_else() -> None:
    cells, house = (0, 1, 4), (0, 1, 2, 3)
    sums = frozenset((total, value, total + value) for total in range(9) for value in range(1, 5))
    six_or_nine = Automaton(cells, sums, 0, frozenset({6, 9}), "1 2 3 or 2 3 4")
    board = Board(5, 4, 1, (AllDifferent(house, "house"), AllDifferent(cells, "apart"), six_or_nine))
    every = {1, 2, 3, 4}
    assert propagated(board, [every] * 5, program.FAMILY) == [every] * 5
    left = propagated(board, [every, every, {1, 2, 3}, {1, 2, 3}, every], program.FAMILY)
    assert left == [{2, 3, 4}, {2, 3, 4}, {1, 2, 3}, {1, 2, 3}, {2, 3, 4}]
    assert propagated(board, [{1}, every, {2, 3}, {2, 3}, every], program.FAMILY) is None


def test_sets_beside_houses_strike_no_solution() -> None:
    rng = Random(16)
    for _ in range(200):
        values = rng.randint(4, 5)
        house = AllDifferent(tuple(range(values)), "house")
        cells = (*rng.sample(range(values), 2), *range(values, values + rng.randint(1, 2)))
        rule = counted_up(rng, values, len(cells))
        count = Automaton(cells, rule.transitions, rule.start, rule.accepting, "count")
        board = Board(values + 2, values, 1, (house, AllDifferent(cells, "apart"), count))
        if not covered(rule, values) and sets_of(rule, values):
            compare(board, program.FAMILY, rng, None, 0.6)


def test_cages_of_more_than_nine_values() -> None:
    rng = Random(12)
    for _ in range(100):
        size, values = rng.randint(2, 4), rng.randint(10, 16)
        total = sum(rng.sample(range(1, values + 1), size))
        cells = tuple(range(size))
        board = Board(size, values, 1, (AllDifferent(cells, "cage"), Linear(cells, (1,) * size, total, "sum")))
        compare(board, program.FAMILY, rng, None, 0.3)
