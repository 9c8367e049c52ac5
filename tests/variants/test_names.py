"""Names, aliases, sentences and records of the kinds of marks; puzzles described in one line."""

from __future__ import annotations

from random import Random

import pytest
from support.boards import BOXED, JIGSAW, ON_A_GRID, boxes, samples
from support.drawing import MarkedSquare
from support.oracles import RULES, draw

from satdoku import Mark, Puzzle, read
from satdoku.formats.toml import FORMATS as TOML
from satdoku.puzzle import Position
from satdoku.variants import build, kinds, named, rule_text
from satdoku.variants.summaries import describe, records


def on_line(kind: str, *cells: Position, value: int | str | None = None) -> Mark:
    return Mark(kind, lines=(cells,), value=value)


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

    @pytest.mark.parametrize("kind", ON_A_GRID)
    def test_a_mark_of_every_kind(self, kind: str) -> None:
        base = () if kind in ("boxes", "region") else BOXED.marks
        mark = draw(kind, Random(kind), MarkedSquare(4, base), samples(BOXED)[0])
        message = describe(Puzzle.from_givens(build(4, (*base, mark)), {}))
        if kind == "boxes":
            assert message == "4x4 with 2x2 boxes, 0 givens"
        elif kind == "region":
            assert message == "4x4 with irregular regions, 0 givens"
        else:
            assert message.endswith(f", {rule_text(mark)}" if kind in RULES else f", 1 {kind}")


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
