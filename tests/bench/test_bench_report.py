"""Statistics against figures worked out by hand; tables, pictures and the page of `bench report`."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from support.amount import every
from support.bench import held, puzzles, search
from support.cli import NINE, TWO, UNIQUE, complaints, run

from satdoku.bench import folder, plots, report, statistics
from satdoku.bench.raw import BenchOutcome, Rules, Work, line, read
from satdoku.errors import InputError


class TestSummary:
    def test_all_decided(self) -> None:
        summary = statistics.summary(puzzles([4, 1, 2, 3]))
        assert (summary.runs, summary.solved, summary.timeouts, summary.failed) == (4, 4, 0, 0)
        assert (summary.median, summary.mean_at_least, summary.par2, summary.percentile_90) == (2.5, 2.5, 2.5, 4)
        assert summary.puzzles_a_second == pytest.approx(0.4)

    def test_cut_searches_are_counted_and_never_averaged_away(self) -> None:
        summary = statistics.summary(puzzles([1, 1, 1, None]))
        assert (summary.solved, summary.timeouts) == (3, 1)
        assert summary.median == 1
        assert summary.percentile_90 == math.inf
        assert summary.mean_at_least == pytest.approx((3 + 10) / 4)
        assert summary.par2 == pytest.approx((3 + 20) / 4)
        assert summary.puzzles_a_second == pytest.approx(3 / 13)

    def test_a_median_that_was_not_decided_is_infinite(self) -> None:
        assert statistics.summary(puzzles([1, None])).median == math.inf
        assert statistics.summary(puzzles([1, 1, None])).median == 1
        assert statistics.summary(puzzles([1, None, None])).median == math.inf

    def test_a_failed_search_is_no_timeout_and_is_charged_alike(self) -> None:
        summary = statistics.summary([*puzzles([1.0]), search(0.001, outcome=BenchOutcome.FAILED)])
        assert (summary.solved, summary.timeouts, summary.failed) == (1, 0, 1)
        assert summary.par2 == pytest.approx((1 + 20) / 2)

    @pytest.mark.parametrize(("runs", "rank"), [(1, 1), (9, 9), (10, 9), (11, 10), (20, 18), (100, 90)])
    def test_the_90th_percentile_is_the_nearest_rank(self, runs: int, rank: int) -> None:
        assert statistics.summary(puzzles([float(n) / 100 for n in range(1, runs + 1)])).percentile_90 == rank / 100

    def test_clocks_are_distinguished(self) -> None:
        assert statistics.summary(puzzles([2.0]), "cpu").mean_at_least == 1.0


class TestRatio:
    def test_twice_as_long_is_two_with_no_width(self) -> None:
        base = puzzles([0.1, 0.2, 0.3, 0.4, 0.5])
        ratio = statistics.ratio(puzzles([0.2, 0.4, 0.6, 0.8, 1.0]), base)
        assert ratio is not None
        for interval in (ratio.typical, ratio.total):
            assert [interval.value, interval.low, interval.high] == pytest.approx([2, 2, 2])
        assert ratio.pairs == 5

    def test_typical_and_total_differ_where_one_puzzle_is_hard(self) -> None:
        ratio = statistics.ratio(puzzles([1, 1, 1, 1, 8]), puzzles([1, 1, 1, 1, 1]))
        assert ratio is not None
        assert ratio.typical.value == pytest.approx(8 ** (1 / 5))
        assert ratio.total.value == pytest.approx(12 / 5)
        assert ratio.typical.low is not None and ratio.typical.high is not None
        assert 1 <= ratio.typical.low < ratio.typical.value < ratio.typical.high < 8

    def test_a_cut_search_is_charged_twice_its_timeout(self) -> None:
        ratio = statistics.ratio(puzzles([None]), puzzles([2.0]))
        assert ratio is not None
        assert ratio.total.value == 10

    def test_only_the_same_puzzle_in_the_same_layout_is_compared(self) -> None:
        ratio = statistics.ratio([search(2.0), search(9.0, repeat=1)], [search(1.0), search(9.0, repeat=2)])
        assert ratio is not None
        assert (ratio.pairs, ratio.total.value) == (1, 2)
        assert statistics.ratio([search(1.0)], [search(1.0, digest="other")]) is None

    def test_few_puzzles_get_no_interval_however_often_repeated(self) -> None:
        repeats = [search(1.0, repeat=repeat) for repeat in range(50)]
        ratio = statistics.ratio(repeats, repeats)
        assert ratio is not None
        assert (ratio.pairs, ratio.typical.low, ratio.typical.high) == (50, None, None)

    def test_the_interval_holds_the_truth_nineteen_times_of_twenty(self) -> None:
        """Coverage of the bootstrap: log-normal ratios with mean 1, 40 puzzles, 200 studies."""
        from random import Random

        rng, covered = Random(1), 0
        for _ in range(200):
            ours = puzzles([math.exp(rng.gauss(0, 0.5)) for _ in range(40)])
            ratio = statistics.ratio(ours, puzzles([1.0] * 40))
            assert ratio is not None and ratio.typical.low is not None and ratio.typical.high is not None
            covered += ratio.typical.low <= 1 <= ratio.typical.high
        assert 0.88 < covered / 200 < 0.99


class TestStudies:
    def test_counts_up_to_different_limits_are_not_compared(self) -> None:
        counts = [held(search(1.0, work=Work.COUNT), path=str(limit), limit=limit) for limit in (10, 1000)]
        assert [str(study.scenario).partition(",")[0] for study in report.studies(counts)] == [
            "the number of solutions up to 10",
            "the number of solutions up to 1000",
        ]

    def test_works_and_timeouts_are_never_mixed(self) -> None:
        found = report.studies([held(search(1.0), search(1.0, work=Work.FIRST), search(1.0, timeout=5.0))])
        assert [(study.scenario.work, study.scenario.timeout) for study in found] == [
            ("unique", 10.0),
            ("first", 10.0),
            ("unique", 5.0),
        ]

    def test_warm_and_cold_are_contenders_of_one_table(self) -> None:
        cold = search(1.0, rules=Rules.COLD, encode_wall=3.0, encode_cpu=3.0)
        (study,) = report.studies([held(search(1.0)), held(cold, path="cold.jsonl")])
        assert list(study.searches) == ["a warm", "a cold"]
        (_, row) = report.rows(study)
        assert row.ratio is not None
        assert row.ratio.total.value == 4

    def test_the_same_contender_of_two_files_is_distinguished_by_the_file(self) -> None:
        (study,) = report.studies([held(search(1.0)), held(search(2.0), path="new.jsonl")])
        assert list(study.searches) == ["a (raw.jsonl)", "a (new.jsonl)"]

    def test_two_files_of_different_puzzles_are_one_contender(self) -> None:
        (study,) = report.studies([held(search(1.0)), held(search(2.0, digest="e", source="b.txt"), path="b.jsonl")])
        assert {name: len(times) for name, times in study.searches.items()} == {"a": 2}
        assert study.groups == [("set.txt", 9), ("b.txt", 9)]


class TestTables:
    def test_markdown_is_aligned_by_its_columns(self) -> None:
        (study,) = report.studies([held(*puzzles([0.001, 0.002, None]), *puzzles([0.002, 0.004, None], backend="b"))])
        times, ratios, *_ = (report.markdown(table) for table in report.tables(study))
        rows = [line for line in times.splitlines() if line.startswith("|")]
        assert len({row.count("|") for row in rows}) == 1
        assert "| a | 2 of 3 | 2.00 | > 10000 | ≥ 3334 | 6668 | 0.2 | 1 | 0 |" in rows
        assert "| b | 1.59 |  | 1 |  | 3 |" in ratios

    def test_csv_has_every_figure_in_seconds_and_bytes(self) -> None:
        (study,) = report.studies(
            [held(*puzzles([1.0, None]), *puzzles([2.0, 3.0], backend="b", statistics={"nodes": 7}))]
        )
        rows = list(csv.DictReader(io.StringIO(report.comma_separated((study, row) for row in report.rows(study)))))
        assert [row["contender"] for row in rows] == ["a", "b"]
        assert (rows[0]["median"], rows[0]["timeouts"], rows[0]["par2"]) == ("inf", "1", "10.5")
        assert (float(rows[1]["total_ratio"]), rows[1]["nodes"], rows[0]["nodes"]) == (5 / 21, "7.0", "")
        assert rows[1]["peak_bytes"] == "50000000"

    @pytest.mark.parametrize(
        ("seconds", "text"),
        [
            (12.3456, "12346"),
            (0.12345, "123"),
            (0.01234, "12.3"),
            (0.0012345, "1.23"),
            (0.00012345, "0.123"),
            (1.26e-5, "0.013"),
        ],
    )
    def test_times_have_three_digits(self, seconds: float, text: str) -> None:
        assert report.milliseconds(seconds) == text

    def test_what_an_engine_does_not_tell_stays_empty(self) -> None:
        (study,) = report.studies([held(search(1.0, statistics={"nodes": 5}), search(1.0, backend="b"))])
        reported = report.tables(study)[-1]
        assert reported.columns == ("contender", "nodes")
        assert reported.sections[0][1] == (("a", "5"),)


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A real run: three sizes, three contenders, one of which is cut."""
    here = tmp_path_factory.mktemp("bench")
    made = here / "made.txt"
    assert (
        run(
            "bench", "make", "--size", "4,6,9", "--holes", "0.4,0.5", "-n", "3", "--balanced", "-o", str(made)
        ).exit_code
        == 0
    )
    out = here / "raw.jsonl"
    planted = str(Path(__file__).parents[1] / "support" / "planted_engines.py")
    arguments = ["-b", "backtrack,cadical153,planted:cut", "--engines", planted, "--work", "first", "-o", str(out)]
    assert run("bench", "run", *arguments, str(made)).exit_code == 3
    return out


