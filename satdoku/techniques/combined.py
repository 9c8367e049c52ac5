"""Steps that exclude what occurs in no way to keep some constraints together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import and_
from typing import cast

from satdoku.puzzle import members
from satdoku.techniques.grid import CandidateGrid, House, Strike, cell_set, merged
from satdoku.techniques.joint import Joint, Way
from satdoku.techniques.marks import MarkPart
from satdoku.techniques.step import Step
from satdoku.techniques.words import cells_text, values_text
from satdoku.words import joined

MAX_WAYS = 6  # to fill a mark, that a sentence names
MAX_NAMED = 4  # cells whose values a sentence names


def left_by(
    grid: CandidateGrid, name: str, key: object, joint: Joint, parts: Sequence[MarkPart], houses: Sequence[House] = ()
) -> Iterator[Step]:
    """The step that marks, and houses if there are some, allow together; nothing if they exclude nothing.

    key:  under which the grid remembers what was looked at, so that it is looked at again after a change alone
    joint: the constraints together
    """
    before = tuple([grid.left[cell] for cell in joint.cells])
    if grid.seen.get(key) == before:
        return
    # Ways that were found before and are still there need no search.
    earlier = cast(tuple[Way, ...], grid.seen.get((left_by, key), ()))
    ways = [way for way in earlier if all(map(and_, way, before))]
    after = joint.supported(grid.left, ways)
    grid.seen[left_by, key] = tuple(ways)
    each = [*zip(joint.cells, before, strict=True)]
    lost = merged((value, 1 << cell) for cell, old in each for value in members(old & ~after[cell]))
    if not lost:
        grid.seen[key] = before
        return
    pattern = merged((value, 1 << cell) for cell, old in each if cell < grid.layout.cells for value in members(old))
    names = (*(part.name for part in parts), *(house.name for house in houses))
    yield Step(
        technique=name,
        because=_text(grid, joint, names, after),
        eliminations=lost,
        pattern=pattern,
        parts=tuple((part.name, _within(pattern, part.bits)) for part in parts) if len(parts) > 1 else (),
        houses=names,
        size=len(names),
    )


def _within(pattern: tuple[Strike, ...], cells: int) -> tuple[Strike, ...]:
    return tuple((value, at & cells) for value, at in pattern if at & cells)


def _text(grid: CandidateGrid, joint: Joint, names: Sequence[str], after: dict[int, int]) -> str:
    """Which combinations are left if they are few, else what is left to each cell that loses something."""
    board = grid.layout.board
    what = f"{joined(names)} together" if len(names) > 1 else names[0]
    shown = tuple(cell for cell in joint.cells if cell < board.cells and grid.left[cell] & (grid.left[cell] - 1))
    ways = joint.ways([after.get(cell, allowed) for cell, allowed in enumerate(grid.left)], 60)
    every = [cell for cell in joint.cells if cell < board.cells]
    if ways and len(names) == 1 and not joint.houses and max(every, default=0) < board.grid_cells:
        sets = dict.fromkeys(
            tuple(sorted(value for cell, value in zip(joint.cells, way, strict=True) if cell in every)) for way in ways
        )
        if 0 < len(sets) <= MAX_WAYS:
            texts = ["+".join(str(board.shown(value)) for value in each) for each in sets]
            return f"{what} can only have {joined(texts).replace(' and ', ' or ')}"
    cells = [cell for cell in shown if after[cell] != grid.left[cell]]
    texts = [
        f"{cells_text(board, cell_set([cell]))} {values_text(board, after[cell], 'or') or 'nothing'}"
        for cell in cells[:MAX_NAMED]
    ]
    more = f" and less to {len(cells) - MAX_NAMED} more cells" if len(cells) > MAX_NAMED else ""
    verb = "leave" if len(names) > 1 else "leaves"
    return f"{what} {verb} {', '.join(texts) or 'less to hidden cells'}{more}"
