"""Pictures: every mark leaves ink, everything is on its page, the same puzzle gives the same bytes."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from support.amount import every
from support.cli import complaints, run
from support.puzzles import variant

from satdoku import Mark, Puzzle, classic, read, solve, write
from satdoku.commands.render import pages
from satdoku.errors import InputError
from satdoku.pictures import Picture, Sheet, alone, canvas, paged
from satdoku.pictures.layout import PAPER_SIZES, Page
from satdoku.pictures.picture import SECOND_INK, extent, strokes
from satdoku.puzzle import Size
from satdoku.variants import Frame, Shape, build, kinds
from satdoku.variants.drawing import BY_SHAPE
from satdoku.variants.drawing import strokes as drawn
from satdoku.variants.strokes import INK, Area, Disc, Line, Note, Text, head, outlines, pill

PUZZLES = Path(__file__).parents[2] / "puzzles"
NINE = read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
SOLVED = solve(NINE).grids[0]
ONE_EACH = {next(name for name, kind in kinds().items() if kind.shape is shape) for shape in Shape}
WORDY = sorted(kinds(), key=lambda name: len(kinds()[name].summary))[-20:]
SIGNS = {"svg": b"<?xml", "png": b"\x89PNG", "pdf": b"%PDF"}


def without(puzzle: Puzzle, kind: str) -> Puzzle:
    """The same puzzle with no mark of that kind drawn."""
    marks = tuple(mark for mark in puzzle.board.marks if mark.kind != kind)
    return replace(puzzle, board=replace(puzzle.board, marks=marks))


def texts(picture: Picture) -> list[Text]:
    return [stroke for stroke in strokes(picture) if isinstance(stroke, Text)]


def notes(picture: Picture) -> list[str]:
    return [stroke.text for stroke in strokes(picture) if isinstance(stroke, Note)]


class TestMarks:
    @pytest.mark.parametrize("name", sorted(kinds()))
    def test_every_kind_leaves_ink(self, name: str) -> None:
        puzzle = variant(name)
        assert any(mark.kind == name for mark in puzzle.board.marks)
        inked, blank = (Picture(one) for one in (puzzle, without(puzzle, name)))
        assert set(strokes(inked)) - set(strokes(blank))
        if name in ONE_EACH:
            assert canvas.image(alone(inked, 4), "png") != canvas.image(alone(blank, 4), "png")

    @pytest.mark.parametrize("name", sorted(kinds()))
    def test_every_mark_leaves_ink_of_its_own(self, name: str) -> None:
        puzzle = variant(name)
        marks = puzzle.board.marks
        size = puzzle.board.size
        whole = set(drawn(Frame(size, marks)))
        for index, mark in enumerate(marks):
            if mark.kind == name and kinds()[name].shape is not Shape.RULE:
                others = set(drawn(Frame(size, marks[:index] + marks[index + 1 :])))
                assert whole - others, mark

    @pytest.mark.parametrize("shape", Shape, ids=lambda shape: shape.value)
    def test_a_kind_that_says_nothing_of_its_looks_is_drawn_by_its_shape(self, shape: Shape) -> None:
        name, kind = next((name, kind) for name, kind in kinds().items() if kind.shape is shape)
        mark = next(mark for mark in variant(name).board.marks if mark.kind == name)
        assert list(BY_SHAPE[kind.shape](Frame(Size.of(9), (mark,)), mark))

    def test_values_of_marks_are_written(self) -> None:
        marks = (
            Mark("cage", ((1, 1), (1, 2)), value=17),
            Mark("sandwich", ((0, 3),), value=33),
            Mark("difference", ((5, 5), (5, 6)), value=4),
            Mark("quadruple", ((7, 7), (7, 8), (8, 7), (8, 8)), value="2 4 6 8"),
            Mark("xv", ((9, 1), (9, 2)), value="v"),
            Mark("little-killer", ((4, 0),), (((5, 1), (6, 2)),), 29),
        )
        board = build(9, (Mark("boxes", value="3x3"), *marks))
        written = {text.text for text in texts(Picture(Puzzle.from_givens(board, [0] * 81)))}
        assert {"17", "33", "4", "2 4", "6 8", "V", "29"} <= written

    def test_clues_at_one_place_stand_apart(self) -> None:
        marks = (Mark("sandwich", ((0, 3),), value=33), Mark("x-sum", ((0, 3),), value=21))
        board = build(9, (Mark("boxes", value="3x3"), *marks))
        places = {text.text: text.at for text in texts(Picture(Puzzle.from_givens(board, [0] * 81)))}
        assert places["33"][1] == places["21"][1] == 3
        assert places["21"][0] < places["33"][0] - 0.5

    def test_rules_without_a_place_are_written_once(self) -> None:
        assert notes(Picture(variant("anti-knight"))) == [kinds()["anti-knight"].summary]
        assert notes(Picture(variant("sandwich"))) == [kinds()["sandwich"].summary]
        assert not notes(Picture(variant("cage")))
        assert kinds()["cage"].summary in notes(Picture(variant("cage"), rules=True))


class TestGeometry:
    def test_an_outline_goes_around_its_cells_inside_them(self) -> None:
        assert outlines([(1, 1), (1, 2), (2, 1)], 0.25) == (
            ((0.75, 2.25), (1.25, 2.25), (1.25, 1.25), (2.25, 1.25), (2.25, 0.75), (0.75, 0.75)),
        )

    def test_a_hole_and_cells_that_meet_at_a_corner_have_lines_of_their_own(self) -> None:
        ring = [(row, column) for row in (1, 2, 3) for column in (1, 2, 3) if (row, column) != (2, 2)]
        assert sorted(map(len, outlines(ring, 0.1))) == [4, 4]
        assert sorted(map(len, outlines([(1, 1), (2, 2)], 0.1))) == [4, 4]

    def test_a_pill_keeps_its_distance_from_the_way_between_two_points(self) -> None:
        for row, column in pill((1, 1), (1, 3), 0.4):
            nearest = min(max(column, 1), 3)
            assert (row - 1) ** 2 + (column - nearest) ** 2 == pytest.approx(0.16)
        assert len(set(pill((2, 2), (2, 2), 0.4))) > 16

    def test_a_head_ends_at_the_tip(self) -> None:
        line = head((1, 1), (1, 3), INK, 0.1)
        assert line.points[1] == (1, 3)
        assert all(column < 3 for _, column in (line.points[0], line.points[2]))


class TestPictures:
    def test_givens_are_in_one_ink_and_the_solution_in_another(self) -> None:
        digits = texts(Picture(NINE, SOLVED))
        assert "".join(text.text for text in sorted(digits, key=lambda text: text.at)) == "".join(map(str, SOLVED))
        assert sum(text.tint == INK for text in digits) == sum(map(bool, NINE.givens))
        assert {text.tint for text in digits} == {INK, SECOND_INK}

    def test_candidates_stand_in_cells_without_a_value(self) -> None:
        candidates = (0b1111111110,) * 81
        digits = texts(Picture(NINE, candidates=candidates))
        assert len(digits) == 30 + 51 * 9
        own = Puzzle(classic(2, 2), (0b110,) + (0b11110,) * 15)
        assert [text.text for text in texts(Picture(own))] == ["1", "2"]

    @pytest.mark.parametrize("box", [(2, 2), (2, 3), (4, 4), (5, 5), (6, 6), (10, 10)], ids=str)
    def test_every_candidate_stays_in_its_cell_and_touches_no_other(self, box: tuple[int, int]) -> None:
        board = classic(*box)
        every = Puzzle.from_givens(board, [0] * board.cells)
        digits = texts(Picture(every, candidates=(board.every_value,) + (0,) * (board.cells - 1)))
        assert len(digits) == board.values
        ends = [canvas._letters(text)[1] for text in digits]
        for text, (left, right) in zip(digits, ends, strict=True):
            assert 0.5 < text.at[0] - text.height / 2 < text.at[0] + text.height / 2 < 1.5
            assert 0.5 < text.at[1] + left < text.at[1] + right < 1.5
        for index, (text, (_, right)) in enumerate(zip(digits, ends, strict=True)):
            for other, (left, _) in zip(digits[index + 1 :], ends[index + 1 :], strict=True):
                if text.at[0] == other.at[0]:
                    assert text.at[1] + right < other.at[1] + left

    def test_focus_and_reasons_are_shaded(self) -> None:
        plain, marked = (list(strokes(p)) for p in (Picture(NINE), Picture(NINE, focus=(2,), reasons=(0, 1))))
        extra = [stroke for stroke in marked if stroke not in plain]
        assert sum(isinstance(stroke, Area) for stroke in extra) == 3
        assert sum(isinstance(stroke, Line) for stroke in extra) == 1

    def test_a_board_that_is_no_square_is_drawn(self) -> None:
        from satdoku import Board

        picture = Picture(Puzzle.from_givens(Board(10, 4, 4, ()), [1, 0, 0, 0, 0, 0, 0, 0, 2, 0]))
        assert extent(tuple(strokes(picture)))[:2] == pytest.approx((0.47, 0.47))
        assert canvas.image(alone(picture), "svg").startswith(b"<?xml")


def on_its_page(page: Page) -> bool:
    """Whether every stroke, with the true width of texts, is inside the page."""
    for placed in page.placed:
        for stroke in placed.strokes:
            match stroke:
                case Text():
                    left, right = canvas._letters(stroke)[1]
                    half = stroke.height / 2
                    corners = [(stroke.at[0] - half, stroke.at[1] + left), (stroke.at[0] + half, stroke.at[1] + right)]
                case Disc():
                    corners = [(x - s, y - s) for s in (stroke.radius, -stroke.radius) for x, y in [stroke.centre]]
                case Line() | Area():
                    corners = list(stroke.points)
                case _:
                    return False
            for row, column in corners:
                x, y = placed.left + column * placed.cell, placed.top + row * placed.cell
                if not (0 <= x <= page.width and 0 <= y <= page.height):
                    return False
    return True


class TestPages:
    @pytest.mark.parametrize("name", every(3, sorted(kinds())))
    def test_nothing_of_a_picture_is_off_its_page(self, name: str) -> None:
        assert on_its_page(alone(Picture(variant(name), rules=name in WORDY, title=name)))

    def test_a_sheet_holds_so_many_and_the_answers_follow_more_densely(self) -> None:
        pictures = [Picture(NINE, title=str(number)) for number in range(1, 8)]
        answers = [replace(picture, grid=SOLVED) for picture in pictures]
        pages = paged(pictures, answers, Sheet(2, 3))
        assert [len(page.placed) for page in pages] == [6, 1, 7]
        assert all((page.height, page.width) == PAPER_SIZES["a4"] for page in pages)
        assert all(map(on_its_page, pages))
        assert pages[0].placed[0].cell > pages[2].placed[0].cell > 2.5

    def test_pictures_on_a_sheet_do_not_overlap(self) -> None:
        names = ["anti-knight", "little-killer", "x-sum", "cage", "boxes", "negative-xv"]
        (page,) = paged([Picture(variant(name), rules=True, title=name) for name in names], (), Sheet(3, 2, "letter"))
        boxes = []
        for placed in page.placed:
            top, left, bottom, right = (edge * placed.cell for edge in extent(placed.strokes))
            boxes.append((top + placed.top, left + placed.left, bottom + placed.top, right + placed.left))
        for index, one in enumerate(boxes):
            for other in boxes[index + 1 :]:
                assert one[2] <= other[0] or one[3] <= other[1] or other[2] <= one[0] or other[3] <= one[1]

    @pytest.mark.parametrize("text", ["", "2", "0x3", "2x", "2x3x4", "-1x2", "50x50", "2 x 3"])
    def test_what_is_no_sheet_is_refused(self, text: str) -> None:
        with pytest.raises(InputError, match="expected ROWSxCOLUMNS"):
            Sheet.parse(text)

    def test_a_paper_that_is_not_known_is_refused(self) -> None:
        with pytest.raises(InputError, match="a4 or letter"):
            Sheet.parse("2x3", "a5")


class TestFiles:
    @pytest.mark.parametrize("format", canvas.FORMATS)
    def test_the_same_picture_gives_the_same_bytes(self, format: str) -> None:
        first, again = (canvas.image(alone(Picture(NINE, SOLVED)), format) for _ in range(2))
        assert first == again
        assert first.startswith(SIGNS[format])

    def test_a_document_has_a_page_for_each(self) -> None:
        pages = paged([Picture(NINE)] * 3)
        written = canvas.document(pages)
        assert len(re.findall(rb"/Type /Page\b", written)) == 3
        assert written == canvas.document(pages)

    def test_the_second_ink_is_in_the_file(self) -> None:
        page, solved = alone(Picture(NINE)), alone(Picture(NINE, SOLVED))
        assert SECOND_INK.encode() not in canvas.image(page, "svg")
        assert SECOND_INK.encode() in canvas.image(solved, "svg")


class TestCommand:
    @pytest.mark.parametrize("format", canvas.FORMATS)
    def test_the_suffix_names_the_format(self, tmp_path: Path, format: str) -> None:
        file = tmp_path / f"picture.{format.upper()}"
        result = run("render", str(PUZZLES / "6x6.txt"), "--solution", "-o", str(file))
        assert result.exit_code == 0
        assert complaints(result) == [f"{file} written"]
        assert file.read_bytes().startswith(SIGNS[format])

    def test_without_a_file_it_is_svg_on_standard_output(self) -> None:
        result = run("render", "1234341221434...")
        assert result.exit_code == 0
        assert result.stdout_bytes.startswith(b"<?xml")

    def test_several_images_are_numbered_and_a_document_holds_all(self, tmp_path: Path) -> None:
        several = str(PUZZLES / "9x9_hardest.txt")
        assert run("render", several, "-o", str(tmp_path / "p.png"), "--cell", "2").exit_code == 0
        assert run("render", several, "-o", str(tmp_path / "p.pdf")).exit_code == 0
        assert {file.name for file in tmp_path.iterdir()} == {"p-1.png", "p-2.png", "p-3.png", "p.pdf"}

    def test_a_sheet_has_its_answers_at_the_back(self, tmp_path: Path) -> None:
        several = str(PUZZLES / "9x9_hardest.txt")
        for flags, number in (((), 2), (("--no-answers",), 1), (("--solution",), 1)):
            result = run("render", several, "--sheet", "2x2", *flags, "-o", str(tmp_path / "p.pdf"))
            assert result.exit_code == 0
            assert len(re.findall(rb"/Type /Page\b", (tmp_path / "p.pdf").read_bytes())) == number

    def test_what_has_no_solution_is_drawn_and_reported(self, tmp_path: Path) -> None:
        file = tmp_path / "p.svg"
        result = run("render", str(PUZZLES / "9x9_clash.txt"), "--solution", "-o", str(file))
        assert result.exit_code == 1
        assert "unsolvable, drawn without a solution: row 1 has 6 twice" in result.stderr
        assert file.read_bytes().startswith(SIGNS["svg"])

    def test_several_solutions_are_reported(self, tmp_path: Path) -> None:
        result = run("render", "13....3131...213", "--solution", "-o", str(tmp_path / "p.svg"))
        assert result.exit_code == 0
        assert "multiple, drawn with one solution" in result.stderr

    @pytest.mark.parametrize(
        ("arguments", "complaint"),
        [
            (["-o", "p.gif"], "expected a name that ends in .svg, .png or .pdf"),
            (["-o", "p"], "expected a name that ends in .svg, .png or .pdf"),
            (["--sheet", "2by3"], "expected ROWSxCOLUMNS"),
            (["--cell", "0"], "expected 1 to 100 millimetres"),
            (["--cell", "nan"], "expected 1 to 100 millimetres"),
            (["--cell", "5", "--sheet", "2x3"], "exclude each other"),
            (["--sheet", "2x3", "--paper", "a9"], "a4 or letter"),
            (["-o", "/nowhere/p.svg"], "there is no folder /nowhere"),
        ],
        ids=" ".join,
    )
    def test_bad_options_are_refused(self, arguments: list[str], complaint: str) -> None:
        result = run("render", "1234341221434...", *arguments)
        assert result.exit_code == 2
        assert complaint in result.stderr

    def test_several_need_a_file(self) -> None:
        result = run("render", str(PUZZLES / "9x9_hardest.txt"))
        assert result.exit_code == 2
        assert "name the file to draw them in" in result.stderr

    def test_without_matplotlib_it_says_what_to_install(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(canvas, "find_spec", lambda name: None)
        result = run("render", "1234341221434...")
        assert result.exit_code == 2
        assert "pip install 'satdoku[pictures]'" in result.stderr


class TestHeadings:
    PUZZLE = replace(NINE, title="A long title of $5 and $\\frac{ and more words", author="Somebody")

    def texts(self, *pictures: Picture) -> list[list[str]]:
        """The heading of each picture as `render` heads it."""
        (page,) = pages(pictures, Sheet(2, 2, "a4"), None, False)
        return [
            [part.text for part in placed.strokes if isinstance(part, Text) and part.anchor == "start"]
            for placed in page.placed
        ]

    def test_a_sheet_is_headed_by_title_and_author_and_numbered(self) -> None:
        first, second = self.texts(Picture(self.PUZZLE), Picture(NINE))
        assert " ".join(reversed(first)) == f"1 {self.PUZZLE.title} by Somebody"
        assert second == ["2"]
        assert self.texts(Picture(NINE)) == [[]]

    def test_a_title_is_as_wide_as_its_grid_and_ends_after_three_lines(self) -> None:
        (placed,) = alone(Picture(NINE, title="word " * 100)).placed
        lines = [part.text for part in placed.strokes if isinstance(part, Text) and part.anchor == "start"]
        assert (len(lines), lines[0][-4:]) == (3, " ...")
        plain, titled = alone(Picture(NINE)), alone(Picture(NINE, title="word " * 100))
        assert titled.width < 1.15 * plain.width

    @pytest.mark.parametrize("title", ["$5 and $\\frac{", "日本語", "a\x1b[2Jb", "\u202eabc"])
    def test_any_title_is_drawn_without_a_word(self, title: str, tmp_path: Path) -> None:
        file = tmp_path / "p.toml"
        file.write_text(write(replace(NINE, title=title), "toml"))
        result = run("render", str(file), "-o", str(tmp_path / "p.svg"))
        assert (result.exit_code, len(result.stderr.splitlines())) == (0, 1)
