"""`line`: a puzzle a line, row-major, one character a cell; above 9x9 decimals joined by commas. `sdm`: with 0."""

from collections.abc import Sequence
from dataclasses import replace

from satdoku.errors import FormatError
from satdoku.formats import Confidence, Format, Holds, Options, Reading, View
from satdoku.formats.cells import one_line, only_line, puzzle_of, spelled, values_of
from satdoku.formats.fields import fields_of, is_grid
from satdoku.puzzle import Board, Puzzle


def read(text: str, options: Options) -> Reading:
    """The only line that is neither blank nor a comment, with the solution that may stand beside the puzzle."""
    number, line = one_line(text, "line")
    letters = frozenset(spelled(options.alphabet)) if options.alphabet else frozenset()
    fields = fields_of(line, number, letters, options.size)
    if not fields.cells:
        raise FormatError("no puzzle on this line", number, 1)
    puzzle = puzzle_of(fields.cells, options)
    if fields.solution:
        solution = tuple(values_of(fields.solution, puzzle.board.size, options))
        pairs = zip(fields.solution, solution, puzzle.givens, strict=True)
        odd = next((found for found in pairs if found[2] not in (0, found[1])), None)
        if odd is not None:
            shown = puzzle.board.texts(odd[1:])
            raise FormatError(f"{shown[0]} in the full grid, but {shown[1]} in the puzzle beside it", *odd[0][1:])
        puzzle = replace(puzzle, solution=solution)
    notes = (f"not read: {' '.join(fields.unread)[:60]!r}",) if fields.unread else ()
    return Reading(puzzle, "line", notes)


def fits(text: str) -> bool:
    line = only_line(text)
    try:
        return bool(line) and is_grid(fields_of(line, 1, frozenset()))  # as `read` asks, since it is cached
    except FormatError:
        return True


def is_whole(line: str, options: Options) -> bool:
    """Whether a line has as many cells as a board of the size that was named."""
    if options.size is None:
        return False
    try:
        return len(fields_of(line, shape=options.size).cells) == options.size[0] * options.size[1]
    except FormatError:
        return True


def write(puzzle: Puzzle) -> str:
    return flat(puzzle.board, puzzle.givens)


def flat(board: Board, values: Sequence[int]) -> str:
    """Values as one line, 0 as an empty cell: a character a cell, or decimals joined by commas if some are above 9.

    What the layers of the board say follows, each behind its name.
    """
    between = "" if board.size.values[-1] <= 9 else ","
    parts = board.parts(values)
    return " ".join(f"{name}=" * bool(name) + between.join(board.texts(part)) for name, part in parts)


FORMATS = (
    Format(
        name="line",
        summary="one puzzle a line, one character a cell",
        one_line=True,
        fits=fits,
        sign="N*N cells on one line",
        confidence=Confidence.POSSIBLE,
        view=View.CELLS,
        read=read,
        text_of=write,
        holds=Holds(shapes=frozenset()),
    ),
    # Read only when named: without its name the line format reads the same.
    Format(
        name="sdm",
        summary="one puzzle a line, 0 for empty cells",
        one_line=True,
        explicit_only=True,
        read=lambda text, options: replace(read(text, options), format="sdm"),
        text_of=lambda puzzle: "".join(map(str, puzzle.givens)),
        holds=Holds(sizes=(4, 9)),
    ),
)
