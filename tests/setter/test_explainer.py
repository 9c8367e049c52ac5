"""Sudoku Explainer's ratings, against those of SukakuExplainer with the techniques of version 1.2.1 alone."""

from __future__ import annotations

import pytest
from support.cli import UNIQUE, complaints, records, run
from support.puzzles import EASY

import satdoku
from satdoku.errors import Refused
from satdoku.setter.explainer import ExplainerRating, explainer_rating


@pytest.mark.parametrize(
    ("text", "er", "ep", "ed"),
    [
        ("....85...3..2.78.95....3..7..6...19.9..5..........1..8...6.29...71....4...5.....6", 1.2, 1.2, 1.2),
        (".3.....82...6.......9.....5..3.6.......8..49...15.483.........96.....5...479.8...", 1.5, 1.2, 1.2),
        ("..92..7..1.5.4.8.3.......9.3.1..5..7...........843.9......14.......2....9276..4..", 1.7, 1.2, 1.2),
        ("..6.....8...7.3...5..81..4......93...3.....5...4...9.76.....2..4.76....9..89..1..", 2.0, 1.5, 1.5),
        ("...61...7...2..9......57..1..9...87..5.4...9.34...21....21......9..7....7....8.5.", 2.0, 1.2, 1.2),
        ("..6..5...712....8.....9.....8..37.6.2.....3.4...5.....3....42..6.5...9.7.2......3", 2.3, 1.5, 1.5),
        ("1.8.7...2.9..5.....572.3.....6..5.9...9..18.....7.6.4...2.8.6..........4.....4.1.", 2.3, 1.2, 1.2),
        (".5.28....9.6....1......1......34.69...2...3.....5.78..2....6...6..8..9.5.9...47.6", 2.5, 1.2, 1.2),
        ("94..7........8......7..2.9...8...7...5....43.7..1..5.6...8..6....2..4.1.......8.5", 2.6, 1.5, 1.5),
        ("51..4..7....186....34........25...48....6.9.....9....3...6..7....1..8.32....23...", 2.6, 1.2, 1.2),
        ("82......4.63.............987..6...2.....4..71.....15..2....3..7.....2.5...17.5.8.", 2.8, 1.2, 1.2),
        (".7.2..839........23..1..5.......1....9....3.823.9.....51......662...3..59...4.2..", 3.0, 1.2, 1.2),
        ("....2.4......3..67...81...964.......2...73...7...8...6.12...8.........748....5...", 3.4, 1.2, 1.2),
        ("3....56.4........1...4697..........3.5..8..6..1....28...9.......3.5.2.7...8..395.", 3.6, 1.2, 1.2),
        ("..7..968.....34..56...........5.84...3.....2.....16..9..3.9....1.....9.6..57....2", 4.2, 1.2, 1.2),
        ("...19..7......2..3..76.89....4..6.....3.....9......327.....9..1.8...34...26......", 4.4, 1.2, 1.2),
        ("......93....1...277.5..4......52....3....9....94....68.............8.1...2.316.4.", 7.1, 1.5, 1.5),
        (".3..79.2.5......69..18...3..5.........2...67..6..2...8.2.3.......7.54..1....6....", 7.1, 1.2, 1.2),
        ("4..6...5.8961...........3..725.........4.3..8...5..9....1.....2.3...6...6....1..4", 4.6, 1.2, 1.2),
        ("...9..3.7.5....6....4.1...2....9.4....5..6...76..4...1..9..3...........631....5..", 5.6, 1.2, 1.2),
        ("42.69...8.....26....5.....3....5.....17..6.........97.7...6....8.4..72.9.5...8...", 6.7, 1.2, 1.2),
        ("....2..1...63...8.4..5..3.98.7......13..5...7....9.5.....8.79.........5..8.4.....", 6.9, 1.2, 1.2),
        (".......9..6.1....4.2.5...8..9...72..7...89....3..5.....86........2.7.6..1.....92.", 7.3, 1.2, 1.2),
        ("16..7..4...2.5..898..43......4.8..9....1..5...5..9..3....3.8.71.........4.6...8..", 7.5, 1.2, 1.2),
        ("....75....1..2.....4...3...5.....3.2...8...1.......6.....1..48.2........7........", 7.6, 1.2, 1.2),
        ("15.3......7..4.2....4.72.....8.........9..1.8.1..8.79......38...........6....7423", 8.4, 1.2, 1.2),
        ("..........72.6.1....51...82.8...13..4.........37.9..1.....238..5.4..9.........79.", 8.9, 1.2, 1.2),
        ("47..6.9..6.59....4.......8.742..5.68.........8....47.33..8......5.......2....3..1", 8.3, 1.2, 1.2),
        ("78.54.....1..2..3..3....6.....9.......8.14..9.......1.....318.2...4..5....3..8.6.", 8.3, 1.2, 1.2),
        ("6..3.2....4.....1..........7.26............543.........8.15........4.2........7..", 8.5, 1.2, 1.2),
        ("6.2.5.........4.3..........43...8....1....2........7..5..27...........81...6.....", 9.0, 1.2, 1.2),
    ],
)
def test_ratings_are_those_of_the_program(text: str, er: float, ep: float, ed: float) -> None:
    found = explainer_rating(satdoku.read(text))
    assert found is not None
    assert (found.er, found.ep, found.ed, found.least) == (er, ep, ed, er)


