"""Blanks for empty cells, names of rows, and the letter o for 0."""

import pytest

import satdoku
from satdoku.errors import FormatError

LINE = "530070000600195000098000060800060003400803001700020006060000280000419005000080079"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]
BLANK = [row.replace("0", " ") for row in ROWS]
BOXED = [" | ".join(" ".join(row[left : left + 3]) for left in (0, 3, 6)).rstrip() for row in BLANK]
LETTERS = "ABCDEFGHI"
BANDS = "\n\n".join("\n".join(BOXED[top : top + 3]) for top in (0, 3, 6))


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(BLANK),
        "\n".join(row.rstrip() for row in BLANK),
        "\n".join(" ".join(row) for row in BLANK),
        "\n".join("    " + " ".join(row).rstrip() for row in BLANK),
        "\n".join(f"|{'|'.join(row)}|" for row in BLANK),
        BANDS,
        satdoku.write(satdoku.read(LINE), "newspaper"),
        "\n".join(f"R{number}: {row}" for number, row in enumerate(ROWS, 1)),
        "\n".join(f"Row {number}: {' '.join(row)}" for number, row in enumerate(ROWS, 1)),
        "\n".join(f"{number}) {row}" for number, row in enumerate(ROWS, 1)),
        "    C1 C2 C3 C4 C5 C6 C7 C8 C9\n" + "\n".join(f"R{n}: {'  '.join(row)}" for n, row in enumerate(ROWS, 1)),
        *[
            "\n".join(f"{name}{sign} {' '.join(row)}" for name, row in zip(names, ROWS, strict=True))
            for names in (LETTERS, LETTERS.lower(), "123456789")
            for sign in (":", ")", "", " |")
        ],
        "\n".join(f"{name} {row}" for name, row in zip(LETTERS, ROWS, strict=True)),
        *[
            "\n".join([head, *rows])
            for head, rows in (
                ("1 2 3 4 5 6 7 8 9", [" ".join(row) for row in ROWS]),
                ("123456789", ROWS),
                ("123456789", BLANK),
                ("A B C D E F G H I", [" ".join(row) for row in BLANK]),
                ("   1 2 3 4 5 6 7 8 9", [f"{name}: {' '.join(row)}" for name, row in zip(LETTERS, ROWS, strict=True)]),
                ("  1 2 3 4 5 6 7 8 9", [f"{name} {' '.join(row)}" for name, row in zip(LETTERS, BLANK, strict=True)]),
                ("  A B C D E F G H I", [f"{number} {' '.join(row)}" for number, row in enumerate(ROWS, 1)]),
                ("1 2 3 | 4 5 6 | 7 8 9", BOXED),
            )
        ],
        LINE.replace("0", "o"),
        LINE.replace("0", "O", 20),
        "\n".join(ROWS).replace("0", "o", 7),
        "\n".join(" ".join(row) for row in ROWS).replace("0", "O"),
    ],
)
def test_it_is_the_same_puzzle(text: str) -> None:
    assert satdoku.read(text) == satdoku.read(LINE)


@pytest.mark.parametrize("between", ["", " ", "  "])
def test_the_newspaper_format_reads_columns_that_stand_less_apart(between: str) -> None:
    text = "\n".join(between.join(row).rstrip() for row in BLANK)
    assert satdoku.read(text, format="newspaper") == satdoku.read(LINE)


@pytest.mark.parametrize(
    "rows",
    [
        [" ".join(row.replace(" ", "")) for row in BLANK],  # the cells were left out
        [row[:4] + " " + row[5:] for row in BLANK],  # no digit in column 5
        [*BLANK[:4], "", *BLANK[5:]],  # no digit in row 5
        # Without a digit in row 5 and in column 5 as many rows as columns are left: not those of an 8x8 puzzle.
        [(row[:4] + " " + row[5:]).replace("9", "1") if place != 4 else "" for place, row in enumerate(BLANK)],
    ],
)
def test_what_may_be_another_puzzle_is_refused_with_its_line(rows: list[str]) -> None:
    with pytest.raises(FormatError, match=r"row \d has . cells, and (there are|other rows have)") as caught:
        satdoku.read("\n".join(rows))
    assert caught.value.line is not None


def test_the_hint_says_what_to_do_about_blanks() -> None:
    with pytest.raises(FormatError, match="else put a dot in each empty cell"):
        satdoku.read("\n".join(row[:4] + " " + row[5:] for row in BLANK))


def test_rows_with_names_that_are_not_in_order_are_not_guessed() -> None:
    with pytest.raises(FormatError):
        satdoku.read("\n".join(f"R{n}: {row}" for n, row in zip((1, 3, 2, *range(4, 10)), ROWS, strict=True)))


@pytest.mark.parametrize("head", ["", "1 2 3 4 5 6 7 8 9\n", "  1 2 3 4 5 6 7 8 9\n"])
@pytest.mark.parametrize("name", ["", "{letter}: ", "{letter} "])
def test_cells_left_out_are_refused_at_their_row(head: str, name: str) -> None:
    rows = [name.format(letter=letter) + " ".join(row) for letter, row in zip(LETTERS, ROWS, strict=True)]
    rows[4] = rows[4].replace(" 0 ", " ", 1)
    with pytest.raises(FormatError, match=r"row 5 has 8 cells, .* put a dot in each empty cell$") as caught:
        satdoku.read(head + "\n".join(rows))
    assert caught.value.line == 5 + bool(head)


def test_a_first_row_that_counts_is_a_row_where_the_grid_is_square_with_it() -> None:
    empty = "\n. . . ."
    assert satdoku.read("1 2 3 4" + 3 * empty).givens[:4] == (1, 2, 3, 4)
    assert satdoku.read("1 2 3 4" + 4 * empty, size="5x4", box="none").given_count == 4
    assert satdoku.read("1 2 3 4" + 4 * empty).given_count == 0


def test_a_line_of_bars_alone_has_no_name() -> None:
    with pytest.raises(FormatError):
        satdoku.read("|\n" * 5 + "1 2 3\n|")
