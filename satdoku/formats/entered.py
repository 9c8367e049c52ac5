"""Digits and pencil marks that a solver entered: left out with a word, unless they are to count as givens."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from satdoku.errors import FormatError
from satdoku.formats import Options
from satdoku.formats.marks import has_content, table_of, whole
from satdoku.puzzle import Puzzle


def with_entered(
    puzzle: Puzzle, digits: Mapping[int, int], options: Options, marks: Mapping[int, int] | None = None
) -> tuple[Puzzle, list[str]]:
    """The puzzle, with what was entered if `options` ask for it, and a note if they do not.

    digits: the values 1..N of cells
    marks:  the candidates of cells, as `Puzzle` has them
    """
    pencilled = {cell: allowed for cell, allowed in (marks or {}).items() if allowed != puzzle.board.every_value}
    if options.entered:
        candidates = list(puzzle.candidates)
        for cell, allowed in [*pencilled.items(), *((cell, 1 << value) for cell, value in digits.items())]:
            candidates[cell] &= allowed
        return replace(puzzle, candidates=tuple(candidates)), []
    parts = [f"{len(digits)} entered digit{'s' * (len(digits) != 1)}"] if digits else []
    parts += [f"pencil marks in {len(pencilled)} cell{'s' * (len(pencilled) != 1)}"] if pencilled else []
    return puzzle, [f"{' and '.join(parts)} left out; with `entered` they count as givens"] if parts else []


Pencilled = Callable[[Mapping[str, object], str], int | None]
"""The candidates, as `Puzzle` has them, that a solver entered in a cell of a file; None if there are none."""


def filled(
    puzzle: Puzzle,
    cells: Sequence[object],
    known: frozenset[str],
    options: Options,
    pencilled: Pencilled,
    given: str = "",
) -> tuple[Puzzle, list[str]]:
    """The puzzle with the values of cells that a file has as objects, one a cell.

    known:     the keys that a cell may have
    pencilled: finds pencil marks; not asked of a cell with a value
    given:     the key that tells givens from digits that a solver entered; "" if all are givens
    Raises FormatError for another key, and for a value that is not one of the board.
    """
    size, givens, entered, marks = puzzle.board.size, dict[int, int](), dict[int, int](), dict[int, int]()
    for index, raw in enumerate(cells):
        where = puzzle.board.label(index)
        cell = table_of(raw, where)
        understood(cell, known, where)
        stated = cell.get("value")
        if has_content(stated) or (type(stated) is int and 0 in size.values):
            value = whole(stated, where)
            if value not in size.values:
                raise FormatError(f"{where} has the value {value}, expected {size.values[0]}-{size.values[-1]}")
            (givens if not given or cell.get(given) is True else entered)[index] = value - size.values[0] + 1
        elif (allowed := pencilled(cell, where)) is not None:
            marks[index] = allowed
    candidates = tuple(
        allowed & (1 << givens[cell]) if cell in givens else allowed for cell, allowed in enumerate(puzzle.candidates)
    )
    return with_entered(replace(puzzle, candidates=candidates), entered, options, marks)


def understood(data: Mapping[str, object], known: frozenset[str] | set[str], where: str = "") -> None:
    """Raise FormatError for a key that is not known and says something: to leave it out would change the puzzle."""
    odd = next((key for key, value in data.items() if key not in known and has_content(value)), None)
    if odd is not None:
        at = f"{where} has " if where else ""
        raise FormatError(f"{at}{odd[:40]!r}, which is not understood, and leaving it out would change the puzzle")
