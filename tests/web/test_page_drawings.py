"""Drawings without a rule: what the page asks about them, how they are drawn, and their texts and colours."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import Browser, Locator, expect
from support.web_page import BOTH, CELLS, DRAWN, PROGRAM, REGIONS, Served, Setter

import satdoku

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
SHAPES = json.dumps(
    {
        "cells": CELLS,
        "regions": REGIONS,
        "lines": [{"wayPoints": [[0.5, 0.5], [0.5, 3.5]], "color": "#cfcfcf", "thickness": 10}],
        "underlays": [
            {"center": [1.5, 1.5], "width": 0.7, "height": 0.7, "rounded": True, "backgroundColor": "#cfcfcf"}
        ],
        "overlays": [{"center": [2.5, 2.5], "text": "ab", "color": "#000000", "fontSize": 44}],
    }
)
"""Of SudokuPad: a line, a circle and a text."""


def choose(setter: Setter, key: str, name: str) -> None:
    """One of the colours at hand for the inside ("fill"), or for a line, a border or a text ("tint")."""
    setter[f"paint-{key}"].get_by_role("radio", name=name, exact=True).check()


def edit(setter: Setter, drawing: str) -> None:
    """Choose a drawing in the list."""
    setter["mark-list"].get_by_role("button", name=drawing, exact=True).click()


def strokes(setter: Setter, shape: str, colour: str) -> Locator:
    """What the board draws so: the attribute holds the colour on light paper beside its counterpart in the dark."""
    return setter.page.locator(f"#board {shape}[{'fill' if shape == 'text' else 'stroke'}*='{colour}']")


@BOTH
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
    choose(setter, "fill", "blue")
    setter.click("r3c3")
    expect(setter.page.locator(".layer0 circle[fill*='8fbdf5']")).to_have_count(1)
    setter.tool("drawn text")
    setter.click("r3c4")
    expect(setter["note"]).to_have_text("A drawn text needs its text first.")
    setter["value"].fill("ab")
    (x, y), (right, _) = setter.point("r4c3"), setter.point("r4c4")
    setter.page.mouse.click((x + right) / 2, y)  # on their edge
    setter.tool("drawn line")
    setter.drag("r4c1", "r4c2", "r3c2")
    expect(drawn).to_have_count(3)
    expect(setter["mark-list"]).to_contain_text("Drawn without a rule: 3 lines, 1 circle, 1 text (ab)")
    setter.page.get_by_role("button", name="Copy SudokuPad link").click()
    expect(setter["note"]).to_have_text("Copied: sudokupad.")
    drawings = satdoku.read(setter["text"].input_value(), drawn="ignore").drawings
    assert {each.shape: each.points for each in drawings if each.shape != "line"} == {
        "circle": ((3, 3),), "text": ((4, 3.5),)
    }  # fmt: skip


@BOTH
def test_texts_and_colours_are_edited(setter: Setter) -> None:
    setter["text"].fill(SHAPES)
    setter["read"].click()
    setter["drawings"].get_by_role("button", name="Open it so").click()
    expect(setter["note"]).to_contain_text("Opened")
    edit(setter, "line at r1c1")
    expect(setter["paint-tint"].get_by_role("radio", name="grey", exact=True)).to_be_checked()
    expect(setter["paint-fill"]).to_be_hidden()
    expect(setter["value"]).to_be_hidden()
    choose(setter, "tint", "dark red")
    expect(strokes(setter, "polyline", "c0262d")).to_have_count(1)
    choose(setter, "tint", "dark blue")
    expect(strokes(setter, "polyline", "1f5fbf")).to_have_count(1)
    setter.type("Control+z")  # while the colour has the focus
    expect(strokes(setter, "polyline", "c0262d")).to_have_count(1)
    setter["undo"].click()
    expect(strokes(setter, "polyline", "cfcfcf")).to_have_count(1)
    setter["redo"].click()
    expect(strokes(setter, "polyline", "c0262d")).to_have_count(1)
    edit(setter, "circle at r2c2")
    expect(setter["paint-fill"].get_by_role("radio", name="none")).to_be_hidden()  # or nothing would be seen of it
    choose(setter, "tint", "dark green")
    choose(setter, "fill", "none")
    expect(strokes(setter, "circle", "1f7a33").and_(setter.page.locator("[fill=none]"))).to_have_count(1)
    setter["value"].fill("x" * 120)
    expect(setter["value"]).to_have_value("x" * 100)  # what a drawing takes
    setter["value"].fill("")
    setter["paint-fill"].get_by_label("other").fill("#123456")
    expect(setter.page.locator("#board circle[fill*='123456']")).to_have_count(1)
    setter.click("r3c3", button="right")
    setter["menu"].get_by_role("menuitem", name="Edit the text and colours: text ab at r3c3").click()
    expect(setter["value"]).to_be_focused()
    setter.page.keyboard.type("c d")
    expect(strokes(setter, "text", "000000")).to_have_text("c d")
    setter.type("Control+a", "Delete")
    setter.painted()
    assert "text c d at r3c3" in setter.marks()  # a text has letters
    expect(setter["value"]).to_have_value("")
    setter.type("e", "Tab")
    expect(setter["paint-tint"].get_by_role("radio", name="black", exact=True)).to_be_focused()
    setter.type("ArrowRight", "ArrowRight", "ArrowRight")
    expect(strokes(setter, "text", "c0262d")).to_have_text("e")
    setter.click("r1c2", button="right")
    setter["menu"].get_by_role("menuitem", name="Edit the colours: line at r1c1").click()
    expect(setter["paint-tint"].locator(":focus")).to_have_attribute("title", "dark red")
    setter.page.reload()
    setter.ready()
    expect(strokes(setter, "polyline", "c0262d")).to_have_count(1)
    looks = {"line": ("#c0262d", "", ""), "circle": ("#1f7a33", "#123456", ""), "text": ("#c0262d", "", "e")}
    inks = looks | {"circle": ("#000000", "#123456", ""), "text": ("#ff0000", "", "e")}
    expected = {"toml": looks, "sudokupad": looks, "f-puzzles": looks, "penpa": inks}
    for form, found in expected.items():
        drawings = copied(setter, form).drawings
        assert {each.shape: (each.tint, each.fill, each.text) for each in drawings} == found, form


def copied(setter: Setter, form: str) -> satdoku.Puzzle:
    setter["form"].select_option(form)
    setter["copy"].click()
    expect(setter["note"]).to_contain_text(f"Copied: {form}")
    return satdoku.read(setter["text"].input_value(), drawn="ignore", box="2x2")


@BOTH
def test_new_drawings_have_the_colours_that_are_chosen(setter: Setter) -> None:
    setter.read("." * 16)
    setter.tool("drawn line")
    choose(setter, "tint", "dark red")
    setter.drag("r1c1", "r1c2")
    setter.drag("r1c3", "r1c4")
    expect(strokes(setter, "polyline", "c0262d")).to_have_count(2)
    choose(setter, "tint", "green")  # of the next one
    setter.drag("r2c1", "r2c2")
    expect(strokes(setter, "polyline", "c0262d")).to_have_count(2)
    expect(strokes(setter, "polyline", "67f067")).to_have_count(1)
    setter.tool("drawn square")
    choose(setter, "fill", "white")
    choose(setter, "tint", "black")
    setter["value"].fill("7")
    setter.click("r2c4")
    setter.tool("drawn text")
    choose(setter, "tint", "dark blue")
    setter["value"].fill("hi")
    setter.click("r2c3")
    setter.tool("drawn cell")
    choose(setter, "fill", "yellow")
    setter.drag("r3c1", "r3c2", "r3c3")
    yellow = setter.page.locator(".layer0 polygon[fill*='f2e27a']")
    expect(yellow).to_have_count(3)
    setter.tool("drawn line")
    expect(setter["paint-tint"].get_by_role("radio", name="green", exact=True)).to_be_checked()  # as it was left
    setter["tool-search"].fill("drawn cell")
    setter.type("Enter")
    choose(setter, "fill", "orange")
    found = {each.points[0]: each for each in copied(setter, "toml").drawings if each.height == 1}
    assert {point: each.fill for point, each in found.items()} == {(3, at): "#f2e27a" for at in (1, 2, 3)}
    setter.click("r3c1")  # once more: it has one colour
    expect(yellow).to_have_count(2)
    setter.type("ArrowDown", " ", "Enter")
    expect(setter.page.locator(".layer0 polygon[fill*='f7c98a']")).to_have_count(2)
    for form in ("sudokupad", "f-puzzles"):
        drawings = copied(setter, form).drawings
        assert {(each.shape, each.tint, each.fill, each.text) for each in drawings} == {
            ("line", "#c0262d", "", ""), ("line", "#67f067", "", ""), ("rectangle", "#000000", "#ffffff", "7"),
            ("text", "#1f5fbf", "", "hi"), ("rectangle", "", "#f2e27a", ""), ("rectangle", "", "#f7c98a", ""),
        }  # fmt: skip


@BOTH
def test_arrows_and_sizes(setter: Setter) -> None:
    setter.read("." * 16)
    setter.tool("drawn arrow")
    setter.drag("r1c1", "r1c2", "r2c3")
    arrow = strokes(setter, "polyline", "000000").and_(setter.page.locator(":not(.thin)"))
    expect(strokes(setter, "polyline", "000000").and_(setter.page.locator(".layer0 > *"))).to_have_count(2)  # and head
    expect(arrow).to_have_count(0)
    setter["size-width"].fill("0.25")  # of the next one
    setter.drag("r4c1", "r4c2")
    expect(arrow.first).to_have_attribute("stroke-width", "16")
    setter.tool("drawn circle")
    setter["size-size"].fill("0.5")
    setter.click("r3c3")
    circle = setter.page.locator(".layer0 circle")
    expect(circle).to_have_attribute("r", "16")
    setter.done()
    edit(setter, "circle at r3c3")
    setter["size-size"].fill("0.9")
    expect(circle).to_have_attribute("r", "28.8")
    setter["size-size"].fill("-1")
    setter["size-size"].fill("")
    setter["undo"].click()  # what was typed into the field is one step
    expect(circle).to_have_attribute("r", "16")
    setter["over"].check()
    expect(setter.page.locator(".layer2 circle")).to_have_attribute("r", "16")
    assert [each.over for each in copied(setter, "sudokupad").drawings if each.shape == "circle"] == [True]
    setter["undo"].click()
    expect(setter["over"]).not_to_be_checked()
    setter.tool("drawn circle")
    expect(setter["over"]).to_be_hidden()  # it follows from where the next one is drawn
    setter.done()
    found = {(each.shape, each.width) for each in copied(setter, "toml").drawings}
    assert found == {("arrow", 0.05), ("arrow", 0.25), ("circle", 0.5)}
    assert {each.shape for each in copied(setter, "penpa").drawings} == {"arrow", "circle"}
    expect(setter["note"]).to_contain_text("which cannot hold the exact look of 1 arrow and 1 circle")
    looks = [
        {(each.shape, each.width) for each in copied(setter, form).drawings} for form in ("sudokupad", "f-puzzles")
    ]
    assert looks == [found, {("circle", 0.5)}]
    expect(setter["note"]).to_contain_text("which cannot hold 2 arrows")


def test_drawings_are_edited_by_touch(browser: Browser, server: Served) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    setter = Setter(context.new_page(), server[0])
    setter.read("." * 16)
    setter.tool("drawn circle")
    expect(setter["board"]).to_be_in_viewport(ratio=1)
    expect(setter["tool-name"]).to_be_in_viewport()
    setter.page.touchscreen.tap(*setter.point("r2c2"))
    setter["tool-done"].tap()
    edit(setter, "circle at r2c2")
    expect(setter["value"]).to_be_visible()
    fields = setter["tool"].locator(":is(input, button):visible")
    sizes = [box for each in fields.all() if (box := each.bounding_box())]
    assert len(sizes) > 20 and all(min(box["width"], box["height"]) >= 44 for box in sizes)
    setter["paint-fill"].get_by_role("radio", name="purple").tap()
    setter["value"].tap()
    setter["value"].fill("5")
    expect(setter.page.locator(".layer0 circle[fill*='c9a6f5']")).to_have_count(1)
    expect(setter["mark-list"]).to_contain_text("circle 5 at r2c2")
    context.close()
    assert setter.faults == []
