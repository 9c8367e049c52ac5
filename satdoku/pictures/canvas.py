"""Pages to SVG, PNG and PDF, by matplotlib; the only place that knows it. A text is the outline of its letters, and
each text that recurs is one path at many places: a grid has few different texts and many places, and the picture needs
no font where it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

from satdoku.errors import InputError
from satdoku.pictures.layout import Page, PlacedStrokes
from satdoku.variants.strokes import PAPER, Area, Disc, Layer, Line, Note, Point, Text

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Transform

FORMATS = ("svg", "png", "pdf")
PIXELS_PER_INCH = 150
MILLIMETRES_PER_INCH = 25.4
NO_DATES: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
"""What files say of themselves: nothing that differs from one day or release to the next."""


def format_of(path: Path | None) -> str:
    """The format that the suffix names, svg for standard output. Raises InputError for another suffix."""
    name = "svg" if path is None else path.suffix[1:].lower()
    if name not in FORMATS:
        raise InputError(f"{path}: expected a name that ends in .svg, .png or .pdf")
    return name


def files(pages: Sequence[Page], path: Path) -> list[tuple[Path, bytes]]:
    """What to write where: a PDF holds all pages, else several are numbered. Raises InputError for another suffix."""
    name = format_of(path)
    if name == "pdf":
        return [(path, document(pages))]
    if len(pages) == 1:
        return [(path, image(pages[0], name))]
    return [(path.with_stem(f"{path.stem}-{number}"), image(page, name)) for number, page in enumerate(pages, 1)]


def image(page: Page, format: str) -> bytes:
    return _saved(lambda out, options: _figure(page).savefig(out, format=format, **options), format)


def document(pages: Sequence[Page]) -> bytes:
    def save(out: BytesIO, options: dict[str, Any]) -> None:
        from matplotlib.backends.backend_pdf import PdfPages

        with PdfPages(out, metadata=options["metadata"]) as pdf:
            for page in pages:
                pdf.savefig(_figure(page))

    return _saved(save, "pdf")


def _saved(save: Callable[[BytesIO, dict[str, Any]], None], format: str) -> bytes:
    if find_spec("matplotlib") is None:
        raise InputError("pictures need the package matplotlib: pip install 'satdoku[pictures]'")
    from matplotlib import rc_context

    out = BytesIO()
    with rc_context({"svg.hashsalt": "satdoku", "path.simplify": False}):
        save(out, {"metadata": NO_DATES[format], "dpi": PIXELS_PER_INCH})
    return out.getvalue()


def _figure(page: Page) -> Figure:
    from matplotlib.figure import Figure
    from matplotlib.transforms import Affine2D

    size = (page.width / MILLIMETRES_PER_INCH, page.height / MILLIMETRES_PER_INCH)
    figure = Figure(figsize=size, dpi=PIXELS_PER_INCH, facecolor=PAPER)
    for placed in page.placed:
        inches = placed.cell / MILLIMETRES_PER_INCH
        scale = Affine2D().scale(inches) + figure.dpi_scale_trans
        left, bottom = placed.left / MILLIMETRES_PER_INCH, (page.height - placed.top) / MILLIMETRES_PER_INCH
        whole = Affine2D().scale(inches, -inches).translate(left, bottom) + figure.dpi_scale_trans
        for order, artist in enumerate(_artists(placed, scale, whole, 72 * inches)):
            artist.set_zorder(order)
            figure.add_artist(artist, clip=False)
    return figure


def _artists(placed: PlacedStrokes, scale: Transform, whole: Transform, points: float) -> Iterator[Artist]:
    """What matplotlib draws, in its order: `points` a cell, `scale` for lengths, `whole` for places."""
    for layer in Layer:
        parts = [part for part in placed.strokes if not isinstance(part, Note) and part.layer is layer]
        if layer is not Layer.DIGITS:
            for part in parts:
                yield from _drawn(part, scale, whole, points)
            continue
        alike: dict[Text, list[Point]] = {}
        for part in parts:
            assert isinstance(part, Text)
            alike.setdefault(replace(part, at=(0, 0)), []).append(part.at)
        for text, places in alike.items():
            yield _written(text, places, scale, whole)


def _drawn(part: Line | Area | Disc | Text, scale: Transform, whole: Transform, points: float) -> Iterator[Artist]:
    from matplotlib.patches import Circle, PathPatch, Polygon
    from matplotlib.path import Path as Outline

    match part:
        case Line():
            corners = [(column, row) for row, column in part.points]
            path = Outline(corners + corners[:1] * part.closed, closed=part.closed)
            style: dict[str, Any] = {"capstyle": "butt" if part.dashed else "round", "joinstyle": "round"}
            style |= {"linewidth": part.width * points, "linestyle": (0, (3, 2.2)) if part.dashed else "solid"}
            yield PathPatch(path, fill=False, edgecolor=part.tint, transform=whole, **style)
        case Area():
            corners = [(column, row) for row, column in part.points]
            yield Polygon(corners, facecolor=part.tint, edgecolor="none", linewidth=0, transform=whole)
        case Disc():
            row, column = part.centre
            fill, edge = part.fill or "none", part.edge or "none"
            width = 0.03 * points
            yield Circle((column, row), part.radius, facecolor=fill, edgecolor=edge, linewidth=width, transform=whole)
        case Text():
            if part.paper:
                yield from _drawn(_backing(part), scale, whole, points)
            yield _written(part, [part.at], scale, whole)


def _written(text: Text, places: Sequence[Point], scale: Transform, whole: Transform) -> Artist:
    from matplotlib.collections import PathCollection

    outline, _ = _letters(text)
    offsets = [(column, row) for row, column in places]
    look: dict[str, Any] = {"facecolors": text.tint, "linewidths": 0}
    return PathCollection([outline], offsets=offsets, offset_transform=whole, transform=scale, **look)


def _backing(text: Text) -> Area:
    _, (left, right) = _letters(text)
    (row, column), margin = text.at, 0.2 * text.height
    above, below = row - text.height / 2 - margin, row + text.height / 2 + margin
    left, right = column + left - margin, column + right + margin
    return Area(((above, left), (above, right), (below, right), (below, left)), PAPER, text.layer)


def _letters(text: Text) -> tuple[Outline, tuple[float, float]]:
    """The outline of a text around (0, 0), in cells, and its left and right ends."""
    import numpy as np

    outline, (left, right), capital = _shaped(text.text, text.bold)
    shift = -left if text.anchor == "start" else -(left + right) / 2
    size = text.height / capital
    moved = np.add(outline.vertices, (shift, -capital / 2)) * size
    half = (right - left) * size
    ends = (0.0, half) if text.anchor == "start" else (-half / 2, half / 2)
    return type(outline)(moved, outline.codes), ends


@lru_cache(maxsize=4096)
def _shaped(text: str, bold: bool) -> tuple[Outline, tuple[float, float], float]:
    """The outline of a text in the font that matplotlib brings, its left and right ends, and the height of its
    capitals."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path as Outline
    from matplotlib.textpath import TextPath

    font = FontProperties(family="DejaVu Sans", weight="bold" if bold else "normal")
    with catch_warnings():
        simplefilter("ignore")  # of characters that the font has not, for which it draws boxes
        path = TextPath((0, 0), text.replace("$", r"\$"), size=1, prop=font, usetex=False)
    capital = float(TextPath((0, 0), "H", size=1, prop=font).get_extents().height)
    bounds = path.get_extents()
    return Outline(path.vertices, path.codes), (float(bounds.x0), float(bounds.x1)), capital
