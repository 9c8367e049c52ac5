"""Marks that are probably not what was meant: they are kept as they stand, and a note names them."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise, product

from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
from satdoku.limits import check_time
from satdoku.puzzle import Board, Mark, Position
from satdoku.variants import Shape, kinds, label
from satdoku.variants.places import name_of

TOUCHING = frozenset({Shape.LINE, Shape.ARROW})  # shapes whose lines go from each cell to one that touches it


@lru_cache(maxsize=64)
def suspicions(board: Board) -> tuple[str, ...]:
    """A sentence for each mark that is not drawn as its kind is, and for each constraint that no values satisfy. A line
    jumps where two of its cells in a row do not touch; a bulb does not stand on its own lines."""
    return tuple(_suspicions(board))


def _suspicions(board: Board) -> Iterator[str]:
    for mark in board.marks:
        check_time()
        kind = kinds().get(mark.kind)
        if kind is not None and kind.shape in TOUCHING and not kind.loose:
            yield from _of_lines(mark)
        if kind is not None and kind.plural.endswith("cages"):
            yield from _of_cage(mark)
    alike = {constraint.cells for constraint in board.constraints if isinstance(constraint, AllDifferent)}
    for constraint in board.constraints:
        if board.shows(constraint) and _is_impossible(constraint, board.values, alike):
            yield f"{constraint.name} is impossible by itself: no values satisfy it"


def _of_lines(mark: Mark) -> Iterator[str]:
    for line in mark.lines:
        where = f"{mark.kind} at {label((mark.cells or line)[0])}"
        inside = next((cell for cell in line if cell in mark.cells), None)
        if inside is not None:
            yield f"{where}: its bulb stands on its own line, at {label(inside)}"
        line = tuple(cell for cell in line if name_of(cell) is None)  # a variable has no place
        bulb = [cell for cell in mark.cells if name_of(cell) is None]
        if bulb and line and not any(_touch(cell, line[0]) for cell in bulb):
            yield f"{where}: its line begins at {label(line[0])}, away from the bulb"
        jump = next(((first, second) for first, second in pairwise(line) if not _touch(first, second)), None)
        if jump is not None:
            yield f"{where}: its line jumps from {label(jump[0])} to {label(jump[1])}"


def _of_cage(mark: Mark) -> Iterator[str]:
    """A cage is drawn around cells that touch, if only at corners."""
    left = {cell for cell in mark.cells if name_of(cell) is None}
    todo, first = [min(left)] if left else [], min(left, default=(0, 0))
    while todo:
        row, column = todo.pop()
        touching = left.intersection(product(range(row - 1, row + 2), range(column - 1, column + 2)))
        left -= touching
        todo += touching
    if left:
        yield f"{mark.kind} at {label(first)}: its cells at {label(first)} and at {label(min(left))} do not touch"


def _touch(first: Position, second: Position) -> bool:
    return max(abs(first[0] - second[0]), abs(first[1] - second[1])) <= 1


def _is_impossible(constraint: Constraint, values: int, alike: set[tuple[int, ...]]) -> bool:
    match constraint:
        case Table():
            return not any(all(1 <= value <= values for value in row) for row in constraint.tuples)
        case Automaton():
            return not constraint.accepting
        case Linear():
            least, most = _bounds(constraint, values, distinct=constraint.cells in alike)
            return not least <= constraint.total <= most
    return False


def _bounds(linear: Linear, values: int, distinct: bool) -> tuple[int, int]:
    count = len(linear.cells)
    if distinct and set(linear.coefficients) == {1}:
        least = count * (count + 1) // 2
        return least, count * (values + 1) - least
    low = [factor if factor > 0 else factor * values for factor in linear.coefficients]
    high = [factor * values if factor > 0 else factor for factor in linear.coefficients]
    return sum(low), sum(high)
