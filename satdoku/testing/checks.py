"""Backends, encodings and exports, each checked by one function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial

from satdoku import backends, exports
from satdoku.backends import Backend, Budget, Ending
from satdoku.constraints import Grid
from satdoku.encoders.cnf import PAIRWISE, Encoding, encode
from satdoku.encoders.cnf import find as find_encoding
from satdoku.errors import InputError, Refused
from satdoku.exports import Target
from satdoku.puzzle import Puzzle
from satdoku.referee import violations
from satdoku.testing.boards import cases, cases_of_different_cells
from satdoku.testing.searches import Fault, collect, described, first_fault
from satdoku.variants.boxes import classic

SOLVER = "cadical153"
SIZES = ((2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (4, 4))
SIX = {0: 3, 2: 4, 3: 2, 4: 5, 12: 4, 13: 1, 15: 6, 19: 3, 21: 5, 25: 2}
BOXED: tuple[tuple[tuple[int, int], dict[int, int], int], ...] = (
    ((2, 2), {}, 288),
    ((2, 3), SIX, 14),
    ((3, 2), SIX, 23),
)
"""Boxes, givens and the number of grids."""
LEAST_TURNS, MOST_TURNS = 4, 60  # grids of a search that takes turns; three are taken before it is asked for the rest
FIRST_EXPORT = 300
MOST_GRIDS = 20  # of a puzzle that is exported: a tool may be started once for each


def check_backend(factory: Callable[[], Backend], *, boards: int = 100, start: int = 0) -> None:
    """Check that a backend finds all grids and no others, on random boards of all four constraints and on boxes.

    One backend is kept open. Of each puzzle it is asked for all grids, for fewer, for exactly as many and for one more,
    after searches that were abandoned; then several searches take turns; then it is closed.

    Parameters:
        factory: makes a backend, without arguments: the class itself, or a function.
        boards: how many random boards, each with three puzzles; boards that it refuses are left out.
        start: the number of the first one; the same numbers give the same boards.

    Raises:
        Fault: it is wrong about a puzzle, or refused nearly all boards, so that nothing was compared.
        Exception: whatever the backend raises that is not an error of satdoku.

    Example:
        >>> from satdoku.backends import find
        >>> from satdoku.testing import check_backend
        >>> check_backend(lambda: find("backtrack"), boards=10)
    """
    _fail(first_fault(factory, cases(boards, start)))
    _fail(_fault_of_turns(factory, max(LEAST_TURNS, min(MOST_TURNS, 2 * boards))))


def check_encoding(encoding: str | Encoding, *, boards: int = 100, start: int = 0, solver: str = SOLVER) -> None:
    """Check that the clauses of an encoding have all grids of a board and no others, and that it states their number.

    Parameters:
        encoding: an Encoding, or a form by name, such as "extended+product+reduced".
        boards: how many random boards of all four constraints, each with three puzzles.
        start: the number of the first one; the same numbers give the same boards.
        solver: the SAT solver, a backend that takes an encoding.

    Raises:
        Fault: a grid is missing, is none, or comes twice; or `size` is not what is written.
        InputError: the encoding or the solver is unknown.

    Example:
        >>> from satdoku.testing import check_encoding
        >>> check_encoding("minimal", boards=10)
    """
    spec = find_encoding(encoding)
    if spec.method.name == PAIRWISE and not spec.reduced:
        for box in SIZES:
            clauses, stated = encode(classic(*box), spec).clauses, spec.encoding.size(*box)
            if stated != (clauses.variables, len(clauses)):
                written = f"{clauses.variables} variables and {len(clauses)} clauses"
                raise Fault(f"size{box} is {stated}, and {written} are written for boxes of {box[0]}x{box[1]}")
    opened = partial(backends.find, solver, encoding)
    _fail(first_fault(opened, cases(boards, start)))
    for box, givens, count in BOXED:
        puzzle = Puzzle.from_givens(classic(*box), givens)
        with closing(opened()) as backend:
            _fail(_fault_of_boxes(backend, puzzle, count))


def check_export(
    target: str | Target, grids: Callable[[str, Puzzle], Iterable[Grid]], *, boards: int = 9, start: int = FIRST_EXPORT
) -> None:
    """Check that an exported text means what the puzzle means, to a tool that reads it.

    Parameters:
        target: a Target, or the name of one.
        grids: runs the tool on (text, puzzle) and gives grids: some of them, at least one where there is one. It is
            asked again with those excluded that came, unless the target excludes none.
        boards: how many random boards, each with up to three puzzles of up to 20 grids; of AllDifferents alone, where
            the target takes nothing else.
        start: the number of the first one; the same numbers give the same boards.

    Raises:
        Fault: a grid is missing, is none, or comes again although it was excluded; or a puzzle is refused late, when
            pieces of the text have been taken.
        InputError: the target is unknown.

    Example:
        >>> from pysat.formula import CNF
        >>> from pysat.solvers import Cadical153
        >>> from satdoku.exports.decode import decode
        >>> from satdoku.testing import check_export
        >>> def grids(text, puzzle):
        ...     with Cadical153(bootstrap_with=CNF(from_string=text)) as solver:
        ...         if not solver.solve():
        ...             return []
        ...         answer = " ".join(map(str, ["s SATISFIABLE\\nv", *solver.get_model(), 0]))
        ...         return [decode(text.encode(), answer).grid]
        >>> check_export("dimacs", grids)
    """
    chosen = exports.find(target)
    among = cases_of_different_cells if chosen.all_different_only else cases
    taken = 0
    for case in among(boards, start):
        for puzzle, truth in zip(case.puzzles, case.truths, strict=True):
            if len(truth) > MOST_GRIDS:
                continue
            exported = _exported(chosen, puzzle, grids, len(truth))
            if exported is None:
                continue
            taken += 1
            if sorted(exported) != sorted(truth):
                missing, others = sorted(truth - set(exported)), [grid for grid in exported if grid not in truth]
                what = f"missing {missing[:1]}, too many {others[:1]}" if missing or others else "duplicate solution"
                raise Fault(f"case {case.seed}: {what}; {described(puzzle)}")
    if not taken:
        raise Fault(f"all of {boards} boards were refused")


def _exported(
    target: Target, puzzle: Puzzle, grids: Callable[[str, Puzzle], Iterable[Grid]], most: int
) -> list[Grid] | None:
    """The grids that a tool finds in the texts of a puzzle; None if it is refused."""
    exported: list[Grid] = []
    while len(exported) <= most:
        try:
            pieces = exports.export(puzzle, target, None, exported)
        except Refused:
            return exported or None
        more = list(grids("".join(_whole(pieces, puzzle)), puzzle))
        if not more:
            return exported
        again = next((grid for grid in more if grid in exported), None)
        if again is not None:
            raise Fault(f"{again} came again, although it was excluded; {described(puzzle)}")
        exported += more
    return exported


def _whole(pieces: Iterator[str], puzzle: Puzzle) -> Iterator[str]:
    try:
        yield from pieces
    except InputError as error:
        raise Fault(f"refused late, when pieces of its text had been taken: {error}; {described(puzzle)}") from None


def _fail(fault: str | None) -> None:
    if fault is not None:
        raise Fault(fault)


def _fault_of_boxes(backend: Backend, puzzle: Puzzle, count: int) -> str | None:
    """What is wrong with all grids of a puzzle that has so many."""
    grids, ending = collect(backend.search(puzzle, Budget(None)), most=count)
    wrong = next((grid for grid in grids if any(violations(puzzle, grid))), None)
    if wrong is not None:
        return f"{wrong} is not a solution; {described(puzzle)}"
    if (len(grids), len(set(grids)), ending) != (count, count, Ending.EXHAUSTED):
        return f"{len(set(grids))} grids, {ending}, expected {count} and all; {described(puzzle)}"
    return None


def _fault_of_turns(factory: Callable[[], Backend], limit: int) -> str | None:
    """What is wrong with searches that take turns on boards with boxes, one after they have, and all at the end."""
    boards = (classic(2, 2), classic(2, 3), classic(2, 2), classic(2, 3))
    with closing(factory()) as backend:
        puzzles = [Puzzle.from_givens(board, {}) for board in boards if backend.refuses(board) is None]
        searches = [backend.search(puzzle, Budget(limit)) for puzzle in puzzles]
        begun = [[grid for grid in (next(search, None), next(search, None)) if grid] for search in searches]
        begun = [[*grids, *filter(None, [next(search, None)])] for grids, search in zip(begun, searches, strict=True)]
        for grids, search, puzzle in zip(begun, searches, puzzles, strict=True):
            more, ending = collect(search, most=limit)
            every = [*grids, *more]
            if len(set(every)) != limit or ending is not Ending.LIMIT:
                got = f"{len(set(every))} grids, {ending}, expected {limit}"
                return f"searches that take turns: {got}; {described(puzzle)}"
            if any(any(violations(puzzle, grid)) for grid in every):
                return f"searches that take turns: a grid is not a solution; {described(puzzle)}"
        for puzzle in puzzles[:1]:
            fault = _fault_of_boxes(backend, Puzzle.from_givens(puzzle.board, {0: 1, 5: 3}), 24)
            if fault:
                return f"after searches that took turns: {fault}"
        left = [backend.search(puzzle, Budget(None)) for puzzle in puzzles[:2]]
        for search in left:
            next(search, None)
    if any(next(search, None) is not None for search in left):
        return "closed, and a search goes on; expected close to end all searches"
    return None
