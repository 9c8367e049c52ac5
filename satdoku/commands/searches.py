"""What the questions of commands have in common: engines that stay open, and lines of plain puzzles in arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from satdoku import backends
from satdoku.backends import ENDINGS, PASSED, Budget, Ending
from satdoku.batch.questions import Answer, Answers, Emit, Question, Style
from satdoku.batch.totals import plural
from satdoku.commands.options import key_of
from satdoku.commands.puzzles import Opened
from satdoku.constraints import Grid
from satdoku.errors import Refused
from satdoku.formats import Options, listed
from satdoku.inputs.items import Block, Item
from satdoku.puzzle import Puzzle, broken
from satdoku.terminal.texts import SENTENCES
from satdoku.verdict import Outcome, Session, Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.backends import Tallies
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.batch.rows import Rows
    from satdoku.commands.asking import SearchRun
    from satdoku.pictures import Picture
    from satdoku.setter.difficulty import Difficulty

STATUS = {Verdict.UNIQUE: 0, Verdict.MULTIPLE: 1, Verdict.UNSOLVABLE: 1, Verdict.UNDECIDED: 3}
"""The exit status of each verdict."""

VERDICTS = tuple(verdict.value for verdict in Verdict)
NO_KEYS = ("--options", "--backends", "--header", "--rate")
"""Fields of a search that are compared in other ways, or follow from the input."""

DECIDED = (ENDINGS.index(Ending.EXHAUSTED), ENDINGS.index(Ending.LIMIT))
TYPES = {"": str, "int": int, "float": float, "bool": bool}


def table(text: str) -> dict[str, type]:
    """The columns of tables: `puzzle count:int` has one of texts and one of whole numbers."""
    parts = (word.partition(":") for word in text.split())
    return {name: TYPES[kind] for name, _, kind in parts}


class Keyed(Question):
    """A question whose options are its fields."""

    def key(self) -> Mapping[str, str]:
        return key_of(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        return Question.text(self, item, answer, style) if answer.view is None else self.shown(item, answer.view, style)

    def shown(self, item: Item, view: Any, style: Style) -> str | None:
        raise NotImplementedError


class Setting(Keyed):
    """A question that one incremental solver answers, which stays loaded."""

    def open(self) -> Solving:
        return Solving(self)

    def answered(self, solver: IncrementalSolver, item: Item) -> Answer:
        raise NotImplementedError


class Solving:
    def __init__(self, question: Setting) -> None:
        from satdoku.backends.incremental import IncrementalSolver

        self._question = question
        self._solver = IncrementalSolver()
        self.close = self._solver.close

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        return self._question.answered(self._solver, item)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(Keyed):
    """A question for backends, of which None is the default; `limit` None is all solutions.

    words:    the outcomes of puzzles in arrays; `statuses` has the status of each
    by_count: which of these no solution is, and one, and two
    header:   the names of the columns of the input that are written too
    rate:     whether to find out the difficulty of one unique puzzle
    """

    backends: tuple[str | None, ...]
    encoding: str | None = None
    limit: int | None = 2
    timeout: float | None = None
    timing: bool = False
    options: Options = field(default_factory=Options)
    alone: bool = False
    header: tuple[str, ...] = ()
    rate: bool = False
    words: ClassVar[tuple[str, ...]] = ()
    statuses: ClassVar[tuple[int, ...]] = ()
    by_count: ClassVar[tuple[int, ...]] = ()

    def key(self) -> Mapping[str, str]:
        found = {name: value for name, value in key_of(self).items() if name not in NO_KEYS}
        return found if self.backends == (None,) else {**found, "--backend": ",".join(map(str, self.backends))}

    def open(self) -> Searching[Any]:
        return Searching(self)

    def ask(self, session: Session, puzzle: Puzzle, emit: Emit | None) -> Outcome:
        raise NotImplementedError

    def answered(self, item: Item, outcome: Outcome) -> Answer:
        raise NotImplementedError

    def record(self, item: Item, outcome: Outcome, more: Mapping[str, object]) -> dict[str, object]:
        """`more` between the name of the puzzle and what any search may have to say."""
        record: dict[str, object] = {"puzzle": item.name, **more}
        if outcome.reason:
            record["reason"] = outcome.reason
        if puzzle_of(item).not_enforced:
            record["not_enforced"] = list(puzzle_of(item).not_enforced)
        if self.timing:
            record["seconds"] = round(outcome.seconds, 6)
        return record

    def difficulty(self, puzzle: Puzzle, outcome: Outcome) -> Difficulty | None:
        """That of one unique puzzle, where it is to be found out."""
        if not (self.rate and self.alone and outcome.verdict is Verdict.UNIQUE):
            return None
        from satdoku.setter.difficulty import rate

        return rate(puzzle, self.timeout)

    def took(self, outcome: Outcome, alone: bool) -> str:
        """The seconds, behind a text."""
        if not self.timing:
            return ""
        return f" ({outcome.seconds:.6f} s)" if alone else f"\t{outcome.seconds:.6f}"


Asked = TypeVar("Asked", bound=Search)


class Searching(Generic[Asked]):
    """One worker's open backends, and outcomes that are known before their puzzles are asked about."""

    def __init__(self, question: Asked) -> None:
        self.question = question
        self.sessions = sessions(question.backends, question.encoding)
        self.known: dict[str, Outcome] = {}

    def close(self) -> None:
        for session in self.sessions:
            session.close()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        known = self.known.pop(item.name, None)
        return self.question.answered(item, known or self.question.ask(self.sessions[0], puzzle_of(item), emit))

    def accepted(self, block: Block, rows: Rows, tallies: Tallies) -> NDArray[np.bool_] | bool:
        """Which decided rows need no second look, one by one."""
        return True

    def answer_many(self, block: Block) -> Iterator[Answers]:
        """The plain puzzles of a block that are decided, board by board."""
        question, session = self.question, self.sessions[0]
        if not question.by_count or question.limit not in (1, 2) or len(self.sessions) > 1 or question.timing:
            return
        import numpy as np

        from satdoku.batch.rows import plain, tallied

        self.known.clear()
        for rows in plain(block, question.options):
            budget = Budget(question.limit, question.timeout)
            tallies = tallied(session, rows, budget, block) if len(rows.index) else None
            if tallies is None:
                continue
            counts = tallies.counts
            known = np.isin(tallies.endings, DECIDED) & self.accepted(block, rows, tallies)
            chosen = np.flatnonzero(known)
            self._remember(block, rows, tallies, np.flatnonzero(~known).tolist())
            yield Answers(
                index=rows.index[chosen],
                outcomes=np.array(question.by_count, np.uint8)[counts[chosen]],
                words=question.words,
                statuses=question.statuses,
                engine=session.engine,
                board=rows.board,
                columns={"solutions": tallies.grids[chosen], "count": counts[chosen], "givens": rows.givens[chosen]},
            )

    def _remember(self, block: Block, rows: Rows, tallies: Tallies, which: Sequence[int]) -> None:
        """Keep the outcomes of some rows for when their puzzles are asked about one by one."""
        for row in which:
            if tallies.endings[row] == PASSED:
                continue
            count = int(tallies.counts[row])
            name = f"{block.name}:{block.numbers[int(rows.index[row])]}"
            self.known[name] = Outcome(
                count=count,
                grids=tuple(tuple(grid) for grid in tallies.grids[row, : min(count, 2)].tolist()),
                ending=ENDINGS[tallies.endings[row]],
                backend=self.sessions[0].engine,
                seconds=0.0,
                reason=None if count else next(rows.puzzle(row, "").clashes(), None),
            )


