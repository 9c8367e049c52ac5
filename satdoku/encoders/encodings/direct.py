"""Direct encodings: one variable for each cell and value; they differ in the redundant clauses they state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, partial
from math import comb
from operator import sub
from typing import TYPE_CHECKING, cast

from satdoku.constraints import Grid
from satdoku.deferred import Deferred
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.clauses import Clauses, LiteralRows, contradiction
from satdoku.encoders.cnf import Encoding, EncodingTask, Variables
from satdoku.encoders.encodings.conjunctions import Conjunctions, not_one_value
from satdoku.encoders.houses import by_length, cells_by_width, peer_pairs
from satdoku.errors import BackendError
from satdoku.puzzle import Board

if TYPE_CHECKING:
    import numpy as np
else:
    np = Deferred("numpy")


class Direct:
    """How cells are written where variable cell * N + value says cell = value: `Variables` without a table.

    Parameters:
        board: the board, whose grid cells have the first variables.

    Example:
        >>> import satdoku
        >>> variables = Direct(satdoku.board(size=4))
        >>> variables.literals(2, 3), variables.equals(2, 3)
        ((11,), 11)
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._size = board.values
        self._before = range(0, board.cells * board.values, board.values)

    def literals(self, cell: int, value: int) -> tuple[int, ...]:
        return (cell * self._size + value,)

    def values(self, cell: int) -> range:
        return range(1, self._size + 1)

    def equals(self, cell: int, value: int) -> int:
        return cell * self._size + value

    @cached_property
    def _all(self) -> frozenset[int]:
        return frozenset(range(1, self._board.cells * self._size + 1))

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        true = sorted(self._all.intersection(model))
        values = tuple(map(sub, true, self._before))
        if len(true) != self._board.cells or min(values) < 1 or max(values) > self._size:
            raise self._wrong(true)
        return values, true

    def _wrong(self, true: list[int]) -> BackendError:
        held = [[literal - before for literal in true if 0 < literal - before <= self._size] for before in self._before]
        cell = next(cell for cell, values in enumerate(held) if len(values) != 1)
        return not_one_value(self._board, cell, held[cell])


def _variables(task: EncodingTask) -> tuple[LiteralRows, Variables]:
    """For each cell the variables of its values, 0 where it is decided."""
    board, known = task.board, task.known
    if known.nothing:
        return task.clauses.new_rows(board.cells, board.values), Direct(board)
    is_value = np.zeros(known.open.shape, dtype=np.int32)
    is_value[known.open] = task.clauses.new_array(int(known.open.sum()))
    if known.contradictory:
        contradiction(task.clauses)
    variables = Conjunctions(board, task.clauses, is_value[:, :, None], known.open | known.true)
    return cast(LiteralRows, is_value.tolist()), variables


def _at_least_one(clauses: Clauses, groups: Iterable[Sequence[int]], satisfied: Iterable[bool]) -> None:
    for rows in by_length(group for group, true in zip(groups, satisfied, strict=True) if not true):
        if rows[0]:
            clauses.extend(rows)
        else:
            contradiction(clauses)


def _at_most_one(task: EncodingTask, groups: Iterable[Sequence[int]]) -> None:
    for rows in by_length(groups):
        task.at_most_one(task.clauses, rows if task.at_most_one is pairwise else np.array(rows, dtype=np.int32))


def _write(
    task: EncodingTask, cells_at_most_one: bool, houses_at_least_one: bool, pairs_once: bool = False
) -> Variables:
    board, known = task.board, task.known
    is_value, variables = _variables(task)
    true = [[False] * board.values] * board.cells if known.nothing else known.true.tolist()
    _at_least_one(task.clauses, is_value, map(any, true))
    _at_most_one(task, is_value if cells_at_most_one else [is_value[cell] for cell in _in_no_house(board)])
    for width, constraints in cells_by_width(board).items():
        # for each constraint and value, that value in each cell
        groups = [group for cells in constraints for group in zip(*(is_value[cell] for cell in cells), strict=True)]
        if houses_at_least_one and width == board.values:
            given = (any(row) for cells in constraints for row in zip(*(true[cell] for cell in cells), strict=True))
            _at_least_one(task.clauses, groups, given)
        if not pairs_once:
            _at_most_one(task, groups)
    if pairs_once:
        # each two cells that differ and each value, however many constraints say so
        every = (pair for one, other in peer_pairs(board) for pair in zip(is_value[one], is_value[other], strict=True))
        pairwise(task.clauses, [list(pair) for pair in every if all(pair)])
    return variables


def _in_no_house(board: Board) -> list[int]:
    """Cells that no full house covers: elsewhere N cells share N values, so one value each follows."""
    covered = {cell for house in board.houses for cell in house.cells}
    return [cell for cell in range(board.cells) if cell not in covered]


def _sizes(formula: Callable[[int, int], int]) -> Callable[[int, int], tuple[int, int]]:
    """(N^3, formula of N and P) as a function of the box."""
    return lambda bh, bw: ((bh * bw) ** 3, formula(bh * bw, comb(bh * bw, 2)))


def _once_size(bh: int, bw: int) -> tuple[int, int]:
    n = bh * bw
    repeated = n * n * (bh * comb(bw, 2) + bw * comb(bh, 2))
    return n**3, 4 * n * n * (1 + comb(n, 2)) - repeated


ENCODINGS = (
    Encoding(
        name="minimal",
        summary="each cell has a value, no house has one twice",
        paper="Lynce and Ouaknine, Sudoku as a SAT Problem, 2006",
        formula="N^3, N^2(1+3P)",
        size=_sizes(lambda n, p: n * n * (1 + 3 * p)),
        write=partial(_write, cells_at_most_one=False, houses_at_least_one=False),
        methods=True,
        reducible=True,
    ),
    Encoding(
        name="efficient",
        summary="minimal, and no cell has two values",
        paper="Weber, A SAT-based Sudoku Solver, 2005",
        formula="N^3, N^2(1+4P)",
        size=_sizes(lambda n, p: n * n * (1 + 4 * p)),
        write=partial(_write, cells_at_most_one=True, houses_at_least_one=False),
        methods=True,
        reducible=True,
    ),
    Encoding(
        name="extended",
        summary="exactly one everywhere: efficient, and each house has every value",
        paper="Lynce and Ouaknine, Sudoku as a SAT Problem, 2006",
        formula="N^3, 4N^2(1+P)",
        size=_sizes(lambda n, p: 4 * n * n * (1 + p)),
        write=partial(_write, cells_at_most_one=True, houses_at_least_one=True),
        methods=True,
        reducible=True,
    ),
    Encoding(
        name="extended-once",
        summary="extended, with each pair of cells that differ stated once",
        paper="Lynce and Ouaknine, Sudoku as a SAT Problem, 2006; repeated pairs left out",
        formula="N^3, 4N^2(1+P) - N^2(bh C(bw,2) + bw C(bh,2))",
        size=_once_size,
        write=partial(_write, cells_at_most_one=True, houses_at_least_one=True, pairs_once=True),
        reducible=True,
    ),
)
