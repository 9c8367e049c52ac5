"""Puzzles as our own TOML: the grid drawn, a key for each kind of mark, a line for each mark."""

from __future__ import annotations

from collections.abc import Iterator

from satdoku.formats import refuse_loss
from satdoku.formats.grid import draw
from satdoku.formats.marks import cells_text
from satdoku.formats.regions import labels_of
from satdoku.puzzle import Board, Mark, Puzzle, members, only
from satdoku.variants import REGIONS, Kind, Shape, kinds, rule_text
from satdoku.variants.boxes import box_of

REGION_NAMES = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def write(puzzle: Puzzle) -> str:
    """Raises Refused for a board whose marks do not draw all of its rules."""
    refuse_loss(puzzle, "toml", None, candidates=True)
    board = puzzle.board
    parts = [[f"size = {board.values}", *_division(board)]]
    if any(puzzle.givens):
        drawing = draw(puzzle.givens, board.columns, box_of(board))
        parts[0] += ['grid = """', drawing, '"""']
    rules = [rule_text(mark) for mark in board.marks if _kind(mark).shape is Shape.RULE and mark.kind not in REGIONS]
    if rules:
        parts.append(["rules = [" + ", ".join(f'"{name}"' for name in rules) + "]"])
    by_kind: dict[str, list[Mark]] = {}
    for mark in board.marks:
        if _kind(mark).shape is not Shape.RULE and mark.kind not in REGIONS:
            by_kind.setdefault(mark.kind, []).append(mark)
    parts += [list(_marks(kinds()[name], marks)) for name, marks in by_kind.items()]
    narrowed = [
        f"{board.label(cell)} = [{', '.join(map(str, members(allowed)))}]"
        for cell, allowed in enumerate(puzzle.candidates)
        if allowed != board.every_value and not only(allowed)
    ]
    if narrowed:
        parts.append(["[candidates]", *narrowed])
    return "\n\n".join("\n".join(part) for part in parts)


def _kind(mark: Mark) -> Kind:
    return kinds()[mark.kind]


def _division(board: Board) -> Iterator[str]:
    box = box_of(board)
    if box is not None:
        yield f'boxes = "{box}"'
        return
    if not any(mark.kind == "region" for mark in board.marks):
        yield 'boxes = "none"'
        return
    labels = labels_of(board, "toml")
    names = [_region_name(label, board.values) for label in labels]
    width = max(map(len, names))
    yield 'regions = """'
    for start in range(0, board.cells, board.columns):
        row = [name.rjust(width) for name in names[start : start + board.columns]]
        yield ("" if width == 1 else " ").join(row)
    yield '"""'


def _region_name(label: int | None, size: int) -> str:
    if label is None:
        return "."
    return REGION_NAMES[label] if size <= len(REGION_NAMES) else f"{label + 1:03d}"


def _marks(kind: Kind, marks: list[Mark]) -> Iterator[str]:
    if kind.shape is Shape.CELL and not kind.value:
        yield f'{kind.name} = "{" ".join(cells_text(mark.cells) for mark in marks)}"'
        return
    firsts = [_first(kind, mark) for mark in marks]
    width = max(map(len, firsts))
    yield f"{kind.name} = ["
    for first, mark in zip(firsts, marks, strict=True):
        yield f"    {_entry(kind, mark, first, width)},"
    yield "]"


def _first(kind: Kind, mark: Mark) -> str:
    return f'"{cells_text(mark.lines[0] if kind.shape is Shape.LINE else mark.cells)}"'


def _entry(kind: Kind, mark: Mark, first: str, width: int) -> str:
    """A text where the mark is its cells or its line alone, else a table, its values below each other."""
    shape = kind.shape
    if shape is Shape.GROUPS:
        return "{ groups = [" + ", ".join(f'"{cells_text(group)}"' for group in mark.lines) + "] }"
    if shape in (Shape.CELLS, Shape.LINE) and mark.value is None:
        return first
    key = {Shape.LINE: "line", Shape.CELLS: "cells", Shape.CLONE: "cells", Shape.ARROW: "bulb"}.get(shape, "cell")
    fields = [f"{key} = {first}"]
    if shape is Shape.ARROW:
        fields.append("lines = [" + ", ".join(f'"{cells_text(line)}"' for line in mark.lines) + "]")
    elif shape is Shape.CLONE:
        fields.append(f'copy = "{cells_text(mark.lines[0])}"')
    elif shape is Shape.DIAGONAL:
        fields.append(f'line = "{cells_text(mark.lines[0])}"')
    if mark.value is not None:
        fields.append(f'value = "{mark.value}"' if isinstance(mark.value, str) else f"value = {mark.value}")
    padding = " " * (width - len(first))
    return "{ " + f",{padding} ".join([fields[0], ", ".join(fields[1:])]) + " }"
