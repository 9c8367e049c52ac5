"""What candidates, explain and minimize have in common: one incremental solver that stays loaded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from satdoku.batch.questions import Answer, Emit
from satdoku.inputs.items import Item

if TYPE_CHECKING:
    from satdoku.backends.incremental import IncrementalSolver


class Solving:
    """One worker's incremental solver, and a function that answers an item by it."""

    def __init__(self, ask: Callable[[IncrementalSolver, Item], Answer]) -> None:
        from satdoku.backends.incremental import IncrementalSolver

        self._ask = ask
        self._solver = IncrementalSolver()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        return self._ask(self._solver, item)

    def close(self) -> None:
        self._solver.close()
