"""New puzzles that need a technique, have a score, or lead to a step: by the API and by `generate`."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import complaints, records, run

import satdoku
from satdoku.puzzle import members
from satdoku.setter.difficulty import score_of
from satdoku.setter.requirement import Requirement
from satdoku.techniques.hodoku import OldestSingles, hodoku_order
from satdoku.techniques.ladder import grid_of, ordered, steps

ALONE = ("generate", "-j", "1", "--seed", "5")


def names() -> list[str]:
    return [technique.name for technique in ordered()]


def solved_by(puzzle: satdoku.Puzzle, without: tuple[str, ...]) -> bool:
    """Whether all techniques but these lead to the end."""
    grid = grid_of(puzzle, unique=True)
    for step in steps(grid, [technique for technique in ordered() if technique.name not in without]):
        step.apply(grid)
    return not grid.open


@pytest.mark.parametrize("name", ["hidden single", "hidden pair"])
def test_the_technique_is_needed_and_nothing_harder(name: str) -> None:
    harder = tuple(names()[names().index(name) + 1 :])
    for made in satdoku.generate(technique=name, count=3, seed=5):
        assert solved_by(made.puzzle, harder)
        assert not solved_by(made.puzzle, (name, *harder))
        assert made.difficulty is not None
        assert name in made.difficulty.steps


@pytest.mark.parametrize("name", ["locked candidates (pointing)", "naked pair", "skyscraper", "XY-wing"])
def test_a_position_is_where_the_technique_comes_next(name: str) -> None:
    for made in satdoku.generate(until=name, count=2, seed=5):
        assert made.position is not None
        known = made.position.puzzle
        assert all(value in members(left) for value, left in zip(made.solution, known.candidates, strict=True))
        assert all(ours in (0, theirs) for ours, theirs in zip(made.puzzle.givens, known.givens, strict=True))
        (step, *_) = steps(grid_of(known, unique=True), ordered())
        assert step == made.position.step
        assert step.technique == name
        before = [one.technique for one in before_the(name, made.puzzle)]
        assert set(before) <= set(names()[: names().index(name)])
        assert bool(before) == (known != made.puzzle)


def before_the(name: str, puzzle: satdoku.Puzzle) -> list[satdoku.Step]:
    taken: list[satdoku.Step] = []
    for step in steps(grid_of(puzzle, unique=True), ordered()):
        if step.technique == name:
            break
        taken.append(step)
    return taken


def test_a_cell_with_one_candidate_does_not_look_as_if_it_were_known() -> None:
    (made,) = satdoku.generate(until="naked single", seed=5)
    assert made.position is not None
    assert made.position.puzzle.givens == made.puzzle.givens


def test_the_score_is_in_the_range() -> None:
    for made in satdoku.generate(score=(300, 400), count=3, seed=5):
        assert made.difficulty is not None
        assert 300 <= (made.difficulty.score or 0) <= 400
        assert score_of(made.puzzle) == made.difficulty.score


@pytest.mark.parametrize("kind", ["thermometer", "arrow"])
def test_links_through_marks_are_followed_in_the_order_of_hodoku(kind: str) -> None:
    for made in satdoku.generate(satdoku.classic(2, 3), marks=kind, count=6, seed=3):
        grid = grid_of(made.puzzle, unique=True)
        singles = OldestSingles(made.puzzle, grid.layout)
        for step in steps(grid, hodoku_order(singles)):
            singles.follow(step)
            assert all(made.solution[cell] == value for cell, value in step.placements)
            excluded = [(cell, value) for value, cells in step.eliminations for cell in members(cells)]
            assert all(made.solution[cell] != value for cell, value in excluded), step


def test_a_score_ends_where_it_is_too_high() -> None:
    puzzle = next(satdoku.generate(difficulty="locked", seed=5)).puzzle
    score = score_of(puzzle)
    assert score is not None
    assert score_of(puzzle, score) == score
    assert score_of(puzzle, score - 1) is None


def test_marks_have_techniques_too() -> None:
    (made,) = satdoku.generate(satdoku.classic(2, 3), marks="cage", technique="cage combinations", minimal=True, seed=3)
    assert made.difficulty is not None
    assert made.difficulty.hardest == "cage combinations"


class TestCommand:
    def test_a_position_is_read_back_with_its_next_step(self, tmp_path: Path) -> None:
        file = tmp_path / "position.txt"
        result = run(*ALONE, "--until", "naked pair", "--output", str(file))
        assert result.exit_code == 0, result.output
        text = file.read_text()
        assert text.startswith("# next: naked pair\n")
        assert "(naked pair)" in run("explain", "--next", str(file)).stdout

    def test_the_record_has_the_puzzle_the_step_and_the_tries(self) -> None:
        for record in records(run(*ALONE, "--until", "naked pair", "--count", "2", "--json")):
            assert record["step"]["technique"] == "naked pair"
            assert record["tries"] > 0
            assert len(record["start"]) == 81
            assert len(record["puzzle"]) == 729
            solution = satdoku.check(record["start"]).grid
            assert solution == satdoku.check(record["puzzle"]).grid
            assert "difficulty" not in record

    def test_the_summary_says_the_yield(self) -> None:
        result = run(*ALONE, "--technique", "hidden single", "--count", "3", "--json")
        tries = sum(record["tries"] for record in records(result))
        assert tries > 3
        assert f"yield 3 of {tries} grids tried" in complaints(result)[-1]

    def test_what_is_not_found_counts_as_tried(self) -> None:
        result = run(*ALONE, "--box", "2x2", "--technique", "XY-wing", "--timeout", "0.3", "--json")
        (record,) = records(result)
        assert (result.exit_code, record["tries"] > 0) == (3, True)
        assert "no puzzle had the technique" in record["undecided"]
        assert f"yield 0 of {record['tries']} grids tried" in complaints(result)[-1]

    def test_the_score_stands_behind_the_difficulty(self) -> None:
        (line,) = run(*ALONE, "--score", "200:400", "--to", "line").stdout.splitlines()
        assert 200 <= int(line.partition("; score ")[2]) <= 400

    def test_a_picture_shows_the_candidates(self, tmp_path: Path) -> None:
        sizes = []
        for more in ([], ["--until", "naked pair"]):
            file = tmp_path / f"{len(more)}.svg"
            assert run(*ALONE, *more, "--output", str(file)).exit_code == 0
            sizes.append(file.read_text().count("<use"))
        assert sizes[1] > 81 > sizes[0] > 17

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--technique", "Xwing"], "unknown technique 'Xwing': did you mean X-wing"),
            (["--until", "full house"], "unknown technique 'full house'"),
            (["--technique", "X-wing", "--difficulty", "subsets"], "X-wing is of the level fish"),
            (["--technique", "X-wing", "--until", "XY-wing"], "XY-wing is harder than X-wing"),
            (["--until", "avoidable rectangle (type 1)"], "depends on which cells were given"),
            (["--score", "9:3"], "expected the lower number first"),
            (["--score", "high"], "score high: expected a number, or LOW:HIGH"),
            (["--until", "naked pair", "--to", "line"], "cannot hold the candidates"),
            (["--until", "naked pair", "--marks", "cage", "--to", "grid"], "holds no candidates"),
        ],
    )
    def test_what_cannot_be_is_refused_at_once(self, arguments: list[str], complaint: str) -> None:
        result = run("generate", *arguments)
        assert result.exit_code == 2
        assert complaint in complaints(result)[0]


def test_a_requirement_is_true_if_it_requires_anything() -> None:
    assert not Requirement()
    assert all([Requirement(levels=(1, 2)), Requirement(until="X-wing"), Requirement(score=(0, 0))])


def test_a_score_of_another_type_is_refused() -> None:
    with pytest.raises(TypeError, match="score is '3'"):
        satdoku.generate(score="3")  # type: ignore[call-overload]