def test_only_plain_boards_of_nine_have_one() -> None:
    assert explainer_rating(satdoku.read(UNIQUE)) is None


def test_after_the_timeout_it_is_at_least_what_was_needed() -> None:
    assert explainer_rating(satdoku.read(EASY), timeout=1e-9) == ExplainerRating(None, None, None, 1.0)


def test_above_what_is_asked_for_it_is_at_least_that() -> None:
    text = "42.69...8.....26....5.....3....5.....17..6.........97.7...6....8.4..72.9.5...8..."
    assert explainer_rating(satdoku.read(text), most=6.6) == ExplainerRating(None, 1.2, 1.2, 6.7)
    assert explainer_rating(satdoku.read(text), most=6.7) == ExplainerRating(6.7, 1.2, 1.2, 6.7)
    assert explainer_rating(satdoku.read(text), most=1.2) == ExplainerRating(None, 1.2, 1.2, 1.5)


def test_without_compiled_code_it_is_at_least_that_of_dynamic_chains(monkeypatch: pytest.MonkeyPatch) -> None:
    def runner(*arguments: object) -> None:
        raise Refused("compiled search: it is not here")

    monkeypatch.setattr("satdoku.kernels.library.runner", runner)
    text = "..........72.6.1....51...82.8...13..4.........37.9..1.....238..5.4..9.........79."
    assert explainer_rating(satdoku.read(text)) == ExplainerRating(None, 1.2, 1.2, 8.5)


def test_what_is_not_known_is_at_least() -> None:
    assert str(ExplainerRating(None, 1.2, 1.2, 9.0)) == "ER at least 9.0, EP 1.2, ED 1.2"
    assert str(ExplainerRating(None, None, 1.2, 6.5)) == "ER at least 6.5, EP at least 6.5, ED 1.2"
    assert str(ExplainerRating(2.6, 2.6, 1.2, 2.6)) == "ER 2.6, EP 2.6, ED 1.2"


class TestCommands:
    def test_difficulty_has_the_ratings_in_its_record_and_in_words(self) -> None:
        (record,) = records(run("difficulty", EASY, "--json"))
        assert [record[name] for name in ("er", "ep", "ed", "er_least")] == [1.5, 1.2, 1.2, 1.5]
        assert "; ER 1.5, EP 1.2, ED 1.2" in run("difficulty", EASY).stdout
        (small,) = records(run("difficulty", UNIQUE, "--json"))
        assert small["er"] is small["er_least"] is None

    def test_generate_makes_puzzles_of_a_rating(self) -> None:
        for one in records(run("generate", "--rating", "2.0:2.6", "--count", "2", "--seed", "5", "-j", "1", "--json")):
            assert 2.0 <= one["difficulty"]["er"] <= 2.6
            found = explainer_rating(satdoku.read(one["puzzle"]))
            assert found is not None and found.er == one["difficulty"]["er"]

    def test_so_does_the_function(self) -> None:
        made = next(satdoku.generate(rating=(1.0, 1.5), seed=5))
        assert made.difficulty is not None and made.difficulty.explainer is not None
        assert made.difficulty.explainer.er in (1.2, 1.5)
        with pytest.raises(TypeError, match="rating is 'x'"):
            satdoku.generate(rating="x")  # type: ignore[call-overload]

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["--rating", "3.0:12.1"], "ratings are known up to 11.9"),
            (["--rating", "4:3"], "expected the lower number first"),
            (["--rating", "hard"], "rating hard: expected a number with one decimal, or LOW:HIGH"),
            (["--rating", "2", "--box", "2x3"], "only puzzles of plain 9x9 boards have one"),
            (["--rating", "2", "--marks", "cage"], "only puzzles without marks have one"),
        ],
    )
    def test_what_cannot_be_is_refused(self, arguments: list[str], complaint: str) -> None:
        result = run("generate", *arguments)
        assert result.exit_code == 2
        assert complaint in complaints(result)[0]
