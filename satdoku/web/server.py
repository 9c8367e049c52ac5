"""The routes of the page, and its socket. All that reads, searches or draws a puzzle is done by workers."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from satdoku.errors import InputError, reason_of
from satdoku.puzzle import Puzzle
from satdoku.terminal.messages import say
from satdoku.version import __version__
from satdoku.web.files import forms
from satdoku.web.forms import Form, decoded
from satdoku.web.guard import PROTOCOL, Guard, token_of
from satdoku.web.kinds import kind_records
from satdoku.web.questions import Part
from satdoku.web.workers import Limits, Serving

STATIC = Path(__file__).parent / "static"
MAX_BODY = 1_000_000  # bytes of a request, and of a message on the socket
USUAL_PORT = 8717
MAX_TABS = 32  # sockets at a time
PATIENCE = 10.0  # seconds that the headers of a request may take, and its body
TOO_LARGE = f"over {MAX_BODY} bytes, which is the limit of the page: use the command line"


class Envelope(msgspec.Struct, frozen=True):
    """What of a message the server itself looks at; the question is for a worker."""

    id: int | None = None
    ask: str = ""
    stop: bool = False


class PageServer(Serving):
    """What the routes share; the page begins with a puzzle if there is one."""

    def __init__(self, limits: Limits, puzzle: Puzzle | None = None) -> None:
        super().__init__(limits)
        self._puzzle = puzzle
        self._tabs = 0

    def app(self, started: Callable[[], None] = lambda: None) -> Starlette:
        routes = [
            Route("/", lambda request: FileResponse(STATIC / "index.html")),
            Route("/kinds", lambda request: JSONResponse(kind_records())),
            Route("/forms", lambda request: JSONResponse(list(forms()))),
            Route("/start", self._start),
            Route("/read", self._read, methods=["POST"]),
            Route("/write", self._write, methods=["POST"]),
            WebSocketRoute("/live", self._live),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        app = Starlette(
            routes=routes,
            lifespan=self.lifespan(started),
            exception_handlers={HTTPException: _error, InputError: _error},
        )
        app.router.redirect_slashes = False
        return app

    def _start(self, request: Request) -> Response:
        form = None if self._puzzle is None else msgspec.to_builtins(Form.of(self._puzzle))
        note = "" if self._puzzle is None else self._puzzle.name
        return JSONResponse({"puzzle": form, "note": note, "version": __version__})

    async def _read(self, request: Request) -> Response:
        name, drawn = (unquote(request.headers.get(key, "")) for key in ("x-name", "x-drawn"))
        return JSONResponse(await self._job("read", (await _body(request), name, drawn)))

    async def _write(self, request: Request) -> Response:
        written = await self._job("write", await _body(request))
        headers = {"content-type": written["media"], "x-left-out": ", ".join(written["left_out"])}
        return Response(written["data"], headers=headers)

    async def _job(self, name: str, raw: object) -> Part:
        parts: list[Part] = []

        async def keep(part: Part) -> None:
            parts.append(part)

        await self._workers.run(name, raw, keep)
        return parts[-1]

    async def _live(self, websocket: WebSocket) -> None:
        """One tab: what it asks takes the place of what it asked before."""
        subprotocol = PROTOCOL if PROTOCOL in websocket.scope["subprotocols"] else None
        if self._tabs >= MAX_TABS:
            await websocket.accept(subprotocol)
            await websocket.close(1013, f"{MAX_TABS} tabs are open, which is the limit: close one")
            return
        await websocket.accept(subprotocol)
        self._tabs += 1
        task: asyncio.Task[None] | None = None
        try:
            while (message := await websocket.receive())["type"] == "websocket.receive":
                raw = message.get("bytes") or (message.get("text") or "").encode()
                try:
                    if len(raw) > MAX_BODY:
                        raise InputError(TOO_LARGE)
                    asked = decoded(raw, Envelope)
                except InputError as error:
                    await _send(websocket, {"id": None, "error": str(error)})
                    continue
                await stopped(task)
                task = None if asked.stop else asyncio.create_task(self._answer(websocket, asked, raw))
        finally:
            self._tabs -= 1
            await stopped(task)

    async def _answer(self, websocket: WebSocket, asked: Envelope, raw: bytes) -> None:
        async def send(part: Part) -> None:
            await _send(websocket, {"id": asked.id, **part})

        with suppress(WebSocketDisconnect, RuntimeError):  # nobody listens any more
            try:
                await self._workers.run("ask", raw, send, asked.ask == "count")
                await send({"part": "done"})
            except InputError as error:
                await send({"error": str(error)})


async def stopped(task: asyncio.Task[None] | None) -> None:
    if task is not None:
        task.cancel()
        await asyncio.wait([task])


async def _send(websocket: WebSocket, message: Part) -> None:
    await websocket.send_text(msgspec.json.encode(message).decode())


def _error(request: Request, error: Any) -> Response:
    status = getattr(error, "status_code", 400)
    return JSONResponse({"error": getattr(error, "detail", None) or str(error)}, status)


async def _body(request: Request) -> bytes:
    data = b""
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                data += part
                if len(data) > MAX_BODY:
                    raise HTTPException(413, TOO_LARGE)
    except (TimeoutError, ClientDisconnect):
        raise HTTPException(408, f"the request did not come within {PATIENCE:g} seconds") from None
    return data


class _Http(H11Protocol):
    """HTTP whose requests must have come in time: half-open connections do not pile up."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.loop.call_later(PATIENCE, self._look, transport, None)

    def _look(self, transport: asyncio.Transport, before: object) -> None:
        """Close a connection that has waited for the same request since the look before."""
        if transport.is_closing() or isinstance(transport.get_protocol(), WebSocketsSansIOProtocol):
            return
        waiting = self.cycle is None or self.cycle.response_complete
        if waiting and self.cycle is before:
            transport.abort()
        else:
            self.loop.call_later(PATIENCE, self._look, transport, self.cycle if waiting else transport)


