"""What there is: `satdoku backends`, `encodings`, `formats` and `variants`."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape
from rich.padding import Padding

from satdoku.backends import DEFAULT, engines
from satdoku.backends.schedule import GROWTH, POLICY, described
from satdoku.commands.options import INPUT, OUTPUT, AsJson, argument, complete_encoding, composed, option
from satdoku.errors import InputError, Refused, unknown
from satdoku.formats import formats as known_formats
from satdoku.terminal.texts import plain_table, show
from satdoku.variants import kinds, named
from satdoku.variants.boxes import Box, classic
from satdoku.variants.summaries import records

if TYPE_CHECKING:
    from rich.console import RenderableType

    from satdoku.encoders import cnf

MAX_COUNTED = 5_000_000  # clauses up to which an encoding is written to be counted


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendsOptions:
    policy: bool = option(OUTPUT, "Which engines the default asks what, in which order.", default=False)
    as_json: AsJson = False


@composed
def backends(chosen: BackendsOptions) -> None:
    """The engines, whether each is installed, and what it can do."""
    if not chosen.policy:
        _print(chosen.as_json, ("backend", "installed", "encoding", "what it can do"), _engines())
        return
    _print(chosen.as_json, ("question", "board", "engines"), _policy())
    if not chosen.as_json:
        show("Numbers: nodes of native, conflicts of others, in the first turn.")
        show(f"Each further turn, or round of searches, has {GROWTH} times as many.")


def _print(as_json: bool, columns: Sequence[str], rows: Iterable[tuple[dict[str, Any], Sequence[str]]]) -> None:
    """A record of each as a line of JSON, or its row in a table."""
    if not as_json:
        show(plain_table(columns, (row for _, row in rows)))
        return
    for record, _ in rows:
        print(json.dumps(record))


def _policy() -> Iterator[tuple[dict[str, Any], Sequence[str]]]:
    for question, policy in POLICY.items():
        boards: dict[str, list[str]] = {}
        for board, stages in policy.items():
            boards.setdefault(described(stages), []).append(board.value)
        for words, alike in boards.items():
            those = "any" if len(alike) == len(policy) else "; ".join(alike)
            record = {"question": question.value, "boards": alike, "policy": words}
            yield record, (question.value, those, words)


def _engines() -> Iterator[tuple[dict[str, Any], Sequence[str]]]:
    for engine in engines().all().values():
        absent, forms = engine.absent(), list(engine.forms()) if engine.forms else None
        record = {"backend": engine.name, "installed": absent is None, "reason": absent, "encoding": engine.encodes}
        record |= {"argument": engine.argument, "forms": forms, "seed": engine.seeded}
        record |= {"abilities": list(engine.abilities), "certifies": engine.prover is not None}
        record |= {"summary": engine.summary, "default": engine.name == DEFAULT}
        words = [engine.summary if not engine.encodes else "", ", ".join(engine.abilities)]
        words.append("certifies" if engine.prover is not None else "")
        words.append(f"argument: {engine.argument}" if engine.argument else "")
        words.append(f"here: {', '.join(forms)}" if forms else "")
        name = f"{engine.name} (default)" if engine.name == DEFAULT else engine.name
        row = name, absent or "yes", "yes" if engine.encodes else "", "; ".join(filter(None, words))
        yield {key: value for key, value in record.items() if value is not None}, row


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodingsOptions:
    names: list[str] | None = argument(
        "Such as extended+product; all if omitted.", metavar="[NAMES]...", autocompletion=complete_encoding
    )
    box: str | None = option(INPUT, "Rows x columns of a box, such as 2x3.", metavar="RxC")
    as_json: AsJson = False


@composed
def encodings(chosen: EncodingsOptions) -> None:
    """The ways to write a board as clauses, their size formulas, and their size for a board (9x9 unless --box)."""
    from satdoku.encoders import cnf
    from satdoku.encoders.at_most_one import METHODS

    box = Box(3, 3) if chosen.box is None else Box.parse(chosen.box)
    rows = [_encoding(cnf.find(name), box) for name in chosen.names or cnf.encodings().all()]
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
    show(*(part for row in rows for part in _size("encoding", row)))
    show(f"Sizes for {box.size}x{box.size} with {box} boxes, without givens; N = bh bw, P = N(N-1)/2.")
    if methods:
        show("A method for at-most-one goes behind the name, extended+product, and so does +reduced:\n")
        show(*(part for row in methods for part in _size("at_most_one", row)))
        show(f"Sizes for {box.size} literals; V and C: variables and clauses of the method over so many.")


def _encoding(spec: cnf.Spec, box: Box) -> dict[str, Any]:
    """The size is counted, and on boards too large to write, which only plain forms have, by the formula."""
    from satdoku.encoders import cnf

    board, encoding, plain = classic(box.rows, box.columns), spec.encoding, spec.method.name == cnf.PAIRWISE
    if spec.reduced:
        raise InputError(f"encoding {spec.name} is of one puzzle: `satdoku export -e {spec.name} PUZZLE` has its size")
    if cnf.at_most_one_size(board, spec) <= MAX_COUNTED:
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


def _size(kind: str, row: Mapping[str, Any]) -> Iterator[RenderableType]:
    name = f"{row[kind]} (default)" if row["default"] else f"{row[kind]}"
    yield f"[bold]{name:<25}[/bold]{row['variables']:>9} variables {row['clauses']:>10} clauses"
    formula = row["formula"] and f"formulas: {row['formula']}"
    for line in filter(None, (formula, row.get("summary"), row["paper"])):
        yield Padding(escape(f"{line}"), (0, 0, 0, 4), expand=False)
    yield ""


@composed
def formats(as_json: AsJson = False) -> None:
    """The texts that are read and written, and which are recognized without --format."""
    _print(as_json, ("format", "what it looks like", "a puzzle a line", "recognized by"), _formats())


def _formats() -> Iterator[tuple[dict[str, Any], Sequence[str]]]:
    for one in known_formats().all().values():
        record = {"format": one.name, "summary": one.summary, "one_line": one.one_line}
        record |= {"found_out": not one.explicit_only}
        record |= (
            {"recognized_by": one.sign.text, "confidence": one.sign.confidence.name.lower()} if one.sign.text else {}
        )
        yield record, (one.name, one.summary, "yes" if one.one_line else "", one.sign.text)


@composed
def variants(
    names: Annotated[
        list[str] | None, typer.Argument(help="Only these, by name or alias.", metavar="[NAME]...")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """The kinds of marks: what each is made of, and what it says."""
    kinds().all()
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
