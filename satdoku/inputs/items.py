"""What a run asks about: single items, and chunks of them that go to workers together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import overload

from satdoku.errors import FormatError, InputError, PuzzleError, TooSlow, near_names, placed_in, unknown
from satdoku.formats import Options, Reading, detect, stated_faults
from satdoku.formats.cells import boxed_board, is_content
from satdoku.formats.line import grid_of
from satdoku.formats.marks import value_of
from satdoku.inputs.streams import undecodable
from satdoku.limits import MAX_PUZZLE, TimeIsUp, bounded_time
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.system.files import printable_name
from satdoku.variants import REGIONS, Shape, build, kinds, named

STANDARD_INPUT = "-"
PUZZLE, SOLUTION = "puzzle", "solution"  # the columns of tables that hold a puzzle as text, and its solution
PLACE = re.compile(r"(.+):([1-9]\d*)|(argument|puzzle) ([1-9]\d*)", re.DOTALL)


def place(name: str) -> dict[str, object]:
    """Where a puzzle stands, as the columns `source` and `line` of every record, from its name: `set.txt:3` or
    `argument 2`; the line is None where the name has no number."""
    match = PLACE.fullmatch(name)
    if match is None:
        return {"source": name, "line": None}
    return {"source": match[1] or match[3], "line": int(match[2] or match[4])}


def name_of(source: str, line: int | None) -> str:
    """The name of the puzzle of a place, as messages have it."""
    return source if line is None else f"{source}{' ' if source in ('argument', 'puzzle') else ':'}{line}"


Read = tuple[str, Mapping[str, str] | None]  # the text of a puzzle, and the columns beside it, where these are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One thing that is asked about.

    puzzle:   the puzzle, or the error that stands in its place; None where only `number` counts (generate)
    """

    number: int  # its place in its file, or in the run where it comes from no file
    name: str  # FILE:LINE, or "puzzle 17"
    puzzle: Puzzle | InputError | None = None
    format: str | None = None  # the format it was read as
    text: str = ""  # what was read, without the end of its line
    notes: tuple[str, ...] = ()  # what the reader left out, for people
    expected: str | None = None  # the solution that a table states beside it, where one was asked for
    row: Mapping[str, str] | None = None  # the other columns of its table, where these are kept
    seconds: float = 0.0  # how long it took to read it

    @property
    def place(self) -> dict[str, object]:
        return place(self.name)

    @property
    def read(self) -> Read:
        return self.text, self.row


