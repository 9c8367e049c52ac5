"""Engines that search for grids. Each file in this folder offers `ENGINES`; this is their one table."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import KW_ONLY, dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable
from weakref import WeakSet

from satdoku.backends.drain import Drain as Drain
from satdoku.constraints import Grid
from satdoku.discovery import NamedTable, loaded, offered
from satdoku.errors import InputError, Refused
from satdoku.puzzle import Board, Puzzle, other_constraint

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.encoders.cnf import Encoding
    from satdoku.proofs.drup import Numbers
    from satdoku.proofs.formula import Formula
    from satdoku.system.clock import Deadline

DEFAULT = "auto"


class Ending(Enum):
    """Why a search stopped; `code` stands for it in the columns of `BulkResults`."""

    code: int

    EXHAUSTED = "exhausted", 0
    LIMIT = "limit", 1
    TIMEOUT = "timeout", 2
    INTERRUPTED = "interrupted", 3

    def __new__(cls, word: str, code: int) -> Ending:
        ending = object.__new__(cls)
        ending._value_, ending.code = word, code
        return ending


@dataclass(frozen=True, slots=True)
class Budget:
    """How far a search may go.

    limit:   stop after so many grids; 2 decides uniqueness, None finds all
    timeout: seconds of wall time for one puzzle, encoding included; loading a shared board counts for none
    seed:    for engines that take one; refused by the others
    work:    nodes, or conflicts of a SAT solver, after which it ends as at a timeout
    """

    limit: int | None = 2
    timeout: float | None = None
    seed: int | None = None
    work: int | None = None


Search = Generator[Grid, None, Ending]  # yields distinct grids, returns why it stopped; LIMIT at once after the last


@runtime_checkable
class Backend(Protocol):
    """An engine, which keeps the last board loaded. Its searches may take turns, on whatever boards."""

    def refuses(self, board: Board) -> str | None:
        """Why this engine cannot take the board, for people; None if it can.

        Parameters:
            board: any board, loaded or not.

        Example:
            >>> from satdoku import classic
            >>> find("backtrack").refuses(classic(3, 3)) is None
            True
        """

    def load(self, board: Board) -> None:
        """Prepare a board; its puzzles then cost only their givens.

        Parameters:
            board: one that `refuses` takes. What was prepared for another one may be dropped.
        """

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        """The grids of a puzzle.

        Parameters:
            puzzle: on a board that `refuses` takes; it is loaded if it is not there yet.
            budget: how far to go.

        Returns:
            A generator of distinct grids, a value from 1 for each cell of the board; what it returns is why it stopped.

        Raises:
            Refused: the puzzle is too large, or nothing for this engine, which could not be seen by its board.
            BackendError: the engine fails, or cannot run here.

        Example:
            >>> from satdoku import read
            >>> drain = Drain(find("backtrack").search(read("13....3131...213"), Budget(limit=None)))
            >>> len(list(drain)), drain.result.value
            (2, 'exhausted')
        """

    def close(self) -> None:
        """End all searches and give back what the engine holds; a closed backend is not used again."""


class BaseBackend:
    """A backend that keeps account of its searches as long as somebody holds them, so that all end with it."""

    def __init__(self) -> None:
        self._searches: WeakSet[Search] = WeakSet()
        self._statistics: dict[str, int] = {}

    def search(self, puzzle: Puzzle, budget: Budget) -> Search:
        """As `Backend.search`, by `_run`, which a subclass gives."""
        search = self._run(puzzle, budget)
        self._searches.add(search)
        return search

    def statistics(self) -> dict[str, int]:
        """As `Statistics.statistics`: what a subclass has in `_statistics`."""
        return self._statistics

    def close(self) -> None:
        """As `Backend.close`: a subclass that holds more gives that back too."""
        for search in list(self._searches):
            search.close()

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class BulkResults:
    """What searches of many puzzles showed, one row a puzzle, as arrays.

    counts:  (n,) grids found, at most those the budget asks for
    endings: (n,) why each search stopped, as a key of `ENDINGS`
    grids:   (n, 2, cells) the first two grids, 0 where there is none
    """

    counts: NDArray[np.int64]
    endings: NDArray[np.uint8]
    grids: NDArray[np.uint16]

    @classmethod
    def of(cls, puzzles: int, board: Board) -> BulkResults:
        """A row for each of so many puzzles of a board, PASSED until one of them is searched."""
        import numpy as np

        grids = np.zeros((puzzles, 2, board.cells), np.uint16)
        return cls(np.zeros(puzzles, np.int64), np.full(puzzles, PASSED, np.uint8), grids)

    def record(self, row: int, search: Search) -> None:
        """Run the search of a row to its end."""
        drain = Drain(search)
        count = 0
        for count, grid in enumerate(drain, 1):
            if count <= 2:
                self.grids[row, count - 1] = grid
        self.counts[row] = count
        self.endings[row] = drain.result.code


ENDINGS = {ending.code: ending for ending in Ending}
PASSED = 255  # the code in `BulkResults` of a puzzle that the engine passed on, to be searched by itself


@runtime_checkable
class Bulk(Protocol):
    """A backend that takes many puzzles of one board in one call."""

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> BulkResults:
        """Search many puzzles; the grids are not refereed.

        Parameters:
            board: the board of all of them, which has been loaded.
            givens: values, shape (n, cells), 0 where none is given. They may clash; the puzzle is then unsolvable.
            budget: how far to go in each of them.

        Returns:
            A row for each puzzle.
        """


@runtime_checkable
class Counting(Protocol):
    """A backend that cannot find a grid twice, and so counts without handing each over."""

    def can_count(self, board: Board) -> bool:
        """Whether it can do so on this board."""

    def count_solutions(
        self, puzzle: Puzzle, budget: Budget, seen: Callable[[int], None] | None = None
    ) -> tuple[int, Ending, tuple[Grid, ...]]:
        """Count grids without handing them over.

        Parameters:
            puzzle: on a board that `can_count` takes.
            budget: how far to go.
            seen: is given the number so far, some times a second.

        Returns:
            How many grids were found, why the search stopped, and the first two of them, not refereed.
        """


@runtime_checkable
class Statistics(Protocol):
    """A backend, or a SAT solver in one, that counts its work."""

    def statistics(self) -> dict[str, int]:
        """Figures such as conflicts, decisions, propagations, nodes.

        Of a backend those of the last search alone, none where it ran none, read after it has ended; of a SAT solver
        those since it was opened.
        """


@runtime_checkable
class Choosing(Protocol):
    """A backend that hands its searches to others.

    chosen: the name of the one that took the last search
    tried:  the names of those that were asked before, without an answer
    """

    chosen: str
    tried: tuple[str, ...]


class Prover(Protocol):
    """What writes down why a formula has no solution. Nobody trusts it: each proof is checked.

    name: the backend that wrote the last proof
    """

    name: str

    def refute(
        self, formula: Formula, grid: Grid | None, deadline: Deadline, work: int | None = None
    ) -> Numbers | None:
        """A DRUP proof; None if the deadline came first. `grid` is the only one, which the formula forbids, if any.

        work: after which it gives up, in what the prover counts; one that counts nothing has no bound

        Raises BackendError if the formula has a solution.
        """


@dataclass(frozen=True, slots=True)
class Engine:
    """A row of the table of backends. `satdoku.testing.check_backend` tests one.

    Example:
        >>> from satdoku.backends import engines
        >>> engines()["backtrack"].absent() is None
        True
    """

    name: str
    summary: str
    open: Callable[[str | None, Any], Backend]  # by argument and name of an encoding or Encoding; imports the solver
    _: KW_ONLY
    requires: tuple[str, ...] = ()  # the import names that it needs
    extra: str | None = None  # the extra that installs them; None if they come with satdoku
    encodes: bool = False  # whether it takes an encoding
    argument: str | None = None  # what `NAME:ARGUMENT` may hold, for people; None if it takes none
    seeded: bool = False  # whether it honours Budget.seed
    abilities: tuple[str, ...] = ()
    missing: Callable[[], str | None] | None = None  # why it cannot run although its packages are there
    forms: Callable[[], tuple[str, ...]] | None = None  # each `NAME:ARGUMENT` here, where the name is too little
    searches: bool = True  # whether it goes on to an answer, given the time; else it refuses what it does not decide
    all_different_only: bool = False  # whether it takes no other constraint
    prover: Callable[[str | None], Prover] | None = None  # by argument; None if it writes no complete proofs

    def absent(self) -> str | None:
        """Why this backend is unavailable; None if it is available."""
        return self.lacking() or (self.missing() if self.missing else None)

    def require(self) -> None:
        """Raise InputError if it is unavailable."""
        if reason := self.absent():
            raise InputError(f"backend {self.name}: {reason}")

    def lacking(self) -> str | None:
        """The package that it needs and that is not installed, in a sentence; imports none."""
        for package in self.requires:
            if find_spec(package) is None:
                install = f": pip install 'satdoku[{self.extra}]'" if self.extra else ", which is not installed"
                return f"needs the package {package}{install}"
        return None


@cache
def engines() -> NamedTable[Engine]:
    """Every engine by its name, installed or not; those of other packages once they are looked up."""
    own = offered("satdoku.backends", "ENGINES", Engine)
    also = {"sat": "cadical195", "ortools": "cpsat", "or-tools": "cpsat", "cp": "cpsat", "dfs": "backtrack"}
    return NamedTable("backend", Engine, own, "satdoku.backends", "satdoku backends", also)


@cache
def join(file: str) -> tuple[str, ...]:
    """Add the `ENGINES` of a Python file to the table, for this process; their names.

    Raises InputError if the file cannot be run, offers none, or offers a name that is taken.
    """
    offers = getattr(loaded(file), "ENGINES", ())
    if not isinstance(offers, tuple | list) or not offers or not all(isinstance(row, Engine) for row in offers):
        raise InputError(f"{file}: expected ENGINES, a tuple of satdoku.backends.Engine")
    engines().add(*offers, source=file)
    return tuple(row.name for row in offers)


def installed() -> list[str]:
    """Every backend that runs here and searches, by a name that `find` takes."""
    rows = [engine for engine in engines().all().values() if engine.searches and engine.absent() is None]
    return [name for engine in rows for name in (engine.forms() if engine.forms else (engine.name,))]


def not_all_different(board: Board) -> str | None:
    """Why an engine that takes AllDifferent alone refuses the board, and which take it; None if it need not refuse.

    No solver is imported to tell which there are.
    """
    odd = other_constraint(board)
    if odd is None:
        return None
    able = [row for row in engines().all().values() if not row.all_different_only and row.lacking() is None]
    named = ", ".join(row.name for row in able if not row.encodes or row.name == DEFAULT)
    solvers = " and all SAT solvers" if any(row.encodes for row in able) else ""
    return f"{odd}, and it takes AllDifferent alone; {named}{solvers} can"


def engine(backend: str | Engine | Backend | None) -> Engine:
    """The engine of `NAME[:ARGUMENT]`, of a row of the table, or of a backend that is open; None is the default.

    Raises InputError with the near names, TypeError for what is none of these.
    """
    backend = DEFAULT if backend is None else backend
    if isinstance(backend, Backend) and not isinstance(backend, type | Engine):
        return Engine(type(backend).__name__, "", lambda argument, encoding: backend)
    name = backend.partition(":")[0] if isinstance(backend, str) else ""
    own = None if engines.cache_info().currsize else _of_its_file(name)
    return own or engines().find(name or backend)  # type: ignore[arg-type]  # what is neither, it refuses


def _of_its_file(name: str) -> Engine | None:
    """The engine of a file that has its name; the other files, which import solvers' encodings, stay unread."""
    if not name.isidentifier() or find_spec(f"{__name__}.{name}") is None:
        return None
    rows: tuple[Engine, ...] = getattr(import_module(f"{__name__}.{name}"), "ENGINES", ())
    return next((row for row in rows if row.name == name), None)


