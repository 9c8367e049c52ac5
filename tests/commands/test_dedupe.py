"""`satdoku dedupe`: the first of the puzzles that symmetries make equal, whatever works on them and writes them."""

import csv
import gzip
import io
import json
from pathlib import Path
from random import Random

import pytest
from support.cli import CLASH, CLASH_REASON, NINE, TWO, run

import satdoku
from satdoku.bench.shuffle import Draws, shuffled
from satdoku.symmetries import Shuffle

TURNED = "".join(str(v or ".") for v in shuffled(satdoku.read(NINE), Shuffle.ALL, Draws(1)).givens)
KILLER = """size = 4
grid = '''
{} . | . .
. . | . .
----+----
. . | . .
. . | . .
'''
cage = [{{ cells = "r1c1 r1c2", value = 3 }}]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.txt"
    path.write_text(f"# two classes\n{NINE}\n{TWO}\n\n{TURNED}\n{NINE}\n{TWO[4:8] + TWO[:4] + TWO[8:]}\n")
    return path


class TestText:
    def test_the_first_of_each_class_is_written_as_it_stands(self, file: Path) -> None:
        assert TURNED != NINE
        result = run("dedupe", str(file))
        assert (result.exit_code, result.stdout) == (0, f"{NINE}\n{TWO}\n")
        assert result.stderr.endswith("satdoku: 5 puzzles, 2 distinct\n")

    def test_quiet_has_no_summary_and_names_no_leaks(self, file: Path) -> None:
        other = file.with_name("other.txt")
        other.write_text(TURNED)
        for more in ((), ("--against", str(other))):
            assert run("dedupe", "-q", str(file), *more).stderr == ""

    def test_how_many_are_equal(self, file: Path) -> None:
        assert run("dedupe", "--count", str(file)).stdout == f"{NINE}\t3\n{TWO}\t2\n"

    def test_all_with_the_first_that_is_equal(self, file: Path) -> None:
        rows = run("dedupe", "--all", str(file)).stdout.splitlines()
        assert [row.split("\t")[1] for row in rows] == ["", "", f"{file}:2", f"{file}:2", f"{file}:3"]

    def test_grids_of_several_lines_are_read_back(self, tmp_path: Path) -> None:
        grid = "1 2 | 3 4\n3 4 | 1 2\n----+----\n2 1 | 4 3\n4 . | . .\n"
        (tmp_path / "a.txt").write_text(f"{grid}\n{grid.replace('1', '5').replace('2', '1').replace('5', '2')}")
        result = run("dedupe", str(tmp_path / "a.txt"))
        assert result.stderr.endswith("2 puzzles, 1 distinct\n")
        (tmp_path / "b.txt").write_text(result.stdout)
        assert run("convert", str(tmp_path / "b.txt")).stdout == "1234341221434...\n"


class TestRecords:
    def test_json_has_the_canonical_form(self, file: Path) -> None:
        records = [json.loads(line) for line in run("dedupe", "--json", "--all", str(file)).stdout.splitlines()]
        assert [record["same_as"] for record in records] == [None, None, f"{file}:2", f"{file}:2", f"{file}:3"]
        for record in records:
            assert record["canonical"] == satdoku.write(satdoku.canonical(record["puzzle"]))

    def test_csv_has_an_invalid_puzzle_as_a_row(self, file: Path) -> None:
        result = run("dedupe", "--csv", "--count", CLASH, str(file))
        rows = list(csv.DictReader(io.StringIO(result.stdout)))
        assert result.exit_code == 2
        assert [(row["verdict"], row["count"]) for row in rows] == [("invalid", ""), ("", "3"), ("", "2")]

    def test_files_have_what_their_suffix_says(self, file: Path, tmp_path: Path) -> None:
        packed, table = tmp_path / "out.txt.gz", tmp_path / "out.parquet"
        run("dedupe", str(file), "-o", str(packed), "-o", str(table), "--count")
        assert gzip.decompress(packed.read_bytes()).decode() == f"{NINE}\t3\n{TWO}\t2\n"
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        assert list(pandas.read_parquet(table)["count"]) == [3, 2]


class TestRuns:
    def test_workers_give_the_same_bytes(self, tmp_path: Path) -> None:
        path, random = tmp_path / "many.txt", Random(2)
        puzzles = [shuffled(satdoku.read(NINE), Shuffle.ALL, Draws(seed)) for seed in range(3)]
        lines = []
        for _ in range(400):
            givens = [value * (random.random() < 0.9) for value in random.choice(puzzles).givens]
            lines += ["".join(str(value or ".") for value in givens)] * random.randint(1, 2)
        path.write_text("\n".join(lines) + "\n")
        one, two = (run("dedupe", "--json", "--all", "-j", jobs, str(path)) for jobs in ("1", "2"))
        assert one.stdout == two.stdout
        assert '"same_as": "' in one.stdout

    def test_puzzles_with_other_marks_are_other_puzzles(self, tmp_path: Path) -> None:
        for name, given in (("a", "1"), ("b", "1"), ("c", "2")):
            (tmp_path / f"{name}.toml").write_text(KILLER.format(given))
        (tmp_path / "d.txt").write_text("1...............\n")
        files = [str(tmp_path / name) for name in ("a.toml", "b.toml", "c.toml", "d.txt")]
        assert run("dedupe", *files).stderr.endswith("4 puzzles, 3 distinct\n")

    def test_a_symmetry_moves_marks_too_and_the_rows_are_named(self, tmp_path: Path) -> None:
        """A cage of two rows in a box, and one in two boxes; that one's cells are moved by a turn, stacks and rows."""
        for name, given, cage in (
            ("a", (1, 1), ((1, 1), (1, 2))), ("turned", (4, 4), ((3, 4), (4, 4))), ("moved", (2, 4), ((2, 3), (2, 4))),
            ("apart", (1, 2), ((1, 2), (1, 3))),
        ):  # fmt: skip
            puzzle = satdoku.build(size=4, marks=[satdoku.Mark("cage", cage, value=3)], givens={given: 1})
            (tmp_path / f"{name}.toml").write_text(satdoku.write(puzzle, "toml"))
        first, *others = (str(tmp_path / f"{name}.toml") for name in ("a", "turned", "moved", "apart"))
        result = run("dedupe", *others, "--against", first)
        named = [f"satdoku: {other}:1: equal to {first}:1" for other in others[:2]]
        assert result.stderr.splitlines() == [*named, "satdoku: 3 puzzles, 1 distinct, 2 equal to one of --against"]

    def test_an_invalid_puzzle_costs_itself_alone(self, file: Path) -> None:
        result = run("dedupe", CLASH, str(file))
        assert (result.exit_code, result.stdout) == (2, f"{NINE}\n{TWO}\n")
        assert f"satdoku: argument 1: no canonical form: {CLASH_REASON}" in result.stderr
        assert result.stderr.endswith("5 puzzles, 2 distinct, 1 invalid\n")

    @pytest.mark.parametrize(
        ("options", "message"), [(["--resume", "-o", "x.txt"], "leave it out"), (["--all", "--count"], "choose one")]
    )
    def test_options_that_it_cannot_honour(self, file: Path, options: list[str], message: str) -> None:
        result = run("dedupe", str(file), *options)
        assert result.exit_code == 2
        assert message in result.stderr


@pytest.mark.parametrize(("command", "status"), [("dedupe", 0), ("audit", 1)])
def test_boards_with_layers_are_classified(command: str, status: int, tmp_path: Path) -> None:
    path = tmp_path / "shaded.toml"
    path.write_text('size = 4\nrules = ["yin-yang"]\ngrid = """\n1...\n.2..\n....\n....\n"""\n')
    result = run(command, str(path))
    assert result.exit_code == status
    assert "1 puzzle" in result.stdout + result.stderr
