"""puzzles/variants/: one puzzle of each kind of mark, whose one solution hangs on its marks."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.oracles import BEYOND_THE_GRID
from support.solutions import broken, without

from satdoku import Verdict, check, read, write
from satdoku.variants import kinds

SLOW = "chaos-arrow"
"""Its search takes as long as those of all other files; its example in the documentation is always searched."""

ENGINES = {SLOW: "cadical153", "battlefield": "glucose4", "nurikabe": "native", "roping": "native"}
"""Those that are quick where others take seconds, or minutes for unknown regions."""

PUZZLES = Path(__file__).parents[2] / "puzzles" / "variants"


def test_each_kind_has_one() -> None:
    assert sorted(path.name for path in PUZZLES.iterdir()) == sorted(f"{kind}.toml" for kind in kinds())


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=pytest.mark.slow) if kind == SLOW else kind for kind in sorted(kinds())]
)
def test_one_solution_with_the_marks_and_more_without(kind: str) -> None:
    text = (PUZZLES / f"{kind}.toml").read_text()
    puzzle = read(text)
    assert write(puzzle, "toml") + "\n" == text
    assert puzzle.board.columns == 9 or kind in BEYOND_THE_GRID
    backend = ENGINES.get(kind, "auto")
    found = check(puzzle, backend=backend)
    assert found.verdict is Verdict.UNIQUE
    assert broken(puzzle, found.grids[0]) == []
    other = "glucose4" if kind == SLOW else backend  # the quickest to find two of many
    fewer = Verdict.UNSOLVABLE if kind == "free-grid" else Verdict.MULTIPLE  # without it, rows and columns say more
    assert check(without(puzzle, kind), backend=other).verdict is fewer
