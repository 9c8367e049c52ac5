"""The formula of a certificate against brute force and against the definitions of the four constraints."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from itertools import product
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from pysat.solvers import Solver
from support.certificates import ROOT, refusal, rewrite
from support.cli import run

import satdoku
from satdoku import AllDifferent, Automaton, Board, Linear, Puzzle, Table
from satdoku.constraints import Constraint, Grid
from satdoku.kernels import rup
from satdoku.proofs import formula as formulas
from satdoku.proofs.formula import formula
from satdoku.proofs.loaded import LoadedFormulas
from satdoku.puzzle import members

VALUES = 4


def grids(board: Board) -> set[Grid]:
    """What the formula allows the grid cells, found by a solver that forbids one grid after the other."""
    found: set[Grid] = set()
    puzzle = Puzzle.from_givens(board, {})
    with Solver("minisat22", list(formula(puzzle))) as solver:
        while solver.solve():
            true = {literal for literal in solver.get_model() if literal > 0}
            size = formula(puzzle).values
            grid = [[v for v in range(1, size + 1) if cell * size + v in true] for cell in range(board.cells)]
            assert all(len(values) == 1 for values in grid)
            found.add(tuple(values[0] for values in grid))
            solver.add_clause([-(cell * size + values[0]) for cell, values in enumerate(grid)])
    return found


def solutions(board: Board) -> set[Grid]:
    """By the definitions: grids for which some values of the auxiliary cells satisfy every constraint."""
    domains = [tuple(members(board.domain(cell))) for cell in range(board.cells + len(board.auxiliary))]
    fitting = (grid for grid in product(*domains) if all(constraint.holds(grid) for constraint in board.constraints))
    return {grid[: board.cells] for grid in fitting}


def table(rng: Random, cells: tuple[int, ...]) -> Table:
    rows = list(product(range(VALUES + 2), repeat=len(cells)))  # some outside the values
    return Table(cells, frozenset(rng.sample(rows, rng.randint(0, len(rows) // 2))), "table")


def linear(rng: Random, cells: tuple[int, ...]) -> Linear:
    weights = tuple(rng.choice((-3, -1, 1, 1, 2, 10)) for _ in cells)
    total = sum(weight * rng.randint(1, VALUES) for weight in weights) + rng.choice((0, 0, 0, 1))
    return Linear(cells, weights, total, "sum")


def automaton(rng: Random, cells: tuple[int, ...]) -> Automaton:
    """Over states -1 to 3, a cell read twice now and then."""
    steps = [(q, v, rng.randint(-1, 3)) for q in range(-1, 4) for v in range(VALUES + 1) if rng.random() < 0.7]
    read = cells + (cells[:1] if rng.random() < 0.3 else ())
    accepting = frozenset(rng.sample(range(-1, 4), rng.randint(0, 3)))
    return Automaton(read, frozenset(steps), rng.randint(-1, 3), accepting, "automaton")


MAKERS = {"Table": table, "Linear": linear, "Automaton": automaton}


@pytest.mark.parametrize("kind", MAKERS)
@pytest.mark.parametrize("seed", range(40))
def test_each_kind_of_constraint_allows_what_its_definition_does(kind: str, seed: int) -> None:
    rng = Random(f"{kind} {seed}")
    count = rng.randint(1, 4)
    cells = tuple(rng.sample(range(count), rng.randint(1, count)))
    board = Board(count, VALUES, count, (MAKERS[kind](rng, cells),))
    assert grids(board) == solutions(board)


@pytest.mark.parametrize("kind", ["Linear", "Automaton"])
@pytest.mark.parametrize("seed", range(40))
def test_without_clauses_that_hold_states_apart(kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The values of the cells lead to one state; that there is no other needs no clause."""
    monkeypatch.setattr(formulas, "MAX_APART", 1)
    formulas._numbered.cache_clear()
    board = Board(3, VALUES, 3, (MAKERS[kind](Random(f"{kind} {seed} apart"), (0, 2, 1)),))
    assert grids(board) == solutions(board)
    formulas._numbered.cache_clear()


@pytest.mark.parametrize("seed", range(40))
def test_constraints_together_and_auxiliary_cells(seed: int) -> None:
    """Auxiliary cells have domains of their own, also beyond N; a grid counts once."""
    rng = Random(seed)
    auxiliary = tuple(rng.choice((0b110, 0b1010100, 0b10, 0b100000)) for _ in range(rng.randint(0, 2)))
    every = range(3 + len(auxiliary))
    constraints: list[Constraint] = [
        maker(rng, tuple(rng.sample(every, rng.randint(1, 3)))) for maker in MAKERS.values() if rng.random() < 0.6
    ]
    if rng.random() < 0.5:
        constraints.append(AllDifferent(tuple(rng.sample(range(3), 2)), "pair"))
    board = Board(3, VALUES, 3, tuple(constraints), auxiliary=auxiliary)
    assert grids(board) == solutions(board)


@pytest.mark.parametrize("seed", range(60))
def test_the_sum_of_cells_that_differ_allows_what_its_definition_does(seed: int) -> None:
    """Cells of any domains, all or some of those that differ, and of a weight that is not 1."""
    rng = Random(seed)
    auxiliary = tuple(rng.choice((0b111110, 0b1010100, 0b1101000)) for _ in range(rng.randint(0, 2)))
    cells = rng.sample(range(3 + len(auxiliary)), rng.randint(3, 3 + len(auxiliary)))
    weight = rng.choice((1, 1, 2, -1))
    summed = tuple(cells[: rng.randint(3, len(cells))])
    total = weight * rng.randint(6, 14) + (rng.random() < 0.1)
    constraints = (AllDifferent(tuple(cells), "cage"), Linear(summed, (weight,) * len(summed), total, "sum"))
    board = Board(3, VALUES, 3, constraints, auxiliary=auxiliary)
    assert grids(board) == solutions(board)


