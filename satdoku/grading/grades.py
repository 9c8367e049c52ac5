"""What an answer to a puzzle is worth, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from satdoku.constraints import AllDifferent, Grid, repeats
from satdoku.formats.line import flat
from satdoku.grading.answers import Taken
from satdoku.puzzle import Board, Puzzle
from satdoku.referee import violations

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KNOWN = 4096  # puzzles that are remembered: answers to one puzzle come one after the other
CANDIDATES = "candidates"


@dataclass(frozen=True, slots=True)
class Violation:
    """A house or a mark that an answer breaks.

    name:  what it is called, such as "row 3" or "cage 15 at r1c1"; "candidates" for values that the puzzle rules out
    cells: the cells that break it, numbered from 0, ascending: those with a repeated value, or all that the mark looks
           at
    """

    name: str
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """The grade of one answer.

    solved:      whether it is a solution of the puzzle; any of them, if it has several
    score:       1.0 if solved; else the share of open cells that are right, below 1.0. Givens earn nothing, and what is
                 unparsed has 0.0. None where there is nothing to compare with
    taken:       what of the answer the grid is, or why there is none, for people
    grid:        the values of the answer, 1..N, 0 for an empty cell; None if it is unparsed
    open:        cells that the puzzle leaves open
    filled:      how many of these the answer fills
    right, wrong: how many of these are as in the solution, or in some solution, and how many are not; None where there
                 is nothing to compare with
    wrong_cells: the wrong ones, numbered from 0
    givens:      cells that the puzzle gives, and in `kept` how many of them the answer has as they are
    violations:  each house and mark that is broken by filled cells
    completable: whether empty cells can be filled to a solution; None if that was not asked for, or is not decided
    compared:    what right and wrong mean: "stated" or "unique" solution, "all" solutions, the answer is "solved",
                 or "nothing"
    board:       that of the puzzle
    """

    solved: bool
    score: float | None
    taken: str
    grid: Grid | None
    open: int
    filled: int
    right: int | None
    wrong: int | None
    wrong_cells: tuple[int, ...] = ()
    givens: int
    kept: int
    violations: tuple[Violation, ...] = ()
    completable: bool | None = None
    compared: str = "nothing"
    board: Board = field(repr=False, compare=False)

    @property
    def parsed(self) -> bool:
        """Whether a grid was found in the answer."""
        return self.grid is not None

    def to_dict(self) -> dict[str, Any]:
        """The grade as JSON types, with cells as `r1c1`.

        Returns:
            The value of each field by its name; `answer` is the grid as a line.

        Example:
            >>> import satdoku
            >>> satdoku.grade("13....3131...213", "1324 4231 3142 2413").to_dict()["violations"]
            [{'name': 'column 1', 'cells': ['r1c1', 'r2c1', 'r3c1', 'r4c1']}]
        """
        label = self.board.label
        return {
            "solved": self.solved,
            "score": None if self.score is None else round(self.score, 6),
            "parsed": self.parsed,
            "taken": self.taken,
            "answer": None if self.grid is None else flat(self.board, self.grid),
            "open": self.open,
            "filled": self.filled,
            "right": self.right,
            "wrong": self.wrong,
            "wrong_cells": list(map(label, self.wrong_cells)),
            "givens": self.givens,
            "kept": self.kept,
            "violations": [{"name": one.name, "cells": list(map(label, one.cells))} for one in self.violations],
            "completable": self.completable,
            "compared": self.compared,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Grades:
    """The grades of many answers: arrays of their leading shape. `grades[place]` is the `Grade` of one of them.

    Fields as in `Grade`; `right` and `wrong` are -1 and `score` NaN where there is nothing to compare with,
    `completable` is 1, 0, or -1 where it is not known. `violations` counts houses and marks that are broken; `houses`
    names the AllDifferents of a plain board, and `broken` (..., houses) says which are.
    """

    parsed: NDArray[np.bool_]
    solved: NDArray[np.bool_]
    score: NDArray[np.float64]
    open: NDArray[np.int32]
    filled: NDArray[np.int32]
    right: NDArray[np.int32]
    wrong: NDArray[np.int32]
    givens: NDArray[np.int32]
    kept: NDArray[np.int32]
    violations: NDArray[np.int32]
    completable: NDArray[np.int8]
    houses: tuple[str, ...] = ()
    broken: NDArray[np.bool_]
    one: Any = field(repr=False, compare=False)  # the Grade of the answer of a number

    def __len__(self) -> int:
        return len(self.solved)

    def __getitem__(self, place: int | tuple[int, ...]) -> Grade:
        import numpy as np

        numbers = np.arange(self.solved.size).reshape(self.solved.shape)
        grade: Grade = self.one(int(numbers[place]))
        return grade

    def columns(self) -> Mapping[str, NDArray[Any]]:
        """The numbers of all answers, flat, by their names: what makes a data frame of pandas or polars."""
        names = ("parsed", "solved", "score", "open", "filled", "right", "wrong", "givens", "kept", "violations")
        return {name: getattr(self, name).ravel() for name in (*names, "completable")}


def graded(
    puzzle: Puzzle,
    taken: Taken,
    right_values: Callable[[], tuple[Sequence[int] | None, str]],
    completable: Callable[[Grid], bool | None] | None,
) -> Grade:
    """The grade of what was taken.

    right_values: for each cell the values that are right, as sets, or None if there is nothing to compare with; and
                  what these are. Called for answers that do not solve the puzzle
    completable:  whether some solution has the filled cells of a grid that breaks nothing; None if that is not asked
    """
    board, grid = puzzle.board, taken.grid
    givens, open_cells, given_cells = _cells(puzzle)
    count = len(given_cells)
    if grid is None:
        return Grade(
            solved=False, score=0.0, taken=taken.text, grid=None, open=board.cells - count, filled=0, right=0, wrong=0,
            givens=count, kept=0, board=board,
        )  # fmt: skip
    full = 0 not in grid
    filled: Sequence[int] = open_cells if full else [cell for cell in open_cells if grid[cell]]
    solved = full and next(violations(puzzle, grid), None) is None
    kept = count if solved else sum([grid[cell] == givens[cell] for cell in given_cells])
    wrong_cells: tuple[int, ...] = ()
    right: int | None = len(filled) if solved else None
    faults: tuple[Violation, ...] = ()
    compared = "solved"
    fits: bool | None = solved
    if not solved:
        faults = tuple(_violated(puzzle, grid, filled))
        allowed, compared = right_values()
        if allowed is not None:
            wrong_cells = tuple([cell for cell in filled if not allowed[cell] >> grid[cell] & 1])
            right = len(filled) - len(wrong_cells)
        if completable is not None and not faults and kept == sum([grid[cell] > 0 for cell in given_cells]):
            fits = completable(grid)
    return Grade(
        solved=solved,
        score=score(solved, right, board.cells - count),
        taken=taken.text,
        grid=grid,
        open=board.cells - count,
        filled=len(filled),
        right=right,
        wrong=None if right is None else len(filled) - right,
        wrong_cells=wrong_cells,
        givens=count,
        kept=kept,
        violations=faults,
        completable=None if completable is None else fits,
        compared="nothing" if right is None else compared,
        board=board,
    )


def score(solved: bool, right: int | None, open_cells: int) -> float | None:
    """The share of open cells that are right, below 1 unless the puzzle is solved."""
    if solved:
        return 1.0
    return None if right is None else max(0, min(right, open_cells - 1)) / max(open_cells, 1)


@lru_cache(maxsize=KNOWN)
def _cells(puzzle: Puzzle) -> tuple[Grid, Grid, Grid]:
    """The givens of a puzzle, the cells that it leaves open, and those that it gives."""
    givens = puzzle.givens
    cells = range(len(givens))
    return givens, tuple([cell for cell in cells if not givens[cell]]), tuple([cell for cell in cells if givens[cell]])


def _violated(puzzle: Puzzle, grid: Grid, filled: Sequence[int]) -> Iterator[Violation]:
    """The houses and marks that a grid breaks, each once. filled: its cells with a value that are not given."""
    board, candidates = puzzle.board, puzzle.candidates
    outside = [cell for cell in filled if not candidates[cell] >> grid[cell] & 1]
    if outside:
        yield Violation(CANDIDATES, tuple(outside))
    at_fault: dict[str, set[int]] = {}
    value_of = grid.__getitem__
    for rule in filter(board.shows, board.constraints) if board.auxiliary else board.constraints:
        if isinstance(rule, AllDifferent):
            if len(set(map(value_of, rule.cells))) == len(rule.cells):  # most of a full grid
                continue
            cells = [cell for _, first, second in repeats(rule.cells, grid) for cell in (first, second)]
        else:
            full = all(map(value_of, rule.cells))
            cells = list(rule.cells) if full and not rule.holds(grid) else []
        if cells:
            at_fault.setdefault(rule.name, set()).update(cells)
    yield from (Violation(name, tuple(sorted(cells))) for name, cells in at_fault.items())
    if board.auxiliary and not at_fault and not outside and 0 not in grid:
        kept = all(value == given for value, given in zip(grid, puzzle.givens, strict=True) if given)
        names = [rule.name for rule in board.constraints if not board.shows(rule)]
        if kept:
            cells = sorted(
                {c for rule in board.constraints if not board.shows(rule) for c in rule.cells if c < board.cells}
            )
            yield Violation(", ".join(dict.fromkeys(names))[:200], tuple(cells))
