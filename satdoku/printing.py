"""What people and programs read: sentences, lines and JSON objects made from outcomes.

`checked`, `solved` and `counted` turn an outcome into what is printed, the word it is tallied
under, and the exit status it means.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from satdoku.backends import Ending
from satdoku.constraints import Grid
from satdoku.exports.answers import Status
from satdoku.formats.grid import draw
from satdoku.formats.line import flat
from satdoku.puzzle import Board, Puzzle
from satdoku.variants.boxes import box_of
from satdoku.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from satdoku.exports.decode import Decoded

CHECK_STATUS = {Verdict.UNIQUE: 0, Verdict.MULTIPLE: 1, Verdict.UNSOLVABLE: 1, Verdict.UNDECIDED: 3}

SENTENCES = {
    Verdict.UNIQUE: "unique: the puzzle has exactly one solution",
    Verdict.MULTIPLE: "multiple: the puzzle has more than one solution, here are two",
    Verdict.UNSOLVABLE: "unsolvable: the puzzle has no solution",
    Verdict.UNDECIDED: "undecided: the search was stopped by its timeout",
}

DECODE_STATUS = {Status.SATISFIABLE: 0, Status.UNSATISFIABLE: 1, Status.UNKNOWN: 3}

DECODE_SENTENCES = {
    Status.SATISFIABLE: None,
    Status.UNSATISFIABLE: "unsatisfiable: the solver says that no grid satisfies the clauses",
    Status.UNKNOWN: "undecided: the solver stopped without an answer",
}


@dataclass(frozen=True, slots=True)
class Style:
    """How to print: as JSON, alone (one puzzle in all), with two solutions, with seconds."""

    json: bool
    alone: bool
    solutions: bool = False
    timing: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """What an outcome prints (None: nothing), what it counts as, its exit status, and what to say aside."""

    text: str | None
    word: str
    status: int
    note: str | None = None


def drawn(board: Board, grid: Grid) -> str:
    """The grid as a picture that `check` reads back."""
    return draw(grid, board.columns, box_of(board))


def line(board: Board, grid: Grid) -> str:
    """The grid as one line that `check` reads back."""
    return flat(grid, board.values)


def sentence(verdict: Verdict, outcome: Outcome) -> str:
    """A verdict for people, with its reason where there is one."""
    text = SENTENCES[verdict]
    if verdict is Verdict.UNDECIDED and outcome.count:
        text += f" after {outcome.count} solution{'' if outcome.count == 1 else 's'}"
    return f"{text}: {outcome.reason}" if outcome.reason else text


def checked(puzzle: Puzzle, outcome: Outcome, style: Style) -> Shown:
    """The answer of `check`."""
    board, verdict = puzzle.board, outcome.verdict
    if style.json:
        record: dict[str, Any] = {"puzzle": puzzle.name, "verdict": verdict.value, "backend": outcome.backend}
        if verdict is Verdict.UNIQUE:
            record["solution"] = line(board, outcome.grids[0])
        if style.solutions and verdict is Verdict.MULTIPLE:
            record["solutions"] = [line(board, grid) for grid in outcome.grids]
        text = _object(record, outcome, style)
    elif style.alone:
        grids = [f"\n\n{drawn(board, grid)}" for grid in outcome.grids]
        text = sentence(verdict, outcome) + _took(outcome, style) + "".join(grids)
    else:
        grids = [line(board, grid) for grid in outcome.grids] if style.solutions else []
        text = "\t".join([puzzle.name, verdict.value, *grids]) + _took(outcome, style)
    return Shown(text, verdict.value, CHECK_STATUS[verdict])


def solution(puzzle: Puzzle, grid: Grid, style: Style, *, several: bool) -> str:
    """One grid of `solve`; `several` if more than one may come, which then are lines."""
    if not style.alone:
        return f"{puzzle.name}\tsolved\t{line(puzzle.board, grid)}"
    return line(puzzle.board, grid) if several else drawn(puzzle.board, grid)


def solved(puzzle: Puzzle, outcome: Outcome, style: Style) -> Shown:
    """What `solve` says once the search is over; in text its grids are printed as they come."""
    stopped = outcome.ending is Ending.TIMEOUT
    verdict = Verdict.UNDECIDED if stopped else Verdict.UNSOLVABLE
    word = "solved" if outcome.count else verdict.value
    status = 3 if stopped else int(not outcome.count)
    text: str | None = None
    if style.json:
        record: dict[str, Any] = {
            "puzzle": puzzle.name,
            "solutions": [line(puzzle.board, grid) for grid in outcome.grids],
            "ending": outcome.ending.value,
            "backend": outcome.backend,
        }
        text = _object(record, outcome, style)
    elif not outcome.count and not style.alone:
        text = f"{puzzle.name}\t{word}" + _took(outcome, style)
    note = sentence(verdict, outcome) if style.alone and status else None
    return Shown(text, word, status, note)


def counted(puzzle: Puzzle, outcome: Outcome, style: Style) -> Shown:
    """The answer of `count`."""
    stopped = outcome.ending is Ending.TIMEOUT
    number = f"{outcome.count}" if outcome.exact else f"at least {outcome.count}"
    if style.json:
        record: dict[str, Any] = {
            "puzzle": puzzle.name,
            "count": outcome.count,
            "exact": outcome.exact,
            "ending": outcome.ending.value,
            "backend": outcome.backend,
        }
        if outcome.tallied:
            record["counted_by"] = "tally"
        text = _object(record, outcome, style)
    else:
        text = (number if style.alone else f"{puzzle.name}\t{number}") + _took(outcome, style)
    note = outcome.reason if style.alone else None
    return Shown(text, "cut by the timeout" if stopped else "counted", 3 if stopped else 0, note)


def decoded(answer: Decoded, as_json: bool) -> Shown:
    """What a solver's answer came to; a grid is drawn."""
    name, grid = answer.puzzle.name, answer.grid
    if as_json:
        record: dict[str, Any] = {"puzzle": name, "answer": answer.status.value}
        if grid is not None:
            record |= {"solution": line(answer.puzzle.board, grid), "refereed": answer.refereed}
        return Shown(json.dumps(record, ensure_ascii=False), "", DECODE_STATUS[answer.status])
    text = None if grid is None else drawn(answer.puzzle.board, grid)
    note = DECODE_SENTENCES[answer.status]
    if grid is not None:
        note = None if answer.refereed else "checked against the clauses alone: the puzzle's rules are not known"
    return Shown(text, "", DECODE_STATUS[answer.status], note and f"{name}: {note}")


def _object(record: dict[str, Any], outcome: Outcome, style: Style) -> str:
    if outcome.reason:
        record["reason"] = outcome.reason
    if style.timing:
        record["seconds"] = round(outcome.seconds, 6)
    return json.dumps(record, ensure_ascii=False)


def _took(outcome: Outcome, style: Style) -> str:
    if not style.timing:
        return ""
    return f" ({outcome.seconds:.6f} s)" if style.alone else f"\t{outcome.seconds:.6f}"
