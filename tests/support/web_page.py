"""The page for setters in a real browser: from a server of its own or from files, a chromium that is installed, and
hands."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

from satdoku.errors import InputError
from satdoku.web.browser import site

ROOT = Path(__file__).parents[2]
PACKAGES = ROOT / "build" / "packages"
BOTH = pytest.mark.parametrize("setter", ["server", pytest.param("files", marks=pytest.mark.slow)], indirect=True)
"""For tests of the page that hold for both; each starts Python in the browser, which takes seconds."""
ENDLESS = 'size = 9\nrules = ["anti-knight"]\n'  # more solutions than are counted
PROGRAM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
"""The shell has the same engine and no windows, whose painting costs as much again as the page."""
PATIENCE = 180_000  # milliseconds: nothing here says how fast the page is
expect.set_options(timeout=PATIENCE)

CELLS: list[Any] = [[{} for _ in range(4)] for _ in range(4)]
REGIONS = [[[row + down, column + right] for down in (0, 1) for right in (0, 1)] for row in (0, 2) for column in (0, 2)]
LINES = [{"wayPoints": [[0.5, 0.5], [0.5, 3.5]], "color": "#cfcfcf"}, {"wayPoints": [[2.5, 0.5], [3.5, 1.5]]}]
DRAWN = json.dumps({"cells": CELLS, "regions": REGIONS, "lines": LINES, "metadata": {"rules": "Thermometers rise."}})
"""Of SudokuPad, with two lines whose rule is only described."""


Served = tuple[str, psutil.Process]
SERVER = """
import satdoku.web.workers
satdoku.web.workers.GRACE = 1.0
satdoku.web.workers.START = 600.0
from satdoku.__main__ import main
main()
"""
"""The command. On a busy machine a search that is interrupted ends after more than the usual grace, and is killed: then
each stroke of a test would start a process. There a process may also take long to start."""


@contextmanager
def served(*arguments: str) -> Iterator[Served]:
    """The address that `satdoku web` prints, and its process."""
    command = [sys.executable, "-c", SERVER, "web", "--no-browser", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip(), psutil.Process(process.pid)
        finally:
            process.terminate()


def built(folder: Path) -> Path:
    """The static page in this folder; the test is skipped where something that it is made of is missing."""
    missing = [one.name for one in (site.PYODIDE, *site.WHEELS) if not (PACKAGES / one.name).exists()]
    if missing:
        pytest.skip(f"{PACKAGES} lacks {missing[0]}: satdoku web --build build/site --packages build/packages")
    try:
        site.build(folder, PACKAGES, print)
    except InputError as error:
        pytest.skip(str(error))
    return folder


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=PROGRAM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Setter:
    """What a setter does on the page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.faults: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._note)
        page.goto(address)
        self.ready()

    def _note(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"{message.text} {message.location['url']}")

    def ready(self) -> None:
        self.page.wait_for_selector("html[data-ready]")

    def __getitem__(self, name: str) -> Locator:
        return self.page.locator(f"#{name}")

    def read(self, text: str) -> None:
        # What was reported of the puzzle before must not pass for what is reported of this one.
        self.page.evaluate("for (const id of ['note', 'verdict']) document.getElementById(id).textContent = ''")
        self["text"].fill(text)
        self["read"].click()
        expect(self["note"]).to_contain_text("Opened")

    def point(self, cell: str) -> tuple[float, float]:
        """The middle of a cell, inside the grid or in the ring around it."""
        row, column = (int(part) for part in cell[1:].split("c"))
        self.painted()
        box = self["r1c1"].bounding_box()
        assert box is not None
        return box["x"] + (column - 0.5) * box["width"], box["y"] + (row - 0.5) * box["height"]

    def painted(self) -> None:
        """Wait until what was done shows: the page paints once before a frame, and a tool may move the board."""
        self.page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def click(self, cell: str, **more: Any) -> None:
        self.page.mouse.click(*self.point(cell), **more)

    def drag(self, *cells: str) -> None:
        self.page.mouse.move(*self.point(cells[0]))
        self.page.mouse.down()
        for cell in cells[1:]:
            self.page.mouse.move(*self.point(cell), steps=6)
        self.page.mouse.up()
        self.painted()  # what was drawn may take the focus

    def type(self, *keys: str) -> None:
        self.painted()
        for key in keys:
            self.page.keyboard.press(key)

    def tool(self, name: str) -> None:
        self["tool-search"].fill(name)
        self["tool-found"].locator(".chip").first.click()

    def done(self) -> None:
        self["tool-done"].click()
        self["tool-search"].fill("")

    def digits(self, cell: str, kind: str) -> Locator:
        """The texts of one kind that stand in a cell."""
        row, column = (int(part) for part in cell[1:].split("c"))
        columns = self.page.locator("#row1 rect").count()
        return self.page.locator(".digits > g").nth((row - 1) * columns + column - 1).locator(f".{kind}")

    def tints(self, kind: str) -> Locator:
        return self.page.locator(f".tint .{kind}")

    def marks(self, kind: str = "name") -> list[str]:
        """The names of the marks in the list, or the notes of those that are `waiting`."""
        self.painted()
        return self.page.locator(f"#mark-list .{kind}").all_inner_texts()

    def verdict(self, text: str) -> None:
        expect(self["verdict"]).to_have_text(text)

    def rest(self) -> None:
        """Until nothing is being answered any more."""
        expect(self["answer"]).to_have_attribute("aria-busy", "false")
