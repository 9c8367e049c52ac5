"""What one of several boards may hold: its own rows and columns, and the marks on it in its own coordinates."""

from __future__ import annotations

import re

from satdoku import Mark
from support.drawing import MarkedSquare, Values
from support.oracles.registry import ORACLES, oracle


@oracle("board", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    form = re.fullmatch(r"(\d+)x(\d+)(?: values (\d+)-(\d+))?", str(mark.value))
    assert form is not None
    rows, columns, first, last = form.groups()
    digits = range(int(first), int(last) + 1) if first else range(1, max(int(rows), int(columns)) + 1)
    down, right = mark.cells[0][0] - 1, mark.cells[0][1] - 1
    own = {
        (row, column): at[row + down, column + right]
        for row in range(1, int(rows) + 1)
        for column in range(1, int(columns) + 1)
    }
    lines = [
        [own[cell] for cell in own if cell[axis] == number] for axis in (0, 1) for number in {c[axis] for c in own}
    ]
    if not set(own.values()) <= set(digits) or any(len(set(line)) < len(line) for line in lines):
        return False
    inner = MarkedSquare(int(rows), mark.marks, digits)
    return all(ORACLES[part.kind](inner, part, own) for part in mark.marks)
