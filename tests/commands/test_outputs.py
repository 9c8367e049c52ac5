"""What every command that answers puzzles shares: workers, forms of output, --only, --column, --resume."""

from __future__ import annotations

import csv
import gzip
import io
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from support.cli import CLASH, MANY, TWO, TWO_SOLVED, UNIQUE, complaints, out, records, run, start

from satdoku.batch import journal, worker
from satdoku.batch.worker import Held
from satdoku.inputs import streams

ASKING = ["check", "solve", "count", "candidates", "explain", "minimize", "convert"]
DRAWING = ["check", "solve", "candidates", "explain", "minimize"]
MAKING = ("generate", "-n", "6", "--seed", "1", "--box", "2x2")
ENTRIES = [[sys.executable, "-m", "satdoku"], [str(Path(sys.executable).with_name("satdoku"))]]


def unpacked(path: Path) -> str:
    """The text of a file, compressed or not."""
    data = path.read_bytes()
    if path.suffix == ".gz":
        data = gzip.decompress(data)
    elif path.suffix == ".zst":
        data = streams.zstd().decompress(data)
    return data.decode()


def call(command: str, name: str) -> list[str]:
    """The arguments of a command that asks about a file, or makes puzzles."""
    return [*MAKING] if command == "generate" else [command, name]


@pytest.fixture
def mixed(file: Any) -> str:
    """One puzzle of each kind, and a line that is not one."""
    return str(file(UNIQUE, TWO, CLASH, "123"))


def places(record: Mapping[str, Any]) -> tuple[str, str]:
    """Where the puzzle of a record or a row stands; the text and the number of a new one."""
    names = ("source", "line") if "source" in record else ("puzzle", "number")
    return str(record[names[0]]), str(record[names[1]])


