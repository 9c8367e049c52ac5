"""Every format that can hold a puzzle gives it back, constraints and metadata, or names what it cannot hold."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satdoku
from satdoku import Grid, Mark, Puzzle, Refused
from satdoku.errors import PuzzleError
from satdoku.formats import METADATA, Options, detect, formats
from satdoku.puzzle import Position
from satdoku.variants import REGIONS, Kind, Shape, build, kinds
from satdoku.variants.boxes import Box

TEXTS = ["", "A title", 'with "quotes" \\ and\na line', "日本 é\t"]


def regions(rng: Random, size: int) -> tuple[Mark, ...]:
    """Boxes of one of the shapes, no division, rows as regions, or regions that a few exchanges have changed."""
    shapes = [Box(rows, size // rows) for rows in range(2, size // 2 + 1) if size % rows == 0]
    choice = rng.randrange(4)
    if shapes and choice < 2:
        return (Mark("boxes", value=str(rng.choice(shapes))),)
    if choice == 2:
        return ()
    labels = [cell // size for cell in range(size * size)]
    for _ in range(rng.randint(0, size)):
        first, second = rng.sample(range(size * size), 2)
        labels[first], labels[second] = labels[second], labels[first]
    numbered: dict[int, list[Position]] = {}
    for cell, label in enumerate(labels):
        numbered.setdefault(label, []).append((cell // size + 1, cell % size + 1))
    return tuple(Mark("region", tuple(numbered[label])) for label in range(size))


def walk(rng: Random, size: int, length: int) -> tuple[Position, ...]:
    """Cells of which each touches the one before."""
    found = [(rng.randint(1, size), rng.randint(1, size))]
    while len(found) < length:
        row, column = found[-1]
        near = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
        found.append(rng.choice([place for place in near if all(1 <= part <= size for part in place)]))
    return tuple(dict.fromkeys(found))


def random_value(rng: Random, kind: Kind, size: int) -> int | str | None:
    """A value that fits the type of the kind's values; None where it has none or may be left out."""
    if kind.value is None or not (kind.value.required or rng.random() < 0.7):
        return None
    value = rng.randint(0, 2 * size)
    if kind.value.words:
        return rng.choice(kind.value.words)
    if kind.value.several:
        return " ".join(str(rng.randint(1, size)) for _ in range(rng.randint(1, 4)))
    return value


