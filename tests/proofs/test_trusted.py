"""What docs/certificates.md names as trusted is what verifying runs, and as short as it says."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/certificates.md").read_text("utf-8").partition("## What is trusted")[2].partition("\n## ")[0]
ROWS = [(re.findall(r"\]\(\.\./([\w./]+)\)", row), row) for row in PAGE.splitlines() if row.startswith("| [")]
ENTRIES = [f"satdoku/{name}.py" for name in ("proofs/verify", "proofs/checkers", "proofs/loaded", "kernels/rup")]
HELPERS = {"errors.py", "words.py", "limits.py", "cache.py", "version.py", "discovery.py", "registry.py", "__init__.py"}
"""Messages, bounds, what the constraints of boards share, and tables of what is offered."""


def imported(path: Path) -> set[Path]:
    """The files of the package that a file imports, wherever in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            file = ROOT / (name.replace(".", "/") + ".py")
            found |= {each for each in (file, file.with_suffix("") / "__init__.py") if each.exists()}
    return {each for each in found if each != ROOT / "satdoku/__init__.py"}


def reached() -> set[str]:
    found: set[Path] = set()
    new = {ROOT / entry for entry in ENTRIES}
    while new:
        found |= new
        new = set().union(*map(imported, new)) - found
    return {path.relative_to(ROOT).as_posix() for path in found}


@pytest.mark.parametrize(("files", "row"), ROWS, ids=lambda each: each[0] if isinstance(each, list) else "row")
def test_files_are_there_and_no_longer_than_it_says(files: list[str], row: str) -> None:
    most = re.search(r"\| under (\d+) \|", row)
    for file in files:
        assert (ROOT / file).exists()
        if most:
            assert len((ROOT / file).read_text("utf-8").splitlines()) < int(most[1])
    for name in re.findall(r"`(test_\w+\.py)`", row):
        assert (ROOT / "tests/proofs" / name).exists()


def test_each_file_that_verifying_runs_is_named() -> None:
    named = [file for files, _ in ROWS for file in files]
    kernels = tuple(f"satdoku/kernels/{name}.py" for name in ("compiled", "cpuid", "library"))
    others = ("satdoku/formats", "satdoku/variants", "satdoku/inputs", *kernels)
    lrat = ("satdoku/proofs/lrat.py", "satdoku/kernels/drat.py")  # named below the table
    missing = {
        path for path in reached() if Path(path).name not in HELPERS and not path.startswith((*named, *others, *lrat))
    }
    assert not missing
    assert all(Path(path).name in PAGE for path in lrat[:1])
    assert set(named) - {"satdoku/formats", "satdoku/variants"} <= reached()
