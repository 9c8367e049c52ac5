"""The page's server in this process, and a socket of it; the page itself in chromium, from a server or from files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient
from support.web import LIVE, Asker, opened

if TYPE_CHECKING:  # the package may be missing
    from playwright.sync_api import Browser, BrowserContext
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
    """A server whose page begins with an empty 4x4 board, of which each answer takes a hundredth of the time."""
    from support.web_page import served

    with served("." * 16) as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    from support.web_page import chromium

    with chromium() as browser:
        yield browser


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `satdoku web --build` writes."""
    from support.web_page import built

    return built(tmp_path_factory.mktemp("site"))


@pytest.fixture(scope="package")
def static(site: Path) -> Iterator[str]:
    """The address of the static page."""
    from support.file_server import hosted

    with hosted(site) as address:
        yield address


@pytest.fixture(scope="package")
def context(browser: Browser) -> Iterator[BrowserContext]:
    """What the pages of `setter` share: the browser keeps its process and what it has compiled of the scripts."""
    context = browser.new_context(viewport={"width": 1400, "height": 1000}, accept_downloads=True)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def setter(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Setter]:
    """A page that nothing is kept for."""
    from support.web_page import Setter

    from_files = getattr(request, "param", None) == "files"
    address = request.getfixturevalue("static") if from_files else request.getfixturevalue("server")[0]
    page = context.new_page()
    clear = {"origin": "{0.scheme}://{0.netloc}".format(urlsplit(address)), "storageTypes": "all"}
    context.new_cdp_session(page).send("Storage.clearDataForOrigin", clear)
    setter = Setter(page, address)
    yield setter
    page.close()
    assert setter.faults == []
