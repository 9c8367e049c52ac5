"""What will be run, checked before anything is timed, and in which order; and puzzles whose answers are known."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

from msgspec import structs

from satdoku import backends
from satdoku.backends import Budget, Choosing, Engine
from satdoku.bench.raw import MAX_COUNT, MAX_SECONDS, MIN_SECONDS, Header, Rules, Work
from satdoku.bench.shuffle import Draws, shuffled
from satdoku.encoders import cnf
from satdoku.errors import InputError, Refused
from satdoku.generator.grids import shifted_rows
from satdoku.puzzle import Board, Puzzle
from satdoku.symmetries import Shuffle, freedom
from satdoku.variants.boxes import Box, box_of
from satdoku.verdict import validate
from satdoku.words import plural

TURN = 10
"""Puzzles that a contender solves before another has its turn, so that a busy minute of the machine falls on all."""

FEW = 3  # solutions that are counted to warm up: more than the two that a backend may show without counting


@dataclass(frozen=True, slots=True)
class Contender:
    """A backend and, where it takes one, an encoding."""

    backend: str
    encoding: str | None = None

    def __str__(self) -> str:
        return self.backend if self.encoding is None else f"{self.backend} {self.encoding}"


@dataclass(frozen=True, slots=True)
class Job:
    """One search: a contender on the puzzle number `index`, in the layout of repeat `repeat`."""

    contender: Contender
    index: int
    repeat: int

    @property
    def key(self) -> tuple[str, str | None, int, int]:
        return self.contender.backend, self.contender.encoding, self.index, self.repeat


@dataclass(frozen=True, kw_only=True)
class BenchPlan:
    """All that decides what is measured; two runs of equal plans measure the same.

    memory: megabytes that a contender's process and its children may have resident; None for any
    engines: Python files whose ENGINES take part; skipped: contenders and the boards that they cannot take
    """

    contenders: tuple[Contender, ...]
    puzzles: tuple[Puzzle, ...]
    work: Work = Work.UNIQUE
    limit: int | None = MAX_COUNT
    warm: bool = True
    timeout: float = 10.0
    memory: int | None = None
    repeats: int = 1
    seed: int = 0
    engines: tuple[str, ...] = ()
    skipped: frozenset[tuple[Contender, Board]] = frozenset()

    def __post_init__(self) -> None:
        validate(Budget(self.limit, self.timeout))
        if not MIN_SECONDS <= self.timeout <= MAX_SECONDS:
            raise InputError(f"--timeout {self.timeout:g}: expected seconds, {MIN_SECONDS:g} to {MAX_SECONDS:g}")
        if self.memory is not None and self.memory < 1:
            raise InputError(f"--memory {self.memory}: expected megabytes, 1 or more")
        if self.repeats < 1:
            raise InputError(f"--repeat {self.repeats}: expected 1 or more")
        if not self.puzzles:
            raise InputError("no puzzle to measure on")

    @property
    def solutions(self) -> int | None:
        """Grids that each search is asked for; one more than a count's limit shows that there are more."""
        if self.work is Work.COUNT:
            return None if self.limit is None else self.limit + 1
        return 1 if self.work is Work.FIRST else 2

    @cached_property
    def boards(self) -> tuple[Board, ...]:
        return tuple(dict.fromkeys(puzzle.board for puzzle in self.puzzles))

    @cached_property
    def freedoms(self) -> dict[Board, Shuffle]:
        return {board: freedom(board) for board in self.boards}

    @cached_property
    def digests(self) -> tuple[str, ...]:
        """For each puzzle a name for what it states, that no other puzzle has."""
        boards = {
            one: _digest(one.cells, one.values, one.columns, one.marks, len(one.constraints)) for one in self.boards
        }
        return tuple(_digest(boards[puzzle.board], puzzle.candidates) for puzzle in self.puzzles)

    @property
    def rules(self) -> Rules:
        return Rules.WARM if self.warm else Rules.COLD

    @cached_property
    def header(self) -> Header:
        """The plan as a raw file holds it: without its puzzles, with a key that differs wherever they do."""
        header = Header(
            contenders=tuple(map(str, self.contenders)),
            puzzles=len(self.puzzles),
            work=self.work,
            limit=self.limit if self.work is Work.COUNT else None,
            rules=self.rules,
            timeout=self.timeout,
            memory=self.memory,
            repeats=self.repeats,
            seed=self.seed,
            engines=self.engines,
            skipped=tuple(sorted(f"{name} on board {self.boards.index(board)}" for name, board in self.skipped)),
            key="",
        )
        return structs.replace(header, key=_digest(header, [puzzle.name for puzzle in self.puzzles], self.digests))

    @cached_property
    def searches(self) -> int:
        return sum(1 for _ in self.jobs())

    def jobs(self) -> Iterator[Job]:
        """Every search, interleaved: contenders take turns of a few puzzles, in an order drawn for each turn."""
        draws = Draws(self.seed, "order")
        by_board: dict[Board, list[int]] = {board: [] for board in self.boards}
        for index, puzzle in enumerate(self.puzzles):
            by_board[puzzle.board].append(index)
        for repeat in range(self.repeats):
            for board, indices in by_board.items():
                for start in range(0, len(indices), TURN):
                    for contender in draws.shuffled(self.contenders):
                        if (contender, board) not in self.skipped:
                            yield from (Job(contender, index, repeat) for index in indices[start : start + TURN])

    def puzzle(self, job: Job) -> Puzzle:
        """The puzzle in the layout of that repeat: the same for every contender."""
        puzzle = self.puzzles[job.index]
        return shuffled(puzzle, self.freedoms[puzzle.board], Draws(self.seed, job.repeat, job.index))


