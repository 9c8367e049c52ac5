"""From a board and its implied constraints to the propagators that stand for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from math import gcd

import numpy as np
from numpy.typing import NDArray

from satdoku.constraints import AllDifferent, Automaton, Linear, Table
from satdoku.kernels.propagators import geometry, pairs, sets
from satdoku.kernels.propagators.family import MAX_CELLS
from satdoku.kernels.propagators.linear import NOTES
from satdoku.kernels.propagators.program import (
    AUTOMATON,
    CAGE,
    FAMILY,
    HOUSE,
    INTERSECTION,
    LINEAR,
    RELATIONS,
    TABLE,
    Program,
)
from satdoku.puzzle import Board

Words = Sequence[int] | NDArray[np.int64]

Record = tuple[int, Sequence[int], Words, bool]
"""Kind, cells, words, and whether it runs only once a cell is fixed."""


def program(board: Board, implied: Iterable[Linear] = ()) -> Program:
    """The propagators of a board and of constraints that follow from it."""
    lowering = Lowering(board)
    for constraint in board.others:
        lowering.add(constraint, False)
    for constraint in implied:
        lowering.add(constraint, True)
    return lowering.program()


class Lowering:
    """Collects propagators; cells and values as the board has them."""

    def __init__(self, board: Board) -> None:
        self.cells, self.values = board.cells, board.values
        self.peers = geometry.peer_bits(board.cells, [rule.cells for rule in board.all_different])
        self.houses = tuple(rule.cells for rule in board.houses)
        self.full = (1 << self.values) - 1
        self.domains = [self.full] * self.cells
        self.relations: dict[tuple[int, int], pairs.Relation] = {}
        self.cages: list[tuple[tuple[int, ...], int, tuple[int, ...], bool]] = []
        self.sums: list[tuple[Linear, bool]] = []
        self.rest: list[Table | Automaton] = []

    def add(self, constraint: Linear | Table | Automaton | AllDifferent, implied: bool) -> None:
        """Sort a constraint by what propagates it."""
        if isinstance(constraint, Linear):
            self._linear(constraint, implied)
        elif isinstance(constraint, Table) and len(constraint.cells) == 2:
            first, second = constraint.cells
            self._relation(first, second, pairs.of_tuples(constraint.tuples, self.values))
        elif isinstance(constraint, Table) and len(constraint.cells) == 1:
            self._domain(constraint.cells[0], sum(1 << value - 1 for (value,) in constraint.tuples if value > 0))
        elif isinstance(constraint, Table | Automaton) and constraint.cells:
            self.rest.append(constraint)
        elif isinstance(constraint, Table | Automaton) and not constraint.holds(()):
            self._contradict()

    def _linear(self, constraint: Linear, implied: bool) -> None:
        cells, coefficients = constraint.cells, constraint.coefficients
        total, divisor = constraint.total - sum(coefficients), gcd(*coefficients)
        if not cells or total % divisor:
            if total:
                self._contradict()
            return
        total, coefficients = total // divisor, tuple(each // divisor for each in coefficients)
        if coefficients[0] < 0:
            total, coefficients = -total, tuple(-each for each in coefficients)
        alike = set(coefficients) == {1} and self._all_peers(cells)
        family = sets.sets_with_sum(self.values, len(cells), total) if alike else None
        if len(cells) == 1:
            self._domain(cells[0], 1 << total if 0 <= total < self.values else 0)
        elif family is not None:
            if not family:
                self._contradict()
            self.cages.append((cells, total, family, implied))
        elif len(cells) == 2:
            self._relation(*cells, pairs.of_sum(*coefficients, total, self.values))
        else:
            self.sums.append((Linear(cells, coefficients, total, ""), implied))

    def _all_peers(self, cells: tuple[int, ...]) -> bool:
        everyone = sum(1 << cell for cell in cells)
        return all((self.peers[cell] | 1 << cell) & everyone == everyone for cell in cells)

    def _relation(self, first: int, second: int, relation: pairs.Relation) -> None:
        if first > second:
            first, second, relation = second, first, pairs.transposed(relation)
        if self.peers[first] >> second & 1:
            relation = pairs.different(relation)
        before = self.relations.get((first, second))
        if before is not None and before != relation:
            relation = tuple(one & other for one, other in zip(before, relation, strict=True))
        self.relations[first, second] = relation

    def _domain(self, cell: int, allowed: int) -> None:
        self.domains[cell] &= allowed

    def _contradict(self) -> None:
        self.domains[0] = 0

    def program(self) -> Program:
        """All that was added, as arrays."""
        code = Code(self.values)
        records = [
            *self._houses(),
            *self._relation_records(code),
            *self._families(code),
            *self._linears(code),
            *self._crossings(),
            *self._others(code),
        ]
        rows = [(kind, code.put(words), cells[0]) for kind, cells, words, _ in records]
        scope_sizes = [len(cells) for _, cells, _, _ in records]
        scopes = np.fromiter(chain.from_iterable(cells for _, cells, _, _ in records), np.int64, sum(scope_sizes))
        watched = [cells[:1] if kind == RELATIONS else cells for kind, cells, _, _ in records]
        peers = geometry.bit_rows(self.peers, 64 * (self.cells // 64 + 1))
        return Program(
            self.cells,
            self.values,
            np.array(self.domains, np.int64),
            code.array(),
            np.array(rows, np.int64).reshape(-1, 3),
            _watch(self.cells, watched, [fixed for _, _, _, fixed in records]),
            _all(len(records)),
            _all(self.cells),
            *geometry.lists_of(peers),
            peers,
            scopes,
            np.cumsum([0, *scope_sizes]),
            np.array(self.houses, np.int64).reshape(-1, self.values),
            self._positions(),
            self._notes(),
        )

    def _houses(self) -> Iterable[Record]:
        return [(HOUSE, house, (self.values, self.full, *house), False) for house in self.houses]

    def _crossings(self) -> Iterable[Record]:
        for first, second in geometry.crossings(self.houses):
            yield INTERSECTION, first + second, (len(first), *first, *second), True

    def _relation_records(self, code: Code) -> Iterable[Record]:
        arcs: dict[int, list[tuple[int, int]]] = {}
        for (first, second), relation in self.relations.items():
            arcs.setdefault(first, []).append((second, code.lookup(relation)))
            arcs.setdefault(second, []).append((first, code.lookup(pairs.transposed(relation))))
        for cell, others in arcs.items():
            words = (len(others), *pairs.chunks(self.values), *chain.from_iterable(others))
            yield RELATIONS, (cell, *(other for other, _ in others)), words, False

    def _families(self, code: Code) -> Iterable[Record]:
        for cells, total, family, implied in sorted(self.cages, key=lambda cage: len(cage[2]) * len(cage[0])):
            size = len(cells)
            index = [at for _, at in code.sets[: size + 1]] if code.sets else [0] * (size + 1)
            body = (total, *index) if code.sets else (total, *index, len(family), *family)
            yield CAGE, cells, (size, code.shared(body), 1, *cells, size), implied
        for clique, family in pairs.cliques(self.relations):
            words = (len(clique), code.shared((len(family), *family)), 1, *clique, len(clique))
            yield FAMILY, clique, words, False

    def _linears(self, code: Code) -> Iterable[Record]:
        for constraint, implied in self.sums:
            groups = self._groups(constraint)
            cells = [cell for _, group in groups for cell in group]
            coefficients = [coefficient for coefficient, group in groups for _ in group]
            unlike = [sum(1 << k for k, other in enumerate(cells) if self.peers[cell] >> other & 1) for cell in cells]
            body, start = [constraint.total, len(groups), *coefficients, *unlike], 0
            for coefficient, group in groups:
                sums_at, index_at = code.sets[len(group)] if code.sets and len(group) > 1 else (0, 0)
                body += (coefficient, len(group), start, sums_at, index_at)
                start += len(group)
            head = (len(cells), code.shared(tuple(body)), len(groups))
            yield LINEAR, cells, (*head, *cells, *(len(group) for _, group in groups)), implied

    def _groups(self, constraint: Linear) -> list[tuple[int, list[int]]]:
        by_coefficient: dict[int, list[int]] = {}
        for cell, coefficient in zip(constraint.cells, constraint.coefficients, strict=True):
            by_coefficient.setdefault(coefficient, []).append(cell)
        return [
            (coefficient, clique)
            for coefficient, cells in by_coefficient.items()
            for clique in geometry.cliques(cells, self.peers)
        ]

    def _others(self, code: Code) -> Iterable[Record]:
        for constraint in self.rest:
            cells = constraint.cells
            if isinstance(constraint, Table):
                kind, body = TABLE, _table(constraint.tuples, len(cells), self.values)
            else:
                kind, body = AUTOMATON, _language(
                    constraint.transitions, constraint.start, constraint.accepting, self.values
                )
            yield kind, tuple(dict.fromkeys(cells)), (len(cells), code.shared(body), 0, *cells), False

    def _positions(self) -> int:
        scoped = [*(cells for cells, *_ in self.cages), *(rule.cells for rule, _ in self.sums)]
        return 2 * max(map(len, [*scoped, *(rule.cells for rule in self.rest)]), default=0) + MAX_CELLS

    def _notes(self) -> int:
        groups = max((len(linear.cells) for linear, _ in self.sums), default=0)
        states = max((_bitset_words(rule) for rule in self.rest), default=0)
        return max(MAX_CELLS + NOTES * groups, MAX_CELLS + MAX_CELLS, states) + 1


class Code:
    """The words of all records; tables that several share are written once."""

    def __init__(self, values: int) -> None:
        table, places = sets.tables(values)
        self._parts: list[NDArray[np.int64]] = [table, np.zeros(1, np.int64)]
        self._length = len(table) + 1
        self._shared: dict[tuple[int, ...] | bytes, int] = {}
        self.sets = places

    def put(self, words: Words) -> int:
        """Where some words now stand."""
        at = self._length
        self._parts.append(np.asarray(words, np.int64))
        self._length += len(words)
        return at

    def lookup(self, relation: pairs.Relation) -> int:
        """Where the lookup of a relation stands."""
        if relation not in self._shared:
            self._shared[relation] = self.put(pairs.lookup(relation))
        return self._shared[relation]

    def shared(self, words: tuple[int, ...] | NDArray[np.int64]) -> int:
        """Where a body stands."""
        key = words if isinstance(words, tuple) else words.tobytes()
        if key not in self._shared:
            self._shared[key] = self.put(words)
        return self._shared[key]

    def array(self) -> NDArray[np.int64]:
        return np.concatenate(self._parts)


def _watch(cells: int, watched: list[Sequence[int]], fixed: list[bool]) -> NDArray[np.int64]:
    """For each cell the propagators that look at it, as bits: those after any change, those after it is fixed."""
    words = len(watched) // 64 + 1
    changes = [[0] * cells, [0] * cells]
    for number, (scope, late) in enumerate(zip(watched, fixed, strict=True)):
        bit, column = 1 << number, changes[late]
        for cell in scope:
            column[cell] |= bit
    return np.concatenate([geometry.bit_rows(column, 64 * words) for column in changes], axis=1)


def _all(number: int) -> NDArray[np.int64]:
    """The numbers below `number`, as bits, in the words that `search` has for as many."""
    row: NDArray[np.int64] = geometry.bit_rows([(1 << number) - 1], 64 * (number // 64 + 1))[0]
    return row


def _bitset_words(rule: Table | Automaton) -> int:
    if isinstance(rule, Table):
        return len(rule.tuples) // 64 + 1
    return (len(rule.cells) + 1) * (len(rule.transitions) // 64 + 2)


def _table(tuples: frozenset[tuple[int, ...]], arity: int, values: int) -> NDArray[np.int64]:
    """The body of a Table."""
    rows = np.array(sorted(tuples), np.int64).reshape(-1, arity)
    rows = rows[((rows >= 1) & (rows <= values)).all(1)]
    words = len(rows) // 64 + 1
    has = np.zeros((arity, values, 64 * words), np.uint8)
    number = np.arange(len(rows))
    for place in range(arity):
        has[place, rows[:, place] - 1, number] = 1
    supports = np.packbits(has, axis=2, bitorder="little").view(np.int64).reshape(-1)
    return np.concatenate([np.array((values, words), np.int64), supports])


@lru_cache(maxsize=256)
def _language(
    transitions: frozenset[tuple[int, int, int]], start: int, accepting: frozenset[int], values: int
) -> NDArray[np.int64]:
    """The body of an Automaton."""
    steps = np.array(list(transitions), np.int64).reshape(-1, 3)
    steps = steps[(steps[:, 1] >= 1) & (steps[:, 1] <= values)]
    names, numbers = np.unique(np.concatenate([[start], steps[:, 0], steps[:, 2]]), return_inverse=True)
    states, count = len(names), len(steps)
    words = states // 64 + 1
    sources, targets = numbers[1 : count + 1], numbers[count + 1 :]
    nexts = np.zeros((states, values), np.int64)
    nexts[sources, steps[:, 1] - 1] = targets
    takes = np.zeros(states, np.int64)
    np.bitwise_or.at(takes, sources, np.int64(1) << (steps[:, 1] - 1))
    accepts = np.zeros(64 * words, np.uint8)
    accepts[:states] = np.isin(names, list(accepting))
    final = np.packbits(accepts, bitorder="little").view(np.int64)
    head = np.array((states, words, values, numbers[0]), np.int64)
    return np.concatenate([head, final, takes, nexts.reshape(-1)])
