"""A puzzle as the page holds it: its board, marks and givens as JSON, without loss."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Literal, TypeVar

import msgspec

from satdoku.drawings import MAX_DRAWINGS, MAX_POINTS, Drawing, noted
from satdoku.errors import InputError, PuzzleError
from satdoku.formats.marks import any_position, value_of
from satdoku.puzzle import Board, Mark, Position, Puzzle, Size, members, only
from satdoku.variants import Frame, build, kinds, label, lowered_mark
from satdoku.web import colours

T = TypeVar("T")


class MarkForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    kind: str
    cells: list[str] = []
    lines: list[list[str]] = []
    value: int | str | None = None
    marks: list[MarkForm] = []
    name: str = ""
    drawing: bool = False  # not drawn to its end

    @classmethod
    def of(cls, mark: Mark) -> MarkForm:
        cells, lines = list(map(label, mark.cells)), [list(map(label, line)) for line in mark.lines]
        inside = list(map(cls.of, mark.marks))
        return cls(kind=mark.kind, cells=cells, lines=lines, value=mark.value, marks=inside, name=mark.name)

    def mark(self) -> Mark:
        """Raises InputError for an unknown kind, cell or value."""
        kind = kinds().get(self.kind)
        if kind is None:
            raise InputError(f"no mark is known under the name {self.kind[:40]!r}: see `satdoku variants`")
        cells, lines = tuple(map(_position, self.cells)), (tuple(map(_position, line)) for line in self.lines)
        inside = tuple(mark.mark() for mark in self.marks)
        return Mark(self.kind, cells, tuple(lines), value_of(kind, self.value, self.kind), inside, self.name)


class Form(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A puzzle. Cells are `r1c1`, values as shown; `marks` include the boxes or regions."""

    rows: int
    columns: int
    values: tuple[int, int] | None = None
    marks: list[MarkForm]
    givens: dict[str, int] = {}
    candidates: dict[str, list[int]] = {}
    title: str = ""
    author: str = ""
    rules: str = ""
    solution: list[int] | None = None
    not_enforced: list[str] = []  # besides the drawings
    drawings: list[Drawing] = []

    @classmethod
    def of(cls, puzzle: Puzzle) -> Form:
        board = puzzle.board
        if board.places:
            raise InputError("the page shows one board, and this puzzle has several: `satdoku render` draws it")
        size, every = board.size, board.every_value
        usual = size.digits == Size.of(size.rows, size.columns).digits
        left = {board.label(cell): allowed for cell, allowed in enumerate(puzzle.candidates) if allowed != every}
        return cls(
            rows=size.rows,
            columns=size.columns,
            values=None if usual else (size.digits[0], size.digits[-1]),
            marks=list(map(MarkForm.of, board.marks)),
            givens={place: board.shown(only(allowed)) for place, allowed in left.items() if only(allowed)},
            candidates={place: shown(board, allowed) for place, allowed in left.items() if not only(allowed)},
            title=puzzle.title,
            author=puzzle.author,
            rules=puzzle.rules,
            not_enforced=[what for what in puzzle.not_enforced if what not in noted(puzzle.drawings)],
            drawings=list(puzzle.drawings),
            solution=None if puzzle.solution is None else list(map(board.shown, puzzle.solution)),
        )

    @property
    def size(self) -> Size:
        return Size.of(self.rows, self.columns, self.values and range(self.values[0], self.values[1] + 1))

    def refuse_many(self) -> None:
        """Raises InputError for more drawings than the page draws."""
        if len(self.drawings) > MAX_DRAWINGS or sum(len(each.points) for each in self.drawings) > MAX_POINTS:
            raise InputError(f"over {MAX_DRAWINGS} drawings, or {MAX_POINTS} points of them: no puzzle has so many")

    def puzzle(self) -> Puzzle:
        """The puzzle itself; raises InputError for what cannot be."""
        board = build(self.size, tuple(mark.mark() for mark in self.marks))
        cells = {board.label(cell): cell for cell in range(board.cells)}
        left = [board.every_value] * board.cells
        for place, values in (*self.candidates.items(), *((place, [given]) for place, given in self.givens.items())):
            if place not in cells:
                raise InputError(f"{place[:20]!r} is not a cell of the {board.size.shape} grid")
            left[cells[place]] &= sum(1 << _inner(board, value, place) for value in set(values))
        puzzle = Puzzle(board, tuple(left), title=self.title, author=self.author, rules=self.rules)
        self.refuse_many()
        said = (*noted(self.drawings), *self.not_enforced)
        puzzle = replace(puzzle, not_enforced=said, drawings=tuple(self.drawings))
        if self.solution is None:
            return puzzle
        if len(self.solution) != board.grid_cells:
            raise InputError(f"solution has {len(self.solution)} values, expected {board.grid_cells}")
        return replace(puzzle, solution=tuple(_inner(board, value, "solution") for value in self.solution))


class Workspace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the page's own files hold: a puzzle, digits tried in it, and notes."""

    satdoku: Literal["page"]
    puzzle: Form
    entered: dict[str, int] = {}
    centre: dict[str, list[int]] = {}
    corner: dict[str, list[int]] = {}
    colour: dict[str, list[colours.Colour]] = {}

    def validate(self) -> None:
        """Raises InputError for what the page could not show."""
        build(self.puzzle.size, ())
        form = self.puzzle
        form.refuse_many()
        colours.validate(self.colour)
        for place in chain(form.givens, form.candidates, self.entered, self.centre, self.corner, self.colour):
            _position(place)
        for place in chain.from_iterable(map(_cells, form.marks)):
            _position(place)


def _cells(mark: MarkForm) -> Iterator[str]:
    yield from chain(mark.cells, *mark.lines)
    for inside in mark.marks:
        yield from _cells(inside)


def decoded(raw: bytes, kind: type[T]) -> T:
    """What JSON holds, as a form or a question; raises InputError, with the place, for anything else."""
    try:
        return msgspec.json.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise InputError(f"not what the page sends: {error}") from None
    except RecursionError:
        raise InputError("nested too deep") from None


def faults(form: Form) -> Iterator[tuple[int, str]]:
    """The marks that do not fit the board, by their place in the list, and what is wrong with each."""
    marks: dict[int, Mark] = {}
    for index, stated in enumerate(form.marks):
        try:
            marks[index] = stated.mark()
        except InputError as error:
            yield index, str(error)
    changing = [index for index, mark in marks.items() if kinds()[mark.kind].reads is not None]
    for index in changing[1:]:
        del marks[index]
        yield index, "one rule already changes what cells count: expected no other"
    frame = Frame(form.size, tuple(marks.values()))
    cells = frame.size.rows * frame.size.columns * (1 + len(frame.layers))
    for index, mark in marks.items():
        try:
            rules = tuple(lowered_mark(frame, mark))
            auxiliary = tuple(frame.hidden)
            Board(cells, len(frame.values), frame.size.columns, rules, auxiliary=auxiliary, layers=frame.layers)
        except PuzzleError as error:
            yield index, str(error)


def shown(board: Board, allowed: int) -> list[int]:
    return list(map(board.shown, members(allowed)))


def _position(text: str) -> Position:
    place = any_position(text)
    if place is None:
        raise InputError(f"{text[:20]!r} is not a cell, expected one such as r1c1")
    return place


def _inner(board: Board, value: int, where: str) -> int:
    if value not in board.size.digits:
        raise InputError(f"{where}: {value} is not one of {board.size.span}")
    return board.size.inner(value)
