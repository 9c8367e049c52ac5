"""The Python of README.md and of the tutorials passes `mypy --strict`, as a reader's own program would."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "tutorials").glob("*.md"))]
SESSIONS = re.compile(r"^```pycon\n(.*?)^```", re.DOTALL | re.M)
FILES = re.compile(r"^`([\w/]+\.py)`:\n\n```python\n(.*?)^```", re.DOTALL | re.M)


def program(page: Path) -> str:
    """What a page lets a reader type into Python, as a program."""
    examples = doctest.DocTestParser().get_examples("\n".join(SESSIONS.findall(page.read_text("utf-8"))))
    return "".join(example.source for example in examples)


def test_the_python_of_tutorials_is_typed(tmp_path: Path) -> None:
    """One run for all pages, which share what it finds out about the package."""
    files = {f"{page.stem.lower()}_page.py": program(page) for page in PAGES}
    for page in PAGES:
        files |= dict(FILES.findall(page.read_text("utf-8")))
    written = {name: text for name, text in files.items() if text}
    assert {"readme_page.py", "datasets_page.py", "satdoku_mine/backend.py"} <= set(written)
    for name, text in written.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    config = ["--config-file", str(ROOT / "pyproject.toml"), "--strict", "--follow-imports", "silent"]
    config += ["--cache-dir", str(tmp_path / "cache")]
    command = [sys.executable, "-m", "mypy", *config, *sorted(written)]
    environment = {**os.environ, "MYPYPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    assert done.stdout.startswith("Success: no issues found"), done.stdout
