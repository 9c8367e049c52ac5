"""How marks look: what the families share, and what a kind that says nothing of it gets by its shape."""

from collections.abc import Collection, Iterable
from dataclasses import replace
from itertools import chain

from satdoku.puzzle import Mark, Position
from satdoku.variants import Draw, Frame, Shape, Strokes, kinds
from satdoku.variants.placed import placed_by
from satdoku.variants.places import LAYER_CELL, every_place, name_of, named
from satdoku.variants.sentences import sentence_of
from satdoku.variants.strokes import (
    DARK,
    GREY,
    INK,
    PALE,
    PAPER,
    Area,
    Disc,
    Layer,
    Line,
    Note,
    Point,
    Stroke,
    Text,
    middle,
    moved,
    outlines,
    square,
    toward,
)
from satdoku.variants.variables import VARIABLE, names

RED, MIDDLE_RED, PALE_RED = "#b3261e", "#ec9a92", "#fbd3cf"
SMALL = 0.17  # height of the sum of a cage, in cells
OUTSIDE = (Shape.CLUE, Shape.DIAGONAL)
CLUE = 0.36  # height of a clue outside the grid
RINGS = ("#4f7ed0", "#c08030", "#50a060", "#a05090", "#b04040", "#408a8a")  # they tell marks of a kind apart


def strokes(frame: Frame, stressed: Collection[Mark] = ()) -> Strokes:
    """The drawing of every mark, in their order, in red where it is stressed; a sentence of several comes once."""
    noted: set[Note] = set()
    laid = laid_out(frame)
    for mark, drawn in zip(frame.marks, laid.marks, strict=True):
        for stroke in of_mark(laid, drawn):
            if not isinstance(stroke, Note):
                yield in_red(stroke) if mark in stressed else stroke
            elif stroke not in noted:
                noted.add(stroke)
                yield stroke


def laid_out(frame: Frame) -> Frame:
    """The frame with places for the cells beside the grid: those of a layer in it, others in rows below; a mark that
    makes variables has them as its cells."""
    made = {mark: tuple(map(named, names(str(mark.value)))) for mark in frame.marks if mark.kind == VARIABLE}
    cells = dict.fromkeys(chain(*made.values(), *map(every_place, frame.marks)))
    beside = {cell: name for cell in cells if (name := name_of(cell))}
    if not beside:
        return frame
    at: dict[Position, Position] = {}
    for cell, name in beside.items():
        inside, (down, across) = LAYER_CELL.fullmatch(name), divmod(len(at), frame.size.columns)
        at[cell] = (int(inside[1]), int(inside[2])) if inside else (frame.size.rows + 2 + down, 1 + across)

    def moved(mark: Mark) -> Mark:
        cells, *lines = (tuple(at.get(cell, cell) for cell in part) for part in (mark.cells, *mark.lines))
        return replace(mark, cells=cells, lines=tuple(lines), marks=tuple(map(moved, mark.marks)))

    return Frame(frame.size, tuple(moved(replace(mark, cells=made.get(mark, mark.cells))) for mark in frame.marks))


def of_mark(frame: Frame, mark: Mark) -> Iterable[Stroke]:
    """The drawing of one mark of a frame that is laid out."""
    kind = kinds()[mark.kind]
    return (kind.draw or BY_SHAPE[kind.shape])(frame, mark)


def in_red(stroke: Line | Area | Disc | Text) -> Stroke:
    """The same, for a mark to look at: what lies under digits is pale."""
    match stroke:
        case Line():
            return replace(stroke, tint=RED if stroke.width < 0.1 else MIDDLE_RED)
        case Disc():
            plain = stroke.fill in (None, INK, PAPER)  # black and white dots stay what they are
            return replace(stroke, fill=stroke.fill, edge=RED) if plain else replace(stroke, fill=MIDDLE_RED)
        case _:
            return replace(stroke, tint=PALE_RED if isinstance(stroke, Area) else RED)


def line(tint: str, width: float = 0.2, ends: Disc | None = None) -> Draw:
    """Each line of a mark as one stroke; `ends` at its first and last cell, and the value at its first."""

    def draw(frame: Frame, mark: Mark) -> Strokes:
        for points in mark.lines:
            yield Line(points, tint, width, closed=len(points) > 2 and points[0] == points[-1])
            if ends is not None:
                yield from (replace(ends, centre=point) for point in (points[0], points[-1]))
            yield from corner(points[:1], mark.value)

    return draw


