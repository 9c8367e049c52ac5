"""Almost locked sets that restrict each other: ALS-XZ, ALS-XY-wing, ALS-XY-chain, death blossom.

A set without one of its values has all its others. Two sets restrict each other in a value that not both can have.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.almost import AlmostLocked, Restricted, restrictions
from satdoku.techniques.grid import CandidateGrid, Strike
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text

MAX_CHAIN = 6  # sets of a chain
MAX_PETALS = 5  # candidates of the stem of a death blossom


def _ends(one: AlmostLocked, two: AlmostLocked, values: int) -> tuple[Strike, ...]:
    """What sees all places of one of these values in both sets."""
    both, first, second = values & one.values & two.values, one.seen, two.seen
    return tuple([(value, lose) for value in members(both) if (lose := first[value] & second[value])])


def _step(name: str, grid: CandidateGrid, sets: Sequence[AlmostLocked], effect: tuple[Strike, ...], why: str) -> Step:
    labels = ("first set", "second set", "third set", "fourth set", "fifth set", "sixth set")
    parts = tuple((labels[number], tuple(each.places.items())) for number, each in enumerate(sets))
    every = 0
    for each in sets:
        every |= each.cells
    pattern = tuple((value, grid.places[value] & every) for value in members(grid.candidates(every)))
    return Step(technique=name, because=why, eliminations=effect, pattern=pattern, parts=parts, size=len(sets))


def _set_text(grid: CandidateGrid, one: AlmostLocked) -> str:
    board = grid.layout.board
    return f"{cells_text(board, one.cells)} ({values_text(board, one.values)})"


def _of_values(grid: CandidateGrid) -> list[int]:
    """For each value the bits of what sets see of it."""
    width = grid.layout.cells
    return [(1 << width) - 1 << value * width for value in range(grid.layout.values + 1)]


def _xz(name: str, grid: CandidateGrid) -> Iterator[Step]:
    (sets, restricted), board, of_values = grid.once(restrictions, restrictions), grid.layout.board, _of_values(grid)
    for one, near in enumerate(restricted):
        first = sets[one]
        for two, values in near:
            if two < one:
                continue
            second = sets[two]
            if not values & (values - 1) and not first.sees & second.sees & ~of_values[values.bit_length() - 1]:
                continue
            strikes = [*_ends(first, second, first.values & ~values)]
            if values.bit_count() > 1:
                strikes = [*_ends(first, second, first.values), *_locked(first, values), *_locked(second, values)]
            effect = grid.present(strikes)
            if effect:
                which = values_text(board, values, "and")
                why = f"not both of {_set_text(grid, first)} and {_set_text(grid, second)} have {which}: one has"
                why += " all its other values" if values.bit_count() == 1 else " the one, the other the other"
                yield _step(name, grid, (first, second), effect, why)


def _locked(one: AlmostLocked, but: int) -> Iterator[Strike]:
    return ((value, seen) for value, seen in one.seen.items() if not but >> value & 1)


def _xy_wing(name: str, grid: CandidateGrid) -> Iterator[Step]:
    (sets, restricted), board, of_values = grid.once(restrictions, restrictions), grid.layout.board, _of_values(grid)
    for pivot, near in enumerate(restricted):
        by_sight = [(sets[other], values, sets[other].sees) for other, values in near]
        for (first, with_one, sees), (second, with_two, also) in combinations(by_sight, 2):
            both = sees & also
            if not both or (with_one == with_two and not with_one & (with_one - 1)):
                continue
            for x in members(with_one):
                for y in members(with_two & ~(1 << x)):
                    if both & ~(of_values[x] | of_values[y]):
                        effect = _ends(first, second, ~(1 << x | 1 << y))
                        why = (
                            f"{_set_text(grid, sets[pivot])} has {board.shown(x)} or {board.shown(y)}, which "
                            f"{_set_text(grid, first)} or {_set_text(grid, second)} then lacks"
                        )
                        yield _step(name, grid, (first, sets[pivot], second), effect, why)


def _chain(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Each set restricts the next in another value than the one before: the first or the last has a value of both."""
    sets, near = grid.once(restrictions, restrictions)
    for start in range(len(sets)):
        check_time()
        for path, used in _paths(near, start):
            effect = _ends(sets[start], sets[path[-1]], ~(1 << used[0] | 1 << used[-1]))
            if effect:
                chain = [sets[each] for each in path]
                yield _step(name, grid, chain, effect, _chain_text(grid, chain, used))


