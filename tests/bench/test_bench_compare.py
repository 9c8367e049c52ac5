"""Paired tests, the virtual best, seconds of each search, two runs compared, limits of memory."""

from __future__ import annotations

import csv
import io
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from support.bench import held, puzzles
from support.cli import NINE, UNIQUE, complaints, records, run

from satdoku.bench import raw, report, statistics
from satdoku.bench.compare import compared
from satdoku.errors import InputError

PLANTED = str(Path(__file__).parents[1] / "support" / "planted_engines.py")


class TestSignedRank:
    @pytest.mark.parametrize("number", range(1, 9))
    def test_without_ties_it_counts_every_choice_of_signs(self, number: int) -> None:
        random = Random(number)
        some = [random.choice((-1, 1)) * (random.random() + 0.1) for _ in range(number)]
        ranks = [sorted(map(abs, some)).index(abs(one)) + 1 for one in some]

        def less(signs: tuple[bool, ...]) -> int:
            positive = sum(rank for rank, sign in zip(ranks, signs, strict=True) if sign)
            return min(positive, sum(ranks) - positive)

        own = less(tuple(one > 0 for one in some))
        as_far = sum(less(signs) <= own for signs in product((False, True), repeat=number))
        assert statistics.signed_rank(np.array(some)) == pytest.approx(as_far / 2**number)

    def test_by_the_normal_distribution_it_is_nearly_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        some = np.random.default_rng(1).normal(0.3, 1, 45)
        exact = statistics.signed_rank(some)
        monkeypatch.setattr(statistics, "MAX_EXACT", 0)
        assert statistics.signed_rank(some) == pytest.approx(exact, abs=0.002)

    def test_ties_share_their_ranks(self) -> None:
        # Ranks 2, 2, 2, 4; those of the negative are 2; variance 4 * 5 * 9 / 24 - (27 - 3) / 48; z = 2.5 / sqrt(7).
        assert statistics.signed_rank(np.array([1.0, 1.0, -1.0, 2.0])) == pytest.approx(0.3447, abs=1e-4)

    def test_nothing_but_zeros_shows_nothing(self) -> None:
        assert statistics.signed_rank(np.zeros(9)) == 1.0

    def test_it_stands_beside_the_interval(self) -> None:
        (study,) = report.studies([held(*puzzles([1.0] * 8), *puzzles([2.0] * 8, backend="b"))])
        row = report.rows(study)[1]
        assert row.ratio is not None
        assert row.ratio.p == pytest.approx(0.0078, abs=0.005)
        (table,) = (table for table in report.tables(study) if table.title.startswith("Times as long"))
        assert table.columns[-1] == "p"


class TestVirtualBest:
    def test_it_takes_the_fastest_and_counts_who_is_the_only_one(self) -> None:
        best = statistics.virtual_best([puzzles([1, 5, None, 2, None]), puzzles([3, 4, 6, 2, None], backend="b")])
        assert best is not None
        assert (best.runs, best.solved) == (5, 4)
        assert best.par2 == pytest.approx((1 + 4 + 6 + 2 + 20) / 5)
        assert (best.fastest, best.alone) == ((1, 2), (0, 1))

    def test_only_what_all_have_is_compared(self) -> None:
        best = statistics.virtual_best([puzzles([1, 1]), puzzles([2], backend="b")])
        assert best is not None and best.runs == 1
        assert statistics.virtual_best([puzzles([1]), puzzles([1], repeat=1)]) is None

    def test_it_is_a_table_of_several_contenders(self) -> None:
        (study,) = report.studies([held(*puzzles([1.0, 3.0]), *puzzles([2.0, 2.0], backend="b"))])
        (table,) = (table for table in report.tables(study) if table.title == "The virtual best")
        ((_, rows),) = table.sections
        assert rows == (("all of them", "2 of 2", "1500", "", ""), ("a", "", "", "1", "0"), ("b", "", "", "1", "0"))
        (alone,) = report.studies([held(*puzzles([1.0]))])
        assert not [table for table in report.tables(alone) if table.title == "The virtual best"]