def reasons(answers: Answers) -> Iterator[dict[str, object]]:
    """For each answer what its record says of givens that clash."""
    from satdoku.batch.rows import clashes

    board, givens = answers.board, answers.columns["givens"]
    for place, row in zip(clashes(board, givens).tolist(), givens, strict=True):
        yield {} if place < 0 else {"reason": next(broken(board, row.tolist(), board.all_different[place : place + 1]))}


def solved_lines(block: Block, answers: Answers) -> Iterator[tuple[int, str, str, list[str]]]:
    """For each answer its line's index, its name, its outcome, and its solutions as lines."""
    from satdoku.batch.rows import lines_of

    index, grids, size = answers.index.tolist(), answers.columns["solutions"], answers.board.values
    pairs = zip(lines_of(grids[:, 0], size), lines_of(grids[:, 1], size), strict=True)
    words = map(answers.words.__getitem__, answers.outcomes.tolist())
    solutions = (list(pair[:count]) for count, pair in zip(answers.columns["count"].tolist(), pairs, strict=True))
    return zip(index, block.names(index), words, solutions, strict=True)


def sessions(names: Sequence[str | None], encoding: str | None) -> list[Session]:
    """A session for each name. The encoding goes to those that take one; Refused if none does."""
    rows = [backends.engine(backends.DEFAULT if name is None else name) for name in names]
    if encoding is not None and not any(row.encodes for row in rows):
        raise Refused(f"no encoding is taken by {', '.join(row.name for row in rows)}; leave out --encoding {encoding}")
    return [Session(name, encoding if row.encodes else None) for name, row in zip(names, rows, strict=True)]


def search_of(
    kind: type[Asked], run: SearchRun, timeout: float | None, timing: bool, names: Sequence[str] = (), **own: Any
) -> Callable[[Opened], Asked]:
    """Makes the question of what comes."""
    chosen, encoding = tuple(names) or (run.engine.backend,), run.engine.encoding_name()
    own |= {"encoding": encoding, "timeout": timeout, "timing": timing}

    def question(found: Opened) -> Asked:
        return kind(backends=chosen, options=found.options, alone=found.alone, header=found.header, **own)

    return question


def puzzle_of(item: Item) -> Puzzle:
    assert isinstance(item.puzzle, Puzzle)
    return item.puzzle


def pictures(puzzle: Puzzle, grids: Iterable[Grid | None]) -> list[Picture]:
    """The puzzle with each of the grids."""
    from satdoku.pictures import Picture

    return [Picture(puzzle, grid) for grid in grids]


def sentence(verdict: Verdict, outcome: Outcome, puzzle: Puzzle | None = None) -> str:
    """A verdict for people, with its reason where there is one, and what of the puzzle it does not speak of."""
    text = SENTENCES[verdict.value]
    if verdict is Verdict.UNDECIDED and outcome.count:
        text += f" after {plural(outcome.count, 'solution')}"
    text += ", certified" if outcome.certified else ""
    text += f": {outcome.reason}" if outcome.reason else ""
    missing = puzzle.not_enforced if puzzle is not None else ()
    verb = "is" if len(missing) == 1 and not missing[0].split(" ")[0].isdigit() else "are"
    return f"{text}; as far as stated: {listed(missing)} {verb} not enforced" if missing else text
