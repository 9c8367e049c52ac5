"""The page as static files, in chromium: from a plain file server, with no other network, and then with none at all."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
import zlib
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote, unquote

import pytest

pytest.importorskip("playwright", reason="the package playwright is not installed")

from playwright.sync_api import Browser, expect
from support.file_server import hosted
from support.web_page import DRAWN, PROGRAM, Setter, built

import satdoku

HARD = """
from itertools import combinations
from satdoku.backends.oracle import ConflictBound
from satdoku.backends.schedule import SAT
from satdoku.backends.solvers import SOLVERS

holes = [[7 * pigeon + hole + 1 for hole in range(7)] for pigeon in range(8)]
apart = [[-one, -other] for hole in zip(*holes) for one, other in combinations(hole, 2)]
solver = SOLVERS[SAT].open([*holes, *apart])
str([solver.solve([], ConflictBound(None, 50)), solver.statistics()["conflicts"] < 100])
"""
"""Eight pigeons in seven holes, which takes hundreds of conflicts."""
TOO_LARGE = """
try:
    held = bytearray(2_100_000_000)
except MemoryError:
    held = bytearray(10_000_000)
str(len(held))
"""
NODE = """
const { readFileSync } = await import("node:fs");
const [folder, code] = process.argv.slice(1);
const { start } = await import(`${folder}/start.mjs`);
const archive = new Uint8Array(readFileSync(`${folder}/packages.zip`));
const { python } = await start({ folder: `${folder}/`, archive, post: () => {} });
console.log(python.runPython(code));
"""
EMPTY = "." * 16
LARGE = "\n".join([" ".join(["."] * 25)] * 25)
JOBS = """
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...more) {
  document.documentElement.dataset.jobs = `${document.documentElement.dataset.jobs ?? ""} ${message.job}`;
  return post.call(this, message, ...more);
};
"""
"""What workers are given to do, as an attribute of the page."""
HELPED = "html[data-jobs~=help]"
LINK = satdoku.write(satdoku.read("4..3....1....2.4"), "f-puzzles")
START = 300_000  # milliseconds that Python may take to start, on a busy machine


def look_at(pdf: bytes) -> None:
    """Every object stands where the table says, and the picture has all its pixels, most of them white."""
    table = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", pdf)[1])  # type: ignore[index]
    places = re.findall(rb"(\d{10}) 00000 n \n", pdf[table:])
    assert len(places) == 5 and pdf[table:].startswith(b"xref\n0 6\n")
    assert all(pdf[int(place) :].startswith(b"%d 0 obj\n" % number) for number, place in enumerate(places, 1))
    head, _, content = pdf[int(places[4]) : table].partition(b"\nstream\n")
    width, height, length = (int(re.search(rb"/%s (\d+)" % name, head)[1]) for name in (b"Width", b"Height", b"Length"))  # type: ignore[index]
    assert content[length:] == b"\nendstream\nendobj\n"
    pixels = zlib.decompress(content[:length])
    assert len(pixels) == 3 * width * height > 500_000
    assert pixels[:3] == b"\xff\xff\xff" and 0.5 < pixels.count(0xFF) / len(pixels) < 0.99


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
            with page.expect_download() as saved:
                setter["save"].click()
            look_at(saved.value.path().read_bytes())
        page.goto("about:blank")
        page.goto(f"{address}#{quote(DRAWN)}")
        expect(setter["drawings"]).to_contain_text("2 grey lines", timeout=START)
        setter["drawings"].get_by_role("combobox").select_option("thermometer")
        setter["drawings"].get_by_role("button", name="Open it so").click()
        expect(setter["mark-list"].get_by_role("listitem")).to_have_count(2)
        expect(setter["verdict"]).to_have_text("Several solutions")
        assert setter.faults == []
        assert foreign == []


KEPT = """
() => caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name))))
  .then((kept) => Promise.all(kept.map((each) => each.keys())))
  .then((kept) => kept.map((each) => each.map(({ url }) => new URL(url).pathname.slice(1)).sort()))
