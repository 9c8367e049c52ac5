"""Certificates that were written before the searches were compiled ahead verify as they did."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.cli import run

from satdoku import verify

FOLDER = Path(__file__).parent / "certificates"
OLDER = sorted(path.name for path in FOLDER.iterdir())


def test_there_is_one_of_each_claim() -> None:
    assert {"candidates", "count", "killer", "minimal", "multiple", "unique", "unsolvable"} == set(OLDER)


@pytest.mark.parametrize("name", OLDER)
def test_it_verifies(name: str) -> None:
    assert '"numba"' in (FOLDER / name / "manifest.json").read_text("utf-8")
    result = run("verify", str(FOLDER / name))
    assert result.exit_code == 0, result.stderr
    assert "library" in result.stderr or name == "multiple"


@pytest.mark.parametrize("name", OLDER)
def test_a_changed_byte_is_refused(name: str, tmp_path: Path) -> None:
    shutil.copytree(FOLDER / name, tmp_path / name)
    file = tmp_path / name / "grids.txt"
    file = file if file.exists() and file.stat().st_size else tmp_path / name / "proof.drup"
    content = bytearray(file.read_bytes())
    content[0] ^= 1
    file.write_bytes(content)
    (verified,) = verify(tmp_path / name)
    assert verified.fault is not None
