"""Results are UTF-8 and messages are readable, whatever encoding the environment names."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.cli import run

TITLE = "Höhe ✓ 数"
PUZZLE = f'title = "{TITLE}"\nsize = 4\ngrid = """\n. . . .\n3 4 . .\n. . . .\n4 . . 1\n"""\n'


def done(encoding: str, *arguments: str, input: bytes | None = None) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "satdoku", *arguments],
        capture_output=True,
        input=input,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
def test_what_is_written_is_read_back(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "ü.toml"
    path.write_text(PUZZLE, encoding="utf-8")
    written = done(encoding, "convert", "--to", "toml", str(path))
    assert (written.returncode, written.stdout.decode()) == (0, run("convert", "--to", "toml", str(path)).stdout)
    assert TITLE in written.stdout.decode()
    assert done(encoding, "convert", "--to", "toml", "-", input=written.stdout).stdout == written.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_no_message_is_lost(encoding: str) -> None:
    missing = done(encoding, "check", "数.txt")
    assert (missing.returncode, missing.stdout) == (2, b"")
    assert missing.stderr.decode(encoding) == "satdoku: \\u6570.txt: neither a file nor a puzzle\n"
    summary = done(encoding, "check", "--summary", "json", *["1234341221434..."] * 2)
    assert json.loads(summary.stderr.decode(encoding).splitlines()[-1])["puzzles"] == 2


def test_half_of_a_surrogate_pair_does_not_make_toml_unreadable(tmp_path: Path) -> None:
    path = tmp_path / "half.json"
    path.write_text('{"size": 4, "title": "a\\ud800b", "grid": [' + ", ".join(["[{}, {}, {}, {}]"] * 4) + "]}")
    written = run("convert", "--to", "toml", str(path))
    assert (written.exit_code, "a\ufffdb" in written.stdout) == (0, True)
    assert run("convert", "--to", "toml", "-", input=written.stdout).stdout == written.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="names of files are bytes")
def test_the_name_of_a_file_need_not_be_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("b\udcff.toml").write_text(PUZZLE, encoding="utf-8")
    assert run("check", "b\udcff.toml", "b\udcff.toml", "-o", "out.jsonl").exit_code == 1
    rows = [json.loads(line) for line in Path("out.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["source"], row["line"]) for row in rows] == [("b\\xff.toml", 1)] * 2
    assert (
        run("check", "c\udcff.toml").stderr
        == "satdoku: c\\xff.toml: neither a file nor a puzzle: did you mean b\\xff.toml?\n"
    )
    named = subprocess.run(
        [sys.executable, "-m", "satdoku", "check", "ü.toml"],
        capture_output=True,
        env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "utf-8"},
    )
    assert named.stderr.decode() == "satdoku: ü.toml: neither a file nor a puzzle\n"
