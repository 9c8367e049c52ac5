"""Marks that a grid obeys, laid out on it by a recipe for each kind: how many there are, and what they leave free."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from satdoku.errors import InputError, near_names
from satdoku.generator.drawing import MarkedSquare, Values
from satdoku.generator.makers import MAKERS, RULES, Argument
from satdoku.puzzle import Mark, Position
from satdoku.variants import REGIONS, Frame, Shape, kinds, lowered, lowered_mark, named
from satdoku.words import joined

TRIES = 200  # marks drawn for each that is wanted, before there are taken to be no more that fit


@dataclass(frozen=True, slots=True)
class Density:
    """How many marks of a kind there are on a board of 9x9, at least and at most; on others as many for each cell.

    apart: whether no two of them share a cell
    """

    fewest: int
    most: int
    apart: bool = True


BY_SHAPE = {
    Shape.CELL: Density(12, 24),
    Shape.CELLS: Density(6, 12),
    Shape.LINE: Density(6, 11),
    Shape.ARROW: Density(6, 10),
    Shape.CLONE: Density(2, 4),
    Shape.GROUPS: Density(4, 8, apart=False),
    Shape.CLUE: Density(12, 22, apart=False),
    Shape.DIAGONAL: Density(9, 16, apart=False),
    Shape.MARKS: Density(5, 9, apart=False),
}
DENSITIES = {
    **dict.fromkeys(("difference", "ratio", "edge-sum", "edge-product"), Density(18, 36, apart=False)),
    "xv": Density(10, 20, apart=False),
    "greater-than": Density(24, 40, apart=False),
    "cage": Density(81, 81),  # as many as there is room for
    "battlefield": Density(4, 8, apart=False),
    "quadruple": Density(9, 16, apart=False),
    "negative-quadruple": Density(8, 14),
    "counting-circles": Density(1, 1),
    "same-values": Density(5, 9, apart=False),
    **dict.fromkeys(("row-indexer", "column-indexer", "box-indexer"), Density(4, 8)),
    **dict.fromkeys(("minimum", "maximum"), Density(8, 14)),
    **dict.fromkeys(("count-distinct", "odd-lots", "even-lots", "quad-sum"), Density(6, 10, apart=False)),
}
"""Of kinds whose shape says less."""

USUAL: dict[str, Argument] = {"anti-leaper": "1 3", "taxicab": 3, "negative-difference": "2"}
"""Values of rules of the whole board on boards of more than 4x4, where they take one that is not left out."""

EXEMPT: dict[str, tuple[str, ...]] = {
    "negative-xv": ("xv",),
    "negative-ratio": ("ratio",),
    "nonconsecutive": ("difference",),
    "negative-difference": ("difference",),
    "negative-sum": ("edge-sum",),
    "negative-battenberg": ("battenberg",),
    "negative-row-indexer": ("row-indexer",),
    "negative-column-indexer": ("column-indexer",),
    "negative-box-indexer": ("box-indexer",),
    "negative-rossini": ("rossini",),
}
"""Rules, and the kinds of marks where a rule does not hold."""

SUMS = {5: "V", 10: "X"}
CAGE_SIZES = (2, 2, 3, 3, 3, 4, 4, 5)


def without_recipe() -> list[str]:
    """The kinds that no recipe draws at random."""
    return sorted(name for name in kinds() if name not in MAKERS or name in REGIONS)


def chosen_kinds(words: Sequence[str]) -> tuple[str, ...]:
    """The kinds of these names or aliases; raises InputError for one that is unknown, given twice or without recipe."""
    chosen: list[str] = []
    for word in words:
        kind = named().get(word)
        if kind is None:
            near = near_names(word, named())
            raise InputError(f"marks {word!r}: no such kind; {near or 'see `satdoku variants`'}")
        if kind.name not in MAKERS or kind.name in REGIONS:
            hint = "; the boxes are those of the board" if kind.name == "boxes" else ""
            raise InputError(f"marks {word}: no recipe draws these kinds: {', '.join(without_recipe())}{hint}")
        if kind.name in chosen:
            raise InputError(f"marks {word}: {kind.name} is named twice")
        chosen.append(kind.name)
    if not chosen:
        raise InputError("marks: expected names of kinds, such as cage,thermometer; see `satdoku variants`")
    return tuple(chosen)


def rules(names: Sequence[str], random: Random, size: int) -> tuple[Mark, ...]:
    """The rules of the whole board among the kinds, with values that suit the board."""
    return tuple(Mark(name, value=_value(name, random, size)) for name in names if name in RULES)


def exempted(rule: Mark, names: Sequence[str]) -> list[str]:
    """The kinds among these whose marks a rule of the whole board makes room for."""
    return [name for name in EXEMPT.get(rule.kind, ()) if name in names]


def lacking(names: Sequence[str]) -> str:
    """The kinds that make room for a rule of the whole board among these, where they are not named, too."""
    more = [f"{name} with {other}" for name in names for other in EXEMPT.get(name, ()) if other not in names]
    return f"; name {joined(more)}" if more else ""


def every_exempt(late: Sequence[Mark], names: Sequence[str], drawing: MarkedSquare, at: Values) -> list[Mark] | str:
    """A mark wherever one of these rules is broken; else why there are none."""
    marks: list[Mark] = []
    for rule in late:
        frame = Frame(drawing.board_size, (*drawing.marks, *marks, rule))
        for constraint in lowered_mark(frame, rule):
            grid = [drawing.board_size.inner(at[position]) for position in drawing.positions]
            if constraint.holds(grid):
                continue
            cells = tuple(drawing.positions[cell] for cell in constraint.cells)
            joined = next(filter(None, (_exempting(name, cells, at) for name in exempted(rule, names))), None)
            if joined is None:
                return f"{rule.kind} cannot hold beside the marks of the grid"
            marks.append(joined)
    return marks


def _exempting(name: str, cells: tuple[Position, ...], at: Values) -> Mark | None:
    """The mark of a kind that says what cells are of which a rule does not hold; None if it has none for them."""
    if name == "battenberg":
        return Mark(name, tuple(sorted(cells)))
    if name.endswith("-indexer"):
        return Mark(name, cells[:1])
    if name == "rossini":
        return _arrow(name, cells, at)
    low, high = sorted(at[cell] for cell in cells)
    if name == "difference":
        return Mark(name, cells, value=high - low)
    if name == "ratio":
        return Mark(name, cells, value=high // low) if high == 2 * low else None
    if name == "edge-sum":
        return Mark(name, cells, value=low + high)
    word = SUMS.get(low + high)
    return None if word is None else Mark(name, cells, value=word)


def _arrow(name: str, cells: tuple[Position, ...], at: Values) -> Mark:
    """The arrow outside the first of three cells that rise or fall towards the middle of the board."""
    (row, column), (_, beside), _ = cells
    outside = (2 * row - cells[1][0], 2 * column - beside)
    inward = at[cells[0]] < at[cells[1]]
    if beside != column:
        return Mark(name, (outside,), value="R" if (beside > column) == inward else "L")
    return Mark(name, (outside,), value="D" if (cells[1][0] > row) == inward else "U")


def _value(name: str, random: Random, size: int) -> Argument:
    values = RULES[name]
    if size == 4 or len(values) == 1:
        return random.choice(values)
    if name == "disjoint-group":
        return random.randint(1, size)
    if name == "anti-queen":
        return str(size)
    return None if None in values else USUAL.get(name, values[0])


def laid_out(name: str, random: Random, drawing: MarkedSquare, at: Values, share: float) -> list[Mark]:
    """Marks of a kind that the grid obeys, `share` of the usual number; fewer where fewer are found.

    drawing: with the marks that say what the board is, and all that others are about
    """
    if name == "cage":
        return list(_cages(random, drawing, at))
    density = DENSITIES.get(name) or BY_SHAPE[kinds()[name].shape]
    scale = share * drawing.size**2 / 81
    wanted = max(1, round(random.randint(density.fewest, density.most) * scale))
    marks, taken = list[Mark](), set[Position]()
    for _ in range(wanted * TRIES):
        mark = MAKERS[name](random, drawing, at)
        cells = {*mark.cells, *(cell for line in mark.lines for cell in line)}
        if (density.apart and cells & taken) or any(_alike(mark, other) for other in marks):
            continue
        if holds(drawing, mark, at):
            marks.append(mark)
            taken |= cells
            if len(marks) == wanted:
                break
    return marks


def _alike(one: Mark, other: Mark) -> bool:
    """Whether two marks of a kind stand at the same place."""
    return (frozenset(one.cells), one.lines, one.marks) == (frozenset(other.cells), other.lines, other.marks)


def holds(drawing: MarkedSquare, mark: Mark, at: Values) -> bool:
    """Whether a grid obeys a mark, by its constraints; not where the mark cannot be, or asks for auxiliary cells."""
    frame, cells = Frame(drawing.board_size, (*drawing.marks, mark)), len(drawing.positions)
    try:
        constraints = lowered_mark(frame, mark)
    except InputError:
        return False
    grid = [drawing.board_size.inner(at[position]) for position in drawing.positions]
    return not frame.hidden and all(max(each.cells) < cells and each.holds(grid) for each in constraints)


def _cages(random: Random, drawing: MarkedSquare, at: Values) -> Iterator[Mark]:
    """Cages with their sums over all cells, but for those that are left alone between others."""
    free = set(drawing.positions)
    for start in random.sample(drawing.positions, len(drawing.positions)):
        if start not in free:
            continue
        cells, wanted = [start], random.choice(CAGE_SIZES)
        while len(cells) < wanted:
            held = {at[cell] for cell in cells}
            beside = {
                other for cell in cells for other in drawing.neighbours(cell) if other in free and at[other] not in held
            }
            beside.difference_update(cells)
            if not beside:
                break
            cells.append(random.choice(sorted(beside)))
        if len(cells) > 1:
            free.difference_update(cells)
            yield Mark("cage", tuple(sorted(cells)), value=sum(at[cell] for cell in cells))


def obeyed(drawing: MarkedSquare, marks: Sequence[Mark], at: Values) -> list[Mark]:
    """The marks that the grid obeys where all of them are drawn: what one says may depend on others."""
    frame = Frame(drawing.board_size, (*drawing.marks, *marks))
    grid = [drawing.board_size.inner(at[position]) for position in drawing.positions]
    parts = list(lowered(frame))[len(drawing.marks) :]
    return [mark for mark, part in zip(marks, parts, strict=True) if all(each.holds(grid) for each in part)]


def marks_for(
    names: Sequence[str], base: MarkedSquare, random: Random, at: Values, late: Sequence[Mark] = ()
) -> tuple[Mark, ...] | str:
    """Marks of each kind that is not a rule of the whole board; else why there are none.

    late: rules that the grid obeys only beside marks; these come first, and all of them are there
    """
    fixed = every_exempt(late, names, base, at)
    if isinstance(fixed, str):
        return fixed
    complete = {name for rule in late for name in exempted(rule, names)}
    own = [name for name in names if name not in RULES and name not in complete]
    share, every = 2 / (1 + len(own)), [*late, *fixed]
    drawing = replace(base, marks=(*base.marks, *every))
    for name in own:
        marks = laid_out(name, random, drawing, at, share)
        kept = obeyed(drawing, marks, at)
        if not kept:
            return f"no {name} was found that the grid obeys"
        every += kept
        drawing = replace(base, marks=(*base.marks, *every))
    return tuple(every)
