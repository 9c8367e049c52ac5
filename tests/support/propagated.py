"""Compiled propagators run by themselves, and what brute force leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product
from random import Random

import numpy as np

from satdoku import Automaton, Board, Table
from satdoku.constraints import Constraint
from satdoku.kernels.propagators import languages, lower, program, search
from satdoku.puzzle import members

Domains = list[set[int]]
"""The candidates of each cell; none at all stands for a contradiction."""


def propagated(board: Board, domains: Domains, kind: int) -> Domains | None:
    """What the compiled propagators of one kind leave, without the striking of fixed values from peers."""
    made = lower.program(board, exclusions=kind == program.EXCLUSIONS)
    own = sum(1 << number for number, row in enumerate(made.rows.tolist()) if row[0] == kind)
    assert own, "the board has no such propagator"
    words = np.frombuffer(own.to_bytes(8 * len(made.pending), "little"), np.int64)
    watch, peers_at = np.asarray(made.watch) & np.tile(words, 2), np.zeros(len(made.peers_at), np.int64)
    alone = made._replace(pending=words, watch=watch, peers_at=peers_at)
    state = search.new_state(alone)
    allowed = np.array([[sum(1 << value - 1 for value in domain) for domain in domains]], np.int64)
    code = search.propagate(alone, state, allowed)
    if code != search.FIXPOINT or not all(state.candidates):
        return None
    return [set(members(word << 1)) for word in state.candidates.tolist()]


def supported(board: Board, domains: Domains) -> Domains | None:
    """What brute force leaves: the values of each cell that some solution has."""
    grids = [grid for grid in product(*domains) if all(rule.holds(grid) for rule in board.constraints)]
    return [set(column) for column in zip(*grids, strict=True)] if grids else None


def fixpoint(step: Callable[[Domains], Iterable[tuple[int, set[int]]]], domains: Domains) -> Domains | None:
    """Leave cells with the values that `step` says, until nothing changes or a cell has none."""
    domains = [set(domain) for domain in domains]
    going = True
    while going:
        going = False
        for cell, left in list(step(domains)):
            if not domains[cell] <= left:
                domains[cell] &= left
                going = True
                if not domains[cell]:
                    return None
    return domains


def settled(board: Board, domains: Domains) -> Domains | None:
    """Values of fixed cells struck from their peers, which the search does before it runs a propagator."""

    def step(domains: Domains) -> Iterable[tuple[int, set[int]]]:
        for rule in board.all_different:
            for cell in rule.cells:
                for other in set(rule.cells) - {cell}:
                    if len(domains[cell]) == 1:
                        yield other, domains[other] - domains[cell]

    return fixpoint(step, domains)


def random_domains(rng: Random, board: Board, share: float = 0.6) -> Domains:
    """Some values of each cell, at least one."""
    return [
        {value for value in range(1, board.values + 1) if rng.random() < share} or {rng.randint(1, board.values)}
        for _ in range(board.cells)
    ]


def compare(
    board: Board, kind: int, rng: Random, oracle: Callable[[Domains], Domains | None] | None, share: float = 0.6
) -> None:
    """Nothing is struck that a solution has; what is left is what the oracle leaves, if there is one."""
    domains = random_domains(rng, board, share)
    left, exact = propagated(board, domains, kind), supported(board, domains)
    if exact is not None:
        assert left is not None
        assert all(value <= kept for value, kept in zip(exact, left, strict=True)), (board, domains)
    if oracle is not None:
        assert left == oracle(domains), (board, domains)


def covered(rule: Automaton, values: int) -> tuple[int, ...]:
    return languages.sets_covered((rule.transitions, rule.start, rule.accepting), values, len(rule.cells))


def sets_of(rule: Constraint, values: int) -> tuple[int, ...] | None:
    match rule:
        case Table():
            language = languages.accepted(rule.tuples)
        case Automaton():
            language = rule.transitions, rule.start, rule.accepting
    return languages.sets_taken(language, values, len(rule.cells))
