"""`sudokupad`: links of sudokupad.app and app.crackingthecryptic.com, and what they hold without the address."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from satdoku.drawings import Drawing
from satdoku.errors import FormatError, Refused
from satdoku.formats import Format, Options, Reading, fpuzzles, sudokumaker
from satdoku.formats.cages import DIAGONALS
from satdoku.formats.drawn import held_by_sudokupad, shown_by_sudokupad
from satdoku.formats.fpuzzles_writer import HOLDS as ONE_BOARD
from satdoku.formats.fpuzzles_writer import compress, link_data
from satdoku.formats.links import link_of, link_sign, loaded, taken, unescaped, unpacked
from satdoku.formats.marks import stated_solution, table_of, with_rules
from satdoku.formats.sudokupad_reader import is_json, read_data, unzipped
from satdoku.formats.sudokupad_writer import data_of as own_data
from satdoku.puzzle import Puzzle

ADDRESS, SCL = "https://sudokupad.app/fpuzzles", "https://sudokupad.app/scl"
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
    match = PATH.fullmatch(link.path)
    assert match is not None
    return next((link.query[key] for key in QUERY if link.query.get(key)), match[1])


def fits(text: str) -> bool:
    if any(known.fullmatch(text) for known in (SCHEME, BARE, PACKED)) or is_json(text):
        return True
    link = link_of(text)
    return link is not None and HOST.fullmatch(link.host) is not None


def data_of(text: str) -> dict[str, Any] | None:
    """What a text of the site holds, under long names; None if it is another text, or an f-puzzles one."""
    try:
        if not is_json(text):
            kind = KIND.fullmatch(name_of(text) or "")
            if kind is None or kind[1] not in ("scl", "ctc"):
                return None
            text = _payload(kind[2])
        return table_of(unzipped(text), "the puzzle")
    except FormatError:
        return None


def fpuzzles_of(text: str) -> dict[str, Any] | None:
    """What an f-puzzles text holds: a link of either site, what stands behind its address, or JSON; None for others."""
    try:
        bare, kind = PACKED.fullmatch(text), KIND.fullmatch(name_of(text) or "")
        packed = bare[1] if bare else kind[2] if kind else taken(text, fpuzzles.SITE, "load")
        data = loaded(text) if packed is None else unzipped(_payload(packed))
    except FormatError:
        return None
    return data if isinstance(data, dict) and "grid" in data else None


def _payload(packed: str) -> str:
    """The text of a link, packed or as it is."""
    plain = unescaped(packed)
    return plain if plain.lstrip().startswith("{") else unpacked(packed)


def read(text: str, options: Options) -> Reading:
    if is_json(text):
        return read_data(unzipped(text), options)
    if packed := PACKED.fullmatch(text):
        return _packed(packed[1], packed[2], options)
    name = name_of(text)
    kind = KIND.fullmatch(name or "")
    if kind is None:
        link = repr(name[:40]) if name else "the link"
        raise FormatError(
            f"{link} names a puzzle that only the server of the site knows, and nothing here asks the network: open it"
            " there, and copy a link that holds the puzzle, which begins sudokupad.app/scl or sudokupad.app/fpuzzles"
        )
    if kind[1] == "scf":
        return _classic(unescaped(kind[2]))
    data = unzipped(_payload(kind[2]))
    return fpuzzles.read_data(data, options) if kind[1].startswith("fpuz") else read_data(data, options)


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
    names, texts = list[str](), {"t": "", "a": ""}
    tags = rest.removeprefix("*").replace("**", "\0").split("*") if rest else []
    for tag in (tag.replace("\0", "*") for tag in tags):
        if tag[:1] in texts and tag:
            texts[tag[0]] = tag[1:]
        elif set(tag) <= {"w", "x"}:
            names += ["windoku"] * ("w" in tag) + [*DIAGONALS] * ("x" in tag)
        elif tag:
            raise FormatError(f"the tag {tag[:20]!r} behind scf is not understood, expected w, x, t or a")
    puzzle = Puzzle.from_givens(with_rules(names), cells)
    return Reading(replace(puzzle, title=texts["t"], author=texts["a"]))


def write(puzzle: Puzzle) -> str:
    """A link with data of f-puzzles, which state most kinds of marks; with the site's own for several boards, and for
    drawings that those of f-puzzles have no place for, if it can hold the puzzle."""
    if puzzle.board.places:
        return link_with(own_data(puzzle))
    if not all(map(shown_by_sudokupad, puzzle.drawings)):
        with suppress(Refused):
            return link_with(own_data(puzzle))
    return ADDRESS + link_data(puzzle, "sudokupad")


def link_with(data: Mapping[str, Any]) -> str:
    """The link with data of the site."""
    return SCL + compress(json.dumps(data, separators=(",", ":")))


def _held(puzzle: Puzzle) -> Iterator[Drawing]:
    try:
        own_data(replace(puzzle, drawings=()))
    except Refused:
        yield from ONE_BOARD.held(puzzle) if not puzzle.board.places else ()
    else:
        yield from (each for each in puzzle.drawings if held_by_sudokupad(each, puzzle.board.size))


def _packed(packed: str, beside: str | None, options: Options) -> Reading:
    """Data of a link without the link, read by its keys, and the solution that may stand beside it."""
    text = unpacked(packed)
    data = unzipped(text) if is_json(text) else loaded(text, placed=False)
    keys = data if isinstance(data, dict) else {}
    form, reader = next((known for key, known in BY_KEY.items() if key in keys), ("f-puzzles", fpuzzles.read_data))
    reading = reader(data, options)
    solution, note = stated_solution(beside or "", reading.puzzle.board)
    puzzle = replace(reading.puzzle, solution=solution or reading.puzzle.solution)
    return replace(reading, puzzle=puzzle, format=form).noted(note)


HOLDS = replace(ONE_BOARD, shapes=(ONE_BOARD.shapes or frozenset()) | {"boards"}, drawings=_held)
BY_KEY = {"cells": ("sudokupad", read_data), "puzzle": ("sudokumaker", sudokumaker.read_data)}
SIGN = link_sign(fits, "an address of SudokuPad; scl, ctc, scf or fpuzzles and data; N4 and data; its JSON")
FORMATS = (Format("sudokupad", "a link of SudokuPad, or what it holds", read, write, HOLDS, SIGN, one_line=True),)
