"""Tables for people, by rich, and the same as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from statistics import median

from rich.console import Console
from rich.table import Table

from satdoku import backends as engines
from satdoku.bench import Contender, Run
from satdoku.encoders import cnf
from satdoku.errors import Disagreement
from satdoku.formats import formats as known_formats
from satdoku.variants.boxes import Box, classic
from satdoku.verdict import Verdict, agree


def backends(as_json: bool) -> None:
    """Every backend: whether it is installed, and what it can do."""
    table = _table("backend", "installed", "encoding", "what it can do")
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
                "summary": engine.summary,
                "default": engine.name == engines.DEFAULT,
            }
            print(json.dumps({key: value for key, value in record.items() if value is not None}))
            continue
        words = [engine.summary if not engine.encodes else "", ", ".join(engine.abilities)]
        words.append(f"argument: {engine.argument}" if engine.argument else "")
        words.append(f"here: {', '.join(engine.forms()) or 'none'}" if engine.forms else "")
        name = f"{engine.name} (default)" if engine.name == engines.DEFAULT else engine.name
        table.add_row(name, absent or "yes", "yes" if engine.encodes else "", "; ".join(filter(None, words)))
    if not as_json:
        Console().print(table)


def encodings(box: Box, as_json: bool) -> None:
    """Every encoding: what it says, where it is from, and its size for the plain board of such boxes."""
    table = _table("encoding", "what it says", "variables", "clauses", "from")
    for encoding in cnf.encodings().values():
        clauses = cnf.encode(classic(box.rows, box.columns), encoding.name).clauses
        if as_json:
            record = {
                "encoding": encoding.name,
                "box": str(box),
                "variables": clauses.variables,
                "clauses": len(clauses),
                "summary": encoding.summary,
                "paper": encoding.paper,
                "default": encoding.name == cnf.DEFAULT,
            }
            print(json.dumps(record))
            continue
        name = f"{encoding.name} (default)" if encoding.name == cnf.DEFAULT else encoding.name
        table.add_row(name, encoding.summary, f"{clauses.variables}", f"{len(clauses)}", encoding.paper)
    if not as_json:
        table.caption = f"sizes for {box.size}x{box.size} with {box} boxes, without givens"
        Console().print(table)


def formats(as_json: bool) -> None:
    """Every format: what it looks like, and whether it is found out by itself."""
    table = _table("format", "what it looks like", "a puzzle a line", "found out")
    for one in known_formats().values():
        if as_json:
            record = {"format": one.name, "summary": one.summary, "one_line": one.one_line, "found_out": not one.asked}
            print(json.dumps(record))
            continue
        table.add_row(one.name, one.summary, "yes" if one.one_line else "", "" if one.asked else "yes")
    if not as_json:
        Console().print(table)


def bench(runs: Iterable[Run], as_json: bool) -> Iterator[tuple[str, int]]:
    """Print what was measured; yield each complaint and the exit status that it means."""
    rows: list[Run] = []
    for run in runs:
        rows.append(run)
        if as_json:
            print(json.dumps(_record(run)), flush=True)
    if not as_json:
        _print_bench(rows)
    yield from _complaints(rows)


def _record(run: Run) -> dict[str, object]:
    return {
        "puzzle": run.puzzle,
        "backend": run.contender.backend,
        "encoding": run.contender.encoding,
        "verdict": run.outcome.verdict.value,
        "encode_seconds": round(run.encode_seconds, 6),
        "search_seconds": round(run.outcome.seconds, 6),
    }


def _print_bench(rows: list[Run]) -> None:
    table = _table("backend", "encoding", "puzzles", "verdicts", "encode ms", "search ms", "slowest ms")
    by_contender: dict[Contender, list[Run]] = {}
    for run in rows:
        by_contender.setdefault(run.contender, []).append(run)
    for contender, runs in by_contender.items():
        verdicts = [run.outcome.verdict for run in runs]
        told = ", ".join(f"{verdicts.count(v)} {v.value}" for v in Verdict if v in verdicts)
        search = [1000 * run.outcome.seconds for run in runs]
        encode = median(1000 * run.encode_seconds for run in runs)
        figures = f"{encode:.2f}", f"{median(search):.2f}", f"{max(search):.2f}"
        table.add_row(contender.backend, contender.encoding or "", f"{len(runs)}", told, *figures)
    table.caption = "medians; each puzzle on a fresh backend; a search cut by the timeout counts as undecided"
    Console().print(table)


def _complaints(rows: list[Run]) -> Iterator[tuple[str, int]]:
    """Disagreements between contenders on one puzzle, and whether any search was cut."""
    decided: dict[str, Run] = {}
    for run in rows:
        if run.outcome.verdict is Verdict.UNDECIDED:
            continue
        first = decided.setdefault(run.puzzle, run)
        try:
            agree(first.outcome, run.outcome, run.puzzle)
        except Disagreement as error:
            yield str(error), error.status
    cut = sum(run.outcome.verdict is Verdict.UNDECIDED for run in rows)
    if cut:
        yield f"{cut} of {len(rows)} searches were cut by the timeout", 3
    contenders = len({run.contender for run in rows})
    if contenders > 1 and len(decided) > 0:
        yield f"{len(decided)} puzzle{'' if len(decided) == 1 else 's'} decided by {contenders} contenders", 0


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", caption_justify="left")
    for column in columns:
        numeric = column in {"variables", "clauses", "puzzles"} or column.endswith(" ms")
        table.add_column(column, justify="right" if numeric else "left", no_wrap=numeric)
    return table
