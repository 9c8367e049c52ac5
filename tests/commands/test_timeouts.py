"""Each command ends at its timeout on boards that are too large for it, whatever backend it asks.

How far beyond the timeout is measured by `benchmarks/timeouts.py`. Here no time is asserted: the clock is over at once
for whatever looks at it, and nothing may be made of the board that takes more than a few thousand clauses.
"""

from __future__ import annotations

from math import isqrt
from pathlib import Path
from random import Random

import pytest
from support.cli import run
from support.engines import installed

from satdoku.encoders import clauses

COMMANDS = [
    "solve", "solve --all", "count", "candidates", "explain", "explain --smallest", "difficulty", "minimize",
    "certify", "audit", "render --solution", "check --certified", "check --compare native,glucose4",
]  # fmt: skip
MADE = 200_000  # clauses: all of a 64x64 are 26 million


@pytest.fixture(scope="module", params=[64, pytest.param(100, marks=pytest.mark.slow)])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    size = request.param
    box, random = isqrt(size), Random(size)
    rows = [[(box * (row % box) + row // box + column) % size + 1 for column in range(size)] for row in range(size)]
    path = tmp_path_factory.mktemp("large") / f"{size}.txt"
    path.write_text("\n".join(" ".join(str(value) if random.random() < 0.6 else "." for value in row) for row in rows))
    return path


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many clauses each call has added to a collector, or taken from one."""
    numbers: list[int] = []
    extend, single = clauses.Clauses.extend, clauses.Clauses.add

    def extended(self: clauses.Clauses, rows: clauses.Literals) -> None:
        extend(self, rows)
        numbers.append(len(rows))

    def added(self: clauses.Clauses, *literals: int) -> None:
        single(self, *literals)
        numbers.append(1)

    monkeypatch.setattr(clauses.Clauses, "extend", extended)
    monkeypatch.setattr(clauses.Clauses, "add", added)
    return numbers


@pytest.mark.parametrize("command", [*COMMANDS, *(f"check -b {name}" for name in installed())])
def test_nothing_large_is_made_once_the_time_is_up(command: str, file: Path, made: list[int], tmp_path: Path) -> None:
    more = ["-o", str(tmp_path / "certificate")] if command == "certify" else []
    result = run(*command.split(), str(file), "--timeout", "0.000001", *more)
    assert result.exit_code in (2, 3), result.stderr  # undecided, or refused as too large
    assert sum(made) <= MADE


def test_a_grid_is_not_mixed_once_the_time_is_up() -> None:
    result = run("generate", "--box", "8x8", "--timeout", "0.000001", "--seed", "1")
    assert result.exit_code == 3
    assert "0 of 1 made" in result.stderr
