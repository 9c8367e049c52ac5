"""f-puzzles texts are read as the second reading reads them, where they say a thing in one way of several."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from lzstring import LZString
from support import independent
from support.independent import lz
from support.independent.comparing import Comparison
from support.independent.reading import read

import satdoku

ALONE = ("board", "clauses", "definitions", "drawing", "logic", "lz", "making", "reading", "sites", "solving")
JIGSAW = (0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 3, 1, 2, 3, 3, 3)


def text(size: int = 4, cells: dict[int, dict[str, Any]] | None = None, **keys: Any) -> dict[str, Any]:
    """JSON of a puzzle; `cells` says what stands in some cells."""
    message = [(cells or {}).get(cell, {}) for cell in range(size * size)]
    return {"size": size, "grid": [message[start : start + size] for start in range(0, len(message), size)], **keys}


TEXTS = {
    "no marks": text(),
    "no marks, 6x6": text(6),
    "no marks, 8x8": text(8),
    "givens": text(cells={0: {"value": 1, "given": True}, 5: {"value": "3", "given": True}}),
    "a value that is not a given": text(cells={0: {"value": 1}, 5: {"value": 2, "given": False}}),
    "a null value": text(cells={3: {"value": None}, 4: {"centerPencilMarks": [1]}}),
    "pencil marks": text(cells={2: {"givenPencilMarks": [1, 4]}, 7: {"givenPencilMarks": ["2"]}}),
    "a given with pencil marks": text(cells={2: {"value": 1, "given": True, "cornerPencilMarks": [1, 4]}}),
    "regions": text(cells={cell: {"region": number} for cell, number in enumerate(JIGSAW)}),
    "a box in which no cell is": text(cells={cell: {"region": None} for cell in (0, 1, 4, 5)}),
    "metadata": text(title="T", author="A", ruleset="", solution=[], highlightConflicts=True),
    "rules that are false": text(antiknight=False, antiking=True, nonconsecutive=False) | {"diagonal+": True},
    "empty lists": text(arrow=[], killercage=[], negative=[]),
    "a cage without a total": text(killercage=[{"cells": ["R1C1", "R1C2", "R2C3"]}, {"cells": ["R4C4"], "value": ""}]),
    "a total that is a number": text(killercage=[{"cells": ["R1C1", "R1C2"], "value": 5}]),
    "cages with labels": text(
        cage=[{"cells": ["R1C1", "R2C3"], "value": "DR3"}, {"cells": ["R1C1", "R1C2"], "value": "FOW"}]
    ),
    "a branching thermometer": text(thermometer=[{"lines": [["R1C1", "R2C2"], ["R1C1", "R1C2", "R1C3"]]}]),
    "a line of one cell": text(thermometer=[{"lines": [["R1C1"]]}], palindrome=[{"lines": [["R1C1"]]}]),
    "whispers": text(6, whispers=[{"lines": [["R1C1", "R1C2"]]}, {"lines": [["R4C1", "R4C2"]], "value": "4"}]),
    "an arrow that leaves its bulb": text(arrow=[{"cells": ["R1C1"], "lines": [["R1C1", "R2C2", "R2C3"]]}]),
    "an arrow that does not begin in its bulb": text(arrow=[{"cells": ["R1C1"], "lines": [["R2C2", "R2C3"]]}]),
    "an arrow with two shafts": text(
        arrow=[{"cells": ["R2C2"], "lines": [["R2C2", "R1C1", "R1C2"], ["R2C2", "R3C3", "R3C4"]]}]
    ),
    "a bulb of two cells, the right one first": text(
        6, arrow=[{"cells": ["R1C2", "R1C1"], "lines": [["R1C1", "R2C1", "R3C1", "R4C1", "R5C1"]]}]
    ),
    "little killers": text(
        littlekillersum=[
            {"cell": "R0C0", "direction": "DR", "value": "11", "cells": ["R1C1", "R2C2", "R3C3", "R4C4"]},
            {"cell": "R5C4", "direction": "UL", "value": "7"},
            {"cell": "R0C2", "direction": "DL", "value": "0"},
            {"cell": "R0C5", "direction": "DL", "value": ""},
        ]
    ),
    "two-digit values and places": text(
        10,
        cells={99: {"value": 10, "given": True}},
        killercage=[{"cells": ["R10C9", "R9C10", "R9C9"], "value": "17"}],
        xsum=[{"cell": "R11C3", "value": "12"}, {"cell": "R10C0", "value": "20"}],
        littlekillersum=[{"cell": "R11C7", "direction": "UR", "value": "14"}],
        rowindexer=[{"cells": ["R10C2"]}],
    ),
    "lines that come back to a cell": text(
        6,
        renban=[{"lines": [["R1C1", "R1C2", "R2C2", "R1C1"]]}],
        nabner=[{"lines": [["R4C1", "R4C2", "R5C2", "R4C1"]]}],
        zipperline=[{"lines": [["R1C4", "R1C5", "R2C5", "R1C4"]]}],
    ),
    "clues from each side": text(
        xsum=[{"cell": "R0C1", "value": "6"}, {"cell": "R5C2", "value": "3"}],
        skyscraper=[{"cell": "R2C0", "value": "2"}, {"cell": "R3C5", "value": "3"}],
        sandwichsum=[{"cell": "R4C0", "value": "0"}, {"cell": "R1C5", "value": ""}],
    ),
    "dots": text(
        difference=[{"cells": ["R1C1", "R1C2"]}, {"cells": ["R4C1", "R4C2"], "value": "2"}],
        ratio=[{"cells": ["R2C1", "R2C2"], "value": ""}, {"cells": ["R3C1", "R3C2"], "value": "3"}],
        negative=["ratio"],
    ),
    "letters": text(xv=[{"cells": ["R1C1", "R1C2"], "value": "v"}], negative=["xv"]),
    "a dot where neighbours are not consecutive": text(
        difference=[{"cells": ["R1C1", "R1C2"]}, {"cells": ["R1C3", "R1C4"]}], nonconsecutive=True
    ),
    "short lines": text(
        6,
        doublearrow=[{"lines": [["R1C1", "R1C2"]]}],
        modularline=[{"lines": [["R1C1", "R2C2"]]}, {"lines": [["R4C4", "R4C5"], ["R5C1", "R5C2", "R5C3"]]}],
        entropicline=[{"lines": [["R1C1", "R3C2"]]}],
    ),
    "minimums side by side": text(
        minimum=[{"cell": "R1C1"}, {"cell": "R1C2"}], maximum=[{"cell": "R3C3"}, {"cell": "R4C4"}]
    ),
    "a quadruple": text(quadruple=[{"cells": ["R1C1", "R1C2", "R2C1", "R2C2"], "values": [1, 2]}]),
    "indexers": text(rowindexer=[{"cells": ["R1C1", "R2C2"]}], boxindexer=[{"cells": ["R4C4"]}]),
    "a line through two boxes": text(regionsumline=[{"lines": [["R1C1", "R1C2", "R1C3", "R2C2", "R3C2"]]}]),
    "clones": text(clone=[{"cells": ["R1C1", "R1C2"], "cloneCells": ["R3C3", "R3C4"]}]),
    "odd and even": text(odd=[{"cell": "R1C1"}], even=[{"cell": "R2C2"}]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_has_the_same_grids(name: str) -> None:
    theirs = satdoku.read(json.dumps(TEXTS[name]), format="f-puzzles-json")
    assert Comparison(read(TEXTS[name]), theirs).by_constraints() is None


def test_data_of_links() -> None:
    rng = Random(7)
    for size in range(1, 300):
        plain = "".join(rng.choice('ab{}":,R1C2é≥') for _ in range(size))
        assert lz.decode(LZString.compressToBase64(plain)) == plain
    with pytest.raises(ValueError, match="too soon"):
        lz.decode(LZString.compressToBase64("abcabcabd" * 9)[:8])


def test_the_second_reading_imports_nothing_of_satdoku() -> None:
    folder = Path(independent.__path__[0])
    modules = {path.stem: path for path in folder.glob("*.py")}
    assert {*modules} == {*ALONE, "__init__", "bridge", "comparing"}
    for name in ALONE:
        tree = ast.walk(ast.parse(modules[name].read_text("utf-8")))
        imported = [node.module for node in tree if isinstance(node, ast.ImportFrom)]
        assert not any(str(module).startswith("satdoku") for module in imported), name
        own = [str(module).rpartition(".")[2] for module in imported if str(module).startswith("support")]
        assert {*own} <= {*ALONE, "independent"}, name
        tree = ast.walk(ast.parse(modules[name].read_text("utf-8")))
        named = [alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names]
        assert "satdoku" not in named, name
