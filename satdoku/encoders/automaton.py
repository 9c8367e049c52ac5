"""Linear, Table and Automaton as one layered automaton.

Layer i holds the states in which the first i cells can leave the constraint, edges carry the value of cell i. States
from which no grid can finish are dropped, and those of a layer with the same future merged (Trick 2003; Pesant 2004;
as clauses: Bacchus 2007, Quimper and Walsh 2007).
"""

from collections.abc import Callable, Sequence
from typing import Any

from satdoku.cache import SizedCache
from satdoku.constraints import Automaton, Linear, Table, machine_of
from satdoku.encoders.clauses import Clauses, contradiction

Edges = list[dict[int, int]]  # one layer: for each state, value -> state of the next layer
NextState = Callable[[Any, int], Any]  # (state, value) -> next state, None where the step rejects
ValuesOf = Callable[[int], Sequence[int]]  # cell -> the values that it may hold at all, ascending
MAX_KEPT = 500_000  # edges of the layers that are kept for constraints that say the same of other cells: some 50 MB

_layers = SizedCache[list[Edges]](MAX_KEPT)


def write(
    clauses: Clauses, constraint: Linear | Table | Automaton, values_of: ValuesOf, equals: Callable[[int, int], int]
) -> None:
    """Clauses that hold exactly if the constraint holds; `equals(cell, value)` gives literals."""
    layers = unroll(constraint, values_of)
    if layers is None:
        contradiction(clauses)
        return
    wanted = _one_wanted(layers, [values_of(cell) for cell in constraint.cells])
    if wanted is not None:
        clauses.add(*dict.fromkeys(map(equals, constraint.cells, wanted)))
        return
    # Both ends are single states and always hold, so they need no variable.
    states: list[int | None] = [None]
    for index, (cell, edges) in enumerate(zip(constraint.cells, layers, strict=True)):
        last = index == len(layers) - 1
        count = 1 + max(target for targets in edges for target in targets.values())
        following: list[int | None] = [None] if last else _next_states(clauses, cell, edges, states, count, equals)
        _layer(clauses, {value: equals(cell, value) for value in values_of(cell)}, edges, states, following)
        states = following


def _next_states(
    clauses: Clauses, cell: int, edges: Edges, states: list[int | None], count: int, equals: Callable[[int, int], int]
) -> list[int | None]:
    """A variable for each state; after the first cell, a state that one value reaches is that value."""
    if states == [None]:
        reached: list[list[int]] = [[] for _ in range(count)]
        for value, target in edges[0].items():
            reached[target].append(value)
        return [equals(cell, by[0]) if len(by) == 1 else clauses.new() for by in reached]
    return [clauses.new() for _ in range(count)]


def _one_wanted(layers: list[Edges], domains: Sequence[Sequence[int]]) -> list[int] | None:
    """For the first cells, two or more, a value each of which the constraint wants one to be held, and no more; None if
    it says something else. A clause of these values leaves unit propagation as much as the states do."""
    settled = [{0}]  # by layer, from the last: the states from which every grid finishes
    for edges, values in zip(reversed(layers), reversed(domains), strict=True):
        after, every = settled[-1], len(values)
        settled.append({i for i, ahead in enumerate(edges) if len(ahead) == every and after.issuperset(ahead.values())})
    wanted: list[int] = []
    state: int | None = 0
    for edges, values, after in zip(layers, domains, settled[-2::-1], strict=True):
        if state is None:
            break
        targets = edges[state]
        met = [value for value in values if targets.get(value) in after]
        others = {targets.get(value) for value in values if value not in met}
        if len(met) != 1 or len(others) != 1:
            return None
        wanted += met
        (state,) = others
    return wanted if state is None and len(wanted) > 1 else None


