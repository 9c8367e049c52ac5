"""The propagator of how often each value occurs: it strikes no solution, and what follows from sets and from groups."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from support.propagated import compare, propagated, random_domains

from satdoku import AllDifferent, Automaton, Board, Verdict, check, read
from satdoku.constraints import Constraint
from satdoku.kernels.propagators import languages, lower, program
from satdoku.variants.relations import CellList

Counts = Sequence[tuple[int, ...]]


def counted(cells: Sequence[int], counts: Counts) -> list[Automaton]:
    """How often each value from 1 on occurs in the cells."""
    on = CellList(range(1, len(counts) + 1), tuple(cells), "counted")
    return [on.exactly(value, *those) for value, those in enumerate(counts, 1)]


def random_counts(rng: Random, values: int, length: int) -> list[tuple[int, ...]]:
    often = [rng.randint(0, length) for _ in range(values)]
    return [(0, each) if rng.random() < 0.8 else (each,) for each in often]


@pytest.mark.parametrize("houses", [0, 1, 2])
def test_no_solution_is_struck(houses: int) -> None:
    rng, made = Random(houses), 0
    for _ in range(250):
        values, length = rng.randint(3, 4), rng.randint(2, 5)
        rules: list[Constraint] = [*counted(range(length), random_counts(rng, values, length))]
        for _ in range(houses):
            rules.append(AllDifferent(tuple(rng.sample(range(length), min(values, rng.randint(2, length)))), "house"))
        board = Board(length, values, 1, tuple(rules))
        if any(row[0] == program.OCCURRENCES for row in lower.program(board).rows.tolist()):
            made += 1
            compare(board, program.OCCURRENCES, rng, None, 0.7)
    assert made > 200


def test_as_much_is_struck_as_by_the_automata_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rng, more = Random(4), 0
    for _ in range(200):
        values, length = rng.randint(3, 4), rng.randint(3, 5)
        board = Board(length, values, 1, (*counted(range(length), random_counts(rng, values, length)),))
        domains = random_domains(rng, board, 0.7)
        left = propagated(board, domains, program.OCCURRENCES)
        with monkeypatch.context() as patched:
            patched.setattr(languages, "MAX_FILLING", 0)
            patched.setattr(languages, "sets_covered", lambda *_: ())
            alone = propagated(board, domains, program.AUTOMATON)
        more += alone is not None and left != alone
        if alone is None or left is None:
            assert left is None, (board, domains)
        else:
            assert all(value <= kept for value, kept in zip(left, alone, strict=True)), (board, domains)
    assert more > 30


CIRCLES = [(0, 1), (0, 2), (0, 3), (0, 4)]


@pytest.mark.parametrize(
    ("length", "houses", "domains", "left"),
    [
        # 3 cells are a 3 three times, or a 1 and a 2 twice; where one cannot be a 3, none can.
        (3, (), [{1, 2}, {1, 2, 3}, {1, 2, 3, 4}], [{1, 2}] * 3),
        # 4 cells are 4 four times, or a 1 and 3 three times, and the 1 has one place.
        (4, (), [{3, 1}, {3, 4}, {3, 4}, {3, 4}], [{1}, {3}, {3}, {3}]),
        # A 3 needs three groups of cells that differ, and there are two: a 2 is in each, so that the cell alone is 2.
        (3, ((0, 1),), [{1, 2, 3}] * 3, [{1, 2}, {1, 2}, {2}]),
        # Cells that see all of a group in which a value must be do not hold it.
        (3, ((0, 1, 3),), [{1, 2}, {1, 2}, {1, 2}, {1, 2, 3}], [{1, 2}, {1, 2}, {2}, {3}]),
        (3, (), [{4}, {1, 2}, {1, 2}], None),
    ],
)
def test_what_follows_from_sets_and_groups(
    length: int, houses: Sequence[tuple[int, ...]], domains: list[set[int]], left: list[set[int]] | None
) -> None:
    rules: list[Constraint] = [*counted(range(length), CIRCLES), *(AllDifferent(cells, "house") for cells in houses)]
    assert propagated(Board(len(domains), 4, 1, tuple(rules)), domains, program.OCCURRENCES) == left


@pytest.mark.parametrize(
    "rules",
    [
        counted(range(3), CIRCLES)[:3],  # one value is counted nowhere
        counted(range(3), [(0, 1, 2), (0, 2), (0, 3), (0, 4)]),  # in two ways
        [*counted(range(3), CIRCLES[:3]), *counted((0, 2, 1), [(), (), (), (0, 2)])[3:]],  # not over the same cells
        counted((0, 1, 1), CIRCLES),  # a cell twice
    ],
    ids=["missing", "two ways", "other cells", "twice"],
)
def test_other_counts_stay_automata(rules: list[Automaton]) -> None:
    kinds = [row[0] for row in lower.program(Board(3, 4, 1, tuple(rules))).rows.tolist()]
    assert program.OCCURRENCES not in kinds and len(kinds) == len(rules)


def test_many_values_have_too_many_sets_to_be_listed() -> None:
    assert languages.sets_that_fill([frozenset({0, 1})] * 9, 4) is not None
    assert languages.sets_that_fill([frozenset({0, 1})] * 16, 8) is None


@pytest.mark.parametrize("seed", range(6))
def test_counts_of_boards_are_those_of_another_engine(seed: int) -> None:
    rng = Random(f"circles {seed}")
    cells = rng.sample([f"r{row}c{column}" for row in range(1, 7) for column in range(1, 7)], rng.randint(8, 20))
    puzzle = read(f'size = 6\nboxes = "2x3"\ncounting-circles = ["{" ".join(cells)}"]\n')
    found = check(puzzle, backend="native", timeout=60)
    assert found.verdict is check(puzzle, backend="glucose4", timeout=60).verdict is not Verdict.UNDECIDED
