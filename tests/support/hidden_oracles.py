"""Oracles of the kinds whose constraints name more than the digits of the grid: layers, and auxiliary cells.

An oracle is told the digits, and what each layer says of each cell.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from satdoku import Grid, Mark, Puzzle
from satdoku.puzzle import Position
from satdoku.variants import build
from support.more_oracles import ORACLES
from support.variant_drawing import Drawing, Values, distinct, within

Layers = dict[str, Values]
Oracle = Callable[[Drawing, Mark, Values, Layers], bool]

HIDDEN: dict[str, Oracle] = {}
"""For each kind: whether a grid and its layers obey a mark."""

LAYERED = {
    "chaos-construction": "regions",
    "chaos-arrow": "regions",
    "chaos-count": "regions",
    "same-region": "regions",
    "modifiers": "modifiers",
    "schroedinger": "second",
}
"""The layer that each kind speaks of, for those that speak of one."""


def hidden(*kinds: str) -> Callable[[Oracle], Oracle]:
    def enter(function: Oracle) -> Oracle:
        HIDDEN.update(dict.fromkeys(kinds, function))
        return function

    return enter


def without(puzzle: Puzzle, kind: str) -> Puzzle:
    """The same puzzle without marks of a kind, and without those that need its layer."""
    layer = LAYERED.get(kind) if kind in ("chaos-construction", "modifiers", "schroedinger") else None
    marks = [
        mark for mark in puzzle.board.marks if mark.kind != kind and (not layer or LAYERED.get(mark.kind) != layer)
    ]
    board = build(puzzle.board.size, tuple(marks))
    return Puzzle.from_givens(board, puzzle.givens[: puzzle.board.grid_cells])


def houses(drawing: Drawing) -> list[list[Position]]:
    lines = [
        [cell for cell in drawing.positions if cell[axis] == number] for axis in (0, 1) for number in drawing.values
    ]
    return lines + drawing.regions


def linked(drawing: Drawing, cells: set[Position]) -> bool:
    """Whether cells hang together by edges."""
    todo, found = [min(cells)] if cells else [], set()
    while todo:
        cell = todo.pop()
        if cell not in found:
            found.add(cell)
            todo += [other for other in drawing.neighbours(cell) if other in cells]
    return found == cells


@hidden("chaos-construction")
def _chaos(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    label = layers["regions"]
    regions = {number: {cell for cell in drawing.positions if label[cell] == number} for number in set(label.values())}
    size = int(mark.value or len(drawing.digits))
    in_order = list(dict.fromkeys(label[cell] for cell in drawing.positions))
    return (
        in_order == [*range(drawing.digits[0], drawing.digits[0] + drawing.size**2 // size)]
        and all(len(region) == size and linked(drawing, region) for region in regions.values())
        and all(distinct([at[cell] for cell in region]) for region in regions.values())
    )


@hidden("chaos-arrow", "chaos-count")
def _counted(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    label, start = layers["regions"], mark.lines[0][0]
    count = 0 if mark.value == 1 else 1
    for line in mark.lines:
        for cell in line[1:]:
            if label[cell] == label[start]:
                count += 1
            elif mark.kind == "chaos-arrow":
                break
    return at[mark.cells[0]] == count


@hidden("same-region")
def _together(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    return len({layers["regions"][cell] for cell in mark.cells}) == 1


@hidden("connected-values", "connected-group")
def _connected(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    digits, _, many = str(mark.value).partition(":")
    cells = {cell for cell in mark.cells or drawing.positions if at[cell] in map(int, digits.split())}
    return linked(drawing, cells) and (not many or len(cells) == int(many))


@hidden("different-sum")
def _different(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    return distinct([sum(at[cell] for cell in group) for group in mark.lines])


@hidden("region-same-values")
def _same(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    most = max(map(len, houses(drawing)))
    return len({frozenset(at[cell] for cell in house) for house in houses(drawing) if len(house) == most}) == 1


@hidden("doppelganger")
def _doppelganger(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    lacked = {tuple(house): set(drawing.digits) - {at[cell] for cell in house} for house in houses(drawing)}
    if any(len(digits) != 1 or 0 in digits for digits in lacked.values()):
        return False
    size = drawing.size
    families = [houses(drawing)[start : start + size] for start in range(0, len(lacked), size)]
    met = [
        [lacked[tuple(house)] for house in houses(drawing) if cell in house]
        for cell in drawing.positions
        if not at[cell]
    ]
    return all(distinct([*map(min, map(lacked.__getitem__, map(tuple, family)))]) for family in families) and all(
        one != other for sets in met for one, other in combinations(sets, 2)
    )


def readings(drawing: Drawing, at: Values) -> dict[Position, list[int]]:
    ends = (0, drawing.size + 1)
    places = [(n, end) for n in drawing.values for end in ends] + [(end, n) for n in drawing.values for end in ends]
    return {place: [at[cell] for cell in drawing.seen(place)] for place in places}


@hidden("full-rank")
def _rank(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    every = readings(drawing, at)
    own = every.pop(mark.cells[0])
    ties = any(str(other.value).lower() == "any" for other in drawing.marks_of("full-rank-ties"))
    return mark.value == 1 + sum(other < own for other in every.values()) and (ties or own not in every.values())


@hidden("full-rank-ties")
def _ties(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    return str(mark.value).lower() == "any" or len(
        set(map(tuple, lines := list(readings(drawing, at).values())))
    ) == len(lines)


@hidden("modifiers")
def _modifiers(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    flagged = [cell for cell in drawing.positions if layers["modifiers"][cell] == 2]
    once = all(sum(cell in flagged for cell in house) == 1 for house in houses(drawing))
    return once and set(layers["modifiers"].values()) == {1, 2} and distinct([at[cell] for cell in flagged])


@hidden("schroedinger")
def _schroedinger(drawing: Drawing, mark: Mark, at: Values, layers: Layers) -> bool:
    second = layers["second"]
    both = {cell: [at[cell], second[cell]] if second[cell] != at[cell] else [at[cell]] for cell in drawing.positions}
    slots = [[digit for cell in house for digit in both[cell]] for house in houses(drawing)]
    return all(sorted(held) == [*drawing.digits] for held in slots) and all(at[c] <= second[c] for c in at)


def counted(mark: Mark, at: Values, layers: Layers) -> list[int]:
    """What the cells of a mark count, on boards with doublers or Schroedinger cells."""
    if "modifiers" in layers:
        return [at[cell] * layers["modifiers"][cell] for cell in mark.cells]
    second = layers.get("second", at)
    return [
        digit + (second[cell] if second[cell] != digit else 0)
        for cell, digit in zip(mark.cells, within(mark, at), strict=True)
    ]


def split(drawing: Drawing, puzzle: Puzzle, grid: Grid) -> tuple[Values, Layers]:
    """The shown values of a solution, and those of its layers."""
    parts = [(name, [puzzle.board.shown(value) for value in part]) for name, part in puzzle.board.parts(grid)]
    shown = {name: dict(zip(drawing.positions, values, strict=True)) for name, values in parts}
    return shown.pop(""), shown


def drawing_of(puzzle: Puzzle) -> Drawing:
    return Drawing(puzzle.board.columns, puzzle.board.marks, puzzle.board.size.digits)


def hidden_obeys(puzzle: Puzzle, grid: Grid) -> bool:
    """Whether every mark is obeyed, those of other kinds only where cells count their digit."""
    drawing = drawing_of(puzzle)
    at, layers = split(drawing, puzzle, grid)
    return all(
        HIDDEN[mark.kind](drawing, mark, at, layers) if mark.kind in HIDDEN else ORACLES[mark.kind](drawing, mark, at)
        for mark in drawing.marks
        if mark.kind in HIDDEN or (mark.kind in ORACLES and not {"modifiers", "second"} & layers.keys())
    )
