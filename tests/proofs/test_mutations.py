"""Certificates with one thing changed, at random, for each kind of constraint: what is accepted is true."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from itertools import product
from random import Random

import pytest
from support.certificates import PAIRS, certifier

import satdoku
from satdoku import Session
from satdoku.errors import CertificateError
from satdoku.outcome import CertificateKind
from satdoku.proofs.certificate import of_record, record
from satdoku.proofs.checkers import Drat
from satdoku.proofs.verify import examine
from satdoku.puzzle import Mark, Puzzle

CELLS = [f"r{row}c{column}" for row, column in product(range(1, 7), repeat=2)]
KINDS = {"Linear": "cage", "Table": "thermometer", "Automaton": "quadruple", "AllDifferent": "extra-region"}


def drawn(rng: Random, kind: str, solution: tuple[int, ...]) -> Mark | None:
    """A mark of the kind that the solution obeys; None where it finds none."""
    row, column = rng.randrange(5), rng.randrange(5)
    cells = [6 * row + column, 6 * row + column + 1, 6 * row + column + 6, 6 * row + column + 7]
    values = [solution[cell] for cell in cells]
    places = tuple((cell // 6 + 1, cell % 6 + 1) for cell in cells)
    if kind == "cage":
        return Mark("cage", places[:3], value=sum(values[:3])) if len(set(values[:3])) == 3 else None
    if kind == "thermometer":
        line = places[:2] if values[0] < values[1] else places[1::-1]
        return Mark("thermometer", lines=(line,))
    if kind == "quadruple":
        return Mark("quadruple", places, value=" ".join(map(str, sorted(values[1:3]))))
    six = rng.sample(range(36), 6)
    differ = len({solution[cell] for cell in six}) == 6
    return Mark("extra-region", tuple((cell // 6 + 1, cell % 6 + 1) for cell in six)) if differ else None


@cache
def puzzle(kind: str, seed: int) -> Puzzle:
    """A 6x6 puzzle with marks of the kind and few givens."""
    if kind == "domain":
        return Puzzle(satdoku.classic(2, 2), PAIRS)
    rng = Random(f"{kind} {seed}")
    first = dict(enumerate(rng.sample(range(1, 7), 6)))
    solution = satdoku.solve(Puzzle.from_givens(satdoku.classic(2, 3), first)).grids[0]
    marks: list[Mark] = []
    while len(marks) < 5:
        marks += filter(None, [drawn(rng, KINDS[kind], solution)])
    found = satdoku.minimize(satdoku.build(size=6, marks=marks, givens=solution), seed=seed).puzzle
    assert found is not None
    return found


def changed(rng: Random, text: str) -> str:
    """The text with a number, a character or a line of it changed."""
    at = rng.randrange(len(text))
    lines = text.split("\n")
    line = rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            return text[:at] + rng.choice("0123456789 -d") + text[at + 1 :]
        case 1:
            return text[:at] + text[at + rng.choice((1, 1, 2, 5)) :]
        case 2:
            return "\n".join(lines[:line] + lines[line + 1 :])
        case 3:
            words = text.split(" ")
            one, other = rng.randrange(len(words)), rng.randrange(len(words))
            words[one], words[other] = words[other], words[one]
            return " ".join(words)
        case 4:
            digits = [at for at, letter in enumerate(text) if letter.isdigit()] or [at]
            at = rng.choice(digits)
            return text[:at] + rng.choice("123456789") + text[at + 1 :]
    return text[:at] + rng.choice("0123456789 -\nrc") + text[at:]


@cache
def truth(puzzle: Puzzle) -> tuple[str, frozenset[tuple[int, ...]]]:
    """The verdict by an engine that writes no proofs, and all solutions, of which there are few."""
    outcome = satdoku.solve(puzzle, limit=2000, backend="backtrack")
    return satdoku.check(puzzle).verdict.value, frozenset(outcome.grids)


def mutate(kind: str, number: int) -> Counter[str]:
    rng, checker = Random(f"{kind} {number}"), Drat()
    found: Counter[str] = Counter()
    with Session() as session:
        asked = product(range(4), (CertificateKind.VERDICT, CertificateKind.COUNT))
        whole = [certifier("auto").answer(session, puzzle(kind, seed), of, None) for seed, of in asked]
    records = [json.loads(record(each)) for each in whole]
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
        verdict, grids = truth(certificate.puzzle)
        if certificate.claim.value == "count":
            assert set(certificate.grids) == grids, fields
        else:
            assert certificate.claim.value == verdict, fields
            assert set(certificate.grids) == grids, fields
    return found


@pytest.mark.parametrize("kind", [*KINDS, "domain"])
@pytest.mark.parametrize("number", [300, pytest.param(20_000, marks=pytest.mark.slow)])
def test_nothing_false_is_accepted(kind: str, number: int) -> None:
    found = mutate(kind, number)
    assert found.total() == number
    assert found["puzzle refused"] > number // 8
    assert found["grids refused"] > number // 8
    assert found["grids accepted"] < number // 10  # space between grids
    if kind != "domain":
        constraint = {type(each).__name__ for each in puzzle(kind, 0).board.constraints}
        assert kind in constraint
