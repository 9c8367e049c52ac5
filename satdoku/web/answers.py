"""What a worker says about a puzzle: one function for each question of the page, which emits its parts as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, islice
from time import monotonic
from typing import Any, Literal

import msgspec

from satdoku.backends.incremental import IncrementalSolver
from satdoku.constraints import Grid
from satdoku.errors import InputError
from satdoku.pictures import Picture
from satdoku.pictures.picture import cited, grid_lines, stressed_marks
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.setter import sentences
from satdoku.setter.candidates import Candidates, survey
from satdoku.setter.explain import explained, reason_for, steps
from satdoku.setter.minimize import Wish, minimized
from satdoku.setter.reasons import Fact, Reason
from satdoku.variants import Frame, build
from satdoku.variants.drawing import of_mark
from satdoku.variants.strokes import Note
from satdoku.verdict import Outcome, Session, Verdict, counted
from satdoku.web.forms import Form, faults, shown

FIRST_COUNT, GROWTH = 1_000, 4  # solutions after which a count is told for the first time; how much farther the next is
MAX_SUMMED = 1_000_000  # from here on a count goes to the end at once where sums count
SOON = 0.2  # seconds between two parts that say how far a sum is
Part = dict[str, Any]
Emit = Callable[[Part], None]


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A question of the page. `limit` is of solutions counted, or of steps; `why` is about `cell` and `value`."""

    ask: Literal["live", "strokes", "count", "step", "why", "spare", "unique"]
    puzzle: Form
    limit: int | None = None
    cell: str | None = None
    value: int | None = None


@dataclass(slots=True)
class Tools:
    """What a worker keeps loaded from question to question.

    seconds: for each search, except counts
    """

    seconds: float
    session: Session = field(default_factory=Session)
    solver: IncrementalSolver = field(default_factory=IncrementalSolver)

    def close(self) -> None:
        self.session.close()
        self.solver.close()

    def check(self, puzzle: Puzzle) -> Outcome:
        return self.session.check(puzzle, timeout=self.seconds)

    def survey(self, puzzle: Puzzle, limit: int) -> Candidates:
        return survey(self.solver, puzzle, limit, self.seconds)


def answer(tools: Tools, raw: dict[str, Any], emit: Emit) -> None:
    """Raises InputError for a question that cannot be answered."""
    try:
        ask = msgspec.convert(raw, Ask)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(f"not a question: {error}") from None
    if ask.limit is not None and ask.limit < 1:
        raise InputError(f"a limit of {ask.limit}: expected 1 or more")
    try:
        puzzle = ask.puzzle.puzzle()
    except InputError as error:
        if ask.ask not in ("live", "strokes"):
            raise
        _invalid(ask.puzzle, error, emit)
        return
    ASKS[ask.ask](tools, ask, puzzle, emit)


def _invalid(form: Form, error: InputError, emit: Emit) -> None:
    found = dict(faults(form))
    marks = [(index, mark.mark()) for index, mark in enumerate(form.marks) if index not in found]
    drawn = _strokes(build(form.size, ()), marks)
    wrong = [{"mark": index, "error": text} for index, text in found.items()]
    emit({"part": "strokes", "strokes": list(drawn), "errors": wrong})
    emit({"part": "verdict", "verdict": "invalid", "error": str(error), "marks": list(found), "cells": []})


def _draw(tools: Tools, ask: Ask, puzzle: Puzzle, emit: Emit) -> None:
    drawn = _strokes(puzzle.board, list(enumerate(puzzle.board.marks)))
    emit({"part": "strokes", "strokes": list(drawn), "errors": []})


def _strokes(board: Board, marks: Sequence[tuple[int, Mark]]) -> Iterator[Part]:
    """Every stroke with the mark that it belongs to; a sentence that several have comes once."""
    frame = Frame(board.size, tuple(mark for _, mark in marks))
    noted: set[Note] = set()
    for line in grid_lines(board):
        yield {"type": "line", "mark": None, **msgspec.to_builtins(line)}
    for index, mark in marks:
        for stroke in of_mark(frame, mark):
            if isinstance(stroke, Note) and stroke in noted:
                continue
            noted |= {stroke} if isinstance(stroke, Note) else set()
            yield {"type": type(stroke).__name__.lower(), "mark": index, **msgspec.to_builtins(stroke)}


