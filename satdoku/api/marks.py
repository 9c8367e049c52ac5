"""Functions that make marks, one for each kind of the table: their names, parameters and texts follow from it.
`satdoku/marks.pyi` says the same to type checkers and editors; `tests/support/stub.py` writes it."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from inspect import Parameter, Signature
from typing import Any

from satdoku.errors import PuzzleError
from satdoku.formats.marks import cells_in, value_of
from satdoku.puzzle import Mark, Position
from satdoku.variants import Kind, Shape, kinds
from satdoku.variants.boxes import Box

NAMES = {  # the names of a kind's functions, where they are not the kind's own
    "159": ("rule_159",),
    "cage": ("cage", "killer_cage"),
    "diagonal+": ("rising_diagonal",),
    "diagonal-": ("falling_diagonal",),
}
VALUES = {"boxes": "shape", "quadruple": "values", "skyscraper": "count", "xv": "letter"}
VALUES |= dict.fromkeys(("cage", "little-killer", "sandwich", "x-sum"), "total")
"""What the value of a kind is called, where it is not `value`."""

CELL = ("Cell", 'a cell, "r3c7" or (3, 7); beside the grid, row or column 0 or N+1')
CELLS = ("Cells", 'cells, ["r1c1", "r1c2"], [(1, 1), (1, 2)] or "r1c1 r1c2"; "r1c1-r1c5" for cells in a straight line')
LINE = ("Cells", "cells in the order of the line, written as cells are")
PARTS: dict[Shape, dict[str, tuple[str, str]]] = {  # the parameters of each shape: type and meaning
    Shape.RULE: {},
    Shape.CELL: {"cell": CELL},
    Shape.CELLS: {"cells": CELLS},
    Shape.LINE: {"line": LINE},
    Shape.ARROW: {"bulb": CELLS, "lines": ("Iterable[Cells]", "the lines that leave the bulb, without its cells")},
    Shape.CLONE: {"cells": CELLS, "copy": ("Cells", "the cells of the copy, in the same order")},
    Shape.GROUPS: {"groups": ("Iterable[Cells]", "groups of cells, each written as cells are")},
    Shape.CLUE: {"cell": CELL},
    Shape.MARKS: {"marks": ("Iterable[Mark]", "the marks")},
    Shape.BOARD: {
        "cell": ("Cell", 'its upper left cell, "r1c7" or (1, 7)'),
        "marks": ("Iterable[Mark]", "the marks on it, which name its own cells: its upper left one is r1c1"),
    },
    Shape.DIAGONAL: {"cell": CELL, "line": ("Cells", "the cells of the diagonal that the clue sees, nearest first")},
}
DOC = """{summary}

{parameters}

Returns:
    A mark of the kind {kind!r}, for `satdoku.build`.

Raises:
    PuzzleError, FormatError: a text that does not name cells, or a value that the kind does not take.
    TypeError: an argument has the wrong type.

