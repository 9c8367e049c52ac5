"""`satdoku formats`: the texts that are read and written."""

from __future__ import annotations

import json

from rich.console import Console
from rich.markup import escape

from satdoku.commands import Command
from satdoku.commands.options import AsJson, composed
from satdoku.formats import formats
from satdoku.terminal.tables import plain


@composed
def command(as_json: AsJson = False) -> None:
    """The texts that are read and written, and which are recognized without --format."""
    table = plain("format", "what it looks like", "a puzzle a line", "recognized by")
    for one in formats().values():
        if as_json:
            fields = {"format": one.name, "summary": one.summary, "one_line": one.one_line}
            known = {"recognized_by": one.sign, "confidence": one.confidence.name.lower()}
            print(json.dumps({**fields, "found_out": not one.explicit_only, **(known if one.sign else {})}))
        table.add_row(one.name, one.summary, "yes" if one.one_line else "", escape(one.sign))
    if not as_json:
        Console().print(table)


COMMANDS = (Command(name="formats", function=command, order=220),)