def _live(tools: Tools, ask: Ask, puzzle: Puzzle, emit: Emit) -> None:
    _draw(tools, ask, puzzle, emit)
    outcome = tools.check(puzzle)
    emit(_verdict(puzzle.board, outcome))
    match outcome.verdict:
        case Verdict.UNIQUE:
            cells = {puzzle.board.label(cell): value for cell, value in enumerate(outcome.grids[0])}
            one = {cell: [puzzle.board.shown(value)] for cell, value in cells.items()}
            counts = {cell: {str(value): 1 for value in values} for cell, values in one.items()}
            known = {"counts": counts, "limit": ask.limit or 1, "solutions": 1, "exact": True, "open": {}}
            emit({"part": "candidates", "cells": one, **known})
        case Verdict.UNSOLVABLE:
            _conflict(tools, puzzle, emit)
        case _:
            for limit in dict.fromkeys((1, ask.limit or 1)):
                emit(_candidates(puzzle.board, tools.survey(puzzle, limit)))


def _verdict(board: Board, outcome: Outcome) -> Part:
    grids = outcome.grids
    differ = [cell for cell in range(board.cells) if len({grid[cell] for grid in grids}) > 1]
    first: dict[str, Sequence[int]] = dict(board.parts(grids[0])) if grids else {}
    return {
        "part": "verdict",
        "verdict": outcome.verdict.value,
        "error": outcome.reason,
        "marks": [],
        "cells": [],
        "solution": _values(board, grids[0]) if grids else None,
        "second": _values(board, grids[1]) if len(grids) > 1 else None,
        "layers": {name: list(values) for name, values in first.items() if name},
        "differ": list(map(board.label, differ)),
        "seconds": outcome.seconds,
        "engine": outcome.backend,
    }


def _values(board: Board, grid: Grid) -> list[int]:
    return list(map(board.shown, grid[: board.grid_cells]))


def _candidates(board: Board, found: Candidates) -> Part:
    counts = {
        board.label(cell): {str(board.shown(value)): many for value, many in enumerate(row, 1) if many}
        for cell, row in enumerate(found.counts)
    }
    left = {board.label(cell): shown(board, allowed) for cell, allowed in enumerate(found.undecided) if allowed}
    return {
        "part": "candidates",
        "cells": {board.label(cell): shown(board, allowed) for cell, allowed in enumerate(found.possible)},
        "counts": None if found.limit == 1 else counts,
        "limit": found.limit,
        "solutions": found.solutions,
        "exact": not left,
        "open": left,
    }


def _conflict(tools: Tools, puzzle: Puzzle, emit: Emit) -> None:
    found = explained(tools.solver, puzzle, False, tools.seconds)
    if found.conflict is not None:
        text = sentences.conflict(puzzle.board, found.conflict)
        more = {"clashes": list(found.clashes), "guarantee": found.conflict.guarantee.value}
        emit({"part": "conflict", "text": text, **more, **_named(puzzle, found.conflict)})


def _named(puzzle: Puzzle, reason: Reason | None) -> Part:
    """What a reason names: cells of the board, places of marks in their list."""
    board, names = puzzle.board, () if reason is None else reason.constraints
    houses, others = cited(Picture(puzzle, cited=names))
    places = dict.fromkeys(cell for rule in others for cell in rule.cells if cell < board.cells)
    return {
        "givens": [board.label(fact.cell) for fact in (reason.facts if reason else ())],
        "marks": stressed_marks(board, others),
        "houses": [list(map(board.label, house.cells)) for house in houses],
        "cells": list(map(board.label, places)),
        "constraints": list(names),
    }


def _steps(tools: Tools, ask: Ask, puzzle: Puzzle, emit: Emit) -> None:
    outcome, board = tools.check(puzzle), puzzle.board
    if not outcome.grids:
        raise InputError(f"the puzzle is {outcome.verdict.value}: no value follows")
    cells: Sequence[int] = range(board.cells)
    if outcome.verdict is not Verdict.UNIQUE:
        cells = [cell for cell, value in enumerate(tools.survey(puzzle, 1).decided) if value]
    found = steps(puzzle, outcome.grids[0], cells, tools.seconds)
    number = 0
    for number, step in enumerate(islice(found, ask.limit), 1):
        named = {"cell": board.label(step.cell), "value": board.shown(step.value)}
        text, technique = sentences.step(board, step), step.technique and str(step.technique)
        emit({"part": "step", "number": number, **named, "technique": technique, "text": text}
             | _named(puzzle, step.reason))  # fmt: skip
    if not number:
        every = all(puzzle.givens)
        raise InputError("every cell is given" if every else "no value follows: every open cell can have several")


