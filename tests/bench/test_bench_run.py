"""`bench run`: what is checked before, what is measured and how, what happens when an engine errs, resuming."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from support.cli import CLASH, MANY, NINE, TWO, UNIQUE, complaints, records, run
from support.engines import installed

from satdoku import Budget, read
from satdoku.backends import find
from satdoku.bench import raw, worker
from satdoku.bench.plan import BenchPlan, Contender, warm_ups
from satdoku.bench.raw import BenchOutcome, Work
from satdoku.system.process import kill_tree

PLANTED = str(Path(__file__).parents[1] / "support" / "planted_engines.py")


def bench(*arguments: str) -> Any:
    return run("bench", "run", "--engines", PLANTED, *arguments)


def measured(path: Path) -> tuple[raw.MeasuredSearch, ...]:
    return raw.read(str(path)).searches


class TestRecords:
    def test_each_search_is_one_line_that_says_all(self, tmp_path: Path) -> None:
        out = tmp_path / "raw.jsonl"
        result = bench("-b", "backtrack,glucose4", "-e", "minimal,triad", "--repeat", "2", "-o", str(out), UNIQUE, TWO)
        assert result.exit_code == 0
        rows = [json.loads(line) for line in out.read_text().splitlines()]
        assert Counter(row["type"] for row in rows) == {"plan": 1, "session": 1, "setup": 3, "search": 12}
        (session,) = (row for row in rows if row["type"] == "session")
        assert session["machine"]["cores"] == os.cpu_count()
        assert {"python", "satdoku", "python-sat"} <= set(session["versions"])
        assert session["command"].startswith("satdoku")
        searches = measured(out)
        assert Counter((one.contender, one.name) for one in searches) == {
            (name, f"argument {number}"): 2
            for name in ("backtrack", "glucose4 minimal", "glucose4 triad")
            for number in (1, 2)
        }
        for one in searches:
            assert one.outcome is BenchOutcome.SOLVED
            assert one.verdict == {"argument 1": "unique", "argument 2": "multiple"}[one.name]
            assert one.search_wall and one.search_cpu and one.search_wall > 0 and one.search_cpu > 0
            assert one.peak_bytes > 10_000_000
            assert one.statistics.get("nodes" if one.encoding is None else "propagations", 0) > 0
            assert (one.size, one.box, one.work, one.rules, one.seed) == (4, "2x2", "unique", "warm", 0)
            assert one.givens == round(16 * (1 - one.holes))

    def test_warm_loads_the_rules_once_and_cold_each_time(self, tmp_path: Path) -> None:
        loads = {}
        for how in ("--warm", "--cold"):
            out = tmp_path / f"{how}.jsonl"
            assert bench("-b", "glucose4", how, "--repeat", "3", "-o", str(out), UNIQUE, TWO).exit_code == 0
            loads[how] = [one.encode_wall is not None for one in measured(out)]
        assert loads == {"--warm": [True, False, False, False, False, False], "--cold": [True] * 6}

    def test_the_time_of_a_cold_search_has_the_loading_in_it(self, tmp_path: Path) -> None:
        bench("-b", "glucose4", "--cold", "-o", str(tmp_path / "a"), UNIQUE)
        bench("-b", "glucose4", "--warm", "-o", str(tmp_path / "b"), UNIQUE)
        (cold,), (warm,) = measured(tmp_path / "a"), measured(tmp_path / "b")
        assert cold.decided("wall") == pytest.approx((cold.encode_wall or 0) + (cold.search_wall or 0))
        assert warm.decided("wall") == warm.search_wall

    @pytest.mark.parametrize(
        ("work", "reported"),
        [
            (["--work", "first"], [("solvable", 1, False), ("solvable", 1, False), ("unsolvable", 0, True)]),
            (["--work", "unique"], [("unique", 1, True), ("multiple", 2, False), ("unsolvable", 0, True)]),
            (["--work", "count"], [("unique", 1, True), ("multiple", 72, True), ("unsolvable", 0, True)]),
            (
                ["--work", "count", "--limit", "0"],
                [("unique", 1, True), ("multiple", 72, True), ("unsolvable", 0, True)],
            ),
            (
                ["--work", "count", "--limit", "5"],
                [("unique", 1, True), ("multiple", 6, False), ("unsolvable", 0, True)],
            ),
        ],
        ids=lambda value: " ".join(value) if isinstance(value[0], str) else "",
    )
    def test_each_work_is_done_and_no_more(self, work: list[str], reported: list[Any]) -> None:
        engines = "backtrack,cpsat" if "5" in work else "backtrack,cadical153"
        result = bench("-b", engines, *work, "--json", UNIQUE, MANY, CLASH)
        assert result.exit_code == 0
        for row in records(result):
            assert (row["verdict"], row["count"], row["exact"]) == reported[row["index"]] or (
                row["verdict"],
                row["exact"],
            ) == ("unique", True), row

    def test_setup_is_distinguished(self, tmp_path: Path) -> None:
        out = tmp_path / "raw.jsonl"
        bench("-b", "cpsat", "-o", str(out), UNIQUE)
        (setup,) = raw.read(str(out)).setups
        assert setup.start_wall > 0.01 and (setup.start_cpu or 0) > 0.01
        assert setup.warm_up_wall > (measured(out)[0].search_wall or 0), "importing OR-Tools is no part of a search"

    def test_the_processor_time_of_a_solver_in_a_child_is_seen(self) -> None:
        if "kissat404" not in installed():
            pytest.skip("kissat404 is not installed")
        backend = find("kissat404")
        puzzle = read(NINE)
        backend.load(puzzle.board)
        own = process_time()
        with worker.Stopwatch() as watch:
            list(backend.search(puzzle, Budget(2)))
        own = process_time() - own
        backend.close()
        if not Path("/proc/self/schedstat").exists():
            pytest.skip("no /proc")
        assert watch.cost.cpu is not None
        assert watch.cost.cpu - own > 0.01, "it imports python-sat and searches"

    def test_the_processor_time_of_what_has_ended_in_a_child_is_seen(self) -> None:
        """A living child whose time is that of a thread and of a process which have both ended."""
        if not Path("/proc/self/stat").exists():
            pytest.skip("no /proc")
        with worker.Stopwatch() as watch:
            child = subprocess.Popen([sys.executable, "-c", BUSY], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            assert child.stdout is not None
            used = float(child.stdout.readline())
        child.communicate()
        assert watch.cost.cpu is not None
        assert watch.cost.cpu > used - 0.05 > 0.35, "ended children are counted in hundredths of a second"

    def test_the_processor_time_of_what_is_killed_with_its_parent_is_seen(self) -> None:
        """As Kissat's process is where another engine decides the race."""
        if not Path("/proc/self/stat").exists():
            pytest.skip("no /proc")
        with worker.Stopwatch() as watch:
            child = subprocess.Popen([sys.executable, "-c", BUSY_BELOW], stdout=subprocess.PIPE)
            assert child.stdout is not None
            child.stdout.readline()
            kill_tree(child.pid)
            child.communicate()
        assert watch.cost.cpu is not None
        assert 0.35 < watch.cost.cpu < 0.8, "0.4 and the start of two interpreters, once"
        with worker.Stopwatch() as later:
            pass
        assert later.cost.cpu is not None
        assert later.cost.cpu < 0.1

    def test_a_line_reads_back(self, tmp_path: Path) -> None:
        out = tmp_path / "raw.jsonl"
        bench("-b", "backtrack", "-o", str(out), UNIQUE)
        (one,) = measured(out)
        again = tmp_path / "again.jsonl"
        again.write_text("".join([*out.read_text().splitlines(keepends=True)[:1], raw.line(one), "\n"]))
        assert measured(again) == (one,)


