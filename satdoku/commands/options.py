"""Options that several commands have, one definition each, in groups.

A command names groups in its signature; `composed` makes of it a signature with the options of each, which typer
reads, and gives the command the groups back.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from functools import wraps
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from satdoku import backends
from satdoku.batch.outputs import Plan
from satdoku.batch.questions import Style
from satdoku.batch.runner import Many as Work
from satdoku.errors import InputError, unknown
from satdoku.formats import Options, find, formats
from satdoku.formats.cells import spelled
from satdoku.inputs.rules import rule_marks
from satdoku.terminal.grids import can_box
from satdoku.variants.boxes import Box
from satdoku.verdict import Verdict

INPUT, OUTPUT, ENGINE, MANY, PROOFS = "Input", "Output", "Engine", "Many puzzles", "Proofs"


def composed(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose signature has the options of the groups that it names."""
    signature = inspect.signature(function)
    hints = get_type_hints(function, include_extras=True)
    groups: dict[str, tuple[type, list[str]]] = {}
    parameters: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        group = hints[name]
        if not is_dataclass(group):
            parameters.append(parameter.replace(kind=parameter.KEYWORD_ONLY, annotation=group))
            continue
        assert isinstance(group, type)
        groups[name] = group, [field.name for field in fields(group)]
        types = get_type_hints(group, include_extras=True)
        parameters += [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=types[field.name],
                default=inspect.Parameter.empty if field.default is MISSING else field.default,
            )
            for field in fields(group)
        ]

    @wraps(function)
    def call(**values: Any) -> None:
        for name, (group, names) in groups.items():
            values[name] = group(**{key: values.pop(key) for key in names})
        function(**values)

    del call.__wrapped__  # typer would look at the signature behind it
    # Parameters without a default stand first.
    parameters.sort(key=lambda parameter: parameter.default is not inspect.Parameter.empty)
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return call


def option(panel: str | None, *names: str, help: str, **more: Any) -> Any:
    """An option in a panel of the help."""
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


def complete_backend(incomplete: str) -> Iterable[str]:
    """Names of backends that go on as typed, after the last comma."""
    done, comma, begun = incomplete.rpartition(",")
    return [done + comma + name for name in backends.engines() if name.startswith(begun)]


def complete_encoding(incomplete: str) -> Iterable[str]:
    """Names of encodings that go on as typed, after the last comma."""
    from satdoku.encoders.cnf import encodings

    done, comma, begun = incomplete.rpartition(",")
    return [done + comma + name for name in encodings() if name.startswith(begun)]


def complete_format(incomplete: str) -> Iterable[str]:
    """Names of formats that go on as typed."""
    return [name for name in formats() if name.startswith(incomplete)]


def seconds(text: str | float) -> float:
    """A timeout; raises InputError for what is not a number above 0."""
    try:
        found = float(text)
    except ValueError:
        raise InputError(f"--timeout {text}: expected seconds, such as 2.5") from None
    if not (found > 0 and isfinite(found)):
        raise InputError(f"--timeout {text}: expected a number above 0, in seconds, such as 2.5")
    return found


def jobs(text: str | int) -> int:
    """A number of worker processes; raises InputError for what is not 1 or more."""
    if not str(text).isascii() or not str(text).isdigit() or int(text) < 1:
        raise InputError(f"--jobs {text}: expected 1 or more worker processes")
    return int(text)


