"""Folders, patterns and archives are sets of puzzles."""

from __future__ import annotations

import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

import satdoku
from satdoku.formats import Options
from satdoku.inputs.sources import items

FOUR, OTHER = "13....3131...213", "1..............."
ROWS = "\n".join(OTHER[start : start + 4] for start in range(0, 16, 4))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "b" / "deep").mkdir(parents=True)
    (tmp_path / "a.txt").write_text(f"{FOUR}\n{OTHER}\n")
    (tmp_path / "b" / "deep" / "c.grid").write_text(ROWS)
    (tmp_path / "b" / "bad.txt").write_text("nothing")
    (tmp_path / "README.md").write_text("Puzzles.")
    (tmp_path / ".hidden").write_text(FOUR)
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "d.txt").write_text(FOUR)
    return tmp_path


def names(argument: str) -> list[tuple[str, bool]]:
    return [(item.name, isinstance(item.puzzle, satdoku.Puzzle)) for item in items([argument], Options())]


def test_a_folder_is_its_files_and_one_that_is_not_a_puzzle_costs_nothing_else(folder: Path) -> None:
    expected = [("a.txt:1", True), ("a.txt:2", True), ("b/bad.txt:1", False), ("b/deep/c.grid:1", True)]
    assert names(str(folder)) == [(f"{folder}/{name}", good) for name, good in expected]


def test_a_pattern_works_where_the_shell_has_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert names(f"{folder}/*.txt") == [(f"{folder}/a.txt:1", True), (f"{folder}/a.txt:2", True)]
    monkeypatch.chdir(folder)
    assert names("?.txt") == [("a.txt:1", True), ("a.txt:2", True)]
    assert names("1" + "*" * 15) == [("argument 1", True)]  # which is a puzzle


def test_an_archive_is_its_files(folder: Path, tmp_path: Path) -> None:
    zipped, taped = tmp_path / "all.zip", tmp_path / "all.tar.gz"
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in ("a.txt", "b/bad.txt", "README.md"):
            archive.write(folder / path, path)
    with tarfile.open(taped, "w:gz") as tape:
        for path in ("a.txt", "b"):
            tape.add(folder / path, path)
    assert names(str(zipped)) == [
        (f"{zipped}/a.txt:1", True), (f"{zipped}/a.txt:2", True), (f"{zipped}/b/bad.txt:1", False)
    ]  # fmt: skip
    assert {name for name, good in names(str(taped)) if good} == {
        f"{taped}/a.txt:1", f"{taped}/a.txt:2", f"{taped}/b/deep/c.grid:1"
    }  # fmt: skip


@pytest.mark.parametrize("name", ["p.zip", "p.tar"])
def test_a_damaged_archive_is_one_error(name: str, tmp_path: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", f"{FOUR}\n" * 5000)
    data = bytearray(packed.getvalue())
    data[60:70] = b"\0" * 10
    path = tmp_path / name
    path.write_bytes(bytes(data) if name.endswith("zip") else b"no tape" * 200)
    (*_, last) = items([str(path)], Options())
    assert isinstance(last.puzzle, satdoku.InputError)
    assert str(path) in str(last.puzzle)


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no names of open files here")
def test_a_pipe_with_a_name_is_read_as_a_file_is() -> None:
    """As shells give one: `satdoku check <(zcat puzzles.gz)`."""
    reading, writing = os.pipe()
    os.write(writing, f"{FOUR}\n{OTHER}\n".encode())
    os.close(writing)
    found = [getattr(item.puzzle, "givens", item.puzzle) for item in items([f"/dev/fd/{reading}"], Options())]
    os.close(reading)
    assert found == [satdoku.read(text).givens for text in (FOUR, OTHER)]
