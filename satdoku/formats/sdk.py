"""`sdk` (SadMan Sudoku): `#` headers, rows of cells, and sections `[Puzzle]`, `[State]`; `ss` (Simple Sudoku): 9 x 9
cells between bars and dashes, also with the clipboard's `*---*` border; `opensudoku`: the XML of OpenSudoku, one
game; of a file of several each is a puzzle of its own."""

import re
from dataclasses import replace

from satdoku.errors import FormatError, Refused
from satdoku.formats import Capabilities, Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.cells import Token, content, puzzle_of
from satdoku.formats.grid import MAX_LINES
from satdoku.formats.grid import read as read_grid
from satdoku.formats.marks import oneline, stated, with_entered
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import classic

HEADER = re.compile(r"#[ACDBSUL]", re.IGNORECASE)
SECTION = re.compile(r"\[(.+)\]")
COMMENT = "C"
GIVENS, STATE = "puzzle", "state"
TEXTS = {"A": "author", "D": "title"}  # the letters of headers that are kept
DRAWING = frozenset("|+-* \t")
BORDER = "*-----------*"
CELLS = 81
XML_START = re.compile(r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*)*<opensudoku", re.DOTALL)
VERSION = re.compile(r"version:\s*(\d+)\s+(.*)", re.DOTALL)
# The fields of a cell by the version of the data: the digit, its marks, whether it may be edited
WIDTHS = {1: 3, 2: 3, 3: 3, 4: 4, 5: 5}
GAME = re.compile(r"<game\b[^<>]*/>")
XML = "<?xml version='1.0' encoding='UTF-8'?>"
HOLDS = Capabilities(sizes=(4, 9), metadata=frozenset(TEXTS.values()))
BARS = "Simple Sudoku: rows between bars, with or without a border"
XML_HOLDS = Capabilities(sizes=(9, 9), metadata=frozenset({"title", "author"}))


def read(text: str, options: Options) -> Reading:
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
    puzzle = replace(_grid(lines[GIVENS], options), title=texts.get("title", ""), author=texts.get("author", ""))
    entered = _entered(puzzle, _grid(lines[STATE], options)) if lines.get(STATE) else {}
    reading = with_entered(puzzle, entered, options)
    return replace(reading, notes=(*notes, *reading.notes))


def fits(text: str) -> bool:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    sections = any((match := SECTION.fullmatch(line)) and match[1].strip().lower() == GIVENS for line in lines)
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
        # Of more lines than a grid has, those suffice that show it.
        rows = "\n".join(line for _, line in lines[: MAX_LINES + 1])
        return read_grid(rows, replace(options, format=None)).puzzle
    except FormatError as error:
        raise FormatError(error.message, lines[(error.line or 1) - 1][0], error.column) from None


def _entered(puzzle: Puzzle, state: Puzzle) -> dict[int, int]:
    if state.board.cells != puzzle.board.cells:
        raise FormatError("[Puzzle] and [State] have different sizes")
    for cell, (one, two) in enumerate(zip(puzzle.givens, state.givens, strict=True)):
        if one and two not in (0, one):
            raise FormatError(f"{puzzle.board.label(cell)} is {one} in [Puzzle], {two} in [State]")
    return {cell: value for cell, value in enumerate(state.givens) if value and not puzzle.givens[cell]}


def read_bars(text: str, options: Options) -> Reading:
    tokens: list[Token] = [
        (character, number, column)
        for number, line in content(text)
        for column, character in enumerate(line, 1)
        if character not in DRAWING
    ]
    if len(tokens) != CELLS:
        raise FormatError(f"{len(tokens)} cells once the drawing is dropped, expected {CELLS}", 1, 1)
    return Reading(puzzle_of(tokens, options))


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


def fits_xml(text: str) -> bool:
    return XML_START.match(text) is not None


