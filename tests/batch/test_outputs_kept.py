"""What a stopped run has settled is checked before it goes on, and no output destroys another file."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zlib
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


def sealed(record: object) -> str:
    """A journal whose checksum fits."""
    text = json.dumps(record)
    return f'{{"record":{text},"checksum":{zlib.crc32(text.encode())}}}'


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
    assert not Path("out.txt").exists() or b"\0" not in Path("out.txt").read_bytes()


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
        lambda text: sealed(json.loads(text)["record"] | {"total": []}),
        lambda text: sealed(json.loads(text)["record"] | {"total": {"figures": {"read": 3}, "status": 0, "lines": 1}}),
        lambda text: sealed(json.loads(text)["record"] | {"files": 3}),
        lambda text: json.dumps(json.loads(text) | {"checksum": "x"}),
        lambda text: json.dumps({}),
        lambda text: text.replace('"lines":', '"lines":1', 1),
        lambda text: re.sub(r'"lines":(\d+)', lambda found: f'"lines":{int(found[1]) - 1}', text),
        lambda text: re.sub(r"(\d)}$", lambda found: f"{9 - int(found[1])}}}", text),
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


class TestInputs:
    """No run writes where it reads, whatever names that file."""

    KEPT = f"{UNIQUE}\n{TWO}\n" * 50

    def refused(self, command: str, kept: str) -> str:
        """What a shell command says that is refused; the file `kept` is as it was."""
        done = subprocess.run(
            ["sh", "-c", command.replace("satdoku", f"'{sys.executable}' -m satdoku")], capture_output=True, text=True
        )
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done
        assert Path(kept).read_text() == self.KEPT
        return done.stderr

    @pytest.mark.parametrize(
        ("words", "option"),
        [
            ("check -b native -", "-o"),
            ("dedupe", "-o"),
            ("convert /dev/stdin", "--errors"),
            ("check --certified", "--proofs"),
        ],
    )
    def test_standard_input_is_not_written_over(self, words: str, option: str, file: Callable[..., str]) -> None:
        name = file(self.KEPT)
        message = self.refused(f"satdoku {words} {option} {name} < {name}", name)
        assert "to be read, and to be written too; name another file for --" in message

    @pytest.mark.parametrize("puzzles", [["./p.txt:3"], ["*.txt"], ["other.txt", "p.txt"], ["link"], ["sub/../p.txt"]])
    def test_what_is_read_has_many_names(self, puzzles: list[str], file: Callable[..., str]) -> None:
        name, _ = file(self.KEPT), file(f"{UNIQUE}\n", "other.txt")
        Path("sub").mkdir()
        Path("link").hardlink_to(name)
        result = run("check", "-o", name, *puzzles)
        assert (result.exit_code, Path(name).read_text()) == (2, self.KEPT)
        assert "to be read, and to be written too; name another file for --output" in result.stderr

    @pytest.mark.parametrize("puzzles", ["-", "other.txt p.txt"])
    def test_standard_output_is_not_added_to_what_is_read(self, puzzles: str, file: Callable[..., str]) -> None:
        name, _ = file(self.KEPT), file(f"{UNIQUE}\n", "other.txt")
        message = self.refused(f"satdoku convert {puzzles} < {name} >> {name}", name)
        assert "to be read, and standard output goes there too" in message

    @pytest.mark.parametrize("output", ["sets/out.txt", "sets/deep/out.txt", "sets/p.txt", "./other/../sets/out.txt"])
    def test_nothing_is_written_into_a_folder_that_is_read(self, output: str, file: Callable[..., str]) -> None:
        for folder in ("sets/deep", "other"):
            Path(folder).mkdir(parents=True)
        name = file(self.KEPT, "sets/p.txt")
        result = run("check", "sets", "-o", output)
        assert (result.exit_code, Path(name).read_text()) == (2, self.KEPT)
        assert "in the folder sets, which is read" in result.stderr
        assert [path.name for path in Path("sets").iterdir() if path.is_file()] == ["p.txt"]

    @pytest.mark.parametrize("other", ["sub/../out.txt", "link", "sub/up/out.txt"])
    def test_two_names_of_one_new_file(self, other: str, file: Callable[..., str]) -> None:
        name = file(self.KEPT)
        Path("sub").mkdir()
        Path("sub/up").symlink_to("..")
        Path("link").symlink_to("out.txt")
        result = run("check", "-o", "out.txt", "-o", other, name)
        assert result.exit_code == 2
        assert f"{other}: --output and --output are the same file; name another one" in result.stderr
        assert not Path("out.txt").exists()
        assert "--output out.txt is given 2 times" in run("check", "-o", "out.txt", "-o", "./out.txt", name).stderr

    def test_an_export_of_a_folder_leaves_its_puzzles(self, file: Callable[..., str]) -> None:
        name, _ = file(UNIQUE, "a-1.txt"), file(UNIQUE, "a.txt")
        result = run("export", "--to", "exact-cover", "--folder", ".", ".")
        assert result.exit_code == 2
        assert "a-1.txt: to be read, and to be written too; name another file for --folder" in result.stderr
        assert Path(name).read_text() == UNIQUE
