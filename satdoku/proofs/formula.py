"""The formula that a certificate is about, written as plainly as can be, by nothing that writes clauses elsewhere.

docs/certificates.md says clause by clause what stands here, and why it is true of every solution.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain, combinations, count, product
from math import comb
from operator import or_

import numpy as np

from satdoku.constraints import AllDifferent, Automaton, Grid, Linear, Table
from satdoku.proofs.drup import Numbers, lines
from satdoku.puzzle import Board, Puzzle, members, only

ENCODING = "exactly one, direct, pairwise"  # what `rules` write, in the words of a manifest
MAX_CLAUSES = 5_000_000
MAX_STATES = 2_000  # that a sum or an automaton may have between two of its cells


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
            begin = 0
            for end in np.flatnonzero(part == 0).tolist():
                yield part[begin:end].tolist()
                begin = end + 1

    def text(self) -> str:
        return f"p cnf {self.variables} {len(self)}\n{lines(self.rules)}{lines(self.own)}"


@lru_cache(maxsize=4)
def formula(puzzle: Puzzle, grid: Grid | None = None) -> Formula:
    """What the grids of `puzzle` satisfy, `grid` left out: no other grid satisfies it."""
    board = puzzle.board
    size, cells = _width(board), board.cells + len(board.auxiliary)
    differs = [[-(cell * size + value) for cell, value in enumerate(grid or ())]]  # some cell has another value
    own = _flat(chain(others(board), givens(puzzle), [] if grid is None else differs))
    different = tuple(constraint.cells for constraint in board.constraints if isinstance(constraint, AllDifferent))
    rules = _rules(size, tuple(map(board.domain, range(cells))), different)
    return Formula(max(cells * size, int(np.abs(own).max(initial=0))), cells, size, rules, own)


def plain(size: int, domains: Sequence[int], different: Iterable[Sequence[int]]) -> Iterator[list[int]]:
    """Each cell has one value of its domain, and groups of cells hold different ones.

    Variable cell * N + value says that the cell has the value; cells count from 0, values from 1.
    """
    for cell, domain in enumerate(domains):
        values = tuple(members(domain))
        yield from _one_of([cell * size + value for value in values])
        yield from ([-(cell * size + value)] for value in range(1, size + 1) if value not in values)
    for cells in different:
        yield from _all_different(size, cells, [domains[cell] for cell in cells])


def others(board: Board) -> Iterator[list[int]]:
    """The other constraints hold. Their variables are numbered after those of all cells, constraint by constraint."""
    size = _width(board)
    new = count((board.cells + len(board.auxiliary)) * size + 1)
    for constraint in board.constraints:
        match constraint:
            case Table():
                yield from _table(board, constraint, size, new)
            case Linear() | Automaton():
                yield from _run(Run.of(board, constraint), constraint.cells, size, new)


def _all_different(size: int, cells: Sequence[int], domains: Sequence[int]) -> Iterator[list[int]]:
    """No value twice; each value, where there are as many cells as values."""
    every = tuple(members(reduce(or_, domains, 0)))
    for value in every:
        variables = [cell * size + value for cell, own in zip(cells, domains, strict=True) if own >> value & 1]
        yield from _one_of(variables) if len(cells) == len(every) else _no_two_of(variables)


def _table(board: Board, constraint: Table, size: int, new: Iterator[int]) -> Iterator[list[int]]:
    """Of one or two cells, the values that are not in it; of more, a variable for each tuple, of which one is taken."""
    cells = constraint.cells
    if len(cells) <= 2:
        for values in product(*(members(board.domain(cell)) for cell in cells)):
            if values not in constraint.tuples:
                yield [-(cell * size + value) for cell, value in zip(cells, values, strict=True)]
        return
    rows = _rows(board, constraint)
    taken = [next(new) for _ in rows]
    yield taken
    for variable, row in zip(taken, rows, strict=True):
        yield from ([-variable, cell * size + value] for cell, value in zip(cells, row, strict=True))


def _rows(board: Board, constraint: Table) -> list[tuple[int, ...]]:
    """The tuples that the cells may have, in order."""
    allowed = [board.domain(cell) for cell in constraint.cells]
    fits = (row for row in constraint.tuples if all(a >> v & 1 for a, v in zip(allowed, row, strict=True) if v >= 0))
    return sorted(row for row in fits if min(row) >= 0)


@dataclass(frozen=True, slots=True)
class Run:
    """What reading the cells of a sum or an automaton one by one may come to, if it is to end well.

    states: after none of the cells, after one, ... those that can be reached and that can still end well
    steps:  for each cell (state, value) -> the state that follows, where that is one of these
    values: of each cell
    """

    states: tuple[tuple[int, ...], ...]
    steps: tuple[dict[tuple[int, int], int], ...]
    values: tuple[Sequence[int], ...]

    @classmethod
    def of(cls, board: Board, constraint: Linear | Automaton) -> "Run":
        """The state of a sum is the sum so far. Raises OverflowError for over MAX_STATES of them."""
        values = tuple(tuple(members(board.domain(cell))) for cell in constraint.cells)
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
        return cls(tuple(tuple(sorted(states)) for states in live), tuple(steps), values)

    @property
    def clauses(self) -> int:
        """About how many clauses it takes."""
        states = sum(len(some) * (len(each) + 2) for some, each in zip(self.states, self.values, strict=False))
        return states + sum(comb(len(some), 2) for some in self.states)


def _run(run: Run, cells: Sequence[int], size: int, new: Iterator[int]) -> Iterator[list[int]]:
    """A variable for each state after each cell; before the first cell it is the first state, without a variable."""
    if not run.states[0]:
        yield []
        return
    before = dict.fromkeys(run.states[0], 0)
    for cell, states, step, values in zip(cells, run.states[1:], run.steps, run.values, strict=True):
        after = {state: next(new) for state in states}
        yield from _one_of(list(after.values()))
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


def givens(puzzle: Puzzle) -> Iterator[list[int]]:
    """The value of each cell that has one; of each other cell, the values that it has not."""
    size, every = _width(puzzle.board), puzzle.board.every_value
    for cell, allowed in enumerate(puzzle.candidates):
        if only(allowed):
            yield [cell * size + only(allowed)]
        elif allowed != every:
            yield from ([-(cell * size + value)] for value in members(every & ~allowed))


def _one_of(variables: list[int]) -> Iterator[list[int]]:
    yield variables
    yield from _no_two_of(variables)


def _no_two_of(variables: list[int]) -> Iterator[list[int]]:
    return ([-one, -other] for one, other in combinations(variables, 2))


def _width(board: Board) -> int:
    """The greatest value of a cell, auxiliary cells included."""
    return max(board.values, *(allowed.bit_length() - 1 for allowed in board.auxiliary), 0)


@lru_cache(maxsize=64)
def refusal(board: Board) -> str | None:
    """Why there is no certificate for puzzles of this board, for people; None if there is."""
    clauses = board.cells * comb(board.values, 2)
    for constraint in board.constraints:
        match constraint:
            case AllDifferent():
                clauses += board.values * comb(len(constraint.cells), 2)
            case Table():
                clauses += len(constraint.tuples) * (len(constraint.cells) + 1)
            case Linear() | Automaton():
                try:
                    clauses += Run.of(board, constraint).clauses
                except OverflowError:
                    return f"{constraint.name} takes over {MAX_STATES} sums or states, and certificates have up to that"
        if clauses > MAX_CLAUSES:
            return f"over {MAX_CLAUSES / 1e6:.0f} million clauses, and certificates have up to that"
    return None


@lru_cache(maxsize=4)
def _rules(size: int, domains: tuple[int, ...], different: tuple[tuple[int, ...], ...]) -> Numbers:
    return _flat(plain(size, domains, different))


def _flat(clauses: Iterable[list[int]]) -> Numbers:
    return np.fromiter((literal for clause in clauses for literal in (*clause, 0)), np.int32)
