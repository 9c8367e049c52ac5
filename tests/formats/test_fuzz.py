"""Random and crafted texts: each is read, or refused by an error of satdoku's own, within its limits.

`pytest --long` tries 20,000 of them; `python benchmarks/attack.py texts` as many as the time allows.
"""

from __future__ import annotations

import pytest
from support.amount import tries
from support.attacks.texts import MAX_MEMORY, attempt, limited, memory, real, tried

import satdoku
from satdoku.errors import InputError
from satdoku.formats import Options, detect


def check(numbers: range) -> None:
    real()
    before = memory()
    assert [fault for number in numbers if (fault := attempt(number))] == []
    assert memory() - before < MAX_MEMORY


def test_texts_give_nothing_but_our_own_errors() -> None:
    check(range(tries(250, 800)))


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_many_texts_give_nothing_but_our_own_errors(part: int) -> None:
    check(range(2_000 * part, 2_000 * (part + 1)))


WIDE = 299_000
LARGE = {
    "fields": "1 " * (WIDE // 2),
    "colons": "1:" * (WIDE // 2),
    "cells": "1" * WIDE,
    "rows": "1 2 3 4 5 6 7 8 9\n" * (WIDE // 18),
    "gaps": "1   2 3\n" * (WIDE // 8),
    "candidates": "12 3 456\n" * (WIDE // 9),
    "killer": "3x3:d:k:" + "1:" * (WIDE // 2),
    "link": "https://www.f-puzzles.com/?load=" + "A" * WIDE,
    "keys": "".join(f"k{number} = 1\n" for number in range(WIDE // 12)),
    "brackets": "grid = " + "[" * WIDE,
    "quotes": 'title = "' + '\\"' * (WIDE // 2),
    "json": '{"size":4,"grid":[' + "[{}]," * (WIDE * 7 // 10) + "[]]}",
    "marks": '{"size":4,"grid":[[]],"line":[' + '{"cells":["R1C1"]},' * (WIDE * 18 // 100) + "{}]}",
}
"""A third as long as texts may be."""


@pytest.mark.parametrize("name", LARGE)
def test_a_large_text_is_refused(name: str) -> None:
    with limited(), pytest.raises(InputError):
        detect(LARGE[name], Options())


def test_a_text_beyond_its_limit_is_refused_unread() -> None:
    for options in (Options(), Options(format="grid")):
        with pytest.raises(InputError, match="over 1000000 characters, and no link, JSON or TOML: expected a puzzle"):
            detect("1\n" * 500_001, options)


def test_a_share_of_the_crafted_texts_is_read() -> None:
    read = 0
    for number in range(200):
        text, options = tried(number)
        try:
            detect(text, options)
            read += 1
        except satdoku.SatdokuError:
            continue
    assert 10 < read < 190  # else they are too tame, or too wild to come past the first check
