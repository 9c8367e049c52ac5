"""Slips in puzzles that somebody wrote by hand: the message says what is wrong, where, and what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.cli import NINE, complaints, records, run

import satdoku
from satdoku import FormatError
from satdoku.limits import MAX_PLAIN

ROWS = [NINE[start : start + 9] for start in range(0, 81, 9)]


def refused(text: str) -> tuple[str, int | None, int | None]:
    with pytest.raises(FormatError) as caught:
        satdoku.read(text)
    return caught.value.message, caught.value.line, caught.value.column


@pytest.mark.parametrize(
    ("rows", "message", "line"),
    [
        ([*ROWS[:4], ROWS[4][:-1], *ROWS[5:]], "row 5 has 8 cells, and other rows have 9", 5),
        ([*ROWS[:4], ROWS[4] + "1", *ROWS[5:]], "row 5 has 10 cells, and other rows have 9", 5),
        (["# mine", ROWS[0][:-1], *ROWS[1:]], "row 1 has 8 cells, and other rows have 9", 2),
        ([" ".join(row) for row in [*ROWS[:8], ROWS[8][:3]]], "row 9 has 3 cells, and other rows have 9", 9),
        (ROWS[:8], "8 rows of 9 cells", 1),
    ],
)
def test_the_row_that_is_short_or_missing_is_named(rows: list[str], message: str, line: int) -> None:
    dots = "; put a dot in each empty cell" * any(f"has {few} cells" in message for few in (3, 8))
    assert refused("\n".join(rows)) == (f"{message}: expected N rows of N cells{dots}", line, 1)


@pytest.mark.parametrize("piece", ["|", "ab|"])
def test_the_longest_text_is_read_to_its_end(piece: str) -> None:
    """Where time grows with the square of the length this takes over half an hour, and the run is stopped."""
    with pytest.raises(FormatError):
        satdoku.read(piece * (MAX_PLAIN // len(piece)))


@pytest.mark.parametrize("text", ['cage = [{cells = "r1c1", value = 3}]', "arrow = { line = 3 }"])
def test_marks_alone_are_no_lists_of_a_program(text: str) -> None:
    assert refused(text)[0] == "no size and no grid here: expected one of them"


@pytest.mark.parametrize("text", [ROWS[0], " ".join(ROWS[0]), ",".join(ROWS[0]), f"[[{','.join('530070000')}]]"])
def test_one_row_is_reported_as_one(text: str) -> None:
    assert refused(text)[0].startswith("9 cells, one row of a 9x9 puzzle: expected all 81; ")
    assert refused(f'grid = "{ROWS[0]}"')[0].startswith("grid, row 1: 9 cells, one row of a 9x9 puzzle: ")


def test_lists_that_are_not_a_square_are_reported_as_that() -> None:
    wanted = "expected N lists of N; another shape needs a size, such as 6x9"
    assert refused('["1.3.", ".4.1"]')[0] == f"2 lists of 4 values: {wanted}"
    assert refused("[[1, 2, 3], [4, 5, 6]]")[0] == f"2 lists of 3 values: {wanted}"


@pytest.mark.parametrize(
    ("text", "sign", "line", "column"),
    [
        ('thermometer = ["r4c1 r3c1"', "[", 2, 15),
        ('cage = [\n  { cells = "r1c1", value = 5 },\n  { cells = "r2c1" }\ntitle = "x"', "[", 2, 8),
        ('cage = [\n  { cells = "r1c1", value = 5 ,\n  { cells = "r2c1" },\n]', "{", 3, 3),
        ('cage = { cells = "r1c1"', "{", 2, 8),
        ('[[cage]\ncells = "r1c1"', "[", 2, 1),
        ('title = "[ok" # [\nrules = ["anti-knight"', "[", 3, 9),
        ('title = "First\nauthor = "me"', '"', 2, 9),
        ("title = 'it's'", "'", 2, 14),
        ('grid = """\n1...\n', '"""', 2, 8),
        ("grid = '''\n1...\n", "'''", 2, 8),
    ],
)
def test_a_bracket_or_a_quotation_mark_that_is_not_closed_is_named(
    text: str, sign: str, line: int, column: int
) -> None:
    assert refused(f"size = 4\n{text}\n") == (f"not TOML: the {sign} here is never closed", line, column)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("title = ", "expected a number, a text in quotation marks, or a list in [ ]", 2),
        ("title = First", "expected a number, a text in quotation marks, or a list in [ ]", 2),
        ("\nsize = 5", "a key that stands there already", 3),
    ],
)
def test_what_else_is_not_toml_is_reported_in_plain_words(text: str, message: str, line: int) -> None:
    assert refused(f"size = 4\n{text}\n")[:2] == (f"not TOML: {message}", line)


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ('\nrules = ["variable a-b"]', "rules, variable: value 'a-b': expected a name in capitals", 3),
        ('rules = [\n"doublers",\n"schroedinger"]', "rules 1, doublers: two rules that change what cells count", 3),
        ('rules = "connected-values 99"', "rules, connected-values: value '99': expected", 2),
        ('rules = [\n"windoku",\n"doppelganger"\n]', "rules 2, doppelganger: a board of", 4),
        ('rules = ["windoku", "variable A: 1-9999"]', "rules 2, variable: values '1-9999': expected some of", 2),
        ('rules = [\n# "a", [b]\n"windoku",\n"foo"]', "rules 2 has 'foo', which is not a rule", 5),
        ('cage = [\n"r1c1",\n{ cells = "r1c9", value = 3 }]', "cage 2: r1c9 is outside the 6x6 grid", 4),
        ('thermometer = [\n"r1c1 r1c2",\n"r1c9 r1c8"]', "thermometer 2: r1c9 is outside the 6x6 grid", 4),
        ('thermometer = [\n"r1c9 r1c8"]', "thermometer: r1c9 is outside the 6x6 grid", 3),
        ('[[cage]]\ncells = "r1c1"\nvalue = 1\n[[cage]]\ncells = "r1c9"\nvalue = 1', "cage 2: r1c9 is outside", 5),
        ('rel = ["r1c1 r1c2"]\n\n[define.rel]\npair = "a <> b"', "define.rel.pair: expression 'a <> b'", 5),
        ('rel = ["r1c1 r1c2"]\n[define]\nrel = { pair = "a <> b" }', "define.rel.pair: expression 'a <> b'", 4),
        ('rel = [\n"r1c9 r1c8"]\n[define.rel]\npair = "a < b"', "rel: r1c9 is outside", 3),
        ('[define.rel]\nfoo = "a < b"', "define.rel: expected one of", 2),
        ('cage.cells = "r1c9"', "cage: r1c9 is outside", 2),
        ('rules = []\nregions = """\n' + "112\n112\n333\n" * 2 + '"""', "regions has 6 rows of 3 cells", 3),
        ('rules = []\nregions = """\n' + "112233\n" * 5 + '112234\n"""', "regions: ", 3),
    ],
)
def test_a_fault_of_toml_names_its_entry_and_the_line_of_it(text: str, message: str, line: int) -> None:
    found = refused(f"size = 6\n{text}\n")
    assert (found[0][: len(message)], found[1]) == (message, line)


@pytest.mark.parametrize(
    "text", ['title = "a"\nauthor = "b"\n', 'size = 4\nextra-region = "r1c1 r1c2 r1c3 r1c4 r2c1"\n']
)
def test_a_fault_of_no_key_states_no_line(text: str, tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text(text)
    (message,) = complaints(run("check", str(file)))
    assert message.startswith(f"{file}: ")
    assert records(run("check", "--json", str(file)))[0]["error"] == message
    assert refused(text)[1] is None


def test_a_file_without_boards_says_so() -> None:
    message, line, _ = refused("board = []\n")
    assert (message[:8], line) == ("board is", 1)


def test_a_letter_beside_the_sign_of_empty_cells_is_the_fault() -> None:
    rows = [" ".join(row).replace("0", "-").replace(".", "-") for row in ROWS]
    rows[0] = f"{rows[0][:-1]}l"
    assert refused("\n".join(rows))[0].startswith("'l' is not a cell of a 9x9 puzzle")


@pytest.mark.parametrize(
    ("text", "what"), [('{"size": 9, "grid": []}', "the grid is empty"), ('{"size": 9}', "no grid")]
)
def test_an_empty_grid_of_json_is_distinguished_from_none(text: str, what: str) -> None:
    assert refused(text)[0] == f"{what} in this object of JSON: expected one of f-puzzles, with size and grid"


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("givens", "grid"),
        ("puzzle", "grid"),
        ("name", "title"),
        ("box", "boxes"),
        ("rule", "rules"),
        ("thermo", "thermometer"),
        ("thermos", "thermometer"),
        ("killer", "killer-cage"),
        ("KillerCage", "killer-cage"),
        ("arrows", "arrow"),
        ("little_killer", "little-killer"),
        ("little_killers", "little-killer"),
        ("kropki", "kropki-white or kropki-black"),
    ],
)
def test_a_key_by_another_word_leads_to_the_one_that_is_meant(key: str, meant: str) -> None:
    message, line, _ = refused(f'size = 4\n{key} = "r1c1 r1c2"\n')
    assert (message, line) == (f"{key!r} is not a key of this format: did you mean {meant}?", 2)


def test_a_file_with_keys_is_not_read_as_a_puzzle_a_line() -> None:
    result = run("check", "-", input='size = 4\ngivens = "1..............."\n')
    assert (result.exit_code, result.stdout) == (2, "")
    assert (
        result.stderr == "satdoku: standard input, line 2: 'givens' is not a key of this format: did you mean grid?\n"
    )


class TestObjectsOfJson:
    def test_f_puzzles_takes_the_json_of_a_link_too(self) -> None:
        grid = [[{"value": 1, "given": True}, {}, {}, {}], *[[{}] * 4] * 3]
        text = str({"size": 4, "grid": grid}).replace("'", '"').replace("True", "true")
        assert satdoku.read(text, format="f-puzzles").givens[0] == 1
        assert run("check", "--format", "f-puzzles", text).exit_code == 1
        assert run("check", text).stdout == run("check", "--format", "f-puzzles", text).stdout

    @pytest.mark.parametrize("text", ['{"size": 4}', '{"id": "abc"}', "hello"])
    def test_the_hint_for_links_with_an_id_is_for_these_alone(self, text: str) -> None:
        with pytest.raises(FormatError) as caught:
            satdoku.read(text, format="f-puzzles")
        assert "?id=" not in caught.value.message

    @pytest.mark.parametrize("text", ['{"size": 4}', '{"id": "abc"}', "{}", '{"a"', "[[1,2", "[13,22]"])
    def test_in_an_argument_it_is_reported_what_is_missing(self, text: str) -> None:
        assert run("check", text).stderr.startswith("satdoku: argument 1, line 1")

    @pytest.mark.parametrize("name", ["puzzle", "quiz", "grid"])
    def test_a_text_under_a_name_is_a_puzzle(self, name: str) -> None:
        result = run("check", f'{{"{name}": "{NINE}", "level": 3}}')
        assert result.stderr == "satdoku: read as lists, 9x9 with 3x3 boxes, 30 givens\n"
