"""What people and programs read of candidates and minimal puzzles, and the pictures of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from math import ceil, sqrt
from textwrap import wrap
from typing import Any

from satdoku.backends import Ending
from satdoku.constraints import Grid
from satdoku.formats import walls
from satdoku.formats.walls import WIDTH
from satdoku.generator.report import format_for
from satdoku.inputs.sources import Entry
from satdoku.pictures import Picture
from satdoku.printing import CHECK_STATUS, Shown, Style, drawn, line
from satdoku.puzzle import Board, Puzzle, members, only
from satdoku.setter import words
from satdoku.setter.candidates import Candidates
from satdoku.setter.explain import Explanation
from satdoku.setter.minimize import Minimal
from satdoku.setter.reasons import Guarantee, Reason
from satdoku.variants import Frame
from satdoku.verdict import Verdict

Values = dict[str, Any]
"""A JSON object with a key for each cell, `r1c1`."""


def number(count: int, word: str) -> str:
    """`1 cell`, `2 cells`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def candidates(entry: Entry, found: Candidates, style: Style) -> Shown:
    """The answer of `candidates`. Its status is 0 where something is left in every cell, 1 if nothing is, 3 if cut."""
    cut = found.ending is Ending.TIMEOUT
    status = 3 if cut else int(found.verdict is Verdict.UNSOLVABLE)
    word = found.verdict.value
    if style.json:
        return Shown(_candidates_record(entry, found), word, status)
    if not style.alone:
        return Shown(f"{entry.origin}\t{word}\t{_told(found)}", word, status)
    grid = "" if found.verdict is Verdict.UNSOLVABLE else f"{candidate_grid(found, style.boxed)}\n\n"
    return Shown(grid + "\n".join(_sentences(found)), word, status)


def candidate_grid(found: Candidates, boxed: bool) -> str:
    """The values left in each cell, in the first of three forms that fits a terminal's width.

    Side by side in each cell; in a small square in each cell; the decided cells as a grid, the others listed.
    """
    board = found.puzzle.board
    left = _left(found)
    regions = Frame(board.columns, board.marks).region_of
    numbers = [regions.get(cell) for cell in range(board.cells)]
    lists: list[str] = []
    for cells in _forms(board, left):
        text = walls.blocks(cells, board.columns, numbers)
        if max(map(len, text.splitlines())) <= WIDTH:
            break
    else:
        text = walls.boxed(tuple(map(only, left)), board.columns, numbers)
        vary = (f"{board.label(cell)} {_several(allowed)}" for cell, allowed in enumerate(left) if not only(allowed))
        lists = ["", *_wrapped("", vary)]
    return "\n".join([text if boxed else text.translate(walls.ASCII), *lists])


def candidate_picture(found: Candidates) -> Picture:
    """Decided cells in the second ink, the values of the others small."""
    return Picture(found.puzzle, grid=found.decided, candidates=_left(found))


def minimal(entry: Entry, found: Minimal, to: str | None, witness: bool, style: Style) -> Shown:
    """The answer of `minimize`: the puzzle that is left; its status is 0 if it is minimal, 1 if there is none."""
    status = 3 if found.ending is Ending.TIMEOUT else CHECK_STATUS[found.verdict]
    word = _minimal_word(found)
    if found.puzzle is None:
        reason = f": {found.reason}" if found.reason else ""
        note = f"{found.verdict.value}{reason}; only a puzzle with one solution can be minimized"
        if found.verdict is Verdict.UNDECIDED:
            note = "undecided: the search was stopped by its timeout before the puzzle was known to be unique"
        record = {"puzzle": entry.origin, "verdict": found.verdict.value}
        return Shown(json.dumps(record, ensure_ascii=False) if style.json else None, word, status, note)
    board = found.puzzle.board
    format = format_for(board, to, style.json, not style.alone)
    text = format.write(found.puzzle)
    if style.json:
        return Shown(_minimal_record(entry, found, text, witness), word, status)
    if style.boxed and to is None and format.name == "grid":
        text = drawn(board, found.puzzle.givens, True)
    if witness:
        text = "\n".join([text, *(f"# without {_given(found.puzzle, c)}: {line(board, g)}" for c, g in found.needed)])
    return Shown(text, word, status, _minimal_note(found))


