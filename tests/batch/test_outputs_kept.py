"""What a stopped run has settled is checked before it goes on, and no output destroys another file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.cli import TWO, UNIQUE, run

from satdoku.batch import journal


@pytest.fixture
def stopped(file: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The input of a run to out.txt that was stopped after some lines."""
    name = file(f"{UNIQUE}\n{TWO}\n" * 100)
    commits = iter(range(4))
    commit = journal.Journal.commit

    def stopping(self: Any, chunk: Any = None) -> None:
        if next(commits, None) is None:
            raise KeyboardInterrupt
        commit(self, chunk)

    with monkeypatch.context() as patch:
        patch.setattr(journal.Journal, "commit", stopping)
        assert run("check", "-j", "1", "-o", "out.txt", name).exit_code == 130
    assert Path("out.txt").stat().st_size
    return name


def resumed(name: str) -> Any:
    return run("check", "-j", "1", "-o", "out.txt", "--resume", name)


@pytest.mark.parametrize(
    "change",
    [
        lambda path: path.unlink(),
        lambda path: path.write_bytes(path.read_bytes()[:5]),
        lambda path: path.write_bytes(b"x" + path.read_bytes()[1:]),
    ],
    ids=["removed", "cut", "changed"],
)
def test_what_is_settled_must_be_as_it_was(stopped: str, change: Callable[[Path], object]) -> None:
    change(Path("out.txt"))
    result = resumed(stopped)
    assert result.exit_code == 2
    assert "out.txt is not as the stopped run left it" in result.stderr
    assert b"\0" not in Path("out.txt").read_bytes()


def test_what_was_written_after_the_last_settling_is_cut_away(stopped: str) -> None:
    with Path("out.txt").open("ab") as stream:
        stream.write(b"half a li")
    assert resumed(stopped).exit_code == 1
    assert Path("out.txt").read_text() == run("check", "-j", "1", stopped).stdout


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: "no JSON",
        lambda text: json.dumps(json.loads(text) | {"total": []}),
        lambda text: json.dumps(json.loads(text) | {"total": {"figures": {"read": 3}, "status": 0, "lines": 1}}),
        lambda text: json.dumps(json.loads(text) | {"files": 3}),
        lambda text: json.dumps(json.loads(text) | {"checksum": "x"}),
        lambda text: json.dumps({}),
    ],
)
def test_a_damaged_journal_is_one_line(stopped: str, damage: Callable[[str], str]) -> None:
    path = Path("out.txt.unfinished")
    path.write_text(damage(path.read_text()))
    result = resumed(stopped)
    assert result.exit_code == 2
    assert "out.txt.unfinished: not a journal of satdoku" in result.stderr


def test_an_empty_journal_begins_anew(stopped: str) -> None:
    Path("out.txt.unfinished").write_bytes(b"")
    assert resumed(stopped).exit_code == 1
    assert Path("out.txt").read_text() == run("check", "-j", "1", stopped).stdout


class TestCompanions:
    @pytest.mark.parametrize("proofs", ["out.txt", "out.txt.unfinished", "p.txt", "link"])
    def test_proofs_are_not_another_file_of_the_run(self, proofs: str, file: Callable[..., str]) -> None:
        name = file(f"{UNIQUE}\n" * 3)
        Path("out.txt").write_text("kept")
        Path("link").symlink_to("out.txt")
        result = run("check", "--certified", "--proofs", proofs, "-o", "out.txt", name)
        assert result.exit_code == 2
        assert Path("out.txt").read_text() == "kept"
        assert Path("p.txt").read_text() == f"{UNIQUE}\n" * 3

    def test_an_input_with_the_name_of_the_journal_is_kept(self, file: Callable[..., str]) -> None:
        name = file(f"{UNIQUE}\n", "z.unfinished")
        result = run("check", "-o", "z", name)
        assert result.exit_code == 2
        assert Path(name).read_text() == f"{UNIQUE}\n"
