"""Completion in the shells that are here, by the script that `--show-completion` prints; and the page for man."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from satdoku.commands import summaries

PROGRAM = "import sys; sys.argv[0] = 'satdoku'; from satdoku.cli import app; app()"
SCRIPTS = {
    "bash": """
satdoku --show-completion > script
. ./script
COMP_WORDS=({words}) COMP_CWORD={last}
_satdoku_completion satdoku
printf '%s\\n' "${{COMPREPLY[@]}}"
""",
    "zsh": """
compdef() {{ }}
_arguments() {{ print -r -- "$@" | grep -oE '"[^" ]+"' | tr -d '"' }}
satdoku --show-completion > script
. ./script
words=({words}) CURRENT={current}
_satdoku_completion
true
""",
    "fish": """
satdoku --show-completion > script
source script
complete -C "{words}" | string split -f 1 \\t; true
""",
    "pwsh": """
satdoku --show-completion > script.ps1
. ./script.ps1
(TabExpansion2 "{words}").CompletionMatches | ForEach-Object {{ $_.CompletionText.Trim() }}
""",
}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """In which `satdoku` is this checkout's."""
    program = tmp_path / "bin" / "satdoku"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -c "{PROGRAM}" "$@"\n')
    program.chmod(0o755)
    return os.environ | {"PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}


@pytest.mark.skipif(os.name != "posix", reason="the program is a shell script")
@pytest.mark.parametrize("shell", SCRIPTS)
@pytest.mark.parametrize(
    ("words", "expected"),
    [("satdoku co", {"count", "convert"}), ("satdoku check -b cadical1", {"cadical103", "cadical153", "cadical195"})],
)
def test_the_shell_completes(
    shell: str, words: str, expected: set[str], environment: dict[str, str], tmp_path: Path
) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    number = len(words.split())
    script = SCRIPTS[shell].format(words=words, last=number - 1, current=number)
    command = [shell, *(["-f"] if shell == "zsh" else []), "-c", script]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=True)
    found = {name.strip() for name in done.stdout.split()}
    assert expected <= found, done.stderr
    assert all(name.startswith(words.split()[-1]) for name in found)


@pytest.mark.skipif(shutil.which("man") is None, reason="man is not here")
def test_man_shows_every_command_without_a_warning(environment: dict[str, str], tmp_path: Path) -> None:
    script = "satdoku help --man > satdoku.1 && MANWIDTH=80 man --warnings -l satdoku.1"
    done = subprocess.run(["sh", "-c", script], env=environment, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    headings = {line.strip().lower().split(" ")[0] for line in done.stdout.splitlines() if line[:1].isalpha()}
    assert set(summaries()) <= headings
