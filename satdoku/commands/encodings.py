"""`satdoku encodings`: the ways to write a board as clauses, and their sizes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding

from satdoku.commands import Command
from satdoku.commands.options import INPUT, AsJson, complete_encoding, composed, option
from satdoku.errors import InputError, Refused
from satdoku.variants.boxes import Box, classic

if TYPE_CHECKING:
    from satdoku.encoders import cnf
    from satdoku.encoders.at_most_one import Method

MAX_CLAUSES = 5_000_000
"""Clauses up to which an encoding is written to be counted."""


@composed
def command(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAMES]...", help="Such as extended+product; all if omitted.", autocompletion=complete_encoding
        ),
    ] = None,
    box: Annotated[
        str | None, option(INPUT, "--box", help="Rows x columns of a box, such as 2x3.", metavar="RxC")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The ways to write a board as clauses, their size formulas, and their size for a board (9x9 unless --box)."""
    _show(Box(3, 3) if box is None else Box.parse(box), names or [], as_json)


def _show(box: Box, names: Sequence[str], as_json: bool) -> None:
    """Encodings, and without names the at-most-one methods: what they say, formulas, sizes."""
    from satdoku.encoders import cnf
    from satdoku.encoders.at_most_one import METHODS

    rows = [_encoding(cnf.find(name), box) for name in names or cnf.encodings()]
    methods = [] if names else [_method(method, box.size) for method in METHODS.values()]
    if as_json:
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


def _encoding(spec: cnf.Spec, box: Box) -> dict[str, object]:
    """The size is counted, and on boards too large to write, which only plain forms have, by the formula."""
    from satdoku.encoders import cnf
    from satdoku.encoders.at_most_one import METHODS

    board = classic(box.rows, box.columns)
    encoding = spec.encoding
    if spec.reduced:
        raise InputError(f"encoding {spec.name} is of one puzzle: `satdoku export -e {spec.name} PUZZLE` has its size")
    if cnf.at_most_one_size(board, spec) > MAX_CLAUSES:
        if spec.method is not METHODS[cnf.PAIRWISE]:
            raise Refused(f"encoding {spec.name} of {box.size}x{box.size}: too large to be written and counted")
        variables, count = encoding.size(box.rows, box.columns)
    else:
        clauses = cnf.encode(board, spec).clauses
        variables, count = clauses.variables, len(clauses)
    return {
        "encoding": spec.name,
        "box": str(box),
        "variables": variables,
        "clauses": count,
        "formula": encoding.formula if spec.method is METHODS[cnf.PAIRWISE] else None,
        "summary": encoding.summary,
        "paper": encoding.paper,
        "reducible": encoding.reducible,
        "methods": encoding.methods,
        "default": spec.name == cnf.DEFAULT,
    }


def _method(method: Method, literals: int) -> dict[str, object]:
    from satdoku.encoders import cnf

    variables, clauses = method.size(literals)
    return {
        "at_most_one": method.name,
        "literals": literals,
        "variables": variables,
        "clauses": clauses,
        "formula": method.formula,
        "paper": method.paper,
        "default": method.name == cnf.PAIRWISE,
    }


def _print_size(console: Console, kind: str, row: dict[str, object]) -> None:
    name = f"{row[kind]} (default)" if row["default"] else f"{row[kind]}"
    console.print(f"[bold]{name:<25}[/bold]{row['variables']:>9} variables {row['clauses']:>10} clauses")
    formula = row["formula"] and f"formulas: {row['formula']}"
    for line in filter(None, (formula, row.get("summary"), row["paper"])):
        console.print(Padding(escape(f"{line}"), (0, 0, 0, 4)))
    console.print()


COMMANDS = (Command(name="encodings", function=command, order=210),)
