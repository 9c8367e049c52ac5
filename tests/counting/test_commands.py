"""What commands and functions make of exact counts, estimates and draws."""

from __future__ import annotations

import os
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from support.cli import EMPTY_NINE, MANY, NONE, TWO, TWO_SOLVED, complaints, out, records, run, start

import satdoku
from satdoku import Disagreement, Ending, Mark, Refused, candidates
from satdoku.counting import estimates, second
from satdoku.counting.estimates import Estimate
from satdoku.counting.exact import SolutionTotal
from satdoku.inputs import programs
from satdoku.outcome import Outcome
from satdoku.terminal.progress import Summing

EMPTY_SIX, GRIDS_OF_SIX = "." * 36, 28_200_960
GRIDS_OF_NINE = 6_670_903_752_021_072_936_960
LONG = "000000000600000000000000020100000000000000000000004000000000000000030500070000000"
"""A sum of many terms: 17 seconds of CPU time."""

DIAGONAL = satdoku.build(size=4, marks=[Mark("boxes", value="2x2"), Mark("diagonal+")])


class TestCount:
    def test_all_grids_of_the_empty_board_are_counted_by_a_sum(self) -> None:
        result = run("count", "--all", "--box", "3x3", EMPTY_NINE)
        assert (result.exit_code, result.stdout) == (0, f"{GRIDS_OF_NINE}\n")
        assert "argument 1: counted by box partitions" in complaints(result)

    def test_json_has_the_whole_number_and_the_method(self) -> None:
        [record] = records(run("count", "--all", "--json", EMPTY_NINE))
        assert record["count"] == GRIDS_OF_NINE
        assert (record["exact"], record["counted_by"], record["ending"]) == (True, "box partitions", "exhausted")

    def test_tables_have_decimal_text(self, tmp_path: Path) -> None:
        parquet = pytest.importorskip("pyarrow.parquet")
        file = tmp_path / "puzzles.txt"
        file.write_text(f"{EMPTY_SIX}\n{MANY}\n")
        result = run(
            "count", "--all", "--csv", "-j", "1", "-o", f"{tmp_path}/c.csv", "-o", f"{tmp_path}/c.parquet", str(file)
        )
        assert result.exit_code == 0
        assert parquet.read_table(tmp_path / "c.parquet").to_pydict()["count"] == [f"{GRIDS_OF_SIX}", "72"]
        assert f",{GRIDS_OF_SIX},true,exhausted,native,box splits," in (tmp_path / "c.csv").read_text()

    def test_a_limit_above_a_million_is_kept(self) -> None:
        assert run("count", "--limit", "2000000", EMPTY_SIX).stdout == "at least 2000000\n"
        assert run("count", "--limit", "30000000", EMPTY_SIX).stdout == f"{GRIDS_OF_SIX}\n"

    def test_a_backend_that_is_named_counts_by_itself(self) -> None:
        [record] = records(run("count", "--limit", "2000000", "-b", "native", "--json", EMPTY_SIX))
        assert (record["count"], record["counted_by"]) == (2_000_000, "counting search")

    @pytest.mark.parametrize("jobs", ["1", "2"])
    def test_a_timeout_leaves_a_lower_bound_and_the_estimate_comes_before(self, jobs: str) -> None:
        result = run("count", "--all", "--timeout", "0.7", "-j", jobs, LONG)
        assert result.exit_code == 3
        least = int(result.stdout.removeprefix("at least "))
        assert 1_000 < least < 1_030_867_628_687_248
        before = [line for line in complaints(result) if "s of CPU time" in line]
        assert before == ["argument 1: box partitions: about 17 s of CPU time"] or least <= 1_000_001

    @pytest.mark.skipif(os.name != "posix", reason="SIGINT")
    def test_an_interrupt_leaves_a_lower_bound(self) -> None:
        with start("count", "--all", "--json", LONG) as process:
            assert process.stderr is not None
            while "s of CPU time" not in process.stderr.readline():
                assert process.poll() is None
            process.send_signal(signal.SIGINT)
            [record] = out(process).read().splitlines()
            message = process.stderr.read()
        assert process.returncode == 130
        assert '"exact": false, "ending": "interrupted"' in record
        assert "satdoku: interrupted" in message

    @pytest.mark.parametrize("backend", ["native", "glucose4"])
    def test_an_interrupt_leaves_what_was_found_one_by_one(self, backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
        enumerated = Summing.enumerated

        def seen(watch: Summing, solutions: int) -> None:
            enumerated(watch, solutions)
            if solutions >= 70:
                raise KeyboardInterrupt

        monkeypatch.setattr(Summing, "enumerated", seen)
        result = run("count", "--all", "-b", backend, MANY)
        assert 70 <= int(result.stdout.removeprefix("at least ")) <= 72

    def test_other_boards_are_enumerated(self) -> None:
        outcome = satdoku.count(DIAGONAL, limit=None)
        assert (outcome.count, outcome.exact, outcome.counted_by) == (48, True, None)


class TestCheck:
    def test_a_sum_is_checked_by_other_sums(self) -> None:
        [record] = records(run("count", "--all", "--check", "--json", EMPTY_SIX))
        assert record["checked_by"] == "box splits, over the values of r1c1"

    def test_enumeration_is_checked_by_a_sum_or_by_clauses(self) -> None:
        assert "argument 1: checked by box splits" in complaints(run("count", "--check", MANY))
        assert satdoku.count(DIAGONAL, limit=None, check=True).checked_by == "clauses by glucose4"
        assert satdoku.count(NONE, check=True).checked_by == "box splits"

    def test_digit_templates_check_what_they_can(self) -> None:
        puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6.............9..5...8...."
        outcome = satdoku.count(puzzle, limit=None)
        by_a_sum = Outcome(
            count=outcome.count, grids=(), ending=Ending.EXHAUSTED, backend="", seconds=0, counted_by="box partitions"
        )
        assert second.checked(satdoku.read(puzzle), by_a_sum, None).checked_by == "digit templates"

    def test_a_difference_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(second, "count", lambda *known: SolutionTotal(71, True))
        with pytest.raises(Disagreement, match="71 by box splits"):
            satdoku.count(MANY, check=True)
        assert run("count", "--check", MANY).exit_code == 4

    def test_what_cannot_be_checked_is_reported(self) -> None:
        result = run("count", "--check", "--limit", "20000", "--box", "none", "1234" + "." * 12, "--rule", "anti-king")
        lower = run("count", "--check", "--limit", "10", MANY)
        assert (lower.exit_code, lower.stdout) == (0, "at least 10\n")
        assert result.exit_code == 0


class TestReadingCounts:
    """What reading a text has taken is no longer there for what is asked of it."""

    def test_the_second_count_has_what_reading_has_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[float | None] = []
        read: list[object] = []

        def checked(puzzle: object, outcome: Outcome, timeout: float | None) -> Outcome:
            asked.append(timeout)
            return outcome

        def noted(source: object) -> object:
            read.append(source)
            return whole(source)

        monkeypatch.setattr(second, "checked", checked)
        whole: Any = programs.read
        monkeypatch.setattr(programs, "read", noted)
        assert satdoku.count(MANY, check=True, timeout=100).exact
        assert [seconds is not None and seconds < 100 for seconds in asked] == [True]
        assert len(read) == 1
        assert run("count", "--check", "--timeout", "100", MANY).exit_code == 3  # as no second method has named itself
        assert [seconds is not None and seconds < 100 for seconds in asked] == [True, True]

    def test_an_estimate_has_what_reading_has_left(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[float] = []

        def estimate(puzzle: object, seconds: float, seed: int) -> Estimate:
            asked.append(seconds)
            return Estimate(1, 1, 1, 1)

        monkeypatch.setattr(estimates, "estimate", estimate)
        satdoku.estimate(MANY, seconds=100)
        assert run("count", "--estimate", "100", MANY).exit_code == 0
        assert [seconds < 100 for seconds in asked] == [True, True]

    def test_an_estimate_whose_time_is_over_while_its_text_is_read(self) -> None:
        result = run("count", "--estimate", "1e-9", "--json", 'size = 256\nrules = ["nonconsecutive"]')
        [record] = records(result)
        assert (result.exit_code, record["verdict"]) == (3, "undecided")
        assert "came while the puzzle was read" in record["reason"]


class TestEstimate:
    def test_the_interval_holds_the_number(self) -> None:
        [record] = records(run("count", "--estimate", "0.5", "--seed", "1", "--json", EMPTY_SIX))
        assert record["low"] < record["count"] < record["high"]
        assert abs(record["count"] / GRIDS_OF_SIX - 1) < 0.5
        assert (record["exact"], record["counted_by"], record["seed"]) == (False, "random probes", 1)

    def test_text_is_rounded(self) -> None:
        result = run("count", "--estimate", "0.2", "--seed", "1", EMPTY_SIX)
        assert result.stdout.startswith("about 2.")
        assert "e7 in 95 of 100 estimates, by " in result.stdout

    def test_probes_that_find_no_grid_say_nothing(self) -> None:
        none = "11" + "." * 14
        result = run("count", "--estimate", "0.05", none)
        assert (result.exit_code, result.stdout.split(" random probe")[0].split(" of ")[0]) == (3, "undecided: none")
        assert "about" not in result.stdout
        [record] = records(run("count", "--estimate", "0.05", "--json", none))
        assert (record["verdict"], record["count"], record["low"], record["high"]) == ("undecided", 0, 0, None)

    @pytest.mark.parametrize(
        ("more", "message"),
        [
            (["--estimate", "0"], "expected seconds above 0"),
            (["--estimate", "1", "--check"], "leave out --check"),
            (["--seed", "1"], "is for the random numbers of --estimate"),
        ],
    )
    def test_wrong_use_is_reported(self, more: list[str], message: str) -> None:
        result = run("count", *more, MANY)
        assert result.exit_code == 2
        assert message in result.stderr


class TestEachValue:
    def test_all_solutions_with_each_value_are_counted(self) -> None:
        [record] = records(run("candidates", "--limit", "0", "--json", "1" + EMPTY_SIX[1:]))
        assert record["solutions"] == GRIDS_OF_SIX // 6
        assert record["candidates"]["r1c1"] == {"1": GRIDS_OF_SIX // 6}
        assert record["candidates"]["r1c2"] == {f"{value}": GRIDS_OF_SIX // 30 for value in range(2, 7)}
        assert (record["ending"], record["counted_by"]) == ("exhausted", "box splits")

    def test_few_are_found_one_by_one(self) -> None:
        [record] = records(run("candidates", "--limit", "0", "--json", TWO))
        assert "counted_by" not in record
        assert record["solutions"] == 2

    def test_shares_add_up(self) -> None:
        found = satdoku.candidates("1" + EMPTY_SIX[1:], limit=None)
        assert found.shares[1] == (0, 0.2, 0.2, 0.2, 0.2, 0.2)

    def test_a_timeout_leaves_lower_bounds(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.counting.values.per_value", lambda puzzle, deadline: None)
        found = candidates(satdoku.read("1" + EMPTY_SIX[1:]), limit=None)
        assert found.ending is Ending.TIMEOUT
        assert 0 < found.solutions < GRIDS_OF_SIX // 6

    def test_a_heat_map_is_drawn(self, tmp_path: Path) -> None:
        pytest.importorskip("matplotlib")
        result = run("render", "--heat", TWO)
        assert "#f2aa86" in result.stdout  # half of the solutions
        assert run("render", "--heat", "--solution", TWO).exit_code == 2
        heat = satdoku.candidates(TWO, limit=None).shares
        assert b"#f2aa86" in satdoku.render(TWO, heat=heat)


class TestAtRandom:
    def test_solutions_are_as_likely_as_each_other(self) -> None:
        [record] = records(run("solve", "--random", "--seed", "5", "--limit", "400", "--json", TWO))
        counts = Counter(record["solutions"])
        assert set(counts) == TWO_SOLVED
        assert all(150 <= number <= 250 for number in counts.values())
        assert record["seed"] == 5

    def test_a_seed_draws_the_same(self) -> None:
        assert satdoku.draw(EMPTY_NINE, count=2, seed=1).grids == satdoku.draw(EMPTY_NINE, count=2, seed=1).grids
        assert satdoku.draw(MANY, seed=1).grids != satdoku.draw(MANY, seed=2).grids

    def test_each_command_draws_other_solutions(self) -> None:
        assert len({run("solve", "--random", MANY).stdout for _ in range(12)}) > 1

    def test_lines_of_a_file_are_drawn_too(self) -> None:
        found = [
            records(run("solve", "--random", "--seed", f"{seed}", "--json", "-", input=f"{TWO}\n{TWO}\n"))
            for seed in range(8)
        ]
        assert {solution for pair in found for record in pair for solution in [record["solution"]]} == TWO_SOLVED
        assert [record["seed"] for pair in found for record in pair] == [seed for seed in range(8) for _ in range(2)]

    def test_a_puzzle_without_solutions_has_none(self) -> None:
        result = run("solve", "--random", NONE)
        assert (result.exit_code, result.stdout) == (1, "")

    def test_too_many_on_other_boards_are_refused(self) -> None:
        with pytest.raises(Refused, match="plain 9x9"):
            satdoku.draw(EMPTY_SIX)

    @pytest.mark.parametrize("more", [["--random", "--all"], ["--seed", "1"]])
    def test_wrong_use_is_reported(self, more: list[str]) -> None:
        assert run("solve", *more, TWO).exit_code == 2