def _paths(near: Restricted, start: int) -> Iterator[tuple[list[int], list[int]]]:
    """For each first value, shortest chains of four and more sets to each other set by each last value."""
    for first in {value for _, values in near[start] for value in members(values)}:
        ahead = [([start, two], [first]) for two, values in near[start] if values >> first & 1]
        reached = {(path[-1], first) for path, _ in ahead}
        for many in range(3, MAX_CHAIN + 1):
            following = []
            for path, used in ahead:
                for two, values in near[path[-1]]:
                    for value in members(values & ~(1 << used[-1])):
                        if (two, value) not in reached and two not in path:
                            reached.add((two, value))
                            following.append(([*path, two], [*used, value]))
            ahead = following
            if many > 3:
                yield from ahead


def _chain_text(grid: CandidateGrid, chain: Sequence[AlmostLocked], used: Sequence[int]) -> str:
    board = grid.layout.board
    text = _set_text(grid, chain[0])
    for each, value in zip(chain[1:], used, strict=True):
        text += f" -{board.shown(value)}- {_set_text(grid, each)}"
    return f"not both sets beside a value have it, so the first or the last has its others: {text}"


def _blossom(name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Whatever value a cell has, a set that then lacks it has another, the same for all."""
    sets, _ = grid.once(restrictions, restrictions)
    for stem in sorted(members(grid.open), key=lambda cell: grid.left[cell].bit_count()):
        values = list(members(grid.left[stem]))
        if not 2 <= len(values) <= MAX_PETALS:
            continue
        petals = [
            [each for each in sets if each.values >> value & 1 and each.seen[value] >> stem & 1] for value in values
        ]
        if all(petals):
            yield from _petals(name, grid, stem, values, petals)


def _petals(
    name: str, grid: CandidateGrid, stem: int, values: list[int], petals: list[list[AlmostLocked]]
) -> Iterator[Step]:
    board, every = grid.layout.board, sum(1 << value for value in values)

    def chosen(taken: list[AlmostLocked], seen: dict[int, int]) -> Iterator[tuple[list[AlmostLocked], dict[int, int]]]:
        if len(taken) == len(values):
            yield taken, seen
            return
        for each in petals[len(taken)]:
            left = {value: cells & each.seen[value] for value, cells in seen.items() if each.values >> value & 1}
            left = {value: cells for value, cells in left.items() if cells}
            if left:
                yield from chosen([*taken, each], left)

    whole = {value: grid.places[value] for value in members(board.every_value & ~every) if grid.places[value]}
    for taken, seen in chosen([], whole):
        effect = grid.present(seen.items())
        if effect:
            shared = values_text(board, sum(1 << value for value in seen))
            sets = ", ".join(_set_text(grid, each) for each in taken)
            why = f"whatever {board.label(stem)} is, one of {sets} lacks that value and has {shared}"
            step = _step(name, grid, taken, effect, why)
            stem_part = ("stem", tuple((value, 1 << stem) for value in values))
            yield Step(
                technique=name,
                because=why,
                eliminations=effect,
                pattern=step.pattern,
                parts=(stem_part, *step.parts),
                size=len(taken),
            )


SETS = "A set of cells with one value more than cells has all its others if it lacks one. "

TECHNIQUES = (
    Technique("ALS-XZ", Level.CHAINS, _xz, SETS + "Of two, not both have some value: one has the others.", hodoku=300),
    Technique(
        "ALS-XY-wing", Level.CHAINS, _xy_wing, SETS + "One restricts two others in different values.", hodoku=320
    ),
    Technique("ALS-XY-chain", Level.CHAINS, _chain, SETS + "Each restricts the next.", hodoku=340),
    Technique(
        "death blossom", Level.CHAINS, _blossom, SETS + "Each value of a cell takes one from another set.", hodoku=360
    ),
)
