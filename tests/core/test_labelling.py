"""Puzzles with marks have the same digest if, and only if, a symmetry of the board makes them equal."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations, product
from random import Random

import pytest

import satdoku
from satdoku import Board, Mark, Puzzle
from satdoku import labelling as labels
from satdoku.constraints import AllDifferent, Table
from satdoku.labelling import Edge, labelled, readings
from satdoku.symmetries import marked_digest

Cell = tuple[int, int]
LINES = [
    [bands[row // 2] * 2 + inner[row // 2][row % 2] for row in range(4)]
    for bands in permutations(range(2))
    for inner in product(permutations(range(2)), repeat=2)
]
BOXES = Mark("boxes", value="2x2")
DIFFERENT = frozenset((one, other) for one, other in product(range(1, 5), repeat=2) if one != other)


def moves() -> list[Callable[[Cell], Cell]]:
    """The 128 symmetries of the 4x4 board."""

    def moved(rows: list[int], columns: list[int], turned: bool) -> Callable[[Cell], Cell]:
        return lambda cell: (rows[cell[turned] - 1] + 1, columns[cell[not turned] - 1] + 1)

    return [moved(rows, columns, turned) for rows in LINES for columns in LINES for turned in (False, True)]


def drawn(marks: tuple[Mark, ...], givens: dict[Cell, int], move: Callable[[Cell], Cell]) -> Puzzle:
    at = tuple(
        replace(mark, cells=tuple(map(move, mark.cells)), lines=tuple(tuple(map(move, line)) for line in mark.lines))
        for mark in marks
    )
    return satdoku.build(size=4, marks=[BOXES, *at], givens={move(cell): value for cell, value in givens.items()})


def cage(*cells: Cell) -> Mark:
    return Mark("cage", tuple(sorted(cells)), value=5)


def sign(*cells: Cell) -> Mark:
    return Mark("greater-than", cells)


def region(*cells: Cell) -> Mark:
    return Mark("extra-region", tuple(sorted(cells)))


@pytest.mark.parametrize("make", [cage, sign, region])
def test_equal_are_those_that_one_of_all_symmetries_maps(make: Callable[..., Mark]) -> None:
    """One or two marks at random and a given, whose value does not matter where values may be renamed."""
    random, every = Random(3), moves()
    classes: dict[object, bytes] = {}
    cells: list[Cell] = [(row, column) for row in range(1, 5) for column in range(1, 5)]
    beside = [((row, column), (row, column + 1)) for row, column in cells if column < 4]
    near = [*beside, *(((column, row), (column - 1, row)) for row, column in cells if column > 1)]
    for _ in range(60):
        marks = tuple(make(*two) for two in random.sample(near, random.choice((1, 1, 2))))
        given, value = random.choice(cells), random.choice((1, 2))
        forms = []
        for move in every:
            places = [list(map(move, mark.cells)) for mark in marks]
            ordered = sorted(places if make is sign else map(sorted, places))
            forms.append((ordered, move(given), 0 if make is region else value))
        digest = marked_digest(drawn(marks, {given: value}, random.choice(every)))
        assert classes.setdefault(str(min(forms)), digest) == digest
    assert len(set(classes.values())) == len(classes)
    assert 8 < len(classes) < 58


def test_boards_that_refinement_alone_does_not_tell_apart() -> None:
    def ring(*lengths: int) -> Board:
        cells = iter(range(6))
        rings = [[next(cells) for _ in range(length)] for length in lengths]
        pairs = [two for one in rings for two in zip(one, [*one[1:], one[0]], strict=True)]
        return Board(6, 4, 6, tuple(Table(two, DIFFERENT, "pair") for two in pairs))

    one, two = (marked_digest(Puzzle.from_givens(ring(*lengths), {})) for lengths in ((6,), (3, 3)))
    assert one != two


def test_a_line_drawn_from_its_other_end_is_equal_where_its_rule_reads_it_so() -> None:
    path = ((1, 1), (1, 2), (2, 3), (3, 3))

    def digest(kind: str, line: tuple[Cell, ...]) -> bytes:
        return marked_digest(drawn((Mark(kind, lines=(line,)),), {(4, 4): 1}, lambda cell: cell))

    assert digest("palindrome", path) == digest("palindrome", path[::-1])
    assert digest("thermometer", path) != digest("thermometer", path[::-1])


def read(*every: str) -> labels.Readings:
    """The readings of an automaton for words of one length that has a state for each beginning of a word."""
    states = {"": 0}
    for word in every:
        for end in range(1, len(word) + 1):
            states.setdefault(word[:end], len(states))
    steps = frozenset((states[one[:-1]], int(one[-1]), state) for one, state in states.items() if one)
    return readings(steps, 0, frozenset(states[word] for word in every), len(every[0]))


def test_readings_are_those_of_the_language() -> None:
    def words(*every: str) -> tuple[int, int]:
        found = read(*every)
        return found.forth, found.back

    assert words("12", "32") == words("32", "12") != words("12")
    assert words("123", "133") == words("321", "331")[::-1]
    assert words("121", "323")[0] == words("121", "323")[1]
    assert read("12", "32").words == frozenset({(1, 2), (3, 2)})


def test_places_whose_values_may_be_exchanged() -> None:
    """Of the first two; of none; of the first and the third, and of the second and the fourth; of all."""
    assert read("123", "213")[2:4] == ((0, 0, 2), (1, 1, 0))
    assert read("1234", "4321")[2:4] == ((0, 1, 2, 3), (3, 2, 1, 0))
    assert read("1324", "2314", "1423", "2413")[2:4] == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert read(*map("".join, permutations("1234")))[2:4] == ((0,) * 4, (0,) * 4)


def test_automorphisms_of_a_board_are_found_whole() -> None:
    board = satdoku.classic(2, 2)
    edges = [Edge("different", (0,) * 4, rule.cells) for rule in board.constraints]
    found = labelled(
        [0] * 16, edges, lambda places: tuple(sorted(tuple(sorted(places[c] for c in e.cells)) for e in edges))
    )
    assert len(found.orders(1000) or ()) == 128
    assert found.orders(100) is None


def test_a_board_with_too_many_symmetries_is_turned_and_reflected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "MAX_LOOKS", 100)
    mark, given = cage((1, 1), (1, 2)), {(1, 3): 1}

    def digest(move: Callable[[Cell], Cell]) -> bytes:
        return marked_digest(drawn((mark, sign((4, 1), (4, 2))), given, move))

    same = digest(lambda cell: cell)
    assert digest(lambda cell: (5 - cell[1], cell[0])) == same
    assert digest(lambda cell: ((2, 1, 3, 4)[cell[0] - 1], cell[1])) != same


def test_houses_alone() -> None:
    """Of two rings of cells that all differ, whatever their cells are numbered."""
    board = Board(6, 3, 6, (AllDifferent((0, 1, 2), "a"), AllDifferent((3, 4, 5), "b")))
    other = Board(6, 3, 6, (AllDifferent((0, 2, 4), "a"), AllDifferent((1, 3, 5), "b")))
    first, second = Puzzle.from_givens(board, (1, 0, 0, 2, 0, 0)), Puzzle.from_givens(other, (3, 1, 0, 0, 0, 0))
    third = Puzzle.from_givens(other, (3, 0, 1, 0, 0, 0))
    assert marked_digest(first) == marked_digest(second) != marked_digest(third)