def contenders(names: Sequence[str] | None, encodings: Sequence[str] | None) -> tuple[Contender, ...]:
    """Every backend with every encoding; None is all that are installed, and the default encoding."""
    if names is None:
        names = backends.installed()
    rows = [(name, backends.engine(name)) for name in names]
    for name, row in rows:
        reason = row.absent()
        if reason:
            raise InputError(f"backend {name}: {reason}")
    if encodings is not None and not any(row.encodes for _, row in rows):
        raise Refused(f"none of {', '.join(names)} takes an encoding; leave out --encoding {','.join(encodings)}")
    chosen = tuple(dict.fromkeys(cnf.find(encoding).name for encoding in encodings or [cnf.DEFAULT]))

    def encoded(name: str, row: Engine) -> tuple[str | None, ...]:
        if not row.encodes:
            return (None,)
        with closing(backends.find(name)) as backend:  # one that picks its engines has more where no encoding is named
            return (None,) if encodings is None and isinstance(backend, Choosing) else chosen

    return tuple(Contender(name, encoding) for name, row in rows for encoding in encoded(name, row))


def refusals(chosen: Sequence[Contender], puzzles: Sequence[Puzzle]) -> Iterator[tuple[Contender, Puzzle, str]]:
    """Each contender that cannot take some board, with the first puzzle of that board and the reason."""
    first = {puzzle.board: puzzle for puzzle in reversed(puzzles)}
    for contender in chosen:
        with closing(backends.find(contender.backend, contender.encoding)) as backend:
            for board, puzzle in first.items():
                reason = backend.refuses(board)
                if reason:
                    yield contender, puzzle, reason


def admitted(plan: BenchPlan, refused: Sequence[tuple[Contender, Puzzle, str]], lenient: bool) -> BenchPlan:
    """The plan without what its contenders refuse; raises Refused unless `lenient`, and if nothing is left."""
    if refused and not lenient:
        raise Refused("nothing was timed; --skip leaves out the boards that a backend cannot take")
    skipped = frozenset((contender, puzzle.board) for contender, puzzle, _ in refused)
    if all((contender, board) in skipped for contender in plan.contenders for board in plan.boards):
        raise Refused("no backend takes any of these boards")
    return replace(plan, skipped=skipped)


def _digest(*parts: object) -> str:
    return sha256(repr(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class WarmUp:
    """A puzzle with exactly `solutions`; None where it serves to warm up alone. It is asked for up to `most`."""

    puzzle: Puzzle
    solutions: int | None
    most: int | None

    def fault(self, count: int, exact: bool) -> str | None:
        """What is wrong with so many solutions, which are all if `exact`."""
        if self.solutions is None or count == self.solutions or (count < self.solutions and not exact):
            return None
        return f"{'' if exact else 'at least '}{plural(count, 'solution')}, expected {self.solutions}"


def warm_ups(plan: BenchPlan) -> list[WarmUp]:
    """Three puzzles for each plain board, and for each other kind of board its first puzzle, of unknown answer.

    A puzzle with one solution may leave code that counts cold, so a board without givens goes with it.
    """
    warm_ups: list[WarmUp] = []
    most = plan.solutions
    first = {_kind(puzzle.board): puzzle for puzzle in reversed(plan.puzzles)}
    for board, shuffle in plan.freedoms.items():
        box = box_of(board)
        if shuffle is Shuffle.ALL and box is not None:
            for solutions, givens in ((1, _diagonal(box)), (2, _chain(board, box)), (0, _blocked(box))):
                name = f"a {box.size}x{box.size} with {plural(solutions, 'solution')}"
                warm_ups.append(WarmUp(Puzzle.from_givens(board, givens, name), solutions, most))
        elif first[_kind(board)].board is board:
            warm_ups.append(WarmUp(first[_kind(board)], None, most))
            if plan.work is Work.COUNT:
                warm_ups.append(WarmUp(Puzzle.from_givens(board, {}, "a board without givens"), None, FEW))
    return warm_ups


def _diagonal(box: Box) -> list[int]:
    """A grid without its diagonal: each row lacks one value."""
    grid = shifted_rows(box)
    grid[:: box.size + 1] = [0] * box.size
    return grid


def _chain(board: Board, box: Box) -> list[int]:
    """A grid without one chain of two values, which can be exchanged along it and not otherwise."""
    grid = shifted_rows(box)
    either = {cell for cell, value in enumerate(grid) if value in grid[:2]}
    chain: set[int] = set()
    new = {0}
    while new:
        chain |= new
        beside = {cell for house in board.houses if not new.isdisjoint(house.cells) for cell in house.cells}
        new = beside & either - chain
    return [0 if cell in chain else value for cell, value in enumerate(grid)]


def _blocked(box: Box) -> list[int]:
    """A first row that lacks one value, which stands elsewhere in the column of its open cell; nothing more."""
    grid, size = shifted_rows(box), box.size
    return [*grid[: size - 1], *[0] * (size * (size - 1)), grid[size - 1]]


def _kind(board: Board) -> tuple[object, ...]:
    return board.cells, board.values, frozenset(type(rule) for rule in board.constraints)
