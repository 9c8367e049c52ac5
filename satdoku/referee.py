"""The referee: whether a grid solves a puzzle, by its constraints alone.

It shares no code with what searches: encoders, backends and kernels do not import it, nor it them, so that a mistake of
theirs cannot hide here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import compress
from operator import not_
from typing import TYPE_CHECKING, TypeVar

from satdoku.constraints import AllDifferent, Constraint, Grid
from satdoku.errors import WrongAnswer
from satdoku.puzzle import Board, Puzzle, broken, members

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 2_000  # grids looked at together: small enough for the cache, large enough to hide numpy's calls
MAX_NAMES = 200  # characters of a list of constraints in a message
Values = TypeVar("Values", bound="np.unsignedinteger")


def violations(puzzle: Puzzle, grid: Grid) -> Iterator[str]:
    """Why `grid` does not solve `puzzle`, one sentence each; nothing if it does.

    >>> import satdoku
    >>> puzzle = satdoku.read("13....3131...213")
    >>> next(violations(puzzle, (1,) * 16))
    'r1c2 is 1, which the puzzle does not allow there'
    """
    board = puzzle.board
    if len(grid) != board.cells:
        yield f"the grid has {len(grid)} cells, the board {board.cells}"
        return
    outside = [cell for cell, value in enumerate(grid) if not 1 <= value <= board.values]
    if outside:
        yield f"{board.label(outside[0])} is {board.shown(grid[outside[0]])}, not one of {board.size.span}"
        return
    for cell, (value, allowed) in enumerate(zip(grid, puzzle.candidates, strict=True)):
        if not allowed >> value & 1:
            yield f"{board.label(cell)} is {board.shown(value)}, which the puzzle does not allow there"
    visible, hidden = _by_cells(board)
    yield from broken(board, grid, visible)
    if not _hidden_hold(board, grid):
        names = ", ".join(dict.fromkeys(constraint.name for constraint in hidden))
        yield f"no values of auxiliary cells fit {names[:MAX_NAMES]}"


@lru_cache(maxsize=64)
def _by_cells(board: Board) -> tuple[tuple[Constraint, ...], tuple[Constraint, ...]]:
    """The constraints over grid cells alone, and those that name auxiliary cells."""
    named = [any(cell >= board.cells for cell in constraint.cells) for constraint in board.constraints]
    return tuple(compress(board.constraints, map(not_, named))), tuple(compress(board.constraints, named))


def _hidden_hold(board: Board, grid: Sequence[int]) -> bool:
    """Whether some values of the auxiliary cells satisfy the constraints that name them."""
    hidden = _by_cells(board)[1]
    domains = {cell: [*members(allowed)] for cell, allowed in enumerate(board.auxiliary, board.cells)}
    return _fillable(hidden, [*grid, *(0 for _ in board.auxiliary)], domains, hidden)


def _fillable(
    constraints: Sequence[Constraint], grid: list[int], left: dict[int, list[int]], todo: Iterable[Constraint]
) -> bool:
    """Whether the cells that are 0 can be filled with values that are `left` to them; `todo` is looked at first.

    A constraint that wants one more cell leaves it some values; then the cell with the fewest is tried.
    """
    pending = list(todo)
    while pending:
        constraint = pending.pop()
        wanting = {cell for cell in constraint.cells if not grid[cell]}
        if not wanting and not constraint.holds(grid):
            return False
        if len(wanting) == 1:
            (cell,) = wanting
            left[cell] = [value for value in left[cell] if constraint.holds(_with(grid, cell, value))]
            if not left[cell]:
                return False
            if len(left[cell]) == 1:
                grid[cell] = left[cell][0]
                pending += [other for other in constraints if cell in other.cells]
    cell = min((cell for cell in left if not grid[cell]), key=lambda cell: len(left[cell]), default=-1)
    after = [constraint for constraint in constraints if cell in constraint.cells]
    return cell < 0 or any(_fillable(constraints, _with(grid, cell, value), dict(left), after) for value in left[cell])


def _with(grid: list[int], cell: int, value: int) -> list[int]:
    return [*grid[:cell], value, *grid[cell + 1 :]]


def accept(puzzle: Puzzle, grid: Grid, engine: str, repeated: bool = False) -> Grid:
    """The grid itself, if it solves the puzzle; every grid that an engine finds goes through here.

    engine:   the backend that found it, for the message
    repeated: whether the same search has given this grid before, which is a fault too

    Raises WrongAnswer, which names the puzzle, the engine and the fault.
    """
    fault = next(violations(puzzle, grid), "it came twice" if repeated else None)
    if fault is not None:
        raise WrongAnswer(f"{puzzle.name}: backend {engine} gave a wrong grid: {fault}")
    return grid


def faulty(board: Board, givens: NDArray[Values], grids: NDArray[Values]) -> NDArray[np.bool_]:
    """Which of `grids` do not solve the puzzle beside them; both are (n, cells), 0 is empty. As `violations`."""
    import numpy as np

    if givens.shape != grids.shape or grids.ndim != 2 or grids.shape[1] != board.cells:
        raise ValueError(f"givens {givens.shape} and grids {grids.shape} should both be (n, {board.cells})")
    blocks = (slice(start, start + BLOCK) for start in range(0, len(grids), BLOCK))
    return np.concatenate([np.zeros(0, np.bool_), *(_faulty_block(board, givens[at], grids[at]) for at in blocks)])


def _faulty_block(board: Board, givens: NDArray[Values], grids: NDArray[Values]) -> NDArray[np.bool_]:
    import numpy as np

    bad = np.zeros(len(grids), dtype=np.bool_)
    # A row a cell, so that each step is over neighbours in memory.
    by_cell, given = np.ascontiguousarray(grids.T), np.ascontiguousarray(givens.T)
    bad |= ((by_cell < 1) | (by_cell > board.values)).any(axis=0)
    bad |= ((given != 0) & (given != by_cell)).any(axis=0)
    if board.values < 64:
        # One bit a value: a whole house folds into one word, as narrow as it may be.
        word = np.uint16 if board.values < 16 else np.uint32 if board.values < 32 else np.uint64
        bits = np.left_shift(word(1), np.minimum(by_cell, board.values).astype(word))
        for width, groups in _groups(board).items():
            for cells in groups:
                bad |= np.bitwise_count(np.bitwise_or.reduce(bits[cells], axis=0)) != width
    else:
        for groups in _groups(board).values():
            ordered = np.sort(grids[:, groups], axis=2)
            bad |= (ordered[:, :, 1:] == ordered[:, :, :-1]).any(axis=(1, 2))
    visible, hidden = _by_cells(board)
    others = [constraint for constraint in visible if not isinstance(constraint, AllDifferent)]
    if others or hidden:
        for row in np.flatnonzero(~bad):
            grid = grids[row].tolist()
            bad[row] = not (all(constraint.holds(grid) for constraint in others) and _hidden_hold(board, grid))
    return bad


@lru_cache(maxsize=64)
def _groups(board: Board) -> dict[int, NDArray[np.intp]]:
    """AllDifferents of grid cells by their number of cells: width -> (constraints, width) cells."""
    import numpy as np

    groups: dict[int, list[tuple[int, ...]]] = {}
    for constraint in _by_cells(board)[0]:
        if isinstance(constraint, AllDifferent) and len(constraint.cells) > 1:
            groups.setdefault(len(constraint.cells), []).append(constraint.cells)
    return {width: np.array(cells, dtype=np.intp) for width, cells in groups.items()}
