"""What the arguments of a command name: puzzles, one puzzle, cells, files of text."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from satdoku.errors import FormatError, InputError
from satdoku.formats import Options
from satdoku.inputs.columns import Columns
from satdoku.inputs.items import STANDARD_INPUT, Block, Chunk, Item, alone
from satdoku.inputs.sources import chunks, items
from satdoku.puzzle import Board, Puzzle

MANY = 250
"""Lines from which the default backend may take its time to start."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The chunks that arguments name; whether they are one puzzle, or many lines of one each."""

    chunks: Iterator[Chunk]
    alone: bool
    many: bool


def named(arguments: list[str] | None) -> list[str]:
    """What the arguments name; none means standard input.

    Raises InputError if standard input is a terminal and nothing was named.
    """
    if arguments:
        return arguments
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("no puzzles named: give a file, a puzzle as text, or - to type one; see `satdoku --help`")
    return [STANDARD_INPUT]


def opened(arguments: list[str] | None, options: Options, columns: Columns | None = None) -> Opened:
    """The chunks that the arguments name. Raises as `named`."""
    found = chunks(named(arguments), options, columns)
    first = list(islice(found, 2))
    lengths = [sum(map(bool, map(bytes.strip, some.lines))) if isinstance(some, Block) else len(some) for some in first]
    if sum(lengths) == 1 and isinstance(first[0], Block):
        (item,) = filter(None, (first[0].item(index, options) for index in range(len(first[0]))))
        first = [alone(item)]
    return Opened(chain(first, found), sum(lengths) == 1, sum(lengths) >= MANY)


def single(argument: str, options: Options) -> Puzzle:
    """The one puzzle that an argument names; raises InputError if it names several."""
    found = list(islice(items([argument], options), 2))
    puzzle = found[0].puzzle
    if isinstance(puzzle, InputError):
        raise puzzle
    if len(found) > 1:
        raise InputError(f"{argument} holds several puzzles: name one by its line, such as {found[0].name}")
    assert puzzle is not None
    return puzzle


def readable(found: Iterator[Item]) -> tuple[list[Puzzle], list[InputError]]:
    """The puzzles among items, and the errors among them."""
    listed = [item.puzzle for item in found]
    return [one for one in listed if isinstance(one, Puzzle)], [one for one in listed if isinstance(one, InputError)]


def raw(argument: str) -> bytes:
    """What a file holds, or standard input for `-`. Raises OSError if it cannot be read."""
    if argument != STANDARD_INPUT:
        return Path(argument).read_bytes()
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer.read()


def text_of(argument: str) -> str:
    """The same as text."""
    return raw(argument).decode("utf-8", "replace")


def shown(file: str) -> str:
    """What messages call a file."""
    return "standard input" if file == STANDARD_INPUT else file


def once(*arguments: str | None) -> None:
    """Raise InputError if standard input is named more than once."""
    if arguments.count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read once: name files for the others")


def places(file: str, board: Board) -> tuple[int, ...]:
    """The cells that a pattern in a file, or standard input, gives; raises InputError, with its line."""
    from satdoku.generator import pattern

    text = text_of(file)
    try:
        return pattern.places(text, board)
    except FormatError as error:
        raise error.at(shown(file), text) from None


def cells(text: str, board: Board) -> frozenset[int]:
    """The cells of `r1c1,r5c5`, numbered from 0; raises InputError for what is not on the board."""
    found = set()
    for word in re.split(r"[\s,]+", text.strip()):
        place = re.fullmatch(r"[rR](\d{1,4})[cC](\d{1,4})", word)
        row, column = (int(place[1]), int(place[2])) if place else (0, 0)
        cell = (row - 1) * board.columns + column - 1
        if row < 1 or not 1 <= column <= board.columns or cell >= board.cells:
            raise InputError(f"{word!r} is not a cell of the board: expected cells such as r1c1,r5c5")
        found.add(cell)
    return frozenset(found)
