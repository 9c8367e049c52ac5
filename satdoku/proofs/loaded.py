"""A formula in the compiled checker. The rules of the last board stay loaded."""

from dataclasses import replace
from typing import Any

import numpy as np

from satdoku.kernels import rup
from satdoku.proofs.drup import EMPTY_CLAUSE, Numbers
from satdoku.proofs.formula import Formula

kernel: Any = rup

ROOM = 1 << 11  # integers of clauses beyond the rules that there is room for at least
MORE = 1 << 20  # variables, and integers, that there is room for beyond those of the largest proof, at most


class LoadedFormulas:
    """Loads the rules of a board once, and each formula into a copy of that."""

    def __init__(self) -> None:
        self._rules: Numbers | None = None
        self._room = 0
        self._kept: rup.CheckerState = rup.state(0, 0)
        self._copy = self._kept

    def state(self, formula: Formula, proof: Numbers = EMPTY_CLAUSE, room: int = 0) -> rup.CheckerState:
        """The formula loaded, room for the clauses of a proof, and so many integers more; good until the next call."""
        variables = max(formula.variables, int(np.abs(proof[proof != rup.DELETE]).max(initial=0)))
        room += len(formula.own) + len(proof)
        if formula.rules is not self._rules or room > self._room or variables >= len(self._kept.trail):
            self._load(formula.rules, variables + min(variables // 4, MORE), max(room + min(room, MORE), ROOM))
        clauses = int(self._kept.numbers[rup.CLAUSES])
        used = {
            "store": int(self._kept.begins[clauses]),
            "begins": clauses + 1,
            "following": 2 * clauses,
            "chain": clauses,
            "active": clauses,
        }
        for name, copy, kept in zip(rup.CheckerState._fields, self._copy, self._kept, strict=True):
            copy[: used.get(name)] = kept[: used.get(name)]
        kernel.load(formula.own, self._copy)
        return self._copy

    def simplified(self, formula: Formula) -> list[list[int]] | None:
        """The clauses that units alone leave open, without the literals that they refute; None if they refute all."""
        state = self.state(formula)
        if state.numbers[rup.CONFLICT]:
            return None
        literals = np.concatenate([formula.rules, formula.own])
        value = state.value[np.where(literals > 0, 2 * literals, 1 - 2 * literals)]
        value[literals == 0] = 0
        ends = np.flatnonzero(literals == 0)
        true = np.maximum.reduceat(value, np.concatenate([[0], ends[:-1] + 1])) == rup.TRUE
        kept = (value != rup.FALSE) & ~np.repeat(true, np.diff(ends, prepend=-1))
        return list(replace(formula, rules=EMPTY_CLAUSE[:0], own=literals[kept]))

    def _load(self, rules: Numbers, variables: int, room: int) -> None:
        self._rules, self._room = rules, room
        self._kept = rup.state(variables, len(rules) + room)
        kernel.load(rules, self._kept)
        # Nothing is written yet, so that what is not used takes no memory.
        self._copy = rup.CheckerState._make(np.zeros_like(array) for array in self._kept)
