"""The referee: whether a grid solves a puzzle, by its constraints alone.

It shares no code with what searches: encoders, backends and kernels do not import it, nor it them, so that a mistake of
theirs cannot hide here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, product
from math import prod
from operator import index, not_
from typing import TYPE_CHECKING, TypeVar

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Table
from satdoku.errors import WrongAnswer, excerpt
from satdoku.puzzle import Board, Puzzle, broken, members, only_puzzle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BLOCK = 2_000  # grids looked at together: small enough for the cache, large enough to hide numpy's calls
MAX_WORDS = 16  # of a line that are tried one by one
MAX_NAMES = 200  # characters of a list of constraints in a message
_Step = Mapping[tuple[int, int], int]
_Check = tuple[Constraint, _Step, tuple[tuple[int, int], ...]]
"""A constraint, its steps if it is an automaton, and where it names which auxiliary cells."""
Values = TypeVar("Values", bound="np.unsignedinteger")


def violations(puzzle: Puzzle, grid: Grid) -> Iterator[str]:
    """Why `grid` does not solve `puzzle`, one sentence each; nothing if it does. Raises TypeError for another type of
    puzzle, and for a grid that is not whole numbers.

    >>> import satdoku
    >>> puzzle = satdoku.read("13....3131...213")
    >>> next(violations(puzzle, (1,) * 16))
    'r1c2 is 1, which the puzzle does not allow there'
    """
    only_puzzle(puzzle)
    try:
        yield from _violations(puzzle, grid)
    except TypeError:
        whole_numbers(grid)  # says what is wrong with the grid, if anything; it takes time that right ones do not cost
        raise


def _violations(puzzle: Puzzle, grid: Grid) -> Iterator[str]:
    board = puzzle.board
    if len(grid) != board.cells:
        grid = whole_numbers(grid)
        yield f"the grid has {len(grid)} cells, the board {board.cells}"
        return
    if not 1 <= min(grid) <= max(grid) <= board.values:
        outside = next(cell for cell, value in enumerate(grid) if not 1 <= value <= board.values)
        yield f"{board.label(outside)} is {board.shown(grid[outside])}, not one of {board.size.span}"
        return
    for cell, (value, allowed) in enumerate(zip(grid, puzzle.candidates, strict=True)):
        if not allowed >> value & 1:
            yield f"{board.label(cell)} is {board.shown(value)}, which the puzzle does not allow there"
    visible, hidden = _by_cells(board)
    yield from broken(board, grid, visible)
    if not _hidden_hold(board, grid):
        names = ", ".join(dict.fromkeys(constraint.name for constraint in hidden))
        yield f"no values of auxiliary cells fit {names[:MAX_NAMES]}"


def whole_numbers(grid: Grid) -> Grid:
    """The values as whole numbers; raises TypeError for anything else, a text of digits too."""
    try:
        return tuple(map(index, grid))
    except TypeError:
        what = f"grid is {excerpt(grid)}: expected whole numbers row by row, such as (1, 2, 3, 4, ...)"
        raise TypeError(what) from None


@lru_cache(maxsize=64)
def _by_cells(board: Board) -> tuple[tuple[Constraint, ...], tuple[Constraint, ...]]:
    """The constraints over grid cells alone, and those that name auxiliary cells."""
    named = [max(constraint.cells, default=0) >= board.cells for constraint in board.constraints]
    return tuple(compress(board.constraints, map(not_, named))), tuple(compress(board.constraints, named))


@lru_cache(maxsize=64)
def _hidden(board: Board) -> tuple[list[_Check], dict[int, list[int]]]:
    """The constraints that name auxiliary cells, and for each of these cells the numbers of those that name it and
    another, or it twice: what a constraint supports of a cell is exact where all others have their values."""
    checks: list[_Check] = []
    for constraint in _by_cells(board)[1]:
        step = constraint.step() if isinstance(constraint, Automaton) else {}
        hidden = tuple((place, cell) for place, cell in enumerate(constraint.cells) if cell >= board.cells)
        checks.append((constraint, step, hidden))
    naming: dict[int, list[int]] = {cell: [] for cell in range(board.cells, board.cells + len(board.auxiliary))}
    for number, (_, _, hidden) in enumerate(checks):
        for cell in {cell for _, cell in hidden} if len(hidden) > 1 else ():
            naming[cell].append(number)
    return checks, naming


def _hidden_hold(board: Board, grid: Sequence[int]) -> bool:
    """Whether some values of the auxiliary cells satisfy the constraints that name them."""
    checks, naming = _hidden(board)
    if not checks:
        return True
    left = [{value} for value in grid] + [set(members(allowed)) for allowed in board.auxiliary]
    return _fillable(checks, naming, left, range(len(checks)))


def _fillable(
    checks: Sequence[_Check], naming: Mapping[int, Sequence[int]], left: list[set[int]], todo: Iterable[int]
) -> bool:
    """Whether one of the values `left` to each cell can be chosen; the constraints `todo` are looked at first.

    Each takes away what it does not support until none takes any more; then the cell with the fewest values is tried.
    """
    pending = set(todo)
    while pending:
        constraint, step, hidden = checks[pending.pop()]
        supported = _supported(constraint, step, [left[cell] for cell in constraint.cells])
        if not all(supported):
            return False
        for place, cell in hidden:  # each other cell has its value alone
            if len(supported[place]) < len(left[cell]):
                left[cell] = left[cell] & supported[place]
                pending.update(naming[cell])
            if not left[cell]:
                return False
    cell = min((cell for cell in naming if len(left[cell]) > 1), key=lambda cell: len(left[cell]), default=-1)
    if cell < 0:
        return True
    return any(_fillable(checks, naming, _with(left, cell, value), naming[cell]) for value in sorted(left[cell]))


def _with(left: list[set[int]], cell: int, value: int) -> list[set[int]]:
    return [*left[:cell], {value}, *left[cell + 1 :]]


def _supported(constraint: Constraint, step: _Step, domains: Sequence[set[int]]) -> Sequence[set[int]]:
    """For each cell the values that the constraint may leave it; some empty set if it cannot hold. It is exact where
    each cell has one value."""
    match constraint:
        case Table(_, tuples):
            if prod(map(len, domains)) <= len(tuples):
                fitting = [row for row in product(*domains) if row in tuples]
            else:
                fitting = [row for row in tuples if all(map(set.__contains__, domains, row))]
            return [set(values) for values in zip(*fitting, strict=True)] if fitting else [set()]
        case Automaton():
            return _along(constraint, step, domains)
        case AllDifferent():
            decided = [min(domain) for domain in domains if len(domain) == 1]
            if len(set(decided)) < len(decided):
                return [set()]
            return [domain if len(domain) == 1 else domain.difference(decided) for domain in domains]
    terms = [{value: factor * value for value in d} for factor, d in zip(constraint.coefficients, domains, strict=True)]
    least = sum(min(term.values()) for term in terms) - constraint.total
    most = sum(max(term.values()) for term in terms) - constraint.total
    return [
        {v for v, part in term.items() if least - min(term.values()) <= -part <= most - max(term.values())}
        for term in terms
    ]


def _along(constraint: Automaton, step: _Step, domains: Sequence[set[int]]) -> Sequence[set[int]]:
    """The values on some way from the start to acceptance."""
    if prod(map(len, domains)) <= MAX_WORDS:
        words = [word for word in product(*domains) if _accepts(constraint, step, word)]
        return [set(values) for values in zip(*words, strict=True)] if words else [set()]
    layers = [{constraint.start}]
    for domain in domains:
        layers.append({step[each] for each in product(layers[-1], domain) if each in step})
    good, kept = layers[-1] & constraint.accepting, []
    for states, domain in zip(reversed(layers[:-1]), reversed(domains), strict=True):
        ways = [each for each in product(states, domain) if step.get(each) in good]
        kept.append({value for _, value in ways})
        good = {state for state, _ in ways}
    return kept[::-1]


def _accepts(constraint: Automaton, step: _Step, word: Iterable[int]) -> bool:
    state = constraint.start
    for value in word:
        following = step.get((state, value))
        if following is None:
            return False
        state = following
    return state in constraint.accepting


def accept(puzzle: Puzzle, grid: Grid, engine: str, repeated: bool = False) -> Grid:
    """The grid itself, if it solves the puzzle; every grid that an engine finds goes through here.

    engine:   the backend that found it, for the message
    repeated: whether the same search has given this grid before, which is a fault too

    Raises WrongAnswer, which names the puzzle, the engine and the fault.
    """
    fault = next(violations(puzzle, grid), "duplicate solution" if repeated else None)
    if fault is not None:
        raise WrongAnswer(f"{puzzle.name}: backend {engine} gave a wrong grid: {fault}")
    return grid


def faulty(board: Board, givens: NDArray[Values], grids: NDArray[Values]) -> NDArray[np.bool_]:
    """Which of `grids` do not solve the puzzle beside them; both are (n, cells), 0 is empty. As `violations`."""
    import numpy as np

    if not isinstance(board, Board):
        raise TypeError(f"board is of type {type(board).__name__}: expected a Board")
    for name, array in (("givens", givens), ("grids", grids)):
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "iu":
            raise TypeError(f"{name} is {excerpt(array)}: expected an array of whole numbers, a row a grid")
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
