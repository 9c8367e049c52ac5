"""Texts of puzzles in formats that cannot state all of their marks: the rules text describes the others."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from satdoku.errors import InputError
from satdoku.formats import Format
from satdoku.formats.marks import cells_text
from satdoku.puzzle import Mark, Puzzle
from satdoku.variants import REGIONS, build, kinds


def write_lossy(format: Format, puzzle: Puzzle) -> tuple[str, tuple[str, ...]]:
    """The text, and the names of the kinds that are stated in the rules text alone.

    Raises Refused for what is not a mark, such as the size of the board or candidates.

    >>> import satdoku
    >>> from satdoku.formats import find
    >>> puzzle = satdoku.build(size=4, marks=[Mark("anti-king"), Mark("successor-arrow", lines=(((1, 1), (1, 2)),))])
    >>> write_lossy(find("f-puzzles-json"), puzzle)[1]
    ('successor-arrow',)
    """
    board = puzzle.board
    if board.constraints != build(board.size, board.marks).constraints:
        return format.write(puzzle, metadata=False), ()
    by_kind: dict[str, list[Mark]] = {}
    for mark in board.marks:
        by_kind.setdefault(mark.kind, []).append(mark)
    division = [mark for mark in board.marks if mark.kind in REGIONS]
    kept, lost = list(division), dict[str, list[Mark]]()
    for name, marks in by_kind.items():
        if name in REGIONS:
            continue
        for among in [marks] if _holds(format, puzzle, [*kept, *marks]) else [[mark] for mark in marks]:
            if _holds(format, puzzle, [*kept, *among]):
                kept += among
            else:
                lost.setdefault(name, []).extend(among)
    ordered = [mark for mark in board.marks if mark in kept]
    sentences = [puzzle.rules]
    for name, marks in lost.items():  # `Sentence of the kind. (r1c1 r1c2: 5; r2c1 r2c2: 7)`
        places = "; ".join(filter(None, map(_place, marks))).strip()
        sentences.append(f"{kinds()[name].summary}{f' ({places})' if places else ''}")
    rules = "\n".join(filter(None, sentences))
    return format.write(replace(_with(puzzle, ordered), rules=rules), metadata=False), tuple(lost)


def _with(puzzle: Puzzle, marks: Sequence[Mark]) -> Puzzle:
    board = build(puzzle.board.size, tuple(marks))
    candidates = puzzle.candidates[: board.grid_cells] + (board.every_value,) * (board.cells - board.grid_cells)
    return replace(puzzle, board=board, candidates=candidates, solution=None if board.layers else puzzle.solution)


def _holds(format: Format, puzzle: Puzzle, marks: Sequence[Mark]) -> bool:
    try:
        blank = _with(puzzle, marks)
        format.write(replace(blank, candidates=(blank.board.every_value,) * blank.board.cells), metadata=False)
    except InputError:
        return False
    return True


def _place(mark: Mark) -> str:
    parts = [*([cells_text(mark.cells)] if mark.cells else []), *map(cells_text, mark.lines)]
    inside = ", ".join(f"{part.kind} {_place(part)}" for part in mark.marks)
    where = " / ".join(filter(None, [*parts, inside]))
    return where if mark.value is None else f"{where}: {mark.value}" if where else str(mark.value)
