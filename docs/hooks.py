"""What mkdocs asks while it builds the site: what stands in the program is put into the pages; links out of docs/."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from typer.main import get_command

from satdoku import errors, limits
from satdoku.backends import backtrack, dlx, prune
from satdoku.cli import app
from satdoku.commands import summaries
from satdoku.commands.records import RECORDS
from satdoku.counting import nine
from satdoku.encoders.at_most_one import METHODS
from satdoku.encoders.cnf import encodings
from satdoku.exports import targets
from satdoku.formats import Format, formats
from satdoku.proofs.checkers import CHECKERS
from satdoku.techniques.orders import SATDOKU, SE
from satdoku.techniques.registry import techniques

REPOSITORY = "https://github.com/satdoku/satdoku/blob/main/"
OUTSIDE = re.compile(r"\]\((?:\.\./)+((?:satdoku|tests|puzzles|benchmarks|[A-Z]+\.md)[^)]*)\)")
MARKER = re.compile(r"^<!-- made: ([\w ]+) -->$", re.M)
NAMES = re.compile(r"^::: ([\w.]+): (.+)$", re.M)
BOXES = ((2, 2), (2, 3), (3, 3), (4, 4), (5, 5))
DESCRIBED = {
    "certificates.md": ("certify", "verify"),
    "commands/bench.md": ("bench run", "bench report", "bench compare", "bench make"),
    "commands/lists.md": ("backends", "encodings", "formats", "variants"),
    "commands/split.md": ("split", "shuffle"),
    "difficulty.md": ("difficulty",),
    "exports.md": ("export", "decode"),
    "generating.md": ("generate",),
    "web.md": ("web",),
}
"""The commands of pages that are not named after one."""


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """The page with what its markers stand for, its names of the reference one by one, and links that lead into the
    repository; below a page of commands their help."""
    path = page.file.src_uri
    markdown += "".join(f"\n{line}" for line in options(path))
    markdown = MARKER.sub(lambda found: "\n".join(MADE[found[1]]()), named(markdown))
    return OUTSIDE.sub(rf"]({REPOSITORY}\1)", markdown)


def named(markdown: str) -> str:
    """`::: MODULE: NAME, NAME` as a line for each name, as mkdocstrings reads them."""
    return NAMES.sub(lambda found: "\n".join(f"::: {found[1]}.{name}" for name in found[2].split(", ")), markdown)


def described(path: str) -> Sequence[str]:
    """The commands that a page describes."""
    folder, _, name = path.partition("/")
    return DESCRIBED.get(path, (name.removesuffix(".md"),) if folder == "commands" else ())


def options(path: str) -> Iterator[str]:
    """The sections "All options" of a page: the help of its commands with exit statuses, and the options."""
    root: Any = get_command(app)
    for command in described(path):
        found = root
        for word in command.split():
            found = found.command_of(word)
        yield f"\n## All options of {command}\n"
        yield f"{found.help}\n"
        yield from options_of(found)


def options_of(command: Any) -> Iterator[str]:
    """The options in tables, one for each panel of the help."""
    panels: dict[str, list[tuple[str, str]]] = {}
    for param in command.params:
        argument = param.param_type_name == "argument"
        names = [param.metavar or param.name.upper()] if argument else [*param.opts, *param.secondary_opts]
        value = f" {param.metavar}" if param.metavar and not argument else ""
        panel = param.rich_help_panel or ("Arguments" if argument else "Options")
        panels.setdefault(panel, []).append((f"`{', '.join(names)}{value}`", re.sub(r"\s+", " ", param.help or "")))
    for panel, rows in panels.items():
        yield f"**{panel}**\n"
        yield from table(("option", "meaning"), rows)
        yield ""


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table of Markdown."""
    for row in (columns, ["---"] * len(columns), *rows):
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |"


def table_of_commands() -> Iterator[str]:
    pages = {command.split()[0]: page for page, commands in DESCRIBED.items() for command in commands}
    rows = ((f"[{name}]({pages.get(name, f'commands/{name}.md')})", text) for name, text in summaries().items())
    return table(("command", "what it gives"), rows)


