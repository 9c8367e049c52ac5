"""What is made of a board before its first search counts in the timeout, and a session goes on after it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from support.engines import installed

from satdoku import Board, Budget, Ending, Puzzle, Session, backends, classic, limits, load, read
from satdoku.backends import backtrack, prune
from satdoku.backends.backtrack import ConstraintsByCell
from satdoku.backends.plain import Nodes, PlainRun
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.cnf import encode
from satdoku.encoders.sums import Sums
from satdoku.implied import ImpliedSum, sums
from satdoku.kernels.propagators.lower import Lowering, program
from satdoku.kernels.propagators.program import Program
from satdoku.system.clock import NEVER

VARIANTS = Path(__file__).parents[2] / "puzzles" / "variants"

BOARD = classic(4, 4)
GRID = tuple((4 * (row % 4) + row // 4 + column) % 16 + 1 for row in range(16) for column in range(16))
PUZZLE = Puzzle.from_givens(BOARD, (0, *GRID[1:]))


@pytest.mark.parametrize("name", installed())
def test_a_timeout_while_the_board_is_loaded_leaves_the_session_usable(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if backends.find(name).refuses(BOARD):
        pytest.skip("it does not take the board")
    with Session(name) as session:
        with monkeypatch.context() as patch:
            patch.setattr(limits, "monotonic", lambda: float("inf"))  # time is up wherever somebody looks
            outcome = session.run(PUZZLE, Budget(2, 600.0))
            assert outcome.ending in (Ending.TIMEOUT, Ending.EXHAUSTED)  # the latter where nothing was to be made
        assert session.run(PUZZLE, Budget(2)).grids == (GRID,)


def test_time_is_looked_at_while_clauses_are_written_and_read() -> None:
    with pytest.raises(limits.TimeIsUp), limits.bounded_time(0.0):
        encode(BOARD)
    clauses = encode(BOARD).clauses
    with pytest.raises(limits.TimeIsUp), limits.bounded_time(0.0):
        list(clauses)
    assert sum(1 for _ in clauses) == len(clauses)


def test_time_is_looked_at_while_sums_are_written() -> None:
    with pytest.raises(limits.TimeIsUp), limits.bounded_time(0.0):
        Sums(BOARD)


@pytest.mark.parametrize(
    "nodes", [prune.nodes, lambda board, puzzle: backtrack.nodes(ConstraintsByCell(board), puzzle)]
)
def test_time_is_looked_at_within_a_node(nodes: Callable[[Board, Puzzle], Nodes]) -> None:
    with pytest.raises(limits.TimeIsUp), limits.bounded_time(0.0):
        next(nodes(classic(4, 4), PUZZLE))  # a board whose peers are not known yet
    next(nodes(BOARD, PUZZLE))
    with pytest.raises(limits.TimeIsUp), limits.bounded_time(0.0):
        next(nodes(BOARD, PUZZLE))


def test_a_search_that_is_cut_in_a_node_goes_on_with_the_grids_that_are_left() -> None:
    cut = [True]

    def nodes() -> Nodes:
        yield (1,)
        yield (2,)
        if cut and cut.pop():
            raise limits.TimeIsUp
        yield (3,)

    run = PlainRun(nodes, NEVER, lambda work: None)
    assert [run.advance() for _ in range(5)] == [None, None, Ending.TIMEOUT, None, Ending.EXHAUSTED]
    assert run.grids == [(1,), (2,), (3,)]


def test_single_clauses_are_looked_at_too() -> None:
    clauses = Clauses(1)
    with pytest.raises(limits.TimeIsUp), limits.bounded_time(0.0):
        for _ in range(100_000):
            clauses.add(1)


def test_the_earlier_end_holds() -> None:
    with limits.bounded_time(0.0), limits.bounded_time(1000.0), pytest.raises(limits.TimeIsUp):
        limits.check_time()
    limits.check_time()
    with limits.bounded_time(None):
        limits.check_time()


def test_lowering_to_propagators_and_implied_sums_look_at_the_clock() -> None:
    board = read((VARIANTS / "cage.toml").read_text()).board
    program(board)
    with limits.bounded_time(0.0):
        with pytest.raises(limits.TimeIsUp):
            program(board)
        with pytest.raises(limits.TimeIsUp):
            sums(board, 6, (0, 2))


def test_the_second_program_of_a_lowering_is_that_of_the_board_by_itself() -> None:
    """And what is put for one board is in no other of the same houses."""

    def arrays(made: Program) -> list[object]:
        return [each if isinstance(each, int) else each.tolist() for each in made]

    boards = [load(VARIANTS / f"{kind}.toml").board for kind in ("cage", "sandwich", "anti-knight", "cage")]
    implied = [ImpliedSum((0, 1), (9,), 7, "row 1"), ImpliedSum((3, 4, 5), (), 12, "box 2")]
    fresh = [(program(board), program(board, implied, exclusions=True)) for board in boards]
    for board, (plain, whole) in zip(boards, fresh, strict=True):
        lowering = Lowering(board)
        assert arrays(lowering.program(exclusions=False)) == arrays(plain)
        lowering.imply(implied)
        assert arrays(lowering.program(exclusions=True)) == arrays(whole)
    assert arrays(fresh[0][0]) == arrays(fresh[3][0]) != arrays(fresh[2][0])
    assert len(fresh[0][1].rows) > len(fresh[0][0].rows)
