"""Raw results as JSON lines: what was planned, where it ran, and one line for each measured search.

A line is written whole and at once, so a run that is cut keeps what it measured; the same plan on the
same file goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from pathlib import Path
from typing import Any, TextIO

import portalocker

from satdoku.errors import Disagreement, InputError

VERSION = 1
"""Of the records; a reader refuses others."""


WRITTEN: dict[str, type | tuple[type, ...]] = {"float": (int, float), "int": int, "str": str, "bool": bool}
"""What a field of a record may be, by its annotation."""


class Work(StrEnum):
    """What a search has to show."""

    FIRST = "first"
    UNIQUE = "unique"
    COUNT = "count"


class Outcome(StrEnum):
    """How a search counts: decided in time, cut by the timeout, or failed (wrong, crashed, refused)."""

    SOLVED = "solved"
    TIMEOUT = "timeout"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Search:
    """One measured search. Times are seconds; None where nothing was done, or where a killed process took it along.

    rules:       "warm" if loaded rules were kept where the board was the same, "cold" if made anew for each puzzle
    set, puzzle: the file, and the puzzle's name; `index` is its number in the run
    digest:      of what the puzzle states, before it was permuted
    size:        N; holes: the share of cells that are no givens
    shuffle:     what was permuted; `seed`, `repeat` and `index` decide how
    verdict:     as far as the search went; "solvable" where one grid was asked for and came
    count:       grids found, `exact` if these are all; solution: a digest of the only one
    encode:      loading the rules of the board, null where they were kept
    search:      from the givens to the verdict; the referee's time is not in it
    peak_bytes:  the most memory that the process of this contender had, so far
    statistics:  what the engine told of this search alone
    fault:       what went wrong, for people
    """

    backend: str
    encoding: str | None
    rules: str
    work: Work
    timeout: float
    set: str
    puzzle: str
    index: int
    digest: str
    size: int
    box: str | None
    givens: int
    holes: float
    repeat: int
    seed: int
    shuffle: str
    outcome: Outcome
    verdict: str
    count: int
    exact: bool
    solution: str | None
    encode_wall: float | None
    encode_cpu: float | None
    search_wall: float | None
    search_cpu: float | None
    peak_bytes: int
    statistics: dict[str, int]
    killed: bool
    fault: str | None

    @property
    def contender(self) -> str:
        return self.backend if self.encoding is None else f"{self.backend} {self.encoding}"

    @property
    def key(self) -> tuple[str, str | None, int, int]:
        """Which job of its plan this was."""
        return self.backend, self.encoding, self.index, self.repeat

    def seconds(self, clock: str) -> float | None:
        """What counts as this search's time by "wall" or "cpu": loading rules too, unless they are kept."""
        parts = [getattr(self, f"search_{clock}")]
        if self.rules == "cold":
            parts.append(getattr(self, f"encode_{clock}"))
        return None if None in parts else sum(parts)


@dataclass(frozen=True, slots=True)
class Setup:
    """What a contender's process took before its first measured search: to start, and to warm up (seconds).

    Warming up imports the solver, compiles what is compiled at first use, and solves puzzles whose answers are known.
    """

    backend: str
    encoding: str | None
    start_wall: float
    start_cpu: float | None
    warm_up_wall: float
    warm_up_cpu: float | None

    @property
    def contender(self) -> str:
        return self.backend if self.encoding is None else f"{self.backend} {self.encoding}"


@dataclass(frozen=True, slots=True)
class Raw:
    """A file of raw results: its plan, the sessions that filled it, and what they measured."""

    path: str
    plan: Mapping[str, Any]
    sessions: tuple[Mapping[str, Any], ...]
    setups: tuple[Setup, ...]
    searches: tuple[Search, ...]


def line(record: Search | Setup) -> str:
    """A record as one line of JSON, without its end."""
    values = asdict(record)
    for name, value in values.items():
        if isinstance(value, float):
            values[name] = round(value, 9)
    return json.dumps({"type": type(record).__name__.lower(), **values})


def read(path: str) -> Raw:
    """The records of a file; a last line that was cut short is passed over.

    Raises InputError, with file and line, for what is no such record; OSError if it cannot be read.
    """
    plan: dict[str, Any] = {}
    sessions: list[dict[str, Any]] = []
    setups: list[Setup] = []
    searches: list[Search] = []
    text = Path(path).read_bytes().decode("utf-8", "replace")
    for number, row in enumerate(text[: text.rfind("\n") + 1].splitlines(), 1):
        try:
            values = json.loads(row, parse_constant=_no_number)
            match values.pop("type"):
                case "plan":
                    plan = values
                case "session":
                    sessions.append(values)
                case "setup":
                    setups.append(Setup(**values))
                case "search":
                    searches.append(_search(values))
                case other:
                    raise ValueError(f"a record of type {other!r}")
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(f"{path}, line {number}: no record of `satdoku bench run -o` ({error})") from None
    if plan.get("version") != VERSION:
        raise InputError(f"{path}: expected raw results of `satdoku bench run -o`, version {VERSION}")
    return Raw(path, plan, tuple(sessions), tuple(setups), tuple(searches))


def _no_number(word: str) -> float:
    raise ValueError(f"{word} is no time")