def explanation(entry: Entry, found: Explanation, style: Style) -> Shown:
    """The answer of `explain`. Its status is that of `check`, or 3 where the timeout cut it."""
    cut = found.ending is Ending.TIMEOUT
    status = 3 if cut else CHECK_STATUS[found.verdict]
    word = found.verdict.value
    if style.json:
        return Shown(_explanation_record(entry, found), word, status)
    board = found.puzzle.board
    lines = [] if style.alone else [f"{entry.origin}: {word}"]
    match found.verdict:
        case Verdict.UNSOLVABLE:
            lines += _unsolvable(found)
        case Verdict.MULTIPLE:
            lines += _multiple(found, style)
        case Verdict.UNIQUE:
            lines += _unique(found)
        case Verdict.UNDECIDED:
            lines.append("undecided: the search was stopped by its timeout")
    return Shown("\n".join(lines), word, status, _cut_note(board, found) if cut else None)


def explanation_pictures(found: Explanation) -> list[Picture]:
    """A picture of each step, of the conflict, or of two solutions with the cells that differ."""
    puzzle = found.puzzle
    board = puzzle.board
    if found.conflict is not None:
        cells = tuple(fact.cell for fact in found.conflict.facts)
        return [Picture(puzzle, focus=cells, notes=(words.conflict(board, found.conflict),))]
    if found.verdict is Verdict.MULTIPLE:
        first, second = found.solutions
        differ = tuple(cell for cell in range(board.cells) if first[cell] != second[cell])
        cells = found.completion.cells if found.completion is not None else ()
        notes = tuple(_completion(found))
        return [
            Picture(puzzle, grid=first, focus=cells, reasons=differ, notes=notes),
            Picture(puzzle, second, reasons=differ),
        ]
    known = list(puzzle.givens)
    pictures = []
    for number, step in enumerate(found.steps, 1):
        known[step.cell] = step.value
        cells = tuple(fact.cell for fact in step.reason.facts)
        note = words.step(board, step)
        pictures.append(Picture(puzzle, tuple(known), None, (step.cell,), cells, f"Step {number}", (note,)))
    return pictures or [Picture(puzzle)]


def _unsolvable(found: Explanation) -> Iterator[str]:
    board, conflict = found.puzzle.board, found.conflict
    assert conflict is not None
    yield "unsolvable: the puzzle has no solution"
    yield from (f"- {clash}" for clash in found.clashes)
    if not found.clashes:
        yield from wrap(words.conflict(board, conflict), WIDTH - 1, break_on_hyphens=False)
    what = f"{number(len(conflict.facts), 'given')} and {number(len(conflict.constraints), 'constraint')}"
    match conflict.guarantee:
        case Guarantee.SMALLEST:
            yield f"smallest: no fewer than these {what} conflict"
        case Guarantee.IRREDUCIBLE:
            yield f"irreducible: of these {what} none can be left out; there may be fewer others that conflict"
        case Guarantee.NONE:
            yield f"these {what} conflict; the timeout came before it was known which of them do not matter"


def _multiple(found: Explanation, style: Style) -> Iterator[str]:
    board = found.puzzle.board
    told = "" if found.vary is None else f": {number(len(found.vary), 'cell')} vary"
    yield f"multiple: the puzzle has more than one solution{told}"
    if found.vary is not None and len(found.vary) < board.cells:
        yield from _wrapped("", map(board.label, found.vary))
    yield ""
    first, second = (drawn(board, grid, style.boxed).splitlines() for grid in found.solutions)
    width = max(map(len, first))
    if 2 * width + 4 <= WIDTH:
        yield from (f"{left.ljust(width)}    {right}" for left, right in zip(first, second, strict=True))
    else:
        yield from [*first, "", *second]
    told_apart = list(_completion(found))
    yield from ["", *told_apart] if told_apart else []


def _completion(found: Explanation) -> Iterator[str]:
    """The cells that would make it unique, in lines."""
    completion = found.completion
    if completion is None:
        return
    cells = [f"{found.puzzle.board.label(cell)}={completion.grid[cell]}" for cell in completion.cells]
    yield from _wrapped("unique with ", cells)
    if completion.guarantee is not Guarantee.SMALLEST:
        yield "(irreducible: none of these can be left out; fewer others may do)"
    elif completion.over_all:
        yield "(smallest: fewer values of no solution would do)"
    elif completion.grid == found.solutions[0]:
        yield "(smallest for the first solution; another may take fewer)"