def read_xml(text: str, options: Options) -> Reading:
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        root = fromstring(text, forbid_dtd=True)
    except DefusedXmlException:
        raise FormatError(
            "a document type or an entity: no puzzle needs them, and they may unpack to anything"
        ) from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise FormatError(f"not XML: {error}") from None
    games = list(root.iter("game"))
    if len(games) != 1:
        raise FormatError(f"{len(games)} games in this file: expected one puzzle a text")
    data = games[0].get("data") or games[0].get("cells_data") or ""
    names = [root.findtext("name") or "", *(folder.get("name") or "" for folder in root.iter("folder"))]
    title = oneline(next(filter(None, names), "")) if len(games) == 1 else ""
    return stated(_game(data.strip(), options), {"title": title, "author": oneline(root.findtext("author") or "")})


def _game(data: str, options: Options) -> Reading:
    board = classic(3, 3)
    if re.fullmatch(r"[0-9.]{81}", data):
        return Reading(Puzzle.from_givens(board, [int(digit) if digit != "." else 0 for digit in data]))
    stated = VERSION.fullmatch(data)
    if stated is None or int(stated[1]) not in WIDTHS:
        version = f"version {stated[1][:20]} of its data" if stated else repr(data[:20])
        known = f"a version from {min(WIDTHS)} to {max(WIDTHS)}"
        raise FormatError(f"{version} is not known: expected 81 digits, or {known}")
    width, fields = WIDTHS[int(stated[1])], stated[2].strip().rstrip("|").split("|")
    if len(fields) != width * CELLS:
        raise FormatError(f"{len(fields)} fields in the data, expected {CELLS} cells of {width}")
    givens, entered = dict[int, int](), dict[int, int]()
    for cell in range(CELLS):
        value, editable = fields[cell * width], fields[(cell + 1) * width - 1]
        if not re.fullmatch(r"[0-9]", value) or editable not in ("0", "1") or (value, editable) == ("0", "0"):
            both = f"{value[:9]!r} and {editable[:9]!r}"
            raise FormatError(f"{board.label(cell)} has {both}: expected a digit, and 0 or 1")
        if value != "0":
            (entered if editable == "1" else givens)[cell] = int(value)
    return with_entered(Puzzle.from_givens(board, givens), entered, options)


def games(text: str) -> list[tuple[int, str]]:
    """Each game of a file of several as a text of its own, with the number of its line."""
    matches = list(GAME.finditer(text))
    if len(matches) < 2 or not fits_xml(text):
        return []
    return [(text.count("\n", 0, game.start()) + 1, f"<opensudoku>{game[0]}</opensudoku>") for game in matches]


def write_xml(puzzle: Puzzle) -> str:
    from html import escape

    digits = "".join(map(str, puzzle.givens))
    named = (("name", puzzle.title), ("author", puzzle.author))
    texts = [f"  <{tag}>{escape(text, quote=False)}</{tag}>" for tag, text in named if text]
    if any(oneline(text) != text or not text.isprintable() for text in (puzzle.title, puzzle.author)):
        raise Refused("the opensudoku format holds a title and an author of one line, without blanks at their ends")
    return "\n".join([XML, "<opensudoku>", *texts, f'  <game data="{digits}" />', "</opensudoku>"])


SIGN = Detection(fits, "a section [Puzzle], or a header such as #A above rows", r"\[[a-z]{3,12}\]\s*\n")
BARS_SIGN = Detection(fits_bars, "a border *---*", view=View.CELLS)
XML_SIGN = Detection(fits_xml, "the element opensudoku", confidence=Confidence.CERTAIN, view=View.ALL)
FORMATS = (
    Format("sdk", "SadMan Sudoku: headers, rows, sections", read, write, HOLDS, SIGN),
    Format("ss", BARS, read_bars, write_bars, Capabilities(sizes=(9, 9)), BARS_SIGN),
    Format("opensudoku", "the XML of OpenSudoku, one game", read_xml, write_xml, XML_HOLDS, XML_SIGN),
)
