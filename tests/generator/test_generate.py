"""generate: puzzles are as asked for, come again by their seed, and begin at grids that no board favours."""

from __future__ import annotations

import json
import pickle
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from support.cli import run as command

import satdoku
from satdoku import Mark, Puzzle, Verdict, classic
from satdoku.backends.schedule import NATIVE, POLICY, Class, Purpose, Stage, Turn
from satdoku.clue_symmetry import Symmetry
from satdoku.constraints import Grid
from satdoku.errors import FormatError, NotMade, Refused, WrongAnswer
from satdoku.generator import clues, work
from satdoku.generator.grids import grids
from satdoku.generator.recipe import Recipe, places
from satdoku.generator.work import Made
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.variants import build
from satdoku.verdict import Session

PUZZLES = Path(__file__).parents[2] / "puzzles"


def made(recipe: Recipe, count: int = 1) -> list[Made]:
    """Puzzles of which none may be missing."""
    found = list(work.made(recipe, range(count)))
    assert all(isinstance(one, Made) for one in found), found
    return [one for one in found if isinstance(one, Made)]


def rows(givens: Grid) -> list[list[bool]]:
    size = int(len(givens) ** 0.5)
    return [[bool(value) for value in givens[start : start + size]] for start in range(0, len(givens), size)]


# The closed loop


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--count", "20", "--minimal"],
        ["--count", "3", "--givens", "24:28", "--symmetry", "rotational"],
        ["--box", "2x2", "--count", "3"],
        ["--box", "3x2"],
        ["--box", "3x2", "--count", "3"],
        ["--box", "3x4"],
        ["--box", "4x4", "--count", "2"],
        ["--rule", "diagonal+", "--rule", "anti-knight"],
        ["--rule", "diagonal+", "--count", "3"],
        [str(PUZZLES / "variants" / "region.toml"), "--count", "3"],
        [str(PUZZLES / "variants" / "thermometer.toml")],
        [str(PUZZLES / "variants" / "skyscraper.toml")],
        [str(PUZZLES / "variants" / "cage.toml"), "--count", "2", "--to", "f-puzzles"],
    ],
    ids=" ".join,
)
def test_check_finds_every_puzzle_unique(arguments: list[str]) -> None:
    puzzles = command("generate", "--seed", "5", *arguments)
    assert puzzles.exit_code == 0, puzzles.stderr
    checked = command("check", "-", "--json", input=puzzles.stdout)
    count = int(arguments[arguments.index("--count") + 1]) if "--count" in arguments else 1
    verdicts = [json.loads(line)["verdict"] for line in checked.stdout.splitlines()]
    assert (verdicts, checked.exit_code) == (["unique"] * count, 0)


def test_two_commands_in_a_pipe() -> None:
    satdoku = f"{sys.executable} -m satdoku"
    pipe = subprocess.run(
        ["bash", "-c", f"{satdoku} generate --count 5 | {satdoku} check -"], capture_output=True, text=True, timeout=120
    )
    assert [line.split("\t")[1] for line in pipe.stdout.splitlines()] == ["unique"] * 5


# Seeds


def test_a_seed_gives_these_puzzles_on_every_machine() -> None:
    assert command("generate", "--seed", "7", "--count", "3", "--minimal").stdout.split() == SEVEN
    diagonal = command("generate", "--seed", "7", "--rule", "diagonal+", "--box", "2x3", "--count", "2", "--json")
    assert [json.loads(line)["solution"] for line in diagonal.stdout.splitlines()] == SEVEN_DIAGONAL
    thermometer = build(6, (Mark("boxes", value="2x3"), Mark("thermometer", lines=(((1, 1), (2, 2), (3, 3)),))))
    (one,) = made(Recipe(thermometer, seed=7))
    assert "".join(map(str, one.puzzle.givens)) == SEVEN_THERMOMETER


SEVEN = [
    ".5...7..2.4..........9...7....69.5.....5.4..8.1.....241..84.29...6..3.......2.1..",
    "....4...13.....62..86...74..62.731.........7.41........4........79.82.6.......59.",
    "..1.3.7.............84........9.....8.2.7.61.6.7....4.7.68...31....6..251..5...7.",
]
SEVEN_DIAGONAL = ["362541415632536214124356251463643125", "365214412536543621621453156342234165"]
SEVEN_THERMOMETER = "000004001030030000010500050020000600"


def test_any_number_of_processes_makes_the_same_puzzles() -> None:
    arguments = ("generate", "--count", "12", "--seed", "3", "--minimal", "--to", "line")
    recipe = Recipe(classic(3, 3), seed=3, minimal=True)
    alone = made(recipe, 12)
    lines = [satdoku.write(one.puzzle) for one in alone]
    assert [command(*arguments, "-j", jobs).stdout.splitlines() for jobs in "12"] == [lines, lines]
    # Nor does it matter which others are made beside a puzzle.
    assert [*work.made(recipe, [11, 4])] == [alone[11], alone[4]]
    assert len({one.puzzle.givens for one in alone}) == 12


