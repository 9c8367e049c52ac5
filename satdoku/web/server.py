"""The routes of the page, and its socket. All that reads, searches or draws a puzzle is done by workers."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect

from satdoku.errors import InputError
from satdoku.puzzle import Puzzle
from satdoku.variants import REGIONS, Kind, kinds, records
from satdoku.web.answers import Part
from satdoku.web.files import forms
from satdoku.web.forms import Form
from satdoku.web.guard import Guard
from satdoku.web.workers import Limits, Workers

STATIC = Path(__file__).parent / "static"
MAX_BODY = 1_000_000  # bytes of a request, and of a message on the socket
MAX_TABS = 32  # sockets at a time
TOO_LARGE = f"over {MAX_BODY} bytes, which is the limit of the page: use the command line"


class Page:
    """What the routes share.

    puzzle: what the page begins with, if it was named on the command line
    """

    def __init__(self, limits: Limits, puzzle: Puzzle | None = None) -> None:
        self.limits, self._puzzle = limits, puzzle
        self.workers: Workers
        self._tabs = 0

    def app(self, started: Callable[[], None] = lambda: None) -> Starlette:
        @asynccontextmanager
        async def lifespan(app: Starlette) -> AsyncIterator[None]:
            self.workers = Workers(self.limits)
            self.workers.ready()
            started()
            try:
                yield
            finally:
                await self.workers.close()

        routes = [
            Route("/", self._index),
            Route("/kinds", lambda request: _json(list(map(_kind, records())))),
            Route("/forms", lambda request: _json(list(forms()))),
            Route("/start", self._start),
            Route("/read", self._read, methods=["POST"]),
            Route("/write", self._write, methods=["POST"]),
            WebSocketRoute("/live", self._live),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        errors: Any = {HTTPException: _http_error, InputError: _input_error, Exception: _fault}
        app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=errors)
        app.router.redirect_slashes = False
        return app

    def _index(self, request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    def _start(self, request: Request) -> Response:
        form = None if self._puzzle is None else msgspec.to_builtins(Form.of(self._puzzle))
        return _json({"puzzle": form, "note": "" if self._puzzle is None else self._puzzle.name})

    async def _read(self, request: Request) -> Response:
        name = unquote(request.headers.get("x-name", ""))
        return _json(await self._job("read", {"data": await _body(request), "name": name}))

    async def _write(self, request: Request) -> Response:
        found = await self._job("write", _object(await _body(request)))
        return Response(found["data"], headers={"content-type": found["media"]})

    async def _job(self, name: str, raw: dict[str, Any]) -> Part:
        parts: list[Part] = []

        async def keep(part: Part) -> None:
            parts.append(part)

        await self.workers.run(name, raw, keep)
        return parts[-1]

    async def _live(self, websocket: WebSocket) -> None:
        if self._tabs >= MAX_TABS:
            await websocket.close(1013)
            return
        await websocket.accept()
        self._tabs += 1
        tab = _Tab(websocket, self.workers)
        try:
            while (message := await websocket.receive())["type"] == "websocket.receive":
                await tab.take(message.get("text") or message.get("bytes") or "")
        finally:
            self._tabs -= 1
            await tab.stop()


class _Tab:
    """One socket: what it asks takes the place of what it asked before."""

    def __init__(self, websocket: WebSocket, workers: Workers) -> None:
        self._websocket, self._workers = websocket, workers
        self._task: asyncio.Task[None] | None = None

    async def take(self, text: str | bytes) -> None:
        try:
            if len(text) > MAX_BODY:
                raise InputError(TOO_LARGE)
            raw = _object(text)
        except InputError as error:
            await self._send({"id": None, "error": str(error)})
            return
        await self.stop()
        if not raw.get("stop"):
            self._task = asyncio.create_task(self._answer(raw.pop("id", None), raw))

    async def stop(self) -> None:
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task])

    async def _answer(self, number: object, raw: dict[str, Any]) -> None:
        async def send(part: Part) -> None:
            await self._send({"id": number, **part})

        with suppress(WebSocketDisconnect, RuntimeError):  # nobody listens any more
            try:
                await self._workers.run("ask", raw, send)
            except InputError as error:
                await send({"error": str(error)})
            else:
                await send({"part": "done"})

    async def _send(self, message: Part) -> None:
        await self._websocket.send_text(msgspec.json.encode(message).decode())


def _kind(record: dict[str, Any]) -> dict[str, Any]:
    """The row of a kind as `satdoku variants --json` has it, and what a tool that draws its marks needs."""
    kind = kinds()[record["name"]]
    return {**record, "plural": kind.plural, "division": kind.name in REGIONS, "value": _value(kind)}


def _value(kind: Kind) -> dict[str, Any] | None:
    value = kind.value
    if value is None:
        return None
    form = "choice" if value.words else "text" if value.text else "numbers" if value.several else "number"
    more = {"required": value.required, "default": value.default, "words": value.words, "meaning": value.meaning}
    return {"form": form, **more}


def _json(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def _http_error(request: Request, error: HTTPException) -> Response:
    return _json({"error": error.detail}, error.status_code)


def _input_error(request: Request, error: InputError) -> Response:
    return _json({"error": " ".join(str(error).split())}, 400)


def _fault(request: Request, error: Exception) -> Response:
    return _json({"error": f"internal error ({type(error).__name__})"}, 500)


async def _body(request: Request) -> bytes:
    data = b""
    async for part in request.stream():
        data += part
        if len(data) > MAX_BODY:
            raise HTTPException(413, TOO_LARGE)
    return data


def _object(text: str | bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError) as error:
        raise InputError(f"not a JSON object: {error}") from None


def serve(host: str, port: int, puzzle: Puzzle | None, limits: Limits, started: Callable[[str], None]) -> None:
    """Serve the page until a signal ends it; `started` is called with its address. Raises InputError for an address
    that cannot be had."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot listen on {host}, port {port}: {reason}; choose another --port or --host") from None
    with listener:
        found, token = listener.getsockname()[1], secrets.token_urlsafe(24)
        shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
        app = Page(limits, puzzle).app(lambda: started(f"http://{shown}:{found}/?token={token}"))
        config = uvicorn.Config(
            Guard(app, token, host, found),
            log_config=None,
            access_log=False,
            server_header=False,
            ws="websockets-sansio",
            ws_max_size=MAX_BODY,
            timeout_graceful_shutdown=1,
        )
        uvicorn.Server(config).run(sockets=[listener])
