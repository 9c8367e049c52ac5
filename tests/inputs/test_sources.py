"""The PUZZLES of a command line: what they name, where each puzzle comes from, what a bad one costs."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import satdoku
from satdoku.cli import app
from satdoku.errors import InputError
from satdoku.formats import Options
from satdoku.inputs import sources
from satdoku.inputs.columns import puzzle_column
from satdoku.inputs.items import Item
from satdoku.inputs.sources import items
from satdoku.variants.boxes import Box

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLUTION = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
FOUR = "13....3131...213"
OTHER = "1..............."
ROWS = "13..\n..31\n31..\n.213\n"
SHORT = "column 1: 3 cells, but a puzzle has N*N: the nearest is 16 (4x4); another shape needs a size, such as 6x9"


File = Callable[..., str]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> File:
    """Write a file into the working directory, under a plain name."""
    monkeypatch.chdir(tmp_path)

    def write(content: str | bytes, name: str = "puzzles.txt") -> str:
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return write


def found(*arguments: str, **options: Any) -> list[Item]:
    return list(items(arguments, Options(**options)))


def puzzle(item: Item) -> satdoku.Puzzle:
    """Its puzzle, which must be one."""
    assert isinstance(item.puzzle, satdoku.Puzzle)
    return item.puzzle


def shown(item: Item) -> str:
    """The givens of an item as one line, or its error."""
    if isinstance(item.puzzle, satdoku.Puzzle):
        return satdoku.write(item.puzzle)
    return str(item.puzzle)


def all_shown(*arguments: str, **options: object) -> list[tuple[str, str]]:
    return [(item.name, shown(item)) for item in found(*arguments, **options)]


def give_standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))


class TestFiles:
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    @pytest.mark.parametrize("last", [True, False])
    def test_every_line_is_a_puzzle_that_knows_where_it_stood(self, file: File, end: str, last: bool) -> None:
        text = f"# title{end}{end}{FOUR}{end}{OTHER}" + end * last
        assert all_shown(file(text)) == [("puzzles.txt:3", FOUR), ("puzzles.txt:4", OTHER)]

    def test_the_puzzle_itself_is_named_after_its_place(self, file: File) -> None:
        assert [puzzle(item).name for item in found(file(f"{FOUR}\n{OTHER}"))] == ["puzzles.txt:1", "puzzles.txt:2"]

    def test_the_format_is_reported(self, file: File) -> None:
        names = file(f"{FOUR}\n"), file(ROWS, "grid.txt")
        assert [item.format for item in found(*names)] == ["line", "grid"]

    @pytest.mark.parametrize("text", [ROWS, ROWS.replace("\n", "\r\n"), ROWS.rstrip(), "\ufeff" + ROWS])
    def test_a_file_of_rows_is_one_puzzle(self, file: File, text: str) -> None:
        assert all_shown(file(text)) == [("puzzles.txt:1", FOUR)]

    @pytest.mark.parametrize("mark", ['cage = [{ cells = "r1c1 r1c2", value = 7 }]', "cage = [{", "cages = []"])
    def test_toml_that_begins_with_a_grid_of_one_line_is_no_list_of_lines(self, file: File, mark: str) -> None:
        (item,) = found(file(f'grid = "{FOUR}"\n{mark}\n'))
        assert item.format == "toml" if "value" in mark else isinstance(item.puzzle, InputError)

    def test_a_puzzle_of_rows_begins_at_its_first_row(self, file: File) -> None:
        assert all_shown(file(f"# title\n\n{ROWS}")) == [("puzzles.txt:3", FOUR)]

    @pytest.mark.parametrize("bom", ["", "\ufeff"])
    def test_a_byte_order_mark_is_no_part_of_the_first_puzzle(self, file: File, bom: str) -> None:
        assert all_shown(file(f"{bom}{FOUR}\n{OTHER}\n"))[0] == ("puzzles.txt:1", FOUR)

    def test_puzzles_of_several_sizes_may_share_a_file(self, file: File) -> None:
        assert [text for _, text in all_shown(file(f"{FOUR}\n{NINE}\n"))] == [FOUR, NINE]

    def test_fields_after_the_puzzle_are_not_cells(self, file: File) -> None:
        text = f"{FOUR},4.2\n{FOUR};easy\n{FOUR}\thard\n{FOUR} 17 x\n"
        assert [text for _, text in all_shown(file(text))] == [FOUR] * 4

    def test_options_hold_for_every_line(self, file: File) -> None:
        item, other = found(file(f"{'.' * 36}\n{FOUR}\n"), box=Box(3, 2))
        assert isinstance(item.puzzle, satdoku.Puzzle)
        assert satdoku.write(item.puzzle, "grid").splitlines()[3] == "----+-----+----"
        assert "boxes of 3x2 make a 6x6 puzzle" in shown(other)

    def test_a_named_format_decides_whether_lines_are_puzzles(self, file: File) -> None:
        name = file("\n".join(["." * 16] * 16))
        assert len(found(name)) == 16
        assert len(found(name, format="grid")) == 1
        assert len(found(name, format="line")) == 16

    def test_a_name_that_looks_like_a_puzzle_is_a_file_if_there_is_one(self, file: File) -> None:
        assert all_shown(file(OTHER, FOUR)) == [(f"{FOUR}:1", OTHER)]


class TestOneLineOfAFile:
    def test_it_is_that_puzzle_alone(self, file: File) -> None:
        assert all_shown(file(f"{FOUR}\n{OTHER}\n") + ":2") == [("puzzles.txt:2", OTHER)]

    def test_a_file_of_one_drawn_puzzle_has_it_at_its_first_row(self, file: File) -> None:
        assert all_shown(file(f"# title\n{ROWS}") + ":2") == [("puzzles.txt:2", FOUR)]

    @pytest.mark.parametrize("line", ["0", "2", "4", "99999999999999999999"])
    def test_a_line_where_none_begins_is_an_error(self, file: File, line: str) -> None:
        ((_, error),) = all_shown(file(f"{FOUR}\n# no\n{OTHER}\n") + f":{line}")
        assert error == f"puzzles.txt:{line}: no puzzle begins on line {line} of puzzles.txt"

    def test_a_faulty_line_is_its_own_error(self, file: File) -> None:
        assert all_shown(file(f"{FOUR}\n123\n{FOUR}\n") + ":2") == [("puzzles.txt:2", f"puzzles.txt, line 2, {SHORT}")]

    def test_other_faulty_lines_do_not_matter(self, file: File) -> None:
        assert all_shown(file(f"{FOUR}\n123\n{OTHER}\n") + ":3") == [("puzzles.txt:3", OTHER)]

    def test_a_file_whose_name_ends_so_comes_first(self, file: File) -> None:
        file(f"{FOUR}\n{OTHER}\n")
        assert all_shown(file(NINE, "puzzles.txt:2")) == [("puzzles.txt:2:1", NINE)]


class TestStandardInput:
    def test_it_is_named_by_a_dash(self, monkeypatch: pytest.MonkeyPatch) -> None:
        give_standard_input(monkeypatch, f"{FOUR}\n{OTHER}".encode())
        assert all_shown("-") == [("-:1", FOUR), ("-:2", OTHER)]

    def test_it_may_stand_among_files(self, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
        give_standard_input(monkeypatch, ROWS.encode())
        assert all_shown(file(OTHER), "-") == [("puzzles.txt:1", OTHER), ("-:1", FOUR)]

    def test_its_errors_call_it_by_name(self, monkeypatch: pytest.MonkeyPatch) -> None:
        give_standard_input(monkeypatch, f"{FOUR}\n123\n".encode())
        assert all_shown("-")[1] == ("-:2", f"standard input, line 2, {SHORT}")

    def test_nothing_there_is_an_error(self, monkeypatch: pytest.MonkeyPatch) -> None:
        give_standard_input(monkeypatch, b"")
        assert all_shown("-") == [("-", "standard input is empty, expected puzzles")]


class TestLiterals:
    @pytest.mark.parametrize("text", [FOUR, ROWS, ROWS.rstrip(), "13|..\n..|31\n--+--\n31|..\n.2|13"])
    def test_a_text_of_cells_is_the_puzzle_itself(self, text: str) -> None:
        assert all_shown(text) == [("argument 1", FOUR)]

    def test_they_are_numbered_by_argument(self, file: File) -> None:
        origins = [origin for origin, _ in all_shown(FOUR, file(OTHER), NINE)]
        assert origins == ["argument 1", "puzzles.txt:1", "argument 3"]

    def test_an_error_in_one_has_line_and_column(self) -> None:
        ((origin, error),) = all_shown(ROWS.replace("213", "2q3"))
        assert origin == "argument 1"
        assert error.startswith("argument 1, line 4, column 3: 'q' is not a cell of a 4x4 puzzle")

    def test_a_wrong_count_of_cells_is_reported_as_that(self) -> None:
        assert "15 cells, but a puzzle has N*N" in all_shown(FOUR[1:])[0][1]

    @pytest.mark.parametrize("name", ["nosuch.txt", "nosuch.txt:3", "dir/nosuch", "ééé", "123", "a" * 5000, "x\x00y"])
    def test_what_is_neither_file_nor_puzzle_is_reported_as_neither(self, name: str) -> None:
        ((origin, error),) = all_shown(name)
        assert origin == name
        assert error == f"{name[:60]}: neither a file nor a puzzle"

    def test_a_named_format_reads_any_text_as_a_puzzle(self) -> None:
        assert all_shown("q", format="grid")[0][1].startswith("argument 1, line 1, column 1: ")


class TestWhatHoldsNoPuzzle:
    def test_a_folder_without_files(self, tmp_path: Path) -> None:
        message = f"{tmp_path}: a folder without files, expected puzzles"
        assert all_shown(str(tmp_path)) == [(str(tmp_path), message)]

    @pytest.mark.parametrize("text", ["", "\n", "  \n\t\n", "\r\n"])
    def test_an_empty_file(self, file: File, text: str) -> None:
        assert all_shown(file(text)) == [("puzzles.txt", "puzzles.txt is empty, expected puzzles")]

    def test_a_file_of_comments(self, file: File) -> None:
        (item,) = found(file("# one\n# two\n"))
        assert isinstance(item.puzzle, satdoku.InputError)
        assert "no puzzle here" in shown(item)

    @pytest.mark.parametrize("content", [b"\x00" * 16, b"\x00" * 16 + b"\n" + b"\x00" * 16, b"\x7fELF\x02\x01\x01\x00"])
    def test_a_file_of_nul_bytes(self, file: File, content: bytes) -> None:
        assert all(isinstance(item.puzzle, satdoku.InputError) for item in found(file(content)))

    def test_bytes_that_are_no_text_are_named_with_their_line(self, file: File) -> None:
        lines = all_shown(file(f"{FOUR}\n".encode() + b"12\xff\n" + OTHER.encode()))
        assert lines == [
            ("puzzles.txt:1", FOUR),
            ("puzzles.txt:2", "puzzles.txt, line 2: byte 0xff is not UTF-8 text, expected puzzles"),
            ("puzzles.txt:3", OTHER),
        ]
        ((_, error),) = all_shown(file(b"1 3 . .\n. . 3 1\n3 1 . .\n. 2 \xfe 3\n"))
        assert error == "puzzles.txt, line 4: byte 0xfe is not UTF-8 text, expected puzzles"

    @settings(max_examples=150, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(content=st.one_of(st.binary(max_size=300), st.lists(st.binary(max_size=20)).map(b"\n".join)))
    def test_any_bytes_give_puzzles_or_errors(self, file: File, content: bytes) -> None:
        answers = found(file(content))
        assert answers
        assert all(isinstance(item.puzzle, satdoku.Puzzle | satdoku.InputError) for item in answers)
        assert all("\n" not in str(item.puzzle) for item in answers if isinstance(item.puzzle, satdoku.InputError))

    def test_one_argument_at_fault_costs_that_argument_only(self, file: File, tmp_path: Path) -> None:
        answers = all_shown("nosuch.txt", FOUR, str(tmp_path), file(OTHER))
        assert [text for _, text in answers][1::2] == [FOUR, OTHER]
        assert len(answers) == 4


class TestManyLines:
    def test_one_bad_line_of_a_thousand_costs_that_line(self, file: File) -> None:
        lines = [FOUR] * 1000
        lines[499] = "123"
        answers = all_shown(file("\n".join(lines)))
        assert answers.pop(499) == ("puzzles.txt:500", f"puzzles.txt, line 500, {SHORT}")
        assert {text for _, text in answers} == {FOUR}
        assert len(answers) == 999

    @pytest.mark.parametrize("first", ["123", "a header line", "puzzle,solution"])
    def test_a_bad_first_line_does_not_hide_the_rest(self, file: File, first: str) -> None:
        _, second = found(file(f"{first}\n{FOUR}\n"))
        assert (second.name, shown(second)) == ("puzzles.txt:2", FOUR)

    def test_lines_beyond_the_head_are_read_too(self, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sources, "HEAD_BYTES", 40)
        monkeypatch.setattr(sources, "READ", 50)
        assert all_shown(file(f"{FOUR}\n" * 7)) == [(f"puzzles.txt:{line}", FOUR) for line in range(1, 8)]

    def test_rows_beyond_the_head_belong_to_the_puzzle(self, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sources, "HEAD_BYTES", 8)
        assert all_shown(file(ROWS)) == [("puzzles.txt:1", FOUR)]

    def test_blank_lines_longer_than_the_head_do_not_make_a_file_empty(
        self, file: File, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(sources, "HEAD_BYTES", 8)
        assert all_shown(file("\n" * 20 + ROWS))[-1][1] == FOUR

    def test_a_huge_line_costs_that_line(self, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sources, "MAX_PUZZLE", 100)
        monkeypatch.setattr("satdoku.inputs.items.MAX_PUZZLE", 100)
        answers = all_shown(file(f"{FOUR}\n{'1' * 1000}\n{OTHER}\n"))
        assert answers == [
            ("puzzles.txt:1", FOUR),
            ("puzzles.txt:2", "puzzles.txt, line 2: a line of over 100 bytes, expected one puzzle"),
            ("puzzles.txt:3", OTHER),
        ]

    def test_a_huge_file_that_is_one_puzzle_is_refused(self, file: File, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sources, "MAX_PUZZLE", 100)
        monkeypatch.setattr("satdoku.inputs.items.MAX_PUZZLE", 100)
        ((_, error),) = all_shown(file("123\n" * 50))
        assert "over 100 bytes, and not one puzzle a line" in error

    def test_puzzles_come_before_the_file_has_been_read_to_its_end(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sources, "HEAD_BYTES", 40)
        monkeypatch.setattr(sources, "READ", 50)
        stream = io.BytesIO(f"{FOUR}\n".encode() * 1000)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=stream))
        assert next(items(["-"], Options())).name == "-:1"
        assert stream.tell() < 200


class TestWhatSolvePrints:
    def solve(self, *arguments: str) -> str:
        result = CliRunner().invoke(app, ["solve", "-b", "backtrack", *arguments])
        assert result.exit_code == 0
        return result.stdout

    def test_the_lines_for_a_file_read_back_as_the_solutions(self, file: File) -> None:
        printed = self.solve(file(f"{FOUR}\n# between\n{NINE}\n"))
        assert [line.split("\t")[:2] for line in printed.splitlines()] == [
            ["puzzles.txt:1", "solved"],
            ["puzzles.txt:3", "solved"],
        ]
        answers = found(file(printed, "solved.txt"))
        assert [item.name for item in answers] == ["solved.txt:1", "solved.txt:2"]
        puzzles = [item.puzzle for item in answers if isinstance(item.puzzle, satdoku.Puzzle)]
        assert [satdoku.write(puzzle) for puzzle in puzzles] == [line.split("\t")[2] for line in printed.splitlines()]

    def test_so_do_lines_for_a_file_with_blanks_and_colons_in_its_name(self, file: File) -> None:
        printed = self.solve(file(f"{FOUR}\n{NINE}\n", "my puzzles: 2.txt"))
        assert len([item for item in found(file(printed)) if isinstance(item.puzzle, satdoku.Puzzle)]) == 2

    def test_so_do_lines_for_literals(self, file: File) -> None:
        answers = found(file(self.solve(FOUR, NINE)))
        assert [isinstance(item.puzzle, satdoku.Puzzle) for item in answers] == [True, True]

    def test_the_picture_of_a_single_solution_reads_back(self, file: File) -> None:
        (item,) = found(file(self.solve(NINE)))
        assert item.format == "grid"
        assert not list(puzzle(item).clashes())
        assert 0 not in puzzle(item).givens


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"\xff\xd8\xff\xe0", "a JPEG picture"),
        (b"PK\x03\x04", "a zip archive"),
    ],
)
def test_a_file_of_another_kind_is_one_error_that_says_what_it_is(tmp_path: Path, head: bytes, what: str) -> None:
    path = tmp_path / "all"
    path.write_bytes(head + b"\nabc\n" * 1000)
    (item,) = items([str(path)], Options())
    assert isinstance(item.puzzle, satdoku.InputError)
    assert str(item.puzzle).startswith(f"{path} is {what}")


@pytest.mark.parametrize("link", ["https://sudokupad.app/588su8gaub", "https://app.crackingthecryptic.com/sudoku/abc"])
def test_a_link_of_a_short_id_says_that_only_its_site_knows_the_puzzle(link: str) -> None:
    (item,) = items([link], Options())
    assert f"{link.rpartition('/')[2]!r} names a puzzle that only the server of the site knows" in str(item.puzzle)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("https://tinyurl.com/2p8abc", "a shortened link: give the address that it leads to"),
        ("https://swaroopg92.github.io/penpa-edit/#m=solve", "a Penpa link without its data, which is not read"),
        ("https://example.com/x?y=1", "a link to example.com, which is not read: expected"),
        ("p cnf 3 2\n1 2 0\n-1 3 0\n", "clauses in DIMACS CNF"),
        ("<html><body>\n", "XML or HTML"),
        (("." * 9 + "\n") * 18, "2 grids of 9x9 here: expected one puzzle a text"),
    ],
)
def test_a_known_kind_that_is_not_read_is_named(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "kind"
    path.write_text(text)
    for argument in [str(path), *([] if "\n" in text else [text])]:
        (item,) = items([argument], Options())
        assert isinstance(item.puzzle, satdoku.InputError)
        assert what in str(item.puzzle)


@pytest.mark.parametrize("name", ["missing.csv", "folder/missing.csv", "data.csv/x"])
def test_a_file_that_is_not_there_is_not_called_a_link(name: str) -> None:
    (item,) = items([name], Options())
    assert str(item.puzzle) == f"{name}: neither a file nor a puzzle"


@pytest.mark.parametrize("line", ["1234341221434...", "1,2,3,4,3,4,1,2,2,1,4,3,4,.,.,."])
def test_a_table_may_have_the_column_of_puzzles_alone(tmp_path: Path, line: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(f'puzzle\n"{line}"\n')
    assert puzzle_column(str(path)) == "puzzle"
    assert [puzzle.given_count for puzzle in satdoku.load_many(path)] == [13]


@pytest.mark.parametrize("header", ["quizzes,solutions", '"id";"quizzes"', "name\tquizzes"])
def test_the_names_of_a_table_are_passed_over(tmp_path: Path, header: str) -> None:
    path = tmp_path / "small.csv"
    delimiter = next(character for character in ",;\t" if character in header)
    fields = {"quizzes": NINE, "solutions": SOLUTION}
    row = delimiter.join(fields.get(name.strip('"'), "1") for name in header.split(delimiter))
    path.write_text(f"{header}\n{row}\n{row}\n")
    assert [item.name for item in items([str(path)], Options())] == [f"{path}:2", f"{path}:3"]
    assert all(isinstance(item.puzzle, satdoku.Puzzle) for item in items([str(path)], Options()))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "wide.txt"
    mark = "" if encoding == "utf-16" else "\ufeff"
    path.write_bytes((mark + f"# é\n{NINE}\n" * 1000).encode(encoding))
    found = [puzzle(item).givens for item in items([str(path)], Options())]
    assert len(found) == 1000
    assert set(found) == {satdoku.read(NINE).givens}
