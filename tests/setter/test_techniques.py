"""Techniques by name, and the difficulty that follows of them, against brute force."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from support.cli import EMPTY_NINE, complaints, records, run
from support.puzzles import EASY, ROOT, puzzle_in

import satdoku
from satdoku import Board, Ending, Puzzle, classic, explain
from satdoku.backends.clock import Deadline
from satdoku.generator.recipe import Recipe
from satdoku.generator.work import Made, made
from satdoku.implied import strengthened
from satdoku.pictures.picture import FOCUS, HOUSE, strokes
from satdoku.setter import Level, rate
from satdoku.setter.difficulty import _Others, _step, parse_levels
from satdoku.setter.techniques import LADDER, OTHER, Pencil, name_of
from satdoku.terminal.explanations import pictures
from satdoku.variants import build
from satdoku.variants.drawing import PALE_RED, RED, in_red
from satdoku.variants.strokes import Area, Disc, Line, Note

NINE = classic(3, 3)


def cell(label: str) -> int:
    row, column = label[1:].split("c")
    return 9 * (int(row) - 1) + int(column) - 1


def some(values: str) -> int:
    return sum(1 << int(value) for value in values)


def without(values: str, *cells: str) -> dict[str, str]:
    """Cells that have all values but these."""
    return dict.fromkeys(cells, "".join(sorted({*"123456789"} - {*values})))


def line(row: int, *columns: int) -> list[str]:
    """The cells of a row but those."""
    return [f"r{row}c{column}" for column in range(1, 10) if column not in columns]


EXAMPLES: dict[str, tuple[dict[str, str], str, str, str]] = {
    # What is known of cells; the constraints; the cell; its value.
    "naked single": ({f"r1c{column}": str(column) for column in range(1, 9)}, "row 1", "r1c9", "9"),
    "hidden single in box 1": (
        {"r4c1": "5", "r7c2": "5", "r1c3": "1", "r2c3": "2"},
        "box 1,column 1,column 2",
        "r3c3",
        "5",
    ),
    "locked candidates (pointing)": (
        without("5", "r2c1", "r2c2", "r2c3", "r3c1", "r3c2", "r3c3") | {"r1c7": "56"},
        "box 1,row 1",
        "r1c7",
        "6",
    ),
    "locked candidates (claiming)": (without("5", *line(1, 1, 2, 3)) | {"r2c2": "56"}, "box 1,row 1", "r2c2", "6"),
    "naked pair": ({"r1c1": "12", "r1c2": "12", "r1c5": "13"}, "row 1", "r1c5", "3"),
    "naked triple": ({"r1c1": "12", "r1c2": "23", "r1c3": "13", "r1c5": "14"}, "row 1", "r1c5", "4"),
    "naked quadruple": ({"r1c1": "12", "r1c2": "23", "r1c3": "34", "r1c4": "14", "r1c5": "15"}, "row 1", "r1c5", "5"),
    "hidden pair": (
        without("12", *line(1, 1, 2)) | without("3", *(f"r{row}c1" for row in range(2, 10) if row != 5)),
        "row 1,column 1",
        "r5c1",
        "3",
    ),
    "hidden triple": (
        without("124", *line(1, 1, 2, 6)) | without("3", *(f"r{row}c1" for row in range(2, 10) if row != 5)),
        "row 1,column 1",
        "r5c1",
        "3",
    ),
    "hidden quadruple": (
        without("1245", *line(1, 1, 2, 6, 7)) | without("3", *(f"r{row}c1" for row in range(2, 10) if row != 5)),
        "row 1,column 1",
        "r5c1",
        "3",
    ),
    "X-wing": (
        without("7", *line(1, 2, 6), *line(5, 2, 6)) | {"r3c2": "78"},
        "row 1,row 5,column 2,column 6",
        "r3c2",
        "8",
    ),
    "swordfish": (
        without("7", *line(1, 1, 5), *line(4, 5, 9), *line(7, 1, 9)) | {"r3c5": "78"},
        "row 1,row 4,row 7,column 1,column 5,column 9",
        "r3c5",
        "8",
    ),
    "jellyfish": (
        without("7", *line(1, 1, 4), *line(3, 4, 6), *line(5, 6, 9), *line(7, 1, 9)) | {"r8c6": "78"},
        "row 1,row 3,row 5,row 7,column 1,column 4,column 6,column 9",
        "r8c6",
        "8",
    ),
    "XY-wing": ({"r1c1": "12", "r1c5": "13", "r5c1": "23", "r5c5": "34"}, "row 1,column 1,row 5,column 5", "r5c5", "4"),
    "XYZ-wing": ({"r1c1": "123", "r1c5": "13", "r2c2": "23", "r1c2": "34"}, "row 1,box 1", "r1c2", "4"),
    "W-wing": (
        {"r1c1": "12", "r5c5": "12", "r5c1": "23"} | without("1", *line(9, 1, 5)),
        "column 1,column 5,row 5,row 9",
        "r5c1",
        "3",
    ),
}


def restricted(board: Board, names: str) -> Board:
    chosen = tuple(rule for rule in board.constraints if rule.name in names.split(","))
    return Board(board.cells, board.values, board.columns, chosen, board.marks)


def implied(board: Board, known: dict[int, int], target: int, value: int) -> bool:
    """Whether no grid has another value there."""
    left = [known.get(each, board.every_value) for each in range(board.cells)]
    left[target] &= ~(1 << value)
    return satdoku.solve(Puzzle(board, tuple(left)), backend="glucose4").count == 0


def made_puzzles(count: int, **more: int) -> Iterator[Made]:
    for each in made(Recipe(NINE, seed=5, **more), range(count)):  # type: ignore[arg-type]
        assert isinstance(each, Made)
        yield each


class TestNames:
    @pytest.mark.parametrize("called", EXAMPLES)
    def test_each_technique_is_named(self, called: str) -> None:
        known, names, target, value = EXAMPLES[called]
        board = restricted(NINE, names)
        sets = {cell(label): some(values) for label, values in known.items()}
        assert str(name_of(board, board.constraints, sets, cell(target), int(value))) == called
        assert implied(board, sets, cell(target), int(value))

    def test_every_technique_has_an_example(self) -> None:
        assert {called.split(" in ")[0] for called in EXAMPLES} == {*LADDER} - {OTHER}

    @pytest.mark.parametrize("called", sorted({*EXAMPLES} - {"naked single"}))
    def test_without_one_of_its_constraints_it_has_no_name(self, called: str) -> None:
        known, names, target, value = EXAMPLES[called]
        sets = {cell(label): some(values) for label, values in known.items()}
        for left_out in names.split(","):
            board = restricted(NINE, ",".join(name for name in names.split(",") if name != left_out))
            assert name_of(board, board.constraints, sets, cell(target), int(value)) is None, left_out

    def test_what_has_a_name_is_implied(self) -> None:
        random, seen = Random(1), set[str]()
        board = classic(2, 3)
        solutions = [satdoku.solve(board_puzzle).grids[0] for board_puzzle in _seeded(board, random, 20)]
        for _ in range(60):
            grid = random.choice(solutions)
            fewer = restricted(board, ",".join(rule.name for rule in board.constraints if random.random() < 0.7))
            known = {
                place: 1 << grid[place] | random.choice([0, 1 << random.randint(1, 6), 2 << random.randrange(1, 6)])
                for place in range(36)
                if random.random() < 0.7
            }
            for place in random.sample(range(36), 12):
                if known.get(place, 0).bit_count() == 1:
                    continue
                found = name_of(fewer, fewer.constraints, known, place, grid[place])
                if found is not None:
                    seen.add(found.technique)
                    assert implied(fewer, known, place, grid[place])
        assert len(seen) > 5

    def test_a_reason_with_a_sum_has_no_name(self) -> None:
        found = explain(puzzle_in("variants/cage.toml"), timeout=60)
        sums = [step for step in found.steps if any(name.startswith("cage") for name in step.reason.constraints)]
        assert sums
        assert {step.technique for step in sums} == {None}


def _seeded(board: Board, random: Random, count: int) -> Iterator[Puzzle]:
    for _ in range(count):
        yield Puzzle.from_givens(board, random.sample(range(1, 7), 6) + [0] * 30)


class TestSteps:
    @pytest.mark.parametrize("name", ["4x4_unique.txt", "6x6.txt", "9x9_easy.txt"])
    def test_what_singles_solve_is_explained_by_singles(self, name: str) -> None:
        found = explain(puzzle_in(name))
        assert found.difficulty is not None
        assert found.difficulty.level is Level.SINGLES
        names = {step.technique.technique for step in found.steps if step.technique}
        assert names <= {"naked single", "hidden single"}
        assert all(step.technique for step in found.steps)

    def test_a_step_is_named_in_its_sentence_and_record(self) -> None:
        puzzle = str(ROOT / "puzzles" / "6x6.txt")
        text = run("explain", puzzle).stdout
        assert "(naked single): " in text
        assert "leave no other place for 1 in" not in text
        (record,) = records(run("explain", puzzle, "--json"))
        (hidden, *_) = [step for step in record["steps"] if step["technique"] == "hidden single"]
        assert f"{hidden['cell']}={hidden['value']} (hidden single in {hidden['house']}): " in hidden["text"]
        assert hidden["text"].endswith(f" leave no other place for {hidden['value']}")
        assert f"difficulty {record['difficulty']['level']} ({record['difficulty']['name']}): " in text
        assert f"{len(record['steps'])} steps: " in text


class TestDifficulty:
    def test_no_step_takes_the_solution_away_and_steps_are_as_counted(self) -> None:
        levels = set()
        for each in made_puzzles(60):
            board = each.puzzle.board
            pencil = Pencil(board, board.all_different, dict(enumerate(each.puzzle.candidates)))
            steps = []
            while pencil.open and (step := _step(pencil, _Others(()), Deadline(None))):
                steps.append(step)
                assert all(allowed >> value & 1 for allowed, value in zip(pencil.left, each.solution, strict=True))
            found = rate(each.puzzle)
            assert sum(found.steps.values()) == len(steps)
            assert found.open == pencil.open.bit_count()
            assert (found.level is Level.BEYOND) == (found.open > 0)
            levels.add(found.level)
        assert len(levels) > 3

    @pytest.mark.parametrize("name", ["cage", "thermometer", "arrow", "little-killer", "sandwich", "slow-thermometer"])
    def test_nor_does_one_with_other_constraints(self, name: str) -> None:
        puzzle = puzzle_in(f"variants/{name}.toml")
        (grid,) = satdoku.check(puzzle).grids
        board = strengthened(puzzle.board)
        pencil, others = Pencil(board, board.all_different, dict(enumerate(puzzle.candidates))), _Others(board.others)
        while pencil.open and _step(pencil, others, Deadline(None)):
            assert all(allowed >> value & 1 for allowed, value in zip(pencil.left, grid, strict=False))

    def test_it_does_not_depend_on_names_of_values_and_places(self) -> None:
        for each in made_puzzles(20):
            text = satdoku.write(each.puzzle)
            turned = "".join(text[9 * row + column] for column in range(9) for row in range(9))
            renamed = turned.translate(str.maketrans("123456789", "987654321"))
            assert rate(satdoku.read(renamed)).level is rate(each.puzzle).level

    def test_cages_are_looked_at_with_values_that_differ(self) -> None:
        marks = (*NINE.marks, satdoku.marks.killer_cage(["r1c1", "r1c2"], total=4))
        board = build(9, marks)
        found = rate(Puzzle.from_givens(board, {}))
        assert found.steps[OTHER] == 1
        assert found.steps["naked pair"] == 1  # 1 and 3 are in neither the rest of the row nor of the box

    def test_a_timeout_gives_what_was_needed_by_then(self) -> None:
        found = rate(satdoku.read(EASY), timeout=1e-9)
        assert (found.ending, found.level) == (Ending.TIMEOUT, Level.SINGLES)
        assert str(found).startswith("difficulty at least 1 (singles)")

    def test_only_a_unique_puzzle_has_one(self) -> None:
        with pytest.raises(satdoku.InputError, match="is multiple: only a puzzle with one solution has a difficulty"):
            satdoku.difficulty(EMPTY_NINE)
        assert satdoku.difficulty(EASY).level is Level.SINGLES

    @pytest.mark.parametrize(
        ("text", "levels"), [("singles", (1, 1)), ("3", (3, 3)), ("locked:fish", (2, 4)), ("2:wings", (2, 5))]
    )
    def test_levels_are_read(self, text: str, levels: tuple[int, int]) -> None:
        assert parse_levels(text) == levels

    @pytest.mark.parametrize("text", ["", "easy", "0", "7", "4:2", "1:2:3", ":"])
    def test_what_is_not_a_level_is_refused(self, text: str) -> None:
        with pytest.raises(satdoku.InputError, match="difficulty"):
            parse_levels(text)


class TestCommands:
    def test_check_prints_it_of_one_unique_puzzle(self) -> None:
        assert "difficulty 1 (singles): 51 naked singles" in run("check", "-v", EASY).output
        assert "difficulty" not in run("check", EASY).output
        assert "difficulty" not in run("check", "-v", EMPTY_NINE).output

    def test_generate_filters_by_it(self) -> None:
        result = run("generate", "--count", "4", "--seed", "3", "-j", "1", "--difficulty", "locked:subsets", "--json")
        levels = {record["difficulty"]["level"] for record in records(result)}
        assert len(records(result)) == 4
        assert levels <= {2, 3}
        assert all(rate(satdoku.read(record["puzzle"])).level in (2, 3) for record in records(result))

    def test_generate_prints_it_when_verbose(self) -> None:
        text = run("generate", "--seed", "3", "-v").stdout
        assert text.startswith("# difficulty ")
        checked = run("check", "-", input=text)
        assert checked.stdout.startswith("unique")

    def test_generate_refuses_what_is_not_a_level(self) -> None:
        result = run("generate", "--difficulty", "easy")
        assert result.exit_code == 2
        assert "difficulty" in complaints(result)[0]

    def test_a_difficulty_that_is_not_found_is_undecided(self) -> None:
        result = run("generate", "--box", "2x2", "--difficulty", "beyond", "--timeout", "0.3", "--seed", "1", "-j", "1")
        assert result.exit_code == 3
        assert "difficulty" in complaints(result)[0]


class TestPictures:
    def test_a_conflict_shades_its_marks_and_says_what_shades_mean(self) -> None:
        cage, other = (satdoku.marks.killer_cage(cells, total=17) for cells in (["r1c1", "r1c2"], ["r9c1", "r9c2"]))
        board = build(9, (*NINE.marks, cage, other))
        (picture,) = pictures(explain(Puzzle.from_givens(board, {10: 8})))
        assert picture.focus == (10,)
        drawn = list(strokes(picture))
        areas = [part for part in drawn if isinstance(part, Area)]
        shaded = {cell: {area.tint for area in areas if inside(area, cell)} for cell in range(81)}
        assert {cell for cell, tints in shaded.items() if PALE_RED in tints} == {0, 1}
        assert {cell for cell, tints in shaded.items() if HOUSE in tints} == {2, 9, 10, 11, 18, 19, 20}
        assert {cell for cell, tints in shaded.items() if FOCUS in tints} == {10}
        legend = {part.tint for part in drawn if isinstance(part, Note) and part.tint}
        assert legend == {PALE_RED, HOUSE, FOCUS}
        lines = {part.tint for part in drawn if isinstance(part, Line) and part.dashed}
        assert RED in lines
        assert len(lines) == 2

    def test_what_it_does_not_cite_has_no_legend(self) -> None:
        (picture,) = pictures(explain(satdoku.read("12....3.........")))
        assert {tint for tint, _ in picture.legend} == {HOUSE, FOCUS}

    def test_black_and_white_dots_keep_their_fill(self) -> None:
        dots = [part for colour in ("#ffffff", "#000000") if (part := in_red(Disc((1, 1), 0.1, colour, "#000000")))]
        assert [part.fill for part in dots if isinstance(part, Disc)] == ["#ffffff", "#000000"]


def inside(area: Area, place: int) -> bool:
    """Whether an area covers the middle of a cell."""
    rows, columns = zip(*area.points, strict=True)
    row, column = place // 9 + 1, place % 9 + 1
    return bool(min(rows) < row < max(rows) and min(columns) < column < max(columns))
