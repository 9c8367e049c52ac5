"""The rules of docs/own-rules.md say what their headings do: every grid of 4x4 is tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import accumulate, pairwise
from pathlib import Path

import pytest
from support.boards import BOXED
from support.drawing import grids

from satdoku import solve
from satdoku.inputs.programs import read
from satdoku.puzzle import Position

At = Mapping[Position, int]
PAGE = (Path(__file__).parents[2] / "docs" / "own-rules.md").read_text("utf-8")
SECTIONS: dict[str, str] = dict(re.findall(r"^## ([^\n]+)\n.*?```toml\n(.*?)```", PAGE, re.DOTALL | re.MULTILINE))


def along(at: At, *cells: int) -> list[int]:
    """The digits of cells, each a row and a column in two digits."""
    return [at[divmod(cell, 10)] for cell in cells]


def seen(digits: list[int]) -> set[int]:
    return set(accumulate(digits, max))


def position_sums(at: At) -> bool:
    row = along(at, 11, 12, 13, 14)
    return row[0] + row[1] == 5 and row[row[0] - 1] + row[row[1] - 1] == 4


def torus(at: At) -> bool:
    steps = ((0, 1), (1, 0))
    return all(
        at[cell] + at[(cell[0] + r - 1) % 4 + 1, (cell[1] + c - 1) % 4 + 1] != 5 for cell in at for r, c in steps
    )


RULES: dict[str, Callable[[At], bool]] = {
    "Not-renban line": lambda at: sorted(along(at, 11, 22, 33)) not in ([1, 2, 3], [2, 3, 4]),
    "Max-difference line": lambda at: all(abs(a - b) <= 2 for a, b in pairwise(along(at, 11, 21, 32, 43))),
    "Battenberg": lambda at: [v % 2 for v in along(at, 22, 23, 33, 32)] in ([0, 1, 0, 1], [1, 0, 1, 0]),
    "Skyscraper line": lambda at: len(seen(along(at, 11, 22, 32, 43))) == 2,
    "Skyscraper sum": lambda at: sum(seen(along(at, 11, 12, 13, 14))) == 7,
    "First seen odd": lambda at: next(v for v in along(at, 13, 23, 33, 43) if v % 2) == 3,
    "X-sum arrow": lambda at: at[1, 2] < 4 and at[1, 1] == sum(along(at, 12, 23, 33)[: at[1, 2]]),
    "Position sums": position_sums,
    "Toroidal neighbours": torus,
    "Anti-diagonal": lambda at: len(set(along(at, 11, 22, 33, 44))) == 2,
}


def test_each_section_has_a_rule() -> None:
    assert list(SECTIONS) == list(RULES)


@pytest.mark.parametrize("name", RULES)
def test_the_solutions_are_the_grids_that_obey_the_rule(name: str) -> None:
    right = {tuple(at.values()) for at in grids(BOXED, {}) if RULES[name](at)}
    assert set(solve(read(SECTIONS[name]), limit=None).grids) == right
    assert 0 < len(right) < 288
