"""The files of a report: tables as Markdown and CSV, pictures as SVG and PNG, and one HTML page that holds them all."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape

from satdoku.bench.raw import Raw, complaints
from satdoku.bench.report import Study, Table, comma_separated, markdown, rows, studies, tables

STYLE = """
:root { color-scheme: light dark; --line: #8884; --dim: #777; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 60rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; }
h3 { font-size: 1.05rem; margin-bottom: .3rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; position: sticky; left: 0; background: Canvas;
  white-space: normal; min-width: 7rem; }
tr.set td { font-weight: 600; padding-top: .8rem; white-space: nowrap; }
.note, figcaption { color: var(--dim); font-size: .85rem; margin: .2rem 0; }
figure { margin: 1.5rem 0; } img { width: 100%; max-width: 40rem; height: auto; background: white; border-radius: 4px; }
dt { font-weight: 600; margin-top: .5rem; } dd { margin: 0; overflow-wrap: anywhere; }
"""

PAGE = (
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
    "<title>satdoku bench</title>\n<style>{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
)


@dataclass(frozen=True, slots=True)
class Chapter:
    """A study with its tables, and its pictures: name, caption, SVG."""

    study: Study
    tables: Sequence[Table]
    pictures: list[tuple[str, str, bytes]]


def contents(raws: Sequence[Raw], baseline: str | None, clock: str, pictures: bool) -> dict[str, bytes]:
    """Each file's name and content. Raises Refused if there is no matplotlib and pictures are wanted."""
    found = studies(raws, baseline)
    wrong = complaints(search for raw in raws for search in raw.searches)
    chapters = [Chapter(study, tables(study, clock), []) for study in found]
    files = {
        "report.html": b"",  # first, though what is in it is known last
        "tables.md": "\n".join(_markdown(raws, chapters, wrong)).encode(),
        "tables.csv": comma_separated((study, row) for study in found for row in rows(study, clock)).encode(),
    }
    for number, chapter in enumerate(chapters if pictures else (), 1):
        from satdoku.bench import plots

        for name, caption, figure in plots.pictures(chapter.study, clock):
            stem = f"{number}-{name}" if len(found) > 1 else name
            svg = files[f"{stem}.svg"] = plots.drawn(figure, "svg")
            files[f"{stem}.png"] = plots.drawn(figure, "png")
            chapter.pictures.append((stem, caption, svg))
    files["report.html"] = PAGE.format(style=STYLE, body="\n".join(_body(raws, chapters, wrong))).encode()
    return files


def _markdown(raws: Sequence[Raw], chapters: Sequence[Chapter], wrong: Sequence[str]) -> Iterator[str]:
    yield from (f"**{complaint}**\n" for complaint in wrong)
    for chapter in chapters:
        yield f"## {chapter.study.scenario}\n"
        yield from map(markdown, chapter.tables)
    yield "## What was run\n"
    for path, facts in _provenance(raws):
        yield f"### {path}\n"
        yield "\n".join(f"- {name}: {text}" for name, text in facts) + "\n"


def _provenance(raws: Iterable[Raw]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """For each raw file its name, and what was run where: command, seed, machine, versions."""
    for raw in raws:
        plan = raw.plan
        facts = [
            ("contenders", ", ".join(plan.contenders)),
            ("searches", f"{len(raw.searches)}, {plan.puzzles} puzzles, {plan.repeats} times each"),
            ("seed", str(plan.seed)),
        ]
        for session in raw.sessions:
            machine = session.machine
            memory = f"{machine.memory / 1e9:.0f} GB" if machine.memory else "unknown"
            facts += [
                ("command", session.command),
                ("started", f"{session.started}, load {session.load}"),
                ("machine", f"{machine.processor}, {machine.cores} cores, {memory}, {machine.system}"),
                ("versions", ", ".join(f"{name} {version}" for name, version in session.versions.items())),
            ]
        yield raw.path, facts


def _body(raws: Sequence[Raw], chapters: Iterable[Chapter], wrong: Sequence[str]) -> Iterator[str]:
    yield "<h1>Sudoku backends side by side</h1>"
    for complaint in wrong:
        yield f"<p><strong>{escape(complaint)}</strong></p>"
    for chapter in chapters:
        title = str(chapter.study.scenario)
        yield f"<h2>{escape(title[:1].upper() + title[1:])}</h2>"
        for table in chapter.tables[:1]:
            yield from _table(replace(table, title="Times"))  # the scenario stands above
        for name, caption, svg in chapter.pictures:
            # As data, since the names inside several inline SVGs would clash.
            image = f'<img alt="{escape(name)}" src="data:image/svg+xml;base64,{b64encode(svg).decode()}">'
            yield f"<figure>{image}<figcaption>{escape(caption)}</figcaption></figure>"
        for table in chapter.tables[1:]:
            yield from _table(table)
    yield "<h2>What was run</h2>"
    for path, facts in _provenance(raws):
        yield f"<h3>{escape(path)}</h3>"
        yield "<dl>" + "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in facts) + "</dl>"


def _table(table: Table) -> Iterator[str]:
    yield f'<h3>{escape(table.title)}</h3>\n<div class="wide"><table>'
    yield _row("th", table.columns)
    for name, body in table.sections:
        yield f'<tr class="set"><td colspan="{len(table.columns)}">{escape(name)}</td></tr>'
        for row in body:
            yield _row("td", row)
    yield "</table></div>"
    for note in table.notes:
        yield f'<p class="note">{escape(note)}</p>'


def _row(tag: str, cells: Iterable[str]) -> str:
    return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"
