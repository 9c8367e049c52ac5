"""A puzzle whose drawings are not understood: the page asks, and keeps the answers."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import BOTH, DRAWN, PROGRAM, Setter

import satdoku

pytestmark = [BOTH, pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")]


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
    setter["read"].click()  # the link: what lines of f-puzzles are is asked, too
    expect(setter["drawings"]).to_contain_text("2 grey lines")
    setter["drawings"].get_by_role("button", name="Open it so").click()
    expect(setter["note"]).to_contain_text("Opened")
    expect(drawn).to_have_count(2)
    listed = setter["mark-list"].locator("button.name")
    expect(listed).to_have_text(["line at r1c1", "line at r3c1"])
    setter.click("r1c3", button="right")  # on the way of the first
    setter["menu"].get_by_role("menuitem", name="Move: line at r1c1").click()
    setter.click("r2c3")
    setter.page.keyboard.down("Alt")
    setter.click("r2c2")
    setter.page.keyboard.up("Alt")
    expect(listed.first).to_have_text("line at r2c1")
    expect(listed.first).to_have_attribute("aria-pressed", "true")
    setter["mark-list"].get_by_role("button", name="Delete line at r2c1").click()
    expect(drawn).to_have_count(1)
    setter["undo"].click()
    setter["undo"].click()
    expect(listed.first).to_have_text("line at r1c1")
    setter["mark-list"].get_by_role("button", name="Delete the drawings").click()
    expect(drawn).to_have_count(0)
    expect(setter["detail"]).not_to_contain_text("2 lines")
    setter["undo"].click()
    expect(drawn).to_have_count(2)
    setter.tool("drawn circle")
    setter["value"].fill("blue")
    setter.click("r3c3")
    expect(setter.page.locator(".layer0 circle[fill*='8fbdf5']")).to_have_count(1)
    setter["value"].fill("bluish")
    setter.click("r3c4")
    expect(setter["note"]).to_contain_text("bluish is not a colour: expected grey, red")
    setter.tool("drawn text")
    setter["value"].fill("ab")
    (x, y), (right, _) = setter.point("r4c3"), setter.point("r4c4")
    setter.page.mouse.click((x + right) / 2, y)  # on their edge
    setter.tool("drawn line")
    setter.drag("r4c1", "r4c2", "r3c2")
    expect(drawn).to_have_count(3)
    expect(setter["mark-list"]).to_contain_text("Drawn without a rule: 3 lines, 1 circle, 1 text (ab)")
    setter.page.get_by_role("button", name="Copy SudokuPad link").click()
    expect(setter["note"]).to_have_text("Copied: sudokupad.")
    drawings = satdoku.read(setter["text"].input_value()).drawings
    assert {each.shape: each.points for each in drawings if each.shape != "line"} == {
        "circle": ((3, 3),), "text": ((4, 3.5),)
    }  # fmt: skip
