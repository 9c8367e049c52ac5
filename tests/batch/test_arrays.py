"""Many puzzles at once: chunks of lines, and arrays that give what single puzzles give."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import policies
from support.amount import tries
from support.batch import lines
from support.cli import NINE, NINE_SOLVED, NONE, UNIQUE, run

from satdoku import Puzzle, classic, read
from satdoku.backends import Budget, BulkResults, incremental
from satdoku.backends.native import Native
from satdoku.backends.oracle import Oracle
from satdoku.backends.sat import Sat
from satdoku.backends.schedule import Purpose
from satdoku.backends.solvers import SOLVERS
from satdoku.batch import rows
from satdoku.batch.chunks import Chunks
from satdoku.batch.totals import Result
from satdoku.encoders.clauses import Clauses
from satdoku.formats import Options
from satdoku.inputs.items import Block
from satdoku.inputs.sources import chunks


class TestArrays:
    """Arrays and single puzzles give the same text."""

    @pytest.mark.parametrize(
        "style", [[], ["--json"], ["--csv"], ["--solutions"], ["--json", "--solutions"]], ids=" ".join
    )
    @pytest.mark.parametrize(
        "more", [[], ["--echo"], ["--only", "unique,unsolvable"], ["--csv", "--solutions"]], ids=" ".join
    )
    @pytest.mark.parametrize("backend", ["auto", "glucose4"])
    def test_arrays_print_what_single_puzzles_print(
        self, style: list[str], more: list[str], backend: str, file: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if "--json" in style and "--csv" in more:
            pytest.skip("one or the other")
        arguments = ["check", "-j", "1", "-b", backend, *dict.fromkeys([*style, *more]), file(lines(tries(24, 60)))]
        fast = run(*arguments)
        monkeypatch.setattr("satdoku.batch.rows.plain", lambda block, options: iter(()))
        slow = run(*arguments)
        assert fast.exit_code == slow.exit_code == 2

        if "--solutions" not in arguments:  # of two solutions, which come first is the engine's affair
            assert fast.stdout.replace("native", "glucose4") == slow.stdout.replace("native", "glucose4")
        assert len(fast.stdout.splitlines()) == len(slow.stdout.splitlines())
        # In the summary words and shapes stand in the order of their first coming.
        assert sorted(fast.stderr.replace(",", "").split()) == sorted(slow.stderr.replace(",", "").split())

    def test_solve_and_count_of_many(self, file: Any) -> None:
        name = file(f"{UNIQUE}\n{NINE}\n{NONE}\n" * 100)
        solved = run("solve", name).stdout.splitlines()
        assert solved[1] == f"p.txt:2\tsolved\t{NINE_SOLVED}"
        assert solved[2] == "p.txt:3\tunsolvable"
        assert len(solved) == 300
        assert run("count", name).stdout.splitlines()[:3] == ["p.txt:1\t1", "p.txt:2\t1", "p.txt:3\t0"]

    def test_the_default_says_which_backend_answered(self, file: Any) -> None:
        many = file(f"{NINE}\n" * 300)
        assert json.loads(run("check", "--json", many).stdout.splitlines()[0])["backend"] == "native"
        assert run("check", "--verbose", many).stderr.endswith("; by native\n")
        assert json.loads(run("check", "--json", NINE).stdout)["backend"] == "native"
        assert run("check", "-v", NINE).stderr.endswith("by native\n")

    def test_what_native_passes_on_goes_to_a_sat_solver(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        policies.turns(monkeypatch, Purpose.MANY, 5, 1)
        policies.turns(monkeypatch, Purpose.FEW, 0, 10_000)
        hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
        records = [
            json.loads(line)
            for line in run("check", "--json", "-j1", file(f"{NINE}\n{hard}\n" * 5)).stdout.splitlines()
        ]
        assert [record["backend"] for record in records[:2]] == ["native", "glucose4"]
        assert [record.get("tried") for record in records[:2]] == [None, ["native"]]
        assert run("check", "-v", hard).stderr.endswith("; by glucose4 after native\n")
        assert {record["verdict"] for record in records} == {"unique"}

    def test_wrong_grids_of_arrays_are_caught(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        right = Native().check_many(classic(3, 3), _givens(NINE, NINE), Budget(2))
        for fault in ("swap", "given", "twice"):
            grids = right.grids.copy()
            counts = right.counts.copy()
            if fault == "swap":
                grids[0, 0, [2, 3]] = grids[0, 0, [3, 2]]
            elif fault == "given":
                grids[0, 0] = grids[0, 0] % 9 + 1
            else:
                counts[0], grids[0, 1] = 2, grids[0, 0]

            def wrong(
                self: Any, board: Any, givens: Any, *_: Any, counts: Any = counts, grids: Any = grids
            ) -> BulkResults:
                some = slice(len(givens))
                return BulkResults(counts[some], right.endings[some], grids[some])

            monkeypatch.setattr("satdoku.backends.native.Native.check_many", wrong)
            result = run("check", "-b", "native", "-j", "1", file(f"{NINE}\n{NINE}\n"))
            assert result.exit_code == 4
            assert "p.txt:1: backend native gave a wrong grid: " in result.stderr


def _givens(*texts: str) -> Any:
    import numpy as np

    return np.array([read(text).givens for text in texts], np.uint16)


class TestChunks:
    def test_blocks_are_cut_to_size_and_lose_nothing(self, file: Any) -> None:
        name = file(lines(500))
        cut = []
        source = Chunks(chunks([name], Options()))
        for piece in source:
            assert isinstance(piece, Block)
            cut.append(piece)
            source.resize(Result(lines=len(piece), seconds=0.001))
        assert [number for piece in cut for number in piece.numbers] == list(range(1, 501))
        assert [len(piece) for piece in cut[:5]] == [1, 4, 16, 64, 256]
        assert b"\n".join(line for piece in cut for line in piece.lines) + b"\n" == Path(name).read_bytes()

    def test_slow_chunks_get_small(self, file: Any) -> None:
        source = Chunks(chunks([file(lines(500))], Options()))
        for _ in range(4):
            source.resize(Result(lines=len(next(source)), seconds=0.001))
        assert len(next(source)) == 256
        source.resize(Result(lines=16, seconds=16.0))
        assert len(next(source)) == 1

    def test_lines_across_reads(self, file: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        text = lines(300, 7)
        for size in (1, 7, 81, 82, 83):
            monkeypatch.setattr("satdoku.inputs.sources.READ", size)
            found = [
                line for piece in chunks([file(text)], Options()) if isinstance(piece, Block) for line in piece.lines
            ]
            assert b"".join(line + b"\n" for line in found) == text.encode()


class TestSteady:
    def test_a_loaded_solver_is_made_anew_now_and_then(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(incremental, "MAX_RELEASED", 5)
        opened: list[Clauses] = []

        def opening(clauses: Clauses) -> Oracle:
            opened.append(clauses)
            return SOLVERS["glucose4"].open(clauses)

        found = Sat(opening)
        two = Puzzle.from_givens(classic(2, 2), {0: 1, 5: 2})
        for _ in range(20):
            assert len(list(found.search(two, Budget(2)))) == 2
        found.close()
        assert 3 <= len(opened) <= 5


def test_a_line_with_zeros_and_dots_and_without_n_is_left_to_the_reader() -> None:
    lines = [b".3..0..23.....1.", b".3..0..24.....1.", b".3.....23.....1.", b"0300000230000010"]
    (found,) = rows.plain(Block(name="a.txt", numbers=range(1, 5), lines=lines), Options())
    assert found.index.tolist() == [1, 2, 3]
