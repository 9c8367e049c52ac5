"""What README.md and docs/ show is what happens: commands as written, their output, Python as it stands."""

from __future__ import annotations

import doctest
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.forked import shell_function

from satdoku import classic
from satdoku.encoders.cnf import encode, encodings

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
TIMES = re.compile(r"\d+\.\d+|\d+(?= ms)")


def blocks(page: Path, language: str) -> Iterator[str]:
    return (found[1] for found in re.finditer(rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.M))


def sessions(page: Path) -> Iterator[tuple[str, str]]:
    """Each command of a console block with the output shown below it, `echo $?` as part of the output."""
    for block in blocks(page, "console"):
        parts = re.split(r"^\$ ", block, flags=re.M)[1:]
        joined: list[tuple[str, str]] = []
        for part in parts:
            command, _, output = part.partition("\n")
            while command.endswith("\\"):
                more, _, output = output.partition("\n")
                command = command[:-1] + more.removeprefix("> ")
            if command == "echo $?" and joined:
                before, shown = joined[-1]
                joined[-1] = (f"{before}; echo $?", shown + output)
            else:
                joined.append((command, output))
        yield from joined


SKIPPED = re.compile(r"pip install|apt|minisat|cadical|clingo|minizinc|bench (run|report)")
"""Commands that install, that need a program from elsewhere, or whose output is times."""


@pytest.fixture(scope="module")
def satdoku(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with shell_function(tmp_path_factory.mktemp("server")) as definition:
        yield definition


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path, satdoku: str) -> None:
    (tmp_path / "puzzles").symlink_to(ROOT / "puzzles")
    for command, output in sessions(page):
        if SKIPPED.search(command):
            continue
        script = ["bash", "-c", f"{satdoku}\n{command}"]
        done = subprocess.run(script, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        printed = {TIMES.sub("T", line.rstrip()) for line in (done.stdout + done.stderr).splitlines()}
        shown = [line for line in output.splitlines() if line.strip() != "..."]
        missing = [line for line in shown if TIMES.sub("T", line.rstrip()) not in printed]
        assert not missing, f"{page.name}: {command}\nprinted:\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_on_a_page_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(block, names)
    parsed = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), names, page.name, None, 0)
    assert doctest.DocTestRunner().run(parsed).failed == 0


def test_the_readme_shows_commands_and_python() -> None:
    assert len(list(sessions(ROOT / "README.md"))) > 10
    assert any(blocks(ROOT / "README.md", "pycon"))


def test_the_sizes_of_encodings_on_their_page_are_those_that_are_written() -> None:
    text = (ROOT / "docs" / "encodings.md").read_text("utf-8")
    columns = ((2, 2), (2, 3), (3, 3), (4, 4), (5, 5))
    rows = re.findall(r"^\| `([^`]+)`((?: \| \d+){5}) \|$", text, re.M)
    assert {name for name, _ in rows} == set(encodings())
    for name, sizes in rows[: len(encodings())]:
        assert [len(encode(classic(*box), name).clauses) for box in columns] == [
            int(size) for size in sizes.split(" | ")[1:]
        ], name
