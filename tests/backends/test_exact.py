"""The backend `exact`: sums of a board in a process of its own."""

from contextlib import closing
from pathlib import Path
from unittest.mock import patch

import pytest

from satdoku import Budget, Ending, Puzzle, classic, load
from satdoku.backends import Drain, engine, find
from satdoku.backends.child_oracle import ChildOracle
from satdoku.errors import InputError

pytest.importorskip("exact")

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"


@pytest.mark.parametrize("name", ["arrow", "sandwich", "thermometer"])
def test_variants_have_one_solution(name: str) -> None:
    backend = find("exact")
    drain = Drain(backend.search(load(VARIANTS / f"{name}.toml"), Budget(2)))
    assert (len(list(drain)), drain.result) == (1, Ending.EXHAUSTED)
    backend.close()


def test_searches_of_one_board_take_turns_and_exclude_no_grid_of_each_other() -> None:
    backend = find("exact")
    board = classic(2, 2)
    first = backend.search(Puzzle.from_givens(board, {0: 1}), Budget(None))
    some = [next(first) for _ in range(5)]
    second = list(backend.search(Puzzle.from_givens(board, {0: 1}), Budget(None)))
    assert len(set(second)) == 72
    assert {*some, *first} == set(second)
    assert len(list(backend.search(Puzzle.from_givens(board, {0: 1, 1: 2}), Budget(None)))) == 24
    backend.close()


def test_the_solver_is_made_anew_after_many_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.backends.incremental.MAX_RELEASED", 3)
    puzzle = Puzzle.from_givens(classic(2, 2), {0: 1, 1: 2, 4: 3, 8: 2})
    with patch("satdoku.backends.exact.ChildOracle", wraps=ChildOracle) as opened, closing(find("exact")) as backend:
        numbers = []
        for _ in range(6):
            assert len(list(backend.search(puzzle, Budget(None)))) == 6
            numbers.append(opened.call_count)
    assert numbers == [1, 1, 1, 2, 2, 2]


def test_a_missing_package_is_named_with_the_command_that_installs_it() -> None:
    with patch("satdoku.backends.find_spec", return_value=None):
        assert engine("exact").absent() == "needs the package exact: pip install 'satdoku[exact]'"
        with pytest.raises(InputError, match=r"backend exact: needs the package exact: pip install 'satdoku\[exact\]'"):
            find("exact")
