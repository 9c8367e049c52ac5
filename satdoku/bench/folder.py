"""The files of a report: tables as Markdown and CSV, pictures as SVG and PNG, and one HTML page that holds them all."""

from base64 import b64encode
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt

from satdoku.bench.raw import Raw, complaints
from satdoku.bench.report import Study, comma_separated, escaped, markdown, provenance, rows, studies, tables

STYLE = """
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h2::first-letter { text-transform: uppercase; }
h3 { font-size: 1.05rem; margin-bottom: .3rem; }
table { border-collapse: collapse; display: block; font-size: .85rem; font-variant-numeric: tabular-nums;
  overflow-x: auto; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th:first-child, td:first-child { position: sticky; left: 0; background: Canvas; white-space: normal; min-width: 7rem; }
ul { font-size: .85rem; padding-left: 1.2rem; }
img { display: block; width: 100%; max-width: 40rem; height: auto; background: white; border-radius: 4px; }
"""

PAGE = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<title>satdoku bench</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
)


def contents(raws: Sequence[Raw], baseline: str | None, clock: str, pictures: bool) -> dict[str, bytes]:
    """Each file's name and content. Raises Refused if there is no matplotlib and pictures are wanted."""
    studied = studies(raws, baseline)
    text = "\n".join(_markdown(raws, studied, clock))
    csv = comma_separated((study, row) for study in studied for row in rows(study, clock))
    files = {"report.html": b"", "tables.md": text.encode(), "tables.csv": csv.encode()}
    drawn: dict[int, list[tuple[str, str]]] = {}
    for number, study in enumerate(studied if pictures else (), 1):
        from satdoku.bench import plots

        for name, caption, figure in plots.pictures(study, clock):
            stem = f"{number}-{name}" if len(studied) > 1 else name
            files[f"{stem}.svg"], files[f"{stem}.png"] = (plots.rendered(figure, form) for form in ("svg", "png"))
            drawn.setdefault(number, []).append((f"{stem}.svg", caption))
    text = "# Sudoku backends side by side\n\n" + "\n".join(_markdown(raws, studied, clock, drawn))
    page = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    for name, _ in (one for some in drawn.values() for one in some):
        # As data, since the names inside several inline SVGs would clash.
        page = page.replace(f'src="{name}"', f'src="data:image/svg+xml;base64,{b64encode(files[name]).decode()}"')
    files["report.html"] = PAGE.format(style=STYLE, body=page).encode()
    return files


def _markdown(
    raws: Sequence[Raw], studied: Sequence[Study], clock: str, pictures: dict[int, list[tuple[str, str]]] | None = None
) -> Iterator[str]:
    """What was run where, what went wrong, and the tables of each study, with its pictures if it is for the page."""
    yield "## What was run\n"
    for raw in raws:
        yield f"### {escaped(raw.path)}\n"
        yield "\n".join(f"- {name}: {escaped(text)}" for name, text in provenance(raw)) + "\n"
    wrong = complaints(search for raw in raws for search in raw.searches)
    yield from (f"**{escaped(complaint)}**\n" for complaint in wrong)
    for number, study in enumerate(studied, 1):
        yield f"## {study.scenario}\n"
        for place, table in enumerate(tables(study, clock)):
            yield markdown(table, named=pictures is not None)
            if place == 0 and pictures:
                yield from (f"![{name}]({name})\n\n{caption}\n" for name, caption in pictures.get(number, ()))
