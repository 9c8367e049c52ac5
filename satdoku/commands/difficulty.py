"""`satdoku difficulty`: how hard each unique puzzle is for people, by the techniques that it takes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from satdoku import backends
from satdoku.backends import Budget, Drain, Ending, Statistics
from satdoku.batch.questions import UNDECIDED, Answer, Evaluator, Question, Style
from satdoku.commands import options
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import ENGINE, OUTPUT, composed, option, seconds
from satdoku.commands.searches import DIFFICULTY, STATUS, item_puzzle, table
from satdoku.errors import InputError, Refused
from satdoku.inputs.items import Item
from satdoku.outcome import VERDICTS
from satdoku.puzzle import Puzzle
from satdoku.system.clock import Deadline
from satdoku.verdict import Verdict

if TYPE_CHECKING:
    from satdoku.batch.questions import Emit
    from satdoku.constraints import Grid
    from satdoku.setter.difficulty import Difficulty

MAX_ISOMORPHS = 10_000
FURTHER = {
    "isomorphs": "isomorphs:int mean_level:float mean_count:float mean_score:float",
    "bottlenecks": "bottlenecks:int",
    "backtracks": "backtracks:int",
    "backdoor": "backdoor:int backdoor_cells backdoor_least:int",
}
"""The columns that each option adds."""
DECIDED = "mean_level", "bottlenecks", "backtracks", "backdoor"
"""Those of them that only a timeout leaves open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate(Question):
    """What else is found out of each puzzle, and in how many seconds."""

    isomorphs: int | None = option(
        OUTPUT, "Add means over so many isomorphs of each puzzle.", metavar="N", least=1, most=MAX_ISOMORPHS
    )
    seed: int | None = option(OUTPUT, "Random seed of --isomorphs, 1 if omitted.", least=0)
    bottlenecks: bool = option(OUTPUT, "Add in how many positions only one step applies.", default=False)
    backtracks: str | None = option(
        OUTPUT,
        "Add the conflicts or nodes of this backend.",
        metavar="BACKEND",
        autocompletion=options.complete_backend,
    )
    backdoor: bool = option(OUTPUT, "Add the fewest cells that leave only singles when filled.", default=False)
    timeout: float | None = option(ENGINE, "Seconds for each puzzle.", parser=seconds, metavar="SECONDS", default=60.0)
    outcomes = VERDICTS

    @property
    def columns(self) -> Mapping[str, type]:
        further = (text for name, text in FURTHER.items() if getattr(self, name))
        return table(" ".join(["verdict", DIFFICULTY, *further, "error"]))

    def open(self) -> Rating:
        return Rating(self)

    def view_text(self, item: Item, view: tuple[Difficulty, Mapping[str, object]], style: Style) -> str | None:
        difficulty, more = view
        texts = "".join(f"; {text}" for text in _texts(more))
        if style.alone:
            return f"{difficulty}{difficulty.ratings_text}{texts}"
        least = "at least " if difficulty.ending is Ending.TIMEOUT else ""
        level = f"{difficulty.level.value} {difficulty.level.name.lower()}"
        return f"{item.name}\t{least}{level}{difficulty.ratings_text}{texts}"


def _texts(more: Mapping[str, object]) -> Iterator[str]:
    for name, value in more.items():
        if name == "backdoor_cells":
            cells = value if isinstance(value, list) else [f"at least {more['backdoor_least']}"]
            yield f"backdoor {' '.join(cells) or 'of no cell'}"
        elif not name.startswith("backdoor"):
            figure = f"{value:.2f}" if isinstance(value, float) else "unknown" if value is None else value
            yield f"{name.replace('_', ' ')} {figure}"


