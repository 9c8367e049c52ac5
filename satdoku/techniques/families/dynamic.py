"""Dynamic forcing chains: what follows from a candidate, where what has been excluded leaves new singles.

As Sudoku Explainer looks for them: of all conclusions that with the fewest candidates behind it is taken. What may be
used inside a chain where no single follows is its level; the search is compiled, in `satdoku.kernels.chains`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from satdoku.errors import Refused
from satdoku.limits import check_time
from satdoku.puzzle import members
from satdoku.techniques.candidates import LinkedCandidates
from satdoku.techniques.families.cycles import longer
from satdoku.techniques.grid import BOX, COLUMN, ROW, CandidateGrid, merged
from satdoku.techniques.step import Level, Step, Technique
from satdoku.techniques.words import cells_text, values_text
from satdoku.words import plural

if TYPE_CHECKING:  # and where they are used: a start without chains is shorter without them
    from satdoku.kernels.chains.state import Position
    from satdoku.kernels.compiled import Ints2

MAX_CANDIDATES = 512  # of a position: more take some 300 MB; a 9x9 with one solution never has so many


class Conclusion(NamedTuple):
    """size: the candidates behind it, those of chains inside too; kind: DOUBLE, CASES, PLACES or WRONG

    number: which was found earlier; unit: what it rests on, by kind; node, holds: what is concluded
    """

    size: int
    kind: int
    number: int
    unit: int
    node: int
    holds: bool


class CompiledNet:
    """The candidates of a grid, and what follows from each, by the compiled search.

    units: the nodes of each cell, and behind them of each value in each group
    """

    def __init__(self, grid: CandidateGrid) -> None:
        from satdoku.kernels.chains.search import conclude, follow
        from satdoku.kernels.chains.state import state

        candidates, layout = grid.once(LinkedCandidates, LinkedCandidates), grid.layout
        self.grid, self.nodes, self.index = grid, candidates.nodes, candidates.index
        self.groups = [group for kind in (BOX, ROW, COLUMN) for group in layout.groups if group.kind == kind]
        own = (members(grid.left[cell]) if grid.open >> cell & 1 else () for cell in range(layout.cells))
        self.units = [[self.index[value, 1 << cell] for value in values] for cell, values in enumerate(own)]
        for group in self.groups:
            for value in range(1, layout.values + 1):
                self.units.append([self.index[value, 1 << cell] for cell in members(grid.places[value] & group.cells)])
        self.state, position = state(self.units, len(self.nodes)), self._position()
        self._follow = follow.bind(position, self.state, level=0, literal=0)
        self._conclude = conclude.bind(position, self.state)

    def _position(self) -> Position:
        from satdoku.kernels.chains import state
        from satdoku.kernels.compiled import bit_rows, filled

        grid, layout, many = self.grid, self.grid.layout, len(self.nodes)
        of = [list[int]() for _ in self.nodes]
        for unit, nodes in enumerate(self.units):
            for node in nodes:
                of[node].append(unit)
        kinds = [{BOX: state.BOX, ROW: state.ROW, COLUMN: state.COLUMN}[group.kind] for group in self.groups]
        full = [number for number, group in enumerate(self.groups) if group.full]
        cells = [[*members(self.groups[number].cells & grid.open)] for number in full]
        first = [layout.cells + number * layout.values for number in full]
        seen = (sum({1 << other for unit in units[1:] for other in self.units[unit]}) for units in of)
        return state.Position(
            cells=filled("i", (cell.bit_length() - 1 for _, cell in self.nodes)),
            values=filled("i", (value for value, _ in self.nodes)),
            members=_padded(self.units),
            sizes=filled("i", map(len, self.units)),
            kinds=filled("i", [state.CELL] * layout.cells + [kind for kind in kinds for _ in range(layout.values)]),
            full=filled("i", [1] * layout.cells + [group.full for group in self.groups for _ in range(layout.values)]),
            units=_padded(of),
            houses=_padded([[len(own), *range(at, at + layout.values)] for own, at in zip(cells, first, strict=True)]),
            house_kinds=filled("i", (kinds[number] for number in full)),
            house_cells=_padded(cells),
            sees=bit_rows([each & ~(1 << node) for node, each in enumerate(seen)], many // 64 + 1),
        )

    def conclusions(self, level: int) -> list[Conclusion]:
        """Those of chains with others inside up to a level, in Sudoku Explainer's order."""
        self._follow(level=level)
        for literal in range(2 * len(self.nodes)):
            check_time()
            self._follow(literal=literal)
        self._conclude()
        many, best = len(self.nodes), self.state.best.tolist()
        rows = (best[slot] for slot in range(2 * many) if self.state.ratings[slot] >= 0)
        return sorted(
            Conclusion(size, kind, number, unit, literal % many, literal < many)
            for size, kind, number, unit, literal in rows
        )

    def _behind(self, conclusion: Conclusion) -> Iterator[tuple[int, int]]:
        """For each case of a conclusion what is assumed, and what is behind it: literals, as numbers and as a set."""
        from satdoku.kernels.chains.state import CASES, WRONG

        many, wrong, unit = len(self.nodes), conclusion.kind == WRONG, conclusion.unit
        target = conclusion.node + (0 if conclusion.holds else many)
        if wrong:
            rows = [(unit, 2 * unit + each) for each in (0, 1)]
        else:
            starts = (unit, unit + many) if conclusion.kind < CASES else self.units[unit]
            rows = [(start, 2 * many * start + target) for start in starts]
        sets = self.state.both if wrong else self.state.behind
        size, content = sets.shape[1] * sets.itemsize, sets.cast("B")
        for start, row in rows:
            yield start, int.from_bytes(content[row * size : (row + 1) * size], "little")

    def _text(self, node: int) -> str:
        board, (value, cell) = self.grid.layout.board, self.nodes[node]
        return f"{board.shown(value)} in {board.label(cell.bit_length() - 1)}"

    def _reason(self, conclusion: Conclusion) -> str:
        from satdoku.kernels.chains.state import CASES, DOUBLE, WRONG

        board, many = self.grid.layout.board, len(self.nodes)
        if conclusion.kind == WRONG:
            return f"if {self._text(conclusion.unit % many)} {_does(conclusion.unit < many)}, another does both"
        if conclusion.kind == DOUBLE:
            return f"{self._text(conclusion.unit)} holds or does not"
        if conclusion.kind == CASES:
            return f"{board.label(conclusion.unit)} is {values_text(board, self.grid.left[conclusion.unit], 'or')}"
        ((value, places),) = merged(map(self.nodes.__getitem__, self.units[conclusion.unit]))
        house = self.groups[(conclusion.unit - self.grid.layout.cells) // self.grid.layout.values]
        return f"{house.name} has {board.shown(value)} in one of {cells_text(board, places)}"

    def step(self, name: str, conclusion: Conclusion) -> Step:
        from satdoku.kernels.chains.state import WRONG

        node, holds = conclusion.node, conclusion.holds
        value, cell = self.nodes[node]
        others, many = members(self.grid.left[cell.bit_length() - 1] & ~(1 << value)), len(self.nodes)
        every, inside = 0, set[int]()
        for start, behind in self._behind(conclusion):
            every |= (behind | behind >> many) & (1 << many) - 1
            inside.update(self.state.nested[start, literal] for literal in members(behind))
        which = "" if conclusion.kind == WRONG else f", and in each case {self._text(node)} {_does(holds)}"
        text = f"{self._reason(conclusion)}{which}: {conclusion.size} candidates that hold or do not lead there"
        return Step(
            technique=name,
            because=f"{text}, with {plural(len(inside) - 1, 'chain')} inside" if len(inside) > 1 else text,
            placements=((cell.bit_length() - 1, value),) if holds else (),
            eliminations=tuple((other, cell) for other in others) if holds else ((value, cell),),
            pattern=merged(map(self.nodes.__getitem__, members(every))),
            size=conclusion.size,
        )


def _does(holds: bool) -> str:
    return "holds" if holds else "does not hold"


def _padded(rows: Sequence[Sequence[int]]) -> Ints2:
    """Rows of an array, -1 behind each."""
    from satdoku.kernels.compiled import filled

    width = max(1, *map(len, rows))
    flat = filled("i", (number for row in rows for number in (*row, *[-1] * (width - len(row)))))
    return flat.cast("B").cast("i", (len(rows), width))


def _search(level: int, name: str, grid: CandidateGrid) -> Iterator[Step]:
    """Raises Refused where nothing runs compiled code, and for a position that is too large."""
    if sum(grid.left[cell].bit_count() for cell in members(grid.open)) > MAX_CANDIDATES:
        raise Refused(f"{name}: a position of more than {MAX_CANDIDATES} candidates is too large")
    net = CompiledNet(grid)
    for conclusion in net.conclusions(level):
        yield net.step(name, conclusion)


STATEMENT = (
    "What follows from each candidate of a cell, from each place of a value in a house, or from a candidate that holds "
    "and that does not, holds; what leads to a contradiction does not. What has been excluded leaves new singles{}."
)
INSIDE = (
    ("", ""),
    (" (plus)", ", locked candidates, pairs and X-wings"),
    (" (plus forcing chains)", ", locked candidates, pairs, X-wings, forcing chains and cycles"),
    (" (plus multiple forcing chains)", ", and all that forcing chains exclude, from one candidate or several"),
    (" (plus dynamic forcing chains)", ", and all that dynamic forcing chains exclude"),
)
"""How the technique of each level is called, and what else may be used where no single follows."""

TECHNIQUES = tuple(
    Technique(
        f"dynamic forcing chain{suffix}",
        Level.FORCING,
        partial(_search, level),
        STATEMENT.format(also),
        se=8.5 + level / 2,
        se_more=longer,
    )
    for level, (suffix, also) in enumerate(INSIDE)
)
