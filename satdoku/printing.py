"""What people and programs read: sentences, lines and JSON objects made from outcomes.

`checked`, `solved` and `counted` turn an outcome into what is printed, the word it is tallied
under, and the exit status it means.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from satdoku.backends import Ending
from satdoku.constraints import Grid
from satdoku.exports.answers import Status
from satdoku.formats import walls
from satdoku.formats.grid import draw
from satdoku.formats.line import flat
from satdoku.inputs.sources import Entry
from satdoku.puzzle import Board, Puzzle
from satdoku.referee import violations
from satdoku.variants import Frame
from satdoku.variants.boxes import box_of
from satdoku.verdict import Outcome, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
    """How to print.

    json, csv: as JSON lines, as CSV; else as text
    alone:     one puzzle in all
    solutions: with the solutions, two of them where there are several
    timing:    with seconds
    echo:      with the line that was read; in text that line alone
    only:      the words of the answers to print; none is all
    boxed:     grids with box-drawing lines, for terminals
    """

    json: bool
    alone: bool
    solutions: bool = False
    timing: bool = False
    csv: bool = False
    echo: bool = False
    only: tuple[str, ...] = ()
    boxed: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """What an outcome prints (None: nothing), what it counts as, its exit status, and what to say aside."""

    text: str | None
    word: str
    status: int
    note: str | None = None


def drawn(board: Board, grid: Grid, boxed: bool = False) -> str:
    """The grid as a picture that `check` reads back; `boxed` with box-drawing lines, else in ASCII."""
    if boxed:
        region_of = Frame(board.columns, board.marks).region_of
        return walls.boxed(grid, board.columns, [region_of.get(cell) for cell in range(board.cells)])
    return draw(grid, board.columns, box_of(board))


def line(board: Board, grid: Grid) -> str:
    """The grid as one line that `check` reads back."""
    return flat(grid, board.values)


def sentence(verdict: Verdict, outcome: Outcome) -> str:
    """A verdict for people, with its reason where there is one."""
    text = SENTENCES[verdict]
    if verdict is Verdict.UNDECIDED and outcome.count:
        text += f" after {outcome.count} solution{'' if outcome.count == 1 else 's'}"
    text += ", certified" if outcome.certified else ""
    return f"{text}: {outcome.reason}" if outcome.reason else text


CSV_HEADER = ("puzzle", "verdict", "backend", "solution")


def header(style: Style) -> str | None:
    """The line above all others, where the form has one."""
    if not style.csv:
        return None
    extra = [("solution 2", style.solutions), ("seconds", style.timing), ("input", style.echo)]
    return _csv([*CSV_HEADER, *(name for name, wanted in extra if wanted)])


def checked(entry: Entry, outcome: Outcome, style: Style) -> Shown:
    """The answer of `check`."""
    board, verdict = _board(entry), outcome.verdict
    grids = [line(board, grid) for grid in outcome.grids]
    shown = grids if verdict is Verdict.UNIQUE or (style.solutions and verdict is Verdict.MULTIPLE) else []
    if style.json:
        record: dict[str, Any] = {"puzzle": entry.origin, "verdict": verdict.value, "backend": outcome.backend}
        if verdict is Verdict.UNIQUE:
            record["solution"] = grids[0]
        elif shown:
            record["solutions"] = shown
        if outcome.certified:
            record["certified"] = True
        if style.echo:
            record["input"] = entry.text
        text = _object(record, outcome, style)
    elif style.csv:
        row = [entry.origin, verdict.value, outcome.backend, *(shown[:1] or [""])]
        row += (shown[1:2] or [""]) if style.solutions else []
        row += [f"{outcome.seconds:.6f}"] if style.timing else []
        text = _csv(row + ([entry.text] if style.echo else []))
    elif style.echo:
        text = entry.text
    elif style.alone:
        drawings = [f"\n\n{drawn(board, grid, style.boxed)}" for grid in outcome.grids]
        text = sentence(verdict, outcome) + _took(outcome, style) + "".join(drawings)
    else:
        text = "\t".join([entry.origin, verdict.value, *(grids if style.solutions else [])]) + _took(outcome, style)
    return _compared(entry, outcome, Shown(text, verdict.value, CHECK_STATUS[verdict]))


def _compared(entry: Entry, outcome: Outcome, shown: Shown) -> Shown:
    """The same, or that the solution which was expected is none, by the rules and not by what a search found."""
    if not entry.expected or not entry.expected.strip():
        return shown
    puzzle = entry.found
    assert isinstance(puzzle, Puzzle)
    if not _solves(puzzle, entry.expected):
        found = f", found {line(puzzle.board, outcome.grids[0])}" if outcome.grids else ""
        return Shown(shown.text, DIFFERENT, 4, f"expected the solution {entry.expected[:100]!r}{found}")
    return shown


def _solves(puzzle: Puzzle, stated: str) -> bool:
    """Whether a text as `line` writes it is a solution."""
    compact = "".join(stated.split())
    try:
        grid = tuple(map(int, compact.split(",") if "," in compact else compact))
    except ValueError:
        return False
    return len(grid) == puzzle.board.cells and next(violations(puzzle, grid), None) is None


DIFFERENT = "unlike the expected solution"


@dataclass(frozen=True, slots=True)
class Settled:
    """Unique and multiple puzzles of one board, as arrays.

    names:  FILE:LINE of each
    given:  their lines as read, where those are wanted
    unique: (n,), else there are two solutions
    grids:  (n, 2, cells)
    engine: the backend that answered
    """

    names: list[str]
    given: Sequence[bytes]
    unique: NDArray[np.bool_]
    grids: NDArray[np.uint16]
    board: Board
    engine: str


def checked_many(rows: Settled, style: Style) -> list[str | None]:
    """The texts of `checked` for many puzzles, at a hundredth of the cost; None where nothing is printed."""
    one, more = Verdict.UNIQUE.value, Verdict.MULTIPLE.value
    words = [one if unique else more for unique in rows.unique.tolist()]
    texts: list[str]
    given = [text.decode().rstrip("\r\n") for text in rows.given]
    if not (style.json or style.csv or style.solutions):
        texts = given if style.echo else [f"{name}\t{word}" for name, word in zip(rows.names, words, strict=True)]
    else:
        texts = _with_grids(rows, words, given, style)
    if not style.only:
        return list(texts)
    return [text if word in style.only else None for text, word in zip(texts, words, strict=True)]


def _with_grids(rows: Settled, words: list[str], given: list[str], style: Style) -> list[str]:
    size = rows.board.values
    first, second = lines_of(rows.grids[:, 0], size), lines_of(rows.grids[:, 1], size)
    each = zip(rows.names, words, rows.unique.tolist(), first, second, given or [""] * len(words), strict=True)
    texts = []
    if style.json:
        names = [json.dumps(name, ensure_ascii=False) for name in rows.names]
        echoes = [f', "input": {json.dumps(text, ensure_ascii=False)}' if style.echo else "" for text in given]
        for name, (_, word, unique, one, two, _), echo in zip(names, each, echoes or [""] * len(names), strict=True):
            grids = f', "solution": "{one}"' if unique else ""
            if style.solutions and not unique:
                grids = f', "solutions": ["{one}", "{two}"]'
            texts.append(f'{{"puzzle": {name}, "verdict": "{word}", "backend": "{rows.engine}"{grids}{echo}}}')
    elif style.csv:
        for name, word, unique, one, two, text in each:
            row = [name, word, rows.engine, one if unique or style.solutions else ""]
            row += ["" if unique else two] if style.solutions else []
            texts.append(_csv(row + ([text] if style.echo else [])))
    elif style.echo:
        return given
    else:
        for name, word, unique, one, two, _ in each:
            texts.append(f"{name}\t{word}\t{one}" + ("" if unique else f"\t{two}"))
    return texts


def lines_of(grids: NDArray[np.uint16], size: int) -> list[str]:
    """Each grid as one line, as `line` writes it; up to 9 values."""
    assert size <= 9
    width = grids.shape[1]
    text = (grids + ord("0")).astype("u1").tobytes().decode("ascii")
    return [text[start : start + width] for start in range(0, len(text), width)]


def _csv(row: Sequence[str]) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="").writerow(row)
    return stream.getvalue()


def _board(entry: Entry) -> Board:
    assert isinstance(entry.found, Puzzle)
    return entry.found.board


def solution(entry: Entry, grid: Grid, style: Style, *, several: bool) -> str:
    """One grid of `solve`; `several` if more than one may come, which then are lines."""
    board = _board(entry)
    if not style.alone:
        return f"{entry.origin}\tsolved\t{line(board, grid)}"
    return line(board, grid) if several else drawn(board, grid, style.boxed)


def solved(entry: Entry, outcome: Outcome, style: Style) -> Shown:
    """What `solve` says once the search is over; in text its grids are printed as they come."""
    stopped = outcome.ending is Ending.TIMEOUT
    verdict = Verdict.UNDECIDED if stopped else Verdict.UNSOLVABLE
    word = "solved" if outcome.count else verdict.value
    status = 3 if stopped else int(not outcome.count)
    text: str | None = None
    if style.json:
        record: dict[str, Any] = {
            "puzzle": entry.origin,
            "solutions": [line(_board(entry), grid) for grid in outcome.grids],
            "ending": outcome.ending.value,
            "backend": outcome.backend,
        }
        text = _object(record, outcome, style)
    elif not outcome.count and not style.alone:
        text = f"{entry.origin}\t{word}" + _took(outcome, style)
    note = sentence(verdict, outcome) if style.alone and status else None
    return Shown(text, word, status, note)


def counted(entry: Entry, outcome: Outcome, style: Style) -> Shown:
    """The answer of `count`."""
    stopped = outcome.ending is Ending.TIMEOUT
    number = f"{outcome.count}" if outcome.exact else f"at least {outcome.count}"
    if style.json:
        record: dict[str, Any] = {
            "puzzle": entry.origin,
            "count": outcome.count,
            "exact": outcome.exact,
            "ending": outcome.ending.value,
            "backend": outcome.backend,
        }
        if outcome.tallied:
            record["counted_by"] = "tally"
        text = _object(record, outcome, style)
    else:
        text = (number if style.alone else f"{entry.origin}\t{number}") + _took(outcome, style)
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
