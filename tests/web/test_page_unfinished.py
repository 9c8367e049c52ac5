"""Marks that are not finished, on the page: drawn, listed with what they lack, left out of the verdict, and saved."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import BOTH, PROGRAM, Setter

pytestmark = [BOTH, pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")]
UNIQUE = "4..3....1....2.4"


def waiting(setter: Setter) -> list[str]:
    return setter.marks("waiting")


def test_a_mark_without_its_value_waits(setter: Setter) -> None:
    setter.read(UNIQUE)
    setter.verdict("One solution")
    setter.tool("xv")
    setter.drag("r1c2", "r1c3")
    expect(setter["detail"]).to_contain_text("without 1 unfinished mark")
    setter.verdict("One solution")
    expect(setter["mark-list"].locator(".waiting")).to_contain_text("needs a value: X or V")
    expect(setter.page.locator(".layer2 text[data-mark]")).to_have_text(["?"])
    setter.page.mouse.move(*setter.point("r1c3"))
    expect(setter["hover"]).to_contain_text("xv at r1c2 needs a value: X or V")
    setter["value"].fill("V")
    expect(setter["mark-list"].locator(".waiting")).to_have_count(0)
    expect(setter["detail"]).not_to_contain_text("unfinished")


def test_regions_appear_as_they_are_drawn(setter: Setter) -> None:
    setter.read(UNIQUE)
    setter.tool("region")
    setter.drag("r1c1", "r1c3")
    expect(setter["detail"]).to_contain_text("without 1 unfinished mark")
    setter.verdict("One solution")  # the boxes hold
    setter.drag("r1c1", "r1c4")
    for row in (2, 3):
        setter.drag(f"r{row}c1", f"r{row}c4")
    expect(setter["detail"]).to_contain_text("without 3 unfinished marks")
    assert "waits for the other regions, with 12 of 16 cells" in waiting(setter)[0]
    assert setter["board-boxes"].input_value() == "2x2"
    setter.drag("r4c1", "r4c4")
    setter.verdict("Several solutions")
    expect(setter["board-boxes"]).to_have_value("none")
    expect(setter["mark-list"].locator("[aria-pressed=true]")).to_have_text("region at r4c1")
    expect(setter["detail"]).not_to_contain_text("unfinished")


def test_what_is_being_drawn_is_saved_and_becomes_a_mark(setter: Setter, tmp_path: Path) -> None:
    setter.read(UNIQUE)
    setter.tool("clone")
    setter.click("r1c2")
    setter.click("r2c2")
    expect(setter["mark-list"].locator(".waiting")).to_have_count(1)
    expect(setter["mark-list"].locator(".waiting")).to_contain_text("clone at r1c2")
    setter["form"].select_option("page")
    with setter.page.expect_download() as found:
        setter["save"].click()
    path = tmp_path / found.value.suggested_filename
    found.value.save_as(path)
    assert path.name == "puzzle.json"
    setter["form"].select_option("line")
    setter["copy"].click()
    expect(setter["note"]).to_have_text("Copied: line, which cannot hold 1 unfinished mark.")
    setter.tool("odd")  # another tool: what was drawn stays
    expect(setter["detail"]).to_contain_text("without 1 unfinished mark")
    setter.read("." * 16)
    expect(setter["mark-count"]).to_have_text("0")
    setter["file"].set_input_files(path)
    expect(setter["mark-list"].locator(".waiting")).to_contain_text("clone at r1c2")
    expect(setter.page.locator(".given")).to_have_count(5)
