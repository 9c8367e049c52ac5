"""Automata and Tables as the words that `automaton` reads, and what some of them say in a shorter way."""

from __future__ import annotations

from array import array
from collections.abc import Collection
from functools import lru_cache
from itertools import product

from satdoku.kernels.propagators.automaton import HEAD

LEAST_ALIKE = 2  # values a letter, on average, from which on letters save more time than they take
MAX_COVERED = 5  # cells of an automaton that is looked at as a cover

Language = tuple[frozenset[tuple[int, int, int]], int, frozenset[int]]
"""The transitions of an automaton, its start and its accepting states."""


@lru_cache(maxsize=256)
def accepted(tuples: frozenset[tuple[int, ...]]) -> Language:
    """The least automaton of some tuples: a state is what may follow."""
    numbers, steps, waiting = {tuples: 0}, set[tuple[int, int, int]](), [tuples]
    while waiting:
        here = waiting.pop()
        following: dict[int, list[tuple[int, ...]]] = {}
        for row in here:
            if row:
                following.setdefault(row[0], []).append(row[1:])
        for value, rows in following.items():
            rest = frozenset(rows)
            if rest not in numbers:
                waiting.append(rest)
            steps.add((numbers[here], value, numbers.setdefault(rest, len(numbers))))
    end = numbers.get(frozenset({()}))
    return frozenset(steps), 0, frozenset() if end is None else frozenset({end})


@lru_cache(maxsize=256)
def words_of(automaton: Language, values: int, own_letters: bool) -> array[int]:
    """What `satdoku.kernels.propagators.automaton` reads; own_letters: whether each value is a letter of its own."""
    transitions, start, accepting = automaton
    steps: Collection[tuple[int, int, int]] = transitions
    sources, taken, targets = zip(*transitions, strict=True) if transitions else ((), (), ())
    if taken and not 1 <= min(taken) <= max(taken) <= values:
        steps = [step for step in transitions if 1 <= step[1] <= values]
        sources, targets = tuple(step[0] for step in steps), tuple(step[2] for step in steps)
    names = {start, *sources, *targets}
    if min(names) < 0 or max(names) >= len(names):  # else they are their own numbers
        numbers = {name: number for number, name in enumerate(sorted(names))}
        steps = [(numbers[source], value, numbers[target]) for source, value, target in steps]
        start, accepting = numbers[start], frozenset(numbers[name] for name in accepting if name in numbers)
    states = len(names)
    words = states // 64 + 1
    masks = () if own_letters else _alike(steps, values)
    if LEAST_ALIKE * len(masks) > values:
        masks = ()
    letters = len(masks) or values
    letter_of = {(mask & -mask).bit_length(): letter for letter, mask in enumerate(masks)}
    takes, nexts = [0] * states, [0] * (states * letters)
    for source, value, target in steps:
        letter = letter_of.get(value, -1) if masks else value - 1
        if letter >= 0:
            takes[source] |= 1 << letter
            nexts[source * letters + letter] = target
    final = [state for state in accepting if 0 <= state < states]
    every = (1 << letters) - 1
    universal = [
        state
        for state in final
        if takes[state] == every and nexts[state * letters : (state + 1) * letters].count(state) == letters
    ]
    place = HEAD + 2 * words + states + len(nexts) if masks else 0
    made = array("q", (states, words, letters, start, place))
    for some in (final, universal):
        made.frombytes(sum(1 << at for at in some).to_bytes(8 * words, "little"))
    made.extend(takes)
    made.extend(nexts)
    made.extend(masks)
    return made


def _alike(steps: Collection[tuple[int, int, int]], values: int) -> tuple[int, ...]:
    """The values that lead from each state to the same one, as bits: each value is in one of these sets."""
    ways: list[set[tuple[int, int]]] = [set() for _ in range(values)]
    for source, value, target in steps:
        ways[value - 1].add((source, target))
    alike: dict[frozenset[tuple[int, int]], int] = {}
    for number, way in enumerate(map(frozenset, ways)):
        alike[way] = alike.get(way, 0) | 1 << number
    return tuple(alike.values())


@lru_cache(maxsize=256)
def sets_covered(automaton: Language, values: int, length: int) -> tuple[int, ...]:
    """Sets of values, as bits, of which an automaton wants one each in some of its cells, and no more than that.

    Empty if it says something else, or has more than a few cells.
    """
    transitions, start, accepting = automaton
    if length > MAX_COVERED or len(transitions) > values << MAX_COVERED:
        return ()
    steps = [each for each in transitions if 1 <= each[1] <= values]
    step, classes = {(state, value): target for state, value, target in steps}, _alike(steps, values)
    wanted = tuple(each for each in classes if not _accepts_some(step, start, accepting, length, classes, each))
    reached = {(start, 0)}  # states, and which of the sets have been met on the way
    for _ in range(length):
        following = set()
        for (state, met), values_alike in product(reached, classes):
            target = step.get((state, _least(values_alike)))
            if target is None:
                return ()
            following.add((target, met | values_alike if values_alike in wanted else met))
        reached = following
    every = sum(wanted)
    return wanted if all((state in accepting) == (met == every) for state, met in reached) else ()


def _accepts_some(
    step: dict[tuple[int, int], int],
    start: int,
    accepting: frozenset[int],
    length: int,
    classes: tuple[int, ...],
    without: int,
) -> bool:
    """Whether a word is accepted that has none of the values `without`."""
    states = {start}
    values = [_least(each) for each in classes if each != without]
    for _ in range(length):
        states = {step[each] for each in product(states, values) if each in step}
    return not states.isdisjoint(accepting)


def _least(values: int) -> int:
    """The least of some values, which are given as bits."""
    return (values & -values).bit_length()
