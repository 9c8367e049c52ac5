"""Strings of the Interactive Sudoku Solver: choices, templates, rules in base64, regions to be found."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from itertools import chain, product

import pytest

import satdoku
from satdoku import FormatError, Mark
from satdoku.errors import Refused
from satdoku.formats import iss
from satdoku.formats.iss_parts import CHARACTERS
from satdoku.puzzle import Puzzle, Size
from satdoku.variants import build
from satdoku.variants.own import ALLOWED
from satdoku.variants.places import named

SMALL = ".Shape~4x4"
ROW = "R1C1~R1C2~R1C3~R1C4"


def marks(text: str) -> tuple[Mark, ...]:
    found = satdoku.read(text).board.marks
    return tuple(mark for mark in found if mark.kind != "boxes")


def number(text: str) -> int | None:
    return satdoku.count(satdoku.read(SMALL + text), limit=None).count


def pair_key(holds: Callable[[int, int], bool]) -> str:
    bits = [holds(a, b) for a, b in product(range(1, 5), repeat=2)] + [False] * 2
    groups = [bits[start : start + 6] for start in range(0, 18, 6)]
    return "".join(CHARACTERS[sum(bit << place for place, bit in enumerate(group))] for group in groups)


def in_bytes(bits: str) -> str:
    data = int(bits.ljust(-(-len(bits) // 8) * 8, "0"), 2).to_bytes(-(-len(bits) // 8), "big")
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def wide(numbers: Iterable[tuple[int, int]]) -> str:
    """Numbers in binary, each with its width."""
    return "".join(format(value, f"0{width}b") for value, width in numbers)


HEAD = [(0, 4), (3, 4), (1, 1), (0, 1), (1, 1)]
"""States of one bit, four symbols, one state to begin with, none but it accepts, and it does."""

LISTED = [[(4, 3), *((n, w) for s in range(4) for n, w in ((s, 2), ((s + more) % 2, 1)))] for more in (0, 1)]
PACKED = [[(15, 4), *(((s + more) % 2, 1) for s in range(4))] for more in (0, 1)]
PARITY = {"listed": [(0, 2), *HEAD, (3, 4), *chain(*LISTED)], "packed": [(1, 2), *HEAD, *chain(*PACKED)]}
"""An even number of even digits, in both forms."""


class TestComposed:
    def test_one_of_two(self) -> None:
        # Counts made elsewhere by brute force.
        assert number(".Or.Cage~5~R1C1~R1C2.Cage~5~R4C3~R4C4.End") == 128
        assert number(".Or.~R1C1_1.~R4C4_1.End") == 126

    def test_all_inside_one(self) -> None:
        found = marks(".Or.And.AllDifferent~R1C1~R2C2.Cage~9~R1C1~R1C2.End.~R5C5_1_2.End.AntiKnight")
        assert [mark.kind for mark in found] == ["any", "anti-knight"]
        assert [part.kind for part in found[0].marks] == ["all", "sum"]
        assert found[0].marks[1] == Mark("sum", ((5, 5),), value="1 2")

    def test_all_at_the_top_is_the_marks(self) -> None:
        assert marks(".And.Cage~9~R1C1~R1C2.AntiKnight.End") == marks(".Cage~9~R1C1~R1C2.AntiKnight")

    def test_a_template_at_its_targets(self) -> None:
        # Bits 0 and 4 of the first character, bit 0 of the second: offsets 0, 4 and 6.
        copies = [
            marks(f".WhiteDot~{one}~{two}")[0] for one, two in (("R1C1", "R1C2"), ("R1C5", "R1C6"), ("R1C7", "R1C8"))
        ]
        assert marks(".Replicate~RB.WhiteDot~R1C1~R1C2.End") == tuple(copies)

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            (".Or.End", "nothing to choose from"),
            (".Or.AntiKnight.Cage~3~R1C1~R1C2.End", "anti-knight cannot stand inside any"),
            (".AntiKing.End", "an End that ends nothing"),
            (".Or" * 30, "more than 20 deep"),
            (".Replicate~?.Cage~3~R1C1.End", "expected letters, digits"),
            (".Replicate~_.WhiteDot~R9C8~R9C9.End", "outside the 9x9 grid"),
        ],
    )
    def test_what_cannot_be(self, text: str, reason: str) -> None:
        with pytest.raises(FormatError, match=reason):
            satdoku.read(text)


class TestOwnRules:
    def test_pairs_on_a_line(self) -> None:
        key = pair_key(lambda a, b: a < b)
        assert marks(f"{SMALL}.Pair~{key}~_up~R1C1~R1C2~~R3C1~R3C2") == tuple(
            Mark("pair", (), (((row, 1), (row, 2)),), ALLOWED + "1: 2 3 4; 2: 3 4; 3: 4", name="up") for row in (1, 3)
        )
        assert number(f".Pair~{key}~_~{ROW}") == number(f".Thermo~{ROW}") == 12

    def test_every_two_cells(self) -> None:
        # The count of brute force.
        assert number(f".PairX~{pair_key(lambda a, b: abs(a - b) <= 2)}~_near~R1C1~R2C2~R3C3") == 192

    def test_older_keys_exchange_two_characters(self) -> None:
        key = pair_key(lambda a, b: (a, b) != (1, 1))
        assert {"-", "_"} & set(key)
        swapped = key.translate(str.maketrans("-_", "_-"))
        assert marks(f"{SMALL}.Binary~{swapped}~_~R1C1~R1C2") == marks(f"{SMALL}.Pair~{key}~_~R1C1~R1C2")
        assert marks(f"{SMALL}.BinaryX~{swapped}~_~R1C1~R1C2") == marks(f"{SMALL}.PairX~{key}~_~R1C1~R1C2")

    def test_patterns(self) -> None:
        key = base64.urlsafe_b64encode(b".*(12|34).*").decode()
        assert number(f".Regex~{key}~{ROW}") == number(f".Regex~{key.rstrip('=')}~{ROW}") == 120

    def test_letters_are_digits_above_nine(self) -> None:
        key = base64.urlsafe_b64encode(b"[AB]").decode()
        assert marks(f".Shape~12x12.Regex~{key}~R1C1")[0].value == "[<10><11>]"

    @pytest.mark.parametrize("form", PARITY)
    def test_automata(self, form: str) -> None:
        found = marks(f"{SMALL}.NFA~{in_bytes(wide(PARITY[form]))}~_even~R1C1~R2C2~R3C3")
        assert [(mark.kind, mark.name) for mark in found] == [("automaton", "even")]
        steps = {"0 <1><3> 0", "0 <2><4> 1", "1 <1><3> 1", "1 <2><4> 0", "begin <1><3> 0", "begin <2><4> 1"}
        assert set(str(found[0].value).split("; ")) == {"start begin", "accept 0 begin", *steps}

    def test_automata_over_several_lines(self) -> None:
        # Sign 4 is between lines: there, and nowhere else, state 0 becomes 1. An odd value is read in state 0 alone.
        table = [(3, 3), (0, 3), (0, 1), (2, 3), (0, 1), (4, 3), (1, 1), (2, 3), (1, 3), (1, 1), (3, 3), (1, 1)]
        key = in_bytes(wide([(0, 2), (0, 4), (4, 4), (1, 1), (1, 1), (0, 1), (3, 4), *table]))
        found = number(f".NFA~{key}~_~R1C1~-~R4C4")
        assert found == number(".~R1C1_1_3~R4C4_2_4") != 0
        assert number(f".NFA~{key}~_~R1C1~R1C2~-~R4C4") == number(".~R1C1_1_3~R1C2_1_3~R4C4_2_4") != 0

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            (".Pair~AAA~_~R1C1~R1C2", "allows no pair"),
            (".Pair~!~_~R1C1~R1C2", "expected letters, digits"),
            (".NFA~A~_~R1C1", "NFA"),
            (".NFA~AA~_~R1C1", "NFA ends too early"),
            (".Regex~Lio~R1C1~-~R1C2", "several lines at once"),
            (".Regex~KA~R1C1", "regex"),
        ],
    )
    def test_what_cannot_be(self, text: str, reason: str) -> None:
        with pytest.raises(FormatError, match=reason):
            satdoku.read(SMALL + text)


class TestRegions:
    BOARD = ".Shape~4x4.NoBoxes.ChaosConstruction"

    def test_arrows_and_counts(self) -> None:
        found = marks(f"{self.BOARD}.ChaosArrow~R1C1~0~CC1~CC2~-~CC1~CC5.ChaosCount~R2C2~1~CC6~CC7")
        assert found[1:] == (
            Mark("chaos-arrow", ((1, 1),), (((1, 1), (1, 2)), ((1, 1), (2, 1)))),
            Mark("chaos-count", ((2, 2),), (((2, 2), (2, 3)),), 1),
        )

    def test_arrows_without_lines_have_four_and_counts_the_cells_around(self) -> None:
        arrow, count = marks(f"{self.BOARD}.ChaosArrow~R1C2.ChaosCount~R1C1")[1:]
        assert {line[-1] for line in arrow.lines} == {(4, 2), (1, 2), (1, 4), (1, 1)}
        assert set(count.lines[0]) == {(1, 1), (1, 2), (2, 1), (2, 2)}
        assert count.lines[0][0] == (1, 1)

    def test_regions_that_are_one(self) -> None:
        assert marks(f"{self.BOARD}.SameValues~2~CC1~CC6")[1] == Mark("same-region", ((1, 1), (2, 2)))

    def test_values_that_hang_together(self) -> None:
        assert number(".ConnectedValues~~1_2_3") == 216
        assert marks(".ConnectedValues~~1_2~18")[0].value == "1 2: 18"
        regions = marks(f"{self.BOARD}.ConnectedValues~CC~1_2")[1]
        assert (regions.cells[5], regions.value) == (named("regions_r2c2"), "1 2 in rows of 4")
        with pytest.raises(FormatError, match="of the cells 'VT': expected nothing for the grid, CC, or V"):
            satdoku.read(".Var~S~~9.ConnectedValues~VT~1_2")

    def test_variables_that_hang_together_as_they_lie(self) -> None:
        tied = "".join(f".SameValues~2~R{1 + n // 3}C{1 + n % 3}~VS{n + 1}" for n in range(6))
        puzzle = satdoku.read(f".Shape~2x3~1-2~Raw.Var~S~~3x2.ConnectedValues~VS~1~3{tied}")
        right = set()
        for values in product((1, 2), repeat=6):
            cells = {divmod(number, 2) for number, value in enumerate(values) if value == 1}
            corner = {(0, 0), (0, 1), (1, 0), (1, 1)}
            if len(cells) == 3 and any(
                cells <= shape or cells in ({(r, 0) for r in range(3)}, {(r, 1) for r in range(3)})
                for shape in (corner, {(r + 1, c) for r, c in corner})
            ):
                right.add(values)
        assert set(satdoku.solve(puzzle, limit=None).grids) == right
        assert len(right) == 10

    def test_ranks_and_ties(self) -> None:
        assert number(".FullRank~R1~7~.FullRankTies~any") == 27
        assert number(".FullRank~R1~7~.FullRankTies~only-unclued") == number(".FullRank~R1~7~") == 9
        with pytest.raises(FormatError, match="expected any, none or only-unclued"):
            satdoku.read(".FullRankTies~some")

    def test_what_is_written_is_read_again(self) -> None:
        text = f"{self.BOARD}.SameValues~2~CC1~CC6.ChaosArrow~R1C1~0~R1C1~R1C2~-~R1C1~R2C1.FullRank~R1~7~"
        puzzle = satdoku.read(text)
        assert satdoku.read(satdoku.write(puzzle, "iss")) == puzzle


def test_one_group_of_same_values_is_not_written() -> None:
    puzzle = satdoku.build(size=4, marks=[Mark("same-values", lines=(((1, 1), (2, 2)),))])
    with pytest.raises(Refused, match="cannot hold the rule 'same-values'"):
        satdoku.write(puzzle, "iss")


def test_a_cage_that_names_a_cell_twice_counts_it_twice() -> None:
    assert [mark.kind for mark in marks(".Cage~20~R4C2~R4C3~R4C3")] == ["cage", "sum"]


def test_a_string_may_begin_with_a_letter_alone() -> None:
    assert marks(".X~R1C1~R1C2") == (Mark("xv", ((1, 1), (1, 2)), value="X"),)


@pytest.mark.parametrize(
    ("mark", "text"),
    [
        (Mark("greater-than", ((1, 1), (1, 2), (2, 2))), ".GreaterThan~R1C1~R1C2.GreaterThan~R1C2~R2C2"),
        (Mark("greater-than", ((2, 1), (1, 1), (3, 1))), None),  # of which two do not share an edge
        (Mark("sum-line", lines=(((1, 1), (1, 2), (2, 2), (1, 1)),), value=9), ".SumLine~9~R1C1~R1C2~R2C2~LOOP"),
    ],
)
def test_chains_and_loops_are_written_as_the_solver_takes_them(mark: Mark, text: str | None) -> None:
    puzzle = satdoku.build(marks=[mark])
    if text is None:
        with pytest.raises(Refused, match="cannot hold the rule 'greater-than'"):
            satdoku.write(puzzle, "iss")
    else:
        assert satdoku.write(puzzle, "iss") == text
        again = satdoku.read(text).board
        assert {(each.cells, type(each)) for each in again.others} == {
            (each.cells, type(each)) for each in puzzle.board.others
        }


THREE = ((1, 1), (1, 2), (1, 3))


@pytest.mark.parametrize(
    ("mark", "values", "reason"),
    [
        (None, range(2, 11), r"values from 0 or 1, and this board has 2\.\.10"),
        (Mark("entropic", lines=(THREE,)), range(9), r"'entropic' only with the values 1\.\.9, not 0\.\.8"),
        (Mark("global-entropy"), range(9), r"'global-entropy' only with the values 1\.\.9"),
        (Mark("global-mod"), range(10), r"'global-mod' only with the values 1\.\.9 or 0\.\.8, not 0\.\.9"),
        (Mark("entropic", lines=(THREE,)), range(1, 10), None),
        (Mark("global-entropy"), range(1, 10), None),
        (Mark("global-mod"), range(9), None),
    ],
)
def test_only_what_the_solver_takes_is_written(mark: Mark | None, values: range, reason: str | None) -> None:
    size = Size.of(9, 9, values)
    puzzle = Puzzle.from_givens(build(size, () if mark is None else (mark,)), {})
    if reason is None:
        assert satdoku.read(satdoku.write(puzzle, "iss")).board == puzzle.board
    else:
        with pytest.raises(Refused, match=reason):
            satdoku.write(puzzle, "iss")


def test_an_empty_item_may_come_first_but_grids_begin_so_too() -> None:
    assert marks("..Cage~14~R5C3~R5C4")[0].value == 14
    assert not iss.fits("..E..K..MI....P.K")
    assert not iss.fits("..E.")


class TestVariables:
    def test_variables_and_what_they_hold(self) -> None:
        found = marks(".Var~A.Var~S~clues~24.Arrow~VA~R1C1~R1C2.Thermo~VS1~VS24.~VA_3_5~R1C1_1_2")
        assert [mark.value for mark in found if mark.kind == "variable"] == ["A", "S 24"]
        assert found[2] == Mark("arrow", (named("A"),), (((1, 1), (1, 2)),))
        assert found[-1] == Mark("sum", (named("A"),), value="3 5")

    def test_templates_move_variables_in_their_columns(self) -> None:
        # Offsets 0 and 4 of a group of three columns: the second is in the second row.
        copies = [mark.lines for mark in marks(".Var~S~~4x3.Replicate~R~VS1.Thermo~VS1~VS5.End")]
        assert copies[1:] == [((named("S1"), named("S5")),), ((named("S5"), named("S9")),)]
        out = "~3x3.Replicate~E~VS1.Thermo~VS1~VS2"  # from the last of three columns
        for text, reason in ((out, "S2 outside"), ("~9.Replicate~B~VS1.Thermo~R1C1~VS2", "one group")):
            with pytest.raises(FormatError, match=reason):
                satdoku.read(f".Var~S~{text}.End")

    def test_cells_that_rules_name(self) -> None:
        board = ".Shape~4x4~0-4.Doppelganger.Whisper~2~DGR1~DGC2~DGB4"
        assert marks(board)[-1].lines == ((named("COL1"), named("ROW2"), named("BOX4")),)
        chaos = ".NoBoxes.ChaosConstruction.CountDistinct~R1C1~CC1~CC12"
        assert marks(chaos)[-1].cells == ((1, 1), named("regions_r1c1"), named("regions_r2c3"))

    @pytest.mark.parametrize(
        ("text", "written"),
        [
            (".Var~A.Arrow~VA~R1C1~R1C2", ".Var~A.Arrow~VA~R1C1~R1C2"),
            (".Shape~6x6.Var~S~~3.Thermo~VS1~VS3.~VS1_2_4", ".Shape~6x6.Var~S~~3.Thermo~VS1~VS3.~VS1_2_4"),
            (".Shape~9x9~0-8~Raw.Cage~3~R1C1~R1C2", ".Shape~9x9~0-8~Raw.Cage~3~R1C1~R1C2"),
            (".Shape~9x9~~Raw", ".Shape~9x9~~Raw"),
            (".Var~D.Sum~0_=_1_1_-10~R1C1~R1C2~VD", ".Var~D.Sum~0_=_1_1_-10~R1C1~R1C2~VD"),
            (".Shape~4x4~0-4.Doppelganger.Whisper~2~DGR1~DGC2", ".Shape~4x4~0-4.Doppelganger.Whisper~2~DGR1~DGC2"),
            (".Shape~6x6~9.RegionSize~9", ".Shape~6x6~1-9.RegionSize~9"),
            (".ConnectedValues~~1_2~18.ConnectedValues~~5", ".ConnectedValues~~1_2~18.ConnectedValues~~5"),
            (".NoBoxes.ChaosConstruction.ChaosArrow~R1C1~0~CC2", ".NoBoxes.ChaosConstruction.ChaosArrow~R1C1~0~CC2"),
        ],
    )  # fmt: skip
    def test_what_is_written(self, text: str, written: str) -> None:
        """Each of these texts is one that the solver itself takes."""
        assert satdoku.write(satdoku.read(text), "iss") == written

    def test_values_beyond_the_board_and_rules_without_houses_are_refused(self) -> None:
        wide = satdoku.build(marks=[Mark("variable", value="A: 1-20"), Mark("arrow", (named("A"),), (((1, 1),),))])
        with pytest.raises(Refused, match=r"variables of 1\.\.9, and A may have others"):
            satdoku.write(wide, "iss")
        free = satdoku.build(box="none", marks=[Mark("free-grid"), Mark("anti-knight")])
        with pytest.raises(Refused, match="AntiKnight only where rows and columns repeat no value"):
            satdoku.write(free, "iss")

    @pytest.mark.parametrize(
        ("text", "reason"),
        [
            (".Var~a", "expected letters A-Z"),
            (".Var~A~~999.Var~B~~999", "more than 1,000 variables"),
            (".Var~A.Thermo~VA1~R1C1", "'VA1' is not a cell"),
            (".Var~A~~2.Thermo~VA~R1C1", "'VA' is not a cell"),
            (".Thermo~CC1~R1C1", "regions_r1c1 is outside the 9x9 grid"),
        ],
    )
    def test_what_cannot_be(self, text: str, reason: str) -> None:
        with pytest.raises(FormatError, match=reason):
            satdoku.read(text)


def test_boxes_have_as_many_cells_as_the_longer_side_whatever_the_values() -> None:
    assert satdoku.read(".Shape~9x9~0-9").board.marks == (Mark("boxes", value="3x3"),)


def test_a_line_of_letters_and_a_line_of_regions() -> None:
    cells = "A" + "." * 255
    regions = "".join("ABCDEFGHIJKLMNOP"[row] * 16 for row in range(16))
    puzzle = satdoku.read(f"{cells} {regions}")
    assert puzzle.givens[0] == 1
    assert sum(mark.kind == "region" for mark in puzzle.board.marks) == 16
