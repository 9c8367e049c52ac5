"""The textbook search in plain Python: depth first over the values that are still permitted.

The cell with the fewest candidates comes next, where a value that has one place left in a house is its cell's only
candidate; or the next cell in row order (`backtrack:row`), which takes millions of nodes on hard puzzles.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from operator import and_
from sys import maxsize

from satdoku.backends import Engine
from satdoku.backends.depth_first import Assumptions, depth_first
from satdoku.backends.plain import Nodes, PythonBackend, too_many_peers
from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table, repeats
from satdoku.errors import Refused
from satdoku.limits import check_time
from satdoku.puzzle import Board, Puzzle, members, only

FEWEST, ROW = "fewest", "row"


Possible = Callable[[list[int], list[int]], bool]  # (grid, candidates) -> whether the constraint can still hold


class ConstraintsByCell:
    """A board's constraints by cell: its peers, and the constraints that are not AllDifferents."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.houses = [house.cells for house in board.houses]
        self.peers = board.peers
        self.others: list[list[Possible]] = [[] for _ in range(board.cells + len(board.auxiliary))]
        self.impossible = False
        for constraint in dict.fromkeys(board.others):
            possible = possibility(constraint)
            for cell in set(constraint.cells):
                self.others[cell].append(possible)
            if not constraint.cells and not possible([], []):
                self.impossible = True


class _State:
    """One search: the candidates of each cell, the grid so far (0 = open), and how to undo."""

    def __init__(self, structure: ConstraintsByCell, puzzle: Puzzle) -> None:
        cells = len(puzzle.domains)
        self.grid = [0] * cells
        self.grid_complete = False
        self._structure = structure
        self._allowed = list(puzzle.domains)
        self._open = set(range(puzzle.board.cells))
        self._hidden = set(range(puzzle.board.cells, cells))

    def place_givens(self) -> bool:
        if self._structure.impossible or not all(self._allowed):
            return False
        givens = [(cell, only(allowed)) for cell, allowed in enumerate(self._allowed) if only(allowed)]
        return all(self._allowed[cell] >> value & 1 and self._place(cell, value, []) for cell, value in givens)

    def by_fewest(self) -> Assumptions | None:
        """The open cell with the fewest candidates, a value's only place in a house among them."""
        cell = self._narrowest()
        if cell is None:
            return None
        if not only(self._allowed[cell]):
            hidden = self._hidden_single()
            if hidden is not None:
                return self._values(*hidden)
        return self._values(cell, self._allowed[cell])

    def by_row(self) -> Assumptions | None:
        cell = min(self._open or self._hidden, default=None)
        return None if cell is None else self._values(cell, self._allowed[cell])

    def _narrowest(self) -> int | None:
        """An open cell with the fewest candidates, auxiliary cells last; None if no cell is open."""
        best, fewest = None, maxsize
        for cell in self._open or self._hidden:
            count = self._allowed[cell].bit_count()
            if count < fewest:
                best, fewest = cell, count
                if count == 1:
                    break
        return best

    def _hidden_single(self) -> tuple[int, int] | None:
        """A cell that alone in a house can take a value, and that value as a set; no value if none can."""
        every = self._structure.board.every_value
        for house in self._structure.houses:
            once = twice = placed = 0
            for cell in house:
                if self.grid[cell]:
                    placed |= 1 << self.grid[cell]
                else:
                    twice |= once & self._allowed[cell]
                    once |= self._allowed[cell]
            if once | placed != every:
                return house[0], 0
            single = once & ~twice
            if single:
                value = single & -single
                return next(cell for cell in house if not self.grid[cell] and self._allowed[cell] & value), value
        return None

    def _values(self, cell: int, among: int) -> Assumptions:
        hidden = cell >= len(self._structure.peers)
        for value in members(among):
            struck: list[int] = []
            yield self._place(cell, value, struck)
            for peer in struck:
                self._allowed[peer] |= 1 << value
            self.grid[cell] = 0
            (self._hidden if hidden else self._open).add(cell)
            if hidden and self.grid_complete:
                return  # one way to fill the auxiliary cells is enough
            self.grid_complete = False

    def _place(self, cell: int, value: int, struck: list[int]) -> bool:
        """Place a value and note which peers lose it; False if some cell or constraint has no way on."""
        check_time()
        allowed, bit = self._allowed, 1 << value
        self.grid[cell] = value
        self._open.discard(cell)
        self._hidden.discard(cell)
        for peer in self._structure.peers[cell] if cell < len(self._structure.peers) else ():
            if allowed[peer] & bit:
                if self.grid[peer] == 0:
                    allowed[peer] ^= bit
                    struck.append(peer)
                    if not allowed[peer]:
                        return False
                elif self.grid[peer] == value:
                    return False
        return all(possible(self.grid, allowed) for possible in self._structure.others[cell])


