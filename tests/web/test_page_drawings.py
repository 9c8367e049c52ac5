"""A puzzle whose drawings are not understood: the page asks, and keeps the answers."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import DRAWN, PROGRAM, Setter

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")


def test_the_page_asks_what_drawings_are(setter: Setter) -> None:
    setter["text"].fill(DRAWN)
    setter["read"].click()
    expect(setter["note"]).to_contain_text("What are they?")
    expect(setter["drawings"]).to_contain_text("2 grey lines, the first at r1c1 r1c2 r1c3 r1c4: what are they?")
    expect(setter["drawings"]).to_contain_text("Thermometers rise.")
    expect(setter["drawings"]).not_to_contain_text("--")
    choice = setter["drawings"].get_by_role("combobox")
    expect(choice.locator("option").nth(1)).to_have_text("thermometer")
    choice.select_option("thermometer")
    setter["drawings"].get_by_role("button", name="Open it so").click()
    expect(setter["note"]).to_contain_text("Opened")
    expect(setter["mark-list"].get_by_role("listitem")).to_have_count(2)
    expect(setter["drawings"]).to_be_empty()
    setter["text"].fill(DRAWN)
    setter["read"].click()
    expect(choice).to_have_value("thermometer")  # as it was answered before
    choice.select_option("")
    setter["drawings"].get_by_role("button", name="Open it so").click()
    expect(setter["mark-count"]).to_have_text("0")
    expect(setter["detail"]).to_contain_text("not enforced: 2 lines")
    drawn = setter.page.locator(".layer0 polyline[stroke*=cfcfcf]")
    expect(drawn).to_have_count(2)
    setter.page.get_by_role("button", name="Copy f-puzzles link").click()
    expect(setter["note"]).to_have_text("Copied: f-puzzles.")
    setter.read(setter["text"].input_value())
    expect(drawn).to_have_count(2)
    setter["mark-list"].get_by_role("button", name="Delete the drawings").click()
    expect(drawn).to_have_count(0)
    expect(setter["detail"]).not_to_contain_text("2 lines")
    setter["undo"].click()
    expect(drawn).to_have_count(2)
