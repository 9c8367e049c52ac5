"""`satdoku grade`: each puzzle has its answer, and none is dropped."""

import gzip
import json
import os
import random
import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from support.cli import NINE, run

import satdoku

SOLVED = "".join(map(str, satdoku.solve(NINE).grid or ()))


@pytest.fixture
def puzzles(tmp_path: Path) -> str:
    file = tmp_path / "p.txt"
    file.write_text(f"{NINE}\n# a comment\n{NINE}\n{NINE}\n")
    return str(file)


def test_a_line_for_each_puzzle(puzzles: str, tmp_path: Path) -> None:
    answers = tmp_path / "a.txt"
    answers.write_text(f"{SOLVED}\n\n<answer>{NINE}</answer>\n")
    result = run("grade", "--json", puzzles, str(answers))
    records = [json.loads(line) for line in result.stdout.splitlines()]
    assert [record["line"] for record in records] == [1, 3, 4]
    assert [record["verdict"] for record in records] == ["solved", "unparsed", "unsolved"]
    assert [record["score"] for record in records] == [1.0, 0.0, 0.0]
    assert result.exit_code == 1


def test_rows_of_a_table_with_lines_in_them(puzzles: str, tmp_path: Path) -> None:
    rows = "\n".join(SOLVED[start : start + 9] for start in range(0, 81, 9))
    answers = tmp_path / "a.jsonl"
    answers.write_text("".join(json.dumps({"id": number, "text": f"So:\n{rows}"}) + "\n" for number in range(3)))
    assert run("grade", "--answer", "text", puzzles, str(answers)).exit_code == 0
    table = tmp_path / "both.csv"
    table.write_text(f'puzzle,answer\n{NINE},"{rows}"\n')
    result = run("grade", "--answer", "answer", str(table))
    assert (result.exit_code, "of the others only 'answer' is read" in result.stderr) == (0, True)


def test_the_answer_to_one_puzzle_is_a_whole_file(tmp_path: Path) -> None:
    answers = tmp_path / "a.txt"
    answers.write_text("First:\n" + "\n".join(SOLVED[:80][start : start + 9] for start in range(0, 80, 9)) + ".\n")
    result = run("grade", "--completable", NINE, str(answers))
    assert "it can be completed" in result.stdout.splitlines()
    assert result.stdout.startswith("unsolved: 9 rows on lines 2 to 10\n")


def test_answers_come_compressed_by_a_pipe_or_by_standard_input(puzzles: str, tmp_path: Path) -> None:
    text = f"\ufeff{SOLVED}\n{NINE}\n{SOLVED}\n".encode()
    packed, cut, fifo = tmp_path / "a.txt.gz", tmp_path / "b.txt.gz", tmp_path / "fifo"
    packed.write_bytes(gzip.compress(text))
    cut.write_bytes(packed.read_bytes()[:40])
    os.mkfifo(fifo)
    writer = threading.Thread(target=fifo.write_bytes, args=(text,))
    writer.start()
    results = [
        run("grade", puzzles, str(fifo)),
        run("grade", puzzles, str(packed)),
        run("grade", puzzles, "-", input=text),
    ]
    writer.join()
    for result in results:
        assert [line.split("\t")[1] for line in result.stdout.splitlines()] == ["solved", "unsolved", "solved"]
    for asked in (puzzles, NINE):
        assert "b.txt.gz: Compressed file ended" in run("grade", asked, str(cut)).stderr
    assert "standard input can be read once" in run("grade", "-", "-").stderr
    assert run("grade", NINE, str(packed)).stdout.startswith("solved: 81 cells on line 3")


@pytest.mark.parametrize(
    ("lines", "message"),
    [(2, "2 answers, but more puzzles: expected as many"), (4, "4 answers to 3 puzzles: expected as many")],
)
def test_as_many_answers_as_puzzles(puzzles: str, tmp_path: Path, lines: int, message: str) -> None:
    answers = tmp_path / "a.txt"
    answers.write_text(f"{SOLVED}\n" * lines)
    made = tmp_path / "made.json"
    result = run("grade", puzzles, str(answers), "-o", str(made))
    assert (result.exit_code, message in result.stderr) == (2, True)
    assert f"{made} is unfinished: the same command with --resume goes on with it" in result.stderr


def test_what_is_missing_is_named(puzzles: str, tmp_path: Path) -> None:
    assert "no answers named" in run("grade", puzzles).stderr
    assert "nothing.txt: no such file" in run("grade", puzzles, "nothing.txt").stderr
    answers = tmp_path / "a.txt"
    answers.write_text(f"{SOLVED}\n" * 3)
    assert "a.txt: to be read, and to be written too" in run("grade", puzzles, str(answers), "-o", str(answers)).stderr
    assert "--compare some: expected unique, all or none" in run("grade", "--compare", "some", puzzles).stderr


@pytest.mark.parametrize("form", ["--json", "--csv", "", "-o made.parquet"])
@pytest.mark.parametrize("more", [(), ("--compare", "none"), ("--compare", "none", "--rule", "anti-knight")])
def test_lines_graded_together_are_graded_as_each_alone(form: str, more: tuple[str, ...], tmp_path: Path) -> None:
    rng = random.Random(1)
    puzzles = [NINE, NINE, "3...1...4...2...", "12....3.........", "1234341221434..."] * 4
    solutions = {text: "".join(map(str, satdoku.solve(text).grid or (1,) * len(text))) for text in puzzles}
    answers = []
    for number, text in enumerate(puzzles):
        cells = list(solutions[text])
        for _ in range(number % 5):
            cells[rng.randrange(len(cells))] = rng.choice("123456789."[: 9 if len(cells) == 81 else 4] + ".")
        answers.append("".join(cells))
    (tmp_path / "p.txt").write_text("".join(f"{text}\n" for text in puzzles))
    (tmp_path / "a.txt").write_text("".join(f"{text}\n" for text in answers))
    words = ["grade", *form.replace("made", str(tmp_path / "made")).split(), *more]
    words += [str(tmp_path / "p.txt"), str(tmp_path / "a.txt")]

    def made() -> Sequence[object]:
        result = run(*words)
        assert result.exit_code == 1
        if "-o" not in words:
            return result.stdout.splitlines()
        rows: list[object] = pytest.importorskip("pyarrow.parquet").read_table(tmp_path / "made.parquet").to_pylist()
        return rows

    together = made()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("satdoku.commands.grade.Grading.answer_many", lambda question, block: iter(()))
        alone = made()
    assert len(together) == len(puzzles) + (form == "--csv")
    assert together == alone


def test_lines_are_graded_together(tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text(f"{NINE}\n" * 20)
    (tmp_path / "a.txt").write_text(f"{SOLVED}\n{NINE}\n" * 10)
    with pytest.MonkeyPatch.context() as patch:
        patch.delattr("satdoku.commands.grade.grade_one")
        result = run("grade", str(tmp_path / "p.txt"), str(tmp_path / "a.txt"))
    assert result.stdout.count("\tsolved\t1.000\t51 of 51 right") == result.stdout.count("0 of 51 right") == 10
