"""`satdoku formats`: the texts that are read and written."""

import json

from rich.console import Console

from satdoku.commands import Command
from satdoku.commands.options import AsJson, composed
from satdoku.formats import formats
from satdoku.terminal.texts import plain_table


@composed
def command(as_json: AsJson = False) -> None:
    """The texts that are read and written, and which are recognized without --format."""
    table = plain_table("format", "what it looks like", "a puzzle a line", "recognized")
    for one in formats().values():
        if as_json:
            fields = {"format": one.name, "summary": one.summary, "one_line": one.one_line}
            print(json.dumps({**fields, "found_out": not one.explicit_only}))
        table.add_row(one.name, one.summary, "yes" if one.one_line else "", "" if one.explicit_only else "yes")
    if not as_json:
        Console().print(table)


COMMANDS = (Command(name="formats", function=command, order=220),)
