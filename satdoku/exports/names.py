"""DIMACS CNF, and what its variables mean: as comment lines in it, as JSON beside it, and back."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Annotated, Any

import msgspec

from satdoku import formats
from satdoku.constraints import Grid
from satdoku.encoders import dimacs
from satdoku.encoders.cnf import DEFAULT, PAIRWISE, REDUCED, Cnf, Encoding, at_most_one_size, encode, reduced_size
from satdoku.encoders.cnf import find as find_encoding
from satdoku.errors import InputError, Refused
from satdoku.exports import DEFAULT as TO
from satdoku.exports import Target, find, heading
from satdoku.inputs import items
from satdoku.limits import MAX_CLAUSES
from satdoku.puzzle import Board, Puzzle
from satdoku.version import __version__

LiteralsByValue = dict[int, dict[int, tuple[int, ...]]]  # cell -> value -> the literals that together say so
TEXTS = ("line", "toml")  # formats that a puzzle is noted down in, the first that can hold it
BOARD = re.compile(r"(.*): (\d{1,9}) cells, (\d{1,9}) values, (\d{1,9}) columns(?:, from (\d{1,3}))?")
PLACE = re.compile(r"r([1-9]\d{0,5})c([1-9]\d{0,5})")

CellCount = Annotated[int, msgspec.Meta(ge=1, lt=10**7)]


class _Shape(msgspec.Struct, frozen=True, omit_defaults=True):
    cells: CellCount
    values: CellCount
    columns: CellCount
    first_value: Annotated[int, msgspec.Meta(ge=0)] = 1
    layers: tuple[str, ...] = ()


class _Record(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON of a map. `puzzle` is its text in `format`; `cells`: label -> value -> the literals that say it."""

    encoding: str = ""
    version: str = ""
    variables: Annotated[int, msgspec.Meta(ge=0)] = 0
    board: _Shape | None = None
    source: str = "puzzle"
    line: Annotated[int, msgspec.Meta(ge=1)] | None = None
    format: str = ""
    puzzle: str | None = None
    cells: dict[str, dict[int, tuple[int, ...]]]


@dataclass(frozen=True, kw_only=True)
class VariableMap:
    """The meaning of a CNF's variables."""

    encoding: str  # its name and the version of satdoku that wrote it
    version: str
    variables: int  # how many variables the CNF has, those that belong to no cell included
    literals: LiteralsByValue  # values that a cell cannot hold are left out
    puzzle: Puzzle  # the puzzle; where its rules are not known, a board without constraints
    noted: tuple[str, str] | None  # the puzzle as (format, text); None where no text holds it, or none was given

    @cached_property
    def _names(self) -> dict[int, str]:
        names: dict[int, str] = {}
        for cell, values in self.literals.items():
            board = self.puzzle.board
            label = board.label(cell)
            for value, conjunction in values.items():
                for literal in conjunction:
                    single = len(conjunction) == 1
                    if single or literal not in names:
                        names[literal] = f"{label}={board.shown(value)}" if single else f"of {label}"
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
    each, many = cnf.variables, cnf.clauses.variables
    literals = {c: {v: each.literals(c, v) for v in each.values(c)} for c in range(puzzle.board.cells)}
    return VariableMap(
        encoding=cnf.encoding,
        version=__version__,
        variables=many,
        literals=literals,
        puzzle=puzzle,
        noted=_noted(puzzle),
    )


def comments(names: VariableMap) -> Iterator[str]:
    """The comment lines of a CNF, without their `c`, from which `from_comments` restores the map.

    `varname 7 r1c1=7` is a variable; `value r1c1=2 -5 6` a value that several literals stand for,
    by the negation of one, or by none because it is decided.
    """
    yield from heading(names.puzzle, f"encoding {names.encoding}")
    if names.noted is not None:
        form, text = names.noted
        yield f"format {form}"
        for line in text.splitlines():
            yield f"| {line}"
    board = names.puzzle.board
    for cell, values in names.literals.items():
        for value, conjunction in values.items():
            what = f"{board.label(cell)}={board.shown(value)}"
            if len(conjunction) == 1 and conjunction[0] > 0:
                yield f"varname {conjunction[0]} {what}"
            else:
                yield " ".join(["value", what, *map(str, conjunction)])


def from_comments(lines: Iterable[str], variables: int) -> VariableMap | None:
    """The map in the comments of a CNF; None if satdoku did not write it, InputError if they have been changed."""
    fields: dict[str, str] = {}
    text: list[str] = []
    cells: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        word, _, rest = line.partition(" ")
        if word == "|":
            text.append(rest)
        elif word in ("varname", "value"):
            parts = rest.split()
            place, literals = (parts[1:2], parts[:1]) if word == "varname" else (parts[:1], parts[1:])
            label, _, value = (place or [""])[0].partition("=")
            cells.setdefault(label, {})[value] = literals
        else:
            fields.setdefault(word, rest)
    version, comma, encoding = fields.get("satdoku", "").partition(", encoding ")
    head = BOARD.fullmatch(fields.get("puzzle", ""))
    if not comma or head is None:
        return None
    about = items.place(head[1].encode().decode("unicode_escape"))
    if text:
        about |= {"format": fields.get("format", ""), "puzzle": "\n".join(text)}
    board = dict(zip(("cells", "values", "columns", "first_value"), head.groups("1")[1:], strict=True))
    record = {"encoding": encoding, "version": version, "variables": variables, "board": board, **about}
    try:
        return _restored(msgspec.convert(record | {"cells": cells}, _Record, strict=False))
    except msgspec.ValidationError as error:
        raise InputError(f"its comments: {error}") from None


