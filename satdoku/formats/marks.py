"""What the formats that know every variant share: marks checked by their shape, positions as text, boards."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from satdoku.constraints import Grid
from satdoku.drawings import Drawing
from satdoku.errors import FormatError, InputError, PuzzleError
from satdoku.formats import RULES_TEXT, Options, Reading
from satdoku.puzzle import Board, Mark, Position, Puzzle, Size
from satdoku.variants import Kind, build, label
from satdoku.variants.boxes import classic
from satdoku.variants.places import NAME, named, run
from satdoku.words import joined, plural

CELL = re.compile(r"[rR](\d{1,3})[cC](\d{1,3})")
RUN = re.compile(r"\s*-\s*")
PLAIN_RULES = re.compile(r"(normal|standard|classic) sudoku (rules )?(apply|applies)?\W*", re.IGNORECASE)
WHOLE = re.compile(r"[+-]?\d{1,9}")
MarkValue = int | str | None
Cells = tuple[Position, ...]
IGNORE = "ignore"  # what `Options.drawn` may be
# Down or up, right or left, as rows and columns
DIRECTIONS = {"DR": (1, 1), "DL": (1, -1), "UR": (-1, 1), "UL": (-1, -1)}
# The candidates, as `Puzzle` has them, that a solver entered in a cell of a file; None if there are none
Pencilled = Callable[[Mapping[str, object], str], int | None]


def position(text: str) -> Position | None:
    match = CELL.fullmatch(text.strip())
    return (int(match[1]), int(match[2])) if match else None


def any_position(text: str) -> Position | None:
    """The position of `r1c1`, or of a cell beside the grid, such as a variable S12; None for other texts."""
    return position(text) or (named(text.strip()) if NAME.fullmatch(text.strip()) else None)


def cells_in(text: str, where: str, error: type[InputError] = FormatError) -> Cells:
    """The cells that a text names, such as `r1c1 r1c2` or the run `r1c1-r1c5`. Raises an error of that type, whose
    message begins with `where`, for one that names none."""
    cells: list[Position] = []
    for word in RUN.sub("-", text).replace(",", " ").split():
        first, *others = map(any_position, word.split("-"))
        last = others[-1] if others else first
        if first is None or last is None or len(others) > 1:
            raise error(f"{where}: {word[:20]!r} is not a cell: expected such as r3c7, or a run r1c1-r1c5")
        straight = run(first, last) if others else (first,)
        if not straight:
            raise error(f"{where}: {word} is not a straight run")
        cells += straight
    return tuple(cells)


def cells_text(cells: Cells) -> str:
    return " ".join(map(label, cells))


def value_of(kind: Kind, raw: object, where: str) -> MarkValue:
    """The value of a mark from what a file holds for it: a number, a text, a list of numbers; None and "" are none.
    Raises FormatError if the kind takes no such value, or needs one and has none."""
    rule = kind.value
    if raw is None or raw in ("", []):
        if rule is not None and rule.required:
            raise FormatError(f"{where} has no value, and a {kind.name} needs one")
        return rule.preset if rule is not None else None
    if rule is None:
        raise FormatError(f"{where} has the value {shown(raw)}, but a {kind.name} takes none")
    if rule.words:
        word = raw.strip().upper() if isinstance(raw, str) else None
        if word not in rule.words:
            raise FormatError(f"{where} has the value {shown(raw)}, expected {' or '.join(rule.words)}")
        return word
    if rule.text and isinstance(raw, str | int):
        return " ".join(str(raw).split())
    if rule.several:
        parts = raw.replace(",", " ").split() if isinstance(raw, str) else raw
        return " ".join(str(whole(part, where)) for part in (parts if isinstance(parts, list) else [parts]))
    return whole(raw, where)


def whole(raw: object, where: str) -> int:
    """A whole number, also one written as text; raises FormatError for anything else."""
    if isinstance(raw, int) and not isinstance(raw, bool) and abs(raw) < 10**9:
        return raw
    if isinstance(raw, str) and raw.isascii() and WHOLE.fullmatch(raw.strip()):
        return int(raw)
    raise FormatError(f"{where} has the value {shown(raw)}, expected a whole number")


def value_in(size: Size, raw: object, where: str) -> int:
    """A whole number that is one of the values of a board; raises FormatError for anything else."""
    value = whole(raw, where)
    if value not in size.digits:
        raise FormatError(f"{where} has the value {value}, expected {size.range_text}")
    return value


def shown(raw: object) -> str:
    if isinstance(raw, str):
        return repr(raw[:20])
    if raw is None or isinstance(raw, bool | float):
        return f"{raw}".lower()
    if isinstance(raw, int):
        return f"{raw}" if abs(raw) < 10**12 else "a huge number"
    return "a list" if isinstance(raw, list) else "a table"


def board(size: int | Size, marks: Sequence[Mark]) -> Board:
    """The board that the marks draw; what does not fit it is a FormatError, whose cause knows the mark."""
    try:
        return build(size, tuple(marks))
    except PuzzleError as error:
        raise FormatError(str(error)) from error


def with_rules(names: Iterable[str]) -> Board:
    """The classic 9x9 board with rules of the whole board besides."""
    return build(9, (*classic(3, 3).marks, *map(Mark, names)))


def diagonal(clue: Cells, direction: object, size: Size, where: str) -> Cells:
    """The cells that a clue at the one position of `clue` sees along a diagonal; raises FormatError for none."""
    step = DIRECTIONS.get(direction.strip().upper()) if isinstance(direction, str) else None
    if step is None:
        raise FormatError(f"{where} has the direction {shown(direction)}, expected {', '.join(DIRECTIONS)}")
    cells = in_sight(clue[0], step, size)
    if not cells:
        raise FormatError(f"{where} at {label(clue[0])} points {direction} at no cell of the grid")
    return cells


def in_sight(clue: Position, step: tuple[int, int], size: Size) -> Cells:
    """The cells that a clue sees in a direction, so many rows and columns a step, nearest first. A clue outside the
    grid sees from the first cell inside, one on the edge from its own cell."""
    row, column = clue if size.inside(clue) else (clue[0] + step[0], clue[1] + step[1])
    cells: list[Position] = []
    while size.inside((row, column)):
        cells.append((row, column))
        row, column = row + step[0], column + step[1]
    return tuple(cells)


def stated(
    reading: Reading,
    texts: Mapping[str, str],
    drawn: Sequence[str] = (),
    solution: Grid | None = None,
    drawings: tuple[Drawing, ...] = (),
) -> Reading:
    """The reading with the title, author and rules of its puzzle, in `texts`, and what is only drawn or described."""
    described = texts.get("rules", "").strip()
    plain = not described or PLAIN_RULES.fullmatch(described)
    # The keys are names of a puzzle's texts, which a type checker cannot know.
    puzzle = replace(reading.puzzle, **{str(k): v for k, v in texts.items()}, solution=solution)  # type: ignore[arg-type]
    puzzle = replace(puzzle, not_enforced=(*drawn, *(() if plain else (RULES_TEXT,))), drawings=drawings)
    return replace(reading, puzzle=puzzle).noted(heading(puzzle))


def heading(puzzle: Puzzle) -> str:
    words = " by ".join(filter(None, (oneline(puzzle.title)[:80], oneline(puzzle.author)[:80])))
    return "".join(filter(str.isprintable, words))


def oneline(text: object) -> str:
    """A text without line breaks and double blanks; nothing for what is not a text."""
    return " ".join(text.split()) if isinstance(text, str) else ""


def has_content(raw: object) -> bool:
    return raw not in (None, False, "", [], {})


def list_of(raw: object, where: str) -> list[Any]:
    """A list; nothing is an empty one."""
    if raw is None or raw == "":
        return []
    if not isinstance(raw, list):
        raise FormatError(f"{where} is {shown(raw)}, expected a list")
    return raw


def table_of(raw: object, where: str) -> dict[str, Any]:
    """An object; nothing is an empty one."""
    if raw is None:
        return {}
    if not isinstance(raw, dict):
        raise FormatError(f"{where} is {shown(raw)}, expected an object")
    return raw


def text_of(raw: object) -> str:
    """A text; what is not one is nothing."""
    return raw if isinstance(raw, str) else ""


def stated_solution(raw: object, board: Board) -> tuple[Grid | None, str]:
    """The full grid that a file states, and a note if what it states is none."""
    values = raw if isinstance(raw, list | str) else []
    try:
        grid = tuple(whole(value, "solution") for value in values)
    except FormatError:
        grid = ()
    if len(grid) == board.cells and all(value in board.size.digits for value in grid):
        return tuple(map(board.size.inner, grid)), ""
    return None, "the solution stated is not a full grid, and is left out" * has_content(raw)


def refuse_drawings(site: str, drawn: Sequence[str], rules: str, options: Options) -> None:
    if drawn and options.drawn != IGNORE:
        words = f': "{oneline(rules)[:120]}"' if rules.strip() else ""
        raise FormatError(
            f"this {site} puzzle draws {' and '.join(drawn)}, whose rules are only described in words{words}. State"
            f" them in TOML, as docs/own-rules.md shows, or solve without them: --drawn {IGNORE}"
        )


def with_entered(
    puzzle: Puzzle, digits: Mapping[int, int], options: Options, marks: Mapping[int, int] | None = None
) -> Reading:
    """The puzzle, with what was entered if `options` ask for it, and a note if they do not.

    digits: the values 1..N of cells
    marks:  the candidates of cells, as `Puzzle` has them
    """
    pencilled = {cell: allowed for cell, allowed in (marks or {}).items() if allowed != puzzle.board.every_value}
    if options.entered:
        candidates = list(puzzle.candidates)
        for cell, allowed in [*pencilled.items(), *((cell, 1 << value) for cell, value in digits.items())]:
            candidates[cell] &= allowed
        return Reading(replace(puzzle, candidates=tuple(candidates)))
    parts = [plural(len(digits), "entered digit")] if digits else []
    parts += [f"pencil marks in {plural(len(pencilled), 'cell')}"] if pencilled else []
    return Reading(puzzle).noted(f"{joined(parts)} left out; with `entered` they count as givens" if parts else "")


def filled(
    puzzle: Puzzle,
    cells: Sequence[object],
    known: frozenset[str],
    options: Options,
    pencilled: Pencilled,
    given: str = "",
) -> Reading:
    """The puzzle with the values of cells that a file has as objects, one a cell.

    known:     the keys that a cell may have
    pencilled: finds pencil marks; not asked of a cell with a value
    given:     the key that tells givens from digits that a solver entered; "" if all are givens
    Raises FormatError for another key, and for a value that is not one of the board.
    """
    size, givens, entered, marks = puzzle.board.size, dict[int, int](), dict[int, int](), dict[int, int]()
    for index, raw in enumerate(cells):
        if raw == {}:
            continue
        where = puzzle.board.label(index)
        cell = table_of(raw, where)
        understood(cell, known, where)
        stated = cell.get("value")
        if has_content(stated) or (type(stated) is int and 0 in size.digits):
            value = value_in(size, stated, where)
            (givens if not given or cell.get(given) is True else entered)[index] = size.inner(value)
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
