"""What is shaded, and where stars stand."""

from __future__ import annotations

from itertools import groupby, product

from satdoku import Mark
from satdoku.puzzle import Position
from support.drawing import MarkedSquare, Values
from support.oracles.registry import layer, oracle


def _marked(drawing: MarkedSquare, mark: Mark, at: Values, value: int) -> set[Position]:
    least = drawing.digits[0]
    return {cell for cell, stated in layer(mark, at).items() if stated == least + value}


@oracle("yin-yang", layer="shading")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    shaded, others = (_marked(drawing, mark, at, value) for value in (1, 0))
    corners = [cell for cell in drawing.positions if max(cell) < drawing.size]
    windows = [{(row + down, column + right) for down, right in product((0, 1), repeat=2)} for row, column in corners]
    whole = shaded | others == drawing.inside and all(map(drawing.linked, (shaded, others)))
    return whole and not any(window <= shaded or window <= others for window in windows)


@oracle("star-battle", layer="stars")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    stars, many = _marked(drawing, mark, at, 1), 1 if mark.value is None else int(mark.value)
    near = [(a, b) for a, b in product(stars, repeat=2) if a != b and max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1]
    return not near and all(len(stars.intersection(house)) == many for house in drawing.houses)


@oracle("shading", layer="shading")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return set(layer(mark, at).values()) <= {drawing.digits[0], drawing.digits[0] + 1}


@oracle("japanese-sum", layer="shading")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    shaded, seen = _marked(drawing, mark, at, 1), drawing.seen(mark.cells[0])
    runs = [[at[cell] for cell in run] for is_shaded, run in groupby(seen, shaded.__contains__) if is_shaded]
    wanted = [] if mark.value == "0" else str(mark.value).split()
    return len(runs) == len(wanted) and all(
        word in ("?", str(sum(run))) for word, run in zip(wanted, runs, strict=True)
    )


@oracle("connected-shading", layer="shading")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return drawing.linked(_marked(drawing, mark, at, 0 if mark.value == "UNSHADED" else 1))


@oracle("loop", layer="shading")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    loop = _marked(drawing, mark, at, 1)
    twice = all(len(loop.intersection(drawing.neighbours(cell))) == 2 for cell in loop)
    return bool(loop) and twice and drawing.linked(loop)


def _groups(drawing: MarkedSquare, cells: set[Position]) -> list[set[Position]]:
    """The connected groups of cells."""
    groups: list[set[Position]] = []
    for cell in sorted(cells):
        near = [group for group in groups if group.intersection(drawing.neighbours(cell))]
        groups = [group for group in groups if group not in near] + [set().union({cell}, *near)]
    return groups


@oracle("nurikabe", layer="shading")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    shaded = _marked(drawing, mark, at, 1)
    for group in _groups(drawing, set(drawing.positions) - shaded):
        circles = group.intersection(mark.cells)
        if len(circles) != 1 or at[min(circles)] != len(group):
            return False
    pools = any({(r, c), (r + 1, c), (r, c + 1), (r + 1, c + 1)} <= shaded for r, c in drawing.positions)
    return drawing.linked(shaded) and not pools and not shaded.intersection(mark.cells)


@oracle("cave", layer="shading")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    shaded = _marked(drawing, mark, at, 1)
    edge = {cell for cell in drawing.positions if {1, drawing.size} & set(cell)}
    walls = all(group & edge for group in _groups(drawing, shaded))
    if not walls or shaded.intersection(mark.cells) or not drawing.linked(set(drawing.positions) - shaded):
        return False
    for row, column in mark.cells:
        seen = 1
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            steps = range(1, drawing.size)
            way = [(row + step * down, column + step * right) for step in steps]
            seen += next((n for n, cell in enumerate(way) if cell in shaded or cell not in drawing.inside), len(way))
        if at[row, column] != seen:
            return False
    return True
