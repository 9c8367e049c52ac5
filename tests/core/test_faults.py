"""Faults that are planted on purpose: the comparison with brute force finds each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from satdoku import Budget, Ending, Grid, Puzzle
from satdoku import testing as kit
from satdoku.backends import Search, backtrack, find, solvers
from satdoku.backends.sat import Sat
from satdoku.cache import SizedCache
from satdoku.constraints import machine_of
from satdoku.encoders import at_most_one, automaton, constraints
from satdoku.encoders.clauses import Clauses, Literals
from satdoku.encoders.cnf import Cnf

BOARDS = 50
"""Boards within which a fault has to show; as many as the default tests compare."""

Patch = pytest.MonkeyPatch


def found(backend: str = "cadical153", encoding: str | None = None) -> str:
    """The fault that the comparison finds; empty if it finds none."""
    return kit.first_fault(partial(find, backend, encoding), kit.cases(BOARDS)) or ""


def replace_pairwise(patch: Patch, write: at_most_one.Write) -> None:
    """Plant another pairwise method in the table that encodings take theirs from."""
    patch.setitem(at_most_one.METHODS, "pairwise", replace(at_most_one.METHODS["pairwise"], write=write))


def without_cell_pairs(patch: Patch) -> None:
    pairwise = at_most_one.pairwise

    def skipping(clauses: Clauses, groups: Literals) -> None:
        # The variables of one cell are consecutive, those of one value are not.
        if not (np.diff(groups, axis=1) == 1).all():
            pairwise(clauses, groups)

    replace_pairwise(patch, skipping)


def keep_nothing(patch: Patch) -> None:
    """Layers and clauses of automata and tables are made anew, and are not left to other tests."""
    patch.setattr(automaton, "_layers", SizedCache[Any](0))
    patch.setattr(constraints, "_templates", SizedCache[Any](0))


def test_without_a_plant_nothing_is_found() -> None:
    assert found() == ""


@pytest.mark.parametrize("encoding", ["minimal", "efficient", "extended"])
def test_a_missing_at_most_one_of_cells(monkeypatch: Patch, encoding: str) -> None:
    without_cell_pairs(monkeypatch)
    assert "the model gives" in found(encoding=encoding)


def test_full_houses_hide_a_missing_at_most_one_of_cells(monkeypatch: Patch) -> None:
    classics = [case for case in kit.cases(200) if case.puzzles[0].board.marks]
    assert len(classics) > 20
    without_cell_pairs(monkeypatch)
    assert kit.first_fault(partial(find, "cadical153"), classics) is None


def test_a_missing_at_least_one_of_cells(monkeypatch: Patch) -> None:
    extend = Clauses.extend
    monkeypatch.setattr(
        Clauses, "extend", lambda self, rows: None if (np.asarray(rows) > 0).all() else extend(self, rows)
    )
    assert "no value" in found(encoding="efficient")


def test_a_missing_pair_of_an_all_different(monkeypatch: Patch) -> None:
    pairwise = at_most_one.pairwise
    replace_pairwise(monkeypatch, lambda clauses, groups: pairwise(clauses, groups[:, : groups.shape[1] - 1]))
    assert found()


def _misread(monkeypatch: Patch, changed: Callable[[Cnf, list[int], list[int]], list[int]]) -> None:
    """Let the literals that say a grid be changed(cnf, model, right ones)."""
    read = Cnf.read

    def misread(self: Cnf, model: Iterable[int]) -> tuple[Grid, list[int]]:
        literals = list(model)
        grid, right = read(self, literals)
        return grid, changed(self, literals, right)

    monkeypatch.setattr(Cnf, "read", misread)


def test_blocking_the_whole_model_repeats_grids(monkeypatch: Patch) -> None:
    _misread(monkeypatch, lambda cnf, model, _: [one for one in model if abs(one) <= cnf.clauses.variables])
    assert "duplicate solution" in found()


def test_blocking_that_can_be_met_by_an_auxiliary_variable_repeats_grids(monkeypatch: Patch) -> None:
    def weakened(cnf: Cnf, _: list[int], right: list[int]) -> list[int]:
        cells = cnf.board.cells * cnf.board.values
        return [*right, *range(-cnf.clauses.variables, -cells)]

    _misread(monkeypatch, weakened)
    assert "duplicate solution" in found()


def test_blocking_that_forgets_a_cell_loses_grids(monkeypatch: Patch) -> None:
    _misread(monkeypatch, lambda cnf, model, right: right[1:])
    assert "grids, expected" in found()


def test_blocking_clauses_that_outlive_their_search_lose_grids(monkeypatch: Patch) -> None:
    add = solvers.PySatSolver.add_clause
    # Without its selector, which comes first, a clause holds for good.
    monkeypatch.setattr(
        solvers.PySatSolver, "add_clause", lambda self, clause: add(self, clause[1:] if len(clause) > 1 else clause)
    )
    assert "grids, expected" in found()


def test_candidates_that_are_not_removed(monkeypatch: Patch) -> None:
    restrict = Cnf.restrict

    def givens_only(self: Cnf, puzzle: Puzzle) -> tuple[list[int], list[list[int]]]:
        must, clauses = restrict(self, puzzle)
        return [literal for literal in must if literal > 0], clauses

    monkeypatch.setattr(Cnf, "restrict", givens_only)
    assert "is not a solution" in found()


def ends_as(ending: Ending, instead_of: Ending) -> Callable[[Any, Puzzle, Budget], Search]:
    run = Sat._run

    def lying(self: Sat, puzzle: Puzzle, budget: Budget) -> Search:
        true = yield from run(self, puzzle, budget)
        return ending if true is instead_of else true

    return lying


def test_a_limit_that_is_reported_as_exhausted(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Sat, "_run", ends_as(Ending.EXHAUSTED, Ending.LIMIT))
    assert "ended Ending.EXHAUSTED after" in found()


def test_an_exhausted_search_that_is_reported_as_cut(monkeypatch: Patch) -> None:
    monkeypatch.setattr(Sat, "_run", ends_as(Ending.LIMIT, Ending.EXHAUSTED))
    assert "ended Ending.LIMIT after" in found()


def test_one_grid_more_than_the_limit(monkeypatch: Patch) -> None:
    run = Sat._run

    def generous(self: Sat, puzzle: Puzzle, budget: Budget) -> Search:
        return run(self, puzzle, Budget(None if budget.limit is None else budget.limit + 1))

    monkeypatch.setattr(Sat, "_run", generous)
    assert "grids, expected" in found()


def test_an_automaton_that_accepts_wherever_it_ends(monkeypatch: Patch) -> None:
    keep_nothing(monkeypatch)
    monkeypatch.setattr(automaton, "machine_of", lambda rule: machine_of(rule)._replace(accepts=lambda state: True))
    assert "is not a solution" in found()


def test_states_that_are_merged_though_their_futures_differ(monkeypatch: Patch) -> None:
    unroll = automaton.unroll

    def collapsed(rule: Any, values: Any) -> Any:
        layers = unroll(rule, values)
        return layers and [[{value: 0 for targets in layer for value in targets}] for layer in layers]

    keep_nothing(monkeypatch)
    monkeypatch.setattr(automaton, "unroll", collapsed)
    assert "is not a solution" in found()


def test_a_table_whose_largest_value_is_overlooked(monkeypatch: Patch) -> None:
    support = constraints.support
    keep_nothing(monkeypatch)
    monkeypatch.setattr(
        constraints,
        "support",
        lambda clauses, rule, cells, *unless: support(
            clauses, rule, replace(cells, values_of=lambda cell: cells.values_of(cell)[:-1]), *unless
        ),
    )
    assert found()


def test_a_search_by_hand_that_never_looks_at_rules_of_other_kinds(monkeypatch: Patch) -> None:
    monkeypatch.setattr(backtrack, "possibility", lambda rule: lambda grid, allowed: True)
    assert "is not a solution" in found("backtrack")


def test_a_model_whose_domains_stay_those_of_the_puzzle_before(monkeypatch: Patch) -> None:
    from satdoku.encoders.cpsat import Model

    restrict, restricted = Model.restrict, set()

    def once(self: Model, puzzle: Puzzle) -> None:
        if id(self.model) not in restricted:
            restricted.add(id(self.model))
            restrict(self, puzzle)

    monkeypatch.setattr(Model, "restrict", once)
    assert found("cpsat")
