"""Parts of strings of the Interactive Sudoku Solver: the size, regions and cells of the board, and what they say in
base64 (relations, patterns, automata)."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, groupby, product

from satdoku.errors import FormatError
from satdoku.formats import Options
from satdoku.formats.iss_writer import DIGITS, LACKED, NAMES
from satdoku.formats.marks import Cells, whole
from satdoku.formats.regions import divided
from satdoku.puzzle import Mark, Position, Size
from satdoku.variants import FREE
from satdoku.variants.boxes import Box
from satdoku.variants.connected import ROWS
from satdoku.variants.own import ALLOWED
from satdoku.variants.places import label, name_of, named
from satdoku.variants.same_region import REGIONS

CELL = re.compile(r"[Rr]([1-9a-g])[Cc]([1-9a-g])")
PLACES = {
    f"{r}{DIGITS[row]}{c}{DIGITS[column]}": (row, column)
    for r, c, row, column in product("Rr", "Cc", range(1, len(DIGITS)), range(1, len(DIGITS)))
}
"""The row and the column of what CELL matches."""
SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})(?:~(?:(?:(\d{1,2})-)?(\d{1,3}))?(?:~(Sudoku|Raw))?)?~?")
OF_HOUSE = {letters: house for house, letters in LACKED.items()}
LACKING = re.compile(r"(DG[RCB])([1-9]\d?)")  # what a row, a column or a box of a doppelganger lacks
VARIABLE = re.compile(r"V([A-Z]{1,8})(\d{0,4})")
GROUP_SIZE = re.compile(r"(?:([1-9]\d?)x)?([1-9]\d{0,2})")
MAX_CELLS = 1000  # of a board and its variables, which the solver itself takes
CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
MAX_STEPS = 50_000  # of an automaton over several lines
MAX_STATES = 4096  # of an automaton, before those that no line reaches are left out
SWAPPED = str.maketrans("-_", "_-")
PLAIN, PACKED = 0, 1


@dataclass(frozen=True, slots=True)
class GridShape:
    """The board. free: whether rows and columns may repeat digits; groups: the variables of each prefix, so many in so
    many columns."""

    size: Size
    region: int
    free: bool = False
    groups: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @classmethod
    def of(cls, items: Sequence[Sequence[str]], options: Options) -> GridShape:
        stated = ["~".join(rest) for name, *rest in items if name == "Shape"] or ["9x9"]
        match = SHAPE.fullmatch(stated[0])
        if match is None or len(set(stated)) > 1:
            raise FormatError(f"the shape {stated[0][:30]!r}, expected one such as 6x6 or 9x9~0-8")
        rows, columns = int(match[1]), int(match[2])
        first = int(match[3] or 1)
        last = int(match[4] or max(rows, columns))
        if not 1 <= min(rows, columns) <= max(rows, columns) <= len(DIGITS) - 1 or not first <= last < first + 100:
            raise FormatError(f"the shape {stated[0][:30]!r}, expected up to 16x16")
        size = options.of(rows, columns, range(first, last + 1))
        sizes = [whole(rest[0] if rest else None, "RegionSize") for name, *rest in items if name == "RegionSize"]
        groups = dict(_group(rest, columns) for name, *rest in items if name == "Var")
        if sum(many for many, _ in groups.values()) > MAX_CELLS:
            raise FormatError(f"more than {MAX_CELLS:,} variables")
        return cls(size, sizes[-1] if sizes else max(rows, columns), match[5] == "Raw", groups)

    def cell(self, name: str) -> Position:
        """The position of a cell of the grid, of a variable `VA` or `VA2`, of `CC12` and `DGR3`, which rules make."""
        place = PLACES.get(name)
        if place is not None and self.size.inside(place):
            return place
        variable = VARIABLE.fullmatch(name)
        if variable is not None and variable[2] in self._numbers(variable[1]):
            return named(variable[1] + variable[2])
        if (lacking := LACKING.fullmatch(name)) is not None:
            return named(OF_HOUSE[lacking[1]] + lacking[2])
        number = self._region_number(name)
        if number is None:
            raise FormatError(f"{name[:20]!r} is not a cell of the {self.size.shape} grid")
        return named(f"{REGIONS}_{label(self.size.position(number))}")

    def _numbers(self, prefix: str) -> Collection[str]:
        many, _ = self.groups.get(prefix, (0, 0))
        return {""} if many == 1 else {str(number) for number in range(1, many + 1)}

    def _region_number(self, name: str) -> int | None:
        number = int(name[2:]) - 1 if re.fullmatch(r"CC[1-9]\d{0,2}", name) else -1
        return number if 0 <= number < self.size.rows * self.size.columns else None

    def region_cell(self, name: str) -> Position:
        """A cell of the grid, or that whose region is `CC12`, the twelfth."""
        number = self._region_number(name)
        return self.cell(name) if number is None else self.size.position(number)

    def layer(self, group: str, where: str) -> tuple[Cells, int]:
        """The cells of a group of variables, or of the regions to be found (`CC`), and how many are in a row."""
        if group == "CC":
            return tuple(named(f"{REGIONS}_{label(place)}") for place in self.size.positions), self.size.columns
        letters = group[1:]
        if group[:1] != "V" or letters not in self.groups:
            expected = "CC, or V and the letters of a Var"
            raise FormatError(f"{where} of the cells {group[:20]!r}: expected nothing for the grid, {expected}")
        many, columns = self.groups[letters]
        return tuple(named(f"{letters}{number if many > 1 else ''}") for number in range(1, many + 1)), columns

    def moved(self, place: Position, origin: Position, target: int) -> Position:
        """Where a cell comes to when the origin is moved to that many cells after it, all of one group."""
        name, begin = name_of(place), name_of(origin)
        letters = (begin or "").rstrip("0123456789")
        if (name or "").rstrip("0123456789") != letters:
            raise FormatError("Replicate moves cells of one group only")
        many, columns = self.groups[letters] if letters else (self.size.rows * self.size.columns, self.size.columns)
        number, begins = self._number(place, letters), self._number(origin, letters)
        (down, right), (below, across), (rows, by) = (divmod(n, columns) for n in (number, begins + target, begins))
        down, right = down + below - rows, right + across - by
        if not 0 <= right < columns or not 0 <= down * columns + right < many:
            group = f"cells V{letters}" if letters else f"{self.size.shape} grid"
            raise FormatError(f"Replicate moves {label(place)} outside the {group}")
        return named(f"{letters}{down * columns + right + 1}") if letters else (down + 1, right + 1)

    def _number(self, place: Position, letters: str) -> int:
        name = name_of(place)
        return int(name[len(letters) :] or 1) - 1 if name else self.size.cell(place)

    def cells(self, names: Sequence[str], where: str) -> Cells:
        if not 0 < len(names) <= 2 * self.size.rows * self.size.columns:
            raise FormatError(f"{where} names {len(names)} cells, expected some of the {self.size.shape} grid")
        return tuple(self.cell(name) for name in names)

    def division(self, items: Sequence[Sequence[str]], options: Options) -> Iterator[Mark]:
        names = {item[0] for item in items}
        boxed = "NoBoxes" not in names and not options.boxless and not self.free
        box = options.box or Box.of_size(self.size, self.region) if boxed else None
        layouts = [item[-1] for item in items if item[0] == "Jigsaw" and not self.free]
        if self.free:
            yield Mark(FREE)
        if box is not None:
            yield Mark("boxes", value=str(box))
        for layout in layouts:
            if len(layout) != self.size.rows * self.size.columns:
                raise FormatError(f"a jigsaw of {len(layout)} cells, expected {self.size.rows * self.size.columns}")
            counts = {label: layout.count(label) for label in layout}
            full = range(max(self.size.rows, self.size.columns), len(self.size.digits) + 1)
            if len(counts) == 1:
                continue
            if sum(count not in full for count in counts.values()) > 1:
                raise FormatError("a jigsaw with regions of several sizes")
            labels = [label if counts[label] in full else None for label in layout]
            if box is None and len(layouts) == 1:
                yield from divided(self.size, labels)
                continue
            for wanted in dict.fromkeys(filter(None, labels)):
                places = tuple(self.size.position(cell) for cell, other in enumerate(labels) if other == wanted)
                yield Mark("extra-region", places)


def _group(rest: Sequence[str], columns: int) -> tuple[str, tuple[int, int]]:
    """The prefix of some variables, and how many they are in how many columns; those of the grid unless stated."""
    prefix, size = rest[0] if rest else "", GROUP_SIZE.fullmatch(rest[2]) if len(rest) > 2 else None
    if not VARIABLE.fullmatch(f"V{prefix}"):
        raise FormatError(f"Var has {prefix[:20]!r}, expected letters A-Z")
    if size is None:
        return prefix, (1, columns)
    return prefix, (int(size[1] or 1) * int(size[2]), int(size[2]) if size[1] else columns)


def variables(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    prefix, (many, _) = _group(rest, shape.size.columns)
    yield Mark("variable", value=prefix if many == 1 else f"{prefix} {many}")


Reader = Callable[[GridShape, str, list[str]], Iterable[Mark]]


def bits_of(text: str, where: str) -> list[int]:
    """Six bits a character, the least first."""
    if not set(text) <= set(CHARACTERS):
        raise FormatError(f"{where} has {text[:20]!r}, expected letters, digits, - and _")
    return [CHARACTERS.index(character) >> bit & 1 for character in text for bit in range(6)]


def named_groups(parts: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The names of cells of each group, which blank parts separate; `_NAME` before a group names it and later ones."""
    name, cells = "", list[str]()
    for part in [*parts, ""]:
        if part.startswith("_"):
            name = part[1:]
        elif part:
            cells.append(part)
        elif cells:
            yield name, cells
            cells = []