BUSY = """
import subprocess, sys, threading, time
work = "import time\\nwhile time.process_time() < 0.2: pass"
thread = threading.Thread(target=exec, args=(work.replace("process", "thread"), {}))
thread.start()
thread.join()
subprocess.run([sys.executable, "-c", work])
print(0.2 + time.process_time(), flush=True)
sys.stdin.read()
"""

BUSY_BELOW = """
import subprocess, sys
work = "import time\\nwhile time.process_time() < 0.4: pass\\nprint(flush=True)\\ntime.sleep(60)"
subprocess.run([sys.executable, "-c", work])
"""


class TestNative:
    """The searches that are no solvers take part as all others do."""

    def test_they_are_measured_and_tell_their_work(self, tmp_path: Path) -> None:
        out = tmp_path / "raw.jsonl"
        assert bench("-b", "native,dlx,prune,auto", "-o", str(out), UNIQUE, NINE).exit_code == 0
        searches = measured(out)
        assert Counter(search.backend for search in searches) == dict.fromkeys(("native", "dlx", "prune", "auto"), 2)
        assert all(search.outcome is BenchOutcome.SOLVED and search.encoding is None for search in searches)
        assert all(search.statistics for search in searches)

    def test_counting_without_showing_each_grid_is_warmed_up_on_other_boards_too(self, tmp_path: Path) -> None:
        jigsaw = Path(__file__).parents[2] / "puzzles" / "variants" / "region.toml"
        plan = BenchPlan(contenders=(Contender("native"),), puzzles=(read(jigsaw.read_text()),), work=Work.COUNT)
        assert [(each.solutions, each.most) for each in warm_ups(plan)] == [(None, 10_001), (None, 3)]
        out = tmp_path / "raw.jsonl"
        assert bench("-b", "native", "--work", "count", "-o", str(out), str(jigsaw)).exit_code == 0
        assert [search.count for search in measured(out)] == [1]