def test_other_seeds_give_other_puzzles() -> None:
    assert made(Recipe(classic(3, 3), seed=1))[0].puzzle != made(Recipe(classic(3, 3), seed=2))[0].puzzle


def test_without_a_seed_one_is_drawn_and_reported() -> None:
    first = command("generate", "--box", "2x2", "--json")
    seed = json.loads(first.stdout)["seed"]
    assert f"seed {seed}" in first.stderr
    assert command("generate", "--box", "2x2", "--json", "--seed", str(seed)).stdout == first.stdout


# What is asked for


TURNS: dict[Symmetry, list[Callable[[list[list[bool]]], list[list[bool]]]]] = {
    Symmetry.ROTATIONAL: [lambda grid: [row[::-1] for row in grid[::-1]]],
    Symmetry.DIAGONAL: [lambda grid: [list(column) for column in zip(*grid, strict=True)]],
    Symmetry.MIRROR: [lambda grid: [row[::-1] for row in grid]],
    Symmetry.FULL: [
        lambda grid: [row[::-1] for row in grid],
        lambda grid: grid[::-1],
        lambda grid: [list(column) for column in zip(*grid, strict=True)],
        lambda grid: [list(column) for column in zip(*grid[::-1], strict=True)],
    ],
}


@pytest.mark.parametrize("symmetry", TURNS, ids=lambda symmetry: symmetry.value)
@pytest.mark.parametrize("box", [(3, 3), (2, 4)], ids=str)
def test_givens_stand_symmetrically(box: tuple[int, int], symmetry: Symmetry) -> None:
    for one in made(Recipe(classic(*box), symmetry=symmetry, seed=1), 3):
        placed = rows(one.puzzle.givens)
        assert all(turn(placed) == placed for turn in TURNS[symmetry])
        assert satdoku.check(one.puzzle).verdict is Verdict.UNIQUE


@pytest.mark.parametrize("symmetry", [Symmetry.NONE, Symmetry.ROTATIONAL], ids=lambda symmetry: symmetry.value)
def test_a_minimal_puzzle_needs_each_given(symmetry: Symmetry) -> None:
    for one in made(Recipe(classic(3, 3), minimal=True, symmetry=symmetry, seed=2), 3):
        assert one.minimal
        for cell in (cell for cell, value in enumerate(one.puzzle.givens) if value):
            without = [*one.puzzle.givens]
            without[cell] = 0
            assert satdoku.check(Puzzle.from_givens(one.puzzle.board, without)).verdict is Verdict.MULTIPLE


def test_the_number_of_givens_is_in_the_range_and_uses_all_of_it() -> None:
    recipe = Recipe(classic(3, 3), givens=(26, 30), seed=1)
    assert {sum(map(bool, one.puzzle.givens)) for one in made(recipe, 60)} == set(range(26, 31))
    (full,) = made(Recipe(classic(3, 3), givens=(81, 81)))
    assert full.puzzle.givens == full.solution


def test_givens_stand_where_the_pattern_says(tmp_path: Path) -> None:
    for board, pattern in (
        (classic(3, 3), "X.......X .X.X.X.X. ..X.X.X.. .X.X.X.X. ..X.X.X.. .X.X.X.X. ..X.X.X.. .X.X.X.X. X.......X"),
        (classic(2, 2), "XX.. .... X.X. ...."),
        (build(4, (Mark("boxes", value="2x2"), Mark("odd", cells=((1, 1),)))), "XX.. .... X.X. ...."),
    ):
        file = tmp_path / "pattern.txt"
        file.write_text(pattern.replace(" ", "\n"))
        cells = places(file.read_text(), board)
        for one in made(Recipe(board, pattern=cells, seed=1)):
            assert [cell for cell, value in enumerate(one.puzzle.givens) if value] == list(cells)
            assert satdoku.check(one.puzzle).verdict is Verdict.UNIQUE
        assert len(cells) == pattern.count("X")


@pytest.mark.parametrize(
    "text",
    [
        "X..X\n....\n.5..\n0-_*",
        "X . | . X\n. . | . .\n----+----\n. 5 | . .\n0 . | . 12",
        "X..X\n....\n----+----\n.X..\n...X",
    ],
)
def test_a_pattern_is_read_with_and_without_lines(text: str) -> None:
    assert places(text, classic(2, 2)) == (0, 3, 9, 15)


