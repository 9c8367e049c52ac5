"""How drawings without a rule look, as strokes."""

from collections.abc import Iterator

from satdoku.drawings import BULB, Drawing
from satdoku.variants.strokes import INK, Area, Disc, Layer, Line, Stroke, Text, ellipse, head, outlines

EDGE = 0.03  # width of the edges of shapes, in cells
LABEL = 0.17  # height of the text of a cage, in cells


def cosmetic(drawing: Drawing) -> Iterator[Stroke]:
    """The strokes of a drawing; what is too thin or too small to be seen is drawn as thin as a line of the grid."""
    layer = Layer.OVER if drawing.over else Layer.UNDER
    if drawing.shape == "cage":
        yield from _cage(drawing)
    elif drawing.shape == "text":
        yield Text(drawing.points[0], drawing.text, max(drawing.height, 0.1), drawing.tint or INK)
    elif drawing.shape in ("circle", "rectangle"):
        yield from _shape(drawing, layer)
    elif drawing.tint:
        yield from _line(drawing, layer)


def _cage(drawing: Drawing) -> Iterator[Stroke]:
    around = outlines([(round(row), round(column)) for row, column in drawing.points], 0.1)
    tint = drawing.tint or INK
    yield from (Line(line, tint, EDGE, closed=True, dashed=True, layer=Layer.OVER) for line in around)
    row, column = min(drawing.points)
    if drawing.text:
        yield Text((row - 0.35, column - 0.42), drawing.text, LABEL, INK, anchor="start", paper=True)


def _shape(drawing: Drawing, layer: Layer) -> Iterator[Stroke]:
    (row, column), down, right = drawing.points[0], drawing.height / 2, drawing.width / 2
    round_one = drawing.shape == "circle"
    if round_one and drawing.height == drawing.width:
        yield Disc((row, column), max(down, 0.05), drawing.fill or None, drawing.tint or None, layer)
    else:
        corners = tuple((row + y * down, column + x * right) for y, x in ((-1, -1), (-1, 1), (1, 1), (1, -1)))
        around = ellipse((row, column), max(down, 0.05), max(right, 0.05)) if round_one else corners
        if drawing.fill:
            yield Area(around, drawing.fill, layer)
        if drawing.tint:
            yield Line(around, drawing.tint, EDGE, closed=True, layer=layer)
    if drawing.text:
        yield Text((row, column), drawing.text, min(2 * down, 2 * right, 0.6) * 0.6 or 0.2, INK)


def _line(drawing: Drawing, layer: Layer) -> Iterator[Stroke]:
    points, tint, wide = drawing.points, drawing.tint, max(drawing.width, EDGE)
    if drawing.shape == "thermometer":
        yield Disc(points[0], BULB / 2 * wide, tint, None, layer)
    yield Line(points if len(points) > 1 else points * 2, tint, wide, layer=layer)
    if drawing.shape == "arrow" and len(points) > 1:
        yield head(points[-2], points[-1], tint, wide)
