"""`bench run`: a run that goes on from its file, and searches that disagree."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from support.batch import wait_for
from support.cli import NINE, TWO, UNIQUE, complaints, records, run, start

from satdoku import read
from satdoku.bench import raw, running
from satdoku.bench.plan import BenchPlan, Contender
from satdoku.bench.raw import BenchOutcome, Work, disagreements
from satdoku.errors import InputError

PLANTED = str(Path(__file__).parents[1] / "support" / "planted_engines.py")


def measured(path: Path) -> tuple[raw.MeasuredSearch, ...]:
    return raw.read(str(path)).searches


class TestResume:
    ARGUMENTS = ("bench", "run", "--engines", PLANTED, "-b", "backtrack,glucose4", "--repeat", "2", UNIQUE, TWO)

    @pytest.fixture(scope="class")
    def complete(self, tmp_path_factory: pytest.TempPathFactory) -> str:
        """What such a run writes."""
        out = tmp_path_factory.mktemp("complete") / "raw.jsonl"
        assert run(*self.ARGUMENTS, "-o", str(out)).exit_code == 0
        return out.read_text()

    @pytest.fixture
    def out(self, tmp_path: Path, complete: str) -> Path:
        (tmp_path / "raw.jsonl").write_text(complete)
        return tmp_path / "raw.jsonl"

    def test_what_was_measured_is_kept_and_the_rest_is_measured(self, out: Path) -> None:
        whole = out.read_text().splitlines(keepends=True)
        kept = [line for line in whole if '"type": "search"' not in line] + [
            line for line in whole if '"type": "search"' in line
        ][:3]
        out.write_text("".join(kept) + '{"type": "search", "backend": "glu')
        assert run(*self.ARGUMENTS, "-o", str(out)).exit_code == 0
        assert out.read_text().startswith("".join(kept))
        searches = measured(out)
        assert len(searches) == len({one.key for one in searches}) == 8
        assert len(raw.read(str(out)).sessions) == 2

    def test_a_run_that_is_complete_measures_nothing_again(self, out: Path) -> None:
        before = measured(out)
        result = run(*self.ARGUMENTS, "-o", str(out))
        assert (result.exit_code, measured(out)) == (0, before)
        assert "searches: 8, 2 puzzles, 2 times each" in result.stdout
        reported = [record["index"] for record in records(run(*self.ARGUMENTS, "-o", str(out), "--json"))]
        assert reported == [search.index for search in before]

    def test_a_failure_of_an_earlier_session_stays_one(self, out: Path) -> None:
        text = out.read_text().replace('"outcome": "solved"', '"outcome": "failed"', 1)
        out.write_text(text.replace('"fault": null', '"fault": "it crashed"', 1))
        result = run(*self.ARGUMENTS, "-o", str(out))
        assert result.exit_code == 4
        assert any(line.endswith("it crashed") for line in complaints(result))

    @pytest.mark.parametrize("change", [["--seed", "1"], ["--timeout", "3"], ["--cold"], [NINE]])
    def test_another_plan_is_refused_and_the_file_stays(self, out: Path, change: list[str]) -> None:
        before = out.read_bytes()
        result = run(*self.ARGUMENTS, *change, "-o", str(out))
        assert (result.exit_code, out.read_bytes()) == (2, before)
        assert "holds another run" in result.stderr

    def test_another_version_is_refused(self, out: Path) -> None:
        out.write_text(out.read_text().replace('"python-sat": "', '"python-sat": "0.'))
        result = run(*self.ARGUMENTS, "-o", str(out))
        assert result.exit_code == 2
        assert "was begun by other versions or on another machine (python-sat 0." in result.stderr

    def test_a_file_that_another_run_is_writing_is_refused(self, tmp_path: Path) -> None:
        out = tmp_path / "raw.jsonl"
        plan = BenchPlan(contenders=(Contender("backtrack"),), puzzles=(read(UNIQUE),))
        session = running.session(["backtrack"])
        log = raw.Log(out, plan.header, session)
        with pytest.raises(InputError, match="another run is writing it"):
            raw.Log(out, plan.header, session)
        log.close()
        raw.Log(out, plan.header, session).close()

    def test_a_file_of_something_else_is_refused(self, tmp_path: Path) -> None:
        out = tmp_path / "notes.txt"
        out.write_text("remember the milk\n")
        result = run(*self.ARGUMENTS, "-o", str(out))
        assert (result.exit_code, out.read_text()) == (2, "remember the milk\n")
        assert f"{out}, line 1: not a record" in result.stderr

    @pytest.mark.skipif(os.name != "posix", reason="SIGINT")
    def test_an_interrupt_keeps_what_was_measured_and_leaves_no_process(self, tmp_path: Path) -> None:
        out = tmp_path / "raw.jsonl"
        arguments = ["bench", "run", "--engines", PLANTED, "-b", "backtrack,planted:hang", "-o", str(out), UNIQUE, TWO]
        with start(*arguments) as process:
            wait_for(lambda: out.exists() and '"type": "setup"' in out.read_text())
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            _, message = process.communicate()
        assert process.returncode == 130
        assert "the same command goes on from there" in message
        assert "Traceback" not in message
        assert all(one.outcome is BenchOutcome.SOLVED for one in measured(out))


class TestDisagreement:
    def search(self, **changes: Any) -> raw.MeasuredSearch:
        values: dict[str, Any] = dict.fromkeys(raw.MeasuredSearch.__struct_fields__, 0)
        values |= {
            "backend": "a", "encoding": None, "work": Work.UNIQUE, "outcome": BenchOutcome.SOLVED, "verdict": "unique",
            "count": 1, "exact": True, "solution_digest": "x", "source": "p", "line": None,
            "digest": "d", "shuffle": "all",
        }  # fmt: skip
        return raw.MeasuredSearch(**values | changes)

    @pytest.mark.parametrize(
        ("first", "second", "agree"),
        [
            ({}, {}, True),
            ({}, {"solution_digest": "y"}, False),
            ({}, {"solution_digest": "y", "repeat": 1}, True),
            ({}, {"count": 2, "exact": False}, False),
            ({}, {"count": 0, "exact": True}, False),
            ({}, {"count": 1, "exact": False}, True),
            ({"count": 72}, {"count": 71}, False),
            ({"count": 72}, {"count": 73, "exact": False}, False),
            ({"count": 72}, {"count": 6, "exact": False}, True),
            ({"count": 2, "exact": False}, {"count": 6, "exact": False}, True),
            ({"count": 0}, {"count": 1, "exact": False, "repeat": 3}, False),
            ({}, {"digest": "e", "count": 0}, True),
            ({}, {"outcome": BenchOutcome.FAILED, "count": 0}, True),
            ({}, {"outcome": BenchOutcome.TIMEOUT, "count": 0, "exact": False}, True),
            ({}, {"outcome": BenchOutcome.TIMEOUT, "count": 2, "exact": False}, False),
        ],
    )
    def test_two_searches_agree_if_both_can_be_right(self, first: Any, second: Any, agree: bool) -> None:
        pair = [self.search(**first), self.search(backend="b", **second)]
        assert (disagreements(pair) == []) is agree
        assert (disagreements(reversed(pair)) == []) is agree