@pytest.mark.parametrize("seed", range(40))
def test_propagation_alone_finds_what_a_pair_or_a_table_leaves(seed: int) -> None:
    rng = Random(seed)
    count = rng.randint(2, 3)
    rule = table(rng, tuple(range(count))) if seed % 2 or count == 3 else linear(rng, (0, 1))
    board = Board(count, VALUES, count, (rule,))
    allowed = tuple(rng.choice((0b11110, 0b110, 0b10010, 0b11010)) for _ in range(count))
    puzzle = Puzzle(board, allowed)
    left = {grid for grid in solutions(board) if all(a >> v & 1 for a, v in zip(allowed, grid, strict=True))}
    state = LoadedFormulas().state(formula(puzzle))
    assert bool(state.numbers[rup.CONFLICT]) is not bool(left)
    if left:
        undecided = {variable for variable in range(1, count * VALUES + 1) if state.value[2 * variable] != rup.FALSE}
        assert undecided == {cell * VALUES + value for grid in left for cell, value in enumerate(grid)}


def test_a_sum_of_too_many_states_has_no_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board(4, VALUES, 4, (Linear((0, 1, 2, 3), (1, 10, 100, 1000), 1234, "a number"),))
    assert formulas.refusal(board) is None
    monkeypatch.setattr(formulas, "MAX_STATES", 8)
    formulas.refusal.cache_clear()
    formulas.Layers.of.cache_clear()
    assert formulas.refusal(board) == "a number takes over 8 sums or states, and certificates have up to that"
    formulas.refusal.cache_clear()
    formulas.Layers.of.cache_clear()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The certificate of a variant, made once."""

    @cache
    def of(name: str) -> Path:
        folder = tmp_path_factory.mktemp("made") / name
        assert run("certify", str(ROOT / f"puzzles/variants/{name}.toml"), "-o", str(folder)).exit_code == 0
        assert run("verify", str(folder)).exit_code == 0
        return folder

    return of


CHANGES = {
    "a value": (r"(value = )(\d)", lambda found: found[1] + str(int(found[2]) % 9 + 1)),
    "a cell": (r'("r)(\d)', lambda found: found[1] + str(int(found[2]) % 9 + 1)),
    "a region": (r'boxes = "3x3"', lambda found: 'boxes = "none"'),
}


@pytest.mark.parametrize(
    ("name", "change"),
    [(name, change) for name in ("cage", "sandwich") for change in CHANGES]
    + [("frame-sum", "a value"), ("frame-sum", "a region")]
    + [(name, change) for name in ("arrow", "renban", "thermometer", "xv") for change in ("a cell", "a region")],
)
def test_a_mark_that_is_changed_is_refused(name: str, change: str, tmp_path: Path, made: Callable[[str], Path]) -> None:
    folder, (pattern, new) = tmp_path / "made", CHANGES[change]
    copytree(made(name), folder)
    rewrite(folder, "puzzle.txt", lambda text: re.sub(pattern, new, text, count=1))
    assert refusal(folder)


@pytest.mark.parametrize("name", ["cage", "arrow", "automaton", "sandwich", "quadruple", "palindrome"])
def test_a_solver_that_is_not_ours_agrees_on_the_formula(name: str) -> None:
    """Without its last clause the formula has the solution, with it nothing."""
    puzzle = satdoku.load(str(ROOT / f"puzzles/variants/{name}.toml"))
    solution = satdoku.check(puzzle).grids[0]
    *clauses, last = formula(puzzle, solution)
    with Solver("cadical153", clauses) as solver:
        assert solver.solve()
        solver.add_clause(last)
        assert not solver.solve()


@pytest.mark.parametrize("name", ["cage", "arrow", "sandwich"])
@pytest.mark.parametrize("program", ["cadical", "minisat"])
def test_programs_agree_on_the_file(name: str, program: str, tmp_path: Path) -> None:
    """Exit statuses of the SAT competition: 10 without the last clause, 20 with it."""
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not on PATH")
    puzzle = satdoku.load(str(ROOT / f"puzzles/variants/{name}.toml"))
    text = formula(puzzle, satdoku.check(puzzle).grids[0]).text()
    head, _, rest = text.partition("\n")
    clauses = rest.splitlines()
    shorter = "\n".join([head.replace(str(len(clauses)), str(len(clauses) - 1)), *clauses[:-1], ""])
    for written, status in ((shorter, 10), (text, 20)):
        tmp_path.joinpath("formula.cnf").write_text(written)
        done = subprocess.run([program, str(tmp_path / "formula.cnf")], check=False, capture_output=True)
        assert done.returncode == status


@pytest.mark.parametrize("name", ["chaos-construction", "modifiers", "schroedinger"])
def test_what_a_solution_says_beside_digits_is_part_of_a_certificate(name: str, tmp_path: Path) -> None:
    folder, path = tmp_path / "made", str(ROOT / f"puzzles/variants/{name}.toml")
    assert run("certify", path, "-o", str(folder)).exit_code == 0
    assert run("verify", str(folder)).exit_code == 0
    kept = tmp_path / "kept.jsonl"
    assert run("check", "--certified", "--proofs", str(kept), path).exit_code == 0
    assert run("verify", str(kept)).exit_code == 0
    rewrite(folder, "grids.txt", lambda text: text.split()[0] + "\n")
    assert "of the grid and its layers" in refusal(folder)
