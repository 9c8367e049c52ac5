"""Why a puzzle has no solution, what keeps it from having only one, or how its solution follows step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from satdoku.backends import Budget, Ending
from satdoku.backends.clock import Deadline, TimeIsUp
from satdoku.constraints import Grid
from satdoku.puzzle import Puzzle
from satdoku.setter.candidates import survey
from satdoku.setter.reasons import Fact, Guarantee, Reason, Theory
from satdoku.setter.warm import Boards, refereed
from satdoku.verdict import Verdict, sound

TRIED = 10
"""Cores of each step that are made irreducible, the smallest of one core for each open cell."""

MOST_SOLUTIONS = 50
"""Solutions up to which a smallest set of further givens is sought over all of them."""


@dataclass(frozen=True, slots=True)
class Step:
    """A value that follows from what is known before it: the givens, and the values of earlier steps."""

    cell: int
    value: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class Completion:
    """Cells whose values in `grid`, if given as well, make the puzzle unique.

    guarantee: of the number of cells
    over_all:  whether that is over all solutions; else for this one
    """

    cells: tuple[int, ...]
    grid: Grid
    guarantee: Guarantee
    over_all: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a puzzle has as many solutions as it has. What does not apply, or was not reached, is empty or None.

    verdict:    unsolvable, multiple, unique; undecided if the timeout came before it was known
    clashes:    unsolvable: the givens that break a rule by themselves, a sentence each
    conflict:   unsolvable: givens and constraints that cannot all hold
    solutions:  the solution, or two that differ; each accepted by the referee
    vary:       multiple: the cells that do not have the same value in every solution; None if not reached
    completion: multiple: cells that would make it unique
    steps:      unique: how each value follows
    ending:     EXHAUSTED if the explanation is complete, else TIMEOUT
    """

    puzzle: Puzzle
    verdict: Verdict
    clashes: tuple[str, ...] = ()
    conflict: Reason | None = None
    solutions: tuple[Grid, ...] = ()
    vary: tuple[int, ...] | None = None
    completion: Completion | None = None
    steps: tuple[Step, ...] = ()
    ending: Ending = Ending.EXHAUSTED


def explain(puzzle: Puzzle, *, smallest: bool = False, timeout: float | None = None) -> Explanation:
    """Why `puzzle` has no solution, several, or one.

    smallest: prove that no smaller set of givens and constraints conflicts, or lets any value follow at a
              step; else, or where the timeout comes first, sets are irreducible: none of their parts does
    timeout:  seconds of search; what was established by then is kept
    Raises Refused for a board too large for clauses.
    """
    with Boards() as boards:
        return explained(boards, puzzle, smallest, timeout)


def explained(boards: Boards, puzzle: Puzzle, smallest: bool, timeout: float | None) -> Explanation:
    """The same; `boards` serves the cells that vary."""
    sound(Budget(None, timeout))
    theory = Theory(puzzle)
    try:
        return _explained(boards, puzzle, theory, smallest, Deadline(timeout))
    finally:
        theory.close()


def _explained(boards: Boards, puzzle: Puzzle, theory: Theory, smallest: bool, deadline: Deadline) -> Explanation:
    told = Explanation(puzzle, Verdict.UNDECIDED)
    clashes = tuple(puzzle.clashes())
    try:
        solutions = [] if clashes else list(_solutions(theory, puzzle, 2, deadline))
    except TimeIsUp:
        return replace(told, ending=Ending.TIMEOUT)
    told = replace(told, solutions=tuple(solutions), clashes=clashes)
    if not solutions:
        told = replace(told, verdict=Verdict.UNSOLVABLE)
        conflict = _conflict(theory, bool(clashes), smallest, deadline)
        unfinished = conflict.guarantee is Guarantee.NONE or (smallest and conflict.guarantee is Guarantee.IRREDUCIBLE)
        return replace(told, conflict=conflict, ending=Ending.TIMEOUT if unfinished else Ending.EXHAUSTED)
    if len(solutions) > 1:
        return _multiple(boards, theory, replace(told, verdict=Verdict.MULTIPLE), deadline)
    steps: list[Step] = []
    ending = Ending.EXHAUSTED
    try:
        for step in _steps(theory, puzzle, solutions[0], smallest, deadline):
            steps.append(step)
    except TimeIsUp:
        ending = Ending.TIMEOUT
    if smallest and any(step.reason.guarantee is not Guarantee.SMALLEST for step in steps):
        ending = Ending.TIMEOUT
    return replace(told, verdict=Verdict.UNIQUE, steps=tuple(steps), ending=ending)


def _solutions(theory: Theory, puzzle: Puzzle, most: int, deadline: Deadline) -> Iterator[Grid]:
    """Up to `most` solutions."""
    guard = theory.warm.new()
    try:
        for _ in range(most):
            model = theory.warm.solve([guard, *theory.facts, *theory.rules], deadline)
            if model is None:
                return
            grid = refereed(puzzle, theory.decode(model))
            theory.warm.add(-guard, *(-theory.equals(cell, value) for cell, value in enumerate(grid)))
            yield grid
    finally:
        theory.warm.retire(guard)


def _conflict(theory: Theory, clash: bool, smallest: bool, deadline: Deadline) -> Reason:
    """Givens and constraints that cannot all hold, of one constraint where givens clash."""
    everything = [*theory.facts, *theory.rules]
    goal = theory.warm.new()
    best, guarantee = everything, Guarantee.NONE
    try:
        core = (_clash(theory, goal, deadline) if clash else None) or theory.core([goal], everything, deadline)
        assert core is not None
        best = core
        best, guarantee = theory.irreducible([goal], core, deadline), Guarantee.IRREDUCIBLE
        if smallest:
            _, best = theory.smallest([goal], everything, (goal, best), deadline)
            guarantee = Guarantee.SMALLEST
    except TimeIsUp:
        pass
    return theory.reason(best, guarantee)


