"""Marks that cannot have been meant so are named in a note; what can be meant is not."""

from __future__ import annotations

from pathlib import Path

import pytest

import satdoku
from satdoku.formats import Options, detect
from satdoku.formats.suspicions import suspicions
from satdoku.limits import TimeIsUp, bounded_time

VARIANTS = sorted((Path(__file__).parents[2] / "puzzles" / "variants").glob("*.toml"))


@pytest.mark.parametrize(
    ("mark", "notes"),
    [
        (
            'arrow = [{ bulb = "r1c1", lines = ["r1c1 r1c2 r2c3"] }]',
            (
                "arrow at r1c1: its bulb stands on its own line, at r1c1",
                "arrow r1c1-r2c3 is impossible by itself: no values satisfy it",
            ),
        ),
        (
            'arrow = [{ bulb = "r1c1", lines = ["r3c3 r4c4"] }]',
            ("arrow at r1c1: its line begins at r3c3, away from the bulb",),
        ),
        ('thermometer = ["r1c1 r1c2 r5c5"]', ("thermometer at r1c1: its line jumps from r1c2 to r5c5",)),
        (
            'cage = [{ cells = "r1c1 r1c2", value = 18 }]',
            ("cage 18 at r1c1 is impossible by itself: no values satisfy it",),
        ),
        (
            'cage = [{ cells = "r1c1 r1c2", value = 2 }]',
            ("cage 2 at r1c1 is impossible by itself: no values satisfy it",),
        ),
        ('cage = [{ cells = "r1c1 r1c2", value = 17 }]', ()),
        (
            'cage = [{ cells = "r1c1 r9c9 r1c2 r2c3", value = 12 }]',
            ("cage at r1c1: its cells at r1c1 and at r9c9 do not touch",),
        ),
        ('sum = [{ cells = "r1c1 r9c9", value = "3" }]', ()),
        ('rules = ["variable A"]\narrow = [{ bulb = "A", lines = ["r3c3 r4c4"] }]\nthermometer = ["r1c1 A r1c2"]', ()),
        ('cage = [{ cells = "r1c1 r2c2 r3c1", value = 9 }]', ()),
        ('thermometer = ["r1c1 r2c2 r3c1"]', ()),
        ('arrow = [{ bulb = "r1c1 r1c2", lines = ["r1c3 r1c4"] }]', ()),
        ('clone = [{ cells = "r1c1", copy = "r9c9" }]', ()),
    ],
)
def test_a_mark_that_cannot_be_is_named(mark: str, notes: tuple[str, ...]) -> None:
    assert detect(f"size = 9\n{mark}\n", Options()).notes == notes


def test_a_timeout_ends_the_search_for_them() -> None:
    board = satdoku.build(size=4, marks=[satdoku.marks.cage("r1c1 r4c4", total=3)]).board
    with bounded_time(0), pytest.raises(TimeIsUp):
        suspicions(board)


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_no_mark_of_our_own_puzzles_is(path: Path) -> None:
    assert detect(path.read_text("utf-8"), Options()).notes == ()


def test_lines_of_unknown_regions_are_groups_of_cells() -> None:
    text = 'size = 4\nboxes = "none"\nrules = ["chaos-construction"]\n'
    text += 'chaos-count = [{ bulb = "r2c1", lines = ["r2c1 r1c1 r4c4"] }]\n'
    assert not detect(text, Options()).notes
