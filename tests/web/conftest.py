"""The page's server in this process, and a socket of it; the page itself in chromium."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from starlette.testclient import TestClient
from support.web import LIVE, Asker, opened

if TYPE_CHECKING:  # the package may be missing
    from playwright.sync_api import Browser
    from support.web_page import Served, Setter


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with opened(puzzle="13....3131...213") as client:
        yield client


@pytest.fixture
def ask(client: TestClient) -> Iterator[Asker]:
    with client.websocket_connect(LIVE) as socket:
        yield Asker(socket)


@pytest.fixture(scope="package")
def server() -> Iterator[Served]:
    from support.web_page import served

    with served() as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    from support.web_page import chromium

    with chromium() as browser:
        yield browser


@pytest.fixture
def setter(browser: Browser, server: Served) -> Iterator[Setter]:
    from support.web_page import Setter

    context = browser.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    setter = Setter(context.new_page(), server[0])
    yield setter
    context.close()
    assert setter.faults == []
