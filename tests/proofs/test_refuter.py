"""The search of `native` that writes proofs: it refutes what has no solution, by steps that follow, and no more."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from pysat.solvers import Cadical153
from support.certificates import accepted_by_dratify, flat

from satdoku import backends
from satdoku.backends.refuter import MIN_STEPS, Refuter
from satdoku.errors import BackendError
from satdoku.proofs.checkers import Rup
from satdoku.proofs.drup import DELETE, Numbers
from satdoku.proofs.formula import Formula
from satdoku.system.clock import Deadline


def formula(rng: Random, variables: int, ratio: float) -> Formula:
    """Random clauses of three literals over some cells of three values, and further variables."""
    names = range(1, variables + 1)
    clauses = [[name * rng.choice((1, -1)) for name in rng.sample(names, 3)] for _ in range(int(ratio * variables))]
    cells, half = rng.randint(0, variables // 3), len(clauses) // 2
    return Formula(variables, cells, 3, flat(clauses[:half]), flat(clauses[half:]))


def satisfied(some: Formula) -> bool:
    with Cadical153(bootstrap_with=list(some)) as solver:
        return bool(solver.solve())


def unsatisfied(variables: int, ratio: float) -> Formula:
    return next(some for some in (formula(Random(seed), variables, ratio) for seed in range(50)) if not satisfied(some))


def refuted(some: Formula) -> Numbers | None:
    """The proof; None if there is a solution."""
    try:
        proof = backends.prover("native").refute(some, None, Deadline(None))
    except BackendError as error:
        assert "nothing to prove, there is another grid" in str(error)
        return None
    assert proof is not None
    return proof


@pytest.mark.parametrize("variables", [9, 30, 60, 120])
def test_it_refutes_what_has_no_solution(variables: int) -> None:
    rng, steps = Random(variables), []
    for _ in range(40):
        some = formula(rng, variables, 4.5)
        proof = refuted(some)
        assert (proof is None) is satisfied(some)
        if proof is not None:
            Rup().check(some, proof)
            assert variables > 30 or accepted_by_dratify(some, proof)
            steps.append(int((proof == 0).sum()))
    assert 5 < len(steps) < 40
    assert max(steps) > variables // 3


def with_setting(some: Formula, name: str, value: int, monkeypatch: pytest.MonkeyPatch) -> tuple[Numbers, Numbers]:
    """The proof as it usually is, and with a setting of the refuter changed."""
    whole = refuted(some)
    monkeypatch.setattr(f"satdoku.backends.refuter.{name}", value)
    changed = refuted(some)
    assert whole is not None and changed is not None
    return whole, changed


def test_it_forgets_the_longer_half_of_what_it_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    some = unsatisfied(150, 4.6)
    whole, proof = with_setting(some, "LEARNED", 0, monkeypatch)
    assert DELETE not in whole
    assert (proof == DELETE).sum() > 20
    Rup().check(some, proof)
    steps = np.split(proof, np.flatnonzero(proof == 0) + 1)
    learned = {tuple(step) for step in steps if DELETE not in step}
    assert all(tuple(step[1:]) in learned for step in steps if DELETE in step)


def test_pauses_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, paused = with_setting(unsatisfied(90, 4.6), "STEPS", 1, monkeypatch)
    assert len(whole) > 500
    assert (np.diff(np.flatnonzero(whole == 0)) == 2).any()  # a unit clause, after which nothing is assumed
    assert paused.tolist() == whole.tolist()


def test_assumptions_are_steps_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.backends.refuter.MIN_STEPS", 3)
    free = Formula(60, 4, 3, flat([[-1, -2]]), flat([[-name, -name - 1] for name in range(3, 60, 2)]))
    assert Refuter().refute(free, None, Deadline(None), 0) is None
    assert refuted(free) is None  # for it has a solution


def test_given_up_where_it_takes_more_conflicts() -> None:
    some = unsatisfied(200, 4.4)
    proof = refuted(some)
    assert proof is not None and (proof == 0).sum() > MIN_STEPS
    assert Refuter().refute(some, None, Deadline(None), 0) is None
