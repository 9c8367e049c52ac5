"""Colours: the places of a value that houses of two places join, in turns in one of two colours.

Either all places of one colour have the value or all of the other.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, permutations

from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid
from satdoku.techniques.step import Level, Link, Step, Technique
from satdoku.techniques.templates import by_value
from satdoku.techniques.words import cells_text
from satdoku.words import joined

Colours = tuple[int, int]  # the cells of either colour


def coloured(grid: CandidateGrid, value: int) -> list[Colours]:
    """The groups of places that are joined, each with its two colours; again only when they change."""
    return grid.of_places(coloured, value, lambda: _coloured(grid, value))


def _coloured(grid: CandidateGrid, value: int) -> list[Colours]:
    places = grid.places[value]
    near: dict[int, int] = {}
    for house in grid.layout.house_cells:
        pair = places & house
        if pair.bit_count() == 2:
            for cell in members(pair):
                near[cell] = near.get(cell, 0) | pair ^ 1 << cell
    colourings, done = [], 0
    for start in near:
        if done >> start & 1:
            continue
        colours, ahead, turn = [1 << start, 0], 1 << start, 1
        while ahead:
            following = 0
            for cell in members(ahead):
                following |= near[cell]
            ahead = following & ~colours[turn]
            colours[turn] |= following
            turn ^= 1
        done |= colours[0] | colours[1]
        colourings.append((colours[0], colours[1]))
    return colourings


def _sees(grid: CandidateGrid, cells: int) -> int:
    """The cells that see one of these."""
    seen = 0
    for cell in members(cells):
        seen |= grid.layout.peers[cell]
    return seen


def _step(name: str, grid: CandidateGrid, value: int, lose: int, why: str, *groups: Colours) -> Step:
    board = grid.layout.board
    parts = []
    for number, (one, two) in enumerate(groups):
        suffix = f" {number + 1}" if len(groups) > 1 else ""
        parts += [(f"first colour{suffix}", ((value, one),)), (f"second colour{suffix}", ((value, two),))]
    every = 0
    for one, two in groups:
        every |= one | two
    return Step(
        technique=name,
        because=f"{board.shown(value)}: {why}",
        eliminations=((value, lose),),
        pattern=((value, every),),
        parts=tuple(parts),
        links=tuple(link for group in groups for link in _links(grid, value, group)),
        size=every.bit_count(),
    )


def _links(grid: CandidateGrid, value: int, colours: Colours) -> Iterator[Link]:
    every = colours[0] | colours[1]
    for house in grid.layout.house_cells:
        pair = grid.places[value] & house
        if pair.bit_count() == 2 and not pair & ~every:
            yield Link((value, pair & colours[0]), (value, pair & colours[1]), True)


def _text(grid: CandidateGrid, cells: int) -> str:
    return cells_text(grid.layout.board, cells)


def _trap(name: str, grid: CandidateGrid, value: int) -> Iterator[Step]:
    for one, two in coloured(grid, value):
        lose = grid.places[value] & _sees(grid, one) & _sees(grid, two) & ~(one | two)
        if lose:
            why = f"either {_text(grid, one)} have it or {_text(grid, two)}, and these see some of both"
            yield _step(name, grid, value, lose, why, (one, two))


def _wrap(name: str, grid: CandidateGrid, value: int) -> Iterator[Step]:
    for pair in coloured(grid, value):
        for one, two in (pair, pair[::-1]):
            if one & _sees(grid, one):
                why = f"{_text(grid, one)} would all have it, but some of them see each other"
                yield _step(name, grid, value, one, why, (one, two))


def _multi_1(name: str, grid: CandidateGrid, value: int) -> Iterator[Step]:
    """A colour sees one of another group: what sees both others loses the value."""
    for first, second in combinations(coloured(grid, value), 2):
        lose, met = 0, []
        for near, far in (first, first[::-1]):
            for other, rest in (second, second[::-1]):
                if _sees(grid, near) & other:
                    lose |= grid.places[value] & _sees(grid, far) & _sees(grid, rest)
                    met.append(f"{_text(grid, near)} and {_text(grid, other)} see each other")
        if lose:
            why = f"{joined(met)}, so that one of the others have it"
            yield _step(name, grid, value, lose, why, first, second)


def _multi_2(name: str, grid: CandidateGrid, value: int) -> Iterator[Step]:
    """A colour sees both colours of another group, and loses the value."""
    for first, second in permutations(coloured(grid, value), 2):
        for near in first:
            seen = _sees(grid, near)
            if seen & second[0] and seen & second[1]:
                why = f"{_text(grid, near)} see both {_text(grid, second[0])} and {_text(grid, second[1])}"
                yield _step(name, grid, value, near, why + ", one of which have it", first, second)


def _each_value(
    search: Callable[[str, CandidateGrid, int], Iterator[Step]], name: str, grid: CandidateGrid
) -> Iterator[Step]:
    return by_value(grid, name, partial(search, name, grid))


JOINED = "Places of a value that houses of two places join are coloured in turns: all of one colour have it. "

TECHNIQUES = (
    Technique(
        "simple colours (trap)",
        Level.FISH,
        partial(_each_value, _trap),
        JOINED + "What sees both colours does not have it.",
        hodoku=150,
    ),
    Technique(
        "simple colours (wrap)",
        Level.FISH,
        partial(_each_value, _wrap),
        JOINED + "A colour of which two places see each other does not have it.",
        hodoku=150,
    ),
    Technique(
        "multi colours (type 1)",
        Level.FISH,
        partial(_each_value, _multi_1),
        JOINED + "A colour of one group sees one of another: what sees both other colours does not have it.",
        hodoku=200,
    ),
    Technique(
        "multi colours (type 2)",
        Level.FISH,
        partial(_each_value, _multi_2),
        JOINED + "A colour that sees both colours of another group does not have it.",
        hodoku=200,
    ),
)
