"""`sumocue`: `SumoCueV1` and 81 entries: `=5J0` is a cell of region 0 that holds 5, 0 where it is empty. A `D` behind
the head adds both diagonals. Where entries join cages the file is a killer: `=13J0` opens a cage of sum 13, `+4J0`
joins the cage whose first cell is cell 4, counted from 0."""

import re

from satdoku.errors import FormatError, Refused
from satdoku.formats import Confidence, Format, Holds, Options, Reading, Sign
from satdoku.formats.marks import board
from satdoku.formats.regions import divided, labels_of
from satdoku.puzzle import Mark, Position, Puzzle, Size

HEAD, DIAGONAL = "SumoCueV1", "D"
DIAGONALS = ("diagonal+", "diagonal-")
ENTRY = re.compile(r"([=+])(\d{1,3})J(\d{1,2})")
SIZE = 9


def read(text: str, options: Options) -> Reading:
    body = text.strip().removeprefix(HEAD)
    diagonals = [Mark(kind) for kind in DIAGONALS] if body.startswith(DIAGONAL) else []
    body = body.removeprefix(DIAGONAL)
    entries = ENTRY.findall(body)
    rest = re.sub(r"\s", "", ENTRY.sub("", body))
    if rest:
        raise FormatError(f"{rest[:20]!r} is not an entry: expected =NUMBER J REGION or +CELL J REGION")
    if len(entries) != SIZE * SIZE:
        raise FormatError(f"{len(entries)} entries after {HEAD}, expected {SIZE * SIZE}")
    marks = (*divided(Size.of(SIZE), [int(region) for _, _, region in entries], options.box), *diagonals)
    killer = any(sign == "+" for sign, _, _ in entries)
    numbers = [(sign, int(number)) for sign, number, _ in entries]
    if killer:
        return Reading(Puzzle.from_givens(board(SIZE, (*marks, *_cages(numbers))), {}), "sumocue")
    above = next((cell for cell, (_, value) in enumerate(numbers) if value > SIZE), None)
    built = board(SIZE, marks)
    if above is not None:
        raise FormatError(f"{numbers[above][1]} at {built.label(above)} is above 9, and no entry joins a cage")
    return Reading(Puzzle.from_givens(built, [value for _, value in numbers]), "sumocue")


def fits(text: str) -> bool:
    return text.lstrip().startswith(HEAD)


def write(puzzle: Puzzle) -> str:
    labels = labels_of(puzzle.board, "sumocue")
    cages = [mark for mark in puzzle.board.marks if mark.kind == "cage"]
    if None in labels:
        raise Refused("the sumocue format holds boards in which every cell has a region")
    entries = [f"={value}" for value in puzzle.givens]
    if cages:
        entries = _joined(puzzle, cages)
    order = {label: index for index, label in enumerate(dict.fromkeys(labels))}
    diagonals = {mark.kind for mark in puzzle.board.marks} & set(DIAGONALS)
    if len(diagonals) == 1:
        raise Refused("the sumocue format holds both diagonals or none")
    return (
        HEAD
        + DIAGONAL * bool(diagonals)
        + "".join(f"{entry}J{order[label]}" for entry, label in zip(entries, labels, strict=True))
    )


def _cages(numbers: list[tuple[str, int]]) -> list[Mark]:
    cages: dict[int, list[Position]] = {}
    for cell, (sign, number) in enumerate(numbers):
        first = cell if sign == "=" else number
        if first not in cages and first != cell:
            raise FormatError(f"entry {cell + 1} joins the cage of cell {first}, which opens none before it")
        cages.setdefault(first, []).append((cell // SIZE + 1, cell % SIZE + 1))
    return [Mark("cage", tuple(cells), value=numbers[first][1] or None) for first, cells in cages.items()]


def _joined(puzzle: Puzzle, cages: list[Mark]) -> list[str]:
    """The entries of a killer, which has no room for givens or for cells outside cages."""
    if any(puzzle.givens):
        raise Refused("the sumocue format cannot hold givens beside cages")
    entries = [""] * puzzle.board.cells
    for mark in cages:
        cells = sorted((row - 1) * SIZE + column - 1 for row, column in mark.cells)
        for cell in cells:
            if entries[cell]:
                raise Refused(f"the sumocue format cannot hold two cages over {puzzle.board.label(cell)}")
            entries[cell] = f"={mark.value or 0}" if cell == cells[0] else f"+{cells[0]}"
    if "" in entries:
        raise Refused(f"the sumocue format needs a cage at {puzzle.board.label(entries.index(''))}")
    if not any(entry.startswith("+") for entry in entries):
        raise Refused("the sumocue format takes cages of one cell alone for givens")
    return entries


HOLDS = Holds(marks=frozenset({"boxes", "region", "cage", *DIAGONALS}), sizes=(SIZE, SIZE), any_box=True)
SIGN = Sign(fits, f"the head {HEAD}", "SumoCue", confidence=Confidence.CERTAIN)
FORMATS = (Format("sumocue", "SumoCue: 9x9 with regions, or a killer", read, write, HOLDS, SIGN),)
