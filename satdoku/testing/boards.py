"""Random small boards with all four constraints, and brute force.

Small boards have no structure for a mistake to hide behind: full houses alone, for one, conceal a
missing "at most one value a cell".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from random import Random

from satdoku.constraints import AllDifferent, Automaton, Constraint, Grid, Linear, Table
from satdoku.puzzle import Board, Puzzle, members
from satdoku.variants.boxes import classic

Maker = Callable[[Random, int, int, Grid | None, str], Constraint]
"""(random, cells, values, a grid that must fit or None, name) -> a constraint"""

MOST_GRIDS = 4**6
"""Grids of the largest board that `random_board` makes."""


def random_board(rng: Random, kinds: Sequence[Maker] | None = None) -> Board:
    """2 to 6 cells of 2 to 4 values, or 2 or 3 cells of up to 9; mostly built around a grid that fits.

    kinds: what makes its constraints, each as often as the others; all four kinds unless given
    """
    cells, values = (
        (rng.randint(2, 6), rng.randint(2, 4)) if rng.random() < 0.85 else (rng.randint(2, 3), rng.randint(5, 9))
    )
    hidden = tuple(rng.randint(1, values) for _ in range(cells)) if rng.random() < 0.8 else None
    makers = rng.choices(kinds or (all_different, linear, table, automaton), k=rng.randint(0, 4))
    rules = tuple(make(rng, cells, values, hidden, f"rule {number}") for number, make in enumerate(makers))
    return Board(cells, values, rng.randint(1, cells), rules)


def random_hidden_board(rng: Random) -> Board:
    """2 to 4 cells of 2 to 4 values, the first of them any, and 1 or 2 auxiliary cells with values of their own."""
    cells, values, first = rng.randint(2, 4), rng.randint(2, 4), rng.choice((0, 0, 1, 2, 7))
    domains = [sorted(rng.sample(range(1, values + 3), rng.randint(1, 4))) for _ in range(rng.randint(1, 2))]
    hidden = (*(rng.randint(1, values) for _ in range(cells)), *map(rng.choice, domains))
    makers = rng.choices((all_different, linear, table, automaton), k=rng.randint(1, 4))
    rules = tuple(make(rng, len(hidden), values, hidden, f"rule {number}") for number, make in enumerate(makers))
    masks = tuple(sum(1 << value for value in domain) for domain in domains)
    return Board(cells, values, rng.randint(1, cells), rules, first_value=first, auxiliary=masks)


def random_candidates(rng: Random, board: Board) -> tuple[int, ...]:
    """Open cells, givens, cells with values removed; seldom a cell with none left."""
    return tuple(_random_set(rng, board) for _ in range(board.cells))


def random_puzzle(rng: Random, kinds: Sequence[Maker] | None = None) -> Puzzle:
    """A random board with random candidates."""
    board = random_board(rng, kinds)
    return Puzzle(board, random_candidates(rng, board))


def random_classic(rng: Random) -> Puzzle:
    """A 4x4 with boxes and enough givens, not always fitting ones, that brute force is quick."""
    board = classic(2, 2)
    givens = [0] * board.cells
    solved = rng.choice(((1, 2, 3, 4), (3, 4, 1, 2), (2, 1, 4, 3), (4, 3, 2, 1)))
    pattern = (0, 1, 2, 3, 2, 3, 0, 1, 1, 0, 3, 2, 3, 2, 1, 0)
    for cell in rng.sample(range(board.cells), rng.randint(10, 14)):
        givens[cell] = solved[pattern[cell]] if rng.random() < 0.98 else rng.randint(1, 4)
    return Puzzle.from_givens(board, givens)


def brute_force(puzzle: Puzzle) -> frozenset[Grid]:
    """All grids, by trying every one that the candidates allow."""
    choices = [tuple(members(allowed)) for allowed in puzzle.domains]
    rules, cells = puzzle.board.constraints, puzzle.board.cells
    return frozenset(grid[:cells] for grid in product(*choices) if all(rule.holds(grid) for rule in rules))


@dataclass(frozen=True, slots=True)
class Case:
    """Puzzles of one board, each with all its grids."""

    seed: int
    puzzles: tuple[Puzzle, ...]
    truths: tuple[frozenset[Grid], ...]


@cache
def case(seed: int, kinds: tuple[Maker, ...] | None = None) -> Case:
    """Case number `seed`: most often a random board with three puzzles, else three 4x4s; every fifth with
    auxiliary cells, unless `kinds` are named."""
    rng = Random(seed)
    puzzles: tuple[Puzzle, ...]
    if kinds is None and seed % 5 == 4:
        board = random_hidden_board(rng)
        puzzles = tuple(Puzzle(board, random_candidates(rng, board)) for _ in range(3))
    elif rng.random() < 0.15:
        puzzles = tuple(random_classic(rng) for _ in range(3))
    else:
        first = random_puzzle(rng, kinds)
        others = (Puzzle(first.board, random_candidates(rng, first.board)) for _ in range(2))
        puzzles = (first, *others)
    return Case(seed, puzzles, tuple(brute_force(puzzle) for puzzle in puzzles))


def cases(count: int, start: int = 0) -> Iterator[Case]:
    """Cases `start` to `start + count - 1`."""
    return map(case, range(start, start + count))


def cases_of_different_cells(count: int, start: int = 0) -> Iterator[Case]:
    """The same with AllDifferents alone, houses and smaller ones that overlap."""
    return (case(seed, (all_different,)) for seed in range(start, start + count))


def all_different(rng: Random, cells: int, values: int, hidden: Grid | None, name: str) -> Constraint:
    """A house where the board has room for one, or a smaller cage."""
    order = rng.sample(range(cells), cells)
    if hidden is not None:
        first = {hidden[cell]: cell for cell in order}
        order = list(first.values())
    widest = min(len(order), values)
    width = widest if rng.random() < 0.5 else rng.randint(1, widest)
    return AllDifferent(tuple(order[:width]), name)


def linear(rng: Random, cells: int, values: int, hidden: Grid | None, name: str) -> Constraint:
    """Coefficients of both signs, cells that repeat or cancel; a total that can be out of reach."""
    chosen = tuple(rng.choices(range(cells), k=rng.randint(0, 5)))
    coefficients = tuple(rng.choice((-2, -1, 1, 1, 1, 2, 3)) for _ in chosen)
    total = rng.randint(-2, 2 + 2 * values)
    if hidden is not None:
        total = sum(c * hidden[cell] for c, cell in zip(coefficients, chosen, strict=True))
    return Linear(chosen, coefficients, total, name)


def table(rng: Random, cells: int, values: int, hidden: Grid | None, name: str) -> Constraint:
    """Arity 0 to 3, seldom no tuple at all, some values that are not on the board."""
    chosen = tuple(rng.sample(range(cells), min(cells, rng.choice((0, 1, 1, 2, 2, 2, 3, 3, 3, 3)))))
    rows = [tuple(rng.randint(0, values + 1) for _ in chosen) for _ in range(rng.randint(0, 2 * values))]
    if hidden is not None:
        rows.append(tuple(hidden[cell] for cell in chosen))
    if rng.random() < 0.04:
        rows.clear()
    return Table(chosen, frozenset(rows), name)


def automaton(rng: Random, cells: int, values: int, hidden: Grid | None, name: str) -> Constraint:
    """A partial machine over cells that may repeat, with states of any number; at times it accepts nothing."""
    chosen = tuple(rng.choices(range(cells), k=rng.randint(0, 5)))
    states = rng.sample(range(-3, 9), rng.randint(1, 4))
    step = {
        (state, value): rng.choice(states) for state in states for value in range(values + 2) if rng.random() < 0.75
    }
    start = state = rng.choice(states)
    accepting = {state for state in states if rng.random() < 0.4}
    if hidden is not None:
        for cell in chosen:
            state = step.setdefault((state, hidden[cell]), rng.choice(states))
        accepting.add(state)
    transitions = frozenset((state, value, target) for (state, value), target in step.items())
    return Automaton(chosen, transitions, start, frozenset(accepting), name)


def _random_set(rng: Random, board: Board) -> int:
    kind = rng.random()
    if kind < 0.6:
        return board.every_value
    if kind < 0.75:
        return 1 << rng.randint(1, board.values)
    if kind < 0.76:
        return 0
    return sum(1 << value for value in range(1, board.values + 1) if rng.random() < 0.7)
