"""`satdoku candidates`: the values of each cell that occur in some solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import TYPE_CHECKING

from satdoku.backends import Ending
from satdoku.batch.questions import Answer, Style
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import OUTPUT, Timeout, composed, option
from satdoku.commands.searches import SetterQuestion, after, asked, item_puzzle, limit_of, table
from satdoku.constraints import Grid
from satdoku.formats.regions import ASCII, OUTSIDE, WIDTH, blocks
from satdoku.formats.regions import boxed as boxed_rows
from satdoku.inputs.items import Item
from satdoku.outcome import VERDICTS
from satdoku.pictures import Picture
from satdoku.puzzle import Board, members, only
from satdoku.terminal.texts import by_cell, cell_lines, list_lines
from satdoku.variants import Frame
from satdoku.verdict import Verdict
from satdoku.words import plural

if TYPE_CHECKING:
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.candidates import Candidates


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey(SetterQuestion):
    """How many solutions of each value are counted, None is all; seconds for each puzzle."""

    limit: int | None = option(OUTPUT, "Count the solutions with each value up to this; 0 means all.", default=1)
    timeout: Timeout = None
    outcomes, pictures = VERDICTS, True
    columns = table("verdict candidates decided hidden equal solutions ending engines tried counted_by reason error")

    def answered(self, solver: IncrementalSolver, item: Item) -> Answer:
        from satdoku.setter.candidates import survey

        candidates = survey(solver, item_puzzle(item), self.limit, self.timeout)
        status = 3 if candidates.ending is Ending.TIMEOUT else int(candidates.verdict is Verdict.UNSOLVABLE)
        word, record = candidates.verdict.value, {**self.about(item), **_record(candidates)}
        return Answer(
            status=status,
            outcome=word,
            record=record,
            engine=after(candidates.engines, candidates.tried),
            view=candidates,
            pictures=lambda: [_picture(candidates)],
        )

    def view_text(self, item: Item, candidates: Candidates, style: Style) -> str | None:
        if not style.alone:
            decided = sum(map(bool, candidates.decided))
            vary = candidates.puzzle.board.cells - decided
            return f"{item.name}\t{candidates.verdict.value}\t{decided} decided, {vary} vary"
        grid = "" if candidates.verdict is Verdict.UNSOLVABLE else f"{candidate_grid(candidates, style.boxed)}\n\n"
        return grid + "\n".join(_sentences(candidates, style.verbose))


def candidate_grid(candidates: Candidates, boxed: bool) -> str:
    """The values left in each cell: in a row, in a square, or listed below the grid, as the terminal's width allows."""
    board = candidates.puzzle.board
    left = _left(candidates)
    regions = Frame(board.size, board.marks).region_of
    numbers = board.spread([regions.get(cell) for cell in range(board.cells)], OUTSIDE)
    lists: list[str] = []
    for cells in _forms(board, left):
        text = blocks(board.spread(cells, cells[0]), board.columns, numbers)
        if max(map(len, text.splitlines())) <= WIDTH:
            break
    else:
        text = boxed_rows(board.spread(board.texts(map(only, left)), ""), board.columns, numbers)
        lists = ["", *list_lines("", by_cell(board, [0 if only(allowed) else allowed for allowed in left]))]
    return "\n".join([text if boxed else text.translate(ASCII), *lists])


def _left(candidates: Candidates) -> Grid:
    """For each cell the values that occur or may occur."""
    return tuple(seen | unknown for seen, unknown in zip(candidates.possible, candidates.undecided, strict=True))


