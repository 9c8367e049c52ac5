"""The constraints that a mark is lowered to say the same as its oracle, of any filling of the cells."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from itertools import combinations, product
from random import Random

import pytest
from support.amount import tries
from support.boards import BOXED, LATIN, ON_A_GRID, SIX, boxes, drawable, samples
from support.drawing import MarkedSquare, Values
from support.oracles import MAKERS, ORACLES, RULES, obeys

from satdoku import Mark, Puzzle, PuzzleError, Table
from satdoku.constraints import shift_values
from satdoku.variants import REGIONS, Frame, build, kinds

KINDS = [kind for kind in ON_A_GRID if kind not in REGIONS]
SIZES = {
    5: MarkedSquare(5),
    6: SIX,
    9: MarkedSquare(9, boxes("3x3")),
    16: MarkedSquare(16, boxes("4x4")),
    25: MarkedSquare(25, boxes("5x5")),
}
OTHER_VALUES = {
    "0-5": replace(SIX, named=range(6)),
    "1-9": replace(SIX, named=range(1, 10)),
    "3-8": replace(SIX, named=range(3, 9)),
}


def agree(drawing: MarkedSquare, mark: Mark, fillings: list[Values]) -> list[bool]:
    """What the oracle says of each filling, which is what the mark's constraints say."""
    whole = replace(drawing, marks=(*drawing.marks, mark))
    # The rows and columns of a filling may repeat digits.
    frame = Frame(drawing.board_size, (*whole.marks, Mark("free-grid")))
    constraints = list(kinds()[mark.kind].lower(frame, mark))
    first = drawing.digits[0]
    from_1 = [shift_values(constraint, 1 - first) for constraint in constraints]
    verdicts = []
    for at in fillings:
        grid = [at[position] for position in drawing.positions]
        verdicts.append(ORACLES[mark.kind](whole, mark, at))
        assert all(rule.holds(grid) for rule in constraints) == verdicts[-1], (mark, at)
        if first != 1:
            inner = [value - first + 1 for value in grid]
            assert all(rule.holds(inner) for rule in from_1) == verdicts[-1], (mark, at)
    return verdicts


def filling(rng: Random, drawing: MarkedSquare) -> Values:
    """Any values, repeats included; at times few values, so that a mark that needs repeats is met."""
    few = rng.choice((2, 3, drawing.size, drawing.size))
    return {position: rng.randint(1, few) for position in drawing.positions}


def compared(kind: str, drawing: MarkedSquare, marks: int) -> list[bool]:
    """So many random marks, each drawn for one filling and asked about others as well."""
    rng = Random(f"{kind} {drawing.size}")
    message: list[bool] = []
    if drawable(kind, drawing):
        for _ in range(marks):
            fillings = [filling(rng, drawing) for _ in range(8)]
            message += agree(drawing, MAKERS[kind](rng, drawing, fillings[0]), fillings)
    return message


def near() -> list[Values]:
    """Grids of 4x4, some of them with two cells changed."""
    rng = Random(4)
    some = [dict(at) for at in rng.sample(samples(BOXED), 60) + rng.sample(samples(LATIN), 60)]
    for at in some[::2]:
        for position in rng.sample(BOXED.positions, 2):
            at[position] = rng.randint(1, 4)
    alternating = {(row, column): 1 + 2 * ((row + column) % 2) for row, column in BOXED.positions}
    return [*some, *(dict.fromkeys(BOXED.positions, value) for value in BOXED.values), alternating, *shifted()]


def shifted() -> list[Values]:
    """Each row is the one above it shifted, so that equal values are as far apart as they can be."""
    return [{(row, column): (down * row + column) % 4 + 1 for row, column in BOXED.positions} for down in range(4)]


@pytest.mark.parametrize("kind", KINDS)
def test_of_boards_of_5_to_16(kind: str) -> None:
    message: list[bool] = []
    for size, marks in ((5, 2), (6, 1)) if kind in RULES else ((5, 12), (6, 8), (9, 6), (16, 1)):
        message += compared(kind, SIZES[size], marks)
    message += [verdict for value in RULES.get(kind, ()) for verdict in agree(BOXED, Mark(kind, value=value), near())]
    assert {True, False} == set(message)


