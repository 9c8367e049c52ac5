"""Naked and hidden singles of boards that are too large for the compiled search."""

from __future__ import annotations

from collections.abc import Sequence

from satdoku.backends import BaseBackend, Budget, Ending, Engine, Search, not_all_different
from satdoku.errors import Refused
from satdoku.limits import bounded_time, check_time
from satdoku.puzzle import Board, Puzzle, only
from satdoku.system.clock import TimeIsUp
from satdoku.words import plural


class Singles(BaseBackend):
    """Decides a puzzle that singles solve, or show to have no solution; others are refused."""

    def refuses(self, board: Board) -> str | None:
        return not_all_different(board)

    def load(self, board: Board) -> None:
        """Nothing: the groups of a board are listed for each puzzle."""

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        try:
            with bounded_time(budget.timeout):
                left = narrowed(puzzle.board, puzzle.candidates)
        except TimeIsUp:
            return Ending.TIMEOUT
        if left is None:
            return Ending.EXHAUSTED
        grid = tuple(map(only, left))
        if 0 in grid:
            left_open = plural(grid.count(0), "cell")
            raise Refused(f"{puzzle.name}: singles leave {left_open} open, and backend singles does not search")
        yield grid
        return Ending.LIMIT if budget.limit == 1 else Ending.EXHAUSTED


def narrowed(board: Board, candidates: Sequence[int]) -> list[int] | None:
    """The candidates that are left where no single is; None if a cell or a value has no place.

    Parameters:
        board: of AllDifferents.
        candidates: a set for each cell, bit v for value v, as of `Puzzle`.

    >>> import satdoku
    >>> puzzle = satdoku.read("12..3..12.4..3..")
    >>> [value.bit_length() - 1 for value in narrowed(puzzle.board, puzzle.candidates)]
    [1, 2, 3, 4, 3, 4, 2, 1, 2, 1, 4, 3, 4, 3, 1, 2]
    """
    left, groups = list(candidates), [group.cells for group in board.all_different]
    groups_of: list[list[int]] = [[] for _ in left]
    for number, cells in enumerate(groups):
        for cell in cells:
            groups_of[cell].append(number)
    if 0 in left:
        return None
    decided, pending = dict.fromkeys(range(len(groups))), dict[int, None]()
    while decided or pending:
        check_time()
        number = next(iter(decided or pending))  # groups with a new decided cell first: they take most away
        decided.pop(number, None)
        pending.pop(number, None)
        changed = _narrow(left, groups[number], board.every_value if len(groups[number]) == board.values else 0)
        if changed is None:
            return None
        for cell in changed:
            (pending if left[cell] & (left[cell] - 1) else decided).update(dict.fromkeys(groups_of[cell]))
    return left


def _narrow(left: list[int], cells: Sequence[int], every: int) -> list[int] | None:
    """Take the values of decided cells from the others of a group, and decide the cells that alone can hold a value;
    the cells that changed, None if there is a contradiction. `every`: the values that are each in some cell."""
    once = twice = decided = 0
    for cell in cells:
        allowed = left[cell]
        twice |= once & allowed
        once |= allowed
        if allowed & (allowed - 1) == 0:
            if decided & allowed:
                return None
            decided |= allowed
    if every & ~once:
        return None
    changed: list[int] = []
    alone = every & once & ~twice & ~decided
    for cell in cells:
        allowed = left[cell]
        if allowed & (allowed - 1):
            after = allowed & alone or allowed & ~decided
            if not after or (after & alone and after & (after - 1)):
                return None
            if after != allowed:
                left[cell] = after
                changed.append(cell)
    return changed


ENGINES = (
    Engine(
        name="singles",
        summary="naked and hidden singles alone, on boards of any size: decides what they solve",
        open=lambda argument, encoding: Singles(),
        searches=False,
        all_different_only=True,
    ),
)
