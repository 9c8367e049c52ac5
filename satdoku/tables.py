"""Tables for people, by rich, and the same as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from satdoku import backends as engines
from satdoku.encoders import cnf
from satdoku.encoders.at_most_one import METHODS, Method
from satdoku.errors import InputError, Refused
from satdoku.formats import formats as known_formats
from satdoku.variants.boxes import Box, classic

MOST_CLAUSES = 5_000_000
"""Clauses up to which an encoding is written to be counted."""


def backends(as_json: bool) -> None:
    """Every backend: whether it is installed, and what it can do."""
    table = plain("backend", "installed", "encoding", "what it can do")
    for engine in engines.engines().values():
        absent = engine.absent()
        if as_json:
            record = {
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
                "default": engine.name == engines.DEFAULT,
            }
            print(json.dumps({key: value for key, value in record.items() if value is not None}))
            continue
        words = [engine.summary if not engine.encodes else "", ", ".join(engine.abilities)]
        words.append("certifies" if engine.prover is not None else "")
        words.append(f"argument: {engine.argument}" if engine.argument else "")
        words.append(f"here: {', '.join(engine.forms()) or 'none'}" if engine.forms else "")
        name = f"{engine.name} (default)" if engine.name == engines.DEFAULT else engine.name
        table.add_row(name, absent or "yes", "yes" if engine.encodes else "", "; ".join(filter(None, words)))
    if not as_json:
        Console().print(table)


def encodings(box: Box, names: Sequence[str], as_json: bool) -> None:
    """Encodings and at-most-one methods: what they say, their formulas, their size for the plain board of such boxes.

    names: encodings in any of their forms; all of them, and the methods, if there are none
    """
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
    board = classic(box.rows, box.columns)
    encoding = spec.encoding
    if spec.reduced:
        raise InputError(f"encoding {spec.name} is of one puzzle: `satdoku export -e {spec.name} PUZZLE` has its size")
    if cnf.at_most_one_size(board, spec) > MOST_CLAUSES:
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
    for told in filter(None, (formula, row.get("summary"), row["paper"])):
        console.print(Padding(escape(f"{told}"), (0, 0, 0, 4)))
    console.print()


def formats(as_json: bool) -> None:
    """Every format: what it looks like, and whether it is found out by itself."""
    table = plain("format", "what it looks like", "a puzzle a line", "found out")
    for one in known_formats().values():
        if as_json:
            record = {
                "format": one.name,
                "summary": one.summary,
                "one_line": one.one_line,
                "found_out": not one.explicit_only,
            }
            print(json.dumps(record))
            continue
        table.add_row(one.name, one.summary, "yes" if one.one_line else "", "" if one.explicit_only else "yes")
    if not as_json:
        Console().print(table)


def plain(*columns: str, numeric: Collection[str] = ("variables", "clauses")) -> Table:
    """A table without lines; numeric columns are flush right and never wrapped."""
    table = Table(box=None, pad_edge=False, header_style="bold", title_justify="left", caption_justify="left")
    for column in columns:
        number = column in numeric
        table.add_column(column, justify="right" if number else "left", no_wrap=number)
    return table
