"""How many 4x4 grids obey one mark, counted elsewhere by brute force over the 288 grids with boxes and 576 without."""

from __future__ import annotations

import pytest

from satdoku import count, read

DIAGONAL = "r1c1 r2c2 r3c3 r4c4"
ROW = "r1c1-r1c4"
CORNERS = "r1c1 r1c4 r4c1 r4c4"
CENTRE = "r2c2 r2c3 r3c2 r3c3"
BENT = "r1c1 r2c1 r2c2 r2c3 r2c4"


def line(kind: str, cells: str, value: object = None) -> str:
    return f'{kind} = {{ line = "{cells}"{valued(value)} }}'


def cells(kind: str, cells: str, value: object = None) -> str:
    return f'{kind} = {{ cells = "{cells}"{valued(value)} }}'


def clue(kind: str, value: object) -> str:
    """Beside row 1, on the left."""
    return f'{kind} = {{ cell = "r1c0"{valued(value)} }}'


def groups(kind: str, *among: str) -> str:
    return f"{kind} = {{ groups = {list(among)} }}"


def arrow(kind: str) -> str:
    return f'{kind} = {{ bulb = "r1c1", lines = ["r2c2 r3c3"] }}'


def diagonal(kind: str, value: object) -> str:
    return f'{kind} = {{ cell = "r0c0", direction = "DR"{valued(value)} }}'


def rule(text: str) -> str:
    return f'rules = ["{text}"]'


def valued(value: object) -> str:
    return "" if value is None else f", value = {value!r}"


