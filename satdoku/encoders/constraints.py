"""The one table of how each kind of constraint is written as clauses, over whatever literals say `cell = value`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, NamedTuple

from satdoku.cache import SizedCache
from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.encoders import automaton
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.automaton import ValuesOf, said
from satdoku.encoders.clauses import Clauses, at_least_one, packed
from satdoku.puzzle import Board, members

MAX_COMBINATIONS = 500  # combinations of one sum beyond which the layered automaton is smaller
MAX_KEPT = 500_000  # variables and literals of the clauses that are kept for constraints over other cells: some 22 MB


@dataclass(frozen=True, slots=True)
class CellLiterals:
    values_of: ValuesOf  # the values that a cell may hold at all
    equals: Callable[[int, int], int]  # (cell, value) -> the literal that says cell = value
    distinct: Sequence[AllDifferent] = ()  # AllDifferents that hold besides, which the clauses of others may rely on


def cells_of(
    board: Board, clauses: Clauses, equals: Callable[[int, int], int], distinct: Sequence[AllDifferent] = ()
) -> CellLiterals:
    """The cells of a board: `equals` says what grid cells hold, auxiliary cells get variables and clauses here. One of
    two values is one variable: true for the second, false for the first."""
    own: dict[tuple[int, int], int] = {}
    for cell, allowed in enumerate(board.auxiliary, board.cells):
        own |= zip(((cell, value) for value in members(allowed)), _one_of(clauses, allowed.bit_count()), strict=True)

    def literal(cell: int, value: int) -> int:
        return equals(cell, value) if cell < board.cells else own[cell, value]

    return CellLiterals(board.values_of, literal if own else equals, distinct)


def _one_of(clauses: Clauses, count: int) -> Sequence[int]:
    """So many literals of which one is true."""
    if count == 2:
        variable = clauses.new()
        return -variable, variable
    literals = clauses.new_rows(1, count)
    clauses.extend(literals)
    pairwise(clauses, literals)
    return literals[0]


_templates = SizedCache["_Template"](MAX_KEPT)


def write(clauses: Clauses, constraint: Constraint, cells: CellLiterals) -> None:
    WRITERS[type(constraint)](clauses, constraint, cells)


def _all_different(clauses: Clauses, constraint: AllDifferent, cells: CellLiterals) -> None:
    domains = {cell: cells.values_of(cell) for cell in constraint.cells}
    every = sorted({value for values in domains.values() for value in values})
    for value in every:
        holding = [cells.equals(cell, value) for cell, values in domains.items() if value in values]
        places = packed([holding], len(every) ** 4)  # nearly what all constraints of such a board take
        if len(domains) == len(every):
            clauses.extend(places)
        pairwise(clauses, places)


def _linear(clauses: Clauses, constraint: Linear, cells: CellLiterals) -> None:
    domains = [cells.values_of(cell) for cell in constraint.cells]
    alike = bool(domains) and all(values == domains[0] for values in domains)
    sets = _combinations(constraint, cells.distinct, domains[0]) if alike else None
    if sets is None:
        _layered(clauses, constraint, cells)
        return
    is_set = [clauses.new() for _ in sets]
    at_least_one(clauses, is_set)
    for value in domains[0]:
        containing = [literal for literal, chosen in zip(is_set, sets, strict=True) if value in chosen]
        in_cells = [cells.equals(cell, value) for cell in constraint.cells]
        if len(containing) < len(is_set):
            for literal in in_cells:
                clauses.add(-literal, *containing)
        for literal in containing:
            clauses.add(-literal, *in_cells)


def _layered(clauses: Clauses, constraint: Linear | Table | Automaton, cells: CellLiterals) -> None:
    """Its clauses, made once for all constraints that say the same of other cells."""
    own = tuple(dict.fromkeys(constraint.cells))
    place_of = {cell: place for place, cell in enumerate(own)}
    places = tuple(map(place_of.__getitem__, constraint.cells))
    domains = tuple(map(cells.values_of, own))
    key = said(constraint), places, domains
    template = _templates.get(key)
    if template is None:
        template = _template(replace(constraint, cells=places), domains)
        _templates.put(key, template, len(template.variables) + sum(map(len, template.clauses)))
    literals = [
        clauses.new() if meaning is None else cells.equals(own[meaning[0]], meaning[1])
        for meaning in template.variables
    ]
    signed = [0, *literals, *(-literal for literal in reversed(literals))]
    clauses.extend([[signed[literal] for literal in clause] for clause in template.clauses])


class _Template(NamedTuple):
    """The clauses of a constraint over places, which stand for the cells of any that says the same."""

    variables: tuple[tuple[int, int] | None, ...]  # from 1: the place and the value that each says; None for a state
    clauses: list[list[int]]


def _template(constraint: Linear | Table | Automaton, domains: Sequence[Sequence[int]]) -> _Template:
    clauses = Clauses()
    says: dict[tuple[int, int], int] = {}

    def equals(place: int, value: int) -> int:
        known = says.get((place, value))
        if known is None:
            known = says[place, value] = clauses.new()
        return known

    _write_layered(clauses, constraint, CellLiterals(domains.__getitem__, equals))
    variables: list[tuple[int, int] | None] = [None] * clauses.variables
    for meaning, variable in says.items():
        variables[variable - 1] = meaning
    return _Template(tuple(variables), list(clauses))


def _write_layered(clauses: Clauses, constraint: Linear | Table | Automaton, cells: CellLiterals) -> None:
    if isinstance(constraint, Table) and len(constraint.cells) <= 2:
        support(clauses, constraint, cells)
        return
    domains = tuple(map(cells.values_of, constraint.cells))
    pairs = _pairs(constraint.tuples, domains) if isinstance(constraint, Table) and len(domains) == 3 else None
    if pairs is None:
        automaton.write(clauses, constraint, cells.values_of, cells.equals)
        return
    index, allowed = pairs
    others = constraint.cells[:index] + constraint.cells[index + 1 :]
    for value, tuples in allowed.items():
        support(clauses, Table(others, tuples, constraint.name), cells, -cells.equals(constraint.cells[index], value))


def _pairs(
    tuples: frozenset[tuple[int, ...]], domains: tuple[Sequence[int], ...]
) -> tuple[int, dict[int, frozenset[tuple[int, ...]]]] | None:
    """Where a Table of three cells restricts two of them under at most two values of the other: the place of that, and
    by such a value what the two may hold. So no variables are needed for pairs of values."""
    for index, values in enumerate(domains):
        others = domains[:index] + domains[index + 1 :]
        every = frozenset(product(*others))
        left = {value: set[tuple[int, ...]]() for value in values}
        for row in tuples:
            if row[index] in left and (rest := row[:index] + row[index + 1 :]) in every:
                left[row[index]].add(rest)
        restricted = {value: frozenset(pairs) for value, pairs in left.items() if len(pairs) < len(every)}
        if len(restricted) <= 2:
            return index, restricted
    return None


def support(clauses: Clauses, constraint: Table, cells: CellLiterals, *unless: int) -> None:
    """A Table over one or two cells by its support clauses (Gent 2002), so that unit propagation finds all; or that,
    unless a literal holds."""
    values_of, equals = cells.values_of, cells.equals
    domains = [values_of(cell) for cell in constraint.cells]
    within = [
        row for row in constraint.tuples if all(value in values for value, values in zip(row, domains, strict=True))
    ]
    if len(constraint.cells) <= 1:
        if constraint.cells or not within:  # without cells it holds by the empty tuple
            at_least_one(clauses, (*unless, *(equals(constraint.cells[0], value) for (value,) in sorted(within))))
        return
    for here, there in ((0, 1), (1, 0)):
        partners: dict[int, list[int]] = {value: [] for value in domains[here]}
        for row in sorted(within):
            partners[row[here]].append(row[there])
        for value, others in partners.items():
            if len(others) < len(domains[there]):
                clauses.add(
                    *unless,
                    -equals(constraint.cells[here], value),
                    *(equals(constraint.cells[there], other) for other in others),
                )


def _combinations(
    constraint: Linear, distinct: Sequence[AllDifferent], values: Sequence[int]
) -> list[frozenset[int]] | None:
    """The sets of values of cells that one of `distinct` holds; None if there is none, or the sets are too many."""
    cells = set(constraint.cells)
    if set(constraint.coefficients) != {1} or not any(cells.issubset(other.cells) for other in distinct):
        return None
    sets: list[frozenset[int]] = []
    for chosen in _sums(sorted(values), len(cells), constraint.total):
        sets.append(frozenset(chosen))
        if len(sets) > MAX_COMBINATIONS:
            return None
    return sets


def _sums(values: list[int], count: int, total: int) -> Iterator[tuple[int, ...]]:
    """`count` different values, ascending, that add up to `total`."""
    if count == 0:
        if total == 0:
            yield ()
        return
    for index, value in enumerate(values):
        later = values[index + 1 :]
        least, most = sum(later[: count - 1]), sum(later[len(later) - count + 1 :]) if count > 1 else 0
        if len(later) < count - 1 or value + least > total:
            return
        if value + most >= total:
            for rest in _sums(later, count - 1, total - value):
                yield (value, *rest)


WRITERS: dict[type[Constraint], Callable[[Clauses, Any, CellLiterals], None]] = {
    AllDifferent: _all_different,
    Linear: _linear,
    Table: _layered,
    Automaton: _layered,
}
