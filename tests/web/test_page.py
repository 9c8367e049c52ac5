"""The page for setters, driven in chromium: drawing, typing, answers in words and on the board."""

from __future__ import annotations

import re

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import BOTH, PROGRAM, ROOT, Setter

from satdoku.variants import Shape, kinds

pytestmark = [BOTH, pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")]
EMPTY = "." * 16  # 4x4 boards answer at once, on a busy machine too
UNIQUE = "4..3....1....2.4"
ONE_EACH = {
    shape: next(k.name for k in kinds().values() if k.shape is shape) for shape in Shape if shape is not Shape.BOARD
}


def has(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def toml(setter: Setter) -> str:
    setter["form"].select_option("toml")
    setter["copy"].click()
    expect(setter["note"]).to_contain_text("Copied: toml")
    return setter["text"].input_value()


def test_draw_a_killer_cage(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("killer cage")
    setter.drag("r3c1", "r3c2")
    setter.page.keyboard.type("7")
    expect(setter["mark-list"]).to_contain_text("cage 7 at r3c1")
    expect(setter.page.locator(".layer2 [data-mark][stroke-dasharray]")).to_have_count(1)
    expect(setter.page.locator(".layer2 text[data-mark]")).to_have_text(["7"])
    expect(setter.digits("r3c1", "candidate")).to_have_text(["3", "4"])
    expect(setter["rules"]).to_have_value(has("Dashed cage: its digits differ"))


def test_draw_a_thermometer(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("thermometer")
    setter.drag("r4c1", "r3c2", "r2c3", "r1c4")
    expect(setter["mark-list"]).to_contain_text("thermometer at r4c1")
    for cell, digit in (("r4c1", "1"), ("r3c2", "2"), ("r2c3", "3"), ("r1c4", "4")):
        expect(setter.digits(cell, "candidate")).to_have_text([digit])
    expect(setter.page.locator(".layer0 circle[data-mark]")).to_have_count(1)


def test_draw_an_arrow_with_two_shafts_and_a_pill(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("arrow")
    setter.drag("r2c2", "r3c3", "r4c3")
    setter.drag("r2c2", "r3c2")
    setter.click("r1c3")
    setter.click("r1c4")
    setter.drag("r1c4", "r2c4", "r3c4")
    expect(setter["mark-list"].get_by_role("listitem")).to_have_count(2)
    text = toml(setter)
    assert 'bulb = "r2c2",      lines = ["r3c3 r4c3", "r3c2"]' in text
    assert 'bulb = "r1c3 r1c4", lines = ["r2c4 r3c4"]' in text


def test_draw_marks_of_every_other_shape(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("odd")
    setter.drag("r1c1", "r1c2")
    setter.click("r1c2")  # takes the mark away
    setter.tool("clone")
    setter.drag("r1c3", "r1c4")
    setter.click("r3c1")
    setter.type("Enter")
    setter.tool("same values")
    setter.drag("r2c1", "r2c2")
    setter.drag("r4c1", "r4c2")
    setter.type("Enter", "Enter")
    setter.tool("skyscraper")
    setter.click("r0c2")
    setter.page.keyboard.type("2")
    setter.tool("little killer")
    setter.drag("r0c1", "r1c2")
    setter.page.keyboard.type("9")
    setter.tool("anti knight")
    setter.tool("any")
    setter.page.get_by_label("odd at r1c1 goes inside").check()
    setter.page.get_by_label("skyscraper 2 at r0c2 goes inside").check()
    setter["tool-add"].click()
    expect(setter["mark-list"]).to_contain_text("any of 2 marks")
    text = toml(setter)
    for part in (
        '{ cells = "r1c3 r1c4", copy = "r3c1 r3c2" }',
        '{ groups = ["r2c1 r2c2", "r4c1 r4c2"] }',
        '{ cell = "r0c1", line = "r1c2 r2c3 r3c4", value = 9 }',
        'rules = ["anti-knight"]',
        '{ of = [{ kind = "odd", cell = "r1c1" }, { kind = "skyscraper", cell = "r0c2", value = 2 }] }',
    ):
        assert part in text.replace("lines =", "line ="), text


def test_every_kind_has_a_tool_made_from_the_table(setter: Setter) -> None:
    expected = {re.sub(r"-(?=\w)", " ", name) for name in kinds()} - {"board", "boxes"}
    assert expected <= set(setter["tools"].locator(".chip-name").all_text_contents())
    for shape, name in ONE_EACH.items():
        if name != "boxes":
            setter.tool(name)
            expect(setter["tool-sentence"]).to_have_text(kinds()[name].summary)
            expect(setter["tool-hint"], f"{shape}").not_to_have_text("")


def test_digits_undo_and_redo(setter: Setter) -> None:
    setter.read(UNIQUE)
    setter.verdict("One solution")
    setter.click("r4c2")
    setter.type("Delete")
    setter.verdict("Several solutions")
    expect(setter.tints("differ")).not_to_have_count(0)
    expect(setter["detail"]).to_contain_text("differ between two of them")
    setter.page.keyboard.press("Control+z")
    setter.verdict("One solution")
    expect(setter.digits("r4c2", "given")).to_have_text(["2"])
    setter.page.keyboard.press("Control+y")
    setter.verdict("Several solutions")
    setter["undo"].click()
    expect(setter["undo"]).to_be_disabled()


def test_undo_has_no_limit(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.click("r1c1")
    setter.type("1", "2")
    # Many more in one task, after which the page paints once.
    setter.page.evaluate("""() => {
        const press = (key, ctrlKey) => document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", {key, ctrlKey, bubbles: true, cancelable: true}));
        for (let step = 0; step < 1000; step += 1) press(String(step % 4 + 1), false);
        for (let step = 0; step < 1000; step += 1) press("z", true);
    }""")
    expect(setter.digits("r1c1", "given")).to_have_text(["2"])
    setter.page.keyboard.press("Control+z")
    setter.page.keyboard.press("Control+z")
    expect(setter["undo"]).to_be_disabled()
    expect(setter.digits("r1c1", "given")).to_have_count(0)


def test_undo_takes_back_what_is_not_painted_yet(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.click("r1c1")
    expect(setter["undo"]).to_be_disabled()
    setter.page.evaluate("""() => {
        const press = (key, ctrlKey) => document.activeElement.dispatchEvent(
            new KeyboardEvent("keydown", {key, ctrlKey, bubbles: true, cancelable: true}));
        press("1", false);
        press("z", true);
        press("2", false);
    }""")
    expect(setter.digits("r1c1", "given")).to_have_text(["2"])
    setter.page.keyboard.press("Control+z")
    expect(setter.digits("r1c1", "given")).to_have_count(0)


def test_notes_of_each_mode(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.click("r1c1")
    for mode, kind in (("Centre", "centre"), ("Corner", "corner")):
        setter.page.get_by_role("button", name=mode, exact=True).click()
        setter.type("1", "3")  # the button has the focus: digits are for the board all the same
        expect(setter.digits("r1c1", kind).first).to_contain_text("1")
    setter.page.get_by_role("button", name="Narrow", exact=True).click()
    setter["board"].focus()
    setter.click("r4c4")
    setter.type("2", "4")
    expect(setter.digits("r4c4", "candidate")).to_have_text(["2", "4"])
    setter.page.get_by_role("button", name="Try", exact=True).click()
    setter["board"].focus()
    setter.click("r2c2")
    setter.type("3")
    expect(setter["detail"]).to_contain_text("1 digit that you try")
    assert "[candidates]\nr4c4 = [2, 4]" in toml(setter)
    assert "3" not in setter["text"].input_value().partition('grid = """')[2]


def test_a_conflict_is_shown_with_its_causes(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("cage")
    setter.drag("r1c1", "r1c2")
    setter.page.keyboard.type("9")
    setter.verdict("No solution")
    expect(setter["replies"]).to_contain_text("cage 9 at r1c1")
    expect(setter.page.locator(".bad[data-mark]")).not_to_have_count(0)
    setter["value"].fill("3")
    setter.verdict("Several solutions")
    expect(setter["replies"]).to_be_empty()
    expect(setter.page.locator(".bad")).to_have_count(0)
    setter.done()
    setter.click("r2c1")
    setter.type("1")
    setter.click("r2c4")
    setter.type("1")
    setter.verdict("No solution")
    expect(setter["replies"].locator(".conflict")).to_have_text(["row 2 has 1 twice: r2c1 and r2c4"])
    expect(setter["detail"]).not_to_contain_text("twice")
    expect(setter.tints("cause")).to_have_count(2)
    expect(setter.tints("conflict")).to_have_count(0)
    setter["replies"].locator(".conflict").first.hover()  # shows the cells, too
    expect(setter.tints("conflict")).to_have_count(2)
    setter["verdict"].hover()
    expect(setter.tints("conflict")).to_have_count(0)


def test_steps_and_why(setter: Setter) -> None:
    setter.read(UNIQUE)
    setter.verdict("One solution")
    setter.page.get_by_role("button", name="Next step").click()
    first = setter["steps"].get_by_role("button").first
    expect(first).to_contain_text("=")
    expect(setter.tints("focus")).to_have_count(1)
    setter.page.get_by_role("button", name="Next step").click()  # enters the digit, and goes on
    expect(setter["detail"]).to_contain_text("1 digit that you try")
    expect(setter["steps"].get_by_role("button")).to_have_count(1)
    setter.page.get_by_role("button", name="All steps").click()
    setter.rest()
    expect(setter["steps"].get_by_role("button").nth(9)).to_be_visible()
    setter.click("r1c2")
    setter["why-value"].select_option("2")
    setter.page.get_by_role("button", name="Why in this cell?").click()
    expect(setter["replies"]).to_contain_text(re.compile("r1c2 (must|cannot) be 2"))


def test_what_is_not_needed_and_what_makes_it_unique(setter: Setter) -> None:
    setter.read("1234341221434321")
    setter.page.get_by_role("button", name="What is not needed").click()
    expect(setter["replies"]).to_contain_text("Not needed, all together")
    expect(setter.page.locator(".spare")).not_to_have_count(0)
    setter.page.get_by_role("button", name="Remove them").click()
    setter.verdict("One solution")
    expect(setter.page.locator(".given")).not_to_have_count(16)
    setter.read(EMPTY)
    setter.verdict("Several solutions")
    setter.page.get_by_role("button", name="Make it unique").click()
    setter.verdict("One solution")


def test_counts_on_hover_up_to_a_limit(setter: Setter) -> None:
    setter.read("12..34..........")
    setter["limit"].fill("7")
    setter["limit"].press("Tab")
    setter.rest()
    setter.page.mouse.move(*setter.point("r4c4"))
    text = re.compile(r"^r4c4: 1 in \d.* of the solutions(; differs between solutions)?$")
    expect(setter["hover"]).to_have_text(text)
    setter["limit"].fill("2")
    setter["limit"].press("Tab")
    setter.page.mouse.move(*setter.point("r4c4"))
    expect(setter["hover"]).to_have_text(has("1 in 2+"))


def test_count_and_stop(setter: Setter) -> None:
    setter.read("12..34..........")
    setter.page.get_by_role("button", name="Count solutions").click()
    expect(setter["counted"]).to_have_text("12 solutions")


def test_boards_of_other_sizes_and_values(setter: Setter) -> None:
    setter["board-rows"].fill("6")
    setter["board-columns"].fill("6")
    expect(setter["board-boxes"]).to_have_value("2x3")
    setter["board-values"].fill("0-5")
    setter.page.get_by_role("button", name="Set the board").click()
    expect(setter.page.locator("[role=gridcell]")).to_have_count(36)
    setter.click("r6c6")
    setter.type("0")
    expect(setter.digits("r6c6", "given")).to_have_text(["0"])
    setter.verdict("Several solutions")
    setter.read((ROOT / "puzzles" / "16x16.txt").read_text())
    expect(setter.page.locator("[role=gridcell]")).to_have_count(256)
    empty = setter.page.locator("[role=gridcell]:not([aria-label*=given])").first.get_attribute("id")
    setter.click(str(empty))
    setter.type("1", "2")
    expect(setter.digits(str(empty), "given")).to_have_text(["12"])
    setter["board-columns"].fill("2000")
    setter["board-boxes"].fill("none")
    setter.page.get_by_role("button", name="Set the board").click()
    expect(setter["board-columns"]).to_have_js_property("validity.valid", False)


def test_regions_take_the_place_of_boxes(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.tool("region")
    setter.drag("r1c1", "r1c4")
    setter.drag("r2c1", "r2c4")
    setter.drag("r3c1", "r3c4")
    setter.drag("r4c1", "r4c4")
    text = toml(setter)
    assert 'regions = """\n1111\n2222\n3333\n4444' in text
    assert "boxes" not in text


def selected(setter: Setter, *cells: str) -> None:
    expect(setter.page.locator("[aria-selected=true]")).to_have_count(len(cells))
    for cell in cells:
        expect(setter[cell]).to_have_attribute("aria-selected", "true")


def test_selection_by_pointer_and_keys(setter: Setter) -> None:
    setter.read(EMPTY)
    setter.drag("r1c1", "r1c3")
    selected(setter, "r1c1", "r1c2", "r1c3")
    setter.page.keyboard.down("Control")
    setter.click("r4c4")
    setter.click("r1c1")
    setter.page.keyboard.up("Control")
    selected(setter, "r1c2", "r1c3", "r4c4")
    setter.click("r2c2")
    setter.type("ArrowRight", "Shift+ArrowDown")
    selected(setter, "r2c3", "r3c3")
    expect(setter["board"]).to_have_attribute("aria-activedescendant", "r3c3")
    setter.page.keyboard.press("Control+a")
    expect(setter.page.locator("[aria-selected=true]")).to_have_count(16)
    setter.type("Escape")
    selected(setter)


def test_a_cage_by_keys_alone(setter: Setter) -> None:
    setter.read(EMPTY)
    setter["board"].focus()
    setter.type("ArrowDown", "/")
    setter.page.keyboard.type("killer cage")
    expect(setter["tool-found"].get_by_role("button").first).to_contain_text("cage")
    setter.type("Enter")
    expect(setter["tool"]).to_be_visible()
    setter["board"].focus()
    setter.type("Shift+ArrowRight", "Enter")
    expect(setter["mark-list"]).to_contain_text("cage")
    setter.page.keyboard.type("3")
    setter.type("Enter", "Escape")
    expect(setter["tool"]).to_be_hidden()
    expect(setter["mark-list"]).to_contain_text("cage 3 at r1c1")