BOXED = [
    (rule("disjoint-group 1"), 168),
    (rule("anti-leaper 1 3"), 0),
    (rule("anti-camel"), 0),
    (rule("anti-leaper 2 3"), 48),
    (rule("anti-zebra"), 48),
    (rule("anti-alfil"), 168),
    (rule("taxicab 3"), 24),
    (rule("taxicab 4"), 0),
    (rule("anti-taxicab"), 0),
    (rule("negative-difference 1"), 0),
    (rule("negative-difference 2"), 8),
    (rule("negative-difference 3"), 8),
    *((rule(f"negative-sum {total}"), 8) for total in (3, 4, 5, 6)),
    (rule("knightmare 5"), 32),
    (rule("knightmare 4"), 24),
    (rule("diagonal-nonconsecutive"), 8),
    (rule("global-entropy 12 34"), 216),
    (rule("global-mod 2"), 216),
    (rule("flatmates"), 8),
    (rule("flatmates 2 1 4"), 8),
    *((clue("numbered-room", value), 144 if value == 1 else 48) for value in (1, 2, 3, 4)),
    *((clue("hidden-skyscraper", value), number) for value, number in ((1, 120), (2, 96), (3, 60), (4, 0))),
    (clue("rossini", "R"), 48),
    (clue("rossini", "L"), 48),
    (rule("negative-rossini"), 8),
    *((clue("battlefield", s), n) for s, n in ((0, 48), (1, 72), (2, 0), (3, 48), (4, 48), (5, 24), (6, 48))),
    *((clue("before-nine", s), n) for s, n in ((0, 72), (1, 24), (2, 24), (3, 48), (4, 24), (5, 24), (6, 72))),
    (cells("odd-lots", DIAGONAL), 68),
    (diagonal("little-killer-product", 24), 48),
    (diagonal("little-killer-product", 4), 8),
    (line("lockout", "r1c1 r2c2 r3c3", 2), 24),
    (line("lockout", DIAGONAL, 2), 8),
    (line("not-renban", "r1c1 r2c2 r3c3"), 216),
    (line("max-difference", "r1c1 r2c1 r3c2 r4c3", 2), 216),
    *((line("skyscraper-line", DIAGONAL, seen), number) for seen, number in ((1, 100), (2, 142), (3, 44), (4, 2))),
    *((clue("skyscraper-sum", s), n) for s, n in ((4, 72), (5, 24), (6, 36), (7, 84), (8, 24), (9, 36), (10, 12))),
    *((clue("first-seen", value), 144) for value in (1, 2, 3, 4)),
    (clue("position-sum", "5 4"), 24),
    (arrow("x-sum-arrow"), 12),
    (line("sum-line", ROW, 5), 96),
    (line("sum-line", DIAGONAL, 5), 32),
    (line("sum-line", "r2c2 r2c3 r3c3 r3c2", 5), 64),
    (line("sum-line", "r2c2 r2c3 r3c3 r3c2 r2c2", 5), 120),
    (groups("equal-sum", "r1c1 r1c2", "r4c3 r4c4"), 128),
    (line("same-difference", ROW), 24),
    (line("same-difference", "r1c1 r2c1 r2c2 r3c2"), 24),
    (line("arithmetic", "r1c1 r2c2 r3c3"), 24),
    (line("parity-line", ROW), 96),
    (line("parity-line", DIAGONAL), 64),
    *((line("modular-by", DIAGONAL, m), number) for m, number in ((2, 64), (3, 32), (4, 48))),
    (line("index-line", ROW), 120),
    (line("index-line", DIAGONAL), 20),
    (line("index-line", "r1c1 r1c2 r1c3"), 48),
    (line("value-index", DIAGONAL), 36),
    (line("value-index", BENT), 72),
    (line("successor-arrow", ROW), 72),
    (arrow("average-arrow"), 24),
    (arrow("product-arrow"), 24),
    (cells("product", "r1c1 r1c2 r2c1", 6), 72),
    (line("product-sum", DIAGONAL), 20),
    (line("split-pea", "r1c1 r1c2 r2c2 r2c3 r3c3 r3c4 r4c4"), 14),
    (cells("quad-sum", CENTRE), 8),
    (line("magnet-sum", ROW), 24),
    *((cells("lunchbox", "r1c1 r1c2 r1c3", s), number) for s, number in ((0, 192), (2, 48), (3, 48))),
    (cells("lunchbox", "r1c1 r2c2 r3c3", 3), 24),
    (cells("sum", "r1c1 r1c2", ">= 6"), 96),
    (cells("sum", "r1c1 r2c3", 4), 60),
    (cells("sum", "r1c1 r2c3", "1 1: = 4"), 60),
    (cells("multisum-cage", "r1c1 r1c2", "4 6"), 96),
    (cells("digital-root", "r1c1 r1c2", 5), 96),
    (cells("rellik", "r1c1 r1c2", 4), 96),
    (cells("rellik", "r1c1 r1c2 r1c3", 5), 0),
    (cells("equality-cage", "r1c1 r1c2"), 96),
    (cells("equality-cage", "r1c1 r2c3"), 48),
    (cells("look-and-say", CORNERS, "21"), 36),
    (cells("look-and-say", CORNERS, "2112"), 16),
    (cells("look-and-say", CORNERS, "2 1 1 2"), 16),
    (cells("look-and-say", CORNERS, "01"), 36),
    (cells("contain-exact", CORNERS, "1 2"), 184),
    (cells("contain-exact", CORNERS, "1 1 2"), 16),
    (cells("contain-at-least", CORNERS, "1 2"), 220),
    (cells("negative-quadruple", CENTRE, "1"), 36),
    (cells("counting-circles", "r1c1 r2c3 r4c2"), 30),
    (cells("counting-circles", CORNERS), 0),
    (cells("count-distinct", "r1c1 r2c2 r3c3 r4c4"), 72),
    (groups("same-values", "r1c1 r1c2", "r4c3 r4c4"), 96),
    (cells("greater-than", "r1c1 r1c2 r1c3"), 48),
]
LATIN = [
    (rule("anti-leaper 1 3"), 24),
    (rule("anti-leaper 2 3"), 168),
    (rule("anti-leaper 2 2"), 288),
    (rule("taxicab 2"), 0),
    (rule("taxicab 3"), 96),
    (rule("taxicab 4"), 24),
    (rule("negative-difference 2"), 32),
    (rule("negative-difference 3"), 32),
    (rule("dnc"), 34),
    (rule("global-entropy 12 34"), 448),
    (rule("dutch-flatmates"), 24),
    (rule("negative-rossini"), 36),
]


def total(boxes: str, mark: str) -> int | None:
    return count(read(f'size = 4\nboxes = "{boxes}"\n{mark}\n')).count


@pytest.mark.parametrize(("mark", "expected"), BOXED, ids=lambda part: str(part))
def test_with_boxes(mark: str, expected: int) -> None:
    assert total("2x2", mark) == expected


@pytest.mark.parametrize(("mark", "expected"), LATIN, ids=lambda part: str(part))
def test_without_boxes(mark: str, expected: int) -> None:
    assert total("none", mark) == expected
