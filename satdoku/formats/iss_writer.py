"""Puzzles as constraint strings of the Interactive Sudoku Solver, and the names that both ways share."""

from collections.abc import Callable, Iterator

from satdoku.errors import Refused
from satdoku.formats.regions import labels_of
from satdoku.puzzle import Mark, Position, Puzzle, Size, members
from satdoku.variants import REGIONS
from satdoku.variants.boxes import Box, box_of

Writer = Callable[[Mark, Size], str | None]
DIGITS = "0123456789abcdefg"  # of rows and columns
LINES = {"Thermo": "thermometer", "Renban": "renban", "Entropic": "entropic", "RegionSumLine": "region-sum"}
LINES |= {"Between": "between", "Palindrome": "palindrome", "Zipper": "zipper", "DoubleArrow": "double-arrow"}
LINES |= {"ValueIndexing": "value-index"}
VALUED_LINES = {"Whisper": ("whispers", 5), "Modular": ("modular-by", 5), "Lockout": ("lockout", 4)}
VALUED_LINES |= {"SumLine": ("sum-line", 10)}
"""With the value that is meant where none is stated."""

CELLS = {"AllDifferent": "extra-region", "EqualityCage": "equality-cage", "CountingCircles": "counting-circles"}
CELLS |= {"CountDistinct": "count-distinct"}
VALUED_CELLS = {"Cage": "cage", "RellikCage": "rellik", "Lunchbox": "lunchbox", "LookAndSay": "look-and-say"}
VALUED_CELLS |= {"ContainExact": "contain-exact", "ContainAtLeast": "quadruple", "Sum": "sum"}
RULES: dict[str, tuple[Mark, ...]] = {
    "AntiKnight": (Mark("anti-knight"),),
    "AntiKing": (Mark("anti-king"),),
    "AntiTaxicab": (Mark("anti-taxicab"),),
    "AntiConsecutive": (Mark("nonconsecutive"),),
    "Windoku": (Mark("windoku"),),
    "DisjointSets": (Mark("disjoint-groups"),),
    "GlobalEntropy": (Mark("global-entropy"),),
    "GlobalMod": (Mark("global-mod"),),
    "DutchFlatmates": (Mark("flatmates"),),
    "StrictXV": (Mark("negative-xv"),),
    "StrictKropki": (Mark("negative-difference", value="1"), Mark("negative-ratio")),
    "ChaosConstruction": (Mark("chaos-construction"),),
    "Doppelganger": (Mark("doppelganger"),),
    "RegionSameValues": (Mark("region-same-values"),),
    "FullRankTies~any": (Mark("full-rank-ties", value="ANY"),),
    "FullRankTies~none": (Mark("full-rank-ties", value="NONE"),),
    "Diagonal~1": (Mark("diagonal+"),),
    "Diagonal~-1": (Mark("diagonal-"),),
}
PAIRS: dict[str, tuple[str, int | str | None]] = {"WhiteDot": ("difference", 1), "BlackDot": ("ratio", 2)}
PAIRS |= {"X": ("xv", "X"), "V": ("xv", "V"), "GreaterThan": ("greater-than", None)}
CLUES = {"XSum": "x-sum", "Skyscraper": "skyscraper", "HiddenSkyscraper": "hidden-skyscraper"}
CLUES |= {"FullRank": "full-rank"}
CHAOS = {"ChaosArrow": "chaos-arrow", "ChaosCount": "chaos-count"}
CLUES |= {"NumberedRoom": "numbered-room", "Sandwich": "sandwich"}


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
    if step is None:
        return ()
    found = []
    while size.inside((row, column)):
        found.append((row, column))
        row, column = row + step[0], column + step[1]
    return tuple(found) if len(found) > 1 else ()


def write(puzzle: Puzzle) -> str:
    board = puzzle.board
    size = board.size
    if max(size.rows, size.columns) >= len(DIGITS):
        raise Refused(f"the iss format holds boards of up to {len(DIGITS) - 1} rows and columns")
    parts = [f".Shape~{size.shape}"] if (size.rows, size.columns, size.values) != (9, 9, range(1, 10)) else []
    if parts and size.values != Size.of(size.rows, size.columns).values:
        parts = [f"{parts[0]}~{size.range_text}"]
    parts += _division(puzzle)
    left = [mark for mark in board.marks if mark.kind not in REGIONS]
    for name, marks in RULES.items():
        if all(mark in left for mark in marks):
            parts.append(f".{name}")
            left = [mark for mark in left if mark not in marks]
    for mark in left:
        writer = WRITERS.get(mark.kind)
        text = writer(mark, size) if writer is not None else None
        if text is None:
            raise Refused(f"the iss format cannot hold the rule {mark.kind!r}")
        parts.append(f".{text}")
    stated = [
        f"{_name(divmod(cell, size.columns))}_{'_'.join(board.texts(members(allowed)))}"
        for cell, allowed in enumerate(puzzle.candidates)
        if allowed != board.every_value
    ]
    return "".join(parts) + (".~" + "~".join(stated) if stated else "" if parts else ".Shape~9x9")


