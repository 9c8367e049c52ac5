"""Texts to items: one line of a file, or a text that is one puzzle."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from satdoku.errors import FormatError, InputError
from satdoku.formats import Format, Options, Reading, detect, formats
from satdoku.formats.cells import is_content
from satdoku.inputs.item import STANDARD_INPUT, Item
from satdoku.inputs.rules import with_rules
from satdoku.limits import MAX_PUZZLE


def shown(file: str) -> str:
    """What messages call a file."""
    return "standard input" if file == STANDARD_INPUT else file


def line_item(raw: bytes, file: str, number: int, options: Options, table: bool = False) -> Item | None:
    """What a line holds; None for a blank or a comment. In a table, a row without a puzzle is an error."""
    name, place = f"{file}:{number}", f"{shown(file)}, line {number}"
    if len(raw) >= MAX_PUZZLE:
        return Item(
            number=number,
            name=name,
            puzzle=InputError(f"{place}: a line of over {MAX_PUZZLE} bytes, expected one puzzle"),
        )
    try:
        line = raw.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        return Item(number=number, name=name, puzzle=InputError(f"{place}: {undecodable(error)}"))
    if not is_content(line):
        return Item(number=number, name=name, puzzle=InputError(f"{place}: no puzzle in this row")) if table else None
    return text_item(line, name, shown(file), number, options, _of_one_line())


def text_item(
    text: str, name: str, source: str, line: int, options: Options, among: Sequence[Format] | None = None
) -> Item:
    """The puzzle of a text that begins on `line` of what messages call `source`."""
    found: Reading | InputError
    try:
        found = with_rules(detect(text, options, among), options)
    except FormatError as error:
        found = error.at(source, text, line)
    except InputError as error:
        found = InputError(f"{source}, line {line}: {error}")
    if isinstance(found, InputError):
        found.__context__ = None  # its traceback would keep the text
        return Item(number=line, name=name, puzzle=found, text=text)
    puzzle = replace(found.puzzle, name=name)
    return Item(number=line, name=name, puzzle=puzzle, format=found.format, text=text, notes=found.notes)


def undecodable(error: UnicodeDecodeError) -> str:
    """What is wrong with bytes that are not text."""
    return f"byte 0x{error.object[error.start]:02x} is not UTF-8 text, expected puzzles"


@cache
def _of_one_line() -> tuple[Format, ...]:
    return tuple(known for known in formats().values() if known.one_line)
