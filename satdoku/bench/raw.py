"""Raw results as JSON lines: what was planned, where it ran, each measured search; and whether these can all be right.

A line is written whole and at once, so a run that is cut keeps what it measured; the same plan on the
same file goes on where it stopped. docs/benchmarks.md describes the records.
"""

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import Annotated, Any, TextIO

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from satdoku.errors import Disagreement, InputError
from satdoku.inputs.items import name_of
from satdoku.system.files import check_growing, naming
from satdoku.system.scratch import lock
from satdoku.words import plural

VERSION = 1  # of the records; a reader refuses others
MAX_NUMBER = 1 << 62
MIN_SECONDS, MAX_SECONDS = 1e-9, 1e9  # what a timeout may be; beyond, means and logarithms are not numbers
Number = Annotated[int, Meta(ge=0, le=MAX_NUMBER)]
BoardSide = Annotated[int, Meta(ge=1, le=1_000)]
Seconds = Annotated[float, Meta(ge=0, le=MAX_SECONDS)]
Limit = Annotated[float, Meta(ge=MIN_SECONDS, le=MAX_SECONDS)]
Share = Annotated[float, Meta(ge=0, le=1)]
MAX_COUNT = 10_000  # up to how many solutions are counted, unless a plan says otherwise
Work = StrEnum("Work", "FIRST UNIQUE COUNT")  # what a search has to show
Rules = StrEnum("Rules", "WARM COLD")  # whether loaded rules were kept where the board was the same, or made anew
BenchOutcome = StrEnum(
    "BenchOutcome", "SOLVED TIMEOUT MEMORY FAILED"
)  # decided in time; cut by a limit; wrong, crashed or refused


class RawRecord(Struct, frozen=True, kw_only=True, tag_field="type"):
    """A line of a raw file; its `type` says which."""


class Header(RawRecord, frozen=True, kw_only=True, tag="plan"):
    """What was planned; `key` differs wherever two plans do, puzzles included."""

    version: int = VERSION
    contenders: tuple[str, ...]
    puzzles: Number
    work: Work
    limit: Number | None = None
    rules: Rules
    timeout: Limit
    memory: Number | None = None
    repeats: Number
    seed: int
    engines: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    key: str

    def __post_init__(self) -> None:
        if self.version != VERSION:
            raise ValueError(f"version {self.version}, expected version {VERSION}")


class Machine(Struct, frozen=True, kw_only=True):
    """`memory` is in bytes; None is what the system does not tell."""

    processor: str = ""
    cores: Number | None = None
    memory: Number | None = None
    system: str = ""


class BenchSession(RawRecord, frozen=True, kw_only=True, tag="session"):
    """Where and when a run or a part of it took place; `load` as the system gives it for the last minute."""

    command: str
    started: str
    load: float | None
    machine: Machine
    versions: Mapping[str, str]


class OfContender(RawRecord, frozen=True, kw_only=True):
    """A record about one backend with one encoding."""

    backend: str
    encoding: str | None

    @property
    def contender(self) -> str:
        return self.backend if self.encoding is None else f"{self.backend} {self.encoding}"


class Setup(OfContender, frozen=True, kw_only=True, tag="setup"):
    """What a contender's process took before its first measured search: to start, and to warm up (seconds)."""

    start_wall: Seconds
    start_cpu: Seconds | None
    warm_up_wall: Seconds
    warm_up_cpu: Seconds | None


