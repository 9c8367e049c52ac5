"""The formula that a certificate is about, written as plainly as can be, by nothing that writes clauses elsewhere.

docs/certificates.md says clause by clause what stands here, and why it is true of every solution.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain, combinations, count, product
from math import comb
from operator import or_

import numpy as np

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear, Table
from satdoku.limits import check_time
from satdoku.proofs.drup import Numbers, lines
from satdoku.puzzle import Board, Puzzle, members, only

ENCODING = "exactly one, direct, support"  # what `rules` write, in the words of a manifest
MAX_FORMULA = 5_000_000  # clauses
MAX_STATES = 2_000  # that a sum or an automaton may have between two of its cells
MAX_APART = 100  # states of which clauses say that there is one at most, which follows from the values of the cells
MAX_SETS = 5_000  # sets of values among which those with the total of a cage are looked for


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses that some grids satisfy, as integers with 0 behind each clause."""

    variables: int
    cells: int  # the cells, auxiliary ones last; cell and value have the variable cell * values + value
    values: int
    rules: Numbers  # the clauses of cells and AllDifferents, one array for all boards with these
    own: Numbers  # the others

    def __len__(self) -> int:
        return int((self.rules == 0).sum() + (self.own == 0).sum())

    def __iter__(self) -> Iterator[list[int]]:
        for part in (self.rules, self.own):
            begin, literals = 0, part.tolist()
            for end in np.flatnonzero(part == 0).tolist():
                yield literals[begin:end]
                begin = end + 1

    def text(self) -> str:
        return f"p cnf {self.variables} {len(self)}\n{lines(self.rules)}{lines(self.own)}"


@lru_cache(maxsize=4)
def formula(puzzle: Puzzle, *grids: Grid, values: bool = False) -> Formula:
    """What the grids of `puzzle` satisfy, `grids` left out: no other grid satisfies it.

    values: leave out all grids without a value that none of `grids` has in its cell
    """
    rules, others, (variables, cells, size) = _of_board(puzzle.board)
    if values:
        seen = [reduce(or_, (1 << grid[cell] for grid in grids), 0) for cell in range(puzzle.board.cells)]
        never = ((cell, value) for cell, some in enumerate(seen) for value in members(puzzle.board.every_value & ~some))
        last = [[cell * size + value for cell, value in never]]
    else:
        last = [[-(cell * size + value) for cell, value in enumerate(grid)] for grid in grids]
    return Formula(variables, cells, size, rules, np.concatenate([others, _flat(chain(givens(puzzle, size), last))]))


@lru_cache(maxsize=4)
def _of_board(board: Board) -> tuple[Numbers, Numbers, tuple[int, int, int]]:
    """The clauses of cells and houses, those of the other constraints, and how many variables, cells and values."""
    size = board.largest_value
    domains = board.domains
    variables, houses, parts = len(domains) * size, [], [np.zeros(0, np.int32)]
    for constraint, shape in zip(board.constraints, _shapes(board), strict=True):
        check_time()
        if isinstance(constraint, AllDifferent) and len(shape.domains) == reduce(or_, shape.domains, 0).bit_count():
            houses.append(constraint.cells)
            continue
        clauses, new = _numbered(shape, size)
        # What each number of the clauses stands for on this board.
        stands = [cell * size + value for cell in constraint.cells for value in range(1, size + 1)]
        names = np.array([0, *stands, *range(variables + 1, variables + new + 1)], np.int32)
        parts.append(np.sign(clauses) * names[np.abs(clauses)])
        variables += new
    return _rules(size, domains, tuple(houses)), np.concatenate(parts), (variables, len(domains), size)


@dataclass(frozen=True, slots=True)
class ConstraintShape:
    """A constraint of the cells 0, 1, ... without a name, their domains, and whether it is the sum of a cage."""

    constraint: Constraint
    domains: tuple[int, ...]
    cage: bool


@lru_cache(maxsize=4)
def _shapes(board: Board) -> tuple[ConstraintShape, ...]:
    """Of the constraints. A cage is a sum of cells that differ, of values of which not too many sets are looked at."""
    differing, shapes = [set(each.cells) for each in board.constraints if isinstance(each, AllDifferent)], []
    for each in board.constraints:
        domains = tuple(board.domains[cell] for cell in each.cells)
        cage = isinstance(each, Linear) and len(set(each.coefficients)) == 1
        cage = cage and any(cells.issuperset(each.cells) for cells in differing)
        cage = cage and comb(reduce(or_, domains).bit_count(), len(domains)) <= MAX_SETS
        shapes.append(ConstraintShape(replace(each, cells=tuple(range(len(domains))), name=""), domains, cage))
    return tuple(shapes)


