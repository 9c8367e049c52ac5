"""From a board and its implied constraints to the propagators that stand for them."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from functools import lru_cache, reduce
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
    HOUSE,
    INTERSECTION,
    LINEAR,
    OCCURRENCES,
    PERMUTATION,
    RELATIONS,
    Program,
)
from satdoku.limits import MAX_STATES, check_time
from satdoku.puzzle import Board

MIN_PERMUTED = 5  # cells of an automaton that are known to differ: with four it takes five times the time
MAX_REQUIRING = 4  # cells of an automaton whose values that every word has are struck from common peers
FEW_STATES = 256  # of an automaton that runs before exclusions
MIN_LATE = 12  # cells of an automaton that waits until one of them is fixed
FIRST_SHARE = 4.0  # what the cells of a constraint share of its weight at first

UNWEIGHED = frozenset({HOUSE, INTERSECTION, EXCLUSIONS})  # whose cells branching does not weigh by them

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


def widest(board: Board) -> int:
    return max(board.values, *(allowed.bit_length() - 1 for allowed in board.auxiliary), 0)


class Lowering:
    """Sorts constraints by what propagates them; cells and values as the board has them, but values count from 0."""

    def __init__(self, board: Board) -> None:
        self.grid_cells, self.values, self._columns = board.cells, widest(board), board.columns
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
        records = houses(self.full, self.values, len(self.domains)).copied()
        self._put_relations(records)
        related = ((tuple(cells), family, False) for cells, family in pairs.related(self.relations))
        families = [*self.families, *related]
        self._put_families(records, families)
        self._put_sums(records)
        # What stands first runs first: what takes little time takes candidates from what takes long.
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
            every_cell=_all(cells),
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
            records.put(RELATIONS, (cell, *others[::2]), words, watched=1)

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
            words = (len(cells), records.shared((len(family), *family)), 1, *cells, len(cells))
            records.put(FAMILY, cells, words, late=implied)

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
                found = languages.count_of((rule.transitions, rule.start, rule.accepting), self.values, len(cells))
                if found is not None:
                    value, those = found
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


@lru_cache(maxsize=16)
def houses(groups: tuple[tuple[Cells, int], ...], values: int, cells: int) -> PropagatorRecords:
    """What stands for the cells of many boards that hold all of some values, each once. To be copied."""
    records = PropagatorRecords(values, cells)
    for house, union in groups:
        records.put(HOUSE, house, (len(house), union, *house))
    for first, second in pairs.crossings(groups):
        records.put(INTERSECTION, first + second, (len(first), *first, *second), late=True)
    return records


class PropagatorRecords:
    """The records of all propagators, and what they share, in one array of words."""

    def __init__(self, values: int, cells: int) -> None:
        table, self.sets = pairs.tables(values)
        self._words = array("q", (*table, 0))
        self._shared: dict[tuple[int, ...] | bytes, int] = {}
        self._rows = array("q")  # of each: kind, place, first cell
        self._scopes, self._scopes_at = array("q"), array("q", (0,))
        self._weights = array("d", [1.0] * (cells + values))
        self._watch = [0] * cells, [0] * cells  # what to run after a change, and after a cell is fixed, as bits
        self.longest = MAX_CELLS

    def copied(self) -> PropagatorRecords:
        made = copy(self)
        for name, value in vars(self).items():
            setattr(made, name, copy(value))
        made._watch = self._watch[0].copy(), self._watch[1].copy()
        return made

    def put(
        self, kind: int, cells: Sequence[int], words: tuple[int, ...], late: bool = False, watched: int | None = None
    ) -> None:
        """Add a propagator that looks at all of some cells or at the first `watched`; `late`: once one is fixed."""
        if words[0] > self.longest:
            self.longest = words[0]
        watch, bit = self._watch[late], 1 << len(self._scopes_at) - 1
        for cell in cells if watched is None else cells[:watched]:
            watch[cell] |= bit
        if kind not in UNWEIGHED:
            weights, share = self._weights, FIRST_SHARE / len(cells)
            for cell in cells:
                weights[cell] += share
        self._rows.extend((kind, self._add(words), cells[0]))
        self._scopes.extend(cells)
        self._scopes_at.append(len(self._scopes))

    def _add(self, words: Sequence[int]) -> int:
        at = len(self._words)
        self._words.extend(words)
        return at

    def lookup(self, relation: pairs.Relation) -> int:
        if relation not in self._shared:
            self._shared[relation] = self._add(pairs.lookup(relation))
        return self._shared[relation]

    def shared(self, words: tuple[int, ...] | array[int]) -> int:
        key = words if isinstance(words, tuple) else words.tobytes()
        if key not in self._shared:
            self._shared[key] = self._add(words)
        return self._shared[key]

    def arrays(self) -> dict[str, Any]:
        number = len(self._scopes_at) - 1
        words = number // 64 + 1
        early, late = self._watch
        return {
            "code": memoryview(self._words),
            "rows": memoryview(self._rows).cast("B").cast("q", (number, 3)) if number else allocated("q", 0, 0),
            "weights": memoryview(self._weights),
            "watch": bit_rows([one | other << 64 * words for one, other in zip(early, late, strict=True)], 2 * words),
            "pending": _all(number),
            "scopes": memoryview(self._scopes),
            "scopes_at": memoryview(self._scopes_at),
        }


def _rows(rows: Sequence[Sequence[int]]) -> Any:
    if not rows:
        return allocated("q", 0, 0)
    return filled("q", chain.from_iterable(rows)).cast("B").cast("q", (len(rows), len(rows[0])))


def _all(number: int) -> Any:
    """The numbers below `number`, as bits, in the words that `search` has for as many."""
    return bit_rows([(1 << number) - 1], number // 64 + 1).cast("B").cast("q")
