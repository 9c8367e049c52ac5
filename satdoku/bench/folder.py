"""The files of a report: tables as Markdown and CSV, pictures as SVG and PNG, and the page that holds them all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from satdoku.bench.agreement import complaints
from satdoku.bench.page import Chapter, Picture, page, provenance
from satdoku.bench.raw import Raw
from satdoku.bench.report import comma_separated, markdown, rows, studies, tables


def contents(raws: Sequence[Raw], baseline: str | None, clock: str, pictures: bool) -> dict[str, bytes]:
    """Each file's name and content.

    Raises Refused if there is no matplotlib and pictures are wanted, InputError as `studies`.
    """
    found = studies(raws, baseline)
    wrong = complaints(search for raw in raws for search in raw.searches)
    chapters = [Chapter(study, tables(study, clock), []) for study in found]
    files = {
        "report.html": b"",
        "tables.md": "\n".join(_markdown(raws, chapters, wrong)).encode(),
        "tables.csv": comma_separated((study, row) for study in found for row in rows(study, clock)).encode(),
    }
    for number, chapter in enumerate(chapters if pictures else (), 1):
        from satdoku.bench import plots

        for name, caption, figure in plots.pictures(chapter.study, clock):
            stem = f"{number}-{name}" if len(found) > 1 else name
            svg = files[f"{stem}.svg"] = plots.drawn(figure, "svg")
            files[f"{stem}.png"] = plots.drawn(figure, "png")
            chapter.pictures.append(Picture(stem, caption, svg))
    files["report.html"] = page(raws, chapters, wrong).encode()
    return files


def _markdown(raws: Sequence[Raw], chapters: Sequence[Chapter], wrong: Sequence[str]) -> Iterator[str]:
    yield from (f"**{complaint}**\n" for complaint in wrong)
    for chapter in chapters:
        yield f"## {chapter.study.scenario}\n"
        yield from map(markdown, chapter.tables)
    yield "## What was run\n"
    for path, facts in provenance(raws):
        yield f"### {path}\n"
        yield "\n".join(f"- {name}: {text}" for name, text in facts) + "\n"
