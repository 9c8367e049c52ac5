"""Random texts and puzzles in the line, grid and newspaper formats."""

from __future__ import annotations

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.amount import tries
from support.cli import BOXES, NINE
from support.cli import TWO as FOUR
from support.puzzles import FOUR_GRID, FOUR_ROWS, NEWSPAPER

import satdoku
from satdoku.variants.boxes import box_of

REAL_TEXTS = [
    NINE,
    FOUR,
    FOUR_ROWS,
    FOUR_GRID,
    NEWSPAPER,
    "┌───┬───┐\n│1 3│. .│\n│. .│3 1│\n├───┼───┤\n│3 1│. .│\n│. 2│1 3│\n└───┴───┘",
    ",".join(["10", *["."] * 99]),
    "\n".join([" ".join(["10", *["."] * 9])] * 10),
    f"# a title\r\n{NINE},a comment\r\n",
    f"file.txt:3\tsolved\t{NINE}",
    "\ufeff" + FOUR,
]


def steady(examples: int) -> settings:
    """The same examples on every run."""
    return settings(
        max_examples=examples, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )


@st.composite
def puzzles(draw: st.DrawFn, filled: float | None = None) -> satdoku.Puzzle:
    """Random givens, not solvable as a rule; `filled` is the share of cells that hold one."""
    size = draw(st.sampled_from(sorted(BOXES)))
    share = draw(st.sampled_from([0.0, 0.02, 0.3, 0.7, 1.0])) if filled is None else filled
    random = draw(st.randoms(use_true_random=False))
    givens = [random.randint(1, size) if random.random() < share else 0 for _ in range(size * size)]
    return satdoku.Puzzle.from_givens(satdoku.classic(*BOXES[size]), givens)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A real text with a few characters put in, taken out or replaced, or a line moved."""
    text = draw(st.sampled_from(REAL_TEXTS))
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(text)))
        wide = draw(st.integers(0, 3))
        piece = draw(st.text("0123456789.,;|+-=_*xX# \t\n\r\ufeff\x00\x0b\x85\u2028│─┼²٣A:", max_size=3))
        text = text[:place] + piece + text[place + wide :]
    return text


TEXTS = st.one_of(
    st.text(max_size=200),
    st.text("0123456789.,;|+-=_*x# \t\n\r\ufeff", max_size=200),
    st.sampled_from([16, 36, 81]).flatmap(lambda length: st.text("0123456789.x-", min_size=length, max_size=length)),
    mutated(),
)


@steady(tries(300, 1000))
@given(
    text=TEXTS,
    format=st.sampled_from([None, None, "line", "grid", "newspaper"]),
    box=st.sampled_from([None, None, "2x2", "2x3", "3x2", "3x3", "5x5", "99x99", "3", "", "²x2"]),
)
@example(text="", format=None, box=None)
@example(text="\x00" * 16, format=None, box=None)
@example(text="9" * 40, format=None, box=None)
@example(text="²" * 16, format=None, box=None)
def test_any_text_gives_a_puzzle_or_an_input_error(text: str, format: str | None, box: str | None) -> None:
    try:
        puzzle = satdoku.read(text, format=format, box=box)
    except satdoku.InputError as error:
        assert str(error).strip() and "\n" not in str(error)
        if isinstance(error, satdoku.FormatError) and error.line is not None:
            assert 1 <= error.line <= max(1, len(text.splitlines()))
    else:
        assert isinstance(puzzle, satdoku.Puzzle)


@steady(tries(100, 300))
@given(text=mutated())
def test_whatever_was_read_can_be_drawn_as_a_grid_and_read_again(text: str) -> None:
    try:
        puzzle = satdoku.read(text)
    except satdoku.InputError:
        return
    assert satdoku.read(satdoku.write(puzzle, "grid")) == puzzle


@steady(tries(40, 120))
@given(puzzle=puzzles(), format=st.sampled_from(["line", "grid"]), named=st.booleans())
def test_a_printed_puzzle_reads_back_as_itself(puzzle: satdoku.Puzzle, format: str, named: bool) -> None:
    text = satdoku.write(puzzle, format)
    assert satdoku.read(text, format=format if named else None) == puzzle


@steady(tries(20, 40))
@given(puzzle=puzzles())
def test_a_printed_newspaper_grid_reads_back_given_its_box(puzzle: satdoku.Puzzle) -> None:
    text = satdoku.write(puzzle, "newspaper")
    assert satdoku.read(text, format="newspaper", box=str(box_of(puzzle.board))) == puzzle


@steady(tries(20, 40))
@given(puzzle=puzzles(filled=0.3))
def test_a_newspaper_grid_with_a_third_of_its_cells_needs_no_box(puzzle: satdoku.Puzzle) -> None:
    assert satdoku.read(satdoku.write(puzzle, "newspaper"), format="newspaper") == puzzle


@steady(tries(20, 40))
@given(puzzle=puzzles(filled=0.04))
def test_a_sparse_newspaper_grid_is_read_right_or_refused(puzzle: satdoku.Puzzle) -> None:
    text = "\n".join(line.rstrip() for line in satdoku.write(puzzle, "newspaper").splitlines())
    try:
        assert satdoku.read(text, format="newspaper") == puzzle
    except satdoku.FormatError:
        pass
