"""Candidates of large boards: dots where they are too small to read, digits of the cells in sight after zooming."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import PROGRAM, Setter

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
LARGE = "\n".join([" ".join("1" + "." * 24), *[" ".join("." * 25)] * 24])
UNIQUE = (Path(__file__).parents[2] / "puzzles" / "16x16.txt").read_text()
TEXTS = "() => document.querySelectorAll('.digits text').length"
WATCH = """board => {
  globalThis.watched = [];
  const note = ({ attributeName, target }) => watched.push(`${attributeName} ${target.id}`);
  new MutationObserver((records) => records.forEach(note)).observe(board, { attributes: true, subtree: true });
}"""


def test_candidates_too_small_to_read_are_dots_until_the_board_is_zoomed(setter: Setter) -> None:
    page = setter.page
    setter.read(LARGE)
    setter["show"].select_option("normal")
    dots = page.locator(".digits .candidate.dots")
    expect(dots).to_have_count(624)
    assert page.evaluate(TEXTS) == 1  # the given
    far, near = dots.last, dots.first
    assert (far.get_attribute("d") or "").count("M") == 25
    assert (near.get_attribute("d") or "").count("M") == 24  # all but the given of its row
    colour = "each => getComputedStyle(each).stroke"
    light = far.evaluate(colour)
    setter["theme"].select_option("dark")
    assert far.evaluate(colour) not in (light, "none")

    for _ in range(4):
        setter["zoom-in"].click()
    expect(setter.digits("r1c2", "candidate")).to_have_text([str(value) for value in range(2, 26)])
    assert dots.count() > 300
    expect(setter.digits("r25c25", "dots")).to_have_count(1)
    setter["r25c25"].scroll_into_view_if_needed()
    expect(setter.digits("r25c25", "candidate")).to_have_text([str(value) for value in range(1, 26)])
    for _ in range(4):
        setter["zoom-out"].click()
    expect(dots).to_have_count(624)


def decided(setter: Setter) -> None:
    """A 16x16 with one solution and its normal candidates, after the last answer: nothing else paints it again."""
    setter.read(UNIQUE)
    setter["show"].select_option("normal")
    setter.rest()
    setter.painted()


def test_a_larger_window_shows_the_digits(setter: Setter) -> None:
    setter.page.set_viewport_size({"width": 800, "height": 500})
    decided(setter)
    assert setter.page.locator(".digits .dots").count() > 50
    setter.page.set_viewport_size({"width": 1400, "height": 1000})
    expect(setter.page.locator(".digits .dots")).to_have_count(0)
    assert setter.page.locator(".digits .candidate").count() > 200


def test_scrolling_shows_the_digits_of_cells_that_come_into_sight(setter: Setter) -> None:
    decided(setter)
    for _ in range(5):
        setter["zoom-in"].click()
    setter.painted()
    last = setter.page.locator(".digits > g:has(.candidate:not(.single))").last
    expect(last.locator(".dots")).to_have_count(1)
    last.scroll_into_view_if_needed()
    expect(last.locator(".dots")).to_have_count(0)
    assert last.locator("text.candidate").count() > 1
