"""Many puzzles: one answer whoever works, whatever dies, however the file is packed."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from satdoku import backends, classic, read
from satdoku.backends import Budget, Tallies, sat
from satdoku.batch import journal
from satdoku.batch.chunks import Chunks
from satdoku.batch.totals import Result
from satdoku.cli import app
from satdoku.formats import Options
from satdoku.inputs.sources import chunks

UNIQUE, TWO, CLASH, NONE = "1234341221434...", "13....3131...213", "11..............", "12....3........."
NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
MIXED = [UNIQUE, "", "# a comment", TWO, NINE, CLASH, NONE, "12x4", "." * 81, f"{NINE} with a field", "1" * 15, UNIQUE]


def run(*arguments: str, input: str | bytes | None = None) -> Any:
    result = CliRunner().invoke(app, list(arguments), input=input, prog_name="satdoku")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def command(*arguments: str, **options: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "satdoku", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def patched(folder: Path, before: str) -> dict[str, str]:
    """An environment in which the plain searches do `before` at each puzzle, in every process."""
    (folder / "site").mkdir()
    (folder / "site" / "sitecustomize.py").write_text(
        "import os, signal, time\n"
        "from satdoku.backends.plain import Plain\n"
        "run = Plain._run\n"
        "def patched(self, puzzle, budget):\n"
        f"    {before}\n"
        "    return run(self, puzzle, budget)\n"
        "Plain._run = patched\n"
    )
    path = os.pathsep.join(filter(None, [str(folder / "site"), os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path}


SLOW = "time.sleep(0.003)"
"""Long enough that a run is still under way when a test kills something of it."""


def lines(count: int, seed: int = 0) -> str:
    rng = random.Random(seed)
    return "".join(f"{rng.choice(MIXED)}\n" for _ in range(count))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    monkeypatch.chdir(tmp_path)

    def write(content: str | bytes, name: str = "p.txt") -> str:
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return write


class TestArrays:
    """Arrays and single puzzles give the same text."""

    @pytest.mark.parametrize(
        "style", [[], ["--json"], ["--csv"], ["--solutions"], ["--json", "--solutions"]], ids=" ".join
    )
    @pytest.mark.parametrize(
        "more", [[], ["--echo"], ["--only", "unique,unsolvable"], ["--csv", "--solutions"]], ids=" ".join
    )
    @pytest.mark.parametrize("backend", ["auto:many", "glucose4"])
    def test_arrays_print_what_single_puzzles_print(
        self, style: list[str], more: list[str], backend: str, file: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if "--json" in style and "--csv" in more:
            pytest.skip("one or the other")
        arguments = ["check", "-j", "1", "-b", backend, *dict.fromkeys([*style, *more]), file(lines(60))]
        fast = run(*arguments)
        monkeypatch.setattr("satdoku.batch.rows.plain", lambda block, options: iter(()))
        slow = run(*arguments)
        assert fast.exit_code == slow.exit_code == 2

        if "--solutions" not in arguments:  # of two solutions, which come first is the engine's affair
            assert fast.stdout.replace("native", "glucose4") == slow.stdout
        assert len(fast.stdout.splitlines()) == len(slow.stdout.splitlines())
        # In the summary words and shapes stand in the order of their first coming.
        assert sorted(fast.stderr.replace(",", "").split()) == sorted(slow.stderr.replace(",", "").split())

    def test_solve_and_count_of_many(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n{NINE}\n{NONE}\n" * 100)
        solved = run("solve", name).stdout.splitlines()
        assert solved[1] == f"p.txt:2\tsolved\t{SOLVED}"
        assert solved[2] == "p.txt:3\tunsolvable"
        assert len(solved) == 300
        assert run("count", name).stdout.splitlines()[:3] == ["p.txt:1\t1", "p.txt:2\t1", "p.txt:3\t0"]

    def test_the_default_says_which_backend_answered(self, file: Any) -> None:
        many = file(f"{NINE}\n" * 300)
        assert json.loads(run("check", "--json", many).stdout.splitlines()[0])["backend"] == "native"
        assert run("check", "--verbose", many).stderr.endswith("; by native\n")
        assert json.loads(run("check", "--json", NINE).stdout)["backend"] == "glucose4"
        assert run("check", "-v", NINE).stderr.endswith("by glucose4\n")

    def test_what_native_passes_on_goes_to_a_sat_solver(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("satdoku.backends.auto.NODES", 1)
        hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
        records = [
            json.loads(line)
            for line in run("check", "--json", "-j1", file(f"{NINE}\n{hard}\n" * 150)).stdout.splitlines()
        ]
        assert [record["backend"] for record in records[:2]] == ["native", "glucose4"]
        assert {record["verdict"] for record in records} == {"unique"}

    def test_wrong_grids_of_arrays_are_caught(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        right = backends.find("native").check_many(classic(3, 3), _givens(NINE, NINE), Budget(2))
        for fault in ("swap", "given", "twice"):
            grids = right.grids.copy()
            counts = right.counts.copy()
            if fault == "swap":
                grids[0, 0, [2, 3]] = grids[0, 0, [3, 2]]
            elif fault == "given":
                grids[0, 0] = grids[0, 0] % 9 + 1
            else:
                counts[0], grids[0, 1] = 2, grids[0, 0]

            def wrong(self: Any, board: Any, givens: Any, *_: Any, counts: Any = counts, grids: Any = grids) -> Tallies:
                some = slice(len(givens))
                return Tallies(counts[some], right.endings[some], grids[some])

            monkeypatch.setattr("satdoku.backends.native.Native.check_many", wrong)
            result = run("check", "-b", "native", "-j", "1", file(f"{NINE}\n{NINE}\n"))
            assert result.exit_code == 4
            assert "p.txt:1: backend native gave a wrong grid: " in result.stderr


def _givens(*texts: str) -> Any:
    import numpy as np

    return np.array([read(text).givens for text in texts], np.uint16)


class TestChunks:
    def test_blocks_are_cut_to_size_and_lose_nothing(self, file: Any) -> None:
        name = file(lines(500))
        cut = []
        source = Chunks(chunks([name], Options()))
        for piece in source:
            cut.append(piece)
            source.took(Result(lines=len(piece), seconds=0.001))
        assert [number for piece in cut for number in piece.numbers] == list(range(1, 501))
        assert [len(piece) for piece in cut[:5]] == [1, 4, 16, 64, 256]
        assert b"\n".join(line for piece in cut for line in piece.lines) + b"\n" == Path(name).read_bytes()

    def test_slow_chunks_get_small(self, file: Any) -> None:
        source = Chunks(chunks([file(lines(500))], Options()))
        for _ in range(4):
            source.took(Result(lines=len(next(source)), seconds=0.001))
        assert len(next(source)) == 256
        source.took(Result(lines=16, seconds=16.0))
        assert len(next(source)) == 1

    def test_lines_across_reads(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        text = lines(300, 7)
        for size in (1, 7, 81, 82, 83):
            monkeypatch.setattr("satdoku.inputs.sources.READ", size)
            found = [line for piece in chunks([file(text)], Options()) for line in piece.lines]
            assert b"".join(line + b"\n" for line in found) == text.encode()


class TestWorkers:
    def test_any_number_of_workers_prints_the_same(self, file: Any) -> None:
        name = file(lines(400, 3))
        one = run("check", "--json", "-b", "glucose4", "-j", "1", name)
        for jobs in ("2", "4"):
            several = run("check", "--json", "-b", "glucose4", "-j", jobs, name)
            assert (several.stdout, several.exit_code) == (one.stdout, one.exit_code)
            assert sorted(several.stderr.splitlines()) == sorted(one.stderr.splitlines())
        with_timeout = run("check", "--json", "-b", "glucose4", "-j", "2", "--timeout", "30", name)
        assert with_timeout.stdout == one.stdout

    def test_a_killed_worker_costs_a_retry_and_not_the_run(self, file: Any, tmp_path: Path) -> None:
        name = file(f"{NINE}\n" * 3000)
        process = command("check", "-b", "backtrack", "-j", "2", name, env=patched(tmp_path, SLOW))
        killed: set[int] = set()
        for pause in (0.0, 0.3, 0.6):  # as it starts, between two pieces, at work
            time.sleep(pause)
            _wait_for(lambda: _killed_another(process.pid, killed))
        printed, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        assert printed == "".join(f"{name}:{number}\tunique\n" for number in range(1, 3001))

    def test_a_puzzle_that_kills_its_worker_is_given_up_alone(self, file: Any, tmp_path: Path) -> None:
        name = file(f"{UNIQUE}\n{TWO}\n{UNIQUE}\n" * 4)
        kills = patched(tmp_path, "if puzzle.name.endswith(':5'): os.kill(os.getpid(), signal.SIGKILL)")
        process = command("check", "-b", "backtrack", "-j", "2", name, env=kills)
        printed, said = process.communicate(timeout=120)
        assert process.returncode == 4
        assert "p.txt:5: given up, a worker was ended by signal 9 on it, 2 times" in said
        assert [line.split("\t")[0] for line in printed.splitlines()] == [f"{name}:{n}" for n in range(1, 13) if n != 5]

    def test_a_search_that_does_not_look_at_the_clock_is_killed_at_its_timeout(self, file: Any, tmp_path: Path) -> None:
        name = file(f"{UNIQUE}\n{TWO}\n{UNIQUE}\n")
        hangs = patched(tmp_path, "if puzzle.name.endswith(':2'): time.sleep(600)")
        process = command("check", "-b", "backtrack", "-j", "2", "--timeout", "0.5", name, env=hangs)
        printed, _ = process.communicate(timeout=60)
        assert [line.split("\t")[1] for line in printed.splitlines()] == ["unique", "undecided", "unique"]
        assert process.returncode == 3

    def test_ctrl_c_stops_within_a_second_or_so_and_writes_what_is_done(self, file: Any) -> None:
        name = file(f"{NINE}\n" * 100_000)
        process = command("check", "-b", "backtrack", "-j", "2", "-o", "out.txt", name)
        _wait_for(lambda: Path("out.txt").exists() and Path("out.txt").stat().st_size > 1000)
        process.send_signal(signal.SIGINT)
        asked = time.monotonic()
        _, said = process.communicate(timeout=30)
        assert time.monotonic() - asked < 10
        assert process.returncode == 130
        assert "--resume" in said
        assert Path("out.txt").read_text().splitlines()[0] == f"{name}:1\tunique"


def _workers(parent: int) -> list[int]:
    """The processes below a forkserver of `parent`."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (folder / "stat").read_text().rpartition(")")[2].split()
                grand = (Path("/proc") / line[1] / "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:
                continue
            if int(grand) == parent:
                found.append(int(folder.name))
    return sorted(found)


def _runs(number: str) -> bool:
    try:
        return (Path("/proc") / number / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _killed_another(parent: int, killed: set[int]) -> bool:
    """Kills a worker that is not among `killed` and joins it to them, if there is one."""
    for worker in {*_workers(parent)} - killed:
        with suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
            killed.add(worker)
            return True
    return False


def _wait_for(event: Callable[[], bool], seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not event():
        assert time.monotonic() < end
        time.sleep(0.02)


class TestResume:
    def undisturbed(self, name: str, *more: str) -> str:
        return str(run("check", "-b", "backtrack", "-j", "1", *more, name).stdout)

    @pytest.mark.parametrize("seed", range(3))
    def test_a_run_killed_anywhere_goes_on_without_a_line_lost_or_doubled(
        self, seed: int, file: Any, tmp_path: Path
    ) -> None:
        name = file(lines(1500, seed))
        rng = random.Random(seed)
        arguments = ["check", "-b", "backtrack", "--csv", "-j", str(seed + 1), "-o", "out.csv", name]
        kills = 0
        slow = patched(tmp_path, SLOW)
        process = command(*arguments, env=slow)
        for _ in range(4):
            _wait_for(lambda process=process: Path("out.csv.unfinished").exists() or process.poll() is not None)
            time.sleep(0.6 * rng.random())
            if process.poll() is None:
                process.kill()
                kills += 1
            process.communicate()
            if not Path("out.csv.unfinished").exists():
                break
            process = command(*arguments, "--resume", env=slow)
        process.communicate(timeout=120)
        assert kills
        assert Path("out.csv").read_text() == self.undisturbed(name, "--csv")
        assert not Path("out.csv.unfinished").exists()

    def test_the_summary_and_the_status_are_of_the_whole(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        name = file(f"{TWO}\n" + f"{UNIQUE}\n" * 40)
        whole = run("check", "-j", "1", "-o", "out.txt", name)
        Path("out.txt").unlink()
        with monkeypatch.context() as patch:
            self.stop_after(1, patch)
            assert run("check", "-j", "1", "-o", "out.txt", name).exit_code == 130
        resumed = run("check", "-j", "1", "-o", "out.txt", "--resume", name)
        assert (resumed.exit_code, resumed.stderr) == (whole.exit_code, whole.stderr) == (1, whole.stderr)

    def stop_after(self, pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
        commits = iter(range(pieces + 1))
        commit = journal.Journal.commit

        def stopping(self: Any, piece: Any = None) -> None:
            if next(commits, None) is None:
                raise KeyboardInterrupt
            commit(self, piece)

        monkeypatch.setattr(journal.Journal, "commit", stopping)

    @pytest.fixture
    def unfinished(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> str:
        name = file(f"{UNIQUE}\n" * 100)
        with monkeypatch.context() as patch:
            self.stop_after(1, patch)
            assert run("check", "-j", "1", "-o", "out.txt", name).exit_code == 130
        return str(name)

    def test_an_unfinished_file_is_not_begun_anew_by_accident(self, unfinished: str) -> None:
        before = Path("out.txt").read_bytes()
        result = run("check", "-j", "1", "-o", "out.txt", unfinished)
        assert result.exit_code == 2
        assert "out.txt is unfinished: --resume goes on with it" in result.stderr
        assert Path("out.txt").read_bytes() == before

    def test_another_question_is_refused(self, unfinished: str) -> None:
        result = run("check", "-j", "1", "-o", "out.txt", "--resume", "--json", unfinished)
        assert result.exit_code == 2
        assert "out.txt was begun with `form text`; repeat that, or remove out.txt.unfinished" in result.stderr

    def test_a_changed_input_is_refused(self, unfinished: str) -> None:
        Path(unfinished).write_text(f"{TWO}\n" * 100)
        result = run("check", "-j", "1", "-o", "out.txt", "--resume", unfinished)
        assert result.exit_code == 2
        assert "the input is not that with which out.txt was begun" in result.stderr

    def test_a_complete_file_has_nothing_to_resume(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n{TWO}\n")
        assert run("check", "-o", "out.txt", name).exit_code == 1
        result = run("check", "-o", "out.txt", "--resume", name)
        assert result.exit_code == 2
        assert "is complete" in result.stderr
        assert run("check", "-o", "out.txt", name).exit_code == 1  # and without --resume it is written anew

    def test_two_runs_do_not_write_one_file(self, file: Any) -> None:
        name = file(f"{NINE}\n" * 50_000)
        first = command("check", "-b", "backtrack", "-j", "1", "-o", "out.txt", name)
        try:
            _wait_for(lambda: Path("out.txt.unfinished").exists())
            second = run("check", "-b", "backtrack", "-j", "1", "-o", "out.txt", "--resume", name)
            assert second.exit_code == 2
            assert "another run is writing it" in second.stderr
        finally:
            first.kill()
            first.communicate()

    def test_usage(self) -> None:
        assert "name it, --output FILE" in run("check", "--resume", UNIQUE).stderr


class TestPackedAndTables:
    @pytest.mark.parametrize("packed", ["gz", "bz2", "xz", "zst"])
    def test_compressed_files_and_pipes(self, packed: str, file: Any) -> None:
        text = f"{UNIQUE}\n{TWO}\n{NINE}\n".encode()
        pack = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": _zstd}[packed]
        plain = run("check", file(text)).stdout
        name = file(pack(text), f"p.txt.{packed}")
        assert run("check", name).stdout == plain.replace("p.txt", name)
        with command("check", "-", stdin=Path(name).open("rb")) as process:
            assert process.communicate()[0] == plain.replace("p.txt", "-")

    def test_a_damaged_file_says_so(self, file: Any) -> None:
        name = file(gzip.compress(f"{UNIQUE}\n".encode() * 20_000)[:-20] + b"x" * 12, "p.gz")
        result = run("check", name)
        assert result.exit_code == 2
        assert "satdoku: p.gz: " in result.stderr
        assert "Traceback" not in result.stderr

    def test_zstd_that_is_cut_is_no_shorter_file(self, file: Any) -> None:
        packed = _zstd(f"{UNIQUE}\n".encode() * 20_000)
        assert run("check", "-j", "1", file(packed * 2, "p.zst")).stdout.count("unique") == 40_000
        result = run("check", "-j", "1", file(packed + packed[:-4], "p.zst"))
        assert (result.exit_code, "p.zst: compressed data ends inside a frame" in result.stderr) == (2, True)

    @pytest.mark.parametrize("delimiter", [",", "\t", ";"])
    def test_a_column_of_a_table_and_the_solution_beside_it(self, delimiter: str, file: Any) -> None:
        rows = [["id", "quizzes", "solutions"], ["1", NINE, SOLVED], ["2", NINE, SOLVED[::-1]], ["3", TWO, "x"], ["4"]]
        text = "".join(delimiter.join(row) + "\n" for row in rows)
        for jobs in ("1", "2"):
            result = run("check", "-j", jobs, "--column", "quizzes", "--expect", "solutions", file(text, "d.csv"))
            assert result.exit_code == 2
            assert result.stdout.splitlines() == ["d.csv:2\tunique", "d.csv:3\tunique", "d.csv:4\tmultiple"]
            assert "d.csv, line 5: no puzzle in this row" in result.stderr
            assert f"d.csv:3: expected the solution '{SOLVED[::-1]}', found {SOLVED}" in result.stderr
            assert "2 unlike the expected solution" in result.stderr

    def test_whether_a_stated_solution_is_one_is_for_the_rules_to_say(self, file: Any) -> None:
        several = "12344321........"
        rows = [[several, "1234432134122143"], [several, "1234432134122134"], ["12....3.........", SOLVED], [TWO, ""]]
        name = file("q,s\n" + "".join(",".join(row) + "\n" for row in rows), "d.csv")
        for backend in ("glucose4", "backtrack", "auto:many"):
            result = run("check", "-b", backend, "--column", "q", "--expect", "s", name)
            assert result.exit_code == 4
            said = [line for line in result.stderr.splitlines() if "expected the solution" in line]
            assert [line.split(": ")[1] for line in said] == ["d.csv:3", "d.csv:4"]

    def test_an_unclosed_quote_swallows_nothing_unsaid(self, file: Any) -> None:
        name = file(f'q,note\n{UNIQUE},a\n{TWO},"b\n{UNIQUE},c\n', "d.csv")
        result = run("check", "--column", "q", "-j", "1", name)
        assert result.exit_code == 2
        assert f"{name}:2" in result.stdout or "unique" in result.stdout
        assert "unexpected end of data" in result.stderr

    def test_a_table_without_rows_is_said(self, file: Any) -> None:
        assert "a table without rows" in run("check", "--column", "q", file("q,s\n", "d.csv")).stderr

    def test_damaged_tables_and_archives_are_said(self, file: Any) -> None:
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
        assert rows[0]["puzzle"] == f"{name}:1"
        assert rows[1]["solution 2"] != rows[1]["solution"] != ""


def _zstd(data: bytes) -> bytes:
    return pytest.importorskip("zstandard").ZstdCompressor().compress(data)  # type: ignore[no-any-return]


class TestHostile:
    def test_a_very_long_line_and_nuls_cost_their_lines(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n".encode() + b"1" * 40_000_000 + b"\n" + b"\0" * 16 + b"\n" + f"{TWO}\n".encode())
        result = run("check", "-j", "1", name)
        assert result.exit_code == 2
        assert result.stdout == f"{name}:1\tunique\n{name}:4\tmultiple\n"
        assert "line 2: a line of over 16777216 bytes" in result.stderr
        assert "line 3" in result.stderr

    @pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
    def test_a_full_disk_is_one_line(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n" * 5000)
        with Path("/dev/full").open("w") as full:
            process = subprocess.run(
                [sys.executable, "-m", "satdoku", "check", name], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert process.returncode == 2
        assert "No space left on device" in process.stderr
        assert "Traceback" not in process.stderr

    def test_a_closed_pipe_ends_quietly(self, file: Any) -> None:
        name = file(f"{NINE}\n" * 20_000)
        with command("check", "-j", "2", "-b", "glucose4", name) as process:
            assert process.stdout is not None
            process.stdout.readline()
            process.stdout.close()
            assert process.stderr is not None
            said = process.stderr.read()
            assert process.wait(30) == 141
        assert "Traceback" not in said

    @pytest.mark.parametrize(
        ("output", "said"),
        [("p.txt", "to be read, and to be written too"), (".", "a directory"), ("/dev/null", "not a regular file")],
    )
    def test_what_cannot_be_written_is_left_alone(self, output: str, said: str, file: Any) -> None:
        name = file(f"{UNIQUE}\n" * 100)
        before = Path(name).read_bytes()
        for command in (["check"], ["convert"])[: 1 if output == "/dev/null" else 2]:
            result = run(*command, name, "-o", output)
            assert result.exit_code == 2
            assert said in result.stderr
            assert Path(name).read_bytes() == before

    @pytest.mark.parametrize("jobs", [["-j", "2"], ["--timeout", "5"]], ids=" ".join)
    @pytest.mark.parametrize("backend", [["nosuch"], ["dimacs:nosuch"], ["backtrack", "-e", "extended"]], ids=" ".join)
    def test_a_backend_that_no_worker_can_open_is_said_once(
        self, backend: list[str], jobs: list[str], file: Any
    ) -> None:
        result = run("check", *jobs, "-b", *backend, file(f"{UNIQUE}\n{TWO}\n"))
        assert result.exit_code == 2
        assert len(result.stderr.splitlines()) == 1

    @pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc")
    @pytest.mark.parametrize("timeout", [[], ["--timeout", "1"]], ids=["interrupted", "timeout"])
    def test_solvers_and_their_children_do_not_outlive_the_workers(
        self, timeout: list[str], file: Any, tmp_path: Path
    ) -> None:
        name = file(f"{NINE}\n" * 4)
        solver = tmp_path / "solver.sh"
        solver.write_text(f"#!/bin/sh\nsleep 1000 &\necho $$ $! >> {tmp_path}/pids\nsleep 1000\n")
        solver.chmod(0o755)
        (tmp_path / "tmp").mkdir()
        process = command(
            "check", "-b", f"dimacs:{solver} {{cnf}}", "-j", "2", *timeout, name,
            env=os.environ | {"TMPDIR": str(tmp_path / "tmp")},
        )  # fmt: skip
        _wait_for(lambda: (tmp_path / "pids").exists())
        if not timeout:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        numbers = (tmp_path / "pids").read_text().split()
        assert len(numbers) >= (8 if timeout else 2)
        _wait_for(lambda: not any(_runs(number) for number in numbers))
        assert not list((tmp_path / "tmp").glob("satdoku-*"))

    def test_a_temporary_folder_with_a_long_name_will_do(self, file: Any, tmp_path: Path) -> None:
        folder = tmp_path / ("long" * 20)
        folder.mkdir()
        process = command("check", "-j", "2", file(f"{UNIQUE}\n{TWO}\n"), env=os.environ | {"TMPDIR": str(folder)})
        printed, said = process.communicate(timeout=120)
        assert process.returncode == 1, said
        assert printed == "p.txt:1\tunique\np.txt:2\tmultiple\n"

    def test_jobs_below_one_are_refused(self) -> None:
        assert "--jobs 0: expected 1 or more" in run("check", "-j", "0", UNIQUE).stderr


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers of it, on loopback."""
    pytest.importorskip("distributed")
    folder = tmp_path_factory.mktemp("cluster")
    slow = patched(folder, SLOW)
    quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder, "env": slow}
    address = folder / "scheduler.json"
    python = [sys.executable, "-m"]
    scheduler = subprocess.Popen(
        [
            *python,
            "distributed.cli.dask_scheduler",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-dashboard",
            "--scheduler-file",
            str(address),
        ],
        **quiet,
    )
    try:
        _wait_for(lambda: address.exists() and address.stat().st_size > 0)
        time.sleep(0.2)
        where = json.loads(address.read_text())["address"]
        crew = [
            subprocess.Popen(
                [
                    *python,
                    "distributed.cli.dask_worker",
                    where,
                    "--nthreads",
                    "1",
                    "--no-nanny",
                    "--no-dashboard",
                    "--host",
                    "127.0.0.1",
                ],
                **quiet,
            )
            for _ in range(2)
        ]
        yield where, crew
    finally:
        for process in (*crew, scheduler):
            process.kill()
            process.wait()


class TestCluster:
    def test_it_prints_the_same_bytes_though_a_worker_is_killed(self, file: Any, cluster: Any) -> None:
        where, crew = cluster
        name = file(lines(6000, 11))
        here = run("check", "--json", "-b", "backtrack", "-j", "1", name)
        process = command("check", "--json", "-b", "backtrack", "--cluster", where, "-o", "out.jsonl", name)
        _wait_for(lambda: Path("out.jsonl").exists() and Path("out.jsonl").stat().st_size > 0)
        crew[0].kill()
        assert process.poll() is None
        _, said = process.communicate(timeout=120)
        assert Path("out.jsonl").read_text() == here.stdout, said[-3000:]
        assert process.returncode == here.exit_code
        assert sorted(said.splitlines()[:-1]) == sorted(here.stderr.splitlines()[:-1])

    def test_no_scheduler_is_said(self) -> None:
        pytest.importorskip("distributed")
        result = run("check", "--cluster", "tcp://127.0.0.1:9", f"{UNIQUE}", TWO)
        assert result.exit_code == 2
        assert "no scheduler answers" in result.stderr


class TestSteady:
    def test_a_warm_solver_is_made_anew_now_and_then(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sat, "REBUILD_AFTER", 5)
        found = backends.find("glucose4")
        opened = []
        original = found._open_oracle
        found._open_oracle = lambda cnf: opened.append(1) or original(cnf)
        for _ in range(20):
            assert len(list(found.search(read(NINE), Budget(2)))) == 1
        assert 3 <= len(opened) <= 5 or len(opened) == 1  # one, if propagation decides and nothing is left behind


def test_a_line_with_zeros_and_dots_and_without_n_is_left_to_the_reader() -> None:
    from satdoku.batch import rows
    from satdoku.inputs.sources import Block

    lines = [b".3..0..23.....1.", b".3..0..24.....1.", b".3.....23.....1.", b"0300000230000010"]
    (found,) = rows.plain(Block("a.txt", range(1, 5), lines), Options())
    assert found.index.tolist() == [1, 2, 3]