@pytest.mark.parametrize("command", [*ASKING, "generate"])
class TestForms:
    def test_json_and_csv_hold_a_record_of_each_puzzle(self, command: str, mixed: str) -> None:
        found = records(run(*call(command, mixed), "--json"))
        rows = list(csv.DictReader(io.StringIO(run(*call(command, mixed), "--csv").stdout)))
        assert len(found) == len(rows) == (6 if command == "generate" else 4)
        assert list(map(places, rows)) == list(map(places, found))
        if command != "generate":
            assert (found[3]["verdict"], "3 cells" in found[3]["error"]) == ("invalid", True)
            assert "3 cells" in rows[3]["error"]

    def test_a_suffix_chooses_the_form(self, command: str, mixed: str) -> None:
        suffixes = ["txt", "json", "jsonl", "csv", "tsv", "json.gz", "jsonl.zst", "csv.gz"]
        outputs = [argument for suffix in suffixes for argument in ("-o", f"out.{suffix}")]
        assert run(*call(command, mixed), *outputs).stdout == ""
        found = {suffix: unpacked(Path(f"out.{suffix}")) for suffix in suffixes}
        lines = [json.loads(line) for line in found["jsonl"].splitlines()]
        assert json.loads(found["json"]) == json.loads(found["json.gz"]) == lines
        assert found["jsonl"] == found["jsonl.zst"] == run(*call(command, mixed), "--json").stdout
        assert found["csv"] == found["csv.gz"] == run(*call(command, mixed), "--csv").stdout
        assert found["txt"] == run(*call(command, mixed)).stdout
        cells = list(csv.reader(io.StringIO(found["csv"])))
        assert cells == list(csv.reader(io.StringIO(found["tsv"]), delimiter="\t"))

    def test_parquet_holds_the_same_records(self, command: str, mixed: str) -> None:
        pandas = pytest.importorskip("pandas")
        pytest.importorskip("pyarrow")
        run(*call(command, mixed), "-o", "out.parquet", "-o", "out.jsonl")
        expected = [places(json.loads(line)) for line in Path("out.jsonl").read_text().splitlines()]
        assert list(map(places, pandas.read_parquet("out.parquet").to_dict("records"))) == expected

    def test_an_unknown_suffix_is_refused(self, command: str, mixed: str) -> None:
        result = run(*call(command, mixed), "-o", "out.xyz")
        assert (result.exit_code, Path("out.xyz").exists()) == (2, False)
        assert "--output out.xyz: expected a name that ends in .arrow, .csv, .feather, .json" in result.stderr

    def test_outputs_are_not_one_another(self, command: str, mixed: str) -> None:
        assert run(*call(command, mixed), "-o", "out.json", "-o", "./out.json").exit_code == 2
        assert not Path("out.json").exists()

    def test_a_stopped_run_goes_on(self, command: str, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        arguments = [*call(command, file(*[UNIQUE, TWO] * 6)), "-j", "1", "--csv"]
        whole = run(*arguments)
        commits = iter(range(2))
        commit = journal.Journal.commit

        def stopping(self: journal.Journal, chunk: Any = None) -> None:
            if next(commits, None) is None:
                raise KeyboardInterrupt
            commit(self, chunk)

        with monkeypatch.context() as patch:
            patch.setattr(journal.Journal, "commit", stopping)
            assert run(*arguments, "-o", "out.csv").exit_code == 130
        assert Path("out.csv.unfinished").exists()
        resumed = run(*arguments, "-o", "out.csv", "--resume")
        assert (Path("out.csv").read_text(), resumed.exit_code) == (whole.stdout, whole.exit_code)
        assert not Path("out.csv.unfinished").exists()


@pytest.mark.parametrize("command", ASKING)
class TestInputs:
    def test_an_input_is_not_written_over(self, command: str, mixed: str) -> None:
        before = Path(mixed).read_bytes()
        assert run(command, mixed, "-o", mixed).exit_code == 2
        assert Path(mixed).read_bytes() == before

    def test_a_column_of_a_table_is_read(self, command: str, file: Any) -> None:
        table = file("id,quiz", f"1,{UNIQUE}", f"2,{TWO}", name="t.csv")
        found = records(run(command, "--json", "--column", "quiz", table))
        assert list(map(places, found)) == [("t.csv", "2"), ("t.csv", "3")]

    def test_only_leaves_out_other_outcomes(self, command: str, mixed: str) -> None:
        (record,) = records(run(command, "--json", "--only", "invalid", mixed))
        assert places(record) == ("puzzles.txt", "4")
        assert run(command, "--only", "nonsense", mixed).exit_code == 2

    def test_rules_and_boards_are_added(self, command: str, file: Any) -> None:
        ruled = run(command, "--rule", "anti-king", MANY)
        assert (
            "cannot hold the rule 'anti-king'" in ruled.stderr if command == "convert" else ruled.exit_code in (0, 1)
        ), ruled.stderr
        board = file("2" + "." * 15, name="b.txt")  # its givens are not taken
        assert run(command, "--board", board, UNIQUE).stdout == run(command, UNIQUE).stdout
        assert "anti-nonsense" in run(command, "--rule", "anti-nonsense", UNIQUE).stderr


@pytest.mark.parametrize("command", [*ASKING, "generate"])
def test_two_workers_give_the_same_bytes(command: str, mixed: str) -> None:
    one, two = (run(*call(command, mixed), "-j", jobs, "--json") for jobs in "12")
    assert (two.stdout, two.exit_code) == (one.stdout, one.exit_code)


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
@pytest.mark.parametrize("command", DRAWING)
def test_pictures_stand_beside_records(command: str, suffix: str, file: Any) -> None:
    pytest.importorskip("matplotlib")
    assert run(command, file(UNIQUE), "-o", f"out.{suffix}", "-o", "out.jsonl").exit_code == 0
    starts = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}
    pages = list(Path().glob(f"out*.{suffix}"))  # a page of its own for each, where a picture has several
    assert pages
    assert all(page.read_bytes().startswith(starts[suffix]) for page in pages)
    assert len(Path("out.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("command", ["solve", "count"])
def test_a_limit_of_zero_is_all(command: str, file: Any) -> None:
    name = file(TWO, MANY)
    assert run(command, "--limit", "0", name).stdout == run(command, "--all", name).stdout


def test_a_long_text_of_solutions_goes_through_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "MAX_HELD", 100)
    outbox = worker._Outbox(tmp_path)
    for row in range(1000):
        outbox.put(f"row {row}\n")
        assert sum(len(part) for part in outbox.parts if isinstance(part, str)) <= 110
    (held,) = outbox.parts
    assert isinstance(held, Held)
    assert held.path.read_text() == "".join(f"row {row}\n" for row in range(1000))


@pytest.mark.parametrize("entry", ENTRIES, ids=["-m", "script"])
def test_the_entry_points_answer(entry: list[str]) -> None:
    import subprocess

    if not Path(entry[0]).exists():
        pytest.skip("satdoku is not installed beside this Python")
    done = subprocess.run([*entry, "check", UNIQUE, "--json"], capture_output=True, text=True, check=False)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (0, "unique")


def test_workers_that_are_spawned_give_the_same_bytes(file: Any, tmp_path: Path) -> None:
    """A temporary folder with a long name leaves no room for a fork server's socket, so workers are spawned."""
    import os

    folder = tmp_path / ("long" * 20)
    folder.mkdir()
    name = file(UNIQUE, TWO)
    with start("solve", "--all", "-j", "2", name, env=os.environ | {"TMPDIR": str(folder)}) as process:
        printed = out(process).read()
    assert printed == run("solve", "--all", "-j", "1", name).stdout
    assert set(printed.split()) >= TWO_SOLVED


def test_json_and_csv_exclude_each_other() -> None:
    assert complaints(run("check", "--json", "--csv", UNIQUE)) == ["--json and --csv: choose one"]


class TestClosed:
    """Standard output that was closed before the start, as by `>&-` in a shell."""

    def closed(self, *arguments: str) -> tuple[int, str]:
        command = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "satdoku", *arguments]
        process = subprocess.run(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        return process.returncode, process.stderr

    @pytest.mark.parametrize(
        "arguments",
        [
            ["check", UNIQUE], ["check", "--json", UNIQUE], ["check", "--csv", "-j", "2", UNIQUE, TWO],
            ["render", UNIQUE], ["export", UNIQUE], ["--help"],
        ],
        ids=" ".join,
    )  # fmt: skip
    def test_results_that_have_no_place_are_an_error(self, arguments: list[str]) -> None:
        status, messages = self.closed(*arguments)
        assert messages.startswith("satdoku: standard output: closed, and the results go there")
        assert (status, len(messages.splitlines())) == (2, 1)

    def test_results_that_go_to_a_file_need_none(self, tmp_path: Path) -> None:
        status, messages = self.closed("check", "-o", str(tmp_path / "out.txt"), UNIQUE, TWO)
        assert (status, (tmp_path / "out.txt").read_text().count("\n")) == (1, 2), messages
