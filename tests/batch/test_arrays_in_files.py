"""Arrays of numpy and tables of Arrow, read and written by their suffixes."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.cli import run

import satdoku

pa = pytest.importorskip("pyarrow", reason="the package pyarrow is not installed")
feather = pytest.importorskip("pyarrow.feather")

LINES = ["0104000010000430", "3000100040002000", "3300000000000000", "1234341221434000"]
ARRAY = np.array([[int(cell) for cell in line] for line in LINES], np.uint8)
VERDICTS = ["unique", "multiple", "unsolvable", "unique"]
SOLVED = satdoku.solve_many(ARRAY).grids


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def npy(array: Any) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array, allow_pickle=array.dtype.hasobject)
    return stream.getvalue()


def npz(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez_compressed(stream, **arrays)
    return stream.getvalue()


def arrow(**columns: Any) -> bytes:
    stream = io.BytesIO()
    feather.write_feather(pa.table(columns), stream)
    return stream.getvalue()


FILES: dict[str, tuple[str, bytes, tuple[str, ...]]] = {
    "npy": ("a.npy", npy(ARRAY), ()),
    "squares": ("a.npy", npy(ARRAY.reshape(-1, 4, 4).astype(float)), ()),
    "columns first": ("a.npy", npy(np.asfortranarray(ARRAY.astype(">i4"))), ()),
    "packed": ("a.npy.gz", gzip.compress(npy(ARRAY)), ()),
    "npz": ("a.npz", npz(puzzles=ARRAY, solutions=SOLVED), ()),
    "npz of one": ("a.npz", npz(x=ARRAY), ()),
    "npz of others": ("a.npz", npz(x=ARRAY, y=SOLVED), ("--column", "x")),
    "feather": ("a.feather", arrow(puzzle=LINES), ()),
    "arrow of lists": ("a.arrow", arrow(q=ARRAY.tolist(), id=[1, 2, 3, 4]), ("--column", "q")),
    "arrow of rows": ("a.arrow", arrow(puzzle=ARRAY.reshape(-1, 4, 4).tolist()), ()),
}


@pytest.mark.parametrize(("name", "data", "words"), FILES.values(), ids=FILES)
def test_arrays_and_tables_are_read(name: str, data: bytes, words: tuple[str, ...]) -> None:
    Path(name).write_bytes(data)
    result = run("check", name, *words)
    assert result.stdout == "".join(f"{name}:{row}\t{verdict}\n" for row, verdict in enumerate(VERDICTS, 1))


def test_solutions_beside_puzzles_are_compared() -> None:
    wrong = SOLVED.copy()
    wrong[3] = wrong[0]
    Path("a.npz").write_bytes(npz(puzzles=ARRAY, solutions=wrong))
    assert run("check", "a.npz", "--column", "puzzle", "--expect", "solution").stdout.count("unlike the expected") == 1
    Path("b.npy").write_bytes(npy(SOLVED))
    graded = run("grade", "a.npz", "b.npy").stdout
    assert graded.count("\tsolved\t") == 3
    assert "wrong solutions: 1" in run("audit", "a.npz", "--sample", "0").stdout
    Path("c.npz").write_bytes(npz(puzzle=ARRAY, answer=SOLVED, quizzes=ARRAY, solutions=SOLVED))
    assert run("grade", "c.npz", "--answer", "answer").stdout.count("\tsolved\t") == 3
    assert run("grade", "c.npz", "--column", "quizzes", "--answer", "solutions").stdout.count("\tsolved\t") == 3


def test_sixteen_values_and_values_that_are_none() -> None:
    array = np.zeros((4, 256), int)
    array[:3, :16] = range(16, 0, -1)
    array[1, 5], array[2, 0] = 17, -1
    Path("a.npy").write_bytes(npy(array))
    result = run("convert", "a.npy", "--to", "line")
    assert result.stdout.splitlines()[0].startswith("16,15,14,")
    assert len(result.stdout.splitlines()) == 2
    assert "a.npy, line 2, column 16: 17 is above 16" in result.stderr
    assert "a.npy, line 3, column 1: '-1' is not a cell" in result.stderr


SHAPES: dict[str, tuple[str, bytes, str]] = {
    "shape": ("a.npy", npy(np.zeros((3, 80))), "a.npy: the array has the shape (3, 80): expected (..., N*N)"),
    "objects": ("a.npy", npy(np.array([{}], object)), "a.npy: an array of object: expected numbers"),
    "texts": ("a.npy", npy(np.array(LINES)), "a.npy: an array of <U16: expected numbers"),
    "cut": ("a.npy", npy(ARRAY)[:-5], "59 bytes there"),
    "huge": (
        "a.npy",
        npy(ARRAY).replace(b"(4, 16), }       ", b"(4444444, 16), } "),
        "4444444 grids of 16 bytes are declared",
    ),
    "cut and packed": ("a.npy.gz", gzip.compress(npy(ARRAY)[:-5]), "it ends before its last grid"),
    "head": ("a.npy", npy(ARRAY)[:40], "a damaged .npy file"),
    "code": ("a.npy", npy(ARRAY).replace(b"'descr'", b"exit(1)"), "a damaged .npy file"),
    "version": ("a.npy", b"\x93NUMPY\x09\x00" + npy(ARRAY)[8:], "a .npy file of version 9.0"),
    "names": ("a.npz", npz(x=ARRAY, y=SOLVED), "no column 'puzzle'; its columns: x, y"),
    "no archive": ("a.npz", b"PK\x03\x04" + b"x" * 99, "a damaged .npz file"),
    "cut arrow": ("a.arrow", arrow(puzzle=LINES)[:99], "a damaged Arrow file"),
    "no column": ("a.arrow", arrow(x=LINES[:0]), "no column 'puzzle'; its columns: x"),
}


@pytest.mark.parametrize(("name", "data", "message"), SHAPES.values(), ids=SHAPES)
def test_what_is_no_array_of_puzzles_is_one_line(name: str, data: bytes, message: str) -> None:
    Path(name).write_bytes(data)
    result = run("check", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_offsets_that_lead_out_of_an_arrow_file_are_refused() -> None:
    stream = io.BytesIO()
    table = pa.table({"puzzle": LINES * 10})
    with pa.ipc.new_file(stream, table.schema) as writer:
        writer.write_table(table)
    offsets = np.arange(0, 16 * 41, 16, dtype="<i4")
    data = stream.getvalue()
    assert offsets.tobytes() in data
    offsets[20] = 1 << 30
    Path("a.arrow").write_bytes(data.replace(np.arange(0, 16 * 41, 16, dtype="<i4").tobytes(), offsets.tobytes()))
    result = run("check", "a.arrow")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "a.arrow: a damaged Arrow file" in result.stderr


def test_outputs_are_arrays_and_tables_with_a_row_for_each_puzzle() -> None:
    Path("a.npy").write_bytes(npy(ARRAY))
    outputs = [word for name in ("s.npy", "s.npz", "s.arrow", "s.feather", "s.parquet") for word in ("-o", name)]
    assert run("solve", "a.npy", *outputs).exit_code == 1
    assert (np.load("s.npy") == SOLVED).all()
    with np.load("s.npz") as found:
        assert (found["solution"] == SOLVED).all()
        assert found["line"].tolist() == [1, 2, 3, 4]
        assert found["verdict"].shape == found["seconds"].shape == (4,)
        assert np.isnan(found["seconds"]).all()
    tables = [pa.ipc.open_file(name).read_all() for name in ("s.arrow", "s.feather")]
    assert tables[0] == tables[1] == pa.parquet.read_table("s.parquet")
    assert tables[0]["solution"].to_pylist()[2] is None


@pytest.mark.parametrize(
    ("words", "shape"),
    [
        (["convert", "a.npy"], (4, 16)),
        (["dedupe", "a.npy"], (4, 16)),
        (["shuffle", "-k", "2", "a.npy"], (8, 16)),
        (["generate", "--box", "2x2", "--count", "3", "--seed", "1"], (3, 16)),
    ],
    ids=lambda words: words[0] if isinstance(words, list) else "",
)
def test_new_puzzles_are_arrays(words: list[str], shape: tuple[int, int]) -> None:
    Path("a.npy").write_bytes(npy(ARRAY[[0, 1, 3, 3]] if words[0] == "shuffle" else ARRAY))
    run(*words, "-o", "out.npy")
    written = np.load("out.npy")
    assert written.shape == shape
    if words[0] == "convert":
        assert (written == ARRAY).all()


def test_what_an_array_cannot_hold_is_refused() -> None:
    Path("a.npy").write_bytes(npy(ARRAY))
    assert "there is no column solution here" in run("count", "a.npy", "-o", "n.npy").stderr
    assert "a.npy: to be read, and to be written too" in run("convert", "a.npy", "-o", "a.npy").stderr
    Path("two.txt").write_text(f"{LINES[0]}\n{'.' * 81}\n")
    assert "row 2: puzzle is " in run("convert", "two.txt", "-o", "n.npy").stderr
    assert not Path("n.npy").exists()


@pytest.mark.parametrize("suffix", ["npy", "feather"])
def test_parts_of_a_file_are_files_of_its_kind(suffix: str) -> None:
    kept = ARRAY[[0, 1, 3]]
    lines = [LINES[row] for row in (0, 1, 3)]
    data = npy(kept) if suffix == "npy" else arrow(puzzle=lines, id=[1, 2, 3])
    Path(f"a.{suffix}").write_bytes(data)
    assert run("split", f"a.{suffix}", "--parts", "1:1", "--balance", "none").exit_code == 0
    read: Callable[[str], Any] = np.load if suffix == "npy" else lambda name: np.array(feather.read_table(name)["id"])
    parts = [read(f"a-{number}.{suffix}") for number in (1, 2)]
    assert sorted(map(len, parts)) == [1, 2]
    every = np.concatenate(parts)
    assert sorted(every.tolist()) == sorted(kept.tolist() if suffix == "npy" else [1, 2, 3])


def test_the_arrays_of_an_archive_are_split_together() -> None:
    puzzles, solutions = ARRAY[[0, 1, 3]], SOLVED[[0, 1, 3]]
    Path("a.npz").write_bytes(npz(puzzles=puzzles, solutions=solutions))
    words = ["split", "a.npz", "--parts", "67:33", "--balance", "none", "-o", "x.npz", "-o", "y.npz"]
    assert run(*words).exit_code == 0
    with np.load("x.npz") as one, np.load("y.npz") as other:
        assert len(one["puzzles"]) == 2 == 1 + len(other["puzzles"])
        pairs = {
            (row.tobytes(), grid.tobytes())
            for part in (one, other)
            for row, grid in zip(part["puzzles"], part["solutions"], strict=True)
        }
    assert pairs == {(row.tobytes(), grid.tobytes()) for row, grid in zip(puzzles, solutions, strict=True)}
    Path("a.npz").write_bytes(npz(puzzles=puzzles, solutions=solutions[:2]))
    assert "'solutions' is an array of the shape (2, 16): expected 3 rows" in run(*words[:-4]).stderr


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "npy", "parquet"])
def test_one_new_puzzle_is_a_line_where_it_stands_in_a_column(suffix: str) -> None:
    line = satdoku.write(next(satdoku.generate(seed=1)).puzzle)
    assert run("generate", "--seed", "1", "--csv").stdout.splitlines()[1].startswith(f"{line},1,1,")
    assert run("generate", "--seed", "1", "-o", f"one.{suffix}").exit_code == 0
    named = ["--column", "puzzle"] if suffix == "parquet" else []
    assert run("convert", f"one.{suffix}", *named).stdout == f"{line}\n"
