"""Sudoku as an environment of Gymnasium, with the extra `gym`: an action fills a cell, and the reward says whether the
grid can still be completed.

import gymnasium
import satdoku.gym
env = gymnasium.make("satdoku/Sudoku-v0", puzzles=["1234341221434..."])
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku.api.ask import check, solve
from satdoku.api.setter import generate
from satdoku.api.together import puzzles_of
from satdoku.constraints import AllDifferent
from satdoku.errors import Refused, excerpt
from satdoku.formats.grid import draw
from satdoku.inputs.arrays import Grids
from satdoku.puzzle import Board, Puzzle, members
from satdoku.verdict import Verdict

try:
    import gymnasium
    from gymnasium import spaces
except ImportError:
    raise ImportError("satdoku.gym needs the package gymnasium: pip install 'satdoku[gym]'") from None

ENVIRONMENT = "satdoku/Sudoku-v0"
SEEDS = 1 << 31


class SudokuEnv(gymnasium.Env[NDArray[np.uint16], NDArray[np.int64]]):
    """Fill the empty cells of a puzzle, one after the other.

    Observation: the grid, (rows, columns) of 0..N, 0 for an empty cell. Action: (cell, digit - 1), cells numbered from
    0. An action is legal if its cell is empty, the puzzle allows the digit there, and it breaks no house, nor a mark of
    which no other cell is empty; another one changes nothing.

    Reward: 1/n for a legal action after which some solution has all filled cells, n being the cells that the puzzle
    leaves open, so that a solution earns 1; -1/n for any other action. An episode ends when the grid is full, when no
    action is legal, and with `stop` when the grid cannot be completed any more.

    The info of `reset` and `step` has `mask`, (cells, N) of the legal actions, `completable`, `solved`, and `puzzle`,
    its number, or the seed of a new one.

    Parameters:
        puzzles: what `satdoku.solve_many` takes, of one size; an episode begins with one of them at random, or with
            that of `reset(options={"puzzle": NUMBER})`. None makes a new 9x9 puzzle for each episode.
        stop: whether a grid that cannot be completed ends the episode.
        render_mode: "ansi" for `render` to give the grid as text.

    Raises:
        Refused: the board has cells that no grid shows as digits, or a puzzle has no solution.
        ValueError, InputError, TypeError: as `satdoku.solve_many`.

    Example:
        >>> import numpy as np
        >>> from satdoku.gym import SudokuEnv
        >>> env = SudokuEnv(["1234341221434..."])
        >>> grid, info = env.reset(seed=1)
        >>> np.argwhere(info["mask"]).tolist()
        [[13, 2], [14, 1], [15, 0]]
        >>> env.step(np.array([13, 2]))[1:3]
        (0.3333333333333333, False)
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012  as Gymnasium declares it

    def __init__(self, puzzles: Any = None, *, stop: bool = False, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}: expected 'ansi' or None")
        self.render_mode = render_mode
        self._stop = stop
        self._puzzles = None if puzzles is None else _listed(puzzles)
        board = self._puzzles[0].board if self._puzzles else next(generate(seed=0)).puzzle.board
        shape = (board.size.rows, board.columns)
        self.observation_space = spaces.Box(0, board.values, shape, np.uint16)
        self.action_space = spaces.MultiDiscrete(np.array([board.cells, board.values]))
        self._number = -1
        self._grid: list[int] = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.uint16], dict[str, Any]]:
        """Begin with a puzzle: that of `options["puzzle"]`, else one at random, which the seed decides."""
        super().reset(seed=seed)
        if self._puzzles is None:
            self._number = int(self.np_random.integers(SEEDS))
            self._puzzle = next(generate(seed=self._number)).puzzle
        else:
            chosen = (options or {}).get("puzzle")
            self._number = int(self.np_random.integers(len(self._puzzles)) if chosen is None else chosen)
            if not 0 <= self._number < len(self._puzzles):
                raise ValueError(f"puzzle {self._number}: expected 0 to {len(self._puzzles) - 1}")
            self._puzzle = self._puzzles[self._number]
        outcome = check(self._puzzle)
        if not outcome.count:
            raise Refused(f"puzzle {self._number} is {outcome.verdict.value}: it has no solution to find")
        self._only = outcome.grid if outcome.verdict is Verdict.UNIQUE else None
        self._rules = _Rules(self._puzzle)
        self._grid = list(self._puzzle.givens)
        self._open = self._grid.count(0)
        self._completable = True
        return self._seen(), self._info()

    def step(self, action: NDArray[np.int64]) -> tuple[NDArray[np.uint16], float, bool, bool, dict[str, Any]]:
        """Fill a cell, where that is legal. Raises ValueError for what is not an action, ResetNeeded before `reset`."""
        self._begun()
        cells, digits = self._puzzle.board.cells, self._puzzle.board.values
        try:
            cell, value = map(index, action)
        except (TypeError, ValueError):
            cell = value = -1
        if not (0 <= cell < cells and 0 <= value < digits):
            wanted = f"a cell, 0 to {cells - 1}, and a digit - 1, 0 to {digits - 1}"
            raise ValueError(f"action is {excerpt(action)}: expected {wanted}")
        value += 1
        legal = not self._grid[cell] and bool(self._rules.allowed(self._grid, cell) >> value & 1)
        if legal:
            self._grid[cell] = value
            self._completable = self._completable and self._can_be_completed(cell)
        reward = (1 if legal and self._completable else -1) / max(self._open, 1)
        info = self._info()
        ended = not info["mask"].any() or (self._stop and not self._completable)
        return self._seen(), reward, ended, False, info

    def render(self) -> str | None:
        """The grid as text, in the mode "ansi"."""
        self._begun()
        return draw(self._puzzle.board, tuple(self._grid)) if self.render_mode == "ansi" else None

    def _begun(self) -> None:
        if not self._grid:
            raise gymnasium.error.ResetNeeded("no puzzle is begun: call reset first")

    def _can_be_completed(self, cell: int) -> bool:
        if self._only is not None:
            return self._only[cell] == self._grid[cell]
        board = self._puzzle.board
        cells = zip(self._grid, self._puzzle.candidates, strict=True)
        filled = tuple(allowed & 1 << value if value else allowed for value, allowed in cells)
        return solve(Puzzle(board, filled, self._puzzle.name)).count > 0

    def _seen(self) -> NDArray[np.uint16]:
        return np.array(self._grid, np.uint16).reshape(self.observation_space.shape)

    def _info(self) -> dict[str, Any]:
        solved = self._completable and 0 not in self._grid
        return {
            "mask": self._rules.mask(self._grid),
            "completable": self._completable,
            "solved": solved,
            "puzzle": self._number,
        }


