"""Every entry of the kernels called both ways: by the library, and by another runner on copies of its arrays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import satdoku
from satdoku import Budget, Puzzle, backends, classic, read
from satdoku import testing as kit
from satdoku.backends.parts import PartsCount
from satdoku.backends.propagation import PropagationKernel
from satdoku.counting import templates
from satdoku.counting.clues import clues_of
from satdoku.counting.exact import count, plan
from satdoku.counting.nine import NineSum
from satdoku.counting.second import checked
from satdoku.counting.values import per_value
from satdoku.kernels import library
from satdoku.kernels.compiled import Call, Entry, leaves
from satdoku.kernels.library import Code
from satdoku.kernels.propagators import lower, search
from satdoku.techniques.families import dynamic
from satdoku.techniques.grid import CandidateGrid
from support.long_searches import GOLDEN_NUGGET, PLATINUM_BLONDE

ROOT = Path(__file__).parents[2]
VARIANTS = ROOT / "puzzles" / "variants"
HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
EASY = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FEW = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9"  # 17 clues
COMPILING = 900.0  # seconds of a puzzle, in which a runner may compile
MOST = 100  # calls of one entry that are made both ways
LARGE, FIRST = 1 << 19, 2  # bytes of arrays beyond which only the first few are

Runner = Callable[[Entry], Code]


class BothWays:
    """A call that is made by the library, and by a runner on copies of its arrays as they were before."""

    def __init__(
        self, entry: Entry, call: Call, arguments: tuple[Any, ...], runner: Runner, called: dict[str, int]
    ) -> None:
        self._entry, self._call, self._arguments, self._runner, self._called = entry, call, arguments, runner, called
        self.row = call.row
        self._large = sum(memoryview(each).nbytes for each in leaves(arguments) if not isinstance(each, int)) > LARGE

    def __call__(self, **numbers: int) -> Any:
        self._called[self._entry.name] = self._called.get(self._entry.name, 0) + 1
        if self._called[self._entry.name] > (FIRST if self._large else MOST):
            return self._call(**numbers)
        before = copies(self._arguments)
        for place, parameter in enumerate(self._entry.parameters):
            if parameter.name in numbers:
                before[place] = numbers[parameter.name]
            elif isinstance(before[place], int):
                before[place] = self.row[self._entry.places[parameter.name]]
        found = self._call(**numbers)
        again = self._entry.bind(*before, run=self._runner(self._entry))()
        assert again == found, self._entry.name
        for parameter, here, there in zip(self._entry.parameters, leaves(self._arguments), before, strict=True):
            if not isinstance(here, int):
                assert np.array_equal(np.array(here), there, equal_nan=True), (self._entry.name, parameter.name)
        return found


def copies(arguments: tuple[Any, ...]) -> list[Any]:
    """Copies of all arrays; two that are the same memory stay so."""
    known: dict[int, Any] = {}
    found: list[Any] = []
    for each in leaves(arguments):
        if isinstance(each, int):
            found.append(each)
            continue
        array = np.asarray(each)
        copy = known.setdefault(array.ctypes.data, array.copy()) if array.size else array.copy()
        found.append(copy.view(array.dtype).reshape(array.shape))
    return found


def both_ways(monkeypatch: pytest.MonkeyPatch, runner: Runner, without: tuple[str, ...] = ()) -> dict[str, int]:
    """From now on calls are made both ways; how many there were of each entry.

    without: beginnings of the names of entries that the library alone runs
    """
    called: dict[str, int] = {}
    bind: Callable[..., Call] = Entry.bind

    def bound(entry: Entry, *arguments: Any, **numbers: Any) -> Any:
        call = bind(entry, *arguments, **numbers)
        if "run" in numbers or entry.name.startswith(without):
            return call
        return BothWays(entry, call, (*arguments, *numbers.values()), runner, called)

    monkeypatch.setattr(Entry, "bind", bound)
    return called


def searches(monkeypatch: pytest.MonkeyPatch) -> None:
    native = backends.find("native")
    for text in ((ROOT / "puzzles" / "16x16.txt").read_text(), "3...1...4...2..."):
        assert list(native.search(read(text), Budget(2)))
    for name in ("cage", "renban", "thermometer", "sandwich", "little-killer"):
        assert list(native.search(satdoku.load(VARIANTS / f"{name}.toml"), Budget(2)))
    assert kit.first_fault(lambda: backends.find("native"), kit.cases(40, 7)) is None
    lines = np.array([[int(sign) if sign.isdigit() else 0 for sign in text] for text in (HARD, EASY)], np.uint16)
    assert native.check_many(classic(2, 2), lines[:, :16] * 0, Budget(2)).counts.tolist() == [2, 2]  # type: ignore[attr-defined]
    board = classic(3, 3)
    for wide in (False, True):
        with monkeypatch.context() as patched:
            patched.setattr(library, "uses_avx512", lambda wide=wide: wide)
            nine: Any = backends.find("native")
            for puzzle in (read(HARD), read(EASY), satdoku.load(VARIANTS / "anti-knight.toml")):
                assert list(nine.search(puzzle, Budget(2)))
            for long in (read(GOLDEN_NUGGET), read(PLATINUM_BLONDE)):
                assert list(nine.search(long, Budget(2)))
            assert nine.count_solutions(read("." * 81), Budget(50))[0] == 50
            assert (nine.check_many(board, lines, Budget(2)).counts == 1).all()


def propagations() -> None:
    """What the propagators strike from the candidates of a puzzle, and counts and estimates by them."""
    puzzles = [each for case in kit.cases(40, 7) for each in case.puzzles]
    for name in ("cage", "renban", "thermometer", "sandwich", "little-killer", "battlefield"):
        puzzles.append(satdoku.load(VARIANTS / f"{name}.toml"))
    for puzzle in puzzles:
        program = lower.program(puzzle.board)
        domains = np.array([[allowed >> 1 for allowed in puzzle.candidates]], np.int64)
        search.propagate(program, search.new_state(program), domains)
    few = read('size = 6\nboxes = "2x3"\nwhispers = ["r1c1 r1c2 r1c3 r2c4"]\n')
    count, solutions = PartsCount(few, PropagationKernel(few.board).whole, 1 << 16, 1 << 10), 0
    for _ in range(20):
        solutions, _ = count.count_solutions(solutions, 1 << 62)
    satdoku.estimate(few, seconds=0.5)


def chains() -> None:
    """What is concluded by chains with those from one candidate and from several inside."""
    assert dynamic.CompiledNet(CandidateGrid(read(HARD), unique=True)).conclusions(3)


def counts() -> None:
    board = classic(3, 3)
    for text in (FEW, EASY):
        grid = satdoku.solve(read(text)).grid
        assert grid is not None
        rng = Random(text)
        puzzle = Puzzle.from_givens(board, {cell: grid[cell] for cell in rng.sample(range(81), 24)})
        outcome = satdoku.count(puzzle, limit=None)
        assert checked(puzzle, outcome, None).checked_by
        planned = plan(puzzle)
        assert planned is not None and count(planned).count == outcome.count
        assert per_value(puzzle) is not None
    assert templates.count(read(EASY)).count == 1
    clues = clues_of(Puzzle.from_givens(board, {0: 1, 1: 2}))
    assert clues is not None and len(NineSum(clues).x)
    assert satdoku.count(satdoku.build(size=6), limit=None).count == 28200960
    assert satdoku.count(Puzzle.from_givens(classic(4, 4), {0: 1}), limit=3).count == 3
    small = Puzzle.from_givens(classic(2, 3), {0: 1, 7: 2})
    planned = plan(small)
    assert planned is not None and count(planned).count == satdoku.count(small, limit=None).count
    assert native_count(read((ROOT / "puzzles" / "9x9_1115.txt").read_text())) == 1115
    assert native_count(Puzzle.from_givens(classic(4, 4), {}), 50) == 50
    satdoku.estimate(read(EASY), seconds=0.5)


def native_count(puzzle: Puzzle, limit: int | None = None) -> int:
    engine: Any = backends.find("native")
    found: int = engine.count_solutions(puzzle, Budget(limit))[0]
    return found


def new_puzzles() -> None:
    for board in (satdoku.build(size=6), satdoku.load(VARIANTS / "cage.toml")):
        assert next(iter(satdoku.generate(board, seed=1, timeout=COMPILING)))


def forms_and_proofs() -> None:
    satdoku.canonical(read(EASY))
    satdoku.canonical(Puzzle.from_givens(classic(3, 3), dict(enumerate(satdoku.solve(read(EASY)).grid or ()))))
    for prover in ("native", "glucose4"):
        for checker in ("drat", "lrat"):
            satdoku.certify(read(HARD), backend=prover, checker=checker)
