"""What the variables of a CNF mean: as comment lines in it, as JSON beside it, and back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from satdoku import formats
from satdoku.encoders.cnf import Cnf
from satdoku.errors import InputError, Refused
from satdoku.exports import heading
from satdoku.puzzle import Board, Puzzle
from satdoku.version import __version__

Conjunctions = dict[int, dict[int, tuple[int, ...]]]
"""cell -> value -> the literals that together say cell = value; none of them: it is decided."""

TEXTS = ("line", "toml")
"""Formats that a puzzle is noted down in, the first that can hold it."""

PLACE = re.compile(r"r([1-9]\d{0,5})c([1-9]\d{0,5})")
WRITTEN_BY = "satdoku "


@dataclass(frozen=True)
class VariableMap:
    """The meaning of a CNF's variables.

    encoding:  its name and the version of satdoku that wrote it
    variables: how many variables the CNF has, those that belong to no cell included
    literals:  values that a cell cannot hold are left out
    puzzle:    the puzzle; where its rules are not known, a board without constraints
    noted:     the puzzle as (format, text); None where no text can hold its rules, or none was given
    """

    encoding: str
    version: str
    variables: int
    literals: Conjunctions
    puzzle: Puzzle
    noted: tuple[str, str] | None

    @cached_property
    def _names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for cell, values in self.literals.items():
            label = self.puzzle.board.label(cell)
            for value, conjunction in values.items():
                for literal in conjunction:
                    single = len(conjunction) == 1
                    if single or literal not in names:
                        names[literal] = f"{label}={value}" if single else f"of {label}"
        return names

    def name(self, literal: int) -> str:
        """`literal 7 (r1c1=7)`, for people."""
        if literal in self._names:
            return f"literal {literal} ({self._names[literal]})"
        if -literal in self._names:
            meaning = self._names[-literal]
            return f"literal {literal} ({meaning if meaning.startswith('of ') else f'not {meaning}'})"
        return f"literal {literal} (of no cell)"


def map_of(cnf: Cnf, puzzle: Puzzle) -> VariableMap:
    """The map of an encoded puzzle. Looking up literals adds nothing to the clauses."""
    board = puzzle.board
    literals: Conjunctions = {
        cell: {value: cnf.variables.literals(cell, value) for value in cnf.variables.values(cell)}
        for cell in range(board.cells)
    }
    return VariableMap(cnf.encoding, __version__, cnf.clauses.variables, literals, puzzle, _noted(puzzle))


def comments(names: VariableMap) -> Iterator[str]:
    """The comment lines of a CNF, without their `c`, from which `from_comments` restores the map.

    `varname 7 r1c1=7` is a variable; `value r1c1=2 -5 6` a value that is said by several literals,
    by the negation of one, or by none because it is decided.
    """
    yield from heading(names.puzzle, f"encoding {names.encoding}")
    if names.noted is not None:
        format, text = names.noted
        yield f"format {format}"
        for line in text.splitlines():
            yield f"| {line}"
    label = names.puzzle.board.label
    for cell, values in names.literals.items():
        for value, conjunction in values.items():
            if len(conjunction) == 1 and conjunction[0] > 0:
                yield f"varname {conjunction[0]} {label(cell)}={value}"
            else:
                yield " ".join(["value", f"{label(cell)}={value}", *map(str, conjunction)])


def from_comments(lines: Iterable[str], variables: int) -> VariableMap | None:
    """The map that the comments of a CNF state; None if satdoku did not write it.

    Raises InputError if satdoku did and they have been changed.
    """
    fields: dict[str, str] = {}
    text: list[str] = []
    cells: dict[str, dict[str, list[int]]] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "|":
            text.append(rest)
        elif word in ("varname", "value"):
            parts = rest.split()
            place, literals = (parts[1:2], parts[:1]) if word == "varname" else (parts[:1], parts[1:])
            label, _, value = (place or [""])[0].partition("=")
            if not all(re.fullmatch(r"-?[1-9]\d{0,9}", literal) for literal in literals):
                raise InputError(f"comment 'c {line}': expected literals")
            cells.setdefault(label, {})[value] = [int(literal) for literal in literals]
        else:
            fields.setdefault(word, rest)
    version, comma, encoding = fields.get("satdoku", "").partition(", encoding ")
    head = re.fullmatch(r"(.*): (\d{1,9}) cells, (\d{1,9}) values, (\d{1,9}) columns", fields.get("puzzle", ""))
    if not comma or head is None:
        return None
    shape = Board(int(head[2]), int(head[3]), int(head[4]), ())
    name = head[1].encode().decode("unicode_escape")
    noted = (fields.get("format", ""), "\n".join(text)) if text else None
    return _checked(encoding, version, variables, cells, noted, shape, name)


def to_json(names: VariableMap) -> str:
    """The map as a JSON object, with a final newline."""
    board = names.puzzle.board
    cells = {
        board.label(cell): {str(value): list(literals) for value, literals in values.items()}
        for cell, values in names.literals.items()
    }
    record = {
        "encoding": names.encoding,
        "version": names.version,
        "variables": names.variables,
        "board": {"cells": board.cells, "values": board.values, "columns": board.columns},
        "puzzle": {"name": names.puzzle.name} | dict(zip(("format", "text"), names.noted or (), strict=False)),
        "cells": cells,
    }
    return json.dumps(record, ensure_ascii=False) + "\n"


def from_json(text: str) -> VariableMap:
    """The map in a JSON text. Only `cells` is required; raises InputError naming what is wrong."""
    try:
        record: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"not JSON: {error}") from None
    cells = record.get("cells") if isinstance(record, dict) else None
    if not isinstance(cells, dict) or not all(isinstance(values, dict) for values in cells.values()):
        raise InputError('expected {"cells": {"r1c1": {"1": [literals], ...}, ...}}, as `export --map` writes')
    about = record.get("puzzle")
    about = about if isinstance(about, dict) else {}
    name = str(about.get("name", "puzzle"))
    noted = (str(about.get("format")), str(about["text"])) if "text" in about else None
    shape = _shape(record.get("board"), cells)
    most = record.get("variables", 0)
    if not isinstance(most, int):
        raise InputError(f"variables {most!r}: expected a number")
    encoding, version = (str(record.get(key, "")) for key in ("encoding", "version"))
    return _checked(encoding, version, most, cells, noted, shape, name)


def _shape(stated: Any, cells: dict[str, dict[str, Any]]) -> Board:
    """The board as stated, else the smallest rectangle that has all cells named."""
    if isinstance(stated, dict):
        numbers = [stated.get(key) for key in ("cells", "values", "columns")]
        sound = [number for number in numbers if isinstance(number, int) and 0 < number < 10**7]
        if len(sound) == 3:
            return Board(sound[0], sound[1], sound[2], ())
        raise InputError(f"board {stated!r}: expected cells, values and columns, as numbers")
    places = [place for label in cells if (place := PLACE.fullmatch(label))]
    values = [int(value) for row in cells.values() for value in row if re.fullmatch(r"[1-9]\d{0,5}", value)]
    rows, columns = (max((int(place[group]) for place in places), default=1) for group in (1, 2))
    return Board(rows * columns, max(values, default=1), columns, ())


def _checked(
    encoding: str,
    version: str,
    variables: int,
    cells: dict[str, dict[str, Any]],
    noted: tuple[str, str] | None,
    shape: Board,
    name: str,
) -> VariableMap:
    unruled = Puzzle(shape, (shape.every_value,) * shape.cells, name)
    puzzle = unruled if noted is None else _restored(*noted, name)
    board = puzzle.board
    literals: Conjunctions = {}
    for label, values in cells.items():
        place = PLACE.fullmatch(label)
        cell = (int(place[1]) - 1) * board.columns + int(place[2]) - 1 if place else -1
        if place is None or int(place[2]) > board.columns or cell >= board.cells:
            raise InputError(f"{label!r} is no cell of the board: expected r1c1 to {board.label(board.cells - 1)}")
        row = literals.setdefault(cell, {})
        for value, conjunction in values.items():
            if not re.fullmatch(r"[1-9]\d{0,5}", value) or int(value) > board.values:
                raise InputError(f"{label}={value}: expected a value of 1..{board.values}")
            fits = isinstance(conjunction, list) and all(
                type(literal) is int and literal and (not variables or abs(literal) <= variables)
                for literal in conjunction
            )
            if not fits:
                most = f" up to {variables}" if variables else ""
                raise InputError(f"{label}={value} is {conjunction!r}: expected a list of literals{most}")
            row[int(value)] = tuple(conjunction)
    return VariableMap(encoding, version, variables, literals, puzzle, noted)


def _noted(puzzle: Puzzle) -> tuple[str, str] | None:
    """A format and the text in it from which exactly this puzzle can be read; None if none holds it."""
    for format in TEXTS:
        try:
            text = formats.write(puzzle, format)
            again = formats.read(text, format=format)
        except (Refused, InputError):
            continue
        if again.candidates == puzzle.candidates and again.board == puzzle.board:
            return format, text
    return None


def _restored(format: str, text: str, name: str) -> Puzzle:
    try:
        return formats.read(text, format=format, name=name)
    except InputError as error:
        raise InputError(f"the puzzle noted in it cannot be read: {error}") from None