BASELINE = "cadical153 extended"


class Links(HTMLParser):
    """Collects what a page refers to."""

    def __init__(self) -> None:
        super().__init__()
        self.sources: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.sources += [value or "" for name, value in attrs if name in ("src", "href")]


class TestFolder:
    def test_it_has_tables_pictures_and_a_page(self, measured: Path, tmp_path: Path) -> None:
        result = run("bench", "report", str(measured), "-o", str(tmp_path / "a" / "b"), "--baseline", BASELINE)
        assert (result.exit_code, result.stdout) == (0, "")
        files = {path.name: path.read_bytes() for path in (tmp_path / "a" / "b").iterdir()}
        pictures = ["cactus", "heatmap", "scaling", "scatter-backtrack", "scatter-planted-cut"]
        assert set(files) == {"report.html", "tables.md", "tables.csv"} | {
            f"{name}.{format}" for name in pictures for format in ("svg", "png")
        }
        for name in pictures:
            assert files[f"{name}.png"].startswith(b"\x89PNG")
            assert b"<svg" in files[f"{name}.svg"][:1000]
        reported = files["tables.md"].decode()
        assert "| planted:cut | 0 of 6 | > 10000 | > 10000 |" in reported
        assert f"Times as long as {BASELINE}" in reported
        page = files["report.html"].decode()
        links = Links()
        links.feed(page)
        assert links.sources
        assert all(source.startswith("data:image/svg+xml;base64,") for source in links.sources)
        assert not re.search(r"url\(|@import|<script|<link", page)
        assert 'name="viewport"' in page
        assert links.tags.count("table") == 5

    def test_the_same_records_give_the_same_files(self) -> None:
        raws = [held(*puzzles([0.1, 1.0, None]), *puzzles([0.2, None, 0.1], backend="b"))]
        assert folder.contents(raws, None, "cpu", pictures=True) == folder.contents(raws, None, "cpu", pictures=True)

    def test_text_from_a_record_is_escaped(self) -> None:
        page = folder.contents([held(search(1.0, source="<b>.txt"))], None, "wall", pictures=False)[
            "report.html"
        ].decode()
        assert "&lt;b&gt;.txt" in page and "<b>.txt" not in page
        assert "P &lt;one&gt;" in page

    def test_tables_alone_need_no_matplotlib(self, measured: Path, tmp_path: Path, monkeypatch: Any) -> None:
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        monkeypatch.delitem(sys.modules, "satdoku.bench.plots", raising=False)
        monkeypatch.delattr("satdoku.bench.plots", raising=False)
        assert run("bench", "report", str(measured), "-o", str(tmp_path), "--tables").exit_code == 0
        assert {path.name for path in tmp_path.iterdir()} == {"report.html", "tables.md", "tables.csv"}
        result = run("bench", "report", str(measured), "-o", str(tmp_path / "more"))
        assert (result.exit_code, (tmp_path / "more").exists()) == (2, False)
        assert "pip install 'satdoku[pictures]'" in result.stderr

    @pytest.mark.parametrize("clock", every(2, ["wall", "cpu"]))
    def test_nothing_decided_at_all_is_drawn_too(self, clock: str) -> None:
        results = held(*puzzles([None] * 3), *puzzles([None] * 3, backend="b"))
        files = folder.contents([results], None, clock, pictures=True)
        assert "cactus.svg" in files and "scatter-b.svg" in files

    def test_a_single_search_is_drawn_too(self) -> None:
        files = folder.contents([held(search(1e-7))], None, "wall", pictures=True)
        assert {"cactus.svg", "cactus.png"} <= set(files)
        assert "scaling.svg" not in files

    def test_a_file_named_twice_is_read_once(self, measured: Path, tmp_path: Path) -> None:
        twice = [str(measured), str(measured.parent / "." / measured.name)]
        for folder_name, named in (("one", twice[:1]), ("two", twice)):
            assert run("bench", "report", *named, "-o", str(tmp_path / folder_name), "--tables").exit_code == 0
        assert (tmp_path / "one" / "tables.csv").read_text() == (tmp_path / "two" / "tables.csv").read_text()

    def test_disagreements_in_the_records_make_the_status_four(self, measured: Path, tmp_path: Path) -> None:
        lines = measured.read_text().splitlines()
        bad = next(i for i, line in enumerate(lines) if '"backend": "cadical153"' in line and '"search"' in line)
        record = json.loads(lines[bad])
        lines[bad] = json.dumps(record | {"count": 0, "exact": True, "verdict": "unsolvable"})
        file = tmp_path / "bad.jsonl"
        file.write_text("\n".join(lines) + "\n")
        result = run("bench", "report", str(file), "-o", str(tmp_path / "out"), "--tables")
        assert result.exit_code == 4
        assert any("unsolvable" in line for line in complaints(result))
        assert "unsolvable" in (tmp_path / "out" / "report.html").read_text()


