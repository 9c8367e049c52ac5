"""Statements about marks replayed by brute force: the marks and houses that a step names exclude what it says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

import pytest
from support.puzzles import PUZZLES, puzzle_in
from support.replay import OF_MARKS, excluded, replay

from satdoku import AllDifferent, Board, Linear, Puzzle, Table, classic
from satdoku.constraints import Constraint
from satdoku.techniques.exclusions import marks_between, through_marks
from satdoku.techniques.grid import BoardLayout, CandidateGrid
from satdoku.techniques.joint import SearchedJoint
from satdoku.techniques.ladder import grid_of, ordered, steps
from satdoku.techniques.marks import mark_parts
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Link

VARIANTS = sorted(path.stem for path in (PUZZLES / "variants").glob("*.toml"))
TWO_HOUSES, THREE_HOUSES = "two houses and their marks", "three houses and their marks"
SOME = ("cage", "xv", "quadruple", "arrow")


@pytest.mark.parametrize(
    "name", [*SOME, *(pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS if name not in SOME)]
)
def test_what_a_step_names_suffices(name: str) -> None:
    grid = grid_of(puzzle_in(f"variants/{name}.toml"), unique=True)
    replayed = Counter[bool | None]()
    for step in steps(grid, ordered(hardest=Level.WINGS)):
        if step.technique in OF_MARKS:
            replayed[replay(grid, step)] += 1
            assert not replayed[False], step
    assert name not in SOME or replayed[True]


def test_groups_whose_sums_differ_are_looked_at_as_one_mark() -> None:
    grid = grid_of(puzzle_in("variants/different-sum.toml"), unique=True)
    used = Counter[str]()
    for step in steps(grid, ordered(hardest=Level.SUBSETS)):
        used[step.technique] += 1
        if step.technique == "arrow combinations":
            assert step.eliminations
            assert replay(grid, step) is not False
    assert not grid.open
    assert used["arrow combinations"]
    assert not used["other constraint"]


def line(*constraints: Constraint) -> CandidateGrid:
    board = Board(4, 9, 4, (AllDifferent((0, 1, 2, 3), "row"), *constraints))
    return CandidateGrid(Puzzle(board, (board.every_value,) * 4))


def test_a_sum_of_cells_that_differ_names_its_combinations() -> None:
    step = next(techniques()["innies and outies"].steps(line(Linear((0, 1, 2), (1, 1, 1), 7, "sum 7"))))
    assert step.because == "sum 7 can only have 1+2+4"
    assert {value for value, _ in step.eliminations} == {3, 5, 6, 7, 8, 9}


def test_two_sums_exclude_what_neither_excludes() -> None:
    grid = line(Linear((0, 1), (1, 1), 10, "ten"), Linear((1, 2), (1, 1), 9, "nine"))
    for step in (*techniques()["innies and outies"].steps(grid),):
        step.apply(grid)
    step = next(techniques()["two marks"].steps(grid))
    assert step.houses == ("ten", "nine")
    assert replay(grid, step)


def plain(layout: BoardLayout, rules: Iterable[Constraint]) -> SearchedJoint:
    """As where the compiled search is missing."""
    joint = SearchedJoint(layout, rules)
    joint.compiled = False
    return joint


def test_a_search_that_is_cut_excludes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("satdoku.techniques.joint.MAX_NODES", 1)
    grid = line(Linear((0, 1, 2), (1, 1, 1), 8, "sum 8"))
    joint = plain(grid.layout, grid.layout.board.others)
    assert joint.supported(grid.left) == dict.fromkeys(range(3), grid.layout.board.every_value)
    assert joint.ways(grid.left, 5) is None


def test_what_each_candidate_of_a_cell_excludes_names_the_marks_between() -> None:
    def unless(value: int, name: str) -> Table:
        return Table(
            (0, 3), frozenset((a, b) for a in range(1, 10) for b in range(1, 10) if (a, b) != (value, 9)), name
        )

    board = Board(4, 9, 4, (unless(1, "first"), unless(2, "second")))
    grid = CandidateGrid(Puzzle(board, (0b110, *(board.every_value,) * 3)))
    step = next(techniques()["common exclusion (cell)"].steps(grid))
    assert step.sentence(board) == (
        "r1c4<>9 (common exclusion (cell)): r1c1 is 1 or 2, each of which excludes these through first and second"
    )
    assert [(link.start, link.end, link.strong) for link in step.links] == [
        ((1, 1), (9, 8), False),
        ((2, 1), (9, 8), False),
    ]
    assert replay(grid, step)


def test_two_houses_exclude_what_neither_excludes() -> None:
    sums = (((12, 15, 13), 8), ((0, 3, 13), 8), ((9, 10, 7), 7))
    marks = tuple(Linear(cells, (1, 1, 1), total, f"sum {total} of {cells}") for cells, total in sums)
    board = Board(16, 4, 4, (*classic(2, 2).constraints, *marks))
    grid = CandidateGrid(Puzzle(board, (board.every_value,) * 16))
    for step in steps(
        grid, tuple(each for each in ordered(hardest=Level.CHAINS) if each.name not in (TWO_HOUSES, THREE_HOUSES))
    ):
        assert step.technique != TWO_HOUSES
    step = next(techniques()[TWO_HOUSES].steps(grid))
    assert step.houses == (marks[0].name, marks[1].name, "row 4", "box 2")
    assert replay(grid, step)


def test_three_houses_exclude_what_no_two_of_them_exclude() -> None:
    marks = tuple(Linear(cells, (1, 1, 1), 9, f"sum 9 of {cells}") for cells in ((1, 15, 2), (7, 12, 8)))
    board = Board(16, 4, 4, (*classic(2, 2).constraints, *marks))
    grid = CandidateGrid(Puzzle(board, (board.every_value,) * 16))
    for step in steps(grid, tuple(each for each in ordered(hardest=Level.CHAINS) if each.name != THREE_HOUSES)):
        assert step.technique != THREE_HOUSES
    found = [*techniques()[THREE_HOUSES].steps(grid)]
    assert all(len({*step.houses} - {mark.name for mark in marks}) == 3 for step in found)
    replayed = {replay(grid, step) for step in found}
    assert True in replayed
    assert False not in replayed


@pytest.mark.parametrize(("name", "mark"), [("modifiers", "sum 5 at r2c2"), ("schroedinger", "sum 4 at r2c2")])
def test_a_mark_is_looked_at_with_what_its_cells_count(name: str, mark: str) -> None:
    grid = grid_of(puzzle_in(f"variants/{name}.toml"), unique=True)
    used, board = Counter[str](), grid.layout.board
    for step in steps(grid, ordered(hardest=Level.CHAINS)):
        used[step.technique] += 1
        if step.technique in OF_MARKS:
            assert replay(grid, step) is not False
            assert step.technique != "modified cells" or " can only have " not in step.because, step
        used[mark] += step.houses == (mark,) and any(cell < board.cells for cell, _ in excluded(step))
    assert not grid.open
    assert used[mark]
    assert not used["other constraint"]


def test_what_a_mark_needs_is_a_strong_link() -> None:
    sum_23 = Linear((0, 1, 2), (1, 1, 1), 23, "sum 23")
    grid = line(sum_23)
    grid.strike([(9, 1 << 2), *((value, 0b111) for value in (1, 2, 3, 4, 5, 7))])
    links = through_marks(grid)
    nine = 9 * 4
    assert links.strong[nine] == 1 << nine + 1  # if r1c1 is not 9, r1c2 is
    chain = [Link((9, 0b01), (9, 0b10), True)]
    assert marks_between(grid, chain) == ("sum 23",)
    assert marks_between(grid, [Link((9, 0b01), (9, 0b10), False)]) == ()  # they see each other


def test_compiled_and_plain_search_agree() -> None:
    grid = grid_of(puzzle_in("variants/arrow.toml"), unique=True)
    for part in mark_parts(grid.layout.board):
        searched, other = SearchedJoint(grid.layout, part.rules), plain(grid.layout, part.rules)
        assert searched.compiled
        assert searched.supported(grid.left) == other.supported(grid.left)
        assert sorted(searched.ways(grid.left, 5) or ()) == sorted(other.ways(grid.left, 5) or ())


@pytest.mark.parametrize("search", [SearchedJoint, plain])
def test_ways_that_are_known_need_no_search(search: Callable[..., SearchedJoint]) -> None:
    grid = line(Linear((0, 1, 2), (1, 1, 1), 8, "sum 8"))
    joint, ways = search(grid.layout, grid.layout.board.others), list[tuple[int, ...]]()
    found, many = joint.supported(grid.left, ways), len(ways)
    assert found == dict.fromkeys(range(3), 0b111110)
    assert all(sum(map(int.bit_length, way)) - 3 == 8 and len({*way}) == 3 for way in ways)
    assert joint.supported(grid.left, ways) == found
    assert len(ways) == many > 0
    grid.strike([(1, 0b001), (2, 0b001)])
    left = [way for way in ways if way[0] & grid.left[0]]
    assert joint.supported(grid.left, left) == joint.supported(grid.left) == {0: 0b111000, 1: 0b11110, 2: 0b11110}


def test_forcing_ends_where_a_mark_cannot_be_kept_by_the_values_that_followed() -> None:
    grid = line(Linear((0, 1), (1, 1), 4, "sum 4"))
    grid.strike([*((value, 0b01) for value in range(3, 10)), *((value, 0b10) for value in (1, *range(4, 10)))])
    step = next(techniques()["forcing chain (contradiction)"].steps(grid))
    assert step.sentence(grid.layout.board) == (
        "r1c1<>2 (forcing chain (contradiction)): it would lead to a contradiction: r1c1=2, r1c2=3, and sum 4 cannot "
        "be kept"
    )
