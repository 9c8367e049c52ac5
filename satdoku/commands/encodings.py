"""`satdoku encodings`: the ways to write a board as clauses, and their sizes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from satdoku.commands import Command
from satdoku.commands.options import INPUT, AsJson, argument, complete_encoding, composed, option
from satdoku.errors import InputError, Refused
from satdoku.variants.boxes import Box, classic

if TYPE_CHECKING:
    from satdoku.encoders import cnf

MAX_CLAUSES = 5_000_000  # clauses up to which an encoding is written to be counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    names: list[str] | None = argument(
        "Such as extended+product; all if omitted.", metavar="[NAMES]...", autocompletion=complete_encoding
    )
    box: str | None = option(INPUT, "Rows x columns of a box, such as 2x3.", metavar="RxC")
    as_json: AsJson = False


@composed
def command(chosen: Chosen) -> None:
    """The ways to write a board as clauses, their size formulas, and their size for a board (9x9 unless --box)."""
    from satdoku.encoders import cnf
    from satdoku.encoders.at_most_one import METHODS

    box = Box(3, 3) if chosen.box is None else Box.parse(chosen.box)
    rows = [_encoding(cnf.find(name), box) for name in chosen.names or cnf.encodings()]
    methods = []
    for method in () if chosen.names else METHODS.values():
        variables, clauses = method.size(box.size)
        fields = {"at_most_one": method.name, "literals": box.size, "variables": variables, "clauses": clauses}
        default = method.name == cnf.PAIRWISE
        methods.append({**fields, "formula": method.formula, "paper": method.paper, "default": default})
    if chosen.as_json:
        for row in (*rows, *methods):
            print(json.dumps(row))
        return
    console = Console(highlight=False)
    for row in rows:
        _print_size(console, "encoding", row)
    console.print(f"Sizes for {box.size}x{box.size} with {box} boxes, without givens; N = bh bw, P = N(N-1)/2.")
    if methods:
        console.print("A method for at-most-one goes behind the name, extended+product, and so does +reduced:\n")
        for row in methods:
            _print_size(console, "at_most_one", row)
        console.print(f"Sizes for {box.size} literals; V and C: variables and clauses of the method over so many.")


def _encoding(spec: cnf.Spec, box: Box) -> dict[str, Any]:
    """The size is counted, and on boards too large to write, which only plain forms have, by the formula."""
    from satdoku.encoders import cnf

    board, encoding, plain = classic(box.rows, box.columns), spec.encoding, spec.method.name == cnf.PAIRWISE
    if spec.reduced:
        raise InputError(f"encoding {spec.name} is of one puzzle: `satdoku export -e {spec.name} PUZZLE` has its size")
    if cnf.at_most_one_size(board, spec) <= MAX_CLAUSES:
        clauses = cnf.encode(board, spec).clauses
        variables, count = clauses.variables, len(clauses)
    elif plain:
        variables, count = encoding.size(box.rows, box.columns)
    else:
        raise Refused(f"encoding {spec.name} of {box.size}x{box.size}: too large to be written and counted")
    formula, default = encoding.formula if plain else None, spec.name == cnf.DEFAULT
    sizes = {"variables": variables, "clauses": count, "formula": formula, "summary": encoding.summary}
    more = {"reducible": encoding.reducible, "methods": encoding.methods, "default": default}
    return {"encoding": spec.name, "box": str(box), **sizes, "paper": encoding.paper, **more}


def _print_size(console: Console, kind: str, row: Mapping[str, Any]) -> None:
    name = f"{row[kind]} (default)" if row["default"] else f"{row[kind]}"
    console.print(f"[bold]{name:<25}[/bold]{row['variables']:>9} variables {row['clauses']:>10} clauses")
    formula = row["formula"] and f"formulas: {row['formula']}"
    for line in filter(None, (formula, row.get("summary"), row["paper"])):
        console.print(Padding(escape(f"{line}"), (0, 0, 0, 4)))
    console.print()


COMMANDS = (Command(name="encodings", function=command, order=210),)