PLAN = line(held().plan) + "\n"


@pytest.mark.parametrize(
    ("content", "word"),
    [
        ("", "expected raw results"),
        ("hello\n", "line 1: not a record"),
        (PLAN.replace('"version": 1', '"version": 99'), "version 99, expected version 1"),
        (PLAN, "no measured search"),
        (PLAN + '{"type": "search", "backend": "a"}\n', "line 2: not a record"),
        (PLAN + '{"type": "song"}\n', "Invalid value 'song' - at `type`"),
        (PLAN + "[1]\n", "line 2: not a record"),
        (PLAN + '{"type": ' + "[" * 100_000 + "\n", "line 2: not a record"),
        ("\xff\x00\n", "line 1: not a record"),
    ],
)
def test_a_file_that_is_no_raw_file_is_refused(content: str, word: str, tmp_path: Path) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_text(content, "latin-1")
    result = run("bench", "report", str(file), "-o", str(tmp_path / "out"), "--tables")
    assert (result.exit_code, (tmp_path / "out").exists()) == (2, False)
    assert word in complaints(result)[0]


def test_a_record_with_a_word_for_a_number_is_refused(tmp_path: Path, measured: Path) -> None:
    file = tmp_path / "raw.jsonl"
    file.write_text(re.sub(r'"search_wall": [\d.e-]+', '"search_wall": "soon"', measured.read_text()))
    result = run("bench", "report", str(file), "-o", str(tmp_path / "out"))
    assert (result.exit_code, "got `str` - at `search_wall`" in result.stderr) == (2, True)