@pytest.mark.parametrize(
    ("text", "complaint", "line"),
    [
        ("X..X\nX..\n....\n....", "row 2 of the pattern has 3 cells, expected 4", 2),
        ("X..X\n....\n....", "3 rows in the pattern, expected 4 of 4 cells", None),
        ("", "0 rows in the pattern", None),
        ("X" * 15, "row 1 of the pattern has 15 cells", 1),
    ],
)
def test_a_text_that_is_no_pattern_is_refused_at_its_line(text: str, complaint: str, line: int | None) -> None:
    with pytest.raises(FormatError, match=complaint) as caught:
        places(text, classic(2, 2))
    assert caught.value.line == line


@pytest.mark.parametrize("text", ["X..." + "." * 11 + "X", "4" + "," * 15 + "0\n", " 1" + "." * 15 + "\n"])
def test_a_line_of_all_cells_is_a_pattern(text: str) -> None:
    assert places(text, classic(2, 2)) == ((0, 15) if text[0] == "X" else (0,))


def test_a_puzzle_in_a_pipe_is_a_pattern() -> None:
    first = command("generate", "--seed", "1", "--symmetry", "full", "--givens", "32:40")
    other = command("generate", "--seed", "2", "--pattern", "-", input=first.stdout)
    before, after = (satdoku.read(result.stdout).givens for result in (first, other))
    assert before != after
    assert rows(before) == rows(after)


