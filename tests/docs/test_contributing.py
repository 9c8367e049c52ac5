"""The recipes of CONTRIBUTING.md work as they stand there."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import pytest
import typer
from support.drawing import MarkedSquare
from support.oracles import MAKERS, ORACLES, draw, obeys
from typer.testing import CliRunner

from satdoku import Linear, Puzzle, Refused, Verdict, check, classic, read
from satdoku import testing as kit
from satdoku.puzzle import Mark, Size
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.registry import techniques
from satdoku.variants import Frame, kinds

TESTS, ROOT = Path(__file__).parents[1:3]
TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def recipe(title: str) -> dict[str, Any]:
    """The names that the recipe's first Python block defines."""
    return run(blocks(title, "python")[0])


def blocks(title: str, language: str) -> list[str]:
    """The recipe's blocks in a language."""
    section = re.split(r"\n##+ ", TEXT.split(f"### {title}\n")[1])[0]
    found = re.findall(rf"```{language}\n(.*?)```", section, re.DOTALL)
    assert found, title
    return found


def run(block: str) -> dict[str, Any]:
    """The names that a block defines, as a module that can be pickled."""
    module = ModuleType("recipe_of_contributing")
    sys.modules[module.__name__] = module
    exec(block, module.__dict__)
    return module.__dict__


def test_the_technique_places_the_last_of_a_value() -> None:
    (technique,) = recipe("Add a technique")["TECHNIQUES"]
    assert technique.name not in techniques()
    grid = CandidateGrid(read("1234341221434..."))
    steps = list(technique.steps(grid))
    assert [step.placements for step in steps] == [((15, 1),), ((14, 2),), ((13, 3),)]
    assert steps[0].sentence(grid.layout.board) == "r4c4=1 (last digit): r4c4 is the only place left for 1 on the board"
    for step in steps:
        step.apply(grid)
    assert not grid.open and list(technique.steps(grid)) == []


def test_the_variant_lowers_to_a_sum() -> None:
    (kind,) = recipe("Add a variant")["KINDS"]
    mark = Mark("mean", ((1, 1), (1, 2), (1, 3)))
    (rule,) = kind.lower(Frame(Size.of(9), (mark,)), mark)
    assert isinstance(rule, Linear)
    assert rule.holds([2, 3, 4])
    assert not rule.holds([2, 4, 4])


def test_the_oracle_the_maker_and_the_example_of_the_variant_fit_it(monkeypatch: pytest.MonkeyPatch) -> None:
    (kind,) = recipe("Add a variant")["KINDS"]
    monkeypatch.setitem(kinds(), kind.name, kind)
    for table in (ORACLES, MAKERS):
        monkeypatch.setitem(table, kind.name, None)  # so that it is left out again afterwards
        monkeypatch.delitem(table, kind.name)
    run(blocks("Add a variant", "python")[1])
    example = read(blocks("Add a variant", "toml")[0])
    outcome = check(example)
    assert outcome.verdict is Verdict.UNIQUE
    drawing = MarkedSquare(4, example.board.marks)
    assert outcome.grid is not None
    assert obeys(drawing, dict(zip(drawing.positions, outcome.grid, strict=True)))
    drawn = draw(kind.name, Random(1), drawing)
    (rule,) = kind.lower(Frame(Size.of(4), (drawn,)), drawn)
    assert isinstance(rule, Linear)


def test_the_places_where_a_test_goes_are_there() -> None:
    section = TEXT.split("## Where a test goes\n")[1].split("\n## ")[0]
    named = {name for name in re.findall(r"`([\w/.]+)`", section) if "/" in name}
    assert [name for name in sorted(named) if not any((root / name).exists() for root in (TESTS, ROOT))] == []


def test_the_export_writes_cells_and_groups() -> None:
    (target,) = recipe("Add an export")["TARGETS"]
    puzzle = Puzzle.from_givens(classic(2, 2), {0: 1})
    text = "".join(target.write(puzzle, None, ()))
    assert "r1c1 1\nr1c2 1 2 3 4\n" in text
    assert "AllDifferent r1c1 r1c2 r1c3 r1c4\n" in text
    with pytest.raises(Refused):
        target.write(puzzle, None, [(1,) * 16])


def test_the_command_counts_givens_as_text_and_as_records() -> None:
    app = typer.Typer()
    app.command()(recipe("Add a command")["givens"])
    arguments = ["12..............", "1..............."]
    text = CliRunner().invoke(app, ["-j", "1", *arguments])
    assert text.stdout == "argument 1\t2\nargument 2\t1\n"
    records = CliRunner().invoke(app, ["-j", "1", "--json", *arguments])
    assert '{"source": "argument", "line": 2, "givens": 1}' in records.stdout


def test_the_format_reads_what_it_writes() -> None:
    (format,) = recipe("Add a format")["FORMATS"]
    kit.check_format(format)
