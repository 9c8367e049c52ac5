"""A solver's answer back into a grid: what is read, what is refused, and the words of the refusal."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.cli import run
from support.consumers import here
from support.forked import shell_function

from satdoku import Grid, InputError, Linear, Puzzle, read, solve, write
from satdoku import testing as kit
from satdoku.encoders.cnf import encode, encodings
from satdoku.exports import answers, cnf_file, export, names
from satdoku.exports.answers import Status
from satdoku.exports.decode import decode
from satdoku.exports.names import variable_map
from satdoku.puzzle import Board

TWO = read("13....3131...213", name="two")
SOLVED: Grid = (1, 3, 2, 4, 2, 4, 3, 1, 3, 1, 4, 2, 4, 2, 1, 3)
CNF = "".join(export(TWO)).encode()


def literals(grid: Grid) -> list[int]:
    """The model of `extended` that has this grid."""
    return [
        (1 if grid[cell] == value else -1) * (4 * cell + value) for cell in range(len(grid)) for value in range(1, 5)
    ]


def answer(model: list[int]) -> str:
    return f"s SATISFIABLE\nv {' '.join(map(str, model))} 0\n"


def swapped(first: int, second: int) -> Grid:
    grid = list(SOLVED)
    grid[first], grid[second] = grid[second], grid[first]
    return tuple(grid)


MODEL = literals(SOLVED)
WORDS = " ".join(map(str, MODEL))


class TestAnswers:
    @pytest.mark.parametrize(
        "text",
        [
            f"s SATISFIABLE\nv {WORDS} 0\n",
            f"c hello\r\ns SATISFIABLE\r\nv {WORDS}\r\nv 0\r\n",
            "s SATISFIABLE\n" + "".join(f"v {literal}\n" for literal in MODEL) + "v 0\n",
            f"v {WORDS} 0\ns SATISFIABLE\n",
            f"v {WORDS} 0\n",
            f"SAT\n{WORDS} 0\n",
            f"SAT\n{' '.join(map(str, MODEL[:30]))}\n{' '.join(map(str, MODEL[30:]))} 0",
            f"WARNING: for repeatability, setting FPU to use double precision\nSAT\n{WORDS} 0\n",
            f"c\nc [reading]\n  s SATISFIABLE  \nv  {WORDS} 0\nc done",
            f"s SATISFIABLE\nv {' '.join(str(literal) for literal in MODEL if literal > 0)} 0\n",
        ],
    )
    def test_every_style_gives_the_grid(self, text: str) -> None:
        decoded = decode(CNF, text)
        assert (decoded.status, decoded.grid, decoded.puzzle, decoded.refereed) == (
            Status.SATISFIABLE,
            SOLVED,
            TWO,
            True,
        )

    @pytest.mark.parametrize(
        ("text", "status"),
        [
            ("s UNSATISFIABLE\n", Status.UNSATISFIABLE),
            ("UNSAT\n", Status.UNSATISFIABLE),
            ("INDET\n", Status.UNKNOWN),
            ("c timeout\ns UNKNOWN\n", Status.UNKNOWN),
            ("s INDETERMINATE\n", Status.UNKNOWN),
        ],
    )
    def test_the_other_answers_have_no_grid(self, text: str, status: Status) -> None:
        assert (decode(CNF, text).status, decode(CNF, text).grid) == (status, None)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "it is empty: expected a solver's answer"),
            ("c a comment\n\n", "it has comments alone: expected a solver's answer"),
            ("c a comment\nhello\nc another\n", "line 2: 'hello': expected a solver's answer"),
            ("hello\n", "line 1: 'hello': expected a solver's answer"),
            ("s MAYBE\n", "line 1: 's MAYBE': expected s SATISFIABLE"),
            ("s SATISFIABLE\n", "satisfiable, but without values"),
            ("SATISFIABLE\n", "satisfiable, but without values"),
            ("s SATISFIABLE\nv 1 -2", "it is cut off: the values end after literal -2 (not r1c1=2), without"),
            ("s SATISFIABLE\nv\n", "satisfiable, but without values"),
            ("s SATISFIABLE\nv 1 -1 0", "line 2: literal -1 (not r1c1=1) contradicts literal 1 (r1c1=1)"),
            ("s SATISFIABLE\nv 1 0\nv 6 0", "line 3: literal 6 (r1c2=2) after the closing 0"),
            ("s SATISFIABLE\nv 1 x2 0", "line 2: 'x2' is not a literal"),
            ("s SATISFIABLE\nv 1 99999999999 0", "line 2: '99999999999' is not a literal"),
            ("s SATISFIABLE\ns UNSATISFIABLE", "line 2: unsatisfiable, after satisfiable before it"),
            ("s UNSATISFIABLE\nv 7 0", "unsatisfiable, and yet it gives literal 7 (r1c2=3)"),
            ("s SATISFIABLE\nv 1 65 0", "it gives literal 65 (of no cell), and the CNF has 64 variables"),
        ],
    )
    def test_what_is_no_answer_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(InputError) as caught:
            decode(CNF, text)
        assert str(caught.value).startswith(f"answer: {message}")

    def test_literals_keep_their_order(self) -> None:
        assert answers.read("s SATISFIABLE\nv 3 -1 2 3 0", str).literals == (3, -1, 2)


class TestReferee:
    @pytest.mark.parametrize(
        ("model", "message"),
        [
            (literals(swapped(0, 1)), "it breaks the puzzle at literal 3 (r1c1=3): the puzzle does not allow it there"),
            (
                literals(swapped(2, 3)),
                "it breaks the puzzle at literal 26 (r2c3=2): the puzzle does not allow it there",
            ),
            (
                [2 if literal == -2 else literal for literal in MODEL],
                "it breaks the puzzle at literal 2 (r1c1=2): r1c1",
            ),
            ([literal for literal in MODEL if literal != 10], "it gives r1c3 no value, literal 10 (r1c3=2) is missing"),
            ([-10 if literal == 10 else literal for literal in MODEL], "it gives r1c3 no value"),
        ],
    )
    def test_the_first_literal_at_fault_is_named_as_a_cell(self, model: list[int], message: str) -> None:
        if "r2c3=2" in message:
            grid = list(swapped(2, 3))
            grid[6] = 2
            message = "it breaks the puzzle at literal 26 (r2c3=2): "
            model = literals(tuple(grid))
        with pytest.raises(InputError) as caught:
            decode(CNF, answer(model))
        assert str(caught.value).startswith(f"answer: {message}")

    def test_a_repeat_names_the_house_and_both_cells(self) -> None:
        grid = list(SOLVED)
        grid[3] = 2
        with pytest.raises(InputError, match=r"literal 14 \(r1c4=2\): row 1 has 2 twice: r1c3 and r1c4"):
            decode(CNF, answer(literals(tuple(grid))))

    def test_a_broken_sum_is_named(self) -> None:
        text = 'size = 4\ncage = [{ cells = "r1c1 r1c2", value = 4 }]\ngrid = """\n....\n....\n....\n....\n"""'
        puzzle = read(text, format="toml")
        assert any(isinstance(rule, Linear) for rule in puzzle.board.constraints)
        cnf = "".join(export(puzzle)).encode()
        grid = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
        with pytest.raises(InputError, match=r"literal 6 \(r1c2=2\): .*is broken by r1c1=1, r1c2=2"):
            decode(cnf, answer(literals(grid)))

    def test_a_grid_that_was_blocked_is_refused_by_its_clause(self) -> None:
        cnf = "".join(export(TWO, "dimacs", None, [SOLVED])).encode()
        with pytest.raises(InputError, match=r"it breaks clause 458 of the CNF at literal 64|at literal 63 \(r4c4=3\)"):
            decode(cnf, answer(MODEL))

    def test_boards_that_no_text_holds_are_checked_by_their_clauses(self) -> None:
        puzzle = Puzzle(Board(2, 3, 2, (Linear((0, 1), (1, 2), 5, "sum"),)), (14, 14), "odd")
        cnf = "".join(export(puzzle)).encode()
        with pytest.raises(InputError, match="it breaks clause"):
            decode(cnf, "s SATISFIABLE\nv 1 -2 -3 4 -5 -6 0")

    @pytest.mark.parametrize("encoding", [*sorted(encodings()), "minimal+reduced", "extended+product+reduced"])
    def test_every_encoding_of_random_boards_comes_back(self, encoding: str) -> None:
        from pysat.solvers import Solver

        for case in kit.cases(15, start=500):
            for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
                text = "".join(export(puzzle, "dimacs", encoding))
                cnf = encode(puzzle.board, encoding, puzzle)
                with Solver("cadical153", bootstrap_with=cnf_clauses(text)) as solver:
                    assert solver.solve() == bool(truth)
                    if truth:
                        grid = decode(text.encode(), answer(solver.get_model())).grid
                        assert grid in truth
                assert names.from_json(names.to_json(variable_map(puzzle, "dimacs", encoding))).encoding == cnf.encoding


def cnf_clauses(text: str) -> list[list[int]]:
    rows = [line.split() for line in text.splitlines() if line[:1] not in "cp"]
    return [[int(word) for word in row[:-1]] for row in rows]


class TestCnf:
    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "no `p cnf` line"),
            ("c a\nhello\n", "line 2: 'hello': expected a comment or the `p cnf` line"),
            ("p cnf 3\n", "line 1: expected `p cnf VARIABLES CLAUSES`"),
            ("p cnf -3 1\n", "line 1: expected `p cnf VARIABLES CLAUSES`"),
            ("p cnf 99999999999 1\n", "line 1: 99999999999 variables"),
            ("p cnf 3 2\n1 2 0\n", "1 clauses, where its `p` line promises 2"),
            ("p cnf 3 2\n1 2 0\n3", "1 clauses and a part of one, where its `p` line promises 2"),
            ("p cnf 3 1\n1 4 0\n", "a literal 4, where its `p` line promises 3 variables"),
            ("p cnf 3 1\n1 a 0\n", "line 2: 'a' is not a literal"),
            ("p cnf 3 1\nc x\n1 2.5 0\n", "line 3: '2.5' is not a literal"),
        ],
    )
    def test_what_is_no_cnf_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(InputError) as caught:
            cnf_file.read(text.encode())
        assert str(caught.value).startswith(message)

    def test_comments_may_stand_among_clauses_and_clauses_on_any_lines(self) -> None:
        file = cnf_file.read(b"c a\r\np cnf 3 2\r\n1\n2 0 3\nc b\n-1 0\n%\n0\n")
        assert (file.comments, file.variables, file.literals.tolist()) == (["a", "b"], 3, [1, 2, 0, 3, -1, 0])

    def test_the_clause_that_breaks_first_is_found(self) -> None:
        file = cnf_file.read(b"p cnf 3 3\n1 3 0\n2 0\n-3 0\n")
        assert file.broken([-2, -1, -3], strict=False) == ([2], 2)
        assert file.broken([2, -3, -1], strict=False) == ([1, 3], 1)
        assert file.broken([2, 1, -3], strict=True) is None
        assert file.broken([2, -3], strict=False) is None
        assert file.broken([2, -3], strict=True) == ([1, 3], 1)

    def test_a_foreign_one_needs_a_map(self) -> None:
        foreign = b"\n".join(line for line in CNF.splitlines() if not line.startswith(b"c"))
        with pytest.raises(
            InputError, match=r"CNF: satdoku did not write this CNF: give a map of what its variables mean"
        ):
            decode(foreign, answer(MODEL))
        meant = names.from_json(names.to_json(variable_map(TWO)))
        assert decode(foreign, answer(MODEL), meant).grid == SOLVED
        bare = {"cells": json.loads(names.to_json(meant))["cells"]}
        decoded = decode(foreign, answer(MODEL), names.from_json(json.dumps(bare)))
        assert (decoded.grid, decoded.refereed) == (SOLVED, False)

    def test_comments_that_were_changed_are_an_input_error(self) -> None:
        for old, new in ((b"varname 1 r1c1=1", b"varname x r1c1=1"), (b"| 13", b"| 1?"), (b"r4c4=4", b"r4c9=4")):
            with pytest.raises(InputError):
                decode(CNF.replace(old, new), answer(MODEL))


class TestCommand:
    @pytest.fixture
    def files(self, tmp_path: Path) -> tuple[str, str]:
        cnf, out = tmp_path / "p.cnf", tmp_path / "answer"
        cnf.write_bytes(CNF)
        out.write_text(answer(MODEL))
        return str(cnf), str(out)

    def test_the_grid_is_printed_and_nothing_reported(self, files: tuple[str, str]) -> None:
        result = run("decode", *files)
        assert (result.exit_code, result.stderr) == (0, "")
        assert result.stdout == "1 3 | 2 4\n2 4 | 3 1\n----+----\n3 1 | 4 2\n4 2 | 1 3\n"

    def test_json_is_one_object(self, files: tuple[str, str]) -> None:
        assert json.loads(run("decode", "--json", *files).stdout) == {
            "source": "two",
            "line": None,
            "answer": "satisfiable",
            "solution": "1324243131424213",
            "refereed": True,
        }

    @pytest.mark.parametrize(("text", "status"), [("s UNSATISFIABLE\n", 1), ("s UNKNOWN\n", 3), ("what\n", 2)])
    def test_the_status_tells_the_answer(self, files: tuple[str, str], text: str, status: int) -> None:
        for extra in ([], ["--json"]):
            result = run("decode", files[0], "-", *extra, input=text)
            assert result.exit_code == status
            assert len(result.stderr.splitlines()) == (0 if extra and status != 2 else 1)

    def test_bad_input_is_one_line_with_its_file(self, files: tuple[str, str], tmp_path: Path) -> None:
        bad = tmp_path / "bad"
        bad.write_bytes(b"\xff\xfe\x00")
        for arguments in (
            [str(bad), files[1]],
            [files[0], str(bad)],
            [*files, "--map", str(bad)],
            [str(tmp_path / "none"), files[1]],
            [str(tmp_path), files[1]],
        ):
            result = run("decode", *arguments)
            assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (2, "", 1)
            assert str(tmp_path) in result.stderr
        assert run("decode", "-", "-", input="").exit_code == 2

    def test_either_may_come_from_standard_input(self, files: tuple[str, str]) -> None:
        cnf, out = Path(files[0]), Path(files[1])
        printed = run("decode", *files).stdout
        assert run("decode", "-", files[1], input=cnf.read_text()).stdout == printed
        assert run("decode", files[0], "-", input=out.read_text()).stdout == printed


PIPES = {
    "two steps": "satdoku export {puzzle} -o p.cnf && {solver} p.cnf | satdoku decode p.cnf -",
    "one pipe": "satdoku export {puzzle} | tee p.cnf | {solver} {dash} | satdoku decode p.cnf -",
}


@pytest.fixture(scope="module")
def satdoku(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with shell_function(tmp_path_factory.mktemp("server")) as definition:
        yield definition


@pytest.mark.parametrize("pipe", PIPES)
@pytest.mark.parametrize(("solver", "dash"), [("cadical -q", "-"), ("cryptominisat5 --verb 0", ""), ("picosat", "")])
def test_the_documented_lines_print_the_solution(
    pipe: str, solver: str, dash: str, tmp_path: Path, satdoku: str
) -> None:
    from support.consumers import CONSUMERS

    here(next(consumer for consumer in CONSUMERS if consumer.name == solver.split()[0]))
    if shutil.which("bash") is None:
        pytest.skip("bash is not on PATH")
    puzzle = read("2....1.38........5.7...6..........13.981..25731....8..9..8...2..5..697844..25....")
    (tmp_path / "p.txt").write_text(write(puzzle))
    line = PIPES[pipe].format(puzzle="p.txt", solver=solver, dash=dash)
    done = subprocess.run(
        ["bash", "-c", f"{satdoku}\n{line}"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert read(done.stdout).givens == solve(puzzle).grids[0]
