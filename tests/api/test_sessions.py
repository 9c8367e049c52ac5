"""The session that the functions keep open between calls."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import satdoku
from satdoku.api import sessions
from satdoku.verdict import Session

PUZZLES = Path(__file__).parents[2] / "puzzles"
UNIQUE = ".1.4....1....43."
TWO = "13....3131...213"


@pytest.fixture(autouse=True)
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Session]:
    """The sessions that are opened meanwhile."""
    found: list[Session] = []

    class Counted(Session):
        def __init__(self, backend: str | None = None, encoding: str | None = None) -> None:
            super().__init__(backend, encoding)
            found.append(self)

    monkeypatch.setattr(sessions, "Session", Counted)
    sessions._idle.clear()
    return found


def test_calls_one_after_the_other_share_a_session(opened: list[Session]) -> None:
    for text in (UNIQUE, TWO, "." * 81):
        satdoku.check(text)
        satdoku.solve(text)
    satdoku.count(TWO)
    satdoku.draw(TWO)
    satdoku.difficulty(UNIQUE)
    assert len(opened) == 1


def test_a_named_backend_has_a_session_of_its_own(opened: list[Session]) -> None:
    for _ in range(2):
        satdoku.check(UNIQUE, backend="backtrack")
        satdoku.check(UNIQUE, encoding="minimal")
    assert [session.name for session in opened] == ["backtrack", "auto"] * 2


def test_threads_do_not_share_a_session_at_the_same_time(opened: list[Session]) -> None:
    lines = [UNIQUE, TWO, "33.............."] * 200
    with ThreadPoolExecutor(8) as together:
        found = list(together.map(lambda line: satdoku.check(line).verdict.value, lines))
    assert found == ["unique", "multiple", "unsolvable"] * 200
    assert len(opened) <= 8


def test_a_session_whose_search_ended_with_an_error_is_not_used_again(
    opened: list[Session], monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*arguments: object, **more: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Session, "run", wrong)
        with pytest.raises(KeyboardInterrupt):
            satdoku.check(UNIQUE)
    assert satdoku.check(UNIQUE).verdict is satdoku.Verdict.UNIQUE
    assert len(opened) == 2


def test_a_puzzle_that_cannot_be_read_costs_no_session(opened: list[Session]) -> None:
    satdoku.check(UNIQUE)
    with pytest.raises(satdoku.FormatError):
        satdoku.check("remember the milk")
    satdoku.check(UNIQUE)
    assert len(opened) == 1


CLOSED = """
import satdoku
from satdoku.verdict import Session
close = Session.close
Session.close = lambda self: (print("closed"), close(self))
satdoku.check(".1.4....1....43.")
satdoku.check(".1.4....1....43.")
"""


def test_it_is_closed_when_python_ends() -> None:
    done = subprocess.run([sys.executable, "-c", CLOSED], capture_output=True, text=True, check=True)
    assert done.stdout == "closed\n"


FORKED = """
import os
import satdoku
satdoku.check(".1.4....1....43.")
if os.fork() == 0:
    from satdoku.api import sessions
    print(len(sessions._idle), satdoku.check("13....3131...213").verdict.value, flush=True)
    os._exit(0)
os.wait()
"""


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="no forks here")
def test_a_forked_process_opens_its_own() -> None:
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, check=True)
    assert done.stdout == "0 multiple\n"


def test_the_hundredth_call_names_the_backend_of_the_first() -> None:
    """Whatever the process has answered before; and a new process gives the same name."""
    files = [PUZZLES / "9x9_hard.txt", *(PUZZLES / "variants" / f"{name}.toml" for name in ("cage", "renban", "arrow"))]
    puzzles = [satdoku.load(file) for file in files]
    names = [[satdoku.check(puzzle).backend for puzzle in puzzles] for _ in range(100)]
    assert names == [["native"] * len(files)] * 100
    again = [sys.executable, "-m", "satdoku", "check", "--json", "-q", *map(str, files)]
    printed = subprocess.run(again, capture_output=True, text=True).stdout
    assert [json.loads(line)["backend"] for line in printed.splitlines()] == ["native"] * len(files)
