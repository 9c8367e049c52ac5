"""`satdoku bench run | report | make`: reads options, calls the modules beside it, prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satdoku import backends
from satdoku.batch.files import write_whole
from satdoku.bench import raw
from satdoku.bench.agreement import complaints, disagreements
from satdoku.bench.raw import MAX_COUNT, Work
from satdoku.commands import Command
from satdoku.commands.options import AsJson, Puzzles, Reading, complete_backend, complete_encoding, composed
from satdoku.commands.puzzles import named, readable
from satdoku.errors import InputError, worse
from satdoku.inputs.sources import items
from satdoku.terminal.messages import say

if TYPE_CHECKING:
    from satdoku.bench.report import Table
    from satdoku.bench.running import Run

BackendNames = Annotated[
    str | None,
    typer.Option(
        "--backend", "-b", help="NAME,NAME...; all that are installed if omitted.", autocompletion=complete_backend
    ),
]
EncodingNames = Annotated[
    str | None,
    typer.Option("--encoding", "-e", help="NAME,NAME...; each for each backend.", autocompletion=complete_encoding),
]
Baseline = Annotated[str | None, typer.Option("--baseline", help="The contender that ratios refer to.")]
Clock = Annotated[str, typer.Option("--clock", help="Tables of wall or of cpu time.")]


@composed
def run(
    reading: Reading,
    puzzles: Puzzles = None,
    backend: BackendNames = None,
    encoding: EncodingNames = None,
    work: Annotated[Work, typer.Option("--work", help="What each search has to show.")] = Work.UNIQUE,
    limit: Annotated[
        int | None, typer.Option("--limit", help="With --work count: up to so many, 10000 if not given; 0 means all.")
    ] = None,
    warm: Annotated[
        bool, typer.Option("--warm/--cold", help="Keep the rules loaded, or make them anew for each puzzle.")
    ] = True,
    repeat: Annotated[
        int, typer.Option("--repeat", help="Times that each puzzle is solved, each in a new layout.")
    ] = 1,
    seed: Annotated[int, typer.Option("--seed", help="Decides the layouts and the order.")] = 0,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds for each search.")] = 10.0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Raw results as JSON lines; goes on with a run begun there."),
    ] = None,
    baseline: Baseline = None,
    clock: Clock = "wall",
    engines: Annotated[
        list[str] | None, typer.Option("--engines", help="A Python file whose ENGINES take part, too.")
    ] = None,
    skip: Annotated[
        bool, typer.Option("--skip", help="Leave out the boards that a named backend cannot take.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Time each backend, with each encoding, on each puzzle.

    Exit status: 0, or 2 invalid input (nothing was timed), 3 some undecided, 4 a wrong answer, a failed engine, or
    backends that disagree.
    """
    from satdoku.bench.plan import Plan, admitted, contenders, refusals
    from satdoku.bench.running import Run

    if limit is not None and work is not Work.COUNT:
        raise InputError(f"--limit {limit} is for --work count alone, and this is --work {work.value}")
    files = tuple(engines or ())
    for file in files:
        backends.join(file)
    chosen = contenders(_names(backend), _names(encoding))
    _check(baseline, clock, [str(contender) for contender in chosen])
    found, faults = readable(items(named(puzzles), reading.options()))
    status = 0
    for fault in faults:
        status = worse(status, say(str(fault), fault.status))
    if status:
        raise typer.Exit(say("nothing was timed", status))
    plan = Plan(
        contenders=chosen,
        puzzles=tuple(found),
        work=work,
        limit=(MAX_COUNT if limit is None else limit) or None,
        warm=warm,
        timeout=timeout,
        repeats=repeat,
        seed=seed,
        engines=files,
    )
    lenient = skip or backend is None
    refused = list(refusals(chosen, plan.puzzles))
    for contender, puzzle, reason in refused:
        say(f"{puzzle.name}: backend {contender.backend} cannot take it: {reason}{'; left out' * lenient}")
    plan = admitted(plan, refused, lenient)
    with Run(plan, output) as measured:
        status = _measure(measured, plan.searches, output, as_json)
    if not as_json:
        _print_tables([measured.results()], baseline, clock)
    raise typer.Exit(worse(status, _summarize(measured.searches)))


@composed
def report(
    files: Annotated[list[str], typer.Argument(metavar="RAW...", help="Raw results of `bench run -o`.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write; made if it is not there.")],
    baseline: Baseline = None,
    clock: Clock = "wall",
    tables: Annotated[bool, typer.Option("--tables", help="Tables alone, which need no matplotlib.")] = False,
) -> None:
    """Tables and pictures of raw results: Markdown, CSV, SVG, PNG, and one HTML page that holds them all.

    Exit status: 0, or 2 invalid input, 4 a wrong answer, a failed engine, or backends that disagree.
    """
    from satdoku.bench import folder

    _check(baseline, clock)
    raws = [raw.read(file) for file in {Path(file).resolve(): file for file in files}.values()]
    made = folder.contents(raws, baseline, clock, pictures=not tables)
    output.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (output / name).write_bytes(content)
    status = 0
    for complaint in complaints(search for each in raws for search in each.searches):
        status = worse(status, say(complaint, 4))
    say(f"{_many(len(made), 'file')} in {output}: {', '.join(made)}")
    raise typer.Exit(status)


