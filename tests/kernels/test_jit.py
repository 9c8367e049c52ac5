"""numba in this process gives what the library gives: the same results, and the same in every array.

With NUMBA_BOUNDSCHECK=1 in the environment this also checks that no kernel leaves its arrays.
"""

from __future__ import annotations

import numpy as np
import pytest
from support.both_ways import both_ways, chains, counts, forms_and_proofs, new_puzzles, propagations, searches

from satdoku.kernels import build, library
from satdoku.kernels.compiled import (
    ArrayType,
    Bytes2,
    Bytes3,
    Entry,
    Flags,
    Floats,
    Instruction,
    Int8s,
    KernelFunction,
    Unsigned32s,
    Unsigned32s2,
    Unsigned64s,
    entry,
    highest_bit,
    int64,
    mirror,
    uint64,
)

pytest.importorskip("numba")

LONG = ("canonical_", "chains_", "drat_", "general_", "probes_", "propagators_", "refill_", "refuter_", "rup_")
"""Beginnings of entries that are compared with --long alone: most of the time that numba takes for all is theirs.
The others and `sums` have every instruction that these have, and every type of argument."""


def used(kernel: KernelFunction, known: dict[KernelFunction, set[str]]) -> dict[KernelFunction, set[str]]:
    """A kernel and those that it calls, each with the instructions that it names itself."""
    from satdoku.kernels import jit

    if kernel not in known:
        scope = kernel.function.__globals__
        named = [scope[name] for name in jit._names(kernel.function.__code__) if name in scope]
        known[kernel] = {each.name for each in named if isinstance(each, Instruction)}
        for each in named:
            if isinstance(each, KernelFunction):
                used(each, known)
    return known


def instructions(entries: list[Entry]) -> set[str]:
    return {name for each in entries for names in used(each, {}).values() for name in names}


def kinds(entries: list[Entry]) -> set[ArrayType | type]:
    return {parameter.kind for each in entries for parameter in each.parameters}


@entry
def sums(
    flags: Flags,
    signed: Int8s,
    two: Bytes2,
    three: Bytes3,
    words: Unsigned32s,
    rows: Unsigned32s2,
    wide: Unsigned64s,
    parts: Floats,
    negated: bool,
) -> tuple[int, int, int, int, int, int]:
    """Types of arguments and instructions that only entries of LONG have."""
    set_ones = 0
    for k in range(len(flags)):
        set_ones += flags[k] != negated
        flags[k] = not flags[k]
    last = 0
    for k in range(len(signed)):
        last += signed[k]
    for i in range(two.shape[0]):
        for j in range(two.shape[1]):
            last = 10 * last + two[i, j]
    total = 0
    for i in range(three.shape[0]):
        for j in range(three.shape[1]):
            for k in range(three.shape[2]):
                total += three[i, j, k] << 8 * k
                three[i, j, k] = 255 - three[i, j, k]
    of_all = int64(wide[0] >> uint64(60)) + int64(words[0])
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            of_all += int64(rows[i, j]) << i
            parts[j] /= 2
    return set_ones, last, of_all, int64(uint64(total) >> uint64(4)), highest_bit(last), mirror(total)


@pytest.mark.parametrize("negated", [False, True])
def test_what_only_long_entries_have(negated: bool) -> None:
    from satdoku.kernels import jit

    flags = np.array([True, False, True, True])
    signed = np.array([-3, 1, 2], np.int8)
    two, three = np.arange(6, dtype=np.uint8).reshape(2, 3), np.arange(8, dtype=np.uint8).reshape(2, 2, 2)
    words, rows = np.array([2**32 - 1], np.uint32), np.array([[1, 2], [3, 2**32 - 1]], np.uint32)
    wide, parts = np.array([2**64 - 1], np.uint64), np.array([1.0, 2.0])
    found = sums.bind(flags, signed, two, three, words, rows, wide, parts, negated, run=jit.runner(sums))()
    total = sum(number << 8 * (number % 2) for number in range(8))
    mirrored = int(f"{total:063b}"[::-1], 2)
    assert found == (
        1 if negated else 3,
        12345,
        15 + 2**32 - 1 + 3 + 2 * (3 + 2**32 - 1),
        total >> 4,
        (12345).bit_length() - 1,
        mirrored,
    )
    assert parts.tolist() == [0.25, 0.5]
    assert flags.tolist() == [False, True, False, False]
    assert three.ravel().tolist() == [255, 254, 253, 252, 251, 250, 249, 248]


def test_both_ways_are_alike(monkeypatch: pytest.MonkeyPatch, pytestconfig: pytest.Config) -> None:
    """In one test, since numba takes a minute to compile all of them."""
    from satdoku.kernels import jit

    assert isinstance(library.load(), library.Library)
    long = bool(pytestconfig.getoption("--long"))
    tried = [each for each in build.entries() if long or not each.name.startswith(LONG)]
    assert instructions([*tried, sums]) == instructions(build.entries())
    assert kinds([*tried, sums]) == kinds(build.entries())
    called = both_ways(monkeypatch, jit.runner, without=() if long else LONG)
    searches(monkeypatch)
    counts()
    if long:
        new_puzzles()
        propagations()
        chains()
        forms_and_proofs()
    assert {each.name for each in tried} == called.keys()
