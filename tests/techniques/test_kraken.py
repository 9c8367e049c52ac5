"""Chains from each candidate of a cell, or from each place of a value in a house: each link and each end by itself."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from support.puzzles import puzzle_in

import satdoku
from satdoku import Puzzle
from satdoku.puzzle import members
from satdoku.techniques.families.chains import with_sets
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.ladder import grid_of, ordered, steps
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step

SEVERAL = {"arrow": 2, "product-arrow": 3, "anti-knight": 2, "toroidal": 2}
"""Variants, and how many of their givens are left out."""
KRAKEN = ("kraken cell", "kraken house")
EASIER = tuple(each for each in ordered(hardest=Level.WINGS) if each.name != "house and its marks")


def stuck(name: str, without: int) -> CandidateGrid:
    """A variant without some of its givens, so of several solutions, where easier techniques lead no further."""
    puzzle = puzzle_in(f"variants/{name}.toml")
    givens = {cell: value for cell, value in enumerate(puzzle.givens) if value}
    for cell in list(givens)[:without]:
        del givens[cell]
    fewer = Puzzle.from_givens(puzzle.board, givens)
    assert satdoku.count(fewer, limit=2).count == 2
    grid = grid_of(fewer, unique=False)
    for _ in steps(grid, EASIER):
        pass
    return grid


def possible(grid: CandidateGrid, held: tuple[Strike, ...], lost: tuple[Strike, ...]) -> bool:
    """Whether the candidates have a solution with one of each held, and none of the lost."""
    left = list(grid.left[: grid.layout.cells])
    for value, cells in lost:
        for cell in members(cells):
            left[cell] &= ~(1 << value)
    if not held:
        return all(left) and bool(satdoku.solve(Puzzle(grid.layout.board, tuple(left))).count)
    (value, cells), *others = held
    for cell in members(cells):
        if left[cell] >> value & 1:
            more = (*lost, *((other, 1 << cell) for other in members(left[cell] & ~(1 << value))))
            if possible(grid, tuple(others), more):
                return True
    return False


def wrong(grid: CandidateGrid, step: Step) -> list[object]:
    """The links that do not hold, and what the end of a chain does not exclude."""
    found: list[object] = [
        link
        for link in step.links
        if (possible(grid, (), (link.start, link.end)) if link.strong else possible(grid, (link.start, link.end), ()))
    ]
    return found + [strike for strike in step.eliminations if possible(grid, (strike,), ())]


@pytest.mark.parametrize(("name", "without"), SEVERAL.items())
def test_each_link_holds_and_what_all_chains_exclude_has_no_solution(name: str, without: int) -> None:
    grid, seen = stuck(name, without), Counter[str]()
    for technique in KRAKEN:
        for step in islice(techniques()[technique].steps(grid), 5):
            seen[technique] += 1
            assert not wrong(grid, step), step
            assert grid.present(step.eliminations) == step.eliminations
            assert step.size >= 3
            assert step.sentence(grid.layout.board).count(";") >= 2  # of three candidates or more
    assert seen


@pytest.mark.parametrize("name", ["arrow", "product-arrow"])
def test_of_two_nodes_each_excludes_the_other_or_neither_does(name: str) -> None:
    graph = with_sets(stuck(name, SEVERAL[name])).graph
    every = range(len(graph.nodes))
    assert [(one, two) for one in every for two in members(graph.weak[one]) if not graph.weak[two] >> one & 1] == []


def test_a_sentence_names_the_alternatives_the_chains_and_the_marks_between() -> None:
    grid = stuck("arrow", SEVERAL["arrow"])
    texts = [step for name in KRAKEN for step in islice(techniques()[name].steps(grid), 30)]
    step = next(step for step in texts if any(name.startswith("arrow") for name in step.houses))
    text = step.sentence(grid.layout.board)
    assert "each leads to what excludes these: " in text
    assert f"with links through {step.houses[-1]}" in text or f" and {step.houses[-1]}" in text


def test_plain_boards_have_none() -> None:
    grid = grid_of(puzzle_in("9x9_hard.txt"), unique=True)
    assert grid.layout.plain
    assert not [step for name in KRAKEN for step in techniques()[name].steps(grid)]
    assert not grid_of(puzzle_in("variants/diagonal-.toml"), unique=True).layout.plain
