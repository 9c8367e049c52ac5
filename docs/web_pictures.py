"""Makes the pictures of docs/web.md from the page itself: `python docs/web_pictures.py`, in the checkout.

Needs chromium, playwright and pillow. Each picture is the page as a visitor sees it, in 128 colours. It also sets a
thermo-killer as a setter does, with the pointer and keys alone, and prints how many clicks and keys that took.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

DOCS = Path(__file__).parent
WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
PATIENCE = 120_000
EVERY_KIND = """
size = 9
boxes = "3x3"
rules = ["anti-knight"]
title = "A bit of everything"
cage = [{ cells = "r1c1 r1c2 r2c2", value = 15 }, { cells = "r8c8 r9c8 r9c9", value = 20 }]
thermometer = ["r4c4 r5c5 r6c5 r7c5"]
arrow = [{ bulb = "r3c7", lines = ["r4c7 r5c8 r6c8"] }]
whispers = ["r7c2 r8c2 r9c3 r8c4"]
sandwich = [{ cell = "r0c4", value = 12 }]
quadruple = [{ cells = "r1c8 r1c9 r2c8 r2c9", value = "3 7" }]
"""
CONFLICT = """
size = 9
boxes = "3x3"
title = "Too much of everything"
cage = [{ cells = "r4c4 r4c5", value = 17 }, { cells = "r7c3 r7c4 r8c3", value = 8 }]
thermometer = ["r4c4 r5c5 r6c5 r7c5"]
arrow = [{ bulb = "r3c7", lines = ["r4c7 r5c8 r6c8"] }]
"""
THERMOMETERS = (
    "r3c1 r2c1 r1c2 r1c3 r2c4 r3c4",
    "r1c7 r1c8 r2c9 r3c9 r4c8 r4c7",
    "r7c9 r8c9 r9c8 r9c7 r8c6 r7c6",
    "r9c3 r9c2 r8c1 r7c1 r6c2 r6c3",
)
CAGES = {
    "r5c5 r6c5 r7c5": 16,
    "r4c4 r4c3 r5c3": 8,
    "r2c4 r3c4 r3c5": 18,
    "r7c3 r8c3 r8c4": 14,
    "r9c5 r8c5 r8c6": 16,
    "r3c7 r4c7 r5c7": 15,
    "r2c5 r1c5 r1c6": 15,
    "r3c2 r3c1 r4c1": 11,
}
MAX_CLICKS = 60
COUNT = """
window.done = {pointerdown: 0, keydown: 0};
for (const type of Object.keys(done)) {
    addEventListener(type, ({isTrusted}) => { done[type] += isTrusted; }, {capture: true});
}
"""
"""Counts what the browser itself hears from pointer and keyboard."""
UNIQUE = (DOCS.parent / "puzzles" / "variants" / "thermometer.toml").read_text()


def read(page: Page, text: str, verdict: str) -> None:
    page.fill("#text", text)
    page.click("#read")
    page.wait_for_selector("#note:has-text('Opened')")
    page.wait_for_function("text => document.getElementById('verdict').textContent === text", arg=verdict)
    page.wait_for_selector("#board:not(.stale) .candidate, #replies .conflict", state="attached")
    page.wait_for_selector("#answer[aria-busy=false]:not(.stale)", state="attached")


def step(page: Page) -> None:
    page.click("text=Next step")
    page.wait_for_selector("#steps li")
    page.wait_for_selector("#answer[aria-busy=false]")


def hint(page: Page) -> None:
    page.click("#play")
    for _ in range(3):
        before = page.locator("#messages p").count()
        page.click("#hint")
        page.wait_for_function("many => document.querySelectorAll('#messages p').length > many", arg=before)


def picture(browser: Any, address: str, name: str, text: str, verdict: str, **more: Any) -> None:
    after, viewport, scheme = more.get("after"), more.get("viewport", WIDE), more.get("scheme", "light")
    context = browser.new_context(viewport=viewport, color_scheme=scheme)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    read(page, text, verdict)
    if after is not None:
        after(page)
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")
    shoot(page, name)
    context.close()


def shoot(page: Page, name: str) -> None:
    shot = Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    shot.save(DOCS / name, optimize=True)


def drag(page: Page, cells: str) -> None:
    """From the middle of a cell to the next, as a hand goes."""
    boxes = [page.locator(f"#{cell}").bounding_box() for cell in cells.split()]
    for number, box in enumerate(boxes):
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=8)
        if not number:
            page.mouse.down()
    page.mouse.up()
    answered(page)


def answered(page: Page) -> None:
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.wait_for_selector("#answer[aria-busy=false]:not(.stale)")


def setting(browser: Any, address: str) -> None:
    """A thermo-killer from an empty board to one solution: a picture of the beginning, the middle and the end."""
    context = browser.new_context(viewport=WIDE)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    page.evaluate(COUNT)
    page.click("#tool-common button:has-text('thermometer')")
    drag(page, THERMOMETERS[0])
    shoot(page, "web-setting-1.png")
    for cells in THERMOMETERS[1:]:
        drag(page, cells)
    page.click("#tool-common button:has-text('cage')")
    for number, (cells, total) in enumerate(CAGES.items(), 1):
        drag(page, cells)
        page.keyboard.type(str(total))
        answered(page)
        if 2 * number == len(CAGES):
            shoot(page, "web-setting-2.png")
    page.wait_for_function("document.getElementById('verdict').textContent === 'One solution'")
    shoot(page, "web-setting-3.png")
    clicks, keys = (page.evaluate(f"done.{event}") for event in ("pointerdown", "keydown"))
    assert clicks < MAX_CLICKS
    print(f"a thermo-killer from empty to unique: {clicks} clicks and drags, {keys} keys")
    context.close()


def main() -> None:
    command = [sys.executable, "-m", "satdoku", "web", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            pictures(process.stdout.readline().strip())
        finally:
            process.terminate()


def pictures(address: str) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        picture(browser, address, "web-board.png", EVERY_KIND, "Several solutions")
        picture(browser, address, "web-conflict.png", CONFLICT, "No solution", scheme="dark")
        picture(browser, address, "web-step.png", UNIQUE, "One solution", after=step)
        picture(browser, address, "web-play.png", UNIQUE, "One solution", after=hint)
        picture(browser, address, "web-phone.png", UNIQUE, "One solution", viewport=PHONE)
        setting(browser, address)
        browser.close()


if __name__ == "__main__":
    main()
