"""What setters ask and make: candidates, explanations, minimal puzzles, new puzzles."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from types import UnionType
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

from satdoku.api.marks import positions
from satdoku.api.sessions import opened
from satdoku.backends import Budget
from satdoku.errors import InputError, NotMade, PuzzleError
from satdoku.inputs.programs import Source, read_within
from satdoku.limits import MAX_COUNT
from satdoku.puzzle import Board, Puzzle
from satdoku.variants.boxes import box_of, classic
from satdoku.verdict import Verdict, at_least, checked_limit, validate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from satdoku.clue_symmetry import Symmetry
    from satdoku.generator.invent import MarksRecipe
    from satdoku.generator.work import Made
    from satdoku.setter import Candidates, Difficulty, Explanation, Minimal

CellName = str | tuple[int, int]  # A cell as "r3c7" or (3, 7)


def candidates(puzzle: Source, *, limit: int | None = 1, timeout: float | None = None) -> Candidates:
    """The values of each cell that occur in some solution, and in how many.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        limit: up to how many solutions are counted for each value; None for all.
        timeout: seconds of search; what it leaves open is in `undecided`.

    Returns:
        `Candidates`: `counts`, `possible`, `decided`, `hidden`, `equal` and more.

    Raises:
        ValueError: the limit is below 1.
        TooSlow: the timeout came while a text was read.
        Refused: the board is too large for clauses.
        InputError, TypeError: an argument cannot be read.

    Example:
        >>> candidates = satdoku.candidates("13....3131...213")
        >>> candidates.solutions, candidates.decided[:4]
        (2, (1, 3, 0, 0))
    """
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.candidates import survey

    limit = checked_limit(limit)
    validate(Budget(None, timeout))
    puzzle, timeout = read_within(puzzle, timeout)
    with IncrementalSolver() as solver:
        return survey(solver, puzzle, limit, timeout)


def explain(puzzle: Source, *, smallest: bool = False, timeout: float | None = 60.0) -> Explanation:
    """Why a puzzle has no solution, what would make it unique, or how its solution follows step by step.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        smallest: prove that no reason is smaller, as far as the timeout allows; else no part of a reason suffices.
        timeout: seconds of search; what was found by then is kept.

    Returns:
        `Explanation`: `conflict`; or `solutions`, `vary` and `completion`; or `steps`.

    Raises:
        TooSlow: the timeout came while a text was read.
        Refused: the board is too large for clauses.
        InputError, TypeError: an argument cannot be read.

    Example:
        >>> explanation = satdoku.explain("12....3.........")
        >>> explanation.verdict.value, explanation.conflict.constraints
        ('unsolvable', ('row 2', 'box 1'))
    """
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.explain import explained

    validate(Budget(None, timeout))
    puzzle, timeout = read_within(puzzle, timeout)
    with IncrementalSolver() as solver:
        return explained(solver, puzzle, smallest, timeout)


def difficulty(puzzle: Source, *, timeout: float | None = None) -> Difficulty:
    """How difficult a puzzle with one solution is for people: the techniques that it takes.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        timeout: seconds, after which `level` is that of what was needed by then.

    Returns:
        `Difficulty`: `level`, `steps` by technique, and the cells that are left `open`; `str` is a sentence.

    Raises:
        TooSlow: the timeout came while a text was read.
        InputError: the puzzle cannot be read, or does not have exactly one solution.
        TypeError: the wrong type of puzzle.

    Example:
        >>> print(satdoku.difficulty("1234341221434..."))
        difficulty 1 (singles): 3 naked singles
    """
    from satdoku.setter.difficulty import rate

    validate(Budget(2, timeout))
    puzzle, timeout = read_within(puzzle, timeout)
    with opened() as session:
        verdict = session.check(puzzle, timeout=timeout).verdict
    if verdict is not Verdict.UNIQUE:
        raise InputError(f"{puzzle.name} is {verdict.value}: only a puzzle with one solution has a difficulty")
    return rate(puzzle, timeout)


def minimize(
    puzzle: Source,
    *,
    seed: int = 0,
    keep: Iterable[CellName] | Literal["all"] = (),
    symmetry: Symmetry | str = "none",
    marks: bool = False,
    timeout: float | None = None,
) -> Minimal:
    """A unique puzzle with givens, and if asked for marks, dropped until each is needed.

    Parameters:
        puzzle: a Puzzle, or what `read` takes.
        seed: decides the order in which givens are tried.
        keep: cells whose givens stay, as "r3c7" or (3, 7); or "all".
        symmetry: of the givens that are left: none, rotational, diagonal, mirror, full.
        marks: whether marks that are not needed go too, after the givens.
        timeout: seconds of search; what it leaves open is in `untested` and `marks_untested`.

    Returns:
        `Minimal`: the `puzzle` that is left, and for each given `needed` a second solution without it.

    Raises:
        TooSlow: the timeout came while a text was read.
        Refused: the board is too large for clauses, no symmetric part of the givens makes it unique, or it has
            constraints that no mark draws.
        InputError, TypeError: an argument cannot be read, or a cell to keep is not given.

    Example:
        >>> minimal = satdoku.minimize("1234341221434...", seed=1)
        >>> minimal.puzzle.given_count == len(minimal.needed)
        True
    """
    from satdoku.backends.incremental import IncrementalSolver
    from satdoku.setter.minimize import MinimizeOptions, minimized, symmetry_of

    validate(Budget(None, timeout))
    puzzle, timeout = read_within(puzzle, timeout)
    cells = [cell for cell, value in enumerate(puzzle.givens) if value]
    if keep != "all":
        cells = [_cell(puzzle.board, row, column) for row, column in positions(keep, "keep")]
    options = MinimizeOptions(
        seed=seed, keep=frozenset(cells), symmetry=symmetry_of(symmetry), timeout=timeout, marks=marks
    )
    with IncrementalSolver() as solver:
        return minimized(solver, puzzle, options)


class _Generated(TypedDict, total=False):
    """What `generate` takes by name, whatever it returns."""

    count: int
    first: int
    givens: int | tuple[int, int] | None
    minimal: bool
    symmetry: Symmetry | str
    pattern: str | Iterable[CellName] | None
    seed: int | None
    timeout: float
    difficulty: int | str | tuple[int, int] | None
    technique: str | None
    until: str | None
    score: int | tuple[int, int] | None
    rating: float | tuple[float, float] | None
    marks: str | Iterable[str] | None
    on_failure: Callable[[NotMade], object] | None


@overload
def generate(
    board: Board | Puzzle | None = None, *, as_array: Literal[False] = False, **options: Unpack[_Generated]
) -> Iterator[Made]: ...
@overload
def generate(
    board: Board | Puzzle | None = None, *, as_array: Literal[True], **options: Unpack[_Generated]
) -> tuple[NDArray[Any], NDArray[Any]]: ...
def generate(
    board: Board | Puzzle | None = None,
    *,
    count: int = 1,
    first: int = 1,
    givens: int | tuple[int, int] | None = None,
    minimal: bool = False,
    symmetry: Symmetry | str = "none",
    pattern: str | Iterable[CellName] | None = None,
    seed: int | None = None,
    timeout: float = 60.0,
    difficulty: int | str | tuple[int, int] | None = None,
    technique: str | None = None,
    until: str | None = None,
    score: int | tuple[int, int] | None = None,
    rating: float | tuple[float, float] | None = None,
    marks: str | Iterable[str] | None = None,
    on_failure: Callable[[NotMade], object] | None = None,
    as_array: bool = False,
) -> Iterator[Made] | tuple[NDArray[Any], NDArray[Any]]:
    """New puzzles, each with exactly one solution.

    Parameters:
        board: a Board, or a Puzzle whose board is used; None for 9x9 with 3x3 boxes.
        count: how many puzzles.
        first: the number of the first, from 1: with a seed, a puzzle follows from its number.
        givens: how many givens, or (at least, at most).
        minimal: whether each given must be needed.
        symmetry: of the clue pattern: none, rotational, diagonal, mirror, full.
        pattern: the cells that are given, as "r3c7" or (3, 7); or a text of rows such as X..X.
        seed: random if None.
        timeout: seconds for each puzzle.
        difficulty: the level, such as "subsets" or 3, or levels, such as "locked:fish" or (2, 4).
        technique: the name of a technique that is needed, where no harder one is, such as "X-wing".
        until: the name of a technique. `position` is the puzzle before the first step by it, where no harder
            technique has been needed yet: what is known there, and the candidates that are left.
        score: HoDoKu's score, or (at least, at most).
        rating: Sudoku Explainer's rating, ER, or (at least, at most), from 1.0 to 11.9.
        marks: kinds of marks that are drawn at random too, as "cage,thermometer" or a list, on a plain board. None of
            the puzzles is a turn or reflection of another, with its marks; `minimal` is about marks, too.
        on_failure: called with a `NotMade` for each puzzle that was not found in the time, such as
            `failures.append`; the next one follows. None raises it.
        as_array: whether to return the puzzles and their solutions as two arrays (count, cells). They hold no marks and
            no candidates.

    Returns:
        An iterator of `Made`, with `puzzle` and `solution`; with `until` also `position`, its `puzzle` and its next
        `step`; with `marks` also the `marks`, and one of them that is `necessary`: without it there are several
        solutions. Two arrays if `as_array`: 0 for an empty cell, and in all cells of a puzzle that was not found in
        the time.

    Raises:
        NotMade: a puzzle was not found in the time, and there is no `on_failure`. The iterator ends with it.
        Refused: what is asked for cannot be.
        ValueError: a number is below 1, or the seed below 0.
        InputError, TypeError: an argument cannot be read.

    Example:
        >>> made = next(satdoku.generate(satdoku.classic(2, 3), symmetry="rotational", seed=1))
        >>> satdoku.check(made.puzzle).grid == made.solution
        True
        >>> killer = next(satdoku.generate(satdoku.classic(2, 3), marks="cage", seed=1))
        >>> killer.necessary.kind, killer.puzzle.given_count < 6
        ('cage', True)
        >>> made = next(satdoku.generate(until="naked pair", seed=1))
        >>> made.position.step.technique, satdoku.check(made.position.puzzle).grid == made.solution
        ('naked pair', True)
    """
    from satdoku.generator.invent import distinct
    from satdoku.generator.recipe import Recipe, places
    from satdoku.generator.recipe import seed as random_seed
    from satdoku.generator.work import made
    from satdoku.setter.difficulty import parse_levels
    from satdoku.setter.minimize import symmetry_of
    from satdoku.setter.requirement import Requirement

    if timeout is None:
        raise TypeError("timeout is None: expected a number of seconds for each puzzle")
    validate(Budget(1, timeout))
    numbers = _numbers(first, count)
    if seed is not None:
        at_least(seed, 0, "seed")
    if on_failure is not None and not callable(on_failure):
        raise TypeError(f"on_failure is {on_failure!r}: expected a function, such as failures.append, or None")
    chosen = _board(board)
    if as_array and (marks is not None or until is not None):
        raise InputError("marks or until, and as_array: arrays hold neither marks nor candidates, choose one")
    asked: dict[str, Any] = {
        "givens": _range(givens, "givens"),
        "minimal": minimal,
        "seed": random_seed(seed),
        "timeout": timeout,
        "requirement": Requirement(
            levels=None if difficulty is None else parse_levels(difficulty),
            technique=technique,
            until=until,
            score=_range(score, "score"),
            rating=_range(rating, "rating", int | float),
        ),
    }
    if marks is not None:
        if pattern is not None or symmetry_of(symmetry).value != "none":
            raise InputError("marks and pattern or symmetry: choose one")
        names = [word.strip() for word in marks.split(",")] if isinstance(marks, str) else list(marks)
        return _made(distinct(_with_marks(chosen, names, asked), numbers), on_failure)
    cells: Iterable[int] | None = None
    if isinstance(pattern, str):
        cells = places(pattern, chosen)
    elif pattern is not None:
        cells = sorted({_cell(chosen, row, column) for row, column in positions(pattern, "pattern")})
    recipe = Recipe(chosen, symmetry=symmetry_of(symmetry), pattern=None if cells is None else tuple(cells), **asked)
    puzzles = _made(made(recipe, numbers), on_failure)
    return _arrays(puzzles, chosen, numbers) if as_array else puzzles


def _numbers(first: int, count: int) -> range:
    at_least(count, 1, "count")
    at_least(first, 1, "first")
    if count > MAX_COUNT:
        raise ValueError(f"count is {count}: expected {MAX_COUNT} at most")
    return range(first - 1, first - 1 + count)


def _arrays(puzzles: Iterable[Made], board: Board, numbers: range) -> tuple[NDArray[Any], NDArray[Any]]:
    import numpy as np

    shape = (len(numbers), board.cells)
    givens, solutions = (np.zeros(shape, np.min_scalar_type(board.values)) for _ in range(2))
    for one in puzzles:
        row = one.number - numbers.start
        givens[row], solutions[row] = one.puzzle.givens, one.solution
    return givens, solutions


def _with_marks(board: Board, names: list[str], asked: Mapping[str, Any]) -> MarksRecipe:
    """A recipe of these kinds of marks on a plain board."""
    from satdoku.generator.invent import MarksRecipe
    from satdoku.generator.layouts import chosen_kinds

    box = box_of(board)
    if box is None or board != classic(box.rows, box.columns):
        raise InputError("marks are drawn on square boards with boxes and the values from 1, such as classic(3, 3)")
    return MarksRecipe(chosen_kinds(names), box=box, **asked)


def _made(
    puzzles: Generator[Made | NotMade, None, None], on_failure: Callable[[NotMade], object] | None
) -> Generator[Made, None, None]:
    with closing(puzzles):
        for one in puzzles:
            if not isinstance(one, NotMade):
                yield one
            elif on_failure is None:
                raise one
            else:
                on_failure(one)


def _board(board: Board | Puzzle | None) -> Board:
    if board is None:
        return classic(3, 3)
    if not isinstance(board, Board | Puzzle):
        raise TypeError(f"board is of type {type(board).__name__}: expected a Board, a Puzzle or None")
    return board.board if isinstance(board, Puzzle) else board


def _range(numbers: Any, what: str, kind: type | UnionType = int) -> Any:
    if numbers is None:
        return None
    pair = numbers if isinstance(numbers, tuple | list) else (numbers, numbers)
    low, high = pair if len(pair) == 2 else ("", "")
    if not all(isinstance(number, kind) and not isinstance(number, bool) for number in (low, high)):
        raise TypeError(f"{what} is {numbers!r}: expected a number, or (at least, at most)")
    return low, high


def _cell(board: Board, row: int, column: int) -> int:
    cell = board.size.cell((row, column)) if board.size.inside((row, column)) else board.cells
    if cell >= board.cells:
        raise PuzzleError(f"r{row}c{column} is not on the board, whose last cell is {board.label(board.cells - 1)}")
    return cell
