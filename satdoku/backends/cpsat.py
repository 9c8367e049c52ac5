"""CP-SAT of OR-Tools, one worker: more are slower on boards of this size, and only one enumerates."""

from __future__ import annotations

from collections.abc import Callable
from queue import Full, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING

from satdoku.backends import BaseBackend, Budget, BulkResults, Ending, Engine, Search
from satdoku.constraints import Grid
from satdoku.encoders.cpsat import Model, encode, refusal
from satdoku.errors import BackendError, Refused
from satdoku.limits import bounded_time
from satdoku.puzzle import Board, Puzzle
from satdoku.system.clock import Deadline, TimeIsUp

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from ortools.sat.python.cp_model import CpSolver, CpSolverSolutionCallback

AHEAD = 64  # grids that the search may be ahead of its reader
SHORT = 1.0  # seconds that a puzzle of many may take before it is searched by itself
LOOK_AT_READER = 0.1  # seconds between two looks at whether somebody still reads, or the solver still runs


class CpSat(BaseBackend):
    def __init__(self) -> None:
        super().__init__()
        self._model: Model | None = None

    def refuses(self, board: Board) -> str | None:
        return None

    def load(self, board: Board) -> None:
        self._model = self._take_model(board)

    def check_many(self, board: Board, givens: NDArray[np.uint16], budget: Budget) -> BulkResults:
        """Row by row without a thread; what takes long is passed on to `search`, which can be interrupted."""
        results = BulkResults.of(len(givens), board)
        if refusal(Puzzle.from_givens(board, {})):  # by itself each puzzle may be taken
            return results
        model = self._take_model(board)
        solver = _configured(budget, SHORT if budget.timeout is None else min(SHORT, budget.timeout))
        for row, given in enumerate(givens.tolist()):
            if budget.limit is None or budget.limit < 1:
                break
            model.restrict(Puzzle.from_givens(board, given))
            grids: dict[Grid, None] = {}

            def take(grid: Grid, grids: dict[Grid, None] = grids, limit: int = budget.limit) -> bool:
                grids[grid] = None
                return len(grids) < limit

            status = solver.solve(model.model, _handing_over(model, take)).name
            if len(grids) < budget.limit and status not in ("OPTIMAL", "INFEASIBLE"):
                continue
            results.counts[row] = len(grids)
            results.endings[row] = (Ending.LIMIT if len(grids) == budget.limit else Ending.EXHAUSTED).code
            for place, grid in enumerate([*grids][:2]):
                results.grids[row, place] = grid
        self._model = model
        return results

    def _take_model(self, board: Board) -> Model:
        """The model that was kept if it is of the board; a search has it to itself, and puts it back."""
        model, self._model = self._model, None
        return model if model is not None and model.board is board else encode(board)

    def _run(self, puzzle: Puzzle, budget: Budget) -> Search:
        deadline = Deadline(budget.timeout)
        self._statistics = {}
        if not all(puzzle.candidates):
            return Ending.EXHAUSTED  # CP-SAT calls an empty domain an invalid model
        if budget.limit == 0:
            return Ending.LIMIT
        reason = refusal(puzzle)
        if reason:
            raise Refused(f"{puzzle.name}: {reason}")
        try:
            with bounded_time(budget.timeout):
                model = self._take_model(puzzle.board)
        except TimeIsUp:
            return Ending.TIMEOUT
        model.restrict(puzzle)
        known: set[Grid] = set()
        stream = _Stream(model, budget, deadline)
        try:
            for grid in iter(stream.queue.get, None):
                # Auxiliary cells may have several values for one grid; and some releases repeat solutions.
                if grid in known:
                    continue
                known.add(grid)
                yield grid
                if len(known) == budget.limit:
                    return Ending.LIMIT
        finally:
            stream.stop()
            self._model = model
            self._statistics = stream.statistics()
        return stream.ending()


def _handing_over(model: Model, take: Callable[[Grid], bool]) -> CpSolverSolutionCallback:
    """A callback that gives each grid to `take`, and stops the search once that returns False."""
    from ortools.sat.python.cp_model import CpSolverSolutionCallback

    places = [cell.index for cell in model.cells]

    class HandingOver(CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            values = list(self.response_proto.solution)  # one call, where value() takes one a cell
            if not take(model.grid(values[place] for place in places)):
                self.stop_search()

    return HandingOver()


def _configured(budget: Budget, seconds: float | None) -> CpSolver:
    from ortools.sat.python.cp_model import CpSolver

    solver = CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False  # Ctrl-C is for Python to handle
    solver.parameters.enumerate_all_solutions = budget.limit != 1
    if seconds is not None:
        solver.parameters.max_time_in_seconds = seconds
    if budget.seed is not None:
        solver.parameters.random_seed = budget.seed
        solver.parameters.permute_variable_randomly = True  # else one worker never draws
    return solver


class _Stream:
    """One CP-SAT search in a thread that fills a bounded queue, with None behind the last grid."""

    def __init__(self, model: Model, budget: Budget, deadline: Deadline) -> None:
        self._model = model
        self.queue: Queue[Grid | None] = Queue(AHEAD)
        self._stopped = Event()
        self._failure: BaseException | None = None
        self._status = ""
        self._solver = _configured(budget, deadline.left())
        self._thread = Thread(target=self._solve, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopped.set()
        while self._thread.is_alive():
            self._solver.stop_search()
            self._thread.join(LOOK_AT_READER)

    def statistics(self) -> dict[str, int]:
        if not self._status:
            return {}
        return {"conflicts": self._solver.num_conflicts, "branches": self._solver.num_branches}

    def ending(self) -> Ending:
        if self._failure is not None:
            raise BackendError(f"cpsat failed: {self._failure}") from self._failure
        match self._status:
            case "OPTIMAL" | "INFEASIBLE":
                return Ending.EXHAUSTED
            case "FEASIBLE" | "UNKNOWN":
                return Ending.TIMEOUT
            case _:
                raise BackendError(f"cpsat called the model {self._status}: {self._model.model.validate()}")

    def _solve(self) -> None:
        try:
            status = self._solver.solve(self._model.model, _handing_over(self._model, self._put))
            self._status = status.name
        except BaseException as error:
            self._failure = error
        self._put(None)

    def _put(self, grid: Grid | None) -> bool:
        while not self._stopped.is_set():
            try:
                self.queue.put(grid, timeout=LOOK_AT_READER)
                return True
            except Full:
                continue
        return False


ENGINES = (
    Engine(
        name="cpsat",
        summary="constraint programming, OR-Tools CP-SAT",
        open=lambda argument, encoding: CpSat(),
        requires=("ortools",),
        seeded=True,
        abilities=("all four constraints native",),
    ),
)
