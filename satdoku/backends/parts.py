"""Counts by independent parts, in the compiled search over propagators: see `satdoku.kernels.propagators.counting`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, chain, count, islice, permutations
from math import prod
from typing import TYPE_CHECKING, Any

from satdoku.backends.stepping import NO_BOUND
from satdoku.constraints import Linear, Table
from satdoku.puzzle import Board, Puzzle

if TYPE_CHECKING:
    from satdoku.kernels.propagators.parts import Structure
    from satdoku.kernels.propagators.program import Program

SLICE = 2_000  # steps between two looks at the clock
MEMORY, BUCKETS = 1 << 23, 1 << 20  # words and buckets of each of two memories: 144 MB in all
FEW = 20_000  # solutions up to which it is better to find each


def takes(board: Board) -> bool:
    """Whether it counts grids: auxiliary cells have values that are not to be counted."""
    return not board.auxiliary


class PartsCount:
    """The count of one puzzle on a board that `takes` takes.

    memory, buckets: words and buckets of each of two memories. When one is full the older one is emptied, so that the
                     count takes longer and no more memory.
    """

    def __init__(self, puzzle: Puzzle, program: Program, memory: int = MEMORY, buckets: int = BUCKETS) -> None:
        self._puzzle, self._program = puzzle, program
        self._sizes = memory, buckets
        self._nodes_before = 0
        self._begin(())

    def _begin(self, primes: Sequence[int]) -> None:
        from satdoku.kernels.compiled import allocated
        from satdoku.kernels.propagators import counting, parts, search

        program, cells = self._program, self._puzzle.board.cells
        self._kernel: Any = parts
        state, domains = search.new_state(program), allocated("q", 1, cells)
        for cell, allowed in enumerate(self._puzzle.candidates):
            domains[0, cell] = allowed >> 1
        fits = all(self._puzzle.candidates) and search.propagate(program, state, domains) == search.FIXPOINT
        self._most = prod(word.bit_count() for word in state.candidates) if fits else 0
        self._primes = primes
        made = structure(self._puzzle.board, program.values, primes)
        memory, buckets = (memoryview(bytearray(16 * words)).cast("q", (2, words)) for words in self._sizes)
        self._state = parts.new_count(cells, made, memory, buckets)
        self._step = counting.count_parts.bind(program, made, state, self._state, SLICE)

    def count_solutions(self, count: int, limit: int) -> tuple[int, int]:
        from satdoku.kernels.compiled import EXHAUSTED, FOUND, PAUSED

        if not self._most:
            return 0, EXHAUSTED
        code = self._step()
        if code == FOUND:  # more than an integer holds: once more, with residues
            self._nodes_before = self.nodes()
            self._begin(tuple(islice(_primes(), self._most.bit_length() // 30 + 1)))
            return count, PAUSED
        counted = self._total() if code == EXHAUSTED else self._least()
        if counted >= limit < NO_BOUND:
            return limit, FOUND
        return (counted if code == EXHAUSTED else max(count, counted)), code

    def _total(self) -> int:
        """The count, from its residues if there are any."""
        product = self._state.products
        if not self._primes:
            return int(product[0, 0])
        whole = prod(self._primes)
        parts = ((product[0, 1 + k], whole // prime, prime) for k, prime in enumerate(self._primes))
        total: int = sum(residue * rest * pow(rest, -1, prime) for residue, rest, prime in parts)
        return total % whole

    def _least(self) -> int:
        """How many solutions the finished parts show."""
        kernel, state = self._kernel, self._state
        least = 1
        for level in range(state.numbers[kernel.LEVEL], -1, -1):
            finished = state.levels[level, kernel.PART] == state.levels[level, kernel.PARTS_END]
            branch = state.products[level, 0] * least if finished else 0
            least = branch + (state.sums[level, 0] if level else 0)
        return int(least)

    def nodes(self) -> int:
        return self._nodes_before + int(self._state.numbers[self._kernel.NODES])

    def close(self) -> None:
        pass


def structure(board: Board, values: int, primes: Sequence[int]) -> Structure:
    """What joins the cells of a board."""
    from satdoku.kernels.compiled import bit_rows, filled
    from satdoku.kernels.propagators.parts import Structure

    linked = [0] * board.cells
    scopes: list[Sequence[int]] = []
    coefficients: list[Sequence[int]] = []
    scopes_of: list[list[int]] = [[] for _ in range(board.cells)]
    for rule in board.others:
        cells = tuple(dict.fromkeys(rule.cells))
        for one, other in permutations(cells, 2):
            linked[one] |= 1 << other
        # Of two cells the second has what goes with the first once that is fixed; so has a cell that is alone.
        if isinstance(rule, Table | Linear) and len(cells) == len(rule.cells) <= 2:
            continue
        for cell in cells:
            scopes_of[cell].append(len(scopes))
        alone = isinstance(rule, Linear) and len(cells) == len(rule.cells)
        scopes.append(cells)
        coefficients.append(rule.coefficients if alone and isinstance(rule, Linear) else (0,) * len(cells))
    return Structure(
        linked=bit_rows(linked, board.cells // 64 + 1),
        scopes=filled("q", chain.from_iterable(scopes)),
        scopes_at=filled("q", accumulate(map(len, scopes), initial=0)),
        coefficients=filled("q", chain.from_iterable(coefficients)),
        scopes_of=filled("q", chain.from_iterable(scopes_of)),
        scopes_of_at=filled("q", accumulate(map(len, scopes_of), initial=0)),
        primes=filled("q", primes),
        width=values,
    )


def _primes() -> Iterator[int]:
    """From 2^31 down."""
    for number in count((1 << 31) - 1, -2):
        if all(number % divisor for divisor in range(3, 46_342, 2)):
            yield number