def provers() -> list[str]:
    """The backends whose proofs are complete and that run here."""
    return [row.name for row in engines().all().values() if row.prover is not None and row.absent() is None]


def prover(name: str | Engine | Backend | None = None) -> Prover:
    """What writes the proofs of a backend, by `NAME[:ARGUMENT]` or given itself; None is the default.

    Raises Refused for a backend that writes none, InputError for an unknown name or a package that is missing.
    """
    chosen = engine(name)
    if chosen.prover is None:
        raise Refused(f"backend {chosen.name} writes no proofs; these do: {', '.join(provers())}")
    chosen.require()
    return chosen.prover(_argument(name))


def find(name: str | Engine | Backend | None = None, encoding: str | Encoding | None = None) -> Backend:
    """A backend by `NAME[:ARGUMENT]`, or of an engine; one that is open is given back itself; None is the default.

    Raises Refused for an encoding or an argument that the backend does not take, InputError for
    an unknown name or a package that is missing.
    """
    chosen, argument = engine(name), _argument(name)
    if encoding is not None and not chosen.encodes:
        given = getattr(encoding, "name", encoding)
        raise Refused(f"backend {chosen.name} takes no encoding; leave out the encoding {given}")
    if argument is not None and chosen.argument is None:
        raise Refused(f"backend {chosen.name} takes no argument; leave out :{argument}")
    chosen.require()
    return chosen.open(argument, encoding)


def _argument(backend: str | Engine | Backend | None) -> str | None:
    _, colon, argument = backend.partition(":") if isinstance(backend, str) else ("", "", "")
    return argument if colon else None
