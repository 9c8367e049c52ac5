"""At most one of m literals is true, by six methods, over many groups at once: arrays of shape (groups, m)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import ceil, comb, isqrt
from typing import TYPE_CHECKING, Any

from satdoku.deferred import Deferred
from satdoku.encoders.clauses import Clauses, LiteralRows, Literals, packed

if TYPE_CHECKING:
    import numpy as np
else:
    np = Deferred("numpy")

Write = Callable[[Clauses, Any], None]  # takes Literals

MAX_PAIRWISE = 4  # literals up to which the recursive methods take pairs, which are then the fewest clauses
TEAM = 3  # literals under one commander, the number that its authors found best
COUPLE = 2  # literals in a bimander's group, the number that its authors found best


@dataclass(frozen=True, slots=True)
class Method:
    """One way to say at most one.

    Parameters:
        name: as in `extended+NAME`.
        paper: where it comes from.
        formula: its new variables and clauses for m literals, for people.
        write: adds the clauses; takes (clauses, literals of shape (groups, m)).

    Example:
        >>> from satdoku.encoders.at_most_one import METHODS
        >>> METHODS["sequential"].size(9)
        (8, 23)
    """

    name: str
    paper: str
    formula: str
    write: Write

    def size(self, literals: int) -> tuple[int, int]:
        """New variables and clauses for one group of so many literals."""
        return _size(self.write, literals)


METHODS: dict[str, Method] = {}  # by name


def _method(paper: str, formula: str) -> Callable[[Write], Write]:
    def enter(write: Write) -> Write:
        METHODS[write.__name__] = Method(write.__name__, paper, formula, write)
        return write

    return enter


@cache
def _size(write: Write, literals: int) -> tuple[int, int]:
    clauses = Clauses()
    write(clauses, clauses.new_rows(1, literals) if write is pairwise else clauses.new_array(1, literals))
    return clauses.variables - literals, len(clauses)


@_method("folklore", "0, m(m-1)/2")
def pairwise(clauses: Clauses, groups: Literals | LiteralRows) -> None:
    """No two together.

    Parameters:
        clauses: what the clauses are added to.
        groups: literals of shape (groups, m), as an array or a list of lists; of each row at most one is true.

    Example:
        >>> from satdoku.encoders.clauses import Clauses
        >>> clauses = Clauses()
        >>> pairwise(clauses, clauses.new_array(1, 3))
        >>> list(clauses)
        [[-1, -2], [-1, -3], [-2, -3]]
    """
    if isinstance(groups, list):
        groups = packed(groups, len(groups) * comb(len(groups[0]) if groups else 0, 2))
    if isinstance(groups, list):
        clauses.extend([[-one, -other] for group in groups for one, other in combinations(group, 2)])
        return
    first, second = np.triu_indices(groups.shape[1], k=1)
    pairs = np.stack([groups[:, first], groups[:, second]], axis=2)
    clauses.extend(-pairs.reshape(-1, 2))


@_method("Sinz, Towards an Optimal CNF Encoding of Boolean Cardinality Constraints, 2005", "m-1, 3m-4")
def sequential(clauses: Clauses, groups: Literals) -> None:
    """s_i: one of the first i+1 is true. Then no later one is."""
    count, width = groups.shape
    if width < 2:
        return
    some = clauses.new_array(count, width - 1)
    _pairs(clauses, -groups[:, :-1], some)
    _pairs(clauses, -some[:, :-1], some[:, 1:])
    _pairs(clauses, -groups[:, 1:], -some)


@_method("Prestwich, Variable Dependency in Local Search, 2007", "ceil(log2 m), m ceil(log2 m)")
def bitwise(clauses: Clauses, groups: Literals) -> None:
    """A true literal fixes the bits of its index, and two indices differ in a bit."""
    count, width = groups.shape
    bits = clauses.new_array(count, _bits(width))
    _index(clauses, groups, bits, np.arange(width))


@_method(
    "Chen, A New SAT Encoding of the At-Most-One Constraint, 2010",
    "p+q+V(p)+V(q), 2m+C(p)+C(q), p=ceil(sqrt m), q=ceil(m/p); pairwise up to 4",
)
def product(clauses: Clauses, groups: Literals) -> None:
    """The literals on a p x q grid: at most one row and at most one column is taken."""
    count, width = groups.shape
    if width <= MAX_PAIRWISE:
        pairwise(clauses, groups)
        return
    rows = isqrt(width - 1) + 1
    columns = ceil(width / rows)
    row, column = clauses.new_array(count, rows), clauses.new_array(count, columns)
    place = np.arange(width)
    _pairs(clauses, -groups, row[:, place // columns])
    _pairs(clauses, -groups, column[:, place % columns])
    product(clauses, row)
    product(clauses, column)


@_method(
    "Klieber and Kwon, Efficient CNF Encoding for Selecting 1 from N Objects, 2007",
    "t+V(t), m+3t+C(t), t=m/3 teams of three; pairwise up to 4",
)
def commander(clauses: Clauses, groups: Literals) -> None:
    """Teams of three, each with a commander that a true member makes true; at most one commander is."""
    count, width = groups.shape
    if width <= MAX_PAIRWISE:
        pairwise(clauses, groups)
        return
    chiefs = clauses.new_array(count, ceil(width / TEAM))
    for first in range(0, width, TEAM):
        pairwise(clauses, groups[:, first : first + TEAM])
    _pairs(clauses, -groups, chiefs[:, np.arange(width) // TEAM])
    commander(clauses, chiefs)


@_method(
    "Nguyen and Mai, A New Method to Encode the At-Most-One Constraint into SAT, 2015",
    "ceil(log2 m/2), m/2 + m ceil(log2 m/2)",
)
def bimander(clauses: Clauses, groups: Literals) -> None:
    """Couples, of which a true member fixes the bits of the couple's index."""
    count, width = groups.shape
    for first in range(0, width, COUPLE):
        pairwise(clauses, groups[:, first : first + COUPLE])
    bits = clauses.new_array(count, _bits(ceil(width / COUPLE)))
    _index(clauses, groups, bits, np.arange(width) // COUPLE)


def _pairs(clauses: Clauses, first: Literals, second: Literals) -> None:
    """The clause (a or b) for each a of `first` and the b at its place in `second`."""
    clauses.extend(np.stack([first, second], axis=2).reshape(-1, 2))


def _index(
    clauses: Clauses, groups: Literals, bits: Literals, index: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> None:
    for bit in range(bits.shape[1]):
        sign = np.where(index >> bit & 1, 1, -1).astype(np.int32)
        _pairs(clauses, -groups, sign * bits[:, bit : bit + 1])


def _bits(count: int) -> int:
    return max(count - 1, 0).bit_length()
