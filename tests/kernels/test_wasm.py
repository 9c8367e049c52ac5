"""The WebAssembly module gives what the library gives, in node: the same grids, nodes and arrays.

Runs where there is a module: `.ci/wheels FOLDER` makes one, or `python -m satdoku.kernels.build --target
wasm32 -o build/libraries` with ziglang.
"""

from __future__ import annotations

import shutil

import pytest
from support.both_ways import both_ways, chains, counts, forms_and_proofs, new_puzzles, propagations, searches
from support.wasm import Node

from satdoku.kernels import library
from satdoku.web.browser import site

MODULE = site.PACKAGE.parent / site.KERNELS


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.skipif(not MODULE.exists(), reason=f"there is no {MODULE}")
def test_wasm_and_the_library_are_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    if library.sources().encode() not in MODULE.read_bytes():
        pytest.skip(f"{MODULE} was made from other sources")
    assert isinstance(library.load(), library.Library)
    with Node(MODULE) as node:
        called = both_ways(monkeypatch, node.runner)
        searches(monkeypatch)
        propagations()
        chains()
        counts()
        new_puzzles()
        forms_and_proofs()
    assert len(called) > 20
