"""Singles with few known cells and AllDifferents that show each: short reasons, which need no solver."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from satdoku.constraints import AllDifferent
from satdoku.puzzle import Board, members, only


class Remaining:
    """What known cells leave to every cell, by themselves and by some AllDifferents.

    left: the candidates of each cell, auxiliary cells included
    """

    def __init__(self, board: Board, rules: Sequence[AllDifferent], known: Mapping[int, int]) -> None:
        """known: the candidates of the cells that do not have all values."""
        self.board, self.rules = board, rules
        self.left = [known.get(cell, board.domain(cell)) for cell in range(board.cells + len(board.auxiliary))]
        for rule in rules:
            for cell in rule.cells:
                value = only(known.get(cell, 0))
                if value:
                    for other in rule.cells:
                        if other != cell:
                            self.left[other] &= ~(1 << value)

    def houses(self) -> Iterator[AllDifferent]:
        """Those of the AllDifferents that hold every value."""
        return (rule for rule in self.rules if len(rule.cells) == self.board.values)

    def places(self, rule: AllDifferent, value: int) -> list[int]:
        """The cells of an AllDifferent that may have a value."""
        return [cell for cell in rule.cells if self.left[cell] >> value & 1]


def singles(board: Board, known: Mapping[int, int]) -> Iterator[tuple[int, list[int], list[AllDifferent]]]:
    """The open cells that have a single, and few known cells and AllDifferents that show it."""
    remaining = Remaining(board, board.all_different, known)
    of_cell = [[rule for rule in board.all_different if cell in rule.cells] for cell in range(board.cells)]

    def shown(rules: dict[AllDifferent, None], wanted: list[tuple[int, int]]) -> tuple[list[int], list[AllDifferent]]:
        """What shows that these cells cannot have these values."""
        cells: dict[int, None] = {}
        for place, missing in wanted:
            if not known.get(place, board.every_value) >> missing & 1:
                cells[place] = None
                continue
            pairs = [(c, rule) for rule in of_cell[place] for c in rule.cells if known.get(c) == 1 << missing]
            other, rule = min(pairs, key=lambda pair: (pair[1] not in rules) + (pair[0] not in cells))
            cells[other] = rules[rule] = None
        return list(cells), list(rules)

    for cell in range(board.cells):
        value = only(remaining.left[cell])
        if value and not only(known.get(cell, 0)):
            yield cell, *shown({}, [(cell, other) for other in members(board.every_value & ~(1 << value))])
    for rule in remaining.houses():
        for value in members(board.every_value):
            places = remaining.places(rule, value)
            if len(places) == 1 and not only(known.get(places[0], 0)):
                others = [(other, value) for other in rule.cells if other != places[0]]
                yield places[0], *shown({rule: None}, others)
