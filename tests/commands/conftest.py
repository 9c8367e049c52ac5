"""Files of puzzles, and a backend that says what a script says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import pytest

import satdoku
from satdoku import backends
from satdoku.backends import Budget, Ending, Engine, Search
from satdoku.constraints import Grid


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Write a file of these lines into the working directory, under a plain name."""
    monkeypatch.chdir(tmp_path)

    def write(*lines: str, name: str = "puzzles.txt") -> str:
        Path(name).write_text("".join(f"{line}\n" for line in lines))
        return name

    return write


Script = Callable[[satdoku.Puzzle], tuple[Iterable[Grid], Ending]]


class Scripted:
    """A backend that says of each puzzle what its script says."""

    def __init__(self, script: Script, refusal: str | None) -> None:
        self._script = script
        self._refusal = refusal

    def refuses(self, board: satdoku.Board) -> str | None:
        return self._refusal

    def load(self, board: satdoku.Board) -> None:
        pass

    def search(self, puzzle: satdoku.Puzzle, budget: Budget) -> Search:
        grids, ending = self._script(puzzle)
        yield from islice(grids, budget.limit)
        return ending

    def close(self) -> None:
        pass


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Add the backend `planted`, which finds these grids in any puzzle and then ends so."""

    def add(
        *grids: str, ending: Ending = Ending.EXHAUSTED, script: Script | None = None, refusal: str | None = None
    ) -> None:
        found = [tuple(map(int, grid)) for grid in grids]
        chosen = script or (lambda puzzle: (found, ending))
        engine = Engine("planted", "scripted", lambda argument, encoding: Scripted(chosen, refusal))
        monkeypatch.setitem(backends.engines(), "planted", engine)

    return add
