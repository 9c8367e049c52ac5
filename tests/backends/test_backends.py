"""Backends on known puzzles, under the clock, and before the referee."""

from __future__ import annotations

import pytest
from support.engines import installed
from support.puzzles import switched_formula

import satdoku
from satdoku import (
    Board,
    Budget,
    Ending,
    Grid,
    InputError,
    Outcome,
    Puzzle,
    Refused,
    Session,
    Table,
    Verdict,
    WrongAnswer,
    backends,
    classic,
)
from satdoku.backends import Search, find
from satdoku.system.clock import Deadline
from satdoku.verdict import agree

INSTALLED = installed()
EASY = "200001038000000005070006000000000013098100257310000800900800020050069784400250000"
SOLUTION = "249571638861432975573986142725698413698143257314725869937814526152369784486257391"
TWO = "13....3131...213"
TWO_SOLUTIONS = {"1324243131424213", "1342243131244213"}
NONE = "2.1....3.....3.."
COUNT_1115 = "200001000008000500000000000170020000000300800500000400600000010000830000000400000"
COUNT_10157 = "000760040001000008000000000000500301680000000900000000400000060000310000000000200"

SECONDS = 0.1
"""The timeout of the searches that cannot finish."""


def read(text: str) -> Puzzle:
    board = classic(3, 3) if len(text) == 81 else classic(2, 2)
    return Puzzle.from_givens(board, [0 if mark == "." else int(mark) for mark in text])


def text(grid: Grid) -> str:
    return "".join(map(str, grid))


class TestKnownPuzzles:
    @pytest.mark.parametrize("backend", INSTALLED)
    def test_a_puzzle_with_one_solution(self, backend: str) -> None:
        outcome = satdoku.check(read(EASY), backend=backend)
        assert outcome.verdict is Verdict.UNIQUE
        assert [text(grid) for grid in outcome.grids] == [SOLUTION]
        assert (outcome.exact, outcome.ending, outcome.reason) == (True, Ending.EXHAUSTED, None)

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_a_puzzle_with_two_solutions(self, backend: str) -> None:
        outcome = satdoku.solve(read(TWO), limit=None, backend=backend)
        assert {text(grid) for grid in outcome.grids} == TWO_SOLUTIONS
        assert (outcome.count, outcome.verdict, outcome.exact) == (2, Verdict.MULTIPLE, True)

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_a_puzzle_without_a_solution_though_no_givens_clash(self, backend: str) -> None:
        puzzle = read(NONE)
        assert list(puzzle.clashes()) == []
        outcome = satdoku.check(puzzle, backend=backend)
        assert (outcome.verdict, outcome.count, outcome.reason) == (Verdict.UNSOLVABLE, 0, None)

    @pytest.mark.slow
    @pytest.mark.parametrize("backend", ["cadical195", "glucose4"])
    def test_all_10157_solutions_are_counted(self, backend: str) -> None:
        outcome = satdoku.count(read(COUNT_10157), limit=None, backend=backend)
        assert (outcome.count, outcome.exact, outcome.ending) == (10157, True, Ending.EXHAUSTED)

    @pytest.mark.parametrize("backend", ["cadical195", "glucose4", "cpsat"])
    def test_all_1115_solutions_are_counted(self, backend: str) -> None:
        outcome = satdoku.count(read(COUNT_1115), limit=None, backend=backend)
        assert (outcome.count, outcome.exact) == (1115, True)

    @pytest.mark.parametrize("backend", ["cadical195", "backtrack"])
    def test_a_count_is_exact_only_if_one_more_was_asked_for_and_did_not_come(self, backend: str) -> None:
        for limit, exact in ((1114, False), (1115, True), (1116, True)):
            outcome = satdoku.count(read(COUNT_1115), limit=limit, backend=backend)
            assert (outcome.count, outcome.exact) == (min(limit, 1115), exact)


