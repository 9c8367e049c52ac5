"""Conflicts as people read them: marks and rules, rules of the whole board in one word, houses last."""

from __future__ import annotations

from contextlib import closing

import pytest

import satdoku
from satdoku.backends.incremental import IncrementalSolver
from satdoku.encoders.selectors import by_name
from satdoku.puzzle import Puzzle
from satdoku.setter import sentences
from satdoku.setter.conflicts import conflicts
from satdoku.setter.explain import explained
from satdoku.setter.reasons import Guarantee, Reason
from satdoku.setter.sentences import MAX_WORDS
from satdoku.system.clock import Deadline

KNIGHT = """
size = 9
boxes = "3x3"
rules = ["anti-knight"]
{more}
"""
BEARING_ON_ALL = """
size = 4
boxes = "2x2"
rules = ["anti-king", "anti-knight"]
cage = [{ cells = "r4c3 r4c4", value = 5 }]
"""


def found(puzzle: Puzzle) -> list[Reason]:
    deadline = Deadline(60)
    return list(conflicts(puzzle, clash=False, smallest=False, deadline=deadline, proofs=deadline))


def test_a_rule_of_the_whole_board_is_one_word() -> None:
    puzzle = satdoku.read(KNIGHT.format(more='cage = [{ cells = "r3c3", value = 5 }, { cells = "r4c5", value = 5 }]'))
    *_, last = found(puzzle)
    assert last.guarantee is Guarantee.IRREDUCIBLE
    assert sentences.conflict(puzzle.board, last) == "anti-knight, cage 5 at r3c3 and cage 5 at r4c5 cannot all hold"


@pytest.mark.parametrize(
    ("constraints", "expected"),
    [
        (("row 2", "cage 5 at r1c1", "row 4", "row 5", "box 1"), "cage 5 at r1c1, rows 2, 4 and 5 and box 1"),
        (("column 1", "column 2", "column 3", "column 4", "column 5", "column 6", "box 3"), "all columns and box 3"),
        (("cage 5 at r1c1", "cage 5 at r3c3", "row 1"), "cage 5 at r1c1, cage 5 at r3c3 and row 1"),
        (
            ("a knight's move apart r1c1-r2c3", "row 1", "a knight's move apart r1c2-r2c4"),
            "a knight's move apart r1c1-r2c3 and r1c2-r2c4 and row 1",
        ),
        (("box 1", "box 3"), "boxes 1 and 3"),
    ],
)
def test_causes_that_their_last_words_tell_apart_stand_together(constraints: tuple[str, ...], expected: str) -> None:
    text = sentences.causes(satdoku.classic(2, 3), Reason((), constraints, Guarantee.NONE))
    assert text == f"follows from {expected}"


def test_houses_are_left_out_last_and_counted() -> None:
    puzzle = satdoku.read(BEARING_ON_ALL)
    first, *_, last = found(puzzle)
    houses = {f"{sort} {number}" for sort in ("row", "column", "box") for number in range(1, 5)}
    assert houses < set(first.constraints)
    assert first.guarantee is Guarantee.NONE
    assert "cage 5 at r4c3" not in last.constraints  # the rules need no cage
    assert set(last.constraints) - houses == {"anti-king"}


def test_a_long_conflict_counts_givens_and_names_kinds() -> None:
    more = 'cage = [{ cells = "r1c1 r1c2", value = 3 }, { cells = "r5c5 r5c6", value = 4 }]'
    puzzle = satdoku.read(KNIGHT.format(more=more))
    names = tuple(name for name in by_name(puzzle.board) if "move" not in name)
    whole = Reason((), ("anti-knight", *names), Guarantee.NONE)
    text = sentences.conflict(puzzle.board, whole)
    expected = "anti-knight, cage 3 at r1c1, cage 4 at r5c5, all rows, all columns and all boxes cannot all hold"
    assert (text, len(text.split()) <= MAX_WORDS) == (expected, True)
    killers = (f"little killer {total} at r0c{total}" for total in range(1, 8))
    many = Reason((), (*names[:20], "anti-knight", *killers), Guarantee.NONE)
    expected = "anti-knight, 7 little killers, all rows, all columns and 2 boxes cannot all hold"
    assert sentences.conflict(puzzle.board, many) == expected


def test_each_conflict_on_the_way_is_reported() -> None:
    conflicts: list[Reason] = []
    with closing(IncrementalSolver()) as solver:
        explanation = explained(solver, satdoku.read(BEARING_ON_ALL), False, 60.0, tell=conflicts.append)
    assert len(conflicts) > 1
    assert conflicts[-1] == explanation.conflict
