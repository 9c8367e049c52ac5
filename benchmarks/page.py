"""From key to answer on the page for setters, in chromium: the verdict, and the candidates or the conflict.

    python benchmarks/page.py TABLE [--links N] [--edits N] [--seed N] [--patience SECONDS]

TABLE is a TSV file with puzzles in the column `link`. Each of the first N links is read on the page; then digits are
typed into empty cells, at random, and taken back with Ctrl+Z by turns, each once the edit before is answered in full.
A time is from the event of the key to the frame that shows the answer. Printed are, for each link as it is done and
for all of them, how many edits were answered, the median and the 95% quantile of all; and the links with edits that
were not answered within the patience: all of them if the puzzle itself was not.
"""

from __future__ import annotations

import argparse
import csv
import random
import shutil
from collections.abc import Iterator
from math import ceil, inf
from pathlib import Path
from typing import Any

from latency import served
from playwright.sync_api import Page, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

WATCH = """(patience) => {
    window.answered = new Promise((done) => {
        addEventListener("keydown", ({ timeStamp }) => {
            const found = {};
            const look = (now) => {
                const fresh = !answer.classList.contains("stale");
                const conflict = verdict.textContent !== "No solution" || document.querySelector("#replies .conflict");
                if (fresh) found.verdict ??= now - timeStamp;
                if (fresh && !board.classList.contains("stale") && conflict) found.candidates ??= now - timeStamp;
                if (found.candidates || now - timeStamp > patience) done(found);
                else requestAnimationFrame(look);
            };
            requestAnimationFrame(() => requestAnimationFrame(look)); // the first frame takes in the change
        }, { once: true, capture: true });
    });
}"""
EMPTY = "[...document.querySelectorAll('[role=gridcell]:not([aria-label*=given])')].map((each) => each.id)"


def edited(page: Page, link: str, edits: int, rng: random.Random, patience: float) -> list[dict[str, float]]:
    page.evaluate("note.textContent = ''")
    page.fill("#text", link)
    page.click("#read")
    opened, unruled = "#note:has-text('Opened')", "#drawings button >> nth=0"
    try:
        page.wait_for_selector(f"{opened}, #drawings button", timeout=1000 * patience)
        if page.query_selector(unruled):
            page.click(unruled)  # what is drawn has no rule
        page.wait_for_selector(opened, timeout=1000 * patience)
        page.wait_for_selector("#answer:not(.stale)", timeout=1000 * patience)
    except PlaywrightTimeoutError:
        return [{}] * edits
    page.evaluate("board.focus()")
    found: list[dict[str, float]] = []
    for number in range(edits):
        if number % 2 == 0:
            cell = rng.choice(page.evaluate(EMPTY))
            page.locator(f"#{cell}").click()
            digits = page.locator("#digits button").count()
            key = str(rng.randint(1, min(digits, 9)))
        else:
            key = "Control+z"
        page.evaluate(WATCH, 1000 * patience)
        page.keyboard.press(key)
        found.append(page.evaluate("answered"))
    return found


def rows(edits: list[dict[str, float]], of: str, patience: float) -> Iterator[str]:
    """How many edits were answered, and the median and 95% quantile of their times, for verdict and candidates."""
    for name, part in (("the verdict", "verdict"), ("candidates or conflict", "candidates")):
        times = sorted(edit.get(part, inf) for edit in edits)
        middle, late = (times[ceil(share * len(times)) - 1] for share in (0.5, 0.95))
        shown = (f"{each:.0f} ms" if each < inf else f"over {1000 * patience:.0f} ms" for each in (middle, late))
        answered = sum(each < inf for each in times)
        yield f"| {name}{of} | {answered} of {len(times)} | {' | '.join(shown)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("--links", type=int, default=30)
    parser.add_argument("--edits", type=int, default=100, help="of each puzzle")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=20.0, help="seconds for each edit")
    options = parser.parse_args()
    with options.table.open(encoding="utf-8", newline="") as file:
        links = [line["link"] for line in csv.DictReader(file, delimiter="\t")][: options.links]
    rng, found, late = random.Random(options.seed), list[dict[str, float]](), list[str]()
    print("| from a key to | edits | median | 95% |\n|---|---|---|---|")
    with served() as address, sync_playwright() as playwright:
        program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page: Any = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(address)
        page.wait_for_selector("html[data-ready]")
        for number, link in enumerate(links, 1):
            times = edited(page, link, options.edits, rng, options.patience)
            found += times
            print(*rows(times, f", link {number}", options.patience), sep="\n", flush=True)
            missing = sum("candidates" not in each for each in times)
            if missing:
                late.append(f"link {number}: {missing} edits without an answer in {options.patience:g} s")
        browser.close()
    print(*rows(found, f", all {len(links)} links", options.patience), *late, sep="\n")


if __name__ == "__main__":
    main()
