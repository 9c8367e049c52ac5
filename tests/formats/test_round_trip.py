"""Every format that can hold a puzzle gives it back, constraints and metadata, or names what it cannot hold."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.amount import tries
from support.boards import ON_A_GRID
from support.cli import run
from support.drawing import MarkedSquare
from support.oracles import MAKERS

import satdoku
from satdoku import Board, FormatError, Grid, Mark, Puzzle, Refused, classic
from satdoku.errors import PuzzleError
from satdoku.formats import METADATA, RULES_TEXT, Format, Options, detect, formats
from satdoku.puzzle import Position
from satdoku.variants import REGIONS, build, kinds
from satdoku.variants.boxes import Box

NAMES = [kind for kind in ON_A_GRID if kind not in REGIONS]
"""Kinds that speak of more than digits stand in puzzles of their own: test_every_format has those."""

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


def random_mark(rng: Random, kind: str, size: int, marks: tuple[Mark, ...]) -> Mark:
    """A mark as a setter may draw it, or with a value or a line that need not make sense."""
    mark = MAKERS[kind](rng, MarkedSquare(size, marks), None)
    rule = kinds()[kind].value
    if rule is None or rule.words or rule.text or rule.several or rng.random() < 0.7:
        return mark
    return replace(mark, value=rng.randint(0, 2 * size) if rule.required or rng.random() < 0.7 else None)


def with_marks(rng: Random, size: int, names: list[str]) -> Board:
    """A board of some regions and those of the marks that fit it."""
    marks: tuple[Mark, ...] = regions(rng, size)
    board = build(size, marks)
    for name in names:
        try:
            more = (*marks, random_mark(rng, name, size, marks))
            board, marks = build(size, more), more
        except (PuzzleError, ValueError, IndexError, StopIteration, RecursionError):
            continue  # the board has no room for it, or it does not fit
    return board


@st.composite
def puzzles(draw: st.DrawFn) -> Puzzle:
    """Boards of 4 to 10 with a few marks of any kinds, some givens, narrowed cells and metadata."""
    rng = draw(st.randoms(use_true_random=False))
    size = draw(st.integers(4, 10))
    box = Box.of_size(size)
    if box is not None and draw(st.booleans()):
        board = classic(box.rows, box.columns)  # which the plain formats hold
    else:
        board = with_marks(rng, size, draw(st.lists(st.sampled_from(NAMES), max_size=3)))
    # A digit in every second cell at most: a line of more may be a solution.
    density = draw(st.sampled_from([0, 0.2, 0.5]))
    puzzle = Puzzle.from_givens(board, [rng.randint(1, size) if rng.random() < density else 0 for _ in range(size**2)])
    if rng.random() < 0.3:
        candidates = list(puzzle.candidates)
        candidates[rng.randrange(board.cells)] = 0b110
        puzzle = Puzzle(board, tuple(candidates))
    if rng.random() < 0.5:
        return puzzle
    solution: Grid | None = tuple(rng.randint(1, size) for _ in range(board.cells)) if rng.random() < 0.5 else None
    title, author, rules = (draw(st.one_of(st.sampled_from(TEXTS), st.text(max_size=20))) for _ in range(3))
    return replace(puzzle, title=title, author=author, rules=rules, solution=solution)


def parts(puzzle: Puzzle) -> list[object]:
    """What must come back. Regions may be numbered anew."""
    metadata = [getattr(puzzle, part) for part in METADATA]
    return [puzzle.candidates, {replace(one, name="") for one in puzzle.board.constraints}, *metadata]


def through(form: Format, puzzle: Puzzle) -> bool:
    """Whether a format holds a puzzle, which then comes back, by the name of the format and without it."""
    lost = form.lost(puzzle)
    try:
        text = form.write(puzzle)
    except Refused as error:
        assert str(error).startswith(f"the {form.name} format ")
        assert not lost or lost[0] in str(error)
        return False
    shape = Options().with_shape(**form.unstated(puzzle.board))
    for options in (replace(shape, format=form.name), shape):
        try:
            again = detect(text, options).puzzle
        except FormatError as error:
            # Blank margins, and a grid beside a puzzle that has no given in it, have several readings.
            assert form.name == "newspaper" or options.format is None, error
            continue
        assert parts(again) == parts(puzzle)
    return True


@given(puzzle=puzzles())
def test_a_puzzle_comes_back_through_every_format_or_what_is_lost_is_named(puzzle: Puzzle) -> None:
    held = {name for name, form in formats().items() if through(form, puzzle)}
    assert "toml" in held


@pytest.mark.parametrize("name", NAMES)
def test_every_kind_of_mark_comes_back_through_the_formats_that_know_all(name: str) -> None:
    rng = Random(name)
    held = Counter[str]()
    for size in (4, 5, 6, 12):
        for _ in range(tries(1, 2) if size < 9 else 1):
            puzzle = Puzzle.from_givens(with_marks(rng, size, [name]), {})
            if any(mark.kind == name for mark in puzzle.board.marks):
                held.update(form for form in ("toml", "f-puzzles-json") if through(formats()[form], puzzle))
    assert held["toml"]
    assert held["f-puzzles-json"] or kinds()[name].fpuzzles is None


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
        with pytest.raises(
            Refused, match=r"^the line format cannot hold the title and the author and the rules and the solution$"
        ):
            satdoku.write(self.PUZZLE)
        bare = satdoku.formats.write(self.PUZZLE, "line", metadata=False)
        assert bare == "13....3131...213"

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

    def test_what_no_constraint_stands_for_is_reported_item_by_item(self) -> None:
        text = document(
            9,
            cage=[{"cells": ["R1C1", "R1C2"], "value": "AB"}, {"cells": ["R5C5"], "fromConstraint": "Killer Cage"}],
            line=[{"lines": [["R1C1", "R2C2"]]}, {"lines": [["R3C1", "R4C2"]]}],
            ruleset="Digits along a line sum to 20.",
        )
        reading = detect(text, Options())
        expected = ("2 lines", "1 cage (AB)", "the text of the rules")
        assert reading.puzzle.not_enforced == expected
        assert reading.notes == tuple(f"not enforced: {what}" for what in expected)
        plain = detect(document(9, ruleset="Normal Sudoku rules apply."), Options())
        assert (plain.notes, plain.puzzle.rules) == ((), "Normal Sudoku rules apply.")

    def test_a_solution_with_open_cells_is_left_out_with_a_note(self) -> None:
        reading = detect(document(4, solution=["1", "."] * 8), Options())
        assert (reading.puzzle.solution, len(reading.notes)) == (None, 1)
        assert satdoku.read(document(4, solution=["1", 2, 3, 4] * 4)).solution == (1, 2, 3, 4) * 4


class TestNotEnforced:
    """What a source shows that no constraint stands for comes back, or it is said that it does not."""

    PUZZLE = replace(satdoku.read("13....3131...213"), rules="A story.", not_enforced=("2 lines", RULES_TEXT))

    def test_toml_holds_it(self) -> None:
        again = satdoku.read(satdoku.write(self.PUZZLE, "toml"))
        assert again.not_enforced == self.PUZZLE.not_enforced
        with pytest.raises(Refused, match="not enforced: 2 lines and the text of the rules"):
            satdoku.read(satdoku.write(self.PUZZLE, "toml"), strict=True)

    def test_other_formats_are_refused_or_leave_it_out_if_asked(self) -> None:
        blank = replace(self.PUZZLE, rules="")
        with pytest.raises(
            Refused, match=r"cannot hold the note of what is not enforced \(2 lines and the text of the"
        ):
            satdoku.write(blank, "line")
        assert satdoku.write(blank, "line", metadata=False) == "13....3131...213"

    def test_a_text_of_rules_that_is_read_again_is_no_loss(self) -> None:
        described = replace(self.PUZZLE, not_enforced=(RULES_TEXT,))
        assert satdoku.read(satdoku.write(described, "f-puzzles")).not_enforced == (RULES_TEXT,)
        with pytest.raises(Refused, match=r"not enforced \(2 lines\)"):
            satdoku.write(self.PUZZLE, "f-puzzles")

    def test_convert_says_what_it_leaves_out(self, tmp_path: Path) -> None:
        path = tmp_path / "p.toml"
        path.write_text(satdoku.write(self.PUZZLE, "toml"))
        result = run("convert", str(path))
        assert (result.exit_code, result.stdout) == (0, "13....3131...213\n")
        assert "note of what is not enforced (2 lines and the text of the rules)" in result.stderr

    def test_a_wrong_list_is_refused(self) -> None:
        with pytest.raises(FormatError, match="not-enforced is '2 lines', expected a list"):
            satdoku.read('size = 4\nnot-enforced = "2 lines"')
