"""How much search a puzzle takes: what a program does, which says little of what people find hard."""

from __future__ import annotations

from dataclasses import dataclass

from satdoku.backends import Budget, Drain, Ending
from satdoku.backends.backtrack import backtrack
from satdoku.puzzle import Puzzle

MAX_NODES = 20_000
"""Values tried after which the search is given up: a bound that is the same on every machine."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What `backtrack` needed to show that a puzzle has one solution.

    label: `singles only` if each value was the only one left for a cell, or a value's only place in a
           house; `needs guessing` if some was tried and taken back; `unknown` if it was given up
    """

    label: str
    nodes: int  # values tried


def effort(puzzle: Puzzle) -> Effort:
    """The effort of a puzzle that has one solution."""
    engine = backtrack(nodes=MAX_NODES)
    ending = Drain(engine.search(puzzle, Budget(2))).finish()
    nodes = engine.statistics()["nodes"]
    if ending is Ending.TIMEOUT:
        return Effort("unknown", nodes)
    # Every open cell takes one node; each further one was a value that did not stand.
    return Effort("singles only" if nodes == puzzle.givens.count(0) else "needs guessing", nodes)
