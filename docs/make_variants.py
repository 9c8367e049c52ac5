"""Writes docs/variants/ anew from the kinds, a page for each file of kinds, the contents in docs/variants.md, and
`satdoku/marks.pyi`: `python docs/make_variants.py`, in the checkout.

Name, aliases, sentence, keys and constraints come from the kinds. The notes below a table, the example and
its solution are kept as they stand in the pages; a kind that has no section yet gets one with its puzzle of
`puzzles/variants/` as the example.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path

from satdoku import load, read, solve
from satdoku.formats.grid import draw
from satdoku.variants import BOARD, REGIONS, Frame, Kind, Shape, build, kinds, lowered

CONTENTS = Path(__file__).with_name("variants.md")
PAGES = Path(__file__).with_name("variants")
PUZZLES = Path(__file__).parents[1] / "puzzles" / "variants"

FAMILIES = {
    "boxes": (
        "Boxes and regions",
        "What divides the grid, and further groups of cells that differ. Every row and column is\n"
        "a house besides, unless the grid is [free](variables.md#free-grid).",
    ),
    "neighbours": (
        "Neighbours and distances",
        "Dots, letters and numbers between two cells, and what their absence says. Two cells are\n"
        "neighbours if they share an edge. And cells that lie so far apart: chess moves, taxicab distances, diagonals.",
    ),
    "whole_board": ("Windows and columns", "What every 2x2 window, or every column, holds."),
    "lines": (
        "Lines",
        "Cells in order along a line. A thermometer begins at its bulb; for the others either end\nmay come first.",
    ),
    "sums": (
        "Sums and products",
        "Cells that add up to a number or to each other; sums that are compared or repeat digits; products;\n"
        "lines and arrows on\n"
        "which digits add up or multiply.",
    ),
    "counts": ("Counts and contents", "How often digits occur, and which occur together."),
    "cells": ("Cells", "Marks in single cells, and on few of them."),
    "clues": (
        "Clues outside the grid",
        "A clue stands in row or column 0 or N+1 and looks along the row or column beside it.",
    ),
    "connected": ("Regions to be found, connected cells", "Cells that hang together by their edges."),
    "shading": (
        "Shaded cells and stars",
        "What the solver finds in cells besides digits. Each cell has a name for it, `shading_r1c1` or `stars_r1c1`,\n"
        "which any mark may name: its value is the least digit of the board, or the one after it where the cell is\n"
        "shaded or has a star.\n\n"
        "An empty board of 9x9 with `loop` or a circle of `cave` has its first two solutions in a second, one with\n"
        "six circles of `nurikabe` in three.",
    ),
    "modifiers": (
        "Cells that count differently",
        "Cells, to be found, that count for more than their digit. Cages and other groups compare digits; sums,\n"
        "dots and signs, arrows, thermometers, whispers and the like read what cells count. Where nothing says which\n"
        "it is, a mark is refused: clues outside the grid, choices among marks, other lines.",
    ),
    "variables": (
        "Variables, and grids that are no Sudoku",
        "Numbers beside the grid, which marks name as they name cells, and boards whose rows and columns repeat\n"
        "digits. [toml.md](../toml.md#variables) has the spellings.",
    ),
    "boards": (
        "Several boards",
        "Samurai, twins and whatever else has more than one grid.\n"
        "[toml.md](../toml.md#several-boards) has the spelling: `[[board]]` with the keys of a puzzle for each.",
    ),
    "own": (
        "Rules of your own",
        "What a setter states in the file itself. [toml.md](../toml.md#rules-of-your-own) has all spellings.",
    ),
}
"""For each file of `satdoku/variants`, in the order of the page: its heading and what it is about."""

SECTION = re.compile(
    r"^## [^\n]+\n(?:(?!^#).)*?\n\|(?:---\|)+\n(\|[^\n]*\|)\n\n(.*?)```toml\n(.*?)```\n\n```text\n(.*?)```$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Example:
    """What the page keeps of a kind: notes, a puzzle in TOML, its solution."""

    notes: str
    toml: str
    drawn: str


def kept(text: str) -> dict[str, Example]:
    """The examples of a page by the names of their kinds."""
    found: dict[str, Example] = {}
    for section in SECTION.finditer(text):
        key = re.search(r"`([^`]+)`", section[1])
        if key is None:
            raise SystemExit(f"no key in the table {section[1]}")
        found[{"regions": "region"}.get(key[1], key[1])] = Example(section[2], section[3], section[4])
    return found


def of_puzzle(path: Path) -> Example:
    """The example of a kind that has no section yet."""
    puzzle = load(str(path))
    grid = solve(puzzle).grid
    assert grid is not None
    return Example("", path.read_text("utf-8"), draw(puzzle.board, grid[: puzzle.board.grid_cells]).rstrip("\n") + "\n")


def texts() -> dict[Path, str]:
    """The contents and the pages as they stand."""
    return {path: path.read_text("utf-8") for path in (CONTENTS, *sorted(PAGES.glob("*.md")))}


def pages(texts: dict[Path, str]) -> dict[Path, str]:
    """All of it with what comes from the kinds written anew. Raises SystemExit for a kind without example."""
    examples = kept("\n".join(texts.values()))
    new = {name: PUZZLES / f"{name}.toml" for name in sorted(kinds().keys() - examples.keys())}
    missing = [name for name, path in new.items() if not path.exists()]
    if missing:
        raise SystemExit(f"no example of {', '.join(missing)} in {PAGES.name}/, and no puzzle in {PUZZLES}")
    examples |= {name: of_puzzle(path) for name, path in new.items()}
    families: dict[str, list[Kind]] = {name: [] for name in FAMILIES}
    for kind in kinds().values():
        families[kind.lower.__module__.rpartition(".")[2]].append(kind)
    head = texts[CONTENTS][: texts[CONTENTS].index("\n- [")].rstrip()
    found = {CONTENTS: "\n".join([f"{head}\n", *map(_contents, families.items())]) + "\n"}
    for name, members in families.items():
        heading, about = FAMILIES[name]
        sections = [f"# {heading}\n\n{about}", *(_section(kind, examples[kind.name]) for kind in members)]
        found[PAGES / f"{name}.md"] = "\n".join(sections) + "\n"
    return found


def _contents(family: tuple[str, list[Kind]]) -> str:
    name, members = family
    page = f"variants/{name}.md"
    links = (f"[{kind.plural}]({page}#{_anchor(_title(kind))})" for kind in members)
    return f"- [{FAMILIES[name][0]}]({page}): {', '.join(links)}"


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _title(kind: Kind) -> str:
    return kind.plural[0].upper() + kind.plural[1:]


def _section(kind: Kind, example: Example) -> str:
    rows = (
        ("TOML", "value", "f-puzzles", "lowers to"),
        ("---",) * 4,
        (_toml(kind), kind.value.described if kind.value else "none", _fpuzzles(kind), _constraints(kind, example)),
    )
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows).replace(
        "| --- | --- | --- | --- |", "|---|---|---|---|"
    )
    return (
        f"\n## {_title(kind)}\n\n{kind.summary}\n\n{_aliases(kind)}{table}\n\n{example.notes}"
        f"```toml\n{example.toml}```\n\n```text\n{example.drawn}```"
    )


def _aliases(kind: Kind) -> str:
    names = [
        f"`{alias.name}`" + (f" (value {alias.value})" if alias.value is not None else "") for alias in kind.aliases
    ]
    return f"Also {', '.join(names)}.\n\n" if names else ""


def _toml(kind: Kind) -> str:
    if kind.shape is Shape.BOARD:
        return "`board`, as `[[board]]` with `at` and the keys of a puzzle"
    if kind.name in REGIONS:
        return "`boxes`" if kind.name == "boxes" else "`regions`"
    if kind.shape is Shape.RULE:
        return f"`{kind.name}` in `rules`" + (", the value after a blank" if kind.value else "")
    return f"`{kind.name}`" + (
        ", with a `value`" if kind.value and kind.value.required else ", perhaps with a `value`" if kind.value else ""
    )


def _fpuzzles(kind: Kind) -> str:
    if kind.fpuzzles is None:
        return "`region` in `grid`" if kind.name in REGIONS else "none"
    *negative, key = kind.fpuzzles.split()
    return f"`{key}`" + (" in `negative`" if negative else "")


def _constraints(kind: Kind, example: Example) -> str:
    """The constraints that the marks of the example lower to."""
    board = read(example.toml).board
    parts = zip(board.marks, lowered(Frame(board.size, board.marks)), strict=True)
    if not any(rules for mark, rules in parts if mark.kind == kind.name):
        return "nothing"
    kept = REGIONS if kind.layer else {mark.kind for mark in board.marks} - {kind.name}  # others may need the layer
    divides = kind.name in BOARD
    others = () if divides else build(board.size, tuple(mark for mark in board.marks if mark.kind in kept)).constraints
    added = {type(rule).__name__ for rule in board.constraints if rule not in others}
    return ", ".join(f"`{name}`" for name in sorted(added))


if __name__ == "__main__":
    for path, text in pages(texts()).items():
        path.write_text(text, "utf-8")
    sys.path.insert(0, str(PUZZLES.parents[1] / "tests"))
    from support import stub

    stub.FILE.write_text(stub.stub(), "utf-8")
