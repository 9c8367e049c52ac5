"""`satdoku bench run | report | make`: reads options, calls the modules beside it, prints."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from satdoku import backends
from satdoku.batch.files import write_whole
from satdoku.bench import raw
from satdoku.bench.raw import Work
from satdoku.commands import Command
from satdoku.commands.options import (
    AsJson,
    Puzzles,
    Reading,
    complete_backend,
    complete_encoding,
    composed,
)
from satdoku.commands.puzzles import named, readable
from satdoku.errors import InputError, Refused, worse
from satdoku.inputs.sources import items
from satdoku.terminal.messages import say

if TYPE_CHECKING:
    from satdoku.bench.plan import Plan
    from satdoku.bench.report import Table

BackendNames = Annotated[
    str | None,
    typer.Option(
        "--backend", "-b", help="NAME,NAME...; all that are installed if none.", autocompletion=complete_backend
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
    limit: Annotated[int, typer.Option("--limit", help="Count up to so many; 0 means all.")] = 10_000,
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

    Exit status: 0, or 2 input at fault (nothing was timed), 3 some undecided, 4 a wrong answer, a failed engine, or
    backends that disagree.
    """
    from satdoku.bench.plan import Plan, contenders

    files = tuple(engines or ())
    for file in files:
        backends.join(file)
    chosen = contenders(_names(backend), _names(encoding))
    _named(baseline, [str(contender) for contender in chosen])
    _clocked(clock)
    puzzle_list, faults = readable(items(named(puzzles), reading.options()))
    status = 0
    for fault in faults:
        status = worse(status, say(str(fault), fault.status))
    if status:
        raise typer.Exit(say("nothing was timed", status))
    plan = _plan(
        Plan(chosen, tuple(puzzle_list), work, limit or None, warm, timeout, repeat, seed, files),
        lenient=skip or backend is None,
    )
    log = raw.Log(output, plan.described(), _session(plan)) if output is not None else None
    searches = list(log.searches) if log else []
    setups = list(log.setups) if log else []
    for search in searches:
        status = worse(status, _told(search, as_json))
    try:
        for record in _measured(plan, log, {search.key for search in searches}):
            if isinstance(record, raw.Search):
                searches.append(record)
                status = worse(status, _told(record, as_json))
            else:
                setups.append(record)
    except KeyboardInterrupt:
        if output is not None:
            say(f"{len(searches)} searches are in {output}; the same command goes on from there")
        raise
    finally:
        if log is not None:
            log.close()
    if not as_json:
        held = raw.Raw(str(output or ""), plan.described(), (), tuple(setups), tuple(searches))
        _print_tables([held], baseline, clock)
    for complaint, severity in _complaints(searches):
        status = worse(status, say(complaint, severity))
    raise typer.Exit(status)


@composed
def report(
    files: Annotated[list[str], typer.Argument(metavar="RAW...", help="Raw results of `bench run -o`.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write; made if it is not there.")],
    baseline: Baseline = None,
    clock: Clock = "wall",
    tables: Annotated[bool, typer.Option("--tables", help="Tables alone, which need no matplotlib.")] = False,
) -> None:
    """Tables and pictures of raw results: Markdown, CSV, SVG, PNG, and one HTML page that holds them all.

    Exit status: 0, or 2 input at fault, 4 a wrong answer, a failed engine, or backends that disagree.
    """
    from satdoku.bench import folder

    _clocked(clock)
    raws = [raw.read(file) for file in {Path(file).resolve(): file for file in files}.values()]
    made = folder.contents(raws, baseline, clock, pictures=not tables)
    output.mkdir(parents=True, exist_ok=True)
    for name, content in made.items():
        (output / name).write_bytes(content)
    status = 0
    for complaint in raw.complaints(search for each in raws for search in each.searches):
        status = worse(status, say(complaint, 4))
    say(f"{_many(len(made), 'file')} in {output}: {', '.join(made)}")
    raise typer.Exit(status)


