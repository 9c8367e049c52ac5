"""What a search or a count of one puzzle showed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any

from satdoku.backends import Ending
from satdoku.constraints import Grid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.puzzle import Board


class Verdict(Enum):
    """What a search showed about the number of solutions; undecided if it did not finish."""

    UNIQUE = "unique"
    MULTIPLE = "multiple"
    UNSOLVABLE = "unsolvable"
    UNDECIDED = "undecided"

    @classmethod
    def of(cls, count: int, exact: bool) -> Verdict:
        """What so many solutions show, which are all of them if `exact`."""
        if count > 1:
            return cls.MULTIPLE
        if not exact:
            return cls.UNDECIDED
        return cls.UNIQUE if count else cls.UNSOLVABLE


VERDICTS = tuple(verdict.value for verdict in Verdict)
COUNTING_SEARCH = "counting search"  # how grids were counted that were not handed over


class CertificateKind(Enum):
    """What a certificate is asked of."""

    VERDICT = "verdict"
    MINIMAL = "minimal"
    MINIMAL_MARKS = "minimal-marks"
    CANDIDATES = "candidates"
    COUNT = "count"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a search of one puzzle showed.

    count:   grids found, each accepted by the referee and different from the others
    grids:   the first of them, as many as were asked to be kept
    ending:  why the search stopped
    backend: its name, as given; of `auto`, the one that it chose
    seconds: wall time of the search, without loading the board
    reason:  the givens that clash, where that decided it without a search
    counted_by: "counting search" if grids were counted without being handed over, or the method of a sum, such as
             "box partitions"; only those in `grids` are refereed then. None if the referee has seen each
    certified: whether a certificate of the verdict was made, and accepted by a checker
    checked_by: the second method that gave the same count, if one was asked for and finished
    board:   that of the puzzle, which says how values are shown; `array` and `to_dict` have shown values
    tried:   the backends that `auto` asked before, without an answer
    """

    count: int
    grids: tuple[Grid, ...]
    ending: Ending
    backend: str
    seconds: float
    reason: str | None = None
    counted_by: str | None = None
    certified: bool = False
    checked_by: str | None = None
    board: Board | None = field(default=None, repr=False, compare=False)
    tried: tuple[str, ...] = ()

    @property
    def answered_by(self) -> str:
        """The backend, and those that were asked before: `glucose4 after native`."""
        return f"{self.backend} after {', '.join(self.tried)}" if self.tried else self.backend

    @property
    def tallied(self) -> bool:
        """Whether only the grids in `grids` are refereed."""
        return self.counted_by is not None

    @property
    def exact(self) -> bool:
        """Whether `count` is the number of all solutions."""
        return self.ending is Ending.EXHAUSTED

    @property
    def verdict(self) -> Verdict:
        """What is known of the number of solutions: one grid and a timeout are undecided."""
        return Verdict.of(self.count, self.exact)

    @property
    def grid(self) -> Grid | None:
        """The first solution found, which is the only one of a unique puzzle; None if there is none."""
        return self.grids[0] if self.grids else None

    def array(self) -> NDArray[np.uint16]:
        """The kept grids as an array of shape (grids, cells), of shown values."""
        import numpy as np

        grids = np.array(self.grids, np.uint16).reshape(len(self.grids), -1 if self.grids else 0)
        first = 1 if self.board is None else self.board.first_value
        return grids + np.uint16(first) - np.uint16(1)

    def to_dict(self, fields: Iterable[str] | None = None, solutions: Sequence[object] | None = None) -> dict[str, Any]:
        """The outcome as JSON types, as every record of one has them.

        Parameters:
            fields: the names of fields, in order; None is all of them, `solution` left out.
            solutions: what stands for the grids, such as lists of values; None is each as a line, as the format
                `line` has it.

        Returns:
            The value of each field by its name.

        Raises:
            KeyError: there is no field of a name.

        Example:
            >>> import satdoku
            >>> satdoku.check(".1.4....1....43.").to_dict(["verdict", "count"])
            {'verdict': 'unique', 'count': 1}
            >>> satdoku.check(".1.4....1....43.").to_dict(["solution"])
            {'solution': '3124421313422431'}
        """
        if solutions is None:
            solutions = list(map(self._line, self.grids))
        return {name: _JSON[name](self, solutions) for name in (_EVERY if fields is None else fields)}

    def _line(self, grid: Grid) -> str:
        if self.board is None:
            return ("" if max(grid) <= 9 else ",").join(map(str, grid))
        from satdoku.formats.line import flat

        return flat(self.board, grid)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """What searches of many puzzles showed: arrays of the leading shape of the puzzles, a place for each of them.

    count: grids found, up to the limit of the search: 1 for `solve_many`, 2 for `check_many`; int64, or Python's
           integers where one is larger
    exact: whether `count` is the number of all solutions
    grids: the first solution of each puzzle, in the shape of their array, ((..., cells) of texts); 1..N, and 0 in all
           cells where none was found or grids were not listed
    """

    count: NDArray[Any]
    exact: NDArray[np.bool_]
    grids: NDArray[Any]

    def __len__(self) -> int:
        return len(self.count)

    @property
    def verdict(self) -> NDArray[np.str_]:
        """The verdict of each: "unique", "multiple", "unsolvable", or "undecided", as one solution is where the search
        did not look for more."""
        import numpy as np

        few = np.where(self.count > 0, Verdict.UNIQUE.value, Verdict.UNSOLVABLE.value)
        verdicts: NDArray[np.str_] = np.where(
            self.count > 1, Verdict.MULTIPLE.value, np.where(self.exact, few, Verdict.UNDECIDED.value)
        )
        return verdicts

    @property
    def status(self) -> NDArray[np.str_]:
        """Whether each has a solution: "solved", "unsolvable" or "undecided"."""
        import numpy as np

        none = np.where(self.exact, Verdict.UNSOLVABLE.value, Verdict.UNDECIDED.value)
        statuses: NDArray[np.str_] = np.where(self.count > 0, "solved", none)
        return statuses


_JSON: dict[str, Callable[[Outcome, Sequence[object]], Any]] = {
    "verdict": lambda outcome, solutions: outcome.verdict.value,
    "count": lambda outcome, solutions: outcome.count,
    "exact": lambda outcome, solutions: outcome.exact,
    "solutions": lambda outcome, solutions: list(solutions),
    "ending": lambda outcome, solutions: outcome.ending.value,
    "backend": lambda outcome, solutions: outcome.backend,
    "seconds": lambda outcome, solutions: round(outcome.seconds, 6),
    "reason": lambda outcome, solutions: outcome.reason,
    "tallied": lambda outcome, solutions: outcome.tallied,
    "counted_by": lambda outcome, solutions: outcome.counted_by,
    "certified": lambda outcome, solutions: outcome.certified,
    "checked_by": lambda outcome, solutions: outcome.checked_by,
    "tried": lambda outcome, solutions: list(outcome.tried),
    "solution": lambda outcome, solutions: next(iter(solutions), None),
}
"""What a record says of an outcome, by the names of its fields; `solutions` are as `to_dict` has them."""

_EVERY = tuple(name for name in _JSON if name != "solution")
