"""Who may ask: the address that this server goes by, pages of its own, and the token."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hmac import compare_digest
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from typing import Any
from urllib.parse import parse_qs

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-cache",
}
LOCAL = ("127.0.0.1", "localhost")
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Any, Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Guard:
    """Lets a request or a socket through to the app if its Host, its Origin and its token are right; else 403.

    host: the one that was named instead of 127.0.0.1
    """

    app: App
    token: str
    host: str
    port: int

    @property
    def cookie(self) -> str:
        return f"satdoku-{self.port}"  # cookies do not tell ports apart

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = [(name.decode("latin-1").lower(), text.decode("latin-1")) for name, text in scope["headers"]]
        asked = parse_qs(scope["query_string"].decode("latin-1")).get("token", [])
        fault = self._fault(headers, asked, scope["path"])
        if fault is not None and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # before it is accepted: 403
        elif fault is not None:
            await _refuse(self._guarded(send, False), fault)
        else:
            await self.app(scope, receive, self._guarded(send, bool(asked)))

    def _guarded(self, send: Send, first: bool) -> Send:
        """`send` with the headers of every response; the first sets the cookie."""
        more = [(name.encode(), text.encode()) for name, text in HEADERS.items()]
        if first:
            more.append((b"set-cookie", f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict".encode()))

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", []), *more]}
            await send(message)

        return guarded

    def _fault(self, headers: list[tuple[str, str]], asked: list[str], path: str) -> str | None:
        hosts = [text for name, text in headers if name == "host"]
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return "this server goes by another Host"
        if any(text != f"http://{hosts[0]}" for name, text in headers if name == "origin"):
            return "pages of another Origin may not ask"
        sites = [text for name, text in headers if name == "sec-fetch-site"]
        if path != "/" and any(site not in ("same-origin", "none") for site in sites):
            return "pages of another site may not ask"
        if not any(compare_digest(token.encode(), self.token.encode()) for token in (*asked, *self._kept(headers))):
            return "the token is missing or wrong: open the address that `satdoku web` prints"
        return None

    def _kept(self, headers: list[tuple[str, str]]) -> list[str]:
        try:
            cookies = [SimpleCookie(text) for name, text in headers if name == "cookie"]
        except CookieError:
            return []
        return [cookie[self.cookie].value for cookie in cookies if self.cookie in cookie]

    def _is_ours(self, host: str) -> bool:
        name, colon, port = host.rpartition(":")
        if port != str(self.port) or not colon:
            return self.port == 80 and self._is_ours(f"{host}:80") if not colon else False
        if name in LOCAL or name.strip("[]") == self.host:
            return True
        return self.host in ("0.0.0.0", "::") and _is_address(name)  # no name of another site can stand for one


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


async def _refuse(send: Send, fault: str) -> None:
    body = json.dumps({"error": fault}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body})
