"""The latency of the page for setters: of verdict and candidates through its socket, and of its first paint.

    python benchmarks/latency.py [FILE ...] [--rounds N] [--patience SECONDS] [--slow MS]

Starts `satdoku web`, reads the first puzzle of each file (every file of puzzles/ if none is named) and asks about it as
the page does. A time is from sending the question to having the part of the answer; the best of N rounds. Candidates
are the first that come, before their solutions are counted; an unsolvable puzzle has a conflict instead. Printed are
how many files were answered, the median and the 95% quantile, and each file that takes longer than MS. First paint is
that of chromium, with an empty cache, the median of ten visits; left out where playwright or chromium is missing.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter
from typing import Any
from urllib.parse import quote, urlsplit

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

PUZZLES = Path(__file__).parents[1] / "puzzles"
VISITS = 10
LAST = ("candidates", "conflict")


@contextmanager
def served() -> Iterator[str]:
    command = [sys.executable, "-m", "satdoku", "web", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def token_of(address: str) -> str:
    return address.partition("#token=")[2]


def puzzle_of(address: str, path: Path) -> Any:
    target = urlsplit(address)._replace(path="/read", fragment="").geturl()
    headers = {"X-Name": quote(path.name), "X-Satdoku-Token": token_of(address)}
    request = urllib.request.Request(target, path.read_bytes(), headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["work"]["puzzle"]
    except urllib.error.HTTPError as error:
        print(f"{path}: {json.load(error)['error']}")
        return None


def times(live: ClientConnection, puzzle: Any, number: int, patience: float) -> Mapping[str, float]:
    """Milliseconds until each part of the answer first came."""
    start, found = perf_counter(), dict[str, float]()
    live.send(json.dumps({"id": number, "ask": "live", "puzzle": puzzle, "limit": 1}))
    while perf_counter() - start < patience:
        try:
            message = json.loads(live.recv(timeout=max(0.01, start + patience - perf_counter())))
        except TimeoutError:
            break
        if message["id"] == number:
            part = message.get("part", "error")
            found.setdefault("last" if part in LAST else part, 1000 * (perf_counter() - start))
            if part in (*LAST, "done", "error"):
                break
    return found


def summary(name: str, found: list[float], files: int) -> str:
    late = quantiles(found, n=20, method="inclusive")[-1] if len(found) > 1 else found[0]
    return f"| {name} | {len(found)} of {files} | {median(found):.0f} ms | {late:.0f} ms |"


def first_paint(address: str) -> float | None:
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    program = shutil.which("chromium")
    if program is None:
        return None
    paints = list[float]()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for _ in range(VISITS):
            page = browser.new_context().new_page()
            page.goto(address)
            page.wait_for_function("performance.getEntriesByName('first-contentful-paint').length")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
            page.context.close()
    return median(paints)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--patience", type=float, default=20.0, help="seconds for each answer")
    parser.add_argument("--slow", type=float, default=1000.0, help="name the files that take more milliseconds")
    options = parser.parse_args()
    files = options.files or sorted(path for path in PUZZLES.rglob("*") if path.suffix in (".txt", ".toml"))
    best: dict[Path, dict[str, float]] = {}
    with served() as address:
        socket = urlsplit(address)._replace(scheme="ws", path="/live", fragment="").geturl()
        headers = {"X-Satdoku-Token": token_of(address)}
        origin = Origin(address.partition("/#")[0])
        with connect(socket, origin=origin, additional_headers=headers, max_size=None) as live:
            puzzles = {path: puzzle for path in files if (puzzle := puzzle_of(address, path)) is not None}
            questions = [(path, puzzle) for path, puzzle in puzzles.items() for _ in range(options.rounds)]
            for number, (path, puzzle) in enumerate(questions):
                for part, time in times(live, puzzle, number, options.patience).items():
                    known = best.setdefault(path, {})
                    known[part] = min(time, known.get(part, time))
        paint = first_paint(address)
    print("| what | files | median | 95% |\n|---|---|---|---|")
    for name, part in (("strokes", "strokes"), ("verdict", "verdict"), ("candidates or conflict", "last")):
        print(summary(name, [found[part] for found in best.values() if part in found], len(puzzles)))
    if paint is not None:
        print(f"| first paint | | {paint:.0f} ms | |")
    for path, found in best.items():
        if found.get("last", options.patience * 1000) > options.slow:
            shown = ", ".join(f"{part} {time:.0f} ms" for part, time in found.items())
            print(f"slow: {path.relative_to(PUZZLES) if PUZZLES in path.parents else path}: {shown}")


if __name__ == "__main__":
    main()
