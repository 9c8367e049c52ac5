"""What the page does when the server, a worker, its token or what the browser keeps is not as it was."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import psutil
import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import expect
from support.web_page import ENDLESS, PROGRAM, Setter, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route
    from support.web_page import Served

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")


def test_the_token_leaves_the_address_and_a_reload_keeps_undo_and_what_is_drawn(setter: Setter) -> None:
    assert "token" not in setter.page.url
    setter.read("1234341221434...")
    setter.click("r4c2")
    setter.type("3")
    setter.verdict("One solution")
    setter.type("Escape")  # else the selected cell begins the clone
    setter.tool("clone")
    setter.click("r1c2")
    setter.click("r2c2")
    setter.page.reload()
    setter.ready()
    expect(setter["mark-list"].locator(".waiting")).to_contain_text("clone at r1c2")
    setter.click("r2c3")  # drawing goes on
    setter.type("Enter")
    setter.click("r3c2")
    setter.type("Enter")
    setter.painted()
    assert setter.marks() == ["clone at r1c2"]
    setter["undo"].click()
    setter.page.reload()
    setter.ready()
    expect(setter["mark-count"]).to_have_text("0")  # what was drawn is not drawn again
    work = "import('/static/state.js').then(({load}) => load(sessionStorage['satdoku:work']))"
    assert set(setter.page.evaluate(work)) == {"puzzle", "entered", "centre", "corner", "colour"}  # and no time
    expect(setter["undo"]).to_be_enabled()
    setter["undo"].click()
    expect(setter["redo"]).to_be_enabled()
    expect(setter.digits("r4c2", "given")).to_have_count(0)
    setter["redo"].click()
    expect(setter.digits("r4c2", "given")).to_have_text("3")


def test_work_that_cannot_be_read_is_set_aside(setter: Setter) -> None:
    notes = '"entered": {}, "centre": {}, "corner": '
    puzzle = '{"puzzle": {"rows": 4, "columns": %s, "marks": [%s]}, '
    texts = {"bad": "{", "odd": '{"puzzle": 3}', "mark": puzzle % (4, "null") + notes + "{}}"}
    texts |= {"large": puzzle % ("1e9", "") + notes + "{}}", "note": puzzle % (4, "") + notes + '{"r1c1": 3}}'}
    for name, text in texts.items():
        setter.page.evaluate("([name, text]) => localStorage.setItem(`satdoku:work:${name}`, text)", [name, text])
    setter.page.reload()
    setter.ready()
    expect(setter["note"]).to_contain_text("could not be read and was set aside: 5.")
    assert setter.page.evaluate("localStorage['satdoku:broken:bad']") == "{"
    setter.page.reload()
    setter.ready()
    expect(setter["note"]).not_to_contain_text("set aside")


def test_a_tab_goes_on_after_a_restart(browser: Browser) -> None:
    with served("--port", "0") as (address, _):
        port = address.partition("#")[0].rpartition(":")[2].strip("/")
        page = browser.new_context().new_page()
        tab = Setter(page, address)
        tab.read("1234341221434...")
        tab.verdict("One solution")
    expect(tab["offline"]).to_contain_text("Not connected")
    with served("--port", port):
        expect(tab["offline"]).to_be_hidden()
        tab.read("13....3131...213")
        tab.verdict("Several solutions")
    page.context.close()


def test_a_board_that_is_refused_is_not_waited_for(setter: Setter) -> None:
    boxes = {"kind": "boxes", "value": "13x13"}
    setter.read(json.dumps({"satdoku": "page", "puzzle": {"rows": 169, "columns": 169, "marks": [boxes]}}))
    expect(setter["replies"]).to_contain_text("million clauses")
    setter.verdict("Not decided")


def test_a_wrong_token_is_reported(browser: Browser, server: Served) -> None:
    page = browser.new_context().new_page()
    page.goto(server[0][:-1])
    expect(page.locator("#offline")).to_contain_text("the token is missing or wrong: open the address")
    page.context.close()


def test_a_tab_too_many_is_refused_at_once(setter: Setter) -> None:
    page = setter.page
    page.route_web_socket("**/live", lambda socket: socket.close(code=1013, reason="32 tabs are open"))
    page.reload()
    setter.ready()
    expect(setter["offline"]).to_have_text("32 tabs are open")
    page.route("**/start", lambda route: None)  # no answer comes
    with page.expect_request("**/start"):
        pass  # it tries again
    setter.click("r1c1")
    setter.painted()
    expect(setter["offline"]).to_have_text("32 tabs are open")


def test_saving_tells_for_how_long_it_has_been_made(setter: Setter) -> None:
    held: list[Route] = []
    setter.page.route("**/write", lambda route: held.append(route))
    setter["form"].select_option("svg")
    setter["save"].click()
    expect(setter["note"]).to_have_text("Making the svg file: 1 s.")
    with setter.page.expect_download():
        held[0].continue_()
    expect(setter["note"]).to_have_text("Saved: puzzle.svg.")


def test_a_worker_is_killed_and_the_page_goes_on(setter: Setter, server: Served) -> None:
    setter.read(ENDLESS)
    setter.page.get_by_role("button", name="Count solutions").click()
    expect(setter["counted"]).to_contain_text("at least")
    while not setter["replies"].locator(".error").count():  # it is asked once more in another worker
        for child in server[1].children(recursive=True):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        setter.page.wait_for_timeout(200)
    setter.rest()
    setter.read("1234341221434...")
    setter.verdict("One solution")


def test_tabs_side_by_side(browser: Browser, server: Served) -> None:
    context = browser.new_context()
    one, other = (Setter(context.new_page(), server[0]) for _ in range(2))
    one.read(ENDLESS)
    one.page.get_by_role("button", name="Count solutions").click()
    expect(one["counted"]).to_contain_text("at least")
    other.read("1234341221434...")
    other.verdict("One solution")
    expect(one["answer"]).to_have_attribute("aria-busy", "true")
    context.close()
