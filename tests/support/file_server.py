"""A plain file server on this machine, as a static page has."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import MappingProxyType
from typing import Any


class Quiet(SimpleHTTPRequestHandler):
    def __init__(self, *arguments: Any, headers: Mapping[str, str], **more: Any) -> None:
        self._more = headers
        super().__init__(*arguments, **more)

    def end_headers(self) -> None:
        for name, value in self._more.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def hosted(folder: Path, headers: Mapping[str, str] = MappingProxyType({})) -> Iterator[str]:
    """The address of a plain file server, which sends these headers too."""
    handler = partial(Quiet, directory=str(folder), headers=headers)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
