"""How many variables and clauses encodings write."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import ceil, comb, sqrt

import pytest

from satdoku import AllDifferent, Automaton, Board, Linear, Table, classic
from satdoku.encoders import automaton
from satdoku.encoders.at_most_one import METHODS
from satdoku.encoders.clauses import Clauses
from satdoku.encoders.cnf import encode
from satdoku.puzzle import Mark
from satdoku.variants import build
from satdoku.variants.relations import CellList

BOXES = ((2, 2), (2, 3), (3, 3), (4, 4), (5, 5))


CLAUSES = {
    "minimal": (304, 1656, 8829, 92416, 563125),
    "efficient": (400, 2196, 11745, 123136, 750625),
    "extended": (448, 2304, 11988, 123904, 752500),
}
"""As published, for 4x4, 6x6, 9x9, 16x16 and 25x25."""


MORE_CLAUSES = {
    "extended-once": (384, 1980, 10530, 111616, 690000),
    "triad": (496, 1944, 7695, 60672, 315625),
    "order": (256, 1440, 7857, 83456),
    "log": (224, 1368, 7857, 79872),
}
"""The same for encodings of which 25x25 is not always known."""


def bits(count: int) -> int:
    return (count - 1).bit_length()


def product_size(count: int) -> tuple[int, int]:
    if count <= 4:
        return 0, comb(count, 2)
    rows = ceil(sqrt(count))
    (above, over), (left, beside) = product_size(rows), product_size(ceil(count / rows))
    return rows + ceil(count / rows) + above + left, 2 * count + over + beside


def commander_size(count: int) -> tuple[int, int]:
    if count <= 4:
        return 0, comb(count, 2)
    teams = ceil(count / 3)
    variables, clauses = commander_size(teams)
    inside = count // 3 * 3 + comb(count % 3, 2)
    return teams + variables, inside + count + clauses


AT_MOST_ONE: dict[str, Callable[[int], tuple[int, int]]] = {
    "pairwise": lambda m: (0, comb(m, 2)),
    "sequential": lambda m: (m - 1, 3 * m - 4) if m > 1 else (0, 0),
    "bitwise": lambda m: (bits(m), m * bits(m)),
    "product": product_size,
    "commander": commander_size,
    "bimander": lambda m: (bits(ceil(m / 2)), m // 2 + m * bits(ceil(m / 2))),
}
"""(new variables, clauses) of each method for m literals, as its paper has them."""


def formula(encoding: str, size: int) -> int:
    pairs = size * (size - 1) // 2
    return {
        "minimal": size**2 * (1 + 3 * pairs),
        "efficient": size**2 * (1 + 4 * pairs),
        "extended": 4 * size**2 * (1 + pairs),
    }[encoding]


def layered_size(rule: Linear | Table | Automaton, cells: int, values: int) -> tuple[int, int]:
    """Variables and clauses that a rule adds to those of the cells."""
    clauses = Clauses()
    is_value = clauses.new_array(cells, values)
    automaton.write(
        clauses, rule, lambda cell: range(1, values + 1), lambda cell, value: int(is_value[cell, value - 1])
    )
    return clauses.variables - is_value.size, len(clauses)


class TestSizes:
    @pytest.mark.parametrize(("column", "box"), list(enumerate(BOXES)), ids=str)
    @pytest.mark.parametrize("encoding", CLAUSES)
    def test_direct_encodings_have_the_published_counts(self, encoding: str, column: int, box: tuple[int, int]) -> None:
        size = box[0] * box[1]
        cnf = encode(classic(*box), encoding)
        assert cnf.clauses.variables == size**3
        assert len(cnf.clauses) == formula(encoding, size) == CLAUSES[encoding][column]
        assert sum(len(part) for part in cnf.clauses.parts()) == len(cnf.clauses)

    @pytest.mark.parametrize("encoding", MORE_CLAUSES)
    def test_other_encodings_have_the_known_counts(self, encoding: str) -> None:
        for box, clauses in zip(BOXES, MORE_CLAUSES[encoding], strict=False):
            size = box[0] * box[1]
            variables = {
                "extended-once": size**3,
                "triad": size**3 + size**2 * sum(box),
                "order": size**2 * (size - 1),
                "log": size**2 * (size - 1).bit_length(),
            }
            cnf = encode(classic(*box), encoding)
            assert (cnf.clauses.variables, len(cnf.clauses)) == (variables[encoding], clauses)

    @pytest.mark.parametrize("method", METHODS)
    def test_every_at_most_one_has_the_size_of_its_formula(self, method: str) -> None:
        for count in (1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 25, 36):
            assert METHODS[method].size(count) == AT_MOST_ONE[method](count), count

    def test_a_cell_in_no_house_gets_its_at_most_one_in_minimal_too(self) -> None:
        free = Board(4, 3, 4, (AllDifferent((0, 1, 2), "house"),))
        at_least_ones, house_pairs, pairs_of_the_free_cell = 4, 3 * 3, 3
        assert len(encode(free, "minimal").clauses) == at_least_ones + house_pairs + pairs_of_the_free_cell

    @pytest.mark.parametrize(
        ("width", "total", "variables", "clauses"), [(9, 45, 170, 1782), (5, 25, 54, 582)], ids=["line", "cage"]
    )
    def test_a_sum_stays_near_the_measured_size(self, width: int, total: int, variables: int, clauses: int) -> None:
        added = layered_size(Linear(tuple(range(width)), (1,) * width, total, "sum"), width, 9)
        assert added[0] <= 1.1 * variables
        assert added[1] <= 1.1 * clauses

    def test_a_rule_of_one_cell_needs_no_variable(self) -> None:
        assert layered_size(Linear((0,), (2,), 6, "sum"), 1, 4) == (0, 3)

    def test_a_rule_that_wants_a_value_of_one_cell_is_a_clause(self) -> None:
        wanted = CellList(range(1, 3), (0, 1, 2, 3), "wanted").clause(((1,), (2,), (2,), (1,)))
        assert layered_size(wanted, 4, 2) == (0, 1)
        assert layered_size(CellList(range(1, 4), (0, 1), "wanted").clause(((1, 2), (3,))), 2, 3)[1] > 1

    def test_all_values_but_one_lead_on_in_one_clause(self) -> None:
        count = CellList(range(1, 10), tuple(range(5)), "count").exactly(7, 2)
        assert layered_size(count, 5, 9) == (9, 49)

    def test_a_table_that_restricts_two_cells_under_few_values_of_the_third_needs_no_variable(self) -> None:
        tuples = frozenset(row for row in product((1, 2, 3), repeat=3) if row[1] != 2 or row[0] < row[2])
        without, with_rule = (
            encode(Board(3, 3, 1, rules)).clauses for rules in ((), (Table((0, 1, 2), tuples, "if"),))
        )
        # Under the value: 1 and 2 of the first cell, 2 and 3 of the last go with fewer, and 3 and 1 with none.
        assert (with_rule.variables - without.variables, len(with_rule) - len(without)) == (0, 6)

    def test_an_auxiliary_cell_of_two_values_is_a_variable(self) -> None:
        cells = (AllDifferent((0, 1), "cells"),)
        without, with_cells = (encode(Board(2, 2, 2, cells, auxiliary=more)).clauses for more in ((), (0b110, 0b1010)))
        assert (with_cells.variables - without.variables, len(with_cells)) == (2, len(without))

    def test_states_with_one_future_are_merged(self) -> None:
        wide = Table((0, 1, 2), frozenset(product((1, 2, 3), repeat=3)), "anything")
        assert [len(layer) for layer in automaton.unroll(wide, lambda cell: range(1, 4)) or ()] == [1, 1, 1]

    def test_what_says_the_same_of_other_cells_is_unrolled_once(self) -> None:
        def layers(rule: Linear | Table | Automaton, values: int) -> object:
            return automaton.unroll(rule, lambda cell: range(1, values + 1))

        one = layers(Linear((0, 1, 2), (1, 1, 2), 17, "here"), 9)
        assert layers(Linear((5, 3, 7), (1, 1, 2), 17, "there"), 9) is one
        others = [layers(Linear((0, 1, 2), *rest, "here"), 9) for rest in (((1, 2, 1), 17), ((1, 1, 2), 18))]
        assert all(other != one for other in [*others, layers(Linear((0, 1, 2), (1, 1, 2), 17, "here"), 8)])

    @pytest.mark.parametrize(
        "rule",
        [
            Linear((0, 1), (1, 1), 1, "out of reach"),
            Table((0, 1, 2), frozenset(), "no tuple"),
            Table((0, 1, 2), frozenset({(1, 2, 9)}), "off the board"),
            Automaton((0, 1), frozenset({(0, 1, 0)}), 0, frozenset({7}), "never accepts"),
        ],
        ids=lambda rule: rule.name,
    )
    def test_a_rule_that_nothing_satisfies_unrolls_to_none(self, rule: Linear | Table | Automaton) -> None:
        assert automaton.unroll(rule, lambda cell: range(1, 5)) is None


@pytest.mark.parametrize(
    ("mark", "variables", "clauses"),
    [
        (Mark("sandwich", ((0, 1),), value=15), 84, 920),
        (Mark("x-sum", ((0, 1),), value=25), 284, 3127),
        (Mark("skyscraper", ((0, 1),), value=4), 132, 1348),
        (Mark("quadruple", ((1, 1), (1, 2), (2, 1), (2, 2)), value="1 2"), 8, 64),
        (Mark("arrow", ((1, 1), (1, 2)), (((2, 3), (3, 4), (4, 5), (5, 5)),)), 75, 843),
    ],
    ids=lambda part: part.kind if isinstance(part, Mark) else "",
)
def test_a_rule_adds_what_the_page_on_encodings_says(mark: Mark, variables: int, clauses: int) -> None:
    plain = (Mark("boxes", value="3x3"),)
    without, with_rule = encode(build(9, plain)).clauses, encode(build(9, (*plain, mark))).clauses
    assert (with_rule.variables - without.variables, len(with_rule) - len(without)) == (variables, clauses)
