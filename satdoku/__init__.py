"""satdoku: check, solve, count, explain and generate Sudoku of any variant.

import satdoku
puzzle = satdoku.read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
satdoku.check(puzzle).verdict    # Verdict.UNIQUE
satdoku.solve(puzzle).grid       # the grid: 81 values, row-major
satdoku.count(puzzle).count      # 1
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from satdoku.registry import VIEWS

if TYPE_CHECKING:
    from satdoku.puzzle import Puzzle

_STUB = __spec__.loader.get_data(f"{__path__[0]}/__init__.pyi").decode()
_LINES = [line.split() for line in _STUB.splitlines() if line.startswith("from ")]  # from MODULE import NAME as NAME
_HOMES = {name: module for _, module, _, name, *_ in _LINES}
"""The public names and the module that has each, which is imported when the name is first used: all of them together
take ten times as long as what a plain check needs. `__init__.pyi` lists them, for type checkers as well."""

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name == "marks":
        return import_module("satdoku.marks")
    if name not in _HOMES:
        near = "" if name.startswith("_") else import_module("satdoku.errors").near_names(name, __all__)
        raise AttributeError(": ".join(filter(None, (f"module 'satdoku' has no attribute {name!r}", near))))
    return globals().setdefault(name, getattr(import_module(_HOMES[name]), name))


def __dir__() -> list[str]:
    return __all__


def _view(name: str, puzzle: Puzzle) -> str | None:
    """One of the functions of `satdoku.api.views`, which is imported for it."""
    view: str | None = getattr(import_module("satdoku.api.views"), name)(puzzle)
    return view


VIEWS.update({name: partial(_view, name) for name in ("summary", "grid", "svg")})