def _own(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    key = rest[0] if rest else ""
    value = "" if name == "NFA" else _value(name, key, shape.size)
    for called, names in named_groups(rest[1:]):
        lines = [list(run) for dash, run in groupby(names, lambda part: part == "-") if not dash]
        if len(lines) > 1 and name != "NFA":
            raise FormatError(f"{name} over several lines at once is not understood")
        value = _automaton(key, shape.size, [len(line) for line in lines]) if name == "NFA" else value
        cells = shape.cells([part for line in lines for part in line], name)
        whole = name in ("PairX", "BinaryX")
        if len(cells) > 1 or not name.startswith(("Pair", "Binary")):
            yield Mark(KINDS[name], cells if whole else (), () if whole else (cells,), value, name=called)


KINDS = {"Pair": "pair", "PairX": "pair-all", "Binary": "pair", "BinaryX": "pair-all"}
KINDS |= {"Regex": "regex", "NFA": "automaton"}
"""By the name of a constraint, the kind of its marks."""


def _value(name: str, key: str, size: Size) -> str:
    if name == "Regex":
        text = _decoded(key.rstrip("="), name).decode("latin-1") if re.fullmatch(r"[\w-]*=*", key) else key
        return re.sub(r"[A-Za-z]", lambda match: f"<{int(match.group(), 36)}>", "".join(text.split()))
    match = bits_of(key.translate(SWAPPED) if name.startswith("Binary") else key, name)
    rows: dict[int, list[str]] = {}
    for index, (first, second) in enumerate(product(size.digits, repeat=2)):
        if index < len(match) and match[index]:
            rows.setdefault(first, []).append(str(second))
    if not rows:
        raise FormatError(f"{name} allows no pair of {size.span}")
    return ALLOWED + "; ".join(f"{first}: {' '.join(seconds)}" for first, seconds in rows.items())


def _decoded(key: str, where: str) -> bytes:
    try:
        return base64.urlsafe_b64decode(key + "=" * (-len(key) % 4))
    except (binascii.Error, ValueError):
        raise FormatError(f"{where} has {key[:20]!r}, expected base64") from None


class _BitReader:
    """The bits of some bytes, the most significant first."""

    def __init__(self, data: bytes) -> None:
        self._value, self.left = int.from_bytes(data, "big"), 8 * len(data)

    def take(self, many: int) -> int:
        if many > self.left:
            raise FormatError("NFA ends too early")
        self.left -= many
        return self._value >> self.left & (1 << many) - 1


def _automaton(key: str, size: Size, lengths: Sequence[int]) -> str:
    """As the value of an automaton on one line, or on several of these lengths that follow one another. A head says how
    wide numbers are, how many states begin and accept; each state has its steps listed, or a set of symbols with one
    step each. One symbol more than there are values stands between lines."""
    bits = _BitReader(_decoded(key, "NFA"))
    form, state_bits, symbols = bits.take(2), bits.take(4) + 1, bits.take(4) + 1
    starts, more = bits.take(state_bits), bits.take(state_bits)
    accepted = bits.take(starts)
    accepting = [state for state in range(starts) if accepted >> state & 1] + [*range(starts, starts + more)]
    width = bits.take(4) if form == PLAIN else symbols
    if form not in (PLAIN, PACKED) or not starts:
        raise FormatError(f"NFA in form {form} with {starts} states to begin with is not understood")
    steps: dict[tuple[int, int], list[str]] = {}
    between: dict[int, list[int]] = {}
    state = 0
    while width and bits.left >= width and state < MAX_STATES:
        for symbol, target in _steps(bits, form, width, state_bits, (symbols - 1).bit_length()):
            if symbol < len(size.digits):
                steps.setdefault((state, target), []).append(f"<{size.digits[symbol]}>")
            else:
                between.setdefault(state, []).append(target)
        state += 1
    if len(lengths) > 1:
        return _over_lines(steps, between, range(starts), accepting, lengths)
    parts = [f"{first} {''.join(values)} {second}" for (first, second), values in steps.items()]
    parts += [f"begin {''.join(values)} {second}" for (first, second), values in steps.items() if first < starts]
    accepts = " ".join(map(str, accepting)) + " begin" * any(state < starts for state in accepting)
    return "; ".join(["start begin", f"accept {accepts}", *parts])


def _over_lines(
    steps: Mapping[tuple[int, int], list[str]],
    between: Mapping[int, list[int]],
    starts: Iterable[int],
    accepting: Sequence[int],
    lengths: Sequence[int],
) -> str:
    """The automaton with the number of cells that are read in each state, as what stands between lines is at its
    place."""
    ends, total = set(accumulate(lengths[:-1])), sum(lengths)
    parts, now = list[str](), dict.fromkeys(starts, "begin")
    for read in range(1, total + 1):
        following: dict[int, str] = {}
        for (first, second), values in steps.items():
            for target in between.get(second, []) if read in ends else [second]:
                if first in now:
                    following[target] = f"{target}/{read}"
                    parts.append(f"{now[first]} {''.join(values)} {following[target]}")
        if len(parts) > MAX_STEPS:
            raise FormatError(f"NFA over {total} cells of several lines: more than {MAX_STEPS:,} steps")
        now = following
    accepts = " ".join(now[state] for state in accepting if state in now) or "none"
    return "; ".join(["start begin", f"accept {accepts}", *parts])


def _steps(bits: _BitReader, form: int, width: int, state_bits: int, symbol_bits: int) -> Iterator[tuple[int, int]]:
    many = bits.take(width)
    if form == PLAIN:
        for _ in range(many):
            symbol = bits.take(symbol_bits)
            yield symbol, bits.take(state_bits)
    else:
        for symbol in range(width):
            if many >> symbol & 1:
                yield symbol, bits.take(state_bits)


def chaos(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    """The cell with the number, 1 if the first cell does not count, and the lines, `-` between them; without lines an
    arrow has all four directions, a count the cells around."""
    row, column = shape.cell(rest[0] if rest else "")
    offset = whole(rest[1] if rest[1:2] not in ([], [""]) else 0, name)
    rows, columns = range(1, shape.size.rows + 1), range(1, shape.size.columns + 1)
    groups = [
        tuple(map(shape.region_cell, group))
        for group in (list(run) for dash, run in groupby(rest[2:], lambda part: part == "-") if not dash)
    ]
    if not groups and name == "ChaosCount":
        around = tuple((row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0))
        groups = [((row, column), *(cell for cell in around if cell[0] in rows and cell[1] in columns))]
    elif not groups:
        ways = [(rows[row - 1 :: step], columns[column - 1 : column]) for step in (1, -1)]
        ways += [(rows[row - 1 : row], columns[column - 1 :: step]) for step in (1, -1)]
        groups = [tuple(product(down, right)) for down, right in ways]
    yield Mark(NAMES[name], ((row, column),), tuple(groups), offset or None)


def _connected(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    group, values, size = (*rest, "", "", "")[:3]
    digits = " ".join(str(whole(value, name)) for value in values.split("_"))
    stated = f"{digits}: {whole(size, name)}" if size else digits
    if group:
        cells, columns = shape.layer(group, name)
        yield Mark("connected-group", cells, value=f"{stated}{ROWS}{columns}")
    else:
        yield Mark("connected-values", value=stated)


def _ties(shape: GridShape, name: str, rest: list[str]) -> Iterator[Mark]:
    word = "~".join(rest)
    if word not in ("any", "none", "only-unclued", ""):
        raise FormatError(f"{name} has {word[:20]!r}, expected any, none or only-unclued")
    if word in ("any", "none"):
        yield Mark("full-rank-ties", value=word.upper())


READERS: dict[str, Reader] = {  # by the name of a constraint, what its arguments say
    **dict.fromkeys(KINDS, _own),
    "ConnectedValues": _connected,
    "Var": variables,
    "FullRankTies": _ties,
}
