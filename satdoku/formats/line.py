"""`line`: a puzzle a line, row-major, one character a cell; above 9x9 decimals joined by commas. `sdm`: with 0."""

from __future__ import annotations

from dataclasses import replace

from satdoku.errors import FormatError
from satdoku.formats import Format, Holds, Options, Reading
from satdoku.formats.cells import one_line, only_line, puzzle_of, spelled, values_of
from satdoku.formats.fields import fields_of, is_grid
from satdoku.puzzle import Puzzle


def read(text: str, options: Options) -> Reading:
    """The only line that is neither blank nor a comment, with the solution that may stand beside the puzzle."""
    number, line = one_line(text, "line")
    fields = fields_of(line, number, frozenset(spelled(options.alphabet)) if options.alphabet else frozenset())
    if not fields.cells:
        raise FormatError("no puzzle on this line", number, 1)
    puzzle = puzzle_of(fields.cells, options)
    if fields.solution:
        solution = tuple(values_of(fields.solution, puzzle.board.values, options))
        pairs = zip(fields.solution, solution, puzzle.givens, strict=True)
        odd = next((found for found in pairs if found[2] not in (0, found[1])), None)
        if odd is not None:
            raise FormatError(f"{odd[1]} in the full grid, but {odd[2]} in the puzzle beside it", *odd[0][1:])
        puzzle = replace(puzzle, solution=solution)
    notes = (f"not read: {' '.join(fields.unread)[:60]!r}",) if fields.unread else ()
    return Reading(puzzle, "line", notes)


def fits(text: str) -> bool:
    """One line of as many cells as some board has, each of one digit or in decimals."""
    line = only_line(text)
    try:
        return bool(line) and is_grid(fields_of(line, 1, frozenset()))  # as `read` asks, since it is cached
    except FormatError:
        return True


def write(puzzle: Puzzle) -> str:
    size = puzzle.board.values
    return " ".join(flat(values, size) for values in (puzzle.givens, puzzle.solution) if values)


def flat(values: tuple[int, ...], size: int) -> str:
    """Values as one line, 0 written as an empty cell."""
    return ("" if size <= 9 else ",").join(str(value) if value else "." for value in values)


FORMATS = (
    Format(
        name="line",
        summary="one puzzle a line, one character a cell",
        one_line=True,
        permissive=True,
        fits=fits,
        read=read,
        text_of=write,
        holds=Holds(metadata=frozenset({"solution"})),
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
