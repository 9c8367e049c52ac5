"""The four recipes of CONTRIBUTING.md work as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from support import kit

from satdoku import Budget, Linear, Puzzle, classic
from satdoku.encoders.at_most_one import pairwise
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.cnf import Task
from satdoku.encoders.houses import nothing_known
from satdoku.formats import Options
from satdoku.puzzle import Mark
from satdoku.variants import Frame

TEXT = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")


def recipe(title: str) -> dict[str, Any]:
    """The names that the recipe's Python block defines."""
    section = TEXT.split(f"### {title}\n")[1].split("\n### ")[0]
    block = re.search(r"```python\n(.*?)```", section, re.DOTALL)
    assert block
    names: dict[str, Any] = {}
    exec(block[1], names)
    return names


def test_the_backend_finds_all_grids_of_small_boards() -> None:
    (engine,) = recipe("Add a backend")["ENGINES"]
    for case in kit.cases(20):
        for puzzle in case.puzzles:
            backend = engine.open(None, None)
            if backend.refuses(puzzle.board) is None and puzzle.board.cells <= 6:
                assert set(backend.search(puzzle, Budget(None))) == kit.brute_force(puzzle)


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 3)])
def test_the_encoding_has_the_size_that_it_states(box: tuple[int, int]) -> None:
    (encoding,) = recipe("Add an encoding")["ENCODINGS"]
    board, clauses = classic(*box), Clauses()
    encoding.write(Task(board, clauses, pairwise, nothing_known(board)))
    assert (clauses.variables, len(clauses)) == encoding.size(*box)


def test_the_variant_lowers_to_a_sum() -> None:
    (kind,) = recipe("Add a variant")["KINDS"]
    mark = Mark("average", ((1, 1), (1, 2), (1, 3)))
    (rule,) = kind.lower(Frame(9, (mark,)), mark)
    assert isinstance(rule, Linear)
    assert rule.holds([2, 3, 4])
    assert not rule.holds([2, 4, 4])


def test_the_format_reads_what_it_writes() -> None:
    (format,) = recipe("Add a format")["FORMATS"]
    puzzle = Puzzle.from_givens(classic(2, 2), {0: 1, 7: 3})
    assert format.read(format.write(puzzle), Options()).puzzle.candidates == puzzle.candidates
