"""Several boards as one puzzle, and one puzzle as its boards, for the formats whose texts hold them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from satdoku.errors import FormatError, PuzzleError
from satdoku.formats import Options
from satdoku.formats.marks import Cells, board, position, shown
from satdoku.puzzle import Board, Mark, Position, Puzzle, Size, only
from satdoku.variants import label
from satdoku.variants.placed import PlacedBoard, around, placed

GAP = 1  # columns between a board that is not placed and the one before it
NAME = re.compile(r"[A-Za-z]\w{0,19}")
NAMED_CELL = re.compile(r"\b([A-Za-z]\w{0,19})\.([rR]\d{1,3}[cC]\d{1,3})(?:(\s*-\s*)([rR]\d{1,3}[cC]\d{1,3}))?")
TomlTable = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class BoardPart:
    """One of several boards, as a puzzle of its own, and where it begins in the picture.

    corner: the position of its upper left cell in the picture
    """

    corner: Position
    puzzle: Puzzle
    name: str = ""

    def placed(self, number: int) -> PlacedBoard:
        return PlacedBoard(number, self.corner, self.puzzle.board.size, self.puzzle.board.marks, self.name)


def together(
    parts: Sequence[BoardPart], options: Options, more: Callable[[Size], Sequence[Mark]] = lambda size: ()
) -> Puzzle:
    """One puzzle of several boards; cells that lie in more than one must be given alike.

    options: may name the size and the values of the whole picture
    more: the marks beside the boards, of a picture of this size
    Raises FormatError.
    """
    boards = [part.placed(number) for number, part in enumerate(parts, 1)]
    try:
        size = around(boards)
    except PuzzleError as error:
        raise FormatError(str(error)) from None
    if (options.size or (size.rows, size.columns)) != (size.rows, size.columns) or options.box is not None:
        raise FormatError(f"board: the boards make a picture of {size.shape}, but the reader was asked for another")
    built = board(replace(size, digits=options.values or size.digits), (*(each.mark for each in boards), *more(size)))
    own = [_cells(built, each, part.puzzle.board) for each, part in zip(boards, parts, strict=True)]
    return replace(
        Puzzle.from_givens(built, {}),
        candidates=_candidates(built, boards, parts, own),
        solution=_solution(built, boards, parts, own),
    )


def _candidates(
    built: Board, boards: Sequence[PlacedBoard], parts: Sequence[BoardPart], own: Sequence[Sequence[int]]
) -> tuple[int, ...]:
    candidates, given = [built.every_value] * built.cells, dict[int, PlacedBoard]()
    for each, part, cells in zip(boards, parts, own, strict=True):
        later = each.size.digits[0] - built.first_value
        for cell, allowed in zip(cells, part.puzzle.candidates, strict=True):
            if allowed == part.puzzle.board.every_value:
                continue
            candidates[cell] &= allowed << later
            if only(allowed) and not candidates[cell] and cell in given:
                raise FormatError(f"{built.label(cell)} has one given on {given[cell].title}, another on {each.title}")
            if only(allowed):
                given[cell] = each
    return tuple(candidates)


def _solution(
    built: Board, boards: Sequence[PlacedBoard], parts: Sequence[BoardPart], own: Sequence[Sequence[int]]
) -> tuple[int, ...] | None:
    solution: dict[int, int] = {}
    for each, part, cells in zip(boards, parts, own, strict=True):
        later = each.size.digits[0] - built.first_value
        for cell, value in zip(cells, part.puzzle.solution or (), strict=False):
            if solution.setdefault(cell, value + later) != value + later:
                raise FormatError(f"solution: {each.title} and one before have two values at {built.label(cell)}")
    if solution and len(solution) != built.grid_cells:
        raise FormatError("solution: some boards have one, and others none")
    return tuple(solution[cell] for cell in range(built.grid_cells)) if solution else None


def _cells(built: Board, each: PlacedBoard, own: Board) -> list[int]:
    """The cells of the picture that those of a board are, with the layers of both."""
    cells = [built.size.cell(place) for place in each.places]
    starts = (built.grid_cells * (1 + built.layers.index(name)) for name in own.layers)
    return cells + [start + cell for start in starts for cell in cells]


def apart(puzzle: Puzzle) -> list[tuple[PlacedBoard, list[int], list[int] | None]]:
    """The boards of a puzzle, each with its givens and its part of the solution, 1..N as the values of that board, 0
    where there is none; empty if it is no puzzle of several boards."""
    parts: list[tuple[PlacedBoard, list[int], list[int] | None]] = []
    whole = puzzle.board
    for each in placed(whole.marks):
        cells, later = [whole.size.cell(place) for place in each.places], each.size.digits[0] - whole.first_value
        givens = [puzzle.givens[cell] and puzzle.givens[cell] - later for cell in cells]
        fits = [value if 0 <= value <= len(each.size.digits) else 0 for value in givens]
        stated = puzzle.solution and [puzzle.solution[cell] - later for cell in cells]
        parts.append((each, fits, stated or None))
    return parts


def read_parts(raw: object, options: Options, reader: Callable[[TomlTable, Options], Puzzle]) -> list[BoardPart]:
    """The boards of a list of tables, as `reader` reads one; `at` says where one begins, else it stands to the right of
    the one before. Raises FormatError."""
    if not isinstance(raw, list) or not raw or not all(isinstance(entry, dict) for entry in raw):
        raise FormatError(f'board is {shown(raw)}, expected [[board]] and its keys; a drawing is grid = """..."""')
    own = replace(options, size=None, values=None, box=None, boxless=False)
    parts: list[BoardPart] = []
    for number, entry in enumerate(raw, 1):
        keys = dict(entry)
        name, at = keys.pop("name", ""), keys.pop("at", None)
        try:
            if not isinstance(name, str) or (name and not NAME.fullmatch(name)):
                raise FormatError(f"name is {shown(name)}, expected letters and digits, such as A or left")
            if name and name in {part.name for part in parts}:
                raise FormatError(f"name is {shown(name)}, which another board has")
            parts.append(BoardPart(_corner(at, parts), reader(keys, own), name))
        except FormatError as error:
            raise FormatError(f"board {number}: {error.message}", error.line, error.column) from None
    return parts


def _corner(at: object, before: Sequence[BoardPart]) -> Position:
    if at is None:
        last = before[-1] if before else None
        return (1, 1) if last is None else (last.corner[0], last.corner[1] + last.puzzle.board.columns + GAP)
    corner = position(at) if isinstance(at, str) else None
    if corner is None or min(corner) < 1:
        raise FormatError(f"at is {shown(at)}, expected its upper left cell in the picture, such as r1c7")
    return corner


def renamed(raw: Any, parts: Sequence[BoardPart]) -> Any:
    """What a file holds, with the cells of boards that have a name, such as `A.r1c2`, as those of the picture."""
    if isinstance(raw, dict):
        return {key: renamed(value, parts) for key, value in raw.items()}
    if isinstance(raw, list):
        return [renamed(value, parts) for value in raw]
    return NAMED_CELL.sub(lambda match: _in_picture(match, parts), raw) if isinstance(raw, str) else raw


def _in_picture(match: re.Match[str], parts: Sequence[BoardPart]) -> str:
    number = next((number for number, part in enumerate(parts, 1) if part.name == match[1]), None)
    if number is None:
        return match[0]
    each = parts[number - 1].placed(number)
    cells: Cells = tuple(place for end in (match[2], match[4]) if end and (place := position(end)))
    for cell in cells:
        if not each.size.inside(cell):
            raise FormatError(f"{match[0]}: {label(cell)} is outside the {each.size.shape} grid of {each.title}")
    return "-".join(map(label, each.moved(cells)))
