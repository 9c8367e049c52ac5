"""benchmarks/lists.py: layouts of a block, wrong answers, peers of both kinds, the table."""

from __future__ import annotations

import ctypes.util
import sys
from itertools import islice
from pathlib import Path
from types import ModuleType

import pytest

from satdoku import Budget, classic
from satdoku.backends.native import Native
from satdoku.discovery import loaded

FOLDER = Path(__file__).parents[2]
FULL = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"
HARD = str(FOLDER / "puzzles" / "9x9_hardest.txt")


@pytest.fixture(scope="module")
def lists() -> ModuleType:
    return loaded(str(FOLDER / "benchmarks" / "lists.py"))


def test_layouts_keep_the_solution_and_differ(lists: ModuleType) -> None:
    givens = lists.puzzles(HARD)
    board, engine = classic(3, 3), Native()
    engine.load(board)
    made = list(islice(lists.blocks(givens, lists.solved(givens, HARD), 30, 1), 2))
    assert (made[0][0] != made[1][0]).any()
    for block, solutions in made:
        results = engine.check_many(board, block, Budget(2))
        assert len(block) == 30 and (results.counts == 1).all()
        assert (results.grids[:, 0] == solutions).all()
        assert sorted((block != 0).sum(1)) == sorted((givens != 0).sum(1)[index % len(givens)] for index in range(30))


def test_what_answers_wrongly_ends_the_run(lists: ModuleType, tmp_path: Path) -> None:
    pytest.importorskip("numba")
    libc = ctypes.util.find_library("c")
    if libc is None:
        pytest.skip("no library of C")
    wrong = lists.Library("strlen", "", "", arguments=2).open(libc)
    with pytest.raises(SystemExit, match="strlen answers 5 of 5 puzzles unlike native"):
        lists.measure(HARD, {"native": lists.native(), "strlen": wrong}, 1, 5)


@pytest.mark.skipif(sys.platform == "win32", reason="cp is a program of other systems")
def test_a_program_is_read_by_its_files_and_its_output(lists: ModuleType, tmp_path: Path) -> None:
    full = tmp_path / "full"
    full.write_text(FULL + "\n")
    files, output = lists.Program((), "", "").open("/bin/cp"), lists.Program((), "", "", named=False).open("/bin/cat")
    contenders = {"native": lists.native(), "cp": files, "cat": output}
    figures = lists.measure(str(full), contenders, 2, 4)
    assert figures["native"].ratio == 1
    assert {"cp", "cat"} < set(figures)
    with pytest.raises(SystemExit, match="answers 5 of 5"):
        lists.measure(HARD, contenders, 1, 5)


def test_the_table_and_what_is_left_out(
    lists: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(lists, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["lists.py", HARD, "--rounds", "1", "--least", "5"])
    lists.main()
    out, err = capsys.readouterr()
    assert "9x9_hardest.txt, 3 |" in out and "| `native` | " in out
    assert all(f"left out: {name}" in err for name in lists.PEERS)
    monkeypatch.setattr(sys, "argv", ["lists.py", HARD, "--peer", "tdoku=/nowhere"])
    with pytest.raises(SystemExit):
        lists.main()
    assert "--peer tdoku=/nowhere: expected one of tdoku, schoku" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "12\n", "x" * 81])
def test_files_of_something_else_are_refused(lists: ModuleType, tmp_path: Path, text: str) -> None:
    file = tmp_path / "file"
    file.write_text(text)
    with pytest.raises(SystemExit, match="expected lines of 81 characters"):
        lists.puzzles(str(file))


def test_puzzles_of_several_solutions_are_refused(lists: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("." * 81)
    with pytest.raises(SystemExit, match="puzzle 1 has not exactly one solution"):
        lists.solved(lists.puzzles(str(file)), str(file))
