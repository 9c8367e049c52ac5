"""The symmetries of a board, and the canonical form of a puzzle: the same for puzzles that a symmetry makes equal.

A plain board has all its symmetries: values renamed; rows moved in their bands, bands moved, and the like of columns;
transposed where boxes are square. Of another board it is those of the eight turns and reflections of the square (four
of a rectangle) that map its constraints to each other; its values may be renamed if all of these are AllDifferents.
The form is the smallest line, empty cells as 0, that some symmetry gives: the "min-lex form" of the New Sudoku Players'
Forum ("Canonical form", 2007) and of sudokuwiki.org/Sudoku_Min_Lex.

Puzzles of different boards are compared by `marked_digest`: a symmetry may move the constraints, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from enum import Enum
from functools import lru_cache, partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear
from satdoku.errors import PuzzleError, Refused
from satdoku.labelling import Edge, FormKey, Labelling, TooSymmetric, hashed, labelled, readings
from satdoku.puzzle import Board, Puzzle
from satdoku.variants import build
from satdoku.variants.boxes import Box, box_of, classic
from satdoku.variants.moving import moves

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGEST = 16  # bytes: of 10^12 puzzles two that differ have the same with a chance of 10^-15
LAYOUTS, MAX_BYTES = 1_024, 1 << 28  # layouts of a puzzle that are looked at together, and the room for them
MAX_SIZE = 64
MOST_ORDERS = 400  # symmetries of a board whose puzzles are compared one symmetry after the other


class Shuffle(Enum):
    ALL = "values, rows, columns, bands, stacks, transposition"
    VALUES = "values"
    NONE = "nothing: the rules of its board would change"


def freedom(board: Board) -> Shuffle:
    """What may be permuted on a board without changing any puzzle's number of solutions."""
    if board.others:
        return Shuffle.NONE
    box = box_of(board)
    return Shuffle.ALL if box is not None and board == classic(box.rows, box.columns) else Shuffle.VALUES


def canonical(puzzle: Puzzle) -> Grid:
    """The smallest line that a symmetry makes of a puzzle's givens, 0 for an empty cell.

    Raises Refused for a puzzle that restricts cells otherwise; for a plain one whose givens clash.
    """
    board, givens = puzzle.board, puzzle.givens
    every = board.every_value
    if any(not value and allowed != every for value, allowed in zip(givens, puzzle.candidates, strict=True)):
        raise Refused(f"{puzzle.name}: no canonical form: candidates of open cells are left out; give givens alone")
    movable, box = freedom(board), box_of(board)
    if movable is Shuffle.ALL and box is not None:
        clash = next(puzzle.clashes(), None)
        if clash is not None:
            raise Refused(f"{puzzle.name}: no canonical form: {clash}")
        import numpy as np

        return tuple(smallest(box, np.array([givens], np.uint8))[0].tolist())
    images = (tuple(map(givens.__getitem__, places[: board.cells])) for places in turns(board))
    return min(map(_renamed, images) if movable is Shuffle.VALUES else images)