def random_mark(rng: Random, kind: Kind, size: int) -> Mark:
    """A mark of the kind's shape with a value that fits; it need not make sense."""
    value = random_value(rng, kind, size)
    line = walk(rng, size, rng.randint(2, 5))
    side = rng.randint(1, size)
    clue = rng.choice([(0, side), (size + 1, side), (side, 0), (side, size + 1)])
    match kind.shape:
        case Shape.RULE:
            return Mark(kind.name, value=value)
        case Shape.CELL:
            return Mark(kind.name, line[:1], value=value)
        case Shape.CELLS:
            return Mark(kind.name, rng.choice([line, line[:2], line[:4]]), value=value)
        case Shape.LINE:
            return Mark(kind.name, (), (line,), value)
        case Shape.ARROW:
            return Mark(kind.name, line[:1], (line[1:],), value)
        case Shape.CLONE:
            return Mark(kind.name, line, (walk(rng, size, 9)[: len(line)],), value)
        case Shape.CLUE:
            return Mark(kind.name, (clue,), value=value)
        case Shape.DIAGONAL:
            row, length = rng.randint(1, size), size
            cells = tuple((row + step, 1 + step) for step in range(length) if row + step <= size)
            return Mark(kind.name, ((row - 1, 0),), (cells,), value)
    return Mark(kind.name, (), (line,), value)


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Boards of 4 to 16 with a few marks of any kinds, some givens, narrowed cells and metadata."""
    rng = draw(st.randoms(use_true_random=False))
    size = draw(st.integers(4, 16))
    marks: tuple[Mark, ...] = regions(rng, size)
    board = build(size, marks)
    names = sorted(set(kinds()) - REGIONS)
    for name in draw(st.lists(st.sampled_from(names), max_size=4)):
        more = (*marks, random_mark(rng, kinds()[name], size))
        try:
            board, marks = build(size, more), more
        except PuzzleError:
            continue  # it does not fit the board
    givens = [rng.randint(1, size) if rng.random() < 0.2 else 0 for _ in range(board.cells)]
    puzzle = Puzzle.from_givens(board, givens)
    if rng.random() < 0.3:
        candidates = list(puzzle.candidates)
        candidates[rng.randrange(board.cells)] = 0b110
        puzzle = Puzzle(board, tuple(candidates))
    if rng.random() < 0.5:
        return puzzle
    solution: Grid | None = tuple(rng.randint(1, size) for _ in range(board.cells)) if rng.random() < 0.5 else None
    title, author, rules = (rng.choice(TEXTS) for _ in range(3))
    return replace(puzzle, title=title, author=author, rules=rules, solution=solution)


@pytest.mark.parametrize("name", sorted(formats()))
@settings(max_examples=60, derandomize=True, database=None, deadline=None)
@given(puzzle=puzzles())
def test_a_puzzle_comes_back_or_what_is_lost_is_named(name: str, puzzle: Puzzle) -> None:
    form = formats()[name]
    lost = form.lost(puzzle)
    try:
        text = form.write(puzzle)
    except Refused as error:
        assert str(error).startswith(f"the {name} format ")
        if lost:
            assert lost[0] in str(error)
        return
    if name == "newspaper" and puzzle.givens.count(0) > len(puzzle.givens) * 2 // 3:
        return  # blank margins are ambiguous without a box
    again = form.read(text, Options()).puzzle
    assert again.candidates == puzzle.candidates
    # Regions may be numbered anew.
    assert {replace(one, name="") for one in again.board.constraints} == {
        replace(one, name="") for one in puzzle.board.constraints
    }
    assert [getattr(again, part) for part in METADATA] == [getattr(puzzle, part) for part in METADATA]


@pytest.mark.parametrize("size", [5, 7, 11, 13])
@pytest.mark.parametrize("name", ["f-puzzles", "f-puzzles-json", "toml"])
def test_regions_of_a_board_of_prime_size_are_kept(size: int, name: str) -> None:
    labels = [(row + 2 * column) % size for row in range(size) for column in range(size)]
    marks = tuple(
        Mark(
            "region", tuple((cell // size + 1, cell % size + 1) for cell in range(size * size) if labels[cell] == label)
        )
        for label in range(size)
    )
    puzzle = Puzzle.from_givens(build(size, marks), {})
    again = satdoku.read(satdoku.write(puzzle, name))
    assert set(again.board.constraints) == set(puzzle.board.constraints)


def test_a_jigsaw_of_5x5_has_as_many_solutions_as_a_link() -> None:
    puzzle = satdoku.read("12...........4..........51112213322133425534455544")
    assert satdoku.count(satdoku.read(satdoku.write(puzzle, "f-puzzles"))).count == satdoku.count(puzzle).count == 7


class TestMetadata:
    PUZZLE = replace(
        satdoku.read("13....3131...213"),
        title="A title",
        author="Somebody",
        rules="Two\nlines",
        solution=tuple(map(int, "1324243131424213")),
    )

    @pytest.mark.parametrize("name", ["toml", "f-puzzles", "f-puzzles-json"])
    def test_two_formats_hold_all_of_it(self, name: str) -> None:
        again = satdoku.read(satdoku.write(self.PUZZLE, name))
        assert [getattr(again, part) for part in METADATA] == [
            "A title",
            "Somebody",
            "Two\nlines",
            self.PUZZLE.solution,
        ]

    def test_others_refuse_and_name_it_or_leave_it_out(self) -> None:
        with pytest.raises(Refused, match=r"^the line format cannot hold the title and the author and the rules$"):
            satdoku.write(self.PUZZLE)
        bare = satdoku.formats.write(self.PUZZLE, "line", metadata=False)
        assert bare == "13....3131...213 1324243131424213"
        assert satdoku.read(bare).solution == self.PUZZLE.solution

    def test_sadman_has_headers_for_the_author_and_the_title(self) -> None:
        puzzle = replace(self.PUZZLE, rules="", solution=None)
        text = satdoku.write(puzzle, "sdk")
        assert text.startswith("#ASomebody\n#DA title\n[Puzzle]\n")
        assert (satdoku.read(text).author, satdoku.read(text).title) == ("Somebody", "A title")
        with pytest.raises(Refused, match="of one line"):
            satdoku.write(replace(puzzle, title="a\nb"), "sdk")

    def test_it_is_not_part_of_what_makes_puzzles_equal(self) -> None:
        assert satdoku.read("13....3131...213") == self.PUZZLE
        assert hash(self.PUZZLE) == hash(satdoku.read("13....3131...213"))

    def test_a_solution_that_is_not_a_full_grid_is_refused_in_toml(self) -> None:
        text = satdoku.write(self.PUZZLE, "toml").replace("1 3 | 2 4", "1 3 | 2 .")
        with pytest.raises(satdoku.FormatError, match="solution has 15 values, expected a full grid of 4x4"):
            satdoku.read(text)


def document(size: int, **more: Any) -> str:
    return json.dumps({"size": size, "grid": [[{} for _ in range(size)] for _ in range(size)], **more})


class TestWhatTheSiteMeans:
    """Marks of f-puzzles that mean another thing there than the same words do elsewhere."""

    @pytest.mark.parametrize(("size", "least"), [(4, 2), (6, 3), (9, 5), (12, 6)])
    def test_whispers_without_a_value_differ_by_half_the_size(self, size: int, least: int) -> None:
        bare = satdoku.read(document(size, whispers=[{"lines": [["R1C1", "R1C2"]]}]))
        stated = satdoku.read(document(size, whispers=[{"lines": [["R1C1", "R1C2"]], "value": str(least)}]))
        assert set(bare.board.constraints) == set(stated.board.constraints)

    def test_our_own_default_is_written_where_the_site_has_another(self) -> None:
        board = build(6, (Mark("boxes", value="2x3"), Mark("whispers", (), (((1, 1), (1, 2)),))))
        puzzle = Puzzle.from_givens(board, {})
        again = satdoku.read(satdoku.write(puzzle, "f-puzzles"))
        assert set(again.board.constraints) == set(board.constraints)

    def test_a_little_killer_of_0_and_a_short_double_arrow_mean_nothing(self) -> None:
        killer = {"cell": "R0C1", "direction": "DR", "value": "0"}
        arrow = {"lines": [["R1C1", "R1C2"], ["R2C1", "R2C2", "R2C3"]]}
        puzzle = satdoku.read(document(9, littlekillersum=[killer], doublearrow=[arrow]))
        assert [mark.lines for mark in puzzle.board.marks[1:]] == [(((2, 1), (2, 2), (2, 3)),)]

    def test_such_marks_of_our_own_are_refused_as_the_site_would_drop_them(self) -> None:
        line = tuple((step, step) for step in range(1, 10))
        board = build(9, (Mark("boxes", value="3x3"), Mark("little-killer", ((0, 0),), (line,), 0)))
        with pytest.raises(Refused, match=r"cannot hold the constraint .*little"):
            satdoku.write(Puzzle.from_givens(board, {}), "f-puzzles")

    def test_what_no_constraint_stands_for_is_said_item_by_item(self) -> None:
        text = document(
            9,
            cage=[{"cells": ["R1C1", "R1C2"], "value": "DR3"}, {"cells": ["R5C5"], "fromConstraint": "Killer Cage"}],
            line=[{"lines": [["R1C1", "R2C2"]]}, {"lines": [["R3C1", "R4C2"]]}],
            ruleset="Digits along a line sum to 20.",
        )
        reading = detect(text, Options())
        expected = ("2 lines", "1 cage (DR3)", "the text of the rules")
        assert reading.puzzle.not_enforced == expected
        assert reading.notes == tuple(f"not enforced: {what}" for what in expected)
        plain = detect(document(9, ruleset="Normal Sudoku rules apply."), Options())
        assert (plain.notes, plain.puzzle.rules) == ((), "Normal Sudoku rules apply.")

    def test_a_solution_with_open_cells_is_left_out_with_a_note(self) -> None:
        reading = detect(document(4, solution=["1", "."] * 8), Options())
        assert (reading.puzzle.solution, len(reading.notes)) == (None, 1)
        assert satdoku.read(document(4, solution=["1", 2, 3, 4] * 4)).solution == (1, 2, 3, 4) * 4
