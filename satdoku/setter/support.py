"""What one constraint by itself leaves to its cells: the values that occur in some way to keep it."""

from collections.abc import Callable, Sequence

from satdoku.backends.backtrack import possibility
from satdoku.constraints import AllDifferent, Automaton, Constraint, Linear, Table
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
    if isinstance(constraint, Table):
        rows = [row for row in constraint.tuples if min(row, default=1) > 0]
        return lambda allowed: _by_rows(rows, [allowed[cell] for cell in constraint.cells])
    leaving: dict[int, list[tuple[int, int]]] = {}
    for state, value, target in constraint.transitions:
        if value >= 0:
            leaving.setdefault(state, []).append((value, target))
    return lambda allowed: _by_sweeps(constraint, leaving, [allowed[cell] for cell in constraint.cells])


def _one_by_one(constraint: Constraint, allowed: Sequence[int]) -> list[int]:
    possible, grid, left = possibility(constraint), [0] * len(allowed), list(allowed)
    found = []
    for cell in dict.fromkeys(constraint.cells):
        kept = 0
        for value in members(allowed[cell]):
            grid[cell] = value
            kept |= possible(grid, left) << value
        grid[cell] = 0
        found.append(kept)
    return found


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


def _by_rows(rows: Sequence[tuple[int, ...]], allowed: Sequence[int]) -> list[int]:
    found = [0] * len(allowed)
    for row in rows:
        if all(mask >> value & 1 for mask, value in zip(allowed, row, strict=True)):
            for place, value in enumerate(row):
                found[place] |= 1 << value
    return found


def _by_sweeps(constraint: Automaton, leaving: dict[int, list[tuple[int, int]]], allowed: Sequence[int]) -> list[int]:
    """The states before each cell, swept forward; those from which a word can end, swept backward (Pesant 2004)."""
    layers = [{constraint.start}]
    for mask in allowed:
        layers.append({target for state in layers[-1] for value, target in leaving.get(state, ()) if mask >> value & 1})
    found, good = [0] * len(allowed), layers[-1] & constraint.accepting
    for place in reversed(range(len(allowed))):
        before = set()
        for state in layers[place]:
            for value, target in leaving.get(state, ()):
                if allowed[place] >> value & 1 and target in good:
                    found[place] |= 1 << value
                    before.add(state)
        good = before
    return found
