"""One automaton for some marks of which so many hold."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from satdoku.constraints import Automaton, Constraint, Linear, StateMachine, Table, machine_of
from satdoku.errors import PuzzleError
from satdoku.variants.relations import CellList

MAX_TOGETHER = 4_000  # states of an automaton that reads cells for several marks at once
MET = True  # the state in which so many marks hold, whatever follows

Parts = Sequence[Sequence[Constraint]]
"""The constraints of each mark."""


def chosen(values: range, name: str, parts: Parts, least: float, most: float) -> Automaton:
    """The automaton of at least `least` and at most `most` of some marks.

    Where marks share cells it reads each cell once, for all marks, unless that takes too many states or two automata
    read their cells in orders that do not fit together; else it reads the cells of one mark after the other.
    """
    if (order := _order(parts)) is not None:
        with suppress(PuzzleError):
            return _together(CellList(values, order, name), parts, least, most)
    return _in_turn(values, name, parts, least, most)


def _order(parts: Parts) -> tuple[int, ...] | None:
    """The cells in an order in which each automaton reads its own; None if there is none, or no cell is read twice."""
    rules = [rule for part in parts for rule in part]
    every = sum(len(rule.cells) for rule in rules)
    before: dict[int, set[int]] = {cell: set() for rule in rules for cell in rule.cells}
    if len(before) == every:
        return None
    for rule in rules:
        if isinstance(rule, Automaton):
            for first, second in pairwise(rule.cells):
                before[second].add(first)
    with suppress(CycleError):
        return tuple(TopologicalSorter(before).static_order())
    return None


_Reading = tuple[int, Callable[[Any, int], Any], Callable[[Any], bool] | None]
"""The number of a constraint of a mark, its step, and what accepts it where it ends."""


def _together(on: CellList, parts: Parts, least: float, most: float) -> Automaton:
    """Its state: how many cells are read, how many marks hold, and of each mark that may still hold its number and the
    states of its constraints, None where one is met."""
    readers = _Readers.of(on, parts)

    def state(at: int, held: int, left: tuple[tuple[int, tuple[Any, ...]], ...]) -> Hashable:
        if held > most or held + len(left) < least:
            return None
        return MET if held >= least and held + len(left) <= most else (at, held, left)

    def step(before: Any, value: int) -> Any:
        if before is None or before is MET:  # already at the start, or for good
            return before
        at, held, opened = before
        left = []
        for each in opened:
            part, states = each
            reading = readers.reads[at][part]
            if reading:
                after = _follow(reading, states, value)
                if after is None:
                    continue
                each = part, after
            if at == readers.last[part]:
                held += 1
            else:
                left.append(each)
        return state(at + 1, held, tuple(left))

    empty = [part for part in parts if not any(rule.cells for rule in part)]
    held = sum(all(rule.holds(()) for rule in part) for part in empty)
    begun = tuple((part, states) for part, states in enumerate(readers.starts) if states)
    return on.automaton(state(0, held, begun), step, lambda after: after is MET, MAX_TOGETHER)


def _follow(reading: Sequence[_Reading], states: tuple[Any, ...], value: int) -> tuple[Any, ...] | None:
    """The states of a mark after one more cell, None if it does not hold."""
    after = list(states)
    for number, step, accepts in reading:
        inner = step(after[number], value)
        if inner is None or (accepts is not None and not accepts(inner)):
            return None
        after[number] = inner if accepts is None else None
    return tuple(after)


@dataclass(slots=True)
class _Readers:
    """What reads the cells of all marks, in one order.

    starts: the first states of each mark; reads: for each cell and mark what reads it; last: the place of the last cell
    of each mark
    """

    starts: list[tuple[Any, ...]]
    reads: list[list[list[_Reading]]]
    last: list[int]

    @classmethod
    def of(cls, on: CellList, parts: Parts) -> _Readers:
        place_of = {cell: place for place, cell in enumerate(on.cells)}
        machines = [[_reader(rule, on.values, place_of) for rule in part if rule.cells] for part in parts]
        reads: list[list[list[_Reading]]] = [[[] for _ in parts] for _ in on.cells]
        for part, those in enumerate(machines):
            for number, machine in enumerate(those):
                for cell in machine.cells:
                    accepts = machine.accepts if cell == machine.cells[-1] else None
                    reads[place_of[cell]][part].append((number, machine.step, accepts))
        last = [max((place_of[machine.cells[-1]] for machine in those), default=-1) for those in machines]
        return cls([tuple(machine.start for machine in those) for those in machines], reads, last)


def _reader(rule: Constraint, values: range, place_of: dict[int, int]) -> StateMachine:
    """What reads the cells of a constraint in the order of their places; a sum ends early where it cannot be met."""
    places = [place_of[cell] for cell in rule.cells]
    if isinstance(rule, Automaton) or (places == sorted(places) and not isinstance(rule, Linear)):
        return machine_of(rule)
    order = sorted(range(len(rule.cells)), key=places.__getitem__)
    cells = tuple(rule.cells[index] for index in order)
    if isinstance(rule, Table):
        rows = frozenset(tuple(row[index] for index in order) for row in rule.tuples)
        return machine_of(Table(cells, rows, rule.name))
    if not isinstance(rule, Linear):
        return machine_of(rule)._replace(cells=cells)
    weights = [rule.coefficients[index] for index in order]
    ends = [sorted((weight * values[0], weight * values[-1])) for weight in weights]
    least, greatest = (list(accumulate(reversed(each), initial=0))[::-1] for each in zip(*ends, strict=True))

    def step(read: tuple[int, int], value: int) -> tuple[int, int] | None:
        at, left = read
        left -= weights[at] * value
        return (at + 1, left) if least[at + 1] <= left <= greatest[at + 1] else None

    return StateMachine(cells, (0, rule.total), step, lambda read: not read[1])


class _Read(NamedTuple):
    """A cell that is read. ends: whether it is the last of its constraint; ends_mark: the last of its mark"""

    cell: int
    machine: StateMachine
    ends: bool
    ends_mark: bool


def _reads(machines: list[StateMachine]) -> Iterator[_Read]:
    """The cells of one mark, those of each constraint in turn."""
    for index, machine in enumerate(machines, 1):
        for place, cell in enumerate(machine.cells, 1):
            ends = place == len(machine.cells)
            yield _Read(cell, machine, ends, ends and index == len(machines))


def _in_turn(values: range, name: str, parts: Parts, least: float, most: float) -> Automaton:
    """Its state: how many marks held, how many cells are read, whether the mark that is being read may still hold, and
    the state of the constraint that is being read."""
    reads, held = list[_Read](), 0
    for part in parts:
        machines = [machine for machine in map(machine_of, part) if machine.cells]
        reads += _reads(machines)
        held += not machines and all(constraint.holds(()) for constraint in part)

    def start(at: int) -> Hashable:
        return reads[at].machine.start if at < len(reads) else None

    def step(state: tuple[int, int, bool, Any], value: int) -> tuple[int, int, bool, Any]:
        held, at, may_hold, inner = state
        _, machine, ends, ends_mark = reads[at]
        if may_hold:
            inner = machine.step(inner, value)
            may_hold = inner is not None and (not ends or machine.accepts(inner))
        if ends_mark:
            return held + may_hold, at + 1, True, start(at + 1)
        if not may_hold:
            return held, at + 1, False, None
        return held, at + 1, True, start(at + 1) if ends else inner

    on = CellList(values, tuple(read.cell for read in reads), name)
    return on.automaton((held, 0, True, start(0)), step, lambda state: least <= state[0] <= most)
