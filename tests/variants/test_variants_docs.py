"""docs/variants.md: a small example of each kind, which has the solution drawn below it and no other."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from support.variant_oracles import Drawing, obeys

from satdoku import Verdict, check, read
from satdoku.variants import REGIONS, Shape, build, kinds

TEXT = (Path(__file__).parents[2] / "docs" / "variants.md").read_text("utf-8")


@dataclass(frozen=True)
class Section:
    """What the page says of one kind; `keys` are the cells of its table, `toml` and `drawn` the example."""

    title: str
    keys: tuple[str, ...]
    toml: str
    drawn: str

    @property
    def kind(self) -> str:
        key = re.match(r"`([^`]+)`", self.keys[0])
        assert key, self.title
        return {"regions": "region"}.get(key[1], key[1])


SECTIONS = [
    Section(found[1], tuple(cell.strip() for cell in found[2].strip("|").split("|")), found[3], found[4])
    for found in re.finditer(
        r"^### ([^\n]+)\n(?:(?!^#).)*?\n\|---\|---\|---\|\n(\|[^\n]*\|)\n\n```toml\n(.*?)```\n\n```text\n(.*?)```$",
        TEXT,
        re.DOTALL | re.MULTILINE,
    )
]


def test_every_kind_has_one_section() -> None:
    assert sorted(section.kind for section in SECTIONS) == sorted(kinds())
    assert len(SECTIONS) == TEXT.count("\n### ") == TEXT.count("```toml") == TEXT.count("```text")


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.kind)
def test_the_example_has_the_solution_drawn_and_no_other(section: Section) -> None:
    puzzle = read(section.toml)
    size = puzzle.board.columns
    assert size in (4, 6)
    drawn = read(section.drawn, format="grid").givens
    for backend in ("glucose4", "cpsat"):
        outcome = check(puzzle, backend=backend)
        assert outcome.verdict is Verdict.UNIQUE
        assert outcome.grids == (drawn,)
    drawing = Drawing(size, puzzle.board.marks)
    assert obeys(drawing, dict(zip(drawing.positions, drawn, strict=True)))


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.kind)
def test_the_example_has_more_solutions_without_the_rule(section: Section) -> None:
    puzzle = read(section.toml)
    marks = tuple(mark for mark in puzzle.board.marks if mark.kind != section.kind)
    assert marks != puzzle.board.marks
    assert check(replace(puzzle, board=build(puzzle.board.columns, marks))).verdict is Verdict.MULTIPLE


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.kind)
def test_the_keys_are_those_that_readers_know(section: Section) -> None:
    toml, fpuzzles, constraints = section.keys
    kind = kinds()[section.kind]
    assert ("in `rules`" in toml) == (kind.shape is Shape.RULE and kind.name not in REGIONS)
    assert ("with a `value`" in toml) == (kind.value is not None and kind.name != "boxes")
    if kind.fpuzzles is None:
        assert fpuzzles.startswith("none") or kind.name == "region"
    else:
        *negative, key = kind.fpuzzles.split()
        assert fpuzzles == f"`{key}`" + (" in `negative`" if negative else "")
    marks = read(section.toml).board.marks
    board = build(len(section.drawn.split("\n")[0].replace("|", "").split()), marks)
    ours = build(board.columns, tuple(mark for mark in marks if mark.kind != section.kind))
    added = {type(rule).__name__ for rule in board.constraints} if section.kind in REGIONS else set()
    added |= {type(rule).__name__ for rule in board.constraints if rule not in ours.constraints}
    assert {*re.findall(r"`([A-Z]\w+)`", constraints)} == added


def test_the_contents_lead_to_every_section() -> None:
    headings = re.findall(r"^###? (.+)$", TEXT, re.MULTILINE)
    links = re.findall(r"\]\(#([^)]+)\)", TEXT)
    assert links == [heading.lower().replace(" ", "-") for heading in headings]
