"""numba in this process gives what the library gives: the same results, and the same in every array.

With NUMBA_BOUNDSCHECK=1 in the environment this also checks that no kernel leaves its arrays.
"""

from __future__ import annotations

import pytest
from support.both_ways import both_ways, counts, others, searches

from satdoku.kernels import build, library

pytest.importorskip("numba")


def test_both_ways_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one test, since numba takes a minute to compile all of them."""
    from satdoku.kernels import jit

    assert isinstance(library.load(), library.Library)
    called = both_ways(monkeypatch, jit.runner)
    searches()
    counts()
    others()
    assert {entry.name for entry in build.entries()} - {"propagators_search_propagate"} <= called.keys()
