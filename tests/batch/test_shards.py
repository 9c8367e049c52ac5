"""--shards: an output for each file that is read, here and elsewhere, with a journal of its own."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.batch import SLOW, killed_another, lines, patched, wait_for
from support.cli import NINE, TWO, UNIQUE, run, start

from satdoku.errors import InputError
from satdoku.inputs.remote import Folder, is_remote

fsspec = pytest.importorskip("fsspec")


@pytest.fixture(autouse=True)
def _state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.fixture
def parts(file: Callable[..., str]) -> list[str]:
    Path("in").mkdir()
    return [file(lines(60, number), f"in/part-{number}.txt") for number in (1, 2, 3)]


@pytest.fixture
def memory() -> Iterator[Any]:
    """A file system that only this process knows."""
    system = fsspec.filesystem("memory")
    yield system
    system.store.clear()


def alone(*options: str, file: str) -> str:
    """What a run of one file writes."""
    run("check", *options, "-q", "-o", "alone.jsonl", file)
    return Path("alone.jsonl").read_text()


class TestHere:
    def test_each_file_has_the_output_of_a_run_of_its_own(self, parts: list[str]) -> None:
        result = run("check", "--json", "--shards", "out", "in/")
        assert result.exit_code == 2  # some lines are no puzzles
        assert sorted(each.name for each in Path("out").iterdir()) == ["part-1.jsonl", "part-2.jsonl", "part-3.jsonl"]
        for part in parts:
            assert Path("out", f"{Path(part).stem}.jsonl").read_text() == alone(file=part)

    def test_what_is_complete_is_not_made_again(self, parts: list[str]) -> None:
        run("check", "--shards", "out", *parts[:2])
        Path("out/part-1.txt").write_text("complete\n")
        result = run("check", "--shards", "out", "--resume", *parts)
        assert Path("out/part-1.txt").read_text() == "complete\n"
        assert "out/part-1.txt is complete" in result.stderr
        assert "out/part-3.txt written" in result.stderr

    def test_a_file_that_cannot_be_read_costs_no_other(self, parts: list[str]) -> None:
        Path(parts[1]).write_bytes(b"%PDF-1.7\n")
        result = run("solve", "--shards", "out", *parts)
        assert result.exit_code == 2
        assert "PDF" in result.stderr
        assert {"part-1.txt", "part-3.txt"} <= {each.name for each in Path("out").iterdir()}

    def test_compressed_ones_have_the_names_without_it(self, file: Callable[..., str]) -> None:
        import gzip

        file(gzip.compress(f"{UNIQUE}\n{TWO}\n".encode()), "a.txt.gz")
        run("count", "--csv", "--shards", "out", "a.txt.gz")
        assert [each.name for each in Path("out").iterdir()] == ["a.csv"]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (("--shards", "out", UNIQUE), f"--shards: {UNIQUE} is not a file; each shard is the output of one"),
            (("--shards", "out", "-"), "--shards: - is not a file; each shard is the output of one"),
            (("--shards", "in", "in/"), "--shards in: in/part-1.txt in it is read; name another folder"),
            (("--shards", "in/part-1.txt", "in/"), "--shards in/part-1.txt: a file, expected a folder"),
            (("--shards", "no/out", "in/"), "--shards no/out: there is no folder no"),
            (
                ("--shards", "out", "in/part-1.txt", "in/part-1.txt"),
                "--shards: in/part-1.txt and in/part-1.txt would both be written to part-1.txt; rename one",
            ),
            (("--shards", "out", "-o", "x.txt", "in/"), "--shards and --output: choose one"),
            (("--shards", "out", "--errors", "x.txt", "in/"), "--shards and --errors: choose one"),
            (("--shards", "out", "--certified", "--proofs", "x.txt", "in/"), "--shards and --proofs: choose one"),
            (("--shards", "none://b/x", "in/"), "none://b/x: Protocol not known: none"),
            (("--shards", "memory://b/in", "memory://b/in/x.txt"), "memory://b/in: memory://b/in/x.txt in it is read"),
            (("-o", "s3://b/x.txt", "in/"), "--output s3:/b/x.txt: outputs elsewhere are shards: --shards FOLDER"),
        ],
    )
    def test_what_cannot_be_is_refused(self, arguments: tuple[str, ...], message: str, parts: list[str]) -> None:
        result = run("check", *arguments)
        assert result.exit_code == 2
        assert message in result.stderr
        assert result.stdout == ""


class TestElsewhere:
    def test_files_are_read_and_written_there(self, parts: list[str], memory: Any) -> None:
        for part in parts:
            memory.put_file(part, f"/bucket/in/{Path(part).name}")
        result = run("check", "--json", "--shards", "memory://bucket/out", "memory://bucket/in/part-[12].txt")
        assert "memory://bucket/out/part-1.jsonl written" in result.stderr
        assert memory.ls("/bucket/out", detail=False) == ["/bucket/out/part-1.jsonl", "/bucket/out/part-2.jsonl"]
        for number in (1, 2):
            made = memory.cat_file(f"/bucket/out/part-{number}.jsonl").decode()
            assert re.sub("memory:/+bucket/", "", made) == alone(file=f"in/part-{number}.txt")

    def test_one_line_of_a_file_there(self, memory: Any) -> None:
        memory.pipe_file("/bucket/two.txt", f"{UNIQUE}\n{TWO}\n".encode())
        assert run("check", "memory://bucket/two.txt:2").exit_code == 1
        assert "no such file" in run("check", "memory://bucket/none.txt").stderr
        assert "no files there" in run("check", "memory://bucket/none/").stderr

    def test_tables_and_archives_are_read_there(self, memory: Any) -> None:
        memory.pipe_file("/bucket/t.csv", f"id,quizzes\n1,{UNIQUE}\n2,{TWO}\n".encode())
        result = run("check", "memory://bucket/t.csv")
        assert "the puzzles are in the column 'quizzes'" in result.stderr
        assert result.stdout == "memory://bucket/t.csv:2\tunique\nmemory://bucket/t.csv:3\tmultiple\n"
        import io
        import zipfile

        data = io.BytesIO()
        with zipfile.ZipFile(data, "w") as archive:
            archive.writestr("one.txt", f"{UNIQUE}\n{NINE}\n")
        memory.pipe_file("/bucket/a.zip", data.getvalue())
        assert run("check", "memory://bucket/a.zip").stdout.count("unique") == 2

    def test_what_could_not_be_copied_is_copied_by_the_next_run(
        self, parts: list[str], memory: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def put(self: Folder, file: Path, name: str) -> None:
            raise InputError(f"{self.url}/{name}: no connection")

        with monkeypatch.context() as patched:
            patched.setattr(Folder, "put", put)
            result = run("check", "--shards", "memory://bucket/out", parts[0])
        assert "memory://bucket/out/part-1.txt: no connection" in result.stderr
        assert result.exit_code == 2
        assert not memory.exists("/bucket/out/part-1.txt")
        assert "is complete" in run("check", "--shards", "memory://bucket/out", "--resume", parts[0]).stderr
        assert memory.exists("/bucket/out/part-1.txt")

    @pytest.mark.parametrize(
        ("name", "remote"),
        [
            ("s3://bucket/a", True),
            ("https://example.com/puzzles.txt", True),
            ("https://example.com/puzzles.csv.gz?signature=x/y.z", True),
            ("https://f-puzzles.com/?load=abc.txt", False),
            ("https://sudokupad.app/scl/abc", False),
            ("https://example.com/#a/b.txt", False),
            ("https://example.com/", False),
            ("in/part-1.txt", False),
        ],
    )
    def test_a_link_that_holds_a_puzzle_is_no_file(self, name: str, remote: bool) -> None:
        assert is_remote(name) is remote


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL")
def test_workers_and_a_run_that_are_killed_cost_nothing_in_s3(
    file: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
    try:
        there = fsspec.filesystem("s3")
        there.mkdir("puzzles")
        for number in (1, 2):
            there.pipe_file(f"puzzles/in/part-{number}.txt", f"{NINE}\n".encode() * 400)
        options = ("check", "-b", "backtrack", "-j", "2", "--shards", "s3://puzzles/out", "s3://puzzles/in/")
        killed: set[int] = set()
        environment = patched(tmp_path, SLOW)
        process = start(*options, env=environment)
        wait_for(lambda: killed_another(process.pid, killed))
        wait_for(lambda: any((tmp_path / "state").rglob("part-2.txt")))
        wait_for(lambda: killed_another(process.pid, killed))
        process.kill()
        process.communicate(timeout=60)
        resumed = start(*options, "--resume", env=environment)
        _, message = resumed.communicate(timeout=120)
        assert resumed.returncode == 0, message
        assert "s3://puzzles/out/part-1.txt is complete" in message
        for number in (1, 2):
            name = f"s3://puzzles/in/part-{number}.txt"
            expected = "".join(f"{name}:{line}\tunique\n" for line in range(1, 401))
            assert there.cat_file(f"puzzles/out/part-{number}.txt").decode() == expected
    finally:
        server.stop()