@composed
def make(
    size: Annotated[str, typer.Option("--size", help="The sizes of the boards, such as 16,25 or 6x8.")],
    holes: Annotated[str, typer.Option("--holes", help="Shares of open cells: one, several, or FIRST:LAST:STEP.")],
    balanced: Annotated[
        bool, typer.Option("--balanced", help="As many holes in every row, column and box; else anywhere.")
    ] = False,
    count: Annotated[int, typer.Option("--count", "-n", help="Instances for each size and share.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Decides the instances, anywhere alike.")] = 0,
    values: Annotated[str | None, typer.Option("--values", help="The first and the last value, such as 0-8.")] = None,
    box: Annotated[str | None, typer.Option("--box", help="Rows x columns of a box, such as 2x3, or none.")] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; standard output if omitted.")
    ] = None,
) -> None:
    """Make puzzles to measure on: well-mixed grids with holes, each with a solution."""
    from satdoku.bench import instances

    recipe = instances.Recipe(
        sizes=instances.sizes(size),
        holes=instances.shares(holes),
        balanced=balanced,
        count=count,
        seed=seed,
        values=values,
        box=box,
    )
    lines = (f"{line}\n" for line in instances.lines(recipe))
    if output is None:
        for line in lines:
            print(line, end="", flush=True)
    else:
        write_whole(output, (line.encode() for line in lines))


def _measure(measured: Run, number: int, output: Path | None, as_json: bool) -> int:
    """Measure and show each search, with a progress bar on a terminal; returns the exit status."""
    from rich.console import Console
    from rich.progress import Progress

    status = max((_show(search, as_json) for search in measured.searches), default=0)
    progress = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    bar = progress.add_task("measuring", total=number, completed=len(measured.searches))
    try:
        with progress:
            for search in measured.measure():
                progress.advance(bar)
                status = max(status, _show(search, as_json))
    except KeyboardInterrupt:
        if output is not None:
            say(f"{len(measured.searches)} searches are in {output}; the same command goes on from there")
        raise
    return status


def _show(search: raw.Search, as_json: bool) -> int:
    """Show a search, and a message if it failed; returns the exit status that it means."""
    if as_json:
        print(raw.line(search), flush=True)
    failed = search.outcome is raw.Outcome.FAILED
    return say(f"{search.puzzle}: {search.contender}: {search.fault}", 4) if failed else 0


def _summarize(searches: Sequence[raw.Search]) -> int:
    """Say what is to be said of a whole run; returns the exit status that it means."""
    status = 0
    for error in disagreements(searches):
        status = worse(status, say(str(error), error.status))
    cut = sum(search.outcome is raw.Outcome.TIMEOUT for search in searches)
    if cut:
        status = worse(status, say(f"{cut} of {len(searches)} searches were cut by the timeout", 3))
    solved = {search.digest for search in searches if search.outcome is raw.Outcome.SOLVED}
    number = len({search.contender for search in searches})
    say(f"{_many(len(solved), 'puzzle')} decided by {_many(number, 'contender')}")
    return status


def _print_tables(raws: Sequence[raw.Raw], baseline: str | None, clock: str) -> None:
    from satdoku.bench import report

    for study in report.studies(raws, baseline):
        for table in report.tables(study, clock):
            _print(table)


def _print(table: Table) -> None:
    """A table for people, by rich; each set under its name."""
    from rich.console import Console
    from rich.text import Text

    from satdoku.terminal.tables import plain

    terminal = Console(highlight=False)
    terminal.print(Text(table.title, "bold"))
    for name, body in table.sections:
        shown = plain(*table.columns, numeric=table.columns[1:])
        for row in body:
            shown.add_row(*row)
        terminal.print(Text(name, "italic"))
        terminal.print(shown)
    for note in table.notes:
        terminal.print(Text(note, "dim"))
    terminal.print()


def _check(baseline: str | None, clock: str, names: Sequence[str] | None = None) -> None:
    """Raise InputError for what is not a contender or a clock."""
    if clock not in ("wall", "cpu"):
        raise InputError(f"--clock {clock}: expected wall or cpu")
    if baseline is not None and names is not None and baseline not in names:
        raise InputError(f"--baseline {baseline}: expected one of the contenders: {', '.join(names)}")


def _names(text: str | None) -> list[str] | None:
    return None if text is None else text.split(",")


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


COMMANDS = (
    Command(name="run", function=run, order=140, group="bench"),
    Command(name="report", function=report, order=141, group="bench"),
    Command(name="make", function=make, order=142, group="bench"),
)
