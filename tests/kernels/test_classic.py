"""The search on 9x9 boards by both widths of vectors: the same steps, whatever the slices, and the right grids."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from support.long_searches import GOLDEN_NUGGET, PLATINUM_BLONDE, five_digits

from satdoku import Budget, Ending, Mark, Puzzle, Session, build, classic, read
from satdoku.backends import PASSED, native
from satdoku.backends.native import pairs_apart
from satdoku.kernels import library
from satdoku.kernels.classic import narrow, search, wide
from satdoku.kernels.classic.state import CELLS_FIRST, CHANGED, NODES
from satdoku.kernels.compiled import FOUND, PAUSED, Instruction, KernelFunction, allocated
from satdoku.puzzle import Board
from satdoku.referee import violations

KERNELS: dict[str, Any] = {"narrow": search, "wide": wide}
MOST = 5000  # nodes of a search


def course(kernel: Any, board: Board, candidates: tuple[int, ...], slices: int = MOST) -> list[Any]:
    """What a search shows: the nodes and the grid where it finds one, and all candidates where it ends."""
    state, numbers = kernel.fresh(kernel.search(pairs_apart(board) or ()))
    kernel.begin((state, numbers), candidates)
    shown: list[Any] = []
    out, code = allocated("H", 81), FOUND
    while code == FOUND or (code == PAUSED and numbers[NODES] < MOST):
        code = kernel.advance((state, numbers), min(slices, MOST - numbers[NODES]))
        if code == FOUND:
            kernel.grid((state, numbers), out)
            shown.append((numbers[NODES], tuple(out)))
            if len(shown) == 3:
                break
    first = kernel.FIRST + kernel.VECTORS * max(0, numbers[kernel.DEPTH])
    digits = [(first + kernel.VECTOR[digit], kernel.START[digit]) for digit in range(9)]
    left = [state[row, start + lane] for row, start in digits for lane in kernel.LANE]
    return [*shown, tuple(numbers[:CHANGED]), left]


def nodes(shown: list[Any]) -> int:
    return int(shown[-2][NODES])


@pytest.mark.parametrize("rule", [None, "anti-knight", "windoku"])
def test_both_widths_take_the_same_steps(rule: str | None) -> None:
    board = classic(3, 3) if rule is None else build(size=9, marks=[Mark(rule, ())]).board
    random, long = Random(f"{rule}"), 0
    for number in range(40):
        givens = {random.randrange(81): random.randint(1, 9) for _ in range(6)}
        candidates = Puzzle.from_givens(board, givens).candidates
        if rule is None and number % 2:
            candidates = five_digits(random)
        first, second = (course(kernel, board, candidates) for kernel in KERNELS.values())
        assert first == second
        long += nodes(first) > CELLS_FIRST
    assert long > 5


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_slices_change_nothing(kernel: Any) -> None:
    board, random, long = classic(3, 3), Random(4), 0
    for _ in range(25):
        candidates = five_digits(random)
        whole = course(kernel, board, candidates)
        long += nodes(whole) > 2 * CELLS_FIRST
        assert all(course(kernel, board, candidates, slices) == whole for slices in (1, 7, 101))
    assert long > 5


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
def test_long_searches_find_what_a_sat_solver_finds(kernel: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "classic_kernel", lambda: kernel)
    board, random, long, made = classic(3, 3), Random(5), 0, native.Native()
    made.load(board)
    with Session("glucose4") as session:
        for _ in range(60):
            puzzle = Puzzle(board, five_digits(random))
            grids = list(made.search(puzzle, Budget(2)))
            assert len(set(grids)) == session.run(puzzle, Budget(2)).count
            assert not any(fault for grid in grids for fault in violations(puzzle, grid))
            long += made.statistics()["nodes"] > 2 * CELLS_FIRST
    assert long > 10


@pytest.mark.parametrize("avx512", [False, True])
def test_a_search_does_not_depend_on_the_one_before(avx512: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a list: the second takes 281 nodes, and 301 where those of the first until its grid count."""
    monkeypatch.setattr(library, "uses_avx512", lambda: avx512)
    board, made = classic(3, 3), native.Native()
    made.load(board)
    givens = np.array([read(text).givens for text in (PLATINUM_BLONDE, GOLDEN_NUGGET)], np.uint16)
    found = made.check_many(board, givens, Budget(2, work=290))
    assert found.endings.tolist() == [PASSED, Ending.EXHAUSTED.code]


def test_each_width_has_a_layout_of_its_own() -> None:
    layout = {name for name in vars(narrow) if name.isupper()} - {"COLUMN"}
    layout |= {name for name, value in vars(narrow).items() if isinstance(value, KernelFunction | Instruction)}
    assert len(layout) > 20
    assert not [name for name in layout if vars(wide)[name] is vars(narrow)[name]]
