"""check, solve, count and sessions: what they give, and how they fail."""

from __future__ import annotations

from typing import Any

import pytest

import satdoku
from satdoku import Ending, Verdict

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
NINE_SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
TWO = satdoku.read("13....3131...213")
TWO_SOLVED = {tuple(map(int, text)) for text in ("1324243131424213", "1342243131244213")}
MANY = satdoku.read("1...............")
CLASH = satdoku.read("11..............")


class TestRead:
    def test_it_gives_the_board_the_givens_and_the_name(self) -> None:
        puzzle = satdoku.read(NINE, name="mine")
        assert puzzle.board is satdoku.classic(3, 3)
        assert puzzle.givens == tuple(int(cell) for cell in NINE.replace(".", "0"))
        assert (puzzle.name, satdoku.read(NINE).name) == ("mine", "puzzle")

    def test_write_gives_the_text_back(self) -> None:
        assert satdoku.write(satdoku.read(NINE)) == NINE

    def test_a_text_at_fault_knows_its_place(self) -> None:
        with pytest.raises(satdoku.FormatError) as caught:
            satdoku.read("13..\n..31\n31..\n.2q3")
        assert (caught.value.line, caught.value.column) == (4, 3)

    def test_a_board_that_cannot_be_is_refused(self) -> None:
        with pytest.raises(satdoku.PuzzleError):
            satdoku.classic(1, 9)


class TestCheck:
    def test_a_unique_puzzle_comes_with_its_solution(self) -> None:
        outcome = satdoku.check(satdoku.read(NINE))
        assert outcome.verdict is Verdict.UNIQUE
        assert outcome.grids == (tuple(map(int, NINE_SOLVED)),)
        assert (outcome.count, outcome.exact, outcome.ending) == (1, True, Ending.EXHAUSTED)
        assert outcome.backend == "native"  # the choice of auto for one puzzle
        assert outcome.reason is None
        assert outcome.seconds >= 0

    def test_a_multiple_puzzle_comes_with_two_solutions(self) -> None:
        outcome = satdoku.check(TWO)
        assert outcome.verdict is Verdict.MULTIPLE
        assert set(outcome.grids) == TWO_SOLVED

    def test_givens_that_clash_come_with_the_reason(self) -> None:
        outcome = satdoku.check(CLASH)
        assert (outcome.verdict, outcome.grids) == (Verdict.UNSOLVABLE, ())
        assert outcome.reason == "row 1 has 1 twice: r1c1 and r1c2"

    def test_a_search_that_is_cut_is_undecided(self) -> None:
        outcome = satdoku.check(satdoku.read("." * 625), backend="backtrack", timeout=1e-9)
        assert (outcome.verdict, outcome.ending, outcome.exact) == (Verdict.UNDECIDED, Ending.TIMEOUT, False)

    def test_the_puzzle_is_left_as_it_was(self) -> None:
        before = TWO.candidates
        satdoku.check(TWO)
        assert TWO.candidates == before

    @pytest.mark.parametrize("backend", ["backtrack", "backtrack:row", "cpsat", "cadical153", "minisat22"])
    def test_every_backend_says_the_same(self, backend: str) -> None:
        outcome = satdoku.check(TWO, backend=backend)
        assert (outcome.verdict, outcome.backend) == (Verdict.MULTIPLE, backend)


class TestSolve:
    def test_it_stops_at_the_limit(self) -> None:
        outcome = satdoku.solve(MANY, limit=5)
        assert (outcome.count, len(set(outcome.grids)), outcome.ending) == (5, 5, Ending.LIMIT)

    def test_one_is_the_limit_unless_another_is_named(self) -> None:
        assert len(satdoku.solve(MANY).grids) == 1

    def test_no_limit_gives_all(self) -> None:
        outcome = satdoku.solve(MANY, limit=None)
        assert (len(set(outcome.grids)), outcome.exact) == (72, True)

    def test_an_unsolvable_puzzle_gives_no_grid(self) -> None:
        assert satdoku.solve(CLASH).grids == ()


