"""The command line: reads options, calls one function, prints. No solver is imported before one is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NoReturn, Optional

import typer
from typer.core import TyperGroup

from satdoku import console, printing
from satdoku.backends import Budget
from satdoku.batch import questions
from satdoku.batch.desk import Certification, Job
from satdoku.batch.questions import contenders
from satdoku.bench.commands import app as bench
from satdoku.console import Run, say
from satdoku.errors import InputError, SatdokuError, worse
from satdoku.generator.recipe import Symmetry
from satdoku.inputs.columns import Columns
from satdoku.options import (
    Alphabet,
    AsJson,
    BoxShape,
    Entered,
    FormatName,
    Puzzles,
    complete_backend,
    complete_encoding,
    complete_format,
)
from satdoku.printing import Style
from satdoku.variants.boxes import Box
from satdoku.verdict import DEFAULT_COUNT, validate
from satdoku.version import __version__

CHECKER = "rup"
CLOSED_PIPE = 141
INTERRUPTED = 130


class _ClosedPipe(Exception):
    """A BrokenPipeError under a name that typer does not turn into status 1."""


class Group(TyperGroup):
    """Turns every error into one line on standard error and its exit status."""

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            raise _ClosedPipe from None

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        extra["standalone_mode"] = False
        console.settle_streams()
        console.settle_signals()
        try:
            status = super().main(*args, **extra) or 0
        except SatdokuError as error:
            status = say(str(error), error.status)
        except typer.TyperException as error:
            status = say(_usage(error), 2) if error.format_message() else 2  # else it was the help
        except (typer.Abort, KeyboardInterrupt):
            status = INTERRUPTED
        except SystemExit as stop:
            # Completion ends so too; else it is rich, whose word for a closed pipe is 1.
            closed = stop.code == 1 and "_SATDOKU_COMPLETE" not in os.environ
            status = CLOSED_PIPE if closed else int(stop.code or 0)
        except _ClosedPipe:
            # Whoever read us has left; the flush at exit must not complain about it.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            status = CLOSED_PIPE
        except OSError as error:
            status = say(f"{error.filename or 'output'}: {error.strerror or error}", 2)
        if status == INTERRUPTED:
            say("interrupted", status)
        sys.exit(status)


def _usage(error: typer.TyperException) -> str:
    message = error.format_message().rstrip(".")
    option = getattr(error, "option_name", None) or ""
    if option and not option.strip("-0123456789.*_x"):
        return f"{message}; a puzzle that begins with '-' goes after --"
    context = getattr(error, "ctx", None)
    return f"{message}; see `{context.command_path if context else 'satdoku'} --help`"


app = typer.Typer(
    name="satdoku",
    cls=Group,
    help="State a Sudoku once, as constraints, and hand it to the engine you name.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)
app.add_typer(bench, name="bench")


def _complete_target(incomplete: str) -> Iterable[str]:
    from satdoku.exports import targets

    return [name for name in targets() if name.startswith(incomplete)]


OnePuzzle = Annotated[str, typer.Argument(help="A file of one puzzle, FILE:LINE, a puzzle as text, or -.")]
BackendName = Annotated[
    Optional[str],
    typer.Option("--backend", "-b", help="NAME[:ARGUMENT]; see `satdoku backends`.", autocompletion=complete_backend),
]
EncodingName = Annotated[
    Optional[str],
    typer.Option("--encoding", "-e", help="See `satdoku encodings`.", autocompletion=complete_encoding),
]
Reduce = Annotated[bool, typer.Option("--reduce", help="Leave out what the givens decide: +reduced of the encoding.")]
Target = Annotated[str, typer.Option("--to", help="A format; see `satdoku formats`.", autocompletion=complete_format)]
Timeout = Annotated[Optional[float], typer.Option("--timeout", help="Seconds for each puzzle.")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw grids in plain ASCII on a terminal too.")]
Timing = Annotated[bool, typer.Option("--timing", help="Add the seconds that each search took.")]
Limit = Annotated[int, typer.Option("--limit", help="How many solutions at most; 0 means all.")]
Output = Annotated[Optional[Path], typer.Option("--output", "-o", help="The file to write; standard output if none.")]
Pictures = Annotated[
    Optional[Path], typer.Option("--output", "-o", help="A file .svg, .png or .pdf to draw the answer in as well.")
]
Compare = Annotated[
    Optional[str],
    typer.Option("--compare", help="BACKEND,BACKEND...: they must agree.", autocompletion=complete_backend),
]
ColumnName = Annotated[
    Optional[str], typer.Option("--column", help="Files are tables (CSV, TSV, Parquet): the column of the puzzles.")
]
Jobs = Annotated[
    Optional[int], typer.Option("--jobs", "-j", help="Worker processes; all cores, where it pays, if none is given.")
]
ClusterAddress = Annotated[
    Optional[str], typer.Option("--cluster", help="tcp://HOST:PORT of a dask scheduler, whose workers do the work.")
]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Say which backends answered.")]
CheckerName = Annotated[str, typer.Option("--checker", help="Who checks proofs: rup, dratify or drat-trim.")]
All = Annotated[bool, typer.Option("--all", help="All solutions: --limit 0.")]


@app.callback(invoke_without_command=True)
def _main(
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    if version:
        print(f"satdoku {__version__}")
        raise typer.Exit


@app.command()
def check(
    puzzles: Puzzles = None,
    backend: BackendName = None,
    encoding: EncodingName = None,
    reduce: Reduce = False,
    compare: Compare = None,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    column: ColumnName = None,
    expect: Annotated[
        Optional[str], typer.Option("--expect", help="With --column: the column of solutions to compare with.")
    ] = None,
    solutions: Annotated[bool, typer.Option("--solutions", help="Show two solutions of a multiple puzzle.")] = False,
    only: Annotated[
        Optional[str], typer.Option("--only", help="Print these alone: unique, multiple, unsolvable, undecided.")
    ] = None,
    echo: Annotated[bool, typer.Option("--echo", help="Print the line that was read, and as text that alone.")] = False,
    timeout: Timeout = None,
    timing: Timing = False,
    as_json: AsJson = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV with a header.")] = False,
    ascii: Ascii = False,
    output: Output = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the unfinished file of --output.")] = False,
    certified: Annotated[bool, typer.Option("--certified", help="Prove each verdict, and check the proof.")] = False,
    proofs: Annotated[
        Optional[Path],
        typer.Option("--proofs", help="A file that keeps what --certified proves; FILE.zst is compressed."),
    ] = None,
    checker: CheckerName = CHECKER,
    jobs: Jobs = None,
    cluster: ClusterAddress = None,
    verbose: Verbose = False,
) -> None:
    """A verdict for each puzzle: unique, multiple, unsolvable or undecided.

    Exit status: 0 all unique, 1 some multiple or unsolvable, 2 input at fault, 3 some undecided,
    4 a wrong answer, or backends that disagree.
    """
    if compare is not None and backend is not None:
        raise InputError("--compare names the backends already: leave out --backend")
    if as_json and as_csv:
        raise InputError("--json and --csv: choose one")
    if resume and output is None:
        raise InputError("--resume goes on with a file: name it, --output FILE")
    if expect is not None and column is None:
        raise InputError("--expect names a column beside that of --column: name that too")
    if certified and (compare is not None or encoding is not None or reduce):
        raise InputError("--certified has one backend and an encoding of its own: leave out --compare and --encoding")
    if not certified and (proofs is not None or checker != CHECKER):
        raise InputError("--proofs and --checker are for what --certified proves: say that too")
    validate(Budget(2, timeout))
    for written in (output, proofs):
        console.keep(written, *(puzzles or []))
    if output is not None and proofs is not None and output.absolute() == proofs.absolute():
        raise InputError(f"--output and --proofs: {output} cannot be both")
    names = [backend] if compare is None else contenders(compare)
    chosen = console.options(box, format, alphabet, entered)
    found = console.blocks(puzzles, chosen, None if column is None else Columns(column, expect))
    plain = compare is None and not timing and not found.alone
    job = Job(
        console.backends_for(names, found.many),
        _encoding(encoding, reduce),
        chosen,
        partial(questions.check, timeout=timeout),
        printing.checked,
        Style(
            as_json,
            found.alone,
            solutions,
            timing,
            as_csv,
            echo,
            console.verdicts(only),
            output is None and console.boxed(ascii),
        ),
        bulk=Budget(2, timeout) if plain else None,
        show_many=printing.checked_many if plain and not certified else None,
        certify=Certification(checker, timeout, proofs is not None) if certified else None,
    )
    how = Run(
        _jobs(jobs),
        cluster,
        timeout,
        output,
        resume,
        console.asked(job, puzzles, column, expect, *([str(proofs), checker] if certified else [])),
        f"; {', '.join(map(str, names))} compared" if len(names) > 1 else "; certified" if certified else "",
        verbose,
        proofs,
    )
    raise typer.Exit(console.run(job, found.pieces, how))


@app.command()
def solve(
    puzzles: Puzzles = None,
    limit: Limit = 1,
    every: All = False,
    backend: BackendName = None,
    encoding: EncodingName = None,
    reduce: Reduce = False,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    column: ColumnName = None,
    timeout: Timeout = None,
    timing: Timing = False,
    as_json: AsJson = False,
    ascii: Ascii = False,
    jobs: Jobs = None,
    cluster: ClusterAddress = None,
    verbose: Verbose = False,
) -> None:
    """A solution of each puzzle, or more.

    Exit status: 0 all solved, 1 some have no solution, 2 input at fault, 3 some undecided.
    """
    most = _limit(limit, every)
    validate(Budget(most, timeout))
    chosen = console.options(box, format, alphabet, entered)
    found = console.blocks(puzzles, chosen, None if column is None else Columns(column))
    plain = most in (1, 2) and not timing and not found.alone
    job = Job(
        console.backends_for([backend], found.many),
        _encoding(encoding, reduce),
        chosen,
        partial(questions.solve, limit=most, timeout=timeout),
        printing.solved,
        Style(as_json, found.alone, timing=timing, boxed=console.boxed(ascii)),
        streams=not as_json,
        limit=most,
        bulk=Budget(most, timeout) if plain else None,
    )
    how = Run(_jobs(jobs), cluster, timeout, verbose=verbose)
    raise typer.Exit(console.run(job, found.pieces, how))


@app.command()
def count(
    puzzles: Puzzles = None,
    limit: Limit = DEFAULT_COUNT,
    every: All = False,
    backend: BackendName = None,
    encoding: EncodingName = None,
    reduce: Reduce = False,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    column: ColumnName = None,
    timeout: Timeout = None,
    timing: Timing = False,
    as_json: AsJson = False,
    jobs: Jobs = None,
    cluster: ClusterAddress = None,
    verbose: Verbose = False,
) -> None:
    """How many solutions each puzzle has.

    Exit status: 0 counted, 2 input at fault, 3 some count was cut by the timeout.
    """
    most = _limit(limit, every)
    validate(Budget(most, timeout))
    chosen = console.options(box, format, alphabet, entered)
    found = console.blocks(puzzles, chosen, None if column is None else Columns(column))
    job = Job(
        console.backends_for([backend], found.many),
        _encoding(encoding, reduce),
        chosen,
        partial(questions.count, limit=most, timeout=timeout),
        printing.counted,
        Style(as_json, found.alone, timing=timing),
        limit=most,
    )
    how = Run(_jobs(jobs), cluster, timeout, verbose=verbose)
    raise typer.Exit(console.run(job, found.pieces, how))


@app.command()
def export(
    puzzle: OnePuzzle,
    to: Annotated[
        str,
        typer.Option(
            "--to", help="dimacs, cpsat, opb, minizinc, asp, lp or exact-cover.", autocompletion=_complete_target
        ),
    ] = "dimacs",
    output: Output = None,
    encoding: EncodingName = None,
    reduce: Reduce = False,
    block: Annotated[
        Optional[list[str]], typer.Option("--block", help="A file of solutions to exclude, as solve prints them.")
    ] = None,
    map: Annotated[
        Optional[Path], typer.Option("--map", help="A file for the meaning of the variables, as JSON.")
    ] = None,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
) -> None:
    """Write a puzzle's constraints for another tool."""
    from satdoku import exports
    from satdoku.exports import names

    exports.find(to, encoding)
    for written in (output, map):
        console.keep(written, puzzle, *(block or []))
    chosen = console.single(puzzle, console.options(box, format, alphabet, entered))
    asked = (chosen, to, _encoding(encoding, reduce), console.grids(block or [], chosen, puzzle))
    meaning = exports.variable_map(*asked) if map is not None else None
    pieces = exports.export(*asked)
    with console.writing(output) as stream:
        stream.writelines(pieces)
    if map is not None and meaning is not None:
        map.write_text(names.to_json(meaning), "utf-8")