Example:
    >>> satdoku.marks.{name}({example}).kind
    {kind!r}"""
EXAMPLES = {
    "cell": '"r1c1"', "cells": '["r1c1", "r1c2"]', "line": '"r1c1-r1c3"', "bulb": '"r1c1"', "lines": '["r1c2-r1c4"]',
    "groups": '[["r1c1", "r1c2"], ["r2c1", "r2c2"]]', "copy": '["r4c1", "r4c2"]', "shape": '"3x3"', "letter": '"X"',
    "values": "[1, 2]", "marks": '[satdoku.marks.odd("r1c1")]',
}  # fmt: skip


def builders() -> dict[str, Callable[..., Mark]]:
    """The functions for the kinds that `kinds` goes through."""
    return _builders(tuple(kinds()))


@lru_cache(maxsize=1)
def _builders(names: tuple[str, ...]) -> dict[str, Callable[..., Mark]]:
    return {name: _builder(name, kind) for name, kind in sorted(named())}


def of(kind: Kind) -> Callable[..., Mark]:
    """The function that makes marks of a kind of your own, which satdoku then knows until the process ends.

    Parameters:
        kind: the kind; what it lowers to goes with the boards of its marks, into worker processes too.

    Returns:
        A function with the parameters that the kind's shape and value ask for, as the others of `satdoku.marks`.

    Raises:
        InputError: another kind has its name, or one of its aliases.
        TypeError: it is not a Kind.

    Example:
        >>> import satdoku
        >>> from satdoku.constraints import Linear
        >>> from satdoku.variants import Kind, Shape
        >>> def lower(frame, mark):
        ...     first, second, third = frame.cells(mark.cells)
        ...     yield Linear((first, second, third), (1, -2, 1), 0, "mean")
        >>> mean = satdoku.marks.of(Kind("mean", "means", Shape.CELLS, "The middle is the mean.", lower))
        >>> puzzle = satdoku.build(size=4, marks=[mean(["r1c1", "r1c2", "r1c3"])], givens={"r1c1": 1})
        >>> satdoku.check(puzzle).grid[:3]
        (1, 2, 3)
    """
    if not isinstance(kind, Kind):
        raise TypeError(f"{kind!r} is not a kind: expected a satdoku.variants.Kind")
    if kinds().get(kind.name) != kind:
        kinds().add(kind)
    return _builder(_names(kind)[0], kind)


def named() -> Iterator[tuple[str, Kind]]:
    for kind in kinds().values():
        for name in _names(kind):
            yield name, kind


def _names(kind: Kind) -> tuple[str, ...]:
    return NAMES.get(kind.name, (re.sub(r"\W", "_", kind.name),))


def _builder(name: str, kind: Kind) -> Callable[..., Mark]:
    signature = signature_of(kind)

    def make(*arguments: Any, **by_name: Any) -> Mark:
        try:
            bound = signature.bind(*arguments, **by_name)
        except TypeError as error:
            raise TypeError(f"{name}: {error}") from None
        bound.apply_defaults()
        return _mark(name, kind, bound.arguments)

    make.__name__ = make.__qualname__ = name
    make.__module__ = "satdoku.marks"
    make.__doc__ = _documented(name, kind)
    make.__signature__ = signature  # type: ignore[attr-defined]  # inspect reads it
    return make


def signature_of(kind: Kind) -> Signature:
    parameters = [
        Parameter(part, Parameter.POSITIONAL_OR_KEYWORD, annotation=type_)
        for part, (type_, _) in PARTS[kind.shape].items()
    ]
    if kind.value is not None:
        # The shape of boxes is all that they are made of.
        form = Parameter.KEYWORD_ONLY if parameters else Parameter.POSITIONAL_OR_KEYWORD
        default = Parameter.empty if kind.value.required else None
        parameters.append(Parameter(_value_name(kind), form, default=default, annotation=_value_type(kind)))
    return Signature(parameters, return_annotation="Mark")


def _value_name(kind: Kind) -> str:
    return VALUES.get(kind.name, "value")


def _value_type(kind: Kind) -> str:
    assert kind.value is not None
    if kind.value.several:
        return "Iterable[int] | str"
    texts = bool(kind.value.words) or kind.value.text or kind.name == "boxes"
    return ("str" if texts else "int") + ("" if kind.value.required else " | None")


def _mark(name: str, kind: Kind, given: dict[str, Any]) -> Mark:
    value = None if kind.value is None else _value(name, kind, given[_value_name(kind)])
    parts = {part: given[part] for part in PARTS[kind.shape]}
    if "marks" in parts:
        corner = positions(parts["cell"], name) if "cell" in parts else ()
        return Mark(kind.name, corner, value=value, marks=_inside(name, parts["marks"]))
    if kind.shape in (Shape.ARROW, Shape.GROUPS):
        part = "lines" if kind.shape is Shape.ARROW else "groups"
        if isinstance(parts[part], str) or not isinstance(parts[part], Iterable):
            raise TypeError(f"{name}: {part} is {parts[part]!r}: expected a list of {part}, each of cells")
        lines = tuple(positions(line, name) for line in parts[part])
        return Mark(kind.name, positions(parts["bulb"], name) if "bulb" in parts else (), lines, value)
    cells = {part: positions(raw, name) for part, raw in parts.items()}
    for part, places in cells.items():
        if part == "cell" and len(places) != 1:
            raise PuzzleError(f"{name}: {len(places)} cells, expected one")
    line = cells.get("line") or cells.get("copy")
    return Mark(kind.name, cells.get("cell") or cells.get("cells") or (), () if line is None else (line,), value)


def _inside(name: str, raw: Any) -> tuple[Mark, ...]:
    marks = tuple(raw) if isinstance(raw, Iterable) and not isinstance(raw, str) else (raw,)
    if not all(isinstance(mark, Mark) for mark in marks):
        raise TypeError(f"{name}: expected marks, such as [satdoku.marks.cage('r1c1 r1c2', total=5)]")
    return marks


def _value(name: str, kind: Kind, raw: Any) -> int | str | None:
    assert kind.value is not None
    several = kind.value.several and isinstance(raw, Iterable) and not isinstance(raw, bytes | dict)
    if raw is not None and (isinstance(raw, bool) or not isinstance(raw, int | str)) and not several:
        raise TypeError(f"{name}: {_value_name(kind)} is {raw!r}: expected {_value_type(kind)}")
    if kind.name == "boxes":
        return str(Box.parse(str(raw)))
    return value_of(kind, list(raw) if several and not isinstance(raw, str) else raw, name)


def _documented(name: str, kind: Kind) -> str:
    lines = [f"    {part}: {text}." for part, (_, text) in PARTS[kind.shape].items()]
    lines += [] if kind.value is None else [f"    {_value_name(kind)}: {_value_text(kind)}."]
    parameters = "\n".join(["Parameters:", *lines] if lines else ["Takes no arguments: it is about the whole grid."])
    example = _example(kind)
    return DOC.format(summary=kind.summary, parameters=parameters, kind=kind.name, name=name, example=example)


def _value_text(kind: Kind) -> str:
    value = kind.value
    assert value is not None
    if kind.name == "boxes":
        return 'rows and columns of a box, "3x3"'
    if value.words:
        return " or ".join(f'"{word}"' for word in value.words)
    text = 'numbers, [1, 2] or "1 2"' if value.several else "a whole number"
    if value.required:
        return text
    return f"{text}; None for {'none' if value.default is None else value.default}"


def _example(kind: Kind) -> str:
    parts = [EXAMPLES[part] for part in PARTS[kind.shape]]
    if kind.value is not None and kind.value.required:
        name = _value_name(kind)
        raw = f'"{kind.value.words[0]}"' if kind.value.words else EXAMPLES.get(name, "8")
        parts.append(f"{name}={raw}")
    return ", ".join(parts)


def positions(cells: Any, where: str) -> tuple[Position, ...]:
    """The (row, column) of each cell that is named: "r3c7", (3, 7), "r1c1 r1c2", "r1c1-r1c5", or a list of these.
    Raises TypeError for what cannot name cells, PuzzleError for a text that does not; `where` begins the message."""
    if isinstance(cells, str):
        return cells_in(cells, where, PuzzleError)
    if isinstance(cells, tuple) and len(cells) == 2 and all(type(number) is int for number in cells):
        return (cells,)
    if not isinstance(cells, Iterable) or isinstance(cells, bytes | dict):
        raise TypeError(f'{where}: {cells!r} is not a cell: expected "r3c7" or (3, 7), or several of them')
    several = list(cells)
    if any(isinstance(cell, int) for cell in several):
        raise TypeError(f'{where}: {cells!r} is not a list of cells: expected "r3c7" or (3, 7)')
    return tuple(position for cell in several for position in positions(cell, where))
