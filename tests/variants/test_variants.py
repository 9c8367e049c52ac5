"""Every kind of mark means what its rule says, on every backend; and what a mark may not be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random

import pytest
from support.variant_boards import BOXED, FIVE, FIVE_JIGSAW, JIGSAW, LATIN, SIX, boxes, samples
from support.variant_oracles import ORACLES, Drawing, Values, draw, grids, obeys

from satdoku import Budget, Grid, Mark, Puzzle, Session, Verdict, check, count, read, write
from satdoku.backends import engine, installed
from satdoku.encoders.cnf import encodings
from satdoku.puzzle import Position
from satdoku.variants import Shape, build, kinds
from satdoku.variants.summaries import describe

PUZZLES = Path(__file__).parents[2] / "puzzles" / "variants"

KINDS = sorted(ORACLES)
SLOW_TO_START = {"kissat404", "lingeling", "maplecm"}
COMPARED = ("glucose4", "cpsat", "backtrack")
JOINED: dict[str, tuple[tuple[tuple[str, int | str | None], ...], ...]] = {
    "nonconsecutive": ((("difference", None),),),
    "negative-ratio": ((("ratio", None),), (("ratio", 3),), (("ratio", 2), ("ratio", 3))),
    "negative-xv": ((("xv", "X"), ("xv", "V")),),
}
"""For each negative rule, the dots or letters that it may go with."""
NEED_BOXES = {"windoku", "disjoint-groups"}
NEED_REGIONS = {"box-indexer", "region-sum"}


@dataclass(frozen=True)
class Instance:
    """A drawing and givens."""

    drawing: Drawing
    givens: tuple[tuple[Position, int], ...]

    @property
    def puzzle(self) -> Puzzle:
        size = self.drawing.size
        board = build(size, self.drawing.marks)
        return Puzzle.from_givens(board, {(row - 1) * size + column - 1: value for (row, column), value in self.givens})

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


def drawable(kind: str, base: Drawing) -> bool:
    drawn = {mark.kind for mark in base.marks}
    if kind in NEED_BOXES:
        return "boxes" in drawn
    if kind in NEED_REGIONS:
        return bool(drawn)
    if kind in ("boxes", "region"):
        return not drawn and (kind == "region" or base.size in (4, 6))
    return True


def instance(rng: Random, base: Drawing, among: list[str], givens: int) -> Instance:
    """Marks of those kinds on the base, most often obeyed by a grid that the givens are taken from."""
    marks = list(base.marks)
    rules = Drawing(base.size, (*marks, *(Mark(kind) for kind in among if rules_all(kind))))
    hidden = rng.choice([at for at in samples(base) if obeys(rules, at)] or samples(base))
    for kind in among:
        if kind in JOINED and rng.random() < 0.8:
            drawn = rng.choice(JOINED[kind])
            marks += [mark for mark in joined(drawn, base, hidden) if rng.random() < 0.97]
        at = hidden if rng.random() < 0.8 else None
        mark = draw(kind, rng, Drawing(base.size, tuple(marks)), at)
        if mark not in marks:
            marks.append(mark)
    places = rng.sample(base.positions, givens)
    return Instance(Drawing(base.size, tuple(marks)), tuple((place, hidden[place]) for place in sorted(places)))


def joined(drawn: tuple[tuple[str, int | str | None], ...], base: Drawing, at: Values) -> Iterator[Mark]:
    """All of those dots or letters that this grid has room for."""
    for edge in base.edges():
        for name, value in drawn:
            mark = Mark(name, edge, value=value)
            if ORACLES[name](base, mark, at):
                yield mark


def rules_all(kind: str) -> bool:
    """Whether marks of that kind hold nothing, so that there is one of them."""
    return kinds()[kind].shape is Shape.RULE and kind != "boxes"


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
    @pytest.mark.parametrize("kind", KINDS)
    def test_all_solutions_of_small_boards(self, kind: str) -> None:
        among = list(instances(kind, 0, 2))
        split = [each.split() for each in among]
        assert any(right for right, _ in split)
        assert any(wrong for _, wrong in split) or kind in ("boxes", "region")
        for backend in COMPARED:
            assert first_difference(backend, among) is None

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", KINDS)
    def test_more_instances(self, kind: str) -> None:
        among = list(instances(kind, 1, 25))
        for backend in COMPARED:
            assert first_difference(backend, among) is None

    @pytest.mark.parametrize(
        "backend", [name for name in installed() if name not in COMPARED and not engine(name).all_different_only]
    )
    def test_every_backend(self, backend: str) -> None:
        assert first_difference(backend, one_of_each(8 if backend in SLOW_TO_START else 1)) is None

    @pytest.mark.parametrize("encoding", sorted(encodings()))
    def test_every_encoding(self, encoding: str) -> None:
        assert first_difference("glucose4", one_of_each(1), encoding) is None

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
        among = [instance(rng, base, list(rules), givens) for base, givens in ((BOXED, 1), (FIVE, 8)) for _ in range(8)]
        assert sum(bool(each.split()[0]) for each in among) > 2
        for backend in COMPARED:
            assert first_difference(backend, among) is None


class TestRulesOfTheBoard:
    """Small boards leave few grids to such a rule, so what it says of two cells is looked at as well."""

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if rules_all(kind)])
    def test_of_any_two_cells(self, kind: str) -> None:
        for base, values in ((BOXED, range(1, 5)), (SIX, (1, 2))):
            drawing = Drawing(base.size, (*base.marks, Mark(kind)))
            for first, second in combinations(range(base.size**2), 2):
                for pair in product(values, repeat=2):
                    self.agree(drawing, {first: pair[0], second: pair[1]})

    @pytest.mark.parametrize("size", [9, 16])
    def test_a_value_that_comes_twice_in_a_windoku(self, size: int) -> None:
        root = round(size**0.5)
        drawing = Drawing(size, (*boxes(f"{root}x{root}"), Mark("windoku")))
        rng = Random(size)
        for _ in range(500):
            self.agree(drawing, dict.fromkeys(rng.sample(range(size * size), 2), 1))

    def agree(self, drawing: Drawing, filled: dict[int, int]) -> None:
        """Whether the board and the oracle say the same of a grid with two cells filled."""
        board = build(drawing.size, drawing.marks)
        # For the oracle, all other cells hold values that are in no relation to each other or to 1..N.
        at = {cell: filled.get(number, 1000 + 2 * number) for number, cell in enumerate(drawing.positions)}
        sound = all(at[cell] != at[peer] for cell in drawing.positions for peer in drawing.peers[cell])
        allowed = not any(Puzzle.from_givens(board, filled).clashes())
        assert allowed == (sound and obeys(drawing, at)), (drawing.marks[-1], filled)


@cache
def one_of_each(step: int) -> list[Instance]:
    """An instance of each kind, or of every `step`-th, with few solutions."""
    rng = Random(step)
    bases = {kind: [base for base in (BOXED, LATIN, JIGSAW) if drawable(kind, base)] for kind in KINDS[::step]}
    return [instance(rng, rng.choice(bases[kind]), [kind] * 2, rng.randint(3, 6)) for kind in bases]


def mixtures(seed: int, count: int) -> Iterator[Instance]:
    """Three to six marks of any kinds on one board."""
    rng = Random(seed)
    for _ in range(count):
        base, givens = rng.choice(((BOXED, 0), (BOXED, 2), (JIGSAW, 1), (FIVE_JIGSAW, 6), (SIX, 14)))
        fitting = [kind for kind in KINDS if drawable(kind, base)]
        yield instance(rng, base, rng.sample(fitting, rng.randint(3, 6)), givens)


def pattern(size: int, root: int, stride: int, rng: Random | None = None) -> Values:
    """A grid with boxes whose rows are shifts of each other; shuffled as far as boxes permit."""
    values, lines = list(range(size)), [list(range(size)), list(range(size))]
    if rng:
        rng.shuffle(values)
        for line in lines:
            line.sort(key=lambda index: (index // root, rng.random()))
    at: Values = {}
    for row, column in Drawing(size).positions:
        down, right = lines[0][row - 1], lines[1][column - 1]
        at[row, column] = values[stride * (down % root * root + down // root + right) % size] + 1
    return at


def full(kind: str, size: int, rng: Random) -> Values:
    """A grid that obeys the kind, if it is a rule of the whole board."""
    root, stride = {9: (3, 4), 16: (4, 5), 25: (5, 7)}[size]
    if not rules_all(kind):
        return pattern(size, root, stride, rng)
    at = pattern(size, root, stride)
    drawing = Drawing(size, (*boxes(f"{root}x{root}"), Mark(kind)))
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
    base = Drawing(size, () if kind in ("boxes", "region") else boxes(f"{root}x{root}"))
    dots = tuple(joined(JOINED[kind][0], base, at)) if kind in JOINED else ()
    if kind == "region":
        marks = tuple(Mark(kind, tuple(region)) for region in Drawing(size, boxes(f"{root}x{root}")).regions)
    else:
        marks = (draw(kind, rng, Drawing(size, (*base.marks, *dots)), at),)
    drawing = Drawing(size, (*base.marks, *dots, *marks))
    ours = [cell for part in (marks[-1].cells, *marks[-1].lines) for cell in part if cell in drawing.inside]
    empty = {*ours[:9], *rng.sample(drawing.positions, 12)}
    # Two values in the rows of a band, where they can often be exchanged.
    empty |= {cell for cell in drawing.positions if cell[0] <= root and at[cell] in (at[1, 1], at[2, 1])}
    return Instance(drawing, tuple((cell, at[cell]) for cell in drawing.positions if cell not in empty))


class TestSizes:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize(
        ("size", "backend"),
        [
            (9, "glucose4"),
            pytest.param(9, "cpsat", marks=pytest.mark.slow),
            (16, "glucose4"),
            pytest.param(25, "cpsat", marks=pytest.mark.slow),
        ],
    )
    def test_every_kind(self, kind: str, size: int, backend: str) -> None:
        case = large(kind, size)
        # No windoku of 25x25 is at hand: there, the grids of the pattern are what it must exclude.
        assert case.split()[(kind, size) == ("windoku", 25)]
        assert first_difference(backend, [case]) is None


class TestEdges:
    """What a rule says at its limits."""

    def count(self, *marks: Mark, size: int = 4, givens: str = "") -> int:
        board = build(size, (*BOXED.marks, *marks))
        puzzle = Puzzle.from_givens(board, [int(value) for value in givens.ljust(size * size, "0")])
        outcome = count(puzzle)
        assert count(puzzle, backend="cpsat").count == outcome.count
        return outcome.count

    def test_a_closed_renban_or_nabner_names_its_first_cell_again(self) -> None:
        loop = ((1, 2), (1, 3), (2, 3), (2, 2), (1, 2))
        assert self.count(Mark("renban", lines=(loop,))) == self.count(Mark("renban", lines=(loop[:4],))) > 0
        assert self.count(Mark("nabner", lines=(loop,))) == 0

    def test_a_double_arrow_with_nothing_between_cannot_be(self) -> None:
        assert self.count(Mark("double-arrow", lines=(((1, 1), (1, 2)),))) == 0

    def test_a_line_of_one_cell_says_nothing(self) -> None:
        for kind in ("thermometer", "palindrome", "between", "zipper", "whispers", "renban", "region-sum"):
            assert self.count(Mark(kind, lines=(((2, 2),),))) == 288

    def test_an_arrow_without_lines_says_nothing(self) -> None:
        assert self.count(Mark("arrow", ((1, 1),))) == 288

    def test_a_sum_out_of_reach_cannot_be(self) -> None:
        for total in (-1, 0, 99):
            assert self.count(Mark("cage", ((1, 1), (1, 2)), value=total)) == 0
            assert self.count(Mark("skyscraper", ((0, 1),), value=total)) == 0
            assert self.count(Mark("x-sum", ((0, 1),), value=total)) == 0

    def test_a_bulb_of_two_cells_reads_left_to_right_however_it_is_listed(self) -> None:
        shaft = ((2, 1), (2, 2), (3, 2), (3, 3))
        thirteen = [at for at in grids(BOXED, {(1, 1): 1, (1, 2): 3}) if sum(at[cell] for cell in shaft) == 13]
        assert thirteen
        for bulb in (((1, 1), (1, 2)), ((1, 2), (1, 1))):
            assert self.count(Mark("arrow", bulb, (shaft,)), givens="13") == len(thirteen)


class TestDescribe:
    @pytest.mark.parametrize(
        ("size", "marks", "words"),
        [
            (9, boxes("3x3"), "9x9 with 3x3 boxes, 1 given"),
            (6, boxes("2x3"), "6x6 with 2x3 boxes, 1 given"),
            (4, JIGSAW.marks, "4x4 with irregular regions, 1 given"),
            (5, (), "5x5, 1 given"),
            (
                9,
                (*boxes("3x3"), Mark("anti-knight"), Mark("diagonal-")),
                "9x9 with 3x3 boxes, 1 given, anti-knight, diagonal-",
            ),
            (
                4,
                (*boxes("2x2"), Mark("odd", ((1, 1),)), Mark("cage", ((1, 2),)), Mark("odd", ((2, 1),))),
                "4x4 with 2x2 boxes, 1 given, 2 odd cells, 1 cage",
            ),
        ],
    )
    def test_a_puzzle_in_one_line(self, size: int, marks: tuple[Mark, ...], words: str) -> None:
        assert describe(Puzzle.from_givens(build(size, marks), {0: 1})) == words

    @pytest.mark.parametrize("kind", KINDS)
    def test_every_kind_has_its_words(self, kind: str) -> None:
        known = kinds()[kind]
        assert known.summary[0].isupper()
        assert known.summary.endswith(".")
        base = () if kind in ("boxes", "region") else BOXED.marks
        mark = draw(kind, Random(kind), Drawing(4, base), samples(BOXED)[0])
        said = describe(Puzzle.from_givens(build(4, (*base, mark)), {}))
        if kind == "boxes":
            assert said == "4x4 with 2x2 boxes, 0 givens"
        elif kind == "region":
            assert said == "4x4 with irregular regions, 0 givens"
        else:
            assert said.endswith(f", {kind}" if rules_all(kind) else f", 1 {kind}")


class TestPuzzles:
    """puzzles/variants: a puzzle of each kind, a small one or 9x9, whose one solution hangs on it."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_one_solution_with_the_rule_and_more_without(self, kind: str) -> None:
        text = (PUZZLES / f"{kind}.toml").read_text()
        puzzle = read(text)
        board = puzzle.board
        assert board.columns in (4, 6, 9)
        assert write(puzzle, "toml") + "\n" == text
        without = build(board.size, tuple(mark for mark in board.marks if mark.kind != kind))
        found = [check(puzzle, backend=backend) for backend in ("glucose4", "cpsat")]
        assert [outcome.verdict for outcome in found] == [Verdict.UNIQUE] * 2
        assert found[0].grids == found[1].grids
        drawing = Drawing(board.columns, board.marks)
        assert obeys(drawing, dict(zip(drawing.positions, found[0].grids[0], strict=True)))
        assert check(replace(puzzle, board=without)).verdict is Verdict.MULTIPLE
