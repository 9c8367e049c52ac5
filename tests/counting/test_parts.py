"""Counts by parts are those of brute force, of enumeration and of a transfer matrix, whatever is remembered."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from satdoku import Board, Budget, Ending, Linear, Mark, Puzzle, Session, Table
from satdoku import count as count_all
from satdoku import testing as kit
from satdoku.backends import native, parts
from satdoku.backends.parts import PartsCount
from satdoku.backends.propagation import PropagationKernel
from satdoku.kernels.compiled import EXHAUSTED, PAUSED
from satdoku.kernels.propagators import parts as kernel
from satdoku.variants import build

SOME = (1 << 16, 1 << 10)  # words and buckets of a memory
FEW = (64, 2)  # of one that is full after a few parts


def run(puzzle: Puzzle, memory: tuple[int, int] = SOME, most: int | None = None) -> tuple[int, list[int], PartsCount]:
    """The count, what was known of it from time to time, and what counted it; `most` times at most."""
    made, count, code, known = PartsCount(puzzle, PropagationKernel(puzzle.board).whole, *memory), 0, PAUSED, [0]
    while code == PAUSED and len(known) != most:
        count, code = made.count_solutions(count, 1 << 62)
        known.append(count)
    assert code == EXHAUSTED or most is not None
    return count, known, made


def variant(size: int, *marks: Mark) -> Puzzle:
    boxes = Mark("boxes", value={4: "2x2", 6: "2x3"}[size])
    return Puzzle.from_givens(build(size, (boxes, *marks)), {})


def line(*cells: tuple[int, int], kind: str = "thermometer") -> Mark:
    return Mark(kind, lines=(cells,))


@pytest.mark.parametrize("memory", [SOME, FEW])
def test_random_boards_against_brute_force(memory: tuple[int, int]) -> None:
    some = 0
    for case in kit.cases(60, 40_000):
        for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
            if parts.takes(puzzle.board):
                assert run(puzzle, memory)[0] == len(truth), case.seed
                some += len(truth) > 1
    assert some > 40


@pytest.mark.slow
@pytest.mark.parametrize("memory", [SOME, FEW])
def test_many_random_boards_against_brute_force(memory: tuple[int, int]) -> None:
    for case in kit.cases(5_000, 50_000):
        for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
            if parts.takes(puzzle.board):
                assert run(puzzle, memory)[0] == len(truth), case.seed


CAGES = tuple(Mark("cage", ((row, 1), (row, 2)), value=total) for row, total in ((1, 7), (3, 5), (6, 9)))
VARIANTS = {
    "thermometers": (line((1, 1), (2, 2), (3, 2), (4, 3)), line((6, 6), (5, 5), (4, 5))),
    "cages and an inequality": (*CAGES, Mark("greater-than", ((5, 5), (5, 6)))),
    "an automaton": (Mark("skyscraper", ((1, 0),), value=4), Mark("sandwich", ((0, 3),), value=9), *CAGES[:1]),
    "a region sum": (line((1, 2), (1, 3), (1, 4), (2, 5), kind="region-sum"), *CAGES[1:]),
}


@pytest.mark.parametrize("name", list(VARIANTS))
def test_small_variants_against_enumeration(name: str) -> None:
    puzzle = variant(6, *VARIANTS[name])
    random = Random(name)
    while True:
        # Enumerated with a limit so low that it is not counted by parts, then with one that is out of reach.
        count, ending, _ = native.Native().count_solutions(puzzle, Budget(parts.FEW))
        if ending is Ending.EXHAUSTED:
            break
        [grid] = kit.collect(native.Native().search(puzzle, Budget(1)))[0]
        cell = random.choice([cell for cell, value in enumerate(puzzle.givens) if not value])
        puzzle = Puzzle.from_givens(puzzle.board, {**dict(enumerate(puzzle.givens)), cell: grid[cell]})
    assert count > 100
    for memory in (SOME, FEW):
        found, known, made = run(puzzle, memory)
        assert found == count
        assert known == sorted(known)
        eras = made._state.numbers[kernel.GENERATION]
        assert eras == 0 if memory == SOME else eras > 10


def ladder(rows: int, allowed: frozenset[tuple[int, int]]) -> Board:
    """Two columns of cells; what stands side by side or one above the other goes together. No cells differ."""
    pairs = [(2 * row, 2 * row + 1) for row in range(rows)]
    pairs += [(cell, cell + 2) for cell in range(2 * rows - 2)]
    return Board(2 * rows, 6, 2, tuple(Table(pair, allowed, f"pair {pair}") for pair in pairs))


def by_transfer_matrix(rows: int, allowed: frozenset[tuple[int, int]]) -> int:
    states = list(allowed)
    counts = dict.fromkeys(states, 1)
    for _ in range(rows - 1):
        counts = {
            (left, right): sum(
                number for (one, other), number in counts.items() if {(one, left), (other, right)} <= allowed
            )
            for left, right in states
        }
    return sum(counts.values())


@pytest.mark.parametrize("rows", [12, 18])
def test_counts_beyond_enumeration_and_beyond_an_integer(rows: int) -> None:
    allowed = frozenset((one, other) for one in range(1, 7) for other in range(1, 7) if one != other)
    true = by_transfer_matrix(rows, allowed)
    assert (true > 10**12, true > 2**62) == (True, rows == 18)
    puzzle = Puzzle.from_givens(ladder(rows, allowed), {})
    outcome = count_all(puzzle, limit=None)
    assert (outcome.count, outcome.exact) == (true, True)
    assert count_all(puzzle, limit=10**9).count == 10**9


def test_the_sum_of_fixed_cells_is_all_that_a_key_has_of_a_sum() -> None:
    board = Board(14, 4, 14, (Linear(tuple(range(14)), (1,) * 14, 30, "sum"),))
    numbers = np.array([1], object)
    for _ in range(14):
        numbers = np.convolve(numbers, np.array([0, 1, 1, 1, 1], object))
    found, _, made = run(Puzzle.from_givens(board, {}))
    assert found == numbers[30]
    assert made.nodes() < 5_000


def test_what_is_not_finished_is_a_lower_bound() -> None:
    puzzle = variant(6, line((1, 1), (1, 2), kind="whispers"))
    with Session("native") as session:
        cut = session.count(puzzle, limit=None, timeout=0.001)
    assert not cut.exact  # on a busy machine nothing may have been found in time
    assert cut.count < 1_880_064
    least, known, _ = run(puzzle, most=60)
    assert 0 < least < 1_880_064
    assert known == sorted(known)


def test_boards_with_auxiliary_cells_are_enumerated() -> None:
    rule = Linear((0, 1, 2, 3), (1, 1, -1, -1), 0, "sum")
    board = Board(2, 40, 2, (rule,), auxiliary=((2 << 40) - 2, (2 << 40) - 2))
    assert not parts.takes(board)
    assert native.Native().count_solutions(Puzzle.from_givens(board, {}), Budget(None))[0] == 40 * 40
