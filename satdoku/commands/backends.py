"""`satdoku backends`: the engines, and what each can do."""

import json

from rich.console import Console

from satdoku.backends import DEFAULT, engines
from satdoku.commands import Command
from satdoku.commands.options import AsJson, composed
from satdoku.terminal.texts import plain_table


@composed
def command(as_json: AsJson = False) -> None:
    """The engines, whether each is installed, and what it can do."""
    table = plain_table("backend", "installed", "encoding", "what it can do")
    for engine in engines().values():
        absent, forms = engine.absent(), list(engine.forms()) if engine.forms else None
        if as_json:
            record = {"backend": engine.name, "installed": absent is None, "reason": absent, "encoding": engine.encodes}
            record |= {"argument": engine.argument, "forms": forms, "seed": engine.seeded}
            record |= {"abilities": list(engine.abilities), "certifies": engine.prover is not None}
            record |= {"summary": engine.summary, "default": engine.name == DEFAULT}
            print(json.dumps({key: value for key, value in record.items() if value is not None}))
        words = [engine.summary if not engine.encodes else "", ", ".join(engine.abilities)]
        words.append("certifies" if engine.prover is not None else "")
        words.append(f"argument: {engine.argument}" if engine.argument else "")
        words.append(f"here: {', '.join(forms) or 'none'}" if forms is not None else "")
        name = f"{engine.name} (default)" if engine.name == DEFAULT else engine.name
        table.add_row(name, absent or "yes", "yes" if engine.encodes else "", "; ".join(filter(None, words)))
    if not as_json:
        Console().print(table)


COMMANDS = (Command(name="backends", function=command, order=200),)
