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

    encode: Cost
    search: Cost
    found: Found
    killed: bool = False


class Harness:
    """The workers of a plan; `close` kills them."""

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

    def close(self) -> None:
        for worker in self._workers.values():
            worker.close()

    def run(self, done: Container[tuple[str, str | None, int, int]] = ()) -> Iterator[Setup | Search]:
        """Ready every contender, then measure each job that is not done.

        Raises WrongAnswer or BackendError, before anything is timed, if a contender errs on a puzzle whose answer
        is known.
        """
        jobs = [job for job in self._plan.jobs() if job.key not in done]
        for contender in dict.fromkeys(job.contender for job in jobs):
            yield self._ready(contender)
        for job in jobs:
            yield self._measure(job)

    def _ready(self, contender: Contender) -> Setup:
        worker = self._workers[contender]
        start = worker.start(self._patience)
        costs: list[Cost] = []
        for each in self._known:
            if (contender, each.puzzle.board) not in self._plan.skipped:
                costs += self._validate(contender, each)
        self._fresh.add(contender)
        return Setup(
            backend=contender.backend,
            encoding=contender.encoding,
            start_wall=start.wall or 0.0,
            start_cpu=start.cpu,
            warm_up_wall=sum(cost.wall or 0.0 for cost in costs),
            warm_up_cpu=sum(cost.cpu or 0.0 for cost in costs),
        )

    def _validate(self, contender: Contender, each: Known) -> list[Cost]:
        """Warm up on a puzzle whose answer is known; raises WrongAnswer unless that comes, or time is up."""
        if not self._workers[contender].running:
            self._workers[contender].start(self._patience)
        answer = self._ask(contender, each.puzzle, each.most, fresh=False)
        fault = answer.found.fault or each.fault(answer.found.count, answer.found.exact)
        if fault:
            raise WrongAnswer(f"backend {contender}, before anything was timed, on {each.puzzle.name}: {fault}")
        return [answer.encode, answer.search]

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
            board=self._numbers[puzzle.board],
            candidates=puzzle.candidates,
            name=puzzle.name,
            solutions=most,
            seconds=plan.timeout,
            fresh=fresh,
            charged=not plan.warm,
            tally=plan.work is Work.COUNT,
        )
        limit = plan.timeout * 1.1 + GRACE
        costs: list[Cost] = []
        asked = perf_counter()
        try:
            worker.send(task)
            for allowed in (self._patience if plan.warm else limit, limit):
                asked = perf_counter()
                costs.append(worker.receive(allowed))
            return Answer(costs[0], costs[1], worker.receive(self._patience))
        except Overshot:
            encode, search, *_ = *costs, Cost(perf_counter() - asked), Cost()
            return Answer(encode, search, Found(timed_out=True), killed=True)
        except Died as error:
            worker.close()
            encode, search, *_ = *costs, Cost(), Cost()
            return Answer(encode, search, Found(fault=str(error)))


def _record(plan: Plan, job: Job, puzzle: Puzzle, answer: Answer) -> Search:
    encode, search, found = answer.encode, answer.search, answer.found
    board, box = puzzle.board, box_of(puzzle.board)
    given = puzzle.given_count
    name = puzzle.name.encode("utf-8", "replace").decode()
    file, colon, line = name.rpartition(":")
    outcome, fault = _outcome(plan, answer)
    return Search(
        backend=job.contender.backend,
        encoding=job.contender.encoding,
        rules=plan.rules,
        work=plan.work,
        timeout=plan.timeout,
        set=file if colon and line.isdigit() else "arguments",  # puzzles given as text are one set
        puzzle=name,
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
        encode_wall=encode.wall,
        encode_cpu=encode.cpu,
        search_wall=search.wall,
        search_cpu=search.cpu,
        peak_bytes=found.peak_bytes,
        statistics=found.statistics,
        killed=answer.killed,
        fault=fault,
    )


def _outcome(plan: Plan, answer: Answer) -> tuple[Outcome, str | None]:
    """How the search counts, and what is wrong with it. One that was decided after its time counts as cut."""
    found = answer.found
    taken = (answer.search.wall or 0) + (answer.encode.wall or 0) * (not plan.warm)
    if found.fault:
        return Outcome.FAILED, found.fault
    if found.timed_out or answer.killed or taken > plan.timeout:
        return Outcome.TIMEOUT, None
    if not found.exact and (plan.solutions is None or found.count < plan.solutions):
        return Outcome.FAILED, f"it ended after {found.count} grids, neither cut nor exhausted"
    return Outcome.SOLVED, None


def _verdict(work: Work, found: Found) -> str:
    if found.count > 1:
        return "multiple"
    if found.exact:
        return "unique" if found.count else "unsolvable"
    return "solvable" if found.count and work is Work.FIRST else "undecided"
