"""A socket that answers as SudokuSolver's listener does, for pages whose userscripts speak that protocol."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from contextlib import suppress

import msgspec
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from satdoku.errors import InputError
from satdoku.web.forms import decoded
from satdoku.web.questions import Part
from satdoku.web.server import MAX_BODY, MAX_TABS, TOO_LARGE, listener, run, stopped
from satdoku.web.workers import Limits, Serving

ORIGINS = (
    re.compile(r"https://([\w-]+\.)*f-puzzles\.com"),
    re.compile(r"https://([\w-]+\.)*sudokupad\.app"),
    re.compile(r"https://([\w-]+\.)*crackingthecryptic\.com"),
)
"""The pages that may ask: f-puzzles, and SudokuPad under both of its names."""
LONG = ("count", "estimate")  # commands that have the time of a count


class ListenerCommand(msgspec.Struct, frozen=True):
    """A command: `data` is a board of f-puzzles, `nonce` the number that its answers have."""

    command: str
    nonce: int = 0
    data_type: str = msgspec.field(name="dataType", default="")
    data: str = ""


def allowed(origin: str | None, more: Sequence[str]) -> bool:
    """Whether a page of this origin may ask. Programs that are not browsers have none, and may.

    more: further origins, such as `https://example.org`
    """
    return origin is None or origin in more or any(pattern.fullmatch(origin) for pattern in ORIGINS)


class Listener(Serving):
    """What the connections share."""

    def __init__(self, limits: Limits, origins: Sequence[str] = ()) -> None:
        super().__init__(limits)
        self._origins = origins
        self._connections = 0

    def app(self, started: Callable[[], None] = lambda: None) -> Starlette:
        return Starlette(routes=[WebSocketRoute("/{path:path}", self._listen)], lifespan=self.lifespan(started))

    async def _listen(self, websocket: WebSocket) -> None:
        """One connection: a command takes the place of the one before."""
        if not allowed(websocket.headers.get("origin"), self._origins):
            await websocket.close(1008)  # before it is accepted: 403
            return
        await websocket.accept()
        if self._connections >= MAX_TABS:
            await websocket.close(1013, f"{MAX_TABS} connections are open, which is the limit: close one")
            return
        self._connections += 1
        task: asyncio.Task[None] | None = None
        try:
            while (received := await websocket.receive())["type"] == "websocket.receive":
                raw = received.get("bytes") or (received.get("text") or "").encode()
                try:
                    if len(raw) > MAX_BODY:
                        raise InputError(TOO_LARGE)
                    message = decoded(raw, ListenerCommand)
                except InputError as error:
                    await _send(websocket, 0, {"type": "invalid", "message": str(error)})
                    continue
                await stopped(task)
                task = None
                if message.command == "cancel":
                    await _send(websocket, message.nonce, {"type": "canceled"})
                else:
                    task = asyncio.create_task(self._answer(websocket, message))
        finally:
            self._connections -= 1
            await stopped(task)

    async def _answer(self, websocket: WebSocket, message: ListenerCommand) -> None:
        async def send(part: Part) -> None:
            await _send(websocket, message.nonce, part)

        with suppress(WebSocketDisconnect, RuntimeError):  # nobody listens any more
            try:
                if message.data_type != "fpuzzles":
                    raise InputError(f"data of the type {message.data_type[:40]!r}: expected fpuzzles")
                raw = (message.command, message.data)
                await self._workers.run("respond", raw, send, message.command in LONG)
            except InputError as error:
                await send({"type": "invalid", "message": str(error)})


async def _send(websocket: WebSocket, nonce: int, part: Part) -> None:
    await websocket.send_text(msgspec.json.encode({"nonce": nonce, **part}).decode())


def serve(host: str, port: int, origins: Sequence[str], limits: Limits, started: Callable[[str], None]) -> None:
    """Listen until a signal ends it; `started` is called with the address.

    Raises InputError for an address that is not available.
    """
    with listener(host, port) as bound:
        name, number = f"[{host}]" if ":" in host else host, bound.getsockname()[1]
        run(Listener(limits, origins).app(lambda: started(f"ws://{name}:{number}")), bound)
