"""`satdoku check`: a verdict for each puzzle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from satdoku.backends import Budget
from satdoku.batch.questions import Answer, Answers, Asking, Emit, Style
from satdoku.commands import Command
from satdoku.commands.asking import answer
from satdoku.commands.options import (
    ENGINE,
    INPUT,
    OUTPUT,
    PROOFS,
    CheckerName,
    Engine,
    Input,
    Many,
    Output,
    Puzzles,
    Timeout,
    Timing,
    complete_backend,
    composed,
    option,
)
from satdoku.commands.searches import (
    DECIDED,
    STATUS,
    Search,
    Sessions,
    backend_names,
    board_of,
    contenders,
    puzzle_of,
    sentence,
)
from satdoku.errors import InputError
from satdoku.inputs.items import Block, Item
from satdoku.pictures import Picture
from satdoku.puzzle import Puzzle
from satdoku.referee import violations
from satdoku.terminal.grids import drawn, line
from satdoku.verdict import Outcome, Verdict, agree

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from satdoku.backends import Tallies
    from satdoku.batch.rows import Rows
    from satdoku.certifier import Certifier

CHECKER = "rup"

DIFFERENT = "unlike the expected solution"

WORDS = (Verdict.UNIQUE, Verdict.MULTIPLE, Verdict.UNSOLVABLE)
"""The verdicts of rows of arrays, by their codes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Search):
    """Whether each puzzle has one solution.

    solutions: whether two solutions of a multiple puzzle are part of the answer
    echo:      whether the line that was read is, in text that alone
    alone:     whether there is one puzzle in all
    checker:   who checks a proof of each verdict; None if verdicts are not proved
    keep:      whether the proofs are kept
    """

    solutions: bool = False
    echo: bool = False
    alone: bool = False
    checker: str | None = None
    keep: bool = False

    @property
    def columns(self) -> Mapping[str, type]:  # type: ignore[override]
        extra: dict[str, tuple[type, bool]] = {
            "solution 2": (str, self.solutions),
            "seconds": (float, self.timing),
            "input": (str, self.echo),
        }
        some = {name: kind for name, (kind, wanted) in extra.items() if wanted}
        return {"puzzle": str, "verdict": str, "backend": str, "solution": str, **some, "error": str}

    def open(self) -> Checking:
        plain = len(self.backends) == 1 and not self.timing and not self.alone
        return BulkChecking(self) if plain else Checking(self)

    def text(self, item: Item, answer: Answer, style: Style) -> str | None:
        outcome = answer.view
        if self.echo and outcome is not None:
            return item.text
        if not isinstance(outcome, Outcome):
            return Asking.text(self, item, answer, style)
        board, verdict = board_of(item), outcome.verdict
        if style.alone:
            drawings = [f"\n\n{drawn(board, grid, style.boxed)}" for grid in outcome.grids]
            return sentence(verdict, outcome) + self.took(outcome, True) + "".join(drawings)
        grids = [line(board, grid) for grid in outcome.grids] if self._shows(verdict, text=True) else []
        return "\t".join([item.name, verdict.value, *grids]) + self.took(outcome, False)

    def _shows(self, verdict: Verdict, text: bool = False) -> bool:
        if verdict is Verdict.MULTIPLE or text:
            return self.solutions
        return verdict is Verdict.UNIQUE

    def answered(self, item: Item, outcome: Outcome, proof: str | None = None) -> Answer:
        """The answer that an outcome makes."""
        board, verdict = board_of(item), outcome.verdict
        more: dict[str, object] = {"verdict": verdict.value, "backend": outcome.backend}
        shown = [line(board, grid) for grid in outcome.grids] if self._shows(verdict) else []
        more |= _solutions(shown)
        if outcome.certified:
            more["certified"] = True
        if self.echo:
            more["input"] = item.text
        return Answer(
            status=STATUS[verdict],
            outcome=verdict.value,
            record=self.record(item, outcome, more),
            engine=outcome.backend,
            view=outcome,
            pictures=(Picture(puzzle_of(item), outcome.grids[0] if outcome.grids else None, title=""),),
            proof=proof,
        )

    def compared(self, item: Item, answer: Answer) -> Answer:
        """The same, or that the solution which was expected is not one, by the rules and not by what was found."""
        stated = (item.expected or "").strip()
        if not stated or _solves(puzzle_of(item), stated):
            return answer
        solution = answer.record.get("solution")
        found = f", found {solution}" if solution else ""
        note = f"expected the solution {stated[:100]!r}{found}"
        return replace(
            answer, status=4, outcome=DIFFERENT, notes=(*answer.notes, note), record={**answer.record, "error": note}
        )

    def row(self, record: Mapping[str, object]) -> Mapping[str, object]:
        """Two solutions have a column each."""
        solutions = record.get("solutions")
        if not isinstance(solutions, list):
            return record
        return {**record, "solution": solutions[0], "solution 2": solutions[1]}

    def texts(self, block: Block, answers: Answers) -> Sequence[str]:
        lines = answers.index.tolist()
        if self.echo:
            return [block.lines[index].decode().rstrip("\r\n") for index in lines]
        outcomes = answers.outcomes.tolist()
        words = [f"\t{word}" for word in answers.words]
        if not self.solutions:
            return [name + words[code] for name, code in zip(block.names(lines), outcomes, strict=True)]
        first, second = _two_lines(answers)
        ends = ((f"\t{one}", f"\t{one}\t{two}", "") for one, two in zip(first, second, strict=True))
        each = zip(block.names(lines), outcomes, ends, strict=True)
        return [name + words[code] + end[code] for name, code, end in each]

    def records(self, block: Block, answers: Answers) -> Iterator[Mapping[str, object]]:
        lines = answers.index.tolist()
        first, second = _two_lines(answers)
        each = zip(lines, block.names(lines), answers.outcomes.tolist(), first, second, strict=True)
        for index, name, code, one, two in each:
            record: dict[str, object] = {"puzzle": name, "verdict": answers.words[code], "backend": answers.engine}
            record |= _solutions([one][: code == 0] if code != 1 else [one, two] * self.solutions)
            if self.echo:
                record["input"] = block.lines[index].decode().rstrip("\r\n")
            yield record


