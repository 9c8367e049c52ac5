"""Options that several commands have, one definition each, in groups: dataclasses whose fields are options.

A command names groups in its signature; `composed` makes of it a signature with their options, which typer reads.
"""

import inspect
import shlex
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass, replace
from functools import partial, wraps
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, TypeGuard, get_origin, get_type_hints

import typer

from satdoku import backends
from satdoku.batch.outputs import OutputPlan
from satdoku.batch.questions import Style
from satdoku.batch.runner import WorkerOptions
from satdoku.commands.puzzles import column_of, single
from satdoku.errors import InputError, unknown
from satdoku.formats import Options, find, formats
from satdoku.formats.cells import spelled
from satdoku.formats.marks import IGNORE
from satdoku.inputs.items import rule_marks
from satdoku.techniques.orders import ORDERS
from satdoku.terminal.texts import can_box, can_color
from satdoku.verdict import Verdict
from satdoku.words import joined

METAVARS = {"Path": "FILE", "int": "N", "float": "NUMBER", "str": "TEXT"}
"""What stands for a value in the help, by what the type of an option is called."""

OPTION = "option"  # in the metadata of a field: makes what typer knows of it, from its name and its type
JOINED = "joined"  # in the metadata of a field: whether what is given several times is one text, with commas
EXPECTED = "expected"  # in the metadata of a field: says what a value should be, empty for one that is right
INPUT, OUTPUT, ENGINE, MANY, PROOFS = "Input", "Output", "Engine", "Many puzzles", "Proofs"


def composed(function: Callable[..., None]) -> Callable[..., None]:
    """A command whose signature has the options of the groups that it names; a group may have groups."""
    hints = _hints(function)
    parameters = list(_parameters(hints, inspect.signature(function).parameters))
    parameters.sort(key=lambda parameter: parameter.default is not inspect.Parameter.empty)  # as Python wants it

    @wraps(function)
    def call(**values: Any) -> None:
        function(**_grouped(hints, values))

    del call.__wrapped__  # typer would look at the signature behind it
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    paragraphs = inspect.cleandoc(function.__doc__ or "").split("\n\n")
    call.__doc__ = "\n\n".join(part.replace("\n", " ") for part in paragraphs)  # the help breaks them itself
    return call


def _hints(group: Any) -> dict[str, Any]:
    """The types of what a command takes, or of a group's fields: of those that are options, or groups of them.

    What a class names stands in that order, and behind what it inherits alone.
    """
    hints = get_type_hints(group, include_extras=True)
    if not _is_group(group):
        return {name: hint for name, hint in hints.items() if name != "return"}
    chosen = [each.name for each in fields(group) if _is_option(each, hints[each.name])]
    own = [name for name in inspect.get_annotations(group) if name in chosen]
    return {name: hints[name] for name in [*(name for name in chosen if name not in own), *own]}


def _is_group(hint: Any) -> TypeGuard[type[Any]]:
    return isinstance(hint, type) and is_dataclass(hint)


def _is_option(each: Field[Any], hint: Any) -> bool:
    is_group = _is_group(hint) and each.default is each.default_factory is MISSING
    return OPTION in each.metadata or get_origin(hint) is Annotated or is_group


def _parameters(hints: Mapping[str, Any], given: Mapping[str, Any]) -> Iterator[inspect.Parameter]:
    """given: for each name the parameter or the field, which has its default"""
    for name, hint in hints.items():
        if _is_group(hint):
            yield from _parameters(_hints(hint), {each.name: each for each in fields(hint)})
            continue
        default = inspect.Parameter.empty if given[name].default is MISSING else given[name].default
        if isinstance(given[name], Field) and OPTION in given[name].metadata:
            several = given[name].metadata.get(JOINED, False)
            hint = Annotated[list[str] | None if several else hint, given[name].metadata[OPTION](name, hint)]
        yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=hint, default=default)


