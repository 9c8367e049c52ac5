"""How TOML spells the rules that setters state themselves: each form as the plain fields of a mark."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from satdoku.errors import FormatError
from satdoku.formats.marks import shown
from satdoku.variants import Kind, Shape
from satdoku.variants.own import ALLOWED

Entry = dict[str, object]

TERM = re.compile(r"\s*([+-]?)\s*(\d{1,6})?\s*\*?\s*([rR]\d{1,3}[cC]\d{1,3}|\d{1,9})?\s*")
SIGN = re.compile(r"\s*(<=|>=|!=|=|<|>)?(.*)")


def text(entry: Entry, key: str, where: str) -> str:
    raw = entry.pop(key)
    if not isinstance(raw, str | int) or isinstance(raw, bool):
        raise FormatError(f"{where} has {key} = {shown(raw)}, expected a text")
    return str(raw)


def _renamed(key: str) -> Callable[[Entry, str], None]:
    def form(entry: Entry, where: str) -> None:
        if key in entry:
            entry["value"] = text(entry, key, where)

    return form


def _pair(entry: Entry, where: str) -> None:
    """`when`, or `allow`, a list such as ["1: 2 4", "2: 1"]; `loop = true` joins the last cell to the first."""
    rows = entry.pop("allow", None)
    if rows is not None:
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows) or "when" in entry:
            raise FormatError(f'{where}: expected when, or allow with a list such as ["1: 2 4", "2: 1"]')
        entry["value"] = ALLOWED + "; ".join(rows)
    _renamed("when")(entry, where)
    loop, line = entry.pop("loop", False), entry.get("line")
    if not isinstance(loop, bool):
        raise FormatError(f"{where} has loop = {shown(loop)}, expected true or false")
    if loop and isinstance(line, str) and line.split():
        entry["line"] = f"{line} {line.replace('-', ' ').split()[0]}"


def _automaton(entry: Entry, where: str) -> None:
    """`start`, `accept` and `steps`, a list such as ["even 2468 even", "even 13579 odd"]."""
    steps = entry.pop("steps", None)
    if steps is None:
        return
    if (
        not isinstance(steps, list)
        or not all(isinstance(step, str) for step in steps)
        or not {"start", "accept"} <= entry.keys()
    ):
        raise FormatError(f"{where}: expected start, accept, and steps with a list of STATE DIGITS STATE")
    ends = (f"start {text(entry, 'start', where)}", f"accept {text(entry, 'accept', where)}")
    entry["value"] = "; ".join((*ends, *steps))


def _count(entry: Entry, where: str) -> None:
    if "values" in entry and "is" in entry:
        entry["value"] = f"{text(entry, 'values', where)}: {text(entry, 'is', where)}"


def _sum(entry: Entry, where: str) -> None:
    """`terms`, `r1c1 + 2 r1c2 - r2c2`, and `is`, `>= 5`, `10 15 20` or `= r6c1 + 1`."""
    if "terms" not in entry or "is" not in entry:
        return
    cells, added = _terms(text(entry, "terms", where), where)
    found = SIGN.fullmatch(text(entry, "is", where))
    sign, right = (found[1] or "=", found[2]) if found else ("=", "")
    if len(right.split()) > 1 and all(word.lstrip("-").isdecimal() for word in right.split()):
        total = " ".join(str(int(word) - added) for word in right.split())
    else:
        others, more = _terms(right, where)
        cells += [(cell, -weight) for cell, weight in others]
        total = str(more - added)
    entry["cells"] = " ".join(cell for cell, _ in cells)
    entry["value"] = f"{' '.join(str(weight) for _, weight in cells)}: {sign} {total}"


def _terms(written: str, where: str) -> tuple[list[tuple[str, int]], int]:
    cells: list[tuple[str, int]] = []
    added = at = 0
    while at < len(written):
        found = TERM.match(written, at)
        if found is None or not (found[2] or found[3]) or (at and not found[1]):
            break
        weight = (-1 if found[1] == "-" else 1) * int(found[2] or 1)
        if found[3] is None:
            added += weight
        elif found[3].isdecimal():
            break
        else:
            cells.append((found[3], weight))
        at = found.end()
    if at < len(written) or not written.strip():
        raise FormatError(f"{where} has {written[at : at + 20]!r}, expected terms such as r1c1 + 2 r1c2 - r2c2")
    return cells, added


def _listed(entry: Entry, where: str) -> None:
    _renamed("count")(entry, where)


SPELLED: dict[str, Callable[[Entry, str], None]] = {
    "pair": _pair,
    "pair-all": _pair,
    "regex": _renamed("match"),
    "automaton": _automaton,
    "count": _count,
    "sum": _sum,
    "any": _listed,
    "all": _listed,
    "none": _listed,
    "exactly": _listed,
}
"""For each kind that people state themselves: what puts its own keys into those of every mark."""


def plain(kind: Kind, entry: object, where: str) -> object:
    """An entry with the keys of every mark; a list of marks is their table."""
    if kind.shape is Shape.MARKS and isinstance(entry, list):
        entry = {"of": entry}
    if kind.name in SPELLED and isinstance(entry, dict):
        entry = dict(entry)
        SPELLED[kind.name](entry, where)
    return entry


@dataclass(frozen=True, slots=True)
class Template:
    kind: str
    fields: Mapping[str, object]

    def filled(self, raw: object, name: str, cells_key: str | None, line_key: str | None) -> list[Entry]:
        """The entry of each of the texts that follow the name."""
        texts = raw if isinstance(raw, list) else [raw]
        if not all(isinstance(each, str) for each in texts):
            raise FormatError(f"{name}: expected texts, each with the cells of one mark")
        return [{"name": name, **self.fields, str(cells_key or line_key): each} for each in texts]


def templates(raw: object) -> dict[str, Template]:
    """The rules under `[define.NAME]`; raises FormatError for one that is not understood."""
    found: dict[str, Template] = {}
    keys = {"pair": "when", "pair-all": "when", "regex": "match", "sum": "value", "count": "value"}
    for name, table in raw.items() if isinstance(raw, dict) else [("define", raw)]:
        fields = dict(table) if isinstance(table, dict) else {}
        shape = fields.pop("shape", None)
        kind = next(iter(fields), "")
        if len(fields) != 1 or kind not in (*keys, "automaton") or shape not in (None, "line", "cells"):
            raise FormatError(f"define.{name}: expected one of {', '.join(keys)} and automaton, and perhaps a shape")
        if shape is not None and (shape == "cells") != (kind in ("pair-all", "sum", "count")):
            raise FormatError(f"define.{name}: shape is {shape}, which {kind} is not")
        value = fields[kind]
        if not isinstance(value, dict) and kind in keys:
            value = {keys[kind]: value}
        if not isinstance(value, dict):
            raise FormatError(f"define.{name}: {kind} is {shown(value)}, expected a table")
        found[name] = Template(kind, value)
    return found