def _two_lines(answers: Answers) -> tuple[list[str], list[str]]:
    from satdoku.batch.rows import lines_of

    grids, size = answers.columns["solutions"], answers.board.values
    return lines_of(grids[:, 0], size), lines_of(grids[:, 1], size)


def _solutions(lines: Sequence[str]) -> dict[str, object]:
    """One solution, or several; in tables the second has a column of its own."""
    if len(lines) == 2:
        return {"solutions": list(lines)}
    return {"solution": lines[0]} if lines else {}


def _solves(puzzle: Puzzle, stated: str) -> bool:
    """Whether a text as `line` writes it is a solution."""
    compact = "".join(stated.split())
    try:
        grid = tuple(map(int, compact.split(",") if "," in compact else compact))
    except ValueError:
        return False
    return len(grid) == puzzle.board.cells and next(violations(puzzle, grid), None) is None


class Checking:
    """One worker's backends."""

    def __init__(self, question: Check) -> None:
        self._question = question
        self._sessions = Sessions(question)
        self._certifier: Certifier | None = None
        if question.checker is not None:
            from satdoku.certifier import Certifier

            self._certifier = Certifier(question.backends[0], question.checker)

    def prepare(self) -> None:
        self._sessions.prepare()

    def close(self) -> None:
        self._sessions.close()

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        puzzle, question = puzzle_of(item), self._question
        if self._certifier is not None:
            self._certifier.admit(puzzle)
        outcome = self._sessions.known(item) or self._checked(puzzle)
        proof = None
        if self._certifier is not None:
            outcome, proof = self._certified(self._certifier, puzzle, outcome)
        return question.compared(item, question.answered(item, outcome, proof))

    def _checked(self, puzzle: Puzzle) -> Outcome:
        """The first decided outcome; raises Disagreement where backends differ."""
        outcomes = [session.run(puzzle, Budget(2, self._question.timeout)) for session in self._sessions.open]
        decided = next((outcome for outcome in outcomes if outcome.verdict is not Verdict.UNDECIDED), outcomes[0])
        for outcome in outcomes:
            agree(decided, outcome, puzzle.name)
        return decided

    def _certified(self, certifier: Certifier, puzzle: Puzzle, outcome: Outcome) -> tuple[Outcome, str | None]:
        """The outcome, marked as certified; undecided if there was no time left for it."""
        from satdoku.backends import Ending
        from satdoku.proofs.certificate import record

        timeout = self._question.timeout
        left = None if timeout is None else max(0.0, timeout - outcome.seconds)
        certificate = certifier.certify(puzzle, outcome, left)
        if certificate is None:
            return replace(outcome, ending=Ending.TIMEOUT), None
        return replace(outcome, certified=True), record(certificate) if self._question.keep else None


