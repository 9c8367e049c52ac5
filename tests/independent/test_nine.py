"""9x9 puzzles as links: both readings find the same number of solutions, up to 2, and the same grids."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lzstring import LZString
from support.amount import every
from support.independent.board import Puzzle
from support.independent.bridge import name_of
from support.independent.comparing import Comparison
from support.independent.definitions import is_solution
from support.independent.making import make
from support.independent.reading import KINDS, read, read_link
from support.independent.solving import solutions

import satdoku
from satdoku.referee import violations
from satdoku.verdict import Verdict

ROOT = Path(__file__).parents[2]
AT_ONCE = 5  # kinds in a puzzle
ROUND = len(KINDS) // AT_ONCE  # puzzles that have all kinds
FILES = [name for name in map(name_of, KINDS) if name != "digital-root"]  # which satdoku writes into no link
SLOW = {"between", "double-arrow", "little-killer", "nonconsecutive", "sandwich", "x-sum"}  # over 0.3 s each
MANY = 200  # puzzles, with --long
COUNTS = {Verdict.UNSOLVABLE: 0, Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}


def link_of(text: dict[str, Any]) -> str:
    return f"https://f-puzzles.com/?load={LZString.compressToBase64(json.dumps(text))}"


def agree(ours: Puzzle, theirs: satdoku.Puzzle) -> int:
    """How many solutions, up to 2, both find."""
    here, there = solutions(ours, 2), satdoku.check(theirs, timeout=60)
    assert COUNTS[there.verdict] == len(here), (there.verdict, here)
    assert all(is_solution(ours, grid) for grid in (*here, *there.grids))
    assert not any(any(violations(theirs, grid)) for grid in here)
    if len(here) == 1:
        assert here == [*there.grids]
    return len(here)


def random_puzzle(seed: int, constraints: bool = False) -> int:
    """One round of puzzles has all kinds.

    constraints: whether to compare these, too
    """
    order = Random(seed * AT_ONCE // len(KINDS)).sample(KINDS, len(KINDS))
    begin = seed * AT_ONCE % len(KINDS)
    text = make(order[begin : begin + AT_ONCE], Random(seed))
    link = link_of(text)
    ours = read_link(link)
    assert ours == read(text)
    theirs = satdoku.read(link, format="f-puzzles")
    if constraints:
        assert Comparison(ours, theirs).by_constraints() is None
    return agree(ours, theirs)


@pytest.mark.parametrize("seed", range(ROUND))
def test_random_puzzles(seed: int) -> None:
    random_puzzle(seed)


@pytest.mark.slow
def test_many_random_puzzles() -> None:
    counts = [random_puzzle(seed, constraints=True) for seed in range(ROUND, MANY)]
    assert all(counts.count(number) > MANY // 10 for number in range(3))


def test_links_of_the_repository() -> None:
    texts = [path.read_text("utf-8") for path in (ROOT / "tests" / "generator" / "golden").iterdir()]
    links = sorted({link for text in texts for link in re.findall(r"https:[^\s\"]*load=[\w+/=%]{60,}", text)})
    assert links
    for link in links:
        assert agree(read_link(link), satdoku.read(link)) == 1


@pytest.mark.parametrize("name", every(2, sorted(FILES, key=SLOW.__contains__)))
def test_puzzles_as_satdoku_writes_them(name: str) -> None:
    theirs = satdoku.load(ROOT / "puzzles" / "variants" / f"{name}.toml")
    assert agree(read_link(satdoku.write(theirs, "f-puzzles")), theirs) == 1