class TestTimeouts:
    @pytest.mark.parametrize("backend", [name for name in INSTALLED if not backends.engine(name).all_different_only])
    def test_a_search_that_cannot_finish_is_stopped_and_the_backend_stays_usable(self, backend: str) -> None:
        hard = Puzzle.from_givens(switched_formula(), {0: 1})
        with Session(backend) as session:
            session.load(hard)
            outcome = session.run(hard, Budget(2, SECONDS))
            assert (outcome.ending, outcome.count, outcome.verdict) == (Ending.TIMEOUT, 0, Verdict.UNDECIDED)
            assert outcome.seconds >= 0.9 * SECONDS

            easy = Puzzle.from_givens(switched_formula(), {0: 2})
            outcome = session.run(easy, Budget(1, 60))
            assert (outcome.ending, outcome.count) == (Ending.LIMIT, 1)
            outcome = session.run(read(TWO), Budget(None, 60))
            assert (outcome.ending, outcome.count) == (Ending.EXHAUSTED, 2)

    @pytest.mark.parametrize("backend", INSTALLED)
    def test_a_timeout_that_does_not_strike_changes_nothing(self, backend: str) -> None:
        outcome = satdoku.solve(read(TWO), limit=None, backend=backend, timeout=60)
        assert (outcome.count, outcome.ending) == (2, Ending.EXHAUSTED)

    @pytest.mark.parametrize(
        ("backend", "seconds"), [("cadical153", 0.5), ("cpsat", 0.5), ("backtrack", 0.5), ("kissat404", 2)]
    )
    def test_a_cut_search_that_saw_two_grids_is_multiple_and_not_exact(self, backend: str, seconds: float) -> None:
        free = Puzzle.from_givens(Board(40, 9, 9, ()), {})
        outcome = satdoku.solve(free, limit=None, backend=backend, timeout=seconds)
        assert (outcome.ending, outcome.verdict, outcome.exact) == (Ending.TIMEOUT, Verdict.MULTIPLE, False)
        assert outcome.count > 1

    def test_a_deadline_counts_down_to_zero_and_none_never_ends(self) -> None:
        never, over, later = Deadline(None), Deadline(0), Deadline(100)
        assert (never.left(), never.passed()) == (None, False)
        assert (over.left(), over.passed()) == (0, True)
        assert later.left() == pytest.approx(100, abs=5)
        assert not later.passed()


class Scripted:
    """A backend that yields and ends as it is given."""

    def __init__(self, grids: list[Grid], ending: Ending = Ending.EXHAUSTED) -> None:
        self._grids = grids
        self._ending = ending

    def refuses(self, board: Board) -> str | None:
        return "too odd" if board.values == 7 else None

    def load(self, board: Board) -> None:
        pass

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        yield from self._grids
        return self._ending

    def close(self) -> None:
        pass


