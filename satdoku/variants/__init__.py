"""The rules that people set: each file a family, each kind of mark lowered to the four constraints. A file that offers
`KINDS`, a list of `Kind`, is found by being there. Readers, writers and summaries know marks by what a kind says of
them, and no rule. Nothing here knows a solver."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import chain, product
from typing import Any

from satdoku.constraints import AllDifferent, Constraint
from satdoku.discovery import NamedTable, offered
from satdoku.errors import InputError, PuzzleError, near_names
from satdoku.limits import MAX_BOARD, MAX_MARKS
from satdoku.puzzle import MAX_VALUES, Board, Mark, Position, Size
from satdoku.variants.making import Making, making
from satdoku.variants.placed import BOARDS as BOARDS
from satdoku.variants.placed import laid_out, placed
from satdoku.variants.places import Connected, cells_of, every_mark, every_place, name_of
from satdoku.variants.places import label as label
from satdoku.variants.shapes import PARTS
from satdoku.variants.shapes import Shape as Shape
from satdoku.variants.strokes import Stroke
from satdoku.variants.values import ANY_NUMBERS
from satdoku.variants.values import Alias as Alias
from satdoku.variants.values import Value as Value
from satdoku.variants.values import needs as needs

Constraints = Iterator[Any]
Strokes = Iterator[Stroke]
MAX_KEPT = 64  # boards that are kept for further puzzles with the same marks
REGIONS = frozenset({"boxes", "region"})  # the kinds that divide the grid, as every plain Sudoku does
MAX_NAMED = MAX_VALUES**2  # cells beside the grid: one for each cell of the largest
FREE = "free-grid"  # the kind that lets rows and columns repeat digits
WITHOUT_LINES = frozenset({FREE, BOARDS})  # the kinds with which the rows and columns of the grid are not houses
BOARD = REGIONS | {FREE, BOARDS}  # the kinds that say what the board is


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of mark. `Kinds.add` makes one of a function; `satdoku.marks.of` makes marks of one.

    `lower` is given the frame, which has the grid and all marks, and one mark, whose parts fit `shape`; it yields
    constraints over `frame.cells(...)` and the values that the board shows, and raises PuzzleError if that cannot be.
    """

    name: str  # what files of our own and summaries call it; `plural` for several
    plural: str
    shape: Shape  # what its marks are made of
    summary: str  # what it looks like and what it says, in one sentence for people
    lower: Lower  # the constraints of one mark, over shown values
    _: KW_ONLY
    value: Value | None = None  # what its value may be; None if it takes none
    fpuzzles: str | None = None  # its key in f-puzzles; `negative NAME` for NAME among the negative constraints
    draw: Draw | None = None  # what one mark looks like; None for what its shape says
    loose: bool = False  # whether its lines may jump from cell to cell, and stand on the bulb
    layer: str = ""  # what its marks make a solution say of each cell besides the value, in one word
    reads: Reads | None = None  # how other marks are lowered where there is one of this kind
    names: Names | None = None  # the cells beside the grid that its marks make, for any mark to name
    aliases: tuple[Alias, ...] = ()  # other names, which our own format reads as well


class Kinds(list[Kind]):
    def add(
        self, name: str, shape: Shape, value: Value | None = None, *, noun: str = "", plural: str = "", **more: Any
    ) -> Callable[[Lower], Lower]:
        """Add a kind whose marks the function below lowers, and whose summary is the function's docstring.

        noun:   `line` if its marks are called between lines, which makes between-line a further alias
        plural: the name, the noun and an s, with blanks, unless it is named; of a rule of the whole board the name
        more:   as in `Kind`; aliases may be texts
        """
        many = plural or (name if shape is Shape.RULE else f"{name} {noun}".strip().replace("-", " ") + "s")

        def enter(lower: Lower) -> Lower:
            fields = {**more, **vars(lower)}
            names = [*fields.pop("aliases", ()), *([f"{name}-{noun}"] if noun else [])]
            aliases = tuple(Alias(alias) if isinstance(alias, str) else alias for alias in names)
            summary = " ".join((lower.__doc__ or "").split())
            self.append(Kind(name, many, shape, summary, lower, value=value, aliases=aliases, **fields))
            return lower

        return enter

    def also(self, **fields: Any) -> Callable[[Lower], Lower]:
        def keep(lower: Lower) -> Lower:
            vars(lower).update(fields)
            return lower

        return keep


