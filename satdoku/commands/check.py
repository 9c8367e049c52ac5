"""`satdoku check`: a verdict for each puzzle."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from satdoku.backends import Budget, Ending
from satdoku.batch.questions import UNDECIDED, Answer, Answers, Emit, Style
from satdoku.commands import options, searches
from satdoku.commands.asking import SearchRun, answer
from satdoku.commands.options import ENGINE, INPUT, OUTPUT, PROOFS, composed, option
from satdoku.constraints import Grid
from satdoku.errors import InputError
from satdoku.formats.line import flat as line
from satdoku.formats.line import grid_of
from satdoku.inputs.items import STANDARD_INPUT, Block, Item, Read
from satdoku.outcome import VERDICTS
from satdoku.puzzle import Puzzle
from satdoku.referee import violations
from satdoku.terminal.texts import cell_lines, grid_drawing, marked
from satdoku.verdict import Outcome, Verdict, agree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.batch.rows import Searched
    from satdoku.setter.difficulty import Difficulty

CHECKER = "drat"
SECONDS = 60.0  # for the difficulty of a puzzle unless a timeout is named
MAX_SHOWN = 120  # characters of a puzzle in the command that is shown for it
DIFFERENT = "unlike the expected solution"
OTHER = 3  # which of the words of `Check` that is
SHOWN = (*VERDICTS[:3], Verdict.UNIQUE.value)
"""The verdict that is shown for each of these words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(searches.SearchQuestion):
    """Whether each puzzle has one solution."""

    compare: str | None = option(
        ENGINE, "BACKEND,BACKEND...: they must agree.", joined=True, autocompletion=options.complete_backend
    )
    timeout: options.Timeout = None
    expect: str | None = option(INPUT, "With --column: the column of solutions to compare with.")
    solutions: bool = option(OUTPUT, "Show two solutions of a multiple puzzle.", default=False)
    echo: bool = option(
        OUTPUT, "Add the text that was read, and the columns of a table; as text print the line alone.", default=False
    )
    difficulty: bool = option(
        OUTPUT, "Add how hard each unique puzzle is for people, as `satdoku difficulty`.", default=False
    )
    timing: options.Timing = False
    certified: bool = option(PROOFS, "Prove each verdict, and check the proof.", default=False)
    proofs: Path | None = option(PROOFS, "A file that keeps what --certified proves; .gz and .zst are compressed.")
    checker: options.CheckerName = CHECKER
    outcomes, pictures = (*VERDICTS, DIFFERENT), True
    words, statuses = (*VERDICTS[:3], DIFFERENT), (0, 1, 1, 4)  # unique, multiple, unsolvable, and unique too
    by_count = (2, 0, 1)

    @property
    def columns(self) -> Mapping[str, type]:
        own = self._own()
        return dict.fromkeys(_renamed(self.header, tuple(own)).values(), str) | own

    def _own(self) -> dict[str, type]:
        """The columns behind those of the input."""
        columns = searches.table("puzzle verdict backend solution" if self.echo else "verdict backend solution")
        columns |= {"solution 2": str} if self.solutions else {}
        columns |= {"seconds": float} if self.timing else {}
        if self.difficulty:
            columns |= searches.columns(searches.DIFFICULTY)
        elif self.rate and self.alone:
            columns["difficulty"] = str
        columns |= {"mismatch": str} if self.expect is not None else {}
        return columns | {"error": str}

    def rated(self, puzzle: Puzzle, outcome: Outcome) -> Difficulty | None:
        if not self.difficulty or outcome.verdict is not Verdict.UNIQUE:
            return super(Check, self).rated(puzzle, outcome)
        from satdoku.setter.difficulty import scored

        return scored(puzzle, SECONDS if self.timeout is None else self.timeout)

    def open(self) -> Checking:
        return Checking(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        if style.alone and answer.view is None and answer.outcome == UNDECIDED:
            return UNDECIDED  # of a puzzle that could not be read in time, too, a verdict is asked
        text = super(Check, self).text(item, answer, style)
        differs = answer.outcome == DIFFERENT and not (style.alone or self.echo)
        return f"{text}\t{DIFFERENT}" if differs else text

    def view_text(self, item: Item, outcome: Outcome, style: Style) -> str | None:
        if self.echo:
            return item.text
        board, verdict = searches.item_puzzle(item).board, outcome.verdict
        if style.alone:
            sentence = searches.sentence(verdict, outcome, searches.item_puzzle(item)) + self.timing_text(outcome, True)
            drawings = [grid_drawing(board, grid, style.boxed) for grid in outcome.grids]
            differ = _differ(outcome.grids)
            if style.color:
                drawings = [marked(drawing, differ) for drawing in drawings]
            elif differ:
                drawings.append("\n".join(cell_lines("they differ in ", board, differ)))
            return "\n\n".join([sentence, *drawings, *_next(item, outcome)])
        grids = [line(board, grid) for grid in outcome.grids] if self.solutions else []
        return "\t".join([item.name, verdict.value, *grids]) + self.timing_text(outcome, False)

    def answered(self, item: Item, outcome: Outcome, proof: str | None = None) -> Answer:
        verdict, puzzle = outcome.verdict, searches.item_puzzle(item)
        lines, rated = [line(puzzle.board, grid) for grid in outcome.grids], self.rated(puzzle, outcome)
        more: Mapping[str, object] = {}
        if rated:
            more = rated.record() if self.difficulty else {"difficulty": rated.record()}
        return Answer(
            status=searches.STATUS[verdict],
            outcome=verdict.value,
            record=self.record(self.about(item), outcome, lines, more, puzzle.not_enforced),
            engine=outcome.answered_by,
            view=outcome,
            notes=(f"{rated}{rated.ratings_text}",) if rated and (self.alone or self.rate) else (),
            pictures=lambda: searches.solution_pictures(puzzle, (outcome.grid,)),
            proof=proof,
        )

    def fields(self, outcome: Outcome) -> Iterator[str]:
        """In tables the second solution has a column of its own."""
        verdict = outcome.verdict
        yield from ("verdict", "backend")
        if verdict is Verdict.UNIQUE:
            yield "solution"
        elif verdict is Verdict.MULTIPLE and self.solutions:
            yield "solutions"
        if outcome.certified:
            yield "certified"

    def beside(self, read: Callable[[], Read]) -> Mapping[str, object]:
        if not self.echo:
            return {}
        text, row = read()
        texts = {"puzzle": text.strip("\r\n")}
        return {**texts, "input": dict(row)} if row else texts

    def compared(self, item: Item, answer: Answer) -> Answer:
        """The same, or that the solution which was expected is not one, by the rules and not by what was found."""
        stated = (item.expected or "").strip()
        if not stated or _solves(searches.item_puzzle(item), stated):
            return answer
        record = {**answer.record, "mismatch": stated}
        notes = (f"{DIFFERENT}, {stated[:MAX_SHOWN]!r}",) if self.alone else ()
        return replace(answer, status=4, outcome=DIFFERENT, notes=(*answer.notes, *notes), record=record)

    def row(self, record: Mapping[str, object]) -> Mapping[str, object]:
        """Two solutions have a column each, and so have the columns of the input."""
        solutions, given = record.get("solutions"), record.get("input")
        if isinstance(solutions, list):
            record = {**record, "solution": solutions[0], "solution 2": solutions[1]}
        if not isinstance(given, Mapping):
            return record
        called = _renamed(self.header, tuple(self._own()))
        return {**{called[name]: value for name, value in given.items()}, **record}

    def records(self, block: Block, answers: Answers) -> Iterator[Mapping[str, object]]:
        records, expected = super(Check, self).records(block, answers), block.expected or ()
        for record, code, index in zip(records, answers.outcomes.tolist(), answers.index.tolist(), strict=True):
            yield record if code < OTHER else {**record, "mismatch": (expected[index] or "").strip()}

    def texts(self, block: Block, answers: Answers) -> Sequence[str]:
        lines = answers.index.tolist()
        if self.echo:
            return [block.lines[index].decode().rstrip("\r\n") for index in lines]
        if self.solutions:
            ends = ("", "", "", f"\t{DIFFERENT}")
            rows = zip(searches.solved_lines(block, answers), answers.outcomes.tolist(), strict=True)
            return ["\t".join((name, SHOWN[code], *grids)) + ends[code] for (name, _, grids), code in rows]
        words = [f"\t{word}" for word in (*SHOWN[:3], f"{SHOWN[3]}\t{DIFFERENT}")]
        return [name + words[code] for name, code in zip(block.names(lines), answers.outcomes.tolist(), strict=True)]


@lru_cache(maxsize=4)
def _renamed(header: tuple[str, ...], own: tuple[str, ...]) -> Mapping[str, str]:
    """What the columns of the input are called beside those of the output, which have the same names everywhere."""
    called: dict[str, str] = {}
    for name in header:
        new = name
        while new in own or new in called.values() or (new != name and new in header):
            new = f"input {new}"
        called[name] = new
    return called


def _differ(grids: Sequence[Grid]) -> tuple[int, ...]:
    """The cells in which two solutions differ."""
    return tuple(cell for cell, values in enumerate(zip(*grids[:2], strict=True)) if len(set(values)) > 1)


def _next(item: Item, outcome: Outcome) -> Iterator[str]:
    """What to do next, for people."""
    verdict, puzzle = outcome.verdict, item.name
    if puzzle.startswith("argument "):
        puzzle = item.text if len(item.text) <= MAX_SHOWN and item.text.isprintable() else ""
    elif puzzle.startswith(f"{STANDARD_INPUT}:"):
        puzzle = ""
    dashes = "-- " if puzzle.startswith("-") else ""
    named = f"`satdoku explain {dashes}{shlex.quote(puzzle)}`"
    command = named if puzzle else "`satdoku explain`, given the same puzzle,"
    if verdict is Verdict.MULTIPLE:
        yield f"{command} says what would make it unique"
    elif verdict is Verdict.UNSOLVABLE and not outcome.reason:
        yield f"{command} says what conflicts"
    elif verdict is Verdict.UNDECIDED:
        yield "a longer --timeout, or another engine (-b race:native,cadical195), may decide it"


def _solves(puzzle: Puzzle, stated: str) -> bool:
    """Whether a text as `line` writes it is a solution."""
    grid = grid_of(puzzle.board, stated)
    return grid is not None and next(violations(puzzle, grid), None) is None


class Checking(searches.Searching[Check]):
    def __init__(self, question: Check) -> None:
        super().__init__(question)
        self._certifier = None
        if question.certified:
            from satdoku.certifier import Certifier

            self._certifier = Certifier(question.backends[0], question.checker)

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle, proof = searches.item_puzzle(item), None
        if self._certifier is not None:
            self._certifier.admit(puzzle)
        timeout = self.question.within(item).timeout
        outcome = self.known.pop(item.name, None) or self._checked(puzzle, timeout)
        if self._certifier is not None:
            outcome, proof = self._certified(puzzle, outcome, timeout)
        return self.question.compared(item, self.question.answered(item, outcome, proof))

    def _checked(self, puzzle: Puzzle, timeout: float | None) -> Outcome:
        """The first decided outcome; raises Disagreement where backends differ."""
        outcomes = [session.run(puzzle, Budget(2, timeout)) for session in self.sessions]
        decided = next((outcome for outcome in outcomes if outcome.verdict is not Verdict.UNDECIDED), outcomes[0])
        for outcome in outcomes:
            agree(decided, outcome, puzzle.name)
        return decided

    def _certified(self, puzzle: Puzzle, outcome: Outcome, timeout: float | None) -> tuple[Outcome, str | None]:
        """The outcome, marked as certified; undecided if there was no time left for it."""
        from satdoku.proofs.certificate import record

        assert self._certifier is not None
        left = None if timeout is None else max(0.0, timeout - outcome.seconds)
        certificate = self._certifier.certify(puzzle, outcome, left)
        if certificate is None:
            return replace(outcome, ending=Ending.TIMEOUT), None
        return replace(outcome, certified=True), record(certificate) if self.question.proofs else None

    def accepted(self, block: Block, searched: Searched) -> NDArray[np.bool_] | bool:
        """Rows without a stated solution, and with one where only one is to be compared; none that is certified, and
        none with one solution that is to be rated."""
        if self._certifier is not None:
            return False
        unrated: NDArray[np.bool_] | bool = searched.results.counts != 1 if self.question.difficulty else True
        if block.expected is None or block.stated:
            return unrated
        import numpy as np

        cells = searched.rows.board.cells
        pairs = zip(self._stated(block, searched), searched.lines(), strict=True)
        plainly = (one in ("", *lines) or (len(one) == cells and one.isdigit()) for one, lines in pairs)
        single: NDArray[np.bool_] = searched.results.counts == 1
        empty = np.array([not one for one in self._stated(block, searched)], np.bool_)
        return ((single & np.fromiter(plainly, np.bool_, len(single))) | empty) & unrated

    def coded(self, block: Block, settled: Searched) -> NDArray[np.uint8]:
        """The verdicts, and where one solution is not the one that is stated, that."""
        codes = super().coded(block, settled)
        if block.expected is None or block.stated:
            return codes
        pairs = zip(self._stated(block, settled), settled.lines(), strict=True)
        codes[[row for row, (one, lines) in enumerate(pairs) if one and one not in lines]] = OTHER
        return codes

    def _stated(self, block: Block, searched: Searched) -> Iterator[str]:
        """The solution that stands beside each row."""
        expected = block.expected or ()
        return ((expected[line] or "").strip() for line in searched.rows.index.tolist())


@composed
def check(run: SearchRun, own: Check) -> None:
    """A verdict for each puzzle: unique, multiple, unsolvable or undecided.

    Every grid is checked. That no other grid exists rests on the backend: --certified has it prove that, --compare
    asks other backends too.

    Exit status: 0 all unique, 1 some multiple or unsolvable, 2 invalid input, 3 some undecided,
    4 a wrong answer, or backends that disagree.
    """
    encoding = run.engine.encoding_name()
    names = () if own.compare is None else tuple(own.compare.split(","))
    if own.compare is not None and run.engine.backend is not None:
        raise InputError("--compare names the backends already: leave out --backend")
    if own.expect is not None and run.input.column is None:
        raise InputError("--expect names a column beside that of --column: name that too")
    if own.certified and (own.compare is not None or encoding is not None):
        raise InputError("--certified has one backend and an encoding of its own: leave out --compare and --encoding")
    if not own.certified and (own.proofs is not None or own.checker != CHECKER):
        raise InputError("--proofs and --checker are for what --certified proves: add --certified")
    if own.compare is not None and len(names) < 2:
        raise InputError(f"--compare {own.compare}: expected two or more backends, such as cpsat,backtrack")
    answer(
        own.by(run.engine, names, rate=run.many.verbose),
        run,
        expect=own.expect,
        keep=own.echo,
        remark=f"; {', '.join(names)} compared" if own.compare else "; certified" if own.certified else "",
        proofs=own.proofs,
    )