class TestSession:
    def scripted(self, monkeypatch: pytest.MonkeyPatch, *grids: str, ending: Ending = Ending.EXHAUSTED) -> Outcome:
        backend = Scripted([tuple(map(int, grid)) for grid in grids], ending)
        monkeypatch.setattr(backends, "find", lambda name, encoding: backend)
        return satdoku.solve(read(TWO), limit=None, backend="backtrack")

    @pytest.mark.parametrize(
        ("grid", "fault"),
        [
            ("1324243131424231", "r4c3 is 3, which the puzzle does not allow there"),
            ("1324223131424213", "row 2 has 2 twice: r2c1 and r2c2"),
            ("2314142331424213", "r1c1 is 2, which the puzzle does not allow there"),
            ("132424313142421", "the grid has 15 cells, the board 16"),
            ("1304243131424213", "r1c3 is 0, not one of 1..4"),
        ],
    )
    def test_a_wrong_grid_is_a_wrong_answer_that_says_why(
        self, monkeypatch: pytest.MonkeyPatch, grid: str, fault: str
    ) -> None:
        with pytest.raises(WrongAnswer, match=f"^puzzle: backend backtrack gave a wrong grid: {fault}$"):
            self.scripted(monkeypatch, grid)

    def test_a_repeated_grid_is_a_wrong_answer(self, monkeypatch: pytest.MonkeyPatch) -> None:
        first, second = sorted(TWO_SOLUTIONS)
        with pytest.raises(WrongAnswer, match="duplicate solution"):
            self.scripted(monkeypatch, first, second, first)

    @pytest.mark.parametrize(
        ("found", "ending", "verdict"),
        [
            (0, Ending.EXHAUSTED, Verdict.UNSOLVABLE),
            (1, Ending.EXHAUSTED, Verdict.UNIQUE),
            (2, Ending.EXHAUSTED, Verdict.MULTIPLE),
            (0, Ending.TIMEOUT, Verdict.UNDECIDED),
            (1, Ending.TIMEOUT, Verdict.UNDECIDED),
            (2, Ending.TIMEOUT, Verdict.MULTIPLE),
            (0, Ending.LIMIT, Verdict.UNDECIDED),
            (1, Ending.LIMIT, Verdict.UNDECIDED),
            (2, Ending.LIMIT, Verdict.MULTIPLE),
        ],
    )
    def test_a_verdict_goes_only_as_far_as_the_search(
        self, monkeypatch: pytest.MonkeyPatch, found: int, ending: Ending, verdict: Verdict
    ) -> None:
        outcome = self.scripted(monkeypatch, *sorted(TWO_SOLUTIONS)[:found], ending=ending)
        assert (outcome.verdict, outcome.count, outcome.ending) == (verdict, found, ending)
        assert outcome.exact is (ending is Ending.EXHAUSTED)

    def test_givens_that_clash_are_unsolvable_before_any_search(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def search(self: Scripted, puzzle: Puzzle, budget: Budget) -> Search:
            raise AssertionError("it searched")

        monkeypatch.setattr(Scripted, "search", search)
        monkeypatch.setattr(backends, "find", lambda name, encoding: Scripted([]))
        outcome = satdoku.check(read("11" + "." * 14), backend="backtrack")
        assert outcome.verdict is Verdict.UNSOLVABLE
        assert outcome.reason == "row 1 has 1 twice: r1c1 and r1c2"

    def test_a_board_that_the_backend_refuses_is_refused_with_its_reason(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(backends, "find", lambda name, encoding: Scripted([]))
        odd = Puzzle.from_givens(Board(1, 7, 1, ()), {}, name="file:3")
        with pytest.raises(Refused, match=r"^file:3: backend backtrack cannot take it: too odd$"):
            satdoku.check(odd, backend="backtrack")

    def test_as_many_grids_are_kept_as_were_asked_for(self) -> None:
        with Session("backtrack") as session:
            for keep, kept in ((0, 0), (1, 1), (None, 2), (5, 2)):
                outcome = session.run(read(TWO), Budget(None), keep)
                assert (outcome.count, len(outcome.grids)) == (2, kept)

    @pytest.mark.parametrize("backend", ["cadical153", "cpsat", "backtrack", "native", "auto"])
    def test_searches_of_one_session_may_take_turns(self, backend: str) -> None:
        with Session(backend) as session:
            first, second = (session.search(read(TWO), Budget(None)) for _ in range(2))
            found = [next(first), next(second), next(first), next(second)]
            assert {text(grid) for grid in found} == TWO_SOLUTIONS
            assert [next(search, None) for search in (first, second)] == [None, None]

    def test_a_seed_is_refused_where_it_has_no_effect(self) -> None:
        with Session("glucose4") as session, pytest.raises(Refused, match="backend glucose4 takes no seed"):
            session.run(read(TWO), Budget(2, seed=1))

    def test_cpsat_honours_a_seed(self) -> None:
        free = Puzzle.from_givens(classic(3, 3), {})
        with Session("cpsat") as session:
            grids = [session.run(free, Budget(1, seed=seed)).grids for seed in (1, 1, 2, 3, 4)]
        assert grids[0] == grids[1]
        assert len(set(grids)) > 1

    @pytest.mark.parametrize("solutions", [-1, -5])
    def test_a_negative_limit_is_refused(self, solutions: int) -> None:
        with pytest.raises(ValueError, match="expected 1 or more"):
            satdoku.solve(read(TWO), limit=solutions)

    @pytest.mark.parametrize("timeout", [0, -1, float("inf"), float("nan")])
    def test_a_timeout_is_a_number_above_zero(self, timeout: float) -> None:
        with pytest.raises(InputError, match="expected a number above 0"):
            satdoku.check(read(TWO), timeout=timeout)

    def test_outcomes_that_cannot_both_be_true_disagree(self) -> None:
        first, second = (tuple(map(int, grid)) for grid in sorted(TWO_SOLUTIONS))

        def outcome(*grids: Grid, ending: Ending = Ending.EXHAUSTED) -> Outcome:
            return Outcome(count=len(grids), grids=grids, ending=ending, backend="b", seconds=0.0)

        agree(outcome(first), outcome(first), "p")
        agree(outcome(first), outcome(ending=Ending.TIMEOUT), "p")
        agree(outcome(first, second), outcome(second, first), "p")
        with pytest.raises(satdoku.Disagreement, match="says unique, b says unsolvable"):
            agree(outcome(first), outcome(), "p")
        with pytest.raises(satdoku.Disagreement, match="different unique solutions"):
            agree(outcome(first), outcome(second), "p")


class TestNames:
    def test_an_unknown_backend_names_the_near_ones(self) -> None:
        with pytest.raises(InputError, match="unknown backend 'glucose5': did you mean glucose4"):
            find("glucose5")

    def test_a_name_near_nothing_points_to_the_list(self) -> None:
        with pytest.raises(InputError, match="unknown backend 'zzzz': see `satdoku backends`"):
            find("zzzz")

    def test_an_unknown_encoding_names_the_near_one(self) -> None:
        with pytest.raises(InputError, match="unknown encoding 'minimum': did you mean minimal"):
            find("cadical153", "minimum")

    @pytest.mark.parametrize("backend", ["cpsat", "backtrack"])
    def test_an_encoding_is_refused_where_there_are_no_clauses(self, backend: str) -> None:
        with pytest.raises(Refused, match=f"backend {backend} takes no encoding; leave out the encoding extended"):
            find(backend, "extended")

    def test_an_argument_is_refused_where_none_is_taken(self) -> None:
        with pytest.raises(Refused, match="backend cpsat takes no argument; leave out :8"):
            find("cpsat:8")

    def test_an_argument_that_is_not_known_says_what_is(self) -> None:
        with pytest.raises(Refused, match="expected backtrack:fewest or backtrack:row"):
            find("backtrack:column")

    def test_a_backend_that_cannot_run_here_says_why(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(backends, "find_spec", lambda package: None)
        with pytest.raises(InputError, match="backend cpsat: needs the package ortools, which is not installed"):
            find("cpsat")


def test_a_table_may_name_values_below_those_of_the_board() -> None:
    board = Board(2, 2, 2, (Table((0, 1), frozenset({(1, -1)}), "pair"),))
    assert satdoku.check(Puzzle.from_givens(board, {}), backend="backtrack").verdict is Verdict.UNSOLVABLE


@pytest.mark.parametrize("backend", ["cadical153", "cpsat", "backtrack"])
def test_a_limit_of_no_solutions_ends_at_once(backend: str) -> None:
    with Session(backend) as session:
        outcome = session.run(read(TWO), Budget(0))
    assert (outcome.count, outcome.grids, outcome.ending) == (0, (), Ending.LIMIT)


class TestStatistics:
    """What an engine tells of its work is of the last search alone."""

    HARD = satdoku.read("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..")
    EASY = satdoku.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")

    @pytest.mark.parametrize(
        ("name", "figure"),
        [
            ("glucose4", "conflicts"),
            ("minisat22", "propagations"),
            ("lingeling", "decisions"),
            ("cpsat", "branches"),
            ("backtrack", "nodes"),
            ("dlx", "nodes"),
            ("prune", "nodes"),
            ("native", "nodes"),
            ("auto", "nodes"),
        ],
    )
    def test_a_hard_puzzle_takes_more_than_an_easy_one_after_it(self, name: str, figure: str) -> None:
        if name not in backends.installed():
            pytest.skip(f"{name} is not installed")
        backend = backends.find(name)
        assert isinstance(backend, backends.Statistics)
        worked = []
        for puzzle in (self.HARD, self.EASY):
            assert len(list(backend.search(puzzle, Budget(2)))) == 1
            worked.append(backend.statistics()[figure])
        backend.close()
        assert worked[0] > worked[1] >= 0