def _search(values: dict[str, Any]) -> Search:
    """The record of these values; raises ValueError, TypeError or KeyError where they are none."""
    search = Search(**values | {"outcome": Outcome(values["outcome"]), "work": Work(values["work"])})
    for field in fields(search):
        value = getattr(search, field.name)
        wanted = WRITTEN.get(str(field.type).partition(" ")[0])
        optional = str(field.type).endswith("None")
        if wanted and not isinstance(value, wanted) and not (optional and value is None):
            raise ValueError(f"{field.name} is {value!r}")
        if isinstance(value, int | float) and value < 0 and field.name != "seed":
            raise ValueError(f"{field.name} is {value!r}")
    if not all(isinstance(value, int) for value in search.statistics.values()):
        raise ValueError(f"statistics is {search.statistics!r}")
    return search


class Log:
    """The file of one run: new, or begun by earlier sessions of the same plan, whose records it holds.

    Raises InputError if the file holds something else, was measured by other versions or another machine, or is
    being written by another run.
    """

    def __init__(self, path: Path, plan: Mapping[str, Any], session: Mapping[str, Any]) -> None:
        self.searches: tuple[Search, ...] = ()
        self.setups: tuple[Setup, ...] = ()
        header = {"version": VERSION, **plan}
        self._stream: TextIO = path.open("a", encoding="utf-8")
        try:
            portalocker.lock(self._stream, portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING)
            begun = path.stat().st_size > 0
            if begun:
                raw = read(str(path))
                _same_plan(raw, header)
                _same_place(raw, session)
                self.searches, self.setups = raw.searches, raw.setups
                _cut_short(path)
        except portalocker.LockException:
            self.close()
            raise InputError(f"{path}: another run is writing it") from None
        except Exception:
            self.close()
            raise
        if not begun:
            self._write(json.dumps({"type": "plan", **header}))
        self._write(json.dumps({"type": "session", **session}))

    def add(self, record: Search | Setup) -> None:
        self._write(line(record))

    def close(self) -> None:
        self._stream.close()

    def _write(self, text: str) -> None:
        self._stream.write(text + "\n")
        self._stream.flush()


def _same_plan(raw: Raw, header: Mapping[str, Any]) -> None:
    if raw.plan["key"] == header["key"]:
        return
    differing = [name for name, value in header.items() if name != "key" and raw.plan.get(name) != value]
    what = ", ".join(f"{name} {raw.plan.get(name)} there, {header[name]} here" for name in differing)
    raise InputError(f"{raw.path} holds another run ({what or 'other puzzles'}); name a new file, or run that plan")


def _same_place(raw: Raw, session: Mapping[str, Any]) -> None:
    for before in raw.sessions:
        for what in ("machine", "versions"):
            ours, theirs = session[what], before[what]
            differing = [name for name in ours if ours[name] != theirs.get(name)]
            if differing:
                name = differing[0]
                raise InputError(
                    f"{raw.path} was begun with {name} {theirs.get(name)}, and this is {ours[name]}:"
                    " times of both do not belong in one file"
                )


def _cut_short(path: Path) -> None:
    """Leave out a last line that was not written to its end."""
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with path.open("r+b") as stream:
            stream.truncate(whole)


def disagreements(searches: Iterable[Search]) -> list[Disagreement]:
    """Every two searches of one puzzle that cannot both be right, the later against the first that says most.

    A search shows that there are at least so many solutions, and at most so many if it was exhausted.
    """
    found: list[Disagreement] = []
    seen: dict[str, list[Search]] = {}
    for search in searches:
        if search.outcome is Outcome.FAILED:
            continue
        known = seen.setdefault(search.digest, [])
        other = next((other for other in known if not compatible(other, search)), None)
        if other is not None:
            found.append(Disagreement(f"{search.puzzle}: {_clash(other, search)}"))
        if all(_says(other) != _says(search) for other in known):
            known.append(search)
    return found


def complaints(searches: Iterable[Search]) -> list[str]:
    """What went wrong in these searches, for people: failures, and disagreements."""
    known = list(searches)
    failed = [f"{one.puzzle}: {one.contender}: {one.fault}" for one in known if one.outcome is Outcome.FAILED]
    return failed + [str(error) for error in disagreements(known)]


def compatible(first: Search, second: Search) -> bool:
    """Whether two searches of one puzzle can both be right."""
    fewest = max(first.count, second.count)
    if any(each.exact and each.count < fewest for each in (first, second)):
        return False
    # In another layout the same solution is another grid.
    same_layout = _layout(first) == _layout(second)
    unique = first.exact and second.exact and first.count == 1
    return not (unique and same_layout) or first.solution == second.solution


def _clash(first: Search, second: Search) -> str:
    said = [f"{one.contender} says {_words(one)}" for one in (first, second)]
    if first.count == second.count == 1:
        return f"{first.contender} and {second.contender} give different unique solutions"
    return ", ".join(said)


def _words(search: Search) -> str:
    if search.work is not Work.COUNT:
        return search.verdict
    return f"{'' if search.exact else 'at least '}{search.count} solution{'' if search.count == 1 else 's'}"


def _layout(search: Search) -> tuple[object, ...]:
    return search.seed, search.repeat, search.index, search.shuffle


def _says(search: Search) -> tuple[object, ...]:
    return search.count, search.exact, search.solution, _layout(search)
