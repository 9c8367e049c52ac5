"""What one constraint by itself leaves to its cells: the values that occur in some way to keep it."""

from collections.abc import Callable, Sequence
from math import inf

from satdoku.backends.backtrack import possibility
from satdoku.constraints import AllDifferent, Constraint, Linear, machine_of
from satdoku.puzzle import members

Support = Callable[[Sequence[int]], list[int]]


def support(constraint: Constraint) -> Support:
    """From the candidates of all cells to those of the constraint's own, without repeats, that it leaves.

    Sets of values have bit v set for value v. A Linear is looked at by bounds: least and greatest values alone.
    """
    if isinstance(constraint, AllDifferent) or len(set(constraint.cells)) < len(constraint.cells):
        return lambda allowed: _one_by_one(constraint, allowed)
    if isinstance(constraint, Linear):
        return lambda allowed: _by_bounds(constraint, allowed)
    cells, start, step, accepts = machine_of(constraint)
    return lambda allowed: on_ways(start, step, accepts, [allowed[cell] for cell in cells]) or []


def _one_by_one(constraint: Constraint, allowed: Sequence[int]) -> list[int]:
    possible, grid, left = possibility(constraint), [0] * len(allowed), list(allowed)
    supported = []
    for cell in dict.fromkeys(constraint.cells):
        kept = 0
        for value in members(allowed[cell]):
            grid[cell] = value
            kept |= possible(grid, left) << value
        grid[cell] = 0
        supported.append(kept)
    return supported


def _by_bounds(constraint: Linear, allowed: Sequence[int]) -> list[int]:
    bounds = []
    for cell, factor in zip(constraint.cells, constraint.coefficients, strict=True):
        mask = allowed[cell]
        ends = factor * ((mask & -mask).bit_length() - 1), factor * (mask.bit_length() - 1)
        bounds.append((min(ends), max(ends)))
    # What the cells but one have to come to at most, and at least, for the total to be reached.
    low, high = constraint.total - sum(least for least, _ in bounds), constraint.total - sum(most for _, most in bounds)
    return [
        sum(1 << value for value in members(allowed[cell]) if high + most <= factor * value <= low + least)
        for cell, factor, (least, most) in zip(constraint.cells, constraint.coefficients, bounds, strict=True)
    ]


def on_ways(
    start: int,
    step: Callable[[int, int], int | None],
    accepts: Callable[[int], bool],
    allowed: Sequence[int],
    most: float = inf,
) -> list[int] | None:
    """For each set of values, those on some way from the start to a state that is accepted.

    The states before each set are swept forward; those from which a way can end, swept backward (Pesant 2004).

    step: (state, value) -> next state, None where no way goes on
    most: None is returned for more states than that in one place
    """
    reached, places = {start}, list[list[tuple[int, int, int]]]()
    for mask in allowed:
        values = tuple(members(mask))
        steps = ((state, value, step(state, value)) for state in reached for value in values)
        places.append([(state, value, target) for state, value, target in steps if target is not None])
        reached = {target for _, _, target in places[-1]}
        if len(reached) > most:
            return None
    kept, good = [0] * len(places), set(filter(accepts, reached))
    for place in reversed(range(len(places))):
        ways = [(state, value) for state, value, target in places[place] if target in good]
        kept[place] = sum({1 << value for _, value in ways})
        good = {state for state, _ in ways}
    return kept