class Rating(Evaluator):
    """What one worker keeps open."""

    def __init__(self, question: Rate) -> None:
        from satdoku.verdict import Session

        self._question, self._session = question, Session()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        from satdoku.setter.difficulty import scored

        question, puzzle = self._question.within(item), item_puzzle(item)
        deadline = Deadline(question.timeout)
        outcome = self._session.check(puzzle, timeout=question.timeout)
        about = {**question.about(item), "verdict": outcome.verdict.value}
        if outcome.verdict is not Verdict.UNIQUE:
            note = f"{outcome.verdict.value}: only a puzzle with one solution has a difficulty"
            return Answer(status=STATUS[outcome.verdict], outcome=outcome.verdict.value, record=about, notes=(note,))
        difficulty = scored(puzzle, deadline.left())
        assert outcome.grid is not None
        more = self._more(item, outcome.grid, deadline)
        record = {**about, **difficulty.record(), **more}
        late = difficulty.ending is Ending.TIMEOUT or any(more.get(name, 0) is None for name in DECIDED)
        return Answer(
            status=3 if late else 0, outcome=UNDECIDED if late else "unique", record=record, view=(difficulty, more)
        )

    def _more(self, item: Item, solution: Grid, deadline: Deadline) -> dict[str, object]:
        """What else is asked for; None is what the timeout leaves open."""
        question, puzzle, more = self._question, item_puzzle(item), dict[str, object]()
        if question.bottlenecks:
            from satdoku.setter.difficulty import bottlenecks

            more["bottlenecks"] = bottlenecks(puzzle, deadline.left())
        if question.backtracks is not None:
            more["backtracks"] = _backtracks(puzzle, question.backtracks, deadline)
        if question.backdoor:
            from satdoku.setter.backdoor import backdoor

            smallest = backdoor(puzzle, solution, deadline.left())
            cells = None if smallest.cells is None else list(map(puzzle.board.label, smallest.cells))
            more["backdoor"] = None if cells is None else len(cells)
            more["backdoor_cells"], more["backdoor_least"] = cells, smallest.least
        if question.isomorphs is not None:
            more |= _means(item, question.isomorphs, 1 if question.seed is None else question.seed, deadline)
        return more

    def close(self) -> None:
        self._session.close()


def _means(item: Item, number: int, seed: int, deadline: Deadline) -> dict[str, object]:
    """Over isomorphs, of which a symmetric puzzle may have fewer; None where one of them has no such figure."""
    from satdoku.bench.shuffle import Draws, isomorphs
    from satdoku.setter.difficulty import scored

    ones = isomorphs(item_puzzle(item), Draws(seed, item.text), number)
    rated = [scored(one, deadline.left(), explained=False) for one in ones]
    late = any(one.ending is Ending.TIMEOUT for one in rated)
    records = [] if late else [one.record() for one in rated]
    means: dict[str, object] = {"isomorphs": len(rated)}
    for name in ("level", "count", "score"):
        figures = [float(str(record[name])) for record in records if record[name] is not None]
        means[f"mean_{name}"] = fmean(figures) if len(figures) == len(rated) else None
    return means


def _backtracks(puzzle: Puzzle, name: str, deadline: Deadline) -> int | None:
    """Of a search for a second solution: the conflicts of a SAT solver or CP-SAT, the nodes of any other.

    Raises Refused for a backend that counts neither.
    """
    with closing(backends.find(name)) as engine:
        engine.load(puzzle.board)
        drain = Drain(engine.search(puzzle, Budget(2, deadline.left())))
        for _ in drain:
            pass
        figures = engine.statistics() if isinstance(engine, Statistics) else {}
    if drain.result is Ending.TIMEOUT:
        return None
    if not {"conflicts", "nodes"} & figures.keys():
        raise Refused(f"backend {name} counts neither conflicts nor nodes: take another, such as cadical195 or native")
    return figures["conflicts" if "conflicts" in figures else "nodes"]


@composed
def difficulty(run: Run, own: Rate) -> None:
    """How hard each unique puzzle is for people, by the techniques that it takes.

    Exit status: 0 unique, 1 some puzzle has no solution or several, 2 invalid input, 3 some were cut by the timeout.
    """
    if own.seed is not None and own.isomorphs is None:
        raise InputError("--seed is for the random numbers of --isomorphs: add that, or leave out --seed")
    if own.backtracks is not None:
        backends.find(own.backtracks).close()
    answer(own, run)
