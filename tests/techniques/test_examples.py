"""A position for each technique: it finds its step there, the step holds, and so it does when the grid is turned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from support.puzzles import puzzle_in

import satdoku
from satdoku import Budget, Puzzle, Session, classic
from satdoku.puzzle import members
from satdoku.techniques.families import connected, exclusion, kraken, marks, together
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.orders import ORDERS, SE
from satdoku.techniques.registry import techniques
from satdoku.techniques.step import Level, Step
from satdoku.techniques.words import conclusion

NINE = classic(3, 3)
WITHOUT = {"other constraint"} | {
    technique.name for family in (connected, exclusion, kraken, marks, together) for technique in family.TECHNIQUES
}
"""Techniques that find nothing on a plain board; other files here have them."""
FEW = {"Franken X-wing", "avoidable rectangle (type 2)", "unique rectangle (type 5)"}
"""Those that random puzzles have so seldom that there is no example."""
RATINGS = {
    "dynamic forcing chain": 9.0,
    "dynamic forcing chain (plus)": 9.9,
    "dynamic forcing chain (plus forcing chains)": 10.3,
    "dynamic forcing chain (plus multiple forcing chains)": 11.2,
    "dynamic forcing chain (plus dynamic forcing chains)": 11.4,
}
"""What SukakuExplainer gives for the step in the position of the example."""


class Example(NamedTuple):
    technique: str
    givens: str
    left: list[int]
    expected: str

    def grid(self, turned: bool = False, unique: bool = True) -> CandidateGrid:
        """The position; `turned`: rows as columns."""
        order = [9 * (cell % 9) + cell // 9 for cell in range(81)] if turned else range(81)
        puzzle = satdoku.read("".join(self.givens[cell] for cell in order))
        grid = CandidateGrid(puzzle, unique=unique)
        # A cell of one candidate counts as solved where no other that it sees may have it.
        for cell, old in enumerate(order):
            allowed = self.left[old]
            grid.strike([(value, 1 << cell) for value in members(grid.left[cell] & ~allowed)])
        solved = self.solved
        for cell, old in enumerate(order):
            if old in solved and not grid.values[cell]:
                grid.place(cell, self.left[old].bit_length() - 1)
        return grid

    @property
    def solved(self) -> set[int]:
        """The cells with one candidate that none of those that they see has."""
        one = {cell for cell, allowed in enumerate(self.left) if allowed.bit_count() == 1}
        return {cell for cell in one if not any(self.left[other] & self.left[cell] for other in NINE.peers[cell])}


def examples() -> list[Example]:
    found = []
    for line in Path(__file__).with_name("examples.txt").read_text().splitlines():
        technique, givens, cells, expected = line.split("|")
        left = [sum(1 << int(value) for value in cell) for cell in cells.split(",")]
        found.append(Example(technique, givens, left, expected))
    return found


EXAMPLES = {example.technique: example for example in examples()}


def effect(step: Step) -> tuple[object, ...]:
    return step.placements, sorted(step.eliminations)


def turned(step: Step) -> tuple[object, ...]:
    """The effect with rows as columns."""
    placements = tuple((9 * (cell % 9) + cell // 9, value) for cell, value in step.placements)
    strikes = [(v, sum(1 << 9 * (cell % 9) + cell // 9 for cell in members(cells))) for v, cells in step.eliminations]
    return placements, sorted(strikes)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session("glucose4") as session:
        yield session


def holds(example: Example, step: Step, session: Session) -> bool:
    """Whether no solution has what is excluded; for what rests on uniqueness, of the puzzle, else of the candidates."""
    unique = techniques()[step.technique].needs_uniqueness
    grid = example.grid()
    if unique:
        (solution,) = session.run(satdoku.read(example.givens), Budget(2)).grids
        return all(solution[cell] != v for v, cells in step.eliminations for cell in members(cells))
    without = [(cell, 1 << v) for v, cells in step.eliminations for cell in members(cells)]
    without += [(cell, NINE.every_value & ~(1 << v)) for cell, v in step.placements]
    for cell, allowed in without:
        left = grid.left[:81]
        left[cell] &= allowed
        if session.run(Puzzle(NINE, tuple(left)), Budget(1)).count:
            return False
    return True


def test_every_technique_has_an_example() -> None:
    assert EXAMPLES.keys() | WITHOUT | FEW == techniques().keys()
    assert not EXAMPLES.keys() & (WITHOUT | FEW)


def test_orders_name_techniques_each_once() -> None:
    for names in (*ORDERS.values(), SE):
        assert len({*names}) == len(names)
        assert {*names} <= techniques().keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_it_finds_its_step_which_holds(name: str, session: Session) -> None:
    example = EXAMPLES[name]
    grid = example.grid()
    step = next(techniques()[name].steps(grid))
    assert conclusion(NINE, step.placements, step.eliminations) == example.expected
    assert step.technique == name
    assert name not in RATINGS or techniques()[name].explainer_rating(step) == RATINGS[name]
    assert grid.present(step.eliminations) == step.eliminations
    assert holds(example, step, session)
    assert step.sentence(NINE).startswith(f"{example.expected} ({name}): ")
    for value, cells in step.pattern:
        assert all(grid.left[cell] >> value & 1 or name.startswith(("forcing", "nested")) for cell in members(cells))


@pytest.mark.parametrize("name", [name for name in EXAMPLES if not re.search("nested|net|chains", name)])
def test_it_finds_as_much_when_rows_are_columns(name: str) -> None:
    example = EXAMPLES[name]
    technique = techniques()[name]
    wanted = turned(next(technique.steps(example.grid())))
    assert any(effect(step) == wanted for step in technique.steps(example.grid(turned=True)))


@pytest.mark.parametrize("name", [name for name in EXAMPLES if techniques()[name].level is Level.FISH])
def test_what_is_remembered_of_a_value_lasts_until_its_places_change(name: str) -> None:
    grid, technique = EXAMPLES[name].grid(), techniques()[name]
    found = list(technique.steps(grid))
    assert list(technique.steps(grid)) == found
    for step in found:
        step.apply(grid)
    assert [step for step in technique.steps(grid) if not grid.present(step.eliminations)] == []


@pytest.mark.parametrize("name", [name for name in EXAMPLES if techniques()[name].needs_uniqueness])
def test_without_known_uniqueness_it_finds_nothing(name: str) -> None:
    assert next(techniques()[name].steps(EXAMPLES[name].grid(unique=False)), None) is None


@pytest.mark.parametrize(("puzzle", "technique", "mark"), [
    ("cage", "cage combinations", "cage"), ("quadruple", "counted digits", "quadruple"),
    ("regex", "other constraint", "regex")])  # fmt: skip
def test_a_mark_alone_names_the_mark(puzzle: str, technique: str, mark: str) -> None:
    steps = list(techniques()[technique].steps(CandidateGrid(puzzle_in(f"variants/{puzzle}.toml"))))
    assert steps
    assert all(step.houses[0].startswith(mark) and step.because.startswith(step.houses[0]) for step in steps)
