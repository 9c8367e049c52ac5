"""Certificates with one thing changed, at random, for each kind of constraint: what is accepted is true."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest
from support.attacks.forgeries import KINDS, attempt, certificates, changed, puzzle, untrue

from satdoku.errors import CertificateError
from satdoku.proofs.certificate import of_record, record
from satdoku.proofs.checkers import Drat
from satdoku.proofs.verify import examine


def mutate(kind: str, number: int) -> Counter[str]:
    rng, checker = Random(f"{kind} {number}"), Drat()
    found: Counter[str] = Counter()
    records = [json.loads(record(each)) for each in certificates(kind)]
    for _ in range(number):
        fields = dict(rng.choice(records))
        name = rng.choice([name for name in ("puzzle", "puzzle", "grids", "proof") if fields.get(name)])
        fields[name] = changed(rng, fields[name])
        try:
            certificate = of_record(json.dumps(fields).encode())
            examine(certificate, checker)
        except CertificateError:
            found[f"{name} refused"] += 1
            continue
        found[f"{name} accepted"] += 1
        assert untrue(certificate) is None, fields
    return found


@pytest.mark.parametrize("kind", [*KINDS, "domain"])
@pytest.mark.parametrize("number", [300, pytest.param(5_000, marks=pytest.mark.slow)])
def test_nothing_false_is_accepted(kind: str, number: int) -> None:
    found = mutate(kind, number)
    assert found.total() == number
    assert found["puzzle refused"] > number // 8
    assert found["grids refused"] > number // 8
    assert found["grids accepted"] < number // 10  # space between grids
    if kind != "domain":
        constraint = {type(each).__name__ for each in puzzle(kind, 0).board.constraints}
        assert kind in constraint


@pytest.mark.parametrize("numbers", [range(100), pytest.param(range(100, 2_000), marks=pytest.mark.slow)])
def test_forged_files_are_refused_or_true(numbers: range) -> None:
    assert [f"{number}: {fault}" for number in numbers if (fault := attempt(number))] == []
