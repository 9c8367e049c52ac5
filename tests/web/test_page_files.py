"""The page for setters in chromium: in and out, what is kept, and how it can be used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import Browser, expect
from support.amount import every
from support.cli import run
from support.web_page import BOTH, ENDLESS, PROGRAM, ROOT, Served, Setter, served

import satdoku

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
EMPTY = "." * 16
VARIANTS = sorted({*(ROOT / "puzzles" / "variants").glob("*.toml")} - {ROOT / "puzzles" / "variants" / "board.toml"})
STATIC = ROOT / "satdoku" / "web" / "static"


def saved(setter: Setter, form: str, folder: Path) -> Path:
    setter["form"].select_option(form)
    with setter.page.expect_download() as found:
        setter["save"].click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def from_files(setter: Setter) -> bool:
    """Whether this is the static page."""
    return bool(setter.page.evaluate("Boolean(document.querySelector('[rel=manifest]'))"))


@BOTH
def test_paste_a_link_reload_and_find_the_work_again(setter: Setter) -> None:
    link = satdoku.convert(satdoku.load(ROOT / "puzzles" / "variants" / "thermometer.toml"), "f-puzzles")
    setter.page.evaluate("text => navigator.clipboard.writeText(text)", link)
    setter["board"].focus()
    setter.page.keyboard.press("Control+v")
    expect(setter["note"]).to_contain_text("Opened")
    marks = setter.marks()
    assert len(marks) > 1
    setter["title"].fill("Kept <b>here</b>")
    setter.page.reload()
    setter.ready()
    assert setter.marks() == marks
    expect(setter["title"]).to_have_value("Kept <b>here</b>")
    setter["new"].click()
    expect(setter["mark-count"]).to_have_text("0")
    setter["recent"].get_by_role("button", name="Kept <b>here</b>").first.click()
    expect(setter["mark-count"]).to_have_text(str(len(marks)))


@pytest.fixture
def without_puzzle() -> Iterator[str]:
    """The address of a page that begins with the last work, or an empty 9x9 board."""
    with served() as (address, _):
        yield address


def test_a_new_visit_finds_the_last_work(browser: Browser, without_puzzle: str) -> None:
    context = browser.new_context()
    first = Setter(context.new_page(), without_puzzle)
    first.read("1...............")
    second = Setter(context.new_page(), without_puzzle)  # the first is still open: this one works on a copy
    expect(second.page.locator(".given")).to_have_text(["1"])
    second.click("r1c1")
    second.type("2")
    expect(second.page.locator(".given")).to_have_text(["2"])
    first.page.reload()
    first.ready()
    expect(first.page.locator(".given")).to_have_text(["1"])
    first.page.close()
    second.page.close()
    third = Setter(context.new_page(), without_puzzle)
    expect(third.page.locator(".given")).to_have_text(["2"])
    expect(third["recent"].get_by_role("listitem")).to_have_count(2)
    context.close()


@BOTH
def test_drop_a_file_and_refuse_what_is_not_a_puzzle(setter: Setter) -> None:
    text = (ROOT / "puzzles" / "variants" / "arrow.toml").read_text()
    drop = """text => {
        const data = new DataTransfer();
        data.items.add(new File([text], "arrow.toml"));
        document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
    }"""
    setter.page.evaluate(drop, text)
    expect(setter["note"]).to_contain_text("Opened")
    expect(setter["mark-count"]).to_have_text("8")
    setter["text"].fill("what is this?")
    setter["read"].click()
    expect(setter["note"]).to_have_class("error")
    expect(setter["mark-count"]).to_have_text("8")
    setter["text"].evaluate("field => { field.value = '.'.repeat(1100000); }")
    setter["read"].click()
    expect(setter["note"]).to_contain_text("1 MB")
    setter.faults.clear()  # the browser notes the status of the answer


def test_what_is_being_read_is_told(setter: Setter) -> None:
    setter.page.evaluate("() => { globalThis.fetch = () => new Promise(() => {}); }")  # no answer comes
    setter["text"].fill(EMPTY)
    setter["read"].click()
    expect(setter["note"]).to_have_text("Reading …")


def board_as_a_picture(setter: Setter) -> None:
    """What the page without a server saves: strokes and givens, without what is only on the page."""
    setter.click("r1c1")
    expect(setter.page.locator(".digits .candidate").first).to_be_visible()
    call = "import('/static/picture.js').then(({ svg }) => svg(document.getElementById('board')))"
    text = setter.page.evaluate(call)
    root = ElementTree.fromstring(text)
    drawn = [each.tag.rpartition("}")[2] for each in root.iter()]
    shown = sorted(each.text or "" for each in root.iter() if each.tag.endswith("text"))
    assert shown == sorted(setter.page.locator(".digits .given").all_text_contents())
    assert drawn.count("polyline") == setter.page.locator(".layer0 polyline, .layer1 polyline").count() > 0
    assert re.search(r'stroke="rgb\([0-9, ]+\)"', text)
    assert not re.search(r"var\(|light-dark|class=|style=|gridcell", text)
    size = setter.page.evaluate(
        "import('/static/picture.js').then(({ picture }) => picture(document.getElementById('board'), 'image/png'))"
        ".then((blob) => createImageBitmap(blob)).then(({ width, height }) => [width, height])"
    )
    assert size == [int(float(root.attrib[side])) for side in ("width", "height")]


@BOTH
def test_save_and_read_back_by_the_command_line(setter: Setter, tmp_path: Path) -> None:
    setter.read((ROOT / "puzzles" / "variants" / "thermometer.toml").read_text())
    setter["title"].fill("Ein Rätsel / 1")
    for form in ("toml", "f-puzzles", "sudokupad"):
        path = saved(setter, form, tmp_path)
        found = satdoku.load(path)
        assert found.title == "Ein Rätsel / 1"
        assert [m.kind for m in found.board.marks].count("thermometer") == len(setter.marks())
        result = run("check", str(path))
        assert result.exit_code == 0 and "unique" in result.output
    assert ElementTree.parse(saved(setter, "svg", tmp_path)).getroot().tag.endswith("}svg")
    board_as_a_picture(setter)
    assert saved(setter, "png", tmp_path).read_bytes().startswith(b"\x89PNG")
    assert saved(setter, "pdf", tmp_path).read_bytes().startswith(b"%PDF")
    if from_files(setter):
        setter["form"].select_option("certificate")
        setter["save"].click()
        expect(setter["note"]).to_contain_text("certificate files are not made in the browser")
    else:
        assert saved(setter, "certificate", tmp_path).stat().st_size > 0
    setter.page.get_by_role("button", name="Copy SudokuPad link").click()
    expect(setter["note"]).to_contain_text("Copied")
    link = setter.page.evaluate("() => navigator.clipboard.readText()")
    assert satdoku.read(link).givens == satdoku.load(ROOT / "puzzles" / "variants" / "thermometer.toml").givens


@BOTH
def test_a_link_of_the_static_page_holds_the_puzzle(setter: Setter) -> None:
    copy = setter.page.get_by_role("button", name="Copy link of this page")
    if not from_files(setter):
        expect(copy).to_have_count(0)  # the address of a server of one machine
        return
    setter.read(EMPTY)
    setter.tool("killer cage")
    setter.drag("r3c1", "r3c2")
    setter.page.keyboard.type("7")
    setter.tool("XV")
    setter.drag("r1c1", "r1c2")
    setter.done()
    setter.click("r4c4")
    setter.type("v", "2", "x", "1")  # a colour, which is in the link, and a note in the corner, which is not
    expect(setter.digits("r4c4", "corner")).to_have_text(["1"])
    copy.click()
    expect(setter["note"]).to_contain_text("Copied")
    link = setter.page.evaluate("() => navigator.clipboard.readText()")
    own = setter.page.url.partition("#")[0]
    assert re.fullmatch(rf"{own}#packed=[\w-]+", link)
    marks, waiting = setter.marks(), setter["mark-list"].locator(".waiting")
    assert len(marks) == 2
    expect(waiting).to_have_count(1)
    setter.read(EMPTY)
    expect(waiting).to_have_count(0)
    setter.read(link)
    expect(waiting).to_have_count(1)
    assert setter.marks() == marks
    expect(setter.page.locator(".coloured")).to_have_count(1)
    expect(setter.digits("r4c4", "corner")).to_have_count(0)
    setter["text"].fill(link[:-20])
    setter["read"].click()
    expect(setter["note"]).to_have_text("The link of this page is damaged: it may have been cut.")
    for text, said in ((link, "Opened"), (link[:-20], "damaged")):
        setter.page.goto("about:blank")
        setter.page.goto(text)
        setter.ready()
        expect(setter["note"]).to_contain_text(said)


@BOTH
def test_the_format_that_cannot_say_it_names_what(setter: Setter) -> None:
    setter.read((ROOT / "puzzles" / "variants" / "arrow.toml").read_text())
    setter["form"].select_option("line")
    setter["copy"].click()
    expect(setter["note"]).to_have_class("error")
    expect(setter["note"]).to_contain_text("arrow")
    setter.faults.clear()


@BOTH
def test_rules_are_written_from_the_marks_and_can_be_edited(setter: Setter, tmp_path: Path) -> None:
    setter.read(EMPTY)
    setter.tool("thermometer")
    setter.drag("r1c1", "r1c2")
    expect(setter["rules"]).to_have_value(re.compile("Thermometer: "))
    setter["rules"].fill("My own words.")
    setter["author"].fill("N. N.")
    found = satdoku.load(saved(setter, "toml", tmp_path))
    assert (found.rules, found.author) == ("My own words.", "N. N.")
    setter["rules-write"].click()
    expect(setter["rules"]).to_have_value(re.compile("Thermometer: "))


@BOTH
def test_a_count_of_22_digits_is_exact_or_says_what_would_count_it(setter: Setter) -> None:
    setter.read("." * 81)
    setter.page.get_by_role("button", name="Count solutions").click()
    if from_files(setter):
        expect(setter["counted"]).to_contain_text("solutions; sums, which would count all, are not made in the browser")
        setter["stop"].click()
    else:
        expect(setter["counted"]).to_have_text("6,670,903,752,021,072,936,960 solutions")


@BOTH
def test_a_long_search_is_cancelled_and_the_page_goes_on(setter: Setter) -> None:
    setter.read(ENDLESS)
    setter.page.get_by_role("button", name="Count solutions").click()
    expect(setter["counted"]).to_contain_text("at least")
    setter["stop"].click()
    expect(setter["replies"]).to_contain_text("Stopped")
    setter.rest()
    setter.page.get_by_role("button", name="Count solutions").click()
    expect(setter["answer"]).to_have_attribute("aria-busy", "true")
    setter.read("1234341221434...")  # a change cancels too
    setter.verdict("One solution")


def test_nothing_comes_from_the_network_or_inline(browser: Browser, server: Served) -> None:
    context = browser.new_context()
    page, asked = context.new_page(), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    Setter(page, server[0])
    assert asked and all(url.startswith(server[0].partition("#")[0]) for url in asked)
    html = (STATIC / "index.html").read_text()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*src=)|https?://", html)
    sources = "".join(path.read_text() for path in STATIC.glob("*.js")).replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://", sources)
    context.close()


@pytest.mark.parametrize(
    ("scheme", "width", "height"),
    every(2, [("light", 1400, 900), ("dark", 800, 600), ("dark", 360, 740), ("light", 390, 844)]),
)
def test_axe_finds_nothing(browser: Browser, server: Served, scheme: Any, width: int, height: int) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
    setter = Setter(context.new_page(), server[0])
    puzzles = {"drawn circle": "11..............", "xv": "1234341221434...", "whispers": VARIANTS[9].read_text()}
    for tool, puzzle in puzzles.items():
        setter.read(puzzle)
        setter.rest()
        setter.tool(tool)
        found = axe.Axe().run(setter.page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        setter["play"].click()
        setter.painted()
        found = axe.Axe().run(setter.page).response["violations"]
        assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []
        setter["play"].click()
        wide = setter.page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width
    context.close()


def test_touch_selects_and_the_buttons_write(browser: Browser, server: Served) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    setter = Setter(context.new_page(), server[0])
    setter.read(EMPTY)
    setter["board"].scroll_into_view_if_needed()
    setter.page.touchscreen.tap(*setter.point("r2c3"))
    setter.page.get_by_role("button", name="Digit 4").click()
    expect(setter.digits("r2c3", "given")).to_have_text(["4"])
    setter["erase"].click()
    expect(setter.digits("r2c3", "given")).to_have_count(0)
    context.close()


def test_colours_zoom_and_print(setter: Setter) -> None:
    page = setter.page
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    setter["theme"].select_option("dark")
    assert page.evaluate(background) != light
    width = "parseFloat(getComputedStyle(document.getElementById('board')).width)"
    before = page.evaluate(width)
    setter["zoom-in"].click()
    expect(setter["board"]).not_to_have_css("width", f"{before:g}px")
    assert page.evaluate(width) > before
    setter["title"].fill("On paper")
    page.emulate_media(media="print")
    expect(setter["print-title"]).to_be_visible()
    expect(setter["print-title"]).to_have_text("On paper")
    for part in ("answer", "pad", "tools-title", "files-title"):
        expect(setter[part]).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"


def _few() -> list[Path]:
    return [path for path in VARIANTS if path.stem in ("any", "quadruple", "schroedinger")]


@pytest.mark.parametrize("paths", [_few(), pytest.param(VARIANTS, marks=pytest.mark.slow)], ids=["few", "all"])
@BOTH
def test_variants_are_read_drawn_and_answered(setter: Setter, paths: list[Path]) -> None:
    for path in paths:
        setter.read(path.read_text())
        expect(setter["verdict"], path.stem).to_have_text("One solution")
        puzzle = satdoku.load(path)
        drawn = [mark for mark in puzzle.board.marks if mark.kind not in ("boxes", "region")]
        assert len(setter.marks()) >= len(drawn), path.stem
        assert setter.page.locator(".layer1 > *").count() > 4, path.stem
        setter["form"].select_option("toml")
        setter["copy"].click()
        expect(setter["note"], path.stem).to_contain_text("Copied: toml")
        found = satdoku.read(setter["text"].input_value())
        assert (found.board, found.candidates) == (puzzle.board, puzzle.candidates), path.stem
