"""New puzzles whose marks are drawn at random: a grid, marks that it obeys, and the givens that are needed besides."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing, suppress
from dataclasses import KW_ONLY, dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from satdoku.constraints import Grid
from satdoku.errors import InputError, NotMade, Refused
from satdoku.generator.clues import Trials
from satdoku.generator.drawing import MarkedSquare, Values
from satdoku.generator.grids import GridSource, source
from satdoku.generator.layouts import exempted, lacking, marks_for, rules
from satdoku.generator.recipe import AnyRecipe, Recipe
from satdoku.generator.work import UNFINISHED, Made, Workshop
from satdoku.puzzle import Board, Mark, Puzzle
from satdoku.setter.difficulty import rate
from satdoku.setter.requirement import ANY, Fit
from satdoku.symmetries import marked_digest
from satdoku.system.clock import Deadline, TimeIsUp
from satdoku.variants import REGIONS, build
from satdoku.variants.boxes import Box, classic
from satdoku.verdict import Session

SIZES = (4, 6, 8, 9, 10, 12, 16)
USUAL_BOX = Box(3, 3)
MORE = 10, 100  # times as many numbers, and so many, are tried in place of puzzles that are equal to others
EXHAUSTED = "no further puzzle of this seed differs from those before"
ORDERS = 2  # orders in which the givens of one grid are taken away, before another grid


@dataclass(frozen=True, slots=True)
class MarksRecipe(AnyRecipe):
    """Puzzles with marks that are drawn at random. Raises Refused for boards of other sizes.

    kinds: the names of the kinds of marks, as `chosen_kinds` gives them
    """

    kinds: tuple[str, ...]
    _: KW_ONLY
    box: Box = USUAL_BOX

    def __post_init__(self) -> None:
        if self.requirement.rating is not None:
            raise Refused("rating: only puzzles without marks have one")
        if self.box.size not in SIZES:
            raise Refused(f"marks are drawn on boards of {', '.join(f'{size}x{size}' for size in SIZES)}")
        if self.givens is not None and not self.givens[0] <= min(self.givens[1], self.board.cells):
            low, high = self.givens
            raise Refused(
                f"{low}:{high} givens: expected the lower number first, of a board of {self.board.cells} cells"
            )

    @property
    def board(self) -> Board:
        """The board without the marks."""
        return classic(self.box.rows, self.box.columns)

    @property
    def drawing(self) -> MarkedSquare:
        return MarkedSquare(self.box.size, (Mark("boxes", value=f"{self.box.rows}x{self.box.columns}"),))


class OneGrid(GridSource):
    """One grid, so often."""

    def __init__(self, grid: Grid) -> None:
        self._grid_known, self._left = grid, ORDERS

    def draw(self, random: Random, deadline: Deadline) -> Grid:
        if not self._left:
            raise TimeIsUp
        self._left -= 1
        return self._grid_known


class Inventor:
    """What makes the puzzles of a recipe, as `Workshop` does where the board is known."""

    def __init__(self, recipe: MarksRecipe) -> None:
        self._recipe = recipe

    def work(self, numbers: list[int]) -> list[Made | NotMade]:
        return [invent(self._recipe, number) for number in numbers]

    def close(self) -> None:
        """Nothing stays open: each puzzle has a board of its own."""


def distinct(recipe: MarksRecipe, numbers: range) -> Generator[Made | NotMade, None, None]:
    """As many puzzles as there are numbers, none equal to one before: in its place comes one of a further number.

    NotMade where `last_number` is reached."""
    known, number, given = set[bytes](), numbers.start, 0
    while given < len(numbers):
        one = invent(recipe, number) if number < last_number(numbers) else NotMade(number, 0, EXHAUSTED)
        number += 1
        if isinstance(one, Made):
            digest = marked_digest(one.puzzle)
            if digest in known:
                continue
            known.add(digest)
        given += 1
        yield one


def last_number(numbers: range) -> int:
    """That before which further ones are tried in place of these."""
    return numbers.stop + MORE[0] * len(numbers) + MORE[1]


def invent(recipe: MarksRecipe, number: int) -> Made | NotMade:
    """The puzzle of a number, from 0; NotMade, with the reason of the last try that ended, if there is none in time."""
    deadline, random = Deadline(recipe.timeout), Random(f"marks {recipe.seed}/{number}")
    tries, reason = 0, UNFINISHED
    with suppress(TimeIsUp):
        while True:
            deadline.check()
            tries += 1
            result = _tried(recipe, number, random, deadline)
            if isinstance(result, Made):
                return replace(result, tries=tries)
            if result != UNFINISHED:
                reason = result
    return NotMade(number, tries, reason)


def _tried(recipe: MarksRecipe, number: int, random: Random, deadline: Deadline) -> Made | str:
    drawing = recipe.drawing
    whole = rules(recipe.kinds, random, recipe.box.size)
    late = [rule for rule in whole if exempted(rule, recipe.kinds)]  # hold beside marks that are not there yet
    base = build(recipe.box.size, (*drawing.marks, *(rule for rule in whole if rule not in late)))
    with closing(Session()) as session:
        try:
            grid = source(base, session).draw(random, deadline)
        except Refused as error:
            raise Refused(f"marks: {error}{lacking(recipe.kinds)}") from None
    at: Values = dict(zip(drawing.positions, grid, strict=True))
    marks = marks_for(recipe.kinds, replace(drawing, marks=base.marks), random, at, late)
    if isinstance(marks, str):
        return marks
    board = build(recipe.box.size, (*base.marks, *marks))
    try:
        thinning = Recipe(
            board=board,
            givens=recipe.givens,
            minimal=recipe.minimal,
            seed=random.getrandbits(48),
            timeout=deadline.timeout() or recipe.timeout,
            requirement=ANY if recipe.minimal else recipe.requirement,
        )
    except InputError as error:
        return str(error)
    with closing(Workshop(thinning, OneGrid(grid))) as workshop:
        (made,) = workshop.work([0])
    if isinstance(made, NotMade):
        return made.reason
    return _finished(recipe, number, random, made, deadline)


def _finished(recipe: MarksRecipe, number: int, random: Random, made: Made, deadline: Deadline) -> Made | str:
    """The puzzle with a mark that is shown to be necessary; without those that are not, where it is to be minimal."""
    puzzle, necessary = replace(made.puzzle, name=f"puzzle {number + 1}"), None
    own = [mark for mark in puzzle.board.marks if mark.kind not in REGIONS]
    for mark in random.sample(own, len(own)):
        deadline.check()
        fewer = _without(puzzle, mark)
        count = 2 if fewer is None else _count(fewer, made.solution, deadline)
        if count == 2:
            necessary = necessary or mark
        elif count == 1 and recipe.minimal:
            puzzle = fewer or puzzle
        elif recipe.minimal:
            return "whether a mark is needed takes too long to find out"
        if necessary and not recipe.minimal:
            break
    if necessary is None:
        return "no mark was necessary"
    if not all(any(mark.kind == kind for mark in puzzle.board.marks) for kind in recipe.kinds):
        return "no mark of one of the kinds was needed"
    fit: Fit | None = Fit(made.difficulty, made.position)
    if recipe.minimal and recipe.requirement:
        fit = recipe.requirement.fit(puzzle, deadline.left())
    if fit is None:
        return f"no puzzle had the {recipe.requirement}"
    difficulty = fit.difficulty or (rate(puzzle, deadline.left()) if recipe.rate else None)
    solved = replace(puzzle, solution=made.solution)
    return replace(
        made, number=number, puzzle=solved, difficulty=difficulty, position=fit.position, necessary=necessary
    )


def _without(puzzle: Puzzle, mark: Mark) -> Puzzle | None:
    """The puzzle without a mark; None where others cannot be without it."""
    marks = tuple(other for other in puzzle.board.marks if other is not mark)
    try:
        board = build(puzzle.board.size, marks)
    except InputError:
        return None
    return Puzzle.from_givens(board, puzzle.givens, puzzle.name)


def _count(puzzle: Puzzle, solution: Grid, deadline: Deadline) -> int:
    """How many solutions there are, up to 2, by work that is the same on every machine; -1 if that takes too much."""
    board: Board = puzzle.board
    with closing(Workshop(Recipe(board=board, timeout=deadline.timeout() or 1.0), OneGrid(solution))) as workshop:
        rows: NDArray[np.uint16] = np.array([puzzle.givens], np.uint16)
        return workshop.count(Trials(givens=rows, limit=2, deadline=deadline))
