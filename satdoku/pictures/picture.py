"""What a picture of a puzzle shows, as strokes: its marks, the lines of the grid, digits, notes."""

from collections.abc import Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from math import ceil, sqrt

from satdoku.constraints import Constraint, Grid
from satdoku.puzzle import Board, Position, Puzzle, members, only
from satdoku.variants import Frame, build, lowered
from satdoku.variants.boards import skeleton
from satdoku.variants.cosmetics import cosmetic
from satdoku.variants.drawing import PALE_RED
from satdoku.variants.drawing import strokes as strokes_of
from satdoku.variants.sentences import rules
from satdoku.variants.strokes import INK, Area, Disc, Layer, Line, Note, Point, Stroke, Text, outlines, square

SECOND_INK = "#1f5fbf"  # what was not given: a solution, candidates
PENCIL = "#444444"  # candidates that the puzzle itself states
FOCUS = "#ffe08a"
REASON = "#dcefd8"
LINK = "#c0392b"
SHADED, STAR = "#c9c9c9", "#d9a400"
HOUSE, HOUSE_INK = "#e4ecf8", "#5b84c4"
HEAT = (230, 85, 13)  # red, green, blue of a value that every solution has


ValueCells = tuple[int, int]  # a value, and a set of cells


@dataclass(frozen=True, slots=True)
class Shade:
    """A colour behind some candidates, and what it means."""

    tint: str
    text: str
    candidates: tuple[ValueCells, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    puzzle: Puzzle
    grid: Grid | None = None  # values in the second ink, 0 where none is; givens keep theirs
    _: KW_ONLY
    candidates: tuple[int, ...] | None = None  # for each cell, bit v set where v is shown small, if nothing else is
    heat: Sequence[Sequence[float]] | None = None  # for each cell the part of the solutions with each value, drawn so
    focus: tuple[int, ...] = ()  # cells to look at; `reasons`: cells that say why
    reasons: tuple[int, ...] = ()
    cited: tuple[str, ...] = ()  # names of constraints to look at: houses are outlined, others shaded, marks in red
    shades: tuple[Shade, ...] = ()  # of candidates; the first is on top
    links: tuple[tuple[ValueCells, ValueCells, bool], ...] = ()  # between candidates; the strong ones are solid
    legend: tuple[tuple[str, str], ...] = ()  # colours, and what they mean
    title: str = ""  # above the grid
    notes: tuple[str, ...] = ()  # sentences below it, after those of the rules that have no place in the grid
    rules: bool = False  # whether to write what every kind of mark means
    over: tuple[Stroke, ...] = ()  # whatever else is drawn, on top


def strokes(picture: Picture) -> Iterator[Stroke]:
    board = picture.puzzle.board
    houses, others = cited(picture)
    shades = {
        cell: tint for rules, tint in ((houses, HOUSE), (others, PALE_RED)) for rule in rules for cell in rule.cells
    }
    yield from (Area(square(_centre(board, cell), 0.5), tint) for cell, tint in shades.items() if cell < board.cells)
    yield from (Area(square(_centre(board, cell), 0.5), REASON) for cell in picture.reasons)
    yield from (Area(square(_centre(board, cell), 0.5), FOCUS) for cell in picture.focus)
    yield from _heat(board, picture.heat or ())
    yield from _shaded(board, picture)
    for drawing in picture.puzzle.drawings:
        yield from cosmetic(drawing)
    notes = []
    stressed = [board.marks[index] for index in stressed_marks(board, others)]
    for stroke in strokes_of(Frame(board.size, board.marks), stressed):
        if isinstance(stroke, Note):
            notes.append(stroke)
        else:
            yield stroke
    yield from grid_lines(board)
    for house in houses:
        around = outlines([board.size.position(cell % board.grid_cells) for cell in house.cells], 0.04)
        yield from (Line(points, HOUSE_INK, 0.05, closed=True, layer=Layer.OVER) for points in around)
    for cell in picture.focus:
        yield Line(square(_centre(board, cell), 0.46), SECOND_INK, 0.06, closed=True, layer=Layer.OVER)
    yield from _digits(picture)
    if picture.grid is not None:
        yield from _layers(board, picture.grid)
    yield from picture.over
    stated = rules(board.size, board.marks) if picture.rules else []
    legend = [Note(text, tint) for tint, text in picture.legend]
    yield from dict.fromkeys([*legend, *map(Note, stated), *notes, *map(Note, picture.notes)])


def cited(picture: Picture) -> tuple[list[Constraint], list[Constraint]]:
    """The constraints to look at: rows, columns and regions, which the grid shows; and those that marks draw."""
    board = picture.puzzle.board
    named = [rule for rule in board.constraints if rule.name in picture.cited]
    shown = build(board.size, skeleton(board.marks)).constraints if named else ()
    return [rule for rule in named if rule in shown], [rule for rule in named if rule not in shown]


def stressed_marks(board: Board, constraints: Sequence[Constraint]) -> list[int]:
    """The marks, by their place in the list, that draw constraints of these names."""
    names = {rule.name for rule in constraints}
    parts = enumerate(lowered(Frame(board.size, board.marks))) if names else ()
    return [index for index, rules in parts if any(rule.name in names for rule in rules)]


def _centre(board: Board, cell: int) -> Point:
    return board.size.position(cell % board.grid_cells)


def grid_lines(board: Board) -> Iterator[Line]:
    cells = list(map(board.size.position, range(board.grid_cells)))
    for ends in _between(cells):
        yield Line(ends, INK, 0.015, layer=Layer.GRID)
    for points in outlines(cells, 0):
        yield Line(points, INK, 0.06, closed=True, layer=Layer.GRID)


def _between(cells: Sequence[Position]) -> Iterator[tuple[Point, Point]]:
    """The lines between neighbours, those that meet in one."""
    inside = set(cells)
    for row, column in cells:
        begins = (row + 1, column) in inside and not {(row, column - 1), (row + 1, column - 1)} <= inside
        if begins:
            end = column
            while {(row, end + 1), (row + 1, end + 1)} <= inside:
                end += 1
            yield (row + 0.5, column - 0.5), (row + 0.5, end + 0.5)
    for row, column in cells:
        if (row, column + 1) in inside and not {(row - 1, column), (row - 1, column + 1)} <= inside:
            end = row
            while {(end + 1, column), (end + 1, column + 1)} <= inside:
                end += 1
            yield (row - 0.5, column + 0.5), (end + 0.5, column + 0.5)


def _layers(board: Board, grid: Grid) -> Iterator[Stroke]:
    (_, digits), *layers = board.parts(grid)
    for name, values in layers:
        for value in sorted(set(values)):
            yield from _of_layer(name, value, [_centre(board, c) for c, other in enumerate(values) if other == value])
        if name == "second":
            for cell, (first, second) in enumerate(zip(digits, values, strict=True)):
                row, column = _centre(board, cell)
                if first != second:
                    yield Text((row - 0.3, column + 0.3), str(board.shown(second)), 0.2, SECOND_INK, layer=Layer.DIGITS)


def _of_layer(name: str, value: int, cells: Sequence[Point]) -> Iterator[Stroke]:
    """What the cells with a value of a layer look like."""
    if name == "regions":
        inside = [(round(row), round(column)) for row, column in cells]
        yield from (Line(points, SECOND_INK, 0.05, closed=True, layer=Layer.OVER) for points in outlines(inside, 0))
    elif name == "shading" and value > 1:
        yield from (Area(square(centre, 0.5), SHADED) for centre in cells)
    elif name == "stars" and value > 1:
        yield from (Text((row + 0.1, column), "*", 0.8, STAR) for row, column in cells)
    elif name == "modifiers" and value > 1:
        yield from (Disc(centre, 0.42, None, SECOND_INK) for centre in cells)


def _digits(picture: Picture) -> Iterator[Text]:
    puzzle = picture.puzzle
    board = puzzle.board
    height = {1: 0.5, 2: 0.36}.get(len(str(board.size.digits[-1])), 0.26)
    for cell, allowed in enumerate(puzzle.candidates[: board.grid_cells]):
        centre = _centre(board, cell)
        value = picture.grid[cell] if picture.grid is not None else 0
        if only(allowed):
            yield Text(centre, str(board.shown(only(allowed))), height, INK, bold=True, layer=Layer.DIGITS)
        elif value:
            yield Text(centre, str(board.shown(value)), height, SECOND_INK, layer=Layer.DIGITS)
        elif picture.heat is not None:
            shown = sum(2 << index for index, part in enumerate(picture.heat[cell]) if part)
            yield from _small(board, centre, shown, INK)
        elif picture.candidates is not None:
            yield from _small(board, centre, picture.candidates[cell], SECOND_INK)
        elif allowed != board.every_value:
            yield from _small(board, centre, allowed, PENCIL)


def _small(board: Board, centre: Point, allowed: int, tint: str) -> Iterator[Text]:
    height = (0.5 if board.size.digits[-1] < 10 else 0.36) / ceil(sqrt(board.values))
    for value in members(allowed):
        yield Text(_place(board, centre, value), str(board.shown(value)), height, tint, layer=Layer.DIGITS)


def _place(board: Board, centre: Point, value: int) -> Point:
    across = ceil(sqrt(board.values))
    row, column = divmod(value - 1, across)
    below = 0.08 + 0.8 * ((row + 0.5) / -(-board.values // across) - 0.5)
    return centre[0] + below, centre[1] + 0.86 * ((column + 0.5) / across - 0.5)


def _heat(board: Board, heat: Sequence[Sequence[float]]) -> Iterator[Area]:
    half = 0.4 / ceil(sqrt(board.values))
    for cell, parts in enumerate(heat):
        for value, part in enumerate(parts, 1):
            if 0 < part < 1:
                red, green, blue = (round(255 - part * (255 - full)) for full in HEAT)
                yield Area(square(_place(board, _centre(board, cell), value), half), f"#{red:02x}{green:02x}{blue:02x}")


def _shaded(board: Board, picture: Picture) -> Iterator[Stroke]:
    half = 0.44 / ceil(sqrt(board.values))
    for shade in reversed(picture.shades):
        for value, cells in shade.candidates:
            for cell in members(cells):
                yield Disc(_place(board, _centre(board, cell), value), half, shade.tint)
    for start, end, strong in picture.links:
        ends = (_middle(board, start), _middle(board, end))
        yield Line(ends, LINK, 0.03, dashed=not strong, layer=Layer.OVER)


def _middle(board: Board, candidates: ValueCells) -> Point:
    """The middle of the places of a value."""
    value, cells = candidates
    places = [_place(board, _centre(board, cell), value) for cell in members(cells)]
    return sum(row for row, _ in places) / len(places), sum(column for _, column in places) / len(places)


def extent(parts: tuple[Stroke, ...]) -> tuple[float, float, float, float]:
    boxes = [box for stroke in parts if not isinstance(stroke, Note) for box in _bounds(stroke)]
    tops, lefts, bottoms, rights = zip(*boxes, strict=True)
    return min(tops), min(lefts), max(bottoms), max(rights)


def _bounds(stroke: Line | Area | Disc | Text) -> Iterator[tuple[float, float, float, float]]:
    if isinstance(stroke, Line | Area):
        margin = stroke.width / 2 if isinstance(stroke, Line) else 0
        yield from ((row - margin, column - margin, row + margin, column + margin) for row, column in stroke.points)
        return
    (row, column) = stroke.centre if isinstance(stroke, Disc) else stroke.at
    half, wide = (stroke.radius, stroke.radius) if isinstance(stroke, Disc) else (stroke.height / 2, width(stroke) / 2)
    shift = wide if isinstance(stroke, Text) and stroke.anchor == "start" else 0
    yield row - half, column - wide + shift, row + half, column + wide + shift


def width(text: Text) -> float:
    return 0.9 * text.height * len(text.text)