@dataclass(frozen=True, eq=False)
class Frame:
    """The grid that marks are drawn on, with the values that they speak of, and all the marks on it.

    hidden: the values of each auxiliary cell that marks asked for, as sets of values from 1
    extra:  constraints over auxiliary cells that several marks share
    linked: the groups of cells that marks connect
    making: what the constraints share, and how much they take
    """

    size: Size
    marks: tuple[Mark, ...]
    hidden: list[int] = field(default_factory=list)
    extra: list[Constraint] = field(default_factory=list)
    linked: list[Connected] = field(default_factory=list)
    shared: dict[Hashable, int] = field(default_factory=dict)  # what `once` keeps
    making: Making = field(default_factory=Making)

    @property
    def values(self) -> range:
        return self.size.digits

    @property
    def rows(self) -> range:
        return range(1, self.size.rows + 1)

    @property
    def columns(self) -> range:
        return range(1, self.size.columns + 1)

    def cell(self, position: Position) -> int:
        """The cell at (row, column) from 1, or beside the grid; raises PuzzleError for one that there is not."""
        if self.size.inside(position):
            return self.size.cell(position)
        name = name_of(position)
        if name in self.named:
            return self.named[name]
        raise PuzzleError(f"{label(position)} is outside the {self.size.shape} grid" + ", and no variable" * bool(name))

    @cached_property
    def named(self) -> dict[str | None, int]:
        """The cells beside the grid that have a name; raises PuzzleError for a name of two."""
        cells, makers = dict[str | None, int](), dict[str, str]()  # a maker is the kind that makes a layer
        for mark in self.marks:
            kind = kinds().get(mark.kind)
            if kind is None or kind.names is None:
                continue
            try:
                fit(kind, mark)
                maker = makers.setdefault(kind.layer, kind.name)
                for name, make in kind.names(self, mark):
                    if name in cells or len(cells) == MAX_NAMED:
                        raise PuzzleError(_refused(name, kind, maker))
                    cells[name] = self.once(("named", name), make)
            except InputError as error:
                raise PuzzleError(f"{mark.kind}: {error}", mark) from None
        return cells

    @cached_property
    def layers(self) -> tuple[str, ...]:
        every = chain.from_iterable(map(every_mark, self.marks))
        names = (kinds()[mark.kind].layer for mark in every if mark.kind in kinds())
        return tuple(dict.fromkeys(filter(None, names)))

    @cached_property
    def readers(self) -> list[Reads]:
        every = (kinds()[mark.kind].reads for mark in self.marks if mark.kind in kinds())
        return [reads for reads in every if reads is not None]

    def layer(self, name: str, position: Position) -> int:
        if name not in self.layers:
            makers = " or ".join(kind.name for kind in kinds().values() if kind.layer == name)
            raise PuzzleError(f"this rule speaks of {name}, and needs the rule {makers}")
        if not self.size.inside(position):
            raise PuzzleError(f"{label(position)} is not in the grid, and has no {name}")
        return self.size.cells * (1 + self.layers.index(name)) + self.size.cell(position)

    def auxiliary(self, many: int) -> int:
        """A new auxiliary cell of so many values, which begin, for constraints, with the first value of the grid."""
        return self.auxiliary_of((2 << many) - 2)

    def auxiliary_of(self, values: int) -> int:
        """A new auxiliary cell of these of the values 1, 2, ..., of which 1 stands for the first value of the grid."""
        self.hidden.append(values)
        return self._shown_cells + len(self.hidden) - 1

    @property
    def _shown_cells(self) -> int:
        return self.size.cells * (1 + len(self.layers))

    def over(self, mark: Mark) -> Frame:
        """The frame with as many values as the cells of a mark may hold: variables may have more than the grid."""
        many, grid = len(self.values), self._shown_cells
        cells = map(self.cell, filter(name_of, every_place(mark))) if self.named else ()
        most = max((self.hidden[cell - grid].bit_length() - 1 for cell in cells if cell >= grid), default=0)
        if most <= many:
            return self
        if self.readers or not ANY_NUMBERS.issuperset(part.kind for part in every_mark(mark)):
            raise PuzzleError(f"a variable on it has values beyond {self.size.span}: expected one without")
        return replace(self, size=replace(self.size, digits=range(self.values[0], self.values[0] + most)))

    def once(self, key: Hashable, make: Callable[[], int]) -> int:
        """What `make` gives, made when the key comes for the first time."""
        if key not in self.shared:
            self.shared[key] = make()
        return self.shared[key]

    def cells(self, positions: tuple[Position, ...]) -> tuple[int, ...]:
        try:
            return tuple(map(cells_of(self.size).__getitem__, positions))
        except KeyError:
            return tuple(map(self.cell, positions))

    def positions(self, cells: Iterable[int]) -> tuple[Position, ...]:
        return tuple(map(self.size.position, cells))

    def around(self, position: Position) -> Iterator[Position]:
        row, column = position
        if name_of(position):
            raise PuzzleError(f"{label(position)} is not in the grid, and has no neighbours")
        beside = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return filter(self.size.inside, beside)

    def pairs(self, steps: tuple[Position, ...]) -> Iterator[tuple[Position, Position]]:
        for (row, column), (down, right) in product(self.size.positions, steps):
            if self.size.inside(other := (row + down, column + right)):
                yield (row, column), other

    def seen_from(self, clue: Position) -> tuple[int, ...]:
        """The row or column that a clue outside the grid looks along, nearest cell first."""
        row, column = clue
        if row in (0, self.size.rows + 1) and column in self.columns:
            line = tuple((other, column) for other in self.rows)
        elif self.beside(clue):
            line = tuple((row, other) for other in self.columns)
        else:
            raise PuzzleError(f"a clue at {label(clue)} is not beside a row or column of the grid")
        return self.cells(line[::-1] if row > self.size.rows or column > self.size.columns else line)

    @cached_property
    def lined(self) -> bool:
        """Whether no value repeats in a row or column of the grid."""
        return not any(mark.kind in WITHOUT_LINES for mark in self.marks)

    def beside(self, clue: Position) -> bool:
        return clue[1] in (0, self.size.columns + 1) and clue[0] in self.rows

    @cached_property
    def regions(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each box or jigsaw region, in the order they were drawn, cells by row."""
        drawn = (kinds()[mark.kind].lower(self, mark) for mark in self.marks if mark.kind in REGIONS)
        own = (tuple(sorted(rule.cells)) for rule in chain.from_iterable(drawn))
        inner = ((part, Frame(part.size, part.marks)) for part in placed(self.marks))
        below = (self.cells(part.moved(frame.positions(cells))) for part, frame in inner for cells in frame.regions)
        return tuple(dict.fromkeys((*own, *below)))  # where boards lie over each other, regions may be the same

    @cached_property
    def houses(self) -> tuple[list[tuple[Position, ...]], ...]:
        """The positions of each row, those of each column, and those of each box or region."""
        rows = [tuple((row, column) for column in self.columns) for row in self.rows]
        return rows, list(zip(*rows, strict=True)), [self.positions(cells) for cells in self.regions]

    @cached_property
    def region_of(self) -> dict[int, int]:
        return {cell: number for number, region in enumerate(self.regions) for cell in region}

    def region_at(self, position: Position) -> tuple[int, ...]:
        number = self.region_of.get(self.cell(position))
        if number is None:
            raise PuzzleError(f"{label(position)} is in no box or region")
        return self.regions[number]


def _refused(name: str, kind: Kind, maker: str) -> str:
    if not kind.layer:
        return f"a second cell {name}, or more than {MAX_NAMED:,} cells beside the grid"
    if maker != kind.name:
        return f"{maker} makes the {kind.layer} of this board: expected one of the two marks, leave the other out"
    return "a second mark of this kind: expected one" + " with the cells of both" * (kind.shape is Shape.CELLS)


Lower = Callable[[Frame, Mark], Constraints]  # the constraints of one mark
Names = Callable[[Frame, Mark], Iterable[tuple[str, Callable[[], int]]]]  # names, and what makes the cell of each
Reads = Callable[[Frame, Kind, Mark], tuple[Constraints, int]]  # the same, and the first value that they speak of
Draw = Callable[[Frame, Mark], Iterable[Stroke]]  # what a mark looks like


@cache
def kinds() -> NamedTable[Kind]:
    """Every kind by its name; those of installed packages once they are looked up."""
    own = offered("satdoku.variants", "KINDS", Kind)
    return NamedTable("kind of mark", Kind, own, "satdoku.marks", "satdoku variants")


def named() -> dict[str, Kind]:
    """The kinds that `kinds` goes through, by name and by alias."""
    return _named(tuple(kinds()))


@lru_cache(maxsize=1)
def _named(names: tuple[str, ...]) -> dict[str, Kind]:
    by_name = {name: kinds()[name] for name in names}
    for kind in tuple(by_name.values()):
        for alias in kind.aliases:
            value = kind.value
            if alias.value is not None:
                value = replace(value or Value(), required=False, preset=alias.value)
            by_name[alias.name] = replace(kind, value=value)
    return by_name


def build(size: int | Size, marks: tuple[Mark, ...]) -> Board:
    """The board with the constraints that `marks` draw; N is N x N. Raises PuzzleError for what fits no board."""
    return _built(Size.of(size) if isinstance(size, int) else size, marks)


@lru_cache(maxsize=MAX_KEPT)
def _built(size: Size, marks: tuple[Mark, ...]) -> Board:
    sides = size.rows, size.columns, len(size.digits)
    if not 1 <= min(sides) <= max(sides) <= MAX_VALUES or size.digits[0] < 0:
        raise PuzzleError(f"a board of {size} cannot be: expected 1 to {MAX_VALUES} rows, columns and values from 0")
    if len(marks) > MAX_MARKS:
        raise PuzzleError(f"{len(marks):,} marks: expected at most {MAX_MARKS:,}")
    frame = Frame(laid_out(size, marks), marks)
    constraints = constraints_of(frame)
    if frame.making.size > MAX_BOARD // MAX_KEPT:
        _built.cache_clear()  # so that the boards kept are not many large ones
    return Board(
        frame.size.cells * (1 + len(frame.layers)),
        len(size.digits),
        size.columns,
        tuple(constraints),
        marks,
        first_value=size.digits[0],
        auxiliary=tuple(frame.hidden),
        layers=frame.layers,
        places=frame.size.listed,
    )


def constraints_of(frame: Frame) -> list[Constraint]:
    """The constraints of all rows, columns and marks, over values from 1."""
    with making(frame.making):  # once, as each time takes longer than many a mark
        constraints = [*(_lines(frame.size) if frame.lined else ()), *chain.from_iterable(lowered(frame))]
    return [*constraints, *frame.making.taken(frame.extra, frame.values[0])]


@lru_cache(maxsize=16)
def _lines(size: Size) -> tuple[AllDifferent, ...]:
    frame = Frame(size, ())
    rows = (AllDifferent(frame.seen_from((row, 0)), f"row {row}") for row in frame.rows)
    columns = (AllDifferent(frame.seen_from((0, column)), f"column {column}") for column in frame.columns)
    return (*rows, *columns)


def lowered(frame: Frame) -> Iterator[list[Constraint]]:
    """The constraints of each mark, over values from 1, under names of its own: reasons cite constraints by name.
    Raises PuzzleError for what fits no board."""
    marks: dict[str, int] = {}  # how many have had a name so far
    for mark in frame.marks:
        constraints = lowered_mark(frame, mark)
        for name in {constraint.name for constraint in constraints}:
            marks[name] = marks.get(name, 0) + 1
        again = ((each, marks[each.name]) for each in constraints)
        yield [each if number == 1 else replace(each, name=f"{each.name} ({number})") for each, number in again]


def lowered_mark(frame: Frame, mark: Mark) -> list[Constraint]:
    """The same of one of the marks."""
    kind = kinds().get(mark.kind)
    if kind is None:
        near = near_names(mark.kind, named())
        raise PuzzleError(": ".join(filter(None, (f"no rule is known under the name {mark.kind!r}", near))))
    readers, _ = frame.readers, frame.named  # whose errors are those of other marks
    if kind.reads and len(readers) > 1:
        raise PuzzleError("two rules that change what cells count: expected one", mark)
    try:
        fit(kind, mark)
        with making(frame.making):
            over = frame.over(mark)
            result = readers[0](frame, kind, mark) if readers else (kind.lower(over, mark), frame.values[0])
            return list(frame.making.taken(*result))
    except InputError as error:
        raise PuzzleError(f"{kind.name}: {error}", mark) from None


def rule_text(mark: Mark) -> str:
    return mark.kind if mark.value is None else f"{mark.kind} {mark.value}"


def mark_label(mark: Mark) -> str:
    """`cage 15 at r1c1`."""
    first = next((line[0] for line in (mark.cells, *mark.lines) if line), None)
    return rule_text(mark) if first is None else f"{rule_text(mark)} at {label(first)}"


def fit(kind: Kind, mark: Mark) -> None:
    cells, lines = len(mark.cells), len(mark.lines)
    expected, fits = PARTS[kind.shape]
    if not fits(cells, lines) or not all(mark.lines):
        empty = ", some empty" * (not all(mark.lines))
        raise PuzzleError(f"{cells} cells and {lines} lines{empty}: expected {expected}")
    if kind.value is None and mark.value is not None:
        raise PuzzleError(f"value {mark.value!r}: this rule takes none")
    if kind.shape is not Shape.BOARD and bool(mark.marks) != (kind.shape is Shape.MARKS):
        raise PuzzleError(f"{len(mark.marks)} marks inside: expected {'some' if not mark.marks else 'none'}")
