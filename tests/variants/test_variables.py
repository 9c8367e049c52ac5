"""Variables beside the grid, cells that other rules name, grids without houses: brute force, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from support.boards import BOXED
from support.drawing import MarkedSquare, Values, grids
from support.oracles import MAKERS, ORACLES
from support.oracles.variables import assignments

import satdoku
from satdoku import FormatError, Mark, Puzzle, Verdict, count, read, solve, write
from satdoku.errors import PuzzleError
from satdoku.pictures.picture import Picture, extent, strokes
from satdoku.puzzle import Size
from satdoku.referee import violations
from satdoku.variants import build
from satdoku.variants.places import every_place, label, name_of, named, run
from satdoku.variants.strokes import Line, Text
from satdoku.variants.values import ANY_NUMBERS

PUZZLES = Path(__file__).parents[2] / "puzzles" / "variants"
BACKENDS = ("glucose4", "cpsat", "backtrack")
HEAD = 'size = 4\nboxes = "2x2"\n'
KINDS = sorted(
    {"arrow", "cage", "thermometer", "sum", "pair", "regex", "automaton", "between", "count", "any", "entropic"}
)
KINDS += [
    "quadruple",
    "renban",
    "equal-sum",
    "same-values",
    "clone",
    "product",
    "modular",
    "index-line",
    "xv",
    "whispers",
]


def over_variables(mark: Mark, rng: Random, names: list[str]) -> Mark:
    """The mark with a variable in place of a cell or two."""
    cells = sorted(set(every_place(mark)))
    taken = rng.sample(cells, min(len(cells), rng.randint(1, 2)))
    at = {cell: named(rng.choice(names)) for cell in taken}

    def moved(part: Mark) -> Mark:
        own, *lines = (tuple(at.get(cell, cell) for cell in line) for line in (part.cells, *part.lines))
        return replace(part, cells=own, lines=tuple(lines), marks=tuple(map(moved, part.marks)))

    return moved(mark)


def expected(drawing: MarkedSquare) -> set[tuple[int, ...]]:
    """The grids that some values of the variables go with."""

    def obeys(at: Values) -> bool:
        return all(ORACLES[mark.kind](drawing, mark, at) for mark in drawing.marks if mark.kind != "boxes")

    every = list(assignments(drawing))
    found = (at for at in grids(drawing, {}) if any(obeys({**at, **values}) for values in every))
    return {tuple(at.values()) for at in found}


@pytest.mark.parametrize("kind", KINDS)
def test_grids_are_those_that_some_values_of_variables_go_with(kind: str) -> None:
    rng = Random(kind)
    values = rng.choice(("", ": 1-3", ": 2 4 6", ": 1-7") if kind in ANY_NUMBERS else ("", ": 2 4"))
    declared = (Mark("variable", value=f"A{values}"), Mark("variable", value="B 2: 1 3-4"))
    marks = [over_variables(MAKERS[kind](rng, BOXED, None), rng, ["A", "B1", "B2"]) for _ in range(2)]
    marks.append(Mark("thermometer", lines=((named("B1"), (1, 2), named("A")),)))
    drawing = replace(BOXED, marks=(*BOXED.marks, *declared, *marks))
    puzzle, right = Puzzle.from_givens(build(4, drawing.marks), {}), expected(drawing)
    for backend in BACKENDS:
        found = solve(puzzle, limit=None, backend=backend)
        assert (set(found.grids), found.count) == (right, len(right)), backend
    wrong = next(iter({tuple(at.values()) for at in grids(BOXED, {})} - right))
    assert any("auxiliary" in fault for fault in violations(puzzle, wrong))


@pytest.mark.parametrize("kind", ["cage", "thermometer", "sum", "contain-exact", "palindrome"])
def test_a_free_grid_is_every_grid_that_obeys_the_marks(kind: str) -> None:
    rng, drawing = Random(f"free {kind}"), MarkedSquare(3)
    marks = tuple(MAKERS[kind](rng, drawing, None) for _ in range(2))
    puzzle = Puzzle.from_givens(build(3, (Mark("free-grid"), *marks)), {4: 2})
    every = (dict(zip(drawing.positions, values, strict=True)) for values in product(drawing.digits, repeat=9))
    right = {tuple(at.values()) for at in every if at[2, 2] == 2 and all(ORACLES[kind](drawing, m, at) for m in marks)}
    for backend in BACKENDS:
        assert set(solve(puzzle, limit=None, backend=backend).grids) == right != set()


def test_a_thousand_cells_with_a_few_houses() -> None:
    houses = [Mark("extra-region", tuple((row, column) for column in range(1, 33))) for row in range(1, 33, 8)]
    puzzle = Puzzle.from_givens(build(32, (Mark("free-grid"), *houses)), {0: 1, 1023: 5})
    found = satdoku.check(puzzle)
    assert found.verdict is Verdict.MULTIPLE
    assert len(found.grids[0]) == 1024
    assert found.grids[0][-1] == 5
    assert satdoku.check(Puzzle.from_givens(puzzle.board, {0: 1, 5: 1})).verdict is Verdict.UNSOLVABLE


TOTAL = 'sum = [{ terms = "r1c1 + r1c2", is = "= T" }]'
EITHER = (
    'any = [[{ kind = "clone", cells = "r1c1", copy = "A" }, { kind = "pair", line = "r4c4 A", when = "b - a == 5" }]]'
)


@pytest.mark.parametrize(
    ("rules", "marks", "number"),
    [
        ('["doublers", "variable T: 3"]', TOTAL, 32),  # as with the number itself
        ('["negators", "variable T: 3-4"]', TOTAL, 80),
        ('["variable A: 6"]', EITHER, 72),
    ],
)
def test_variables_with_other_rules(rules: str, marks: str, number: int) -> None:
    assert count(read(f"{HEAD}rules = {rules}\n{marks}\n"), limit=None).count == number


def test_cells_that_rules_name() -> None:
    zero = 'size = 4\nvalues = "0-4"\nboxes = "2x2"\nrules = ["doppelganger"]\n'
    lacking = read(f'{zero}count = [{{ cells = "ROW1", value = "2: 1" }}]\n')
    assert count(lacking, limit=None).count == 192  # a fourth of the 768 that other programs count
    chaos = 'size = 3\nboxes = "none"\nrules = ["chaos-construction"]\n'
    same = count(read(chaos + 'same-region = ["r1c1 r2c2"]\n'), limit=None).count
    assert (
        count(read(chaos + 'clone = [{ cells = "regions_r1c1", copy = "regions_r2c2" }]\n'), limit=None).count == same
    )
    assert same


def test_toml_and_the_functions_name_variables_alike() -> None:
    text = f'{HEAD}rules = ["variable S 3: 1 3"]\nthermometer = ["S1-S3 r4c4"]\n'
    puzzle = read(text)
    made = satdoku.build(size=4, marks=[satdoku.marks.variable("S 3: 1 3"), satdoku.marks.thermometer("S1 - S3, r4c4")])
    assert made == puzzle
    assert read(write(puzzle, "toml")) == puzzle
    assert [label(cell) for cell in run(named("S3"), named("S1"))] == ["S3", "S2", "S1"]
    assert run(named("S1"), named("T3")) == run(named("S1"), (1, 1)) == ()
    assert (name_of((-(1 << 40), 0)), name_of((1, 1))) == (None, None)


@pytest.mark.parametrize(
    ("rules", "marks", "reason"),
    [
        ('"variable A"', 'thermometer = ["B r1c1"]', "B is outside the 4x4 grid, and no variable"),
        ('"variable A 2"', 'thermometer = ["A r1c1"]', "A is outside the 4x4 grid"),
        ('"variable A", "variable A: 2"', "", "^rules 2, variable: a second cell A"),
        ('"variable a"', "", "expected a name in capitals"),
        ('"variable A: 0-3"', "", "values '0-3': expected some of 1 to 256"),
        ('"variable A: 9-3"', "", "values '9-3'"),
        ('"variable A 5000"', "", "expected a name in capitals"),
        ('"variable A: 1-9"', 'entropic = ["r1c1 r1c2 A"]', "entropic: a variable on it has values beyond 1..4"),
        ('"variable A"', 'minimum = "A"', "A is not in the grid, and has no neighbours"),
        ('"variable A"', 'region-sum = ["A r1c1 r3c3"]', "A is in no box or region"),
        ('"variable A", "chaos-construction"', 'same-region = ["A r1c1"]', "A is not in the grid, and has no regions"),
        ('"variable A"', 'thermometer = ["A-r1c1"]', "not a straight run"),
    ],
)  # fmt: skip
def test_what_is_refused(rules: str, marks: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read(f"{HEAD}rules = [{rules}]\n{marks}\n")


def test_refused_where_cells_hold_two_digits() -> None:
    with pytest.raises(PuzzleError, match="not defined on a board with variables"):
        build(Size.of(4, values=range(5)), (*BOXED.marks, Mark("schroedinger"), Mark("variable", value="A")))


def test_pictures_have_variables_below_the_grid() -> None:
    puzzle = read(f'{HEAD}rules = ["variable S 5"]\nthermometer = ["S5 S1 r4c1"]\n')
    drawn = list(strokes(Picture(puzzle)))
    texts = {stroke.text: stroke.at for stroke in drawn if isinstance(stroke, Text)}
    assert sorted(texts) == ["S1", "S2", "S3", "S4", "S5"]
    assert all(row > 5 for row, _ in texts.values())
    assert texts["S5"][0] > texts["S4"][0]
    line = next(stroke for stroke in drawn if isinstance(stroke, Line) and stroke.width == 0.3)
    assert line.points == ((7, 1), (6, 1), (4, 1))
    assert extent(tuple(part for part in drawn if isinstance(part, Line)))[2] < 8


def test_the_setter_knows_variables() -> None:
    puzzle = satdoku.load(str(PUZZLES / "variable.toml"))
    explanation = satdoku.explain(puzzle)
    assert explanation.steps
    assert any("S" in str(step) for step in explanation.steps)
    assert satdoku.candidates(puzzle).solutions == 1
