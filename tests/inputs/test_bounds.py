"""Texts of unknown origin: what is unpacked, read or printed has a limit, and the error names it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from support.batch import zstd
from support.cli import UNIQUE, run

import satdoku
from satdoku import limits
from satdoku.errors import BackendError, InputError
from satdoku.formats import Options
from satdoku.formats.cells import content
from satdoku.formats.line import fields_of
from satdoku.inputs import streams
from satdoku.inputs.columns import Columns, rows
from satdoku.inputs.sources import chunks

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress, "xz": lzma.compress, "bz2": bz2.compress, "zst": zstd,
}  # fmt: skip

PEAK = """
import re, sys
from satdoku.__main__ import main
try:
    main()
finally:
    print("peak", re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read())[1], file=sys.stderr)
"""
"""The command, and what memory it took at most."""


def peak(*arguments: str) -> tuple[int, str]:
    """What memory a command took, and its messages."""
    process = subprocess.run(
        [sys.executable, "-c", PEAK, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    messages, _, number = process.stderr.rpartition("peak ")
    assert process.returncode == 2, process.stderr[-2000:]
    return 1024 * int(number), messages


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> int:
    """The memory of a command that reads next to nothing."""
    name = tmp_path_factory.mktemp("usual") / "p.txt"
    name.write_text("q\n1\n")
    return peak("check", "-j", "1", "--column", "q", str(name))[0]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells it")
class TestMemory:
    @pytest.mark.parametrize(
        ("kind", "column"), [*((kind, []) for kind in PACKERS), (next(iter(PACKERS)), ["--column", "q"])]
    )
    def test_what_is_unpacked_does_not_fill_the_memory(
        self, kind: str, column: list[str], tmp_path: Path, usual: int
    ) -> None:
        path = tmp_path / "bomb"
        path.write_bytes(PACKERS[kind](b"1" * 10_000_000) * 40)
        memory, messages = peak("check", "-j", "1", *column, str(path))
        assert memory - usual < limits.MAX_MEMORY
        limit = limits.MAX_PUZZLE if column else limits.MAX_SKIPPED
        assert f"over {limit} " in messages

    def test_a_column_with_a_dictionary_is_not_spread_out(self, tmp_path: Path, usual: int) -> None:
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet

        texts = pa.DictionaryArray.from_arrays(pa.array([0] * 400), pa.array(["1" * (limits.MAX_PLAIN + 1)]))
        pyarrow.parquet.write_table(pa.table({"q": texts}), tmp_path / "d.parquet", compression="zstd")
        memory, messages = peak("check", "-j", "1", "--column", "q", str(tmp_path / "d.parquet"))
        assert memory - usual < limits.MAX_MEMORY
        assert f"line 2: over {limits.MAX_PLAIN} characters" in messages
        assert "and 380 more errors" in messages

    def test_a_page_larger_than_the_memory_is_refused(self, tmp_path: Path, usual: int) -> None:
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet

        texts = ["1" * 1_000_000] * 250
        pyarrow.parquet.write_table(
            pa.table({"q": texts}), tmp_path / "d.parquet", compression="zstd", use_dictionary=False
        )
        memory, messages = peak("check", "-j", "1", "--column", "q", str(tmp_path / "d.parquet"))
        assert memory - usual < limits.MAX_MEMORY
        assert f"needs over {limits.MAX_MEMORY} bytes of memory" in messages

    @pytest.mark.parametrize(
        "text",
        [
            "1",
            "1,",
            "12 3\n",
            '{"a":[',
            *(pytest.param(text, marks=pytest.mark.slow) for text in ("1 ", "x", "[", "a = [\n")),
        ],
    )
    def test_a_long_text_is_refused_before_it_is_split(self, text: str, tmp_path: Path, usual: int) -> None:
        path = tmp_path / "p.txt"
        path.write_text((text * limits.MAX_PUZZLE)[: limits.MAX_PUZZLE - 30] + f"\n{UNIQUE}\n")
        assert peak("check", "-j", "1", str(path))[0] - usual < limits.MAX_MEMORY

    @pytest.mark.parametrize("text", ["{}", "{0}\n" * 4, '"{0}{0}{0}{0}" = 1\nsize = 4\n'], ids=["line", "grid", "key"])
    def test_characters_that_take_four_bytes(self, text: str, tmp_path: Path, usual: int) -> None:
        """As many as fit into a text; where the time grew with their square the key took minutes."""
        path = tmp_path / "p.txt"
        path.write_text(text.format("\U0001f600" * (900_000 if text == "{}" else 225_000)))
        memory, messages = peak("check", "-j", "1", "--format=line" if text == "{}" else "--drawn=ignore", str(path))
        assert memory - usual < limits.MAX_MEMORY
        assert len(messages) < 2_000

    @pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no devices here")
    @pytest.mark.parametrize("first", [True, False], ids=["answer", "cnf"])
    def test_decode_reads_no_more_than_it_may(self, first: bool, tmp_path: Path, usual: int) -> None:
        cnf = tmp_path / "p.cnf"
        cnf.write_text("p cnf 1 0\n")
        memory, messages = peak("decode", *([str(cnf), "/dev/zero"] if first else ["/dev/zero", str(cnf)]))
        assert memory - usual < limits.MAX_MEMORY
        assert f"/dev/zero: over {limits.MAX_ANSWER if first else limits.MAX_CNF} bytes" in messages


@pytest.mark.parametrize("text", ["x" * 120_000, "é\n" * 60_000])
def test_nothing_of_a_long_text_is_kept(text: str) -> None:
    content("1234\n" * 4)
    with pytest.raises(InputError):
        satdoku.read(text)
    assert content.cache_info().currsize == fields_of.cache_info().currsize == 0


@pytest.mark.parametrize("kind", PACKERS)
class TestUnpacked:
    def plain(self, data: bytes) -> bytes:
        return streams.plain(io.BufferedReader(io.BytesIO(data))).read()

    def test_frames_follow_each_other(self, kind: str) -> None:
        texts = [b"a" * 200_000, b"", b"b" * 7]
        assert self.plain(b"".join(map(PACKERS[kind], texts))) == b"".join(texts)

    def test_what_is_cut_or_changed_is_an_error(self, kind: str) -> None:
        data = PACKERS[kind](bytes(range(256)) * 1000)
        with pytest.raises(streams.DAMAGED):
            self.plain(data[:-9])
        if kind != "zst":  # which has no checksum unless it is asked for
            with pytest.raises(streams.DAMAGED):
                self.plain(data[: len(data) // 2] + b"\xff\xff\x00\x01" + data[len(data) // 2 + 4 :])


def test_a_row_of_a_table_has_a_limit_over_all_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.inputs.columns.MAX_PUZZLE", 100)
    table = b'q,n\n1,"' + b"a\n" * 40 + b'"\n2,"' + b"a\n" * 60 + b'"\n3,x\n'
    found = rows(io.BufferedReader(io.BytesIO(table)), Columns("q"))
    assert next(found)[1] == "1"
    with pytest.raises(InputError, match="a row of over 100 characters; the rest of the table is not read"):
        next(found)


def test_rows_are_blocks_of_a_size(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("q\n" + f"{'1' * 300_000}\n" * 5)
    assert [len(chunk) for chunk in chunks([str(path)], Options(), Columns("q"))] == [2, 2, 1]


def test_memory_is_bounded_and_let_go() -> None:
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(MemoryError), limits.bounded_memory():
        bytearray(2 * limits.MAX_MEMORY)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert len(bytearray(2 * limits.MAX_MEMORY)) == 2 * limits.MAX_MEMORY


@pytest.mark.parametrize("stream", ["", ">&2"], ids=["output", "errors"])
def test_a_solver_that_prints_without_end_is_stopped(
    stream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satdoku.backends.dimacs.MAX_ANSWER", 1_000_000)
    solver = tmp_path / "solver.sh"
    solver.write_text(f"#!/bin/sh\nyes 'c a comment' {stream}\n")
    solver.chmod(0o755)
    result = run("check", "-b", f"dimacs:{solver} {{cnf}}", UNIQUE)
    assert result.exit_code == BackendError.status
    assert "solver.sh wrote over 1000000 bytes to its file" in result.stderr


def test_an_answer_gives_no_other_variables(tmp_path: Path) -> None:
    solver = tmp_path / "solver.sh"
    solver.write_text("#!/bin/sh\necho s SATISFIABLE; echo v 1 99999999 0; exit 10\n")
    solver.chmod(0o755)
    result = run("check", "-b", f"dimacs:{solver} {{cnf}}", UNIQUE)
    assert result.exit_code == BackendError.status
    assert "it gives literal 99999999, and the CNF has " in result.stderr
