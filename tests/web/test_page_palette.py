"""The tools at hand, the search for the others, clicks where marks live, and marks taken up on the board."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import BOTH, PROGRAM, Setter

pytestmark = [BOTH, pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")]
EMPTY = "." * 16


def menu(setter: Setter, cell: str, item: str) -> None:
    setter.click(cell, button="right")
    setter["menu"].get_by_role("menuitem", name=f"{item}:").first.click()


def test_the_twelve_used_most_are_in_view_with_icons(setter: Setter) -> None:
    common = setter["tool-common"].get_by_role("button")
    expect(common).to_have_count(12)
    for each in common.all():
        expect(each).to_be_in_viewport()
    expect(setter["tool-common"].locator("svg.icon-of-kind")).to_have_count(12)
    others = setter["tool-list"].locator(".chip")
    expect(setter["tool-list"].locator(".chip > .icon-of-kind")).to_have_count(others.count())
    setter.tool("anti knight")
    switch = setter["tool-found"].get_by_role("switch").first
    expect(switch).to_have_attribute("aria-checked", "true")
    expect(common).to_have_count(12)  # beside what was searched, too
    switch.click()
    expect(switch).to_have_attribute("aria-checked", "false")
    expect(setter["mark-count"]).to_have_text("0")
    setter["tool-search"].fill("a")
    for each in common.all():
        expect(each).to_be_in_viewport()


@pytest.mark.parametrize(
    "words",
    [
        {"v": "v", "x": "x", "diagonal-": "diagonal-", "killer": "cage", "german": "whispers", "renb": "renban"}
        | {"knight": "anti knight", "xsum": "x sum", "littlekiller": "little killer", "quad": "quadruple"}
        | {"hyper": "windoku", "given": "Given", "color": "Colour"}
    ],
)
def test_the_best_match_comes_first(setter: Setter, words: dict[str, str]) -> None:
    for query, name in words.items():
        setter["tool-search"].fill(query)
        expect(setter["tool-found"].locator(".chip-name").first).to_have_text(name)
    setter["tool-found"].locator(".chip").first.click()
    expect(setter["colour"]).to_have_attribute("aria-pressed", "true")
    setter.read(EMPTY)
    setter.tool("v")
    setter.drag("r1c1", "r1c2")
    expect(setter["mark-list"]).to_contain_text("xv V at r1c1")


def test_what_was_selected_begins_a_mark_only_if_it_is_several_cells(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.click("r4c4")
    setter.tool("thermometer")
    setter.drag("r1c1", "r1c2", "r1c3")
    setter.done()
    setter.click("r4c4")
    setter.tool("xv")
    setter.painted()
    (left, y), (right, _) = setter.point("r2c1"), setter.point("r2c2")
    setter.page.mouse.click((left + right) / 2, y)
    setter["value"].fill("X")
    setter.done()
    setter.drag("r3c1", "r3c2")
    setter.tool("killer cage")
    setter["board"].focus()
    setter.type("Enter")
    assert setter.marks() == ["thermometer at r1c1", "xv X at r2c1", "cage at r3c1"]


def test_clicks_at_corners_and_edges(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("quadruple")
    setter.painted()
    (left, top), (right, bottom) = setter.point("r2c2"), setter.point("r3c3")
    setter.page.mouse.click((left + right) / 2, (top + bottom) / 2)
    expect(setter["value"]).to_be_focused()
    setter.page.keyboard.type("123")
    expect(setter["mark-list"]).to_contain_text("quadruple 1 2 3 at r2c2")
    setter.tool("ratio")
    (left, top), (right, bottom) = setter.point("r1c1"), setter.point("r1c2")
    setter.page.mouse.click((left + right) / 2, top)
    expect(setter["mark-list"]).to_contain_text("ratio at r1c1")
    expect(setter["mark-list"].locator(".waiting")).to_have_count(0)


def test_marks_are_taken_up_on_the_board(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("cage")
    setter.drag("r1c1", "r1c2")
    setter.page.keyboard.type("5")
    setter.tool("odd")
    setter.click("r1c1")
    setter.done()
    menu(setter, "r1c2", "Move")
    expect(setter["hover"]).to_contain_text("Where does r1c2 of cage 5 at r1c1 go?")
    setter.click("r4c1")  # outside the grid: it stays in hand
    setter.click("r4c4")
    setter.painted()
    assert setter.marks() == ["cage 5 at r4c3", "odd at r1c1"]
    menu(setter, "r4c3", "Copy")
    setter.click("r2c1")
    setter.painted()
    assert setter.marks() == ["cage 5 at r4c3", "odd at r1c1", "cage 5 at r2c1"]
    menu(setter, "r2c2", "Edit the value")
    expect(setter["value"]).to_be_focused()
    setter.page.keyboard.type("6")
    expect(setter["mark-list"]).to_contain_text("cage 6 at r2c1")
    menu(setter, "r4c4", "Delete")
    setter.painted()
    assert setter.marks() == ["odd at r1c1", "cage 6 at r2c1"]
    setter.page.keyboard.down("Alt")
    setter.click("r1c1")
    setter.page.keyboard.up("Alt")
    expect(setter["mark-list"].get_by_role("button", name="odd at r1c1", pressed=True)).to_be_visible()
    setter.click("r2c1", button="right")
    setter.type("Escape")
    expect(setter["menu"]).to_be_hidden()
    setter["undo"].click()
    expect(setter["mark-list"]).to_contain_text("cage 5 at r4c3")


def test_a_drag_from_a_selected_mark_adds_cells(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("cage")
    setter.drag("r2c1", "r2c2")
    setter.tool("thermometer")
    setter.drag("r4c1", "r4c2")
    setter.done()

    def choose(mark: str) -> None:
        setter["mark-list"].get_by_role("button", name=mark, exact=True).click()

    choose("cage at r2c1")
    expect(setter["tool-hint"]).to_contain_text("Drag from one of its cells")
    setter.drag("r2c2", "r3c2")
    setter.click("r3c2", button="right")
    expect(setter["menu"]).to_contain_text("cage at r2c1")
    setter.type("Escape")
    setter.click("r2c2")  # without a drag it selects
    expect(setter["r2c2"]).to_have_attribute("aria-selected", "true")
    setter.drag("r1c1", "r1c3")  # from elsewhere, too
    expect(setter.page.locator("[aria-selected=true]")).to_have_count(3)
    choose("thermometer at r4c1")
    setter.drag("r4c2", "r4c3")
    setter.drag("r4c1", "r3c1")
    setter.painted()
    assert setter.marks() == ["cage at r2c1", "thermometer at r3c1"]
    for cell, digit in zip(("r3c1", "r4c1", "r4c2", "r4c3"), "1234", strict=True):
        expect(setter.digits(cell, "candidate")).to_have_text([digit])


def test_what_is_chosen_goes_by_delete_and_is_let_go_by_escape(setter: Setter) -> None:
    setter.read(EMPTY)
    chosen = setter["mark-list"].locator("[aria-pressed=true]")
    setter.tool("cage")
    for row in (1, 2, 3):
        setter.drag(f"r{row}c1", f"r{row}c2")
    expect(setter["value"]).to_be_focused()
    setter.type("Escape")
    expect(setter["tool"]).to_be_hidden()
    setter.page.keyboard.down("Alt")
    setter.click("r2c1")
    setter.page.keyboard.up("Alt")
    expect(chosen).to_have_text("cage at r2c1")
    menu(setter, "r1c1", "Delete")
    expect(chosen).to_have_count(0)  # not the one that has its place now
    setter.page.keyboard.down("Alt")
    setter.click("r2c1")
    setter.page.keyboard.up("Alt")
    setter.type("Delete")
    setter.painted()
    assert setter.marks() == ["cage at r3c1"]
    setter.page.keyboard.down("Alt")
    setter.click("r3c1")
    setter.page.keyboard.up("Alt")
    expect(chosen).to_have_text("cage at r3c1")
    setter.type("Escape", "Delete")
    expect(chosen).to_have_count(0)
    assert setter.marks() == ["cage at r3c1"]