def to_json(names: VariableMap) -> str:
    """The map as a JSON object, with a final newline."""
    board, (form, text) = names.puzzle.board, names.noted or ("", None)
    about: dict[str, Any] = {**items.place(names.puzzle.name), "format": form, "puzzle": text}
    record = _Record(
        encoding=names.encoding,
        version=names.version,
        variables=names.variables,
        board=_Shape(board.cells, board.values, board.columns, board.first_value, board.layers),
        **about,
        cells={
            board.label(cell): {board.shown(value): literals for value, literals in values.items()}
            for cell, values in names.literals.items()
        },
    )
    return msgspec.json.encode(record).decode() + "\n"


def from_json(text: str) -> VariableMap:
    """The map in a JSON text. Only `cells` is required; raises InputError naming what is wrong."""
    try:
        return _restored(msgspec.json.decode(text.encode("utf-8", "replace"), type=_Record))
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"{error}: expected the JSON of a map of variables, as `export` writes it") from None


def _restored(record: _Record) -> VariableMap:
    """The map of a record; raises InputError for a cell, a value or a literal that the puzzle has not."""
    shape = record.board or _smallest(record.cells)
    board = Board(shape.cells, shape.values, shape.columns, (), first_value=shape.first_value, layers=shape.layers)
    name, noted = items.name_of(record.source, record.line), None
    puzzle = Puzzle(board, (board.every_value,) * board.cells, name)
    if record.puzzle is not None:
        noted = record.format, record.puzzle
        try:
            puzzle = formats.detect(record.puzzle, formats.Options(format=record.format)).puzzle
            puzzle = replace(puzzle, name=name)
        except InputError as error:
            raise InputError(f"the puzzle noted in it cannot be read: {error}") from None
    board = puzzle.board
    cells = {board.label(cell): cell for cell in range(board.cells)}
    for label, values in record.cells.items():
        if label not in cells:
            raise InputError(f"{label!r} is not a cell of the board: expected r1c1 to {board.label(board.cells - 1)}")
        for value, conjunction in values.items():
            if value not in board.size.digits:
                raise InputError(f"{label}={value}: expected a value of {board.size.span}")
            if 0 in conjunction or (record.variables and any(abs(one) > record.variables for one in conjunction)):
                most = f" up to {record.variables}" if record.variables else ""
                raise InputError(f"{label}={value} is {list(conjunction)!r}: expected a list of literals{most}")
    return VariableMap(
        encoding=record.encoding,
        version=record.version,
        variables=record.variables,
        literals={
            cells[label]: {value + 1 - board.first_value: literals for value, literals in values.items()}
            for label, values in record.cells.items()
        },
        puzzle=puzzle,
        noted=noted,
    )


def _smallest(cells: Mapping[str, Mapping[int, object]]) -> _Shape:
    places = [(int(place[1]), int(place[2])) for label in cells if (place := PLACE.fullmatch(label))]
    rows, columns = (max(part, default=1) for part in zip(*places, strict=True)) if places else (1, 1)
    return _Shape(rows * columns, max(1, *(value for values in cells.values() for value in values)), columns)


def _noted(puzzle: Puzzle) -> tuple[str, str] | None:
    """A format and the text in it from which exactly this puzzle can be read; None if none holds it."""
    for form in TEXTS:
        try:
            text = formats.write(puzzle, form, metadata=False)
            again = formats.detect(text, formats.Options(format=form)).puzzle
        except (Refused, InputError):
            continue
        if again.candidates == puzzle.candidates and again.board == puzzle.board:
            return form, text
    return None


def write(puzzle: Puzzle, encoding: str | Encoding | None, blocked: Sequence[Grid]) -> Iterator[str]:
    cnf = encoded(puzzle, encoding)
    return dimacs.write(cnf, puzzle, comments(map_of(cnf, puzzle)), blocked)


def write_weighted(puzzle: Puzzle, encoding: str | Encoding | None, blocked: Sequence[Grid]) -> Iterator[str]:
    cnf = encoded(puzzle, encoding)
    return dimacs.write_weighted(cnf, puzzle, comments(map_of(cnf, puzzle)), blocked)


def variable_map(
    puzzle: Puzzle, to: str = TO, encoding: str | None = None, blocked: Sequence[Grid] = ()
) -> VariableMap:
    """What the variables of such an export mean. Raises as `export`, and Refused where they bear names."""
    if not find(to, encoding).encodes:
        raise Refused(f"export {to} has no variable map: its variables bear the names of cells")
    cnf = encoded(puzzle, encoding)
    dimacs.blocking(cnf, blocked)  # which may take a variable
    return map_of(cnf, puzzle)


def encoded(puzzle: Puzzle, encoding: str | Encoding | None) -> Cnf:
    """The clauses of a puzzle. Raises InputError for an unknown encoding, Refused if it takes too many."""
    spec = find_encoding(DEFAULT if encoding is None else encoding)
    if not spec.reduced:
        clauses = at_most_one_size(puzzle.board, spec)
    else:
        clauses = reduced_size(puzzle) if spec.method.name == PAIRWISE else 0
    if clauses > MAX_CLAUSES:
        able = spec.encoding if spec.encoding.reducible else find_encoding(DEFAULT).encoding
        hint = f"the encoding {able.name}+{REDUCED} leaves out what the givens decide"
        raise Refused(
            f"{puzzle.name}: {clauses / 1e6:.0f} million clauses under {spec.name};"
            f" {'CP-SAT takes it as it is' if spec.reduced else hint}"
        )
    return encode(puzzle.board, spec, puzzle)


TARGETS = (
    Target(name="dimacs", summary="DIMACS CNF, for SAT solvers", write=write, encodes=True),
    Target(name="wcnf", summary="WCNF with soft givens, for MaxSAT solvers", write=write_weighted, encodes=True),
)
