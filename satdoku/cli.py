"""The command line: one Typer app of the commands in `commands/`. No solver is imported before one is needed."""

import gc
import os
import re
import shlex
import sys
import warnings
from collections import Counter
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from satdoku.commands import GROUPS, OTHER_WORDS, named, summaries
from satdoku.errors import INTERRUPTED, InputError, SatdokuError, SatdokuWarning, meant, near_names, reason_of, unknown
from satdoku.terminal.messages import STANDARD_OUTPUT, say, say_interrupted, settle_signals, settle_streams
from satdoku.version import __version__

CLOSED_PIPE = 141
OTHER_OPTIONS = {
    **dict.fromkeys(("--engine", "--solver"), "--backend"),
    **dict.fromkeys(("--threads", "--workers", "--processes", "--cores", "--parallel"), "--jobs"),
    **dict.fromkeys(("--count", "--solutions", "-n"), "--limit"),
    **dict.fromkeys(("--number", "--amount"), "--count"),
    **dict.fromkeys(("--from", "--type", "--input-format"), "--format"),
    **dict.fromkeys(("--silent",), "--quiet"),
    **dict.fromkeys(("--seconds", "--time-limit"), "--timeout"),
    **dict.fromkeys(("--level", "--hard"), "--difficulty"),
    **dict.fromkeys(("--variant",), "--rule"),
}
"""What people call an option that has another name."""

NAME = re.compile(r"[\w-]*[^\W\d_][\w-]*")  # with a letter, which a puzzle in digits has not
MAX_SHOWN = 100  # characters of an argument in a message
WANTED = {"int": "a whole number, such as 3", "float": "a number, such as 2.5"}
"""What is wanted, by what typer calls it."""


class _ClosedPipe(Exception):
    """A BrokenPipeError under a name that typer does not turn into status 1."""


class _CheckedOptions:
    """Help in which an option without a value shows none; what no option takes is refused before any is read."""

    def get_params(self, ctx: Any) -> Any:
        params = super().get_params(ctx)  # type: ignore[misc]  # it is mixed into commands, which have it
        for param in params:
            if getattr(param, "is_flag", False) and param.metavar is None:
                param.metavar = ""
        return params

    def parse_args(self, ctx: Any, args: list[str]) -> Any:
        if not ctx.resilient_parsing:  # as completion parses, which refuses nothing
            try:
                values, _, order = self.make_parser(ctx).parse_args(args=list(args))  # type: ignore[attr-defined]  # as above
            except typer.TyperException as error:
                error.ctx = getattr(error, "ctx", None) or ctx  # type: ignore[attr-defined]  # the message names the command
                raise
            for param, times in Counter(order).items():
                _check_option(param, times, values[param.name])
        return super().parse_args(ctx, args)  # type: ignore[misc]  # as above


def _check_option(param: Any, times: int, value: Any) -> None:
    """Raise InputError for an option that is given several times and takes one value, and for a folder as a file.

    value: the text of an option, or the list of them
    """
    if param.param_type_name != "option" or param.is_eager:  # those end the command where they are met
        return
    name = "/".join([name for name in param.opts if name.startswith("--")] + param.secondary_opts)
    if times > 1 and not param.multiple:
        raise InputError(f"{name} is given {times} times: give it once")
    is_file = not getattr(param.type, "dir_okay", True)
    for text in (value if param.multiple else [value]) if is_file else ():
        if os.path.basename(text) in ("", os.curdir) or Path(text).is_dir():  # noqa: PTH119  Path drops the slash
            shown = text or "''"
            raise InputError(f"{name} {shown}: a directory, expected the name of a file to write")


class PlainCommand(_CheckedOptions, TyperCommand):
    pass


class PlainGroup(_CheckedOptions, TyperGroup):
    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        command = self.command_of(args[0])
        if command is None:
            raise self.unknown(ctx, args[0], ctx.command_path)
        return command.name, command, args[1:]

    def command_of(self, name: str) -> Any:
        """The command that is called so; None if there is none."""
        return self.commands.get(name)

    def unknown(self, ctx: Any, name: str, path: str) -> InputError:
        """The error for a name that no command of the group has, which `path` calls."""
        return unknown("command", name, self.list_commands(ctx), f"{path} --help")


def _mark(name: str) -> str:
    """Where the mark is described that a name means; nothing if it means none."""
    from satdoku.variants import named

    mark = meant(name, named())
    return f"about this mark, see `satdoku variants {mark[0]}`" if mark else ""


