"""`satdoku split` and `shuffle`, and `dedupe --against`: data sets whose parts share no puzzle."""

from __future__ import annotations

import csv
import gzip
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from support.cli import CLASH, NINE, NINE_SOLVED, TWO, UNIQUE, complaints, run

import satdoku
from satdoku.bench.shuffle import Draws, isomorphs
from satdoku.symmetries import marked_digest

File = Callable[..., str]
SEEDS = [satdoku.write(made.puzzle) for made in satdoku.generate(satdoku.classic(2, 2), count=24, seed=1)]


def images(text: str, number: int) -> list[str]:
    return [satdoku.write(one) for one in isomorphs(satdoku.read(text), Draws(5), number)]


@pytest.fixture
def table(file: File) -> str:
    """Rows of classes that stand apart, with a quoted field of two lines."""
    rows = [
        f'{number},"a\nb",{image}' for number in range(3) for text in SEEDS for image in images(text, 3)[number:][:1]
    ]
    return file("id,note,puzzle", *rows, name="set.csv")


def of(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(Path(name).read_text().splitlines(keepends=True)))


class TestSplit:
    def test_each_row_is_in_one_part_as_it_stands_and_no_class_in_two(self, table: str) -> None:
        assert run("split", table, "--seed", "1").exit_code == 0
        parts = [of(f"set-{number}.csv") for number in (1, 2, 3)]
        whole = Counter(map(str, of(table)))
        assert sum((Counter(map(str, part)) for part in parts), Counter()) == whole
        classes = [{satdoku.write(satdoku.canonical(row["puzzle"])) for row in part} for part in parts]
        assert sum(map(len, classes)) == len(set.union(*classes))
        assert min(map(len, parts)) > 0

    @pytest.mark.parametrize("balance", ["givens", "note2"])
    def test_each_part_has_its_share_of_each_group(self, balance: str, file: File) -> None:
        kinds = [sum(satdoku.canonical(text).givens) % 3 for text in SEEDS]
        lines = [f"{image},{kind}" for kind, text in zip(kinds, SEEDS, strict=True) for image in images(text, 2)]
        name = file("puzzle,note2", *lines, name="some.csv")
        assert run("split", name, "--parts", "1:1", "-o", "a.csv", "-o", "b.csv", "--balance", balance).exit_code == 0

        def groups(part: str) -> Counter[str]:
            rows = of(part)
            return Counter(row["note2"] if balance == "note2" else str(16 - row["puzzle"].count(".")) for row in rows)

        every = groups(name)
        assert all(abs(groups("a.csv")[group] - many / 2) <= 3 for group, many in every.items())

    def test_another_order_of_the_rows_and_workers_give_the_same_parts(self, file: File) -> None:
        file(*SEEDS, name="a.txt")
        file(*reversed(SEEDS), name="b.txt")
        for name, jobs in (("a", "1"), ("b", "2")):
            run("split", f"{name}.txt", "--parts", "2:1", "-j", jobs)
        first, second = (set(Path(f"{name}-2.txt").read_text().splitlines()) for name in "ab")
        assert first == second
        run("split", "a.txt", "--parts", "2:1", "--seed", "2", "-o", "c.txt", "-o", "d.txt")
        assert set(Path("d.txt").read_text().splitlines()) != first

    def test_rows_that_cannot_be_read_are_named_and_in_no_part(self, file: File) -> None:
        result = run("split", file(UNIQUE, "123", CLASH, TWO), "--parts", "1:1")
        assert result.exit_code == 2
        assert len(complaints(result)) == 3
        both = Path("puzzles-1.txt").read_text() + Path("puzzles-2.txt").read_text()
        assert set(both.splitlines()) == {UNIQUE, TWO}

    def test_boards_with_marks_that_are_equal_are_in_one_part(self, file: File) -> None:
        """Cages in two columns of a box, by two values; in four places each, with a given of each value."""
        cages = [((1, 1), (1, 2)), ((3, 3), (4, 3)), ((2, 4), (2, 3)), ((4, 1), (3, 1))]
        rows = [
            json.dumps({"puzzle": satdoku.write(satdoku.build(givens={cage[0]: 1}, marks=[mark], size=4), "toml")})
            for value in (3, 4)
            for cage in cages
            for mark in [satdoku.Mark("cage", cage, value=value)]
        ]
        result = run("split", file(*rows, name="set.jsonl"), "--parts", "1:1", "--balance", "none")
        assert result.stderr == "satdoku: 8 puzzles, 2 distinct: 4 in set-1.jsonl and 4 in set-2.jsonl\n"

    @pytest.mark.parametrize("form", ["jsonl", "csv.gz", "parquet"])
    def test_other_forms(self, form: str, table: str) -> None:
        if form == "parquet":
            pytest.importorskip("pyarrow")
        run("convert", table, "-o", f"set.{form}")
        assert run("split", f"set.{form}", "--balance", "none").exit_code == 0
        if form == "csv.gz":
            assert gzip.decompress(Path("set-1.csv.gz").read_bytes()).startswith(b"source,line,")
        found = [puzzle for n in (1, 2, 3) for puzzle in satdoku.load_many(f"set-{n}.{form}")]
        assert sorted(map(satdoku.write, found)) == sorted(row["puzzle"] for row in of(table))

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["set.csv", "--parts", "80"], "--parts 80: expected 2 to 100 numbers"),
            (["set.csv", "-o", "a.csv"], "name a file for each of 3 parts"),
            (["set.csv", "--parts", "1:1", "-o", "a.txt", "-o", "b.csv"], "name it with the same suffix"),
            (["set.csv", "--parts", "1:1", "-o", "a.csv", "-o", "./a.csv"], "--output a.csv is given 2 times"),
            (["set.csv", "--parts", "1:1", "-o", "set.csv", "-o", "a.csv"], "to be read, and to be written too"),
            (["set.csv", "--balance", "nose"], "note"),
            (["none.csv"], "no such file"),
        ],
    )
    def test_what_it_refuses(self, arguments: list[str], message: str, table: str) -> None:
        result = run("split", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert message in complaints(result)[0]
        assert [path.name for path in Path().iterdir()] == ["set.csv"]

    def test_names_that_are_taken_are_not_written_over(self, table: str, file: File) -> None:
        file("mine", name="set-2.csv")
        assert "set-2.csv is there already" in run("split", table).stderr
        assert Path("set-2.csv").read_text() == "mine\n"


class TestShuffle:
    def test_images_are_of_the_class_and_differ_with_their_solutions(self, file: File) -> None:
        name = file("puzzle,solution", f"{NINE},{NINE_SOLVED}", name="a.csv")
        arguments = ("shuffle", name, "-k", "3", "--json", "--seed", "4")
        result = run(*arguments)
        rows = [json.loads(row) for row in result.stdout.splitlines()]
        assert [row["number"] for row in rows] == [1, 2, 3]
        assert len({row["puzzle"] for row in rows}) == 3
        for row in rows:
            assert satdoku.canonical(row["puzzle"]).givens == satdoku.canonical(NINE).givens
            outcome = satdoku.solve(row["puzzle"])
            assert "".join(map(str, outcome.grids[0])) == row["solution"]
        assert run(*arguments).stdout == result.stdout
        assert run(*arguments[:-1], "5").stdout != result.stdout

    def test_a_board_is_turned_and_reflected_with_its_marks(self, tmp_path: Path) -> None:
        path = tmp_path / "cage.toml"
        path.write_text(
            "size = 4\ngrid = '''\n.1..\n....\n....\n....\n'''\ncage = [{ cells = 'r1c1 r2c2', value = 3 }]\n"
        )
        result = run("shuffle", str(path), "-k", "9")
        assert "8 puzzles, as symmetries of this board give no more" in result.stderr
        images = [satdoku.read(link) for link in result.stdout.splitlines()]
        assert len({(image.board, image.givens) for image in images}) == 8
        cages = {frozenset(image.board.marks[-1].cells) for image in images}
        assert {tuple(sorted(cells)) for cells in cages} == {
            ((1, 1), (2, 2)), ((1, 4), (2, 3)), ((3, 2), (4, 1)), ((3, 3), (4, 4)),
        }  # fmt: skip
        assert {marked_digest(image) for image in images} == {marked_digest(satdoku.load(path))}
        assert len({satdoku.count(image).count for image in images}) == 1

    def test_a_jigsaw_is_written_in_every_position(self) -> None:
        text = "size = 4\ngrid = '1...............'\nregions = '1112122233443344'\nthermometer = ['r1c1 r1c2']\n"
        texts = [satdoku.write(image, "toml") for image in isomorphs(satdoku.read(text), Draws(1), 8)]
        assert len({satdoku.read(text).board for text in texts}) == len(texts) == 8

    def test_a_turn_that_changes_what_a_mark_says_is_left_out(self) -> None:
        puzzle = satdoku.read("size = 4\nbox-indexer = ['r1c1']\ngrid = '1...............'\n")
        assert len(isomorphs(puzzle, Draws(1), 9)) == 1
        puzzle = satdoku.read("size = 4\nrules = ['diagonal+']\ngrid = '12..............'\n")
        kinds = {image.board.marks[-1].kind for image in isomorphs(puzzle, Draws(1), 99)}
        assert kinds == {"diagonal+", "diagonal-"}

    def test_what_no_format_of_one_line_holds_is_toml(self, tmp_path: Path) -> None:
        (tmp_path / "loop.toml").write_text("size = 4\nrules = ['loop']\ngrid = '1...............'\n")
        text = run("shuffle", str(tmp_path / "loop.toml")).stdout
        assert text.endswith("]\n\n") and satdoku.read(text).board.marks[-1].kind == "loop"

    @pytest.mark.parametrize("rule", ["chaos-construction", "loop", "connected-values 1 2"])
    def test_a_board_with_layers_or_auxiliary_cells_has_one_image(self, rule: str) -> None:
        kind, _, value = rule.partition(" ")
        marks = [satdoku.Mark(kind, value=value or None)]
        puzzle = replace(satdoku.build(size=4, marks=marks, givens={"r1c1": 1}), solution=tuple(range(1, 5)) * 4)
        (image,) = isomorphs(puzzle, Draws(1), 3)
        assert (image.candidates, image.solution) == (puzzle.candidates, puzzle.solution)


class TestAgainst:
    def test_rows_are_named_and_left_out(self, file: File) -> None:
        name, other = file(*images(NINE, 2), TWO, UNIQUE), file("id,quiz", f"1,{NINE}", f"2,{TWO}", name="test.csv")
        result = run("dedupe", name, "--against", other)
        assert (result.exit_code, result.stdout) == (0, f"{UNIQUE}\n")
        assert complaints(result) == [
            "puzzles.txt:1: equal to test.csv:2", "puzzles.txt:2: equal to test.csv:2",
            "puzzles.txt:3: equal to test.csv:3", "4 puzzles, 1 distinct, 3 equal to one of --against",
        ]  # fmt: skip
        rows = run("dedupe", name, "--against", other, "--all").stdout.splitlines()
        assert [row.partition("\t")[2] for row in rows] == ["test.csv:2", "test.csv:2", "test.csv:3", ""]

    def test_what_it_refuses(self, file: File) -> None:
        name = file(UNIQUE)
        assert "named twice" in run("dedupe", name, "--against", name).stderr
        assert "--against none.csv: no such file" in run("dedupe", name, "--against", "none.csv").stderr
