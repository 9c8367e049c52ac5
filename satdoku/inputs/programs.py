"""What Python programs give as puzzles: texts, rows of values, arrays, files."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from inspect import Parameter, signature
from math import isqrt
from numbers import Integral, Real
from os import PathLike, fspath
from os.path import isdir, isfile
from pathlib import Path
from typing import Any, Protocol, TypeAlias, TypedDict, TypeVar, Unpack

from satdoku import formats
from satdoku.errors import MAX_NAME, FormatError, InputError, PuzzleError, TooSlow, excerpt, near_names
from satdoku.formats import Format, Options
from satdoku.formats.cells import boxed_board, is_cells
from satdoku.formats.marks import IGNORE
from satdoku.inputs.arrays import listed
from satdoku.limits import TimeIsUp, bounded_time
from satdoku.puzzle import MAX_VALUES, Puzzle, Size
from satdoku.system.clock import Deadline
from satdoku.words import article


class ArrayLike(Protocol):
    """What numpy, pandas and torch call an array, which gives its values as lists."""

    def tolist(self) -> Any: ...


Source: TypeAlias = Puzzle | str | Sequence[Any] | ArrayLike
"""What the functions take as a puzzle: a Puzzle; a text in any format; rows of values, as lists or as an array; or all
values of a square board, row by row."""

Function = TypeVar("Function", bound=Callable[..., Any])

OPTIONAL = str | None
EMPTY_VALUES = frozenset(
    ("", ".", "0", "_", "*", "x", "X", "-")
)  # texts that stand for an empty cell among rows of values


READING: dict[str, Any] = {"alphabet": OPTIONAL, "entered": bool, "empty": OPTIONAL, "drawn": OPTIONAL, "strict": bool}
"""The types of the options of reading besides the format, whose name is looked up, and the shape."""


class ReadingOptions(TypedDict, total=False):
    """How to read a text: the parameters of `read` that other functions take too."""

    format: str | Format | None
    size: int | str | None
    values: str | None
    box: str | None
    alphabet: str | None
    entered: bool
    empty: str | None
    drawn: str | None
    strict: bool


def options_of(
    size: int | str | None = None, values: str | None = None, box: str | None = None, **others: Any
) -> Options:
    """What `ReadingOptions` ask of readers; raises TypeError for another name or a wrong type."""
    for name, value in others.items():
        if name not in READING and name != "format":
            near = near_names(name, [*READING, "format", "size", "values", "box"])
            raise TypeError(": ".join(filter(None, (f"{name!r} is not an option of reading", near))))
        if not isinstance(value, READING.get(name, object)):
            wanted = "True or False" if READING[name] is bool else "a text, or None"
            raise TypeError(f"{name} is {value!r}: expected {wanted}")
    if others.get("drawn") not in (None, IGNORE):
        raise InputError(f"drawn is {others['drawn']!r}: expected {IGNORE!r}, or None")
    return Options(**others).with_shape(size, values, box)


def read(
    source: Source,
    *,
    format: str | Format | None = None,
    size: int | str | None = None,
    values: str | None = None,
    box: str | None = None,
    alphabet: str | None = None,
    entered: bool = False,
    empty: str | None = None,
    drawn: str | None = None,
    strict: bool = False,
    name: str = "puzzle",
) -> Puzzle:
    """The puzzle that a text, rows of values or an array state.

    Parameters:
        source: a text in any format that is read; or rows of values, as lists or as an array, or the
            N*N values in one row after the other. Empty cells are None, "." or "", and 0 where it is not a value.
        format: the name of the text's format, or a `satdoku.formats.Format` of your own; None finds it out.
        size: "RxC", the rows and columns of the board, or N for N x N; None takes what the source shows.
        values: the first and the last value of a cell, such as "0-8"; None takes 1 to the longer side.
        box: "RxC", the rows and columns of a box, or "none"; None takes what the text shows, else the usual
            box of the size.
        alphabet: the characters of the values, for texts of one character a cell above 9x9.
        entered: whether digits entered by the player count as givens, in formats that tell them apart.
        empty: the characters of empty cells in a text, such as "0"; None finds them out.
        drawn: "ignore" reads puzzles whose rules are only drawn without them; else they are refused.
        strict: whether a puzzle is refused of which something is not enforced; `not_enforced` says what.
        name: what to call the puzzle in messages.

    Returns:
        The puzzle; it is not searched yet.

    Raises:
        FormatError: the text is not a puzzle; with line and column.
        PuzzleError: the rows are not those of a puzzle.
        TypeError: `source` is neither text nor rows.

    Example:
        >>> import satdoku
        >>> satdoku.read("13....3131...213")
        <Puzzle 4x4, 2x2 boxes, 9 givens>
        >>> satdoku.read([[1, 3, 0, 0], [0, 0, 3, 1], [3, 1, 0, 0], [0, 2, 1, 3]]).givens[:4]
        (1, 3, 0, 0)
    """
    how: dict[str, Any] = {"format": format, "alphabet": alphabet, "entered": entered, "empty": empty}
    options = options_of(size, values, box, **how, drawn=drawn, strict=strict)
    return read_with(source, options, name)


def read_with(source: Source, options: Options, name: str = "puzzle") -> Puzzle:
    if isinstance(source, str):
        try:
            return replace(formats.detect(source, options, noted=False).puzzle, name=name)
        except FormatError as error:
            if isfile(source):
                raise error.with_hint("this is the name of a file: read it with satdoku.load") from None
            raise
    if options.format is not None or options.alphabet is not None or options.empty is not None or options.entered:
        raise TypeError("format, alphabet, empty and entered are of texts, and source is not a text")
    if isinstance(source, PathLike):
        raise TypeError(f"{_kind(source)} is not a puzzle: read files with satdoku.load")
    size, cells = cell_values(source, options)
    try:
        return Puzzle.from_givens(boxed_board(size, options), cells, name)
    except FormatError as error:
        raise PuzzleError(error.message) from None


def as_puzzle(source: Source) -> Puzzle:
    """A Puzzle as it is, anything else as `read` takes it."""
    return source if isinstance(source, Puzzle) else read(source)


def read_within(source: Source, timeout: float | None) -> tuple[Puzzle, float | None]:
    """As `as_puzzle`, and how many seconds of the timeout are left; raises TooSlow if none are."""
    if timeout is None or isinstance(source, Puzzle):
        return as_puzzle(source), timeout
    deadline = Deadline(timeout)
    try:
        with bounded_time(timeout):
            puzzle = read(source)
    except TimeIsUp:
        raise TooSlow(timeout) from None
    return puzzle, deadline.timeout()


def shows_reading_options(function: Function) -> Function:
    """Let `help` and editors show what stands for `**reading`: the parameters of `read` of the same names."""
    own, options = signature(function), signature(read).parameters
    kept = [each for each in own.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    reading = [options[name] for name in ReadingOptions.__annotations__]
    function.__signature__ = own.replace(parameters=[*kept, *reading])  # type: ignore[attr-defined]  # inspect reads it
    return function


@shows_reading_options
def load(path: str | PathLike[str], **reading: Unpack[ReadingOptions]) -> Puzzle:
    """The one puzzle in a file.

    Parameters:
        path: the file; it may be compressed (gzip, bzip2, xz, Zstandard).
        **reading: how to read it: `format`, `size`, `values`, `box`, `alphabet`, `entered`, `empty`, `drawn` and
            `strict`, as of `read`.

    Returns:
        The puzzle, named FILE:LINE.

    Raises:
        FormatError, InputError: there is no such file, it is not a puzzle, or it holds several
            (`load_many` reads those).
        TypeError: `path` is not a path.

    Example:
        >>> import satdoku
        >>> satdoku.load("puzzles/variants/cage.toml")
        <Puzzle 9x9, 3x3 boxes, 0 givens, 26 cages>
    """
    puzzles = load_many(path, **reading)
    first = next(puzzles, None)
    if first is None:
        raise InputError(f"{fspath(path)} is empty, expected a puzzle")
    if next(puzzles, None) is not None:
        raise InputError(f"{fspath(path)} holds several puzzles, expected one: read them with satdoku.load_many")
    return first


@shows_reading_options
def load_many(path: str | PathLike[str], **reading: Unpack[ReadingOptions]) -> Iterator[Puzzle]:
    """The puzzles of a file, one after the other; the file is not held in memory.

    Parameters:
        path: the file, as for `load`; usually one puzzle a line.
        **reading: how to read it: `format`, `size`, `values`, `box`, `alphabet`, `entered`, `empty`, `drawn` and
            `strict`, as of `read`.

    Returns:
        An iterator of puzzles, each named FILE:LINE.

    Raises:
        InputError: there is no such file; when the iterator comes to it, a line that is not a puzzle.
        TypeError: `path` is not a path.

    Example:
        >>> import satdoku
        >>> [puzzle.name for puzzle in satdoku.load_many("puzzles/9x9_two.txt")]
        ['puzzles/9x9_two.txt:1']
    """
    if not isinstance(path, str | PathLike):
        raise TypeError(f"path is {_kind(path)}: expected a path, as text or pathlib.Path")
    options = options_of(**reading)
    if not isfile(path):
        name = fspath(path)
        if isdir(name):
            raise InputError(f"{name}: a folder, expected a file")
        hint = "; a puzzle as text is read with satdoku.read" if is_cells(name) else ""
        raise InputError(f"{name[:MAX_NAME]}: there is no such file{hint}")
    return _loaded(str(Path(path)), options)


def _loaded(path: str, options: Options) -> Iterator[Puzzle]:
    from satdoku.inputs.items import STANDARD_INPUT
    from satdoku.inputs.sources import items

    for item in items([path if path != STANDARD_INPUT else f"./{path}"], options):
        if isinstance(item.puzzle, InputError):
            raise item.puzzle
        if item.puzzle is not None:
            yield item.puzzle


def cell_values(rows: Any, options: Options) -> tuple[Size, list[int]]:
    """The size of a board and its values among 1..N, 0 where a cell is empty, from rows or one row after the other.
    Raises TypeError for what is not rows of values, PuzzleError where they are not those of a board."""
    given = listed(rows)
    if not isinstance(given, Sequence) or isinstance(given, str | bytes | bytearray):
        raise TypeError(f"a puzzle is a text, rows of values or an array, not {_kind(rows)}")
    nested = [_row(row) for row in given]
    lines = [row for row in nested if row is not None]
    if lines and len(lines) < len(nested):
        raise TypeError("rows and single values are mixed: expected rows of values")
    side = isqrt(len(nested)) if not lines else len(nested)
    height, width = options.size or (side, side)
    if not lines:
        lines = [list(given[start : start + width]) for start in range(0, len(given), width or 1)]
    elif options.size is None and options.shaped:
        width = len(lines[0])
    least = 1 if options.shaped else 4
    if not least <= min(height, width) <= max(height, width) <= MAX_VALUES or len(lines) != height:
        what = f"{len(given)} {'rows' if nested and nested[0] is not None else 'values'}"
        wanted = f"{height}x{width}" if options.size else f"N rows of N values, N from 4 to {MAX_VALUES}"
        raise PuzzleError(f"{what}: expected {wanted}")
    for number, line in enumerate(lines, 1):
        if len(line) != width:
            raise PuzzleError(f"row {number} has {len(line)} values: expected {width}")
    size = options.of(height, width)
    return size, [
        _value(entry, f"row {row}, column {column}", size)
        for row, line in enumerate(lines, 1)
        for column, entry in enumerate(line, 1)
    ]


def _row(row: Any) -> list[Any] | None:
    if isinstance(row, str):
        return list(row) if len(row) > 3 else None
    row = listed(row)
    return list(row) if isinstance(row, Iterable) and not isinstance(row, bytes | dict) else None


def _value(entry: Any, where: str, size: Size) -> int:
    values = size.digits
    if entry is None or (isinstance(entry, float) and entry != entry):
        return 0
    value = None
    if isinstance(entry, str):
        text = entry.strip()
        if text in EMPTY_VALUES and (text != "0" or 0 not in values):
            return 0
        value = int(text) if re.fullmatch(r"[0-9]{1,4}", text) else None
    elif isinstance(entry, bool) or not isinstance(entry, Real):
        raise TypeError(f"{where} is {_kind(entry)}: expected a number, or None where it is empty")
    elif isinstance(entry, Integral):
        value = int(entry)
    elif float(entry).is_integer():
        value = int(float(entry))
    if value == 0 and 0 not in values:
        return 0
    if value is None or value not in values:
        wanted = f"{values[0]} to {values[-1]}, or {'None' if 0 in values else '0'} where it is empty"
        raise PuzzleError(f"{where} is {excerpt(entry)}: expected {wanted}")
    return size.inner(value)


def _kind(thing: object) -> str:
    return article(type(thing).__name__)
