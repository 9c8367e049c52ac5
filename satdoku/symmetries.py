"""The symmetries of a board, and the canonical form of a puzzle: the same for puzzles that a symmetry makes equal.

A plain board has all its symmetries: values renamed; rows moved in their bands, bands moved, and the like of columns;
transposed where boxes are square. Of another board it is those of the eight turns and reflections of the square (four
of a rectangle) that map its constraints to each other; its values may be renamed if all of these are AllDifferents.
The form is the smallest line, empty cells as 0, that some symmetry gives: the "min-lex form" of the New Sudoku Players'
Forum ("Canonical form", 2007) and of sudokuwiki.org/Sudoku_Min_Lex.
"""

from __future__ import annotations

from enum import Enum
from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear
from satdoku.errors import Refused
from satdoku.puzzle import Board, Puzzle
from satdoku.variants.boxes import Box, box_of, classic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DIGEST = 16  # bytes: of 10^12 puzzles two that differ have the same with a chance of 10^-15
LAYOUTS, MAX_BYTES = 1_024, 1 << 28  # layouts of a puzzle that are looked at together, and the room for them
MAX_SIZE = 64


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
    images = (tuple(map(givens.__getitem__, places)) for places in turns(board))
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
    rows, columns, same = board.size.rows, board.columns, tuple(range(board.cells))
    if board.auxiliary or rows * columns != board.cells:
        return (same,)
    kept = [same]
    rules = {_meaning(rule, same) for rule in board.constraints}
    for turned in (False, True) if rows == columns else (False,):
        for down, right in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
            places = [(row, column) for row in range(rows)[::down] for column in range(columns)[::right]]
            cells = tuple(c * columns + r if turned else r * columns + c for r, c in places)
            if cells != same and {_meaning(rule, cells) for rule in board.constraints} == rules:
                kept.append(cells)
    return tuple(kept)


def marked_digest(puzzle: Puzzle) -> bytes:
    """The same for two puzzles if a symmetry maps the constraints of one, houses among them, and its givens to those of
    the other: bands, rows, stacks and columns are moved, the board is transposed, values are renamed where all
    constraints are AllDifferents.

    Refinement of colours (Weisfeiler and Leman, "The reduction of a graph to canonical form", 1968) on the graph of
    cells and constraints. So others may have the same digest too, if each has a cell for each of the other that stands
    in such constraints with such cells, and so on.
    """
    board = puzzle.board
    rules = [(*_roles(rule), rule.cells) for rule in board.constraints]
    colours = list(puzzle.givens)
    if not board.others:  # values tell cells apart only by which are alike
        alike = ([cell for cell, given in enumerate(colours) if given == value] for value in set(colours) - {0})
        rules += [("alike", (0,) * len(cells), tuple(cells)) for cells in alike]
        colours = [min(given, 1) for given in colours]
    colours += map(_hashed, board.auxiliary)
    number = 0
    while len(set(colours)) > number:
        number = len(set(colours))
        near: list[list[tuple[int, int]]] = [[] for _ in colours]
        for what, roles, cells in rules:
            colour = _hashed(what, sorted((role, colours[cell]) for role, cell in zip(roles, cells, strict=True)))
            for role, cell in zip(roles, cells, strict=True):
                near[cell].append((colour, role))
        colours = [_hashed(colour, sorted(around)) for colour, around in zip(colours, near, strict=True)]
    whole = (board.cells, board.values, sorted(colours))
    return blake2b(repr(whole).encode(), digest_size=DIGEST).digest()


def _hashed(*parts: object) -> int:
    """A number, the same in every process."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


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
        last = len(rule.cells) - 1
        what = f"automaton {_automaton(rule.transitions)} {rule.start} {sorted(rule.accepting)}"
        return what, tuple(min(place, last - place) for place in range(last + 1))
    return _table(rule.tuples)


@lru_cache(maxsize=256)
def _automaton(transitions: frozenset[tuple[int, int, int]]) -> int:
    return _hashed(sorted(transitions))


@lru_cache(maxsize=256)
def _table(rows: frozenset[tuple[int, ...]]) -> tuple[str, tuple[int, ...]]:
    columns = [sorted(column) for column in zip(*rows, strict=True)]
    return f"table {_hashed(sorted(map(sorted, rows)))}", tuple(map(_hashed, columns))


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


def _meaning(rule: Constraint, places: tuple[int, ...]) -> object:
    """What a constraint says once its cells are moved, but for its name and the order in which it says so."""
    cells = tuple(map(places.__getitem__, rule.cells))
    if isinstance(rule, AllDifferent):
        return frozenset(cells)
    if isinstance(rule, Linear):
        return frozenset(zip(cells, rule.coefficients, strict=True)), rule.total
    if isinstance(rule, Automaton):
        return cells, rule.transitions, rule.start, rule.accepting
    order = sorted(range(len(cells)), key=cells.__getitem__)
    return tuple(cells[i] for i in order), frozenset(tuple(row[i] for i in order) for row in rule.tuples)