Puzzles = Annotated[
    list[str] | None,
    typer.Argument(help="Files, FILE:LINE, puzzles as text, or - for standard input.", show_default=False),
]
OnePuzzle = Annotated[str, typer.Argument(help="A file of one puzzle, FILE:LINE, a puzzle as text, or -.")]
Timeout = Annotated[
    float | None, option(ENGINE, "--timeout", help="Seconds for each puzzle.", parser=seconds, metavar="SECONDS")
]
AsJson = Annotated[bool, option(OUTPUT, "--json", help="One JSON object a line.")]
Ascii = Annotated[bool, option(OUTPUT, "--ascii", help="Draw grids in plain ASCII on a terminal too.")]
Limit = Annotated[int, option(OUTPUT, "--limit", help="The most solutions to look for; 0 means all.")]
All = Annotated[bool, option(OUTPUT, "--all", help="All solutions; the same as --limit 0.")]
Timing = Annotated[bool, option(OUTPUT, "--timing", help="Add the seconds that each search took.")]
FormatTo = Annotated[
    str | None,
    option(OUTPUT, "--to", help="The format to write; see `satdoku formats`.", autocompletion=complete_format),
]
OutputFile = Annotated[
    Path | None, option(OUTPUT, "--output", "-o", help="The file to write; standard output if omitted.")
]
CheckerName = Annotated[str, option(PROOFS, "--checker", help="Who checks proofs: rup, dratify or drat-trim.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How texts are read."""

    box: Annotated[str | None, option(INPUT, "--box", help="Rows x columns of a box, such as 2x3.", metavar="RxC")] = (
        None
    )
    format: Annotated[
        str | None,
        option(INPUT, "--format", help="Read the text as this; see `satdoku formats`.", autocompletion=complete_format),
    ] = None
    alphabet: Annotated[
        str | None,
        option(INPUT, "--alphabet", help="The characters of 1..N where a cell above 9 is one: 1-9A-G, A-P, 0-F."),
    ] = None
    entered: Annotated[bool, option(INPUT, "--entered", help="Treat digits entered by the player as givens.")] = False
    empty: Annotated[
        str | None,
        option(INPUT, "--empty", help="The characters of empty cells, such as 0.", metavar="CHARACTERS"),
    ] = None
    rule: Annotated[
        list[str] | None,
        option(INPUT, "--rule", help="Add a rule of the whole board, such as anti-knight; may be repeated."),
    ] = None
    board: Annotated[
        str | None,
        option(
            INPUT, "--board", help="A puzzle whose marks are added to each puzzle; its givens are not.", metavar="FILE"
        ),
    ] = None

    def options(self) -> Options:
        """What the user said of the text; raises InputError where that cannot be."""
        from satdoku.commands.puzzles import single

        if self.format is not None:
            find(self.format)
        if self.alphabet is not None:
            spelled(self.alphabet)
        box = None if self.box is None else Box.parse(self.box)
        found = Options(
            box=box,
            format=self.format,
            alphabet=self.alphabet,
            entered=self.entered,
            empty=self.empty,
            rules=rule_marks(self.rule or ()),
        )
        if self.board is None:
            return found
        return replace(found, board=single(self.board, Options(box=box)).board)

    def key(self) -> dict[str, str]:
        """What `--resume` compares."""
        return key_of(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input(Reading):
    """How texts and tables are read."""

    column: Annotated[
        str | None, option(INPUT, "--column", help="Files are tables (CSV, TSV, Parquet): the column of the puzzles.")
    ] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """Who searches."""

    backend: Annotated[
        str | None,
        option(
            ENGINE, "--backend", "-b", help="NAME[:ARGUMENT]; see `satdoku backends`.", autocompletion=complete_backend
        ),
    ] = None
    encoding: Annotated[
        str | None,
        option(ENGINE, "--encoding", "-e", help="See `satdoku encodings`.", autocompletion=complete_encoding),
    ] = None
    reduce: Annotated[
        bool, option(ENGINE, "--reduce", help="Leave out what the givens decide: +reduced of the encoding.")
    ] = False

    def encoding_name(self) -> str | None:
        """The encoding, with what --reduce adds to it."""
        if not self.reduce:
            return self.encoding
        from satdoku.encoders.cnf import DEFAULT, REDUCED

        name = DEFAULT if self.encoding is None else self.encoding
        return name if REDUCED in name.split("+") else f"{name}+{REDUCED}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    """Who does the work of many puzzles."""

    jobs: Annotated[
        int | None,
        option(
            MANY,
            "--jobs",
            "-j",
            help="Worker processes; 1 is this process. All cores if omitted, after a second of work.",
            parser=jobs,
            metavar="N",
        ),
    ] = None
    cluster: Annotated[
        str | None,
        option(MANY, "--cluster", help="A dask scheduler whose workers do the work.", metavar="tcp://HOST:PORT"),
    ] = None
    tls: Annotated[
        tuple[str, str, str] | None,
        option(MANY, "--tls", help="Files for a cluster at tls://HOST:PORT.", metavar="CA CERTIFICATE KEY"),
    ] = None
    verbose: Annotated[bool, option(OUTPUT, "--verbose", "-v", help="Name the backends that answered.")] = False

    def work(self, timeout: float | None) -> Work:
        """The same, for the runner."""
        return Work(jobs=self.jobs, cluster=self.cluster, tls=self.tls or (), timeout=timeout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """What is written, and where."""

    output: Annotated[
        list[Path] | None,
        option(
            OUTPUT,
            "--output",
            "-o",
            help="A file; its suffix chooses the form: .txt .json .jsonl .csv .tsv .parquet, and of pictures .svg .png"
            " .pdf; text, JSON and CSV also with .gz or .zst. May be repeated.",
        ),
    ] = None
    as_json: AsJson = False
    as_csv: Annotated[bool, option(OUTPUT, "--csv", help="CSV with a header.")] = False
    only: Annotated[
        str | None,
        option(OUTPUT, "--only", help="Print these outcomes alone, separated by commas.", metavar="WORD,..."),
    ] = None
    resume: Annotated[bool, option(MANY, "--resume", help="Go on with the unfinished file of --output.")] = False
    ascii: Ascii = False

    def plan(self, **more: Any) -> Plan:
        """What a run writes; raises InputError for options that exclude each other."""
        if self.as_json and self.as_csv:
            raise InputError("--json and --csv: choose one")
        form = "json" if self.as_json else "csv" if self.as_csv else "text"
        return Plan(form=form, paths=tuple(self.output or ()), resume=self.resume, **more)

    def key(self) -> dict[str, str]:
        """What `--resume` compares."""
        found = {"form": "--json" if self.as_json else "--csv" if self.as_csv else "text"}
        found |= {"--only": self.only} if self.only else {}
        return found | ({"--output": " ".join(map(str, self.output or ()))} if len(self.output or ()) > 1 else {})

    def style(self, alone: bool) -> Style:
        """How text looks on standard output."""
        return Style(alone, can_box(self.ascii))

    def outcomes(self, known: Sequence[str]) -> frozenset[str]:
        """The outcomes of --only; raises InputError for a word that is not one."""
        words = frozenset(self.only.split(",")) if self.only is not None else frozenset()
        for word in words:
            if word not in known:
                kind = "verdict" if Verdict.UNIQUE.value in known else "outcome"
                raise unknown(kind, word, known, f"expected one of {', '.join(known)}")
        return words


def most(limit: int, every: bool) -> int | None:
    """The most solutions that --limit and --all ask for; None is all. Raises InputError for a negative number."""
    if limit < 0:
        raise InputError(f"--limit {limit}: expected 0 (all) or more")
    return None if every or limit == 0 else limit


def key_of(group: Any, **more: object) -> dict[str, str]:
    """The fields of a group of options that are not at their defaults, as option -> value."""
    found = {
        field.name: getattr(group, field.name)
        for field in fields(group)
        if field.default is MISSING or getattr(group, field.name) != field.default
    }
    return {f"--{name.replace('_', '-')}": _word(value) for name, value in {**found, **more}.items()}


def _word(value: object) -> str:
    if isinstance(value, list | tuple | set | frozenset):
        return " ".join(sorted(map(str, value)) if isinstance(value, set | frozenset) else map(str, value))
    return str(value)
