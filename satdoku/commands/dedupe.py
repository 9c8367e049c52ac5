"""`satdoku dedupe`: the puzzles of a file that no symmetry of their board makes equal to one before."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any

import typer

from satdoku.batch.layouts import Layout, RecordLayout
from satdoku.batch.outputs import Sink
from satdoku.batch.questions import Answer, Answers, Emit, Question
from satdoku.commands.asking import Run, answer
from satdoku.commands.options import OUTPUT, composed, option
from satdoku.commands.searches import item_puzzle, table
from satdoku.errors import InputError
from satdoku.files import naming
from satdoku.formats import Options
from satdoku.formats.line import flat
from satdoku.inputs.items import Block, Item, name_of
from satdoku.symmetries import Shuffle, canonical, digest, freedom, smallest
from satdoku.terminal.messages import say
from satdoku.variants.boxes import box_of
from satdoku.words import plural

COMPARED = "compared"
Row = tuple[bytes | None, dict[str, Any]]  # what stands for a canonical form, None for an invalid puzzle; its record


@dataclass(frozen=True, slots=True, kw_only=True)
class Dedupe(Question):
    """The canonical form of each puzzle. Which are distinct is known where all of them come by."""

    count: bool = option(OUTPUT, "Add how many puzzles are equal to each, itself among them.", default=False)
    every: bool = option(
        OUTPUT, "Write every puzzle, with the name of the first that is equal.", "--all", default=False
    )
    options: Options = field(default_factory=Options, compare=False)
    columns = table("puzzle canonical count:int same_as verdict error")
    outcomes, summarized = (COMPARED,), False

    def answer(self, item: Item, emit: Emit | None) -> Answer:
        import numpy as np

        puzzle = item_puzzle(item)
        line = canonical(puzzle)
        key = digest(puzzle.board, np.array(line, np.uint16).tobytes())
        record = {**item.place, "puzzle": item.text, "canonical": flat(puzzle.board, line)}
        return Answer(status=0, outcome=COMPARED, record=record, view=key)

    def answer_many(self, block: Block) -> Iterator[Answers]:
        """The plain puzzles of a block, but for those whose givens clash."""
        import numpy as np

        from satdoku.batch.rows import clashes, plain

        for rows in plain(block, self.options):
            box, chosen = box_of(rows.board), np.flatnonzero(clashes(rows.board, rows.givens) < 0)
            if box is None or freedom(rows.board) is not Shuffle.ALL or not len(chosen):
                continue
            lines = smallest(box, rows.givens[chosen].astype(np.uint8))
            yield Answers(
                index=rows.index[chosen],
                outcomes=np.zeros(len(chosen), np.uint8),
                words=(COMPARED,),
                statuses=(0,),
                engine="canonical",
                board=rows.board,
                view=lines.astype(np.uint16),
            )


@dataclass(frozen=True, slots=True)
class Keys(Layout):
    """Answers as rows for `Distinct`."""

    def one(self, item: Item, answer: Answer) -> Row:
        return answer.view if isinstance(answer.view, bytes) else None, dict(answer.record)

    def many(self, block: Block, answers: Answers) -> Sequence[Row]:
        index, board, lines = answers.index.tolist(), answers.board, answers.view
        texts = (block.lines[place].decode().strip() for place in index)
        return [
            (digest(board, line.tobytes()), {**place, "puzzle": text, "canonical": flat(board, line.tolist())})
            for place, text, line in zip(block.places(index), texts, lines, strict=True)
        ]


class Distinct(Sink):
    """Writes the first puzzle of each canonical form, in the order of the input, or all of them with that one's name.

    It keeps 16 bytes of each form, with `named` the name of its first puzzle, and with `counted` how many there
    are: then rows wait in a file until all are counted.
    """

    def __init__(self, layout: Layout, sink: Sink, *, counted: bool, named: bool) -> None:
        self._layout, self._sink, self._named = layout, sink, named
        self._numbers: dict[bytes, int] = {}
        self._counts: list[int] = []
        self._names: list[str] = []
        self._waiting: IO[bytes] | None = TemporaryFile() if counted else None  # noqa: SIM115  closed with the sink
        self.puzzles = self.invalid = 0

    @property
    def forms(self) -> int:
        return len(self._numbers)

    def begin(self, resumed: bool) -> None:
        self._sink.begin(resumed)

    def write(self, parts: Sequence[Any]) -> None:
        kept = [record for rows in parts for key, record in rows if self._keeps(key, record)]
        if self._waiting is not None:
            with naming(gettempdir()):
                pickle.dump(kept, self._waiting)
        elif kept:
            self._put(kept)

    def finish(self) -> list[Path]:
        if self._waiting is not None:
            end, counts = self._waiting.tell(), iter(self._counts)
            self._waiting.seek(0)
            while self._waiting.tell() < end:
                records = pickle.load(self._waiting)
                self._put([one if "error" in one else {**one, "count": next(counts)} for one in records])
        return self._sink.finish()

    def close(self) -> None:
        if self._waiting is not None:
            self._waiting.close()
        self._sink.close()

    def _keeps(self, key: bytes | None, record: dict[str, Any]) -> bool:
        """Count a puzzle; whether it is written."""
        if key is None:
            self.invalid += 1
            return True
        self.puzzles += 1
        forms = self.forms
        number = self._numbers.setdefault(key, forms)
        if self._named:
            self._names += [name_of(record["source"], record["line"])] * (number == forms)
            record["same_as"] = None if number == forms else self._names[number]
        elif self._waiting is not None:
            self._counts += [0] * (number == forms)
            self._counts[number] += 1
        return self._named or number == forms

    def _put(self, records: list[dict[str, Any]]) -> None:
        if isinstance(self._layout, RecordLayout):
            rows = list(map(self._layout.row, records))
        else:
            rows = [_fields(record) for record in records if "puzzle" in record]
        if rows:
            self._sink.write([self._layout.pack(rows)])


def _fields(record: Mapping[str, Any]) -> str:
    """A puzzle as it stands in the input, and what was asked for; behind several lines an empty one."""
    text = "\t".join(str(record[name] or "") for name in ("puzzle", "count", "same_as") if name in record)
    return f"{text}\n" if "\n" in text else text


@composed
def dedupe(run: Run, own: Dedupe) -> None:
    """Write the distinct puzzles: of those that a symmetry of their board makes equal, the first.

    Exit status: 0, or 2 invalid input, or a puzzle without a canonical form.
    """
    if run.output.resume:
        raise InputError("--resume: dedupe compares all puzzles, so it cannot go on with a file; leave it out")
    if own.count and own.every:
        raise InputError("--count and --all: choose one")
    made: list[Distinct] = []

    def collect(layout: Layout, sink: Sink) -> tuple[Layout, Sink]:
        made.append(Distinct(layout, sink, counted=own.count, named=own.every))
        return Keys(), made[-1]

    try:
        answer(own, run, collect=collect)
    except typer.Exit:
        invalid = f", {made[0].invalid} invalid" if made[0].invalid else ""
        say(f"{plural(made[0].puzzles, 'puzzle')}, {made[0].forms} distinct{invalid}")
        raise
