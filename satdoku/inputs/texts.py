"""Texts to items: one line of a file, or a text that is one puzzle."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache

from satdoku.errors import FormatError, InputError, PuzzleError, unknown
from satdoku.formats import Format, Options, Reading, detect, formats
from satdoku.formats.cells import boxed_board, is_content
from satdoku.formats.marks import value_of
from satdoku.inputs.items import STANDARD_INPUT, Item
from satdoku.limits import MAX_PUZZLE
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.variants import REGIONS, Shape, build, named


def rule_marks(names: Iterable[str]) -> tuple[Mark, ...]:
    """The marks of rules of the whole board, such as `anti-knight` or `taxicab 4`. Raises InputError for a name that is
    not such a rule."""
    known = {name: kind for name, kind in named().items() if kind.shape is Shape.RULE and kind.name not in REGIONS}
    marks = []
    for text in names:
        name, _, value = text.strip().partition(" ")
        if name in named() and name not in known:
            raise InputError(f"rule {name!r} needs cells: draw it in a TOML file, see docs/variants.md")
        if name not in known:
            raise unknown("rule", name, sorted(known), "satdoku check --help")
        marks.append(Mark(known[name].name, value=value_of(known[name], value.strip() or None, f"rule {name}")))
    return tuple(dict.fromkeys(marks))


def with_rules(reading: Reading, options: Options) -> Reading:
    """The reading with the rules and the marks of the board that `options` add. Raises PuzzleError if the board of
    `options` has another size, or does not allow a given."""
    if not options.rules and options.board is None:
        return reading
    puzzle = reading.puzzle
    return replace(reading, puzzle=replace(puzzle, board=board_with(puzzle.board, options)))


def board_with(board: Board, options: Options) -> Board:
    """A board with what `options` add; those of `options.board` replace its regions."""
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


def shown(file: str) -> str:
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
    return f"byte 0x{error.object[error.start]:02x} is not UTF-8 text, expected puzzles"


@cache
def _of_one_line() -> tuple[Format, ...]:
    return tuple(known for known in formats().values() if known.one_line)
