"""The canonical form: the smallest of all lines that symmetries make of a puzzle, and the same for all of them."""

from collections.abc import Iterator, Sequence
from itertools import permutations, product
from random import Random

import numpy as np
import pytest
from support.cli import CLASH, NINE, NINE_SOLVED

import satdoku
from satdoku import Board, Puzzle, Refused, canonical, classic, marks
from satdoku.constraints import Grid
from satdoku.symmetries import digest, smallest, turns
from satdoku.variants.boxes import Box

Places = tuple[int, ...]


def orders(groups: int, width: int) -> Iterator[list[int]]:
    """Lines in every order that keeps groups of `width` together."""
    for group in permutations(range(groups)):
        for inner in product(permutations(range(width)), repeat=groups):
            yield [one * width + line for one, lines in zip(group, inner, strict=True) for line in lines]


def symmetries(rows: int, columns: int) -> list[Places]:
    """Every way to move the cells of a board with boxes of R x C."""
    size = rows * columns
    found = []
    for down, right in product(orders(columns, rows), orders(rows, columns)):
        found.append(tuple(row * size + column for row in down for column in right))
        if rows == columns:
            found.append(tuple(column * size + row for row in down for column in right))
    return found


def renamed(line: Sequence[int]) -> Grid:
    names = {0: 0}
    return tuple(names.setdefault(value, len(names)) for value in line)


def moved(line: Sequence[int], places: Places) -> list[int]:
    return [line[place] for place in places]


def some(board: Board, random: Random) -> list[int]:
    """Givens at random that do not clash, from none to as many as come."""
    givens = [0] * board.cells
    for cell in random.sample(range(board.cells), random.randint(0, board.cells)):
        free = [value for value in range(1, board.values + 1) if all(givens[one] != value for one in board.peers[cell])]
        givens[cell] = random.choice(free) if free else 0
    return givens


