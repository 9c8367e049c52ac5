"""What mkdocs asks while it builds the site: options and techniques, taken from the program; links out of docs/."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from satdoku.cli import app
from satdoku.techniques.orders import SATDOKU, SE
from satdoku.techniques.registry import techniques

REPOSITORY = "https://github.com/satdoku/satdoku/blob/main/"
OUTSIDE = re.compile(r"\]\((?:\.\./)+((?:satdoku|tests|puzzles|benchmarks|[A-Z]+\.md)[^)]*)\)")
SEVERAL = {
    "bench.md": ("bench run", "bench report", "bench compare", "bench make"),
    "certify.md": ("certify", "verify"),
    "export.md": ("export", "decode"),
    "lists.md": ("backends", "encodings", "formats", "variants"),
    "split.md": ("split", "shuffle"),
}
"""Pages of more commands than the one that they are named after."""


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page with links that lead into the repository, and below it the options or techniques of the program."""
    path = page.file.src_uri
    if path.startswith("commands/"):
        markdown += "\n" + "\n".join(options(path.removeprefix("commands/")))
    if path == "difficulty.md":
        markdown += "\n" + "\n".join(table_of_techniques())
    return OUTSIDE.sub(rf"]({REPOSITORY}\1)", markdown)


def options(name: str) -> Iterator[str]:
    """The sections "All options" of a page in docs/commands/."""
    root: Any = get_command(app)
    for command in SEVERAL.get(name, (name.removesuffix(".md"),)):
        found = root
        for word in command.split():
            found = found.command_of(word)
        yield f"\n## All options of {command}\n"
        yield from table(found)


def table(command: Any) -> Iterator[str]:
    """The options in tables, one for each panel of the help."""
    panels: dict[str, list[str]] = {}
    for param in command.params:
        argument = param.param_type_name == "argument"
        names = [param.metavar or param.name.upper()] if argument else [*param.opts, *param.secondary_opts]
        value = f" {param.metavar}" if param.metavar and not argument else ""
        text = re.sub(r"\s+", " ", param.help or "").replace("|", "\\|")
        panel = param.rich_help_panel or ("Arguments" if argument else "Options")
        panels.setdefault(panel, []).append(f"| `{', '.join(names)}{value}` | {text} |")
    for panel, rows in panels.items():
        yield from (f"**{panel}**\n", "| option | meaning |", "|---|---|", *rows, "")


def table_of_techniques() -> Iterator[str]:
    """Every technique once: those of satdoku's order as they are tried, then the others by level."""
    found = techniques()
    others = sorted((name for name in found if name not in SATDOKU), key=lambda name: found[name].level)
    yield from (
        "| level | technique | what it takes | HoDoKu's score | Sudoku Explainer's rating |",
        "|---|---|---|---|---|",
    )
    for name in (*SATDOKU, *others):
        each = found[name]
        rating = each.se if name in SE else ""
        yield f"| {each.level.name.lower()} | {name} | {each.statement} | {each.hodoku or ''} | {rating} |"
