"""What a worker says about a puzzle: one function for each question of the page, which emits its parts as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from time import monotonic
from types import SimpleNamespace
from typing import Any

import msgspec

from satdoku.backends import Ending
from satdoku.counting.clues import summable
from satdoku.counting.fillable import fillable
from satdoku.deferred import installed
from satdoku.drawings import noted
from satdoku.errors import InputError, Refused
from satdoku.pictures.picture import grid_lines
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.setter import sentences
from satdoku.setter.candidates import Candidates
from satdoku.setter.cores import CoreStep
from satdoku.setter.explain import explained, reason_for
from satdoku.setter.minimize import MinimizeOptions, minimized
from satdoku.setter.reasons import Fact, Guarantee, Reason
from satdoku.setter.solving import steps_of
from satdoku.system.clock import THREADS
from satdoku.techniques.step import Step
from satdoku.variants import Frame, build
from satdoku.variants.cosmetics import cosmetic
from satdoku.variants.drawing import laid_out, of_mark
from satdoku.variants.sentences import rules
from satdoku.variants.strokes import Note, Stroke
from satdoku.verdict import MAX_ENUMERATED, MAX_REFEREED, Outcome, Verdict, counted
from satdoku.web import playing, unfinished
from satdoku.web.forms import Form, decoded, faults, shown
from satdoku.web.questions import Emit, PageQuestion, Part, Tools, labels, named
from satdoku.web.unfinished import Split, split

MAX_GROUPED = 200_000  # cells of all groups: the page compares digits itself
COUNTING = 0.2  # seconds to count the solutions of each candidate, for each that the limit asks for
PAUSE = 0.1  # seconds between two parts of a count
NOT_SUMMED = "sums, which would count all, are not made in the browser: `satdoku web`, the page of a program, has them"
NO_RACE = "CP-SAT, and several engines at once, are not in the browser: `satdoku web`, the page of a program, has them"


def answer(tools: Tools, raw: bytes, emit: Emit) -> None:
    """Raises InputError for a question that cannot be answered."""
    ask = decoded(raw, PageQuestion)
    if ask.limit is not None and ask.limit < 1:
        raise InputError(f"a limit of {ask.limit}: expected 1 or more")
    parts = split(ask.puzzle)
    drawn = ask.ask in ("live", "strokes")
    try:
        puzzle = parts.form.puzzle()
    except InputError as error:
        if not drawn:
            raise
        wrong = dict(faults(parts.form))
        marks = {index: mark.mark() for index, mark in enumerate(parts.form.marks) if index not in wrong}
        _draw(build(ask.puzzle.size, ()), marks, parts, ask.puzzle, emit)
        named = [parts.places[index] for index in wrong]
        emit({"part": "verdict", "verdict": "invalid", "reason": str(error), "marks": named})
        return

    def tell(part: Part) -> None:
        """The marks are named by their places in the whole list."""
        places = {"marks": [parts.places[index] for index in part["marks"]]} if "marks" in part else {}
        without = {"unfinished": len(parts.lacking)} if part["part"] == "verdict" else {}
        emit({**part, **places, **without})

    if drawn:
        _draw(puzzle.board, dict(enumerate(puzzle.board.marks)), parts, ask.puzzle, emit)
    if ask.ask != "strokes":
        ASKS[ask.ask](tools, ask, puzzle, tell)


def _draw(board: Board, marks: dict[int, Mark], parts: Split, form: Form, emit: Emit) -> None:
    """Every stroke with the place of its mark in the list; a sentence that several have comes once."""
    frame, known = laid_out(Frame(board.size, tuple(marks.values()))), set[Note]()
    drawn = [_stroke(stroke, None) for drawing in form.drawings for stroke in cosmetic(drawing)]
    drawn += [_stroke(line, None) for line in grid_lines(board)]
    for index, mark in zip(marks, frame.marks, strict=True):
        for stroke in of_mark(frame, mark):
            if isinstance(stroke, Note):
                if stroke in known:
                    continue
                known.add(stroke)
            drawn.append(_stroke(stroke, parts.places[index]))
    for index in parts.lacking:
        drawn += [_stroke(stroke, index) for stroke in unfinished.strokes(form.marks[index], board.size)]
    errors = [{"mark": index, "error": text} for index, text in parts.lacking.items()]
    sentences = rules(board.size, list(marks.values()))
    texts = {"rules": "\n".join(sentences), "errors": errors, "drawn": noted(form.drawings)}
    emit({"part": "strokes", "strokes": drawn, "groups": _groups(board), **texts})


def _groups(board: Board) -> list[list[int]]:
    """The cells of the grid that differ from each other, a list for each constraint that says so."""
    groups = [[cell for cell in rule.cells if cell < board.grid_cells] for rule in board.all_different]
    return groups if sum(map(len, groups)) <= MAX_GROUPED else []


def _stroke(stroke: Stroke, mark: int | None) -> Part:
    return {"type": type(stroke).__name__.lower(), "mark": mark, **msgspec.to_builtins(stroke)}


def _live(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    outcome, board = tools.check(puzzle), puzzle.board
    emit(_verdict(board, outcome))
    match outcome.verdict:
        case Verdict.UNIQUE:
            one = {board.label(cell): board.shown(value) for cell, value in enumerate(outcome.grids[0])}
            counts = {cell: {str(value): 1} for cell, value in one.items()}
            known = {"counts": counts, "limit": ask.limit or 1, "solutions": 1, "exact": True}
            emit({"part": "candidates", "cells": {cell: [value] for cell, value in one.items()}, **known})
        case Verdict.UNSOLVABLE:
            clashes, last = list(puzzle.clashes()), ""

            def tell(reason: Reason) -> None:
                """Each conflict that is found, as long as it reads differently."""
                nonlocal last
                text = sentences.conflict(board, reason)
                if text != last:
                    last = text
                    emit({"part": "conflict", "text": text, "clashes": clashes, **named(puzzle, reason)})

            try:
                explained(tools.solver, puzzle, False, tools.seconds, tell=tell)
            except Refused:  # the board is too large
                if not clashes:
                    raise
                emit({"part": "conflict", "text": "", "clashes": clashes, **named(puzzle, None)})
        case _:
            for candidates in _surveys(tools, puzzle, ask.limit or 1):
                emit(_candidates(board, candidates))


def assist(tools: Tools, raw: bytes, emit: Emit) -> None:
    """Look for what the answer to a question `live` is looked for elsewhere: what is found is sent there."""
    ask = decoded(raw, PageQuestion)
    for _ in _surveys(tools, split(ask.puzzle).form.puzzle(), ask.limit or 1):
        pass


def _surveys(tools: Tools, puzzle: Puzzle, limit: int) -> Iterator[Candidates]:
    """The candidates, then with counts up to the limit."""
    first = tools.survey(puzzle, 1)
    yield first
    if limit > 1 and first.ending is not Ending.TIMEOUT:
        more = tools.survey(puzzle, limit, limit * COUNTING)
        rows = zip(first.counts, more.counts, strict=True)
        least = tuple(tuple(map(max, row, further)) for row, further in rows)
        yield replace(more, counts=least, undecided=first.undecided)


def _verdict(board: Board, outcome: Outcome) -> Part:
    grids = outcome.grids
    solutions = [[board.shown(value) for value in grid[: board.grid_cells]] for grid in grids]
    differ = (cell for cell in range(board.cells) if len({grid[cell] for grid in grids}) > 1)
    layers = {name: list(part) for name, part in board.parts(grids[0]) if name} if grids else {}
    fields = outcome.to_dict(["verdict", "reason", "seconds", "backend", "solution", "solutions"], solutions)
    if outcome.verdict is Verdict.UNDECIDED and not THREADS:
        fields["reason"] = fields["reason"] or NO_RACE
    return {"part": "verdict", **fields, "layers": layers, "differ": labels(board, differ)}


def _candidates(board: Board, candidates: Candidates) -> Part:
    rows = {
        board.label(cell): {str(board.shown(value)): many for value, many in enumerate(row, 1) if many}
        for cell, row in enumerate(candidates.counts)
    }
    cells = {board.label(cell): shown(board, allowed) for cell, allowed in enumerate(candidates.possible)}
    left = {board.label(cell): shown(board, allowed) for cell, allowed in enumerate(candidates.undecided) if allowed}
    counts = None if candidates.limit == 1 else rows
    fields = {"counts": counts, "limit": candidates.limit, "solutions": candidates.solutions}
    fields["least"] = candidates.ending is Ending.TIMEOUT  # whether there may be more than were counted
    return {"part": "candidates", "cells": cells, **fields, "exact": not left, "open": left}


def _placements(puzzle: Puzzle, steps: Iterable[Step | CoreStep]) -> Iterator[Part]:
    """For each value that follows its part: the step that places it, behind those that only exclude candidates."""
    board, before = puzzle.board, list[Step]()
    for step in steps:
        if isinstance(step, CoreStep):
            fields = {"cell": board.label(step.cell), "value": board.shown(step.value), "technique": None}
            text = " ".join([*(f"{each.sentence(board)}." for each in before), sentences.step(board, step)])
            yield fields | {"text": text, **named(puzzle, step.reason)}
        elif step.placements:
            text = " ".join(f"{each.sentence(board)}." for each in (*before, step)) if before else step.sentence(board)
            names = [name for each in (*before, step) for name in each.houses]
            reason = Reason((), tuple(dict.fromkeys(names)), Guarantee.NONE)
            for cell, value in step.placements:
                fields = {"cell": board.label(cell), "value": board.shown(value), "technique": step.technique}
                yield fields | {"text": text, **named(puzzle, reason)}
        else:
            before.append(step)
            continue
        before = []


def _steps(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    outcome, board = tools.check(puzzle), puzzle.board
    if not outcome.grids:
        raise InputError(f"the puzzle is {outcome.verdict.value}: no value follows")
    cells: Sequence[int] = range(board.cells)
    if outcome.verdict is not Verdict.UNIQUE:
        cells = [cell for cell, value in enumerate(tools.survey(puzzle, 1).decided) if value]
    unique = outcome.verdict is Verdict.UNIQUE
    steps = steps_of(puzzle, outcome.grids[0], cells, unique, tools.seconds)
    number = 0
    for number, part in enumerate(islice(_placements(puzzle, steps), ask.limit), 1):
        emit({"part": "step", "number": number, **part})
    if not number:
        every = all(puzzle.givens)
        raise InputError("every cell is given" if every else "no value follows: every open cell can have several")


def _why(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    board = puzzle.board
    cell = next((cell for cell in range(board.cells) if board.label(cell) == ask.cell), None)
    if cell is None or ask.value is None or ask.value not in board.size.digits:
        raise InputError(f"cell {ask.cell!r} and value {ask.value}: expected a cell of the board and one of its values")
    value = board.size.inner(ask.value)
    possible, reason = reason_for(puzzle, cell, value, tools.seconds)
    text = f"{ask.cell} can be {ask.value}, and other values too"
    if reason is not None and possible:
        text = f"{ask.cell} must be {ask.value}: {sentences.causes(board, reason)}"
    elif reason is not None:
        facts = tuple(sorted((*reason.facts, Fact(cell, 1 << value)), key=lambda fact: fact.cell))
        whole = Reason(facts, reason.constraints, reason.guarantee)
        text = f"{ask.cell} cannot be {ask.value}: {sentences.conflict(board, whole)}"
    fields = {"part": "why", "possible": possible, "forced": possible and reason is not None, "text": text}
    emit(fields | named(puzzle, reason))


def _count(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    missing = not installed("numpy") and (summable(puzzle) or fillable(puzzle))

    def tell(many: int, exact: bool = False) -> None:
        # A browser reads numbers above 2**53 as others near them.
        more = {"note": NOT_SUMMED} if missing and not exact and many > MAX_REFEREED else {}
        emit({"part": "count", "count": many, "text": f"{many:,}", "exact": exact, **more})

    outcome = progress(tools, puzzle, ask.limit, tell)
    tell(outcome.count, outcome.exact)


def progress(tools: Tools, puzzle: Puzzle, limit: int | None, tell: Callable[[int], None]) -> Outcome:
    """Count, and tell every PAUSE seconds how many there are at least."""
    sent_at = monotonic()

    def now_and_then(many: int) -> None:
        nonlocal sent_at
        if monotonic() - sent_at > PAUSE:
            sent_at = monotonic()
            tell(many)

    def update(terms: int, many: int) -> None:
        now_and_then(max(many, MAX_ENUMERATED))

    watch: Any = SimpleNamespace(begin=lambda plan: None, enumerated=now_and_then, update=update)
    return counted(tools.session, puzzle, limit, None, watch=watch)


def _spare(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    minimal = minimized(tools.solver, puzzle, MinimizeOptions(timeout=tools.seconds, marks=True))
    if minimal.puzzle is None:
        raise InputError(
            f"the puzzle is {minimal.verdict.value}: only of one with one solution something can be left out"
        )
    dropped, marks = list(minimal.marks_dropped), list[int]()
    for index, mark in enumerate(puzzle.board.marks):
        if mark in dropped:
            dropped.remove(mark)
            marks.append(index)
    untested = len(minimal.untested) + len(minimal.marks_untested)
    emit({"part": "spare", "givens": labels(puzzle.board, minimal.dropped), "marks": marks, "untested": untested})


def _unique(tools: Tools, ask: PageQuestion, puzzle: Puzzle, emit: Emit) -> None:
    explanation, board = explained(tools.solver, puzzle, False, tools.seconds), puzzle.board
    if explanation.verdict is not Verdict.MULTIPLE:
        raise InputError(f"the puzzle is {explanation.verdict.value}: no further given is needed, or helps")
    if explanation.completion is None:
        raise InputError("the time was too short to find a given that makes it unique")
    grid = explanation.completion.grid
    givens = {board.label(cell): board.shown(grid[cell]) for cell in explanation.completion.cells}
    emit({"part": "unique", "givens": givens, "smallest": len(givens) == 1 or explanation.completion.over_all})


ASKS = {
    "check": playing.check,
    "hint": playing.hint,
    "rate": playing.rate,
    "live": _live,
    "count": _count,
    "step": _steps,
    "why": _why,
    "spare": _spare,
    "unique": _unique,
}
