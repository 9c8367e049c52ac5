"""benchmarks/peers.py: every peer that is installed finds the right grids, and the comparison is written."""

from __future__ import annotations

import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from support.cli import TWO, UNIQUE

from satdoku import Budget, Ending, Puzzle, Refused, backends, classic, read
from satdoku import testing as kit
from satdoku.bench import raw
from satdoku.discovery import loaded
from satdoku.referee import violations

PEERS = str(Path(__file__).parents[2] / "benchmarks" / "peers.py")
NAMES = [engine.name for engine in loaded(PEERS).ENGINES]


def peer(name: str) -> backends.Backend:
    backends.join(PEERS)
    reason = backends.engine(name).absent()
    if reason:
        pytest.skip(reason)
    return backends.find(name)


@pytest.mark.parametrize("name", NAMES)
class TestPeers:
    @pytest.mark.parametrize("text", [UNIQUE, TWO, "12....3.........", "1234341221434321", "123.3.12........"])
    def test_it_finds_what_brute_force_finds(self, name: str, text: str) -> None:
        puzzle = read(text)
        backend = peer(name)
        board = puzzle.board
        truth = kit.brute_force(_narrowed(puzzle))
        grids, ending = kit.collect(backend.search(puzzle, Budget(2)))
        assert len(set(grids)) == len(grids) == min(2, len(truth))
        assert set(grids) <= truth
        assert ending is (Ending.LIMIT if len(truth) > 1 else Ending.EXHAUSTED)
        first = list(backend.search(puzzle, Budget(1)))
        assert len(first) == min(1, len(truth))
        assert backend.refuses(board) is None

    def test_it_counts_them_all_or_says_that_it_cannot(self, name: str) -> None:
        backend = peer(name)
        search = backend.search(read("1234............"), Budget(None))
        if name == "py-sudoku":
            with pytest.raises(Refused, match="counts no further"):
                next(search)
        else:
            assert len(set(islice(search, 100))) == 12

    def test_boxes_that_are_not_square_are_stated_as_they_are(self, name: str) -> None:
        puzzle = read((Path(__file__).parents[2] / "puzzles" / "6x6.txt").read_text())
        (grid,) = peer(name).search(puzzle, Budget(2))
        assert not list(violations(puzzle, grid))

    def test_rules_that_it_does_not_state_are_refused(self, name: str) -> None:
        killer = read((Path(__file__).parents[2] / "puzzles" / "variants" / "cage.toml").read_text())
        assert peer(name).refuses(killer.board) == "only rows, columns and boxes are stated"


def _narrowed(puzzle: Puzzle) -> Puzzle:
    """With fewer candidates for brute force: those that no given strikes."""
    board = classic(2, 2)
    allowed = []
    for cell, mask in enumerate(puzzle.candidates):
        peers = {other for house in board.houses if cell in house.cells for other in house.cells} - {cell}
        struck = {puzzle.givens[other] for other in peers}
        allowed.append(mask & ~sum(1 << value for value in struck if value) if not puzzle.givens[cell] else mask)
    return Puzzle(board, tuple(allowed))


def test_the_comparison_is_run_and_written(tmp_path: Path) -> None:
    out, written = tmp_path / "raw.jsonl", tmp_path / "table.md"
    arguments = [UNIQUE, TWO, "-b", "glucose4,backtrack", "-o", str(out), "--table", str(written)]
    done = subprocess.run([sys.executable, PEERS, *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    present = {one.backend for one in raw.read(str(out)).searches}
    assert {"glucose4", "backtrack", "pysat-fresh", "cpsat-fresh"} <= present
    text = written.read_text()
    assert "| `glucose4 extended` | " in text
    assert "| `pysat-fresh`: python-sat by hand, a fresh Glucose 4 for each puzzle | " in text
    assert all(name in text or name in done.stderr for name in NAMES)
    assert "python benchmarks/peers.py" in text
