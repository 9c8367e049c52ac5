"""`satdoku help`: the help of a command, and all of it as a page for `man`."""

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import typer

from satdoku.commands.options import argument, composed, option
from satdoku.commands.records import EVERY, RECORDS, SUMMARY
from satdoku.errors import InputError
from satdoku.terminal.texts import plain_table, show
from satdoku.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    names: list[str] | None = argument("A command, or a group and a command.", metavar="COMMAND", show_default=False)
    man: bool = option(None, "Write a page for man: satdoku help --man > satdoku.1", default=False)
    records: bool = option(None, "What the fields of the command's JSON records are.", default=False)


@composed
def help(ctx: typer.Context, asked: Asked) -> None:
    """The help of a command; --man writes that of all commands as a page for man.

    With --records the fields of its JSON records; without COMMAND those that all have, and those of the summary.

    Exit status: 0 shown, 2 there is no such command, or it writes no records.
    """
    root = ctx.find_root()
    if asked.man:
        print("\n".join(_page(root.command, root)))
        return
    command: Any = root.command
    path = "satdoku"
    for name in asked.names or ():
        if not hasattr(command, "list_commands"):
            raise InputError(f"{path} has no commands of its own: see `{path} --help`")
        if name not in command.list_commands(root):
            raise command.unknown(root, name, path)
        command, path = command.command_of(name), f"{path} {name}"
    if asked.records:
        _show_records(asked.names or (), path)
        return
    command.make_context(path, ["--help"], help_option_names=root.help_option_names)


def _show_records(names: Sequence[str], path: str) -> None:
    """Tables of fields. Raises InputError for a command without records."""
    name = " ".join(names)
    if name and name not in RECORDS:
        raise InputError(f"{path} writes no records of JSON: expected one of {', '.join(list(RECORDS)[1:-1])}")
    for title in (name, EVERY) if name else (EVERY, SUMMARY):
        show(f"{title}:")
        rows = ((", ".join(field.names), field.type, field.meaning.replace("`", "")) for field in RECORDS[title])
        show(plain_table(("field", "type", "meaning"), rows))


def _page(root: Any, ctx: Any) -> Iterator[str]:
    """The page in the language of man, a section a command."""
    yield f'.TH SATDOKU 1 "" "satdoku {__version__}"'
    yield from (".SH NAME", f"satdoku \\- {_escaped(root.help)}", ".SH SYNOPSIS", ".B satdoku", ".I command options")
    for name in root.list_commands(ctx):
        command = root.command_of(name)
        for each in command.commands.values() if hasattr(command, "commands") else (command,):
            title = name if each is command else f"{name} {each.name}"
            yield f".SH {title.upper()}"
            for part in inspect.cleandoc(each.help or "").split("\n\n"):
                yield from (_escaped(part.replace("\n", " ")), ".PP")
            for param in each.params:
                shown = param.metavar or ("" if param.is_flag else "VALUE") if hasattr(param, "is_flag") else ""
                names = ", ".join([*param.opts, *param.secondary_opts])
                yield from (".TP", f".B {_escaped(names)} {_escaped(shown)}".rstrip())
                yield _escaped(getattr(param, "help", None) or "")


def _escaped(text: str) -> str:
    """Text in which nothing is a command of roff."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{plain}" if plain[:1] in (".", "'") else plain
