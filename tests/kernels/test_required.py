"""Values that every word of an automaton has: struck from the common peers of the cells that can hold them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from random import Random

import numpy as np

from satdoku import AllDifferent, Automaton, Board, Table
from satdoku.constraints import Constraint
from satdoku.kernels.propagators import lower, search
from satdoku.puzzle import members

VALUES, CELLS = 4, 6
Domains = list[set[int]]


def propagated(board: Board, domains: Domains) -> Domains | None:
    made = lower.program(board)
    state = search.new_state(made)
    allowed = np.array([[sum(1 << value - 1 for value in domain) for domain in domains]], np.int64)
    if search.propagate(made, state, allowed) != search.FIXPOINT:
        return None
    return [set(members(word << 1)) for word in state.candidates.tolist()]


def narrowed(rule: Constraint, apart: set[frozenset[int]], domains: Domains, required: bool) -> Domains | None:
    """The same in plain Python. required: whether values of all words are struck, besides those of fixed cells"""

    def step() -> Iterable[tuple[int, set[int]]]:
        every = (dict(zip(rule.cells, word, strict=True)) for word in product(*(domains[cell] for cell in rule.cells)))
        words = [word for word in every if rule.holds([word.get(cell, 0) for cell in range(CELLS)])]
        for cell in rule.cells:
            yield cell, domains[cell] - {word[cell] for word in words}
        places = [({cell}, value) for cell in range(CELLS) for value in domains[cell] if len(domains[cell]) == 1]
        if words and required:
            common = set.intersection(*(set(word.values()) for word in words))
            places += [({cell for word in words for cell in word if word[cell] == v}, v) for v in common]
        for cells, value in places:
            peers = (peer for peer in range(CELLS) if all(frozenset({peer, cell}) in apart for cell in cells))
            yield from ((peer, {value}) for peer in peers)

    domains, before = [set(domain) for domain in domains], None
    while domains != before:
        before = [set(domain) for domain in domains]
        for cell, struck in list(step()):
            domains[cell] -= struck
            if not domains[cell]:
                return None
    return domains


def test_what_all_words_have_is_struck_from_common_peers() -> None:
    rng, further = Random(11), 0
    for number in range(120):
        size, value = rng.randint(3, 4), rng.randint(1, VALUES)
        words = product(range(1, VALUES + 1), repeat=size)
        rows = [word for word in words if (value in word or number % 3 == 0) and rng.random() < 0.7]
        rule = Table(tuple(rng.sample(range(4), size)), frozenset(rows), "rule")
        chosen = [pair for pair in combinations(range(CELLS), 2) if rng.random() < (0.8 if pair[1] > 3 else 0.2)]
        board = Board(CELLS, VALUES, 1, (*(AllDifferent(pair, "apart") for pair in chosen), rule))
        domains = [set(rng.sample(range(1, VALUES + 1), rng.randint(2, VALUES))) for _ in range(CELLS)]
        apart = set(map(frozenset, chosen))
        left = propagated(board, domains)
        assert left == narrowed(rule, apart, domains, True), (board, domains)
        further += left != narrowed(rule, apart, domains, False)
    assert further > 10


def test_so_is_what_all_words_of_few_letters_have() -> None:
    """Values that an automaton does not tell apart are read as one; what is struck is all that plain values of words
    strike, or less, and no less than without them."""
    rng, further = Random(12), 0
    for _ in range(600):
        size, value, states = rng.randint(3, 4), rng.randint(1, VALUES), 3
        ways = {(s, held): rng.randrange(states) for s in range(states) for held in (False, True) if rng.random() < 0.8}
        steps = {
            (s, v, ways[s, v == value]) for s in range(states) for v in range(1, VALUES + 1) if (s, v == value) in ways
        }
        rule = Automaton(
            tuple(rng.sample(range(4), size)), frozenset(steps), 0, frozenset({rng.randrange(states)}), "rule"
        )
        chosen = [pair for pair in combinations(range(CELLS), 2) if rng.random() < (0.8 if pair[1] > 3 else 0.2)]
        board = Board(CELLS, VALUES, 1, (*(AllDifferent(pair, "apart") for pair in chosen), rule))
        domains = [set(rng.sample(range(1, VALUES + 1), rng.randint(2, VALUES))) for _ in range(CELLS)]
        apart = set(map(frozenset, chosen))
        left, most = propagated(board, domains), narrowed(rule, apart, domains, True)
        least = narrowed(rule, apart, domains, False)
        if left is None or least is None:
            assert most is None
            continue
        assert all(map(set.issubset, left, least)), (board, domains)
        assert most is None or all(map(set.issubset, most, left)), (board, domains)
        further += left != least
    assert further > 10