@lru_cache(maxsize=256)
def _numbered(shape: ConstraintShape, size: int) -> tuple[Numbers, int]:
    """The clauses of a constraint, whose variables others follow those of its cells; how many others."""
    domains, new = shape.domains, count(len(shape.domains) * size + 1)
    match shape.constraint:
        case AllDifferent() as constraint:
            clauses = _all_different(size, constraint.cells, domains)
        case (Table() | Linear()) as constraint if len(domains) == 2:
            clauses = _pair(constraint, domains, size)
        case Table() as constraint:
            clauses = _table(constraint, domains, size, new)
        case Linear() as constraint if shape.cage:
            clauses = _cage(constraint, domains, size, new)
        case (Linear() | Automaton()) as constraint:
            clauses = _layers(Layers.of(constraint, domains), size, new)
    return _flat(clauses), next(new) - len(domains) * size - 1


def _all_different(size: int, cells: Sequence[int], domains: Sequence[int]) -> Iterator[list[int]]:
    """No value twice; each value, where there are as many cells as values."""
    every = tuple(members(reduce(or_, domains, 0)))
    for value in every:
        variables = [cell * size + value for cell, own in zip(cells, domains, strict=True) if own >> value & 1]
        yield from _one_of(variables) if len(cells) == len(every) else _no_two_of(variables)


def _pair(constraint: Table | Linear, domains: Sequence[int], size: int) -> Iterator[list[int]]:
    """With each value of either cell goes one of those of the other with which the constraint holds."""
    one, other = map(tuple, map(members, domains))
    for value in one:
        yield [-value, *(size + with_it for with_it in other if constraint.holds((value, with_it)))]
    for value in other:
        yield [-(size + value), *(with_it for with_it in one if constraint.holds((with_it, value)))]


def _table(constraint: Table, domains: Sequence[int], size: int, new: Iterator[int]) -> Iterator[list[int]]:
    """A variable for each tuple, of which one is taken; each value of a cell is that of one of them."""
    if len(domains) == 1:
        yield from ([-value] for value in members(domains[0]) if (value,) not in constraint.tuples)
        return
    fits = (row for row in constraint.tuples if all(a >> v & 1 for a, v in zip(domains, row, strict=True) if v >= 0))
    taken = {row: next(new) for row in sorted(row for row in fits if min(row, default=0) >= 0)}
    yield list(taken.values())
    having = {(cell, value): list[int]() for cell, domain in enumerate(domains) for value in members(domain)}
    for row, variable in taken.items():
        for cell, value in enumerate(row):
            yield [-variable, cell * size + value]
            having[cell, value].append(variable)
    yield from ([-(cell * size + value), *some] for (cell, value), some in having.items())


def _cage(constraint: Linear, domains: Sequence[int], size: int, new: Iterator[int]) -> Iterator[list[int]]:
    """A variable for each set of values with the total: one of them is taken, and its values are those of the cells."""
    every, weight = members(reduce(or_, domains)), constraint.coefficients[0]
    sets = {some: next(new) for some in combinations(every, len(domains)) if weight * sum(some) == constraint.total}
    yield list(sets.values())
    for some, taken in sets.items():
        for value in some:
            yield [-taken, *(cell * size + value for cell, domain in enumerate(domains) if domain >> value & 1)]
    for cell, domain in enumerate(domains):
        for value in members(domain):
            variable = cell * size + value
            yield [-variable, *(taken for some, taken in sets.items() if value in some)]
            yield from ([-taken, -variable] for some, taken in sets.items() if value not in some)


@dataclass(frozen=True, slots=True)
class Layers:
    """A sum or an automaton in layers: what reading its cells one by one may come to, if it is to end well.

    states: after none of the cells, after one, ... those that can be reached and that can still end well
    steps:  for each cell (state, value) -> the state that follows, where that is one of these
    values: of each cell
    """

    states: tuple[tuple[int, ...], ...]
    steps: tuple[dict[tuple[int, int], int], ...]
    values: tuple[Sequence[int], ...]

    @staticmethod
    @lru_cache(maxsize=64)
    def of(constraint: Linear | Automaton, domains: tuple[int, ...]) -> "Layers":
        """The state of a sum is the sum so far. Raises OverflowError for over MAX_STATES of them."""
        values = tuple(map(tuple, map(members, domains)))
        if isinstance(constraint, Linear):
            begin, ends, known = 0, {constraint.total}, None
            weights = constraint.coefficients
        else:
            begin, ends, known = constraint.start, set(constraint.accepting), constraint.step()
            weights = (0,) * len(values)
        reached, steps = [{begin}], list[dict[tuple[int, int], int]]()
        for weight, each in zip(weights, values, strict=True):
            if len(reached[-1]) > MAX_STATES:
                raise OverflowError
            pairs = product(sorted(reached[-1]), each)
            if known is None:
                steps.append({(state, value): state + weight * value for state, value in pairs})
            else:
                steps.append({pair: known[pair] for pair in pairs if pair in known})
            reached.append(set(steps[-1].values()))
        live = [reached[-1] & ends]
        for place in reversed(range(len(steps))):
            steps[place] = {pair: state for pair, state in steps[place].items() if state in live[0]}
            live.insert(0, {state for state, _ in steps[place]})
        return Layers(tuple(tuple(sorted(states)) for states in live), tuple(steps), values)

    @property
    def clauses(self) -> int:
        """About how many clauses it takes."""
        steps = sum(len(some) * (len(each) + 2) for some, each in zip(self.states, self.values, strict=False))
        return steps + sum(comb(len(some), 2) for some in self.states if len(some) <= MAX_APART)


