"""Two searches in turns, each longer than the one before: what takes one milliseconds may take the other hours."""

from collections.abc import Callable
from time import monotonic

from satdoku.backends import Backend, Budget, Drain, Ending, Search
from satdoku.backends.clock import Deadline
from satdoku.backends.native import Native, Run
from satdoku.constraints import Grid, Linear
from satdoku.puzzle import Board, Puzzle

NATIVE, SAT = "native", "glucose4"

MAX_SOLUTIONS = 1_000  # where more are asked for, the compiled search, which repeats none, takes the puzzle by itself
FEW_NODES, MANY_NODES = 2_000, 50_000  # of the first turn: 20 ms; on boards of sums, where SAT is slow, half a second
FIRST_SECONDS = 0.25  # the first turn of the SAT solver, at least; loading the clauses counts for it
SHARE = 1 / 3  # of the time of the compiled search, what the SAT solver gets on boards of sums

GROWTH = 3


def alternating(
    native: Native,
    sat: Backend,
    puzzle: Puzzle,
    strong: Callable[[Puzzle], Puzzle],
    budget: Budget,
    chosen: Callable[[str], None],
) -> Search:
    """The grids by whichever of the two ends first, which `chosen` is told; `strong` adds implied constraints."""
    deadline = Deadline(budget.seconds)
    solutions = MAX_SOLUTIONS if budget.solutions is None else budget.solutions
    run, nodes, known = native.begin(puzzle), first_nodes(puzzle.board), set[Grid]()
    share = SHARE if nodes >= MANY_NODES else 1.0
    while True:
        began = monotonic()
        chosen(NATIVE)
        ending = _go_on(run, nodes, solutions, known, deadline)
        if ending is None:
            seconds = max(FIRST_SECONDS, share * (monotonic() - began))
            left = deadline.left()
            chosen(SAT)
            drain = Drain(
                sat.search(strong(puzzle), Budget(solutions, seconds if left is None else min(seconds, left)))
            )
            grids = set(drain)
            ending = drain.result
            known = grids if ending is Ending.EXHAUSTED else known | grids
        if ending is not Ending.TIMEOUT or deadline.passed():
            yield from list(known)[:solutions]
            return Ending.LIMIT if len(known) >= solutions else ending
        nodes *= GROWTH


def _go_on(run: Run, nodes: int, solutions: int, known: set[Grid], deadline: Deadline) -> Ending | None:
    """Search on for about `nodes` nodes; None if neither the end, nor the limit, nor the deadline came."""
    from satdoku.kernels.compiled import EXHAUSTED, FOUND

    target = (run.nodes() or 0) + nodes
    while len(known) < solutions:
        if deadline.passed():
            return Ending.TIMEOUT
        if (run.nodes() or 0) >= target:
            return None
        code = run.advance()
        if code == FOUND:
            known.add(run.grid())
        elif code == EXHAUSTED:
            return Ending.EXHAUSTED
    return Ending.LIMIT


def first_nodes(board: Board) -> int:
    summed = {cell for rule in board.others if isinstance(rule, Linear) for cell in rule.cells}
    return MANY_NODES if 2 * len(summed) >= board.cells else FEW_NODES
