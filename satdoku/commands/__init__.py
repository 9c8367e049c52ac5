"""The commands, one file each: its options, its question, its texts. A new command is one new file.

Each file offers `COMMANDS`, rows of the table below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from satdoku.discovery import offered


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command: its name, the function that typer calls, where it stands in the help, and the group it is in."""

    name: str
    function: Callable[..., None]
    order: int
    group: str | None = None


@cache
def commands() -> tuple[Command, ...]:
    """Every command, in the order of the help."""
    return tuple(sorted(offered("satdoku.commands", "COMMANDS", Command), key=lambda command: command.order))
