"""Playing on the page, what the board can show besides, and what is in view at each size."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import Browser, expect
from support.web_page import BOTH, PROGRAM, ROOT, Served, Setter

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
UNIQUE = "4..3....1....2.4"
SOLUTION = "4123234114323214"
VARIANT = (ROOT / "puzzles" / "variants" / "thermometer.toml").read_text()
TARGETS = """() => [...document.querySelectorAll("button, select, input, summary")]
    .filter((each) => each.checkVisibility() && each.type !== "checkbox")
    .map((each) => [each.id || each.textContent, each.getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < 43.9).map(([name]) => name)"""


def playing(setter: Setter, puzzle: str) -> None:
    setter.read(puzzle)
    setter["play"].click()
    expect(setter["playing"]).to_be_visible()


@BOTH
def test_nothing_gives_the_solution_away(setter: Setter) -> None:
    playing(setter, UNIQUE)
    setter.read(UNIQUE)  # opened while playing, too
    setter.rest()
    expect(setter["answer"]).to_be_hidden()
    expect(setter.page.locator(".digits text")).to_have_text(["4", "3", "1", "2", "4"])
    setter.page.mouse.move(*setter.point("r1c2"))
    expect(setter["hover"]).to_have_text("r1c2: empty")
    setter.page.reload()
    setter.ready()
    expect(setter["playing"]).to_be_visible()
    expect(setter.page.locator(".digits text")).to_have_count(5)


@BOTH
def test_colours_of_links_are_kept_as_they_are(setter: Setter) -> None:
    grid: list[list[dict[str, Any]]] = [[{} for _ in range(4)] for _ in range(4)]
    grid[0][0] = {"c": "#12AB9F"}
    setter.read(json.dumps({"size": 4, "grid": grid}))
    coloured = setter.page.locator(".coloured[fill*='12ab9f']")
    expect(coloured).to_have_count(1)
    setter.click("r1c1")
    setter.type("v", "3", "1")
    expect(setter["hover"]).to_contain_text("colour 1 3 #12ab9f")
    setter.page.reload()
    setter.ready()
    expect(setter.page.locator(".coloured")).to_have_count(3)
    setter["form"].select_option("f-puzzles-json")
    setter["copy"].click()
    expect(setter["note"]).to_contain_text("Copied")
    assert json.loads(setter["text"].input_value())["grid"][0][0]["cArray"] == ["#F4B6B6", "#F6EFA6", "#12AB9F"]


@BOTH
def test_digits_notes_and_colours_by_keys(setter: Setter) -> None:
    playing(setter, UNIQUE)
    setter.click("r1c2")
    setter.type("x", "1", "c", "2", "z")
    setter.page.keyboard.press("Shift+Digit3")
    setter.page.keyboard.press("Control+Digit4")
    setter.page.keyboard.press("Control+Shift+Digit5")
    expect(setter.digits("r1c2", "corner")).to_have_text(["1", "3"])
    expect(setter.digits("r1c2", "centre")).to_have_text(["24"])
    expect(setter["hover"]).to_have_text("r1c2: centre 2 4; colour 5; corner 1 3")
    setter.type("v", "7", "z", "1")
    expect(setter.page.locator(".coloured")).to_have_count(2)
    expect(setter.digits("r1c2", "entered")).to_have_text(["1"])
    setter.click("r1c1")
    setter.type("2", "Delete")  # a given stays
    expect(setter.digits("r1c1", "given")).to_have_text(["4"])
    setter.page.mouse.dblclick(*setter.point("r1c1"))
    expect(setter.page.locator("[aria-selected=true]")).to_have_count(2)
    expect(setter["r4c4"]).to_have_attribute("aria-selected", "true")


def test_what_is_being_looked_for_is_shown(setter: Setter) -> None:
    playing(setter, UNIQUE)
    setter.rest()
    setter.page.evaluate("WebSocket.prototype.send = () => {}")  # no answer comes
    setter.click("r1c2")
    before = "getComputedStyle(messages, '::before').content"
    for button in ("check", "hint", "rate"):
        setter[button].click()
        expect(setter["messages"]).to_have_attribute("aria-busy", "true")
        assert setter.page.evaluate(before) == '"Looking …"'
        setter.type("1")
        expect(setter["messages"]).to_have_attribute("aria-busy", "false")


CUT_SHORT = """() => {
  const rated = { part: "rated", level: 6, name: "chains", of: 8, least: true };
  WebSocket.prototype.send = function (text) {
    const { id, ask } = JSON.parse(text);
    if (ask === "rate") this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify({ id, ...rated }) }));
  };
}"""


def test_a_level_that_the_time_cut_short_is_at_least_so(setter: Setter) -> None:
    playing(setter, UNIQUE)
    setter.rest()
    setter.page.evaluate(CUT_SHORT)
    setter["rate"].click()
    expect(setter["messages"]).to_have_text("Difficulty at least 6 of 8 (chains).")


@BOTH
def test_check_clashes_and_finish(setter: Setter) -> None:
    playing(setter, UNIQUE)
    setter.click("r1c2")
    setter.type("2")
    setter["check"].click()
    expect(setter["messages"]).to_contain_text("1 digit is wrong.")
    expect(setter.page.locator(".clash")).to_have_count(2)  # column 2 has another 2, which is no secret
    setter["conflicts"].uncheck()
    expect(setter.page.locator(".clash")).to_have_count(0)
    setter["messages"].get_by_role("button").click()
    expect(setter.page.locator(".clash")).to_have_text(["2"])
    setter.click("r4c4")  # no longer r1c2, which a click would take from the selection
    for number, (given, value) in enumerate(zip(UNIQUE, SOLUTION, strict=True)):
        if given == ".":
            setter.click(f"r{number // 4 + 1}c{number % 4 + 1}")
            setter.type(value)
    expect(setter["messages"]).to_contain_text("Solved in 0:")
    setter["undo"].click()
    expect(setter["messages"]).to_be_empty()


@BOTH
def test_hints_in_stages_and_difficulty(setter: Setter) -> None:
    playing(setter, VARIANT)
    setter["rate"].click()
    expect(setter["messages"]).to_contain_text("Difficulty ")
    setter["hint"].click()
    lines = setter["messages"].get_by_role("paragraph")
    expect(lines).to_have_text(["Where to look: Look at thermometer r1c9-r4c7."])
    expect(setter.page.locator(".lit[data-mark]")).not_to_have_count(0)
    expect(setter.page.locator(".struck")).to_have_count(0)
    setter["hint"].click()
    expect(lines.nth(1)).to_contain_text("Which technique: thermometer")
    setter["hint"].click()
    expect(lines).to_have_count(3)
    expect(setter.page.locator(".struck")).not_to_have_count(0)
    setter["hint"].click()  # the next one
    expect(lines).to_have_count(1)
    expect(lines).not_to_have_text("Where to look: Look at thermometer r1c9-r4c7.")
    setter["pause"].click()
    expect(setter["board"]).to_be_hidden()


@BOTH
def test_what_the_board_shows(setter: Setter) -> None:
    setter.read("12..34..........")
    setter.verdict("Several solutions")
    setter["show"].select_option("normal")
    expect(setter.digits("r1c3", "candidate")).to_have_text(["3", "4"])
    setter["show"].select_option("solution")
    setter.painted()
    first = setter.page.locator(".digits text").all_text_contents()
    setter["show"].select_option("second")
    setter.painted()
    second = setter.page.locator(".digits text").all_text_contents()
    assert sorted(first) == sorted(second) == sorted("1234" * 4) and first != second
    setter["show"].select_option("difference")
    differ = sum(one != other for one, other in zip(first, second, strict=True))
    expect(setter.page.locator(".digits .centre")).to_have_count(differ)
    setter["seen"].check()
    setter.click("r4c4")
    expect(setter.tints("seen")).to_have_count(7)


@pytest.mark.parametrize(("width", "height"), [(1400, 900), (390, 844)])
def test_what_is_needed_is_in_view(browser: Browser, server: Served, width: int, height: int) -> None:
    phone: dict[str, Any] = {"is_mobile": True, "has_touch": True} if width < 500 else {}
    context = browser.new_context(viewport={"width": width, "height": height}, **phone)
    setter = Setter(context.new_page(), server[0])
    setter.read(VARIANT)
    setter.verdict("One solution")
    setter.page.evaluate("scrollTo(0, 0)")
    wanted = ["verdict", "board", "digits", *(["tool-search"] if width > 500 else ["modes"])]
    for parts in (wanted, ["timer", "board", "digits"]):
        for part in parts:
            expect(setter[part]).to_be_in_viewport(ratio=1)
        if phone:
            assert setter.page.evaluate(TARGETS) == []
        setter["play"].click()
        setter.painted()
    context.close()


def test_in_a_low_window_the_answer_covers_no_tools(browser: Browser, server: Served) -> None:
    context = browser.new_context(viewport={"width": 800, "height": 600})
    setter = Setter(context.new_page(), server[0])
    setter.read(VARIANT)
    setter.verdict("One solution")
    setter.page.evaluate("document.getElementById('tools').scrollIntoView()")
    box = setter["tool-search"].bounding_box()
    assert box is not None
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    assert setter.page.evaluate("([x, y]) => document.elementFromPoint(x, y).id", middle) == "tool-search"
    expect(setter["board"]).to_be_in_viewport(ratio=1)
    context.close()