def table_of_techniques() -> Iterator[str]:
    """Every technique once: those of satdoku's order as they are tried, then the others by level."""
    found = techniques()
    others = sorted((name for name in found if name not in SATDOKU), key=lambda name: found[name].level)
    each = (found[name] for name in (*SATDOKU, *others))
    columns = ("level", "technique", "what it takes", "HoDoKu's score", "Sudoku Explainer's rating")
    return table(
        columns,
        (
            (one.level.name.lower(), one.name, one.statement, one.hodoku or "", one.se if one.name in SE else "")
            for one in each
        ),
    )


def table_of_formats() -> Iterator[str]:
    rows = (
        (f"`{one.name}`", one.summary, one.sign.text or "only when named", held(one))
        for one in formats().all().values()
    )
    return table(("format", "what it looks like", "recognized by", "holds"), rows)


def held(format: Format) -> str:
    """What the texts of a format can hold."""
    if format.text_of is None:
        return "only read"
    holds = format.holds
    least, most = holds.sizes
    parts = [
        "marks" if holds.marks is None else ", ".join(sorted(holds.marks - {"boxes"})),
        "boxes of any shape" if holds.any_box else "",
        "candidates" if holds.candidates else "",
        "several boards" if "boards" in (holds.shapes or ()) else "",
        ", ".join(sorted(holds.metadata)),
        f"{least}x{least}" if least == most else "" if most > 99 else f"up to {most}x{most}",
    ]
    return "; ".join(["givens", *filter(None, parts)])


def table_of_encodings() -> Iterator[str]:
    """The sizes of each encoding as formulas, of variables and of clauses."""
    return table(
        ("encoding", "variables, clauses"), ((f"`{one.name}`", one.formula) for one in encodings().all().values())
    )


def table_of_sizes() -> Iterator[str]:
    """The clauses of plain boards in each encoding."""
    columns = ("encoding", *(f"{rows * columns}x{rows * columns}" for rows, columns in BOXES))
    return table(
        columns, ((f"`{one.name}`", *(one.size(*box)[1] for box in BOXES)) for one in encodings().all().values())
    )


def table_of_methods() -> Iterator[str]:
    rows = ((f"`{one.name}`", one.formula, one.paper) for one in METHODS.values())
    return table(("method", "new variables, clauses", "source"), rows)


def table_of_exports() -> Iterator[str]:
    rows = ((f"`{one.name}`", one.summary) for one in targets().all().values())
    return table(("target", "what it is"), rows)


def table_of_limits() -> Iterator[str]:
    """The constants of `satdoku.limits` with what their comments say."""
    rows = re.findall(r"^MAX_\w+ = ([\w <]+?)  # (.+)$", inspect.getsource(limits), re.M)
    numbers = ((text, f"{eval(number):,}") for number, text in rows)
    return table(("of", "at most"), numbers)


def tables_of_records() -> Iterator[str]:
    for name, fields in RECORDS.items():
        yield f"### {name}\n"
        rows = ((", ".join(f"`{each}`" for each in field.names), field.type, field.meaning) for field in fields)
        yield from table(("field", "type", "meaning"), rows)
        yield ""


def table_of_checkers() -> Iterator[str]:
    rows = ((f"`{name}`", " ".join((one.__doc__ or "").split())) for name, one in CHECKERS.items())
    return table(("name", "what it is"), rows)


def sum_over_boards() -> Iterator[str]:
    """The docstring of the module, behind its first line."""
    yield (nine.__doc__ or "").partition("\n\n")[2].strip()


def classics() -> Iterator[str]:
    """The docstrings of the searches in plain Python."""
    for module in (backtrack, dlx, prune):
        yield f"**{module.__name__.rpartition('.')[2]}**: {module.__doc__}"


def tree_of_errors() -> Iterator[str]:
    yield from ("```text", (errors.__doc__ or "").partition("\n\n")[2].strip(), "```")


MADE: dict[str, Callable[[], Iterator[str]]] = {
    "checkers": table_of_checkers,
    "classics": classics,
    "commands": table_of_commands,
    "encodings": table_of_encodings,
    "errors": tree_of_errors,
    "exports": table_of_exports,
    "formats": table_of_formats,
    "limits": table_of_limits,
    "methods": table_of_methods,
    "records": tables_of_records,
    "sizes": table_of_sizes,
    "sum": sum_over_boards,
    "techniques": table_of_techniques,
}
"""What the lines `<!-- made: NAME -->` of pages stand for."""