def _layer(
    clauses: Clauses, literals: dict[int, int], edges: Edges, states: list[int | None], following: list[int | None]
) -> None:
    sources: list[list[int]] = [[] for _ in following]
    for targets, state in zip(edges, states, strict=True):
        from_state = () if state is None else (-state,)
        for value, literal in literals.items():
            if value not in targets:
                clauses.add(*from_state, -literal)
        by_target = _by_target(targets)
        for target, values in by_target.items():
            _reach(clauses, literals, from_state, values, following[target])
        if state is None:
            continue
        # Forward: a state leads to one of its successors.
        ahead = [reached for target in by_target if (reached := following[target]) is not None]
        if len(ahead) == len(by_target):
            clauses.add(-state, *ahead)
        for target in by_target:
            sources[target].append(state)
    # Backward: a state was reached from one of its predecessors.
    for reached, before in zip(following, sources, strict=True):
        if reached is not None and before:
            clauses.add(-reached, *before)


def _reach(
    clauses: Clauses, literals: dict[int, int], from_state: tuple[int, ...], values: list[int], reached: int | None
) -> None:
    """Each of these values leads to what `reached` says; where they are all but one, so does not holding that one."""
    if reached is None:
        return
    others = [literals[value] for value in literals.keys() - values] if len(values) > 1 else list(literals.values())
    if len(others) <= 1 < len(values):
        clauses.add(*from_state, *others, reached)
        return
    for value in values:
        if reached != literals[value]:
            clauses.add(*from_state, -literals[value], reached)


def _by_target(targets: dict[int, int]) -> dict[int, list[int]]:
    values: dict[int, list[int]] = {}
    for value, target in targets.items():
        values.setdefault(target, []).append(value)
    return values


def unroll(constraint: Linear | Table | Automaton, values_of: ValuesOf) -> list[Edges] | None:
    """The merged layers of a constraint, one a cell, states numbered from 0; None if no values satisfy it. Constraints
    that say the same of other cells share them: they are not to be changed."""
    domains = tuple(map(values_of, constraint.cells))
    key = said(constraint), domains
    known = _layers.get(key)
    if known is not None:
        return known
    made = _unrolled(constraint, domains)
    if made is not None:
        _layers.put(key, made, sum(len(targets) for edges in made for targets in edges))
    return made


def said(constraint: Linear | Table | Automaton) -> tuple[Any, ...]:
    """What a constraint says, whatever its cells and its name."""
    match constraint:
        case Linear(_, coefficients, total):
            return Linear, coefficients, total
        case Table(_, tuples):
            return Table, tuples
        case Automaton(_, transitions, start, accepting):
            return Automaton, transitions, start, accepting


def _unrolled(constraint: Linear | Table | Automaton, domains: Sequence[Sequence[int]]) -> list[Edges] | None:
    _, start, follow, accepts = machine_of(constraint)
    step = [follow] * len(domains)
    if isinstance(constraint, Linear):
        start, step, accepts = 0, _sums(constraint, domains), constraint.total.__eq__
    layers: list[dict[Any, dict[int, Any]]] = []
    frontier = {start}
    for index, values in enumerate(domains):
        layer = {state: _targets(step[index], state, values) for state in sorted(frontier)}
        layers.append(layer)
        frontier = {target for targets in layer.values() for target in targets.values()}
    merged: list[Edges] = []
    kept = {state: 0 for state in frontier if accepts(state)}
    for layer in reversed(layers):
        numbers: dict[tuple[tuple[int, int], ...], int] = {}
        alive: dict[Any, int] = {}
        for state, targets in layer.items():
            future = tuple((value, kept[target]) for value, target in targets.items() if target in kept)
            if future:
                alive[state] = numbers.setdefault(future, len(numbers))
        merged.append([dict(future) for future in numbers])
        kept = alive
    return merged[::-1] if start in kept else None


def _targets(step: NextState, state: Any, values: Sequence[int]) -> dict[int, Any]:
    return {value: target for value in values if (target := step(state, value)) is not None}


def _sums(constraint: Linear, domains: Sequence[Sequence[int]]) -> list[NextState]:
    steps: list[NextState] = []
    low = high = constraint.total
    for coefficient, values in reversed(list(zip(constraint.coefficients, domains, strict=True))):
        steps.append(_sum_step(coefficient, low, high))
        ends = (coefficient * values[0], coefficient * values[-1])
        low, high = low - max(ends), high - min(ends)
    return steps[::-1]


def _sum_step(coefficient: int, low: int, high: int) -> NextState:
    def step(total: int, value: int) -> int | None:
        total += coefficient * value
        return total if low <= total <= high else None

    return step
