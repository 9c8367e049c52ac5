"""Where the work is done: judges that stay open, and pieces of input that they answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from satdoku.backends import ENDINGS, PASSED, Budget, Ending, Preparing, Tallies
from satdoku.batch import questions
from satdoku.batch.questions import Ask
from satdoku.constraints import Grid
from satdoku.errors import Disagreement, InputError, SatdokuError, worse
from satdoku.formats import Options
from satdoku.inputs.sources import Block, Entry, Piece
from satdoku.printing import CHECK_STATUS, Settled, Shown, Style, lines_of, solution
from satdoku.puzzle import Puzzle
from satdoku.variants import describe, shape
from satdoku.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from satdoku.batch.rows import Rows
    from satdoku.certifier import Certifier

Show = Callable[[Entry, Outcome, Style], Shown]
Out = Callable[[str], None]
"""Takes what is printed, lines without the last one's end."""


@dataclass(frozen=True, slots=True)
class Certification:
    """That each verdict is to be certified: who checks, within how many seconds, and whether the records are kept."""

    checker: str
    seconds: float | None
    keep: bool


@dataclass(frozen=True, slots=True)
class Job:
    """A question to many puzzles, and how its answers look. It goes to workers, so all of it pickles.

    streams:  whether solutions are printed as they come; how many may come for one puzzle
    bulk:     what to ask of arrays; None if the question needs each puzzle by itself
    finish:   turns the outcome of an array's row into the question's
    show_many: prints rows of arrays at once; None if each is shown by itself
    certify:  None if verdicts are taken as they are
    """

    backends: tuple[str | None, ...]
    encoding: str | None
    options: Options
    ask: Ask
    show: Show
    style: Style
    streams: bool = False
    limit: int | None = 1
    bulk: Budget | None = None
    finish: Callable[[Outcome], Outcome] | None = None
    show_many: Callable[[Settled, Style], list[str | None]] | None = None
    certify: Certification | None = None


@dataclass(slots=True)
class Done:
    """What became of a piece.

    words:   how often each answer came;  read: each format and shape;  engines: each backend
    said:    lines for standard error
    status:  the exit status that all of it means
    fatal:   the error that ends the run
    lines:   lines of input that are settled
    text:    what it prints, where that was not printed at once
    records: its certificates, where they are kept
    """

    words: Counter[str] = field(default_factory=Counter)
    read: Counter[str] = field(default_factory=Counter)
    engines: Counter[str] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)
    status: int = 0
    fatal: SatdokuError | None = None
    lines: int = 0
    text: str = ""
    records: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def say(self, text: str, status: int = 0) -> None:
        self.said.append(text)
        self.status = worse(self.status, status)

    def add(self, other: Done) -> None:
        """Take over the figures of another."""
        self.words += other.words
        self.read += other.read
        self.engines += other.engines
        self.lines += other.lines
        self.status = worse(self.status, other.status)


