"""What the arguments of a command name: puzzles, one puzzle, cells, files of text; and the formats it writes."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import IO

from satdoku.errors import FormatError, InputError, Refused
from satdoku.formats import Format, Options, find, formats
from satdoku.inputs.columns import Columns, puzzle_column, puzzle_column_in
from satdoku.inputs.items import STANDARD_INPUT, Block, Chunk, alone, empty_puzzle, source_name, spanned
from satdoku.inputs.sources import chunks, items
from satdoku.limits import MAX_ANSWER
from satdoku.puzzle import Board, Puzzle

LINES = ("line", "jigsaw", "f-puzzles")
ALONE, IN_JSON = ("grid", "toml"), (*LINES, "toml")
"""The formats that are tried, in this order: for several puzzles, which are read back one a line, for one, in JSON."""
WITH_CANDIDATES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    LINES: ("pencilmark", "f-puzzles"),
    ALONE: ("candidates", "toml"),
    IN_JSON: ("pencilmark", "f-puzzles", "toml"),
}
"""Those that are tried instead, if they are to hold candidates."""

OWN_SUFFIXES = {".sdm": "sdm", ".sdk": "sdk", ".ss": "ss", ".toml": "toml"}  # suffixes of files that name a format


@dataclass(frozen=True, slots=True)
class Opened:
    """The chunks that arguments name, and how lines are read; whether they are one puzzle, or many of a line each.

    header: the names of the columns of a table, where these are kept
    """

    chunks: Iterator[Chunk]
    options: Options
    alone: bool
    header: tuple[str, ...] = ()


def named(arguments: list[str] | None) -> list[str]:
    """What the arguments name; standard input if nothing is named, and it is not a terminal."""
    if arguments:
        once(*arguments)
        return arguments
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("no puzzles named: give a file, a puzzle as text, or - to type one; see `satdoku --help`")
    return [STANDARD_INPUT]


def opened(
    arguments: list[str] | None,
    options: Options,
    columns: Columns | None = None,
    span: tuple[int, int | None] = (0, None),
) -> Opened:
    """span: how many puzzles are left out at the beginning, and how many are read at most."""
    source = spanned(chunks(named(arguments), options, columns), *span)
    first = list(islice(source, 2))
    if not first and span[0]:
        raise InputError(f"--skip {span[0]} leaves no puzzle")
    header = first[0].header if first and isinstance(first[0], Block) else ()
    lengths = [
        sum(map(bool, map(bytes.strip, some.lines))) if isinstance(some, Block) and not some.table else len(some)
        for some in first
    ]
    if sum(lengths) == 1 and isinstance(first[0], Block):
        (item,) = filter(None, (first[0].item(index, options) for index in range(len(first[0]))))
        first = [alone(item)]
    return Opened(chain(first, source), options, sum(lengths) == 1, header)


def column_of(names: Sequence[str]) -> str | None:
    """The column of puzzles that all inputs have, if all are tables; raises InputError for two."""
    try:
        columns = [puzzle_column_in(_begun()) if name == STANDARD_INPUT else puzzle_column(name) for name in names]
    except (OSError, ValueError):  # too long for a name, or a NUL in it
        return None
    if None in columns or not columns:
        return None
    if len(set(columns)) > 1:
        pairs = ", ".join(f"{column!r} of {source_name(name)}" for name, column in zip(names, columns, strict=True))
        raise InputError(f"the puzzles are in columns of several names: {pairs[:200]}; name one with --column")
    return columns[0]


def _begun() -> list[bytes]:
    """The lines that have come by standard input, which stay to be read."""
    stream = getattr(sys.stdin, "buffer", None)
    return stream.peek().splitlines() if isinstance(stream, BufferedReader) else []


def single(argument: str, options: Options) -> Puzzle:
    puzzles = list(islice(items([argument], options), 2))
    puzzle = puzzles[0].puzzle
    if isinstance(puzzle, InputError):
        raise puzzle
    if len(puzzles) > 1:
        raise InputError(f"{argument} holds several puzzles: name one by its line, such as {puzzles[0].name}")
    assert puzzle is not None
    return puzzle


def binary(argument: str) -> AbstractContextManager[IO[bytes]]:
    """A file, or standard input for `-`, to read bytes from."""
    if not argument:
        raise InputError("'': no such file")
    if argument != STANDARD_INPUT:
        return Path(argument).open("rb")
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return nullcontext(sys.stdin.buffer)


def whole(stream: IO[bytes], argument: str, max_bytes: int = MAX_ANSWER) -> bytes:
    """All that a stream holds; raises InputError, with the argument that names it, for more than `max_bytes`."""
    data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise InputError(f"{source_name(argument)}: over {max_bytes} bytes, which is the limit here")
    return data


def raw(argument: str, max_bytes: int = MAX_ANSWER) -> bytes:
    """What a file holds, or standard input for `-`; raises InputError for more than `max_bytes`."""
    with binary(argument) as stream:
        return whole(stream, argument, max_bytes)


def text_of(argument: str, max_bytes: int = MAX_ANSWER) -> str:
    return raw(argument, max_bytes).decode("utf-8", "replace")


def once(*arguments: str | None) -> None:
    """Raise InputError if standard input is named more than once."""
    if arguments.count(STANDARD_INPUT) > 1:
        raise InputError("standard input can be read once: name files for the others")


def places(file: str, board: Board) -> tuple[int, ...]:
    """The cells that a pattern in a file, or standard input, gives; raises InputError, with its line."""
    from satdoku.generator import recipe

    text = text_of(file)
    try:
        return recipe.places(text, board)
    except FormatError as error:
        raise error.at(source_name(file), text) from None


def cells(text: str, board: Board) -> frozenset[int]:
    """The cells of `r1c1,r5c5`, numbered from 0; raises InputError for what is not on the board."""
    numbers = {board.label(cell): cell for cell in range(board.cells)}
    words = re.split(r"[\s,]+", text.strip())
    stray = next((word for word in words if word.lower() not in numbers), None)
    if stray is not None:
        raise InputError(f"{stray!r} is not a cell of the board: expected cells such as r1c1,r5c5")
    return frozenset(numbers[word.lower()] for word in words)


def format_for(board: Board, asked: str | None, json: bool, several: bool, candidates: bool = False) -> Format:
    """The format to write in. Raises InputError for an unknown name, Refused where puzzles of the board do not fit.

    candidates: whether cells may be neither open nor given
    """
    likely: tuple[str, ...] = IN_JSON if json else LINES if several else ALONE
    likely = WITH_CANDIDATES[likely] if candidates else likely
    example, likeliest = empty_puzzle(board), None
    if candidates:
        without_last = board.every_value >> 1 & board.every_value
        example = replace(example, candidates=(without_last, *example.candidates[1:]))
    for name in (asked,) if asked is not None else likely:
        chosen = find(name)
        try:
            chosen.write(example)
        except Refused:
            if asked is not None:
                raise
            continue
        if asked is not None or not chosen.unstated(board):
            return chosen
        likeliest = likeliest or chosen
    if likeliest is not None:
        return likeliest
    raise Refused(
        "no format of one line holds these rules: make one puzzle, or take --json, or name a format, --to toml"
    )


def note(written: Format, board: Board) -> tuple[str, ...]:
    """How a text of the board is read back, where it does not say everything."""
    options = " ".join(f"--{name} {text}" for name, text in written.unstated(board).items())
    return (f"the format {written.name} does not say what board this is: read it with {options}",) if options else ()


def named_format(to: str | None, paths: Sequence[Path] | None) -> str | None:
    """The format of --to, or the one that the suffix of a file names; raises InputError if these differ."""
    for path in paths or ():
        name = OWN_SUFFIXES.get(path.suffix.lower())
        if name is not None and to not in (None, name):
            raise InputError(f"--to {to} and --output {path} name different formats: change one of them")
        if name is not None:
            return name
    if to is not None:
        find(to)
    return to


def one_puzzle(paths: Sequence[Path] | None, alone: bool) -> None:
    """Raise InputError for a file that holds one puzzle, where several are to be written."""
    path = next((path for path in paths or () if path.suffix.lower() == ".toml" and not alone), None)
    if path is not None:
        raise InputError(f"--output {path}: a TOML file holds one puzzle, and here are several: name a .jsonl file")


def suffixes() -> frozenset[str]:
    return frozenset(suffix for suffix, name in OWN_SUFFIXES.items() if name in formats())
