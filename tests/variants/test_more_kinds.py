"""The kinds of `more_oracles` mean what their sentences say: their constraints alone, and on every backend."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from support import more_cell_oracles, more_oracles, own_oracles, variant_oracles
from support.hidden_oracles import HIDDEN
from support.more_oracles import MAKERS, ORACLES, RULES, draw, obeys
from support.variant_oracles import Drawing, Values, grids

from satdoku import Budget, Mark, Puzzle, PuzzleError, Session, Verdict, check, count, read, write
from satdoku.constraints import Grid
from satdoku.formats.toml import FORMATS as TOML
from satdoku.puzzle import Position, Size
from satdoku.variants import Frame, Shape, Value, build, kinds, named, records
from satdoku.variants.summaries import describe

PUZZLES = Path(__file__).parents[2] / "puzzles" / "variants"
KINDS = sorted(ORACLES)
COMPARED = ("glucose4", "cpsat", "backtrack")
NEED_BOXES = {"disjoint-group", "outside", "frame-sum"}

BOXED = Drawing(4, (Mark("boxes", value="2x2"),))
LATIN = Drawing(4)
LARGE = {
    5: Drawing(5),
    6: Drawing(6, (Mark("boxes", value="2x3"),)),
    9: Drawing(9, (Mark("boxes", value="3x3"),)),
    16: Drawing(16, (Mark("boxes", value="4x4"),)),
    25: Drawing(25, (Mark("boxes", value="5x5"),)),
}


def test_every_kind_has_one_oracle_one_maker_and_one_puzzle() -> None:
    assert {*more_cell_oracles.SIZES, *own_oracles.INSIDE} <= {*ORACLES, *variant_oracles.ORACLES}
    assert set(ORACLES) == set(MAKERS)
    assert not set(ORACLES) & set(variant_oracles.ORACLES)
    every = set(ORACLES) | set(variant_oracles.ORACLES) | set(HIDDEN)
    assert every == set(kinds())
    assert {path.stem for path in PUZZLES.iterdir()} == every


def filling(rng: Random, drawing: Drawing) -> Values:
    """Any values, repeats included; at times few values, so that a mark that needs repeats is met."""
    few = rng.choice((2, 3, drawing.size, drawing.size))
    return {position: rng.randint(1, few) for position in drawing.positions}


def agree(drawing: Drawing, mark: Mark, fillings: list[Values]) -> list[bool]:
    """What the oracle says of each filling, which is what the mark's constraints say."""
    whole = replace(drawing, marks=(*drawing.marks, mark))
    constraints = list(kinds()[mark.kind].lower(Frame(Size.of(drawing.size), whole.marks), mark))
    verdicts = []
    for at in fillings:
        grid = [at[position] for position in drawing.positions]
        verdicts.append(ORACLES[mark.kind](whole, mark, at))
        assert all(rule.holds(grid) for rule in constraints) == verdicts[-1], (mark, at)
    return verdicts


