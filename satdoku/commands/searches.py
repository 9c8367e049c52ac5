"""What the questions of commands have in common: engines that stay open, and lines of plain puzzles in arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from satdoku import backends
from satdoku.backends import Budget, Ending
from satdoku.batch.questions import Answer, Answers, Emit, Evaluator, Question, key_of
from satdoku.constraints import Grid
from satdoku.errors import InputError, Refused
from satdoku.formats import Options
from satdoku.inputs.items import Block, Item
from satdoku.puzzle import Puzzle
from satdoku.terminal.texts import SENTENCES
from satdoku.verdict import Outcome, Session, Verdict
from satdoku.words import joined, plural

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.batch.rows import Searched
    from satdoku.commands.options import EngineOptions
    from satdoku.pictures import Picture
    from satdoku.setter.difficulty import Difficulty

STATUS = {Verdict.UNIQUE: 0, Verdict.MULTIPLE: 1, Verdict.UNSOLVABLE: 1, Verdict.UNDECIDED: 3}
"""The exit status of each verdict."""

DIFFICULTY = "level:int name hardest count:int score:int er:float ep:float ed:float er_least:float"
DIFFICULTY += " steps open:int ending"  # what records say of it
RATING_SECONDS = 5.0  # of the difficulty that `-v` shows beside a verdict
DECIDED = (Ending.EXHAUSTED.code, Ending.LIMIT.code)
TYPES = {"": str, "int": int, "float": float, "bool": bool}


def table(text: str) -> dict[str, type]:
    """The columns of tables of what was read: `verdict count:int` has one of texts and one of whole numbers, behind
    the place of each puzzle."""
    return {"source": str, "line": int} | columns(text)


def columns(text: str) -> dict[str, type]:
    """The same of what was not read, and stands nowhere."""
    parts = (word.partition(":") for word in text.split())
    return {name: TYPES[kind] for name, _, kind in parts}


class SetterQuestion(Question):
    """A question that one incremental solver answers, which stays loaded."""

    def open(self) -> SetterEvaluator:
        return SetterEvaluator(self)

    def answered(self, solver: IncrementalSolver, item: Item) -> Answer:
        raise NotImplementedError


class SetterEvaluator(Evaluator):
    def __init__(self, question: SetterQuestion) -> None:
        from satdoku.backends.incremental import IncrementalSolver

        self._question = question
        self._solver = IncrementalSolver()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        return self._question.within(item).answered(self._solver, item)

    def close(self) -> None:
        self._solver.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchQuestion(Question):
    """A question for backends, of which None is the default; `limit` None is all solutions.

    words:    the outcomes of puzzles in arrays; `statuses` has the status of each
    by_count: which of these no solution is, and one, and two
    header:   the names of the columns of the input that are written too
    rate:     whether to find out the difficulty of one unique puzzle
    """

    backends: tuple[str | None, ...] = field(default=(None,), compare=False)
    encoding: str | None = None
    limit: int | None = 2
    timeout: float | None = None
    timing: bool = False
    options: Options = field(default_factory=Options, compare=False)
    alone: bool = False
    header: tuple[str, ...] = field(default=(), compare=False)
    rate: bool = field(default=False, compare=False)
    words: ClassVar[tuple[str, ...]] = ()
    statuses: ClassVar[tuple[int, ...]] = ()
    by_count: ClassVar[tuple[int, ...]] = ()

    def key(self) -> Mapping[str, str]:
        named = {} if self.backends == (None,) else {"--backend": ",".join(map(str, self.backends))}
        return key_of(self) | named

    def by(self, engine: EngineOptions, names: Sequence[str] = (), **more: Any) -> Self:
        """The same of the backends of these names, or of that which the options name."""
        chosen = tuple(names) or (engine.backend,)
        return replace(self, backends=chosen, encoding=engine.encoding_name(), **more)

    @property
    def one_by_one(self) -> bool:
        """Whether plain puzzles cannot be answered together, in arrays."""
        return not self.by_count or self.timing

    def open(self) -> Searching[Any]:
        return Searching(self)

    def ask(self, session: Session, puzzle: Puzzle, emit: Emit | None) -> Outcome:
        raise NotImplementedError

    def answered(self, item: Item, outcome: Outcome) -> Answer:
        raise NotImplementedError

    def fields(self, outcome: Outcome) -> Iterator[str]:
        """What a record says of an outcome, besides its reason and its seconds."""
        raise NotImplementedError

    def record(
        self,
        about: Mapping[str, object],
        outcome: Outcome,
        lines: Sequence[str],
        more: Mapping[str, object],
        missing: Sequence[str] = (),
    ) -> dict[str, object]:
        """The record of an outcome, as `records.py` describes it.

        about:   where the puzzle stands, and what of it was asked for
        lines:   its solutions
        more:    what else there is to say
        missing: what of the puzzle is not enforced
        """
        record: dict[str, object] = {**about, **outcome.to_dict(self.fields(outcome), lines), **more}
        if outcome.reason:
            record["reason"] = outcome.reason
        if outcome.tried:
            record["tried"] = list(outcome.tried)
        if missing:
            record["not_enforced"] = list(missing)
        if self.timing:
            record |= outcome.to_dict(("seconds",), lines)
        return record

    def records(self, block: Block, answers: Answers) -> Iterator[Mapping[str, object]]:
        index, searched = answers.index.tolist(), answers.view
        rows = zip(index, block.places(index), searched.outcomes(keep=0), searched.lines(), strict=True)
        for line, place, outcome, lines in rows:
            yield self.record({**place, **self.beside(partial(block.read, line))}, outcome, lines, {})

    def rated(self, puzzle: Puzzle, outcome: Outcome) -> Difficulty | None:
        """That of one unique puzzle, where it is to be found out."""
        if not (self.rate and self.alone and outcome.verdict is Verdict.UNIQUE):
            return None
        from satdoku.setter.difficulty import rate

        return rate(puzzle, RATING_SECONDS if self.timeout is None else min(self.timeout, RATING_SECONDS))

    def timing_text(self, outcome: Outcome, alone: bool) -> str:
        """The seconds, behind a text."""
        if not self.timing:
            return ""
        return f" ({outcome.seconds:.6f} s)" if alone else f"\t{outcome.seconds:.6f}"


Asked = TypeVar("Asked", bound=SearchQuestion)


class Searching(Evaluator, Generic[Asked]):
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
        question = self.question.within(item)
        return question.answered(item, known or question.ask(self.sessions[0], item_puzzle(item), emit))

    def accepted(self, block: Block, searched: Searched) -> NDArray[np.bool_] | bool:
        """Which decided rows need no second look, one by one."""
        return True

    def coded(self, block: Block, settled: Searched) -> NDArray[np.uint8]:
        """The outcomes of decided rows, as indices into the question's words."""
        import numpy as np

        return np.array(self.question.by_count, np.uint8)[settled.results.counts]

    def answer_many(self, block: Block) -> Iterator[Answers]:
        """The plain puzzles of a block that are decided, board by board."""
        question, session = self.question, self.sessions[0]
        if question.one_by_one or question.limit not in (1, 2) or len(self.sessions) > 1:
            return
        import numpy as np

        from satdoku.batch.rows import plain, searched

        self.known.clear()
        for rows in plain(block, question.options):
            budget = Budget(question.limit, question.timeout)
            every = searched(session, rows, budget, block) if len(rows.index) else None
            if every is None:
                continue
            decided = np.isin(every.results.endings, DECIDED) & self.accepted(block, every)
            rest, settled = every[every.answered & ~decided], every[decided]
            self.known.update(zip(block.names(rest.rows.index.tolist()), rest.outcomes(), strict=True))
            yield Answers(
                index=settled.rows.index,
                outcomes=self.coded(block, settled),
                words=question.words,
                statuses=question.statuses,
                engine=session.engine,
                board=rows.board,
                view=settled,
            )


