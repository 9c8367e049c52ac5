"""The page as static files, in chromium: how long a visit takes, and its answers beside those of `satdoku web`.

    python benchmarks/static_page.py FOLDER TABLE [--visits N] [--links N] [--edits N] [--seed N] [--minutes M]

FOLDER is what `satdoku web --build FOLDER` wrote; a file server on this machine serves it. TABLE is a TSV file with
puzzles in the column `link`. Three tables are printed.

Visits: the first with an empty cache, a later one with the files that the service worker keeps; from the address to a
board that can be edited, and to the verdict on it, for which Python has to be loaded. The median of N.

From a key to the verdict: digits are typed as by `page.py`, the same on both pages, on the first N links.

Verdicts: each link is opened on the page of `satdoku web`, and, if that decides it within 2 seconds, on the static
page, which has 15 seconds, until the minutes are over.
"""

from __future__ import annotations

import argparse
import csv
import random
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from latency import served
from page import edited, rows
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from support.file_server import hosted

EASY = "4..3....1....2.4"
DESKTOP, STATIC, START = 2.0, 15.0, 120.0  # seconds that each page has for a verdict, and Python to start
SIZE: ViewportSize = {"width": 1400, "height": 900}


def visit(page: Page, address: str) -> tuple[float, float]:
    """Seconds to a board that can be edited, and to the verdict."""
    page.goto("about:blank")
    start = perf_counter()
    page.goto(address)
    page.wait_for_selector("html[data-ready]", timeout=1000 * START)
    ready = perf_counter() - start
    page.wait_for_selector("#answer:not(.stale)", timeout=1000 * START)
    return ready, perf_counter() - start


def visits(browser: Browser, address: str, number: int) -> None:
    found: dict[str, list[tuple[float, float]]] = {"first visit": [], "later visit": []}
    for _ in range(number):
        context = browser.new_context(viewport=SIZE)
        page = context.new_page()
        for name in found:
            found[name].append(visit(page, address))
        context.close()
    print("| visit | board | verdict |\n|---|---|---|")
    for name, times in found.items():
        board, verdict = (median(part) for part in zip(*times, strict=True))
        print(f"| {name} | {board:.1f} s | {verdict:.1f} s |", flush=True)


def keys(pages: dict[str, Page], links: Sequence[str], edits: int, seed: int) -> None:
    print("\n| from a key to | edits | median | 95% |\n|---|---|---|---|")
    for name, page in pages.items():
        rng = random.Random(seed)
        found = [each for link in links for each in edited(page, link, edits, rng, STATIC)]
        print(*rows(found, f", {name}", STATIC), sep="\n", flush=True)


def decided(page: Page, link: str, patience: float) -> float | None:
    """Seconds from opening a link to its verdict; None if there is none within the patience."""
    page.evaluate("note.textContent = ''")
    page.fill("#text", link)
    start = perf_counter()
    page.click("#read")
    try:
        page.wait_for_selector("#note:has-text('Opened')", timeout=1000 * patience)
        left = max(0.001, patience - (perf_counter() - start))
        page.wait_for_selector("#answer:not(.stale)", timeout=1000 * left)
    except PlaywrightTimeoutError:
        page.click("#stop", force=True)
        decided(page, EASY, START)  # by a worker that is ready for the next one
        return None
    seconds = perf_counter() - start
    return None if page.inner_text("#verdict") == "Not decided" else seconds


def verdicts(desktop: Page, static: Page, links: Sequence[str], minutes: float) -> None:
    end, tried, here, there = perf_counter() + 60 * minutes, 0, list[float](), list[float]()
    late = list[str]()
    for number, link in enumerate(links, 1):
        if perf_counter() > end:
            break
        tried += 1
        quick = decided(desktop, link, DESKTOP)
        if quick is None:
            continue
        here.append(quick)
        slow = decided(static, link, STATIC)
        if slow is None:
            late.append(f"link {number}: {quick:.1f} s by satdoku web, not in {STATIC:g} s in the browser")
        else:
            there.append(slow)
    print(f"\n{tried} of {len(links)} links were tried. satdoku web decides {len(here)} of them in {DESKTOP:g} s,")
    print(f"and the static page {len(there)} of those in {STATIC:g} s.")
    if there:
        print(f"Median: {1000 * median(here):.0f} and {1000 * median(there):.0f} ms from opening to the verdict;")
        print(f"the longest {max(here):.1f} and {max(there):.1f} s.")
    print("\n".join(late))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("table", type=Path)
    parser.add_argument("--visits", type=int, default=3)
    parser.add_argument("--links", type=int, default=5, help="to type digits on")
    parser.add_argument("--edits", type=int, default=20, help="of each of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=5.0, help="for the verdicts")
    options = parser.parse_args()
    with options.table.open(encoding="utf-8", newline="") as file:
        links = [line["link"] for line in csv.DictReader(file, delimiter="\t")]
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    with hosted(options.folder) as address, served() as desktop, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        visits(browser, address, options.visits)
        pages = {"satdoku web": browser.new_page(viewport=SIZE), "static page": browser.new_page(viewport=SIZE)}
        visit(pages["satdoku web"], desktop)
        visit(pages["static page"], address)
        keys(pages, links[: options.links], options.edits, options.seed)
        verdicts(pages["satdoku web"], pages["static page"], links, options.minutes)
        browser.close()


if __name__ == "__main__":
    main()
