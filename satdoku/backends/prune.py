"""The functional classic: prune the choices, give up where they are blocked, expand a cell, repeat, on tuples of sets.

After Bird, A program to solve Sudoku, Journal of Functional Programming, 2006. A value that has one place left in a
house is placed, too, without which puzzles of 17 givens take some thousand times as many states.
"""

from collections.abc import Iterable, Iterator, Sequence

from satdoku.backends import Engine, not_all_different
from satdoku.backends.plain import Nodes, PythonBackend, too_many_peers
from satdoku.limits import check_time
from satdoku.puzzle import Board, Puzzle, members, only

Choices = tuple[int, ...]  # one set of candidates a cell, bit v for value v


def single(choice: int) -> bool:
    return choice & (choice - 1) == 0 and choice != 0


def prune(board: Board, choices: Choices, decided: Iterable[int]) -> Choices:
    """Strike and place singles until nothing changes or a cell is empty; decided: cells not yet struck from peers."""
    while True:
        struck = strike(board.peers, choices, decided)
        placed = {} if blocked(struck) else hidden_singles(board, struck)
        if not placed:
            return struck
        choices = tuple(placed.get(cell, choice) for cell, choice in enumerate(struck))
        decided = placed


def strike(peers: Sequence[frozenset[int]], choices: Choices, decided: Iterable[int]) -> Choices:
    """Take values of decided cells from their peers, and those this decides, until a cell has no value left."""
    left, pending = list(choices), list(decided)
    for cell in pending:
        check_time()
        value = left[cell]
        for peer in peers[cell]:
            if left[peer] & value:
                left[peer] ^= value
                if not left[peer]:
                    return tuple(left)
                if single(left[peer]):
                    pending.append(peer)
    return tuple(left)


def hidden_singles(board: Board, choices: Choices) -> dict[int, int]:
    """For each undecided cell that alone in a house can hold a value, that value as a set; empty if it cannot."""
    placed: dict[int, int] = {}
    every = board.every_value
    for house in board.houses:
        check_time()
        once = twice = 0
        for cell in house.cells:
            twice |= once & choices[cell]
            once |= choices[cell]
        if once != every:
            return {house.cells[0]: 0}
        for cell in house.cells:
            alone = choices[cell] & ~twice
            if alone and alone != choices[cell]:
                placed[cell] = placed.get(cell, alone) & alone if single(alone) else 0
    return placed


def blocked(choices: Choices) -> bool:
    return 0 in choices


def narrowest(choices: Choices) -> int | None:
    undecided = (cell for cell, choice in enumerate(choices) if not single(choice))
    return min(undecided, key=lambda cell: choices[cell].bit_count(), default=None)


def expand(choices: Choices, cell: int) -> list[Choices]:
    return [(*choices[:cell], 1 << value, *choices[cell + 1 :]) for value in members(choices[cell])]


def search(board: Board, choices: Choices) -> Iterator[Choices | None]:
    """The choices of each solution; None for each state that is looked at."""
    pending = [(choices, [cell for cell, choice in enumerate(choices) if single(choice)])]
    while pending:
        pruned = prune(board, *pending.pop())
        yield None
        if blocked(pruned):
            continue
        cell = narrowest(pruned)
        if cell is None:
            yield pruned
        else:
            pending += [(expanded, [cell]) for expanded in reversed(expand(pruned, cell))]


def nodes(board: Board, puzzle: Puzzle) -> Nodes:
    for choices in search(board, puzzle.candidates):
        yield None if choices is None else tuple(map(only, choices))


def refuses(board: Board) -> str | None:
    return not_all_different(board) or too_many_peers(board)


ENGINES = (
    Engine(
        name="prune",
        summary="the functional classic: prune, expand, repeat, in plain Python",
        open=lambda argument, encoding: PythonBackend(lambda board: board, nodes, refuses),
        all_different_only=True,
    ),
)
