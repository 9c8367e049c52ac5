"""Runs a plan: one search at a time, each contender in its own process, killed where it overshoots."""

import platform
import re
import shlex
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

import psutil

from satdoku.backends import Budget
from satdoku.backends.child import Cause, Lost
from satdoku.bench.plan import BenchPlan, Contender, Job, WarmUp, warm_ups
from satdoku.bench.raw import BenchOutcome, BenchSession, Log, Machine, MeasuredSearch, Raw, Setup, Work
from satdoku.bench.worker import ContenderProcess, Cost, Opening, SearchResult, SearchTask
from satdoku.certifier import versions
from satdoku.errors import WrongAnswer
from satdoku.inputs.items import place
from satdoku.outcome import Verdict
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import box_of
from satdoku.version import __version__

GRACE = 1.0
"""Seconds, besides a tenth of the limit, that an engine may take to notice its timeout before it is killed."""

PATIENCE = 60.0
"""Seconds that a process may take to start, to load rules that are kept, or to have a search refereed;
ten timeouts if that is longer."""

SearchAnswer = tuple[
    Cost, Cost, SearchResult
]  # what loading and the search cost, where they came to an end, and what was found


class Measurement:
    """A plan while it is measured, and its results, those of earlier sessions on the same raw file among them."""

    def __init__(self, plan: BenchPlan, output: Path | None) -> None:
        self._plan = plan
        here = session(one.backend for one in plan.contenders)
        self._log = None if output is None else Log(output, plan.header, here)
        before = Raw(path="", plan=plan.header) if self._log is None else self._log.before
        self._sessions = (*before.sessions, here)
        self.setups, self.searches = list(before.setups), list(before.searches)
        self._numbers = {board: number for number, board in enumerate(plan.boards)}
        self._workers: dict[Contender, ContenderProcess] = {}
        self._fresh: set[Contender] = set()
        self._patience = max(PATIENCE, 10 * plan.timeout)

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()
        if self._log is not None:
            self._log.close()

    def results(self) -> Raw:
        setups, searches = tuple(self.setups), tuple(self.searches)
        return Raw(path="", plan=self._plan.header, sessions=self._sessions, setups=setups, searches=searches)

    def measure(self) -> Iterator[MeasuredSearch]:
        """Ready every contender, then measure what has not been; a search is in the raw file before it is handed on.

        Raises WrongAnswer or BackendError, before anything is timed, if a contender errs on a puzzle whose answer
        is known.
        """
        done = {search.key for search in self.searches}
        jobs = [job for job in self._plan.jobs() if job.key not in done]
        puzzles = warm_ups(self._plan)
        for contender in dict.fromkeys(job.contender for job in jobs):
            setup = self._ready(contender, puzzles)
            self._write(setup)
            self.setups.append(setup)
        for job in jobs:
            search = self._measure(job)
            self._write(search)
            self.searches.append(search)
            yield search

    def _write(self, record: Setup | MeasuredSearch) -> None:
        if self._log is not None:
            self._log.add(record)

    def _worker(self, contender: Contender) -> ContenderProcess:
        """The process of a contender: a new one where the last one was killed."""
        if contender not in self._workers:
            opening = Opening(contender.backend, contender.encoding, self._plan.engines, self._plan.boards)
            self._workers[contender] = ContenderProcess(opening, self._patience, self._plan.memory)
            self._fresh.add(contender)
        return self._workers[contender]

    def _ready(self, contender: Contender, puzzles: Iterable[WarmUp]) -> Setup:
        """Start a contender, and warm it up; raises WrongAnswer unless a known answer comes, the puzzle is refused, or
        time is up."""
        started = self._worker(contender).started
        costs: list[Cost] = []
        for each in puzzles:
            if (contender, each.puzzle.board) in self._plan.skipped:
                continue
            encode, search, result = self._ask(contender, each.puzzle, each.most, fresh=False)
            if result.refused:  # more givens may make a board small enough
                continue
            fault = result.fault or each.fault(result.count, result.exact)
            if fault:
                raise WrongAnswer(f"backend {contender}, before anything was timed, on {each.puzzle.name}: {fault}")
            costs += [encode, search]
        self._fresh.add(contender)
        wall, cpu = (sum(getattr(cost, clock) or 0.0 for cost in costs) for clock in ("wall", "cpu"))
        times: dict[str, Any] = {"start_wall": started.wall or 0.0, "start_cpu": started.cpu}
        return Setup(**asdict(contender), **times, warm_up_wall=wall, warm_up_cpu=cpu)

    def _measure(self, job: Job) -> MeasuredSearch:
        plan, contender = self._plan, job.contender
        self._worker(contender)
        puzzle = plan.puzzle(job)
        fresh = not plan.warm or contender in self._fresh
        self._fresh.discard(contender)
        return _record(plan, job, puzzle, self._ask(contender, puzzle, plan.solutions, fresh))

    def _ask(self, contender: Contender, puzzle: Puzzle, most: int | None, fresh: bool) -> SearchAnswer:
        plan, worker = self._plan, self._worker(contender)
        number, budget = self._numbers[puzzle.board], Budget(most, plan.timeout)
        charged, counts = not plan.warm, plan.work is Work.COUNT
        task = SearchTask(number, puzzle.candidates, puzzle.name, budget, fresh=fresh, charged=charged, counts=counts)
        limit = plan.timeout * 1.1 + GRACE
        costs: list[Cost] = []
        asked = perf_counter()
        try:
            worker.send(task)
            for allowed in (self._patience if plan.warm else limit, limit):
                asked = perf_counter()
                costs.append(worker.receive(allowed))
            return costs[0], costs[1], worker.receive(self._patience)
        except Lost as lost:
            self._workers.pop(contender).close()
            cut = lost.cause is not Cause.ENDED
            result = SearchResult(
                timed_out=lost.cause is Cause.TIME,
                too_large=lost.cause is Cause.MEMORY,
                killed=cut,
                fault=None if cut else str(lost),
            )
            encode, search, *_ = *costs, Cost(perf_counter() - asked) if cut else Cost(), Cost()
            return encode, search, result


