"""The four constraints mean what their definitions say."""

from __future__ import annotations

import dataclasses

import pytest

from satdoku import AllDifferent, Automaton, InputError, Linear, PuzzleError, Table


def alternating(cells: tuple[int, ...], accepting: frozenset[int] = frozenset({0, 1, 2})) -> Automaton:
    """Values 1 and 2 in turn: state 1 after a 1, state 2 after a 2."""
    return Automaton(cells, frozenset({(0, 1, 1), (0, 2, 2), (1, 2, 2), (2, 1, 1)}), 0, accepting, "turns")


class TestAllDifferent:
    def test_holds_if_no_value_repeats_among_its_cells(self) -> None:
        rule = AllDifferent((0, 2), "cage")
        assert rule.holds((1, 1, 2))
        assert not rule.holds((1, 2, 1))

    def test_holds_over_one_cell_and_over_none(self) -> None:
        assert AllDifferent((1,), "one").holds((5, 5))
        assert AllDifferent((), "none").holds((5, 5))

    def test_a_repeated_cell_is_an_error_that_names_the_rule(self) -> None:
        with pytest.raises(PuzzleError, match=r"^row 3: a cell occurs twice$"):
            AllDifferent((4, 5, 4), "row 3")


class TestLinear:
    def test_holds_if_the_weighted_sum_is_the_total(self) -> None:
        rule = Linear((0, 1, 2), (1, -2, 3), 5, "sum")
        assert rule.holds((4, 1, 1))
        assert not rule.holds((4, 1, 2))

    def test_repeated_cells_are_merged_in_the_order_of_their_first_place(self) -> None:
        rule = Linear((3, 1, 3), (1, 5, 2), 9, "sum")
        assert (rule.cells, rule.coefficients) == ((3, 1), (3, 5))

    def test_cells_that_cancel_and_zero_coefficients_are_dropped(self) -> None:
        rule = Linear((0, 1, 0, 2), (2, 1, -2, 0), 3, "sum")
        assert (rule.cells, rule.coefficients) == ((1,), (1,))
        assert rule.holds((9, 3, 9))

    @pytest.mark.parametrize(("total", "holds"), [(0, True), (1, False)])
    def test_without_cells_the_sum_is_zero(self, total: int, holds: bool) -> None:
        assert Linear((), (), total, "nothing").holds((1,)) is holds
        assert Linear((0, 0), (1, -1), total, "cancelled").holds((1,)) is holds

    def test_as_many_coefficients_as_cells(self) -> None:
        with pytest.raises(PuzzleError, match=r"^cage: 2 cells, 1 coefficients$"):
            Linear((0, 1), (1,), 3, "cage")

    def test_equal_after_merging_is_equal(self) -> None:
        assert Linear((0, 0, 1), (1, 1, 1), 4, "x") == Linear((0, 1), (2, 1), 4, "x")


class TestTable:
    def test_holds_if_the_values_in_order_are_a_tuple(self) -> None:
        rule = Table((2, 0), frozenset({(1, 3), (2, 2)}), "pair")
        assert rule.holds((3, 9, 1))
        assert not rule.holds((1, 9, 3))

    def test_without_tuples_nothing_satisfies_it(self) -> None:
        assert not Table((0,), frozenset(), "empty").holds((1,))

    def test_without_cells_the_empty_tuple_alone_satisfies_it(self) -> None:
        assert Table((), frozenset({()}), "empty").holds((1,))
        assert not Table((), frozenset(), "empty").holds((1,))

    def test_a_repeated_cell_is_an_error(self) -> None:
        with pytest.raises(PuzzleError, match=r"^clone: a cell occurs twice$"):
            Table((1, 1), frozenset({(1, 1)}), "clone")

    def test_every_tuple_is_as_long_as_the_cells(self) -> None:
        with pytest.raises(PuzzleError, match=r"^dot: every tuple needs 2 values$"):
            Table((0, 1), frozenset({(1, 2), (1, 2, 3)}), "dot")


class TestAutomaton:
    def test_reads_the_cells_in_order(self) -> None:
        assert alternating((2, 0, 1)).holds((2, 1, 1))
        assert not alternating((0, 1, 2)).holds((2, 1, 1))

    def test_an_absent_step_rejects(self) -> None:
        assert not alternating((0,)).holds((3,))

    def test_only_an_accepting_end_counts(self) -> None:
        ends_in_one = alternating((0, 1), accepting=frozenset({1}))
        assert ends_in_one.holds((2, 1))
        assert not ends_in_one.holds((1, 2))

    def test_a_cell_may_be_read_again(self) -> None:
        assert alternating((0, 1, 0)).holds((1, 2))
        assert not alternating((0, 0)).holds((1, 2))

    @pytest.mark.parametrize(("accepting", "holds"), [(frozenset({0}), True), (frozenset({1}), False)])
    def test_without_cells_the_start_decides(self, accepting: frozenset[int], holds: bool) -> None:
        assert alternating((), accepting).holds((1, 1)) is holds

    def test_no_accepting_state_means_no_grid(self) -> None:
        assert not alternating((0,), frozenset()).holds((1,))

    def test_two_steps_from_one_state_by_one_value_are_an_error(self) -> None:
        with pytest.raises(PuzzleError, match=r"^x: two transitions leave one state by one value$"):
            Automaton((0,), frozenset({(0, 1, 1), (0, 1, 2)}), 0, frozenset({1}), "x")

    def test_step_is_the_transitions_as_a_function(self) -> None:
        assert alternating((0,)).step() == {(0, 1): 1, (0, 2): 2, (1, 2): 2, (2, 1): 1}


@pytest.mark.parametrize(
    "rule", [AllDifferent((0,), "a"), Linear((0,), (1,), 1, "b"), Table((0,), frozenset(), "c"), alternating((0,))]
)
def test_constraints_are_frozen_and_hashable(rule: object) -> None:
    assert len({rule, dataclasses.replace(rule)}) == 1  # type: ignore[type-var]
    with pytest.raises(dataclasses.FrozenInstanceError):
        rule.name = "other"  # type: ignore[attr-defined]


def test_a_puzzle_error_is_an_input_error_with_status_2() -> None:
    assert issubclass(PuzzleError, InputError)
    assert PuzzleError.status == 2
