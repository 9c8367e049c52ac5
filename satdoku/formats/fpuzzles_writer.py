"""Puzzles as f-puzzles JSON and links."""

import json
from typing import Any

from satdoku.errors import Refused
from satdoku.formats import METADATA, Capabilities
from satdoku.formats.drawn import fpuzzles_entries, held_by_fpuzzles
from satdoku.formats.marks import DIRECTIONS, in_sight
from satdoku.formats.regions import labels_of
from satdoku.puzzle import MAX_VALUES, Mark, Position, Puzzle, Size, members
from satdoku.variants import REGIONS, Kind, Shape, kinds
from satdoku.variants.boxes import Box, box_of

ADDRESS = "https://www.f-puzzles.com/?load="
NEGATIVE = "negative "
TEXTS = {"title": "title", "author": "author", "ruleset": "rules"}  # the keys of texts, and where a puzzle has them
ONE_CELL = frozenset({Shape.CELL, Shape.CLUE, Shape.DIAGONAL})
HOLDS = Capabilities(
    marks=None,
    sizes=(4, MAX_VALUES),
    shapes=frozenset({"size", "box"}),
    any_box=True,
    candidates=True,
    metadata=frozenset(METADATA),
    drawings=lambda puzzle: filter(held_by_fpuzzles, puzzle.drawings),
)


def usual_value(kind: Kind, size: int) -> int | None:
    """What a mark without a value means to the site, where that is not what it means here. Whispers differ by half the
    size, rounded up."""
    usual = -(-size // 2) if kind.fpuzzles == "whispers" else None
    return None if kind.value is None or usual == kind.value.default else usual


def write_link(puzzle: Puzzle) -> str:
    return ADDRESS + link_data(puzzle, "f-puzzles")


def link_data(puzzle: Puzzle, format: str) -> str:
    """What a link holds behind its address; raises Refused in the name of `format`."""
    return compress(json.dumps(_data(puzzle, format), separators=(",", ":")))


def write_json(puzzle: Puzzle) -> str:
    return json.dumps(_data(puzzle, "f-puzzles-json"), indent=1)


def compress(text: str) -> str:
    """LZ-string over base64, as the site's links hold it."""
    from lzstring import LZString

    packed: str = LZString.compressToBase64(text)
    return packed


def _data(puzzle: Puzzle, format: str) -> dict[str, Any]:
    board = puzzle.board
    labels: list[int | None] = labels_of(board, format)
    box = box_of(board)
    if board.size.rows != board.columns:
        raise Refused(f"the {format} format holds boards of N rows and N columns, and this one is {board.size.shape}")
    usual = box is not None and box == Box.of_size(board.size)
    cells: list[dict[str, Any]] = []
    for allowed, given, region in zip(puzzle.candidates, puzzle.givens, labels, strict=True):
        cell: dict[str, Any] = {} if usual else {"region": region}
        if given:
            cell |= {"value": board.shown(given), "given": True}
        elif allowed != board.every_value:
            cell["givenPencilMarks"] = [*map(board.shown, members(allowed))]
        cells.append(cell)
    size = board.columns
    data: dict[str, Any] = {"size": size}
    data |= {key: text for key, name in TEXTS.items() if (text := getattr(puzzle, name))}
    data["grid"] = [cells[start : start + size] for start in range(0, len(cells), size)]
    if puzzle.solution is not None:
        data["solution"] = [*map(board.shown, puzzle.solution)]
    for mark in board.marks:
        if mark.kind not in REGIONS:
            _add(data, kinds()[mark.kind], mark, size, format)
    for key, entry in fpuzzles_entries(puzzle.drawings):
        data.setdefault(key, []).append(entry)
    return data


def _add(data: dict[str, Any], kind: Kind, mark: Mark, size: int, format: str) -> None:
    if kind.fpuzzles is None:
        raise Refused(f"the {format} format cannot hold the rule {kind.name!r}")
    if kind.shape is Shape.RULE:
        if kind.fpuzzles.startswith(NEGATIVE):
            data.setdefault("negative", []).append(kind.fpuzzles.removeprefix(NEGATIVE))
        else:
            data[kind.fpuzzles] = True
        return
    data.setdefault(kind.fpuzzles, []).append(_entry(kind, mark, size))


def _entry(kind: Kind, mark: Mark, size: int) -> dict[str, Any]:
    cells = _names(mark.cells)
    entry: dict[str, Any] = {}
    if cells:
        entry = {"cell": cells[0]} if kind.shape in ONE_CELL else {"cells": cells}
    match kind.shape:
        case Shape.LINE:
            entry["lines"] = [_names(line) for line in mark.lines]
        case Shape.ARROW:
            # The site's lines begin in the bulb.
            entry["lines"] = [cells[-1:] + _names(line) for line in mark.lines]
        case Shape.CLONE:
            entry["cloneCells"] = _names(mark.lines[0])
        case Shape.DIAGONAL:
            entry["direction"] = _direction(mark, size)
    value = mark.value
    if value is None and kind.value is not None and usual_value(kind, size) is not None:
        value = kind.value.default  # the site takes another one where none is stated
    if value is not None and kind.value is not None:
        if kind.value.several:
            entry["values"] = [int(word) for word in str(value).split()]
        else:
            entry["value"] = str(value)
    return entry


def _direction(mark: Mark, size: int) -> str:
    for name, step in DIRECTIONS.items():
        if in_sight(mark.cells[0], step, Size.of(size)) == mark.lines[0]:
            return name
    raise Refused(f"the f-puzzles format cannot hold the rule {mark.kind!r}: its line is not a diagonal from its clue")


def _names(positions: tuple[Position, ...]) -> list[str]:
    return [f"R{row}C{column}" for row, column in positions]
