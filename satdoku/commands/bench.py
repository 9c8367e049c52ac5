"""`satdoku bench run | report | compare | make`: reads options, calls the modules beside it, prints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import MISSING, asdict, dataclass
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satdoku import backends
from satdoku.batch.outputs import check_outputs
from satdoku.bench import raw
from satdoku.bench.raw import MAX_COUNT, Work, complaints, disagreements
from satdoku.commands import options
from satdoku.commands.options import OUTPUT, composed, option
from satdoku.commands.puzzles import named
from satdoku.errors import InputError, worst_status
from satdoku.inputs.sources import items
from satdoku.puzzle import Puzzle
from satdoku.system.files import write_whole
from satdoku.terminal.messages import say
from satdoku.terminal.progress import live
from satdoku.words import plural

if TYPE_CHECKING:
    from rich.console import RenderableType

    from satdoku.bench.report import ReportTable
    from satdoku.bench.running import Measurement


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    clock: str = option(None, "Tables of wall or of cpu time.", default="wall", choices=("wall", "cpu"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown(Clock):
    baseline: str | None = option(None, "The contender that ratios refer to.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    puzzles: options.Puzzles = None
    backend: str | None = option(
        None,
        "NAME,NAME...; all that are installed if omitted.",
        "-b",
        joined=True,
        autocompletion=options.complete_backend,
    )
    encoding: str | None = option(
        None, "NAME,NAME...; each for each backend.", "-e", joined=True, autocompletion=options.complete_encoding
    )
    work: Work = option(None, "What each search has to show.", default=Work.UNIQUE)
    limit: int | None = option(None, "With --work count: the most solutions to count, 10000 if not given; 0 means all.")
    warm: bool = option(
        None, "Keep the rules loaded, or make them anew for each puzzle.", "--warm/--cold", default=True
    )
    repeat: int = option(None, "Times that each puzzle is solved, each in a new layout.", default=1)
    seed: int = option(None, "Random seed of the layouts and the order of runs.", default=0)
    timeout: float = option(None, "Seconds for each search.", default=10.0)
    memory: int | None = option(None, "Megabytes for each contender's process and its children.", metavar="MB")
    output: Path | None = option(None, "Raw results as JSON lines; goes on with a run begun there.", "-o")
    shown: Shown
    engines: list[str] | None = option(None, "A Python file whose ENGINES take part, too.")
    skip: bool = option(None, "Leave out the boards that a named backend cannot take.", default=False)
    as_json: bool = option(OUTPUT, "One JSON object a line.", "--json", default=False)


@composed
def run(reading: options.FormatOptions, own: Measured) -> None:
    """Time each backend, with each encoding, on each puzzle.

    Exit status: 0, or 2 invalid input (nothing was timed), 3 some undecided, 4 a wrong answer, a failed engine, or
    backends that disagree.
    """
    from satdoku.bench.plan import BenchPlan, admitted, contenders, refusals
    from satdoku.bench.running import Measurement

    if own.limit is not None and own.work is not Work.COUNT:
        raise InputError(f"--limit {own.limit} is for --work count alone, and this is --work {own.work.value}")
    for file in own.engines or ():
        backends.join(file)
    chosen = contenders(*(None if names is None else names.split(",") for names in (own.backend, own.encoding)))
    known = [str(contender) for contender in chosen]
    if own.shown.baseline not in (None, *known):
        raise InputError(f"--baseline {own.shown.baseline}: expected one of the contenders: {', '.join(known)}")
    puzzles = [item.puzzle for item in items(named(own.puzzles), reading.options())]
    faults = [say(str(one), one.status) for one in puzzles if isinstance(one, InputError)]
    if faults:
        raise typer.Exit(say("nothing was timed", reduce(worst_status, faults)))
    plan = BenchPlan(
        contenders=chosen,
        puzzles=tuple(one for one in puzzles if isinstance(one, Puzzle)),
        work=own.work,
        limit=(MAX_COUNT if own.limit is None else own.limit) or None,
        warm=own.warm,
        timeout=own.timeout,
        memory=own.memory,
        repeats=own.repeat,
        seed=own.seed,
        engines=tuple(own.engines or ()),
    )
    lenient = own.skip or own.backend is None
    refused = list(refusals(chosen, plan.puzzles))
    for contender, puzzle, reason in refused:
        say(f"{puzzle.name}: backend {contender.backend} cannot take it: {reason}{'; left out' * lenient}")
    plan = admitted(plan, refused, lenient)
    with closing(Measurement(plan, own.output)) as measured:
        status = _measure(measured, plan.searches, own.output, own.as_json)
    if not own.as_json:
        _print_tables(measured.results(), own.shown)
    raise typer.Exit(worst_status(status, _summarize(measured.searches)))


@composed
def report(
    files: Annotated[list[str], typer.Argument(metavar="RAW...", help="Raw results of `bench run -o`.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write; made if it is not there.")],
    shown: Shown,
    tables: Annotated[bool, typer.Option("--tables", help="Tables only, for which matplotlib is not needed.")] = False,
    instances: Annotated[
        Path | None,
        typer.Option(
            "--instances",
            help="A CSV file of each search, a column of seconds a contender.",
            metavar="FILE",
            dir_okay=False,
        ),
    ] = None,
) -> None:
    """Tables and pictures of raw results: Markdown, CSV, SVG, PNG, and one HTML page that holds them all.

    Exit status: 0, or 2 invalid input, 4 a wrong answer, a failed engine, or backends that disagree.
    """
    from satdoku.bench import folder
    from satdoku.bench.report import instances as each_search
    from satdoku.bench.report import studies

    raws = [raw.read(file) for file in {Path(file).resolve(): file for file in files}.values()]
    if instances is not None:
        if instances.suffix.lower() != ".csv":
            raise InputError(f"--instances {instances}: expected the name of a CSV file, such as searches.csv")
        check_outputs([("--instances", instances)], files)
        write_whole(instances, [each_search(studies(raws, shown.baseline), shown.clock).encode()])
    made = folder.contents(raws, shown.baseline, shown.clock, pictures=not tables)
    output.mkdir(parents=True, exist_ok=True)
    check_outputs([("--output", output / name) for name in made], files)
    for name, content in made.items():
        write_whole(output / name, content)
    status = _complain(raws)
    say(f"{plural(len(made), 'file')} in {output}: {', '.join(made)}")
    raise typer.Exit(status)


@composed
def compare(
    first: Annotated[str, typer.Argument(metavar="A", help="Raw results of `bench run -o`.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Raw results of the same puzzles with the same --seed.")],
    shown: Clock,
) -> None:
    """How many times as fast one run is as another: for each contender, and in the last line for all.

    Exit status: 0, or 2 invalid input, 4 a wrong answer, a failed engine, or backends that disagree.
    """
    from satdoku.bench.compare import compared

    raws = [raw.read(first), raw.read(second)]
    table, sentence = compared(raws[0], raws[1], shown.clock)
    _print(raws, [table])
    print(sentence)
    raise typer.Exit(_complain(raws))


def _complain(raws: Sequence[raw.Raw]) -> int:
    """Say what went wrong in raw results; returns the exit status that it means."""
    return max((say(one, 4) for one in complaints(search for each in raws for search in each.searches)), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceOptions:
    size: str = option(None, "The sizes of the boards, such as 16,25 or 6x8.", default=MISSING, joined=True)
    holes: str = option(None, "Shares of open cells: one, several, or FIRST:LAST:STEP.", default=MISSING, joined=True)
    balanced: bool = option(None, "As many holes in every row, column and box; else anywhere.", default=False)
    count: int = option(None, "Instances for each size and share.", "-n", default=10)
    seed: int = option(None, "Random seed of the instances, which are the same on every machine.", default=0)
    values: str | None = option(None, "The first and the last value, such as 0-8.")
    box: str | None = option(None, "Rows x columns of a box, such as 2x3, or none.")
    output: Path | None = option(None, "The file to write; standard output if omitted.", "-o")


@composed
def make(own: InstanceOptions) -> None:
    """Make puzzles to measure on: well-mixed grids with holes, each with a solution."""
    from satdoku.bench import instances

    wanted = asdict(own)
    output, size, holes = (wanted.pop(name) for name in ("output", "size", "holes"))
    lines = instances.lines(instances.Instances(sizes=instances.sizes(size), holes=instances.shares(holes), **wanted))
    if output is not None:
        write_whole(output, (f"{line}\n".encode() for line in lines))
        return
    for line in lines:
        print(line, flush=True)


def _measure(measured: Measurement, number: int, output: Path | None, as_json: bool) -> int:
    """Measure and show each search, with a progress bar on a terminal; returns the exit status."""
    from rich.console import Console
    from rich.progress import Progress

    status = max((_show(search, as_json) for search in measured.searches), default=0)
    progress = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    bar = progress.add_task("measuring", total=number, completed=len(measured.searches))
    try:
        with live(progress):
            for search in measured.measure():
                progress.advance(bar)
                status = max(status, _show(search, as_json))
    except KeyboardInterrupt:
        if output is not None:
            say(f"{len(measured.searches)} searches are in {output}; the same command goes on from there")
        raise
    return status


def _show(search: raw.MeasuredSearch, as_json: bool) -> int:
    """Show a search; returns the exit status that it means."""
    if as_json:
        print(raw.line(search), flush=True)
    failed = search.outcome is raw.BenchOutcome.FAILED
    return say(f"{search.name}: {search.contender}: {search.fault}", 4) if failed else 0


def _summarize(searches: Sequence[raw.MeasuredSearch]) -> int:
    """Say what a whole run came to; returns the exit status that it means."""
    status = reduce(worst_status, [say(str(error), error.status) for error in disagreements(searches)], 0)
    for outcome, limit in ((raw.BenchOutcome.TIMEOUT, "the timeout"), (raw.BenchOutcome.MEMORY, "--memory")):
        cut = sum(search.outcome is outcome for search in searches)
        if cut:
            status = worst_status(status, say(f"{cut} of {len(searches)} searches were cut by {limit}", 3))
    solved = {search.digest for search in searches if search.outcome is raw.BenchOutcome.SOLVED}
    number = len({search.contender for search in searches})
    say(f"{plural(len(solved), 'puzzle')} decided by {plural(number, 'contender')}")
    return status


def _print_tables(measured: raw.Raw, shown: Shown) -> None:
    from satdoku.bench import report

    studies = report.studies([measured], shown.baseline)
    _print([measured], [table for study in studies for table in report.tables(study, shown.clock)])


def _print(raws: Sequence[raw.Raw], tables: Sequence[ReportTable]) -> None:
    """What was run, and tables."""
    from rich.text import Text

    from satdoku.bench.report import provenance
    from satdoku.terminal.texts import plain_table, show

    parts: list[RenderableType] = []
    for each in raws:
        parts.append(Text(f"What was run{f', {each.path}' * bool(each.path)}", "bold"))
        parts += [*(Text(f"{name}: {text}", "dim") for name, text in provenance(each)), ""]
    for table in tables:
        parts.append(Text(table.title, "bold"))
        for name, body in table.sections:
            parts += [Text(name, "italic"), plain_table(table.columns, body, table.columns[1:])]
        parts += [*(Text(note, "dim") for note in table.notes), ""]
    show(*parts)
