"""Every export means what the puzzle means, to the tools that it is written for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.amount import every, tries
from support.cli import run
from support.consumers import CONSUMERS, Consumer, here
from support.puzzles import variant

from satdoku import (
    Automaton,
    Board,
    Grid,
    InputError,
    Linear,
    Puzzle,
    Refused,
    Table,
    __version__,
    classic,
    read,
    solve,
)
from satdoku import testing as kit
from satdoku.exports import blocked, export, names, targets
from satdoku.exports.names import variable_map

PUZZLES = Path(__file__).parents[2] / "puzzles"
RULES = ("AllDifferent", "Linear", "Table", "Automaton")
KINDS = ("cage", "thermometer", "sandwich", "arrow")
"""A Linear with an AllDifferent, Tables of two, an Automaton, a Linear with signs."""

TWO = read("13....3131...213", name="two")
STAR = "c|%|\\*|#|\\\\|\\||;|<!--"
WHOLE = sorted(name for name, target in targets().items() if not target.all_different_only)
"""Targets that take every constraint."""


@pytest.fixture(params=CONSUMERS, ids=lambda consumer: consumer.name)
def consumer(request: pytest.FixtureRequest) -> Consumer:
    return here(request.param)


def small(count: int) -> Iterator[tuple[Puzzle, frozenset[Any]]]:
    for case in kit.cases(count, start=300):
        for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
            if len(truth) <= 20:
                yield puzzle, truth


def kinds(consumer: Consumer) -> tuple[str, ...]:
    """The constraints that its target takes."""
    return ("AllDifferent",) if targets()[consumer.target].all_different_only else tuple(RULES)


def from_file(name: str) -> Puzzle:
    text = (PUZZLES / name).read_text()
    return read(text.splitlines()[0] if "several" in name else text, name=name)


class TestConsumers:
    def test_random_boards_of_all_constraints_that_it_takes_have_exactly_the_grids_of_brute_force(
        self, consumer: Consumer, tmp_path: Path
    ) -> None:
        def grids(text: str, puzzle: Puzzle) -> list[Grid]:
            return consumer.grids(text, puzzle, tmp_path)

        kit.check_export(consumer.target, grids, boards=tries(1, 3) if consumer.slow else tries(2, 5))

    @pytest.mark.parametrize("file", every(2, ["4x4_two.txt", "6x6.txt", "9x9_hard.txt"]))
    def test_puzzles_have_exactly_their_solutions(self, consumer: Consumer, file: str, tmp_path: Path) -> None:
        puzzle = from_file(file)
        assert sorted(consumer.all_grids(puzzle, tmp_path)) == sorted(solve(puzzle, limit=None).grids)

    @pytest.mark.parametrize("kind", every(2, KINDS))
    def test_variants_have_exactly_their_solution(self, consumer: Consumer, kind: str, tmp_path: Path) -> None:
        puzzle = variant(kind)
        if not {type(rule).__name__ for rule in puzzle.board.constraints} <= set(kinds(consumer)):
            odd = puzzle.board.others[0]
            with pytest.raises(Refused, match=rf"cannot take it: {odd.name} is an? .* dimacs.* can$"):
                export(puzzle, consumer.target)
            return
        solved = solve(puzzle, limit=2).grids
        assert len(solved) == 1
        # With the solution but for two rows as givens: which tool is fast is not the question here.
        nearly = Puzzle.from_givens(puzzle.board, [0] * 18 + list(solved[0][18:]))
        truth = sorted(solve(nearly, limit=None).grids)
        assert sorted(consumer.all_grids(nearly, tmp_path)) == truth

    def test_grids_that_are_blocked_do_not_come(self, consumer: Consumer, tmp_path: Path) -> None:
        first, second = solve(TWO, limit=None).grids
        assert consumer.grids("".join(export(TWO, consumer.target, None, [first])), TWO, tmp_path) == [second]
        assert consumer.grids("".join(export(TWO, consumer.target, None, [first, second])), TWO, tmp_path) == []


def test_every_target_has_a_consumer() -> None:
    assert {consumer.target for consumer in CONSUMERS} == set(targets())


@pytest.mark.parametrize("encoding", ["minimal+reduced", "extended+product+reduced", "order", "log", "triad"])
def test_every_form_of_encoding_comes_back_as_grids(encoding: str, tmp_path: Path) -> None:
    consumer = here(CONSUMERS[1])
    for puzzle, truth in small(4):
        found: list[Any] = []
        while grids := consumer.grids("".join(export(puzzle, "dimacs", encoding, found)), puzzle, tmp_path):
            found += grids
            assert len(found) <= len(truth)
        assert sorted(found) == sorted(truth)


class TestText:
    @pytest.mark.parametrize("target", sorted(targets()))
    def test_the_head_says_what_wrote_it_and_which_puzzle(self, target: str) -> None:
        text = "".join(export(TWO, target))
        assert re.search(rf"^({STAR}) satdoku {re.escape(__version__)}, ", text, re.M)
        assert re.search(rf"^({STAR}) puzzle two: 16 cells, 4 values, 4 columns( -->)?$", text, re.M)
        assert re.search(rf"^({STAR}) givens r1c1=1 r1c2=3 ", text, re.M)
        assert text.endswith("\n")

    @pytest.mark.parametrize("target", WHOLE)
    def test_names_cannot_break_out_of_a_comment(self, target: str) -> None:
        rule = Linear((0, 1), (1, 1), 3, "sum\nof two")
        puzzle = Puzzle(Board(2, 2, 2, (rule,)), (6, 6), name="a\nb\u2028c")
        lines = "".join(export(puzzle, target)).splitlines()
        assert not any(line.startswith(("of two", "b")) for line in lines)

    @pytest.mark.parametrize("target", WHOLE)
    def test_a_cell_without_candidates_and_empty_rules_are_written(self, target: str) -> None:
        rules = (
            Linear((), (), 1, "never"),
            Table((), frozenset(), "no row"),
            Table((0,), frozenset(), "no tuple"),
            Automaton((), frozenset(), 0, frozenset(), "empty"),
        )
        assert "".join(export(Puzzle(Board(2, 2, 2, rules), (0, 6)), target))

    @pytest.mark.parametrize("target", sorted(set(targets()) - {"cpsat"}))
    def test_the_text_comes_in_pieces(self, target: str) -> None:
        pieces = list(export(Puzzle.from_givens(classic(5, 5), {}), target))
        assert max(map(len, pieces)) < sum(map(len, pieces)) / 3

    def test_lines_of_an_lp_are_short(self) -> None:
        assert max(map(len, "".join(export(from_file("9x9_easy.txt"), "lp")).splitlines())) < 140

    def test_the_first_line_of_an_opb_counts_what_follows(self) -> None:
        lines = "".join(export(read((PUZZLES / "variants" / "sandwich.toml").read_text()), "opb")).splitlines()
        found = re.fullmatch(r"\* #variable= (\d+) #constraint= (\d+)", lines[0])
        assert found
        rows = [line for line in lines if not line.startswith("*")]
        assert len(rows) == int(found[2])
        assert all(row.endswith(";") for row in rows)
        assert max(int(number) for row in rows for number in re.findall(r"x(\d+)", row)) == int(found[1])

    def test_the_optimum_of_a_wcnf_is_how_many_givens_have_to_go(self) -> None:
        from pysat.examples.rc2 import RC2
        from pysat.formula import WCNF

        for givens, most in (("13....3131...213", 0), ("13....3131...212", 1), ("11..............", 1)):
            with RC2(WCNF(from_string="".join(export(read(givens), "wcnf")))) as engine:
                assert engine.compute() is not None
                assert engine.cost == most

    def test_a_cnf_that_would_be_a_gigabyte_is_refused_with_what_helps(self) -> None:
        with pytest.raises(Refused, match=r"million clauses under extended; the encoding extended\+reduced"):
            export(Puzzle.from_givens(classic(10, 10), {}), "dimacs")

    @pytest.mark.parametrize("target", sorted(set(targets()) - {"dimacs", "wcnf"}))
    def test_an_encoding_is_refused_where_none_is_taken(self, target: str) -> None:
        with pytest.raises(Refused, match=f"export {target} takes no encoding; leave out the encoding log"):
            export(TWO, target, "log")
        with pytest.raises(Refused, match="no variable map"):
            variable_map(TWO, target)


class TestMap:
    @pytest.mark.parametrize("encoding", ["extended", "extended+reduced", "order", "log", "triad", "minimal+product"])
    def test_comments_and_json_restore_it(self, encoding: str) -> None:
        for file in ("4x4_two.txt", "6x6.txt", "variants/cage.toml"):
            puzzle = from_file(file)
            meant = variable_map(puzzle, "dimacs", encoding)
            assert names.from_json(names.to_json(meant)) == meant
            text = "".join(export(puzzle, "dimacs", encoding))
            comments = [line[2:] for line in text.splitlines() if line.startswith("c ")]
            assert names.from_comments(comments, meant.variables) == meant

    def test_a_given_is_decided_in_a_reduced_one(self) -> None:
        cells = json.loads(names.to_json(variable_map(TWO, "dimacs", "extended+reduced")))["cells"]
        assert cells["r1c1"] == {"1": []}
        assert cells["r1c3"].keys() == {"2", "4"}

    def test_boards_that_no_text_holds_have_a_map_without_rules(self) -> None:
        puzzle = Puzzle(Board(3, 3, 2, (Linear((0, 1), (1, 2), 5, "sum"),)), (14, 14, 14), "odd")
        again = names.from_json(names.to_json(variable_map(puzzle)))
        assert again.noted is None
        assert (again.puzzle.board.cells, again.puzzle.board.columns, again.puzzle.name) == (3, 2, "odd")

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("{", "truncated: expected the JSON of a map of variables, as `export` writes it"),
            ("[]", "expected"),
            ('{"cells": {"r1": {"1": [1]}}}', "'r1' is not a cell"),
            ('{"cells": {"r1c1": {"0": [1]}}}', "r1c1=0"),
            ('{"cells": {"r1c1": {"1": 1}}}', "Expected `array`, got `int` - at"),
            ('{"cells": {"r1c1": {"1": [0]}}}', "expected a list of literals"),
            ('{"cells": {"r1c1": {"1": [9]}}, "variables": 8}', "literals up to 8"),
            ('{"cells": {"r1c1": {"1": [1]}}, "puzzle": "1", "format": "lime"}', "cannot be read"),
            (
                '{"cells": {"r1c1": {"1": [1]}}, "board": {"cells": "x"}}',
                r"Expected `int`, got `str` - at `\$\.board\.cells`",
            ),
        ],
    )
    def test_bad_maps_are_reported_in_a_line(self, text: str, message: str) -> None:
        with pytest.raises(InputError, match=message) as caught:
            names.from_json(text)
        assert "\n" not in str(caught.value)


class TestBlocked:
    def test_it_reads_what_solve_prints(self) -> None:
        grids = solve(TWO, limit=None).grids
        printed = run("solve", "--all", str(PUZZLES / "4x4_two.txt")).stdout
        assert sorted(blocked.read(printed, TWO)) == sorted(grids)
        drawn = run("solve", str(PUZZLES / "4x4_two.txt")).stdout
        assert blocked.read(drawn + "\n" + drawn, TWO)[0] in grids
        assert blocked.read("# none\n\n", TWO) == []

    def test_boards_above_nine_are_read_too(self) -> None:
        puzzle = from_file("12x12.txt")
        grid = solve(puzzle).grids[0]
        for printed in (run("solve", str(PUZZLES / "12x12.txt")).stdout, ",".join(map(str, grid))):
            assert blocked.read(printed, puzzle) == [grid]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1324.43131424213", r"line 1: '\.': expected complete grids, with values of 1..4"),
            ("132424313142", "line 1: the last grid has 12 of 16 cells"),
            ("1324243131424212", "line 1: the grid that ends here is not a solution: r4c4 is 2"),
            ("13242431314242131", "line 1: 17 cells, expected a grid of 16"),
        ],
    )
    def test_what_is_no_solution_is_refused_with_its_place(self, text: str, message: str, tmp_path: Path) -> None:
        file = tmp_path / "grids"
        file.write_text(text)
        result = run("export", "13....3131...213", "--block", str(file))
        assert (result.exit_code, result.stdout) == (2, "")
        assert re.search(message, result.stderr)

    def test_standard_input_serves_one_argument(self) -> None:
        assert run("export", "-", "--block", "-", input="13....3131...213").exit_code == 2


class TestCommand:
    def test_help_names_every_target(self) -> None:
        text = run("export", "--help").stdout
        assert all(target in text for target in targets())

    def test_a_near_name_is_offered(self) -> None:
        result = run("export", "--to", "minizink", "13....3131...213")
        assert (result.exit_code, result.stderr) == (2, "satdoku: unknown export 'minizink': did you mean minizinc?\n")

    def test_a_map_is_written_beside(self, tmp_path: Path) -> None:
        file = tmp_path / "map.json"
        result = run("export", "13....3131...213", "--map", str(file), "-e", "order")
        record = json.loads(file.read_text())
        assert result.exit_code == 0
        assert (record["encoding"], record["version"]) == ("order", __version__)
        assert record["cells"]["r1c1"]["2"] == [1, -2]

    def test_a_folder_has_a_file_for_each_puzzle(self, tmp_path: Path) -> None:
        source, folder = tmp_path / "set.txt", tmp_path / "new" / "folder"
        source.write_text("# two\n13....3131...213\n\n5...............\n.1.4....1....43.\n")
        result = run("export", str(source), "--folder", str(folder), "--to", "opb")
        assert result.exit_code == 2, "the fourth line has a 5"
        assert sorted(path.name for path in folder.iterdir()) == ["set-2.opb", "set-5.opb"]
        assert (folder / "set-5.opb").read_text() == run("export", "--to", "opb", f"{source}:5").stdout
        assert f"{source}, line 4, column 1: 5 is above 4" in result.stderr
        assert result.stderr.endswith(f"satdoku: 2 files in {folder}\n")
        assert run("export", str(source), "--folder", str(folder), "--map", "m.json").exit_code == 2

    def test_nothing_is_written_where_the_map_has_no_folder(self, tmp_path: Path) -> None:
        written, folder = tmp_path / "a.cnf", tmp_path / "missing"
        result = run("export", "13....3131...213", "-o", str(written), "--map", str(folder / "map.json"))
        assert (result.exit_code, written.exists()) == (2, False)
        assert f"cannot write {folder / 'map.json'}: there is no folder {folder}" in result.stderr

    def test_nothing_is_written_where_the_map_is_refused(self, tmp_path: Path) -> None:
        result = run(
            "export", "--to", "lp", "13....3131...213", "--map", str(tmp_path / "m"), "-o", str(tmp_path / "o")
        )
        assert result.exit_code == 2
        assert list(tmp_path.iterdir()) == []

    def test_reduce_is_the_reduced_encoding(self) -> None:
        plain = run("export", "--reduce", "13....3131...213").stdout
        assert plain == run("export", "-e", "extended+reduced", "13....3131...213").stdout
        assert plain == run("export", "--reduce", "-e", "extended+reduced", "13....3131...213").stdout
        assert run("export", "--reduce", "-e", "minimal", "13....3131...213").stdout.startswith(
            f"c satdoku {__version__}, encoding minimal+reduced"
        )

    @pytest.mark.parametrize("command", ["check", "solve", "count"])
    def test_reduce_holds_for_searches_and_is_refused_where_nothing_is_encoded(self, command: str) -> None:
        assert run(command, "--reduce", "13....3131...213").stdout == run(command, "13....3131...213").stdout
        refused = run(command, "--reduce", "-b", "cpsat", "13....3131...213")
        assert refused.exit_code == 2
        assert "leave out --encoding or --reduce" in refused.stderr
