"""From a board and its implied constraints to the propagators that stand for them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain
from math import gcd
from operator import or_
from typing import Any

from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.implied import ImpliedSum
from satdoku.kernels.compiled import allocated, bit_rows, filled
from satdoku.kernels.propagators import languages, pairs
from satdoku.kernels.propagators.family import MAX_CELLS
from satdoku.kernels.propagators.linear import NOTES
from satdoku.kernels.propagators.pairs import MAX_LISTED_VALUES
from satdoku.kernels.propagators.program import (
    AUTOMATON,
    COVER,
    EXCLUSIONS,
    FAMILY,
    LINEAR,
    OCCURRENCES,
    PERMUTATION,
    RELATIONS,
    Program,
)
from satdoku.kernels.propagators.records import PropagatorRecords, all_below, crossings, houses
from satdoku.limits import MAX_STATES, check_time
from satdoku.puzzle import Board

MIN_PERMUTED = 5  # cells of an automaton that are known to differ: with four it takes five times the time
MAX_REQUIRING = 4  # cells of an automaton whose values that every word has are struck from common peers
FEW_STATES = 256  # of an automaton that runs before exclusions
MIN_LATE = 12  # cells of an automaton that waits until one of them is fixed

Cells = tuple[int, ...]
Rest = tuple[int, Cells, "array[int]", Cells, Cells, bool]
"""Kind, scope, body, cells as they are read, the sizes of groups, `late`."""
Family = tuple[Cells, tuple[int, ...], bool]  # cells, their sets, whether it is implied


def program(board: Board, implied: Iterable[ImpliedSum] = (), exclusions: bool = False) -> Program:
    """The propagators of a board, for implied sums too.

    exclusions: whether what all places of a value in a house exclude is struck, where that may be more than the
                crossings of houses say
    """
    lowering = Lowering(board)
    lowering.imply(implied)
    return lowering.program(exclusions)


class Lowering:
    """Sorts constraints by what propagates them; cells and values as the board has them, but values count from 0."""

    def __init__(self, board: Board) -> None:
        self.grid_cells, self.values, self._columns = board.cells, board.largest_value, board.columns
        self.domains = [board.every_value >> 1] * board.cells + [allowed >> 1 for allowed in board.auxiliary]
        groups = [rule.cells for rule in board.constraints if isinstance(rule, AllDifferent)]
        self.peers, self.peer_arrays = pairs.peers_of(len(self.domains), tuple(groups))
        self.houses = tuple(rule.cells for rule in board.houses)
        every = self.domains[0]
        unions = (
            (cells, every if max(cells) < board.cells else reduce(or_, [self.domains[cell] for cell in cells]))
            for cells in groups
            if len(cells) > 1
        )
        # Cells that hold all of some values, each once, and these values.
        self.full = tuple((cells, union) for cells, union in unions if union.bit_count() == len(cells))
        self.relations: dict[tuple[int, int], pairs.Relation] = {}  # the merged Tables and Linears over two cells
        self.families: list[Family] = []
        self.sums: list[tuple[Cells, tuple[int, ...], int, bool]] = []  # other Linears, and whether they are implied
        self.rest: list[Rest] = []
        self.notes = 2 * MAX_CELLS
        others = board.others
        counted = set(self._add_occurrences(others))
        for number, constraint in enumerate(others):
            check_time()
            if number not in counted:
                self.add(constraint)

    def imply(self, sums: Iterable[ImpliedSum]) -> None:
        """Take sums that follow from the rest, for the programs that are made from here on."""
        for each in sums:
            signs = (1,) * len(each.inside) + (-1,) * len(each.outside)
            self.add_sum(each.inside + each.outside, signs, each.total, True)

    def add(self, constraint: Linear | Table | Automaton | AllDifferent) -> None:
        if isinstance(constraint, Linear):
            coefficients, total = constraint.coefficients, constraint.total
            divisor = gcd(*coefficients)
            if divisor > 1 and total % divisor == 0:
                coefficients, total = tuple(each // divisor for each in coefficients), total // divisor
            self.add_sum(constraint.cells, coefficients, total, False)
        elif isinstance(constraint, Table) and len(constraint.cells) == 2:
            first, second = constraint.cells
            self._relate(first, second, pairs.of_tuples(constraint.tuples, self.values))
        elif isinstance(constraint, Table) and len(constraint.cells) == 1:
            self.domains[constraint.cells[0]] &= sum(1 << value - 1 for (value,) in constraint.tuples if value > 0)
        elif isinstance(constraint, AllDifferent):
            pass  # in `peers`
        elif isinstance(constraint, Table | Automaton) and constraint.cells:
            self._add_rest(constraint)
        elif isinstance(constraint, Table | Automaton) and not constraint.holds(()):
            self.domains[0] = 0

    def add_sum(self, cells: Cells, coefficients: tuple[int, ...], total: int, implied: bool) -> None:
        """Take a Linear whose coefficients have no common divisor."""
        total -= sum(coefficients)
        if len(cells) < 2:
            value = total * coefficients[0] if cells and abs(coefficients[0]) == 1 else -1
            if cells:
                self.domains[cells[0]] &= 1 << value if 0 <= value < self.values else 0
            elif total:
                self.domains[0] = 0
            return
        if coefficients[0] < 0:
            total, coefficients = -total, tuple(-each for each in coefficients)
        narrow = len(cells) == 2 or self.values > MAX_LISTED_VALUES
        alike = narrow and coefficients.count(1) == len(cells) and pairs.all_peers(cells, self.peers)
        by_sets = alike and self.values > MAX_LISTED_VALUES
        family = pairs.sets_with_sum(self.values, len(cells), total) if by_sets else None
        if family is not None:
            self.families.append((cells, family, implied))
        elif len(cells) == 2 and not alike:
            self._relate(*cells, pairs.of_sum(*coefficients, total, self.values))
        else:
            self.sums.append((cells, coefficients, total, implied))

    def _relate(self, first: int, second: int, relation: pairs.Relation) -> None:
        if first > second:
            first, second, relation = second, first, pairs.transposed(relation)
        if self.peers[first] >> second & 1:
            relation = pairs.different(relation)
        before = self.relations.get((first, second))
        if before is not None and before != relation:
            relation = tuple(one & other for one, other in zip(before, relation, strict=True))
        self.relations[first, second] = relation

    def program(self, exclusions: bool) -> Program:
        # What stands first runs first: what takes little time takes candidates from what takes long. But killers take
        # 0.84 of the time where sums come before crossings.
        shape = self.full, self.values, len(self.domains)
        records = houses(*shape, with_crossings=not self.sums).copied()
        self._put_relations(records)
        related = ((tuple(cells), family, False) for cells, family in pairs.related(self.relations))
        families = [*self.families, *related]
        self._put_families(records, families)
        self._put_sums(records)
        if self.sums:
            records.extend(crossings(*shape))
        rest = sorted(self.rest, key=_states)
        quick = bisect_right(rest, FEW_STATES, key=_states)
        self._put_rest(records, rest[:quick])
        if exclusions:
            self._put_exclusions(records)
        self._put_rest(records, rest[quick:])
        cells = len(self.domains)
        peer_sets, peers, peers_at = self.peer_arrays
        return Program(
            grid_cells=self.grid_cells,
            values=self.values,
            domains=filled("q", self.domains),
            **records.arrays(),
            every_cell=all_below(cells),
            peers=peers,
            peers_at=peers_at,
            peer_sets=peer_sets,
            houses=_rows(self.houses),
            positions=records.longest,
            notes=self.notes,
            pull=bool(self.relations) and not (families or self.sums or self.rest),
        )

    def _put_relations(self, records: PropagatorRecords) -> None:
        arcs: defaultdict[int, list[int]] = defaultdict(list)
        lookups: dict[int, tuple[int, int]] = {}  # by identity, since hashing a relation takes longer than all the rest
        for (first, second), relation in self.relations.items():
            if id(relation) not in lookups:
                lookups[id(relation)] = records.lookup(relation), records.lookup(pairs.transposed(relation))
            there, back = lookups[id(relation)]
            arcs[first] += second, there
            arcs[second] += first, back
        number, width = pairs.chunks(self.values)
        for cell, others in arcs.items():
            words = (len(others) // 2, number, width, *others)
            records.put(RELATIONS, (cell, *others[::2]), words, watched=(cell,))

    def _put_exclusions(self, records: PropagatorRecords) -> None:
        in_houses = tuple(house for house, _ in self.full)
        excluded = pairs.excluded(self.peers, self.relations, in_houses, self.grid_cells, self.values)
        if excluded is not None:
            words, entries = len(self.domains) // 64 + 1, list[int]()
            for least, number, rows in excluded:
                table = records.shared(array("q", bit_rows(rows, words * number).tobytes()))
                entries += [table, least, number]
            tables = records.shared(tuple(entries))
            for house in in_houses:
                records.put(EXCLUSIONS, house, (len(house), tables, words, *house))

    def _put_families(self, records: PropagatorRecords, families: Iterable[Family]) -> None:
        for cells, family, implied in families:
            number, others, watched = 0, list[int](), set(cells)
            for house, union in self.full:
                outside = [cell for cell in house if cell not in cells]
                if 0 < len(outside) < len(house) - 1:
                    number += 1
                    others += union, len(outside), *outside
                    watched.update(outside)
            shared = records.shared((len(family), *family))
            words = (len(cells), shared, 1, *cells, len(cells), number, *others)
            records.put(FAMILY, cells, words, late=implied, watched=watched)

    def _put_sums(self, records: PropagatorRecords) -> None:
        sets_of_size = dict(enumerate(records.sets[2:], start=2))
        most = 0
        for cells, coefficients, total, implied in sorted(self.sums, key=lambda each: len(each[0])):
            # An empty display is made in a tenth of the time of `list[int]()`.
            ordered: list[int] = []
            weights: list[int] = []
            parts: list[int] = []
            sizes: list[int] = []
            for coefficient, group in pairs.groups(cells, coefficients, self.peers):
                size = len(group)
                parts += (coefficient, size, len(ordered), *sets_of_size.get(size, (0, 0)))
                weights += (coefficient,) * size
                ordered += group
                sizes.append(size)
            body = records.shared((total, len(sizes), *weights, *parts))
            most = max(most, len(sizes))
            records.put(LINEAR, ordered, (len(cells), body, len(sizes), *ordered, *sizes), late=implied)
        self.notes = max(self.notes, MAX_CELLS + NOTES * most)

    def _add_occurrences(self, constraints: Sequence[Constraint]) -> Iterator[int]:
        """Take automata over the same cells that count a value each, every value; their places."""
        by_cells: dict[Cells, list[int]] = {}
        for number, rule in enumerate(constraints):
            if isinstance(rule, Automaton):
                by_cells.setdefault(rule.cells, []).append(number)
        for cells, numbers in by_cells.items():
            if len(numbers) < self.values or len(set(cells)) < len(cells):
                continue
            counts: dict[int, frozenset[int]] = {}
            kept = list[int]()
            for number in numbers:
                rule = constraints[number]
                assert isinstance(rule, Automaton)
                counted = languages.count_of((rule.transitions, rule.start, rule.accepting), self.values, len(cells))
                if counted is not None:
                    value, those = counted
                    counts[value] = counts.get(value, those) & those
                    kept.append(number)
            every = [counts[value] for value in range(1, self.values + 1) if value in counts]
            filling = languages.sets_that_fill(every, len(cells)) if len(every) == self.values else None
            if filling is not None:
                often, sets = filling
                groups = pairs.fewest_cliques(cells, self._columns, self.peers)
                ordered, sizes = tuple(chain.from_iterable(groups)), tuple(map(len, groups))
                body = array("q", (len(often), len(sets), *often, *sets))
                self.rest.append((OCCURRENCES, ordered, body, ordered, sizes, False))
                yield from kept

    def _add_rest(self, constraint: Table | Automaton) -> None:
        cells = constraint.cells
        if isinstance(constraint, Table):
            language = languages.accepted(constraint.tuples)
        else:
            language = constraint.transitions, constraint.start, constraint.accepting
        scope = tuple(dict.fromkeys(cells))
        single = len(scope) == len(cells)
        grouped = single and len(cells) <= MAX_REQUIRING and pairs.share_peers(cells, self.peers)
        groups: Cells = (len(cells),) if grouped else ()
        if single and len(cells) == 2:
            self._relate(*cells, languages.relation_of(language, self.values))
            return
        if single and (sets := languages.sets_covered(language, self.values, len(cells))):
            self.rest.append((COVER, scope, array("q", (len(sets), *sets)), cells, groups, False))
            return
        apart = single and pairs.all_peers(cells, self.peers)
        family = languages.sets_taken(language, self.values, len(cells)) if apart else None
        if family is not None:
            self.families.append((cells, family, False))
            return
        permuted = apart and len(cells) >= MIN_PERMUTED and self.values <= MAX_LISTED_VALUES
        kind = PERMUTATION if permuted else AUTOMATON
        body = languages.words_of(language, self.values, kind == PERMUTATION)
        words, states = body[1], 1 << self.values if kind == PERMUTATION else 0
        self.notes = max(self.notes, words * (len(cells) + 1) + len(cells) + (words + 1) * states + states // 64 + 1)
        if grouped:
            self.notes = max(self.notes, words * (len(cells) + 1) + 2 * body[0])
        # Permutations and long lines take long: to wait until a cell is fixed costs some nodes and saves more time.
        self.rest.append((kind, scope, body, cells, groups, kind == PERMUTATION or len(cells) >= MIN_LATE))

    def _put_rest(self, records: PropagatorRecords, rest: Iterable[Rest]) -> None:
        for kind, scope, body, cells, groups, late in rest:
            records.put(kind, scope, (len(cells), records.shared(body), len(groups), *cells, *groups), late=late)


def _states(rest: Rest) -> int:
    """How long a propagator takes: the states of an automaton, more than any has where its cells differ."""
    kind, body = rest[0], rest[2]
    return 0 if kind in (COVER, OCCURRENCES) else body[0] if kind == AUTOMATON else MAX_STATES


def _rows(rows: Sequence[Sequence[int]]) -> Any:
    if not rows:
        return allocated("q", 0, 0)
    return filled("q", chain.from_iterable(rows)).cast("B").cast("q", (len(rows), len(rows[0])))