# What cannot be


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--givens", "5"], "5 givens: no 9x9 puzzle with fewer than 17 has one solution"),
        (["--givens", "3", "--box", "2x3"], "3 givens: with fewer than 5, two values are not given and can change"),
        (["--givens", "82"], "82 givens: the board has 81 cells"),
        (["--givens", "28:24"], "28:24 givens: expected the lower number first"),
        (["--givens", "25", "--box", "2x4", "--symmetry", "rotational"], "no such number of cells"),
        (["--givens", "many"], "givens many: expected a number, or LOW:HIGH such as 24:28"),
        (["--seed", "-3"], "seed -3: expected 0 or more"),
        (["--count", "0"], "--count 0: expected 1 to"),
        (["--count", "9" * 30], "expected 1 to 1000000000000"),
        (["--timeout", "0"], "--timeout 0: expected a number above 0"),
        (["--jobs", "0"], "--jobs 0: expected 1 or more"),
        (["--rule", "diagonal"], "unknown rule 'diagonal': did you mean diagonal+ or diagonal-"),
        (["--symmetry", "round"], "--symmetry round: expected one of none, rotational"),
        (["--pattern", "no such file"], "no such file: No such file or directory"),
        (["--to", "lines"], "unknown format 'lines'"),
        (["--to", "line", "--rule", "windoku"], "the line format cannot hold the rule 'windoku'"),
        (["no such puzzle"], "no such puzzle"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_is_refused_in_one_line(arguments: list[str], reason: str) -> None:
    result = command("generate", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr
    assert result.stderr.count("\n") == 1


def test_rows_that_can_change_places_are_found_in_a_pattern() -> None:
    cells = tuple(cell for cell in range(81) if cell // 9 not in (3, 5))
    with pytest.raises(Refused, match="rows 4 and 6 have no clue, and can change places"):
        Recipe(classic(3, 3), pattern=cells)
    with pytest.raises(Refused, match="columns 1 and 2 have no clue"):
        Recipe(classic(3, 3), pattern=tuple(cell for cell in range(81) if cell % 9 > 1))
    # Rows of two bands cannot.
    Recipe(classic(3, 3), pattern=tuple(cell for cell in range(81) if cell // 9 not in (0, 3)))


def test_a_board_without_a_grid_is_refused() -> None:
    board = build(4, (Mark("boxes", value="2x2"), Mark("cage", cells=((1, 1), (1, 2)), value=8)))
    with pytest.raises(Refused, match="no grid satisfies the rules of the board"):
        list(work.made(Recipe(board), [0]))


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(classic(3, 3), givens=(17, 17), timeout=1),
        Recipe(classic(3, 3), givens=(60, 60), minimal=True, timeout=1),
        Recipe(classic(2, 2), pattern=(0, 5, 10, 15), timeout=1),
    ],
    ids=["few", "many and minimal", "pattern"],
)
def test_what_is_not_found_in_the_time_is_undecided(recipe: Recipe) -> None:
    (found,) = work.made(recipe, [0])
    assert isinstance(found, NotMade) and found.reason
    assert found.tries >= 1  # how many there are in a second depends on the machine


def test_an_undecided_puzzle_is_reported_and_makes_the_status_3() -> None:
    result = command("generate", "--givens", "17", "--timeout", "0.5", "--json", "--seed", "1")
    assert result.exit_code == 3
    assert json.loads(result.stdout)["undecided"].startswith("undecided: no such puzzle in 0.5 s: ")
    assert "puzzle 1: undecided" in result.stderr


def test_a_wrong_engine_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work.Workshop, "_counts", lambda self, rows, limit: rows[:, 0].astype("int64") * 0 + 1)
    with pytest.raises(WrongAnswer, match="puzzle 1: made as unique"):
        list(work.made(Recipe(classic(3, 3)), [0]))


# Size


def test_a_puzzle_that_is_not_done_in_the_time_is_not_made() -> None:
    result = command("generate", "--box", "5x5", "--timeout", "0.5", "--count", "2", "--seed", "1")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "satdoku: 0 of 2 made, 25x25" in result.stderr


def test_a_question_that_takes_too_much_work_leaves_the_clue(monkeypatch: pytest.MonkeyPatch) -> None:
    stages = (Stage((Turn((NATIVE,), 1),), once=True),)
    for question in (Purpose.MANY, Purpose.GENERATE):
        monkeypatch.setitem(POLICY, question, dict.fromkeys(Class, stages))
    monkeypatch.setattr(work, "MAX_BY_SAT", 0)
    result = command("generate", "--box", "4x4", "--seed", "1", "--json")
    record = json.loads(result.stdout)
    assert (result.exit_code, record["cut"]) == (0, True)
    assert re.search(rf"{record['givens']} givens; whether \d+ of them are needed takes too long", result.stderr)
    monkeypatch.undo()
    assert command("check", record["puzzle"]).exit_code == 0


# The command


def test_json_has_the_puzzle_and_what_is_known_of_it() -> None:
    result = command("generate", "--count", "2", "--json", "--minimal", "--seed", "9")
    for number, line in enumerate(result.stdout.splitlines(), 1):
        record = json.loads(line)
        puzzle = satdoku.read(record["puzzle"])
        assert record["givens"] == sum(map(bool, puzzle.givens))
        assert satdoku.solve(puzzle).grids == (tuple(map(int, record["solution"])),)
        assert (record["number"], record["seed"], record["minimal"], record["cut"]) == (number, 9, True, False)


def test_the_file_that_is_named_takes_the_puzzles(tmp_path: Path) -> None:
    file = tmp_path / "new.txt"
    result = command("generate", "--count", "4", "--seed", "1", "-o", str(file))
    assert (result.exit_code, result.stdout) == (0, "")
    assert command("check", str(file)).stdout.count("unique") == 4


def test_rules_of_a_puzzle_are_taken_and_its_givens_not() -> None:
    file = str(PUZZLES / "variants" / "windoku.toml")
    source = satdoku.read(Path(file).read_text())
    puzzle = satdoku.read(command("generate", file, "--seed", "1").stdout)
    assert puzzle.board.marks == source.board.marks
    assert puzzle.givens != source.givens


def test_ctrl_c_ends_a_run_of_several_processes() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "satdoku", "generate", "--count", "1000000", "-j", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=30)
    assert process.returncode == 130
    assert message.splitlines()[-1] == "satdoku: interrupted"
    assert "Traceback" not in message


def test_clues_end_when_the_time_is_over() -> None:
    recipe = Recipe(classic(3, 3), seed=1)
    with Session() as session, pytest.raises(TimeIsUp):
        next(clues.thinned(recipe, grids(recipe.board, session), Random(1), Deadline(0)))


class TestFailuresInPython:
    """17 givens are never found in a moment, and proofs that none are would take years."""

    def test_the_first_puzzle_that_is_not_found_is_raised(self) -> None:
        wanted = satdoku.generate(givens=17, seed=1, timeout=0.2)
        with pytest.raises(NotMade, match="puzzle 1 was not made in the time: ") as caught:
            next(wanted)
        assert (caught.value.number, caught.value.status) == (0, 3)
        assert next(wanted, None) is None

    def test_a_function_is_given_each_and_the_others_follow(self) -> None:
        failures: list[NotMade] = []
        wanted = satdoku.generate(givens=17, count=3, first=5, seed=1, timeout=0.2, on_failure=failures.append)
        assert list(wanted) == []
        assert [failure.number for failure in failures] == [4, 5, 6]
        assert all(failure.tries > 0 and failure.reason for failure in failures)

    def test_a_failure_survives_the_way_from_a_worker(self) -> None:
        failure = pickle.loads(pickle.dumps(NotMade(2, 7, "no try was finished")))
        assert (failure.number, failure.tries, failure.reason) == (2, 7, "no try was finished")
        assert str(failure) == "puzzle 3 was not made in the time: no try was finished"

    def test_what_cannot_be_called_is_refused_at_once(self) -> None:
        with pytest.raises(TypeError, match=r"on_failure is \[\]: expected a function, such as failures.append"):
            satdoku.generate(on_failure=[])  # type: ignore[call-overload]