def _division(puzzle: Puzzle) -> Iterator[str]:
    board, box = puzzle.board, box_of(puzzle.board)
    if box is not None and box != Box.of_size(board.size):
        yield ".NoBoxes"
    elif box is None:
        yield ".NoBoxes" if Box.of_size(board.size) else ""
    if any(mark.kind in REGIONS for mark in board.marks) and (box is None or box != Box.of_size(board.size)):
        labels = labels_of(board, "iss")
        yield ".Jigsaw~" + "".join("0" if label is None else "123456789ABCDEFGH"[label] for label in labels)


def _name(place: tuple[int, int]) -> str:
    return f"R{DIGITS[place[0] + 1]}C{DIGITS[place[1] + 1]}"


def _names(cells: tuple[Position, ...]) -> str:
    return "~".join(_name((row - 1, column - 1)) for row, column in cells)


def _pair(mark: Mark, size: Size) -> str | None:
    stated = [name for name, (kind, value) in PAIRS.items() if kind == mark.kind and mark.value in (value, None)]
    usual = stated and (mark.value is not None or mark.kind != "xv")
    return f"{stated[0]}~{_names(mark.cells)}" if usual else None


def _valued(mark: Mark, size: Size) -> str | None:
    value = "0" if mark.value is None else str(mark.value)
    if mark.kind in ("sum", "look-and-say") and not value.isdigit():
        return None
    name = next(name for name, kind in VALUED_CELLS.items() if kind == mark.kind)
    return f"{name}~{value.replace(' ', '_')}~{_names(mark.cells)}"


def _arrow(mark: Mark, size: Size) -> str | None:
    if len(mark.lines) != 1 or len(mark.cells) > 3 or mark.cells != tuple(sorted(mark.cells)):
        return None
    name = f"PillArrow~{len(mark.cells)}" if len(mark.cells) > 1 else "Arrow"
    return f"{name}~{_names(mark.cells + mark.lines[0])}"


def _little_killer(mark: Mark, size: Size) -> str | None:
    ends = (mark.lines[0], mark.lines[0][::-1])
    line = next((line for line in ends if line and killer_diagonal(line[0], size) == line), None)
    return f"LittleKiller~{mark.value}~{_names(line[:1])}" if line else None


def _clue(mark: Mark, size: Size) -> str | None:
    name = next(name for name, kind in CLUES.items() if kind == mark.kind)
    row, column = mark.cells[0]
    line = f"C{DIGITS[column]}" if row in (0, size.rows + 1) else f"R{DIGITS[row]}"
    if name == "Sandwich":
        return f"{name}~{mark.value}~{line}"
    return f"{name}~{line}~{mark.value}~" if 0 in (row, column) else f"{name}~{line}~~{mark.value}"


def _chaos(mark: Mark, size: Size) -> str | None:
    name = next(name for name, kind in CHAOS.items() if kind == mark.kind)
    return f"{name}~{_names(mark.cells)}~{mark.value or 0}~{'~-~'.join(map(_names, mark.lines))}"


def _same_region(mark: Mark, size: Size) -> str | None:
    names = (f"CC{size.cell(position) + 1}" for position in mark.cells)
    return f"SameValues~{len(mark.cells)}~{'~'.join(names)}"


def _groups(mark: Mark, size: Size) -> str | None:
    if mark.kind == "equal-sum":
        return f"EqualSum~{'~-~'.join(map(_names, mark.lines))}"
    return f"SameValues~{len(mark.lines)}~{'~'.join(map(_names, mark.lines))}"


def _line(name: str) -> Writer:
    return lambda mark, size: f"{name}~{_names(mark.lines[0])}"


def _valued_line(name: str, usual: int) -> Writer:
    return lambda mark, size: f"{name}~{usual if mark.value is None else mark.value}~{_names(mark.lines[0])}"


def _set(name: str) -> Writer:
    return lambda mark, size: f"{name}~{_names(mark.cells)}"


WRITERS: dict[str, Writer] = {  # by the kind of a mark, its item without the point; None where it cannot be said
    **{kind: _line(name) for name, kind in LINES.items()},
    **{kind: _valued_line(name, usual) for name, (kind, usual) in VALUED_LINES.items()},
    **{kind: _set(name) for name, kind in CELLS.items()},
    **dict.fromkeys(VALUED_CELLS.values(), _valued),
    **dict.fromkeys((kind for kind, _ in PAIRS.values()), _pair),
    **dict.fromkeys(CLUES.values(), _clue),
    "modular": lambda mark, size: f"Modular~3~{_names(mark.lines[0])}",
    "row-indexer": _set("Indexing~R"),
    "column-indexer": _set("Indexing~C"),
    "arrow": _arrow,
    "little-killer": _little_killer,
    **dict.fromkeys(CHAOS.values(), _chaos),
    "same-region": _same_region,
    "same-values": _groups,
    "equal-sum": _groups,
}
