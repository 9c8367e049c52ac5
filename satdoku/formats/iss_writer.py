"""Puzzles as constraint strings of the Interactive Sudoku Solver, and the names that both ways share."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from satdoku.errors import Refused
from satdoku.formats.marks import in_sight
from satdoku.formats.regions import labels_of
from satdoku.puzzle import Mark, Position, Puzzle, Size, members
from satdoku.variants import FREE, REGIONS, Kind, Shape, kinds
from satdoku.variants.boxes import Box, box_of
from satdoku.variants.places import LAYER_CELL, name_of
from satdoku.variants.variables import names, values_of

Writer = Callable[[Mark, Size], str | None]
DIGITS = "0123456789abcdefg"  # of rows and columns
LACKED = {"ROW": "DGC", "COL": "DGR", "BOX": "DGB"}  # what rows lack stands in a column beside the grid
NUMBERS = re.compile(r"\d+(?: \d+)*")
CONNECTED = re.compile(r"(\d+(?: \d+)*)(?:: ?(\d+))?")
WEIGHTED = re.compile(r"(-?\d{1,2}(?: -?\d{1,2})*): = (-?\d+)")
SUDOKU = frozenset({"XSum", "Sandwich", "Skyscraper", "HiddenSkyscraper", "NumberedRoom", "FullRank", "FullRankTies"})
SUDOKU |= {"LittleKiller", "ChaosConstruction", "RegionSameValues", "Windoku", "DisjointSets", "AntiKnight", "AntiKing"}
SUDOKU |= {"Doppelganger", "Diagonal", "Indexing"}
"""What the solver takes only on boards whose rows and columns hold no value twice."""
# What the solver takes: values from 0 or 1, and these constraints only with the values named
FIRST_VALUES = (0, 1)
NINE = {name: frozenset({range(1, 10)}) for name in ("Entropic", "GlobalEntropy")}
NINE["GlobalMod"] = frozenset({range(1, 10), range(9)})
NAMES = {"Thermo": "thermometer", "Renban": "renban", "Entropic": "entropic", "RegionSumLine": "region-sum"}
NAMES |= {"Between": "between", "Palindrome": "palindrome", "Zipper": "zipper", "DoubleArrow": "double-arrow"}
NAMES |= {"ValueIndexing": "value-index", "Whisper": "whispers", "Modular": "modular-by", "Lockout": "lockout"}
NAMES |= {"SumLine": "sum-line", "AllDifferent": "extra-region", "EqualityCage": "equality-cage"}
NAMES |= {"CountingCircles": "counting-circles", "CountDistinct": "count-distinct", "Cage": "cage"}
NAMES |= {"RellikCage": "rellik", "Lunchbox": "lunchbox", "LookAndSay": "look-and-say", "Sum": "sum"}
NAMES |= {"ContainExact": "contain-exact", "ContainAtLeast": "quadruple", "XSum": "x-sum", "Sandwich": "sandwich"}
NAMES |= {"Skyscraper": "skyscraper", "HiddenSkyscraper": "hidden-skyscraper", "FullRank": "full-rank"}
NAMES |= {"NumberedRoom": "numbered-room", "ChaosArrow": "chaos-arrow", "ChaosCount": "chaos-count"}
"""The kinds of constraints whose arguments follow from the shape of the kind."""

STATED = {"AntiKnight": "anti-knight", "AntiKing": "anti-king", "AntiTaxicab": "anti-taxicab"}
STATED |= {"AntiConsecutive": "nonconsecutive", "Windoku": "windoku", "DisjointSets": "disjoint-groups"}
STATED |= {"GlobalEntropy": "global-entropy", "GlobalMod": "global-mod", "DutchFlatmates": "flatmates"}
STATED |= {"StrictXV": "negative-xv", "StrictKropki": "negative-difference 1, negative-ratio"}
STATED |= {"ChaosConstruction": "chaos-construction", "Doppelganger": "doppelganger"}
STATED |= {"RegionSameValues": "region-same-values", "FullRankTies~any": "full-rank-ties ANY"}
STATED |= {"FullRankTies~none": "full-rank-ties NONE", "Diagonal~1": "diagonal+", "Diagonal~-1": "diagonal-"}
"""Rules of the whole board, as TOML has them."""

RULES = {
    name: tuple(
        Mark(kind, value=value or None) for kind, _, value in (rule.partition(" ") for rule in text.split(", "))
    )
    for name, text in STATED.items()
}
PAIRS: dict[str, tuple[str, int | str | None]] = {"WhiteDot": ("difference", 1), "BlackDot": ("ratio", 2)}
PAIRS |= {"X": ("xv", "X"), "V": ("xv", "V"), "GreaterThan": ("greater-than", None)}


def usual_value(kind: Kind) -> int | None:
    """The value that is meant where a constraint states none."""
    assert kind.value is not None
    return 5 if kind.name == "modular-by" else kind.value.default


def killer_diagonal(cell: Position, size: Size) -> tuple[Position, ...]:
    """The diagonal that a little killer of this cell adds up, from the cell on; () if it has none. Down and right from
    the left edge, down and left from the top, up and left from the right, up and right from below."""
    row, column = cell
    steps = {
        (1, 1): column == 1 and row < size.rows,
        (-1, -1): column == size.columns and 1 < row < size.rows,
        (1, -1): row == 1 and column > 1,
        (-1, 1): row == size.rows and 1 < column < size.columns,
    }
    step = next((step for step, fits in steps.items() if fits), None)
    diagonal = in_sight(cell, step, size) if step is not None else ()
    return diagonal if len(diagonal) > 1 else ()


def write(puzzle: Puzzle) -> str:
    board = puzzle.board
    size = board.size
    if max(size.rows, size.columns) >= len(DIGITS):
        raise Refused(f"the iss format holds boards of up to {len(DIGITS) - 1} rows and columns")
    if size.digits[0] not in FIRST_VALUES:
        raise Refused(f"the iss format holds values from 0 or 1, and this board has {size.span}")
    free = any(mark.kind == FREE for mark in board.marks)
    span = "" if size.digits == Size.of(size.rows, size.columns).digits else size.range_text
    shape = "~".join(part for part in (f".Shape~{size.shape}", span, "Raw" * free) if part or free).rstrip("~")
    parts = [shape] if shape != ".Shape~9x9" else []
    parts += [] if free else _division(puzzle)
    left = [mark for mark in board.marks if mark.kind != FREE and (free or mark.kind not in REGIONS)]
    for name, marks in RULES.items():
        if all(mark in left for mark in marks):
            _refuse_values(name, marks[0], size)
            parts.append(f".{name}")
            left = [mark for mark in left if mark not in marks]
    for mark in left:
        text = WRITERS.get(mark.kind, _by_shape)(mark, size)
        if text is None:
            raise Refused(f"the iss format cannot hold the rule {mark.kind!r}")
        parts.append(f".{text}")
    needing = next((part[1:] for part in parts if free and part[1:].partition("~")[0] in SUDOKU), None)
    if needing is not None:
        raise Refused(f"the iss format holds {needing} only where rows and columns repeat no value")
    stated = [
        f"{_name(size.position(cell))}_{'_'.join(board.texts(members(allowed)))}"
        for cell, allowed in enumerate(puzzle.candidates)
        if allowed != board.every_value
    ]
    return "".join(parts) + (".~" + "~".join(stated) if stated else "" if parts else ".Shape~9x9")


def _refuse_values(name: str, mark: Mark, size: Size) -> None:
    if name in NINE and size.digits not in NINE[name]:
        spans = " or ".join(sorted((f"{values[0]}..{values[-1]}" for values in NINE[name]), reverse=True))
        raise Refused(f"the iss format holds the rule {mark.kind!r} only with the values {spans}, not {size.span}")


def _division(puzzle: Puzzle) -> Iterator[str]:
    board, box = puzzle.board, box_of(puzzle.board)
    usual = max(board.size.rows, board.size.columns)
    sizes = {len(mark.cells) for mark in board.marks if mark.kind == "region"} | ({box.size} if box else set())
    if len(sizes) > 1 or (sizes and box is None and min(sizes) < usual):
        raise Refused(f"the iss format holds regions of one size from {usual} cells, and this board has others")
    many = max(sizes, default=usual)
    own = Box.of_size(board.size, many)
    if many != usual:
        yield f".RegionSize~{many}"
    if own is not None and own != box:
        yield ".NoBoxes"
    if sizes and (box is None or own != box):
        labels = labels_of(board, "iss")
        yield ".Jigsaw~" + "".join("0" if label is None else "123456789ABCDEFGH"[label] for label in labels)


def _name(place: Position) -> str:
    name = name_of(place)
    if name is None:
        return f"R{DIGITS[place[0]]}C{DIGITS[place[1]]}"
    letters = name.rstrip("0123456789")
    return LACKED[letters] + name[len(letters) :] if letters in LACKED else f"V{name}"


def _names(cells: tuple[Position, ...], size: Size) -> str:
    inside = [LAYER_CELL.fullmatch(name_of(cell) or "") for cell in cells]
    return "~".join(
        _region((int(layer[1]), int(layer[2])), size) if layer else _name(cell)
        for cell, layer in zip(cells, inside, strict=True)
    )


def _region(place: Position, size: Size) -> str:
    return f"CC{size.cell(place) + 1}"


def _pair(mark: Mark, size: Size) -> str | None:
    stated = [name for name, (kind, value) in PAIRS.items() if kind == mark.kind and mark.value in (value, None)]
    usual = stated and (mark.value is not None or mark.kind != "xv")
    # Of more than two cells the solver compares each two that share an edge, not each with the next.
    pairs = list(pairwise(mark.cells))
    beside = all(abs(row - below) + abs(column - right) == 1 for (row, column), (below, right) in pairs)
    return ".".join(f"{stated[0]}~{_names(pair, size)}" for pair in pairs) if usual and beside else None


def _by_shape(mark: Mark, size: Size) -> str | None:
    name, kind = next((name for name, kind in NAMES.items() if kind == mark.kind), None), kinds()[mark.kind]
    if name is None:
        return None
    _refuse_values(name, mark, size)
    if kind.shape is Shape.CLUE:
        return _clue(name, mark, size)
    if kind.shape is Shape.ARROW:
        lines = "~-~".join("~".join(_region(cell, size) for cell in line) for line in mark.lines)
        return f"{name}~{_names(mark.cells, size)}~{mark.value or 0}~{lines}"
    cells = _names(mark.lines[0] if kind.shape is Shape.LINE else mark.cells, size)
    if name == "SumLine" and len(mark.lines[0]) > 2 and mark.lines[0][0] == mark.lines[0][-1]:
        cells = f"{_names(mark.lines[0][:-1], size)}~LOOP"
    if kind.value is None:
        return f"{name}~{cells}"
    value = str((usual_value(kind) or 0) if mark.value is None else mark.value)
    return None if kind.value.text and not value.isdigit() else f"{name}~{value.replace(' ', '_')}~{cells}"


def _clue(name: str, mark: Mark, size: Size) -> str:
    row, column = mark.cells[0]
    line = f"C{DIGITS[column]}" if row in (0, size.rows + 1) else f"R{DIGITS[row]}"
    if name == "Sandwich":
        return f"{name}~{mark.value}~{line}"
    return f"{name}~{line}~{mark.value}~" if 0 in (row, column) else f"{name}~{line}~~{mark.value}"


def _arrow(mark: Mark, size: Size) -> str | None:
    if len(mark.lines) != 1 or len(mark.cells) > 3 or mark.cells != tuple(sorted(mark.cells)):
        return None
    name = f"PillArrow~{len(mark.cells)}" if len(mark.cells) > 1 else "Arrow"
    return f"{name}~{_names(mark.cells + mark.lines[0], size)}"


def _little_killer(mark: Mark, size: Size) -> str | None:
    ends = (mark.lines[0], mark.lines[0][::-1])
    line = next((line for line in ends if line and killer_diagonal(line[0], size) == line), None)
    return f"LittleKiller~{mark.value}~{_names(line[:1], size)}" if line else None


def _same_region(mark: Mark, size: Size) -> str | None:
    return f"SameValues~{len(mark.cells)}~{'~'.join(_region(place, size) for place in mark.cells)}"


def _groups(mark: Mark, size: Size) -> str | None:
    if mark.kind == "equal-sum":
        return f"EqualSum~{'~-~'.join(_names(line, size) for line in mark.lines)}"
    if len(mark.lines) < 2:
        return None
    return f"SameValues~{len(mark.lines)}~{'~'.join(_names(line, size) for line in mark.lines)}"


def _variable(mark: Mark, size: Size) -> str | None:
    """The variables, and the values of each where they are not those of the board."""
    text = str(mark.value)
    if names(text)[0].rstrip("0123456789") in LACKED:
        return None
    declared, every = names(text), values_of(size, text)
    if every & ~size.candidates(size.digits):
        raise Refused(f"the iss format holds variables of {size.span}, and {declared[0]} may have others")
    letters = declared[0].rstrip("0123456789")
    item = f"Var~{letters}~~{len(declared)}" if len(declared) > 1 else f"Var~{letters}"
    if every == size.candidates(size.digits):
        return item
    shown = "_".join(str(value + size.digits[0] - 1) for value in members(every))
    return f"{item}.~" + "~".join(f"V{name}_{shown}" for name in declared)


def _sum(mark: Mark, size: Size) -> str | None:
    text = str(mark.value)
    if len(mark.cells) == 1 and NUMBERS.fullmatch(text):
        return f"~{_names(mark.cells, size)}_{text.replace(' ', '_')}"
    weighted = WEIGHTED.fullmatch(text)
    if weighted is None:
        return _by_shape(mark, size)
    return f"Sum~{weighted[2]}_=_{weighted[1].replace(' ', '_')}~{_names(mark.cells, size)}"


def _connected_values(mark: Mark, size: Size) -> str | None:
    stated = CONNECTED.fullmatch(str(mark.value))
    return f"ConnectedValues~~{'_'.join(stated[1].split())}{f'~{stated[2]}' if stated[2] else ''}" if stated else None


WRITERS: dict[str, Writer] = {  # by the kind of a mark, its item without the point; None where there is none
    **dict.fromkeys((kind for kind, _ in PAIRS.values()), _pair),
    "modular": lambda mark, size: f"Modular~3~{_names(mark.lines[0], size)}",
    "row-indexer": lambda mark, size: f"Indexing~R~{_names(mark.cells, size)}",
    "column-indexer": lambda mark, size: f"Indexing~C~{_names(mark.cells, size)}",
    "variable": _variable,
    "connected-values": _connected_values,
    "sum": _sum,
    "arrow": _arrow,
    "little-killer": _little_killer,
    "same-region": _same_region,
    "same-values": _groups,
    "equal-sum": _groups,
}
