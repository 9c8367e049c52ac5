"""Difficulty by techniques, in the API and in commands; pictures of explanations."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.cli import EMPTY_NINE, complaints, records, run
from support.puzzles import EASY, ROOT, puzzle_in

import satdoku
from satdoku import Ending, Puzzle, classic, explain
from satdoku.generator.recipe import Recipe
from satdoku.generator.work import Made, made
from satdoku.pictures.picture import FOCUS, HOUSE, strokes
from satdoku.setter import Level, Step, rate
from satdoku.setter.difficulty import counted, parse_levels, score_of
from satdoku.terminal.explanations import pictures
from satdoku.variants import build
from satdoku.variants.drawing import PALE_RED, RED, in_red
from satdoku.variants.strokes import Area, Disc, Line, Note

NINE = classic(3, 3)


def made_puzzles(count: int, **more: int) -> Iterator[Made]:
    for each in made(Recipe(NINE, seed=5, **more), range(count)):  # type: ignore[arg-type]
        assert isinstance(each, Made)
        yield each


class TestSteps:
    @pytest.mark.parametrize("name", ["4x4_unique.txt", "6x6.txt", "9x9_easy.txt"])
    def test_what_singles_solve_is_explained_by_singles(self, name: str) -> None:
        found = explain(puzzle_in(name))
        assert found.difficulty is not None
        assert found.difficulty.level is Level.SINGLES
        assert {step.technique for step in found.steps if isinstance(step, Step)} <= {"naked single", "hidden single"}

    def test_a_step_is_named_in_its_sentence_and_record(self) -> None:
        puzzle = str(ROOT / "puzzles" / "9x9_newspaper.txt")
        text = run("explain", puzzle).stdout
        assert "(naked single): " in text
        (record,) = records(run("explain", puzzle, "--json"))
        (hidden, *_) = [step for step in record["steps"] if step["technique"] == "hidden single"]
        ((cell, value),) = hidden["placements"].items()
        assert hidden["text"].startswith(
            f"{cell}={value} (hidden single): {cell} is the only place left for {value} in "
        )
        assert hidden["text"].endswith(hidden["houses"][0])
        assert f"difficulty {record['difficulty']['level']} ({record['difficulty']['name']}): " in " ".join(
            text.split()
        )
        assert f"{len(record['steps'])} steps: " in text

    def test_the_difficulty_is_that_of_the_steps(self) -> None:
        for each in made_puzzles(30):
            found = explain(each.puzzle)
            assert found.difficulty == rate(each.puzzle)
            assert found.difficulty is not None
            assert sum(found.difficulty.steps.values()) == len(found.steps)


class TestDifficulty:
    def test_random_puzzles_are_solved_and_levels_differ(self) -> None:
        levels = {rate(each.puzzle).level for each in made_puzzles(60)}
        assert Level.BEYOND not in levels
        assert len(levels) > 4

    def test_with_easier_techniques_alone_it_may_be_beyond(self) -> None:
        for each in made_puzzles(20):
            level, found = rate(each.puzzle).level, rate(each.puzzle, hardest=Level.LOCKED)
            assert (found.level is Level.BEYOND) == (level > Level.LOCKED) == (found.open > 0)

    def test_it_does_not_depend_on_names_of_values_and_places(self) -> None:
        for each in made_puzzles(20):
            text = satdoku.write(each.puzzle)
            turned = "".join(text[9 * row + column] for column in range(9) for row in range(9))
            renamed = turned.translate(str.maketrans("123456789", "987654321"))
            assert rate(satdoku.read(renamed)).level is rate(each.puzzle).level

    def test_cages_are_looked_at_with_values_that_differ(self) -> None:
        marks = (*NINE.marks, satdoku.marks.killer_cage(["r1c1", "r1c2"], total=4))
        board = build(9, marks)
        found = rate(Puzzle.from_givens(board, {}), hardest=Level.SUBSETS)
        assert found.steps["cage combinations"] == 1
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

    @pytest.mark.parametrize("text", ["", "easy", "0", "9", "4:2", "1:2:3", ":"])
    def test_what_is_not_a_level_is_refused(self, text: str) -> None:
        with pytest.raises(satdoku.InputError, match="difficulty"):
            parse_levels(text)


class TestCommands:
    def test_difficulty_has_a_record_for_each_puzzle(self) -> None:
        (easy,) = records(run("difficulty", EASY, "--json"))
        assert (easy["verdict"], easy["level"], easy["hardest"], easy["count"]) == ("unique", 1, "naked single", 51)
        assert easy["score"] >= 51 * 4
        result = run("difficulty", EMPTY_NINE, "--json")
        assert result.exit_code == 1
        assert records(result)[0]["verdict"] == "multiple"
        assert "level" not in records(result)[0]

    @pytest.mark.parametrize(
        ("text", "score"),
        [
            (".3.....82...6.......9.....5..3.6.......8..49...15.483.........96.....5...479.8...", 362),
            ("..386.7..7......3..8..5...1972....5.....8......13..9.6.4......36.8.4.......2...6.", 384),
            ("...61...7...2..9......57..1..9...87..5.4...9.34...21....21......9..7....7....8.5.", 464),
            (".8..........26.3.4.....179.......5..3....29..4.9.....29..6.8..7..74...68..3......", 328),
            ("9..8.2.3...54..1.22...6....3.4....5....6319....8.....1.26....84.....6.......4.5..", 1460),
            ("...7.......861..47.16.4.5....5...9..9..........4...873.7...8..65.92.47.......3...", 590),  # naked pair
            ("6.9..4.............2.5..8.75...2.4.........6..3.1...5..5......3...9.6..1..7..8...", 840),  # skyscraper
            ("8.2.45....75......19.7.8.2..41.2..5.......43...3.1.........26.9.5.4.7...........8", 990),  # XY-wing
            ("..7.....3..3.6.9.7.......6.4.......5.5...7.9.93...4.....82...7....58.3..1..6...2.", 1618),  # W-wing
            ("67...9.1..5...7.....24...8....3.1.9...6.9...4....76..3......9..1.4....67.....3...", 1808),  # XY-chain
            ("..2...37....8..9..8...7...25.7.1..9..3.6..2.......4.5..81.........5.643.4.6......", 1324),  # AIC
            ("..9.42.......5.8..5.6.8972...4.63...9.....3...7......4...1...7......5.362.5......", 2754),  # nice loop
            ("6...47....32.......4....98....8.......45..8..9......62.5.3...9.7...6..........31.", 4776),  # grouped
        ],
    )
    def test_its_score_is_that_of_hodoku(self, text: str, score: int) -> None:
        """Where the oldest hidden single is taken first, and of the steps by other techniques that of HoDoKu."""
        assert score_of(satdoku.read(text)) == score

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
        result = run("generate", "--box", "2x2", "--difficulty", "beyond", "--timeout", "1", "--seed", "1", "-j", "1")
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


@pytest.mark.parametrize(
    ("technique", "two"),
    [
        ("naked single", "2 naked singles"),
        ("skyscraper", "2 skyscrapers"),
        ("finned swordfish", "2 finned swordfish"),
        ("unique rectangle (type 1)", "2 unique rectangles (type 1)"),
        ("locked candidates (pointing)", "2 locked candidates (pointing)"),
        ("shaded cells", "2 shaded cells"),
        ("relation of neighbours", "2 relations of neighbours"),
        ("relations along a line", "2 relations along a line"),
        ("continuous nice loop", "2 continuous nice loops"),
        ("mark and house", "2 mark and house"),
        ("Sue de Coq", "2 Sue de Coq"),
    ],
)
def test_how_often_a_technique_was_used_is_said_in_words(technique: str, two: str) -> None:
    assert counted(2, technique) == two
    assert counted(1, technique) == f"1 {technique}"
