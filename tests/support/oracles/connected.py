"""Oracles of unknown regions, and cells that hang together."""

from __future__ import annotations

from satdoku import Mark
from support.drawing import MarkedSquare, Values, distinct
from support.oracles.registry import layer, oracle


@oracle("chaos-construction", layer="regions")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    label = layer(mark, at)
    regions = {number: {cell for cell in drawing.positions if label[cell] == number} for number in set(label.values())}
    size = int(mark.value or len(drawing.digits))
    in_order = list(dict.fromkeys(label[cell] for cell in drawing.positions))
    return (
        in_order == [*range(drawing.digits[0], drawing.digits[0] + drawing.size**2 // size)]
        and all(len(region) == size and drawing.linked(region) for region in regions.values())
        and all(distinct([at[cell] for cell in region]) for region in regions.values())
    )


@oracle("chaos-arrow", "chaos-count", layer="regions")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    label, start = layer(mark, at), mark.lines[0][0]
    count = 0 if mark.value == 1 else 1
    for line in mark.lines:
        for cell in line[1:]:
            if label[cell] == label[start]:
                count += 1
            elif mark.kind == "chaos-arrow":
                break
    return at[mark.cells[0]] == count


@oracle("same-region", layer="regions")
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    return len({layer(mark, at)[cell] for cell in mark.cells}) == 1


@oracle("connected-values", "connected-group", auxiliary=True)
def _(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    stated, _, across = str(mark.value).partition(" in rows of ")
    digits, _, many = stated.partition(":")
    cells = {cell for cell in mark.cells or drawing.positions if at[cell] in map(int, digits.split())}
    if across:
        laid = [divmod(mark.cells.index(cell), int(across)) for cell in cells]
        cells = {(1 + row, 1 + column) for row, column in laid}
        drawing = MarkedSquare(len(mark.cells))
    return drawing.linked(cells) and (not many or len(cells) == int(many))
