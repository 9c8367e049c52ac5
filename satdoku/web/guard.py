"""Who may ask: the address that this server goes by, pages of its own, and the token."""

from __future__ import annotations

from dataclasses import dataclass
from hmac import compare_digest

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets a request or a socket through to the app if its Host, its Origin and its token are right; else 403."""

    app: ASGIApp
    token: str
    host: str  # besides localhost
    port: int

    @property
    def cookie(self) -> str:
        return f"satdoku-{self.port}"  # cookies do not tell ports apart

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        asked = HTTPConnection(scope)
        fault = self._fault(asked)
        if fault is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                if fault is None and "token" in asked.query_params:
                    headers["set-cookie"] = f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
            await send(message)

        app = self.app if fault is None else JSONResponse({"error": fault}, 403)
        await app(scope, receive, guarded)

    def _fault(self, asked: HTTPConnection) -> str | None:
        hosts, origins = asked.headers.getlist("host"), asked.headers.getlist("origin")
        ours = [name if self.port == 80 else f"{name}:{self.port}" for name in (self.host, "127.0.0.1", "localhost")]
        if len(hosts) != 1 or hosts[0] not in ours:
            return "this server goes by another Host"
        if any(origin != f"http://{hosts[0]}" for origin in origins):
            return "pages of another Origin may not ask"
        if asked.headers.get("sec-fetch-site", "none") not in ("none", "same-origin") and asked.url.path != "/":
            return "pages of another site may not ask"
        tokens = (*asked.query_params.getlist("token"), asked.cookies.get(self.cookie, ""))
        if not any(compare_digest(token.encode(), self.token.encode()) for token in tokens):
            return "the token is missing or wrong: open the address that `satdoku web` prints"
        return None
