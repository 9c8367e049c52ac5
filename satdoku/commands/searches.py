"""What check, solve and count have in common: engines that stay open, and lines of plain puzzles in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from satdoku import backends
from satdoku.backends import ENDINGS, PASSED, Budget, Ending, Preparing
from satdoku.backends.auto import MANY as OF_MANY
from satdoku.batch.questions import Asking
from satdoku.commands.options import Engine, key_of
from satdoku.errors import InputError, Refused
from satdoku.formats import Options
from satdoku.inputs.items import Block, Item
from satdoku.puzzle import Board, Puzzle
from satdoku.verdict import Outcome, Session, Verdict

if TYPE_CHECKING:
    from satdoku.backends import Tallies
    from satdoku.batch.rows import Rows

STATUS = {Verdict.UNIQUE: 0, Verdict.MULTIPLE: 1, Verdict.UNSOLVABLE: 1, Verdict.UNDECIDED: 3}
"""The exit status of each verdict."""

SENTENCES = {
    Verdict.UNIQUE: "unique: the puzzle has exactly one solution",
    Verdict.MULTIPLE: "multiple: the puzzle has more than one solution, here are two",
    Verdict.UNSOLVABLE: "unsolvable: the puzzle has no solution",
    Verdict.UNDECIDED: "undecided: the search was stopped by its timeout",
}

DECIDED = (ENDINGS.index(Ending.EXHAUSTED), ENDINGS.index(Ending.LIMIT))


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(Asking):
    """A question for backends.

    backends: names, as `satdoku backends` lists them; None is the default
    encoding: for those that take one
    timeout:  seconds for each puzzle
    timing:   whether seconds are part of the answer
    options:  how lines are read
    """

    backends: tuple[str | None, ...]
    encoding: str | None = None
    timeout: float | None = None
    timing: bool = False
    options: Options = field(default_factory=Options)

    def key(self) -> Mapping[str, str]:
        found = {name: value for name, value in key_of(self).items() if name not in ("--options", "--backends")}
        if self.backends not in ((None,), (AUTO_MANY,)):
            found["--backend"] = ",".join(map(str, self.backends))
        return found

    def record(self, item: Item, outcome: Outcome, more: Mapping[str, object]) -> dict[str, object]:
        """`more` between the name of the puzzle and what any search may have to say."""
        record: dict[str, object] = {"puzzle": item.name, **more}
        if outcome.reason:
            record["reason"] = outcome.reason
        if self.timing:
            record["seconds"] = round(outcome.seconds, 6)
        return record

    def took(self, outcome: Outcome, alone: bool) -> str:
        """The seconds, behind a text."""
        if not self.timing:
            return ""
        return f" ({outcome.seconds:.6f} s)" if alone else f"\t{outcome.seconds:.6f}"


AUTO_MANY = f"{backends.DEFAULT}:{OF_MANY}"


def backend_names(names: Sequence[str | None], many: bool) -> tuple[str | None, ...]:
    """The names as asked; where none was and many puzzles come, the default that knows of it."""
    return (AUTO_MANY,) if list(names) == [None] and many else tuple(names)


def sessions(names: Sequence[str | None], encoding: str | None) -> list[Session]:
    """A session for each name. The encoding goes to those that take one; Refused if none does."""
    rows = [backends.engine(backends.DEFAULT if name is None else name) for name in names]
    if encoding is not None and not any(row.encodes for row in rows):
        raise Refused(f"no encoding is taken by {', '.join(row.name for row in rows)}; leave out --encoding {encoding}")
    return [Session(name, encoding if row.encodes else None) for name, row in zip(names, rows, strict=True)]


def session_of(engine: Engine) -> Session:
    """The session of --backend and --encoding."""
    return sessions([engine.backend], engine.encoding_name())[0]


class Sessions:
    """Open backends, and outcomes that are known before their puzzles are asked about."""

    def __init__(self, search: Search) -> None:
        self.open = sessions(search.backends, search.encoding)
        self._search = search
        self._known: dict[str, Outcome] = {}

    def prepare(self) -> None:
        for session in self.open:
            if isinstance(session.backend, Preparing):
                session.backend.prepare()

    def close(self) -> None:
        for session in self.open:
            session.close()

    def rows(self, block: Block, budget: Budget) -> Iterator[tuple[Rows, Tallies]]:
        """The plain puzzles of a block, searched and refereed, board by board."""
        from satdoku.batch.rows import plain, tallied

        self._known.clear()
        for rows in plain(block, self._search.options):
            if len(rows.index):
                tallies = tallied(self.open[0], rows, budget, block)
                if tallies is not None:
                    yield rows, tallies

    def remember(self, block: Block, rows: Rows, tallies: Tallies, which: Sequence[int]) -> None:
        """Keep the outcomes of some rows for when their puzzles are asked about one by one."""
        engine = self.open[0].engine
        for row in which:
            if tallies.endings[row] == PASSED:
                continue
            count = int(tallies.counts[row])
            grids = tuple(tuple(grid) for grid in tallies.grids[row, : min(count, 2)].tolist())
            clash = None if count else next(rows.puzzle(row, "").clashes(), None)
            ending = ENDINGS[tallies.endings[row]]
            name = f"{block.name}:{block.numbers[int(rows.index[row])]}"
            self._known[name] = Outcome(
                count=count, grids=grids, ending=ending, backend=engine, seconds=0.0, reason=clash
            )

    def known(self, item: Item) -> Outcome | None:
        """The outcome that was kept for an item."""
        return self._known.pop(item.name, None)


def puzzle_of(item: Item) -> Puzzle:
    """The puzzle of an item that has one."""
    assert isinstance(item.puzzle, Puzzle)
    return item.puzzle


def board_of(item: Item) -> Board:
    """The board of its puzzle."""
    return puzzle_of(item).board


def contenders(names: str) -> list[str | None]:
    """The backends of `NAME,NAME...`; raises InputError unless there are two that differ."""
    chosen: list[str | None] = [*dict.fromkeys(names.split(","))]
    if len(chosen) < 2:
        raise InputError(f"--compare {names}: expected two or more backends that differ, such as cpsat,backtrack")
    return chosen


def sentence(verdict: Verdict, outcome: Outcome) -> str:
    """A verdict for people, with its reason where there is one."""
    text = SENTENCES[verdict]
    if verdict is Verdict.UNDECIDED and outcome.count:
        text += f" after {outcome.count} solution{'' if outcome.count == 1 else 's'}"
    text += ", certified" if outcome.certified else ""
    return f"{text}: {outcome.reason}" if outcome.reason else text
