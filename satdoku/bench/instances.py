"""Puzzles made for measuring: full grids with holes, in the range where they are hardest.

Quasigroup with holes is the model: Achlioptas, Gomes, Kautz and Selman, Generating Satisfiable Problem
Instances, AAAI 2000; balanced holes, the harder ones: Kautz, Ruan, Achlioptas, Gomes, Selman and Stickel,
Balance and Filtering in Structured Satisfiable Problems, IJCAI 2001. Every instance has a solution, and
a seed gives the same instances anywhere: no solver and no floating point takes part in making them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from satdoku.bench.draws import Draws
from satdoku.bench.grids import Rows, mixed
from satdoku.errors import InputError
from satdoku.formats.line import flat
from satdoku.variants.boxes import Box

LARGEST = 64
"""N up to which grids are mixed: the work grows with the cube of N."""

VERSION = 1
"""Of the way that a seed becomes instances."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """Instances to make: `count` for each size and number of holes; shares that round to one number are made once.

    holes:    shares of the cells that are left open
    balanced: as many holes in every row, column and box; else anywhere

    Raises InputError for what cannot be made.
    """

    sizes: tuple[int, ...]
    holes: tuple[Decimal, ...]
    balanced: bool
    count: int
    seed: int

    def __post_init__(self) -> None:
        for size in self.sizes:
            if size > LARGEST or size < 4 or Box.of_size(size) is None:
                raise InputError(f"--size {size}: expected numbers of 4 to {LARGEST} that are not prime, such as 16,25")
        for share in self.holes:
            if not 0 < share < 1:
                raise InputError(f"--holes {share}: expected shares between 0 and 1, such as 0.45:0.65:0.05")
        if self.count < 1:
            raise InputError(f"--count {self.count}: expected 1 or more")


def sizes(text: str) -> tuple[int, ...]:
    """The numbers of `16,25,36`; raises InputError."""
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 5 for part in parts):
        raise InputError(f"--size {text}: expected numbers such as 16,25,36")
    return tuple(dict.fromkeys(map(int, parts)))


def shares(text: str) -> tuple[Decimal, ...]:
    """The shares of `0.5`, `0.4,0.5` or `FIRST:LAST:STEP`, both ends included; raises InputError."""
    found: dict[Decimal, None] = {}
    try:
        for part in text.split(","):
            first, *rest = map(Decimal, part.split(":"))
            if not first.is_finite() or not all(number.is_finite() for number in rest):
                raise InvalidOperation
            if not rest:
                found[first] = None
                continue
            last, step = rest
            if step <= 0 or last < first or (last - first) / step > 1000:
                raise InvalidOperation
            found |= {first + step * index: None for index in range(int((last - first) / step) + 1)}
    except (InvalidOperation, ValueError):
        raise InputError(f"--holes {text}: expected a share, or FIRST:LAST:STEP such as 0.45:0.65:0.05") from None
    return tuple(found)


def lines(recipe: Recipe) -> Iterator[str]:
    """A file of the recipe's instances, one a line; comments say how each group was made."""
    shares_told = ",".join(map(str, recipe.holes))
    where = " --balanced" if recipe.balanced else ""
    yield (
        f"# satdoku bench make --size {','.join(map(str, recipe.sizes))} --holes {shares_told}{where}"
        f" --count {recipe.count} --seed {recipe.seed}"
    )
    yield f"# instances of version {VERSION}: full grids, mixed by trades, with holes; each has a solution"
    for size in recipe.sizes:
        box = Box.of_size(size)
        assert box is not None
        by_number: dict[int, list[Decimal]] = {}
        for share in recipe.holes:
            by_number.setdefault(_holes(size, share, recipe.balanced), []).append(share)
        for number, same in by_number.items():
            told = f"{number} holes in every row, column and box" if recipe.balanced else f"{number} holes anywhere"
            yield f"# {size}x{size} with {box} boxes, {told} ({', '.join(map(str, same))})"
            for index in range(recipe.count):
                draws = Draws("instance", VERSION, recipe.seed, size, number, recipe.balanced, index)
                yield flat(instance(box, number, recipe.balanced, draws), size)


def instance(box: Box, holes: int, balanced: bool, draws: Draws) -> tuple[int, ...]:
    """One puzzle, row-major, 0 for a hole. `holes` is the number in every house if balanced, else in all.

    Balanced holes are the cells that hold one of `holes` values in a second mixed grid, since each value
    stands once in every row, column and box.
    """
    grid = _flat(_renamed(mixed(box, draws), draws))
    if balanced:
        open = {cell for cell, value in enumerate(_flat(mixed(box, draws))) if value <= holes}
    else:
        open = set(draws.shuffled(range(len(grid)))[:holes])
    return tuple(0 if cell in open else value for cell, value in enumerate(grid))


def _holes(size: int, share: Decimal, balanced: bool) -> int:
    """How many holes a share means, at least one, rounded half up; in each house if balanced, else in all."""
    return max(1, int(share * (size if balanced else size * size) + Decimal("0.5")))


def _renamed(grid: Rows, draws: Draws) -> Rows:
    names: Sequence[int] = [0, *draws.shuffled(range(1, len(grid) + 1))]
    return [[names[value] for value in row] for row in grid]


def _flat(grid: Iterable[Iterable[int]]) -> list[int]:
    return [value for row in grid for value in row]
