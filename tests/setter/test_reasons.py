"""Reasons of random variants, replayed by another solver: they imply their step, and do not without any one premise."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from support.boards import BOXED, FIVE, JIGSAW, LATIN, ON_A_GRID, SIX, drawable, samples
from support.drawing import MarkedSquare
from support.oracles import RULES, draw

import satdoku
from satdoku import Board, Mark, Puzzle, Verdict, explain
from satdoku.constraints import AllDifferent, Constraint, Linear
from satdoku.setter import CoreStep, Explanation, Fact, Guarantee
from satdoku.setter.singles import singles
from satdoku.variants import build

TRIES, LONG = 12, 600
"""Numbers of random puzzles; about one in two is made."""


def puzzle(number: int) -> Puzzle | None:
    """A puzzle with one solution and marks of one kind, several of them; None where the marks cannot be together."""
    rng = Random(number)
    kind = ON_A_GRID[number % len(ON_A_GRID)]
    base = rng.choice([each for each in (BOXED, LATIN, JIGSAW, FIVE, SIX) if drawable(kind, each)])
    hidden, marks = rng.choice(samples(base)), list(base.marks)
    for _ in range(rng.choice((2, 4, 6, 8))):
        if kind in RULES:
            marks.append(Mark(kind, value=rng.choice(RULES[kind])))
        else:
            marks.append(draw(kind, rng, MarkedSquare(base.size, tuple(marks)), hidden))
    try:
        board = build(base.size, tuple(dict.fromkeys(marks)))
    except satdoku.InputError:
        return None
    givens: dict[int, int] = {}
    for cell in rng.sample(range(board.cells), board.cells):
        made = Puzzle.from_givens(board, givens)
        verdict = satdoku.check(made).verdict
        if verdict is not Verdict.MULTIPLE:
            return made if verdict is Verdict.UNIQUE else None
        givens[cell] = hidden[base.positions[cell]]
    return None


def named(board: Board, name: str) -> list[Constraint]:
    """What a reason means by a name: the constraints that have it, and with the sum of a cage that its cells differ."""
    own = [each for each in board.constraints if each.name == name]
    sums = {frozenset(each.cells) for each in own if isinstance(each, Linear) and len(each.cells) < board.values}
    return own + [each for each in board.all_different if frozenset(each.cells) in sums and each not in own]


def possible(board: Board, facts: list[Fact], names: list[str], denied: tuple[int, int]) -> bool:
    """Whether a grid satisfies these facts and constraints, and a cell has not this value."""
    left = [board.every_value] * board.cells
    for fact in facts:
        left[fact.cell] &= fact.allowed
    left[denied[0]] &= ~(1 << denied[1])
    rules = tuple(each for name in names for each in named(board, name))
    fewer = Board(board.cells, board.values, board.columns, rules, auxiliary=board.auxiliary)
    grids = satdoku.solve(Puzzle(fewer, tuple(left)), backend="cpsat").grids
    assert all(each.holds(grid) for grid in grids for each in rules if not board.auxiliary)
    return bool(grids)


def faults(found: Explanation) -> Iterator[str]:
    board, known = found.puzzle.board, list(found.puzzle.candidates)
    for number, step in enumerate(found.steps, 1):
        assert isinstance(step, CoreStep)
        facts, names, denied = list(step.reason.facts), list(step.reason.constraints), (step.cell, step.value)
        what = f"step {number}, {Fact(step.cell, 1 << step.value).label(board)}"
        if any(known[fact.cell] != fact.allowed for fact in facts):
            yield f"{what}: a premise that is not known"
        if possible(board, facts, names, denied):
            yield f"{what} does not follow from {[fact.label(board) for fact in facts]} and {names}"
        if step.reason.guarantee is not Guarantee.NONE:
            for fact in facts:
                if not possible(board, [each for each in facts if each != fact], names, denied):
                    yield f"{what}: {fact.label(board)} is not needed"
            for name in names:
                if not possible(board, facts, [each for each in names if each != name], denied):
                    yield f"{what}: {name} is not needed"
        known[step.cell] = 1 << step.value


def replay(numbers: range) -> tuple[int, list[str]]:
    """How many steps were replayed, and what is wrong with some."""
    steps, wrong = 0, []
    for number in numbers:
        made = puzzle(number)
        if made is not None:
            found = explain(made, smallest=True, timeout=5)
            steps += len(found.steps)
            wrong += [f"puzzle {number}: {fault}" for fault in faults(found)]
    return steps, wrong


@pytest.mark.parametrize("part", range(4))
def test_reasons_hold_and_none_of_their_premises_can_be_left_out(part: int) -> None:
    steps, wrong = replay(range(TRIES * part // 4, TRIES * (part + 1) // 4))
    assert wrong == []
    assert steps > 0


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_more_reasons(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    steps, wrong = replay(range(TRIES + LONG * part // 10, TRIES + LONG * (part + 1) // 10))
    with capsys.disabled():
        print(f"\n{steps} steps")
    assert wrong == []


def test_marks_that_begin_at_the_same_cell_are_cited_apart() -> None:
    first = tuple((1, column) for column in (1, 2, 3, 4))
    other = ((1, 1), (2, 2), (3, 3), (4, 4))
    board = build(4, tuple(Mark("lunchbox", cells, value=0) for cells in (first, other, ((1, 1), (2, 1)))))
    names = {each.name for each in board.constraints if each.name.startswith("lunchbox")}
    assert names == {"lunchbox 0 at r1c1", "lunchbox 0 at r1c1 (2)", "lunchbox 0 at r1c1 (3)"}
    grid = satdoku.solve(Puzzle.from_givens(board, {})).grid
    assert grid is not None
    known = {cell: grid[cell] for cell in range(16) if cell not in (0, 5, 10)}
    found = explain(Puzzle.from_givens(board, known), smallest=True)
    assert found.verdict is Verdict.UNIQUE and list(faults(found)) == []


def test_a_single_is_shown_by_its_house_not_by_another_of_that_name() -> None:
    first, second = AllDifferent((0, 6, 11, 13), "area"), AllDifferent((0, 5, 10, 15), "area")
    board = Board(16, 4, 4, (first, second))
    two_to_four = 0b11100
    assert [*singles(board, dict.fromkeys((5, 10, 15), two_to_four))] == [(0, [5, 10, 15], [second])]


@pytest.mark.parametrize(
    ("rule", "name"),
    [
        (Mark("knightmare"), "no sum of 5 or 15 a knight's move apart r1c1-r2c3"),
        (Mark("anti-queen", value="4"), "no two 4s a queen's move apart r1c1-r2c2"),
        (Mark("anti-leaper", value="1 2 of 3 4"), "no two 3s or 4s a leap by 1 and 2 apart r1c1-r2c3"),
        (Mark("anti-taxicab"), "no two 2s at taxicab distance 2 r1c1-r2c2"),
        (Mark("diagonal-nonconsecutive"), "nonconsecutive diagonal neighbours r1c1-r2c2"),
    ],
)
def test_the_names_of_pairs_say_what_is_forbidden(rule: Mark, name: str) -> None:
    names = {each.name for each in build(4, (rule, Mark("anti-knight"))).constraints}
    assert {name, "knight's move r1c1-r2c3"} <= names
