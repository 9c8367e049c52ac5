"""Runs a plan: one search at a time, each contender in its own process, killed where it overshoots."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from time import perf_counter

from satdoku.bench.plan import Contender, Job, Plan
from satdoku.bench.process import Died, Overshot, Worker
from satdoku.bench.raw import Outcome, Search, Setup, Work
from satdoku.bench.usage import Cost
from satdoku.bench.validation import Known, known
from satdoku.bench.worker import Found, Opening, Task
from satdoku.errors import WrongAnswer
from satdoku.puzzle import Puzzle
from satdoku.variants.boxes import box_of

GRACE = 1.0
"""Seconds, besides a tenth of the limit, that an engine may take to notice its timeout before it is killed."""

PATIENCE = 60.0
"""Seconds that a process may take to start, to load rules that are kept, or to have a search refereed;
ten timeouts if that is longer."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What loading and the search cost, where they came to an end; what was found; whether it took a kill to end it."""

    encode: Cost | None
    search: Cost | None
    found: Found
    killed: bool = False


class Harness:
    """The workers of a plan. Use it as a context: leaving it kills them."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._numbers = {board: number for number, board in enumerate(plan.boards)}
        self._known = known(plan)
        self._workers = {
            contender: Worker(Opening(contender.backend, contender.encoding, plan.engines, plan.boards))
            for contender in plan.contenders
        }
        self._fresh: set[Contender] = set()
        self._patience = max(PATIENCE, 10 * plan.timeout)

    def __enter__(self) -> Harness:
        return self

    def __exit__(self, *exception: object) -> None:
        for worker in self._workers.values():
            worker.close()

    def run(self, done: Container[tuple[str, str | None, int, int]] = ()) -> Iterator[Setup | Search]:
        """Ready every contender, then measure each job that is not done.

        Raises WrongAnswer or BackendError, before anything is timed, if a contender errs on a puzzle whose answer
        is known.
        """
        jobs = [job for job in self._plan.jobs() if _key(job) not in done]
        for contender in dict.fromkeys(job.contender for job in jobs):
            yield self._ready(contender)
        for job in jobs:
            yield self._measure(job)

    def _ready(self, contender: Contender) -> Setup:
        worker = self._workers[contender]
        start = worker.start(self._patience)
        walls, cpus = [0.0], [0.0]
        for each in self._known:
            if (contender, each.puzzle.board) in self._plan.skipped:
                continue
            costs = self._validate(contender, each)
            walls += [cost.wall for cost in costs]
            cpus += [cost.cpu or 0.0 for cost in costs]
        self._fresh.add(contender)
        return Setup(contender.backend, contender.encoding, start.wall, start.cpu, sum(walls), sum(cpus))

    def _validate(self, contender: Contender, each: Known) -> list[Cost]:
        """Warm up on a puzzle whose answer is known; raises WrongAnswer unless that comes, or time is up."""
        if not self._workers[contender].running:
            self._workers[contender].start(self._patience)
        answer = self._ask(contender, each.puzzle, each.most, fresh=False)
        fault = answer.found.fault or each.fault(answer.found.count, answer.found.exact)
        if fault:
            raise WrongAnswer(f"backend {contender}, before anything was timed, on {each.puzzle.name}: {fault}")
        return [cost for cost in (answer.encode, answer.search) if cost is not None]

    def _measure(self, job: Job) -> Search:
        plan, contender = self._plan, job.contender
        worker = self._workers[contender]
        if not worker.running:
            worker.start(self._patience)
            self._fresh.add(contender)
        puzzle = plan.puzzle(job)
        fresh = not plan.warm or contender in self._fresh
        self._fresh.discard(contender)
        return _record(plan, job, puzzle, self._ask(contender, puzzle, plan.solutions, fresh))

    def _ask(self, contender: Contender, puzzle: Puzzle, most: int | None, fresh: bool) -> Answer:
        plan, worker = self._plan, self._workers[contender]
        task = Task(
            self._numbers[puzzle.board],
            puzzle.candidates,
            puzzle.name,
            most,
            plan.timeout,
            fresh,
            charged=not plan.warm,
            tally=plan.work is Work.COUNT,
        )
        limit = plan.timeout * 1.1 + GRACE
        costs: list[Cost | None] = []
        asked = perf_counter()
        try:
            worker.send(task)
            for allowed in (self._patience if plan.warm else limit, limit):
                asked = perf_counter()
                costs.append(worker.receive(allowed))
            return Answer(costs[0], costs[1], worker.receive(self._patience))
        except Overshot:
            encode, search, *_ = *costs, Cost(perf_counter() - asked, None), None
            return Answer(encode, search, Found(timed_out=True), killed=True)
        except Died as error:
            worker.close()
            encode, search, *_ = *costs, None, None
            return Answer(encode, search, Found(fault=str(error)))


def _key(job: Job) -> tuple[str, str | None, int, int]:
    return job.contender.backend, job.contender.encoding, job.index, job.repeat


def _record(plan: Plan, job: Job, puzzle: Puzzle, answer: Answer) -> Search:
    """The record of a search. One that was decided after its time counts as cut."""
    encode, search, found = answer.encode, answer.search, answer.found
    board = puzzle.board
    box = box_of(board)
    given = sum(1 for value in puzzle.givens if value)
    taken = sum(cost.wall for cost in ((search,) if plan.warm else (encode, search)) if cost is not None)
    outcome, fault = Outcome.SOLVED, found.fault
    if fault:
        outcome = Outcome.FAILED
    elif found.timed_out or answer.killed or taken > plan.timeout:
        outcome = Outcome.TIMEOUT
    elif not (found.exact or (plan.solutions is not None and found.count >= plan.solutions)):
        outcome, fault = Outcome.FAILED, f"it ended after {found.count} grids, neither cut nor exhausted"
    return Search(
        backend=job.contender.backend,
        encoding=job.contender.encoding,
        rules="warm" if plan.warm else "cold",
        work=plan.work,
        timeout=plan.timeout,
        set=_set(puzzle.name),
        puzzle=puzzle.name,
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
        verdict=_verdict(plan.work, found),
        count=found.count,
        exact=found.exact,
        solution=found.solution,
        encode_wall=None if encode is None else encode.wall,
        encode_cpu=None if encode is None else encode.cpu,
        search_wall=None if search is None else search.wall,
        search_cpu=None if search is None else search.cpu,
        peak_bytes=found.peak_bytes,
        statistics=found.statistics,
        killed=answer.killed,
        fault=fault,
    )


def _set(name: str) -> str:
    """The file of a puzzle named FILE:LINE; puzzles given as text are one set."""
    file, colon, line = name.rpartition(":")
    return file if colon and line.isdigit() else "arguments"


def _verdict(work: Work, found: Found) -> str:
    if found.count > 1:
        return "multiple"
    if found.count == 1 and not found.exact:
        return "solvable" if work is Work.FIRST else "undecided"
    if not found.exact:
        return "undecided"
    return "unique" if found.count else "unsolvable"
