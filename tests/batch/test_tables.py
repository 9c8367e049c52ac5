"""Compressed files, tables and their columns, records as CSV."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import pytest
from support.batch import lines, zstd
from support.cli import NINE, NINE_SOLVED, NONE, TWO, UNIQUE, run, start

from satdoku.batch.layouts import ColumnLayout, TableLayout
from satdoku.batch.questions import Question
from satdoku.batch.sinks import Columnar
from satdoku.inputs import columnar
from satdoku.inputs.columns import Encoded, record_text


class TestPackedAndTables:
    @pytest.mark.parametrize("packed", ["gz", "bz2", "xz", "zst"])
    def test_compressed_files_and_pipes(self, packed: str, file: Any) -> None:
        text = f"{UNIQUE}\n{TWO}\n{NINE}\n".encode()
        packs: dict[str, Callable[[bytes], bytes]] = {
            "gz": gzip.compress,
            "bz2": bz2.compress,
            "xz": lzma.compress,
            "zst": zstd,
        }
        pack = packs[packed]
        plain = run("check", file(text)).stdout
        name = file(pack(text), f"p.txt.{packed}")
        assert run("check", name).stdout == plain.replace("p.txt", name)
        with start("check", "-", stdin=Path(name).open("rb")) as process:
            assert process.communicate()[0] == plain.replace("p.txt", "-")

    def test_a_damaged_file_says_so(self, file: Any) -> None:
        name = file(gzip.compress(f"{UNIQUE}\n".encode() * 20_000)[:-20] + b"x" * 12, "p.gz")
        result = run("check", name)
        assert result.exit_code == 2
        assert "satdoku: p.gz: " in result.stderr
        assert "Traceback" not in result.stderr

    def test_zstd_that_is_cut_is_no_shorter_file(self, file: Any) -> None:
        packed = zstd(f"{UNIQUE}\n".encode() * 20_000)
        assert run("check", "-j", "1", file(packed * 2, "p.zst")).stdout.count("unique") == 40_000
        result = run("check", "-j", "1", file(packed + packed[:-4], "p.zst"))
        assert (result.exit_code, "p.zst: compressed data ends inside a frame" in result.stderr) == (2, True)

    @pytest.mark.parametrize("delimiter", [",", "\t", ";"])
    def test_a_column_of_a_table_and_the_solution_beside_it(self, delimiter: str, file: Any) -> None:
        rows = [
            ["id", "quizzes", "solutions"],
            ["1", NINE, NINE_SOLVED],
            ["2", NINE, NINE_SOLVED[::-1]],
            ["3", TWO, "x"],
            ["4"],
        ]
        text = "".join(delimiter.join(row) + "\n" for row in rows)
        for jobs in ("1", "2"):
            result = run("check", "-j", jobs, "--column", "quizzes", "--expect", "solutions", file(text, "d.csv"))
            assert result.exit_code == 2
            different = "unlike the expected solution"
            shown = ["2\tunique", f"3\tunique\t{different}", f"4\tmultiple\t{different}"]
            assert result.stdout.splitlines() == [f"d.csv:{row}" for row in shown]
            assert "d.csv, line 5: no puzzle in this row" in result.stderr
            assert "2 unlike the expected solution" in result.stderr

    def test_whether_a_stated_solution_is_one_is_for_the_rules_to_say(self, file: Any) -> None:
        several = "12344321........"
        rows = [
            [several, "1234432134122143"],
            [several, "1234432134122134"],
            ["12....3.........", NINE_SOLVED],
            [TWO, ""],
        ]
        name = file("q,s\n" + "".join(",".join(row) + "\n" for row in rows), "d.csv")
        for backend in ("glucose4", "backtrack", "auto"):
            result = run("check", "-b", backend, "--column", "q", "--expect", "s", name)
            assert result.exit_code == 4
            different = [line for line in result.stdout.splitlines() if line.endswith("unlike the expected solution")]
            assert [line.split("\t")[0] for line in different] == ["d.csv:3", "d.csv:4"]

    def test_an_unclosed_quote_swallows_nothing_unsaid(self, file: Any) -> None:
        name = file(f'q,note\n{UNIQUE},a\n{TWO},"b\n{UNIQUE},c\n', "d.csv")
        result = run("check", "--column", "q", "-j", "1", name)
        assert result.exit_code == 2
        assert result.stdout == f"{name}:2\tunique\n"
        assert "unexpected end of data" in result.stderr

    def test_a_table_without_rows_is_reported(self, file: Any) -> None:
        assert "a table without rows" in run("check", "--column", "q", file("q,s\n", "d.csv")).stderr

    def test_damaged_tables_and_archives_are_reported(self, file: Any) -> None:
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet

        file(UNIQUE)
        pyarrow.parquet.write_table(pa.table({"q": [UNIQUE] * 100}), "d.parquet")
        packed = bytearray(gzip.compress(lines(400).encode()))
        packed[len(packed) // 2] ^= 0xFF
        for name in (file(Path("d.parquet").read_bytes()[:-30], "cut.parquet"), file(bytes(packed), "d.gz")):
            result = run("check", "-j", "1", *(["--column", "q"] if name.endswith("parquet") else []), name)
            assert result.exit_code == 2
            assert f"satdoku: {name}: " in result.stderr
            assert "Traceback" not in result.stderr

    def test_zeros_and_quotes_in_a_table(self, file: Any) -> None:
        text = f'"quiz","n"\n"{NINE.replace(".", "0")}",5\n'
        assert run("check", "--column", "quiz", file(text, "d.csv")).stdout.startswith("unique:")
        assert "no column 'puzzle'; its columns: quiz, n" in run("check", "--column", "puzzle", "d.csv").stderr

    def test_parquet(self, file: Any) -> None:
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet

        file(UNIQUE)
        pyarrow.parquet.write_table(
            pa.table({"q": [UNIQUE, TWO, None], "a": ["1234341221434321", None, None]}), "d.parquet"
        )
        result = run("check", "--column", "q", "--expect", "a", "d.parquet")
        assert result.stdout.splitlines()[:2] == ["d.parquet:1\tunique", "d.parquet:2\tmultiple"]

    def test_a_filter_in_a_pipe(self) -> None:
        text = "".join(f"{line}\n" for line in (UNIQUE, TWO, NINE, NONE) * 20)
        result = run("check", "--only", "unique", "--echo", input=text)
        assert result.stdout == f"{UNIQUE}\n{NINE}\n" * 20
        assert "unknown verdict 'uniqe': did you mean unique?" in run("check", "--only", "uniqe", UNIQUE).stderr

    def test_csv_is_csv(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n{TWO}\n{NONE}\n", 'a "strange", name.txt')
        rows = list(csv.DictReader(io.StringIO(run("check", "--csv", "--solutions", name).stdout)))
        assert [row["verdict"] for row in rows] == ["unique", "multiple", "unsolvable"]
        assert (rows[0]["source"], rows[0]["line"]) == (name, "1")
        assert rows[1]["solution 2"] != rows[1]["solution"] != ""

    @pytest.mark.parametrize("delimiter", [",", "\t"])
    def test_fields_are_quoted_as_the_module_csv_does(self, delimiter: str) -> None:
        rows: list[list[object]] = [
            ["a", "", None, 0, -3, 0.1, 1e300, float("nan")],
            ["a,b", "a\tb", 'say "a"', '"', "a\nb", "ä ☃", " a ", "'"],
            ["a,\tb", '",\t"'] * 4,
        ]
        names = [f"column {number}, 'a'\t" for number in range(8)]
        layout = TableLayout(Question(), names, delimiter)
        stream = io.StringIO()
        csv.writer(stream, delimiter=delimiter, lineterminator="\n").writerows([names, *rows])
        records = [dict(zip(names, row, strict=True)) for row in rows]
        made = list(map(layout.row, records))
        assert layout.framing.head + layout.pack(made) == stream.getvalue()
        assert layout.rows(records) == made
        alike = [record for record in records for _ in range(3)]
        assert [layout.rows(alike[start : start + 3]) for start in (0, 3, 6)] == [[one] * 3 for one in made]
        ends = [f"a{end}b{number}" for number, end in enumerate(["\r", "\r\n", "\n"] * 3)][:8]
        text = layout.row(dict(zip(names, ends, strict=True)))
        assert list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) == [ends]

    def test_values_of_one_type_and_of_several_are_the_same_in_columns(self) -> None:
        layout = ColumnLayout(Question(), {"a": int, "b": str, "c": float, "d": bool})
        records: list[dict[str, object]] = [
            {"a": 1, "b": "x", "c": 0.5, "d": True},
            {"a": 2, "b": ["x"], "c": None, "d": False},
            {"b": Encoded("[]"), "e": 1},
        ]
        rows: list[tuple[object, ...]] = [(1, "x", 0.5, True), (2, '["x"]', None, False), (None, "[]", None, None)]
        assert layout.rows(records) == [layout.row(record) for record in records] == rows
        assert layout.pack(rows) == list(zip(*rows, strict=True))
        assert list(layout.rows([])) == []

    def test_lists_objects_and_truth_are_json_in_fields(self) -> None:
        layout = TableLayout(Question(), "abcd")
        record = {"a": ["r1c1"], "b": {"c": 1}, "c": True, "d": Encoded('["r1c1"]')}
        made = list(csv.reader(io.StringIO(layout.row(record))))
        assert made == [['["r1c1"]', '{"c": 1}', "true", '["r1c1"]']]

    def test_records_are_json_as_its_module_writes_it(self) -> None:
        values = [
            'a "b" \\ \n\r\t\0 ä ☃ \u2028 \ud800',
            "",
            1,
            -(10**30),
            0.1,
            1e300,
            True,
            False,
            None,
            [],
            [{"a": None}],
        ]
        record = {f'%s "{number}"': value for number, value in enumerate([*values, float("inf"), float("-inf")])}
        assert record_text(record) == json.dumps(record, ensure_ascii=False)
        assert record_text({"a": float("nan")}) == '{"a": NaN}'
        assert record_text({}) == "{}"
        assert record_text({"a": Encoded('[{"b": "%s"}]')}) == '{"a": [{"b": "%s"}]}'


class TestColumnsOfTheInput:
    TABLE = (
        f'id,sol,quiz,verdict\n1,{"1234341221434321"},{UNIQUE},"a,b"\n2,,{TWO},x\n3,,nonsense,y\n4,,{UNIQUE},z,more\n'
    )

    def test_the_column_of_puzzles_is_found_and_reported(self, file: Any) -> None:
        """A full grid stands in the column before it."""
        result = run("check", file(self.TABLE, "d.csv"))
        assert "the puzzles are in the column 'quiz', and the others are not read" in result.stderr
        assert result.stdout.splitlines() == ["d.csv:2\tunique", "d.csv:3\tmultiple", "d.csv:5\tunique"]
        assert "the column" not in run("check", "-q", "d.csv").stderr

    @pytest.mark.parametrize("more", [(), ("--column", "quiz")], ids=" ".join)
    def test_it_is_found_in_standard_input_too(self, more: tuple[str, ...]) -> None:
        shown, messages = start("check", *more, stdin=subprocess.PIPE).communicate(self.TABLE)
        assert ("the puzzles are in the column 'quiz'" in messages) != bool(more)
        assert [line.split("\t")[1] for line in shown.splitlines()] == ["unique", "multiple", "unique"]

    def test_tables_whose_columns_have_other_names_want_one(self, file: Any) -> None:
        other = file(f"id,grid\n1,{UNIQUE}\n", "other.csv")
        result = run("check", file(self.TABLE, "d.csv"), other)
        assert result.exit_code == 2
        assert "columns of several names: 'quiz' of d.csv, 'grid' of other.csv; name one with --column" in result.stderr

    def test_a_field_without_a_column_is_named(self, file: Any) -> None:
        assert "d.csv:5: not read: 'more'" in run("check", "--column", "quiz", file(self.TABLE, "d.csv")).stderr

    @pytest.mark.parametrize("backend", ["native", "glucose4"])
    def test_they_come_first_and_bad_rows_too(self, backend: str, file: Any) -> None:
        pandas = pytest.importorskip("pandas")
        name = file(self.TABLE, "d.csv")
        found = ("check", "-b", backend, "--echo", "--column", "quiz", "--expect", "sol", name)
        assert run(*found, "-o", "a.csv", "-o", "a.parquet", "-o", "a.jsonl").exit_code == 2
        table = pandas.read_csv("a.csv", dtype=str, keep_default_na=False)
        assert list(table)[:4] == ["id", "sol", "quiz", "input verdict"]
        assert list(table)[4:8] == ["source", "line", "puzzle", "verdict"]
        assert list(table["input verdict"]) == ["a,b", "x", "y", "z"]
        assert list(table["verdict"]) == ["unique", "multiple", "invalid", "unique"]
        assert [bool(text) for text in table["error"]] == [False, False, True, False]
        assert pandas.read_parquet("a.parquet").astype({"line": str}).fillna("").to_dict() == table.to_dict()
        records = [json.loads(line) for line in Path("a.jsonl").read_text().splitlines()]
        assert [record["input"]["id"] for record in records] == ["1", "2", "3", "4"]

    def test_a_solution_that_differs_has_a_column_of_its_own(self, file: Any) -> None:
        name = file(f"q,s\n{UNIQUE},1234341221434312\n{UNIQUE},1234341221434321\n", "d.csv")
        shown, apart = (
            run("check", "-b", backend, "--csv", "--column", "q", "--expect", "s", name).stdout
            for backend in ("native", "backtrack")
        )
        assert apart.replace("backtrack", "native") == shown
        first, second = csv.DictReader(io.StringIO(shown))
        assert (first["mismatch"], first["solution"]) == ("1234341221434312", "1234341221434321")
        assert (first["error"], second["mismatch"]) == ("", "")

    def test_a_second_table_with_other_columns_is_refused(self, file: Any) -> None:
        other = file(f"quiz,note\n{UNIQUE},a\n", "other.csv")
        result = run("check", "--csv", "--echo", "--column", "quiz", file(self.TABLE, "d.csv"), other)
        assert "other.csv: its columns are not those of the first table" in result.stderr


class TestColumnsOfArrow:
    VALUES: ClassVar[dict[type, list[Any]]] = {
        str: ["a", None, "", "ü\0"],
        int: [0, None, -1, 2**63 - 1],
        float: [0.5, None, -1.0, 1e300],
        bool: [True, None, False, True],
    }

    @pytest.mark.parametrize("name", ["a.parquet", "a.arrow"])
    @pytest.mark.parametrize("times", [1, 5])  # 20 values have bits in a third byte
    def test_values_of_each_type_and_their_absence(self, times: int, name: str, tmp_path: Path) -> None:
        pytest.importorskip("pyarrow")
        kinds = {kind.__name__: kind for kind in self.VALUES}
        sink = Columnar(tmp_path / name, kinds)
        sink.write([[self.VALUES[kind] * times for kind in kinds.values()]])
        sink.finish()
        sink.close()
        read: list[str] = []

        def choose(header: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
            read.extend(header)
            return header, ()

        with (tmp_path / name).open("rb") as stream:
            found = list(zip(*columnar.rows(stream, choose), strict=True))
        assert dict(zip(read, map(list, found), strict=True)) == {
            kind.__name__: values * times for kind, values in self.VALUES.items()
        }

    def test_pandas_is_not_imported_for_them(self, file: Any) -> None:
        pytest.importorskip("pandas")
        probe = (
            "import sys\nfrom satdoku.cli import app\n"
            "try: app(sys.argv[1:])\nexcept SystemExit: pass\n"
            "print('pyarrow' in sys.modules, 'pandas' in sys.modules)"
        )
        name = file(f"{UNIQUE}\n{TWO}\n")
        words = ["check", name, "-q", "-j", "1", "-o", "a.parquet"]
        done = subprocess.run([sys.executable, "-c", probe, *words], capture_output=True, text=True, check=True)
        assert (done.stdout, Path("a.parquet").exists()) == ("True False\n", True)
