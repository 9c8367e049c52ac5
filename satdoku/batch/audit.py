"""What there is in a data set: rows of records, one a puzzle, and the figures that these give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from satdoku.outcome import VERDICTS
from satdoku.symmetries import DIGEST

NONE, RIGHT, WRONG = range(3)  # what is stated beside a puzzle as its solution
RECORD = np.dtype(
    [
        ("digest", f"S{DIGEST}"),
        ("line", "<i8"),
        ("givens", "<u2"),
        ("verdict", "u1"),
        ("solution", "u1"),
        ("file", "<u2"),
    ]
)
"""digest: of the class of puzzles that symmetries make equal, zeros where it has no canonical form; file: 0, or which
of the others."""

NAMED = 20  # rows of each kind that are named


class Figures:
    """The figures of a data set, from the records of its rows and of those of the files that it is compared with."""

    def __init__(self, records: NDArray[Any], names: Sequence[str]) -> None:
        """names: the file, and the others"""
        self.records, self._names = records, names
        self.own = _those(records, records["file"] == 0)
        self._formed = self.own["digest"] != b""

    def verdicts(self) -> dict[str, int]:
        counts = np.bincount(self.own["verdict"], minlength=len(VERDICTS))
        return dict(zip(VERDICTS, counts.tolist(), strict=True))

    def solutions(self) -> dict[str, Any]:
        wrong = self.own["solution"] == WRONG
        return {
            "right": int((self.own["solution"] == RIGHT).sum()),
            "wrong": int(wrong.sum()),
            "wrong_rows": self.first(wrong),
        }

    def givens(self) -> dict[int, int]:
        values, counts = np.unique(self.own["givens"], return_counts=True)
        return dict(zip(values.tolist(), counts.tolist(), strict=True))

    def duplicates(self) -> dict[str, Any]:
        """How many classes there are, and the rows that are equal to one above."""
        some = _those(self.own, self._formed)
        _, first, which, counts = np.unique(some["digest"], return_index=True, return_inverse=True, return_counts=True)
        same = first[which.ravel()]
        again = np.flatnonzero(same != np.arange(len(some)))
        return {
            "distinct": len(first),
            "repeated": len(again),
            "largest_class": int(counts.max(initial=0)),
            "repeated_rows": [[self._name(some[row]), self._name(some[same[row]])] for row in again[:NAMED].tolist()],
        }

    def leakage(self) -> dict[str, Any] | None:
        """The rows that are equal to one of the other files; None if there are none of these."""
        if len(self._names) < 2:
            return None
        others = self.records[(self.records["file"] > 0) & (self.records["digest"] != b"")]
        known, first = np.unique(others["digest"], return_index=True)
        some = _those(self.own, self._formed)
        if not len(known):
            return {"rows": 0, "leaked_rows": []}
        place = np.minimum(np.searchsorted(known, some["digest"]), len(known) - 1)
        leaked = np.flatnonzero(known[place] == some["digest"])
        pairs = ((some[row], others[first[place[row]]]) for row in leaked[:NAMED].tolist())
        return {"rows": len(leaked), "leaked_rows": [[self._name(row), self._name(other)] for row, other in pairs]}

    def first(self, which: NDArray[np.bool_]) -> list[str]:
        """The names of the first of some rows."""
        return list(map(self._name, self.own[np.flatnonzero(which)[:NAMED]]))

    def of_verdict(self, verdict: str) -> list[str]:
        return self.first(self.own["verdict"] == VERDICTS.index(verdict))

    def sample(self, size: int, seed: int) -> NDArray[np.int64]:
        """The lines of so many classes of unique puzzles at random, ascending: those whose digest and the seed give the
        smallest numbers, whatever the order of the rows."""
        some = _those(self.own, self._formed & (self.own["verdict"] == 0))
        digests, first = np.unique(some["digest"], return_index=True)
        words = np.frombuffer(digests.astype(f"S{DIGEST}").tobytes(), "<u8").reshape(-1, DIGEST // 8)[:, 0]
        chosen = np.argsort(_mixed(words ^ _mixed(np.array([seed], np.uint64))), kind="stable")[:size]
        lines: NDArray[np.int64] = np.sort(some["line"][first[chosen]])
        return lines

    def _name(self, row: Any) -> str:
        return f"{self._names[int(row['file'])]}:{int(row['line'])}"


def _those(records: NDArray[Any], which: NDArray[np.bool_]) -> NDArray[Any]:
    """Some of the records; not a copy if these are all of them, as in most large files."""
    return records if which.all() else records[which]


def _mixed(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Each word as a number at random that it alone decides (splitmix64, Steele and others, 2014)."""
    words = words + np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))
