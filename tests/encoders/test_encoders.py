"""Boards as clauses, as DIMACS text and as CP-SAT models: their sizes and their meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import ceil, comb, sqrt

import numpy as np
import pytest
from pysat.solvers import Solver as PySat

from satdoku import (
    AllDifferent,
    Automaton,
    BackendError,
    Board,
    InputError,
    Linear,
    Puzzle,
    Table,
    __version__,
    classic,
)
from satdoku import testing as kit
from satdoku.encoders import automaton, cpsat, dimacs
from satdoku.encoders.at_most_one import METHODS
from satdoku.encoders.clauses import Clauses, at_least_one, contradiction
from satdoku.encoders.cnf import Cnf, encode, encodings
from satdoku.encoders.houses import cells_by_width
from satdoku.exports import export, heading
from satdoku.puzzle import Mark
from satdoku.variants import build

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

TURNS = Automaton((0, 1, 2), frozenset({(0, 1, 1), (0, 2, 2), (1, 2, 2), (2, 1, 1)}), 0, frozenset({1, 2}), "turns")
MIXED = Board(4, 3, 2, (AllDifferent((0, 1, 2), "house"), Linear((1, 2, 3), (1, 2, -1), 4, "sum"), TURNS))


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


def parse(text: str) -> tuple[list[str], int, list[list[int]]]:
    """Comments, the number of variables and the clauses; the header must tell the truth."""
    lines = text.splitlines()
    comments = [line for line in lines if line.startswith("c")]
    header, *body = lines[len(comments) :]
    problem, kind, variables, count = header.split()
    clauses = [[int(word) for word in line.split()] for line in body]
    assert (problem, kind) == ("p", "cnf")
    assert len(clauses) == int(count)
    assert all(clause[-1] == 0 and 0 not in clause[:-1] for clause in clauses)
    return comments, int(variables), [clause[:-1] for clause in clauses]


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

    def test_states_with_one_future_are_merged(self) -> None:
        wide = Table((0, 1, 2), frozenset(product((1, 2, 3), repeat=3)), "anything")
        assert [len(layer) for layer in automaton.unroll(wide, lambda cell: range(1, 4)) or ()] == [1, 1, 1]

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


def cell_literals(cnf: Cnf) -> Iterator[tuple[int, ...]]:
    board = cnf.board
    return (cnf.variables.literals(cell, value) for cell in range(board.cells) for value in range(1, board.values + 1))


class TestClauses:
    @pytest.mark.parametrize("encoding", sorted(encodings()))
    def test_every_variable_is_mentioned_and_no_clause_is_empty(self, encoding: str) -> None:
        for case in kit.cases(80):
            cnf = encode(case.puzzles[0].board, encoding)
            mentioned = {abs(literal) for clause in cnf.clauses for literal in clause}
            # A cell that no rule binds has digits that no clause needs.
            cells = {abs(literal) for clause in cell_literals(cnf) for literal in clause}
            free = cells if encoding in {"order", "log"} else set()
            assert mentioned | free == set(range(1, cnf.clauses.variables + 1)), case.seed
            assert all(clause for clause in cnf.clauses), case.seed

    @pytest.mark.parametrize("method", METHODS)
    def test_every_at_most_one_has_the_size_of_its_formula(self, method: str) -> None:
        for count in (1, 2, 3, 4, 5, 6, 7, 9, 12, 16, 25, 36):
            assert METHODS[method].size(count) == AT_MOST_ONE[method](count), count

    @pytest.mark.parametrize("count", range(1, 11))
    @pytest.mark.parametrize("method", METHODS)
    def test_every_at_most_one_lets_none_or_one_of_its_literals_be_true(self, method: str, count: int) -> None:
        clauses = Clauses()
        literals = clauses.new_array(2, count)[1].tolist()
        METHODS[method].write(clauses, np.array([literals], dtype=np.int32))
        with PySat("glucose4", bootstrap_with=clauses) as solver:
            fits = sum(
                solver.solve(
                    assumptions=[literal if bit else -literal for literal, bit in zip(literals, bits, strict=True)]
                )
                for bits in product((False, True), repeat=count)
            )
        assert fits == count + 1

    def test_at_most_one_over_several_groups_binds_each_alone(self) -> None:
        for method in METHODS.values():
            clauses = Clauses()
            groups = clauses.new_array(3, 6)
            method.write(clauses, groups)
            with PySat("glucose4", bootstrap_with=clauses) as solver:
                assert solver.solve(assumptions=groups[:, 2].tolist()), method.name
                assert not solver.solve(assumptions=groups[1, 3:5].tolist()), method.name

    def test_clauses_come_out_in_the_order_they_went_in(self) -> None:
        clauses = Clauses()
        clauses.add(1, -2)
        clauses.extend(np.array([[3, 4], [5, 6]], dtype=np.int32))
        clauses.extend(np.zeros((0, 2), dtype=np.int32))
        clauses.add(7)
        assert list(clauses) == [[1, -2], [3, 4], [5, 6], [7]]
        assert len(clauses) == 4

    def test_new_variables_are_numbered_without_gaps(self) -> None:
        clauses = Clauses()
        assert clauses.new() == 1
        assert clauses.new_array(2, 2).tolist() == [[2, 3], [4, 5]]
        assert clauses.new() == clauses.variables == 6

    def test_at_least_one_of_nothing_is_a_contradiction_without_an_empty_clause(self) -> None:
        for write in (contradiction, lambda clauses: at_least_one(clauses, ())):
            clauses = Clauses()
            write(clauses)
            assert list(clauses) == [[1], [-1]]

    def test_an_unknown_encoding_names_the_near_one(self) -> None:
        with pytest.raises(InputError, match="unknown encoding 'extendet': did you mean extended"):
            encode(classic(2, 2), "extendet")


class TestCellsAndVariables:
    @pytest.mark.parametrize("encoding", sorted(CLAUSES))
    def test_reading_gives_back_the_literals_of_a_grid(self, encoding: str) -> None:
        cnf, grid = encode(MIXED, encoding), (1, 2, 3, 3)
        true = {literal for cell, value in enumerate(grid) for literal in cnf.variables.literals(cell, value)}
        others = set(range(1, MIXED.cells * MIXED.values + 1)) - true
        read, message = cnf.read([*true, *(-literal for literal in others), cnf.clauses.variables, 10_000])
        assert read == grid
        assert sorted(-literal for literal in message) == sorted(cnf.block(grid))

    @pytest.mark.parametrize("encoding", sorted(CLAUSES))
    def test_reading_refuses_a_cell_with_two_values_or_none(self, encoding: str) -> None:
        cnf = encode(MIXED, encoding)
        with pytest.raises(BackendError, match=r"^the model gives r1c2 2 and 3$"):
            cnf.read([1, 5, 6, 9, 10])
        with pytest.raises(BackendError, match=r"^the model gives r2c1 no value$"):
            cnf.read([1, 5, -7, -8, -9, 10])
        with pytest.raises(BackendError, match=r"^the model gives r1c1 no value$"):
            cnf.read([])

    @pytest.mark.parametrize("encoding", sorted(CLAUSES))
    def test_block_excludes_one_grid_over_cell_variables_alone(self, encoding: str) -> None:
        cnf, grid = encode(MIXED, encoding), (1, 2, 3, 3)
        cells = {
            abs(literal)
            for cell, value in product(range(MIXED.cells), range(1, MIXED.values + 1))
            for literal in cnf.variables.literals(cell, value)
        }
        assert cnf.clauses.variables > len(cells)
        clause = cnf.block(grid)
        assert {abs(literal) for literal in clause} <= cells
        for other in product(range(1, MIXED.values + 1), repeat=MIXED.cells):
            true = {literal for cell, value in enumerate(other) for literal in cnf.variables.literals(cell, value)}
            excluded = all(-literal in true for literal in clause)
            assert excluded is (other == grid)

    def test_a_given_is_a_literal_and_a_removed_candidate_its_negation(self) -> None:
        board = Board(3, 3, 3, ())
        must, clauses = encode(board).restrict(Puzzle(board, (0b0100, 0b1010, 0b1110)))
        assert (must, clauses) == ([2, -5], [])

    def test_a_cell_without_candidates_loses_all_values(self) -> None:
        board = Board(1, 3, 1, ())
        assert encode(board).restrict(Puzzle(board, (0,))) == ([-1, -2, -3], [])


class TestDimacs:
    @pytest.mark.parametrize("encoding", sorted(encodings()))
    def test_the_text_parses_back_to_the_same_clauses_and_counts(self, encoding: str) -> None:
        for board in (MIXED, classic(2, 2), classic(2, 3)):
            cnf = encode(board, encoding)
            puzzle = Puzzle(board, (2, board.every_value & ~2, *[board.every_value] * (board.cells - 2)))
            must, extra = cnf.restrict(puzzle)
            assert must
            _, variables, clauses = parse("".join(dimacs.write(cnf, puzzle)))
            assert variables == cnf.clauses.variables
            assert clauses == [*cnf.clauses, *([literal] for literal in must), *extra]

    def test_long_runs_of_clauses_are_written_in_full(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(dimacs, "MAX_ROWS", 7)
        cnf = encode(classic(2, 2))
        assert parse("".join(dimacs.write(cnf, Puzzle.from_givens(classic(2, 2), {}))))[2] == list(cnf.clauses)

    def test_the_file_says_what_wrote_it_and_what_its_variables_mean(self) -> None:
        board = classic(2, 2)
        puzzle = Puzzle.from_givens(board, {0: 3, 15: 1}, name="a\nfile:7")
        comments, variables, _ = parse("".join(export(puzzle, "dimacs", "minimal")))
        assert comments[:3] == [
            f"c satdoku {__version__}, encoding minimal",
            "c puzzle a\\nfile:7: 16 cells, 4 values, 4 columns",
            "c givens r1c1=3 r4c4=1",
        ]
        assert comments[3:5] == ["c format line", "c | 3..............1"]
        assert comments[5:] == [
            f"c varname {4 * cell + value} {board.label(cell)}={value}" for cell in range(16) for value in range(1, 5)
        ]
        assert variables == 64

    def test_an_export_without_givens_says_so(self) -> None:
        puzzle = Puzzle.from_givens(classic(2, 2), {})
        assert heading(puzzle, "export lp")[-1] == "givens none"

    def test_an_unknown_target_is_an_input_error(self) -> None:
        with pytest.raises(InputError, match="unknown export 'dimac': did you mean dimacs"):
            export(Puzzle.from_givens(classic(2, 2), {}), "dimac", None)


class TestCpSat:
    @pytest.mark.parametrize(
        ("allowed", "ends"),
        [
            (0, ()),
            (0b10, (1, 1)),
            (0b11110, (1, 4)),
            (0b101100, (2, 3, 5, 5)),
            (0b1010100, (2, 2, 4, 4, 6, 6)),
            (1 << 100 | 1 << 99 | 2, (1, 1, 99, 100)),
        ],
    )
    def test_intervals_are_the_runs_of_the_candidates(self, allowed: int, ends: tuple[int, ...]) -> None:
        assert cpsat.intervals(allowed) == ends

    def test_restrict_sets_the_domains_anew_each_time(self) -> None:
        board = Board(2, 4, 2, ())
        model = cpsat.encode(board)
        for candidates in ((0b10110, 0b1000), (0b11110, 0b10)):
            model.restrict(Puzzle(board, candidates))
            domains = [tuple(model.model.proto.variables[cell.index].domain) for cell in model.cells]
            assert domains == [cpsat.intervals(allowed) for allowed in candidates]

    def test_every_constraint_carries_its_name(self) -> None:
        names = [constraint.name for constraint in cpsat.encode(MIXED).model.proto.constraints]
        assert names == ["house", "sum", "turns"]

    @pytest.mark.parametrize(
        "rule",
        [
            Linear((), (), 0, "holds"),
            Linear((), (), 1, "fails"),
            Table((), frozenset({()}), "holds"),
            Table((0,), frozenset(), "fails"),
            Automaton((), frozenset(), 0, frozenset({0}), "holds"),
            Automaton((0,), frozenset({(0, 1, 0)}), 0, frozenset(), "fails"),
            Automaton((0,), frozenset({(0, 9, 0)}), 0, frozenset({0}), "fails"),
        ],
        ids=repr,
    )
    def test_rules_without_cells_or_words_make_valid_models(self, rule: Linear | Table | Automaton) -> None:
        from ortools.sat.python.cp_model import CpSolver

        model = cpsat.encode(Board(1, 2, 1, (rule,))).model
        assert model.validate() == ""
        assert CpSolver().solve(model).name == ("OPTIMAL" if rule.name == "holds" else "INFEASIBLE")


@pytest.mark.parametrize(
    ("mark", "variables", "clauses"),
    [
        (Mark("sandwich", ((0, 1),), value=15), 84, 920),
        (Mark("x-sum", ((0, 1),), value=25), 284, 3159),
        (Mark("skyscraper", ((0, 1),), value=4), 132, 1443),
        (Mark("quadruple", ((1, 1), (1, 2), (2, 1), (2, 2)), value="1 2"), 8, 100),
        (Mark("arrow", ((1, 1), (1, 2)), (((2, 3), (3, 4), (4, 5), (5, 5)),)), 75, 843),
    ],
    ids=lambda part: part.kind if isinstance(part, Mark) else "",
)
def test_a_rule_adds_what_the_page_on_encodings_says(mark: Mark, variables: int, clauses: int) -> None:
    plain = (Mark("boxes", value="3x3"),)
    without, with_rule = encode(build(9, plain)).clauses, encode(build(9, (*plain, mark))).clauses
    assert (with_rule.variables - without.variables, len(with_rule) - len(without)) == (variables, clauses)


def test_cells_by_width_groups_constraints_by_width_and_leaves_single_cells_out() -> None:
    rules = (
        AllDifferent((0, 1), "a"),
        AllDifferent((2,), "b"),
        AllDifferent((0, 1, 2), "c"),
        AllDifferent((1, 2), "d"),
    )
    groups = cells_by_width(Board(3, 3, 3, rules))
    assert groups == {2: [(0, 1), (1, 2)], 3: [(0, 1, 2)]}
