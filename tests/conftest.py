"""Slow tests run only when asked for; engines that a test joins to the table leave it with the test's file."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from satdoku import backends


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="run the tests marked slow, too")


def pytest_configure() -> None:
    # A suite that a shell started in the background ignores Ctrl-C, and so would the commands it tests.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="slow: runs with --long")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


@pytest.fixture(autouse=True, scope="module")
def _joined_engines_leave() -> Iterator[None]:
    before = dict(backends.engines())
    yield
    backends.engines().clear()
    backends.engines().update(before)
    backends.join.cache_clear()