@composed
def make(
    size: Annotated[str, typer.Option("--size", help="N,N...: the sizes of the boards.")],
    holes: Annotated[str, typer.Option("--holes", help="Shares of open cells: one, several, or FIRST:LAST:STEP.")],
    balanced: Annotated[
        bool, typer.Option("--balanced", help="As many holes in every row, column and box; else anywhere.")
    ] = False,
    count: Annotated[int, typer.Option("--count", "-n", help="Instances for each size and share.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Decides the instances, anywhere alike.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; standard output if none.")
    ] = None,
) -> None:
    """Make puzzles to measure on: well-mixed grids with holes, each with a solution."""
    from satdoku.bench import instances

    recipe = instances.Recipe(instances.sizes(size), instances.shares(holes), balanced, count, seed)
    lines = (f"{line}\n" for line in instances.lines(recipe))
    if output is None:
        for line in lines:
            print(line, end="", flush=True)
    else:
        write_whole(output, (line.encode() for line in lines))


def _plan(plan: Plan, lenient: bool) -> Plan:
    """The plan without what its contenders cannot take; raises Refused, naming it, unless `lenient`."""
    from satdoku.bench.plan import refusals

    refused = list(refusals(plan.contenders, plan.puzzles))
    for contender, puzzle, reason in refused:
        words = f"{puzzle.name}: backend {contender.backend} cannot take it: {reason}"
        say(words + ("; left out" if lenient else ""))
    if refused and not lenient:
        raise Refused("nothing was timed; --skip leaves out the boards that a backend cannot take")
    skipped = frozenset((contender, puzzle.board) for contender, puzzle, _ in refused)
    if all((contender, board) in skipped for contender in plan.contenders for board in plan.boards):
        raise Refused("no backend takes any of these boards")
    return replace(plan, skipped=skipped)


def _measured(
    plan: Plan, log: raw.Log | None, done: set[tuple[str, str | None, int, int]]
) -> Iterator[raw.Setup | raw.Search]:
    """What the harness measures, written down before it is handed on; with a progress bar on a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    from satdoku.bench.harness import Harness

    with ExitStack() as stack:
        harness = stack.enter_context(Harness(plan))
        progress = Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
        bar = stack.enter_context(progress).add_task("measuring", total=plan.searches, completed=len(done))
        for record in harness.run(done):
            if log is not None:
                log.add(record)
            progress.advance(bar, isinstance(record, raw.Search))
            yield record


def _told(search: raw.Search, as_json: bool) -> int:
    """Show a search, and say it if it failed; returns the exit status that it means."""
    if as_json:
        print(raw.line(search), flush=True)
    failed = search.outcome is raw.Outcome.FAILED
    return say(f"{search.puzzle}: {search.contender}: {search.fault}", 4) if failed else 0


def _session(plan: Plan) -> dict[str, object]:
    """Where and how a run takes place, for its raw file."""
    from satdoku.bench.machine import load, machine, versions

    return {
        "command": shlex.join(["satdoku", *sys.argv[1:]]),
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "load": load(),
        "machine": machine(),
        "versions": versions(contender.backend for contender in plan.contenders),
    }


def _complaints(searches: Sequence[raw.Search]) -> Iterator[tuple[str, int]]:
    """What is to be said of a whole run, each with the exit status that it means."""
    for error in raw.disagreements(searches):
        yield str(error), error.status
    cut = sum(search.outcome is raw.Outcome.TIMEOUT for search in searches)
    if cut:
        yield f"{cut} of {len(searches)} searches were cut by the timeout", 3
    solved = {search.digest for search in searches if search.outcome is raw.Outcome.SOLVED}
    number = len({search.contender for search in searches})
    yield f"{_many(len(solved), 'puzzle')} decided by {_many(number, 'contender')}", 0


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


def _named(baseline: str | None, names: Sequence[str]) -> None:
    if baseline is not None and baseline not in names:
        raise InputError(f"--baseline {baseline}: expected one of the contenders: {', '.join(names)}")


def _clocked(clock: str) -> None:
    if clock not in ("wall", "cpu"):
        raise InputError(f"--clock {clock}: expected wall or cpu")


def _names(text: str | None) -> list[str] | None:
    return None if text is None else text.split(",")


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


COMMANDS = (
    Command(name="run", function=run, order=140, group="bench"),
    Command(name="report", function=report, order=141, group="bench"),
    Command(name="make", function=make, order=142, group="bench"),
)
