"""What each kind of mark means, of a whole grid: 40 kinds that f-puzzles can hold, and 8 that setters use much besides.

`HOLDS` has for each kind whether a mark holds in a grid, which has a value for each cell.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations, groupby, pairwise

from support.independent.board import BESIDE, KING, KNIGHT, Mark, Puzzle

Grid = Sequence[int]
Holds = Callable[[Puzzle, Mark, Grid], bool]
SUMS = {"X": 10, "V": 5}
HOLDS: dict[str, Holds] = {}


def means(*kinds: str) -> Callable[[Holds], Holds]:
    def enter(holds: Holds) -> Holds:
        HOLDS.update(dict.fromkeys(kinds, holds))
        return holds

    return enter


def is_solution(puzzle: Puzzle, grid: Grid) -> bool:
    """Whether a grid has allowed values, no value twice in a house, and satisfies each mark."""
    return (
        all(value in allowed for value, allowed in zip(grid, puzzle.allowed, strict=True))
        and all(differ([grid[cell] for cell in cells]) for cells in puzzle.houses)
        and all(HOLDS[mark.kind](puzzle, mark, grid) for mark in puzzle.marks)
    )


def differ(values: Sequence[int]) -> bool:
    return len(set(values)) == len(values)


def line(mark: Mark, grid: Grid) -> list[int]:
    return [grid[cell] for cell in mark.lines[0]]


def once(mark: Mark, grid: Grid) -> list[int]:
    """The values of its cells, of each of them once, where a line comes back to one."""
    return [grid[cell] for cell in set(mark.lines[0])]


def cells(mark: Mark, grid: Grid) -> list[int]:
    return [grid[cell] for cell in mark.cells]


@means("killercage")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return differ(cells(mark, grid)) and mark.value in (None, sum(cells(mark, grid)))


@means("digital root")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    root = sum(cells(mark, grid))
    while root > 9:
        root = sum(map(int, str(root)))
    return differ(cells(mark, grid)) and root == mark.value


@means("extraregion")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return differ(cells(mark, grid))


@means("arrow")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    number = 0
    for digit in cells(mark, grid):
        number = 10 * number + digit
    return all(sum(grid[cell] for cell in shaft) == number for shaft in mark.lines)


@means("averagearrow")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(sum(grid[cell] for cell in shaft) / len(shaft) == grid[mark.cells[0]] for shaft in mark.lines)


@means("littlekillersum")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return sum(cells(mark, grid)) == mark.value


@means("zipperline")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    on = line(mark, grid)
    sums = {on[place] + on[-1 - place] for place in range(len(on) // 2)}
    return len(sums | {on[len(on) // 2]} if len(on) % 2 else sums) == 1


@means("doublearrow")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    first, *between, last = line(mark, grid)
    return first + last == sum(between)


@means("regionsumline")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    parts = groupby(mark.lines[0], key=puzzle.region_of.__getitem__)
    return len({sum(grid[cell] for cell in part) for _, part in parts}) == 1


@means("sumline")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    on = line(mark, grid)
    ends = {sum(on[:place]) for place in range(len(on) + 1)}
    return sum(on) % mark.number == 0 and ends.issuperset(range(0, sum(on), mark.number))


@means("sandwichsum")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    on = cells(mark, grid)
    if on.count(1) != 1 or on.count(puzzle.values) != 1:
        return False
    one, other = sorted((on.index(1), on.index(puzzle.values)))
    return sum(on[one + 1 : other]) == mark.value


@means("skyscraper")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    on = cells(mark, grid)
    return sum(on[place] > max(on[:place], default=0) for place in range(len(on))) == mark.value


@means("xsum")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    on = cells(mark, grid)
    return on[0] <= len(on) and sum(on[: on[0]]) == mark.value


@means("numberedroom")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    on = cells(mark, grid)
    return on[0] <= len(on) and on[on[0] - 1] == mark.value


@means("difference")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    one, other = cells(mark, grid)
    return abs(one - other) == mark.value


@means("ratio")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    low, high = sorted(cells(mark, grid))
    return low * mark.number == high


@means("xv")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return sum(cells(mark, grid)) == SUMS[str(mark.value)]


@means("greaterthan")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(one > other for one, other in pairwise(cells(mark, grid)))


@means("thermometer")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(one < other for one, other in pairwise(line(mark, grid)))


@means("slowthermometer")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return line(mark, grid) == sorted(line(mark, grid))


@means("whispers")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(abs(one - other) >= mark.number for one, other in pairwise(line(mark, grid)))


@means("renban")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    on = once(mark, grid)
    return sorted(on) == [*range(min(on), min(on) + len(on))]


@means("nabner")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(abs(one - other) > 1 for one, other in combinations(once(mark, grid), 2))


@means("palindrome")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return line(mark, grid) == line(mark, grid)[::-1]


@means("entropicline")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    thirds = [(value - 1) // (puzzle.values // 3) for value in line(mark, grid)]
    return all(differ(three) for three in zip(thirds, thirds[1:], thirds[2:], strict=False))


@means("modularline")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    remainders = [value % 3 for value in line(mark, grid)]
    return all(differ(three) for three in zip(remainders, remainders[1:], remainders[2:], strict=False))


@means("parityline")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all((one + other) % 2 for one, other in pairwise(line(mark, grid)))


@means("betweenline")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    first, *between, last = line(mark, grid)
    return all(min(first, last) < value < max(first, last) for value in between)


@means("lockout")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    first, *between, last = line(mark, grid)
    shut = range(min(first, last), max(first, last) + 1)
    return abs(first - last) >= mark.number and not any(value in shut for value in between)


@means("odd")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return grid[mark.cells[0]] % 2 == 1


@means("even")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return grid[mark.cells[0]] % 2 == 0


def _others(puzzle: Puzzle, mark: Mark, grid: Grid) -> list[int]:
    """The values beside a marked cell, those of cells that are marked alike left out."""
    alike = {other.cells[0] for other in puzzle.marks if other.kind == mark.kind}
    return [grid[cell] for cell in puzzle.around(mark.cells[0]) if cell not in alike]


@means("minimum")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(grid[mark.cells[0]] < value for value in _others(puzzle, mark, grid))


@means("maximum")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(grid[mark.cells[0]] > value for value in _others(puzzle, mark, grid))


@means("rowindexer")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    row, column = divmod(mark.cells[0], puzzle.columns)
    found = puzzle.at(grid[mark.cells[0]] - 1, column)
    return found is not None and grid[found] == row + 1


@means("columnindexer")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    row, column = divmod(mark.cells[0], puzzle.columns)
    found = puzzle.at(row, grid[mark.cells[0]] - 1)
    return found is not None and grid[found] == column + 1


@means("boxindexer")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    region = puzzle.regions[puzzle.region_of[mark.cells[0]]]
    place = grid[mark.cells[0]] - 1
    return place < len(region) and grid[region[place]] == region.index(mark.cells[0]) + 1


@means("clone")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return cells(mark, grid) == line(mark, grid)


@means("quadruple")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    assert isinstance(mark.value, tuple)
    return Counter(mark.value) <= Counter(cells(mark, grid))


@means("countingcircles")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(value == count for value, count in Counter(cells(mark, grid)).items())


@means("diagonal+")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return differ([grid[cell] for cell in puzzle.ray(puzzle.rows - 1, 0, -1, 1)])


@means("diagonal-")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return differ([grid[cell] for cell in puzzle.ray(0, 0, 1, 1)])


@means("windoku")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(differ([grid[cell] for cell in window]) for window in puzzle.windows())


@means("disjointgroups")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(differ([grid[cell] for cell in place]) for place in puzzle.places())


@means("antiknight")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(grid[one] != grid[other] for one, other in puzzle.apart(KNIGHT))


@means("antiking")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(grid[one] != grid[other] for one, other in puzzle.apart(KING))


def _free(puzzle: Puzzle, grid: Grid, *kinds: str) -> list[tuple[int, int]]:
    """The values, the lower first, of cells that share an edge on which no such mark stands."""
    joined = puzzle.joined(*kinds)
    return [(min(grid[a], grid[b]), max(grid[a], grid[b])) for a, b in puzzle.apart(BESIDE) if {a, b} not in joined]


@means("nonconsecutive")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return all(high - low != 1 for low, high in _free(puzzle, grid, "difference", "ratio"))


@means("negative ratio")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    drawn = {other.number for other in puzzle.marks if other.kind == "ratio"} or {2}
    return not any(low * ratio == high for low, high in _free(puzzle, grid, "difference", "ratio") for ratio in drawn)


@means("negative xv")
def _(puzzle: Puzzle, mark: Mark, grid: Grid) -> bool:
    return not any(low + high in (5, 10) for low, high in _free(puzzle, grid, "xv"))
