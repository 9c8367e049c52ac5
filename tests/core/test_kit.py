"""Every encoding and every backend finds all grids of random small boards, and no others."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import pytest
from pysat.formula import CNF
from pysat.solvers import Cadical153
from support.amount import tries
from support.engines import SLOW, installed

from satdoku import AllDifferent, Automaton, Board, Budget, Ending, Grid, Linear, Puzzle, Table, classic
from satdoku import testing as kit
from satdoku.backends import Drain, Search, engine, find
from satdoku.encoders.at_most_one import METHODS
from satdoku.encoders.cnf import PAIRWISE, REDUCED, EncodingTask, Variables, encodings
from satdoku.exports import targets
from satdoku.exports.decode import decode
from satdoku.formats import Capabilities, Format, formats

BOARDS = tries(12, 25)
BOARDS_OF_FORMS = tries(3, 6)
FEWER_BOARDS = 1
BOARDS_OF_LONG_FUZZ = 1_400
BOARDS_OF_A_PAIR, FEWER_BOARDS_OF_A_PAIR = 200, 3
"""Boards of an encoding and a backend with --long: every backend and every encoding has its turn on all of them."""
ENCODINGS = sorted(encodings())
SAT = [name for name in installed() if engine(name).encodes]


def forms() -> list[str]:
    """Every encoding with every at-most-one method, whole and reduced, as far as it takes them."""
    found = []
    for encoding in encodings().values():
        methods = [f"+{method}" for method in METHODS if method != PAIRWISE] if encoding.methods else []
        found += [encoding.name + method + reduced for method in ["", *methods] for reduced in ("", f"+{REDUCED}")]
    return found


def boards(backend: str) -> int:
    return FEWER_BOARDS if backend in SLOW else tries(5, 25)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_encoding_has_exactly_the_grids_of_brute_force(encoding: str) -> None:
    kit.check_encoding(encoding, boards=BOARDS)


@pytest.mark.parametrize("form", [form for form in forms() if "+" in form])
def test_every_form_of_an_encoding_has_exactly_the_grids_of_brute_force(form: str) -> None:
    kit.check_encoding(form, boards=BOARDS_OF_FORMS)


@pytest.mark.parametrize("backend", installed())
def test_every_backend_has_exactly_the_grids_of_brute_force(backend: str) -> None:
    kit.check_backend(partial(find, backend), boards=boards(backend))


@pytest.mark.parametrize("format", sorted(formats()))
def test_every_format_reads_what_it_writes(format: str) -> None:
    kit.check_format(format)


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("backend", SAT)
def test_every_encoding_through_every_sat_solver_on_many_boards(backend: str, encoding: str) -> None:
    count = FEWER_BOARDS_OF_A_PAIR if backend in SLOW else BOARDS_OF_A_PAIR
    turn = (SAT.index(backend) + ENCODINGS.index(encoding)) % len(ENCODINGS)
    among = kit.cases(count, start=1_000 + turn * BOARDS_OF_A_PAIR)
    assert kit.first_fault(partial(find, backend, encoding), among) is None


@pytest.mark.slow
@pytest.mark.parametrize("backend", [name for name in installed() if not engine(name).encodes])
def test_every_other_backend_on_many_boards(backend: str) -> None:
    assert kit.first_fault(partial(find, backend), kit.cases(BOARDS_OF_LONG_FUZZ, start=1_000)) is None


@pytest.mark.parametrize("backend", installed())
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


def test_a_size_that_is_not_what_is_written_is_found() -> None:
    wrong = replace(encodings()["minimal"], size=lambda bh, bw: (1, 1))
    with pytest.raises(kit.Fault, match=r"size\(2, 2\) is \(1, 1\), and 64 variables"):
        kit.check_encoding(wrong, boards=1)


def without_last_clause(task: EncodingTask) -> Variables:
    variables = encodings()["minimal"].write(task)
    task.clauses._parts.pop()
    return variables


def test_an_encoding_that_lacks_clauses_is_found_with_board_and_candidates() -> None:
    wrong = replace(encodings()["minimal"], name="wrong", write=without_last_clause, methods=True)
    with pytest.raises(kit.Fault, match=r"(?s)size|case \d+: .*candidates .* on .*Board\("):
        kit.check_encoding(wrong, boards=BOARDS)


class Leaves:
    """A backend that goes on when it is closed, and loses the last grid when searches take turns."""

    def __init__(self, goes_on: bool) -> None:
        self._inner, self._goes_on = find("backtrack"), goes_on
        self._open = 0

    def refuses(self, board: Board) -> str | None:
        return self._inner.refuses(board)

    def load(self, board: Board) -> None:
        self._inner.load(board)

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        self._open += 1
        try:
            for number, grid in enumerate(drain := Drain(self._inner.search(puzzle, budget))):
                if number == 2 and self._open > 3 and not self._goes_on:
                    continue
                yield grid
            return drain.result
        finally:
            self._open -= 1

    def close(self) -> None:
        if not self._goes_on:
            self._inner.close()


@pytest.mark.parametrize(("goes_on", "fault"), [(True, "closed, and a search goes on"), (False, "take turns: ")])
def test_a_backend_whose_searches_disturb_each_other_is_found(goes_on: bool, fault: str) -> None:
    with pytest.raises(kit.Fault, match=fault):
        kit.check_backend(partial(Leaves, goes_on), boards=8)


LINE = formats()["line"]


def forgetful(puzzle: Puzzle) -> str:
    """The text without the last given."""
    last = max((cell for cell, given in enumerate(puzzle.givens) if given), default=0)
    every = puzzle.board.every_value
    candidates = tuple(every if cell == last else allowed for cell, allowed in enumerate(puzzle.candidates))
    return LINE.write(replace(puzzle, candidates=candidates))


@pytest.mark.parametrize(
    ("format", "fault"),
    [
        (replace(LINE, text_of=forgetful), "is read otherwise"),
        (replace(LINE, text_of=lambda puzzle: "?"), "its sign does not fit"),
        (replace(formats()["grid"], one_line=True), "a text of several lines"),
        (replace(LINE, read=lambda text, options: [][0]), "IndexError: "),
        (replace(LINE, holds=Capabilities(sizes=(1, 1))), "all of 50 puzzles were refused"),
    ],
)
def test_a_wrong_format_is_found(format: Format, fault: str) -> None:
    with pytest.raises(kit.Fault, match=fault):
        kit.check_format(format)


def answers(text: str, puzzle: Puzzle) -> list[Grid]:
    with Cadical153(bootstrap_with=CNF(from_string=text)) as solver:
        found = " ".join(map(str, solver.get_model())) if solver.solve() else ""
    grid = decode(text.encode(), f"s SATISFIABLE\nv {found} 0").grid if found else None
    return [] if grid is None else [grid]


def test_a_target_means_what_the_puzzle_means_or_a_grid_shows_that_it_does_not() -> None:
    kit.check_export("dimacs", answers)
    forgets = replace(
        targets()["dimacs"], write=lambda puzzle, encoding, _: targets()["dimacs"].write(puzzle, None, ())
    )
    with pytest.raises(kit.Fault, match=r"came again, although it was excluded; candidates"):
        kit.check_export(forgets, answers)
    with pytest.raises(kit.Fault, match=r"case \d+: missing \[\(.*candidates"):
        kit.check_export("dimacs", lambda text, puzzle: answers(text, puzzle) if "givens none" in text else [])


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
