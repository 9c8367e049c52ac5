"""Pictures of a study, by matplotlib. Each is drawn narrow, so that its words can be read on a phone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import chain, cycle, pairwise, product
from math import ceil, floor, inf, log10
from statistics import median
from typing import TYPE_CHECKING, Any

from satdoku.bench.raw import MIN_SECONDS
from satdoku.bench.report import Study
from satdoku.bench.statistics import nearest_rank
from satdoku.errors import Refused

try:
    import matplotlib as mpl
    from matplotlib.colors import LogNorm
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter, MaxNLocator
except ImportError:
    raise Refused("pictures need matplotlib: pip install 'satdoku[pictures]'; --tables does without") from None

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Colours that can be distinguished by those who are colour-blind too (Okabe and Ito, 2008), and by dashes and marks.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#777777")
DASHES = ("-", "--", "-.", ":")
MARKS = "osD^vP*X"
STYLE: dict[Any, Any] = {"font.size": 10, "axes.grid": True, "grid.alpha": 0.3, "legend.frameon": False}
STYLE |= {"axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "satdoku"}

WIDTH = 5.6  # inches
RIM = 1.6  # where undecided searches stand, as a multiple of the timeout
MAX_MARKS = 15  # on a line of a cactus plot: a mark for each puzzle would hide dashes, and other lines
MAX_CELLS = 7  # of the heat map that stand beside each other with their text readable
STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)  # widths of a cell, as shares of holes, where the shares stand too close
LONE = 0.05  # width of a cell that is alone in its row


def pictures(study: Study, clock: str) -> Iterator[tuple[str, str, Figure]]:
    """(name, caption, figure) of each picture for which there are data."""
    with mpl.rc_context(STYLE):
        yield "cactus", CACTUS, cactus(study, clock)
        for contender in study.searches:
            if contender != study.baseline and _pairs(study, contender, clock):
                slug = re.sub(r"[^A-Za-z0-9]+", "-", contender).strip("-")
                yield f"scatter-{slug}", SCATTER, scatter(study, contender, clock)
        if len(_sizes(study)) > 1:
            yield "scaling", SCALING, scaling(study, clock)
        if len(_edges(_cells(study))) > 1:
            yield "heatmap", HEAT_MAP, heat_map(study, clock)


CACTUS = "How many puzzles are decided if each is given so long. Further right and lower is better."
SCATTER = (
    "Each point is one puzzle in one layout; below the diagonal the contender named at the side is faster."
    " Searches that were not decided stand on the rim."
)
SCALING = (
    "Medians by size of board; the bars hold the middle 80%. A hollow mark on the rim: the median was not decided."
)
HEAT_MAP = "Median time by size of board and share of holes; below it how many were not decided, if any."


def cactus(study: Study, clock: str) -> Figure:
    figure, axes = _axes(0.75 + 0.05 * len(study.searches))
    for name, style in _styled(study):
        runs = [search.decided(clock) for search in study.searches[name]]
        times = sorted(time for time in runs if time < inf)
        label, every = f"{name} ({len(times)} of {len(runs)})", ceil(len(times) / MAX_MARKS) or 1
        axes.plot(range(1, len(times) + 1), times, label=label, markersize=4, markevery=every, **style)
    axes.set(xlabel="puzzles decided", ylabel=f"{clock} time of each")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _times_upward(axes, study, clock)
    _legend(figure, axes)
    return figure


def scatter(study: Study, contender: str, clock: str) -> Figure:
    figure, axes = _axes(0.95)
    pairs = _pairs(study, contender, clock)
    times = [time for _, *both in pairs for time in both]
    decided = [time for time in times if time < inf]
    timeout = study.scenario.timeout
    low = 10 ** floor(log10(max(min(decided, default=timeout / 10), MIN_SECONDS)))
    high = timeout if inf in times else max(10 * low, min(timeout, 10 ** ceil(log10(max(decided)))))
    rim = high * RIM if inf in times else high
    sizes = sorted({size for size, *_ in pairs})
    for size, colour in zip(sizes, cycle(COLOURS)):
        marks = [(min(base, rim), min(ours, rim)) for each, base, ours in pairs if each == size]
        xs, ys = zip(*marks, strict=True)
        axes.scatter(xs, ys, s=14, alpha=0.7, color=colour, label=f"{size}x{size}", zorder=3, clip_on=False)
    axes.plot([low, high], [low, high], color="gray", linewidth=1)
    if inf in times:
        for line in (axes.axhline, axes.axvline):
            line(timeout, color="gray", linewidth=1, linestyle=":")
    axes.set(xscale="log", yscale="log", xlim=(low, rim), ylim=(low, rim), aspect="equal")
    axes.set(xlabel=f"{study.baseline}, {clock} time", ylabel=contender)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(EngFormatter("s"))
    if len(sizes) > 1:
        _legend(figure, axes)
    return figure


def scaling(study: Study, clock: str) -> Figure:
    figure, axes = _axes(0.75 + 0.05 * len(study.searches))
    sizes, rim = _sizes(study), study.scenario.timeout * RIM
    apart = 0.012 * (sizes[-1] - sizes[0])  # beside each other, so that none hides another
    for number, (name, style) in enumerate(_styled(study)):
        shift = apart * (number - (len(study.searches) - 1) / 2)
        points: dict[float, list[float]] = {}
        for search in sorted(study.searches[name], key=lambda one: (one.size, one.decided(clock))):
            points.setdefault(search.size + shift, []).append(search.decided(clock))
        middles = [median(times) for times in points.values()]
        axes.plot(list(points), [min(middle, rim) for middle in middles], label=name, **style)
        lost = [place for place, middle in zip(points, middles, strict=True) if middle == inf]
        axes.plot(lost, [rim] * len(lost), style["marker"], color=style["color"], markerfacecolor="white", zorder=4)
        low, high = ([min(nearest_rank(times, share), rim) for times in points.values()] for share in (10, 90))
        axes.vlines(list(points), low, high, color=style["color"], linewidth=1, alpha=0.7)
    axes.set(xlabel="size N of an N x N board", ylabel=f"{clock} time", xticks=sizes)
    _times_upward(axes, study, clock)
    _legend(figure, axes)
    return figure


def heat_map(study: Study, clock: str) -> Figure:
    sizes, names = _sizes(study), list(study.searches)
    figure = Figure(figsize=(WIDTH, 0.9 + len(names) * (0.75 + 0.45 * len(sizes))), layout="constrained")
    panels = figure.subplots(len(names), 1, squeeze=False, sharex=True)[:, 0]
    cells = {name: _times_by_cell(study, name, clock) for name in names}
    timeout = study.scenario.timeout
    known = [value for times in cells.values() for each in times.values() if (value := median(each)) < inf]
    norm = LogNorm(max(min(known, default=1e-3), MIN_SECONDS), max([timeout, *known]))
    edges = _edges(_cells(study))
    for name, axes in zip(names, panels, strict=True):
        for (size, share), times in cells[name].items():
            (left, right), row = edges[size, share], sizes.index(size)
            value = min(median(times), timeout)
            mesh = axes.pcolormesh(
                [left, right], [row - 0.5, row + 0.5], [[value]], norm=norm, cmap="viridis", edgecolors="white"
            )
            colour = "white" if norm(value) < 0.6 else "black"
            text = _cell_text(times, timeout)
            axes.text((left + right) / 2, row, text, ha="center", va="center", fontsize=7.5, color=colour)
        axes.set_title(name, fontsize=10, loc="left")
        axes.set(yticks=range(len(sizes)), yticklabels=[f"{size}x{size}" for size in sizes])
        axes.grid(visible=False)
    panels[-1].set_xlabel("share of holes")
    height = figure.get_size_inches()[1]
    bar = {"location": "bottom", "fraction": 0.15 / height, "aspect": 30, "pad": 0.1 / height}
    figure.colorbar(mesh, ax=list(panels), format=EngFormatter("s"), **bar).set_label(f"median {clock} time")
    return figure


def rendered(figure: Figure, suffix: str) -> bytes:
    """The picture as `svg` or `png`; the same figure gives the same bytes."""
    stream = BytesIO()
    metadata = {"Date": None} if suffix == "svg" else None
    with mpl.rc_context(STYLE):
        figure.savefig(stream, format=suffix, dpi=160, metadata=metadata, bbox_inches="tight")
    return stream.getvalue()


def _axes(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, WIDTH * height), layout="constrained")
    return figure, figure.subplots()


def _styled(study: Study) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, (dashes, colour), mark in zip(study.searches, cycle(product(DASHES, COLOURS)), cycle(MARKS)):
        yield name, {"color": colour, "linestyle": dashes, "marker": mark}


def _legend(figure: Figure, axes: Axes) -> None:
    """Below the picture, where it hides nothing; two columns if the names are short."""
    handles, labels = axes.get_legend_handles_labels()
    columns = 2 if max(map(len, labels)) < 30 and len(labels) > 2 else 1
    figure.legend(handles, labels, loc="outside lower center", ncols=columns, fontsize=9)


def _times_upward(axes: Axes, study: Study, clock: str) -> None:
    """A logarithmic axis of times, with a line at the timeout if some search was not decided."""
    if any(search.decided(clock) == inf for search in chain(*study.searches.values())):
        axes.axhline(study.scenario.timeout, color="gray", linewidth=1, linestyle=":")
    axes.set(yscale="log")
    axes.yaxis.set_major_formatter(EngFormatter("s"))


def _pairs(study: Study, contender: str, clock: str) -> list[tuple[int, float, float]]:
    """(size, baseline's time, contender's time) of each puzzle and layout that both were measured on."""
    base = {search.layout: search.decided(clock) for search in study.searches[study.baseline]}
    ours = study.searches[contender]
    return [(one.size, base[one.layout], one.decided(clock)) for one in ours if one.layout in base]


def _sizes(study: Study) -> list[int]:
    return sorted({search.size for search in chain(*study.searches.values())})


def _cells(study: Study) -> dict[int, dict[float, float]]:
    """For each size and each share of holes the share that its cell of the heat map stands for.

    Shares that would stand too close are taken together, in steps.
    """
    shares_of: dict[int, set[float]] = {}
    for search in chain(*study.searches.values()):
        shares_of.setdefault(search.size, set()).add(round(search.holes, 3))
    every = set().union(*shares_of.values())
    least = (max(every) - min(every)) / MAX_CELLS
    step = next((step for step in STEPS if step >= least), STEPS[-1])

    def cell(share: float, shares: set[float]) -> float:
        close = any(right - left < least for left, right in pairwise(sorted(shares)))
        return round(round(share / step) * step, 3) if close else share

    return {size: {share: cell(share, shares) for share in shares} for size, shares in shares_of.items()}


def _edges(cells: dict[int, dict[float, float]]) -> dict[tuple[int, float], tuple[float, float]]:
    """Where each cell begins and ends: half way to its neighbours."""
    edges_of: dict[tuple[int, float], tuple[float, float]] = {}
    for size, by_share in cells.items():
        shares = sorted(set(by_share.values()))
        gaps = [right - left for left, right in pairwise(shares)] or [LONE]
        outer = [shares[0] - gaps[0], *shares, shares[-1] + gaps[-1]]
        middles = [(left + right) / 2 for left, right in pairwise(outer)]
        edges_of |= {(size, share): edges for share, edges in zip(shares, pairwise(middles), strict=True)}
    return edges_of


def _times_by_cell(study: Study, contender: str, clock: str) -> dict[tuple[int, float], list[float]]:
    cells = _cells(study)
    times: dict[tuple[int, float], list[float]] = {}
    for search in study.searches[contender]:
        share = cells[search.size][round(search.holes, 3)]
        times.setdefault((search.size, share), []).append(search.decided(clock))
    return times


def _cell_text(times: Sequence[float], timeout: float) -> str:
    seconds, lost = timeout if median(times) == inf else median(times), times.count(inf)
    value, unit = (seconds, "s") if seconds >= 1 else (1000 * seconds, "ms")
    text = f"{value:.0f} {unit}" if value >= 9.5 else f"{value:.2g} {unit}"
    return ("> " if median(times) == inf else "") + text + (f"\n{lost} of {len(times)} cut" if lost else "")