def tinted(tint: str) -> Draw:
    return lambda frame, mark: fill(mark.cells, tint)


def sentence(frame: Frame, mark: Mark) -> Strokes:
    yield Note(sentence_of(mark))


def clue(frame: Frame, mark: Mark) -> Strokes:
    yield Text(place(frame, mark), str(mark.value), CLUE)
    yield Note(sentence_of(mark))


def outlined(frame: Frame, mark: Mark) -> Strokes:
    yield from fill(mark.cells, PALE)
    yield from (Line(points, DARK, 0.04, closed=True, layer=Layer.OVER) for points in outlines(mark.cells, 0.08))
    yield from corner(mark.cells, mark.value)


def pointed(frame: Frame, mark: Mark) -> Strokes:
    yield from outlined(frame, mark)
    yield from (Line((middle(mark.cells), *points), GREY, 0.1) for points in mark.lines)


def grouped(tint: str) -> Draw:
    return lambda frame, mark: lettered(frame, mark, mark.lines, tint)


def lettered(frame: Frame, mark: Mark, groups: tuple[tuple[Position, ...], ...], tint: str) -> Strokes:
    letter = chr(ord("A") + _alike(frame, mark) % 26)
    for cells in groups:
        yield from fill(cells, PALE)
        yield from (Line(points, tint, 0.05, closed=True) for points in outlines(cells, 0.08))
        yield from corner(cells, letter)


def ringed(first: bool = False) -> Draw:
    """A circle in each cell of a mark, in a colour of its own; a second one in the first cell if that one counts."""

    def draw(frame: Frame, mark: Mark) -> Strokes:
        tint = RINGS[_alike(frame, mark) % len(RINGS)]
        yield from (Disc(cell, 0.4, None, tint) for cell in dict.fromkeys(mark.cells))
        if first:
            yield Disc(mark.cells[0], 0.33, None, tint)

    return draw


def each_mark(frame: Frame, mark: Mark) -> Strokes:
    yield Note(sentence_of(mark))
    yield from strokes(Frame(frame.size, mark.marks))


def within(frame: Frame, mark: Mark) -> Strokes:
    """The marks on one of several boards, and an outline."""
    board = placed_by(frame.marks, mark)
    down, right = board.corner[0] - 1, board.corner[1] - 1
    yield from (moved(stroke, down, right) for stroke in strokes(Frame(board.size, board.marks)))
    yield from (Line(points, INK, 0.06, closed=True, layer=Layer.GRID) for points in outlines(board.places, 0))


def _alike(frame: Frame, mark: Mark) -> int:
    return [other for other in frame.marks if other.kind == mark.kind].index(mark)


def fill(cells: tuple[Position, ...], tint: str) -> Strokes:
    return (Area(square(cell, 0.5), tint) for cell in dict.fromkeys(cells))


def corner(cells: tuple[Position, ...], text: object) -> Strokes:
    """A text small in the corner of the first of the cells by row; nothing for None."""
    if text is not None:
        row, column = min(cells)
        yield Text((row - 0.43 + SMALL / 2, column - 0.44), str(text), SMALL, INK, "start", paper=True)


def place(frame: Frame, mark: Mark) -> Point:
    """Where a clue is written: its own cell, or farther out by one text for each mark before it there."""
    position = mark.cells[0]
    earlier = frame.marks[: frame.marks.index(mark)]
    crowd = sum(other.cells == mark.cells for other in earlier if kinds()[other.kind].shape in OUTSIDE)
    ends = (frame.rows[-1], frame.columns[-1])
    inward = tuple(min(max(1, coordinate), end) for coordinate, end in zip(position, ends, strict=True))
    return toward(position, (2 * position[0] - inward[0], 2 * position[1] - inward[1]), 0.9 * crowd)


BY_SHAPE: dict[Shape, Draw] = {
    Shape.RULE: sentence,
    Shape.LINE: line(GREY),
    Shape.GROUPS: grouped(DARK),
    **dict.fromkeys((Shape.CELL, Shape.CELLS), outlined),
    **dict.fromkeys((Shape.ARROW, Shape.CLONE), pointed),
    **dict.fromkeys(OUTSIDE, clue),
    Shape.MARKS: each_mark,
    Shape.BOARD: within,
}
