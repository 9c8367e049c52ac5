"""Triads: the part of a row or column inside one box gets variables of its own; fewer clauses, more propagation."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import TYPE_CHECKING

from satdoku.constraints import AllDifferent
from satdoku.deferred import Deferred
from satdoku.encoders.clauses import Literals
from satdoku.encoders.cnf import Encoding, EncodingTask, Variables
from satdoku.encoders.encodings.direct import Direct
from satdoku.puzzle import Board

if TYPE_CHECKING:
    import numpy as np
else:
    np = Deferred("numpy")

Triad = tuple[int, ...]  # the cells of a triad, ascending


def _write(task: EncodingTask) -> Variables:
    board, clauses = task.board, task.clauses
    is_value = clauses.new_array(board.cells, board.values)
    _exactly_one(task, is_value)
    covers = _covers(board)
    parts = sorted({part for cover in covers.values() for split in cover for part in split})
    # (parts, values): the value is in that part
    in_part = clauses.new_array(len(parts), board.values)
    number = {part: index for index, part in enumerate(parts)}
    for part, literals in zip(parts, in_part, strict=True):
        _exactly_one(task, np.column_stack([is_value[list(part)].T, -literals]))
    for constraint in board.all_different:
        for split in covers.get(constraint.cells, ()):
            _exactly_one(task, in_part[[number[part] for part in split]].T)
        if constraint.cells not in covers:
            groups = is_value[list(constraint.cells)].T
            if len(constraint.cells) == board.values:
                clauses.extend(groups)
            task.at_most_one(clauses, groups)
    return Direct(board)


def _exactly_one(task: EncodingTask, groups: Literals) -> None:
    task.clauses.extend(groups)
    task.at_most_one(task.clauses, groups)


def _covers(board: Board) -> dict[tuple[int, ...], list[list[Triad]]]:
    """For each house that triads cover: the ways in which they do, one for a line, two for a box."""
    boxes = [house for house in board.houses if _is_box(board, house)]
    covers: dict[tuple[int, ...], list[list[Triad]]] = {}
    parts: set[Triad] = set()
    for box in boxes:
        splits = [_split(box.cells, board.columns, axis) for axis in (0, 1)]
        covers[box.cells] = splits
        parts.update(part for split in splits for part in split)
    for house in board.houses:
        inside = [part for part in parts if set(part) <= set(house.cells)]
        tiled = sorted(cell for part in inside for cell in part) == sorted(house.cells)
        if house.cells not in covers and tiled:
            covers[house.cells] = [sorted(inside)]
    return covers


def _split(cells: Iterable[int], columns: int, axis: int) -> list[Triad]:
    """The cells by their row or column."""
    groups: dict[int, list[int]] = {}
    for cell in sorted(cells):
        groups.setdefault(divmod(cell, columns)[axis], []).append(cell)
    return [tuple(group) for group in groups.values()]


def _is_box(board: Board, house: AllDifferent) -> bool:
    rows = {cell // board.columns for cell in house.cells}
    columns = {cell % board.columns for cell in house.cells}
    compact = max(rows) - min(rows) < len(rows) and max(columns) - min(columns) < len(columns)
    return compact and len(rows) > 1 < len(columns) and len(rows) * len(columns) == len(house.cells)


def _size(bh: int, bw: int) -> tuple[int, int]:
    n = bh * bw
    cells = 1 + comb(n, 2)
    rows_in_boxes, columns_in_boxes = bh * (1 + comb(bw + 1, 2)), bw * (1 + comb(bh + 1, 2))
    houses = 2 * (1 + comb(bh, 2)) + 2 * (1 + comb(bw, 2))
    return n**3 + n * n * (bh + bw), n * n * (cells + rows_in_boxes + columns_in_boxes + houses)


ENCODINGS = (
    Encoding(
        name="triad",
        summary="exactly one, through the parts of rows and columns inside boxes",
        paper="Dillion, tdoku, 2019 (its augmented encoding)",
        formula="N^3 + N^2(bh+bw), N^2(1+P + bh(1+C(bw+1,2)) + bw(1+C(bh+1,2)) + 2(1+C(bh,2)) + 2(1+C(bw,2)))",
        size=_size,
        write=_write,
        methods=True,
    ),
)
