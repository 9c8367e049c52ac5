"""The page's server in this process, with real workers; and what asks it."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.testclient import TestClient

import satdoku
from satdoku.web.guard import Guard
from satdoku.web.server import PageServer
from satdoku.web.workers import Limits

TOKEN = "the-token-of-these-tests"
PORT = 8123
BASE = f"http://127.0.0.1:{PORT}"
LIVE = f"ws://127.0.0.1:{PORT}/live"


class Asker:
    """A socket of the page: asks, and gives the parts of the answer."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.number = 0

    def send(self, ask: str, puzzle: Any, **more: Any) -> int:
        self.number += 1
        self.socket.send_json({"id": self.number, "ask": ask, "puzzle": puzzle, **more})
        return self.number

    def parts(self, number: int) -> list[dict[str, Any]]:
        """All parts up to the end of this answer; those of earlier ones are left out."""
        found: list[dict[str, Any]] = []
        while not found or not (found[-1].get("part") == "done" or "part" not in found[-1]):
            part = self.socket.receive_json()
            if part["id"] == number:
                found.append(part)
        return found

    def __call__(self, ask: str, puzzle: Any, **more: Any) -> dict[str, Any]:
        """The parts by their names, the last of each; `error` for an error."""
        parts = self.parts(self.send(ask, puzzle, **more))
        return {part.get("part", "error"): part for part in parts}


def write(client: TestClient, puzzle: Any, form: str, **more: Any) -> Any:
    """The answer to saving a puzzle in a form."""
    return client.post("/write", json={"work": {"satdoku": "page", "puzzle": puzzle}, "form": form, **more})


def in_loop(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread: in this one the loop of a browser may be running."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(asyncio.run, coroutine).result()


def opened(limits: Limits | None = None, puzzle: str | None = None, host: str = "127.0.0.1") -> TestClient:
    page = PageServer(limits or Limits(), None if puzzle is None else satdoku.read(puzzle))
    headers = {"x-satdoku-token": TOKEN}
    return TestClient(Guard(page.app(), TOKEN, host, PORT), base_url=f"http://{host}:{PORT}", headers=headers)
