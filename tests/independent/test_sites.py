"""Links of SudokuMaker, lisudoku and Penpa+ at random are read as what they were written from, on small boards."""

from __future__ import annotations

import json
from dataclasses import replace
from random import Random

import pytest
from lzstring import LZString
from support.independent.board import Puzzle
from support.independent.comparing import Comparison
from support.independent.sites import KROPKI, LISUDOKU, SUDOKUMAKER, lisudoku, penpa, random_puzzle, sudokumaker
from support.independent.solving import solutions

import satdoku

MANY = 10  # rounds of all kinds, with --long
AT_ONCE = 4  # kinds in a puzzle
OBLONG, DIAGONALS = 46, ("diagonal+", "diagonal-")
WAYS = {"sudokumaker": (SUDOKUMAKER, (4, 6, OBLONG)), "lisudoku": (LISUDOKU, (4, 6)), "penpa": ((), (4, 6, OBLONG))}


def link_of(site: str, puzzle: Puzzle, rng: Random) -> str:
    if site == "sudokumaker":
        packed = LZString.compressToEncodedURIComponent(json.dumps(sudokumaker(puzzle, rng)))
        return f"https://sudokumaker.app/?puzzle={packed}"
    if site == "lisudoku":
        packed = LZString.compressToEncodedURIComponent(json.dumps(lisudoku(puzzle, rng)))
        return f"https://lisudoku.xyz/solver?import={packed}"
    return penpa(puzzle)


def compare(site: str, number: int) -> None:
    """A puzzle at random, of which every so many have each kind of the site."""
    rng, (kinds, shapes) = Random(f"{site} {number}"), WAYS[site]
    order = Random(f"{site} {number * AT_ONCE // max(len(kinds), 1)}").sample(kinds, len(kinds))
    begin = number * AT_ONCE % max(len(kinds), 1)
    chosen = order[begin : begin + AT_ONCE]
    # Dots of one kind may make room where a rule is about those of the other.
    for kind, beside in ("nonconsecutive", "ratio"), ("negative ratio", "nonconsecutive"), ("kropki negative", "ratio"):
        if kind in chosen:
            chosen = [kind, *(other for other in chosen if other not in ("difference", beside, kind))]
    shape = shapes[number % len(shapes)]
    ours = random_puzzle([kind for kind in chosen if shape != OBLONG or kind not in DIAGONALS], shape, rng)
    if site == "lisudoku":  # it has dots of two kinds
        dots = (replace(mark, value=KROPKI[mark.kind][0]) if mark.kind in KROPKI else mark for mark in ours.marks)
        ours = replace(ours, marks=tuple(dots))
    theirs = satdoku.read(link_of(site, ours, rng), format=site)
    both = Comparison(ours, theirs)
    assert both.by_constraints() is None, ours.marks
    assert satdoku.solve(theirs, limit=3).count == len(solutions(ours, 3))


def rounds(site: str) -> int:
    return -(-len(WAYS[site][0]) // AT_ONCE) or 2


@pytest.mark.parametrize(("site", "number"), [(site, number) for site in WAYS for number in range(2 * rounds(site))])
def test_links_at_random(site: str, number: int) -> None:
    compare(site, number)


@pytest.mark.slow
@pytest.mark.parametrize("site", WAYS)
def test_many_links_at_random(site: str) -> None:
    for number in range(2 * rounds(site), MANY * rounds(site)):
        compare(site, number)


@pytest.mark.parametrize("site", WAYS)
def test_a_given_that_is_missing_is_seen(site: str) -> None:
    rng = Random(1)
    ours = random_puzzle((), 4, rng)
    cell = next(cell for cell, allowed in enumerate(ours.allowed) if len(allowed) == 1)
    less = tuple(frozenset(ours.digits) if c == cell else allowed for c, allowed in enumerate(ours.allowed))
    theirs = satdoku.read(link_of(site, replace(ours, allowed=less), rng), format=site)
    assert Comparison(ours, theirs).by_constraints() is not None
