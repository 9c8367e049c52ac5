"""What is shaded, and where stars stand."""

from __future__ import annotations

from itertools import groupby, product

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import Drawing, Values
from support.oracles.registry import layer, oracle


def _marked(drawing: Drawing, mark: Mark, at: Values, value: int) -> set[Position]:
    least = drawing.digits[0]
    return {cell for cell, stated in layer(mark, at).items() if stated == least + value}


@oracle("yin-yang", layer="shading")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    shaded, others = (_marked(drawing, mark, at, value) for value in (1, 0))
    corners = [cell for cell in drawing.positions if max(cell) < drawing.size]
    windows = [{(row + down, column + right) for down, right in product((0, 1), repeat=2)} for row, column in corners]
    whole = shaded | others == drawing.inside and all(map(drawing.linked, (shaded, others)))
    return whole and not any(window <= shaded or window <= others for window in windows)


@oracle("star-battle", layer="stars")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    stars, many = _marked(drawing, mark, at, 1), 1 if mark.value is None else int(mark.value)
    near = [(a, b) for a, b in product(stars, repeat=2) if a != b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1]
    return not near and all(len(stars.intersection(house)) == many for house in drawing.houses)


@oracle("shading", layer="shading")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    return set(layer(mark, at).values()) <= {drawing.digits[0], drawing.digits[0] + 1}


@oracle("japanese-sum", layer="shading")
def _(drawing: Drawing, mark: Mark, at: Values) -> bool:
    shaded, seen = _marked(drawing, mark, at, 1), drawing.seen(mark.cells[0])
    runs = [[at[cell] for cell in run] for is_shaded, run in groupby(seen, shaded.__contains__) if is_shaded]
    wanted = [] if mark.value == "0" else str(mark.value).split()
    return len(runs) == len(wanted) and all(
        word in ("?", str(sum(run))) for word, run in zip(wanted, runs, strict=True)
    )
