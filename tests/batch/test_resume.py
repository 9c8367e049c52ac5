"""A run that was stopped goes on without a line lost or doubled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.batch import wait_for
from support.cli import NINE, TWO, UNIQUE, run, start

from satdoku.batch import journal


class TestResume:
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
        first = start("check", "-b", "backtrack", "-j", "1", "-o", "out.txt", name)
        try:
            wait_for(lambda: Path("out.txt.unfinished").exists())
            second = run("check", "-b", "backtrack", "-j", "1", "-o", "out.txt", "--resume", name)
            assert second.exit_code == 2
            assert "another run is writing it" in second.stderr
        finally:
            first.kill()
            first.communicate()

    def test_usage(self) -> None:
        assert "name it, --output FILE" in run("check", "--resume", UNIQUE).stderr