class _Lines(logging.Handler):
    """What the server reports, a line each, without tracebacks."""

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        say(" ".join(record.getMessage().split()) + (f" ({type(error).__name__})" if error else ""))


def listener(host: str, port: int | None) -> socket.socket:
    """A socket that listens there; USUAL_PORT or a free one if no port is named. Raises InputError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    if port is None:
        with suppress(OSError):  # in use, perhaps by another page
            return socket.create_server((host, USUAL_PORT), family=family)
    try:
        return socket.create_server((host, port or 0), family=family)
    except (OSError, OverflowError) as error:
        what = f"cannot listen on {host}, port {port}: {reason_of(error)}"
        raise InputError(f"{what}; choose another --port or --host") from None


def serve(host: str, port: int | None, puzzle: Puzzle | None, limits: Limits, started: Callable[[str], None]) -> None:
    """Serve the page until a signal ends it; `started` is called with its address. Without a port it is USUAL_PORT, so
    that a browser finds what it kept, or a free one.

    Raises InputError for an address that is not available.
    """
    with listener(host, port) as bound:
        number = bound.getsockname()[1]
        name = f"[{host}]" if ":" in host else host
        token = token_of(name, number)
        app = PageServer(limits, puzzle).app(lambda: started(f"http://{name}:{number}/#token={token}"))
        run(Guard(app, token, name, number), bound)


def run(app: ASGIApp, bound: socket.socket) -> None:
    """Serve an app on a socket until a signal ends it. What goes wrong is a line on standard error."""
    bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # else small parts wait 40 ms for each other
    for name in ("uvicorn", "asyncio", "satdoku.web"):
        log = logging.getLogger(name)
        log.handlers, log.propagate, log.level = [_Lines(logging.WARNING)], False, logging.WARNING
    config = uvicorn.Config(
        app,
        log_config=None,
        server_header=False,
        http=_Http,
        ws=WebSocketsSansIOProtocol,
        ws_max_size=MAX_BODY,
        timeout_graceful_shutdown=1,
    )
    uvicorn.Server(config).run(sockets=[bound])
