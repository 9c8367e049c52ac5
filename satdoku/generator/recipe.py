"""What is asked for, and what is known to be impossible before any search."""

import re
from collections.abc import Iterator
from dataclasses import KW_ONLY, dataclass
from itertools import chain, pairwise
from random import randrange

from satdoku.clue_symmetry import Symmetry
from satdoku.errors import FormatError, PuzzleError, Refused
from satdoku.puzzle import Board
from satdoku.setter.requirement import ANY, Requirement
from satdoku.variants.boxes import Box, box_of, classic, plain
from satdoku.words import plural

VERSION = 2  # of the way from a seed to puzzles; higher whenever a seed gives other puzzles than before
MIN_GIVENS = {4: 4, 9: 17}  # of plain boards; 17: McGuire et al., There is no 16-clue Sudoku, Exp. Mathematics, 2014


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyRecipe:
    """What every puzzle of a run has in common, with or without marks that are drawn at random."""

    givens: tuple[int, int] | None = None  # how many at least and at most; None for as few as the thinning comes to
    minimal: bool = False  # whether each given must be needed
    seed: int = 0  # with the number of a puzzle it decides that puzzle
    timeout: float = 60.0  # seconds of wall time for each puzzle; one that takes longer is not made
    requirement: Requirement = ANY  # what the techniques of each puzzle are to be
    rate: bool = False  # whether to find out the difficulty of each puzzle


@dataclass(frozen=True, slots=True)
class Recipe(AnyRecipe):
    """Puzzles of a board; raises Refused, with the reason, for what is known to be impossible."""

    board: Board
    _: KW_ONLY
    symmetry: Symmetry = Symmetry.NONE  # of the places of the givens
    pattern: tuple[int, ...] | None = None  # the cells that are given, where they are fixed

    def __post_init__(self) -> None:
        if self.board.layers:
            layer = self.board.layers[0]
            raise Refused(f"the answer has {layer!r} besides digits, and generate makes puzzles of digits alone")
        if self.requirement.rating is not None and self.board != classic(3, 3):
            raise Refused("rating: only puzzles of plain 9x9 boards have one")
        if self.board.cells != self.board.size.cells:
            raise Refused("the last row of the board is short, and generate makes puzzles of whole rows")
        self.symmetry.orbits(self.board.size)
        reason = next(self._reasons(), None)
        if reason:
            raise Refused(reason)

    def _reasons(self) -> Iterator[str]:
        board, asked = self.board, self.givens
        if self.pattern is not None:
            if self.symmetry is not Symmetry.NONE:
                yield "a pattern has its own symmetry: leave out the symmetry"
            if asked is not None and not asked[0] <= len(self.pattern) <= asked[1]:
                yield f"the pattern has {len(self.pattern)} places, and {_range(asked)} givens are asked for"
            asked = (len(self.pattern), len(self.pattern))
        if asked is None:
            return
        low, high = asked
        if low > high:
            yield f"{low}:{high} givens: expected the lower number first"
        if low > board.cells:
            yield f"{_range(asked)} givens: the board has {board.cells} cells"
        fewest, why = fewest_givens(board)
        if high < fewest:
            yield f"{_range(asked)} givens: {why}"
        if self.pattern is None and not any(low <= number <= high for number in self._sizes()):
            yield f"{_range(asked)} givens: with symmetry {self.symmetry.value} no such number of cells is given"
        if self.pattern is not None:
            yield from _interchangeable(board, frozenset(self.pattern))

    def _sizes(self) -> set[int]:
        sizes = {0}
        for orbit in self.symmetry.orbits(self.board.size):
            sizes |= {number + len(orbit) for number in sizes}
        return sizes


