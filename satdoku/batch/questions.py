"""What is asked of every puzzle of a run: a `Question` is data and goes to workers, where it opens an `Evaluator`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

from satdoku.constraints import Grid
from satdoku.errors import SatdokuError
from satdoku.inputs.items import Block, Item, Read
from satdoku.limits import LEAST
from satdoku.puzzle import Board

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.batch.totals import RunTotal
    from satdoku.pictures import Picture

Emit = Callable[[Grid], None]  # takes each solution as it comes
INVALID, UNDECIDED = "invalid", "undecided"  # outcomes of what cannot be asked about, and of too little time


@dataclass(frozen=True, slots=True)
class Style:
    alone: bool = False  # one puzzle in all, so that its answer may take several lines
    boxed: bool = False  # grids with box-drawing lines, for terminals
    terminal: bool = False  # whether a terminal shows it, where columns are aligned
    color: bool = False  # verdicts in color, and the cells in which two solutions differ
    verbose: bool = False  # what only some ask for


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of one item."""

    status: int  # the exit status that it means
    outcome: str  # the word it is counted under, which `--only` names
    record: Mapping[str, object]  # the answer as data, of JSON's types
    engine: str | None = None  # the backend that answered
    view: object = None  # the typed result that texts are made of
    notes: tuple[str, ...] = ()  # sentences for standard error
    pictures: Callable[[], Sequence[Picture]] = tuple  # what an output of pictures draws, made when it does
    proof: str | None = None  # a line for the file of proofs
    figures: Mapping[str, str] = field(default_factory=dict)  # what else the summary counts, a value for each name


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The answers to many lines of a block, in columns: no object a line."""

    index: NDArray[np.intp]  # (n,) which line of the block each is
    outcomes: NDArray[np.uint8]  # (n,) indices into `words`
    words: tuple[str, ...]  # the outcomes that occur
    statuses: tuple[int, ...]  # the exit status of each word
    engine: str  # the backend that answered
    board: Board  # the board of all of them
    view: Any  # the typed results that texts and records are made of


class Evaluator:
    """What one worker keeps open for a question."""

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        """The answer to an item; its solutions go to `emit` as they come. Raises InputError, Disagreement."""
        raise NotImplementedError

    def answer_many(self, block: Block) -> Iterator[Answers]:
        """Answers to many lines of a block at once; the others are asked one by one."""
        return iter(())

    def answer_together(self, items: Sequence[Item]) -> list[Answer] | None:
        """The answers to items that come from no file, where that is faster than one by one; else None."""
        return None

    def close(self) -> None:
        """Let go of what is open."""


class Question(Evaluator):
    """What is asked, with its options: a frozen dataclass that goes to workers. Commands replace what they need.

    Most keep nothing open, and answer themselves.
    """

    outcomes: ClassVar[tuple[str, ...]] = ()  # the words that `--only` may name, besides `invalid`
    pictures: ClassVar[bool] = False  # whether its answers have pictures
    timeout: float | None = None  # seconds for each puzzle
    held: ClassVar[bool] = True  # whether a worker that takes longer is killed
    grids: ClassVar[str] = "solution"  # the column that an array holds
    summarized: ClassVar[bool] = True  # whether a run ends with a line of how many puzzles came to what

    @property
    def columns(self) -> Mapping[str, type]:
        """The columns of tables, by their names; most commands have the same for all options, as an attribute."""
        return {"source": str, "line": int, "verdict": str, "error": str}

    @property
    def between(self) -> str:
        """What stands between two texts."""
        return ""

    def key(self) -> Mapping[str, str]:
        """What `--resume` compares, and names where it differs: option -> value."""
        return key_of(self)

    def open(self) -> Evaluator:
        """What a worker needs once. Raises InputError for engines that are not there."""
        return self

    def cut(self, item: Item, reason: str) -> Answer:
        record = {**self.about(item), "verdict": UNDECIDED, "reason": reason}
        return Answer(status=3, outcome=UNDECIDED, record=record, notes=(f"{UNDECIDED}: {reason}",))

    def within(self, item: Item) -> Self:
        """The same question with what reading an item has left of the timeout."""
        if self.timeout is None or not item.seconds:
            return self
        return replace(self, timeout=max(self.timeout - item.seconds, LEAST))  # type: ignore[type-var]  # questions are dataclasses

    def invalid(self, item: Item, error: SatdokuError) -> Answer:
        record = {**self.about(item), "verdict": INVALID, "error": str(error)}
        return Answer(status=error.status, outcome=INVALID, record=record)

    def about(self, item: Item) -> dict[str, object]:
        """What every record says of its puzzle: where it stands, and of what was read that which was asked for."""
        return {**item.place, **self.beside(lambda: item.read)}

    def beside(self, read: Callable[[], Read]) -> Mapping[str, object]:
        """What every record says of what was read; `read` gives the text and the columns beside it."""
        return {}

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        """The answer for people, `FILE:LINE` and the outcome; None prints nothing, as where an error was reported."""
        if answer.view is not None:
            return self.view_text(item, answer.view, style)
        return None if style.alone or answer.outcome == INVALID else f"{item.name}\t{answer.outcome}"

    def view_text(self, item: Item, view: Any, style: Style) -> str | None:
        """The text of an answer that has a view."""
        return None

    def grid_text(self, item: Item, grid: Grid, style: Style) -> str:
        """A solution that was emitted."""
        raise NotImplementedError("this question emits no solutions")

    def texts(self, block: Block, answers: Answers) -> Sequence[str]:
        """The texts of answers in columns."""
        raise NotImplementedError("this question takes no blocks")

    def records(self, block: Block, answers: Answers) -> Iterator[Mapping[str, object]]:
        """The records of answers in columns."""
        raise NotImplementedError("this question takes no blocks")

    def row(self, record: Mapping[str, object]) -> Mapping[str, object]:
        return record

    def summary(self, total: RunTotal, style: Style) -> str:
        return total.summary(style.alone, style.terminal) if self.summarized else ""


def key_of(group: Any) -> dict[str, str]:
    """The options in a dataclass that are not at their defaults, as option -> value; not those that do not compare."""
    chosen = [each.name for each in fields(group) if each.compare and getattr(group, each.name) != each.default]
    values = ((name, getattr(group, name)) for name in chosen)
    return {f"--{name}": " ".join(value) if isinstance(value, list) else str(value) for name, value in values}