def _unique(found: Explanation) -> Iterator[str]:
    board = found.puzzle.board
    yield "unique: the puzzle has exactly one solution"
    for index, step in enumerate(found.steps, 1):
        lead = f"{index}. "
        yield from wrap(
            lead + words.step(board, step), WIDTH - 1, subsequent_indent=" " * len(lead), break_on_hyphens=False
        )
    proven = sum(step.reason.guarantee is Guarantee.SMALLEST for step in found.steps)
    if proven:
        steps = f"{proven} of {number(len(found.steps), 'step')}"
        yield f"smallest: at {steps} no value follows from fewer givens and constraints"
    if proven < len(found.steps):
        yield "irreducible: at every step nothing can be left out; elsewhere fewer may do"


def _cut_note(board: Board, found: Explanation) -> str:
    if found.verdict is Verdict.UNIQUE:
        open = sum(not value for value in found.puzzle.givens) - len(found.steps)
        if open:
            return f"undecided: the timeout came with {number(open, 'cell')} left to explain"
        return "undecided: the timeout came before every step was shown to be smallest"
    if found.verdict is Verdict.MULTIPLE and found.completion is None:
        return "undecided: the timeout came before it was known what would make it unique"
    return "undecided: the timeout came before this was shown to be smallest or irreducible"


def _explanation_record(entry: Entry, found: Explanation) -> str:
    board = found.puzzle.board
    record: dict[str, Any] = {"puzzle": entry.origin, "verdict": found.verdict.value, "ending": found.ending.value}
    match found.verdict:
        case Verdict.UNSOLVABLE:
            assert found.conflict is not None
            record["clashes"] = list(found.clashes)
            record["conflict"] = _reason(board, found.conflict) | {"text": words.conflict(board, found.conflict)}
        case Verdict.MULTIPLE:
            record["solutions"] = [line(board, grid) for grid in found.solutions]
            record["vary"] = None if found.vary is None else list(map(board.label, found.vary))
            record["unique_with"] = _completion_record(found)
        case Verdict.UNIQUE:
            record["solution"] = line(board, found.solutions[0])
            record["steps"] = [
                {"cell": board.label(step.cell), "value": step.value}
                | _reason(board, step.reason)
                | {"text": words.step(board, step)}
                for step in found.steps
            ]
    return json.dumps(record, ensure_ascii=False)


def _completion_record(found: Explanation) -> Values | None:
    board, completion = found.puzzle.board, found.completion
    if completion is None:
        return None
    return {
        "cells": {board.label(cell): completion.grid[cell] for cell in completion.cells},
        "solution": line(board, completion.grid),
        "guarantee": completion.guarantee.value,
        "over_all_solutions": completion.over_all,
    }


def _reason(board: Board, reason: Reason) -> Values:
    return {
        "givens": [fact.label(board) for fact in reason.facts],
        "constraints": list(reason.constraints),
        "size": reason.size,
        "guarantee": reason.guarantee.value,
    }


def _minimal_word(found: Minimal) -> str:
    if found.puzzle is None:
        return found.verdict.value
    return "not finished" if found.untested else "minimal"


def _minimal_note(found: Minimal) -> str:
    assert found.puzzle is not None
    before, after = (sum(map(bool, puzzle.givens)) for puzzle in (found.original, found.puzzle))
    told = [f"{number(before, 'given')}, {after} left"]
    if found.untested:
        told.append(f"undecided whether {len(found.untested)} of them are needed: the timeout came first")
    elif found.spare:
        told.append(f"{len(found.spare)} of them kept though not needed by {'itself' if after == 1 else 'themselves'}")
    else:
        told.append("each of them needed")
    return ", ".join(told)


def _minimal_record(entry: Entry, found: Minimal, text: str, witness: bool) -> str:
    assert found.puzzle is not None and found.solution is not None
    board = found.puzzle.board
    record: dict[str, Any] = {
        "puzzle": entry.origin,
        "verdict": found.verdict.value,
        "result": text,
        "solution": line(board, found.solution),
        "givens": sum(map(bool, found.puzzle.givens)),
        "minimal": not found.untested and not found.spare,
        "dropped": [board.label(cell) for cell in found.dropped],
        "spare": [board.label(cell) for cell in found.spare],
        "untested": [board.label(cell) for cell in found.untested],
        "ending": found.ending.value,
    }
    if witness:
        record["witnesses"] = {_given(found.puzzle, cell): line(board, grid) for cell, grid in found.needed}
    return json.dumps(record, ensure_ascii=False)


def _given(puzzle: Puzzle, cell: int) -> str:
    return f"{puzzle.board.label(cell)}={puzzle.givens[cell]}"


def _left(found: Candidates) -> Grid:
    """For each cell the values that occur or may occur."""
    return tuple(seen | unknown for seen, unknown in zip(found.possible, found.undecided, strict=True))


