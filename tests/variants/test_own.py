"""Rules that setters state themselves: how TOML spells them, counts, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.solutions import broken

import satdoku
from satdoku import FormatError, Mark, read, write
from satdoku.errors import PuzzleError
from satdoku.variants import build, own

HEAD = 'size = 4\nboxes = "2x2"\n'
CAGES = '{ kind = "cage", cells = "r1c1 r1c2", value = 5 }, { kind = "cage", cells = "r4c3 r4c4", value = 5 }'
ONES = '{ kind = "count", cells = "r1c1", value = "1: 1" }, { kind = "count", cells = "r4c4", value = "1: 1" }'
STEPS = '["even 24 even", "even 13 odd", "odd 24 odd", "odd 13 even"]'


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ('pair-all = { cells = "r1c1 r2c2 r3c3", when = "abs(a - b) <= 2" }', 192),
        ('pair = { line = "r1c1 r1c2 r1c3", when = "a > b" }', 48),
        ('pair = { line = "r1c1 r1c2", allow = ["1: 2 4", "2: 1"] }', 72),
        ('pair = { line = "r1c1 r1c2 r2c2 r2c1", when = "a % 2 != b % 2", loop = true }', 96),
        ('regex = { line = "r1c1-r1c4", match = ".*(12|34).*" }', 120),
        ('sum = { terms = "r1c1 + r1c2", is = ">= 6" }', 96),
        ('sum = { terms = "r1c1 + r2c3", is = "4" }', 60),
        ('sum = { terms = "r1c1 + 2 r1c2 - 1", is = "= r1c3 + 3" }', 24),
        ('sum = { terms = "r1c1 + r1c2", is = "4 6" }', 96),
        ('count = { cells = "r1c1 r2c2", values = "1 2", is = ">= 1" }', 240),
        ('count = { cells = "r1c1-r1c4", values = "1 2", is = "2" }', 288),
        (f"any = [[{CAGES}]]", 128),
        (f"any = [{CAGES}]", 128),
        (f"all = [{ONES}]", 18),
        (f"any = [[{ONES}]]", 126),
        (f"none = [[{ONES}]]", 162),
        (f"exactly = {{ count = 1, of = [{ONES}] }}", 108),
        (f'any = [[{{ kind = "all", of = [{ONES}] }}, {{ kind = "none", of = [{ONES}] }}]]', 180),
        (f'automaton = {{ line = "r1c1-r1c3", start = "even", accept = "odd", steps = {STEPS} }}', 144),
        ('odd-thermo = ["r1c1 r1c2", "r4c4 r4c3"]\n[define.odd-thermo]\npair = "a < b and a % 2 == b % 2"', 16),
        ('low = "r1c1 r2c2"\n[define.low]\nshape = "cells"\ncount = "1 2: 2"', 48),
    ],
)
def test_each_spelling_has_its_number_of_solutions_and_is_read_again(text: str, solutions: int) -> None:
    puzzle = read(HEAD + text)
    assert satdoku.count(puzzle, limit=None).count == solutions
    again = read(write(puzzle, "toml"))
    assert again.board.marks == puzzle.board.marks


def test_a_table_may_go_over_several_lines() -> None:
    text = 'regex = [\n  { line = "r1c1-r1c4",\n    match = ".*12.*" },\n]'
    assert read(HEAD + text).board.marks[-1] == Mark(
        "regex", lines=(tuple((1, c) for c in range(1, 5)),), value=".*12.*"
    )


def test_the_name_of_a_rule_is_in_messages() -> None:
    puzzle = read(
        HEAD
        + 'grid = """\n2 1 . .\n. . . .\n. . . .\n. . . ."""\nrising = "r1c1 r1c2"\n[define.rising]\npair = "a < b"'
    )
    assert list(puzzle.clashes()) == ["rising r1c1-r1c2 is broken by r1c1=2, r1c2=1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('pair = { line = "r1c1 r1c2", when = "a.real" }', "pair: expression 'a.real': expected a, b, n and whole"),
        ('pair = { line = "r1c1 r1c2", when = "c < 2" }', "pair: expression 'c < 2': expected a, b, n"),
        ('pair = { line = "r1c1 r1c2", when = "a ** b" }', "pair: expression 'a ** b': expected a, b, n"),
        ('pair = { line = "r1c1 r1c2", when = "a < 1.5" }', "pair: expression 'a < 1.5': expected a, b, n"),
        ('pair = { line = "r1c1 r1c2", when = "abs(a, b)" }', "pair: expression 'abs(a, b)': expected a, b, n"),
        ('pair = { line = "r1c1 r1c2", allow = ["7: 1"] }', "pair: allow '7: 1': expected a value, a colon"),
        ('pair = { line = "r1c1 r1c2", allow = "1: 2" }', "pair: expected when, or allow with a list"),
        ('pair = "r1c1 r1c2"', "pair has no value, and a pair needs one"),
        ('regex = { line = "r1c1 r1c2", match = "1(2" }', r"regex: pattern '1(2', character 4: the end, expected )"),
        ('regex = { line = "r1c1 r1c2", match = "19" }', "character 2: '9', expected a value from 1 to 4"),
        ('regex = { line = "r1c1 r1c2", match = "1{3,2}" }', "character 3: '3', expected {n}, {n,} or {n,m}"),
        ('regex = { line = "r1c1 r1c2", match = "1{999}" }', "character 3: '9', expected at most 256 times"),
        ('automaton = { line = "r1c1", steps = ["a 1 b"] }', "automaton: expected start, accept, and steps"),
        (
            'automaton = { line = "r1c1", start = "a", accept = "b", steps = ["a b"] }',
            "step 'a b': expected STATE DIGITS",
        ),
        ('sum = { terms = "r1c1 r1c2", is = "3" }', "sum has 'r1c2', expected terms"),
        ('sum = { terms = "r1c1 + 2", is = "x" }', "sum has 'x', expected terms such as"),
        ('count = { cells = "r1c1", values = "7", is = "1" }', "count: value '7: 1': expected some of 1..4"),
        ('any = [[{ cells = "r1c1" }]]', "any, mark 1: expected a table with a kind"),
        ('any = [[{ kind = "anti-knight" }]]', "any, mark 1: expected a table with a kind"),
        ('any = [[{ kind = "cage", cells = "r9c9" }]]', "any: r9c9 is outside the 4x4 grid"),
        ("any = [[]]", "any: 0 marks inside: expected some"),
        ('x = "r1c1"\n[define.x]\nwhen = "a < b"', "define.x: expected one of pair"),
        ('x = "r1c1 r1c2"\n[define.x]\nshape = "cells"\npair = "a < b"', "define.x: shape is cells, which pair is not"),
    ],
)
def test_what_is_not_understood_is_named(text: str, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(HEAD + text)
    assert message in str(caught.value)


def test_what_texts_may_ask_for_is_bounded() -> None:
    line = (tuple((1, column) for column in range(1, 5)),)
    for kind, value in (("pair", "a" + " + a" * 300), ("regex", "." * 501)):
        with pytest.raises(PuzzleError, match="expected at most 500"):
            build(4, (Mark(kind, lines=line, value=value),))
    for kind, value in (("pair", "(" * 400), ("pair", "-" * 400 + "a"), ("regex", "(" * 500)):
        with pytest.raises(PuzzleError, match=r"expected|nested too deep"):
            build(4, (Mark(kind, lines=line, value=value),))
    column = (tuple((row, 1) for row in range(1, 17)),)
    for value, message in (
        ("(.{9}){40}", "more than 300 digits"),
        (".*(1|2|3).{15}.*|(.*4.{10}.*){3}", "40,000 states"),
    ):
        with pytest.raises(PuzzleError, match=message):
            build(16, (Mark("regex", lines=column, value=value),))


def test_a_board_has_a_limit_of_marks() -> None:
    with pytest.raises(PuzzleError, match=r"10,001 marks: expected at most 10,000"):
        build(4, (Mark("odd", ((1, 1),)),) * 10_001)


def test_a_division_by_zero_is_false() -> None:
    assert own.pairs(range(2), "a // b == 1") == {(1, 1)}
    assert own.pairs(range(2), "a % b == 0 or 1 == 1") == {(0, 1), (1, 1)}


@pytest.mark.filterwarnings("error")
def test_a_number_before_a_word_is_read_without_a_warning_of_python() -> None:
    assert own.pairs(range(1, 4), "a > 2or b > 2") == own.pairs(range(1, 4), "a > 2 or b > 2")


def test_the_example_of_the_documents_has_a_solution_that_obeys_it() -> None:
    page = (Path(__file__).parents[2] / "docs" / "toml.md").read_text()
    text = page.partition("## Rules of your own")[2].partition("```toml\n")[2].partition("```")[0]
    puzzle = read(text)
    assert len(puzzle.board.marks) == 15
    (grid,) = satdoku.solve(puzzle).grids
    assert broken(puzzle, grid) == []
