"""What a worker answers to programs that speak the protocol of SudokuSolver's listener: boards of f-puzzles, one
command each.

The protocol is that of https://github.com/dclamage/SudokuSolver (WebsocketListener.cs and its userscript): `solve`,
`check`, `count`, `truecandidates` look at what the setter gives alone; `estimate`, `step`, `solvepath` at what stands
in the cells too. An answer has a type: `solved`, `count`, `truecandidates`, `estimate`, `logical`, or `invalid` with a
message, which also says that the time was too short, as the protocol has no word for that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from satdoku.errors import InputError, Refused
from satdoku.formats import Options
from satdoku.formats.fpuzzles import read_data
from satdoku.formats.links import loaded, unpacked
from satdoku.limits import bounded_time
from satdoku.puzzle import Puzzle, members, only
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.ladder import grid_of, ordered, steps
from satdoku.techniques.step import Level
from satdoku.verdict import Verdict
from satdoku.web.answers import progress
from satdoku.web.questions import Emit, Part, Tools

NONE = "No solutions found."
MAYBE = "No step found in time."
TOO_SHORT = "Not decided: the time was too short."
MARKS = "centerPencilMarks"
CAP = "truecandidatesnumsolutions="
COLOURED = 8  # solutions that the option of earlier versions counts
MAX_CAP = 100_000
STEP = 10.0  # seconds to find one step: on a nearly empty board forcing looks for minutes where nothing follows
NORMAL = 1.96  # standard errors from the mean to the end of an interval that holds it in 95 of 100


def respond(tools: Tools, raw: tuple[str, str], emit: Emit) -> None:
    """Answer a command about a board, the JSON of f-puzzles as LZ-string; raises InputError for an unknown command."""
    command, packed = raw
    if command not in COMMANDS:
        raise InputError(f"unknown command {command[:40]!r}: expected {', '.join(COMMANDS)} or cancel")
    run, filled = COMMANDS[command]
    data = loaded(unpacked(packed), placed=False)
    puzzle = read_data(data, Options(entered=filled)).puzzle
    run(tools, puzzle, data, emit)


def _invalid(text: str) -> Part:
    return {"type": "invalid", "message": text}


def _solve(tools: Tools, puzzle: Puzzle, data: Mapping[str, Any], emit: Emit) -> None:
    outcome, board = tools.check(puzzle), puzzle.board
    if outcome.grids:
        emit({"type": "solved", "solution": list(map(board.shown, outcome.grids[0][: board.grid_cells]))})
    else:
        emit(_invalid(NONE if outcome.verdict is Verdict.UNSOLVABLE else TOO_SHORT))


def _check(tools: Tools, puzzle: Puzzle, data: Mapping[str, Any], emit: Emit) -> None:
    verdict = tools.check(puzzle).verdict
    counts = {Verdict.UNSOLVABLE: 0, Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}
    emit({"type": "count", "count": counts[verdict], "inProgress": False} if verdict in counts else _invalid(TOO_SHORT))


def _count(tools: Tools, puzzle: Puzzle, data: Mapping[str, Any], emit: Emit) -> None:
    def tell(many: int) -> None:
        emit({"type": "count", "count": many, "inProgress": True})

    outcome = progress(tools, puzzle, None, tell)
    if outcome.exact:
        emit({"type": "count", "count": outcome.count, "inProgress": False})
    else:
        emit(_invalid(TOO_SHORT))


def _true_candidates(tools: Tools, puzzle: Puzzle, data: Mapping[str, Any], emit: Emit) -> None:
    """How many solutions have each value in each cell, up to a cap; -1 for what only logic leaves, if asked for."""
    cap, logical = _options(data)
    candidates = tools.survey(puzzle, cap)
    if any(candidates.undecided):
        return emit(_invalid(TOO_SHORT))
    if not candidates.solutions:
        return emit(_invalid(NONE))
    cells = puzzle.board.grid_cells
    left = _solved(puzzle, tools.seconds).left if logical else candidates.possible
    counts = [
        min(many, cap) or -(left[cell] >> value & 1)
        for cell, row in enumerate(candidates.counts[:cells])
        for value, many in enumerate(row, 1)
    ]
    return emit({"type": "truecandidates", "solutionsPerCandidate": counts})


def _options(data: Mapping[str, Any]) -> tuple[int, bool]:
    """The cap of solutions, and whether candidates by logic are asked for."""
    stated = data.get("truecandidatesoptions")
    texts = [text.lower() for text in stated if isinstance(text, str)] if isinstance(stated, list) else []
    caps = [text.removeprefix(CAP) for text in texts if text.startswith(CAP)]
    cap = int(caps[0]) if caps and caps[0].isdecimal() and len(caps[0]) < 10 else COLOURED if "colored" in texts else 1
    return min(max(cap, 1), MAX_CAP), "logical" in texts


def _solved(puzzle: Puzzle, seconds: float) -> CandidateGrid:
    """The candidates that techniques up to chains leave: forcing takes long on a board that is nearly empty."""
    grid = grid_of(puzzle, unique=False)
    for _ in _steps(grid, seconds, Level.CHAINS):
        pass
    return grid


def _steps(grid: CandidateGrid, seconds: float, hardest: Level = Level.FORCING) -> Iterator[str]:
    """The sentences of steps until nothing follows; a step is applied before its sentence comes. If the time is up
    before, the last sentence says so."""
    board, deadline = grid.layout.board, Deadline(seconds)
    following = steps(grid, ordered(hardest=hardest))
    while True:
        try:
            with bounded_time(deadline.left()), bounded_time(STEP):
                step = None if grid.broken() else next(following, None)
        except TimeIsUp:
            yield MAYBE
            return
        if step is None:
            return
        sentence = step.sentence(board)
        step.apply(grid)
        yield sentence


def _estimate(tools: Tools, puzzle: Puzzle, data: Mapping[str, Any], emit: Emit) -> None:
    """Estimates of twice as many seconds each, until the command is cancelled."""
    from satdoku.counting.estimates import estimate

    seconds, seed = 0.25, 0
    while True:
        try:
            estimated = estimate(puzzle, seconds, seed)
        except Refused as refused:
            return emit(_invalid(str(refused)))
        high = estimated.value if estimated.high is None else estimated.high
        deviation = (high - estimated.low) / 2 / NORMAL
        relative = 100 * NORMAL * deviation / estimated.value if estimated.value else 0.0
        interval = {"ci95_lower": float(estimated.low), "ci95_upper": float(high), "relErrPercent": relative}
        many = {"estimate": float(estimated.value), "stderr": deviation, "iterations": estimated.probes}
        emit({"type": "estimate", **many, **interval})
        seconds, seed = min(2 * seconds, tools.seconds), seed + 1


def _step(tools: Tools, puzzle: Puzzle, data: Mapping[str, Any], emit: Emit) -> None:
    """The next step; before the first the candidates, if the cells show others."""
    grid, shown = _state(puzzle, data)
    sentences = list(islice(_steps(grid, tools.seconds), 1)) if shown else ["Initial candidates."]
    emit(_logical(grid, sentences))


def _path(tools: Tools, puzzle: Puzzle, data: Mapping[str, Any], emit: Emit) -> None:
    grid, _ = _state(puzzle, data)
    emit(_logical(grid, list(_steps(grid, tools.seconds))))


def _state(puzzle: Puzzle, data: Mapping[str, Any]) -> tuple[CandidateGrid, bool]:
    """The candidates that the cells show, and whether they show them all.

    A candidate that is alone in its cell is not placed: that is a step, which takes it from other cells.
    """
    rows = [[cell or {} for cell in row] for row in data["grid"]]
    bare = [[{key: cell[key] for key in cell if key != MARKS} for cell in row] for row in rows]
    grid = grid_of(read_data({**data, "grid": bare}, Options(entered=True)).puzzle, unique=False)
    shown = True
    for cell, stated in enumerate(cell for row in rows for cell in row):
        if not grid.values[cell]:
            marks = puzzle.candidates[cell] if stated.get(MARKS) else puzzle.board.every_value
            grid.strike([(value, 1 << cell) for value in members(grid.left[cell] & ~marks)])
            shown = shown and bool(stated.get(MARKS)) and marks == grid.left[cell]
    return grid, shown


def _logical(grid: CandidateGrid, sentences: list[str]) -> Part:
    """The cells as they are after these steps. A cell with one candidate left has its value once a step places it."""
    board, broken = grid.layout.board, grid.broken()
    lines = [*sentences, f"Board is invalid: {broken}"] if broken else sentences or ["No logical steps found."]
    cells: list[Part] = []
    for cell in range(board.grid_cells):
        value = only(grid.left[cell]) if grid.values[cell] else 0
        left = [board.shown(each) for each in members(grid.left[cell])]
        cells.append({"value": board.shown(value)} if value else {"value": 0, "candidates": left})
    return {"type": "logical", "cells": cells, "message": "\n".join([*lines, ""]), "isValid": broken is None}


Responder = Callable[[Tools, Puzzle, Mapping[str, Any], Emit], None]
COMMANDS: dict[str, tuple[Responder, bool]] = {
    "solve": (_solve, False),
    "check": (_check, False),
    "count": (_count, False),
    "truecandidates": (_true_candidates, False),
    "estimate": (_estimate, True),
    "step": (_step, True),
    "solvepath": (_path, True),
}
"""What answers each command, and whether digits and candidates that were entered count."""