class Lines(Sequence[bytes]):
    """Lines of a text that are split only where they are looked at, which is in the workers."""

    def __init__(self, text: bytes, count: int) -> None:
        """text: the lines, with a line feed between each two; count: how many these are."""
        self.text = text
        self._count = count
        self._split: list[bytes] | None = None

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        return self._all()[index]

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._all())

    def __reduce__(self) -> tuple[type[Lines], tuple[bytes, int]]:
        return Lines, (self.text, self._count)

    def _all(self) -> list[bytes]:
        if self._split is None:
            self._split = self.text.split(b"\n")
        return self._split


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Lines that hold a puzzle each, blanks and comments among them, not yet read."""

    name: str  # the file, as named
    numbers: Sequence[int]  # of each line
    lines: Sequence[bytes]  # as bytes, without their ends
    expected: Sequence[str | None] | None = None  # the solution that stands beside each, where one was asked for
    stated: bool = False  # whether these are the puzzles' own, which readers of such puzzles keep
    share: float | None = None  # how much of all input lies behind its end, 0 to 1; None if unknown
    table: bool = False  # whether these are rows of a table, where a blank is an error
    rows: Sequence[Mapping[str, str]] | None = None  # the other columns of each row, where these are kept

    @property
    def header(self) -> tuple[str, ...]:
        return tuple(self.rows[0]) if self.rows else ()

    def __len__(self) -> int:
        return len(self.lines)

    def part(self, start: int, end: int) -> Block:
        if start == 0 and end >= len(self):
            return self
        expected = None if self.expected is None else self.expected[start:end]
        rows = None if self.rows is None else self.rows[start:end]
        lines = self.lines[start:end]
        return replace(self, numbers=self.numbers[start:end], lines=lines, expected=expected, rows=rows)

    def digest(self) -> bytes:
        """What its answers depend on: the lines, with a line feed between each two."""
        return self.lines.text if isinstance(self.lines, Lines) else b"\n".join(self.lines)

    def names(self, index: Sequence[int]) -> list[str]:
        numbers = self.numbers if len(index) == len(self) else [self.numbers[line] for line in index]
        return [f"{printable_name(self.name)}:{number}" for number in numbers]

    def places(self, index: Sequence[int]) -> Iterator[dict[str, object]]:
        """Where the puzzles of some lines stand, as `place` says it."""
        return ({"source": self.name, "line": self.numbers[line]} for line in index)

    def read(self, index: int) -> Read:
        return self.lines[index].decode().rstrip("\r\n"), self.rows[index] if self.rows else None

    def item(self, index: int, options: Options) -> Item | None:
        number = self.numbers[index]
        item = line_item(self.lines[index], self.name, number, options, self.table)
        if item is None or (self.expected is None and self.rows is None):
            return item
        row, expected = self.rows[index] if self.rows else None, self.expected[index] if self.expected else None
        if self.stated:
            item = with_solution(item, expected or "")
        return replace(item, expected=expected, row=row)


def encoded(lines: Iterable[str]) -> list[bytes]:
    """The lines of a Block, whatever characters they have: halves of surrogate pairs are left to the reader."""
    return [line.encode("utf-8", "surrogatepass") for line in lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """Items that are answered together. `share` is as in `Block`."""

    items: tuple[Item, ...]
    share: float | None = None

    def __len__(self) -> int:
        return len(self.items)

    def part(self, start: int, end: int) -> Batch:
        return self if start == 0 and end >= len(self) else replace(self, items=self.items[start:end])

    def digest(self) -> bytes:
        return "\n".join(item.text or item.name for item in self.items).encode("utf-8", "replace")


Chunk = Block | Batch  # what is handed to a worker at once


def alone(item: Item) -> Batch:
    return Batch(items=(item,))


def items_of(chunks: Iterator[Chunk], options: Options) -> Iterator[Item]:
    for chunk in chunks:
        if isinstance(chunk, Batch):
            yield from chunk.items
        else:
            yield from filter(None, (chunk.item(index, options) for index in range(len(chunk))))


def spanned(chunks: Iterator[Chunk], skip: int, most: int | None) -> Iterator[Chunk]:
    if not skip and most is None:
        yield from chunks
        return
    for chunk in chunks:
        table = isinstance(chunk, Block) and chunk.table
        lines = range(len(chunk)) if not isinstance(chunk, Block) or table else content_lines(chunk)
        if skip >= len(lines):
            skip -= len(lines)
            continue
        kept = lines[skip:] if most is None else lines[skip : skip + most]
        skip = 0
        yield chunk.part(kept[0], kept[-1] + 1)
        if most is not None:
            most -= len(kept)
            if not most:
                return


def content_lines(block: Block) -> list[int]:
    """Which lines of a block are neither blank nor comments."""
    lines = (line.lstrip(b" \t\xef\xbb\xbf") for line in block.lines)
    return [index for index, line in enumerate(lines) if line.strip() and not line.startswith(b"#")]


def rule_marks(names: Iterable[str]) -> tuple[Mark, ...]:
    """The marks of rules of the whole board, such as `anti-knight` or `taxicab 4`. Raises InputError for a name that is
    not such a rule."""
    marks = []
    for text in names:
        name, _, value = text.strip().partition(" ")
        kind = named().get(name) or (named() if name in kinds().all() else {}).get(name)
        if kind is None:
            rules = sorted(filter(_is_rule, named()))
            known = rules if near_names(name, rules) else named()  # marks that need cells, too
            raise unknown("rule", name, known, "satdoku variants")
        if not _is_rule(name):
            raise InputError(f"rule {name!r} needs cells: draw it in a TOML file, see docs/variants.md")
        marks.append(Mark(kind.name, value=value_of(kind, value.strip() or None, f"rule {name}")))
    return tuple(dict.fromkeys(marks))


def _is_rule(name: str) -> bool:
    kind = named()[name]
    return kind.shape is Shape.RULE and kind.name not in REGIONS


def with_rules(reading: Reading, options: Options) -> Reading:
    """The reading with the rules and the marks of the board that `options` add. Raises PuzzleError if the board of
    `options` has another size, or does not allow a given."""
    if not options.rules and options.board is None:
        return reading
    puzzle = reading.puzzle
    return replace(reading, puzzle=replace(puzzle, board=board_with(puzzle.board, options)))


def board_with(board: Board, options: Options) -> Board:
    marks: tuple[Mark, ...] = board.marks
    if options.board is not None:
        if options.board.size != board.size:
            raise PuzzleError(f"a puzzle of {board.size}, but the board is {options.board.size}")
        marks = (*options.board.marks, *(mark for mark in marks if mark.kind not in REGIONS))
    return build(board.size, tuple(dict.fromkeys((*marks, *options.rules))))


def board_of(options: Options) -> Board:
    """The board that options name without a puzzle: 9x9 if they name neither size nor box."""
    side = options.box.size if options.box else 9
    return board_with(boxed_board(options.of(*(options.size or (side, side))), options), options)


def empty_puzzle(board: Board) -> Puzzle:
    return Puzzle(board, (board.every_value,) * board.cells)


def source_name(file: str) -> str:
    return "standard input" if file == STANDARD_INPUT else printable_name(file)


def line_item(raw: bytes, file: str, number: int, options: Options, table: bool = False) -> Item | None:
    name, place = f"{printable_name(file)}:{number}", f"{source_name(file)}, line {number}"
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
    # A puzzle of several lines, as a field of a table may hold it, may begin with a comment.
    if not (any(map(is_content, line.splitlines())) if table else is_content(line)):
        return Item(number=number, name=name, puzzle=InputError(f"{place}: no puzzle in this row")) if table else None
    return text_item(line, name, source_name(file), number, options, one_line="\n" not in line)


def with_solution(item: Item, text: str) -> Item:
    """The item with the solution that stands beside its puzzle, and a note where it is not one of its board."""
    puzzle = item.puzzle
    if not isinstance(puzzle, Puzzle) or puzzle.solution is not None or puzzle.board.layers or not text.strip():
        return item
    grid = grid_of(puzzle.board, text)
    if grid is None:
        note = f"not read: {text.strip()[:60]!r} in the column {SOLUTION}, expected a full grid of its board"
        return replace(item, notes=(*item.notes, note))
    solved = replace(puzzle, solution=grid)
    return replace(item, puzzle=solved, notes=(*item.notes, *stated_faults(solved)))


def text_item(text: str, name: str, source: str, line: int, options: Options, one_line: bool = False) -> Item:
    result: Reading | InputError
    started = monotonic()
    try:
        with bounded_time(options.timeout):
            result = with_rules(detect(text, options, one_line), options)
    except FormatError as error:
        result = error.at(source, text, line)
    except InputError as error:
        result = InputError(f"{placed_in(source, text, line)}: {error}")
    except TimeIsUp:
        result = TooSlow(options.timeout)
    if isinstance(result, InputError):
        result.__context__ = None  # its traceback would keep the text
        return Item(number=line, name=name, puzzle=result, text=text)
    puzzle = replace(result.puzzle, name=name)
    return Item(
        number=line,
        name=name,
        puzzle=puzzle,
        format=result.format,
        text=text,
        notes=result.notes,
        seconds=monotonic() - started,
    )
