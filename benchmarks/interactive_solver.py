"""Puzzles for the Interactive Sudoku Solver: their texts, and its CPU time, from a checkout of it and node."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from satdoku import Puzzle
from satdoku.puzzle import Mark, Position, members

SCRIPT = """
const root = process.argv[1];
const { ensureGlobalEnvironment } = await import(root + '/tests/helpers/test_env.js');
ensureGlobalEnvironment();
const { SudokuParser } = await import(root + '/js/sudoku_parser.js' + self.VERSION_PARAM);
const { SudokuBuilder } = await import(root + '/js/solver/sudoku_builder.js' + self.VERSION_PARAM);
const { createInterface } = await import('node:readline');
const used = (since) => { const { user, system } = process.cpuUsage(since); return (user + system) / 1000; };
for await (const line of createInterface({ input: process.stdin })) {
  const { text, milliseconds } = JSON.parse(line);
  const constraint = SudokuBuilder.resolveConstraint(SudokuParser.parseText(text));
  const began = process.cpuUsage();
  const internal = SudokuBuilder.build(constraint)._internalSolver;
  const build = used(began), searched = process.cpuUsage();
  let slices = 0, found = 0, exhausted = false;
  internal.run({ maxSolutions: 2, maxBacktracks: 0 }, () => { found++; });
  console.log(JSON.stringify({ build, search: used(searched), found }));
}
"""


DIGITS = "0123456789abcdefg"
"""Rows and columns have one digit each."""


def text(puzzle: Puzzle) -> str:
    """A puzzle in the solver's own format. Raises KeyError for a kind of mark that is not among these."""
    board = puzzle.board
    parts = [] if board.values == 9 else [f".Shape~{board.values}x{board.values}"]
    parts += [part for mark in board.marks for part in _mark(mark, board.values)]
    for cell, allowed in enumerate(puzzle.candidates):
        if allowed != board.every_value:
            parts.append(f".~{_cell(divmod(cell, board.columns), 1)}_" + "_".join(map(str, members(allowed))))
    return "".join(parts)


def _cell(position: Position, first: int = 0) -> str:
    row, column = (DIGITS[each + first] for each in position)
    return f"R{row}C{column}"


def _list(cells: Iterable[Position]) -> str:
    return "~".join(map(_cell, cells))


WHOLE = {
    "boxes": "",
    "anti-knight": ".AntiKnight",
    "anti-king": ".AntiKing",
    "diagonal+": ".Diagonal~1",
    "diagonal-": ".Diagonal~-1",
    "negative-xv": ".StrictXV",
}
LINES = {"renban": "Renban", "thermometer": "Thermo", "zipper": "Zipper"}
CLUES = {"skyscraper": "Skyscraper", "x-sum": "XSum"}
CELLS = {"difference": "WhiteDot", "ratio": "BlackDot", "row-indexer": "Indexing~R", "column-indexer": "Indexing~C"}


def _mark(mark: Mark, size: int) -> Iterator[str]:
    if mark.kind in WHOLE:
        yield WHOLE[mark.kind]
    elif mark.kind in LINES:
        yield from (f".{LINES[mark.kind]}~{_list(line)}" for line in mark.lines)
    elif mark.kind in CELLS:
        yield f".{CELLS[mark.kind]}~{_list(mark.cells)}"
    elif mark.kind == "cage":
        yield f".AllDifferent~{_list(mark.cells)}" if mark.value is None else f".Cage~{mark.value}~{_list(mark.cells)}"
    elif mark.kind == "xv":
        yield f".{mark.value}~{_list(mark.cells)}"
    elif mark.kind == "quadruple":
        yield f".Quad~{_cell(min(mark.cells))}~" + "~".join(str(mark.value).split())
    elif mark.kind == "arrow":
        head = "Arrow" if len(mark.cells) == 1 else f"PillArrow~{len(mark.cells)}"
        yield from (f".{head}~{_list(mark.cells)}~{_list(line)}" for line in mark.lines)
    elif mark.kind == "little-killer":
        yield f".LittleKiller~{mark.value}~{_cell(_end(mark.lines[0]))}"
    elif mark.kind == "sandwich":
        row, column = mark.cells[0]
        yield f".Sandwich~{mark.value}~{f'R{row}' if 1 <= row <= size else f'C{column}'}"
    else:
        row, column = mark.cells[0]
        line = f"R{row}" if 1 <= row <= size else f"C{column}"
        first = 0 in (row, column)
        yield f".{CLUES[mark.kind]}~{line}~{mark.value if first else ''}~{'' if first else mark.value}"


def _end(line: tuple[Position, ...]) -> Position:
    """The end of a diagonal by which the solver names it: one on the left or the top, else the other."""
    first, last = sorted((line[0], line[-1]))
    falls = first[1] < last[1]
    return first if (first[1] if falls else first[0]) == 1 else last


def run(checkout: Path, puzzles: Iterable[Puzzle], node: str = "node") -> Iterator[tuple[float, float, int]]:
    """CPU time in ms of building and of search, and how many solutions were found, at most two; all in one process."""
    command = [node, "--input-type=module", "-e", SCRIPT, str(checkout.resolve())]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        for puzzle in puzzles:
            process.stdin.write(json.dumps({"text": text(puzzle)}) + "\n")
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            yield found["build"], found["search"], found["found"]
