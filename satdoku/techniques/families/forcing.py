"""Forcing: what follows by named techniques when a candidate is assumed to hold.

An assumption that leads to a contradiction does not hold. What follows from each candidate of a cell, or from each
place of a value in a house, holds. A chain uses singles and constraints looked at alone, a net also locked candidates
and pairs; a nested one also tries assumptions inside an assumption, to a depth that its name says.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.families import constraints, locked, subsets
from satdoku.techniques.grid import CandidateGrid, Placement, Strike, merged
from satdoku.techniques.step import Level, Step, Technique
from satdoku.words import joined

MAX_SHOWN = 12  # values of a net that a sentence names, the last ones
SIMPLE = [
    technique
    for family in (locked.TECHNIQUES, subsets.TECHNIQUES)
    for technique in family
    if technique.name in ("locked candidates (pointing)", "locked candidates (claiming)", "naked pair", "hidden pair")
]
"""What nets use beside singles and constraints that are not AllDifferents."""


class Net:
    """A grid in which some candidate is assumed, and what follows.

    placed: the values that followed, in order; wrong: the contradiction, None if none was found
    """

    def __init__(self, grid: CandidateGrid, assumed: Placement, more: bool) -> None:
        self.grid, self.more = grid.copy(), more
        self.placed: list[Placement] = []
        self.wrong: str | None = None
        self._place(*assumed)
        self.run()

    def _place(self, cell: int, value: int) -> None:
        self.grid.place(cell, value)
        self.placed.append((cell, value))

    def strike(self, strikes: Sequence[Strike]) -> None:
        self.grid.strike(strikes)
        self.run()

    def run(self) -> None:
        """Singles as long as there are some, then the next of the other techniques."""
        others = (constraints.EVERY,) if self.grid.layout.board.others else ()
        further = (*others, *SIMPLE) if self.more else others
        while self.wrong is None and self.grid.open:
            if self._singles() or self.wrong is not None:
                continue
            step = next((step for technique in further for step in technique.steps(self.grid)), None)
            if step is None:
                return
            if any(cells & self.grid.solved[value] for value, cells in _of_values(step, len(self.grid.solved))):
                self.wrong = f"{joined(step.houses)} cannot be kept"
            else:
                step.apply(self.grid)

    def _singles(self) -> bool:
        """Fill every cell that has a single; whether there was one."""
        grid, before = self.grid, len(self.placed)
        left, board = grid.left, grid.layout.board
        for cell in members(grid.open):
            allowed = left[cell]
            if not allowed:
                self.wrong = f"{board.label(cell)} has no candidate left"
                return False
            if not allowed & (allowed - 1):
                self._place(cell, allowed.bit_length() - 1)
        for house in grid.layout.houses:
            cells = house.cells
            if not cells & grid.open:
                continue
            for value in range(1, board.values + 1):
                places = grid.places[value] & cells
                if places:
                    if not places & (places - 1):
                        self._place(places.bit_length() - 1, value)
                elif not grid.solved[value] & cells:
                    self.wrong = f"{house.name} has no place left for {board.shown(value)}"
                    return False
        return len(self.placed) > before

    def text(self) -> str:
        board = self.grid.layout.board
        names = [f"{board.label(cell)}={board.shown(value)}" for cell, value in self.placed]
        if len(names) > MAX_SHOWN + 1:
            names = [names[0], "...", *names[-MAX_SHOWN:]]
        return ", ".join(names)


def _of_values(step: Step, many: int) -> Iterator[Strike]:
    """What a step excludes, without values that only auxiliary cells have."""
    return (strike for strike in step.eliminations if strike[0] < many)


def _assumptions(grid: CandidateGrid) -> list[Placement]:
    """Every candidate of an open cell, those of cells with few first."""
    cells = sorted(members(grid.open), key=lambda cell: grid.left[cell].bit_count())
    return [(cell, value) for cell in cells for value in members(grid.left[cell])]


def _contradiction(more: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    for assumed in _assumptions(grid):
        check_time()
        net = Net(grid, assumed, more)
        if net.wrong is not None:
            yield _wrong_step(name, assumed, net)


def _wrong_step(name: str, assumed: Placement, net: Net) -> Step:
    cell, value = assumed
    why = f"it would lead to a contradiction: {net.text()}, and {net.wrong}"
    return Step(
        technique=name,
        because=why,
        eliminations=((value, 1 << cell),),
        pattern=merged((digit, 1 << at) for at, digit in net.placed),
        size=len(net.placed),
    )


def _verity(more: bool, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """What every candidate of a cell, or every place of a value in a house, leads to."""
    nets: dict[Placement, Net] = {}
    board = grid.layout.board
    for what, cases in _cases(grid):
        check_time()
        chosen = [nets[case] if case in nets else nets.setdefault(case, Net(grid, case, more)) for case in cases]
        chosen = [net for net in chosen if net.wrong is None]
        if not chosen:
            continue
        strikes = []
        for value in range(1, board.values + 1):
            left = 0
            for net in chosen:
                left |= net.grid.places[value] | net.grid.solved[value]
            strikes.append((value, ~left))
        effect = grid.present(strikes)
        if effect:
            why = f"it follows from each: {what} is {joined([net.text() for net in chosen]).replace(' and ', '; or ')}"
            pattern = tuple((value, 1 << cell) for cell, value in cases)
            yield Step(technique=name, because=why, eliminations=effect, pattern=pattern, size=len(chosen))


def _cases(grid: CandidateGrid) -> Iterator[tuple[str, list[Placement]]]:
    board = grid.layout.board
    for cell in sorted(members(grid.open), key=lambda cell: grid.left[cell].bit_count()):
        yield board.label(cell), [(cell, value) for value in members(grid.left[cell])]
    for house in grid.layout.houses:
        for value in range(1, board.values + 1):
            places = grid.places[value] & house.cells
            if places:
                yield f"{board.shown(value)} in {house.name}", [(cell, value) for cell in members(places)]


def _nested(depth: int, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Assumptions inside assumptions; those first that lead far by themselves."""
    nets = [(Net(grid, assumed, False), assumed) for assumed in _assumptions(grid)]
    nets.sort(key=lambda pair: -len(pair[0].placed))
    for net, assumed in nets:
        _go_on(net, depth - 1)
        if net.wrong is not None:
            yield _wrong_step(name, assumed, net)


