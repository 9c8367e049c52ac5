"""Of each kind of mark satdoku's constraints and clauses have the grids that the second reading has, on small boards.

Both are conditions on the same cells. A solver is asked for a grid in which one holds and the other does not, in
either direction. The constraints have no variables but cells, and the second reading none that the cells do not
determine: this covers all grids. The clauses that a certificate is about, and those of encodings, have variables of
their own. That all their grids are grids of the second reading is asked in the same way. That these variables have
values for each grid of the second reading is asked grid by grid: for all on 4x4, on larger boards for those that agree
with some givens, at most 300.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from support.amount import LONG
from support.independent.board import Mark, Puzzle, boxes
from support.independent.bridge import built
from support.independent.clauses import CLAUSES
from support.independent.comparing import Comparison
from support.independent.definitions import HOLDS, is_solution
from support.independent.drawing import BEYOND, WHOLE, Pen, companions, draw, read_entry, text_of
from support.independent.reading import KINDS, read
from support.independent.solving import Grid, random_solution, solutions

import satdoku

SHAPES = {"4x4": (4, 4, 2, 2), "6x6": (6, 6, 2, 3), "4x6": (4, 6, 2, 3), "6x4": (6, 4, 3, 2)}
"""Rows, columns, and those of a box."""
ELSEWHERE = {
    "windoku": ("4x4",),
    "entropicline": ("6x6", "4x6"),
    "diagonal+": ("4x4", "6x6"),
    "diagonal-": ("4x4", "6x6"),
}
"""Where a kind has a meaning, if not everywhere."""
ENCODINGS = ("extended", "order", "log", "triad")
EVERY = (*KINDS, *BEYOND)
MAX_GRIDS = 300
MANY = 25  # placements of a kind on a board, with --long


def board(name: str) -> Puzzle:
    rows, columns, height, width = SHAPES[name]
    values = max(rows, columns)
    free = (frozenset(range(1, values + 1)),) * (rows * columns)
    return Puzzle(rows, columns, values, boxes(rows, columns, height, width), allowed=free)


@cache
def drawn_for(kind: str, name: str, seed: int) -> tuple[Puzzle, Grid, tuple[Grid, ...]]:
    """A board with so many givens that it has at most MAX_GRIDS grids, one of them, for which marks are drawn, and all.

    kind: a rule of the whole board that this one satisfies, where there is such a grid
    """
    rng, plain = Random(f"{kind} {name} {seed}"), board(name)
    grid = random_solution(replace(plain, marks=(Mark(kind),) if kind else ()), rng) or random_solution(plain, rng)
    assert grid is not None
    order, givens = rng.sample(range(plain.size), plain.size), 0 if plain.size == 16 else plain.size // 3
    while True:
        chosen = set(order[:givens])
        allowed = tuple(frozenset({grid[c]}) if c in chosen else plain.allowed[c] for c in range(plain.size))
        some = replace(plain, allowed=allowed)
        found = solutions(some, MAX_GRIDS + 1)
        if len(found) <= MAX_GRIDS:
            return some, grid, tuple(found)
        givens += 2


def placed(kind: str, name: str, grid: Grid, rng: Random) -> tuple[Puzzle, satdoku.Puzzle]:
    """A mark or two of a kind on a board, as both readings have it: of a text, where f-puzzles can hold it."""
    plain = board(name)
    pen = Pen(rng, plain, grid)
    drawn = [draw(kind, pen) for _ in range(1 if kind in WHOLE else rng.randint(1, 2))]
    entries = [(kind, entry) for entry, _ in drawn]
    beside = companions(kind, pen) if name != "4x4" or rng.random() < 0.7 else []
    if kind in BEYOND or plain.rows != plain.columns:
        others = [mark for key, entry in beside for mark in read_entry(key, entry, plain)]
        ours = replace(plain, marks=(*(mark for _, marks in drawn for mark in marks), *others))
        return ours, built(ours, "{2}x{3}".format(*SHAPES[name]))
    text = text_of(plain, [*entries, *beside])
    return read(text), satdoku.read(json.dumps(text), format="f-puzzles-json")


def compare(kind: str, name: str, seed: int) -> None:
    """One placement, compared in each way."""
    rng = Random(f"{kind} {name} {seed}")
    plain, grid, every = drawn_for(kind if kind in WHOLE else "", name, seed)
    ours, theirs = placed(kind, name, grid, rng)
    both = Comparison(ours, theirs)
    assert both.by_constraints() is None, ours.marks
    found = both.grids(every)
    assert found == [each for each in every if is_solution(replace(ours, allowed=plain.allowed), each)], ours.marks
    for encoding in (None, ENCODINGS[seed % len(ENCODINGS)]):
        assert both.by_clauses(encoding, found) is None, (ours.marks, encoding)


@pytest.mark.parametrize("kind", EVERY)
def test_constraints_and_clauses_have_the_same_grids(kind: str) -> None:
    names = [name for name in SHAPES if name in ELSEWHERE.get(kind, SHAPES)]
    # The smallest board, and of the others one in turn.
    smallest, *others = names
    for name in names if LONG else (smallest, *others[EVERY.index(kind) % max(1, len(others)) :][:1]):
        compare(kind, name, 0)


@pytest.mark.slow
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("kind", EVERY)
def test_many_placements(kind: str, name: str) -> None:
    if name in ELSEWHERE.get(kind, SHAPES):
        for seed in range(1, MANY):
            compare(kind, name, seed)


@pytest.mark.parametrize("kind", ["killercage", "quadruple", "sandwichsum", "skyscraper"])
def test_a_constraint_that_is_missing_is_seen(kind: str) -> None:
    _, grid, _ = drawn_for(kind if kind in WHOLE else "", "6x6", 1)
    ours, theirs = placed(kind, "6x6", grid, Random(1))
    less = replace(theirs.board, constraints=theirs.board.constraints[:-1])
    both = Comparison(ours, replace(theirs, board=less))
    found = both.by_constraints()
    assert found is not None and not is_solution(ours, found)
    found = both.by_clauses(None, [])
    assert found is not None and not is_solution(ours, found)


def test_a_grid_that_clauses_lack_is_seen() -> None:
    _, grid, every = drawn_for("", "4x4", 0)
    ours, theirs = placed("odd", "4x4", grid, Random(1))
    even = replace(ours, marks=tuple(replace(mark, kind="even") for mark in ours.marks))
    found = Comparison(even, theirs).by_clauses(None, [each for each in every if is_solution(even, each)])
    assert found is not None


def test_there_are_forty_kinds_and_each_is_written_twice() -> None:
    assert len(KINDS) == len(set(KINDS)) == 40
    assert set(EVERY) == set(HOLDS) == set(CLAUSES)
