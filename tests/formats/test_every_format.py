"""Every format that people paste: what is written is read back, one puzzle is one puzzle in all of them."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.amount import tries
from support.puzzles import same, variant

import satdoku
from satdoku import FormatError, InputError, Puzzle, Refused, Verdict, classic
from satdoku.formats import Options, formats
from satdoku.puzzle import Mark
from satdoku.variants import REGIONS, build, kinds
from satdoku.variants.boxes import Box

VARIANTS = sorted((Path(__file__).parents[2] / "puzzles" / "variants").glob("*.toml"))
LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
WRITERS = sorted(name for name, one in formats().items() if one.text_of is not None and name != "samurai")


def sizes(name: str) -> list[int]:
    least, most = formats()[name].holds.sizes
    return [size for size in (4, 6, 9, 10, 12, 16) if least <= size <= most]


def random_puzzle(size: int, rng: random.Random, filled: float = 0.4) -> Puzzle:
    box = Box.of_size(size)
    assert box is not None
    givens = {cell: rng.randint(1, size) for cell in range(size * size) if rng.random() < filled}
    return Puzzle.from_givens(classic(box.rows, box.columns), givens | {0: 1})


@pytest.mark.parametrize("name", [name for name in WRITERS if name != "killer"])
def test_what_a_format_writes_it_reads_back(name: str) -> None:
    rng = random.Random(name)
    for size in sizes(name):
        for _ in range(5):
            puzzle = random_puzzle(size, rng)
            text = satdoku.write(puzzle, name)
            assert same(satdoku.read(text, format=name), puzzle), text


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in ("killer", "letters")])
def test_one_puzzle_is_checked_to_one_verdict_in_every_format(name: str) -> None:
    puzzle = satdoku.read(LINE)
    text = satdoku.write(puzzle, name)
    read = satdoku.read(text, format=name if formats()[name].explicit_only else None)
    assert same(read, puzzle)
    assert satdoku.check(read).verdict is Verdict.UNIQUE


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_a_variant_survives_toml_and_f_puzzles(path: Path) -> None:
    puzzle = variant(path.stem)
    assert same(satdoku.read(satdoku.write(puzzle, "toml")), puzzle)
    if path.stem not in REGIONS and kinds()[path.stem].fpuzzles is None:
        names = "|".join({path.stem, *(mark.kind for mark in puzzle.board.marks)})
        with pytest.raises(Refused, match=names):
            satdoku.write(puzzle, "f-puzzles")
        return
    for name in ("f-puzzles", "f-puzzles-json"):
        assert same(satdoku.read(satdoku.write(puzzle, name)), puzzle)


@pytest.mark.parametrize("path", VARIANTS, ids=lambda path: path.stem)
def test_a_prompt_states_each_rule_in_words_and_the_whole_puzzle(path: Path) -> None:
    puzzle = variant(path.stem)
    if path.stem == "board":
        with pytest.raises(Refused, match="holds one board"):
            formats()["prompt"].write(puzzle, metadata=False)
        return
    text = formats()["prompt"].write(puzzle, metadata=False)
    assert same(satdoku.read(text), replace(puzzle, solution=None, rules=""))
    before, _, behind = text.partition("```toml")
    for mark in puzzle.board.marks:
        assert mark.kind in REGIONS or (kinds()[mark.kind].summary in before and mark.kind in behind)
    assert "solution" not in behind


def test_a_prompt_without_its_puzzle_is_refused() -> None:
    with pytest.raises(FormatError, match="a prompt without its puzzle"):
        satdoku.read("Solve this Sudoku.", format="prompt")
    solved = replace(satdoku.read(LINE), solution=satdoku.solve(LINE).grid)
    text = formats()["prompt"].write(solved, metadata=False).replace("boxes", "boxen")
    assert "solution" not in text
    with pytest.raises(FormatError, match="boxen") as caught:
        satdoku.read(text)
    assert text.splitlines()[(caught.value.line or 0) - 1].startswith("boxen")


@pytest.mark.parametrize("name", ["line", "grid", "newspaper", "sdm", "sdk", "ss", "pencilmark", "letters", "jigsaw"])
def test_a_plain_format_refuses_a_rule_by_name(name: str) -> None:
    board = build(9, (Mark("boxes", value="3x3"), Mark("anti-knight")))
    with pytest.raises(Refused, match="anti-knight"):
        satdoku.write(Puzzle.from_givens(board, {}), name)


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=tries(15, 40), derandomize=True, database=None, deadline=None)
@given(data=st.data())
def test_a_mutated_text_of_any_format_gives_a_puzzle_or_our_error(name: str, data: st.DataObject) -> None:
    size = sizes(name)[0]
    text = "2x2::k:" + "2561:" * 16 if name == "killer" else satdoku.write(random_puzzle(size, random.Random(1)), name)
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        piece = data.draw(
            st.text(max_size=3) | st.sampled_from(["\n", "99999999999", ":", "\x00", "[Puzzle]", "=", "J"])
        )
        text = text[:start] + piece + text[start + data.draw(st.integers(0, 5)) :]
    for format in (name, None):
        try:
            assert isinstance(satdoku.read(text, format=format), Puzzle)
        except InputError:
            pass


def test_a_folder_with_one_puzzle_in_every_format_is_checked_to_one_verdict(tmp_path: Path) -> None:
    from typer.testing import CliRunner

    from satdoku.cli import app

    puzzle = satdoku.read(LINE)
    found_out = [name for name in WRITERS if not formats()[name].explicit_only and name not in ("letters", "killer")]
    for name in found_out:
        (tmp_path / name).write_text(satdoku.write(puzzle, name) + "\n", "utf-8")
    done = CliRunner().invoke(app, ["check", *map(str, sorted(tmp_path.iterdir()))])
    assert done.exit_code == 0, done.output
    assert done.output.count("\tunique") == len(found_out) > 9


def test_every_file_of_a_variant_is_one_puzzle_on_the_command_line() -> None:
    from satdoku.inputs.sources import items

    found = list(items(map(str, VARIANTS), Options()))
    assert [item.format for item in found] == ["toml"] * len(VARIANTS)


@pytest.mark.parametrize(("rows", "message"), [(1, "1 row"), (4, "4 rows")])
@pytest.mark.parametrize("key", ["grid", "regions", "solution"])
def test_toml_says_how_many_rows_a_drawing_has_and_should_have(key: str, rows: int, message: str) -> None:
    drawing = "\n".join(["1" * 9] * rows)
    with pytest.raises(FormatError, match=rf"^{key} has {message}, expected 9 \(size = 9\)$"):
        satdoku.read(f'size = 9\n{key} = """\n{drawing}\n"""')


@pytest.mark.parametrize(("shape", "rows"), [("", 4), ('size = "2x8"\nvalues = "0-7"\nboxes = "none"\n', 2)])
def test_a_grid_of_toml_may_be_one_line(shape: str, rows: int) -> None:
    cells = "1.......0......."[: 8 * 2] if shape else "1234341221434321"
    columns = len(cells) // rows
    drawn = "\n".join(cells[start : start + columns] for start in range(0, len(cells), columns))
    rest = 'cage = ["r1c1 r1c2"]\n'
    whole = satdoku.read(f'{shape}grid = """\n{drawn}\n"""\n{rest}')
    assert satdoku.read(f'{shape}grid = "{cells}"\n{rest}') == whole


def test_the_solution_and_the_regions_of_toml_may_be_one_line_too() -> None:
    puzzle = satdoku.read('grid = "1..............."\nregions = "aabbaabbccddccdd"\nsolution = "1234341221434321"')
    assert puzzle.solution == (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
    assert len(puzzle.board.houses) == 12


def test_a_prompt_keeps_a_rules_text_that_has_fences() -> None:
    for rules in ("```", "one\n```toml\nsize = 9\n```", "````\n```", 'a """ b'):
        puzzle = replace(satdoku.read("13....3131...213"), rules=rules)
        assert satdoku.read(satdoku.write(puzzle, "prompt")).rules == rules