def _forms(board: Board, left: Sequence[int]) -> Iterator[list[list[str]]]:
    """Cells as blocks of text, while values are of one character."""
    if board.size.digits[-1] > 9:
        return
    joined = ["".join(board.texts(members(allowed))) for allowed in left]
    width = max(map(len, joined))
    yield [[text.ljust(width)] for text in joined]
    across = ceil(sqrt(board.values))
    down = -(-board.values // across)
    yield [_square(board, allowed, across, down) for allowed in left]


def _square(board: Board, allowed: int, across: int, down: int) -> list[str]:
    """Each value at its place; a decided one in the middle."""
    value = only(allowed)
    if value:
        blank, middle = " " * across, str(board.shown(value)).center(across)
        return [middle if row == (down - 1) // 2 else blank for row in range(down)]
    texts = board.texts(value if allowed >> value & 1 else 0 for value in range(1, board.values + 1))
    shown = "".join(texts).ljust(across * down)
    return [shown[row * across : (row + 1) * across] for row in range(down)]


def _sentences(candidates: Candidates, verbose: bool) -> Iterator[str]:
    board = candidates.puzzle.board
    decided = sum(map(bool, candidates.decided))
    match candidates.verdict:
        case Verdict.UNSOLVABLE:
            yield f"unsolvable: no value occurs in a solution{f': {candidates.reason}' if candidates.reason else ''}"
            return
        case Verdict.UNIQUE:
            yield "unique: every cell is decided"
        case verdict:
            may = " or may vary" if candidates.ending is Ending.TIMEOUT else ""
            yield f"{verdict.value}: {plural(decided, 'cell')} decided, {board.cells - decided} vary{may}"
            if decided:
                vary = [cell for cell, value in enumerate(candidates.decided) if not value]
                yield from cell_lines("vary: ", board, vary)
    if candidates.ending is Ending.TIMEOUT:
        undecided = sum(map(int.bit_count, candidates.undecided))
        yield f"stopped by the timeout: {plural(undecided, 'value')} undecided, and so are the counts"
        yield from list_lines("undecided: ", by_cell(board, candidates.undecided))
    for group in candidates.equal or ():
        yield from list_lines("equal in every solution: ", [" = ".join(map(board.label, group))])
    if candidates.limit != 1 and candidates.solutions > 1:
        upto = "" if candidates.limit is None else f", up to {candidates.limit}"
        upto += f", of {candidates.solutions} by {candidates.counted_by}" if candidates.counted_by else ""
        yield from list_lines(f"solutions with each value{upto}: ", _counts(candidates))
    if verbose:
        yield from list_lines(
            "impossible, though no constraint by itself excludes it: ", by_cell(board, candidates.hidden)
        )
    elif any(candidates.hidden):
        number = sum(map(int.bit_count, candidates.hidden))
        yield f"{plural(number, 'value')} impossible for no obvious reason; -v lists them"


def _counts(candidates: Candidates) -> Iterator[str]:
    board, decided = candidates.puzzle.board, candidates.decided
    for cell, row in enumerate(candidates.counts):
        if not decided[cell]:
            counts = " ".join(f"{value}:{count}" for value, count in enumerate(row, board.first_value) if count)
            yield f"{board.label(cell)} {counts}"


def _picture(candidates: Candidates) -> Picture:
    return Picture(candidates.puzzle, grid=candidates.decided, candidates=_left(candidates))


def _record(candidates: Candidates) -> dict[str, object]:
    board = candidates.puzzle.board
    record: dict[str, object] = {
        "verdict": candidates.verdict.value,
        "limit": candidates.limit,
        "candidates": {
            board.label(cell): {str(value): count for value, count in enumerate(row, board.first_value) if count}
            for cell, row in enumerate(candidates.counts)
        },
        "decided": {board.label(cell): board.shown(value) for cell, value in enumerate(candidates.decided) if value},
        "hidden": _sets(board, candidates.hidden),
        "equal": None if candidates.equal is None else [list(map(board.label, group)) for group in candidates.equal],
        "solutions": candidates.solutions,
        "ending": candidates.ending.value,
        **asked(candidates.engines, candidates.tried),
    }
    if candidates.counted_by:
        record["counted_by"] = candidates.counted_by
    if candidates.reason:
        record["reason"] = candidates.reason
    if candidates.ending is Ending.TIMEOUT:
        record["undecided"] = _sets(board, candidates.undecided)
    return record


def _sets(board: Board, sets: Sequence[int]) -> dict[str, list[int]]:
    return {board.label(cell): [*map(board.shown, members(allowed))] for cell, allowed in enumerate(sets) if allowed}


@composed
def candidates(run: Run, own: Survey) -> None:
    """The values of each cell that occur in some solution, and in how many.

    Exit status: 0 found, 1 some puzzle has no solution, 2 invalid input, 3 some were cut by the timeout.
    """
    answer(replace(own, limit=limit_of(own.limit, False)), run)