class TestCount:
    @pytest.mark.parametrize(
        ("limit", "count", "exact"), [(None, 72, True), (73, 72, True), (72, 72, True), (71, 71, False), (1, 1, False)]
    )
    def test_it_is_exact_unless_there_is_one_more(self, limit: int | None, count: int, exact: bool) -> None:
        outcome = satdoku.count(MANY, limit=limit)
        assert (outcome.count, outcome.exact) == (count, exact)

    def test_an_unsolvable_puzzle_has_none(self) -> None:
        assert (satdoku.count(CLASH).count, satdoku.count(CLASH).exact) == (0, True)


@pytest.mark.parametrize("ask", [satdoku.check, satdoku.solve, satdoku.count])
class TestFaults:
    def test_an_unknown_backend_brings_the_near_names(self, ask: Any) -> None:
        with pytest.raises(satdoku.InputError, match=r"unknown backend 'cadical15': did you mean .*cadical153"):
            ask(TWO, backend="cadical15")

    def test_an_unknown_encoding_brings_the_near_names(self, ask: Any) -> None:
        with pytest.raises(satdoku.InputError, match="unknown encoding 'minimall': did you mean minimal"):
            ask(TWO, encoding="minimall")

    def test_an_encoding_is_refused_by_a_backend_that_takes_none(self, ask: Any) -> None:
        with pytest.raises(satdoku.Refused, match="backend backtrack takes no encoding"):
            ask(TWO, backend="backtrack", encoding="minimal")

    @pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf")])
    def test_a_timeout_is_a_number_above_zero(self, ask: Any, timeout: float) -> None:
        with pytest.raises(satdoku.InputError, match="expected a number above 0"):
            ask(TWO, timeout=timeout)


@pytest.mark.parametrize("ask", [satdoku.solve, satdoku.count, satdoku.candidates])
class TestLimits:
    @pytest.mark.parametrize("limit", [0, -1])
    def test_a_limit_below_one_is_refused(self, ask: Any, limit: int) -> None:
        with pytest.raises(ValueError, match=f"limit is {limit}: expected 1 or more, or None for all"):
            ask(TWO, limit=limit)

    @pytest.mark.parametrize("limit", ["2", 1.5, True])
    def test_a_limit_of_another_type_is_refused(self, ask: Any, limit: object) -> None:
        with pytest.raises(TypeError, match=r"limit is .*: expected a whole number, or None for all"):
            ask(TWO, limit=limit)


class TestSession:
    def test_one_session_takes_many_puzzles(self) -> None:
        with satdoku.Session("cadical153", "minimal") as session:
            verdicts = [
                session.run(puzzle, satdoku.Budget()).verdict for puzzle in (TWO, CLASH, satdoku.read(NINE), TWO)
            ]
        assert verdicts == [Verdict.MULTIPLE, Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE]

    def test_a_search_gives_grids_one_by_one_and_its_outcome_last(self) -> None:
        with satdoku.Session("backtrack") as session:
            search = session.search(TWO, satdoku.Budget(limit=None))
            assert {next(search), next(search)} == TWO_SOLVED
            with pytest.raises(StopIteration) as stop:
                next(search)
        assert (stop.value.value.count, stop.value.value.verdict) == (2, Verdict.MULTIPLE)

    @pytest.mark.parametrize("question", ["check", "solve", "draw", "count"])
    def test_what_is_not_a_puzzle_is_a_type_error(self, question: str) -> None:
        with satdoku.Session() as session, pytest.raises(TypeError, match="puzzle is of type str: expected a Puzzle"):
            getattr(session, question)("." * 16)

    def test_a_seed_is_refused_by_a_backend_that_takes_none(self) -> None:
        with satdoku.Session("backtrack") as session, pytest.raises(satdoku.Refused, match="backtrack takes no seed"):
            session.run(TWO, satdoku.Budget(seed=1))