def _grouped(hints: Mapping[str, Any], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of options, those of a group as one. Raises InputError for one that is not as `option` says."""
    grouped = {}
    for name, hint in hints.items():
        if _is_group(hint):
            _check(hint, values)
            grouped[name] = hint(**_grouped(_hints(hint), {**values, **_joined(hint, values)}))
        else:
            grouped[name] = values[name]
    return grouped


def _check(group: type[Any], values: Mapping[str, Any]) -> None:
    for each in fields(group):
        value = values.get(each.name)
        if EXPECTED not in each.metadata or value is None:  # an argument, which may be given twice
            continue
        if isinstance(value, list):
            _check_list(each, [str(text) for text in value])
        expected = each.metadata[EXPECTED](value)
        if expected:
            raise InputError(f"--{each.name} {value}: expected {expected}")


def _check_list(each: Field[Any], texts: Sequence[str]) -> None:
    words = ",".join(texts).split(",") if each.metadata.get(JOINED) else texts
    for word, times in Counter(words).items():
        if times > 1:
            raise InputError(f"--{each.name} {word or repr(word)} is given {times} times: give it once")


def _expected(choices: Sequence[str], least: int | None, most: int | None, value: Any) -> str:
    if choices:
        return "" if value in choices else joined(choices, "or")
    if least is None or (least <= value and (most is None or value <= most)):
        return ""
    return f"{least} or more" if most is None else f"{least} to {most}"


def _joined(group: type[Any], values: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a group's options that add up."""
    names = [each.name for each in fields(group) if each.metadata.get(JOINED)]
    return {name: ",".join(values[name]) for name in names if values[name] is not None}


def option(
    panel: str | None,
    help: str,
    *names: str,
    default: Any = None,
    joined: bool = False,
    choices: Sequence[str] = (),
    least: int | None = None,
    most: int | None = None,
    **more: Any,
) -> Any:
    """A field that is an option, in a panel of the help. Names that are all short go beside `--` and the field's.

    joined: whether the text is a list with commas, to which an option that is given again adds
    choices: the words that it may be; least, most: the bounds of a number
    """
    long = any(name.startswith("--") for name in names)

    def made(name: str, hint: Any) -> Any:
        metavar = next((word for kind, word in METAVARS.items() if kind in str(hint)), None)
        names_of_it = names if long else (f"--{name}", *names)
        usual = {"metavar": metavar, "help": help, "rich_help_panel": panel, **more}
        return typer.Option(*names_of_it, dir_okay=usual["metavar"] != METAVARS["Path"], **usual)

    return field(
        default=default, metadata={OPTION: made, JOINED: joined, EXPECTED: partial(_expected, choices, least, most)}
    )


def argument(help: str, *, default: Any = None, **more: Any) -> Any:
    return field(default=default, metadata={OPTION: lambda name, hint: typer.Argument(help=help, **more)})


def completion(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Completes a name, or the last of several with commas between them."""

    def complete(incomplete: str) -> list[str]:
        done, comma, begun = incomplete.rpartition(",")
        return [done + comma + name for name in names() if name.startswith(begun)]

    return complete


def _encodings() -> Iterable[str]:
    from satdoku.encoders.cnf import encodings

    return encodings().all()


complete_backend, complete_encoding = completion(lambda: backends.engines().all()), completion(_encodings)
complete_format = completion(lambda: formats().all())
complete_technique = completion(lambda: ORDERS["satdoku"])


def seconds(text: str | float) -> float:
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"--timeout {text}: expected seconds, such as 2.5") from None
    if not (number > 0 and isfinite(number)):
        raise InputError(f"--timeout {text}: expected a number above 0, in seconds, such as 2.5")
    return number


def jobs(text: str | int) -> int:
    if not str(text).isascii() or not str(text).isdigit() or int(text) < 1:
        raise InputError(f"--jobs {text}: expected 1 or more worker processes")
    return int(text)


def _alias(panel: str, *names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, **more)


Puzzles = Annotated[
    list[str] | None,
    typer.Argument(help="Files, FILE:LINE, puzzles as text, or - for standard input.", show_default=False),
]
AsJson = Annotated[bool, _alias(OUTPUT, "--json", help="One JSON object a line.")]
AsCsv = Annotated[bool, _alias(OUTPUT, "--csv", help="CSV with a header.")]
Limit = Annotated[
    int | None, _alias(OUTPUT, "--limit", help="The most solutions to look for; 0 means all.", metavar="N")
]
All = Annotated[bool, _alias(OUTPUT, "--all", help="All solutions; the same as --limit 0.")]
Timing = Annotated[bool, _alias(OUTPUT, "--timing", help="Add the seconds that each search took.")]
Timeout = Annotated[
    float | None, _alias(ENGINE, "--timeout", help="Seconds for each puzzle.", parser=seconds, metavar="SECONDS")
]
CertificateTimeout = Annotated[
    float | None,
    _alias(
        PROOFS, "--timeout", help="Seconds for each certificate; 20000 if omitted.", parser=seconds, metavar="SECONDS"
    ),
]
FormatTo = Annotated[
    str | None,
    _alias(
        OUTPUT,
        "--to",
        help="The format to write; see `satdoku formats`.",
        metavar="FORMAT",
        autocompletion=complete_format,
    ),
]
OutputPath = Annotated[
    Path | None,
    _alias(
        OUTPUT, "--output", "-o", help="The file to write; standard output if omitted.", metavar="FILE", dir_okay=False
    ),
]
CheckerName = Annotated[
    str, _alias(PROOFS, "--checker", help="Who checks proofs: drat, lrat, rup, backward, ...", metavar="NAME")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatOptions:
    size: str | None = option(INPUT, "Rows x columns of the board, such as 6x8.", metavar="RxC")
    values: str | None = option(INPUT, "The first and the last value, such as 0-8.", metavar="A-B")
    box: str | None = option(INPUT, "Rows x columns of a box, such as 2x3, or none.", metavar="RxC")
    format: str | None = option(INPUT, "Read the text as this; see `satdoku formats`.", autocompletion=complete_format)
    alphabet: str | None = option(INPUT, "The characters of 1..N where a cell above 9 is one: 1-9A-G, A-P, 0-F.")
    entered: bool = option(INPUT, "Treat digits entered by the player as givens.", default=False)
    empty: str | None = option(INPUT, "The characters of empty cells, such as 0.", metavar="CHARACTERS")
    drawn: str | None = option(
        INPUT, f"{IGNORE}: read puzzles with rules that are only drawn, without these rules.", choices=(IGNORE,)
    )
    strict: bool = option(INPUT, "Refuse puzzles of which something is not enforced.", default=False)
    rule: list[str] | None = option(INPUT, "Add a rule of the whole board, such as anti-knight; may be repeated.")
    board: str | None = option(
        INPUT, "A puzzle whose marks are added to each puzzle; its givens are not.", metavar="FILE"
    )

    def options(self, timeout: float | None = None) -> Options:
        """What readers are asked for, within a timeout."""
        if self.format is not None:
            find(self.format)
        if self.alphabet is not None:
            spelled(self.alphabet)
        shape = Options(timeout=timeout).with_shape(self.size, self.values, self.box)
        if self.empty == "":
            raise InputError("--empty: expected the characters of empty cells, such as 0")
        options = replace(shape, format=self.format, alphabet=self.alphabet, entered=self.entered, empty=self.empty)
        options = replace(options, rules=rule_marks(self.rule or ()), drawn=self.drawn, strict=self.strict)
        return options if self.board is None else options.with_board(single(self.board, shape).board)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input(FormatOptions):
    column: str | None = option(INPUT, "Files are tables (CSV, TSV, Parquet): the column of the puzzles.")
    skip: int = option(INPUT, "Leave out the first puzzles.", default=0, metavar="N", least=0)
    head: int | None = option(INPUT, "Read at most this many puzzles.", metavar="N", least=1)

    def column_of(self, names: Sequence[str]) -> str | None:
        """The column of the puzzles, if these inputs are tables: the one that is named, or that all of them have."""
        return column_of(names) if self.column is None and self.format is None else self.column

    def span(self) -> tuple[int, int | None]:
        """How many puzzles are left out at the beginning, and how many are read at most."""
        return self.skip, self.head


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    backend: str | None = option(
        ENGINE, "NAME[:ARGUMENT]; see `satdoku backends`.", "-b", autocompletion=complete_backend
    )
    encoding: str | None = option(ENGINE, "See `satdoku encodings`.", "-e", autocompletion=complete_encoding)
    reduce: bool = option(ENGINE, "Leave out what the givens decide: +reduced of the encoding.", default=False)

    def encoding_name(self) -> str | None:
        """The encoding, with what --reduce adds to it."""
        if not self.reduce:
            return self.encoding
        from satdoku.encoders.cnf import DEFAULT, REDUCED

        name = DEFAULT if self.encoding is None else self.encoding
        return name if REDUCED in name.split("+") else f"{name}+{REDUCED}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Many:
    jobs: int | None = option(
        MANY,
        "Worker processes; 1 is this process. All cores if omitted, after a second of work.",
        "-j",
        parser=jobs,
        metavar="N",
    )
    cluster: str | None = option(MANY, "A dask scheduler whose workers do the work.", metavar="tcp://HOST:PORT")
    tls: tuple[str, str, str] | None = option(
        MANY, "Files for a cluster at tls://HOST:PORT.", metavar="CA CERTIFICATE KEY"
    )
    verbose: bool = option(OUTPUT, "Name the backends that answered, and say more.", "-v", default=False)
    quiet: bool = option(OUTPUT, "Print errors only: no notes and no summary.", "-q", default=False)
    summary: str = option(
        OUTPUT, "The form of the summary: text or json.", default="text", metavar="FORM", choices=("text", "json")
    )

    def __post_init__(self) -> None:
        if self.verbose and self.quiet:
            raise InputError("--verbose and --quiet: choose one")

    def work(self, timeout: float | None) -> WorkerOptions:
        return WorkerOptions(
            jobs=self.jobs, cluster=self.cluster, tls=self.tls or (), timeout=timeout, quiet=self.quiet
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    output: list[Path] | None = option(
        OUTPUT,
        "A file; its suffix chooses the form: .txt .json .jsonl .csv .tsv .parquet .arrow .feather .npy .npz, and"
        " of pictures .svg .png .pdf; text, JSON and CSV also with .gz or .zst. May be repeated.",
        "-o",
    )
    as_json: AsJson = False
    as_csv: AsCsv = False
    only: str | None = option(
        OUTPUT, "Print only these outcomes, separated by commas.", metavar="WORD,...", joined=True
    )
    errors: Path | None = option(OUTPUT, "A file for the errors of invalid puzzles, a line each.")
    resume: bool = option(MANY, "Go on with the unfinished file of --output.", default=False)
    ascii: bool = option(OUTPUT, "Draw grids in plain ASCII on a terminal too.", default=False)
    color: str = option(
        OUTPUT,
        "auto, always or never; auto is on a terminal, unless NO_COLOR is set.",
        default="auto",
        choices=("auto", "always", "never"),
    )

    def plan(self, **more: Any) -> OutputPlan:
        if self.as_json and self.as_csv:
            raise InputError("--json and --csv: choose one")
        form = "json" if self.as_json else "csv" if self.as_csv else "text"
        return OutputPlan(form=form, paths=tuple(self.output or ()), resume=self.resume, errors=self.errors, **more)

    @property
    def suffix(self) -> str:
        """That of files whose form no name says."""
        return ".jsonl" if self.as_json else ".csv" if self.as_csv else ".txt"

    def key(self) -> dict[str, str]:
        key = {"form": "--json" if self.as_json else "--csv" if self.as_csv else "text"}
        key |= {"--only": self.only} if self.only else {}
        return key | ({"--output": " ".join(map(str, self.output or ()))} if len(self.output or ()) > 1 else {})

    def style(self, alone: bool, verbose: bool = False) -> Style:
        color = can_color() if self.color == "auto" else self.color == "always"
        return Style(alone, can_box(self.ascii), terminal=sys.stdout.isatty(), color=color, verbose=verbose)

    def outcomes(self, known: Sequence[str]) -> frozenset[str]:
        words = frozenset(self.only.split(",")) if self.only is not None else frozenset()
        for word in words.difference(known):
            kind = "verdict" if Verdict.UNIQUE.value in known else "outcome"
            raise unknown(kind, word, map(shlex.quote, known))
        return words