def _record(plan: BenchPlan, job: Job, puzzle: Puzzle, answer: SearchAnswer) -> MeasuredSearch:
    encode, search, result = answer
    board, box = puzzle.board, box_of(puzzle.board)
    given = puzzle.given_count
    placed: dict[str, Any] = place(puzzle.name.encode("utf-8", "replace").decode())
    outcome, fault = _outcome(plan, answer)
    shown = asdict(replace(result, fault=fault))
    del shown["timed_out"], shown["too_large"], shown["refused"]
    return MeasuredSearch(
        **asdict(job.contender),
        rules=plan.rules,
        work=plan.work,
        timeout=plan.timeout,
        **placed,
        index=job.index,
        digest=plan.digests[job.index],
        size=board.values,
        box=None if box is None else str(box),
        givens=given,
        holes=1 - given / board.cells,
        repeat=job.repeat,
        seed=plan.seed,
        shuffle=plan.freedoms[board].value,
        outcome=outcome,
        verdict=_verdict(plan.work, result),
        encode_wall=encode.wall,
        encode_cpu=encode.cpu,
        search_wall=search.wall,
        search_cpu=search.cpu,
        **shown,
    )


def _outcome(plan: BenchPlan, answer: SearchAnswer) -> tuple[BenchOutcome, str | None]:
    """How the search counts, and what is wrong with it. One that was decided after its time counts as cut."""
    encode, search, result = answer
    taken = (search.wall or 0) + (encode.wall or 0) * (not plan.warm)
    if result.fault:
        return BenchOutcome.FAILED, result.fault
    if result.too_large:
        return BenchOutcome.MEMORY, None
    if result.timed_out or taken > plan.timeout:
        return BenchOutcome.TIMEOUT, None
    if not result.exact and (plan.solutions is None or result.count < plan.solutions):
        return BenchOutcome.FAILED, f"it ended after {result.count} grids, neither cut nor exhausted"
    return BenchOutcome.SOLVED, None


def _verdict(work: Work, result: SearchResult) -> str:
    verdict = Verdict.of(result.count, result.exact)
    some = verdict is Verdict.UNDECIDED and result.count and work is Work.FIRST
    return "solvable" if some else verdict.value


def session(backends: Iterable[str]) -> BenchSession:
    """Where and how a run of these backends takes place, for its raw file."""
    python = f"{platform.python_implementation()} {platform.python_version()}"
    try:
        named = re.search(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    except OSError:
        named = None
    return BenchSession(
        command=shlex.join(["satdoku", *sys.argv[1:]]).encode("utf-8", "replace").decode(),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        load=round(psutil.getloadavg()[0], 2),
        machine=Machine(
            processor=named[1] if named else platform.processor() or platform.machine(),
            cores=psutil.cpu_count(),
            memory=psutil.virtual_memory().total,
            system=f"{platform.system()} {platform.release()}",
        ),
        versions={"python": python, "satdoku": __version__, **versions(*backends)},
    )
