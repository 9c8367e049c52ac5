"""The page as static files, in chromium: from a plain file server, with no other network, and then with none at all."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from urllib.parse import quote

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import Browser, expect
from support.file_server import hosted
from support.web_page import DRAWN, PROGRAM, Setter, built

import satdoku

EMPTY = "." * 16
LINK = satdoku.write(satdoku.read("4..3....1....2.4"), "f-puzzles")
START = 300_000  # milliseconds that Python may take to start, on a busy machine


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_a_killer_is_drawn_and_answered_in_the_browser_and_then_without_a_network(browser: Browser, site: Path) -> None:
    foreign: list[str] = []
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        with hosted(site) as address:
            page = context.new_page()
            page.on(
                "request", lambda asked: None if asked.url.startswith((address, "blob:")) else foreign.append(asked.url)
            )
            setter = Setter(page, f"{address}?load={quote(LINK)}")
            expect(setter["note"]).to_contain_text("Opened", timeout=START)
            expect(setter["verdict"]).to_have_text("One solution")
            setter.read(EMPTY)
            setter.tool("killer cage")
            setter.drag("r3c1", "r3c2")
            setter.page.keyboard.type("7")
            expect(setter.digits("r3c1", "candidate")).to_have_text(["3", "4"])
            expect(setter["verdict"]).to_have_text("Several solutions")
            setter.done()
            setter.click("r3c1")
            setter.page.keyboard.type("1")
            expect(setter["verdict"]).to_have_text("No solution")
            expect(setter["replies"]).to_contain_text("cage 7")
            setter["form"].select_option("png")
            with page.expect_download() as saved:
                setter["save"].click()
            assert saved.value.path().read_bytes().startswith(b"\x89PNG")
            setter["form"].select_option("pdf")
            setter["save"].click()
            expect(setter["note"]).to_contain_text("not made in the browser")
        page.goto("about:blank")
        page.goto(f"{address}#{quote(DRAWN)}")
        expect(setter["drawings"]).to_contain_text("2 grey lines", timeout=START)
        setter["drawings"].get_by_role("combobox").select_option("thermometer")
        setter["drawings"].get_by_role("button", name="Open it so").click()
        expect(setter["mark-list"].get_by_role("listitem")).to_have_count(2)
        expect(setter["verdict"]).to_have_text("Several solutions")
        assert setter.faults == []
        assert foreign == []


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_what_is_loaded_at_the_start_is_compiled_and_the_same_files_give_the_same_site(
    site: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(site / "python" / "packages.zip") as archive:
        names = set(archive.namelist())
    assert {"satdoku/web/answers.pyc", "msgspec/__init__.pyc", "satdoku/kernels/library.py"} <= names
    assert "satdoku/web/answers.py" not in names and "satdoku/exports/__init__.py" in names
    with zipfile.ZipFile(site / "python" / "python_stdlib.zip") as archive:
        assert {"json/__init__.pyc", "pydoc.py"} <= set(archive.namelist())
    built(tmp_path)
    assert (tmp_path / "service.js").read_bytes() == (site / "service.js").read_bytes()  # it has the digest of all