ODD: list[Any] = [None, -1, 0, 0.5, 1e308, 5e-324, "x", "", [], {}, True, 10**30, 10**400, "\ud800", {"a": 1}, ["a"]]


def altered(record: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The record with each of its values in turn, and those of objects in it, exchanged for each odd one."""
    for name, value in record.items():
        inside = altered(value) if isinstance(value, dict) and value else ()
        yield from ({**record, name: odd} for odd in (*ODD, *inside))
        yield {other: kept for other, kept in record.items() if other != name}


@pytest.mark.parametrize("place", [0, 1, 2, 4, 6], ids=["plan", "session", "setup", "search", "cut search"])
def test_a_file_that_was_altered_is_reported_on_or_refused(place: int, tmp_path: Path) -> None:
    """Never a traceback; what is refused is named with its line and field."""
    results = held(*puzzles([0.1, 1.0, None], statistics={"nodes": 3}), *puzzles([0.2, None, 0.1], backend="b"))
    records = [results.plan, *results.sessions, *results.setups, *results.searches]
    lines = [line(record) for record in records]
    file = tmp_path / "raw.jsonl"
    outcomes = Counter[bool]()
    for record in altered(json.loads(lines[place])):
        file.write_text("\n".join([*lines[:place], json.dumps(record), *lines[place + 1 :]]) + "\n")
        try:
            folder.contents([read(str(file))], None, "wall", pictures=False)
            outcomes[True] += 1
        except InputError as error:
            assert f"{file}, line {place + 1}: " in str(error) or "expected raw results" in str(error)
            outcomes[False] += 1
    assert min(outcomes[True], outcomes[False]) > 5


@pytest.mark.parametrize("seconds", every(2, [0.0, 5e-324, 1e9]))
def test_times_at_the_ends_of_what_a_record_may_hold_are_drawn(seconds: float) -> None:
    results = held(*puzzles([seconds] * 3, timeout=1e9), *puzzles([seconds, None, 1.0], backend="b", timeout=1e9))
    assert "scatter-b.svg" in folder.contents([results], None, "wall", pictures=True)


def test_the_terminal_shows_the_same_tables() -> None:
    result = run("bench", "run", "-b", "backtrack,cadical153", UNIQUE, TWO, NINE)
    assert result.exit_code == 0
    for word in ("Time to show uniqueness", "arguments, 4x4", "arguments, 9x9", "2 of 2", "Times as long as backtrack"):
        assert word in result.stdout


class TestPictures:
    def cells(self, *shares: float, size: int = 9) -> dict[int, dict[float, float]]:
        made = [search(0.1, index=number, holes=share, size=size) for number, share in enumerate(shares)]
        (study,) = report.studies([held(*made)])
        return plots._cells(study)

    def test_shares_of_holes_that_stand_apart_keep_a_cell_each(self) -> None:
        assert self.cells(0.45, 0.5, 0.55) == {9: {0.45: 0.45, 0.5: 0.5, 0.55: 0.55}}

    def test_shares_that_stand_close_are_taken_together(self) -> None:
        assert self.cells(0.68, 0.691, 0.79) == {9: {0.68: 0.68, 0.691: 0.7, 0.79: 0.8}}
        together = self.cells(*(number / 81 for number in range(20, 65)))[9]
        assert len(set(together.values())) <= plots.MAX_CELLS + 1
        assert all(abs(share - cell) <= 0.05 for share, cell in together.items())

    def test_a_baseline_need_not_be_in_every_study(self) -> None:
        raws = [held(search(1.0)), held(search(1.0, backend="b", work=Work.FIRST), path="other.jsonl")]
        assert [study.baseline for study in report.studies(raws, "b")] == ["a", "b"]
        with pytest.raises(InputError, match="--baseline c: expected one of the contenders: a, b"):
            report.studies(raws, "c")