def fewest_givens(board: Board) -> tuple[int, str]:
    """A number of givens below which no puzzle of the board has one solution, and why."""
    size = board.values
    if board.others or not board.houses:
        return 0, "no bound is known"
    if plain(board) and str(box_of(board)) == str(Box.of_size(size)) and size in MIN_GIVENS:
        return MIN_GIVENS[size], f"no {size}x{size} puzzle with fewer than {MIN_GIVENS[size]} has one solution"
    return size - 1, f"with fewer than {size - 1}, two values are not given and can change places in any solution"


def _interchangeable(board: Board, pattern: frozenset[int]) -> Iterator[str]:
    box = box_of(board)
    if box is None or not plain(board):
        return
    places = [divmod(cell, board.values) for cell in pattern]
    for word, group, filled in (
        ("rows", box.rows, {row for row, _ in places}),
        ("columns", box.columns, {column for _, column in places}),
    ):
        for first, second in pairwise(line for line in range(board.values) if line not in filled):
            if first // group == second // group:
                yield f"{word} {first + 1} and {second + 1} have no clue, and can change places in any solution"


def _range(givens: tuple[int, int]) -> str:
    low, high = givens
    return str(low) if low == high else f"{low} to {high}"


def parse_range(text: str, what: str, example: str) -> tuple[int, int]:
    """`24:28` is 24 to 28, `25` is 25; raises PuzzleError for anything else.

    what, example: what it says, and how it may look, for the error
    """
    low, colon, high = text.partition(":")
    if not all(part.isascii() and part.isdigit() and len(part) < 7 for part in (low, high if colon else low)):
        raise PuzzleError(f"{what} {text}: expected a number, or LOW:HIGH such as {example}")
    return int(low), int(high if colon else low)


def parse_rating(text: str) -> tuple[float, float]:
    """`3.0:4.2` is 3.0 to 4.2, `2.6` is 2.6; raises PuzzleError for anything else."""
    low, colon, high = text.partition(":")
    ends = (low, high if colon else low)
    if not all(re.fullmatch(r"[0-9]{1,2}(\.[0-9])?", end) for end in ends):
        raise PuzzleError(f"rating {text}: expected a number with one decimal, or LOW:HIGH such as 3.0:4.2")
    return float(ends[0]), float(ends[1])


def seed(given: int | None) -> int:
    """The seed that was asked for, or a random one; raises PuzzleError for a negative one."""
    if given is not None and given < 0:
        raise PuzzleError(f"seed {given}: expected 0 or more")
    return randrange(10**9) if given is None else given


NOT_GIVEN = frozenset(".0-_")  # cells without a clue; with the value 0, "0" is one

DRAWING = frozenset("|+-=")


def places(text: str, board: Board) -> tuple[int, ...]:
    """The cells that hold clues: of N rows of N characters, or of N fields between blanks; or of one line of all cells.

    Bars, and lines of `-=+|` and blanks, are drawing. Raises FormatError if this is not a pattern of the board.
    """
    size, height, rows = board.columns, board.size.rows, []
    empty = NOT_GIVEN - {"0"} if board.first_value == 0 else NOT_GIVEN
    lines = text.removeprefix("\ufeff").splitlines()
    whole = next((line.strip() for line in lines if line.strip()), "")
    every = whole.split(",") if "," in whole else list(whole)
    if len(every) == board.cells and sum(map(bool, map(str.strip, lines))) == 1:
        return tuple(cell for cell, field in enumerate(every) if field and field not in empty)
    for number, line in enumerate(lines, 1):
        fields = line.replace("|", " ").split()
        cells = fields if len(fields) == size else list("".join(fields))
        if len(cells) == size and "+" not in cells:
            rows.append(cells)
        elif cells and not DRAWING.issuperset(line.replace(" ", "")):
            fault = f"row {len(rows) + 1} of the pattern has {plural(len(cells), 'cell')}"
            raise FormatError(f"{fault}, expected {size}", number)
    if len(rows) != height:
        raise FormatError(f"{len(rows)} rows in the pattern, expected {height} of {size} cells, such as X..X.X..X")
    return tuple(cell for cell, field in enumerate(chain.from_iterable(rows)) if field not in empty)