def _clash(theory: Theory, goal: int, deadline: Deadline) -> list[int] | None:
    """What is known of a cell without candidates, or of the cells of one constraint, and that constraint."""
    for literal in theory.facts:
        if not theory.fact(literal).allowed:
            return [literal]
    for rule in theory.rules:
        core = theory.core([goal], [*theory.facts_in(theory.cells_of(rule)), rule], deadline)
        if core is not None:
            return core
    return None


def _multiple(boards: Boards, theory: Theory, told: Explanation, deadline: Deadline) -> Explanation:
    puzzle = told.puzzle
    found = survey(boards, puzzle, 1, deadline.left() and max(deadline.left() or 0, 1e-3))
    if found.ending is Ending.TIMEOUT:
        return replace(told, ending=Ending.TIMEOUT)
    told = replace(told, vary=tuple(cell for cell, value in enumerate(found.decided) if not value))
    try:
        completion = _completion(theory, told, deadline)
    except TimeIsUp:
        return replace(told, ending=Ending.TIMEOUT)
    cut = completion.guarantee is not Guarantee.SMALLEST
    return replace(told, completion=completion, ending=Ending.TIMEOUT if cut else Ending.EXHAUSTED)


def _completion(theory: Theory, told: Explanation, deadline: Deadline) -> Completion:
    """A smallest set of cells of a solution that no other solution shares.

    Raises TimeIsUp before there is an irreducible one.
    """
    assert told.vary is not None
    best = _told_apart(theory, told.vary, told.solutions[0], None, deadline)
    if best.guarantee is not Guarantee.SMALLEST:
        return best
    try:
        every = list(_solutions(theory, told.puzzle, MOST_SOLUTIONS + 1, deadline))
        if len(best.cells) > 1 and len(every) > MOST_SOLUTIONS:
            return best
        for grid in every:
            if len(best.cells) > 1:
                best = _told_apart(theory, told.vary, grid, best, deadline)
                if best.guarantee is not Guarantee.SMALLEST:
                    return replace(best, guarantee=Guarantee.IRREDUCIBLE)
    except TimeIsUp:
        return best
    return replace(best, over_all=True)


def _told_apart(
    theory: Theory, vary: tuple[int, ...], grid: Grid, best: Completion | None, deadline: Deadline
) -> Completion:
    """A smallest set of cells whose values in `grid` no other solution has, or `best` if none is smaller.

    Such a set is a core against the clause that excludes the grid. Raises TimeIsUp if even `best` is None.
    """
    guard = theory.warm.new()
    theory.warm.add(-guard, *(-theory.equals(cell, grid[cell]) for cell in vary))
    always = [*theory.facts, *theory.rules]
    cells = {theory.equals(cell, grid[cell]): cell for cell in vary}
    try:
        core = theory.core([guard, *always], list(cells), deadline)
        assert core is not None
        chosen = theory.irreducible([guard, *always], core, deadline)
        guarantee = Guarantee.IRREDUCIBLE
        try:
            if best is not None and len(best.cells) < len(chosen):
                chosen = chosen[: len(best.cells)]  # only its size is asked for
                _, found = theory.smallest([guard], list(cells), (guard, chosen), deadline, always)
                if found is chosen:
                    return best
                chosen = found
            else:
                _, chosen = theory.smallest([guard], list(cells), (guard, chosen), deadline, always)
            guarantee = Guarantee.SMALLEST
        except TimeIsUp:
            pass
        return Completion(tuple(sorted(cells[literal] for literal in chosen)), grid, guarantee, False)
    finally:
        theory.warm.retire(guard)


def _steps(theory: Theory, puzzle: Puzzle, solution: Grid, smallest: bool, deadline: Deadline) -> Iterator[Step]:
    """The open cells of a unique puzzle, next the one that needs the smallest reason of those found.

    One core is taken for each open cell, with the constraints that see it first so that few others get into it;
    the smallest ones are made irreducible. A reason stays one when more is known, so the best of each cell are kept.
    """
    random = Random(0)
    goals = {-theory.equals(cell, solution[cell]): cell for cell, value in enumerate(puzzle.givens) if not value}
    near = {goal: {rule for rule in theory.rules if cell in theory.cells_of(rule)} for goal, cell in goals.items()}
    best: dict[int, list[int]] = {}
    seen: list[Grid] = []
    while goals:
        guarantee = Guarantee.IRREDUCIBLE
        facts = theory.facts
        cores: list[tuple[int, list[int]]] = []
        for goal in goals:
            random.shuffle(facts)
            rules = random.sample(theory.rules, len(theory.rules))
            rules.sort(key=lambda rule, goal=goal: rule not in near[goal])  # type: ignore[misc]
            core = theory.core([goal], [*facts, *rules], deadline)
            assert core is not None
            cores.append((goal, core))
        for goal, core in sorted(cores, key=lambda pair: len(pair[1]))[:TRIED]:
            reason = theory.irreducible([goal], core, deadline)
            if goal not in best or len(reason) < len(best[goal]):
                best[goal] = reason
        goal = min((goal for goal in best if goal in goals), key=lambda goal: len(best[goal]))
        if smallest:
            try:
                goal, best[goal] = theory.smallest(
                    list(goals), [*theory.facts, *theory.rules], (goal, best[goal]), deadline, seen=seen
                )
                guarantee = Guarantee.SMALLEST
            except TimeIsUp:
                smallest, deadline = False, Deadline(None)
        cell = goals.pop(goal)
        yield Step(cell, solution[cell], theory.reason(best[goal], guarantee))
        theory.learn(Fact(cell, 1 << solution[cell]))
