"""`sdk` (SadMan Sudoku): `#` headers, rows of cells, and sections `[Puzzle]`, `[State]`; `ss` (Simple Sudoku): 9 x 9
cells between bars and dashes, also with the clipboard's `*---*` border."""

import re
from dataclasses import replace

from satdoku.errors import FormatError, Refused
from satdoku.formats import Format, Holds, Options, Reading, Sign, View
from satdoku.formats.cells import Token, content, puzzle_of
from satdoku.formats.grid import read as read_grid
from satdoku.formats.marks import oneline, with_entered
from satdoku.puzzle import Puzzle

HEADER = re.compile(r"#[ACDBSUL]", re.IGNORECASE)
SECTION = re.compile(r"\[(.+)\]")
COMMENT = "C"
GIVENS, STATE = "puzzle", "state"
TEXTS = {"A": "author", "D": "title"}  # the letters of headers that are kept


def read(text: str, options: Options) -> Reading:
    """Givens come from `[Puzzle]`, or from the rows if there are no sections; raises FormatError as grids do."""
    lines: dict[str, list[tuple[int, str]]] = {GIVENS: []}
    section, notes, left_out = GIVENS, [], list[str]()
    texts: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        named = SECTION.fullmatch(line.strip())
        if named:
            section = named[1].strip().lower()
            if section not in (GIVENS, STATE):
                notes.append(f"the section [{named[1]}] on line {number} was left out")
        elif line.lstrip().startswith("#"):
            header = line.lstrip()
            if header[1:2] in TEXTS and TEXTS[header[1:2]] not in texts:
                texts[TEXTS[header[1:2]]] = oneline(header[2:])
            elif header[1:2] != COMMENT and header[2:].strip():
                left_out.append(f"#{oneline(header[1:])[:40]}")
        elif line.strip():
            lines.setdefault(section, []).append((number, line))
    notes += [f"not read: {', '.join(left_out)}"] if left_out else []
    puzzle = _grid(lines[GIVENS], options)
    if lines.get(STATE):
        state = _grid(lines[STATE], options)
        puzzle, more = with_entered(puzzle, _entered(puzzle, state), options)
        notes += more
    return Reading(replace(puzzle, title=texts.get("title", ""), author=texts.get("author", "")), "sdk", tuple(notes))


def fits(text: str) -> bool:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    sections = any((found := SECTION.fullmatch(line)) and found[1].strip().lower() == GIVENS for line in lines)
    return sections or (len(lines) > 4 and HEADER.match(lines[0]) is not None)


def write(puzzle: Puzzle) -> str:
    size = puzzle.board.values
    cells = "".join(str(value or ".") for value in puzzle.givens)
    texts = [f"#{letter}{text}" for letter, name in TEXTS.items() if (text := getattr(puzzle, name))]
    if any(oneline(text[2:]) != text[2:] for text in texts):
        raise Refused("the sdk format holds a title and an author of one line, without blanks at their ends")
    return "\n".join([*texts, "[Puzzle]", *(cells[start : start + size] for start in range(0, len(cells), size))])


def _grid(lines: list[tuple[int, str]], options: Options) -> Puzzle:
    if not lines:
        raise FormatError("no rows of cells under [Puzzle]")
    try:
        return read_grid("\n".join(line for _, line in lines), replace(options, format=None)).puzzle
    except FormatError as error:
        raise FormatError(error.message, lines[(error.line or 1) - 1][0], error.column) from None


def _entered(puzzle: Puzzle, state: Puzzle) -> dict[int, int]:
    if state.board.cells != puzzle.board.cells:
        raise FormatError("[Puzzle] and [State] have different sizes")
    for cell, (one, two) in enumerate(zip(puzzle.givens, state.givens, strict=True)):
        if one and two not in (0, one):
            raise FormatError(f"{puzzle.board.label(cell)} is {one} in [Puzzle], {two} in [State]")
    return {cell: value for cell, value in enumerate(state.givens) if value and not puzzle.givens[cell]}


DRAWING = frozenset("|+-* \t")
BORDER = "*-----------*"
CELLS = 81


def read_bars(text: str, options: Options) -> Reading:
    tokens: list[Token] = [
        (character, number, column)
        for number, line in content(text)
        for column, character in enumerate(line, 1)
        if character not in DRAWING
    ]
    if len(tokens) != CELLS:
        raise FormatError(f"{len(tokens)} cells once the drawing is dropped, expected {CELLS}", 1, 1)
    return Reading(puzzle_of(tokens, options), "ss")


def fits_bars(text: str) -> bool:
    return any(line.strip().startswith("*-") and line.strip().endswith("-*") for line in text.splitlines())


def write_bars(puzzle: Puzzle) -> str:
    cells = "".join(str(value or ".") for value in puzzle.givens)
    rows = [
        f"|{cells[start : start + 3]}|{cells[start + 3 : start + 6]}|{cells[start + 6 : start + 9]}|"
        for start in range(0, CELLS, 9)
    ]
    rule = "|---+---+---|"
    return "\n".join([BORDER, *rows[:3], rule, *rows[3:6], rule, *rows[6:], BORDER])


HOLDS = Holds(sizes=(4, 9), metadata=frozenset(TEXTS.values()))
SIGN = Sign(fits, "a section [Puzzle], or a header such as #A above rows", r"\[[a-z]{3,12}\]\s*\n")
BARS = "Simple Sudoku: rows between bars, with or without a border"
BARS_SIGN = Sign(fits_bars, "a border *---*", view=View.CELLS)
FORMATS = (
    Format("sdk", "SadMan Sudoku: headers, rows, sections", read, write, HOLDS, SIGN),
    Format("ss", BARS, read_bars, write_bars, Holds(sizes=(9, 9)), BARS_SIGN),
)
