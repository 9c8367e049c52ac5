"""Each propagator by itself, on random domains: it strikes what its definition in plain Python does, no solution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import product
from random import Random

import pytest
from support.propagated import Domains, compare, covered, fixpoint, propagated, sets_of, supported

from satdoku import AllDifferent, Automaton, Board, Linear, Table, classic
from satdoku import testing as kit
from satdoku.constraints import Constraint
from satdoku.kernels.propagators import languages, lower, program


def hidden_singles(houses: Sequence[Sequence[int]], values: int) -> Callable[[Domains], Domains | None]:
    """A value with one cell left in a house is there."""

    def step(domains: Domains) -> Iterable[tuple[int, set[int]]]:
        for house in houses:
            for value in range(1, values + 1):
                places = [cell for cell in house if value in domains[cell]]
                if len(places) < 2:
                    yield (places or list(house))[0], {value} if places else set()

    return lambda domains: fixpoint(step, domains)


def leftovers(first: set[int], second: set[int]) -> Callable[[Domains], Domains | None]:
    """What two houses have besides their common cells holds the same values."""

    def step(domains: Domains) -> Iterable[tuple[int, set[int]]]:
        for here, there in ((first - second, second - first), (second - first, first - second)):
            union = set().union(*(domains[cell] for cell in there))
            yield from ((cell, union) for cell in here)

    return lambda domains: fixpoint(step, domains)


def arcs(rules: Sequence[Table]) -> Callable[[Domains], Domains | None]:
    """Each value has a partner in each table over its cell and one other; tables over one pair are one."""

    def step(domains: Domains) -> Iterable[tuple[int, set[int]]]:
        pairs = {frozenset(rule.cells) for rule in rules}
        for first, second in map(sorted, pairs):
            rows = [
                (a, b)
                for a, b in product(domains[first], domains[second])
                if all(
                    ((a, b) if rule.cells == (first, second) else (b, a)) in rule.tuples
                    for rule in rules
                    if set(rule.cells) == {first, second}
                )
            ]
            yield first, {a for a, _ in rows}
            yield second, {b for _, b in rows}

    return lambda domains: fixpoint(step, domains)


def test_house() -> None:
    rng = Random(1)
    for _ in range(150):
        values = rng.randint(2, 5)
        first = AllDifferent(tuple(range(values)), "first")
        second = AllDifferent(tuple(range(values - 1, 2 * values - 1)), "second")
        board = Board(2 * values - 1, values, 1, (first, second))
        share = 0.6 if values < 5 else 0.35
        compare(board, program.HOUSE, rng, None, share)
        compare(Board(values, values, 1, (first,)), program.HOUSE, rng, single_house(values), share)


def single_house(values: int) -> Callable[[Domains], Domains | None]:
    """Hidden singles of one house, which is contradictory too where a cell is the only one for two values."""
    return hidden_singles([range(values)], values)


def test_intersection() -> None:
    rng = Random(2)
    for _ in range(150):
        values = rng.randint(3, 5)
        shared = rng.randint(2, values - 1)
        first = AllDifferent(tuple(range(values)), "first")
        second = AllDifferent(tuple(range(values - shared, 2 * values - shared)), "second")
        board = Board(2 * values - shared, values, 1, (first, second))
        oracle = leftovers(set(first.cells), set(second.cells))
        compare(board, program.INTERSECTION, rng, oracle, 0.5)


def test_crossings_of_a_board_with_sums_come_after_them() -> None:
    """As on the same board without sums otherwise."""
    houses = classic(2, 2).constraints
    sums = Linear((0, 1, 4), (1, 1, 1), 7, "sum"), Linear((5, 6, 9), (1, 1, 1), 8, "sum")
    plain, summed = (lower.program(Board(16, 4, 4, rules)) for rules in (houses, (*houses, *sums)))
    kinds = [[row[0] for row in made.rows.tolist()] for made in (plain, summed)]
    assert list(dict.fromkeys(kinds[0])) == [program.HOUSE, program.INTERSECTION]
    assert list(dict.fromkeys(kinds[1])) == [program.HOUSE, program.LINEAR, program.INTERSECTION]
    of_plain, of_summed = (
        [
            (made.code[row[1] : row[1] + 1 + 2 * made.code[row[1]]].tolist(), row[2], watching(made, number))
            for number, row in enumerate(made.rows.tolist())
            if row[0] == program.INTERSECTION
        ]
        for made in (plain, summed)
    )
    assert of_plain == of_summed


def watching(made: program.Program, propagator: int) -> list[int]:
    """The cells whose fixing a propagator waits for."""
    words = len(made.pending)
    watch = made.watch.tolist()
    return [cell for cell, row in enumerate(watch) if row[words + (propagator >> 6)] >> (propagator & 63) & 1]


def test_an_automaton_that_accepts_every_ending_reads_no_further() -> None:
    """What is read beyond makes no difference; as brute force, with such a state at the beginning, in the middle, and
    none at all."""
    rng = Random(5)
    for _ in range(100):
        values, length, states = 3, 4, rng.randint(1, 4)
        steps = {(s, v): rng.randrange(states) for s in range(states) for v in range(1, 4) if rng.random() < 0.8}
        for universal in rng.sample(range(states), rng.randint(0, states)):
            steps |= {(universal, value): universal for value in range(1, values + 1)}
        accepting = frozenset(rng.sample(range(states), rng.randint(1, states)))
        transitions = frozenset((state, value, target) for (state, value), target in steps.items())
        rule = Automaton(tuple(range(length)), transitions, 0, accepting, "word")
        board = Board(length, values, 1, (rule,))
        compare(board, program.COVER if covered(rule, values) else program.AUTOMATON, rng, partial(supported, board))


def containing(sets: Sequence[frozenset[int]], values: int, length: int) -> Automaton:
    """Some cell holds a value of each of some sets; the state is which of them are met."""
    steps = set()
    for met in range(1 << len(sets)):
        for value in range(1, values + 1):
            target = met | sum(1 << number for number, wanted in enumerate(sets) if value in wanted)
            steps.add((met, value, target))
    every = frozenset({(1 << len(sets)) - 1})
    return Automaton(tuple(range(length)), frozenset(steps), 0, every, "some of each")


def test_cover() -> None:
    rng = Random(9)
    for _ in range(100):
        values, length = rng.randint(3, 6), rng.randint(3, 5)
        shuffled = rng.sample(range(1, values + 1), values)
        cuts = sorted(rng.sample(range(1, values), rng.randint(1, min(length, values - 1))))
        sets = [frozenset(shuffled[first:last]) for first, last in zip([0, *cuts], cuts, strict=False)]
        rule = containing(sets, values, length)
        assert set(covered(rule, values)) == {sum(1 << value - 1 for value in each) for each in sets}
        board = Board(length, values, 1, (rule,))
        compare(board, program.COVER, rng, partial(supported, board))


def test_a_cover_strikes_a_value_that_it_requires_from_the_cells_that_see_all_its_places() -> None:
    window = containing([frozenset({1}), frozenset({2, 3})], 4, 4)
    houses = tuple(AllDifferent(cells, "house") for cells in ((0, 1, 4, 5), (2, 3, 4, 6)))
    board = Board(7, 4, 1, (*houses, window))
    domains = [{1, 2, 4}, {1, 3, 4}, {2, 3, 4}, {2, 3, 4}, *([{1, 2, 3, 4}] * 3)]
    left = propagated(board, domains, program.COVER)
    assert left is not None
    assert [1 in each for each in left] == [True, True, False, False, False, False, True]


def test_what_is_taken_for_a_cover_says_no_more_and_no_less() -> None:
    """Random automata of which a good part are covers, and those that differ from one in a single step."""
    rng, seen = Random(10), 0
    for _ in range(400):
        values, length = rng.randint(2, 3), rng.randint(2, 3)
        states = rng.randint(1, 3)
        steps = {(s, v, rng.randrange(states)) for s in range(states) for v in range(1, values + 1)}
        if rng.random() < 0.3:
            steps = set(containing([frozenset({1}), frozenset({2})][: rng.randint(1, 2)], values, length).transitions)
            state, value, _ = changed = rng.choice(sorted(steps))
            steps = steps - {changed} | {(state, value, rng.choice(sorted(steps))[0])}
        steps = {step for step in sorted(steps) if rng.random() < 0.98}
        accepting = frozenset(rng.sample(range(4), rng.randint(1, 3)))
        rule = Automaton(tuple(range(length)), frozenset(steps), 0, accepting, "word")
        sets = covered(rule, values)
        if sets:
            seen += 1
            for word in product(range(1, values + 1), repeat=length):
                assert rule.holds(word) == all(any(each >> value - 1 & 1 for value in word) for each in sets)
    assert seen > 20


@pytest.mark.parametrize("most", [5, 12])
def test_relations(most: int) -> None:
    rng = Random(3)
    for _ in range(150):
        values = rng.randint(2, most)
        rules = []
        for number in range(rng.randint(1, 4)):
            pair = tuple(rng.sample(range(4), 2))
            rows = [row for row in product(range(values + 2), repeat=2) if rng.random() < 0.5]
            rules.append(Table(pair, frozenset(rows), f"rule {number}"))
        compare(Board(4, values, 1, tuple(rules)), program.RELATIONS, rng, arcs(rules), 3 / values)


@pytest.mark.parametrize("apart", [False, True], ids=["automaton", "permutation"])
@pytest.mark.parametrize("maker", [kit.table, kit.automaton])
def test_tables_and_automata_leave_what_brute_force_leaves(
    maker: Callable[..., Constraint], apart: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lower, "MIN_PERMUTED", 3)
    rng, made = Random(f"{apart}"), 0
    while made < 100:
        values = rng.randint(3, 5)
        rule = maker(rng, 4, values, None, "rule")
        if len(rule.cells) < 3 or len(set(rule.cells)) < len(rule.cells) or (apart and values < len(rule.cells)):
            continue
        board = Board(4, values, 1, (*([AllDifferent(rule.cells, "apart")] if apart else []), rule))
        if (isinstance(rule, Automaton) and covered(rule, values)) or (apart and sets_of(rule, values) is not None):
            continue
        kind = program.PERMUTATION if apart else program.AUTOMATON
        compare(board, kind, rng, partial(supported, board))
        made += 1


def test_automata_over_two_cells_are_relations() -> None:
    rng = Random(14)
    for _ in range(100):
        values, states = rng.randint(2, 5), rng.randint(1, 4)
        steps = {(s, v, rng.randrange(states)) for s in range(states) for v in range(1, values + 1)}
        transitions = frozenset(step for step in sorted(steps) if rng.random() < 0.7)
        accepting = frozenset(rng.sample(range(states), rng.randint(1, states)))
        board = Board(2, values, 1, (Automaton((0, 1), transitions, 0, accepting, "word"),))
        compare(board, program.RELATIONS, rng, partial(supported, board))


def test_automata_that_do_not_tell_some_values_apart() -> None:
    """Such values are read as one letter."""
    rng, values, length = Random(13), 6, 4
    for _ in range(60):
        letters, states = rng.randint(1, 3), rng.randint(1, 80)
        letter_of = [rng.randrange(letters) for _ in range(values)]
        ways = [[rng.randrange(states) if rng.random() < 0.9 else None for _ in range(letters)] for _ in range(states)]
        steps = {(s, v + 1, ways[s][letter_of[v]]) for s in range(states) for v in range(values)}
        transitions = frozenset((state, value, target) for state, value, target in steps if target is not None)
        accepting = frozenset(state for state in range(states) if rng.random() < 0.4)
        rule = Automaton(tuple(range(length)), transitions, 0, accepting, "word")
        board = Board(length, values, 1, (rule,))
        if transitions and not covered(rule, values):
            assert languages.words_of((transitions, 0, accepting), values, False)[2] <= letters
            compare(board, program.AUTOMATON, rng, partial(supported, board))


def test_an_automaton_of_more_states_than_a_word_has_bits() -> None:
    rng = Random(5)
    states = 150
    for _ in range(40):
        steps = {(state, value): rng.randrange(states) for state in range(states) for value in range(1, 4)}
        transitions = frozenset((state, value, target) for (state, value), target in steps.items())
        accepting = frozenset(state for state in range(states) if rng.random() < 0.15)
        board = Board(5, 3, 1, (Automaton((0, 1, 2, 3, 4), transitions, 0, accepting, "long"),))
        compare(board, program.AUTOMATON, rng, partial(supported, board))


def test_linears_without_peers_leave_what_brute_force_leaves() -> None:
    rng = Random(6)
    for _ in range(200):
        values, cells = rng.randint(2, 5), rng.randint(3, 5)
        coefficients = tuple(rng.choice((-2, -1, 1, 1, 1, 3)) for _ in range(cells))
        total = sum(each * rng.randint(1, values) for each in coefficients)
        board = Board(cells, values, 1, (Linear(tuple(range(cells)), coefficients, total, "sum"),))
        compare(board, program.LINEAR, rng, partial(supported, board))


@pytest.mark.parametrize("values", [5, 11])
def test_linears_of_groups_strike_no_solution(values: int) -> None:
    rng = Random(values)
    for _ in range(120):
        cells = 5
        rules: list[Constraint] = [AllDifferent(tuple(rng.sample(range(cells), 3)), "cage") for _ in range(2)]
        coefficients = tuple(rng.choice((-7, -1, 1, 1, 1)) for _ in range(cells))
        total = sum(each * rng.randint(1, values) for each in coefficients)
        rules.append(Linear(tuple(range(cells)), coefficients, total, "sum"))
        compare(Board(cells, values, 1, tuple(rules)), program.LINEAR, rng, None, 3 / values)


def test_bounds_where_the_slack_is_more_than_a_word_holds() -> None:
    rng = Random(8)
    for _ in range(100):
        coefficients = tuple(rng.choice((-40, 25, 30, 55)) for _ in range(4))
        total = sum(each * rng.randint(1, 9) for each in coefficients)
        board = Board(4, 9, 1, (Linear((0, 1, 2, 3), coefficients, total, "sum"),))
        compare(board, program.LINEAR, rng, None)


def test_a_clique_of_one_relation_is_a_family() -> None:
    """Three cells of which each two differ by 1 or 2 hold consecutive values."""
    rows = frozenset((a, b) for a, b in product(range(1, 8), repeat=2) if 0 < abs(a - b) < 3)
    pairs = [Table(pair, rows, "renban") for pair in ((0, 1), (0, 2), (2, 1))]
    board = Board(3, 7, 1, (AllDifferent((0, 1, 2), "renban"), *pairs))
    rng = Random(9)
    for _ in range(100):
        compare(board, program.FAMILY, rng, sets_of_values([{v, v + 1, v + 2} for v in range(1, 6)]))


def sets_of_values(sets: Sequence[set[int]]) -> Callable[[Domains], Domains | None]:
    """What the sets leave of which each value has a cell and each cell a value, but no cell alone two of the values."""

    def step(domains: Domains) -> Iterable[tuple[int, set[int]]]:
        kept: Domains = [set() for _ in domains]
        for values in sets:
            within = [domain & values for domain in domains]
            alone = {value for value in values if sum(value in domain for domain in within) == 1}
            fixed = set().union(*(domain for domain in domains if len(domain) == 1))
            fits = set().union(*within) == values and all(within) and fixed <= values
            if fits and all(len(domain & alone) < 2 for domain in within):
                kept = [left | (domain & alone or domain) for left, domain in zip(kept, within, strict=True)]
        return enumerate(kept)

    return lambda domains: fixpoint(step, domains)
