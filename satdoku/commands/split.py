"""`satdoku split`: a file in parts, such that no puzzle of one is equal to a puzzle of another."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import typer

from satdoku.batch.files import distinct
from satdoku.batch.questions import Answers, key_of
from satdoku.batch.sinks import Sink
from satdoku.commands.asking import run
from satdoku.commands.classes import Classes, Keys, files
from satdoku.commands.options import INPUT, OUTPUT, Input, Many, Output, argument, composed, option, seconds
from satdoku.commands.puzzles import opened
from satdoku.errors import InputError, unknown
from satdoku.inputs.columns import Columns
from satdoku.inputs.items import Block, Item
from satdoku.inputs.streams import members
from satdoku.puzzle import Puzzle
from satdoku.symmetries import DIGEST
from satdoku.system.files import check_folder, identity
from satdoku.terminal.messages import say
from satdoku.verdict import Session, Verdict
from satdoku.words import joined, plural

DIFFICULTY, GIVENS, NOTHING = "difficulty", "givens", "none"
PACKED = (".gz", ".zst", ".bz2", ".xz")
GROUP = "group"  # of a record: what the parts are balanced over


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouped(Classes):
    """balance: one of the words above, or a column"""

    balance: str = DIFFICULTY
    timeout: float | None = None

    def more(self, item: Item, puzzle: Puzzle) -> dict[str, object]:
        if self.balance == DIFFICULTY:
            return {GROUP: self._difficulty(puzzle)}
        if self.balance in (GIVENS, NOTHING):
            return {GROUP: str(puzzle.given_count) if self.balance == GIVENS else ""}
        return {GROUP: (item.row or {}).get(self.balance, "")}

    def answer_many(self, block: Block) -> Any:
        return Classes.answer_many(self, block) if self.balance != DIFFICULTY else iter(())

    def _difficulty(self, puzzle: Puzzle) -> str:
        from satdoku.setter.difficulty import rate

        verdict = Session().check(puzzle, timeout=self.timeout).verdict
        return rate(puzzle, self.timeout).level.name.lower() if verdict is Verdict.UNIQUE else verdict.value


@dataclass(frozen=True, slots=True)
class Groups(Keys):
    """Rows with their groups, of answers in columns too."""

    balance: str = NOTHING

    def many(self, block: Block, answers: Answers) -> Sequence[Any]:
        rows = Keys.many(self, block, answers)
        for place, (line, (_, record)) in enumerate(zip(answers.index.tolist(), rows, strict=True)):
            if self.balance == GIVENS:
                record[GROUP] = str(int((answers.view[place] > 0).sum()))
            else:
                record[GROUP] = block.rows[line].get(self.balance, "") if block.rows else ""
        return rows


class SplitRows(Sink):
    """The line, the class and the group of each row: about 30 bytes, whatever its puzzle."""

    def __init__(self) -> None:
        self.lines, self.labels = array("q"), array("i")
        self.keys = bytearray()
        self.valid = bytearray()
        self.names: dict[str, int] = {}

    def write(self, parts: Sequence[Any]) -> None:
        for rows in parts:
            for key, record in rows:
                if record["line"] is not None:
                    self.lines.append(record["line"])
                    self.keys += key or bytes(DIGEST)
                    self.valid.append(key is not None)
                    self.labels.append(self.names.setdefault(record.get(GROUP, ""), len(self.names)))


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitOptions:
    file: str = argument("A file of puzzles: a line each, a table (CSV, TSV, Parquet) or JSON Lines.", metavar="FILE")
    parts: str = option(OUTPUT, "The shares of the parts, such as 80:10:10.", default="80:10:10", metavar="A:B:...")
    output: list[Path] | None = option(
        OUTPUT, "A file for each part, in their order; FILE-1, FILE-2 and so on if omitted.", "-o"
    )
    balance: str = option(
        OUTPUT, "Balance the parts over difficulty, givens, none, or a column.", default=DIFFICULTY, metavar="WHAT"
    )
    seed: int = option(OUTPUT, "Random seed.", default=1, least=0)
    timeout: float | None = option(INPUT, "Seconds for the difficulty of each puzzle.", parser=seconds, default=10.0)
    kinds: ClassVar[tuple[str, ...]] = (DIFFICULTY, GIVENS, NOTHING)


@composed
def split(input: Input, many: Many, own: SplitOptions) -> None:
    """Split a file into parts, no puzzle of one equal to a puzzle of another.

    Exit status: 0, or 2 invalid input; rows that cannot be read are named and in no part.
    """
    from satdoku.batch.parts import shares

    for path in own.output or ():
        if path.is_dir() or not path.name:
            raise InputError(f"--output {path}: a directory, expected the name of a file to write")
    wanted = shares(own.parts)
    name, paths = _names(own, len(wanted))
    options = input.options(own.timeout)
    column = input.column_of([name])
    usual = own.balance in own.kinds
    puzzles = opened([name], options, None if column is None else Columns(column, keep=not usual), input.span())
    if not usual and own.balance not in puzzles.header:
        raise unknown("--balance", own.balance, (*own.kinds, *puzzles.header))
    if column is not None and Path(name).suffix == ".json":
        raise InputError(f"{name}: the rows of an array cannot be copied one by one; make it JSON Lines")
    rows = SplitRows()
    question = Grouped(options=options, balance=own.balance, timeout=own.timeout)
    try:
        run(
            question,
            puzzles,
            many,
            Output(),
            only=frozenset(),
            key={"FILE": name, **key_of(input)},
            inputs=[name],
            collect=lambda layout, sink: (Groups(balance=own.balance), rows),
        )
    except typer.Exit:
        _write(Path(name), rows, wanted, own.seed, paths, many.quiet)
        raise


def _names(own: SplitOptions, number: int) -> tuple[str, list[Path]]:
    """The file to read, and those to write; raises InputError where these cannot be."""
    from satdoku.batch.parts import default_names

    name, *others = files("FILE", [own.file])
    if others or members(name) is not None:
        raise InputError(f"{own.file}: several files; name one")
    if own.output is not None and len(own.output) != number:
        raise InputError(f"--output is given {plural(len(own.output), 'time')}: name a file for each of {number} parts")
    paths = default_names(Path(name), number) if own.output is None else own.output
    for path in paths:
        check_folder(path)
        if _kind(path) != _kind(Path(name)):
            raise InputError(f"--output {path}: rows of {name} are copied as they are; name it with the same suffix")
    distinct([("--output", path) for path in paths], [identity(Path(name))])
    return name, paths


def _write(file: Path, rows: SplitRows, wanted: Sequence[float], seed: int, paths: Sequence[Path], quiet: bool) -> None:
    import numpy as np

    from satdoku.batch.parts import NO_PART, assigned, copied, groups

    valid = np.frombuffer(rows.valid, np.bool_)
    keys = np.frombuffer(bytes(rows.keys), f"V{DIGEST}")[valid]
    keys = np.ascontiguousarray(keys).view(f"S{DIGEST}")
    labels = groups(list(rows.names), np.array(rows.labels, np.int32)[valid])
    parts = np.full(len(valid), NO_PART, np.int8)
    parts[valid] = assigned(keys, labels, wanted, seed)
    copied(file, rows.lines, parts, paths)
    if not quiet:
        counts = [int((parts == part).sum()) for part in range(len(paths))]
        each = joined([f"{count} in {path}" for path, count in zip(paths, counts, strict=True)])
        say(f"{plural(int(valid.sum()), 'puzzle')}, {len(np.unique(keys))} distinct: {each}")


def _kind(path: Path) -> list[str]:
    """The suffix that says what a file holds."""
    return [suffix.lower() for suffix in path.suffixes if suffix.lower() not in PACKED][-1:]
