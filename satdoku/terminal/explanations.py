"""Explanations as text, as records and as pictures."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from satdoku.formats.line import flat as line
from satdoku.formats.regions import WIDTH
from satdoku.pictures import Picture
from satdoku.pictures.picture import FOCUS, REASON
from satdoku.puzzle import Board, members
from satdoku.setter import sentences
from satdoku.setter.cores import CoreStep
from satdoku.setter.difficulty import counted
from satdoku.setter.explain import Explanation
from satdoku.setter.reasons import Guarantee, Reason
from satdoku.techniques.grid import Strike
from satdoku.techniques.ladder import grid_of
from satdoku.techniques.step import Step
from satdoku.terminal.step_pictures import cited_legend, step_picture
from satdoku.terminal.texts import SENTENCES, cell_lines, grid_drawing, list_lines, sentence_lines
from satdoku.verdict import Verdict
from satdoku.words import plural


def lines(explanation: Explanation, boxed: bool) -> Iterator[str]:
    match explanation.verdict:
        case Verdict.UNSOLVABLE:
            yield from _unsolvable(explanation)
        case Verdict.MULTIPLE:
            yield from _multiple(explanation, boxed)
        case Verdict.UNIQUE:
            yield from _unique(explanation)
        case Verdict.UNDECIDED:
            yield SENTENCES["undecided"]


def pictures(explanation: Explanation) -> Iterator[Picture]:
    """A picture of each step, of the conflict, or of two solutions with the cells that differ."""
    puzzle, board = explanation.puzzle, explanation.puzzle.board
    if explanation.conflict is not None:
        cells, constraints = tuple(fact.cell for fact in explanation.conflict.facts), explanation.conflict.constraints
        picture = Picture(
            puzzle, focus=cells, cited=constraints, notes=(sentences.conflict(board, explanation.conflict),)
        )
        yield _with_legend(picture, "given that conflicts")
    elif explanation.verdict is Verdict.MULTIPLE:
        first, second = explanation.solutions
        differ = tuple(cell for cell in range(board.cells) if first[cell] != second[cell])
        cells = explanation.completion.cells if explanation.completion is not None else ()
        picture = Picture(puzzle, grid=first, focus=cells, reasons=differ, notes=tuple(_completion(explanation)))
        yield _with_legend(picture, "would make it unique", "differs between the two solutions")
        yield _with_legend(Picture(puzzle, second, reasons=differ), "", "differs between the two solutions")
    elif not explanation.steps:
        yield Picture(puzzle)
    grid = grid_of(puzzle, unique=True)
    for number, step in enumerate(explanation.steps, 1):
        title, notes = f"Step {number}", (sentences.step(board, step),)
        if isinstance(step, Step):
            yield step_picture(puzzle, grid, step, title, notes)
            step.apply(grid)
            continue
        grid.place(step.cell, step.value)
        known = [value or placed for value, placed in zip(puzzle.givens, grid.values, strict=True)]
        reasons = tuple(fact.cell for fact in step.reason.facts)
        picture = Picture(puzzle, tuple(known), focus=(step.cell,), reasons=reasons, title=title, notes=notes)
        picture = replace(picture, cited=step.reason.constraints)
        yield _with_legend(picture, "the value that follows", "known, and needed for it")


def _with_legend(picture: Picture, focus: str, reasons: str = "") -> Picture:
    """The picture with what its colours mean, of those that it has."""
    shades = ((FOCUS, focus, picture.focus), (REASON, reasons, picture.reasons))
    own = ((tint, text) for tint, text, cells in shades if cells)
    return replace(picture, legend=(*own, *cited_legend(picture)))


def _unsolvable(explanation: Explanation) -> Iterator[str]:
    board, conflict = explanation.puzzle.board, explanation.conflict
    assert conflict is not None
    yield SENTENCES["unsolvable"]
    yield from (f"- {clash}" for clash in explanation.clashes)
    if not explanation.clashes:
        yield from sentence_lines(sentences.conflict(board, conflict))
    what = f"{plural(len(conflict.facts), 'given')} and {plural(len(conflict.constraints), 'constraint')}"
    match conflict.guarantee:
        case Guarantee.SMALLEST:
            yield f"smallest: no fewer than these {what} conflict"
        case Guarantee.IRREDUCIBLE if not conflict.facts and len(conflict.constraints) == 1:
            yield f"{conflict.constraints[0]} alone is impossible"
        case Guarantee.IRREDUCIBLE:
            yield f"irreducible: of these {what} none can be left out; there may be fewer others that conflict"
        case Guarantee.NONE:
            yield f"these {what} conflict; the timeout came before it was known which of them do not matter"


def _multiple(explanation: Explanation, boxed: bool) -> Iterator[str]:
    board = explanation.puzzle.board
    vary = "" if explanation.vary is None else f": {plural(len(explanation.vary), 'cell')} vary"
    yield f"multiple: the puzzle has more than one solution{vary}"
    if explanation.vary is not None and len(explanation.vary) < board.cells:
        yield from cell_lines("", board, explanation.vary)
    yield ""
    first, second = (grid_drawing(board, grid, boxed).splitlines() for grid in explanation.solutions)
    width = max(map(len, first))
    if 2 * width + 4 <= WIDTH:
        yield from (f"{left.ljust(width)}    {right}" for left, right in zip(first, second, strict=True))
    else:
        yield from [*first, "", *second]
    completion = list(_completion(explanation))
    yield from ["", *completion] if completion else []


def _completion(explanation: Explanation) -> Iterator[str]:
    """The cells that would make it unique, in lines."""
    completion = explanation.completion
    if completion is None:
        return
    board = explanation.puzzle.board
    cells = [f"{board.label(cell)}={board.shown(completion.grid[cell])}" for cell in completion.cells]
    yield from list_lines("unique with ", cells)
    if completion.guarantee is not Guarantee.SMALLEST:
        yield "(irreducible: none of these can be left out; fewer others may do)"
    elif completion.over_all:
        yield "(smallest: no solution needs fewer values)"
    elif completion.grid == explanation.solutions[0]:
        yield "(smallest for the first solution; another may take fewer)"


def _unique(explanation: Explanation) -> Iterator[str]:
    yield SENTENCES["unique"]
    for index, step in enumerate(explanation.steps, 1):
        lead = f"{index}. "
        yield from sentence_lines(lead + sentences.step(explanation.puzzle.board, step), len(lead))
    yield from sentence_lines(_counts(explanation)) if explanation.steps else ()
    yield from sentence_lines(str(explanation.difficulty)) if explanation.difficulty else ()
    cores = [step for step in explanation.steps if isinstance(step, CoreStep)]
    if not cores:
        return
    yield from sentence_lines(_sizes(cores))
    proven = sum(step.reason.guarantee is Guarantee.SMALLEST for step in cores)
    if proven:
        yield f"smallest: at {proven} of {plural(len(cores), 'core')} nothing follows from fewer givens and constraints"
    if proven < len(cores):
        yield "irreducible: nothing can be left out of a core; elsewhere fewer may do"


def hint(explanation: Explanation, stages: int) -> Iterator[str]:
    """The first step in so many stages: where to look, which technique, what follows."""
    texts = sentences.hint(explanation.puzzle.board, explanation.steps[0])
    for number, text in enumerate(texts[:stages], 1):
        lead = f"{number}. "
        yield from sentence_lines(lead + text, len(lead))


def _counts(explanation: Explanation) -> str:
    """`31 steps: 20 naked singles, 10 hidden singles, 1 core`."""
    names = Counter(step.technique if isinstance(step, Step) else "core" for step in explanation.steps)
    used = ", ".join(counted(many, name) for name, many in names.most_common())
    return f"{plural(len(explanation.steps), 'step')}: {used}"


def _sizes(cores: Sequence[CoreStep]) -> str:
    """`cores by size: 2 of 4, 1 of 12; the largest has 12`."""
    sizes = Counter(step.reason.size for step in cores)
    by_size = ", ".join(f"{many} of {size}" for size, many in sorted(sizes.items()))
    return f"cores by size: {by_size}; the largest has {max(sizes)}"


def cut_note(explanation: Explanation) -> str:
    if explanation.verdict is Verdict.UNIQUE:
        placed = sum(len(step.placements) if isinstance(step, Step) else 1 for step in explanation.steps)
        unexplained = sum(not value for value in explanation.puzzle.givens) - placed
        if unexplained:
            return f"undecided: the timeout came with {plural(unexplained, 'cell')} left to explain"
        return "undecided: the timeout came before every step was shown to be smallest"
    if explanation.verdict is Verdict.MULTIPLE and explanation.completion is None:
        return "undecided: the timeout came before it was known what would make it unique"
    return "undecided: the timeout came before this was shown to be smallest or irreducible"


def record(explanation: Explanation) -> dict[str, object]:
    board = explanation.puzzle.board
    fields: dict[str, object] = {"verdict": explanation.verdict.value, "ending": explanation.ending.value}
    match explanation.verdict:
        case Verdict.UNSOLVABLE:
            assert explanation.conflict is not None
            fields["clashes"] = list(explanation.clashes)
            fields["conflict"] = _reason(board, explanation.conflict, sentences.conflict(board, explanation.conflict))
        case Verdict.MULTIPLE:
            fields["solutions"] = [line(board, grid) for grid in explanation.solutions]
            fields["vary"] = None if explanation.vary is None else list(map(board.label, explanation.vary))
            completion = explanation.completion
            fields["unique_with"] = completion and {
                "cells": {board.label(cell): board.shown(completion.grid[cell]) for cell in completion.cells},
                "solution": line(board, completion.grid),
                "guarantee": completion.guarantee.value,
                "over_all_solutions": completion.over_all,
            }
        case Verdict.UNIQUE:
            fields["solution"] = line(board, explanation.solutions[0])
            fields["steps"] = [step_record(board, step) for step in explanation.steps]
            fields["difficulty"] = explanation.difficulty and explanation.difficulty.record()
    return fields


def step_record(board: Board, step: Step | CoreStep) -> dict[str, object]:
    """A step as JSON's types; of a core the technique is null."""
    if isinstance(step, CoreStep):
        placed = {"technique": None, "placements": {board.label(step.cell): board.shown(step.value)}}
        return placed | {"eliminations": {}} | _reason(board, step.reason, sentences.step(board, step))
    parts = {name: _by_cell(board, strikes) for name, strikes in step.parts}
    links = [
        {"from": _node(board, link.start), "to": _node(board, link.end), "strong": link.strong} for link in step.links
    ]
    return {
        "technique": step.technique,
        "placements": {board.label(cell): board.shown(value) for cell, value in step.placements},
        "eliminations": _by_cell(board, step.eliminations),
        "pattern": _by_cell(board, step.pattern),
        "parts": parts,
        "houses": list(step.houses),
        "links": links,
        "text": sentences.step(board, step),
    }


def _by_cell(board: Board, strikes: Iterable[Strike]) -> dict[str, list[int]]:
    explanation: dict[int, list[int]] = {}
    for value, cells in sorted(strikes):
        for cell in members(cells):
            explanation.setdefault(cell, []).append(board.shown(value))
    return {board.label(cell): explanation[cell] for cell in sorted(explanation)}


def _node(board: Board, strike: Strike) -> dict[str, object]:
    value, cells = strike
    return {"value": board.shown(value), "cells": [board.label(cell) for cell in members(cells)]}


def _reason(board: Board, reason: Reason, text: str) -> dict[str, Any]:
    parts = {"givens": [fact.label(board) for fact in reason.facts], "constraints": list(reason.constraints)}
    return parts | {"size": reason.size, "guarantee": reason.guarantee.value, "text": text}
