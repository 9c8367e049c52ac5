"""`satdoku audit`: what there is in a data set, as a page, a data card or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import typer

from satdoku.backends import PASSED, Budget, Ending
from satdoku.batch.layouts import Layout
from satdoku.batch.outputs import check_outputs
from satdoku.batch.questions import Answer, Answers, Emit, Evaluator
from satdoku.batch.sinks import Sink
from satdoku.commands import options
from satdoku.commands.asking import Run, answer
from satdoku.commands.classes import COMPARED, Classes, digest_of, files
from satdoku.commands.options import INPUT, OUTPUT, AsJson, Input, Many, Output, argument, composed, option
from satdoku.commands.puzzles import opened
from satdoku.commands.searches import item_puzzle
from satdoku.errors import InputError, Refused, worst_status
from satdoku.formats.line import grid_of
from satdoku.inputs.columns import Columns
from satdoku.inputs.items import Block, Item, items_of
from satdoku.inputs.streams import members
from satdoku.outcome import VERDICTS
from satdoku.puzzle import Puzzle
from satdoku.referee import faulty, violations
from satdoku.symmetries import Shuffle, canonical, digest, freedom, smallest
from satdoku.system.files import write_whole
from satdoku.terminal.audits import card, page, summary
from satdoku.terminal.messages import say
from satdoku.variants.boxes import box_of
from satdoku.verdict import Session

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FORMS = {".html": page, ".md": card}
RATING_SECONDS = 10.0  # for the difficulty of a puzzle of the sample


@dataclass(frozen=True, slots=True, kw_only=True)
class Audited(Classes):
    """The class, the verdict, the givens and the stated solution of each puzzle, as a record of `batch.audit`.

    others: the files to compare with
    """

    timeout: options.Timeout = None
    others: tuple[str, ...] = ()

    def open(self) -> Auditing:
        return Auditing(self)


class Auditing(Evaluator):
    def __init__(self, question: Audited) -> None:
        self._question, self._session = question, Session()

    def close(self) -> None:
        self._session.close()

    def answer(self, item: Item, emit: Emit | None) -> Answer:

        puzzle, question = item_puzzle(item), self._question.within(item)
        try:
            form = digest_of(puzzle, canonical(puzzle))
        except Refused:
            form = b""
        verdict = self._session.check(puzzle, timeout=question.timeout).verdict.value
        record = (
            form, item.number, puzzle.given_count, VERDICTS.index(verdict), _stated(puzzle, item.expected),
            self._file(item.name),
        )  # fmt: skip
        return Answer(status=0, outcome=COMPARED, record={}, view=_packed([record])[0])

    def answer_many(self, block: Block) -> Iterator[Answers]:
        import numpy as np

        from satdoku.batch.audit import RECORD
        from satdoku.batch.rows import clashes, plain, searched

        for rows in plain(block, self._question.options):
            box = box_of(rows.board)
            rows = rows[clashes(rows.board, rows.givens) < 0]
            if box is None or freedom(rows.board) is not Shuffle.ALL or not len(rows.index):
                continue
            every = searched(self._session, rows, Budget(2, self._question.timeout), block)
            if every is None:
                continue
            done = every.results.endings != PASSED
            rows, results = rows[done], every[done].results
            lines = smallest(box, rows.givens.astype(np.uint8)).astype(np.uint16)
            records = np.zeros(len(rows.index), RECORD)
            records["digest"] = [digest(rows.board, line.tobytes()) for line in lines]
            records["line"] = [block.numbers[line] for line in rows.index.tolist()]
            records["givens"] = (rows.givens > 0).sum(axis=1)
            exact = results.endings == Ending.EXHAUSTED.code
            one = np.where(results.counts > 0, 0, 2)
            records["verdict"] = np.where(results.counts > 1, 1, np.where(exact, one, 3))
            records["solution"] = _solutions(block, rows)
            records["file"] = self._file(block.name)
            yield Answers(
                index=rows.index,
                outcomes=np.zeros(len(records), np.uint8),
                words=(COMPARED,),
                statuses=(0,),
                engine="native",
                board=rows.board,
                view=records,
            )

    def _file(self, name: str) -> int:
        return file_of(name, self._question.others)


def file_of(name: str, others: Sequence[str]) -> int:
    """0 for a row of the file that is looked at, or the number of the other one that a name is of."""
    for number, other in enumerate(others, 1):
        if name == other or name.startswith((f"{other}:", f"{other}/")):
            return number
    return 0


def _stated(puzzle: Puzzle, expected: str | None) -> int:
    from satdoku.batch.audit import NONE, RIGHT, WRONG

    if not (expected or "").strip():
        grid = puzzle.solution
        if grid is None:
            return NONE
    else:
        grid = grid_of(puzzle.board, expected or "")
    return RIGHT if grid is not None and next(violations(puzzle, grid), None) is None else WRONG


def _solutions(block: Block, rows: Any) -> NDArray[np.uint8]:
    """What stands beside each row as its solution."""
    import numpy as np

    from satdoku.batch.audit import NONE, RIGHT, WRONG
    from satdoku.grading.arrays import lines_read

    states = np.full(len(rows.index), NONE, np.uint8)
    if block.expected is None:
        return states
    texts = [(block.expected[line] or "").strip() for line in rows.index.tolist()]
    states[:] = [WRONG if text else NONE for text in texts]
    index, grids = lines_read(texts, rows.board)
    states[index] = np.where(faulty(rows.board, rows.givens[index], grids.astype(np.uint16)), WRONG, RIGHT)
    for row in set(np.flatnonzero(states == WRONG).tolist()) - set(index.tolist()):  # as JSON, or with blanks
        states[row] = _stated(rows.puzzle(row, ""), texts[row])
    return states


def _packed(records: Any) -> list[bytes]:
    """Records as bytes, which are quick to send."""
    import numpy as np

    from satdoku.batch.audit import RECORD

    data = np.array(records, RECORD).tobytes()
    return [data[start : start + RECORD.itemsize] for start in range(0, len(data), RECORD.itemsize)]


@dataclass(frozen=True, slots=True)
class Records(Layout):
    """Records as bytes; of a row that cannot be read none, and they count these."""

    others: tuple[str, ...]

    def one(self, item: Item, answer: Answer) -> bytes | None:
        if isinstance(answer.view, bytes):
            return answer.view
        return None if file_of(item.name, self.others) else b""

    def many(self, block: Block, answers: Answers) -> Sequence[bytes]:
        return _packed(answers.view)

    def pack(self, rows: list[bytes]) -> Any:
        return b"".join(rows), rows.count(b"")


class AuditRecords(Sink):
    """The records of all rows, 30 bytes each."""

    def __init__(self) -> None:
        self.data, self.invalid = bytearray(), 0

    def write(self, parts: Sequence[Any]) -> None:
        for records, invalid in parts:
            self.data += records
            self.invalid += invalid


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOptions:
    file: str = argument("A file of puzzles: a line each, a table (CSV, TSV, Parquet) or JSON Lines.", metavar="FILE")
    against: list[str] | None = option(
        INPUT, "Name the puzzles that are equal to one of this file. May be repeated.", metavar="FILE"
    )
    expect: str | None = option(INPUT, "The column of solutions; `solution` if there is one.", metavar="NAME")
    output: list[Path] | None = option(
        OUTPUT, "A file for the report: .html, or .md for a data card. May be repeated.", "-o"
    )
    as_json: AsJson = False
    sample: int = option(OUTPUT, "How many puzzles to rate, drawn at random.", default=1000, metavar="N", least=0)
    seed: int = option(OUTPUT, "Random seed of the sample.", default=1, least=0)
    timeout: options.Timeout = None


@composed
def audit(input: Input, many: Many, own: AuditOptions) -> None:
    """What is in a data set: equal puzzles, several or wrong solutions, leakage, givens, difficulty.

    Exit status: 0 nothing found, 1 repeated or leaked puzzles, wrong solutions, or puzzles without exactly one
    solution, 2 invalid input, 3 some undecided.
    """
    name, others = _names(own)
    started = perf_counter()
    records = AuditRecords()
    question = Audited(timeout=own.timeout, others=tuple(others))
    run = Run(input=input, many=replace(many, quiet=True, verbose=False), output=Output(), puzzles=[name])
    stated = own.expect is None
    try:
        answer(
            question,
            run,
            expect=own.expect,
            stated=stated,
            before=others,
            collect=lambda layout, sink: (Records(question.others), records),
        )
    except typer.Exit as ended:
        status = ended.exit_code
    report = _report(name, others, records, input, own)
    report["seconds"] = round(perf_counter() - started, 3)
    for path in own.output or ():
        write_whole(path, FORMS[path.suffix.lower()](report).encode())
    if own.as_json:
        print(json.dumps(report, ensure_ascii=False))
    elif not many.quiet:
        print(summary(report))
    for path in own.output or () if not many.quiet else ():
        say(f"{path} written")
    raise typer.Exit(status or _status(report))


def _names(own: AuditOptions) -> tuple[str, list[str]]:
    name, *more = files("FILE", [own.file])
    if more or members(name) is not None:
        raise InputError(f"{own.file}: several files; name one")
    others = files("--against", own.against or ())
    for path in own.output or ():
        if path.suffix.lower() not in FORMS:
            raise InputError(f"--output {path}: expected a name that ends in {' or '.join(FORMS)}")
    check_outputs([("--output", path) for path in own.output or ()], [name, *others])
    return name, others


def _report(name: str, others: Sequence[str], records: AuditRecords, input: Input, own: AuditOptions) -> dict[str, Any]:
    import numpy as np

    from satdoku.batch.audit import RECORD, Figures

    figures = Figures(np.frombuffer(records.data, RECORD), [name, *others])
    lines = figures.sample(own.sample, own.seed)
    levels = Counter(_levels(name, set(lines.tolist()), input))
    return {
        "file": name,
        "against": list(others),
        "puzzles": len(figures.own),
        "invalid": records.invalid,
        "verdicts": figures.verdicts(),
        "multiple_rows": figures.of_verdict("multiple"),
        "unsolvable_rows": figures.of_verdict("unsolvable"),
        "solutions": figures.solutions(),
        "duplicates": figures.duplicates(),
        "leakage": figures.leakage(),
        "givens": figures.givens(),
        "ratings": {"sample": len(lines), "seed": own.seed, "levels": _ordered(levels)},
    }


def _levels(name: str, lines: set[int], input: Input) -> Iterator[str]:
    """The level of the puzzle on each line."""
    if not lines:
        return
    from satdoku.setter.difficulty import rate

    reading = input.options(None)
    column = input.column_of([name])
    chunks = opened([name], reading, None if column is None else Columns(column), input.span()).chunks
    for chunk in chunks:
        if isinstance(chunk, Block):
            places = [place for place, number in enumerate(chunk.numbers) if number in lines]
            items = list(filter(None, (chunk.item(place, reading) for place in places)))
        else:
            items = [item for item in items_of(iter([chunk]), reading) if item.number in lines]
        for item in items:
            if isinstance(item.puzzle, Puzzle):
                yield rate(item.puzzle, RATING_SECONDS).level.name.lower()


def _ordered(levels: Mapping[str, int]) -> dict[str, int]:
    from satdoku.techniques.step import Level

    names = (level.name.lower() for level in Level)
    return {name: levels[name] for name in names if levels.get(name)}


def _status(report: Mapping[str, Any]) -> int:
    leaked = (report["leakage"] or {}).get("rows", 0)
    undecided = report["verdicts"]["undecided"]
    odd = report["puzzles"] - report["verdicts"]["unique"] - undecided
    bad = leaked or odd or report["solutions"]["wrong"] or report["duplicates"]["repeated"]
    return worst_status(3 if undecided else 0, 1 if bad else 0)
