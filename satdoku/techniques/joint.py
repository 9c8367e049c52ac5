"""Constraints looked at together: which candidates of their cells occur in some way to keep all of them.

A candidate that no way has is excluded. The search is bounded, and what it does not reach counts as supported, so that
what is excluded is excluded rightly.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from satdoku.constraints import Constraint
from satdoku.techniques.grid import BoardLayout
from satdoku.techniques.joint_plain import PlainJoint
from satdoku.techniques.joint_search import SearchedJoint

Way = tuple[int, ...]
"""For each cell of some constraints a value, as the set of it alone."""


class Joint(Protocol):
    """Constraints, and houses that are filled whole, over the candidates of a grid.

    cells:  those that they look at, each once
    houses: the cells of each house
    """

    cells: tuple[int, ...]
    houses: tuple[int, ...]

    def supported(self, left: Sequence[int], known: list[Way] | None = None) -> dict[int, int]:
        """For each cell the candidates that have support; empty sets if there is no way at all.

        known: ways to keep the constraints with these candidates, to which those that are found are added
        """

    def ways(self, left: Sequence[int], most: int) -> list[tuple[int, ...]] | None:
        """Every way to keep the constraints, values in the order of `cells`; None if they are many."""


def joint_of(layout: BoardLayout, rules: Iterable[Constraint], houses: Iterable[int] = ()) -> Joint:
    """Some constraints of a board, and the cells of some of its houses."""
    joint = SearchedJoint(layout, rules, houses)
    return joint if joint.possible else PlainJoint(layout, joint.rules, joint.houses)
