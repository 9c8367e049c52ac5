"""`opensudoku`: the XML of OpenSudoku, one game; of a file of several each is a puzzle of its own."""

import re
from xml.etree.ElementTree import ParseError
from xml.sax.saxutils import escape

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from satdoku.errors import FormatError, Refused
from satdoku.formats import Confidence, Format, Holds, Options, Reading, Sign, View
from satdoku.formats.marks import oneline, stated, with_entered
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import classic

HEAD = re.compile(r"\s*(?:<\?xml[^>]{0,200}\?>\s*)?(?:<!--.{0,2000}?-->\s*)*<opensudoku", re.DOTALL)
VERSION = re.compile(r"version:\s*(\d+)\s+(.*)", re.DOTALL)
WIDTHS = {1: 3, 2: 3, 3: 3, 4: 4, 5: 5}
"""The fields of a cell by the version of the data: the digit, its marks, whether it may be edited."""

GAME = re.compile(r"<game\b[^<>]*/>")
HEADING = "<?xml version='1.0' encoding='UTF-8'?>"
CELLS = 81


def fits(text: str) -> bool:
    return HEAD.match(text) is not None


def read(text: str, options: Options) -> Reading:
    try:
        root = fromstring(text, forbid_dtd=True)
    except DefusedXmlException:
        raise FormatError(
            "a document type or an entity: no puzzle needs them, and they may unpack to anything"
        ) from None
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise FormatError(f"not XML: {error}") from None
    found = list(root.iter("game"))
    if len(found) != 1:
        raise FormatError(f"{len(found)} games in this file: expected one puzzle a text")
    data = found[0].get("data") or found[0].get("cells_data") or ""
    puzzle, notes = _cells(data.strip(), options)
    names = [root.findtext("name") or "", *(folder.get("name") or "" for folder in root.iter("folder"))]
    title = oneline(next(filter(None, names), "")) if len(found) == 1 else ""
    return stated("opensudoku", puzzle, notes, {"title": title, "author": oneline(root.findtext("author") or "")})


def _cells(data: str, options: Options) -> tuple[Puzzle, list[str]]:
    board = classic(3, 3)
    if re.fullmatch(r"[0-9.]{81}", data):
        return Puzzle.from_givens(board, [int(digit) if digit != "." else 0 for digit in data]), []
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
            found = f"{value[:9]!r} and {editable[:9]!r}"
            raise FormatError(f"{board.label(cell)} has {found}: expected a digit, and 0 or 1")
        if value != "0":
            (entered if editable == "1" else givens)[cell] = int(value)
    return with_entered(Puzzle.from_givens(board, givens), entered, options)


def games(text: str) -> list[tuple[int, str]]:
    """Each game of a file of several as a text of its own, with the number of its line."""
    found = list(GAME.finditer(text))
    if len(found) < 2 or not fits(text):
        return []
    return [(text.count("\n", 0, game.start()) + 1, f"<opensudoku>{game[0]}</opensudoku>") for game in found]


def write(puzzle: Puzzle) -> str:
    digits = "".join(map(str, puzzle.givens))
    named = (("name", puzzle.title), ("author", puzzle.author))
    texts = [f"  <{tag}>{escape(text)}</{tag}>" for tag, text in named if text]
    if any(oneline(text) != text or not text.isprintable() for text in (puzzle.title, puzzle.author)):
        raise Refused("the opensudoku format holds a title and an author of one line, without blanks at their ends")
    return "\n".join([HEADING, "<opensudoku>", *texts, f'  <game data="{digits}" />', "</opensudoku>"])


HOLDS = Holds(sizes=(9, 9), metadata=frozenset({"title", "author"}))
SIGN = Sign(fits, "the element opensudoku", confidence=Confidence.CERTAIN, view=View.ALL)
FORMATS = (Format("opensudoku", "the XML of OpenSudoku, one game", read, write, HOLDS, SIGN),)
