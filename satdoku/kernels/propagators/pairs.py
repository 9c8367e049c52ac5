"""What boards are made of for `lower`: peers and groups, sets of values by number and sum, relations of two cells."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import accumulate, chain, combinations
from operator import or_
from typing import Any

from satdoku.kernels.compiled import bit_rows, filled
from satdoku.puzzle import members


@lru_cache(maxsize=16)
def peers_of(cells: int, groups: tuple[tuple[int, ...], ...]) -> tuple[tuple[int, ...], tuple[Any, Any, Any]]:
    """The peers of each cell as bits; the same as rows of words, as a list, and where the list of each begins."""
    peers = [0] * cells
    for group in groups:
        bits = sum([1 << cell for cell in group])
        for cell in group:
            peers[cell] |= bits
    peers = [bits & ~(1 << cell) for cell, bits in enumerate(peers)]
    lists = [_listed(bits) for bits in peers]
    flat = filled("q", chain.from_iterable(lists))
    flat_at = filled("q", accumulate(map(len, lists), initial=0))
    return tuple(peers), (bit_rows(peers, cells // 64 + 1), flat, flat_at)


@lru_cache(maxsize=2048)
def _listed(bits: int) -> tuple[int, ...]:
    """What `bits` has, ascending; most cells of two boards have the same peers."""
    return tuple(members(bits))


@lru_cache(maxsize=16)
def crossings(houses: tuple[tuple[tuple[int, ...], int], ...]) -> tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]:
    """For each pair of houses of the same values that share two cells or more: the cells of each alone."""
    crossings = []
    sets = [(frozenset(house), union) for house, union in houses]
    for (first, values), (second, others) in combinations(sets, 2):
        if values == others and 2 <= len(first & second) < len(first):
            crossings.append((tuple(sorted(first - second)), tuple(sorted(second - first))))
    return tuple(dict.fromkeys(crossings))


def cliques(cells: Sequence[int], peers: Sequence[int]) -> list[list[int]]:
    """`cells` in groups of mutual peers, as large as taking the cell with the most peers first makes them."""
    everyone = sum([1 << cell for cell in cells])
    rest = [cell for cell in cells if peers[cell] & everyone]
    groups = []
    alone = [[cell] for cell in cells if not peers[cell] & everyone]
    while rest:
        everyone = sum([1 << cell for cell in rest])
        group: list[int] = []
        common = -1
        for cell in sorted(rest, key=lambda cell: -(peers[cell] & everyone).bit_count()):
            if common >> cell & 1:
                group.append(cell)
                common &= peers[cell]
        groups.append(group)
        rest = [cell for cell in rest if cell not in group]
    return groups + alone


def fewest_cliques(cells: Sequence[int], columns: int, peers: Sequence[int]) -> list[list[int]]:
    """`cells` in groups of mutual peers, as few as some ways give: as above, by rows, and by columns."""
    by_rows, by_columns = sorted(cells), sorted(cells, key=lambda cell: (cell % columns, cell))
    return min(cliques(cells, peers), _in_order(by_rows, peers), _in_order(by_columns, peers), key=len)


def _in_order(cells: Sequence[int], peers: Sequence[int]) -> list[list[int]]:
    groups, rest = list[list[int]](), list(cells)
    while rest:
        group, common, left = list[int](), -1, list[int]()
        for cell in rest:
            fits = common >> cell & 1
            (group if fits else left).append(cell)
            common &= peers[cell] if fits else -1
        groups.append(group)
        rest = left
    return groups


def all_peers(cells: Sequence[int], peers: Sequence[int]) -> bool:
    everyone, common = 0, -1
    for cell in cells:
        bit = 1 << cell
        everyone |= bit
        common &= peers[cell] | bit
    return common & everyone == everyone


def share_peers(cells: Sequence[int], peers: Sequence[int]) -> bool:
    """Whether two of the cells have a peer that is none of them."""
    everyone = sum(1 << cell for cell in cells)
    return any(peers[one] & peers[other] & ~everyone for one, other in combinations(cells, 2))


def groups(
    cells: tuple[int, ...], coefficients: tuple[int, ...], peers: Sequence[int]
) -> list[tuple[int, Sequence[int]]]:
    """Coefficients, each with cells of that coefficient that are all peers."""
    if coefficients.count(coefficients[0]) == len(cells) and all_peers(cells, peers):
        return [(coefficients[0], cells)]
    by_coefficient: dict[int, list[int]] = {}
    for cell, coefficient in zip(cells, coefficients, strict=True):
        by_coefficient.setdefault(coefficient, []).append(cell)
    return [
        (coefficient, clique)
        for coefficient, alike in by_coefficient.items()
        for clique in ([alike] if len(alike) == 1 or all_peers(alike, peers) else cliques(alike, peers))
    ]


MAX_LISTED_VALUES = 9  # values of a board whose sets are all listed: 2^N words a number of cells
MAX_SETS = 300  # sets of one family; where there are more, bounds are propagated


@lru_cache(maxsize=16)
def tables(values: int) -> tuple[array[int], tuple[tuple[int, int], ...]]:
    """For each number of cells, sums of unions of candidates and sets by sum, as one array; and where they stand."""
    if values > MAX_LISTED_VALUES:
        return array("q"), ()
    words = 1 << values
    sums = [[1], *([0] for _ in range(values))]  # by number of cells, then by union
    for value in range(values):
        pairs = zip(sums[1:], sums, strict=False)
        further = [[with_out | less << value for with_out, less in zip(*both, strict=True)] for both in pairs]
        sums = [each + more for each, more in zip(sums, [sums[0], *further], strict=True)]
    table, places = array("q", (word for each in sums for word in each)), []
    for size in range(values + 1):
        by_sum: dict[int, list[int]] = {}
        for chosen in combinations(range(values), size):
            by_sum.setdefault(sum(chosen), []).append(sum(1 << value for value in chosen))
        most = max(by_sum)
        places.append((size * words, len(table) + 1))
        counts = (len(by_sum.get(total, ())) for total in range(most + 1))
        table.append(most)
        table.extend(accumulate(counts, initial=len(table) + most + 2))
        table.extend(each for total in sorted(by_sum) for each in by_sum[total])
    return table, tuple(places)


@lru_cache(maxsize=1024)
def sets_with_sum(values: int, size: int, total: int) -> tuple[int, ...] | None:
    """All sets of `size` of the values with a sum, as words; None if there are more than MAX_SETS."""
    if values <= MAX_LISTED_VALUES:
        table, places = tables(values)
        least = size * (size - 1) // 2
        if size > values or not least <= total <= size * (values - 1) - least:
            return ()
        first, last = table[places[size][1] + total : places[size][1] + total + 2]
        return tuple(table[first:last])
    sets: list[int] = []
    for each in _sets(values, size, total):
        sets.append(each)
        if len(sets) > MAX_SETS:
            return None
    return tuple(sets)


def _sets(values: int, size: int, total: int) -> Iterator[int]:
    """The greatest value first; sums out of reach are left at once."""
    if size == 0:
        if total == 0:
            yield 0
        return
    for value in range(min(values - 1, total), size - 2, -1):
        rest = total - value
        if rest > sum(range(value - size + 1, value)):
            return
        if rest >= (size - 1) * (size - 2) // 2:
            for others in _sets(value, size - 1, rest):
                yield 1 << value | others


Relation = tuple[int, ...]  # for each value of the first cell those of the second that go with it, as bits from 0
MAX_CHUNK = 9  # bits of a set that one look covers: 512 words


@lru_cache(maxsize=512)
def of_tuples(tuples: frozenset[tuple[int, ...]], values: int) -> Relation:
    rows = [0] * values
    for first, second in tuples:
        if 1 <= first <= values and 1 <= second <= values:
            rows[first - 1] |= 1 << second - 1
    return tuple(rows)


@lru_cache(maxsize=512)
def of_sum(first: int, second: int, total: int, values: int) -> Relation:
    rows = []
    for value in range(values):
        other, rest = divmod(total - first * value, second)
        rows.append(1 << other if rest == 0 and 0 <= other < values else 0)
    return tuple(rows)


@lru_cache(maxsize=512)
def different(relation: Relation) -> Relation:
    return tuple(row & ~(1 << value) for value, row in enumerate(relation))


@lru_cache(maxsize=512)
def transposed(relation: Relation) -> Relation:
    return tuple(
        sum(1 << value for value, row in enumerate(relation) if row >> other & 1) for other in range(len(relation))
    )


MAX_EXCLUDED = 1 << 16  # words of what the values of all cells rule out; beyond that only equal values are looked at

Excluded = tuple[int, int, list[int]]  # the least value that is ruled out, how many from it on, and a row for each cell


def excluded(
    peers: Sequence[int],
    relations: dict[tuple[int, int], Relation],
    houses: Sequence[tuple[int, ...]],
    grid_cells: int,
    values: int,
) -> list[Excluded] | None:
    """For each value what it rules out, by its cell; None if several places of a value in a house never rule out more
    than the crossings of houses say.

    Bit t * width + c of a row is the value t after the least one, at cell c; `width` is that of whole words. Between
    cells of the grid it is of any values, else of equal ones.
    """
    cells, every = len(peers), (1 << values) - 1
    by_houses = peers_of(cells, tuple(houses))[0]
    beside = [cell for cell, bits in enumerate(peers) if bits != by_houses[cell]]
    beyond_houses = sorted({*beside, *chain.from_iterable(relations)})  # most boards have few such cells
    concerned = [(house, tuple(filter(set(house).__contains__, beyond_houses))) for house in houses]
    concerned = [(house, some) for house, some in concerned if some]
    if not concerned:
        return None
    width = 64 * (cells // 64 + 1)
    most = grid_cells if cells * width // 64 * values**2 <= MAX_EXCLUDED else 0
    on_grid = (1 << most) - 1
    graphs = _graphs(relations)
    made, ruling = list[Excluded](), False
    for value in range(values):
        if made and not relations:  # the same of each value
            made.append((value, 1, made[0][2]))
            continue
        alike = 1 << value * width
        own = _spread(every & ~(1 << value), width) if most and relations else 0  # a cell with the value has no other
        rows = [bits << value * width for bits in peers]
        for relation, related_cells in graphs:
            missing = _spread(every & ~relation[value], width)
            if missing:
                for cell, others in related_cells.items():
                    rows[cell] |= missing * (others & on_grid) | (missing & alike) * (others & ~on_grid)
        beyond = {cell: rows[cell] & ~(by_houses[cell] << value * width) for cell in beyond_houses}
        rows = [row | own << cell for cell, row in enumerate(rows)]
        low = high = value
        seen = ((1 << width) - 1) << value * width  # the bits of the values from `low` to `high`
        for house, some in concerned:
            wanted = reduce(or_, [beyond[cell] for cell in some])
            further = _twice([rows[cell] for cell in house]) & wanted if not ruling or wanted & ~seen else 0
            if further:
                ruling = True
                low = min(low, ((further & -further).bit_length() - 1) // width)
                high = max(high, (further.bit_length() - 1) // width)
                seen = (1 << (high + 1) * width) - (1 << low * width)
        if not ruling and not relations:
            return None
        number = high - low + 1
        every_row = (1 << number * width) - 1
        made.append((low, number, [row >> low * width & every_row for row in rows]))
    return made if ruling else None


def _graphs(relations: dict[tuple[int, int], Relation]) -> list[tuple[Relation, dict[int, int]]]:
    """Each relation, also the other way round, and for each cell the cells, as bits, that are in it to that cell."""
    made: list[tuple[Relation, dict[int, int]]] = []
    of_relation: dict[int, tuple[dict[int, int], dict[int, int]]] = {}  # hashing one takes longer than all the rest
    for (first, second), relation in relations.items():
        known = of_relation.get(id(relation))
        if known is None:
            turned, there = transposed(relation), dict[int, int]()
            known = of_relation[id(relation)] = there, there if turned == relation else {}
            made.append((relation, there))
            if turned != relation:
                made.append((turned, known[1]))
        there, back = known
        there[first] = there.get(first, 0) | 1 << second
        back[second] = back.get(second, 0) | 1 << first
    return made


def _twice(rows: Sequence[int]) -> int:
    """What two of the rows have."""
    once = twice = 0
    for row in rows:
        twice |= once & row
        once |= row
    return twice


def _spread(values: int, width: int) -> int:
    """A bit in every so many for each of some values."""
    return sum([1 << value * width for value in members(values)])


def chunks(values: int) -> tuple[int, int]:
    """In how many parts a set is looked up, and the bits of each."""
    number = -(-values // MAX_CHUNK)
    return number, -(-values // number)


@lru_cache(maxsize=512)
def lookup(relation: Relation) -> array[int]:
    """For each part of the values of the first cell and each set of these, what the second may hold."""
    number, width = chunks(len(relation))
    words = array("q")
    for part in range(0, number * width, width):
        table = [0]
        for row in (*relation[part : part + width], *(0,) * (part + width - len(relation))):
            table += [each | row for each in table]
        words.extend(table)
    return words


def related(relations: dict[tuple[int, int], Relation]) -> Iterator[tuple[list[int], tuple[int, ...]]]:
    """Cells of which each pair has one symmetric relation that no value has to itself, and their sets of values."""
    graphs: dict[Relation, dict[int, int]] = {}
    for (first, second), relation in relations.items():
        if apart(relation):
            graph = graphs.setdefault(relation, {})
            graph[first] = graph.get(first, 0) | 1 << second
            graph[second] = graph.get(second, 0) | 1 << first
    for relation, graph in graphs.items():
        for cells in _cliques(graph):
            sets = related_sets(relation, len(cells))
            if sets is not None:
                yield cells, sets


@lru_cache(maxsize=512)
def apart(relation: Relation) -> bool:
    return relation == transposed(relation) and not any(row >> value & 1 for value, row in enumerate(relation))


def _cliques(graph: dict[int, int]) -> Iterator[list[int]]:
    """Cliques of three cells or more, each grown from a pair that no clique before has."""
    rest = dict(graph)
    for first, neighbours in graph.items():
        for second in members(neighbours):
            if rest[first] >> second & 1:
                clique, common = [first, second], neighbours & graph[second]
                while common:
                    cell = (common & -common).bit_length() - 1
                    clique.append(cell)
                    common &= graph[cell]
                everyone = sum(1 << cell for cell in clique)
                for cell in clique:
                    rest[cell] &= ~everyone
                if len(clique) > 2:
                    yield clique


@lru_cache(maxsize=512)
def related_sets(relation: Relation, size: int) -> tuple[int, ...] | None:
    """The sets of so many values of which each two are related; None if there are more than MAX_SETS."""
    partial = [(0, (1 << len(relation)) - 1)]
    for _ in range(size):
        partial = [
            (chosen | 1 << value, left & relation[value] & -(2 << value))
            for chosen, left in partial
            for value in members(left)
        ]
        if len(partial) > MAX_SETS * len(relation):
            return None
    return tuple(chosen for chosen, _ in partial) if len(partial) <= MAX_SETS else None
