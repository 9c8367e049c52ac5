"""Who may ask: the address that this server goes by, pages of its own, and the token.

The page's own files need no token. It comes with the address once, behind a #, which no browser sends, and the page
keeps it where only pages of the same port can read it: cookies go to every port of a host.
"""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from satdoku.system.files import state_folder

TOKEN = "x-satdoku-token"  # the header of the token
PROTOCOL = "satdoku"  # of the socket, for which a browser sends no headers; the token is another name beside it
SECRET_BYTES = 32
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
                MutableHeaders(scope=message).update(HEADERS)
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
        if asked.scope["type"] == "http" and (asked.url.path == "/" or asked.url.path.startswith("/static/")):
            return None
        tokens = (*asked.headers.getlist(TOKEN), *asked.scope.get("subprotocols", ()))
        if not any(compare_digest(token.encode(), self.token.encode()) for token in tokens):
            return "the token is missing or wrong: open the address that `satdoku web` prints"
        return None


def token_of(host: str, port: int) -> str:
    """The token of a server at an address: the same after a restart, so that open pages go on.

    It is made of a secret that is kept for this user alone; a random one where nothing can be kept.
    """
    file, secret = state_folder() / "web-secret", secrets.token_bytes(SECRET_BYTES)
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with (
            suppress(FileExistsError),
            os.fdopen(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as new,
        ):
            new.write(secret)
        kept = file.read_bytes()
        secret = kept if len(kept) == SECRET_BYTES else secret
    digest = hmac.new(secret, f"{host}:{port}".encode(), sha256).digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")