def _why(tools: Tools, ask: Ask, puzzle: Puzzle, emit: Emit) -> None:
    board = puzzle.board
    cell = next((cell for cell in range(board.cells) if board.label(cell) == ask.cell), None)
    if cell is None or ask.value is None or ask.value not in board.size.values:
        raise InputError(f"cell {ask.cell!r} and value {ask.value}: expected a cell of the board and one of its values")
    value = ask.value - board.first_value + 1
    possible, reason = reason_for(puzzle, cell, value, tools.seconds)
    text = f"{ask.cell} can be {ask.value}, and other values too"
    if reason is not None and possible:
        text = f"{ask.cell} must be {ask.value}: {sentences.causes(board, reason)}"
    elif reason is not None:
        facts = tuple(sorted((*reason.facts, Fact(cell, 1 << value)), key=lambda fact: fact.cell))
        whole = Reason(facts, reason.constraints, reason.guarantee)
        text = f"{ask.cell} cannot be {ask.value}: {sentences.conflict(board, whole)}"
    forced = possible and reason is not None
    emit({"part": "why", "possible": possible, "forced": forced, "text": text, **_named(puzzle, reason)})


def _count(tools: Tools, ask: Ask, puzzle: Puzzle, emit: Emit) -> None:
    for most in (FIRST_COUNT * GROWTH**power for power in count()):
        limit = None if most >= MAX_SUMMED and tools.session.sums(puzzle) else most
        if ask.limit is not None:
            limit = ask.limit if limit is None else min(limit, ask.limit)
        found = counted(tools.session, puzzle, limit, None, watch=_Progress(emit))
        emit({"part": "count", "count": found.count, "exact": found.exact})
        if found.exact or limit in (None, ask.limit):
            return


@dataclass(slots=True)
class _Progress:
    """Says how many solutions a sum has counted so far."""

    emit: Emit
    last: float = 0.0

    def begin(self, plan: object) -> None: ...

    def update(self, terms: int, solutions: int) -> None:
        if solutions > MAX_SUMMED and monotonic() > self.last + SOON:
            self.last = monotonic()
            self.emit({"part": "count", "count": solutions, "exact": False})


def _spare(tools: Tools, ask: Ask, puzzle: Puzzle, emit: Emit) -> None:
    with IncrementalSolver() as solver:
        found = minimized(solver, puzzle, Wish(timeout=tools.seconds, marks=True))
    if found.puzzle is None:
        raise InputError(
            f"the puzzle is {found.verdict.value}: only of one with one solution something can be left out"
        )
    dropped, marks = list(found.marks_dropped), list[int]()
    for index, mark in enumerate(puzzle.board.marks):
        if mark in dropped:
            dropped.remove(mark)
            marks.append(index)
    givens = list(map(puzzle.board.label, found.dropped))
    untested = len(found.untested) + len(found.marks_untested)
    emit({"part": "spare", "givens": givens, "marks": marks, "untested": untested})


def _unique(tools: Tools, ask: Ask, puzzle: Puzzle, emit: Emit) -> None:
    found, board = explained(tools.solver, puzzle, False, tools.seconds), puzzle.board
    if found.verdict is not Verdict.MULTIPLE:
        raise InputError(f"the puzzle is {found.verdict.value}: no further given is needed, or helps")
    if found.completion is None:
        raise InputError("the time was too short to find a given that makes it unique")
    grid = found.completion.grid
    givens = {board.label(cell): board.shown(grid[cell]) for cell in found.completion.cells}
    emit({"part": "unique", "givens": givens, "smallest": len(givens) == 1 or found.completion.over_all})


ASKS: dict[str, Callable[[Tools, Ask, Puzzle, Emit], None]] = {
    "live": _live,
    "strokes": _draw,
    "count": _count,
    "step": _steps,
    "why": _why,
    "spare": _spare,
    "unique": _unique,
}
