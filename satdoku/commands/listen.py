"""`satdoku listen`: verdicts for f-puzzles and SudokuPad, by the protocol of SudokuSolver's listener."""

from __future__ import annotations

import re
from dataclasses import dataclass

from satdoku.commands.options import OUTPUT, composed, option
from satdoku.commands.web import LOOPBACK, missing_packages, valid
from satdoku.errors import InputError
from satdoku.terminal.messages import say

PORT = 4545
ORIGIN = re.compile(r"https?://[\w.-]+(:\d+)?|null")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listening:
    port: int = option(OUTPUT, "The port; userscripts connect to 4545. 0 for any free one.", default=PORT)
    host: str = option(
        OUTPUT, "The address to listen on; any but 127.0.0.1 lets other machines in.", default="127.0.0.1"
    )
    origin: list[str] | None = option(
        OUTPUT, "A further page that may ask, such as https://example.org.", metavar="ORIGIN"
    )
    timeout: float = option(OUTPUT, "Seconds for each search; a count may take an hour.", default=60.0)


@composed
def listen(own: Listening) -> None:
    """Verdicts, counts, candidates and steps inside f-puzzles, for the userscript of SudokuSolver.

    Prints the address of its socket, and answers until Ctrl-C.

    Exit status: 130 after Ctrl-C, 2 invalid input, a port that is taken, or packages that are missing.
    """
    valid(own.host, own.port, own.timeout)
    origins = own.origin or []
    for origin in origins:
        if not ORIGIN.fullmatch(origin):
            raise InputError(f"--origin {origin}: expected a scheme and a host, such as https://example.org")
    missing_packages()
    from satdoku.web.listener import serve
    from satdoku.web.workers import Limits

    if own.host not in LOOPBACK:
        say(f"warning: it listens on {own.host}: whoever reaches this machine there can use it")
    serve(own.host, own.port, origins, Limits(seconds=own.timeout), lambda address: print(address, flush=True))