def smallest(box: Box, givens: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The canonical forms of plain puzzles without clashes, (n, cells); raises Refused as `canonical`."""
    if box.size > MAX_SIZE:
        raise Refused(f"a canonical form needs a board of up to {MAX_SIZE}x{MAX_SIZE}, this is {box.size}x{box.size}")
    import numpy as np

    from satdoku.kernels import canonical

    givens, lines, done, count = np.ascontiguousarray(givens), np.empty(givens.shape, np.uint8), 0, LAYOUTS
    while True:
        room = canonical.room(box.size, count)
        done = canonical.smallest(givens, box.rows, box.columns, lines, room, done)
        if done == len(givens):
            return lines
        count *= 4
        if 4 * room.words.nbytes > MAX_BYTES:
            raise Refused("no canonical form: too many layouts of the puzzle begin alike")


@lru_cache(maxsize=64)
def turns(board: Board) -> tuple[tuple[int, ...], ...]:
    """The turns and reflections that keep a board's constraints: for each cell, the cell that moves there."""
    same, *others = _turned(board)
    rules = {_meaning(rule, same) for rule in board.constraints}
    marks_first = board.constraints[::-1]  # houses are kept by most turns
    return same, *(cells for cells in others if all(_meaning(rule, cells) in rules for rule in marks_first))


@lru_cache(maxsize=64)
def moved_boards(board: Board) -> tuple[tuple[Board, tuple[int, ...]], ...]:
    """The board turned and reflected, its marks with it, as far as they say the same there; the first is the board.

    Returns:
        Each board with, for each of its cells, the cell that moves there.
    """
    boards = [(board, cells) for cells in turns(board)]
    kept = {cells for _, cells in boards}
    for move, cells in zip(moves(board.size), _turned(board), strict=False):
        if cells not in kept and board.marks and not board.places:
            with suppress(PuzzleError):
                moved = build(board.size, tuple(move.mark(mark, board.size) for mark in board.marks))
                if _rules(moved, range(len(cells))) == _rules(board, _inverse(cells)):
                    boards.append((moved, cells))
    return tuple(boards)


def _rules(board: Board, places: Sequence[int]) -> Counter[tuple[Any, ...]]:
    return Counter(_meaning(rule, places) for rule in board.constraints)


def _inverse(cells: Sequence[int]) -> list[int]:
    """For each cell where it moves."""
    return sorted(range(len(cells)), key=cells.__getitem__)


def _turned(board: Board) -> Iterator[tuple[int, ...]]:
    """For each cell the cell that moves there, by the turns and reflections of the rectangle; the first moves none."""
    size = board.size
    if board.auxiliary or size.rows * size.columns != board.cells:
        yield tuple(range(board.cells + len(board.auxiliary)))
        return
    for move in moves(size):
        goes = (move.position(at, size) for at in size.positions)
        yield tuple(_inverse([(row - 1) * size.columns + column - 1 for row, column in goes]))


def marked_digest(puzzle: Puzzle) -> bytes:
    """The same for two puzzles if a permutation of cells maps the constraints of one, houses among them, and its givens
    to those of the other, and for no others: bands, rows, stacks and columns are moved, the board is transposed, values
    are renamed where all constraints are AllDifferents. Of boards with too many symmetries it knows turns and
    reflections alone."""
    known = _labelled_board(puzzle.board)
    form: FormKey
    if known is not None:
        lines = (tuple(map(puzzle.givens.__getitem__, order)) for order in known.orders)
        form = known.form, min(lines if puzzle.board.others else map(_renamed, lines))
    else:
        form = _form_of(puzzle)
    return blake2b(repr(form).encode(), digest_size=DIGEST).digest()


class LabelledBoard(NamedTuple):
    form: bytes
    orders: list[tuple[int, ...]]  # of the cells that are filled, as symmetries make them


@lru_cache(maxsize=64)
def _labelled_board(board: Board) -> LabelledBoard | None:
    """What all puzzles of a board share; None if it has more than MOST_ORDERS symmetries."""
    empty = Puzzle.from_givens(board, (0,) * board.cells)
    try:
        labelling = _labelling(empty)
    except TooSymmetric:
        return None
    orders = labelling.orders(MOST_ORDERS)
    if orders is None:
        return None
    filled = dict.fromkeys(tuple(cell for cell in order if cell < board.cells) for order in orders)
    return LabelledBoard(blake2b(repr(labelling.form).encode(), digest_size=DIGEST).digest(), list(filled))


def _form_of(puzzle: Puzzle) -> FormKey:
    try:
        return _labelling(puzzle).form
    except TooSymmetric:
        return min(_form(puzzle, places) for places in _turned(puzzle.board))


def _labelling(puzzle: Puzzle) -> Labelling:
    board, given = puzzle.board, list(puzzle.givens)
    edges = [Edge(*_roles(rule), rule.cells) for rule in board.constraints]
    if not board.others:  # values tell cells apart only by which are alike
        for value in set(given) - {0}:
            alike = tuple(cell for cell, other in enumerate(given) if other == value)
            edges.append(Edge("alike", (0,) * len(alike), alike))
        given = [min(value, 1) for value in given]
    colours = list(zip(_kinds(board), given + [0] * len(board.auxiliary), strict=True))
    return labelled(colours, edges, partial(_form, puzzle))


def _form(puzzle: Puzzle, places: Sequence[int]) -> FormKey:
    """What a puzzle is once each cell has moved to its place."""
    board, kinds = puzzle.board, _kinds(puzzle.board)
    order = sorted(range(len(places)), key=places.__getitem__)
    givens = tuple(puzzle.givens[cell] for cell in order if cell < board.cells)
    rules = tuple(sorted(_meaning(rule, places) for rule in board.constraints))
    moved = tuple(kinds[cell] for cell in order)
    return board.values, board.first_value, board.layers, moved, givens if board.others else _renamed(givens), rules


def _kinds(board: Board) -> list[tuple[int, int]]:
    """The layer of each cell, and the values of an auxiliary one."""
    layers = [(cell // board.grid_cells, 0) for cell in range(board.cells)]
    return layers + [(-1, domain) for domain in board.auxiliary]


def _roles(rule: Constraint) -> tuple[str, tuple[int, ...]]:
    """What a constraint says, and a number for each of its cells: the same ones if it says so with its cells in another
    order, its line read from the other end, or its sum negated."""
    if isinstance(rule, AllDifferent):
        return "different", (0,) * len(rule.cells)
    if isinstance(rule, Linear):
        factors, negated = rule.coefficients, tuple(-factor for factor in rule.coefficients)
        way, other = (rule.total, sorted(factors)), (-rule.total, sorted(negated))
        if way == other:
            return f"sum {rule.total}", tuple(map(abs, factors))
        return f"sum {min(way, other)[0]}", factors if way < other else negated
    if isinstance(rule, Automaton):
        forth, back, ahead, behind, words = readings(rule.transitions, rule.start, rule.accepting, len(rule.cells))
        if words is not None and len(set(rule.cells)) == len(rule.cells):
            return _table(words)
        if forth == back:
            return f"automaton {forth}", tuple(map(min, ahead, behind))
        return f"automaton {min(forth, back)}", ahead if forth < back else behind
    return _table(rule.tuples)


@lru_cache(maxsize=256)
def _table(rows: frozenset[tuple[int, ...]]) -> tuple[str, tuple[int, ...]]:
    columns = [sorted(column) for column in zip(*rows, strict=True)]
    return f"table {hashed(sorted(map(sorted, rows)))}", tuple(map(hashed, columns))


def digest(board: Board, line: bytes) -> bytes:
    """What stands for a canonical form, two bytes a cell, and the rules of its board: the same in every process."""
    return blake2b(line, digest_size=DIGEST, key=_key(board)).digest()


@lru_cache(maxsize=64)
def _key(board: Board) -> bytes:
    rules = sorted(repr(mark) for mark in board.marks) or sorted(
        f"{type(rule).__name__} {rule.cells}" for rule in board.constraints
    )
    what = (board.cells, board.values, board.columns, board.first_value, len(board.constraints), rules)
    return blake2b(repr(what).encode(), digest_size=32).digest()


def _renamed(line: Grid) -> Grid:
    """With values numbered as they come first."""
    names = {0: 0}
    return tuple(names.setdefault(value, len(names)) for value in line)


def _meaning(rule: Constraint, places: Sequence[int]) -> tuple[Any, ...]:
    """What a constraint says once its cells are moved, but for its name and the order in which it says so."""
    cells = tuple(map(places.__getitem__, rule.cells))
    order = sorted(range(len(cells)), key=cells.__getitem__)
    moved = tuple(map(cells.__getitem__, order))
    if isinstance(rule, AllDifferent):
        return "different", moved
    if isinstance(rule, Linear):
        factors = tuple(map(rule.coefficients.__getitem__, order))
        sign = -1 if factors and factors[0] < 0 else 1
        return "sum", moved, tuple(sign * factor for factor in factors), sign * rule.total
    if isinstance(rule, Automaton):
        forth, back, ahead, behind, words = readings(rule.transitions, rule.start, rule.accepting, len(rule.cells))
        if words is not None and len(set(cells)) == len(cells):
            return "table", moved, _rows(words, tuple(order))
        ways = (
            (forth, tuple(sorted(zip(ahead, cells, strict=True)))),
            (back, tuple(sorted(zip(behind, cells, strict=True)))),
        )
        return "automaton", *min(ways)
    return "table", moved, _rows(rule.tuples, tuple(order))


@lru_cache(maxsize=1024)
def _rows(rows: frozenset[tuple[int, ...]], order: tuple[int, ...]) -> int:
    """Tuples, their values in another order."""
    return hashed(sorted(tuple(map(row.__getitem__, order)) for row in rows))
