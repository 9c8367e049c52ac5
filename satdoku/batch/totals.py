"""What a chunk, and a whole run, came to."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from satdoku.errors import Excerpt, worst_status
from satdoku.words import plural

OUTCOME, READ, ENGINE, PARTLY = "outcome", "read", "engine", "not enforced"  # figures of every run
ORDER = "unique", "multiple", "solved", "unsolvable", "undecided"  # of outcomes in summaries; others follow


@dataclass(frozen=True, slots=True)
class Message:
    """A line for standard error; `file` is the input that an error is about, `excerpt` its line there."""

    text: str
    file: str | None = None
    excerpt: Excerpt | None = None
    note: bool = False  # whether it is not an error, but something that is good to know


@dataclass(slots=True)
class RunTotal:
    figures: dict[str, dict[str, int]] = field(default_factory=dict)  # for each name how often each value came
    status: int = 0  # the exit status that all of it means
    lines: int = 0  # lines of input, or items, that are settled
    first: dict[str, str] = field(default_factory=dict)  # the first puzzle of each outcome that is not as hoped

    def count(self, name: str, value: str, times: int = 1) -> None:
        counts = self.figures.setdefault(name, {})
        counts[value] = counts.get(value, 0) + times

    def add(self, other: RunTotal) -> None:
        for name, counts in other.figures.items():
            for value, times in counts.items():
                self.count(name, value, times)
        self.lines += other.lines
        self.first = other.first | self.first
        self.status = worst_status(self.status, other.status)

    def of(self, name: str) -> Counter[str]:
        """How often each value came, outcomes in the order of `ORDER`, whichever came first."""
        counts = self.figures.get(name, {})
        return Counter({value: counts[value] for value in (*ORDER, *counts) if value in counts})

    def summary(self, alone: bool, firsts: bool = False) -> str:
        read, outcomes = self.of(READ), self.of(OUTCOME)
        if not read:
            return ""
        kinds = "; ".join(kind for kind, _ in read.most_common(3)) + ("; ..." if len(read) > 3 else "")
        if alone:
            return f"read as {kinds}"
        number = outcomes.total()
        counts = ", ".join(f"{count} {word}" for word, count in outcomes.items())
        partly = self.of(PARTLY).total()
        more = f"; of {plural(partly, 'puzzle')} not all is enforced" if partly else ""
        more += "".join(f"; first {word}: {name}" for word, name in self.first.items() if firsts)
        return f"{plural(number, 'puzzle')} ({kinds}): {counts}{more}"

    def record(self) -> dict[str, object]:
        outcomes = self.of(OUTCOME)
        known = {"puzzles": outcomes.total(), "outcomes": dict(outcomes), "first": self.first}
        known |= {"read": dict(self.of(READ)), "engines": dict(self.of(ENGINE))}
        own = {name: counts for name, counts in self.figures.items() if name not in (OUTCOME, READ, ENGINE)}
        return known | own | {"status": self.status}

    def engines(self) -> str:
        engines = self.of(ENGINE)
        names = [f"{name} {count}" for name, count in engines.most_common()]
        return f"; by {', '.join(names) if len(names) > 1 else next(iter(engines))}" if engines else ""


@dataclass(slots=True)
class Result(RunTotal):
    outputs: list[list[Any]] = field(default_factory=list)  # for each layout what it made of the answers
    messages: list[Message] = field(default_factory=list)  # lines for standard error, in order
    proofs: list[str] = field(default_factory=list)  # lines for the file of proofs
    fatal: Exception | None = None  # the error that ends the run
    seconds: float = 0.0  # the time it took, of which the size of the next chunks follows

    def join(self, other: Result) -> None:
        self.add(other)
        for mine, more in zip(self.outputs, other.outputs, strict=True):
            mine += more
        self.messages += other.messages
        self.proofs += other.proofs
        self.fatal = self.fatal or other.fatal
        self.seconds += other.seconds
