"""`satdoku dedupe`: the puzzles of a file that no symmetry of their board makes equal to one before."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO, Any

import typer

from satdoku.batch.layouts import Layout, RecordLayout
from satdoku.batch.sinks import ChoosingSink, Sink
from satdoku.commands.asking import Run, answer
from satdoku.commands.classes import Classes, Keys, files
from satdoku.commands.options import INPUT, OUTPUT, composed, option
from satdoku.commands.searches import table
from satdoku.errors import InputError
from satdoku.inputs.items import name_of
from satdoku.system.files import naming
from satdoku.terminal.messages import say
from satdoku.words import plural

NAMED = 20  # puzzles that are equal to one of --against: more of them are counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Dedupe(Classes):
    against: list[str] | None = option(
        INPUT, "Leave out, and name, puzzles that are equal to one of this file. May be repeated.", metavar="FILE"
    )
    count: bool = option(OUTPUT, "Add how many puzzles are equal to each, itself among them.", default=False)
    every: bool = option(
        OUTPUT, "Write every puzzle, with the name of the first that is equal.", "--all", default=False
    )
    columns = table("puzzle canonical count:int same_as verdict error")


class Distinct(ChoosingSink):
    """Writes the first puzzle of each canonical form, in the order of the input, or all of them with that one's name.

    It keeps 16 bytes of each form, with `named` the name of its first puzzle, and with `counted` how many there
    are: then rows wait in a file until all are counted. The names of puzzles of `others` are kept, and they are not
    written, nor is one that is equal to them, unless `named`.
    """

    def __init__(
        self, layout: Layout, sink: Sink, others: frozenset[str] = frozenset(), *, counted: bool, named: bool
    ) -> None:
        super().__init__(layout, sink)
        self._named, self._others = named, others
        self._sources: dict[str, bool] = {}
        self._known: dict[bytes, str] = {}
        self.leaked = 0
        self.leaks: list[str] = []  # the first of them, and what each is equal to
        self._numbers: dict[bytes, int] = {}
        self._counts: list[int] = []
        self._names: list[str] = []
        self._waiting: IO[bytes] | None = TemporaryFile() if counted else None  # noqa: SIM115  closed with the sink
        self.puzzles = self.invalid = 0

    @property
    def forms(self) -> int:
        return len(self._numbers)

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
        return super().finish()

    def close(self) -> None:
        if self._waiting is not None:
            self._waiting.close()
        super().close()

    def _keeps(self, key: bytes | None, record: dict[str, Any]) -> bool:
        """Count a puzzle; whether it is written."""
        source, line = record["source"], record["line"]
        if self._is_other(source):
            if key is not None:
                self._known.setdefault(key, name_of(source, line))
            return False
        if key is None:
            self.invalid += 1
            return True
        self.puzzles += 1
        if key in self._known:
            self.leaked += 1
            if self.leaked <= NAMED:
                self.leaks.append(f"{name_of(source, line)}: equal to {self._known[key]}")
            record["same_as"] = self._known[key]
            return self._named
        forms = self.forms
        number = self._numbers.setdefault(key, forms)
        if self._named:
            self._names += [name_of(record["source"], record["line"])] * (number == forms)
            record["same_as"] = None if number == forms else self._names[number]
        elif self._waiting is not None:
            self._counts += [0] * (number == forms)
            self._counts[number] += 1
        return self._named or number == forms

    def _is_other(self, source: str) -> bool:
        """Whether a source is one of the others, or stands in one that is an archive."""
        if source not in self._sources:
            self._sources[source] = any(source == other or source.startswith(f"{other}/") for other in self._others)
        return self._sources[source]

    def _put(self, records: list[dict[str, Any]]) -> None:
        if isinstance(self._layout, RecordLayout):
            rows = list(self._layout.rows(records))
        else:
            rows = [_fields(record) for record in records if "puzzle" in record]
        self.put(rows)


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
    others = files("--against", own.against or ())
    made: list[Distinct] = []

    def collect(layout: Layout, sink: Sink) -> tuple[Layout, Sink]:
        made.append(Distinct(layout, sink, frozenset(others), counted=own.count, named=own.every))
        return Keys(), made[-1]

    try:
        answer(own, run, before=others, collect=collect)
    except typer.Exit:
        if run.many.quiet:
            raise
        distinct = made[0]
        for leak in islice(distinct.leaks, 0 if own.every else None):
            say(leak)
        if distinct.leaked > len(distinct.leaks) and not own.every:
            say(f"and {distinct.leaked - len(distinct.leaks)} more; --all names all of them")
        invalid = f", {distinct.invalid} invalid" if distinct.invalid else ""
        leaked = f", {distinct.leaked} equal to one of --against" if others else ""
        say(f"{plural(distinct.puzzles, 'puzzle')}, {distinct.forms} distinct{leaked}{invalid}")
        raise
