"""The page's server in this process, and a socket of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient
from support.web import LIVE, Asker, opened


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with opened(puzzle="13....3131...213") as client:
        yield client


@pytest.fixture
def ask(client: TestClient) -> Iterator[Asker]:
    with client.websocket_connect(LIVE) as socket:
        yield Asker(socket)
