"""What marks say at their limits: lines of one cell, cells that are named twice, totals out of reach."""

from __future__ import annotations

import pytest
from support.boards import BOXED, ON_A_GRID, samples
from support.drawing import Values, grids

from satdoku import Mark, Puzzle, count
from satdoku.puzzle import Position
from satdoku.variants import Shape, build, kinds

NOT_OF_ONE_CELL = {
    *("automaton", "double-arrow", "index-line", "not-renban", "regex", "skyscraper-line", "value-index")
}
"""Lines that one cell cannot be, or that say something of it."""


def total(*marks: Mark, givens: str = "", backends: tuple[str, ...] = ("auto", "cpsat")) -> int:
    """Solutions of the 4x4 board with boxes and these marks, which the backends agree on."""
    puzzle = Puzzle.from_givens(build(4, (*BOXED.marks, *marks)), [int(value) for value in givens.ljust(16, "0")])
    (found,) = {count(puzzle, backend=backend).count for backend in backends}
    assert found is not None
    return found


def on_line(kind: str, *cells: Position, value: int | str | None = None) -> Mark:
    return Mark(kind, lines=(cells,), value=value)


@pytest.mark.parametrize(
    "kind", [kind for kind in ON_A_GRID if kinds()[kind].shape is Shape.LINE and kind not in NOT_OF_ONE_CELL]
)
def test_a_line_of_one_cell_holds(kind: str) -> None:
    value = kinds()[kind].value
    argument = None if value is None or not value.required else 3
    assert total(on_line(kind, (2, 2), value=argument)) == {"counting-line": 72}.get(kind, 288)


def test_a_closed_renban_or_nabner_names_its_first_cell_again() -> None:
    loop = ((1, 2), (1, 3), (2, 3), (2, 2), (1, 2))
    assert total(Mark("renban", lines=(loop,))) == total(Mark("renban", lines=(loop[:4],))) > 0
    assert total(Mark("nabner", lines=(loop,))) == 0


def test_a_double_arrow_with_nothing_between_cannot_be() -> None:
    assert total(Mark("double-arrow", lines=(((1, 1), (1, 2)),))) == 0


def test_an_arrow_without_lines_says_nothing() -> None:
    assert total(Mark("arrow", ((1, 1),))) == 288


def test_a_sum_out_of_reach_cannot_be() -> None:
    for value in (-1, 0, 99):
        assert total(Mark("cage", ((1, 1), (1, 2)), value=value)) == 0
        assert total(Mark("skyscraper", ((0, 1),), value=value)) == 0
        assert total(Mark("x-sum", ((0, 1),), value=value)) == 0


def test_a_bulb_of_two_cells_reads_left_to_right_however_it_is_listed() -> None:
    shaft = ((2, 1), (2, 2), (3, 2), (3, 3))
    thirteen = [at for at in grids(BOXED, {(1, 1): 1, (1, 2): 3}) if sum(at[cell] for cell in shaft) == 13]
    assert thirteen
    for bulb in (((1, 1), (1, 2)), ((1, 2), (1, 1))):
        assert total(Mark("arrow", bulb, (shaft,)), givens="13") == len(thirteen)


def test_a_lockout_line_of_two_cells_holds_the_difference_alone() -> None:
    assert total(on_line("lockout", (1, 1), (1, 2), value=3)) == 48


def test_a_cell_that_is_named_twice_counts_twice_in_sums_and_products() -> None:
    assert total(Mark("sum", ((1, 1), (1, 1)), value="4")) == 72
    assert total(Mark("sum", ((1, 1), (1, 1)), value="< 5")) == 144
    assert total(Mark("product", ((1, 1), (1, 1)), value=9)) == 72


def test_a_cell_that_is_named_twice_is_compared_with_itself() -> None:
    assert total(on_line("parity-line", (1, 1), (1, 1))) == 0
    assert total(on_line("modular-by", (1, 1), (1, 2), (1, 1), value=3)) == 0
    assert total(on_line("unimodular", (1, 1), (1, 1))) == 288


def test_a_sum_loop_needs_no_cut_at_its_first_cell() -> None:
    loop = ((2, 2), (2, 3), (3, 3), (3, 2))
    for first in range(4):
        closed = on_line("sum-line", *loop[first:], *loop[: first + 1], value=5)
        assert total(closed, backends=("auto",)) == 120  # CP-SAT takes minutes


def test_an_edge_sum_exempts_its_edge_from_the_negative_sum() -> None:
    def fives(at: Values) -> list[tuple[Position, Position]]:
        return [(a, b) for a, b in BOXED.edges() if at[a] + at[b] == 5]

    drawn = fives(samples(BOXED)[0])
    alike = sum(fives(at) == drawn for at in samples(BOXED))
    assert alike
    assert total(Mark("negative-sum", value="5"), *(Mark("edge-sum", edge, value=5) for edge in drawn)) == alike


def test_an_empty_edge_sum_lifts_the_negative_sum_and_says_nothing_else() -> None:
    def fives(at: Values) -> set[tuple[Position, Position]]:
        return {(a, b) for a, b in BOXED.edges() if at[a] + at[b] == 5}

    drawn = fives(samples(BOXED)[0])
    within = sum(fives(at) <= drawn for at in samples(BOXED))
    assert within > sum(fives(at) == drawn for at in samples(BOXED)) > 0
    assert total(Mark("negative-sum", value="5"), *(Mark("edge-sum", edge) for edge in drawn)) == within
    assert total(Mark("edge-sum", ((1, 1), (1, 2)))) == 288


def test_a_clue_cell_may_stand_among_those_that_it_counts() -> None:
    assert total(Mark("count-distinct", ((1, 1), (1, 1), (1, 2)))) == 72
    assert total(Mark("average-arrow", ((1, 1),), (((1, 1), (1, 1)),))) == 288


def test_one_group_holds() -> None:
    for kind in ("equal-sum", "same-values"):
        assert total(Mark(kind, lines=(((1, 1), (2, 2)),))) == 288


def test_a_total_out_of_reach_cannot_be() -> None:
    for value in (-1, 0, 99):
        assert total(Mark("product", ((1, 1), (1, 2)), value=value)) == 0
    for value in (-1, 99):
        for kind in ("numbered-room", "before-nine", "battlefield", "hidden-skyscraper"):
            assert total(Mark(kind, ((0, 1),), value=value)) == 0
        assert total(Mark("lunchbox", ((1, 1), (1, 2), (1, 3)), value=value)) == 0