def _layers(layers: Layers, size: int, new: Iterator[int]) -> Iterator[list[int]]:
    """A variable for each state after each cell; before the first cell it is the first state, without a variable."""
    if not layers.states[0]:
        yield []
        return
    before = dict.fromkeys(layers.states[0], 0)
    for cell, (states, step, values) in enumerate(zip(layers.states[1:], layers.steps, layers.values, strict=True)):
        after = {state: next(new) for state in states}
        yield from _one_of([*after.values()]) if len(after) <= MAX_APART else [[*after.values()]]
        for state, value in product(before, values):
            leads = step.get((state, value))
            assumed = [-(cell * size + value), *([-before[state]] if before[state] else [])]
            yield assumed if leads is None else [*assumed, after[leads]]
        for state in states:
            into = [pair for pair, leads in step.items() if leads == state]
            yield [-after[state], *(cell * size + value for value in sorted({value for _, value in into}))]
            if all(before.values()):
                yield [-after[state], *sorted({before[origin] for origin, _ in into})]
        before = after


def givens(puzzle: Puzzle, size: int) -> Iterator[list[int]]:
    """The value of each cell that has one; of each other cell, the values that it has not."""
    for cell, allowed in enumerate(puzzle.candidates):
        if only(allowed):
            yield [cell * size + only(allowed)]
        elif allowed != puzzle.board.every_value:
            yield from ([-(cell * size + value)] for value in members(puzzle.board.every_value & ~allowed))


def _one_of(variables: list[int]) -> Iterator[list[int]]:
    yield variables
    yield from _no_two_of(variables)


def _no_two_of(variables: list[int]) -> Iterator[list[int]]:
    return ([-one, -other] for one, other in combinations(variables, 2))


@lru_cache(maxsize=64)
def refusal(board: Board) -> str | None:
    """Why there is no certificate for puzzles of this board, for people; None if there is."""
    clauses = board.cells * comb(board.values, 2)
    for constraint, shape in zip(board.constraints, _shapes(board), strict=True):
        check_time()
        match shape.constraint:
            case AllDifferent():
                clauses += board.values * comb(len(shape.domains), 2)
            case Table() as table:
                clauses += (len(table.tuples) + board.values) * (len(shape.domains) + 1)
            case Linear() if shape.cage or len(shape.domains) == 2:
                clauses += int((_numbered(shape, board.values)[0] == 0).sum())
            case (Linear() | Automaton()) as read:
                try:
                    clauses += Layers.of(read, shape.domains).clauses
                except OverflowError:
                    return f"{constraint.name} takes over {MAX_STATES} sums or states, and certificates have up to that"
        if clauses > MAX_FORMULA:
            return f"over {MAX_FORMULA / 1e6:.0f} million clauses, and certificates have up to that"
    return None


@lru_cache(maxsize=4)
def _rules(size: int, domains: tuple[int, ...], houses: tuple[tuple[int, ...], ...]) -> Numbers:
    """Each cell has one value of its domain, and each value is once in a house."""
    clauses: list[list[int]] = []
    for cell, domain in enumerate(domains):
        clauses += _one_of([cell * size + value for value in members(domain)])
        clauses += ([-(cell * size + value)] for value in range(1, size + 1) if not domain >> value & 1)
    parts = [_flat(clauses)]
    for cells in houses:
        check_time()
        parts.append(_flat(_all_different(size, cells, [domains[cell] for cell in cells])))
    return np.concatenate(parts)


def _flat(clauses: Iterable[list[int]]) -> Numbers:
    return np.fromiter((literal for clause in clauses for literal in (*clause, 0)), np.int32)
