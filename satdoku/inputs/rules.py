"""Rules that are added to each puzzle that is read: `--rule NAME`, and the marks of `--board FILE`."""

from collections.abc import Iterable
from dataclasses import replace

from satdoku.errors import InputError, PuzzleError, unknown
from satdoku.formats import Options, Reading
from satdoku.formats.cells import boxed_board
from satdoku.formats.marks import value_of
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
    """A puzzle of the board without givens."""
    return Puzzle(board, (board.every_value,) * board.cells)
