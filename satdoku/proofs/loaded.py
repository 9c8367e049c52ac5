"""A formula in the compiled checker. The rules of the last board stay loaded."""

from __future__ import annotations

from typing import Any

import numpy as np

from satdoku.kernels import rup as kernel
from satdoku.proofs.drup import EMPTY, Numbers
from satdoku.proofs.formula import Formula

rup: Any = kernel

ROOM = 1 << 11
"""Integers of clauses beyond the rules that there is room for at least."""


class Loaded:
    """Loads the rules of a board once, and each formula into a copy of that."""

    def __init__(self) -> None:
        self._rules: Numbers | None = None
        self._room = 0
        self._kept = self._copy = rup.state(0, 0, 0)

    def state(self, formula: Formula, proof: Numbers = EMPTY) -> kernel.State:
        """The formula loaded, and room for the clauses of a proof; good until the next call."""
        variables = max(formula.variables, int(np.abs(proof[proof != rup.DELETE]).max(initial=0)))
        room = len(formula.own) + len(proof)
        if formula.rules is not self._rules or room > self._room or len(self._kept.trail) != variables + 1:
            self._load(formula.rules, variables, max(2 * room, ROOM))
        for copy, kept in zip(self._copy, self._kept, strict=True):
            copy[:] = kept
        rup.load(formula.own, self._copy)
        return self._copy

    def _load(self, rules: Numbers, variables: int, room: int) -> None:
        self._rules, self._room = rules, room
        self._kept = rup.state(variables, int((rules == 0).sum()) + room, len(rules) + room)
        rup.load(rules, self._kept)
        self._copy = rup.State._make(array.copy() for array in self._kept)