@app.command()
def decode(
    cnf: Annotated[str, typer.Argument(help="The CNF that the solver read; or - for standard input.")],
    answer: Annotated[str, typer.Argument(help="What the solver wrote; or - for standard input.")],
    map: Annotated[
        Optional[str], typer.Option("--map", help="What `export --map` wrote; needed if satdoku did not write the CNF.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The grid in a SAT solver's answer, checked against the puzzle and every clause.

    Exit status: 0 a grid, 1 the answer says unsatisfiable, 2 input at fault or a wrong answer, 3 undecided.
    """
    shown = printing.decoded(console.decoded(cnf, answer, map), as_json)
    if shown.text is not None:
        print(shown.text)
    if shown.note is not None:
        say(shown.note)
    raise typer.Exit(shown.status)


@app.command()
def convert(
    puzzles: Puzzles = None,
    to: Annotated[
        str, typer.Option("--to", help="A format; see `satdoku formats`.", autocompletion=complete_format)
    ] = "line",
    output: Output = None,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
) -> None:
    """Write puzzles in another format; refused where the format cannot hold them."""
    console.keep(output, *(puzzles or []))
    found, _ = console.opened(puzzles, console.options(box, format, alphabet, entered))
    raise typer.Exit(console.convert(found, to, output))


@app.command()
def certify(
    puzzle: OnePuzzle,
    output: Annotated[Path, typer.Option("--output", "-o", help="A new folder for the certificate.")],
    minimal: Annotated[
        bool, typer.Option("--minimal", help="That no given can be left out, too: a second grid for each.")
    ] = False,
    backend: BackendName = None,
    checker: CheckerName = CHECKER,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    timeout: Timeout = None,
    as_json: AsJson = False,
) -> None:
    """Decide a puzzle, and write what the verdict rests on for others to check.

    Exit status: 0 a certificate was written, 1 not minimal, 2 input at fault, 3 undecided, 4 a proof does not check.
    """
    from satdoku import certificates

    validate(Budget(2, timeout))
    chosen = console.single(puzzle, console.options(box, format, alphabet, entered))
    shown = certificates.certify(
        chosen, output, backend=backend, checker=checker, timeout=timeout, minimal=minimal, as_json=as_json
    )
    print(shown.text)
    raise typer.Exit(shown.status)


@app.command()
def verify(
    certificates: Annotated[list[str], typer.Argument(help="Folders of certify, files of check --proofs.")],
    checker: CheckerName = CHECKER,
    as_json: AsJson = False,
) -> None:
    """Whether certificates show what they claim, from the text of their puzzles on.

    Exit status: 0 all hold, 1 some are refused, 2 no certificate.
    """
    from satdoku.certificates import verified

    status = 0
    for shown in verified(certificates, checker, as_json):
        status = worse(status, shown.status)
        if shown.text is not None:
            print(shown.text)
        if shown.note is not None:
            say(shown.note)
    raise typer.Exit(status)


@app.command()
def render(
    puzzles: Puzzles = None,
    output: Annotated[
        Optional[Path],
        typer.Option("--output", "-o", help="A file .svg, .png or .pdf; SVG on standard output if none."),
    ] = None,
    solution: Annotated[bool, typer.Option("--solution", help="Draw the solution in a second ink.")] = False,
    sheet: Annotated[
        Optional[str],
        typer.Option("--sheet", help="ROWSxCOLUMNS on a page for print, such as 2x3; answers at the back."),
    ] = None,
    paper: Annotated[str, typer.Option("--paper", help="Of --sheet: a4 or letter.")] = "a4",
    answers: Annotated[bool, typer.Option("--answers/--no-answers", help="Of --sheet: answers at the back.")] = True,
    rules: Annotated[bool, typer.Option("--rules", help="Write below what each kind of mark means.")] = False,
    cell: Annotated[Optional[float], typer.Option("--cell", help="The side of a cell in millimetres.")] = None,
    backend: BackendName = None,
    encoding: EncodingName = None,
    reduce: Reduce = False,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    timeout: Timeout = None,
) -> None:
    """Draw puzzles: SVG, PNG or PDF by the suffix of the file.

    Exit status: 0 drawn, 1 a solution was asked for and some puzzle has none, 2 input at fault, 3
    some search was stopped.
    """
    from satdoku.pictures import Picture, Sheet, format_of

    format_of(output)
    page = None if sheet is None else Sheet.parse(sheet, paper)
    side = _side(cell, page is not None)
    found, _ = console.opened(puzzles, console.options(box, format, alphabet, entered))
    back = page is not None and answers and not solution
    with questions.judges([backend], _encoding(encoding, reduce))[0] as judge:
        ask = partial(questions.check, [judge], timeout=timeout) if solution or back else None
        style = partial(Picture, rules=rules)
        raise typer.Exit(console.render(found, output, ask, page, back, style, side))


@app.command()
def generate(
    rules: Annotated[
        Optional[str],
        typer.Argument(metavar="[PUZZLE]", help="A puzzle whose board is taken and its givens not; plain 9x9 if none."),
    ] = None,
    count: Annotated[int, typer.Option("--count", "-n", help="How many puzzles.")] = 1,
    rule: Annotated[
        Optional[list[str]], typer.Option("--rule", help="Add a rule of the whole board, such as diagonal+, windoku.")
    ] = None,
    givens: Annotated[
        Optional[str], typer.Option("--givens", help="LOW:HIGH or a number; as few as it comes to if none.")
    ] = None,
    symmetry: Annotated[Symmetry, typer.Option("--symmetry", help="Of the places of the givens.")] = Symmetry.NONE,
    minimal: Annotated[bool, typer.Option("--minimal", help="Every given is needed.")] = False,
    pattern: Annotated[
        Optional[str], typer.Option("--pattern", help="A file that says which cells are given; or -.")
    ] = None,
    seed: Annotated[
        Optional[int], typer.Option("--seed", help="Gives the same puzzles again; by chance if none.")
    ] = None,
    first: Annotated[
        int, typer.Option("--first", help="Begin with this number of the puzzles that the seed gives.")
    ] = 1,
    effort: Annotated[
        bool, typer.Option("--effort", help="Say how much search each takes: effort, not difficulty.")
    ] = False,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds for each puzzle.")] = 60.0,
    to: Annotated[
        Optional[str], typer.Option("--to", help="A format; see `satdoku formats`.", autocompletion=complete_format)
    ] = None,
    output: Output = None,
    as_json: AsJson = False,
    ascii: Ascii = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Worker processes.")] = 1,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
) -> None:
    """New puzzles, each with exactly one solution.

    Exit status: 0 all made, 2 input at fault or impossible, 3 some not found in the time, or not
    shown to be minimal.
    """
    from satdoku.generator import recipe
    from satdoku.generator.report import Layout, format_for

    if count < 1:
        raise InputError(f"--count {count}: expected 1 or more")
    if first < 1:
        raise InputError(f"--first {first}: expected 1 or more")
    validate(Budget(1, timeout))
    console.keep(output, rules, pattern)
    board = console.board(rules, rule or [], console.options(box, format, alphabet, False))
    asked = recipe.Recipe(
        board,
        None if givens is None else recipe.parse_givens(givens),
        minimal,
        symmetry,
        None if pattern is None else console.places(pattern, board),
        recipe.seed(seed),
        timeout,
        effort,
    )
    chosen = format_for(board, to, as_json, count > 1)
    boxed = to is None and output is None and chosen.name == "grid" and console.boxed(ascii)
    raise typer.Exit(
        console.generate(
            asked, range(first - 1, first - 1 + count), _jobs(jobs) or 1, Layout(chosen, as_json, boxed), output
        )
    )


@app.command()
def candidates(
    puzzles: Puzzles = None,
    limit: Annotated[int, typer.Option("--limit", help="Count the solutions of each value up to so many; 0: all.")] = 1,
    output: Pictures = None,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    timeout: Timeout = None,
    as_json: AsJson = False,
    ascii: Ascii = False,
) -> None:
    """The values of each cell that occur in some solution, and in how many.

    Exit status: 0 found, 1 some puzzle has no solution, 2 input at fault, 3 some were cut by the timeout.
    """
    from satdoku.setter.asked import Candidates

    question = Candidates(_limit(limit, False), timeout)
    validate(Budget(None, timeout))
    found, alone = console.opened(puzzles, console.options(box, format, alphabet, entered))
    raise typer.Exit(console.ask(question, found, Style(as_json, alone, boxed=console.boxed(ascii)), output))


@app.command()
def explain(
    puzzles: Puzzles = None,
    smallest: Annotated[
        bool, typer.Option("--smallest", help="Prove that no reason is smaller, as far as the timeout allows.")
    ] = False,
    output: Pictures = None,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    timeout: Annotated[float, typer.Option("--timeout", help="Seconds for each puzzle.")] = 60.0,
    as_json: AsJson = False,
    ascii: Ascii = False,
) -> None:
    """Why a puzzle has no solution, what would make it unique, or how its solution follows step by step.

    Exit status: 0 unique, 1 some puzzle has no solution or several, 2 input at fault, 3 some were cut
    by the timeout.
    """
    from satdoku.setter.asked import Explain

    validate(Budget(None, timeout))
    found, alone = console.opened(puzzles, console.options(box, format, alphabet, entered))
    question = Explain(smallest, timeout)
    raise typer.Exit(console.ask(question, found, Style(as_json, alone, boxed=console.boxed(ascii)), output))


@app.command()
def minimize(
    puzzles: Puzzles = None,
    seed: Annotated[int, typer.Option("--seed", help="Decides the order in which givens are tried.")] = 0,
    keep: Annotated[
        Optional[str], typer.Option("--keep", metavar="CELLS", help="Cells whose givens stay: r1c1,r5c5.")
    ] = None,
    symmetry: Annotated[Symmetry, typer.Option("--symmetry", help="Of the givens that are left.")] = Symmetry.NONE,
    witness: Annotated[
        bool, typer.Option("--witness", help="For each given that is left, a second solution without it.")
    ] = False,
    to: Annotated[
        Optional[str], typer.Option("--to", help="A format; see `satdoku formats`.", autocompletion=complete_format)
    ] = None,
    box: BoxShape = None,
    format: FormatName = None,
    alphabet: Alphabet = None,
    entered: Entered = False,
    timeout: Timeout = None,
    as_json: AsJson = False,
    ascii: Ascii = False,
) -> None:
    """Drop givens until each is needed for the solution to be the only one.

    Exit status: 0 minimal, 1 some puzzle has no solution or several, 2 input at fault, 3 some were not
    finished in the time.
    """
    from satdoku.setter.asked import Minimize

    question = Minimize(seed, keep, symmetry, timeout, to, witness)
    validate(Budget(None, timeout))
    found, alone = console.opened(puzzles, console.options(box, format, alphabet, entered))
    raise typer.Exit(console.ask(question, found, Style(as_json, alone, boxed=console.boxed(ascii))))


@app.command("backends")
def list_backends(as_json: AsJson = False) -> None:
    """The engines, whether each is installed, and what it can do."""
    from satdoku import tables

    tables.backends(as_json)


@app.command("encodings")
def list_encodings(
    names: Annotated[
        Optional[list[str]],
        typer.Argument(
            metavar="[NAMES]...", help="Such as extended+product; all if none.", autocompletion=complete_encoding
        ),
    ] = None,
    box: BoxShape = None,
    as_json: AsJson = False,
) -> None:
    """The ways to write a board as clauses, their size formulas, and their size for a board (9x9 unless --box)."""
    from satdoku import tables

    tables.encodings(Box(3, 3) if box is None else Box.parse(box), names or [], as_json)


@app.command("formats")
def list_formats(as_json: AsJson = False) -> None:
    """The texts that are read and written, and which are found out without --format."""
    from satdoku import tables

    tables.formats(as_json)


def _limit(limit: int, every: bool) -> int | None:
    """The limit as asked for: None is all."""
    if limit < 0:
        raise InputError(f"--limit {limit}: expected 0 (all) or more")
    return None if every or limit == 0 else limit


def _side(cell: float | None, on_sheets: bool) -> float | None:
    """The side of a cell as asked for."""
    if cell is not None and on_sheets:
        raise InputError("--cell and --sheet exclude each other: cells on a sheet are as large as their place allows")
    if cell is not None and not 1 <= cell <= 100:
        raise InputError(f"--cell {cell:g}: expected 1 to 100 millimetres")
    return cell


def _encoding(encoding: str | None, reduce: bool) -> str | None:
    """The encoding as asked for, with what --reduce adds to it."""
    if not reduce:
        return encoding
    from satdoku.encoders.cnf import DEFAULT, REDUCED

    name = DEFAULT if encoding is None else encoding
    return name if REDUCED in name.split("+") else f"{name}+{REDUCED}"


def _jobs(jobs: int | None) -> int | None:
    if jobs is not None and jobs < 1:
        raise InputError(f"--jobs {jobs}: expected 1 or more")
    return jobs
