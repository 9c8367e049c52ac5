"""`killer`: `3x3:d:k:` and 81 numbers, each 256 times the sum of its cage and the cage's number; or 81 characters, the
sum of a cage at one of its cells (A is 10, a is 36) and in the others arrows that lead there. `sumocue`: `SumoCueV1`
and 81 entries: `=5J0` is a cell of region 0 that holds 5, 0 where it is empty; a `D` behind the head adds diagonals.
Where entries join cages it is a killer: `=13J0` opens a cage of sum 13, `+4J0` joins that of cell 4, counted from 0."""

import re
from collections.abc import Mapping
from string import ascii_uppercase, digits

from satdoku.errors import FormatError, Refused
from satdoku.formats import Capabilities, Confidence, Detection, Format, Options, Reading, View
from satdoku.formats.cages import DIAGONALS, cage_by_cell, cages_of, has_diagonals, meaningful
from satdoku.formats.cells import first_field, one_line, only_line
from satdoku.formats.marks import board
from satdoku.formats.regions import divided, labels_of
from satdoku.puzzle import Mark, Puzzle, Size
from satdoku.variants.boxes import Box, box_of

KILLER = re.compile(r"(\d{1,2})x(\d{1,2}):([^:]*):k:(.*)")
STEP = 256
SIZE, CELLS = Size.of(9), 81
# The step down and the step to the right
ARROWS = {"^": (-1, 0), "v": (1, 0), "<": (0, -1), ">": (0, 1), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
SUMS = digits + ascii_uppercase + "abcdefghij"
SHORT = re.compile(r"(?=.*[\^<>])[0-9A-Za-j^<v>`',.]{81}")  # of the arrows these three are in no other line
SUMOCUE, BOTH = "SumoCueV1", "D"
ENTRY = re.compile(r"([=+])(\d{1,3})J(\d{1,2})")
HOLDS = Capabilities(marks=frozenset({"boxes", "cage", *DIAGONALS}), any_box=True)
REGIONS_OR_KILLER = "SumoCue: 9x9 with regions, or a killer"
SUMOCUE_HOLDS = Capabilities(marks=frozenset({"boxes", "region", "cage", *DIAGONALS}), sizes=(9, 9), any_box=True)
SUMOCUE_SIGN = Detection(
    lambda text: text.lstrip().startswith(SUMOCUE), f"the head {SUMOCUE}", "SumoCue", confidence=Confidence.CERTAIN
)


def read(text: str, options: Options) -> Reading:
    number, line = one_line(text, "killer")
    if SHORT.fullmatch(line.strip()):
        return _short(line, number, options)
    match = KILLER.fullmatch(line.strip())
    if not match:
        raise FormatError("expected RxC:[d]:k: and a number for each cell, or 81 sums and arrows", number, 1)
    box = Box(int(match[1]), int(match[2]))
    if options.box not in (None, box):
        raise FormatError(f"the text has boxes of {box}, not {options.box}", number, 1)
    if match[3] not in ("", "d"):
        raise FormatError(f"the flag {match[3][:20]!r} is not known, expected d or nothing", number, 1)
    words = match[4].rstrip(":").split(":")
    wrong = next((word for word in words if not (word.isascii() and word.isdigit() and len(word) < 9)), None)
    if wrong is not None or len(words) != box.size**2:
        what = f"{wrong[:20]!r} is not a number" if wrong is not None else f"{len(words)} numbers"
        raise FormatError(f"{what}: expected {box.size**2} of them, ended by colons", number, 1)
    sums: dict[int, int] = {}
    pairs = [divmod(int(word), STEP) for word in words]
    for total, cage in pairs:
        if total and sums.setdefault(cage, total) != total:
            raise FormatError(f"cage {cage} has the sums {sums[cage]} and {total}", number, 1)
    drawn = cages_of([cage if total else None for total, cage in pairs], sums, Size.of(box.size))
    diagonals = [Mark(kind) for kind in DIAGONALS] if match[3] else []
    built = board(box.size, (Mark("boxes", value=str(box)), *diagonals, *drawn))
    return Reading(Puzzle.from_givens(built, {}))


def _short(line: str, number: int, options: Options) -> Reading:
    text, begin = line.strip(), len(line) - len(line.lstrip()) + 1
    owners: list[int] = []
    for start in range(len(text)):
        cell, path = start, [start]
        while text[cell] in ARROWS:
            down, right = ARROWS[text[cell]]
            row, column = SIZE.position(cell)
            cell = SIZE.cell((row + down, column + right))
            if not SIZE.inside((row + down, column + right)) or cell in path:
                what = "leads round in a circle" if cell in path else "leads out of the grid"
                raise FormatError(f"the arrow {text[path[-1]]!r} {what}", number, begin + path[-1])
            path.append(cell)
        owners.append(cell)
    drawn = meaningful(cages_of(owners, {cell: SUMS.index(text[cell]) for cell in owners}, SIZE))
    box = options.box or Box(3, 3)
    return Reading(Puzzle.from_givens(board(SIZE, (Mark("boxes", value=str(box)), *drawn)), {}))


def fits(text: str) -> bool:
    return KILLER.fullmatch(first_field(text)) is not None or SHORT.fullmatch(only_line(text).strip()) is not None


def write(puzzle: Puzzle) -> str:
    board, box = puzzle.board, box_of(puzzle.board)
    if box is None or any(puzzle.givens):
        raise Refused("the killer format holds boards with boxes and no givens")
    flag = "d" * has_diagonals(board, "killer")
    by_cell = cage_by_cell(board, "killer")
    index = {cage: number for number, cage in enumerate(dict.fromkeys(by_cell.values()), 1)}
    if len(index) >= STEP or any(not cage.value for cage in index):
        raise Refused(f"the killer format holds up to {STEP - 1} cages, each with a sum")
    numbers = {cell: int(cage.value or 0) * STEP + index[cage] for cell, cage in by_cell.items()}
    return f"{box}:{flag}:k:" + "".join(f"{numbers.get(cell, 0)}:" for cell in range(board.cells))


def read_sumocue(text: str, options: Options) -> Reading:
    body = text.strip().removeprefix(SUMOCUE)
    diagonals = [Mark(kind) for kind in DIAGONALS] if body.startswith(BOTH) else []
    body = body.removeprefix(BOTH)
    entries = ENTRY.findall(body)
    rest = re.sub(r"\s", "", ENTRY.sub("", body))
    if rest:
        raise FormatError(f"{rest[:20]!r} is not an entry: expected =NUMBER J REGION or +CELL J REGION")
    if len(entries) != CELLS:
        raise FormatError(f"{len(entries)} entries after {SUMOCUE}, expected {CELLS}")
    marks = (*divided(SIZE, [int(region) for _, _, region in entries], options.box), *diagonals)
    killer = any(sign == "+" for sign, _, _ in entries)
    numbers = [(sign, int(number)) for sign, number, _ in entries]
    if killer:
        return Reading(Puzzle.from_givens(board(SIZE, (*marks, *_cages(numbers))), {}))
    above = next((cell for cell, (_, value) in enumerate(numbers) if value > SIZE.rows), None)
    built = board(SIZE, marks)
    if above is not None:
        raise FormatError(f"{numbers[above][1]} at {built.label(above)} is above 9, and no entry joins a cage")
    return Reading(Puzzle.from_givens(built, [value for _, value in numbers]))


def write_sumocue(puzzle: Puzzle) -> str:
    labels = labels_of(puzzle.board, "sumocue")
    cages = cage_by_cell(puzzle.board, "sumocue")
    if None in labels:
        raise Refused("the sumocue format holds boards in which every cell has a region")
    entries = _joined(puzzle, cages) if cages else [f"={value}" for value in puzzle.givens]
    order = {label: index for index, label in enumerate(dict.fromkeys(labels))}
    head = SUMOCUE + BOTH * has_diagonals(puzzle.board, "sumocue")
    return head + "".join(f"{entry}J{order[label]}" for entry, label in zip(entries, labels, strict=True))


def _cages(numbers: list[tuple[str, int]]) -> list[Mark]:
    owners: list[int] = []
    for cell, (sign, number) in enumerate(numbers):
        first = cell if sign == "=" else number
        if first not in owners and first != cell:
            raise FormatError(f"entry {cell + 1} joins the cage of cell {first}, which opens none before it")
        owners.append(first)
    return cages_of(owners, {cell: number for cell, (_, number) in enumerate(numbers)}, SIZE)


def _joined(puzzle: Puzzle, cages: Mapping[int, Mark]) -> list[str]:
    if any(puzzle.givens):
        raise Refused("the sumocue format cannot hold givens beside cages")
    bare = next((cell for cell in range(CELLS) if cell not in cages), None)
    if bare is not None:
        raise Refused(f"the sumocue format needs a cage at {puzzle.board.label(bare)}")
    firsts = [min(map(SIZE.cell, cages[cell].cells)) for cell in range(CELLS)]
    if firsts == [*range(CELLS)]:
        raise Refused("the sumocue format takes cages of one cell alone for givens")
    return [f"={cages[cell].value or 0}" if cell == first else f"+{first}" for cell, first in enumerate(firsts)]


SIGN = Detection(
    fits,
    "the head RxC:[d]:k:, or 81 sums and arrows",
    r"[0-9A-Za-j^<v>`',.]{20,60}[\^<>][0-9A-Za-j^<v>`',.]*\s*$",
    confidence=Confidence.CERTAIN,
    view=View.ALL,
)
FORMATS = (
    Format("killer", "a killer on one line: box, flags, sums and cages", read, write, HOLDS, SIGN, one_line=True),
    Format("sumocue", REGIONS_OR_KILLER, read_sumocue, write_sumocue, SUMOCUE_HOLDS, SUMOCUE_SIGN),
)
