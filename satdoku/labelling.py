"""Canonical labelling: one order of the cells of a puzzle for all puzzles that a permutation of cells makes equal.

Colours are refined (Weisfeiler and Leman, "The reduction of a graph to canonical form", 1968) on the hypergraph of
cells and constraints. Where cells of one colour are left, each of them in turn gets a colour of its own, and the
smallest form of all orders is kept; automorphisms that are found on the way spare what they make equal (McKay,
"Practical graph isomorphism", 1981).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

FormKey = tuple[Any, ...]
Transition = tuple[int, int, int]  # a transition: state, value, next state
Deterministic = tuple[list[Transition], int, list[int]]  # an automaton: steps, start, accepting states
MAX_LOOKS = 2_000_000  # at cells of edges, some seconds; an empty 9x9 takes 76,000, an empty 16x16 853,000
MAX_STEPS, MAX_STATES = 20_000, 2_000  # of an automaton that is made smallest
MAX_WORDS = 10_000  # of a language that is looked at as a table
MAX_PARTS = 1_000  # of words whose ends are exchanged: all of three values up to 9, and of two up to 31
NO_READING = 1 << 64  # larger than any number of a reading


class TooSymmetric(Exception):
    """More looks than MAX_LOOKS would be needed."""


class Edge(NamedTuple):
    """A constraint as an edge of the hypergraph.

    what:  what it says, but for its cells
    roles: a number for each cell: cells of one number may change places as far as `what` tells
    """

    what: str
    roles: tuple[int, ...]
    cells: tuple[int, ...]


class Leaf(NamedTuple):
    path: tuple[int, ...]  # the cells that got a colour of their own
    traces: tuple[FormKey, ...]
    form: FormKey
    order: tuple[int, ...]  # the cells by their labels


class Labelling(NamedTuple):
    """form:  equal for two hypergraphs if a permutation of cells maps colours and edges of one to those of the other,
           and if the form of the labels is exact, for no others
    order: the cells by their labels
    moves: automorphisms that generate all others, each as the cell that a cell moves to
    """

    form: FormKey
    order: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]

    def orders(self, most: int) -> list[tuple[int, ...]] | None:
        """The cells in each order that automorphisms make of this one; None for more than so many."""
        orders = {self.order: None}
        for order in (queue := [self.order]):
            for move in self.moves:
                image = tuple(map(move.__getitem__, order))
                if image not in orders:
                    if len(orders) == most:
                        return None
                    orders[image] = None
                    queue.append(image)
        return queue


def labelled(colours: Sequence[Any], edges: Sequence[Edge], form: Callable[[Sequence[int]], FormKey]) -> Labelling:
    """The canonical labelling of a hypergraph. Raises TooSymmetric.

    colours: of each cell, what tells it apart to begin with
    form:    from the label of each cell, from 0, what the puzzle is in their order
    """
    search = _Labelling(edges, form, len(colours))
    search.explore(*search.refined(_ranks(colours)), (), ())
    best = search.best
    return Labelling((best.traces, best.form), best.order, tuple(search.moves))


class _Labelling:
    first: Leaf
    best: Leaf

    def __init__(self, edges: Sequence[Edge], form: Callable[[Sequence[int]], FormKey], cells: int) -> None:
        whats = _ranks([edge.what for edge in edges])
        self._edges = [(what, edge.roles, edge.cells) for what, edge in zip(whats, edges, strict=True)]
        self._form, self._cells = form, cells
        self._round, self._left = cells + sum(len(edge.cells) for edge in edges), MAX_LOOKS
        self._found = False
        self.moves: list[tuple[int, ...]] = []

    def refined(self, colours: list[int]) -> tuple[list[int], FormKey]:
        """The coarsest colours that are finer, such that cells of one colour have like edges, as numbers from 0; and
        what the last of them rest on."""
        number = len(set(colours))
        trace: FormKey = ()
        while number < self._cells:
            self._left -= self._round
            if self._left < 0:
                raise TooSymmetric
            looks = [
                (what, tuple(sorted([(role, colours[cell]) for role, cell in zip(roles, cells, strict=True)])))
                for what, roles, cells in self._edges
            ]
            near: list[list[tuple[int, int]]] = [[] for _ in colours]
            for look, (_, roles, cells) in zip(_ranks(looks), self._edges, strict=True):
                for role, cell in zip(roles, cells, strict=True):
                    near[cell].append((look, role))
            signs = [(colour, tuple(sorted(around))) for colour, around in zip(colours, near, strict=True)]
            colours = _ranks(signs)
            trace = tuple(sorted(Counter(signs).items()))
            if number == len(trace):
                break
            number = len(trace)
        return colours, trace

    def explore(self, colours: list[int], trace: FormKey, path: tuple[int, ...], traces: tuple[FormKey, ...]) -> int:
        """Look at all orders below a node. How much of its path the next node to look at has."""
        traces = (*traces, trace)
        if self._found and traces > self.best.traces[: len(traces)]:
            return len(path)
        sizes = Counter(colours)
        if len(sizes) == self._cells:
            return self._leaf(colours, path, traces)
        chosen = min((size, colour) for colour, size in sizes.items() if size > 1)[1]
        alike = [cell for cell, colour in enumerate(colours) if colour == chosen]
        tried: list[int] = []
        for cell in alike:
            if cell in self._orbit(tried, path):
                continue
            tried.append(cell)
            own = [2 * colour + (colour == chosen and other != cell) for other, colour in enumerate(colours)]
            back = self.explore(*self.refined(_ranks(own)), (*path, cell), traces)
            if back < len(path):
                return back
        return len(path)

    def _leaf(self, labels: list[int], path: tuple[int, ...], traces: tuple[FormKey, ...]) -> int:
        order = tuple(sorted(range(self._cells), key=labels.__getitem__))
        leaf = Leaf(path, traces, self._form(labels), order)
        if not self._found:
            self._found, self.first, self.best = True, leaf, leaf
            return len(path)
        for known in (self.first, self.best):
            if (known.traces, known.form) == (leaf.traces, leaf.form):
                images = dict(zip(known.order, order, strict=True))
                self.moves.append(tuple(map(images.__getitem__, range(self._cells))))
                same = zip(known.path, path, strict=True)
                return next(place for place, (one, other) in enumerate(same) if one != other)
        if (leaf.traces, leaf.form) < (self.best.traces, self.best.form):
            self.best = leaf
        return len(path)

    def _orbit(self, cells: list[int], path: tuple[int, ...]) -> set[int]:
        """Where automorphisms that keep each cell of a path take some cells."""
        moves = [one for one in self.moves if all(one[cell] == cell for cell in path)]
        orbit, new = set[int](), set(cells)
        while new:
            orbit |= new
            new = {move[cell] for move in moves for cell in new} - orbit
        return orbit


def _ranks(keys: Sequence[Any]) -> list[int]:
    rank_of = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [rank_of[key] for key in keys]


def hashed(*parts: object) -> int:
    """A number, the same in every process."""
    return int.from_bytes(blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


class Readings(NamedTuple):
    """The words of so many values that an automaton accepts.

    forth, back:   a number for its language, and one for its words read from the other end
    ahead, behind: for each place, the first of those with which its value may be exchanged; and the same from the other
                   end
    words:         the words themselves, where there are some, and few
    """

    forth: int
    back: int
    ahead: tuple[int, ...]
    behind: tuple[int, ...]
    words: frozenset[tuple[int, ...]] | None


@lru_cache(maxsize=256)
def readings(steps: frozenset[Transition], start: int, accepting: frozenset[int], length: int) -> Readings:
    """By the smallest automata (Brzozowski, "Canonical regular expressions and minimal state graphs for definite
    events", 1962). Of an automaton that is too large for that, `forth` is a number for how it is written, and there is
    none for the other end."""
    back = _reversed(sorted(steps), start, accepting)
    forth = back and _reversed(*back)
    back = forth and _reversed(*forth)
    if not (forth and back):
        places = tuple(range(length))
        return Readings(hashed(sorted(steps), start, sorted(accepting)), NO_READING, places, places[::-1], None)
    group_of = {place: [place] for place in range(length)}
    for distance in (1, 2):  # 2: of groups that are read in turn
        either = zip(_exchanges(forth, length, distance), _exchanges(back, length, distance)[::-1], strict=True)
        for place in [place for place, some in enumerate(either) if any(some)]:
            joined = sorted({*group_of[place], *group_of[place + distance]})
            group_of |= dict.fromkeys(joined, joined)
    ahead = tuple(group[0] for group in group_of.values())
    behind = tuple(length - 1 - group[-1] for group in group_of.values())
    return Readings(hashed(*forth), hashed(*back), ahead, behind, _words(forth, length))


def _following(automaton: Deterministic) -> dict[int, dict[int, int]]:
    following: dict[int, dict[int, int]] = defaultdict(dict)
    for state, value, target in automaton[0]:
        following[state][value] = target
    return following


def _exchanges(automaton: Deterministic, length: int, distance: int) -> list[bool]:
    """Of each place, whether any word may have its value and the one so far behind it in the other order."""
    following, states, exchangeable = _following(automaton), {automaton[1]}, list[bool]()
    may = {state: _may_exchange(following, state, distance) for state in [*following]}
    for _ in range(length - distance):
        exchangeable.append(all(may.get(state, True) for state in states))
        states = {target for state in states for target in following[state].values()}
    return exchangeable


def _may_exchange(following: Mapping[int, Mapping[int, int]], state: int, distance: int) -> bool:
    """Whether parts of words lead to the same state if their ends are exchanged. No state has a value that leads
    nowhere."""
    ends: dict[tuple[int, ...], int] = {(): state}
    for _ in range(distance + 1):
        ends = {(*part, value): to for part, at in ends.items() for value, to in following[at].items()}
        if len(ends) > MAX_PARTS:
            return False
    return all(ends.get((part[-1], *part[1:-1], part[0])) == end for part, end in ends.items())


def _words(automaton: Deterministic, length: int) -> frozenset[tuple[int, ...]] | None:
    steps, start, accepting = automaton
    if len({value for _, value, _ in steps}) ** length > MAX_WORDS:
        return None
    following = _following(automaton)
    words: list[tuple[tuple[int, ...], int]] = [((), start)]
    for _ in range(length):
        words = [((*word, value), end) for word, state in words for value, end in following[state].items()]
    return frozenset(word for word, state in words if state in accepting) or None


def _reversed(steps: Iterable[Transition], start: int, accepting: Iterable[int]) -> Deterministic | None:
    """A deterministic automaton for the words read from the other end, its states numbered as a search in breadth finds
    them; None if it is too large. It is the smallest one if all states of what it is made from are reached."""
    before: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
    for count, (state, value, target) in enumerate(steps):
        if count == MAX_STEPS:
            return None
        before[target].append((value, state))
    number_of = {frozenset(accepting): 0}
    transitions: list[Transition] = []
    for states in (queue := list(number_of)):
        following: defaultdict[int, set[int]] = defaultdict(set)
        for value, state in (one for target in states for one in before[target]):
            following[value].add(state)
        for value, reached in sorted(following.items()):
            before_it = frozenset(reached)
            if before_it not in number_of:
                if len(queue) == MAX_STATES:
                    return None
                number_of[before_it] = len(queue)
                queue.append(before_it)
            transitions.append((number_of[states], value, number_of[before_it]))
    return transitions, 0, [number for number, states in enumerate(queue) if start in states]