class MeasuredSearch(OfContender, frozen=True, kw_only=True, tag="search"):
    """One measured search. Times are seconds; None where nothing was done, or where a killed process took it along.

    digest:   of what the puzzle states, before it was permuted
    verdict:  as far as the search went; "solvable" where one grid was asked for and came
    source:   the file of the puzzle, or `argument`; line: where it stands in it
    count:    grids found, `exact` if these are all; solution_digest: of the only one
    encode:   loading the rules of the board; search: from the givens to the verdict, without the referee's time
    """

    rules: Rules
    work: Work
    timeout: Limit
    source: str
    line: Number | None
    index: Number
    digest: str
    size: BoardSide
    box: str | None
    givens: Number
    holes: Share
    repeat: Number
    seed: int
    shuffle: str
    outcome: BenchOutcome
    verdict: str
    count: Number
    exact: bool
    solution_digest: str | None
    encode_wall: Seconds | None
    encode_cpu: Seconds | None
    search_wall: Seconds | None
    search_cpu: Seconds | None
    peak_bytes: Number
    statistics: Mapping[str, Annotated[int, Meta(ge=-MAX_NUMBER, le=MAX_NUMBER)]]
    killed: bool
    fault: str | None

    @property
    def set(self) -> str:
        """The file that the puzzle is from; those given as text are one set."""
        return "arguments" if self.line is None or self.source == "argument" else self.source

    @property
    def name(self) -> str:
        """What the puzzle is called in messages."""
        return name_of(self.source, self.line)

    @property
    def key(self) -> tuple[str, str | None, int, int]:
        """Which job of its plan this was."""
        return self.backend, self.encoding, self.index, self.repeat

    @property
    def layout(self) -> tuple[str, int, int, int]:
        """The puzzle and how it was permuted: searches of one layout were asked the same."""
        return self.digest, self.seed, self.repeat, self.index

    def decided(self, clock: str) -> float:
        """The seconds of a search that was decided by "wall" or "cpu", with loading unless rules are kept; else inf."""
        names = ("search", "encode") if self.rules is Rules.COLD else ("search",)
        parts = [getattr(self, f"{name}_{clock}") for name in names]
        return inf if None in parts or self.outcome is not BenchOutcome.SOLVED else sum(parts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Raw:
    path: str
    plan: Header
    sessions: tuple[BenchSession, ...] = ()
    setups: tuple[Setup, ...] = ()
    searches: tuple[MeasuredSearch, ...] = ()


_LINE = msgspec.json.Decoder(Header | BenchSession | Setup | MeasuredSearch)


def line(record: RawRecord) -> str:
    """A record as one line of JSON, without its end."""
    values = msgspec.to_builtins(record)
    return json.dumps({name: round(value, 9) if isinstance(value, float) else value for name, value in values.items()})


def read(path: str) -> Raw:
    """The records of a file, without a last line that was cut short; raises InputError, with line and field."""
    records: dict[type[RawRecord], list[Any]] = {Header: [], BenchSession: [], Setup: [], MeasuredSearch: []}
    for number, row in enumerate(_whole(Path(path).read_bytes()).splitlines(), 1):
        try:
            record = _LINE.decode(row)
        except (ValueError, RecursionError) as error:
            reason = str(error).replace("`$.", "`")
            raise InputError(
                f"{path}, line {number}: not a record of `satdoku bench run -o`, version {VERSION} ({reason})"
            ) from None
        records[type(record)].append(record)
    if not records[Header]:
        raise InputError(f"{path}: expected raw results of `satdoku bench run -o`, version {VERSION}")
    sessions, setups, searches = (tuple(records[kind]) for kind in (BenchSession, Setup, MeasuredSearch))
    return Raw(path=path, plan=records[Header][-1], sessions=sessions, setups=setups, searches=searches)


def _whole(content: bytes) -> bytes:
    """Without a last line that was not written to its end."""
    return content[: content.rfind(b"\n") + 1]


class Log:
    """The file of one run: new, or begun by earlier sessions of the same plan, whose records it holds.

    Raises InputError if the file holds something else, was measured by other versions or another machine, or is
    being written by another run.
    """

    def __init__(self, path: Path, plan: Header, session: BenchSession) -> None:
        check_growing(path)
        self.before = Raw(path=str(path), plan=plan)
        self._stream: TextIO = path.open("a", encoding="utf-8")
        if not lock(self._stream):
            self.close()
            raise InputError(f"{path}: another run is writing it")
        try:
            content = path.read_bytes()
            if content:
                self.before = read(str(path))
                _compare(self.before, plan, session)
                os.truncate(path, len(_whole(content)))
            else:
                self.add(plan)
            self.add(session)
        except Exception:
            self.close()
            raise

    def add(self, record: RawRecord) -> None:
        with naming(self.before.path):
            self._stream.write(line(record) + "\n")
            self._stream.flush()

    def close(self) -> None:
        with naming(self.before.path):
            self._stream.close()


def _compare(raw: Raw, plan: Header, session: BenchSession) -> None:
    """Raise InputError unless the file holds the same plan, measured in the same place."""

    def differences(here: Mapping[str, Any], there: Mapping[str, Any]) -> list[str]:
        return [
            f"{name} {there.get(name)} there, {value} here" for name, value in here.items() if there.get(name) != value
        ]

    if raw.plan.key != plan.key:
        what = ", ".join(differences({**asdict(plan), "key": None}, {**asdict(raw.plan), "key": None}))
        raise InputError(f"{raw.path} holds another run ({what or 'other puzzles'}); name a new file, or run that plan")
    for before in raw.sessions:
        here, there = ({**asdict(each.machine), **each.versions} for each in (session, before))
        differing = differences(here, there)
        if differing:
            raise InputError(
                f"{raw.path} was begun by other versions or on another machine ({differing[0]}):"
                " times of both do not belong in one file"
            )


def complaints(searches: Iterable[MeasuredSearch]) -> list[str]:
    """What went wrong in these searches, for people: failures, and disagreements."""
    known = list(searches)
    failed = [f"{one.name}: {one.contender}: {one.fault}" for one in known if one.outcome is BenchOutcome.FAILED]
    return failed + [str(error) for error in disagreements(known)]


def disagreements(searches: Iterable[MeasuredSearch]) -> list[Disagreement]:
    """Every two searches of one puzzle that cannot both be right, the later against the first that says most.

    A search shows that there are at least so many solutions, and at most so many if it was exhausted.
    """
    disagreements: list[Disagreement] = []
    seen: dict[str, dict[tuple[object, ...], MeasuredSearch]] = {}
    for search in searches:
        if search.outcome is BenchOutcome.FAILED:
            continue
        known = seen.setdefault(search.digest, {})
        other = next((other for other in known.values() if not compatible(other, search)), None)
        if other is not None:
            disagreements.append(Disagreement(f"{search.name}: {_contradiction(other, search)}"))
        known.setdefault((search.count, search.exact, search.solution_digest, search.layout), search)
    return disagreements


def compatible(first: MeasuredSearch, second: MeasuredSearch) -> bool:
    """Whether two searches of one puzzle can both be right."""
    most = max(first.count, second.count)
    if any(each.exact and each.count < most for each in (first, second)):
        return False
    # In another layout the same solution is another grid.
    unique = first.exact and second.exact and first.count == 1
    return not (unique and first.layout == second.layout) or first.solution_digest == second.solution_digest


def _contradiction(first: MeasuredSearch, second: MeasuredSearch) -> str:
    if first.count == second.count == 1:
        return f"{first.contender} and {second.contender} give different unique solutions"
    parts = []
    for one in (first, second):
        count = f"{'' if one.exact else 'at least '}{plural(one.count, 'solution')}"
        parts.append(f"{one.contender} says {count if one.work is Work.COUNT else one.verdict}")
    return ", ".join(parts)
