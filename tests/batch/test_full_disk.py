"""A disk that is full, and a run that is killed: one line with the name of the file, and nothing left behind."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.batch import SLOW, patched, wait_for
from support.cli import TWO, UNIQUE, run, start

from satdoku.system import files

resource = pytest.importorskip("resource")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits the size of files, and looks at open ones")
LIMIT = 5_000
FULL = """
import resource, signal, sys
sys.dont_write_bytecode = True  # a compiled module that is cut would fail all that import it later
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
from satdoku.__main__ import main
main()
"""


def full(*arguments: str, limit: int = LIMIT) -> tuple[int, list[str]]:
    """The status and the messages of a command that can write so many bytes to a file."""
    done = subprocess.run(
        [sys.executable, "-c", FULL.format(limit=limit), *arguments], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr.splitlines()


@pytest.mark.parametrize(
    ("arguments", "limit", "named", "left"),
    [
        (["check", "-q", "-j", "1", "--errors", "e.txt", "bad.txt"], LIMIT, "e.txt", {"e.txt"}),
        (["check", "-q", "-j", "1", "-o", "o.txt", "-o", "o.csv", "--errors", "e.txt", "p.txt"], 40, "o.", set()),
        (["generate", "--size", "4", "-o", "o.txt"], 40, "o.txt", set()),
        (["dedupe", "-o", "out.jsonl", "p.txt"], 50, "out.jsonl", {"out.jsonl"}),
        (["export", "p.txt:1", "-o", "out.cnf"], LIMIT, "out.cnf", set()),
        (["export", "p.txt", "--folder", "."], LIMIT, "p-1.cnf", set()),
        (["certify", "p.txt:1", "-o", "c"], 100, "c/", set()),
        (["check", "-q", "-j", "1", "-o", "o.npy", "p.txt"], 150, "o.npy", set()),
        (["split", "p.npy", "-o", "o1.npy", "-o", "o2.npy", "-o", "o3.npy"], 150, "o", set()),
        (["split", "p.npz", "-o", "o1.npz", "-o", "o2.npz", "-o", "o3.npz"], 50, "o", set()),
        (["bench", "make", "--size", "4", "--holes", "0.5", "-n", "1000", "-o", "o.txt"], LIMIT, "o.txt", set()),
    ],
    ids=lambda value: " ".join(value[:2]) if isinstance(value, list) else "",
)
def test_the_message_names_the_file_and_no_other_is_left(
    arguments: list[str], limit: int, named: str, left: set[str], file: Callable[..., str]
) -> None:
    file(f"{UNIQUE}\n" * 3)
    puzzles = np.tile(np.eye(1, 16, dtype=np.int8), (100, 1))
    np.save("p.npy", puzzles)
    np.savez("p.npz", puzzles=puzzles)
    file("".join(f"{UNIQUE[:-2]}{row % 10}x\n" for row in range(500)), "bad.txt")
    before = {path.name for path in Path().iterdir()}
    status, messages = full(*arguments, limit=limit)
    assert (status, len(messages)) == (2, 1), messages
    assert messages[0].startswith(f"satdoku: {named}")
    assert messages[0].endswith(f": {os.strerror(errno.EFBIG)}")
    assert {path.name for path in Path().iterdir()} == {*before, *left}


def test_a_run_goes_on_when_there_is_room(file: Callable[..., str]) -> None:
    name = file(f"{UNIQUE}\n{TWO}\n" * 2_000)
    status, messages = full("check", "-j", "1", "-o", "out.txt", name)
    assert (status, messages) == (
        2,
        [
            "satdoku: out.txt is unfinished: once it can be written, the same command with --resume goes on with it",
            f"satdoku: out.txt: {os.strerror(errno.EFBIG)}",
        ],
    )
    assert {path.name for path in Path().iterdir()} == {name, "out.txt", "out.txt.unfinished"}
    assert run("check", "-j", "1", "-o", "out.txt", "--resume", name).exit_code == 1
    assert Path("out.txt").read_text() == run("check", "-j", "1", name).stdout
    assert {path.name for path in Path().iterdir()} == {name, "out.txt"}


@pytest.mark.parametrize("arguments", [["check", UNIQUE], ["--version"], ["--help"], ["help", "--man"]])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_standard_output_is_named_too(arguments: list[str]) -> None:
    with Path("/dev/full").open("wb") as stream:
        done = subprocess.run(
            [sys.executable, "-m", "satdoku", *arguments], stdout=stream, stderr=subprocess.PIPE, text=True
        )
    expected = f"satdoku: standard output: {os.strerror(errno.ENOSPC)}"
    assert (done.returncode, done.stderr.splitlines()[-1:]) == (2, [expected])
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("unnamed", [True, False])
def test_a_whole_file_is_there_when_it_is_complete(
    unnamed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not unnamed:  # as on systems without such files

        def refuse(*arguments: Any, **more: Any) -> None:
            raise NotImplementedError

        monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "whole.bin"
    path.write_bytes(b"before")
    path.chmod(0o640)
    file = files.WholeFile(path)
    file.write(b"after")
    file.write(b"wards")
    assert [path.name for path in tmp_path.iterdir()] == ["whole.bin"]
    assert path.read_bytes() == b"before"
    file.finish()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"afterwards", 0o640)
    assert [path.name for path in tmp_path.iterdir()] == ["whole.bin"]


def test_a_killed_run_to_parquet_leaves_nothing(file: Callable[..., str], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    name = file(f"{UNIQUE}\n" * 20_000)
    before = {path.name for path in tmp_path.iterdir()} | {"site"}
    process = start("check", "-b", "backtrack", "-j", "1", "-o", "out.parquet", name, env=patched(tmp_path, SLOW))

    def opened() -> bool:
        links = [one.readlink() for one in Path(f"/proc/{process.pid}/fd").iterdir() if one.is_symlink()]
        return any(link.parent == tmp_path and link.name.endswith("(deleted)") for link in links)

    try:
        wait_for(lambda: process.poll() is not None or opened())
        assert process.poll() is None
    finally:
        process.kill()
        process.communicate()
    assert {path.name for path in tmp_path.iterdir()} == before