class CommandGroup(PlainGroup):
    """Imports a command when it is called; turns an error into one line on standard error and its exit status."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(summaries())

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """What the help and the completion of names show of a command."""
        return TyperCommand(cmd_name, help=summaries()[cmd_name]) if cmd_name in summaries() else None

    def command_of(self, name: str) -> Any:
        try:
            return _command(name)
        finally:
            if not gc.isenabled():  # as `satdoku.__main__` leaves it
                gc.freeze()  # what is imported is not garbage: not to look at it again, at the end too, saves 20 ms
                gc.enable()

    def unknown(self, ctx: Any, name: str, path: str) -> InputError:
        if not NAME.fullmatch(name) or os.path.exists(name):  # Path refuses some texts
            shown = shlex.quote(name) if name.isprintable() and len(name) <= MAX_SHOWN else "PUZZLE"
            return InputError(f"{name[:MAX_SHOWN]!r} is not a command: check a puzzle with `satdoku check {shown}`")
        known = self.list_commands(ctx)
        if not meant(name, known, OTHER_WORDS):
            mark = _mark(name)
            if mark:
                return InputError(f"{name!r} is not a command: {mark}")
        return unknown("command", name, known, f"{path} --help", OTHER_WORDS)

    def invoke(self, ctx: Any) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
            return result
        except BrokenPipeError:
            raise _ClosedPipe from None

    def main(self, *args: Any, **extra: Any) -> NoReturn:
        extra["standalone_mode"] = False
        settle_streams()
        settle_signals()
        warnings.showwarning = _show_warning
        try:
            try:
                status = super().main(*args, **extra) or 0
            finally:
                sys.stdout.flush()  # here an error is a message; at the end of Python it would be a traceback
        except SatdokuError as error:
            status = say(str(error), error.status, error.excerpt)
        except typer.TyperException as error:
            status = say(_usage(error), 2) if error.format_message() else 2  # else it was the help
        except (typer.Abort, KeyboardInterrupt):
            status = INTERRUPTED
        except SystemExit as stop:
            # Completion ends so too; else it is rich, whose word for a closed pipe is 1.
            closed = stop.code == 1 and "_SATDOKU_COMPLETE" not in os.environ
            status = CLOSED_PIPE if closed else int(stop.code or 0)
        except (_ClosedPipe, BrokenPipeError):
            _give_up_output()  # whoever read us has left
            status = CLOSED_PIPE
        except OSError as error:
            status = say(f"{error.filename or 'output'}: {reason_of(error)}", 2)
            if error.filename == STANDARD_OUTPUT:
                _give_up_output()
        if status == INTERRUPTED:
            say_interrupted()
        sys.exit(status)


def _give_up_output() -> None:
    """Nothing can be written any more; the flush at exit must not complain about it."""
    with suppress(OSError):  # it was closed before the start
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show_warning(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
    """A warning of satdoku as one line like its other messages; of others as Python shows it."""
    if issubclass(category, SatdokuWarning):
        say(str(message))
    else:
        _SHOW_WARNING(message, category, *place, **more)


_SHOW_WARNING = warnings.showwarning


def _usage(error: typer.TyperException) -> str:
    message = _wrong_value(error) or _unknown_option(error) or error.format_message().rstrip(".")
    message = re.sub(r"Got (unexpected extra argument)\(s\) \((.*)\)", r"\1: \2", message)
    message = re.sub(r"Option '([^']*)' requires an argument", r"\1 is without its value", message)
    message = re.sub(r"Missing (option|argument) '([^']*)'(?: / '\S*')?", r"\1 \2 is missing", message)
    option = getattr(error, "option_name", None) or ""
    if option and not option.strip("-0123456789.*_x"):
        return f"{message}; a puzzle that begins with '-' goes after --"
    context = getattr(error, "ctx", None)
    return f"{message}; see `{context.command_path if context else 'satdoku'} --help`"


def _unknown_option(error: typer.TyperException) -> str | None:
    """`unknown option --time: did you mean --timeout?`, where that is what is wrong."""
    name, context = getattr(error, "option_name", None), getattr(error, "ctx", None)
    if not hasattr(error, "possibilities") or name is None or context is None:
        return None
    known = [option for param in context.command.params for option in param.opts if option.startswith("--")]
    other = {word: option for word, option in OTHER_OPTIONS.items() if option in known}
    if isinstance(context.command, CommandGroup) and not meant(name, known):
        return f"unknown option {name}: what a command takes goes after its name"
    near = near_names(name, known, other) or _mark(name)
    return ": ".join(filter(None, (f"unknown option {name}", near)))


def _wrong_value(error: typer.TyperException) -> str | None:
    """`--count abc: expected a whole number`, where that is what is wrong."""
    names = getattr(getattr(error, "param", None), "opts", None)
    match = re.fullmatch(r"'(.*)' is not (?:a valid (int|float)|one of (.*?))\.?", getattr(error, "message", ""), re.S)
    if not names or match is None:
        return None
    value, kind, among = match.groups()
    wanted = WANTED[kind] if kind else "one of " + among.replace("'", "")
    return f"{names[0]} {value}: expected {wanted}"


app = typer.Typer(
    name="satdoku",
    cls=CommandGroup,
    help="Check, solve, count and generate Sudoku of any variant with SAT, CP-SAT and compiled search.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def _main(
    version: Annotated[
        bool, typer.Option("--version", "-V", help="Print the version and exit.", is_eager=True)
    ] = False,
) -> None:
    if version:
        print(f"satdoku {__version__}")
        raise typer.Exit


@cache
def _command(name: str) -> Any:
    """A command, or a group of them; None if there is neither."""
    commands = named(name)
    if not commands:
        return None
    app = typer.Typer(add_completion=False)
    if name in GROUPS:
        app = typer.Typer(cls=PlainGroup, add_completion=False, no_args_is_help=True, help=GROUPS[name])
        app.callback()(lambda: None)  # so that it is a group, whatever it holds
    for command in commands:
        app.command(command.name.split()[-1], cls=PlainCommand)(command.function())
    made = get_command(app)
    made.name = name
    return made
