"""The commands, one file each: its options, its question, its texts. A new command is one new file.

Each file offers `COMMANDS`, rows of the table below, and is called as its command or its group of commands, except
for those of `ELSEWHERE`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec

from satdoku.discovery import offered

ELSEWHERE = dict.fromkeys(("backends", "encodings", "formats", "variants"), "lists")
ELSEWHERE |= {"decode": "export", "explain": "minimize", "verify": "certify"}
"""The files of commands that stand beside others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: its name, the function that typer calls, where it stands in the help, and the group it is in."""

    name: str
    function: Callable[..., None]
    order: int
    group: str | None = None


@cache
def names() -> tuple[str, ...]:
    """The names of commands and groups, in the order of the help."""
    found = sorted(offered("satdoku.commands", "COMMANDS", Command), key=lambda command: command.order)
    return tuple(dict.fromkeys(command.group or command.name for command in found))


def named(name: str) -> tuple[Command, ...]:
    """The command of a name, or those of the group; none if there is neither. No file of another is imported."""
    module = f"{__name__}.{ELSEWHERE.get(name, name)}"
    if not name.isidentifier() or find_spec(module) is None:
        return ()
    found: tuple[Command, ...] = getattr(import_module(module), "COMMANDS", ())
    return tuple(command for command in found if name in (command.name, command.group))
