"""Makes the pictures of docs/web.md from the page itself: `python docs/web_pictures.py`, in the checkout.

Needs chromium, playwright and pillow. Each picture is the page as a visitor sees it, in 128 colours.
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
UNIQUE = (DOCS.parent / "puzzles" / "variants" / "thermometer.toml").read_text()


def read(page: Page, text: str, verdict: str) -> None:
    page.fill("#text", text)
    page.click("#read")
    page.wait_for_selector("#note:has-text('Opened')")
    page.wait_for_function("text => document.getElementById('verdict').textContent === text", arg=verdict)
    page.wait_for_selector("#board:not(.stale) .candidate, #replies .conflict", state="attached")


def step(page: Page) -> None:
    page.click("text=Next step")
    page.wait_for_selector("#steps li")
    page.wait_for_selector("#answer[aria-busy=false]")


def hint(page: Page) -> None:
    page.click("#play")
    for _ in range(3):
        before = page.locator("#told p").count()
        page.click("#hint")
        page.wait_for_function("many => document.querySelectorAll('#told p').length > many", arg=before)


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
    shot = Image.open(BytesIO(page.screenshot())).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    shot.save(DOCS / name, optimize=True)
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
        browser.close()


if __name__ == "__main__":
    main()
