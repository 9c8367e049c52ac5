"""The setter's questions against brute force: true candidates, minimal puzzles."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from support.cli import NONE, TWO, UNIQUE, complaints, records, run
from support.clocks import Ticks
from support.puzzles import EASY, ROOT, VARIANTS, puzzle_in

import satdoku
from satdoku import Ending, Grid, Puzzle, Verdict, candidates, minimize
from satdoku.backends.incremental import IncrementalSolver
from satdoku.clue_symmetry import Symmetry
from satdoku.puzzle import Size, members
from satdoku.referee import violations
from satdoku.setter import Minimal
from satdoku.setter.candidates import survey
from satdoku.setter.minimize import MinimizeOptions, minimized
from satdoku.testing import cases

HARD_TO_COUNT = "." * 81


def some_cases(count: int) -> Iterator[tuple[int, Puzzle, frozenset[Grid]]]:
    """Puzzles of random small boards, with all their grids."""
    for case in cases(count, start=9_000):
        for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
            yield case.seed, puzzle, truth


class TestCandidates:
    @pytest.mark.parametrize("limit", [1, 3, None])
    def test_they_are_those_of_brute_force(self, limit: int | None) -> None:
        several = 0
        with IncrementalSolver() as solver:
            for seed, puzzle, truth in some_cases(120):
                found = survey(solver, puzzle, limit, None)
                for cell, row in enumerate(found.counts):
                    for value, count in enumerate(row, 1):
                        true = sum(grid[cell] == value for grid in truth)
                        assert count == (true if limit is None else min(true, limit)), (seed, cell, value)
                assert found.verdict is _verdict(truth), seed
                assert not any(found.undecided)
                several += len(truth) > 1
        assert several > 50

    def test_equal_cells_are_those_of_brute_force(self) -> None:
        groups = 0
        for seed, puzzle, truth in some_cases(150):
            found = candidates(puzzle)
            vary = [cell for cell in range(puzzle.board.cells) if len({grid[cell] for grid in truth}) > 1]
            equal = {pair for pair in combinations(vary, 2) if all(grid[pair[0]] == grid[pair[1]] for grid in truth)}
            assert found.equal is not None
            assert {pair for group in found.equal for pair in combinations(sorted(group), 2)} == equal, seed
            groups += len(found.equal)
        assert groups

    def test_hidden_values_fit_every_rule_by_itself_and_no_solution(self) -> None:
        hidden = 0
        for seed, puzzle, truth in some_cases(120):
            if next(puzzle.clashes(), None):
                continue
            found = candidates(puzzle)
            for cell, values in enumerate(found.hidden):
                for value in members(values):
                    hidden += 1
                    assert all(grid[cell] != value for grid in truth), seed
                    placed = [1 << value if other == cell else a for other, a in enumerate(puzzle.candidates)]
                    given = Puzzle(puzzle.board, tuple(placed))
                    assert not any("twice" in clash for clash in given.clashes()), seed
            basic = zip(found.basic, found.possible, strict=True)
            assert all(seen & ~left == 0 for left, seen in basic), f"{seed}: a value of a solution is excluded"
        assert hidden > 20

    @pytest.mark.parametrize("name", VARIANTS)
    def test_every_variant_is_taken(self, name: str) -> None:
        puzzle = puzzle_in(f"variants/{name}.toml")
        found = candidates(puzzle)
        assert (found.verdict, found.decided) == (Verdict.UNIQUE, satdoku.solve(puzzle).grids[0])

    def test_one_solver_takes_one_board_after_another(self) -> None:
        with IncrementalSolver() as solver:
            for text in (TWO, EASY, TWO, NONE, UNIQUE, EASY):
                puzzle = satdoku.read(text)
                assert survey(solver, puzzle, 1, None) == candidates(puzzle)

    def test_what_a_timeout_leaves_is_undecided_and_what_was_seen_is_kept(self) -> None:
        found = candidates(satdoku.read(HARD_TO_COUNT), limit=10**8, timeout=3)
        assert (found.ending, found.verdict, found.equal) == (Ending.TIMEOUT, Verdict.MULTIPLE, None)
        assert found.solutions > 1
        assert max(map(max, found.counts)) > 0
        none = candidates(satdoku.read(EASY), timeout=1e-9)
        assert (none.verdict, none.solutions) == (Verdict.UNDECIDED, 0)
        assert all(none.undecided)
        assert not any(none.hidden)
        assert not any(none.decided)

    def test_a_large_board_is_reduced_by_its_givens(self) -> None:
        side = 25
        rows = [[(5 * (r % 5) + r // 5 + c) % side + 1 for c in range(side)] for r in range(side)]
        grid = tuple(value for row in rows for value in row)
        puzzle = Puzzle.from_givens(satdoku.classic(5, 5), [0 if cell % 7 == 4 else v for cell, v in enumerate(grid)])
        assert candidates(puzzle).decided == grid

    @pytest.mark.parametrize("limit", [0, -1])
    def test_a_limit_is_one_or_more(self, limit: int) -> None:
        with IncrementalSolver() as solver, pytest.raises(satdoku.InputError, match="expected 1 or more"):
            survey(solver, satdoku.read(TWO), limit, None)


class TestCandidatesCommand:
    def test_one_puzzle_is_a_grid_and_sentences(self) -> None:
        result = run("candidates", TWO, "--limit", "3")
        assert result.exit_code == 0
        lines = result.stdout.splitlines()
        assert lines[1:3] == ["| 1  3  | 24 24 |", "| 2  4  | 3  1  |"]
        assert "multiple: 12 cells decided, 4 vary\n" in result.stdout
        assert "equal in every solution: r1c3 = r3c4\n" in result.stdout
        assert "solutions with each value, up to 3: r1c3 2:1 4:1" in result.stdout

    def test_the_grid_is_read_back(self) -> None:
        drawn = run("candidates", puzzle_text := TWO).stdout.split("\n\n")[0]
        again = run("candidates", "-", "--json", input=drawn)
        (before,), (after,) = records(run("candidates", puzzle_text, "--json")), records(again)
        assert before["candidates"] == after["candidates"]

    @pytest.mark.parametrize("name", ["9x9_empty.txt", "16x16.txt", "25x25.txt"])
    def test_the_text_fits_a_terminal(self, name: str) -> None:
        result = run("candidates", str(ROOT / "puzzles" / name))
        assert result.exit_code == 0
        assert max(map(len, result.stdout.splitlines())) <= 80

    def test_a_square_shows_each_value_at_its_place(self) -> None:
        lines = run("candidates", "." * 81).stdout.splitlines()
        assert lines[1:4] == [
            "| 123 123 123 | 123 123 123 | 123 123 123 |".replace("123", t) for t in ("123", "456", "789")
        ]

    def test_json_has_these_fields(self) -> None:
        (record,) = records(run("candidates", TWO, "--limit", "0", "--json"))
        assert record["candidates"]["r1c3"] == {"2": 1, "4": 1}
        assert record["candidates"]["r1c1"] == {"1": 2}
        assert record["decided"]["r1c2"] == 3
        assert record["equal"] == [["r1c3", "r3c4"], ["r1c4", "r3c3"]]
        assert (record["verdict"], record["limit"], record["solutions"]) == ("multiple", None, 2)
        assert record["ending"] == "exhausted"
        assert "undecided" not in record

    def test_no_solution_is_reported_with_its_reason(self) -> None:
        result = run("candidates", "11..............")
        assert result.exit_code == 1
        assert result.stdout == "unsolvable: no value occurs in a solution: row 1 has 1 twice: r1c1 and r1c2\n"
        assert run("candidates", NONE).exit_code == 1

    def test_a_timeout_is_status_3(self) -> None:
        result = run("candidates", HARD_TO_COUNT, "--limit", "0", "--timeout", "0.3")
        assert result.exit_code == 3
        assert "stopped by the timeout" in result.stdout

    def test_several_puzzles_are_a_line_each(self) -> None:
        result = run("candidates", TWO, UNIQUE, "12..5")
        assert result.exit_code == 2
        assert result.stdout == "argument 1\tmultiple\t12 decided, 4 vary\nargument 2\tunique\t16 decided, 0 vary\n"

    def test_a_picture_has_the_candidates(self, tmp_path: Path) -> None:
        result = run("candidates", TWO, "-o", str(tmp_path / "two.svg"))
        assert result.exit_code == 0
        assert (tmp_path / "two.svg").read_text("utf-8").startswith("<?xml")
        assert f"{tmp_path / 'two.svg'} written" in complaints(result)

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--limit", "-1"], "--limit -1"),
            (["--timeout", "0"], "--timeout 0: expected"),
            (["-o", "x.gif"], "x.gif: expected"),
        ],
    )
    def test_bad_options_are_refused(self, arguments: list[str], complaint: str) -> None:
        result = run("candidates", TWO, *arguments)
        assert result.exit_code == 2
        assert complaint in complaints(result)[0]


class TestMinimize:
    def test_each_given_that_is_left_is_needed(self) -> None:
        minimal = 0
        with IncrementalSolver() as solver:
            for seed, puzzle, truth in some_cases(120):
                found = minimized(solver, puzzle, MinimizeOptions(seed=seed))
                assert found.verdict is _verdict(truth), seed
                if found.puzzle is None:
                    continue
                minimal += bool(found.needed)
                assert frozenset(satdoku.solve(found.puzzle, limit=None, backend="backtrack").grids) == truth, seed
                assert [cell for cell, _ in found.needed] == [c for c, v in enumerate(found.puzzle.givens) if v]
                _witnessed(found)
        assert minimal > 20

    @pytest.mark.parametrize("name", ["9x9_hard.txt", *(f"variants/{name}.toml" for name in VARIANTS[:3])])
    def test_puzzles_of_full_size_are_minimal_and_have_the_same_solution(self, name: str) -> None:
        puzzle = puzzle_in(name)
        found = minimize(puzzle)
        assert found.puzzle is not None
        assert satdoku.check(found.puzzle).grids == satdoku.check(puzzle).grids == (found.solution,)
        assert not found.spare
        _witnessed(found)
        for cell, _ in found.needed:
            fewer = [0 if other == cell else value for other, value in enumerate(found.puzzle.givens)]
            assert satdoku.check(Puzzle.from_givens(puzzle.board, fewer)).verdict is Verdict.MULTIPLE

    def test_a_seed_gives_the_same_and_another_gives_another(self) -> None:
        full = _full(EASY)
        results = {seed: minimize(full, seed=seed).puzzle for seed in range(4)}
        assert results == {seed: minimize(full, seed=seed).puzzle for seed in range(4)}
        assert len({puzzle.candidates for puzzle in results.values() if puzzle}) == 4

    def test_what_is_to_be_kept_stays(self) -> None:
        full = _full(EASY)
        found = minimize(full, keep="r1c1-r1c9")
        assert found.puzzle is not None
        assert all(found.puzzle.givens[:9])
        assert set(found.spare) <= set(range(9))
        assert found.spare
        assert not found.untested
        for cell in found.spare:
            fewer = [0 if other == cell else value for other, value in enumerate(found.puzzle.givens)]
            assert satdoku.check(Puzzle.from_givens(full.board, fewer)).verdict is Verdict.UNIQUE

    @pytest.mark.parametrize("symmetry", list(Symmetry))
    def test_what_is_left_is_symmetric_and_no_set_can_go(self, symmetry: Symmetry) -> None:
        full = _full(EASY)
        found = minimize(full, symmetry=symmetry, seed=3)
        assert found.puzzle is not None
        given = {cell for cell, value in enumerate(found.puzzle.givens) if value}
        for orbit in symmetry.orbits(Size.of(9)):
            assert given.issuperset(orbit) or given.isdisjoint(orbit)
            if given.issuperset(orbit):
                fewer = [0 if cell in orbit else value for cell, value in enumerate(found.puzzle.givens)]
                assert satdoku.check(Puzzle.from_givens(full.board, fewer)).verdict is Verdict.MULTIPLE
        assert satdoku.check(found.puzzle).verdict is Verdict.UNIQUE
        _witnessed(found)

    def test_givens_that_cannot_be_symmetric_are_refused(self) -> None:
        with pytest.raises(satdoku.Refused, match=r"no rotational symmetry: r\dc\d is given and r\dc\d is not"):
            minimize(satdoku.read(EASY), symmetry="rotational")
        with pytest.raises(satdoku.Refused, match="it is to be kept"):
            minimize(Puzzle.from_givens(*_without(_full(EASY), 80)), symmetry="rotational", keep="r1c1")

    def test_partners_that_are_not_given_go_with_the_symmetry(self) -> None:
        found = minimize(Puzzle.from_givens(*_without(_full(EASY), 80)), symmetry="rotational")
        assert found.puzzle is not None
        assert not found.puzzle.givens[0]

    def test_candidates_that_are_no_givens_stay(self) -> None:
        full = _full(UNIQUE)
        limited = tuple(0b110 if cell == 0 else allowed for cell, allowed in enumerate(full.candidates))
        found = minimize(Puzzle(full.board, limited))
        assert found.puzzle is not None
        assert found.puzzle.candidates[0] == 0b110
        assert satdoku.check(found.puzzle).verdict is Verdict.UNIQUE

    @pytest.mark.parametrize(
        ("text", "verdict"),
        [(TWO, Verdict.MULTIPLE), (NONE, Verdict.UNSOLVABLE), ("11" + "." * 14, Verdict.UNSOLVABLE)],
    )
    def test_only_a_unique_puzzle_is_minimized(self, text: str, verdict: Verdict) -> None:
        found = minimize(satdoku.read(text))
        assert (found.verdict, found.puzzle) == (verdict, None)

    def test_a_timeout_keeps_what_was_dropped(self) -> None:
        none = minimize(satdoku.read(EASY), timeout=1e-9)
        assert (none.verdict, none.ending, none.puzzle) == (Verdict.UNDECIDED, Ending.TIMEOUT, None)

    @pytest.mark.parametrize("solves", [2, 5, 20, 28])
    def test_a_clock_that_stops_it_leaves_the_rest_untested(self, solves: int, monkeypatch: pytest.MonkeyPatch) -> None:
        module = import_module("satdoku.setter.minimize")  # the function of that name hides it
        monkeypatch.setattr(module, "Deadline", lambda seconds: Ticks(solves))
        full = _full(EASY)
        found = minimize(full, timeout=1)
        assert (found.verdict, found.ending) == (Verdict.UNIQUE, Ending.TIMEOUT)
        assert found.puzzle is not None
        assert satdoku.check(found.puzzle).grids == (found.solution,)
        assert len(found.untested) + len(found.needed) == sum(map(bool, found.puzzle.givens))
        assert found.untested
        assert found.dropped
        _witnessed(found)

    @pytest.mark.parametrize("keep", [[0], [99], [-1]])
    def test_only_givens_can_be_kept(self, keep: list[int]) -> None:
        puzzle, options = Puzzle.from_givens(*_without(_full(UNIQUE), 0)), MinimizeOptions(keep=frozenset(keep))
        with (
            IncrementalSolver() as solver,
            pytest.raises(satdoku.InputError, match="is to be kept, and is not a given"),
        ):
            minimized(solver, puzzle, options)

    def test_an_unknown_symmetry_brings_the_known_ones(self) -> None:
        with pytest.raises(satdoku.InputError, match="rotational"):
            minimize(satdoku.read(EASY), symmetry="rotation")


class TestMinimizeCommand:
    def test_what_it_prints_is_checked_in_a_closed_loop(self) -> None:
        result = run("minimize", EASY, "--witness")
        assert result.exit_code == 0
        assert complaints(result)[0] == "argument 1: 30 givens, 25 left, each of them needed"
        checked = run("check", "-", "--json", input=result.stdout)
        assert records(checked)[0]["verdict"] == "unique"
        assert result.stdout.count("# without r") == 25

    def test_several_are_a_line_each(self) -> None:
        result = run("minimize", EASY, UNIQUE, TWO)
        assert result.exit_code == 1
        assert [len(line) for line in result.stdout.splitlines()] == [81, 16]
        assert "argument 3: multiple; only a puzzle with one solution can be minimized" in complaints(result)

    def test_json_has_the_witnesses_when_asked_for(self) -> None:
        (record,) = records(run("minimize", EASY, "--json", "--witness", "--seed", "7"))
        assert record["minimal"] is True
        puzzle = satdoku.read(record["puzzle"])
        assert record["givens"] == sum(map(bool, puzzle.givens)) == len(record["witnesses"])
        assert len(record["dropped"]) == 30 - record["givens"]
        for place, grid in record["witnesses"].items():
            assert not place.startswith(f"r1c1={grid[0]}")
        assert "witnesses" not in json.loads(run("minimize", EASY, "--json").stdout)

    def test_a_variant_is_written_in_a_format_that_holds_it(self) -> None:
        result = run("minimize", str(ROOT / "puzzles" / "variants" / "cage.toml"))
        assert result.exit_code == 0
        assert "cage" in result.stdout
        assert satdoku.check(satdoku.read(result.stdout)).verdict is Verdict.UNIQUE

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--keep", "r1c9,q"], "'q' is not a cell of the board"),
            (["--keep", "r10c1"], "'r10c1' is not a cell"),
            (["--keep", "r1c2"], "r1c2 is to be kept, and is not a given"),
            (["--symmetry", "rotated"], "--symmetry"),
            (["--to", "nothing"], "unknown format"),
            (["--timeout", "-1"], "--timeout -1: expected"),
        ],
    )
    def test_bad_options_are_refused(self, arguments: list[str], complaint: str) -> None:
        result = run("minimize", EASY, *arguments)
        assert result.exit_code == 2
        assert complaint in complaints(result)[0]


def _verdict(truth: frozenset[Grid]) -> Verdict:
    return (Verdict.UNSOLVABLE, Verdict.UNIQUE, Verdict.MULTIPLE)[min(2, len(truth))]


def _full(text: str) -> Puzzle:
    puzzle = satdoku.read(text)
    return Puzzle.from_givens(puzzle.board, satdoku.solve(puzzle).grids[0])


def _without(puzzle: Puzzle, cell: int) -> tuple[Any, list[int]]:
    return puzzle.board, [0 if other == cell else value for other, value in enumerate(puzzle.givens)]


def _witnessed(found: Minimal) -> None:
    """Each witness is another solution once its given is gone."""
    assert found.puzzle is not None
    for cell, grid in found.needed:
        every = found.puzzle.board.every_value
        fewer = tuple(every if other == cell else allowed for other, allowed in enumerate(found.puzzle.candidates))
        assert not list(violations(Puzzle(found.puzzle.board, fewer), grid))
        assert grid != found.solution
