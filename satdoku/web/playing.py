"""What a player asks: whether what is entered is right, for a hint, how hard the puzzle is. No answer says more."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice

from satdoku.backends import Ending
from satdoku.errors import InputError
from satdoku.puzzle import Board, Puzzle, members
from satdoku.setter import sentences
from satdoku.setter.cores import CoreStep
from satdoku.setter.difficulty import rate as rated
from satdoku.setter.reasons import Guarantee, Reason
from satdoku.setter.solving import steps_of
from satdoku.techniques.step import Level, Step
from satdoku.verdict import Verdict
from satdoku.web.questions import Emit, PageQuestion, Tools, labels, named


def check(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    """The cells whose digits are wrong; where the puzzle has several solutions, whether one of them is left."""
    outcome, tried = tools.check(puzzle), _entered(puzzle, ask)
    board, cells = puzzle.board, {puzzle.board.label(cell): cell for cell in range(puzzle.board.grid_cells)}
    complete = all(tried.givens[: board.grid_cells])
    if outcome.verdict is Verdict.UNIQUE:
        grid = outcome.grids[0]
        wrong = [place for place, value in ask.entered.items() if board.shown(grid[cells[place]]) != value]
        emit({"part": "checked", "wrong": wrong, "right": not wrong, "complete": complete})
        return
    left = tools.check(tried).verdict if outcome.verdict is Verdict.MULTIPLE else outcome.verdict
    if left is Verdict.UNDECIDED:
        raise InputError("not decided in the time: the digits cannot be checked")
    if outcome.verdict is Verdict.UNSOLVABLE:
        raise InputError("the puzzle itself has no solution: no digit is right")
    emit({"part": "checked", "wrong": None, "right": left is not Verdict.UNSOLVABLE, "complete": complete})


def hint(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    """A step in three stages, with what it is about; `limit` says which of those from here, the first by default."""
    tried = _entered(puzzle, ask)
    board, outcome = tried.board, tools.check(tried)
    if outcome.verdict is Verdict.UNSOLVABLE:
        raise InputError("what is entered and noted leaves no solution: Check tells which digits are wrong")
    if outcome.verdict is not Verdict.UNIQUE:
        several = outcome.verdict is Verdict.MULTIPLE
        why = "the puzzle has several solutions" if several else "the puzzle was not solved in the time"
        raise InputError(f"{why}: a hint leads to the only one")
    steps = steps_of(tried, outcome.grids[0], range(board.cells), True, tools.seconds)
    number = ask.limit or 1
    step = next(islice(steps, number - 1, None), None)
    if step is None:
        raise InputError("every cell has its digit" if all(tried.givens) else "no step was found in the time")
    if isinstance(step, CoreStep):
        reason, cells, placed, struck = step.reason, [step.cell], [(step.cell, step.value)], {}
    else:
        reason = Reason((), tuple(dict.fromkeys(step.houses)), Guarantee.NONE)
        cells, placed, struck = list(members(sentences.looked_at(step))), list(step.placements), _struck(board, step)
    about = named(tried, reason)
    rested = labels(board, (cell for cell in cells if cell < board.cells))
    about["cells"] = list(dict.fromkeys([*about["cells"], *rested]))
    fields = {"number": number, "stages": sentences.hint(board, step), "struck": struck}
    emit({"part": "hint", **fields, "placed": labels(board, (cell for cell, _ in placed)), **about})


def _struck(board: Board, step: Step) -> dict[str, list[int]]:
    """The candidates that a step excludes, for each cell."""
    struck: dict[str, list[int]] = {}
    for value, places in step.eliminations:
        for cell in members(places):
            if cell < board.grid_cells:
                struck.setdefault(board.label(cell), []).append(board.shown(value))
    return struck


def rate(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    """How hard the puzzle is, without its steps; at least so if the time was too short."""
    if tools.check(puzzle).verdict is not Verdict.UNIQUE:
        raise InputError("only a puzzle that is known to have one solution has a difficulty")
    difficulty = rated(puzzle, tools.seconds)
    least, name = difficulty.ending is Ending.TIMEOUT, difficulty.level.name.lower()
    emit({"part": "rated", "level": difficulty.level.value, "name": name, "of": max(Level).value, "least": least})


def _entered(puzzle: Puzzle, ask: PageQuestion) -> Puzzle:
    """The puzzle with what the player has entered, and what notes leave of cells."""
    left, board = list(puzzle.candidates), puzzle.board
    cells = {board.label(cell): cell for cell in range(board.grid_cells)}
    for place, values in (*ask.noted.items(), *((place, [value]) for place, value in ask.entered.items())):
        if place not in cells or not set(values) <= set(board.size.digits):
            raise InputError(f"{place[:20]!r}={values}: expected a cell of the board and some of its values")
        left[cells[place]] &= board.size.candidates(values)
    return replace(puzzle, candidates=tuple(left))