class TestPlainBoards:
    @pytest.mark.parametrize(("rows", "columns", "images"), [(2, 2, 128), (2, 3, 3456), (3, 2, 3456)])
    def test_it_is_the_smallest_of_all_images(self, rows: int, columns: int, images: int) -> None:
        board, group, random = classic(rows, columns), symmetries(rows, columns), Random(7)
        assert len(set(group)) == images
        full = list(satdoku.solve(Puzzle.from_givens(board, {})).grid or ())
        holes = [[value * (random.random() < 0.8) for value in full] for _ in range(4)]
        for givens in [full, *holes, *(some(board, random) for _ in range(8))]:
            smallest = min(renamed(moved(givens, places)) for places in group)
            assert canonical(Puzzle.from_givens(board, givens)).givens == smallest

    def test_every_image_of_a_4x4_has_the_same_form(self) -> None:
        board, random = classic(2, 2), Random(3)
        for _ in range(4):
            givens, names = some(board, random), [0, *random.sample(range(1, 5), 4)]
            images = [[names[value] for value in moved(givens, places)] for places in symmetries(2, 2)]
            assert len({canonical(Puzzle.from_givens(board, image)).givens for image in images}) == 1

    @pytest.mark.parametrize("line", [NINE, NINE_SOLVED, "." * 80 + "1", "123456789" + "." * 72])
    def test_images_of_a_9x9_have_the_same_form_and_none_is_smaller(self, line: str) -> None:
        random, puzzle = Random(5), satdoku.read(line)
        form, lines = canonical(puzzle).givens, list(orders(3, 3))
        for _ in range(200):
            down, right = random.choice(lines), random.choice(lines)
            cells = [(row, column) for row in down for column in right]
            turned = random.random() < 0.5
            places = tuple(9 * c + r if turned else 9 * r + c for r, c in cells)
            names = [0, *random.sample(range(1, 10), 9)]
            image = [names[value] for value in moved(puzzle.givens, places)]
            assert form <= renamed(image)
            assert canonical(Puzzle.from_givens(puzzle.board, image)).givens == form

    def test_a_full_grid_after_one_of_empty_rows(self) -> None:
        """A call keeps its arrays from puzzle to puzzle."""
        grid = "369218475215749863487635912754861239631924758928357641173482596542196387896573124"
        form = "123456789457189236698273541261947853745831692839625417384792165512368974976514328"
        full = tuple(map(int, grid))
        for band, across in product(range(3), (False, True)):
            lines = [cell % 9 if across else cell // 9 for cell in range(81)]
            some = tuple(0 if line // 3 == band else value for line, value in zip(lines, full, strict=True))
            assert "".join(map(str, smallest(Box(3, 3), np.array([some, full], np.uint8))[1].tolist())) == form

    @pytest.mark.parametrize(
        ("grid", "form"),
        [
            # The smallest and the largest form of all grids: Red Ed, New Sudoku Players' Forum, "Canonical form", 2007.
            ("123456789456789123789123456214365897365897214897214365531642978642978531978531642", None),
            ("123456789457893612986217354274538196531964827698721435342685971715349268869172543", None),
            (  # https://www.sudokuwiki.org/Sudoku_Min_Lex
                "369218475215749863487635912754861239631924758928357641173482596542196387896573124",
                "123456789457189236698273541261947853745831692839625417384792165512368974976514328",
            ),
        ],
    )
    def test_forms_that_others_give(self, grid: str, form: str | None) -> None:
        assert "".join(map(str, canonical(grid).givens)) == (form or grid)

    def test_puzzles_of_two_classes_differ(self) -> None:
        one, two = canonical("12..............").givens, canonical("1...2...........").givens
        assert one == two, "a transposition"
        assert canonical("1....2..........").givens != one
        assert canonical("1.......2.......").givens not in (one, canonical("1....2..........").givens)

    def test_a_25x25_grid_has_one(self) -> None:
        board = classic(5, 5)
        grid = [(5 * (row % 5) + row // 5 + column) % 25 + 1 for row in range(25) for column in range(25)]
        holes = [value * (cell % 7 > 0) for cell, value in enumerate(grid)]
        turned = [holes[column * 25 + row] for row in range(25) for column in range(25)]
        assert canonical(Puzzle.from_givens(board, holes)) == canonical(Puzzle.from_givens(board, turned))


class TestOtherBoards:
    @pytest.mark.parametrize(
        ("drawn", "keeps", "renames"),
        [
            ([marks.falling_diagonal(), marks.rising_diagonal()], 8, True),
            ([marks.killer_cage(["r1c1", "r1c2"], total=3)], 1, False),
            ([marks.killer_cage(["r2c2", "r2c3", "r3c2", "r3c3"], total=10)], 8, False),
            ([marks.extra_region(["r1c1", "r1c2", "r1c3"])], 1, True),
        ],
    )
    def test_it_is_the_smallest_of_the_images_that_keep_the_board(
        self, drawn: list[satdoku.Mark], keeps: int, renames: bool
    ) -> None:
        board, random = satdoku.build(size=4, marks=drawn).board, Random(9)
        assert len(turns(board)) == keeps
        for _ in range(20):
            givens = some(board, random)
            images = [moved(givens, places) for places in turns(board)]
            expected = min(renamed(image) if renames else tuple(image) for image in images)
            found = {canonical(Puzzle.from_givens(board, image)).givens for image in images}
            assert found == {expected}

    def test_what_keeps_a_board_keeps_its_solutions(self) -> None:
        board = satdoku.build(size=4, marks=[marks.falling_diagonal(), marks.rising_diagonal()]).board
        grids = set(satdoku.solve(Puzzle.from_givens(board, {}), limit=None).grids)
        for places in turns(board):
            assert {tuple(moved(grid, places)) for grid in grids} == grids

    @pytest.mark.parametrize(
        "rule", ['rules = ["yin-yang"]', 'rules = ["star-battle"]', 'full-rank = [{ cell = "r1c0", value = 3 }]']
    )
    def test_layers_and_auxiliary_cells_stay_where_they_are(self, rule: str) -> None:
        puzzle = satdoku.read(f'size = 4\n{rule}\ngrid = """\n1...\n.2..\n....\n....\n"""\n')
        assert canonical(puzzle).givens == puzzle.givens
        assert [*satdoku.canonical_many([puzzle])[0]] == [*puzzle.givens]

    def test_a_board_of_another_shape_has_the_four_of_a_rectangle(self) -> None:
        assert len(turns(satdoku.board(size="2x3", box="none"))) == 4


class TestRefused:
    def test_givens_that_clash(self) -> None:
        with pytest.raises(Refused, match="no canonical form: row 1 has 1 twice"):
            canonical(CLASH)

    def test_candidates(self) -> None:
        with pytest.raises(Refused, match="candidates of open cells"):
            canonical(Puzzle(classic(2, 2), (6, *[30] * 15)))


def test_the_digest_tells_boards_and_forms_apart() -> None:
    plain, other = classic(2, 2), satdoku.build(size=4, marks=[marks.falling_diagonal(), marks.rising_diagonal()]).board
    found = {digest(board, line) for board in (plain, other) for line in (b"\0" * 32, b"\1" * 32)}
    assert len(found) == 4
    assert {len(one) for one in found} == {16}