class TestFaults:
    """An engine that errs costs its own search, is named, and makes the status four; the others go on."""

    @pytest.fixture(scope="class")
    @classmethod
    def result(cls) -> Any:
        """One run with all of them."""
        planted = ",".join(f"planted:{how}" for how in ("wrong", "twice", "quit", "die", "raise", "lie"))
        return bench("-b", f"backtrack,{planted}", "--json", "--repeat", "2", UNIQUE, NINE)

    @pytest.mark.parametrize(
        ("how", "word"),
        [
            ("wrong", "argument 1: planted:wrong: a wrong grid: "),
            ("twice", "argument 1: planted:twice: duplicate solution"),
            ("quit", "argument 1: planted:quit: it ended after 0 grids, neither cut nor exhausted"),
            ("die", "argument 1: planted:die: the process was ended by signal 9: out of luck"),
            ("raise", "argument 1: planted:raise: ValueError: a mistake of its own"),
            ("lie", "argument 1: planted:lie says unsolvable, backtrack says unique"),
        ],
    )
    def test_it_is_reported_and_the_run_goes_on(self, how: str, word: str, result: Any) -> None:
        assert result.exit_code == 4
        message = complaints(result)
        assert any(word in line or _turned(word) in line for line in message), message
        rows = records(result)
        assert Counter(row["backend"] for row in rows)[f"planted:{how}"] == 4
        assert {row["outcome"] for row in rows if row["backend"] == "backtrack"} == {"solved"}

    def test_one_that_errs_on_a_known_puzzle_is_not_timed_at_all(self, tmp_path: Path) -> None:
        out = tmp_path / "raw.jsonl"
        result = bench("-b", "planted:unready,backtrack", "-o", str(out), UNIQUE)
        assert result.exit_code == 4
        assert "before anything was timed, on a 4x4 with 1 solution: 0 solutions, expected 1" in result.stderr
        assert measured(out) == ()

    def test_a_board_too_large_to_warm_up_on_is_timed(self, tmp_path: Path) -> None:
        rows = [[(10 * (row % 10) + row // 10 + column) % 100 + 1 for column in range(100)] for row in range(100)]
        full = tmp_path / "full.txt"
        full.write_text("\n".join(" ".join(map(str, row)) for row in rows))
        (record,) = records(bench("-b", "glucose4", "--json", "--timeout", "60", str(full)))
        assert (record["outcome"], record["verdict"]) == ("solved", "unique")

    def test_rules_that_cannot_be_loaded_are_reported(self) -> None:
        result = bench("-b", "planted:load", UNIQUE)
        assert (result.exit_code, "no room for rules" in result.stderr) == (4, True)

    def test_what_an_engine_prints_does_not_mix_with_its_answers(self) -> None:
        result = bench("-b", "planted:print", "--json", UNIQUE)
        assert (result.exit_code, [row["verdict"] for row in records(result)]) == (0, ["unique"])

    def test_a_search_that_was_cut_counts_as_cut(self) -> None:
        result = bench("-b", "backtrack,planted:cut", "--json", UNIQUE)
        assert result.exit_code == 3
        assert "1 of 2 searches were cut by the timeout" in complaints(result)
        outcomes = {row["backend"]: row["outcome"] for row in records(result)}
        assert outcomes == {"backtrack": "solved", "planted:cut": "timeout"}

    def test_an_answer_after_the_timeout_counts_as_cut(self) -> None:
        result = bench("-b", "planted:late", "--timeout", "0.3", "--json", UNIQUE)
        (row,) = records(result)
        assert (result.exit_code, row["outcome"], row["killed"], row["verdict"]) == (3, "timeout", False, "unique")

    def test_one_that_overshoots_is_killed_with_its_children_and_started_again(self) -> None:
        result = bench("-b", "planted:hang,backtrack", "--timeout", "0.2", "--json", UNIQUE, TWO)
        rows = [row for row in records(result) if row["backend"] == "planted:hang"]
        assert [(row["outcome"], row["killed"], row["search_cpu"]) for row in rows] == [("timeout", True, None)] * 2
        assert all(row["search_wall"] > 0.2 for row in rows)
        assert result.exit_code == 3

    @pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="/proc")
    def test_a_child_in_a_session_of_its_own_is_killed_too(self) -> None:
        bench("-b", "planted:child", "--timeout", "0.2", UNIQUE)
        commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _readable(path)]
        assert not any(b"import time; time.sleep(600)" in command for command in commands)


def _turned(word: str) -> str:
    """The same disagreement, seen from the other side."""
    head, _, rest = word.partition(": ")
    parts = rest.split(", ")
    return f"{head}: {', '.join(reversed(parts))}"


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


class TestBefore:
    """What is wrong is reported before anything is timed, with status two and nothing on standard output."""

    @pytest.mark.parametrize(
        ("arguments", "word"),
        [
            (["-b", "glucose", UNIQUE], "unknown backend 'glucose': did you mean"),
            (["-e", "zzz", UNIQUE], "unknown encoding 'zzz'"),
            (["-b", "backtrack", "-e", "minimal", UNIQUE], "none of backtrack takes an encoding"),
            (["-b", "backtrack", UNIQUE, "123"], "123: neither a file nor a puzzle"),
            (["-b", "backtrack", "nosuch.txt"], "nosuch.txt: neither a file nor a puzzle"),
            (
                ["-b", "planted:refuse,backtrack", UNIQUE, NINE],
                "argument 1: backend planted:refuse cannot take it: it is too",
            ),
            (["-b", "backtrack", "--timeout", "0", UNIQUE], "expected a number above 0"),
            (["-b", "backtrack", "--repeat", "0", UNIQUE], "--repeat 0: expected 1 or more"),
            (["-b", "backtrack", "--work", "count", "--limit", "-1", UNIQUE], "expected 0 or more"),
            (["-b", "backtrack", "--limit", "5", UNIQUE], "--limit 5 is for --work count alone"),
            (["-b", "backtrack", "--timeout", "1e-10", UNIQUE], "--timeout 1e-10: expected seconds, 1e-09 to 1e+09"),
            (["-b", "backtrack", "--work", "most", UNIQUE], "--work most: expected one of first, unique, count"),
            (["-b", "backtrack", "--clock", "sun", UNIQUE], "--clock sun: expected wall or cpu"),
            (
                ["-b", "backtrack", "--baseline", "cpsat", UNIQUE],
                "--baseline cpsat: expected one of the contenders: backtrack",
            ),
            (["-b", "backtrack", "-o", ".", UNIQUE], "--output .: a directory, expected"),
            (["-b", "backtrack", "-o", "/nonexistent/raw", UNIQUE], "there is no folder /nonexistent"),
            (["-b", "backtrack", "--engines", "nosuch.py", UNIQUE], "nosuch.py"),
            (["-b", "backtrack", "--engines", __file__, UNIQUE], "expected ENGINES"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_it_is_reported(self, arguments: list[str], word: str) -> None:
        result = bench(*arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert word in result.stderr

    def test_skip_leaves_out_what_a_backend_cannot_take(self) -> None:
        result = bench("-b", "planted:refuse,backtrack", "--skip", "--json", UNIQUE, NINE)
        assert result.exit_code == 0
        assert Counter(row["backend"] for row in records(result)) == {"backtrack": 2, "planted:refuse": 1}
        assert "argument 1: backend planted:refuse cannot take it: it is too square; left out" in complaints(result)

    def test_nothing_left_is_an_error(self) -> None:
        result = bench("-b", "planted:refuse", "--skip", UNIQUE)
        assert (result.exit_code, "no backend takes any of these boards" in result.stderr) == (2, True)

    def test_a_second_file_cannot_take_the_name_of_a_backend(self, tmp_path: Path) -> None:
        file = tmp_path / "more.py"
        file.write_text("from satdoku.backends import Engine\nENGINES = (Engine('cpsat', '', lambda a, e: None),)")
        result = run("bench", "run", "--engines", str(file), "-b", "cpsat", UNIQUE)
        assert (result.exit_code, "there is a backend cpsat already" in result.stderr) == (2, True)
