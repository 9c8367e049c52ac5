"""Two surveys of one puzzle at the same time, each of which sends the other what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from satdoku.constraints import Grid


class Partner(Protocol):
    """Another survey of the same puzzle, at the same time, that begins at the other end.

    backwards: whether this one begins at the last cell
    """

    backwards: bool

    def send(self, result: SharedResult) -> None:
        """Results come in this order, and if one is lost, all after it."""

    def received(self) -> list[SharedResult]:
        """What the other has sent since the last call."""


@dataclass(frozen=True, slots=True)
class SharedResult:
    """A solution, or candidates of which no solution is left that its finder has neither sent nor received.

    limit: of the survey that found it: those of another one know other solutions
    """

    limit: int | None
    grid: Grid | None = None
    settled: tuple[tuple[int, int], ...] = ()
