"""Candidates of large boards: dots where they are too small to read, digits of the cells in sight after zooming."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import PROGRAM, Setter

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
LARGE = "\n".join([" ".join("1" + "." * 24), *[" ".join("." * 25)] * 24])
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


def test_a_larger_window_shows_the_digits(setter: Setter) -> None:
    setter.page.set_viewport_size({"width": 800, "height": 500})
    setter.read("\n".join([" ".join("." * 16)] * 16))
    setter["show"].select_option("normal")
    expect(setter.page.locator(".digits .dots")).to_have_count(256)
    setter.page.set_viewport_size({"width": 1400, "height": 1000})
    expect(setter.page.locator(".digits .dots")).to_have_count(0)
    expect(setter.digits("r16c16", "candidate")).to_have_count(16)


def test_only_what_has_changed_is_set_anew(setter: Setter) -> None:
    setter.read("." * 16)
    setter.rest()
    setter.click("r2c2")
    setter.painted()
    setter["board"].evaluate(WATCH)
    setter.type("ArrowRight")
    setter.painted()
    changed = setter.page.evaluate("watched")
    cells = ["aria-selected r2c2", "aria-selected r2c3"]
    assert sorted(changed) == ["aria-activedescendant board", *cells, "class ", "class "]