def possibility(constraint: Constraint) -> Possible:
    match constraint:
        case Linear():
            return lambda grid, allowed: _sum_possible(constraint, grid, allowed)
        case Table():
            rows = _rows(constraint.tuples)
            return lambda grid, allowed: _row_possible(constraint, rows, grid, allowed)
        case Automaton():
            leaving: dict[int, list[tuple[int, int]]] = {}
            for state, value, target in constraint.transitions:
                leaving.setdefault(state, []).append((value, target))
            return lambda grid, allowed: _word_possible(constraint, leaving, grid, allowed)
        case AllDifferent():  # over auxiliary cells; others are kept by the peers
            return lambda grid, allowed: next(repeats(constraint.cells, grid), None) is None


def _sum_possible(constraint: Linear, grid: list[int], allowed: list[int]) -> bool:
    low = high = 0
    for cell, coefficient in zip(constraint.cells, constraint.coefficients, strict=True):
        least = most = grid[cell]
        if not least:
            mask = allowed[cell]
            least, most = (mask & -mask).bit_length() - 1, mask.bit_length() - 1
        if coefficient < 0:
            least, most = most, least
        low += coefficient * least
        high += coefficient * most
    return low <= constraint.total <= high


@lru_cache(maxsize=8)  # constraints that follow each other often share one
def _rows(tuples: frozenset[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The rows of a table, each value as a set."""
    bits = {value: 1 << value for row in tuples for value in row if value > 0}
    return [tuple(map(bits.__getitem__, row)) for row in tuples if min(row, default=1) > 0]


def _row_possible(constraint: Table, rows: list[tuple[int, ...]], grid: list[int], allowed: list[int]) -> bool:
    left = [1 << grid[cell] if grid[cell] else allowed[cell] for cell in constraint.cells]
    return any(all(map(and_, left, row)) for row in rows)


def _word_possible(
    constraint: Automaton, leaving: dict[int, list[tuple[int, int]]], grid: list[int], allowed: list[int]
) -> bool:
    states = {constraint.start}
    for cell in constraint.cells:
        mask = 1 << grid[cell] if grid[cell] else allowed[cell]
        states = {
            target for state in states for value, target in leaving.get(state, ()) if value >= 0 and mask >> value & 1
        }
        if not states:
            return False
    return not states.isdisjoint(constraint.accepting)


def nodes(structure: ConstraintsByCell, puzzle: Puzzle, order: str = FEWEST) -> Nodes:
    """The search: each value tried is a node."""
    state = _State(structure, puzzle)
    if state.place_givens():
        for decided in depth_first(state.by_row if order == ROW else state.by_fewest):
            if decided:
                state.grid_complete = True
            yield tuple(state.grid[: puzzle.board.cells]) if decided else None


def backtrack(order: str = FEWEST) -> PythonBackend[ConstraintsByCell]:
    """The backend; `order` is FEWEST or ROW."""
    return PythonBackend(ConstraintsByCell, partial(nodes, order=order), too_many_peers)


def _open(argument: str | None, encoding: str | None) -> PythonBackend[ConstraintsByCell]:
    if argument not in (None, FEWEST, ROW):
        raise Refused(f"backtrack:{argument}: expected backtrack:{FEWEST} or backtrack:{ROW}")
    return backtrack(argument or FEWEST)


ENGINES = (
    Engine(
        name="backtrack",
        summary="depth-first search in plain Python",
        open=_open,
        argument="fewest (default) or row: which cell comes next",
        abilities=("all four constraints",),
    ),
)