class _Rules:
    """Which digits break nothing that the filled cells show."""

    def __init__(self, puzzle: Puzzle) -> None:
        board: Board = puzzle.board
        self._puzzle = puzzle
        self._peers: list[set[int]] = [set() for _ in range(board.cells)]
        self._others: list[list[Any]] = [[] for _ in range(board.cells)]
        for rule in filter(board.shows, board.constraints):
            for cell in set(rule.cells):
                if isinstance(rule, AllDifferent):
                    self._peers[cell] |= set(rule.cells) - {cell}
                else:
                    self._others[cell].append(rule)

    def allowed(self, grid: Sequence[int], cell: int) -> int:
        """The values that may fill an empty cell, as a set of bits."""
        allowed = self._puzzle.candidates[cell]
        for other in self._peers[cell]:
            allowed &= ~(1 << grid[other])
        for rule in self._others[cell]:
            if all(grid[other] for other in rule.cells if other != cell):
                tried = list(grid)
                for value in members(allowed):
                    tried[cell] = value
                    allowed &= ~(0 if rule.holds(tried) else 1 << value)
        return allowed

    def mask(self, grid: Sequence[int]) -> NDArray[np.int8]:
        mask = np.zeros((len(grid), self._puzzle.board.values), np.int8)
        for cell, value in enumerate(grid):
            if not value:
                mask[cell, [each - 1 for each in members(self.allowed(grid, cell))]] = 1
        return mask


def _listed(puzzles: Any) -> list[Puzzle]:
    listed, _ = puzzles_of(puzzles)
    if isinstance(listed, Grids):
        listed = [Puzzle.from_givens(listed.board, row.tolist(), f"puzzle {n}") for n, row in enumerate(listed.values)]
    if not listed:
        raise ValueError("puzzles: expected at least one")
    first = listed[0].board
    for number, puzzle in enumerate(listed):
        if puzzle.board.size != first.size:
            raise ValueError(f"puzzles: row {number} is {puzzle.board.size}, and row 0 is {first.size}")
        if puzzle.board.layers or puzzle.board.grid_cells != first.size.rows * first.columns:
            raise Refused(f"puzzles: row {number}: an environment has boards of rows and columns, and this is another")
    return list(listed)


gymnasium.register(ENVIRONMENT, entry_point="satdoku.gym:SudokuEnv")
