"""The Python of README.md and of all pages passes `mypy --strict`, as a reader's own program would."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SESSIONS = re.compile(r"^```pycon\n(.*?)^```", re.DOTALL | re.M)
FILES = re.compile(r"^`([\w/]+\.py)`:\n\n```python\n(.*?)^```", re.DOTALL | re.M)
BLOCKS = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.M)


def programs(page: Path) -> list[str]:
    """What a page lets a reader type into Python, as a program, and each of its blocks that is no file."""
    text = page.read_text("utf-8")
    examples = doctest.DocTestParser().get_examples("\n".join(SESSIONS.findall(text)))
    blocks = BLOCKS.findall(FILES.sub("", text))
    return ["".join(example.source for example in examples), *(f"import satdoku\n{block}" for block in blocks)]


def test_the_python_of_pages_is_typed(tmp_path: Path) -> None:
    """One run for all pages, which share what it finds out about the package."""
    numbered = [(f"{page.parent.name}_{page.stem}", *each) for page in PAGES for each in enumerate(programs(page))]
    files = {f"{name}_{number}_page.py": text for name, number, text in numbered}
    for page in PAGES:
        files |= dict(FILES.findall(page.read_text("utf-8")))
    written = {name: text for name, text in files.items() if text}
    assert {"tutorials_datasets_0_page.py", "docs_counting_1_page.py", "satdoku_mine/backend.py"} <= set(written)
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
