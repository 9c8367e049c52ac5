"""Boards as clauses, as DIMACS text and as CP-SAT models: their meaning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

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
from satdoku.encoders import cpsat, dimacs
from satdoku.encoders.at_most_one import METHODS
from satdoku.encoders.clauses import Clauses, at_least_one, contradiction
from satdoku.encoders.cnf import Cnf, encode, encodings
from satdoku.encoders.houses import cells_by_width
from satdoku.exports import export, heading

DIRECT = ("efficient", "extended", "minimal")

TURNS = Automaton((0, 1, 2), frozenset({(0, 1, 1), (0, 2, 2), (1, 2, 2), (2, 1, 1)}), 0, frozenset({1, 2}), "turns")
MIXED = Board(4, 3, 2, (AllDifferent((0, 1, 2), "house"), Linear((1, 2, 3), (1, 2, -1), 4, "sum"), TURNS))


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
            left = set(range(1, cnf.clauses.variables + 1)) - mentioned - free
            # Nor does an auxiliary cell of two values need one, which is a variable.
            bound = {cell for constraint in cnf.board.constraints for cell in constraint.cells}
            hidden = enumerate(cnf.board.auxiliary, cnf.board.cells)
            assert len(left) == sum(allowed.bit_count() == 2 and cell not in bound for cell, allowed in hidden), (
                case.seed
            )
            assert all(clause for clause in cnf.clauses), case.seed

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
    @pytest.mark.parametrize("encoding", DIRECT)
    def test_reading_gives_back_the_literals_of_a_grid(self, encoding: str) -> None:
        cnf, grid = encode(MIXED, encoding), (1, 2, 3, 3)
        true = {literal for cell, value in enumerate(grid) for literal in cnf.variables.literals(cell, value)}
        others = set(range(1, MIXED.cells * MIXED.values + 1)) - true
        read, message = cnf.read([*true, *(-literal for literal in others), cnf.clauses.variables, 10_000])
        assert read == grid
        assert sorted(-literal for literal in message) == sorted(cnf.block(grid))

    @pytest.mark.parametrize("encoding", DIRECT)
    def test_reading_refuses_a_cell_with_two_values_or_none(self, encoding: str) -> None:
        cnf = encode(MIXED, encoding)
        with pytest.raises(BackendError, match=r"^the model gives r1c2 2 and 3$"):
            cnf.read([1, 5, 6, 9, 10])
        with pytest.raises(BackendError, match=r"^the model gives r2c1 no value$"):
            cnf.read([1, 5, -7, -8, -9, 10])
        with pytest.raises(BackendError, match=r"^the model gives r1c1 no value$"):
            cnf.read([])

    @pytest.mark.parametrize("encoding", DIRECT)
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


def test_cells_by_width_groups_constraints_by_width_and_leaves_single_cells_out() -> None:
    rules = (
        AllDifferent((0, 1), "a"),
        AllDifferent((2,), "b"),
        AllDifferent((0, 1, 2), "c"),
        AllDifferent((1, 2), "d"),
    )
    groups = cells_by_width(Board(3, 3, 3, rules))
    assert groups == {2: [(0, 1), (1, 2)], 3: [(0, 1, 2)]}
