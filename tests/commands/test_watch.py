"""`satdoku watch`: a file drawn and answered whenever it changes."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO

import pytest
from support.batch import wait_for
from support.cli import errors, out, run, start
from support.interrupts import left

MULTIPLE, UNIQUE, UNSOLVABLE = "13....3131...213", "1234341221434...", "12....3........."


class Watched:
    """The command on a file, and the lines that it prints as they come."""

    def __init__(self, file: Path, *arguments: str) -> None:
        self.file = file
        self.process: subprocess.Popen[str] = start("watch", str(file), *arguments)
        self.lines: Queue[str] = Queue()
        for stream in (out(self.process), errors(self.process)):
            Thread(target=self._read, args=(stream,), daemon=True).start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            self.lines.put(line.rstrip("\n"))

    def until(self, *words: str) -> list[str]:
        """The lines until each of these words was in one: the two streams come in any order."""
        found = [self.lines.get(timeout=120)]
        while not all(any(each in line for line in found) for each in words):
            found.append(self.lines.get(timeout=120))
        return found

    def write(self, text: str) -> None:
        self.file.write_text(text)


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    (tmp_path / "puzzle.txt").write_text(MULTIPLE)
    found = Watched(tmp_path / "puzzle.txt")
    yield found
    found.process.send_signal(signal.SIGINT)
    assert found.process.wait(timeout=120) == 130


def test_it_draws_and_answers_at_every_change(watched: Watched) -> None:
    first = watched.until("says what would make it unique")
    assert first[:3] == ["4x4 with 2x2 boxes, 9 givens", "", "1 3 | . ."]
    assert "multiple: the puzzle has more than one solution, here are two" in first
    watched.write(UNIQUE)
    assert "unique: the puzzle has exactly one solution" in watched.until("4 3 | 2 1")
    watched.write(UNSOLVABLE)
    found = watched.until("irreducible")
    assert "r1c1=1, r1c2=2, r2c3=3 and row 2 leave no place for 3 in box 1" in found


def test_what_cannot_be_read_is_one_line_and_it_watches_on(watched: Watched) -> None:
    watched.until("says what would make it unique")
    watched.write("hello")
    [line] = watched.until("puzzle.txt")
    assert line.startswith(f"satdoku: {watched.file}, line 1")
    watched.file.unlink()
    assert watched.until("there is no such file")[-1].startswith(f"satdoku: {watched.file}: ")
    watched.write(f"{UNIQUE}\n{MULTIPLE}\n")
    watched.until("unique: the puzzle has exactly one solution", "holds several puzzles: this is the first")


def test_a_change_ends_a_long_search(watched: Watched) -> None:
    watched.until("says what would make it unique")
    watched.write(",".join("." * 36**2))
    watched.write(UNIQUE)
    watched.until("unique: the puzzle has exactly one solution")


def test_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    file = tmp_path / "puzzle.txt"
    file.write_text(UNIQUE)
    found = Watched(file)
    found.until("unique")
    found.process.send_signal(signal.SIGINT)
    assert found.process.wait(timeout=120) == 130
    wait_for(lambda: not left(str(tmp_path)))
    assert not list(tmp_path.glob("satdoku-*"))


def test_wrong_use() -> None:
    assert run("watch").exit_code == 2
