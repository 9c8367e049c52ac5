"""benchmarks/plan.py: a simulated run does all work, and what is lost again; without losses its time is known."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from satdoku.discovery import loaded

plan = loaded(str(Path(__file__).parents[2] / "benchmarks" / "plan.py"))


def made(**changed: float) -> object:
    usual = {"puzzles": 1e6, "shard": 1e4, "machines": 7, "rate": 100.0, "start": 10.0, "lost": 0.0, "replaced": 60.0}
    return plan.Plan(**{**usual, **changed})


def test_without_losses_it_takes_the_rounds_of_its_shards() -> None:
    run = plan.simulated(made(), 1)
    assert run.seconds == pytest.approx(math.ceil(100 / 7) * (10 + 1e4 / 100))
    assert run.busy == pytest.approx(100 * (10 + 1e4 / 100))
    assert (run.wasted, run.losses) == (0.0, 0)


def test_the_last_shard_has_the_rest() -> None:
    run = plan.simulated(made(puzzles=25_000, machines=1), 1)
    assert run.busy == run.seconds == pytest.approx(3 * 10 + 25_000 / 100)


@pytest.mark.parametrize("lost", [5.0, 20.0, 40.0])
def test_what_is_lost_is_done_again(lost: float) -> None:
    run = plan.simulated(made(lost=lost), 1)
    assert run.losses > 0
    assert run.busy - run.wasted == pytest.approx(100 * (10 + 1e4 / 100))
    assert run.seconds > plan.simulated(made(), 1).seconds
    assert run == plan.simulated(made(lost=lost), 1)
