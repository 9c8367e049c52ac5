"""Boards to clauses: an encoding says how `cell = value` is written; a reduced one leaves out what givens decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeAlias

from satdoku.constraints import Automaton, Grid
from satdoku.deferred import Deferred
from satdoku.discovery import NamedTable, offered
from satdoku.encoders import at_most_one
from satdoku.encoders.at_most_one import METHODS, Method
from satdoku.encoders.clauses import Clauses, Literals, contradiction
from satdoku.encoders.constraints import cells_of, write
from satdoku.encoders.encodings.conjunctions import Conjunctions
from satdoku.encoders.houses import Known, by_count, cells_by_width, known, nothing_known
from satdoku.errors import InputError, Refused, unknown
from satdoku.puzzle import Board, Puzzle, members, only

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
else:
    np = Deferred("numpy")

Truth: TypeAlias = (
    "NDArray[np.int8]"  # for each variable by its number: 1 if it is true, -1 if it is false, 0 if that is open
)


def reduce(board: Board, clauses: Clauses, codes: Literals, units: Sequence[int]) -> tuple[Clauses, Conjunctions]:
    """The clauses and variables left once the units hold; codes: (cells, values, width) literals, filled up with 0."""
    parts = list(clauses.arrays())
    truth, consistent = _propagate(parts, clauses.variables, units)
    left = [rows for part in parts for rows in by_count(_open_part(part, truth))] if consistent else []
    number = np.zeros(len(truth), dtype=np.int32)
    open_codes = np.where(_of(truth, codes) == 0, codes, 0)
    for literals in (open_codes, *left):
        number[np.abs(literals)] = 1
    number[0] = 0
    reduced = Clauses(int(number.sum()))
    number[number == 1] = np.arange(1, reduced.variables + 1)
    for rows in left:
        reduced.extend(_renumbered(rows, number))
    if not consistent:
        contradiction(reduced)
    possible: NDArray[np.bool_] = np.all(_of(truth, codes) >= 0, axis=2)
    return reduced, Conjunctions(board, reduced, _renumbered(open_codes, number), possible)


def _propagate(parts: Iterable[Literals], variables: int, units: Sequence[int]) -> tuple[Truth, bool]:
    truth = np.zeros(variables + 1, dtype=np.int8)
    fresh = np.unique(np.array(units, dtype=np.int32))
    while len(fresh):
        if len(np.unique(np.abs(fresh))) < len(fresh) or (_of(truth, fresh) < 0).any():
            return truth, False
        truth[np.abs(fresh)] = np.sign(fresh)
        implied = [np.zeros(0, dtype=np.int32)]
        for part in parts:
            held = _of(truth, part)
            last = (held < 1).all(axis=1) & ((held == 0).sum(axis=1) < 2)
            if (held[last] < 0).all(axis=1).any():
                return truth, False
            implied.append(part[last][held[last] == 0])
        fresh = np.unique(np.concatenate(implied))
    return truth, True


def _of(truth: Truth, literals: Literals) -> Truth:
    held: Truth = truth[np.abs(literals)] * np.sign(literals).astype(np.int8)
    return held


def _open_part(part: Literals, truth: Truth) -> Literals:
    held = _of(truth, part)
    rows = (held < 1).all(axis=1)
    return np.where(held[rows] == 0, part[rows], 0)


def _renumbered(literals: Literals, number: Literals) -> Literals:
    new: Literals = np.sign(literals) * number[np.abs(literals)]
    return new


DEFAULT = "extended"
PAIRWISE = "pairwise"
REDUCED = "reduced"


class Variables(Protocol):
    """How one board's cells and values are written as literals; what an encoding's `write` returns.

    Cells are numbered from 0, row by row, auxiliary ones behind those of the grid; values are from 1.
    """

    def literals(self, cell: int, value: int) -> tuple[int, ...]:
        """The literals that together say cell = value: all are true if it is so, and one is false if not.

        Returns:
            The literals, over variables of the cells alone; none if it is decided that the cell has the value.
        """

    def values(self, cell: int) -> Sequence[int]:
        """The values that are not known to be impossible in a cell, rising."""

    def equals(self, cell: int, value: int) -> int:
        """One literal that says cell = value.

        Returns:
            The literal. Where the encoding has none, a variable is added that is equal to the literals of the value;
            the next call returns the same.
        """

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        """The grid that a model says.

        Parameters:
            model: a literal for each variable, true in it, in any order.

        Returns:
            The value of each cell of the grid, and the literals that say it.

        Raises:
            BackendError: a cell has no value, or several.
        """


@dataclass(frozen=True, slots=True)
class EncodingTask:
    """What an encoding is asked to write, where `known` leaves it open: the grid cells and their AllDifferents."""

    board: Board
    clauses: Clauses  # which it adds to
    at_most_one: at_most_one.Write  # (clauses, literals of shape (groups, members)); for encodings with `methods`
    known: Known  # what the givens decide, for encodings that are `reducible`; nothing for others


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """A named way to write a board as clauses.

    `write` returns how cells are written; Linear, Table and Automaton follow from that.
    `satdoku.testing.check_encoding` tests one; docs/tutorials/extending.md shows a whole one.

    Example:
        >>> from satdoku.encoders.cnf import encodings
        >>> minimal = encodings()["minimal"]
        >>> minimal.formula, minimal.size(3, 3)
        ('N^3, N^2(1+3P)', (729, 8829))
    """

    name: str
    summary: str
    paper: str  # where the encoding comes from
    formula: str  # its variables and clauses for N x N with boxes of bh x bw, P = N(N-1)/2, for people
    size: Callable[[int, int], tuple[int, int]]  # the same as a function of bh, bw
    write: Callable[[EncodingTask], Variables]  # adds to the clauses everything that cells and AllDifferents say
    methods: bool = False  # whether its at-most-one part may be written by another method than pairwise
    reducible: bool = False  # whether it leaves out what givens decide; others are written whole and then reduced


@dataclass(frozen=True, slots=True)
class Spec:
    """An encoding as people name it: `extended`, `extended+product`, `minimal+reduced`."""

    encoding: Encoding
    method: Method
    reduced: bool

    @property
    def name(self) -> str:
        """What `find` takes for it."""
        method = "" if self.method.name == PAIRWISE else f"+{self.method.name}"
        return self.encoding.name + method + (f"+{REDUCED}" if self.reduced else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cnf:
    """A board as clauses: satisfied exactly by its grids; if `reduced`, by those of one puzzle.

    Example:
        >>> import satdoku
        >>> from satdoku.encoders.cnf import encode
        >>> puzzle = satdoku.read("13....3131...213")
        >>> cnf = encode(puzzle.board, "minimal")
        >>> units, clauses = cnf.restrict(puzzle)
        >>> len(cnf.clauses), len(units), len(clauses)
        (304, 9, 0)
    """

    board: Board
    encoding: str
    clauses: Clauses
    variables: Variables
    reduced: bool = False

    def restrict(self, puzzle: Puzzle) -> tuple[list[int], list[list[int]]]:
        """What the candidates of a puzzle add to the clauses of its board.

        Parameters:
            puzzle: one of the same board; if the clauses are `reduced`, the one that they are of.

        Returns:
            Literals that are true, for instance assumptions of a solver, and further clauses; nothing if `reduced`.
        """
        units: list[int] = []
        clauses: list[list[int]] = []
        if self.reduced:
            return units, clauses
        every = self.board.every_value
        literals = self.variables.literals
        for cell, allowed in enumerate(puzzle.candidates):
            if allowed == every:
                continue
            given = only(allowed)
            if given:
                units += literals(cell, given)
                continue
            for removed in members(every & ~allowed):
                clause = [-literal for literal in literals(cell, removed)]
                if len(clause) == 1:
                    units += clause
                else:
                    clauses.append(clause)
        return units, clauses

    def block(self, grid: Grid) -> list[int]:
        """The clause that excludes one grid.

        Parameters:
            grid: the value of each cell, from 1; as long as the board has cells.
        """
        return [-literal for cell, value in enumerate(grid) for literal in self.variables.literals(cell, value)]

    def read(self, model: Iterable[int]) -> tuple[Grid, list[int]]:
        """The grid that a model says, and the literals that say it; as `Variables.read`."""
        return self.variables.read(model)


@cache
def encodings() -> NamedTable[Encoding]:
    """Every encoding by its name; those of installed packages once they are looked up."""
    own = offered("satdoku.encoders.encodings", "ENCODINGS", Encoding)
    return NamedTable("encoding", Encoding, own, "satdoku.encodings", "satdoku encodings")


def find(name: str | Encoding) -> Spec:
    """The encoding of `NAME[+METHOD][+reduced]`, or the plain form of one that is given itself.

    Raises InputError with the near names, Refused for a form that the encoding does not have.
    """
    parts = name.split("+") if isinstance(name, str) else []
    encoding = encodings().find(parts.pop(0) if isinstance(name, str) else name)
    method, reduced = METHODS[PAIRWISE], False
    for part in parts:
        if part == REDUCED:
            reduced = True
        elif part in METHODS:
            method = METHODS[part]
        else:
            raise unknown("at-most-one method", part, [*METHODS, REDUCED], "satdoku encodings")
    if len(parts) > (method.name != PAIRWISE or PAIRWISE in parts) + reduced:
        raise InputError(f"encoding {name}: expected NAME[+METHOD][+{REDUCED}]")
    if method.name != PAIRWISE and not encoding.methods:
        raise Refused(f"encoding {encoding.name} takes no at-most-one method; leave out +{method.name}")
    return Spec(encoding, method, reduced)


def at_most_one_size(board: Board, spec: Spec) -> int:
    """Clauses that at-most-one takes over cells and AllDifferents: nearly all of a plain board's."""
    groups = Counter(len(constraint.cells) for constraint in board.all_different)
    houses = sum(count * spec.method.size(width)[1] for width, count in groups.items())
    return board.values * houses + board.cells * spec.method.size(board.values)[1]


