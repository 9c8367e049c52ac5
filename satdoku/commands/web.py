"""`satdoku web`: the page for setters."""

from __future__ import annotations

import webbrowser
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from threading import Thread

from satdoku.commands import options
from satdoku.commands.options import OUTPUT, argument, composed, option
from satdoku.commands.puzzles import single
from satdoku.errors import InputError
from satdoku.terminal.messages import say

PACKAGES = ("starlette", "uvicorn", "websockets")
LOOPBACK = ("127.0.0.1", "localhost", "::1")
MAX_PORT = 65_535


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    puzzle: str | None = argument("What the page begins with: a file, FILE:LINE, or a puzzle as text.")
    port: int | None = option(OUTPUT, "The port; 8717 if it is left out and free; 0 for any free one.", default=None)
    host: str = option(
        OUTPUT, "The address to listen on; any but 127.0.0.1 lets other machines in.", default="127.0.0.1"
    )
    browser: bool = option(OUTPUT, "Open the page in the browser.", "--browser/--no-browser", default=True)
    timeout: float = option(OUTPUT, "Seconds for each search; a count may take an hour.", default=60.0)
    build: Path | None = option(
        OUTPUT, "Write the page as static files, with Python for the browser, and serve nothing.", metavar="FOLDER"
    )
    packages: Path | None = option(
        OUTPUT, "For --build: where downloads are kept, 8 MB; that of your account if left out.", metavar="FOLDER"
    )


@composed
def web(input: options.Input, own: Served) -> None:
    """A page to set puzzles on, in the browser: draw marks, and see at once what is left.

    Prints the address of the page, which holds a secret token, and serves it until Ctrl-C. With --build it writes the
    page as files for any web server, which answer in the browser itself.

    Exit status: 130 after Ctrl-C, 2 invalid input, a port that is taken, or packages that are missing.
    """
    if own.build is not None:
        _build(own, own.build)
        return
    if own.packages is not None:
        raise InputError("--packages is for --build")
    valid(own.host, own.port, own.timeout)
    missing_packages()
    puzzle = None if own.puzzle is None else single(own.puzzle, input.options())
    from satdoku.web.server import serve
    from satdoku.web.workers import Limits

    if own.host not in LOOPBACK:
        reach = "whoever reaches this machine there and knows the address below can use it, and nothing is encrypted"
        say(f"warning: the page listens on {own.host}: {reach}")

    def started(address: str) -> None:
        print(address, flush=True)
        if own.browser:
            Thread(target=_open, args=(address,), daemon=True).start()

    serve(own.host, own.port, puzzle, Limits(seconds=own.timeout), started)


def _build(own: Served, folder: Path) -> None:
    from satdoku.system.files import state_folder
    from satdoku.web.browser.site import build

    usual = Served(build=folder, packages=own.packages)
    if own != usual:
        raise InputError("--build writes files and serves nothing: leave out the puzzle, --port, --host and the like")
    build(folder, own.packages or state_folder() / "packages", say)


def valid(host: str, port: int | None, timeout: float) -> None:
    """Raises InputError for what cannot be an address of a server, or seconds of a search."""
    if host in ("0.0.0.0", "::", ""):
        raise InputError(f"--host {host}: expected the one address or name by which browsers reach this machine")
    if port is not None and not 0 <= port <= MAX_PORT:
        raise InputError(f"--port {port}: expected 1 to {MAX_PORT}, or 0 for a free one")
    if not 0 < timeout <= 3600:
        raise InputError(f"--timeout {timeout:g}: expected seconds above 0, up to 3600")


def missing_packages() -> None:
    """Raises InputError if what a server needs is not installed."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise InputError(f"the page needs the packages {', '.join(missing)}: pip install 'satdoku[web]'")


def _open(address: str) -> None:
    with suppress(webbrowser.Error):
        browser = webbrowser.get()
        if type(browser) is not webbrowser.GenericBrowser:  # which would take the terminal
            browser.open(address)