@pytest.mark.parametrize("kind", ["row-indexer", "column-indexer", "box-indexer", "numbered-room"])
def test_where_rows_and_columns_differ_a_digit_is_asked_for_by_one_value_alone(kind: str) -> None:
    rng = Random(kind)
    grids = [dict(at) for at in rng.sample(samples(BOXED), 40)]
    for at in grids:
        mark = MAKERS[kind](rng, BOXED, at)
        constraints = list(kinds()[kind].lower(Frame(BOXED.board_size, (*BOXED.marks, mark)), mark))
        for other in grids:
            held = all(rule.holds([other[position] for position in BOXED.positions]) for rule in constraints)
            assert held == ORACLES[kind](BOXED, mark, other), (mark, other)
        for rule in constraints:
            if isinstance(rule, Table) and len(rule.cells) == 2:
                asking = [{first for first, second in rule.tuples if second == digit} for digit in BOXED.values]
                assert 1 in map(len, asking), (mark, rule)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_of_many_more_boards(kind: str) -> None:
    for size, marks in ((5, 200), (6, 100), (9, 100), (16, 10), (25, 2)):
        too_large = kind == "roping" and size > 9
        with pytest.raises(PuzzleError, match="states") if too_large else nullcontext():
            compared(kind, SIZES[size], marks)


@pytest.mark.parametrize("values", OTHER_VALUES)
@pytest.mark.parametrize("kind", KINDS)
def test_of_boards_of_other_values(kind: str, values: str) -> None:
    drawing, rng = OTHER_VALUES[values], Random(f"{kind} {values}")
    compared = refused = 0
    for _ in range(tries(2, 3) if kind in RULES else tries(5, 12)):
        fillings = [{cell: drawing.digit(rng) for cell in drawing.positions} for _ in range(8)]
        fillings += [{cell: rng.choice(drawing.digits[:2]) for cell in drawing.positions} for _ in range(8)]
        mark = MAKERS[kind](rng, drawing, rng.choice(fillings))
        try:
            agree(drawing, mark, fillings)
            compared += 1
        except PuzzleError:
            refused += 1
    assert compared or (refused and kind in RULES)


OF_TWO_CELLS = [
    *("anti-king", "anti-knight", "diagonal+", "diagonal-", "disjoint-groups"),
    *("negative-ratio", "negative-xv", "nonconsecutive", "windoku"),
]


class TestRulesOfTheBoard:
    """Small boards leave few grids to such a rule, so what it says of two cells is looked at as well."""

    @pytest.mark.parametrize("kind", OF_TWO_CELLS)
    def test_of_any_two_cells(self, kind: str) -> None:
        for base, values in ((BOXED, range(1, 5)), (SIX, (1, 2))):
            drawing = MarkedSquare(base.size, (*base.marks, Mark(kind)))
            for first, second in combinations(range(base.size**2), 2):
                for pair in product(values, repeat=2):
                    self.agree(drawing, {first: pair[0], second: pair[1]})

    @pytest.mark.parametrize("size", [9, 16])
    def test_a_value_that_comes_twice_in_a_windoku(self, size: int) -> None:
        root = round(size**0.5)
        drawing = MarkedSquare(size, (*boxes(f"{root}x{root}"), Mark("windoku")))
        rng = Random(size)
        for _ in range(500):
            self.agree(drawing, dict.fromkeys(rng.sample(range(size * size), 2), 1))

    def agree(self, drawing: MarkedSquare, filled: dict[int, int]) -> None:
        """Whether the board and the oracle say the same of a grid with two cells filled."""
        board = build(drawing.size, drawing.marks)
        # For the oracle, all other cells hold values that are in no relation to each other or to 1..N.
        at = {cell: filled.get(number, 1000 + 2 * number) for number, cell in enumerate(drawing.positions)}
        cells = [drawing.positions[number] for number in filled]
        sound = all(at[cell] != at[peer] for cell in cells for peer in drawing.peers[cell])
        allowed = not any(Puzzle.from_givens(board, filled).clashes())
        assert allowed == (sound and obeys(drawing, at)), (drawing.marks[-1], filled)
