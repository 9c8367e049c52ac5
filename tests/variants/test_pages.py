"""docs/variants/: written from the kinds; an example of each, which has the solution drawn below it and no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from support.solutions import broken, without

from satdoku import Verdict, check, read
from satdoku.discovery import loaded
from satdoku.variants import kinds

DOCS = Path(__file__).parents[2] / "docs"
MAKE = loaded(str(DOCS / "make_variants.py"))
TEXTS: dict[Path, str] = MAKE.texts()
TEXT = "\n".join(TEXTS.values())
EXAMPLES = MAKE.kept(TEXT)


def test_the_pages_are_what_the_kinds_say() -> None:
    assert MAKE.pages(TEXTS) == TEXTS


def test_every_kind_has_one_section() -> None:
    assert sorted(EXAMPLES) == sorted(kinds())
    assert len(EXAMPLES) == TEXT.count("\n## ") == TEXT.count("```toml") == TEXT.count("```text")


def without_sum_lines() -> dict[Path, str]:
    path = DOCS / "variants" / "sums.md"
    section = TEXTS[path].index("\n## Sum lines"), TEXTS[path].index("\n## Product-sum lines")
    return {**TEXTS, path: TEXTS[path][: section[0]] + TEXTS[path][section[1] :]}


def test_a_kind_without_an_example_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(MAKE, "PUZZLES", tmp_path)
    with pytest.raises(SystemExit, match=r"no example of sum-line in variants/, and no puzzle in "):
        MAKE.pages(without_sum_lines())


def test_a_kind_without_a_section_gets_one_of_its_puzzle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sum-line.toml").write_text(EXAMPLES["sum-line"].toml)
    monkeypatch.setattr(MAKE, "PUZZLES", tmp_path)
    pages = MAKE.pages(without_sum_lines())
    assert MAKE.kept("\n".join(pages.values()))["sum-line"] == MAKE.Example(
        "", EXAMPLES["sum-line"].toml, EXAMPLES["sum-line"].drawn
    )


@pytest.mark.parametrize("kind", sorted(EXAMPLES))
def test_the_example_has_the_solution_drawn_and_no_other_and_more_without_the_marks(kind: str) -> None:
    puzzle = read(EXAMPLES[kind].toml)
    assert puzzle.board.columns in (4, 6)
    drawn = tuple(map(int, re.findall(r"\d+", EXAMPLES[kind].drawn)))
    outcome = check(puzzle)
    assert outcome.verdict is Verdict.UNIQUE
    cells = puzzle.board.grid_cells
    assert tuple(map(puzzle.board.shown, outcome.grids[0][:cells])) == drawn
    assert broken(puzzle, outcome.grids[0]) == []
    less = without(puzzle, kind)
    assert less.board.marks != puzzle.board.marks
    fewer = Verdict.UNSOLVABLE if kind == "free-grid" else Verdict.MULTIPLE  # without it, rows and columns say more
    assert check(less).verdict is fewer


def test_the_contents_lead_to_every_section() -> None:
    sections = [
        f"variants/{path.name}#{re.sub(r'[^a-z0-9 -]', '', heading.lower()).replace(' ', '-')}"
        for path in TEXTS
        for heading in re.findall(r"^## (.+)$", TEXTS[path], re.MULTILINE)
    ]
    links = re.findall(r"\]\((variants/[^)]+#[^)]+)\)", TEXTS[DOCS / "variants.md"])
    assert sorted(links) == sorted(sections)
    assert len(set(links)) == len(links)