class TestInstances:
    def test_a_row_a_search_and_a_column_a_contender(self, tmp_path: Path) -> None:
        path, out = tmp_path / "raw.jsonl", tmp_path / "each.csv"
        results = held(*puzzles([1.0, None]), *puzzles([2.0], backend="b"))
        lines = [raw.line(one) for one in (results.plan, *results.sessions, *results.setups, *results.searches)]
        path.write_text("\n".join(lines) + "\n")
        made = run("bench", "report", str(path), "--tables", "-o", str(tmp_path / "report"), "--instances", str(out))
        assert made.exit_code == 0
        rows = list(csv.DictReader(io.StringIO(out.read_text())))
        assert [(row["source"], row["line"], row["a"], row["b"]) for row in rows] == [
            ("set.txt", "1", "1.0", "2.0"),
            ("set.txt", "2", "inf", ""),
        ]
        refused = run("bench", "report", str(path), "-o", str(tmp_path / "other"), "--instances", "each.txt")
        assert refused.exit_code == 2
        assert "--instances each.txt: expected the name of a CSV file" in refused.stderr


class TestCompared:
    def test_the_last_line_says_how_many_times_as_fast(self) -> None:
        fast, slow = held(*puzzles([1.0] * 6), path="fast"), held(*puzzles([2.0] * 6), path="slow")
        for pair in ((fast, slow), (slow, fast)):
            assert compared(*pair, "wall")[1] == "fast is 2 to 2 times as fast as slow"
        table, _ = compared(slow, fast, "wall")
        assert table.sections == (("all puzzles", (("a", "0.5", "0.5 to 0.5", "6", "0.020"),)),)

    def test_few_puzzles_have_no_interval(self) -> None:
        sentence = compared(held(*puzzles([1.0]), path="A"), held(*puzzles([3.0]), path="B"), "wall")[1]
        assert sentence == "A is 3 times as fast as B; fewer than 5 puzzles have no interval"

    def test_one_contender_each_may_differ(self) -> None:
        table, _ = compared(held(*puzzles([1.0])), held(*puzzles([3.0], backend="b")), "wall")
        assert table.sections[0][1][0][0] == "a and b"

    def test_what_is_not_the_same_is_refused(self) -> None:
        with pytest.raises(InputError, match="share no contender on the same puzzle"):
            compared(held(*puzzles([1.0])), held(*puzzles([1.0], seed=1)), "wall")
        with pytest.raises(InputError, match="differ in work or timeout"):
            compared(held(*puzzles([1.0])), held(*puzzles([1.0]), limit=5), "wall")

    def test_it_is_a_command(self, tmp_path: Path) -> None:
        files = [str(tmp_path / name) for name in ("a.jsonl", "b.jsonl")]
        for file in files:
            assert run("bench", "run", "-b", "backtrack", "-o", file, UNIQUE, NINE).exit_code == 0
        result = run("bench", "compare", *files)
        assert result.exit_code == 0
        assert " times as fast as " in result.stdout.splitlines()[-1]


class TestMemory:
    def test_a_search_that_takes_more_is_cut_and_the_run_goes_on(self) -> None:
        limits = ("--memory", "300", "--json")
        result = run("bench", "run", "--engines", PLANTED, "-b", "planted:grow,backtrack", *limits, UNIQUE, NINE)
        outcomes = {(row["backend"], row["outcome"], row["killed"]) for row in records(result)}
        assert outcomes == {("planted:grow", "memory", True), ("backtrack", "solved", False)}
        assert result.exit_code == 3
        assert "2 of 4 searches were cut by --memory" in complaints(result)

    def test_too_little_to_start_is_reported(self) -> None:
        result = run("bench", "run", "-b", "backtrack", "--memory", "1", UNIQUE)
        assert (
            result.exit_code,
            "its process did not start: it took more than 0.001 GB of memory" in result.stderr,
        ) == (4, True)


def test_nothing_is_cut_or_padded_in_a_pipe() -> None:
    result = run("bench", "run", "-b", "backtrack,dlx", UNIQUE)
    lines = result.stdout.splitlines()
    assert lines[0] == "What was run"
    assert max(map(len, lines)) > 80
    assert all(line == line.rstrip() for line in lines)
    assert "…" not in result.stdout
