"""`satdoku audit` finds what was planted in a data set."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.cli import UNIQUE, run
from support.turned import turned

import satdoku
from satdoku.bench.shuffle import Draws, isomorphs

File = Callable[..., str]
MADE = list(satdoku.generate(satdoku.classic(2, 2), count=12, seed=1))
SOLVED = "".join(map(str, satdoku.solve("3...1...4...2...").grid or ()))
KILLERS = list(satdoku.generate(satdoku.classic(2, 2), count=2, seed=1, marks="cage"))


def rows() -> list[tuple[str, str]]:
    """Twelve puzzles, of which some may be equal, and their solutions."""
    return [(satdoku.write(one.puzzle), "".join(map(str, one.solution))) for one in MADE]


def image(number: int) -> str:
    (one,) = isomorphs(MADE[number].puzzle, Draws(5), 1)
    return satdoku.write(one)


def audited(*words: str) -> dict[str, Any]:
    result = run("audit", *words, "--json")
    found: dict[str, Any] = json.loads(result.stdout)
    assert result.exit_code in (0, 1), result.stderr
    return found


@pytest.fixture
def planted(file: File) -> str:
    """Rows 14 to 19: an image of the first, one with several solutions, one with none, a wrong solution, a clash."""
    wrong = "".join(map(str, MADE[1].solution))
    more = [
        (image(0), ""), ("3...1...4...2...", SOLVED), ("12....3.........", ""), (image(2), wrong),
        ("33..............", ""),
    ]  # fmt: skip
    return file("puzzle,solution", *map(",".join, [*rows(), *more]), name="set.csv")


def test_quiet_writes_the_report_alone(planted: str, tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    result = run("audit", planted, "-q", "-o", str(card))
    assert (result.stdout, result.stderr) == ("", "")
    assert card.read_text().startswith("---")


def test_what_was_planted_is_found(planted: str) -> None:
    found = audited(planted)
    classes = {satdoku.canonical(text).givens for text, _ in rows()}
    assert found["verdicts"] == {"unique": 14, "multiple": 1, "unsolvable": 2, "undecided": 0}
    assert (found["multiple_rows"], found["unsolvable_rows"]) == (["set.csv:15"], ["set.csv:16", "set.csv:18"])
    assert found["solutions"] == {"right": 13, "wrong": 1, "wrong_rows": ["set.csv:17"]}
    repeated = found["duplicates"]
    assert repeated["distinct"] == len(classes) + 2  # that with several solutions, and one without; not the clash
    assert repeated["repeated"] == 16 - repeated["distinct"]
    assert ["set.csv:14", "set.csv:2"] in repeated["repeated_rows"]
    assert sum(found["givens"].values()) == found["puzzles"] == 17
    assert found["ratings"]["sample"] == sum(found["ratings"]["levels"].values()) == len(classes)
    assert run("audit", planted).exit_code == 1


def test_leakage_names_the_rows_of_both_files(file: File) -> None:
    name = file(*(text for text, _ in rows()), "x", name="set.txt")
    other = file(image(3), "." * 16, "x", name="other.txt")
    found = json.loads(run("audit", name, "--against", other, "--json").stdout)
    form = satdoku.canonical(image(3)).givens
    same = [number for number, one in enumerate(MADE) if satdoku.canonical(one.puzzle).givens == form]
    assert found["leakage"] == {
        "rows": len(same),
        "leaked_rows": [[f"set.txt:{row + 1}", "other.txt:1"] for row in same],
    }
    assert (found["puzzles"], found["invalid"]) == (12, 1)


def test_a_clean_set_has_status_0_and_its_forms_say_the_same(file: File) -> None:
    different = {satdoku.canonical(text).givens: (text, solution) for text, solution in rows()}
    name = file("quiz,answer", *map(",".join, different.values()), name="set.csv")
    result = run("audit", name, "--expect", "answer", "--sample", "2", "-o", "page.html", "-o", "card.md")
    assert result.exit_code == 0, result.stdout
    assert f"solutions stated: {len(different)}" in result.stdout
    assert "difficulty of a sample of 2: " in result.stdout
    page, card = Path("page.html").read_text(), Path("card.md").read_text()
    assert page.startswith("<!doctype html>")
    for text in (page, card):
        assert "of 2 puzzles drawn at random (seed 1)" in text
    assert card.startswith("---\ntags:\n- sudoku\nsize_categories:\n- n<1K\n---\n")
    assert f"| distinct up to symmetry | {len(different)} |" in card
    again = [audited(name, "--sample", "3", "--seed", "4")["ratings"] for _ in range(2)]
    assert again[0] == again[1]


def test_variants_are_audited_too(file: File) -> None:
    some = [(one.puzzle, one.solution) for one in (*KILLERS, KILLERS[0])]
    some.append((turned(KILLERS[0].puzzle), KILLERS[0].solution[::-1]))
    records = [
        json.dumps({"puzzle": satdoku.write(puzzle, "f-puzzles"), "solution": "".join(map(str, solution))})
        for puzzle, solution in some
    ]
    found = audited(file(*records, name="set.jsonl"))
    assert found["solutions"]["right"] == 4
    assert (found["duplicates"]["distinct"], found["duplicates"]["repeated"]) == (2, 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.csv"], "FILE none.csv: no such file"),
        (["set.csv", "--against", "none.csv"], "--against none.csv: no such file"),
        (["set.csv", "--against", "set.csv"], "named twice"),
        (["set.csv", "-o", "report.txt"], "expected a name that ends in .html or .md"),
        (["set.csv", "--sample", "-1"], "--sample -1: expected 0 or more"),
        (["set.csv", "--expect", "answers"], "no column 'answers'"),
        (["lines.txt", "--expect", "answers"], "lines.txt is not a table: it has no column 'answers'"),
    ],
)
def test_what_cannot_be_is_refused(planted: str, words: list[str], message: str) -> None:
    Path("lines.txt").write_text("1234341221434...\n")
    result = run("audit", *words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr


def test_what_is_undecided_is_neither_clean_nor_a_finding(file: File) -> None:
    result = run("audit", file(UNIQUE), "--timeout", "0.0000001")
    assert (result.exit_code, result.stdout.splitlines()[0].endswith(": 1 puzzle")) == (3, True)