def reduced_size(puzzle: Puzzle) -> int:
    """Clauses that pairwise at-most-one takes over AllDifferents once the givens have decided what they can."""
    open_values = known(puzzle).open
    total = 0
    for cells in cells_by_width(puzzle.board).values():
        left = open_values[np.array(cells, dtype=np.intp)].sum(axis=1, dtype=np.int64)
        total += int((left * (left - 1) // 2).sum())
    return total


def automaton_size(board: Board) -> dict[str, int]:
    """For each Automaton by name, its transitions at each of its cells: more than its clauses."""
    return {
        constraint.name: len(constraint.transitions) * len(constraint.cells)
        for constraint in board.others
        if isinstance(constraint, Automaton)
    }


def encode(board: Board, encoding: str | Encoding | Spec = DEFAULT, puzzle: Puzzle | None = None) -> Cnf:
    """Write a board as clauses; a reduced encoding needs the `puzzle`. Raises InputError for an unknown name."""
    spec = encoding if isinstance(encoding, Spec) else find(encoding)
    if spec.reduced and puzzle is None:
        raise InputError(f"encoding {spec.name} is of one puzzle, and none was given")
    own = spec.reduced and spec.encoding.reducible
    clauses = Clauses()
    facts = known(puzzle) if own and puzzle is not None else nothing_known(board)
    variables = spec.encoding.write(EncodingTask(board, clauses, spec.method.write, facts))
    cells = cells_of(board, clauses, variables.equals, board.all_different)
    for constraint in board.others:  # the encoding has written the AllDifferents
        write(clauses, constraint, cells)
    cnf = Cnf(board=board, encoding=spec.name, clauses=clauses, variables=variables, reduced=own)
    return _reduced(cnf, puzzle) if spec.reduced and not own and puzzle is not None else cnf


def _reduced(cnf: Cnf, puzzle: Puzzle) -> Cnf:
    board = cnf.board
    units, clauses = cnf.restrict(puzzle)
    for clause in clauses:
        cnf.clauses.add(*clause)
    codes = [[cnf.variables.literals(cell, v) for v in range(1, board.values + 1)] for cell in range(board.cells)]
    width = max(len(code) for row in codes for code in row)
    filled = [[(*code, *(0,) * (width - len(code))) for code in row] for row in codes]
    left, variables = reduce(board, cnf.clauses, np.array(filled, dtype=np.int32), units)
    return replace(cnf, clauses=left, variables=variables, reduced=True)
