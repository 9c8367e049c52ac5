"""Singles alone: what they decide is right, and they decide puzzles that are too large for the compiled search."""

from __future__ import annotations

from typing import Any

import pytest

from satdoku import AllDifferent, Board, Budget, Ending, Puzzle, backends, classic, read
from satdoku import testing as kit
from satdoku.backends.schedule import POLICY, Class, Purpose, Stage, Turn
from satdoku.backends.singles import narrowed
from satdoku.constraints import Grid
from satdoku.encoders import cpsat
from satdoku.errors import Refused


def found(puzzle: Puzzle, budget: Budget = Budget(2)) -> tuple[list[Grid], Ending | None]:  # noqa: B008
    return kit.collect(backends.find("singles").search(puzzle, budget))


def test_what_they_decide_is_right() -> None:
    endings = set[tuple[int, Ending | None]]()
    for each in kit.cases_of_different_cells(400, 5_000):
        for puzzle, truth in zip(each.puzzles, each.truths, strict=True):
            try:
                grids, ending = found(puzzle, Budget(None))
            except Refused:
                endings.add((0, None))
                continue
            endings.add((len(grids), ending))
            assert set(grids) == truth
    assert endings == {(1, Ending.EXHAUSTED), (0, Ending.EXHAUSTED), (0, None)}


def test_no_solution_is_lost() -> None:
    for each in kit.cases_of_different_cells(200, 9_000):
        for puzzle, truth in zip(each.puzzles, each.truths, strict=True):
            left = narrowed(puzzle.board, puzzle.candidates)
            assert left is not None or not truth
            for grid in truth:
                assert left and all(allowed >> value & 1 for value, allowed in zip(grid, left, strict=True))


@pytest.mark.parametrize(
    ("width", "candidates"),
    [
        (4, (0b00110, 0b11000, 0b11000, 0b11000)),  # the first cell alone can hold 1 and 2
        (4, (0b00110, 0b00110, 0b11100, 0b00110)),  # no place for 4 and 3 both
        (4, (0b01110, 0b01110, 0b01110, 0b01110)),  # no place for 4
        (2, (0b00010, 0b00010, 0b11110, 0b11110)),
        (2, (0b11110, 0b11110, 0b00000, 0b11110)),
    ],
)
def test_contradictions(width: int, candidates: tuple[int, ...]) -> None:
    puzzle = Puzzle(Board(4, 4, 4, (AllDifferent(tuple(range(width)), "group"),)), candidates)
    assert narrowed(puzzle.board, candidates) is None
    assert found(puzzle) == ([], Ending.EXHAUSTED)


def test_an_easy_puzzle_and_a_hard_one() -> None:
    easy = read("200001038000000005070006000000000013098100257310000800900800020050069784400250000")
    (grid,), ending = found(easy)
    assert ending is Ending.EXHAUSTED and kit.collect(backends.find("dlx").search(easy, Budget(2))) == ([grid], ending)
    assert found(easy, Budget(1)) == ([grid], Ending.LIMIT)
    hard = read("85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4.")
    with pytest.raises(Refused, match="puzzle: singles leave 48 cells open, and backend singles does not search"):
        found(hard)
    assert found(easy, Budget(2, 1e-9)) == ([], Ending.TIMEOUT)


def test_the_default_uses_them_beyond_the_compiled_search() -> None:
    size = 81
    grid = [(9 * (row % 9) + row // 9 + column) % size + 1 for row in range(size) for column in range(size)]
    givens = [0 if cell % 5 == 0 else value for cell, value in enumerate(grid)]
    engine: Any = backends.find("auto")
    grids, ending = kit.collect(engine.search(Puzzle.from_givens(classic(9, 9), givens), Budget(2)))
    assert (grids, ending, engine.chosen) == ([tuple(grid)], Ending.EXHAUSTED, "singles")
    engine.close()


def test_other_constraints_are_refused() -> None:
    reason = backends.find("singles").refuses(read('size = 4\ncage = [{ cells = "r1c1 r1c2", value = 5 }]').board)
    assert reason is not None and "it takes AllDifferent alone" in reason


def test_where_all_refuse_the_reason_is_of_one_that_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = (Stage((Turn(("singles",)), Turn(("cpsat",))), once=True),)
    monkeypatch.setitem(POLICY, Purpose.FEW, dict.fromkeys(Class, stages))
    monkeypatch.setattr(cpsat, "MAX_CANDIDATES", 1)
    engine: Any = backends.find("auto")
    with pytest.raises(Refused, match="million candidates"):
        list(engine.search(Puzzle.from_givens(classic(3, 3), {}), Budget(2)))
    engine.close()
