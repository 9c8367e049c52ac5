"""A seed gives the same puzzles, byte for byte, on every machine and in every version.

Where a change to the generator is meant to give others, raise `satdoku.generator.recipe.VERSION`, say so in the
CHANGELOG, and write the files anew: `python tests/generator/test_golden.py`.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.cli import run

import satdoku
from satdoku.generator.recipe import VERSION

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "golden"
SEEDS = {
    "plain": "--count 4 --seed 1",
    "minimal": "--count 3 --minimal --seed 2",
    "symmetric": "--count 2 --symmetry rotational --givens 26:30 --seed 3",
    "difficult": "--count 2 --difficulty 2:5 --seed 4",
    "4x4": "--box 2x2 --count 3 --seed 5",
    "6x6": "--box 2x3 --count 3 --minimal --seed 6",
    "12x12": "--box 3x4 --count 1 --seed 7",
    "cage": "puzzles/variants/cage.toml --count 2 --seed 3",
    "thermometer": "puzzles/variants/thermometer.toml --count 2 --minimal --seed 8",
    "sandwich": "puzzles/variants/sandwich.toml --count 1 --seed 9",
}


def arguments(name: str) -> list[str]:
    words = SEEDS[name].split()
    return ["generate", *(str(ROOT / word) if word.endswith(".toml") else word for word in words), "--json"]


@pytest.mark.parametrize("name", SEEDS)
def test_a_seed_gives_the_same_bytes(name: str) -> None:
    assert run(*arguments(name)).stdout == (FOLDER / f"{name}.jsonl").read_text("utf-8")


@pytest.mark.parametrize("name", ["plain", "cage", "thermometer"])
def test_a_slow_machine_gives_the_same_bytes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock runs five times as fast for all that reads it."""
    clock = time.monotonic
    for module in ("satdoku.system.clock", "satdoku.verdict", "satdoku.backends.native"):
        monkeypatch.setattr(f"{module}.monotonic", lambda: 5 * clock())
    assert run(*arguments(name)).stdout == (FOLDER / f"{name}.jsonl").read_text("utf-8")


def test_workers_and_an_empty_home_give_the_same_bytes(tmp_path: Path) -> None:
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment["PYTHONPATH"] = str(Path(satdoku.__file__).parents[1])
    command = [sys.executable, "-m", "satdoku", *arguments("thermometer"), "-j", "2"]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert printed == (FOLDER / "thermometer.jsonl").read_text("utf-8")
    assert not list(tmp_path.iterdir())


def test_the_files_are_of_this_recipe() -> None:
    assert {file.stem for file in FOLDER.glob("*.jsonl")} == set(SEEDS)
    for file in FOLDER.glob("*.jsonl"):
        assert f'"recipe": {VERSION},' in file.read_text("utf-8")


if __name__ == "__main__":
    for name in SEEDS:
        made = subprocess.run([sys.executable, "-m", "satdoku", *arguments(name)], capture_output=True, check=True)
        (FOLDER / f"{name}.jsonl").write_bytes(made.stdout)