def asked(engines: Sequence[str], tried: Sequence[str]) -> dict[str, object]:
    """The fields of a record for engines that answered several questions, and those that answered none."""
    return {"engines": list(engines), **({"tried": list(tried)} if tried else {})}


def after(engines: Sequence[str], tried: Sequence[str]) -> str | None:
    """The same in words: `native and glucose4`, `glucose4 after native`."""
    return " after ".join(filter(None, [" and ".join(engines), ", ".join(tried)])) or None


def limit_of(limit: int | None, every: bool, usual: int = 0) -> int | None:
    """The most solutions that --limit, `usual` unless given, and --all ask for; None is all."""
    if limit is not None and limit < 0:
        raise InputError(f"--limit {limit}: expected 0 (all) or more")
    if every and limit not in (0, usual):
        raise InputError(f"--limit {limit} and --all: choose one")
    return None if every else limit or None


def solved_lines(block: Block, answers: Answers) -> Iterator[tuple[str, str, list[str]]]:
    """For each answer the name of its puzzle, its outcome, and its solutions as lines."""
    words = map(answers.words.__getitem__, answers.outcomes.tolist())
    return zip(block.names(answers.index.tolist()), words, answers.view.lines(), strict=True)


def sessions(names: Sequence[str | None], encoding: str | None) -> list[Session]:
    """A session for each name. The encoding goes to those that take one; Refused if none does."""
    rows = list(map(backends.engine, names))
    if encoding is not None and not any(row.encodes for row in rows):
        given = "--encoding or --reduce" if encoding.endswith("+reduced") else f"--encoding {encoding}"
        raise Refused(f"no encoding is taken by {', '.join(row.name for row in rows)}; leave out {given}")
    return [Session(name, encoding if row.encodes else None) for name, row in zip(names, rows, strict=True)]


def item_puzzle(item: Item) -> Puzzle:
    assert isinstance(item.puzzle, Puzzle)
    return item.puzzle


def solution_pictures(puzzle: Puzzle, grids: Iterable[Grid | None]) -> list[Picture]:
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
    return f"{text}; as far as stated: {joined(missing)} {verb} not enforced" if missing else text
