"""Every encoding and every backend finds all grids of random small boards, and no others."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from support import kit

from satdoku import AllDifferent, Automaton, Board, Budget, Ending, Linear, Puzzle, Table, classic
from satdoku.backends import engine, find
from satdoku.encoders.at_most_one import METHODS
from satdoku.encoders.cnf import PAIRWISE, REDUCED, encodings
from satdoku.referee import violations

BOARDS = 25
BOARDS_OF_FORMS = 6
FEWER_BOARDS = 3
BOARDS_OF_LONG_FUZZ = 2_000
FEWER_BOARDS_OF_LONG_FUZZ = 60


SIX = {0: 3, 2: 4, 3: 2, 4: 5, 12: 4, 13: 1, 15: 6, 19: 3, 21: 5, 25: 2}
"""Givens of a 6x6 with 14 grids under boxes of 2x3, and 23 under boxes of 3x2."""


def forms() -> list[str]:
    """Every encoding with every at-most-one method, whole and reduced, as far as it takes them."""
    found = []
    for encoding in encodings().values():
        methods = [f"+{method}" for method in METHODS if method != PAIRWISE] if encoding.methods else []
        found += [encoding.name + method + reduced for method in ["", *methods] for reduced in ("", f"+{REDUCED}")]
    return found


def boards(backend: str) -> int:
    return FEWER_BOARDS if backend in kit.SLOW else BOARDS


@pytest.mark.parametrize("encoding", sorted(encodings()))
def test_every_encoding_has_exactly_the_grids_of_brute_force(encoding: str) -> None:
    assert kit.first_fault(partial(find, "cadical153", encoding), kit.cases(BOARDS)) is None


@pytest.mark.parametrize("form", [form for form in forms() if "+" in form])
def test_every_form_of_an_encoding_has_exactly_the_grids_of_brute_force(form: str) -> None:
    assert kit.first_fault(partial(find, "cadical153", form), kit.cases(BOARDS_OF_FORMS)) is None


@pytest.mark.parametrize("form", forms())
def test_every_form_of_an_encoding_keeps_all_grids_of_boards_with_boxes(form: str) -> None:
    for board, givens, count in ((classic(2, 2), {}, 288), (classic(2, 3), SIX, 14), (classic(3, 2), SIX, 23)):
        puzzle = Puzzle.from_givens(board, givens)
        backend = find("cadical153", form)
        try:
            grids, ending = kit.collect(backend.search(puzzle, Budget(None)))
        finally:
            backend.close()
        assert (len(grids), len(set(grids)), ending) == (count, count, Ending.EXHAUSTED)
        assert not any(list(violations(puzzle, grid)) for grid in grids)


@pytest.mark.parametrize("backend", kit.installed())
def test_every_backend_has_exactly_the_grids_of_brute_force(backend: str) -> None:
    assert kit.first_fault(partial(find, backend), kit.cases(boards(backend))) is None


@pytest.mark.slow
@pytest.mark.parametrize("encoding", sorted(encodings()))
@pytest.mark.parametrize("backend", [name for name in kit.installed() if engine(name).encodes])
def test_every_encoding_through_every_sat_solver_on_many_boards(backend: str, encoding: str) -> None:
    count = FEWER_BOARDS_OF_LONG_FUZZ if backend in kit.SLOW else BOARDS_OF_LONG_FUZZ
    assert kit.first_fault(partial(find, backend, encoding), kit.cases(count, start=1_000)) is None


@pytest.mark.slow
@pytest.mark.parametrize("backend", [name for name in kit.installed() if not engine(name).encodes])
def test_every_other_backend_on_many_boards(backend: str) -> None:
    assert kit.first_fault(partial(find, backend), kit.cases(BOARDS_OF_LONG_FUZZ, start=1_000)) is None


@pytest.mark.parametrize("backend", kit.installed())
def test_an_abandoned_search_leaves_nothing_behind(backend: str) -> None:
    engine = find(backend)
    puzzle = Puzzle.from_givens(classic(2, 2), [1, 3, 0, 0, 0, 0, 3, 1, 3, 1, 0, 0, 0, 2, 1, 3])
    try:
        abandoned = engine.search(puzzle, Budget(None))
        first = next(abandoned)
        abandoned.close()
        grids, ending = kit.collect(engine.search(puzzle, Budget(None)))
        assert first in grids
        assert (len(set(grids)), len(grids), ending) == (2, 2, Ending.EXHAUSTED)
    finally:
        engine.close()


@pytest.mark.parametrize("backend", kit.installed())
def test_searches_of_one_backend_may_take_turns(backend: str) -> None:
    engine, limit = find(backend), 6 if backend in kit.SLOW else 60
    boards = (classic(2, 2), classic(2, 3), classic(2, 2), classic(2, 3))
    puzzles = [Puzzle.from_givens(board, {}) for board in boards]
    try:
        searches = [engine.search(puzzle, Budget(limit)) for puzzle in puzzles]
        found = [[next(search), next(search)] for search in searches]
        found = [[*grids, next(search)] for grids, search in zip(found, searches, strict=True)]
        for grids, search, puzzle in zip(found, searches, puzzles, strict=True):
            more, ending = kit.collect(search)
            assert ending is Ending.LIMIT
            assert len({*grids, *more}) == limit
            assert not any(list(violations(puzzle, grid)) for grid in (*grids, *more))
        grids, ending = kit.collect(engine.search(Puzzle.from_givens(boards[0], {0: 1, 5: 3}), Budget(None)))
        assert (len(set(grids)), len(grids), ending) == (24, 24, Ending.EXHAUSTED)
    finally:
        engine.close()


@pytest.mark.parametrize("backend", ["cadical153", "cpsat", "backtrack", "kissat404"])
def test_closing_a_backend_ends_its_searches(backend: str) -> None:
    engine = find(backend)
    searches = [engine.search(Puzzle.from_givens(classic(2, 2), {}), Budget(None)) for _ in range(2)]
    for search in searches:
        next(search)
    engine.close()
    assert [next(search, None) for search in searches] == [None, None]


def test_brute_force_agrees_with_counts_by_hand() -> None:
    pair = Board(2, 4, 2, (Linear((0, 1), (1, 1), 5, "sum"),))
    assert kit.brute_force(Puzzle.from_givens(pair, {})) == {(1, 4), (2, 3), (3, 2), (4, 1)}
    assert kit.brute_force(Puzzle.from_givens(pair, {1: 3})) == {(2, 3)}
    assert len(kit.brute_force(Puzzle.from_givens(Board(3, 4, 3, (AllDifferent((0, 1, 2), "cage"),)), {}))) == 24
    assert kit.brute_force(Puzzle(pair, (0b11110, 0))) == frozenset()


def test_random_boards_are_the_same_in_every_run() -> None:
    assert kit.random_puzzle(Random(7)) == kit.random_puzzle(Random(7))
    assert kit.random_puzzle(Random(7)) != kit.random_puzzle(Random(8))


def test_random_boards_reach_every_kind_of_constraint_and_every_number_of_grids() -> None:
    among = list(kit.cases(80))
    rules = [rule for case in among for rule in case.puzzles[0].board.constraints]
    values = {id(rule): case.puzzles[0].board.values for case in among for rule in case.puzzles[0].board.constraints}
    tables = [rule for rule in rules if isinstance(rule, Table)]
    machines = [rule for rule in rules if isinstance(rule, Automaton)]
    sums = [rule for rule in rules if isinstance(rule, Linear)]
    cages = [rule for rule in rules if isinstance(rule, AllDifferent)]
    assert {len(rule.cells) for rule in tables} == {0, 1, 2, 3}
    assert any(not rule.tuples for rule in tables)
    assert any(len(set(rule.cells)) < len(rule.cells) for rule in machines)
    assert any(not rule.accepting for rule in machines)
    assert any(min(rule.coefficients, default=0) < 0 for rule in sums)
    assert any(not rule.cells for rule in sums)
    assert {len(rule.cells) == values[id(rule)] for rule in cages} == {True, False}

    sets = [allowed for case in among for puzzle in case.puzzles for allowed in puzzle.candidates]
    assert {min(allowed.bit_count(), 3) for allowed in sets} == {0, 1, 2, 3}

    counts = [len(truth) for case in among for truth in case.truths]
    assert sum(count == 0 for count in counts) > 15
    assert sum(count == 1 for count in counts) > 15
    assert sum(count > 5 for count in counts) > 15
    assert sum(count == 0 for count in counts) < len(counts) / 2