class BulkChecking(Checking):
    """The same, with lines of plain puzzles in arrays."""

    def answer_many(self, block: Block) -> Iterator[Answers]:
        import numpy as np

        from satdoku.batch.rows import clashing

        for rows, tallies in self._sessions.rows(block, Budget(2, self._question.timeout)):
            counts = tallies.counts
            known = np.isin(tallies.endings, DECIDED)
            if (counts == 0).any():
                known &= (counts > 0) | ~clashing(rows)  # givens that clash have a reason to say
            if block.expected is not None:
                known &= _as_expected(block, rows, tallies)
            if self._certifier is not None:
                known[:] = False
            chosen = np.flatnonzero(known)
            self._sessions.remember(block, rows, tallies, np.flatnonzero(~known).tolist())
            outcomes = np.where(counts == 1, 0, np.where(counts > 1, 1, 2)).astype(np.uint8)
            yield Answers(
                index=rows.index[chosen],
                outcomes=outcomes[chosen],
                words=tuple(verdict.value for verdict in WORDS),
                statuses=tuple(STATUS[verdict] for verdict in WORDS),
                engine=self._sessions.open[0].engine,
                board=rows.board,
                columns={"solutions": tallies.grids[chosen], "count": counts[chosen]},
            )


def _as_expected(block: Block, rows: Rows, tallies: Tallies) -> NDArray[np.bool_]:
    """Which rows have one solution, and that as it is stated beside them; or nothing stated."""
    import numpy as np

    from satdoku.batch.rows import lines_of

    assert block.expected is not None
    stated = [(block.expected[line] or "").strip() for line in rows.index.tolist()]
    found = lines_of(tallies.grids[:, 0], rows.board.values)
    same = np.array([one in ("", two) for one, two in zip(stated, found, strict=True)], np.bool_)
    found_one: NDArray[np.bool_] = tallies.counts == 1
    return same & found_one


@composed
def command(
    input: Input,
    engine: Engine,
    many: Many,
    output: Output,
    puzzles: Puzzles = None,
    compare: Annotated[
        str | None,
        option(ENGINE, "--compare", help="BACKEND,BACKEND...: they must agree.", autocompletion=complete_backend),
    ] = None,
    timeout: Timeout = None,
    expect: Annotated[
        str | None, option(INPUT, "--expect", help="With --column: the column of solutions to compare with.")
    ] = None,
    solutions: Annotated[bool, option(OUTPUT, "--solutions", help="Show two solutions of a multiple puzzle.")] = False,
    echo: Annotated[bool, option(OUTPUT, "--echo", help="Print the line that was read; as text, that alone.")] = False,
    timing: Timing = False,
    certified: Annotated[bool, option(PROOFS, "--certified", help="Prove each verdict, and check the proof.")] = False,
    proofs: Annotated[
        Path | None,
        option(PROOFS, "--proofs", help="A file that keeps what --certified proves; .gz and .zst are compressed."),
    ] = None,
    checker: CheckerName = CHECKER,
) -> None:
    """A verdict for each puzzle: unique, multiple, unsolvable or undecided.

    Every grid is checked; that there is no other one, the backend is believed. --certified has it prove that,
    --compare asks others too.

    Exit status: 0 all unique, 1 some multiple or unsolvable, 2 invalid input, 3 some undecided,
    4 a wrong answer, or backends that disagree.
    """
    if compare is not None and engine.backend is not None:
        raise InputError("--compare names the backends already: leave out --backend")
    if expect is not None and input.column is None:
        raise InputError("--expect names a column beside that of --column: name that too")
    encoding = engine.encoding_name()
    if certified and (compare is not None or encoding is not None):
        raise InputError("--certified has one backend and an encoding of its own: leave out --compare and --encoding")
    if not certified and (proofs is not None or checker != CHECKER):
        raise InputError("--proofs and --checker are for what --certified proves: add --certified")
    names = [engine.backend] if compare is None else contenders(compare)
    answer(
        lambda run: Check(
            backends=backend_names(names, run.many),
            encoding=encoding,
            timeout=timeout,
            timing=timing,
            options=run.options,
            solutions=solutions,
            echo=echo,
            alone=run.alone,
            checker=checker if certified else None,
            keep=proofs is not None,
        ),
        puzzles=puzzles,
        input=input,
        many=many,
        output=output,
        timeout=timeout,
        known=[*(verdict.value for verdict in Verdict), DIFFERENT],
        expect=expect,
        remark=f"; {', '.join(map(str, names))} compared" if compare else "; certified" if certified else "",
        proofs=proofs,
        pictures=True,
    )


COMMANDS = (Command(name="check", function=command, order=10),)
