"""The environment passes the checker of Gymnasium, and its rewards are what a search says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import satdoku

gymnasium = pytest.importorskip("gymnasium", reason="the package gymnasium is not installed")
checker = pytest.importorskip("gymnasium.utils.env_checker")
environments = pytest.importorskip("satdoku.gym")

ONE, TWO = "1234341221434...", "13....3131...213"
CAGE = satdoku.build(size=4, marks=[satdoku.marks.killer_cage("r1c1 r1c2", total=3)])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("puzzles", [[ONE, TWO], [CAGE], np.zeros((2, 4, 4), int), None], ids=str)
def test_it_passes_the_checker_of_gymnasium(puzzles: Any) -> None:
    made = gymnasium.make("satdoku/Sudoku-v0", puzzles=puzzles, render_mode="ansi")
    checker.check_env(made.unwrapped)


@pytest.mark.parametrize(
    "action", [[-1, 0], [16, 0], [13, -2], [13, 4], [13], [13, 2, 0], [13, 2.0], None, "13"], ids=str
)
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = environments.SudokuEnv([ONE])
    env.reset()
    with pytest.raises(ValueError, match="expected a cell, 0 to 15, and a digit - 1, 0 to 3"):
        env.step(action)


def played(env: Any, seed: int) -> tuple[float, dict[str, Any]]:
    """A game of legal actions at random; each reward and mask is compared with what a search says."""
    rng = np.random.default_rng(seed)
    grid, info = env.reset(seed=seed)
    puzzle = [satdoku.read(ONE), satdoku.read(TWO), CAGE][info["puzzle"]]
    total, ended, open_cells = 0.0, False, int((grid == 0).sum())
    while not ended:
        assert info["mask"].shape == (16, 4)
        cell, value = rng.choice(np.argwhere(info["mask"]))
        assert grid.flat[cell] == 0
        grid, reward, ended, cut, info = env.step(np.array([cell, value]))
        total += reward
        graded = satdoku.grade(puzzle, grid.tolist(), compare=None, completable=True)
        assert info["completable"] is graded.completable
        assert reward == (1 if graded.completable else -1) / open_cells
        assert not graded.violations
        assert (info["solved"], cut) == (graded.solved, False)
    return total, info


@pytest.mark.parametrize("seed", range(12))
def test_rewards_are_completability(seed: int) -> None:
    total, info = played(environments.SudokuEnv([ONE, TWO, CAGE]), seed)
    assert (total == pytest.approx(1)) is info["solved"]


def test_games_depend_on_the_seed_alone_and_on_what_is_asked_for() -> None:
    first, second = (environments.SudokuEnv([ONE, TWO]) for _ in range(2))
    assert [first.reset(seed=seed)[1]["puzzle"] for seed in range(9)] == [
        second.reset(seed=seed)[1]["puzzle"] for seed in range(9)
    ]
    assert first.reset(options={"puzzle": 1})[0].ravel().tolist() == list(satdoku.read(TWO).givens)
    with pytest.raises(ValueError, match="puzzle 2: expected 0 to 1"):
        first.reset(options={"puzzle": 2})


def test_what_is_not_legal_changes_nothing_and_a_dead_end_stops() -> None:
    env = environments.SudokuEnv([TWO], stop=True)
    grid, info = env.reset(seed=0)
    for cell, value in ((0, 0), (2, 0)):  # a given; a digit that its row has
        assert not info["mask"][cell, value]
        again, reward, ended, _, info = env.step(np.array([cell, value]))
        assert (again == grid).all()
        assert (reward, ended) == (pytest.approx(-1 / 7), False)
    assert info["completable"]


def test_puzzles_that_cannot_be_played_are_refused() -> None:
    with pytest.raises(satdoku.Refused, match="puzzle 0 is unsolvable"):
        environments.SudokuEnv(["33" + "." * 14]).reset()
    with pytest.raises(ValueError, match="row 1 is 9x9, and row 0 is 4x4"):
        environments.SudokuEnv([satdoku.read(ONE), satdoku.read("." * 81)])
    for ask in (lambda env: env.step([0, 0]), environments.SudokuEnv.render):
        with pytest.raises(gymnasium.error.ResetNeeded, match="call reset first"):
            ask(environments.SudokuEnv([ONE]))
    with pytest.raises(ValueError, match="render_mode is 'human'"):
        environments.SudokuEnv([ONE], render_mode="human")
