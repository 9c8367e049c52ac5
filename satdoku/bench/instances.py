"""Puzzles made for measuring: quasigroups with holes, see docs/benchmarks.md.

Every instance has a solution, and a seed gives the same instances anywhere: no solver takes part in making them.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from random import Random

from satdoku.bench.shuffle import Draws
from satdoku.errors import InputError
from satdoku.formats import Options
from satdoku.formats.line import flat
from satdoku.generator.grids import MAX_VALUES, GridSource, grids
from satdoku.inputs.items import board_of
from satdoku.puzzle import Board
from satdoku.system.clock import NEVER
from satdoku.variants.summaries import shape
from satdoku.verdict import Session

SIZE = re.compile(r"\d{1,4}(x\d{1,3})?")
VERSION = 2  # of the way that a seed becomes instances


@dataclass(frozen=True, kw_only=True, slots=True)
class Instances:
    """Instances to make: `count` for each size and share of holes; shares that round to one number are made once."""

    sizes: tuple[int | str, ...]
    holes: tuple[Decimal, ...]
    balanced: bool
    count: int
    seed: int
    values: str | None = None
    box: str | None = None

    def __post_init__(self) -> None:
        for size in self.sizes:
            try:
                board = self.board(size)
            except InputError as error:
                raise InputError(f"--size {size}: {error}") from None
            if board.values > MAX_VALUES or board.columns < 4 or board.size.rows < 4:
                raise InputError(f"--size {size}: expected numbers of 4 to {MAX_VALUES}, or RxC, such as 16,25 or 6x8")
            if self.balanced and not all(len(rule.cells) == board.values for rule in board.all_different):
                raise InputError(
                    f"--balanced: needs every value in every row, column and box, and {size} has fewer cells"
                )
        for share in self.holes:
            if not 0 < share < 1:
                raise InputError(f"--holes {share}: expected shares between 0 and 1, such as 0.45:0.65:0.05")
        if self.count < 1:
            raise InputError(f"--count {self.count}: expected 1 or more")

    def board(self, size: int | str) -> Board:
        return board_of(Options().with_shape(str(size), self.values, self.box))


def sizes(text: str) -> tuple[int | str, ...]:
    parts = text.split(",")
    if not all(SIZE.fullmatch(part) for part in parts):
        raise InputError(f"--size {text}: expected sizes such as 16,25 or 6x8")
    return tuple(int(part) if part.isdigit() else part for part in parts)


def shares(text: str) -> tuple[Decimal, ...]:
    """The shares of `0.5`, `0.4,0.5` or `FIRST:LAST:STEP`, both ends included."""
    fractions: dict[Decimal, None] = {}
    try:
        for part in text.split(","):
            first, *rest = map(Decimal, part.split(":"))
            if not first.is_finite() or not all(number.is_finite() for number in rest):
                raise InvalidOperation
            if not rest:
                fractions[first] = None
                continue
            last, step = rest
            if step <= 0 or last < first or (last - first) / step > 1000:
                raise InvalidOperation
            fractions |= {first + step * index: None for index in range(int((last - first) / step) + 1)}
    except (InvalidOperation, ValueError):
        raise InputError(f"--holes {text}: expected a share, or FIRST:LAST:STEP such as 0.45:0.65:0.05") from None
    return tuple(fractions)


def lines(wanted: Instances) -> Iterator[str]:
    """A file of the wanted instances, one a line; comments say how each group was made."""
    where = "".join(f" --{name} {text}" for name, text in (("values", wanted.values), ("box", wanted.box)) if text)
    where += " --balanced" if wanted.balanced else ""
    yield (
        f"# satdoku bench make --size {','.join(map(str, wanted.sizes))} --holes {','.join(map(str, wanted.holes))}"
        f"{where} --count {wanted.count} --seed {wanted.seed}"
    )
    yield f"# instances of version {VERSION}: random full grids with holes; each has a solution"
    for size in wanted.sizes:
        board = wanted.board(size)
        by_number: dict[int, list[Decimal]] = {}
        for share in wanted.holes:
            # Rounded half up; in each house if balanced, else in all.
            number = int(share * (board.values if wanted.balanced else board.cells) + Decimal("0.5"))
            by_number.setdefault(max(1, number), []).append(share)
        with Session() as session:
            source = grids(board, session)
            for number, same in by_number.items():
                place = "in every row, column and box" if wanted.balanced else "anywhere"
                yield f"# {shape(board)}, {number} holes {place} ({', '.join(map(str, same))})"
                for index in range(wanted.count):
                    seed = ("instance", VERSION, wanted.seed, size, number, wanted.balanced, index)
                    yield flat(board, instance(source, number, wanted.balanced, ":".join(map(str, seed))))


def instance(source: GridSource, holes: int, balanced: bool, seed: str) -> tuple[int, ...]:
    """One puzzle, row-major, 0 for a hole. `holes` is the number in every house if balanced, else in all."""
    random = Random(seed)
    grid = source.draw(random, NEVER)
    if balanced:  # in a second grid each value stands once in every row, column and box
        holed = {cell for cell, value in enumerate(source.draw(random, NEVER)) if value <= holes}
    else:
        holed = set(Draws(seed).shuffled(range(len(grid)))[:holes])
    return tuple(0 if cell in holed else value for cell, value in enumerate(grid))
