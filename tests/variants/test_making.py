"""What making constraints may take, and what they share."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import satdoku
from satdoku import variants
from satdoku.constraints import Automaton, Table
from satdoku.errors import FormatError, PuzzleError, TooSlow
from satdoku.limits import MAX_BOARD, MAX_ROWS, TimeIsUp, bounded_time
from satdoku.puzzle import Mark, Size
from satdoku.variants import build
from satdoku.variants.making import collected, recipe
from satdoku.variants.relations import CellList
from satdoku.verdict import Verdict

FILES = Path(__file__).parents[2] / "puzzles" / "variants"
MADE_AGAIN = {"all", "any", "before-nine", "cave", "exactly", "loop", "none", "nurikabe", "quad-sum", "regex"}
"""Kinds of which automata are made for each board: of several marks in turn, of patterns, and those of one cell."""
LARGE = 'size = 256\nrules = ["nonconsecutive"]\n'


def clues(kind: str, *values: int) -> tuple[Mark, ...]:
    return tuple(Mark(kind, ((row, 0),), value=value) for row, value in enumerate(values, 1))


class TestSharing:
    @pytest.mark.parametrize("first", [1, 0])
    def test_the_pairs_of_a_large_board_have_one_table(self, first: int) -> None:
        board = build(Size(30, 30, range(first, first + 30)), (Mark("nonconsecutive"),))
        tables = [rule.tuples for rule in board.constraints if isinstance(rule, Table)]
        assert len(tables) == 2 * 30 * 29
        assert len(set(map(id, tables))) == 1

    def test_equal_clues_have_one_automaton_and_others_their_own(self) -> None:
        board = build(9, clues("skyscraper", 3, 3, 4))
        rules = [rule for rule in board.constraints if isinstance(rule, Automaton)]
        assert rules[0].transitions is rules[1].transitions
        assert rules[0].transitions != rules[2].transitions
        assert [rule.cells[0] for rule in rules] == [0, 9, 18]

    def test_functions_that_close_over_different_values_have_different_keys(self) -> None:
        def step(total: int) -> object:
            return lambda value: value + total

        assert recipe(step(3)) == recipe(step(3)) != recipe(step(4))
        assert recipe((1, 2).__contains__) == recipe((1, 2).__contains__) != recipe((1, 3).__contains__)

    def test_boards_of_two_sizes_and_clues_of_two_numbers_share_no_automaton(self) -> None:
        def language(size: int, clue: int) -> object:
            rule = next(each for each in build(size, clues("skyscraper", clue)).constraints if type(each) is Automaton)
            return rule.transitions, rule.accepting

        made = [language(9, 3), language(8, 3), language(9, 4), language(9, 3)]
        assert made[0] == made[3]
        assert made[1] != made[0] != made[2]

    @pytest.mark.parametrize("kind", sorted({file.stem for file in FILES.glob("*.toml")} - MADE_AGAIN))
    def test_a_board_with_the_same_marks_makes_no_automaton_again(
        self, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made: list[str] = []
        making = CellList._reached

        def noted(self: CellList, *given: Any) -> Any:
            made.append(self.name)
            return making(self, *given)

        file = FILES / f"{kind}.toml"
        puzzle = satdoku.load(file)
        variants._built.cache_clear()
        monkeypatch.setattr(CellList, "_reached", noted)
        assert satdoku.read(file.read_text()).board == puzzle.board
        assert made == []


class TestLimits:
    def test_a_board_with_too_much_names_the_mark_the_size_and_the_limit(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_module("satdoku.variants.making"), "MAX_BOARD", MAX_BOARD // 10)
        marks = tuple(
            Mark("pair", lines=(((1, 1), (1, 2)),), value=f"a != b + {distance}") for distance in range(1, 60)
        )
        with pytest.raises(PuzzleError, match=rf"^pair: .* [\d,]+ tuples, .* at most {MAX_BOARD // 10:,} on a board"):
            build(81, marks)

    def test_a_set_stops_where_it_becomes_too_large(self) -> None:
        taken = iter(range(10 * MAX_ROWS))
        with pytest.raises(PuzzleError, match=rf"what: 1,\d{{3}},\d{{3}} tuples, expected at most {MAX_ROWS:,}"):
            collected(((number,) for number in taken), "what")
        assert next(taken) < 2 * MAX_ROWS

    def test_marks_that_any_joins_stop_within_one_step_of_the_limit(self) -> None:
        line = " ".join(f"r1c{column}" for column in range(1, 17))
        text = f'size = 16\n[[any]]\ncage = [{{ cells = "{line}", value = 136 }}]\npair-all = ["{line}"]\n'
        with pytest.raises(FormatError):
            satdoku.read(text)


class TestTime:
    def test_lowering_counts(self) -> None:
        with pytest.raises(TimeIsUp), bounded_time(0.0):
            build(131, (Mark("nonconsecutive"),))

    def test_questions_about_a_text_are_undecided_when_its_time_is_up(self) -> None:
        timeout = 1e-9
        assert satdoku.check(LARGE, timeout=timeout).verdict is Verdict.UNDECIDED
        assert satdoku.solve(LARGE, timeout=timeout).grids == ()
        assert not satdoku.count(LARGE, timeout=timeout).exact
        assert satdoku.certify(LARGE, timeout=timeout) is None
        [outcome] = satdoku.check_many([LARGE], timeout=timeout)
        assert outcome.verdict is Verdict.UNDECIDED
        for ask in (satdoku.candidates, satdoku.explain, satdoku.minimize, satdoku.difficulty):
            with pytest.raises(TooSlow, match="the timeout of 1e-09 s came while the puzzle was read"):
                ask(LARGE, timeout=timeout)
        with pytest.raises(TooSlow, match="the timeout of 1e-09 s came while the puzzle was read"):
            satdoku.estimate(LARGE, seconds=timeout)
