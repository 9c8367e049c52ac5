"""What people and programs read of puzzles that were made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from satdoku.errors import Refused
from satdoku.formats import Format, find
from satdoku.generator.recipe import Recipe
from satdoku.generator.work import Failure, Made
from satdoku.printing import Shown, drawn, line
from satdoku.puzzle import Board, Puzzle
from satdoku.variants import shape

LINES = ("line", "jigsaw", "f-puzzles")
"""The formats that are tried, in this order, for several puzzles: they are read back one a line."""

ALONE, IN_JSON = ("grid", "toml"), (*LINES, "toml")


def format_for(board: Board, asked: str | None, json: bool, several: bool) -> Format:
    """The format to write in. Raises InputError for an unknown name, Refused where puzzles of the board do not fit."""
    empty = Puzzle(board, (board.every_value,) * board.cells)
    for name in (asked,) if asked is not None else IN_JSON if json else LINES if several else ALONE:
        chosen = find(name)
        try:
            chosen.write(empty)
        except Refused:
            if asked is not None:
                raise
            continue
        return chosen
    raise Refused(
        "no format of one line holds these rules: make one puzzle, or take --json, or name a format, --to toml"
    )


@dataclass(frozen=True, slots=True)
class Layout:
    """How puzzles are printed: in which format, as JSON or not, with box-drawing lines or not."""

    format: Format
    json: bool
    boxed: bool


def shown(recipe: Recipe, found: Made | Failure, layout: Layout) -> Shown:
    """One puzzle, or why there is none."""
    name = f"puzzle {found.number + 1}"
    if isinstance(found, Failure):
        reason = f"undecided: no such puzzle in {recipe.timeout:g} s: {found.reason}"
        record = {"number": found.number + 1, "seed": recipe.seed, "undecided": reason}
        return Shown(json.dumps(record) if layout.json else None, "undecided", 3, f"{name}: {reason}")
    unsure = recipe.minimal and found.minimal is None
    notes = []
    if found.cut:
        open = recipe.board.cells - found.tried
        notes.append(
            f"{given(found.puzzle)} givens is how far {recipe.timeout:g} s went, it is open whether {open} of them"
            " are needed; with more time the same seed gives another puzzle"
        )
    if unsure:
        notes.append("not shown to be minimal in the time")
    text = _record(recipe, found, layout) if layout.json else _text(found, layout)
    return Shown(text, "made", 3 * unsure, f"{name}: {'; '.join(notes)}" if notes else None)


def given(puzzle: Puzzle) -> int:
    return sum(map(bool, puzzle.givens))


def _text(found: Made, layout: Layout) -> str:
    puzzle, told = found.puzzle, found.effort
    words = "" if told is None else f"{told.label}, {told.nodes} nodes"
    text = drawn(puzzle.board, puzzle.givens, True) if layout.boxed else layout.format.write(puzzle)
    if not words:
        return text
    return f"{text}\t{words}" if layout.format.one_line else f"# {words}\n{text}"


def _record(recipe: Recipe, found: Made, layout: Layout) -> str:
    record: dict[str, Any] = {
        "puzzle": layout.format.write(found.puzzle),
        "number": found.number + 1,
        "seed": recipe.seed,
        "givens": given(found.puzzle),
        "solution": line(recipe.board, found.solution),
        "minimal": found.minimal,
        "cut": found.cut,
    }
    if found.effort is not None:
        record |= {"effort": found.effort.label, "nodes": found.effort.nodes}
    return json.dumps(record, ensure_ascii=False)


@dataclass(slots=True)
class Tally:
    """What the puzzles of a run have come to."""

    givens: Counter[int] = field(default_factory=Counter)
    efforts: Counter[str] = field(default_factory=Counter)
    nodes: list[int] = field(default_factory=list)
    undecided: int = 0

    def add(self, found: Made | Failure) -> None:
        if isinstance(found, Failure):
            self.undecided += 1
            return
        self.givens[given(found.puzzle)] += 1
        if found.effort is not None:
            self.efforts[found.effort.label] += 1
            self.nodes.append(found.effort.nodes)

    def summary(self, recipe: Recipe) -> str:
        number = self.givens.total()
        words = [f"{number} puzzle{'' if number == 1 else 's'}, {shape(recipe.board)}"]
        if number:
            words.append(f"{_span(list(self.givens))} givens")
        if self.undecided:
            words.append(f"{self.undecided} undecided")
        words.append(f"seed {recipe.seed}")
        if self.nodes:
            kinds = " and ".join(f"{count} {label}" for label, count in self.efforts.most_common())
            words.append(f"effort: {kinds if number > 1 else next(iter(self.efforts))}, {_span(self.nodes)} nodes")
        return ", ".join(words)


def _span(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"
