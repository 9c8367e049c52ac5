"""How much the constraints of one board may take while they are made, and what they share.

Equal marks make equal automata, and one relation holds between thousands of pairs of cells: what such constraints
accept is one object, which each of them names, so that a board of 256 values fits the memory.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from satdoku.cache import SizedCache
from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table, shift_values
from satdoku.errors import PuzzleError
from satdoku.limits import MAX_BOARD, MAX_ROWS, check_time

Row = TypeVar("Row", bound=tuple[int, ...])
Rows = TypeVar("Rows")
Language = tuple[frozenset[tuple[int, int, int]], frozenset[int]]
"""The transitions of an automaton, and its accepting states."""
Given = ParamSpec("Given")
MAX_KEPT = 25  # values up to which tables are kept from board to board
MAX_KEPT_ROWS = 10_000  # transitions up to which an automaton is kept from board to board
MAX_KEPT_TOTAL = 250_000  # transitions of all automata that are kept: some 40 MB
MAX_DEPTH = 3  # of functions that close over functions
OFTEN = 1024  # rows or constraints that are made between two looks at the clock


class Making:
    """What is known of a board whose constraints are being made.

    size: the tuples, transitions and cells of its constraints so far, what several share counted once
    """

    def __init__(self) -> None:
        self.size = self._constraints = 0
        self._counted: dict[int, frozenset[Any]] = {}  # by identity, which holds as long as the object is kept
        self._shifted: dict[tuple[int, int], frozenset[Any]] = {}
        self._made: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gives, made when the key comes for the first time; each time if the key cannot be hashed."""
        try:
            known = self._made.get(key)
        except TypeError:
            return make()
        if known is None:
            known = self._made[key] = make()
        return known

    def taken(self, constraints: Iterable[Constraint], least: int) -> Iterator[Constraint]:
        """Constraints over values from `least`, as they come, over values from 1; raises PuzzleError where the board
        becomes larger than MAX_BOARD, and TimeIsUp."""
        for constraint in constraints:
            self._count(constraint)
            yield constraint if least == 1 else self._moved(constraint, 1 - least)

    def _count(self, constraint: Constraint) -> None:
        self._constraints += 1
        if not self._constraints % OFTEN:
            check_time()
        self.size += len(constraint.cells)
        rows = _rows(constraint)
        if rows is not None and id(rows) not in self._counted:
            self._counted[id(rows)] = rows
            self.size += len(rows)
        refuse_large(self.size)

    def _moved(self, constraint: Constraint, by: int) -> Constraint:
        """As `shift_values`, and constraints that share their tuples or transitions do so afterwards."""
        rows = _rows(constraint)
        if rows is None:
            return shift_values(constraint, by)
        self._counted.setdefault(id(rows), rows)
        key = id(rows), by
        if key not in self._shifted:
            self._shifted[key] = _rows(shift_values(constraint, by)) or frozenset()
        match constraint:
            case Table(cells, _, name):
                return Table(cells, self._shifted[key], name)
            case Automaton(cells, _, start, accepting, name):
                return Automaton(cells, self._shifted[key], start, accepting, name)
        return constraint


def _rows(constraint: Constraint) -> frozenset[Any] | None:
    match constraint:
        case Table(tuples=rows) | Automaton(transitions=rows):
            return rows
        case AllDifferent() | Linear():
            return None


_making: ContextVar[Making | None] = ContextVar("making", default=None)


@contextmanager
def making(board: Making) -> Iterator[None]:
    """Let what is made meanwhile belong to this board."""
    if _making.get() is board:
        yield
        return
    token = _making.set(board)
    try:
        yield
    finally:
        _making.reset(token)


def once(key: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` gives, once for each key on the board that is being made."""
    board = _making.get()
    return make() if board is None else board.once(key, make)


def kept(make: Callable[Concatenate[range, Given], Rows]) -> Callable[Concatenate[range, Given], Rows]:
    """Let calls with equal arguments, of which the first is the values, give one set: for all boards of few values."""
    always = lru_cache(maxsize=512)(make)

    @wraps(make)
    def known(values: range, /, *given: Given.args, **named: Given.kwargs) -> Rows:
        if len(values) <= MAX_KEPT:
            return always(values, *given)
        rows: Rows = once((make, values, *given), lambda: make(values, *given, **named))
        return rows

    return known


_automata = SizedCache[Language](MAX_KEPT_TOTAL)


def automaton(values: range, key: Hashable, make: Callable[[], Language]) -> Language:
    """What `make` gives: once for each key on a board, and small ones of few values once for many boards.

    Parameters:
        values: those of the board.
        key: says with `values` all that `make` depends on.
        make: gives transitions and accepting states.
    """
    key = (values, key)
    try:
        known = _automata.get(key)
    except TypeError:  # it cannot be hashed
        return make()
    if known is not None:
        return known
    made: Language = once(key, make)
    if len(values) <= MAX_KEPT and len(made[0]) <= MAX_KEPT_ROWS:
        _automata.put(key, made, len(made[0]))
    return made


def collected(rows: Iterable[Row], name: str) -> frozenset[Row]:
    """Rows as a set; raises PuzzleError for more than MAX_ROWS, which it sees while they come, and TimeIsUp."""
    tuples: set[Row] = set()
    for number, row in enumerate(rows):
        if not number % OFTEN:
            check_time()
            refuse_many(len(tuples), name, "tuples")
        tuples.add(row)
    refuse_many(len(tuples), name, "tuples")
    return frozenset(tuples)


def refuse_large(size: int) -> None:
    """Raise PuzzleError for more tuples, transitions and cells of constraints than a board may have: where their
    number is known, before they are made."""
    if size > MAX_BOARD:
        raise PuzzleError(
            f"with what stands before it this comes to {size:,} tuples, transitions and cells of constraints:"
            f" expected at most {MAX_BOARD:,} on a board"
        )


def refuse_many(number: int, name: str, what: str) -> None:
    if number > MAX_ROWS:
        raise PuzzleError(
            f"{name}: {number:,} {what}, expected at most {MAX_ROWS:,}: take fewer cells or smaller values"
        )


def recipe(function: Any, depth: int = MAX_DEPTH) -> Hashable:
    """What a function does, as a key: its code and the values that it closes over. Functions that are made anew for
    each mark are different objects, and do the same if their keys are equal."""
    code = getattr(function, "__code__", None)
    if code is None or not depth:  # a function that closes over itself has no end
        return type(function), getattr(function, "__name__", ""), getattr(function, "__self__", function)
    inside = (cell.cell_contents for cell in function.__closure__ or ())
    closed = tuple(recipe(each, depth - 1) if callable(each) else _hashable(each) for each in inside)
    return code, getattr(function, "__self__", None), function.__defaults__, closed


def _hashable(value: Any) -> Any:
    """What a list, a set or a dictionary holds, as what can be hashed."""
    if isinstance(value, list):
        return list, tuple(map(_hashable, value))
    if isinstance(value, set):
        return set, frozenset(value)
    if isinstance(value, dict):
        return dict, frozenset((key, _hashable(each)) for key, each in value.items())
    return value
