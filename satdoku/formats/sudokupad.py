"""`sudokupad`: links of sudokupad.app and app.crackingthecryptic.com, and what they hold without the address."""

import re
from dataclasses import replace
from urllib.parse import unquote

from satdoku.errors import FormatError
from satdoku.formats import Options, Reading, fpuzzles, scl, sudokumaker
from satdoku.formats.fpuzzles_writer import HOLDS, link_data
from satdoku.formats.links import link_format, link_of, loaded, unpacked
from satdoku.formats.marks import stated_solution
from satdoku.puzzle import Mark, Puzzle
from satdoku.variants import build
from satdoku.variants.boxes import classic

ADDRESS = "https://sudokupad.app/fpuzzles"
HOST = re.compile(r"(.*\.)?(sudokupad\.app|crackingthecryptic\.com)")
SCHEME = re.compile(r"\s*sudokupad:/{0,2}puzzle/(\S+)\s*", re.IGNORECASE)
PATH = re.compile(r"(?:sudoku(?:\.html)?/?)?(.*)", re.IGNORECASE | re.DOTALL)
KIND = re.compile(r"(fpuzzles|fpuz|scl|ctc|scf)(.+)", re.DOTALL)
BARE = re.compile(r"\s*((?:fpuzzles|fpuz|scl|ctc)N[0-9A-Za-z+/%-]{20,}[=\\]*|scf[0-9A-Za-x]{14,81}(?:\*.*)?)\s*")
PACKED = re.compile(r"[\s\"']*(N4[0-9A-Za-z+/%-]{20,}[=$\\]*)(?:[\s\"',;@]+([0-9.]{16,})?[\s\"',;]*)?")
QUERY = ("puzzleid", "puzzle", "load")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
CELLS = 81


def name_of(text: str) -> str | None:
    """What a link names, or a text that is the same without an address; None for other texts."""
    bare = SCHEME.fullmatch(text) or BARE.fullmatch(text)
    if bare:
        return bare[1]
    link = link_of(text)
    if link is None or not HOST.fullmatch(link.host):
        return None
    link = link.alone()
    found = PATH.fullmatch(link.path)
    assert found is not None
    return next((link.query[key] for key in QUERY if link.query.get(key)), found[1])


def fits(text: str) -> bool:
    if any(known.fullmatch(text) for known in (SCHEME, BARE, PACKED)) or scl.fits(text):
        return True
    link = link_of(text)
    return link is not None and HOST.fullmatch(link.host) is not None


def read(text: str, options: Options) -> Reading:
    """Raises FormatError for an id that only the site knows, and for what a link holds as its reader does."""
    if scl.fits(text):
        return scl.read_data(scl.unzipped(text), options)
    if packed := PACKED.fullmatch(text):
        return _packed(packed[1], packed[2], options)
    name = name_of(text)
    kind = KIND.fullmatch(name or "")
    if kind is None:
        raise FormatError(
            f"{(name or 'the link')[:40]!r} names a puzzle that only the server of the site knows, and nothing here"
            " asks the network: open it there, and copy a link that holds the puzzle, which begins sudokupad.app/scl"
            " or sudokupad.app/fpuzzles"
        )
    if kind[1] == "scf":
        return _classic(unquote(kind[2]))
    payload = unquote(kind[2])
    text = payload if payload.lstrip().startswith("{") else unpacked(kind[2])
    data = scl.unzipped(text)
    found = fpuzzles.read_data(data, options) if kind[1].startswith("fpuz") else scl.read_data(data, options)
    return replace(found, format="sudokupad")


def _classic(packed: str) -> Reading:
    """A character is a digit and the empty cells behind it; what follows the cells are tags."""
    cells: list[int] = []
    rest = packed
    while len(cells) < CELLS and rest[:1] in DIGITS and rest:
        empty, digit = divmod(DIGITS.index(rest[0]), 10)
        cells += [digit, *[0] * empty]
        rest = rest[1:]
    if len(cells) != CELLS:
        raise FormatError(f"{len(cells)} cells behind scf, expected {CELLS}")
    board, texts = classic(3, 3), {"t": "", "a": ""}
    tags = rest.removeprefix("*").replace("**", "\0").split("*") if rest else []
    for tag in (tag.replace("\0", "*") for tag in tags):
        if tag[:1] in texts and tag:
            texts[tag[0]] = tag[1:]
        elif set(tag) <= {"w", "x"}:
            names = ["windoku"] * ("w" in tag) + ["diagonal+", "diagonal-"] * ("x" in tag)
            board = build(board.size, (*board.marks, *map(Mark, names)))
        elif tag:
            raise FormatError(f"the tag {tag[:20]!r} behind scf is not understood, expected w, x, t or a")
    puzzle = Puzzle.from_givens(board, cells)
    return Reading(replace(puzzle, title=texts["t"], author=texts["a"]), "sudokupad")


def write(puzzle: Puzzle) -> str:
    """Raises Refused for a rule that f-puzzles has not, whose data these links hold."""
    return ADDRESS + link_data(puzzle, "sudokupad")


def _packed(packed: str, beside: str | None, options: Options) -> Reading:
    """Data of a link without the link, read by its keys, and the solution that may stand beside it."""
    found = unpacked(packed)
    data = scl.unzipped(found) if scl.fits(found) else loaded(found, placed=False)
    keys = data if isinstance(data, dict) else {}
    reader = scl.read_data if "cells" in keys else sudokumaker.read_data if "puzzle" in keys else fpuzzles.read_data
    reading = reader(data, options)
    solution, notes = stated_solution(beside or "", reading.puzzle.board)
    puzzle = replace(reading.puzzle, solution=solution or reading.puzzle.solution)
    return replace(reading, puzzle=puzzle, notes=(*reading.notes, *notes))


FORMATS = (
    link_format(
        name="sudokupad",
        summary="a link of SudokuPad, or what it holds",
        fits=fits,
        sign="an address of SudokuPad; scl, ctc, scf or fpuzzles and data; N4 and data; its JSON",
        read=read,
        text_of=write,
        holds=HOLDS,
    ),
)