"""
"""What the service worker keeps, a list for each edition."""
ISOLATED = {"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp"}


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_a_visit_keeps_all_files_and_a_new_edition_begins_when_it_is_whole(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    names = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    whole = sorted({*names, ""} - {"index.html", "service.js"})  # the page is kept under the address of the folder
    with browser.new_context() as context:
        with hosted(folder, ISOLATED) as address:  # where no page is loaded again only to share memory
            setter = Setter(context.new_page(), address)
            setter.verdict("Several solutions")
            assert setter.page.evaluate(KEPT) == [whole]
            (folder / "forms.json").write_bytes((site / "forms.json").read_bytes().replace(b"Simple", b"Newest"))
            service = re.sub(r"satdoku-\w+", "satdoku-newer", (site / "service.js").read_text())
            (folder / "service.js").write_text(service)
            setter.page.reload()
            setter.page.wait_for_selector("#form option[value=ss]:has-text('Simple')", state="attached")
            waiting = "navigator.serviceWorker.ready.then(async (one) => { await one.update(); return one })"
            setter.page.evaluate(f"async () => {{ while (!(await {waiting}).waiting); }}")
            assert setter.page.evaluate(KEPT) == [whole, whole]
            setter.page.close()
        setter = Setter(context.new_page(), address)
        setter.verdict("Several solutions")
        assert "Newest" in setter["form"].inner_text() and setter.page.evaluate(KEPT) == [whole]
        assert setter.faults == []


LOAD = "address => fetch(address).then(() => 'loaded', (error) => error.message)"
LETS_ALL = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_page_and_workers_can_load_nothing_from_elsewhere(browser: Browser, static: str, tmp_path: Path) -> None:
    with browser.new_context() as context, hosted(tmp_path, LETS_ALL) as other:
        page = context.new_page()
        page.goto(other)
        assert page.evaluate(LOAD, other) == "loaded"
        setter = Setter(page, static)
        setter.verdict("Several solutions")
        assert page.workers
        for run in (page.evaluate, *(worker.evaluate for worker in page.workers)):
            assert run(LOAD, static) == "loaded"
            assert run(LOAD, other) == "Failed to fetch"
        assert setter.faults and all(other in fault for fault in setter.faults)


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_addresses_hold_links_of_every_writing(browser: Browser, static: str) -> None:
    link = satdoku.write(satdoku.read("4..3....1....2.4"), "sudokupad")
    data = next(
        text for text in (unquote(titled(number).partition("?load=")[2]) for number in range(500)) if "+" in text
    )
    plain = f"https://www.f-puzzles.com/?load={data}"
    with browser.new_context() as context:
        setter = Setter(context.new_page(), static)
        for text in (
            f"?load={data}",
            f"?load={plain}",
            f"?load={quote(plain, safe='')}",
            f"?load={link}?setting-nogrid=1&setting-largepuzzle=1",
            f"#{plain}",
        ):
            setter.page.goto("about:blank")
            setter.page.goto(static + text)
            expect(setter["note"], text).to_contain_text("Opened", timeout=START)
        assert setter.faults == []


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_an_address_keeps_its_puzzle_until_python_is_loaded(browser: Browser, site: Path, tmp_path: Path) -> None:
    folder, packages = tmp_path / "site", Path("python", "packages.zip")
    shutil.copytree(site, folder)
    (folder / packages).unlink()
    with browser.new_context() as context, hosted(folder) as address:
        setter = Setter(context.new_page(), f"{address}#{quote(LINK)}")
        expect(setter["offline"]).to_contain_text("Python cannot be started", timeout=START)
        shutil.copy(site / packages, folder / packages)
        setter.page.reload()
        expect(setter["note"]).to_contain_text("Opened", timeout=START)
        assert setter.page.url == address


def titled(number: int) -> str:
    return satdoku.write(replace(satdoku.read("4..3....1....2.4"), title=str(number)), "f-puzzles")


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_two_workers_share_the_search_for_candidates(browser: Browser, static: str) -> None:
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        page = context.new_page()
        page.add_init_script(JOBS)
        setter = Setter(page, static)
        setter.read(LARGE)
        page.wait_for_selector(HELPED, timeout=START)  # of the spare one that the long search brought
        setter.click("r1c1")
        setter.type("7")
        setter.verdict("Several solutions")
        expect(setter.digits("r1c1", "given")).to_have_text("7")
        page.evaluate("document.documentElement.dataset.jobs = ''")
        setter.read("." * 256)
        page.wait_for_selector(HELPED, timeout=START)
        expect(setter.digits("r1c1", "candidate")).to_have_text([str(value) for value in range(1, 17)], timeout=START)
        expect(setter.digits("r16c16", "candidate")).to_have_count(16)
        setter.read("1234341221434...")
        setter.verdict("One solution")
        setter["form"].select_option("png")
        with page.expect_download() as saved:  # by a worker that no longer helps
            setter["save"].click()
        assert saved.value.path().read_bytes().startswith(b"\x89PNG")
        assert setter.faults == []


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


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
@pytest.mark.parametrize(
    ("code", "printed"),
    [(HARD, "[<Ending.TIMEOUT: 'timeout'>, True]"), (TOO_LARGE, "10000000")],
    ids=["time", "memory"],
)
def test_a_search_ends_after_so_many_conflicts_and_memory_has_a_bound(site: Path, code: str, printed: str) -> None:
    command = ["node", "--input-type=module", "-e", NODE, str(site / "python"), code]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout.strip() == printed, done.stderr[-500:]


WORKERS = """
class Worker {
  static started = 0;
  static lost = 0;
  constructor() { Worker.started += 1; }
  terminate() { Worker.lost += 1; }
  say(data) { this.onmessage({ data }); }
  postMessage({ interrupt, data }) {
    if (!data) {
      this.interrupt = interrupt;
      return setTimeout(() => this.say({ ready: true }), 3000);
    }
    this.interrupt[0] = 0;
    return this.look();
  }
  look() {
    if (this.interrupt[0]) setTimeout(() => this.say({ done: true }), 1500);
    else setTimeout(() => this.look(), 20);
  }
}
globalThis.Worker = Worker;
"""
"""Workers that take 3 s to start, and whose jobs end 1.5 s after an interrupt."""


@pytest.mark.skipif(PROGRAM is None, reason="chromium is not installed")
def test_a_worker_that_ends_late_is_not_lost_before_another_can_be_there(browser: Browser, static: str) -> None:
    with browser.new_context(viewport={"width": 1400, "height": 1000}) as context:
        page = context.new_page()
        page.add_init_script(WORKERS)
        setter = Setter(page, static)
        count = "() => [Worker.started, Worker.lost]"
        expect(setter["offline"]).to_be_hidden()
        assert page.evaluate(count) == [1, 0]
        page.wait_for_timeout(3500)  # of the first question: it is there, and has begun
        setter.click("r1c1")
        setter.type("1")
        page.wait_for_timeout(8000)
        assert page.evaluate(count) == [2, 0]  # the other is the spare one of a long search
        assert setter.faults == []
