"""How a grid is divided: boxes or regions as one label a cell, as lines drawn for terminals, and back. A division that
happens to be boxes of one shape is read as those boxes, so that it is the same puzzle whichever way it was written."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product

from satdoku.errors import FormatError, Refused
from satdoku.formats.cells import Token
from satdoku.puzzle import MAX_VALUES, Board, Mark, Size
from satdoku.variants.boxes import Box, box_of

Label = int | str
# Of each wall the cell above it or to its left, as number, and 0 or 1: below that cell, or to its right
Walls = set[tuple[int, int]]
TILES = range(4, MAX_VALUES + 1)  # cells that a box may have
OUTSIDE = -1  # in place of the region of what is not a cell
WIDTH = 80  # columns of a terminal; a grid that fits in them only without margins gets none
JUNCTIONS = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"  # by the lines that meet: 1 from above, 2 from below, 4 from the left, 8 from the right
ASCII = str.maketrans(JUNCTIONS[1:], "".join({"─": "-", "│": "|"}.get(c, "+") for c in JUNCTIONS[1:]))


def box_labels(box: Box, size: Size) -> list[int]:
    stacks = size.columns // box.columns
    cells = product(range(size.rows), range(size.columns))
    return [row // box.rows * stacks + column // box.columns for row, column in cells]


def divided(size: Size, labels: Sequence[Label | None], box: Box | None = None) -> tuple[Mark, ...]:
    """The marks of a division: regions in the order of their labels, None for cells in no region.

    box: what the user asked for, which must be what is drawn.

    Raises FormatError if that is something else.
    """
    regions: dict[Label, list[int]] = {}
    for cell, name in enumerate(labels):
        if name is not None:
            regions.setdefault(name, []).append(cell)
    sides = product(*([n for n in range(2, side + 1) if side % n == 0] for side in (size.rows, size.columns)))
    boxes = [Box(*two) for two in sides if two[0] * two[1] in ({size.rows} if size.square else TILES)]  # that tile it
    drawn = next((shape for shape in boxes if _same(regions, labels, size, shape)), None)
    if box is not None and box != drawn:
        raise FormatError(f"the text draws regions that are not boxes of {box}: leave out the box")
    if drawn is not None:
        return (Mark("boxes", value=str(drawn)),)
    ordered = sorted(regions, key=lambda name: (isinstance(name, str), name))
    return tuple(Mark("region", tuple(map(size.position, regions[name]))) for name in ordered)


def labels_of(board: Board, format: str) -> list[int | None]:
    """The number of the box or the region of each cell, None for cells in none; raises Refused for a cell in two."""
    box = box_of(board)
    regions = [mark.cells for mark in board.marks if mark.kind == "region"]
    named = list(enumerate(box_labels(box, board.size))) if box else []
    named += [(board.size.cell(position), number) for number, cells in enumerate(regions) for position in cells]
    labels: list[int | None] = [None] * board.cells
    for cell, name in named:
        if labels[cell] is not None:
            raise Refused(f"the {format} format cannot hold two regions over {board.label(cell)}")
        labels[cell] = name
    return labels


def _same(regions: dict[Label, list[int]], labels: Sequence[Label | None], size: Size, box: Box) -> bool:
    numbers = box_labels(box, size)
    count = max(numbers) + 1
    return len(regions) == count and None not in labels and len(set(zip(numbers, labels, strict=True))) == count


def ruled(cells: Sequence[str], columns: int, box: Box | None, bar: str = " | ", corner: str = "-+-") -> list[str]:
    """Rows of texts of one width, with bars and rules between boxes."""
    across, down = (box.columns, box.rows) if box else (columns, len(cells))
    rows: list[str] = []
    for start in range(0, len(cells), columns):
        row = cells[start : start + columns]
        segments = [" ".join(row[left : left + across]) for left in range(0, columns, across)]
        if start and start // columns % down == 0:
            rows.append(corner.join("-" * len(segment) for segment in segments))
        rows.append(bar.join(segments))
    return rows


def boxed(texts: Sequence[str], columns: int, regions: Sequence[int | None]) -> str:
    """Rows of right-aligned texts, lines between cells of different regions and around all.

    texts, regions: one a cell, row by row. What `grid` and `--block` read as the same grid.
    """
    width = max(map(len, texts), default=1)
    return blocks([(text.rjust(width),) for text in texts], columns, regions)


def blocks(cells: Sequence[Sequence[str]], columns: int, regions: Sequence[int | None]) -> str:
    """The same for cells that are blocks of text, all of one size; blocks of several lines have one between them."""
    rows = -(-len(cells) // columns)
    width, tall = len(cells[0][0]), len(cells[0]) > 1

    def region(row: int, column: int) -> int | None:
        inside = 0 <= row < rows and 0 <= column < columns and row * columns + column < len(cells)
        number = regions[row * columns + column] if inside else OUTSIDE
        return None if number == OUTSIDE else 0 if number is None else number + 1

    across = [any(region(row, c - 1) != region(row, c) for row in range(rows)) for c in range(columns + 1)]
    down = [any(region(r - 1, column) != region(r, column) for column in range(columns)) for r in range(rows + 1)]
    wide = columns * width + sum(3 if walled else 1 for walled in across) - 2
    pad = 1 if wide <= WIDTH else 0

    def gap(column: int, left: str, middle: str, right: str) -> str:
        if not across[column]:
            return left
        return left * pad * (column > 0) + middle + right * pad * (column < columns)

    def rule(row: int) -> str:
        walls = [" ", *("─" if region(row - 1, c) != region(row, c) else " " for c in range(columns)), " "]
        parts = []
        for column in range(columns + 1):
            left, right = walls[column], walls[column + 1]
            above = region(row - 1, column - 1) != region(row - 1, column)
            below = region(row, column - 1) != region(row, column)
            junction = JUNCTIONS[above + 2 * below + 4 * (left == "─") + 8 * (right == "─")]
            parts.append(gap(column, left, junction, right) + right * width * (column < columns))
        return "".join(parts)

    def line(row: int, index: int | None) -> str:
        parts = []
        for column in range(columns + 1):
            wall = "│" if region(row, column - 1) != region(row, column) else " "
            parts.append(gap(column, " ", wall, " "))
            if column < columns:
                empty = index is None or region(row, column) is None
                parts.append(" " * width if empty else cells[row * columns + column][index or 0])
        return "".join(parts)

    drawn = []
    for row in range(rows):
        drawn += [rule(row)] if down[row] else [line(row, None)] * tall
        drawn += [line(row, index) for index in range(len(cells[0]))]
    return "\n".join(text.rstrip() for text in [*drawn, rule(rows)])


def enclosed(tokens: Sequence[Token], size: Size, lines: Mapping[int, str]) -> list[int] | None:
    """The region of each cell, from the bars and rules between them; None unless each has as many cells as the longer
    side of the board.

    lines: by their numbers, with `|` and `-` for what is drawn
    """
    region = flooded(size, lambda cell, beside: _separated(tokens, cell, beside, lines))
    counts = Counter(region).values()
    return region if set(counts) == {max(size.rows, size.columns)} else None


def flooded(size: Size, apart: Callable[[int, int], bool]) -> list[int]:
    region = [0] * (size.rows * size.columns)
    count = 0
    for start in range(len(region)):
        count += not region[start]
        todo = [start] if not region[start] else []
        while todo:
            cell = todo.pop()
            if not region[cell]:
                region[cell] = count
                todo += [other for other in _beside(cell, size.rows, size.columns) if not apart(cell, other)]
    return region


def walled(size: Size, walls: Walls) -> list[int]:
    """The region of each cell between walls, from 1."""
    return flooded(size, lambda cell, beside: (min(cell, beside), int(abs(cell - beside) == 1)) in walls)


def _beside(cell: int, rows: int, columns: int) -> list[int]:
    row, column = divmod(cell, columns)
    steps = ((-1, 0), (1, 0), (0, -1), (0, 1))
    return [(row + r) * columns + column + c for r, c in steps if 0 <= row + r < rows and 0 <= column + c < columns]


def _separated(tokens: Sequence[Token], cell: int, beside: int, lines: Mapping[int, str]) -> bool:
    (text, line, column), (_, other, after) = tokens[min(cell, beside)], tokens[max(cell, beside)]
    if line == other:
        return "|" in lines[line][column - 1 + len(text) - 1 : after - 1]
    end = column + len(text) - 2
    between = (lines.get(number, "") for number in range(line + 1, other))
    return any(drawn[end : end + 1] in ("-", "=") for drawn in between if drawn)
