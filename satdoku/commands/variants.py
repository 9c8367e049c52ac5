"""`satdoku variants`: the kinds of marks that puzzles may have."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from satdoku.commands import Command
from satdoku.commands.options import AsJson, composed
from satdoku.errors import unknown
from satdoku.variants import named, records


@composed
def command(
    names: Annotated[
        list[str] | None, typer.Argument(help="These alone; by name or alias.", metavar="[NAME]...")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The kinds of marks: what each is made of, and what it says."""
    known = named()
    for name in names or ():
        if name not in known:
            raise unknown("variant", name, known, "satdoku variants")
    wanted = {known[name].name for name in names or known}
    for record in records():
        if record["name"] not in wanted:
            continue
        if as_json:
            print(json.dumps(record))
            continue
        others = f", also {', '.join(record['aliases'])}" if record["aliases"] else ""
        made = ": ".join(filter(None, (record["shape"], record["argument"])))
        print(f"{record['name']}{others}\n    {made}\n    {record['sentence']}")


COMMANDS = (Command(name="variants", function=command, order=225),)
