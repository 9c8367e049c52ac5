"""Marks of every kind leave the grids that their oracles accept, on every backend and with every encoding."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

import pytest
from support.amount import LONG, every
from support.boards import BOXED, FIVE, FIVE_JIGSAW, JIGSAW, LATIN, NEED_BOXES, ON_A_GRID, SIX, boxes, drawable, samples
from support.drawing import MarkedSquare, Values, grids
from support.engines import SLOW
from support.oracles import ORACLES, RULES, draw, obeys

from satdoku import Budget, Grid, Mark, Puzzle, Session
from satdoku.backends import engine, installed
from satdoku.encoders.cnf import encodings
from satdoku.puzzle import Position
from satdoku.variants import build

COMPARED = ("glucose4", "cpsat", "backtrack")
FEWER = {"cpsat": 5, "backtrack": 5}  # every fifth of many instances, of which some take them a minute
JOINED: dict[str, tuple[tuple[tuple[str, int | str | None], ...], ...]] = {
    "nonconsecutive": ((("difference", None),),),
    "negative-ratio": ((("ratio", None),), (("ratio", 3),), (("ratio", 2), ("ratio", 3))),
    "negative-xv": ((("xv", "X"), ("xv", "V")),),
    **{
        f"negative-{kind}": (((kind, None),),)
        for kind in ("battenberg", "row-indexer", "column-indexer", "box-indexer")
    },
}
"""For each negative rule, the dots, letters and cells that it may go with."""


@dataclass(frozen=True)
class Instance:
    """A drawing and givens."""

    drawing: MarkedSquare
    givens: tuple[tuple[Position, int], ...]

    @property
    def puzzle(self) -> Puzzle:
        size = self.drawing.size
        board = build(size, self.drawing.marks)
        return Puzzle.from_givens(board, {(row - 1) * size + column - 1: value for (row, column), value in self.givens})

    @lru_cache(maxsize=256)  # noqa: B019  each backend is compared with the same few
    def split(self) -> tuple[set[Grid], set[Grid]]:
        """All grids: those that obey the marks, and those that do not."""
        divided: tuple[set[Grid], set[Grid]] = (set(), set())
        for at in grids(self.drawing, dict(self.givens)):
            divided[0 if obeys(self.drawing, at) else 1].add(tuple(at[cell] for cell in self.drawing.positions))
        return divided


def instances(kind: str, seed: int, each: int) -> Iterator[Instance]:
    """`each` instances of every board that the kind can be drawn on."""
    rng = Random(f"{kind} {seed}")
    for base, fewest, most in (
        (BOXED, 0, 4),
        (LATIN, 1, 4),
        (JIGSAW, 0, 2),
        (FIVE, 8, 12),
        (FIVE_JIGSAW, 5, 9),
        (SIX, 14, 20),
    ):
        if drawable(kind, base):
            for _ in range(each):
                yield instance(rng, base, [kind] * rng.choice((1, 1, 2, 3)), rng.randint(fewest, most))


def instance(rng: Random, base: MarkedSquare, among: list[str], givens: int) -> Instance:
    """Marks of those kinds on the base, most often obeyed by a grid that the givens are taken from."""
    rules = [Mark(kind, value=rng.choice(RULES[kind])) for kind in dict.fromkeys(among) if kind in RULES]
    marks = [*base.marks, *rules]
    ruled = MarkedSquare(base.size, tuple(marks))
    hidden = rng.choice([at for at in samples(base) if obeys(ruled, at)] or samples(base))
    for kind in among:
        if kind in JOINED and rng.random() < 0.8:
            drawn = rng.choice(JOINED[kind])
            marks += [mark for mark in joined(drawn, base, hidden) if rng.random() < 0.97]
        if kind not in RULES:
            at = hidden if rng.random() < 0.8 else None
            mark = draw(kind, rng, MarkedSquare(base.size, tuple(marks)), at)
            if mark not in marks:
                marks.append(mark)
    places = rng.sample(base.positions, givens)
    return Instance(MarkedSquare(base.size, tuple(marks)), tuple((place, hidden[place]) for place in sorted(places)))


def joined(drawn: tuple[tuple[str, int | str | None], ...], base: MarkedSquare, at: Values) -> Iterator[Mark]:
    """All of those dots, letters or cells that this grid has room for."""
    for name, value in drawn:
        for cells in places(name, base):
            mark = Mark(name, cells, value=value)
            if ORACLES[name](base, mark, at):
                yield mark


def places(name: str, base: MarkedSquare) -> Iterator[tuple[Position, ...]]:
    """Where marks of a kind may stand: in cells, around corners, else between neighbours."""
    if name.endswith("indexer"):
        yield from ((cell,) for cell in base.positions)
    elif name == "battenberg":
        corners = ((row, column) for row, column in base.positions if max(row, column) < base.size)
        yield from (((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)) for r, c in corners)
    else:
        yield from base.edges()


def differs(session: Session, instance: Instance, truth: set[Grid]) -> str | None:
    """How all solutions that a backend finds differ from the truth; None if they are the same."""
    puzzle = instance.puzzle
    outcome = session.run(puzzle, Budget(None), keep=None)
    if set(outcome.grids) == truth and outcome.count == len(truth) and outcome.exact:
        return None
    return f"{session.name}: {outcome.count} solutions, expected {len(truth)}: {instance}"


def first_difference(backend: str, among: list[Instance], encoding: str | None = None) -> str | None:
    with Session(backend, encoding) as session:
        return next(filter(None, (differs(session, each, each.split()[0]) for each in among)), None)


class TestAgainstBruteForce:
    @pytest.mark.parametrize("kind", ON_A_GRID)
    def test_all_solutions_of_small_boards(self, kind: str) -> None:
        among = list(instances(kind, 0, 2 if kind in NEED_BOXES else 1))
        split = [each.split() for each in among]
        assert any(right for right, _ in split) or kind == "anti-taxicab"
        assert any(wrong for _, wrong in split) or kind in ("boxes", "region", "roping")  # two boxes are always roped
        for backend in COMPARED if LONG else COMPARED[ON_A_GRID.index(kind) % 3 :][:1]:
            assert first_difference(backend, among) is None

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", ON_A_GRID)
    def test_more_instances(self, kind: str) -> None:
        among = list(instances(kind, 1, 25))
        for backend in COMPARED:
            assert first_difference(backend, among[:: FEWER.get(backend, 1)]) is None

    @pytest.mark.parametrize(
        "backend", [name for name in installed() if name not in COMPARED and not engine(name).all_different_only]
    )
    def test_every_backend(self, backend: str) -> None:
        assert first_difference(backend, one_of_each(32 if backend in SLOW else 2)) is None

    @pytest.mark.parametrize("encoding", sorted(encodings()))
    def test_every_encoding(self, encoding: str) -> None:
        assert first_difference("glucose4", one_of_each(2), encoding) is None

    @pytest.mark.parametrize("seed", range(4))
    def test_several_kinds_together(self, seed: int) -> None:
        among = list(mixtures(seed, 8))
        for backend in COMPARED:
            assert first_difference(backend, among) is None

    @pytest.mark.slow
    @pytest.mark.parametrize("seed", range(4, 60))
    def test_more_kinds_together(self, seed: int) -> None:
        among = list(mixtures(seed, 8))
        for backend in COMPARED:
            assert first_difference(backend, among) is None

    @pytest.mark.parametrize("rules", [("nonconsecutive",), ("negative-ratio",), ("negative-xv",), tuple(JOINED)])
    def test_negative_rules_leave_out_what_is_joined(self, rules: tuple[str, ...]) -> None:
        rng = Random(" ".join(rules))
        among = [
            instance(rng, base, [rule for rule in rules if drawable(rule, base)], givens)
            for base, givens in ((BOXED, 1), (FIVE, 8))
            for _ in range(16)
        ]
        assert sum(bool(each.split()[0]) for each in among) > 2
        for backend in COMPARED:
            assert first_difference(backend, among) is None


@cache
def one_of_each(step: int) -> list[Instance]:
    """An instance of each kind, or of every `step`-th, with few solutions."""
    rng = Random(step)
    bases = {kind: [base for base in (BOXED, LATIN, JIGSAW) if drawable(kind, base)] for kind in ON_A_GRID[::step]}
    return [instance(rng, rng.choice(bases[kind]), [kind] * 2, rng.randint(3, 6)) for kind in bases]


def mixtures(seed: int, count: int) -> Iterator[Instance]:
    """Three to six marks of any kinds on one board."""
    rng = Random(seed)
    for _ in range(count):
        base, givens = rng.choice(((BOXED, 0), (BOXED, 2), (JIGSAW, 1), (FIVE_JIGSAW, 6), (SIX, 14)))
        fitting = [kind for kind in ON_A_GRID if drawable(kind, base)]
        yield instance(rng, base, rng.sample(fitting, rng.randint(3, 6)), givens)


def pattern(size: int, root: int, stride: int, rng: Random | None = None) -> Values:
    """A grid with boxes whose rows are shifts of each other; shuffled as far as boxes permit."""
    values, lines = list(range(size)), [list(range(size)), list(range(size))]
    if rng:
        rng.shuffle(values)
        for line in lines:
            line.sort(key=lambda index: (index // root, rng.random()))
    at: Values = {}
    for row, column in MarkedSquare(size).positions:
        down, right = lines[0][row - 1], lines[1][column - 1]
        at[row, column] = values[stride * (down % root * root + down // root + right) % size] + 1
    return at


PATTERNED = {
    *("anti-king", "anti-knight", "diagonal+", "diagonal-", "disjoint-groups"),
    *("negative-ratio", "negative-xv", "nonconsecutive", "windoku"),
}
"""The rules of the whole board that a grid of 16x16 is known for, or can be found."""


def full(kind: str, size: int, rng: Random) -> Values:
    """A grid that obeys the kind, if it is a rule of the whole board."""
    root, stride = {9: (3, 4), 16: (4, 5), 25: (5, 7)}[size]
    if kind not in RULES:
        return pattern(size, root, stride, rng)
    at = pattern(size, root, stride)
    drawing = MarkedSquare(size, (*boxes(f"{root}x{root}"), Mark(kind)))
    if kind in JOINED or (kind, size) == ("windoku", 25) or obeys(drawing, at):
        return at
    with Session("glucose4") as session:
        found = session.run(Instance(drawing, ()).puzzle, Budget(1), keep=1).grids[0]
    at = dict(zip(drawing.positions, found, strict=True))
    assert obeys(drawing, at)
    return at


def large(kind: str, size: int) -> Instance:
    """One mark on a board that is full but for its cells, or some of them, and a few others."""
    rng = Random(f"{kind} {size}")
    at = full(kind, size, rng)
    root = round(size**0.5)
    base = MarkedSquare(size, () if kind in ("boxes", "region") else boxes(f"{root}x{root}"))
    dots = tuple(joined(JOINED[kind][0], base, at)) if kind in JOINED else ()
    if kind == "region":
        marks = tuple(Mark(kind, tuple(region)) for region in MarkedSquare(size, boxes(f"{root}x{root}")).regions)
    else:
        marks = (draw(kind, rng, MarkedSquare(size, (*base.marks, *dots)), at),)
    drawing = MarkedSquare(size, (*base.marks, *dots, *marks))
    ours = [cell for part in (marks[-1].cells, *marks[-1].lines) for cell in part if cell in drawing.inside]
    empty = {*ours[:9], *rng.sample(drawing.positions, 12)}
    # Two values in the rows of a band, where they can often be exchanged.
    empty |= {cell for cell in drawing.positions if cell[0] <= root and at[cell] in (at[1, 1], at[2, 1])}
    return Instance(drawing, tuple((cell, at[cell]) for cell in drawing.positions if cell not in empty))


LARGE = [kind for kind in ON_A_GRID if kind not in RULES or kind in PATTERNED]


class TestSizes:
    @pytest.mark.parametrize(
        ("kind", "size", "backend"),
        [
            # The constraints of the others are those of test_lowering.
            *every(2, ((kind, 9, "glucose4") for kind in LARGE)),
            *every(8, ((kind, 16, "glucose4") for kind in LARGE)),
            *(pytest.param(kind, 9, "cpsat", marks=pytest.mark.slow) for kind in LARGE),
            *(pytest.param(kind, 25, "cpsat", marks=pytest.mark.slow) for kind in LARGE[::3]),
        ],
    )
    def test_every_kind(self, kind: str, size: int, backend: str) -> None:
        case = large(kind, size)
        # No windoku of 25x25 is at hand: there, the grids of the pattern are what it must exclude.
        assert case.split()[(kind, size) == ("windoku", 25)]
        assert first_difference(backend, [case]) is None
