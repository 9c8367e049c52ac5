"""What README.md and docs/ show is what happens: commands as written, their output, Python as it stands."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from support.forked import shell_function
from typer.main import get_command

from satdoku.cli import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MAX_LINES = 150
NAMES = attrgetter("name")
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
            while output.startswith("> "):
                more, _, output = output.partition("\n")
                command = f"{command}\n{more.removeprefix('> ')}"
            if command == "echo $?" and joined:
                before, shown = joined[-1]
                joined[-1] = (f"{before}; echo $?", shown + output)
            else:
                joined.append((command, output))
        yield from joined


INSTALLED = {"extending.md"}  # needs its own package, with which test_extending.py runs it
RUN = [page for page in PAGES if page.name not in INSTALLED]
WITH_COMMANDS = [page for page in RUN if any(blocks(page, "console"))]
WITH_PYTHON = [page for page in RUN if any(blocks(page, "python")) or any(blocks(page, "pycon"))]

SKIPPED = re.compile(r"pip install|apt|minisat|cadical|clingo|minizinc|bench (run|report)|doctor|satdoku web")
"""Commands that install, that need a program from elsewhere, that do not end, or whose output is times."""


@pytest.fixture(scope="module")
def satdoku(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with shell_function(tmp_path_factory.mktemp("server")) as definition:
        yield definition


def printed(commands: Sequence[str], satdoku: str, folder: Path) -> list[str]:
    """What each command prints, both streams; all in one shell that stands in `folder`."""
    files = [folder.with_name(f"{folder.name}.{number}") for number in range(len(commands))]
    parts = (f"{{ {command}\n}} > {file} 2>&1" for command, file in zip(commands, files, strict=True))
    script = "\n".join([satdoku, *parts])
    subprocess.run(["bash", "-c", script], cwd=folder, stdin=subprocess.DEVNULL, timeout=800, check=False)
    return [file.read_text("utf-8") for file in files]


@pytest.mark.parametrize("page", WITH_COMMANDS, ids=NAMES)
def test_commands_print_what_the_page_shows(page: Path, tmp_path: Path, satdoku: str) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "puzzles").symlink_to(ROOT / "puzzles")
    shown = [(command, output) for command, output in sessions(page) if not SKIPPED.search(command)]
    outputs = printed([command for command, _ in shown], satdoku, folder)
    for (command, output), text in zip(shown, outputs, strict=True):
        lines = {TIMES.sub("T", line.rstrip()) for line in text.splitlines()}
        wanted = [line for line in output.splitlines() if line.strip() != "..."]
        missing = [line for line in wanted if TIMES.sub("T", line.rstrip()) not in lines]
        assert not missing, f"{page.name}: {command}\nprinted:\n{text}\nmissing:\n{missing}"
        assert "Traceback" not in text


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_every_command_of_a_page_has_the_options_that_it_is_shown_with(page: Path) -> None:
    """Of those that are not run too: they are parsed, and no more."""
    group: Any = get_command(app)
    context = group.make_context("satdoku", ["help"])
    for block in (*blocks(page, "sh"), *(command for command, _ in sessions(page))):
        for words in calls(block):
            found, arguments = group, words
            while hasattr(found, "commands") or found is group:
                if not arguments or arguments[0].startswith("-"):
                    break
                name, *arguments = arguments
                found = found.command_of(name)
                assert found is not None, f"{page.name}: there is no command {name}"
            if found is not group and not {"-h", "--help"} & set(arguments):
                found.make_context("satdoku", list(arguments), help_option_names=context.help_option_names)


def calls(text: str) -> Iterator[list[str]]:
    """The arguments of each call of satdoku in a shell script."""
    lexer = shlex.shlex(re.sub(r"\\\n(?:> )?", " ", text).replace("\n", " ; "), posix=True, punctuation_chars=True)
    lexer.commenters, lexer.whitespace_split = "", True
    words: list[str] | None = None
    for token in (*lexer, ";"):
        if set(token) <= set("();<>|&") or token.startswith("#"):
            if words is not None:
                yield words
            words = None
        elif words is not None:
            words.append(token)
        elif token.endswith("satdoku"):
            words = []


@pytest.mark.parametrize("page", WITH_PYTHON, ids=NAMES)
def test_python_on_a_page_runs(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    for block in blocks(page, "python"):
        exec(block, names)
    parsed = doctest.DocTestParser().get_doctest("\n".join(blocks(page, "pycon")), names, page.name, None, 0)
    assert doctest.DocTestRunner().run(parsed).failed == 0


def test_every_link_leads_to_a_page_and_a_heading_that_are_there() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text("utf-8")):
            file, _, anchor = target.partition("#")
            found = (page.parent / file).resolve() if file else page
            assert found.exists(), f"{page.name}: {target}"
            assert not anchor or anchor in anchors(found), f"{page.name}: {target}"


@cache
def anchors(page: Path) -> set[str]:
    """The names of a page's headings in links."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.DOTALL)
    return {re.sub(r"[^\w\- ]", "", name.lower()).replace(" ", "-") for name in re.findall(r"^#+ (.+)$", text, re.M)}


def test_the_readme_shows_commands_and_python() -> None:
    assert len(list(sessions(ROOT / "README.md"))) > 5
    assert any(blocks(ROOT / "README.md", "pycon"))


def test_the_readme_is_read_in_one_go_and_has_two_commands_to_begin_with() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= MAX_LINES
    first, second = list(blocks(ROOT / "README.md", "sh"))[:2]
    assert re.fullmatch(r"python3 -m venv .* pip install .* satdoku check \S+\n".replace(" ", ".*"), first)
    assert re.fullmatch(r"python3 -m venv .* pip install '\.\[test\]' .* pytest .*\n".replace(" ", ".*"), second)
