"""Proofs of a search, whose clauses begin with the same literals: what is propagated for those is kept."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from support.amount import tries
from support.certificates import accepted, accepted_by_dratify, flat, simple

from satdoku.proofs.drup import DELETE

Clauses = list[list[int]]


def propagated(clauses: Clauses, assumed: list[int]) -> set[int] | None:
    """What is true if all of `assumed` is; None for a conflict."""
    true = set(assumed)
    while True:
        left = [[each for each in clause if -each not in true] for clause in clauses if true.isdisjoint(clause)]
        if [] in left:
            return None
        new = {clause[0] for clause in left if len(clause) == 1}
        if not new:
            return true
        true |= new


def searched(clauses: Clauses, variables: int, assumed: list[int], rng: Random) -> Iterator[list[int]]:
    """The clauses that a search writes down: where propagation fails, and where both values of a variable have."""
    true = propagated(clauses, assumed)
    if true is not None:
        unset = [each for each in range(1, variables + 1) if not {each, -each} & true]
        if not unset:
            raise LookupError
        chosen = rng.choice(unset) * rng.choice((1, -1))
        yield from searched(clauses, variables, [*assumed, chosen], rng)
        yield from searched(clauses, variables, [*assumed, -chosen], rng)
    yield [-literal for literal in assumed]


def refuted(rng: Random) -> tuple[Clauses, Clauses]:
    """Random clauses without a solution, and a proof that some search finds."""
    while True:
        variables = rng.randint(5, 10)
        names = range(1, variables + 1)
        clauses = [[name * rng.choice((1, -1)) for name in rng.sample(names, 3)] for _ in range(5 * variables)]
        try:
            return clauses, list(searched(clauses, variables, [], rng))
        except LookupError:
            continue


def test_proofs_of_searches_hold() -> None:
    rng, lengths = Random(1), []
    for _ in range(40):
        clauses, steps = refuted(rng)
        assert accepted(simple(*clauses), flat(steps))
        lengths.append(len(steps))
    assert max(lengths) > 12


def test_changed_ones_hold_where_they_hold_for_dratify() -> None:
    """One literal turned, a step left out, put elsewhere, shortened or lengthened, or a clause deleted between two."""
    rng, found = Random(2), {True: 0, False: 0}
    for _ in range(tries(40, 90)):
        clauses, steps = refuted(rng)
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(steps))
            match rng.choice(("turn", "leave", "move", "shorten", "lengthen", "delete", "delete")):
                case "turn" if steps[at] and steps[at][0] != DELETE:
                    steps[at] = [
                        -literal if k == 0 else literal
                        for k, literal in enumerate(rng.sample(steps[at], len(steps[at])))
                    ]
                case "leave":
                    del steps[at]
                case "move":
                    steps.insert(rng.randrange(len(steps)), steps.pop(at))
                case "shorten" if steps[at][:1] != [DELETE]:
                    steps[at] = steps[at][:-1]
                case "lengthen" if steps[at] and steps[at][0] != DELETE:
                    steps[at] = [*steps[at], steps[at][0], rng.choice(clauses)[0]]
                case "delete":
                    steps.insert(
                        at,
                        [
                            DELETE,
                            *rng.choice([*clauses, *(each for each in steps[:at] if each[:1] != [DELETE] and each)]),
                        ],
                    )
            steps = steps or [[]]
        ours = accepted(simple(*clauses), flat(steps))
        assert ours is accepted_by_dratify(simple(*clauses), flat(steps)), (clauses, steps)
        found[ours] += 1
    assert min(found.values()) > tries(3, 15)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_pauses_keep_what_is_assumed(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.proofs.checkers.SLICE", length)
    rng = Random(3)
    for _ in range(15):
        clauses, steps = refuted(rng)
        assert accepted(simple(*clauses), flat(steps))
        assert not accepted(simple(*clauses), flat(steps[:-1]))
