"""`satdoku backends`: the engines, and what each can do."""

from __future__ import annotations

import json
from typing import Any

from satdoku import backends
from satdoku.backends import Engine
from satdoku.commands import Command
from satdoku.commands.options import AsJson, composed
from satdoku.terminal.tables import plain, show


@composed
def command(as_json: AsJson = False) -> None:
    """The engines, whether each is installed, and what it can do."""
    if as_json:
        for engine in backends.engines().values():
            print(json.dumps({key: value for key, value in _record(engine).items() if value is not None}))
        return
    table = plain("backend", "installed", "encoding", "what it can do")
    for engine in backends.engines().values():
        words = [engine.summary if not engine.encodes else "", ", ".join(engine.abilities)]
        words.append("certifies" if engine.prover is not None else "")
        words.append(f"argument: {engine.argument}" if engine.argument else "")
        forms = engine.forms() if engine.forms else ()
        words.append(f"here: {', '.join(forms)}" if forms else "")
        name = f"{engine.name} (default)" if engine.name == backends.DEFAULT else engine.name
        encodes = "yes" if engine.encodes else ""
        table.add_row(name, engine.absent() or "yes", encodes, "; ".join(filter(None, words)))
    show(table)


def _record(engine: Engine) -> dict[str, Any]:
    absent = engine.absent()
    return {
        "backend": engine.name,
        "installed": absent is None,
        "reason": absent,
        "encoding": engine.encodes,
        "argument": engine.argument,
        "forms": list(engine.forms()) if engine.forms else None,
        "seed": engine.seeded,
        "abilities": list(engine.abilities),
        "certifies": engine.prover is not None,
        "summary": engine.summary,
        "default": engine.name == backends.DEFAULT,
    }


COMMANDS = (Command(name="backends", function=command, order=200),)