class Desk:
    """One worker's judges. Raises as `questions.judges` does."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._judges = questions.judges(job.backends, job.encoding)
        self._certifier: Certifier | None = None
        if job.certify is not None:
            from satdoku.certifier import Certifier

            self._certifier = Certifier(job.backends[0], job.certify.checker)

    def prepare(self) -> None:
        """Do what backends do once, before anything is timed."""
        for judge in self._judges:
            if isinstance(judge.backend, Preparing):
                judge.backend.prepare()

    def close(self) -> None:
        for judge in self._judges:
            judge.close()

    def work(self, piece: Piece, out: Out) -> Done:
        """Answer a piece; what is printed goes to `out`. Puzzles at fault cost only themselves."""
        done = Done()
        started = perf_counter()
        try:
            if isinstance(piece, Entry):
                self._entry(piece, done, out)
                done.lines = 1
            else:
                self._block(piece, done, out)
        except SatdokuError as error:
            done.fatal = error
        done.seconds = perf_counter() - started
        return done

    def collected(self, piece: Piece) -> Done:
        """The same, with what is printed in the answer."""
        texts: list[str] = []
        done = self.work(piece, texts.append)
        done.text = "".join(f"{text}\n" for text in texts)
        return done

    def _block(self, block: Block, done: Done, out: Out) -> None:
        texts: list[str | None] = [None] * len(block)
        settled = [False] * len(block)
        outcomes: dict[int, tuple[Rows, int, Outcome]] = {}
        if self._job.bulk is not None:
            from satdoku.batch.rows import plain

            for rows in plain(block, self._job.options):
                self._rows(rows, block, done, texts, settled, outcomes)
        if None not in texts:
            out("\n".join(texts))  # type: ignore[arg-type]
            done.lines += len(block)
            return
        ready: list[str] = []
        for index, text in enumerate(texts):
            if text is not None:
                ready.append(text)
            elif not settled[index]:
                if ready:
                    out("\n".join(ready))
                    ready = []
                entry = self._read(block, index, outcomes)
                if entry is not None:
                    self._entry(entry, done, out, outcomes[index][2] if index in outcomes else None)
        if ready:
            out("\n".join(ready))
        done.lines += len(block)

    def _read(self, block: Block, index: int, outcomes: dict[int, tuple[Rows, int, Outcome]]) -> Entry | None:
        if index not in outcomes:
            return block.entry(index, self._job.options)
        rows, row, _ = outcomes[index]
        name = f"{block.origin}:{block.numbers[index]}"
        expected = None if block.expected is None else block.expected[index]
        return Entry(name, "line", rows.puzzle(row, name), (), block.lines[index].decode().rstrip("\r\n"), expected)

    def _rows(
        self,
        rows: Rows,
        block: Block,
        done: Done,
        texts: list[str | None],
        settled: list[bool],
        outcomes: dict[int, tuple[Rows, int, Outcome]],
    ) -> None:
        """Search rows at once; what needs no further look is printed at once, the rest gets an outcome."""
        import numpy as np

        from satdoku.batch.rows import tallied

        job, judge = self._job, self._judges[0]
        assert job.bulk is not None
        tallies = tallied(judge, rows, job.bulk, block)
        if tallies is None:
            return
        engine = judge.engine
        plainly = np.zeros(len(rows.index), np.bool_)
        if job.show_many is not None:
            plainly = (tallies.counts > 0) & np.isin(tallies.endings, DECIDED)
            unique = tallies.counts == 1
            if block.expected is not None:
                stated = [block.expected[index] for index in rows.index.tolist()]
                found = lines_of(tallies.grids[:, 0], rows.board.values)
                plainly &= unique & np.array([one == two for one, two in zip(stated, found, strict=True)], np.bool_)
            chosen = np.flatnonzero(plainly)
            index = rows.index[chosen].tolist()
            numbers = block.numbers if len(index) == len(block) else [block.numbers[line] for line in index]
            names = [f"{block.origin}:{number}" for number in numbers]
            given = [block.lines[line] for line in index] if job.style.echo else []
            shown = job.show_many(
                Settled(names, given, unique[chosen], tallies.grids[chosen], rows.board, engine), job.style
            )
            for line, text in zip(index, shown, strict=True):
                texts[line] = text
                settled[line] = True
            both = int(unique[chosen].sum())
            for verdict, number in ((Verdict.UNIQUE, both), (Verdict.MULTIPLE, len(chosen) - both)):
                if number:
                    done.words[verdict.value] += number
                    done.status = worse(done.status, CHECK_STATUS[verdict])
            if len(chosen):
                done.read[f"line, {shape(rows.board)}"] += len(chosen)
                done.engines[engine] += len(chosen)
        for row in np.flatnonzero(~plainly & (tallies.endings != PASSED)).tolist():
            outcomes[int(rows.index[row])] = (rows, row, self._outcome(rows, row, tallies, engine))

    def _outcome(self, rows: Rows, row: int, tallies: Tallies, engine: str) -> Outcome:
        count = int(tallies.counts[row])
        grids = tuple(tuple(grid) for grid in tallies.grids[row, : min(count, 2)].tolist())
        clash = None if count else next(rows.puzzle(row, "").clashes(), None)
        ending = ENDINGS[tallies.endings[row]]
        outcome = Outcome(count=count, grids=grids, ending=ending, backend=engine, seconds=0.0, reason=clash)
        return outcome if self._job.finish is None else self._job.finish(outcome)

    def _entry(self, entry: Entry, done: Done, out: Out, known: Outcome | None = None) -> None:
        """Answer one puzzle; `known` where its outcome is."""
        job = self._job
        puzzle = entry.found
        if isinstance(puzzle, InputError):
            done.words["at fault"] += 1
            done.say(str(puzzle), puzzle.status)
            return
        try:
            if self._certifier is not None:
                self._certifier.admit(puzzle)
            outcome = self._asked(entry, puzzle, out) if known is None else self._given(entry, known, out)
            if self._certifier is not None:
                outcome = self._certified(self._certifier, puzzle, outcome, done)
        except (InputError, Disagreement) as error:
            done.words["at fault"] += 1
            done.say(str(error), error.status)
            return
        for note in entry.notes:
            done.say(f"{entry.origin}: {note}")
        done.read[f"{entry.format}, {describe(puzzle) if job.style.alone else shape(puzzle.board)}"] += 1
        done.engines[outcome.backend] += 1
        self._print(job.show(entry, outcome, job.style), entry.origin, done, out)

    def _certified(self, certifier: Certifier, puzzle: Puzzle, outcome: Outcome, done: Done) -> Outcome:
        """The outcome, marked as certified; undecided if there was no time left for it."""
        how = self._job.certify
        assert how is not None
        left = None if how.seconds is None else max(0.0, how.seconds - outcome.seconds)
        certificate = certifier.certify(puzzle, outcome, left)
        if certificate is None:
            return replace(outcome, ending=Ending.TIMEOUT)
        if how.keep:
            from satdoku.proofs.certificate import record

            done.records.append(record(certificate))
        return replace(outcome, certified=True)

    def _asked(self, entry: Entry, puzzle: Puzzle, out: Out) -> Outcome:
        job = self._job

        def found(grid: Grid) -> None:
            out(solution(entry, grid, job.style, several=job.limit != 1))

        return job.ask(self._judges, puzzle, found if job.streams else None)

    def _given(self, entry: Entry, outcome: Outcome, out: Out) -> Outcome:
        if self._job.streams:
            for grid in outcome.grids:
                out(solution(entry, grid, self._job.style, several=self._job.limit != 1))
        return outcome

    def _print(self, shown: Shown, origin: str, done: Done, out: Out) -> None:
        if shown.text is not None and (not self._job.style.only or shown.word in self._job.style.only):
            out(shown.text)
        if shown.note is not None:
            done.say(f"{origin}: {shown.note}")
        done.words[shown.word] += 1
        done.status = worse(done.status, shown.status)


DECIDED = [ENDINGS.index(Ending.EXHAUSTED), ENDINGS.index(Ending.LIMIT)]