def _forms(board: Board, left: Sequence[int]) -> Iterator[list[list[str]]]:
    """Cells as blocks of text, while values are of one character."""
    if board.values > 9:
        return
    joined = ["".join(map(str, members(allowed))) for allowed in left]
    width = max(map(len, joined))
    yield [[text.ljust(width)] for text in joined]
    across = ceil(sqrt(board.values))
    down = -(-board.values // across)
    yield [_square(allowed, board.values, across, down) for allowed in left]


def _square(allowed: int, size: int, across: int, down: int) -> list[str]:
    """Each value at its place; a decided one in the middle."""
    value = only(allowed)
    if value:
        blank, middle = " " * across, str(value).center(across)
        return [middle if row == (down - 1) // 2 else blank for row in range(down)]
    shown = "".join(str(v) if allowed >> v & 1 else "." if v <= size else " " for v in range(1, across * down + 1))
    return [shown[row * across : (row + 1) * across] for row in range(down)]


def _several(allowed: int) -> str:
    return " ".join(map(str, members(allowed)))


def _told(found: Candidates) -> str:
    decided = sum(map(bool, found.decided))
    return f"{decided} decided, {found.puzzle.board.cells - decided} vary"


def _sentences(found: Candidates) -> Iterator[str]:
    board = found.puzzle.board
    decided = sum(map(bool, found.decided))
    match found.verdict:
        case Verdict.UNSOLVABLE:
            reason = f": {found.reason}" if found.reason else ""
            yield f"unsolvable: no value occurs in a solution{reason}"
            return
        case Verdict.UNIQUE:
            yield "unique: every cell is decided"
        case verdict:
            may = " or may vary" if found.ending is Ending.TIMEOUT else ""
            yield f"{verdict.value}: {number(decided, 'cell')} decided, {board.cells - decided} vary{may}"
    if found.ending is Ending.TIMEOUT:
        open = sum(map(int.bit_count, found.undecided))
        yield f"stopped by the timeout: {number(open, 'value')} undecided, and so are the counts"
        yield from _wrapped("undecided: ", _by_cell(board, found.undecided))
    for group in found.equal or ():
        yield from _wrapped("equal in every solution: ", [" = ".join(map(board.label, group))])
    if found.limit != 1 and found.solutions > 1:
        upto = "" if found.limit is None else f", up to {found.limit}"
        rows = (
            f"{board.label(cell)} {' '.join(f'{value}:{count}' for value, count in enumerate(row, 1) if count)}"
            for cell, row in enumerate(found.counts)
            if not found.decided[cell]
        )
        yield from _wrapped(f"solutions with each value{upto}: ", rows)
    hidden = _by_cell(board, found.hidden)
    yield from _wrapped("impossible, though no rule by itself excludes it: ", hidden)


def _by_cell(board: Board, sets: Sequence[int]) -> list[str]:
    return [f"{board.label(cell)} {_several(allowed)}" for cell, allowed in enumerate(sets) if allowed]


def _wrapped(label: str, items: Iterable[str]) -> list[str]:
    """The items, comma between them, none broken, in lines that a terminal holds; nothing if there are none."""
    glued = [item.replace(" ", "\0") for item in items]
    if not glued:
        return []
    lines = wrap(label + ", ".join(glued), WIDTH - 1, subsequent_indent="  ", break_on_hyphens=False)
    return [text.replace("\0", " ") for text in lines]


def _candidates_record(entry: Entry, found: Candidates) -> str:
    board = found.puzzle.board
    rows = found.counts
    record: dict[str, Any] = {
        "puzzle": entry.origin,
        "verdict": found.verdict.value,
        "limit": found.limit,
        "candidates": {
            board.label(cell): {str(value): count for value, count in enumerate(row, 1) if count}
            for cell, row in enumerate(rows)
        },
        "decided": {board.label(cell): value for cell, value in enumerate(found.decided) if value},
        "hidden": _sets(board, found.hidden),
        "equal": None if found.equal is None else [list(map(board.label, group)) for group in found.equal],
        "solutions": found.solutions,
        "ending": found.ending.value,
    }
    if found.reason:
        record["reason"] = found.reason
    if found.ending is Ending.TIMEOUT:
        record["undecided"] = _sets(board, found.undecided)
    return json.dumps(record, ensure_ascii=False)


def _sets(board: Board, sets: Sequence[int]) -> Values:
    return {board.label(cell): list(members(allowed)) for cell, allowed in enumerate(sets) if allowed}
