"""docs/variants.md: written from the kinds; an example of each, which has the solution drawn below it and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support import more_cell_oracles, own_oracles  # noqa: F401  (enters their oracles)
from support.hidden_oracles import HIDDEN, hidden_obeys, without
from support.more_oracles import obeys
from support.variant_oracles import Drawing

from satdoku import Verdict, check, read
from satdoku.discovery import loaded
from satdoku.variants import kinds

DOCS = Path(__file__).parents[2] / "docs"
TEXT = (DOCS / "variants.md").read_text("utf-8")
MAKE = loaded(str(DOCS / "make_variants.py"))
EXAMPLES = MAKE.kept(TEXT)


def test_the_page_is_what_the_kinds_say() -> None:
    assert MAKE.page(TEXT) == TEXT


def test_every_kind_has_one_section() -> None:
    assert sorted(EXAMPLES) == sorted(kinds())
    assert len(EXAMPLES) == TEXT.count("\n### ") == TEXT.count("```toml") == TEXT.count("```text")


def test_a_kind_without_an_example_is_named() -> None:
    section = TEXT.index("\n### Sum lines"), TEXT.index("\n### Product-sum lines")
    with pytest.raises(SystemExit, match=r"no example of sum-line in variants\.md"):
        MAKE.page(TEXT[: section[0]] + TEXT[section[1] :])


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_the_example_has_the_solution_drawn_and_no_other_and_more_without_the_marks(kind: str) -> None:
    puzzle = read(EXAMPLES[kind].toml)
    size = puzzle.board.columns
    assert size in (4, 6)
    drawn = tuple(map(int, re.findall(r"\d+", EXAMPLES[kind].drawn)))
    outcome = check(puzzle, backend="glucose4")
    assert outcome.verdict is Verdict.UNIQUE
    cells = puzzle.board.grid_cells
    assert tuple(map(puzzle.board.shown, outcome.grids[0][:cells])) == drawn
    drawing = Drawing(size, puzzle.board.marks)
    if kind in HIDDEN:
        assert hidden_obeys(puzzle, outcome.grids[0])
    else:
        assert obeys(drawing, dict(zip(drawing.positions, drawn, strict=True)))
    less = without(puzzle, kind)
    assert less.board.marks != puzzle.board.marks
    assert check(less, backend="glucose4").verdict is Verdict.MULTIPLE


def test_the_contents_lead_to_every_section() -> None:
    headings = re.findall(r"^###? (.+)$", TEXT, re.MULTILINE)
    links = re.findall(r"\]\(#([^)]+)\)", TEXT)
    assert links == [heading.lower().replace(" ", "-") for heading in headings]
    assert len(set(links)) == len(links)
