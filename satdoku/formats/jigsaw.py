"""`jigsaw`: a line of N*N cells followed by N*N characters that name the region of each. `solo`: game ids of Simon
Tatham's Solo, `3x3:5_3b7...`: runs of empty cells as letters, then borders of regions and cages."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import isqrt
from string import ascii_uppercase, digits

from satdoku.errors import FormatError, Refused
from satdoku.formats import Capabilities, Confidence, Detection, Format, Options, Reading
from satdoku.formats.cages import DIAGONALS, cages_of, meaningful
from satdoku.formats.cells import DIGITS, field_tokens, first_field, one_line, only_line, size_of, values_of
from satdoku.formats.line import fields_of
from satdoku.formats.marks import board
from satdoku.formats.regions import divided, labels_of, walled
from satdoku.puzzle import MAX_VALUES, Mark, Puzzle, Size

NAMES = digits[1:] + ascii_uppercase
SOLO = re.compile(r"(?:Solo:)?(\d{1,3})(?:x(\d{1,3})|j)([a-z0-9]*)([:#])(.*)", re.IGNORECASE)
FLAGS = re.compile(r"(?:[xk]|d[a-z]{1,2}|[rm]\d+|[a-z]?a)*")  # diagonals, killer, and how a new puzzle is made
GRID = re.compile(r"[a-z]|\d+|_")
HOLDS = Capabilities(marks=frozenset({"boxes", "region"}), sizes=(4, 9), any_box=True)


def read(text: str, options: Options) -> Reading:
    if _two_fields(text):  # blanks between cells and regions
        start = len(first_field(text))
        tokens = field_tokens(only_line(text).strip().replace(" ", "").replace("\t", ""), "jigsaw")
        cells, regions = tokens[:start], tokens[start:]
    else:
        tokens = field_tokens(text, "jigsaw")
        cells, regions = tokens[: len(tokens) // 2], tokens[len(tokens) // 2 :]
    size = size_of(cells, options)
    letters = {token for token, _, _ in cells if token.isalpha()}
    lettered = letters and not any(token in DIGITS for token, _, _ in cells)
    if 9 < size.rows <= len(ascii_uppercase) and options.alphabet is None and lettered:
        options = replace(options, alphabet=f"A-{ascii_uppercase[size.rows - 1]}")  # A stands for 1
    expected = max(size.rows, size.columns)
    for name, count in Counter(name for name, _, _ in regions).items():
        if count != expected:
            first = next(token for token in regions if token[0] == name)
            raise FormatError(f"region {name!r} has {count} cells, expected {expected}", *first[1:])
    built = board(size, divided(size, [name for name, _, _ in regions], options.box))
    return Reading(Puzzle.from_givens(built, values_of(cells, size, options)))


def _two_fields(text: str) -> bool:
    """Whether cells and the letters of regions are two fields of one length; two of digits are a puzzle and its
    solution."""
    fields = only_line(text).split(maxsplit=2)
    return len(fields) == 2 and len(fields[0]) == len(fields[1]) and any(map(str.isalpha, fields[1]))


def fits(text: str) -> bool:
    field = "".join(only_line(text).split()) if _two_fields(text) else first_field(text)
    size = isqrt(len(field) // 2)
    if size < 4 or 2 * size * size != len(field) or len(set(field[size * size :])) != size or "," in field:
        return False
    try:
        return not fields_of(only_line(text)).solution  # a puzzle and its solution look alike
    except FormatError:
        return True


def write(puzzle: Puzzle) -> str:
    labels = labels_of(puzzle.board, "jigsaw")
    size = puzzle.board.values
    known = [label for label in labels if label is not None]
    if len(known) != len(labels) or set(Counter(known).values()) != {size}:
        raise Refused(f"the jigsaw format holds {size} regions of {size} cells, and this board has others")
    order = {label: NAMES[index] for index, label in enumerate(dict.fromkeys(known))}
    return "".join(str(value or ".") for value in puzzle.givens) + "".join(order[label] for label in known)


def fits_solo(text: str) -> bool:
    match = SOLO.fullmatch(text.strip())
    return match is not None and re.fullmatch(r"[a-z0-9_,]*" if match[4] == ":" else r"[^:]*", match[5]) is not None


def read_solo(text: str, options: Options) -> Reading:
    number, line = one_line(text, "solo")
    match = SOLO.fullmatch(line.strip())
    if match is None:
        raise FormatError("expected an id such as 3x3:5_3b7, the boxes and then the cells", number, 1)
    if match[4] == "#":
        how = "in the game choose Game, Specific, and copy the id with a colon"
        raise FormatError(f"{match[0][:20]!r} is a random seed, not a puzzle: {how}", number, 1)
    wide, high, flags = int(match[1]), int(match[2] or 1), match[3].lower()
    size = wide * high
    if not 4 <= size <= MAX_VALUES or not FLAGS.fullmatch(flags):
        raise FormatError(f"{match[1]}x{match[2]}{flags} is not a board: expected 3x3, 9j, and x or k", number, 1)
    killer, parts = "k" in flags, match[5].split(",")
    if len(parts) != 1 + (match[2] is None) + 2 * killer:
        raise FormatError(f"{len(parts)} parts with commas, expected the cells, then borders, then sums", number, 1)
    givens, shape = _cells(parts[0], size), options.of(size, size)
    boxes = (Mark("boxes", value=f"{high}x{wide}"),)
    marks = [*(divided(shape, _regions(parts[1], size)) if match[2] is None else boxes)]
    if "x" in flags:
        marks += map(Mark, DIAGONALS)
    if killer:
        marks += _cages(_regions(parts[-2], size), _cells(parts[-1], size), Size.of(size))
    return Reading(Puzzle.from_givens(board(shape, marks), givens))


def _cells(text: str, size: int) -> list[int]:
    cells: list[int] = []
    at = 0
    while at < len(text) and len(cells) <= size * size:
        match = GRID.match(text, at)
        if match is None:
            raise FormatError(f"{text[at : at + 9]!r} is not a number or a run of empty cells")
        at = match.end()
        if match[0].isdigit():
            cells.append(int(match[0][:9]))
        elif match[0] != "_":
            cells += [0] * (ord(match[0]) - 96)
    if len(cells) != size * size or at < len(text):
        raise FormatError(f"{len(cells)} cells, expected {size * size}")
    return cells


def _regions(text: str, size: int) -> list[int]:
    borders = list(_borders(text))
    half = size * (size - 1)
    if len(borders) not in (2 * half, 2 * half + 1):  # the last one may be that of the edge
        raise FormatError(f"{len(borders)} borders inside the grid, expected {2 * half}")
    # Those to the right of cells row by row, then those below cells column by column.
    places = [divmod(index, size - 1) for index in range(half)]
    sides = [(row * size + column, 1) for row, column in places] + [(row * size + column, 0) for column, row in places]
    walls = {side for side, border in zip(sides, borders, strict=False) if border}
    return walled(Size.of(size), walls)


def _borders(text: str) -> Iterator[bool]:
    for letter in text:
        run = 0 if letter == "_" else ord(letter) - 96
        if not 0 <= run <= 26:
            raise FormatError(f"{letter!r} is not a run of borders, expected letters and _")
        yield from [False] * (25 if letter == "z" else run)
        if letter != "z":
            yield True


def _cages(regions: list[int], totals: list[int], size: Size) -> list[Mark]:
    sums: dict[int, int] = {}
    for region, total in zip(regions, totals, strict=True):
        if total and region in sums:
            raise FormatError(f"a cage with the sums {sums[region]} and {total}")
        sums |= {region: total} if total else {}
    return meaningful(cages_of(regions, sums, size))


SIGN = Detection(
    fits,
    "2*N*N characters, of which the second half are N different ones",
    r"(?!.{162}\s*$)[0-9.]{70}[0-9.A-Z]{90,94}\s*$",
)
SOLO_SIGN = Detection(
    fits_solo,
    "3x3: or 9j:, and runs of letters",
    r"(solo:)?\d{1,3}(x\d{1,3}|j)[a-z0-9]*[:#]",
    confidence=Confidence.CERTAIN,
)
FORMATS = (
    Format("jigsaw", "a line of cells and a line of regions in one", read, write, HOLDS, SIGN, one_line=True),
    Format("solo", "a game id of Simon Tatham's Solo", read_solo, sign=SOLO_SIGN, one_line=True),
)
