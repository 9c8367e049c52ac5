"""Automata and Tables as the words that `automaton` reads, and what some of them say in a shorter way."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from math import comb
from operator import itemgetter

from satdoku.kernels.propagators.automaton import HEAD
from satdoku.kernels.propagators.cover import MAX_COVERED
from satdoku.kernels.propagators.pairs import MAX_SETS, Relation

LEAST_ALIKE = 2  # values a letter, on average, from which on letters save more time than they take
NONE = -1  # where a value is not taken
MAX_FILLING = 4_096  # sets of values that are listed for cells in which each value is counted

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
    (transitions, start, accepting), states = _numbered(automaton)
    columns = _columns(transitions, states, values)
    masks = () if own_letters else _alike(columns)
    if LEAST_ALIKE * len(masks) > values:
        masks = ()
    if masks:
        columns = [columns[(mask & -mask).bit_length() - 1] for mask in masks]
    letters = len(columns)
    words, every = states // 64 + 1, (1 << letters) - 1
    nexts = array("q", bytes(8 * states * letters))
    for letter, column in enumerate(columns):
        nexts[letter::letters] = column
    takes = [every] * states
    for letter, column in enumerate(columns):
        for state in _places(column, NONE):
            takes[state] ^= 1 << letter
            nexts[state * letters + letter] = 0
    final = [state for state in accepting if 0 <= state < states]
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


def _numbered(automaton: Language) -> tuple[Language, int]:
    """The automaton with numbers from 0 on as names of its states, and how many states it has."""
    transitions, start, accepting = automaton
    names = {start, *map(itemgetter(0), transitions), *map(itemgetter(2), transitions)}
    if min(names) >= 0 and max(names) < len(names):
        return automaton, len(names)
    number_of = {name: number for number, name in enumerate(sorted(names))}
    steps = frozenset((number_of[source], value, number_of[target]) for source, value, target in transitions)
    return (steps, number_of[start], frozenset(number_of[name] for name in accepting & names)), len(names)


def _columns(steps: Iterable[tuple[int, int, int]], states: int, values: int) -> list[array[int]]:
    """For each value the state after each state, NONE where it is not taken."""
    table = array("q", (NONE,)) * (states * values)
    for source, value, target in steps:
        if 0 < value <= values:
            table[source * values + value - 1] = target
    return [table[value::values] for value in range(values)]


def _places(column: array[int], wanted: int) -> Iterator[int]:
    at = -1
    for _ in range(column.count(wanted)):
        at = column.index(wanted, at + 1)
        yield at


def _alike(columns: Sequence[array[int]]) -> tuple[int, ...]:
    """The values that lead from each state to the same one, as bits: each value is in one of these sets."""
    alike: dict[bytes, int] = {}
    for number, column in enumerate(columns):
        key = column.tobytes()
        alike[key] = alike.get(key, 0) | 1 << number
    return tuple(alike.values())


@lru_cache(maxsize=256)
def count_of(automaton: Language, values: int, length: int) -> tuple[int, frozenset[int]] | None:
    """A value and how often it may occur, where an automaton says that alone of `length` cells; else None."""
    if len(automaton[0]) > values * (length + 1):
        return None
    (transitions, start, accepting), states = _numbered(automaton)
    columns = _columns(transitions, states, values)
    classes = _alike(columns)
    if len(classes) != 2:
        return None
    counted, others = sorted(classes, key=int.bit_count)
    if counted & (counted - 1):
        return None
    step, stay = (columns[_least(each) - 1] for each in (counted, others))
    state, counts = start, set[int]()
    for count in range(length + 1):
        if state in accepting:
            counts.add(count)
        if count == length or step[state] == NONE:
            break
        if stay[state] != state:
            return None
        state = step[state]
    return _least(counted), frozenset(counts)


def sets_that_fill(counts: Sequence[frozenset[int]], length: int) -> tuple[list[int], list[int]] | None:
    """How often each value occurs if it does, and the sets of values that fill so many cells, as bits.

    Parameters:
        counts: of each value how often it may occur. None where it may occur in several ways, or the sets are many.
    """
    often, sets = list[int](), [(0, 0)]  # the values so far, and how many cells they fill
    for value, those in enumerate(counts):
        if len(those - {0}) > 1:
            return None
        often.append(max(those, default=0))
        absent = sets if 0 in those else []
        present = [(chosen | 1 << value, filled + often[-1]) for chosen, filled in sets] if often[-1] else []
        sets = [*absent, *((chosen, filled) for chosen, filled in present if filled <= length)]
        if len(sets) > MAX_FILLING:
            return None
    return often, [chosen for chosen, filled in sets if filled == length]


@lru_cache(maxsize=256)
def sets_covered(automaton: Language, values: int, length: int) -> tuple[int, ...]:
    """Sets of values, as bits, of which an automaton wants one each in some of its cells, and no more than that.

    Empty if it says something else, or has more than a few cells.
    """
    if length > MAX_COVERED or len(automaton[0]) > values << MAX_COVERED:
        return ()
    (transitions, start, accepting), states = _numbered(automaton)
    step = {(state, value): target for state, value, target in transitions}
    classes = _alike(_columns(transitions, states, values))
    wanted = tuple(each for each in classes if not _accepts_some(step, start, accepting, length, classes, each))
    if len(wanted) > length:
        return ()
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


@lru_cache(maxsize=256)
def relation_of(automaton: Language, values: int) -> Relation:
    """For each value the values, as bits, that follow it in the words of two."""
    transitions, start, accepting = automaton
    second: dict[int, int] = {}
    for state, value, target in transitions:
        if target in accepting and 1 <= value <= values:
            second[state] = second.get(state, 0) | 1 << value - 1
    step = {value: target for state, value, target in transitions if state == start}
    return tuple(second.get(step[value], 0) if value in step else 0 for value in range(1, values + 1))


@lru_cache(maxsize=256)
def sets_taken(automaton: Language, values: int, length: int) -> tuple[int, ...] | None:
    """The sets of values, as bits, of the words without a value twice; None if their order matters, or if there are
    more than MAX_SETS."""
    if comb(values, length) > MAX_FILLING:
        return None
    transitions, start, accepting = automaton
    step = {(state, value): target for state, value, target in transitions}
    reached: dict[int, int | None] = {0: start}  # what has been read, in any order, and the state; None: refused
    for _ in range(length):
        following: dict[int, int | None] = {}
        for read, state in reached.items():
            for value in range(values):
                if not read >> value & 1:
                    target = None if state is None else step.get((state, value + 1))
                    if following.setdefault(read | 1 << value, target) != target:
                        return None
        reached = following
    sets = tuple(sorted(read for read, state in reached.items() if state in accepting))
    return sets if len(sets) <= MAX_SETS else None


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
