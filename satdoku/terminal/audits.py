"""What an audit found: as text, as a page, and as the card of a data set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import log10
from typing import Any

from satdoku.version import __version__
from satdoku.words import plural

Report = Mapping[str, Any]

STYLE = """
:root { color-scheme: light dark; --line: #8884; --bar: #4a7ebb; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 50rem; padding: 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; width: 100%; }
th, td { padding: .15rem .6rem; border-bottom: 1px solid var(--line); text-align: left; }
td.number { text-align: right; width: 7rem; }
td.drawn { width: 50%; } td.drawn div { background: var(--bar); height: .9rem; }
.found { font-weight: bold; }
"""
SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M")  # of the Hugging Face Hub


def findings(report: Report) -> list[tuple[str, str, bool]]:
    """What was looked for, what was found, and whether that is a fault."""
    verdicts, twice, stated = report["verdicts"], report["duplicates"], report["solutions"]
    solutions = stated["right"] + stated["wrong"]
    lines = [
        ("puzzles", f"{report['puzzles']}", False),
        ("rows that cannot be read", f"{report['invalid']}", report["invalid"] > 0),
        ("exactly one solution", f"{verdicts['unique']}", False),
        ("several solutions", f"{verdicts['multiple']}", verdicts["multiple"] > 0),
        ("no solution", f"{verdicts['unsolvable']}", verdicts["unsolvable"] > 0),
        ("undecided in the time", f"{verdicts['undecided']}", verdicts["undecided"] > 0),
        ("distinct up to symmetry", f"{twice['distinct']}", False),
        ("equal to a row above", f"{twice['repeated']}", twice["repeated"] > 0),
        ("rows in the largest class of equal puzzles", f"{twice['largest_class']}", twice["largest_class"] > 1),
        ("solutions stated", f"{solutions}", False),
        ("wrong solutions", f"{stated['wrong']}", stated["wrong"] > 0),
    ]
    if report["leakage"] is not None:
        files = ", ".join(report["against"])
        lines.append((f"equal to a row of {files}", f"{report['leakage']['rows']}", report["leakage"]["rows"] > 0))
    return lines


def rows_named(report: Report) -> Iterator[tuple[str, list[str]]]:
    """The first rows of each fault."""
    leaked = report["leakage"]["leaked_rows"] if report["leakage"] else []
    yield "Several solutions", report["multiple_rows"]
    yield "No solution", report["unsolvable_rows"]
    yield "Wrong solutions", report["solutions"]["wrong_rows"]
    yield "Equal to a row above", [f"{row}, equal to {other}" for row, other in report["duplicates"]["repeated_rows"]]
    yield "Leaked", [f"{row}, equal to {other}" for row, other in leaked]


def sampled(report: Report) -> str:
    ratings = report["ratings"]
    return (
        f"Difficulty by techniques of people, of {plural(ratings['sample'], 'puzzle')} drawn at random"
        f" (seed {ratings['seed']}) from those with one solution, one of each class of equal puzzles."
    )


def summary(report: Report) -> str:
    """The report as lines of text."""
    lines = [f"{report['file']}: {plural(report['puzzles'], 'puzzle')}"]
    lines += [f"  {what}: {figure}" for what, figure, _ in findings(report)[1:]]
    for what, names in rows_named(report):
        lines += [f"{what.lower()}, the first: {'; '.join(names[:3])}"] if names else []
    if report["givens"]:
        counts = list(report["givens"])
        lines.append(f"givens: {min(counts)} to {max(counts)}")
    if report["ratings"]["sample"]:
        levels = ", ".join(f"{name} {count}" for name, count in report["ratings"]["levels"].items())
        lines.append(f"difficulty of a sample of {report['ratings']['sample']}: {levels}")
    return "\n".join(lines)


def page(report: Report) -> str:
    """The report as a page of HTML that needs no other file."""
    title = f"Audit of {report['file']}"
    body = [f"<h1>{escape(title)}</h1>", "<table>"]
    for what, figure, fault in findings(report):
        body.append(
            f'<tr{" class=found" if fault else ""}><th>{escape(what)}</th><td class="number">{escape(figure)}</td></tr>'
        )
    body.append("</table>")
    for what, names in rows_named(report):
        if names:
            items = "".join(f"<li>{escape(name)}</li>" for name in names)
            body.append(f"<h2>{escape(what)}: the first rows</h2><ul>{items}</ul>")
    body += ["<h2>Givens</h2>", _bars(report["givens"]), "<h2>Difficulty</h2>", f"<p>{escape(sampled(report))}</p>"]
    body += [_bars(report["ratings"]["levels"]), f"<p>satdoku {__version__}, {report['seconds']} seconds.</p>"]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def card(report: Report) -> str:
    """The report as the README.md of a data set on the Hugging Face Hub: a head that it reads, and tables."""
    size = SIZES[max(0, min(int(log10(max(report["puzzles"], 1))) - 2, len(SIZES) - 1))]
    lines = ["---", "tags:", "- sudoku", "size_categories:", f"- {size}", "---", "", "# Data set card", ""]
    what = plural(report["puzzles"], "Sudoku puzzle")
    lines += [f"{what}. The figures are from `satdoku audit`, version {__version__}.", ""]
    lines += _table(("what", "rows"), [(what, figure) for what, figure, _ in findings(report)])
    lines += ["", "## Givens", "", *_table(("givens", "puzzles"), report["givens"].items())]
    lines += [
        "",
        "## Difficulty",
        "",
        sampled(report),
        "",
        *_table(("level", "puzzles"), report["ratings"]["levels"].items()),
    ]
    return "\n".join(lines) + "\n"


def _table(heads: Sequence[str], rows: Any) -> list[str]:
    lines = [f"| {' | '.join(heads)} |", "|---|---:|"]
    return lines + [f"| {str(name).replace('|', '&#124;')} | {count} |" for name, count in rows]


def _bars(counts: Mapping[Any, int]) -> str:
    most = max(counts.values(), default=1)
    rows = (
        f'<tr><th>{escape(str(name))}</th><td class="number">{count}</td>'
        f'<td class="drawn"><div style="width: {100 * count / most:.1f}%"></div></td></tr>'
        for name, count in counts.items()
    )
    return f"<table>{''.join(rows)}</table>"
