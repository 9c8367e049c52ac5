"""The files of a report: tables as Markdown and CSV, pictures as SVG and PNG, and the page that holds them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdoku.bench.page import Chapter, Picture, page, provenance
from satdoku.bench.raw import Raw, complaints
from satdoku.bench.report import Study, Table, comma_separated, markdown, rows, studies, tables

Told = Sequence[tuple[Study, Sequence[Table]]]
"""Studies with their tables."""


def contents(raws: Sequence[Raw], baseline: str | None, clock: str, pictures: bool) -> dict[str, bytes]:
    """Each file's name and content.

    Raises Refused if there is no matplotlib and pictures are wanted, InputError as `studies`.
    """
    found = studies(raws, baseline)
    wrong = complaints(search for raw in raws for search in raw.searches)
    told = [(study, tables(study, clock)) for study in found]
    files = {"report.html": b""}
    files["tables.md"] = "\n".join(_markdown(raws, told, wrong)).encode()
    files["tables.csv"] = comma_separated((study, row) for study in found for row in rows(study, clock)).encode()
    chapters = []
    for number, (study, made) in enumerate(told, 1):
        shown = []
        if pictures:
            from satdoku.bench import plots

            for name, caption, figure in plots.pictures(study, clock):
                stem = f"{number}-{name}" if len(found) > 1 else name
                svg = files[f"{stem}.svg"] = plots.drawn(figure, "svg")
                files[f"{stem}.png"] = plots.drawn(figure, "png")
                shown.append(Picture(stem, caption, svg))
        chapters.append(Chapter(study, made, shown))
    files["report.html"] = page(raws, chapters, wrong).encode()
    return files


def _markdown(raws: Sequence[Raw], told: Told, wrong: Sequence[str]) -> Iterator[str]:
    for complaint in wrong:
        yield f"**{complaint}**\n"
    for study, made in told:
        yield f"## {study.scenario}\n"
        yield from map(markdown, made)
    yield "## What was run\n"
    for path, words in provenance(raws):
        yield f"### {path}\n"
        yield "\n".join(f"- {name}: {text}" for name, text in words) + "\n"