class TestConstraints:
    """What a mark lowers to, asked about fillings that need not be Sudokus."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_the_oracle_says_the_same(self, kind: str) -> None:
        said: list[bool] = []
        whole = kinds()[kind].shape is Shape.RULE
        for size, marks in ((5, 2), (6, 1)) if whole else ((5, 12), (6, 8), (9, 6), (16, 1)):
            said += compared(kind, LARGE[size], marks)
        said += [verdict for value in RULES.get(kind, ()) for verdict in agree(BOXED, Mark(kind, value=value), near())]
        assert {True, False} == set(said)

    @pytest.mark.slow
    @pytest.mark.parametrize("kind", KINDS)
    def test_at_length(self, kind: str) -> None:
        for size, marks in ((5, 200), (6, 100), (9, 100), (16, 10), (25, 2)):
            compared(kind, LARGE[size], marks)


def compared(kind: str, drawing: Drawing, marks: int) -> list[bool]:
    """So many random marks, each drawn for one filling and asked about others as well."""
    rng = Random(f"{kind} {drawing.size}")
    said: list[bool] = []
    if kind in NEED_BOXES and not drawing.marks:
        return said
    for _ in range(marks):
        fillings = [filling(rng, drawing) for _ in range(8)]
        mark = MAKERS[kind](rng, drawing, fillings[0])
        said += agree(drawing, mark, fillings)
    return said


def near() -> list[Values]:
    """Grids of 4x4, some of them with two cells changed."""
    rng = Random(4)
    some = [dict(at) for at in rng.sample(every(BOXED), 60) + rng.sample(every(LATIN), 60)]
    for at in some[::2]:
        for position in rng.sample(BOXED.positions, 2):
            at[position] = rng.randint(1, 4)
    return some + [dict.fromkeys(BOXED.positions, value) for value in BOXED.values] + shifted()


def shifted() -> list[Values]:
    """Each row is the one above it shifted, so that equal values are as far apart as they can be."""
    return [{(row, column): (down * row + column) % 4 + 1 for row, column in BOXED.positions} for down in range(4)]


@cache
def every(base: Drawing) -> list[Values]:
    return list(grids(base, {}))


@dataclass(frozen=True)
class Instance:
    """A 4x4 board, marks on it, and givens that leave few solutions."""

    base: Drawing
    drawing: Drawing
    givens: Values

    @property
    def puzzle(self) -> Puzzle:
        givens = {self.base.positions.index(position): value for position, value in self.givens.items()}
        return Puzzle.from_givens(build(4, self.drawing.marks), givens)

    @property
    def truth(self) -> set[Grid]:
        among = (at for at in every(self.base) if self.givens.items() <= at.items())
        return {tuple(at.values()) for at in among if obeys(self.drawing, at)}


def instance(rng: Random, base: Drawing, among: list[str]) -> Instance:
    """Marks of those kinds on the base, which a grid obeys where that can be found soon."""
    rules = [Mark(kind, value=rng.choice(RULES[kind])) for kind in among if kind in RULES]
    drawing = replace(base, marks=(*base.marks, *rules))
    hidden = rng.choice([at for at in every(base) if obeys(drawing, at)] or every(base))
    for kind in among:
        if kind not in RULES:
            maker = draw if kind in ORACLES else variant_oracles.draw
            mark = maker(kind, rng, drawing, hidden)
            if mark not in drawing.marks:
                drawing = replace(drawing, marks=(*drawing.marks, mark))
    places = rng.sample(base.positions, 2 if base is BOXED else 4)
    return Instance(base, drawing, {place: hidden[place] for place in places})


def differs(session: Session, instance: Instance) -> str | None:
    """How all solutions that a backend finds differ from the truth; None if they are the same."""
    outcome = session.run(instance.puzzle, Budget(None), keep=None)
    expected = instance.truth
    if set(outcome.grids) == expected and outcome.count == len(expected) and outcome.exact:
        return None
    return f"{session.name}: {outcome.count} solutions, expected {len(expected)}: {instance}"


def instances(seed: int, each: int) -> Iterator[Instance]:
    """For every kind some boards with two marks of it."""
    for kind in KINDS:
        rng = Random(f"{kind} {seed}")
        for base in [BOXED] if kind in NEED_BOXES else [BOXED, LATIN]:
            for _ in range(each):
                yield instance(rng, base, [kind] * (1 if kind in RULES else 2))


def mixtures(seed: int, several: int) -> Iterator[Instance]:
    """Three to six kinds on one board, those of `variant_oracles` among them."""
    rng = Random(seed)
    usual = [kind for kind in variant_oracles.ORACLES if kinds()[kind].shape is not Shape.RULE and kind != "region"]
    for _ in range(several):
        yield instance(rng, BOXED, rng.sample(KINDS, rng.randint(2, 4)) + rng.sample(usual, rng.randint(1, 2)))


class TestBackends:
    @pytest.mark.parametrize("backend", COMPARED)
    def test_all_solutions_of_a_board_of_each_kind(self, backend: str) -> None:
        with Session(backend) as session:
            assert [found for found in (differs(session, each) for each in instances(0, 1)) if found] == []

    @pytest.mark.parametrize("backend", COMPARED)
    def test_several_kinds_together(self, backend: str) -> None:
        boards = list(mixtures(0, 25))
        assert sum(bool(each.truth) for each in boards) > 12
        with Session(backend) as session:
            assert [found for found in (differs(session, each) for each in boards) if found] == []

    @pytest.mark.slow
    @pytest.mark.parametrize("backend", COMPARED)
    def test_at_length(self, backend: str) -> None:
        with Session(backend) as session:
            for each in (*instances(1, 10), *mixtures(1, 300)):
                assert differs(session, each) is None


class TestPuzzles:
    """puzzles/variants: a puzzle of each kind, a small one or 9x9, whose one solution hangs on it."""

    @pytest.mark.parametrize("kind", KINDS)
    def test_one_solution_with_the_mark_and_more_without(self, kind: str) -> None:
        text = (PUZZLES / f"{kind}.toml").read_text()
        puzzle = read(text)
        board = puzzle.board
        assert board.columns in (4, 6, 9)
        assert write(puzzle, "toml") + "\n" == text
        found = check(puzzle, backend="glucose4")
        assert found.verdict is Verdict.UNIQUE
        drawing = Drawing(board.columns, board.marks)
        assert obeys(drawing, dict(zip(drawing.positions, found.grids[0], strict=True)))
        without = build(board.size, tuple(mark for mark in board.marks if mark.kind != kind))
        assert check(replace(puzzle, board=without), backend="glucose4").verdict is Verdict.MULTIPLE


def total(*marks: Mark) -> int:
    """Solutions of the empty 4x4 board."""
    found = count(Puzzle.from_givens(build(4, (*BOXED.marks, *marks)), {}))
    assert found.count is not None
    return found.count


def on_line(kind: str, *cells: Position, value: int | str | None = None) -> Mark:
    return Mark(kind, lines=(cells,), value=value)


class TestEdges:
    """What a mark says at its limits."""

    @pytest.mark.parametrize("kind", sorted({*more_oracles.LINES, "sum-line"} - {"value-index", "index-line"}))
    def test_a_line_of_one_cell_holds(self, kind: str) -> None:
        value = 3 if kind == "modular-by" else None
        expected = 72 if kind == "counting-line" else 288
        assert total(on_line(kind, (2, 2), value=value)) == expected

    def test_a_value_index_line_has_three_cells_or_more(self) -> None:
        assert (
            refused(on_line("value-index", (1, 1), (1, 2))) == "value-index: a line of 2 cells: expected three or more"
        )

    def test_a_lockout_line_of_two_cells_holds_the_difference_alone(self) -> None:
        assert total(on_line("lockout", (1, 1), (1, 2), value=3)) == 48

    def test_a_cell_that_is_named_twice_counts_twice_in_sums_and_products(self) -> None:
        assert total(Mark("sum", ((1, 1), (1, 1)), value="4")) == 72
        assert total(Mark("sum", ((1, 1), (1, 1)), value="< 5")) == 144
        assert total(Mark("product", ((1, 1), (1, 1)), value=9)) == 72

    def test_a_cell_that_is_named_twice_is_compared_with_itself(self) -> None:
        assert total(on_line("parity-line", (1, 1), (1, 1))) == 0
        assert total(on_line("modular-by", (1, 1), (1, 2), (1, 1), value=3)) == 0
        assert total(on_line("unimodular", (1, 1), (1, 1))) == 288

    def test_a_sum_loop_needs_no_cut_at_its_first_cell(self) -> None:
        loop = ((2, 2), (2, 3), (3, 3), (3, 2))
        tried = {first: total(on_line("sum-line", *loop[first:], *loop[: first + 1], value=5)) for first in range(4)}
        assert tried == dict.fromkeys(range(4), 120)

    def test_an_edge_sum_exempts_its_edge_from_the_negative_sum(self) -> None:
        def fives(at: Values) -> list[tuple[Position, Position]]:
            return [(a, b) for a, b in BOXED.edges() if at[a] + at[b] == 5]

        drawn = fives(every(BOXED)[0])
        alike = sum(fives(at) == drawn for at in every(BOXED))
        assert alike
        assert total(Mark("negative-sum", value="5"), *(Mark("edge-sum", edge, value=5) for edge in drawn)) == alike

    def test_a_clue_cell_may_stand_among_those_that_it_counts(self) -> None:
        assert total(Mark("count-distinct", ((1, 1), (1, 1), (1, 2)))) == 72
        assert total(Mark("average-arrow", ((1, 1),), (((1, 1), (1, 1)),))) == 288

    def test_one_group_holds(self) -> None:
        for kind in ("equal-sum", "same-values"):
            assert total(Mark(kind, lines=(((1, 1), (2, 2)),))) == 288

    def test_a_total_out_of_reach_cannot_be(self) -> None:
        for value in (-1, 0, 99):
            assert total(Mark("product", ((1, 1), (1, 2)), value=value)) == 0
        for value in (-1, 99):
            for kind in ("numbered-room", "before-nine", "battlefield", "hidden-skyscraper"):
                assert total(Mark(kind, ((0, 1),), value=value)) == 0
            assert total(Mark("lunchbox", ((1, 1), (1, 2), (1, 3)), value=value)) == 0


def refused(*marks: Mark) -> str:
    with pytest.raises(PuzzleError) as caught:
        build(4, (*BOXED.marks, *marks))
    return str(caught.value)


PARTS = {
    Shape.RULE: Mark(""),
    Shape.CELLS: Mark("", ((1, 1), (1, 2))),
    Shape.LINE: Mark("", lines=(((1, 1), (1, 2), (1, 3)),)),
    Shape.ARROW: Mark("", ((1, 1),), (((1, 2), (1, 3)),)),
    Shape.GROUPS: Mark("", lines=(((1, 1), (1, 2)), ((2, 1), (2, 2)))),
    Shape.CLUE: Mark("", ((1, 0),)),
    Shape.DIAGONAL: Mark("", ((0, 0),), (((1, 1), (2, 2)),)),
    Shape.MARKS: Mark("", marks=(Mark("odd", ((1, 1),)),)),
}
"""A mark of each shape, without a value."""


def below(mark: Mark) -> Mark:
    """The mark, and those inside it, four rows lower."""
    lines = tuple(tuple((row + 4, column) for row, column in line) for line in mark.lines)
    cells = tuple((row + 4, column) for row, column in mark.cells)
    return replace(mark, cells=cells, lines=lines, marks=tuple(map(below, mark.marks)))


class TestErrors:
    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kinds()[kind].value])
    def test_a_value_that_is_none(self, kind: str) -> None:
        mark = replace(PARTS[kinds()[kind].shape], kind=kind)
        wrong: list[str | None] = ["Y", "1.5", "", "1 x"]
        if (kinds()[kind].value or Value()).required:
            wrong.append(None)
        if kind == "same-difference":
            return
        for value in wrong:
            message = refused(replace(mark, value=value))
            assert message.startswith(f"{kind}: "), value
            assert "expected" in message

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if not kinds()[kind].value])
    def test_a_value_where_the_kind_takes_none(self, kind: str) -> None:
        mark = replace(PARTS[kinds()[kind].shape], kind=kind, value=3)
        assert refused(mark) == f"{kind}: value 3: this rule takes none"

    @pytest.mark.parametrize("kind", [kind for kind in KINDS if kinds()[kind].shape is not Shape.RULE])
    def test_a_mark_outside_the_grid(self, kind: str) -> None:
        mark = draw(kind, Random(kind), BOXED, every(BOXED)[7])
        outside = replace(mark, cells=((0, 0),)) if kinds()[kind].shape is Shape.CLUE else below(mark)
        message = refused(outside)
        assert message.startswith(f"{kind}: ")
        assert "outside the 4x4 grid" in message or "not beside a row or column" in message

    @pytest.mark.parametrize(
        ("mark", "message"),
        [
            (Mark("taxicab", value=0), "taxicab: value 0: expected a distance of 1 or more"),
            (
                Mark("anti-leaper", value="0 0"),
                "anti-leaper: value '0 0': expected the two numbers of a move, such as 1 3 or 1 3 of 5 9",
            ),
            (Mark("disjoint-group", value=5), "disjoint-group: value 5: expected a place from 1 to 4"),
            (Mark("global-entropy", value="12 24"), "global-entropy: value '12 24': a digit is in two classes"),
            (Mark("global-mod", value=5), "global-mod: 5 classes: expected at most 4, as many as a window has cells"),
            (Mark("rossini", ((0, 1),), value="L"), "rossini: value 'L' at r0c1: expected U or D"),
            (
                Mark("look-and-say", ((1, 1),), value="112"),
                "look-and-say: value '112': expected counts and digits in turn, such as 2112: two 1s, one 2",
            ),
            (Mark("look-and-say", ((1, 1),), value="1121"), "look-and-say: value '1121': a digit is counted twice"),
            (Mark("sum", ((1, 1), (1, 2)), value="1: > 3"), "sum: 1 weights for 2 cells at r1c1"),
            (
                Mark("sum", ((1, 1),), value="> 3 4"),
                "sum: value '> 3 4': expected a total, several, or one after < <= > >= or !=",
            ),
            (
                Mark("same-values", lines=(((1, 1),), ((1, 2), (1, 3)))),
                "same-values: groups of 1 and of 2 cells: expected groups of one size",
            ),
            (Mark("lunchbox", ((1, 1),), value=3), "lunchbox: one cell at r1c1: expected two or more"),
            (
                Mark("product-arrow", ((1, 1), (1, 2)), (((2, 2),),)),
                "product-arrow: a bulb of 2 cells at r1c1: expected one cell",
            ),
            (
                Mark("equal-sum", ((1, 1),)),
                "equal-sum: 1 cells and 0 lines: expected groups of cells, each one of the lines",
            ),
        ],
    )
    def test_messages(self, mark: Mark, message: str) -> None:
        assert refused(mark) == message

    def test_an_automaton_too_large_is_refused(self) -> None:
        cells = tuple((1, column) for column in range(1, 17))
        with pytest.raises(PuzzleError, match=r"count-distinct: .* more than 40,000 states"):
            build(16, (Mark("count-distinct", cells),))


class TestNames:
    def test_names_and_aliases_are_all_different(self) -> None:
        aliases = [alias.name for kind in kinds().values() for alias in kind.aliases]
        assert len({*aliases, *kinds()}) == len(aliases) + len(kinds()) == len(named())

    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ('ten-line = "r1c1 r1c2"', on_line("sum-line", (1, 1), (1, 2))),
            ('same-parity-line = "r1c1 r1c2"', on_line("unimodular", (1, 1), (1, 2), value=2)),
            ('rules = ["anti-camel"]', Mark("anti-leaper", value="1 3")),
            ('rules = ["258"]', Mark("159", value="2 5 8")),
            ('rules = ["taxicab 3"]', Mark("taxicab", value=3)),
            ('rules = ["knightmare 4  7"]', Mark("knightmare", value="4 7")),
            (
                'look-and-say = { cells = "r1c1 r1c2", value = 2112 }',
                Mark("look-and-say", ((1, 1), (1, 2)), value="2112"),
            ),
            ('sum = { cells = "r1c1 r1c2", value = 4 }', Mark("sum", ((1, 1), (1, 2)), value="4")),
        ],
    )
    def test_a_text_by_another_name(self, text: str, expected: Mark) -> None:
        size = 9 if "258" in text else 4
        puzzle = read(f'size = {size}\nboxes = "none"\n{text}\n')
        assert puzzle.board.marks == (expected,)
        assert read(TOML[0].write(puzzle)).board == puzzle.board

    def test_a_rule_with_its_value_in_one_line(self) -> None:
        board = build(4, (Mark("taxicab", value=3), Mark("taxicab", value=4), Mark("anti-king")))
        assert describe(Puzzle.from_givens(board, {})) == "4x4, 0 givens, taxicab 3, taxicab 4, anti-king"

    def test_one_record_a_kind(self) -> None:
        found = {record["name"]: record for record in records()}
        assert found.keys() == kinds().keys()
        assert found["sum-line"] == {
            "name": "sum-line",
            "aliases": ["ten-line"],
            "presets": {},
            "shape": "line",
            "argument": "the total of each part, 10 by default",
            "sentence": kinds()["sum-line"].summary,
        }
        assert found["anti-leaper"]["presets"] == {
            "anti-camel": "1 3",
            "anti-giraffe": "1 4",
            "anti-zebra": "2 3",
            "anti-alfil": "2 2",
        }
        assert all((record["argument"] is None) == (kinds()[str(name)].value is None) for name, record in found.items())

    @pytest.mark.parametrize("kind", sorted(kinds()))
    def test_a_sentence_is_a_sentence_and_an_argument_is_described(self, kind: str) -> None:
        known = kinds()[kind]
        assert known.summary[0].isupper() or known.summary[0] == "\u00d7"
        assert known.summary.endswith(".")
        assert known.value is None or known.value.meaning