def _go_on(net: Net, depth: int) -> None:
    """Exclude in a net what leads to a contradiction at a smaller depth, until nothing does."""
    tried = -1
    while net.wrong is None and tried != (state := sum(map(int.bit_count, net.grid.places))):
        tried = state
        for cell, value in _assumptions(net.grid):
            if net.wrong is not None:
                return
            if not net.grid.places[value] >> cell & 1:
                continue
            check_time()
            inner = Net(net.grid, (cell, value), False)
            if inner.wrong is None and depth > 1:
                _go_on(inner, depth - 1)
            if inner.wrong is not None:
                net.strike(((value, 1 << cell),))


ASSUMED = "A candidate is assumed; what follows by singles and by constraints looked at alone"
NO = " leads to a contradiction, so it does not hold."
ALL = " from each candidate of a cell, or from each place of a value in a house, holds."
PAIRS = ", locked candidates and pairs"


def _inside(depth: int) -> Technique:
    statement = f"{ASSUMED} and assumptions inside the assumption, to depth {depth},{NO}"
    name = f"nested forcing net (depth {depth})"
    return Technique(name, Level.FORCING, partial(_nested, depth), statement, se=9.0 + depth / 2)


TECHNIQUES = (
    Technique("forcing chain (contradiction)", Level.FORCING, partial(_contradiction, False), ASSUMED + NO, 8.5, 500),
    Technique("forcing chain (verity)", Level.FORCING, partial(_verity, False), ASSUMED + ALL, 8.5, 500),
    Technique(
        "forcing net (contradiction)", Level.FORCING, partial(_contradiction, True), ASSUMED + PAIRS + NO, 9.0, 700
    ),
    Technique("forcing net (verity)", Level.FORCING, partial(_verity, True), ASSUMED + PAIRS + ALL, 9.0, 700),
    _inside(2),
    _inside(3),
)
